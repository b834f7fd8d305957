"""Air data: polar coordinates of the velocity, wind axes by Rodrigues' rotation formula.

Source: Stevens & Lewis "Aircraft Control and Simulation".
"""

from __future__ import annotations

import numpy as np

from codegen.library.shared.dense import Array, Limits, Result, Scalar, Status, identity, result, skew
from codegen.library.shared.elementary import arctan2, cos, exp, log, sin, sqrt

__all__ = ["air_data_from_velocity", "airspeeds", "dcm_from_wind", "isa_atmosphere", "velocity_from_air_data"]


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


def isa_atmosphere(h: Scalar, limits: Limits | None = None) -> Result:
    """Layer by layer from sea level: the logarithm of the pressure falls by g / R times dh / T."""
    status = 0
    if limits is not None and not -5000 <= h <= 32000:
        status, h = Status.OUTSIDE, h * 0 + (32000 if h > 32000 else -5000)
    one = h * 0 + 1
    warm, cold = one * 28815 / 100, one * 21665 / 100
    if h <= 11000:
        T = warm - h * 65 / 10000
        fallen = log(T / warm) * -10000 / 65
    else:
        T, fallen = cold, log(cold / warm) * -10000 / 65
        if h <= 20000:
            fallen = fallen + (h - 11000) / cold
        else:
            T = cold + (h - 20000) / 1000
            fallen = fallen + cold**-1 * 9000 + log(T / cold) * 1000
    R = one * 28705287 / 100000
    p = exp(-fallen * 980665 / 100000 / R) * 101325
    return result(T, p, p / R / T, sqrt(T) * 20046796 / 1000000, status=status)


def airspeeds(V: Scalar, p: Scalar, rho: Scalar, limits: Limits | None = None) -> Result:
    """The total pressure, p (1 + M^2 / 5)^(7/2), is that of calibrated airspeed at sea level."""
    M = V / sqrt(p * 7 / 5 / rho)
    q = rho * V * V / 2
    if limits is not None and not M + q <= limits.max:
        return result(V * 0, V * 0, V * 0, status=Status.NOT_FINITE | (0 if M <= 1 else Status.OUTSIDE))
    if limits is not None and not M <= 1:
        return result(M, q, V * 0, status=Status.OUTSIDE)
    base = 1 + M * M / 5
    total = p * (base**3 * sqrt(base))
    square = (exp(log(1 + (total - p) / 101325) * 2 / 7) - 1) * 5
    return result(M, q, sqrt(square) * 340294 / 1000)
