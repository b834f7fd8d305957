"""Central, unit and pseudo-inertia as matrices, changed and added as the 6x6 matrix is.

A central inertia is diag(Jc, m 1) in a frame at the centre of mass, from where X* I X^-1 brings it to the
origin (Featherstone 2008, section 2.13).
"""

_MOVED = "X = [[1, p~], [0, 1]]"
_TURNED = "X = [[R, 0], [0, R]]"
_CARRIED = "X = [[R, p~ R], [0, R]]"

central_from_com = "m_O = m; h = m c; Jc = I_com"

# From the origin to a frame at the centre of mass, and back.

inertia_to_central = (
    f"m_O = m; h_O = h; Jc = S[0:3, 0:3]; S = X I_O X^T = [[Jc, 0], [0, m identity(3)]]; {_MOVED}; p = -h / m"
)

central_to_inertia = f"I_O = X [[Jc, 0], [0, m identity(3)]] X^T; {_MOVED}; p = h / m"

# The congruence of the whole inertia, then back to a central inertia.

central_rotate = f"C_A = X C_B X^T; {_TURNED}"

central_translate = f"C_A = X C_B X^T; {_MOVED}"

central_transform = f"C_A = X C_B X^T; {_CARRIED}"

central_merge = f"C_sum = C_A + X C_B X^T; {_CARRIED}"

central_multiply = "f = C_O v"

# The parallel-axis theorem for m = 1.

unit_from_central = "m_O = m; c_O = c; G = I_com / m - c~ c~"

unit_shift = "U_Q = X U_P X^T; X = [[1, -p~], [0, 1]]"

unit_reexpress = f"U_A = X U_B X^T; {_TURNED}"

unit_add = "U_sum = m_1 [[G_1, c_1~], [-c_1~, 1]] + m_2 [[G_2, c_2~], [-c_2~, 1]]"

unit_multiply = "f = U_O v"

unit_to_inertia = "I_O = U_O"

inertia_to_unit = "U_O = I_O"

# P exchanges the angular and the linear half.

inertia_to_matrix_linear_first = "M = P I_O P; P = [[0, identity(3)], [identity(3), 0]]"

# Wensing, Kim and Slotine (2018).

inertia_to_pseudo = "P = [[(tr(J) / 2) 1 - J, h], [h^T, m]]"

inertia_from_pseudo = (
    "m = P[3, 3]; h = P[0:3, 3]; J = tr(S) 1 - S; "
    "S = [[P[0, 0], P[0, 1], P[0, 2]], [P[0, 1], P[1, 1], P[1, 2]], [P[0, 2], P[1, 2], P[2, 2]]]"
)

# The pseudo-inertia is the product of an upper triangular matrix and its transpose (Rucker and Wensing 2022).

inertia_from_log_cholesky = (
    "m = P[3, 3]; h = P[0:3, 3]; J = tr(A) 1 - A; A = P[0:3, 0:3]; P = exp(2 theta[0]) (U U^T); "
    "U = [[exp(theta[1]), theta[4], theta[6], theta[7]], [0, exp(theta[2]), theta[5], theta[8]], "
    "[0, 0, exp(theta[3]), theta[9]], [0, 0, 0, 1]]"
)

# Its inverse by minors: the pivots of an elimination from the last row are their quotients.

inertia_to_log_cholesky = (
    "theta = [log(m) / 2, log(det(S) / M) / 2, log(M / S[2, 2]) / 2, log(S[2, 2]) / 2, "
    "(S[0, 1] S[2, 2] - S[0, 2] S[1, 2]) / (S[2, 2] sqrt(M / S[2, 2])), S[1, 2] / sqrt(S[2, 2]), "
    "S[0, 2] / sqrt(S[2, 2]), t[0], t[1], t[2]]; M = S[1, 1] S[2, 2] - S[1, 2]^2; "
    "S = ((tr(J) / 2) 1 - J) / m - t t^T; t = h / m"
)
