"""Properties of an inertia by dense 6x6 elimination and by eigenvalues."""

from __future__ import annotations

import numpy as np

from codegen.library.inertia.reference import inertia_matrix, is_finite
from codegen.library.shared.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    determinant,
    eigensystem,
    eigenvalues,
    eliminate,
    identity,
    pack_symmetric,
    result,
    skew,
    symmetric,
    zeros,
)
from codegen.library.transform.reference import pack_transform, transform_inertia_matrix

__all__ = [
    "inertia_com",
    "inertia_factor",
    "inertia_from_principal",
    "inertia_principal",
    "inertia_solve",
    "inertia_validate",
]


def inertia_com(I_O: Array, limits: Limits | None = None) -> Result:
    """c = h / m; zeros where m is not positive or c is not finite."""
    m, h = I_O[0], I_O[1:4]
    if limits is None:
        return result(h / m)
    if not m > 0:
        return result(h * 0, status=Status.MASS)
    c = h / m
    return result(c) if is_finite(c, limits) else result(h * 0, status=Status.NOT_FINITE)


def inertia_validate(I_O: Array, limits: Limits | None = None) -> Result:
    """The status alone: the inertia about the centre of mass has second moments that are not negative.

    To rounding: none below -16 eps of the sum of those about the origin. A mass of 0 requires h = 0, J = 0.
    """
    if limits is None:
        return result()
    if not is_finite(I_O, limits):
        return result(status=Status.NOT_FINITE | Status.NOT_PHYSICAL)
    m, J = I_O[0], symmetric(I_O[4:])
    massive = m > limits.min
    status = 0
    if m < 0 or (not massive and any(x != 0 for x in I_O[1:])):
        status |= Status.MASS
    Jc = _about_com(I_O) if massive else J
    least = np.trace(Jc) / 2 - max(eigenvalues(Jc))
    if m < 0 or least < -8 * limits.eps * np.trace(J):
        status |= Status.NOT_PHYSICAL
    return result(status=status)


def inertia_solve(I_O: Array, f: Array, limits: Limits | None = None) -> Result:
    """The solution a of the 6x6 system I_O a = f; zeros where a check fails."""
    if limits is None:
        return result(eliminate(inertia_matrix(I_O), f))
    status = 0 if I_O[0] > limits.min else Status.MASS | Status.SINGULAR
    if not status and not _is_regular(I_O, limits):
        status = Status.SINGULAR
    if status:
        return result(f * 0, status=status)
    a = eliminate(inertia_matrix(I_O), f)
    return result(a) if is_finite(a, limits) else result(f * 0, status=Status.NOT_FINITE)


def _about_com(I_O: Array) -> Array:
    """The rotational inertia about the centre of mass, by moving the 6x6 matrix there."""
    to_com = pack_transform(identity(), -I_O[1:4] / I_O[0])
    Jc: Array = transform_inertia_matrix(to_com, inertia_matrix(I_O))[:3, :3]
    return Jc


def _is_regular(I_O: Array, limits: Limits) -> bool:
    """Whether the inertia about the centre of mass is definite, and its determinant above rounding.

    The scale of the determinant is the product of the diagonal, plus the part of J that belongs to the
    distance from the origin, times the cofactors.
    """
    Jc = _about_com(I_O)
    offset = symmetric(I_O[4:]) - Jc
    cofactors = np.array([skew(Jc[(i + 1) % 3]) @ Jc[(i + 2) % 3] for i in range(3)])
    size = Jc[0, 0] * Jc[1, 1] * Jc[2, 2] + np.diag(offset) @ np.diag(cofactors)
    definite = min(eigenvalues(Jc)) > 0
    return bool(definite and determinant(Jc) > max(limits.min, 16 * limits.eps * size))


def inertia_factor(I_com: Array, limits: Limits | None = None) -> Result:
    """L, D, perm and rank of P I_com P^T = L D L^T: outer products, the largest pivot first.

    Pivots that are not above 16 eps tr(I_com) are zero; an eigenvalue below minus that is not physical.
    Golub and Van Loan 2013 "Matrix Computations", section 4.2.
    """
    S = symmetric(I_com)
    nothing = result(I_com[:3] * 0, I_com[:3] * 0, zeros(3), 0, status=Status.NOT_PHYSICAL)
    if limits is None:
        limits = Limits(0, 0, abs(I_com).sum())
    tolerance = max(16 * limits.eps * np.trace(S), limits.min)
    if not is_finite(I_com, limits) or min(eigenvalues(S)) < -tolerance:
        return nothing
    perm, L, D, rank = np.arange(3), zeros(3, 3).astype(S.dtype), I_com[:3] * 0, 0
    while rank < 3:
        pivot = rank + int(np.argmax(np.diag(S)[rank:]))
        if not S[pivot, pivot] > tolerance:
            break
        for matrix in (S, S.T, L, perm):
            matrix[[rank, pivot]] = matrix[[pivot, rank]]
        D[rank] = S[rank, rank]
        L[rank:, rank] = S[rank:, rank] / D[rank]
        S = S - np.outer(L[:, rank], L[:, rank]) * D[rank]
        rank += 1
    return result([L[1, 0], L[2, 0], L[2, 1]], D, perm, rank)


def inertia_principal(I_com: Array, limits: Limits | None = None) -> Result:
    """Eigenvalues, ascending, and the matrix of eigenvectors, its determinant made positive."""
    if limits is not None and not _is_in_range(I_com, limits):
        return result(I_com[:3] * 0, identity(), status=Status.NOT_CONVERGED)
    moments, R = eigensystem(symmetric(I_com))
    if determinant(R) < 0:
        R = -R
    return result(moments, R)


def inertia_from_principal(moments: Array, R_BP: Array) -> Result:
    """R (diag(moments) R^T)."""
    R = R_BP.reshape(3, 3)
    return result(pack_symmetric(R @ (np.diag(moments) @ R.T)))


def _is_in_range(I_com: Array, limits: Limits) -> bool:
    """Whether the elements are finite numbers whose reciprocals are normal numbers."""
    size: Scalar = sum(abs(x) for x in I_com)
    return bool(size * limits.min <= 1)
