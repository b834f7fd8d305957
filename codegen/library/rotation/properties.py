"""Attitudes from a matrix, and wrapped angles: the properties that define them.

A property states equations between the arguments and the results, which hold where the results are right and
no status flag is raised.
"""

# The product with q is 1.

quat_inverse = "q (x) q_inv = [1, 0, 0, 0], q_inv (x) q = [1, 0, 0, 0]"

# Where the scalar part is 0, which of q and -q it is is a convention that the definition fixes.

dcm_to_quat = """
R_AB = cols(b_0, b_1, b_2), [0, b_0] = q_AB (x) [0, e_x] (x) q_AB^*
[0, b_1] = q_AB (x) [0, e_y] (x) q_AB^*, [0, b_2] = q_AB (x) [0, e_z] (x) q_AB^*
q.q = 1, min(0, q_w) = 0
"""

# Two triples give the same matrix; that with theta from -pi/2 to pi/2 is wanted.

rpy_from_dcm = """
Rz(psi) Ry(theta) Rx(phi) = R_NB
cos(theta) = sqrt(R[0, 0]^2 + R[1, 0]^2), rpy = [phi, theta, psi]
"""

rpy_from_quat = """
R = Rz(psi) Ry(theta) Rx(phi)
(q.q) R = cols(b_0, b_1, b_2), [0, b_0] = q_NB (x) [0, e_x] (x) q_NB^*
[0, b_1] = q_NB (x) [0, e_y] (x) q_NB^*, [0, b_2] = q_NB (x) [0, e_z] (x) q_NB^*
cos(theta) = sqrt(R[0, 0]^2 + R[1, 0]^2), rpy = [phi, theta, psi]
"""

angle_wrap = "sin(wrapped) = sin(angle), cos(wrapped) = cos(angle), -pi < wrapped <= pi"
