"""A kernel that is right only for rotations, or only for quaternions of norm 1, says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.ir.program import Program
from codegen.ir.systems import F64
from codegen.ir.types import Value
from codegen.library import library
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Rotation, UnitQuaternion
from codegen.proof.proof import prove
from codegen.provenance.points import at_points


def parts(kind: Any) -> Iterator[Any]:
    """A type and those of its parts."""
    yield kind
    if isinstance(kind, type) and issubclass(kind, Value):
        for part in kind.layout.values():
            yield from parts(part)


def silent(kernel: Kernel) -> bool:
    """Whether a kernel takes a rotation or a unit quaternion, and requires nothing of it."""
    is_constrained = any({Rotation, UnitQuaternion} & {*parts(a.type)} for a in kernel.inputs)
    return is_constrained and not any(word in kernel.requires for word in ("orthonormal", "unit quaternion"))


SILENT = [name for name, kernel in library().items() if silent(kernel)]


def test_some_kernels_take_any_matrix() -> None:
    assert {"dcm_multiply", "dcm_kinematics", "transform_point"} <= set(SILENT)
    assert not {"rpy_from_dcm", "euler_xyx_from_dcm", "inertia_from_principal", "dcm_to_quat"} & set(SILENT)


@pytest.mark.parametrize("name", SILENT)
def test_the_equation_holds_for_any_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Derivations from physics may use that a rotation is orthonormal."""
    for kind, size in ((Rotation, 9), (UnitQuaternion, 4)):
        free = classmethod(lambda cls, draw, size=size: [draw() for _ in range(size)])
        monkeypatch.setattr(kind, "sample", free)
    monkeypatch.setattr("codegen.proof.proof.derivation_of", lambda kernel: None)
    assert prove(library()[name]).verdict.proven


@pytest.mark.parametrize("name", SILENT)
def test_the_code_is_the_formula_for_any_numbers(name: str) -> None:
    """The optimiser may use that a rotation is orthonormal."""
    kernel = library()[name]
    rows = np.random.default_rng(1).uniform(-2, 2, (sum(a.size for a in kernel.inputs), 64))
    printed = results(function(kernel, F64, Options()).program, rows)
    np.testing.assert_allclose(printed, results(kernel.program(True), rows), rtol=1e-9, atol=1e-9)


def results(program: Program, rows: Any) -> Any:
    return at_points(program, rows)[list(program.results)]
