"""Poses T_AB = (R_AB, p_AB_A), and spatial vectors carried by them. R is orthonormal."""

# A pose is its homogeneous 4x4 matrix (Murray, Li and Sastry, section 2.3).

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

motion_transform_matrix_linear_first = f"X = P {_MOTION} P; P = [[0, E], [E, 0]]; E = diag(1, 1, 1)"

force_transform_matrix_linear_first = f"X = P {_FORCE} P; P = [[0, E], [E, 0]]; E = diag(1, 1, 1)"

# The exponential of [[r~, rho], [0, 0]] (Barfoot 2017, section 7.1), with r = a n; c and s are those of a.

transform_exp = """
T_AB = [[c 1 + (1 - c) n n^T + s n~, J rho], [0, 1]], J = (s / a) 1 + (1 - s / a) n n^T + ((1 - c) / a) n~
n = r / a, a = |r|, c = cos(a / 2)^2 - sin(a / 2)^2, s = 2 sin(a / 2) cos(a / 2)
"""
