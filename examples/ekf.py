"""Prediction step of an inertial navigation filter with 24 states, as flight controllers use it.

States, in this order: attitude (quaternion, 4), velocity (3) and position (3) in north-east-down axes, biases
of the gyros (3) and accelerometers (3), magnetic field of the Earth (3) and of the body (3), wind (2). The
inertial sensors give the angle and the velocity that the body gains in each step.

P' = F P F^T + G S G^T costs least as a chain of steps, each with the rows of F for its states: position
integrates velocity, velocity depends on attitude and accelerometer bias, attitude rotates and depends on gyro
bias. The other states are constant; only their covariances with these states change.
"""

from typing import Any

from codegen import (
    REAL,
    Arg,
    Matrix,
    MatrixValue,
    Quaternion,
    Scalar,
    Symmetric,
    SymmetricValue,
    UnitQuaternion,
    Vec3,
    kernel,
    let,
)
from codegen.library.rotation.kernels import quat_rotate, quat_to_dcm_unit

STATES = 24
ATTITUDE, VELOCITY, POSITION, GYRO_BIAS, ACCEL_BIAS = 0, 4, 7, 10, 13
"""The first state of each part."""

COVARIANCE = Symmetric(STATES)
SAME = Matrix.identity(STATES)

ATTITUDE_NB = Arg("q_NB", UnitQuaternion, "1", "attitude", "B to N")
SENSORS = (
    Arg("gyro_bias", Vec3, "rad/s", "bias of the gyros", "B"),
    Arg("accel_bias", Vec3, "m/s^2", "bias of the accelerometers", "B"),
    Arg("d_ang", Vec3, "rad", "angle measured by the gyros over dt", "B"),
    Arg("d_vel", Vec3, "m/s", "velocity measured by the accelerometers over dt", "B"),
    Arg("dt", REAL, "s", "length of the step"),
)
SOURCE = "Titterton and Weston, Strapdown Inertial Navigation Technology, 2nd ed. (2004); "
SOURCE += "Sola, Quaternion kinematics for the error-state Kalman filter (2017), sections 4 and 5"


def state_definition(
    q: Any, v: Any, p: Any, gyro_bias: Any, accel_bias: Any, d_ang: Any, d_vel: Any, dt: Any, g: Any
) -> list[Any]:
    """The process model is computed with SymPy's quaternions and matrices."""
    import sympy

    angle = sympy.Matrix(d_ang) - dt * sympy.Matrix(gyro_bias)
    gain = sympy.Matrix(d_vel) - dt * sympy.Matrix(accel_bias)
    attitude = sympy.Quaternion(*q) * sympy.Quaternion(1, *(angle / 2))
    w, u = q[0], sympy.Matrix(q[1:])
    rotated = gain + 2 * w * u.cross(gain) + 2 * u.cross(u.cross(gain))
    velocity = sympy.Matrix(v) + rotated + sympy.Matrix([0, 0, g * dt])
    return [*attitude.args[:4], *velocity, *(sympy.Matrix(p) + dt * sympy.Matrix(v))]


def covariance_definition(
    q: Any,
    gyro_bias: Any,
    accel_bias: Any,
    d_ang: Any,
    d_vel: Any,
    dt: Any,
    ang_var: Any,
    vel_var: Any,
    P: Any,
) -> Any:
    """SymPy differentiates the process model and multiplies the dense matrices."""
    import sympy

    v, p, g, constant = sympy.symbols("v:3"), sympy.symbols("p:3"), sympy.Symbol("g"), sympy.symbols("x:8")
    state = [*q, *v, *p, *gyro_bias, *accel_bias, *constant]
    moved = state_definition(q, v, p, gyro_bias, accel_bias, d_ang, d_vel, dt, g)
    after = sympy.Matrix([*moved, *gyro_bias, *accel_bias, *constant])
    F, G = after.jacobian(state), after.jacobian([*d_ang, *d_vel])
    S = sympy.diag(*ang_var, *vel_var)
    return F * P * F.T + G * S * G.T


@kernel(
    inputs=[
        ATTITUDE_NB,
        Arg("v_N", Vec3, "m/s", "velocity", "N"),
        Arg("p_N", Vec3, "m", "position", "N"),
        *SENSORS,
        Arg("g", REAL, "m/s^2", "acceleration due to gravity"),
    ],
    outputs=[
        Arg("q_next", Quaternion, "1", "attitude after dt, not normalised", "B to N"),
        Arg("v_next", Vec3, "m/s", "velocity after dt", "N"),
        Arg("p_next", Vec3, "m", "position after dt", "N"),
    ],
    equation="q' = q_NB (x) [1, a / 2]; v' = v_N + R b + dt [0, 0, g]; p' = p_N + dt v_N; "
    "a = d_ang - dt gyro_bias; b = d_vel - dt accel_bias; R = 1 + 2 q_w q_v~ + 2 q_v~^2",
    source=SOURCE,
    requires="q_NB is a unit quaternion; d_ang is a small angle",
    definition=state_definition,
)
def state_prediction(
    q_NB: UnitQuaternion,
    v_N: Vec3,
    p_N: Vec3,
    gyro_bias: Vec3,
    accel_bias: Vec3,
    d_ang: Vec3,
    d_vel: Vec3,
    dt: Scalar,
    g: Scalar,
) -> tuple[Quaternion, Vec3, Vec3]:
    """State of an inertial navigation filter after one step, to first order; other states are constant."""
    turn = Quaternion.from_parts(1, (d_ang - gyro_bias * dt) / 2)
    gain = quat_rotate(q_NB, d_vel - accel_bias * dt) + Vec3(0, 0, g * dt)
    return q_NB @ turn, v_N + gain, p_N + v_N * dt


@kernel(
    inputs=[
        ATTITUDE_NB,
        *SENSORS,
        Arg("d_ang_var", Vec3, "rad^2", "variances of the noise of d_ang", "B"),
        Arg("d_vel_var", Vec3, "m^2/s^2", "variances of the noise of d_vel", "B"),
        Arg("P", COVARIANCE, "mixed", "covariance of the 24 states"),
    ],
    outputs=[Arg("P_next", COVARIANCE, "mixed", "covariance after dt")],
    equation="P' = F P F^T + G diag(d_ang_var, d_vel_var) G^T; "
    "F = [[jacobian(q, q_NB), 0, 0, jacobian(q, gyro_bias), 0, 0], "
    "[jacobian(u, q_NB), identity(3), 0, 0, jacobian(u, accel_bias), 0], "
    "[0, dt identity(3), identity(3), 0, 0, 0], [0, 0, 0, identity(3), 0, 0], [0, 0, 0, 0, identity(3), 0], "
    "[0, 0, 0, 0, 0, identity(8)]]; "
    "G = [[jacobian(q, d_ang), 0], [0, jacobian(u, d_vel)], [zeros(17, 3), zeros(17, 3)]]; "
    "q = q_NB (x) [1, a / 2]; u = b + 2 q_w q_v x b + 2 q_v x (q_v x b); "
    "a = d_ang - dt gyro_bias; b = d_vel - dt accel_bias",
    source=SOURCE,
    requires="q_NB is a unit quaternion; d_ang is a small angle",
    definition=covariance_definition,
)
def covariance_prediction(
    q_NB: UnitQuaternion,
    gyro_bias: Vec3,
    accel_bias: Vec3,
    d_ang: Vec3,
    d_vel: Vec3,
    dt: Scalar,
    d_ang_var: Vec3,
    d_vel_var: Vec3,
    P: SymmetricValue,
) -> SymmetricValue:
    """Covariance of a 24-state inertial navigation filter after one step.

    States: q_NB (4), v_N (3), p_N (3), gyro_bias (3), accel_bias (3), magnetic field of the Earth (3) and of
    the body (3), wind (2).
    """
    R = quat_to_dcm_unit(q_NB)
    half_turn = let("half_turn", (d_ang - gyro_bias * dt) / 2)
    gain = let("gain", d_vel - accel_bias * dt)
    slope, by_bias = rotation_slope(q_NB, gain), let("dt_R", R * -dt)

    P = moved(P, SAME.with_block(POSITION, VELOCITY, Matrix.diag([dt, dt, dt])))
    P = moved(P, SAME.with_block(VELOCITY, ATTITUDE, slope).with_block(VELOCITY, ACCEL_BIAS, by_bias))
    P = P + noise(VELOCITY, R, d_vel_var)
    P = moved(P, SAME.with_block(ATTITUDE, ATTITUDE, turned(half_turn)))
    P = moved(P, SAME.with_block(ATTITUDE, GYRO_BIAS, half_kinematics(q_NB * -dt)))
    added: SymmetricValue = P + noise(ATTITUDE, half_kinematics(q_NB), d_ang_var)
    return added


def rotation_slope(q: Quaternion, a: Vec3) -> list[list[Scalar]]:
    """d(R a)/dq, 3x4, of R a = a + 2 w u x a + 2 u x (u x a).

    It is [s, 2 u.a 1 - 2 a u^T - (s + 2 w a)~] with s = 2 u x a.
    """
    u, b = q.vector, a + a
    s = let("s", u.cross(b))
    x, y, z = let("r", s + b * q.w).scalars()
    along = [c * d for c, d in zip(b.scalars(), u.scalars(), strict=True)]
    return [
        [s.x, along[1] + along[2], z - b.x * u.y, -y - b.x * u.z],
        [s.y, -z - b.y * u.x, along[0] + along[2], x - b.y * u.z],
        [s.z, y - b.z * u.x, -x - b.z * u.y, along[0] + along[1]],
    ]


def half_kinematics(q: Quaternion) -> list[list[Scalar]]:
    """dq/da of q (x) [0, a/2], 4x3."""
    w, x, y, z = (q / 2).scalars()
    return [[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]


def turned(a: Vec3) -> MatrixValue:
    """The 4x4 matrix of q (x) [1, a]."""
    return Matrix.from_rows(
        [1, -a.x, -a.y, -a.z], [a.x, 1, a.z, -a.y], [a.y, -a.z, 1, a.x], [a.z, a.y, -a.x, 1]
    )


def moved(P: SymmetricValue, F: MatrixValue) -> SymmetricValue:
    """The covariance of F x."""
    after: SymmetricValue = F @ P @ F.T
    return after


def noise(first: int, G: Any, variances: Vec3) -> SymmetricValue:
    """What white noise n adds to the covariance when G n, with three columns, is added to x[first:]."""
    whole = Matrix.zeros(STATES, 3).with_block(first, 0, G)
    added: SymmetricValue = whole @ Matrix.diag(variances) @ whole.T
    return added
