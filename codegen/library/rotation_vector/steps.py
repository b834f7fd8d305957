"""Steps of rotation vectors: exponentials and logarithms in terms of half angles."""

from __future__ import annotations

from sympy import Abs, Expr, Matrix, Piecewise, Rational, atan2, cos, eye, sin, sqrt

from codegen.library.rotation.steps import product
from codegen.library.shared.sources import SOLA
from codegen.library.shared.textbook import Scalars, conjugate, flat, skew
from codegen.modeling.steps import Step, condition, step

SHOEMAKE = "Shoemake, Animating rotation with quaternion curves, SIGGRAPH 1985"
LIE = "Sola, Deray and Atchuthan, A micro Lie theory for state estimation in robotics (2018), appendix B"


def _norm(v: Scalars) -> Expr:
    return sqrt(Matrix(v).dot(Matrix(v)))


def _exponential(r: Scalars) -> list[Expr]:
    """[cos h, (sin(h) / h) r / 2] with h = |r| / 2."""
    half = _norm(r) / 2
    return [cos(half), *(sin(half) / half / 2 * x for x in r)]


_half_angle = step(
    "Scale r by sin(h) / h instead of making it a unit vector",
    "q = [cos h, (sin(h) / h) r / 2], h = |r| / 2",
    by="sin(h) r / |r| = sin(h) / (2 h) r; sin(h) / h is smooth at 0",
    source=f"{SOLA} 2.3",
)(_exponential)


@step(
    "Scale the axis once",
    "q = [cos(angle / 2), s axis], s = sin(angle / 2) / sqrt(axis.axis)",
    by="n = axis / |axis|",
    source=f"{SOLA} 2.3",
)
def _axis_scaled(axis: Scalars, angle: Expr) -> list[Expr]:
    scale = sin(angle / 2) / _norm(axis)
    return [cos(angle / 2), *(scale * x for x in axis)]


def _half_tangent(q: Scalars, direction: Scalars, angle: Expr) -> list[Expr]:
    """Zero where tan(angle / 2) = |u| / |w| and the direction is along w u."""
    w, u, n = q[0], Matrix(q[1:]), Matrix(direction)
    return [
        _norm(u) * cos(angle / 2) - Abs(w) * sin(angle / 2),
        *u.cross(n),
        w * u.dot(n) - Abs(w * u.dot(n)),
    ]


def _logarithm(angle: str, axis: str, of: str) -> dict[str, str]:
    """The texts of the step to the logarithm of a quaternion [w, u] with this name."""
    return {
        "title": "Divide the vector part's length by the scalar part",
        "equation": f"tan({angle} / 2) = |u| / |w|, {axis} along w u; [w, u] = {of}",
        "by": "q = [cos h, sin(h) n], h half the angle; q and -q are one attitude",
        "source": f"{SOLA} 2.3",
    }


@condition(**_logarithm("|r|", "r", "q"))
def _of_quaternion(q: Scalars, r: Scalars) -> list[Expr]:
    return _half_tangent(q, r, _norm(r))


@condition(**_logarithm("angle", "axis", "q"))
def _axis_of_quaternion(q: Scalars, axis: Scalars, angle: Expr) -> list[Expr]:
    return _half_tangent(q, axis, angle)


@condition(**_logarithm("|e_B|", "e_B", "q_NB* q_ND"))
def _of_difference(q_NB: Scalars, q_ND: Scalars, e_B: Scalars) -> list[Expr]:
    return _half_tangent(product(flat(conjugate(q_NB)), q_ND), e_B, _norm(e_B))


@step(
    "Multiply the power by q_0: the circle through q_0 and q_1",
    "q_t = q_0 cos(t h) + s v sin(t h) / |v|, s the sign of c;\n"
    "v = q_1 - c q_0, c = q_0.q_1, tan h = |v| / |c|",
    by="q_0 (q_0* q_1) = q_1, the scalar part of q_0* q_1 is c; |v| = |vector part|; q_0.q_0 = q_1.q_1 = 1",
    source=SHOEMAKE,
)
def _great_circle(q_0: Scalars, q_1: Scalars, t: Expr) -> list[Expr]:
    start, end = Matrix(q_0), Matrix(q_1)
    c = start.dot(end)
    v, sign = end - c * start, Piecewise((-1, c < 0), (1, True))
    half = t * atan2(_norm(v), sign * c)
    return flat(start * cos(half) + sign * v * sin(half) / _norm(v))


@step(
    "Split the product with the exponential",
    "q_AB_next = [w e_w - u.e, w e + e_w u + u x e], [e_w, e] = [cos h, (sin(h) / h) r / 2], "
    "r = w_B dt, h = |r| / 2",
    by="w_B is constant: dq/dt = q [0, w_B] / 2 has the solution q exp(w_B dt / 2)",
    source=f"{SOLA} 4.6",
)
def _integrated(q_AB: Scalars, w_B: Scalars, dt: Expr) -> list[Expr]:
    return product(q_AB, _exponential([w * dt for w in w_B]))


def _polynomial(r: Scalars, a: Expr, b: Expr) -> list[Expr]:
    """1 + a r~ + b r~ r~."""
    S = skew(r)
    return flat(eye(3) + a * S + b * S * S)


def _jacobian(sign: int) -> tuple[Step, Step]:
    """Steps of the left (sign 1) or the right Jacobian: a polynomial in r~, then half angles."""
    plus = "+" if sign > 0 else "-"

    def polynomial(r: Scalars) -> list[Expr]:
        x = _norm(r)
        sine, cosine = 2 * sin(x / 2) * cos(x / 2), cos(x / 2) ** 2 - sin(x / 2) ** 2
        return _polynomial(r, sign * (1 - cosine) / x**2, (x - sine) / x**3)

    def by_halves(r: Scalars) -> list[Expr]:
        h = _norm(r) / 2
        ratio = sin(h) / h
        return _polynomial(r, sign * ratio**2 / 2, (1 - ratio * cos(h)) / (2 * h) ** 2)

    return (
        step(
            "Write the dyad as a product of skew matrices",
            f"J = 1 {plus} (1 - cos|r|) / |r|^2 r~ + (|r| - sin|r|) / |r|^3 r~ r~",
            by="r = |r| n: n n^T = 1 + n~ n~, and the multiples of 1 add up to 1",
            source=LIE,
        )(polynomial),
        step(
            "Use the trigonometric functions of half the angle",
            f"J = 1 {plus} k^2 / 2 r~ + (1 - k cos h) / |r|^2 r~ r~, k = sin(h) / h, h = |r| / 2",
            by="1 - cos 2h = 2 sin^2 h, sin 2h = 2 sin h cos h; 1 - cos|r| would cancel near 0",
            source=LIE,
        )(by_halves),
    )


def _jacobian_inverse(sign: int) -> tuple[Step]:
    """Steps of the inverse of the left (sign 1) or the right Jacobian."""
    minus = "-" if sign > 0 else "+"

    def polynomial(r: Scalars) -> list[Expr]:
        h = _norm(r) / 2
        return _polynomial(r, Rational(-sign, 2), (1 - h * cos(h) / sin(h)) / (2 * h) ** 2)

    return (
        step(
            "Invert within the polynomials of r~",
            f"J_inv = 1 {minus} r~ / 2 + (1 - h cot h) / |r|^2 r~ r~, h = |r| / 2",
            by="r~ r~ r~ = -(r.r) r~: J J_inv = 1, compared power by power",
            source=LIE,
        )(polynomial),
    )


STEPS: dict[str, tuple[Step, ...]] = {
    "quat_from_rotvec": (_half_angle,),
    "rotvec_from_quat": (_of_quaternion,),
    "quat_from_axis_angle": (_axis_scaled,),
    "axis_angle_from_quat": (_axis_of_quaternion,),
    "quat_slerp": (_great_circle,),
    "quat_integrate": (_integrated,),
    "quat_error": (_of_difference,),
    "so3_left_jacobian": _jacobian(1),
    "so3_right_jacobian": _jacobian(-1),
    "so3_left_jacobian_inverse": _jacobian_inverse(1),
    "so3_right_jacobian_inverse": _jacobian_inverse(-1),
}
