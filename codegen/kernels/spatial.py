"""Spatial vectors: Featherstone's cross products and the power of a force along a motion."""

from codegen.algebra import REAL, Force, Motion
from codegen.describe import kernel
from codegen.kernels.arguments import force, motion
from codegen.program import Arg
from codegen.scalar import Scalar

CROSS = "Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.9"


@kernel(
    inputs=[motion("v", "A"), motion("m", "A", "spatial motion")],
    outputs=[motion("v_x_m", "A", "rate of change of m carried along by v", "rad/s^2; m/s^2")],
    equation="crm(v) m = [w x m_w; w x m_v + v x m_w]",
    source=CROSS,
)
def motion_cross(v: Motion, m: Motion) -> Motion:
    """Spatial cross product of a motion with a motion."""
    return Motion(v.w.cross(m.w), v.w.cross(m.v) + v.v.cross(m.w))


@kernel(
    inputs=[motion("v", "A"), force("f", "A")],
    outputs=[force("v_x_f", "A", "rate of change of f carried along by v", "N m/s; N/s")],
    equation="crf(v) f = -crm(v)^T f = [w x n + v x f; w x f]",
    source=CROSS,
)
def force_cross(v: Motion, f: Force) -> Force:
    """Spatial cross product of a motion with a force."""
    return Force(v.w.cross(f.n) + v.v.cross(f.f), v.w.cross(f.f))


@kernel(
    inputs=[motion("v", "A"), force("f", "A")],
    outputs=[Arg("power", REAL, "W", "power of the force along the motion")],
    equation="power = w.n + v.f",
    source="Featherstone, Rigid Body Dynamics Algorithms (2008), section 2.6",
)
def motion_dot_force(v: Motion, f: Force) -> Scalar:
    """Scalar product of a motion with a force."""
    return v.w.dot(f.n) + v.v.dot(f.f)
