"""Air data as rotations of the velocity's direction (Stevens & Lewis, section 2.3)."""

from __future__ import annotations

from sympy import Expr, Matrix, atan2, sqrt

from codegen.library.shared.textbook import Scalars, flat, rotation_y, rotation_z


def air_data_from_velocity(v_air_B: Scalars) -> list[Expr]:
    """The polar angles of the velocity: alpha in B's xz plane, beta out of it."""
    v = Matrix(v_air_B)
    level = Matrix([v[0], v[2]])
    return [sqrt(v.dot(v)), atan2(v[2], v[0]), atan2(v[1], sqrt(level.dot(level)))]


def velocity_from_air_data(V: Expr, alpha: Expr, beta: Expr) -> list[Expr]:
    """R_BW [V, 0, 0]: along W's x axis."""
    return flat(wind_axes(alpha, beta) * Matrix([V, 0, 0]))


def dcm_from_wind(alpha: Expr, beta: Expr) -> list[Expr]:
    """R_BW = Ry(-alpha) Rz(beta)."""
    return flat(wind_axes(alpha, beta))


def wind_axes(alpha: Expr, beta: Expr) -> Matrix:
    """B rotated down by alpha about y, then to the right by beta about the new z axis."""
    return rotation_y(-alpha) * rotation_z(beta)
