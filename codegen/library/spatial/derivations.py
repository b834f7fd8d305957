"""Spatial cross products as rates of change in a moving frame."""

from __future__ import annotations

import casadi as ca
from casadi import SX

from codegen.library.shared.calculus import flat, gradient, jacobian, rate
from codegen.library.transform.derivations import displacement, motion_transform


def motion_cross(v: SX, m: SX) -> SX:
    """The rate of the motion `m` that moves with `v`."""
    return flat(rate(lambda t: motion_transform(displacement(t, v), m)))


def force_cross(v: SX, f: SX) -> SX:
    """Minus the gradient by a motion of the power of its rate: `f` and the motion keep their power."""
    return flat(-gradient(lambda m: ca.dot(f, motion_cross(v, m)), SX.zeros(6)))


def motion_cross_matrix(v: SX) -> SX:
    """The Jacobian of the rate of a motion that moves with `v` with respect to this motion."""
    return flat(jacobian(lambda m: motion_cross(v, m), SX.zeros(6)))


def force_cross_matrix(v: SX) -> SX:
    """The Jacobian of the rate of a force that moves with `v` with respect to this force."""
    return flat(jacobian(lambda f: force_cross(v, f), SX.zeros(6)))
