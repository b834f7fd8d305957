"""Functions of robots that are generated where they are named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from codegen.errors import FeatherError
from codegen.ir.program import evaluate
from codegen.ir.systems import F64, floating
from codegen.mechanisms import Mechanism, robot_kernels
from codegen.modeling.kernel import Kernel
from codegen.passes import simplified
from codegen.proof.proof import prove
from tests.test_joint_types import pair
from tests.test_mechanisms import branches, chain, damped, values


def ready(kernel: Kernel) -> Callable[..., Any]:
    """A function of the arguments of a kernel, in double, whose Program is simplified once."""
    program = simplified(kernel.program())

    def results(*arguments: Any) -> Any:
        scalars = [float(x) for argument in arguments for x in argument]
        return np.array(evaluate(program, floating(F64), scalars).results, dtype=float)

    return results


FLOATING = pytest.param(lambda: damped(True), marks=pytest.mark.exhaustive, id="floating")
BRANCHES = pytest.param(branches, marks=pytest.mark.exhaustive, id="branches")


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


def _parts(found: np.ndarray, floats: bool) -> tuple[np.ndarray, ...]:
    """Accelerations, their derivatives by q and by v, and the inverse mass matrix."""
    if not floats:
        a, by_q, by_v, inverse = np.split(found, np.cumsum([3, 9, 9]))
        return a, by_q.reshape(3, 3), by_v.reshape(3, 3), inverse
    a, by_q, by_v, inverse = np.split(found, np.cumsum([9, 27, 27]))
    return a, by_q.reshape(9, 3), by_v.reshape(9, 3), inverse


def test_positions_of_spherical_joints_have_no_derivatives() -> None:
    with pytest.raises(FeatherError, match="forward_dynamics_derivatives is not generated for spherical"):
        robot_kernels(pair("spherical"), ["forward_dynamics_derivatives"])
