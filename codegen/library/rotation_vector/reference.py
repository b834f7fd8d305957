"""Rotation vectors: exponential and logarithm of unit quaternions, and the Jacobians of the exponential.

Sources: Sola 2017 "Quaternion kinematics for the error-state Kalman filter", Barfoot 2017 "State Estimation
for Robotics".
"""

from __future__ import annotations

import math

import numpy as np

from codegen.library.rotation.reference import conjugate, hamilton, norm_status, sandwich
from codegen.library.shared.dense import Array, Limits, Result, Scalar, Status, identity, result, skew, solve
from codegen.library.shared.elementary import arctan2, cos, rounds, sin, sqrt

__all__ = [
    "axis_angle_from_quat",
    "quat_error",
    "quat_from_axis_angle",
    "quat_from_rotvec",
    "quat_integrate",
    "quat_slerp",
    "rotvec_from_quat",
    "so3_left_jacobian",
    "so3_left_jacobian_inverse",
    "so3_right_jacobian",
    "so3_right_jacobian_inverse",
]


def turn(axis: Array, half: Scalar) -> Array:
    """[cos h, sin h n], n along the axis; 1 for an axis without direction."""
    norm = sqrt(axis @ axis)
    if norm == 0:
        return np.array([cos(half), *axis])
    return np.array([cos(half), *axis * (sin(half) / norm)])


def exponential(r: Array) -> Array:
    """exp(r / 2)."""
    return turn(r, sqrt(r @ r) / 2)


def angle(q: Array) -> Scalar:
    """The angle of q or -q, in [0, pi]: tan(angle / 4) = |u| / (|q| + |w|)."""
    return 4 * arctan2(sqrt(q[1:] @ q[1:]), sqrt(q @ q) + abs(q[0]))


def logarithm(q: Array) -> Array:
    """The rotation vector of a quaternion of any nonzero norm, on the short arc."""
    u = q[1:]
    norm = sqrt(u @ u)
    r: Array = u if norm == 0 else u * (angle(q) * (-1 if q[0] < 0 else 1) / norm)
    return r


def quat_from_rotvec(r: Array) -> Result:
    """q = exp(r / 2)."""
    return result(exponential(r))


def rotvec_from_quat(q: Array, limits: Limits | None = None) -> Result:
    """r = 2 log(q), of q or -q, whichever has w >= 0."""
    if status := norm_status(q, limits):
        return result(np.zeros(3, q.dtype), status=status)
    return result(logarithm(q))


def quat_from_axis_angle(axis: Array, angle: Scalar, limits: Limits | None = None) -> Result:
    """q = [cos(angle / 2), sin(angle / 2) axis / |axis|]."""
    if status := norm_status(axis, limits):
        return result(identity(4)[0].astype(axis.dtype), status=status)
    return result(turn(axis, angle / 2))


def axis_angle_from_quat(q: Array, limits: Limits | None = None) -> Result:
    """The axis, a unit vector, and the angle in [0, pi] of q or -q; the x axis where the angle is 0."""
    x = identity()[0].astype(q.dtype)
    if status := norm_status(q, limits):
        return result(x, 0, status=status)
    square = q[1:] @ q[1:]
    if not square > (0 if limits is None else limits.min):
        return result(x, 0)
    return result(q[1:] * (-1 if q[0] < 0 else 1) / sqrt(square), angle(q))


def quat_slerp(q_0: Array, q_1: Array, t: Scalar) -> Result:
    """q_t = (q_1 q_0*)^t q_0 (Shoemake 1985), with the sign of q_1 that makes the arc short."""
    p = hamilton(q_1, conjugate(q_0))
    p = -p if p[0] < 0 else p
    half = arctan2(sqrt(p[1:] @ p[1:]), p[0])
    return result(hamilton(turn(p[1:], t * half), q_0))


def quat_integrate(q_AB: Array, w_B: Array, dt: Scalar) -> Result:
    """q_AB exp(w_B dt / 2)."""
    return result(hamilton(q_AB, exponential(w_B * dt)))


def quat_error(q_NB: Array, q_ND: Array) -> Result:
    """e_B = 2 log(q_NB* q_ND)."""
    return result(logarithm(hamilton(conjugate(q_NB), q_ND)))


def left_jacobian(r: Array) -> Array:
    """(r r^T + (1 - R) r~) / |r|^2, which solves r~ J = R - 1 and J r = r, with R = exp(r~).

    Near 0, where digits would be lost, it is summed as r~^k / (k + 1)!.
    """
    square = r @ r
    if rounds(square) and square < 1:
        powers = [identity().astype(r.dtype)]
        for _ in range(50):
            powers.append(powers[-1] @ skew(r))
        return sum((p / math.factorial(k + 1) for k, p in reversed([*enumerate(powers)])), 0 * powers[0])
    jacobian: Array = (np.outer(r, r) + (identity() - matrix(r)) @ skew(r)) / square
    return jacobian


def right_jacobian(r: Array) -> Array:
    """R^T J of the left Jacobian J: the same rates, in the rotated frame."""
    product: Array = matrix(r).T @ left_jacobian(r)
    return product


def matrix(r: Array) -> Array:
    """exp(r~), whose columns are q e_i q*."""
    q = exponential(r)
    return np.column_stack([sandwich(q, e) for e in identity()])


def inverse(jacobian: Array, r: Array, sign: int, limits: Limits | None) -> Result:
    """The inverse matrix; 1 + sign r~ / 2 where sin(|r| / 2) <= 2 eps |r|, at whole turns."""
    length = sqrt(r @ r)
    if limits is not None and not r @ r <= limits.max:
        return result(identity(), status=Status.NOT_FINITE)
    if limits is not None and length > 0 and not abs(sin(length / 2)) > 2 * limits.eps * length:
        return result(identity() + skew(r) * sign / 2, status=Status.SINGULAR)
    return result(np.column_stack([solve(jacobian, e) for e in identity()]))


def so3_left_jacobian(r: Array) -> Result:
    """The left Jacobian."""
    return result(left_jacobian(r))


def so3_right_jacobian(r: Array) -> Result:
    """The right Jacobian."""
    return result(right_jacobian(r))


def so3_left_jacobian_inverse(r: Array, limits: Limits | None = None) -> Result:
    """The inverse of the left Jacobian, by Cramer's rule."""
    return inverse(left_jacobian(r), r, -1, limits)


def so3_right_jacobian_inverse(r: Array, limits: Limits | None = None) -> Result:
    """The inverse of the right Jacobian, by Cramer's rule."""
    return inverse(right_jacobian(r), r, 1, limits)
