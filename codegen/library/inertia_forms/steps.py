"""Steps of central, unit and pseudo-inertia: the effect of a change of the reference point on each."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Matrix, eye

from codegen.library.inertia.steps import (
    BY_TRACE,
    Turn,
    componentwise,
    parallel,
    shift_by_pair,
    turn,
    turn_by_trace,
)
from codegen.library.shared.sources import FEATHERSTONE
from codegen.library.shared.textbook import (
    Scalars,
    blocks,
    flat,
    matrix3,
    packed,
    rotation_and_position,
    skew,
    symmetric,
)
from codegen.modeling.steps import Step, SympyForm, step

SECTION = f"{FEATHERSTONE} 2.13"
JAIN = "Jain, Robot and Multibody Dynamics (2011), section 2.2"
DRAKE = "Drake, documentation of SpatialInertia and UnitInertia"
WENSING = (
    "Wensing, Kim and Slotine, Linear Matrix Inequalities for Physically Consistent Inertial Parameter "
    "Identification, IEEE RA-L 3(1), 2018"
)


def _parts(C: Scalars) -> tuple[Expr, Matrix, Matrix]:
    return C[0], Matrix(C[1:4]), symmetric(C[4:])


def _parallel_axis(sign: int, J_new: str, J_old: str) -> tuple[Step, Step]:
    """Steps of the shift from the origin to the centre of mass (sign -1) or back."""
    plus, minus = ("+", "-") if sign > 0 else ("-", "+")

    def by_skew(I_O: Scalars) -> list[Expr]:
        m, h, J = _parts(I_O)
        C = skew(list(h / m))
        return [m, *h, *packed(J - sign * m * C * C)]

    def by_dyads(I_O: Scalars) -> list[Expr]:
        m, h, J = _parts(I_O)
        return [m, *h, *packed(J + sign * parallel(h, h / m))]

    return (
        step(
            "Multiply the congruence out about the centre of mass",
            f"{J_new} = {J_old} {minus} m c~ c~, c = h / m",
            by="h = m c: the first moment about the centre of mass is 0, and the terms in h and c combine",
            source=SECTION,
        )(by_skew),
        step(
            "Write the product of skew matrices as a dyad",
            f"{J_new} = {J_old} {plus} ((h.c) 1 - h c^T), c = h / m",
            by="c~ c~ = c c^T - (c.c) 1, m c = h",
            source=JAIN,
        )(by_dyads),
    )


def _turned_and_placed(turn: Turn) -> SympyForm:
    def form(T_AB: Scalars, C_B: Scalars) -> list[Expr]:
        (R, p), (m, h, Jc) = rotation_and_position(T_AB), _parts(C_B)
        return [m, *(R * h + m * p), *packed(turn(R, Jc))]

    return form


def _only_turned(turn: Turn) -> SympyForm:
    return lambda R_AB, C_B: _turned_and_placed(turn)([*R_AB, 0, 0, 0], C_B)


def _only_placed(turn: Turn) -> SympyForm:
    return lambda p_AB_A, C_B: _turned_and_placed(turn)([*eye(3), *p_AB_A], C_B)


def _parallel_terms_cancel(placed: Callable[[Turn], SympyForm], equation: str) -> Step:
    return step(
        "Cancel the parallel-axis terms of the two changes of origin",
        equation,
        by="c~ c~ is subtracted at the old origin and added at the new one; R c~ c~ R^T = (R c)~ (R c)~",
        source=JAIN,
    )(placed(turn))


def _by_trace(form: SympyForm, equation: str) -> Step:
    return step(BY_TRACE["title"], equation, by=BY_TRACE["by"], source=BY_TRACE["source"])(form)


_TRACE = "R Jc_B R^T = R L R^T + s 1 + (R v)~"


def _both(T_AB: Scalars, C_A: Scalars, C_B: Scalars) -> tuple[Expr, Matrix, Matrix, Expr, Matrix, Matrix]:
    """Mass, first moment and central part of both bodies, in A."""
    carried = _turned_and_placed(turn)(T_AB, C_B)
    return (*_parts(C_A), *_parts(carried))


@step(
    "Refer both bodies to the common centre of mass",
    "Jc = Jc_A - m_A a~ a~ + Jc_B - m_B b~ b~, a = c_A - c, b = c_B - c, c = (h_A + h_B) / (m_A + m_B)",
    by="the parallel-axis theorem for each body",
    source=JAIN,
)
def _common_centre(T_AB: Scalars, C_A: Scalars, C_B: Scalars) -> list[Expr]:
    m_A, h_A, J_A, m_B, h_B, J_B = _both(T_AB, C_A, C_B)
    m, h = m_A + m_B, h_A + h_B
    a, b = skew(list(h_A / m_A - h / m)), skew(list(h_B / m_B - h / m))
    return [m, *h, *packed(J_A - m_A * a * a + J_B - m_B * b * b)]


@step(
    "Use the vector between the centres of mass",
    "Jc = Jc_A + Jc_B + k ((d.d) 1 - d d^T), d = c_B - c_A, k = m_A m_B / (m_A + m_B)",
    by="c_A - c = -(m_B / m) d, c_B - c = (m_A / m) d: m_A m_B^2 + m_B m_A^2 = m_A m_B m",
    source=JAIN,
)
def _reduced_mass(T_AB: Scalars, C_A: Scalars, C_B: Scalars) -> list[Expr]:
    m_A, h_A, J_A, m_B, h_B, J_B = _both(T_AB, C_A, C_B)
    d, reduced = h_B / m_B - h_A / m_A, m_A * m_B / (m_A + m_B)
    return [m_A + m_B, *(h_A + h_B), *packed(J_A + J_B + parallel(reduced * d, d))]


@step(
    "SympyForm the momentum about the centre of mass, then shift it to the origin",
    "f = m v + w x h, n = Jc w + c x f, c = h / m",
    by="the centre of mass moves at v + w x c; a force at c has the moment c x f about the origin",
    source=JAIN,
)
def _momentum(C_O: Scalars, v: Scalars) -> list[Expr]:
    (m, h, Jc), w, linear = _parts(C_O), Matrix(v[:3]), Matrix(v[3:])
    f = m * linear + w.cross(h)
    return flat(Jc * w + (h / m).cross(f), f)


@step(
    "Write the product of skew matrices as a dyad",
    "G = I_com / m + (c.c) 1 - c c^T",
    by="c~ c~ = c c^T - (c.c) 1",
    source=DRAKE,
)
def _per_mass(m: Expr, c: Scalars, I_com: Scalars) -> list[Expr]:
    return [m, *c, *packed(symmetric(I_com) / m + parallel(Matrix(c), Matrix(c)))]


@step(
    "Write products of skew matrices as dyads",
    "G' = G - ((c.c) 1 - c c^T) + (c'.c') 1 - c' c'^T, c' = c - p",
    by="a~ a~ = a a^T - (a.a) 1",
    source=DRAKE,
)
def _shift_by_dyads(p_PQ: Scalars, U_P: Scalars) -> list[Expr]:
    m, c, G = _parts(U_P)
    moved = c - Matrix(p_PQ)
    return [m, *moved, *packed(G - parallel(c, c) + parallel(moved, moved))]


@step(
    "Use both positions: a symmetric update of rank two",
    "G' = G + ((c + c').q) 1 - c q^T - q c'^T, q = -p, c' = c + q",
    by="c'.c' - c.c = (c + c').q; c' c'^T - c c^T = c q^T + q c'^T",
    source=SECTION,
)
def _shift_by_pair(p_PQ: Scalars, U_P: Scalars) -> list[Expr]:
    (m, c, G), q = _parts(U_P), -Matrix(p_PQ)
    return [m, *(c + q), *packed(shift_by_pair(1, c, G, q))]


def _unit_by_trace(R_AB: Scalars, U_B: Scalars) -> list[Expr]:
    R, (m, c, G) = matrix3(R_AB), _parts(U_B)
    return [m, *(R * c), *packed(turn_by_trace(R, G))]


@step(
    "Weight the unit inertias by the mass fractions",
    "c = k_1 c_1 + k_2 c_2, G = k_1 G_1 + k_2 G_2, k_i = m_i / (m_1 + m_2)",
    by="h = m c and J = m G add up; (m_1 x_1 + m_2 x_2) / m = k_1 x_1 + k_2 x_2",
    source=DRAKE,
)
def _weighted(U_1: Scalars, U_2: Scalars) -> list[Expr]:
    m = U_1[0] + U_2[0]
    k_1, k_2 = U_1[0] / m, U_2[0] / m
    return [m, *(k_1 * a + k_2 * b for a, b in zip(U_1[1:], U_2[1:], strict=True))]


@step(
    "Multiply the blocks and factor the mass out",
    "n = m (G w + c x v), f = m (v - c x w)",
    by="J = m G, h = m c; c~ v = c x v",
    source=DRAKE,
)
def _unit_momentum(U_O: Scalars, v: Scalars) -> list[Expr]:
    (m, c, G), w, linear = _parts(U_O), Matrix(v[:3]), Matrix(v[3:])
    return flat(m * (G * w + c.cross(linear)), m * (linear - c.cross(w)))


@step(
    "Exchange the blocks",
    "M = [[m 1, h~^T], [h~, J]], copies of the ten numbers",
    by="P [[A, B], [C, D]] P = [[D, C], [B, A]]; h~^T = -h~",
    source=SECTION,
)
def _linear_first(I_O: Scalars) -> list[Expr]:
    (m, _, J), H = _parts(I_O), skew(I_O[1:4])
    return flat(blocks(m * eye(3), H.T, H, J))


@step(
    "Read the second moments off the rotational inertia",
    "P = [[S, h], [h^T, m]], S_xx = (Jyy + Jzz - Jxx) / 2 and so on, S_xy = -Jxy",
    by="J = tr(S) 1 - S with S = integral r r^T dm, so that tr J = 2 tr S",
    source=WENSING,
)
def _second_moments(I_O: Scalars) -> list[Expr]:
    m, h, J = _parts(I_O)
    S = -J
    for i, (j, k) in enumerate(((1, 2), (0, 2), (0, 1))):
        S[i, i] = (J[j, j] + J[k, k] - J[i, i]) / 2
    return flat(blocks(S, h, h.T, Matrix([m])))


def _from_second_moments(P: Scalars) -> list[Expr]:
    xx, xy, xz, h_x, _, yy, yz, h_y, _, _, zz, h_z, _, _, _, m = P
    return [m, h_x, h_y, h_z, yy + zz, -xy, -xz, xx + zz, -yz, xx + yy]


def _over_mass(I_O: Scalars) -> list[Expr]:
    inverse = 1 / I_O[0]
    return [I_O[0], *(inverse * x for x in I_O[1:])]


STEPS: dict[str, tuple[Step, ...]] = {
    "central_from_com": (
        componentwise(
            "h = m c, Jc = I_com",
            "the form keeps I_com",
            lambda m, c, I_com: [m, *(x * m for x in c), *I_com],
            JAIN,
        ),
    ),
    "inertia_to_central": _parallel_axis(-1, "Jc", "J"),
    "central_to_inertia": _parallel_axis(1, "J", "Jc"),
    "central_rotate": (
        _parallel_terms_cancel(_only_turned, "h = R h_B, Jc = R Jc_B R^T"),
        _by_trace(_only_turned(turn_by_trace), _TRACE),
    ),
    "central_translate": (_parallel_terms_cancel(_only_placed, "h = h_B + m p, Jc = Jc_B"),),
    "central_transform": (
        _parallel_terms_cancel(_turned_and_placed, "h = R h_B + m p, Jc = R Jc_B R^T"),
        _by_trace(_turned_and_placed(turn_by_trace), _TRACE),
    ),
    "central_merge": (_common_centre, _reduced_mass),
    "central_multiply": (_momentum,),
    "unit_from_central": (_per_mass,),
    "unit_shift": (_shift_by_dyads, _shift_by_pair),
    "unit_reexpress": (_by_trace(_unit_by_trace, "R G_B R^T = R L R^T + s 1 + (R v)~"),),
    "unit_add": (_weighted,),
    "unit_multiply": (_unit_momentum,),
    "unit_to_inertia": (
        componentwise(
            "h = m c, J = m G",
            "the matrix is m times that of a unit mass",
            lambda U_O: [U_O[0], *(x * U_O[0] for x in U_O[1:])],
            DRAKE,
        ),
    ),
    "inertia_to_unit": (
        componentwise("c = k h, G = k J, k = 1 / m", "x / m = (1 / m) x", _over_mass, DRAKE),
    ),
    "inertia_to_matrix_linear_first": (_linear_first,),
    "inertia_to_pseudo": (_second_moments,),
    "inertia_from_pseudo": (
        componentwise(
            "Jxx = S_yy + S_zz and so on, Jxy = -S_xy; m and h are copied",
            "J = tr(S) 1 - S",
            _from_second_moments,
            WENSING,
        ),
    ),
}
