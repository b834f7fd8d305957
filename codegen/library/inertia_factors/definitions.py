"""Properties of an inertia by its 6x6 matrix; factors and principal axes are defined in `properties`."""

from __future__ import annotations

from sympy import Expr, Matrix, eye, zeros

from codegen.library.shared.textbook import Scalars, blocks, flat, inverse, motion_matrix, skew, symmetric


def inertia_com(I_O: Scalars) -> list[Expr]:
    """h / m, from h = m c (Featherstone 2008, section 2.13)."""
    return [x / I_O[0] for x in I_O[1:4]]


def inertia_solve(I_O: Scalars, f: Scalars) -> list[Expr]:
    """I_O^-1 f, I_O^-1 = X diag(Jc, m 1)^-1 X^T (Featherstone 2008, section 2.15).

    X transforms motions from the frame at the centre of mass, where the inertia is diag(Jc, m 1), to the
    frame at the origin.
    """
    m, c = I_O[0], inertia_com(I_O)
    Jc = symmetric(I_O[4:]) + m * skew(c) * skew(c)
    X = motion_matrix([*eye(3), *c])
    at_com = blocks(inverse(Jc), zeros(3), zeros(3), eye(3) / m)
    return flat(X * (at_com * (X.T * Matrix(f))))
