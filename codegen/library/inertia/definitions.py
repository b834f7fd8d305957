"""Rigid-body inertia [m, h, J] about the frame's origin, as its 6x6 matrix.

The matrix changes frame by the congruence X* I X^-1 (Featherstone 2008, section 2.13), where
X^-1 = X*^T.
"""

from __future__ import annotations

from sympy import Expr, Matrix, eye

from codegen.library.shared.textbook import (
    Scalars,
    crf,
    flat,
    force_matrix,
    inertia_numbers,
    motion_matrix,
    packed,
    skew,
    spatial_inertia,
    symmetric,
)


def inertia_from_com(m: Expr, c: Scalars, I_com: Scalars) -> list[Expr]:
    """(m, m c, I_com - m c~ c~), the parallel-axis theorem (Featherstone 2008, section 2.13)."""
    return [m, *(m * x for x in c), *packed(symmetric(I_com) - m * skew(c) * skew(c))]


def inertia_add(I_1: Scalars, I_2: Scalars) -> list[Expr]:
    """I_1 + I_2, two rigidly joined bodies, written in one frame."""
    return inertia_numbers(spatial_inertia(I_1) + spatial_inertia(I_2))


def inertia_subtract(I_1: Scalars, I_2: Scalars) -> list[Expr]:
    """I_1 - I_2, a part removed."""
    return inertia_numbers(spatial_inertia(I_1) - spatial_inertia(I_2))


def inertia_scale(I_1: Scalars, s: Expr) -> list[Expr]:
    """s I_1, the same body at s times the density."""
    return inertia_numbers(s * spatial_inertia(I_1))


def inertia_multiply(I_O: Scalars, v: Scalars) -> list[Expr]:
    """The momentum I v (Featherstone 2008, section 2.13)."""
    return flat(spatial_inertia(I_O) * Matrix(v))


def inertia_bias_force(I_O: Scalars, v: Scalars) -> list[Expr]:
    """v x* (I v) (Featherstone 2008, section 2.14)."""
    return flat(crf(v) * (spatial_inertia(I_O) * Matrix(v)))


def inertia_transform(T_AB: Scalars, I_B: Scalars) -> list[Expr]:
    """I_A = X* I_B X^-1."""
    X_star = force_matrix(T_AB)
    return inertia_numbers(X_star * spatial_inertia(I_B) * X_star.T)


def inertia_transform_inverse(T_AB: Scalars, I_A: Scalars) -> list[Expr]:
    """I_B = X*^-1 I_A X = X^T I_A X."""
    X = motion_matrix(T_AB)
    return inertia_numbers(X.T * spatial_inertia(I_A) * X)


def inertia_rotate(R_AB: Scalars, I_B: Scalars) -> list[Expr]:
    """X* I_B X^-1 with p = 0: the same origin, other axes."""
    return inertia_transform([*R_AB, *Matrix([0, 0, 0])], I_B)


def inertia_translate(p_AB_A: Scalars, I_B: Scalars) -> list[Expr]:
    """X* I_B X^-1 with R = 1: the same axes, another origin."""
    return inertia_transform([*eye(3), *p_AB_A], I_B)


def inertia_to_matrix(I_O: Scalars) -> list[Expr]:
    """The 6x6 matrix [[J, h~], [-h~, m 1]] (Featherstone 2008, section 2.13)."""
    return flat(spatial_inertia(I_O))


def inertia_to_array(I_O: Scalars) -> list[Expr]:
    """[m, hx, hy, hz, Jxx, Jxy, Jxz, Jyy, Jyz, Jzz]."""
    return inertia_numbers(spatial_inertia(I_O))


def inertia_from_array(array: Scalars) -> list[Expr]:
    """m, h and J of [m, hx, hy, hz, Jxx, Jxy, Jxz, Jyy, Jyz, Jzz]."""
    return inertia_numbers(spatial_inertia(array))


def inertia_kinetic_energy(I_O: Scalars, v: Scalars) -> list[Expr]:
    """v.(I v) / 2 (Featherstone 2008, section 2.13)."""
    return flat(Matrix(v).T * spatial_inertia(I_O) * Matrix(v) / 2)
