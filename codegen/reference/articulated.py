"""Articulated-body inertia [J, H, M] as the 6x6 matrix [[J, H], [H^T, M]].

Source: Featherstone 2008 "Rigid Body Dynamics Algorithms", section 7.1.
"""

from __future__ import annotations

import numpy as np

from codegen.reference.dense import Array, Result, pack_symmetric, result, symmetric
from codegen.reference.inertia import inertia_matrix
from codegen.reference.transform import inverse, transform_inertia_matrix

__all__ = [
    "articulated_add",
    "articulated_add_inertia",
    "articulated_from_inertia",
    "articulated_multiply",
    "articulated_transform",
    "articulated_transform_inverse",
]


def articulated_matrix(IA_O: Array) -> Array:
    """[[J, H], [H^T, M]]."""
    H = IA_O[6:15].reshape(3, 3)
    return np.block([[symmetric(IA_O[:6]), H], [H.T, symmetric(IA_O[15:])]])


def pack_articulated(M: Array) -> Array:
    """The 21 numbers J, H (row-major), M of a symmetric 6x6 matrix."""
    blocks = pack_symmetric(M[:3, :3]), M[:3, 3:].reshape(-1), pack_symmetric(M[3:, 3:])
    return np.concatenate(blocks)


def articulated_from_inertia(I_O: Array) -> Result:
    """J, H = h~ and M = m 1: one body alone."""
    return result(pack_articulated(inertia_matrix(I_O)))


def articulated_add(IA_1: Array, IA_2: Array) -> Result:
    """IA_1 + IA_2."""
    return result(pack_articulated(articulated_matrix(IA_1) + articulated_matrix(IA_2)))


def articulated_add_inertia(IA_1: Array, I_2: Array) -> Result:
    """IA_1 + I_2, of an articulated and a rigid body."""
    return result(pack_articulated(articulated_matrix(IA_1) + inertia_matrix(I_2)))


def articulated_multiply(IA_O: Array, v: Array) -> Result:
    """f = IA v."""
    return result(articulated_matrix(IA_O) @ v)


def articulated_transform(T_AB: Array, IA_B: Array) -> Result:
    """IA_A = X*_AB IA_B X_AB^-1."""
    return result(pack_articulated(transform_inertia_matrix(T_AB, articulated_matrix(IA_B))))


def articulated_transform_inverse(T_AB: Array, IA_A: Array) -> Result:
    """IA_B = X*_AB^-1 IA_A X_AB."""
    return articulated_transform(inverse(T_AB), IA_A)
