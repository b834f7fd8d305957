"""Steps of spatial inertia: congruences of the 6x6 matrix in blocks, reduced to six numbers."""

from __future__ import annotations

from typing import NamedTuple

from codegen.library.shared.works import FEATHERSTONE
from codegen.modeling.steps import Step, stated

SECTION = FEATHERSTONE.at("section 2.13")
BIAS = FEATHERSTONE.at("section 2.14")
EFFICIENT = FEATHERSTONE.at("section 2.13", "appendix A")

DYADS = (
    "the product of two cross-product matrices is the dyad of the vectors in exchanged order, less their "
    "scalar product times the unit matrix"
)
"""Why products of cross-product matrices can be written as dyads."""


def without_last_column(S: str) -> str:
    """S less the multiple of the unit matrix and the cross-product matrix that make its last column zero."""
    return (
        f"[[{S}[0, 0] - {S}[2, 2], {S}[0, 1], 0], [{S}[1, 0], {S}[1, 1] - {S}[2, 2], 0],\n"
        f"[{S}[2, 0] + {S}[0, 2], {S}[2, 1] + {S}[1, 2], 0]]"
    )


def turned_by_trace(result: str, S: str, R: str, back: str) -> str:
    """The equations of R S R^T for a rotation R, from a matrix without last column; S is a name."""
    return (
        f"{result} = [[K[0, 0], K[0, 1], K[0, 2]], [K[1, 0], K[1, 1], K[1, 2]],\n"
        f"[K[2, 0], K[2, 1], tr({S}) - K[0, 0] - K[1, 1]]];\n"
        f"K = {R} L {back} + s 1 + ({R} u)~; s = {S}[2, 2]; u = [-{S}[1, 2], {S}[0, 2], 0];\n"
        f"L = {without_last_column(S)}"
    )


def by_trace(equation: str) -> Step:
    """The step to equations that contain those of `turned_by_trace`."""
    return stated(
        "Rotate the matrix with one column less, and recover the last element from the trace",
        equation,
        by="a multiple of the unit matrix does not change, a cross-product matrix becomes that of the "
        "rotated vector, the last column of L is zero, and the trace is the same in all axes",
        source=EFFICIENT,
    )


_TURNS = (
    "a cross-product matrix between a rotation and its transpose is that of the rotated vector, and it is "
    "antisymmetric; the mass is the same in every frame"
)
_SHIFTS = "a cross-product matrix is antisymmetric; the mass is the same in every frame"


class _Shift(NamedTuple):
    """A change of origin: the first moments before and after it, the mass, and p from the new to the old."""

    before: str
    after: str
    m: str
    p: str = "p"

    @property
    def pair(self) -> str:
        """The update of rank two by both first moments and the position."""
        h, new, p = self.before, self.after, self.p
        return f"(({h} + {new}).{p}) 1 - {h} {p}^T - {p} {new}^T"


def _shift_steps(new: str, old: str, shift: _Shift, others: str, by: str) -> tuple[Step, Step, Step]:
    """J about a new origin from that about an old one."""
    h, _, m, p = shift
    return (
        stated(
            "Multiply the congruence out in blocks",
            f"{new} = {old} - {p}~ {h}~ - {h}~ {p}~ - {m} {p}~ {p}~; {others}",
            by=by,
            source=SECTION,
        ),
        stated(
            "Write products of cross-product matrices as dyads: the parallel-axis terms",
            f"{new} = {old} + (2 {h}.{p} + {m} {p}.{p}) 1 - {h} {p}^T - {p} {h}^T - {m} {p} {p}^T; {others}",
            by=DYADS,
            source=SECTION,
        ),
        stated(
            "Use the new first moment, which gives a symmetric update of rank two",
            f"{new} = {old} + {shift.pair}; {others}",
            by="the mass times the position is the difference of the first moments",
            source=EFFICIENT,
        ),
    )


_TO_A = _Shift("h", "h_A", "m_B")
_TRANSFORMED = "m_A = m_B; h_A = h + m_B p; h = R h_B"

_TO_B = _Shift("h_A", "h", "m_A", "r")
_TRANSFORMED_BACK = "m_B = m_A; h_B = R^T h; h = h_A + m_A r; r = -p_AB_A"

_ALONG = _Shift("h_B", "h_A", "m_B")
_TRANSLATED = "m_A = m_B; h_A = h_B + m_B p; p = p_AB_A"

_turned_block = stated(
    "Multiply the congruence out in blocks",
    "m_A = m_B; h_A = R h_B; J_A = R J_B R^T",
    by="the origin is the same, and a cross-product matrix between a rotation and its transpose is that of "
    "the rotated vector",
    source=SECTION,
)

_parallel_axis = (
    stated(
        "Write the product of cross-product matrices as a dyad",
        "m_O = m; h = m c; J = I_com + m ((c.c) 1 - c c^T)",
        by=DYADS,
        source=SECTION,
    ),
    stated(
        "Use the first moment for the mass times `c`",
        "m_O = m; h = m c; J = I_com + (h.c) 1 - h c^T",
        by="scalar product and dyad are linear in each of their vectors",
        source=SECTION,
    ),
)


LINEAR = "the matrix is linear in the ten numbers"

_multiplied = (
    stated(
        "Multiply the blocks",
        "f = [J w + h~ v_O, m v_O - h~ w]; v = [w, v_O]",
        by="the matrix of the inertia has four blocks: `J`, the cross-product matrix of `h`, its opposite, "
        "and a multiple of the unit matrix",
        source=SECTION,
    ),
    stated(
        "Write the matrices as cross products",
        "f = [J w + h x v_O, m v_O - h x w]; v = [w, v_O]",
        by="the cross-product matrix of the first moment times a vector is their cross product",
        source=SECTION,
    ),
)

_momentum_carried = stated(
    "Form the cross product of velocity and momentum, block by block",
    "f = [w x n + v_O x f_O, w x f_O]; n = J w + h x v_O; f_O = m v_O - h x w; v = [w, v_O]",
    by="the momentum is a spatial force: `n` is its moment, `f_O` its linear part",
    source=BIAS,
)

_multiplied_out = stated(
    "Multiply out and drop the cross product of the velocity with itself",
    "f = [w x J w + w x (h x v_O) - v_O x (h x w), m w x v_O - w x (h x w)]; v = [w, v_O]",
    by="a vector is parallel to itself",
    source=BIAS,
)

_jacobi = stated(
    "Combine the two vector triple products",
    "f = [w x J w + h x (w x v_O), m w x v_O - w x (h x w)]; v = [w, v_O]",
    by="Jacobi's identity: the three vector triple products of `w`, `h` and `v_O` in cyclic order add up to "
    "zero",
    source=BIAS,
)

_energy = stated(
    "Halve the scalar product of velocity and momentum",
    "energy = (w.(J w + h x v_O) + v_O.(m v_O - h x w)) / 2; v = [w, v_O]",
    by="the scalar product of six components is the sum of those of its halves",
    source=SECTION,
)

_gathered = stated(
    "Gather the two terms with the first moment",
    "energy = (w.J w + m v_O.v_O) / 2 + w.(h x v_O); v = [w, v_O]",
    by="a triple product does not change when its factors are exchanged in cyclic order",
    source=SECTION,
)

_matrix = stated(
    "Transpose the block of the first moment",
    "M = [[J, h~], [h~^T, m 1]]",
    by="a cross-product matrix is antisymmetric, so that the whole matrix is symmetric",
    source=SECTION,
)

_ORDER = "they stand in the order of the struct"
ELEMENTS = "[m, h_x, h_y, h_z, J_xx, J_xy, J_xz, J_yy, J_yz, J_zz]"

STEPS: dict[str, tuple[Step, ...]] = {
    "inertia_from_com": _parallel_axis,
    "inertia_add": (
        stated(
            "Add the parts",
            "m_sum = m_1 + m_2; h_sum = h_1 + h_2; J_sum = J_1 + J_2",
            by=LINEAR,
            source=SECTION,
        ),
    ),
    "inertia_subtract": (
        stated(
            "Subtract the parts",
            "m_diff = m_1 - m_2; h_diff = h_1 - h_2; J_diff = J_1 - J_2",
            by=LINEAR,
            source=SECTION,
        ),
    ),
    "inertia_scale": (
        stated(
            "Scale the parts",
            "m_scaled = s m_1; h_scaled = s h_1; J_scaled = s J_1",
            by=LINEAR,
            source=SECTION,
        ),
    ),
    "inertia_multiply": _multiplied,
    "inertia_bias_force": (_momentum_carried, _multiplied_out, _jacobi),
    "inertia_kinetic_energy": (_energy, _gathered),
    "inertia_transform": (
        *_shift_steps("J_A", "R J_B R^T", _TO_A, _TRANSFORMED, _TURNS),
        by_trace(f"J_A = J + {_TO_A.pair}; {_TRANSFORMED};\n{turned_by_trace('J', 'J_B', 'R', 'R^T')}"),
    ),
    "inertia_transform_inverse": (
        *_shift_steps("S", "J_A", _TO_B, f"J_B = R^T S R; {_TRANSFORMED_BACK}", _TURNS),
        by_trace(f"S = J_A + {_TO_B.pair}; {_TRANSFORMED_BACK};\n{turned_by_trace('J_B', 'S', 'R^T', 'R')}"),
    ),
    "inertia_rotate": (
        _turned_block,
        by_trace(f"m_A = m_B; h_A = R h_B;\n{turned_by_trace('J_A', 'J_B', 'R', 'R^T')}"),
    ),
    "inertia_translate": _shift_steps("J_A", "J_B", _ALONG, _TRANSLATED, _SHIFTS),
    "inertia_to_matrix": (_matrix,),
    "inertia_to_array": (stated("Copy the numbers", f"array = {ELEMENTS}", by=_ORDER, source=SECTION),),
    "inertia_from_array": (
        stated(
            "Copy the numbers",
            f"{ELEMENTS} = array; h = [h_x, h_y, h_z];\n"
            "J = [[J_xx, J_xy, J_xz], [J_xy, J_yy, J_yz], [J_xz, J_yz, J_zz]]",
            by=_ORDER,
            source=SECTION,
        ),
    ),
}
