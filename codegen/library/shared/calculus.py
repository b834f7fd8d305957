"""Derivatives of functions at a point, and the few matrices that derivations start from.

A function is differentiated at a symbol of its own and then evaluated, so that a point may be any
SX expression: derivatives nest, and constants are points too.
"""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
from casadi import SX


def jacobian(f: Callable[[SX], SX], x: SX) -> SX:
    """df/dx at x."""
    s = SX.sym("s", x.numel())
    return ca.substitute(ca.jacobian(f(s), s), s, ca.densify(x))


def gradient(f: Callable[[SX], SX], x: SX) -> SX:
    """The column (df/dx)^T of a scalar f at x."""
    return jacobian(f, x).T


def hessian(f: Callable[[SX], SX], x: SX) -> SX:
    """d2f/dx2 of a scalar f at x."""
    return jacobian(lambda s: gradient(f, s), x)


def rate(f: Callable[[SX], SX]) -> SX:
    """df/dt at t = 0."""
    return jacobian(f, SX(0))


def flat(*parts: SX) -> SX:
    """All entries of the matrices, each row by row, in one dense column."""
    return ca.densify(ca.vertcat(*(ca.vec(part.T) for part in parts)))


def matrix3(m: SX) -> SX:
    """The 3x3 matrix of nine row-major numbers."""
    return ca.reshape(m, 3, 3).T


def symmetric(s: SX) -> SX:
    """The symmetric 3x3 matrix of [xx, xy, xz, yy, yz, zz]."""
    return matrix3(s[[0, 1, 2, 1, 3, 4, 2, 4, 5]])


def packed(S: SX) -> SX:
    """The upper triangle [xx, xy, xz, yy, yz, zz] of a symmetric 3x3 matrix."""
    return ca.vertcat(*(S[i, j] for i in range(3) for j in range(i, 3)))


def skew(v: SX) -> SX:
    """The antisymmetric matrix d(v x u)/du."""
    return jacobian(lambda u: ca.cross(v, u), SX.zeros(3))


def vee(S: SX) -> SX:
    """v of the antisymmetric matrix v~."""
    return ca.vertcat(S[2, 1], S[0, 2], S[1, 0])


def inverse3(A: SX) -> SX:
    """A^-1 of a 3x3 matrix by Jacobi's formula: the adjugate is (d det A / dA)^T."""

    def determinant(columns: SX) -> SX:
        return ca.dot(columns[:3], ca.cross(columns[3:6], columns[6:]))

    columns = ca.vec(A)
    return ca.reshape(gradient(determinant, columns), 3, 3).T / determinant(columns)
