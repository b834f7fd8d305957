"""WGS 84: the ellipsoid with its normals and its gravity, and other systems' conventions."""

from __future__ import annotations

from sympy import Expr, Integer, Matrix, Rational, cos, pi, sin, sqrt

from codegen.library.shared.textbook import Scalars, flat, rotation_x, rotation_y, rotation_z

SEMI_MAJOR = Integer(6378137)
SEMI_MINOR = SEMI_MAJOR * (1 - 1 / Rational("298.257223563"))


def dcm_ecef_to_ned(lat: Expr, lon: Expr) -> list[Expr]:
    """(Rz(lon) Ry(-lat - pi/2))^T: the Earth's axes rotated to the meridian, then pitched down."""
    return flat((rotation_z(lon) * rotation_y(-lat - pi / 2)).T)


def ecef_from_geodetic(lat: Expr, lon: Expr, h: Expr) -> list[Expr]:
    """N, the normal's length down to the axis, and h up along it (NIMA TR8350.2, section 4.3)."""
    e2 = 1 - (SEMI_MINOR / SEMI_MAJOR) ** 2
    N = prime_vertical(lat)
    normal = rotation_z(lon) * rotation_y(-lat) * Matrix([1, 0, 0])
    return flat((N + h) * normal - Matrix([0, 0, e2 * N * normal[2]]))


def prime_vertical(lat: Expr) -> Expr:
    """The radius of curvature N = a / sqrt(1 - e^2 sin^2 lat)."""
    e2 = 1 - (SEMI_MINOR / SEMI_MAJOR) ** 2
    return SEMI_MAJOR / sqrt(1 - e2 * sin(lat) ** 2)


def gravity_wgs84(lat: Expr, h: Expr) -> list[Expr]:
    """Somigliana's (a g_e cos^2 + b g_p sin^2) / sqrt(a^2 cos^2 + b^2 sin^2), times the series in h."""
    a, b, s2, c2 = SEMI_MAJOR, SEMI_MINOR, sin(lat) ** 2, cos(lat) ** 2
    g_e, g_p = Rational("9.7803253359"), Rational("9.8321849378")
    on_ellipsoid = (a * g_e * c2 + b * g_p * s2) / (a * sqrt(c2 + (b / a) ** 2 * s2))
    f, m = 1 - b / a, Rational("7.292115e-5") ** 2 * a**2 * b / Rational("3.986004418e14")
    return [on_ellipsoid * (1 - 2 / a * (1 + f + m - 2 * f * s2) * h + 3 * h**2 / a**2)]


def quat_from_xyzw(xyzw: Scalars) -> list[Expr]:
    """The last component first."""
    return [xyzw[3], *xyzw[:3]]


def quat_to_xyzw(q: Scalars) -> list[Expr]:
    """The vector part, then the scalar."""
    return [*q[1:], q[0]]


def dcm_ned_to_enu() -> list[Expr]:
    """Half a turn about north, then a quarter turn to the right."""
    return flat(rotation_z(pi / 2) * rotation_x(pi))


def dcm_frd_to_flu() -> list[Expr]:
    """Half a turn about the forward axis."""
    return flat(rotation_x(pi))
