"""Anchors: printed numbers and physical scenes that pin every convention, in both precisions.

An identity holds for a consistently mirrored or transposed library as well; an anchor does not.
N is north, east, down; B is forward, right, down. SI units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.conftest import Compiled

Numbers = npt.NDArray[np.float64] | Sequence[float] | float
ZERO = [0.0, 0.0, 0.0]
X, Y, Z = np.eye(3)
QUARTER = np.pi / 2
G = 9.81

RPY = [0.1, 0.2, 0.3]
R_NB = [
    *(0.9362933636, -0.2750958473, 0.2183506631),
    *(0.2896294776, 0.9564250858, -0.0369570135),
    *(-0.1986693308, 0.0978433950, 0.9751703272),
]
Q_NB = [0.9833474433, 0.0342707986, 0.1060205111, 0.1435721750]
W_B = [0.0, 0.1, 0.0]
EULER_RATES = [0.0020237235, 0.0995004165, 0.0101863913]
Q_RATE = [-0.0053010256, -0.0071786088, 0.0491673722, 0.0017135399]

V = [1, -2, 4, 3, 5, -1]
U = [2, 7, -3, 6, 1, 8]
X_U = [-7, 2, -3, -13, -12, 24]
X_STAR_U = [-9, -9, 5, -1, 6, 8]

R_AB = [0, -1, 0, 1, 0, 0, 0, 0, 1]
P_AB = [1, 2, 3]
T_AB = [*R_AB, *P_AB]
BODY = [2, 0.2, -0.4, 0.6, 1.26, 0.14, -0.11, 1.70, 0.32, 2.10]
TURNED = [2, 0.4, 0.2, 0.6, 1.70, -0.14, -0.32, 1.26, -0.11, 2.10]
MOVED = [2, 2.4, 4.2, 6.6, 32.10, -5.14, -8.12, 25.66, -13.91, 13.70]
CENTRAL = (2, [0.1, -0.2, 0.3], [1, 0.1, -0.05, 1.5, 0.2, 2])
ONE_TO_SIX = [1, 2, 3, 4, 5, 6]
MOMENTUM = [-4.19, 5.70, 9.43, 10.4, 10, 11.2]


def articulated(body: list[float]) -> list[float]:
    """The ten numbers as an articulated-body inertia: J, H = h~, M = m 1."""
    m, hx, hy, hz, *J = body
    return [*J, 0, -hz, hy, hz, 0, -hx, -hy, hx, 0, m, 0, 0, m, 0, m]


ANCHORS: list[tuple[str, tuple[Any, ...], Numbers]] = [
    ("dcm_from_rpy", (RPY,), R_NB),
    ("quat_from_rpy", (RPY,), Q_NB),
    ("rpy_kinematics", (RPY, W_B), EULER_RATES),
    ("motion_cross", (V, U), [-22, 11, 11, -28, 23, 24]),
    ("force_cross", (V, U), [19, -19, -16, -20, 16, 13]),
    ("motion_transform", (T_AB, U), X_U),
    ("motion_transform_inverse", (T_AB, X_U), U),
    ("force_transform", (T_AB, U), X_STAR_U),
    ("force_transform_inverse", (T_AB, X_STAR_U), U),
    ("inertia_from_com", CENTRAL, BODY),
    ("inertia_multiply", (BODY, ONE_TO_SIX), MOMENTUM),
    ("motion_dot_force", (ONE_TO_SIX, MOMENTUM), 194.3),
    ("inertia_kinetic_energy", (BODY, ONE_TO_SIX), 97.15),
    ("inertia_transform", (T_AB, BODY), MOVED),
    ("inertia_transform_inverse", (T_AB, MOVED), BODY),
    ("inertia_rotate", (R_AB, BODY), TURNED),
    ("inertia_translate", (P_AB, TURNED), MOVED),
    ("inertia_bias_force", (BODY, V), [-19.58, -18.49, -5.50, -36.8, 27.6, 23.0]),
    ("articulated_from_inertia", (BODY,), articulated(BODY)),
    ("articulated_transform", (T_AB, articulated(BODY)), articulated(MOVED)),
    ("articulated_transform_inverse", (T_AB, articulated(MOVED)), articulated(BODY)),
    ("articulated_multiply", (articulated(BODY), ONE_TO_SIX), MOMENTUM),
]

FROM_PRINTED_INPUTS: list[tuple[str, tuple[Any, ...], Numbers]] = [
    ("quat_to_dcm", (Q_NB,), R_NB),
    ("quat_to_dcm_unit", (Q_NB,), R_NB),
    ("dcm_to_quat", (R_NB,), Q_NB),
    ("rpy_from_dcm", (R_NB,), RPY),
    ("rpy_from_quat", (Q_NB,), RPY),
    ("rpy_kinematics_inverse", (RPY, EULER_RATES), W_B),
    ("quat_kinematics", (Q_NB, W_B, 0), Q_RATE),
]
COLUMNS = ("kernel", "inputs", "expected")


def near(fc: Compiled, actual: Any, expected: Numbers, size: float = 1, digits: float = 1e-10) -> None:
    """Equal to the printed digits, or to eight roundings of numbers of this size."""
    largest = max(size, float(np.abs(expected).max()))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=largest * max(digits, 8 * fc.eps))


def check(fc: Compiled, kernel: str, inputs: tuple[Any, ...], expected: Numbers, digits: float) -> None:
    result = getattr(fc.call, kernel)(*inputs)
    assert getattr(result, "status", 0) == 0
    largest = max(float(np.abs(i).max()) for i in inputs)
    near(fc, result[0].ravel(), np.ravel(expected), max(1, largest), digits)


@pytest.mark.parametrize(COLUMNS, ANCHORS, ids=[a[0] for a in ANCHORS])
def test_printed_value(fc: Compiled, kernel: str, inputs: tuple[Any, ...], expected: Numbers) -> None:
    check(fc, kernel, inputs, expected, 1e-10)


@pytest.mark.parametrize(COLUMNS, FROM_PRINTED_INPUTS, ids=[a[0] for a in FROM_PRINTED_INPUTS])
def test_printed_value_from_printed_inputs(
    fc: Compiled, kernel: str, inputs: tuple[Any, ...], expected: Numbers
) -> None:
    check(fc, kernel, inputs, expected, 4e-10)  # half a last digit of each input, up to eight times over


@pytest.mark.parametrize("kernel", ["motion_cross", "motion_transform", "force_cross", "force_transform"])
def test_whole_numbers_are_exact(fc: Compiled, kernel: str) -> None:
    expected = next(e for name, _, e in ANCHORS if name == kernel)
    first = V if kernel.endswith("cross") else T_AB
    np.testing.assert_array_equal(getattr(fc.call, kernel)(first, U)[0], expected)


# --- attitude ---------------------------------------------------------------------------------------------


def rotated(fc: Compiled, rpy: Numbers, v_B: Numbers) -> list[Any]:
    """A body vector seen from N, by every way that the library has."""
    call = fc.call
    q, R = call.quat_from_rpy(rpy).q_NB, call.dcm_from_rpy(rpy).R_NB.reshape(3, 3)
    pose = [*R.ravel(), 0, 0, 0]
    return [
        R @ v_B,
        call.quat_rotate(q, v_B).v_A,
        call.quat_to_dcm(q).R_AB.reshape(3, 3) @ v_B,
        call.quat_to_dcm_unit(q).R_AB.reshape(3, 3) @ v_B,
        call.transform_point(pose, v_B).p_A,
        call.motion_transform(pose, [*np.ravel(v_B), 0, 0, 0]).v_A[:3],
        call.force_transform(pose, [*np.ravel(v_B), 0, 0, 0]).f_A[:3],
    ]


@pytest.mark.parametrize(
    ("rpy", "v_B", "v_N"),
    [
        pytest.param([0, 0, QUARTER], X, Y, id="yaw-turns-the-nose-from-north-to-east"),
        pytest.param([0, np.pi / 6, 0], X, [np.sqrt(0.75), 0, -0.5], id="pitch-raises-the-nose"),
        pytest.param([np.pi / 6, 0, 0], Y, [0, np.sqrt(0.75), 0.5], id="roll-lowers-the-right-wing"),
        pytest.param(
            [1.1, np.pi / 6, QUARTER], X, [0, np.sqrt(0.75), -0.5], id="heading-then-climb-then-roll"
        ),
    ],
)
def test_attitude_takes_body_axes_to_navigation_axes(
    fc: Compiled, rpy: Numbers, v_B: Numbers, v_N: Numbers
) -> None:
    for v in rotated(fc, rpy, v_B):
        near(fc, v, v_N)


def test_roll_feels_gravity(fc: Compiled) -> None:
    phi = 0.4
    q, R = fc.call.quat_from_rpy([phi, 0, 0]).q_NB, fc.call.dcm_from_rpy([phi, 0, 0]).R_NB
    felt = [0, G * np.sin(phi), G * np.cos(phi)]
    near(fc, fc.call.quat_rotate_inverse(q, [0, 0, G]).v_B, felt)
    near(fc, fc.call.motion_transform_inverse([*R.ravel(), *ZERO], [*ZERO, 0, 0, G]).v_B[3:], felt)
    near(fc, fc.call.force_transform_inverse([*R.ravel(), *ZERO], [*ZERO, 0, 0, G]).f_B[3:], felt)


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_hamilton_ij_is_k(fc: Compiled, turn: int) -> None:
    i, j, k = np.roll(np.eye(4)[1:], -turn, axis=0)
    np.testing.assert_array_equal(fc.call.quat_multiply(i, j).pq, k)
    np.testing.assert_array_equal(fc.call.quat_multiply(j, i).pq, -k)
    np.testing.assert_array_equal(fc.call.quat_multiply(i, i).pq, [-1, 0, 0, 0])


def test_scalar_comes_first(fc: Compiled) -> None:
    one = [1, 0, 0, 0]
    np.testing.assert_array_equal(fc.call.quat_multiply(one, Q_NB).pq, np.asarray(Q_NB, fc.dtype))
    np.testing.assert_array_equal(fc.call.quat_rotate(one, [1, 2, 3]).v_A, [1, 2, 3])
    np.testing.assert_array_equal(fc.call.quat_conjugate([1, 2, 3, 4]).q_conj, [1, -2, -3, -4])
    near(fc, fc.call.quat_inverse([0, 0, 0, 2]).q_inv, [0, 0, 0, -0.5])
    near(fc, fc.call.quat_normalize([3, 0, 4, 0]).q_unit, [0.6, 0, 0.8, 0])


def test_matrices_are_row_major_with_body_axes_as_columns(fc: Compiled) -> None:
    half_turn = np.sqrt(0.5)
    for kernel in (fc.call.quat_to_dcm, fc.call.quat_to_dcm_unit):
        near(fc, kernel([half_turn, 0, 0, half_turn]).R_AB.ravel(), R_AB)


@pytest.mark.parametrize(
    ("w_B", "drpy"),
    [
        pytest.param([0, 0.1, 0], [0, 0, 0.1], id="pulling-the-stick-turns-the-heading"),
        pytest.param([0, 0, 0.1], [0, -0.1, 0], id="right-pedal-drops-the-nose"),
        pytest.param([0.1, 0, 0], [0.1, 0, 0], id="rolling-on"),
    ],
)
def test_rates_are_in_body_axes(fc: Compiled, w_B: list[float], drpy: list[float]) -> None:
    """Banked by 90 degrees to the right, heading north."""
    banked = [QUARTER, 0, 0]
    near(fc, fc.call.rpy_kinematics(banked, w_B).drpy, drpy)
    near(fc, fc.call.rpy_kinematics_inverse(banked, drpy).w_B, w_B)
    q = fc.call.quat_from_rpy(banked).q_NB
    turning = (
        2 * fc.call.quat_multiply(fc.call.quat_kinematics(q, w_B, 0).dq, fc.call.quat_conjugate(q).q_conj).pq
    )
    near(fc, turning, [0, *drpy])  # heading north and level, the angles' axes are N's


@pytest.mark.parametrize(("norm", "sign"), [(1.1, -1), (0.9, 1)])
def test_baumgarte_pulls_the_norm_to_one(fc: Compiled, norm: float, sign: int) -> None:
    q = norm * np.array([0.6, 0, 0.8, 0])
    dq = fc.call.quat_kinematics(q, ZERO, 2).dq
    near(fc, dq, -2 * (norm**2 - 1) * q)
    assert np.sign(dq @ q) == sign


# --- poses and spatial vectors ----------------------------------------------------------------------------


def test_a_pose_says_where_the_frame_is(fc: Compiled) -> None:
    """A robot at (1, 2, 3), heading along A's y: what is a metre ahead is at (1, 3, 3)."""
    np.testing.assert_array_equal(fc.call.transform_point(T_AB, X).p_A, [1, 3, 3])
    np.testing.assert_array_equal(fc.call.transform_point_inverse(T_AB, [1, 3, 3]).p_B, X)
    ahead = [*np.eye(3).ravel(), 1, 0, 0]
    np.testing.assert_array_equal(fc.call.transform_compose(T_AB, ahead).T_AC, [*R_AB, 1, 3, 3])
    back = fc.call.transform_inverse(T_AB).T_BA
    np.testing.assert_array_equal(back, [0, 1, 0, -1, 0, 0, 0, 0, 1, -2, 1, -3])


def test_a_man_on_a_merry_go_round(fc: Compiled) -> None:
    """He stands two metres from the axle and looks the way he is carried: he moves forward at 2 w."""
    man = [*R_AB, 2, 0, 0]
    platform = [0, 0, 0.5, 0, 0, 0]
    np.testing.assert_array_equal(fc.call.motion_transform_inverse(man, platform).v_B, [0, 0, 0.5, 1, 0, 0])
    np.testing.assert_array_equal(fc.call.motion_transform(man, [0, 0, 0.5, 1, 0, 0]).v_A, platform)


def test_a_man_who_spins_on_the_spot(fc: Compiled) -> None:
    """The point of his body, extended, at the axle two metres to his left moves backward."""
    man = [*R_AB, 2, 0, 0]
    np.testing.assert_array_equal(
        fc.call.motion_transform(man, [0, 0, 0.5, 0, 0, 0]).v_A, [0, 0, 0.5, 0, -1, 0]
    )


def test_a_weight_on_a_seesaw(fc: Compiled) -> None:
    """With z up, a weight at x = 2 m presses that end down: the moment turns z to x, about +y."""
    seat = [*np.eye(3).ravel(), 2, 0, 0]
    weight = [0, 0, 0, 0, 0, -300]
    about_pivot = [0, 600, 0, 0, 0, -300]
    np.testing.assert_array_equal(fc.call.force_transform(seat, weight).f_A, about_pivot)
    np.testing.assert_array_equal(fc.call.force_transform_inverse(seat, about_pivot).f_B, weight)


def test_power_pairs_moments_with_rates_and_forces_with_velocities(fc: Compiled) -> None:
    assert fc.call.motion_dot_force([2, 0, 0, 0, 7, 0], [3, 0, 0, 0, 5, 0]).power == 41


def test_a_turning_axis_is_carried_along(fc: Compiled) -> None:
    """A spinning wheel (about z) driven along x: what it would do at the origin changes by -y."""
    drive, wheel = [0, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0]
    np.testing.assert_array_equal(fc.call.motion_cross(drive, wheel).v_x_m, [0, 0, 0, 0, -1, 0])
    turn, slide = [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]
    np.testing.assert_array_equal(fc.call.motion_cross(turn, slide).v_x_m, [0, 0, 0, 0, 1, 0])


def test_a_force_is_carried_along(fc: Compiled) -> None:
    """A force along y that moves along x gains moment about +z; one that turns about z turns to -x."""
    push = [0, 0, 0, 0, 1, 0]
    np.testing.assert_array_equal(fc.call.force_cross([0, 0, 0, 1, 0, 0], push).v_x_f, [0, 0, 1, 0, 0, 0])
    np.testing.assert_array_equal(fc.call.force_cross([0, 0, 1, 0, 0, 0], push).v_x_f, [0, 0, 0, -1, 0, 0])


# --- inertia ----------------------------------------------------------------------------------------------


def test_products_of_inertia_are_matrix_elements(fc: Compiled) -> None:
    """A dumbbell along x = y, two times 1 kg: Jxy = -sum m x y = -2, printed as +2 in aircraft data."""
    one, other = (fc.call.inertia_from_com(1, c, np.zeros(6)).I_O for c in ([1, 1, 0], [-1, -1, 0]))
    dumbbell = fc.call.inertia_add(one, other).I_sum
    np.testing.assert_array_equal(dumbbell, [2, 0, 0, 0, 2, -2, 0, 2, 0, 4])


@pytest.mark.parametrize(
    ("slot", "elements"),
    [
        (0, {(3, 3): 1, (4, 4): 1, (5, 5): 1}),
        (1, {(1, 5): -1, (2, 4): 1, (5, 1): -1, (4, 2): 1}),
        (2, {(0, 5): 1, (2, 3): -1, (5, 0): 1, (3, 2): -1}),
        (3, {(0, 4): -1, (1, 3): 1, (4, 0): -1, (3, 1): 1}),
        (4, {(0, 0): 1}),
        (5, {(0, 1): 1, (1, 0): 1}),
        (6, {(0, 2): 1, (2, 0): 1}),
        (7, {(1, 1): 1}),
        (8, {(1, 2): 1, (2, 1): 1}),
        (9, {(2, 2): 1}),
    ],
)
def test_ten_numbers_and_their_places_in_the_matrix(
    fc: Compiled, slot: int, elements: dict[tuple[int, int], int]
) -> None:
    expected = np.zeros((6, 6))
    for place, value in elements.items():
        expected[place] = value
    packed = fc.call.inertia_from_array(np.eye(10)[slot]).I_O
    np.testing.assert_array_equal(packed, np.eye(10)[slot])
    np.testing.assert_array_equal(fc.call.inertia_to_array(packed).array, np.eye(10)[slot])
    np.testing.assert_array_equal(fc.call.inertia_to_matrix(packed).M, expected)


def test_a_stone_flies_past(fc: Compiled) -> None:
    """2 kg at y = 3 m, 5 m/s along x: momentum 10 along x, its moment about the origin -30 about z."""
    stone = fc.call.inertia_from_com(2, [0, 3, 0], np.zeros(6)).I_O
    flight = [0, 0, 0, 5, 0, 0]
    np.testing.assert_array_equal(fc.call.inertia_multiply(stone, flight).f, [0, 0, -30, 10, 0, 0])
    assert fc.call.inertia_kinetic_energy(stone, flight).energy == 25


def test_a_stone_on_a_string_is_pulled_inward(fc: Compiled) -> None:
    """2 kg at x = 3 m, whirled about z at 5 rad/s: m r w^2 = 150 N towards the hand, no moment."""
    stone = fc.call.inertia_from_com(2, [3, 0, 0], np.zeros(6)).I_O
    whirl = [0, 0, 5, 0, 0, 0]
    np.testing.assert_array_equal(fc.call.inertia_bias_force(stone, whirl).f, [0, 0, 0, -150, 0, 0])


def test_what_a_table_carries(fc: Compiled) -> None:
    """Gravity enters as a base acceleration [0; -g]: with z up, the table pushes up by m g at the centre."""
    book = fc.call.inertia_from_com(2, [0.5, 0, 0], [1, 0, 0, 1, 0, 1]).I_O
    near(fc, fc.call.inertia_multiply(book, [0, 0, 0, 0, 0, G]).f, [0, -G, 0, 0, 0, 2 * G])


def test_scale_and_subtract(fc: Compiled) -> None:
    np.testing.assert_array_equal(fc.call.inertia_scale(BODY, 2).I_scaled, 2 * np.asarray(BODY, fc.dtype))
    np.testing.assert_array_equal(fc.call.inertia_subtract(MOVED, MOVED).I_diff, np.zeros(10))


def test_coupling_block_of_an_articulated_inertia(fc: Compiled) -> None:
    """H_xy alone: acceleration along y takes a moment about x, and angular one about x a force along y."""
    coupled = np.zeros(21)
    coupled[6 + 1] = 1
    np.testing.assert_array_equal(fc.call.articulated_multiply(coupled, [0, 0, 0, 0, 1, 0]).f, np.eye(6)[0])
    np.testing.assert_array_equal(fc.call.articulated_multiply(coupled, [1, 0, 0, 0, 0, 0]).f, np.eye(6)[4])


def test_articulated_sums(fc: Compiled) -> None:
    expected = np.asarray(articulated(BODY), fc.dtype) + np.asarray(articulated(MOVED), fc.dtype)
    both = fc.call.articulated_add(articulated(BODY), articulated(MOVED)).IA_sum
    np.testing.assert_array_equal(both, expected)
    np.testing.assert_array_equal(fc.call.articulated_add_inertia(articulated(BODY), MOVED).IA_sum, expected)


# --- six degrees of freedom -------------------------------------------------------------------------------

LEVEL_EAST = [0, 0, QUARTER]


def dynamics(fc: Compiled, rpy: Numbers, *rest: Any) -> list[Any]:
    """The rates at a roll-pitch-yaw attitude, from both forms of the equations; no position matters."""
    q = fc.call.quat_from_rpy(rpy).q_NB
    results = [
        fc.call.rigid_body_dynamics_quat([7, 8, 9], q, *rest, 0.0),
        fc.call.rigid_body_dynamics_rpy([7, 8, 9], rpy, *rest),
    ]
    assert [r.status for r in results] == [0, 0]
    return results


def test_forward_flight_to_the_east_moves_east(fc: Compiled) -> None:
    for rates in dynamics(fc, LEVEL_EAST, [10, 0, 0], ZERO, ZERO, ZERO, 2, [1, 0, 0, 2, 0, 3]):
        near(fc, rates.dp_N, [0, 10, 0])
        near(fc, rates.dv_B, ZERO)


def test_thrust_and_stick(fc: Compiled) -> None:
    for rates in dynamics(fc, RPY, ZERO, ZERO, [4, 0, -2], [3, 4, 6], 2, [1, 0, 0, 2, 0, 4]):
        near(fc, rates.dv_B, [2, 0, -1])
        near(fc, rates.dw_B, [3, 2, 1.5])


def test_attitude_rates_of_the_dynamics(fc: Compiled) -> None:
    by_quat, by_rpy = dynamics(fc, RPY, ZERO, W_B, ZERO, ZERO, 2, [1, 0, 0, 2, 0, 3])
    near(fc, by_quat.dq, Q_RATE)
    near(fc, by_rpy.drpy, EULER_RATES)


def test_a_car_in_a_right_turn_is_pushed_to_the_right(fc: Compiled) -> None:
    """10 m/s and 0.5 rad/s to the right, 2 kg: 10 N to the right keep its velocity straight ahead."""
    for rates in dynamics(fc, RPY, [10, 0, 0], [0, 0, 0.5], [0, 10, 0], ZERO, 2, [1, 0, 0, 2, 0, 3]):
        near(fc, rates.dv_B, ZERO)


def test_a_top_that_turns_needs_a_moment_across(fc: Compiled) -> None:
    """Spin 100 about x, turned about z at 2: L turns from x to y, which takes (Jx - Jz) 200 about +y."""
    spin, moment = [100, 0, 2], [0, (3 - 1) * 200, 0]
    for rates in dynamics(fc, RPY, ZERO, spin, ZERO, moment, 2, [3, 0, 0, 1, 0, 1]):
        near(fc, rates.dw_B, ZERO)


def test_a_product_of_inertia_couples_roll_and_yaw(fc: Compiled) -> None:
    """J_xz < 0, mass ahead-below and behind-above: a roll to the right swings the nose to the right."""
    J = [2, 0, -1, 4, 0, 3]
    for rates in dynamics(fc, RPY, ZERO, ZERO, ZERO, [5, 0, 0], 2, J):
        near(fc, rates.dw_B, [3, 0, 1])
