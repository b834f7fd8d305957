"""Air data: airspeed, angle of attack and sideslip of a velocity, and the wind axes."""

from fractions import Fraction

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import POSITIVE, REAL, Scalar
from codegen.library.shared.arguments import rotation, vector
from codegen.library.shared.guards import bounded, total
from codegen.library.shared.works import GRACEY, ISO, STEVENS
from codegen.modeling.failures import Failure
from codegen.modeling.types.algebra import Rotation, Vec3
from codegen.modeling.types.scalar import (
    MAX,
    MIN,
    atan2,
    bare,
    constant,
    cos,
    every,
    exp,
    expm1,
    let,
    log,
    log1p,
    require,
    select,
    sin,
    sqrt,
)

VELOCITY = vector("v_air_B", "m/s", "velocity relative to the air; B's axes are forward, right, down", "B")
AIRSPEED = Arg("V", REAL, "m/s", "true airspeed")
ALPHA = Arg("alpha", REAL, "rad", "angle of attack, positive nose up")
BETA = Arg("beta", REAL, "rad", "sideslip, positive with the wind from the right")


@kernel(
    inputs=[VELOCITY],
    outputs=[AIRSPEED, ALPHA, BETA],
    equation="V = |v_air_B|; alpha = atan2(v_z, v_x); beta = atan2(v_y, sqrt(v_x^2 + v_z^2)); "
    "v_air_B = [v_x, v_y, v_z]",
    source=STEVENS,
    failures={
        Status.ZERO_NORM: Failure("v_air_B.v_air_B > min", "V = 0, alpha = 0, beta = 0"),
        Status.NOT_FINITE: Failure("v_air_B.v_air_B <= max", "V = 0, alpha = 0, beta = 0"),
    },
)
def air_data_from_velocity(v_air_B: Vec3) -> tuple[Scalar, Scalar, Scalar]:
    """Airspeed, angle of attack and sideslip of a velocity.

    `beta = asin(v_y / V)`, computed by an arc tangent, which is accurate at every angle. For a velocity along
    B's y axis `alpha` is undefined; the result is then that of C's atan2.
    """
    u, v, w = v_air_B.scalars()
    forward2 = let("v_xz2", u * u + w * w)
    n = let("V2", forward2 + v * v)
    normal = require(n > MIN, Status.ZERO_NORM)
    ok = let("ok", every(normal, require(n <= MAX, Status.NOT_FINITE)))
    u, v, w = select(ok, Vec3(u, v, w), Vec3(1, 0, 0)).scalars()
    return (
        sqrt(select(ok, n, 0)),
        atan2(w, u),
        atan2(v, sqrt(select(ok, forward2, 1))),
    )


@kernel(
    inputs=[AIRSPEED, ALPHA, BETA],
    outputs=[VELOCITY],
    equation="v_air_B = V [cos(alpha) cos(beta), sin(beta), sin(alpha) cos(beta)]",
    source=STEVENS,
)
def velocity_from_air_data(V: Scalar, alpha: Scalar, beta: Scalar) -> Vec3:
    """Velocity relative to the air from airspeed, angle of attack and sideslip."""
    level = let("V_cos_beta", V * cos(beta))
    return Vec3(level * cos(alpha), V * sin(beta), level * sin(alpha))


@kernel(
    inputs=[ALPHA, BETA],
    outputs=[rotation("R_BW", "rotation matrix from wind axes; W's x axis is along the velocity")],
    equation="R_BW = Ry(-alpha) Rz(beta)",
    source=f"{STEVENS}, transposed",
)
def dcm_from_wind(alpha: Scalar, beta: Scalar) -> Rotation:
    """Rotation matrix of the wind axes: its first column is that of the velocity relative to the air.

    W's z axis stays in B's plane of symmetry.
    """
    s_a, c_a = let("sin_alpha", sin(alpha)), let("cos_alpha", cos(alpha))
    s_b, c_b = let("sin_beta", sin(beta)), let("cos_beta", cos(beta))
    return Rotation((*(c_a * c_b, -(c_a * s_b), -s_a), *(s_b, c_b, 0), *(s_a * c_b, -(s_a * s_b), c_a)))


T_0, P_0 = Fraction("288.15"), Fraction(101325)
"""Temperature in K and pressure in Pa at sea level."""

T_11 = Fraction("216.65")
"""The temperature of the lower stratosphere, from 11 km to 20 km."""

R_AIR, G_0, SOUND = Fraction("287.05287"), Fraction("9.80665"), Fraction("20.046796")
"""The gas constant of air in J/(kg K), standard gravity in m/s^2, the speed of sound at 1 K in m/s."""

COOLING, WARMING = Fraction("0.0065"), Fraction("0.001")
"""Lapse below 11 km and gain above 20 km, in K/m."""

_LAYERS = (
    "T = {T_0 - beta h if h <= 11000, T_11 + gamma max(h - 20000, 0) otherwise}; "
    "L = {log((T_0 - beta h) / T_0) / beta if h <= 11000, "
    "log(T_11 / T_0) / beta - (min(h, 20000) - 11000) / T_11 "
    "- log((T_11 + gamma max(h - 20000, 0)) / T_11) / gamma otherwise}; "
    "T_0 = 288.15; T_11 = 216.65; beta = 0.0065; gamma = 0.001; "
    "p_0 = 101325; g_0 = 9.80665; R = 287.05287"
)


@kernel(
    inputs=[Arg("h", REAL, "m", "geopotential height above mean sea level", range=(-10000, 40000))],
    outputs=[
        Arg("T", REAL, "K", "temperature"),
        Arg("p", REAL, "Pa", "pressure"),
        Arg("rho", REAL, "kg/m^3", "density"),
        Arg("a", REAL, "m/s", "speed of sound"),
    ],
    equation=f"p = p_0 exp((g_0 / R) L); rho = p / (R T); a = 20.046796 sqrt(T); {_LAYERS}",
    source=ISO,
    failures={
        Status.OUTSIDE: Failure("-5000 <= h, h <= 32000", note="the results are those of the nearer end"),
    },
)
def isa_atmosphere(h: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """International Standard Atmosphere: temperature, pressure, density and speed of sound.

    A geometric height becomes a geopotential one by multiplication with the standard's radius of the Earth,
    6356766 m, and division by the sum of radius and height.
    """
    fits = h <= 32000
    inside = let("inside", require(every(h >= -5000, fits), Status.OUTSIDE))
    x = let("x", select(inside, h, select(fits, -5000, 32000)))
    low, high = let("low", x <= 11000), let("high", x > 20000)
    below = let("T_below", constant(T_0) - constant(COOLING) * select(low, x, 11000))
    warmer = let("warmer", constant(WARMING) * select(low, 0, select(high, x - 20000, 0)))
    T, beyond = let("T", below + warmer), constant(T_11) + warmer
    level = select(low, 0, select(high, 9000, x - 11000))
    exponent = (
        constant(G_0 / (R_AIR * COOLING)) * log(below / constant(T_0))
        - constant(G_0 / (R_AIR * T_11)) * level
        - constant(G_0 / (R_AIR * WARMING)) * log(beyond / constant(T_11))
    )
    p = let("p", constant(P_0) * exp(let("exponent", exponent)))
    return T, p, p / (constant(R_AIR) * T), constant(SOUND) * sqrt(T)


@kernel(
    inputs=[
        Arg("V", REAL, "m/s", "true airspeed", range=(0, 2000)),
        Arg("p", POSITIVE, "Pa", "pressure of the air", range=(500, 200000)),
        Arg("rho", POSITIVE, "kg/m^3", "density of the air", range=(Fraction(1, 200), 3)),
    ],
    outputs=[
        Arg("M", REAL, "1", "Mach number"),
        Arg("q_bar", REAL, "Pa", "dynamic pressure"),
        Arg("CAS", REAL, "m/s", "calibrated airspeed; 0 where `M` is above 1"),
    ],
    equation="M = V / sqrt(1.4 p / rho); q_bar = 1/2 rho V^2; "
    "CAS = a_0 sqrt(5 (exp((2 / 7) log(1 + q_c / p_0)) - 1)); "
    "q_c = p (b^3 sqrt(b) - 1); b = 1 + M^2 / 5; a_0 = 340.294; p_0 = 101325",
    source=GRACEY,
    failures={
        Status.OUTSIDE: Failure("M <= 1", "CAS = 0", "otherwise a shock stands before the pitot tube"),
        Status.NOT_FINITE: Failure("|M + q_bar + CAS| <= max", "M = 0, q_bar = 0, CAS = 0"),
    },
)
def airspeeds(V: Scalar, p: Scalar, rho: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Mach number, dynamic pressure and calibrated airspeed of a true airspeed.

    At sea level in the standard atmosphere, true and calibrated airspeed are equal. Impact pressure and
    calibrated airspeed stay accurate at low speeds.
    """
    q_bar = let("q_bar", rho * (V * V) / 2)
    M2 = let("M2", bare(q_bar) / bare(p) * constant(Fraction(10, 7)))
    M = let("M", V * sqrt(bare(rho) / bare(p) * constant(Fraction(5, 7))))
    subsonic = let("subsonic", require(M <= 1, Status.OUTSIDE))
    x = let("x", M2 / 5)
    base = let("base", 1 + x)
    # base^(7/2) - 1 = x (1 + base + base^2 + base^3 / (1 + sqrt(base))), without cancellation
    rest = let("base2", base * base)
    impact = let("q_c", p * (x * (1 + base + rest + rest * base / (1 + sqrt(base)))))
    ratio = expm1(constant(Fraction(2, 7)) * log1p(impact / constant(P_0)))
    CAS = constant(Fraction("340.294")) * sqrt(5 * select(subsonic, ratio, 0))
    ok = bounded(total(M, q_bar, CAS))
    return select(ok, M, 0), select(ok, q_bar, 0), select(ok, CAS, 0)
