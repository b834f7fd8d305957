"""WGS 84: the ellipsoid with its normals and its gravity, and other systems' conventions."""

ELLIPSOID = "a = 6378137, b = (1 - f) a, f = 1 / 298.257223563"

# The Earth's axes are rotated to the meridian, then pitched down.

dcm_ecef_to_ned = "R_NE = (Rz(lon) Ry(-lat - pi / 2))^T"

# N is the normal's length down to the axis, h continues it upwards (NIMA TR8350.2, equation 4-15).

POSITION = f"""
p_E = (N + h) n - [0, 0, e^2 N e_z.n], n = Rz(lon) Ry(-lat) e_x
N = a / sqrt(1 - e^2 sin(lat)^2), e^2 = 1 - (b / a)^2, {ELLIPSOID}
"""

ecef_from_geodetic = POSITION

# The meridian is an ellipse, along which M is the length per angle of the normal; by Meusnier, N reaches the
# axis (Groves, equation 2.105).

_LEVELLED = f"W = sqrt(1 - e^2 sin(lat)^2), e^2 = 1 - (b / a)^2, {ELLIPSOID}"

curvature_radii = f"M = a (1 - e^2) / W^3, N = a / W, {_LEVELLED}"

earth_rate_ned = "w_N = Ry(-lat - pi / 2)^T [0, 0, Omega]"

# The axes turn about the Earth's axis with the longitude, and back about east with the latitude.

transport_rate_ned = f"""
w_N = (Ry(-lat - pi / 2))^T [0, 0, dlon] - [0, dlat, 0]
dlat = v_x / (R_M + h), dlon = v_y / ((R_N + h) cos(lat)), v_N = [v_x, v_y, v_z]
R_M = a (1 - e^2) / W^3, R_N = a / W, {_LEVELLED}
"""

# A plane's axes in E and a shift of the origin, as a pose and its inverse.

ORIGIN = f"""
R = Rz(lon_0) Ry(-lat_0 - pi / 2), n = Rz(lon_0) Ry(-lat_0) e_x
o = (N + h_0) n - [0, 0, e^2 N e_z.n]
N = a / sqrt(1 - e^2 sin(lat_0)^2), e^2 = 1 - (b / a)^2, {ELLIPSOID}
"""

ned_from_ecef = f"p_N = R^T p_E - R^T o; {ORIGIN}"

ecef_from_ned = f"p_E = o + R p_N; {ORIGIN}"

dcm_eci_to_ecef = "R_EI = Rz(theta)^T"

# The velocity of the Earth's points at p is taken away in I, or added there.

ecef_from_eci = "p_E = Rz(theta)^T p_I, v_E = Rz(theta)^T (v_I - Omega e_z~ p_I)"

eci_from_ecef = "p_I = Rz(theta) p_E, v_I = Rz(theta) v_E + Omega e_z~ Rz(theta) p_E"

# Somigliana's formula, times the series in h.

gravity_wgs84 = f"""
g = g_0 (1 - (2 / a) (1 + f + m - 2 f s) h + 3 h^2 / a^2), s = sin(lat)^2, c = cos(lat)^2
g_0 = (a g_e c + b g_p s) / (a sqrt(c + (b / a)^2 s)), g_e = 9.7803253359, g_p = 9.8321849378
m = Omega^2 a^2 b / GM, Omega = 7.292115e-5, GM = 3.986004418e14, {ELLIPSOID}
"""

quat_from_xyzw = "q = [xyzw[3], xyzw[0:3]]"

quat_to_xyzw = "xyzw = [q_v, q_w]"

# Half a turn about north, then a quarter turn to the right.

dcm_ned_to_enu = "R_UN = Rz(pi / 2) Rx(pi)"

# Half a turn about the forward axis.

dcm_frd_to_flu = "R_LB = Rx(pi)"
