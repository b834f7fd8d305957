"""Steps of spatial cross products: 6x6 matrices applied block by block."""

from __future__ import annotations

from sympy import Expr, Matrix, zeros

from codegen.library.shared.sources import FEATHERSTONE
from codegen.library.shared.textbook import Scalars, blocks, flat, skew
from codegen.modeling.steps import Step, step

CROSS = f"{FEATHERSTONE} 2.9"


def _halves(v: Scalars) -> tuple[Matrix, Matrix]:
    """The angular and the linear half, or moment and force."""
    return Matrix(v[:3]), Matrix(v[3:])


@step(
    "Multiply the blocks as cross products",
    "v x m = [w x m_w; w x m_v + v x m_w]",
    by="crm(v) = [[w~, 0], [v~, w~]], a~ b = a x b",
    source=CROSS,
)
def _on_motion(v: Scalars, m: Scalars) -> list[Expr]:
    (w, linear), (m_w, m_v) = _halves(v), _halves(m)
    return flat(w.cross(m_w), w.cross(m_v) + linear.cross(m_w))


@step(
    "Multiply the blocks as cross products",
    "v x* f = [w x n + v x f; w x f]",
    by="crf(v) = [[w~, v~], [0, w~]], a~ b = a x b",
    source=CROSS,
)
def _on_force(v: Scalars, f: Scalars) -> list[Expr]:
    (w, linear), (moment, force) = _halves(v), _halves(f)
    return flat(w.cross(moment) + linear.cross(force), w.cross(force))


@step(
    "Add the powers of moment and force",
    "power = w.n + v_O.f_O; v = [w, v_O]; f = [n, f_O]",
    by="the scalar product of six components, in two halves",
    source=f"{FEATHERSTONE} 2.6",
)
def _power(v: Scalars, f: Scalars) -> list[Expr]:
    (w, linear), (moment, force) = _halves(v), _halves(f)
    return [w.dot(moment) + linear.dot(force)]


@step(
    "Write the cross products of its blocks as matrices",
    "M = [[w~, 0], [v~, w~]], componentwise copies of w and v with their signs",
    by="a~ = [[0, -a_z, a_y], [a_z, 0, -a_x], [-a_y, a_x, 0]]",
    source=CROSS,
)
def _motion_matrix(v: Scalars) -> list[Expr]:
    w, linear = skew(v[:3]), skew(v[3:])
    return flat(blocks(w, zeros(3), linear, w))


@step(
    "Transpose the blocks",
    "M = [[w~, v~], [0, w~]]",
    by="w~^T = -w~: -[[w~, 0], [v~, w~]]^T = [[w~, v~], [0, w~]]",
    source=CROSS,
)
def _force_matrix(v: Scalars) -> list[Expr]:
    w, linear = skew(v[:3]), skew(v[3:])
    return flat(blocks(w, linear, zeros(3), w))


STEPS: dict[str, tuple[Step, ...]] = {
    "motion_cross": (_on_motion,),
    "force_cross": (_on_force,),
    "motion_dot_force": (_power,),
    "motion_cross_matrix": (_motion_matrix,),
    "force_cross_matrix": (_force_matrix,),
}
