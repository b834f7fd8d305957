# ruff: noqa: E501
"""Sums of sizes, with fabs or without: they differ only where a sum may be -0, or where there is no sum."""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """#include <math.h>

void fc_f_f32(int n, int m, const float N[], const float r[], float s[], double w[])
{{
    float total = 0.0F;
    float size = 0.0F;
    int i;
    {body}
    s[0] = total;
    s[1] = size;
}}
"""
CHOSEN = "for (i = 0; i < n; i++) { total += r[i] < 0.0F ? -r[i] : r[i]; }"
SIZE = "for (i = 0; i < n; i++) { total += fabsf(r[i]); }"
TERM = "for (i = 0; i < n; i++) { const float t = N[i] * r[i]; size += t; total += t < 0.0F ? -t : t; }"
NESTED = "for (i = 0; i < n; i++) { int j; float row = 0.0F; for (j = 0; j < m; j++) { row += N[m * i + j] < 0.0F ? -N[m * i + j] : N[m * i + j]; } s[i] = row; }"
WIDE = "{ double t = 0.0; for (i = 0; i < n; i++) { t += w[i] < 0.0 ? -w[i] : w[i]; } w[0] = t; }"
SAME = [
    (CHOSEN, SIZE),
    (CHOSEN, SIZE.replace("total +=", "total = total +")),
    (CHOSEN, CHOSEN.replace("< 0.0F ? -r[i] : r[i]", "> 0.0F ? r[i] : -r[i]")),
    (CHOSEN, CHOSEN.replace("< 0.0F ? -r[i] : r[i]", "<= 0.0F ? -r[i] : r[i]")),
    (CHOSEN, "for (i = 0; i < n; i++) { if (r[i] < 0.0F) { total -= r[i]; } else { total += r[i]; } }"),
    (CHOSEN, "for (i = 0; i < n; i++) { float t = r[i]; if (t < 0.0F) { t = -t; } total += t; }"),
    (CHOSEN, "for (i = 0; i < n; i++) { total = r[i] < 0.0F ? total - r[i] : total + r[i]; }"),
    (TERM, TERM.replace("t < 0.0F ? -t : t", "fabsf(t)")),
    (TERM.replace("size = t;", ""), TERM.replace("t < 0.0F ? -t : t", "fabsf(N[i] * r[i])").replace("size = t;", "")),
    (NESTED, NESTED.replace("N[m * i + j] < 0.0F ? -N[m * i + j] : N[m * i + j]", "fabsf(N[m * i + j])")),
    (WIDE, WIDE.replace("w[i] < 0.0 ? -w[i] : w[i]", "fabs(w[i])")),
    ("total = 3.0F; " + CHOSEN, "total = 3.0F; " + SIZE),
    ("total = s[2] + 1.0F; " + CHOSEN, "total = s[2] + 1.0F; " + SIZE),
]  # fmt: skip
BOTH = [
    CHOSEN.replace("total +=", "total ="),
    CHOSEN.replace("total +=", "total *="),
    CHOSEN.replace("total +=", "total = -total +"),
    CHOSEN.replace("total +=", "total = total * r[0] +"),
    "total = -0.0F; " + CHOSEN,
    "total = s[2]; " + CHOSEN,
    "total = s[2] * 0.0F; " + CHOSEN,
    CHOSEN.replace("}", "if (m > i) { total = -0.0F; } }"),
    CHOSEN.replace("}", "total *= r[0]; }"),
    CHOSEN + " for (i = 0; i < n; i++) { total *= r[i]; } " + CHOSEN,
    "for (i = 0; i < n; i++) { size += r[i]; total = N[i]; } " + "for (i = 0; i < n; i++) { size += total; total = N[i]; total = total + (r[i] < 0.0F ? -r[i] : r[i]); }",
    "s[1] = r[0] < 0.0F ? -r[0] : r[0]; " + CHOSEN,
]  # fmt: skip
OTHER = [
    (CHOSEN, SIZE.replace("fabsf(r[i])", "-fabsf(r[i])")),
    (CHOSEN, SIZE.replace("fabsf(r[i])", "r[i]")),
    (CHOSEN, SIZE.replace("fabsf(r[i])", "fabsf(N[i])")),
    (CHOSEN, SIZE.replace("i < n", "i + 1 < n")),
    (CHOSEN, CHOSEN.replace("< 0.0F", "< 1.0F")),
    (CHOSEN, CHOSEN.replace("? -r[i] : r[i]", "? r[i] : -r[i]")),
    (CHOSEN, CHOSEN.replace("r[i] < 0.0F", "N[i] < 0.0F")),
    (WIDE, WIDE.replace("w[i] < 0.0 ? -w[i] : w[i]", "fabsf(w[i])")),
]


def kind(old: str, new: str) -> ChangeClass:
    (change,) = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return change.kind


@pytest.mark.parametrize(("old", "new"), SAME)
def test_a_sum_does_not_tell_how_a_size_is_written(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize("old", BOTH)
def test_the_sign_of_zero_tells_where_a_sum_may_be_minus_zero(old: str) -> None:
    new = old.replace("r[i] < 0.0F ? -r[i] : r[i]", "fabsf(r[i])").replace(
        "r[0] < 0.0F ? -r[0] : r[0]", "fabsf(r[0])"
    )
    assert old != new
    assert kind(old, new) is ChangeClass.UNREADABLE
    assert kind(new, old) is ChangeClass.UNREADABLE


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_a_sum_of_anything_else_is_another_one(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.UNREADABLE
    assert kind(new, old) is ChangeClass.UNREADABLE
