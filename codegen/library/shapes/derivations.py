"""Bodies of uniform density as few point masses with the same second moments: the Hessian of their energy.

The weights and places are those of cubature formulas that are exact for polynomials of degree three
(Simpson's rule, Stroud's formulas for disc, ball and sphere), so that the particles are equimomental.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import cast

import casadi as ca
from casadi import SX

from codegen.ir.systems import casadi_system
from codegen.library.shared.calculus import flat, hessian, packed, vee

Particles = Iterable[tuple[Fraction, list[SX]]]
"""Mass fractions and their positions."""

_LINE = [(Fraction(1, 6), -1), (Fraction(4, 6), 0), (Fraction(1, 6), 1)]
"""Simpson's rule on [-1, 1]."""


def solid_box_inertia(m: SX, lx: SX, ly: SX, lz: SX) -> SX:
    """Particles by Simpson's rule along each edge."""
    grid = [
        (a * b * c, [x * lx / 2, y * ly / 2, z * lz / 2])
        for a, x in _LINE
        for b, y in _LINE
        for c, z in _LINE
    ]
    return _body(m, grid)


def solid_sphere_inertia(m: SX, r: SX) -> SX:
    """Particles: a tenth of the mass at either end of each diameter along an axis, the rest at the centre."""
    return _body(m, _star(Fraction(1, 10), [r, r, r]))


def solid_cylinder_inertia(m: SX, r: SX, length: SX) -> SX:
    """Particles: an eighth of a disc's mass at either end of two diameters, half of it at the centre.

    Along the axis, Simpson's rule.
    """
    disc = _star(Fraction(1, 8), [r, r])
    return _body(m, [(a * b, [x, y, z * length / 2]) for a, (x, y) in disc for b, z in _LINE])


def solid_ellipsoid_inertia(m: SX, a: SX, b: SX, c: SX) -> SX:
    """Particles: a tenth of the mass at either end of each axis, the rest at the centre."""
    return _body(m, _star(Fraction(1, 10), [a, b, c]))


def solid_cone_inertia(m: SX, r: SX, length: SX) -> SX:
    """Particles across as for a disc of the cone's mean square, along it at base, centroid and apex."""
    across = _star(Fraction(3, 40), [r, r])
    along = [(Fraction(3, 20), -length / 4), (Fraction(4, 5), SX(0)), (Fraction(1, 20), 3 * length / 4)]
    return _body(m, [(a * b, [x, y, z]) for a, (x, y) in across for b, z in along])


def solid_capsule_inertia(m: SX, r: SX, length: SX) -> SX:
    """A cylinder and two hemispheres; Simpson's rule along the axis is exact for these."""
    disc, of_ball = _star(Fraction(1, 8), [r, r]), _star(Fraction(1, 10), [r, r])
    half = [(Fraction(11, 40), SX(0)), (Fraction(7, 10), r / 2), (Fraction(1, 40), r)]
    tube = [(a * b, [x, y, z * length / 2]) for a, (x, y) in disc for b, z in _LINE]
    caps = [
        (a * b / 2, [x, y, sign * (length / 2 + z)])
        for a, (x, y) in of_ball
        for b, z in half
        for sign in (-1, 1)
    ]
    whole = length + 4 * r / 3
    return _body(m * length / whole, tube) + _body(m * (4 * r / 3) / whole, caps)


def hollow_cylinder_inertia(m: SX, r: SX, length: SX) -> SX:
    """Particles: a quarter of a ring's mass at either end of two diameters; along it, Simpson's rule."""
    ring = _star(Fraction(1, 4), [r, r])
    return _body(m, [(a * b, [x, y, z * length / 2]) for a, (x, y) in ring for b, z in _LINE])


def hollow_sphere_inertia(m: SX, r: SX) -> SX:
    """Particles: a sixth of the mass at either end of each diameter along an axis."""
    return _body(m, _star(Fraction(1, 6), [r, r, r]))


def thin_rod_inertia(m: SX, length: SX) -> SX:
    """Particles by Simpson's rule: a sixth of the mass at either end, two thirds at the centre."""
    return _body(m, [(a, [SX(0), SX(0), z * length / 2]) for a, z in _LINE])


def point_mass_inertia(m: SX) -> SX:
    """One particle."""
    return _body(m, [(Fraction(1), [SX(0), SX(0), SX(0)])])


def _star(share: Fraction, radii: list[SX]) -> list[tuple[Fraction, list[SX]]]:
    """This mass fraction at both ends of each semi-axis, the rest at the centre."""
    n = len(radii)
    ends = [
        [sign * r if j == i else SX(0) for j in range(n)] for i, r in enumerate(radii) for sign in (-1, 1)
    ]
    return [(1 - 2 * n * share, [SX(0)] * n), *((share, end) for end in ends)]


def _body(m: SX, particles: Particles) -> SX:
    """[m, h, J] read off the Hessian of the particles' energy with respect to [w; v]."""

    def energy(v: SX) -> SX:
        total = SX(0)
        for share, place in particles:
            velocity = v[3:] + ca.cross(v[:3], ca.vertcat(*place))
            total += _exact(share) * m * ca.dot(velocity, velocity) / 2
        return total

    M = hessian(energy, SX.zeros(6))
    return flat(M[3, 3], vee(M[:3, 3:]), packed(M[:3, :3]))


def _exact(share: Fraction) -> SX:
    """A constant that CasADi does not round."""
    return cast("SX", casadi_system().constant(share))
