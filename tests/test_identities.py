"""Identities of physics and geometry that the compiled kernels satisfy.

Each test is named after its number in the table of 68 identities (identities.py). What a kernel is compared
with is built from something else than its formula: point masses, material points, motion in inertial frames,
SciPy's rotations, energy, or derivatives of plain geometry. Everything runs in double and in float, on three
scenes.

This file is about inertia, spatial vectors, poses and attitude, test_identities_dynamics.py about bodies in
motion, test_identities_mechanisms.py about bodies on joints; the rest is where the table says.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tests.conftest import Compiled
from tests.identities import IDENTITIES
from tests.physics import (
    EYE,
    ROUNDINGS,
    SECONDS,
    TRUNCATION,
    UPPER,
    ZERO,
    Array,
    Cloud,
    Pose,
    Rng,
    close,
    close_slope,
    integrate,
    norm,
    pack_articulated,
    random_articulated,
    random_rotation,
    random_unit,
    same,
    same_attitude,
    scalar_first,
    slope,
    velocities,
)


@pytest.fixture(params=range(3))
def rng(request: pytest.FixtureRequest) -> Rng:
    """Three scenes, the same in every run."""
    return np.random.default_rng([20080131, request.param])


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


# --- other forms of inertia ------------------------------------------------------------------------------

LINEAR_FIRST = [3, 4, 5, 0, 1, 2]


def linear_first(matrix: Array) -> Array:
    """P M P: rows and columns in the order of KSL and Pinocchio."""
    swapped: Array = matrix[np.ix_(LINEAR_FIRST, LINEAR_FIRST)]
    return swapped


def tilde(v: Array) -> Array:
    """The columns e x v, negated: the matrix of v x."""
    matrix: Array = -np.cross(EYE, v).T
    return matrix


def test_20_ten_distinct_numbers_in_the_order_of_ksl_and_pinocchio(fc: Compiled, rng: Rng) -> None:
    cloud = Cloud.random(rng)
    packed = cloud.inertia(fc)
    M = fc.call.inertia_to_matrix_linear_first(packed).M
    places = [(0, 0), (1, 5), (2, 3), (0, 4), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (5, 5)]
    same([M[place] for place in places], packed)
    assert len(set(packed.tolist())) == 10
    central = fc.call.central_from_com(cloud.mass, cloud.centre, cloud.centred().tensor).C_O
    expected = np.concatenate([[cloud.mass], cloud.masses @ cloud.points, cloud.centred().tensor])
    close(fc, central, expected, cloud.size)


def test_21_a_central_inertia_carried_to_a_frame_is_the_clouds_there(fc: Compiled, rng: Rng) -> None:
    """KSL's M_ff = Ad*_fc M_cc Ad_cf, by its ten numbers and by its matrices."""
    call, cloud, T = fc.call, Cloud.random(rng), Pose.random(rng)
    expected, size = linear_first(cloud.seen_from(T).matrix), cloud.size * T.size**2
    central = call.inertia_to_central(cloud.inertia(fc)).C_O
    carried = call.central_to_inertia(call.central_transform(T.packed, central).C_A).I_O
    M_ff = call.inertia_to_matrix_linear_first(carried).M
    close(fc, M_ff, expected, size, calls=5)
    same(M_ff, M_ff.T)
    M_cc = call.inertia_to_matrix_linear_first(cloud.inertia(fc)).M
    there = call.force_transform_matrix_linear_first(T.packed).X
    back = call.motion_transform_matrix_linear_first(call.transform_inverse(T.packed).T_BA).X
    close(fc, there @ M_cc @ back, expected, size, calls=5)


def test_21_bodies_join_in_their_central_and_unit_forms(fc: Compiled, rng: Rng) -> None:
    call, first, second, T = fc.call, Cloud.random(rng), Cloud.random(rng), Pose.random(rng)
    carried = second.seen_from(T)
    union, size = first.joined(carried).inertia(fc), first.size + second.size * T.size**2
    centrals = (call.inertia_to_central(cloud.inertia(fc)).C_O for cloud in (first, second))
    merged = call.central_merge(T.packed, *centrals)
    assert merged.status == 0
    close(fc, call.central_to_inertia(merged.C_sum).I_O, union, size, calls=5)
    units = (
        call.unit_from_central(cloud.mass, cloud.centre, cloud.centred().tensor).U_O
        for cloud in (first, second)
    )
    unit, moving = units
    moved = call.unit_shift(-T.p, call.unit_reexpress(T.rotation.as_matrix(), moving).U_A).U_Q
    close(fc, call.unit_to_inertia(call.unit_add(unit, moved).U_sum).I_O, union, size, calls=5)


def test_62_ten_central_numbers_rebuild_the_matrix(fc: Compiled, rng: Rng) -> None:
    """[[m 1, -h~], [h~, Jc - m c~ c~]] from m, h = m c and Jc about a centre that is not the origin."""
    cloud, v = Cloud.random(rng), rng.normal(size=6)
    m, *rest = fc.call.inertia_to_central(cloud.inertia(fc)).C_O.astype(float)
    h, Jc = np.array(rest[:3]), np.zeros((3, 3))
    Jc[UPPER] = rest[3:]
    Jc = Jc + np.triu(Jc, 1).T
    J = Jc - tilde(h) @ tilde(h) / m
    rebuilt = np.block([[m * EYE, -tilde(h)], [tilde(h), J]])
    close(fc, rebuilt, linear_first(cloud.matrix), cloud.size, calls=2)
    momenta = (
        fc.call.central_multiply([m, *rest], v).f,
        fc.call.unit_multiply(fc.call.inertia_to_unit(cloud.inertia(fc)).U_O, v).f,
    )
    for momentum in momenta:
        close(fc, momentum, cloud.momentum(v), cloud.size * norm(v), calls=3)


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
    inputs = [a.description for a in function.arguments if a.given]
    outputs = [a.description for a in function.arguments if a.returned]
    values = [rng.uniform(0.1, 1, len(signs_of(a))) for a in inputs]
    here = function(*(v if len(v) > 1 else v[0] for v in values))
    mirrored = [v * signs_of(a) for v, a in zip(values, inputs, strict=True)]
    there = function(*(v if len(v) > 1 else v[0] for v in mirrored))
    for argument in outputs:
        name = argument["name"]
        same(getattr(here, name) * signs_of(argument), getattr(there, name))


# --- attitude ---------------------------------------------------------------------------------------------


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
    """The direction of the nose, and the angle of the right wing below the horizon."""
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


# --- completeness -----------------------------------------------------------------------------------------


def test_no_identity_is_missing() -> None:
    assert sorted(IDENTITIES) == list(range(1, 69))
    assert len({identity.statement for identity in IDENTITIES.values()}) == 68


@pytest.mark.parametrize("number", IDENTITIES)
def test_every_identity_is_held_by_its_test(number: int) -> None:
    _, module, name = IDENTITIES[number]
    assert callable(getattr(importlib.import_module(f"tests.{module}"), name))
    found = re.match(r"test(?:_identity)?((?:_\d\d)+)_", name)
    assert found is not None
    assert f"{number:02}" in found[1].split("_")
