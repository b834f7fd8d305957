"""Spatial vectors: Featherstone's cross products and the power of a force along a motion."""

from codegen.frontends.define import kernel
from codegen.ir.program import Arg
from codegen.ir.types import REAL, Array, Scalar, flatten
from codegen.library.shared.arguments import force, motion
from codegen.library.shared.works import FEATHERSTONE
from codegen.modeling.types.algebra import Force, Mat3, Motion

CROSS = FEATHERSTONE.at("section 2.9")


@kernel(
    inputs=[motion("v", "A"), motion("m", "A", "spatial motion")],
    outputs=[motion("v_x_m", "A", "rate of change of `m` when it moves with `v`", "rad/s^2; m/s^2")],
    equation="v_x_m = crm(v) m = [w x m_w, w x m_O + v_O x m_w]; v = [w, v_O]; m = [m_w, m_O]",
    source=FEATHERSTONE.at("section 2.9", "equation 2.31"),
)
def motion_cross(v: Motion, m: Motion) -> Motion:
    """Spatial cross product of a motion with a motion."""
    return Motion(v.w.cross(m.w), v.w.cross(m.v) + v.v.cross(m.w))


@kernel(
    inputs=[motion("v", "A"), force("f", "A")],
    outputs=[force("v_x_f", "A", "rate of change of `f` when it moves with `v`", "N m/s; N/s")],
    equation="v_x_f = crf(v) f = -crm(v)^T f = [w x n + v_O x f_O, w x f_O]; v = [w, v_O]; f = [n, f_O]",
    source=CROSS,
)
def force_cross(v: Motion, f: Force) -> Force:
    """Spatial cross product of a motion with a force."""
    return Force(v.w.cross(f.n) + v.v.cross(f.f), v.w.cross(f.f))


@kernel(
    inputs=[motion("v", "A"), force("f", "A")],
    outputs=[Arg("power", REAL, "W", "power of the force along the motion")],
    equation="power = w.n + v_O.f_O; v = [w, v_O]; f = [n, f_O]",
    source=FEATHERSTONE.at("section 2.6"),
)
def motion_dot_force(v: Motion, f: Force) -> Scalar:
    """Scalar product of a motion with a force."""
    return v.w.dot(f.n) + v.v.dot(f.f)


ZERO = Mat3((0,) * 9)


def block_rows(A: Mat3, B: Mat3, C: Mat3, D: Mat3) -> list[Scalar]:
    """The matrix [[A, B], [C, D]], row-major."""
    pairs = [*zip(A.rows, B.rows, strict=True), *zip(C.rows, D.rows, strict=True)]
    return [element for pair in pairs for element in flatten(pair)]


def _matrix(doc: str) -> Arg:
    return Arg("M", Array((6, 6)), "mixed", f"{doc}, row-major", "A")


@kernel(
    inputs=[motion("v", "A")],
    outputs=[_matrix("the matrix of the cross product with motions, `M = crm(v)`")],
    equation="M = crm(v) = [[w~, 0], [v_O~, w~]]; v = [w, v_O]",
    source=FEATHERSTONE.at("section 2.9", "equation 2.31"),
)
def motion_cross_matrix(v: Motion) -> list[Scalar]:
    """Matrix of the spatial cross product with motions."""
    w = Mat3.skew(v.w)
    return block_rows(w, ZERO, Mat3.skew(v.v), w)


@kernel(
    inputs=[motion("v", "A")],
    outputs=[_matrix("the matrix of the cross product with forces, `M = crf(v)`")],
    equation="M = crf(v) = -crm(v)^T = [[w~, v_O~], [0, w~]]; v = [w, v_O]",
    source=CROSS,
)
def force_cross_matrix(v: Motion) -> list[Scalar]:
    """Matrix of the spatial cross product with forces."""
    w = Mat3.skew(v.w)
    return block_rows(w, Mat3.skew(v.v), ZERO, w)
