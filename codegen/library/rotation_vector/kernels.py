"""Rotation vectors, axis times angle: exponential and logarithm of quaternions, and their uses."""

from fractions import Fraction
from math import factorial

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Scalar
from codegen.library.rotation.kernels import nonzero, quat_multiply, quaternion_failures, skew_polynomial
from codegen.library.shared.arguments import attitude, quaternion, vector
from codegen.library.shared.works import MICRO_LIE, SHOEMAKE, SOLA
from codegen.modeling.failures import Failure
from codegen.modeling.series import Series, is_near_zero
from codegen.modeling.types.algebra import Mat3, Quaternion, RotationVector, UnitQuaternion, Vec3
from codegen.modeling.types.scalar import (
    EPS,
    MAX,
    MIN,
    absolute,
    atan2,
    cos,
    every,
    finite,
    let,
    removable,
    require,
    select,
    sin,
    sqrt,
)

TURNS = SOLA.at("section 2.4")
LIE_THEORY = MICRO_LIE.at("appendix B")
NO_OVERFLOW = "the square of `r` does not overflow"


def _rotation_vector(name: str = "r") -> Arg:
    return Arg(name, RotationVector, "rad", "rotation vector: axis times angle")


def _unit(name: str, doc: str) -> Arg:
    return Arg(name, UnitQuaternion, "1", doc)


_NO_TURN = (
    "`n` the square of the angle, the cosine of half the angle is one, and so is the sine of the half over it"
)
_SMALL_TURN = (
    "`n` the squared length of a quaternion's vector part and `w` its scalar part, the half angle over that "
    "length is one over the modulus of the scalar part"
)


_TINY = Fraction(1, 2**50)
"""An angle in place of smaller ones; its square is a rational number, so that the root is exact in proofs."""


def half_angle(r: Vec3) -> tuple[Scalar, Scalar, Scalar]:
    """r.r, sin(h) / h and cos(h) of half the angle, h = |r| / 2.

    Of the angle that stands for smaller ones, both are 1 to the last bit, and their derivatives are 0.
    """
    n2 = let("n2", r.dot(r))
    by_limit = let("by_limit", removable(n2 <= MIN, _NO_TURN, "n <= min", n=n2))
    half = let("half", sqrt(select(by_limit, _TINY**2, n2)) / 2)
    return n2, let("sinc", sin(half) / half), let("cos_half", cos(half))


@kernel(
    inputs=[_rotation_vector()],
    outputs=[_unit("q", "unit quaternion of the rotation")],
    equation="q = [cos(|r| / 2), sin(|r| / 2) r / |r|]",
    source=TURNS,
    requires=NO_OVERFLOW,
)
def quat_from_rotvec(r: RotationVector) -> Quaternion:
    """Unit quaternion of a rotation vector: the exponential map, accurate down to a zero `r`."""
    _, sinc, cosine = half_angle(r)
    return Quaternion.from_parts(cosine, r * let("scale", sinc / 2))


def log_scale(w: Scalar, u: Vec3) -> Scalar:
    """Angle over |u| of a quaternion [w, u] of any nonzero norm, w >= 0.

    Where |u|^2 <= eps w^2, the angle 2 atan(|u| / w) is 2 |u| / w to the last bit.
    """
    u2 = let("u2", u.dot(u))
    near = let("by_limit", removable(u2 <= EPS * w * w, _SMALL_TURN, "n <= eps w^2", n=u2, w=w))
    norm = let("norm_u", sqrt(select(near, 1, u2)))
    return let("scale", 2 * select(near, 1, atan2(norm, w)) / select(near, w, norm))


def _logarithm(q: Quaternion) -> Vec3:
    """The rotation vector of a quaternion of any nonzero norm, on the short arc."""
    scale = log_scale(let("abs_w", absolute(q.w)), q.vector)
    r: Vec3 = q.vector * select(q.w < 0, -scale, scale)
    return r


@kernel(
    inputs=[quaternion("q", "attitude, of any norm")],
    outputs=[_rotation_vector()],
    equation="r = k {-u if w < 0, u otherwise}; k = 2 atan2(|u|, |w|) / |u|; [w, u] = q",
    source=TURNS,
    failures=quaternion_failures("r = 0"),
)
def rotvec_from_quat(q: Quaternion) -> Vec3:
    """Rotation vector of a quaternion, of length at most `pi`: the logarithm, accurate down to a zero `r`."""
    _, ok = nonzero(q.norm_squared)
    return _logarithm(let("q_safe", select(ok, q, Quaternion.identity())))


@kernel(
    inputs=[
        Arg("axis", Vec3, "1", "axis of rotation, of any nonzero length"),
        Arg("angle", REAL, "rad", "angle of rotation about it"),
    ],
    outputs=[_unit("q", "unit quaternion of the rotation")],
    equation="q = [cos(angle / 2), sin(angle / 2) axis / |axis|]",
    source=TURNS,
    failures={
        Status.ZERO_NORM: Failure("axis.axis > min", "q = [1, 0, 0, 0]"),
        Status.NOT_FINITE: Failure("axis.axis <= max, |angle| <= max", "q = [1, 0, 0, 0]"),
    },
)
def quat_from_axis_angle(axis: Vec3, angle: Scalar) -> Quaternion:
    """Unit quaternion of a rotation about an axis."""
    n, ok = nonzero(axis.dot(axis))
    turns = let("turns", every(ok, require(finite(angle), Status.NOT_FINITE)))
    half = let("half", select(turns, angle, 0) / 2)
    return Quaternion.from_parts(cos(half), select(ok, axis, Vec3.zero()) * let("scale", sin(half) / sqrt(n)))


@kernel(
    inputs=[quaternion("q", "attitude, of any norm")],
    outputs=[
        Arg("axis", Vec3, "1", "axis of rotation, a unit vector"),
        Arg("angle", REAL, "rad", "angle of rotation about it, from 0 to `pi`"),
    ],
    equation="[cos(angle / 2), sin(angle / 2) axis] = {-q if q_w < 0, q otherwise} / |q|; "
    "|axis| = 1; 0 <= angle <= pi",
    source=TURNS,
    failures=quaternion_failures("axis = [1, 0, 0], angle = 0"),
)
def axis_angle_from_quat(q: Quaternion) -> tuple[Vec3, Scalar]:
    """Axis and angle of a quaternion.

    Where the square of the vector part is not above the smallest normal number, the angle is 0 and the axis
    that of x. In float that is below 2.2e-19 rad for a unit quaternion, but already below 2e-3 rad for one of
    norm 1e-16: normalise a small quaternion first.
    """
    _, ok = nonzero(q.norm_squared)
    q = let("q_safe", select(ok, q, Quaternion.identity()))
    u = q.vector
    u2 = let("u2", u.dot(u))
    turned = let("turned", u2 > MIN)
    norm = let("norm_u", sqrt(select(turned, u2, 1)))
    scale = let("scale", 1 / select(every(turned, q.w < 0), -norm, norm))
    axis: Vec3 = select(turned, u, Vec3(1, 0, 0)) * scale
    return axis, select(turned, 2 * atan2(norm, absolute(q.w)), 0)


@kernel(
    inputs=[
        _unit("q_0", "attitude where `t` is 0, unit quaternion"),
        _unit("q_1", "attitude where `t` is 1, unit quaternion"),
        Arg("t", REAL, "1", "interpolation parameter; outside [0, 1] it extrapolates"),
    ],
    outputs=[_unit("q_t", "attitude at `t`")],
    equation="q_t = q_0 (x) [cos(t h), sin(t h) u / |u|]; h = atan2(|u|, w); "
    "[w, u] = {-p if p[0] < 0, p otherwise}; p = q_0^* (x) q_1",
    source=SHOEMAKE,
    requires="`q_0` and `q_1` are unit quaternions",
)
def quat_slerp(q_0: UnitQuaternion, q_1: UnitQuaternion, t: Scalar) -> Quaternion:
    """Spherical linear interpolation of two attitudes, on the short arc, at a constant rate.

    The result is `q_0` where `t` is 0 and, where it is 1, whichever of `q_1` and its opposite is nearer.
    Where the attitudes are half a turn apart, both arcs are equally long, and the one from `q_0` to `q_1` is
    used.
    """
    cosine = let("cosine", q_0.w * q_1.w + q_0.vector.dot(q_1.vector))
    v: Quaternion = let("v", q_1 - cosine * q_0)
    s2 = let("s2", v.norm_squared)
    s = let("s", sqrt(s2))
    angle = let("angle", t * atan2(s, absolute(cosine)))
    near = let(
        "by_limit",
        removable(
            s2 <= MIN,
            "`n` the square of its length, the sine over the length of `v` is `t`",
            "n <= min",
            n=s2,
        ),
    )
    ratio = let("ratio", select(near, t, sin(angle)) / select(near, 1, s))
    q_t: Quaternion = q_0 * let("cos_angle", cos(angle)) + v * select(cosine < 0, -ratio, ratio)
    return q_t


@kernel(
    inputs=[
        attitude("q_AB"),
        vector("w_B", "rad/s", "angular velocity of B relative to A, held during the step", "B"),
        Arg("dt", REAL, "s", "time step"),
    ],
    outputs=[Arg("q_AB_next", UnitQuaternion, "1", "attitude after the step", "B to A")],
    equation="q_AB_next = q_AB (x) [cos(|r| / 2), sin(|r| / 2) r / |r|]; r = w_B dt",
    source=SOLA.at("section 4.6"),
    requires="the square of the angle, of `w_B` times `dt`, does not overflow",
)
def quat_integrate(q_AB: UnitQuaternion, w_B: Vec3, dt: Scalar) -> Quaternion:
    """Attitude after a time step at a constant body rate: the exact solution; it keeps the norm of `q_AB`."""
    q_AB_next: Quaternion = quat_multiply(q_AB, quat_from_rotvec(let("r", w_B * dt)))
    return q_AB_next


@kernel(
    inputs=[
        attitude("q_NB"),
        Arg("q_ND", UnitQuaternion, "1", "desired attitude, unit quaternion", "D to N"),
    ],
    outputs=[vector("e_B", "rad", "rotation vector from B to D, of length at most `pi`", "B")],
    equation="e_B = k {-u if w < 0, u otherwise}; k = 2 atan2(|u|, |w|) / |u|; [w, u] = q; "
    "q = q_NB^* (x) q_ND",
    source=TURNS,
    requires="`q_NB` and `q_ND` are unit quaternions",
)
def quat_error(q_NB: UnitQuaternion, q_ND: UnitQuaternion) -> Vec3:
    """Attitude error as a rotation vector, on the short arc: the rotation that takes the body to D."""
    return _logarithm(let("q_BD", quat_multiply(q_NB.conjugate, q_ND)))


JACOBIAN_SERIES = Series(
    "(1 - sin(|r|) / |r|) / |r|^2", tuple(Fraction((-1) ** k, factorial(2 * k + 3)) for k in range(8))
)

INVERSE_SERIES = Series(
    "(1 - h cos(h) / sin(h)) / |r|^2",
    (
        *(Fraction(1, n) for n in (12, 720, 30240, 1209600, 47900160)),
        Fraction(691, 1307674368000),
        Fraction(1, 74724249600),
        Fraction(3617, 10670622842880000),
        Fraction(43867, 5109094217170944000),
    ),
    "h = |r| / 2",
)
"""The coefficients are |B_2k| / (2 k)!, of the Bernoulli numbers."""


def _jacobian(r: Vec3) -> Mat3:
    """1 + a r~ + b r~ r~ with a = (1 - cos|r|) / |r|^2, b = (1 - sin|r| / |r|) / |r|^2, by half angles."""
    n2, sinc, cosine = half_angle(r)
    near = is_near_zero(n2)
    a = let("a", sinc * sinc / 2)
    b = JACOBIAN_SERIES.at(n2, near, (1 - sinc * cosine) / select(near, 1, n2))
    return skew_polynomial(let("a_r", a * r), r, let("b_r", let("b", b) * r))


def _jacobian_inverse(r: Vec3) -> Mat3:
    """1 - r~ / 2 + b r~ r~ with b = (1 - h cot(h)) / |r|^2, h = |r| / 2."""
    in_range = let("in_range", require(r.dot(r) <= MAX, Status.NOT_FINITE))
    r = let("r_safe", select(in_range, r, Vec3.zero()))
    n2, sinc, cosine = half_angle(r)
    near = is_near_zero(n2)
    ok = let("regular", require(absolute(sinc) > 4 * EPS, Status.SINGULAR))
    quotient = select(ok, sinc - cosine, 0) / (select(ok, sinc, 1) * select(near, 1, n2))
    b = let("b", INVERSE_SERIES.at(n2, near, quotient))
    return skew_polynomial(let("a_r", r / -2), r, let("b_r", b * r))


DOUBLED = "c = cos(h)^2 - sin(h)^2; s = 2 sin(h) cos(h); h = |r| / 2"
"""Cosine and sine of |r|, in equations."""

R_OVERFLOWS = Failure("r.r <= max", "J_inv = 1")


def singular(results: str) -> Failure:
    """The failure SINGULAR of the inverse Jacobians, at whole turns."""
    return Failure(
        "|sin(h) / h| > 4 eps", results, "otherwise, the length of `r` is that of a whole turn or of several"
    )


@kernel(
    inputs=[_rotation_vector()],
    outputs=[
        Arg(
            "J",
            Mat3,
            "1",
            "left Jacobian: to first order, a small change of `r` is a further rotation by `J` times it, "
            "about axes in the fixed frame",
        )
    ],
    equation=f"J = 1 + ((1 - c) / |r|^2) r~ + ((|r| - s) / |r|^3) r~ r~; {DOUBLED}",
    source=LIE_THEORY,
    requires=NO_OVERFLOW,
)
def so3_left_jacobian(r: RotationVector) -> Mat3:
    """Left Jacobian of the rotation group: it takes rates of `r` to angular velocities in the fixed frame.

    `c = cos(|r|)` and `s = sin(|r|)` are written with half the angle, as they are computed.
    """
    return _jacobian(r)


@kernel(
    inputs=[_rotation_vector()],
    outputs=[
        Arg(
            "J",
            Mat3,
            "1",
            "right Jacobian: to first order, a small change of `r` is a further rotation by `J` times it, "
            "about axes in the body",
        )
    ],
    equation=f"J = 1 - ((1 - c) / |r|^2) r~ + ((|r| - s) / |r|^3) r~ r~; {DOUBLED}",
    source=LIE_THEORY,
    requires=NO_OVERFLOW,
)
def so3_right_jacobian(r: RotationVector) -> Mat3:
    """Right Jacobian of the rotation group: it takes rates of `r` to angular velocities in the body.

    `c = cos(|r|)` and `s = sin(|r|)` are written with half the angle, as they are computed.
    """
    return _jacobian(r).transpose


@kernel(
    inputs=[_rotation_vector()],
    outputs=[Arg("J_inv", Mat3, "1", "inverse of the left Jacobian")],
    equation="J_inv = 1 - r~ / 2 + ((1 - h cos(h) / sin(h)) / |r|^2) r~ r~; h = |r| / 2",
    source=LIE_THEORY,
    failures={Status.NOT_FINITE: R_OVERFLOWS, Status.SINGULAR: singular("J_inv = 1 - r~ / 2")},
)
def so3_left_jacobian_inverse(r: RotationVector) -> Mat3:
    """Inverse of the left Jacobian: the rate of r at an angular velocity in the fixed frame."""
    return _jacobian_inverse(r)


@kernel(
    inputs=[_rotation_vector()],
    outputs=[Arg("J_inv", Mat3, "1", "inverse of the right Jacobian")],
    equation="J_inv = 1 + r~ / 2 + ((1 - h cos(h) / sin(h)) / |r|^2) r~ r~; h = |r| / 2",
    source=LIE_THEORY,
    failures={Status.NOT_FINITE: R_OVERFLOWS, Status.SINGULAR: singular("J_inv = 1 + r~ / 2")},
)
def so3_right_jacobian_inverse(r: RotationVector) -> Mat3:
    """Inverse of the right Jacobian: the rate of r at an angular velocity in the body."""
    return _jacobian_inverse(r).transpose
