"""Steps of joints: from homogeneous matrices to their elements."""

from __future__ import annotations

from codegen.library.shared.works import FEATHERSTONE
from codegen.modeling.steps import Step, stated

SECTION = FEATHERSTONE.at("section 4.4")


def _on_an_axis(shift: str, subspace: str) -> tuple[Step]:
    """The dyad of the axis in place of the square of its matrix."""
    return (
        stated(
            "Write the square of the axis's matrix with its dyad",
            f"T_PS = [[E, {shift}], [0, 1]]; S_q = {subspace};\n"
            "E = 1 + sin(q) a~ + (1 - cos(q)) (a a^T - (a.a) 1); a = axis",
            by="the square of a cross-product matrix is the dyad of the vector less a multiple of the unit "
            "matrix",
            source=SECTION,
        ),
    )


def _multiplied(equation: str, by: str) -> tuple[Step]:
    return (stated("Multiply the matrices out", equation, by=by, source=SECTION),)


STEPS: dict[str, tuple[Step, ...]] = {
    "joint_revolute": _on_an_axis("0", "[a, 0, 0, 0]"),
    "joint_prismatic": _multiplied(
        "T_PS = [[identity(3), p], [0, 1]]; S_q = [0, 0, 0, a_x, a_y, a_z];\n"
        "p = [q a_x, q a_y, q a_z]; axis = [a_x, a_y, a_z]",
        "a shift turns nothing",
    ),
    "joint_helical": _on_an_axis("pitch q a", "[a, pitch a]"),
    "joint_planar": _multiplied(
        "T_PS = [[R, p], [0, 1]]; R = [[c, -s, 0], [s, c, 0], [0, 0, 1]]; p = [x, y, 0];\n"
        "S_q = [[0, 0, 0], [0, 0, 0], [0, 0, 1], [c, s, 0], [-s, c, 0], [0, 0, 0]]; c = cos(q), s = sin(q)",
        "the axes of P in S are the rows of the rotation",
    ),
    "joint_universal": _multiplied(
        "T_PS = [[R, 0], [0, 1]]; R = [[c, 0, s], [a s, b, -a c], [-b s, a, b c]];\n"
        "S_q = [[c, 0], [0, 1], [s, 0], [0, 0], [0, 0], [0, 0]];\n"
        "a = sin(q_1), b = cos(q_1), s = sin(q_2), c = cos(q_2)",
        "the second turn carries the first axis along",
    ),
    "joint_spherical": _multiplied(
        "T_PS = [[1 + 2 (w u~ + u~ u~), 0], [0, 1]]; q_PS = [w, u];\nS_q = [[identity(3)], [zeros(3, 3)]]",
        "the quaternion has unit norm",
    ),
}
