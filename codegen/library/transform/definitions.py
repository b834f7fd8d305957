"""Poses T_AB = (R_AB, p_AB_A), and spatial vectors carried by them. R is orthonormal."""

from __future__ import annotations

from sympy import Expr, Matrix, eye, zeros

from codegen.library.shared.textbook import (
    Scalars,
    blocks,
    flat,
    force_matrix,
    homogeneous,
    motion_matrix,
    rotation_and_position,
)


def transform_point(T_AB: Scalars, p_B: Scalars) -> list[Expr]:
    """[p_A, 1] = [[R, p], [0, 1]] [p_B, 1]."""
    return flat((homogeneous(T_AB) * Matrix([*p_B, 1]))[:3, :])


def transform_point_inverse(T_AB: Scalars, p_A: Scalars) -> list[Expr]:
    """[p_B, 1] = [[R^T, -R^T p], [0, 1]] [p_A, 1]."""
    return flat((_homogeneous_inverse(T_AB) * Matrix([*p_A, 1]))[:3, :])


def transform_compose(T_AB: Scalars, T_BC: Scalars) -> list[Expr]:
    """T_AC = T_AB T_BC as 4x4 matrices."""
    return _pose(homogeneous(T_AB) * homogeneous(T_BC))


def transform_inverse(T_AB: Scalars) -> list[Expr]:
    """T_BA = (R^T, -R^T p)."""
    return _pose(_homogeneous_inverse(T_AB))


def motion_transform(T_AB: Scalars, v_B: Scalars) -> list[Expr]:
    """v_A = X v_B, X = [[R, 0], [p~ R, R]] (Featherstone 2008, section 2.8)."""
    return flat(motion_matrix(T_AB) * Matrix(v_B))


def motion_transform_inverse(T_AB: Scalars, v_A: Scalars) -> list[Expr]:
    """v_B = X^-1 v_A, X^-1 = X*^T (Featherstone 2008, section 2.8)."""
    return flat(force_matrix(T_AB).T * Matrix(v_A))


def force_transform(T_AB: Scalars, f_B: Scalars) -> list[Expr]:
    """f_A = X* f_B, X* = [[R, p~ R], [0, R]] (Featherstone 2008, section 2.8)."""
    return flat(force_matrix(T_AB) * Matrix(f_B))


def force_transform_inverse(T_AB: Scalars, f_A: Scalars) -> list[Expr]:
    """f_B = X*^-1 f_A, X*^-1 = X^T (Featherstone 2008, section 2.8)."""
    return flat(motion_matrix(T_AB).T * Matrix(f_A))


def _homogeneous_inverse(T_AB: Scalars) -> Matrix:
    R, p = rotation_and_position(T_AB)
    return blocks(R.T, -R.T * p, zeros(1, 3), eye(1))


def _pose(T: Matrix) -> list[Expr]:
    """The twelve numbers of a 4x4 pose matrix."""
    return flat(T[:3, :3], T[:3, 3])


def motion_transform_matrix(T_AB: Scalars) -> list[Expr]:
    """X = [[R, 0], [p~ R, R]] (Featherstone 2008, section 2.8)."""
    return flat(motion_matrix(T_AB))


def force_transform_matrix(T_AB: Scalars) -> list[Expr]:
    """X* = [[R, p~ R], [0, R]] (Featherstone 2008, section 2.8)."""
    return flat(force_matrix(T_AB))


def motion_transform_matrix_linear_first(T_AB: Scalars) -> list[Expr]:
    """P X P, P = [[0, 1], [1, 0]] exchanges the angular and the linear half."""
    return _exchanged(motion_matrix(T_AB))


def force_transform_matrix_linear_first(T_AB: Scalars) -> list[Expr]:
    """P X* P, P = [[0, 1], [1, 0]] exchanges the angular and the linear half."""
    return _exchanged(force_matrix(T_AB))


def _exchanged(X: Matrix) -> list[Expr]:
    P = blocks(zeros(3), eye(3), eye(3), zeros(3))
    return flat(P * X * P)
