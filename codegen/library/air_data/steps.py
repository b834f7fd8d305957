"""Steps of air data: polar coordinates of the velocity."""

from __future__ import annotations

from sympy import Expr, atan2, cos, sin, sqrt

from codegen.library.shared.sources import STEVENS
from codegen.library.shared.textbook import Scalars
from codegen.modeling.steps import Step, step

SECTION = f"{STEVENS} 2.3"


@step(
    "Share the square of the velocity in the plane of symmetry",
    "s = v_x^2 + v_z^2; V = sqrt(s + v_y^2), alpha = atan2(v_z, v_x), beta = atan2(v_y, sqrt(s))",
    by="v_y = V sin(beta), sqrt(s) = V cos(beta) with cos(beta) >= 0: beta = asin(v_y / V)",
    source=SECTION,
)
def _polar(v_air_B: Scalars) -> list[Expr]:
    u, v, w = v_air_B
    level = u * u + w * w
    return [sqrt(level + v * v), atan2(w, u), atan2(v, sqrt(level))]


@step(
    "Apply the rotations to the first axis",
    "v = [l cos(alpha), V sin(beta), l sin(alpha)], l = V cos(beta)",
    by="Rz(beta) e_x = [cos(beta), sin(beta), 0]; Ry(-alpha) rotates its first component towards z",
    source=SECTION,
)
def _velocity(V: Expr, alpha: Expr, beta: Expr) -> list[Expr]:
    level = V * cos(beta)
    return [level * cos(alpha), V * sin(beta), level * sin(alpha)]


@step(
    "Multiply the two elementary matrices",
    "R_BW = [[ca cb, -ca sb, -sa], [sb, cb, 0], [sa cb, -sa sb, ca]], ca = cos(alpha), sb = sin(beta) ...",
    by="rows times columns; cos(-a) = cos(a), sin(-a) = -sin(a)",
    source=SECTION,
)
def _wind(alpha: Expr, beta: Expr) -> list[Expr]:
    ca, sa, cb, sb = cos(alpha), sin(alpha), cos(beta), sin(beta)
    return [ca * cb, -ca * sb, -sa, sb, cb, 0, sa * cb, -sa * sb, ca]


STEPS: dict[str, tuple[Step, ...]] = {
    "air_data_from_velocity": (_polar,),
    "velocity_from_air_data": (_velocity,),
    "dcm_from_wind": (_wind,),
}
