"""A complete error-state filter with 15 states: position, velocity, attitude, and the biases of the sensors.

Gyros and accelerometers drive the prediction; a satellite receiver gives position and velocity, a compass the
heading. The covariance is that of 15 errors: the attitude is a unit quaternion, and its error a rotation
vector in body axes.
"""

from typing import Any

from codegen import (
    POSITIVE,
    REAL,
    Arg,
    Filter,
    Quaternion,
    Scalar,
    UnitQuaternion,
    Vec3,
    atan2,
    kernel,
    let,
)
from codegen.library.rotation.kernels import quat_multiply, quat_rotate
from codegen.library.rotation_vector.kernels import quat_from_rotvec

SOLA = "Sola, Quaternion kinematics for the error-state Kalman filter (2017), sections 5 and 6"

p_N = Arg("p_N", Vec3, "m", "position", "N")
v_N = Arg("v_N", Vec3, "m/s", "velocity", "N")
q_NB = Arg("q_NB", UnitQuaternion, "1", "attitude", "B to N")
accel_bias = Arg("accel_bias", Vec3, "m/s^2", "bias of the accelerometers", "B")
gyro_bias = Arg("gyro_bias", Vec3, "rad/s", "bias of the gyros", "B")


@kernel(
    inputs=[
        p_N,
        v_N,
        q_NB,
        accel_bias,
        gyro_bias,
        Arg("accel", Vec3, "m/s^2", "specific force that the accelerometers measure", "B"),
        Arg("gyro", Vec3, "rad/s", "angular velocity that the gyros measure", "B"),
        Arg("accel_noise", Vec3, "m/s^2", "noise of accel, 0 for the estimate", "B"),
        Arg("gyro_noise", Vec3, "rad/s", "noise of gyro, 0 for the estimate", "B"),
        Arg("accel_walk", Vec3, "m/s^2", "step of accel_bias, 0 for the estimate", "B"),
        Arg("gyro_walk", Vec3, "rad/s", "step of gyro_bias, 0 for the estimate", "B"),
        Arg("dt", POSITIVE, "s", "length of the step", range=(0.0001, 0.1)),
    ],
    outputs=[
        Arg("p_next", Vec3, "m", "position after dt", "N"),
        Arg("v_next", Vec3, "m/s", "velocity after dt", "N"),
        Arg("q_next", Quaternion, "1", "attitude after dt", "B to N"),
        Arg("accel_bias_next", Vec3, "m/s^2", "bias after dt", "B"),
        Arg("gyro_bias_next", Vec3, "rad/s", "bias after dt", "B"),
    ],
    equation="p' = p_N + dt v_N + dt^2 a / 2; v' = v_N + dt a; q' = q_NB (x) [cos(h), sin(h) turn / |turn|]; "
    "a = R (accel - accel_bias - accel_noise) + [0, 0, 9.80665]; R = 1 + 2 q_NB_w q_NB_v~ + 2 q_NB_v~^2; "
    "h = |turn| / 2; turn = dt (gyro - gyro_bias - gyro_noise); "
    "accel_bias' = accel_bias + accel_walk; gyro_bias' = gyro_bias + gyro_walk",
    source=SOLA,
    requires="q_NB is a unit quaternion",
)
def strapdown(
    p_N: Vec3,
    v_N: Vec3,
    q_NB: Quaternion,
    accel_bias: Vec3,
    gyro_bias: Vec3,
    accel: Vec3,
    gyro: Vec3,
    accel_noise: Vec3,
    gyro_noise: Vec3,
    accel_walk: Vec3,
    gyro_walk: Vec3,
    dt: Scalar,
) -> Any:
    """Position, velocity and attitude in N, north-east-down, after a step of the inertial sensors."""
    force = quat_rotate(q_NB, accel - accel_bias - accel_noise)
    a = let("a", force + Vec3(0, 0, 9.80665))
    turn = (gyro - gyro_bias - gyro_noise) * dt
    q_next = quat_multiply(q_NB, quat_from_rotvec(turn))
    return (
        p_N + v_N * dt + a * (dt * dt / 2),
        v_N + a * dt,
        q_next,
        accel_bias + accel_walk,
        gyro_bias + gyro_walk,
    )


@kernel(
    inputs=[p_N],
    outputs=[Arg("position", Vec3, "m", "position of the antenna", "N")],
    equation="position = p_N",
    source="definition",
)
def gnss_position(p_N: Vec3) -> Vec3:
    """What a satellite receiver measures of the position."""
    return p_N


@kernel(
    inputs=[v_N],
    outputs=[Arg("velocity", Vec3, "m/s", "velocity of the antenna", "N")],
    equation="velocity = v_N",
    source="definition",
)
def gnss_velocity(v_N: Vec3) -> Vec3:
    """What a satellite receiver measures of the velocity."""
    return v_N


@kernel(
    inputs=[q_NB],
    outputs=[Arg("angle", REAL, "rad", "heading")],
    equation="angle = atan2(2 (q_w q_z + q_x q_y), 1 - 2 (q_y^2 + q_z^2))",
    source="Diebel, Representing Attitude (2006)",
    requires="q_NB is a unit quaternion; the body axis x is not vertical",
)
def heading(q_NB: Quaternion) -> Scalar:
    """Heading of the body axis x, east of north."""
    w, x, y, z = q_NB.scalars()
    return atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


inertial = Filter(
    strapdown,
    states=("p_N", "v_N", "q_NB", "accel_bias", "gyro_bias"),
    noise={
        "accel_noise": Arg("accel_var", Vec3, "m^2/s^4", "variances of the noise of accel", "B"),
        "gyro_noise": Arg("gyro_var", Vec3, "1/s^2", "variances of the noise of gyro", "B"),
        "accel_walk": Arg("accel_walk_var", Vec3, "m^2/s^4", "variances of the steps of accel_bias", "B"),
        "gyro_walk": Arg("gyro_walk_var", Vec3, "1/s^2", "variances of the steps of gyro_bias", "B"),
    },
)
predict_covariance = inertial.prediction("predict_covariance")
fuse_position = inertial.update(gnss_position, "fuse_position", Arg("R", POSITIVE, "m^2", "its variance"))
fuse_velocity = inertial.update(gnss_velocity, "fuse_velocity", Arg("R", POSITIVE, "m^2/s^2", "its variance"))
fuse_heading = inertial.update_angle(heading, "fuse_heading", Arg("R", POSITIVE, "1", "its variance"))
correct = inertial.correction("correct")
