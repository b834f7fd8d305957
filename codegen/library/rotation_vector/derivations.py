"""The exponential of rotation vectors by gradients, and its Jacobians by differentiation."""

from __future__ import annotations

import casadi as ca
from casadi import SX

from codegen.library.rotation.derivations import product
from codegen.library.shared.calculus import flat, gradient, inverse3, jacobian


def quat_from_rotvec(r: SX) -> SX:
    """The cosine of half the angle, and minus twice its gradient."""

    def scalar_part(x: SX) -> SX:
        return ca.cos(ca.norm_2(x) / 2)

    return flat(scalar_part(r), -2 * gradient(scalar_part, r))


def quat_from_axis_angle(axis: SX, angle: SX) -> SX:
    """A rotation about the gradient of the axis's length."""
    return flat(ca.cos(angle / 2), ca.sin(angle / 2) * gradient(ca.norm_2, axis))


def quat_slerp(q_0: SX, q_1: SX, t: SX) -> SX:
    """The great circle from `q_0` that starts along the steepest descent of the squared distance to `q_1`.

    The gradient of half the squared distance, less its part along `q_0`, gives the velocity at the start; the
    distance is the speed.
    """
    end = ca.if_else(ca.dot(q_0, q_1) < 0, -1, 1) * q_1

    def distance(q: SX) -> SX:
        cosine = ca.dot(q, end)
        return ca.atan2(ca.norm_2(end - cosine * q), cosine)

    slope = gradient(lambda q: distance(q) ** 2 / 2, q_0)
    velocity = slope - ca.dot(slope, q_0) * q_0
    angle = t * distance(q_0)
    return flat(ca.cos(angle) * q_0 - ca.sin(angle) / distance(q_0) * velocity)


def quat_integrate(q_AB: SX, w_B: SX, dt: SX) -> SX:
    """`q_AB` times the exponential of half the turn in `dt`, by the gradient of its scalar part."""
    return flat(product(q_AB, quat_from_rotvec(w_B * dt)))


def so3_left_jacobian(r: SX) -> SX:
    """The angular velocities in the fixed frame, from the quaternion's rates, of unit rates of `r`."""
    return flat(_left(r))


def so3_right_jacobian(r: SX) -> SX:
    """The angular velocities in the body, from the quaternion's rates, of unit rates of `r`."""
    return flat(_right(r))


def so3_left_jacobian_inverse(r: SX) -> SX:
    """The rates of `r` of unit angular velocities in the fixed frame: the inverse."""
    return flat(inverse3(_left(r)))


def so3_right_jacobian_inverse(r: SX) -> SX:
    """The rates of `r` of unit angular velocities in the body: the inverse."""
    return flat(inverse3(_right(r)))


def _left(r: SX) -> SX:
    rates, conjugate = _rates(r)
    return ca.horzcat(*(2 * product(rate, conjugate)[1:] for rate in rates))


def _right(r: SX) -> SX:
    rates, conjugate = _rates(r)
    return ca.horzcat(*(2 * product(conjugate, rate)[1:] for rate in rates))


def _rates(r: SX) -> tuple[list[SX], SX]:
    """The derivatives of q(r) by the three components of r, and q*."""
    q = quat_from_rotvec(r)
    return ca.horzsplit(jacobian(quat_from_rotvec, r)), ca.vertcat(q[0], -q[1:])
