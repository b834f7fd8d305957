"""Steps of WGS 84: the ellipsoid's normal, its inverse problem and its gravity; other conventions' orders."""

from __future__ import annotations

from codegen.library.shared.works import BOWRING, GROVES, NIMA, REP, ROS, VERMEILLE
from codegen.modeling.steps import Step, stated, stated_condition

GRAVITY = NIMA.at("equation 4-1", "equation 4-3")
ELLIPSOID = "a = 6378137, f = 1 / 298.257223563, e^2 = f (2 - f)"
NORMAL = f"N = a / sqrt(1 - e^2 sin(lat)^2), {ELLIPSOID}"

_PITCHED = "[[-sin(lat), 0, cos(lat)], [0, 1, 0], [-cos(lat), 0, -sin(lat)]]"
"""The rotation from the Earth's axes in the meridian to north, east and down."""

_local_axes = (
    stated(
        "Transpose the factors: first the turn to the meridian, then the pitch",
        f"R_NE = A B; A = {_PITCHED}; B = [[cos(lon), sin(lon), 0], [-sin(lon), cos(lon), 0], [0, 0, 1]]",
        by="the transpose of a product has the transposed factors in reverse; the angle of the pitch is a "
        "right angle beyond the latitude",
        source=GROVES.at("equation 2.150"),
    ),
    stated(
        "Write the upward normal and its derivatives by the angles: the rows are north, east and down",
        "R_NE = rows(north, east, -up); up = [cos(lat) cos(lon), cos(lat) sin(lon), sin(lat)];\n"
        "north = [-sin(lat) cos(lon), -sin(lat) sin(lon), cos(lat)], east = [-sin(lon), cos(lon), 0]",
        by="north and east are the directions in which the normal changes with latitude and longitude",
        source=GROVES.at("equation 2.150"),
    ),
)

_level_and_axial = (
    stated(
        "Write the components of the normal",
        "p_E = (N + h) n - [0, 0, e^2 N sin(lat)]; n = [cos(lat) cos(lon), cos(lat) sin(lon), sin(lat)];\n"
        f"{NORMAL}",
        by="the normal is raised over the equator by the latitude, in the meridian of the longitude",
        source=GROVES.at("equation 2.112"),
    ),
    stated(
        "Split the position into its distance from the axis and its height above the equator",
        f"p_E = [r cos(lon), r sin(lon), ((1 - e^2) N + h) sin(lat)]; r = (N + h) cos(lat);\n{NORMAL}",
        by="the normal meets the axis below the centre, by the square of `e` times its length along the axis",
        source=GROVES.at("equation 2.112"),
    ),
)

_PARTS = "rho = |[p_x, p_y]|, p_E = [p_x, p_y, p_z]"
_ON_ELLIPSOID = f"{_PARTS};\n{NORMAL}"

_quartic = stated_condition(
    "Eliminate latitude and height, which leaves one equation for `k`",
    f"rho^2 / (k + e^2)^2 + (1 - e^2) p_z^2 / k^2 = a^2; k = 1 - e^2 + h / N; {_ON_ELLIPSOID}",
    by="the distances from the axis and from the equator are multiples of those of the foot point, which is "
    "on the ellipsoid",
    source=VERMEILLE,
)

_largest_root = stated_condition(
    "Complete the square, with the root of the resolvent cubic",
    "(k + w)^2 = u + v + w^2; w = c (u + v - q) / (2 v), v = sqrt(u^2 + c^2 q), u = r (1 + t + 1 / t);\n"
    "t = exp(log(1 + s + sqrt(s (2 + s))) / 3), s = c^2 s_p q / (4 r^3), r = (s_p + q - c^2) / 6;\n"
    f"s_p = rho^2 / a^2, q = (1 - c) p_z^2 / a^2, c = e^2; k = 1 - e^2 + h / N; {_ON_ELLIPSOID}",
    by="the quartic is the difference of two squares where twice `u` is the root of a cubic, which has one "
    "real root outside the evolute of the ellipse; Cardano's formula gives it",
    source=VERMEILLE,
)

_latitude = stated_condition(
    "Compute latitude and longitude from `k`",
    "rho sin(lat) = (1 + e^2 / k) p_z cos(lat), lon = atan2(p_y, p_x);\n"
    f"rho cos(lon) = p_x, rho sin(lon) = p_y; k = 1 - e^2 + h / N; {_ON_ELLIPSOID}",
    by="the quotient of both distances is the tangent of the latitude but for a factor; on the axis the "
    "longitude is chosen as 0",
    source=VERMEILLE,
)

_height = stated_condition(
    "Project the position on the normal for the height",
    f"h = rho cos(lat) + p_z sin(lat) - a sqrt(1 - e^2 sin(lat)^2);\n{_PARTS}; {ELLIPSOID}",
    by="an error of the latitude enters in second order, because the foot point moves across the normal",
    source=BOWRING,
)

_radii = (
    stated(
        "Differentiate the height above the equator by the latitude: its rate is that of the arc, projected",
        "M = jacobian((1 - e^2) N sin(lat), [lat]) / cos(lat), N = (1 / W) a;\n"
        f"W = sqrt(1 - e^2 sin(lat)^2), {ELLIPSOID}",
        by="the meridian is raised over the equator by a right angle less the latitude, and turns with it",
        source=GROVES.at("equation 2.105"),
    ),
    stated(
        "Apply the product rule, and use the radius `N` in the result",
        f"M = (1 - e^2) N / (1 - e^2 sin(lat)^2), {NORMAL}",
        by="the derivative of the root in `N` is a multiple of the sine of the latitude, and both terms "
        "together have the cosine as a factor",
        source=GROVES.at("equation 2.105"),
    ),
)

_earth_rate = (
    stated(
        "Write the transposed matrix of the pitch",
        f"w_N = A [0, 0, Omega]; A = {_PITCHED} = Ry(-lat - pi / 2)^T",
        by="the angle is a right angle beyond the latitude, downwards",
        source=GROVES,
    ),
    stated(
        "Project the Earth's axis on north, east and down",
        "w_N = [Omega cos(lat), 0, -Omega sin(lat)]",
        by="the axis is in the plane of the meridian, raised over north by the latitude",
        source=GROVES,
    ),
)

_RADII_OF_NED = f"R_M = (1 - e^2) R_N / (1 - e^2 sin(lat)^2), R_N = a / sqrt(1 - e^2 sin(lat)^2), {ELLIPSOID}"
"""The radii of curvature where N is the frame."""

_turning = stated(
    "Add the turn about the Earth's axis, with the longitude, and that about west, with the latitude",
    "w_N = dlon k - dlat e_y; k = [cos(lat), 0, -sin(lat)];\n"
    "dlat = v_x / (R_M + h), dlon = v_y / ((R_N + h) cos(lat)), v_N = [v_x, v_y, v_z];\n"
    f"{_RADII_OF_NED}",
    by="angular velocities add up; `k` is the Earth's axis in N, and a point moves north by the radius of "
    "the meridian's curvature plus the height, and east by its distance from the axis, per radian",
    source=GROVES.at("equation 5.44"),
)

_transport = stated(
    "Multiply the matrix with the Earth's axis, whose first component cancels the cosine",
    "w_N = [t, -v_x / (R_M + h), -t sin(lat) / cos(lat)]; t = v_y / (R_N + h); v_N = [v_x, v_y, v_z];\n"
    f"{_RADII_OF_NED}",
    by="the velocity east is the rate of the longitude times the distance from the axis",
    source=GROVES.at("equation 5.44"),
)

_POSITION_OF_ORIGIN = (
    "p_0 = [r cos(lon_0), r sin(lon_0), ((1 - e^2) N + h_0) sin(lat_0)]; r = (N + h_0) cos(lat_0);\n"
    + NORMAL.replace("lat", "lat_0")
)
_ORIGIN = f"""up = [cos(lat_0) cos(lon_0), cos(lat_0) sin(lon_0), sin(lat_0)];
north = [-sin(lat_0) cos(lon_0), -sin(lat_0) sin(lon_0), cos(lat_0)], east = [-sin(lon_0), cos(lon_0), 0];
{_POSITION_OF_ORIGIN}"""
_TURNED = f"R = Rz(lon_0) Ry(-lat_0 - pi / 2); {_POSITION_OF_ORIGIN}"
_AS_IN_ECEF = "the origin has its distance from the axis and its height above the equator"

_to_local = (
    stated(
        "Subtract the origin before the rotation",
        f"p_N = R^T (p_E - p_0); {_TURNED}",
        by=f"the matrix multiplies both positions; {_AS_IN_ECEF}",
        source=GROVES.at("equation 2.150"),
    ),
    stated(
        "Project on north, east and down",
        f"p_N = [north.d, east.d, -up.d]; d = p_E - p_0; {_ORIGIN}",
        by="the columns of the rotation are these directions in E",
        source=GROVES.at("equation 2.150"),
    ),
)

_from_local = (
    stated(
        "Write the position of the origin",
        f"p_E = p_0 + R p_N; {_TURNED}",
        by=_AS_IN_ECEF,
        source=GROVES.at("equation 2.150"),
    ),
    stated(
        "Write the axes as the columns",
        f"p_E = p_0 + p_x north + p_y east - p_z up; p_N = [p_x, p_y, p_z]; {_ORIGIN}",
        by="a matrix times a vector is the sum of its columns with the components",
        source=GROVES.at("equation 2.150"),
    ),
)

_rotated_earth = (
    stated(
        "Turn back by the angle",
        "R_EI = Rz(-theta)",
        by="the Earth has turned by `theta` about its third axis; the transpose is a rotation back, "
        "and is that by the opposite angle",
        source=GROVES.at("equation 2.145"),
    ),
    stated(
        "Write the elementary matrix",
        "R_EI = [[cos(theta), sin(theta), 0], [-sin(theta), cos(theta), 0], [0, 0, 1]]",
        by="the cosine of the opposite angle is the same, the sine the opposite",
        source=GROVES.at("equation 2.145"),
    ),
)

_EARTH_AXES = "R = [[cos(theta), sin(theta), 0], [-sin(theta), cos(theta), 0], [0, 0, 1]]"

_CARRIED = "a rotation takes a cross product to that of the rotated vectors, and keeps its own axis"
_TRANSPOSED = "the rotation by the opposite angle is the transpose"

_to_earth = (
    stated(
        "Turn the position first, and take the Earth's velocity from the turned one",
        "p_E = Rz(theta)^T p_I, v_E = Rz(theta)^T v_I - [0, 0, Omega] x p_E",
        by=_CARRIED,
        source=GROVES.at("equation 2.146", "equation 2.147"),
    ),
    stated(
        "Transpose the elementary matrix",
        "p_E = R p_I, v_E = R v_I - [0, 0, Omega] x (R p_I);\n" + _EARTH_AXES,
        by=_TRANSPOSED,
        source=GROVES.at("equation 2.146", "equation 2.147"),
    ),
)

_to_inertial = (
    stated(
        "Add the Earth's velocity before both are turned",
        "p_I = Rz(theta) p_E, v_I = Rz(theta) (v_E + [0, 0, Omega] x p_E)",
        by=_CARRIED,
        source=GROVES.at("equation 2.146", "equation 2.147"),
    ),
    stated(
        "Write the rotation as the transpose of that to the Earth's axes",
        "p_I = R^T p_E, v_I = R^T (v_E + [0, 0, Omega] x p_E);\n" + _EARTH_AXES,
        by=_TRANSPOSED,
        source=GROVES.at("equation 2.146", "equation 2.147"),
    ),
)

_CONSTANTS = f"""k = b g_p / (a g_e) - 1, m = Omega^2 a^2 b / GM, b = (1 - f) a, {ELLIPSOID};
g_e = 9.7803253359, g_p = 9.8321849378, Omega = 7.292115e-5, GM = 3.986004418e14"""

_somigliana = stated(
    "Divide Somigliana's formula by the gravity at the equator and the semi-major axis",
    "g = (g_e (1 + k s) / sqrt(1 - e^2 s)) (1 - 2 (1 + f + m - 2 f s) h / a + 3 h^2 / a^2);\n"
    f"s = sin(lat)^2; {_CONSTANTS}",
    by="the squares of cosine and sine add up to 1",
    source=GRAVITY,
)

_horner = stated(
    "Evaluate the height series by Horner's rule",
    "g = (g_e (1 + k s) / sqrt(1 - e^2 s)) (1 - r (2 (1 + f + m) - 4 f s - 3 r));\n"
    f"s = sin(lat)^2, r = h / a; {_CONSTANTS}",
    by="the powers of the height over the semi-major axis are taken out one by one",
    source=GRAVITY,
)

_EXCHANGE = "Write the axes of one frame in the other"
_MESSAGE = f"{ROS}: x, y, z, w"
_SAME = "both are Hamilton quaternions; only the order differs"

_to_xyzw = stated(
    "Work componentwise", "xyzw = [q_x, q_y, q_z, q_w]; q = [q_w, q_x, q_y, q_z]", by=_SAME, source=_MESSAGE
)

_from_xyzw = stated(
    "Work componentwise", "q = [q_w, q_x, q_y, q_z]; xyzw = [q_x, q_y, q_z, q_w]", by=_SAME, source=_MESSAGE
)

_enu = (
    stated(
        "Turn the axes half around north",
        "R_UN = Rz(pi / 2) cols(e_x, -e_y, -e_z)",
        by="half a turn keeps its axis, and reverses what is perpendicular to it",
        source=REP,
    ),
    stated(
        _EXCHANGE,
        "R_UN = cols(e_y, e_x, -e_z)",
        by="north is U's y, east its x, down is against its z: the columns are N's axes in U",
        source=REP,
    ),
)

_flu = stated(
    _EXCHANGE,
    "R_LB = cols(e_x, -e_y, -e_z)",
    by="forward stays, right is against left, down against up: the columns are B's axes in L",
    source=REP,
)

STEPS: dict[str, tuple[Step, ...]] = {
    "dcm_ecef_to_ned": _local_axes,
    "ecef_from_geodetic": _level_and_axial,
    "geodetic_from_ecef": (_quartic, _largest_root, _latitude, _height),
    "curvature_radii": _radii,
    "earth_rate_ned": _earth_rate,
    "transport_rate_ned": (_turning, _transport),
    "ned_from_ecef": _to_local,
    "ecef_from_ned": _from_local,
    "dcm_eci_to_ecef": _rotated_earth,
    "ecef_from_eci": _to_earth,
    "eci_from_ecef": _to_inertial,
    "gravity_wgs84": (_somigliana, _horner),
    "quat_from_xyzw": (_from_xyzw,),
    "quat_to_xyzw": (_to_xyzw,),
    "dcm_ned_to_enu": _enu,
    "dcm_frd_to_flu": (_flu,),
}
