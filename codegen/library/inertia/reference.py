"""Rigid-body inertia [m, h, J] about the frame's origin, as the 6x6 matrix [[J, h~], [-h~, m 1]].

Source: Featherstone 2008 "Rigid Body Dynamics Algorithms", sections 2.13 and 2.14.
"""

from __future__ import annotations

import numpy as np

from codegen.library.shared.dense import (
    Array,
    Limits,
    Result,
    Scalar,
    Status,
    axial,
    eigenvalues,
    identity,
    pack_symmetric,
    result,
    skew,
    symmetric,
    zeros,
)
from codegen.library.spatial.reference import crf
from codegen.library.transform.reference import inverse, pack_transform, transform_inertia_matrix

__all__ = [
    "inertia_add",
    "inertia_bias_force",
    "inertia_from_array",
    "inertia_from_com",
    "inertia_kinetic_energy",
    "inertia_multiply",
    "inertia_rotate",
    "inertia_scale",
    "inertia_subtract",
    "inertia_to_array",
    "inertia_to_matrix",
    "inertia_transform",
    "inertia_transform_inverse",
    "inertia_translate",
]


def inertia_matrix(I_O: Array) -> Array:
    """[[J, h~], [-h~, m 1]]."""
    h = skew(I_O[1:4])
    return np.block([[symmetric(I_O[4:]), h], [-h, identity() * I_O[0]]])


def pack_inertia(M: Array) -> Array:
    """The ten numbers [m, h, J] of a rigid body's 6x6 matrix."""
    return np.array([M[3, 3], *axial(M[:3, 3:]), *pack_symmetric(M[:3, :3])])


def central_inertia(m: Scalar, c: Array, I_com: Array) -> Array:
    """The 6x6 matrix diag(I_com, m 1) about the centre of mass, transformed to the origin."""
    at_com = np.block([[symmetric(I_com), zeros(3, 3)], [zeros(3, 3), identity() * m]])
    return transform_inertia_matrix(pack_transform(identity(), c), at_com)


def is_finite(x: Array, limits: Limits) -> bool:
    """Whether every element is a finite number of the precision; NaN is not."""
    return all(abs(element) <= limits.max for element in x)


def is_physical(I_com: Array, limits: Limits) -> bool:
    """Whether the second-moment matrix tr(I)/2 1 - I has no eigenvalue below -16 eps tr(I).

    Its trace is tr(I)/2, so a negative trace always fails.
    """
    J = symmetric(I_com)
    trace = np.trace(J)
    return bool(min(eigenvalues(identity() * (trace / 2) - J)) >= -16 * limits.eps * trace)


def inertia_from_com(m: Scalar, c: Array, I_com: Array, limits: Limits | None = None) -> Result:
    """h = m c, J = I_com + m ((c.c) 1 - c c^T) (parallel axes); zeros where a check fails."""
    with np.errstate(over="ignore", invalid="ignore"):
        I_O = pack_inertia(central_inertia(m, c, I_com))
    if limits is None:
        return result(I_O)
    status = 0
    if not is_finite(np.array([m, *c, *I_com, *I_O]), limits):
        status |= Status.NOT_FINITE
    if not m > 0:
        status |= Status.MASS
    if not (is_finite(I_com, limits) and is_physical(I_com, limits)):
        status |= Status.NOT_PHYSICAL
    return result(np.zeros(10, dtype=I_O.dtype) if status else I_O, status=status)


def inertia_add(I_1: Array, I_2: Array) -> Result:
    """I_1 + I_2, of two bodies about one origin."""
    return result(pack_inertia(inertia_matrix(I_1) + inertia_matrix(I_2)))


def inertia_subtract(I_1: Array, I_2: Array) -> Result:
    """I_1 - I_2."""
    return result(pack_inertia(inertia_matrix(I_1) - inertia_matrix(I_2)))


def inertia_scale(I_1: Array, s: Scalar) -> Result:
    """s I_1."""
    return result(pack_inertia(inertia_matrix(I_1) * s))


def inertia_multiply(I_O: Array, v: Array) -> Result:
    """f = I v."""
    return result(inertia_matrix(I_O) @ v)


def inertia_bias_force(I_O: Array, v: Array) -> Result:
    """f = v x* (I v), the force of the equation of motion at zero spatial acceleration."""
    return result(crf(v) @ (inertia_matrix(I_O) @ v))


def inertia_transform(T_AB: Array, I_B: Array) -> Result:
    """I_A = X*_AB I_B X_AB^-1."""
    return result(pack_inertia(transform_inertia_matrix(T_AB, inertia_matrix(I_B))))


def inertia_transform_inverse(T_AB: Array, I_A: Array) -> Result:
    """I_B = X*_AB^-1 I_A X_AB."""
    return inertia_transform(inverse(T_AB), I_A)


def inertia_rotate(R_AB: Array, I_B: Array) -> Result:
    """I_A = X*_AB I_B X_AB^-1 with coincident origins."""
    return inertia_transform(pack_transform(R_AB, zeros(3)), I_B)


def inertia_translate(p_AB_A: Array, I_B: Array) -> Result:
    """I_A = X*_AB I_B X_AB^-1 with parallel axes."""
    return inertia_transform(pack_transform(identity(), p_AB_A), I_B)


def inertia_to_matrix(I_O: Array) -> Result:
    """[[J, h~], [-h~, m 1]], row-major."""
    return result(inertia_matrix(I_O))


def inertia_to_array(I_O: Array) -> Result:
    """[m, hx, hy, hz, Jxx, Jxy, Jxz, Jyy, Jyz, Jzz]."""
    return result(I_O)


def inertia_from_array(array: Array) -> Result:
    """The inertia of [m, hx, hy, hz, Jxx, Jxy, Jxz, Jyy, Jyz, Jzz]."""
    return result(array)


def inertia_kinetic_energy(I_O: Array, v: Array) -> Result:
    """v . (I v) / 2."""
    return result(v @ (inertia_matrix(I_O) @ v) / 2)
