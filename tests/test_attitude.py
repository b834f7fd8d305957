"""Rotation vectors, axis and angle, interpolation, Rodrigues parameters and matrices, against SciPy.

SciPy's rotations are in double, so that in double its own roundings, an eps or two, are part of every
tolerance. Everything runs in double and in float.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation, Slerp

from tests.conftest import Compiled

Array = npt.NDArray[Any]

NOT_FINITE, SINGULAR, ZERO_NORM, DEGENERATE = 1, 4, 32, 64
NAN, INF = np.nan, np.inf
ONE = np.array([1.0, 0, 0, 0])
EYE = np.eye(3)
ZERO = np.zeros(3)

AXES = [np.array(axis) for axis in ([1, 0, 0], [0, -1, 0], [-0.6, 0, 0.8], [1 / 3, 2 / 3, -2 / 3])]
SMALL = [0.0, 1e-300, 1e-155, 1e-30, 1e-20, 1e-12, 1e-8, 1e-4, 1e-3]
"""In float, those below 1e-45 are 0, and the squares of those below 1e-19 underflow."""

GENERIC = [0.1, 0.49, 0.51, 1.0, 2.0, 3.0]
HALF_TURN = [np.pi - 1e-3, np.pi - 1e-7, np.pi]
BEYOND = [np.pi + 1e-7, 4.0, 2 * np.pi - 1e-3, 2 * np.pi, 7.0, 4 * np.pi]


def given(fc: Compiled, numbers: Any) -> Array:
    """Numbers as the function sees them: rounded to its precision, in double."""
    rounded: Array = np.asarray(numbers, fc.dtype).astype(float)
    return rounded


def skew(a: Array) -> Array:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def hamilton(p: Array, q: Array) -> Array:
    return np.append(p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))


def rotation(q: Any) -> Rotation:
    """SciPy's rotation of our quaternion."""
    return Rotation.from_quat(np.roll(np.asarray(q, float), -1))


def quaternion(R: Rotation) -> Array:
    """Our quaternion of SciPy's rotation."""
    q: Array = np.roll(R.as_quat(), 1)
    return q


def random_quaternions(rng: np.random.Generator, count: int) -> list[Array]:
    return [quaternion(R) for R in Rotation.random(count, random_state=int(rng.integers(2**31)))]


def near(actual: Any, expected: Any, tolerance: Any) -> None:
    np.testing.assert_allclose(np.asarray(actual, float), expected, rtol=0, atol=tolerance)


def same_rotation(q: Any, R: Rotation, tolerance: Any) -> None:
    near(rotation(q).as_matrix(), R.as_matrix(), tolerance)


# --- exponential and logarithm ----------------------------------------------------------------------------


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("angle", SMALL + GENERIC + HALF_TURN + BEYOND)
def test_exponential_of_a_rotation_vector(fc: Compiled, angle: float, axis: Array) -> None:
    """The error is a rounding or two of the half angle and each factor; relative to r in the vector part."""
    r = given(fc, angle * axis)
    q = fc.call.quat_from_rotvec(r).q.astype(float)
    half = math.hypot(*r) / 2
    error = (2 + half) * fc.eps
    near(q[0], math.cos(half), error)
    near(q[1:], r / 2 * np.sinc(half / np.pi), error * min(1, half) + fc.min * fc.eps)
    same_rotation(q, Rotation.from_rotvec(r), 4 * error)


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("angle", SMALL + GENERIC + HALF_TURN)
def test_logarithm_inverts_the_exponential(fc: Compiled, angle: float, axis: Array) -> None:
    """On both hemispheres. Both directions are accurate relative to r: a few eps each."""
    r = given(fc, angle * axis)
    q = fc.call.quat_from_rotvec(r).q
    for sign in (1, -1):
        result = fc.call.rotvec_from_quat(sign * q)
        assert result.status == 0
        back = result.r.astype(float)
        assert math.hypot(*back) <= np.pi * (1 + 2 * fc.eps)
        back = back if back @ r >= 0 else back + 2 * np.pi * r / math.hypot(*r)  # over the half turn
        near(back, r, 8 * fc.eps * angle + 4 * fc.min * fc.eps)


def test_logarithm_of_any_quaternion(fc: Compiled, rng: np.random.Generator) -> None:
    """Of any norm: scales are powers of two, up to where q.q leaves the range."""
    least, largest = round(math.log2(fc.min) / 2) + 2, round(math.log2(fc.max) / 2) - 2
    for q in random_quaternions(rng, 40):
        q = given(fc, q)
        expected = rotation(q).as_rotvec()
        for exponent in (0, least, largest):
            r = fc.call.rotvec_from_quat(q * 2.0**exponent).r
            near(r, expected, 8 * fc.eps * np.pi)
            near(fc.call.rotvec_from_quat(-q * 2.0**exponent).r, r, 0)


@pytest.mark.parametrize("angle", SMALL[5:])
@pytest.mark.parametrize("scale", [1e-12, 0.3, 1e12])
def test_logarithm_of_small_turns_at_any_norm(fc: Compiled, angle: float, scale: float) -> None:
    """Accurate relative to r, also where it is the quotient |u| / w."""
    q = given(fc, scale * np.array([math.cos(angle / 2), *math.sin(angle / 2) * AXES[3]]))
    expected = 2 * math.atan(np.linalg.norm(q[1:]) / q[0]) * q[1:] / np.linalg.norm(q[1:])
    near(fc.call.rotvec_from_quat(q).r, expected, 4 * fc.eps * angle)
    near(fc.call.rotvec_from_quat(-q).r, expected, 4 * fc.eps * angle)


@pytest.mark.parametrize("axis", AXES, ids=str)
def test_half_turns_have_the_sign_of_their_quaternion(fc: Compiled, axis: Array) -> None:
    for sign in (1, -1):
        q = given(fc, [0, *sign * axis])
        near(fc.call.rotvec_from_quat(q).r, sign * np.pi * axis, 8 * fc.eps)
        found = fc.call.axis_angle_from_quat(q)
        near(found.axis, sign * axis, 2 * fc.eps)
        near(found.angle, np.pi, 2 * fc.eps)


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("angle", [*SMALL[4:], *GENERIC, *HALF_TURN, -2.0, 4.0, 7.0])
@pytest.mark.parametrize("length", [1e-15, 0.3, 1.0, 1e15])
def test_axis_and_angle(fc: Compiled, angle: float, axis: Array, length: float) -> None:
    """The length of the axis does not matter; back comes the unit axis and an angle in [0, pi]."""
    long_axis, angle = given(fc, length * axis), float(given(fc, angle))
    unit = long_axis / np.linalg.norm(long_axis)
    made = fc.call.quat_from_axis_angle(long_axis, angle)
    assert made.status == 0
    near(made.q, [math.cos(angle / 2), *math.sin(angle / 2) * unit], 4 * fc.eps)
    found = fc.call.axis_angle_from_quat(made.q)
    assert found.status == 0
    assert 0 <= found.angle <= fc.dtype(np.pi)
    near(np.linalg.norm(found.axis.astype(float)), 1, 4 * fc.eps)
    expected = Rotation.from_rotvec(angle * unit)
    near(Rotation.from_rotvec(float(found.angle) * found.axis).as_matrix(), expected.as_matrix(), 24 * fc.eps)
    if 1e-18 < angle < 3:
        near(found.axis, unit, 4 * fc.eps)
        near(found.angle / angle, 1, 8 * fc.eps)


def test_no_turn_has_the_axis_x(fc: Compiled) -> None:
    for q in (ONE, -ONE, 3 * ONE, [1, 0, math.sqrt(fc.min) / 4, 0], [-1, 0, 0, -math.sqrt(fc.min) / 4]):
        found = fc.call.axis_angle_from_quat(q)
        assert found.status == 0
        near(found.axis, [1, 0, 0], 0)
        assert found.angle == 0


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("kernel", ["rotvec_from_quat", "axis_angle_from_quat"])
def test_quaternions_without_direction_are_refused(fc: Compiled, kernel: str, place: int) -> None:
    unit = np.eye(4)[place]
    refused = {0.0: ZERO_NORM, math.sqrt(fc.min): ZERO_NORM, 2 * math.sqrt(fc.max): NOT_FINITE,
               INF: NOT_FINITE, NAN: ZERO_NORM | NOT_FINITE}  # fmt: skip
    for size, status in refused.items():
        q = np.where(unit, size, 0)
        result = getattr(fc.call, kernel)(q)
        assert result.status == status
        near(result[0], ZERO if kernel == "rotvec_from_quat" else [1, 0, 0], 0)
        assert kernel == "rotvec_from_quat" or result.angle == 0


@pytest.mark.parametrize("place", range(3))
def test_axes_without_direction_are_refused(fc: Compiled, place: int) -> None:
    refused = {0.0: ZERO_NORM, math.sqrt(fc.min): ZERO_NORM, 2 * math.sqrt(fc.max): NOT_FINITE,
               -INF: NOT_FINITE, NAN: ZERO_NORM | NOT_FINITE}  # fmt: skip
    for size, status in refused.items():
        axis = np.where(np.eye(3)[place], size, 0)
        for angle in (0.7, NAN):
            result = fc.call.quat_from_axis_angle(axis, angle)
            assert result.status == status | (NOT_FINITE if math.isnan(angle) else 0)
            near(result.q, ONE, 0)


# --- interpolation, integration, error --------------------------------------------------------------------

TIMES = [0.0, 1e-3, 0.25, 0.5, 0.9, 1.0]


def test_slerp_is_scipys(fc: Compiled, rng: np.random.Generator) -> None:
    """Between the ends and, as a power, beyond. v = q_1 - c q_0 is off by an eps or two, t v by t of them."""
    for q_0, q_1 in zip(random_quaternions(rng, 30), random_quaternions(rng, 30), strict=True):
        q_0, q_1 = given(fc, q_0), given(fc, q_1)
        ends = Rotation.concatenate([rotation(q_0), rotation(q_1)])
        for t in TIMES:
            same_rotation(
                fc.call.quat_slerp(q_0, q_1, t).q_t, Slerp([0, 1], ends)([given(fc, t)])[0], 16 * fc.eps
            )
        step = (ends[0].inv() * ends[1]).as_rotvec()
        for t in (-3.0, 1.5, 20.0):
            beyond = ends[0] * Rotation.from_rotvec(t * step)
            same_rotation(fc.call.quat_slerp(q_0, q_1, t).q_t, beyond, 16 * (1 + abs(t)) * fc.eps)


def test_identity_58_slerp_covers_the_fraction_t_of_the_short_arc(
    fc: Compiled, rng: np.random.Generator
) -> None:
    """The rate is that of the angle between the ends; -q_1 gives the same."""
    for q_0, q_1 in zip(random_quaternions(rng, 30), random_quaternions(rng, 30), strict=True):
        whole = (rotation(q_0).inv() * rotation(q_1)).magnitude()
        for t in TIMES:
            q_t = fc.call.quat_slerp(q_0, q_1, t).q_t
            near(fc.call.quat_slerp(q_0, -q_1, t).q_t, q_t, 0)
            near(np.linalg.norm(q_t.astype(float)), 1, 4 * fc.eps)
            near((rotation(q_0).inv() * rotation(q_t)).magnitude(), t * whole, 16 * fc.eps)


@pytest.mark.parametrize("angle", [*SMALL, 0.1])
def test_slerp_of_attitudes_close_together(fc: Compiled, angle: float, rng: np.random.Generator) -> None:
    """Down to equal ones, where the arc is 0/0. Ends are exact to the last bits, also for opposite signs."""
    for q_0 in random_quaternions(rng, 10):
        q_1 = given(fc, quaternion(rotation(q_0) * Rotation.from_rotvec(angle * AXES[3])))
        q_0 = given(fc, q_0)
        q_1 = q_1 if q_0 @ q_1 > 0 else -q_1
        for t in (*TIMES, 3.0):
            chord = q_0 + float(given(fc, t)) * (q_1 - q_0)  # to the square of the angle
            for end in (q_1, -q_1):
                near(fc.call.quat_slerp(q_0, end, t).q_t, chord, 8 * fc.eps + (1 + t) ** 2 * angle**2)
        near(fc.call.quat_slerp(q_0, q_0, 0.3).q_t, q_0, 2 * fc.eps)


def test_slerp_where_the_square_of_the_arc_underflows(fc: Compiled) -> None:
    tiny = float(given(fc, 1e-30 if fc.name == "f32" else 1e-200))
    for t in (0.25, 1.0, -2.0):
        near(fc.call.quat_slerp(ONE, [1, 0, tiny, 0], t).q_t, [1, 0, t * tiny, 0], 2 * fc.eps * tiny)


def test_slerp_over_half_a_turn_goes_where_the_second_quaternion_points(fc: Compiled) -> None:
    for sign in (1, -1):
        q_t = fc.call.quat_slerp(ONE, [0, 0, sign, 0], 0.5).q_t
        near(q_t, [math.sqrt(0.5), 0, sign * math.sqrt(0.5), 0], 2 * fc.eps)


def test_integration_of_a_constant_rate_is_exact(fc: Compiled, rng: np.random.Generator) -> None:
    """Many steps compose to one; each adds the roundings of a product, an eps or two."""
    steps = 100
    for q in random_quaternions(rng, 10):
        w, dt = given(fc, rng.uniform(-3, 3, 3)), 2.0**-7
        q = stepped = given(fc, q)
        for _ in range(steps):
            stepped = fc.call.quat_integrate(stepped, w, dt).q_AB_next
        expected = rotation(q) * Rotation.from_rotvec(w * dt * steps)
        same_rotation(stepped, expected, 4 * steps * fc.eps)
        same_rotation(fc.call.quat_integrate(q, w, dt * steps).q_AB_next, expected, 32 * fc.eps)
        near(np.linalg.norm(stepped.astype(float)), 1, 2 * steps * fc.eps)
        near(fc.call.quat_integrate(q, ZERO, dt).q_AB_next, q, 0)
        near(fc.call.quat_integrate(q, w, 0).q_AB_next, q, 0)


def test_integration_follows_the_kinematics(fc: Compiled, rng: np.random.Generator) -> None:
    """The symmetric difference over one step is the rate: off by (w dt)^2 / 24 and an eps over the step."""
    for q in random_quaternions(rng, 10):
        w, dt = rng.uniform(-1, 1, 3), 2.0**-6
        forth, back = (fc.call.quat_integrate(q, w, s * dt).q_AB_next.astype(float) for s in (1, -1))
        dq = fc.call.quat_kinematics(q, w, 0).dq
        near((forth - back) / (2 * dt), dq, dt**2 + 4 * fc.eps / dt)


def test_attitude_error_turns_one_attitude_into_the_other(fc: Compiled, rng: np.random.Generator) -> None:
    for q_NB, q_ND in zip(random_quaternions(rng, 40), random_quaternions(rng, 40), strict=True):
        q_NB, q_ND = given(fc, q_NB), given(fc, q_ND)
        e_B = fc.call.quat_error(q_NB, q_ND).e_B.astype(float)
        assert math.hypot(*e_B) <= np.pi * (1 + 2 * fc.eps)
        near(
            (rotation(q_NB) * Rotation.from_rotvec(e_B)).as_matrix(), rotation(q_ND).as_matrix(), 16 * fc.eps
        )
        for p, q in ((q_NB, -q_ND), (-q_NB, q_ND)):
            near(fc.call.quat_error(p, q).e_B, e_B, 0)
        same_rotation(fc.call.quat_integrate(q_NB, e_B, 1).q_AB_next, rotation(q_ND), 16 * fc.eps)


@pytest.mark.parametrize("angle", SMALL)
def test_small_attitude_errors(fc: Compiled, angle: float, rng: np.random.Generator) -> None:
    """The error is the rounding of the product; an attitude has error 0 relative to itself."""
    for q_NB in random_quaternions(rng, 10):
        q_NB = given(fc, q_NB)
        q_ND = quaternion(rotation(q_NB) * Rotation.from_rotvec(angle * AXES[3]))
        near(fc.call.quat_error(q_NB, q_ND).e_B, angle * AXES[3], 8 * fc.eps)
        near(fc.call.quat_error(q_NB, q_NB).e_B, ZERO, 4 * fc.eps)
    e_B = fc.call.quat_error(ONE, [1, *given(fc, angle * AXES[3]) / 2]).e_B
    near(e_B, given(fc, angle * AXES[3]), angle * (4 * fc.eps + angle**2) + 4 * fc.min * fc.eps)


# --- Jacobians of the exponential -------------------------------------------------------------------------

STEP = 1e-4
"""Of symmetric differences in double: off by STEP^2 times third derivatives below 1, and by eps / STEP."""

JACOBIANS = ["so3_left_jacobian", "so3_right_jacobian"]
VECTORS = [angle * axis for axis in AXES for angle in (*SMALL, *GENERIC, *HALF_TURN, 4.0, 6.0, 7.0, 100.0)]


def difference(kernel: str, r: Array, d: Array) -> Array:
    """The rotation from exp(r - d) to exp(r + d), in the fixed frame or in the body."""
    before, after = Rotation.from_rotvec(r - d), Rotation.from_rotvec(r + d)
    turn = after * before.inv() if "left" in kernel else before.inv() * after
    vector: Array = turn.as_rotvec()
    return vector


@pytest.mark.parametrize("kernel", JACOBIANS)
def test_jacobians_are_derivatives_of_the_exponential(fc: Compiled, kernel: str) -> None:
    for r in VECTORS:
        r = given(fc, r)
        J = getattr(fc.call, kernel)(r).J.reshape(3, 3)
        columns = [difference(kernel, r, STEP * d) / (2 * STEP) for d in EYE]
        near(J, np.column_stack(columns), STEP**2 + (8 + np.linalg.norm(r)) * (fc.eps + 1e-15 / STEP))


def power_series(r: Array) -> Array:
    """The left Jacobian as the sum of r~^k / (k + 1)!, for |r| < 1."""
    term, total = EYE, EYE
    for k in range(1, 25):
        term = term @ skew(r) / (k + 1)
        total = total + term
    return total


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("angle", [*SMALL, 0.1, 0.4, 0.4999, 0.5001, 0.6, 0.9])
def test_jacobians_at_small_angles(fc: Compiled, angle: float, axis: Array) -> None:
    """Left and right, on both sides of the threshold of the power series: element by element.

    Off by a few eps of the two terms that an element is the difference of; beyond the series, (1 -
    sin(x)/x) / x^2 is off by an eps over x^2, 4 at most.
    """
    r = given(fc, angle * axis)
    terms = EYE + np.abs(skew(r)) / 2 + np.abs(skew(r) @ skew(r)) * (1 / 6 + (angle > 0.499))
    for kernel, sign in zip(JACOBIANS, (1, -1), strict=True):
        J = getattr(fc.call, kernel)(r).J.reshape(3, 3).astype(float)
        excess = np.abs(J - power_series(sign * r)) - 4 * fc.eps * terms
        assert excess.max() <= 4 * fc.min


@pytest.mark.parametrize("kernel", JACOBIANS)
def test_inverse_jacobians(fc: Compiled, kernel: str) -> None:
    """J J_inv = 1, to the roundings of both: a few eps times the inverse, which grows towards whole turns."""
    for r in VECTORS:
        r = given(fc, r)
        J = getattr(fc.call, kernel)(r).J.reshape(3, 3).astype(float)
        result = getattr(fc.call, kernel + "_inverse")(r)
        assert result.status == 0
        inverse = result.J_inv.reshape(3, 3).astype(float)
        size = np.linalg.norm(inverse, 2) * (1 + np.linalg.norm(r))
        near(J @ inverse, EYE, 8 * fc.eps * size)
        near(inverse @ J, EYE, 8 * fc.eps * size)


def test_left_and_right_jacobians(fc: Compiled) -> None:
    """They are transposes of each other, and give the same rates in two frames."""
    for r in VECTORS:
        r = given(fc, r)
        for suffix in ("", "_inverse"):
            left, right = (getattr(fc.call, k + suffix)(r)[0].reshape(3, 3) for k in JACOBIANS)
            near(left.T, right, 0)
            near(getattr(fc.call, JACOBIANS[0] + suffix)(-r)[0].reshape(3, 3), right, 0)
            R = Rotation.from_rotvec(r).as_matrix()
            related = R @ right if not suffix else right @ R.T
            size = np.linalg.norm(left.astype(float), 2) * (1 + np.linalg.norm(r))
            near(related, left, 8 * fc.eps * size)


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_at_whole_turns_there_is_no_inverse(fc: Compiled, turns: int, axis: Array) -> None:
    r = given(fc, 2 * np.pi * turns * axis)
    for sign, kernel in ((-1, "so3_left_jacobian_inverse"), (1, "so3_right_jacobian_inverse")):
        result = getattr(fc.call, kernel)(r)
        assert result.status == SINGULAR
        near(result.J_inv.reshape(3, 3), EYE + sign * skew(r) / 2, 0)
        aside = getattr(fc.call, kernel)(r * (1 + 16 * fc.eps))
        assert aside.status == 0
        assert np.isfinite(aside.J_inv).all()


@pytest.mark.parametrize("wrong", [NAN, INF, -INF])
def test_inverse_jacobians_of_what_is_no_number_are_refused(fc: Compiled, wrong: float) -> None:
    vectors = [*np.where(EYE, wrong, 1), np.full(3, 2 * math.sqrt(fc.max))]
    for r in vectors:
        for kernel in ("so3_left_jacobian_inverse", "so3_right_jacobian_inverse"):
            result = getattr(fc.call, kernel)(r)
            assert result.status == NOT_FINITE
            near(result.J_inv.reshape(3, 3), EYE, 0)


# --- matrices ---------------------------------------------------------------------------------------------


def test_matrices_multiply_and_rotate(fc: Compiled, rng: np.random.Generator) -> None:
    """Sums of three products of numbers below 1, or of those with the vector."""
    for _ in range(20):
        R_AB, R_BC = (
            given(fc, R.as_matrix()) for R in Rotation.random(2, random_state=int(rng.integers(99)))
        )
        v = given(fc, rng.normal(size=3))
        near(fc.call.dcm_multiply(R_AB, R_BC).R_AC.reshape(3, 3), R_AB @ R_BC, 3 * fc.eps)
        near(fc.call.dcm_rotate(R_AB, v).v_A, R_AB @ v, 3 * fc.eps * np.linalg.norm(v))
        near(fc.call.dcm_rotate_inverse(R_AB, v).v_B, R_AB.T @ v, 3 * fc.eps * np.linalg.norm(v))


def test_the_rate_of_a_matrix(fc: Compiled, rng: np.random.Generator) -> None:
    """Against the symmetric difference, off by STEP^2 |w|^3 / 6."""
    for R in Rotation.random(20, random_state=7):
        w = given(fc, rng.uniform(-1, 1, 3))
        forth, back = ((R * Rotation.from_rotvec(s * STEP * w)).as_matrix() for s in (1, -1))
        near(
            fc.call.dcm_kinematics(R.as_matrix(), w).dR_AB.reshape(3, 3),
            (forth - back) / (2 * STEP),
            STEP**2 + 4 * fc.eps + 1e-15 / STEP,
        )


def test_orthonormalised_matrices_are_rotations(fc: Compiled, rng: np.random.Generator) -> None:
    """Of any matrix whose first columns are far from parallel, and of any size within range."""
    for _ in range(100):
        for scale in (1, 2.0**-30, 2.0**30):
            M = given(fc, rng.uniform(-1, 1, (3, 3)))
            x, c1 = M[:, 0] / np.linalg.norm(M[:, 0]), M[:, 1] / np.linalg.norm(M[:, 1])
            sine = np.linalg.norm(np.cross(x, c1))
            result = fc.call.dcm_orthonormalize(scale * M)
            assert result.status == 0
            R = result.R_unit.reshape(3, 3).astype(float)
            near(R.T @ R, EYE, 8 * fc.eps)
            assert np.linalg.det(R) > 0
            near(R[:, 0], x, 4 * fc.eps)
            near(R[:, 2] * sine, np.cross(x, c1), 8 * fc.eps)


@pytest.mark.parametrize("exponent", range(-6, 1))
def test_close_columns_give_axes_as_perpendicular_as_any(
    fc: Compiled, rng: np.random.Generator, exponent: int
) -> None:
    """The direction of y is uncertain by eps / angle, as the columns are, but x.y and x.z are not."""
    for turn in Rotation.random(50, random_state=6).as_matrix():
        angle = 10.0**exponent * rng.uniform(1, 2)
        if angle < 8 * fc.eps:
            continue
        columns = np.array([[1, 0, 0], [np.cos(angle), np.sin(angle), 0], [0, 0, 1]]).T
        result = fc.call.dcm_orthonormalize(turn @ columns * rng.uniform(0.1, 10))
        if result.status == DEGENERATE:
            assert angle < 64 * fc.eps
            continue
        R = result.R_unit.reshape(3, 3).astype(float)
        near(R.T @ R, EYE, 6 * fc.eps)
        near(R, turn, 8 * fc.eps / angle)


def test_a_rotation_stays_as_it_is(fc: Compiled) -> None:
    for R in Rotation.random(20, random_state=3):
        result = fc.call.dcm_orthonormalize(R.as_matrix())
        near(result.R_unit.reshape(3, 3), R.as_matrix(), 4 * fc.eps)
    drifted = Rotation.random(random_state=4).as_matrix() + 1e-3 * np.arange(9).reshape(3, 3)
    near(fc.call.dcm_orthonormalize(drifted).R_unit.reshape(3, 3), drifted, 3e-2)


def test_the_third_column_is_not_used(fc: Compiled) -> None:
    M = Rotation.random(random_state=5).as_matrix()
    expected = fc.call.dcm_orthonormalize(M).R_unit
    M[:, 2] = NAN
    result = fc.call.dcm_orthonormalize(M)
    assert result.status == 0
    near(result.R_unit, expected, 0)


A, B = np.array([1.0, 2, -2]), np.array([2.0, 1, 3])
NO_ROTATIONS = {
    "zero": (ZERO, ZERO),
    "zero-first": (ZERO, B),
    "zero-second": (A, ZERO),
    "parallel": (A, A),
    "opposite": (A, -3 * A),
    "nan-first": (A * NAN, B),
    "nan-second": (A, B * [1, 1, NAN]),
    "infinite-first": (A * [1, INF, 1], B),
    "infinite-second": (A, B * [-INF, 1, 1]),
}


@pytest.mark.parametrize("columns", NO_ROTATIONS.values(), ids=NO_ROTATIONS)
def test_matrices_without_two_directions_are_refused(fc: Compiled, columns: tuple[Array, Array]) -> None:
    result = fc.call.dcm_orthonormalize(np.column_stack([*columns, [0, 0, 1]]))
    assert result.status == DEGENERATE
    near(result.R_unit.reshape(3, 3), EYE, 0)


def test_how_close_to_parallel_columns_may_be(fc: Compiled) -> None:
    """The sine of their angle is compared with 4 eps, whatever their size; range ends where squares do."""
    for scale in (2.0**-40, 1, 2.0**40):
        for other in (2.0**-10, 1, 2.0**10):
            for sine, status in ((2, DEGENERATE), (8, 0)):
                c0, c1 = scale * np.array([1, 0, 0]), other * np.array([1, sine * fc.eps, 0])
                result = fc.call.dcm_orthonormalize(np.column_stack([c0, c1, ZERO]))
                assert result.status == status
                near(result.R_unit.reshape(3, 3), EYE, 0)
    for size in (math.sqrt(fc.min) / 2, 2 * math.sqrt(fc.max)):
        for columns in ((size * EYE[1], EYE[2]), (EYE[1], size * EYE[2])):
            result = fc.call.dcm_orthonormalize(np.column_stack([*columns, ZERO]))
            assert result.status == DEGENERATE
            near(result.R_unit.reshape(3, 3), EYE, 0)


# --- angles -----------------------------------------------------------------------------------------------


def test_angles_in_range_are_kept(fc: Compiled) -> None:
    for angle in (
        0.0,
        -0.0,
        fc.min,
        1e-30,
        0.1,
        -1.0,
        3.0,
        -3.1,
        np.pi,
        np.nextafter(fc.dtype(np.pi), fc.dtype(0)),
    ):
        assert fc.call.angle_wrap(angle).wrapped == fc.dtype(angle)
    assert np.signbit(fc.call.angle_wrap(-0.0).wrapped)


def test_minus_half_a_turn_is_plus_half_a_turn(fc: Compiled) -> None:
    """In float, -pi rounds to a number below -pi, the angle of which is just below pi."""
    wrapped = fc.call.angle_wrap(-np.pi).wrapped
    near(wrapped, np.pi, 2 * fc.eps)
    assert wrapped > 0


@pytest.mark.parametrize("angle", [3.2, -3.2, 4.0, 6.0, 2 * np.pi, -7.0, 100.0, -1e4, 12345.678])
def test_angles_out_of_range_lose_whole_turns(fc: Compiled, angle: float) -> None:
    """The same direction to an eps; in (-pi, pi], up to the rounding of pi."""
    angle = float(given(fc, angle))
    wrapped = float(fc.call.angle_wrap(angle).wrapped)
    assert -fc.dtype(np.pi) < wrapped <= fc.dtype(np.pi)
    near([math.cos(wrapped), math.sin(wrapped)], [math.cos(angle), math.sin(angle)], 4 * fc.eps)


def test_angles_around_every_half_turn_stay_in_range(fc: Compiled) -> None:
    for k in range(-9, 10):
        for step in range(-3, 4):
            angle = fc.dtype(k * np.pi) * (1 + step * fc.eps)
            wrapped = fc.call.angle_wrap(angle).wrapped
            assert -fc.dtype(np.pi) < wrapped <= fc.dtype(np.pi)


def test_what_is_no_angle_stays_none(fc: Compiled) -> None:
    assert all(np.isnan(fc.call.angle_wrap(x).wrapped) for x in (NAN, INF, -INF))


# --- modified Rodrigues parameters ------------------------------------------------------------------------


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("angle", SMALL + GENERIC + HALF_TURN)
def test_rodrigues_parameters_of_a_quaternion(fc: Compiled, angle: float, axis: Array) -> None:
    """axis tan(angle / 4), on both hemispheres, accurate relative to its length; pi may round to above pi."""
    r = given(fc, angle * axis)
    q = fc.call.quat_from_rotvec(r).q
    q = -q if q[0] < 0 else q
    s = fc.call.mrp_from_quat(q).s_AB
    expected = np.copysign(np.tan(angle / 4) * np.abs(axis), q[1:])
    near(s, expected, 8 * fc.eps * angle + 4 * fc.min * fc.eps)
    if q[0] > 0:
        near(fc.call.mrp_from_quat(-q).s_AB, s, 0)
    near(s, rotation(q).as_mrp(), 8 * fc.eps)
    near(fc.call.quat_from_mrp(s).q_AB, q, 4 * fc.eps)


def test_rodrigues_parameters_of_any_length(fc: Compiled, rng: np.random.Generator) -> None:
    """Quaternion and matrix are SciPy's; the quaternion of a long set has w < 0."""
    for length in (0, 0.1, 0.9, 1, 1.1, 10, 1e3):
        s = given(fc, length * AXES[3] + 0.01 * rng.normal(size=3))
        q = fc.call.quat_from_mrp(s).q_AB
        near(np.linalg.norm(q.astype(float)), 1, 4 * fc.eps)
        assert (q[0] < 0) == (s @ s > 1)
        same_rotation(q, Rotation.from_mrp(s), 8 * fc.eps)
        near(fc.call.dcm_from_mrp(s).R_AB.reshape(3, 3), Rotation.from_mrp(s).as_matrix(), 8 * fc.eps)
        short = fc.call.mrp_shadow(s).s_short
        near(fc.call.mrp_from_quat(q).s_AB, short, 4 * fc.eps)


def test_infinitely_long_parameters_are_a_whole_turn(fc: Compiled) -> None:
    for s in (fc.max * EYE[0], -fc.max * EYE[1], np.full(3, 2 * math.sqrt(fc.max))):
        near(fc.call.quat_from_mrp(s).q_AB, -ONE, fc.eps)
        near(fc.call.dcm_from_mrp(s).R_AB.reshape(3, 3), EYE, fc.eps)
        near(fc.call.mrp_shadow(s).s_short, ZERO, fc.eps)


def test_the_shadow_set(fc: Compiled, rng: np.random.Generator) -> None:
    """The same attitude with length at most 1; inside and on the unit sphere, the parameters themselves."""
    for s in (EYE[0], -EYE[2], ZERO, [0.5, 0.5, 0.5], [0.6, 0, -0.79]):
        near(fc.call.mrp_shadow(s).s_short, given(fc, s), 0)
    for _ in range(50):
        s = given(fc, rng.normal(size=3) * 2)
        short = fc.call.mrp_shadow(s).s_short.astype(float)
        assert short @ short <= 1 + 4 * fc.eps
        near(Rotation.from_mrp(short).as_matrix(), Rotation.from_mrp(s).as_matrix(), 16 * fc.eps)
        near(fc.call.mrp_shadow(short).s_short, short, 4 * fc.eps)


def test_the_rate_of_rodrigues_parameters(fc: Compiled, rng: np.random.Generator) -> None:
    """Against the symmetric difference of the short set, and through the shadow for the long one.

    The rate of -s / (s.s) follows from that of s; both are off by a few eps times (1 + s.s)^2 of their set.
    """
    for R in Rotation.random(20, random_state=11):
        w = given(fc, rng.uniform(-1, 1, 3))
        s = R.as_mrp()
        forth, back = ((R * Rotation.from_rotvec(d * STEP * w)).as_mrp() for d in (1, -1))
        ds = fc.call.mrp_kinematics(s, w).ds
        near(ds, (forth - back) / (2 * STEP), STEP**2 + 4 * fc.eps + 1e-15 / STEP)
        n = s @ s
        long, dlong = -s / n, (2 * (s @ ds) * s / n - ds) / n
        near(fc.call.mrp_kinematics(long, w).ds * n**2, dlong * n**2, 16 * fc.eps)


# --- angular velocities and the way from one direction to another ------------------------------------------


def test_rates_give_back_the_angular_velocity(fc: Compiled) -> None:
    rng = np.random.default_rng(16)
    for _ in range(20):
        w, q, s = (given(fc, rng.uniform(-1, 1, n)) for n in (3, 4, 3))
        q = given(fc, q / np.linalg.norm(q))
        dq = fc.call.quat_kinematics(q, w, 0).dq
        near(fc.call.quat_kinematics_inverse(q, dq).w_B, w, 16 * fc.eps)
        near(fc.call.mrp_kinematics_inverse(s, fc.call.mrp_kinematics(s, w).ds).w_B, w, 32 * fc.eps)


def test_directions_are_turned_into_each_other_by_the_least_angle(fc: Compiled) -> None:
    """SciPy's align_vectors needs a second direction: the axis of the least rotation is normal to both."""
    rng = np.random.default_rng(17)
    for _ in range(20):
        a, b = (given(fc, rng.standard_normal(3)) for _ in range(2))
        q, status = fc.call.quat_from_vectors(5 * a, b)
        assert status == 0
        normal = np.cross(b, a)
        both = [a / np.linalg.norm(a), normal], [b / np.linalg.norm(b), normal]
        R, _ = Rotation.align_vectors(*both, weights=[1, 1e-6])
        near(np.asarray(q), np.copysign(1, quaternion(R)[0]) * quaternion(R), 1e-7 + 64 * fc.eps)
        assert q[0] >= 0


def test_opposite_directions_are_half_a_turn_apart(fc: Compiled) -> None:
    for v in ([1.0, 2, 3], [3.0, 2, 1], [0.0, 0, 1], [1.0, 0, 0], [0.0, 2, 0]):
        q, status = fc.call.quat_from_vectors([-2 * x for x in v], v)
        assert status == 64
        assert q[0] == 0
        near(np.linalg.norm(q), 1, 4 * fc.eps)
        near(np.dot(q[1:], v), 0, 8 * fc.eps)
    for x in (np.nan, np.inf, 0.0):
        q, status = fc.call.quat_from_vectors([x, 0, 0], [1, 0, 0])
        assert status != 0
        near(q, [1, 0, 0, 0], 0)


# --- screw motions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0.0, 1e-20, 1e-8, 1e-3, 0.5, 3.0])
def test_screw_motions_are_exponentials_of_matrices(fc: Compiled, size: float) -> None:
    rng = np.random.default_rng(18)
    for axis in AXES:
        r, rho = given(fc, size * axis), given(fc, rng.uniform(-1, 1, 3))
        T = fc.call.transform_exp(r, rho).T_AB
        whole = expm(np.block([[skew(r), rho[:, None]], [np.zeros((1, 4))]]))
        near(np.reshape(T[:9], (3, 3)), whole[:3, :3], 32 * fc.eps)
        near(T[9:], whole[:3, 3], 32 * fc.eps)
        back = fc.call.transform_log(T)
        near(back.r, r, 16 * fc.eps)
        near(back.rho, rho, 64 * fc.eps)


def test_screw_motions_of_half_a_turn_have_a_logarithm(fc: Compiled) -> None:
    for axis in EYE:
        T = fc.call.transform_exp(given(fc, np.pi * axis), axis).T_AB
        back = fc.call.transform_log(T)
        near(abs(np.asarray(back.r, float)), np.pi * axis, 8 * fc.eps)
        near(back.rho, axis, 8 * fc.eps)


# --- Jacobians of screw motions ---------------------------------------------------------------------------

SCREWS = ["se3_left_jacobian", "se3_right_jacobian"]
RHO = np.array([0.4, -1.1, 0.7])


def motion_cross(r: Array, rho: Array) -> Array:
    """The matrix of the spatial cross product with [r, rho]."""
    return np.block([[skew(r), np.zeros((3, 3))], [skew(rho), skew(r)]])


def screw_pose(x: Array) -> Array:
    """The homogeneous matrix of the exponential, by SciPy."""
    pose: Array = expm(np.block([[skew(x[:3]), x[3:, None]], [np.zeros((1, 4))]]))
    return pose


@pytest.mark.parametrize("kernel", SCREWS)
@pytest.mark.parametrize("angle", [*SMALL, *GENERIC, *HALF_TURN, *BEYOND])
def test_jacobians_of_screw_motions_are_means_of_exponentials(
    fc: Compiled, kernel: str, angle: float
) -> None:
    """The mean of exp(t A) over the path, A the cross product; also the inverse, but at whole turns."""
    for axis in AXES:
        r, rho = given(fc, angle * axis), given(fc, RHO)
        A = motion_cross(r, rho) * (1 if "left" in kernel else -1)
        mean = expm(np.block([[A, np.eye(6)], [np.zeros((6, 12))]]))[:6, 6:]
        J = getattr(fc.call, kernel)(r, rho).J.reshape(6, 6).astype(float)
        near(J, mean, 24 * fc.eps * (1 + angle))
        found = getattr(fc.call, kernel + "_inverse")(r, rho)
        if found.status == 0:
            K = found.J_inv.reshape(6, 6).astype(float)
            size = np.linalg.norm(K, 2)
            near(J @ K, np.eye(6), 32 * fc.eps * size * (1 + angle))


@pytest.mark.parametrize("size", [1e-3, 0.3, 0.499, 0.501, 2.0, 5.0])
def test_jacobians_of_screw_motions_give_spatial_velocities(fc: Compiled, size: float) -> None:
    """The velocity of a moving pose by differences: of B seen in A by the left one, in B by the right one."""
    x, step = np.append(given(fc, size * AXES[2]), given(fc, RHO)), 1e-4
    T = screw_pose(x)
    for i, d in enumerate(np.eye(6)):
        dT = (screw_pose(x + step * d) - screw_pose(x - step * d)) / (2 * step)
        for kernel, rate in zip(SCREWS, (dT @ np.linalg.inv(T), np.linalg.inv(T) @ dT), strict=True):
            motion = np.append([rate[2, 1], rate[0, 2], rate[1, 0]], rate[:3, 3])
            column = getattr(fc.call, kernel)(x[:3], x[3:]).J.reshape(6, 6)[:, i]
            near(column, motion, 1e-7 + 64 * fc.eps)


def test_jacobians_of_known_screw_motions(fc: Compiled) -> None:
    """A translation: a rate of rotation moves the path by half the arm. A quarter turn: by hand."""
    for kernel, sign in zip(SCREWS, (1, -1), strict=True):
        J = getattr(fc.call, kernel)(ZERO, [1, 2, 3]).J.reshape(6, 6)
        near(J, np.eye(6) + np.kron([[0, 0], [1, 0]], sign * skew(np.array([1, 2, 3])) / 2), 0)
        inverse = getattr(fc.call, kernel + "_inverse")(ZERO, [1, 2, 3]).J_inv.reshape(6, 6)
        near(inverse, np.eye(6) - np.kron([[0, 0], [1, 0]], sign * skew(np.array([1, 2, 3])) / 2), 0)
    J = fc.call.se3_left_jacobian([0, 0, np.pi / 2], [1, 0, 0]).J.reshape(6, 6).astype(float)
    near(J[:3, 2], [0, 0, 1], 4 * fc.eps)
    # p = rho [sin(a), 1 - cos(a)] / a, so that v = dp/da - e_z x p
    near(J[3:, 2], np.array([2 / np.pi - 4 / np.pi**2, -4 / np.pi**2, 0]), 8 * fc.eps)
    near(J[3:5, 3], [2 / np.pi, 2 / np.pi], 4 * fc.eps)


def test_screw_motions_of_whole_turns_have_no_inverse_jacobian(fc: Compiled) -> None:
    for axis in AXES:
        r, rho = given(fc, 2 * np.pi * axis), given(fc, RHO)
        for kernel, sign in zip(SCREWS, (-1, 1), strict=True):
            found = getattr(fc.call, kernel + "_inverse")(r, rho)
            assert found.status == SINGULAR
            near(found.J_inv.reshape(6, 6), np.eye(6) + sign * motion_cross(r, rho) / 2, 0)


@pytest.mark.parametrize("wrong", [NAN, INF, -INF])
def test_inverse_jacobians_of_screw_motions_refuse_what_is_no_number(fc: Compiled, wrong: float) -> None:
    for i in range(6):
        x = np.where(np.arange(6) == i, wrong, 0.5)
        for kernel in SCREWS:
            found = getattr(fc.call, kernel + "_inverse")(x[:3], x[3:])
            assert found.status & NOT_FINITE
            near(found.J_inv.reshape(6, 6), np.eye(6), 0)


# --- joints -----------------------------------------------------------------------------------------------

ALONG = np.array([0.48, 0.6, 0.64])
JOINTS = {
    "joint_revolute": ((ALONG,), [0.7]),
    "joint_prismatic": ((ALONG,), [0.7]),
    "joint_helical": ((ALONG, 0.3), [0.7]),
    "joint_planar": ((), [0.4, -0.2, 2.1]),
    "joint_universal": ((), [0.7, -1.9]),
}
"""The fixed arguments and the positions of each type."""


def pose_of(result: Any) -> Array:
    """The homogeneous matrix of a joint's pose."""
    T = np.asarray(result.T_PS, float)
    return np.block([[T[:9].reshape(3, 3), T[9:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])


@pytest.mark.parametrize("name", JOINTS)
def test_motion_subspaces_are_the_twists_of_the_poses(fc: Compiled, name: str) -> None:
    """T^-1 dT/dq, by differences."""
    fixed, position = JOINTS[name]
    joint, h = getattr(fc.call, name), 2.0**-6
    found = joint(*fixed, *position)
    S = np.reshape(np.asarray(found.S_q, float), (6, -1))
    for column, step in zip(S.T, h * np.eye(len(position)), strict=True):
        ahead, back = (pose_of(joint(*fixed, *(np.array(position) + x))) for x in (step, -step))
        twist = np.linalg.solve(pose_of(found), (ahead - back) / (2 * h))
        near([twist[2, 1], twist[0, 2], twist[1, 0], *twist[:3, 3]], column, h**2 + 8 * fc.eps / h)


def test_joints_turn_as_scipy_does(fc: Compiled) -> None:
    turns = {
        "joint_revolute": Rotation.from_rotvec(0.7 * ALONG),
        "joint_helical": Rotation.from_rotvec(0.7 * ALONG),
        "joint_universal": Rotation.from_euler("XY", [0.7, -1.9]),
        "joint_planar": Rotation.from_euler("Z", 2.1),
    }
    for name, R in turns.items():
        fixed, position = JOINTS[name]
        near(pose_of(getattr(fc.call, name)(*fixed, *position))[:3, :3], R.as_matrix(), 8 * fc.eps)
    near(pose_of(fc.call.joint_helical(ALONG, 0.3, 0.7))[:3, 3], 0.21 * ALONG, 4 * fc.eps)
    q = given(fc, [0.5, -0.5, 0.5, 0.5])
    ball = fc.call.joint_spherical(q)
    near(pose_of(ball)[:3, :3], rotation(q).as_matrix(), 8 * fc.eps)
    near(np.reshape(ball.S_q, (6, 3)), np.vstack([EYE, 0 * EYE]), 0)
