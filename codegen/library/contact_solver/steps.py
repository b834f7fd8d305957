"""Steps of one contact's part of a complementarity solver: projections on nonnegative impulses."""

from __future__ import annotations

from codegen.library.shared.works import COTTLE, MAZHAR, NESTEROV
from codegen.modeling.steps import Step, stated

OPTIMAL = NESTEROV.at("section 2.2")

_closing = stated(
    "Take the impulse that makes the rate zero, or none",
    "lambda_next = max(lambda_i - rate / N_ii, 0)",
    by="`N_ii` is the rate per impulse, so that the opposite of the rate over `N_ii` makes the rate zero; "
    "where this would pull, the impulse is zero, and the rate is not negative because `N_ii` is positive",
    source=COTTLE,
)

_smaller = stated(
    "Select the smaller of the two",
    "violation = |{lambda_i if lambda_i < rate, rate otherwise}|",
    by="two numbers are not negative with one of them zero exactly if the smaller one is zero",
    source=COTTLE,
)

_lower = stated(
    "Go down the gradient from the extrapolated point, and project on the impulses that are not negative",
    "lambda_next = max(y - slope / curvature, 0)",
    by="from `y` the parabola's minimum is as far as the slope over the curvature; on "
    "impulses that are not negative, the minimum of a parabola is at its projection",
    source=MAZHAR,
)

_rationalised = stated(
    "Rationalise the root: a sum in place of a difference",
    "theta_next = 2 theta / (theta + sqrt(theta^2 + 4));\n"
    "momentum = theta (1 - theta) / (theta^2 + theta_next)",
    by="the product of the sum and the difference of root and `theta` is 4",
    source=OPTIMAL,
)

STEPS: dict[str, tuple[Step, ...]] = {
    "contact_project": (_closing,),
    "contact_violation": (_smaller,),
    "contact_descend": (_lower,),
    "contact_momentum": (_rationalised,),
}
