"""Steps of Newton's and Euler's equations of a rigid body, for any form of its attitude.

A form states its kinematics: the rates of position and attitude. Force and moment are constant in B's axes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import REAL, Scalar, Value, flatten
from codegen.library.shared.arguments import vector
from codegen.library.shared.guards import DEFINITE, NOT_DEFINITE
from codegen.library.shared.works import HAIRER
from codegen.modeling.failures import Failure
from codegen.modeling.types.algebra import InertiaTensor, SymMat3, Vec3
from codegen.modeling.types.scalar import EPS, MIN, every, finite, let, require, select

START = vector("p_N", "m", "position of the centre of mass", "N")
DURATION = Arg("dt", REAL, "s", "duration of the step")
HELD = "; `F_B` and `M_B` are constant in B's axes for the whole step"
RUNGE_KUTTA = f"{HAIRER.at('section II.1')}; the classical Runge-Kutta method"

Attitude = TypeVar("Attitude", bound=Value)
State: TypeAlias = tuple[Vec3, Attitude, Vec3, Vec3]
"""p_N, attitude, v_B, w_B."""

Kinematics: TypeAlias = Callable[[Any, Vec3, Vec3], tuple[Vec3, Any]]
"""Attitude, v_B, w_B -> the rates of position and attitude."""


def state_after(attitude: Arg) -> Sequence[Arg]:
    """The results of a step."""
    return (
        vector("p_N_next", "m", "position after the step", "N"),
        attitude,
        vector("v_B_next", "m/s", "velocity after the step", "B"),
        vector("w_B_next", "rad/s", "angular velocity after the step", "B"),
    )


def step_failures(attitude: str, is_finite: str) -> dict[Status, Failure]:
    """The failures of a step, given the attitude's name and the condition that it is finite afterwards."""
    return {
        Status.MASS: Failure("m > min", note="`F_B` is ignored, as for an infinite mass"),
        Status.SINGULAR: Failure(", ".join(DEFINITE), "w_B' = w_B", f"otherwise {NOT_DEFINITE}"),
        Status.NOT_FINITE: Failure(
            f"|sum(p_N')| <= max, |sum(v_B')| <= max, |sum(w_B')| <= max, {is_finite}",
            f"p_N' = p_N, {attitude}' = {attitude}, v_B' = v_B, w_B' = w_B",
        ),
    }


def safe_mass(m: Scalar) -> tuple[Scalar, Scalar]:
    """Whether there is a mass, and a safe divisor: the mass or 1."""
    ok = let("has_mass", require(m > MIN, Status.MASS))
    return ok, select(ok, m, 1)


def inverse_mass(m: Scalar) -> tuple[Scalar, Scalar]:
    """Whether there is a mass, and 1 / m."""
    ok, mass = safe_mass(m)
    return ok, let("inv_m", 1 / mass)


def inverse_parts(J: SymMat3) -> tuple[Scalar, SymMat3, Scalar]:
    """Whether J is positive definite, and adj(J) and 1 / det(J), whose product is J^-1."""
    adj = let("adj", J.adjugate)
    det = let("det", J.xx * adj.xx + J.xy * adj.xy + J.xz * adj.xz)
    definite = every(J.xx > 0, adj.zz > 0, det > MIN, det > 16 * EPS * J.xx * J.yy * J.zz)
    ok = let("regular", require(definite, Status.SINGULAR))
    return ok, adj, let("inv_det", 1 / select(ok, det, 1))


@dataclass(frozen=True)
class Forced:
    """A body under force and moment: F / m, M, J and J^-1."""

    specific: Vec3
    moment: Vec3
    J: SymMat3
    inverse: SymMat3

    def velocity_rate(self, v: Vec3, w: Vec3) -> Vec3:
        """dv = F / m - w x v."""
        return self.specific - w.cross(v)

    def spin_rate(self, w: Vec3) -> Vec3:
        """dw = J^-1 (M - w x J w)."""
        return self.inverse @ let("torque", self.moment - w.cross(let("momentum", self.J @ w)))


def forced(F_B: Vec3, M_B: Vec3, m: Scalar, J_B: InertiaTensor) -> Forced:
    """A body under force and moment, of which F / m and J^-1 are zero without a mass or an inverse."""
    massive, inv_m = inverse_mass(m)
    regular, adj, inv_det = inverse_parts(J_B)
    specific: Vec3 = F_B * inv_m
    inverse: SymMat3 = adj * inv_det
    return Forced(
        let("specific", select(massive, specific, Vec3.zero())),
        M_B,
        J_B,
        let("J_inv", select(regular, inverse, SymMat3.isotropic(0))),
    )


def runge_kutta(
    name: str, before: State[Any], kinematics: Kinematics, body: Forced, dt: Scalar
) -> State[Any]:
    """The state after a step of the classical method, whose attitude is a sum as all others are.

    No stage needs the position, since the rates do not depend on it. `name` is that of the attitude.
    """

    def stage(i: int, time: Scalar, rates: Sequence[Any]) -> State[Any]:
        attitude, v, w = (
            let(f"{part}_{i}", x + time * rate)
            for part, x, rate in zip((name, "v", "w"), before[1:], rates[1:], strict=True)
        )
        velocity, turning = kinematics(attitude, v, w)
        return (
            let(f"dp_{i}", velocity),
            let(f"d{name}_{i}", turning),
            let(f"dv_{i}", body.velocity_rate(v, w)),
            let(f"dw_{i}", body.spin_rate(w)),
        )

    half, sixth = let("half_dt", dt / 2), let("sixth_dt", dt / 6)
    k1 = stage(1, 0, before)  # the time is 0, so that any rates will do
    k2 = stage(2, half, k1)
    k3 = stage(3, half, k2)
    k4 = stage(4, dt, k3)
    middle = [b + c for b, c in zip(k2, k3, strict=True)]
    p, q, v, w = (x + sixth * (a + d + (bc + bc)) for x, a, bc, d in zip(before, k1, middle, k4, strict=True))
    return p, q, v, w


def finite_or(before: State[Any], after: State[Any], of_attitude: Scalar) -> State[Any]:
    """The state after a step, or the one before where a number overflows; one stands for the attitude."""
    sums = [sum(flatten(part)) for part in (after[0], after[2], after[3])]
    finished = let("finished", require(every(*map(finite, [*sums, of_attitude])), Status.NOT_FINITE))
    state: list[Any] = [select(finished, new, old) for old, new in zip(before, after, strict=True)]
    p, q, v, w = state
    return p, q, v, w
