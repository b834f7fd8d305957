"""Inertia forms from energies: central parts from the least energy of a rotating body, unit parts per mass.

A body that rotates at w has the least energy, w.(Jc w) / 2, when its centre of mass is at rest.
"""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
from casadi import SX

from codegen.library.inertia.derivations import inertia_rotate, kinetic_energy
from codegen.library.shared.calculus import flat, gradient, hessian, matrix3, packed, skew, symmetric, vee
from codegen.library.transform.derivations import motion_transform_inverse


def central_from_com(m: SX, c: SX, I_com: SX) -> SX:
    """From Koenig's energy."""
    return _central_of(lambda v: _koenig(m, c, I_com, v))


def inertia_to_central(I_O: SX) -> SX:
    """From the kinetic energy as the integral over the body."""
    return _central_of(lambda v: kinetic_energy(I_O, v))


def central_to_inertia(C_O: SX) -> SX:
    """From Koenig's energy."""
    M = hessian(lambda v: _central_energy(C_O, v), SX.zeros(6))
    return flat(M[3, 3], vee(M[:3, 3:]), packed(M[:3, :3]))


def central_rotate(R_AB: SX, C_B: SX) -> SX:
    """From the energy as a function of `v_A`, whose two vectors are turned to B."""
    to_B = matrix3(R_AB).T
    return _central_of(lambda v: _central_energy(C_B, ca.vertcat(to_B @ v[:3], to_B @ v[3:])))


def central_translate(p_AB_A: SX, C_B: SX) -> SX:
    """From the energy as a function of `v_A`: B's origin moves with the body."""

    def energy(v: SX) -> SX:
        return _central_energy(C_B, ca.vertcat(v[:3], v[3:] + ca.cross(v[:3], p_AB_A)))

    return _central_of(energy)


def central_transform(T_AB: SX, C_B: SX) -> SX:
    """From the energy as a function of `v_A`, through that of `v_B`."""
    return _central_of(lambda v_A: _central_energy(C_B, motion_transform_inverse(T_AB, v_A)))


def central_merge(T_AB: SX, C_A: SX, C_B: SX) -> SX:
    """From the sum of both energies at one `v_A`."""

    def energy(v_A: SX) -> SX:
        return _central_energy(C_A, v_A) + _central_energy(C_B, motion_transform_inverse(T_AB, v_A))

    return _central_of(energy)


def central_multiply(C_O: SX, v: SX) -> SX:
    """The gradient of the energy with respect to `v`."""
    return flat(gradient(lambda u: _central_energy(C_O, u), v))


def unit_from_central(m: SX, c: SX, I_com: SX) -> SX:
    """From Koenig's energy."""
    return _unit_of(lambda v: _koenig(m, c, I_com, v))


def unit_shift(p_PQ: SX, U_P: SX) -> SX:
    """From the energy as a function of `v_Q`: P moves with the body."""

    def energy(v: SX) -> SX:
        return _unit_energy(U_P, ca.vertcat(v[:3], v[3:] - ca.cross(v[:3], p_PQ)))

    return _unit_of(energy)


def unit_reexpress(R_AB: SX, U_B: SX) -> SX:
    """The body of unit mass, rotated as the Hessian of its energy."""
    turned = inertia_rotate(R_AB, ca.vertcat(1, U_B[1:]))
    return flat(U_B[0], turned[1:])


def unit_add(U_1: SX, U_2: SX) -> SX:
    """From the sum of both energies."""
    return _unit_of(lambda v: _unit_energy(U_1, v) + _unit_energy(U_2, v))


def unit_multiply(U_O: SX, v: SX) -> SX:
    """The gradient of the energy with respect to `v`."""
    return flat(gradient(lambda u: _unit_energy(U_O, u), v))


def unit_to_inertia(U_O: SX) -> SX:
    """From `m` times the energy of a unit mass."""
    M = hessian(lambda v: _unit_energy(U_O, v), SX.zeros(6))
    return flat(M[3, 3], vee(M[:3, 3:]), packed(M[:3, :3]))


def inertia_to_unit(I_O: SX) -> SX:
    """From the kinetic energy as the integral over the body."""
    return _unit_of(lambda v: kinetic_energy(I_O, v))


def inertia_to_matrix_linear_first(I_O: SX) -> SX:
    """The Hessian of the kinetic energy with respect to linear and angular velocity."""
    return flat(hessian(lambda v: kinetic_energy(I_O, ca.vertcat(v[3:], v[:3])), SX.zeros(6)))


def inertia_from_pseudo(P: SX) -> SX:
    """From the energy: half the trace of the pseudo-inertia between velocities and their transpose."""
    upper = ca.triu(ca.reshape(P, 4, 4).T)
    body = upper + ca.triu(upper, False).T

    def energy(v: SX) -> SX:
        A = ca.horzcat(skew(v[:3]), v[3:])
        return ca.trace(A @ body @ A.T) / 2

    M = hessian(energy, SX.zeros(6))
    return flat(M[3, 3], vee(M[:3, 3:]), packed(M[:3, :3]))


def _koenig(m: SX, c: SX, I_com: SX, v: SX) -> SX:
    """m |v + w x c|^2 / 2 + w.(I_com w) / 2."""
    w, v_com = v[:3], v[3:] + ca.cross(v[:3], c)
    return m * ca.dot(v_com, v_com) / 2 + ca.dot(w, symmetric(I_com) @ w) / 2


def _central_energy(C_O: SX, v: SX) -> SX:
    return _koenig(C_O[0], C_O[1:4] / C_O[0], C_O[4:], v)


def _unit_energy(U_O: SX, v: SX) -> SX:
    """m times the energy of a body of mass 1."""
    return U_O[0] * kinetic_energy(ca.vertcat(1, U_O[1:]), v)


def _central_of(energy: Callable[[SX], SX]) -> SX:
    """[m, h, Jc]: Jc is the Hessian with respect to w of the least energy over v."""
    M = hessian(energy, SX.zeros(6))
    least = M[:3, :3] - M[:3, 3:] @ M[3:, :3] / M[3, 3]
    return flat(M[3, 3], vee(M[:3, 3:]), packed(least))


def _unit_of(energy: Callable[[SX], SX]) -> SX:
    """[m, c, G] of the Hessian over the mass."""
    M = hessian(energy, SX.zeros(6))
    return flat(M[3, 3], vee(M[:3, 3:]) / M[3, 3], packed(M[:3, :3]) / M[3, 3])
