"""Factors and principal axes of an inertia: the properties that define them.

A property takes the arguments, then the results, and returns residuals that are all zero where the results
are right and no status flag is raised.
"""

from __future__ import annotations

from sympy import And, Eq, Expr, Matrix, Piecewise, diag, eye

from codegen.library.shared.textbook import Scalars, flat, matrix3, symmetric


def inertia_factor(I_com: Scalars, L: Scalars, D: Scalars, perm: Scalars, rank: Expr) -> list[Expr]:
    """L D L^T is I_com with its axes in the order of perm, and the first `rank` pivots are not 0."""
    lower = Matrix([[1, 0, 0], [L[0], 1, 0], [L[1], L[2], 1]])
    P = Matrix(3, 3, lambda i, j: Piecewise((1, Eq(perm[i], j)), (0, True)))
    missing = [Piecewise((d, k >= rank), (0, d > 0), (1, True)) for k, d in enumerate(D)]
    return [*flat(lower * diag(*D) * lower.T - P * symmetric(I_com) * P.T), *missing]


def inertia_principal(I_com: Scalars, moments: Scalars, R_BP: Scalars) -> list[Expr]:
    """R diag(moments) R^T = I_com, R is orthonormal with determinant 1, and the moments ascend."""
    R, (low, middle, high) = matrix3(R_BP), moments
    ascend = Piecewise((0, And(low <= middle, middle <= high)), (1, True))
    rebuilt = R * diag(*moments) * R.T - symmetric(I_com)
    return [*flat(rebuilt, R.T * R - eye(3)), R.det() - 1, ascend]
