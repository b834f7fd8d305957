"""Arithmetic of one contact in the loops that solve 0 <= lambda, N lambda + r >= 0, complementary."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.types import POSITIVE, REAL, Scalar
from codegen.library.shared.works import COTTLE, MAZHAR, NESTEROV
from codegen.modeling.types.scalar import absolute, bare, let, maximum, minimum, sqrt

IMPULSE = Arg("lambda_i", REAL, "N s", "the contact's impulse")
RATE = Arg("rate", REAL, "m/s", "rate at which its gap opens, with the effect of all impulses")


@kernel(
    inputs=[IMPULSE, RATE, Arg("N_ii", POSITIVE, "1/kg", "its diagonal element of the Delassus matrix")],
    outputs=[Arg("lambda_next", REAL, "N s", "the impulse that closes the gap's rate, or 0")],
    equation="lambda_next = max(lambda_i - rate / N_ii, 0)",
    source=f"{COTTLE} (projected Gauss-Seidel)",
    requires="`N_ii` is positive",
)
def contact_project(lambda_i: Scalar, rate: Scalar, N_ii: Scalar) -> Scalar:
    """One contact's step of projected Gauss-Seidel."""
    return maximum(let("closing", lambda_i - rate / N_ii), 0)


@kernel(
    inputs=[IMPULSE, RATE],
    outputs=[Arg("violation", REAL, "mixed", "distance from complementarity, 0 at a solution")],
    equation="violation = |min(lambda_i, rate)|",
    source=COTTLE,
)
def contact_violation(lambda_i: Scalar, rate: Scalar) -> Scalar:
    """Violation of complementarity: that `lambda_i` and `rate` are not negative, and one of them is 0."""
    return absolute(minimum(bare(lambda_i), rate))


@kernel(
    inputs=[
        Arg("y", REAL, "N s", "impulse, extrapolated"),
        Arg(
            "slope",
            REAL,
            "m/s",
            "rate at which its gap opens with extrapolated impulses, which is a component of the gradient",
        ),
        Arg("curvature", POSITIVE, "1/kg", "bound on the eigenvalues of `N`"),
    ],
    outputs=[Arg("lambda_next", REAL, "N s", "the impulse after the step")],
    equation="lambda_next = max(y - slope / curvature, 0)",
    source=MAZHAR,
)
def contact_descend(y: Scalar, slope: Scalar, curvature: Scalar) -> Scalar:
    """One contact's step of projected gradient descent."""
    return maximum(let("lower", y - slope / curvature), 0)


@kernel(
    inputs=[Arg("theta", POSITIVE, "1", "element of Nesterov's sequence, which begins with 1")],
    outputs=[
        Arg("theta_next", REAL, "1", "next element of the sequence"),
        Arg("momentum", REAL, "1", "factor of the last step in the extrapolation"),
    ],
    equation="theta_next^2 = (1 - theta_next) theta^2; theta_next > 0; "
    "momentum = theta (1 - theta) / (theta^2 + theta_next)",
    source=NESTEROV.at("section 2.2"),
    requires="`theta` is positive, as every element of the sequence that begins with 1 is",
)
def contact_momentum(theta: Scalar) -> tuple[Scalar, Scalar]:
    """Nesterov's momentum for accelerated gradient descent."""
    square = let("square", theta * theta)
    following = let("following", 2 * theta / (theta + sqrt(square + 4)))
    return following, theta * (1 - theta) / (square + following)
