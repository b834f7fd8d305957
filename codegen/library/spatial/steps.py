"""Steps of spatial cross products: 6x6 matrices applied block by block."""

from __future__ import annotations

from codegen.library.shared.works import FEATHERSTONE
from codegen.modeling.steps import Step, stated

CROSS = FEATHERSTONE.at("section 2.9")


def _on(blocks: str, crossed: str, by: str) -> tuple[Step, Step]:
    """The matrix of a velocity applied to a motion or a force: by blocks, then with cross products."""
    return (
        stated("Multiply the blocks", blocks, by=by, source=CROSS),
        stated(
            "Write the matrices as cross products",
            crossed,
            by="the cross-product matrix of a vector times another vector is their cross product",
            source=CROSS,
        ),
    )


_on_motion = _on(
    "v_x_m = [w~ m_w, v_O~ m_w + w~ m_O]; v = [w, v_O]; m = [m_w, m_O]",
    "v_x_m = [w x m_w, w x m_O + v_O x m_w]; v = [w, v_O]; m = [m_w, m_O]",
    "a motion that moves with the velocity turns, and its linear part changes with the point of reference",
)

_on_force = _on(
    "v_x_f = [w~ n + v_O~ f_O, w~ f_O]; v = [w, v_O]; f = [n, f_O]",
    "v_x_f = [w x n + v_O x f_O, w x f_O]; v = [w, v_O]; f = [n, f_O]",
    "a force that moves with the velocity turns, and its moment changes with the point of reference",
)

_power = stated(
    "Add the powers of moment and force",
    "power = w.n + v_O.f_O; v = [w, v_O]; f = [n, f_O]",
    by="the scalar product of six components is the sum of those of its halves",
    source=FEATHERSTONE.at("section 2.6"),
)

_ELEMENTS = "v = [w_x, w_y, w_z, v_x, v_y, v_z]"

_motion_matrix = stated(
    "Write the elements of the cross-product matrices",
    "M = [[0, -w_z, w_y, 0, 0, 0], [w_z, 0, -w_x, 0, 0, 0], [-w_y, w_x, 0, 0, 0, 0],\n"
    "[0, -v_z, v_y, 0, -w_z, w_y], [v_z, 0, -v_x, w_z, 0, -w_x], [-v_y, v_x, 0, -w_y, w_x, 0]];\n"
    + _ELEMENTS,
    by="the definition of the cross-product matrix, for the angular velocity `w` and the velocity `v` of "
    "the origin",
    source=CROSS,
)

_transposed = stated(
    "Transpose the blocks",
    "M = [[w~, v_O~], [0, w~]]; v = [w, v_O]",
    by="a cross-product matrix is antisymmetric, and transposing exchanges the blocks beside the diagonal",
    source=CROSS,
)

_force_matrix = stated(
    "Write the elements of the cross-product matrices",
    "M = [[0, -w_z, w_y, 0, -v_z, v_y], [w_z, 0, -w_x, v_z, 0, -v_x], [-w_y, w_x, 0, -v_y, v_x, 0],\n"
    "[0, 0, 0, 0, -w_z, w_y], [0, 0, 0, w_z, 0, -w_x], [0, 0, 0, -w_y, w_x, 0]];\n" + _ELEMENTS,
    by="the definition of the cross-product matrix, for the angular velocity `w` and the velocity `v` of "
    "the origin",
    source=CROSS,
)

STEPS: dict[str, tuple[Step, ...]] = {
    "motion_cross": _on_motion,
    "force_cross": _on_force,
    "motion_dot_force": (_power,),
    "motion_cross_matrix": (_motion_matrix,),
    "force_cross_matrix": (_transposed, _force_matrix),
}
