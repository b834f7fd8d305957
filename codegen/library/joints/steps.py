"""Steps of joints: from homogeneous matrices to their elements."""

from __future__ import annotations

from codegen.library.shared.works import FEATHERSTONE
from codegen.modeling.steps import Step, stated

SECTION = FEATHERSTONE.at("section 4.4")


def _on_an_axis(shift: str, subspace: str) -> tuple[Step, Step]:
    """The dyad of the axis in place of the square of its matrix, then the elements."""
    return (
        stated(
            "Write the square of the axis's matrix with its dyad",
            f"T_PS = [[E, {shift}], [0, 1]]; S_q = {subspace};\n"
            "E = 1 + sin(q) a~ + (1 - cos(q)) (a a^T - (a.a) 1); a = axis",
            by="the square of a cross-product matrix is the dyad of the vector less a multiple of the unit "
            "matrix",
            source=SECTION,
        ),
        stated(
            "Write the elements, with the dyad times the versine",
            f"T_PS = [[E, {shift}], [0, 1]]; S_q = {subspace};\n"
            "E = [[1 - D[1, 1] - D[2, 2], D[0, 1] - s_z, D[0, 2] + s_y],\n"
            "[D[0, 1] + s_z, 1 - D[0, 0] - D[2, 2], D[1, 2] - s_x],\n"
            "[D[0, 2] - s_y, D[1, 2] + s_x, 1 - D[0, 0] - D[1, 1]]];\n"
            "D = (1 - cos(q)) a a^T; [s_x, s_y, s_z] = sin(q) a; a = axis",
            by="the squared length of the axis less the square of one component is the sum of the two others",
            source=SECTION,
        ),
    )


def _multiplied(equation: str, by: str) -> Step:
    return stated("Multiply the matrices out", equation, by=by, source=SECTION)


STEPS: dict[str, tuple[Step, ...]] = {
    "joint_revolute": _on_an_axis("0", "[a, 0, 0, 0]"),
    "joint_prismatic": (
        _multiplied(
            "T_PS = [[identity(3), p], [0, 1]]; S_q = [0, 0, 0, a_x, a_y, a_z];\n"
            "p = [q a_x, q a_y, q a_z]; axis = [a_x, a_y, a_z]",
            "a shift turns nothing",
        ),
    ),
    "joint_helical": _on_an_axis("pitch q a", "[a, pitch a]"),
    "joint_planar": (
        stated(
            "Differentiate the position, and express its rates in axes of S",
            "T_PS = [[Rz(q), p], [0, 1]]; p = [x, y, 0]; D = jacobian(p, [x, y, q]);\n"
            "S_q = cols(c_0, c_1, c_2); c_0 = [0, 0, 0, Rz(q)^T D e_x], c_1 = [0, 0, 0, Rz(q)^T D e_y],\n"
            "c_2 = [e_z, Rz(q)^T D e_z]",
            by="the transpose of the rotation expresses in S what is expressed in P; the angle turns S about "
            "their common z axis, and does not move its origin",
            source=SECTION,
        ),
        _multiplied(
            "T_PS = [[R, p], [0, 1]]; R = [[c, -s, 0], [s, c, 0], [0, 0, 1]]; p = [x, y, 0];\n"
            "S_q = [[0, 0, 0], [0, 0, 0], [0, 0, 1], [c, s, 0], [-s, c, 0], [0, 0, 0]]; "
            "c = cos(q), s = sin(q)",
            "the axes of P in S are the rows of the rotation",
        ),
    ),
    "joint_universal": (
        stated(
            "Write the two turns as matrices, and carry the first axis back by the second turn",
            "T_PS = [[A B, 0], [0, 1]]; A = [[1, 0, 0], [0, b, -a], [0, a, b]]; "
            "B = [[c, 0, s], [0, 1, 0], [-s, 0, c]];\n"
            "S_q = cols(c_0, c_1); c_0 = [B^T e_x, 0, 0, 0], c_1 = [e_y, 0, 0, 0];\n"
            "a = sin(q_1), b = cos(q_1), s = sin(q_2), c = cos(q_2)",
            by="the inverse of a rotation is its transpose; the second axis is fixed to S",
            source=SECTION,
        ),
        _multiplied(
            "T_PS = [[R, 0], [0, 1]]; R = [[c, 0, s], [a s, b, -a c], [-b s, a, b c]];\n"
            "S_q = [[c, 0], [0, 1], [s, 0], [0, 0], [0, 0], [0, 0]];\n"
            "a = sin(q_1), b = cos(q_1), s = sin(q_2), c = cos(q_2)",
            "the second turn carries the first axis along",
        ),
    ),
    "joint_spherical": (
        stated(
            "Replace the square of the scalar part",
            "T_PS = [[1 + 2 (w u~ + u u^T - (u.u) 1), 0], [0, 1]]; q_PS = [w, u];\n"
            "S_q = [[identity(3)], [zeros(3, 3)]]",
            by="the quaternion has unit norm; the rates of the joint are the angular velocity itself",
            source=SECTION,
        ),
        stated(
            "Write the dyad with the square of the cross-product matrix",
            "T_PS = [[1 + 2 (w u~ + u~ u~), 0], [0, 1]]; q_PS = [w, u];\n"
            "S_q = [[identity(3)], [zeros(3, 3)]]",
            by="the square of a cross-product matrix is the dyad of the vector less a multiple of the unit "
            "matrix",
            source=SECTION,
        ),
    ),
}
