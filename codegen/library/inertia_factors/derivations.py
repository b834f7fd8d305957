"""The centre of mass by a minimum, the response to a force by a gradient.

Factors and principal axes are not derived: they are not unique, and a convention selects them.
"""

from __future__ import annotations

import casadi as ca
from casadi import SX

from codegen.library.inertia.derivations import inertia_translate
from codegen.library.shared.calculus import flat, gradient, hessian, inverse3, matrix3, packed, symmetric


def inertia_com(I_O: SX) -> SX:
    """The point about which the polar moment is least: one Newton step, because the moment is quadratic."""

    def polar_moment(p: SX) -> SX:
        return ca.trace(symmetric(inertia_translate(-p, I_O)[4:]))

    origin = SX.zeros(3)
    return flat(-(inverse3(hessian(polar_moment, origin)) @ gradient(polar_moment, origin)))


def inertia_from_principal(moments: SX, R_BP: SX) -> SX:
    """The Hessian of the energy of an angular velocity whose components along the axes have these moments."""

    def energy(w: SX) -> SX:
        along = matrix3(R_BP).T @ w
        return ca.dot(moments, along * along) / 2

    return packed(hessian(energy, SX.zeros(3)))


def inertia_solve(I_O: SX, f: SX) -> SX:
    """The gradient of the kinetic energy as a function of linear and of central angular momentum."""
    c = inertia_com(I_O)
    inverse = inverse3(symmetric(inertia_translate(-c, I_O)[4:]))

    def energy(momentum: SX) -> SX:
        L, p = momentum[:3] - ca.cross(c, momentum[3:]), momentum[3:]
        return ca.dot(p, p) / (2 * I_O[0]) + ca.dot(L, inverse @ L) / 2

    return flat(gradient(energy, f))
