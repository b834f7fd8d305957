"""Modified Rodrigues parameters as a stereographic projection, and their rates as time derivatives."""

from __future__ import annotations

import casadi as ca
from casadi import SX

from codegen.library.rotation.derivations import product, quat_to_dcm_unit
from codegen.library.shared.calculus import flat, gradient, rate


def quat_from_mrp(s_AB: SX) -> SX:
    """The gradient of the logarithm of a squared norm, less the quaternion of no rotation.

    The gradient is an inversion in a sphere. It carries the plane of unit scalar parts to a sphere.
    """
    on_sphere = gradient(lambda p: ca.log(ca.dot(p, p)), ca.vertcat(1, s_AB))
    return flat(on_sphere - ca.vertcat(1, 0, 0, 0))


def dcm_from_mrp(s_AB: SX) -> SX:
    """The Jacobian of the sandwich product with that quaternion."""
    return quat_to_dcm_unit(quat_from_mrp(s_AB))


def mrp_kinematics(s_AB: SX, w_B: SX) -> SX:
    """The rate of change of the stereographic projection of a quaternion that rotates at `w_B`."""
    q = quat_from_mrp(s_AB)
    return flat(rate(lambda t: _projection(q + product(q, ca.vertcat(0, w_B * t / 2)))))


def mrp_kinematics_inverse(s_AB: SX, ds: SX) -> SX:
    """Twice the vector part of the conjugate quaternion times its rate, both of these parameters."""
    q = quat_from_mrp(s_AB)
    dq = rate(lambda t: quat_from_mrp(s_AB + ds * t))
    return flat(2 * product(ca.vertcat(q[0], -q[1:]), dq)[1:])


def mrp_shadow(s: SX) -> SX:
    """The projection of the opposite quaternion, where `s` lies beyond the unit sphere."""
    return flat(ca.if_else(ca.dot(s, s) > 1, _projection(-quat_from_mrp(s)), s))


def _projection(q: SX) -> SX:
    """The point where the line from [-1, 0, 0, 0] to q meets w = 0."""
    return q[1:] / (1 + q[0])
