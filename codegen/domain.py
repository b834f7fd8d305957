"""Points of a kernel's constraint set: where its arguments may lie, in any number system.

A rotation is orthonormal, an attitude a unit quaternion, a mass positive, an inertia that of a body.
Given a source of scalars, `sample` makes such values without roots, so that it works on exact numbers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from codegen.algebra import (
    Angles,
    ArticulatedInertia,
    CentralInertia,
    Component,
    Force,
    Geocentric,
    Inertia,
    InertiaTensor,
    Mat3,
    Motion,
    Quaternion,
    Real,
    Rodrigues,
    Rotation,
    RotationVector,
    SymMat3,
    Transform,
    UnitInertia,
    UnitQuaternion,
    Vec3,
    size,
)
from codegen.program import Arg
from codegen.ranges import inside

Draw: TypeAlias = Callable[[], Any]


EARTH = 6_400_000
"""About the Earth's radius, m."""


def sample(component: Component, draw: Draw) -> list[Any]:
    """The scalars of a random value of the type; `draw` gives scalars without constraint."""
    if isinstance(component, Real):
        x = draw()
        return [x * x + 1] if component.positive else [x]
    if isinstance(component, type):
        if issubclass(component, Rotation):
            return rotation(draw)
        if issubclass(component, UnitQuaternion):
            return unit_quaternion(draw)
        if issubclass(component, Quaternion):  # its norm is rational, too
            scale = draw()
            return [scale * x for x in unit_quaternion(draw)]
        if issubclass(component, InertiaTensor):
            return central_inertia(draw).scalars()
        if issubclass(component, Inertia):
            return inertia(draw).scalars()
        if issubclass(component, UnitInertia):
            return unit_inertia(draw)
        if issubclass(component, Geocentric):
            return [EARTH * draw() for _ in range(3)]
        if issubclass(component, ArticulatedInertia):
            return articulated(draw)
        if not issubclass(component, (Vec3, Mat3, SymMat3)):
            return [s for part in component.layout.values() for s in sample(part, draw)]
    return [draw() for _ in range(size(component))]


def _quaternion_product(p: Sequence[Any], q: Sequence[Any]) -> list[Any]:
    a, b, c, d = p
    w, x, y, z = q
    return [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]


def unit_quaternion(draw: Draw) -> list[Any]:
    """u^2 / |u|^2 of a random quaternion u: unit, and rational where u is."""
    u = [draw() for _ in range(4)]
    norm = sum(x * x for x in u[1:]) + u[0] * u[0]
    return [x / norm for x in _quaternion_product(u, u)]


def rotation(draw: Draw) -> list[Any]:
    """A random rotation matrix: its columns are the axes, turned by a random unit quaternion."""
    q = unit_quaternion(draw)
    conjugate = [q[0], -q[1], -q[2], -q[3]]
    columns = [
        _quaternion_product(_quaternion_product(q, axis), conjugate)[1:]
        for axis in ((0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    ]
    return [column[i] for i in range(3) for column in columns]


def central_inertia(draw: Draw) -> InertiaTensor:
    """The inertia about the centre of mass of a random body: sum of m ((r.r) 1 - r r^T)."""
    total = InertiaTensor.isotropic(0)
    for _ in range(4):
        m, r = sample(Real(positive=True), draw)[0], Vec3(draw(), draw(), draw())
        total = total + _point_mass(m, r)
    return total


def _point_mass(m: Any, r: Vec3) -> InertiaTensor:
    xx, yy, zz = r.x * r.x, r.y * r.y, r.z * r.z
    return InertiaTensor(
        m * (yy + zz), -m * (r.x * r.y), -m * (r.x * r.z),
        m * (xx + zz), -m * (r.y * r.z), m * (xx + yy),
    )  # fmt: skip


def inertia(draw: Draw) -> Inertia:
    """The spatial inertia of a random body about the origin."""
    m, c = sample(Real(positive=True), draw)[0], Vec3(draw(), draw(), draw())
    return Inertia(m, m * c, central_inertia(draw) + _point_mass(m, c))


def unit_inertia(draw: Draw) -> list[Any]:
    """The unit inertia of a random body about the origin."""
    m, *others = inertia(draw).scalars()
    return [m, *(x / m for x in others)]


def articulated(draw: Draw) -> list[Any]:
    """A random positive definite 6x6 matrix: a rigid body's plus u u^T, as hanging bodies give."""
    body, a, b = inertia(draw), [draw() for _ in range(3)], [draw() for _ in range(3)]
    J, M, H = ([x * y for x in u for y in v] for u, v in ((a, a), (b, b), (a, b)))
    upper = (0, 1, 2, 4, 5, 8)
    J = [s + J[i] for s, i in zip(body.J.scalars(), upper, strict=True)]
    H = [s + t for s, t in zip(Mat3.skew(body.h).m, H, strict=True)]
    M = [s + M[i] for s, i in zip(SymMat3.isotropic(body.m).scalars(), upper, strict=True)]
    return [*J, *H, *M]


def floats(source: random.Random, span: float = 2.0) -> Draw:
    """Random floats, as exact fractions of a few decimals, so that products stay small."""
    return lambda: Fraction(round(source.uniform(-span, span) * 4096) or 1, 4096)


Case: TypeAlias = list[Fraction]
"""The flattened inputs of one call, exact."""


def cases(inputs: Sequence[Arg], count: int, seed: str) -> Iterator[Case]:
    """Random, then adversarial, then edge cases, the same for the same seed, inside of declared ranges."""
    source = random.Random(seed)
    for _ in range(count):
        yield [s for a in inputs for s in sample_of(a, floats(source))]
    for scale in (Fraction(1, 1000), Fraction(1000)):
        for _ in range(max(1, count // 8)):
            yield [s for a in inputs for s in sample_of(a, _mixed(source, scale))]
    for k, argument in enumerate(inputs):
        for edge in edges_of(argument):
            values = [edge if i == k else sample_of(a, floats(source)) for i, a in enumerate(inputs)]
            yield [Fraction(s) for value in values for s in value]
    yield [Fraction(s) for a in inputs for s in edges_of(a)[0]]
    if any(a.ends for a in inputs):
        for _ in range(max(1, count // 4)):
            yield [s for a in inputs for s in _corner(a, source)]


def sample_of(argument: Arg, draw: Draw) -> list[Any]:
    """The scalars of a random value of an argument, inside of its range if one is declared."""
    return [inside(ends, draw()) for ends in argument.ends] or sample(argument.type, draw)


def edges_of(argument: Arg) -> list[list[Any]]:
    """The ends of an argument's range and the edges of its type that lie inside; all without a range."""
    ends, found = argument.ends, edges(argument.type)
    if not ends:
        return found
    within = [e for e in found if all(low <= x <= high for x, (low, high) in zip(e, ends, strict=True))]
    return [list(side) for side in zip(*ends, strict=True)] + within


def _corner(argument: Arg, source: random.Random) -> list[Any]:
    """A value with each scalar at an end of its range; any value without a range."""
    return [source.choice(ends) for ends in argument.ends] or sample(argument.type, floats(source))


def _mixed(source: random.Random, scale: Fraction) -> Draw:
    """Scalars of very different size, which cancel badly."""
    plain = floats(source)
    return lambda: plain() * scale ** source.choice((-1, 0, 0, 1))


_HALF_TURNS: list[list[Any]] = [
    [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, Fraction(3, 5), Fraction(4, 5), 0],
    [0, Fraction(1, 3), Fraction(2, 3), Fraction(2, 3)], [1, 0, 0, 0],
]  # fmt: skip
_UPRIGHT: list[list[Any]] = [
    [Fraction(1, 2), sign * Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)] for sign in (-1, 1)
]
"""Each axis onto another: between them at the lock of every sequence of Tait-Bryan angles."""

_NEAR = (Fraction(1, 10), Fraction(1, 2**10), Fraction(1, 2**14))
_RIGHT = Fraction(math.pi / 2)


def edges(component: Component) -> list[list[Any]]:
    """Values of a type at which formulas break: zeros, half turns, right angles, thin and empty bodies."""
    n = size(component)
    zero: list[Any] = [0] * n
    if isinstance(component, Real):
        return [[0], [1], [-1]]
    if not isinstance(component, type):
        return [zero]
    if issubclass(component, Rotation):
        return [_rotation_of(q) for q in _quaternion_edges()] + [_pitched(x) for x in (Fraction(0), *_NEAR)]
    if issubclass(component, UnitQuaternion):
        return _quaternion_edges()
    if component.c_name == "quat":
        return [zero, *([2 * x for x in q] for q in _quaternion_edges())]
    if issubclass(component, RotationVector):
        lengths = [*_NEAR, *map(Fraction, (1e-9, math.pi, 22 / 7, 6.0, 2 * math.pi))]
        return [zero, *([x / 3, -2 * x / 3, 2 * x / 3] for x in lengths)]
    if issubclass(component, Rodrigues):
        return [zero, [1, 0, 0], [Fraction(3, 4), Fraction(-1, 2), Fraction(1, 2)], [3, -4, 0]]
    if issubclass(component, Geocentric):
        return [
            zero, [EARTH, 0, 0], [-EARTH, 0, 0], [0, EARTH, 0], [0, 0, EARTH], [0, 0, -EARTH],
            [1000, 1, EARTH], [5 * EARTH, -EARTH, 3 * EARTH], [60_000, 0, 10_000],
        ]  # fmt: skip
    if issubclass(component, Angles):
        angles = [0, _RIGHT, -_RIGHT, *(_RIGHT - x for x in _NEAR), Fraction(math.pi), Fraction(7)]
        return [[Fraction(1, 3), a, Fraction(-5, 7)] for a in angles] + [zero]
    if issubclass(component, InertiaTensor):
        rod, disc = [0, 0, 0, 1, 0, 1], [1, 0, 0, 1, 0, 2]
        tilted = _point_mass(1, Vec3(1, 2, -1)).scalars()
        return [
            zero,
            rod,
            disc,
            tilted,
            [1, 0, 0, 1, 0, 5],
            [-1, 0, 0, 1, 0, 1],
            [1, 3, 0, 1, 0, 1],
        ]
    if issubclass(component, (CentralInertia, UnitInertia, Inertia)):
        ball, far = [1, 0, 0, 1, 0, 1], [0, 0, 2]  # far from where a mass of 1 can be
        unphysical = [[1, *far, *ball], [0, 0, 0, 0, *ball], [-1, 0, 0, 0, *ball]]
        return [zero, [1, *[0] * 9], [2, 0, 0, 0, *ball], *(unphysical if component is Inertia else [])]
    if issubclass(component, Transform):
        return [[*_rotation_of(q), 0, 0, 0] for q in _HALF_TURNS[:4]]
    if issubclass(component, (Motion, Force)):
        return [zero, [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]]
    return [zero]


def _quaternion_edges() -> list[list[Any]]:
    exact: list[list[Any]] = [list(q) for q in (*_HALF_TURNS, *_UPRIGHT)]
    return exact + [_nearly_half_turn(x) for x in _NEAR]


def _nearly_half_turn(t: Fraction) -> list[Any]:
    """About an oblique axis, with half-tangent 1/t."""
    scale = 1 / (1 + t * t)
    w, s = 2 * t * scale, (1 - t * t) * scale
    return [w, s * Fraction(2, 3), -s * Fraction(1, 3), s * Fraction(2, 3)]


def _rotation_of(q: Sequence[Any]) -> list[Any]:
    w, x, y, z = q
    return [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip


def _pitched(t: Fraction) -> list[Any]:
    """Pitched up to near the vertical, after a turn about it."""
    scale = 1 / (1 + t * t)
    c, s = 2 * t * scale, (1 - t * t) * scale
    up: list[Any] = [c, 0, s, 0, 1, 0, -s, 0, c]
    turned: list[Any] = [Fraction(4, 5), Fraction(-3, 5), 0, Fraction(3, 5), Fraction(4, 5), 0, 0, 0, 1]
    rows = [turned[3 * i : 3 * i + 3] for i in range(3)]
    return [sum(a * up[3 * k + j] for k, a in enumerate(row)) for row in rows for j in range(3)]
