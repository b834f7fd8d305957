"""Identities that rigid-body mathematics owes to physics and geometry, held by the compiled core kernels.

Each test is named after its number in the table of 68 identities. What a kernel is compared with is built
from something else than its formula: point masses, material points, motion in the inertial frame, SciPy's
rotations, energy, or derivatives of plain geometry. Everything runs in double and in float.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conftest import Compiled
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

LATER = {
    "20": "linear-first packings of KSL and Pinocchio: inertia_to_matrix_linear_first, central_*",
    "21": "KSL's M_ff: inertia_to_matrix_linear_first",
    "37": "rigid_body_dynamics_ecef",
    "38": "rigid_body_dynamics_ecef",
    "39": "rigid_body_dynamics_ecef",
    "40": "moment_transfer",
    "41": "cm_velocity, reference_velocity",
    "42": "gyroscopic_moment",
    "43": "mass_flow_force",
    "52": "contact_jacobian",
    "53": "contact_jacobian",
    "54": "contact_jacobian",
    "55": "contact_solve_pgs, contact_solve_apgd",
    "56": "contact_solve_pgs, contact_solve_apgd",
    "57": "contact_solve_pgs, contact_solve_apgd",
    "58": "quat_slerp",
    "62": "KSL's packing with c not zero: central_*",
    "65": "contact_jacobian, contact_velocity_update",
    "66": "contact_delassus, contact_solve_*",
    "68": "contact_jacobian",
}
"""Identities of kernels outside the core, and the kernels that owe them."""

Array = npt.NDArray[Any]
Rng = np.random.Generator
EYE = np.eye(3)
IDENTITY_POSE = np.array([*EYE.ravel(), 0, 0, 0])
UPPER = np.triu_indices(3)
SAMPLES = range(10)
G_N = np.array([0.0, 0.0, 9.81])

ROUNDINGS = 16
"""A kernel sums at most about twenty products, each of up to three rounded factors. Its error stays below
this many eps times the sum of the products' magnitudes, which `size` bounds by norms."""


def close(
    fc: Compiled, actual: Any, expected: Any, size: float, calls: int = 1, truncation: float = 0
) -> None:
    """Equal to ROUNDINGS eps of the stated size for each kernel called, and a step's truncation error."""
    bound = ROUNDINGS * calls * fc.eps * size + truncation
    np.testing.assert_allclose(np.ravel(actual), np.ravel(expected), rtol=0, atol=bound)


def sizes(*factors: Any) -> float:
    """The product of norms: a bound of the terms of a product of vectors and matrices."""
    return float(np.prod([np.linalg.norm(f) for f in factors]))


def step_of(fc: Compiled) -> float:
    """The step of a central difference at which truncation, h^2, and rounding, eps / h, are alike."""
    return float(np.cbrt(fc.eps))


def slope(f: Callable[[float], Any], h: float) -> Array:
    """Central difference at 0."""
    return (np.asarray(f(h), float) - np.asarray(f(-h), float)) / (2 * h)


def close_slope(fc: Compiled, f: Callable[[float], Any], expected: Any, size: float) -> None:
    """A central difference of kernels is good to about eps^(2/3) of the size of value and derivatives."""
    close(fc, slope(f, step_of(fc)), expected, 0, truncation=ROUNDINGS * step_of(fc) ** 2 * size)


# --- what kernels are compared with -----------------------------------------------------------------------


def random_rotation(rng: Rng) -> Any:
    return Rotation.from_quat(rng.normal(size=4))


def scalar_first(rotation: Any) -> Array:
    """SciPy's quaternion, which is scalar-last, in our order."""
    return np.roll(rotation.as_quat(), 1)


@dataclass(frozen=True)
class Pose:
    """Where B is in A: a SciPy rotation and a position."""

    rotation: Any
    p: Array

    @classmethod
    def random(cls, rng: Rng) -> Pose:
        return cls(random_rotation(rng), rng.normal(size=3))

    @cached_property
    def packed(self) -> Array:
        return np.concatenate([self.rotation.as_matrix().ravel(), self.p])

    @property
    def size(self) -> float:
        """A bound of the norm of its Pluecker matrices."""
        return float(2 + np.linalg.norm(self.p))

    def points(self, r: Array) -> Array:
        moved: Array = self.rotation.apply(r) + self.p
        return moved

    def carried(self, v_B: Array, t: float) -> Pose:
        """The pose a time t later, to first order in position, when B moves at v_B relative to A."""
        turned = self.rotation * Rotation.from_rotvec(v_B[:3] * t)
        return Pose(turned, self.p + t * self.rotation.apply(v_B[3:]))


def velocities(motion: Array, points: Array) -> Array:
    """The velocities of points of a body that moves."""
    moved: Array = motion[3:] + np.cross(motion[:3], points)
    return moved


@dataclass(frozen=True)
class Cloud:
    """Point masses: a rigid body from first principles."""

    masses: Array
    points: Array

    @classmethod
    def random(cls, rng: Rng, count: int = 6, spread: float = 1) -> Cloud:
        return cls(rng.uniform(0.2, 1, count), spread * (rng.normal(size=(count, 3)) + rng.normal(size=3)))

    @property
    def mass(self) -> float:
        return float(self.masses.sum())

    @property
    def centre(self) -> Array:
        centre: Array = self.masses @ self.points / self.mass
        return centre

    @property
    def matrix(self) -> Array:
        """The 6x6 matrix of twice the kinetic energy: sum of m J^T J."""
        moved = np.array([velocities(unit, self.points) for unit in np.eye(6)])
        matrix: Array = np.einsum("ipk,jpk,p->ij", moved, moved, self.masses)
        return matrix

    @property
    def tensor(self) -> Array:
        """The inertia about the origin, packed."""
        return self.matrix[:3, :3][UPPER]

    def seen_from(self, pose: Pose) -> Cloud:
        return Cloud(self.masses, pose.points(self.points))

    def joined(self, other: Cloud) -> Cloud:
        return Cloud(np.append(self.masses, other.masses), np.vstack([self.points, other.points]))

    def centred(self) -> Cloud:
        return Cloud(self.masses, self.points - self.centre)

    def momentum(self, motion: Array) -> Array:
        p = self.masses[:, None] * velocities(motion, self.points)
        return np.concatenate([np.cross(self.points, p).sum(axis=0), p.sum(axis=0)])

    def energy(self, motion: Array) -> float:
        return float(self.masses @ (velocities(motion, self.points) ** 2).sum(axis=1) / 2)

    def inertia(self, fc: Compiled) -> Array:
        """Its ten numbers, as the library makes them of mass, centre and central inertia."""
        result = fc.call.inertia_from_com(self.mass, self.centre, self.centred().tensor)
        assert result.status == 0
        packed: Array = result.I_O
        return packed


def random_articulated(rng: Rng) -> tuple[Array, Array]:
    """A symmetric positive 6x6 matrix with a general off-diagonal block, and its 21 numbers."""
    root = rng.normal(size=(6, 6))
    return root @ root.T, pack_articulated(root @ root.T)


def pack_articulated(matrix: Array) -> Array:
    blocks = matrix[:3, :3][UPPER], matrix[:3, 3:].ravel(), matrix[3:, 3:][UPPER]
    return np.concatenate(blocks)


def clouds(rng: Rng) -> Iterator[Cloud]:
    return (Cloud.random(rng) for _ in SAMPLES)


# --- spatial inertia --------------------------------------------------------------------------------------


def test_01_the_inertia_matrix_is_that_of_a_point_cloud(fc: Compiled, rng: Rng) -> None:
    for cloud in clouds(rng):
        packed = cloud.inertia(fc)
        M = fc.call.inertia_to_matrix(packed).M
        close(fc, M, cloud.matrix, sizes(cloud.matrix), calls=2)
        np.testing.assert_array_equal(M, M.T)
        np.testing.assert_array_equal(fc.call.articulated_from_inertia(packed).IA_O, pack_articulated(M))


def test_02_kinetic_energy_is_that_of_the_particles(fc: Compiled, rng: Rng) -> None:
    for cloud in clouds(rng):
        v = rng.normal(size=6)
        energy = fc.call.inertia_kinetic_energy(cloud.inertia(fc), v).energy
        close(fc, energy, cloud.energy(v), sizes(cloud.matrix, v, v), calls=2)


def test_03_momentum_is_that_of_the_particles(fc: Compiled, rng: Rng) -> None:
    for cloud in clouds(rng):
        v, packed = rng.normal(size=6), cloud.inertia(fc)
        size = sizes(cloud.matrix, v)
        close(fc, fc.call.inertia_multiply(packed, v).f, cloud.momentum(v), size, calls=2)
        articulated = fc.call.articulated_from_inertia(packed).IA_O
        close(fc, fc.call.articulated_multiply(articulated, v).f, cloud.momentum(v), size, calls=2)


def test_04_reciprocity(fc: Compiled, rng: Rng) -> None:
    """u . (I v) = v . (I u), for rigid and for articulated inertias."""
    for cloud in clouds(rng):
        u, v = rng.normal(size=(2, 6))
        matrix, articulated = random_articulated(rng)
        for product, inertia, M in (
            (fc.call.inertia_multiply, cloud.inertia(fc), cloud.matrix),
            (fc.call.articulated_multiply, articulated, matrix),
        ):
            one = fc.call.motion_dot_force(u, product(inertia, v).f).power
            other = fc.call.motion_dot_force(v, product(inertia, u).f).power
            close(fc, one, other, sizes(M, u, v), calls=2)


def test_14_kinetic_energy_does_not_depend_on_the_frame(fc: Compiled, rng: Rng) -> None:
    for cloud in clouds(rng):
        T, v_B = Pose.random(rng), rng.normal(size=6)
        v_A = fc.call.motion_transform(T.packed, v_B).v_A
        energy, size = cloud.energy(v_B), sizes(cloud.matrix, v_B, v_B) * T.size**4
        moved = fc.call.inertia_transform(T.packed, cloud.inertia(fc)).I_A
        close(fc, fc.call.inertia_kinetic_energy(moved, v_A).energy, energy, size, calls=3)
        turned = fc.call.inertia_rotate(T.packed[:9], cloud.inertia(fc)).I_A
        stepped = fc.call.inertia_translate(T.packed[9:], turned).I_A
        close(fc, fc.call.inertia_kinetic_energy(stepped, v_A).energy, energy, size, calls=4)


def test_14_energy_of_an_articulated_body_does_not_depend_on_the_frame(fc: Compiled, rng: Rng) -> None:
    for _ in SAMPLES:
        T, v_B = Pose.random(rng), rng.normal(size=6)
        matrix, packed = random_articulated(rng)
        v_A = fc.call.motion_transform(T.packed, v_B).v_A
        force = fc.call.articulated_multiply(fc.call.articulated_transform(T.packed, packed).IA_A, v_A).f
        energy, size = v_B @ matrix @ v_B, sizes(matrix, v_B, v_B) * T.size**4
        close(fc, fc.call.motion_dot_force(v_A, force).power, energy, size, calls=4)


def test_15_inertias_go_round_trip_and_by_two_steps_as_by_one(fc: Compiled, rng: Rng) -> None:
    for cloud in clouds(rng):
        T_AB, T_BC = Pose.random(rng), Pose.random(rng)
        T_AC = fc.call.transform_compose(T_AB.packed, T_BC.packed).T_AC
        matrix, articulated = random_articulated(rng)
        for there, back, inertia, M in (
            (fc.call.inertia_transform, fc.call.inertia_transform_inverse, cloud.inertia(fc), cloud.matrix),
            (fc.call.articulated_transform, fc.call.articulated_transform_inverse, articulated, matrix),
        ):
            in_B = there(T_BC.packed, inertia)[0]
            two_steps = there(T_AB.packed, in_B)[0]
            size = sizes(M) * (T_AB.size * T_BC.size) ** 2
            close(fc, back(T_BC.packed, in_B)[0], inertia, size, calls=2)
            close(fc, two_steps, there(T_AC, inertia)[0], size, calls=4)
            close(fc, two_steps, back(fc.call.transform_inverse(T_AC).T_BA, inertia)[0], size, calls=5)


def test_15_translations_add(fc: Compiled, rng: Rng) -> None:
    for cloud in clouds(rng):
        a, b = rng.normal(size=(2, 3))
        I_O, move = cloud.inertia(fc), fc.call.inertia_translate
        size = sizes(cloud.matrix) * (2 + np.linalg.norm(a) + np.linalg.norm(b)) ** 2
        close(fc, move(a, move(b, I_O).I_A).I_A, move(a + b, I_O).I_A, size, calls=3)
        close(fc, move(a, I_O).I_A, Cloud(cloud.masses, cloud.points + a).inertia(fc), size, calls=3)


def test_16_at_the_centre_of_mass_h_vanishes_and_the_trace_is_least(fc: Compiled, rng: Rng) -> None:
    for cloud in clouds(rng):
        I_O, size = cloud.inertia(fc), sizes(cloud.matrix) * (2 + np.linalg.norm(cloud.centre)) ** 2
        central = fc.call.inertia_translate(-cloud.centre, I_O).I_A
        close(fc, central[1:4], np.zeros(3), size, calls=2)
        close(fc, central[4:], cloud.centred().tensor, size, calls=2)
        away = fc.call.inertia_translate(rng.normal(size=3), central).I_A
        assert away[[4, 7, 9]].sum() > central[[4, 7, 9]].sum()


def test_17_bodies_join_as_their_points_do(fc: Compiled, rng: Rng) -> None:
    for first in clouds(rng):
        second, T = Cloud.random(rng), Pose.random(rng)
        union = first.joined(second.seen_from(T))
        size = sizes(union.matrix) + sizes(second.matrix) * T.size**2
        I_1, I_2 = first.inertia(fc), fc.call.inertia_transform(T.packed, second.inertia(fc)).I_A
        close(
            fc, fc.call.inertia_to_matrix(fc.call.inertia_add(I_1, I_2).I_sum).M, union.matrix, size, calls=3
        )
        left = fc.call.inertia_subtract(union.inertia(fc), I_1).I_diff
        close(fc, fc.call.inertia_to_matrix(left).M, second.seen_from(T).matrix, size, calls=3)
        IA_1, IA_2 = (fc.call.articulated_from_inertia(i).IA_O for i in (I_1, I_2))
        for joined in (
            fc.call.articulated_add(IA_1, IA_2).IA_sum,
            fc.call.articulated_add_inertia(IA_1, I_2).IA_sum,
            fc.call.articulated_add(
                IA_1,
                fc.call.articulated_transform(
                    T.packed, fc.call.articulated_from_inertia(second.inertia(fc)).IA_O
                ).IA_A,
            ).IA_sum,
        ):
            close(fc, joined, pack_articulated(union.matrix), size, calls=3)


def test_18_sums_and_scales_distribute_over_products(fc: Compiled, rng: Rng) -> None:
    call = fc.call
    for first in clouds(rng):
        second, v, s = Cloud.random(rng), rng.normal(size=6), rng.normal()
        I_1, I_2 = first.inertia(fc), second.inertia(fc)
        both = call.inertia_add(call.inertia_scale(I_1, s).I_scaled, I_2).I_sum
        expected = s * first.momentum(v) + second.momentum(v)
        size = (abs(s) * sizes(first.matrix) + sizes(second.matrix)) * sizes(v)
        close(fc, call.inertia_multiply(both, v).f, expected, size, calls=3)
        IA, coupled = random_articulated(rng)
        joined = call.articulated_add_inertia(coupled, I_2).IA_sum
        expected = IA @ v + second.momentum(v)
        close(fc, call.articulated_multiply(joined, v).f, expected, (sizes(IA) + size) * sizes(v), calls=3)


def test_19_ten_distinct_numbers_are_moments_of_the_cloud(fc: Compiled, rng: Rng) -> None:
    for cloud in clouds(rng):
        m, (x, y, z) = cloud.masses, cloud.points.T
        moments = [1 + 0 * x, x, y, z, y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y]
        expected = np.array([m @ moment for moment in moments])
        array = fc.call.inertia_to_array(cloud.inertia(fc)).array
        close(fc, array, expected, sizes(cloud.matrix))
        np.testing.assert_array_equal(fc.call.inertia_from_array(array).I_O, array)
        assert len(set(array.tolist())) == 10


def turned_tensor(rng: Rng, moments: Any) -> Array:
    """A tensor of given principal moments, about random axes, packed."""
    R = random_rotation(rng).as_matrix()
    tensor: Array = (R @ np.diag(moments) @ R.T)[UPPER]
    return tensor


@pytest.mark.parametrize(
    ("moments", "status"),
    [
        pytest.param([2, 3, 4], 0, id="solid"),
        pytest.param([1, 2, 3], 0, id="flat: equality"),
        pytest.param([0, 2, 2], 0, id="rod: equality twice"),
        pytest.param([0, 0, 0], 0, id="point"),
        pytest.param([1, 2, 3.001], 8, id="violated"),
        pytest.param([0, 2, 2.001], 8, id="violated rod"),
        pytest.param([0, 0, 1], 8, id="one moment alone"),
        pytest.param([-0.001, 2, 2], 8, id="negative"),
    ],
)
def test_22_triangle_inequality(fc: Compiled, rng: Rng, moments: list[float], status: int) -> None:
    for _ in SAMPLES:
        tensor = turned_tensor(rng, moments)
        assert fc.call.inertia_from_com(2, rng.normal(size=3), tensor).status == status


def test_59_an_inertia_carried_along_changes_by_cross_products(fc: Compiled, rng: Rng) -> None:
    """d(I_A u)/dt = v x* (I_A u) - I_A (v x u) for fixed u, v the motion of B relative to A."""
    call = fc.call
    for cloud in clouds(rng):
        T, v_B, u = Pose.random(rng), rng.normal(size=6), rng.normal(size=6)
        v_A = call.motion_transform(T.packed, v_B).v_A
        matrix, articulated = random_articulated(rng)
        for move, product, inertia, M in (
            (call.inertia_transform, call.inertia_multiply, cloud.inertia(fc), cloud.matrix),
            (call.articulated_transform, call.articulated_multiply, articulated, matrix),
        ):

            def carried(t: float, move: Any = move, product: Any = product, inertia: Any = inertia) -> Any:
                return product(move(T.carried(v_B, t).packed, inertia)[0], u).f

            I_A = move(T.packed, inertia)[0]
            change = call.force_cross(v_A, product(I_A, u).f).v_x_f
            change = change - product(I_A, call.motion_cross(v_A, u).v_x_m).f
            close_slope(fc, carried, change, sizes(M, u) * T.size**4 * (1 + sizes(v_B)) ** 3)


def test_63_rank_says_what_the_body_is(fc: Compiled, rng: Rng) -> None:
    """A point mass has rank 3, a rod 5, a body 6; none has a negative eigenvalue."""
    for _ in SAMPLES:
        along, about = rng.normal(size=(2, 3))
        rod = about + np.outer(rng.normal(size=4), along)
        for points, rank in ((about[None], 3), (rod, 5), (rng.normal(size=(4, 3)), 6)):
            cloud = Cloud(rng.uniform(1, 2, len(points)), points)
            eigenvalues = np.linalg.eigvalsh(fc.call.inertia_to_matrix(cloud.inertia(fc)).M.astype(float))
            bound = ROUNDINGS * fc.eps * sizes(cloud.matrix)
            assert eigenvalues[0] > -bound
            assert (eigenvalues > bound).sum() == rank


def test_64_zero_is_neutral_and_stays_where_it_is(fc: Compiled, rng: Rng) -> None:
    zero, articulated_zero = np.zeros(10), np.zeros(21)
    for cloud in clouds(rng):
        T, v, I_O = Pose.random(rng).packed, rng.normal(size=6), cloud.inertia(fc)
        IA = fc.call.articulated_from_inertia(I_O).IA_O
        unchanged = [
            (fc.call.inertia_add(I_O, zero).I_sum, I_O),
            (fc.call.inertia_subtract(I_O, zero).I_diff, I_O),
            (fc.call.articulated_add(IA, articulated_zero).IA_sum, IA),
            (fc.call.articulated_add_inertia(IA, zero).IA_sum, IA),
            (fc.call.inertia_transform(T, zero).I_A, zero),
            (fc.call.inertia_transform_inverse(T, zero).I_B, zero),
            (fc.call.inertia_rotate(T[:9], zero).I_A, zero),
            (fc.call.inertia_translate(T[9:], zero).I_A, zero),
            (fc.call.inertia_scale(zero, 3).I_scaled, zero),
            (fc.call.articulated_transform(T, articulated_zero).IA_A, articulated_zero),
            (fc.call.articulated_transform_inverse(T, articulated_zero).IA_B, articulated_zero),
            (fc.call.inertia_multiply(zero, v).f, np.zeros(6)),
            (fc.call.inertia_bias_force(zero, v).f, np.zeros(6)),
            (fc.call.inertia_kinetic_energy(zero, v).energy, 0),
        ]
        for actual, expected in unchanged:
            np.testing.assert_array_equal(actual, expected)


# --- spatial vectors and poses ----------------------------------------------------------------------------


def test_05_power_does_not_depend_on_the_frame(fc: Compiled, rng: Rng) -> None:
    for _ in SAMPLES:
        T, (v, f) = Pose.random(rng), rng.normal(size=(2, 6))
        for there, push in (
            (fc.call.motion_transform, fc.call.force_transform),
            (fc.call.motion_transform_inverse, fc.call.force_transform_inverse),
        ):
            power = fc.call.motion_dot_force(there(T.packed, v)[0], push(T.packed, f)[0]).power
            close(fc, power, v @ f, sizes(v, f) * T.size**2, calls=3)


def test_06_a_material_point_has_one_velocity(fc: Compiled, rng: Rng) -> None:
    for _ in SAMPLES:
        T, v_B, points = Pose.random(rng), rng.normal(size=6), rng.normal(size=(4, 3))
        expected = T.rotation.apply(velocities(v_B, points))
        size = sizes(v_B) * T.size * (T.size + sizes(points))
        v_A = fc.call.motion_transform(T.packed, v_B).v_A
        close(fc, velocities(v_A, T.points(points)), expected, size)
        close(fc, fc.call.motion_transform_inverse(T.packed, v_A).v_B, v_B, size * T.size, calls=2)


def test_07_a_force_at_a_point_has_one_moment(fc: Compiled, rng: Rng) -> None:
    for _ in SAMPLES:
        T, (r, f) = Pose.random(rng), rng.normal(size=(2, 3))
        in_B = np.concatenate([np.cross(r, f), f])
        f_A = T.rotation.apply(f)
        in_A = np.concatenate([np.cross(T.points(r), f_A), f_A])
        size = sizes(f) * T.size * (T.size + sizes(r))
        close(fc, fc.call.force_transform(T.packed, in_B).f_A, in_A, size)
        close(fc, fc.call.force_transform_inverse(T.packed, in_A).f_B, in_B, size * T.size)


@pytest.mark.parametrize("kind", ["motion", "force"])
def test_08_transforms_compose(fc: Compiled, rng: Rng, kind: str) -> None:
    there = getattr(fc.call, f"{kind}_transform")
    back = getattr(fc.call, f"{kind}_transform_inverse")
    for _ in SAMPLES:
        T_AB, T_BC, u = Pose.random(rng), Pose.random(rng), rng.normal(size=6)
        T_AC = fc.call.transform_compose(T_AB.packed, T_BC.packed).T_AC
        size = sizes(u) * (T_AB.size * T_BC.size) ** 2
        two_steps = there(T_AB.packed, there(T_BC.packed, u)[0])[0]
        close(fc, two_steps, there(T_AC, u)[0], size, calls=3)
        close(fc, two_steps, back(fc.call.transform_inverse(T_AC).T_BA, u)[0], size, calls=4)


@pytest.mark.parametrize("kind", ["motion", "force"])
def test_09_10_transforms_change_by_cross_products(fc: Compiled, rng: Rng, kind: str) -> None:
    """d/dt X_AB u = X_AB (v_B x u), and with stars for forces."""
    transform, cross = getattr(fc.call, f"{kind}_transform"), getattr(fc.call, f"{kind}_cross")
    for _ in SAMPLES:
        T, v_B, u = Pose.random(rng), rng.normal(size=6), rng.normal(size=6)

        def carried(t: float, T: Pose = T, v_B: Array = v_B, u: Array = u) -> Any:
            return transform(T.carried(v_B, t).packed, u)[0]

        expected = transform(T.packed, cross(v_B, u)[0])[0]
        close_slope(fc, carried, expected, sizes(u) * T.size * (1 + sizes(v_B)) ** 3)


def test_11_motions_form_a_lie_algebra(fc: Compiled, rng: Rng) -> None:
    def cross(a: Array, b: Array) -> Array:
        result: Array = fc.call.motion_cross(a, b).v_x_m
        return result

    for _ in SAMPLES:
        a, b, c = rng.normal(size=(3, 6))
        close(fc, cross(a, b), -cross(b, a), sizes(a, b))
        close(fc, cross(a, a), np.zeros(6), sizes(a, a))
        jacobi = cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b))
        close(fc, jacobi, np.zeros(6), 2 * sizes(a, b, c), calls=6)


def test_12_cross_products_keep_power(fc: Compiled, rng: Rng) -> None:
    """(v x m) . f + m . (v x* f) = 0."""
    for _ in SAMPLES:
        v, m, f = rng.normal(size=(3, 6))
        one = fc.call.motion_dot_force(fc.call.motion_cross(v, m).v_x_m, f).power
        other = fc.call.motion_dot_force(m, fc.call.force_cross(v, f).v_x_f).power
        close(fc, one, -other, 2 * sizes(v, m, f), calls=2)


@pytest.mark.parametrize("kind", ["motion", "force"])
def test_13_cross_products_do_not_depend_on_the_frame(fc: Compiled, rng: Rng, kind: str) -> None:
    """X (a x b) = (X a) x (X b), and X* (a x* f) = (X a) x* (X* f)."""
    transform, cross = getattr(fc.call, f"{kind}_transform"), getattr(fc.call, f"{kind}_cross")
    for _ in SAMPLES:
        T, (a, b) = Pose.random(rng), rng.normal(size=(2, 6))
        moved = cross(fc.call.motion_transform(T.packed, a).v_A, transform(T.packed, b)[0])[0]
        size = sizes(a, b) * T.size**2
        close(fc, transform(T.packed, cross(a, b)[0])[0], moved, size, calls=3)


def test_44_poses_form_a_group_and_move_points(fc: Compiled, rng: Rng) -> None:
    compose, point = fc.call.transform_compose, fc.call.transform_point
    for _ in SAMPLES:
        A, B, C, r = *(Pose.random(rng) for _ in range(3)), rng.normal(size=3)
        size = A.size * B.size * C.size * (1 + sizes(r))
        close(fc, point(A.packed, np.zeros(3)).p_A, A.p, 1)
        close(fc, point(A.packed, r).p_A, A.points(r), size)
        close(fc, fc.call.transform_point_inverse(A.packed, A.points(r)).p_B, r, size * A.size)
        AB = compose(A.packed, B.packed).T_AC
        close(fc, point(AB, r).p_A, A.points(B.points(r)), size, calls=2)
        close(
            fc, compose(AB, C.packed).T_AC, compose(A.packed, compose(B.packed, C.packed).T_AC).T_AC, size, 4
        )
        inverse = fc.call.transform_inverse(A.packed).T_BA
        for product in (compose(A.packed, inverse).T_AC, compose(inverse, A.packed).T_AC):
            close(fc, product, IDENTITY_POSE, A.size**2, calls=2)


MIRROR = np.array([1, -1, 1])
"""Left and right exchanged. Polar vectors change by this; axial ones (rates, moments, angles) oppositely."""


def mirrored_signs() -> dict[str, Array]:
    tensor, axial_then_polar = np.outer(MIRROR, MIRROR), np.append(-MIRROR, MIRROR)
    packed = tensor[UPPER]
    return {
        "quat": np.array([1, -1, 1, -1]),
        "polar": MIRROR,
        "axial": -MIRROR,
        "mat3": tensor.ravel(),
        "transform": np.append(tensor, MIRROR),
        "motion": axial_then_polar,
        "force": axial_then_polar,
        "sym3": packed,
        "inertia": np.concatenate([[1], MIRROR, packed]),
        "articulated_inertia": np.concatenate([packed, -tensor.ravel(), packed]),
    }


AXIAL = {"w_B", "dw_B", "M_B", "rpy", "drpy"}


def mirror_of(argument: Any) -> Any:
    """The signs by which an argument's scalars change."""
    kind = re.sub(r"^fc_|_f\d\d$", "", argument["type"])
    if kind == "vec3":
        kind = "axial" if argument["name"] in AXIAL else "polar"
    return mirrored_signs().get(kind, 1)


@pytest.mark.parametrize(
    "kernel",
    [
        *("quat_multiply", "quat_rotate", "quat_rotate_inverse", "quat_to_dcm", "quat_to_dcm_unit"),
        *("dcm_to_quat", "quat_kinematics", "quat_from_rpy", "dcm_from_rpy", "rpy_from_dcm", "rpy_from_quat"),
        *("rpy_kinematics", "rpy_kinematics_inverse"),
        *("transform_point", "transform_point_inverse", "transform_compose", "transform_inverse"),
        *("motion_transform", "motion_transform_inverse", "force_transform", "force_transform_inverse"),
        *("motion_cross", "force_cross", "motion_dot_force"),
        *("inertia_multiply", "inertia_bias_force", "inertia_kinetic_energy"),
        *("inertia_transform", "inertia_transform_inverse", "inertia_rotate", "inertia_translate"),
        *("articulated_from_inertia", "articulated_add_inertia", "articulated_multiply"),
        *("articulated_transform", "articulated_transform_inverse"),
        *("rigid_body_dynamics_quat", "rigid_body_dynamics_rpy"),
    ],
)
def test_67_the_mirrored_world_obeys_the_same_laws(fc: Compiled, rng: Rng, kernel: str) -> None:
    """To the bit: a mirror changes signs only. (No input need be physical.)"""
    function = getattr(fc.call, kernel)
    inputs = [a for a in function.arguments if a["direction"] == "in"]
    outputs = [a for a in function.arguments if a["direction"] == "out"]
    counts = [np.size(mirror_of(a)) for a in inputs]
    for _ in SAMPLES:
        values = [rng.uniform(0.1, 1, n) if n > 1 else 0.7 for n in counts]
        mirrored = [v * mirror_of(a) for v, a in zip(values, inputs, strict=True)]
        for here, there, argument in zip(function(*values), function(*mirrored), outputs, strict=False):
            np.testing.assert_array_equal(here * mirror_of(argument), there)


# --- attitude ---------------------------------------------------------------------------------------------


def same_attitude(fc: Compiled, q: Array, expected: Array, calls: int = 1) -> None:
    """Quaternions of one attitude: equal up to their common sign."""
    close(fc, q if q @ expected > 0 else -q, expected, 1, calls)


def test_23_quaternions_act_as_scipy_says(fc: Compiled, rng: Rng) -> None:
    for _ in SAMPLES:
        rotation, v = random_rotation(rng), rng.normal(size=3)
        q = scalar_first(rotation)
        close(fc, fc.call.quat_rotate(q, v).v_A, rotation.apply(v), 4 * sizes(v))
        close(fc, fc.call.quat_rotate_inverse(q, v).v_B, rotation.inv().apply(v), 4 * sizes(v))
        close(fc, fc.call.quat_to_dcm_unit(q).R_AB, rotation.as_matrix(), 2)
        scaled = q * np.exp(rng.normal())
        close(fc, fc.call.quat_to_dcm(scaled).R_AB, rotation.as_matrix(), 2)
        close(fc, fc.call.quat_normalize(scaled).q_unit, q, 1)


def test_24_products_of_quaternions_are_products_of_rotations(fc: Compiled, rng: Rng) -> None:
    for _ in SAMPLES:
        p, q = random_rotation(rng), random_rotation(rng)
        scale = np.exp(rng.normal())
        product = fc.call.quat_multiply(scalar_first(p), scalar_first(q)).pq
        close(fc, fc.call.quat_to_dcm(product).R_AB, (p * q).as_matrix(), 2, calls=2)
        inverse = fc.call.quat_inverse(scale * scalar_first(q)).q_inv
        close(fc, fc.call.quat_multiply(inverse, scale * scalar_first(q)).pq, [1, 0, 0, 0], 1, calls=2)
        conjugate = fc.call.quat_conjugate(scalar_first(q)).q_conj
        close(fc, fc.call.quat_to_dcm(conjugate).R_AB, q.inv().as_matrix(), 2, calls=2)


@pytest.mark.parametrize("axis", [*EYE, [1, 1, 1], [1, -1, 0], [0.1, -0.2, 0.97]], ids=str)
@pytest.mark.parametrize("short_of", [np.pi, 2, 1, 1e-3, 1e-6, 1e-9, 0, -1e-6])
def test_25_matrices_and_quaternions_go_round_trip(fc: Compiled, axis: Array, short_of: float) -> None:
    """All four branches, near 180 degrees and at it."""
    unit = np.asarray(axis) / np.linalg.norm(axis)
    rotation = Rotation.from_rotvec((np.pi - short_of) * unit)
    q = fc.call.dcm_to_quat(rotation.as_matrix()).q_AB
    same_attitude(fc, q, scalar_first(rotation), calls=2)
    close(fc, fc.call.quat_to_dcm_unit(q).R_AB, rotation.as_matrix(), 2, calls=2)
    assert q[0] >= 0


def test_26_quaternion_rates_are_derivatives(fc: Compiled, rng: Rng) -> None:
    """SciPy's quaternion after a turn at the body rate, differenced in double."""
    for _ in SAMPLES:
        rotation, w = random_rotation(rng), rng.normal(size=3)

        def turned(t: float, rotation: Any = rotation, w: Array = w) -> Array:
            q = scalar_first(rotation * Rotation.from_rotvec(w * t))
            return q * np.sign(q @ scalar_first(rotation))

        dq = fc.call.quat_kinematics(scalar_first(rotation), w, 0).dq
        close(fc, dq, slope(turned, 1e-5), sizes(w), truncation=1e-9)


def test_27_rates_keep_the_norm_and_baumgarte_restores_it(fc: Compiled, rng: Rng) -> None:
    """q.q follows n(t) = 1 / (1 - (1 - 1/n0) exp(-2 b t)), from both sides."""
    rate = 1.5
    for norm in (0.8, 0.95, 1.05, 1.3):
        q, w = norm * scalar_first(random_rotation(rng)), rng.normal(size=3)
        close(fc, q @ fc.call.quat_kinematics(q, w, 0).dq, 0, sizes(q, q, w))

        def rates(x: Array, w: Array = w) -> Array:
            dq: Array = fc.call.quat_kinematics(x, w, rate).dq
            return dq

        end = integrate(rates, q, 1.0)
        expected = 1 / (1 - (1 - norm**-2) * np.exp(-2 * rate))
        close(fc, end @ end, expected, 2 * norm * sizes(w), calls=2, truncation=1e-7)


def test_28_angles_are_heading_elevation_and_bank(fc: Compiled, rng: Rng) -> None:
    """Where the nose points, and how the right wing hangs once the nose is level and north."""
    for phi, theta, psi in rng.uniform(-1.5, 1.5, (10, 3)):
        q = fc.call.quat_from_rpy([phi, theta, psi]).q_NB
        nose, wing = (fc.call.quat_rotate(q, axis).v_A for axis in EYE[:2])
        close(fc, np.arctan2(nose[1], nose[0]), psi, 4 / np.cos(theta), calls=2)
        close(fc, np.arcsin(np.clip(-nose[2], -1, 1)), theta, 4 / np.cos(theta), calls=2)
        level_right = np.array([-np.sin(psi), np.cos(psi), 0])
        level_down = np.cross(nose, level_right)
        close(fc, np.arctan2(wing @ level_down, wing @ level_right), phi, 8, calls=2)


def test_29_angles_quaternions_and_matrices_agree(fc: Compiled, rng: Rng) -> None:
    for angles in rng.uniform([-3, -1.4, -3], [3, 1.4, 3], (20, 3)):
        rotation = Rotation.from_euler("xyz", angles)
        q, R = fc.call.quat_from_rpy(angles).q_NB, fc.call.dcm_from_rpy(angles).R_NB
        same_attitude(fc, q, scalar_first(rotation), calls=2)
        close(fc, R, rotation.as_matrix(), 4)
        close(fc, fc.call.quat_to_dcm(q).R_AB, R, 4, calls=2)
        lever = 4 / np.cos(angles[1])  # an error of the matrix turns the level plane by this much more
        for back in (fc.call.rpy_from_dcm(R), fc.call.rpy_from_quat(q)):
            assert back.status == 0
            close(fc, back.rpy, angles, lever, calls=2)


def test_30_angle_rates_turn_the_matrix_at_the_body_rate(fc: Compiled, rng: Rng) -> None:
    """dR v / dt = R (w x v) along the angle rates."""
    for angles in rng.uniform([-3, -1.2, -3], [3, 1.2, 3], (10, 3)):
        w, v = rng.normal(size=(2, 3))
        result = fc.call.rpy_kinematics(angles, w)
        rates = result.drpy

        def seen(t: float, angles: Array = angles, rates: Array = rates, v: Array = v) -> Any:
            return fc.call.dcm_from_rpy(angles + t * rates).R_NB.reshape(3, 3) @ v

        assert result.status == 0
        expected = Rotation.from_euler("xyz", angles).apply(np.cross(w, v))
        close_slope(fc, seen, expected, sizes(v) * (1 + sizes(rates)) ** 3)
        back = fc.call.rpy_kinematics_inverse(angles, rates).w_B
        close(fc, back, w, 4 * sizes(w) / np.cos(angles[1]), calls=2)


# --- a body in flight -------------------------------------------------------------------------------------


def integrate(rates: Callable[[Array], Array], state: Any, duration: float, steps: int = 80) -> Array:
    """Runge and Kutta's fourth order, in double."""
    x, h = np.asarray(state, float), duration / steps
    for _ in range(steps):
        k1 = rates(x)
        k2 = rates(x + h / 2 * k1)
        k3 = rates(x + h / 2 * k2)
        k4 = rates(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


TRUNCATION = 1e-7
"""Of `integrate` over a second, for rates of up to about 3 rad/s and states of order 1 to 10."""

Wrench = Callable[[Any], tuple[Array, Array]]


def no_force(attitude: Any) -> tuple[Array, Array]:
    return np.zeros(3), np.zeros(3)


@dataclass(frozen=True)
class Flight:
    """A body about its centre of mass; a state is p_N, q_NB, v_B, w_B, and two integrals over time."""

    fc: Compiled
    cloud: Cloud
    wrench: Wrench = no_force

    @property
    def J(self) -> Array:
        return self.cloud.matrix[:3, :3]

    def rates(self, state: Array) -> Array:
        p, q, v, w, _ = np.split(state, [3, 7, 10, 13])
        attitude = Rotation.from_quat(np.roll(q, -1))
        F, M = self.wrench(attitude)
        result = self.fc.call.rigid_body_dynamics_quat(
            p, q, v, w, F, M, self.cloud.mass, self.cloud.tensor, 0
        )
        assert result.status == 0
        return np.concatenate([*result[:4], attitude.apply(F), attitude.apply(M)])

    def flown(self, state: Array, duration: float = 1.0) -> Array:
        return integrate(self.rates, state, duration)

    def momenta(self, state: Array) -> tuple[Array, Array]:
        """Momentum and angular momentum about the centre of mass, in N."""
        attitude = Rotation.from_quat(np.roll(state[3:7], -1))
        v, w = state[7:10], state[10:13]
        return attitude.apply(self.cloud.mass * v), attitude.apply(self.J @ w)

    def energy(self, state: Array) -> float:
        motion = np.append(state[10:13], state[7:10])
        return self.cloud.energy(motion)

    def size(self, state: Array) -> float:
        """A bound of momenta and energy over a second: inertia times rates, forces included."""
        return float(sizes(self.cloud.matrix) * np.linalg.cond(self.J) * (1 + sizes(state)) ** 2)


def launch(rng: Rng) -> Array:
    """A state in flight."""
    p, v, w = rng.normal(size=(3, 3))
    return np.concatenate([p, scalar_first(random_rotation(rng)), v, w, np.zeros(6)])


def test_31_angles_and_quaternions_fly_the_same_way(fc: Compiled, rng: Rng) -> None:
    F, M = rng.normal(size=(2, 3))
    flight = Flight(fc, Cloud.random(rng).centred(), lambda attitude: (F, M))
    angles, start = np.array([0.3, -0.2, 0.5]), launch(rng)
    start[3:7] = scalar_first(Rotation.from_euler("xyz", angles))

    def rates(x: Array) -> Array:
        p, rpy, v, w = np.split(x, 4)
        result = fc.call.rigid_body_dynamics_rpy(p, rpy, v, w, F, M, flight.cloud.mass, flight.cloud.tensor)
        assert result.status == 0
        return np.concatenate(result[:4])

    by_quat = flight.flown(start, 0.6)
    by_rpy = integrate(rates, np.concatenate([start[:3], angles, start[7:13]]), 0.6)
    size = flight.size(start)
    close(
        fc, by_rpy[[0, 1, 2, *range(6, 12)]], by_quat[[0, 1, 2, *range(7, 13)]], size, truncation=TRUNCATION
    )
    R = Rotation.from_quat(np.roll(by_quat[3:7], -1)).as_matrix()
    close(fc, Rotation.from_euler("xyz", by_rpy[3:6]).as_matrix(), R, size, truncation=TRUNCATION)


def test_32_a_free_body_keeps_momenta_and_energy_and_flies_straight(fc: Compiled, rng: Rng) -> None:
    for _ in range(3):
        flight, start = Flight(fc, Cloud.random(rng).centred()), launch(rng)
        end = flight.flown(start)
        for before, after in zip(flight.momenta(start), flight.momenta(end), strict=True):
            close(fc, after, before, flight.size(start), truncation=TRUNCATION)
        close(fc, flight.energy(end), flight.energy(start), flight.size(start), truncation=TRUNCATION)
        velocity = flight.momenta(start)[0] / flight.cloud.mass
        close(fc, end[:3], start[:3] + velocity, flight.size(start), truncation=TRUNCATION)


def test_32_forces_and_moments_change_momenta_by_their_impulse(fc: Compiled, rng: Rng) -> None:
    """Thrust and moment fixed in the body, summed up in N along the flight."""
    for _ in range(3):
        F, M = rng.normal(size=(2, 3))
        flight = Flight(fc, Cloud.random(rng).centred(), lambda attitude, F=F, M=M: (F, M))  # type: ignore[misc]
        start = launch(rng)
        end = flight.flown(start)
        size = flight.size(start) * (1 + sizes(F) + sizes(M))
        for before, after, impulse in zip(
            flight.momenta(start), flight.momenta(end), (end[13:16], end[16:19]), strict=True
        ):
            close(fc, after, before + impulse, size, truncation=10 * TRUNCATION)


def test_33_a_spinning_projectile_flies_a_parabola(fc: Compiled, rng: Rng) -> None:
    for _ in range(3):
        cloud = Cloud.random(rng).centred()

        def weight(attitude: Any, m: float = cloud.mass) -> tuple[Array, Array]:
            return attitude.inv().apply(m * G_N), np.zeros(3)

        flight, start = Flight(fc, cloud, weight), launch(rng)
        velocity = flight.momenta(start)[0] / cloud.mass
        end, size = flight.flown(start), flight.size(start) + 10
        close(fc, end[:3], start[:3] + velocity + G_N / 2, size, truncation=10 * TRUNCATION)
        close(fc, flight.momenta(end)[0] / cloud.mass, velocity + G_N, size, truncation=10 * TRUNCATION)


def test_34_power_feeds_kinetic_energy(fc: Compiled, rng: Rng) -> None:
    """dT/dt = F . v + M . w."""
    for cloud in (c.centred() for c in clouds(rng)):
        state, (F, M) = launch(rng), rng.normal(size=(2, 3))
        flight = Flight(fc, cloud, lambda attitude, F=F, M=M: (F, M))  # type: ignore[misc]
        v, w = state[7:10], state[10:13]
        rates = flight.rates(state)
        fed = cloud.mass * v @ rates[7:10] + w @ flight.J @ rates[10:13]
        close(fc, fed, F @ v + M @ w, flight.size(state) * (1 + sizes(F) + sizes(M)))


def test_35_a_boost_changes_nothing_but_the_velocity(fc: Compiled, rng: Rng) -> None:
    F, M, boost = rng.normal(size=(3, 3))
    flight, start = Flight(fc, Cloud.random(rng).centred(), lambda attitude: (F, M)), launch(rng)
    boosted = start.copy()
    boosted[7:10] += Rotation.from_quat(np.roll(start[3:7], -1)).inv().apply(boost)
    slow, fast = flight.flown(start), flight.flown(boosted)
    size = flight.size(boosted)
    close(fc, fast[:3], slow[:3] + boost, size, truncation=TRUNCATION)
    close(fc, fast[3:7], slow[3:7], size, truncation=TRUNCATION)
    close(fc, fast[10:13], slow[10:13], size, truncation=TRUNCATION)


def test_36_other_body_axes_change_nothing_physical(fc: Compiled, rng: Rng) -> None:
    for cloud in (c.centred() for c in clouds(rng)):
        turn, attitude, (v, w, F, M) = random_rotation(rng), random_rotation(rng), rng.normal(size=(4, 3))

        def rates(
            turn: Any, cloud: Cloud = cloud, attitude: Any = attitude, vectors: Any = (v, w, F, M)
        ) -> Any:
            """The rates of position and velocities in N, of the same body in turned axes."""
            axes, body = turn.inv(), cloud.seen_from(Pose(turn.inv(), np.zeros(3)))
            result = fc.call.rigid_body_dynamics_quat(
                np.zeros(3),
                scalar_first(attitude * turn),
                *(axes.apply(x) for x in vectors),
                body.mass,
                body.tensor,
                0,
            )
            assert result.status == 0
            return [result.dp_N, *((attitude * turn).apply(x) for x in (result.dv_B, result.dw_B))]

        size = sizes(cloud.matrix) * np.linalg.cond(cloud.matrix) * (1 + sizes([v, w, F, M])) ** 2
        close(fc, rates(turn), rates(Rotation.identity()), size, calls=2)


def test_60_spatial_newton_euler_is_the_six_degree_of_freedom_model(fc: Compiled, rng: Rng) -> None:
    """I a + v x* I v = f with a = [dw; dv], at the centre of mass and at any other point of the body."""
    call = fc.call
    for cloud in (c.centred() for c in clouds(rng)):
        v, w, F, M = rng.normal(size=(4, 3))
        motion, force, T = np.append(w, v), np.append(M, F), Pose.random(rng)
        rates = call.rigid_body_dynamics_quat(
            np.zeros(3), [1, 0, 0, 0], v, w, F, M, cloud.mass, cloud.tensor, 0
        )
        acceleration = np.append(rates.dw_B, rates.dv_B)
        I_P = call.inertia_transform(T.packed, cloud.inertia(fc)).I_A
        v_P, a_P = (call.motion_transform(T.packed, x).v_A for x in (motion, acceleration))
        needed = call.inertia_multiply(I_P, a_P).f + call.inertia_bias_force(I_P, v_P).f
        size = sizes(cloud.matrix) * T.size**4 * (sizes(acceleration) + sizes(motion) ** 2)
        size *= np.linalg.cond(cloud.matrix[:3, :3])
        close(fc, needed, call.force_transform(T.packed, force).f_A, size, calls=4)
        crossed = call.force_cross(v_P, call.inertia_multiply(I_P, v_P).f).v_x_f
        close(fc, call.inertia_bias_force(I_P, v_P).f, crossed, size, calls=2)


# --- articulated mechanisms: recursions over the kernels against plain geometry ---------------------------


@dataclass(frozen=True)
class Joint:
    """A body, its joint's fixed place in the parent, and the axis it turns about or slides along."""

    parent: int
    place: Pose
    axis: Array
    turns: bool
    cloud: Cloud

    @property
    def subspace(self) -> Array:
        zero = np.zeros(3)
        return np.append(self.axis, zero) if self.turns else np.append(zero, self.axis)

    def pose(self, q: float) -> Pose:
        if self.turns:
            return Pose(Rotation.from_rotvec(q * self.axis), np.zeros(3))
        return Pose(Rotation.identity(), q * self.axis)

    def moved(self, q: Any, points: Array) -> Array:
        """Points of the body seen from the parent, for complex q too."""
        if self.turns:
            points = points @ expm(q * np.cross(EYE, self.axis)).T
        else:
            points = points + q * self.axis
        return points @ self.place.rotation.as_matrix().T + self.place.p


@dataclass(frozen=True)
class Geometry:
    """A mechanism as point masses that joints move. No spatial algebra."""

    joints: tuple[Joint, ...]

    def points(self, q: Array) -> Array:
        return np.vstack([self._carried(i, q) for i in range(len(self.joints))])

    def _carried(self, body: int, q: Array) -> Array:
        points = self.joints[body].cloud.points
        while body >= 0:
            points = self.joints[body].moved(q[body], points)
            body = self.joints[body].parent
        return points

    @property
    def masses(self) -> Array:
        return np.concatenate([joint.cloud.masses for joint in self.joints])

    def jacobian(self, q: Array) -> Array:
        """Of all points, by the complex step, which has no cancellation."""
        step = 1e-30
        columns = [self.points(q + 1j * step * unit).imag / step for unit in np.eye(len(q))]
        return np.stack(columns, axis=-1)

    def mass_matrix(self, q: Array) -> Array:
        J = self.jacobian(q)
        matrix: Array = np.einsum("pki,pkj,p->ij", J, J, self.masses)
        return matrix

    def energy(self, q: Array, dq: Array) -> float:
        return float(self.masses @ ((self.jacobian(q) @ dq) ** 2).sum(axis=1) / 2)

    def potential(self, q: Array) -> float:
        return float(-self.masses @ self.points(q) @ G_N)

    def gravity_torque(self, q: Array) -> Array:
        """The gradient of the potential, by central differences in double."""
        return np.array([slope(lambda t, u=u: self.potential(q + t * u), 1e-5) for u in np.eye(len(q))])  # type: ignore[misc]

    def mass_matrix_slopes(self, q: Array) -> Array:
        """dH / dq_k for each k."""
        return np.array([slope(lambda t, u=u: self.mass_matrix(q + t * u), 1e-5) for u in np.eye(len(q))])  # type: ignore[misc]

    def christoffel_torque(self, q: Array, dq: Array) -> Array:
        dH = self.mass_matrix_slopes(q)
        torque: Array = np.einsum("kij,j,k->i", dH, dq, dq) - np.einsum("ijk,j,k->i", dH, dq, dq) / 2
        return torque

    def size(self, dq: Array, ddq: Array) -> float:
        """A bound of the torques' terms: mass times reach squared times accelerations."""
        reach = 1 + sum(np.abs(j.cloud.points).max() + j.place.size for j in self.joints)
        return float(self.masses.sum() * reach**2 * (10 + sizes(ddq) + sizes(dq) ** 2))


def random_mechanism(rng: Rng) -> Geometry:
    """Five bodies in a tree, with turning and sliding joints about skew axes."""

    def joint(parent: int, turns: bool) -> Joint:
        axis = rng.normal(size=3)
        place = Pose(random_rotation(rng), 0.4 * rng.normal(size=3))
        return Joint(parent, place, axis / np.linalg.norm(axis), turns, Cloud.random(rng, 4, 0.4))

    parents = [(-1, True), (0, True), (1, False), (1, True), (3, True)]
    return Geometry(tuple(joint(parent, turns) for parent, turns in parents))


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

    def velocities(self, q: Array, dq: Array) -> list[Array]:
        moving: list[Array] = []
        for joint, T, rate in zip(self.geometry.joints, self.poses(q), dq, strict=True):
            v = moving[joint.parent] if joint.parent >= 0 else np.zeros(6)
            moving.append(self.fc.call.motion_transform_inverse(T, v).v_B + joint.subspace * rate)
        return moving

    def inverse_dynamics(self, q: Array, dq: Array, ddq: Array, g: Array) -> Array:
        """RNEA: the torques that give these accelerations."""
        call, joints, poses = self.fc.call, self.geometry.joints, self.poses(q)
        velocity, acceleration, force = self.velocities(q, dq), [], []
        for i, joint in enumerate(joints):
            a = acceleration[joint.parent] if joint.parent >= 0 else np.append(np.zeros(3), -g)
            S, I_O = joint.subspace, self.inertias[i]
            coriolis = call.motion_cross(velocity[i], S * dq[i]).v_x_m
            acceleration.append(call.motion_transform_inverse(poses[i], a).v_B + S * ddq[i] + coriolis)
            bias = call.inertia_bias_force(I_O, velocity[i]).f
            force.append(call.inertia_multiply(I_O, acceleration[i]).f + bias)
        for i in reversed(range(len(joints))):
            if joints[i].parent >= 0:
                force[joints[i].parent] += call.force_transform(poses[i], force[i]).f_A
        return np.array(
            [call.motion_dot_force(j.subspace, f).power for j, f in zip(joints, force, strict=True)]
        )

    def mass_matrix(self, q: Array) -> Array:
        """CRBA."""
        call, joints, poses = self.fc.call, self.geometry.joints, self.poses(q)
        composite, H = list(self.inertias), np.zeros((len(joints), len(joints)))
        for i in reversed(range(len(joints))):
            j, force = i, call.inertia_multiply(composite[i], joints[i].subspace).f
            H[i, i] = call.motion_dot_force(joints[i].subspace, force).power
            while joints[j].parent >= 0:
                force = call.force_transform(poses[j], force).f_A
                j = joints[j].parent
                H[i, j] = H[j, i] = call.motion_dot_force(joints[j].subspace, force).power
            if joints[i].parent >= 0:
                carried = call.inertia_transform(poses[i], composite[i]).I_A
                parent = joints[i].parent
                composite[parent] = call.inertia_add(composite[parent], carried).I_sum
        return H

    def forward_dynamics(self, q: Array, dq: Array, torque: Array, g: Array) -> Array:
        """ABA: the accelerations that these torques give."""
        call, joints, poses = self.fc.call, self.geometry.joints, self.poses(q)
        velocity, count = self.velocities(q, dq), len(joints)
        coriolis = [
            call.motion_cross(v, j.subspace * rate).v_x_m
            for v, j, rate in zip(velocity, joints, dq, strict=True)
        ]
        hanging = [np.zeros(21)] * count
        bias = [call.inertia_bias_force(i, v).f for i, v in zip(self.inertias, velocity, strict=True)]
        U, D, u = [np.zeros(6)] * count, np.zeros(count), np.zeros(count)
        for i in reversed(range(count)):
            S = joints[i].subspace
            IA = call.articulated_add_inertia(hanging[i], self.inertias[i]).IA_sum
            U[i] = call.articulated_multiply(IA, S).f
            D[i] = call.motion_dot_force(S, U[i]).power
            u[i] = torque[i] - call.motion_dot_force(S, bias[i]).power
            parent = joints[i].parent
            if parent >= 0:
                yielding = pack_articulated(-np.outer(U[i], U[i]) / D[i])
                Ia = call.articulated_add(IA, yielding).IA_sum
                pa = bias[i] + call.articulated_multiply(Ia, coriolis[i]).f + U[i] * u[i] / D[i]
                carried = call.articulated_transform(poses[i], Ia).IA_A
                hanging[parent] = call.articulated_add(hanging[parent], carried).IA_sum
                bias[parent] = bias[parent] + call.force_transform(poses[i], pa).f_A
        acceleration: list[Array] = []
        result = np.zeros(count)
        for i, joint in enumerate(joints):
            a = acceleration[joint.parent] if joint.parent >= 0 else np.append(np.zeros(3), -g)
            a = call.motion_transform_inverse(poses[i], a).v_B + coriolis[i]
            result[i] = (u[i] - call.motion_dot_force(a, U[i]).power) / D[i]
            acceleration.append(a + joint.subspace * result[i])
        return result


CHAIN = 5 * 6
"""Kernels called one on another's result along a branch, there and back."""

DIFFERENCES = 1e-7
"""Error of differences of the geometry in double with steps of 1e-5, of forces of up to about 100."""

NO_GRAVITY = np.zeros(3)


@pytest.fixture(params=range(2))
def mechanism(fc: Compiled, request: pytest.FixtureRequest) -> Recursions:
    return Recursions(fc, random_mechanism(np.random.default_rng(request.param)))


@pytest.fixture
def moving(rng: Rng) -> tuple[Array, Array, Array]:
    """Joint positions, rates and accelerations."""
    return rng.uniform(-2, 2, 5), rng.normal(size=5), rng.normal(size=5)


Moving = tuple[Array, Array, Array]


def test_45_forward_and_inverse_dynamics_and_the_mass_matrix_agree(
    fc: Compiled, mechanism: Recursions, moving: Moving
) -> None:
    q, dq, ddq = moving
    size = mechanism.geometry.size(dq, ddq)
    torque = mechanism.inverse_dynamics(q, dq, ddq, G_N)
    bias = mechanism.inverse_dynamics(q, dq, 0 * ddq, G_N)
    H = mechanism.mass_matrix(q)
    close(fc, H @ ddq + bias, torque, size, calls=CHAIN)
    eigenvalues = np.linalg.eigvalsh(H)
    assert eigenvalues[0] > 0
    back = mechanism.forward_dynamics(q, dq, torque, G_N)
    close(fc, back, ddq, size / eigenvalues[0], calls=CHAIN)


def test_46_the_mass_matrix_measures_the_energy_of_the_points(
    fc: Compiled, mechanism: Recursions, moving: Moving
) -> None:
    q, dq, _ = moving
    geometry = mechanism.geometry
    size, energy = geometry.size(dq, dq), geometry.energy(q, dq)
    close(fc, dq @ mechanism.mass_matrix(q) @ dq / 2, energy, size, calls=CHAIN)
    kinetic = fc.call.inertia_kinetic_energy
    pairs = zip(mechanism.inertias, mechanism.velocities(q, dq), strict=True)
    close(fc, sum(float(kinetic(i, v).energy) for i, v in pairs), energy, size, calls=CHAIN)


def test_47_at_rest_torques_hold_the_weight(fc: Compiled, mechanism: Recursions, moving: Moving) -> None:
    q, rest = moving[0], np.zeros(5)
    torque = mechanism.inverse_dynamics(q, rest, rest, G_N)
    size = mechanism.geometry.size(rest, rest)
    close(fc, torque, mechanism.geometry.gravity_torque(q), size, calls=CHAIN, truncation=DIFFERENCES)


def test_48_a_swinging_mechanism_keeps_its_energy(
    fc: Compiled, mechanism: Recursions, moving: Moving
) -> None:
    geometry = mechanism.geometry

    def rates(state: Array) -> Array:
        q, dq = np.split(state, 2)
        return np.append(dq, mechanism.forward_dynamics(q, dq, np.zeros(5), G_N))

    def energy(state: Array) -> float:
        q, dq = np.split(state, 2)
        return geometry.energy(q, dq) + geometry.potential(q)

    start = np.append(moving[0], moving[1])
    end = integrate(rates, start, 0.2, steps=40)
    size = geometry.size(moving[1], moving[2])
    assert abs(geometry.potential(end[:5]) - geometry.potential(start[:5])) > 0.05
    close(fc, energy(end), energy(start), size, calls=CHAIN, truncation=1e-5)


def test_49_coriolis_torques_do_no_work(fc: Compiled, mechanism: Recursions, moving: Moving) -> None:
    """dq^T (dH/dt) dq = 2 dq^T c."""
    q, dq, ddq = moving
    c = mechanism.inverse_dynamics(q, dq, 0 * ddq, NO_GRAVITY)
    H_rate = np.einsum("kij,k->ij", mechanism.geometry.mass_matrix_slopes(q), dq)
    size = mechanism.geometry.size(dq, ddq) * sizes(dq)
    close(fc, 2 * dq @ c, dq @ H_rate @ dq, size, calls=CHAIN, truncation=DIFFERENCES)


def test_50_motion_run_backward_takes_the_same_torques(
    fc: Compiled, mechanism: Recursions, moving: Moving
) -> None:
    q, dq, ddq = moving
    forward, backward = (mechanism.inverse_dynamics(q, rate, ddq, G_N) for rate in (dq, -dq))
    close(fc, backward, forward, mechanism.geometry.size(dq, ddq), calls=CHAIN)


def test_51_a_physical_pendulum(fc: Compiled, rng: Rng) -> None:
    """ddq = -(m g l / I) sin(angle from the vertical), I about the axle, from distances alone."""
    place = Pose(random_rotation(rng), rng.normal(size=3))
    axle = np.array([0.0, 1, 0])
    level = Pose(Rotation.identity(), place.p)
    cloud = Cloud.random(rng)
    pendulum = Recursions(fc, Geometry((Joint(-1, level, axle, True, cloud),)))
    x, z = cloud.centre[[0, 2]]
    about_axle = cloud.masses @ (cloud.points[:, [0, 2]] ** 2).sum(axis=1)
    strength = cloud.mass * G_N[2] * np.hypot(x, z) / about_axle
    for q in np.linspace(-3, 3, 13):
        from_below = q + np.arctan2(-x, z) + 0.0  # turning about y takes z to x, and down is z
        expected = -strength * np.sin(-from_below) * -1
        angle, still = np.array([q]), np.zeros(1)
        actual = pendulum.forward_dynamics(angle, still, still, G_N)
        close(fc, actual, expected, sizes(cloud.matrix) * 10 / about_axle, calls=4)


def test_61_bias_torques_are_those_of_the_christoffel_symbols(
    fc: Compiled, mechanism: Recursions, moving: Moving
) -> None:
    """The only test that sees v x* I v left out of forward and inverse dynamics alike."""
    q, dq, ddq = moving
    c = mechanism.inverse_dynamics(q, dq, 0 * ddq, NO_GRAVITY)
    size, expected = mechanism.geometry.size(dq, ddq), mechanism.geometry.christoffel_torque(q, dq)
    close(fc, c, expected, size, calls=CHAIN, truncation=DIFFERENCES)
    accelerations = mechanism.forward_dynamics(q, dq, np.zeros(5), NO_GRAVITY)
    H = mechanism.geometry.mass_matrix(q)
    least = np.linalg.eigvalsh(H)[0]
    close(
        fc,
        accelerations,
        np.linalg.solve(H, -expected),
        size / least,
        calls=CHAIN,
        truncation=DIFFERENCES / least,
    )


# --- completeness -----------------------------------------------------------------------------------------


def test_every_identity_is_tested_here_or_named_as_later() -> None:
    here = {
        n
        for name in globals()
        for found in re.findall(r"^test((?:_\d\d)+)_", name)
        for n in found[1:].split("_")
    }
    assert here.isdisjoint(LATER)
    assert sorted(here | set(LATER)) == [f"{n:02}" for n in range(1, 69)]
