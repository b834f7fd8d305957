"""Air data as rotations of the velocity's direction (Stevens & Lewis)."""

# The polar angles of the velocity: alpha in B's xz plane, beta out of it.

air_data_from_velocity = """
V = sqrt(v_air_B.v_air_B), alpha = atan2(v_z, v_x), beta = atan2(v_y, |[v_x, v_z]|)
v_air_B = [v_x, v_y, v_z]
"""

# B is rotated down by alpha about y, then to the right by beta about the new z axis; W's x axis is along v.

velocity_from_air_data = "v_air_B = Ry(-alpha) Rz(beta) [V, 0, 0]"

dcm_from_wind = "R_BW = Ry(-alpha) Rz(beta)"

# The hydrostatic equation dp / p = -(g / R) dh / T, integrated over each layer (ISO 2533).

ATMOSPHERE = """T = {T_0 - beta h if h <= 11000, T_11 if h <= 20000, T_11 + gamma (h - 20000) otherwise}
I = {A(h) if h <= 11000, A(11000) + (h - 11000) / T_11 if h <= 20000, B + C(h) otherwise}
A(y) = -log((T_0 - beta y) / T_0) / beta, B = A(11000) + 9000 / T_11
C(y) = log((T_11 + gamma (y - 20000)) / T_11) / gamma
T_0 = 288.15, T_11 = 216.65, beta = 0.0065, gamma = 0.001
p_0 = 101325, g_0 = 9.80665, R = 287.05287"""

isa_atmosphere = f"""
p = p_0 exp(-(g_0 / R) I), rho = p / (R T), a = 20.046796 sqrt(T); {ATMOSPHERE}
"""

# Bernoulli's equation for isentropic flow, before the pitot tube and at sea level (Gracey).

airspeeds = """
M = V / sqrt((7 / 5) p / rho), q_bar = rho V^2 / 2
CAS = a_0 sqrt(5 ((q_c / p_0 + 1)^(2/7) - 1)), q_c = p ((1 + M^2 / 5)^(7/2) - 1)
a_0 = 340.294, p_0 = 101325
"""
