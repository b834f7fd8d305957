"""Simple bodies by their second moments along the axes, J = tr(S) 1 - S, S = m diag(<x^2>, <y^2>, <z^2>).

Source: Goldstein "Classical Mechanics"; the mean squares are those of a uniform segment
(l^2 / 12), ring (r^2 / 2), disc (r^2 / 4), ball (r^2 / 5) and sphere (r^2 / 3).
"""

from __future__ import annotations

import numpy as np

from codegen.library.shared.dense import Limits, Result, Scalar, Status, identity, pack_symmetric, result

__all__ = [
    "hollow_cylinder_inertia",
    "hollow_sphere_inertia",
    "point_mass_inertia",
    "solid_box_inertia",
    "solid_capsule_inertia",
    "solid_cone_inertia",
    "solid_cylinder_inertia",
    "solid_ellipsoid_inertia",
    "solid_sphere_inertia",
    "thin_rod_inertia",
]


def body(m: Scalar, sizes: list[Scalar], mean_squares: list[Scalar], limits: Limits | None) -> Result:
    """The inertia about the centroid; zeros where an argument is negative or the inertia overflows."""
    S = np.diag(np.array([x * m for x in mean_squares]))
    J = identity() * np.trace(S) - S
    I_O = np.array([m, 0, 0, 0, *pack_symmetric(J)])
    status = 0
    if limits is not None:
        if not all(x >= 0 for x in (m, *sizes)):
            status = Status.NOT_PHYSICAL
        elif not abs(m + np.trace(J)) <= limits.max:
            status = Status.NOT_FINITE
    return result(np.zeros(10, I_O.dtype) if status else I_O, status=status)


def solid_box_inertia(m: Scalar, lx: Scalar, ly: Scalar, lz: Scalar, limits: Limits | None = None) -> Result:
    """Three segments."""
    return body(m, [lx, ly, lz], [x * x / 12 for x in (lx, ly, lz)], limits)


def solid_sphere_inertia(m: Scalar, r: Scalar, limits: Limits | None = None) -> Result:
    """A ball."""
    return body(m, [r], [r * r / 5] * 3, limits)


def solid_cylinder_inertia(m: Scalar, r: Scalar, length: Scalar, limits: Limits | None = None) -> Result:
    """A disc times a segment along z."""
    return body(m, [r, length], [r * r / 4, r * r / 4, length * length / 12], limits)


def solid_ellipsoid_inertia(
    m: Scalar, a: Scalar, b: Scalar, c: Scalar, limits: Limits | None = None
) -> Result:
    """A ball, stretched."""
    return body(m, [a, b, c], [x * x / 5 for x in (a, b, c)], limits)


def solid_cone_inertia(m: Scalar, r: Scalar, length: Scalar, limits: Limits | None = None) -> Result:
    """Discs whose masses are as the squares of their radii: 3/5 of a disc's squares, 3/80 along the axis."""
    return body(m, [r, length], [r * r * 3 / 20, r * r * 3 / 20, length * length * 3 / 80], limits)


def solid_capsule_inertia(m: Scalar, r: Scalar, length: Scalar, limits: Limits | None = None) -> Result:
    """The cylinder and the ball, whose halves have moved apart, weighted by their volumes over pi r^2."""
    parts = np.array([length * 3, r * 4])
    share, rest = parts / sum(parts) if sum(parts) else parts
    across = r * r * (share / 4 + rest / 5)
    along = length * length * share / 12 + rest * (r * r / 5 + length * r * 3 / 8 + length * length / 4)
    return body(m, [r, length], [across, across, along], limits)


def hollow_cylinder_inertia(m: Scalar, r: Scalar, length: Scalar, limits: Limits | None = None) -> Result:
    """A ring times a segment along z."""
    return body(m, [r, length], [r * r / 2, r * r / 2, length * length / 12], limits)


def hollow_sphere_inertia(m: Scalar, r: Scalar, limits: Limits | None = None) -> Result:
    """A sphere."""
    return body(m, [r], [r * r / 3] * 3, limits)


def thin_rod_inertia(m: Scalar, length: Scalar, limits: Limits | None = None) -> Result:
    """A segment along z."""
    return body(m, [length], [m * 0, m * 0, length * length / 12], limits)


def point_mass_inertia(m: Scalar, limits: Limits | None = None) -> Result:
    """A point."""
    return body(m, [], [m * 0] * 3, limits)
