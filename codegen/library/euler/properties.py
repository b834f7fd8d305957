"""Euler angles of an attitude: the properties that define them.

A property takes the arguments, then the results, and returns residuals that are all zero where the results
are right and no status flag is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sympy import Abs, Expr, Matrix, atan2, cos, sin

from codegen.library.euler.definitions import Turn, dcm_from_euler, sequences
from codegen.library.rotation.definitions import quat_to_dcm
from codegen.library.shared.textbook import Scalars, flat


def euler_from_dcm(factors: list[Turn], R_AB: Scalars, angles: Scalars) -> list[Expr]:
    """The product of the rotations is R, and the middle angle is in its range.

    That of a proper sequence (first letter = last) is [0, pi], of others [-pi/2, pi/2].
    """
    proper, middle = factors[0][0] == factors[2][0], angles[1]
    side = sin(middle) if proper else cos(middle)
    in_range = [side - Abs(side), middle - atan2(sin(middle), cos(middle))]
    return [*flat(Matrix(dcm_from_euler(factors, angles)) - Matrix(R_AB)), *in_range]


def euler_from_quat(factors: list[Turn], q_AB: Scalars, angles: Scalars) -> list[Expr]:
    """The property of euler_from_dcm for the rotation matrix of q, which need not be unit."""
    return euler_from_dcm(factors, quat_to_dcm(q_AB), angles)


FAMILY: dict[str, Callable[..., list[Expr]]] = {
    f"euler_{suffix}_from_{attitude}": partial(property_, factors)
    for suffix, factors in sequences().items()
    for attitude, property_ in (("dcm", euler_from_dcm), ("quat", euler_from_quat))
}
