"""Quaternions, direction-cosine matrices and roll-pitch-yaw angles.

Quaternions are Hamilton's, [w, x, y, z]; rotations R_AB change coordinates, v_A = R_AB v_B.
Sources: Diebel 2006 "Representing Attitude", Shepperd 1978 "Quaternion from Rotation Matrix",
Stevens & Lewis "Aircraft Control and Simulation".
"""

from __future__ import annotations

import numpy as np

from codegen.library.shared.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    axial,
    identity,
    result,
    skew,
    solve,
)
from codegen.library.shared.elementary import arctan2, ceil, cos, sin, sqrt

__all__ = [
    "angle_wrap",
    "dcm_from_rpy",
    "dcm_kinematics",
    "dcm_multiply",
    "dcm_orthonormalize",
    "dcm_rotate",
    "dcm_rotate_inverse",
    "dcm_to_quat",
    "quat_conjugate",
    "quat_from_rpy",
    "quat_from_vectors",
    "quat_inverse",
    "quat_kinematics",
    "quat_kinematics_inverse",
    "quat_multiply",
    "quat_normalize",
    "quat_rotate",
    "quat_rotate_inverse",
    "quat_to_dcm",
    "quat_to_dcm_unit",
    "rpy_from_dcm",
    "rpy_from_quat",
    "rpy_kinematics",
    "rpy_kinematics_inverse",
]


def hamilton(p: Array, q: Array) -> Array:
    """p (x) q, the matrix of left multiplication by p = [w, u] times q."""
    w, u = p[0], p[1:]
    left = np.vstack([[w, *-u], np.column_stack([u, identity() * w + skew(u)])])
    return left @ q


def conjugate(q: Array) -> Array:
    """q* = [w, -u]."""
    return np.array([q[0], *-q[1:]])


def sandwich(q: Array, v: Array) -> Array:
    """The vector part of q (x) [0, v] (x) q*, which is |q|^2 R(q) v."""
    return hamilton(hamilton(q, np.array([0, *v])), conjugate(q))[1:]


def rotate_unit(q: Array, v: Array) -> Array:
    """R(q) v of a unit q.

    Off the unit sphere it is v + 2 w u x v + 2 u x (u x v), the form that R(q) v takes where
    w^2 = 1 - u.u, which differs from the sandwich product by (1 - q.q) v.
    """
    rotated: Array = sandwich(q, v) + v * (1 - q @ q)
    return rotated


def norm_status(q: Array, limits: Limits | None) -> int:
    """Whether q.q is a normal number: ZERO_NORM for 0 and NaN, NOT_FINITE for overflow."""
    if limits is None:
        return 0
    with np.errstate(over="ignore", invalid="ignore"):
        square = q @ q
    if not square > limits.min:
        return Status.ZERO_NORM
    return Status.NOT_FINITE if square > limits.max else 0


def quat_multiply(p: Array, q: Array) -> Result:
    """The Hamilton product p (x) q."""
    return result(hamilton(p, q))


def quat_conjugate(q: Array) -> Result:
    """q* = [w, -x, -y, -z]."""
    return result(conjugate(q))


def quat_inverse(q: Array, limits: Limits | None = None) -> Result:
    """q^-1 = q* / q.q."""
    if status := norm_status(q, limits):
        return result(identity(4)[0].astype(q.dtype), status=status)
    return result(conjugate(q) / (q @ q))


def quat_normalize(q: Array, limits: Limits | None = None) -> Result:
    """q / |q|."""
    if status := norm_status(q, limits):
        return result(identity(4)[0].astype(q.dtype), status=status)
    return result(q / sqrt(q @ q))


def quat_rotate(q_AB: Array, v_B: Array) -> Result:
    """v_A = q v_B q*, of a unit quaternion."""
    return result(rotate_unit(q_AB, v_B))


def quat_rotate_inverse(q_AB: Array, v_A: Array) -> Result:
    """v_B = q* v_A q, of a unit quaternion."""
    return result(rotate_unit(conjugate(q_AB), v_A))


def quat_to_dcm(q_AB: Array, limits: Limits | None = None) -> Result:
    """R_AB, whose columns are q e_i q* / q.q, of any quaternion but zero."""
    if status := norm_status(q_AB, limits):
        return result(identity().astype(q_AB.dtype), status=status)
    return result(np.column_stack([sandwich(q_AB, e) for e in identity()]) / (q_AB @ q_AB))


def quat_to_dcm_unit(q_AB: Array) -> Result:
    """R_AB, whose columns are q e_i q*, of a unit quaternion."""
    return result(np.column_stack([rotate_unit(q_AB, e) for e in identity()]))


def dcm_to_quat(R_AB: Array) -> Result:
    """q_AB with w >= 0, from one row of 4 q q^T (Shepperd 1978).

    4 q q^T = [[1 + tr R, a^T], [a, R + R^T + (1 - tr R) 1]], where a~ = R - R^T. The row is that
    of the first largest of (tr R, R00, R11, R22), hence of the largest component of q.
    """
    R = R_AB.reshape(3, 3)
    trace = np.trace(R)
    a = axial(R - R.T)
    outer = np.vstack([[1 + trace, *a], np.column_stack([a, R + R.T + identity() * (1 - trace)])])
    candidates = [trace, *np.diagonal(R)]
    pivot = max(range(4), key=lambda i: candidates[i])
    q = outer[pivot] / (sqrt(outer[pivot, pivot]) * 2)
    return result(-q if q[0] < 0 else q)


def quat_rate(q_AB: Array, w_B: Array, baumgarte: Scalar) -> Array:
    """dq/dt = q (x) [0, w_B] / 2 - b (q.q - 1) q."""
    drift = q_AB @ q_AB - 1
    rate: Array = hamilton(q_AB, np.array([0, *w_B])) / 2 - q_AB * (baumgarte * drift)
    return rate


def quat_kinematics(q_AB: Array, w_B: Array, baumgarte: Scalar) -> Result:
    """dq/dt = q (x) [0, w_B] / 2 - b (q.q - 1) q (Diebel 2006; the last term is Baumgarte's)."""
    return result(quat_rate(q_AB, w_B, baumgarte))


def quat_kinematics_inverse(q_AB: Array, dq: Array) -> Result:
    """The vector part of twice q* dq (Diebel 2006)."""
    return result(hamilton(conjugate(q_AB), dq)[1:] * 2)


def quat_from_vectors(v_A: Array, v_B: Array, limits: Limits | None = None) -> Result:
    """Along the sum of the direction in A and the one in B's axes: [c, b x m] with m halfway, c = b.m."""
    one = identity(4)[0].astype(v_A.dtype)
    if limits is not None:
        squares = v_A @ v_A, v_B @ v_B
        status = 0 if all(x > limits.min for x in squares) else Status.ZERO_NORM
        status |= 0 if all(x <= limits.max for x in squares) else Status.NOT_FINITE
        if status:
            return result(one, status=status | (Status.DEGENERATE if any(x != x for x in squares) else 0))
    a, b = v_A / sqrt(v_A @ v_A), v_B / sqrt(v_B @ v_B)
    middle = a + b
    length = sqrt(middle @ middle)
    if limits is not None and not length * length * 4 > limits.eps * limits.eps * 1024:
        across = np.array([-b[1], b[0], 0]) if abs(b[0]) > abs(b[2]) else np.array([0, -b[2], b[1]])
        return result(np.array([0, *across / sqrt(across @ across)]), status=Status.DEGENERATE)
    return result(np.array([b @ middle, *np.cross(b, middle)]) / length)


def dcm_multiply(R_AB: Array, R_BC: Array) -> Result:
    """R_AC = R_AB R_BC."""
    return result(R_AB.reshape(3, 3) @ R_BC.reshape(3, 3))


def dcm_rotate(R_AB: Array, v_B: Array) -> Result:
    """v_A = R_AB v_B."""
    return result(R_AB.reshape(3, 3) @ v_B)


def dcm_rotate_inverse(R_AB: Array, v_A: Array) -> Result:
    """v_B = R_AB^T v_A."""
    return result(R_AB.reshape(3, 3).T @ v_A)


def dcm_kinematics(R_AB: Array, w_B: Array) -> Result:
    """dR/dt = R_AB w_B~, w_B~ by its rows."""
    return result(R_AB.reshape(3, 3) @ skew(w_B))


def dcm_orthonormalize(R: Array, limits: Limits | None = None) -> Result:
    """The first two columns C times L^-T, where C^T C = L L^T (Cholesky), and the normal to both."""
    C = R.reshape(3, 3)[:, :2]
    (g00, g01), (_, g11) = C.T @ C
    if limits is not None and not limits.min < g00 <= limits.max:
        return result(identity().astype(R.dtype), status=Status.DEGENERATE)
    height = g11 - g01 * g01 / g00
    if limits is not None:
        least = max(limits.min, 16 * limits.eps * limits.eps * g11)
        if not (height > least and g11 <= limits.max):
            return result(identity().astype(R.dtype), status=Status.DEGENERATE)
    x = C[:, 0] / sqrt(g00)
    y = (C[:, 1] - C[:, 0] * (g01 / g00)) / sqrt(height)
    return result(np.column_stack([x, y, skew(x) @ y]))


def angle_wrap(angle: Scalar) -> Result:
    """The angle less the whole turns that leave it in (-pi, pi]; pi is the angle of (-1, 0)."""
    half_turn = arctan2(angle * 0, angle * 0 - 1)
    return result(angle - 2 * half_turn * ceil((angle / half_turn - 1) / 2))


def rotation_x(angle: Scalar) -> Array:
    """The active rotation about x."""
    c, s = cos(angle), sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def rotation_y(angle: Scalar) -> Array:
    """The active rotation about y."""
    c, s = cos(angle), sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def rotation_z(angle: Scalar) -> Array:
    """The active rotation about z."""
    c, s = cos(angle), sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def dcm_of_rpy(rpy: Array) -> Array:
    """Rz(psi) Ry(theta) Rx(phi)."""
    phi, theta, psi = rpy
    return rotation_z(psi) @ rotation_y(theta) @ rotation_x(phi)


def quat_from_rpy(rpy: Array) -> Result:
    """q_NB = qz(psi) (x) qy(theta) (x) qx(phi) of the elementary [cos(a/2), sin(a/2) e]."""
    x, y, z = (np.array([cos(a / 2), *e * sin(a / 2)]) for a, e in zip(rpy, identity(), strict=True))
    return result(hamilton(hamilton(z, y), x))


def dcm_from_rpy(rpy: Array) -> Result:
    """R_NB = Rz(psi) Ry(theta) Rx(phi), the aerospace 3-2-1 attitude (Stevens & Lewis)."""
    return result(dcm_of_rpy(rpy))


def rpy_from_dcm(R_NB: Array, limits: Limits | None = None) -> Result:
    """The angles of R_NB = Rz(psi) Ry(theta) Rx(phi).

    With c = |(R00, R10)|, theta = atan2(-R20, c) and psi = atan2(R10, R00), or 0 at lock. What is
    left, Rz(psi)^T R = Ry(theta) Rx(phi), has the middle row [0, cos phi, -sin phi].
    """
    R = R_NB.reshape(3, 3)
    c = sqrt(R[0, 0] * R[0, 0] + R[1, 0] * R[1, 0])
    locked = limits is not None and not c > 4 * limits.eps
    psi = 0 if locked else arctan2(R[1, 0], R[0, 0])
    middle = R[1] if locked else R[1] * cos(psi) - R[0] * sin(psi)
    rpy = np.array([arctan2(-middle[2], middle[1]), arctan2(-R[2, 0], c), psi])
    return result(rpy, status=Status.GIMBAL_LOCK if locked else 0)


def rpy_from_quat(q_NB: Array, limits: Limits | None = None) -> Result:
    """The angles of the rotation of q_NB, which need not be a unit quaternion."""
    if status := norm_status(q_NB, limits):
        return result(np.zeros(3, q_NB.dtype), status=status)
    return rpy_from_dcm(quat_to_dcm(q_NB).outputs[0], limits)


def rate_axes(rpy: Array) -> Array:
    """The columns e_x, Rx^T e_y, Rx^T Ry^T e_z: the rates' axes, in the body (Diebel 2006)."""
    phi, theta, _ = rpy
    x, y, z = identity()
    to_body = rotation_x(phi).T
    return np.column_stack([x, to_body @ y, to_body @ rotation_y(theta).T @ z])


def rpy_kinematics(rpy: Array, w_B: Array, limits: Limits | None = None) -> Result:
    """The angles' rates: the solution of e_x dphi + Rx^T e_y dtheta + Rx^T Ry^T e_z dpsi = w_B.

    At lock, abs(cos theta) <= sqrt(eps), they are w_x, cos(phi) w_y - sin(phi) w_z and 0.
    """
    phi, theta, _ = rpy
    if limits is not None and not abs(cos(theta)) > sqrt(limits.eps):
        drpy = np.array([w_B[0], rotation_x(phi)[1] @ w_B, 0])
        return result(drpy, status=Status.GIMBAL_LOCK)
    return result(solve(rate_axes(rpy), w_B))


def rpy_kinematics_inverse(rpy: Array, drpy: Array) -> Result:
    """w_B = e_x dphi + Rx^T e_y dtheta + Rx^T Ry^T e_z dpsi."""
    return result(rate_axes(rpy) @ drpy)
