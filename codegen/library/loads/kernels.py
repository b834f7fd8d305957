"""Forces and moments on a rigid body, and their transfer to another reference point."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import POSITIVE, REAL, Scalar
from codegen.library.rotation.kernels import quat_rotate_inverse
from codegen.library.shared.arguments import attitude, central_inertia, mass, vector
from codegen.library.shared.guards import finite_or_zero
from codegen.library.shared.works import FEATHERSTONE, GOLDSTEIN, HUGHES, MONTENBRUCK, PLASTINO, STEVENS
from codegen.modeling.failures import Failure
from codegen.modeling.types.algebra import InertiaTensor, SymMat3, UnitQuaternion, Vec3
from codegen.modeling.types.scalar import MAX, MIN, every, let, require, select, sqrt

MOVING_FRAME = f"{GOLDSTEIN}: rate of change of a vector"
BODY_RATE = vector("w", "rad/s", "angular velocity of B relative to N", "B")


@kernel(
    inputs=[
        attitude("q_NB"),
        mass(),
        vector("g_N", "m/s^2", "gravitational acceleration; north-east-down: [0, 0, 9.8]", "N"),
    ],
    outputs=[vector("F_B", "N", "weight; it acts at the centre of mass", "B")],
    equation="F_B = m R_NB^T g_N; R_NB = 1 + 2 (w u~ + u~ u~); q_NB = [w, u]",
    source=STEVENS,
    requires="`q_NB` is a unit quaternion",
)
def gravity_body(q_NB: UnitQuaternion, m: Scalar, g_N: Vec3) -> Vec3:
    """Weight of a body in its own axes."""
    weight: Vec3 = quat_rotate_inverse(q_NB, let("weight", m * g_N))
    return weight


@kernel(
    inputs=[
        vector("M_P", "N m", "moment about the point P", "B"),
        vector("F", "N", "resultant force", "B"),
        vector("r_P", "m", "position of P", "B"),
        vector("r_cm", "m", "position of the centre of mass, from the same origin", "B"),
    ],
    outputs=[vector("M_cm", "N m", "moment about the centre of mass", "B")],
    equation="M_cm = M_P + (r_P - r_cm) x F",
    source=FEATHERSTONE.at("section 2.5"),
    requires="all vectors are written in one frame, of any axes",
)
def moment_transfer(M_P: Vec3, F: Vec3, r_P: Vec3, r_cm: Vec3) -> Vec3:
    """Moment about the centre of mass from that about another point.

    For a moment about the origin, `r_P` is zero.
    """
    return M_P + let("arm", r_P - r_cm).cross(F)


@kernel(
    inputs=[
        vector("v_ref", "m/s", "velocity of the reference point relative to N", "B"),
        BODY_RATE,
        vector("r", "m", "position of the centre of mass from the reference point", "B"),
        vector("dr", "m/s", "componentwise rate of `r`; zero when nothing moves inside the body", "B"),
    ],
    outputs=[vector("v", "m/s", "velocity of the centre of mass relative to N", "B")],
    equation="v = v_ref + dr + w x r",
    source=MOVING_FRAME,
)
def cm_velocity(v_ref: Vec3, w: Vec3, r: Vec3, dr: Vec3) -> Vec3:
    """Velocity of the centre of mass from that of a reference point fixed to the body."""
    return v_ref + dr + w.cross(r)


@kernel(
    inputs=[
        vector("v", "m/s", "velocity of the centre of mass relative to N", "B"),
        BODY_RATE,
        vector("r", "m", "position of the centre of mass from the reference point", "B"),
        vector("dr", "m/s", "componentwise rate of `r`; zero when nothing moves inside the body", "B"),
    ],
    outputs=[vector("v_ref", "m/s", "velocity of the reference point relative to N", "B")],
    equation="v_ref = v - dr - w x r",
    source=MOVING_FRAME,
)
def reference_velocity(v: Vec3, w: Vec3, r: Vec3, dr: Vec3) -> Vec3:
    """Velocity of a reference point fixed to the body from that of the centre of mass."""
    return v - dr - w.cross(r)


@kernel(
    inputs=[
        vector("M", "N m", "total moment about the centre of mass", "B"),
        BODY_RATE,
        vector("h_int", "kg m^2/s", "angular momentum of the rotors relative to the body", "B"),
        vector("dh_int", "N m", "componentwise rate of `h_int`", "B"),
    ],
    outputs=[vector("M_eff", "N m", "equivalent moment on the body with its rotors locked", "B")],
    equation="M_eff = M - dh_int - w x h_int",
    source=f"{HUGHES}: gyrostats",
    requires="`h_int` is `J_rotor` times the rotor's rate relative to the body, not to N; the body's `J` "
    "includes the rotors, locked; the rotors are symmetric about their axes",
)
def gyroscopic_moment(M: Vec3, w: Vec3, h_int: Vec3, dh_int: Vec3) -> Vec3:
    """Moment on a body that carries spinning rotors, for the equations of a single rigid body."""
    return M - dh_int - w.cross(h_int)


@kernel(
    inputs=[
        Arg("dm", REAL, "kg/s", "rate of the body's mass: negative where mass leaves"),
        vector("u_rel", "m/s", "velocity of the entering or leaving mass relative to the body", "B"),
    ],
    outputs=[vector("F", "N", "force on the body, at the opening", "B")],
    equation="F = dm u_rel",
    source=PLASTINO,
    requires="the other forces do not include the thrust; mass that leaves at rest relative to the body "
    "exerts no force",
)
def mass_flow_force(dm: Scalar, u_rel: Vec3) -> Vec3:
    """Force of mass that enters or leaves a body, which adds to the other forces in Newton's equations."""
    force: Vec3 = dm * u_rel
    return force


@kernel(
    inputs=[
        Arg("dJ", SymMat3, "kg m^2/s", "componentwise rate of the inertia about the centre of mass", "B"),
        BODY_RATE,
    ],
    outputs=[vector("M", "N m", "moment to add to the other moments", "B")],
    equation="M = -dJ w",
    source=f"{GOLDSTEIN}: Euler's equations, with `J` not constant",
    requires="a closed system, whose parts move but none of which leaves: mass that leaves at rest relative "
    "to the body takes its angular momentum along and exerts no moment; the moving parts have no "
    "angular momentum relative to B",
)
def inertia_rate_moment(dJ: SymMat3, w: Vec3) -> Vec3:
    """Moment of a changing inertia, which Euler's equations with a constant one lack."""
    return -(dJ @ w)


@kernel(
    inputs=[
        vector("a_O", "m/s^2", "acceleration of B's origin", "B"),
        BODY_RATE,
        vector("dw", "rad/s^2", "angular acceleration", "B"),
        vector("r", "m", "position of P from B's origin, fixed to the body", "B"),
    ],
    outputs=[vector("a_P", "m/s^2", "acceleration of P", "B")],
    equation="a_P = a_O + dw x r + w x (w x r)",
    source=f"{GOLDSTEIN}: acceleration in a rotating frame",
    requires="`a_O` is the acceleration of a material point: the componentwise rate of its velocity in body "
    "axes, plus `w` cross the velocity",
)
def lever_arm_acceleration(a_O: Vec3, w: Vec3, dw: Vec3, r: Vec3) -> Vec3:
    """Acceleration of a point of a rigid body, or specific force there from the one at the origin."""
    return a_O + dw.cross(r) + w.cross(let("w_x_r", w.cross(r)))


def _attraction(p: Vec3) -> tuple[Scalar, Vec3, Scalar]:
    """Whether a position has a direction, its unit vector and the inverse square of its length."""
    n2 = let("n2", p.dot(p))
    normal = let("normal", require(n2 > MIN, Status.ZERO_NORM))
    ok = let("ok", every(normal, require(n2 <= MAX, Status.NOT_FINITE)))
    r2 = let("r2", select(ok, n2, 1))
    return ok, let("n", select(ok, p, Vec3.zero()) * let("inv_r", 1 / sqrt(r2))), let("inv_r2", 1 / r2)


def _gravitation_failures(result: str) -> dict[Status, Failure | list[Failure]]:
    zero = f"{result} = 0"
    return {
        Status.ZERO_NORM: Failure("p.p > min", zero),
        Status.NOT_FINITE: [Failure("p.p <= max", zero), Failure(f"|sum({result})| <= max", zero)],
    }


GRAVITATION = MONTENBRUCK.at("section 3.2")
PARAMETER = Arg("mu", POSITIVE, "m^3/s^2", "gravitational parameter, 3.986004418e14 for the Earth in WGS 84")


@kernel(
    inputs=[vector("p_E", "m", "position from the centre of the attracting body", "E"), PARAMETER],
    outputs=[vector("g_E", "m/s^2", "gravitational acceleration, without centrifugal acceleration", "E")],
    equation="g_E = -mu p / |p|^3; p = p_E",
    source=GRAVITATION,
    failures=_gravitation_failures("g_E"),
)
def gravitation_point(p_E: Vec3, mu: Scalar) -> Vec3:
    """Gravitational acceleration of a point mass or a sphere, in any axes.

    Rigid bodies over a rotating Earth (rigid_body_dynamics_ecef) need this one, or that with the oblateness.
    """
    ok, n, inv_r2 = _attraction(p_E)
    g_E: Vec3 = finite_or_zero(ok, let("g", -(n * let("size", mu * inv_r2))))
    return g_E


@kernel(
    inputs=[
        vector("p_E", "m", "position from the Earth's centre; E's z axis is the axis of symmetry", "E"),
        PARAMETER,
        Arg("J_2", REAL, "1", "oblateness, 1.08262982e-3 for the Earth in WGS 84"),
        Arg("r_eq", POSITIVE, "m", "equatorial radius, 6378137 m in WGS 84"),
    ],
    outputs=[vector("g_E", "m/s^2", "gravitational acceleration, without centrifugal acceleration", "E")],
    equation="g_E = -(mu / |p|^2) ((1 + k (1 - 5 n[2]^2)) n + 2 k n[2] e_z); n = p / |p|; "
    "k = 3/2 J_2 (r_eq / |p|)^2; p = p_E",
    source=GRAVITATION,
    failures=_gravitation_failures("g_E"),
)
def gravitation_j2(p_E: Vec3, mu: Scalar, J_2: Scalar, r_eq: Scalar) -> Vec3:
    """Gravitational acceleration of the Earth with its oblateness, the second zonal harmonic.

    The further harmonics of the WGS 84 ellipsoid add up to 1.2e-4 m/s^2 at its poles; anomalies of the real
    field are larger.
    """
    ok, n, inv_r2 = _attraction(p_E)
    k = let("k", J_2 * (r_eq * r_eq * inv_r2) * 3 / 2)
    radial = let("radial", 1 + k * (1 - 5 * (p_E.z * p_E.z * inv_r2)))
    pull = Vec3(radial * n.x, radial * n.y, (radial + 2 * k) * n.z)
    g_E: Vec3 = finite_or_zero(ok, let("g", pull * -let("size", mu * inv_r2)))
    return g_E


@kernel(
    inputs=[
        vector("p_B", "m", "position of the centre of mass from the attracting body's centre", "B"),
        PARAMETER,
        central_inertia("J_B", "B"),
    ],
    outputs=[vector("M_B", "N m", "gravity-gradient moment about the centre of mass", "B")],
    equation="M_B = 3 mu p x (J_B p) / |p|^5; p = p_B",
    source=HUGHES,
    failures=_gravitation_failures("M_B"),
)
def gravity_gradient_moment(p_B: Vec3, mu: Scalar, J_B: InertiaTensor) -> Vec3:
    """Moment on a body in the gravitation of a point mass: the leading term in its size over the distance."""
    ok, n, inv_r2 = _attraction(p_B)
    size = let("size", 3 * (mu * inv_r2) * let("inv_r", sqrt(inv_r2)))
    M_B: Vec3 = finite_or_zero(ok, let("M", size * n.cross(J_B @ n)))
    return M_B
