"""Orientations and masses of MJCF in multiple precision, and as decimals of twenty digits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.systems import F64, exact_of, multiprecision
from codegen.modeling.types.algebra import Mat3, UnitQuaternion, Vec3

_SYSTEM = multiprecision(F64)
_DIGITS = 20


def real(x: Fraction) -> Any:
    """A number in multiple precision."""
    return _SYSTEM.constant(x)


def decimal(x: Any) -> Fraction:
    """A number in multiple precision as a decimal of twenty digits behind the point."""
    scale = 10**_DIGITS
    return Fraction(round(exact_of(x) * scale), scale)


def decimals(v: Vec3) -> tuple[Fraction, ...]:
    """A vector in multiple precision as decimals."""
    return tuple(map(decimal, v.scalars()))


def vector(numbers: Sequence[Fraction]) -> Vec3:
    """A vector in multiple precision."""
    return Vec3(*map(real, numbers))


def radians(degrees: Fraction) -> Fraction:
    """An angle in degrees as radians, a decimal."""
    return decimal(real(degrees) * _context().pi / 180)


def unit_quaternion(numbers: Sequence[Fraction]) -> UnitQuaternion:
    """The quaternion w, x, y, z, normalised; FeatherError when it is zero."""
    if not any(numbers):
        raise FeatherError("its quaternion is zero")
    values = [real(x) for x in numbers]
    norm = _context().sqrt(sum(x * x for x in values))
    return UnitQuaternion(*(x / norm for x in values))


def about(axis: Sequence[Fraction], angle: Fraction) -> UnitQuaternion:
    """The rotation by an angle (rad) about an axis; FeatherError when that is zero."""
    if not any(axis):
        raise FeatherError("the axis of its orientation is zero")
    u, context = vector(axis), _context()
    half = real(angle) / 2
    u = u * (context.sin(half) / context.sqrt(u.dot(u)))
    return UnitQuaternion(context.cos(half), *u.scalars())


def product(a: UnitQuaternion, b: UnitQuaternion) -> UnitQuaternion:
    """The Hamilton product."""
    u, v = a.vector, b.vector
    return UnitQuaternion(a.w * b.w - u.dot(v), *(v * a.w + u * b.w + u.cross(v)).scalars())


def along(direction: Vec3) -> UnitQuaternion:
    """The least rotation from z to a direction; FeatherError when that is zero."""
    x, y, z = direction.scalars()
    across = _context().hypot(x, y)
    if not (across or z):
        raise FeatherError("its direction is zero")
    axis = (-y, x, x * 0) if across else (z * 0 + 1, z * 0, z * 0)
    tilt = exact_of(_context().atan2(across, z))
    return about([exact_of(a) for a in axis], tilt)


def from_axes(x: Vec3, y: Vec3) -> Mat3:
    """The rotation whose first columns are these axes, made orthonormal in this order."""
    x = _unit(x)
    y = _unit(y - x * x.dot(y))
    return Mat3.from_columns(x, y, x.cross(y))


def _unit(v: Vec3) -> Vec3:
    if not any(v.scalars()):
        raise FeatherError("its axes are zero or parallel")
    length = _context().sqrt(v.dot(v))
    return Vec3(*(x / length for x in v.scalars()))


def matrix(q: UnitQuaternion) -> Mat3:
    """The rotation matrix of a quaternion: 1 + 2 w u~ + 2 u~ u~."""
    u = Mat3.skew(q.vector)
    twice = [2 * (q.w * a + b) for a, b in zip(u.m, (u @ u).m, strict=True)]
    return Mat3(tuple(x + (k % 4 == 0) for k, x in enumerate(twice)))


def rpy(R: Mat3) -> tuple[Fraction, ...]:
    """Roll, pitch and yaw of a rotation matrix as decimals; in gimbal lock the yaw is zero."""
    context = _context()
    (a, b, _), (d, e, _), (g, h, i) = (row.scalars() for row in R.rows)
    flat = context.hypot(a, d)
    pitch = context.atan2(-g, flat)
    if flat < context.mpf(10) ** (5 - _DIGITS):
        return decimal(context.atan2(b, e) * (1 if g < 0 else -1)), decimal(pitch), Fraction(0)
    return decimal(context.atan2(h, i)), decimal(pitch), decimal(context.atan2(d, a))


def _context() -> Any:
    return real(Fraction(0)).context
