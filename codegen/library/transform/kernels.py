"""Poses: points, compositions, and the Plücker transforms of motions and forces."""

from fractions import Fraction
from math import factorial

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Array, Scalar
from codegen.library.rotation.kernels import dcm_to_quat, quat_to_dcm_unit, skew_polynomial
from codegen.library.rotation_vector.kernels import (
    INVERSE_SERIES,
    JACOBIAN_SERIES,
    NO_OVERFLOW,
    half_angle,
    log_scale,
    singular,
)
from codegen.library.shared.arguments import POSE, force, motion, pose, vector
from codegen.library.shared.guards import bounded, total
from codegen.library.shared.works import BARFOOT, FEATHERSTONE, MICRO_LIE, MURRAY
from codegen.library.spatial.kernels import ZERO, block_rows
from codegen.modeling.failures import Failure
from codegen.modeling.series import Series, is_near_zero
from codegen.modeling.types.algebra import (
    Force,
    Mat3,
    Motion,
    RotationVector,
    Transform,
    UnitQuaternion,
    Vec3,
)
from codegen.modeling.types.scalar import (
    EPS,
    MAX,
    MIN,
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

RIGHT = "`R_AB` is orthonormal"

PLUCKER = FEATHERSTONE.at("section 2.8")


@kernel(
    inputs=[pose("T_AB"), vector("p_B", "m", "point, measured from B's origin", "B")],
    outputs=[vector("p_A", "m", "the same point, measured from A's origin", "A")],
    equation="p_A = p_AB_A + R_AB p_B",
    source=PLUCKER,
)
def transform_point(T_AB: Transform, p_B: Vec3) -> Vec3:
    """Coordinates of a point in A from those in B."""
    return T_AB.R @ p_B + T_AB.p


@kernel(
    inputs=[pose("T_AB"), vector("p_A", "m", "point, measured from A's origin", "A")],
    outputs=[vector("p_B", "m", "the same point, measured from B's origin", "B")],
    equation="p_B = R_AB^T (p_A - p_AB_A)",
    source=PLUCKER,
    requires=RIGHT,
)
def transform_point_inverse(T_AB: Transform, p_A: Vec3) -> Vec3:
    """Coordinates of a point in B from those in A."""
    return T_AB.R.transpose @ let("d", p_A - T_AB.p)


@kernel(
    inputs=[pose("T_AB"), pose("T_BC")],
    outputs=[pose("T_AC")],
    equation="T_AC = T_AB T_BC = [[R_AB R_BC, R_AB p_BC_B + p_AB_A], [0, 1]]",
    source=PLUCKER,
)
def transform_compose(T_AB: Transform, T_BC: Transform) -> Transform:
    """Pose of C in A from the poses of B in A and of C in B."""
    return Transform(T_AB.R @ T_BC.R, T_AB.R @ T_BC.p + T_AB.p)


@kernel(
    inputs=[pose("T_AB")],
    outputs=[pose("T_BA")],
    equation="T_BA = T_AB^-1 = [[R_AB^T, -R_AB^T p_AB_A], [0, 1]]",
    source=PLUCKER,
    requires=RIGHT,
)
def transform_inverse(T_AB: Transform) -> Transform:
    """Pose of A in B from the pose of B in A."""
    R_BA = T_AB.R.transpose
    return Transform(R_BA, -(R_BA @ T_AB.p))


@kernel(
    inputs=[pose("T_AB"), motion("v_B", "B")],
    outputs=[motion("v_A", "A", "the same spatial velocity")],
    equation="v_A = X v_B = [R w_B, R v_OB + p x R w_B]; X = [[R, 0], [p~ R, R]]; v_B = [w_B, v_OB]",
    source=FEATHERSTONE.at("section 2.8", "equation 2.28"),
)
def motion_transform(T_AB: Transform, v_B: Motion) -> Motion:
    """Plücker transform of a spatial motion vector from B to A."""
    w = let("w", T_AB.R @ v_B.w)
    return Motion(w, T_AB.R @ v_B.v + T_AB.p.cross(w))


@kernel(
    inputs=[pose("T_AB"), motion("v_A", "A")],
    outputs=[motion("v_B", "B", "the same spatial velocity")],
    equation="v_B = X^-1 v_A = [R^T w_A, R^T (v_OA - p x w_A)]; X = [[R, 0], [p~ R, R]]; v_A = [w_A, v_OA]",
    source=PLUCKER,
    requires=RIGHT,
)
def motion_transform_inverse(T_AB: Transform, v_A: Motion) -> Motion:
    """Plücker transform of a spatial motion vector from A to B."""
    R_BA = T_AB.R.transpose
    return Motion(R_BA @ v_A.w, R_BA @ let("d", v_A.v - T_AB.p.cross(v_A.w)))


@kernel(
    inputs=[pose("T_AB"), force("f_B", "B")],
    outputs=[force("f_A", "A", "the same spatial force")],
    equation="f_A = X f_B = [R n_B + p x R f_OB, R f_OB]; X = [[R, p~ R], [0, R]]; f_B = [n_B, f_OB]",
    source=PLUCKER,
)
def force_transform(T_AB: Transform, f_B: Force) -> Force:
    """Plücker transform of a spatial force vector from B to A."""
    f = let("f", T_AB.R @ f_B.f)
    return Force(T_AB.R @ f_B.n + T_AB.p.cross(f), f)


@kernel(
    inputs=[pose("T_AB"), force("f_A", "A")],
    outputs=[force("f_B", "B", "the same spatial force")],
    equation="f_B = X^-1 f_A = [R^T (n_A - p x f_OA), R^T f_OA]; X = [[R, p~ R], [0, R]]; f_A = [n_A, f_OA]",
    source=PLUCKER,
    requires=RIGHT,
)
def force_transform_inverse(T_AB: Transform, f_A: Force) -> Force:
    """Plücker transform of a spatial force vector from A to B."""
    R_BA = T_AB.R.transpose
    return Force(R_BA @ let("d", f_A.n - T_AB.p.cross(f_A.f)), R_BA @ f_A.f)


def _plucker(doc: str) -> Arg:
    return Arg("X", Array((6, 6)), "mixed", f"{doc}, row-major", "B to A")


def _lever(T_AB: Transform) -> Mat3:
    """p~ R"""
    return Mat3.from_columns(*(T_AB.p.cross(axis) for axis in T_AB.R.columns))


@kernel(
    inputs=[pose("T_AB")],
    outputs=[_plucker("Plücker transform of motions [w; v]")],
    equation="X = [[R, 0], [p~ R, R]]",
    source=FEATHERSTONE.at("section 2.8", "equation 2.28"),
)
def motion_transform_matrix(T_AB: Transform) -> list[Scalar]:
    """Matrix that takes spatial motion vectors from B to A."""
    return block_rows(T_AB.R, ZERO, _lever(T_AB), T_AB.R)


@kernel(
    inputs=[pose("T_AB")],
    outputs=[_plucker("Plücker transform of forces [n; f]")],
    equation="X = [[R, p~ R], [0, R]]",
    source=PLUCKER,
)
def force_transform_matrix(T_AB: Transform) -> list[Scalar]:
    """Matrix that takes spatial force vectors from B to A."""
    return block_rows(T_AB.R, _lever(T_AB), ZERO, T_AB.R)


LINEAR_FIRST = "the order of `[v, w]` and `[f, n]` in KSL and Pinocchio"
EXCHANGE = "P = [[0, identity(3)], [identity(3), 0]]"


@kernel(
    inputs=[pose("T_AB")],
    outputs=[_plucker("Plücker transform of motions [v; w]")],
    equation=f"X = P [[R, 0], [p~ R, R]] P = [[R, p~ R], [0, R]]; {EXCHANGE}",
    source=LINEAR_FIRST,
)
def motion_transform_matrix_linear_first(T_AB: Transform) -> list[Scalar]:
    """Matrix that takes spatial motion vectors, linear first, from B to A."""
    return block_rows(T_AB.R, _lever(T_AB), ZERO, T_AB.R)


@kernel(
    inputs=[pose("T_AB")],
    outputs=[_plucker("Plücker transform of forces [f; n]")],
    equation=f"X = P [[R, p~ R], [0, R]] P = [[R, 0], [p~ R, R]]; {EXCHANGE}",
    source=LINEAR_FIRST,
)
def force_transform_matrix_linear_first(T_AB: Transform) -> list[Scalar]:
    """Matrix that takes spatial force vectors, linear first, from B to A."""
    return block_rows(T_AB.R, ZERO, _lever(T_AB), T_AB.R)


@kernel(
    inputs=[
        pose("T_A0"),
        pose("T_A1"),
        Arg("t", REAL, "1", "interpolation parameter; outside [0, 1] it extrapolates along the screw"),
    ],
    outputs=[Arg("T_At", Transform, POSE, "interpolated pose", "t to A")],
    equation="T_At = T_A0 [[R(t), V(t) v], [0, 1]]; "
    "R(s) = 1 + sin(s a) u~ + (1 - cos(s a)) u~ u~; "
    "V(s) = s 1 + ((1 - cos(s a)) / a) u~ + (s - sin(s a) / a) u~ u~; "
    "n = vee(R_01 - R_01^T) / 2, a = atan2(|n|, (tr(R_01) - 1) / 2), u = n / |n|, v = V(1)^-1 p_01; "
    "T_01 = T_A0^-1 T_A1, [[R_01, p_01], [0, 1]] = T_01",
    source=MURRAY.at("chapter 2, section 3"),
    requires="`R_A0` and `R_A1` are orthonormal, of determinant 1",
)
def transform_interpolate(T_A0: Transform, T_A1: Transform, t: Scalar) -> Transform:
    """Pose on the screw motion from one pose to another, by the shorter rotation.

    It is `T_A0` where `t` is 0, and `T_A1` where it is 1. The angle of the rotation and the way along its
    axis are in proportion to `t`; the way across the axis is an arc about it. At a half turn both directions
    are equally long; the largest component of the axis in 0's axes, the first of equal ones, is then
    positive.
    """
    T_01 = transform_compose(transform_inverse(T_A0), T_A1)
    q, p = let("q", dcm_to_quat(let("R_01", T_01.R))), let("p_01", T_01.p)
    v = q.vector
    n2 = let("n2", v.dot(v))
    straight = let(
        "straight",
        removable(
            n2 <= MIN,
            "`n` the squared sine of half the angle, the sine of its part `t` over its sine is `t`",
            "n <= min",
            n=n2,
        ),
    )
    n2 = let("n2_safe", select(straight, 1, n2))
    inv_n = let("inv_n", 1 / sqrt(n2))
    phi = let("phi", select(straight, 0, atan2(n2 * inv_n, q.w)))
    gone, left = let("gone", t * phi), let("left", (1 - t) * phi)
    k = let("k", select(straight, t, sin(gone) * inv_n))
    across = let("across", k * cos(left))
    along = let("along", v.dot(p) * (t - across) / n2)
    sweep: Vec3 = along * v + across * p - k * (sin(left) * inv_n) * v.cross(p)
    R_0t = quat_to_dcm_unit(UnitQuaternion.from_parts(cos(gone), let("q_0t", k * v)))
    T_0t = Transform(let("R_0t", R_0t), let("p_0t", sweep))
    return transform_compose(T_A0, T_0t)  # type: ignore[no-any-return]


LIE_THEORY = MICRO_LIE.at("appendix D")
TURNED = Arg("r", RotationVector, "rad", "rotation vector: axis times angle")
MOVED = vector("rho", "m", "velocity of B's origin times the duration, in axes that turn with B", "B")


@kernel(
    inputs=[TURNED, MOVED],
    outputs=[pose("T_AB")],
    equation="T_AB = [[1 + k cos(h) r~ + (k^2 / 2) r~ r~, J rho], [0, 1]]; "
    "J = 1 + (k^2 / 2) r~ + ((1 - k cos(h)) / |r|^2) r~ r~; k = sin(h) / h; h = |r| / 2",
    source=LIE_THEORY,
    requires=NO_OVERFLOW,
)
def transform_exp(r: RotationVector, rho: Vec3) -> Transform:
    """Pose after a screw motion: the exponential map of SE(3), accurate down to a zero `r`.

    `r` and `rho` are a spatial velocity in B that is constant for a time of 1.
    """
    n2, sinc, cosine = half_angle(r)
    R = quat_to_dcm_unit(UnitQuaternion.from_parts(cosine, let("u", r * let("half_sinc", sinc / 2))))
    across, level = let("across", sinc * sinc / 2), let("level", sinc * cosine)
    along = let("along", (1 - level) / _nonzero(n2) * r.dot(rho))
    return Transform(R, level * rho + across * r.cross(rho) + along * r)


def _nonzero(n2: Scalar) -> Scalar:
    """The square of an angle or of its half's sine, as the divisor of what is 0 at 0."""
    no_turn = removable(n2 <= MIN, "`n` the square of that angle, `rho` is the position", "n <= min", n=n2)
    return select(no_turn, 1, n2)


@kernel(
    inputs=[pose("T_AB")],
    outputs=[
        Arg("r", RotationVector, "rad", "rotation vector, of length at most `pi`"),
        vector("rho", "m", "velocity of B's origin that leads there in a time of 1, in axes that turn", "B"),
    ],
    equation="r = a e; rho = (k / 2) p - (r x p) / 2 + (1 - k / 2) (e.p) e; "
    "k = a cos(a / 2) / sin(a / 2); n = vee(R - R^T) / 2, a = atan2(|n|, (tr(R) - 1) / 2), e = n / |n|; "
    "[[R, p], [0, 1]] = T_AB",
    source=LIE_THEORY,
    requires=RIGHT + ", of determinant 1",
)
def transform_log(T_AB: Transform) -> tuple[Vec3, Vec3]:
    """Screw motion that leads to a pose: the logarithm of SE(3), by the shorter rotation.

    At half a turn, the largest component of the axis, the first of equal ones, is positive.
    """
    q, p = let("q", dcm_to_quat(T_AB.R)), T_AB.p
    u, scale = q.vector, log_scale(q.w, q.vector)
    level = let("level", scale * q.w / 2)  # h cot(h)
    along = let("along", (1 - level) / _nonzero(u.dot(u)) * u.dot(p))
    return u * scale, level * p - (scale / 2) * u.cross(p) + along * u


def _slope(coefficients: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """The derivative by x, over x, of a power series in x^2."""
    return tuple(2 * k * c for k, c in enumerate(coefficients))[1:]


CROSS_SLOPE = Series(
    "(sin(|r|) / |r| - 2 (1 - cos(|r|)) / |r|^2) / |r|^2",
    _slope(tuple(Fraction((-1) ** k, factorial(2 * k + 2)) for k in range(9))),
)
"""The slope of a = (1 - cos(x)) / x^2, over x."""

JACOBIAN_SLOPE = Series(
    "((1 - cos(|r|)) / |r|^2 - 3 (1 - sin(|r|) / |r|) / |r|^2) / |r|^2",
    _slope((*JACOBIAN_SERIES.given, Fraction(1, factorial(19)))),
)
"""(a - 3 b) / x^2, the slope of b = (1 - sin(x) / x) / x^2, over x."""

INVERSE_SLOPE = Series(
    "((h^2 / sin(h)^2 - h cos(h) / sin(h)) / |r|^2 - 2 (1 - h cos(h) / sin(h)) / |r|^2) / |r|^2",
    _slope((*INVERSE_SERIES.given, Fraction(174611, 802857662698291200000))),
    "h = |r| / 2",
)
"""((1 / k^2 - g) / x^2 - 2 b) / x^2, the slope of b = (1 - g) / x^2, over x."""


def _swept(r: Vec3, s: Vec3, t: Vec3) -> Mat3:
    """s~ + r~ t~ + t~ r~"""
    xx, yy, zz = let("rt_xx", r.x * t.x), let("rt_yy", r.y * t.y), let("rt_zz", r.z * t.z)
    xy, xz = let("rt_xy", r.x * t.y + t.x * r.y), let("rt_xz", r.x * t.z + t.x * r.z)
    yz = let("rt_yz", r.y * t.z + t.y * r.z)
    return Mat3(
        (
            *(-2 * (yy + zz), xy - s.z, xz + s.y),
            *(xy + s.z, -2 * (xx + zz), yz - s.x),
            *(xz - s.y, yz + s.x, -2 * (xx + yy)),
        )
    )


def _screw_jacobian(r: Vec3, rho: Vec3) -> tuple[Mat3, Mat3]:
    """The left Jacobian of the rotation, and its derivative along rho."""
    n2, k, cosine = half_angle(r)
    a, level, along = let("a", k * k / 2), let("level", k * cosine), let("along", r.dot(rho))
    near = is_near_zero(n2)
    by_n2 = let("by_n2", 1 / select(near, 1, n2))
    b = let("b", JACOBIAN_SERIES.at(n2, near, (1 - level) * by_n2))
    a_slope = CROSS_SLOPE.at(n2, near, (level - 2 * a) * by_n2)
    b_slope = JACOBIAN_SLOPE.at(n2, near, (a - 3 * b) * by_n2)
    s: Vec3 = a * rho + let("a_rate", along * a_slope) * r
    t: Vec3 = b * rho + let("b_rate", along * b_slope / 2) * r
    L = let("left", skew_polynomial(let("a_r", a * r), r, let("b_r", b * r)))
    return L, let("swept", _swept(r, let("s", s), let("t", t)))


def _screw_jacobian_inverse(r: Vec3, rho: Vec3) -> tuple[Mat3, Mat3]:
    """The inverse of the left Jacobian of the rotation, and its derivative along rho."""
    in_range = let("in_range", require(r.dot(r) <= MAX, Status.NOT_FINITE))
    r = let("r_safe", select(in_range, r, Vec3.zero()))
    n2, k, cosine = half_angle(r)
    ok = let("regular", require(absolute(k) > 4 * EPS, Status.SINGULAR))
    near = is_near_zero(n2)
    by_n2 = let("by_n2", 1 / select(near, 1, n2))
    by_k = let("by_k", select(ok, 1, 0) / select(ok, k, 1))
    level = let("level", cosine * by_k)  # h cot(h)
    b = let("b", INVERSE_SERIES.at(n2, near, (select(ok, 1, 0) - level) * by_n2))
    by_angle = ((by_k * by_k - level) * by_n2 - 2 * b) * by_n2
    b_slope = INVERSE_SLOPE.at(n2, near, by_angle)
    t: Vec3 = b * rho + let("b_rate", r.dot(rho) * b_slope / 2) * r
    L = skew_polynomial(let("a_r", r / -2), r, let("b_r", b * r))
    Q = let("swept", _swept(r, rho / -2, let("t", t)))
    held = let("held", every(in_range, bounded(total(Q))))
    return select(held, let("left", L), UNIT), select(held, Q, ZERO)


UNIT = Mat3.identity()
SCREWS = f"{BARFOOT.at('equation 7.85b', 'equation 7.86b')}; here, the angular half comes first"
HALF = "k = sin(h) / h; h = |r| / 2"
_RATE = f"d = r.rho; {HALF}"
_BENT = (
    "s = (k^2 / 2) rho + d (k (cos(h) - k) / |r|^2) r; "
    f"t = b rho + (d / 2) ((k^2 / 2 - 3 b) / |r|^2) r; b = (1 - k cos(h)) / |r|^2; {_RATE}"
)
_STRAIGHTENED = (
    "s = rho / 2; t = b rho + (d / 2) (((1 / k^2 - g) / |r|^2 - 2 b) / |r|^2) r; "
    f"b = (1 - g) / |r|^2; g = cos(h) / k; {_RATE}"
)
SCREW_FAILURES = {
    Status.NOT_FINITE: (
        Failure("r.r <= max", "J_inv = 1"),
        Failure("|sum(Q)| <= max", "J_inv = 1"),
    ),
}


_CHANGE = "a small change of `r` and `rho`, in this order, is to first order"


def _screw_result(name: str, doc: str) -> Arg:
    return Arg(name, Array((6, 6)), "mixed", f"{doc}, angular first, row-major")


def _screw_singular(sign: str) -> Failure:
    leading = sign.replace("+", "")
    return singular(f"J_inv = [[1 {sign} r~ / 2, 0], [{leading}rho~ / 2, 1 {sign} r~ / 2]]")


@kernel(
    inputs=[TURNED, MOVED],
    outputs=[
        _screw_result("J", f"left Jacobian: {_CHANGE} a further motion in A by `J` times it"),
    ],
    equation=f"J = [[L, 0], [Q, L]]; L = 1 + (k^2 / 2) r~ + b r~ r~; Q = s~ + r~ t~ + t~ r~; {_BENT}",
    source=SCREWS,
    requires=NO_OVERFLOW,
)
def se3_left_jacobian(r: RotationVector, rho: Vec3) -> list[Scalar]:
    """Left Jacobian of rigid motions: from rates of `r` and `rho` to the spatial velocity of B in A.

    The pose is that of transform_exp. `L` is the left Jacobian of the rotation alone, and `Q` is its
    derivative along `rho`.
    """
    L, Q = _screw_jacobian(r, rho)
    return block_rows(L, ZERO, Q, L)


@kernel(
    inputs=[TURNED, MOVED],
    outputs=[
        _screw_result("J", f"right Jacobian: {_CHANGE} a further motion in B by `J` times it"),
    ],
    equation=f"J = [[L, 0], [Q, L]]; L = 1 - (k^2 / 2) r~ + b r~ r~; Q = -s~ + r~ t~ + t~ r~; {_BENT}",
    source=SCREWS,
    requires=NO_OVERFLOW,
)
def se3_right_jacobian(r: RotationVector, rho: Vec3) -> list[Scalar]:
    """Right Jacobian of rigid motions: from rates of `r` and `rho` to the spatial velocity of B in B.

    The pose is that of transform_exp. The blocks are the transposes of those of the left Jacobian.
    """
    L, Q = _screw_jacobian(r, rho)
    return block_rows(L.transpose, ZERO, Q.transpose, L.transpose)


@kernel(
    inputs=[TURNED, MOVED],
    outputs=[_screw_result("J_inv", "inverse of the left Jacobian")],
    equation=f"J_inv = [[L, 0], [Q, L]]; L = 1 - r~ / 2 + b r~ r~; Q = -s~ + r~ t~ + t~ r~; {_STRAIGHTENED}",
    source=SCREWS,
    failures={**SCREW_FAILURES, Status.SINGULAR: _screw_singular("-")},
)
def se3_left_jacobian_inverse(r: RotationVector, rho: Vec3) -> list[Scalar]:
    """Inverse of the left Jacobian: the rates of r and rho at a spatial velocity of B in A."""
    L, Q = _screw_jacobian_inverse(r, rho)
    return block_rows(L, ZERO, Q, L)


@kernel(
    inputs=[TURNED, MOVED],
    outputs=[_screw_result("J_inv", "inverse of the right Jacobian")],
    equation=f"J_inv = [[L, 0], [Q, L]]; L = 1 + r~ / 2 + b r~ r~; Q = s~ + r~ t~ + t~ r~; {_STRAIGHTENED}",
    source=SCREWS,
    failures={**SCREW_FAILURES, Status.SINGULAR: _screw_singular("+")},
)
def se3_right_jacobian_inverse(r: RotationVector, rho: Vec3) -> list[Scalar]:
    """Inverse of the right Jacobian: the rates of r and rho at a spatial velocity of B in B."""
    L, Q = _screw_jacobian_inverse(r, rho)
    return block_rows(L.transpose, ZERO, Q.transpose, L.transpose)
