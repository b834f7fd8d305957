"""Definitions on FLINT's numbers: all digits that are promised, and more bits where these cancel."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from codegen.ir.operations import Op
from codegen.ir.systems import F64, exact_of, multiprecision
from codegen.library.shared import elementary
from codegen.library.shared.dense import Limits, Result, result
from codegen.mechanisms.definition.balls import on_balls

SYSTEM = multiprecision(F64)


def numbers(*values: Fraction | int) -> Any:
    return np.array([SYSTEM.constant(Fraction(x)) for x in values], dtype=object)


def of(define: Callable[..., Result], *values: Fraction | int) -> Fraction:
    """The first result, exactly."""
    return exact_of(on_balls(define, [numbers(*values)], {}).outputs[0][0])


def test_results_have_all_digits_of_the_numbers() -> None:
    third = of(lambda x: result(x[0] / 3), 1)
    assert abs(third * 3 - 1) < Fraction(1, 10**50)
    sine = exact_of(SYSTEM.table[Op.SIN](SYSTEM.constant(Fraction(2))))
    assert abs(of(lambda x: result(elementary.sin(x[0])), 2) - sine) < Fraction(1, 10**49)


@pytest.mark.parametrize("digits", [20, 100, 300, 900])
def test_digits_that_cancel_are_computed_with_more_bits(digits: int) -> None:
    """What remains is known in proportion to the largest number, the result included."""

    def remainder(x: Any) -> Result:
        large = x[0] + 10**digits
        return result((large - 10**digits - x[0] + x[0] / 3) * 10 ** (digits + 5))

    exact = Fraction(10 ** (digits + 5), 3)
    assert abs(of(remainder, 1) - exact) < exact / 10**50


def test_what_no_bits_yield_is_no_value() -> None:
    with pytest.raises(ValueError, match="not known"):
        of(lambda x: result(x[0] / (x[1] - x[1])), 1, 2)
    with pytest.raises(ValueError, match="not known"):
        of(lambda x: result((x[0] + 10**5000 - 10**5000) * 10**5000), 1)


def test_matrices_numbers_and_status_are_kept() -> None:
    seen = list[Any]()

    def define(M: Any, x: Any, limits: Limits) -> Result:
        seen.append((np.shape(M), x, limits.eps))
        return result(M @ M, x, status=4)

    M, limits = numbers(1, 2, 3, 4).reshape(2, 2), Limits(*numbers(Fraction(1, 4), 1, 2))
    found = on_balls(define, [M, M[0, 1]], {"limits": limits})
    assert [exact_of(x) for x in found.outputs[0]] == [7, 10, 15, 22]
    assert exact_of(found.outputs[1][0]) == 2
    assert found.status == 4
    assert [(shape, x == 2, eps * 4 == 1) for shape, x, eps in seen] == [((2, 2), True, True)]


def test_other_numbers_stay_what_they_are() -> None:
    for values in (np.array([0.5, 2.0]), np.array([Fraction(1, 2), Fraction(2)])):
        found = on_balls(lambda x: result(x[0] * x[1]), [values], {})
        assert type(found.outputs[0][0]) is type(values[0])
