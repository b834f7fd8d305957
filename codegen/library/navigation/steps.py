"""Steps of WGS 84: the ellipsoid's normal, its inverse problem and its gravity; other conventions' orders."""

from __future__ import annotations

from sympy import Expr, Integer, Matrix, Rational, cos, sin, sqrt

from codegen.library.inertia.steps import componentwise
from codegen.library.navigation.definitions import SEMI_MAJOR, SEMI_MINOR, prime_vertical
from codegen.library.shared.textbook import Scalars, flat
from codegen.modeling.steps import Step, condition, step

GROVES = "Groves, Principles of GNSS, Inertial, and Multisensor Integrated Navigation Systems, section 2.5"
NIMA = "NIMA TR8350.2, Department of Defense World Geodetic System 1984 (2000)"
VERMEILLE = (
    "Vermeille, Direct transformation from geocentric coordinates to geodetic coordinates, "
    "J. Geodesy 76, 2002"
)
REP = "ROS REP 103, Standard Units of Measure and Coordinate Conventions"
E2 = 1 - (SEMI_MINOR / SEMI_MAJOR) ** 2
FLATTENING = 1 - SEMI_MINOR / SEMI_MAJOR


@step(
    "Differentiate the upward normal: its rows are north, east and down",
    "up = [cos lat cos lon, cos lat sin lon, sin lat];\n"
    "north = d(up)/d(lat), east = d(up)/d(lon) / cos lat, down = -up",
    by="north and east are the directions in which the normal changes with lat and lon, as unit vectors",
    source=GROVES,
)
def _local_axes(lat: Expr, lon: Expr) -> list[Expr]:
    up = Matrix([cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)])
    return flat(up.diff(lat), up.diff(lon) / cos(lat), -up)


@step(
    "Split the position into its distance from the axis and its height above the equator",
    "p_E = [r cos lon, r sin lon, ((1 - e^2) N + h) sin lat], r = (N + h) cos lat",
    by="the normal meets the axis e^2 N sin lat below the centre: (N + h) sin lat - e^2 N sin lat",
    source=f"{NIMA}, section 4.3",
)
def _level_and_axial(lat: Expr, lon: Expr, h: Expr) -> list[Expr]:
    N = prime_vertical(lat)
    level = (N + h) * cos(lat)
    return [level * cos(lon), level * sin(lon), ((1 - E2) * N + h) * sin(lat)]


@condition(
    "Eliminate latitude and height, which leaves one equation for k",
    "rho^2 / (k + e^2)^2 + (1 - e^2) z^2 / k^2 = a^2, k = 1 - e^2 + h / N, rho^2 = x^2 + y^2",
    by="rho / (k + e^2) = N cos lat, z / k = N sin lat, N^2 (cos^2 lat + (1 - e^2) sin^2 lat) = a^2",
    source=VERMEILLE,
)
def _quartic(p_E: Scalars, lat: Expr, lon: Expr, h: Expr) -> list[Expr]:
    (x, y, z), k = p_E, 1 - E2 + h / prime_vertical(lat)
    return [((x * x + y * y) / (k + E2) ** 2 + (1 - E2) * z**2 / k**2) / SEMI_MAJOR**2 - 1]


@condition(
    "Compute latitude and longitude from k",
    "rho sin lat = (1 + e^2 / k) z cos lat, x sin lon = y cos lon",
    by="z / rho = k / (k + e^2) tan lat; y / x = tan lon",
    source=VERMEILLE,
)
def _latitude(p_E: Scalars, lat: Expr, lon: Expr, h: Expr) -> list[Expr]:
    (x, y, z), k = p_E, 1 - E2 + h / prime_vertical(lat)
    north = sqrt(x * x + y * y) * sin(lat) - (1 + E2 / k) * z * cos(lat)
    return [north / SEMI_MAJOR, (x * sin(lon) - y * cos(lon)) / SEMI_MAJOR]


@condition(
    "Project the position on the normal for the height",
    "h = rho cos lat + z sin lat - a sqrt(1 - e^2 sin^2 lat)",
    by="rho cos lat + z sin lat = h + N (1 - e^2 sin^2 lat); an error of lat enters in second order",
    source="Bowring, The accuracy of geodetic latitude and height equations, Survey Review 28, 1985",
)
def _height(p_E: Scalars, lat: Expr, lon: Expr, h: Expr) -> list[Expr]:
    x, y, z = p_E
    projected = sqrt(x * x + y * y) * cos(lat) + z * sin(lat)
    return [(projected - SEMI_MAJOR * sqrt(1 - E2 * sin(lat) ** 2) - h) / SEMI_MAJOR]


@step(
    "Divide Somigliana's formula by a g_e, and evaluate the height series by Horner's rule",
    "g = g_e (1 + k s) / sqrt(1 - e^2 s) (1 - x (2 (1 + f + m) - 4 f s - 3 x)), s = sin^2 lat, x = h / a",
    by="cos^2 = 1 - sin^2: k = b g_p / (a g_e) - 1, 1 - (b / a)^2 = e^2",
    source=f"{NIMA}, equations 4-1 and 4-3",
)
def _normal_gravity(lat: Expr, h: Expr) -> list[Expr]:
    g_e, g_p = Rational("9.7803253359"), Rational("9.8321849378")
    spin = Rational("7.292115e-5") ** 2 * SEMI_MAJOR**2 * SEMI_MINOR / Rational("3.986004418e14")
    s, x, k = sin(lat) ** 2, h / SEMI_MAJOR, SEMI_MINOR * g_p / (SEMI_MAJOR * g_e) - 1
    slope = 2 * (1 + FLATTENING + spin) - 4 * FLATTENING * s - 3 * x
    return [g_e * (1 + k * s) / sqrt(1 - E2 * s) * (1 - x * slope)]


def _exchange(equation: str, by: str, rows: list[list[int]]) -> Step:
    """The step to a constant matrix."""
    return step("Write the axes of one frame in the other", equation, by=by, source=REP)(
        lambda: [Integer(entry) for row in rows for entry in row]
    )


_MESSAGE = "ROS, message geometry_msgs/Quaternion: x, y, z, w"
_SAME = "both are Hamilton quaternions; only the order differs"

STEPS: dict[str, tuple[Step, ...]] = {
    "dcm_ecef_to_ned": (_local_axes,),
    "ecef_from_geodetic": (_level_and_axial,),
    "geodetic_from_ecef": (_quartic, _latitude, _height),
    "gravity_wgs84": (_normal_gravity,),
    "quat_from_xyzw": (
        componentwise("q = [a_3, a_0, a_1, a_2]", _SAME, lambda a: [a[3], a[0], a[1], a[2]], _MESSAGE),
    ),
    "quat_to_xyzw": (
        componentwise("xyzw = [q_x, q_y, q_z, q_w]", _SAME, lambda q: [q[1], q[2], q[3], q[0]], _MESSAGE),
    ),
    "dcm_ned_to_enu": (
        _exchange(
            "R_UN = [e_y, e_x, -e_z]",
            "north is U's y, east its x, down is against its z: the columns are N's axes in U",
            [[0, 1, 0], [1, 0, 0], [0, 0, -1]],
        ),
    ),
    "dcm_frd_to_flu": (
        _exchange(
            "R_LB = [e_x, -e_y, -e_z]",
            "forward stays, right is against left, down against up: the columns are B's axes in L",
            [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
        ),
    ),
}
