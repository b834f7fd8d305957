"""Annotated functions become kernels; stand-ins have what the types of SymForce have."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy

from codegen import from_symforce
from codegen.errors import FeatherError
from codegen.ir.program import evaluate
from codegen.ir.systems import fractions
from codegen.ir.types import REAL
from codegen.modeling.types.algebra import UnitQuaternion
from codegen.modeling.types.matrix_types import Matrix, Symmetric, Vector


class Column(Any):  # type: ignore[misc]
    """A column of two, like sf.V2."""

    @classmethod
    def symbolic(cls, name: str) -> Any:
        return sympy.Matrix(2, 1, sympy.symbols(f"{name}0:2"))


class Square(Any):  # type: ignore[misc]
    """A 2x2 matrix, like sf.M22, whose storage is column by column."""

    @classmethod
    def symbolic(cls, name: str) -> Any:
        return sympy.Matrix(2, 2, sympy.symbols(f"{name}0:4"))


class Four:
    """A quaternion, like sf.Quaternion: x, y, z, w in storage."""

    def __init__(self, x: Any, y: Any, z: Any, w: Any) -> None:
        self.xyz, self.w = [x, y, z], w

    def to_storage(self) -> list[Any]:
        return [*self.xyz, self.w]


class Turn(Four):
    """A rotation, like sf.Rot3."""

    @property
    def q(self) -> Four:
        return Four(*self.to_storage())

    @classmethod
    def symbolic(cls, name: str) -> Turn:
        return cls(*sympy.symbols(f"{name}_x {name}_y {name}_z {name}_w"))


def step(v: Column, A: Square, q: Turn, dt: float, *args: Any, twice: int = 2) -> Any:
    """Advances a state.

    By one step.
    """
    x, y, z, w = q.to_storage()
    back = Turn(-x, -y, -z, w)
    return v + dt * (A * v), A.T * twice, back, back.q, dt + 1, 5


def test_names_and_types_are_those_of_the_signature() -> None:
    made = from_symforce(step, ["v_next", "B", "back", "stored", "t", "five"])
    assert (made.name, made.title) == ("step", "Advances a state.")
    assert [a.name for a in made.inputs] == ["v", "A", "q", "dt"]
    assert [repr(a.type) for a in made.inputs[:2]] == [repr(Vector(2)), repr(Matrix(2, 2))]
    assert [a.type for a in made.inputs[2:]] == [UnitQuaternion, REAL]
    assert [a.name for a in made.outputs] == ["v_next", "B", "back", "stored", "t", "five"]
    assert {a.unit for a in (*made.inputs, *made.outputs)} == {""}
    meanings = ["vector of 2", "matrix of 2 x 2", "Rot3, a rotation", "scalar"]
    assert [a.doc for a in made.inputs] == meanings, "not their names once more"


def test_values_keep_their_places() -> None:
    """Matrices row by row, a rotation w, x, y, z, other storage as it is."""
    given = [Fraction(x) for x in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)]  # v, A, q as w x y z, dt
    found = evaluate(from_symforce(step).program(), fractions(), given).results
    assert found[:6] == [1 + 11 * (3 + 8), 2 + 11 * (5 + 12), 6, 10, 8, 12]
    assert found[6:] == [7, -8, -9, -10, -8, -9, -10, 7, 12, 5]


def test_results_without_names() -> None:
    def one(x: float) -> Any:
        return x * x

    def two(x: float) -> Any:
        return x, x + 1

    assert [a.name for a in from_symforce(one).outputs] == ["res"]
    assert [a.name for a in from_symforce(two, name="renamed").outputs] == ["res0", "res1"]
    assert from_symforce(two, name="renamed").name == "renamed"


def test_symmetric_arguments_are_packed() -> None:
    """The element below the diagonal is that above it: in the input before it is used, and in the result."""

    def squared(P: Square) -> Any:
        S = P * P
        S[1, 0] = 0
        return S

    made = from_symforce(squared, ["S"], symmetric=["P", "S"])
    assert [repr(a.type) for a in (*made.inputs, *made.outputs)] == [repr(Symmetric(2))] * 2
    found = evaluate(made.program(), fractions(), [Fraction(x) for x in (2, 3, 5)]).results
    assert found == [2 * 2 + 3 * 3, 3 * (2 + 5), 3 * 3 + 5 * 5]


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (["B"], "kernel step: B is no square matrix, and cannot be symmetric"),
        (["S"], "kernel step: symmetric names S, but its arguments are v, A, q, dt, B, res, back, stored, t"),
    ],
    ids=["a column", "no argument"],
)
def test_what_cannot_be_symmetric_is_refused(names: list[str], complaint: str) -> None:
    with pytest.raises(FeatherError, match=complaint):
        from_symforce(step, ["B", "res", "back", "stored", "t", "five"], symmetric=names)


def bare(x):  # type: ignore[no-untyped-def]
    return x


def texts(x: str) -> Any:
    return x


def table(x: float) -> Any:
    return {"x": x}


def fails(x: float) -> Any:
    raise ValueError(f"no {x}")


def unknown(x: float) -> Any:
    return x + sympy.Symbol("epsilon")


def several(x: float) -> Any:
    return x, x


def unresolved(x: Missing) -> Any:  # type: ignore[name-defined]  # noqa: F821
    return x


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (bare, "kernel bare: parameter x: it has no annotation: write its type"),
        (texts, "kernel texts: parameter x: <class 'str'> is no type of SymForce"),
        (table, "kernel table: result res: a dict is neither an expression nor a type of SymForce"),
        (fails, r"kernel fails: .*test_from_symforce.py:\d+: ValueError: no x"),
        (unknown, "the symbol epsilon is not among the arguments"),
        (several, "kernel several: it returns 2 results, but there are 1 output_names"),
        (unresolved, "kernel unresolved: .*NameError: name 'Missing' is not defined"),
    ],
)
def test_what_has_no_type_is_named(function: Callable[..., Any], complaint: str) -> None:
    names = ["y"] if function is several else []
    with pytest.raises(FeatherError, match=complaint):
        from_symforce(function, names).program()


def test_functions_of_plain_numbers_need_no_import_of_sympy() -> None:
    code = """
from codegen import from_symforce


def area(width: float, height: float) -> float:
    return width * height


print(from_symforce(area, ["area"]).name)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("area\n", "")
