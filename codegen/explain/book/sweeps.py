"""Sweeps: rows of test points through the range of an argument, and towards its singularities.

A sweep has points on an axis, and for a column of points the columns of the argument's scalars; those that
the points do not fix are random. Only operations that IEEE 754 defines exactly are used, so that plots are
identical everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from codegen.explain.book.pairs import pair, pairs
from codegen.ir.operations import Op
from codegen.ir.program import Arg
from codegen.ir.ranges import inside
from codegen.ir.types import Component, Draw, Real, Value, sample
from codegen.modeling.types.algebra import (
    Angles,
    Geocentric,
    InertiaTensor,
    Quaternion,
    Rotation,
    RotationVector,
    Transform,
    UnitQuaternion,
)
from codegen.modeling.types.samples import EARTH

Column: TypeAlias = Any
"""A number for each case."""

Scalars: TypeAlias = list[Column]

POINTS = 25
"""The number of points of a sweep."""

PI = math.pi


@dataclass(frozen=True)
class Sweep:
    """One axis: the quantity that varies, its unit, the points, and the argument's scalars at a point."""

    arg: Arg
    what: str
    unit: str
    logarithmic: bool
    points: tuple[float, ...]
    at: Callable[[Column, Draw], Scalars]

    def between(self, low: float, high: float) -> Sweep:
        """The sweep over a part of its axis."""
        return replace(self, points=_ratios(low, high) if self.logarithmic else linear(low, high))


SIZE, EITHER_SIGN = "size", "size, either sign"
"""What varies in a sweep over the size of a value, or of a scalar with both signs."""

Axis: TypeAlias = tuple[str, str, bool, tuple[float, ...], Callable[[Column, Draw], Scalars]]
"""A sweep without its argument: quantity, unit (empty for the argument's), logarithmic, points, at."""


def sweeps(arg: Arg) -> list[Sweep]:
    """The sweeps of an argument: over the range that it declares; without one over that of its type, then
    near the singularities of the type.
    """
    axes = _ranged(arg) if arg.ends else _axes(arg.type, arg.unit)
    return [
        Sweep(arg, what, unit or arg.unit.partition(";")[0], logarithmic, points, at)
        for what, unit, logarithmic, points, at in axes
    ]


def linear(first: float, last: float) -> tuple[float, ...]:
    """Points at equal distances."""
    return tuple(first + (last - first) * k / (POINTS - 1) for k in range(POINTS))


def decades(first: int, last: int) -> tuple[float, ...]:
    """Points at nearly equal ratios from 10^first to 10^last, of three digits each."""
    span = (last - first) / (POINTS - 1)
    return tuple(float(f"{10 ** (first + span * k):.2e}") for k in range(POINTS))


def _ranged(arg: Arg) -> Iterator[Axis]:
    """A sweep over the range of a scalar; several scalars start at their values nearest to zero."""
    low, high = map(float, arg.ends[0])
    if arg.size > 1:
        yield "share of the range", "1", False, linear(0, 1), _shared(arg)
    elif 0 < low <= high / _DECADES:
        yield "value", "", True, _ratios(low, high), lambda x, draw: [x]
    else:
        yield "value", "", False, linear(low, high), lambda x, draw: [x]


_DECADES = 1000
"""A positive range whose ends are this far apart is drawn on a logarithmic axis."""


def _ratios(low: float, high: float) -> tuple[float, ...]:
    """Points at nearly equal ratios between two ends, of three digits each."""
    span = math.log10(high / low) / (POINTS - 1)
    between = (float(f"{low * 10 ** (span * k):.2e}") for k in range(1, POINTS - 1))
    return (low, *(min(max(x, low), high) for x in between), high)


def _shared(arg: Arg) -> Callable[[Column, Draw], Scalars]:
    return lambda x, draw: [inside(ends, x * draw()) for ends in arg.ends]


def _axes(component: Component, unit: str) -> Iterator[Axis]:
    if isinstance(component, Real):
        yield from _scalar(component, unit)
    elif not isinstance(component, type):
        yield SIZE, "", True, decades(-6, 6), _scaled(component)
    elif issubclass(component, (Rotation, UnitQuaternion)):
        yield "angle of rotation", "rad", False, linear(0, PI), _turned(component)
        yield "distance from a half turn", "rad", True, decades(-7, 0), _short_of_half_turn(component)
    elif issubclass(component, Angles):
        yield "second angle", "rad", False, linear(-PI, PI), _second_angle(0.0, 1)
        yield "distance of the second angle from pi/2", "rad", True, decades(-7, 0), _second_angle(PI / 2, -1)
        yield "distance of the second angle from 0", "rad", True, decades(-7, 0), _second_angle(0.0, 1)
    elif issubclass(component, RotationVector):
        yield "length", "rad", False, linear(0, 2 * PI), _of_length
        yield "length", "rad", True, decades(-8, 0), _of_length
    elif issubclass(component, Geocentric):
        yield "distance from the polar axis", "m", True, decades(-3, 7), _from_axis
    elif issubclass(component, InertiaTensor):
        yield SIZE, "", True, decades(-6, 6), _scaled(component)
        yield "least principal moment over the others", "1", True, decades(-7, 0), _thin_rod
    elif issubclass(component, Transform):
        yield "length of the displacement", "m", True, decades(-6, 6), _displaced
    else:
        norm = issubclass(component, Quaternion)
        yield "norm" if norm else SIZE, "", True, decades(-6, 6), _scaled(component)


def _scalar(component: Real, unit: str) -> Iterator[Axis]:
    if component.positive:
        yield "value", "", True, decades(-6, 6), lambda x, draw: [x]
    elif unit == "s":
        yield "value", "", True, decades(-6, 0), lambda x, draw: [x]
    elif unit == "rad":
        yield "value", "", False, linear(-2 * PI, 2 * PI), lambda x, draw: [x]
    else:
        yield EITHER_SIGN, "", True, decades(-6, 6), lambda x, draw: [np.where(draw() < 0, x, -x)]


def _scaled(component: Component) -> Callable[[Column, Draw], Scalars]:
    return lambda x, draw: [x * s for s in sample(component, draw)]


def direction(draw: Draw) -> Scalars:
    """Random unit vectors."""
    v = [draw() for _ in range(3)]
    length = np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return [c / np.where(length > 0, length, 1.0) for c in v]


def _of_length(x: Column, draw: Draw) -> Scalars:
    return [x * c for c in direction(draw)]


def _cos_sin(angles: Column) -> tuple[Column, Column]:
    """Cosine and sine, rounded identically on every machine."""
    column = pair(angles)
    return pairs().table[Op.COS](column).high, pairs().table[Op.SIN](column).high


def _rotation(component: type[Value], c: Column, s: Column, draw: Draw) -> Scalars:
    """Rotations by twice the angles with these cosines and sines, about random axes."""
    x, y, z = direction(draw)
    if issubclass(component, UnitQuaternion):
        return [c, s * x, s * y, s * z]
    a, b = 2 * s * s, 2 * s * c
    return [
        1 - a * (y * y + z * z), a * x * y - b * z, a * x * z + b * y,
        a * x * y + b * z, 1 - a * (x * x + z * z), a * y * z - b * x,
        a * x * z - b * y, a * y * z + b * x, 1 - a * (x * x + y * y),
    ]  # fmt: skip


def _turned(component: type[Value]) -> Callable[[Column, Draw], Scalars]:
    def at(angle: Column, draw: Draw) -> Scalars:
        c, s = _cos_sin(angle / 2)
        return _rotation(component, c, s, draw)

    return at


def _short_of_half_turn(component: type[Value]) -> Callable[[Column, Draw], Scalars]:
    def at(distance: Column, draw: Draw) -> Scalars:
        c, s = _cos_sin(distance / 2)
        return _rotation(component, s, c, draw)

    return at


def _second_angle(start: float, sign: int) -> Callable[[Column, Draw], Scalars]:
    return lambda x, draw: [draw(), start + sign * x, draw()]


def _from_axis(distance: Column, draw: Draw) -> Scalars:
    x, y, _ = direction(draw)
    length = np.sqrt(x * x + y * y)
    return [distance * x / length, distance * y / length, EARTH * (1 + draw() / 10)]


def _thin_rod(thickness: Column, draw: Draw) -> Scalars:
    """A rod along a random axis u: 1 - u u^T, and a little about u itself."""
    x, y, z = direction(draw)
    k = 1 - thickness
    return [1 - k * x * x, -k * x * y, -k * x * z, 1 - k * y * y, -k * y * z, 1 - k * z * z]


def _displaced(length: Column, draw: Draw) -> Scalars:
    return [*sample(Rotation, draw), *_of_length(length, draw)]
