"""Log-Cholesky parameters of an inertia: the property that defines them.

It states what holds between the arguments and the results where the results are right and no status flag is
raised.
"""

# The pseudo-inertia is the product of an upper triangular matrix and its transpose (Rucker and Wensing 2022).

inertia_to_log_cholesky = """
exp(2 theta[0]) (U U^T) = [[(tr(J) / 2) 1 - J, h], [h^T, m]]
U = [[exp(theta[1]), theta[4], theta[6], theta[7]], [0, exp(theta[2]), theta[5], theta[8]],
  [0, 0, exp(theta[3]), theta[9]], [0, 0, 0, 1]]
"""
