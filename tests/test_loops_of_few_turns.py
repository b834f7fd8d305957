# ruff: noqa: E501
"""Loops of a few turns in another form: `do ... while`, `while`, or with a test that is no order.

Their neighbours make another number of turns, or begin or end elsewhere.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """int fc_f_f32(int n, int m, const float *r, const float *x, float *s, float *t, int *a, int *used)
{{
    int count = 0;
    int i;
    int k;
    for (i = 0; i < n; i++) {{
        {body}
    }}
    return count;
}}
"""
FOR = "for (k = 0; k < 2; k++) { const int at = k == 0 ? a[i] : a[i + n]; if (at >= 0) { s[at] += r[i]; count++; } }"
BODY = "{ const int at = k == 0 ? a[i] : a[i + n]; if (at >= 0) { s[at] += r[i]; count++; } k++; }"
DO = "k = 0; do " + BODY + " while (k < 2);"
WHILE = "k = 0; while (k < 2) " + BODY
THREE = "for (k = 0; k < 3; k++) { s[i] = s[i] * x[k] + r[i]; t[k] = s[i]; }"
DOWN = "for (k = 3; k > 0; k--) { s[i] = s[i] * x[3 - k] + r[i]; t[3 - k] = s[i]; }"

SAME = [
    (FOR, DO),
    (FOR, WHILE),
    (FOR, DO.replace("k < 2", "k != 2")),
    (FOR, WHILE.replace("k < 2", "k <= 1")),
    (FOR, FOR.replace("k < 2", "k != 2")),
    (THREE, DOWN),
    (THREE, THREE.replace("k < 3", "k != 3").replace("for (k = 0;", "k = 0; for (;")),
]  # fmt: skip
OTHER = [
    (FOR, DO.replace("k < 2", "k < 1")),
    (FOR, DO.replace("k < 2", "k <= 2")),
    (FOR, DO.replace("k = 0; do", "k = 1; do")),
    (FOR, DO.replace("k++; }", "k += 2; }")),
    (FOR, DO.replace("k < 2", "k < n")),
    (FOR, WHILE.replace("k < 2", "k < 3")),
    (FOR, WHILE.replace("k < 2", "k < m")),
    (FOR, WHILE.replace("while (k < 2)", "if (k < 2)")),
    (FOR, WHILE.replace("s[at] += r[i]", "s[at] -= r[i]")),
    (FOR, DO.replace("k == 0", "k == 1")),
    (FOR, DO.replace("at >= 0", "at > 0")),
    (FOR, DO.replace("k = 0; do", "do")),
    (FOR, WHILE + " count += k;"),
    (THREE, DOWN.replace("k = 3", "k = 2")),
    (THREE, DOWN.replace("k > 0", "k >= 0")),
    (THREE, DOWN.replace("x[3 - k]", "x[k - 1]")),
    (THREE, THREE.replace("k < 3", "k < 3 && s[i] > 0.0F")),
    (THREE, THREE.replace("k++", "k += 2")),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    changes = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return changes[0].kind if changes else ChangeClass.IDENTICAL


@pytest.mark.parametrize(("old", "new"), SAME)
def test_a_few_turns_are_the_same_in_any_form(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_other_turns_are_not_taken_for_them(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
    assert kind(new, old) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
