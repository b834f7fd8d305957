"""Articulated-body inertia [J, H, M] as the 6x6 matrix [[J, H], [H^T, M]].

Source: Featherstone 2008 "Rigid Body Dynamics Algorithms", section 7.1.
"""

from __future__ import annotations

import numpy as np

from codegen.library.inertia.reference import inertia_matrix
from codegen.library.shared.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    determinant,
    eliminate,
    identity,
    pack_symmetric,
    result,
    symmetric,
    zeros,
)
from codegen.library.transform.reference import inverse, transform_inertia_matrix

__all__ = [
    "articulated_add",
    "articulated_add_inertia",
    "articulated_from_inertia",
    "articulated_multiply",
    "articulated_reduce",
    "articulated_reduce_three",
    "articulated_reduce_two",
    "articulated_to_matrix",
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


def articulated_to_matrix(IA_O: Array) -> Result:
    """[[J, H], [H^T, M]], row-major."""
    return result(articulated_matrix(IA_O))


def articulated_reduce(
    IA_O: Array, pA: Array, S: Array, c: Array, tau: Scalar, limits: Limits | None = None
) -> Result:
    """The articulated-body algorithm's second pass (Featherstone 2008, section 7.3).

    U = IA S, D = S.U, u = tau - S.pA, Ia = IA - U U^T / D, pa = pA + Ia c + U u / D; the joint is
    rigid where D is not above 16 eps times its value without the off-diagonal elements of IA.
    """
    IA = articulated_matrix(IA_O)
    U = IA @ S
    D, u = S @ U, tau - S @ pA
    regular = limits is None or (S @ np.diag(np.diag(IA)) @ S) * limits.eps * 16 < D
    if not regular:
        return result(IA_O, pA + IA @ c, U, D, u, status=Status.SINGULAR)
    Ia = IA - np.outer(U, U) / D
    return result(pack_articulated(Ia), pA + Ia @ c + U * (u / D), U, D, u)


def articulated_reduce_two(
    IA_O: Array, pA: Array, S: Array, c: Array, tau: Array, limits: Limits | None = None
) -> Result:
    """The force f that gives the body below the joint an acceleration a, with S^T f = tau.

    D x = tau - S^T (IA (a + c) + pA) is solved for the accelerations x of the joint, for a = 0 and for unit
    accelerations; f = IA (a + c + S x) + pA.
    """
    IA, n = articulated_matrix(IA_O), len(tau)
    U = IA @ S
    D, u = S.T @ U, tau - S.T @ pA
    if limits is not None and not _is_regular(D, S.T**2 @ np.diag(IA), limits):
        return result(IA_O, pA + IA @ c, U, zeros(n * (n + 1) // 2), u, status=Status.SINGULAR)

    def force(a: Array, bias: Array, torque: Array) -> Array:
        x = eliminate(D, torque - U.T @ a - S.T @ bias)
        f: Array = IA @ a + bias + U @ x
        return f

    Ia = np.column_stack([force(a, zeros(6), zeros(n)) for a in identity(6)])
    D_inv = np.column_stack([eliminate(D, b) for b in identity(n)])
    return result(pack_articulated(Ia), force(c, pA, tau), U, D_inv[np.triu_indices(n)], u)


articulated_reduce_three = articulated_reduce_two


def _is_regular(D: Array, sizes: Array, limits: Limits) -> bool:
    """Whether each pivot of D is above 16 eps times its element without the off-diagonal elements of IA."""
    minor = 1
    for k, size in enumerate(sizes):
        larger = _minor(D, k + 1)
        if not size * limits.eps * 16 < larger / minor:
            return False
        minor = larger
    return True


def _minor(D: Array, n: int) -> Scalar:
    """The determinant of the first n rows and columns."""
    if n == 3:
        return determinant(D)
    return D[0, 0] if n == 1 else D[0, 0] * D[1, 1] - D[0, 1] * D[1, 0]
