"""Spatial motions [w; v] and forces [n; f]: their 6x6 cross products and their pairing.

Source: Featherstone 2008 "Rigid Body Dynamics Algorithms", sections 2.6 and 2.9.
"""

from __future__ import annotations

import numpy as np

from codegen.library.shared.dense import Array, Result, result, skew, zeros

__all__ = [
    "force_cross",
    "force_cross_matrix",
    "motion_cross",
    "motion_cross_matrix",
    "motion_dot_force",
]


def crm(v: Array) -> Array:
    """[[w~, 0], [v~, w~]], the motion cross product's matrix."""
    return np.block([[skew(v[:3]), zeros(3, 3)], [skew(v[3:]), skew(v[:3])]])


def crf(v: Array) -> Array:
    """[[w~, v~], [0, w~]] = -crm(v)^T, the force cross product's matrix."""
    return -crm(v).T


def motion_cross(v: Array, m: Array) -> Result:
    """v x m = crm(v) m."""
    return result(crm(v) @ m)


def force_cross(v: Array, f: Array) -> Result:
    """v x* f = crf(v) f."""
    return result(crf(v) @ f)


def motion_dot_force(v: Array, f: Array) -> Result:
    """The power v . f."""
    return result(v @ f)


def motion_cross_matrix(v: Array) -> Result:
    """crm(v), row-major."""
    return result(crm(v))


def force_cross_matrix(v: Array) -> Result:
    """crf(v), row-major."""
    return result(crf(v))
