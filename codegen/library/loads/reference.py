"""Forces and moments on a rigid body, and velocities and accelerations of its points.

Sources: Stevens & Lewis "Aircraft Control and Simulation", Goldstein "Classical Mechanics",
Hughes "Spacecraft Attitude Dynamics".
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from codegen.library.rotation.reference import conjugate, rotate_unit
from codegen.library.shared.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    identity,
    result,
    skew,
    symmetric,
)
from codegen.library.shared.elementary import sqrt

__all__ = [
    "cm_velocity",
    "gravitation_j2",
    "gravitation_point",
    "gravity_body",
    "gravity_gradient_moment",
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


def attracted(p: Array, formula: Callable[[Array, Scalar], Array], limits: Limits | None) -> Result:
    """A formula of the direction and the distance; zeros without a direction, and where it overflows."""
    square, status = p @ p, 0
    if limits is not None:
        status |= 0 if square > limits.min else Status.ZERO_NORM
        status |= 0 if square <= limits.max else Status.NOT_FINITE
    if not status:
        r = sqrt(square)
        found = formula(p / r, r)
        if limits is None or abs(found.sum()) <= limits.max:
            return result(found)
        status = Status.NOT_FINITE
    return result(np.zeros(3, p.dtype), status=status)


def gravitation_point(p_E: Array, mu: Scalar, limits: Limits | None = None) -> Result:
    """Against the direction, over the square of the distance."""
    return attracted(p_E, lambda up, r: up * (-mu / r / r), limits)


def gravitation_j2(p_E: Array, mu: Scalar, J_2: Scalar, r_eq: Scalar, limits: Limits | None = None) -> Result:
    """In the plane of the meridian: up and along the axis (Montenbruck and Gill, section 3.2)."""

    def formula(up: Array, r: Scalar) -> Array:
        sine, k = up[2], J_2 * (r_eq / r) ** 2 * 3 / 2
        pull: Array = up + (up - up * (sine * sine * 5) + identity()[2] * (sine * 2)) * k
        pulled: Array = pull * (-mu / r / r)
        return pulled

    return attracted(p_E, formula, limits)


def gravity_gradient_moment(p_B: Array, mu: Scalar, J_B: Array, limits: Limits | None = None) -> Result:
    """3 mu / r^3 times n x J n."""

    def formula(n: Array, r: Scalar) -> Array:
        moment: Array = skew(n) @ (symmetric(J_B) @ n) * (mu * 3 / r / r / r)
        return moment

    return attracted(p_B, formula, limits)
