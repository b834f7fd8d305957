"""Articulated-body inertia [[J, H], [H^T, M]] as its 6x6 matrix (Featherstone 2008, chapter 7)."""

from __future__ import annotations

from sympy import Expr, Matrix

from codegen.library.shared.textbook import (
    Scalars,
    articulated_inertia,
    articulated_numbers,
    flat,
    force_matrix,
    motion_matrix,
    spatial_inertia,
)


def articulated_from_inertia(I_O: Scalars) -> list[Expr]:
    """The matrix of a rigid body: H = h~, M = m 1."""
    return articulated_numbers(spatial_inertia(I_O))


def articulated_add(IA_1: Scalars, IA_2: Scalars) -> list[Expr]:
    """IA_1 + IA_2."""
    return articulated_numbers(articulated_inertia(IA_1) + articulated_inertia(IA_2))


def articulated_add_inertia(IA_1: Scalars, I_2: Scalars) -> list[Expr]:
    """IA_1 + I_2, a rigid body added."""
    return articulated_numbers(articulated_inertia(IA_1) + spatial_inertia(I_2))


def articulated_multiply(IA_O: Scalars, v: Scalars) -> list[Expr]:
    """The force IA v (Featherstone 2008, section 7.1)."""
    return flat(articulated_inertia(IA_O) * Matrix(v))


def articulated_transform(T_AB: Scalars, IA_B: Scalars) -> list[Expr]:
    """IA_A = X* IA_B X^-1, X^-1 = X*^T."""
    X_star = force_matrix(T_AB)
    return articulated_numbers(X_star * articulated_inertia(IA_B) * X_star.T)


def articulated_transform_inverse(T_AB: Scalars, IA_A: Scalars) -> list[Expr]:
    """IA_B = X*^-1 IA_A X = X^T IA_A X."""
    X = motion_matrix(T_AB)
    return articulated_numbers(X.T * articulated_inertia(IA_A) * X)


def articulated_to_matrix(IA_O: Scalars) -> list[Expr]:
    """[[J, H], [H^T, M]] (Featherstone 2008, section 7.1)."""
    return flat(articulated_inertia(IA_O))


def articulated_reduce(IA_O: Scalars, pA: Scalars, S: Scalars, c: Scalars, tau: Expr) -> list[Expr]:
    """U = IA S, D = S^T U, u = tau - S^T pA, Ia = IA - U D^-1 U^T, pa = pA + Ia c + U D^-1 u.

    Featherstone 2008, section 7.3.
    """
    IA, bias, joint = articulated_inertia(IA_O), Matrix(pA), Matrix(S)
    U = IA * joint
    D, u = joint.dot(U), tau - joint.dot(bias)
    Ia = IA - U * U.T / D
    pa = bias + Ia * Matrix(c) + U * u / D
    return [*articulated_numbers(Ia), *pa, *U, D, u]
