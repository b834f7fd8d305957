"""Equations and inequalities in titles and details of kernels hold, and would not with another sign."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from codegen.library import library
from tests.claims import claims, holds
from tests.conftest import sampled
from tests.test_shown import mutants

CLAIMS = [(name, claim) for name, kernel in library().items() for claim in claims(kernel)]
HOLDING = [(name, claim) for name, claim in CLAIMS if holds(library()[name], claim)]


def changes(claim: str) -> Iterator[str]:
    """The claim with another sign, number or direction, or with the sine for the cosine."""
    yield from mutants(claim)
    for before, after in (("<=", ">="), ("<", ">"), (" cos(", " sin("), (" sin(", " cos(")):
        if before in claim:
            yield re.sub(rf"{re.escape(before)}(?!=)", after, claim)


def test_ranges_and_definitions_hold_and_few_other_formulas_are_told() -> None:
    """The others are expressions, cases and rates, which have no value by themselves."""
    assert {name for name, _ in HOLDING if not name.startswith("euler_")} == {
        "rpy_from_dcm", "rpy_from_quat", "angle_wrap", "so3_left_jacobian", "so3_right_jacobian",
        "air_data_from_velocity", "dcm_frd_to_flu",
    }  # fmt: skip
    assert sum(name.startswith("euler_") for name, _ in HOLDING) == 48
    assert len({claim for _, claim in CLAIMS} - {claim for _, claim in HOLDING}) <= 73


@pytest.mark.parametrize("case", sampled(HOLDING, every=4), ids=": ".join)
def test_a_claim_does_not_hold_after_a_change(case: tuple[str, str]) -> None:
    name, claim = case
    changed = [c for c in changes(claim) if c != claim and c not in WIDER]
    assert changed or claim in ("R_LB^T = R_LB", "beta = asin(v_y / V)")
    assert [c for c in changed if holds(library()[name], c)] == []


WIDER = frozenset((
    "-pi / 3 <= theta <= pi / 2", "-pi / 2 <= theta <= pi / 3", "|a_1| <= pi / 3", "1 <= a_1 <= pi",
))  # fmt: skip
"""Narrower ranges, which a few points may meet."""
