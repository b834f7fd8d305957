"""Interpolation along a screw: the property that defines it.

A property takes the arguments, then the results, and returns residuals that are all zero where the results
are right and no status flag is raised.
"""

from __future__ import annotations

from sympy import Expr, acos, cos, eye, sin

from codegen.library.shared.textbook import Scalars, flat, homogeneous, vee
from codegen.library.transform.definitions import transform_inverse


def transform_interpolate(T_A0: Scalars, T_A1: Scalars, t: Expr, T_At: Scalars) -> list[Expr]:
    """T_0t = T_A0^-1 T_At is on the screw of T_01 = T_A0^-1 T_A1, t times as far.

    Displacements commute when they share a screw axis. The trace contains the cosine of the angle, the axial
    vector its sine, and the part of p along the axis is the translation along it.
    """
    to_0 = homogeneous(transform_inverse(T_A0))
    T_01, T_0t = to_0 * homogeneous(T_A1), to_0 * homogeneous(T_At)
    R_01, R_0t = T_01[:3, :3], T_0t[:3, :3]
    axial_01, axial_0t = vee(R_01 - R_01.T) / 2, vee(R_0t - R_0t.T) / 2
    angle = acos((R_01.trace() - 1) / 2)
    return [
        *flat(T_01 * T_0t - T_0t * T_01, R_0t * R_0t.T - eye(3)),
        (R_0t.trace() - 1) / 2 - cos(t * angle),
        axial_0t.dot(axial_01) - sin(t * angle) * sin(angle),
        axial_01.dot(T_0t[:3, 3]) - t * axial_01.dot(T_01[:3, 3]),
    ]
