"""Exponential of rotation vectors, and functions that use it.

Angles enter by their halves, as in quaternions: cos |r| = cos^2 h - sin^2 h and sin |r| = 2 sin h cos h with
h = |r| / 2.
"""

from __future__ import annotations

from sympy import Expr, Matrix, Piecewise, atan2, cos, eye, sin, sqrt

from codegen.library.shared.textbook import Scalars, conjugate, flat, inverse, left_product, matrix3, skew


def quat_from_rotvec(r: Scalars) -> list[Expr]:
    """exp(r / 2) = [cos(|r| / 2), sin(|r| / 2) r / |r|] (Sola 2017, section 2.3)."""
    norm = _norm(r)
    return [cos(norm / 2), *(x / norm * sin(norm / 2) for x in r)]


def quat_from_axis_angle(axis: Scalars, angle: Expr) -> list[Expr]:
    """[cos(angle / 2), sin(angle / 2) n], n the unit vector along the axis (Sola 2017, section 2.3)."""
    norm = _norm(axis)
    return [cos(angle / 2), *(sin(angle / 2) * (x / norm) for x in axis)]


def quat_slerp(q_0: Scalars, q_1: Scalars, t: Expr) -> list[Expr]:
    """q_0 (x) (q_0* (x) q_1)^t (Shoemake 1985).

    The power of p = [cos h, sin h n] is [cos t h, sin t h n]; of p and -p the one with cos h >= 0 is taken.
    """
    p = left_product(flat(conjugate(q_0))) * Matrix(q_1)
    p = Piecewise((-1, p[0] < 0), (1, True)) * p
    norm = _norm(p[1:])
    half = t * atan2(norm, p[0])
    power = [cos(half), *(sin(half) * x / norm for x in p[1:])]
    return flat(left_product(q_0) * Matrix(power))


def quat_integrate(q_AB: Scalars, w_B: Scalars, dt: Expr) -> list[Expr]:
    """q_AB (x) exp(w_B dt / 2), the solution of dq/dt = q (x) [0, w_B] / 2 (Sola 2017, section 4.6)."""
    return flat(left_product(q_AB) * Matrix(quat_from_rotvec([w * dt for w in w_B])))


def so3_left_jacobian(r: Scalars) -> list[Expr]:
    """sin(a)/a 1 + (1 - sin(a)/a) n n^T + (1 - cos(a))/a n~, r = a n (Barfoot 2017, section 7.1)."""
    a = _norm(r)
    n = Matrix(r) / a
    sine, cosine = 2 * sin(a / 2) * cos(a / 2), cos(a / 2) ** 2 - sin(a / 2) ** 2
    return flat(sine / a * eye(3) + (1 - sine / a) * n * n.T + (1 - cosine) / a * skew(list(n)))


def so3_right_jacobian(r: Scalars) -> list[Expr]:
    """The left Jacobian of -r."""
    return so3_left_jacobian([-x for x in r])


def so3_left_jacobian_inverse(r: Scalars) -> list[Expr]:
    """The inverse matrix of the left Jacobian."""
    return flat(inverse(matrix3(so3_left_jacobian(r))))


def so3_right_jacobian_inverse(r: Scalars) -> list[Expr]:
    """The inverse matrix of the right Jacobian."""
    return flat(inverse(matrix3(so3_right_jacobian(r))))


def _norm(v: Scalars) -> Expr:
    return sqrt(Matrix(v).dot(Matrix(v)))
