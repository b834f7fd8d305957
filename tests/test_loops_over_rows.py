# ruff: noqa: E501
"""Loops over the rows and columns of one matrix: what turns touch is apart where rows or columns are others.

Their neighbours may touch an element of an earlier or a later turn, or rows that are not as long.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """int fc_f_f32(int n, int m, const float *r, const float *x, float *s, float *t, int *a, int *used)
{{
    int flags = 0;
    int i;
    int j;
    for (i = 0; i < n; i++) {{
        {body}
    }}
    return flags;
}}
"""
ONE = "for (j = i; j < n; j++) { if (!(s[n * i + j] < 2.0F)) { s[n * i + j] = 0.0F; flags |= 1; } s[n * j + i] = s[n * i + j]; }"
TWO = "for (j = i; j < n; j++) { if (!(s[n * i + j] < 2.0F)) { s[n * i + j] = 0.0F; flags |= 1; } } for (j = i; j < n; j++) { s[n * j + i] = s[n * i + j]; }"
LOW = "for (j = 0; j < i; j++) { s[n * i + j] = s[n * i + j] * 2.0F; s[n * j + i] = s[n * i + j]; }"
LOW_TWO = "for (j = 0; j < i; j++) { s[n * i + j] = s[n * i + j] * 2.0F; } for (j = 0; j < i; j++) { s[n * j + i] = s[n * i + j]; }"
COLUMN = "for (j = 0; j < m; j++) { if (i < m) { s[m * j + i] = 1.0F; } s[m * j + j] += 1.0F; }"
BACK = "for (j = i + 1; j < n; j++) { s[n * j + i] = s[n * i + j]; }"
BACK_DOWN = "for (j = n - 1; j > i; j--) { s[n * j + i] = s[n * i + j]; }"

SAME = [
    (ONE, TWO),
    (ONE, TWO.replace("n * i + j", "j + i * n")),
    (LOW, LOW_TWO),
    (BACK, BACK_DOWN),
    (ONE.replace("j = i", "j = i + 1"), TWO.replace("j = i", "j = i + 1")),
]  # fmt: skip
OTHER = [
    (ONE.replace("j < n", "j <= n"), TWO.replace("j < n", "j <= n")),
    (ONE.replace("j < n", "j < m"), TWO.replace("j < n", "j < m")),
    (ONE.replace("n * i", "m * i").replace("n * j", "m * j"), TWO.replace("n * i", "m * i").replace("n * j", "m * j")),
    (ONE.replace("n * j", "m * j"), TWO.replace("n * j", "m * j")),
    (ONE.replace("n * j + i", "n * i + j + 1"), TWO.replace("n * j + i", "n * i + j + 1")),
    (ONE.replace("n * j + i", "n * j"), TWO.replace("n * j + i", "n * j").replace("j = i", "j = 0")),
    (ONE.replace("n * j + i", "n * (j - i) + i + 1"), TWO.replace("n * j + i", "n * (j - i) + i + 1")),
    (ONE.replace("n * j + i", "n * j + m"), TWO.replace("n * j + i", "n * j + m")),
    (ONE, TWO.replace("s[n * j + i] = s[n * i + j]", "s[n * i + j] = s[n * j + i]")),
    (ONE, TWO.replace("j = i; j < n; j++) { s", "j = i + 1; j < n; j++) { t")),
    (LOW.replace("n * j + i", "n * j + i + 1 - n"), LOW_TWO.replace("n * j + i", "n * j + i + 1 - n").replace("j < i", "j < n")),
    (BACK.replace("n * j", "m * j"), BACK_DOWN.replace("n * j", "m * j")),
    (BACK.replace("n * j + i", "n * i + j + 1"), BACK_DOWN.replace("n * j + i", "n * i + j + 1")),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    changes = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return changes[0].kind if changes else ChangeClass.IDENTICAL


@pytest.mark.parametrize(("old", "new"), SAME)
def test_turns_of_other_rows_or_columns_are_made_in_any_order(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_turns_that_may_meet_keep_their_order(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
    assert kind(new, old) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
