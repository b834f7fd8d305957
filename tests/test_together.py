"""What is said of a flag's condition where another flag is returned is what the Program does there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from codegen.emit.cases import cases_of
from codegen.emit.together import fates
from codegen.ir.program import input_scalars, program_of
from codegen.ir.status import Status
from codegen.library import library
from codegen.modeling.equations.textbook import arguments, is_notation, traced_table
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.notation.meaning import Meaning
from codegen.notation.reader import read
from codegen.notation.syntax import Kind
from codegen.proof.guards import proven_flags
from codegen.provenance.points import at_points, points
from tests.conftest import sampled

TESTED = [k for k in library().values() if len({flag for _, flag in k.program(True).status}) > 1]

ODD = (0.0, -1.0, 1e-320)
"""Numbers at which requirements fail, each in place of each input; where values overflow depends on the order
of the operations, which is not compared here."""


def hostile(kernel: Kernel) -> Any:
    usual = points(kernel)[:, :4]
    rows = [usual, usual * 0]
    for i in range(len(usual)):
        for number in ODD:
            changed = usual.copy()
            changed[i] = number
            rows.append(changed)
    return np.concatenate(rows, axis=1)


def is_of_inputs(kernel: Kernel, case: Failure) -> bool:
    names = {name for a in kernel.outputs for name in (a.name, a.name.replace("_next", "'"))}
    inside = (n for condition in case.conditions for n in condition.nodes())
    return not any(n.kind is Kind.NAME and n.name in names for n in inside)


def as_stated(kernel: Kernel, case: Failure, inputs: Any) -> Any:
    """Where the conditions of a case hold, as they are stated."""
    scalars = input_scalars(kernel.inputs)
    known = arguments(kernel.inputs, scalars, traced_table())
    equations = read(kernel.equation) if is_notation(kernel.equation) else ()
    meaning = Meaning(
        (*equations, *read(case.unless)), known, traced_table(), [a.name for a in kernel.outputs]
    )
    program = program_of(kernel.inputs, (), [], [(meaning.holds(c), Status.MASS) for c in case.conditions])
    values = at_points(program, inputs)
    return (values[[node for node, _ in program.status]] > 0).all(axis=0)


@pytest.mark.parametrize("kernel", sampled(TESTED, every=5), ids=lambda k: k.name)
def test_flags_that_are_returned_together_are_those_that_are_stated(kernel: Kernel) -> None:
    inputs, program = hostile(kernel), kernel.program(True)
    values = at_points(program, inputs)
    returned = {flag: np.zeros(inputs.shape[1], bool) for _, flag in program.status}
    for node, flag in program.status:
        returned[flag] |= values[node] <= 0
    for flag in proven_flags(kernel):
        own = [node for node, raised in program.status if raised == flag]
        cases = kernel.failures[flag]
        if len(own) != len(cases):
            continue
        for node, case, found in zip(own, cases, fates(kernel, flag, len(cases)), strict=True):
            holds = values[node] > 0
            untouched = ~np.any([returned[f] for f, fate in found.items() if fate], axis=0)
            if is_of_inputs(kernel, case) and not _has_limits(kernel):
                np.testing.assert_array_equal(
                    holds[untouched], as_stated(kernel, case, inputs)[untouched], f"{flag.name} {case.unless}"
                )
            for other, fate in found.items():
                alone = returned[other] & ~np.any(
                    [returned[f] for f, fate in found.items() if fate and f != other], axis=0
                )
                assert fate != "fails" or not holds[returned[other]].any()
                assert fate != "holds" or holds[alone].all()


def _has_limits(kernel: Kernel) -> bool:
    """Whether the equation has closed forms that are 0/0, which stand for their limits there."""
    return "jacobian_inverse" in kernel.name


def test_what_becomes_of_a_condition_is_stated() -> None:
    """Where another flag is returned, a condition is of another mass, it holds, or it fails as well."""
    stated = {
        "rigid_body_dynamics_quat": "where MASS or SINGULAR is returned, tested on substitute values",
        "euler_zyx_from_quat": "not returned with NOT_FINITE or ZERO_NORM",
        "euler_zxz_from_quat": "also returned with NOT_FINITE or ZERO_NORM",
        "inertia_solve": "also returned with MASS",
    }
    for name, text in stated.items():
        cases = (str(case) for cases in cases_of(library()[name]).values() for case in cases)
        assert any(text in case for case in cases), name
