"""Covariance prediction of an error-state navigation filter with 24 errors, as PX4's EKF2 has them.

Errors, in this order: attitude (a rotation vector, 3), velocity (3) and position (3), all in north-east-down
axes; biases of the gyros (3) and accelerometers (3); magnetic field of the Earth (3) and of the body (3);
wind (2); height of the terrain (1).

To first order in dt, an error of velocity moves the position, an error of attitude turns the specific force,
a bias of the accelerometers adds to it, and a bias of the gyros turns the attitude. P' = F P F^T + G S G^T
costs least as a chain of these steps, in this order, so that each step finds the errors as they were.
"""

from typing import Any

from codegen import (
    REAL,
    Arg,
    Mat3,
    Matrix,
    MatrixValue,
    Scalar,
    Symmetric,
    SymmetricValue,
    UnitQuaternion,
    Vec3,
    kernel,
    let,
)
from codegen.library.rotation.kernels import quat_to_dcm_unit

ERRORS = 24
ATTITUDE, VELOCITY, POSITION, GYRO_BIAS, ACCEL_BIAS = 0, 3, 6, 9, 12
"""The first error of each part."""

COVARIANCE = Symmetric(ERRORS)
SAME = Matrix.identity(ERRORS)


def covariance_definition(
    q: Any, accel_bias: Any, accel: Any, accel_var: Any, gyro_var: Any, dt: Any, P: Any
) -> Any:
    """SymPy differentiates the difference of a true and an estimated step, and multiplies dense matrices."""
    import sympy

    errors, noise, gyro = (sympy.symbols(f"{name}:{n}") for name, n in (("e", ERRORS), ("n", 6), ("w", 3)))

    def part(first: int) -> Any:
        return sympy.Matrix(errors[first : first + 3])

    def rotated(q: Any, a: Any) -> Any:
        w, u = q.a, sympy.Matrix([q.b, q.c, q.d])
        return a + 2 * w * u.cross(a) + 2 * u.cross(u.cross(a))

    def turned(q: Any, rate: Any) -> Any:
        return q * sympy.Quaternion(1, *(rate * dt / 2))

    rate, force = sympy.Matrix(gyro), sympy.Matrix(accel) - sympy.Matrix(accel_bias)
    estimate = sympy.Quaternion(*q)
    true = sympy.Quaternion(1, *(part(ATTITUDE) / 2)) * estimate
    true_rate = rate - part(GYRO_BIAS) - sympy.Matrix(noise[:3])
    true_force = force - part(ACCEL_BIAS) - sympy.Matrix(noise[3:])
    turn = turned(true, true_rate) * sympy.conjugate(turned(estimate, rate))
    attitude = [2 * turn.b, 2 * turn.c, 2 * turn.d]
    velocity = part(VELOCITY) + (rotated(true, true_force) - rotated(estimate, force)) * dt
    position = part(POSITION) + part(VELOCITY) * dt
    after = sympy.Matrix([*attitude, *velocity, *position, *errors[GYRO_BIAS:]])
    none = dict.fromkeys((*errors, *noise), 0)
    F, G = (_first_order(after.jacobian(by).subs(none), dt) for by in (errors, noise))
    return F * P * F.T + G * sympy.diag(*[gyro_var] * 3, *accel_var) * G.T


def _first_order(slopes: Any, dt: Any) -> Any:
    """The matrix without terms in dt^2; expanded, so that the angular velocity cancels."""
    return (slopes.subs(dt, 0) + dt * slopes.diff(dt).subs(dt, 0)).expand()


@kernel(
    inputs=[
        Arg("q_NB", UnitQuaternion, "1", "attitude", "B to N"),
        Arg("accel_bias", Vec3, "m/s^2", "bias of the accelerometers", "B"),
        Arg("accel", Vec3, "m/s^2", "specific force that the accelerometers measure", "B"),
        Arg("accel_var", Vec3, "m^2/s^4", "variances of the noise of accel", "B"),
        Arg("gyro_var", REAL, "rad^2/s^2", "variance of the noise of each gyro"),
        Arg("dt", REAL, "s", "length of the step"),
        Arg("P", COVARIANCE, "mixed", "covariance of the 24 errors"),
    ],
    outputs=[Arg("P_next", COVARIANCE, "mixed", "covariance after dt")],
    equation="P' = F P F^T + G diag(gyro_var, gyro_var, gyro_var, accel_var) G^T; "
    "F = [[identity(3), 0, 0, -dt R, 0, 0], [-f~, identity(3), 0, 0, -dt R, 0], "
    "[0, dt identity(3), identity(3), 0, 0, 0], "
    "[0, 0, 0, identity(3), 0, 0], [0, 0, 0, 0, identity(3), 0], [0, 0, 0, 0, 0, identity(9)]]; "
    "G = [[-dt R, 0], [0, -dt R], [zeros(18, 3), zeros(18, 3)]]; "
    "f = dt R (accel - accel_bias); R = 1 + 2 q_w q_v~ + 2 q_v~^2",
    source="Sola, Quaternion kinematics for the error-state Kalman filter (2017), section 7",
    requires="q_NB is a unit quaternion",
    definition=covariance_definition,
)
def error_covariance_prediction(
    q_NB: UnitQuaternion,
    accel_bias: Vec3,
    accel: Vec3,
    accel_var: Vec3,
    gyro_var: Scalar,
    dt: Scalar,
    P: SymmetricValue,
) -> SymmetricValue:
    """Covariance of a 24-state error-state navigation filter after one step.

    Errors: attitude (a rotation vector in N, 3), v_N (3), p_N (3), gyro_bias (3), accel_bias (3), magnetic
    field of the Earth (3) and of the body (3), wind (2), terrain (1).
    """
    by_bias = let("dt_R", quat_to_dcm_unit(q_NB) * -dt)
    by_turn = Mat3.skew(by_bias @ (accel - accel_bias))
    turn_var = gyro_var * dt * dt

    P = moved(P, POSITION, {VELOCITY: Matrix.diag([dt, dt, dt])})
    P = moved(P, VELOCITY, {ATTITUDE: by_turn, ACCEL_BIAS: by_bias})
    P = P + noise(VELOCITY, by_bias, accel_var)
    P = moved(P, ATTITUDE, {GYRO_BIAS: by_bias})
    added: SymmetricValue = P + Matrix.diag([turn_var] * 3 + [0] * (ERRORS - 3)).symmetric
    return added


def moved(P: SymmetricValue, first: int, slopes: dict[int, Any]) -> SymmetricValue:
    """The covariance when errors from `first` on gain the products of slopes with other errors."""
    F: MatrixValue = SAME
    for by, slope in slopes.items():
        F = F.with_block(first, by, slope)
    after: SymmetricValue = F @ P @ F.T
    return after


def noise(first: int, G: Any, variances: Vec3) -> SymmetricValue:
    """What white noise n adds to the covariance when G n is added to three errors from `first` on."""
    whole = Matrix.zeros(ERRORS, 3).with_block(first, 0, G)
    added: SymmetricValue = whole @ Matrix.diag(variances) @ whole.T
    return added
