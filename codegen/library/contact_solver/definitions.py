"""The arithmetic of one contact in the solvers of 0 <= lambda, 0 <= N lambda + r, complementary."""

# The impulse at which rate + N_ii (lambda_next - lambda_i) is zero, or 0 if that is negative.

contact_project = "lambda_next = max((N_ii lambda_i - rate) / N_ii, 0)"

contact_violation = "violation = |min(lambda_i, rate)|"

# The impulse at the minimum of the parabola, or 0 if that is negative.

contact_descend = "lambda_next = max((curvature y - slope) / curvature, 0)"

# The positive root of t^2 + theta^2 t - theta^2 = 0.

contact_momentum = """
theta_next = (theta sqrt(theta^2 + 4) - theta^2) / 2
momentum = theta (1 - theta) / (theta^2 + theta_next)
"""
