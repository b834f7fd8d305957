"""Rigid-body inertia [m, h, J] about the frame's origin, as its 6x6 matrix.

The matrix changes frame by the congruence X* I X^-1 (Featherstone 2008, section 2.13), where
X^-1 = X*^T.
"""

# The parallel-axis theorem (Featherstone 2008, section 2.13).

inertia_from_com = "I_O = [[I_com - m c~ c~, m c~], [-m c~, m 1]]"

inertia_add = "I_sum = I_1 + I_2"

inertia_subtract = "I_diff = I_1 - I_2"

inertia_scale = "I_scaled = s I_1"

# The momentum, and the rate of change of a momentum that moves with v (Featherstone 2008, section 2.14).

inertia_multiply = "f = I_O v"

inertia_bias_force = "f = [[w~, v_O~], [0, w~]] I_O v; v = [w, v_O]"

inertia_kinetic_energy = "energy = v^T I_O v / 2"

# Congruences with X*, or with X for the inverse; R = 1 or p = 0 where one of them is missing.

inertia_transform = "I_A = X I_B X^T; X = [[R, p~ R], [0, R]]"

inertia_transform_inverse = "I_B = X^T I_A X; X = [[R, 0], [p~ R, R]]"

inertia_rotate = "I_A = X I_B X^T; X = [[R, 0], [0, R]]"

inertia_translate = "I_A = X I_B X^T; X = [[1, p~], [0, 1]]"

inertia_to_matrix = "M = I_O"

inertia_to_array = """array = [m, h, I_O[0, 0], I_O[0, 1], I_O[0, 2], I_O[1, 1], I_O[1, 2], I_O[2, 2]];
m = I_O[5, 5]; h = vee(I_O[0:3, 3:6])"""

inertia_from_array = """I_O = [[J, h~], [-h~, array[0] 1]]; h = array[1:4];
J = [[array[4], array[5], array[6]], [array[5], array[7], array[8]], [array[6], array[8], array[9]]]"""
