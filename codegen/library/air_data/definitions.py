"""Air data as rotations of the velocity's direction (Stevens & Lewis, section 2.3)."""

# The polar angles of the velocity: alpha in B's xz plane, beta out of it.

air_data_from_velocity = """
V = sqrt(v_air_B.v_air_B), alpha = atan2(v_z, v_x), beta = atan2(v_y, |[v_x, v_z]|)
v_air_B = [v_x, v_y, v_z]
"""

# B is rotated down by alpha about y, then to the right by beta about the new z axis; W's x axis is along v.

velocity_from_air_data = "v_air_B = Ry(-alpha) Rz(beta) [V, 0, 0]"

dcm_from_wind = "R_BW = Ry(-alpha) Rz(beta)"
