"""Modified Rodrigues parameters (Schaub and Junkins, section 3.6)."""

from __future__ import annotations

from sympy import Expr, Matrix, Piecewise, eye

from codegen.library.shared.textbook import Scalars, flat, skew


def mrp_from_quat(q_AB: Scalars) -> list[Expr]:
    """u / (1 + w) of [w, u] = q or -q, whichever has w >= 0."""
    q = Piecewise((-1, q_AB[0] < 0), (1, True)) * Matrix(q_AB)
    return [x / (1 + q[0]) for x in q[1:]]


def quat_from_mrp(s_AB: Scalars) -> list[Expr]:
    """[1 - s.s, 2 s] / (1 + s.s)."""
    n = _square(s_AB)
    return [(1 - n) / (1 + n), *(2 * x / (1 + n) for x in s_AB)]


def dcm_from_mrp(s_AB: Scalars) -> list[Expr]:
    """1 + (8 s~ s~ + 4 (1 - s.s) s~) / (1 + s.s)^2."""
    n, S = _square(s_AB), skew(s_AB)
    return flat(eye(3) + (8 * S * S + 4 * (1 - n) * S) / (1 + n) ** 2)


def mrp_kinematics(s_AB: Scalars, w_B: Scalars) -> list[Expr]:
    """((1 - s.s) 1 + 2 s~ + 2 s s^T) w_B / 4."""
    s = Matrix(s_AB)
    return flat(((1 - _square(s_AB)) * eye(3) + 2 * skew(s_AB) + 2 * s * s.T) * Matrix(w_B) / 4)


def mrp_shadow(s: Scalars) -> list[Expr]:
    """-s / (s.s) where s.s > 1, else s."""
    n = _square(s)
    return [Piecewise((-x / n, n > 1), (x, True)) for x in s]


def _square(s: Scalars) -> Expr:
    return Matrix(s).dot(Matrix(s))
