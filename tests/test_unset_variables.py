# ruff: noqa: E501
"""Variables that have no value yet on some way: to use them is undefined, also where the result is not needed.

The old version tests or copies one only where it has a value. A version that does so elsewhere, as where a test
moves out of a loop that may make no turn, is not the same.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """int fc_f_f32(int n, int m, const float r[], const float x[], float s[], float t[])
{{
    int flag;
    float last;
    int count = 0;
    int i;
    {body}
    return count;
}}
"""
GIVEN = "if (n > 0) { flag = x[0] > 0.0F; } "
TESTED = GIVEN + "for (i = 0; i < n; i++) { if (flag) { s[i] = r[i]; } else { t[i] = r[i]; } }"
MOVED = (
    GIVEN
    + "if (flag) { for (i = 0; i < n; i++) { s[i] = r[i]; } } else { for (i = 0; i < n; i++) { t[i] = r[i]; } }"
)
ONCE = "if (n > 0) { flag = m; } else { flag = 2; } "
BEFORE = (
    "for (i = 0; i < n; i++) { if (i > m) { s[i] = last; } if (r[i] > 0.0F) { last = x[i]; } count += i; }"
)
SOONER = "for (i = 0; i < n; i++) { const float y = last; if (i > m) { s[i] = y; } if (r[i] > 0.0F) { last = x[i]; } count += i; }"
AFTER = (
    "for (i = 0; i < n; i++) { if (r[i] > 0.0F) { last = x[i]; count = 1; } } if (count > 0) { s[0] = last; }"
)
ALWAYS = "for (i = 0; i < n; i++) { if (r[i] > 0.0F) { last = x[i]; count = 1; } } { const float y = last; if (count > 0) { s[0] = y; } }"

OTHER = [
    (TESTED, MOVED),
    (GIVEN + "if (n > 0) { count = flag; }", GIVEN + "const int k = flag; if (n > 0) { count = k; }"),
    (BEFORE, SOONER),
    (AFTER, ALWAYS),
]  # fmt: skip
SAME = [
    (TESTED, TESTED.replace("if (flag)", "if (flag != 0)")),
    (TESTED.replace(GIVEN, ONCE), MOVED.replace(GIVEN, ONCE)),
    (SOONER, BEFORE),
    (ALWAYS, AFTER),
    ("last = 1.0F; " + BEFORE, "last = 1.0F; " + SOONER),
    ("last = 1.0F; " + AFTER, "last = 1.0F; " + ALWAYS),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    before, after = ({"fc_f.c": FORM.format(body=body)} for body in (old, new))
    changes = {change.symbol: change.kind for change in compare_trees(before, after)}
    return changes["fc_f_f32"]


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_a_variable_without_a_value_is_not_used_where_it_was_not(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.UNREADABLE


@pytest.mark.parametrize(("old", "new"), SAME)
def test_a_variable_that_was_used_or_has_a_value_may_be_used(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
