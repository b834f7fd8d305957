"""The six-degree-of-freedom equations of a rigid body: rates, their derivatives, steps, energy, momenta."""

from collections.abc import Sequence
from typing import Any

from codegen.frontends.define import kernel, nonzeros
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Array, Scalar, flatten
from codegen.library.inertia_factors.kernels import about_com, solved_failures
from codegen.library.rodrigues.kernels import mrp_kinematics, quat_from_mrp
from codegen.library.rotation.kernels import (
    RATE_NOT_FINITE,
    RPY_LOCK,
    dcm_from_rpy,
    quat_kinematics,
    quat_rotate,
    quat_rotate_inverse,
    quat_to_dcm_unit,
    rpy_kinematics,
)
from codegen.library.rotation_vector.kernels import quat_integrate
from codegen.library.shared.arguments import (
    attitude,
    central_inertia,
    force,
    inertia,
    mass,
    motion,
    pose,
    quaternion,
    rotation,
    rpy,
    vector,
    wrench,
)
from codegen.library.shared.guards import (
    DEFINITE,
    NOT_DEFINITE,
    both_or_zero,
    bounded,
    finite_or_zero,
    total,
)
from codegen.library.shared.stepping import (
    DURATION,
    HELD,
    RUNGE_KUTTA,
    START,
    State,
    finite_or,
    forced,
    inverse_mass,
    inverse_parts,
    runge_kutta,
    safe_mass,
    state_after,
    step_failures,
)
from codegen.library.shared.works import FEATHERSTONE, GOLDSTEIN, LUBICH, SCHAUB, STEVENS
from codegen.modeling.failures import Failure
from codegen.modeling.quantities.frames import in_frame
from codegen.modeling.types.algebra import (
    Angles,
    Force,
    Inertia,
    InertiaTensor,
    Mat3,
    Motion,
    Quaternion,
    Rodrigues,
    Rotation,
    SymMat3,
    Transform,
    UnitQuaternion,
    Vec3,
)
from codegen.modeling.types.scalar import EPS, MIN, every, finite, let, require, select, sqrt

SOURCE = f"{STEVENS} (flat, non-rotating Earth)"
AT_COM = "B's origin is the centre of mass"
CONSTANT = "`m` and `J_B` are constant"
INERTIAL = "N is an inertial frame"
REQUIRES = f"{AT_COM}; {INERTIAL}; {CONSTANT}"


def _failures(
    *kinematics: str, dv: str = "dv_B", others: Sequence[Failure] = ()
) -> dict[Status, Failure | list[Failure]]:
    """The failures of rates; those of position and attitude are 0 where one of them is not finite."""
    zeros = ", ".join(f"{rate} = 0" for rate in kinematics)
    return {
        Status.MASS: Failure("m > min", f"{dv} = 0"),
        Status.SINGULAR: Failure(
            "J_xx > 0, |J_xx| <= max, J_yy - J_xy^2 / J_xx > 0, det(J_B) / J_xx > min, "
            "det(J_B) / J_xx > 16 eps J_yy J_zz",
            "dw_B = 0",
            "otherwise `J_B` is not positive definite, or its determinant is lost in rounding",
        ),
        Status.NOT_FINITE: [
            Failure(f"|sum({', '.join(kinematics)})| <= max", zeros),
            *others,
            Failure("m J_xx > min, |m J_xx| <= max", f"{dv} = 0, dw_B = 0"),
            Failure(f"|sum({dv})| <= max", f"{dv} = 0"),
            Failure("|sum(dw_B)| <= max", "dw_B = 0"),
        ],
    }


QUATERNION_FAILURES = _failures("dp_N", "dq")


def _accelerations(F: Vec3, m: Scalar, turning: Vec3, M_B: Vec3, J: SymMat3, w_B: Vec3) -> tuple[Vec3, Vec3]:
    """dv = F / m - turning and dw = J^-1 (M - w x J w), each zero where there is no mass or inverse.

    J is solved by elimination, Jxx first, then the 2x2 rest by Cramer's rule. 1 / m and 1 / Jxx share a
    division.
    """
    massive, mass = safe_mass(m)
    pivot = let("positive", require(every(J.xx > 0, finite(J.xx)), Status.SINGULAR))
    first = select(pivot, J.xx, 1)
    both = let("m_Jxx", first * mass)
    normal = let("normal", require(every(both > MIN, finite(both)), Status.NOT_FINITE))
    inv_both = let("inv_m_Jxx", 1 / select(normal, both, 1))
    specific: Vec3 = F * let("inv_m", first * inv_both)
    torque = let("torque", M_B - w_B.cross(let("L", J @ w_B)))
    regular, dw = _solved(J, let("inv_Jxx", mass * inv_both), torque)
    return (
        finite_or_zero(every(massive, normal), let("dv", specific - turning)),
        finite_or_zero(every(pivot, regular, normal), let("dw", dw)),
    )


_SCHUR = "the Schur complement of Jxx in the inertia, which the elimination of the x axis leaves"
_FACTOR = "the factor with which the elimination of the x axis subtracts the first row of the inertia"


def _solved(J: SymMat3, inv_Jxx: Scalar, t: Vec3) -> tuple[Scalar, Vec3]:
    """Whether J is positive definite if Jxx is positive, and J^-1 t, given 1 / Jxx."""
    xy, xz = let("L_10", J.xy * inv_Jxx, _FACTOR), let("L_20", J.xz * inv_Jxx, _FACTOR)
    yy = let("S_yy", J.yy - xy * J.xy, f"element yy of {_SCHUR}")
    yz = let("S_yz", J.yz - xy * J.xz, f"element yz of {_SCHUR}")
    zz = let("S_zz", J.zz - xz * J.xz, f"element zz of {_SCHUR}")
    det = let("S_det", yy * zz - yz * yz, f"the determinant of {_SCHUR}")
    definite = every(yy > 0, det > MIN, det > 16 * EPS * J.yy * J.zz)
    ok = let("regular", require(definite, Status.SINGULAR))
    scale = let("inv_S_det", 1 / select(ok, det, 1))
    a = let("a", t.x * inv_Jxx)
    b, c = let("b", t.y - J.xy * a), let("c", t.z - J.xz * a)
    y, z = let("dw_y", (zz * b - yz * c) * scale), let("dw_z", (yy * c - yz * b) * scale)
    return ok, Vec3(a - xy * y - xz * z, y, z)


def _rates(attitude_rate: Arg) -> Sequence[Arg]:
    return (
        vector("dp_N", "m/s", "rate of the position", "N"),
        attitude_rate,
        vector("dv_B", "m/s^2", "componentwise rate of `v_B`", "B"),
        vector("dw_B", "rad/s^2", "componentwise rate of `w_B`", "B"),
    )


POSITION = vector("p_N", "m", "position of the centre of mass; the rates do not depend on it", "N")


@kernel(
    inputs=[
        POSITION,
        quaternion("q_NB", "attitude, near unit norm"),
        *wrench(),
        Arg("baumgarte", REAL, "1/s", "gain of the correction of the quaternion's norm; 0 disables it"),
    ],
    outputs=_rates(Arg("dq", Quaternion, "1/s", "rate of `q_NB`")),
    equation="dp_N = R v_B; dq = 1/2 q (x) [0, w_B] - baumgarte (q.q - 1) q; dv_B = F_B / m - w_B x v_B; "
    "dw_B = J_B^-1 (M_B - w_B x J_B w_B); R = 1 + 2 w u~ + 2 u~ u~; q_NB = [w, u]",
    source=SOURCE,
    requires=REQUIRES + "; `q_NB` is a unit quaternion, up to the drift that `baumgarte` corrects",
    failures=QUATERNION_FAILURES,
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
        *both_or_zero(quat_rotate(q_NB, v_B), quat_kinematics(q_NB, w_B, baumgarte)),
        *_accelerations(F_B, m, w_B.cross(v_B), M_B, J_B, w_B),
    )


@kernel(
    inputs=[POSITION, rpy(), *wrench()],
    outputs=_rates(Arg("drpy", Vec3, "rad/s", "rates of roll, pitch and yaw")),
    equation="dp_N = R v_B; drpy = E^-1 w_B; dv_B = F_B / m - w_B x v_B; "
    "dw_B = J_B^-1 (M_B - w_B x J_B w_B); "
    "R = Rz(psi) Ry(theta) Rx(phi); "
    "E = [[1, 0, -sin(theta)], [0, cos(phi), sin(phi) cos(theta)], [0, -sin(phi), cos(phi) cos(theta)]]; "
    "rpy = [phi, theta, psi]",
    source=SOURCE,
    requires=REQUIRES,
    failures={
        **_failures("dp_N", others=[RATE_NOT_FINITE]),
        Status.GIMBAL_LOCK: RPY_LOCK,
    },
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
        finite_or_zero(True, dcm_from_rpy(rpy) @ v_B),
        rpy_kinematics(rpy, w_B),
        *_accelerations(F_B, m, w_B.cross(v_B), M_B, J_B, w_B),
    )


@kernel(
    inputs=[POSITION, rotation("R_NB"), *wrench()],
    outputs=_rates(Arg("dR_NB", Mat3, "1/s", "rate of `R_NB`; not a rotation matrix", "B to N")),
    equation="dp_N = R_NB v_B; dR_NB = R_NB w_B~; dv_B = F_B / m - w_B x v_B; "
    "dw_B = J_B^-1 (M_B - w_B x J_B w_B)",
    source=SOURCE,
    requires=REQUIRES + "; `R_NB` is orthonormal",
    failures=_failures("dp_N", "dR_NB"),
)
def rigid_body_dynamics_dcm(
    p_N: Vec3,
    R_NB: Rotation,
    v_B: Vec3,
    w_B: Vec3,
    F_B: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
) -> tuple[Vec3, Mat3, Vec3, Vec3]:
    """State derivative of a rigid body whose attitude is a rotation matrix.

    An integrator's step leaves `R_NB` slightly non-orthonormal; dcm_orthonormalize corrects that.
    """
    return (
        *both_or_zero(R_NB @ v_B, Mat3.from_rows(*(row.cross(w_B) for row in R_NB.rows))),
        *_accelerations(F_B, m, w_B.cross(v_B), M_B, J_B, w_B),
    )


@kernel(
    inputs=[
        POSITION,
        Arg("s_NB", Rodrigues, "1", "attitude, modified Rodrigues parameters", "B to N"),
        *wrench(),
    ],
    outputs=_rates(Arg("ds_NB", Vec3, "1/s", "rate of `s_NB`", "B to N")),
    equation="dp_N = R v_B; ds_NB = ((1 - s.s) 1 + 2 s~ + 2 s s^T) w_B / 4; dv_B = F_B / m - w_B x v_B; "
    "dw_B = J_B^-1 (M_B - w_B x J_B w_B); "
    "R = 1 + (8 s~ s~ + 4 (1 - s.s) s~) / (1 + s.s)^2",
    source=f"{SCHAUB}; {SOURCE}",
    requires=REQUIRES,
    failures=_failures("dp_N", "ds_NB"),
)
def rigid_body_dynamics_mrp(
    p_N: Vec3,
    s_NB: Rodrigues,
    v_B: Vec3,
    w_B: Vec3,
    F_B: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
) -> tuple[Vec3, Vec3, Vec3, Vec3]:
    """State derivative of a rigid body whose attitude is modified Rodrigues parameters.

    They are singular at a whole turn: switch to the shorter set by mrp_shadow between steps.
    """
    return (
        *both_or_zero(quat_rotate(let("q", quat_from_mrp(s_NB)), v_B), mrp_kinematics(s_NB, w_B)),
        *_accelerations(F_B, m, w_B.cross(v_B), M_B, J_B, w_B),
    )


@kernel(
    inputs=[
        pose("T_NB", "pose of the body: `R_NB` and the position of B's origin, any point of the body"),
        motion("v", "B", "angular velocity of B and velocity of its origin, relative to N"),
        force("f", "B", "total moment about B's origin and total force, gravity included"),
        inertia("I_B", "B"),
    ],
    outputs=[
        Arg("dR_NB", Mat3, "1/s", "rate of `R_NB`; not a rotation matrix", "B to N"),
        vector("dp_N", "m/s", "rate of the position of B's origin", "N"),
        motion("dv", "B", "spatial acceleration: the componentwise rate of `v`", "rad/s^2; m/s^2"),
    ],
    equation="dR_NB = R_NB w~; dp_N = R_NB v_O; dv = I_B^-1 (f - crf(v) I_B v); v = [w, v_O]",
    source=FEATHERSTONE.at("section 2.14"),
    requires=f"{INERTIAL}; `I_B` is constant; `R_NB` is orthonormal",
    failures={
        **solved_failures("dv = 0", ", Jc = J - ((h.h) 1 - h h^T) / m"),
        Status.NOT_FINITE: [
            Failure("|sum(dR_NB, dp_N)| <= max", "dR_NB = 0, dp_N = 0"),
            Failure("|sum(dv[0:3])| <= max, |sum(dv[3:6])| <= max", "dv = 0"),
        ],
    },
)
def rigid_body_dynamics_spatial(
    T_NB: Transform, v: Motion, f: Force, I_B: Inertia
) -> tuple[Mat3, Vec3, Motion]:
    """State derivative of a rigid body from spatial vectors about any point of it.

    The equations are solved about the centre of mass, where they decouple into Newton's and Euler's; the
    acceleration of B's origin follows from that of the centre.
    """
    w, body = v.w, about_com(I_B)
    torque = f.n - body.c.cross(f.f) - w.cross(let("L", body.Jc @ w))
    dw = let("dw", body.response(let("torque", torque)))
    dv_c = let("dv_c", f.f * body.inv_m - w.cross(let("v_c", v.v + w.cross(body.c))))
    return (
        *both_or_zero(Mat3.from_rows(*(row.cross(w) for row in T_NB.R.rows)), T_NB.R @ v.v),
        body.finite_or_zero(dw, let("dv_O", dv_c + body.c.cross(dw))),
    )


@kernel(
    inputs=[
        vector("p_E", "m", "position of the centre of mass from the Earth's centre", "E"),
        quaternion("q_EB", "attitude relative to the Earth, near unit norm"),
        vector("v_E", "m/s", "velocity of the centre of mass relative to E", "E"),
        vector("w_B", "rad/s", "angular velocity of B relative to the inertial frame N, not to E", "B"),
        vector("F_E", "N", "total force with gravitation, without centrifugal force (not weight)", "E"),
        vector("M_B", "N m", "total moment about the centre of mass", "B"),
        mass(),
        central_inertia("J_B", "B"),
        vector("Omega_E", "rad/s", "angular velocity of E relative to N, constant: 7.292115e-5 about z", "E"),
        Arg("baumgarte", REAL, "1/s", "gain of the correction of the quaternion's norm; 0 disables it"),
    ],
    outputs=[
        vector("dp_E", "m/s", "rate of the position", "E"),
        Arg("dq", Quaternion, "1/s", "rate of `q_EB`"),
        vector("dv_E", "m/s^2", "componentwise rate of `v_E`", "E"),
        vector("dw_B", "rad/s^2", "componentwise rate of `w_B`", "B"),
    ],
    equation="dp_E = v_E; dq = 1/2 q (x) [0, w_B - R^T Omega_E] - baumgarte (q.q - 1) q; "
    "dv_E = F_E / m - Omega_E x (2 v_E + Omega_E x p_E); dw_B = J_B^-1 (M_B - w_B x J_B w_B); "
    "R = 1 + (2 / (q.q)) (w u~ + u~ u~); q_EB = [w, u]",
    source=STEVENS.at("equation 1.5-16"),
    requires=f"{AT_COM}; {CONSTANT}; `q_EB` is a unit quaternion, up to the drift that `baumgarte` corrects",
    failures=_failures("dp_E", "dq", dv="dv_E"),
)
def rigid_body_dynamics_ecef(
    p_E: Vec3,
    q_EB: Quaternion,
    v_E: Vec3,
    w_B: Vec3,
    F_E: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
    Omega_E: Vec3,
    baumgarte: Scalar,
) -> tuple[Vec3, Quaternion, Vec3, Vec3]:
    """State derivative of a rigid body in the Earth-fixed frame, which rotates at a constant rate.

    Since `q (x) [0, R^T Omega_E] = [0, Omega_E] (x) q`, no vector is rotated: `dq = (q (x) [0, w_B] - [0,
    Omega_E] (x) q) / 2 - baumgarte (q.q - 1) q`.
    """
    u, half_w = q_EB.vector, let("half_w", in_frame(w_B, "") / 2)
    half_Omega = let("half_Omega", in_frame(Omega_E, "") / 2)
    slower, faster = let("difference", half_w - half_Omega), let("sum", half_w + half_Omega)
    turning = Quaternion.from_parts(-u.dot(slower), q_EB.w * slower + u.cross(faster))
    excess = let("excess", baumgarte * (q_EB.norm_squared - 1))
    coriolis = Omega_E.cross(let("doubled", v_E + v_E + Omega_E.cross(p_E)))
    return (
        *both_or_zero(v_E, turning - excess * q_EB),
        *_accelerations(F_E, m, coriolis, M_B, J_B, w_B),
    )


STATE, WRENCH = (3, 4, 3, 3), (3, 3)
"""The numbers of scalars of (p_N, q_NB, v_B, w_B) and of (F_B, M_B)."""

NO_SPIN = "A[10:13, 0:13] = 0, B[10:13, 0:6] = 0"
"""The rows of dw_B."""

JACOBIANS = (
    Arg(
        "A",
        Array((13, 13)),
        "mixed",
        "derivatives of `dp_N, dq, dv_B, dw_B` by `p_N, q_NB, v_B, w_B`, row-major",
    ),
    Arg("B", Array((13, 6)), "mixed", "derivatives of `dp_N, dq, dv_B, dw_B` by `F_B, M_B`, row-major"),
)


@kernel(
    inputs=rigid_body_dynamics_quat.inputs,
    outputs=JACOBIANS,
    equation="A = [[zeros(3, 3), D, R, 0], [0, S, 0, W], [0, 0, -w_B~, v_B~], [0, 0, 0, K]]; "
    "B = [[zeros(3, 3), zeros(3, 3)], [zeros(4, 3), zeros(4, 3)], [identity(3) / m, 0], [0, J_B^-1]]; "
    "D = 2 [[q_v x v_B, (q_v.v_B) 1 + q_v v_B^T - 2 v_B q_v^T - q_w v_B~]]; "
    "R = 1 + 2 q_w q_v~ + 2 q_v~ q_v~; "
    "S = 1/2 [[0, -w_B^T], [w_B, -w_B~]] - baumgarte ((q.q - 1) 1 + 2 q q^T); "
    "W = 1/2 [[-q_v^T], [q_w 1 + q_v~]]; K = J_B^-1 ((J_B w_B)~ - w_B~ J_B)",
    source="the derivatives of rigid_body_dynamics_quat, proven equal to CasADi's",
    requires=rigid_body_dynamics_quat.requires,
    failures={
        Status.MASS: Failure("m > min", "A[7:10, 0:13] = 0, B[7:10, 0:6] = 0"),
        Status.SINGULAR: Failure(", ".join(DEFINITE), NO_SPIN, f"otherwise {NOT_DEFINITE}"),
        Status.NOT_FINITE: [
            Failure(
                "|sum(q_NB, v_B, w_B, baumgarte)| <= max",
                note="`q_NB`, `v_B`, `w_B` and `baumgarte` are replaced by zeros",
            ),
            Failure(
                "|sum(K) + C[0, 0] + C[0, 1] + C[0, 2] + C[1, 1] + C[1, 2] + C[2, 2]| <= max, C = J_B^-1",
                NO_SPIN,
            ),
        ],
    },
)
def rigid_body_dynamics_quat_jacobian(
    p_N: Vec3,
    q_NB: Quaternion,
    v_B: Vec3,
    w_B: Vec3,
    F_B: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
    baumgarte: Scalar,
) -> tuple[list[Scalar], list[Scalar]]:
    """Jacobians of rigid_body_dynamics_quat with respect to the state, and to force and moment.

    They do not depend on `p_N`, `F_B` and `M_B`.
    """
    known = bounded(total(q_NB, v_B, w_B, baumgarte))
    q_NB, baumgarte = let("q", select(known, q_NB, Quaternion(0, 0, 0, 0))), select(known, baumgarte, 0)
    v_B, w_B = let("v", select(known, v_B, Vec3.zero())), let("w", select(known, w_B, Vec3.zero()))
    twice: Quaternion = let("twice", q_NB + q_NB)
    products = _products(q_NB, twice)
    massive, inv_m = inverse_mass(m)
    by_w, by_M = _spin_derivatives(J_B, w_B)
    v, w = select(massive, v_B, Vec3.zero()), select(massive, w_B, Vec3.zero())
    by_F = select(massive, inv_m, 0)
    by_state: list[list[Any]] = [
        [None, _rotated_by_attitude(twice, v_B), _rotation_rows(products), None],
        [None, _rate_by_attitude(products, w_B, baumgarte), None, _rate_by_spin(q_NB)],
        [None, None, Mat3.skew(-w).rows, Mat3.skew(v).rows],
        [None, None, None, by_w],
    ]
    by_wrench: list[list[Any]] = [
        [None, None],
        [None, None],
        [SymMat3.isotropic(by_F).rows, None],
        [None, by_M.rows],
    ]
    return _stacked(by_state, STATE), _stacked(by_wrench, WRENCH)


def _stacked(blocks: Sequence[Sequence[Any]], widths: Sequence[int]) -> list[Scalar]:
    """A matrix over the rates of the state, row by row, from rows of blocks; None is a block of zeros."""
    return [
        scalar
        for blocks_beside, height in zip(blocks, STATE, strict=True)
        for i in range(height)
        for block, width in zip(blocks_beside, widths, strict=True)
        for scalar in (flatten(block[i]) if block else [0] * width)
    ]


def _products(q: Quaternion, twice: Quaternion) -> list[list[Scalar]]:
    """2 q q^T, whose elements make up R(q)."""
    a, b = q.scalars(), twice.scalars()
    upper = {(i, j): let(f"qq_{i}{j}", b[i] * a[j]) for i in range(4) for j in range(i, 4)}
    return [[upper[min(i, j), max(i, j)] for j in range(4)] for i in range(4)]


def _rotation_rows(qq: list[list[Scalar]]) -> list[Vec3]:
    """R(q) = 1 + 2 w u~ + 2 u~ u~."""
    (_, wx, wy, wz), (_, xx, xy, xz), (_, _, yy, yz), (*_, zz) = qq
    return [
        Vec3(1 - (yy + zz), xy - wz, xz + wy),
        Vec3(xy + wz, 1 - (xx + zz), yz - wx),
        Vec3(xz - wy, yz + wx, 1 - (xx + yy)),
    ]


def _rotated_by_attitude(twice: Quaternion, v: Vec3) -> list[list[Scalar]]:
    """d(R(q) v)/dq = [t, 2 (u.v) 1 - 2 v u^T - (t + 2 w v)~], t = 2 u x v."""
    u = twice.vector
    uv = let("uv", [[a * b for b in flatten(v)] for a in flatten(u)])
    t = let("t", Vec3(uv[1][2] - uv[2][1], uv[2][0] - uv[0][2], uv[0][1] - uv[1][0]))
    g = let("g", t + twice.w * v)
    return [
        [t.x, uv[1][1] + uv[2][2], g.z - uv[1][0], -g.y - uv[2][0]],
        [t.y, -g.z - uv[0][1], uv[0][0] + uv[2][2], g.x - uv[2][1]],
        [t.z, g.y - uv[0][2], -g.x - uv[1][2], uv[0][0] + uv[1][1]],
    ]


def _rate_by_attitude(qq: list[list[Scalar]], w: Vec3, b: Scalar) -> list[list[Scalar]]:
    """d(dq)/dq = [[0, -w^T], [w, -w~]] / 2 - b (q.q - 1) 1 - 2 b q q^T."""
    h = let("half_w", w / 2)
    drift = [[let(f"b_qq_{min(i, j)}{max(i, j)}", b * qq[i][j]) for j in range(4)] for i in range(4)]
    excess = let("excess", sum(drift[i][i] for i in range(4)) / 2 - b)
    turning = [[-excess, -h.x, -h.y, -h.z], [h.x, -excess, h.z, -h.y],
               [h.y, -h.z, -excess, h.x], [h.z, h.y, -h.x, -excess]]  # fmt: skip
    return [[x - y for x, y in zip(*rows, strict=True)] for rows in zip(turning, drift, strict=True)]


def _rate_by_spin(q: Quaternion) -> list[list[Scalar]]:
    """d(dq)/dw = [[-u^T], [w 1 + u~]] / 2."""
    w, x, y, z = let("half_q", q / 2).scalars()
    return [[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]


def _spin_derivatives(J: InertiaTensor, w_B: Vec3) -> tuple[list[Vec3], SymMat3]:
    """d(dw)/dw and d(dw)/dM = J^-1, or zeros where J has no inverse.

    d(dw)/dw = J^-1 ((J w)~ - w~ J) = w~ - J^-1 (G w)~ with G = tr(J) 1 - 2 J, since for every symmetric J
    w~ J + J w~ + (J w)~ = tr(J) w~: one product with J^-1 and none with J.
    """
    regular, adj, inv_det = inverse_parts(J)
    inverse: SymMat3 = let("J_inv", adj * inv_det)
    d = let("d", J.xx - J.yy)
    G = SymMat3(J.zz - d, -(J.xy + J.xy), -(J.xz + J.xz), J.zz + d, -(J.yz + J.yz), J.xx + J.yy - J.zz)
    c = let("G_w", let("G", G) @ w_B)
    by_w = [
        let(f"dw_{i}", across + c.cross(row))
        for i, across, row in zip("xyz", Mat3.skew(w_B).rows, inverse.rows, strict=True)
    ]
    ok = let("ok", every(regular, bounded(select(regular, total(by_w, inverse), 0))))
    return [select(ok, row, Vec3.zero()) for row in by_w], select(ok, inverse, SymMat3.isotropic(0))


rigid_body_dynamics_quat_jacobian_nonzeros = nonzeros(
    rigid_body_dynamics_quat_jacobian, "rigid_body_dynamics_quat_jacobian_nonzeros"
)


AFTER = state_after(Arg("q_NB_next", UnitQuaternion, "1", "attitude after the step", "B to N"))


@kernel(
    inputs=[START, quaternion("q_NB", "attitude, near unit norm"), *wrench(), DURATION],
    outputs=AFTER,
    equation="Y = [p_N, q_NB, v_B, w_B]; k_1 = f(Y); k_2 = f(Y + (dt / 2) k_1); k_3 = f(Y + (dt / 2) k_2); "
    "k_4 = f(Y + dt k_3); z = Y + (dt / 6) (k_1 + 2 k_2 + 2 k_3 + k_4); "
    "p_N' = z[0:3]; q_NB' = z[3:7] / |z[3:7]|; v_B' = z[7:10]; w_B' = z[10:13]; "
    "f(y) = [R(y[3:7]) y[7:10], 1/2 y[3:7] (x) [0, y[10:13]], F_B / m - y[10:13] x y[7:10], "
    "J_B^-1 (M_B - y[10:13] x J_B y[10:13])]; "
    "R(q) = 1 + 2 q[0] q[1:4]~ + 2 q[1:4]~ q[1:4]~",
    source=RUNGE_KUTTA,
    requires=REQUIRES + HELD,
    failures={
        **step_failures("q_NB", "|z[3:7].z[3:7]| <= max"),
        Status.ZERO_NORM: Failure("z[3:7].z[3:7] > min", "q_NB' = [1, 0, 0, 0]"),
    },
)
def rigid_body_step_rk4_quat(
    p_N: Vec3,
    q_NB: Quaternion,
    v_B: Vec3,
    w_B: Vec3,
    F_B: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
    dt: Scalar,
) -> State[Quaternion]:
    """State of a rigid body after a step of the fourth-order Runge-Kutta method.

    `J_B` is inverted once. No stage needs the position, since the rates do not depend on it.
    """

    def kinematics(q: Quaternion, v: Vec3, w: Vec3) -> tuple[Vec3, Quaternion]:
        return quat_rotate(q, v), quat_kinematics(q, w, 0)

    before = (p_N, q_NB, v_B, w_B)
    p, q, v, w = runge_kutta("q", before, kinematics, forced(F_B, M_B, m, J_B), dt)
    n = let("n", q.norm_squared)
    normal = let("normal", require(n > MIN, Status.ZERO_NORM))
    unit = select(normal, q, Quaternion.identity()) * let("scale", 1 / sqrt(select(normal, n, 1)))
    return finite_or(before, (p, unit, v, w), n)


@kernel(
    inputs=[START, attitude("q_NB"), *wrench(), DURATION],
    outputs=AFTER,
    equation="w_B' = w_B + dt J_B^-1 (M_B - w_B x J_B w_B); u_N = R(q_NB) (v_B + (dt / m) F_B); "
    "q_NB' = q_NB (x) [cos(h), (sin(h) / h) (dt / 2) w_B']; h = |dt w_B'| / 2; "
    "p_N' = p_N + dt u_N; v_B' = R(q_NB')^T u_N; "
    "R(q) = 1 + 2 q[0] q[1:4]~ + 2 q[1:4]~ q[1:4]~",
    source=f"{LUBICH.at('section I.1')}; the symplectic Euler method for the translation, Euler's explicit "
    "method for `w`",
    requires=REQUIRES
    + "; `q_NB` is a unit quaternion, and `q_NB'` is one up to rounding; `M_B` is constant in "
    "B's axes for the whole step, the force in N's: it is `F_B` rotated by the attitude before the step",
    failures=step_failures("q_NB", "|q_NB'.q_NB'| <= max"),
)
def rigid_body_step_semi_implicit_quat(
    p_N: Vec3,
    q_NB: UnitQuaternion,
    v_B: Vec3,
    w_B: Vec3,
    F_B: Vec3,
    M_B: Vec3,
    m: Scalar,
    J_B: InertiaTensor,
    dt: Scalar,
) -> State[Quaternion]:
    """State of a rigid body after a semi-implicit Euler step: first the velocities, from them the pose.

    The attitude changes by an exact rotation, and without force the velocity in N does not change. In
    rotation the step is not symplectic: by `J_B w_B' = J_B w_B + dt (M_B - w_B x J_B w_B)` it changes the
    angular momentum, without moment, at right angles to itself, and so makes it larger: by 6 % in 300 s at
    2.9 rad/s, while it is 13 degrees off the angular velocity, with `dt` = 1 ms; at `dt` = 10 ms a tumbling
    body gains energy without bound. For such a body use rigid_body_step_rk4_quat.
    """
    body = forced(F_B, M_B, m, J_B)
    w: Vec3 = let("w_next", w_B + dt * body.spin_rate(w_B))
    u: Vec3 = let("u_N", quat_rotate(q_NB, v_B + dt * body.specific))
    q = let("q", quat_integrate(q_NB, w, dt))
    after = (p_N + dt * u, q, quat_rotate_inverse(q, u), w)
    return finite_or((p_N, q_NB, v_B, w_B), after, q.norm_squared)


@kernel(
    inputs=[
        vector("v_B", "m/s", "velocity of the centre of mass relative to N", "B"),
        vector("w_B", "rad/s", "angular velocity of B relative to N", "B"),
        mass(),
        central_inertia("J_B", "B"),
    ],
    outputs=[Arg("energy", REAL, "J", "kinetic energy")],
    equation="energy = 1/2 (m v_B . v_B + w_B . J_B w_B)",
    source=GOLDSTEIN,
)
def rigid_body_energy(v_B: Vec3, w_B: Vec3, m: Scalar, J_B: InertiaTensor) -> Scalar:
    """Kinetic energy of a rigid body."""
    return (m * v_B.dot(v_B) + w_B.dot(J_B @ w_B)) / 2


@kernel(
    inputs=[
        attitude("q_NB"),
        vector("v_B", "m/s", "velocity of the centre of mass relative to N", "B"),
        vector("w_B", "rad/s", "angular velocity of B relative to N", "B"),
        mass(),
        central_inertia("J_B", "B"),
    ],
    outputs=[
        vector("P_N", "kg m/s", "momentum", "N"),
        vector("L_N", "kg m^2/s", "angular momentum about the centre of mass", "N"),
    ],
    equation="P_N = R m v_B; L_N = R J_B w_B; R = 1 + 2 w u~ + 2 u~ u~; q_NB = [w, u]",
    source=GOLDSTEIN,
    requires="`q_NB` is a unit quaternion; B's origin is the centre of mass",
)
def rigid_body_momentum(
    q_NB: UnitQuaternion, v_B: Vec3, w_B: Vec3, m: Scalar, J_B: InertiaTensor
) -> tuple[Vec3, Vec3]:
    """Momentum and angular momentum of a rigid body, in N.

    Both are conserved where N is an inertial frame and no force and no moment acts.
    """
    R = let("R", quat_to_dcm_unit(q_NB))
    return R @ let("P", m * v_B), R @ let("L", J_B @ w_B)
