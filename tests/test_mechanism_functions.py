"""Functions of robots that are generated where they are named."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from codegen.errors import FeatherError
from codegen.ir.program import evaluate
from codegen.ir.systems import F64, floating
from codegen.mechanisms import Body, Joint, Mechanism, robot_kernels
from codegen.mechanisms.description.inputs import Inputs
from codegen.mechanisms.trees.tree import tree_of
from codegen.modeling.kernel import Kernel
from codegen.passes import simplified
from codegen.proof.proof import prove
from tests.conftest import prove_as_written
from tests.test_joint_types import turned
from tests.test_mechanisms import branches, chain, damped, values


def ready(kernel: Kernel) -> Callable[..., Any]:
    """A function of the arguments of a kernel, in double, whose Program is simplified once."""
    program = simplified(kernel.program())

    def results(*arguments: Any) -> Any:
        scalars = [float(x) for argument in arguments for x in argument]
        return np.array(evaluate(program, floating(F64), scalars).results, dtype=float)

    return results


EXHAUSTIVE = pytest.mark.exhaustive
FLOATING = pytest.param(lambda: damped(True), marks=pytest.mark.exhaustive, id="floating")
BRANCHES = pytest.param(branches, marks=pytest.mark.exhaustive, id="branches")


@pytest.mark.exhaustive
@pytest.mark.parametrize("build", [chain, BRANCHES, FLOATING])
def test_momentum_is_its_matrix_times_velocity(build: Callable[[], Mechanism]) -> None:
    (matrix,), (momentum,) = (robot_kernels(build(), [f]) for f in ("momentum_matrix", "momentum"))
    proof = prove(matrix)
    assert (proof.status, "reference" in proof.ways) == ("proven", True)
    rng, floats = np.random.default_rng(1), build().floating
    (q, v), V = rng.standard_normal((2, 3)), rng.standard_normal(6 * floats)
    moving = np.concatenate([V, v])
    A = values(matrix, q).reshape(6, len(moving))
    expected = values(momentum, V, q, v) if floats else values(momentum, q, v)
    assert A @ moving == pytest.approx(expected, rel=1e-12)


@pytest.mark.exhaustive
@pytest.mark.parametrize("build", [chain, branches, FLOATING])
def test_derivatives_of_forward_dynamics_are_proven(build: Callable[[], Mechanism]) -> None:
    (kernel,) = robot_kernels(build(), ["forward_dynamics_derivatives"])
    proof = prove(kernel)
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


@pytest.mark.exhaustive
@pytest.mark.parametrize("build", [chain, FLOATING])
def test_derivatives_are_slopes_of_forward_dynamics(build: Callable[[], Mechanism]) -> None:
    slopes, forward, crba = (
        ready(robot_kernels(build(), [f])[0])
        for f in ("forward_dynamics_derivatives", "forward_dynamics", "crba")
    )
    rng, floats = np.random.default_rng(2), build().floating
    q, v, tau = rng.standard_normal((3, 3))
    attitude, V, F = np.array([0.7, 0.1, -0.5, 0.5]), rng.standard_normal(6), rng.standard_normal(6)

    def given(q: object, v: object) -> list[object]:
        return [attitude, V, q, v, tau, F] if floats else [q, v, tau]

    n, (a, by_q, by_v, inverse) = 3 + 6 * floats, _parts(slopes(*given(q, v)), floats)
    assert a == pytest.approx(forward(*given(q, v)), rel=1e-12)
    for k, step in enumerate(1e-6 * np.eye(3)):
        ahead, back = (forward(*given(q + s * step, v)) for s in (1, -1))
        assert by_q[:, k] == pytest.approx((ahead - back) / 2e-6, rel=1e-6, abs=1e-6)
        ahead, back = (forward(*given(q, v + s * step)) for s in (1, -1))
        assert by_v[:, k] == pytest.approx((ahead - back) / 2e-6, rel=1e-6, abs=1e-6)
    M = np.zeros((n, n))
    M[np.triu_indices(n)] = crba(q)
    M += np.triu(M, 1).T
    assert np.linalg.inv(M)[np.triu_indices(n)] == pytest.approx(inverse, rel=1e-10, abs=1e-12)


@pytest.mark.exhaustive
def test_derivatives_of_forward_dynamics_by_the_base_are_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    prove_as_written(monkeypatch)
    (kernel,) = robot_kernels(damped(True), ["forward_dynamics_base_derivatives"])
    proof = prove(kernel)
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


def test_derivatives_by_the_base_are_slopes_of_forward_dynamics() -> None:
    names = ("forward_dynamics_base_derivatives", "forward_dynamics")
    slopes, forward = (ready(robot_kernels(branches(True), [name])[0]) for name in names)
    rng, attitude = np.random.default_rng(15), np.array([0.7, 0.1, -0.5, 0.5])
    (q, v, tau), (V, F) = rng.standard_normal((3, 3)), rng.standard_normal((2, 6))
    found = slopes(attitude, V, q, v, tau, F)
    assert found[:9] == pytest.approx(forward(attitude, V, q, v, tau, F), rel=1e-12)
    by_phi, by_V = (part.reshape(9, -1) for part in np.split(found[9:], [27]))
    for k, step in enumerate(1e-6 * np.eye(3)):
        ahead, back = (forward(turned(attitude, s * step), V, q, v, tau, F) for s in (1, -1))
        assert by_phi[:, k] == pytest.approx((ahead - back) / 2e-6, rel=1e-6, abs=1e-6)
    for k, step in enumerate(1e-6 * np.eye(6)):
        ahead, back = (forward(attitude, V + s * step, q, v, tau, F) for s in (1, -1))
        assert by_V[:, k] == pytest.approx((ahead - back) / 2e-6, rel=1e-6, abs=1e-6)


def test_derivatives_of_forward_dynamics_by_the_base_need_one_that_floats() -> None:
    with pytest.raises(FeatherError, match="forward_dynamics_base_derivatives are for a floating base"):
        robot_kernels(branches(), ["forward_dynamics_base_derivatives"])


def _parts(found: np.ndarray, floats: bool) -> tuple[np.ndarray, ...]:
    """Accelerations, their derivatives by q and by v, and the inverse mass matrix."""
    if not floats:
        a, by_q, by_v, inverse = np.split(found, np.cumsum([3, 9, 9]))
        return a, by_q.reshape(3, 3), by_v.reshape(3, 3), inverse
    a, by_q, by_v, inverse = np.split(found, np.cumsum([9, 27, 27]))
    return a, by_q.reshape(9, 3), by_v.reshape(9, 3), inverse


# Contacts


def touching(floating: bool = False) -> Mechanism:
    """The tree of two branches with a point of each on the ground."""
    return branches(floating).with_inputs(Inputs(contacts=("hand", "foot")))


def on_one_point() -> Mechanism:
    """The chain with its end on the ground."""
    return chain().with_inputs(Inputs(contacts=("hand",)))


IN_CONTACT = ("delassus", "impulse_response", "forward_dynamics_in_contact")


@pytest.mark.parametrize(
    ("function", "build"),
    [
        ("delassus", on_one_point),
        *(
            pytest.param(f, build, marks=EXHAUSTIVE)
            for f in IN_CONTACT
            for build in (touching, partial(touching, True))
        ),
    ],
)
def test_functions_of_contacts_are_proven(function: str, build: Callable[[], Mechanism]) -> None:
    (kernel,) = robot_kernels(build(), [function])
    proof = prove(kernel)
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


def ground(q: Any) -> tuple[Any, Any]:
    """The mass matrix and the rows of the contact Jacobian of the tree on the base that stands still."""
    jacobians = robot_kernels(branches(), ["jacobian"], ["hand", "foot"])
    (crba,) = robot_kernels(branches(), ["crba"])
    M = np.zeros((3, 3))
    M[np.triu_indices(3)] = values(crba, q)
    J = [values(kernel, q).reshape(6, 3)[3:] for kernel in jacobians]
    return M + np.triu(M, 1).T, np.vstack(J)


def test_the_delassus_matrix_is_that_of_the_jacobian() -> None:
    (kernel,) = robot_kernels(touching(), ["delassus"])
    q = np.random.default_rng(8).standard_normal(3)
    M, J = ground(q)
    N, changes = np.split(values(kernel, q), [21])
    expected = np.linalg.solve(M, J.T)
    assert changes.reshape(3, 6) == pytest.approx(expected, rel=1e-10, abs=1e-12)
    assert np.abs(N - (J @ expected)[np.triu_indices(6)]).max() < 1e-11


@pytest.mark.exhaustive
def test_contact_forces_hold_the_points() -> None:
    names = ["rnea", "forward_dynamics_in_contact"]
    rnea, forward = (ready(robot_kernels(touching(), [name])[0]) for name in names)
    q, v, tau = np.random.default_rng(9).standard_normal((3, 3))
    wanted, soft = np.random.default_rng(10).standard_normal(6), 0.2
    a, f = np.split(forward(q, v, tau, wanted, [soft]), [3])
    _, J = ground(q)
    assert rnea(q, v, a) - J.T @ f == pytest.approx(tau, rel=1e-11, abs=1e-11)
    rates = robot_kernels(branches(), ["jacobian_rate"], ["hand", "foot"])
    drift = np.concatenate([(values(kernel, q, v).reshape(6, 3) @ v)[3:] for kernel in rates])
    assert J @ a + drift + soft * f == pytest.approx(wanted, rel=1e-11, abs=1e-11)


def test_an_impact_stops_the_points() -> None:
    (kernel,) = robot_kernels(on_one_point(), ["impulse_response"])
    response = ready(kernel)
    (jacobian,) = robot_kernels(chain(), ["jacobian"])
    q, v = np.random.default_rng(12).standard_normal((2, 3))
    J = values(jacobian, q).reshape(6, 3)[3:]
    for restitution in (0.0, 0.5):
        after, impulses = np.split(response(q, v, [restitution], [1e-9]), [3])
        assert J @ after == pytest.approx(-restitution * (J @ v), abs=1e-6)
        assert J @ v @ impulses < 0  # they oppose the motion


def test_functions_of_contacts_need_contacts() -> None:
    with pytest.raises(FeatherError, match="branches: name the links that touch the ground by --contact"):
        robot_kernels(branches(), ["delassus"])
    bodies = [Body(name, 1, (0, 0, 1), (1, 0, 0, 1, 0, 1)) for name in "abcdef"]
    joints = [Joint(f"j{c}", "revolute", "a", c) for c in "bcdef"]
    star = Mechanism("star", bodies, joints).with_inputs(Inputs(contacts=tuple("bcdef")))
    with pytest.raises(FeatherError, match="star: there may be 4 contacts, not 5"):
        robot_kernels(star, ["delassus"])


# Regressor


@EXHAUSTIVE
@pytest.mark.parametrize("build", [chain, branches, FLOATING])
def test_the_regressor_is_proven(build: Callable[[], Mechanism]) -> None:
    (kernel,) = robot_kernels(build(), ["regressor"])
    proof = prove(kernel)
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


def test_forces_are_the_regressor_times_the_inertias() -> None:
    (kernel,), (rnea,) = (robot_kernels(branches(), [f]) for f in ("regressor", "rnea"))
    q, v, a = np.random.default_rng(13).standard_normal((3, 3))
    own = tree_of(branches())
    parameters = []
    for name in ("left", "right", "hand"):
        place = own.frames[name]
        body = own.links[place.body].moments
        R = np.array(place.R.m, dtype=float).reshape(3, 3)
        second = R.T @ np.array(body.S.dense.m, dtype=float).reshape(3, 3) @ R
        J = np.trace(second) * np.eye(3) - second
        parameters += [
            float(body.m),
            *(R.T @ np.array(body.h.scalars(), dtype=float)),
            *J[np.triu_indices(3)],
        ]
    Y = values(kernel, q, v, a).reshape(3, 30)
    assert Y @ parameters == pytest.approx(values(rnea, q, v, a), rel=1e-12)
