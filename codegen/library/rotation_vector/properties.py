"""Logarithms of rotations: the properties that define them.

A property takes the arguments, then the results, and returns residuals that are all zero where the results
are right and no status flag is raised.
"""

from __future__ import annotations

from sympy import Abs, Expr, Matrix, Piecewise, atan2, cos, sin, sqrt

from codegen.library.shared.textbook import Scalars, conjugate, flat, left_product, quat_to_dcm


def rotvec_from_quat(q: Scalars, r: Scalars) -> list[Expr]:
    """The axis r / |r| and the angle |r| are those of q; where r = 0, q is a multiple of 1."""
    length = _norm(r)
    safe = length + Piecewise((0, length > 0), (1, True))
    return _turn([x / safe for x in r], length, q)


def axis_angle_from_quat(q: Scalars, axis: Scalars, angle: Expr) -> list[Expr]:
    """A rotation by the angle about the axis, a unit vector, is that of q; 0 <= angle <= pi."""
    return [_norm(axis) - 1, *_turn(axis, angle, q)]


def quat_error(q_NB: Scalars, q_ND: Scalars, e_B: Scalars) -> list[Expr]:
    """R_NB exp(e_B~) = R_ND, and |e_B| <= pi: the property of rotvec_from_quat for q_NB* q_ND."""
    return rotvec_from_quat(flat(left_product(flat(conjugate(q_NB))) * Matrix(q_ND)), e_B)


def _turn(axis: Scalars, angle: Expr, q: Scalars) -> list[Expr]:
    """The rotation matrix of [cos(h), sin(h) axis], h = angle / 2, is that of q, and h in [0, pi/2].

    The range follows from cos(h) = |w| / |q| and sin(h) = |u| / |q| of q = [w, u], h in [-pi, pi].
    """
    c, s = cos(angle / 2), sin(angle / 2)
    same = Matrix(quat_to_dcm([c, *(s * x for x in axis)])) - Matrix(quat_to_dcm(q))
    in_range = [c - Abs(q[0]) / _norm(q), s - _norm(q[1:]) / _norm(q), angle / 2 - atan2(s, c)]
    return [*flat(same), *in_range]


def _norm(v: Scalars) -> Expr:
    return sqrt(Matrix(v).dot(Matrix(v)))
