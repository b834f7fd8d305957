"""Identities of bodies in motion: flight, the rotating Earth, loads, and contact.

Named after their numbers in the table of 68; see test_identities.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tests.conftest import Compiled
from tests.physics import (
    G_N,
    SECONDS,
    TRUNCATION,
    UPPER,
    ZERO,
    Array,
    Cloud,
    Pose,
    Rng,
    attitude_of,
    close,
    integrate,
    norm,
    random_rotation,
    scalar_first,
    slope,
)


@pytest.fixture(params=range(3))
def rng(request: pytest.FixtureRequest) -> Rng:
    """Three scenes, the same in every run."""
    return np.random.default_rng([20080131, request.param])


# --- a body in flight -------------------------------------------------------------------------------------

Wrench = Callable[[Any], tuple[Array, Array]]


@dataclass(frozen=True)
class Flight:
    """A body about its centre of mass. A state is p_N, q_NB, v_B, w_B, and the impulses of force and moment
    in N."""

    fc: Compiled
    cloud: Cloud
    wrench: Wrench = lambda attitude: (ZERO, ZERO)

    def rates(self, state: Array) -> Array:
        p, q, v, w, _ = np.split(state, [3, 7, 10, 13])
        F, M = self.wrench(attitude_of(q))
        mass, tensor = self.cloud.mass, self.cloud.tensor
        result = self.fc.call.rigid_body_dynamics_quat(p, q, v, w, F, M, mass, tensor, 0)
        assert result.status == 0
        return np.concatenate([*result[:4], *attitude_of(q).apply([F, M])])

    def flown(self, start: Array) -> Array:
        """The state after SECONDS."""
        return integrate(self.rates, start, SECONDS)

    def momenta(self, state: Array) -> Array:
        """Momentum, and angular momentum about the centre of mass, in N."""
        L_B, P_B = np.split(self.cloud.momentum(state[[10, 11, 12, 7, 8, 9]]), 2)
        in_N: Array = attitude_of(state[3:7]).apply([P_B, L_B]).ravel()
        return in_N

    def velocity(self, state: Array) -> Array:
        return self.momenta(state)[:3] / self.cloud.mass

    def size(self, state: Array) -> float:
        """A bound of changes of momenta and energy in SECONDS, for wrenches of up to about ten."""
        return self.cloud.size * self.cloud.stiffness * (3 + norm(state)) ** 2


def launch(rng: Rng) -> Array:
    """A state in flight."""
    p, v, w = rng.normal(size=(3, 3))
    return np.concatenate([p, scalar_first(random_rotation(rng)), v, w, np.zeros(6)])


def pushed(fc: Compiled, rng: Rng) -> Flight:
    """A body with a thrust and a moment that are fixed in it."""
    F, M = rng.normal(size=(2, 3))
    return Flight(fc, Cloud.random(rng).centred(), lambda attitude: (F, M))


def test_31_angles_and_quaternions_fly_the_same_way(fc: Compiled, rng: Rng) -> None:
    flight, angles, start = pushed(fc, rng), rng.uniform(-0.3, 0.3, 3), launch(rng)
    start[10:13] /= 2  # keeps clear of the vertical
    start[3:7] = scalar_first(Rotation.from_euler("xyz", angles))
    F, M = flight.wrench(None)

    def rates(x: Array) -> Array:
        result = fc.call.rigid_body_dynamics_rpy(
            *np.split(x, 4), F, M, flight.cloud.mass, flight.cloud.tensor
        )
        assert result.status == 0
        return np.concatenate(result[:4])

    by_quat = flight.flown(start)
    by_rpy = integrate(rates, np.concatenate([start[:3], angles, start[7:13]]), SECONDS)
    attitude = Rotation.from_euler("xyz", by_rpy[3:6])
    by_rpy = np.concatenate([by_rpy[:3], np.ravel(attitude.as_matrix()), by_rpy[6:]])
    expected = np.concatenate([by_quat[:3], attitude_of(by_quat[3:7]).as_matrix().ravel(), by_quat[7:13]])
    close(fc, by_rpy, expected, flight.size(start), truncation=TRUNCATION)


def test_32_a_free_body_keeps_momenta_and_energy_and_flies_straight(fc: Compiled, rng: Rng) -> None:
    flight, start = Flight(fc, Cloud.random(rng).centred()), launch(rng)
    end, size = flight.flown(start), flight.size(start)
    close(fc, flight.momenta(end), flight.momenta(start), size, truncation=TRUNCATION * flight.cloud.size)
    before, after = (flight.cloud.energy(s[[10, 11, 12, 7, 8, 9]]) for s in (start, end))
    close(fc, after, before, size, truncation=TRUNCATION * flight.cloud.size)
    close(fc, end[:3], start[:3] + SECONDS * flight.velocity(start), size, truncation=TRUNCATION)


def test_32_thrust_and_moment_change_momenta_by_their_impulse(fc: Compiled, rng: Rng) -> None:
    flight, start = pushed(fc, rng), launch(rng)
    end = flight.flown(start)
    expected = flight.momenta(start) + end[13:]
    size = flight.size(start)
    close(fc, flight.momenta(end), expected, size, truncation=TRUNCATION * flight.cloud.size)


def test_33_a_spinning_projectile_flies_a_parabola(fc: Compiled, rng: Rng) -> None:
    cloud, start = Cloud.random(rng).centred(), launch(rng)
    flight = Flight(fc, cloud, lambda attitude: (attitude.inv().apply(cloud.mass * G_N), ZERO))
    end, velocity, size = flight.flown(start), flight.velocity(start), flight.size(start)
    fallen = start[:3] + velocity * SECONDS + G_N * SECONDS**2 / 2
    close(fc, end[:3], fallen, size, truncation=10 * TRUNCATION)
    close(fc, flight.velocity(end), velocity + G_N * SECONDS, size, truncation=10 * TRUNCATION)


def test_34_power_feeds_kinetic_energy(fc: Compiled, rng: Rng) -> None:
    """dT/dt = F . v + M . w. Blind to terms that do no work."""
    flight, state = pushed(fc, rng), launch(rng)
    F, M = flight.wrench(None)
    motion, rates = state[[10, 11, 12, 7, 8, 9]], flight.rates(state)[[10, 11, 12, 7, 8, 9]]
    close(fc, rates @ flight.cloud.momentum(motion), motion @ np.append(M, F), flight.size(state))


def test_35_a_boost_changes_nothing_but_the_velocity(fc: Compiled, rng: Rng) -> None:
    flight, start, boost = pushed(fc, rng), launch(rng), rng.normal(size=3)
    boosted = start.copy()
    boosted[7:10] += attitude_of(start[3:7]).inv().apply(boost)
    slow, fast = flight.flown(start), flight.flown(boosted)
    slow[:3] += boost * SECONDS
    slow[7:10] += attitude_of(slow[3:7]).inv().apply(boost)
    close(fc, fast, slow, flight.size(boosted), truncation=TRUNCATION)


def test_36_other_body_axes_change_nothing_physical(fc: Compiled, rng: Rng) -> None:
    cloud, attitude, turn = Cloud.random(rng).centred(), random_rotation(rng), random_rotation(rng)
    vectors = rng.normal(size=(4, 3))

    def rates(turn: Any) -> Any:
        """The rates in N, of the same body in turned axes."""
        axes, seen = attitude * turn, turn.inv().apply(vectors)
        body = cloud.seen_from(Pose(turn.inv(), ZERO))
        q = scalar_first(axes)
        result = fc.call.rigid_body_dynamics_quat(ZERO, q, *seen, body.mass, body.tensor, 0)
        assert result.status == 0
        return np.array([result.dp_N, *axes.apply([result.dv_B, result.dw_B])])

    size = cloud.size * cloud.stiffness * (1 + norm(vectors)) ** 2
    close(fc, rates(turn), rates(Rotation.identity()), size, calls=2)


def test_60_spatial_newton_euler_is_the_six_degree_of_freedom_model(fc: Compiled, rng: Rng) -> None:
    """I a + v x* I v = f with a = [dw; dv], at the centre of mass and so at any other point."""
    call, cloud, T = fc.call, Cloud.random(rng).centred(), Pose.random(rng)
    v, w, F, M = rng.normal(size=(4, 3))
    rates = call.rigid_body_dynamics_quat(ZERO, [1, 0, 0, 0], v, w, F, M, cloud.mass, cloud.tensor, 0)
    acceleration, motion = np.append(rates.dw_B, rates.dv_B), np.append(w, v)
    I_P = call.inertia_transform(T.packed, cloud.inertia(fc)).I_A
    v_P, a_P = (call.motion_transform(T.packed, x).v_A for x in (motion, acceleration))
    bias = call.inertia_bias_force(I_P, v_P).f
    size = (norm(I_P, a_P) + norm(I_P, v_P, v_P)) * cloud.stiffness
    needed = call.inertia_multiply(I_P, a_P).f + bias
    close(fc, needed, call.force_transform(T.packed, np.append(M, F)).f_A, size, calls=4)
    close(fc, bias, call.force_cross(v_P, call.inertia_multiply(I_P, v_P).f).v_x_f, size, calls=2)


# --- on the turning Earth ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Turning:
    """A body near a planet that turns at a constant rate, under a force towards the planet's centre and a
    thrust and a moment that are fixed in the body. E and the inertial frame N coincide at the start."""

    fc: Compiled
    cloud: Cloud
    Omega: Array
    thrust: Array
    moment: Array

    @classmethod
    def random(cls, fc: Compiled, rng: Rng) -> Turning:
        return cls(fc, Cloud.random(rng).centred(), *rng.normal(size=(3, 3)))

    def pull(self, p: Array) -> Array:
        """Gravitation, whose potential is m |p|^2 / 2."""
        return -self.cloud.mass * p

    def rates(self, state: Array) -> Array:
        """Of p_E, q_EB, v_E, w_B, by the kernel."""
        p, q, v, w = np.split(state, [3, 7, 10])
        F = self.pull(p) + attitude_of(q).apply(self.thrust)
        result = self.fc.call.rigid_body_dynamics_ecef(
            p, q, v, w, F, self.moment, self.cloud.mass, self.cloud.tensor, self.Omega, 0
        )
        assert result.status == 0
        return np.concatenate(result[:4])

    def inertial_rates(self, state: Array) -> Array:
        """Of p, R, momentum and angular momentum about the centre of mass, all in N: no w x J w."""
        p, R, P, L = np.split(state, [3, 12, 15])
        R = R.reshape(3, 3)
        w = self.spin(R, L)
        turning = np.cross(R, w)  # each row r turns as r x w
        force = self.pull(p) + R @ self.thrust
        return np.concatenate([P / self.cloud.mass, turning.ravel(), force, R @ self.moment])

    def spin(self, R: Array, L: Array) -> Array:
        """Angular velocity in B."""
        w: Array = np.linalg.solve(self.cloud.matrix[:3, :3], R.T @ L)
        return w

    def size(self, state: Array) -> float:
        return self.cloud.size * self.cloud.stiffness * (3 + norm(state) + norm(self.Omega)) ** 2


def orbit(rng: Rng) -> Array:
    """p_E, q_EB, v_E, w_B."""
    return np.concatenate([rng.normal(size=3), scalar_first(random_rotation(rng)), *rng.normal(size=(2, 3))])


def test_37_seen_from_the_turning_earth_a_body_moves_as_it_does(fc: Compiled, rng: Rng) -> None:
    """Position, attitude, velocity and rate, against momenta integrated in the inertial frame."""
    body, start = Turning.random(fc, rng), orbit(rng)
    p, q, v, w = np.split(start, [3, 7, 10])
    R, J = attitude_of(q).as_matrix(), body.cloud.matrix[:3, :3]
    P = body.cloud.mass * (v + np.cross(body.Omega, p))
    there = integrate(body.inertial_rates, np.concatenate([p, R.ravel(), P, R @ J @ w]), SECONDS)
    p, R, P, L = np.split(there, [3, 12, 15])
    R = R.reshape(3, 3)
    turned = Rotation.from_rotvec(-SECONDS * body.Omega)  # from N to E
    v = turned.apply(P / body.cloud.mass - np.cross(body.Omega, p))
    expected = [turned.apply(p), (turned.as_matrix() @ R).ravel(), v, body.spin(R, L)]
    p, q, v, w = np.split(integrate(body.rates, start, SECONDS), [3, 7, 10])
    found = [p, attitude_of(q).as_matrix().ravel(), v, w]
    close(fc, np.concatenate(found), np.concatenate(expected), body.size(start), truncation=TRUNCATION)


@pytest.mark.parametrize("real", [False, True])
def test_38_a_body_at_rest_on_the_turning_earth_stays(fc: Compiled, rng: Rng, real: bool) -> None:
    """The force and moment that make it rotate with the Earth: m Omega x (Omega x p), and w x J w."""
    cloud, attitude, p, Omega = Cloud.random(rng).centred(), random_rotation(rng), *rng.normal(size=(2, 3))
    if real:
        p, Omega = 6.4e6 * p / norm(p), np.array([0, 0, 7.292115e-5])
    w = attitude.inv().apply(Omega)
    M = np.cross(w, cloud.momentum(np.append(w, ZERO))[:3])
    F = cloud.mass * np.cross(Omega, np.cross(Omega, p))
    q = scalar_first(attitude)
    state = fc.call.rigid_body_dynamics_ecef(p, q, ZERO, w, F, M, cloud.mass, cloud.tensor, Omega, 0)
    assert state.status == 0
    assert not state.dp_E.any()
    close(fc, state.dq, np.zeros(4), norm(Omega))
    close(fc, state.dv_E, ZERO, 2 * norm(Omega, Omega, p))
    close(fc, state.dw_B, ZERO, cloud.stiffness * norm(Omega, Omega))


def test_39_jacobis_integral(fc: Compiled, rng: Rng) -> None:
    """1/2 v^2 - 1/2 |Omega x p|^2 and the potential stay, for the Coriolis force does no work."""
    body, start = Turning.random(fc, rng), orbit(rng)
    body = Turning(fc, body.cloud, body.Omega, ZERO, body.moment)

    def integral(state: Array) -> float:
        p, v = state[:3], state[7:10]
        return float(v @ v + p @ p - np.sum(np.cross(body.Omega, p) ** 2)) / 2

    end = integrate(body.rates, start, SECONDS)
    assert norm(end[7:10]) != pytest.approx(norm(start[7:10]), rel=1e-3)
    close(fc, integral(end), integral(start), body.size(start), truncation=TRUNCATION)


# --- loads ------------------------------------------------------------------------------------------------


def test_40_forces_on_particles_have_a_moment_about_every_point(fc: Compiled, rng: Rng) -> None:
    points, forces, (r_P, r_cm) = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), rng.normal(size=(2, 3))

    def about(origin: Array) -> Array:
        moment: Array = np.cross(points - origin, forces).sum(axis=0)
        return moment

    moment = fc.call.moment_transfer(about(r_P), forces.sum(axis=0), r_P, r_cm).M_cm
    close(fc, moment, about(r_cm), (norm(points) + norm(r_P) + norm(r_cm)) * norm(forces) * 2)


def test_41_the_centre_of_mass_moves_as_its_particles_do(fc: Compiled, rng: Rng) -> None:
    """Particles that move inside a body that moves, differenced in double to about 1e-10."""
    T, cloud, v_B, inside = Pose.random(rng), Cloud.random(rng), rng.normal(size=6), rng.normal(size=(6, 3))

    def in_body(t: float) -> Array:
        return Cloud(cloud.masses, cloud.points + t * inside).centre

    velocity = T.rotation.inv().apply(slope(lambda t: T.carried(v_B, t).points(in_body(t))))
    r, dr = in_body(0), slope(in_body)
    size = norm(v_B) * (1 + norm(r)) + norm(dr)
    close(fc, fc.call.cm_velocity(v_B[3:], v_B[:3], r, dr).v, velocity, size, truncation=1e-8)
    back = fc.call.reference_velocity(velocity, v_B[:3], r, dr).v_ref
    close(fc, back, v_B[3:], 2 * size, truncation=1e-8)


Moment = Callable[[float, Array], Array]


def spun(fc: Compiled, start: Array, tensor: Callable[[float], Array], moment: Moment) -> Array:
    """q_NB and w_B after SECONDS, of a body whose inertia and moment depend on the time and on w_B."""

    def rates(state: Array) -> Array:
        t, q, w = state[0], state[1:5], state[5:]
        result = fc.call.rigid_body_dynamics_quat(ZERO, q, ZERO, w, ZERO, moment(t, w), 1, tensor(t), 0)
        assert result.status == 0
        return np.concatenate([[1], result.dq, result.dw_B])

    return integrate(rates, np.append(0, start), SECONDS)[1:]


def dense(packed: Array) -> Array:
    matrix = np.zeros((3, 3))
    matrix[UPPER] = packed
    return matrix + np.triu(matrix, 1).T


def test_42_a_gyrostat_keeps_its_angular_momentum(fc: Compiled, rng: Rng) -> None:
    """R (J w + h) with rotors that are being spun up."""
    cloud, start = Cloud.random(rng).centred(), launch(rng)[[3, 4, 5, 6, 10, 11, 12]]
    J, (h, dh) = cloud.matrix[:3, :3], rng.normal(size=(2, 3))
    end = spun(
        fc,
        start,
        lambda t: cloud.tensor,
        lambda t, w: fc.call.gyroscopic_moment(ZERO, w, h + t * dh, dh).M_eff,
    )

    def momentum(state: Array, h: Array) -> Array:
        in_N: Array = attitude_of(state[:4]).apply(J @ state[4:] + h)
        return in_N

    size = cloud.size * cloud.stiffness * (3 + norm(start) + norm(h) + norm(dh)) ** 2
    expected, after = momentum(start, h), momentum(end, h + SECONDS * dh)
    close(fc, after, expected, size, truncation=TRUNCATION * cloud.size)


def test_42_a_body_that_changes_its_shape_keeps_its_angular_momentum(fc: Compiled, rng: Rng) -> None:
    """R J w, when the parts move so that they have no angular momentum relative to the body."""
    cloud, start = Cloud.random(rng).centred(), launch(rng)[[3, 4, 5, 6, 10, 11, 12]]
    dJ = Cloud.random(rng).centred().tensor  # it spreads

    def tensor(t: float) -> Array:
        grown: Array = cloud.tensor + t * dJ
        return grown

    end = spun(fc, start, tensor, lambda t, w: fc.call.inertia_rate_moment(dJ, w).M)
    before, after = (
        attitude_of(s[:4]).apply(dense(tensor(t)) @ s[4:]) for s, t in ((start, 0), (end, SECONDS))
    )
    size = (cloud.size + norm(dJ)) * cloud.stiffness * (3 + norm(start)) ** 2
    close(fc, after, before, size, truncation=TRUNCATION * size)


@pytest.mark.parametrize("thrown", [False, True])
def test_43_mass_that_leaves_takes_its_momentum_along(fc: Compiled, rng: Rng, thrown: bool) -> None:
    """A body throws away half its mass in lumps; body and lumps keep the momentum that the body had.

    Each lump leaves at u_rel from the mean of the body's velocities before and after it, which makes the
    balance exact. What is only let go leaves the body's velocity alone.
    """
    lumps, m, carried = 100, 2.0, ZERO
    v, u_rel = rng.normal(size=3), thrown * rng.normal(size=3)
    before, start, lump = v, m * v, m / 2 / lumps
    for _ in range(lumps):
        impulse = fc.call.mass_flow_force(-lump, u_rel).F  # of a second's flow
        after = v + impulse / (m - lump / 2)
        carried = carried + lump * ((v + after) / 2 + u_rel)
        v, m = after, m - lump
    close(fc, m * v + carried, start, 2 * m * (norm(start) + norm(u_rel)))
    assert np.array_equal(v, before) == (not thrown)


# --- bodies that touch ------------------------------------------------------------------------------------


@dataclass
class Balls:
    """Spheres above a floor, stepped by the contact kernels and solvers."""

    fc: Compiled
    m: Array
    radii: Array
    x: Array
    v: Array  # of the centre, and the angular velocity

    dt = 0.01
    floor = np.array([0, 0, -1.0])  # the normal, up: z points down

    @classmethod
    def random(cls, fc: Compiled, rng: Rng) -> Balls:
        """Five spheres in a leaning column, which falls on the floor and apart."""
        x = np.array([[0.05 * i, -0.03 * i, -0.5 - 0.95 * i] for i in range(5)]) + 0.02 * rng.normal(
            size=(5, 3)
        )
        return cls(fc, rng.uniform(0.5, 2, 5), rng.uniform(0.4, 0.45, 5), x, rng.normal(size=(5, 6)) / 2)

    @property
    def tensors(self) -> Array:
        """Of solid spheres."""
        spheres = zip(self.m, self.radii, strict=True)
        return np.array([self.fc.call.solid_sphere_inertia(m, r).I_O[4:] for m, r in spheres])

    def contacts(self) -> list[tuple[int, int, Any]]:
        """All pairs, the floor as body -1: normal, gap, points."""
        found, count, call = [], len(self.m), self.fc.call
        for b in range(count):
            plane = call.sphere_plane_contact(self.floor, 0, self.x[b], self.radii[b])
            found.append((-1, b, (self.floor, *plane)))
            for a in range(b):
                pair = call.sphere_sphere_contact(self.x[a], self.radii[a], self.x[b], self.radii[b])
                assert pair.status == 0
                found.append((a, b, pair[:4]))
        return found

    def columns(self, contacts: list[tuple[int, int, Any]]) -> tuple[Array, Array]:
        identity = np.eye(3)
        pairs = []
        for a, b, (n, _, c_A, c_B) in contacts:
            p_A = self.x[a] if a >= 0 else c_A
            pairs.append(self.fc.call.contact_jacobian(identity, identity, n, c_A, c_B, p_A, self.x[b]))
        return np.array([D.D_A for D in pairs]), np.array([D.D_B for D in pairs])

    def free(self, i: int) -> Array:
        load = np.append(self.m[i] * G_N, ZERO)
        found = self.fc.call.contact_free_velocity(self.v[i], load, self.m[i], self.tensors[i], self.dt)
        assert found.status == 0
        velocity: Array = found.v_star
        return velocity

    def step(self, solver: Any, tolerance: float) -> tuple[Array, Array, Array]:
        """The impulses, the rates of the linearised gaps, and the gaps afterwards."""
        call, contacts = self.fc.call, self.contacts()
        nb, nc, (D_A, D_B) = len(self.m), len(contacts), self.columns(contacts)
        bodies = np.array([[a, b] for a, b, _ in contacts]).T
        scene = (nb, nc, self.m, self.tensors, *bodies, D_A, D_B)
        N = call.contact_delassus(*scene).N
        free = np.array([self.free(i) for i in range(nb)])
        still = np.vstack([free, np.zeros(6)])  # the floor comes last, as -1
        r = np.array(
            [
                call.contact_rhs(contact[1], self.dt, 10, D_A[i], D_B[i], still[a], still[b]).r
                for i, (a, b, contact) in enumerate(contacts)
            ]
        )
        solved = solver(N, r, np.zeros(nc), nc, 20000, tolerance)
        assert solved.status == 0
        self.v = call.contact_velocity_update(*scene, solved.lambda_, free).v_next
        self.x = self.x + self.dt * self.v[:, :3]
        gaps = np.array([contact[1] for _, _, contact in self.contacts()])
        return solved.lambda_, N.astype(float) @ solved.lambda_ + r, gaps


@pytest.mark.parametrize("solver", ["contact_solve_pgs", "contact_solve_apgd"])
def test_55_bodies_never_overlap_and_those_that_part_do_not_push(fc: Compiled, rng: Rng, solver: str) -> None:
    """The distance of spheres is a convex function of their displacement, so that no gap is less than its
    linearisation, which the impulses keep positive up to the solver's tolerance."""
    balls, tolerance = Balls.random(fc, rng), max(1e-6, 40 * fc.eps)
    rounding = 16 * fc.eps * norm(balls.x)
    pushes = 0
    for _ in range(30):
        impulses, rates, gaps = balls.step(getattr(fc.call, solver), tolerance)
        assert gaps.min() > -balls.dt * tolerance - rounding
        slack = 2 * tolerance + 32 * fc.eps * (abs(rates).max() + 100)
        assert impulses.min() >= 0
        assert np.all(np.minimum(impulses, rates) <= slack)
        parting = rates > slack
        assert parting.any()
        assert np.all(impulses[parting] <= slack)
        pushes += int((impulses > slack).sum())
    assert pushes > 10
