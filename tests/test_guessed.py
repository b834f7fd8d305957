"""Attributes that structures do not have: the message says what to write instead."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from codegen import Force, Mat3, Motion, Quaternion, SymMat3, Transform, UnitQuaternion, Vec3, Vector
from codegen.errors import FormulaError
from codegen.ir.composite import Composite
from codegen.modeling.kernel import Kernel
from codegen.modeling.types import guessed
from tests.conftest import Featherc

ONES = {kind: kind.of([1] * n) for kind, n in (
    (Vec3, 3), (UnitQuaternion, 4), (Quaternion, 4), (Mat3, 9), (SymMat3, 6), (Motion, 6), (Force, 6),
    (Transform, 12),
)}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "name", "message"),
    [
        (
            ONES[UnitQuaternion],
            "rotate",
            f"a UnitQuaternion has no .rotate: write quat_rotate(q_AB, v_B), from {guessed.ROTATIONS}",
        ),
        (ONES[Vec3], "select", "a Vec3 has no .select: write select(condition, a, b)"),
        (ONES[Vec3], "normalized", "a Vec3 has no .normalized: write v / v.norm, where v is not zero"),
        (ONES[Vec3], "w", "a Vec3 has no .w; it has x, y, z, norm_squared, norm, dot, cross"),
        (ONES[SymMat3], "T", "a SymMat3 has no .T: write the matrix itself, as it is symmetric"),
        (Vector.of([1, 2]), "size", "a Vector has no .size; it has T, dot, outer, norm_squared, norm"),
    ],
)
def test_a_guess_has_an_answer(value: Any, name: str, message: str) -> None:
    with pytest.raises(FormulaError, match=f"^{re.escape(message)}$"):
        getattr(value, name)
    assert not hasattr(value, name)
    assert getattr(value, name, 7) == 7


CALL = re.compile(r"(\w+)\(([^()]*)\), from ([\w.]+)$")


@pytest.mark.parametrize("kind", ONES, ids=lambda kind: kind.__name__)
def test_what_is_to_be_written_exists(kind: Any) -> None:
    """Kernels of the library take the named arguments; other attributes are those of the type."""
    for guess, text in kind.instead.items():
        assert not hasattr(kind, guess), guess
        call = CALL.search(text)
        if call:
            found = getattr(import_module(call[3]), call[1])
            assert isinstance(found, Kernel)
            assert [a.name for a in found.inputs] == call[2].split(", ")
        for attribute in re.findall(r"(?<!codegen)\b[vqAJRT]\.(\w+)", text):
            assert hasattr(ONES[kind], attribute), text


def test_an_error_inside_of_a_property_is_not_a_missing_attribute() -> None:
    with pytest.raises(AttributeError, match="object has no attribute 'nothing'"):
        _ = Wrong.of([1, 2, 3]).broken


class Wrong(Vec3):
    """A vector with a property that fails."""

    @property
    def broken(self) -> Any:
        """What there is not."""
        return object().nothing  # type: ignore[attr-defined]


def test_values_are_copied_and_pickled() -> None:
    for value in ONES.values():
        assert (
            copy.deepcopy(value).scalars() == pickle.loads(pickle.dumps(value)).scalars() == value.scalars()
        )


def test_a_type_checker_still_knows_the_attributes() -> None:
    """A __getattr__ that it saw would let every name pass."""
    assert "if not TYPE_CHECKING:" in inspect.getsource(Composite).partition("def __getattr__")[0]


MODEL = '''
from codegen import Arg, UnitQuaternion, Vec3, kernel

@kernel(
    inputs=[Arg("q_AB", UnitQuaternion, "1", "attitude"), Arg("v_B", Vec3, "m", "vector")],
    outputs=[Arg("v_A", Vec3, "m", "vector")],
    equation="",
    source="",
)
def turned(q_AB, v_B):
    """Turned."""
    return q_AB.rotate(v_B)
'''


def test_the_message_names_line_and_kernel(featherc: Featherc, place: Path) -> None:
    Path("mine.py").write_text(MODEL)
    done = featherc("generate", "--model", "mine.py", "-o", "c")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.startswith("featherc: mine.py:12: kernel turned: a UnitQuaternion has no .rotate: write ")
