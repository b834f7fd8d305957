"""Averages of attitudes on compiled C: against SciPy, and against decompositions in extended precision.

The nearest rotation has the condition s_1 / (s_2 + s_3) of the matrix's singular values, s_3 with the sign of
the determinant: errors are measured in multiples of eps times that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
from scipy.linalg import polar
from scipy.spatial.transform import Rotation, Slerp

from tests.conftest import Compiled
from tests.test_attitude import given, quaternion

Array = npt.NDArray[Any]

DEGENERATE = 64
ONE, EYE = np.array([1.0, 0, 0, 0]), np.eye(3)


def nearest(fc: Compiled, M: Array) -> tuple[Array, int]:
    result = fc.call.dcm_nearest(M)
    return result.R_AB.reshape(3, 3).astype(float), result.status


def exact(M: Array) -> tuple[Array, list[float]]:
    """The nearest rotation and the singular values, from a decomposition with 40 digits."""
    with mpmath.workdps(40):
        U, s, V = mpmath.svd_r(mpmath.matrix(M.tolist()))
        sign = mpmath.sign(mpmath.det(U * V))
        R = U * mpmath.diag([1, 1, sign]) * V
        return np.array(R.tolist(), dtype=float), [float(s[0]), float(s[1]), float(sign * s[2])]


def is_clear(s: Sequence[float], eps: float) -> bool:
    """Whether the singular values are those of a matrix that the header promises a result for."""
    gap = 8 * (s[0] + s[1]) * (s[0] + s[2]) * (s[1] + s[2]) ** 2
    return bool(gap > np.sqrt(eps) * sum(x * x for x in s) ** 2)


VALUES = [
    (1, 1, 1), (1, 1 + 1e-3, 1 - 1e-3), (1, 1 - 1e-7, 1 - 1e-12), (1, 0.7, 0.2), (1, 1, 0), (1, 0.1, 0.01),
    (1, 0.01, 0.01), (1, 0.03, -0.01), (1, 1, -0.5), (1, 0.5, -0.45), (1, 1, -0.97), (1, 1e-3, 1e-3),
    (1, 1e-4, 0), (1, 0.99, -0.98), (1, 1, -0.999),
]  # fmt: skip


@pytest.mark.parametrize("s", VALUES)
def test_the_nearest_rotation_of_any_condition(fc: Compiled, s: tuple[float, float, float]) -> None:
    """As accurate as the condition allows, also for matrices that are nearly reflections."""
    turns = Rotation.random(40, random_state=2).as_matrix()
    for left, right in zip(turns[::2], turns[1::2], strict=True):
        M = given(fc, left @ np.diag(s) @ right)
        expected, values = exact(M)
        R, status = nearest(fc, M)
        if not is_clear(values, fc.eps):
            assert status == DEGENERATE or is_clear(values, fc.eps * 0.9)
            continue
        assert status == 0 or not is_clear(values, fc.eps * 1.1)
        condition = values[0] / (values[1] + values[2]) * (1 + values[0] / (values[0] + values[2]))
        np.testing.assert_allclose(R, expected, rtol=0, atol=4 * fc.eps * max(condition, 1))
        np.testing.assert_allclose(R.T @ R, EYE, rtol=0, atol=8 * fc.eps)


def test_a_drifted_rotation_is_that_of_the_polar_decomposition(
    fc: Compiled, rng: np.random.Generator
) -> None:
    """All columns count: the error is smaller than that of Gram and Schmidt's axes, which keep the first."""
    ours, theirs = [], []
    for turn in Rotation.random(50, random_state=3).as_matrix():
        M = given(fc, turn + 0.01 * rng.uniform(-1, 1, (3, 3)))
        R, status = nearest(fc, M)
        assert status == 0
        np.testing.assert_allclose(R, exact(M)[0], rtol=0, atol=6 * fc.eps)
        np.testing.assert_allclose(R, polar(M)[0], rtol=0, atol=6 * fc.eps + 1e-14)  # SciPy's own error
        ours.append(np.linalg.norm(R - M))
        theirs.append(np.linalg.norm(fc.call.dcm_orthonormalize(M).R_unit.reshape(3, 3) - M))
    assert all(a <= b + fc.eps for a, b in zip(ours, theirs, strict=True))
    assert sum(ours) < 0.9 * sum(theirs)


def test_wahbas_problem_is_solved_as_scipy_does(fc: Compiled, rng: np.random.Generator) -> None:
    """Directions of stars and of the Sun, measured in B with noise and known in A."""
    for turn in Rotation.random(20, random_state=4):
        known = rng.normal(size=(5, 3))
        known /= np.linalg.norm(known, axis=1)[:, None]
        seen = turn.inv().apply(known) + 1e-3 * rng.normal(size=(5, 3))
        weights = rng.uniform(0.5, 2, 5)
        expected, _ = Rotation.align_vectors(known, seen, weights=weights)
        M = sum(w * np.outer(a, b) for w, a, b in zip(weights, known, seen, strict=True))
        R, status = nearest(fc, M)
        assert status == 0
        np.testing.assert_allclose(R, expected.as_matrix(), rtol=0, atol=40 * fc.eps)


def test_the_scale_of_a_matrix_does_not_matter(fc: Compiled, rng: np.random.Generator) -> None:
    """Powers of two change no bit, up to the ends of the range."""
    M = given(fc, rng.uniform(-1, 1, (3, 3)))
    expected, _ = nearest(fc, M)
    last = 120 if fc.dtype == np.float32 else 1018
    for exponent in (-last, -40, 1, 40, last):
        R, status = nearest(fc, np.ldexp(M, exponent))
        assert status == 0
        np.testing.assert_array_equal(R, expected)


def test_no_rotation_is_nearest(fc: Compiled) -> None:
    """To zero, to a dyad, to a reflection, and to numbers that are not finite."""
    dyad = np.outer([1, 2, 3], [1, -1, 2])
    for M in (0 * EYE, dyad, -EYE, np.diag([1, 1, -1]), np.diag([1, 0, 0]), np.full((3, 3), 1e-320)):
        R, status = nearest(fc, M)
        assert status == DEGENERATE
        np.testing.assert_array_equal(R, EYE)
    for bad, place in product((np.nan, np.inf, -np.inf), range(9)):
        M = EYE.copy()
        M.flat[place] = bad
        R, status = nearest(fc, M)
        assert status == DEGENERATE
        np.testing.assert_array_equal(R, EYE)


def test_the_mean_of_many_attitudes_is_scipys(fc: Compiled, rng: np.random.Generator) -> None:
    """Whatever the signs of the quaternions are; SciPy minimises the same weighted sum."""
    for spread in (0.01, 0.3, 1.0):
        for centre in Rotation.random(10, random_state=5):
            scattered = centre * Rotation.from_rotvec(spread * rng.uniform(-1, 1, (12, 3)))
            weights = rng.uniform(0, 2, 12)
            A = np.zeros(10)
            for q, w in zip(scattered, weights, strict=True):
                A = fc.call.quat_mean_add(A, rng.choice((-1, 1)) * quaternion(q), w).A_next
            result = fc.call.quat_mean(A)
            assert result.status == 0
            expected = quaternion(scattered.mean(weights))
            found = result.q_NB.astype(float)
            assert found[0] >= 0
            np.testing.assert_allclose(found * np.sign(found @ expected), expected, rtol=0, atol=16 * fc.eps)


def test_the_mean_of_one_attitude_is_that_attitude(fc: Compiled) -> None:
    for R in Rotation.random(20, random_state=6):
        q = quaternion(R) * (1 if quaternion(R)[0] > 0 else -1)
        A = fc.call.quat_mean_add(np.zeros(10), q, 3).A_next
        np.testing.assert_allclose(fc.call.quat_mean(A).q_NB, q, rtol=0, atol=4 * fc.eps)


def test_attitudes_that_have_no_mean(fc: Compiled) -> None:
    """None at all, two half a turn apart, all four unit quaternions, and numbers that are not finite."""
    apart = np.diag([1.0, 1, 0, 0])[np.triu_indices(4)]
    for A in (np.zeros(10), apart, np.eye(4)[np.triu_indices(4)], np.full(10, np.nan), np.full(10, np.inf)):
        result = fc.call.quat_mean(A)
        assert result.status == DEGENERATE
        np.testing.assert_array_equal(result.q_NB, ONE)


def pairs(n: int) -> Iterator[tuple[Rotation, Rotation]]:
    """Pairs of random attitudes."""
    return zip(Rotation.random(n, random_state=7), Rotation.random(n, random_state=8), strict=True)


def test_the_mean_of_two_attitudes_is_that_of_many(fc: Compiled, rng: np.random.Generator) -> None:
    """On the side of the first one, on the short arc."""
    for first, second in pairs(30):
        q_1, q_2 = quaternion(first), quaternion(second)
        w_1, w_2 = rng.uniform(0, 1, 2)
        result = fc.call.quat_mean_pair(q_1, w_1, q_2, w_2)
        assert result.status == 0
        q = result.q_mean.astype(float)
        assert q @ q_1 >= 0
        values, vectors = np.linalg.eigh(w_1 * np.outer(q_1, q_1) + w_2 * np.outer(q_2, q_2))
        expected = vectors[:, 3] * np.sign(vectors[:, 3] @ q_1)
        bound = 8 * fc.eps * values[3] / (values[3] - values[2])
        np.testing.assert_allclose(q, expected, rtol=0, atol=bound)


def test_the_mean_of_two_with_equal_weights_is_half_way(fc: Compiled) -> None:
    for first, second in pairs(20):
        expected = quaternion(Slerp([0, 1], Rotation.concatenate([first, second]))(0.5))
        q = fc.call.quat_mean_pair(quaternion(first), 2, quaternion(second), 2).q_mean.astype(float)
        np.testing.assert_allclose(q * np.sign(q @ expected), expected, rtol=0, atol=16 * fc.eps)


def test_a_weight_of_zero_leaves_the_other_attitude(fc: Compiled) -> None:
    q_1, q_2 = (quaternion(R) for R in Rotation.random(2, random_state=11))
    np.testing.assert_allclose(fc.call.quat_mean_pair(q_1, 1, q_2, 0).q_mean, q_1, atol=2 * fc.eps)
    side = np.sign(q_1 @ q_2)
    np.testing.assert_allclose(fc.call.quat_mean_pair(q_1, 0, q_2, 5).q_mean, side * q_2, atol=2 * fc.eps)


@pytest.mark.parametrize("weights", [(0, 0), (-1, 2), (1, -1e-30), (np.nan, 1), (np.inf, 1), (1, 1)])
def test_weights_without_a_mean_are_flagged(fc: Compiled, weights: tuple[float, float]) -> None:
    """The last are equal, of attitudes half a turn apart."""
    result = fc.call.quat_mean_pair(ONE, weights[0], [0, 1, 0, 0], weights[1])
    assert result.status & DEGENERATE
    np.testing.assert_array_equal(result.q_mean, ONE)
