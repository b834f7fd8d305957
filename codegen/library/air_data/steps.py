"""Steps of air data: polar coordinates of the velocity."""

from __future__ import annotations

from codegen.library.shared.sources import STEVENS
from codegen.modeling.steps import Step, stated, stated_condition

SECTION = f"{STEVENS} 2.3"

_projected = stated_condition(
    "Write the components of the velocity in terms of airspeed and angles",
    "v_air_B = [V cos(alpha) cos(beta), V sin(beta), V sin(alpha) cos(beta)]",
    by="the sideslip is the angle out of the plane of symmetry, the angle of attack that in this plane",
    source=SECTION,
)

_polar = stated(
    "Share the square of the velocity in the plane of symmetry",
    "V = sqrt(s + v_y^2), alpha = atan2(v_z, v_x), beta = atan2(v_y, sqrt(s));\n"
    "s = v_x^2 + v_z^2; v_air_B = [v_x, v_y, v_z]",
    by="the angle of attack cancels in the sum of both squares; the cosine of the sideslip is positive",
    source=SECTION,
)

_velocity = stated(
    "Apply the rotations to the first axis",
    "v_air_B = [s cos(alpha), V sin(beta), s sin(alpha)]; s = V cos(beta)",
    by="the rotation by `beta` is about the third axis, the other turns the first axis towards the third",
    source=SECTION,
)

_wind = stated(
    "Multiply the two elementary matrices",
    "R_BW = [[c_alpha c_beta, -c_alpha s_beta, -s_alpha], [s_beta, c_beta, 0], "
    "[s_alpha c_beta, -s_alpha s_beta, c_alpha]];\n"
    "c_alpha = cos(alpha), s_alpha = sin(alpha), c_beta = cos(beta), s_beta = sin(beta)",
    by="rows are multiplied by columns; the cosine of an opposite angle is the same, the sine the opposite",
    source=SECTION,
)

STEPS: dict[str, tuple[Step, ...]] = {
    "air_data_from_velocity": (_projected, _polar),
    "velocity_from_air_data": (_velocity,),
    "dcm_from_wind": (_wind,),
}
