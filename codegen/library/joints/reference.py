"""Joints by elementary rotations, with the columns of the motion subspace side by side.

Source: Featherstone 2008 "Rigid Body Dynamics Algorithms", section 4.4.
"""

from __future__ import annotations

import numpy as np

from codegen.library.rotation.reference import sandwich
from codegen.library.shared.dense import Array, Result, Scalar, identity, result, skew
from codegen.library.shared.elementary import cos, sin
from codegen.library.transform.reference import pack_transform

__all__ = [
    "joint_helical",
    "joint_planar",
    "joint_prismatic",
    "joint_revolute",
    "joint_spherical",
    "joint_universal",
]


def turned(axis: Array, q: Scalar) -> Array:
    """The unit matrix, and what the axis's matrix and its square add."""
    A = skew(axis)
    R: Array = identity() + A * sin(q) + A @ A * (1 - cos(q))
    return R


def joint_revolute(axis: Array, q: Scalar) -> Result:
    """A turn about the axis."""
    zero = axis * 0
    return result(pack_transform(turned(axis, q), zero), np.concatenate([axis, zero]))


def joint_prismatic(axis: Array, q: Scalar) -> Result:
    """A shift along the axis."""
    return result(pack_transform(identity(), axis * q), np.concatenate([axis * 0, axis]))


def joint_helical(axis: Array, pitch: Scalar, q: Scalar) -> Result:
    """Both at once."""
    return result(pack_transform(turned(axis, q), axis * (q * pitch)), np.concatenate([axis, axis * pitch]))


def joint_planar(x: Scalar, y: Scalar, q: Scalar) -> Result:
    """The pose in the plane; P's axes in S are the rows of R."""
    R = turned(identity()[2], q)
    S_q = np.zeros((6, 3), dtype=object) + x * 0
    S_q[3:, :2], S_q[2, 2] = R[:2].T, 1
    return result(pack_transform(R, np.array([x, y, x * 0])), S_q)


def joint_universal(q_1: Scalar, q_2: Scalar) -> Result:
    """One turn after the other."""
    second = turned(identity()[1], q_2)
    S_q = np.zeros((6, 2), dtype=object) + q_1 * 0
    S_q[:3, 0], S_q[1, 1] = second[0], 1
    return result(pack_transform(turned(identity()[0], q_1) @ second, S_q[3:, 0]), S_q)


def joint_spherical(q_PS: Array) -> Result:
    """The columns q e_i q*."""
    R = np.column_stack([sandwich(q_PS, e) for e in identity()])
    return result(pack_transform(R, q_PS[1:] * 0), np.vstack([identity(), identity() * 0]))
