"""Steps of spatial inertia: congruences of the 6x6 matrix in blocks, reduced to six numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sympy import Expr, Matrix, eye

from codegen.library.shared.sources import FEATHERSTONE
from codegen.library.shared.textbook import (
    Scalars,
    blocks,
    flat,
    packed,
    rotation_and_position,
    skew,
    symmetric,
)
from codegen.modeling.steps import Step, SympyForm, step

SECTION = f"{FEATHERSTONE} 2.13"
EFFICIENT = f"{FEATHERSTONE} 2.13 and appendix A"

Turn: TypeAlias = Callable[[Matrix, Matrix], Matrix]
"""R, S -> R S R^T"""
Shift: TypeAlias = Callable[[Expr, Matrix, Matrix, Matrix], Matrix]
"""m, h, J, p -> J about a new origin; p is the position of the old origin from the new one."""


def parallel(h: Matrix, p: Matrix) -> Matrix:
    """(h.p) 1 - h p^T."""
    return h.dot(p) * eye(3) - h * p.T


def turn(R: Matrix, S: Matrix) -> Matrix:
    """R S R^T."""
    return R * S * R.T


def turn_by_trace(R: Matrix, S: Matrix) -> Matrix:
    """R S R^T for a rotation R, with S = s 1 + v~ + L, where L has no last column."""
    s, v = S[2, 2], Matrix([-S[1, 2], S[0, 2], 0])
    turned = R * (S - s * eye(3) - skew(list(v))) * R.T + s * eye(3) + skew(list(R * v))
    turned[2, 2] = S.trace() - turned[0, 0] - turned[1, 1]
    return turned


BY_TRACE = {
    "title": "Rotate the matrix with one column less, and recover the last element from the trace",
    "by": "S = s 1 + v~ + L, s the last element, L without a last column: R 1 R^T = 1, "
    "R v~ R^T = (R v)~, tr(R S R^T) = tr S",
    "source": EFFICIENT,
}
"""The texts of every step to `turn_by_trace`."""


def _shift_by_skew(m: Expr, h: Matrix, J: Matrix, p: Matrix) -> Matrix:
    P, H = skew(list(p)), skew(list(h))
    return J - P * H - H * P - m * P * P


def _shift_by_dyads(m: Expr, h: Matrix, J: Matrix, p: Matrix) -> Matrix:
    return J + (2 * h.dot(p) + m * p.dot(p)) * eye(3) - h * p.T - p * h.T - m * p * p.T


def shift_by_pair(m: Expr, h: Matrix, J: Matrix, p: Matrix) -> Matrix:
    """J + ((h + h').p) 1 - h p^T - p h'^T with h' = h + m p."""
    moved = h + m * p
    return J + (h + moved).dot(p) * eye(3) - h * p.T - p * moved.T


def _parts(I_O: Scalars) -> tuple[Expr, Matrix, Matrix]:
    return I_O[0], Matrix(I_O[1:4]), symmetric(I_O[4:])


def _turned_then_shifted(turn: Turn, shift: Shift) -> SympyForm:
    def form(T_AB: Scalars, I_B: Scalars) -> list[Expr]:
        (R, p), (m, h, J) = rotation_and_position(T_AB), _parts(I_B)
        return [m, *(R * h + m * p), *packed(shift(m, R * h, turn(R, J), p))]

    return form


def _shifted_then_turned(turn: Turn, shift: Shift) -> SympyForm:
    def form(T_AB: Scalars, I_A: Scalars) -> list[Expr]:
        (R, p), (m, h, J) = rotation_and_position(T_AB), _parts(I_A)
        return [m, *(R.T * (h - m * p)), *packed(turn(R.T, shift(m, h, J, -p)))]

    return form


def _shifted(turn: Turn, shift: Shift) -> SympyForm:
    return lambda p_AB_A, I_B: _turned_then_shifted(turn, shift)([*eye(3), *p_AB_A], I_B)


def _turned(turn: Turn, shift: Shift) -> SympyForm:
    return lambda R_AB, I_B: _turned_then_shifted(turn, shift)([*R_AB, 0, 0, 0], I_B)


def _shift_steps(placed: Callable[[Turn, Shift], SympyForm], where: str, J: str, p: str) -> tuple[Step, ...]:
    """The congruence in blocks, as dyads, as one symmetric update; `J`, `p`: their names in equations."""
    return (
        step(
            "Multiply the congruence out in blocks",
            f"{where}: h' = h + m {p}, J' = {J} - {p}~ h~ - h~ {p}~ - m {p}~ {p}~",
            by="R R^T = 1, R h~ R^T = (R h)~, p~^T = -p~; the mass is the same in every frame",
            source=SECTION,
        )(placed(turn, _shift_by_skew)),
        step(
            "Write products of skew matrices as dyads: the parallel-axis terms",
            f"J' = {J} + (2 h.{p} + m {p}.{p}) 1 - h {p}^T - {p} h^T - m {p} {p}^T",
            by="a~ b~ = b a^T - (a.b) 1",
            source=SECTION,
        )(placed(turn, _shift_by_dyads)),
        step(
            "Use the new first moment, which gives a symmetric update of rank two",
            f"J' = {J} + ((h + h').{p}) 1 - h {p}^T - {p} h'^T",
            by=f"h' = h + m {p}; h {p}^T + {p} h'^T = h {p}^T + {p} h^T + m {p} {p}^T is symmetric",
            source=EFFICIENT,
        )(placed(turn, shift_by_pair)),
    )


_turned_block = step(
    "Multiply the congruence out in blocks",
    "h = R h_B, J = R J_B R^T",
    by="p = 0; R h~ R^T = (R h)~",
    source=SECTION,
)(_turned(turn, shift_by_pair))


def _by_trace(placed: Callable[[Turn, Shift], SympyForm], equation: str) -> Step:
    return step(BY_TRACE["title"], equation, by=BY_TRACE["by"], source=BY_TRACE["source"])(
        placed(turn_by_trace, shift_by_pair)
    )


@step(
    "Write the product of skew matrices as a dyad",
    "h = m c, J = I_com + (h.c) 1 - h c^T",
    by="c~ c~ = c c^T - (c.c) 1",
    source=SECTION,
)
def _parallel_axis(m: Expr, c: Scalars, I_com: Scalars) -> list[Expr]:
    h = m * Matrix(c)
    return [m, *h, *packed(symmetric(I_com) + parallel(h, Matrix(c)))]


def componentwise(equation: str, by: str, form: SympyForm, source: str = SECTION) -> Step:
    """The step of a kernel that only adds, scales or copies."""
    return step("Work componentwise", equation, by=by, source=source)(form)


LINEAR = "the matrix is linear in the ten numbers"


def momentum(I_O: Scalars, v: Scalars) -> tuple[Matrix, Matrix]:
    """Moment and force of I v: J w + h x v, m v - h x w."""
    (m, h, J), w, linear = _parts(I_O), Matrix(v[:3]), Matrix(v[3:])
    return J * w + h.cross(linear), m * linear - h.cross(w)


_multiplied = step(
    "Multiply the blocks as cross products",
    "n = J w + h x v, f = m v - h x w",
    by="h~ v = h x v",
    source=SECTION,
)(lambda I_O, v: flat(*momentum(I_O, v)))


@step(
    "SympyForm the cross product of velocity and momentum, block by block",
    "n = w x (J w + h x v) + v x (m v - h x w), f = w x (m v - h x w)",
    by="v x* [n; f] = [w x n + v x f; w x f]",
    source=f"{FEATHERSTONE} 2.14",
)
def _momentum_carried(I_O: Scalars, v: Scalars) -> list[Expr]:
    (angular, linear), w, v_O = momentum(I_O, v), Matrix(v[:3]), Matrix(v[3:])
    return flat(w.cross(angular) + v_O.cross(linear), w.cross(linear))


@step(
    "Drop v x v and combine the two double cross products",
    "n = w x (J w) + h x (w x v), f = m (w x v) - w x (h x w)",
    by="Jacobi's identity: w x (h x v) + v x (w x h) = h x (w x v); v x v = 0",
    source=f"{FEATHERSTONE} 2.14",
)
def _jacobi(I_O: Scalars, v: Scalars) -> list[Expr]:
    (m, h, J), w, v_O = _parts(I_O), Matrix(v[:3]), Matrix(v[3:])
    w_x_v = w.cross(v_O)
    return flat(w.cross(J * w) + h.cross(w_x_v), m * w_x_v - w.cross(h.cross(w)))


@step(
    "Halve the scalar product of velocity and momentum",
    "energy = (w.(J w + h x v) + v.(m v - h x w)) / 2",
    by="v.(I v) = w.n + v.f for I v = [n; f]",
    source=SECTION,
)
def _energy(I_O: Scalars, v: Scalars) -> list[Expr]:
    angular, linear = momentum(I_O, v)
    return [(Matrix(v[:3]).dot(angular) + Matrix(v[3:]).dot(linear)) / 2]


@step(
    "Transpose the skew block",
    "M = [[J, h~], [h~^T, m 1]], copies of the ten numbers",
    by="h~^T = -h~: the matrix is symmetric",
    source=SECTION,
)
def _matrix(I_O: Scalars) -> list[Expr]:
    (m, _, J), H = _parts(I_O), skew(I_O[1:4])
    return flat(blocks(J, H, H.T, m * eye(3)))


_ORDER = "copies, in the order of the struct"

STEPS: dict[str, tuple[Step, ...]] = {
    "inertia_from_com": (_parallel_axis,),
    "inertia_add": (
        componentwise(
            "m = m_1 + m_2, h = h_1 + h_2, J = J_1 + J_2",
            LINEAR,
            lambda I_1, I_2: [a + b for a, b in zip(I_1, I_2, strict=True)],
        ),
    ),
    "inertia_subtract": (
        componentwise(
            "m = m_1 - m_2, h = h_1 - h_2, J = J_1 - J_2",
            LINEAR,
            lambda I_1, I_2: [a - b for a, b in zip(I_1, I_2, strict=True)],
        ),
    ),
    "inertia_scale": (componentwise("s m, s h, s J", LINEAR, lambda I_1, s: [s * a for a in I_1]),),
    "inertia_multiply": (_multiplied,),
    "inertia_bias_force": (_momentum_carried, _jacobi),
    "inertia_kinetic_energy": (_energy,),
    "inertia_transform": (
        *_shift_steps(_turned_then_shifted, "h = R h_B, p = p_AB_A", "R J_B R^T", "p"),
        _by_trace(_turned_then_shifted, "R J_B R^T = R L R^T + s 1 + (R v)~, then shifted as before"),
    ),
    "inertia_transform_inverse": (
        *_shift_steps(_shifted_then_turned, "q = -p_AB_A, before the rotation by R^T", "J_A", "q"),
        _by_trace(_shifted_then_turned, "J_B = R^T J' R = R^T L R + s 1 + (R^T v)~"),
    ),
    "inertia_rotate": (_turned_block, _by_trace(_turned, "R J_B R^T = R L R^T + s 1 + (R v)~")),
    "inertia_translate": _shift_steps(_shifted, "R = 1, p = p_AB_A", "J_B", "p"),
    "inertia_to_matrix": (_matrix,),
    "inertia_to_array": (componentwise("array = [m, h, J]", _ORDER, lambda I_O: list(I_O)),),
    "inertia_from_array": (componentwise("[m, h, J] = array", _ORDER, lambda array: list(array)),),
}
