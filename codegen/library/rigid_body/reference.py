"""One rigid body about its centre of mass: Newton's and Euler's equations in body axes.

Source: Stevens & Lewis "Aircraft Control and Simulation", equations of motion over a flat Earth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from codegen.library.inertia.reference import inertia_bias_force
from codegen.library.inertia_factors.reference import inertia_solve
from codegen.library.rodrigues.reference import mrp_kinematics, unit_quaternion
from codegen.library.rotation.reference import (
    conjugate,
    dcm_of_rpy,
    hamilton,
    quat_rate,
    rotate_unit,
    rpy_kinematics,
    sandwich,
)
from codegen.library.rotation_vector.reference import exponential
from codegen.library.shared.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    determinant,
    identity,
    result,
    skew,
    solve,
    symmetric,
    zeros,
)
from codegen.library.shared.elementary import sqrt
from codegen.library.transform.reference import unpack_transform

__all__ = [
    "rigid_body_dynamics_dcm",
    "rigid_body_dynamics_ecef",
    "rigid_body_dynamics_mrp",
    "rigid_body_dynamics_quat",
    "rigid_body_dynamics_quat_jacobian",
    "rigid_body_dynamics_quat_jacobian_nonzeros",
    "rigid_body_dynamics_rpy",
    "rigid_body_dynamics_spatial",
    "rigid_body_energy",
    "rigid_body_momentum",
    "rigid_body_step_rk4_quat",
    "rigid_body_step_semi_implicit_quat",
]


def newton(v_B: Array, w_B: Array, F_B: Array, m: Scalar, limits: Limits | None) -> tuple[Array, int]:
    """dv of m (dv + w x v) = F; zero without a mass that is a normal number."""
    if limits is not None and not m > limits.min:
        return np.zeros(3, v_B.dtype), Status.MASS
    return bounded(F_B / m - skew(w_B) @ v_B, limits)


def euler(w_B: Array, M_B: Array, J_B: Array, limits: Limits | None) -> tuple[Array, int]:
    """dw of J dw + w x (J w) = M; zero where J is not definite, by Sylvester's criterion.

    Its determinant must be above 16 eps Jxx Jyy Jzz, and a normal number times Jxx.
    """
    J = symmetric(J_B)
    if not is_definite(J, limits, J[0, 0]):
        return np.zeros(3, w_B.dtype), Status.SINGULAR
    return bounded(solve(J, M_B - skew(w_B) @ (J @ w_B)), limits)


def is_definite(J: Array, limits: Limits | None, unit: Scalar = 1) -> bool:
    """Whether J is invertible, by Sylvester's criterion; its determinant is in multiples of `unit`."""
    if limits is None:
        return True
    least = max(limits.min * unit, 16 * limits.eps * J[0, 0] * J[1, 1] * J[2, 2])
    return bool(J[0, 0] > 0 and J[0, 0] * J[1, 1] > J[0, 1] ** 2 and determinant(J) > least)


def bounded(rate: Array, limits: Limits | None) -> tuple[Array, int]:
    """The rate, or zero where the sum of its components overflows."""
    if limits is not None and not abs(rate.sum()) <= limits.max:
        return np.zeros(3, rate.dtype), Status.NOT_FINITE
    return rate, 0


def rigid_body_dynamics_quat(
    p_N: Array,
    q_NB: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    baumgarte: Scalar,
    limits: Limits | None = None,
) -> Result:
    """Newton's and Euler's equations with a quaternion attitude, whose R_NB is the unit form.

    dp_N = R_NB v_B, dq = q (x) [0, w_B] / 2 - b (q.q - 1) q,
    m (dv_B + w x v) = F_B, J dw_B + w x (J w) = M_B.
    """
    dv_B, mass = newton(v_B, w_B, F_B, m, limits)
    dw_B, singular = euler(w_B, M_B, J_B, limits)
    dp_N, dq = rotate_unit(q_NB, v_B), quat_rate(q_NB, w_B, baumgarte)
    return result(dp_N, dq, dv_B, dw_B, status=mass | singular)


def rigid_body_dynamics_rpy(
    p_N: Array,
    rpy: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    limits: Limits | None = None,
) -> Result:
    """Newton's and Euler's equations with the attitude R_NB = Rz(psi) Ry(theta) Rx(phi).

    dp_N = R_NB v_B, drpy as `rpy_kinematics`, the rest as `rigid_body_dynamics_quat`.
    """
    dv_B, mass = newton(v_B, w_B, F_B, m, limits)
    dw_B, singular = euler(w_B, M_B, J_B, limits)
    (drpy,), lock = rpy_kinematics(rpy, w_B, limits)
    return result(dcm_of_rpy(rpy) @ v_B, drpy, dv_B, dw_B, status=mass | singular | lock)


def rigid_body_dynamics_dcm(
    p_N: Array,
    R_NB: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    limits: Limits | None = None,
) -> Result:
    """Newton's and Euler's equations with a rotation matrix: dR = R w~, the rest as with a quaternion."""
    R = R_NB.reshape(3, 3)
    dv_B, mass = newton(v_B, w_B, F_B, m, limits)
    dw_B, singular = euler(w_B, M_B, J_B, limits)
    return result(R @ v_B, R @ skew(w_B), dv_B, dw_B, status=mass | singular)


def rigid_body_dynamics_mrp(
    p_N: Array,
    s_NB: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    limits: Limits | None = None,
) -> Result:
    """Newton's and Euler's equations with modified Rodrigues parameters, through their quaternion."""
    dv_B, mass = newton(v_B, w_B, F_B, m, limits)
    dw_B, singular = euler(w_B, M_B, J_B, limits)
    dp_N, (ds,) = sandwich(unit_quaternion(s_NB), v_B), mrp_kinematics(s_NB, w_B).outputs
    return result(dp_N, ds, dv_B, dw_B, status=mass | singular)


def rigid_body_dynamics_spatial(
    T_NB: Array, v: Array, f: Array, I_B: Array, limits: Limits | None = None
) -> Result:
    """dR = R w~, dp = R v_O, and dv from the 6x6 system I dv = f - v x* I v."""
    R, _ = unpack_transform(T_NB)
    (dv,), status = inertia_solve(I_B, f - inertia_bias_force(I_B, v).outputs[0], limits)
    return result(R @ skew(v[:3]), R @ v[3:], dv, status=status)


def rigid_body_dynamics_ecef(
    p_E: Array,
    q_EB: Array,
    v_E: Array,
    w_B: Array,
    F_E: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    Omega_E: Array,
    baumgarte: Scalar,
    limits: Limits | None = None,
) -> Result:
    """Newton's equations in a frame that rotates at Omega, Euler's in the body.

    q_EB rotates at w_B - R_BE Omega, and m dv = F - 2 m Omega x v - m Omega x (Omega x p).
    """
    relative = w_B - sandwich(conjugate(q_EB), Omega_E) / (q_EB @ q_EB)
    Omega = skew(Omega_E)
    dv_E, mass = newton(v_E, zeros(3), F_E - Omega @ (v_E * 2 + Omega @ p_E) * m, m, limits)
    dw_B, singular = euler(w_B, M_B, J_B, limits)
    return result(v_E, quat_rate(q_EB, relative, baumgarte), dv_E, dw_B, status=mass | singular)


def rigid_body_dynamics_quat_jacobian(
    p_N: Array,
    q_NB: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    baumgarte: Scalar,
    limits: Limits | None = None,
) -> Result:
    """The derivatives of rigid_body_dynamics_quat, block by block."""
    A, B, status = jacobians(q_NB, v_B, w_B, m, J_B, baumgarte, limits)
    return result(A, B, status=status)


def rigid_body_dynamics_quat_jacobian_nonzeros(
    p_N: Array,
    q_NB: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    baumgarte: Scalar,
    limits: Limits | None = None,
) -> Result:
    """Those elements of the derivatives that are not zero for every body, attitude and motion."""
    A, B, status = jacobians(q_NB, v_B, w_B, m, J_B, baumgarte, limits)
    return result(A[_filled(STATE, BY_STATE)], B[_filled((3, 3), BY_WRENCH)], status=status)


STATE = (3, 4, 3, 3)
BY_STATE = (".xx.", ".x.x", "..//", "...x")
BY_WRENCH = ("..", "..", "1.", ".x")
"""The blocks that are full (x), diagonal (1) and zero on the diagonal only (/)."""


def _filled(widths: Sequence[int], blocks: Sequence[str]) -> Array:
    """The mask of the elements that are not structural zeros."""

    def block(kind: str, shape: tuple[int, int]) -> Array:
        diagonal = np.eye(*shape, dtype=bool)
        return {".": diagonal & ~diagonal, "x": diagonal | ~diagonal, "1": diagonal, "/": ~diagonal}[kind]

    return np.block(
        [
            [block(kind, (height, width)) for kind, width in zip(row, widths, strict=True)]
            for row, height in zip(blocks, STATE, strict=True)
        ]
    )


def jacobians(
    q: Array, v: Array, w: Array, m: Scalar, J_B: Array, b: Scalar, limits: Limits | None
) -> tuple[Array, Array, int]:
    """d(dp, dq, dv, dw)/d(p, q, v, w) and d(dp, dq, dv, dw)/d(F, M).

    Rates that a failed check makes zero have rows of zeros, those of dw also where they overflow.
    """
    status = 0
    A, B = np.zeros((13, 13), v.dtype), np.zeros((13, 6), v.dtype)
    A[:3, 3:7], A[:3, 7:10] = rotated_by_quaternion(q, v), rotation_matrix(q)
    drift = np.outer(q, q) * (2 * b) + identity(4) * (b * (q @ q - 1))
    A[3:7, 3:7] = np.column_stack([hamilton(e, np.array([0, *w])) / 2 for e in identity(4)]) - drift
    A[3:7, 10:] = np.column_stack([hamilton(q, np.array([0, *e])) / 2 for e in identity()])
    if limits is None or m > limits.min:
        A[7:10, 7:10], A[7:10, 10:], B[7:10, :3] = -skew(w), skew(v), identity() / m
    else:
        status |= Status.MASS
    J = symmetric(J_B)
    if is_definite(J, limits):
        torque = skew(J @ w) - skew(w) @ J
        rows = np.column_stack([solve(J, column) for column in np.hstack([torque, identity()]).T])
        if limits is None or all(abs(part.sum()) <= limits.max for part in (rows[:, :3], rows[:, 3:])):
            A[10:, 10:], B[10:, 3:] = rows[:, :3], rows[:, 3:]
        else:
            status |= Status.NOT_FINITE
    else:
        status |= Status.SINGULAR
    return A, B, status


def rotation_matrix(q: Array) -> Array:
    """1 + 2 w u~ + 2 u~ u~."""
    u = skew(q[1:])
    R: Array = identity() + u * (2 * q[0]) + u @ u * 2
    return R


def rotated_by_quaternion(q: Array, v: Array) -> Array:
    """The derivative of v + 2 w u x v + 2 u x (u x v): [2 u x v, -2 w v~ - 2 (u x v)~ - 2 u~ v~]."""
    w, u, V = q[0], skew(q[1:]), skew(v)
    by_u = (V * w + skew(u @ v) + u @ V) * -2
    return np.column_stack([u @ v * 2, by_u])


def rigid_body_step_rk4_quat(
    p_N: Array,
    q_NB: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    dt: Scalar,
    limits: Limits | None = None,
) -> Result:
    """Four evaluations of the equations of motion; then q is normalised."""
    accelerations, status = accelerations_of(F_B, M_B, m, J_B, limits)

    def rates(y: Array) -> Array:
        q, v, w = y[3:7], y[7:10], y[10:]
        return np.concatenate([rotate_unit(q, v), quat_rate(q, w, 0), accelerations(v, w)])

    start = np.concatenate([p_N, q_NB, v_B, w_B])
    end = runge_kutta(rates, start, dt)
    n = end[3:7] @ end[3:7]
    if limits is not None and not n > limits.min:
        status |= Status.ZERO_NORM
        end[3:7] = identity(4)[0]
    else:
        end[3:7] = end[3:7] / sqrt(n)
    return taken(start, end, n, status, limits)


def rigid_body_step_semi_implicit_quat(
    p_N: Array,
    q_NB: Array,
    v_B: Array,
    w_B: Array,
    F_B: Array,
    M_B: Array,
    m: Scalar,
    J_B: Array,
    dt: Scalar,
    limits: Limits | None = None,
) -> Result:
    """Both velocities first, the linear one in N; then the pose, which moves with the new ones."""
    specific, status = specific_force(F_B, m, limits)
    dw, singular = euler(w_B, M_B, J_B, limits)
    w = w_B + dw * dt
    u = rotate_unit(q_NB, v_B + specific * dt)
    q = hamilton(q_NB, exponential(w * dt))
    start = np.concatenate([p_N, q_NB, v_B, w_B])
    end = np.concatenate([p_N + u * dt, q, rotate_unit(conjugate(q), u), w])
    return taken(start, end, q @ q, status | singular, limits)


def runge_kutta(rates: Callable[[Array], Array], start: Array, dt: Scalar) -> Array:
    """The state after dt by four evaluations of its rates, weighted 1, 2, 2, 1."""
    k1 = rates(start)
    k2 = rates(start + k1 * (dt / 2))
    k3 = rates(start + k2 * (dt / 2))
    k4 = rates(start + k3 * dt)
    end: Array = start + (k1 + k2 * 2 + k3 * 2 + k4) * (dt / 6)
    return end


def accelerations_of(
    F_B: Array, M_B: Array, m: Scalar, J_B: Array, limits: Limits | None
) -> tuple[Callable[[Array, Array], Array], int]:
    """The function (v, w) -> [dv, dw]; without mass F / m is omitted, with a singular J, dw is."""
    specific, status = specific_force(F_B, m, limits)
    J = symmetric(J_B)
    definite = is_definite(J, limits)

    def accelerations(v: Array, w: Array) -> Array:
        dw = solve(J, M_B - skew(w) @ (J @ w)) if definite else w * 0
        return np.concatenate([specific - skew(w) @ v, dw])

    return accelerations, status | (0 if definite else Status.SINGULAR)


def specific_force(F_B: Array, m: Scalar, limits: Limits | None) -> tuple[Array, int]:
    """F / m, or zero without a mass that is a normal number."""
    if limits is not None and not m > limits.min:
        return F_B * 0, Status.MASS
    return F_B / m, 0


def taken(start: Array, end: Array, norm: Scalar, status: int, limits: Limits | None) -> Result:
    """The state at the end of a step; that at its start where one overflows, or the attitude's norm."""
    parts = [3, len(start) - 6, len(start) - 3]
    p, _, v, w = np.split(end, parts)
    sums = [p.sum(), v.sum(), w.sum(), norm]
    if limits is not None and not all(abs(x) <= limits.max for x in sums):
        return result(*np.split(start, parts), status=status | Status.NOT_FINITE)
    return result(*np.split(end, parts), status=status)


def rigid_body_energy(v_B: Array, w_B: Array, m: Scalar, J_B: Array) -> Result:
    """(m v.v + w.(J w)) / 2."""
    return result(((v_B @ v_B) * m + w_B @ (symmetric(J_B) @ w_B)) / 2)


def rigid_body_momentum(q_NB: Array, v_B: Array, w_B: Array, m: Scalar, J_B: Array) -> Result:
    """P = q (m v) q*, L = q (J w) q*."""
    return result(rotate_unit(q_NB, v_B * m), rotate_unit(q_NB, symmetric(J_B) @ w_B))
