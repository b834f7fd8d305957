"""Inertia forms, shapes, joints and screw motions on compiled C, against point masses and dense algebra.

Bodies are clouds of point masses, summed in NumPy; nothing is compared with another way of writing a kernel's
own formula. Everything runs in double and in float.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.linalg import expm, logm
from scipy.spatial.transform import Rotation

from codegen.ir.cost import cost
from codegen.library import library as kernels
from codegen.passes.pipeline import optimised
from tests.conftest import Compiled, sampled

Array = npt.NDArray[Any]
Rng = np.random.Generator

MASS, SINGULAR, NOT_PHYSICAL, NOT_FINITE = 2, 4, 8, 1
MODULES = ("transform", "spatial", "inertia", "inertia_forms", "shapes", "articulated")
UPPER = np.triu_indices(3)
SWAP = np.roll(np.eye(6), 3, axis=0)
ROUNDINGS = 8
"""In eps of the sum of the magnitudes that enter, for each kernel in a chain."""


@pytest.fixture(params=range(3))
def rng(request: pytest.FixtureRequest) -> Rng:
    """Three scenes, the same in every run."""
    return np.random.default_rng([20180117, request.param])


def close(fc: Compiled, actual: Any, expected: Any, size: float, calls: int = 1) -> None:
    bound = ROUNDINGS * calls * fc.eps * size
    np.testing.assert_allclose(np.ravel(actual), np.ravel(expected), rtol=0, atol=bound)


def same(actual: Any, expected: Any) -> None:
    """Bitwise equal, except for the sign of zero."""
    np.testing.assert_array_equal(np.ravel(actual), np.ravel(expected))


def skew(a: Array) -> Array:
    return np.cross(np.eye(3), a)


def random_rotation(rng: Rng) -> Array:
    matrix: Array = Rotation.from_quat(rng.normal(size=4)).as_matrix()
    return matrix


def pose(R: Array, p: Array) -> Array:
    return np.append(R, p)


def random_pose(rng: Rng) -> Array:
    return pose(random_rotation(rng), rng.normal(size=3))


def homogeneous(T: Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = np.reshape(T[:9], (3, 3)), T[9:]
    return matrix


def numbers(T: Array) -> Array:
    """The twelve numbers of a homogeneous matrix."""
    return pose(T[:3, :3], T[:3, 3])


@dataclass(frozen=True)
class Cloud:
    """Point masses."""

    m: Array
    r: Array

    @classmethod
    def random(cls, rng: Rng, count: int = 6) -> Cloud:
        return cls(rng.uniform(0.2, 1, count), rng.normal(size=(count, 3)) + rng.normal(size=3))

    def seen_from(self, T: Array) -> Cloud:
        """The same points with coordinates in A, given those in B and T_AB."""
        return Cloud(self.m, self.r @ np.reshape(T[:9], (3, 3)).T + T[9:])

    def __add__(self, other: Cloud) -> Cloud:
        return Cloud(np.append(self.m, other.m), np.vstack([self.r, other.r]))

    def inertia_about(self, p: Array) -> Array:
        """Sum of m |w x d|^2 as a matrix, from the velocities that turning about p gives each point."""
        turns = [np.cross(np.eye(3), d) for d in self.r - p]
        return np.asarray(sum(m * t.T @ t for m, t in zip(self.m, turns, strict=True)))

    @cached_property
    def mass(self) -> float:
        return float(self.m.sum())

    @cached_property
    def com(self) -> Array:
        return np.asarray(self.m @ self.r / self.mass)

    @cached_property
    def J(self) -> Array:
        return self.inertia_about(np.zeros(3))

    @property
    def inertia(self) -> Array:
        return np.array([self.mass, *(self.m @ self.r), *self.J[UPPER]])

    @property
    def central(self) -> Array:
        return np.array([self.mass, *(self.m @ self.r), *self.inertia_about(self.com)[UPPER]])

    @property
    def unit(self) -> Array:
        return np.array([self.mass, *self.com, *self.J[UPPER] / self.mass])

    @property
    def pseudo(self) -> Array:
        points = np.column_stack([self.r, np.ones(len(self.m))])
        return np.asarray((points.T * self.m) @ points)

    @property
    def matrix(self) -> Array:
        """6x6, angular first: the momentum of the points at each unit velocity."""
        columns = []
        for w, v in zip(np.eye(6)[:, :3], np.eye(6)[:, 3:], strict=True):
            p = self.m[:, None] * (v + np.cross(w, self.r))
            columns.append(np.append(np.cross(self.r, p).sum(0), p.sum(0)))
        return np.array(columns).T

    @property
    def size(self) -> float:
        return float(1 + self.mass + np.trace(self.J))


# --- the central set --------------------------------------------------------------------------------------


def test_translations_add(fc: Compiled) -> None:
    """With whole numbers, to the bit: not cumulative, and Jc stays."""
    C = np.array([2, 3, -1, 4, 7, -1, 2, 8, 1, 9])
    a, b = np.array([1, -2, 3]), np.array([5, 4, -7])
    once = fc.call.central_translate(a + b, C).C_A
    same(fc.call.central_translate(a, fc.call.central_translate(b, C).C_A).C_A, once)
    same(once, [2, *(C[1:4] + 2 * (a + b)), *C[4:]])
    same(fc.call.central_translate(-a - b, once).C_A, C)


def test_central_transforms_are_a_group(fc: Compiled, rng: Rng) -> None:
    call, C = fc.call, Cloud.random(rng).central
    T_AB, T_BC = random_pose(rng), random_pose(rng)
    T_AC = numbers(homogeneous(T_AB) @ homogeneous(T_BC))
    size = 10 * float(np.abs(C).sum())
    twice = call.central_transform(T_AB, call.central_transform(T_BC, C).C_A).C_A
    close(fc, twice, call.central_transform(T_AC, C).C_A, size, calls=2)
    apart = call.central_translate(T_AB[9:], call.central_rotate(T_AB[:9], C).C_A).C_A
    close(fc, apart, call.central_transform(T_AB, C).C_A, size)
    T_BA = numbers(np.linalg.inv(homogeneous(T_AB)))
    close(fc, call.central_transform(T_BA, call.central_transform(T_AB, C).C_A).C_A, C, size, calls=2)


def test_central_transform_moves_the_cloud(fc: Compiled, rng: Rng) -> None:
    body, T = Cloud.random(rng), random_pose(rng)
    moved = body.seen_from(T)
    close(fc, fc.call.central_transform(T, body.central).C_A, moved.central, moved.size + body.size)


def test_the_central_set_never_divides_by_no_mass(fc: Compiled, rng: Rng) -> None:
    T, v = random_pose(rng), rng.normal(size=6)
    for Jc in (np.zeros(6), np.array([2.0, 0, 0, 3, 0, 4])):
        C = np.array([0, 0, 0, 0, *Jc])
        turned = fc.call.inertia_rotate(T[:9], C).I_A
        close(fc, fc.call.central_transform(T, C).C_A, turned, 10)
        same(fc.call.central_translate(T[9:], C).C_A, C)
        expected = [Jc[0] * v[0], Jc[3] * v[1], Jc[5] * v[2], 0, 0, 0]
        close(fc, fc.call.central_multiply(C, v).f, expected, 10)


def test_merged_bodies_are_the_union_of_their_clouds(fc: Compiled, rng: Rng) -> None:
    first, second, T = Cloud.random(rng), Cloud.random(rng), random_pose(rng)
    both = first + second.seen_from(T)
    merged = fc.call.central_merge(T, first.central, second.central)
    assert merged.status == 0
    close(fc, merged.C_sum, both.central, 2 * both.size)
    less = fc.call.central_merge(T, merged.C_sum, -second.central)
    close(fc, less.C_sum, first.central, 4 * both.size, calls=2)


def test_merging_with_nothing(fc: Compiled, rng: Rng) -> None:
    body, T, none = Cloud.random(rng), random_pose(rng), np.zeros(10)
    same(fc.call.central_merge(T, body.central, none).C_sum, body.central.astype(fc.dtype))
    alone = fc.call.central_merge(T, none, body.central)
    same(alone.C_sum, fc.call.central_transform(T, body.central).C_A)


def test_merging_without_mass_is_refused(fc: Compiled, rng: Rng) -> None:
    body, T = Cloud.random(rng).central, random_pose(rng)
    nan = np.append(np.nan, body[1:])
    for pair in ((np.zeros(10), np.zeros(10)), (body, -body), (body, -2 * body), (nan, body)):
        merged = fc.call.central_merge(T, *pair)
        assert merged.status == MASS
        same(merged.C_sum, np.zeros(10))


def test_momentum_in_each_form_is_that_of_the_points(fc: Compiled, rng: Rng) -> None:
    body, v = Cloud.random(rng), rng.normal(size=6)
    momentum, size = body.matrix @ v, body.size * float(np.abs(v).sum())
    close(fc, fc.call.central_multiply(body.central, v).f, momentum, size)
    close(fc, fc.call.unit_multiply(body.unit, v).f, momentum, size)


# --- between the forms ------------------------------------------------------------------------------------


def test_all_forms_describe_one_cloud(fc: Compiled, rng: Rng) -> None:
    call, body = fc.call, Cloud.random(rng)
    m, c, I_com = body.mass, body.com, body.inertia_about(body.com)[UPPER]
    pairs = [
        (call.central_from_com(m, c, I_com).C_O, body.central),
        (call.unit_from_central(m, c, I_com).U_O, body.unit),
        (call.inertia_to_central(body.inertia).C_O, body.central),
        (call.central_to_inertia(body.central).I_O, body.inertia),
        (call.inertia_to_unit(body.inertia).U_O, body.unit),
        (call.unit_to_inertia(body.unit).I_O, body.inertia),
        (call.inertia_to_pseudo(body.inertia).P, body.pseudo),
        (call.inertia_from_pseudo(body.pseudo).I_O, body.inertia),
    ]
    for found, expected in pairs:
        close(fc, found, expected, body.size / min(1, body.mass))


def test_conversions_round_trip(fc: Compiled, rng: Rng) -> None:
    call, body = fc.call, Cloud.random(rng)
    I_O, size = body.inertia, body.size / min(1, body.mass)
    close(fc, call.central_to_inertia(call.inertia_to_central(I_O).C_O).I_O, I_O, size, calls=2)
    close(fc, call.unit_to_inertia(call.inertia_to_unit(I_O).U_O).I_O, I_O, size, calls=2)
    close(fc, call.inertia_from_pseudo(call.inertia_to_pseudo(I_O).P).I_O, I_O, size, calls=2)


DIVIDING = ("inertia_to_central", "central_to_inertia", "inertia_to_unit")


@pytest.mark.parametrize("kernel", DIVIDING)
def test_conversions_that_divide_refuse_no_mass(fc: Compiled, rng: Rng, kernel: str) -> None:
    form = Cloud.random(rng).inertia
    for m in (0, -1, fc.min, fc.min / 4, np.nan):
        result = getattr(fc.call, kernel)(np.append(m, form[1:]))
        assert result.status == MASS
        same(result[0], np.zeros(10))
        result = fc.call.unit_from_central(m, form[1:4], form[4:])
        assert result.status == MASS
        same(result.U_O, np.zeros(10))


@pytest.mark.parametrize("kernel", DIVIDING)
def test_conversions_that_overflow_give_zeros(fc: Compiled, kernel: str) -> None:
    large = np.sqrt(fc.max)
    result = getattr(fc.call, kernel)([1 / large, *3 * [large], *6 * [large]])
    assert result.status == NOT_FINITE
    same(result[0], np.zeros(10))


def test_from_pseudo_reads_the_upper_triangle(fc: Compiled, rng: Rng) -> None:
    P = Cloud.random(rng).pseudo
    same(fc.call.inertia_from_pseudo(np.triu(P)).I_O, fc.call.inertia_from_pseudo(P).I_O)


def test_the_pseudo_inertia_of_a_body_is_semidefinite(fc: Compiled, rng: Rng) -> None:
    for count, rank in ((1, 1), (2, 2), (3, 3), (5, 4)):
        body = Cloud.random(rng, count)
        P = np.reshape(fc.call.inertia_to_pseudo(body.inertia).P, (4, 4)).astype(float)
        values = np.linalg.eigvalsh(P)
        assert values[0] > -32 * fc.eps * body.size
        assert np.linalg.matrix_rank(P, tol=64 * fc.eps * body.size) == rank


def test_linear_first_is_the_cloud_with_halves_exchanged(fc: Compiled, rng: Rng) -> None:
    body = Cloud.random(rng)
    M = fc.call.inertia_to_matrix_linear_first(body.inertia).M
    close(fc, M, SWAP @ body.matrix @ SWAP, body.size)
    same(M, np.reshape(M, (6, 6)).T)


def test_ksl_packing_with_its_centre_elsewhere(fc: Compiled, rng: Rng) -> None:
    """[[m 1, -t~], [t~, R Jc R^T - t~ r~]], t = m r, of KSL's page with its typing errors corrected."""
    body, T = Cloud.random(rng), random_pose(rng)
    m, t, Jc = (lambda C: (C[0], C[1:4], C[4:]))(fc.call.central_transform(T, body.central).C_A.astype(float))
    full = np.zeros((3, 3))
    full[UPPER] = Jc
    full = full + np.triu(full, 1).T
    M = np.block([[m * np.eye(3), -skew(t)], [skew(t), full - skew(t) @ skew(t / m)]])
    moved = body.seen_from(T)
    close(fc, M, SWAP @ moved.matrix @ SWAP, moved.size + body.size)


# --- the unit set -----------------------------------------------------------------------------------------


def test_unit_inertia_follows_the_cloud(fc: Compiled, rng: Rng) -> None:
    body, other, R, p = Cloud.random(rng), Cloud.random(rng), random_rotation(rng), rng.normal(size=3)
    size = (body.size + other.size + float(p @ p) * body.mass) / min(1, body.mass, other.mass)
    shifted, turned = Cloud(body.m, body.r - p), body.seen_from(pose(R, np.zeros(3)))
    close(fc, fc.call.unit_shift(p, body.unit).U_Q, shifted.unit, size)
    close(fc, fc.call.unit_reexpress(R, body.unit).U_A, turned.unit, size)
    close(fc, fc.call.unit_add(body.unit, other.unit).U_sum, (body + other).unit, size)


def test_unit_shifts_add(fc: Compiled) -> None:
    """With whole numbers, to the bit."""
    U = np.array([3, 1, -2, 4, 30, 2, -4, 27, 8, 11])
    a, b = np.array([1, -2, 3]), np.array([5, 4, -7])
    once = fc.call.unit_shift(a + b, U).U_Q
    same(fc.call.unit_shift(a, fc.call.unit_shift(b, U).U_Q).U_Q, once)
    same(fc.call.unit_shift(-a - b, once).U_Q, U)


def test_unit_inertia_lives_without_mass(fc: Compiled, rng: Rng) -> None:
    """Shifts and rotations of a shape do not depend on its mass."""
    U, R, p = Cloud.random(rng).unit, random_rotation(rng), rng.normal(size=3)
    ghost = np.append(0, U[1:])
    for kernel, argument in ((fc.call.unit_shift, p), (fc.call.unit_reexpress, R)):
        result = kernel(argument, ghost)[0]
        same(result[1:], kernel(argument, U)[0][1:])
        assert result[0] == 0
        assert np.abs(result[1:]).min() > 0
    same(fc.call.unit_multiply(ghost, rng.normal(size=6)).f, np.zeros(6))
    same(fc.call.unit_to_inertia(ghost).I_O, np.zeros(10))


def test_adding_units_without_mass(fc: Compiled, rng: Rng) -> None:
    first, second = (Cloud.random(rng).unit.astype(fc.dtype) for _ in range(2))
    ghost, other = np.append(0, first[1:]), np.append(0, second[1:])
    same(fc.call.unit_add(ghost, other).U_sum, ghost)
    same(fc.call.unit_add(other, ghost).U_sum, other)
    same(fc.call.unit_add(first, np.append(-first[0], second[1:])).U_sum, ghost)
    close(fc, fc.call.unit_add(first, other).U_sum, first, 10)
    close(fc, fc.call.unit_add(ghost, second).U_sum, second, 10)


# --- shapes -----------------------------------------------------------------------------------------------


def diagonal(fc: Compiled, kernel: str, *arguments: float) -> Array:
    """Jxx, Jyy, Jzz of a shape, whose other parts are checked here."""
    result = getattr(fc.call, kernel)(*arguments)
    assert result.status == 0
    m, *h, xx, xy, xz, yy, yz, zz = result.I_O
    assert m == fc.dtype(arguments[0])
    same([*h, xy, xz, yz], np.zeros(6))
    return np.array([xx, yy, zz])


@pytest.mark.parametrize(
    ("kernel", "arguments", "expected"),
    [
        ("solid_box_inertia", (12, 1, 2, 3), (13, 10, 5)),
        ("solid_sphere_inertia", (5, 2), (8, 8, 8)),
        ("solid_cylinder_inertia", (12, 1, 2), (7, 7, 6)),
        ("solid_ellipsoid_inertia", (5, 1, 2, 3), (13, 10, 5)),
        ("solid_cone_inertia", (20, 1, 4), (15, 15, 6)),
        ("solid_capsule_inertia", (120, 3, 4), (941, 941, 486)),
        ("hollow_cylinder_inertia", (12, 1, 2), (10, 10, 12)),
        ("hollow_sphere_inertia", (3, 2), (8, 8, 8)),
        ("thin_rod_inertia", (12, 3), (9, 9, 0)),
        ("point_mass_inertia", (4,), (0, 0, 0)),
    ],
)
def test_shapes_have_their_textbook_inertia(
    fc: Compiled, kernel: str, arguments: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    close(fc, diagonal(fc, kernel, *arguments), expected, sum(expected) / 4)
    same(diagonal(fc, kernel, 0, *arguments[1:]), np.zeros(3))


def grid(n: int = 40) -> Array:
    """Midpoints of n^3 cells of the cube from -1 to 1."""
    x = (2 * np.arange(n) + 1) / n - 1
    return np.stack(np.meshgrid(x, x, x), -1).reshape(-1, 3)


def mean_inertia(points: Array, m: float) -> Array:
    """Diagonal of J, the mass spread evenly over the points."""
    squares = m * np.mean(points**2, axis=0)
    return np.asarray(squares.sum() - squares)


def test_shapes_are_what_their_points_add_up_to(fc: Compiled) -> None:
    cube = grid()
    ball = cube[np.linalg.norm(cube, axis=1) < 1]
    rod = cube[np.linalg.norm(cube[:, :2], axis=1) < 1]
    cone = cube[np.linalg.norm(cube[:, :2], axis=1) < (1 - cube[:, 2]) / 2]
    tall = cube * [1, 1, 2]
    beyond = np.maximum(np.abs(tall[:, 2]) - 1, 0)
    pill = tall[np.linalg.norm([*tall[:, :2].T, beyond], axis=0) < 1]
    shell = ball / np.linalg.norm(ball, axis=1)[:, None]
    tube = np.column_stack([rod[:, :2] / np.linalg.norm(rod[:, :2], axis=1)[:, None], rod[:, 2]])
    m, a, b, c = 3, 0.5, 1.5, 2.0
    bodies = {
        ("solid_box_inertia", 2 * a, 2 * b, 2 * c): cube * [a, b, c],
        ("solid_sphere_inertia", b): b * ball,
        ("solid_cylinder_inertia", a, 2 * c): rod * [a, a, c],
        ("solid_ellipsoid_inertia", a, b, c): ball * [a, b, c],
        ("solid_cone_inertia", a, 2 * c): (cone + np.array([0, 0, 0.5])) * [a, a, c],
        ("solid_capsule_inertia", b, 2 * b): pill * b,
        ("hollow_cylinder_inertia", a, 2 * c): tube * [a, a, c],
        ("hollow_sphere_inertia", c): c * shell,
        ("thin_rod_inertia", 2 * c): cube * [0, 0, c],
    }
    for (kernel, *sizes), points in bodies.items():
        found = diagonal(fc, str(kernel), m, *map(float, sizes))
        np.testing.assert_allclose(found, mean_inertia(points, m), rtol=0.01)


def test_shapes_pass_into_each_other(fc: Compiled) -> None:
    rod = diagonal(fc, "thin_rod_inertia", 2, 3)
    close(fc, diagonal(fc, "solid_cylinder_inertia", 2, 0, 3), rod, 1)
    close(fc, diagonal(fc, "solid_box_inertia", 2, 0, 0, 3), rod, 1)
    ball = diagonal(fc, "solid_sphere_inertia", 2, 3)
    close(fc, diagonal(fc, "solid_ellipsoid_inertia", 2, 3, 3, 3), ball, 7)
    same(diagonal(fc, "solid_sphere_inertia", 2, 0), np.zeros(3))
    close(fc, diagonal(fc, "solid_capsule_inertia", 2, 3, 0), ball, 7)
    close(fc, diagonal(fc, "solid_capsule_inertia", 2, 0, 3), rod, 1)
    same(diagonal(fc, "solid_capsule_inertia", 2, 0, 0), np.zeros(3))


SIZES = {
    "solid_box_inertia": 3,
    "solid_sphere_inertia": 1,
    "solid_cylinder_inertia": 2,
    "solid_ellipsoid_inertia": 3,
    "solid_cone_inertia": 2,
    "solid_capsule_inertia": 2,
    "hollow_cylinder_inertia": 2,
    "hollow_sphere_inertia": 1,
    "thin_rod_inertia": 1,
    "point_mass_inertia": 0,
}


@pytest.mark.parametrize("kernel", SIZES)
def test_shapes_refuse_what_is_no_size(fc: Compiled, kernel: str) -> None:
    for place in range(1 + SIZES[kernel]):
        for bad in (-1.0, -fc.min, np.nan, -np.inf):
            arguments = np.ones(1 + SIZES[kernel])
            arguments[place] = bad
            result = getattr(fc.call, kernel)(*arguments)
            assert result.status == NOT_PHYSICAL
            same(result.I_O, np.zeros(10))
        arguments[place] = np.inf
        result = getattr(fc.call, kernel)(*arguments)
        assert result.status == NOT_FINITE
        same(result.I_O, np.zeros(10))


@pytest.mark.parametrize(
    ("kernel", "arguments", "rank"),
    [
        ("point_mass_inertia", (2,), 3),
        ("thin_rod_inertia", (2, 3), 5),
        ("solid_box_inertia", (2, 1, 3, 2), 6),
    ],
)
def test_ranks_of_point_rod_and_body(
    fc: Compiled, rng: Rng, kernel: str, arguments: tuple[float, ...], rank: int
) -> None:
    I_A = fc.call.inertia_transform(random_pose(rng), getattr(fc.call, kernel)(*arguments).I_O).I_A
    for matrix in (fc.call.inertia_to_matrix(I_A).M, fc.call.inertia_to_matrix_linear_first(I_A).M):
        values = np.linalg.eigvalsh(np.reshape(matrix, (6, 6)).astype(float))
        assert values[0] > -32 * fc.eps * values[-1]
        assert np.sum(values > 100 * fc.eps * values[-1]) == rank


# --- matrices of spatial algebra --------------------------------------------------------------------------


def columns(kernel: Any, first: Array) -> Array:
    """The matrix of a kernel that is linear in its second argument."""
    return np.array([kernel(first, unit)[0] for unit in np.eye(6)]).T


def test_matrices_do_what_the_kernels_do(fc: Compiled, rng: Rng) -> None:
    call, T, v = fc.call, random_pose(rng), rng.normal(size=6)
    for name, argument in (
        ("motion_transform", T),
        ("force_transform", T),
        ("motion_cross", v),
        ("force_cross", v),
    ):
        matrix = getattr(call, f"{name}_matrix")(argument)[0]
        close(fc, matrix, columns(getattr(call, name), argument), 10)
    for name in ("motion_transform_matrix", "force_transform_matrix"):
        matrix = np.reshape(getattr(call, name)(T).X, (6, 6))
        same(getattr(call, f"{name}_linear_first")(T).X, SWAP @ matrix @ SWAP)


def random_articulated(rng: Rng) -> tuple[Array, Array]:
    """A positive definite 6x6 matrix, and its 21 numbers."""
    root = rng.normal(size=(6, 6))
    M = root @ root.T + np.eye(6)
    return M, np.concatenate([M[:3, :3][UPPER], M[:3, 3:].ravel(), M[3:, 3:][UPPER]])


def test_articulated_to_matrix(fc: Compiled, rng: Rng) -> None:
    M, IA = random_articulated(rng)
    same(fc.call.articulated_to_matrix(IA).M, M.astype(fc.dtype))
    v = rng.normal(size=6)
    close(fc, fc.call.articulated_multiply(IA, v).f, M @ v, 20 * float(np.abs(M).max()))


# --- a joint ----------------------------------------------------------------------------------------------


def test_reduce_is_elimination_of_the_joint(fc: Compiled, rng: Rng) -> None:
    """f = IA (a + c + S x) + pA with S.f = tau, solved for f and x together, is Ia a + pa."""
    M, IA = random_articulated(rng)
    pA, S, c, tau = rng.normal(size=6), rng.normal(size=6), rng.normal(size=6), float(rng.normal())
    system = np.block([[np.eye(6), -(M @ S)[:, None]], [S[None, :], np.zeros((1, 1))]])
    found = fc.call.articulated_reduce(IA, pA, S, c, tau)
    assert found.status == 0
    Ia = np.reshape(fc.call.articulated_to_matrix(found.Ia).M, (6, 6)).astype(float)
    size = 10 * float(np.abs(M).max()) * np.linalg.cond(M)
    for a in (np.zeros(6), *np.eye(6)):
        *f, x = np.linalg.solve(system, np.append(M @ (a + c) + pA, tau))
        close(fc, Ia @ a + found.pa, f, size)
        close(fc, (found.u - found.U @ (a + c)) / found.D, x, size)
    close(fc, Ia @ S, np.zeros(6), size)
    close(fc, [*found.U, found.D, found.u], [*(M @ S), S @ M @ S, tau - S @ pA], size)


def test_a_joint_without_inertia_is_rigid(fc: Compiled, rng: Rng) -> None:
    """A point mass has no inertia about itself, and a massless leaf none at all."""
    pA, c, tau = rng.normal(size=6), rng.normal(size=6), 0.7
    point = fc.call.articulated_from_inertia(fc.call.point_mass_inertia(2).I_O).IA_O
    _, body = random_articulated(rng)
    turn = np.array([0.6, 0.8, 0, 0, 0, 0])
    for IA, S in ((point, turn), (np.zeros(21), turn), (body, np.zeros(6))):
        found = fc.call.articulated_reduce(IA, pA, S, c, tau)
        assert found.status == SINGULAR
        same(found.Ia, IA.astype(fc.dtype))
        close(fc, found.pa, pA + fc.call.articulated_multiply(IA, c).f, 200)
        assert found.D == 0
        close(fc, found.u, tau - S @ pA, 5)
    assert fc.call.articulated_reduce(point, pA, np.roll(turn, 3), c, tau).status == 0


def test_a_joint_whose_inertia_is_rounding_is_rigid(fc: Compiled, rng: Rng) -> None:
    """A rod far from the origin: its inertia about its own axis is only rounding."""
    rod = fc.call.inertia_transform(random_pose(rng), fc.call.thin_rod_inertia(1, 1).I_O).I_A
    IA = fc.call.articulated_from_inertia(rod).IA_O
    axis = np.linalg.eigh(np.reshape(fc.call.inertia_to_matrix(rod).M, (6, 6)).astype(float))[1][:, 0]
    found = fc.call.articulated_reduce(IA, np.zeros(6), axis, np.zeros(6), 1)
    assert found.status == SINGULAR
    same(found.Ia, IA)


@pytest.mark.parametrize(("name", "n"), [("articulated_reduce_two", 2), ("articulated_reduce_three", 3)])
def test_several_directions_are_eliminated_together(fc: Compiled, rng: Rng, name: str, n: int) -> None:
    """f = IA (a + c + S x) + pA with S^T f = tau, solved for f and x together, is Ia a + pa."""
    M, IA = random_articulated(rng)
    pA, S, c, tau = rng.normal(size=6), rng.normal(size=(6, n)), rng.normal(size=6), rng.normal(size=n)
    system = np.block([[np.eye(6), -M @ S], [S.T, np.zeros((n, n))]])
    found = getattr(fc.call, name)(IA, pA, S, c, tau)
    assert found.status == 0
    Ia = np.reshape(fc.call.articulated_to_matrix(found.Ia).M, (6, 6)).astype(float)
    U, D_inv = np.reshape(found.U, (6, n)).astype(float), np.zeros((n, n))
    D_inv[np.triu_indices(n)] = found.D_inv
    D_inv = D_inv + np.triu(D_inv, 1).T
    size = 10 * float(np.abs(M).max()) * np.linalg.cond(M) * np.linalg.cond(S.T @ M @ S)
    for a in (np.zeros(6), *np.eye(6)):
        solution = np.linalg.solve(system, np.append(M @ (a + c) + pA, tau))
        close(fc, Ia @ a + found.pa, solution[:6], size)
        close(fc, D_inv @ (found.u - U.T @ (a + c)), solution[6:], size)
    close(fc, Ia @ S, np.zeros((6, n)), size)


def test_a_ball_joint_through_the_centre_of_mass_leaves_a_point_mass(fc: Compiled) -> None:
    """What hangs on a ball joint at its centre of mass is felt as its mass alone."""
    body = fc.call.solid_box_inertia(3, 0.4, 0.7, 0.2).I_O
    IA = fc.call.articulated_from_inertia(body).IA_O
    S_q = fc.call.joint_spherical([1, 0, 0, 0]).S_q
    zero = np.zeros(6)
    found = fc.call.articulated_reduce_three(IA, zero, S_q, zero, np.array([1.0, 2, 3]))
    assert found.status == 0
    same(found.Ia, fc.call.articulated_from_inertia(fc.call.point_mass_inertia(3).I_O).IA_O)
    moments = np.array([3 * (0.7**2 + 0.2**2), 3 * (0.4**2 + 0.2**2), 3 * (0.4**2 + 0.7**2)]) / 12
    close(fc, np.array(found.D_inv)[[0, 3, 5]] * found.u, np.array([1, 2, 3]) / moments, 200)
    close(fc, found.pa, [1, 2, 3, 0, 0, 0], 5)


def test_one_direction_without_inertia_holds_the_joint(fc: Compiled, rng: Rng) -> None:
    """The two directions of a universal joint on a rod, of which one is the rod's own axis; equal columns."""
    pA, c, tau = rng.normal(size=6), rng.normal(size=6), rng.normal(size=2)
    rod = fc.call.articulated_from_inertia(fc.call.thin_rod_inertia(1, 1).I_O).IA_O
    along = int(np.argmin(np.diag(np.reshape(fc.call.articulated_to_matrix(rod).M, (6, 6)))[:3]))
    columns = [np.eye(6)[(along + 1) % 3], np.eye(6)[along]]
    _, IA = random_articulated(rng)
    for inertia, S in ((rod, columns), (rod, columns[::-1]), (IA, [np.ones(6), np.ones(6)])):
        found = fc.call.articulated_reduce_two(inertia, pA, np.column_stack(S), c, tau)
        assert found.status == SINGULAR
        same(found.Ia, inertia.astype(fc.dtype))
        assert not np.any(found.D_inv)
        close(fc, found.pa, pA + fc.call.articulated_multiply(inertia, c).f, 200)


def hinge(axis: Any, point: Any) -> Array:
    """The motion [w; v] of a hinge about an axis through a point."""
    return np.concatenate([axis, np.cross(point, axis)])


def test_an_aileron_far_from_the_origin_turns(fc: Compiled) -> None:
    """20 kg, 1.5 m by 0.3 m, its hinge at the leading edge, 10 m aft of the origin (the nose)."""
    m, chord, at = 20.0, 0.3, np.array([-10.0, 8.0, 0.5])
    body = fc.call.solid_box_inertia(m, chord, 1.5, 0.02).I_O
    body = fc.call.inertia_translate(at - [chord / 2, 0, 0], body).I_A
    IA = fc.call.articulated_from_inertia(body).IA_O
    found = fc.call.articulated_reduce(IA, np.zeros(6), hinge([0, 1, 0], at), np.zeros(6), 1)
    assert found.status == 0
    exact = m * (chord**2 + 0.02**2) / 12 + m * chord**2 / 4
    assert pytest.approx(exact, abs=16 * fc.eps * m * 100) == found.D  # what is left of m |at|^2


@pytest.mark.parametrize("radius", [1.0, 3e-3, 1e-4, 1e-6])
@pytest.mark.parametrize("m", [1e-6, 1.0, 1e6])
def test_a_thin_shaft_turns(fc: Compiled, m: float, radius: float) -> None:
    """Its inertia is small compared to its mass, which has another unit; it must not be refused for that."""
    shaft = fc.call.articulated_from_inertia(fc.call.solid_cylinder_inertia(m, radius, 0.2).I_O).IA_O
    found = fc.call.articulated_reduce(shaft, np.zeros(6), hinge([0, 0, 1], [0, 0, 0]), np.zeros(6), 1)
    assert found.status == 0
    assert pytest.approx(m * radius**2 / 2, rel=4 * fc.eps) == found.D
    assert abs(found.Ia[5]) <= 4 * fc.eps * found.D


@pytest.mark.parametrize("place", range(21))
def test_nan_in_the_inertia_fails_both_guards(fc: Compiled, place: int) -> None:
    _, IA = random_articulated(np.random.default_rng(1))
    IA[place] = np.nan
    found = fc.call.articulated_reduce(IA, np.zeros(6), np.ones(6), np.zeros(6), 0)
    assert found.status == SINGULAR | NOT_FINITE
    assert not any(np.any(part) for part in found[:-1])
    found = fc.call.articulated_reduce_three(IA, np.zeros(6), np.eye(6)[:, :3], np.zeros(6), np.zeros(3))
    assert found.status & SINGULAR
    assert not np.any(found.D_inv)


# --- screw motion -----------------------------------------------------------------------------------------

TIMES = (-1.5, -0.2, 0.0, 0.3, 0.5, 1.0, 1.7, 3.0)


def screw(T_A0: Array, T_A1: Array, t: float) -> Array:
    """T_A0 expm(t logm(T_A0^-1 T_A1))."""
    start = homogeneous(T_A0)
    log = logm(np.linalg.inv(start) @ homogeneous(T_A1))
    return np.asarray(start @ expm(t * np.real(log)))[:3].T


def as_columns(T: Array) -> Array:
    """A pose's numbers as `screw` gives them: the columns of R, then p."""
    return homogeneous(T.astype(float))[:3].T


def turned(axis: Any, angle: float, p: Any = (0, 0, 0)) -> Array:
    unit = np.asarray(axis) / np.linalg.norm(axis)
    return pose(Rotation.from_rotvec(angle * unit).as_matrix(), np.asarray(p))


def test_interpolation_is_the_matrix_exponential(fc: Compiled, rng: Rng) -> None:
    T_A0, T_A1 = random_pose(rng), random_pose(rng)
    for t in TIMES:
        found = fc.call.transform_interpolate(T_A0, T_A1, t).T_At
        close(fc, as_columns(found), screw(T_A0, T_A1, t), 50)


def test_interpolation_meets_its_ends(fc: Compiled, rng: Rng) -> None:
    for T_A1 in (random_pose(rng), turned([1, 2, -2], np.pi, [1, 2, 3]), turned([0, 0, 1], 1e-9, [3, 0, 1])):
        T_A0 = random_pose(rng)
        close(fc, fc.call.transform_interpolate(T_A0, T_A1, 0).T_At, T_A0, 10)
        close(fc, fc.call.transform_interpolate(T_A0, T_A1, 1).T_At, T_A1, 10)


@pytest.mark.parametrize("exponent", sampled(range(-20, 1), every=4))
def test_interpolation_of_small_turns(fc: Compiled, exponent: int) -> None:
    """Below 1e-8 of a turn only its first order is left, t p - t (1 - t) / 2 turn x p."""
    turn, p = 10.0**exponent * np.array([2, -1, 2]) / 3, np.array([3, -1, 2])
    start, end = pose(np.eye(3), np.zeros(3)), turned(turn, 10.0**exponent, p)
    for t in TIMES:
        found = fc.call.transform_interpolate(start, end, t).T_At
        bowed = t * p - t * (1 - t) / 2 * np.cross(turn, p)
        expected = (
            screw(start, end, t) if exponent > -8 else as_columns(turned(turn, t * 10.0**exponent, bowed))
        )
        close(fc, as_columns(found), expected, 200)


def test_interpolation_of_a_translation_is_a_straight_line(fc: Compiled, rng: Rng) -> None:
    start = np.array([1, 0, 0, 0, 0, -1, 0, 1, 0, 2, 3, 4])
    end = np.append(start[:9], [-3, 5, 1])
    for t in TIMES:
        expected = np.append(start[:9], start[9:] + t * (end[9:] - start[9:]))
        close(fc, fc.call.transform_interpolate(start, end, t).T_At, expected, 10)
    same(fc.call.transform_interpolate(start, start, 0.3).T_At, start)


@pytest.mark.parametrize(
    ("axis", "positive"),
    [
        ([1, 0, 0], 1),
        ([-1, 0, 0], -1),
        ([0, 0, -1], -1),
        ([3, -4, 0], -1),
        ([1, 2, -2], 1),
        ([-1, -1, 1], -1),
    ],
)
def test_half_turns_go_about_the_axis_whose_first_largest_component_is_positive(
    fc: Compiled, axis: list[int], positive: int
) -> None:
    """The matrix is exact, so that both directions are equally long."""
    unit = np.asarray(axis) / np.linalg.norm(axis)
    end = pose(2 * np.outer(unit, unit) - np.eye(3), np.array([1, 2, 3]))
    start = pose(np.eye(3), np.zeros(3))
    about = unit * positive
    across = end[9:] - about * (about @ end[9:])
    for t in TIMES:
        angle = t * np.pi
        R = Rotation.from_rotvec(angle * about).as_matrix()
        centre = across / 2
        expected = pose(R, t * (end[9:] - across) + centre - R @ centre)
        found = fc.call.transform_interpolate(start, end, t).T_At
        if (
            fc.name == "f64" or len(np.flatnonzero(axis)) == 1
        ):  # else rounding may leave the other way shorter
            close(fc, found, expected, 50)
        close(fc, found[:9].reshape(3, 3) @ unit, unit, 10)


@pytest.mark.parametrize("distance", [1e-1, 1e-3, 1e-5])
def test_near_half_turns_take_the_shorter_way(fc: Compiled, distance: float) -> None:
    start, p = pose(np.eye(3), np.zeros(3)), np.array([1, 2, 3])
    for sign in (-1, 1):
        end = turned([1, 2, 2], np.pi + sign * distance, p)
        half = fc.call.transform_interpolate(start, end, 0.5).T_At.astype(float)
        expected = Rotation.from_rotvec(-sign * (np.pi - distance) / 6 * np.array([1, 2, 2])).as_matrix()
        close(fc, half[:9], expected, 10)


def test_interpolation_has_one_velocity(fc: Compiled, rng: Rng) -> None:
    T_A0, T_A1 = random_pose(rng), random_pose(rng)
    steps = []
    for t in TIMES:
        here, there = (homogeneous(fc.call.transform_interpolate(T_A0, T_A1, s).T_At) for s in (t, t + 0.25))
        steps.append(np.linalg.inv(here) @ there)
    for step in steps[1:]:
        close(fc, step, steps[0], 50)


# --- what it costs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kernel", "most"),
    [
        ("inertia_transform", 101),
        ("inertia_rotate", 71),
        ("inertia_translate", 30),
        ("central_transform", 77),
        ("unit_shift", 27),
        ("unit_multiply", 45),
        ("inertia_to_pseudo", 6),
        ("articulated_transform", 265),
        ("articulated_reduce", 231),
    ],
)
def test_multiplications_and_additions(kernel: str, most: int) -> None:
    """A division counts ten; without checks."""
    c = cost(optimised(kernels()[kernel], checks=False))
    assert c.mul + c.add + 10 * c.div <= most


def test_log_cholesky_parameters_are_those_of_the_factor(fc: Compiled, rng: Rng) -> None:
    """The pseudo-inertia is e^(2 alpha) U U^T, so that any ten numbers give a physical inertia."""
    theta = rng.uniform(-1, 1, 10).astype(fc.dtype).astype(float)
    alpha, d_1, d_2, d_3, s_12, s_23, s_13, *t = theta
    U = np.array(
        [
            [np.exp(d_1), s_12, s_13, t[0]],
            [0, np.exp(d_2), s_23, t[1]],
            [0, 0, np.exp(d_3), t[2]],
            [0, 0, 0, 1],
        ]
    )
    P = np.exp(2 * alpha) * U @ U.T
    I_O = fc.call.inertia_from_log_cholesky(theta).I_O
    close(fc, fc.call.inertia_to_pseudo(I_O).P, P, float(np.abs(P).max()))
    assert fc.call.inertia_validate(I_O).status == 0


def test_log_cholesky_parameters_come_back(fc: Compiled, rng: Rng) -> None:
    """Those of random numbers, and of a unit ball off the origin, of second moment 1 / 5 per mass."""
    for _ in range(20):
        theta = rng.uniform(-1, 1, 10).astype(fc.dtype).astype(float)
        found = fc.call.inertia_to_log_cholesky(fc.call.inertia_from_log_cholesky(theta).I_O)
        assert found.status == 0
        np.testing.assert_allclose(found.theta.astype(float), theta, rtol=0, atol=4000 * fc.eps)
    ball = fc.call.inertia_from_com(2, [1, 2, 3], np.array([1, 0, 0, 1, 0, 1]) * 0.8).I_O
    third = math.log(0.2) / 2
    expected = [math.log(2) / 2, third, third, third, 0, 0, 0, 1, 2, 3]
    found = fc.call.inertia_to_log_cholesky(ball).theta.astype(float)
    np.testing.assert_allclose(found, expected, rtol=0, atol=400 * fc.eps)


def test_what_has_no_extent_has_no_log_cholesky_parameters(fc: Compiled) -> None:
    """A point, a rod along x, a disc, a body whose moments break the triangle inequality, and NaN."""
    for J in ([0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1], [1, 0, 0, 1, 0, 2], [1, 0, 0, 1, 0, 3]):
        found = fc.call.inertia_to_log_cholesky([1, 0, 0, 0, *J])
        assert (found.status, *found.theta) == (8, *[0] * 10)
    assert fc.call.inertia_to_log_cholesky([0, 0, 0, 0, 1, 0, 0, 1, 0, 1]).status == 2 | 8
    for i in range(10):
        body = np.array([1, 0, 0, 0, 1, 0, 0, 1, 0, 1.0])
        body[i] = np.nan
        found = fc.call.inertia_to_log_cholesky(body)
        assert found.status != 0
        assert not found.theta.any()
