"""Navigation on the WGS 84 ellipsoid, its rotation and normal gravity, adapters to other conventions."""

from fractions import Fraction
from math import pi

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Array, Scalar
from codegen.library.shared.arguments import quaternion, rotation, vector
from codegen.library.shared.guards import finite_or_zero
from codegen.library.shared.works import BOWRING, GROVES, IERS, NIMA, REP, VERMEILLE
from codegen.modeling.failures import Failure
from codegen.modeling.types.algebra import Geocentric, Quaternion, Rotation, Vec3
from codegen.modeling.types.scalar import (
    EPS,
    MAX,
    absolute,
    atan2,
    constant,
    cos,
    every,
    exp,
    let,
    log,
    require,
    select,
    sin,
    sqrt,
)

A = Fraction(6378137)
"""Semi-major axis, m."""
F = 1 / Fraction("298.257223563")
"""Flattening."""
E2 = F * (2 - F)
"""First eccentricity squared."""
G_EQUATOR, G_POLE = Fraction("9.7803253359"), Fraction("9.8321849378")
"""Normal gravity on the ellipsoid, m/s^2."""
GM, OMEGA = Fraction("3.986004418e14"), Fraction("7.292115e-5")
"""The Earth's gravitational parameter, m^3/s^2, and its rate of rotation, rad/s."""

ELLIPSOID = "a = 6378137; f = 1 / 298.257223563; e^2 = f (2 - f)"
"""The constants of WGS 84 in equations: semi-major axis in m, flattening, first eccentricity."""

LAT = Arg("lat", REAL, "rad", "geodetic latitude")
LON = Arg("lon", REAL, "rad", "longitude, positive east")
LAT_TO_POLES = Arg("lat", REAL, "rad", "geodetic latitude", range=(-pi / 2, pi / 2))
"""A latitude with the poles as the ends of its range, at which kernels that are singular there are tested."""
HEIGHT = Arg("h", REAL, "m", "height above the ellipsoid")
POSITION = Arg(
    "p_E", Geocentric, "m", "position from the Earth's centre; z along the axis, x at lon = 0", "E"
)


@kernel(
    inputs=[LAT, LON],
    outputs=[rotation("R_NE", "rotation matrix from Earth-fixed (ECEF) to north, east, down axes")],
    equation="R_NE = [[-sin(lat) cos(lon), -sin(lat) sin(lon), cos(lat)], [-sin(lon), cos(lon), 0], "
    "[-cos(lat) cos(lon), -cos(lat) sin(lon), -sin(lat)]]",
    source=GROVES.at("equation 2.150"),
)
def dcm_ecef_to_ned(lat: Scalar, lon: Scalar) -> Rotation:
    """Rotation matrix from Earth-fixed to north-east-down axes.

    At a pole the longitude defines the direction of north.
    """
    s, c = let("sin_lat", sin(lat)), let("cos_lat", cos(lat))
    sin_lon, cos_lon = let("sin_lon", sin(lon)), let("cos_lon", cos(lon))
    return Rotation(
        (
            *(-(s * cos_lon), -(s * sin_lon), c),
            *(-sin_lon, cos_lon, 0),
            *(-(c * cos_lon), -(c * sin_lon), -s),
        )
    )


def _root(sine2: Scalar) -> Scalar:
    """a over the radius of curvature in the prime vertical, sqrt(1 - e^2 sin^2 lat)."""
    return let("root", sqrt(1 - constant(E2) * sine2))


@kernel(
    inputs=[LAT, LON, HEIGHT],
    outputs=[POSITION],
    equation="p_E = [(N + h) cos(lat) cos(lon), (N + h) cos(lat) sin(lon), ((1 - e^2) N + h) sin(lat)]; "
    f"N = a / sqrt(1 - e^2 sin(lat)^2); {ELLIPSOID}",
    source=f"{NIMA.at('equation 4-15')}: `a = 6378137` m, `1/f = 298.257223563`, `e^2 = f (2 - f)`",
)
def ecef_from_geodetic(lat: Scalar, lon: Scalar, h: Scalar) -> Vec3:
    """Earth-fixed position from WGS 84 latitude, longitude and height."""
    s, c = let("sin_lat", sin(lat)), cos(lat)
    N = let("N", constant(A) / _root(s * s))
    level = let("level", (N + h) * c)
    return Vec3(level * cos(lon), level * sin(lon), (constant(1 - E2) * N + h) * s)


INNER = 50_000
"""Within this distance of the centre, m, a point may have several nearest points of the ellipsoid."""


def _multiplier(p: Scalar, q: Scalar) -> Scalar:
    """Vermeille's k, the largest root of p / (k + e^2)^2 + q / k^2 = 1."""
    e4 = constant(E2 * E2)
    r = let("r", (p + q - e4) / 6)
    inv_r = let("inv_r", 1 / r)
    s = let("s", constant(E2 * E2 / 4) * (p * inv_r) * (q * inv_r) * inv_r)
    t = let("t", exp(log(1 + s + sqrt(s * (2 + s))) / 3))
    u = let("u", r * (1 + t + 1 / t))
    v = let("v", sqrt(u * u + e4 * q))
    w = let("w", constant(E2 / 2) * (u + v - q) / v)
    return let("k", sqrt(u + v + w * w) - w)


NOWHERE = "lat = 0, lon = 0, h = 0"
"""The results where the position determines none."""


@kernel(
    inputs=[POSITION],
    outputs=[LAT, LON, HEIGHT],
    equation="rho^2 / (k + e^2)^2 + (1 - e^2) p_z^2 / k^2 = a^2; rho sin(lat) = (1 + e^2 / k) p_z cos(lat); "
    "rho cos(lon) = p_x; rho sin(lon) = p_y; h = rho cos(lat) + p_z sin(lat) - a sqrt(1 - e^2 sin(lat)^2); "
    "|lat| <= pi / 2; |lon| <= pi; p_E = [p_x, p_y, p_z]; rho = |[p_x, p_y]|; k = 1 - e^2 + h / N; "
    f"N = a / sqrt(1 - e^2 sin(lat)^2); {ELLIPSOID}",
    source=f"{VERMEILLE}; the height after {BOWRING}; a, f: {NIMA}",
    failures={
        Status.DEGENERATE: Failure(
            "p_E.p_E > 50000^2", NOWHERE, "otherwise the Earth's centre is not more than 50 km away"
        ),
        Status.NOT_FINITE: Failure("((p_x^2 + p_y^2 + (1 - e^2) p_z^2) / a^2)^2 <= max", NOWHERE),
    },
)
def geodetic_from_ecef(p_E: Vec3) -> tuple[Scalar, Scalar, Scalar]:
    """WGS 84 latitude, longitude and height of an Earth-fixed position, in closed form.

    In the tests, the errors of `lat` and `lon` stay within 2 eps, that of `h` within 3 eps times the larger
    of `a` and the distance from the Earth's centre: 4.3 nm near the Earth in double, 2.3 m in float. They are
    measured from 51 km to 1.5e11 m off the Earth's centre, and not proven; the rounding of `p_E` itself is
    not included. On the polar axis `lon` is 0.
    """
    x, y, z = p_E.scalars()
    rho2 = let("rho2", x * x + y * y)
    p, q = let("p", constant(1 / A**2) * rho2), let("q", constant((1 - E2) / A**2) * (z * z))
    square = let("p_plus_q", p + q)
    off_centre = require(rho2 + z * z > INNER**2, Status.DEGENERATE)
    ok = let("ok", every(off_centre, require(square * square <= MAX, Status.NOT_FINITE)))
    rho2, z = select(ok, rho2, constant(A**2)), let("z", select(ok, z, 0))

    rho = let("rho", sqrt(rho2))
    k = _multiplier(select(ok, p, 1), select(ok, q, 0))
    stretched = let("z_stretched", z + constant(E2) / k * z)
    inv_length = let("inv_length", 1 / sqrt(rho2 + stretched * stretched))
    s, c = let("sin_lat", stretched * inv_length), rho * inv_length
    height = rho * c + z * s - constant(A) * _root(s * s)

    off_axis = absolute(x) + absolute(y) > 0
    return (
        atan2(stretched, rho),
        atan2(select(ok, y, 0), select(every(ok, off_axis), x, 1)),
        select(ok, height, 0),
    )


NORMAL_RADIUS = f"N = a / sqrt(1 - e^2 sin(lat)^2); {ELLIPSOID}"
BOTH_RADII = f"M = (1 - e^2) N / (1 - e^2 sin(lat)^2); {NORMAL_RADIUS}"


@kernel(
    inputs=[LAT],
    outputs=[
        Arg("M", REAL, "m", "radius of curvature of the meridian, from south to north"),
        Arg("N", REAL, "m", "radius of curvature from west to east, in the prime vertical"),
    ],
    equation=BOTH_RADII,
    source=GROVES.at("equation 2.105"),
)
def curvature_radii(lat: Scalar) -> tuple[Scalar, Scalar]:
    """Radii of curvature of the WGS 84 ellipsoid.

    At a height, the metres north per radian of latitude are the sum of `M` and the height, those east per
    radian of longitude the sum of `N` and the height, times the cosine of the latitude.
    """
    s = sin(lat)
    root = _root(s * s)
    inv_root = let("inv_root", 1 / root)
    N = let("N", constant(A) * inv_root)
    return constant(1 - E2) * N * (inv_root * inv_root), N


EARTH_RATE = Arg("Omega", REAL, "rad/s", "the Earth's rate of rotation, 7.292115e-5 in WGS 84")


@kernel(
    inputs=[LAT, EARTH_RATE],
    outputs=[vector("w_N", "rad/s", "angular velocity of the Earth relative to inertial space", "N")],
    equation="w_N = [Omega cos(lat), 0, -Omega sin(lat)]",
    source=GROVES,
)
def earth_rate_ned(lat: Scalar, Omega: Scalar) -> Vec3:
    """Angular velocity of the Earth in north-east-down axes."""
    return Vec3(Omega * cos(lat), 0, -(Omega * sin(lat)))


@kernel(
    inputs=[
        LAT_TO_POLES,
        HEIGHT,
        vector("v_N", "m/s", "velocity relative to the Earth: north, east, down", "N"),
    ],
    outputs=[vector("w_N", "rad/s", "angular velocity of N relative to the Earth", "N")],
    equation="w_N = [v_y / (R_N + h), -v_x / (R_M + h), -v_y sin(lat) / ((R_N + h) cos(lat))]; "
    "v_N = [v_x, v_y, v_z]; R_M = (1 - e^2) R_N / (1 - e^2 sin(lat)^2); "
    f"R_N = a / sqrt(1 - e^2 sin(lat)^2); {ELLIPSOID}",
    source=GROVES.at("equation 5.44"),
    failures={
        Status.DEGENERATE: Failure(
            "|cos(lat)| > sqrt(eps)",
            "w_N = [v_y / (R_N + h), -v_x / (R_M + h), 0]",
            "otherwise a pole is within 2.2 km in float, 0.1 m in double",
        ),
        Status.NOT_FINITE: Failure("|sum(w_N)| <= max", "w_N = 0"),
    },
)
def transport_rate_ned(lat: Scalar, h: Scalar, v_N: Vec3) -> Vec3:
    """Transport rate: angular velocity of a moving vehicle's north-east-down axes relative to the Earth.

    `R_M` and `R_N` are the radii of curvature `M` and `N` of curvature_radii. The third component grows
    without bound towards the poles.
    """
    s, c = let("sin_lat", sin(lat)), let("cos_lat", cos(lat))
    root = _root(s * s)
    R_N = let("R_N", constant(A) / root)
    off_pole = let("off_pole", require(absolute(c) > sqrt(EPS), Status.DEGENERATE))
    eastward = let("eastward", v_N.y / (R_N + h))
    northward = let("northward", v_N.x / (constant(1 - E2) * R_N / (root * root) + h))
    turn = let("turn", eastward * select(off_pole, s, 0) / select(off_pole, c, 1))
    return finite_or_zero(True, Vec3(eastward, -northward, -turn))


LAT_0, LON_0, HEIGHT_0 = (
    Arg(f"{a.name}_0", REAL, a.unit, f"{a.doc}, of N's origin") for a in (LAT, LON, HEIGHT)
)
LOCAL = vector("p_N", "m", "position from N's origin: north, east, down", "N")
LOCAL_AXES = (
    "R_NE = [[-sin(lat_0) cos(lon_0), -sin(lat_0) sin(lon_0), cos(lat_0)], [-sin(lon_0), cos(lon_0), 0], "
    "[-cos(lat_0) cos(lon_0), -cos(lat_0) sin(lon_0), -sin(lat_0)]]; "
    "p_0 = [r cos(lon_0), r sin(lon_0), ((1 - e^2) N + h_0) sin(lat_0)]; r = (N + h_0) cos(lat_0); "
    f"N = a / sqrt(1 - e^2 sin(lat_0)^2); {ELLIPSOID}"
)


@kernel(
    inputs=[POSITION, LAT_0, LON_0, HEIGHT_0],
    outputs=[LOCAL],
    equation=f"p_N = R_NE (p_E - p_0); {LOCAL_AXES}",
    source=f"{GROVES.at('equation 2.150')}; {NIMA}",
)
def ned_from_ecef(p_E: Vec3, lat_0: Scalar, lon_0: Scalar, h_0: Scalar) -> Vec3:
    """Position in the north-east-down axes of a fixed origin, from an Earth-fixed one.

    The axes do not follow the Earth's curvature: 10 km from the origin, a point on the ellipsoid is 7.8 m
    below the plane of north and east. In float, `p_E` itself comes in steps of up to 0.5 m near the Earth.
    """
    p_N: Vec3 = dcm_ecef_to_ned(lat_0, lon_0) @ (p_E - ecef_from_geodetic(lat_0, lon_0, h_0))
    return p_N


@kernel(
    inputs=[LOCAL, LAT_0, LON_0, HEIGHT_0],
    outputs=[POSITION],
    equation=f"p_E = R_NE^T p_N + p_0; {LOCAL_AXES}",
    source=f"{GROVES.at('equation 2.150')}; {NIMA}",
)
def ecef_from_ned(p_N: Vec3, lat_0: Scalar, lon_0: Scalar, h_0: Scalar) -> Vec3:
    """Earth-fixed position from one in the north-east-down axes of a fixed origin."""
    offset = let("offset", dcm_ecef_to_ned(lat_0, lon_0).transpose @ p_N)
    p_E: Vec3 = ecef_from_geodetic(lat_0, lon_0, h_0) + offset
    return p_E


ROTATION_ANGLE = Arg("theta", REAL, "rad", "angle of the Earth's rotation from I to E, positive eastward")
INERTIAL = (
    vector("p_I", "m", "position from the Earth's centre; I's z axis is the Earth's", "I"),
    vector("v_I", "m/s", "velocity relative to I", "I"),
)
EARTH_FIXED = (
    vector("p_E", "m", "position from the Earth's centre", "E"),
    vector("v_E", "m/s", "velocity relative to the rotating Earth", "E"),
)
INERTIAL_AXES = "R_EI = [[cos(theta), sin(theta), 0], [-sin(theta), cos(theta), 0], [0, 0, 1]]"
NO_PRECESSION = (
    "precession, nutation and the motion of the pole are left out, or `p_I` is in axes that have them"
)


@kernel(
    inputs=[ROTATION_ANGLE],
    outputs=[rotation("R_EI", "rotation matrix from inertial (ECI) to Earth-fixed (ECEF) axes")],
    equation=INERTIAL_AXES,
    source=f"{GROVES.at('equation 2.145')}; {IERS.at('equation 5.15')}",
    requires=NO_PRECESSION,
)
def dcm_eci_to_ecef(theta: Scalar) -> Rotation:
    """Rotation matrix from inertial to Earth-fixed axes.

    `theta` is `Omega` times the time since the axes of I and E were the same, or the Earth rotation angle.
    In float, reduce it to one turn before it is rounded.
    """
    s, c = let("sin_theta", sin(theta)), let("cos_theta", cos(theta))
    return Rotation((c, s, 0, -s, c, 0, 0, 0, 1))


@kernel(
    inputs=[*INERTIAL, ROTATION_ANGLE, EARTH_RATE],
    outputs=EARTH_FIXED,
    equation=f"p_E = R_EI p_I; v_E = R_EI v_I - [0, 0, Omega] x p_E; {INERTIAL_AXES}",
    source=GROVES.at("equation 2.146", "equation 2.147"),
    requires=NO_PRECESSION,
)
def ecef_from_eci(p_I: Vec3, v_I: Vec3, theta: Scalar, Omega: Scalar) -> tuple[Vec3, Vec3]:
    """Earth-fixed position and velocity from inertial ones."""
    R_EI = dcm_eci_to_ecef(theta)
    p_E = let("turned_p", R_EI @ p_I)
    turned = let("turned_v", R_EI @ v_I)
    return p_E, Vec3(turned.x + Omega * p_E.y, turned.y - Omega * p_E.x, turned.z)


@kernel(
    inputs=[*EARTH_FIXED, ROTATION_ANGLE, EARTH_RATE],
    outputs=INERTIAL,
    equation=f"p_I = R_EI^T p_E; v_I = R_EI^T (v_E + [0, 0, Omega] x p_E); {INERTIAL_AXES}",
    source=GROVES.at("equation 2.146", "equation 2.147"),
    requires=NO_PRECESSION,
)
def eci_from_ecef(p_E: Vec3, v_E: Vec3, theta: Scalar, Omega: Scalar) -> tuple[Vec3, Vec3]:
    """Inertial position and velocity from Earth-fixed ones."""
    R_IE = dcm_eci_to_ecef(theta).transpose
    carried = let("carried", Vec3(v_E.x - Omega * p_E.y, v_E.y + Omega * p_E.x, v_E.z))
    return R_IE @ p_E, R_IE @ carried


BULGE = (1 - F) * G_POLE / G_EQUATOR - 1
"""Somigliana's constant k = b g_p / (a g_e) - 1."""
SPIN = OMEGA**2 * A**3 * (1 - F) / GM
"""Helmert's ratio m = Omega^2 a^2 b / GM."""


@kernel(
    inputs=[LAT, HEIGHT],
    outputs=[Arg("g", REAL, "m/s^2", "normal gravity, centrifugal acceleration included, along down")],
    equation="g = (g_e (1 + k sin(lat)^2) / sqrt(1 - e^2 sin(lat)^2)) "
    "(1 - 2 (1 + f + m - 2 f sin(lat)^2) h / a + 3 h^2 / a^2); "
    "k = b g_p / (a g_e) - 1; m = Omega^2 a^2 b / GM; b = (1 - f) a; g_e = 9.7803253359; g_p = 9.8321849378; "
    f"Omega = 7.292115e-5; GM = 3.986004418e14; {ELLIPSOID}",
    source=f"{NIMA.at('equation 4-1', 'equation 4-3')}: `g_e = 9.7803253359` and `g_p = 9.8321849378` m/s^2, "
    "`k = b g_p / (a g_e) - 1`, `m = Omega^2 a^2 b / GM`, `Omega = 7.292115e-5` rad/s, `GM = "
    "3.986004418e14` m^3/s^2",
)
def gravity_wgs84(lat: Scalar, h: Scalar) -> Scalar:
    """Normal gravity of WGS 84 by Somigliana's formula, with its change with height to second order.

    The series differs from the exact field of the ellipsoid by at most 8e-7 m/s^2 up to `h` = 10 km; over the
    poles, where the error is largest, by 1.5e-6 at 20 km, 2.1e-5 at 50 km, 1.6e-4 at 100 km and 1.2e-3 at 200
    km. Rounding adds 3 eps of `g`: 3.5e-6 m/s^2 in float.
    """
    s = sin(lat)
    s2 = let("sin2_lat", s * s)
    on_ellipsoid = let("g_0", constant(G_EQUATOR) * (1 + constant(BULGE) * s2) / _root(s2))
    height = let("h_a", constant(1 / A) * h)
    slope = constant(2 * (1 + F + SPIN)) - constant(4 * F) * s2 - 3 * height
    return on_ellipsoid * (1 - height * slope)


XYZW = Arg("xyzw", Array((4,)), "1", "quaternion in the order x, y, z, w of ROS, Eigen's coeffs and SciPy")
ORDER = "the order of the components"


@kernel(
    inputs=[XYZW],
    outputs=[quaternion("q", "the same quaternion")],
    equation="q = [q_w, q_x, q_y, q_z]; xyzw = [q_x, q_y, q_z, q_w]",
    source=ORDER,
)
def quat_from_xyzw(xyzw: tuple[Scalar, ...]) -> Quaternion:
    """Quaternion from the order x, y, z, w.

    PX4 and the constructor of Eigen::Quaternion take w first: they need no conversion.
    """
    x, y, z, w = xyzw
    return Quaternion(w, x, y, z)


@kernel(
    inputs=[quaternion("q", "quaternion")],
    outputs=[XYZW],
    equation="xyzw = [q_x, q_y, q_z, q_w]",
    source=ORDER,
)
def quat_to_xyzw(q: Quaternion) -> list[Scalar]:
    """Quaternion in the order x, y, z, w."""
    return [q.x, q.y, q.z, q.w]


@kernel(
    inputs=[],
    outputs=[rotation("R_UN", "rotation from N (north, east, down) to U (east, north, up)")],
    equation="R_UN = [[0, 1, 0], [1, 0, 0], [0, 0, -1]]",
    source=REP,
)
def dcm_ned_to_enu() -> Rotation:
    """Rotation matrix from north-east-down to east-north-up axes; it is its own inverse.

    Multiplied from the left, it converts the world frame of an attitude from N to U.
    """
    return Rotation((0, 1, 0, 1, 0, 0, 0, 0, -1))


@kernel(
    inputs=[],
    outputs=[rotation("R_LB", "rotation from B (forward, right, down) to L (forward, left, up)")],
    equation="R_LB = diag(1, -1, -1)",
    source=REP,
)
def dcm_frd_to_flu() -> Rotation:
    """Rotation matrix from forward-right-down to forward-left-up axes; it is its own inverse.

    Multiplied from the right, it converts the body frame of an attitude from B to L, as its transpose does:
    `R_LB^T = R_LB`.
    """
    return Rotation((1, 0, 0, 0, -1, 0, 0, 0, -1))
