"""Rotations as Jacobians of rotated vectors, and their rates as time derivatives."""

from __future__ import annotations

import casadi as ca
from casadi import SX

from codegen.library.shared.calculus import flat, gradient, inverse3, jacobian, matrix3, rate, vee


def quat_inverse(q: SX) -> SX:
    """Half the gradient of the scalar part of the square of `q`, its conjugate, over the squared norm."""
    return flat(gradient(lambda x: product(x, x)[0], q) / 2 / ca.dot(q, q))


def quat_normalize(q: SX) -> SX:
    """The gradient of the norm."""
    return flat(gradient(lambda x: ca.sqrt(ca.dot(x, x)), q))


def quat_rotate(q_AB: SX, v_B: SX) -> SX:
    """The Jacobian of the sandwich product times `v_B`."""
    return flat(matrix3(quat_to_dcm_unit(q_AB)) @ v_B)


def quat_rotate_inverse(q_AB: SX, v_A: SX) -> SX:
    """The gradient of the scalar product of `v_A` and a turned vector: the adjoint is the inverse."""
    return flat(gradient(lambda v: ca.dot(v_A, sandwich(q_AB, v)), SX.zeros(3)))


def quat_to_dcm(q_AB: SX) -> SX:
    """The Jacobian of the sandwich product, divided by the squared norm of the quaternion."""
    return quat_to_dcm_unit(q_AB) / ca.dot(q_AB, q_AB)


def quat_to_dcm_unit(q_AB: SX) -> SX:
    """The Jacobian of the sandwich product: its columns are the images of the axes."""
    return flat(jacobian(lambda v: sandwich(q_AB, v), SX.zeros(3)))


def quat_kinematics(q_AB: SX, w_B: SX, baumgarte: SX) -> SX:
    """The rate under a small turn by half of `w_B`, less `baumgarte` times the gradient of a potential.

    The potential is a quarter of the square of what the squared norm exceeds one by.
    """
    turning = rate(lambda t: product(q_AB, ca.vertcat(1, w_B * t / 2)))
    drift = gradient(lambda q: (ca.dot(q, q) - 1) ** 2 / 4, q_AB)
    return flat(turning - baumgarte * drift)


def quat_kinematics_inverse(q_AB: SX, dq: SX) -> SX:
    """Twice dq, projected on the rates of unit half angular velocities, which are orthonormal."""
    rates = jacobian(lambda w: product(q_AB, ca.vertcat(0, w)), SX.zeros(3))
    return flat(rates.T @ (2 * dq))


def quat_from_vectors(v_A: SX, v_B: SX) -> SX:
    """Half the angle about the gradient of the triple product of both with a third vector."""
    normal = gradient(lambda x: ca.dot(x, ca.cross(v_B, v_A)), SX.zeros(3))
    scalar = ca.norm_2(v_A) * ca.norm_2(v_B) + ca.dot(v_A, v_B)
    return flat(ca.vertcat(scalar, normal) / ca.sqrt(scalar**2 + ca.dot(normal, normal)))


def dcm_rotate_inverse(R_AB: SX, v_A: SX) -> SX:
    """The gradient of the scalar product of `v_A` and a turned vector: the adjoint is the inverse."""
    return flat(gradient(lambda v: ca.dot(v_A, matrix3(R_AB) @ v), SX.zeros(3)))


def dcm_kinematics(R_AB: SX, w_B: SX) -> SX:
    """The rate of `R_AB` times a rotation about `w_B`, by a quaternion that is right to first order."""
    step = rate(lambda t: quat_to_dcm_unit(ca.vertcat(1, w_B * t / 2)))
    return flat(matrix3(R_AB) @ matrix3(step))


def dcm_orthonormalize(R: SX) -> SX:
    """The first axis is the gradient of the first column's length by that column.

    The second is the gradient, by the second column, of the area that this column and the first axis span.
    """
    columns = matrix3(R)
    x = gradient(ca.norm_2, columns[:, 0])
    y = gradient(lambda c1: ca.norm_2(ca.cross(x, c1)), columns[:, 1])
    return flat(ca.horzcat(x, y, ca.cross(x, y)))


def rpy_kinematics(rpy: SX, w_B: SX) -> SX:
    """The rates whose angular velocity is `w_B`: the inverse of its Jacobian by `drpy`."""
    return flat(inverse3(jacobian(lambda d: rpy_kinematics_inverse(rpy, d), SX.zeros(3))) @ w_B)


def rpy_kinematics_inverse(rpy: SX, drpy: SX) -> SX:
    """The vector of the antisymmetric matrix that is the transposed rotation times its rate."""
    R = elementary_product(rpy)
    dR = rate(lambda t: ca.vec(elementary_product(rpy + t * drpy)))
    return flat(vee(R.T @ ca.reshape(dR, 3, 3)))


def product(p: SX, q: SX) -> SX:
    """Hamilton's product by scalar and vector parts."""
    w = p[0] * q[0] - ca.dot(p[1:], q[1:])
    return ca.vertcat(w, p[0] * q[1:] + q[0] * p[1:] + ca.cross(p[1:], q[1:]))


def sandwich(q: SX, v: SX) -> SX:
    """The vector part of q (x) [0, v] (x) q*."""
    return product(product(q, ca.vertcat(0, v)), ca.vertcat(q[0], -q[1:]))[1:]


def elementary_product(rpy: SX) -> SX:
    """Rz(psi) Ry(theta) Rx(phi) of elementary matrices."""
    R = SX.eye(3)
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        c, s = ca.cos(rpy[axis]), ca.sin(rpy[axis])
        elementary = SX.eye(3)
        elementary[i, i], elementary[i, j] = c, -s
        elementary[j, i], elementary[j, j] = s, c
        R = elementary @ R
    return R
