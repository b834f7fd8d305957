"""The arithmetic of one contact in the solvers of 0 <= lambda, 0 <= N lambda + r, complementary."""

from __future__ import annotations

from sympy import Abs, Expr, Max, Min, sqrt


def contact_project(lambda_i: Expr, rate: Expr, N_ii: Expr) -> list[Expr]:
    """The impulse at which rate + N_ii (lambda_next - lambda_i) is zero, or 0 if that is negative."""
    return [Max((N_ii * lambda_i - rate) / N_ii, 0)]


def contact_violation(lambda_i: Expr, rate: Expr) -> list[Expr]:
    """abs(min(lambda, rate))."""
    return [Abs(Min(lambda_i, rate))]


def contact_descend(y: Expr, slope: Expr, curvature: Expr) -> list[Expr]:
    """The impulse y - slope / curvature, or 0 if that is negative."""
    return [Max((curvature * y - slope) / curvature, 0)]


def contact_momentum(theta: Expr) -> list[Expr]:
    """The positive root of t^2 + theta^2 t - theta^2 = 0 (Nesterov 2004, scheme 2.2.19)."""
    following = (theta * sqrt(theta**2 + 4) - theta**2) / 2
    return [following, theta * (1 - theta) / (theta**2 + following)]
