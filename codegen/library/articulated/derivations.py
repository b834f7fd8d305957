"""Articulated-body inertia as the Hessian of the kinetic energy in terms of the handle's velocity."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
from casadi import SX

from codegen.library.inertia.derivations import kinetic_energy
from codegen.library.shared.calculus import flat, gradient, hessian, jacobian, matrix3, packed, symmetric
from codegen.library.transform.derivations import motion_transform, motion_transform_inverse


def articulated_from_inertia(I_O: SX) -> SX:
    """From the kinetic energy of the rigid body."""
    return _articulated_of(lambda v: kinetic_energy(I_O, v))


def articulated_add(IA_1: SX, IA_2: SX) -> SX:
    """From the sum of the two energies."""
    return _articulated_of(lambda v: _energy(IA_1, v) + _energy(IA_2, v))


def articulated_add_inertia(IA_1: SX, I_2: SX) -> SX:
    """From the sum of the two energies."""
    return _articulated_of(lambda v: _energy(IA_1, v) + kinetic_energy(I_2, v))


def articulated_multiply(IA_O: SX, v: SX) -> SX:
    """The gradient of the energy with respect to `v`."""
    return flat(gradient(lambda u: _energy(IA_O, u), v))


def articulated_transform(T_AB: SX, IA_B: SX) -> SX:
    """From the energy as a function of `v_A`, through that of `v_B`."""
    return _articulated_of(lambda v_A: _energy(IA_B, motion_transform_inverse(T_AB, v_A)))


def articulated_transform_inverse(T_AB: SX, IA_A: SX) -> SX:
    """From the energy as a function of `v_B`, through that of `v_A`."""
    return _articulated_of(lambda v_B: _energy(IA_A, motion_transform(T_AB, v_B)))


def _energy(IA_O: SX, v: SX) -> SX:
    """w.(J w) / 2 + w.(H v) + v.(M v) / 2."""
    w, v_O = v[:3], v[3:]
    J, H, M = symmetric(IA_O[:6]), matrix3(IA_O[6:15]), symmetric(IA_O[15:])
    return ca.dot(w, J @ w) / 2 + ca.dot(w, H @ v_O) + ca.dot(v_O, M @ v_O) / 2


def _articulated_of(energy: Callable[[SX], SX]) -> SX:
    """[J, H, M] read off the Hessian of an energy with respect to [w; v]."""
    M = hessian(energy, SX.zeros(6))
    return flat(packed(M[:3, :3]), M[:3, 3:], packed(M[3:, 3:]))


def articulated_to_matrix(IA_O: SX) -> SX:
    """The Hessian of the energy with respect to angular and linear velocity."""
    return flat(hessian(lambda v: _energy(IA_O, v), SX.zeros(6)))


def articulated_reduce(IA_O: SX, pA: SX, S: SX, c: SX, tau: SX) -> SX:
    """Gauss's principle with one direction."""
    reduced, pa, U, D, u = _by_gauss(IA_O, pA, S, c, tau)
    return ca.vertcat(reduced, pa, flat(U), D, u)


def articulated_reduce_two(IA_O: SX, pA: SX, S: SX, c: SX, tau: SX) -> SX:
    """Gauss's principle with the directions of a subspace, which is given row by row."""
    n = tau.numel()
    reduced, pa, U, D, u = _by_gauss(IA_O, pA, ca.reshape(S, n, 6).T, c, tau)
    inverse = ca.inv_minor(D)
    upper = ca.vertcat(*(inverse[i, j] for i in range(n) for j in range(i, n)))
    return ca.vertcat(reduced, pa, flat(U), upper, u)


articulated_reduce_three = articulated_reduce_two


def _by_gauss(IA_O: SX, pA: SX, S: SX, c: SX, tau: SX) -> tuple[SX, SX, SX, SX, SX]:
    """Gauss's principle: the joint accelerates by `x` so that its constraint, the energy `E` of `a + c + S x`
    plus `pA.(a + c + S x) - tau.x`, is least.

    `pa` and `Ia` are the gradient and the Hessian of that minimum by the acceleration `a` below the joint;
    the columns of `U` are the gradients of `E` at those of `S`, `D` is the second derivative by `x`, and `u`
    minus the first one where the body does not accelerate.
    """
    at_rest, still = -c, SX.zeros(tau.numel())

    def gauss(a: SX, x: SX) -> SX:
        a_body = a + c + S @ x
        return _energy(IA_O, a_body) + ca.dot(pA, a_body) - ca.dot(tau, x)

    def least(a: SX) -> SX:
        slope = gradient(lambda x: gauss(a, x), still)
        return gauss(a, -ca.inv_minor(hessian(lambda x: gauss(a, x), still)) @ slope)

    def seen(a: SX) -> SX:
        return gradient(least, a)

    M = jacobian(seen, SX.zeros(6))
    D, u = hessian(lambda x: gauss(at_rest, x), still), -gradient(lambda x: gauss(at_rest, x), still)
    U = ca.horzcat(*(gradient(lambda v: _energy(IA_O, v), S[:, k]) for k in range(tau.numel())))
    reduced = flat(packed(M[:3, :3]), M[:3, 3:], packed(M[3:, 3:]))
    return reduced, seen(SX.zeros(6)), U, D, u
