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
    """Minus the gradient of the power `f.crm(v) m` by `m`: `f.m` is constant while both move."""
    return flat(-gradient(lambda m: ca.dot(f, motion_cross(v, m)), SX.zeros(6)))


def motion_cross_matrix(v: SX) -> SX:
    """The Jacobian of `crm(v) m` with respect to `m`."""
    return flat(jacobian(lambda m: motion_cross(v, m), SX.zeros(6)))


def force_cross_matrix(v: SX) -> SX:
    """The Jacobian of `crf(v) f` with respect to `f`."""
    return flat(jacobian(lambda f: force_cross(v, f), SX.zeros(6)))
