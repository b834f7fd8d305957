"""Poses as homogeneous 4x4 matrices, and the 6x6 Pluecker transforms of motions and forces.

T_AB = (R_AB, p_AB_A), with p from A's origin to B's, in A.
Source: Featherstone 2008 "Rigid Body Dynamics Algorithms", section 2.8.
"""

from __future__ import annotations

import math

import numpy as np

from codegen.library.rotation.reference import dcm_to_quat
from codegen.library.rotation_vector.reference import inverse as rotation_inverse
from codegen.library.rotation_vector.reference import left_jacobian
from codegen.library.shared.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    identity,
    result,
    skew,
    solve,
    zeros,
)
from codegen.library.shared.elementary import arctan2, cos, rounds, sin, sqrt

__all__ = [
    "force_transform",
    "force_transform_inverse",
    "force_transform_matrix",
    "force_transform_matrix_linear_first",
    "motion_transform",
    "motion_transform_inverse",
    "motion_transform_matrix",
    "motion_transform_matrix_linear_first",
    "se3_left_jacobian",
    "se3_left_jacobian_inverse",
    "se3_right_jacobian",
    "se3_right_jacobian_inverse",
    "transform_compose",
    "transform_exp",
    "transform_interpolate",
    "transform_inverse",
    "transform_log",
    "transform_point",
    "transform_point_inverse",
]


def pack_transform(R: Array, p: Array) -> Array:
    """The flat transform: R row-major, then p."""
    return np.concatenate([R.reshape(-1), p])


def unpack_transform(T_AB: Array) -> tuple[Array, Array]:
    """(R_AB, p_AB_A) of a flat transform."""
    return T_AB[:9].reshape(3, 3), T_AB[9:]


def pose_matrix(T_AB: Array) -> Array:
    """The homogeneous matrix [[R, p], [0, 1]]."""
    R, p = unpack_transform(T_AB)
    return np.vstack([np.column_stack([R, p]), [0, 0, 0, 1]])


def inverse(T_AB: Array) -> Array:
    """T_BA = (R^T, -R^T p), flat."""
    R, p = unpack_transform(T_AB)
    return pack_transform(R.T, -R.T @ p)


def motion_matrix(T_AB: Array) -> Array:
    """X_AB = [[R, 0], [p~ R, R]]."""
    R, p = unpack_transform(T_AB)
    return np.block([[R, zeros(3, 3)], [skew(p) @ R, R]])


def force_matrix(T_AB: Array) -> Array:
    """X*_AB = X_AB^-T = [[R, p~ R], [0, R]]."""
    R, p = unpack_transform(T_AB)
    return np.block([[R, skew(p) @ R], [zeros(3, 3), R]])


def transform_inertia_matrix(T_AB: Array, M_B: Array) -> Array:
    """M_A = X*_AB M_B X_AB^-1, of any map from motions to forces (Featherstone 2008, section 2.13)."""
    return force_matrix(T_AB) @ M_B @ motion_matrix(inverse(T_AB))


def transform_point(T_AB: Array, p_B: Array) -> Result:
    """[p_A; 1] = T_AB [p_B; 1]."""
    return result((pose_matrix(T_AB) @ np.array([*p_B, 1]))[:3])


def transform_point_inverse(T_AB: Array, p_A: Array) -> Result:
    """[p_B; 1] = T_AB^-1 [p_A; 1]."""
    return transform_point(inverse(T_AB), p_A)


def transform_compose(T_AB: Array, T_BC: Array) -> Result:
    """T_AC = T_AB T_BC, the product of the homogeneous matrices."""
    T_AC = pose_matrix(T_AB) @ pose_matrix(T_BC)
    return result(pack_transform(T_AC[:3, :3], T_AC[:3, 3]))


def transform_inverse(T_AB: Array) -> Result:
    """T_BA = (R^T, -R^T p)."""
    return result(inverse(T_AB))


def motion_transform(T_AB: Array, v_B: Array) -> Result:
    """v_A = X_AB v_B."""
    return result(motion_matrix(T_AB) @ v_B)


def motion_transform_inverse(T_AB: Array, v_A: Array) -> Result:
    """v_B = X_AB^-1 v_A."""
    return motion_transform(inverse(T_AB), v_A)


def force_transform(T_AB: Array, f_B: Array) -> Result:
    """f_A = X*_AB f_B."""
    return result(force_matrix(T_AB) @ f_B)


def force_transform_inverse(T_AB: Array, f_A: Array) -> Result:
    """f_B = X*_AB^-1 f_A."""
    return force_transform(inverse(T_AB), f_A)


def motion_transform_matrix(T_AB: Array) -> Result:
    """X_AB, row-major."""
    return result(motion_matrix(T_AB))


def force_transform_matrix(T_AB: Array) -> Result:
    """X*_AB, row-major."""
    return result(force_matrix(T_AB))


def motion_transform_matrix_linear_first(T_AB: Array) -> Result:
    """X_AB with rows and columns in the order [v; w]."""
    return result(linear_first(motion_matrix(T_AB)))


def force_transform_matrix_linear_first(T_AB: Array) -> Result:
    """X*_AB with rows and columns in the order [f; n]."""
    return result(linear_first(force_matrix(T_AB)))


def linear_first(M: Array) -> Array:
    """A 6x6 matrix with its angular and linear rows and columns exchanged."""
    return np.roll(M, (3, 3), (0, 1))


def rotation_of(axis: Array, angle: Scalar) -> Array:
    """Rodrigues's formula: cos 1 + sin u~ + (1 - cos) u u^T."""
    c, s = cos(angle), sin(angle)
    R: Array = identity() * c + skew(axis) * s + np.outer(axis, axis) * (1 - c)
    return R


def displacement(axis: Array, angle: Scalar) -> Array:
    """The integral of rotation_of over the angle: V of exp, times the angle."""
    c, s = cos(angle), sin(angle)
    V: Array = identity() * s + skew(axis) * (1 - c) + np.outer(axis, axis) * (angle - s)
    return V


def transform_exp(r: Array, rho: Array) -> Result:
    """Twice half the rotation, and its integral over the angle; without rotation the path is straight."""
    angle = sqrt(r @ r)
    if angle == 0:
        return result(pack_transform(identity() + skew(r), rho))
    n, c, s = r / angle, cos(angle / 2), sin(angle / 2)
    half = rotation_of(n, angle / 2)
    path = (
        n * (n @ rho) + (rho - n * (n @ rho)) * (s * c * 2 / angle) + np.cross(n, rho) * (s * s * 2 / angle)
    )
    return result(pack_transform(half @ half, path))


def transform_log(T_AB: Array) -> Result:
    """The rotation vector by way of the quaternion with w >= 0; rho solves V rho = p."""
    R, p = unpack_transform(T_AB)
    (q,), _ = dcm_to_quat(R.reshape(-1))
    norm = sqrt(q[1:] @ q[1:])
    if norm == 0:
        return result(q[1:], p)
    axis, angle = q[1:] / norm, arctan2(norm, q[0]) * 2
    return result(axis * angle, solve(displacement(axis, angle), p) * angle)


def transform_interpolate(T_A0: Array, T_A1: Array, t: Scalar) -> Result:
    """T_A0 exp(t log(T_A0^-1 T_A1)); the rotation vector by way of the quaternion with w >= 0.

    The screw's velocity rho solves V rho = p. Without rotation the path is straight.
    """
    T_01 = pose_matrix(inverse(T_A0)) @ pose_matrix(T_A1)
    (q,), _ = dcm_to_quat(T_01[:3, :3].reshape(-1))
    norm = sqrt(q[1:] @ q[1:])
    R_0t, p_0t = identity(), T_01[:3, 3] * t
    if norm > 0:
        axis, angle = q[1:] / norm, arctan2(norm, q[0]) * 2
        rho = solve(displacement(axis, angle), T_01[:3, 3])
        R_0t, p_0t = rotation_of(axis, angle * t), displacement(axis, angle * t) @ rho
    T_At = pose_matrix(T_A0) @ pose_matrix(pack_transform(R_0t, p_0t))
    return result(pack_transform(T_At[:3, :3], T_At[:3, 3]))


def screw_jacobian(r: Array, rho: Array) -> Array:
    """[[L, 0], [Q, L]] with Barfoot's Q; near r = 0, where digits would be lost, sum of A^k / (k + 1)!."""
    square = r @ r
    if rounds(square) and square < 1:
        A = np.block([[skew(r), zeros(3, 3)], [skew(rho), skew(r)]])
        powers = [identity(6).astype(A.dtype)]
        for _ in range(50):
            powers.append(powers[-1] @ A)
        return sum((p / math.factorial(k + 1) for k, p in reversed([*enumerate(powers)])), 0 * powers[0])
    a = sqrt(square)
    s, c = sin(a / 2) * cos(a / 2) * 2, cos(a / 2) ** 2 - sin(a / 2) ** 2
    R, P = skew(r), skew(rho)
    RP, PR, RPR = R @ P, P @ R, R @ P @ R
    doubled = P + (RP + PR + RPR) * ((a - s) * 2 / a**3)
    doubled = doubled + (R @ RP + PR @ R - RPR * 3) * ((square + c * 2 - 2) / square**2)
    doubled = doubled + (RPR @ R + R @ RPR) * ((a * 2 - s * 3 + a * c) / a**5)
    L = left_jacobian(r)
    return np.block([[L, zeros(3, 3)], [doubled / 2, L]])


def screw_inverse(r: Array, rho: Array, sign: int, limits: Limits | None) -> Result:
    """The inverse by blocks, K = L^-1 and -K Q K; at whole turns, K = 1 - r~ / 2 and its derivative."""
    (K,), status = rotation_inverse(left_jacobian(r * sign), r, -sign, limits)
    K = K.reshape(3, 3)
    if status == Status.NOT_FINITE:
        return result(identity(6), status=status)
    Q = screw_jacobian(r * sign, rho * sign)[3:, :3]
    below = skew(rho * -sign) / 2 if status else -K @ Q @ K
    J_inv = np.block([[K, zeros(3, 3)], [below, K]])
    return result(J_inv, status=status)


def se3_left_jacobian(r: Array, rho: Array) -> Result:
    """The left Jacobian, row-major."""
    return result(screw_jacobian(r, rho))


def se3_right_jacobian(r: Array, rho: Array) -> Result:
    """The left Jacobian of the opposite motion, row-major."""
    return result(screw_jacobian(-r, -rho))


def se3_left_jacobian_inverse(r: Array, rho: Array, limits: Limits | None = None) -> Result:
    """The inverse of the left Jacobian, row-major."""
    return screw_inverse(r, rho, 1, limits)


def se3_right_jacobian_inverse(r: Array, rho: Array, limits: Limits | None = None) -> Result:
    """The inverse of the right Jacobian, row-major."""
    return screw_inverse(r, rho, -1, limits)
