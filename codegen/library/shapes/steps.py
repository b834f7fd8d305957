"""Steps of simple solids and shells: from integrals to second moments to inertias."""

from __future__ import annotations

from codegen.library.shared.works import GOLDSTEIN
from codegen.modeling.steps import Step, stated

SOURCE = GOLDSTEIN


def _integrated(squares: str, by: str) -> tuple[Step]:
    """The integrals of x^2, y^2, z^2, from which the moments of inertia are sums of two."""
    return (
        stated(
            "Integrate the squares of the coordinates, and add two for each axis",
            f"[s_x, s_y, s_z] = {squares};\nm_O = m; h = 0; J = diag(s_y + s_z, s_x + s_z, s_x + s_y)",
            by=f"the first and the mixed moments are zero by symmetry about each coordinate plane; {by}",
            source=SOURCE,
        ),
    )


STEPS: dict[str, tuple[Step, ...]] = {
    "solid_box_inertia": _integrated(
        "(m / 12) [lx^2, ly^2, lz^2]",
        "the mean square of a coordinate is a twelfth of the square of the edge",
    ),
    "solid_sphere_inertia": _integrated(
        "(m / 5) [r^2, r^2, r^2]",
        "the mean square of the distance from the centre of a ball is three fifths of the square of the "
        "radius, a third of it along each axis",
    ),
    "solid_cylinder_inertia": _integrated(
        "m [r^2 / 4, r^2 / 4, length^2 / 12]",
        "the mean square of the distance from the axis is half the square of the radius, half of it along "
        "each diameter, and that of the coordinate along the axis is a twelfth of the square of the length",
    ),
    "solid_ellipsoid_inertia": _integrated(
        "(m / 5) [a^2, b^2, c^2]",
        "the mean square of a coordinate is a fifth in the unit ball, and is scaled by the square of the "
        "semi-axis",
    ),
    "solid_cone_inertia": _integrated(
        "(m / 80) [12 r^2, 12 r^2, 3 length^2]",
        "the mass of a disc is proportional to the square of its radius, and the radius to the distance from "
        "the apex: the mean square of the radius is three fifths of that of the base, and a quarter of "
        "this falls on each diameter",
    ),
    "solid_capsule_inertia": _integrated(
        "[s, s, c length^2 / 12 + b (r^2 / 5 + 3/8 r length + length^2 / 4)];\n"
        "s = c r^2 / 4 + b r^2 / 5; c = m length / (length + 4 r / 3); "
        "b = m (4 r / 3) / (length + 4 r / 3)",
        "the masses of cylinder and hemispheres are as their volumes; the centroid of a hemisphere is three "
        "eighths of the radius beyond the end of the cylinder",
    ),
    "hollow_cylinder_inertia": _integrated(
        "m [r^2 / 2, r^2 / 2, length^2 / 12]",
        "all points are at the distance `r` from the axis, and half of its square falls on each diameter",
    ),
    "hollow_sphere_inertia": _integrated(
        "(m / 3) [r^2, r^2, r^2]",
        "all points are at the distance `r` from the centre, and a third of its square falls on each axis",
    ),
    "thin_rod_inertia": (
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
