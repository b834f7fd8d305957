"""Modified Rodrigues parameters by Cayley transforms (Schaub and Junkins; Tsiotras 1997).

As quaternions, q = (1 + s) (1 - s)^-1 and s = (q - 1) (q + 1)^-1.
"""

from __future__ import annotations

import numpy as np

from codegen.library.rotation.reference import conjugate, hamilton, quat_rate
from codegen.library.shared.dense import Array, Result, identity, result, skew, solve

__all__ = [
    "dcm_from_mrp",
    "mrp_from_quat",
    "mrp_kinematics",
    "mrp_kinematics_inverse",
    "mrp_shadow",
    "quat_from_mrp",
]

ONE = np.array([1, 0, 0, 0])


def quotient(p: Array, q: Array) -> Array:
    """p q^-1."""
    product: Array = hamilton(p, conjugate(q)) / (q @ q)
    return product


def unit_quaternion(s: Array) -> Array:
    """(1 + s) (1 - s)^-1."""
    return quotient(np.array([1, *s]), np.array([1, *-s]))


def parameters(q: Array) -> Array:
    """The vector part of (q - 1) (q + 1)^-1."""
    return quotient(q - ONE, q + ONE)[1:]


def mrp_from_quat(q_AB: Array) -> Result:
    """The parameters of q or -q, whichever has w >= 0."""
    return result(parameters(-q_AB if q_AB[0] < 0 else q_AB))


def quat_from_mrp(s_AB: Array) -> Result:
    """q = (1 + s) (1 - s)^-1."""
    return result(unit_quaternion(s_AB))


def dcm_from_mrp(s_AB: Array) -> Result:
    """The square of (1 + s~) (1 - s~)^-1, the rotation by half the angle."""
    inverse = np.column_stack([solve(identity() - skew(s_AB), e) for e in identity()])
    half = (identity() + skew(s_AB)) @ inverse
    return result(half @ half)


def mrp_kinematics(s_AB: Array, w_B: Array) -> Result:
    """The rate of s = u / (1 + w) of a quaternion [w, u] that rotates at w_B."""
    q = unit_quaternion(s_AB)
    rate = quat_rate(q, w_B, 0)
    return result((rate[1:] - s_AB * rate[0]) / (q[0] + 1))


def mrp_kinematics_inverse(s_AB: Array, ds: Array) -> Result:
    """The solution of the rates of unit angular velocities."""
    columns = [mrp_kinematics(s_AB, unit).outputs[0] for unit in identity()]
    return result(solve(np.column_stack(columns), ds))


def mrp_shadow(s: Array) -> Result:
    """The parameters of -q, where s.s > 1."""
    return result(parameters(-unit_quaternion(s)) if s @ s > 1 else s)
