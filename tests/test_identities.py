"""Identities that rigid-body mathematics owes to physics and geometry, held by the compiled core kernels.

Each test is named after its number in the table of 68 identities. What a kernel is compared with is built
from something else than its formula: point masses, material points, motion in the inertial frame, SciPy's
rotations, energy, or derivatives of plain geometry. Everything runs in double and in float, on three scenes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.transform import Rotation

from tests.conftest import Compiled

LATER = {
    "20": "linear-first packings: inertia_to_matrix_linear_first, central_*",
    "21": "KSL's M_ff: inertia_to_matrix_linear_first, central_transform",
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
    "66": "contact_delassus, contact_solve_pgs, contact_solve_apgd",
    "68": "contact_jacobian",
}
"""Identities of kernels outside the core, and the kernels that owe them."""

Array = npt.NDArray[Any]
Rng = np.random.Generator
EYE = np.eye(3)
UPPER = np.triu_indices(3)
ZERO = np.zeros(3)
G_N = np.array([0, 0, 9.81])

ROUNDINGS = 4
"""A kernel sums at most about twenty products of two or three rounded numbers. Its error stays below this
many eps times the sum of the products' magnitudes (their roundings partly cancel), which a test bounds by
norms of what goes in and of what passes from kernel to kernel: its `size`."""


@pytest.fixture(params=range(3))
def rng(request: pytest.FixtureRequest) -> Rng:
    """Three scenes, the same in every run."""
    return np.random.default_rng([20080131, request.param])


def close(
    fc: Compiled, actual: Any, expected: Any, size: float, calls: int = 1, truncation: float = 0
) -> None:
    """Equal to ROUNDINGS eps of the size for each kernel in the chain, and the truncation of a method."""
    bound = ROUNDINGS * calls * fc.eps * size + truncation
    np.testing.assert_allclose(np.ravel(actual), np.ravel(expected), rtol=0, atol=bound)


def same(actual: Any, expected: Any) -> None:
    """Equal to the bit, but for the sign of zero."""
    np.testing.assert_array_equal(actual, expected)


def norm(*factors: Any) -> float:
    """The product of norms: a bound of the terms of a product of vectors and matrices."""
    return float(np.prod([np.linalg.norm(f) for f in factors]))


def slope(f: Callable[[float], Any], h: float = 1e-5) -> Array:
    """Central difference at 0."""
    difference: Array = (np.asarray(f(h), float) - np.asarray(f(-h), float)) / (2 * h)
    return difference


def gradient(f: Callable[[Array], Any], q: Array) -> Array:
    """Central differences along each coordinate."""

    def along(unit: Array) -> Array:
        return slope(lambda t: f(q + t * unit))

    return np.array([along(unit) for unit in np.eye(len(q))])


def close_slope(fc: Compiled, f: Callable[[float], Any], expected: Any, size: float) -> None:
    """Equal to a difference of kernels with a step h = eps^(1/3).

    It errs by h^2 / 6 of the third derivative, which at rates of 1 rad/s and 1 m/s is up to about eight times
    the value, and by eps / h = h^2 of the value for each rounding.
    """
    h = float(np.cbrt(fc.eps))
    close(fc, slope(f, h), expected, 0, truncation=2 * ROUNDINGS * h**2 * size)


# --- what kernels are compared with -----------------------------------------------------------------------


def random_rotation(rng: Rng) -> Any:
    return Rotation.from_quat(rng.normal(size=4))


def random_unit(rng: Rng, count: int) -> Array:
    v = rng.normal(size=count)
    unit: Array = v / norm(v)
    return unit


def scalar_first(rotation: Any) -> Array:
    """SciPy's quaternion, which is scalar-last, in our order."""
    return np.roll(rotation.as_quat(), 1)


def attitude_of(q: Array) -> Any:
    """A quaternion of ours as a SciPy rotation."""
    return Rotation.from_quat(np.roll(q, -1))


@dataclass(frozen=True)
class Pose:
    """Where B is in A: a SciPy rotation and a position."""

    rotation: Any
    p: Array

    @classmethod
    def random(cls, rng: Rng) -> Pose:
        return cls(random_rotation(rng), rng.normal(size=3))

    @property
    def packed(self) -> Array:
        return np.append(self.rotation.as_matrix(), self.p)

    @property
    def size(self) -> float:
        """A bound of the norms of its Plücker matrices."""
        return 1 + norm(self.p)

    def points(self, r: Array) -> Array:
        moved: Array = self.rotation.apply(r) + self.p
        return moved

    def carried(self, v_B: Array, t: float) -> Pose:
        """The pose after a time t, right to first order, when B moves at v_B relative to A."""
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
    def size(self) -> float:
        return norm(self.matrix)

    @property
    def tensor(self) -> Array:
        """The inertia about the origin, packed."""
        return self.matrix[:3, :3][UPPER]

    @property
    def stiffness(self) -> float:
        """How much solving with the tensor magnifies errors."""
        return float(np.linalg.cond(self.matrix[:3, :3]))

    def seen_from(self, pose: Pose) -> Cloud:
        return Cloud(self.masses, pose.points(self.points))

    def joined(self, other: Cloud) -> Cloud:
        return Cloud(np.append(self.masses, other.masses), np.vstack([self.points, other.points]))

    def centred(self) -> Cloud:
        return Cloud(self.masses, self.points - self.centre)

    def momentum(self, motion: Array) -> Array:
        p = self.masses[:, None] * velocities(motion, self.points)
        return np.append(np.cross(self.points, p).sum(axis=0), p.sum(axis=0))

    def energy(self, motion: Array) -> float:
        return float(self.masses @ (velocities(motion, self.points) ** 2).sum(axis=1) / 2)

    def inertia(self, fc: Compiled) -> Array:
        """Its ten numbers, as the library makes them of mass, centre and central inertia."""
        result = fc.call.inertia_from_com(self.mass, self.centre, self.centred().tensor)
        assert result.status == 0
        packed: Array = result.I_O
        return packed


def pack_articulated(matrix: Array) -> Array:
    """The 21 numbers of a symmetric 6x6 matrix."""
    return np.concatenate([matrix[:3, :3][UPPER], matrix[:3, 3:].ravel(), matrix[3:, 3:][UPPER]])


def random_articulated(rng: Rng) -> Array:
    """A symmetric positive 6x6 matrix with a general off-diagonal block."""
    root = rng.normal(size=(6, 6))
    matrix: Array = root @ root.T
    return matrix


@dataclass(frozen=True)
class Form:
    """One of the two forms of an inertia: its kernels, an instance, and the matrix that the instance is."""

    product: Any
    there: Any
    back: Any
    packed: Array
    matrix: Array


@pytest.fixture(params=["rigid", "articulated"])
def form(fc: Compiled, rng: Rng, request: pytest.FixtureRequest) -> Form:
    if request.param == "rigid":
        cloud, prefix = Cloud.random(rng), "inertia"
        packed, matrix = cloud.inertia(fc), cloud.matrix
    else:
        prefix, matrix = "articulated", random_articulated(rng)
        packed = pack_articulated(matrix)
    product, there, back = (
        getattr(fc.call, f"{prefix}_{verb}") for verb in ("multiply", "transform", "transform_inverse")
    )
    return Form(product, there, back, packed, matrix)


# --- spatial inertia --------------------------------------------------------------------------------------


def test_01_the_inertia_matrix_is_that_of_a_point_cloud(fc: Compiled, rng: Rng) -> None:
    cloud = Cloud.random(rng)
    packed = cloud.inertia(fc)
    M = fc.call.inertia_to_matrix(packed).M
    close(fc, M, cloud.matrix, cloud.size, calls=2)
    same(M, M.T)
    same(fc.call.articulated_from_inertia(packed).IA_O, pack_articulated(M))


def test_02_kinetic_energy_is_that_of_the_particles(fc: Compiled, rng: Rng) -> None:
    cloud, v = Cloud.random(rng), rng.normal(size=6)
    energy = fc.call.inertia_kinetic_energy(cloud.inertia(fc), v).energy
    close(fc, energy, cloud.energy(v), cloud.size * norm(v, v), calls=2)


def test_03_momentum_is_that_of_the_particles(fc: Compiled, rng: Rng) -> None:
    cloud, v = Cloud.random(rng), rng.normal(size=6)
    packed = cloud.inertia(fc)
    articulated = fc.call.articulated_from_inertia(packed).IA_O
    for momentum in (
        fc.call.inertia_multiply(packed, v).f,
        fc.call.articulated_multiply(articulated, v).f,
    ):
        close(fc, momentum, cloud.momentum(v), cloud.size * norm(v), calls=2)


def test_04_reciprocity(fc: Compiled, rng: Rng, form: Form) -> None:
    """u . (I v) = v . (I u)."""
    u, v = rng.normal(size=(2, 6))
    one = fc.call.motion_dot_force(u, form.product(form.packed, v).f).power
    other = fc.call.motion_dot_force(v, form.product(form.packed, u).f).power
    close(fc, one, other, norm(form.matrix, u, v), calls=2)
    close(fc, one, u @ form.matrix @ v, norm(form.matrix, u, v), calls=2)


def test_14_kinetic_energy_does_not_depend_on_the_frame(fc: Compiled, rng: Rng, form: Form) -> None:
    T, v_B = Pose.random(rng), rng.normal(size=6)
    v_A, I_A = fc.call.motion_transform(T.packed, v_B).v_A, form.there(T.packed, form.packed)[0]
    energy = fc.call.motion_dot_force(v_A, form.product(I_A, v_A).f).power
    close(fc, energy, v_B @ form.matrix @ v_B, 2 * norm(I_A, v_A, v_A), calls=4)


def test_14_kinetic_energy_after_turning_and_then_moving_the_frame(fc: Compiled, rng: Rng) -> None:
    cloud, T, v_B = Cloud.random(rng), Pose.random(rng), rng.normal(size=6)
    v_A = fc.call.motion_transform(T.packed, v_B).v_A
    turned = fc.call.inertia_rotate(T.rotation.as_matrix(), cloud.inertia(fc)).I_A
    moved = fc.call.inertia_translate(T.p, turned).I_A
    energy = fc.call.inertia_kinetic_energy(moved, v_A).energy
    close(fc, energy, cloud.energy(v_B), norm(moved, v_A, v_A), calls=4)


def test_15_inertias_go_round_trip_and_by_two_steps_as_by_one(fc: Compiled, rng: Rng, form: Form) -> None:
    T_AB, T_BC = Pose.random(rng), Pose.random(rng)
    T_AC = fc.call.transform_compose(T_AB.packed, T_BC.packed).T_AC
    T_CA = fc.call.transform_inverse(T_AC).T_BA
    size = norm(form.matrix) * (T_AB.size * T_BC.size) ** 2
    in_B = form.there(T_BC.packed, form.packed)[0]
    in_A = form.there(T_AB.packed, in_B)[0]
    close(fc, form.back(T_BC.packed, in_B)[0], form.packed, size, calls=2)
    close(fc, in_A, form.there(T_AC, form.packed)[0], size, calls=4)
    close(fc, in_A, form.back(T_CA, form.packed)[0], size, calls=5)


def test_15_translations_add(fc: Compiled, rng: Rng) -> None:
    cloud, (a, b) = Cloud.random(rng), rng.normal(size=(2, 3))
    I_O, move = cloud.inertia(fc), fc.call.inertia_translate
    size = cloud.size * (2 + norm(a) + norm(b)) ** 2
    close(fc, move(a, move(b, I_O).I_A).I_A, move(a + b, I_O).I_A, size, calls=3)
    close(fc, move(a, I_O).I_A, Cloud(cloud.masses, cloud.points + a).inertia(fc), size, calls=3)


def test_16_at_the_centre_of_mass_h_vanishes_and_the_trace_is_least(fc: Compiled, rng: Rng) -> None:
    cloud, diagonal = Cloud.random(rng), [4, 7, 9]
    size = cloud.size * (2 + norm(cloud.centre)) ** 2
    central = fc.call.inertia_translate(-cloud.centre, cloud.inertia(fc)).I_A
    close(fc, central[1:4], ZERO, size, calls=2)
    close(fc, central[4:], cloud.centred().tensor, size, calls=2)
    away = fc.call.inertia_translate(rng.normal(size=3), central).I_A
    assert away[diagonal].sum() > central[diagonal].sum()


def test_17_bodies_join_as_their_points_do(fc: Compiled, rng: Rng) -> None:
    call, first, second, T = fc.call, Cloud.random(rng), Cloud.random(rng), Pose.random(rng)
    carried = second.seen_from(T)
    union, size = first.joined(carried), first.size + second.size * T.size**2
    I_1, I_B = first.inertia(fc), second.inertia(fc)
    I_2 = call.inertia_transform(T.packed, I_B).I_A
    close(fc, call.inertia_to_matrix(call.inertia_add(I_1, I_2).I_sum).M, union.matrix, size, calls=3)
    rest = call.inertia_subtract(union.inertia(fc), I_1).I_diff
    close(fc, call.inertia_to_matrix(rest).M, carried.matrix, size, calls=3)
    IA_1, IA_B = call.articulated_from_inertia(I_1).IA_O, call.articulated_from_inertia(I_B).IA_O
    IA_2 = call.articulated_transform(T.packed, IA_B).IA_A
    for joined in (call.articulated_add(IA_1, IA_2).IA_sum, call.articulated_add_inertia(IA_1, I_2).IA_sum):
        close(fc, joined, pack_articulated(union.matrix), size, calls=3)


def test_18_sums_and_scales_distribute_over_products(fc: Compiled, rng: Rng) -> None:
    call, first, second = fc.call, Cloud.random(rng), Cloud.random(rng)
    v, s, coupled = rng.normal(size=6), rng.normal(), random_articulated(rng)
    scaled = call.inertia_scale(first.inertia(fc), s).I_scaled
    both = call.inertia_add(scaled, second.inertia(fc)).I_sum
    size = (abs(s) * first.size + second.size + norm(coupled)) * norm(v)
    close(fc, call.inertia_multiply(both, v).f, s * first.momentum(v) + second.momentum(v), size, calls=3)
    joined = call.articulated_add_inertia(pack_articulated(coupled), second.inertia(fc)).IA_sum
    close(fc, call.articulated_multiply(joined, v).f, coupled @ v + second.momentum(v), size, calls=3)


def test_19_ten_distinct_numbers_are_moments_of_the_cloud(fc: Compiled, rng: Rng) -> None:
    cloud = Cloud.random(rng)
    x, y, z = cloud.points.T
    moments = [1 + 0 * x, x, y, z, y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y]
    array = fc.call.inertia_to_array(cloud.inertia(fc)).array
    close(fc, array, moments @ cloud.masses, cloud.size)
    same(fc.call.inertia_from_array(array).I_O, array)
    assert len(set(array.tolist())) == 10


@pytest.mark.parametrize(
    ("moments", "status"),
    [
        pytest.param([2, 3, 4], 0, id="solid"),
        pytest.param([1, 2, 3], 0, id="flat-with-equality"),
        pytest.param([0, 2, 2], 0, id="rod-with-two-equalities"),
        pytest.param([0, 0, 0], 0, id="point"),
        pytest.param([1, 2, 3.001], 8, id="violated"),
        pytest.param([0, 2, 2.001], 8, id="rod-violated"),
        pytest.param([0, 0, 1], 8, id="one-moment-alone"),
        pytest.param([-0.001, 2, 2], 8, id="negative-moment"),
    ],
)
def test_22_triangle_inequality(fc: Compiled, rng: Rng, moments: list[float], status: int) -> None:
    """About any axes; to be flagged, a violation need only exceed some roundings."""
    R = random_rotation(rng).as_matrix()
    tensor = (R @ np.diag(moments) @ R.T)[UPPER]
    assert fc.call.inertia_from_com(2, rng.normal(size=3), tensor).status == status


def test_59_an_inertia_carried_along_changes_by_cross_products(fc: Compiled, rng: Rng, form: Form) -> None:
    """d(I_A u)/dt = v x* (I_A u) - I_A (v x u) for fixed u, v the motion of B relative to A."""
    T, v_B, u = Pose.random(rng), random_unit(rng, 6), random_unit(rng, 6)

    def carried(t: float) -> Any:
        return form.product(form.there(T.carried(v_B, t).packed, form.packed)[0], u).f

    v_A = fc.call.motion_transform(T.packed, v_B).v_A
    I_A = form.there(T.packed, form.packed)[0]
    change = fc.call.force_cross(v_A, form.product(I_A, u).f).v_x_f
    change = change - form.product(I_A, fc.call.motion_cross(v_A, u).v_x_m).f
    close_slope(fc, carried, change, norm(I_A))


def test_63_rank_says_what_the_body_is(fc: Compiled, rng: Rng) -> None:
    """A point mass has rank 3, a rod 5, a body 6; none has a negative eigenvalue."""
    along, at = rng.normal(size=(2, 3))
    rod = at + np.outer([-1, -0.5, 0.5, 1], along)
    for points, rank in ((at[None], 3), (rod, 5), (rng.normal(size=(4, 3)), 6)):
        cloud = Cloud(rng.uniform(1, 2, len(points)), points)
        eigenvalues = np.linalg.eigvalsh(fc.call.inertia_to_matrix(cloud.inertia(fc)).M.astype(float))
        bound = ROUNDINGS * fc.eps * cloud.size
        assert eigenvalues[0] > -bound
        assert (eigenvalues > bound).sum() == rank


def test_64_zero_is_neutral_and_stays_where_it_is(fc: Compiled, rng: Rng) -> None:
    call, T, v = fc.call, Pose.random(rng).packed, rng.normal(size=6)
    I_O, zero, IA_zero = Cloud.random(rng).inertia(fc), np.zeros(10), np.zeros(21)
    IA = call.articulated_from_inertia(I_O).IA_O
    same(call.inertia_add(I_O, zero).I_sum, I_O)
    same(call.inertia_subtract(I_O, zero).I_diff, I_O)
    same(call.articulated_add(IA, IA_zero).IA_sum, IA)
    same(call.articulated_add_inertia(IA, zero).IA_sum, IA)
    same(call.inertia_transform(T, zero).I_A, zero)
    same(call.inertia_transform_inverse(T, zero).I_B, zero)
    same(call.inertia_rotate(T[:9], zero).I_A, zero)
    same(call.inertia_translate(T[9:], zero).I_A, zero)
    same(call.inertia_scale(zero, 3).I_scaled, zero)
    same(call.articulated_transform(T, IA_zero).IA_A, IA_zero)
    same(call.articulated_transform_inverse(T, IA_zero).IA_B, IA_zero)
    same(call.articulated_from_inertia(zero).IA_O, IA_zero)
    same(call.inertia_multiply(zero, v).f, np.zeros(6))
    same(call.inertia_bias_force(zero, v).f, np.zeros(6))
    same(call.inertia_kinetic_energy(zero, v).energy, 0)


# --- spatial vectors and poses ----------------------------------------------------------------------------

KINDS = pytest.mark.parametrize("kind", ["motion", "force"])


def test_05_power_does_not_depend_on_the_frame(fc: Compiled, rng: Rng) -> None:
    T, (v, f) = Pose.random(rng), rng.normal(size=(2, 6))
    for way in ("transform", "transform_inverse"):
        moved = getattr(fc.call, f"motion_{way}")(T.packed, v)[0]
        pushed = getattr(fc.call, f"force_{way}")(T.packed, f)[0]
        close(fc, fc.call.motion_dot_force(moved, pushed).power, v @ f, norm(v, f) * T.size**2, calls=3)


def test_06_a_material_point_has_one_velocity(fc: Compiled, rng: Rng) -> None:
    T, v_B, points = Pose.random(rng), rng.normal(size=6), rng.normal(size=(4, 3))
    size = norm(v_B) * T.size * (T.size + norm(points))
    v_A = fc.call.motion_transform(T.packed, v_B).v_A
    close(fc, velocities(v_A, T.points(points)), T.rotation.apply(velocities(v_B, points)), size)
    close(fc, fc.call.motion_transform_inverse(T.packed, v_A).v_B, v_B, size * T.size, calls=2)


def test_07_a_force_at_a_point_has_one_moment(fc: Compiled, rng: Rng) -> None:
    T, (r, f) = Pose.random(rng), rng.normal(size=(2, 3))
    f_A = T.rotation.apply(f)
    in_A, in_B = np.append(np.cross(T.points(r), f_A), f_A), np.append(np.cross(r, f), f)
    size = norm(f) * T.size * (T.size + norm(r))
    close(fc, fc.call.force_transform(T.packed, in_B).f_A, in_A, size)
    close(fc, fc.call.force_transform_inverse(T.packed, in_A).f_B, in_B, size * T.size)


@KINDS
def test_08_transforms_compose(fc: Compiled, rng: Rng, kind: str) -> None:
    there, back = getattr(fc.call, f"{kind}_transform"), getattr(fc.call, f"{kind}_transform_inverse")
    T_AB, T_BC, u = Pose.random(rng), Pose.random(rng), rng.normal(size=6)
    T_AC = fc.call.transform_compose(T_AB.packed, T_BC.packed).T_AC
    T_CA = fc.call.transform_inverse(T_AC).T_BA
    size = norm(u) * (T_AB.size * T_BC.size) ** 2
    two_steps = there(T_AB.packed, there(T_BC.packed, u)[0])[0]
    close(fc, two_steps, there(T_AC, u)[0], size, calls=3)
    close(fc, two_steps, back(T_CA, u)[0], size, calls=4)


@KINDS
def test_09_10_transforms_change_by_cross_products(fc: Compiled, rng: Rng, kind: str) -> None:
    """d/dt X_AB u = X_AB (v_B x u), and with stars for forces."""
    transform, cross = getattr(fc.call, f"{kind}_transform"), getattr(fc.call, f"{kind}_cross")
    T, v_B, u = Pose.random(rng), random_unit(rng, 6), random_unit(rng, 6)

    def carried(t: float) -> Any:
        return transform(T.carried(v_B, t).packed, u)[0]

    change = transform(T.packed, cross(v_B, u)[0])[0]
    close_slope(fc, carried, change, T.size)


def test_11_motions_form_a_lie_algebra(fc: Compiled, rng: Rng) -> None:
    def cross(a: Array, b: Array) -> Array:
        product: Array = fc.call.motion_cross(a, b).v_x_m
        return product

    a, b, c = rng.normal(size=(3, 6))
    close(fc, cross(a, b), -cross(b, a), norm(a, b))
    close(fc, cross(a, a), np.zeros(6), norm(a, a))
    jacobi = cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b))
    close(fc, jacobi, np.zeros(6), 2 * norm(a, b, c), calls=6)


def test_12_cross_products_keep_power(fc: Compiled, rng: Rng) -> None:
    """(v x m) . f + m . (v x* f) = 0."""
    v, m, f = rng.normal(size=(3, 6))
    one = fc.call.motion_dot_force(fc.call.motion_cross(v, m).v_x_m, f).power
    other = fc.call.motion_dot_force(m, fc.call.force_cross(v, f).v_x_f).power
    close(fc, one, -other, 2 * norm(v, m, f), calls=2)


@KINDS
def test_13_cross_products_do_not_depend_on_the_frame(fc: Compiled, rng: Rng, kind: str) -> None:
    """X (a x b) = (X a) x (X b), and X* (a x* f) = (X a) x* (X* f)."""
    transform, cross = getattr(fc.call, f"{kind}_transform"), getattr(fc.call, f"{kind}_cross")
    T, (a, b) = Pose.random(rng), rng.normal(size=(2, 6))
    moved = cross(fc.call.motion_transform(T.packed, a).v_A, transform(T.packed, b)[0])[0]
    close(fc, transform(T.packed, cross(a, b)[0])[0], moved, 2 * norm(a, b) * T.size**2, calls=3)


def test_44_poses_form_a_group_and_move_points(fc: Compiled, rng: Rng) -> None:
    point, A, B, C = fc.call.transform_point, *(Pose.random(rng) for _ in range(3))

    def compose(T_AB: Array, T_BC: Array) -> Array:
        T_AC: Array = fc.call.transform_compose(T_AB, T_BC).T_AC
        return T_AC

    r = rng.normal(size=3)
    size = A.size * B.size * C.size * (1 + norm(r))
    close(fc, point(A.packed, ZERO).p_A, A.p, 1)
    close(fc, point(A.packed, r).p_A, A.points(r), size)
    close(fc, fc.call.transform_point_inverse(A.packed, A.points(r)).p_B, r, size * A.size)
    AB, BC = compose(A.packed, B.packed), compose(B.packed, C.packed)
    close(fc, point(AB, r).p_A, A.points(B.points(r)), size, calls=2)
    close(fc, compose(AB, C.packed), compose(A.packed, BC), size, calls=4)
    inverse, nowhere = fc.call.transform_inverse(A.packed).T_BA, Pose(Rotation.identity(), ZERO).packed
    for product in (compose(A.packed, inverse), compose(inverse, A.packed)):
        close(fc, product, nowhere, A.size**2, calls=2)


MIRROR = np.array([1, -1, 1])
"""Left and right exchanged. Polar vectors change by this; axial ones (rates, moments, angles) oppositely."""
SWAP = np.outer(MIRROR, MIRROR)
SIGNS: dict[str, Array] = {
    "quat": np.append(1, -MIRROR),
    "polar": MIRROR,
    "axial": -MIRROR,
    "mat3": SWAP.ravel(),
    "transform": np.append(SWAP, MIRROR),
    "motion": np.append(-MIRROR, MIRROR),
    "force": np.append(-MIRROR, MIRROR),
    "sym3": SWAP[UPPER],
    "inertia": np.concatenate([[1], MIRROR, SWAP[UPPER]]),
    "articulated_inertia": np.concatenate([SWAP[UPPER], -SWAP.ravel(), SWAP[UPPER]]),
    "scalar": np.ones(1),
}
AXIAL = {"w_B", "dw_B", "M_B", "rpy", "drpy"}


def signs_of(argument: Any) -> Array:
    """How an argument's scalars change in the mirror."""
    if argument["type"] in ("float", "double"):
        return SIGNS["scalar"]
    kind = re.sub(r"^fc_|_f\d\d$", "", argument["type"])
    return SIGNS[kind if kind != "vec3" else "axial" if argument["name"] in AXIAL else "polar"]


@pytest.mark.parametrize(
    "kernel",
    [
        *("quat_multiply", "quat_rotate", "quat_rotate_inverse", "quat_to_dcm", "quat_to_dcm_unit"),
        *("dcm_to_quat", "quat_kinematics", "quat_from_rpy", "dcm_from_rpy", "rpy_from_dcm", "rpy_from_quat"),
        *("rpy_kinematics", "rpy_kinematics_inverse"),
        *("transform_point", "transform_point_inverse", "transform_compose", "transform_inverse"),
        *("motion_transform", "motion_transform_inverse", "force_transform", "force_transform_inverse"),
        *("motion_cross", "force_cross", "motion_dot_force"),
        *("inertia_from_com", "inertia_multiply", "inertia_bias_force", "inertia_kinetic_energy"),
        *("inertia_transform", "inertia_transform_inverse", "inertia_rotate", "inertia_translate"),
        *("articulated_from_inertia", "articulated_add_inertia", "articulated_multiply"),
        *("articulated_transform", "articulated_transform_inverse"),
        *("rigid_body_dynamics_quat", "rigid_body_dynamics_rpy"),
    ],
)
def test_67_the_mirrored_world_obeys_the_same_laws(fc: Compiled, rng: Rng, kernel: str) -> None:
    """To the bit, for a mirror changes signs only. No input need be orthonormal or physical."""
    function = getattr(fc.call, kernel)
    inputs = [a for a in function.arguments if a["direction"] == "in"]
    outputs = [a for a in function.arguments if a["direction"] == "out"]
    values = [rng.uniform(0.1, 1, len(signs_of(a))) for a in inputs]
    here = function(*(v if len(v) > 1 else v[0] for v in values))
    mirrored = [v * signs_of(a) for v, a in zip(values, inputs, strict=True)]
    there = function(*(v if len(v) > 1 else v[0] for v in mirrored))
    for argument in outputs:
        name = argument["name"]
        same(getattr(here, name) * signs_of(argument), getattr(there, name))


# --- attitude ---------------------------------------------------------------------------------------------


def same_attitude(fc: Compiled, q: Array, expected: Array, calls: int = 1) -> None:
    """Quaternions of one attitude: equal up to their common sign."""
    close(fc, q if q @ expected > 0 else -q, expected, 1, calls)


def test_23_quaternions_act_as_scipy_says(fc: Compiled, rng: Rng) -> None:
    rotation, v = random_rotation(rng), rng.normal(size=3)
    q = scalar_first(rotation)
    close(fc, fc.call.quat_rotate(q, v).v_A, rotation.apply(v), 4 * norm(v))
    close(fc, fc.call.quat_rotate_inverse(q, v).v_B, rotation.inv().apply(v), 4 * norm(v))
    close(fc, fc.call.quat_to_dcm_unit(q).R_AB, rotation.as_matrix(), 2)
    scaled = q * np.exp(rng.normal())
    close(fc, fc.call.quat_to_dcm(scaled).R_AB, rotation.as_matrix(), 2)
    close(fc, fc.call.quat_normalize(scaled).q_unit, q, 1)


def test_24_products_of_quaternions_are_products_of_rotations(fc: Compiled, rng: Rng) -> None:
    p, q = random_rotation(rng), random_rotation(rng)
    product = fc.call.quat_multiply(scalar_first(p), scalar_first(q)).pq
    close(fc, fc.call.quat_to_dcm(product).R_AB, (p * q).as_matrix(), 2, calls=2)
    scaled = np.exp(rng.normal()) * scalar_first(q)
    inverse = fc.call.quat_inverse(scaled).q_inv
    close(fc, fc.call.quat_multiply(inverse, scaled).pq, [1, 0, 0, 0], 1, calls=2)
    conjugate = fc.call.quat_conjugate(scalar_first(q)).q_conj
    close(fc, fc.call.quat_to_dcm(conjugate).R_AB, q.inv().as_matrix(), 2, calls=2)
    i, j, k = np.eye(4)[1:]
    same(fc.call.quat_multiply(i, j).pq, k)


@pytest.mark.parametrize("axis", [*EYE, [1, 1, 1], [1, -1, 0], [0.1, -0.2, 0.97]], ids=str)
@pytest.mark.parametrize("short_of_half_a_turn", [np.pi, 2, 1, 1e-3, 1e-6, 1e-9, 0, -1e-6])
def test_25_matrices_and_quaternions_go_round_trip(
    fc: Compiled, axis: Array, short_of_half_a_turn: float
) -> None:
    """All four branches, near 180 degrees and at it."""
    unit = np.asarray(axis) / norm(axis)
    rotation = Rotation.from_rotvec((np.pi - short_of_half_a_turn) * unit)
    q = fc.call.dcm_to_quat(rotation.as_matrix()).q_AB
    same_attitude(fc, q, scalar_first(rotation), calls=2)
    close(fc, fc.call.quat_to_dcm_unit(q).R_AB, rotation.as_matrix(), 2, calls=2)
    assert q[0] >= 0


def test_26_quaternion_rates_are_derivatives(fc: Compiled, rng: Rng) -> None:
    """Of SciPy's quaternion after a turn at the body rate, differenced in double to about 1e-11."""
    rotation, w = random_rotation(rng), rng.normal(size=3)
    q = scalar_first(rotation)

    def turned(t: float) -> Array:
        later = scalar_first(rotation * Rotation.from_rotvec(w * t))
        return later if later @ q > 0 else -later

    close(fc, fc.call.quat_kinematics(q, w, 0).dq, slope(turned), norm(w), truncation=1e-9)


@pytest.mark.parametrize("start", [0.8, 0.95, 1.05, 1.3])
def test_27_rates_keep_the_norm_and_baumgarte_restores_it(fc: Compiled, rng: Rng, start: float) -> None:
    """n = q.q follows n(t) = 1 / (1 - (1 - 1/n0) exp(-2 b t)), from both sides of 1."""
    rate, q, w = 1.5, start * scalar_first(random_rotation(rng)), rng.normal(size=3)
    close(fc, q @ fc.call.quat_kinematics(q, w, 0).dq, 0, norm(q, q, w))
    end = integrate(lambda x: fc.call.quat_kinematics(x, w, rate).dq, q, SECONDS)
    expected = 1 / (1 - (1 - start**-2) * np.exp(-2 * rate * SECONDS))
    close(fc, end @ end, expected, 2 * (rate + norm(w)), truncation=TRUNCATION)


def test_28_angles_are_heading_elevation_and_bank(fc: Compiled, rng: Rng) -> None:
    """Where the nose points, and how far the right wing hangs below the level line across it."""
    phi, theta, psi = angles = rng.uniform(-1.4, 1.4, 3)
    q = fc.call.quat_from_rpy(angles).q_NB
    nose, wing = (fc.call.quat_rotate(q, axis).v_A for axis in EYE[:2])
    lever = 4 / np.cos(theta)  # near the vertical, errors turn heading and elevation by this much more
    close(fc, np.arctan2(nose[1], nose[0]), psi, lever, calls=2)
    close(fc, np.arcsin(-nose[2]), theta, lever, calls=2)
    level = np.array([-np.sin(psi), np.cos(psi), 0])
    close(fc, np.arctan2(wing @ np.cross(nose, level), wing @ level), phi, lever, calls=2)


def test_29_angles_quaternions_and_matrices_agree(fc: Compiled, rng: Rng) -> None:
    angles = rng.uniform([-3, -1.4, -3], [3, 1.4, 3])
    rotation = Rotation.from_euler("xyz", angles)
    q, R = fc.call.quat_from_rpy(angles).q_NB, fc.call.dcm_from_rpy(angles).R_NB
    same_attitude(fc, q, scalar_first(rotation), calls=2)
    close(fc, R, rotation.as_matrix(), 4)
    close(fc, fc.call.quat_to_dcm(q).R_AB, R, 4, calls=2)
    for back in (fc.call.rpy_from_dcm(R), fc.call.rpy_from_quat(q)):
        assert back.status == 0
        close(fc, back.rpy, angles, 4 / np.cos(angles[1]), calls=2)
    printed = [0.98334744, 0.0342708, 0.10602051, 0.14357218]  # of (0.1, 0.2, 0.3)
    close(fc, fc.call.quat_from_rpy([0.1, 0.2, 0.3]).q_NB, printed, 1, truncation=1e-8)


def test_30_angle_rates_turn_the_matrix_at_the_body_rate(fc: Compiled, rng: Rng) -> None:
    """dR v / dt = R (w x v) along the angle rates."""
    angles, w, v = rng.uniform([-3, -1.2, -3], [3, 1.2, 3]), random_unit(rng, 3), random_unit(rng, 3)
    rates, status = fc.call.rpy_kinematics(angles, w)

    def seen(t: float) -> Any:
        return fc.call.dcm_from_rpy(angles + t * rates).R_NB.reshape(3, 3) @ v

    assert status == 0
    expected = Rotation.from_euler("xyz", angles).apply(np.cross(w, v))
    close_slope(fc, seen, expected, 1 + norm(rates) ** 3)
    close(fc, fc.call.rpy_kinematics_inverse(angles, rates).w_B, w, 4 / np.cos(angles[1]), calls=2)


# --- a body in flight -------------------------------------------------------------------------------------


def integrate(rates: Callable[[Array], Array], start: Any, duration: float, steps: int = 40) -> Array:
    """Runge and Kutta's fourth order, in double."""
    x, h = np.asarray(start, float), duration / steps
    for _ in range(steps):
        k1 = rates(x)
        k2 = rates(x + h / 2 * k1)
        k3 = rates(x + h / 2 * k2)
        k4 = rates(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


TRUNCATION = 1e-6
"""Of `integrate`: (rate h)^4 with steps h of about 0.01 s and rates of about 3/s."""

SECONDS = 0.5

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


# --- articulated mechanisms: recursions over the kernels against plain geometry ---------------------------


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
        hanging, U, D, u = [np.zeros(21)] * count, np.zeros((count, 6)), np.zeros(count), np.zeros(count)
        for i in reversed(range(count)):
            S, parent = joints[i].subspace, joints[i].parent
            IA = call.articulated_add_inertia(hanging[i], self.inertias[i]).IA_sum
            U[i] = call.articulated_multiply(IA, S).f
            D[i] = call.motion_dot_force(S, U[i]).power
            u[i] = torque[i] - call.motion_dot_force(S, bias[i]).power
            if parent >= 0:
                yielding = pack_articulated(-np.outer(U[i], U[i]) / D[i])
                Ia = call.articulated_add(IA, yielding).IA_sum
                pa = bias[i] + call.articulated_multiply(Ia, c[i]).f + U[i] * u[i] / D[i]
                carried = call.articulated_transform(poses[i], Ia).IA_A
                hanging[parent] = call.articulated_add(hanging[parent], carried).IA_sum
                bias[parent] = bias[parent] + call.force_transform(poses[i], pa).f_A
        ddq = np.zeros(count)

        def added(i: int, inherited: Array) -> Array:
            ddq[i] = (u[i] - call.motion_dot_force(inherited + c[i], U[i]).power) / D[i]
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


# --- completeness -----------------------------------------------------------------------------------------


def test_every_identity_is_tested_here_or_named_as_later() -> None:
    numbers = (re.match(r"test((?:_\d\d)+)_", name) for name in globals())
    here = {number for found in numbers if found for number in found[1].split("_")[1:]}
    assert here.isdisjoint(LATER)
    assert sorted(here | set(LATER)) == [f"{n:02}" for n in range(1, 69)]
