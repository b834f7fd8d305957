"""Articulated-body inertia [[J, H], [H^T, M]] as its 6x6 matrix (Featherstone 2008, section 7.1)."""

# A rigid body has H = h~ and M = m 1.

articulated_from_inertia = "IA_O = I_O"

articulated_add = "IA_sum = IA_1 + IA_2"

articulated_add_inertia = "IA_sum = IA_1 + I_2"

articulated_multiply = "f = IA_O v"

# Congruences with X* = X^-T, or with X for the inverse (Featherstone 2008, section 7.1).

articulated_transform = "IA_A = X IA_B X^T; X = [[R, p~ R], [0, R]]"

articulated_transform_inverse = "IA_B = X^T IA_A X; X = [[R, 0], [p~ R, R]]"

articulated_to_matrix = "M = IA_O"

# The elimination of a joint (Featherstone 2008, section 7.3).

articulated_reduce = """U = IA_O S; D = S^T U; u = tau - S^T pA;
Ia = IA_O - U D^-1 U^T; pa = pA + Ia c + U D^-1 u"""

# The same with the columns of S for the directions of a joint of several degrees of freedom.

articulated_reduce_two = articulated_reduce_three = """u = tau - S^T pA; U = IA_O S; D_inv = (S^T IA_O S)^-1;
Ia = IA_O - IA_O S D_inv S^T IA_O; pa = pA + Ia c + IA_O S D_inv (tau - S^T pA)"""
