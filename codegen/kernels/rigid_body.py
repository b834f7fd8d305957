"""The six-degree-of-freedom equations of a rigid body about its centre of mass."""

from collections.abc import Sequence

from codegen.algebra import REAL, Angles, InertiaTensor, Quaternion, Vec3
from codegen.describe import kernel
from codegen.kernels.arguments import central_inertia, mass, quaternion, rpy, vector
from codegen.kernels.rotation import (
    RPY_LOCK,
    dcm_from_rpy,
    quat_kinematics,
    quat_rotate,
    rpy_kinematics,
)
from codegen.program import Arg
from codegen.scalar import EPS, MIN, Scalar, Status, every, finite, let, require, select

SOURCE = "Stevens and Lewis, Aircraft Control and Simulation, section 1.5 (flat, non-rotating Earth)"
REQUIRES = "m > 0 and J_B is positive definite; B's origin is the centre of mass"
FAILURES = {
    Status.MASS: "m is not above the smallest normal number: dv_B = 0",
    Status.SINGULAR: "J_B is not positive definite, or det(J_B) is not above 16 eps Jxx Jyy Jzz or not a "
    "normal number: dw_B = 0",
    Status.NOT_FINITE: "dv_B or dw_B overflows: that one is 0",
}


def _acceleration(F_B: Vec3, m: Scalar, v_B: Vec3, w_B: Vec3) -> Vec3:
    """dv = F / m - w x v, or zero where there is no mass."""
    ok = let("has_mass", require(m > MIN, Status.MASS))
    specific: Vec3 = F_B * let("inv_m", 1 / select(ok, m, 1))
    return _guarded(ok, let("dv", specific - w_B.cross(v_B)))


def _angular_acceleration(M_B: Vec3, J: InertiaTensor, w_B: Vec3) -> Vec3:
    """dw = J^-1 (M - w x J w) by the adjugate, or zero where J has no inverse."""
    adj = let("adj", J.adjugate)
    det = let("det", J.xx * adj.xx + J.xy * adj.xy + J.xz * adj.xz)
    definite = every(J.xx > 0, adj.zz > 0, det > MIN, det > 16 * EPS * J.xx * J.yy * J.zz)
    ok = let("regular", require(definite, Status.SINGULAR))
    torque = let("torque", M_B - w_B.cross(let("L", J @ w_B)))
    dw: Vec3 = (adj @ torque) * let("inv_det", 1 / select(ok, det, 1))
    return _guarded(ok, let("dw", dw))


def _guarded(ok: Scalar, rate: Vec3) -> Vec3:
    """The rate, or zero where it is not `ok` or overflows: an infinite term makes the sum infinite or NaN."""
    total = select(ok, rate.x + rate.y + rate.z, 0)
    bounded = let("bounded", require(finite(total), Status.NOT_FINITE))
    return select(every(ok, bounded), rate, Vec3.zero())


def _wrench() -> Sequence[Arg]:
    return (
        vector("v_B", "m/s", "velocity of the centre of mass relative to N", "B"),
        vector("w_B", "rad/s", "angular velocity of B relative to N", "B"),
        vector("F_B", "N", "total force, gravity included", "B"),
        vector("M_B", "N m", "total moment about the centre of mass", "B"),
        mass(),
        central_inertia("J_B", "B"),
    )


def _rates(attitude_rate: Arg) -> Sequence[Arg]:
    return (
        vector("dp_N", "m/s", "rate of the position", "N"),
        attitude_rate,
        vector("dv_B", "m/s^2", "componentwise rate of v_B", "B"),
        vector("dw_B", "rad/s^2", "componentwise rate of w_B", "B"),
    )


POSITION = vector("p_N", "m", "position of the centre of mass; the rates do not depend on it", "N")


@kernel(
    inputs=[
        POSITION,
        quaternion("q_NB", "attitude, near unit norm"),
        *_wrench(),
        Arg("baumgarte", REAL, "1/s", "rate b that pulls the quaternion's norm to 1; 0 for none"),
    ],
    outputs=_rates(Arg("dq", Quaternion, "1/s", "rate of q_NB")),
    equation="dp_N = R(q) v_B; dq = 1/2 q [0, w_B] - b (q.q - 1) q; dv_B = F_B / m - w_B x v_B; "
    "dw_B = J_B^-1 (M_B - w_B x J_B w_B)",
    source=SOURCE,
    requires=REQUIRES + "; q_NB is a unit quaternion, up to what baumgarte corrects",
    failures=FAILURES,
)
def rigid_body_dynamics_quat(
    p_N: Vec3,
    q_NB: Quaternion,
    v_B: Vec3,
    w_B: Vec3,
    F_B: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
    baumgarte: Scalar,
) -> tuple[Vec3, Quaternion, Vec3, Vec3]:
    """State derivative of a rigid body with a quaternion attitude."""
    return (
        quat_rotate(q_NB, v_B),
        quat_kinematics(q_NB, w_B, baumgarte),
        _acceleration(F_B, m, v_B, w_B),
        _angular_acceleration(M_B, J_B, w_B),
    )


@kernel(
    inputs=[POSITION, rpy(), *_wrench()],
    outputs=_rates(Arg("drpy", Vec3, "rad/s", "rates of roll, pitch and yaw")),
    equation="dp_N = R(rpy) v_B; drpy = H(rpy) w_B; dv_B = F_B / m - w_B x v_B; "
    "dw_B = J_B^-1 (M_B - w_B x J_B w_B)",
    source=SOURCE,
    requires=REQUIRES + "; theta is away from +-pi/2",
    failures={**FAILURES, Status.GIMBAL_LOCK: RPY_LOCK},
)
def rigid_body_dynamics_rpy(
    p_N: Vec3,
    rpy: Angles,
    v_B: Vec3,
    w_B: Vec3,
    F_B: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
) -> tuple[Vec3, Vec3, Vec3, Vec3]:
    """State derivative of a rigid body with a roll-pitch-yaw attitude."""
    return (
        dcm_from_rpy(rpy) @ v_B,
        rpy_kinematics(rpy, w_B),
        _acceleration(F_B, m, v_B, w_B),
        _angular_acceleration(M_B, J_B, w_B),
    )
