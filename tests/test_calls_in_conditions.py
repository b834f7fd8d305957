# ruff: noqa: E501
"""Calls that are conditions, or whose results conditions compare, and what they do by hand.

Their neighbours call it later, test another result, or do one thing more or less.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """static int bumped(int *c, int v)
{{
    if (v > 2) {{
        *c = *c + 1;
        return 1;
    }}
    return 0;
}}

int fc_f_f32(int n, int m, const float *r, const float *x, float *s, float *t, int *a, int *used)
{{
    float total = 0.0F;
    int c = 0;
    int i;
    for (i = 0; i < n; i++) {{
        {body}
    }}
    *used = c;
    s[0] = total;
    return 0;
}}
"""
CALL = "if (bumped(&a[i], i)) { total += r[i]; }"
HAND = "if (i > 2) { a[i] = a[i] + 1; total += r[i]; }"
OWN = "if (bumped(&c, a[i])) { s[c] = x[i]; } else { t[c] = x[i]; }"
OWN_HAND = "if (a[i] > 2) { c = c + 1; s[c] = x[i]; } else { t[c] = x[i]; }"

SAME = [
    (CALL, HAND),
    (CALL, "const int is = bumped(&a[i], i); if (is) { total += r[i]; }"),
    (CALL, CALL.replace("(bumped(&a[i], i))", "(bumped(&a[i], i) == 1)")),
    (CALL, CALL.replace("(bumped(&a[i], i))", "(0 != bumped(&a[i], i))")),
    (CALL, "if (!bumped(&a[i], i)) { continue; } total += r[i];"),
    (CALL, "if (!!bumped(&a[i], i)) { total += r[i]; }"),
    (OWN, OWN_HAND),
    (OWN, "const int is = bumped(&c, a[i]); if (is) { s[c] = x[i]; } else { t[c] = x[i]; }"),
    (OWN, "if (bumped(&c, a[i]) < 1) { t[c] = x[i]; } else { s[c] = x[i]; }"),
    ("if (m > 3) { t[i] = 1.0F; } else if (bumped(&c, a[i])) { s[c] = x[i]; }", "if (m > 3) { t[i] = 1.0F; } else if (a[i] > 2) { c = c + 1; s[c] = x[i]; }"),
]  # fmt: skip
OTHER = [
    (CALL, HAND.replace("i > 2", "i > 3")),
    (CALL, HAND.replace("a[i] = a[i] + 1; ", "")),
    (CALL, HAND.replace("a[i] + 1", "a[i] + 2")),
    (CALL, CALL.replace("bumped(&a[i], i)", "!bumped(&a[i], i)")),
    (CALL, CALL.replace("bumped(&a[i], i)", "bumped(&a[i], m)")),
    (CALL, CALL.replace("bumped(&a[i], i)", "bumped(&a[0], i)")),
    (CALL, CALL.replace("bumped(&a[i], i)", "bumped(&a[i], i) > 1")),
    (CALL, CALL.replace("bumped(&a[i], i)", "bumped(&a[i], i) == 0")),
    (CALL, CALL.replace("bumped(&a[i], i)", "0 < -bumped(&a[i], i)")),
    (CALL, CALL + " (void)bumped(&a[i], i);"),
    (CALL, "total += r[i]; if (!bumped(&a[i], i)) { total -= r[i]; }"),
    (CALL, "if (r[i] > 0.0F) { " + CALL + " }"),
    (OWN, OWN_HAND.replace("c = c + 1; s[c] = x[i];", "s[c] = x[i]; c = c + 1;")),
    (OWN, OWN_HAND.replace("t[c]", "t[c + 1]")),
    (OWN, "const int at = c; if (bumped(&c, a[i])) { s[at] = x[i]; } else { t[at] = x[i]; }"),
    (OWN, OWN.replace("(&c, a[i])", "(&c, a[c])")),
    (OWN, OWN.replace("(&c, a[i])", "(used, a[i])")),
    (OWN, "s[c] = x[i]; if (!bumped(&c, a[i])) { t[c] = x[i]; }"),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    before, after = ({"fc_f.c": FORM.format(body=body)} for body in (old, new))
    changes = {change.symbol: change.kind for change in compare_trees(before, after)}
    return changes.get("fc_f_f32", ChangeClass.IDENTICAL)


@pytest.mark.parametrize(("old", "new"), SAME)
def test_a_call_in_a_condition_is_made_before_it(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_another_call_or_condition_is_not_taken_for_it(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
    assert kind(new, old) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
