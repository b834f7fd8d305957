"""Modified Rodrigues parameters: s = axis tan(angle / 4), three numbers for an attitude."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.types import Scalar
from codegen.library.rotation.kernels import quat_to_dcm_unit
from codegen.library.shared.arguments import attitude, frames, rotation, vector
from codegen.library.shared.works import SCHAUB
from codegen.modeling.types.algebra import Quaternion, Rodrigues, Rotation, UnitQuaternion, Vec3
from codegen.modeling.types.scalar import absolute, let, select


def _mrp(name: str = "s_AB", doc: str = "attitude, modified Rodrigues parameters") -> Arg:
    return Arg(name, Rodrigues, "1", doc, frames(name) if name.endswith("AB") else "")


@kernel(
    inputs=[attitude("q_AB")],
    outputs=[_mrp(doc="attitude, modified Rodrigues parameters, of length at most 1")],
    equation="s_AB = {-u / (1 - w) if w < 0, u / (1 + w) otherwise}; q_AB = [w, u]",
    source=SCHAUB,
    requires="`q_AB` is a unit quaternion",
)
def mrp_from_quat(q_AB: UnitQuaternion) -> Vec3:
    """Modified Rodrigues parameters of a unit quaternion, on the short arc."""
    w = q_AB.w
    scale = let("scale", 1 / (1 + absolute(w)))
    s_AB: Vec3 = q_AB.vector * select(w < 0, -scale, scale)
    return s_AB


@kernel(
    inputs=[_mrp()],
    outputs=[attitude("q_AB")],
    equation="q_AB = [1 - s.s, 2 s] / (1 + s.s)",
    source=SCHAUB,
)
def quat_from_mrp(s_AB: Rodrigues) -> Quaternion:
    """Unit quaternion of modified Rodrigues parameters of any length.

    The scalar part, `q_w = 2 / (1 + s.s) - 1`, is -1 (a whole turn) where the square of `s` overflows.
    """
    scale = let("scale", 2 / (1 + s_AB.dot(s_AB)))
    return Quaternion.from_parts(scale - 1, scale * s_AB)


@kernel(
    inputs=[_mrp()],
    outputs=[rotation("R_AB")],
    equation="R_AB = 1 + (8 s~ s~ + 4 (1 - s.s) s~) / (1 + s.s)^2",
    source=SCHAUB,
)
def dcm_from_mrp(s_AB: Rodrigues) -> Rotation:
    """Rotation matrix of modified Rodrigues parameters of any length, through their quaternion."""
    R_AB: Rotation = quat_to_dcm_unit(let("q", quat_from_mrp(s_AB)))
    return R_AB


@kernel(
    inputs=[_mrp(), vector("w_B", "rad/s", "angular velocity of B relative to A", "B")],
    outputs=[Arg("ds", Vec3, "1/s", "time derivative of `s_AB`")],
    equation="ds = ((1 - s.s) 1 + 2 s~ + 2 s s^T) w_B / 4",
    source=SCHAUB,
)
def mrp_kinematics(s_AB: Rodrigues, w_B: Vec3) -> Vec3:
    """Rate of modified Rodrigues parameters at a body rate."""
    half_w = let("half_w", w_B / 2)
    along = let("along", (1 - s_AB.dot(s_AB)) / 2)
    ds: Vec3 = along * half_w + s_AB.cross(half_w) + let("s_dot_w", s_AB.dot(half_w)) * s_AB
    return ds


@kernel(
    inputs=[_mrp(), Arg("ds", Vec3, "1/s", "time derivative of `s_AB`")],
    outputs=[vector("w_B", "rad/s", "angular velocity of B relative to A", "B")],
    equation="w_B = 4 ((1 - s.s) ds - 2 s x ds + 2 (s.ds) s) / (1 + s.s)^2; s = s_AB",
    source=SCHAUB,
    requires="the square of `s` does not overflow",
)
def mrp_kinematics_inverse(s_AB: Rodrigues, ds: Vec3) -> Vec3:
    """Body rate at a given rate of modified Rodrigues parameters."""
    n = let("n", s_AB.dot(s_AB))
    scale = let("scale", 2 / (1 + n))
    x = let("x", scale * s_AB)
    along = let("along", scale * (1 - n))
    w_B: Vec3 = scale * (along * ds - 2 * x.cross(ds) + 2 * let("s_dot_ds", s_AB.dot(ds)) * x)
    return w_B


@kernel(
    inputs=[_mrp("s", "modified Rodrigues parameters")],
    outputs=[_mrp("s_short", "parameters of the same attitude, of length at most 1")],
    equation="s_short = {-s / (s.s) if s.s > 1, s otherwise}",
    source=SCHAUB,
)
def mrp_shadow(s: Rodrigues) -> Vec3:
    """The shorter of the two sets of modified Rodrigues parameters of an attitude.

    Applied after each step of an integration, it keeps the parameters away from their singularity at a whole
    turn.
    """
    n = let("n", s.dot(s))
    beyond = let("beyond", n > 1)
    scale: Scalar = let("scale", select(beyond, -1, 1) / select(beyond, n, 1))
    s_short: Vec3 = s * scale
    return s_short
