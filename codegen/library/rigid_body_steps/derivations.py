"""The classical Runge-Kutta method on the derivations of the state derivatives."""

from __future__ import annotations

import casadi as ca
from casadi import SX

from codegen.library.rigid_body.derivations import (
    rigid_body_dynamics_dcm,
    rigid_body_dynamics_mrp,
    rigid_body_dynamics_rpy,
    runge_kutta,
)
from codegen.library.rodrigues.derivations import mrp_shadow
from codegen.library.rotation.derivations import dcm_orthonormalize
from codegen.library.shared.calculus import flat


def rigid_body_step_rk4_rpy(
    p_N: SX, rpy: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX, dt: SX
) -> SX:
    """Of rigid_body_dynamics_rpy; the angles are those of the sum."""

    def rates(y: SX) -> SX:
        p, a, v, w = ca.vertsplit(y, [0, 3, 6, 9, 12])
        return rigid_body_dynamics_rpy(p, a, v, w, F_B, M_B, m, J_B)

    return flat(runge_kutta(rates, ca.vertcat(p_N, rpy, v_B, w_B), dt))


def rigid_body_step_rk4_dcm(
    p_N: SX, R_NB: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX, dt: SX
) -> SX:
    """Of rigid_body_dynamics_dcm; then the axes are the gradients of a length and of an area."""

    def rates(y: SX) -> SX:
        p, R, v, w = ca.vertsplit(y, [0, 3, 12, 15, 18])
        return rigid_body_dynamics_dcm(p, R, v, w, F_B, M_B, m, J_B)

    end = runge_kutta(rates, ca.vertcat(p_N, R_NB, v_B, w_B), dt)
    return flat(end[:3], dcm_orthonormalize(end[3:12]), end[12:])


def rigid_body_step_rk4_mrp(
    p_N: SX, s_NB: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX, dt: SX
) -> SX:
    """Of rigid_body_dynamics_mrp; then the projection of the opposite quaternion, if it is shorter."""

    def rates(y: SX) -> SX:
        p, s, v, w = ca.vertsplit(y, [0, 3, 6, 9, 12])
        return rigid_body_dynamics_mrp(p, s, v, w, F_B, M_B, m, J_B)

    end = runge_kutta(rates, ca.vertcat(p_N, s_NB, v_B, w_B), dt)
    return flat(end[:3], mrp_shadow(end[3:6]), end[6:])
