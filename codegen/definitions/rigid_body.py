"""Newton's and Euler's equations of one rigid body, B's origin at its centre of mass."""

from __future__ import annotations

from sympy import Expr, Matrix, eye

from .rotation import dcm_from_rpy, quat_kinematics, rpy_kinematics
from .textbook import Scalars, flat, inverse, matrix3, skew, symmetric


def rigid_body_dynamics_quat(
    p_N: Scalars,
    q_NB: Scalars,
    v_B: Scalars,
    w_B: Scalars,
    F_B: Scalars,
    M_B: Scalars,
    m: Expr,
    J_B: Scalars,
    baumgarte: Expr,
) -> list[Expr]:
    """dp = R(q) v, dq = q (x) [0, w] / 2 - baumgarte (q.q - 1) q, then Newton and Euler.

    R(q) = 1 + 2 w u~ + 2 u~ u~ also where q has drifted off the unit sphere.
    """
    w, u = q_NB[0], skew(Matrix(q_NB[1:]))
    return [
        *((eye(3) + 2 * w * u + 2 * u * u) * Matrix(v_B)),
        *quat_kinematics(q_NB, w_B, baumgarte),
        *_newton_euler(v_B, w_B, F_B, M_B, m, J_B),
    ]


def rigid_body_dynamics_rpy(
    p_N: Scalars,
    rpy: Scalars,
    v_B: Scalars,
    w_B: Scalars,
    F_B: Scalars,
    M_B: Scalars,
    m: Expr,
    J_B: Scalars,
) -> list[Expr]:
    """dp = R(rpy) v, drpy = E(rpy)^-1 w, then Newton and Euler."""
    return [
        *(matrix3(dcm_from_rpy(rpy)) * Matrix(v_B)),
        *rpy_kinematics(rpy, w_B),
        *_newton_euler(v_B, w_B, F_B, M_B, m, J_B),
    ]


def _newton_euler(
    v_B: Scalars, w_B: Scalars, F_B: Scalars, M_B: Scalars, m: Expr, J_B: Scalars
) -> list[Expr]:
    """dv = F/m - w x v, dw = J^-1 (M - w x J w), both in body axes (Stevens & Lewis)."""
    v, w, J = Matrix(v_B), Matrix(w_B), symmetric(J_B)
    dv = Matrix(F_B) / m - skew(w) * v
    dw = inverse(J) * (Matrix(M_B) - skew(w) * J * w)
    return flat(dv, dw)
