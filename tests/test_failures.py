"""Status flags: the conditions that are shown of them are those that the Program tests."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import pytest
import sympy

from codegen.errors import FeatherError
from codegen.ir import domain
from codegen.ir.program import evaluate
from codegen.ir.status import Status
from codegen.ir.systems import F32, F64, floating
from codegen.library import library
from codegen.library.routines import routines
from codegen.modeling.equations.textbook import arguments
from codegen.modeling.failures import Failure, failures_of
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.meaning import Meaning
from codegen.notation.prose import pieces
from codegen.notation.reader import read, read_formulas
from codegen.proof.guards import compare_conditions, proven_flags, stated_flags
from codegen.proof.outcomes import compare_outcomes
from codegen.proof.proof import prove
from codegen.proof.thresholds import compare_thresholds
from tests.conftest import sampled
from tests.test_notation import TABLE

GUARDED = [kernel for kernel in library().values() if proven_flags(kernel)]
CERTIFIED = {
    name: [f for f in stated_flags(k) if f not in proven_flags(k)]
    for name, k in library().items()
    if stated_flags(k) != proven_flags(k)
}


@pytest.mark.parametrize("kernel", sampled(GUARDED, every=6), ids=lambda k: k.name)
def test_the_conditions_that_are_shown_are_those_of_the_program(kernel: Kernel) -> None:
    verdict = compare_conditions(kernel)
    assert verdict is not None
    assert verdict.proven, verdict.shortcoming


def test_every_condition_of_the_library_is_a_formula() -> None:
    stated = ((k.name, c) for k in library().values() for every in k.failures.values() for c in every)
    assert [name for name, case in stated if not case.unless] == []


def test_conditions_of_eigenvalues_and_pivots_are_certified() -> None:
    """No proof modulo primes follows them."""
    assert CERTIFIED == {
        "dcm_nearest": [Status.DEGENERATE],
        "quat_mean": [Status.DEGENERATE],
        "inertia_from_com": [Status.NOT_PHYSICAL],
        "inertia_validate": [Status.NOT_PHYSICAL],
        "inertia_factor": [Status.NOT_PHYSICAL],
        "inertia_principal": [Status.NOT_CONVERGED],
    }


@pytest.mark.parametrize("name", sampled(reversed(CERTIFIED), every=3))  # those first that take least
def test_certified_conditions_change_where_the_tests_of_the_formula_do(name: str) -> None:
    found = compare_thresholds(library()[name])
    assert found is not None
    assert found.difference == ""
    assert found.points > 500


# What is said of failures in words

SAID = {
    "outside of 2.3e-13 .. 7e12 kg m^2": lambda: (
        f"outside of {float(F32.named('min')) ** (1 / 3):.1e} .. "
        f"{float(F32.named('max')) ** (1 / 3):.0e} kg m^2".replace("e+", "e")
    ),
    "not more than 50 km away": lambda: f"not more than {50000 / 1000:.0f} km away",
    "within 2.2 km in float, 0.1 m in double": lambda: (
        f"within {6.378137e6 * float(F32.named('eps')) ** 0.5 / 1000:.1f} km in float, "
        f"{6.378137e6 * float(F64.named('eps')) ** 0.5:.1f} m in double"
    ),
}
"""Numbers among the words, computed from the limits of a precision and the radius of the Earth."""


def formulas_in_words(text: str) -> list[str]:
    """What is no word and no name: formulas, numbers and signs of comparisons."""
    for said in SAID:
        text = text.replace(said, "")
    found = [p.text for p in pieces(text) if p.is_formula and not p.text.removesuffix("'").isidentifier()]
    words = " ".join(p.text for p in pieces(text) if not p.is_formula)
    return found + re.findall(r"\d\S*|[-+*/^|]=?(?=\s|$)|[<>=~]+|\b(?:eps|min|max)\b", words)


def test_the_words_of_a_failure_have_no_formula_that_nothing_compares() -> None:
    everything: list[Kernel | Routine] = [*library().values(), *routines().values()]
    said = ((k.name, c) for k in everything for stated in k.failures.values() for c in stated)
    found = {(name, f) for name, c in said for t in (c.words, c.note) for f in formulas_in_words(t)}
    assert found == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("above `4 eps`", ["4 eps"]),
        ("`d = cos(a_1)`; otherwise, gimbal lock", ["d = cos(a_1)"]),
        ("an eigenvalue below -16 eps", ["16", "eps"]),
        ("a mass >= min", [">=", "min"]),
        ("`q` and `w_B'` are right, up to rounding", []),
    ],
)
def test_a_formula_in_the_words_of_a_failure_is_found(text: str, found: list[str]) -> None:
    assert formulas_in_words(text) == found


@pytest.mark.parametrize("said", SAID)
def test_a_number_in_the_words_of_a_failure_is_that_of_the_precision(said: str) -> None:
    assert SAID[said]() == said


def measured(kernel: Kernel, name: str) -> Any:
    """The value of a name in the condition of gimbal lock, and the results, at a random attitude."""
    case = next(domain.cases(kernel.inputs, 1, "lock"))
    inputs = [float(x) for x in case]
    results = evaluate(kernel.program(False), floating(F64), inputs).results
    known = arguments([*kernel.inputs, *kernel.outputs], [*inputs, *results], TABLE)
    (stated,) = kernel.failures[Status.GIMBAL_LOCK]
    meaning = Meaning((*read(kernel.equation), *read(stated.unless)), known, TABLE)
    return meaning.evaluate(read_formulas(name)[0].sides[0]).scalar, results


LOCKED = [
    k for k in library().values() if any("sine of" in c.words for c in k.failures.get(Status.GIMBAL_LOCK, ()))
]


@pytest.mark.parametrize("kernel", sampled(LOCKED, every=8), ids=lambda k: k.name)
def test_the_sine_or_cosine_of_the_middle_angle_is_what_the_words_say(kernel: Kernel) -> None:
    (stated,) = kernel.failures[Status.GIMBAL_LOCK]
    name, _, angle = (p.text for p in pieces(stated.words) if p.is_formula or "sine" in p.text)
    value, results = measured(kernel, name)
    turn = {"a_1": results[1], "theta": results[1]}[angle]
    assert value == pytest.approx((math.cos if " cosine " in stated.words else math.sin)(turn))
    assert value != pytest.approx((math.sin if " cosine " in stated.words else math.cos)(turn))


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
        for flag in proven_flags(kernel):
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


_CERTIFIED_CHANGES = (
    *_CHANGES[:-4], (r"\bmin\b(?!\()", "eps"), (r"\bmin\b(?!\()", "2 min"), (r"\b16\b", "15"),
    (r", 8 \(", ", 9 ("),
    (r"(?<= )2(?= e_3)", "3"), (r"\^2", "^3"), (r"tr\((\w+)\) / 2", r"tr(\1) / 3"), (r"\bmin\(m", "max(m"),
    (r"\bmin\(E", "max(E"), (r"\bmax\(", "min("), (r", (?=\|E|8|m|min\(|n)", " or "),
)  # fmt: skip


def certified_edits() -> Iterator[Edit]:
    """Every change of a sign, a comparison, a constant or a connective of a certified condition."""
    for name, flags in CERTIFIED.items():
        for flag in flags:
            (case,) = library()[name].failures[flag]
            for pattern, instead in _CERTIFIED_CHANGES:
                for found in re.finditer(pattern, case.unless):
                    before, after = case.unless[: found.start()], case.unless[found.end() :]
                    changed = before + found.expand(instead) + after
                    if not any(place in changed for place in UNREACHED):
                        yield Edit(name, flag, 0, changed)


UNREACHED = ("g^2 >= sqrt(eps)",)
"""A bound at which no matrix is known, so that nothing tells `>` from `>=`.

Singular values that are fractions are never at it, as the next test shows; of others, this is not shown.
"""


def test_fractions_as_singular_values_are_never_at_the_bound_of_an_average() -> None:
    """In float, `sqrt(eps)` is no fraction. In double, twice the product of two sums would be a square.

    With whole numbers p and q without a common factor, these sums are then 2 p^2 and q^2 times a number, and
    the third one, z, is a root of a quadratic equation. Its discriminant is no square: it is divisible by two
    an odd number of times, which depends on whether p and q are even only.
    """
    p, q, z = sympy.symbols("p q z", positive=True)
    x, y = 2 * p**2, q**2
    squares = sum(s**2 for s in ((x + y - z) / 2, (x - y + z) / 2, (-x + y + z) / 2))
    left, right = 8 * x * y * z**2, sympy.sqrt(sympy.Rational(F64.named("eps"))) * squares**2
    equation = sympy.sqrt(left) - sympy.sqrt(right).subs(sympy.sqrt(squares**2), squares)
    discriminant = sympy.lambdify((p, q), sympy.discriminant(2**15 * equation, z))
    for m, n in product(range(1, 33), repeat=2):
        if math.gcd(m, n) == 1:
            found = int(discriminant(m, n))
            assert (found & -found).bit_length() % 2 == 0  # one more than how often it is divisible by two


def certified_runs() -> list[Any]:
    """The edits: a few in the quick run, every fourth in the exhaustive one, all in `make fuzz`."""
    every = (
        (e, pytest.mark.fuzz if i % 4 else pytest.mark.exhaustive) for i, e in enumerate(certified_edits())
    )
    return [pytest.param(e, marks=mark if i % 40 else ()) for i, (e, mark) in enumerate(every)]


@pytest.mark.parametrize("edit", certified_runs(), ids=str)
def test_a_change_of_a_certified_condition_is_seen(edit: Edit) -> None:
    kernel = library()[edit.kernel]
    changed = (replace(kernel.failures[edit.flag][0], unless=edit.after),)
    try:
        found = compare_thresholds(replace(kernel, failures={**kernel.failures, edit.flag: changed}))
    except FeatherError:
        return  # it names what the change makes meaningless
    assert found is not None
    assert found.difference.startswith(f"see {edit.flag.name}: ")


def test_the_proof_says_that_a_certified_condition_is_another_one() -> None:
    kernel = library()["inertia_from_com"]
    (case,) = kernel.failures[Status.NOT_PHYSICAL]
    wrong = (replace(case, unless=case.unless.replace("16", "15")),)
    assert prove(replace(kernel, failures={**kernel.failures, Status.NOT_PHYSICAL: wrong})).status == (
        "failed: a condition of a status flag is not certified, see NOT_PHYSICAL: the documentation states "
        "another condition"
    )


def test_a_test_that_never_changes_is_not_certified() -> None:
    kernel = library()["inertia_principal"]
    found = compare_thresholds(replace(kernel, inputs=kernel.inputs, failures={
        Status.NOT_CONVERGED: (Failure("n min^9 <= 1, n = |I_com_xx|", certified=True),)
    }))  # fmt: skip
    assert found is not None
    assert found.difference != ""


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
    with pytest.raises(FeatherError, match=r"the results of ZERO_NORM: 'q = q' states nothing of a result"):
        compare_outcomes(with_results(kernel, Status.ZERO_NORM, 0, "q = q"))
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
