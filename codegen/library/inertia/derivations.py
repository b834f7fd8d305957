"""Rigid-body inertia as the Hessian of kinetic energy, momentum as its gradient."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
from casadi import SX

from codegen.library.shared.calculus import (
    flat,
    gradient,
    hessian,
    matrix3,
    packed,
    rate,
    skew,
    symmetric,
    vee,
)
from codegen.library.transform.derivations import (
    displacement,
    force_transform,
    motion_transform,
    motion_transform_inverse,
)


def inertia_from_com(m: SX, c: SX, I_com: SX) -> SX:
    """From the energy by Koenig's theorem: of the mass at its centre, and of the rotation about it."""

    def energy(v: SX) -> SX:
        w, v_com = v[:3], v[3:] + ca.cross(v[:3], c)
        return m * ca.dot(v_com, v_com) / 2 + ca.dot(w, symmetric(I_com) @ w) / 2

    return _inertia_of(energy)


def inertia_add(I_1: SX, I_2: SX) -> SX:
    """From the sum of the two energies."""
    return _inertia_of(lambda v: kinetic_energy(I_1, v) + kinetic_energy(I_2, v))


def inertia_subtract(I_1: SX, I_2: SX) -> SX:
    """From the difference of the two energies."""
    return _inertia_of(lambda v: kinetic_energy(I_1, v) - kinetic_energy(I_2, v))


def inertia_scale(I_1: SX, s: SX) -> SX:
    """From `s` times the energy."""
    return _inertia_of(lambda v: s * kinetic_energy(I_1, v))


def inertia_multiply(I_O: SX, v: SX) -> SX:
    """The gradient of the kinetic energy with respect to `v`."""
    return flat(gradient(lambda u: kinetic_energy(I_O, u), v))


def inertia_bias_force(I_O: SX, v: SX) -> SX:
    """The rate of the momentum that moves with `v`."""
    momentum = inertia_multiply(I_O, v)
    return flat(rate(lambda t: force_transform(displacement(t, v), momentum)))


def inertia_transform(T_AB: SX, I_B: SX) -> SX:
    """From the energy as a function of `v_A`, through that of `v_B`."""
    return _inertia_of(lambda v_A: kinetic_energy(I_B, motion_transform_inverse(T_AB, v_A)))


def inertia_transform_inverse(T_AB: SX, I_A: SX) -> SX:
    """From the energy as a function of `v_B`, through that of `v_A`."""
    return _inertia_of(lambda v_B: kinetic_energy(I_A, motion_transform(T_AB, v_B)))


def inertia_rotate(R_AB: SX, I_B: SX) -> SX:
    """From the energy as a function of `v_A`, whose two vectors are turned to B."""
    to_B = matrix3(R_AB).T
    return _inertia_of(lambda v: kinetic_energy(I_B, ca.vertcat(to_B @ v[:3], to_B @ v[3:])))


def inertia_translate(p_AB_A: SX, I_B: SX) -> SX:
    """From the energy as a function of `v_A`: B's origin moves with the body."""

    def energy(v: SX) -> SX:
        return kinetic_energy(I_B, ca.vertcat(v[:3], v[3:] + ca.cross(v[:3], p_AB_A)))

    return _inertia_of(energy)


def inertia_to_matrix(I_O: SX) -> SX:
    """The Hessian of the kinetic energy with respect to angular and linear velocity."""
    return flat(hessian(lambda v: kinetic_energy(I_O, v), SX.zeros(6)))


def inertia_kinetic_energy(I_O: SX, v: SX) -> SX:
    """The integral of half the square of the velocity over the mass of the body."""
    return flat(kinetic_energy(I_O, v))


def kinetic_energy(I_O: SX, v: SX) -> SX:
    """tr(A P A^T) / 2: the integral of |A [r; 1]|^2 dm / 2 with A = [w~, v].

    P is the integral of [r; 1] [r; 1]^T dm, the pseudo-inertia [[tr(J)/2 1 - J, h], [h^T, m]].
    """
    m, h, J = I_O[0], I_O[1:4], symmetric(I_O[4:])
    second_moment = ca.trace(J) / 2 * SX.eye(3) - J
    P = ca.blockcat([[second_moment, h], [h.T, m]])
    A = ca.horzcat(skew(v[:3]), v[3:])
    return ca.trace(A @ P @ A.T) / 2


def _inertia_of(energy: Callable[[SX], SX]) -> SX:
    """[m, h, J] read off the Hessian of a rigid body's energy with respect to [w; v]."""
    M = hessian(energy, SX.zeros(6))
    return flat(M[3, 3], vee(M[:3, 3:]), packed(M[:3, :3]))
