"""Matrices of robots in compressed sparse rows: the dense ones, with proven zeros left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from codegen.errors import FeatherError
from codegen.frontends import sparsity
from codegen.frontends.dimensions import check_units
from codegen.mechanisms import Body, Joint, Mechanism, robot_kernels
from codegen.mechanisms.kernels import nonzeros as nonzero_kernels
from codegen.modeling.kernel import Kernel
from codegen.proof.proof import prove
from tests.test_joint_types import SOLID
from tests.test_mechanisms import EXHAUSTIVE, branches, values

FUNCTIONS = ("crba", "rnea_derivatives", "forward_dynamics_derivatives", "regressor", "base_regressor")


def dense(kernel: Kernel, flat: Any, rows: dict[str, int]) -> list[Any]:
    """The matrices of a kernel's results, from the header's row starts and columns."""
    found, start = [], 0
    for output in kernel.outputs:
        name = output.name.removesuffix("_nonzeros")
        if name == output.name:
            found.append(np.array([flat[start : start + output.size]]))
            start += output.size
            continue
        starts, columns = (kernel.constants[f"{name}_{what}"] for what in ("ROW_STARTS", "COLUMNS"))
        matrix = np.zeros((len(starts) - 1, rows[name]))
        for i in range(len(matrix)):
            for k in range(starts[i], starts[i + 1]):
                matrix[i, columns[k]] = flat[start + k]
        found.append(matrix)
        start += output.size
    assert start == len(flat)
    return found


@pytest.mark.parametrize("floating", [False, pytest.param(True, marks=EXHAUSTIVE)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_nonzeros_are_those_of_the_dense_matrices(name: str, floating: bool) -> None:
    whole, sparse = robot_kernels(branches(floating), [name, f"{name}_nonzeros"])
    assert whole.inputs == sparse.inputs
    rng = np.random.default_rng(5)
    inputs = [rng.standard_normal(a.size) for a in whole.inputs]
    flat, start, expected = values(whole, *inputs), 0, []
    for output in whole.outputs:
        part, start = flat[start : start + output.size], start + output.size
        if output.name in ("M", "M_inv"):
            n = 9 if floating else 3
            matrix = np.zeros((n, n))
            matrix[np.triu_indices(n)] = part
        else:
            matrix = np.atleast_2d(part.reshape(getattr(output.type, "shape", -1)))
        expected.append(matrix)
    widths = {a.name: m.shape[1] for a, m in zip(whole.outputs, expected, strict=True)}
    found = dense(sparse, values(sparse, *inputs), widths)
    for matrix, peer in zip(found, expected, strict=True):
        assert matrix == pytest.approx(peer, rel=1e-13, abs=1e-13)
    assert sum(a.size for a in sparse.outputs) < sum(m.size for m in expected)


@EXHAUSTIVE
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_nonzeros_are_proven_by_virtual_work(name: str, floating: bool) -> None:
    (kernel,) = robot_kernels(branches(floating), [f"{name}_nonzeros"])
    proof = prove(kernel)
    assert (proof.status, "reference" in proof.ways) == ("proven", True)


def test_an_element_that_is_left_out_wrongly_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The definition has all elements, so that a zero of the formula that is none shows."""
    true = sparsity.positions
    monkeypatch.setattr(sparsity, "positions", lambda program: [kept[:-1] for kept in true(program)])
    (kernel,) = robot_kernels(branches(), ["crba_nonzeros"])
    assert prove(kernel).status.startswith("failed: formula and reference differ")


def gantry(damping: str) -> Mechanism:
    """Joints that only slide: no inertial force depends on their positions or velocities."""
    bodies = [Body(n, "1.3", ("0.1", "0.03", "0.05"), SOLID) for n in "abc"]
    joints = [
        Joint("along", "prismatic", "a", "b", axis=(1, 0, 0), damping=damping),
        Joint("across", "prismatic", "b", "c", ("0.1", "0.2", 0), axis=(0, 1, 0), damping=damping),
    ]
    return Mechanism("gantry", bodies, joints)


def test_a_matrix_without_nonzeros_is_left_out() -> None:
    (sparse,) = robot_kernels(gantry("0.3"), ["rnea_derivatives_nonzeros"])
    assert [(a.name, a.size) for a in sparse.outputs] == [("dtau_dv_nonzeros", 2)]
    assert "dtau_dq is left out, as all its elements are zero for all inputs." in sparse.details
    assert [*sparse.constants] == ["dtau_dv_ROW_STARTS", "dtau_dv_COLUMNS"]
    proof = prove(sparse)
    assert (proof.status, {"reference", "equation"} <= {*proof.ways}) == ("proven", True)


def test_matrices_without_any_nonzero_are_refused() -> None:
    with pytest.raises(FeatherError, match="all elements of dtau_dq and dtau_dv are zero"):
        robot_kernels(gantry("0"), ["rnea_derivatives_nonzeros"])


def test_a_matrix_that_is_left_out_is_proven_to_be_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrix by positions of a joint that turns is not zero, and left out by mistake."""
    places = sparsity.stored
    monkeypatch.setattr(nonzero_kernels, "stored", lambda *of: [[], *places(*of)[1:]])
    (sparse,) = robot_kernels(branches(False), ["rnea_derivatives_nonzeros"])
    assert prove(sparse).status.startswith("failed")


@pytest.mark.parametrize("name", ["crba_nonzeros", "rnea_derivatives_nonzeros"])
def test_units_are_checked_in_the_formulas_of_the_dense_matrices(name: str) -> None:
    """As where a model in Python has such a kernel."""
    for robot in (branches(False), gantry("0.3")):
        (sparse,) = robot_kernels(robot, [name])
        check_units(sparse)
