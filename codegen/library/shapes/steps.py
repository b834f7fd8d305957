"""Steps of simple solids and shells: from integrals to second moments to inertias."""

from __future__ import annotations

from sympy import Expr, Integer, Rational

from codegen.library.shared.textbook import Scalars
from codegen.modeling.steps import Step, SympyForm, step

SOURCE = "Goldstein, Classical Mechanics, chapter 5"


def _from_second_moments(m: Expr, xx: Expr, yy: Expr, zz: Expr) -> list[Expr]:
    """[m, h, J] of a body that is symmetric about each coordinate plane: J = tr(S) 1 - S, S diagonal."""
    return [m, 0, 0, 0, yy + zz, 0, 0, xx + zz, 0, xx + yy]


def _integrated(squares: str, by: str, moments: SympyForm) -> tuple[Step]:
    """The integrals of x^2, y^2, z^2, from which the moments of inertia are sums of two."""

    def form(m: Expr, *sizes: Expr) -> list[Expr]:
        return _from_second_moments(m, *moments(m, *sizes))

    return (
        step(
            "Integrate the squares of the coordinates, and add two for each axis",
            f"S = integral (x^2, y^2, z^2) dm = {squares};\nJ = diag(S_y + S_z, S_x + S_z, S_x + S_y), h = 0",
            by=f"h and the mixed integrals are 0 by symmetry about each coordinate plane; {by}",
            source=SOURCE,
        )(form),
    )


def _box(m: Expr, *edges: Expr) -> Scalars:
    return [m * edge**2 / 12 for edge in edges]


def _ball(m: Expr, r: Expr) -> Scalars:
    return [m * r**2 / 5] * 3


def _cylinder(m: Expr, r: Expr, length: Expr) -> Scalars:
    return [m * r**2 / 4, m * r**2 / 4, m * length**2 / 12]


def _ellipsoid(m: Expr, *axes: Expr) -> Scalars:
    return [m * axis**2 * Rational(1, 5) for axis in axes]


def _shell(m: Expr, r: Expr) -> Scalars:
    return [m * r**2 / 3] * 3


def _rod(m: Expr, length: Expr) -> Scalars:
    return [Integer(0), Integer(0), m * length**2 / 12]


def _point(m: Expr) -> Scalars:
    return [Integer(0)] * 3


STEPS: dict[str, tuple[Step, ...]] = {
    "solid_box_inertia": _integrated(
        "m/12 (lx^2, ly^2, lz^2)", "the mean of x^2 over [-l/2, l/2] is l^2/12", _box
    ),
    "solid_sphere_inertia": _integrated(
        "m/5 (r^2, r^2, r^2)", "the mean of r^2 over a ball is 3/5 r^2, a third of it for each axis", _ball
    ),
    "solid_cylinder_inertia": _integrated(
        "m (r^2/4, r^2/4, length^2/12)",
        "the mean of r^2 over a disc is r^2/2, half of it for each axis",
        _cylinder,
    ),
    "solid_ellipsoid_inertia": _integrated(
        "m/5 (a^2, b^2, c^2)", "the unit ball's 1/5, scaled by a, b and c", _ellipsoid
    ),
    "hollow_sphere_inertia": _integrated(
        "m/3 (r^2, r^2, r^2)", "x^2 + y^2 + z^2 = r^2, a third of it for each axis", _shell
    ),
    "thin_rod_inertia": _integrated(
        "(0, 0, m length^2/12)", "the mean of z^2 over [-length/2, length/2] is length^2/12", _rod
    ),
    "point_mass_inertia": _integrated("(0, 0, 0)", "the mass is at the origin", _point),
}
