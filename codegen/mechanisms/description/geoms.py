"""Mass, centre and inertia of the primitive geoms of MJCF, and of several together."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from codegen.errors import FeatherError
from codegen.ir.systems import PI_60
from codegen.mechanisms.description.orientation import decimal, decimals, real
from codegen.modeling.types.algebra import Mat3, SymMat3, Vec3

SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
"""How many sizes each type of geom has; those of the others say nothing of a mass."""


class Lump(NamedTuple):
    """A mass, its centre, and its inertia about the centre, in multiple precision and axes of the body."""

    m: Any
    c: Vec3
    J: SymMat3


def volume(kind: str, size: Sequence[Fraction]) -> Fraction:
    """The volume of a geom, m^3."""
    match kind:
        case "sphere":
            return PI_60 * 4 / 3 * size[0] ** 3
        case "capsule":
            return PI_60 * size[0] ** 2 * (2 * size[1] + size[0] * 4 / 3)
        case "cylinder":
            return PI_60 * size[0] ** 2 * 2 * size[1]
        case "ellipsoid":
            return PI_60 * 4 / 3 * size[0] * size[1] * size[2]
        case _:
            return 8 * size[0] * size[1] * size[2]


def principal(kind: str, size: Sequence[Fraction], m: Fraction) -> tuple[Fraction, ...]:
    """The moments of inertia of a solid geom about its axes, kg m^2."""
    if kind == "sphere":
        return (m * size[0] ** 2 * 2 / 5,) * 3
    if kind in ("box", "ellipsoid"):
        a, b, c = (x * x for x in size)
        share = m / (3 if kind == "box" else 5)
        return share * (b + c), share * (a + c), share * (a + b)
    r, length = size[0], 2 * size[1]
    if kind == "cylinder":
        across = m * (3 * r * r + length**2) / 12
        return across, across, m * r * r / 2
    ball = m * (r * 4 / 3) / (length + r * 4 / 3)
    rod = m - ball
    across = rod * (3 * r * r + length**2) / 12 + ball * (r * r * 2 / 5 + length * r * 3 / 8 + length**2 / 4)
    return across, across, rod * r * r / 2 + ball * r * r * 2 / 5


def lump(m: Fraction, moments: SymMat3, p: Vec3, R: Mat3) -> Lump:
    """A body with these moments in its own axes, at the pose (R, p)."""
    return Lump(real(m), p, moments.map(real).rotated(R))


def together(lumps: Sequence[Lump]) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Mass, centre and inertia about the centre of several bodies, as decimals."""
    m = sum(x.m for x in lumps)
    if not m:
        raise FeatherError("its geoms have no mass")
    c = Vec3.zero()
    for x in lumps:
        c = c + x.c * (x.m / m)
    J = SymMat3(*(real(Fraction(0)) for _ in range(6)))
    for x in lumps:
        x_, y, z = (x.c - c).scalars()
        J = J + x.J + SymMat3(y * y + z * z, -x_ * y, -x_ * z, x_ * x_ + z * z, -y * z, x_ * x_ + y * y) * x.m
    return decimal(m), decimals(c), tuple(map(decimal, J.scalars()))
