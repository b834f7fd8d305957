"""Frictionless contact of spheres and bodies, up to the velocity-level problem c = N lambda + r >= 0.

A column of the contact Jacobian and a body's velocity are mixed: their linear part is in the axes of the
world N, their angular part in those of the body, about its centre of mass. Impulses lambda are in N s, r in
m/s. The column of a contact is the gradient of its gap: D_A.v_A + D_B.v_B is the rate of the gap.
"""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import POSITIVE, REAL, Scalar
from codegen.library.shared.arguments import central_inertia, rotation, vector
from codegen.library.shared.guards import DEFINITE, NOT_DEFINITE, bounded, total
from codegen.library.shared.works import STEWART, TASORA
from codegen.modeling.failures import Failure
from codegen.modeling.types.algebra import ContactTwist, ContactWrench, InertiaTensor, Rotation, Vec3
from codegen.modeling.types.scalar import EPS, MIN, every, finite, let, maximum, require, select, some, sqrt

CLOSEST = "the contact points lie on the line through the centres"
BELOW = "the contact points lie on the plane's normal through the centre of the sphere"
MIXED = "linear in N, angular in the body"

NORMAL = vector("n", "1", "unit normal, from A to B", "N")
GAP = Arg("gap", REAL, "m", "distance of the surfaces, negative when they overlap")
C_A = vector("c_A", "m", "contact point on A", "N")
C_B = vector("c_B", "m", "contact point on B", "N")
DT = Arg("dt", POSITIVE, "s", "time step")


def _radius(body: str) -> Arg:
    return Arg(f"r_{body}", POSITIVE, "m", f"radius of {body}, positive")


def _column(name: str, body: str) -> Arg:
    return Arg(name, ContactWrench, "1; m", f"the contact's column of the Jacobian: rows of {body}", MIXED)


def _velocity(name: str, doc: str = "velocity of the centre of mass, angular velocity") -> Arg:
    return Arg(name, ContactTwist, "m/s; rad/s", doc, MIXED)


@kernel(
    inputs=[vector("x_A", "m", "centre of A", "N"), _radius("A"), vector("x_B", "m", "centre of B", "N"),
            _radius("B")],
    outputs=[NORMAL, GAP, C_A, C_B],
    equation="n = d / |d|; d = x_B - x_A; gap = |d| - r_A - r_B; c_A = x_A + r_A n; c_B = x_B - r_B n",
    source=CLOSEST,
    failures={
        Status.DEGENERATE: Failure("d.d > min", "n = [1, 0, 0]", note="as for spheres with one centre"),
        Status.NOT_FINITE: Failure(
            "|gap + sum(c_A) + sum(c_B)| <= max", "n = [1, 0, 0], gap = 0, c_A = 0, c_B = 0"
        ),
    },
)  # fmt: skip
def sphere_sphere_contact(x_A: Vec3, r_A: Scalar, x_B: Vec3, r_B: Scalar) -> tuple[Vec3, Scalar, Vec3, Vec3]:
    """Contact of two spheres: normal, gap and closest points; in an overlap, the gap is negative."""
    d = let("d", x_B - x_A)
    square = let("d2", d.dot(d))
    apart = let("apart", require(square > MIN, Status.DEGENERATE))
    root = let("root", sqrt(select(apart, square, 1)))
    n: Vec3 = let("unit", select(apart, d, Vec3(1, 0, 0)) * let("inv_root", 1 / root))
    gap = let("distance", select(apart, root, 0) - r_A - r_B)
    c_A, c_B = let("on_A", x_A + r_A * n), let("on_B", x_B - r_B * n)
    ok = bounded(gap + total(c_A) + total(c_B))  # an infinite d.d makes the gap infinite
    zero = Vec3.zero()
    return (
        select(ok, n, Vec3(1, 0, 0)),
        select(ok, gap, 0),
        select(ok, c_A, zero),
        select(ok, c_B, zero),
    )


@kernel(
    inputs=[
        vector("n", "1", "unit normal of the plane, out of A", "N"),
        Arg("d", REAL, "m", "offset of the plane from the origin along `n`; A fills the half-space below it"),
        vector("x_B", "m", "centre of the sphere B", "N"),
        _radius("B"),
    ],
    outputs=[GAP, C_A, C_B],
    equation="s = n.x_B - d; gap = s - r_B; c_A = x_B - s n; c_B = x_B - r_B n",
    source=BELOW,
    requires="`n` is a unit vector",
)
def sphere_plane_contact(n: Vec3, d: Scalar, x_B: Vec3, r_B: Scalar) -> tuple[Scalar, Vec3, Vec3]:
    """Contact of a plane (body A) and a sphere (body B): gap and the closest points."""
    s = let("s", n.dot(x_B) - d)
    return s - r_B, x_B - s * n, x_B - r_B * n


@kernel(
    inputs=[
        rotation("R_NA"),
        rotation("R_NB"),
        NORMAL,
        C_A,
        C_B,
        vector("p_A", "m", "centre of mass of A", "N"),
        vector("p_B", "m", "centre of mass of B", "N"),
    ],
    outputs=[_column("D_A", "A"), _column("D_B", "B")],
    equation="D_A = [-n, -s_A x R_NA^T n]; s_A = R_NA^T (c_A - p_A); "
    "D_B = [n, s_B x R_NB^T n]; s_B = R_NB^T (c_B - p_B)",
    source=f"{TASORA}; the gradient of the gap with respect to the displacements of both bodies",
    requires="`R_NA` and `R_NB` are orthonormal with determinant 1",
)
def contact_jacobian(
    R_NA: Rotation, R_NB: Rotation, n: Vec3, c_A: Vec3, c_B: Vec3, p_A: Vec3, p_B: Vec3
) -> tuple[ContactWrench, ContactWrench]:
    """Rows of both bodies in a contact's column of the Jacobian.

    `s_A x R_NA^T n = R_NA^T ((c_A - p_A) x n)`: the moment of the normal about the centre of mass, in the
    body's axes.
    """
    moment_A, moment_B = let("moment_A", n.cross(c_A - p_A)), let("moment_B", (c_B - p_B).cross(n))
    return ContactWrench(-n, R_NA.transpose @ moment_A), ContactWrench(n, R_NB.transpose @ moment_B)


BODY = (
    Arg("m", REAL, "kg", "mass; 0 for a static body"),
    central_inertia("J_B", "B"),
)


def _failures(name: str, otherwise: str) -> dict[Status, Failure]:
    results = f"{name} = {otherwise}"
    return {
        Status.MASS: Failure("m >= 0", results),
        Status.SINGULAR: Failure("m <= 0 or " + " and ".join(DEFINITE), results, f"otherwise {NOT_DEFINITE}"),
        Status.NOT_FINITE: Failure(f"|sum({name})| <= max", results),
    }


def _pushed(v: ContactTwist, m: Scalar, J: InertiaTensor, impulse: ContactWrench) -> ContactTwist:
    """v + M^-1 impulse; v where the body is static, or has no inverse mass."""
    adj = let("adj", J.adjugate)
    det = let("det", J.xx * adj.xx + J.xy * adj.xy + J.xz * adj.xz)
    definite = every(J.xx > 0, adj.zz > 0, det > MIN, det > 16 * EPS * J.xx * J.yy * J.zz)
    require(m >= 0, Status.MASS)
    regular = require(some(m <= 0, definite), Status.SINGULAR)
    moving = let("moving", every(m > 0, regular))
    inv_m, inv_det = let("inv_m", 1 / select(moving, m, 1)), let("inv_det", 1 / select(moving, det, 1))
    change = ContactTwist(impulse.f_N * inv_m, (adj @ impulse.n_B) * inv_det)
    pushed = let("pushed", v + select(moving, change, ContactTwist.of([0] * 6)))
    return select(bounded(total(pushed)), pushed, v)


@kernel(
    inputs=[
        *BODY,
        Arg("wrench", ContactWrench, "N s; N m s", "impulse, and its moment about the centre of mass", MIXED),
    ],
    outputs=[_velocity("twist", "change of velocity")],
    equation="twist = {[f_N / m, J_B^-1 n_B] if m > 0, 0 otherwise}",
    source=TASORA,
    failures=_failures("twist", "0"),
)
def contact_mass_inverse(m: Scalar, J_B: InertiaTensor, wrench: ContactWrench) -> ContactTwist:
    """Change of velocity of one body by an impulse; a static body, whose `m` is 0, does not move."""
    return _pushed(ContactTwist.of([0] * 6), m, J_B, wrench)


@kernel(
    inputs=[
        _velocity("v"),
        Arg("f", ContactWrench, "N; N m", "external force, and its moment about the centre of mass", MIXED),
        *BODY,
        DT,
    ],
    outputs=[_velocity("v_star", "velocity after the step without contact impulses")],
    equation="v_star = {v + dt [f_N / m, J_B^-1 (n_B - w_B x J_B w_B)] if m > 0, v otherwise}",
    source=STEWART,
    failures=_failures("v_star", "v"),
)
def contact_free_velocity(
    v: ContactTwist, f: ContactWrench, m: Scalar, J_B: InertiaTensor, dt: Scalar
) -> ContactTwist:
    """Velocity of one body after a step without contact impulses.

    A static body, whose `m` is 0, keeps its velocity `v`, which prescribes its motion.
    """
    torque = let("torque", f.n_B - v.w_B.cross(let("L", J_B @ v.w_B)))
    return _pushed(v, m, J_B, ContactWrench(dt * f.f_N, dt * torque))


@kernel(
    inputs=[
        GAP,
        DT,
        Arg("max_push", REAL, "m/s", "largest speed at which an overlap is corrected"),
        _column("D_A", "A"),
        _column("D_B", "B"),
        _velocity("v_A", "free velocity `v_star` of A"),
        _velocity("v_B", "free velocity `v_star` of B"),
    ],
    outputs=[
        Arg(
            "r",
            REAL,
            "m/s",
            "gap velocity without impulses, to which these add the product of the Delassus matrix and them",
        )
    ],
    equation="r = max(gap / dt, -max_push) + D_A.v_A + D_B.v_B",
    source=f"{STEWART}; {TASORA}",
    failures={
        Status.DEGENERATE: Failure("dt > 0, max_push >= 0", "r = 0"),
        Status.NOT_FINITE: Failure("|r| <= max", "r = 0"),
    },
)
def contact_rhs(
    gap: Scalar,
    dt: Scalar,
    max_push: Scalar,
    D_A: ContactWrench,
    D_B: ContactWrench,
    v_A: ContactTwist,
    v_B: ContactTwist,
) -> Scalar:
    """Right-hand side of a contact in the velocity-level problem.

    Bodies that are apart may close their gap in the step, but not more; overlapping bodies are pushed apart.
    """
    ok = let("ok", require(every(dt > 0, max_push >= 0), Status.DEGENERATE))
    push = let("push", maximum(-max_push, gap / select(ok, dt, 1)))  # NaN if the gap is NaN
    r = let("total", select(ok, push + _dot(D_A, v_A) + _dot(D_B, v_B), 0))
    return select(require(finite(r), Status.NOT_FINITE), r, 0)


def _dot(D: ContactWrench, v: ContactTwist) -> Scalar:
    """D.v"""
    return D.f_N.dot(v.v_N) + D.n_B.dot(v.w_B)


@kernel(
    inputs=[_column("D", "one body"), _velocity("v")],
    outputs=[Arg("rate", REAL, "m/s", "the body's part of the rate of the gap")],
    equation="rate = D.v = f_N.v_N + n_B.w_B",
    source=TASORA,
)
def contact_dot(D: ContactWrench, v: ContactTwist) -> Scalar:
    """Product of one body's rows of a contact column with its velocity."""
    return _dot(D, v)


@kernel(
    inputs=[
        _velocity("v"),
        *BODY,
        _column("D", "the body"),
        Arg("impulse", REAL, "N s", "impulse `lambda` of the contact"),
    ],
    outputs=[_velocity("v_next", "velocity after the impulse")],
    equation="v_next = {v + impulse [f_N / m, J_B^-1 n_B] if m > 0, v otherwise}; D = [f_N, n_B]",
    source=TASORA,
    failures=_failures("v_next", "v"),
)
def contact_apply(
    v: ContactTwist, m: Scalar, J_B: InertiaTensor, D: ContactWrench, impulse: Scalar
) -> ContactTwist:
    """Velocity of one body after a contact impulse; a static one, whose `m` is 0, keeps its velocity."""
    wrench: ContactWrench = impulse * D
    return _pushed(v, m, J_B, let("wrench", wrench))
