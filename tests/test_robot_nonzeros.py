"""Matrices of robots in compressed sparse rows: the dense ones, with proven zeros left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from codegen.frontends import sparsity
from codegen.mechanisms import nonzero_kernels, robot_kernels
from codegen.modeling.kernel import Kernel
from codegen.proof.proof import prove
from tests.test_mechanisms import EXHAUSTIVE, branches, values

FUNCTIONS = ("crba", "rnea_derivatives", "regressor", "base_regressor")


def dense(kernel: Kernel, flat: Any, rows: dict[str, int]) -> list[Any]:
    """The matrices of a kernel's results, from the header's row starts and columns."""
    found, start = [], 0
    for output in kernel.outputs:
        name = output.name.removesuffix("_nonzeros")
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
        if name == "crba":
            n = 9 if floating else 3
            matrix = np.zeros((n, n))
            matrix[np.triu_indices(n)] = part
        else:
            matrix = part.reshape(output.type.shape)  # type: ignore[union-attr]
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
    for module in (sparsity, nonzero_kernels):
        monkeypatch.setattr(module, "positions", lambda program: [kept[:-1] for kept in true(program)])
    (kernel,) = robot_kernels(branches(), ["crba_nonzeros"])
    assert prove(kernel).status.startswith("failed: formula and reference differ")
