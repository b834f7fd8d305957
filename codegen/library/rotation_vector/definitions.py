"""Exponential of rotation vectors, and functions that use it."""

# The exponential of half the rotation vector (Sola 2017, section 2.4).

quat_from_rotvec = "q = [cos(|r| / 2), sin(|r| / 2) r / |r|]"

quat_from_axis_angle = "q = [cos(angle / 2), sin(angle / 2) e]; e = axis / |axis|"

# The power of p = [cos(h), sin(h) n] is [cos(t h), sin(t h) n]; of p and -p the one with cos(h) >= 0 is taken
# (Shoemake 1985).

quat_slerp = """
q_t = q_0 (x) [cos(t h), sin(t h) n], n = u / |u|, h = atan2(|u|, w)
[w, u] = {-p if p[0] < 0, p otherwise}, p = q_0^* (x) q_1
"""

# The solution of dq/dt = q (x) [0, w_B] / 2 (Sola 2017, section 4.6).

quat_integrate = "q_AB_next = q_AB (x) [cos(|r| / 2), sin(|r| / 2) r / |r|]; r = w_B dt"

# Barfoot 2017, with r = phi n. The right Jacobian is the left one of -r.

_JACOBIAN = "J = (sin(phi) / phi) 1 + (1 - sin(phi) / phi) n n^T + ((1 - cos(phi)) / phi) n~"
_LEFT, _RIGHT = "n = r / phi, phi = |r|", "n = -r / phi, phi = |r|"

so3_left_jacobian = f"{_JACOBIAN}; {_LEFT}"

so3_right_jacobian = f"{_JACOBIAN}; {_RIGHT}"

so3_left_jacobian_inverse = f"J_inv = J^-1; {_JACOBIAN}; {_LEFT}"

so3_right_jacobian_inverse = f"J_inv = J^-1; {_JACOBIAN}; {_RIGHT}"
