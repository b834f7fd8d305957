"""One rigid body about its centre of mass: Newton's and Euler's equations in body axes.

Source: Stevens & Lewis "Aircraft Control and Simulation", equations of motion over a flat Earth.
"""

from __future__ import annotations

import numpy as np

from codegen.reference.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    determinant,
    result,
    skew,
    solve,
    symmetric,
)
from codegen.reference.rotation import dcm_of_rpy, quat_rate, rotate_unit, rpy_kinematics

__all__ = ["rigid_body_dynamics_quat", "rigid_body_dynamics_rpy"]


def newton(v_B: Array, w_B: Array, F_B: Array, m: Scalar, limits: Limits | None) -> tuple[Array, int]:
    """dv of m (dv + w x v) = F; zero without a mass that is a normal number."""
    if limits is not None and not m > limits.min:
        return np.zeros(3, v_B.dtype), Status.MASS
    return bounded(F_B / m - skew(w_B) @ v_B, limits)


def euler(w_B: Array, M_B: Array, J_B: Array, limits: Limits | None) -> tuple[Array, int]:
    """dw of J dw + w x (J w) = M; zero where J is not definite, by Sylvester's criterion.

    Its determinant must be a normal number above 16 eps Jxx Jyy Jzz.
    """
    J = symmetric(J_B)
    if limits is not None:
        least = max(limits.min, 16 * limits.eps * J[0, 0] * J[1, 1] * J[2, 2])
        if not (J[0, 0] > 0 and J[0, 0] * J[1, 1] > J[0, 1] ** 2 and determinant(J) > least):
            return np.zeros(3, w_B.dtype), Status.SINGULAR
    return bounded(solve(J, M_B - skew(w_B) @ (J @ w_B)), limits)


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
