"""Complementarity conditions, minima and sequences of the solvers: the properties that define their steps.

A property states equations between the arguments and the results, which hold where the results are right and
no status flag is raised.
"""

# The linear complementarity problem of one contact: impulse and rate are not negative, and one of them is
# zero, so that the smaller one is zero (Cottle, Pang and Stone).

contact_project = """
min(lambda_next, b) = 0
b = rate + N_ii (lambda_next - lambda_i)
"""

# At the minimum of the parabola on impulses that are not negative, impulse and derivative are not negative,
# and one of them is zero (Mazhar et al. 2015).

contact_descend = """
min(lambda_next, b) = 0
b = slope + curvature (lambda_next - y)
"""

# Nesterov's recurrence (Nesterov 2018, section 2.2).

contact_momentum = """
theta_next^2 = (1 - theta_next) theta^2, 0 < theta_next
momentum (theta^2 + theta_next) = theta (1 - theta)
"""
