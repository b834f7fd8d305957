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
from codegen.proof.outcomes import compare_outcomes
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
        "dcm_nearest", "quat_mean",
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
    for kernel in GUARDED:
        for flag in stated_flags(kernel):
            for i, case in enumerate(kernel.failures[flag]):
                for pattern, instead in _CHANGES:
                    for found in re.finditer(pattern, case.unless):
                        before, after = case.unless[: found.start()], case.unless[found.end() :]
                        changed = before + instead + after
                        if not all(condition in changed for condition in THE_SAME):
                            yield Edit(kernel.name, flag, i, changed)


THE_SAME = ("J_xx >= 0", "J_xx J_yy - J_xy^2 > 0")
"""Where the second condition holds, J_xx is not 0, so that the first one is the same as J_xx > 0."""


def chosen() -> list[Any]:
    """The edits: every eighth, of which the quick run makes a sample; all in `make fuzz`.

    Of the fourth-order steps, whose conditions take a minute to compare, all are left to `make fuzz`.
    """
    every = sorted(edits(), key=lambda e: e.kernel.startswith(LONGEST))
    some = [e for e in every[::8] if not e.kernel.startswith(LONGEST)]
    return [
        *sampled(some, every=8),
        *(pytest.param(e, marks=pytest.mark.fuzz) for e in every if e not in some),
    ]


LONGEST = "rigid_body_step_rk4_"


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


def test_exchanged_conditions_of_two_cases_are_seen() -> None:
    kernel = library()["rigid_body_dynamics_quat"]
    *others, first, second = kernel.failures[Status.NOT_FINITE]
    exchanged = (*others, replace(first, unless=second.unless), replace(second, unless=first.unless))
    verdict = compare_conditions(replace(kernel, failures={**kernel.failures, Status.NOT_FINITE: exchanged}))
    assert verdict is not None
    assert not verdict.proven


# The results that are stated of a failure

STATED = [k for k in library().values() if any(c.results for cases in k.failures.values() for c in cases)]


def with_results(kernel: Kernel, flag: Status, number: int, results: str) -> Kernel:
    cases = list(kernel.failures[flag])
    cases[number] = replace(cases[number], results=results)
    return replace(kernel, failures={**kernel.failures, flag: tuple(cases)})


def wrong_results(kernel: Kernel) -> Iterator[Kernel]:
    """The kernel with each sign, number and name changed that its failures state of the results."""
    for flag, cases in kernel.failures.items():
        for i, case in enumerate(cases):
            for pattern, instead in (
                (r"(?<= )\+(?= )", "-"), (r"(?<= )-(?= )", "+"), (r"\b0\b(?![\]:,]\d*[\]:])(?!\])", "1"),
                (r"(?<=[ \[])1\b(?!\d|\])", "2"), (r"(?<== )([A-Za-z]\w*)$", r"-\1"),
            ):  # fmt: skip
                for found in re.finditer(pattern, case.results):
                    before, after = case.results[: found.start()], case.results[found.end() :]
                    yield with_results(kernel, flag, i, before + found.expand(instead) + after)


@pytest.mark.parametrize("kernel", sampled(STATED, every=4), ids=lambda k: k.name)
def test_the_results_that_are_stated_of_a_failure_are_those_of_the_program(kernel: Kernel) -> None:
    verdict = compare_outcomes(kernel)
    assert verdict is not None
    assert verdict.proven, verdict.shortcoming
    changed = list(wrong_results(kernel))
    assert changed
    for wrong in changed:
        try:
            verdict = compare_outcomes(wrong)
        except FeatherError:
            continue  # it names what the change makes meaningless
        assert verdict is not None
        assert not verdict.proven, wrong.failures


def test_what_follows_from_a_failure_is_part_of_it() -> None:
    """A negative mass is not positive, either; where |q| is too large or small, all angles are 0."""
    for name, flag, results in (
        ("contact_mass_inverse", Status.MASS, "twist[0:3] = [0, 0, 0]"),
        ("euler_zxz_from_quat", Status.NOT_FINITE, "a_0 = 0, a_1 = 0, a_2 = 0"),
    ):
        verdict = compare_outcomes(with_results(library()[name], flag, 0, results))
        assert verdict is not None
        assert verdict.proven, verdict.shortcoming


def test_the_proof_says_that_the_results_are_others() -> None:
    wrong = with_results(library()["quat_inverse"], Status.ZERO_NORM, 0, "q_inv = [0, 0, 0, 1]")
    status = prove(wrong).status
    assert (
        status == "failed: the formula has other results in a failure than its documentation, see ZERO_NORM"
    )


def test_results_that_state_nothing_are_refused_and_cases_without_a_requirement_not_proven() -> None:
    kernel = library()["quat_inverse"]
    with pytest.raises(FeatherError, match=r"the results of ZERO_NORM: .* is to have two sides"):
        compare_outcomes(with_results(kernel, Status.ZERO_NORM, 0, "q_inv = q = [1, 0, 0, 0]"))
    two = {**kernel.failures, Status.ZERO_NORM: kernel.failures[Status.ZERO_NORM] * 2}
    verdict = compare_outcomes(replace(kernel, failures=two))
    assert verdict is not None
    assert "ZERO_NORM has 2 cases, but the formula requires 1" in verdict.shortcoming


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
