"""Exponential of rotation vectors, and functions that use it.

Angles enter by their halves, as in quaternions: cos |r| = cos^2 h - sin^2 h and sin |r| = 2 sin h cos h with
h = |r| / 2.
"""

# The exponential of half the rotation vector (Sola 2017, section 2.3).

quat_from_rotvec = "q = [cos(|r| / 2), sin(|r| / 2) r / |r|]"

quat_from_axis_angle = "q = [cos(angle / 2), sin(angle / 2) n]; n = axis / |axis|"

# The power of p = [cos(h), sin(h) n] is [cos(t h), sin(t h) n]; of p and -p the one with cos(h) >= 0 is taken
# (Shoemake 1985).

quat_slerp = """
q_t = q_0 (x) [cos(t h), sin(t h) n], n = u / |u|, h = atan2(|u|, w)
[w, u] = {-p if p[0] < 0, p otherwise}, p = q_0^* (x) q_1
"""

# The solution of dq/dt = q (x) [0, w_B] / 2 (Sola 2017, section 4.6).

quat_integrate = "q_AB_next = q_AB (x) [cos(|r| / 2), sin(|r| / 2) r / |r|]; r = w_B dt"

# Barfoot 2017, section 7.1, with r = a n: c and s are the cosine and the sine of a. The right Jacobian is the
# left one of -r.

_LEFT = """
J_left = (s / a) 1 + (1 - s / a) n n^T + ((1 - c) / a) n~, n = r / a, a = |r|
c = cos(a / 2)^2 - sin(a / 2)^2, s = 2 sin(a / 2) cos(a / 2)
"""

_RIGHT = _LEFT.replace("J_left", "J_right").replace("n = r / a", "n = -r / a")

so3_left_jacobian = f"J = J_left; {_LEFT}"

so3_right_jacobian = f"J = J_right; {_RIGHT}"

so3_left_jacobian_inverse = f"J_inv = J_left^-1; {_LEFT}"

so3_right_jacobian_inverse = f"J_inv = J_right^-1; {_RIGHT}"
