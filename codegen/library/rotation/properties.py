"""Attitudes from a matrix, and wrapped angles: the properties that define them.

A property takes the arguments, then the results, and returns residuals that are all zero where the results
are right and no status flag is raised.
"""

from __future__ import annotations

from sympy import And, Expr, Matrix, Piecewise, cos, pi, sin, sqrt

from codegen.library.rotation.definitions import dcm_from_rpy, quat_to_dcm, quat_to_dcm_unit
from codegen.library.shared.textbook import Scalars, flat


def dcm_to_quat(R_AB: Scalars, q_AB: Scalars) -> list[Expr]:
    """R(q) = R and q.q = 1; which of q and -q is a convention that the definition fixes."""
    q = Matrix(q_AB)
    return [*flat(Matrix(quat_to_dcm_unit(q_AB)) - Matrix(R_AB)), q.dot(q) - 1]


def rpy_from_dcm(R_NB: Scalars, rpy: Scalars) -> list[Expr]:
    """Rz(psi) Ry(theta) Rx(phi) = R, and cos(theta) = sqrt(R00^2 + R10^2) is not negative.

    The second condition leaves one of the two triples that give the same matrix, the one with
    theta in [-pi/2, pi/2].
    """
    residual = Matrix(dcm_from_rpy(rpy)) - Matrix(R_NB)
    return [*flat(residual), cos(rpy[1]) - sqrt(R_NB[0] ** 2 + R_NB[3] ** 2)]


def rpy_from_quat(q_NB: Scalars, rpy: Scalars) -> list[Expr]:
    """The property of rpy_from_dcm for the rotation matrix of q, which need not be unit."""
    return rpy_from_dcm(quat_to_dcm(q_NB), rpy)


def angle_wrap(angle: Expr, wrapped: Expr) -> list[Expr]:
    """Both angles have the same sine and cosine, and wrapped is in (-pi, pi]."""
    outside = Piecewise((0, And(wrapped > -pi, wrapped <= pi)), (1, True))
    return [sin(wrapped) - sin(angle), cos(wrapped) - cos(angle), outside]
