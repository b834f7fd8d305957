"""Steps of loads and motions at other points of a body: matrix products as cross products."""

from __future__ import annotations

from sympy import Expr, Matrix

from codegen.library.inertia.steps import componentwise
from codegen.library.rotation.steps import rotated
from codegen.library.shared.sources import FEATHERSTONE, GOLDSTEIN, STEVENS
from codegen.library.shared.textbook import Scalars, flat, symmetric
from codegen.modeling.steps import Step, step

HUGHES = "Hughes, Spacecraft Attitude Dynamics (1986), chapter 3"
PLASTINO = (
    "Plastino and Muzzio, On the use and abuse of Newton's second law for variable mass problems, "
    "Celestial Mechanics 53, 1992"
)
MOVING = f"{GOLDSTEIN} 4.9"


@step(
    "Scale the vector first, then rotate it",
    "F_B = x - 2 w u x x + 2 u x (u x x), x = m g_N, q_NB = [w, u]",
    by="q* v q = v - 2 w u x v + 2 u x (u x v) for q.q = 1, which is linear in v",
    source=f"{STEVENS} 1.5",
)
def _weight(q_NB: Scalars, m: Expr, g_N: Scalars) -> list[Expr]:
    return flat(rotated(q_NB, m * Matrix(g_N), -1))


@step(
    "Multiply the first block row",
    "M_cm = M_P + (r_P - r_cm) x F",
    by="X* = [[1, p~], [0, 1]] with p = r_P - r_cm; p~ F = p x F",
    source=f"{FEATHERSTONE} 2.5",
)
def _moment(M_P: Scalars, F: Scalars, r_P: Scalars, r_cm: Scalars) -> list[Expr]:
    return flat(Matrix(M_P) + (Matrix(r_P) - Matrix(r_cm)).cross(Matrix(F)))


@step(
    "Multiply the second block row",
    "v = v_ref + dr + w x r",
    by="X = [[1, 0], [-r~, 1]]: -r~ w = w x r",
    source=MOVING,
)
def _cm_velocity(v_ref: Scalars, w: Scalars, r: Scalars, dr: Scalars) -> list[Expr]:
    return flat(Matrix(v_ref) + Matrix(dr) + Matrix(w).cross(Matrix(r)))


@step(
    "Multiply the second block row",
    "v_ref = v - dr - w x r",
    by="X = [[1, 0], [r~, 1]]: r~ w = -w x r",
    source=MOVING,
)
def _reference_velocity(v: Scalars, w: Scalars, r: Scalars, dr: Scalars) -> list[Expr]:
    return flat(Matrix(v) - Matrix(dr) - Matrix(w).cross(Matrix(r)))


@step(
    "Move the rate of the rotors' momentum in N to the other side",
    "M_eff = M - dh_int - w x h_int",
    by="d/dt in N = d/dt in B + w x: M = d/dt (J w + h_int) = J dw + w x J w + dh_int + w x h_int",
    source=HUGHES,
)
def _gyroscopic(M: Scalars, w: Scalars, h_int: Scalars, dh_int: Scalars) -> list[Expr]:
    return flat(Matrix(M) - Matrix(dh_int) - Matrix(w).cross(Matrix(h_int)))


@step(
    "Multiply row by row",
    "M = -[r0.w, r1.w, r2.w], r_i the rows of dJ",
    by="d/dt (J w) = J dw + dJ w in B: dJ w moves to the side of the moments",
    source=f"{GOLDSTEIN} 5.5",
)
def _rate_moment(dJ: Scalars, w: Scalars) -> list[Expr]:
    rows = symmetric(dJ)
    return [-rows[i, :].dot(Matrix(w)) for i in range(3)]


@step(
    "Write the matrices as cross products, the inner one first",
    "a_P = a_O + dw x r + w x (w x r)",
    by="d/dt (w x r) = dw x r + w x (w x r), r fixed to the body; w~ w~ r = w x (w x r)",
    source=f"{GOLDSTEIN} 4.10",
)
def _lever_arm(a_O: Scalars, w: Scalars, dw: Scalars, r: Scalars) -> list[Expr]:
    spin, arm = Matrix(w), Matrix(r)
    return flat(Matrix(a_O) + Matrix(dw).cross(arm) + spin.cross(spin.cross(arm)))


STEPS: dict[str, tuple[Step, ...]] = {
    "gravity_body": (_weight,),
    "moment_transfer": (_moment,),
    "cm_velocity": (_cm_velocity,),
    "reference_velocity": (_reference_velocity,),
    "gyroscopic_moment": (_gyroscopic,),
    "mass_flow_force": (
        componentwise(
            "F = dm u_rel",
            "the momentum of body and passing mass together: m dv = F_other + dm u_rel",
            lambda dm, u_rel: [x * dm for x in u_rel],
            PLASTINO,
        ),
    ),
    "inertia_rate_moment": (_rate_moment,),
    "lever_arm_acceleration": (_lever_arm,),
}
