"""Steps of the equations of one rigid body: rates of each attitude, Newton's and Euler's equations solved."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sympy import Expr, Matrix, cos, eye, sin, sqrt, zeros

from codegen.library.inertia_factors.steps import solved_by_adjugate
from codegen.library.rotation.steps import product, rotated
from codegen.library.shared.sources import FEATHERSTONE, GOLDSTEIN, SCHAUB, STEVENS
from codegen.library.shared.textbook import (
    Scalars,
    flat,
    inverse,
    matrix3,
    rotation_and_position,
    rotation_x,
    rotation_y,
    rotation_z,
    skew,
    symmetric,
)
from codegen.modeling.steps import Step, SympyForm, step

BODY = f"{STEVENS} 1.5"
EULER = f"{GOLDSTEIN} 5.5"
HAIRER = "Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.1"
SYMPLECTIC = "Hairer, Lubich and Wanner, Geometric Numerical Integration, section I.1"

Solve: TypeAlias = Callable[[Matrix, Matrix], Matrix]
"""S, b -> S^-1 b"""
Pose: TypeAlias = Callable[..., list[Expr]]
"""attitude, v_B, w_B, then the arguments after J_B -> rates of position and attitude."""


def _by_inverse(S: Matrix, b: Matrix) -> Matrix:
    return inverse(S) * b


def _spin_rate(M_B: Scalars, J_B: Scalars, w_B: Scalars, solve: Solve) -> Matrix:
    w, J = Matrix(w_B), symmetric(J_B)
    return solve(J, Matrix(M_B) - w.cross(J * w))


def _dynamics(pose: Pose, equation: str, by: str, source: str) -> tuple[Step, Step]:
    """The rates of the pose as vectors, then Euler's equations by elimination."""

    def with_solver(solve: Solve) -> Callable[..., list[Expr]]:
        def form(
            p_N: Scalars, attitude: Scalars, v_B: Scalars, w_B: Scalars, F_B: Scalars, M_B: Scalars,
            m: Expr, J_B: Scalars, *rest: Expr,
        ) -> list[Expr]:  # fmt: skip
            dv = Matrix(F_B) / m - Matrix(w_B).cross(Matrix(v_B))
            return [*pose(attitude, v_B, w_B, *rest), *dv, *_spin_rate(M_B, J_B, w_B, solve)]

        return form

    return (
        step(
            "Write matrix products as cross products of vectors",
            f"{equation}; dv_B = F_B / m - w_B x v_B; dw_B = J_B^-1 (M_B - w_B x (J_B w_B))",
            by=f"{by}; a vector u has the rate du + w x u in N, du being that in B: d(m v) = F, d(J w) = M",
            source=source,
        )(with_solver(_by_inverse)),
        _EULER(with_solver(_solved_by_elimination)),
    )


_EULER = step(
    "Solve Euler's equations by elimination; 1 / m and 1 / Jxx share a division",
    "t = M_B - w x L, L = J_B w; a = t_x / Jxx, b = t_y - Jxy a, c = t_z - Jxz a;\n"
    "S_yy = Jyy - Jxy^2 / Jxx, S_yz = Jyz - Jxy Jxz / Jxx, S_zz = Jzz - Jxz^2 / Jxx;\n"
    "dw_y = (S_zz b - S_yz c) / S_det, dw_z = (S_yy c - S_yz b) / S_det, S_det = S_yy S_zz - S_yz^2;\n"
    "dw_x = a - (Jxy dw_y + Jxz dw_z) / Jxx; 1 / m = Jxx / (m Jxx), 1 / Jxx = m / (m Jxx)",
    by="Gaussian elimination of dw_x, stable without exchanges as J is positive definite; Cramer's rule for "
    "the rest, Jxx's Schur complement S, with det(J) = Jxx S_det",
    source=f"{EULER}; Golub and Van Loan, Matrix Computations (4th ed.), section 4.2",
)


def _solved_by_elimination(J: Matrix, t: Matrix) -> Matrix:
    """J^-1 t of a symmetric, positive definite matrix: its first row, then the 2x2 rest."""
    row, inverse_xx = J[0, 1:], 1 / J[0, 0]
    S = J[1:, 1:] - row.T * row * inverse_xx
    a = t[0] * inverse_xx
    b, c = t[1:, 0] - row.T * a
    inverse_det = 1 / (S[0, 0] * S[1, 1] - S[0, 1] * S[0, 1])
    y, z = (S[1, 1] * b - S[0, 1] * c) * inverse_det, (S[0, 0] * c - S[0, 1] * b) * inverse_det
    return Matrix([a - (row[0] * y + row[1] * z) * inverse_xx, y, z])


def _adjugate(J: str, torque: str) -> Callable[[SympyForm], Step]:
    """The last step to the angular acceleration, with the names of the inertia and the torque."""
    return step(
        "Solve Euler's equations by the adjugate, with one division",
        f"dw = adj({J}) ({torque} - w x L) / det({J}), L = {J} w",
        by="adj(J) J = det(J) 1; the adjugate of a symmetric matrix has six cofactors",
        source=EULER,
    )


def _quaternion_rate(q: Scalars, w_B: Scalars, baumgarte: Expr) -> Matrix:
    Q = Matrix(q)
    return Matrix(product(q, [0, *w_B])) / 2 - baumgarte * (Q.dot(Q) - 1) * Q


def _by_quaternion(q: Scalars, v_B: Scalars, w_B: Scalars, baumgarte: Expr) -> list[Expr]:
    return flat(rotated(q, Matrix(v_B)), _quaternion_rate(q, w_B, baumgarte))


def _by_angles(rpy: Scalars, v_B: Scalars, w_B: Scalars) -> list[Expr]:
    (phi, theta, psi), w = rpy, Matrix(w_B)
    turned = rotation_x(phi) * w
    dpsi = turned[2] / cos(theta)
    velocity = rotation_z(psi) * (rotation_y(theta) * (rotation_x(phi) * Matrix(v_B)))
    return [*velocity, turned[0] + sin(theta) * dpsi, turned[1], dpsi]


def _by_matrix(R_NB: Scalars, v_B: Scalars, w_B: Scalars) -> list[Expr]:
    R = matrix3(R_NB)
    return flat(R * Matrix(v_B), *(R[i, :].T.cross(Matrix(w_B)) for i in range(3)))


def _by_rodrigues(s_NB: Scalars, v_B: Scalars, w_B: Scalars) -> list[Expr]:
    s, w = Matrix(s_NB), Matrix(w_B)
    n = s.dot(s)
    q = [(1 - n) / (1 + n), *(2 * s / (1 + n))]
    return flat(rotated(q, Matrix(v_B)), ((1 - n) * w + 2 * s.cross(w) + 2 * s.dot(w) * s) / 4)


def _spatial(solve: Solve) -> Callable[..., list[Expr]]:
    """The rates of a pose, and the equations of motion about the centre of mass."""

    def form(T_NB: Scalars, v: Scalars, f: Scalars, I_B: Scalars) -> list[Expr]:
        R, _ = rotation_and_position(T_NB)
        w, v_O, moment, force = (Matrix(x) for x in (v[:3], v[3:], f[:3], f[3:]))
        c, m = Matrix(I_B[1:4]) / I_B[0], I_B[0]
        Jc = symmetric(I_B[4:]) + m * skew(list(c)) * skew(list(c))
        dw = solve(Jc, moment - c.cross(force) - w.cross(Jc * w))
        dv_c = force / m - w.cross(v_O + w.cross(c))
        return flat(*(R[i, :].T.cross(w) for i in range(3)), R * v_O, dw, dv_c + c.cross(dw))

    return form


_about_com = step(
    "Refer motion and force to the centre of mass",
    "dw = Jc^-1 (n - c x f - w x (Jc w)), dv_c = f / m - w x v_c, v_c = v_O + w x c, dv_O = dv_c + c x dw;\n"
    "Jc = J + m c~ c~, c = h / m; rows of dR: r x w",
    by="about c the inertia is diag(Jc, m 1), and v x* (I v) = [w x (Jc w); m w x v_c]",
    source=f"{FEATHERSTONE} 2.14",
)(_spatial(_by_inverse))


def _earth_fixed(q_rate: Callable[..., Matrix], coriolis: Callable[..., Matrix], solve: Solve) -> SympyForm:
    """Rates relative to the rotating Earth, from the attitude's rates and the terms subtracted from F / m."""

    def form(
        p_E: Scalars, q_EB: Scalars, v_E: Scalars, w_B: Scalars, F_E: Scalars, M_B: Scalars,
        m: Expr, J_B: Scalars, Omega_E: Scalars, baumgarte: Expr,
    ) -> list[Expr]:  # fmt: skip
        q, p, v, Omega = Matrix(q_EB), Matrix(p_E), Matrix(v_E), Matrix(Omega_E)
        dq = q_rate(q_EB, Matrix(w_B), Omega) - baumgarte * (q.dot(q) - 1) * q
        return [*v, *dq, *(Matrix(F_E) / m - coriolis(p, v, Omega)), *_spin_rate(M_B, J_B, w_B, solve)]

    return form


def _half_difference(q: Scalars, w: Matrix, Omega: Matrix) -> Matrix:
    """(q [0, w] - [0, Omega] q) / 2."""
    return (Matrix(product(q, [0, *w])) - Matrix(product([0, *Omega], q))) / 2


def _half_vectors(q: Scalars, w: Matrix, Omega: Matrix) -> Matrix:
    """[-u.(w - Omega), q_w (w - Omega) + u x (w + Omega)] / 2."""
    u = Matrix(q[1:])
    return Matrix([-u.dot(w - Omega), *(q[0] * (w - Omega) + u.cross(w + Omega))]) / 2


def _absolute(p: Matrix, v: Matrix, Omega: Matrix) -> Matrix:
    return Omega.cross(v) + Omega.cross(v + Omega.cross(p))


def _joined(p: Matrix, v: Matrix, Omega: Matrix) -> Matrix:
    return Omega.cross(2 * v + Omega.cross(p))


_EARTH_STEPS = (
    step(
        "Differentiate the absolute velocity v_E + Omega x p_E, and move Omega to the other side of q",
        "dv_E = F_E / m - Omega x v_E - Omega x (v_E + Omega x p_E);\n"
        "dq = (q [0, w_B] - [0, Omega] q) / 2 - b (q.q - 1) q",
        by="d/dt in N is d/dt in E plus Omega x, applied to p and to the absolute velocity, Omega constant; "
        "q [0, R_BE Omega] = q q^-1 [0, Omega] q",
        source=f"{GOLDSTEIN} 4.10",
    )(_earth_fixed(_half_difference, _absolute, _by_inverse)),
    step(
        "Combine the Coriolis and centrifugal terms, and both products",
        "dv_E = F_E / m - Omega x (2 v_E + Omega x p_E);\n"
        "dq = [-u.(w_B - Omega), w (w_B - Omega) + u x (w_B + Omega)] / 2 - b (q.q - 1) q, q = [w, u]",
        by="Omega x is linear; [0, Omega] q = [-u.Omega, w Omega - u x Omega]",
        source=f"{STEVENS} 1.5",
    )(_earth_fixed(_half_vectors, _joined, _by_inverse)),
    _EULER(_earth_fixed(_half_vectors, _joined, _solved_by_elimination)),
)


def _jacobian(by_attitude: Callable[..., Matrix], by_spin: Callable[..., Matrix]) -> SympyForm:
    """A and B from their blocks, of which two are given: d(R v)/dq and d(dw)/dw."""

    def form(
        p_N: Scalars, q_NB: Scalars, v_B: Scalars, w_B: Scalars, F_B: Scalars, M_B: Scalars,
        m: Expr, J_B: Scalars, baumgarte: Expr,
    ) -> list[Expr]:  # fmt: skip
        q, v, w, J = Matrix(q_NB), Matrix(v_B), Matrix(w_B), symmetric(J_B)
        u, U, A, B = q[1:, :], skew(q_NB[1:]), zeros(13, 13), zeros(13, 6)
        spin = Matrix.vstack(Matrix.hstack(zeros(1), -w.T), Matrix.hstack(w, -skew(w_B)))
        A[:3, 3:7] = by_attitude(q_NB[0], u, v)
        A[:3, 7:10] = eye(3) + 2 * (q_NB[0] * U + U * U)
        A[3:7, 3:7] = spin / 2 - baumgarte * ((q.dot(q) - 1) * eye(4) + 2 * q * q.T)
        A[3:7, 10:] = Matrix.vstack(-u.T, q_NB[0] * eye(3) + U) / 2
        A[7:10, 7:10], A[7:10, 10:] = -skew(w_B), skew(v_B)
        A[10:, 10:] = by_spin(J, w)
        B[7:10, :3], B[10:, 3:] = eye(3) / m, inverse(J)
        return flat(A, B)

    return form


def _by_dyads(w: Expr, u: Matrix, v: Matrix) -> Matrix:
    linear = u.dot(v) * eye(3) + u * v.T - 2 * v * u.T - w * skew(list(v))
    return 2 * Matrix.hstack(u.cross(v), linear)


def _by_shared_cross(w: Expr, u: Matrix, v: Matrix) -> Matrix:
    t = 2 * u.cross(v)
    return Matrix.hstack(t, 2 * u.dot(v) * eye(3) - 2 * v * u.T - skew(list(t + 2 * w * v)))


def _spin_product_rule(J: Matrix, w: Matrix) -> Matrix:
    return inverse(J) * (skew(list(J * w)) - skew(list(w)) * J)


def _spin_by_trace(J: Matrix, w: Matrix) -> Matrix:
    S = J.trace() * eye(3) - 2 * J
    return skew(list(w)) - inverse(J) * skew(list(S * w))


def _nonzero(form: SympyForm) -> SympyForm:
    return lambda *arguments: [entry for entry in form(*arguments) if entry != 0]


def _jacobian_steps(kept: Callable[[SympyForm], SympyForm]) -> tuple[Step, Step]:
    return (
        step(
            "Differentiate block by block",
            "d(R v)/dq = 2 [u x v, (u.v) 1 + u v^T - 2 v u^T - w v~], d(R v)/dv = R(q);\n"
            "d(dq)/dq = [[0, -w_B^T], [w_B, -w_B~]] / 2 - b ((q.q - 1) 1 + 2 q q^T), "
            "d(dq)/dw = [[-u^T], [w 1 + u~]] / 2;\n"
            "d(dv)/dv = -w_B~, d(dv)/dw = v~, d(dw)/dw = J^-1 ((J w_B)~ - w_B~ J), d(dv)/dF = 1 / m, "
            "d(dw)/dM = J^-1",
            by="the product rule on R v = v + 2 w u x v + 2 u x (u x v), on q [0, w_B] and on w x J w",
            source=BODY,
        )(kept(_jacobian(_by_dyads, _spin_product_rule))),
        step(
            "Share the cross product, and reduce the rest to one product with J^-1",
            "d(R v)/dq = [t, 2 (u.v) 1 - 2 v u^T - (t + 2 w v)~], t = 2 u x v;\n"
            "d(dw)/dw = w_B~ - J^-1 (S w_B)~, S = tr(J) 1 - 2 J",
            by="u v^T - v u^T = -(u x v)~; w~ J + J w~ + (J w)~ = tr(J) w~ for symmetric J",
            source=BODY,
        )(kept(_jacobian(_by_shared_cross, _spin_by_trace))),
    )


@step(
    "Invert J once, and omit the position from the stages",
    "q_i, v_i, w_i = y + a_i k_(i-1), a = 0, dt/2, dt/2, dt;\n"
    "k_i = (R(q_i) v_i, q_i [0, w_i] / 2, F / m - w_i x v_i, J^-1 (M - w_i x J w_i)), "
    "y' = y + dt/6 (k_1 + k_4 + 2 (k_2 + k_3))",
    by="the rates do not depend on p; F, M, m and J are constant in the step",
    source=HAIRER,
)
def _runge_kutta(
    p_N: Scalars, q_NB: Scalars, v_B: Scalars, w_B: Scalars, F_B: Scalars, M_B: Scalars,
    m: Expr, J_B: Scalars, dt: Expr,
) -> list[Expr]:  # fmt: skip
    J = symmetric(J_B)
    J_inverse, specific, start = inverse(J), Matrix(F_B) / m, Matrix([*p_N, *q_NB, *v_B, *w_B])

    def rates(y: Matrix) -> Matrix:
        q, v, w = y[3:7], y[7:10, :], y[10:, :]
        dw = J_inverse * (Matrix(M_B) - w.cross(J * w))
        return Matrix(flat(rotated(q, v), _quaternion_rate(q, w, 0), specific - w.cross(v), dw))

    k_1 = rates(start)
    k_2 = rates(start + dt / 2 * k_1)
    k_3 = rates(start + dt / 2 * k_2)
    end = start + dt / 6 * (k_1 + rates(start + dt * k_3) + 2 * (k_2 + k_3))
    q = end[3:7, :]
    return [*end[:3], *(q * (1 / sqrt(q.dot(q)))), *end[7:]]


@step(
    "Rotate vectors instead of multiplying matrices, and write the exponential with sin(h) / h",
    "u_N = x + 2 w u x x + 2 u x (u x x) for x = v_B + dt F_B / m, v_B' likewise by q'*;\n"
    "q' = q [cos h, (sin(h) / h) r / 2], r = w' dt, h = |r| / 2",
    by="R(q) v for q.q = 1; sin(h) r / |r| = sin(h) / (2 h) r",
    source=SYMPLECTIC,
)
def _semi_implicit(
    p_N: Scalars, q_NB: Scalars, v_B: Scalars, w_B: Scalars, F_B: Scalars, M_B: Scalars,
    m: Expr, J_B: Scalars, dt: Expr,
) -> list[Expr]:  # fmt: skip
    w = Matrix(w_B) + dt * _spin_rate(M_B, J_B, w_B, _by_inverse)
    u = rotated(q_NB, Matrix(v_B) + dt * (Matrix(F_B) / m))
    r = w * dt
    half = sqrt(r.dot(r)) / 2
    q = product(q_NB, [cos(half), *(sin(half) / half / 2 * r)])
    return flat(Matrix(p_N) + dt * u, Matrix(q), rotated(q, u, -1), w)


@step(
    "Halve the sum of the translational and rotational terms",
    "energy = (m (v.v) + w.(J w)) / 2",
    by="Koenig's theorem: the centre of mass is B's origin",
    source=f"{GOLDSTEIN} 5.3",
)
def _energy(v_B: Scalars, w_B: Scalars, m: Expr, J_B: Scalars) -> list[Expr]:
    v, w = Matrix(v_B), Matrix(w_B)
    return [(m * v.dot(v) + w.dot(symmetric(J_B) * w)) / 2]


@step(
    "Rotate both momenta with one matrix",
    "P_N = R (m v_B), L_N = R (J_B w_B), R = 1 + 2 (w u~ + u~ u~)",
    by="q.q = 1; both are vectors in B about the centre of mass",
    source=f"{GOLDSTEIN} 5.1",
)
def _momenta(q_NB: Scalars, v_B: Scalars, w_B: Scalars, m: Expr, J_B: Scalars) -> list[Expr]:
    U = skew(q_NB[1:])
    R = eye(3) + 2 * (q_NB[0] * U + U * U)
    return flat(R * (m * Matrix(v_B)), R * (symmetric(J_B) * Matrix(w_B)))


STEPS: dict[str, tuple[Step, ...]] = {
    "rigid_body_dynamics_quat": _dynamics(
        _by_quaternion,
        "dp_N = v_B + 2 w u x v_B + 2 u x (u x v_B); dq = [-u.w_B, w w_B + u x w_B] / 2 - b (q.q - 1) q, "
        "q = [w, u]",
        "u~ v = u x v",
        BODY,
    ),
    "rigid_body_dynamics_rpy": _dynamics(
        _by_angles,
        "dp_N = Rz(psi) (Ry(theta) (Rx(phi) v_B)); dpsi = k_z / cos(theta), dtheta = k_y, "
        "dphi = k_x + sin(theta) dpsi, k = Rx(phi) w_B",
        "k = [dphi - sin(theta) dpsi, dtheta, cos(theta) dpsi] is triangular",
        f"{STEVENS} 1.4",
    ),
    "rigid_body_dynamics_dcm": _dynamics(
        _by_matrix,
        "dp_N = R v_B; rows of dR: r_i x w_B",
        "r^T w~ = (r x w)^T",
        BODY,
    ),
    "rigid_body_dynamics_mrp": _dynamics(
        _by_rodrigues,
        "dp_N = v_B + 2 w u x v_B + 2 u x (u x v_B), [w, u] = [1 - s.s, 2 s] / (1 + s.s);\n"
        "ds = ((1 - s.s) w_B + 2 s x w_B + 2 (s.w_B) s) / 4",
        "R(s) = 1 + 2 (w u~ + u~ u~); s~ w = s x w",
        f"{SCHAUB} 3.6",
    ),
    "rigid_body_dynamics_spatial": (_about_com, _adjugate("Jc", "(n - c x f)")(_spatial(solved_by_adjugate))),
    "rigid_body_dynamics_ecef": _EARTH_STEPS,
    "rigid_body_dynamics_quat_jacobian": _jacobian_steps(lambda form: form),
    "rigid_body_dynamics_quat_jacobian_nonzeros": _jacobian_steps(_nonzero),
    "rigid_body_step_rk4_quat": (_runge_kutta,),
    "rigid_body_step_semi_implicit_quat": (_semi_implicit,),
    "rigid_body_energy": (_energy,),
    "rigid_body_momentum": (_momenta,),
}
