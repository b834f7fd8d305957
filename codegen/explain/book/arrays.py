"""Arithmetic on columns of numbers that is the same on every machine.

A column is a NumPy array with a number for each case. Operations that IEEE defines are NumPy's; libm
functions, which differ between machines in their last bit, are taken from pairs of doubles and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from codegen.explain.book.pairs import Pair, pair, pairs
from codegen.ir.operations import LIBM, Op
from codegen.ir.systems import F32, F64, NumberSystem, Precision, floating


def dtype(precision: Precision) -> Any:
    """NumPy's type of a C precision."""
    return np.float64 if precision is F64 else np.float32


@cache
def rounded(precision: Precision) -> NumberSystem:
    """The columns of a C precision: each operation rounded once, libm calls correctly."""
    base, fine, kind = floating(precision), pairs(), dtype(precision)

    def correctly(op: Op) -> Callable[..., Any]:
        return lambda *args: np.asarray(
            fine.table[op](*(pair(np.asarray(a, np.float64)) for a in args)).high, kind
        )

    return replace(base, table={**base.table, **{op: correctly(op) for op in LIBM}})


@dataclass(frozen=True)
class Finer:
    """Reference arithmetic for a precision: a number system, and the conversion of columns into it."""

    numbers: NumberSystem
    lift: Callable[[Any], Any]


@cache
def finer(precision: Precision) -> Finer:
    """Pairs of doubles for double, double for float; eps, min and max are the precision's."""
    if precision is F64:
        return Finer(pairs(), lambda column: pair(np.asarray(column, np.float64)))
    return Finer(in_double(F32), lambda column: np.asarray(column, np.float64))


@cache
def in_double(precision: Precision) -> NumberSystem:
    """The columns of double, with eps, min and max of a precision."""
    return replace(rounded(F64), named=lambda name: np.float64(float(precision.named(name))))


def doubles(column: Any) -> Any:
    """A column in double."""
    return column.high if isinstance(column, Pair) else np.asarray(column, np.float64)


def spread(value: Any, count: int) -> Any:
    """A result with one number for each case, even where it is constant."""
    if isinstance(value, Pair):
        return Pair(spread(value.high, count), spread(value.low, count))
    return np.broadcast_to(np.asarray(value), (count,))
