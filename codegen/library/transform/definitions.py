"""Poses T_AB = (R_AB, p_AB_A), and spatial vectors carried by them. R is orthonormal."""

# A pose is its homogeneous 4x4 matrix (Murray, Li and Sastry, chapter 2, section 3).

transform_point = "[p_A, 1] = T_AB [p_B, 1]"

transform_point_inverse = "[p_B, 1] = T_AB^-1 [p_A, 1]"

transform_compose = "T_AC = T_AB T_BC"

transform_inverse = "T_BA = T_AB^-1"

# The 6x6 matrices of motions and of forces are X and X* = X^-T (Featherstone 2008, section 2.8).

_MOTION = "[[R, 0], [p~ R, R]]"
_FORCE = "[[R, p~ R], [0, R]]"

motion_transform = f"v_A = {_MOTION} v_B"

motion_transform_inverse = f"v_B = X^-1 v_A; X = {_MOTION}"

force_transform = f"f_A = {_FORCE} f_B"

force_transform_inverse = f"f_B = X^-1 f_A; X = {_FORCE}"

motion_transform_matrix = f"X = {_MOTION}"

force_transform_matrix = f"X = {_FORCE}"

# P exchanges the angular and the linear half.

motion_transform_matrix_linear_first = f"X = P {_MOTION} P; P = [[0, identity(3)], [identity(3), 0]]"

force_transform_matrix_linear_first = f"X = P {_FORCE} P; P = [[0, identity(3)], [identity(3), 0]]"

# The exponential of [[r~, rho], [0, 0]] (Barfoot 2017), with r = a n; c and s are those of a.

transform_exp = """
T_AB = [[c 1 + (1 - c) n n^T + s n~, J rho], [0, 1]], J = (s / a) 1 + (1 - s / a) n n^T + ((1 - c) / a) n~
n = r / a, a = |r|, c = cos(a / 2)^2 - sin(a / 2)^2, s = 2 sin(a / 2) cos(a / 2)
"""

# Barfoot 2017, equation 7.86b: a polynomial in the matrix A of the cross product with [r, rho], whose sign
# the right Jacobian changes; c_phi and s_phi are the cosine and the sine of phi.

_ANGLE = "phi = |r|, c_phi = cos(phi / 2)^2 - sin(phi / 2)^2, s_phi = 2 sin(phi / 2) cos(phi / 2)"

_POLYNOMIAL = f"""
J = 1 + p_1 A + p_2 A A + p_3 A A A + p_4 A A A A
p_1 = (4 - phi s_phi - 4 c_phi) / (2 phi^2), p_2 = (4 phi - 5 s_phi + phi c_phi) / (2 phi^3)
p_3 = (2 - phi s_phi - 2 c_phi) / (2 phi^4), p_4 = (2 phi - 3 s_phi + phi c_phi) / (2 phi^5)
{_ANGLE}
"""

se3_left_jacobian = f"{_POLYNOMIAL}; A = [[r~, 0], [rho~, r~]]"

se3_right_jacobian = f"{_POLYNOMIAL}; A = -[[r~, 0], [rho~, r~]]"

# The inverse by blocks, with those of the Jacobian of [r, rho] or, for the right one, of -[r, rho].

_BLOCKS = f"""
J_inv = [[V^-1, 0], [-V^-1 W V^-1, V^-1]]
V = 1 + ((1 - c_phi) / phi^2) E + p_2 E E
W = F / 2 + p_2 (E F + F E + E F E) + p_3 (E E F + F E E - 3 E F E) + p_4 (E F E E + E E F E)
p_2 = (phi - s_phi) / phi^3, p_3 = (phi^2 + 2 c_phi - 2) / (2 phi^4)
p_4 = (2 phi - 3 s_phi + phi c_phi) / (2 phi^5)
{_ANGLE}
"""

se3_left_jacobian_inverse = f"{_BLOCKS}; E = r~, F = rho~"

se3_right_jacobian_inverse = f"{_BLOCKS}; E = -r~, F = -rho~"
