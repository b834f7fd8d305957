"""The covariance prediction of the error-state example: its cost, its proof, differences of the process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

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

Vector = npt.NDArray[np.float64]
NAME = "error_covariance_prediction"
N = 24
UPPER = np.triu_indices(N)
GRAVITY = np.array([0, 0, 9.80665])


@pytest.fixture(scope="module")
def prediction() -> Kernel:
    """The kernel of the example."""
    return load_model(ROOT / "examples" / "error_state.py")[NAME]


@pytest.fixture(scope="module")
def tree(prediction: Kernel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, generated."""
    place = tmp_path_factory.mktemp("error_state") / "c"
    generate([prediction], Options(), place)
    return place


@pytest.fixture(scope="module")
def library(tree: Path) -> Library:
    """The example, compiled."""
    return codegen.load(tree)


def test_it_is_proven_and_verifies(prediction: Kernel, library: Library) -> None:
    row = check(function(prediction, F32, Options()), library[f"fc_{NAME}_f32"], checks=True, count=1)
    assert (row.proof, row.problems) == ("proven", [])
    assert row.ok


def test_it_costs_what_a_filter_engineer_would_accept(tree: Path) -> None:
    """SymForce's code for the same covariance, which PX4 keeps, has 1795 operations."""
    text = (tree / "fc_error_state_f32.c").read_text()
    found = functions(text, include=tree)[f"fc_{NAME}_f32"]
    assert found["div"] == found["sqrt"] == 0
    assert total(found) <= 1375


def step(attitude: Rotation, rest: Vector, gyro: Vector, accel: Vector, dt: float) -> tuple[Rotation, Vector]:
    """Attitude and all other states, in the order of the errors, after dt; SciPy turns the attitude."""
    v, p, gyro_bias, accel_bias = (rest[i : i + 3] for i in (0, 3, 6, 9))
    after = rest.copy()
    after[0:3] = v + (attitude.apply(accel - accel_bias) + GRAVITY) * dt
    after[3:6] = p + v * dt
    return attitude * Rotation.from_rotvec((gyro - gyro_bias) * dt), after


def slopes(start: tuple[Rotation, Vector], gyro: Vector, accel: Vector, dt: float) -> tuple[Vector, Vector]:
    """F and G by central differences of the errors after a step."""
    attitude, rest = start
    end, rest_end = step(attitude, rest, gyro, accel, dt)

    def error(e: Vector, n: Vector) -> Vector:
        disturbed = Rotation.from_rotvec(e[:3]) * attitude, rest + e[3:]
        turned, after = step(*disturbed, gyro - n[:3], accel - n[3:], dt)
        return np.concatenate([(turned * end.inv()).as_rotvec(), after - rest_end])

    def along(of: Callable[[Any], Vector], size: int) -> Vector:
        h = 1e-4
        return np.array([(of(e) - of(-e)) / (2 * h) for e in h * np.eye(size)]).T

    return along(lambda e: error(e, np.zeros(6)), N), along(lambda n: error(np.zeros(N), n), 6)


def test_it_is_the_process_to_first_order(library: Library, rng: np.random.Generator) -> None:
    """The terms that the model leaves out are of the size of the angle of a step, relative to those of dt."""
    for dt in (1e-3, 1e-4):
        attitude, rest = Rotation.random(random_state=rng), rng.standard_normal(N - 3)
        gyro, accel = rng.standard_normal(3), 10 * rng.standard_normal(3)
        root = rng.standard_normal((N, N))
        P, accel_var, gyro_var = root @ root.T, rng.uniform(0.1, 1, 3), 0.3
        F, G = slopes((attitude, rest), gyro, accel, dt)
        wanted = F @ P @ F.T + G @ np.diag([*[gyro_var] * 3, *accel_var]) @ G.T
        q = attitude.as_quat()[[3, 0, 1, 2]]
        found = library.f64.error_covariance_prediction(
            q, rest[9:12], accel, accel_var, gyro_var, dt, P[UPPER]
        ).P_next
        np.testing.assert_allclose(found, wanted[UPPER], rtol=0, atol=1e3 * dt**2)
        assert np.max(abs(found - P[UPPER])) > 10 * dt
