"""Poses as maps of points; motion as the velocity field of a moving pose, force as its dual."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
from casadi import SX

from codegen.library.rotation_vector.derivations import (
    so3_left_jacobian,
    so3_left_jacobian_inverse,
    so3_right_jacobian,
    so3_right_jacobian_inverse,
)
from codegen.library.shared.calculus import flat, gradient, jacobian, matrix3, rate, skew, vee


def transform_point_inverse(T_AB: SX, p_A: SX) -> SX:
    """The point nearest to `p_A` as seen from A: one Newton step on half the squared distance.

    From B's origin it is exact, because the Hessian is the unit matrix.
    """

    def distance(x: SX) -> SX:
        apart = _place(T_AB, x) - p_A
        return ca.dot(apart, apart) / 2

    return flat(-gradient(distance, SX.zeros(3)))


def transform_compose(T_AB: SX, T_BC: SX) -> SX:
    """Value at the origin and Jacobian of the map of points by `T_BC`, then by `T_AB`."""
    origin = SX.zeros(3)
    R_AC = jacobian(lambda x: _place(T_AB, _place(T_BC, x)), origin)
    return flat(R_AC, _place(T_AB, _place(T_BC, origin)))


def transform_inverse(T_AB: SX) -> SX:
    """Value at the origin and Jacobian of the map of points by `T_BA`."""
    origin = SX.zeros(3)
    R_BA = jacobian(lambda x: transform_point_inverse(T_AB, x), origin)
    return flat(R_BA, transform_point_inverse(T_AB, origin))


def motion_transform(T_AB: SX, v_B: SX) -> SX:
    """The motion in A of points that move with `v_B` in B: the rate of their positions."""

    def velocity(x_A: SX) -> SX:
        x_B = transform_point_inverse(T_AB, x_A)
        return rate(lambda t: _place(T_AB, _place(displacement(t, v_B), x_B)))

    return _motion_of_field(velocity)


def motion_transform_inverse(T_AB: SX, v_A: SX) -> SX:
    """The motion in B of points that move with `v_A` in A: the rate of their positions."""

    def velocity(x_B: SX) -> SX:
        x_A = _place(T_AB, x_B)
        return rate(lambda t: transform_point_inverse(T_AB, _place(displacement(t, v_A), x_A)))

    return _motion_of_field(velocity)


def force_transform(T_AB: SX, f_B: SX) -> SX:
    """The gradient of the power of `f_B`, with `v_B` as a function of `v_A`, with respect to `v_A`."""
    return flat(gradient(lambda v_A: ca.dot(f_B, motion_transform_inverse(T_AB, v_A)), SX.zeros(6)))


def force_transform_inverse(T_AB: SX, f_A: SX) -> SX:
    """The gradient of the power of `f_A`, with `v_A` as a function of `v_B`, with respect to `v_B`."""
    return flat(gradient(lambda v_B: ca.dot(f_A, motion_transform(T_AB, v_B)), SX.zeros(6)))


def displacement(t: SX, v: SX) -> SX:
    """The pose exp(t v) to first order in t, which suffices for a rate at t = 0."""
    return flat(SX.eye(3) + t * skew(v[:3]), t * v[3:])


def _place(T_AB: SX, x_B: SX) -> SX:
    """R x_B + p."""
    return matrix3(T_AB[:9]) @ x_B + T_AB[9:]


def _motion_of_field(velocity: Callable[[SX], SX]) -> SX:
    """[w; v_O] of the velocity field v_O + w x r: its antisymmetric Jacobian and its value at 0."""
    origin = SX.zeros(3)
    return flat(vee(jacobian(velocity, origin)), velocity(origin))


def motion_transform_matrix(T_AB: SX) -> SX:
    """The Jacobian of `v_A` by `v_B`."""
    return flat(jacobian(lambda v_B: motion_transform(T_AB, v_B), SX.zeros(6)))


def force_transform_matrix(T_AB: SX) -> SX:
    """The Jacobian of `f_A` by `f_B`."""
    return flat(jacobian(lambda f_B: force_transform(T_AB, f_B), SX.zeros(6)))


def motion_transform_matrix_linear_first(T_AB: SX) -> SX:
    """The Jacobian of linear and angular velocity in A with respect to those in B."""
    return flat(jacobian(lambda v: _exchanged(motion_transform(T_AB, _exchanged(v))), SX.zeros(6)))


def force_transform_matrix_linear_first(T_AB: SX) -> SX:
    """The Jacobian of force and moment in A with respect to those in B."""
    return flat(jacobian(lambda f: _exchanged(force_transform(T_AB, _exchanged(f))), SX.zeros(6)))


def _exchanged(x: SX) -> SX:
    """The angular and the linear half exchanged."""
    return ca.vertcat(x[3:], x[:3])


def se3_left_jacobian(r: SX, rho: SX) -> SX:
    """The rotation's left Jacobian, and its rate when `r` moves along `rho`."""
    return _with_rate(so3_left_jacobian, r, rho)


def se3_right_jacobian(r: SX, rho: SX) -> SX:
    """The rotation's right Jacobian, and its rate when `r` moves along `rho`."""
    return _with_rate(so3_right_jacobian, r, rho)


def se3_left_jacobian_inverse(r: SX, rho: SX) -> SX:
    """The inverse of the rotation's left Jacobian, and its rate when `r` moves along `rho`."""
    return _with_rate(so3_left_jacobian_inverse, r, rho)


def se3_right_jacobian_inverse(r: SX, rho: SX) -> SX:
    """The inverse of the rotation's right Jacobian, and its rate when `r` moves along `rho`."""
    return _with_rate(so3_right_jacobian_inverse, r, rho)


def _with_rate(jacobian_of: Callable[[SX], SX], r: SX, rho: SX) -> SX:
    """[[L, 0], [Q, L]]: a motion is a rotation in dual numbers `r + e rho`, `e^2 = 0`, as is its Jacobian."""
    L, Q = matrix3(jacobian_of(r)), matrix3(rate(lambda t: jacobian_of(r + t * rho)))
    return flat(ca.blockcat([[L, SX.zeros(3, 3)], [Q, L]]))
