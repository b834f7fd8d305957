"""Steps of one contact's part of a complementarity solver: projections on nonnegative impulses."""

from __future__ import annotations

from sympy import Abs, Expr, Max, Piecewise, sqrt

from codegen.modeling.steps import Step, step

LCP = "Cottle, Pang and Stone, The Linear Complementarity Problem, section"
MAZHAR = (
    "Mazhar, Heyn, Negrut and Tasora, Using Nesterov's method to accelerate multibody dynamics with friction "
    "and contact, ACM Trans. Graphics 34(3), 2015"
)
NESTEROV = "Nesterov, Introductory Lectures on Convex Optimization (2004), section 2.2"


@step(
    "Divide only the rate",
    "lambda_next = max(lambda_i - rate / N_ii, 0)",
    by="rate + N_ii (x - lambda_i) = 0 has the solution x = lambda_i - rate / N_ii, N_ii > 0",
    source=f"{LCP} 5.2",
)
def _closing(lambda_i: Expr, rate: Expr, N_ii: Expr) -> list[Expr]:
    return [Max(lambda_i - rate / N_ii, 0)]


@step(
    "Select the smaller of the two",
    "violation = |lambda_i| where lambda_i < rate, else |rate|",
    by="0 <= a, 0 <= b, a b = 0 is min(a, b) = 0",
    source=f"{LCP} 1.4",
)
def _smaller(lambda_i: Expr, rate: Expr) -> list[Expr]:
    return [Abs(Piecewise((lambda_i, lambda_i < rate), (rate, True)))]


@step(
    "Divide only the slope",
    "lambda_next = max(y - slope / curvature, 0)",
    by="the parabola slope (x - y) + curvature (x - y)^2 / 2 has its minimum at x = y - slope / curvature",
    source=MAZHAR,
)
def _lower(y: Expr, slope: Expr, curvature: Expr) -> list[Expr]:
    return [Max(y - slope / curvature, 0)]


@step(
    "Rationalise the root: a sum in place of a difference",
    "theta_next = 2 theta / (theta + sqrt(theta^2 + 4));\n"
    "momentum = theta (1 - theta) / (theta^2 + theta_next)",
    by="(s - theta) (s + theta) = 4 for s = sqrt(theta^2 + 4)",
    source=NESTEROV,
)
def _rationalised(theta: Expr) -> list[Expr]:
    following = 2 * theta / (theta + sqrt(theta**2 + 4))
    return [following, theta * (1 - theta) / (theta**2 + following)]


STEPS: dict[str, tuple[Step, ...]] = {
    "contact_project": (_closing,),
    "contact_violation": (_smaller,),
    "contact_descend": (_lower,),
    "contact_momentum": (_rationalised,),
}
