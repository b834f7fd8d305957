"""Air data: airspeed, angle of attack and sideslip of a velocity, and the wind axes."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Scalar
from codegen.library.shared.arguments import rotation, vector
from codegen.modeling.algebra import Rotation, Vec3
from codegen.modeling.failures import Failure
from codegen.modeling.scalar import MAX, MIN, atan2, cos, every, let, require, select, sin, sqrt

SOURCE = "Stevens and Lewis, Aircraft Control and Simulation, section 2.3"
VELOCITY = vector("v_air_B", "m/s", "velocity relative to the air; B's axes are forward, right, down", "B")
AIRSPEED = Arg("V", REAL, "m/s", "true airspeed")
ALPHA = Arg("alpha", REAL, "rad", "angle of attack, positive nose up")
BETA = Arg("beta", REAL, "rad", "sideslip, positive with the wind from the right")


@kernel(
    inputs=[VELOCITY],
    outputs=[AIRSPEED, ALPHA, BETA],
    equation="V = |v_air_B|; alpha = atan2(v_z, v_x); beta = atan2(v_y, sqrt(v_x^2 + v_z^2)); "
    "v_air_B = [v_x, v_y, v_z]",
    source=SOURCE,
    failures={
        Status.ZERO_NORM: Failure("v_air_B.v_air_B > min", "V = 0, alpha = 0, beta = 0"),
        Status.NOT_FINITE: Failure("v_air_B.v_air_B <= max", "V = 0, alpha = 0, beta = 0"),
    },
)
def air_data_from_velocity(v_air_B: Vec3) -> tuple[Scalar, Scalar, Scalar]:
    """Airspeed, angle of attack and sideslip of a velocity.

    `beta = asin(v_y / V)`, computed by an arc tangent, which is accurate at every angle. For a velocity along
    B's y axis `alpha` is undefined; the result is then that of C's atan2.
    """
    u, v, w = v_air_B.scalars()
    forward2 = let("v_xz2", u * u + w * w)
    n = let("V2", forward2 + v * v)
    normal = require(n > MIN, Status.ZERO_NORM)
    ok = let("ok", every(normal, require(n <= MAX, Status.NOT_FINITE)))
    u, v, w = select(ok, Vec3(u, v, w), Vec3(1, 0, 0)).scalars()
    return (
        sqrt(select(ok, n, 0)),
        atan2(w, u),
        atan2(v, sqrt(select(ok, forward2, 1))),
    )


@kernel(
    inputs=[AIRSPEED, ALPHA, BETA],
    outputs=[VELOCITY],
    equation="v_air_B = V [cos(alpha) cos(beta), sin(beta), sin(alpha) cos(beta)]",
    source=SOURCE,
)
def velocity_from_air_data(V: Scalar, alpha: Scalar, beta: Scalar) -> Vec3:
    """Velocity relative to the air from airspeed, angle of attack and sideslip."""
    level = let("V_xz", V * cos(beta))
    return Vec3(level * cos(alpha), V * sin(beta), level * sin(alpha))


@kernel(
    inputs=[ALPHA, BETA],
    outputs=[rotation("R_BW", "rotation matrix from wind axes; W's x axis is along the velocity")],
    equation="R_BW = Ry(-alpha) Rz(beta)",
    source="Stevens and Lewis, Aircraft Control and Simulation, section 2.3, transposed",
)
def dcm_from_wind(alpha: Scalar, beta: Scalar) -> Rotation:
    """Rotation matrix of the wind axes: `R_BW [V, 0, 0]` is the velocity relative to the air in B.

    W's z axis stays in B's plane of symmetry.
    """
    s_a, c_a = let("sin_alpha", sin(alpha)), let("cos_alpha", cos(alpha))
    s_b, c_b = let("sin_beta", sin(beta)), let("cos_beta", cos(beta))
    return Rotation((*(c_a * c_b, -(c_a * s_b), -s_a), *(s_b, c_b, 0), *(s_a * c_b, -(s_a * s_b), c_a)))
