"""Kirchhoff's equations of one rigid body, from its kinetic energy T(w, v) alone."""

from __future__ import annotations

import casadi as ca
from casadi import SX

from .calculus import flat, gradient, hessian, inverse3
from .inertia import kinetic_energy
from .rotation import elementary_product, quat_kinematics, quat_rotate, rpy_kinematics


def rigid_body_dynamics_quat(
    p_N: SX, q_NB: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX, baumgarte: SX
) -> SX:
    """dp = R(q) v, dq as derived for quat_kinematics, then Kirchhoff's equations.

    Off the unit sphere 1 + 2 w u~ + 2 u~ u~ is the sandwich product and 1 - q.q.
    """
    velocity = quat_rotate(q_NB, v_B) + (1 - ca.dot(q_NB, q_NB)) * v_B
    attitude_rate = quat_kinematics(q_NB, w_B, baumgarte)
    return flat(velocity, attitude_rate, _kirchhoff(v_B, w_B, F_B, M_B, m, J_B))


def rigid_body_dynamics_rpy(p_N: SX, rpy: SX, v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX) -> SX:
    """dp = R(rpy) v, drpy as derived for rpy_kinematics, then Kirchhoff's equations."""
    velocity = elementary_product(rpy) @ v_B
    return flat(velocity, rpy_kinematics(rpy, w_B), _kirchhoff(v_B, w_B, F_B, M_B, m, J_B))


def _kirchhoff(v_B: SX, w_B: SX, F_B: SX, M_B: SX, m: SX, J_B: SX) -> SX:
    """dv, dw of dP + w x P = F and dL + w x L + v x P = M, P = dT/dv, L = dT/dw.

    T has no mixed second derivatives because B's origin is the centre of mass.
    """
    inertia = ca.vertcat(m, SX.zeros(3), J_B)

    def energy(motion: SX) -> SX:
        return kinetic_energy(inertia, motion)

    motion = ca.vertcat(w_B, v_B)
    momentum, mass = gradient(energy, motion), hessian(energy, motion)
    L, P = momentum[:3], momentum[3:]
    dP = F_B - ca.cross(w_B, P)
    dL = M_B - ca.cross(w_B, L) - ca.cross(v_B, P)
    return flat(inverse3(mass[3:, 3:]) @ dP, inverse3(mass[:3, :3]) @ dL)
