"""Edge cases of the core kernels: singular attitudes, unphysical inertias, NaN, overflow, subnormal numbers.

A function that can fail says so in its status and then returns the finite values of its documentation. Its
guards are written so that NaN takes the failing side. Everything runs in double and in float.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from tests.conftest import Compiled, sampled

Array = npt.NDArray[Any]

NOT_FINITE, MASS, SINGULAR, NOT_PHYSICAL, GIMBAL_LOCK, ZERO_NORM = 1, 2, 4, 8, 16, 32
ONE = np.array([1.0, 0, 0, 0])
UPPER = np.triu_indices(3)
NAN, INF = np.nan, np.inf


def same(actual: Any, expected: Any) -> None:
    """Bitwise equal, except for the sign of zero."""
    np.testing.assert_array_equal(actual, expected)


# --- quaternions of no norm, or of too much ---------------------------------------------------------------

OF_ANY_NORM = {
    "quat_inverse": ONE,
    "quat_normalize": ONE,
    "quat_to_dcm": np.eye(3).ravel(),
    "rpy_from_quat": np.zeros(3),
}
"""What kernels that take any quaternion but zero return for one that they refuse."""


def threshold(fc: Compiled) -> float:
    """The largest q whose q.q is not above the smallest normal number: the root of a power of four."""
    return float(np.sqrt(fc.min))


@pytest.mark.parametrize("kernel", OF_ANY_NORM)
def test_a_quaternion_without_norm_is_refused(fc: Compiled, kernel: str) -> None:
    q = threshold(fc) * ONE
    for refused in (0 * q, q, -q, q / 1e3, np.full(4, fc.min), np.full(4, -fc.min / 4)):
        result = getattr(fc.call, kernel)(refused)
        assert result.status == ZERO_NORM
        same(result[0].ravel(), OF_ANY_NORM[kernel])


@pytest.mark.parametrize("kernel", OF_ANY_NORM)
def test_a_quaternion_whose_norm_overflows_is_refused(fc: Compiled, kernel: str) -> None:
    large = 2 * np.sqrt(fc.max)
    for refused in (large * ONE, -large * ONE, np.full(4, large), np.full(4, fc.max), [1, 2, -INF, 3]):
        result = getattr(fc.call, kernel)(refused)
        assert result.status == NOT_FINITE
        same(result[0].ravel(), OF_ANY_NORM[kernel])


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("kernel", OF_ANY_NORM)
def test_a_quaternion_with_nan_fails_both_guards(fc: Compiled, kernel: str, place: int) -> None:
    q = np.array([0.5, 0.5, 0.5, 0.5])
    q[place] = NAN
    result = getattr(fc.call, kernel)(q)
    assert result.status == ZERO_NORM | NOT_FINITE
    same(result[0].ravel(), OF_ANY_NORM[kernel])


def scales(fc: Compiled) -> list[float]:
    """Powers of two from just above the least accepted norm to just below the largest."""
    least, largest = np.log2(4 * threshold(fc)), np.log2(np.sqrt(fc.max) / 2)
    return [float(2.0 ** round(e)) for e in (least, least / 2, 0, largest / 2, largest)]


@pytest.mark.parametrize("q", [[0.9, 0, -0.7, 0.6], [0.1, 0.2, 0.3, 0.4], [0.7, 0.5, 0.1, -0.5]])
def test_the_norm_of_a_quaternion_does_not_matter(fc: Compiled, q: list[float]) -> None:
    """Scales are powers of two, so that results may differ only where a square under- or overflows."""
    quat, call = np.asarray(q, fc.dtype), fc.call
    for scale in scales(fc):
        for kernel in (call.quat_normalize, call.quat_to_dcm, call.rpy_from_quat):
            result = kernel(quat * fc.dtype(scale))
            assert result.status == 0
            np.testing.assert_allclose(result[0], kernel(quat)[0], rtol=0, atol=4 * fc.eps)
        inverse = call.quat_inverse(quat * fc.dtype(scale))
        assert inverse.status == 0
        expected = call.quat_inverse(quat).q_inv
        np.testing.assert_allclose(inverse.q_inv.astype(float) * scale, expected, rtol=8 * fc.eps)


# --- half turns -------------------------------------------------------------------------------------------

HALF = np.sqrt(0.5)
THIRD = np.sqrt(1 / 3)


@pytest.mark.parametrize(
    ("rows", "q"),
    [
        pytest.param([1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 0], id="none"),
        pytest.param([1, 0, 0, 0, -1, 0, 0, 0, -1], [0, 1, 0, 0], id="x"),
        pytest.param([-1, 0, 0, 0, 1, 0, 0, 0, -1], [0, 0, 1, 0], id="y"),
        pytest.param([-1, 0, 0, 0, -1, 0, 0, 0, 1], [0, 0, 0, 1], id="z"),
        pytest.param([0, 1, 0, 1, 0, 0, 0, 0, -1], [0, HALF, HALF, 0], id="xy-tie-x-positive"),
        pytest.param([0, -1, 0, -1, 0, 0, 0, 0, -1], [0, HALF, -HALF, 0], id="x-minus-y-tie-x-positive"),
        pytest.param([0, 0, -1, 0, -1, 0, -1, 0, 0], [0, HALF, 0, -HALF], id="x-minus-z-tie-x-positive"),
        pytest.param([-1, 0, 0, 0, 0, -1, 0, -1, 0], [0, 0, HALF, -HALF], id="y-minus-z-tie-y-positive"),
        pytest.param(
            [-1 / 3, 2 / 3, 2 / 3, 2 / 3, -1 / 3, 2 / 3, 2 / 3, 2 / 3, -1 / 3],
            [0, THIRD, THIRD, THIRD],
            id="diagonal",
        ),
        pytest.param(
            [-1 / 3, -2 / 3, -2 / 3, -2 / 3, -1 / 3, 2 / 3, -2 / 3, 2 / 3, -1 / 3],
            [0, THIRD, -THIRD, -THIRD],
            id="diagonal-x-positive",
        ),
        pytest.param([0, 0, 1, 1, 0, 0, 0, 1, 0], [0.5, 0.5, 0.5, 0.5], id="third-of-a-turn-four-way-tie"),
        pytest.param([0, -1, 0, 0, 0, 1, -1, 0, 0], [0.5, -0.5, 0.5, 0.5], id="third-of-a-turn-w-positive"),
        pytest.param([1, 0, 0, 0, 0, -1, 0, 1, 0], [HALF, HALF, 0, 0], id="quarter-turn-tie-of-trace-and-x"),
    ],
)
def test_half_turns_and_ties_have_one_quaternion(fc: Compiled, rows: list[float], q: list[float]) -> None:
    """w >= 0; at w = 0 the first largest component is positive."""
    result = fc.call.dcm_to_quat(rows).q_AB
    np.testing.assert_allclose(result, q, rtol=0, atol=2 * fc.eps)
    assert not np.signbit(result[0])


@pytest.mark.parametrize(
    "axis", [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [1, -1, 0], [-1, 2, -3]], ids=str
)
@pytest.mark.parametrize("exponent", range(-16, 0, 3))
def test_near_half_turns_reproduce_the_matrix(fc: Compiled, axis: list[float], exponent: int) -> None:
    unit = np.asarray(axis) / np.linalg.norm(axis)
    for angle in (np.pi - 10.0**exponent, np.pi, np.pi + 10.0**exponent):
        R = Rotation.from_rotvec(angle * unit).as_matrix()
        q = fc.call.dcm_to_quat(R).q_AB
        assert q[0] >= 0
        assert abs(np.linalg.norm(q.astype(float)) - 1) < 4 * fc.eps
        np.testing.assert_allclose(
            fc.call.quat_to_dcm_unit(q).R_AB.ravel(), R.ravel(), rtol=0, atol=8 * fc.eps
        )


# --- gimbal lock ------------------------------------------------------------------------------------------

FEW = 12
"""In eps. At lock, what is left of cos(theta), up to 4 eps, is dropped from a row and a column; angles near
pi and the products of their sines and cosines make up the rest."""

DISTANCES = [0.0, *(10.0**-k for k in range(1, 17)), *(2.0**-k for k in (20, 21, 22, 49, 50, 51))]
"""Of theta from 90 degrees, in rad; the powers of two lie about the guards of 4 eps in float and double."""


def turned(axis: int, cosine: float, sine: float) -> Array:
    """The active elementary rotation."""
    R, (i, j) = np.eye(3), [(1, 2), (2, 0), (0, 1)][axis]
    R[i, i] = R[j, j] = cosine
    R[i, j], R[j, i] = -sine, sine
    return R


def attitude_matrix(rpy: Any) -> Array:
    """R_NB by its definition, in double."""
    phi, theta, psi = np.asarray(rpy, float)
    x, y, z = (turned(i, np.cos(a), np.sin(a)) for i, a in enumerate((phi, theta, psi)))
    matrix: Array = z @ y @ x
    return matrix


def near_lock(distance: float, sign: int) -> Iterator[tuple[float, float, Array]]:
    """Roll, yaw and the attitude at this distance from the vertical, without the rounding of pi/2."""
    for phi, psi in [(0.0, 0.0), (0.7, -1.1), (-2.5, 3.0), (np.pi / 2, np.pi / 2), (3.0, -3.0), (1e-9, 1.0)]:
        pitched = turned(1, np.sin(distance), sign * np.cos(distance))
        rolled, yawed = turned(0, np.cos(phi), np.sin(phi)), turned(2, np.cos(psi), np.sin(psi))
        yield phi, psi, yawed @ pitched @ rolled


def quaternion_near_lock(phi: float, psi: float, distance: float, sign: int) -> Array:
    """The same attitude as a quaternion: sums of half angles, exact near gimbal lock."""
    half = sign * distance / 2
    c, s = np.cos(half) * HALF, np.sin(half) * HALF  # of theta / 2 = sign (pi / 4 - distance / 2)
    cos_theta, sin_theta = c + sign * s, sign * c - s
    cp, sp, cy, sy = np.cos(phi / 2), np.sin(phi / 2), np.cos(psi / 2), np.sin(psi / 2)
    x, y, z = [cp, sp, 0, 0], [cos_theta, 0, sin_theta, 0], [cy, 0, 0, sy]
    return hamilton(hamilton(np.array(z), np.array(y)), np.array(x))


def hamilton(p: Array, q: Array) -> Array:
    return np.append(p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))


def matrix_of(q: Array) -> Array:
    """SciPy's matrix of our quaternion, in double."""
    matrix: Array = Rotation.from_quat(np.roll(q.astype(float), -1)).as_matrix()
    return matrix


@pytest.mark.parametrize("sign", [1, -1], ids=["up", "down"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_angles_reproduce_the_attitude_at_every_distance_from_lock(
    fc: Compiled, distance: float, sign: int
) -> None:
    for phi, psi, R in near_lock(distance, sign):
        given_R = R.astype(fc.dtype)
        given_q = quaternion_near_lock(phi, psi, distance, sign).astype(fc.dtype)
        for result, expected in (
            (fc.call.rpy_from_dcm(given_R), given_R),
            (fc.call.rpy_from_quat(given_q), matrix_of(given_q)),
            (fc.call.rpy_from_quat(given_q * fc.dtype(-3.7)), matrix_of(given_q)),
        ):
            np.testing.assert_allclose(attitude_matrix(result.rpy), expected, rtol=0, atol=FEW * fc.eps)
            rebuilt = fc.call.dcm_from_rpy(result.rpy).R_NB.reshape(3, 3)
            np.testing.assert_allclose(rebuilt, expected, rtol=0, atol=FEW * fc.eps)
            locked = result.status == GIMBAL_LOCK
            assert locked or result.status == 0
            assert not locked or (result.rpy[2] == 0 and distance < 8 * fc.eps)
            assert locked or distance > 2 * fc.eps


@pytest.mark.parametrize("distance", [0.9, 0.1, 1e-3, 1e-6, 1e-9, 0.0])
def test_the_norm_of_a_quaternion_does_not_matter_near_lock(fc: Compiled, distance: float) -> None:
    """From the least accepted norm to the largest, though squares of differences under- or overflow first."""
    least, largest = 1.01 * threshold(fc), 0.99 * np.sqrt(fc.max)
    for phi, psi, _ in near_lock(distance, -1):
        unit = quaternion_near_lock(phi, psi, distance, -1)
        for scale in (least, 1e3 * least, largest):
            q = (scale * unit).astype(fc.dtype)
            result = fc.call.rpy_from_quat(q)
            assert result.status in (0, GIMBAL_LOCK)
            expected = matrix_of(q.astype(float) / scale)
            np.testing.assert_allclose(attitude_matrix(result.rpy), expected, rtol=0, atol=FEW * fc.eps)


@pytest.mark.parametrize("sign", [1, -1], ids=["up", "down"])
def test_exactly_at_lock_yaw_is_zero_and_roll_takes_the_turn(fc: Compiled, sign: int) -> None:
    phi, psi = 0.4, 1.5
    turn = phi - sign * psi
    R = turned(1, 0, sign) @ turned(0, np.cos(turn), np.sin(turn))
    q = quaternion_near_lock(phi, psi, 0, sign)
    for result in (fc.call.rpy_from_dcm(R), fc.call.rpy_from_quat(q)):
        assert result.status == GIMBAL_LOCK
        np.testing.assert_allclose(result.rpy, [turn, sign * np.pi / 2, 0], rtol=0, atol=4 * fc.eps)


@pytest.mark.parametrize("rpy", [*itertools.product([-np.pi, 0, np.pi], [0.3, -1.2], [-np.pi, 0, np.pi])])
def test_angles_at_the_end_of_their_range(fc: Compiled, rpy: tuple[float, float, float]) -> None:
    """Half a turn may come back with either sign, but no angle leaves [-pi, pi] and the attitude is kept."""
    R, q = fc.call.dcm_from_rpy(rpy).R_NB, fc.call.quat_from_rpy(rpy).q_NB
    for result in (fc.call.rpy_from_dcm(R), fc.call.rpy_from_quat(q), fc.call.rpy_from_quat(-q)):
        assert result.status == 0
        assert np.abs(result.rpy).max() <= fc.dtype(np.pi)
        np.testing.assert_allclose(
            attitude_matrix(result.rpy), attitude_matrix(rpy), rtol=0, atol=FEW * fc.eps
        )


@pytest.mark.parametrize("theta", [np.pi / 2, -np.pi / 2, 3 * np.pi / 2])
def test_angle_rates_at_lock(fc: Compiled, theta: float) -> None:
    """cos(theta) is not zero in floating point, but rates of 1e15 rad/s are useless."""
    phi, w = 0.6, np.array([0.1, 0.2, 0.3])
    result = fc.call.rpy_kinematics([phi, theta, 0.4], w)
    assert result.status == GIMBAL_LOCK
    expected = [w[0], np.cos(phi) * w[1] - np.sin(phi) * w[2], 0]
    np.testing.assert_allclose(result.drpy, expected, rtol=0, atol=4 * fc.eps)


def test_angle_rates_on_both_sides_of_the_guard(fc: Compiled) -> None:
    """There is no flag above sqrt(eps), where rates are large but reproduce the body rate."""
    w, guard = np.array([0.1, 0.2, 0.3]), np.sqrt(fc.eps)
    for side in (1, -1):
        outside = [0.6, side * (np.pi / 2 - 2 * guard), 0.4]
        result = fc.call.rpy_kinematics(outside, w)
        assert result.status == 0
        back = fc.call.rpy_kinematics_inverse(outside, result.drpy).w_B
        np.testing.assert_allclose(back, w, rtol=0, atol=4 * guard)  # roundings of rates of 1 / guard
        inside = [0.6, side * (np.pi / 2 - guard / 2), 0.4]
        assert fc.call.rpy_kinematics(inside, w).status == GIMBAL_LOCK


def test_lock_reaches_the_dynamics(fc: Compiled) -> None:
    """The other rates are right, and the flag is or-ed with those of mass and inertia."""
    vectors = np.arange(12.0).reshape(4, 3) / 10
    J, up, level = [2, 0.1, 0.2, 3, 0.3, 4], [0.6, np.pi / 2, 0.4], [0.6, 0, 0.4]
    locked = fc.call.rigid_body_dynamics_rpy(np.zeros(3), up, *vectors, 2, J)
    free = fc.call.rigid_body_dynamics_rpy(np.zeros(3), level, *vectors, 2, J)
    assert (locked.status, free.status) == (GIMBAL_LOCK, 0)
    same(locked.drpy, fc.call.rpy_kinematics(up, vectors[1]).drpy)
    same(locked.dv_B, free.dv_B)
    same(locked.dw_B, free.dw_B)
    all_three = fc.call.rigid_body_dynamics_rpy(np.zeros(3), up, *vectors, 0, np.zeros(6))
    assert all_three.status == GIMBAL_LOCK | MASS | SINGULAR


# --- bodies that are none ---------------------------------------------------------------------------------

SOLID = np.array([2, 0.1, 0.2, 3, 0.3, 4])
PUSH = np.array([[1, 2, 3], [0.1, -0.2, 0.3], [4, 5, 6], [0.7, 0.8, 0.9]])
"""v_B, w_B, F_B, M_B."""


def dynamics(fc: Compiled, m: float, J: Any) -> list[Any]:
    """Both forms of the equations of motion, in a common state."""
    attitude, place = Rotation.from_euler("xyz", [0.1, 0.2, 0.3]), np.zeros(3)
    q = np.roll(attitude.as_quat(), 1)
    return [
        fc.call.rigid_body_dynamics_quat(place, q, *PUSH, m, J, 0.5),
        fc.call.rigid_body_dynamics_rpy(place, [0.1, 0.2, 0.3], *PUSH, m, J),
    ]


@pytest.mark.parametrize("m", [0.0, -0.0, -1.0, -1e30, -INF, NAN])
def test_without_mass_the_velocity_stays(fc: Compiled, m: float) -> None:
    for refused, fine in zip(dynamics(fc, m, SOLID), dynamics(fc, 2, SOLID), strict=True):
        assert refused.status == MASS
        same(refused.dv_B, np.zeros(3))
        for name in set(fine._fields) - {"dv_B", "status"}:
            same(getattr(refused, name), getattr(fine, name))


def tensor(moments: Any, axes: Any = None) -> Array:
    """A tensor of given principal moments, about given axes or skew ones, packed."""
    R = (axes or Rotation.from_euler("xyz", [0.4, -0.7, 1.1])).as_matrix()
    packed: Array = (R @ np.diag(moments) @ R.T)[UPPER]
    return packed


STRAIGHT = Rotation.identity()
MOMENTS = {
    "zero": [0, 0, 0],
    "rod": [0, 2, 2],
    "one moment": [0, 0, 2],
    "one negative": [2, 3, -4],
    "two negative": [2, -3, -4],
    "all negative": [-2, -3, -4],
}


@pytest.mark.parametrize("axes", [STRAIGHT, None], ids=["straight", "skew"])
@pytest.mark.parametrize("moments", MOMENTS.values(), ids=MOMENTS)
def test_without_a_regular_inertia_the_angular_velocity_stays(
    fc: Compiled, moments: list[float], axes: Any
) -> None:
    """Singular or indefinite inertias, which no body has."""
    singular = dynamics(fc, 2, tensor(moments, axes))
    for refused, fine in zip(singular, dynamics(fc, 2, SOLID), strict=True):
        assert refused.status == SINGULAR
        same(refused.dw_B, np.zeros(3))
        np.testing.assert_allclose(
            refused.dv_B, fine.dv_B, rtol=0, atol=8 * fc.eps, err_msg="F / m shares a division"
        )


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("wrong", [NAN, INF, -INF])
def test_an_inertia_that_is_not_finite_is_singular(fc: Compiled, place: int, wrong: float) -> None:
    J = SOLID.copy()
    J[place] = wrong
    for refused in dynamics(fc, 2, J):
        assert refused.status == SINGULAR
        same(refused.dw_B, np.zeros(3))


def test_mass_and_inertia_fail_together(fc: Compiled) -> None:
    for refused in dynamics(fc, 0, np.zeros(6)):
        assert refused.status == MASS | SINGULAR
        same(refused.dv_B, np.zeros(3))
        same(refused.dw_B, np.zeros(3))


@pytest.mark.parametrize("exponent", range(-22, 23, 2))
def test_small_and_large_bodies_turn_alike(fc: Compiled, exponent: int) -> None:
    """Inertia and moment scaled together, over 44 decades: right, or refused with finite zeros."""
    scale, still, (v, _, F, M) = 10.0**exponent, np.zeros(3), PUSH
    result = fc.call.rigid_body_dynamics_quat(still, ONE, v, still, F, M * scale, 2, SOLID * scale, 0)
    J = np.zeros((3, 3))
    J[UPPER] = SOLID
    expected = np.linalg.solve(J + np.triu(J, 1).T, M)
    if result.status == 0:
        np.testing.assert_allclose(result.dw_B, expected, rtol=64 * fc.eps)
    else:
        assert result.status in (SINGULAR, NOT_FINITE)
        same(result.dw_B, np.zeros(3))
        assert fc.name == "f32"  # a determinant over Jxx is a square: float has 76 decades for it
        assert not 1e-18 < scale < 1e18


@pytest.mark.parametrize(("m", "size"), [(1e-6, 1e-3), (1.0, 1e-3), (1e-6, 1e4), (1e6, 1e-3), (1e6, 1e4)])
def test_cubes_of_any_size_turn(fc: Compiled, m: float, size: float) -> None:
    """From a milligram drop of a millimetre to a mountain: no threshold is absolute."""
    J, push = m * size**2 / 6, m * size**2
    result = fc.call.rigid_body_dynamics_quat(
        np.zeros(3), ONE, np.zeros(3), np.zeros(3), [m, 0, 0], [push, 0, 0], m, [J, 0, 0, J, 0, J], 0
    )
    assert result.status == 0
    np.testing.assert_allclose([result.dv_B[0], result.dw_B[0]], [1, 6], rtol=8 * fc.eps)


@pytest.mark.parametrize("power", range(-4, 8))
def test_bodies_too_small_for_their_reciprocal_give_no_nan(fc: Compiled, power: int) -> None:
    """Mass, then the determinant of the inertia, from just normal down to denormal."""
    m = fc.min * 4.0**-power
    J = np.array([1.0, 0, 0, 1, 0, 1]) * np.cbrt(fc.min) * 4.0 ** (-power / 3)
    for push in (0, 1):
        for inputs in ([m, SOLID], [2, J]):
            F, M = push * np.array([m, 0, 0]), push * np.array([J[0], 0, 0])
            result = fc.call.rigid_body_dynamics_quat(
                np.zeros(3), ONE, [1, 0, 0], np.zeros(3), F, M, *inputs, 0
            )
            assert np.isfinite(outputs(result)).all(), result


# --- inertia from mass, centre and central inertia --------------------------------------------------------

CENTRE = [0.1, -0.2, 0.3]


@pytest.mark.parametrize(
    ("m", "c", "central", "status"),
    [
        pytest.param(2, CENTRE, SOLID, 0, id="solid"),
        pytest.param(2, CENTRE, np.zeros(6), 0, id="point-mass"),
        pytest.param(2, np.zeros(3), np.zeros(6), 0, id="point-mass-at-the-origin"),
        pytest.param(2, CENTRE, tensor([0, 3, 3]), 0, id="rod"),
        pytest.param(2, CENTRE, [0, 0, 0, 3, 0, 3], 0, id="rod-along-x"),
        pytest.param(2, CENTRE, [1, 0, 0, 2, 0, 3], 0, id="flat: equality"),
        pytest.param(2, CENTRE, tensor([1, 2, 3]), 0, id="flat and skew: equality"),
        pytest.param(2, CENTRE, [1, 0, 0, 2, 0, 3.001], NOT_PHYSICAL, id="triangle"),
        pytest.param(2, CENTRE, [3.001, 0, 0, 2, 0, 1], NOT_PHYSICAL, id="triangle-x"),
        pytest.param(2, CENTRE, [1, 0, 0, 3.001, 0, 2], NOT_PHYSICAL, id="triangle-y"),
        pytest.param(2, CENTRE, tensor([1, 2, 3.001]), NOT_PHYSICAL, id="triangle-skew"),
        pytest.param(2, CENTRE, [-1, 0, 0, 2, 0, 2], NOT_PHYSICAL, id="negative-moment"),
        pytest.param(2, CENTRE, -SOLID, NOT_PHYSICAL, id="all-negative"),
        pytest.param(2, CENTRE, [2, 1.1, 0, 2, 0, 2], NOT_PHYSICAL, id="product-xy-too-large"),
        pytest.param(2, CENTRE, [2, 0, 1.1, 2, 0, 2], NOT_PHYSICAL, id="product-xz-too-large"),
        pytest.param(2, CENTRE, [2, 0, 0, 2, 1.1, 2], NOT_PHYSICAL, id="product-yz-too-large"),
        pytest.param(2, CENTRE, [2, 0.9, 0.9, 2, -0.9, 2], 0, id="products-large-but-legal"),
        pytest.param(2, CENTRE, [2, 0.9, 0.9, 2, 0.9, 2], NOT_PHYSICAL, id="products-of-the-wrong-sign"),
        pytest.param(0, CENTRE, SOLID, MASS, id="no-mass"),
        pytest.param(-1, CENTRE, SOLID, MASS, id="negative-mass"),
        pytest.param(0, CENTRE, -SOLID, MASS | NOT_PHYSICAL, id="no-mass-and-no-body"),
        pytest.param(NAN, CENTRE, SOLID, NOT_FINITE | MASS, id="mass-nan"),
        pytest.param(INF, CENTRE, SOLID, NOT_FINITE, id="mass-infinite"),
        pytest.param(-INF, CENTRE, SOLID, NOT_FINITE | MASS, id="mass-minus-infinite"),
        pytest.param(2, [NAN, 0, 0], SOLID, NOT_FINITE, id="centre-nan"),
        pytest.param(2, [0, INF, 0], SOLID, NOT_FINITE, id="centre-infinite"),
        pytest.param(0, CENTRE, [NAN, *SOLID[1:]], NOT_FINITE | MASS | NOT_PHYSICAL, id="everything"),
    ],
)
def test_inertia_from_com_says_what_is_wrong(
    fc: Compiled, m: float, c: Any, central: Any, status: int
) -> None:
    result = fc.call.inertia_from_com(m, c, central)
    assert result.status == status
    if status:
        same(result.I_O, np.zeros(10))
    else:
        assert result.I_O[0] == m


@pytest.mark.parametrize("place", range(6))
def test_a_central_inertia_with_nan_is_neither_finite_nor_physical(fc: Compiled, place: int) -> None:
    central = SOLID.copy()
    central[place] = NAN
    result = fc.call.inertia_from_com(2, CENTRE, central)
    assert result.status == NOT_FINITE | NOT_PHYSICAL
    same(result.I_O, np.zeros(10))


def test_inertia_that_overflows_is_not_finite(fc: Compiled) -> None:
    """Finite inputs, but m c c beyond the largest number."""
    result = fc.call.inertia_from_com(2, [np.sqrt(fc.max), 0, 0], SOLID)
    assert result.status == NOT_FINITE
    same(result.I_O, np.zeros(10))


@pytest.mark.parametrize("moments", [[0, 1, 1], [1, 2, 3], [1, 1, 1], [1e-9, 1, 1]], ids=str)
def test_legal_limits_stay_legal_about_any_axes(fc: Compiled, moments: list[float]) -> None:
    for rotation in Rotation.from_quat(np.random.default_rng(1).normal(size=(50, 4))):
        assert fc.call.inertia_from_com(2, CENTRE, tensor(moments, rotation)).status == 0


@pytest.mark.parametrize("exponent", [-15, -9, -3, 3, 9, 15])
def test_the_size_of_a_body_does_not_decide_what_is_physical(fc: Compiled, exponent: int) -> None:
    for central in (SOLID, tensor([0, 1, 1]), tensor([1, 2, 3.001]), -SOLID):
        expected = fc.call.inertia_from_com(2, CENTRE, central).status
        assert fc.call.inertia_from_com(2, CENTRE, central * 10.0**exponent).status == expected


# --- NaN and adversarial numbers, for every function that can fail ----------------------------------------

FALLIBLE = [
    *OF_ANY_NORM,
    *("rpy_from_dcm", "rpy_kinematics", "inertia_from_com"),
    *("rigid_body_dynamics_quat", "rigid_body_dynamics_rpy"),
]

SOUND: dict[str, Any] = {
    "q": [0.7, 0.1, 0.5, -0.5],
    "q_AB": [0.7, 0.1, 0.5, -0.5],
    "q_NB": [0.7, 0.1, 0.5, -0.5],
    "R_NB": attitude_matrix([0.1, 0.2, 0.3]).ravel(),
    "rpy": [0.1, 0.2, 0.3],
    "p_N": [1, 2, 3],
    **dict(zip(["v_B", "w_B", "F_B", "M_B"], PUSH, strict=True)),
    "m": 2.0,
    "c": CENTRE,
    "I_com": SOLID,
    "J_B": SOLID,
    "baumgarte": 0.5,
}
"""Inputs on which every function succeeds."""

GUARDED = {
    "q": range(4),
    "q_AB": range(4),
    "rpy_from_quat q_NB": range(4),
    "R_NB": [0, 3],
    "rpy": [1],
    "m": [0],
    "c": range(3),
    "I_com": range(6),
    "J_B": range(6),
}
"""Scalars that a guard reads: NaN there must raise a flag."""

IGNORED = {"p_N": range(3), "R_NB": [7, 8], "rpy_kinematics rpy": [2]}
"""Scalars that no result depends on."""


def places(table: dict[str, Any], kernel: str, name: str) -> Any:
    """The entry of a table for an argument of this kernel, or of all kernels."""
    return table.get(f"{kernel} {name}", table.get(name, ()))


def sound(function: Any) -> dict[str, Array]:
    names = [a.label for a in function.arguments if a.given]
    return {name: np.array(SOUND[name], float, ndmin=1) for name in names}


def called(function: Any, inputs: dict[str, Array]) -> Any:
    return function(*(value if value.size > 1 else value[0] for value in inputs.values()))


def outputs(result: Any) -> Array:
    return np.concatenate([np.ravel(value) for value in result[:-1]])


@pytest.mark.parametrize("kernel", FALLIBLE)
def test_nan_takes_the_failing_side_and_is_never_hidden(fc: Compiled, kernel: str) -> None:
    """A guarded NaN raises a flag. Any other NaN appears in a result, unless no result depends on it."""
    function = getattr(fc.call, kernel)
    fine = called(function, sound(function))
    assert fine.status == 0
    for name, value in sound(function).items():
        for place in range(value.size):
            inputs = sound(function)
            inputs[name][place] = NAN
            result = called(function, inputs)
            if place in places(IGNORED, kernel, name):
                assert result.status == 0
                same(outputs(result), outputs(fine))
            elif place in places(GUARDED, kernel, name):
                assert result.status != 0, (name, place)
            else:
                assert result.status != 0 or np.isnan(outputs(result)).any(), (name, place)


HUGE = {
    ("f64", "underflow"): 1e50,
    ("f32", "underflow"): 1e6,
    ("f64", "overflow"): 1e200,
    ("f32", "overflow"): 1e30,
}
"""The largest numbers drawn: ones whose products of five stay finite, so that only underflow is put to the
test, and ones whose squares are infinite."""


def adversarial(fc: Compiled, what: str) -> st.SearchStrategy[float]:
    """Finite numbers: special ones, denormals, plain ones, and any up to the largest drawn."""
    huge = float(fc.dtype(HUGE[fc.name, what]))
    special = [0.0, 1.0, 0.5, np.pi / 2, np.pi, fc.eps, fc.min, fc.min / 2, fc.min * fc.eps, huge, 1 / huge]
    width: Literal[32, 64] = 64 if fc.name == "f64" else 32
    return st.one_of(
        st.sampled_from([sign * x for x in special for sign in (1, -1)]),
        st.floats(-4, 4, width=width),
        st.floats(-huge, huge, width=width),
    )


def finite_inputs(numbers: list[float], bodies: bool, function: Any) -> dict[str, Array]:
    """Inputs made of adversarial numbers.

    Attitudes that must be a rotation matrix or a unit quaternion are made from them. So may inertias be,
    since six unrelated numbers are hardly ever a body's.
    """
    drawn, inputs = iter(numbers), sound(function)
    for name, value in inputs.items():
        values = np.array([next(drawn) for _ in range(value.size)])
        if name == "R_NB":
            values = attitude_matrix(values[:3]).ravel()
        elif name == "q_NB" and "dynamics" in function.symbol:
            values = np.roll(Rotation.from_matrix(attitude_matrix(values[:3])).as_quat(), 1)
        elif name in ("J_B", "I_com") and bodies:
            values = SOLID * values[0]
        inputs[name] = values
    return inputs


@pytest.mark.parametrize("what", ["underflow", "overflow"])
@pytest.mark.parametrize("kernel", sampled(FALLIBLE, every=2))
@given(data=st.data())
def test_finite_inputs_never_give_nan(fc: Compiled, kernel: str, what: str, data: st.DataObject) -> None:
    function = getattr(fc.call, kernel)
    count = sum(value.size for value in sound(function).values())
    numbers = data.draw(st.lists(adversarial(fc, what), min_size=count, max_size=count))
    result = called(function, finite_inputs(numbers, data.draw(st.booleans()), function))
    assert not np.isnan(outputs(result)).any(), result


# --- massless inertias ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1, 1e6, 1e-6])
def test_the_zero_inertia_is_neutral_and_fixed(fc: Compiled, scale: float) -> None:
    """No 0/0 anywhere: ZERO is a legal inertia in everything but inertia_from_com."""
    call, zero, IA_zero = fc.call, np.zeros(10), np.zeros(21)
    T = np.append(attitude_matrix([0.1, 0.2, 0.3]), scale * np.array([1, -2, 3]))
    body = call.inertia_from_com(scale, CENTRE, scale * SOLID).I_O
    same(call.inertia_add(body, zero).I_sum, body)
    same(call.inertia_add(zero, body).I_sum, body)
    same(call.inertia_subtract(body, body).I_diff, zero)
    for moved in (
        call.inertia_transform(T, zero).I_A,
        call.inertia_transform_inverse(T, zero).I_B,
        call.inertia_rotate(T[:9], zero).I_A,
        call.inertia_translate(T[9:], zero).I_A,
        call.inertia_scale(zero, scale).I_scaled,
        call.inertia_scale(body, 0).I_scaled,
        call.inertia_from_array(call.inertia_to_array(zero).array).I_O,
    ):
        same(moved, zero)
    same(call.articulated_transform(T, IA_zero).IA_A, IA_zero)
    same(call.articulated_transform_inverse(T, IA_zero).IA_B, IA_zero)
    same(call.articulated_add_inertia(IA_zero, zero).IA_sum, IA_zero)
    same(call.inertia_multiply(zero, np.arange(6)).f, np.zeros(6))
    same(call.inertia_to_matrix(zero).M, np.zeros((6, 6)))
