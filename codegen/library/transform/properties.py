"""Interpolation along a screw: the property that defines it.

It states what holds between the arguments and the results where the results are right and no status flag is
raised.
"""

# Displacements commute when they share a screw axis. The trace contains the cosine of the angle a, the axial
# vector its sine, and the part of p along the axis is the translation along it.

transform_interpolate = """T_01 T_0t = T_0t T_01; R_0t R_0t^T = 1;
(tr(R_0t) - 1) / 2 = cos(t a); n_0t.n_01 = sin(t a) sin(a); n_01.p_0t = t n_01.p_01;
T_01 = T_A0^-1 T_A1, [[R_01, p_01], [0, 1]] = T_01;
T_0t = T_A0^-1 T_At, [[R_0t, p_0t], [0, 1]] = T_0t;
n_01 = vee(R_01 - R_01^T) / 2, n_0t = vee(R_0t - R_0t^T) / 2, a = acos((tr(R_01) - 1) / 2)"""

# The exponential of the logarithm is the pose; the angle is at most half a turn.

transform_log = """
T_AB = [[1 + c cos(h) r~ + (c^2 / 2) r~ r~, J rho], [0, 1]]; h <= pi / 2
J = 1 + (c^2 / 2) r~ + ((1 - c cos(h)) / |r|^2) r~ r~, c = sin(h) / h, h = |r| / 2
"""
