"""Solids and shells of uniform density: [m, h, J] as integrals over the body, about its centroid."""

from __future__ import annotations

from sympy import Expr, Matrix, Symbol, cos, eye, integrate, pi, sin

from codegen.library.shared.textbook import Scalars, packed

U, V, W = (Symbol(name, real=True) for name in ("u", "v", "w"))
"""The parameters of a point of a body."""

Range = tuple[Symbol, Expr, Expr]


def solid_box_inertia(m: Expr, lx: Expr, ly: Expr, lz: Expr) -> list[Expr]:
    """Over the box of volume lx ly lz."""
    edges = [(s, -length / 2, length / 2) for s, length in zip((U, V, W), (lx, ly, lz), strict=True)]
    return _inertia(m / (lx * ly * lz), [U, V, W], edges)


def solid_sphere_inertia(m: Expr, r: Expr) -> list[Expr]:
    """Over the ball of radius r."""
    return solid_ellipsoid_inertia(m, r, r, r)


def solid_cylinder_inertia(m: Expr, r: Expr, length: Expr) -> list[Expr]:
    """Over the disc of radius r times the length, in polar coordinates."""
    point = [U * cos(V), U * sin(V), W]
    ranges = [(U, 0, r), (V, 0, 2 * pi), (W, -length / 2, length / 2)]
    return _inertia(m / (pi * r**2 * length) * U, point, ranges)


def solid_ellipsoid_inertia(m: Expr, a: Expr, b: Expr, c: Expr) -> list[Expr]:
    """Over the unit ball in spherical coordinates, scaled by a, b and c."""
    point = [U * x for x in _direction()]
    density = m * 3 / (4 * pi) * U**2 * sin(V)
    return _inertia(density, [a * point[0], b * point[1], c * point[2]], [(U, 0, 1), *_SPHERE])


def hollow_sphere_inertia(m: Expr, r: Expr) -> list[Expr]:
    """Over the sphere of radius r."""
    return _inertia(m / (4 * pi) * sin(V), [r * x for x in _direction()], _SPHERE)


def thin_rod_inertia(m: Expr, length: Expr) -> list[Expr]:
    """Over the segment of this length along z."""
    return _inertia(m / length, [0, 0, W], [(W, -length / 2, length / 2)])


def point_mass_inertia(m: Expr) -> list[Expr]:
    """The mass at the origin."""
    return _inertia(m, [0, 0, 0], [])


_SPHERE = ((V, 0, pi), (W, 0, 2 * pi))


def _direction() -> Scalars:
    """The unit vector at polar angle V and azimuth W."""
    return [sin(V) * cos(W), sin(V) * sin(W), cos(V)]


def _inertia(density: Expr, point: Scalars, ranges: Scalars) -> list[Expr]:
    """The integrals of dm, r dm and ((r.r) 1 - r r^T) dm (Goldstein, chapter 5)."""
    r = Matrix(point)
    J = r.dot(r) * eye(3) - r * r.T
    return [_integral(density * f, ranges) for f in (1, *r, *packed(J))]


def _integral(f: Expr, ranges: Scalars) -> Expr:
    for parameter in ranges:
        f = integrate(f.expand(), parameter)
    return f
