"""Central, unit and pseudo-inertia as matrices, changed and added as the 6x6 matrix is.

A central inertia is diag(Jc, m 1) in a frame at the centre of mass, from where X* I X^-1 brings it to the
origin (Featherstone 2008, section 2.13).
"""

from __future__ import annotations

from sympy import Expr, Matrix, eye, zeros

from codegen.library.shared.textbook import (
    Scalars,
    blocks,
    flat,
    force_matrix,
    inertia_numbers,
    packed,
    rotation_and_position,
    skew,
    spatial_inertia,
    symmetric,
)


def central_from_com(m: Expr, c: Scalars, I_com: Scalars) -> list[Expr]:
    """(m, m c, I_com)."""
    return [m, *(m * x for x in c), *I_com]


def inertia_to_central(I_O: Scalars) -> list[Expr]:
    """The inertia transformed from the origin to a frame at the centre of mass."""
    at_com = _carried(spatial_inertia(I_O), -_com(I_O))
    return [*I_O[:4], *packed(at_com[:3, :3])]


def central_to_inertia(C_O: Scalars) -> list[Expr]:
    """diag(Jc, m 1) transformed from the centre of mass to the origin."""
    return inertia_numbers(_about_origin(C_O))


def central_rotate(R_AB: Scalars, C_B: Scalars) -> list[Expr]:
    """X* I X^-1 of the whole inertia, with p = 0."""
    return central_transform([*R_AB, *Matrix([0, 0, 0])], C_B)


def central_translate(p_AB_A: Scalars, C_B: Scalars) -> list[Expr]:
    """X* I X^-1 of the whole inertia, with R = 1."""
    return central_transform([*eye(3), *p_AB_A], C_B)


def central_transform(T_AB: Scalars, C_B: Scalars) -> list[Expr]:
    """X* I X^-1 of the whole inertia, then back to a central inertia."""
    X_star = force_matrix(T_AB)
    return inertia_to_central(inertia_numbers(X_star * _about_origin(C_B) * X_star.T))


def central_merge(T_AB: Scalars, C_A: Scalars, C_B: Scalars) -> list[Expr]:
    """The sum of both inertias about A's origin, then back to a central inertia."""
    X_star = force_matrix(T_AB)
    return inertia_to_central(inertia_numbers(_about_origin(C_A) + X_star * _about_origin(C_B) * X_star.T))


def central_multiply(C_O: Scalars, v: Scalars) -> list[Expr]:
    """I v with the inertia about the origin."""
    return flat(_about_origin(C_O) * Matrix(v))


def unit_from_central(m: Expr, c: Scalars, I_com: Scalars) -> list[Expr]:
    """(m, c, I_com / m - c~ c~), the parallel-axis theorem for m = 1."""
    return [m, *c, *packed(symmetric(I_com) / m - skew(c) * skew(c))]


def unit_shift(p_PQ: Scalars, U_P: Scalars) -> list[Expr]:
    """G about the centre of mass is G_P + c~ c~; about Q it is that - c'~ c'~, c' = c - p."""
    c, moved = Matrix(U_P[1:4]), Matrix(U_P[1:4]) - Matrix(p_PQ)
    central = symmetric(U_P[4:]) + skew(c) * skew(c)
    return [U_P[0], *moved, *packed(central - skew(moved) * skew(moved))]


def unit_reexpress(R_AB: Scalars, U_B: Scalars) -> list[Expr]:
    """c = R c_B, G = R G_B R^T."""
    R, _ = rotation_and_position([*R_AB, *Matrix([0, 0, 0])])
    return [U_B[0], *(R * Matrix(U_B[1:4])), *packed(R * symmetric(U_B[4:]) * R.T)]


def unit_add(U_1: Scalars, U_2: Scalars) -> list[Expr]:
    """The sum of both inertias over the sum of both masses, which is not zero."""
    return inertia_to_unit(inertia_numbers(_mass_weighted(U_1) + _mass_weighted(U_2)))


def unit_multiply(U_O: Scalars, v: Scalars) -> list[Expr]:
    """I v with J = m G and h = m c."""
    return flat(_mass_weighted(U_O) * Matrix(v))


def unit_to_inertia(U_O: Scalars) -> list[Expr]:
    """(m, m c, m G)."""
    return inertia_numbers(_mass_weighted(U_O))


def inertia_to_unit(I_O: Scalars) -> list[Expr]:
    """(m, h / m, J / m)."""
    return [I_O[0], *(x / I_O[0] for x in I_O[1:])]


def inertia_to_matrix_linear_first(I_O: Scalars) -> list[Expr]:
    """P M P, P = [[0, 1], [1, 0]] exchanges the angular and the linear half."""
    P = blocks(zeros(3), eye(3), eye(3), zeros(3))
    return flat(P * spatial_inertia(I_O) * P)


def inertia_to_pseudo(I_O: Scalars) -> list[Expr]:
    """[[tr(J)/2 1 - J, h], [h^T, m]] (Wensing, Kim and Slotine 2018)."""
    J, h = symmetric(I_O[4:]), Matrix(I_O[1:4])
    return flat(blocks(J.trace() / 2 * eye(3) - J, h, h.T, Matrix([I_O[0]])))


def inertia_from_pseudo(P: Scalars) -> list[Expr]:
    """J = tr(S) 1 - S, S the upper left block, read from its upper triangle."""
    matrix = Matrix(4, 4, list(P))
    S = symmetric(packed(matrix))
    return [matrix[3, 3], *matrix[:3, 3], *packed(S.trace() * eye(3) - S)]


def _com(I_O: Scalars) -> Matrix:
    """c = h / m of any form that begins with m and h."""
    return Matrix(I_O[1:4]) / I_O[0]


def _carried(M: Matrix, p: Matrix) -> Matrix:
    """X* M X^-1 to a parallel frame; p is the position of the old origin from the new one."""
    X_star = force_matrix([*eye(3), *p])
    return X_star * M * X_star.T


def _about_origin(C_O: Scalars) -> Matrix:
    """The 6x6 matrix about the origin of a central inertia."""
    at_com = blocks(symmetric(C_O[4:]), zeros(3), zeros(3), C_O[0] * eye(3))
    return _carried(at_com, _com(C_O))


def _mass_weighted(U_O: Scalars) -> Matrix:
    """The 6x6 matrix of a unit inertia, m [[G, c~], [-c~, 1]]."""
    return U_O[0] * spatial_inertia([1, *U_O[1:]])
