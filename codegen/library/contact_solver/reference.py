"""Linear complementarity problems 0 <= lambda, 0 <= N lambda + r, lambda.(N lambda + r) = 0.

Source: Cottle, Pang and Stone, The Linear Complementarity Problem (1992).
"""

from __future__ import annotations

from codegen.library.shared.dense import Result, Scalar, result
from codegen.library.shared.elementary import sqrt

__all__ = ["contact_descend", "contact_momentum", "contact_project", "contact_violation"]


def contact_project(lambda_i: Scalar, rate: Scalar, N_ii: Scalar) -> Result:
    """The impulse that brings the gap's rate to zero, or 0 if that is negative."""
    closing = (lambda_i * N_ii - rate) / N_ii
    return result(closing if closing > 0 else 0)


def contact_violation(lambda_i: Scalar, rate: Scalar) -> Result:
    """abs(min(lambda, rate))."""
    return result(abs(lambda_i if lambda_i < rate else rate))


def contact_descend(y: Scalar, slope: Scalar, curvature: Scalar) -> Result:
    """The minimum over lambda >= 0 of slope (lambda - y) + curvature (lambda - y)^2 / 2."""
    lowest = (curvature * y - slope) / curvature
    return result(lowest if lowest > 0 else 0)


def contact_momentum(theta: Scalar) -> Result:
    """The root in (0, 1) of t^2 = (1 - t) theta^2, and the factor of Nesterov's extrapolation."""
    square = theta * theta
    following = (sqrt(square + 4) * theta - square) / 2
    return result(following, theta * (1 - theta) / (square + following))
