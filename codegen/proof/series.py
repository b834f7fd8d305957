"""Checks of the power series of a formula: they are Taylor's, of what the formula computes elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.domain import cases
from codegen.ir.expression import as_expr
from codegen.ir.program import Arg, Program, evaluate, input_scalars, program_of
from codegen.ir.systems import F64, multiprecision
from codegen.ir.types import REAL
from codegen.modeling.equations.textbook import results, traced_table
from codegen.modeling.kernel import Kernel
from codegen.modeling.series import BELOW, Elsewhere, Series, series_used
from codegen.modeling.types.algebra import RotationVector

_DIGITS = 60
_NEARLY_EQUAL = 1e-40
_VALUE = Arg("y_closed", REAL, "1", "the closed form")
_ANGLE = Arg("r", RotationVector, "rad", "rotation vector")


def check_series(kernel: Kernel) -> Iterator[str]:
    """What is wrong with the series that a formula uses: with their coefficients, or their closed forms."""
    with series_used() as used:
        kernel.lower(False)
    for series, computed in used.items():
        yield from _problems(kernel, series, computed)


def _problems(kernel: Kernel, series: Series, computed: Elsewhere) -> Iterator[str]:
    try:
        if taylor(series) != series.given:
            yield f"the series of {series.closed}: its coefficients are not those of Taylor's series"
        if not _is_computed(kernel, series, computed):
            yield f"the series of {series.closed}: the formula computes something else where it is not used"
    except FeatherError as error:
        yield f"the series of {series.closed}: it cannot be compared: {error}"


def _equations(series: Series) -> str:
    return f"{_VALUE.name} = {series.closed}; {series.where}"


@cache
def taylor(series: Series) -> tuple[Fraction, ...]:
    """As many coefficients of Taylor's series of a closed form, in powers of |r|^2, as the series has."""
    import sympy

    from codegen.frontends.from_sympy import notation_table

    angle = sympy.Symbol("angle", positive=True)
    (closed,) = results(_equations(series), [_ANGLE], [_VALUE], [angle, 0, 0], notation_table())
    found = sympy.series(closed, angle, 0, 2 * len(series.given)).removeO()
    exact = (found.coeff(angle, 2 * k) for k in range(len(series.given)))
    return tuple(Fraction(int(c.p), int(c.q)) if c.is_Rational else Fraction(0) for c in exact)


def _is_computed(kernel: Kernel, series: Series, computed: Elsewhere) -> bool:
    """Whether a formula computes the closed form, on 60 digits, at points where it uses no series."""
    stated = results(
        _equations(series), kernel.inputs, [_VALUE], input_scalars(kernel.inputs), traced_table()
    )
    compared = [as_expr(x) for x in (*stated, computed.closed, computed.square)]
    values = [Arg(f"value_{k}", REAL, "1", "") for k in range(len(compared))]
    differences = [*_differences(program_of(kernel.inputs, values, compared, []))]
    return bool(differences) and max(differences) < _NEARLY_EQUAL


def _differences(program: Program) -> Iterator[Any]:
    """How far the closed forms are apart, in proportion, where the square, the last value, is not near 0."""
    system = multiprecision(F64, _DIGITS)
    for case in cases(program.inputs, 12, "series"):
        try:
            stated, computed, square = evaluate(program, system, [*map(system.constant, case)]).results
        except (ValueError, ZeroDivisionError):
            continue
        if square >= system.constant(BELOW):
            yield abs(stated - computed) / abs(stated)
