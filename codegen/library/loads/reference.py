"""Forces and moments on a rigid body, and velocities and accelerations of its points.

Sources: Stevens & Lewis "Aircraft Control and Simulation", Goldstein "Classical Mechanics",
Hughes "Spacecraft Attitude Dynamics".
"""

from __future__ import annotations

import numpy as np

from codegen.library.rotation.reference import conjugate, rotate_unit
from codegen.library.shared.dense import Array, Result, Scalar, result, symmetric

__all__ = [
    "cm_velocity",
    "gravity_body",
    "gyroscopic_moment",
    "inertia_rate_moment",
    "lever_arm_acceleration",
    "mass_flow_force",
    "moment_transfer",
    "reference_velocity",
]


def gravity_body(q_NB: Array, m: Scalar, g_N: Array) -> Result:
    """F_B = m R_NB^T g_N."""
    return result(rotate_unit(conjugate(q_NB), g_N) * m)


def moment_transfer(M_P: Array, F: Array, r_P: Array, r_cm: Array) -> Result:
    """M_cm = M_P + r_P x F - r_cm x F."""
    return result(M_P + np.cross(r_P, F) - np.cross(r_cm, F))


def cm_velocity(v_ref: Array, w: Array, r: Array, dr: Array) -> Result:
    """v = v_ref + dr + w x r."""
    return result(v_ref + (dr - np.cross(r, w)))


def reference_velocity(v: Array, w: Array, r: Array, dr: Array) -> Result:
    """v_ref = v - dr - w x r."""
    return result(v - (dr - np.cross(r, w)))


def gyroscopic_moment(M: Array, w: Array, h_int: Array, dh_int: Array) -> Result:
    """M_eff = M - dh - w x h."""
    return result(M + np.cross(h_int, w) - dh_int)


def mass_flow_force(dm: Scalar, u_rel: Array) -> Result:
    """F = dm u_rel."""
    return result(u_rel * dm)


def inertia_rate_moment(dJ: Array, w: Array) -> Result:
    """M = -dJ w."""
    return result(-(symmetric(dJ) @ w))


def lever_arm_acceleration(a_O: Array, w: Array, dw: Array, r: Array) -> Result:
    """a_P = a_O + dw x r + w (w.r) - r (w.w)."""
    return result(a_O + np.cross(dw, r) + w * (w @ r) - r * (w @ w))
