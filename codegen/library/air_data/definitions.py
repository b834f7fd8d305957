"""Air data as rotations of the velocity's direction (Stevens & Lewis, section 2.3)."""

# The polar angles of the velocity: alpha in B's xz plane, beta out of it.

air_data_from_velocity = """
V = sqrt(v_air_B.v_air_B), alpha = atan2(v_z, v_x), beta = atan2(v_y, |[v_x, v_z]|)
v_air_B = [v_x, v_y, v_z]
"""

# B is rotated down by alpha about y, then to the right by beta about the new z axis; W's x axis is along v.

velocity_from_air_data = "v_air_B = Ry(-alpha) Rz(beta) [V, 0, 0]"

dcm_from_wind = "R_BW = Ry(-alpha) Rz(beta)"

# The hydrostatic equation dp / p = -(g / R) dh / T, integrated over each layer (ISO 2533).

_ATMOSPHERE = """
T = {288.15 - 0.0065 h if h <= 11000, 216.65 if h <= 20000, 216.65 + (h - 20000) / 1000 otherwise}
I = {A(h) if h <= 11000, A(11000) + (h - 11000) / 216.65 if h <= 20000, B + C(h) otherwise}
A(y) = -log((288.15 - 0.0065 y) / 288.15) / 0.0065, B = A(11000) + 9000 / 216.65
C(y) = 1000 log((216.65 + (y - 20000) / 1000) / 216.65)
"""

isa_atmosphere = f"""
p = 101325 exp(-(9.80665 / 287.05287) I), rho = p / (287.05287 T), a = 20.046796 sqrt(T); {_ATMOSPHERE}
"""

# Bernoulli's equation for isentropic flow, before the pitot tube and at sea level (Gracey, chapter II).

airspeeds = """
M = V / sqrt((7 / 5) p / rho), q_bar = rho V^2 / 2
CAS = 340.294 sqrt(5 (exp((2 / 7) log(q_c / 101325 + 1)) - 1)), q_c = p (exp((7 / 2) log(1 + M^2 / 5)) - 1)
"""
