"""Solids and shells of uniform density: [m, h, J] as integrals over the body, about its centroid.

The integrals are those of dm, d dm and ((d.d) 1 - d d^T) dm, with the position d of a point (Goldstein,
Classical Mechanics).
"""

from __future__ import annotations

from typing import NamedTuple


class Body(NamedTuple):
    """A body by coordinates: the mass of an element, the components of its position, and the ranges."""

    mass: str
    point: tuple[str, str, str]
    over: str
    where: str = ""

    def integral(self, of: str) -> str:
        """The integral of a quantity per mass."""
        return f"integral({self.mass} {of}, {self.over})"

    @property
    def position(self) -> str:
        """The position as a column."""
        return f"[{', '.join(self.point)}]"

    @property
    def unit_and_position(self) -> str:
        """A column of 1 and the position, whose integrals are the mass and the first moment."""
        return f"[1, {', '.join(self.point)}]"

    @property
    def squares(self) -> str:
        """The squares of the coordinates, as a column."""
        return f"[{', '.join(f'({x})^2' for x in self.point)}]"


def _integrals(body: Body) -> str:
    lines = (
        f"[m_O, h] = {body.integral(body.unit_and_position)}",
        f"J = {body.integral(f'Q({body.position})')}",
        "Q(d) = (d.d) 1 - d d^T",
    )
    return ";\n".join(lines) + body.where


_SPHERE = "[theta, 0, pi], [phi, 0, 2 pi]"


def _along(*axes: str) -> tuple[str, str, str]:
    """A point in spherical coordinates, scaled by the semi-axes."""
    a, b, c = axes
    return f"{a} sin(theta) cos(phi)", f"{b} sin(theta) sin(phi)", f"{c} cos(theta)"


def _ball(*axes: str) -> Body:
    """The unit ball in spherical coordinates, scaled by the semi-axes."""
    point = _along(*(f"{axis} rho" for axis in axes))
    return Body("(3 m / (4 pi)) rho^2 sin(theta)", point, f"[rho, 0, 1], {_SPHERE}")


BODIES = {
    "solid_box_inertia": Body(
        "(m / (lx ly lz))",
        ("x", "y", "z"),
        "[x, -lx / 2, lx / 2], [y, -ly / 2, ly / 2], [z, -lz / 2, lz / 2]",
    ),
    "solid_sphere_inertia": _ball("r", "r", "r"),
    # polar coordinates over the disc
    "solid_cylinder_inertia": Body(
        "(m / (pi r^2 length)) rho",
        ("rho cos(phi)", "rho sin(phi)", "z"),
        "[rho, 0, r], [phi, 0, 2 pi], [z, -length / 2, length / 2]",
    ),
    "solid_ellipsoid_inertia": _ball("a", "b", "c"),
    # the discs of a cone have the radius k r: its apex is 3/4 of the height above the centroid
    "solid_cone_inertia": Body(
        "(3 m / (pi length)) rho k(z)^2",
        ("r k(z) rho cos(phi)", "r k(z) rho sin(phi)", "z"),
        "[rho, 0, 1], [phi, 0, 2 pi], [z, -length / 4, 3 length / 4]",
        ", k(z) = 3 / 4 - z / length",
    ),
    "hollow_sphere_inertia": Body("(m / (4 pi)) sin(theta)", _along("r", "r", "r"), _SPHERE),
    "hollow_cylinder_inertia": Body(
        "(m / (2 pi length))",
        ("r cos(phi)", "r sin(phi)", "z"),
        "[phi, 0, 2 pi], [z, -length / 2, length / 2]",
    ),
    "thin_rod_inertia": Body("(m / length)", ("0", "0", "z"), "[z, -length / 2, length / 2]"),
}
"""Those in one piece."""

FAMILY = {name: _integrals(body) for name, body in BODIES.items()}

# A capsule is a cylinder, and on its ends two halves of a ball; theta is the angle from the axis. In all
# three parts rho is a distance over the radius, and the mass of an element is its volume. The halves have the
# same second moments.

TUBE = Body(
    "r^2 rho",
    ("r rho cos(phi)", "r rho sin(phi)", "z"),
    "[rho, 0, 1], [phi, 0, 2 pi], [z, -length / 2, length / 2]",
)


def _cap(sign: str) -> Body:
    x, y, along = _along("r rho", "r rho", "r rho")
    return Body(
        "r^3 rho^2 sin(theta)",
        (x, y, f"{sign}(length / 2 + {along})"),
        "[rho, 0, 1], [theta, 0, pi / 2], [phi, 0, 2 pi]",
    )


CAP = _cap("")
DENSITY = "k = m / (pi r^2 (length + 4 r / 3))"


def _capsule() -> str:
    parts = (TUBE, CAP, _cap("-"))
    first = [f"M_{i} = {body.integral(body.unit_and_position)}" for i, body in enumerate(parts)]
    second = [f"S_{i} = {body.integral(f'Q({body.position})')}" for i, body in enumerate(parts[:2])]
    sums = "[m_O, h] = k (M_0 + M_1 + M_2); J = k (S_0 + 2 S_1)"
    return ";\n".join((sums, *first, *second, f"{DENSITY}; Q(d) = (d.d) 1 - d d^T"))


solid_capsule_inertia = _capsule()

point_mass_inertia = "m_O = m; h = [0, 0, 0]; J = diag(0, 0, 0)"
