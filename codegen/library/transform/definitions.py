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

# The exponential of [[r~, rho], [0, 0]] (Barfoot 2017), with r = phi n.

transform_exp = """
T_AB = [[cos(phi) 1 + (1 - cos(phi)) n n^T + sin(phi) n~, J rho], [0, 1]], n = r / phi, phi = |r|
J = (sin(phi) / phi) 1 + (1 - sin(phi) / phi) n n^T + ((1 - cos(phi)) / phi) n~
"""

# Barfoot 2017, equation 7.86b: a polynomial in the matrix A of the cross product with [r, rho], whose sign
# the right Jacobian changes.

_POLYNOMIAL = """
J = 1 + p_1 A + p_2 A A + p_3 A A A + p_4 A A A A, phi = |r|
p_1 = (4 - phi sin(phi) - 4 cos(phi)) / (2 phi^2), p_2 = (4 phi - 5 sin(phi) + phi cos(phi)) / (2 phi^3)
p_3 = (2 - phi sin(phi) - 2 cos(phi)) / (2 phi^4), p_4 = (2 phi - 3 sin(phi) + phi cos(phi)) / (2 phi^5)
"""

se3_left_jacobian = f"{_POLYNOMIAL}; A = [[r~, 0], [rho~, r~]]"

se3_right_jacobian = f"{_POLYNOMIAL}; A = -[[r~, 0], [rho~, r~]]"

# The inverse by blocks, with those of the Jacobian of [r, rho] or, for the right one, of -[r, rho].

_BLOCKS = """
J_inv = [[V^-1, 0], [-V^-1 W V^-1, V^-1]], phi = |r|
V = 1 + ((1 - cos(phi)) / phi^2) E + p_2 E E
W = F / 2 + p_2 (E F + F E + E F E) + p_3 (E E F + F E E - 3 E F E) + p_4 (E F E E + E E F E)
p_2 = (phi - sin(phi)) / phi^3, p_3 = (phi^2 + 2 cos(phi) - 2) / (2 phi^4)
p_4 = (2 phi - 3 sin(phi) + phi cos(phi)) / (2 phi^5)
"""

se3_left_jacobian_inverse = f"{_BLOCKS}; E = r~, F = rho~"

se3_right_jacobian_inverse = f"{_BLOCKS}; E = -r~, F = -rho~"
