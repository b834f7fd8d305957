"""Exactly orthonormal rotations with rational elements, closer to the given angles than a double's
rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

from codegen.errors import FeatherError
from codegen.ir.systems import F64, PI_60, exact_of, multiprecision
from codegen.modeling.types.algebra import Mat3, SymMat3, Vec3

SNAP = Fraction(1, 10**9)
"""Angles this close to a multiple of 90 degrees, in rad, are taken for it by default."""

_MOST_SNAPPED = Fraction(1, 100)

IDENTITY = Mat3.identity()
ORIGIN = Vec3(0, 0, 0)
Z = Vec3(0, 0, 1)

_QUARTERS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_LARGEST = 2**31
_ROUNDING = Fraction(1, 2**53)
_FINE = 2**61
"""Half-tangents have denominators below the first, or the second where that is too coarse: within 2^-60."""


@dataclass
class Angles:
    """Turns angles, in rad, into exact points of the circle, and notes how far the snapped ones are off.

    An angle that a double does not tell from a multiple of 90 degrees, as 1.5707963267948966, is one: it is
    not noted.
    """

    snap: Fraction = SNAP
    snapped: int = 0
    furthest: Fraction = field(default_factory=Fraction)

    def __post_init__(self) -> None:
        if not 0 <= self.snap <= _MOST_SNAPPED:
            raise FeatherError(
                f"angles are snapped within 0 to {float(_MOST_SNAPPED):g} rad of a right angle"
            )

    def point(self, angle: Fraction) -> tuple[Fraction, Fraction]:
        """Cosine and sine."""
        quarters = round(angle / (PI_60 / 2))
        rest = angle - quarters * PI_60 / 2
        c, s = _QUARTERS[quarters % 4]
        rounding = _ROUNDING * max(Fraction(1), abs(angle))
        if abs(rest) <= max(self.snap, rounding):
            if abs(rest) > rounding:
                self.snapped += 1
                self.furthest = max(self.furthest, abs(rest))
            return Fraction(c), Fraction(s)
        t = half_tangent(rest)
        u, v = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        return c * u - s * v, s * u + c * v

    def rpy(self, angles: Sequence[Fraction]) -> Mat3:
        """Rz(yaw) Ry(pitch) Rx(roll), of roll, pitch and yaw."""
        x, y, z = (turn(axis, *self.point(a)) for axis, a in zip("xyz", angles, strict=True))
        return z @ (y @ x)

    def axis(self, direction: Vec3) -> Mat3:
        """A rotation R whose R z is along the direction."""
        exact = _along_an_axis(direction)
        if exact is not None:
            return exact
        system = multiprecision(F64)
        x, y, z = (system.constant(a) for a in direction.scalars())
        context = x.context
        turns = context.atan2(y, x), context.atan2(context.hypot(x, y), z)
        (cz, sz), (cy, sy) = (self.point(exact_of(a)) for a in turns)
        return turn("z", cz, sz) @ turn("y", cy, sy)


def half_tangent(angle: Fraction) -> Fraction:
    """The tangent of half an angle, as a fraction of few digits."""
    tangent = multiprecision(F64).constant(angle / 2)
    exact = exact_of(tangent.context.tan(tangent))
    short = exact.limit_denominator(_LARGEST)
    return short if abs(short - exact) * _FINE < 1 else Fraction(round(exact * _FINE), _FINE)


def sum_of(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """Cosine and sine of the sum of two angles, of which they are given."""
    return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]


def root_of(square: Fraction) -> Fraction:
    """The square root of a fraction that is a square, else zero."""
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return root if root * root == square else Fraction(0)


def turn(axis: str, c: Fraction | int, s: Fraction | int) -> Mat3:
    """The rotation about the axis x, y or z by the angle with this cosine and sine."""
    rows = {
        "x": (1, 0, 0, 0, c, -s, 0, s, c),
        "y": (c, 0, s, 0, 1, 0, -s, 0, c),
        "z": (c, -s, 0, s, c, 0, 0, 0, 1),
    }
    return Mat3(tuple(map(Fraction, rows[axis])))


def _along_an_axis(direction: Vec3) -> Mat3 | None:
    """A rotation by quarter turns that takes z to the direction, if it is along an axis."""
    x, y, z = direction.scalars()
    if x == y == 0:
        return IDENTITY if z > 0 else turn("x", -1, 0)
    if y == z == 0:
        return turn("y", 0, 1 if x > 0 else -1)
    if x == z == 0:
        return turn("x", 0, -1 if y > 0 else 1)
    return None


def second_moments(inertia: SymMat3) -> SymMat3:
    """The Euler tensor, integral of r r^T dm, of an inertia tensor: tr(J)/2 1 - J."""
    half = inertia.trace / 2
    return SymMat3.isotropic(half) - inertia


def moved(S: SymMat3, h: Vec3, m: Fraction, R: Mat3, p: Vec3) -> tuple[SymMat3, Vec3]:
    """Second and first moments of a body in axes that see its frame at p, rotated by R."""
    turned, first = congruent(S, R), R @ h
    a, b = first.scalars(), p.scalars()

    def shifted(i: int, j: int) -> Fraction:
        both: Fraction = a[i] * b[j] + b[i] * a[j] + m * b[i] * b[j]
        return both

    pairs = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    return turned + SymMat3(*(shifted(i, j) for i, j in pairs)), first + p * m


def congruent(S: SymMat3, R: Mat3) -> SymMat3:
    """R S R^T."""
    m = (R @ (S.dense @ R.transpose)).m
    return SymMat3(m[0], m[1], m[2], m[4], m[5], m[8])
