"""The motion of a rigid body by the compiled kernels: frames, Jacobians, steps, loads, momenta.

Kernels are compared with what they follow from: motion in the inertial frame, point masses, differences of
positions, conserved quantities, SciPy's integrators. Numbers are those of the table of identities.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import codegen
import tests.conftest
from codegen.errors import FeatherError
from codegen.library.rigid_body.kernels import (
    rigid_body_dynamics_quat,
    rigid_body_dynamics_quat_jacobian_nonzeros,
)
from codegen.proof.proof import prove
from codegen.verify.libraries import Library
from tests.conftest import Compiled
from tests.physics import (
    EYE,
    SECONDS,
    TRUNCATION,
    ZERO,
    Array,
    Cloud,
    Pose,
    Rng,
    attitude_of,
    close,
    close_slope,
    integrate,
    norm,
    random_rotation,
    same,
    same_attitude,
    scalar_first,
)

NOT_FINITE, MASS, SINGULAR, GIMBAL_LOCK, ZERO_NORM, DEGENERATE = 1, 2, 4, 16, 32, 64
ROD = [0.0, 0, 0, 1, 0, 1]
SPLIT = [3, 7, 10]
EARTH_RATE = np.array([0, 0, 7.292115e-5])


@pytest.fixture(params=range(3))
def rng(request: pytest.FixtureRequest) -> Rng:
    """Three scenes, the same in every run."""
    return np.random.default_rng([20080131, request.param])


def body(rng: Rng) -> Cloud:
    return Cloud.random(rng).centred()


def inertia_matrix(cloud: Cloud) -> Array:
    return cloud.matrix[:3, :3]


def random_state(rng: Rng) -> Array:
    """p, q, v, w."""
    return np.concatenate([rng.normal(size=3), scalar_first(random_rotation(rng)), rng.normal(size=6)])


def rates_of(kernel: Any, cloud: Cloud, wrench: Array, baumgarte: float = 0) -> Callable[[Array], Array]:
    """The state derivative by the quaternion kernel, at a constant wrench [F, M]."""

    def rates(state: Array) -> Array:
        arguments = (*np.split(state, SPLIT), wrench[:3], wrench[3:], cloud.mass, cloud.tensor, baumgarte)
        *results, status = kernel(*arguments)
        assert status == 0
        return np.concatenate(results)

    return rates


# --- the rotating Earth -----------------------------------------------------------------------------------


class Orbit:
    """A body that springs pull to the origin of N, in N and in a frame E that rotates in N."""

    def __init__(self, fc: Compiled, rng: Rng) -> None:
        self.fc, self.cloud = fc, body(rng)
        self.Omega, self.stiffness, self.M_B = rng.normal(size=3), 1.5, 0.3 * rng.normal(size=3)
        self.start = random_state(rng)  # E and N coincide at the start

    def force(self, p: Array) -> Array:
        return -self.stiffness * p

    def rates(self, state: Array) -> Array:
        p, q, v, w = np.split(state, SPLIT)
        *results, status = self.fc.call.rigid_body_dynamics_ecef(
            p, q, v, w, self.force(p), self.M_B, self.cloud.mass, self.cloud.tensor, self.Omega, 0
        )
        assert status == 0
        return np.concatenate(results)

    def printed_attitude(self, state: Array) -> Array:
        """The rates with dq from w - w - R_BE Omega, as printed."""
        q = state[3:7]
        rate = -attitude_of(q).inv().apply(self.Omega)
        rates = self.rates(state)
        rates[3:7] = self.fc.call.quat_kinematics(q, rate, 0).dq
        return rates

    def printed_acceleration(self, state: Array) -> Array:
        """The rates with dv = F / m - Omega x (2 v - Omega x p), as printed."""
        rates = self.rates(state)
        rates[7:10] += 2 * np.cross(self.Omega, np.cross(self.Omega, state[:3]))
        return rates

    def inertial(self) -> Array:
        """The state in E after SECONDS by a motion in N: m x'' = F, L' = R M, R' = R w~."""
        J = inertia_matrix(self.cloud)
        p, q, v, w = np.split(self.start, SPLIT)
        R = attitude_of(q).as_matrix()

        def spin(R: Array, L: Array) -> Array:
            return np.linalg.solve(J, R.T @ L)

        def rates(state: Array) -> Array:
            x, u, R, L = state[:3], state[3:6], state[6:15].reshape(3, 3), state[15:]
            turning = np.cross(R, spin(R, L))
            return np.concatenate([u, self.force(x) / self.cloud.mass, turning.ravel(), R @ self.M_B])

        start = np.concatenate([p, v + np.cross(self.Omega, p), R.ravel(), R @ J @ w])
        x, u, R, L = np.split(integrate(rates, start, SECONDS), [3, 6, 15])
        R = R.reshape(3, 3)
        to_E = Rotation.from_rotvec(self.Omega * SECONDS).inv()
        q = scalar_first(to_E * Rotation.from_matrix(R))
        velocity = to_E.apply(u - np.cross(self.Omega, x))
        return np.concatenate([to_E.apply(x), q, velocity, spin(R, L)])


def aligned(state: Array, other: Array) -> Array:
    """The state with its quaternion on the side of the other's."""
    result = state.copy()
    result[3:7] *= np.sign(state[3:7] @ other[3:7])
    return result


def test_37_motion_in_the_turning_frame_is_motion_in_the_inertial_frame(fc: Compiled, rng: Rng) -> None:
    orbit = Orbit(fc, rng)
    expected = orbit.inertial()
    found = aligned(integrate(orbit.rates, orbit.start, SECONDS), expected)
    size = 40 * orbit.cloud.stiffness
    close(fc, found, expected, size, truncation=30 * TRUNCATION)


@pytest.mark.parametrize("printed", ["printed_attitude", "printed_acceleration"])
def test_37_tells_the_printed_equations_from_the_right_ones(fc: Compiled, rng: Rng, printed: str) -> None:
    orbit = Orbit(fc, rng)
    expected = orbit.inertial()
    found = aligned(integrate(getattr(orbit, printed), orbit.start, SECONDS), expected)
    assert np.abs(found - expected).max() > 0.05


def test_38_a_body_at_rest_on_the_earth_stays_there(fc: Compiled, rng: Rng) -> None:
    cloud, attitude = body(rng), random_rotation(rng)
    p = 6.378e6 * rng.normal(size=3)
    w = attitude.inv().apply(EARTH_RATE)
    centripetal = np.cross(EARTH_RATE, np.cross(EARTH_RATE, p))
    torque = np.cross(w, inertia_matrix(cloud) @ w)
    rates = fc.call.rigid_body_dynamics_ecef(
        p, scalar_first(attitude), ZERO, w, cloud.mass * centripetal, torque, cloud.mass, cloud.tensor,
        EARTH_RATE, 0,
    )  # fmt: skip
    rate = norm(EARTH_RATE)
    same(rates.dp_E, ZERO)
    close(fc, rates.dq, np.zeros(4), 2 * rate)
    close(fc, rates.dv_E, ZERO, 4 * rate**2 * norm(p))
    close(fc, rates.dw_B, ZERO, 2 * rate**2 * cloud.stiffness)
    assert norm(2 * centripetal) > 0.001  # what the printed sign leaves of it


def test_39_jacobis_integral_grows_by_the_work_done(fc: Compiled, rng: Rng) -> None:
    """d/dt (v.v / 2 - |Omega x p|^2 / 2) = F.v / m: the Coriolis force does no work."""
    cloud, (p, v, w, F, M, Omega) = body(rng), rng.normal(size=(6, 3))
    q = scalar_first(random_rotation(rng))
    rates = fc.call.rigid_body_dynamics_ecef(p, q, v, w, F, M, cloud.mass, cloud.tensor, Omega, 0)
    change = v @ rates.dv_E - np.cross(Omega, p) @ np.cross(Omega, rates.dp_E)
    size = norm(v) * (norm(F) / cloud.mass + 2 * norm(Omega, v) + 2 * norm(Omega, Omega, p))
    close(fc, change, F @ v / cloud.mass, size)


# --- the same equations in other variables ----------------------------------------------------------------


CONVERSIONS: dict[str, Callable[[Array], Array]] = {
    "dcm": lambda q: attitude_of(q).as_matrix().ravel(),
    "mrp": lambda q: q[1:] / (1 + q[0]),
}


@pytest.mark.parametrize("attitude", CONVERSIONS)
def test_attitudes_of_all_kinds_turn_alike(fc: Compiled, rng: Rng, attitude: str) -> None:
    cloud, state, (F, M) = body(rng), random_state(rng), rng.normal(size=(2, 3))
    _, q, v, w = np.split(state, SPLIT)
    q *= np.sign(q[0])
    convert, kernel = CONVERSIONS[attitude], getattr(fc.call, f"rigid_body_dynamics_{attitude}")
    expected = fc.call.rigid_body_dynamics_quat(ZERO, q, v, w, F, M, cloud.mass, cloud.tensor, 0)
    found = kernel(ZERO, convert(q), v, w, F, M, cloud.mass, cloud.tensor)
    assert found.status == 0
    close(fc, found.dp_N, expected.dp_N, 4 * norm(v), calls=3)
    close(fc, found.dv_B, expected.dv_B, norm(F) / cloud.mass + norm(w) * norm(v))
    close(fc, found.dw_B, expected.dw_B, cloud.stiffness * (norm(M) + norm(w) * norm(w)))
    close_slope(fc, lambda t: convert(q + t * expected.dq), found[1], 4 + 4 * norm(w))


def test_60_spatial_dynamics_is_that_about_the_centre_of_mass(fc: Compiled, rng: Rng) -> None:
    cloud, pose, (w, v, n, f) = Cloud.random(rng), Pose.random(rng), rng.normal(size=(4, 3))
    I_B, c = cloud.inertia(fc), cloud.centre
    found = fc.call.rigid_body_dynamics_spatial(pose.packed, [*w, *v], [*n, *f], I_B)
    assert found.status == 0
    M_cm = fc.call.moment_transfer(n, f, ZERO, c).M_cm
    v_cm = fc.call.cm_velocity(v, w, c, ZERO).v
    about_cm = fc.call.rigid_body_dynamics_quat(
        ZERO, scalar_first(pose.rotation), v_cm, w, f, M_cm, cloud.mass, cloud.centred().tensor, 0
    )
    stiff = cloud.centred().stiffness * (1 + cloud.size)
    size = stiff * (1 + norm(w)) * (norm(n) + norm(f) + norm(w) * (norm(v) + norm(w)))
    expected = np.append(about_cm.dw_B, about_cm.dv_B - np.cross(about_cm.dw_B, c))
    close(fc, found.dv, expected, size)
    close(fc, found.dp_N, pose.rotation.apply(v), 2 * norm(v))
    close(fc, found.dR_NB, np.cross(pose.rotation.as_matrix(), w), 2 * norm(w))


# --- Jacobians --------------------------------------------------------------------------------------------


def jacobian_arguments(rng: Rng) -> tuple[list[Any], Cloud]:
    cloud, state, wrench = body(rng), random_state(rng), rng.normal(size=6)
    state[3:7] *= 1.1  # off the unit sphere, where the stabilisation acts
    return [*np.split(state, SPLIT), wrench[:3], wrench[3:], cloud.mass, cloud.tensor, 0.8], cloud


def test_jacobians_are_differences_of_the_dynamics(fc: Compiled, rng: Rng) -> None:
    arguments, cloud = jacobian_arguments(rng)
    found = fc.call.rigid_body_dynamics_quat_jacobian(*arguments)
    assert found.status == 0
    x = np.concatenate(arguments[:6])
    size = 10 * (1 + norm(x) ** 2) * cloud.stiffness * (1 + 1 / cloud.mass)
    for column, unit in zip(np.hstack([found.A, found.B]).T, np.eye(19), strict=True):

        def rates(t: float, unit: Array = unit) -> Array:
            parts = np.split(x + t * unit, [*SPLIT, 13, 16])
            return np.concatenate(fc.call.rigid_body_dynamics_quat(*parts, *arguments[6:])[:4])

        close_slope(fc, rates, column, size)


def row_indices(starts: Array) -> Array:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        (
            "A = [[zeros(3, 3), D",
            "A = [[zeros(3, 4), D",
            "A is a 13x14 matrix instead of a 13x13 one",
        ),
        ("[0, S, 0, W]", "[0, S, W, 0]", "the non-zeros of A are not where A_COLUMNS has them"),
        (
            "[zeros(4, 3), zeros(4, 3)], [identity(3) / m, 0]",
            "[identity(3) / m, 0], [zeros(4, 3), zeros(4, 3)]",
            "the non-zeros of B are not where B_COLUMNS has them",
        ),
    ],
)
def test_nonzeros_that_are_shown_elsewhere_than_in_the_pattern_are_found(
    before: str, after: str, problem: str
) -> None:
    """The values are the same, row by row: only their places are wrong."""
    kernel = rigid_body_dynamics_quat_jacobian_nonzeros
    assert problem in prove(replace(kernel, equation=kernel.equation.replace(before, after))).status


def test_nonzeros_are_where_the_pattern_says(fc: Compiled, rng: Rng) -> None:
    arguments, _ = jacobian_arguments(rng)
    dense = fc.call.rigid_body_dynamics_quat_jacobian(*arguments)
    kernel = fc.call.rigid_body_dynamics_quat_jacobian_nonzeros
    sparse, constants = kernel(*arguments), kernel.description["constants"]
    for name, matrix, values in (("A", dense.A, sparse.A_nonzeros), ("B", dense.B, sparse.B_nonzeros)):
        rebuilt = np.zeros_like(matrix)
        rebuilt[row_indices(constants[f"{name}_ROW_STARTS"]), constants[f"{name}_COLUMNS"]] = values
        same(rebuilt, matrix)
        assert np.count_nonzero(matrix) == len(values)


def test_casadi_finds_the_same_pattern() -> None:
    derived = codegen.jacobian(
        rigid_body_dynamics_quat,
        "derived",
        outputs=["dp_N", "dq", "dv_B", "dw_B"],
        inputs={"A": ["p_N", "q_NB", "v_B", "w_B"], "B": ["F_B", "M_B"]},
    )
    expected = rigid_body_dynamics_quat_jacobian_nonzeros.constants
    assert codegen.nonzeros(derived, "derived_nonzeros").constants == expected


def test_only_matrices_have_a_pattern() -> None:
    with pytest.raises(FeatherError, match="rigid_body_dynamics_quat returns no matrix"):
        codegen.nonzeros(rigid_body_dynamics_quat, "nothing")


def test_the_pattern_is_in_the_header(fc: Compiled) -> None:
    kernel = fc.call.rigid_body_dynamics_quat_jacobian_nonzeros
    header = (tests.conftest.GENERATED / kernel.description["header"]).read_text()
    defined = dict(re.findall(r"#define (\w+) \{(.*?)\}", header.replace("\\\n", ""), re.S))
    for name, values in kernel.description["constants"].items():
        macro = f"FC_RIGID_BODY_DYNAMICS_QUAT_JACOBIAN_NONZEROS_{name}"
        assert [int(x) for x in defined[macro].split(",")] == values


@pytest.mark.parametrize(
    ("mass", "tensor", "status", "gone"), [(0, None, MASS, slice(7, 10)), (1, ROD, SINGULAR, slice(10, 13))]
)
def test_jacobians_of_what_is_no_body_have_zero_rows(
    fc: Compiled, rng: Rng, mass: float, tensor: Any, status: int, gone: slice
) -> None:
    arguments, cloud = jacobian_arguments(rng)
    whole = fc.call.rigid_body_dynamics_quat_jacobian(*arguments)
    arguments[6:8] = mass and cloud.mass, cloud.tensor if tensor is None else tensor
    found = fc.call.rigid_body_dynamics_quat_jacobian(*arguments)
    assert found.status == status
    for part, full in ((found.A, whole.A), (found.B, whole.B)):
        same(part[gone], 0 * part[gone])
        same(np.delete(part, np.r_[gone], axis=0), np.delete(full, np.r_[gone], axis=0))


# --- steps ------------------------------------------------------------------------------------------------

STEPS = ["rigid_body_step_rk4_quat", "rigid_body_step_semi_implicit_quat"]


class Form(NamedTuple):
    """Another form of an attitude: from a quaternion, and as a SciPy rotation."""

    of: Callable[[Array], Array]
    rotation: Callable[[Array], Any]


FORMS = {
    "rpy": Form(lambda q: attitude_of(q).as_euler("xyz"), lambda a: Rotation.from_euler("xyz", a)),
    "dcm": Form(CONVERSIONS["dcm"], lambda R: Rotation.from_matrix(R.reshape(3, 3))),
    "mrp": Form(CONVERSIONS["mrp"], Rotation.from_mrp),
}


def flown(kernel: Any, cloud: Cloud, state: Array, wrench: Array, steps: int) -> Array:
    """The state after SECONDS, in so many steps."""
    for _ in range(steps):
        arguments = (*np.split(state, SPLIT), wrench[:3], wrench[3:], cloud.mass, cloud.tensor)
        *parts, status = kernel(*arguments, SECONDS / steps)
        assert status == 0
        state = np.concatenate(parts)
    return state


def solved(cloud: Cloud, state: Array, wrench: Array) -> Array:
    """The state after SECONDS by SciPy, with R_NB in place of q."""
    J = inertia_matrix(cloud)

    def rates(_: float, y: Array) -> Array:
        R, v, w = y[3:12].reshape(3, 3), y[12:15], y[15:]
        dw = np.linalg.solve(J, wrench[3:] - np.cross(w, J @ w))
        dv = wrench[:3] / cloud.mass - np.cross(w, v)
        return np.concatenate([R @ v, np.cross(R, w).ravel(), dv, dw])

    p, q, v, w = np.split(state, SPLIT)
    start = np.concatenate([p, attitude_of(q).as_matrix().ravel(), v, w])
    end = solve_ivp(rates, (0, SECONDS), start, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    q = scalar_first(Rotation.from_matrix(end[3:12].reshape(3, 3)))
    return np.concatenate([end[:3], q, end[12:]])


def test_rk4_steps_agree_with_scipy(fc: Compiled, rng: Rng) -> None:
    cloud, state, wrench = body(rng), random_state(rng), rng.normal(size=6)
    expected = solved(cloud, state, wrench)
    end = aligned(flown(fc.call.rigid_body_step_rk4_quat, cloud, state, wrench, 50), expected)
    close(fc, end, expected, 100 * cloud.stiffness, truncation=TRUNCATION)
    close(fc, norm(end[3:7]), 1, 1)


@pytest.mark.parametrize(("kernel", "order", "steps"), [(STEPS[0], 4, 16), (STEPS[1], 1, 128)])
def test_order_of_convergence(library: Library, rng: Rng, kernel: str, order: int, steps: int) -> None:
    cloud, state, wrench = body(rng), random_state(rng), rng.normal(size=6)
    step, expected = getattr(library.f64, kernel), solved(cloud, state, wrench)
    coarse, fine = (
        norm(aligned(flown(step, cloud, state, wrench, n), expected) - expected) for n in (steps, 2 * steps)
    )
    assert abs(np.log2(coarse / fine) - order) < 0.25


def test_an_rk4_step_is_four_calls_of_the_dynamics(fc: Compiled, rng: Rng) -> None:
    cloud, state, wrench = body(rng), random_state(rng), rng.normal(size=6)
    rates = rates_of(fc.call.rigid_body_dynamics_quat, cloud, wrench)
    expected = integrate(rates, state, SECONDS, steps=1)
    expected[3:7] /= norm(expected[3:7])
    found = flown(fc.call.rigid_body_step_rk4_quat, cloud, state, wrench, 1)
    close(fc, found, expected, 100 * cloud.stiffness)


def test_a_semi_implicit_step_is_its_equations(fc: Compiled, rng: Rng) -> None:
    cloud, state, wrench, dt = body(rng), random_state(rng), rng.normal(size=6), 0.1
    p, q, v, w = np.split(state, SPLIT)
    J, attitude = inertia_matrix(cloud), attitude_of(q)
    w_next = w + dt * np.linalg.solve(J, wrench[3:] - np.cross(w, J @ w))
    u = attitude.apply(v + dt * wrench[:3] / cloud.mass)
    turned = attitude * Rotation.from_rotvec(w_next * dt)
    found = fc.call.rigid_body_step_semi_implicit_quat(
        p, q, v, w, wrench[:3], wrench[3:], cloud.mass, cloud.tensor, dt
    )
    assert found.status == 0
    size = 8 * (1 + norm(u)) * (1 + norm(w)) * cloud.stiffness
    close(fc, found.p_N_next, p + dt * u, size)
    same_attitude(fc, found.q_NB_next, scalar_first(turned), calls=6)
    close(fc, found.v_B_next, turned.inv().apply(u), size)
    close(fc, found.w_B_next, w_next, size)


def test_the_spin_of_a_semi_implicit_step_grows_as_stated(fc: Compiled) -> None:
    """Without moment |J w| grows by sqrt(1 + (dt |w| sin a)^2): 6 % in 300 s at 2.9 rad/s."""
    J, w, dt = np.diag([1.0, 2.0, 3.0]), np.array([1.5, -2.0, 1.5]), 0.5
    still = np.zeros(3)
    found = fc.call.rigid_body_step_semi_implicit_quat(
        still, [1, 0, 0, 0], still, w, still, still, 1, J[np.triu_indices(3)], dt
    )
    sine = norm(np.cross(w, J @ w)) / norm(w) / norm(J @ w)
    growth = norm(J @ found.w_B_next) / norm(J @ w)
    close(fc, growth, np.hypot(1, dt * norm(w) * sine), 10)
    assert growth > 1.01
    over_300_s = np.hypot(1, 1e-3 * 2.9 * np.sin(np.radians(13))) ** 300_000
    assert over_300_s == pytest.approx(1.06, abs=0.006)


def test_a_semi_implicit_step_holds_the_force_in_the_world(fc: Compiled) -> None:
    """A body that turns by half a turn in the step is pushed along the axis that it had before."""
    still, w, dt = np.zeros(3), np.array([0, 0, np.pi]), 1.0
    found = fc.call.rigid_body_step_semi_implicit_quat(
        still, [1, 0, 0, 0], still, w, [2, 0, 0], still, 1, [1, 0, 0, 1, 0, 1], dt
    )
    close(fc, found.p_N_next, [2, 0, 0], 2)
    close(fc, found.v_B_next, [-2, 0, 0], 4)


@pytest.mark.parametrize("kernel", [*STEPS, *(f"rigid_body_step_rk4_{form}" for form in FORMS)])
def test_steps_without_a_body_stay_finite(fc: Compiled, rng: Rng, kernel: str) -> None:
    """Without mass F is ignored, with a singular J dw is 0, and a state that overflows is discarded."""
    cloud, state, (F, M) = body(rng), random_state(rng), rng.normal(size=(2, 3))
    step, dt = getattr(fc.call, kernel), 0.1
    p, q, v, w = np.split(state, SPLIT)
    form = FORMS.get(kernel.rpartition("_")[2])
    parts = [p, form.of(q) if form else q, v, w]

    massless = step(*parts, F, M, 0, cloud.tensor, dt)
    forceless = step(*parts, ZERO, M, cloud.mass, cloud.tensor, dt)
    assert massless.status == MASS
    for found, expected in zip(massless[:4], forceless[:4], strict=True):
        same(found, expected)

    for tensor in (ROD, np.zeros(6), [1, 3, 0, 1, 0, 1]):
        rod = step(*parts, F, M, cloud.mass, tensor, dt)
        assert rod.status == SINGULAR
        close(fc, rod.w_B_next, parts[3], norm(parts[3]))
        assert np.isfinite(np.concatenate(rod[:4])).all()

    for force, tensor in (([fc.max, 0, 0], cloud.tensor), (F, [np.nan] * 6)):
        refused = step(*parts, force, M, 0.01, tensor, dt)
        assert refused.status & NOT_FINITE
        for found, before in zip(refused[:4], parts, strict=True):
            same(found, before.astype(fc.dtype))


def test_a_quaternion_that_is_zero_after_a_step_is_refused(fc: Compiled, rng: Rng) -> None:
    cloud, (p, v, w) = body(rng), rng.normal(size=(3, 3))
    found = fc.call.rigid_body_step_rk4_quat(p, np.zeros(4), v, w, ZERO, ZERO, cloud.mass, cloud.tensor, 0.1)
    assert found.status == ZERO_NORM
    same(found.q_NB_next, [1, 0, 0, 0])


# --- fourth-order steps in other attitudes ----------------------------------------------------------------


def level_state(rng: Rng) -> Array:
    """p, q, v, w of a body that stays away from gimbal lock for SECONDS."""
    state = random_state(rng)
    state[3:7] = scalar_first(Rotation.from_rotvec(0.3 * rng.normal(size=3)))
    state[10:] *= 0.5
    return state


def flown_in(
    fc: Any, name: str, cloud: Cloud, state: Array, wrench: Array, steps: int
) -> tuple[Array, list[Array]]:
    """The state with its quaternion after SECONDS, flown in another form of attitude; and all attitudes."""
    form, step = FORMS[name], getattr(fc, f"rigid_body_step_rk4_{name}")
    p, q, v, w = np.split(state, SPLIT)
    attitude, flown = form.of(q), []
    for _ in range(steps):
        p, attitude, v, w, status = step(
            p, attitude, v, w, wrench[:3], wrench[3:], cloud.mass, cloud.tensor, SECONDS / steps
        )
        assert status == 0
        flown.append(attitude)
    return np.concatenate([p, scalar_first(form.rotation(attitude)), v, w]), flown


def weak_wrench(cloud: Cloud, rng: Rng) -> Array:
    """A force and a moment that turn the body no faster than its own rate."""
    return rng.normal(size=6) * cloud.mass * 0.2 / cloud.stiffness


@pytest.mark.parametrize("form", FORMS)
def test_rk4_steps_in_other_attitudes_agree_with_scipy(fc: Compiled, rng: Rng, form: str) -> None:
    cloud, state = body(rng), level_state(rng)
    wrench = weak_wrench(cloud, rng)
    expected = solved(cloud, state, wrench)
    end, _ = flown_in(fc.call, form, cloud, state, wrench, 50)
    close(fc, aligned(end, expected), expected, 100 * cloud.stiffness, truncation=TRUNCATION)


@pytest.mark.parametrize("form", FORMS)
def test_order_of_convergence_in_other_attitudes(library: Library, rng: Rng, form: str) -> None:
    cloud, state = body(rng), level_state(rng)
    wrench = weak_wrench(cloud, rng)
    expected = solved(cloud, state, wrench)
    coarse, fine = (
        norm(aligned(flown_in(library.f64, form, cloud, state, wrench, n)[0], expected) - expected)
        for n in (16, 32)
    )
    assert abs(np.log2(coarse / fine) - 4) < 0.25


@pytest.mark.parametrize("form", FORMS)
def test_a_short_step_is_that_of_the_quaternion(fc: Compiled, rng: Rng, form: str) -> None:
    """Both err by terms of the fifth order in dt."""
    cloud, state, dt = body(rng), level_state(rng), 1e-3
    F, M = np.split(weak_wrench(cloud, rng), 2)
    p, q, v, w = np.split(state, SPLIT)
    expected = fc.call.rigid_body_step_rk4_quat(p, q, v, w, F, M, cloud.mass, cloud.tensor, dt)
    step = getattr(fc.call, f"rigid_body_step_rk4_{form}")
    found = step(p, FORMS[form].of(q), v, w, F, M, cloud.mass, cloud.tensor, dt)
    assert found.status == expected.status == 0
    close(fc, found.p_N_next, expected.p_N_next, norm(p) + norm(v), truncation=1e-12)
    turned = scalar_first(FORMS[form].rotation(found[1]))
    same_attitude(fc, turned, expected.q_NB_next, calls=2)
    same(found.v_B_next, expected.v_B_next)
    same(found.w_B_next, expected.w_B_next)


def four_calls(kernel: Any, start: Sequence[Array], dt: float, *loads: Any) -> tuple[list[Array], int]:
    """A step by four calls of a state derivative, and the flags of all calls."""
    flags, cuts = [], np.cumsum([len(part) for part in start])[:-1]

    def rates(x: Array) -> Array:
        *parts, status = kernel(*np.split(x, cuts), *loads)
        flags.append(status)
        return np.concatenate(parts)

    end = integrate(rates, np.concatenate(start), dt, steps=1)
    return np.split(end, cuts), int(np.bitwise_or.reduce(flags))


def orthonormal(columns: Array) -> Array:
    """Gram and Schmidt's first two axes, and the third."""
    Q, R = np.linalg.qr(columns.reshape(3, 3)[:, :2])
    x, y = (Q * np.sign(np.diag(R))).T
    return np.column_stack([x, y, np.cross(x, y)]).ravel()


@pytest.mark.parametrize("form", FORMS)
def test_a_step_in_another_attitude_is_four_calls_of_its_dynamics(fc: Compiled, rng: Rng, form: str) -> None:
    cloud, state, dt = body(rng), level_state(rng), 0.5
    F, M = np.split(weak_wrench(cloud, rng), 2)
    p, q, v, w = np.split(state, SPLIT)
    start, loads = [p, FORMS[form].of(q), v, w], (F, M, cloud.mass, cloud.tensor)
    dynamics, step = (getattr(fc.call, f"rigid_body_{what}_{form}") for what in ("dynamics", "step_rk4"))
    (p, attitude, v, w), flags = four_calls(dynamics, start, dt, *loads)
    attitude = orthonormal(attitude) if form == "dcm" else attitude
    found = step(*start, *loads, dt)
    assert found.status == flags == 0
    close(fc, np.concatenate(found[:4]), np.concatenate([p, attitude, v, w]), 100 * cloud.stiffness)


@pytest.mark.parametrize("form", ["dcm", "mrp"])
def test_attitudes_stay_what_they_are_in_long_steps(fc: Compiled, rng: Rng, form: str) -> None:
    """Matrices stay orthonormal and right-handed, Rodrigues parameters short, while the body turns fast."""
    cloud, state = body(rng), random_state(rng)
    state[10:] *= 20 / norm(state[10:])
    _, flown = flown_in(fc.call, form, cloud, state, np.zeros(6), 20)
    for attitude in flown:
        if form == "dcm":
            R = attitude.reshape(3, 3).astype(float)
            close(fc, R.T @ R, EYE, 2)
            assert np.linalg.det(R) > 0
        else:
            assert norm(attitude) <= 1 + 2 * fc.eps
    assert form == "dcm" or any(a @ b < 0 for a, b in pairwise(flown)), "no set was exchanged"


def test_a_step_beyond_half_a_turn_returns_the_shorter_parameters(fc: Compiled) -> None:
    """From 170 to 190 degrees about z, which is -170 degrees."""
    z, before, after = np.array([0, 0, 1.0]), np.radians(170), np.radians(-170)
    found = fc.call.rigid_body_step_rk4_mrp(
        ZERO, np.tan(before / 4) * z, ZERO, np.radians(20) / 0.1 * z, ZERO, ZERO, 1, [1, 0, 0, 1, 0, 1], 0.1
    )
    assert found.status == 0
    close(fc, found.s_NB_next, np.tan(after / 4) * z, 1, truncation=1e-6)


@pytest.mark.parametrize(
    ("theta", "rate"),
    [(np.pi / 2, 0.3), (-np.pi / 2, -0.2), (np.pi / 2 - 0.05, 1.0), (np.pi / 2 - 0.1, 1.0)],
    ids=["at its start", "from below", "halfway", "at its end"],
)
def test_a_step_through_gimbal_lock_has_the_rates_of_the_dynamics_there(
    fc: Compiled, theta: float, rate: float
) -> None:
    """One or two stages are in gimbal lock: the step is still four calls of the dynamics."""
    start = [ZERO, np.array([0.4, theta, -0.3]), np.array([1.0, 2, -1]), np.array([0, 0, 0.0])]
    start[3][1:] = rate * np.cos(0.4), -rate * np.sin(0.4)  # pitching only
    loads = (ZERO, ZERO, 1, [1, 0, 0, 1, 0, 1])
    (p, rpy, v, w), flags = four_calls(fc.call.rigid_body_dynamics_rpy, start, 0.1, *loads)
    found = fc.call.rigid_body_step_rk4_rpy(*start, *loads, 0.1)
    assert found.status == flags == GIMBAL_LOCK
    close(fc, np.concatenate(found[:4]), np.concatenate([p, rpy, v, w]), 100, truncation=fc.eps**0.5)
    close(fc, found.rpy_next, [0.4, theta + 0.1 * rate, -0.3], 10, truncation=2 * fc.eps**0.5)


def test_a_matrix_without_two_columns_is_no_attitude_after_a_step(fc: Compiled, rng: Rng) -> None:
    cloud, (p, v, c) = body(rng), rng.normal(size=(3, 3))
    for R in (np.zeros(9), np.outer(c, [1, 1, 1]).ravel()):
        found = fc.call.rigid_body_step_rk4_dcm(p, R, v, ZERO, ZERO, ZERO, cloud.mass, cloud.tensor, 0.1)
        assert found.status == DEGENERATE
        same(found.R_NB_next, EYE.ravel())
        same(found.v_B_next, v.astype(fc.dtype))


@pytest.mark.parametrize("form", FORMS)
def test_a_step_from_an_attitude_that_is_not_a_number_is_refused(fc: Compiled, rng: Rng, form: str) -> None:
    cloud, state = body(rng), random_state(rng)
    p, q, v, w = np.split(state, SPLIT)
    step = getattr(fc.call, f"rigid_body_step_rk4_{form}")
    for i in range(len(FORMS[form].of(q))):
        start = [p, FORMS[form].of(q), v, w]
        start[1][i] = np.nan
        found = step(*start, ZERO, ZERO, cloud.mass, cloud.tensor, 0.1)
        assert found.status & NOT_FINITE
        for after, before in zip(found[:4], start, strict=True):
            same(after, before.astype(fc.dtype))


@pytest.mark.parametrize("attitude", ["dcm", "mrp", "ecef"])
def test_dynamics_without_a_body_stay_finite(fc: Compiled, rng: Rng, attitude: str) -> None:
    cloud, (p, s, v, w, F, M) = body(rng), rng.normal(size=(6, 3))
    kernel = getattr(fc.call, f"rigid_body_dynamics_{attitude}")
    angles = {"dcm": EYE, "mrp": s, "ecef": [1, 0, 0, 0]}[attitude]
    more = (EARTH_RATE, 0) if attitude == "ecef" else ()
    for mass, tensor, status, gone in (
        (0, cloud.tensor, MASS, [2]),
        (np.nan, cloud.tensor, MASS, [2]),
        (1, ROD, SINGULAR, [3]),
        (-1, [1, 3, 0, 1, 0, 1], MASS | SINGULAR, [2, 3]),
    ):
        found = kernel(p, angles, v, w, F, M, mass, tensor, *more)
        assert found.status == status
        for k in range(4):
            assert np.any(found[k]) == (k not in gone)


def test_spatial_dynamics_without_a_body_stay_finite(fc: Compiled, rng: Rng) -> None:
    pose, (v, f), dot = Pose.random(rng), rng.normal(size=(2, 6)), [2, 0, 0, 2, 4, 0, 0, 4, 0, 0]
    for I_B, status in (([0] * 10, MASS | SINGULAR), (dot, SINGULAR), ([1, *[0] * 9], SINGULAR)):
        found = fc.call.rigid_body_dynamics_spatial(pose.packed, v, f, I_B)
        assert found.status == status
        same(found.dv, np.zeros(6))
        close(fc, found.dp_N, pose.rotation.apply(v[3:]), 2 * norm(v))


# --- energy, momenta, loads -------------------------------------------------------------------------------


def test_34_energy_grows_by_the_power(fc: Compiled, rng: Rng) -> None:
    cloud, state, wrench = body(rng), random_state(rng), rng.normal(size=6)
    v, w = state[7:10], state[10:]
    dv, dw = np.split(rates_of(fc.call.rigid_body_dynamics_quat, cloud, wrench)(state)[7:], 2)
    size = cloud.stiffness * cloud.size * (1 + norm(state)) ** 3

    def energy(t: float) -> Any:
        return fc.call.rigid_body_energy(v + t * dv, w + t * dw, cloud.mass, cloud.tensor).energy

    close(fc, energy(0), cloud.energy(np.append(w, v)), cloud.size * norm(state) ** 2)
    close_slope(fc, energy, wrench @ np.append(v, w), size)


def test_momenta_grow_by_force_and_moment(fc: Compiled, rng: Rng) -> None:
    cloud, state, wrench = body(rng), random_state(rng), rng.normal(size=6)
    rates = rates_of(fc.call.rigid_body_dynamics_quat, cloud, wrench)(state)

    def momenta(t: float) -> Array:
        _, q, v, w = np.split(state + t * rates, SPLIT)
        return np.concatenate(fc.call.rigid_body_momentum(q, v, w, cloud.mass, cloud.tensor))

    to_N = attitude_of(state[3:7])
    L, P = np.split(cloud.momentum(state[[10, 11, 12, 7, 8, 9]]), 2)
    size = cloud.stiffness * cloud.size * (1 + norm(state)) ** 3
    close(fc, momenta(0), np.append(to_N.apply(P), to_N.apply(L)), cloud.size * norm(state))
    close_slope(fc, momenta, np.append(to_N.apply(wrench[:3]), to_N.apply(wrench[3:])), size)


def test_gravity_pulls_along_g(fc: Compiled, rng: Rng) -> None:
    attitude, g, m = random_rotation(rng), rng.normal(size=3), 2.5
    found = fc.call.gravity_body(scalar_first(attitude), m, g).F_B
    close(fc, found, m * attitude.inv().apply(g), 4 * m * norm(g))


def test_40_moments_of_forces_at_points(fc: Compiled, rng: Rng) -> None:
    points, forces = rng.normal(size=(2, 5, 3))
    r_P, r_cm = rng.normal(size=(2, 3))
    M_P, M_cm = (np.cross(points - r, forces).sum(axis=0) for r in (r_P, r_cm))
    found = fc.call.moment_transfer(M_P, forces.sum(axis=0), r_P, r_cm).M_cm
    close(fc, found, M_cm, 2 * norm(points, forces))


def test_41_velocity_of_a_centre_of_mass_that_moves_in_the_body(fc: Compiled, rng: Rng) -> None:
    cloud, drift = Cloud.random(rng), rng.normal(size=(6, 3))
    v_ref, w = rng.normal(size=(2, 3))

    def centre(t: float) -> Array:
        """Its position, in the axes of B at t = 0."""
        moved = Cloud(cloud.masses, cloud.points + t * drift)
        at: Array = v_ref * t + Rotation.from_rotvec(w * t).apply(moved.centre)
        return at

    r, dr = cloud.centre, cloud.masses @ drift / cloud.mass
    h, size = 1e-5, 2 * (norm(v_ref) + norm(w, r) + norm(dr))
    expected = (centre(h) - centre(-h)) / (2 * h)
    found = fc.call.cm_velocity(v_ref, w, r, dr).v
    close(fc, found, expected, size, truncation=1e-8)
    close(fc, fc.call.reference_velocity(found, w, r, dr).v_ref, v_ref, size, calls=2)


def spinning(
    fc: Compiled, cloud: Cloud, moment: Callable[[float, Array], Array], growth: Array = ZERO
) -> Callable[[Array], Array]:
    """The rates of (q, w, t) of a body whose inertia grows, under a moment of time and angular velocity."""

    def rates(x: Array) -> Array:
        q, w, t = x[:4], x[4:7], x[7]
        tensor = cloud.tensor + t * growth if np.any(growth) else cloud.tensor
        result = fc.call.rigid_body_dynamics_quat(ZERO, q, ZERO, w, ZERO, moment(t, w), cloud.mass, tensor, 0)
        assert result.status == 0
        return np.concatenate([result.dq, result.dw_B, [1]])

    return rates


def test_42_a_gyrostat_keeps_its_momentum_while_its_rotors_spin_up(fc: Compiled, rng: Rng) -> None:
    cloud, q = body(rng), scalar_first(random_rotation(rng))
    w, h_0, dh = rng.normal(size=(3, 3))

    def moment(t: float, w: Array) -> Array:
        result: Array = fc.call.gyroscopic_moment(ZERO, w, h_0 + t * dh, dh).M_eff
        return result

    def momentum(x: Array) -> Array:
        total: Array = attitude_of(x[:4]).apply(inertia_matrix(cloud) @ x[4:7] + h_0 + x[7] * dh)
        return total

    start = np.array([*q, *w, 0])
    end = integrate(spinning(fc, cloud, moment), start, SECONDS)
    size = 20 * cloud.stiffness * (cloud.size * norm(w) + norm(h_0) + norm(dh))
    close(fc, momentum(end), momentum(start), size, truncation=30 * TRUNCATION * cloud.stiffness)
    assert norm(end[4:7] - w) > 0.01


def test_a_closed_body_that_unfolds_keeps_its_momentum(fc: Compiled, rng: Rng) -> None:
    cloud, q, w = body(rng), scalar_first(random_rotation(rng)), rng.normal(size=3)
    growth = 0.5 * cloud.tensor  # all distances grow alike: the parts move without turning
    J = inertia_matrix(cloud)

    def moment(t: float, w: Array) -> Array:
        result: Array = fc.call.inertia_rate_moment(growth, w).M
        return result

    def momentum(x: Array) -> Array:
        total: Array = attitude_of(x[:4]).apply(J @ x[4:7] * (1 + 0.5 * x[7]))
        return total

    start = np.array([*q, *w, 0])
    end = integrate(spinning(fc, cloud, moment, growth), start, SECONDS)
    size = 20 * cloud.stiffness * cloud.size * norm(w)
    close(fc, momentum(end), momentum(start), size, truncation=30 * TRUNCATION * cloud.stiffness)


def test_43_mass_flow_balances_momentum(fc: Compiled, rng: Rng) -> None:
    """A body of mass m at v throws out a little mass at u_rel; both together keep their momentum."""
    m, lost, dt = 2.0, 0.125, 0.25
    v, u_rel = rng.normal(size=(2, 3))
    gained = fc.call.mass_flow_force(-lost / dt, u_rel).F * dt / (m - lost)
    after = (m - lost) * (v + gained) + lost * (v + u_rel)
    close(fc, after, m * v, m * norm(v) + norm(u_rel))


def test_43_mass_shed_at_rest_leaves_the_velocity_alone(fc: Compiled, rng: Rng) -> None:
    dm, v = -0.5, rng.normal(size=3)
    same(fc.call.mass_flow_force(dm, ZERO).F, ZERO)
    printed = -dm * v  # the equation of a body that takes up mass at rest in N
    assert norm(printed) > 0.1
    close(fc, fc.call.mass_flow_force(dm, -v).F, printed, norm(v))


def test_43_a_rocket_obeys_tsiolkovsky(fc: Compiled, rng: Rng) -> None:
    m_0, dm, u_rel = 3.0, -2.0, rng.normal(size=3)

    def rates(x: Array) -> Array:
        force = fc.call.mass_flow_force(dm, u_rel).F
        found = fc.call.rigid_body_dynamics_quat(
            ZERO, [1, 0, 0, 0], x[:3], ZERO, force, ZERO, x[3], [1, 0, 0, 1, 0, 1], 0
        )
        return np.append(found.dv_B, dm)

    end = integrate(rates, [0, 0, 0, m_0], SECONDS)
    expected = u_rel * np.log((m_0 + dm * SECONDS) / m_0)
    close(fc, end[:3], expected, 4 * norm(u_rel), truncation=TRUNCATION)


def test_acceleration_of_a_point_off_the_origin(fc: Compiled, rng: Rng) -> None:
    a_O, w, dw, r = rng.normal(size=(4, 3))

    def position(t: float) -> Array:
        turned = Rotation.from_rotvec(w * t + dw * t**2 / 2)  # right to second order
        at: Array = a_O * t**2 / 2 + turned.apply(r)
        return at

    h = 1e-3
    expected = (position(h) - 2 * position(0) + position(-h)) / h**2
    found = fc.call.lever_arm_acceleration(a_O, w, dw, r).a_P
    size = norm(a_O) + norm(dw, r) + 2 * norm(w, w, r)
    close(fc, found, expected, size, truncation=1e-4 * (1 + norm(w)) ** 4)


# Gravitation

EARTH = 3.986004418e14, 1.08262982e-3, 6378137.0


@pytest.mark.parametrize(("lat", "within"), [(0.0, 5e-5), (0.8, 6e-5), (1.5, 1.2e-4)])
def test_gravitation_less_centrifugal_acceleration_is_the_normal_gravity(
    fc: Compiled, library: Library, lat: float, within: float
) -> None:
    """Somigliana's formula has the further harmonics of the ellipsoid, -5 J_4 g at a pole: 1.2e-4 m/s^2."""
    mu, J_2, r_eq = EARTH
    p = np.asarray(library.f64.ecef_from_geodetic(lat, 0.4, 300.0).p_E)
    g, status = fc.call.gravitation_j2(p, mu, J_2, r_eq)
    assert status == 0
    centrifugal = EARTH_RATE[2] ** 2 * p * [1, 1, 0]
    expected = library.f64.gravity_wgs84(lat, 300.0).g
    close(fc, norm(np.asarray(g, float) + centrifugal), expected, 10, truncation=within)


def test_without_oblateness_the_earth_is_a_point(fc: Compiled) -> None:
    """At 42164.17 km a satellite's orbit takes a sidereal day."""
    mu, _, r_eq = EARTH
    p = np.array([42164170.0, 0, 0])
    g, status = fc.call.gravitation_point(p, mu)
    assert status == 0
    close(fc, g, -(EARTH_RATE[2] ** 2) * p, 0.3, truncation=2e-7)
    close(fc, fc.call.gravitation_j2(p, mu, 0, r_eq).g_E, g, 0.3)


def test_the_gravity_gradient_is_the_moment_of_the_attraction_of_points(fc: Compiled, rng: Rng) -> None:
    cloud = body(rng)
    p, mu = np.array([3000.0, -1000, 2000]), 4e5
    places = p + cloud.points
    pulls = -mu * cloud.masses[:, None] * places / np.linalg.norm(places, axis=1)[:, None] ** 3
    expected = np.cross(cloud.points, pulls).sum(axis=0)
    found, status = fc.call.gravity_gradient_moment(p, mu, cloud.tensor)
    assert status == 0
    close(fc, found, expected, norm(expected), truncation=2e-3 * norm(expected))


def test_there_is_no_direction_at_the_centre(fc: Compiled) -> None:
    zero = [0.0, 0, 0]
    others: dict[str, list[Any]] = {
        "gravitation_point": [1.0],
        "gravitation_j2": [1.0, 1.0, 1.0],
        "gravity_gradient_moment": [1.0, [1, 0, 0, 1, 0, 1]],
    }
    for name, rest in others.items():
        for p, flag in ((zero, ZERO_NORM), ([np.inf, 0, 0], NOT_FINITE)):
            result, status = getattr(fc.call, name)(p, *rest)
            assert status == flag
            same(result, zero)
