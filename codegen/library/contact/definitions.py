"""Contact at the velocity level: c = N lambda + r, N = D^T M^-1 D (Tasora and Anitescu 2011)."""

# The points of both spheres lie on the line through the centres.

sphere_sphere_contact = """
n = d / |d|, gap = |d| - r_A - r_B, c_A = x_A + r_A n, c_B = x_B - r_B n, d = x_B - x_A
"""

# The foot point of the centre on the plane, and the lowest point of the sphere.

sphere_plane_contact = "gap = n.x_B - d - r_B, c_A = x_B + (d - n.x_B) n, c_B = x_B - r_B n"

# The arms and the normal in the axes of the bodies.

contact_jacobian = """
D_A = [-n, -s_A~ R_NA^T n], s_A = R_NA^T (c_A - p_A)
D_B = [n, s_B~ R_NB^T n], s_B = R_NB^T (c_B - p_B)
"""

# M^-1 of a body with mass; a static body does not move.

_MASS = "M = [[m identity(3), 0], [0, J_B]]"

contact_mass_inverse = f"twist = {{M^-1 wrench if m > 0, 0 otherwise}}; {_MASS}"

contact_free_velocity = f"""
v_star = v + {{dt M^-1 [f_N, n_B - w_B~ J_B w_B] if m > 0, 0 otherwise}}; {_MASS}
"""

# Baumgarte's b = gap / dt, not below -max_push, and the rate of the gap.

contact_rhs = "r = max(gap / dt, -max_push) + [D_A, D_B].[v_A, v_B]"

contact_dot = "rate = D.v"

contact_apply = f"v_next = v + {{M^-1 D impulse if m > 0, 0 otherwise}}; {_MASS}"
