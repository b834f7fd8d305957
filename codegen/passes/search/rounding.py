"""rounding: running error analysis, a number system whose values carry a bound on their round-off.

Source: Wilkinson, The Algebraic Eigenvalue Problem (1965).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from codegen.ir.arrays import Constants, Listed
from codegen.ir.operations import Op
from codegen.ir.systems import F64, NumberSystem, floating


class Bounded(NamedTuple):
    """Values, and a bound on the rounding error of each, in units of the last place of 1."""

    value: Any
    error: Any


@cache
def running_error() -> NumberSystem:
    """Double arithmetic on NumPy numbers or arrays with its error bounds."""
    plain = floating(F64).table
    table: dict[Op, Callable[..., Any]] = {
        Op.ADD: lambda a, b: _rounded(a.value + b.value, a.error + b.error),
        Op.SUB: lambda a, b: _rounded(a.value - b.value, a.error + b.error),
        Op.MUL: lambda a, b: _rounded(a.value * b.value, abs(a.value) * b.error + abs(b.value) * a.error),
        Op.DIV: lambda a, b: _rounded(
            a.value / b.value, (a.error + abs(a.value / b.value) * b.error) / abs(b.value)
        ),
        Op.NEG: lambda a: Bounded(-a.value, a.error),
        Op.ABS: lambda a: Bounded(abs(a.value), a.error),
        Op.SQRT: lambda a: _rounded(np.sqrt(a.value), a.error / (2 * np.sqrt(a.value))),
        Op.MIN: lambda a, b: _chosen(a.value < b.value, a, b),
        Op.MAX: lambda a, b: _chosen(b.value < a.value, a, b),
        Op.SELECT: _chosen,
        Op.LT: lambda a, b: a.value < b.value,
        Op.LE: lambda a, b: a.value <= b.value,
        **{op: plain[op] for op in (Op.AND, Op.OR, Op.NOT)},
        **{op: _function(plain[op], slope) for op, slope in _SLOPES.items()},
        Op.ATAN2: _angle,
        Op.FLOOR: lambda a: Bounded(np.floor(a.value), 0 * a.error),
        Op.CELL: lambda array, x: plain[Op.CELL](array, x.value),
        Op.STEP: lambda x, last: plain[Op.STEP](x.value, last),
        Op.FLAT: plain[Op.FLAT],
        Op.LIST: Listed,
        Op.ENTRY: _entry,
        Op.REAL: lambda i: Bounded(plain[Op.REAL](i), np.float64(0)),
    }
    return NumberSystem("running error", table, _constant, lambda name: _constant(F64.named(name)))


def _entry(array: Any, index: Any, offset: int) -> Bounded:
    """An entry: a constant, or a number with its bound."""
    entry = floating(F64).table[Op.ENTRY]
    if isinstance(array, Constants):
        return Bounded(entry(array, index, offset), np.float64(0))
    parts = array.of(lambda x: x.value), array.of(lambda x: x.error)
    return Bounded(*(entry(part, index, offset) for part in parts))


def _constant(exact: Fraction | int) -> Bounded:
    return Bounded(np.float64(exact), np.float64(0))


def _rounded(value: Any, error: Any) -> Bounded:
    return Bounded(value, error + abs(value))


def _chosen(condition: Any, a: Bounded, b: Bounded) -> Bounded:
    return Bounded(np.where(condition, a.value, b.value), np.where(condition, a.error, b.error))


_SLOPES: Mapping[Op, Callable[[Any], Any]] = {
    Op.SIN: np.cos,
    Op.COS: np.sin,
    Op.TAN: lambda x: 1 + np.tan(x) ** 2,
    Op.ASIN: lambda x: 1 / np.sqrt(1 - x * x),
    Op.ACOS: lambda x: 1 / np.sqrt(1 - x * x),
    Op.EXP: np.exp,
    Op.LOG: lambda x: 1 / x,
    Op.SINH: np.cosh,
    Op.COSH: np.sinh,
    Op.TANH: lambda x: 1 - np.tanh(x) ** 2,
    Op.LOG1P: lambda x: 1 / (1 + x),
    Op.EXPM1: np.exp,
}


def _function(value: Callable[[Any], Any], slope: Callable[[Any], Any]) -> Callable[[Bounded], Bounded]:
    return lambda a: _rounded(value(a.value), abs(slope(a.value)) * a.error)


def _angle(y: Bounded, x: Bounded) -> Bounded:
    spread = (abs(x.value) * y.error + abs(y.value) * x.error) / (x.value**2 + y.value**2)
    return _rounded(np.arctan2(y.value, x.value), spread)
