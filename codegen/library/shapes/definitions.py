"""Solids and shells of uniform density: [m, h, J] as integrals over the body, about its centroid.

The integrals are those of dm, d dm and ((d.d) 1 - d d^T) dm, with the position d of a point (Goldstein,
Classical Mechanics).
"""

from __future__ import annotations


def _integrals(density: str, point: str, *ranges: str) -> str:
    over = ", ".join(ranges)
    return (
        f"[m_O, h] = integral({density} [1, {point}], {over});\n"
        f"J = integral({density} Q([{point}]), {over});\n"
        "Q(d) = (d.d) 1 - d d^T"
    )


_DIRECTION = "sin(theta) cos(phi)", "sin(theta) sin(phi)", "cos(theta)"
_SPHERE = "[theta, 0, pi]", "[phi, 0, 2 pi]"


def _ball(*axes: str) -> str:
    """The integrals over the unit ball in spherical coordinates, scaled by the semi-axes."""
    point = ", ".join(f"{axis} rho {x}" for axis, x in zip(axes, _DIRECTION, strict=True))
    return _integrals("(3 m / (4 pi)) rho^2 sin(theta)", point, "[rho, 0, 1]", *_SPHERE)


solid_box_inertia = _integrals(
    "(m / (lx ly lz))",
    "x, y, z",
    "[x, -lx / 2, lx / 2]",
    "[y, -ly / 2, ly / 2]",
    "[z, -lz / 2, lz / 2]",
)

solid_sphere_inertia = _ball("r", "r", "r")

# Polar coordinates over the disc.

solid_cylinder_inertia = _integrals(
    "(m / (pi r^2 length)) rho",
    "rho cos(phi), rho sin(phi), z",
    "[rho, 0, r]",
    "[phi, 0, 2 pi]",
    "[z, -length / 2, length / 2]",
)

solid_ellipsoid_inertia = _ball("a", "b", "c")

# The discs of a cone have the radius k r: its apex is 3/4 of the height above the centroid.

solid_cone_inertia = (
    _integrals(
        "(3 m / (pi length)) rho k(z)^2",
        "r k(z) rho cos(phi), r k(z) rho sin(phi), z",
        "[rho, 0, 1]",
        "[phi, 0, 2 pi]",
        "[z, -length / 4, 3 length / 4]",
    )
    + ", k(z) = 3 / 4 - z / length"
)


def _capsule() -> str:
    """A cylinder, and on its ends two halves of a ball; theta is the angle from the axis.

    In all three parts rho is a distance over the radius. The halves have the same second moments.
    """
    around = "[rho, 0, 1], [phi, 0, 2 pi], [z, -length / 2, length / 2]"
    tube = "r^2 rho", "r rho cos(phi), r rho sin(phi), z", around
    across, along = "r rho sin(theta) cos(phi), r rho sin(theta) sin(phi)", "(length / 2 + r rho cos(theta))"
    half = "[rho, 0, 1], [theta, 0, pi / 2], [phi, 0, 2 pi]"
    caps = [("r^3 rho^2 sin(theta)", f"{across}, {sign}{along}", half) for sign in ("", "-")]
    parts = [tube, *caps]
    first = [f"integral({volume} [1, {point}], {over})" for volume, point, over in parts]
    second = [f"integral({volume} Q([{point}]), {over})" for volume, point, over in parts[:2]]
    named = [
        f"{letter}_{i} = {x}" for letter, row in (("M", first), ("S", second)) for i, x in enumerate(row)
    ]
    density = "k = m / (pi r^2 (length + 4 r / 3)); Q(d) = (d.d) 1 - d d^T"
    return ";\n".join(("[m_O, h] = k (M_0 + M_1 + M_2); J = k (S_0 + 2 S_1)", *named, density))


solid_capsule_inertia = _capsule()

hollow_sphere_inertia = _integrals(
    "(m / (4 pi)) sin(theta)", ", ".join(f"r {x}" for x in _DIRECTION), *_SPHERE
)

hollow_cylinder_inertia = _integrals(
    "(m / (2 pi length))",
    "r cos(phi), r sin(phi), z",
    "[phi, 0, 2 pi]",
    "[z, -length / 2, length / 2]",
)

thin_rod_inertia = _integrals("(m / length)", "0, 0, z", "[z, -length / 2, length / 2]")

point_mass_inertia = "m_O = m; h = [0, 0, 0]; J = diag(0, 0, 0)"
