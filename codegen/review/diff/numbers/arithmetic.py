"""Evaluates a function in the arithmetic of its C types, on many inputs at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from typing import Any

import numpy as np

from codegen.ir.operations import LIBM, Op, Sort
from codegen.ir.systems import F64, floating
from codegen.review.diff.reading import Held, Reading

Points = Any
"""An array of inputs: one row for each scalar, one column for each point."""

_TYPES: Mapping[Held, Any] = {
    Held.TRUTH: np.bool_,
    Held.INT: np.float64,
    Held.FLOAT: np.float32,
    Held.DOUBLE: np.float64,
}

_TABLE = floating(F64).table


def scalar_type(reading: Reading) -> Any:
    """NumPy's type of a function's numbers."""
    return np.float64 if reading.precision is F64 else np.float32


@dataclass(frozen=True)
class Run:
    """The values of all nodes at all points, the results row by row, and the status."""

    values: list[Any]
    results: Any
    status: Any


def run(reading: Reading, points: Points, shifts: Sequence[int] = (0,)) -> Run:
    """The function's values at the points.

    `shifts` are added in turn to the results of sin, cos ..., in ulp: libraries differ by that much.
    """
    values: list[Any] = []
    shift = cycle(shifts)
    with np.errstate(all="ignore"):
        for (op, args, value), held in zip(reading.program.nodes, reading.held, strict=True):
            if op is Op.INPUT:
                found = points[value]
            elif op is Op.CONSTANT:
                found = np.float64(_nearest(Fraction(value or 0)))
            elif op in (Op.ARRAY, Op.WHOLE):
                values.append(value)
                continue
            elif op is Op.TRUTH:
                found = np.bool_(value)
            else:
                function = _as_library(_TABLE[op], next(shift)) if op in LIBM else _TABLE[op]
                found = function(*(values[a] for a in args))
            values.append(_held(found, held) if op.result in (Sort.REAL, Sort.BOOLEAN) else found)
        columns = points.shape[1]
        results = [np.broadcast_to(values[r], columns) for r in reading.program.results]
        status = np.zeros(columns, dtype=np.int64)
        for node, flag in reading.program.status:
            status |= np.where(values[node], 0, int(flag))
    stacked = np.array(results, dtype=np.float64) if results else np.zeros((0, columns))
    return Run(values, stacked, status)


def _nearest(exact: Fraction) -> float:
    """The constant as a double; infinite beyond the range. What a float holds, a double holds exactly."""
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


def _held(found: Any, held: Held) -> Any:
    converted = np.asarray(found, dtype=_TYPES[held])
    return np.trunc(converted) if held is Held.INT else converted


def _as_library(function: Callable[..., Any], shift: int) -> Callable[..., Any]:
    """A function of <math.h>: evaluated in double and rounded once, as good libraries do in float, too."""

    def value(*args: Any) -> Any:
        kind = np.result_type(*args)
        found = function(*(np.asarray(a, np.float64) for a in args)).astype(kind)
        return np.nextafter(found, found.dtype.type(shift * np.inf)) if shift else found

    return value


def units(reading: Reading, a: Any, b: Any) -> Any:
    """The difference of two arrays of results at each point, in ulp of an output's largest component.

    It is infinite where only one of them is NaN.
    """
    kind, worst, first = scalar_type(reading), np.zeros(a.shape[1]), 0
    with np.errstate(all="ignore"):
        for argument in reading.program.outputs:
            x, y = a[first : first + argument.size], b[first : first + argument.size]
            first += argument.size
            same = (x == y) | (np.isnan(x) & np.isnan(y))
            largest = np.fmax(np.abs(x), np.abs(y)).max(axis=0).astype(kind)
            unit = np.spacing(np.where(np.isfinite(largest), largest, np.finfo(kind).max)).astype(np.float64)
            apart = np.where(same, 0.0, np.abs(x - y) / unit)
            apart = np.where(np.isnan(apart), np.inf, apart)
            worst = np.maximum(worst, apart.max(axis=0))
    return worst


def differ(a: Run, b: Run) -> Any:
    """At which points results or status differ."""
    same = (a.results == b.results) | (np.isnan(a.results) & np.isnan(b.results))
    return ~same.all(axis=0) | (a.status != b.status)


def ordinals(points: Points) -> Any:
    """Floats as integers in the same order: neighbours are one apart."""
    kind = points.dtype.type
    bits = points.view(np.int64 if kind is np.float64 else np.int32).astype(np.int64)
    magnitude = bits & (2 ** (63 if kind is np.float64 else 31) - 1)
    return np.where(bits < 0, -magnitude, magnitude)


def halfway(low: Any, high: Any) -> Any:
    """The integers in the middle, the lower of two; the sum of two may be beyond 64 bits."""
    return (low >> 1) + (high >> 1) + (low & high & 1)


def from_ordinals(numbers: Any, kind: Any) -> Points:
    """The floats of these ordinals, the largest finite ones for those beyond."""
    most = int(ordinals(np.array([np.finfo(kind).max], dtype=kind))[0])
    limited = np.clip(numbers, -most, most)
    bits = np.abs(limited).astype(np.int64 if kind is np.float64 else np.int32)
    magnitude: Any = bits.view(kind)
    return np.where(limited < 0, -magnitude, magnitude).astype(kind)


def scalars_of(reading: Reading) -> tuple[Sequence[str], Sequence[str]]:
    """The C names of the Program's input and output scalars."""
    written = sorted(reading.signature.parameters, key=lambda p: p.written)
    inputs = [s for p in written for s in p.scalars]
    return inputs, [s for p in written if p.written for s in p.scalars]
