"""Steps of modified Rodrigues parameters, by way of the unit quaternion that they project."""

from __future__ import annotations

from sympy import Abs, Expr, Matrix, Piecewise, eye

from codegen.library.shared.sources import SCHAUB
from codegen.library.shared.textbook import Scalars, flat, skew
from codegen.modeling.steps import Step, step

SECTION = f"{SCHAUB} 3.6"


def _square(s: Scalars) -> Expr:
    return Matrix(s).dot(Matrix(s))


@step(
    "Divide by one denominator for both signs",
    "s_AB = +-u / (1 + |w|), - where w < 0",
    by="q and -q are one attitude: -u / (1 - w) = -u / (1 + |w|) for w < 0",
    source=SECTION,
)
def _projected(q_AB: Scalars) -> list[Expr]:
    scale = 1 / (1 + Abs(q_AB[0]))
    return [x * Piecewise((-scale, q_AB[0] < 0), (scale, True)) for x in q_AB[1:]]


@step(
    "Write the scalar part with the scale of the others",
    "q_AB = [k - 1, k s], k = 2 / (1 + s.s)",
    by="(1 - s.s) / (1 + s.s) = 2 / (1 + s.s) - 1",
    source=SECTION,
)
def _lifted(s_AB: Scalars) -> list[Expr]:
    k = 2 / (1 + _square(s_AB))
    return [k - 1, *(k * x for x in s_AB)]


@step(
    "Substitute the quaternion of s into the matrix of a unit quaternion",
    "R_AB = 1 + 2 (w u~ + u~ u~), [w, u] = [1 - s.s, 2 s] / (1 + s.s)",
    by="4 (1 - n) / (1 + n)^2 = 2 w 2 / (1 + n) and 8 / (1 + n)^2 = 2 (2 / (1 + n))^2, n = s.s",
    source=SECTION,
)
def _by_quaternion(s_AB: Scalars) -> list[Expr]:
    n, S = _square(s_AB), skew(s_AB)
    w, U = (1 - n) / (1 + n), 2 * S / (1 + n)
    return flat(eye(3) + 2 * (w * U + U * U))


@step(
    "Apply the matrices to w_B as vectors",
    "ds = ((1 - s.s) w_B + 2 s x w_B + 2 (s.w_B) s) / 4",
    by="s~ w = s x w, s s^T w = (s.w) s",
    source=SECTION,
)
def _rate(s_AB: Scalars, w_B: Scalars) -> list[Expr]:
    s, w = Matrix(s_AB), Matrix(w_B)
    return flat(((1 - s.dot(s)) * w + 2 * s.cross(w) + 2 * s.dot(w) * s) / 4)


@step(
    "Select the scale instead of the vector",
    "s_short = k s, k = -1 / (s.s) where s.s > 1, else 1",
    by="both sets are along s",
    source=SECTION,
)
def _shadow(s: Scalars) -> list[Expr]:
    n = _square(s)
    scale = Piecewise((-1 / n, n > 1), (1, True))
    return [scale * x for x in s]


STEPS: dict[str, tuple[Step, ...]] = {
    "mrp_from_quat": (_projected,),
    "quat_from_mrp": (_lifted,),
    "dcm_from_mrp": (_by_quaternion,),
    "mrp_kinematics": (_rate,),
    "mrp_shadow": (_shadow,),
}
