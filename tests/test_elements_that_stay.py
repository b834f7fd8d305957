# ruff: noqa: E501
"""Stores of what is there already, and loads behind a choice that may have stored there.

Their neighbours store something else, elsewhere, or what was there before another store.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """int fc_f_f32(int n, int m, const float *r, const float *x, float *s, float *t, int *a, int *used)
{{
    int flags = 0;
    int i;
    for (i = 0; i < n; i++) {{
        s[i] = r[i];
        t[i] = 1.0F;
        used[i] = a[i];
    }}
    for (i = 0; i < n; i++) {{
        {body}
    }}
    return flags;
}}
"""
THERE = "if (!(s[i] < 2.0F)) { s[i] = 0.0F; flags |= 1; } t[i] = s[i];"
NAMED = "float y = s[i]; if (!(y < 2.0F)) { y = 0.0F; flags |= 1; } s[i] = y; t[i] = y;"
INTS = "if (used[i] > m) { used[i] = m; } a[i] = used[i];"
INTS_NAMED = "int y = used[i]; if (y > m) { y = m; } used[i] = y; a[i] = y;"
TWO = "if (x[i] > 0.0F) { s[i] = 1.0F; } if (x[i] < -1.0F) { s[i] = 3.0F; } t[i] = s[i];"

SAME = [
    (THERE, NAMED),
    (THERE, NAMED.replace("s[i] = y; t[i] = y;", "s[i] = y; t[i] = s[i];")),
    (INTS, INTS_NAMED),
    (INTS, "used[i] = used[i] > m ? m : used[i]; a[i] = used[i];"),
    (THERE, "s[i] = s[i]; " + THERE),
]  # fmt: skip
OTHER = [
    (THERE, NAMED.replace("s[i] = y; ", "")),
    (THERE, NAMED.replace("s[i] = y; t[i] = y;", "t[i] = y; s[i] = t[i]; s[i] += 0.0F;")),
    (THERE, NAMED.replace("s[i] = y;", "s[i + 1] = y;")),
    (THERE, NAMED.replace("s[i] = y;", "s[i] = -y;")),
    (THERE, NAMED.replace("y = 0.0F", "y = -0.0F")),
    (THERE, NAMED.replace("!(y < 2.0F)", "y >= 2.0F")),
    (THERE, NAMED.replace("float y = s[i];", "float y = t[i];")),
    (THERE, NAMED.replace("float y = s[i];", "float y = s[0];")),
    (THERE, NAMED.replace("t[i] = y;", "t[i] = s[n - 1];")),
    (THERE, "const float y = s[i]; " + THERE + " s[i] = y;"),
    (THERE, "const float y = s[i]; " + THERE.replace("t[i] = s[i]", "t[i] = y")),
    (THERE, "t[i] = s[i]; " + THERE.replace("t[i] = s[i];", "")),
    (INTS, INTS_NAMED.replace("used[i] = y; ", "")),
    (INTS, INTS_NAMED.replace("a[i] = y", "a[i] = m")),
    (INTS, INTS_NAMED.replace("y = m", "y = m - 1")),
    (INTS, INTS_NAMED.replace("int y = used[i]", "short y = (short)used[i]")),
    (INTS, INTS_NAMED.replace("int y = used[i]", "float y = (float)used[i]").replace("= y;", "= (int)y;")),
    (TWO, "if (x[i] < -1.0F) { s[i] = 3.0F; } if (x[i] > 0.0F) { s[i] = 1.0F; } t[i] = x[i] > 0.0F ? 1.0F : 3.0F;"),
    (TWO, TWO.replace("t[i] = s[i]", "t[i] = x[i] > 0.0F ? 1.0F : x[i] < -1.0F ? 3.0F : r[i]")),
    (TWO, TWO.replace("t[i] = s[i]", "t[i] = x[i] > 0.0F ? 1.0F : s[i]; s[i] = t[i]").replace("s[i] = 1.0F; ", "t[i] = 1.0F; ")),
    ("t[n] = t[n];", "if (m > 3) { t[n] = t[n]; }"),
    ("flags = 0;", "t[n] = t[n];"),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    changes = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return changes[0].kind if changes else ChangeClass.IDENTICAL


@pytest.mark.parametrize(("old", "new"), SAME)
def test_what_stays_there_may_be_stored_again(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_is_stored_otherwise_is_not_taken_for_it(old: str, new: str) -> None:
    known = {kind(old, new), kind(new, old)}
    assert known & {ChangeClass.UNREADABLE, ChangeClass.CHANGED}
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED) or "[n]" in old


def test_a_place_may_be_written_where_the_old_version_surely_writes_it() -> None:
    """The second loop writes all that the first one wrote; behind one of m turns, it may write more."""
    assert kind(THERE, NAMED) is ChangeClass.COSMETIC
    fewer = FORM.replace("i < n", "i < m", 1)
    old, new = ({"fc_f.c": fewer.format(body=body)} for body in (THERE, NAMED))
    (change,) = compare_trees(old, new)
    assert change.kind is ChangeClass.UNREADABLE
    (change,) = compare_trees(new, old)
    assert change.kind is ChangeClass.COSMETIC
