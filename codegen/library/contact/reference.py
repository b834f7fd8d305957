"""Frictionless contact at the velocity level, with the dense mass matrix diag(m 1, J) of a body.

Sources: Stewart & Trinkle 1996; Tasora & Anitescu 2011.
"""

from __future__ import annotations

import numpy as np

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

__all__ = [
    "contact_apply",
    "contact_dot",
    "contact_free_velocity",
    "contact_jacobian",
    "contact_mass_inverse",
    "contact_rhs",
    "sphere_plane_contact",
    "sphere_sphere_contact",
]


def sphere_sphere_contact(
    x_A: Array, r_A: Scalar, x_B: Array, r_B: Scalar, limits: Limits | None = None
) -> Result:
    """Closest points of two spheres along the line of their centres; the x axis where there is none."""
    d = x_B - x_A
    with np.errstate(over="ignore"):
        square = d @ d
    if limits is not None and not square <= limits.max:
        return result(identity()[0], 0, zeros(3), zeros(3), status=Status.NOT_FINITE)
    if limits is not None and not square > limits.min:
        n, distance, status = identity()[0] + 0 * r_A, 0 * r_A, int(Status.DEGENERATE)
    else:
        distance, status = sqrt(square), 0
        n = d / distance
    return result(n, distance - (r_A + r_B), x_A + n * r_A, x_B - n * r_B, status=status)


def sphere_plane_contact(n: Array, d: Scalar, x_B: Array, r_B: Scalar) -> Result:
    """The centre projected on the plane n.x = d, and on the sphere."""
    foot = x_B - np.outer(n, n) @ x_B + n * d
    return result(x_B @ n - (d + r_B), foot, x_B - n * r_B)


def contact_jacobian(
    R_NA: Array, R_NB: Array, n: Array, c_A: Array, c_B: Array, p_A: Array, p_B: Array
) -> Result:
    """D_A = -P_A^T n and D_B = P_B^T n, P the map from a body's velocity to that of the contact point."""
    return result(-point_velocity(R_NA, c_A, p_A).T @ n, point_velocity(R_NB, c_B, p_B).T @ n)


def point_velocity(R: Array, c: Array, p: Array) -> Array:
    """[1, R (s~)^T]: the velocity in N of the body's point c = p + R s is v + R (w x s)."""
    R = R.reshape(3, 3)
    return np.hstack([identity(), R @ skew(R.T @ (c - p)).T])


def contact_mass_inverse(m: Scalar, J_B: Array, wrench: Array, limits: Limits | None = None) -> Result:
    """The solution of diag(m 1, J) twist = wrench; zero for a static body."""
    return pushed(wrench - wrench, m, J_B, wrench, limits)


def contact_free_velocity(
    v: Array, f: Array, m: Scalar, J_B: Array, dt: Scalar, limits: Limits | None = None
) -> Result:
    """Euler's step of m dv = f_N, J dw + w x (J w) = n_B."""
    w = v[3:]
    torque = f[3:] - skew(w) @ (symmetric(J_B) @ w)
    return pushed(v, m, J_B, np.array([*f[:3], *torque]) * dt, limits)


def contact_apply(
    v: Array, m: Scalar, J_B: Array, D: Array, impulse: Scalar, limits: Limits | None = None
) -> Result:
    """v + M^-1 D lambda."""
    return pushed(v, m, J_B, D * impulse, limits)


def pushed(v: Array, m: Scalar, J_B: Array, impulse: Array, limits: Limits | None) -> Result:
    """v + M^-1 impulse; v for a static body and where a check fails."""
    if limits is not None and not m >= 0:
        return result(v, status=Status.MASS)
    if not m > 0:
        return result(v)
    J = symmetric(J_B)
    if limits is not None and not is_regular(J, limits):
        return result(v, status=Status.SINGULAR)
    mass = np.block([[identity() * m, zeros(3, 3)], [zeros(3, 3), J]])
    after = v + np.array([*solve(mass[:3, :3], impulse[:3]), *solve(mass[3:, 3:], impulse[3:])])
    if limits is not None and not abs(after.sum()) <= limits.max:
        return result(v, status=Status.NOT_FINITE)
    return result(after)


def is_regular(J: Array, limits: Limits) -> bool:
    """Whether J is positive definite by Sylvester's criterion, its determinant a normal number and large."""
    least = max(limits.min, 16 * limits.eps * J[0, 0] * J[1, 1] * J[2, 2])
    return bool(J[0, 0] > 0 and J[0, 0] * J[1, 1] > J[0, 1] ** 2 and determinant(J) > least)


def contact_rhs(
    gap: Scalar,
    dt: Scalar,
    max_push: Scalar,
    D_A: Array,
    D_B: Array,
    v_A: Array,
    v_B: Array,
    limits: Limits | None = None,
) -> Result:
    """b + D^T v*, with the rate b = max(gap / dt, -max_push) that closes the gap."""
    if limits is not None and not (dt > 0 and max_push >= 0):
        return result(0 * gap, status=Status.DEGENERATE)
    r = max(gap / dt, -max_push) + np.hstack([D_A, D_B]) @ np.hstack([v_A, v_B])
    if limits is not None and not abs(r) <= limits.max:
        return result(0 * gap, status=Status.NOT_FINITE)
    return result(r)


def contact_dot(D: Array, v: Array) -> Result:
    """D^T v."""
    return result(D @ v)
