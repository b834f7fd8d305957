"""guard: checks that a rewritten Program is numerically as accurate as the original.

Both are evaluated in float and in double, with bounds of their rounding errors, at the same points of the
constraint set: random ones; inputs that are nearly equal; one scalar large relative to the others, as in the
quaternion of a small angle; one part of an input zero (no offset, no velocity, no mass); inputs of a type
equal, or opposite. A result that is exact at a point must stay exact there, and no bound may grow.

Bodies are not physical when all their scalars are equal. Those of a unit quaternion depend on each other and
are rounded, so that where they are nearly equal, what cancels is round-off in any form.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from codegen.ir.domain import floats
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import F32, F64, Precision, floating
from codegen.ir.types import Array, Component, Draw, Real, Value, edges, sample, size
from codegen.modeling.types.algebra import (
    ArticulatedInertia,
    CentralInertia,
    Inertia,
    InertiaTensor,
    Mat3,
    Quaternion,
    Rotation,
    SymMat3,
    UnitInertia,
    UnitQuaternion,
    Vec3,
)
from codegen.passes.search.growth import within_range
from codegen.passes.search.magnitudes import keeps_magnitudes
from codegen.passes.search.rounding import Bounded, running_error

_LEEWAY = 8
"""The factor by which an error bound may grow: bounds of good forms differ, those of a bad one far more."""

Floats: TypeAlias = NDArray[Any]
Point: TypeAlias = list[list[float]]
"""The scalars of each argument."""


def trustworthy(candidate: Program, original: Program) -> bool:
    """Whether the candidate is no less accurate than the original, and needs no larger or smaller numbers."""
    if not within_range(candidate, original):
        return False
    points = _points(original.inputs)
    if not keeps_magnitudes(candidate, original, points[:, 0]):
        return False
    with np.errstate(all="ignore"):
        return _accurate(candidate, original, points) and _exact(candidate, original, points)


def _accurate(candidate: Program, original: Program, points: Floats) -> bool:
    """Whether no bound on a result's rounding error has grown beyond the factor."""

    def bounds(program: Program) -> list[Bounded]:
        return evaluate(program, running_error(), [Bounded(row, 0 * row) for row in points]).results

    before, after = bounds(original), bounds(candidate)
    for group in _judged_together(original.outputs):
        largest = np.max(np.broadcast_arrays(*(before[i].error for i in group)), axis=0)
        for i in group:
            allowed = _LEEWAY * largest + abs(before[i].value)
            if np.any((after[i].error > allowed) & np.isfinite(allowed)):
                return False
    return True


def _judged_together(outputs: Iterable[Arg]) -> Iterator[range]:
    """The groups of results that are judged by their largest error: the elements of a matrix, which a
    congruence mixes. Any other result is a group, as small components of a rotation matter by themselves.
    """
    first = 0
    for output in outputs:
        for offset, component in _parts(output.type):
            start = first + offset
            if _is_mixed(component):
                yield range(start, start + size(component))
            elif not _parted(component):
                yield from (range(i, i + 1) for i in range(start, start + size(component)))
        first += output.size


def _is_mixed(component: Component) -> bool:
    return (
        isinstance(component, type)
        and issubclass(component, (Mat3, SymMat3))
        and not issubclass(component, Rotation)
    )


def _exact(candidate: Program, original: Program, points: Floats) -> bool:
    """Whether each result is exact, that is the same in float and in double, wherever it was exact.

    Nothing can be said of Programs with a constant that a float cannot hold.
    """

    def results(program: Program, precision: Precision) -> Floats:
        rows = evaluate(program, floating(precision), list(points.astype(_KINDS[precision.name]))).results
        return np.array([np.broadcast_to(row, points.shape[1:]) for row in rows], dtype=np.float64)

    try:
        before, truth, after = results(original, F32), results(original, F64), results(candidate, F32)
    except OverflowError:
        return False
    return not np.any((before == truth) & (after != before))


_KINDS: dict[str, Any] = {"f32": np.float32, "f64": np.float64}


# The points


def _points(inputs: tuple[Arg, ...]) -> Floats:
    """The scalars of all arguments by point, each a float."""
    return (
        np.array([[x for scalars in point for x in scalars] for point in _chosen(inputs)])
        .T.astype(np.float32)
        .astype(np.float64)
    )


@cache
def _chosen(inputs: tuple[Arg, ...]) -> list[Point]:
    source = random.Random("guard")
    wide = _long(source)

    def alike() -> Draw:
        return lambda: 1 + wide() / 4096

    def one_large() -> Draw:
        large = iter([Fraction(1)])
        return lambda: next(large, wide() / 4096)

    def point(draw: Callable[[], Draw], as_usual: tuple[type, ...] = _BODIES) -> Point:
        return [_numbers(_scalars(a.type, draw(), wide, as_usual)) for a in inputs]

    usual = [point(lambda: wide) for _ in range(3)]
    return [
        *usual,
        *_without_a_part(inputs, usual[0]),
        *(twin for original in usual for twin in _twins(inputs, original)),
        *(p for _ in range(2) for p in (point(alike, (*_BODIES, UnitQuaternion)), point(one_large))),
    ]


def _scalars(component: Component, draw: Draw, usual: Draw, as_usual: tuple[type, ...]) -> list[Any]:
    """The scalars of a value by `draw`, except for parts of the types that are drawn `as_usual`."""
    if isinstance(component, type) and issubclass(component, as_usual):
        return sample(component, usual)
    if not _parted(component):
        return sample(component, draw)
    return [x for part in component.layout.values() for x in _scalars(part, draw, usual, as_usual)]


def _long(source: random.Random) -> Draw:
    """Random numbers that fill a float's digits, so that few results are exact by chance."""
    coarse = floats(source)
    return lambda: coarse() + Fraction(source.randrange(1, 1024), 2**22)


def _numbers(scalars: list[Any]) -> list[float]:
    return [float(x) for x in scalars]


def _without_a_part(inputs: tuple[Arg, ...], point: Point) -> Iterator[Point]:
    """The points with one argument, or one part of it, zero, except for rotations."""
    for k, argument in enumerate(inputs):
        for start, component in _parts(argument.type):
            zero = [0.0] * size(component)
            if zero in edges(component):
                changed = [*point[k][:start], *zero, *point[k][start + len(zero) :]]
                yield [*point[:k], changed, *point[k + 1 :]]


def _twins(inputs: tuple[Arg, ...], point: Point) -> Iterator[Point]:
    """The point with the arguments of each type equal to the first of them, or opposite to it."""
    first = {a.type: k for k, a in reversed(list(enumerate(inputs)))}
    again = [k for k, a in enumerate(inputs) if first[a.type] != k][:_MOST_TWINS]
    for signs in product((1, -1), repeat=len(again)) if again else ():
        changed = list(point)
        for k, sign in zip(again, signs, strict=True):
            constrained = _is_constrained(inputs[k].type)
            changed[k] = [x if constrained else sign * x for x in point[first[inputs[k].type]]]
        yield changed


_MOST_TWINS = 3


def _parts(component: Component) -> Iterator[tuple[int, Component]]:
    """The type and those of its components, each with where it begins."""
    yield 0, component
    if not _parted(component):
        return
    first = 0
    for part in component.layout.values():
        yield from ((first + offset, inner) for offset, inner in _parts(part))
        first += size(part)


def _parted(component: Component) -> TypeGuard[type[Value]]:
    """Whether the type's components have a meaning of their own."""
    leaves = (Vec3, Mat3, SymMat3, Quaternion)
    return not isinstance(component, (Real, Array)) and not issubclass(component, leaves)


def _is_body(component: Component) -> bool:
    """Whether the type is that of a body's inertia."""
    return isinstance(component, type) and issubclass(component, _BODIES)


def _is_constrained(component: Component) -> bool:
    """Whether the type's opposite is not of the type."""
    if isinstance(component, Real):
        return component.positive
    return _is_body(component) or (isinstance(component, type) and issubclass(component, Rotation))


_BODIES = (InertiaTensor, Inertia, CentralInertia, UnitInertia, ArticulatedInertia)
