"""Steps of air data: polar coordinates of the velocity."""

from __future__ import annotations

from codegen.library.air_data.definitions import ATMOSPHERE
from codegen.library.shared.works import GRACEY, ISO, STEVENS
from codegen.modeling.steps import Step, stated, stated_condition

SECTION = STEVENS

_projected = stated_condition(
    "Write the components of the velocity in terms of airspeed and angles",
    "v_air_B = [V cos(alpha) cos(beta), V sin(beta), V sin(alpha) cos(beta)]",
    by="the sideslip is the angle out of the plane of symmetry, the angle of attack that in this plane",
    source=SECTION,
)

_polar = stated(
    "Share the square of the velocity in the plane of symmetry",
    "V = sqrt(s + v_y^2), alpha = atan2(v_z, v_x), beta = atan2(v_y, sqrt(s));\n"
    "s = v_x^2 + v_z^2; v_air_B = [v_x, v_y, v_z]",
    by="the angle of attack cancels in the sum of both squares; the cosine of the sideslip is positive",
    source=SECTION,
)

_velocity = (
    stated(
        "Turn the velocity out of the plane of symmetry by the sideslip",
        "v_air_B = Ry(-alpha) [V cos(beta), V sin(beta), 0]",
        by="the rotation by `beta` is about the third axis",
        source=SECTION,
    ),
    stated(
        "Turn it in the plane of symmetry by the angle of attack",
        "v_air_B = [s cos(alpha), V sin(beta), s sin(alpha)]; s = V cos(beta)",
        by="the rotation about the second axis keeps its component, and turns the first axis towards the "
        "third",
        source=SECTION,
    ),
)

_FUNCTIONS = "c_alpha = cos(alpha), s_alpha = sin(alpha), c_beta = cos(beta), s_beta = sin(beta)"

_wind = (
    stated(
        "Write the two elementary matrices",
        "R_BW = A B; A = [[c_alpha, 0, -s_alpha], [0, 1, 0], [s_alpha, 0, c_alpha]];\n"
        f"B = [[c_beta, -s_beta, 0], [s_beta, c_beta, 0], [0, 0, 1]]; {_FUNCTIONS}",
        by="the cosine of an opposite angle is the same, the sine the opposite",
        source=SECTION,
    ),
    stated(
        "Multiply them",
        "R_BW = [[c_alpha c_beta, -c_alpha s_beta, -s_alpha], [s_beta, c_beta, 0], "
        f"[s_alpha c_beta, -s_alpha s_beta, c_alpha]];\n{_FUNCTIONS}",
        by="rows are multiplied by columns",
        source=SECTION,
    ),
)

_layers = (
    stated(
        "Balance the weight of the air and the decrease of its pressure with height",
        "p = p_0 exp(-(g_0 / R) I), rho = -jacobian(p, [h]) / g_0, a = 20.046796 sqrt(T);\n" + ATMOSPHERE,
        by="the hydrostatic equation: the density is the decrease of the pressure per height, over the "
        "gravity; an ideal gas has this density where `I` is the integral of the reciprocal temperature",
        source=ISO,
    ),
    stated(
        "Integrate the reciprocal temperature over the layers",
        "p = p_0 exp((g_0 / R) L), rho = p / (R T), a = 20.046796 sqrt(T);\n"
        "T = {T_0 - beta h if h <= 11000, T_11 + gamma max(h - 20000, 0) otherwise};\n"
        "L = {log((T_0 - beta h) / T_0) / beta if h <= 11000, "
        "log(T_11 / T_0) / beta - (min(h, 20000) - 11000) / T_11 "
        "- log((T_11 + gamma max(h - 20000, 0)) / T_11) / gamma otherwise};\n"
        "T_0 = 288.15; T_11 = 216.65; beta = 0.0065; gamma = 0.001;\n"
        "p_0 = 101325; g_0 = 9.80665; R = 287.05287",
        by="the pressure falls with the height by the weight of the air, whose density is that of an ideal "
        "gas; a layer contributes a logarithm where its temperature changes, its thickness over the "
        "temperature where it does not",
        source=ISO,
    ),
    stated(
        "Name the temperature up to the tropopause, and the gain above 20 km",
        "p = p_0 exp((g_0 / R) L), rho = p / (R T), a = 20.046796 sqrt(T); T = T_below + warmer;\n"
        "T_below = T_0 - beta {h if h <= 11000, 11000 otherwise};\n"
        "warmer = gamma {0 if h <= 11000, h - 20000 if h > 20000, 0 otherwise};\n"
        "L = {K if h <= 11000, K - 9000 / T_11 - log((T_11 + warmer) / T_11) / gamma if h > 20000, "
        "K - (h - 11000) / T_11 otherwise};\n"
        "K = log(T_below / T_0) / beta;\n"
        "T_0 = 288.15; T_11 = 216.65; beta = 0.0065; gamma = 0.001;\n"
        "p_0 = 101325; g_0 = 9.80665; R = 287.05287",
        by="above the tropopause, its temperature stays the first term, and each layer below has contributed "
        "its whole share",
        source=ISO,
    ),
)

_CALIBRATED = "CAS = a_0 sqrt(5 (exp((2 / 7) log(1 + q_c / p_0)) - 1)); a_0 = 340.294, p_0 = 101325"

_airspeeds = (
    stated(
        "Write the Mach number with the density, one power with a root and the other with a logarithm",
        "M = V sqrt((5 / 7) rho / p), q_bar = rho V^2 / 2;\n"
        f"{_CALIBRATED};\nq_c = p (b^3 sqrt(b) - 1); b = 1 + M^2 / 5",
        by="the square of the speed of sound is 1.4 times pressure over density",
        source=GRACEY,
    ),
    stated(
        "Write the square of the Mach number with the dynamic pressure, and the difference as a sum",
        "M = V sqrt((5 / 7) rho / p), q_bar = rho V^2 / 2; s = (10 / 7) rho V^2 / (2 p);\n"
        f"{_CALIBRATED};\nq_c = p (s / 5) (1 + b + b^2 + b^3 / (1 + sqrt(b))); b = 1 + s / 5",
        by="with the root of `b`, the difference of its seventh power and 1 is a geometric series, in which "
        "nothing cancels at low speeds",
        source=GRACEY,
    ),
)

STEPS: dict[str, tuple[Step, ...]] = {
    "air_data_from_velocity": (_projected, _polar),
    "velocity_from_air_data": _velocity,
    "dcm_from_wind": _wind,
    "isa_atmosphere": _layers,
    "airspeeds": _airspeeds,
}
