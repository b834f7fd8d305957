"""Factors and principal axes of an inertia: the properties that define them.

They hold between the arguments and the results where the results are right and no status flag is raised.
"""

# L D L^T is I_com with its axes in the order of perm, and `rank` pivots are not 0.

inertia_factor = """T diag(D) T^T = P I_com P^T; T = [[1, 0, 0], [L[0], 1, 0], [L[1], L[2], 1]];
P = rows(e(perm[0]), e(perm[1]), e(perm[2]));
e(i) = [{1 if i < 1, 0 otherwise}, {1 if 0 < i and i < 2, 0 otherwise}, {1 if 1 < i, 0 otherwise}];
rank = n(D[0]) + n(D[1]) + n(D[2]); n(d) = {1 if 0 < d, 0 otherwise}; min(0, D) = 0"""

# R is orthonormal with determinant 1, and the moments ascend.

inertia_principal = """R_BP diag(moments) R_BP^T = I_com; R_BP^T R_BP = 1; det(R_BP) = 1;
moments[0] <= moments[1] <= moments[2]"""
