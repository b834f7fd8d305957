"""Long runs of the compiled library in C: conserved quantities, and comparisons with analytic solutions."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from scipy.special import ellipk

from tests.conftest import GENERATED, ROOT, tool

pytestmark = pytest.mark.exhaustive

EPS = {"f64": 2.0**-52, "f32": 2.0**-23}
STEPS = 10**6


@pytest.fixture(scope="module", params=["f64", "f32"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """What tests/long_run.c prints at one precision, and the precision's eps."""
    program = tmp_path_factory.mktemp("long_run") / request.param
    modules = ("rigid_body", "rotation", "rotation_vector", "loads")
    sources = [GENERATED / f"fc_{module}_{request.param}.c" for module in modules]
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", f"-I{GENERATED}"]
    flags.append(f"-DLONG_RUN_{request.param.upper()}")
    subprocess.run(
        [tool("gcc"), *flags, ROOT / "tests" / "long_run.c", *sources, "-lm", "-o", program], check=True
    )
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in printed.splitlines()]
    return {"eps": EPS[request.param], **{name: float(value) for name, value in lines}}


def test_no_step_fails(run: dict[str, float]) -> None:
    assert [name for name, value in run.items() if "status" in name and value] == []


def test_a_free_body_keeps_energy_and_momentum(run: dict[str, float]) -> None:
    """Truncation of RK4 turns a vector by (w dt)^5 / 120 a step and shortens it by (w dt)^6 / 144.

    Rounding adds a random walk of about eps a step. Frequencies go up to three times w = 0.88 rad/s
    (nutation); the worst of a thousand states is taken, hence the factor 8.
    """
    angle = 0.88 * 0.01
    walk = 8 * run["eps"] * STEPS**0.5
    assert run["free_energy"] < STEPS * (3 * angle) ** 6 / 144 + walk
    assert run["free_L"] < STEPS * (3 * angle) ** 5 / 120 + walk
    assert run["free_P"] < STEPS * angle**5 / 120 + walk
    assert run["free_energy"] > 0, "a run that changes nothing did not run"


def test_a_spin_about_the_intermediate_axis_turns_over(run: dict[str, float]) -> None:
    """Euler's solution in elliptic functions: w_y = sn, zero every half period 2 K(k) / p.

    With J = (1, 2, 3), w = (0.01, 1, 0): twice the energy is 2T, L^2 is the momentum's square, and
    p^2 = (J3 - J2) (L^2 - J1 2T) / (J1 J2 J3), k^2 = (J2 - J1) (J3 2T - L^2) / ((J3 - J2) (L^2 - J1 2T)).
    """
    J1, J2, J3 = 1, 2, 3
    w = np.array([np.float32(0.01) if run["eps"] > 1e-10 else 0.01, 1, 0], dtype=float)
    momentum = np.array([J1, J2, J3]) * w
    energy, L = w @ momentum, momentum @ momentum
    first, second = (J3 - J2) * (L - J1 * energy), (J2 - J1) * (J3 * energy - L)
    rate = np.sqrt(max(first, second) / (J1 * J2 * J3))
    half_period = 2 * ellipk(min(first, second) / max(first, second)) / rate
    # The separatrix is near: an error e of the invariants, a random walk of 20000 roundings, shifts the
    # period by e / (1 - k^2) times its derivative, 1/2.
    nearness = 1 - min(first, second) / max(first, second)
    tolerance = 1e-6 + run["eps"] * 20000**0.5 / nearness
    assert abs(run["flip_half_period"] - half_period) < tolerance * half_period
    assert abs(run["flip_first"] - half_period / 2) < tolerance * half_period


def test_a_spinning_projectile_flies_a_parabola(run: dict[str, float]) -> None:
    """Gravity is held in the body for a step in which the body turns by 50 dt: (50 dt)^2 / 24 of its path.

    Rounding of the position, 3 km, is a random walk of its last place.
    """
    steps = 1e5 if run["eps"] < 1e-10 else 1e4
    assert run["projectile_miss"] < 2 * (50 * 10 / steps) ** 2 / 24 * 490 + 8 * 3100 * run["eps"] * steps**0.5


def test_a_body_at_rest_on_the_rotating_earth_stays(run: dict[str, float]) -> None:
    """An hour in steps of half a second; Omega^2 p = 0.02 m/s^2 is what would move it were a sign wrong."""
    assert run["rest_speed"] < 7200 * 0.5 * 0.03 * run["eps"]
    assert run["rest_drift"] < 4e6 * run["eps"]
    assert run["rest_turn"] < 8 * run["eps"]


def test_a_rocket_that_sheds_mass_at_rest_keeps_its_velocity(run: dict[str, float]) -> None:
    """And one whose mass leaves at 100 m/s gains 100 ln 3 (Tsiolkovsky)."""
    assert run["rocket_speed_0"] == 50
    gained = 100 * np.log(3)
    assert abs(run["rocket_speed_1"] - 50 - gained) < 1e-5 * gained + 8 * 160 * run["eps"] * 1e4**0.5
