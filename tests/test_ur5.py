"""The UR5 of the example: Lagrange's equations from its data sheet, energy, and a mass on the flange."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import casadi
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
G = 9.80665
EPS = {"f64": 2.0**-52, "f32": 2.0**-23}

DH = (
    (0, 0.089159, 90), (-0.425, 0, 0), (-0.39225, 0, 0), (0, 0.10915, 90), (0, 0.09465, -90), (0, 0.0823, 0),
)  # fmt: skip
"""Of each joint a, d (m) and alpha (degrees), as Universal Robots prints them."""
MASSES = (3.7, 8.393, 2.33, 1.219, 1.219, 0.1879)
CENTRES = (
    (0, -0.02561, 0.00193), (0.2125, 0, 0.11336), (0.15, 0, 0.0265),
    (0, -0.0018, 0.01634), (0, 0.0018, 0.01634), (0, 0, -0.001159),
)  # fmt: skip
"""Centres of mass in the Denavit-Hartenberg frames, at the far ends of the links."""
MOMENTS = (
    (0.0149724, 0.0104063, 0.0149724), (0.0151074, 0.1338858, 0.1338858), (0.004095, 0.0312168, 0.0312168),
    (0.0020139, 0.0021942, 0.0020139), (0.001831, 0.0021942, 0.001831), (0.0000806, 0.0000806, 0.0001321),
)  # fmt: skip


@pytest.fixture(scope="module")
def kernels() -> dict[str, Kernel]:
    """The kernels of the example."""
    return load_model(ROOT / "examples" / "ur5.py")


@pytest.fixture(scope="module")
def tree(kernels: dict[str, Kernel], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, generated."""
    place = tmp_path_factory.mktemp("ur5") / "c"
    generate(list(kernels.values()), Options(), place)
    return place


@pytest.fixture(scope="module")
def ur5(tree: Path) -> Library:
    """The example, compiled."""
    return codegen.load(tree)


def pose(a: float, d: float, alpha: float, angle: Any) -> Any:
    """The matrix of Denavit and Hartenberg, Rz(angle) Tz(d) Tx(a) Rx(alpha)."""
    c, s = casadi.cos(angle), casadi.sin(angle)
    ca, sa = round(np.cos(np.radians(alpha))), round(np.sin(np.radians(alpha)))
    rows = [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
    return casadi.vertcat(*(casadi.horzcat(*row) for row in rows))


def lagrangian(
    load: float = 0, place: Sequence[float] = (0, 0, 0)
) -> tuple[casadi.Function, casadi.Function, casadi.Function]:
    """Torques by Lagrange's equations, kinetic and potential energy, with a point mass on the flange."""
    q, dq, ddq = (casadi.SX.sym(name, 6) for name in ("q", "dq", "ddq"))
    kinetic: Any = 0
    potential: Any = 0
    T = casadi.SX.eye(4)
    for i, (row, m, c, moments) in enumerate(zip(DH, MASSES, CENTRES, MOMENTS, strict=True)):
        T = T @ pose(*row, q[i])
        centre = (T @ casadi.vertcat(*c, 1))[:3]
        v = casadi.jtimes(centre, q, dq)
        R = T[:3, :3]
        spin = R.T @ casadi.reshape(casadi.jtimes(casadi.vec(R), q, dq), 3, 3)
        w = casadi.vertcat(spin[2, 1], spin[0, 2], spin[1, 0])
        kinetic += (m * casadi.dot(v, v) + casadi.dot(w * casadi.DM(moments), w)) / 2
        potential += m * G * centre[2]
    hand = (T @ casadi.vertcat(*place, 1))[:3]
    kinetic += load / 2 * casadi.sumsqr(casadi.jtimes(hand, q, dq))
    potential += load * G * hand[2]
    momentum = casadi.gradient(kinetic, dq)
    change = casadi.jtimes(momentum, dq, ddq) + casadi.jtimes(momentum, q, dq)
    tau = change - casadi.gradient(kinetic - potential, q)
    return (
        casadi.Function("torques", [q, dq, ddq], [tau]),
        casadi.Function("kinetic", [q, dq], [kinetic]),
        casadi.Function("potential", [q], [potential]),
    )


TORQUES, KINETIC, POTENTIAL = lagrangian()


def flat(column: casadi.DM) -> Vector:
    """A CasADi column as an array."""
    return np.array(column).ravel()


def random_motion(rng: np.random.Generator) -> list[Vector]:
    """Angles, velocities and accelerations."""
    return [scale * rng.standard_normal(6) for scale in (2, 3, 5)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["ur5_nominal_dynamics", "ur5_inverse_dynamics"])
def test_it_is_proven_and_verifies(name: str, kernels: dict[str, Kernel], ur5: Library) -> None:
    row = check(function(kernels[name], F32, Options()), ur5[f"fc_{name}_f32"], checks=True, count=1)
    assert (row.proof, row.problems) == ("proven", [])
    assert row.ok


@pytest.mark.parametrize(("name", "limit"), [("ur5_inverse_dynamics", 608), ("ur5_nominal_dynamics", 330)])
def test_it_costs_less_than_anyone_elses(name: str, limit: int, tree: Path) -> None:
    found = functions((tree / "fc_ur5_f32.c").read_text(), include=tree)[f"fc_{name}_f32"]
    assert total(found) <= limit
    assert (found["sin"], found["cos"]) == (5, 5), "the first joint stands upright"


@pytest.mark.parametrize("precision", EPS)
def test_it_obeys_lagrange(precision: str, ur5: Library, rng: np.random.Generator) -> None:
    """As derived from the data sheet in its own frames."""
    call, dtype = getattr(ur5, precision).ur5_nominal_dynamics, {"f32": np.float32}.get(precision, np.float64)
    for _ in range(20):
        motion = [np.asarray(part, dtype).astype(float) for part in random_motion(rng)]
        expected = flat(TORQUES(*motion))
        np.testing.assert_allclose(call(*motion).tau, expected, rtol=0, atol=2000 * EPS[precision])


def test_at_rest_it_carries_its_weight(ur5: Library, rng: np.random.Generator) -> None:
    """The torque is the slope of the potential energy."""
    for _ in range(5):
        q = rng.uniform(-3, 3, 6)
        steps = np.eye(6) * 1e-6
        slope = [float(POTENTIAL(q + e) - POTENTIAL(q - e)) / 2e-6 for e in steps]
        np.testing.assert_allclose(ur5.f64.ur5_nominal_dynamics(q, [0] * 6, [0] * 6).tau, slope, atol=1e-7)
    upright = ur5.f64.ur5_nominal_dynamics([0.3, -np.pi / 2, 0, -np.pi / 2, 0, 0], [0] * 6, [0] * 6).tau
    np.testing.assert_allclose(upright, 0, atol=0.3, err_msg="nearly balanced")


def test_its_power_is_the_rate_of_its_energy(ur5: Library) -> None:
    """Along a swing, to the accuracy of the quadrature: Simpson's rule."""
    size, rate, phase = np.array([1, 0.8, 1.2, 2, 1.5, 3]), np.array([1, 1.3, 0.7, 2, 1.7, 3]), np.arange(6)
    times = np.linspace(0, 2, 401)

    def motion(t: float) -> tuple[Vector, Vector, Vector]:
        angle = rate * t + phase
        return size * np.sin(angle), size * rate * np.cos(angle), -size * rate**2 * np.sin(angle)

    power = [motion(t)[1] @ ur5.f64.ur5_nominal_dynamics(*motion(t)).tau for t in times]
    weights = np.array([1, *[4, 2] * 199, 4, 1]) * (times[1] / 3)
    start, end = (float(KINETIC(*motion(t)[:2]) + POTENTIAL(motion(t)[0])) for t in times[[0, -1]])
    assert weights @ power == pytest.approx(end - start, abs=1e-6)
    assert max(map(abs, power)) > 10


def test_its_mass_matrix_is_symmetric_and_positive(ur5: Library, rng: np.random.Generator) -> None:
    """And gives the kinetic energy."""
    call, still = ur5.f64.ur5_nominal_dynamics, np.zeros(6)
    for _ in range(5):
        q, dq, _ = random_motion(rng)
        M = np.array([call(q, still, e).tau - call(q, still, still).tau for e in np.eye(6)])
        np.testing.assert_allclose(M, M.T, atol=1e-13)
        assert np.linalg.eigvalsh(M)[0] > 1e-5
        assert dq @ M @ dq / 2 == pytest.approx(float(KINETIC(q, dq)), rel=1e-12)


def shifted(m: float, c: Vector, J: Vector) -> Vector:
    """The ten numbers of a body's inertia about the origin, from those about its centre of mass."""
    J = J + m * (c @ c * np.eye(3) - np.outer(c, c))
    return np.array([m, *m * c, *J[np.triu_indices(3)]])


def test_a_weight_in_its_hand(ur5: Library, rng: np.random.Generator) -> None:
    """The load is added to wrist 3; the test itself shifts each inertia to the frame on its joint."""
    load, place = 2.0, np.array([0.05, -0.1, 0.2])
    bodies = []
    for (a, _, alpha), m, c, moments in zip(DH, MASSES, CENTRES, MOMENTS, strict=True):
        R = Rotation.from_euler("x", alpha, degrees=True).as_matrix()
        bodies.append(shifted(m, [a, 0, 0] + R @ c, R @ np.diag(moments) @ R.T))
    flange = np.array([0, 0, DH[5][1]])
    bodies[5] = shifted(MASSES[5], flange + CENTRES[5], np.diag(MOMENTS[5]))
    bodies[5] += shifted(load, flange + place, np.zeros((3, 3)))
    expected, _, _ = lagrangian(load, place.tolist())
    for _ in range(5):
        motion = random_motion(rng)
        found = ur5.f64.ur5_inverse_dynamics(*motion, *bodies).tau
        np.testing.assert_allclose(found, flat(expected(*motion)), rtol=0, atol=2e-12)
