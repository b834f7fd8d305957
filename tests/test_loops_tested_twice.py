# ruff: noqa: E501
"""Tests of a whole number that another test decides: `i != n && i < n` is `i < n`.

Their neighbours test another number, or the same one otherwise.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """int fc_f_f32(int n, int m, const float *r, const float *x, float *s, float *t, int *a, int *used)
{{
    int count = 0;
    int i;
    {body}
    return count;
}}
"""
PLAIN = "for (i = 0; i < n; i++) { s[i] = r[i]; count += a[i]; }"
TWICE = PLAIN.replace("i < n", "i != n && i < n")
CHOSEN = "if (m > n) { count = 3; } else if (m == n) { count = 4; } else { count = 5; }"
ORDERED = "if (m == n) { count = 4; } else if (m > n) { count = 3; } else { count = 5; }"
DOWN = "for (i = n; i > m; i--) { s[i] = r[i]; count += a[i]; }"

SAME = [
    (PLAIN, TWICE),
    (PLAIN, PLAIN.replace("i < n", "i < n && i != n")),
    (DOWN, DOWN.replace("i > m", "i != m && i > m")),
    (CHOSEN, ORDERED),
    (DOWN, DOWN.replace("i > m", "i > m && m != i")),
    ("if (m <= n) { count = m == n ? 4 : 5; } else { count = 3; }", ORDERED),
    ("count = m > n + 1 ? a[1] : m == n + 1 ? a[2] : a[3];", "count = m == n + 1 ? a[2] : m > n + 1 ? a[1] : a[3];"),
]  # fmt: skip
OTHER = [
    (PLAIN, TWICE.replace("i != n", "i != n - 1")),
    (PLAIN, TWICE.replace("i != n", "i != n + 1").replace("i < n", "i <= n")),
    (PLAIN, TWICE.replace("i < n", "i <= n + 1")),
    (PLAIN, TWICE.replace("i < n", "i < n + 2")),
    (PLAIN, TWICE.replace("i != n", "i != m")),
    (PLAIN, TWICE.replace("&&", "||")),
    (PLAIN, TWICE.replace("i != n", "i == n")),
    (PLAIN, TWICE.replace("i != n", "i != 0")),
    (PLAIN, TWICE.replace("i < n", "i < m")),
    (PLAIN, TWICE.replace("i != n", "2 * i != n")),
    (DOWN, DOWN.replace("i > m", "i != m && i >= m - 1")),
    (DOWN, DOWN.replace("i > m", "i != m + 1 && i > m")),
    (CHOSEN, ORDERED.replace("m == n", "m == n + 1")),
    (CHOSEN, ORDERED.replace("m > n", "m >= n - 1")),
    (CHOSEN, ORDERED.replace("m > n", "m > n + 1")),
    (CHOSEN, ORDERED.replace("m > n", "m < n")),
    (CHOSEN, "if (m >= n) { count = 3; } else if (m == n) { count = 4; } else { count = 5; }"),
    ("count = m > n ? a[1] : m == n - 1 ? a[2] : a[3];", "count = m > n ? a[1] : a[3];"),
    ("count = m > n ? m == n + 1 ? a[2] : a[1] : a[3];", "count = m > n ? a[1] : a[3];"),
    ("count = m > n ? m == n + 1 ? a[2] : a[1] : a[2];", "count = m == n + 1 ? a[2] : a[1];"),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    changes = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return changes[0].kind if changes else ChangeClass.IDENTICAL


@pytest.mark.parametrize(("old", "new"), SAME)
def test_a_test_that_another_one_decides_means_nothing(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_a_test_that_none_decides_is_kept(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
    assert kind(new, old) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
