"""Steps of rotation vectors: exponentials and logarithms in terms of half angles."""

from __future__ import annotations

from codegen.library.shared.works import MICRO_LIE, SHOEMAKE, SOLA
from codegen.modeling.steps import Step, stated, stated_condition

LIE = MICRO_LIE.at("appendix B")

_half_angle = (
    stated(
        "Name half the angle",
        "q = [cos(h), (sin(h) / (2 h)) r]; h = |r| / 2",
        by="the length of the rotation vector is the angle, twice `h`",
        source=SOLA.at("section 2.4"),
    ),
    stated(
        "Scale the vector by the sine over the half angle instead of making it a unit vector",
        "q = [cos(h), (sin(h) / h) r / 2]; h = |r| / 2",
        by="the sine of an angle over the angle is smooth at 0",
        source=SOLA.at("section 2.4"),
    ),
)

_about_axis = stated_condition(
    "Compare the matrix of a unit quaternion with Rodrigues' rotation formula",
    "1 + 2 w u~ + 2 u~ u~ = 1 + sin(angle) e~ + (1 - cos(angle)) e~ e~; q = [w, u]; e = axis / |axis|",
    by="the sine of an angle is twice the product of sine and cosine of its half, and one minus the cosine "
    "twice the squared sine of its half",
    source=SOLA.at("section 2.4"),
)

_axis_scaled = stated(
    "Scale the axis once",
    "q = [cos(angle / 2), s axis]; s = sin(angle / 2) / sqrt(axis.axis)",
    by="the unit vector is the axis over its length",
    source=SOLA.at("section 2.4"),
)


def _logarithm(direction: str, half: str, quaternion: str) -> tuple[Step, Step]:
    """The logarithm of a quaternion: the half angle, and the direction, along u or against it where w < 0."""
    along = f"|u| {direction} = |{direction}| {{-u if w < 0, u otherwise}}"
    names = f"h = {half}; [w, u] = {quaternion}"
    return (
        stated_condition(
            "Compare scalar and vector part with cosine and sine of half the angle",
            f"|w| = |[w, u]| cos(h); |u| = |[w, u]| sin(h); {along};\n{names}",
            by="a quaternion and its opposite are one attitude, and of both that with a positive scalar part "
            "has the smaller angle; the sine is that of an angle up to half a turn",
            source=SOLA.at("section 2.4"),
        ),
        stated_condition(
            "Divide the vector part's length by the scalar part",
            f"|u| cos(h) = |w| sin(h); {along};\n{names}",
            by="the norm of the quaternion cancels in the tangent of half the angle",
            source=SOLA.at("section 2.4"),
        ),
    )


_power = stated(
    "Multiply scalar and vector part of the power by the first quaternion",
    "q_t = cos(t h) q_0 + (sin(t h) / |u|) q_0 (x) [0, u]; h = atan2(|u|, w);\n"
    "[w, u] = {-p if p[0] < 0, p otherwise}; p = q_0^* (x) q_1",
    by="the product is linear, and a real number commutes with every quaternion",
    source=SHOEMAKE,
)

_great_circle = stated(
    "Take the direction from the second quaternion: the great circle through both",
    "q_t = cos(t h) q_0 + (sigma sin(t h) / |v|) v; sigma = {-1 if c < 0, 1 otherwise};\n"
    "v = q_1 - c q_0, c = q_0.q_1, h = atan2(|v|, sigma c)",
    by="the scalar part of the quotient is the scalar product of both, its vector part is as long as the "
    "part of the second quaternion that is normal to the first",
    source=SHOEMAKE,
)

_integrated = (
    stated(
        "Scale the rotation vector of the step by the sine over the half angle",
        "q_AB_next = q_AB (x) [cos(h), (sin(h) / h) r / 2]; r = w_B dt, h = |r| / 2",
        by="the angular velocity is constant, so that the exponential of half the rotation vector solves the "
        "kinematic equation; the sine of an angle over the angle is smooth at 0",
        source=SOLA.at("section 4.6"),
    ),
    stated(
        "Split the product with the exponential",
        "q_AB_next = [w e_0 - u.e, w e + e_0 u + u x e]; [e_0, e] = [cos(h), (sin(h) / h) r / 2];\n"
        "r = w_B dt, h = |r| / 2; q_AB = [w, u]",
        by="the product of vector parts has minus their scalar product as its scalar part and their cross "
        "product as its vector part",
        source=SOLA.at("section 4.6"),
    ),
)


EXPONENTIAL = "R = 1 + (sin(phi) / phi) r~ + ((1 - cos(phi)) / phi^2) r~ r~; phi = |r|"
SPIN_BY = (
    "the columns of the rotation matrix move at the angular velocity cross themselves, and the squares of "
    "their cross-product matrices add up to twice the negative unit matrix"
)


def spin(sign: str, variables: str) -> str:
    """The angular velocity per rate of variables, in the fixed frame (+) or in the body (-)."""
    turned = "R^T " if sign == "-" else ""
    columns = " + ".join(f"c_{i}~ jacobian(c_{i}, [{variables}])" for i in range(3))
    return f"{turned}({columns}) / 2"


def _jacobian(sign: str) -> tuple[Step, ...]:
    """Steps of the left (+) or the right (-) Jacobian: what it is, a polynomial in r~, then half angles."""
    return (
        stated(
            "Differentiate the rotation matrix, and solve for the angular velocity",
            f"J = {spin(sign, 'r')};\ncols(c_0, c_1, c_2) = R; {EXPONENTIAL}",
            by=SPIN_BY,
            source=LIE,
        ),
        stated(
            "Write the dyad as a product of cross-product matrices",
            f"J = 1 {sign} ((1 - cos(phi)) / phi^2) r~ + ((phi - sin(phi)) / phi^3) r~ r~; phi = |r|",
            by="the dyad of a unit vector is the unit matrix plus the square of its cross-product matrix",
            source=LIE,
        ),
        stated(
            "Use the trigonometric functions of half the angle",
            f"J = 1 {sign} (k^2 / 2) r~ + ((1 - k cos(h)) / |r|^2) r~ r~; k = sin(h) / h, h = |r| / 2",
            by="one minus the cosine of an angle is twice the squared sine of its half, without cancellation",
            source=LIE,
        ),
    )


def _jacobian_inverse(sign: str) -> tuple[Step, ...]:
    """Steps of the inverse of the left (-) or the right (+) Jacobian."""
    opposite = {"-": "+", "+": "-"}[sign]
    return (
        stated(
            "Write the Jacobian with the functions of half the angle",
            f"J_inv = (1 {opposite} (k^2 / 2) r~ + ((1 - k cos(h)) / |r|^2) r~ r~)^-1;\n"
            "k = sin(h) / h, h = |r| / 2",
            by="the dyad of a unit vector is the unit matrix plus the square of its cross-product matrix, "
            "and one minus the cosine of an angle is twice the squared sine of its half",
            source=LIE,
        ),
        stated_condition(
            "Reduce the powers of the matrix: the third is a multiple of the first",
            "r~ r~ r~ = -|r|^2 r~",
            by="a vector triple product of a vector with itself twice is the part across it, reversed, "
            "times the squared length",
            source=LIE,
        ),
        stated(
            "Invert within the polynomials of the cross-product matrix",
            f"J_inv = 1 {sign} r~ / 2 + ((1 - h cos(h) / sin(h)) / |r|^2) r~ r~; h = |r| / 2",
            by="the inverse is a polynomial of degree two, too; in its product with the Jacobian, the "
            "factors of the first and of the second power must vanish, which gives those of the inverse",
            source=LIE,
        ),
    )


STEPS: dict[str, tuple[Step, ...]] = {
    "quat_from_rotvec": _half_angle,
    "rotvec_from_quat": _logarithm("r", "|r| / 2", "q"),
    "quat_from_axis_angle": (_about_axis, _axis_scaled),
    "axis_angle_from_quat": _logarithm("axis", "angle / 2", "q"),
    "quat_slerp": (_power, _great_circle),
    "quat_integrate": _integrated,
    "quat_error": _logarithm("e_B", "|e_B| / 2", "q_NB^* (x) q_ND"),
    "so3_left_jacobian": _jacobian("+"),
    "so3_right_jacobian": _jacobian("-"),
    "so3_left_jacobian_inverse": _jacobian_inverse("-"),
    "so3_right_jacobian_inverse": _jacobian_inverse("+"),
}
