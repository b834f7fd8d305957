"""Averages of attitudes: the properties that define them.

They hold between the arguments and the results where the results are right and no status flag is raised.
"""

# R is the rotation of the polar decomposition M = R S for which tr(S) is largest: the sum of any two
# eigenvalues of S is not negative (Markley and Crassidis, section 5.2).

dcm_nearest = """R_AB^T R_AB = 1; det(R_AB) = 1; S^T = S; min(0, minors(tr(S) 1 - S)) = 0;
S = R_AB^T M_AB"""

# An eigenvector of unit length, whose eigenvalue no other exceeds (Markley et al. 2007, eq. 13).

quat_mean = """A q_NB = a q_NB; q_NB.q_NB = 1; min(0, minors(a 1 - A), q_NB[0]) = 0; a = q_NB.(A q_NB)"""

quat_mean_pair = """A q_mean = a q_mean; q_mean.q_mean = 1; min(0, minors(a 1 - A), q_mean.q_1) = 0;
a = q_mean.(A q_mean); A = w_1 q_1 q_1^T + w_2 q_2 q_2^T"""
