"""Numbers as sums of two doubles, about 31 digits, column by column, from operations that IEEE 754 defines.

The sums and products are those of Dekker (1971) and of Hida, Li and Bailey, Algorithms for quad-double
precision floating point arithmetic (2001). What is called rarely is taken from mpmath, number by number.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, TypeVar

import numpy as np

from codegen.ir.arrays import Constants, Listed
from codegen.ir.operations import LIBM, Op, Sort
from codegen.ir.systems import F64, PI_60, NumberSystem, multiprecision

_DIGITS = 32
_PARTS = 512
"""The parts of half a turn at whose ends sine and cosine are tabulated."""
_FARTHEST = 1e9
"""Larger angles are reduced by mpmath."""


@dataclass(frozen=True, eq=False)
class Pair:
    """The sum of two doubles or columns of them, of which the second is below half an ulp of the first."""

    high: Any
    low: Any

    def __add__(self, other: Pair) -> Pair:
        high, low = _sum(self.high, other.high)
        second, third = _sum(self.low, other.low)
        high, low = _ordered(high, low + second)
        return _pair(high, low + third)

    def __neg__(self) -> Pair:
        return Pair(-self.high, -self.low)

    def __sub__(self, other: Pair) -> Pair:
        return self + -other

    def __mul__(self, other: Pair) -> Pair:
        high, low = _product(self.high, other.high)
        return _pair(high, low + (self.high * other.low + self.low * other.high))

    def __truediv__(self, other: Pair) -> Pair:
        first = self.high / other.high
        rest = self - other * pair(first)
        second = rest.high / other.high
        third = (rest - other * pair(second)).high / other.high
        return _pair(*_ordered(first, second)) + pair(third)


def pair(high: Any) -> Pair:
    """A double, or a column of them."""
    return Pair(high, np.zeros_like(high))


def exact(number: Fraction) -> Pair:
    """The pair nearest to an exact number."""
    try:
        high = float(number)
        return Pair(np.float64(high), np.float64(float(number - Fraction(high))))
    except OverflowError:
        return pair(np.float64("inf") if number > 0 else np.float64("-inf"))


def _pair(high: Any, low: Any) -> Pair:
    """The pair of a number and what it lacks; where it is not finite, it lacks nothing."""
    first, second = _ordered(high, low)
    finite = np.isfinite(second)
    if finite.all():
        return Pair(first, second)
    return Pair(np.where(finite, first, high), np.where(finite, second, 0.0))


def _ordered(a: Any, b: Any) -> tuple[Any, Any]:
    """The rounded sum and its error, where the first number is the larger one."""
    total = a + b
    return total, b - (total - a)


def _sum(a: Any, b: Any) -> tuple[Any, Any]:
    """The rounded sum and its error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _product(a: Any, b: Any) -> tuple[Any, Any]:
    """The rounded product and its error."""
    total = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return total, ((a_high * b_high - total) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a: Any) -> tuple[Any, Any]:
    """A number as the sum of two of 26 bits."""
    part = a * 134217729.0
    high = part - (part - a)
    return high, a - high


def _root(a: Pair) -> Pair:
    """The square root, by one step of Newton's iteration from the rounded one."""
    first = np.sqrt(a.high)
    rest = (a - pair(first) * pair(first)).high
    return _pair(first, np.where(first > 0, rest / np.where(first > 0, 2 * first, 1.0), 0.0))


def _below(a: Pair, b: Pair) -> Any:
    return (a.high < b.high) | ((a.high == b.high) & (a.low < b.low))


def _chosen(condition: Any, a: Pair, b: Pair) -> Pair:
    return Pair(np.where(condition, a.high, b.high), np.where(condition, a.low, b.low))


_REMEMBERED = 16
"""Columns for which the values of a function are kept."""

T = TypeVar("T")


def _remembered(function: Callable[..., T]) -> Callable[..., T]:
    """The function, whose last values are kept.

    A sine goes with a cosine of the same angle, and both precisions, the reference and the bound begin with
    the same inputs.
    """

    @lru_cache(_REMEMBERED)
    def known(*parts: tuple[bytes, tuple[int, ...]]) -> T:
        columns = [np.frombuffer(numbers).reshape(shape) for numbers, shape in parts]
        return function(*map(Pair, columns[::2], columns[1::2]))

    def value(*args: Pair) -> T:
        columns = (np.asarray(column, np.float64) for a in args for column in (a.high, a.low))
        return known(*((column.tobytes(), column.shape) for column in columns))

    return value


# Sine, cosine and the angle of a vector


@cache
def _tables() -> tuple[Pair, Pair]:
    """Sine and cosine of the ends of the parts of a whole turn."""
    fine = multiprecision(F64, 2 * _DIGITS)
    part = fine.constant(PI_60) / _PARTS
    sines, cosines = (
        [_of_multiprecision(fine.table[op](part * k)) for k in range(2 * _PARTS)] for op in (Op.SIN, Op.COS)
    )
    return _column(sines), _column(cosines)


@_remembered
def _sine_and_cosine(x: Pair) -> tuple[Pair, Pair]:
    """The values at the nearest end of a part, turned by the rest, whose series has four terms."""
    sines, cosines = _tables()
    count, rest = np.rint(x.high * (_PARTS / np.pi)), x
    for share in _shares():
        rest = rest - Pair(*_product(count, share))
    square = rest * rest
    z = square.high
    sine = rest + rest * square * (exact(Fraction(-1, 6)) + pair(z * (1 / 120 - z / 5040 * (1 - z / 72))))
    cosine = exact(Fraction(1)) + square * (
        pair(z * (1 / 24 - z / 720 * (1 - z / 56))) - exact(Fraction(1, 2))
    )
    place = count.astype(np.int64) % (2 * _PARTS)
    s, c = (Pair(t.high[place], t.low[place]) for t in (sines, cosines))
    return s * cosine + c * sine, c * cosine - s * sine


@cache
def _shares() -> tuple[float, float, float]:
    """A part of half a turn as the sum of three doubles."""
    whole = PI_60 / _PARTS
    first = float(whole)
    second = float(whole - Fraction(first))
    return first, second, float(whole - Fraction(first) - Fraction(second))


@_remembered
def _angle(y: Pair, x: Pair) -> Pair:
    """The rounded angle, corrected by that between its direction and the vector."""
    first = np.arctan2(y.high, x.high)
    sine, cosine = _sine_and_cosine(pair(first))
    across, along = y * cosine - x * sine, x * cosine + y * sine
    return _pair(first, across.high / np.where(along.high > 0, along.high, np.nan))


def _near(op: Op, near: Callable[[Pair], Pair]) -> Callable[[Pair], Pair]:
    """A function whose values at large numbers are taken from mpmath."""
    far = _number_by_number(op)

    def value(x: Pair) -> Pair:
        is_far = ~(np.abs(x.high) <= _FARTHEST)
        found = near(_chosen(is_far, pair(np.zeros_like(x.high)), x))
        if not is_far.any():
            return found
        columns = np.array([found.high, found.low])  # near() keeps its own for the same angles
        beyond = far(Pair(x.high[is_far], x.low[is_far]))
        columns[:, is_far] = beyond.high, beyond.low
        return Pair(*columns)

    return value


# What mpmath computes


def _number_by_number(op: Op) -> Callable[..., Any]:
    """An operation on mpmath's numbers, for columns; no number where it has no value."""
    function = multiprecision(F64, _DIGITS).table[op]

    def value(*args: Any) -> Any:
        try:
            return function(*args)
        except (ValueError, ZeroDivisionError, OverflowError):
            return multiprecision(F64, _DIGITS).constant(Fraction(0)) * float("nan")

    over = np.frompyfunc(value, len(op.arguments), 1)

    def column(*args: Any) -> Any:
        found = over(*(_multiprecision(a) if isinstance(a, Pair) else a for a in args))
        return _of_multiprecision(found) if op.result is Sort.REAL else found

    return _remembered(column) if op in LIBM else column


def _listed(about: Constants, *columns: Pair) -> Any:
    """A column of arrays that are known at run time only."""
    spread = np.broadcast_arrays(*map(_multiprecision, columns))
    found = np.empty(spread[0].shape, object)
    for i in np.ndindex(found.shape):
        found[i] = Listed(about, *(column[i] for column in spread))
    return found


def _multiprecision(a: Pair) -> Any:
    zero = multiprecision(F64, _DIGITS).constant(Fraction(0))
    return (np.asarray(a.high, object) + zero) + (np.asarray(a.low, object) + zero)


def _of_multiprecision(numbers: Any) -> Pair:
    high = np.asarray(numbers, np.float64)
    return _pair(high, np.asarray(numbers - high.astype(object), np.float64))


def _column(numbers: list[Pair]) -> Pair:
    return Pair(np.array([n.high for n in numbers]), np.array([n.low for n in numbers]))


@cache
def pairs() -> NumberSystem:
    """The pairs, with the limits of double."""
    native: dict[Op, Callable[..., Any]] = {
        Op.ADD: operator.add, Op.SUB: operator.sub, Op.MUL: operator.mul, Op.DIV: operator.truediv,
        Op.NEG: operator.neg, Op.SQRT: _root,
        Op.ABS: lambda a: _chosen(a.high < 0, -a, a),
        Op.MIN: lambda a, b: _chosen(_below(a, b), a, b),
        Op.MAX: lambda a, b: _chosen(_below(b, a), a, b),
        Op.LT: _below,
        Op.LE: lambda a, b: (a.high < b.high) | ((a.high == b.high) & (a.low <= b.low)),
        Op.AND: np.logical_and, Op.OR: np.logical_or, Op.NOT: np.logical_not, Op.SELECT: _chosen,
        Op.SIN: _near(Op.SIN, lambda x: _sine_and_cosine(x)[0]),
        Op.COS: _near(Op.COS, lambda x: _sine_and_cosine(x)[1]),
        Op.ATAN2: _angle, Op.LIST: _listed,
    }  # fmt: skip
    rare = {op: _number_by_number(op) for op in multiprecision(F64, _DIGITS).table if op not in native}
    return NumberSystem("pairs", {**rare, **native}, exact, lambda name: exact(F64.named(name)))
