# ruff: noqa: E501
"""Other ways of comparing numbers in routines with loops: with NaN apart, and sizes without fabs.

What gives the same for every number, both zeros, infinities and NaN is cosmetic. Neighbours that differ for one
of these are not.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass
from tests.test_joined_loops import FORM, kind

UP_TO = "!(r[i] <= 3.0F)"
FROM = "!(r[i] >= 3.0F)"
BELOW = "!(r[i] < 3.0F)"
WITHIN = "!(r[i] >= -3.0F && r[i] <= 3.0F)"
SIZE = "r[i] < 0.0F ? -r[i] : r[i]"
PLACES = [
    "for (i = 0; i < n; i++) {{ if ({}) {{ status |= 1u; }} total += r[i]; }}",
    "for (i = 0; i < n; i++) {{ if ({}) {{ break; }} total += r[i]; }}",
    "for (i = 0; i < n && ({}); i++) {{ total += r[i]; }}",
    "for (i = 0; i < n; i++) {{ total = ({}) ? r[i] : 7.0F * total; }}",
]

SAME = [
    (UP_TO, "r[i] > 3.0F || r[i] != r[i]"),
    (UP_TO, "r[i] != r[i] || r[i] > 3.0F"),
    (UP_TO, "isnan(r[i]) || 3.0F < r[i]"),
    (UP_TO, "!(r[i] <= 3.0F && r[i] == r[i])"),
    (FROM, "r[i] < 3.0F || r[i] != r[i]"),
    (BELOW, "r[i] >= 3.0F || r[i] != r[i]"),
    ("!(r[i] > 3.0F)", "r[i] <= 3.0F || isnan(r[i])"),
    ("r[i] <= 3.0F", "r[i] == r[i] && !(r[i] > 3.0F)"),
    ("r[i] < 3.0F", "r[i] < 3.0F && !isnan(r[i])"),
    (WITHIN, "r[i] < -3.0F || r[i] > 3.0F || r[i] != r[i]"),
    (WITHIN, "fabsf(r[i]) > 3.0F || isnan(r[i])"),
    (WITHIN, "fabsf(r[i]) > 3.0F || fabsf(r[i]) != fabsf(r[i])"),
    (WITHIN, "!(fabsf(r[i]) <= 3.0F)"),
    ("!isfinite(r[i])", "fabsf(r[i]) > 3.40282347e+38F || -r[i] != -r[i]"),
    ("r[i] > 3.0F || r[i] < -3.0F", "fabsf(r[i]) > 3.0F"),
    ("r[i] < 3.0F && -3.0F < r[i]", "fabsf(r[i]) < 3.0F"),
    ("r[i] >= 3.0F || -3.0F >= r[i]", "!(fabsf(r[i]) < 3.0F) && !isnan(r[i])"),
    (f"{UP_TO} || m > 2", "r[i] > 3.0F || m > 2 || r[i] != r[i]"),
    *(("fabsf(r[i]) > 3.0F", f"({size}) > 3.0F") for size in [SIZE, SIZE.replace("<", "<="), "r[i] > 0.0F ? r[i] : -r[i]", "r[i] >= 0.0F ? r[i] : -r[i]", "!(r[i] < 0.0F) ? r[i] : -r[i]", "r[i] < -0.0F ? -r[i] : r[i]"]),
    ("fabsf(r[i]) <= total", f"({SIZE}) <= total"),
    ("fabsf(r[i]) == fabsf(r[m])", f"({SIZE}) == fabsf(r[m])"),
    ("r[i] < 0.0F", "r[i] < -0.0F"),
]  # fmt: skip
OTHER = [
    (UP_TO, "r[i] > 3.0F"),
    (UP_TO, "r[i] >= 3.0F || r[i] != r[i]"),
    (UP_TO, "r[i] > 3.0F || r[m] != r[m]"),
    (UP_TO, "r[i] > 3.0F || r[i] == r[i]"),
    (UP_TO, "r[i] > 3.0F && r[i] != r[i]"),
    (UP_TO, "r[i] > 3.0F || !isfinite(r[i])"),
    (FROM, "r[i] < 3.0F"),
    (FROM, "r[i] <= 3.0F || r[i] != r[i]"),
    (FROM, "r[i] < -3.0F || r[i] != r[i]"),
    (BELOW, "r[i] >= 3.0F"),
    (BELOW, "r[i] > 3.0F || r[i] != r[i]"),
    ("r[i] <= 3.0F", "!(r[i] > 3.0F)"),
    ("r[i] <= 3.0F", "r[i] == r[i] || !(r[i] > 3.0F)"),
    (WITHIN, "r[i] < -3.0F || r[i] > 3.0F"),
    (WITHIN, "r[i] < 3.0F || r[i] > 3.0F || r[i] != r[i]"),
    (WITHIN, "r[i] < -3.0F || r[i] >= 3.0F || r[i] != r[i]"),
    (WITHIN, "fabsf(r[i]) > 3.0F"),
    (WITHIN, "!(fabsf(r[i]) < 3.0F)"),
    ("fabsf(r[i]) > 3.0F", "fabsf(r[i]) >= 3.0F"),
    ("fabsf(r[i]) > 3.0F", "r[i] > 3.0F"),
    ("fabsf(r[i]) > 3.0F", "r[i] > 3.0F || r[i] < 3.0F"),
    ("fabsf(r[i]) > -3.0F", "fabsf(r[i]) > 3.0F"),
    ("fabsf(r[i]) > -3.0F", "m >= m"),  # NaN
    ("fabsf(r[i]) > 0.0F", "m >= m"),
    ("fabsf(r[i]) >= 0.0F", "m >= m"),  # NaN
    ("fabsf(r[i]) > 3.0F", "(r[i] < 0.0F ? r[i] : -r[i]) > 3.0F"),
    ("fabsf(r[i]) > 3.0F", "(r[i] < 1.0F ? -r[i] : r[i]) > 3.0F"),
    ("fabsf(r[i]) > 3.0F", "(r[i] < -1.0F ? -r[i] : r[i]) > 3.0F"),
    ("fabsf(r[i]) > 3.0F", "(r[i] == 0.0F ? -r[i] : r[i]) > 3.0F"),
    ("fabsf(r[i]) > 3.0F", "(r[m] < 0.0F ? -r[i] : r[i]) > 3.0F"),
    ("fabsf(r[i]) > 3.0F", "(r[i] < 0.0F ? -r[m] : r[i]) > 3.0F"),
    ("1.0F / fabsf(r[i]) > 3.0F", f"1.0F / ({SIZE}) > 3.0F"),  # where r[i] is -0
    ("copysignf(1.0F, fabsf(r[i])) > 0.0F", f"copysignf(1.0F, {SIZE}) > 0.0F"),
    ("r[i] != r[i]", "r[i] < r[i]"),
    ("r[i] == r[m]", "r[i] <= r[m]"),
    ("r[i] == r[m]", "r[i] == -r[m]"),
    ("!(r[i] <= r[m])", "r[i] > r[m] || r[i] != r[i]"),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("old", "new"), SAME)
def test_other_comparisons_that_say_the_same(old: str, new: str, place: str) -> None:
    before, after = place.format(old), place.format(new)
    assert kind(before, after, f"#include <math.h>\n{FORM}") is ChangeClass.COSMETIC
    assert kind(after, before, f"#include <math.h>\n{FORM}") is ChangeClass.COSMETIC


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("old", "new"), OTHER)
def test_comparisons_that_differ_for_some_number(old: str, new: str, place: str) -> None:
    for before, after in ((old, new), (new, old)):
        found = kind(place.format(before), place.format(after), f"#include <math.h>\n{FORM}")
        assert found in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
