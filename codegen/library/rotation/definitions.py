"""Rotations: quaternions [w, x, y, z] (Hamilton), direction-cosine matrices, roll-pitch-yaw."""

# The product is that of Hamilton, ij = k (Diebel 2006).

quat_multiply = "pq = p (x) q"

quat_conjugate = "q_conj = q^*"

# The matrix L takes a quaternion to its product with q, and the inverse to 1.

quat_inverse = (
    "q_inv = L^-1 [1, 0, 0, 0]; "
    "L = cols(q (x) [1, 0, 0, 0], q (x) [0, 1, 0, 0], q (x) [0, 0, 1, 0], q (x) [0, 0, 0, 1])"
)

quat_normalize = "q_unit = q / |q|"

quat_rotate = "[0, v_A] = q_AB (x) [0, v_B] (x) q_AB^*"

quat_rotate_inverse = "[0, v_B] = q_AB^* (x) [0, v_A] (x) q_AB"

# The columns of the matrix are the images of the unit vectors.

_IMAGES = (
    "[0, b_0] = q_AB (x) [0, e_x] (x) q_AB^*; [0, b_1] = q_AB (x) [0, e_y] (x) q_AB^*; "
    "[0, b_2] = q_AB (x) [0, e_z] (x) q_AB^*"
)

quat_to_dcm = f"R_AB = cols(b_0, b_1, b_2) / (q.q); {_IMAGES}"

quat_to_dcm_unit = f"R_AB = cols(b_0, b_1, b_2); {_IMAGES}"

# Shepperd (1978): 4 q q^T is linear in R. Its row of the pivot, the first largest of tr(R) and R's diagonal
# elements, over twice the root of its diagonal element is q or -q. Only a pivot other than w needs the sign.

dcm_to_quat = """
q_AB = {row_0 / (2 sqrt(row_0[0])) if t >= R[0, 0] and t >= R[1, 1] and t >= R[2, 2],
        positive(row_1 / (2 sqrt(row_1[1]))) if R[0, 0] >= R[1, 1] and R[0, 0] >= R[2, 2],
        positive(row_2 / (2 sqrt(row_2[2]))) if R[1, 1] >= R[2, 2],
        positive(row_3 / (2 sqrt(row_3[3]))) otherwise}
positive(q) = {-q if q[0] < 0, q otherwise}
rows(row_0, row_1, row_2, row_3) = [[1 + t, a^T], [a, R + R^T + (1 - t) 1]]
a = vee(R - R^T), t = tr(R)
"""

quat_kinematics = "dq = q_AB (x) [0, w_B] / 2 - baumgarte (q.q - 1) q_AB"

quat_kinematics_inverse = "[s, w_B] = 2 q_AB^* (x) dq"

# Two half turns one after the other turn by twice the angle between their axes: to b, then to the middle.

quat_from_vectors = "q_AB = s / |s|; s = [|v_A| |v_B|, 0, 0, 0] - [0, v_A] (x) [0, v_B]"

dcm_multiply = "R_AC = R_AB R_BC"

dcm_rotate = "v_A = R_AB v_B"

dcm_rotate_inverse = "v_B = R_AB^-1 v_A"

dcm_kinematics = "dR_AB = R_AB w_B~"  # Poisson's equation

# Gram and Schmidt's first two axes, and their cross product.

dcm_orthonormalize = """
R_unit = cols(e_0, e_1, e_0 x e_1), R = cols(c_0, c_1, c_2)
e_0 = c_0 / |c_0|, e_1 = a / |a|, a = c_1 - (e_0.c_1) e_0
"""

# Roll, pitch and yaw are the aerospace 3-2-1 attitude; each rate is about its own axis (Stevens & Lewis).

_RPY = "rpy = [phi, theta, psi]"
_AXES = f"E = cols(e_x, Rx(phi)^T e_y, Rx(phi)^T Ry(theta)^T e_z); {_RPY}"

quat_from_rpy = f"""
q_NB = q_z (x) q_y (x) q_x; {_RPY}
q_x = [cos(phi / 2), sin(phi / 2) e_x], q_y = [cos(theta / 2), sin(theta / 2) e_y]
q_z = [cos(psi / 2), sin(psi / 2) e_z]
"""

dcm_from_rpy = f"R_NB = Rz(psi) Ry(theta) Rx(phi); {_RPY}"

rpy_kinematics = f"drpy = E^-1 w_B; {_AXES}"

rpy_kinematics_inverse = f"w_B = E drpy; {_AXES}"
