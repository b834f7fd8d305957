"""Rotations: quaternions, direction cosine matrices, roll-pitch-yaw angles, and their rates."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Scalar
from codegen.library.shared.angles import (
    angles_of_matrix,
    angles_of_quaternion,
    matrix_of_angles,
    quaternion_of_angles,
    rates_of_angles,
    velocity_of_angles,
)
from codegen.library.shared.arguments import attitude, quaternion, rotation, rpy, vector
from codegen.library.shared.sequences import Sequence
from codegen.library.shared.works import BERNARDES, DIEBEL, GOLUB, SCHAUB, SHEPPERD, STEVENS
from codegen.modeling.failures import Failure
from codegen.modeling.quantities.frames import in_frame
from codegen.modeling.types.algebra import Angles, Mat3, Quaternion, Rotation, UnitQuaternion, Vec3
from codegen.modeling.types.scalar import (
    EPS,
    MAX,
    MIN,
    PI,
    absolute,
    atan2,
    cos,
    every,
    let,
    removable,
    require,
    select,
    sin,
    sqrt,
)

QUATERNIONS = DIEBEL.at("section 6")
MATRICES = DIEBEL.at("section 2")


def quaternion_failures(results: str) -> dict[Status, Failure]:
    """The failures of a kernel that normalises its quaternion, each with the results that it returns then."""
    return {
        Status.ZERO_NORM: Failure("q.q > min", results),
        Status.NOT_FINITE: Failure("q.q <= max", results),
    }


def nonzero(norm_squared: Scalar) -> tuple[Scalar, Scalar]:
    """The squared norm, replaced by 1 where it cannot be divided by, and whether it can."""
    n = let("n", norm_squared)
    normal = let("normal", require(n > MIN, Status.ZERO_NORM))
    ok = let("ok", every(normal, let("in_range", require(n <= MAX, Status.NOT_FINITE))))
    return let("n_safe", select(ok, n, 1)), ok


def normalised(q: Quaternion) -> Quaternion:
    """q / |q|, or the identity where q.q is outside the range of normal numbers."""
    n, ok = nonzero(q.norm_squared)
    unit: Quaternion = select(ok, q, Quaternion.identity()) * let("scale", 1 / sqrt(n))
    return unit


@kernel(
    inputs=[quaternion("p", "left factor"), quaternion("q", "right factor")],
    outputs=[quaternion("pq", "product p q")],
    equation="pq = [p_w q_w - p_v.q_v, p_w q_v + q_w p_v + p_v x q_v]",
    source=f"{QUATERNIONS}, Hamilton's `i j = k`",
)
def quat_multiply(p: Quaternion, q: Quaternion) -> Quaternion:
    """Hamilton product of two quaternions.

    Rotations compose in the order of their frames: with `p` from B to A and `q` from C to B, `pq` is from C
    to A.
    """
    return p @ q


@kernel(
    inputs=[quaternion("q", "quaternion")],
    outputs=[quaternion("q_conj", "its conjugate")],
    equation="q_conj = [q_w, -q_v]",
    source=QUATERNIONS,
)
def quat_conjugate(q: Quaternion) -> Quaternion:
    """Conjugate of a quaternion: the opposite rotation when it is a unit quaternion."""
    return q.conjugate


@kernel(
    inputs=[quaternion("q", "quaternion, of any norm")],
    outputs=[quaternion("q_inv", "its inverse")],
    equation="q_inv = q^* / (q.q)",
    source=QUATERNIONS,
    failures=quaternion_failures("q_inv = [1, 0, 0, 0]"),
)
def quat_inverse(q: Quaternion) -> Quaternion:
    """Inverse of a quaternion of any norm."""
    n, ok = nonzero(q.norm_squared)
    q_inv: Quaternion = select(ok, q.conjugate, Quaternion.identity()) / n
    return q_inv


@kernel(
    inputs=[quaternion("q", "quaternion, of any norm")],
    outputs=[quaternion("q_unit", "unit quaternion of the same rotation")],
    equation="q_unit = q / sqrt(q.q)",
    source=QUATERNIONS,
    failures=quaternion_failures("q_unit = [1, 0, 0, 0]"),
)
def quat_normalize(q: Quaternion) -> Quaternion:
    """Normalised quaternion."""
    return normalised(q)


def _rotate(w: Scalar, u: Vec3, v: Vec3) -> Vec3:
    """v + w t + u x t with t = 2 u x v."""
    half = u.cross(v)
    t = let("t", half + half)
    rotated: Vec3 = v + w * t + u.cross(t)
    return rotated


@kernel(
    inputs=[attitude("q_AB"), vector("v_B", "any", "vector", "B")],
    outputs=[vector("v_A", "any", "the same vector", "A")],
    equation="v_A = v_B + w t + u x t; t = 2 u x v_B; q_AB = [w, u]",
    source="the sandwich product `q (x) [0, v] (x) q^*`, expanded for a unit quaternion",
    requires="`q_AB` is a unit quaternion",
)
def quat_rotate(q_AB: UnitQuaternion, v_B: Vec3) -> Vec3:
    """Coordinates of a vector in A from those in B."""
    return _rotate(q_AB.w, q_AB.vector, v_B)


@kernel(
    inputs=[attitude("q_AB"), vector("v_A", "any", "vector", "A")],
    outputs=[vector("v_B", "any", "the same vector", "B")],
    equation="v_B = v_A - w t + u x t; t = 2 u x v_A; q_AB = [w, u]",
    source="the sandwich product `q^* (x) [0, v] (x) q`, expanded for a unit quaternion",
    requires="`q_AB` is a unit quaternion",
)
def quat_rotate_inverse(q_AB: UnitQuaternion, v_A: Vec3) -> Vec3:
    """Coordinates of a vector in B from those in A."""
    return _rotate(-q_AB.w, q_AB.vector, v_A)


def skew_polynomial(s: Vec3, u: Vec3, t: Vec3) -> Mat3:
    """1 + s~ + u~ t~, for t along u."""
    xx, yy, zz = let("dyad_xx", u.x * t.x), let("dyad_yy", u.y * t.y), u.z * t.z
    xy, xz, yz = u.x * t.y, u.x * t.z, u.y * t.z
    zz, xy, xz, yz = let("dyad_zz", zz), let("dyad_xy", xy), let("dyad_xz", xz), let("dyad_yz", yz)
    return Mat3(
        (
            *(1 - (yy + zz), xy - s.z, xz + s.y),
            *(xy + s.z, 1 - (xx + zz), yz - s.x),
            *(xz - s.y, yz + s.x, 1 - (xx + yy)),
        )
    )


def dcm_of(w: Scalar, u: Vec3, scaled: Vec3) -> Rotation:
    """1 + s (w u~ + u~ u~), where scaled = s u and s = 2 / (q.q)."""
    return Rotation(skew_polynomial(let("turn", Vec3(*(w * x for x in scaled.scalars()))), u, scaled).m)


@kernel(
    inputs=[quaternion("q_AB", "attitude, of any norm")],
    outputs=[rotation("R_AB")],
    equation="R_AB = 1 + (2 / (q.q)) (w u~ + u~ u~); q_AB = [w, u]",
    source=f"{QUATERNIONS}, divided by `q.q`",
    failures=quaternion_failures("R_AB = 1"),
)
def quat_to_dcm(q_AB: Quaternion) -> Rotation:
    """Rotation matrix of a quaternion of any norm."""
    n, ok = nonzero(q_AB.norm_squared)
    q = select(ok, q_AB, Quaternion.identity())
    return dcm_of(q.w, q.vector, q.vector * let("s", 2 / n))


@kernel(
    inputs=[attitude("q_AB")],
    outputs=[rotation("R_AB")],
    equation="R_AB = 1 + 2 (w u~ + u~ u~); q_AB = [w, u]",
    source=QUATERNIONS,
    requires="`q_AB` is a unit quaternion",
)
def quat_to_dcm_unit(q_AB: UnitQuaternion) -> Rotation:
    """Rotation matrix of a unit quaternion."""
    u = q_AB.vector
    return dcm_of(q_AB.w, u, let("twice", u + u))


@kernel(
    inputs=[rotation("R_AB")],
    outputs=[attitude("q_AB", "attitude, `q_w >= 0`")],
    equation="4 q q^T = [[1 + tr(R), a^T], [a, R + R^T + (1 - tr(R)) 1]]; a = vee(R - R^T); q_w >= 0",
    source=SHEPPERD,
    requires="`R_AB` is orthonormal with determinant 1",
)
def dcm_to_quat(R_AB: Rotation) -> Quaternion:
    """Unit quaternion of a rotation matrix.

    The largest of (trace, R00, R11, R22), the first of equal ones, selects the component that is computed by
    a square root, so no rotation is singular. The result has `q_w >= 0`; at a half turn, where this is 0,
    that component is positive.
    """
    m00, m01, m02, m10, m11, m12, m20, m21, m22 = R_AB.m
    trace = let("trace", m00 + m11 + m22)
    x, y, z = let("x4", m21 - m12), let("y4", m02 - m20), let("z4", m10 - m01)
    xy, xz, yz = let("xy4", m01 + m10), let("xz4", m02 + m20), let("yz4", m12 + m21)
    by_w = let("by_w", every(trace >= m00, trace >= m11, trace >= m22))
    by_x, by_y = let("by_x", every(m00 >= m11, m00 >= m22)), let("by_y", m11 >= m22)

    def pivot(w: Scalar, first: Scalar, second: Scalar, third: Scalar) -> Scalar:
        return select(by_w, w, select(by_x, first, select(by_y, second, third)))

    # 4 q_i q, where q_i is the largest component: its own square and three products.
    squared = let("squared", 1 + pivot(trace, m00 - m11 - m22, m11 - m00 - m22, m22 - m00 - m11))
    scaled = Quaternion(
        pivot(squared, x, y, z),
        pivot(x, squared, xy, xz),
        pivot(y, xy, squared, yz),
        pivot(z, xz, yz, squared),
    )
    half = let("half", 1 / (2 * sqrt(squared)))
    w = let("w", scaled.w * half)
    scale = let("scale", select(w < 0, -half, half))
    return Quaternion.from_parts(absolute(w), scaled.vector * scale)


@kernel(
    inputs=[
        quaternion("q_AB", "attitude, near unit norm"),
        vector("w_B", "rad/s", "angular velocity of B relative to A", "B"),
        Arg("baumgarte", REAL, "1/s", "gain of the correction of the norm; 0 disables it"),
    ],
    outputs=[Arg("dq", Quaternion, "1/s", "time derivative of `q_AB`; not a unit quaternion")],
    equation="dq = 1/2 q_AB (x) [0, w_B] - baumgarte (q.q - 1) q_AB",
    source=f"{QUATERNIONS}; Baumgarte stabilisation of `q.q = 1`",
)
def quat_kinematics(q_AB: Quaternion, w_B: Vec3, baumgarte: Scalar) -> Quaternion:
    """Rate of the attitude quaternion at a body rate.

    An explicit integrator needs steps that are shorter than the reciprocal of `baumgarte`.
    """
    excess = let("excess", baumgarte * (q_AB.norm_squared - 1))
    half = let("half_w", w_B / 2)
    q, x, y, z = q_AB, half.x, half.y, half.z
    return Quaternion(
        -(q.x * x) - q.y * y - q.z * z - excess * q.w,
        q.w * x + q.y * z - q.z * y - excess * q.x,
        q.w * y - q.x * z + q.z * x - excess * q.y,
        q.w * z + q.x * y - q.y * x - excess * q.z,
    )


@kernel(
    inputs=[attitude("q_AB"), Arg("dq", Quaternion, "1/s", "time derivative of `q_AB`")],
    outputs=[vector("w_B", "rad/s", "angular velocity of B relative to A", "B")],
    equation="w_B = 2 (w dv - dw v - v x dv); q_AB = [w, v]; dq = [dw, dv]",
    source=QUATERNIONS,
    requires="`q_AB` is a unit quaternion; of `dq`, a part along `q_AB` changes nothing",
)
def quat_kinematics_inverse(q_AB: UnitQuaternion, dq: Quaternion) -> Vec3:
    """Body rate at a given rate of the attitude quaternion."""
    v, dv = q_AB.vector, dq.vector
    half: Vec3 = q_AB.w * dv - dq.w * v - v.cross(dv)
    return 2 * half


@kernel(
    inputs=[
        vector("v_A", "1", "direction in A, of any length and unit", "A"),
        vector("v_B", "1", "the same direction in B, of any length and unit", "B"),
    ],
    outputs=[attitude("q_AB", "attitude of the least angle at which both are one direction")],
    equation="q_AB = p / |p|; p = [1 + a.b, b x a]; a = v_A / |v_A|; b = v_B / |v_B|",
    source=f"{QUATERNIONS}: the product of two half turns",
    failures={
        Status.ZERO_NORM: Failure("v_A.v_A > min, v_B.v_B > min", "q_AB = [1, 0, 0, 0]"),
        Status.NOT_FINITE: Failure("v_A.v_A <= max, v_B.v_B <= max", "q_AB = [1, 0, 0, 0]"),
        Status.DEGENERATE: Failure(
            "p.p > (16 eps)^2",
            "q_AB = [0, {[-b[1], b[0], 0] / sqrt(b[0]^2 + b[1]^2) if |b[0]| > |b[2]|, "
            "[0, -b[2], b[1]] / sqrt(b[1]^2 + b[2]^2) otherwise}]",
            "otherwise the vectors point in opposite directions: every half turn about a normal will do",
        ),
    },
)
def quat_from_vectors(v_A: Vec3, v_B: Vec3) -> Quaternion:
    """Unit quaternion of the shortest rotation between two directions: `|v_A| R_AB v_B = |v_B| v_A`.

    Near opposite directions the axis is as uncertain as the directions: its error grows as the reciprocal of
    the sine of the angle between them.
    """
    v_A, v_B = in_frame(v_A, ""), in_frame(v_B, "")  # the rotation is between their coordinates
    n_A, n_B = let("n_A", v_A.dot(v_A)), let("n_B", v_B.dot(v_B))
    normal = let("normal", require(every(n_A > MIN, n_B > MIN), Status.ZERO_NORM))
    in_range = let("in_range", require(every(n_A <= MAX, n_B <= MAX), Status.NOT_FINITE))
    ok = let("ok", every(normal, in_range))
    a = let("a", select(ok, v_A, Vec3(1, 0, 0)) * let("scale_A", 1 / sqrt(select(ok, n_A, 1))))
    b = let("b", select(ok, v_B, Vec3(1, 0, 0)) * let("scale_B", 1 / sqrt(select(ok, n_B, 1))))
    p = let("p", Quaternion.from_parts(1 + a.dot(b), b.cross(a)))
    n = let("n", p.norm_squared)
    apart = let("apart", require(n > 256 * EPS * EPS, Status.DEGENERATE))
    across = select(absolute(b.x) > absolute(b.z), Vec3(-b.y, b.x, 0), Vec3(0, -b.z, b.y))
    half_turn = Quaternion.from_parts(0, let("across", across))
    n = let("n_safe", select(apart, n, half_turn.norm_squared))
    q_AB: Quaternion = select(apart, p, half_turn) * let("scale", 1 / sqrt(n))
    return q_AB


@kernel(
    inputs=[rotation("R_AB"), rotation("R_BC")],
    outputs=[rotation("R_AC")],
    equation="R_AC = R_AB R_BC",
    source=MATRICES,
)
def dcm_multiply(R_AB: Rotation, R_BC: Rotation) -> Rotation:
    """Product of two rotation matrices."""
    return R_AB @ R_BC


@kernel(
    inputs=[rotation("R_AB"), vector("v_B", "any", "vector", "B")],
    outputs=[vector("v_A", "any", "the same vector", "A")],
    equation="v_A = R_AB v_B",
    source=MATRICES,
)
def dcm_rotate(R_AB: Rotation, v_B: Vec3) -> Vec3:
    """Coordinates of a vector in A from those in B."""
    return R_AB @ v_B


@kernel(
    inputs=[rotation("R_AB"), vector("v_A", "any", "vector", "A")],
    outputs=[vector("v_B", "any", "the same vector", "B")],
    equation="v_B = R_AB^T v_A",
    source=MATRICES,
    requires="`R_AB` is orthonormal",
)
def dcm_rotate_inverse(R_AB: Rotation, v_A: Vec3) -> Vec3:
    """Coordinates of a vector in B from those in A."""
    return R_AB.transpose @ v_A


@kernel(
    inputs=[rotation("R_AB"), vector("w_B", "rad/s", "angular velocity of B relative to A", "B")],
    outputs=[Arg("dR_AB", Mat3, "1/s", "time derivative of `R_AB`", "B to A")],
    equation="dR_AB = R_AB w_B~",
    source=f"{SCHAUB} (Poisson's equation)",
)
def dcm_kinematics(R_AB: Rotation, w_B: Vec3) -> Mat3:
    """Rate of a rotation matrix at a body rate: that of each row is its cross product with `w_B`."""
    return Mat3.from_rows(*(row.cross(w_B) for row in R_AB.rows))


@kernel(
    inputs=[Arg("R", Mat3, "1", "rotation matrix that has drifted; its third column is not used")],
    outputs=[Arg("R_unit", Rotation, "1", "orthonormal matrix of determinant 1")],
    equation="R_unit = cols(e_0, e_1, e_0 x e_1); R = cols(c_0, c_1, c_2); e_0 = c_0 / |c_0|; "
    "n = (e_0 x c_1) x e_0; e_1 = n / |n|",
    source=f"{GOLUB.at('section 5.2')} (Gram-Schmidt)",
    failures={
        Status.DEGENERATE: Failure(
            "c_0.c_0 > min, n.n > min, n.n > (4 eps)^2 c_1.c_1",
            "R_unit = 1",
            "otherwise a column is zero, or `c_0` and `c_1` are parallel up to rounding",
        )
    },
)
def dcm_orthonormalize(R: Mat3) -> Rotation:
    """Orthonormalised rotation matrix; the direction of the first column is kept.

    The axes are perpendicular up to rounding even where `c_0` and `c_1` are nearly parallel: the rounding
    error of their cross product along `e_0` grows as the reciprocal of the angle between them, and the second
    cross product removes it.
    """
    c0, c1, _ = R.columns
    n0, n1 = let("n0", c0.dot(c0)), let("n1", c1.dot(c1))
    nonzero_c0 = let("nonzero_c0", require(n0 > MIN, Status.DEGENERATE))
    x = let("x", c0 * let("scale_x", 1 / sqrt(select(nonzero_c0, n0, 1))))
    across = let("across", let("normal", x.cross(c1)).cross(x))
    n = let("n_n", across.dot(across))
    apart = let("apart", require(every(n > MIN, n > 16 * EPS * EPS * n1), Status.DEGENERATE))
    ok = let("ok", every(nonzero_c0, apart))
    x = let("x_safe", select(ok, x, Vec3(1, 0, 0)))
    y = let("y", select(ok, across, Vec3(0, 1, 0)) * let("scale_y", 1 / sqrt(select(ok, n, 1))))
    return Rotation.from_columns(x, y, x.cross(y))


RPY = Sequence("xyz", names=("phi", "theta", "psi"), argument="rpy", frames="NB")


@kernel(
    inputs=[rpy()],
    outputs=[attitude("q_NB")],
    equation="q_NB = q(psi, e_z) (x) q(theta, e_y) (x) q(phi, e_x); q(a, n) = [cos(a / 2), sin(a / 2) n]; "
    "rpy = [phi, theta, psi]",
    source=QUATERNIONS,
)
def quat_from_rpy(rpy: Angles) -> Quaternion:
    """Attitude quaternion of roll, pitch and yaw (aerospace 3-2-1)."""
    return quaternion_of_angles(RPY, rpy)


@kernel(
    inputs=[rpy()],
    outputs=[rotation("R_NB")],
    equation="R_NB = Rz(psi) Ry(theta) Rx(phi); rpy = [phi, theta, psi]",
    source=f"{STEVENS.at('equation 1.3-20')}, transposed",
)
def dcm_from_rpy(rpy: Angles) -> Rotation:
    """Rotation matrix of roll, pitch and yaw (aerospace 3-2-1)."""
    return matrix_of_angles(RPY, rpy)


def _lock(condition: str, meaning: str) -> Failure:
    """The failure at gimbal lock of roll, pitch and yaw."""
    note = "`phi` is the whole rotation about the vertical"
    return Failure(condition, "psi = 0", f"{meaning}; otherwise, gimbal lock", note)


@kernel(
    inputs=[rotation("R_NB")],
    outputs=[rpy()],
    equation="theta = atan2(-R[2, 0], c), c = sqrt(R[0, 0]^2 + R[1, 0]^2); psi = atan2(R[1, 0], R[0, 0]); "
    "phi = atan2(R[1, 0] R[0, 2] - R[0, 0] R[1, 2], R[0, 0] R[1, 1] - R[1, 0] R[0, 1]); "
    "rpy = [phi, theta, psi]",
    source="the inverse of dcm_from_rpy; `phi` is computed from the rows rotated back by `psi`, so that "
    "`R_NB` is reproduced accurately at any distance from gimbal lock",
    requires="`R_NB` is orthonormal with determinant 1",
    failures={
        Status.NOT_FINITE: Failure(
            "|c + R[2, 0] + s + k| <= max, s = R[1, 0] R[0, 2] - R[0, 0] R[1, 2], "
            "k = R[0, 0] R[1, 1] - R[1, 0] R[0, 1]",
            "rpy = 0",
        ),
        Status.GIMBAL_LOCK: _lock("c > 4 eps", "`c` is the cosine of `theta`"),
    },
)
def rpy_from_dcm(R_NB: Rotation) -> Angles:
    """Roll, pitch and yaw of a rotation matrix; `-pi / 2 <= theta <= pi / 2`."""
    return angles_of_matrix(RPY, R_NB)


@kernel(
    inputs=[quaternion("q_NB", "attitude, of any norm")],
    outputs=[rpy()],
    equation="Rz(psi) Ry(theta) Rx(phi) = 1 + (2 / (q.q)) (w u~ + u~ u~); |theta| <= pi / 2; "
    "rpy = [phi, theta, psi]; q_NB = [w, u]",
    source=BERNARDES,
    failures={
        **quaternion_failures("rpy = 0"),
        Status.GIMBAL_LOCK: _lock(f"d > 4 eps, {RPY.distance_from_lock()}", "`d` is the cosine of `theta`"),
    },
)
def rpy_from_quat(q_NB: Quaternion) -> Angles:
    """Roll, pitch and yaw of a quaternion of any norm; `-pi / 2 <= theta <= pi / 2`.

    The quaternion is normalised first, so that no square of a difference underflows. The angles reproduce the
    attitude accurately at any distance from gimbal lock.
    """
    return angles_of_quaternion(RPY, let("unit", normalised(q_NB)))


RPY_LOCK = Failure(
    "|cos(theta)| > sqrt(eps)",
    "drpy = [w_x, cos(phi) w_y - sin(phi) w_z, 0]",
    "otherwise, gimbal lock",
)
RATE_NOT_FINITE = Failure("|sum(drpy)| <= max", "drpy = 0")


@kernel(
    inputs=[rpy(), vector("w_B", "rad/s", "angular velocity of B relative to N", "B")],
    outputs=[Arg("drpy", Vec3, "rad/s", "time derivatives of roll, pitch and yaw")],
    equation="dpsi = (sin(phi) w_y + cos(phi) w_z) / cos(theta); dphi = w_x + sin(theta) dpsi; "
    "dtheta = cos(phi) w_y - sin(phi) w_z; drpy = [dphi, dtheta, dpsi]; rpy = [phi, theta, psi]",
    source=DIEBEL.at("section 5.2", "equation 79"),
    failures={Status.NOT_FINITE: RATE_NOT_FINITE, Status.GIMBAL_LOCK: RPY_LOCK},
)
def rpy_kinematics(rpy: Angles, w_B: Vec3) -> Vec3:
    """Rates of roll, pitch and yaw at a body rate."""
    return rates_of_angles(RPY, rpy, w_B)


@kernel(
    inputs=[rpy(), Arg("drpy", Vec3, "rad/s", "time derivatives of roll, pitch and yaw")],
    outputs=[vector("w_B", "rad/s", "angular velocity of B relative to N", "B")],
    equation="w_B = [[1, 0, -sin(theta)], [0, cos(phi), sin(phi) cos(theta)], "
    "[0, -sin(phi), cos(phi) cos(theta)]] drpy; rpy = [phi, theta, psi]",
    source=DIEBEL.at("section 5.2"),
)
def rpy_kinematics_inverse(rpy: Angles, drpy: Vec3) -> Vec3:
    """Body rate at given rates of roll, pitch and yaw."""
    return velocity_of_angles(RPY, rpy, drpy)


@kernel(
    inputs=[Arg("angle", REAL, "rad", "any angle")],
    outputs=[Arg("wrapped", REAL, "rad", "the same angle, `-pi < wrapped <= pi`")],
    equation="sin(wrapped) = sin(angle); cos(wrapped) = cos(angle); -pi < wrapped <= pi",
    source="the principal value of the argument of `exp(i angle)`",
)
def angle_wrap(angle: Scalar) -> Scalar:
    """Angle wrapped to `-pi < wrapped <= pi`; an angle in this interval is returned unchanged.

    In the C, `pi` is the nearest number of its type: in float 8.7e-8 above `pi`, in double 1.2e-16 below it.
    """
    inside = let(
        "inside",
        removable(
            every(angle > -PI, angle <= PI),
            "the angle itself is returned, without rounding",
            "-pi < angle <= pi",
        ),
    )
    turned = let("turned", atan2(sin(angle), cos(angle)))
    return select(inside, angle, select(turned <= -PI, PI, turned))
