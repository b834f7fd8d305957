"""WGS 84 and other systems' conventions.

A position is the point of the ellipsoid at the reduced latitude, plus the height along the normal; the
inverse finds the nearest point of the ellipsoid by Lagrange's multiplier.
Source: NIMA TR8350.2 (2000); Eberly "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid".
"""

from __future__ import annotations

import numpy as np

from codegen.library.air_data.reference import turned
from codegen.library.shared.dense import Array, Limits, Result, Scalar, Status, identity, result
from codegen.library.shared.elementary import arctan2, cos, sin, sqrt

__all__ = [
    "curvature_radii",
    "dcm_ecef_to_ned",
    "dcm_eci_to_ecef",
    "dcm_frd_to_flu",
    "dcm_ned_to_enu",
    "earth_rate_ned",
    "ecef_from_eci",
    "ecef_from_geodetic",
    "ecef_from_ned",
    "eci_from_ecef",
    "geodetic_from_ecef",
    "gravity_wgs84",
    "ned_from_ecef",
    "quat_from_xyzw",
    "quat_to_xyzw",
    "transport_rate_ned",
]

A = 6378137
"""The semi-major axis, m; the semi-minor one is B_OF_A[0] / B_OF_A[1] of it."""
B_OF_A = 297257223563, 298257223563


def shortened(x: Scalar) -> Scalar:
    """x b / a."""
    return x * B_OF_A[0] / B_OF_A[1]


def dcm_ecef_to_ned(lat: Scalar, lon: Scalar) -> Result:
    """The axes up, east and north of the equator, rotated by lat and lon."""
    _, y, z = identity()
    up, east, north = (turned(z, lon) @ turned(-y, lat)).T
    return result(np.array([north, east, -up]))


def ecef_from_geodetic(lat: Scalar, lon: Scalar, h: Scalar) -> Result:
    """[a cos(r) cos(lon), a cos(r) sin(lon), b sin(r)] + h n, tan(r) = b/a tan(lat)."""
    c, s = cos(lat), shortened(sin(lat))
    c, s = c / sqrt(c * c + s * s), s / sqrt(c * c + s * s)
    n = np.array([cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)])
    return result(np.array([c * cos(lon), c * sin(lon), shortened(s)]) * A + n * h)


def geodetic_from_ecef(p_E: Array, limits: Limits | None = None) -> Result:
    """Direction and distance of p_E from the nearest point of the ellipsoid; zeros near the centre."""
    x, y, z = p_E
    status = 0
    if limits is not None:
        with np.errstate(over="ignore"):
            square = p_E @ p_E
            scaled = ((x / A) ** 2 + (y / A) ** 2 + shortened(z / A) ** 2) ** 2
        status |= 0 if square > 50000**2 else Status.DEGENERATE
        status |= 0 if scaled <= limits.max else Status.NOT_FINITE
    if status:
        return result(*np.zeros((3, 1), p_E.dtype), status=status)
    rho, a = sqrt(x * x + y * y), z * 0 + A
    b = shortened(a)
    t = multiplier(a * rho, b * abs(z), a * a, b * b)
    on_axes = rho / (t + a * a), z / (t + b * b)
    h = t * sqrt(on_axes[0] ** 2 + on_axes[1] ** 2)
    lon = arctan2(y, x) if rho > 0 else rho
    return result(arctan2(on_axes[1], on_axes[0]), lon, h)


def multiplier(ar: Scalar, bz: Scalar, a2: Scalar, b2: Scalar) -> Scalar:
    """The largest t with (ar / (t + a2))^2 + (bz / (t + b2))^2 = 1.

    The left side is decreasing and convex, so that Newton's method converges to the root from below.
    """
    t = max(ar - a2, bz - b2)
    for _ in range(200):
        u, v = ar / (t + a2), bz / (t + b2)
        slope = (u * u) / (t + a2) + (v * v) / (t + b2)
        step = (u * u + v * v - 1) / slope / 2
        if not t + step > t:
            break
        t = t + step
    return t


def radii(lat: Scalar) -> tuple[Scalar, Scalar]:
    """Of the meridian, (b/a)^2 N^3 / a^2, and of the section across it, the normal down to the axis."""
    c, s = cos(lat), shortened(sin(lat))
    N = A / sqrt(c * c + s * s)
    return shortened(shortened(N * (N / A) ** 2)), N


def curvature_radii(lat: Scalar) -> Result:
    """Those of the meridian and of the section across it."""
    return result(*radii(lat))


def earth_rate_ned(lat: Scalar, Omega: Scalar) -> Result:
    """The Earth's axis, pitched up by the latitude."""
    north, east, _ = identity()
    return result(turned(east, lat) @ north * Omega)


def transport_rate_ned(lat: Scalar, h: Scalar, v_N: Array, limits: Limits | None = None) -> Result:
    """The rate of lon about the Earth's axis, and that of lat about west."""
    M, N = radii(lat)
    parallel = (N + h) * cos(lat)
    status = 0
    if limits is not None and not abs(cos(lat)) > sqrt(limits.eps):
        status |= Status.DEGENERATE
        w_N = np.array([v_N[1] / (N + h), -v_N[0] / (M + h), v_N[0] * 0])
    else:
        w_N = np.array([cos(lat), 0, -sin(lat)]) * (v_N[1] / parallel) - np.array([0, v_N[0] / (M + h), 0])
    if limits is not None and not abs(sum(w_N)) <= limits.max:
        status |= Status.NOT_FINITE
        w_N = np.zeros(3, v_N.dtype)
    return result(w_N, status=status)


def local_axes(lat: Scalar, lon: Scalar) -> Array:
    """North, east and down as rows."""
    (R_NE,) = dcm_ecef_to_ned(lat, lon).outputs
    return R_NE.reshape(3, 3)


def ned_from_ecef(p_E: Array, lat_0: Scalar, lon_0: Scalar, h_0: Scalar) -> Result:
    """Projections of the difference from the origin on each axis."""
    (origin,) = ecef_from_geodetic(lat_0, lon_0, h_0).outputs
    return result(np.array([axis @ (p_E - origin) for axis in local_axes(lat_0, lon_0)]))


def ecef_from_ned(p_N: Array, lat_0: Scalar, lon_0: Scalar, h_0: Scalar) -> Result:
    """The origin and so much along each axis."""
    (p_E,) = ecef_from_geodetic(lat_0, lon_0, h_0).outputs
    for axis, x in zip(local_axes(lat_0, lon_0), p_N, strict=True):
        p_E = p_E + axis * x
    return result(p_E)


def dcm_eci_to_ecef(theta: Scalar) -> Result:
    """Back about the third axis."""
    return result(turned(identity()[2], -theta))


def ecef_from_eci(p_I: Array, v_I: Array, theta: Scalar, Omega: Scalar) -> Result:
    """The velocity is taken relative to the Earth's point there before both are turned."""
    R = turned(identity()[2], -theta)
    return result(R @ p_I, R @ (v_I - np.cross(identity()[2] * Omega, p_I)))


def eci_from_ecef(p_E: Array, v_E: Array, theta: Scalar, Omega: Scalar) -> Result:
    """Both are turned before the velocity of the Earth's point there is added."""
    p_I, v_I = (turned(identity()[2], theta) @ x for x in (p_E, v_E))
    return result(p_I, v_I + np.cross(identity()[2] * Omega, p_I))


def gravity_wgs84(lat: Scalar, h: Scalar) -> Result:
    """N/a (g_e cos^2 + b/a g_p sin^2), N the prime vertical radius, times the series in h/a."""
    c2, s2, x = cos(lat) ** 2, sin(lat) ** 2, h / A
    mean = (c2 * 97803253359 + shortened(s2 * 98321849378)) / 10**10
    on_ellipsoid = mean / sqrt(c2 + shortened(shortened(s2)))
    one = c2 + s2
    f = one - shortened(one)
    m = shortened(one * 7292115**2 * A**3) / 10**22 / 39860044180000000 * 100
    return result(on_ellipsoid * (1 - 2 * (1 + f + m - 2 * f * s2) * x + 3 * x**2))


def quat_from_xyzw(xyzw: Array) -> Result:
    """[w, x, y, z]."""
    return result(np.roll(xyzw, 1))


def quat_to_xyzw(q: Array) -> Result:
    """[x, y, z, w]."""
    return result(np.roll(q, -1))


def dcm_ned_to_enu() -> Result:
    """East, north and up as rows, in north-east-down coordinates."""
    north, east, down = identity()
    return result(np.array([east, north, -down]))


def dcm_frd_to_flu() -> Result:
    """Forward, left and up as rows, in forward-right-down coordinates."""
    forward, right, down = identity()
    return result(np.array([forward, -right, -down]))
