"""Random values and edge cases of the types, as lists of scalars in C order.

Values are drawn without roots: a unit quaternion is u^2 / |u|^2, a rotation is that of such a quaternion, an
inertia is that of a few point masses. They are exact wherever `draw` gives exact scalars.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from codegen.ir.types import POSITIVE, Draw, sample

EARTH = 6_400_000
"""About the Earth's radius, m."""

RIGHT_ANGLE = Fraction(math.pi / 2)
NEAR = (Fraction(1, 10), Fraction(1, 2**10), Fraction(1, 2**14))
"""Distances from a singularity: at the last, float has lost half its digits."""

HALF_TURNS: list[list[Any]] = [
    [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, Fraction(3, 5), Fraction(4, 5), 0],
    [0, Fraction(1, 3), Fraction(2, 3), Fraction(2, 3)], [1, 0, 0, 0],
]  # fmt: skip
"""Half turns about the axes and about oblique axes, and the identity."""

_UPRIGHT: list[list[Any]] = [
    [Fraction(1, 2), sign * Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)] for sign in (-1, 1)
]
"""Permutations of the axes, which include gimbal locks of every sequence of Tait-Bryan angles."""


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
    """A random rotation matrix: that of a random unit quaternion."""
    return rotation_of(unit_quaternion(draw))


def body(draw: Draw) -> list[Any]:
    """[xx, xy, xz, yy, yz, zz] of a random body about its centre of mass: sum of m ((r.r) 1 - r r^T)."""
    total: list[Any] = [0] * 6
    for _ in range(4):
        (m,), r = sample(POSITIVE, draw), [draw() for _ in range(3)]
        total = [a + b for a, b in zip(total, point_mass(m, r), strict=True)]
    return total


def point_mass(m: Any, r: Sequence[Any]) -> list[Any]:
    """The inertia of a point mass at r: m ((r.r) 1 - r r^T)."""
    x, y, z = r
    xx, yy, zz = x * x, y * y, z * z
    return [m * (yy + zz), -m * (x * y), -m * (x * z), m * (xx + zz), -m * (y * z), m * (xx + yy)]


def inertia(draw: Draw) -> list[Any]:
    """[m, m c, J] of a random body about the origin."""
    (m,), c = sample(POSITIVE, draw), [draw() for _ in range(3)]
    J = [a + b for a, b in zip(body(draw), point_mass(m, c), strict=True)]
    return [m, *(m * x for x in c), *J]


def unit_inertia(draw: Draw) -> list[Any]:
    """[m, c, J / m] of a random body about the origin."""
    m, *others = inertia(draw)
    return [m, *(x / m for x in others)]


def articulated(draw: Draw) -> list[Any]:
    """[J, H, M] of a random positive definite 6x6 matrix: a rigid body's plus dyads u u^T."""
    m, hx, hy, hz, *J = inertia(draw)
    H, M = [0, -hz, hy, hz, 0, -hx, -hy, hx, 0], [m, 0, 0, m, 0, m]
    upper = (0, 1, 2, 4, 5, 8)
    for _ in range(3):  # so that all 21 elements are independent
        a, b = [draw() for _ in range(3)], [draw() for _ in range(3)]
        aa, bb, ab = ([x * y for x in u for y in v] for u, v in ((a, a), (b, b), (a, b)))
        J = [s + aa[i] for s, i in zip(J, upper, strict=True)]
        H = [s + t for s, t in zip(H, ab, strict=True)]
        M = [s + bb[i] for s, i in zip(M, upper, strict=True)]
    return [*J, *H, *M]


def quaternion_edges() -> list[list[Any]]:
    """Unit quaternions: half turns, gimbal locks of Euler angles, and nearly half turns."""
    exact: list[list[Any]] = [list(q) for q in (*HALF_TURNS, *_UPRIGHT)]
    return exact + [_nearly_half_turn(x) for x in NEAR]


def rotation_edges() -> list[list[Any]]:
    """The matrices of those quaternions, and attitudes pitched up to near the vertical."""
    pitched = [_pitched(x) for x in (Fraction(0), *NEAR)]
    return [rotation_of(q) for q in quaternion_edges()] + pitched


def _nearly_half_turn(t: Fraction) -> list[Any]:
    """A rotation about an oblique axis, the tangent of whose half angle is 1/t."""
    scale = 1 / (1 + t * t)
    w, s = 2 * t * scale, (1 - t * t) * scale
    return [w, s * Fraction(2, 3), -s * Fraction(1, 3), s * Fraction(2, 3)]


def rotation_of(q: Sequence[Any]) -> list[Any]:
    """The rotation matrix of a unit quaternion."""
    w, x, y, z = q
    return [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip


def _pitched(t: Fraction) -> list[Any]:
    """Attitudes pitched up to near the vertical, after a yaw."""
    scale = 1 / (1 + t * t)
    c, s = 2 * t * scale, (1 - t * t) * scale
    up: list[Any] = [c, 0, s, 0, 1, 0, -s, 0, c]
    turned: list[Any] = [Fraction(4, 5), Fraction(-3, 5), 0, Fraction(3, 5), Fraction(4, 5), 0, 0, 0, 1]
    rows = [turned[3 * i : 3 * i + 3] for i in range(3)]
    return [sum(a * up[3 * k + j] for k, a in enumerate(row)) for row in rows for j in range(3)]
