"""Steps of articulated-body inertia: congruences in blocks, and the elimination of a joint."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sympy import Expr, Matrix, eye

from codegen.library.inertia.steps import BY_TRACE, Turn, componentwise, turn, turn_by_trace
from codegen.library.shared.sources import FEATHERSTONE
from codegen.library.shared.textbook import (
    Scalars,
    articulated_inertia,
    articulated_numbers,
    blocks,
    flat,
    matrix3,
    packed,
    rotation_and_position,
    skew,
    symmetric,
)
from codegen.modeling.steps import Step, SympyForm, step

SECTION = f"{FEATHERSTONE} 7.1"
JOINT = f"{FEATHERSTONE} 7.3"

Shift: TypeAlias = Callable[[Matrix, Matrix, Matrix, Matrix], tuple[Matrix, Matrix]]
"""J, H, M, p -> J', H' about a new origin; p is the position of the old origin from the new one."""


def _parts(IA: Scalars) -> tuple[Matrix, Matrix, Matrix]:
    return symmetric(IA[:6]), matrix3(IA[6:15]), symmetric(IA[15:])


def _numbers(J: Matrix, H: Matrix, M: Matrix) -> list[Expr]:
    return [*packed(J), *H, *packed(M)]


def _shift_by_blocks(J: Matrix, H: Matrix, M: Matrix, p: Matrix) -> tuple[Matrix, Matrix]:
    P = skew(list(p))
    return J + P * H.T - H * P - P * M * P, H + P * M


def _shift_by_new_block(J: Matrix, H: Matrix, M: Matrix, p: Matrix) -> tuple[Matrix, Matrix]:
    P = skew(list(p))
    moved = H + P * M
    return J - H * P + P * moved.T, moved


def _turned_then_shifted(turn: Turn, shift: Shift) -> SympyForm:
    def form(T_AB: Scalars, IA_B: Scalars) -> list[Expr]:
        R, p = rotation_and_position(T_AB)
        J, H, M = (turn(R, block) for block in _parts(IA_B))
        return _numbers(*shift(J, H, M, p), M)

    return form


def _shifted_then_turned(turn: Turn, shift: Shift) -> SympyForm:
    def form(T_AB: Scalars, IA_A: Scalars) -> list[Expr]:
        R, p = rotation_and_position(T_AB)
        J, H, M = _parts(IA_A)
        moved_J, moved_H = shift(J, H, M, -p)
        return _numbers(*(turn(R.T, block) for block in (moved_J, moved_H, M)))

    return form


def _congruence(placed: Callable[[Turn, Shift], SympyForm], p: str, where: str) -> tuple[Step, ...]:
    """The congruence in blocks, with fewer products, with cheaper rotations; `p` is its name in equations."""
    return (
        step(
            "Multiply the congruence out in blocks",
            f"J' = J + {p}~ H^T - H {p}~ - {p}~ M {p}~, H' = H + {p}~ M, M' = M; {where}",
            by="R R^T = 1, p~^T = -p~: a rotation of all blocks and a shift without rotation",
            source=SECTION,
        )(placed(turn, _shift_by_blocks)),
        step(
            "Express J' in terms of the new block H'",
            f"J' = J - H {p}~ + {p}~ H'^T, on the diagonal J + {p}~ (H + H')^T",
            by=f"H'^T = H^T - M {p}~; the diagonal of -H {p}~ is that of its transpose {p}~ H^T",
            source=f"{SECTION} and appendix A",
        )(placed(turn, _shift_by_new_block)),
        step(
            BY_TRACE["title"],
            "R B R^T = R L R^T + s 1 + (R v)~ for B = J, H and M",
            by=BY_TRACE["by"],
            source=BY_TRACE["source"],
        )(placed(turn_by_trace, _shift_by_new_block)),
    )


@step(
    "Multiply the blocks",
    "n = J w + H v, f = H^T w + M v",
    by="IA = [[J, H], [H^T, M]]",
    source=SECTION,
)
def _multiplied(IA_O: Scalars, v: Scalars) -> list[Expr]:
    (J, H, M), w, linear = _parts(IA_O), Matrix(v[:3]), Matrix(v[3:])
    return flat(J * w + H * linear, H.T * w + M * linear)


@step(
    "Eliminate the joint's acceleration",
    "f = IA (a + c + S s) + pA and S.f = tau give s = (u - U.(a + c)) / D, so that f = Ia a + pa with\n"
    "Ia = IA - U U^T / D, pa = pA + IA c + U (u - U.c) / D; U = IA S, D = S.U, u = tau - S.pA",
    by="Gauss's elimination of s: Ia is Schur's complement of the pivot D = S^T IA S",
    source=JOINT,
)
def _eliminated(IA_O: Scalars, pA: Scalars, S: Scalars, c: Scalars, tau: Expr) -> list[Expr]:
    IA, bias, joint, rate = articulated_inertia(IA_O), Matrix(pA), Matrix(S), Matrix(c)
    U = IA * joint
    D, u = joint.dot(U), tau - joint.dot(bias)
    shown = bias + IA * rate + U * (u - U.dot(rate)) / D
    return [*articulated_numbers(IA - U * U.T / D), *shown, *U, D, u]


@step(
    "Divide U once, and use Ia for the bias",
    "Ia = IA - U G^T in blocks, pa = pA + Ia c + u G, G = (1 / D) U",
    by="U U^T / D = U G^T; IA c - U (U.c) / D = Ia c",
    source=JOINT,
)
def _divided_once(IA_O: Scalars, pA: Scalars, S: Scalars, c: Scalars, tau: Expr) -> list[Expr]:
    (J, H, M), IA, joint = _parts(IA_O), articulated_inertia(IA_O), Matrix(S)
    U = IA * joint
    D, u = joint.dot(U), tau - joint.dot(Matrix(pA))
    G = U * (1 / D)
    J, H, M = J - U[:3, :] * G[:3, :].T, H - U[:3, :] * G[3:, :].T, M - U[3:, :] * G[3:, :].T
    pa = Matrix(pA) + blocks(J, H, H.T, M) * Matrix(c) + u * G
    return [*_numbers(J, H, M), *pa, *U, D, u]


def _of_body(I_O: Scalars) -> list[Expr]:
    return _numbers(symmetric(I_O[4:]), skew(I_O[1:4]), I_O[0] * eye(3))


def _sum(IA_1: Scalars, IA_2: Scalars) -> list[Expr]:
    return [a + b for a, b in zip(IA_1, IA_2, strict=True)]


def _matrix(IA_O: Scalars) -> list[Expr]:
    J, H, M = _parts(IA_O)
    return flat(blocks(J, H, H.T, M))


STEPS: dict[str, tuple[Step, ...]] = {
    "articulated_from_inertia": (
        componentwise("J = J_O, H = h~, M = m 1", "the blocks of [[J, h~], [-h~, m 1]]", _of_body, SECTION),
    ),
    "articulated_add": (
        componentwise(
            "J = J_1 + J_2, H = H_1 + H_2, M = M_1 + M_2",
            "the matrix is linear in the 21 numbers",
            _sum,
            SECTION,
        ),
    ),
    "articulated_add_inertia": (
        componentwise(
            "J = J_1 + J_2, H = H_1 + h~, M = M_1 + m 1",
            "the blocks of [[J, h~], [-h~, m 1]], added",
            lambda IA_1, I_2: _sum(IA_1, _of_body(I_2)),
            SECTION,
        ),
    ),
    "articulated_multiply": (_multiplied,),
    "articulated_transform": _congruence(_turned_then_shifted, "p", "J, H, M rotated by R first, p = p_AB_A"),
    "articulated_transform_inverse": _congruence(
        _shifted_then_turned, "q", "all blocks rotated by R^T last, q = -p_AB_A"
    ),
    "articulated_to_matrix": (
        componentwise("[[J, H], [H^T, M]]", "copies of the 21 numbers, H^T below", _matrix, SECTION),
    ),
    "articulated_reduce": (_eliminated, _divided_once),
}
