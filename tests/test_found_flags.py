# ruff: noqa: E501
"""Flags that tell whether an index has been found, where its sign tells that, too.

Their neighbours set the flag elsewhere, take it back, or find what is below 0.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """int fc_f_f32(int n, int m, const float *r, const float *x, float *s, float *t, int *a, int *used)
{{
    int best = -1;
    int found = 0;
    int i;
    *s = 0.0F;
    {body}
    *used = best;
    return found;
}}
"""
SIGN = "for (i = 0; i < n; i++) { if (!(r[i] < 2.0F)) { continue; } if (best < 0 || r[i] > *s) { best = i; *s = r[i]; } } found = best >= 0;"
FLAG = "for (i = 0; i < n; i++) { if (!(r[i] < 2.0F)) { continue; } if (!found || r[i] > *s) { best = i; found = 1; *s = r[i]; } }"
FIRST = "for (i = 0; i < n; i++) { if (r[i] > 1.0F) { best = i; break; } s[i] = r[i]; } if (best >= 0) { t[0] = 1.0F; } found = best < 0 ? 0 : 1;"
FIRST_FLAG = "for (i = 0; i < n; i++) { if (r[i] > 1.0F) { best = i; found = 1; break; } s[i] = r[i]; } if (found) { t[0] = 1.0F; }"
LAST = "for (i = 0; i < n; i++) { if (r[i] > 1.0F) { best = i + 2; } } found = best >= 0 ? 5 : 0;"

SAME = [
    (SIGN, FLAG),
    (SIGN, FLAG.replace("found = 1;", "").replace("best = i;", "found = 1; best = i;")),
    (SIGN, FLAG.replace("!found", "found == 0")),
    (FIRST, FIRST_FLAG),
    (FIRST, FIRST_FLAG.replace("if (found)", "if (best >= 0)")),
    (FIRST, FIRST_FLAG.replace("if (found)", "if (found == 1)")),
    (LAST, "for (i = 0; i < n; i++) { if (r[i] > 1.0F) { best = i + 2; found = 5; } }"),
    (SIGN.replace("found = best >= 0;", ""), "int is = 0; " + FLAG.replace("found = 1", "is = 1").replace("!found", "!is")),
]  # fmt: skip
INNER = "best = -1; found = 0; int j; for (j = 0; j < m; j++) { if (a[j] > 1) { best = j; found = 1; } } count += found + best;"
"""A loop in a turn, before which the turn touches an element."""

OTHER = [
    ("int count = 0; for (i = 0; i < n; i++) { s[i] = s[i] * 2.0F; " + INNER + " } for (i = 0; i < n; i++) { s[i + 1] = s[i + 1] + 2.0F; } best = count;",
     "int count = 0; for (i = 0; i < n; i++) { s[i] = s[i] * 2.0F; " + INNER + " s[i + 1] = s[i + 1] + 2.0F; } best = count;"),
    (SIGN, FLAG.replace("best = i; found = 1;", "found = 1;")),
    (SIGN, FLAG.replace("found = 1; ", "").replace("continue; }", "found = 1; continue; }")),
    (SIGN, FLAG.replace("!found", "found")),
    (SIGN, FLAG.replace("best = i;", "best = i - 1;")),
    (SIGN, FLAG.replace("best = i;", "best = a[i];")),
    (SIGN, FLAG.replace("best = i;", "best = m;")),
    (SIGN, FLAG.replace("{ continue; }", "{ found = 0; continue; }")),
    (SIGN, FLAG.replace("{ continue; }", "{ best = -1; continue; }")),
    (SIGN, FLAG.replace("{ continue; }", "{ found = 1; continue; }")),
    (SIGN, "found = 1; " + FLAG),
    (SIGN, "best = 0; " + FLAG),
    (SIGN, FLAG.replace("found = 1", "found = 2")),
    (SIGN, FLAG.replace("found = 1", "found = i > 0")),
    (SIGN, FLAG + " found = 0;"),
    (SIGN.replace("best < 0", "best <= 0"), FLAG),
    (SIGN.replace("best >= 0", "best > 0"), FLAG),
    (FIRST, FIRST_FLAG.replace("best = i; found = 1; break;", "best = i; break;")),
    (FIRST, FIRST_FLAG.replace("s[i] = r[i];", "s[i] = r[i]; found = 1;")),
    (FIRST, FIRST_FLAG.replace("if (found)", "if (!found)")),
    (FIRST, FIRST_FLAG.replace("found = 1; break;", "found = 1;")),
    (LAST, "for (i = 0; i < n; i++) { if (r[i] > 1.0F) { best = i + 2; found = best; } }"),
    (LAST, "for (i = 0; i < n; i++) { if (r[i] > 1.0F) { best = i + 2; found = 1; } }"),
    (LAST.replace("i + 2", "i - 2"), "for (i = 0; i < n; i++) { if (r[i] > 1.0F) { best = i - 2; found = 5; } }"),
    (LAST.replace("i + 2", "m - i"), "for (i = 0; i < n; i++) { if (r[i] > 1.0F) { best = m - i; found = 5; } }"),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    changes = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return changes[0].kind if changes else ChangeClass.IDENTICAL


@pytest.mark.parametrize(("old", "new"), SAME)
def test_a_flag_is_the_sign_of_what_was_found(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_a_flag_that_tells_anything_else_is_not_taken_for_it(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
    assert kind(new, old) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
