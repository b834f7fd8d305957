"""Identities of bodies on joints: recursions over the compiled kernels against plain geometry.

RNEA, CRBA and ABA are composed here; a branched tree of turning and sliding joints is, for comparison, points
that joints move. Named after their numbers in the table of 68; see test_identities.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tests.conftest import Compiled
from tests.physics import (
    EYE,
    G_N,
    TRUNCATION,
    ZERO,
    Array,
    Cloud,
    Pose,
    Rng,
    close,
    gradient,
    integrate,
    norm,
    random_rotation,
    random_unit,
    slope,
)


@pytest.fixture(params=range(3))
def rng(request: pytest.FixtureRequest) -> Rng:
    """Three scenes, the same in every run."""
    return np.random.default_rng([20080131, request.param])


@dataclass(frozen=True)
class Joint:
    """A body, its joint's fixed place in the parent, and the axis that it turns about or slides along."""

    parent: int
    place: Pose
    axis: Array
    turns: bool
    cloud: Cloud

    @property
    def subspace(self) -> Array:
        return np.append(self.axis, ZERO) if self.turns else np.append(ZERO, self.axis)

    def pose(self, q: float) -> Pose:
        if self.turns:
            return Pose(Rotation.from_rotvec(q * self.axis), ZERO)
        return Pose(Rotation.identity(), q * self.axis)

    def moved(self, q: Any, points: Array) -> Array:
        """Points of the body seen from the parent, for complex q too."""
        if self.turns:
            along = np.outer(points @ self.axis, self.axis)  # stays; what is across swings round
            moved = along + np.cos(q) * (points - along) + np.sin(q) * np.cross(self.axis, points)
        else:
            moved = points + q * self.axis
        seen: Array = moved @ self._matrix.T + self.place.p
        return seen

    @cached_property
    def _matrix(self) -> Any:
        return self.place.rotation.as_matrix()


@dataclass(frozen=True)
class Geometry:
    """A mechanism as point masses that joints move. No spatial algebra."""

    joints: tuple[Joint, ...]

    @classmethod
    def random(cls, rng: Rng) -> Geometry:
        """Five bodies in a tree, with turning and sliding joints about skew axes."""

        def joint(parent: int, turns: bool) -> Joint:
            place = Pose(random_rotation(rng), 0.4 * rng.normal(size=3))
            return Joint(parent, place, random_unit(rng, 3), turns, Cloud.random(rng, 4, 0.4))

        tree = [(-1, True), (0, True), (1, False), (1, True), (3, True)]
        return cls(tuple(joint(parent, turns) for parent, turns in tree))

    def points(self, q: Array) -> Array:
        return np.vstack([self._carried(i, q) for i in range(len(self.joints))])

    def _carried(self, body: int, q: Array) -> Array:
        points = self.joints[body].cloud.points
        while body >= 0:
            points = self.joints[body].moved(q[body], points)
            body = self.joints[body].parent
        return points

    @cached_property
    def masses(self) -> Array:
        return np.concatenate([joint.cloud.masses for joint in self.joints])

    def jacobian(self, q: Array) -> Array:
        """Of all points, by the complex step, which has no cancellation."""
        step = 1e-30
        return np.stack([self.points(q + 1j * step * unit).imag / step for unit in np.eye(len(q))], axis=-1)

    def mass_matrix(self, q: Array) -> Array:
        J = self.jacobian(q)
        matrix: Array = np.einsum("pki,pkj,p->ij", J, J, self.masses)
        return matrix

    def energy(self, q: Array, dq: Array) -> float:
        return float(self.masses @ ((self.jacobian(q) @ dq) ** 2).sum(axis=1) / 2)

    def potential(self, q: Array) -> float:
        return float(-self.masses @ self.points(q) @ G_N)

    def christoffel_torque(self, q: Array, dq: Array) -> Array:
        dH = gradient(self.mass_matrix, q)
        torque: Array = np.einsum("kij,j,k->i", dH, dq, dq) - np.einsum("ijk,j,k->i", dH, dq, dq) / 2
        return torque

    def size(self, dq: Array, ddq: Array) -> float:
        """A bound of the torques' terms: mass, reach squared, and accelerations with gravity's."""
        reach = 1 + max(norm(points) for points in self.points(np.zeros(len(dq))))
        return float(self.masses.sum() * reach**2 * (10 + norm(ddq) + norm(dq, dq)))


@dataclass(frozen=True)
class Recursions:
    """Inverse dynamics, joint-space inertia and forward dynamics, over the compiled kernels."""

    fc: Compiled
    geometry: Geometry

    @cached_property
    def inertias(self) -> list[Array]:
        return [joint.cloud.inertia(self.fc) for joint in self.geometry.joints]

    def poses(self, q: Array) -> list[Array]:
        """Each body's frame in its parent's."""
        compose = self.fc.call.transform_compose
        pairs = zip(self.geometry.joints, q, strict=True)
        return [compose(joint.place.packed, joint.pose(angle).packed).T_AC for joint, angle in pairs]

    def outward(self, q: Array, base: Array, added: Callable[[int, Array], Array]) -> list[Array]:
        """A motion for each body: the parent's in the body's frame, and what the joint adds to it."""
        motions: list[Array] = []
        for i, (joint, T) in enumerate(zip(self.geometry.joints, self.poses(q), strict=True)):
            parent = motions[joint.parent] if joint.parent >= 0 else base
            inherited = self.fc.call.motion_transform_inverse(T, parent).v_B
            motions.append(inherited + added(i, inherited))
        return motions

    def velocities(self, q: Array, dq: Array) -> list[Array]:
        return self.outward(q, np.zeros(6), lambda i, _: self.geometry.joints[i].subspace * dq[i])

    def coriolis(self, velocities: list[Array], dq: Array) -> list[Array]:
        cross, joints = self.fc.call.motion_cross, self.geometry.joints
        triples = zip(velocities, joints, dq, strict=True)
        return [cross(v, joint.subspace * rate).v_x_m for v, joint, rate in triples]

    def biases(self, velocities: list[Array]) -> list[Array]:
        pairs = zip(self.inertias, velocities, strict=True)
        return [self.fc.call.inertia_bias_force(I_O, v).f for I_O, v in pairs]

    def inverse_dynamics(self, q: Array, dq: Array, ddq: Array, g: Array) -> Array:
        """RNEA: the torques that give these accelerations."""
        call, joints, poses = self.fc.call, self.geometry.joints, self.poses(q)
        velocities = self.velocities(q, dq)
        c = self.coriolis(velocities, dq)
        base = np.append(ZERO, -g)
        accelerations = self.outward(q, base, lambda i, _: joints[i].subspace * ddq[i] + c[i])
        inertial = [call.inertia_multiply(*pair).f for pair in zip(self.inertias, accelerations, strict=True)]
        forces = [f + bias for f, bias in zip(inertial, self.biases(velocities), strict=True)]
        for i in reversed(range(len(joints))):
            if joints[i].parent >= 0:
                forces[joints[i].parent] = (
                    forces[joints[i].parent] + call.force_transform(poses[i], forces[i]).f_A
                )
        pairs = zip(joints, forces, strict=True)
        return np.array([call.motion_dot_force(joint.subspace, f).power for joint, f in pairs])

    def mass_matrix(self, q: Array) -> Array:
        """CRBA."""
        call, joints, poses = self.fc.call, self.geometry.joints, self.poses(q)
        composites, H = list(self.inertias), np.zeros((len(joints), len(joints)))
        for i in reversed(range(len(joints))):
            force, j = call.inertia_multiply(composites[i], joints[i].subspace).f, i
            while j >= 0:
                H[i, j] = H[j, i] = call.motion_dot_force(joints[j].subspace, force).power
                force, j = call.force_transform(poses[j], force).f_A, joints[j].parent
            if joints[i].parent >= 0:
                carried = call.inertia_transform(poses[i], composites[i]).I_A
                composites[joints[i].parent] = call.inertia_add(composites[joints[i].parent], carried).I_sum
        return H

    def forward_dynamics(self, q: Array, dq: Array, torque: Array, g: Array) -> Array:
        """ABA: the accelerations that these torques give."""
        call, joints, poses, velocities = (
            self.fc.call,
            self.geometry.joints,
            self.poses(q),
            self.velocities(q, dq),
        )
        c, bias = self.coriolis(velocities, dq), self.biases(velocities)
        count = len(joints)
        hanging, seen = [np.zeros(21)] * count, [None] * count
        for i in reversed(range(count)):
            S, parent = joints[i].subspace, joints[i].parent
            IA = call.articulated_add_inertia(hanging[i], self.inertias[i]).IA_sum
            seen[i] = through = call.articulated_reduce(IA, bias[i], S, c[i], torque[i])
            assert through.status == 0
            if parent >= 0:
                carried = call.articulated_transform(poses[i], through.Ia).IA_A
                hanging[parent] = call.articulated_add(hanging[parent], carried).IA_sum
                bias[parent] = bias[parent] + call.force_transform(poses[i], through.pa).f_A
        ddq = np.zeros(count)

        def added(i: int, inherited: Array) -> Array:
            joint: Any = seen[i]
            ddq[i] = (joint.u - call.motion_dot_force(inherited + c[i], joint.U).power) / joint.D
            joint_acceleration: Array = c[i] + joints[i].subspace * ddq[i]
            return joint_acceleration

        self.outward(q, np.append(ZERO, -g), added)
        return ddq


CHAIN = 10
"""Kernels one on another's result from a tip of the tree to its root and back."""

DIFFERENCES = 1e-7
"""Error of differences of the geometry in double, with steps of 1e-5 and torques of up to about 100."""


@dataclass(frozen=True)
class Swing:
    """A mechanism in motion."""

    recursions: Recursions
    q: Array
    dq: Array
    ddq: Array

    @property
    def geometry(self) -> Geometry:
        return self.recursions.geometry

    @property
    def size(self) -> float:
        return self.geometry.size(self.dq, self.ddq)

    @property
    def least(self) -> float:
        """The least inertia, which magnifies errors of accelerations."""
        return float(np.linalg.eigvalsh(self.geometry.mass_matrix(self.q))[0])

    def torque(self, ddq: Array | None = None, g: Array = G_N, time: int = 1) -> Array:
        accelerations = 0 * self.ddq if ddq is None else ddq
        return self.recursions.inverse_dynamics(self.q, time * self.dq, accelerations, g)


@pytest.fixture
def swing(fc: Compiled, rng: Rng) -> Swing:
    recursions = Recursions(fc, Geometry.random(rng))
    return Swing(recursions, rng.uniform(-2, 2, 5), *rng.normal(size=(2, 5)))


def test_45_forward_and_inverse_dynamics_and_the_mass_matrix_agree(fc: Compiled, swing: Swing) -> None:
    torque, H = swing.torque(swing.ddq), swing.recursions.mass_matrix(swing.q)
    close(fc, H @ swing.ddq + swing.torque(), torque, swing.size, calls=CHAIN)
    assert np.linalg.eigvalsh(H)[0] > 0
    back = swing.recursions.forward_dynamics(swing.q, swing.dq, torque, G_N)
    close(fc, back, swing.ddq, swing.size / swing.least, calls=CHAIN)


def test_46_the_mass_matrix_measures_the_energy_of_the_points(fc: Compiled, swing: Swing) -> None:
    H, energy = swing.recursions.mass_matrix(swing.q), swing.geometry.energy(swing.q, swing.dq)
    close(fc, swing.dq @ H @ swing.dq / 2, energy, swing.size, calls=CHAIN)
    bodies = zip(swing.recursions.inertias, swing.recursions.velocities(swing.q, swing.dq), strict=True)
    total = sum(float(fc.call.inertia_kinetic_energy(I_O, v).energy) for I_O, v in bodies)
    close(fc, total, energy, swing.size, calls=CHAIN)


def test_47_at_rest_torques_hold_the_weight(fc: Compiled, swing: Swing) -> None:
    torque, slopes = swing.torque(time=0), gradient(swing.geometry.potential, swing.q)
    close(fc, torque, slopes, swing.size, calls=CHAIN, truncation=DIFFERENCES)


def test_48_a_swinging_mechanism_keeps_its_energy(fc: Compiled, swing: Swing) -> None:
    def rates(state: Array) -> Array:
        q, dq = np.split(state, 2)
        return np.append(dq, swing.recursions.forward_dynamics(q, dq, np.zeros(5), G_N))

    def energies(state: Array) -> Array:
        q, dq = np.split(state, 2)
        return np.array([swing.geometry.energy(q, dq), swing.geometry.potential(q)])

    start = np.append(swing.q, swing.dq)
    end = integrate(rates, start, 0.1, steps=20)
    before, after = energies(start), energies(end)
    assert abs(after - before).min() > 0.1
    close(fc, after.sum(), before.sum(), swing.size, calls=CHAIN, truncation=TRUNCATION)


def test_49_coriolis_torques_do_no_work(fc: Compiled, swing: Swing) -> None:
    """dq^T (dH/dt) dq = 2 dq^T c."""
    twice = 2 * swing.dq @ swing.torque(g=ZERO)
    H_rate = slope(lambda t: swing.geometry.mass_matrix(swing.q + t * swing.dq))
    expected = swing.dq @ H_rate @ swing.dq
    close(fc, twice, expected, swing.size * norm(swing.dq), calls=CHAIN, truncation=DIFFERENCES)


def test_50_motion_run_backward_takes_the_same_torques(fc: Compiled, swing: Swing) -> None:
    close(fc, swing.torque(swing.ddq, time=-1), swing.torque(swing.ddq), swing.size, calls=CHAIN)


@pytest.mark.parametrize("from_below", np.linspace(-3, 3, 7))
def test_51_a_physical_pendulum(fc: Compiled, rng: Rng, from_below: float) -> None:
    """ddq = -(m g l / I) sin(q), from distances to the axle alone. North-east-down: it hangs along z."""
    axle, cloud = EYE[0], Cloud.random(rng)
    length, hanging = np.hypot(*cloud.centre[1:]), np.arctan2(-cloud.centre[1], cloud.centre[2])
    about_axle = cloud.masses @ (cloud.points[:, 1:] ** 2).sum(axis=1)
    joint = Joint(-1, Pose(Rotation.from_rotvec([0, 0, 1.0]), rng.normal(size=3)), axle, True, cloud)
    pendulum, q, still = Recursions(fc, Geometry((joint,))), np.array([from_below - hanging]), np.zeros(1)
    ddq = pendulum.forward_dynamics(q, still, still, G_N)
    expected = -cloud.mass * G_N[2] * length / about_axle * np.sin(from_below)
    size = cloud.size * 10 / about_axle
    close(fc, ddq, expected, size, calls=4)
    close(fc, pendulum.inverse_dynamics(q, still, ddq, G_N), 0, size * about_axle, calls=4)


def test_61_bias_torques_are_those_of_the_christoffel_symbols(fc: Compiled, swing: Swing) -> None:
    """The only test that sees v x* I v left out of forward and inverse dynamics alike."""
    expected = swing.geometry.christoffel_torque(swing.q, swing.dq)
    close(fc, swing.torque(g=ZERO), expected, swing.size, calls=CHAIN, truncation=DIFFERENCES)
    free = swing.recursions.forward_dynamics(swing.q, swing.dq, np.zeros(5), ZERO)
    H, least = swing.geometry.mass_matrix(swing.q), swing.least
    expected = np.linalg.solve(H, -expected)
    close(fc, free, expected, swing.size / least, calls=CHAIN, truncation=DIFFERENCES / least)
