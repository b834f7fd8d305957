# ruff: noqa: E501
"""Last turns for which a loop tests, and that stand behind it without the test.

Their neighbours make the last turn somewhere else, twice or not at all, or do something else in it.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """int fc_f_f32(int n, int m, const float *r, const float *x, float *s, float *t, int *a, int *used)
{{
    int i;
    int j;
    for (i = 0; i < n; i++) {{
        {body}
    }}
    return n;
}}
"""
TESTED = "for (j = 0; j <= i; j++) { float sum = s[n * i + j]; int k; for (k = 0; k < j; k++) { sum -= s[n * i + k] * s[n * j + k]; } if (i == j) { if (!(sum > 0.0F)) { return i; } s[n * i + i] = sum; } else { s[n * i + j] = sum / s[n * j + j]; } }"
APART = "for (j = 0; j < i; j++) { float sum = s[n * i + j]; int k; for (k = 0; k < j; k++) { sum -= s[n * i + k] * s[n * j + k]; } s[n * i + j] = sum / s[n * j + j]; } { float sum = s[n * i + i]; int k; for (k = 0; k < i; k++) { sum -= s[n * i + k] * s[n * i + k]; } if (!(sum > 0.0F)) { return i; } s[n * i + i] = sum; }"
PLAIN = "for (j = 0; j <= i; j++) { if (j != i) { s[j] += r[i]; } else { t[i] = s[j]; } }"
PLAIN_APART = "for (j = 0; j < i; j++) { s[j] += r[i]; } t[i] = s[i];"
OPEN = "for (j = m; j <= i; j++) { if (j == i) { t[i] = 1.0F; } s[j] = r[j]; }"
OPEN_APART = "for (j = m; j < i; j++) { s[j] = r[j]; } if (j <= i) { t[i] = 1.0F; s[j] = r[j]; }"

SAME = [
    (TESTED, APART),
    (TESTED.replace("i == j", "j == i"), APART),
    (PLAIN, PLAIN_APART),
    (PLAIN.replace("j != i", "i != j"), PLAIN_APART),
    (PLAIN.replace("(j = 0", "(int j = 0"), PLAIN_APART),
]  # fmt: skip
OF_FLOAT = "float e = r[0] + 16777214.0F; for (j = 16777214; j <= e; j++) { if (j == e) { t[0] = t[0] + 2.0F; } else { t[1] = t[1] + 1.0F; } }"
OF_FLOAT_APART = "float e = r[0] + 16777214.0F; for (j = 16777214; j < e; j++) { t[1] = t[1] + 1.0F; } if (j <= e) { t[0] = t[0] + 2.0F; j++; }"
"""Above 2^24 several whole numbers are equal to the same float."""

OF_UNSIGNED = "const unsigned e = a[0]; for (j = -1; j <= e; j++) { if (j == e) { t[0] = t[0] * 2.0F; } else { if (r[j + 2] > 2.0F) { return 7; } t[0] = t[0] + 1.0F; } }"
OF_UNSIGNED_APART = "const unsigned e = a[0]; for (j = -1; j < e; j++) { if (r[j + 2] > 2.0F) { return 7; } t[0] = t[0] + 1.0F; } if (j <= e) { t[0] = t[0] * 2.0F; j++; }"
"""Behind -1, which is the largest unsigned number, comes 0."""

OTHER = [
    (OF_FLOAT, OF_FLOAT_APART),
    (OF_UNSIGNED, OF_UNSIGNED_APART),
    (OF_UNSIGNED.replace("e = a[0]", "e = (unsigned)a[0]"), OF_UNSIGNED_APART.replace("e = a[0]", "e = (unsigned)a[0]")),
    (OPEN.replace("i;", "i + 0.0F;").replace("== i", "== i + 0.0F"), OPEN_APART.replace("j < i", "j < i + 0.0F").replace("j <= i", "j <= i + 0.0F")),
    (OPEN.replace("<= i;", "<= (2.5F * i);").replace("== i", "== (2.5F * i)"), OPEN_APART.replace("j < i", "j < (2.5F * i)").replace("j <= i", "j <= (2.5F * i)")),
    (TESTED, APART.replace("j < i", "j <= i")),
    (TESTED, APART.replace("j < i", "j + 1 < i")),
    (TESTED, APART.replace("j = 0", "j = 1")),
    (TESTED, APART.replace("k < i", "k <= i")),
    (TESTED, APART.replace("return i", "return n")),
    (TESTED, APART.replace("s[n * i + i] = sum;", "")),
    (TESTED, APART.replace("s[n * i + i] = sum;", "s[n * i + i] = -sum;")),
    (TESTED, APART.replace("!(sum > 0.0F)", "sum <= 0.0F")),
    (TESTED.replace("j <= i", "j <= n"), APART),
    (TESTED.replace("j <= i", "j < i"), APART),
    (TESTED.replace("i == j", "i == j + 1"), APART),
    (TESTED.replace("i == j", "i != j"), APART),
    (PLAIN, PLAIN_APART.replace("j < i", "j <= i")),
    (PLAIN, PLAIN_APART.replace("t[i] = s[i]", "t[i] = s[0]")),
    (PLAIN, PLAIN_APART.replace("t[i] = s[i];", "s[i] += r[i]; t[i] = s[i];")),
    (PLAIN, "t[i] = s[i]; " + PLAIN_APART.replace(" t[i] = s[i];", "")),
    (PLAIN.replace("t[i] = s[j];", "t[i] = s[j]; i++;"), PLAIN_APART),
    (PLAIN.replace("t[i] = s[j];", "t[i] = s[j]; j++;"), PLAIN_APART.replace("t[i]", "j += 2; t[i]")),
    (PLAIN.replace("s[j] += r[i];", "s[j] += r[i]; if (r[j] > 0.0F) { break; }"), PLAIN_APART.replace("s[j] += r[i];", "s[j] += r[i]; if (r[j] > 0.0F) { break; }")),
    (PLAIN + " used[i] = j;", PLAIN_APART + " used[i] = j;"),
    (PLAIN.replace("j++", "j += 2"), PLAIN_APART.replace("j++", "j += 2")),
    (PLAIN.replace("j <= i", "j <= m"), PLAIN_APART.replace("j < i", "j < m")),
    (OPEN, OPEN_APART.replace("if (j <= i) ", "")),
    (OPEN, OPEN_APART.replace("j <= i", "j < i")),
    (OPEN, OPEN_APART.replace("j = m", "j = m + 1")),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    changes = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return changes[0].kind if changes else ChangeClass.IDENTICAL


@pytest.mark.parametrize(("old", "new"), SAME)
def test_a_last_turn_stands_behind_its_loop(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_another_last_turn_is_not_taken_for_it(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
    assert kind(new, old) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
