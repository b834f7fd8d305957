"""Equations and inequalities in the documentation of kernels hold, and would not with another sign."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from codegen.library import library
from codegen.library.routines import routines
from codegen.loading.python_file import load_model
from codegen.mechanisms import robot_kernels
from codegen.modeling.kernel import Kernel
from codegen.proof.checks import check_equations
from codegen.proof.claims import check_claims, claims, formulas, untrue_claims
from tests.conftest import ROOT, Featherc, sampled
from tests.test_mechanisms import branches
from tests.test_shown import mutants

CLAIMS = [(name, claim) for name, kernel in library().items() for claim in formulas(kernel)]
FIRST = {claim: name for name, claim in reversed(CLAIMS)}
"""One kernel of each claim."""


@pytest.mark.parametrize("name", sampled(dict.fromkeys(name for name, _ in CLAIMS), every=12))
def test_what_the_documentation_of_a_kernel_claims_holds(name: str) -> None:
    assert list(check_claims(library()[name])) == []


def test_every_formula_in_the_documentation_of_the_library_is_a_claim() -> None:
    """Those are compared; a formula that claims nothing would not be."""
    assert len(CLAIMS) > 200
    assert [(name, formula) for name, formula in CLAIMS if not claims(formula)] == []


def test_the_documentation_of_routines_has_names_and_no_formulas() -> None:
    """Their loops are written by hand, so that no formula about them can be compared."""
    assert {r.name: formulas(r) for r in routines().values() if formulas(r)} == {}


def test_the_documentation_of_robots_and_examples_claims_nothing_that_does_not_hold() -> None:
    examples = [k for path in sorted((ROOT / "examples").glob("*.py")) for k in load_model(path).values()]
    made = [*robot_kernels(branches()), *(k for k in examples if isinstance(k, Kernel))]
    assert len(made) > 60
    assert [problem for kernel in made for problem in check_claims(kernel)] == []


def changes(claim: str) -> Iterator[str]:
    """The claim with another sign, number or direction, or with the sine for the cosine."""
    yield from mutants(claim)
    for before, after in (
        (" = ", " = 2 "),
        ("<=", ">="),
        (">=", "<="),
        ("<", ">"),
        (" cos(", " sin("),
        (" sin(", " cos("),
    ):
        if before in claim:
            yield re.sub(rf"{re.escape(before)}(?!=)", after, claim)
    for before, after in (("Rx", "Ry"), ("Ry", "Rz"), ("Rz", "Rx")):
        if before in claim:
            yield claim.replace(before, after)


WIDER = frozenset((
    "-pi / 3 <= theta <= pi / 2", "-pi / 2 <= theta <= pi / 3", "|a_1| <= pi / 3", "1 <= a_1 <= pi",
))  # fmt: skip
"""Narrower ranges, which a few points may meet."""


@pytest.mark.parametrize("claim", sampled(FIRST, every=4))
def test_a_claim_does_not_hold_after_a_change(claim: str) -> None:
    kernel = library()[FIRST[claim]]
    changed = [c for c in changes(claim) if c not in (claim, *WIDER)]
    assert changed
    for other in changed:
        said = untrue_claims(replace(kernel, details=f"It has `{other}`."))
        assert any(f"the formula {other} in its documentation " in problem for problem in said), other


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("dR_AB = R_AB w_B~", ""),
        ("w_B, dR_AB", ""),
        ("dR_AB = w_B~ R_AB", "does not hold"),
        (
            "dR_AB = R_AB n~",
            "cannot be compared: n is neither an argument nor defined by an equation",
        ),
        (
            "R_AB w_B~",
            "states nothing that can be compared: write an equation or an inequality, or words",
        ),
    ],
)
def test_a_formula_in_words_is_compared(formula: str, said: str) -> None:
    kernel = replace(library()["dcm_kinematics"], details=f"It is `{formula}`.")
    expected = [f"the formula {formula} in its documentation {said}"] if said else []
    assert list(check_claims(kernel)) == expected


def test_a_formula_in_a_precondition_is_refused() -> None:
    kernel = replace(library()["dcm_kinematics"], requires="`R_AB` is orthonormal, and `w_B.w_B <= max`")
    (said,) = check_claims(kernel)
    assert said == ("the formula w_B.w_B <= max in its preconditions is compared with nothing: write words")


def test_a_claim_that_has_no_value_anywhere_is_none_that_holds() -> None:
    kernel = replace(library()["dcm_kinematics"], details="It has `w_B / (w_B.w_B - w_B.w_B) = 0`.")
    (said,) = check_claims(kernel)
    assert said.endswith("cannot be compared: it has no value at any point")


def test_formulas_in_words_are_among_the_equations_that_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.proof.checks.check_claims", lambda kernel: [f"{kernel.name} is seen"])
    assert check_equations(library()["dcm_kinematics"]) == ["dcm_kinematics: dcm_kinematics is seen"]


@pytest.mark.parametrize(
    ("claim", "said"),
    [("y = x^2", ""), ("y = x^3", "f: the formula y = x^3 in its documentation does not hold")],
)
def test_generate_says_what_the_documentation_of_a_model_claims_wrongly(
    claim: str, said: str, place: Path, featherc: Featherc
) -> None:
    arguments = 'inputs=[Arg("x", REAL, "1", "a number")], outputs=[Arg("y", REAL, "1", "its square")]'
    (place / "mine.py").write_text(
        f"from codegen import *\n\n@kernel({arguments}, equation='y = x x', source='a book')\n"
        f'def f(x):\n    """Square: `{claim}`."""\n    return x * x\n'
    )
    done = featherc("generate", "--model", "mine.py", "-o", "c")
    assert (done.code, done.err) == (0, f"note: {said}\n" if said else "")
