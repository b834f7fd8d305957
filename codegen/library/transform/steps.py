"""Steps of poses and Plücker transforms: products of block matrices, block by block."""

from __future__ import annotations

from codegen.library.rotation.steps import ONE_ROOT, ONE_ROOT_BY, one_root
from codegen.library.rotation_vector.steps import EXPONENTIAL, SPIN_BY, spin
from codegen.library.shared.works import BARFOOT, FEATHERSTONE, MICRO_LIE, MURRAY, SHEPPERD
from codegen.modeling.steps import Step, stated, stated_condition

LIE = MICRO_LIE.at("appendix D")

PLUCKER = FEATHERSTONE.at("section 2.8")

_point = stated(
    "Multiply the first block row",
    "p_A = R_AB p_B + p_AB_A",
    by="the last row of the homogeneous matrix keeps the number 1",
    source=PLUCKER,
)

_inverse_in_blocks = stated(
    "Invert the homogeneous matrix in blocks",
    "p_B = R_AB^T p_A - R_AB^T p_AB_A",
    by="the inverse of a rotation matrix is its transpose",
    source=PLUCKER,
)

_subtracted_first = stated(
    "Subtract the position before the rotation",
    "p_B = R_AB^T (p_A - p_AB_A)",
    by="both terms have the rotation in common, so that one product takes the place of two",
    source=PLUCKER,
)

_composed = stated(
    "Multiply the blocks",
    "R_AC = R_AB R_BC; p_AC_A = R_AB p_BC_B + p_AB_A",
    by="homogeneous matrices multiply as block matrices, and their last rows do not change",
    source=PLUCKER,
)

_inverted = stated(
    "Invert the homogeneous matrix in blocks",
    "R_BA = R_AB^T; p_BA_B = -R_AB^T p_AB_A",
    by="the inverse of a rotation matrix is its transpose, and the inverse takes the origin of B to zero",
    source=PLUCKER,
)

_projected = stated(
    "Project the position on the columns",
    "R_BA = R_AB^T; p_BA_B = -[c_0.p_AB, c_1.p_AB, c_2.p_AB]; cols(c_0, c_1, c_2) = R_AB",
    by="the rows of the transpose are the columns of the matrix",
    source=PLUCKER,
)

_motion = (
    stated(
        "Multiply the blocks",
        "v_A = [R w_B, R v_OB + p~ (R w_B)]; v_B = [w_B, v_OB]",
        by="the angular velocity is the same at all points of a body",
        source=PLUCKER,
    ),
    stated(
        "Rotate the angular velocity once, and cross the position with it",
        "v_A = [w_A, R v_OB + p x w_A]; w_A = R w_B; v_B = [w_B, v_OB]",
        by="the cross-product matrix of the position times a vector is their cross product",
        source=PLUCKER,
    ),
)

_motion_inverse = stated(
    "Invert the matrix in blocks",
    "v_B = [[R^T, 0], [-R^T p~, R^T]] v_A",
    by="the inverse of a rotation matrix is its transpose; the product of both matrices is the unit matrix",
    source=PLUCKER,
)

_motion_shifted = stated(
    "Shift to the origin of B first, then rotate",
    "v_B = [R^T w_A, R^T (v_OA - p x w_A)]; v_A = [w_A, v_OA]",
    by="both terms have the rotation in common",
    source=PLUCKER,
)

_force = (
    stated(
        "Multiply the blocks",
        "f_A = [R n_B + p~ (R f_OB), R f_OB]; f_B = [n_B, f_OB]",
        by="the force is the same about all points",
        source=PLUCKER,
    ),
    stated(
        "Rotate the force once, and cross the position with it",
        "f_A = [R n_B + p x f_OA, f_OA]; f_OA = R f_OB; f_B = [n_B, f_OB]",
        by="the cross-product matrix of the position times a vector is their cross product",
        source=PLUCKER,
    ),
)

_force_inverse = stated(
    "Invert the matrix in blocks",
    "f_B = [[R^T, -R^T p~], [0, R^T]] f_A",
    by="the inverse of a rotation matrix is its transpose; the product of both matrices is the unit matrix",
    source=PLUCKER,
)

_force_shifted = stated(
    "Shift to the origin of B first, then rotate",
    "f_B = [R^T (n_A - p x f_OA), R^T f_OA]; f_A = [n_A, f_OA]",
    by="both terms have the rotation in common",
    source=PLUCKER,
)


def _turned_then_shifted(shift: str) -> Step:
    """The 6x6 matrix of a pose as the product of those of its position and of its rotation."""
    return stated(
        "Turn both halves, then shift the origin",
        f"X = {shift} [[R, 0], [0, R]]",
        by="a rotation changes the coordinates of both vectors alike; the origin does not matter to one of "
        "them, and adds the cross product of the position and this one to the other",
        source=PLUCKER,
    )


_same_power = stated_condition(
    "Compare with the matrix of motions: the power is the same in both frames",
    "X^T Y = identity(6); Y = [[R, 0], [p~ R, R]]",
    by="the scalar product of force and motion does not depend on the frame, so that one matrix is the "
    "transposed inverse of the other",
    source=PLUCKER,
)


def _by_columns(matrix: str) -> Step:
    """The 6x6 matrix with its block p~ R, called L, computed column by column."""
    return stated(
        "Cross the position with each column of the rotation matrix",
        f"X = {matrix}; L = cols(p x c_0, p x c_1, p x c_2); cols(c_0, c_1, c_2) = R",
        by="a matrix is multiplied column by column, and the cross-product matrix stands for the cross "
        "product",
        source=PLUCKER,
    )


def _exchanged(matrix: str) -> Step:
    return stated(
        "Exchange the blocks",
        f"X = {matrix}",
        by="the permutation from the left exchanges the rows of blocks, and from the right their columns",
        source=PLUCKER,
    )


_BELOW, _ABOVE = "[[R, 0], [L, R]]", "[[R, L], [0, R]]"

_turned = stated_condition(
    "Rotate about the axis of the relative rotation by `t` times its angle",
    "sin(a) (R_0t - R_0t^T) = sin(t a) (R_01 - R_01^T); a = acos((tr(R_01) - 1) / 2);\n"
    "T_01 = T_A0^-1 T_A1, [[R_01, p_01], [0, 1]] = T_01, T_0t = T_A0^-1 T_At, [[R_0t, p_0t], [0, 1]] = T_0t",
    by="Rodrigues' formula: the antisymmetric part of a rotation matrix is the cross-product matrix of the "
    "unit axis times the sine of the angle",
    source=MURRAY.at("chapter 2, section 2"),
)

_screw = stated_condition(
    "Keep the screw axis",
    "(1 - R_01) p_0t = (1 - R_0t) p_01; d.p_0t = t d.p_01; d = vee(R_01 - R_01^T);\n"
    "T_01 = T_A0^-1 T_A1, [[R_01, p_01], [0, 1]] = T_01;\n"
    "T_0t = T_A0^-1 T_At, [[R_0t, p_0t], [0, 1]] = T_0t",
    by="displacements along one screw commute, and the pitch is the same all along the screw",
    source=MURRAY.at("chapter 2, section 3"),
)

_along_screw = stated_condition(
    "Write the path with the sine and the cosine of half the angles",
    "T_At = T_A0 [[R_0t, p_0t], [0, 1]]; R_0t = 1 + 2 cos(t phi) k q~ + 2 k^2 q~ q~;\n"
    "p_0t = b q + c p_01 - k (sin((1 - t) phi) / s_phi) (q x p_01); b = (q.p_01) (t - c) / s_phi^2;\n"
    "c = k cos((1 - t) phi); k = sin(t phi) / s_phi; s_phi = sin(phi);\n"
    "q = vee(R_01 - R_01^T) / (4 cos(phi)); phi = acos((tr(R_01) - 1) / 2) / 2;\n"
    "[[R_01, p_01], [0, 1]] = T_A0^-1 T_A1",
    by="`q` is the vector part of the unit quaternion of `R_01`; the part of `p_01` along the axis "
    "grows with `t`, the part across it is that of a rotation about the screw axis. The formula takes "
    "`q` from the row of the largest of the trace and the diagonal elements of `R_01`",
    source=MURRAY.at("chapter 2, section 3"),
)

SCREWS = BARFOOT.at("equation 7.85b", "equation 7.86b")
_DUAL = (
    "in a power of the matrix of a motion, what is below the diagonal is the derivative of the blocks on it, "
    "powers of the cross-product matrix of `r`, along `rho`"
)


_COLLECTED = "Collect what multiplies the cross-product matrix of `r` from both sides"
_HALVES = "the square of a matrix is half the sum of its products with itself in both orders"


def _screw_jacobian(sign: str) -> tuple[Step, ...]:
    """Steps of the left (+) or the right (-) Jacobian of motions."""
    leading = {"+": "", "-": "-"}[sign]
    velocity = {"+": "jacobian(p, [r, rho]) + p~ U", "-": "R^T jacobian(p, [r, rho])"}[sign]
    of_origin = {
        "+": "the velocity of the body at the origin of A is that of B's less what turning adds",
        "-": "the velocity of B's origin is turned into B",
    }[sign]
    rest = (
        "a_d = d k (cos(h) - k) / |r|^2, b_d = d (a - 3 b) / |r|^2, d = r.rho;\n"
        f"L = 1 {sign} a r~ + b r~ r~; a = k^2 / 2, b = (1 - k cos(h)) / |r|^2, k = sin(h) / h, h = |r| / 2"
    )
    return (
        stated(
            "Differentiate rotation and position, and solve for the spatial velocity",
            f"J = [[U], [{velocity}]]; U = {spin(sign, 'r, rho')};\n"
            f"cols(c_0, c_1, c_2) = R; {EXPONENTIAL};\n"
            "p = rho + ((1 - cos(phi)) / phi^2) r~ rho + ((phi - sin(phi)) / phi^3) r~ r~ rho",
            by=f"{SPIN_BY}; {of_origin}",
            source=SCREWS,
        ),
        stated(
            "Differentiate the Jacobian of the rotation along `rho`",
            f"J = [[L, 0], [Q, L]]; Q = {leading}(a rho + a_d r)~ + b (r~ rho~ + rho~ r~) + b_d r~ r~;\n"
            f"{rest}",
            by=_DUAL,
            source=SCREWS,
        ),
        stated(
            _COLLECTED,
            f"J = [[L, 0], [Q, L]]; Q = {leading}s~ + r~ t~ + t~ r~;\n"
            f"s = a rho + a_d r; t = b rho + (b_d / 2) r;\n{rest}",
            by=_HALVES,
            source=SCREWS,
        ),
    )


def _screw_jacobian_inverse(sign: str) -> tuple[Step, ...]:
    """Steps of the inverse of the left (-) or the right (+) Jacobian of motions."""
    leading = {"+": "", "-": "-"}[sign]
    rest = (
        "b_d = d ((1 / k^2 - g) / |r|^2 - 2 b) / |r|^2, d = r.rho;\n"
        f"L = 1 {sign} r~ / 2 + b r~ r~; b = (1 - g) / |r|^2, g = cos(h) / k, k = sin(h) / h, h = |r| / 2"
    )
    return (
        stated(
            "Differentiate the inverse Jacobian of the rotation along `rho`",
            f"J_inv = [[L, 0], [Q, L]]; Q = {leading}rho~ / 2 + b (r~ rho~ + rho~ r~) + b_d r~ r~;\n{rest}",
            by="the derivative of an inverse matrix is minus that of the matrix between two inverses, as is "
            "the block below the diagonal",
            source=SCREWS,
        ),
        stated(
            _COLLECTED,
            f"J_inv = [[L, 0], [Q, L]]; Q = {leading}rho~ / 2 + r~ t~ + t~ r~;\n"
            f"t = b rho + (b_d / 2) r;\n{rest}",
            by=_HALVES,
            source=SCREWS,
        ),
    )


STEPS: dict[str, tuple[Step, ...]] = {
    "transform_point": (_point,),
    "transform_point_inverse": (_inverse_in_blocks, _subtracted_first),
    "transform_compose": (_composed,),
    "transform_inverse": (_inverted, _projected),
    "motion_transform": _motion,
    "motion_transform_inverse": (_motion_inverse, _motion_shifted),
    "force_transform": _force,
    "force_transform_inverse": (_force_inverse, _force_shifted),
    "motion_transform_matrix": (
        _turned_then_shifted("[[identity(3), 0], [p~, identity(3)]]"),
        _by_columns(_BELOW),
    ),
    "force_transform_matrix": (
        _same_power,
        _turned_then_shifted("[[identity(3), p~], [0, identity(3)]]"),
        _by_columns(_ABOVE),
    ),
    "motion_transform_matrix_linear_first": (_exchanged("[[R, p~ R], [0, R]]"), _by_columns(_ABOVE)),
    "force_transform_matrix_linear_first": (_exchanged("[[R, 0], [p~ R, R]]"), _by_columns(_BELOW)),
    "transform_interpolate": (_turned, _screw, _along_screw),
    "transform_exp": (
        stated(
            "Write dyads as products of cross-product matrices",
            "T_AB = [[1 + (sin(phi) / phi) r~ + ((1 - cos(phi)) / phi^2) r~ r~, J rho], [0, 1]]; phi = |r|;\n"
            "J = 1 + ((1 - cos(phi)) / phi^2) r~ + ((phi - sin(phi)) / phi^3) r~ r~",
            by="the dyad of a unit vector is the unit matrix plus the square of its cross-product matrix",
            source=LIE,
        ),
        stated(
            "Use the trigonometric functions of half the angle",
            "T_AB = [[1 + k cos(h) r~ + (k^2 / 2) r~ r~, J rho], [0, 1]];\n"
            "J = 1 + (k^2 / 2) r~ + ((1 - k cos(h)) / |r|^2) r~ r~; k = sin(h) / h, h = |r| / 2",
            by="one minus the cosine of an angle is twice the squared sine of its half, without cancellation",
            source=LIE,
        ),
    ),
    "transform_log": (
        stated_condition(
            "Take the quaternion of the rotation by the shorter way",
            "4 q q^T = [[1 + tr(R), d^T], [d, R + R^T + (1 - tr(R)) 1]]; d = vee(R - R^T);\n"
            "[[R, p], [0, 1]] = T_AB; q = [cos(h), (c / 2) r]; c = sin(h) / h, h = |r| / 2",
            by="the products of its components are linear in the matrix",
            source=SHEPPERD,
        ),
        stated_condition(
            ONE_ROOT,
            f"[cos(h), (c / 2) r] = q; q = s g / (2 sqrt(m)); c = sin(h) / h, h = |r| / 2;\n"
            f"{one_root('g', 'm', 'd')};\n"
            "[[R, p], [0, 1]] = T_AB",
            by=ONE_ROOT_BY,
            source=SHEPPERD,
        ),
        stated_condition(
            "Invert within the polynomials of the cross-product matrix",
            "[[R, p], [0, 1]] = T_AB; R = 1 + c cos(h) r~ + (c^2 / 2) r~ r~;\n"
            "rho = l p - r x p / 2 + ((1 - l) (r.p) / |r|^2) r; l = cos(h) / c, c = sin(h) / h, h = |r| / 2",
            by="the third power of the matrix is a multiple of the first; "
            "its square is a dyad less a multiple of the unit matrix",
            source=LIE,
        ),
    ),
    "se3_left_jacobian": _screw_jacobian("+"),
    "se3_right_jacobian": _screw_jacobian("-"),
    "se3_left_jacobian_inverse": _screw_jacobian_inverse("-"),
    "se3_right_jacobian_inverse": _screw_jacobian_inverse("+"),
}
