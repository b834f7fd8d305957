"""Evaluates a function in the arithmetic of its C types, on many inputs at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from codegen.ir.operations import LIBM, Op, Sort
from codegen.ir.rewriting import depth_first
from codegen.ir.systems import F64, floating
from codegen.review.diff.reading import Held, Reading

Points = Any
"""An array of inputs: one row for each scalar, one column for each point."""

_TYPES: Mapping[Held, Any] = {
    Held.TRUTH: np.dtype(np.bool_),
    Held.INT: np.dtype(np.float64),
    Held.FLOAT: np.dtype(np.float32),
    Held.DOUBLE: np.dtype(np.float64),
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


def run(reading: Reading, points: Points) -> Run:
    """The function's values at the points."""
    return _run(reading, points, lambda k, found: found)


def value_of(reading: Reading, node: int, points: Points) -> Any:
    """The value of a node at the points; nothing is computed that it does not need."""
    return np.broadcast_to(values_below(reading, [node], points)[node], points.shape[1])


def values_below(reading: Reading, nodes: Sequence[int], points: Points) -> Mapping[int, Any]:
    """The values at the points of some nodes, and of those that they need, by their numbers."""
    with np.errstate(all="ignore"):
        values = dict[int, Any]()
        for i, step in _steps_to(Itself(reading), tuple(nodes)):
            values[i] = _held(_done(step, values, points), step)
    return values


def inputs_below(reading: Reading, node: int) -> list[int]:
    """The scalars of inputs on which a value depends."""
    nodes = reading.program.nodes
    below = depth_first([node], lambda i: nodes[i].args)
    return sorted(int(str(nodes[n].value)) for n in below if nodes[n].op is Op.INPUT)


def run_nearby(reading: Reading, points: Points, ways: Sequence[tuple[int, int]]) -> Run:
    """The function's values at the points, once for each of the ways, all of one way beside each other.

    A way gives the ulp that are added to the results of sin, cos ..., in turn: libraries differ by that much.
    """
    shifts = np.repeat(np.array(ways, dtype=float), points.shape[1], axis=0).T

    def moved(k: int, found: Any) -> Any:
        ulp = shifts[k % 2]
        towards = np.where(ulp == 0, found, (ulp * np.inf).astype(found.dtype))
        return np.nextafter(found, towards)

    return _run(reading, np.tile(points, len(ways)), moved)


def values_within(reading: Reading, points: Points, limits: Mapping[int, Callable[[Any], Any]]) -> list[Any]:
    """The values of all nodes, where the last operands of some operations are moved into limits."""
    values = list[Any]()
    with np.errstate(all="ignore"):
        for i, step in enumerate(_steps(Itself(reading))):
            _, function, args, kind, _ = step
            if i in limits:
                *others, last = (values[a] for a in args)
                values.append(_held(function(*others, limits[i](last).astype(kind)), step))
            else:
                values.append(_held(_done(step, values, points), step))
    return values


def _run(reading: Reading, points: Points, moved: Callable[[int, Any], Any]) -> Run:
    """The function's values; `moved` takes the number of a function of <math.h>, and its results."""
    values, count, columns = list[Any](), 0, points.shape[1]
    with np.errstate(all="ignore"):
        for step in _steps(Itself(reading)):
            found = _done(step, values, points)
            if step[0] in LIBM:
                found = moved(count, found)
                count += 1
            values.append(_held(found, step))
        results = np.empty((len(reading.program.results), columns))
        for i, node in enumerate(reading.program.results):
            results[i] = values[node]
        status = np.zeros(columns, dtype=np.int64)
        for node, flag in reading.program.status:
            status |= np.where(values[node], 0, int(flag))
    return Run(values, results, status)


def _done(step: _Step, values: Any, points: Points) -> Any:
    """The result of an operation, given the values of its operands by their numbers."""
    op, function, args, _, _ = step
    if len(args) == 2:  # as most have
        left, right = args
        return function(values[left], values[right])
    if args:
        return function(*[values[a] for a in args])
    return points[function] if op is Op.INPUT else function


def _held(found: Any, step: _Step) -> Any:
    """The result in the type in which it is held."""
    _, _, _, kind, is_whole = step
    if kind is not None:
        found = np.asarray(found, kind)
    return np.trunc(found) if is_whole else found


class Itself:
    """A reading as a key: that very object, not one that is equal."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def __hash__(self) -> int:
        return id(self.reading)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.reading is self.reading


_Step: TypeAlias = tuple[Op, Any, tuple[int, ...], Any, bool]
"""An operation, its function or value, its operands, the type of its result, and whether that is an integer.

The value of an input is the number of the scalar. What is no number and no truth has no type here.
"""


@lru_cache(8)  # a function is evaluated a hundred times, at other points each time
def _steps(key: Itself) -> list[_Step]:
    """The nodes of a Program with what is done for each."""
    steps = list[_Step]()
    for (op, args, value), held in zip(key.reading.program.nodes, key.reading.held, strict=True):
        is_held = op.result in (Sort.REAL, Sort.BOOLEAN)
        what: Any = value
        if op is Op.CONSTANT:
            what = np.asarray(nearest(Fraction(value or 0)), _TYPES[held])
        elif args:
            what = _as_library(_TABLE[op]) if op in LIBM else _TABLE[op]
        steps.append((op, what, args, _TYPES[held] if is_held else None, is_held and held is Held.INT))
    return steps


@lru_cache(8)
def _steps_to(key: Itself, nodes: tuple[int, ...]) -> list[tuple[int, _Step]]:
    """The nodes on which some depend, and these, with what is done for each."""
    alive, open_ = set[int](), [*nodes]
    while open_:
        here = open_.pop()
        if here not in alive:
            alive.add(here)
            open_ += key.reading.program.nodes[here].args
    steps = _steps(key)
    return [(i, steps[i]) for i in sorted(alive)]


def nearest(exact: Fraction) -> float:
    """The constant as a double; infinite beyond the range. What a float holds, a double holds exactly."""
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


def _as_library(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of <math.h>: evaluated in double and rounded once, as good libraries do in float, too."""

    def value(*args: Any) -> Any:
        kind = np.result_type(*args)
        return function(*(np.asarray(a, np.float64) for a in args)).astype(kind)

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
