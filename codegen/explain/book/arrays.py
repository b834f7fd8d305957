"""Arithmetic on columns of numbers that is bit-identical on every machine.

A column is a NumPy array with a number for each case. Operations that IEEE defines are NumPy's; libm
functions, which differ between machines in their last bit, are taken from 25 digits and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from codegen.ir.arrays import Listed
from codegen.ir.operations import LIBM, Op
from codegen.ir.systems import F32, F64, NumberSystem, Precision, floating, multiprecision

_DIGITS = 25


def dtype(precision: Precision) -> Any:
    """NumPy's type of a C precision."""
    return np.float64 if precision is F64 else np.float32


@cache
def rounded(precision: Precision) -> NumberSystem:
    """The columns of a C precision: each operation rounded once, libm calls correctly."""
    base, fine = floating(precision), multiprecision(F64, _DIGITS)
    kind, zero = dtype(precision), fine.constant(Fraction(0))

    def correctly(op: Op) -> Callable[..., Any]:
        def value(*args: Any) -> float:
            try:
                return float(fine.table[op](*(zero + x for x in args)))
            except (ValueError, OverflowError, ZeroDivisionError):
                return float("nan")

        column = np.frompyfunc(value, len(op.arguments), 1)
        return lambda *args: np.asarray(column(*(np.asarray(a, np.float64) for a in args)), kind)

    return replace(base, table={**base.table, **{op: correctly(op) for op in LIBM}})


@dataclass(frozen=True)
class Finer:
    """Reference arithmetic for a precision: a number system, and the conversion of columns into it."""

    numbers: NumberSystem
    lift: Callable[[Any], Any]


@cache
def finer(precision: Precision) -> Finer:
    """Thirty digits for double, double for float; eps, min and max are the precision's."""
    if precision is F32:
        limits = replace(rounded(F64), named=lambda name: np.float64(float(F32.named(name))))
        return Finer(limits, lambda column: np.asarray(column, np.float64))
    exact = multiprecision(F64, 30)
    zero = exact.constant(Fraction(0))
    return Finer(_columns(exact, zero * float("nan")), lambda column: np.asarray(column, object) + zero)


def _columns(system: NumberSystem, nan: Any) -> NumberSystem:
    """A system of single numbers applied to columns; where a value does not exist, it is `nan`."""

    def total(operation: Callable[..., Any]) -> Callable[..., Any]:
        def value(*args: Any) -> Any:
            try:
                return operation(*args)
            except (ValueError, ZeroDivisionError):
                return nan

        return value

    table = {op: np.frompyfunc(total(f), len(op.arguments), 1) for op, f in system.table.items()}
    return replace(system, table={**table, Op.LIST: _listed})


def _listed(about: Any, *columns: Any) -> Any:
    """A column of arrays that are known at run time only."""
    spread = np.broadcast_arrays(*columns)
    found = np.empty(spread[0].shape, object)
    for i in np.ndindex(found.shape):
        found[i] = Listed(about, *(column[i] for column in spread))
    return found


def doubles(column: Any) -> Any:
    """A column in double, for display."""
    return np.asarray(column, np.float64)
