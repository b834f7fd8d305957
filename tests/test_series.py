"""Power series in place of closed forms are Taylor's, and what is printed of them is what is computed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from codegen.frontends.from_sympy import notation_table
from codegen.ir.operations import Op
from codegen.ir.program import Arg
from codegen.ir.types import REAL
from codegen.library import library
from codegen.library.rotation_vector import kernels
from codegen.modeling.equations.textbook import results
from codegen.modeling.series import BELOW, Series, series_used
from codegen.modeling.types.algebra import RotationVector
from codegen.notation.prose import pieces
from codegen.proof.checks import check_equations
from codegen.proof.derivation import SERIES, derivation
from codegen.proof.series import check_series, taylor

JACOBIANS = [f"{group}_{side}_jacobian" for group in ("so3", "se3") for side in ("left", "right")]
USERS = [*JACOBIANS, *(f"{name}_inverse" for name in JACOBIANS)]


def series_of(name: str) -> list[Series]:
    with series_used() as used:
        library()[name].lower(False)
    return list(used)


def exact(text: str, square: Fraction) -> Any:
    """The value of a formula in |r| for a square of |r|."""
    import sympy

    angle = sympy.sqrt(sympy.Rational(square))
    known = [Arg("r", RotationVector, "rad", "")], [Arg("y", REAL, "1", "")]
    return results(f"y = {text}", *known, [angle, 0, 0], notation_table())[0]


def test_the_kernels_with_series_are_known() -> None:
    assert {name for name in library() if series_of(name)} == set(USERS)


@pytest.mark.parametrize("name", USERS)
def test_each_series_is_taylors_of_what_the_formula_computes(name: str) -> None:
    assert list(check_series(library()[name])) == []


@pytest.mark.parametrize("k", range(8))
@pytest.mark.parametrize("changed", [lambda c: -c, lambda c: c * Fraction(1001, 1000)])
def test_a_coefficient_that_changes_is_seen(k: int, changed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = kernels.JACOBIAN_SERIES
    given = tuple(changed(c) if i == k else c for i, c in enumerate(right.given))
    monkeypatch.setattr(kernels, "JACOBIAN_SERIES", replace(right, given=given))
    said = f"the series of {right.closed}: its coefficients are not those of Taylor's series"
    assert list(check_series(library()["so3_left_jacobian"])) == [said]


@pytest.mark.parametrize("closed", ["2 (1 - sin(|r|) / |r|) / |r|^2", "(1 - cos(|r|)) / |r|^2"])
def test_another_closed_form_is_not_what_the_formula_computes(
    closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Series(closed, taylor(Series(closed, (Fraction(0),) * 8)))
    monkeypatch.setattr(kernels, "JACOBIAN_SERIES", other)
    said = f"the series of {closed}: the formula computes something else where it is not used"
    assert list(check_series(library()["so3_left_jacobian"])) == [said]


def test_series_are_among_the_equations_that_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.proof.series.taylor", lambda series: ())
    (said,) = check_equations(library()["so3_left_jacobian"])
    assert said.startswith("so3_left_jacobian: the series of (1 - sin(|r|) / |r|) / |r|^2: its coefficients")


@pytest.mark.parametrize("name", USERS)
def test_the_printed_terms_are_the_coefficients(name: str) -> None:
    printed = next(s.equation for s in derivation(library()[name]) if s.title == SERIES)
    for series, told in zip(series_of(name), printed.split(";\n")[1:], strict=True):
        formulas = [piece.text for piece in pieces(told) if piece.is_formula]
        assert formulas[0] == f"|r|^2 < {BELOW}"
        assert formulas[3] == series.closed
        assert f"degree {len(series.coefficients) - 1} " in told
        for square in (Fraction(1, 4), Fraction(1, 9), Fraction(1, 25)):
            terms = sum(c * square**k for k, c in enumerate(series.coefficients[:3]))
            assert exact(formulas[2], square) == terms


@pytest.mark.parametrize("name", USERS)
def test_the_printed_threshold_is_that_of_the_code(name: str) -> None:
    program = library()[name].program(False)
    named = next(node for node, label in program.labels.items() if label == "by_series")
    condition = program.nodes[named]
    assert condition.op is Op.LT
    assert program.nodes[condition.args[1]].value == BELOW


@pytest.mark.parametrize("name", ["se3_left_jacobian", "se3_left_jacobian_inverse"])
def test_what_a_series_leaves_out_is_less_than_it_says(name: str) -> None:
    for series in series_of(name):
        value = exact(f"{series.closed}; {series.where}", BELOW)
        left = value - sum(c * BELOW**k for k, c in enumerate(series.coefficients))
        error = abs(float((left / value).evalf(30)))
        assert series.error / 4 < error < series.error
