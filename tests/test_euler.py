"""Euler angles of all 24 sequences, compiled, against SciPy: at and near lock, and their rates."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from codegen.ir.status import Status
from codegen.library import library as library_kernels
from codegen.library.shared.sequences import SEQUENCES, Sequence
from codegen.verify.libraries import Library
from tests.conftest import Compiled, sampled

Array = NDArray[Any]

FEW = 12
"""In eps. At lock, what is left of the sine or cosine of the middle angle, up to 4 eps, is dropped from the
matrix; angles near pi and the products of their sines and cosines make up the rest."""

AXES = np.eye(3)
RIGHT = np.pi / 2
OUTER = [(0.0, 0.7, -2.5, RIGHT, 3.0, 1e-9, np.pi), (0.0, -1.1, 3.0, RIGHT, -3.0, 1.0, 0.4)]
"""First and last angles."""

DISTANCES = [0.0, *(10.0**-k for k in range(1, 17)), *(2.0**-k for k in (20, 21, 22, 49, 50, 51))]
"""From lock, in rad; the powers of two lie about the guards of 4 eps in float and double."""


def call(fc: Compiled, pattern: str, sequence: Sequence) -> Any:
    """The compiled function of a sequence."""
    return getattr(fc.call, pattern.replace("SEQ", sequence.suffix))


def scipys(sequence: Sequence, angles: Any) -> Rotation:
    """SciPy's rotation: its letters are upper case where they are intrinsic."""
    letters = sequence.letters.upper() if sequence.intrinsic else sequence.letters
    return Rotation.from_euler(letters, np.asarray(angles, float))


def scipys_angles(sequence: Sequence, rotation: Rotation) -> Array:
    """SciPy's angles; SciPy warns at gimbal lock."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        letters = sequence.letters.upper() if sequence.intrinsic else sequence.letters
        angles: Array = rotation.as_euler(letters)
        return angles


def rotation_of(q: Array) -> Rotation:
    """SciPy's rotation of [w, x, y, z]."""
    return Rotation.from_quat(np.roll(np.asarray(q, float), -1, axis=-1))


def half_turns_and_random(rng: np.random.Generator) -> Array:
    """Angles: all right angles in [-pi, pi], then random ones over more than a turn."""
    grid = [*itertools.product([-np.pi, -RIGHT, 0.0, RIGHT, np.pi], repeat=3)]
    return np.concatenate([grid, rng.uniform(-7, 7, (60, 3))])


def close(found: Any, expected: Any, tolerance: float) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)


def near_turn(found: Array, expected: Array, tolerance: Any) -> None:
    """Equal angles, whole turns apart."""
    apart = np.abs((np.asarray(found, float) - expected + np.pi) % (2 * np.pi) - np.pi)
    assert (apart <= tolerance).all(), (found, expected)


def from_lock(sequence: Sequence, middle: Any) -> Any:
    """Sine or cosine of the middle angle, zero at gimbal lock."""
    return np.abs(np.sin(middle) if sequence.proper else np.cos(middle))


def in_range(fc: Compiled, sequence: Sequence, angles: Array) -> bool:
    """The middle angle is in its range, and no angle leaves [-pi, pi]."""
    least, largest = (0, np.pi) if sequence.proper else (-RIGHT, RIGHT)
    inside = fc.dtype(least) <= angles[1] <= fc.dtype(largest)
    return bool(inside and np.abs(angles).max() <= fc.dtype(np.pi))


@pytest.mark.parametrize("sequence", sampled(SEQUENCES, every=2), ids=lambda s: s.suffix)
def test_matrices_and_quaternions_are_scipys(
    fc: Compiled, sequence: Sequence, rng: np.random.Generator
) -> None:
    matrix, quaternion = (call(fc, f"{kind}_from_euler_SEQ", sequence) for kind in ("dcm", "quat"))
    angles = half_turns_and_random(rng).astype(fc.dtype)
    for a, rotation in zip(angles, scipys(sequence, angles), strict=True):
        close(matrix(a).R_AB.reshape(3, 3), rotation.as_matrix(), 4 * fc.eps)
        q = quaternion(a).q_AB
        expected = np.roll(rotation.as_quat(), 1)
        close(q * np.sign(q @ expected), expected, 4 * fc.eps)


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda s: s.suffix)
def test_angles_are_scipys(fc: Compiled, sequence: Sequence, rng: np.random.Generator) -> None:
    """On all branches; the accuracy of the outer angles decreases with the distance from gimbal lock."""
    by_matrix, by_quaternion = (call(fc, f"euler_SEQ_from_{kind}", sequence) for kind in ("dcm", "quat"))
    q = rng.normal(size=(200, 4)).astype(fc.dtype)
    q[:50, rng.integers(4)] = 0
    rotations = rotation_of(q)
    expected = scipys_angles(sequence, rotations)
    matrices = rotations.as_matrix().astype(fc.dtype)
    for one, R, a in zip(q, matrices, expected, strict=True):
        loss = 1 / from_lock(sequence, a[1])
        for result in (by_matrix(R), by_quaternion(one), by_quaternion(-3 * one)):
            assert result.status == 0
            assert in_range(fc, sequence, result.angles)
            near_turn(result.angles, a, 8 * fc.eps * loss)


def reproduced(fc: Compiled, sequence: Sequence, angles: list[Array], matrices: list[Array]) -> None:
    """The matrices of the angles, ours and SciPy's; no angle leaves its range."""
    rebuild = call(fc, "dcm_from_euler_SEQ", sequence)
    close([rebuild(a).R_AB for a in angles], matrices, FEW * fc.eps)
    close(scipys(sequence, angles).as_matrix().reshape(-1, 9), matrices, FEW * fc.eps)
    assert all(in_range(fc, sequence, a) for a in angles)


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda s: s.suffix)
def test_right_angles_come_back(fc: Compiled, sequence: Sequence, rng: np.random.Generator) -> None:
    """Half turns may change sign, and angles at gimbal lock are not unique, but the attitude is kept."""
    matrix, quaternion = (call(fc, f"{kind}_from_euler_SEQ", sequence) for kind in ("dcm", "quat"))
    by_matrix, by_quaternion = (call(fc, f"euler_SEQ_from_{kind}", sequence) for kind in ("dcm", "quat"))
    found, expected = [], []
    for a in half_turns_and_random(rng):
        R, q = matrix(a).R_AB, quaternion(a).q_AB
        for result in (by_matrix(R), by_quaternion(q), by_quaternion(-q)):
            assert (result.status == Status.GIMBAL_LOCK) == (from_lock(sequence, a[1]) < 2 * fc.eps)
            found.append(result.angles)
            expected.append(R)
    reproduced(fc, sequence, found, expected)


def near_lock(sequence: Sequence, distance: float, side: int) -> Rotation:
    """Attitudes whose middle angle is this far from lock, without the rounding of pi / 2."""
    lock = (0 if side > 0 else np.pi) if sequence.proper else side * RIGHT
    inward = side if sequence.proper else -side
    first, middle, last = (AXES["xyz".index(letter)] for letter in sequence.letters)
    a, c = Rotation.from_rotvec(np.outer(OUTER[0], first)), Rotation.from_rotvec(np.outer(OUTER[1], last))
    b = Rotation.from_rotvec(lock * middle) * Rotation.from_rotvec(inward * distance * middle)
    return a * b * c if sequence.intrinsic else c * b * a


@pytest.mark.parametrize("sequence", sampled(SEQUENCES, every=2), ids=lambda s: s.suffix)
def test_the_attitude_is_reproduced_at_every_distance_from_lock(fc: Compiled, sequence: Sequence) -> None:
    by_matrix, by_quaternion = (call(fc, f"euler_SEQ_from_{kind}", sequence) for kind in ("dcm", "quat"))
    found, expected = [], []
    for distance, side in itertools.product(DISTANCES, (1, -1)):
        attitudes = near_lock(sequence, distance, side)
        matrices = attitudes.as_matrix().astype(fc.dtype).reshape(-1, 9)
        quaternions = np.roll(attitudes.as_quat(), 1, axis=1).astype(fc.dtype)
        kept = rotation_of(quaternions).as_matrix().reshape(-1, 9)
        for R, q, kept_R in zip(matrices, quaternions, kept, strict=True):
            results = by_matrix(R), by_quaternion(q), by_quaternion(q * fc.dtype(-3.7))
            for result in results:
                locked = result.status == Status.GIMBAL_LOCK
                assert locked or result.status == 0
                assert not locked or (result.angles[2] == 0 and distance < 8 * fc.eps)
                assert locked or distance > 2 * fc.eps
            found += [result.angles for result in results]
            expected += [R, kept_R, kept_R]
    reproduced(fc, sequence, found, expected)


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda s: s.suffix)
def test_at_lock_the_angles_are_scipys(library: Library, sequence: Sequence) -> None:
    """The third angle in the order of the letters is zero, extrinsic or intrinsic."""
    for side in (1, -1):
        for attitude in near_lock(sequence, 0, side):
            R, q = attitude.as_matrix(), np.roll(attitude.as_quat(), 1)
            expected = scipys_angles(sequence, attitude)
            assert expected[2] == 0
            for result in (
                getattr(library.f64, f"euler_{sequence.suffix}_from_dcm")(R),
                getattr(library.f64, f"euler_{sequence.suffix}_from_quat")(q),
            ):
                assert result.status == Status.GIMBAL_LOCK
                assert result.angles[2] == 0
                near_turn(result.angles, expected, 1e-7)  # SciPy takes the middle angle from a cosine


def test_no_rotation_and_no_direction(fc: Compiled) -> None:
    """The angles of the identity are zero; a quaternion without direction gives these, with a flag."""
    for sequence in SEQUENCES:
        lock = Status.GIMBAL_LOCK if sequence.proper else 0
        by_quaternion = call(fc, "euler_SEQ_from_quat", sequence)
        for result, status in (
            (call(fc, "euler_SEQ_from_dcm", sequence)(np.eye(3)), lock),
            (by_quaternion([2, 0, 0, 0]), lock),
            (by_quaternion(np.zeros(4)), lock | Status.ZERO_NORM),
            (by_quaternion([np.nan, 0, 0, 1]), lock | Status.ZERO_NORM | Status.NOT_FINITE),
            (by_quaternion([fc.max, 0, 0, 1]), lock | Status.NOT_FINITE),
        ):
            assert not result.angles.any()
            assert result.status == status
        for zeros in (call(fc, "quat_from_euler_SEQ", sequence), call(fc, "dcm_from_euler_SEQ", sequence)):
            found = zeros(np.zeros(3))[0].ravel()
            assert set(found) <= {0, 1}
            assert found[0] == 1


def rate_axes(sequence: Sequence, angles: Any) -> Array:
    """The columns w_B for each angle's rate of 1, by central differences of SciPy's rotation."""
    step = 1e-5
    before, after = (scipys(sequence, angles + t * AXES) for t in (-step, step))
    columns: Array = (before.inv() * after).as_rotvec() / (2 * step)
    return columns.T


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda s: s.suffix)
def test_rates_are_those_of_the_attitude(fc: Compiled, sequence: Sequence, rng: np.random.Generator) -> None:
    rates = call(fc, "euler_SEQ_kinematics", sequence)
    velocity = call(fc, "euler_SEQ_kinematics_inverse", sequence)
    for angles, w in zip(rng.uniform(-4, 4, (40, 3)), rng.normal(size=(40, 3)), strict=True):
        angles, w = angles.astype(fc.dtype), w.astype(fc.dtype)
        E = rate_axes(sequence, angles.astype(float))
        close(velocity(angles, w).w_B, E @ w, 8 * fc.eps + 1e-8)
        result = rates(angles, w)
        loss = 1 / from_lock(sequence, float(angles[1]))
        assert result.status == 0
        close(E @ result.dangles, w, (16 * fc.eps + 1e-8) * loss)
        close(velocity(angles, result.dangles).w_B, w, 16 * fc.eps * loss)


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda s: s.suffix)
def test_rates_at_lock_are_least_squares(fc: Compiled, sequence: Sequence) -> None:
    """On both sides of the guard of sqrt(eps): inside, the third rate is zero; outside, all is kept."""
    rates = call(fc, "euler_SEQ_kinematics", sequence)
    velocity = call(fc, "euler_SEQ_kinematics_inverse", sequence)
    guard, w = np.sqrt(fc.eps), np.array([0.1, -0.2, 0.3])
    for lock in (0.0, np.pi) if sequence.proper else (RIGHT, -RIGHT, 3 * RIGHT):
        for away in (0, guard / 2, -guard / 2):
            angles = np.array([0.6, lock + away, -0.4])
            result = rates(angles, w)
            expected = np.linalg.lstsq(rate_axes(sequence, angles)[:, :2], w, rcond=None)[0]
            assert result.status == Status.GIMBAL_LOCK
            assert result.dangles[2] == 0
            close(result.dangles[:2], expected, 8 * fc.eps + 1e-9)
        outside = np.array([0.6, lock + 2 * guard, -0.4])
        result = rates(outside, w)
        assert result.status == 0
        close(velocity(outside, result.dangles).w_B, w, 4 * guard)  # roundings of rates of 1 / guard


def test_intrinsic_is_extrinsic_read_backwards(fc: Compiled, rng: np.random.Generator) -> None:
    extrinsic = {s.letters: s for s in SEQUENCES if not s.intrinsic}
    for sequence in (s for s in SEQUENCES if s.intrinsic):
        backwards = extrinsic[sequence.letters[::-1]]
        angles, v = rng.uniform(-1.4, 1.4, (2, 3))
        for pattern in ("quat_from_euler_SEQ", "dcm_from_euler_SEQ"):
            found, expected = (call(fc, pattern, s) for s in (sequence, backwards))
            close(found(angles)[0], expected(angles[::-1])[0], 4 * fc.eps)
        found, expected = (call(fc, "euler_SEQ_kinematics_inverse", s) for s in (sequence, backwards))
        close(found(angles, v).w_B, expected(angles[::-1], v[::-1]).w_B, 4 * fc.eps)


def test_roll_pitch_yaw_is_the_sequence_xyz() -> None:
    """The same mathematics gives the same Program, except for the names of intermediate results."""
    kernels = library_kernels()
    for euler, rpy in (
        ("quat_from_euler_xyz", "quat_from_rpy"),
        ("dcm_from_euler_xyz", "dcm_from_rpy"),
        ("euler_xyz_from_quat", "rpy_from_quat"),
        ("euler_xyz_from_dcm", "rpy_from_dcm"),
        ("euler_xyz_kinematics", "rpy_kinematics"),
        ("euler_xyz_kinematics_inverse", "rpy_kinematics_inverse"),
    ):
        assert kernels[euler].program().nodes == kernels[rpy].program().nodes


def test_every_kernel_says_which_product_it_is() -> None:
    kernels = library_kernels()
    assert sum(k.module == "euler" for k in kernels.values()) == 144
    for name, product in (
        ("dcm_from_euler_xyz", "Rz(a_2) Ry(a_1) Rx(a_0)"),
        ("dcm_from_euler_zyx_intrinsic", "Rz(a_0) Ry(a_1) Rx(a_2)"),
        ("euler_zxz_from_dcm", "Rz(a_2) Rx(a_1) Rz(a_0)"),
        ("euler_zxz_intrinsic_from_quat", "Rz(a_0) Rx(a_1) Rz(a_2)"),
    ):
        described = [a.doc for a in (*kernels[name].inputs, *kernels[name].outputs) if a.name == "angles"]
        assert described == [f"`a_0, a_1, a_2`: `R_AB = {product}`"]
