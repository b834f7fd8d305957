"""Averages of attitudes: the properties that define them.

They hold between the arguments and the results where the results are right and no status flag is raised.
"""

# R is the rotation of the polar decomposition M = R S for which tr(S) is largest, the sum of the singular
# values of M, of which the least has the sign of det(M) (Markley and Crassidis).

_LARGEST = """s = sqrt(k + 2 p cos(acos(c) / 3)); c = (e_3^2 + 2 k^3 - k e_2) / (2 p^3);
p = sqrt(k^2 - e_2 / 3); k = e_1 / 3; e_1 = tr(M^T M); e_2 = tr(adj(M)^T adj(M)); e_3 = det(M)"""

dcm_nearest = f"""R_AB^T R_AB = 1; det(R_AB) = 1; S^T = S; tr(S) = s + sqrt(e_1 - s^2 + 2 e_3 / s);
S = R_AB^T M; {_LARGEST}; M = M_AB"""

# An eigenvector of unit length for the largest eigenvalue (Markley et al. 2007), which follows from the
# singular values of M, the weighted sum of rotation matrices.

quat_mean = f"""A q_NB = a q_NB; q_NB.q_NB = 1; min(0, q_NB[0]) = 0;
4 a - tr(A) = s + sqrt(e_1 - s^2 + 2 e_3 / s); a = q_NB.(A q_NB); {_LARGEST};
M = (A[0, 0] - tr(B)) 1 + 2 B + 2 v~; v = A[1:4, 0]; B = A[1:4, 1:4]"""

quat_mean_pair = """A q_mean = ((w_1 + w_2 + y) / 2) q_mean; q_mean.q_mean = 1; min(0, q_mean.q_1) = 0;
A = w_1 q_1 q_1^T + w_2 q_2 q_2^T; y = sqrt((w_1 - w_2)^2 + 4 w_1 w_2 (q_1.q_2)^2)"""
