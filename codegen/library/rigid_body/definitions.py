"""Newton's and Euler's equations of one rigid body, B's origin at its centre of mass."""

from __future__ import annotations

from sympy import Expr, Matrix, cos, eye, sin, sqrt

from codegen.library.shared.textbook import (
    Scalars,
    conjugate,
    crf,
    dcm_from_rpy,
    flat,
    inverse,
    left_product,
    matrix3,
    quat_kinematics,
    quat_to_dcm,
    quat_to_dcm_unit,
    rotation_and_position,
    rpy_kinematics,
    skew,
    spatial_inertia,
    symmetric,
)


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


def rigid_body_dynamics_dcm(
    p_N: Scalars,
    R_NB: Scalars,
    v_B: Scalars,
    w_B: Scalars,
    F_B: Scalars,
    M_B: Scalars,
    m: Expr,
    J_B: Scalars,
) -> list[Expr]:
    """dp = R v, dR = R w~, then Newton and Euler."""
    R = matrix3(R_NB)
    return [*(R * Matrix(v_B)), *(R * skew(w_B)), *_newton_euler(v_B, w_B, F_B, M_B, m, J_B)]


def rigid_body_dynamics_mrp(
    p_N: Scalars,
    s_NB: Scalars,
    v_B: Scalars,
    w_B: Scalars,
    F_B: Scalars,
    M_B: Scalars,
    m: Expr,
    J_B: Scalars,
) -> list[Expr]:
    """dp = R(s) v, ds = ((1 - s.s) 1 + 2 s~ + 2 s s^T) w / 4, then Newton and Euler.

    R(s) = 1 + (8 s~ s~ + 4 (1 - s.s) s~) / (1 + s.s)^2 (Schaub & Junkins, transposed: R_NB, not R_BN).
    """
    s = Matrix(s_NB)
    n = s.dot(s)
    R = eye(3) + (8 * skew(s) * skew(s) + 4 * (1 - n) * skew(s)) / (1 + n) ** 2
    B = (1 - n) * eye(3) + 2 * skew(s) + 2 * s * s.T
    return [*(R * Matrix(v_B)), *(B * Matrix(w_B) / 4), *_newton_euler(v_B, w_B, F_B, M_B, m, J_B)]


def rigid_body_dynamics_spatial(T_NB: Scalars, v: Scalars, f: Scalars, I_B: Scalars) -> list[Expr]:
    """dR = R w~, dp = R v_O, and I dv = f - v x* I v (Featherstone 2008, section 2.14).

    The 6x6 system [[J, h~], [-h~, m 1]] [dw; dv_O] = [n; f] is solved by eliminating dv_O.
    """
    R, _ = rotation_and_position(T_NB)
    M = spatial_inertia(I_B)
    net = Matrix(f) - crf(v) * M * Matrix(v)
    J, H, m = M[:3, :3], M[:3, 3:], M[3, 3]
    dw = inverse(J - H * H.T / m) * (net[:3, :] - H * net[3:, :] / m)
    dv = (net[3:, :] - H.T * dw) / m
    return [*(R * skew(v[:3])), *(R * Matrix(v[3:])), *dw, *dv]


def rigid_body_dynamics_ecef(
    p_E: Scalars,
    q_EB: Scalars,
    v_E: Scalars,
    w_B: Scalars,
    F_E: Scalars,
    M_B: Scalars,
    m: Expr,
    J_B: Scalars,
    Omega_E: Scalars,
    baumgarte: Expr,
) -> list[Expr]:
    """dp = v, dq at the rate w - R_BE Omega, dv = F/m - 2 Omega~ v - Omega~ Omega~ p, and Euler's."""
    R_BE = matrix3(quat_to_dcm(q_EB)).T
    relative = Matrix(w_B) - R_BE * Matrix(Omega_E)
    Omega = skew(Omega_E)
    dv = Matrix(F_E) / m - 2 * Omega * Matrix(v_E) - Omega * Omega * Matrix(p_E)
    dw = _newton_euler(v_E, w_B, F_E, M_B, m, J_B)[3:]
    return [*v_E, *quat_kinematics(q_EB, relative, baumgarte), *dv, *dw]


def rigid_body_dynamics_quat_jacobian(
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
    """The derivatives of the definition of rigid_body_dynamics_quat, by SymPy; all arguments are symbols."""
    A, B = _jacobians(p_N, q_NB, v_B, w_B, F_B, M_B, m, J_B, baumgarte)
    return flat(A, B)


def rigid_body_dynamics_quat_jacobian_nonzeros(
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
    """Those of the derivatives that SymPy does not find to be zero, row by row."""
    A, B = _jacobians(p_N, q_NB, v_B, w_B, F_B, M_B, m, J_B, baumgarte)
    return [entry for entry in flat(A, B) if entry != 0]


def _jacobians(
    p_N: Scalars,
    q_NB: Scalars,
    v_B: Scalars,
    w_B: Scalars,
    F_B: Scalars,
    M_B: Scalars,
    m: Expr,
    J_B: Scalars,
    baumgarte: Expr,
) -> tuple[Matrix, Matrix]:
    """d(rates)/d(p, q, v, w) and d(rates)/d(F, M)."""
    rates = Matrix(rigid_body_dynamics_quat(p_N, q_NB, v_B, w_B, F_B, M_B, m, J_B, baumgarte))
    return rates.jacobian([*p_N, *q_NB, *v_B, *w_B]), rates.jacobian([*F_B, *M_B])


def rigid_body_step_rk4_quat(
    p_N: Scalars,
    q_NB: Scalars,
    v_B: Scalars,
    w_B: Scalars,
    F_B: Scalars,
    M_B: Scalars,
    m: Expr,
    J_B: Scalars,
    dt: Expr,
) -> list[Expr]:
    """The classical Runge-Kutta method for y = (p, q, v, w), then q / sqrt(q.q) (Hairer et al.)."""

    def rates(y: Matrix) -> Matrix:
        p, q, v, w = y[:3], y[3:7], y[7:10], y[10:]
        return Matrix(rigid_body_dynamics_quat(p, q, v, w, F_B, M_B, m, J_B, 0))

    y = Matrix([*p_N, *q_NB, *v_B, *w_B])
    k_1 = rates(y)
    k_2 = rates(y + dt * k_1 / 2)
    k_3 = rates(y + dt * k_2 / 2)
    k_4 = rates(y + dt * k_3)
    end = y + dt * (k_1 + 2 * k_2 + 2 * k_3 + k_4) / 6
    q = end[3:7, :]
    return [*end[:3], *(q / sqrt(q.dot(q))), *end[7:]]


def rigid_body_step_semi_implicit_quat(
    p_N: Scalars,
    q_NB: Scalars,
    v_B: Scalars,
    w_B: Scalars,
    F_B: Scalars,
    M_B: Scalars,
    m: Expr,
    J_B: Scalars,
    dt: Expr,
) -> list[Expr]:
    """w by Euler's equations, u in N by Newton's, then q (x) exp(w dt / 2), p + dt u and v = R(q)^T u."""
    w, J = Matrix(w_B), symmetric(J_B)
    w_next = w + dt * inverse(J) * (Matrix(M_B) - skew(w) * J * w)
    u = matrix3(quat_to_dcm_unit(q_NB)) * (Matrix(v_B) + dt * Matrix(F_B) / m)
    half = w_next * dt / 2
    angle = sqrt(half.dot(half))
    q = left_product(q_NB) * Matrix([cos(angle), *(half * sin(angle) / angle)])
    v = matrix3(quat_to_dcm_unit(conjugate(q))) * u
    return [*(Matrix(p_N) + dt * u), *q, *v, *w_next]


def rigid_body_energy(v_B: Scalars, w_B: Scalars, m: Expr, J_B: Scalars) -> list[Expr]:
    """m v.v / 2 + w.(J w) / 2 (Goldstein)."""
    v, w = Matrix(v_B), Matrix(w_B)
    return flat(m * v.T * v / 2 + w.T * symmetric(J_B) * w / 2)


def rigid_body_momentum(q_NB: Scalars, v_B: Scalars, w_B: Scalars, m: Expr, J_B: Scalars) -> list[Expr]:
    """R(q) m v and R(q) J w (Goldstein)."""
    R = matrix3(quat_to_dcm_unit(q_NB))
    return flat(R * Matrix(v_B) * m, R * symmetric(J_B) * Matrix(w_B))
