"""Many contacts at once: the Delassus matrix, solvers for the impulses, and the velocities after them.

Bodies may have any shape; contact i acts between bodies body_A[i] and body_B[i] with
the columns D_A[i] and D_B[i] of `contact_jacobian`. A body index outside 0 .. nb - 1 is the world.
"""

from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import INTEGER, POSITIVE, REAL, Array
from codegen.library.shared.works import ANITESCU, COTTLE, MAZHAR
from codegen.modeling.failures import Failure, failures_of
from codegen.modeling.routine import Items, Routine
from codegen.modeling.types.algebra import ContactTwist, ContactWrench, InertiaTensor

BODIES = (
    Items(Arg("nb", INTEGER, "1", "number of bodies")),
    Items(Arg("nc", INTEGER, "1", "number of contacts")),
    Items(Arg("m", POSITIVE, "kg", "masses; 0 for a body that does not move"), "in", ("nb",)),
    Items(Arg("J_B", InertiaTensor, "kg m^2", "inertias about the centres of mass", "B"), "in", ("nb",)),
    Items(Arg("body_A", INTEGER, "1", "first body of each contact; -1 is the world"), "in", ("nc",)),
    Items(Arg("body_B", INTEGER, "1", "second body of each contact"), "in", ("nc",)),
    Items(Arg("D_A", ContactWrench, "1; m", "columns of the first bodies"), "in", ("nc",)),
    Items(Arg("D_B", ContactWrench, "1; m", "columns of the second bodies"), "in", ("nc",)),
)
FIXED = "that body is treated as fixed"
BODY_FAILURES = {
    Status.MASS: Failure(words="a mass is negative", note=FIXED),
    Status.SINGULAR: Failure(words="an inertia has no inverse", note=FIXED),
}
DELASSUS = Items(Arg("N", REAL, "1/kg", "Delassus matrix, row-major"), "in", ("nc", "nc"))
RATES = Items(Arg("r", REAL, "m/s", "rates at which the gaps open without impulses"), "in", ("nc",))
IMPULSES = Arg("lambda", REAL, "N s", "impulses")
RESIDUAL = Items(
    Arg(
        "residual",
        REAL,
        "mixed",
        "largest magnitude of the smaller of impulse and rate of a contact, plus its rounding",
    ),
    "out",
)
SOLVER = (
    DELASSUS,
    RATES,
    Items(IMPULSES, "inout", ("nc",)),
    Items(Arg("nc", INTEGER, "1", "number of contacts")),
    Items(Arg("iterations", INTEGER, "1", "largest number of iterations")),
    Items(
        Arg(
            "tolerance",
            REAL,
            "mixed",
            "residual at which to stop: impulses in N s, rates in m/s; for light "
            "bodies at most their mass times the residual speed that is acceptable",
        )
    ),
    RESIDUAL,
    Items(Arg("used", INTEGER, "1", "iterations done"), "out"),
)
SKIPPED = (
    "Contacts between bodies that do not move, whose `N_ii` is no normal number, are skipped: their impulses "
    "do not change and do not enter the residual."
)
PROBLEM_NOT_FINITE = Failure(
    words="the sum of `N`, `r` and `lambda`, or an intermediate residual, is not finite",
    results="lambda = 0, residual = max",
)
COMPLEMENTARITY = "0 <= lambda_i; 0 <= u_i; lambda_i u_i = 0; u = N lambda + r"
OF_CONTACTS = (
    Arg("lambda_i", REAL, "N s", "impulse of contact i"),
    Arg("lambda_j", REAL, "N s", "impulse of contact j"),
    Arg("u_i", REAL, "m/s", "rate at which the gap of contact i opens"),
    Arg("N_ij", REAL, "1/kg", "element of `N`"),
    Arg("N_ii", REAL, "1/kg", "diagonal element of `N`"),
)
AFTER = Arg("lambda_i'", REAL, "N s", "impulse of contact i after the step")


def column(name: str, contact: str) -> Arg:
    """The column of a contact for a body."""
    doc = f"column of contact {contact} for body b, one of `D_A` and `D_B`; 0 for any other body"
    return Arg(name, Array((6,)), "1; m", doc)


def _unsolved(iterate: str) -> Failure:
    return Failure(
        words="the residual is above the tolerance after all iterations, as it must be where no impulses "
        "solve the problem (a body squeezed between walls)",
        note=f"`lambda` holds the {iterate} iterate",
    )


contact_delassus = Routine(
    name="contact_delassus",
    module="contact_solver",
    arguments=(*BODIES, Items(Arg("N", REAL, "1/kg", "Delassus matrix, row-major"), "out", ("nc", "nc"))),
    title="Delassus matrix of all contacts, which takes impulses to changes of the gap velocities.",
    details="The matrix is symmetric to the last bit. `N_ij` is 0 unless contacts i and j share a body.",
    equation="N_ij = sum_b(D_ib^T M_b^-1 D_jb)",
    symbols=(
        column("D_ib", "i"),
        column("D_jb", "j"),
        Arg("M_b", Array((6, 6)), "kg; kg m^2", "mass matrix of body b: its mass and its inertia"),
    ),
    source=ANITESCU,
    calls=("contact_mass_inverse", "contact_dot"),
    failures=failures_of(
        {
            Status.NOT_FINITE: [
                Failure(
                    words="the inverse of a mass, or of an inertia times a column, is not finite", note=FIXED
                ),
                Failure(words="an element of `N` is not finite", note="it is zero"),
            ],
            **BODY_FAILURES,
        }
    ),
    cost="2 nc mass inverses, and a product of 6-vectors for each pair of contacts on one body",
)

contact_velocity_update = Routine(
    name="contact_velocity_update",
    module="contact_solver",
    arguments=(
        *BODIES,
        Items(IMPULSES, "in", ("nc",)),
        Items(Arg("v", ContactTwist, "m/s; rad/s", "velocities without the impulses"), "in", ("nb",)),
        Items(
            Arg("v_next", ContactTwist, "m/s; rad/s", "velocities after the impulses; may be v"),
            "out",
            ("nb",),
        ),
    ),
    title="Velocities of all bodies after the contacts' impulses.",
    equation="v_next = v + M^-1 D lambda",
    symbols=(
        Arg(
            "M",
            Array((12, 12)),
            "kg; kg m^2",
            "mass matrix of all bodies, with those of each on the diagonal",
        ),
        Arg(
            "D",
            Array((12, 2)),
            "1; m",
            "columns of all contacts: `D_A` and `D_B` in the rows of their bodies",
        ),
    ),
    source=ANITESCU,
    calls=("contact_apply",),
    failures=failures_of(
        {
            Status.NOT_FINITE: Failure(
                words="a velocity is not finite, before or after an impulse",
                note="that impulse is not applied to it",
            ),
            **BODY_FAILURES,
        }
    ),
    cost="2 nc mass inverses",
)

contact_residual = Routine(
    name="contact_residual",
    module="contact_solver",
    arguments=(
        DELASSUS,
        RATES,
        Items(IMPULSES, "in", ("nc",)),
        Items(Arg("nc", INTEGER, "1", "number of contacts")),
        RESIDUAL,
    ),
    title="Residual of contact impulses.",
    details="The first term is 0 for a solution: neither the impulse nor the rate of a contact is negative, "
    "and one of the two is 0. The last term bounds rounding, so that impulses that have grown until `r` is "
    "lost beside them do not pass for a solution. The residual is 0 for no contacts, and NaN where `N`, `r` "
    "or `lambda` of a contact that counts is NaN. Contacts between bodies that do not move, whose `N_ii` is "
    "no normal number, do not count.",
    equation="residual = max_i(|min(lambda_i, u_i)| + eps sum_j(|N_ij lambda_j|)); u = N lambda + r",
    symbols=OF_CONTACTS,
    source=COTTLE,
    calls=("contact_violation",),
    cost="nc^2 mul, 2 nc^2 add",
)

contact_solve_pgs = Routine(
    name="contact_solve_pgs",
    module="contact_solver",
    arguments=SOLVER,
    title="Contact impulses by projected Gauss-Seidel.",
    details="The iteration starts from the impulses in `lambda`. A sweep replaces `lambda_i` by `lambda_i'` "
    "for one contact after the other, so that `u` is that of the newest impulses. " + SKIPPED,
    equation=f"{COMPLEMENTARITY}; lambda_i' = max(lambda_i - u_i / N_ii, 0)",
    symbols=(*OF_CONTACTS, AFTER),
    source=COTTLE,
    calls=("contact_residual", "contact_project"),
    failures=failures_of(
        {Status.NOT_FINITE: PROBLEM_NOT_FINITE, Status.NOT_CONVERGED: _unsolved("last")},
    ),
    cost="nc^2 add; about 2 nc^2 mul, 2 nc^2 add for a sweep",
)

contact_solve_apgd = Routine(
    name="contact_solve_apgd",
    module="contact_solver",
    arguments=SOLVER,
    title="Contact impulses by accelerated projected gradient descent.",
    details="Nesterov's method with restarts on the energy whose gradient is `g` at `y`. The line search "
    "accepts `lambda'` when the energy there is not above the quadratic with the gradient `g` and the "
    "curvature `L`. The terms with `r` cancel in this: the step's scalar product with `N` times the step is "
    "not above `L` times its square. The iteration starts from the impulses in `lambda`. " + SKIPPED,
    equation=f"{COMPLEMENTARITY}; lambda_i' = max(y_i - g_i / L, 0); g = N y + r; "
    "y' = lambda' + momentum (lambda' - lambda)",
    symbols=(
        *OF_CONTACTS,
        AFTER,
        Arg("y", Array((2,)), "N s", "impulses that the momentum extrapolates; at first the given ones"),
        Arg("y_i", REAL, "N s", "element of `y`"),
        Arg("g_i", REAL, "m/s", "element of `g`"),
        Arg("L", REAL, "1/kg", "bound of the curvature along the step, which the line search finds"),
        Arg(
            "momentum",
            REAL,
            "1",
            "factor of the extrapolation, of contact_momentum; 0 where a step restarts",
        ),
        Arg("y'", Array((2,)), "N s", "`y` of the next step"),
        Arg("lambda'", Array((2,)), "N s", "impulses after the step"),
    ),
    source=MAZHAR,
    calls=("contact_residual", "contact_descend", "contact_momentum"),
    failures=failures_of(
        {
            Status.NOT_FINITE: PROBLEM_NOT_FINITE,
            Status.NOT_CONVERGED: [
                _unsolved("best"),
                Failure(words="`nc` is negative or above `MAX_CONTACTS`", note="`lambda` is unchanged"),
            ],
        }
    ),
    cost="nc^2 add; about 3 nc^2 mul, 3 nc^2 add for a step",
    capacities={"MAX_CONTACTS": 64},
)
