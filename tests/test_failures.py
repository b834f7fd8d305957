"""Status flags: the conditions that are shown of them are those that the Program tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from codegen.errors import FeatherError
from codegen.ir.status import Status
from codegen.library import library
from codegen.modeling.failures import Failure, failures_of
from codegen.modeling.kernel import Kernel
from codegen.proof.guards import compare_conditions, stated_flags
from codegen.proof.proof import prove
from tests.conftest import sampled

GUARDED = [kernel for kernel in library().values() if stated_flags(kernel)]


@pytest.mark.parametrize("kernel", sampled(GUARDED, every=6), ids=lambda k: k.name)
def test_the_conditions_that_are_shown_are_those_of_the_program(kernel: Kernel) -> None:
    verdict = compare_conditions(kernel)
    assert verdict is not None
    assert verdict.proven, verdict.shortcoming


def test_conditions_that_are_stated_in_words_only_are_few() -> None:
    """Those of eigenvalues, which no formula states as the Program tests them."""
    cases = ((k.name, case) for k in library().values() for cases in k.failures.values() for case in cases)
    assert {name for name, case in cases if not case.unless} == {
        "inertia_from_com", "inertia_validate", "inertia_factor", "inertia_principal",
    }  # fmt: skip


class Edit(NamedTuple):
    """A change of the condition of a flag that is shown."""

    kernel: str
    flag: Status
    case: int
    after: str

    def __str__(self) -> str:
        return f"{self.kernel} {self.flag.name}: {self.after}"


_CHANGES = (
    (r"(?<= )\+(?= )", "-"), (r"(?<= )-(?= )", "+"), (r"(?<= )>=(?= )", ">"), (r"(?<= )>(?= )", ">="),
    (r"(?<= )<=(?= )", "<"), (r"\beps\b", "min"), (r"\bmin\b", "eps"), (r"\b16\b", "8"), (r"\b4 eps", "eps"),
    (r"\bsqrt\(", "abs("), (r", (?=[^=]*[<>])", " or "),
)  # fmt: skip


def edits() -> Iterator[Edit]:
    """Every change of a sign, a comparison, a constant or a connective."""
    for kernel in (k for k in GUARDED if k.formula is not None):
        for flag in stated_flags(kernel):
            for i, case in enumerate(kernel.failures[flag]):
                for pattern, instead in _CHANGES:
                    for found in re.finditer(pattern, case.unless):
                        before, after = case.unless[: found.start()], case.unless[found.end() :]
                        yield Edit(kernel.name, flag, i, before + instead + after)


def chosen() -> list[Any]:
    """The edits: every eighth, of which the quick run makes a sample; all in `make fuzz`.

    Of the fourth-order step, whose conditions take a minute to compare, all are left to `make fuzz`.
    """
    every = sorted(edits(), key=lambda e: e.kernel == LONGEST)
    some = [e for e in every[::8] if e.kernel != LONGEST]
    return [
        *sampled(some, every=8),
        *(pytest.param(e, marks=pytest.mark.fuzz) for e in every if e not in some),
    ]


LONGEST = "rigid_body_step_rk4_quat"


@pytest.mark.parametrize("edit", chosen(), ids=str)
def test_a_change_of_a_condition_is_seen(edit: Edit) -> None:
    kernel = library()[edit.kernel]
    cases = list(kernel.failures[edit.flag])
    cases[edit.case] = replace(cases[edit.case], unless=edit.after)
    wrong = replace(kernel, failures={**kernel.failures, edit.flag: tuple(cases)})
    try:
        verdict = compare_conditions(wrong)
    except FeatherError:
        return  # it names what the change makes meaningless
    assert verdict is None or not verdict.proven


def test_the_proof_says_that_a_condition_is_another_one() -> None:
    kernel = library()["quat_inverse"]
    changed = {**kernel.failures, Status.ZERO_NORM: (Failure("q.q > 1"),)}
    assert "conditions of status flags" in prove(replace(kernel, failures=changed)).status


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ({Status.MASS: Failure("m = 1")}, "no condition"),
        ({Status.MASS: Failure("m >")}, "a value is expected"),
        ({Status.MASS: 3}, "its failures are texts or conditions"),
        ({1: "m"}, "its failures are texts or conditions"),
    ],
)
def test_a_failure_that_states_nothing_is_refused(stated: Any, says: str) -> None:
    with pytest.raises(FeatherError, match=says):
        failures_of(stated)


def test_a_text_is_a_condition_and_its_results() -> None:
    assert failures_of({Status.MASS: "m is not positive: a = 0"}) == {
        Status.MASS: (Failure(words="m is not positive", note="a = 0"),)
    }
