"""Steps of simple solids and shells: from integrals to second moments to inertias."""

from __future__ import annotations

from codegen.library.shapes.definitions import BODIES, CAP, DENSITY, TUBE
from codegen.library.shared.works import GOLDSTEIN
from codegen.modeling.steps import Step, stated

SOURCE = GOLDSTEIN


_SUMS = "m_O = m; h = 0; J = diag(s_y + s_z, s_x + s_z, s_x + s_y)"


def _symmetric(squares: str) -> Step:
    """The moments of inertia by the integrals of the squares of the coordinates."""
    return stated(
        "Keep the integrals of the squares of the coordinates, and add two for each axis",
        f"{squares};\n{_SUMS}",
        by="the integral of the density is the mass; the first and the mixed moments are zero by symmetry "
        "about the coordinate planes, and the squared distance from an axis is the sum of the squares of the "
        "two other coordinates",
        source=SOURCE,
    )


def _integrated(squares: str, by: str) -> Step:
    """The values of these integrals."""
    return stated(
        "Integrate the squares of the coordinates",
        f"[s_x, s_y, s_z] = {squares};\n{_SUMS}",
        by=by,
        source=SOURCE,
    )


def _in_one_piece(name: str, squares: str, by: str) -> tuple[Step, Step]:
    body = BODIES[name]
    return _symmetric(f"[s_x, s_y, s_z] = {body.integral(body.squares)}{body.where}"), _integrated(
        squares, by
    )


STEPS: dict[str, tuple[Step, ...]] = {
    "solid_box_inertia": _in_one_piece(
        "solid_box_inertia",
        "(m / 12) [lx^2, ly^2, lz^2]",
        "the mean square of a coordinate is a twelfth of the square of the edge",
    ),
    "solid_sphere_inertia": _in_one_piece(
        "solid_sphere_inertia",
        "(m / 5) [r^2, r^2, r^2]",
        "the mean square of the distance from the centre of a ball is three fifths of the square of the "
        "radius, a third of it along each axis",
    ),
    "solid_cylinder_inertia": _in_one_piece(
        "solid_cylinder_inertia",
        "m [r^2 / 4, r^2 / 4, length^2 / 12]",
        "the mean square of the distance from the axis is half the square of the radius, half of it along "
        "each diameter, and that of the coordinate along the axis is a twelfth of the square of the length",
    ),
    "solid_ellipsoid_inertia": _in_one_piece(
        "solid_ellipsoid_inertia",
        "(m / 5) [a^2, b^2, c^2]",
        "the mean square of a coordinate is a fifth in the unit ball, and is scaled by the square of the "
        "semi-axis",
    ),
    "solid_cone_inertia": _in_one_piece(
        "solid_cone_inertia",
        "(m / 80) [12 r^2, 12 r^2, 3 length^2]",
        "the mass of a disc is proportional to the square of its radius, and the radius to the distance from "
        "the apex: the mean square of the radius is three fifths of that of the base, and a quarter of "
        "this falls on each diameter",
    ),
    "solid_capsule_inertia": (
        _symmetric(
            f"[s_x, s_y, s_z] = k (A + 2 B); {DENSITY};\n"
            f"A = {TUBE.integral(TUBE.squares)}; B = {CAP.integral(CAP.squares)}"
        ),
        _integrated(
            "[s, s, c length^2 / 12 + b (r^2 / 5 + 3/8 r length + length^2 / 4)];\n"
            "s = c r^2 / 4 + b r^2 / 5; c = m length / (length + 4 r / 3); "
            "b = m (4 r / 3) / (length + 4 r / 3)",
            "the masses of cylinder and hemispheres are as their volumes; the centroid of a hemisphere is "
            "three eighths of the radius beyond the end of the cylinder",
        ),
    ),
    "hollow_cylinder_inertia": _in_one_piece(
        "hollow_cylinder_inertia",
        "m [r^2 / 2, r^2 / 2, length^2 / 12]",
        "all points are at the distance `r` from the axis, and half of its square falls on each diameter",
    ),
    "hollow_sphere_inertia": _in_one_piece(
        "hollow_sphere_inertia",
        "(m / 3) [r^2, r^2, r^2]",
        "all points are at the distance `r` from the centre, and a third of its square falls on each axis",
    ),
    "thin_rod_inertia": (
        _symmetric(f"[s_x, s_y, s_z] = {BODIES['thin_rod_inertia'].integral('[0, 0, z^2]')}"),
        stated(
            "Integrate the square of the coordinate along the rod, which both moments across it contain",
            "m_O = m; h = 0; J = diag(s_z, s_z, 0); s_z = m length^2 / 12",
            by="the mean square of the coordinate along the rod is a twelfth of the square of its length, "
            "and the other coordinates are zero",
            source=SOURCE,
        ),
    ),
    "point_mass_inertia": (
        stated(
            "Put the mass at the origin",
            "m_O = m; h = 0; J = 0",
            by="the distances of the mass from the origin and from all axes are zero",
            source=SOURCE,
        ),
    ),
}
