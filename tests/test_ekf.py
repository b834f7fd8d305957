"""The covariance prediction of the example: against the differentiated process model, and against samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import casadi
import mpmath
import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.transform import Rotation

import codegen
from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.ir.systems import F32
from codegen.loading.python_file import load_model
from codegen.modeling.kernel import Kernel
from codegen.tree.write import generate
from codegen.verify.libraries import Library
from codegen.verify.verify import check
from tests.conftest import ROOT
from tests.count import functions, total

pytestmark = pytest.mark.exhaustive

Vector = npt.NDArray[Any]
N = 24
UPPER = np.triu_indices(N)
G = 9.80665
EPS = {"f64": 2.0**-52, "f32": 2.0**-23}


@pytest.fixture(scope="module")
def kernels() -> dict[str, Kernel]:
    """The kernels of the example."""
    return load_model(ROOT / "examples" / "ekf.py")


@pytest.fixture(scope="module")
def tree(kernels: dict[str, Kernel], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, generated."""
    place = tmp_path_factory.mktemp("ekf") / "c"
    generate(list(kernels.values()), Options(), place)
    return place


@pytest.fixture(scope="module")
def ekf(tree: Path) -> Library:
    """The example, compiled."""
    return codegen.load(tree)


def process(x: Any, d_ang: Any, d_vel: Any, dt: Any) -> list[Any]:
    """The 24 states after dt, on scalars of any kind, written out element by element."""
    w, i, j, k = x[:4]
    a, b, c = (d - dt * bias for d, bias in zip(d_ang, x[10:13], strict=True))
    turned = [
        w - (i * a + j * b + k * c) / 2,
        i + (w * a + j * c - k * b) / 2,
        j + (w * b + k * a - i * c) / 2,
        k + (w * c + i * b - j * a) / 2,
    ]
    R = [
        [1 - 2 * (j * j + k * k), 2 * (i * j - w * k), 2 * (i * k + w * j)],
        [2 * (i * j + w * k), 1 - 2 * (i * i + k * k), 2 * (j * k - w * i)],
        [2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j)],
    ]
    gain = [d - dt * bias for d, bias in zip(d_vel, x[13:16], strict=True)]
    v = [v + sum(r * g for r, g in zip(row, gain, strict=True)) for v, row in zip(x[4:7], R, strict=True)]
    v[2] = v[2] + G * dt
    p = [p + v * dt for p, v in zip(x[7:10], x[4:7], strict=True)]
    return [*turned, *v, *p, *x[10:]]


def differentiated() -> casadi.Function:
    """F and G at a state, by CasADi."""
    x, u, dt = casadi.SX.sym("x", N), casadi.SX.sym("u", 6), casadi.SX.sym("dt")
    scalars = casadi.vertsplit(u)
    after = casadi.vertcat(*process(casadi.vertsplit(x), scalars[:3], scalars[3:], dt))
    return casadi.Function("slopes", [x, u, dt], [casadi.jacobian(after, x), casadi.jacobian(after, u)])


SLOPES = differentiated()


def differences(x: Vector, u: Vector, dt: Any) -> tuple[Vector, Vector]:
    """F and G by central differences: exact, as the process is at most quadratic in each of its arguments."""

    def along(step: Callable[[Vector], list[Any]], size: int) -> Vector:
        ones = np.eye(size, dtype=int)
        return np.array([(np.array(step(e)) - np.array(step(-e))) / 2 for e in ones]).T

    def by_state(e: Vector) -> list[Any]:
        return process(x + e, u[:3], u[3:], dt)

    def by_sensor(e: Vector) -> list[Any]:
        return process(x, (u + e)[:3], (u + e)[3:], dt)

    return along(by_state, N), along(by_sensor, 6)


def unpacked(triangle: Vector) -> Vector:
    """The symmetric matrix of an upper triangle."""
    P = np.zeros((N, N), dtype=triangle.dtype)
    P[UPPER] = triangle
    P.T[UPPER] = triangle
    return P


def random_step(rng: np.random.Generator) -> tuple[Vector, Vector, Vector, float, Vector]:
    """State, angle and velocity gained, their variances, dt, and a covariance of full rank."""
    x = rng.standard_normal(N)
    x[:4] /= np.linalg.norm(x[:4])
    u = rng.standard_normal(6) * np.repeat([0.02, 0.1], 3)
    root = rng.standard_normal((N, N)) * np.geomspace(1, 0.01, N)[:, None]
    return x, u, rng.uniform(0.1, 1, 6) * 1e-4, rng.uniform(0.002, 0.02), root @ root.T


def predicted(call: Any, x: Vector, u: Vector, variances: Vector, dt: float, P: Vector) -> Vector:
    """The compiled function's result, as a matrix."""
    after = call(x[:4], x[10:13], x[13:16], u[:3], u[3:], dt, variances[:3], variances[3:], P[UPPER])
    return unpacked(after.P_next.astype(float))


def sized(F: Vector, G: Vector, variances: Vector, P: Vector) -> Vector:
    """The scale of rounding errors of a prediction: the formula on absolute values."""
    size: Vector = abs(F) @ abs(P) @ abs(F.T) + abs(G) @ np.diag(variances) @ abs(G.T)
    return size


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["state_prediction", "covariance_prediction"])
def test_it_is_proven_and_verifies(name: str, kernels: dict[str, Kernel], ekf: Library) -> None:
    row = check(function(kernels[name], F32, Options()), ekf[f"fc_{name}_f32"], checks=True, count=1)
    assert (row.proof, row.problems) == ("proven", [])
    assert row.ok


def test_the_covariance_costs_less_than_anyone_elses(tree: Path) -> None:
    text = (tree / "fc_ekf_f32.c").read_text()
    found = functions(text, include=tree)["fc_covariance_prediction_f32"]
    assert found["div"] == found["sqrt"] == 0
    assert total(found) <= 2700


@pytest.mark.parametrize("precision", EPS)
def test_it_is_the_differentiated_process_model(
    precision: str, ekf: Library, rng: np.random.Generator
) -> None:
    call = getattr(ekf, precision).covariance_prediction
    dtype = np.float32 if precision == "f32" else np.float64
    for _ in range(10):
        x, u, variances, dt, P = (np.asarray(a, dtype).astype(float) for a in random_step(rng))
        F, G = (np.array(slope) for slope in SLOPES(x, u, dt))
        dense = F @ P @ F.T + G @ np.diag(variances) @ G.T
        error = abs(predicted(call, x, u, variances, float(dt), P) - dense)
        assert np.all(error <= 4 * EPS[precision] * sized(F, G, variances, P))


def test_it_is_so_on_fifty_digits(ekf: Library, rng: np.random.Generator) -> None:
    """The error of double then dominates: a few rounding errors of the terms that are summed."""
    with mpmath.workdps(50):
        exact = np.vectorize(mpmath.mpf, otypes=[object])
        for _ in range(3):
            x, u, variances, dt, P = random_step(rng)
            F, G = differences(exact(x), exact(u), mpmath.mpf(dt))
            dense = F @ exact(P) @ F.T + (G * exact(variances)) @ G.T
            assert np.all(dense - dense.T < 1e-45)
            error = abs(exact(predicted(ekf.f64.covariance_prediction, x, u, variances, dt, P)) - dense)
            F, G = F.astype(float), G.astype(float)
            assert np.all(error.astype(float) <= 4 * EPS["f64"] * sized(F, G, variances, P))


def test_states_that_are_constant_keep_their_covariance_to_the_bit(
    ekf: Library, rng: np.random.Generator
) -> None:
    x, u, variances, dt, P = random_step(rng)
    after = predicted(ekf.f64.covariance_prediction, x, u, variances, dt, P)
    np.testing.assert_array_equal(after[10:, 10:], P[10:, 10:])
    assert np.all(after[:10] != P[:10])


def flight(call: Any, start: Vector, seconds: float, dt: float) -> Iterator[tuple[Vector, Vector]]:
    """A climbing turn: for each step the state and what the sensors measure in it."""
    turn_and_force = np.array([0.05, -0.1, 0.4, 0.5, 0.2, -11.0])
    x = start.copy()
    for _ in range(round(seconds / dt)):
        u = (turn_and_force + x[10:16]) * dt
        yield x.copy(), u
        after = call(x[:4], x[4:7], x[7:10], x[10:13], x[13:16], u[:3], u[3:], dt, G)
        x[:10] = np.concatenate([np.ravel(part) for part in after])
        x[:4] /= np.linalg.norm(x[:4])


@pytest.mark.parametrize("precision", EPS)
def test_the_covariance_of_a_flight_stays_positive(precision: str, ekf: Library) -> None:
    """Over ten seconds, from a singular start: attitude known along q, wind not coupled to anything."""
    ekf_at = getattr(ekf, precision)
    x = np.zeros(N)
    x[:4], x[10:16] = Rotation.from_euler("xyz", [0.1, 0.3, -2.0]).as_quat()[[3, 0, 1, 2]], 0.01
    tangent = np.eye(4) - np.outer(x[:4], x[:4])
    P = np.diag(np.repeat([1e-4, 0.25, 1.0, 1e-6, 1e-3, 1e-4, 1e-4, 4.0], [4, 3, 3, 3, 3, 3, 3, 2]))
    P[:4, :4] = 1e-4 * tangent
    variances = np.repeat([1e-9, 1e-6], 3)
    for state, u in flight(ekf_at.state_prediction, x, 10.0, 0.02):
        P = predicted(ekf_at.covariance_prediction, state, u, variances, 0.02, P)
        scale = np.sqrt(np.diag(P))
        correlation = P / np.outer(scale, scale)
        assert np.linalg.eigvalsh(correlation)[0] > -200 * EPS[precision]
    assert np.all(np.diag(P)[4:10] > [0.25] * 3 + [1.0] * 3), "uncertainty grows without measurements"


def test_the_covariance_is_that_of_samples(ekf: Library, rng: np.random.Generator) -> None:
    """A second of flight, 20,000 times, from random states and with random noise; seen in whitened axes."""
    count, dt = 20_000, 0.05
    x = np.zeros(N)
    x[:4], x[10:16] = Rotation.from_euler("xyz", [-0.2, 0.5, 1.0]).as_quat()[[3, 0, 1, 2]], 0.02
    root = rng.standard_normal((N, N)) * 1e-4
    P, variances = root @ root.T, np.repeat([1e-9, 1e-8], 3)
    samples = (x + rng.standard_normal((count, N)) @ root.T).T
    state = x.copy()
    for _ in range(20):
        u = np.array([0.3, -0.2, 0.5, 1.0, 0.5, -9.5]) * dt
        P = predicted(ekf.f64.covariance_prediction, state, u, variances, dt, P)
        disturbed = u[:, None] + rng.standard_normal((6, count)) * np.sqrt(variances)[:, None]
        samples = np.array(process(samples, disturbed[:3], disturbed[3:], dt))
        state = np.array(process(state, u[:3], u[3:], dt))
    whitened = np.linalg.solve(np.linalg.cholesky(P), samples - state[:, None])
    np.testing.assert_allclose(whitened @ whitened.T / count, np.eye(N), atol=6 / np.sqrt(count))


def test_a_body_at_rest_stays_at_rest(ekf: Library) -> None:
    """The specific force at rest cancels gravity in any attitude, biases removed."""
    for angles in ([0.0, 0.0, 0.0], [0.5, -1.0, 2.0]):
        turn = Rotation.from_euler("xyz", angles)
        bias, dt = np.array([0.1, -0.2, 0.3]), 0.01
        felt = turn.inv().apply([0, 0, -G]) + bias
        q = turn.as_quat()[[3, 0, 1, 2]]
        after = ekf.f64.state_prediction(
            q, [0, 0, 0], [1, 2, 3], [0, 0, 0], bias, [0, 0, 0], felt * dt, dt, G
        )
        np.testing.assert_allclose(after.q_next, q, atol=1e-15)
        np.testing.assert_allclose(after.v_next, 0, atol=1e-15)
        np.testing.assert_array_equal(after.p_next, [1, 2, 3])


def test_a_turn_is_followed_to_first_order(ekf: Library, rng: np.random.Generator) -> None:
    """Halving the step quarters the error of each."""
    start, rate = Rotation.random(random_state=1), np.array([0.3, -0.7, 0.4])
    errors = []
    for dt in (0.02, 0.01):
        q = ekf.f64.state_prediction(
            start.as_quat()[[3, 0, 1, 2]],
            [0] * 3,
            [0] * 3,
            [0.1] * 3,
            [0] * 3,
            (rate + 0.1) * dt,
            [0] * 3,
            dt,
            G,
        ).q_next
        errors.append(np.linalg.norm(q - (start * Rotation.from_rotvec(rate * dt)).as_quat()[[3, 0, 1, 2]]))
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.05)
