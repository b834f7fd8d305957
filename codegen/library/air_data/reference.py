"""Air data: polar coordinates of the velocity, wind axes by Rodrigues' rotation formula.

Source: Stevens & Lewis "Aircraft Control and Simulation", section 2.3.
"""

from __future__ import annotations

import numpy as np

from codegen.library.shared.dense import Array, Limits, Result, Scalar, Status, identity, result, skew
from codegen.library.shared.elementary import arctan2, cos, sin, sqrt

__all__ = ["air_data_from_velocity", "dcm_from_wind", "velocity_from_air_data"]


def air_data_from_velocity(v_air_B: Array, limits: Limits | None = None) -> Result:
    """V = |v|, tan(alpha) = w / u, tan(beta) = v / sqrt(u^2 + w^2); zeros without a velocity."""
    u, v, w = v_air_B
    status = 0
    if limits is not None:
        with np.errstate(over="ignore"):
            square = v_air_B @ v_air_B
        status |= 0 if square > limits.min else Status.ZERO_NORM
        status |= 0 if square <= limits.max else Status.NOT_FINITE
    if status:
        return result(*np.zeros((3, 1), v_air_B.dtype), status=status)
    level = sqrt(u**2 + w**2)
    return result(sqrt(u**2 + v**2 + w**2), arctan2(w, u), arctan2(v, level))


def velocity_from_air_data(V: Scalar, alpha: Scalar, beta: Scalar) -> Result:
    """The velocity V along W's first axis, in B."""
    return result(wind_axes(alpha, beta)[:, 0] * V)


def dcm_from_wind(alpha: Scalar, beta: Scalar) -> Result:
    """R_BW: a rotation by beta about z, then one by -alpha about y."""
    return result(wind_axes(alpha, beta))


def wind_axes(alpha: Scalar, beta: Scalar) -> Array:
    """The wind axes as columns, in B."""
    _, y, z = identity()
    W: Array = turned(-y, alpha) @ turned(z, beta)
    return W


def turned(axis: Array, angle: Scalar) -> Array:
    """1 + sin(angle) k~ + (1 - cos(angle)) k~ k~, the rotation about a unit vector k."""
    K = skew(axis)
    R: Array = identity() + K * sin(angle) + K @ K * (1 - cos(angle))
    return R
