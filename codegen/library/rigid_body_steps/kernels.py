"""Steps of the classical Runge-Kutta method for a rigid body, in other attitudes than the quaternion."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import Scalar
from codegen.library.rigid_body.kernels import REQUIRES
from codegen.library.rodrigues.kernels import mrp_kinematics, mrp_shadow, quat_from_mrp
from codegen.library.rotation.kernels import (
    RPY,
    dcm_from_rpy,
    dcm_kinematics,
    dcm_orthonormalize,
    quat_rotate,
)
from codegen.library.shared.angles import unchecked_rates_of_angles
from codegen.library.shared.arguments import rotation, rpy, wrench
from codegen.library.shared.guards import total
from codegen.library.shared.stepping import (
    DURATION,
    HELD,
    RUNGE_KUTTA,
    START,
    State,
    finite_or,
    forced,
    runge_kutta,
    state_after,
    step_failures,
)
from codegen.library.shared.works import SCHAUB
from codegen.modeling.failures import Failure
from codegen.modeling.types.algebra import Angles, InertiaTensor, Mat3, Rodrigues, Rotation, Vec3
from codegen.modeling.types.scalar import let

METHOD = (
    "k_1 = f(Y); k_2 = f(Y_2), Y_2 = Y + (dt / 2) k_1; k_3 = f(Y_3), Y_3 = Y + (dt / 2) k_2; "
    "k_4 = f(Y_4), Y_4 = Y + dt k_3; z = Y + (dt / 6) (k_1 + 2 k_2 + 2 k_3 + k_4)"
)
ACCELERATIONS = "F_B / m - w x v, J_B^-1 (M_B - w x J_B w)"


@kernel(
    inputs=[START, rpy(), *wrench(), DURATION],
    outputs=state_after(Arg("rpy_next", Angles, "rad", "attitude after the step, not wrapped", "B to N")),
    equation=f"Y = [p_N, rpy, v_B, w_B]; {METHOD}; "
    "p_N' = z[0:3]; rpy' = z[3:6]; v_B' = z[6:9]; w_B' = z[9:12]; f(y) = g(y[3:6], y[6:9], y[9:12]); "
    f"g(a, v, w) = [R(a) v, E(a)^-1 w, {ACCELERATIONS}]; R(a) = Rz(a[2]) Ry(a[1]) Rx(a[0]); "
    "E(a) = [[1, 0, -sin(a[1])], [0, cos(a[0]), sin(a[0]) cos(a[1])], "
    "[0, -sin(a[0]), cos(a[0]) cos(a[1])]]",
    source=RUNGE_KUTTA,
    requires=REQUIRES + HELD,
    failures={
        **step_failures("rpy", "|sum(rpy')| <= max"),
        Status.GIMBAL_LOCK: Failure(
            "|cos(Y[4])| > sqrt(eps), |cos(Y_2[4])| > sqrt(eps), |cos(Y_3[4])| > sqrt(eps), "
            "|cos(Y_4[4])| > sqrt(eps)",
            "v_B' = z[6:9], w_B' = z[9:12]",
            "otherwise, gimbal lock at a stage",
            "the rates of the angles at such a stage are those that rpy_kinematics returns at gimbal lock",
        ),
    },
)
def rigid_body_step_rk4_rpy(
    p_N: Vec3,
    rpy: Angles,
    v_B: Vec3,
    w_B: Vec3,
    F_B: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
    dt: Scalar,
) -> State[Angles]:
    """State of a rigid body with a roll-pitch-yaw attitude after a fourth-order Runge-Kutta step.

    The angles are integrated as they are: they may leave their principal range. Near gimbal lock they change
    fast, so that a step must be short: the angle turned in it must be much smaller than the cosine of pitch.
    """

    def kinematics(rpy: Angles, v: Vec3, w: Vec3) -> tuple[Vec3, Vec3]:
        return dcm_from_rpy(rpy) @ v, unchecked_rates_of_angles(RPY, rpy, w)

    before = (p_N, rpy, v_B, w_B)
    after = runge_kutta("rpy", before, kinematics, forced(F_B, M_B, m, J_B), dt)
    return finite_or(before, after, total(after[1]))


@kernel(
    inputs=[START, rotation("R_NB"), *wrench(), DURATION],
    outputs=state_after(Arg("R_NB_next", Rotation, "1", "attitude after the step, orthonormal", "B to N")),
    equation=f"Y = [p_N, R_NB e_x, R_NB e_y, R_NB e_z, v_B, w_B]; {METHOD}; "
    "p_N' = z[0:3]; v_B' = z[12:15]; w_B' = z[15:18]; "
    "R_NB' = cols(b_0, b_1, b_0 x b_1); b_0 = c_0 / |c_0|; n = (b_0 x c_1) x b_0; b_1 = n / |n|; "
    "c_0 = z[3:6], c_1 = z[6:9]; "
    "f(y) = g(cols(y[3:6], y[6:9], y[9:12]), y[12:15], y[15:18]); "
    f"g(R, v, w) = [R v, R w~ e_x, R w~ e_y, R w~ e_z, {ACCELERATIONS}]",
    source=RUNGE_KUTTA,
    requires=REQUIRES + "; `R_NB` is orthonormal" + HELD,
    failures={
        **step_failures("R_NB", "|c_0.c_0 + c_1.c_1| <= max"),
        Status.DEGENERATE: Failure(
            "c_0.c_0 > min, n.n > min, n.n > (4 eps)^2 c_1.c_1",
            "R_NB' = 1",
            "otherwise a column is zero, or `c_0` and `c_1` are parallel up to rounding",
        ),
    },
)
def rigid_body_step_rk4_dcm(
    p_N: Vec3,
    R_NB: Rotation,
    v_B: Vec3,
    w_B: Vec3,
    F_B: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
    dt: Scalar,
) -> State[Rotation]:
    """State of a rigid body with a rotation matrix as its attitude after a fourth-order Runge-Kutta step.

    The matrix is orthonormalised after the step by dcm_orthonormalize: the direction of B's x axis is kept.
    """

    def kinematics(R: Mat3, v: Vec3, w: Vec3) -> tuple[Vec3, Mat3]:
        return R @ v, dcm_kinematics(R, w)

    before = (p_N, R_NB, v_B, w_B)
    p, R, v, w = runge_kutta("R", before, kinematics, forced(F_B, M_B, m, J_B), dt)
    c_0, c_1, _ = R.columns
    return finite_or(before, (p, dcm_orthonormalize(R), v, w), c_0.dot(c_0) + c_1.dot(c_1))


@kernel(
    inputs=[
        START,
        Arg("s_NB", Rodrigues, "1", "attitude, modified Rodrigues parameters", "B to N"),
        *wrench(),
        DURATION,
    ],
    outputs=state_after(
        Arg("s_NB_next", Rodrigues, "1", "attitude after the step, of length at most 1", "B to N")
    ),
    equation=f"Y = [p_N, s_NB, v_B, w_B]; {METHOD}; "
    "p_N' = z[0:3]; s_NB' = {-a / (a.a) if a.a > 1, a otherwise}, a = z[3:6]; v_B' = z[6:9]; w_B' = z[9:12]; "
    "f(y) = g(y[3:6], y[6:9], y[9:12]); "
    f"g(s, v, w) = [R(s) v, ((1 - s.s) 1 + 2 s~ + 2 s s^T) w / 4, {ACCELERATIONS}]; "
    "R(s) = 1 + (8 s~ s~ + 4 (1 - s.s) s~) / (1 + s.s)^2",
    source=f"{SCHAUB}; {RUNGE_KUTTA}",
    requires=REQUIRES + HELD,
    failures=step_failures("s_NB", "|sum(a)| <= max"),
)
def rigid_body_step_rk4_mrp(
    p_N: Vec3,
    s_NB: Rodrigues,
    v_B: Vec3,
    w_B: Vec3,
    F_B: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
    dt: Scalar,
) -> State[Rodrigues]:
    """State of a rigid body with modified Rodrigues parameters after a fourth-order Runge-Kutta step.

    After the step, mrp_shadow chooses the shorter of their two sets, so that they stay away from their
    singularity at a whole turn.
    """

    def kinematics(s: Rodrigues, v: Vec3, w: Vec3) -> tuple[Vec3, Vec3]:
        return quat_rotate(let("q", quat_from_mrp(s)), v), mrp_kinematics(s, w)

    before = (p_N, s_NB, v_B, w_B)
    p, s, v, w = runge_kutta("s", before, kinematics, forced(F_B, M_B, m, J_B), dt)
    return finite_or(before, (p, mrp_shadow(s), v, w), total(s))
