# ruff: noqa: E501
"""Indices that are surely an int as far as the old version calculates larger ones, and pointers that move.

A larger number of the old version bounds a smaller one of the new version in the same turn. A parameter that is a
pointer may move through its array, and a function may be written where its result is stored through a pointer.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """static float sum(const float x[], int k)
{{
    float all = 0.0F;
    int j;
    for (j = 0; j < k; j++) {{
        all += x[j] * x[j];
    }}
    return all;
}}

void fc_f_f32(int n, int m, const float N[], const float *r, float s[], float *last)
{{
    float total = 0.0F;
    int i;
    {body}
    s[0] = total;
}}
"""
SKIPS = "for (i = 0 - m; i <= m; i++) { if (i < 0 || i >= n) { continue; } total += r[i]; }"
INSIDE = "for (i = 0 - m; i <= m; i++) { if (i >= 0 && i < n) { total += r[i]; } }"
STEPS = "int j; for (j = 0; j < m; j++) { int at = j; for (i = 0; i < n; i++) { total += N[at]; at += m; } }"
INDEX = "int j; for (j = 0; j < m; j++) { for (i = 0; i < n; i++) { total += N[m * i + j]; } }"
NAMED = "for (i = 0; i < n; i++) { const int at = n * i; int j; for (j = 0; j <= i; j++) { if (r[j] < 0.0F) { return; } total += N[at + j]; } }"
EACH = "for (i = 0; i < n; i++) { int j; for (j = 0; j <= i; j++) { if (r[j] < 0.0F) { return; } total += N[n * i + j]; } }"
BY_INDEX = "for (i = 0; i < n; i++) { if (r[i] > 0.0F) { total += r[i]; } }"
MOVES = "for (i = 0; i < n; i++, r++) { if (*r > 0.0F) { total += *r; } }"
CALLED = "*last = sum(N, n);"
BY_HAND = "float all = 0.0F; for (i = 0; i < n; i++) { all += N[i] * N[i]; } *last = all;"

SAME = [
    (SKIPS, INSIDE),
    (INSIDE, SKIPS),
    (STEPS, INDEX),
    (EACH, EACH.replace("n * i + j", "j + i * n")),
    (EACH.replace("total +=", "if (N[n * i] > 0.0F) { total = 1.0F; } total +="), EACH.replace("total +=", "if (N[n * i] > 0.0F) { total = 1.0F; } total +=").replace("n * i + j", "i * n + j")),
    (BY_INDEX, MOVES),
    (MOVES, BY_INDEX),
    (BY_INDEX, MOVES.replace("i < n; i++, r++", "i < n; i++").replace("total += *r; }", "total += *r; } r = r + 1;")),
    (CALLED, BY_HAND),
    (BY_HAND, CALLED),
]  # fmt: skip
OTHER = [
    (SKIPS, INSIDE.replace("i < n", "i <= n")),
    (SKIPS, INSIDE.replace("i >= 0 &&", "i >= -1 &&")),
    (INSIDE, SKIPS.replace("i >= n", "i > n")),
    (SKIPS, INSIDE.replace("i <= m", "i < m")),
    (SKIPS.replace("continue;", "break;"), INSIDE),
    (SKIPS.replace("i++) { if", "i += 2) { if"), INSIDE.replace("i++) { if", "i += 2) { if").replace("total += r[i];", "total += r[i]; s[i] = (float)(i + 3);")),
    (INDEX, STEPS),  # which calculates one more number at its end
    (STEPS, INDEX.replace("N[m * i + j]", "N[m * (i + 2) + j - m - m]")),
    (STEPS.replace("j < m", "j < n"), INDEX.replace("j < m", "j < n")),  # where m may be below 0, or j above it
    (STEPS.replace("total += N[at]", "if (r[i] > 0.0F) { break; } total += N[at]"), INDEX.replace("total += N[m * i + j]", "const int at = m * i + m; if (r[i] > 0.0F) { break; } total += N[at - m + j]")),
    (STEPS, INDEX.replace("m * i + j", "m * i + m")),
    (STEPS, STEPS.replace("at += m", "at += n")),
    (EACH.replace("return;", "continue;"), NAMED.replace("return;", "continue;").replace("j <= i", "j < i")),
    ("for (i = 0; i < m; i++) { if (r[i] < 0.0F) { continue; } total += N[n * n]; }", "const int at = n * n; for (i = 0; i < m; i++) { if (r[i] < 0.0F) { continue; } total += N[at]; }"),
    ("for (i = 0; i < m; i++) { if (r[i] < 0.0F) { continue; } total += N[n * n]; }", "for (i = 0; i < m; i++) { const int at = n * n; if (r[i] < 0.0F) { continue; } total += N[at]; }"),
    ("if (m > 0) { if (!(r[0] < 0.0F)) { const int k = n * n; (void)k; } } for (i = 0; i < m; i++) { if (r[i] < 0.0F) { continue; } total += r[i]; }", "for (i = 0; i < m; i++) { if (r[i] < 0.0F) { continue; } { const int k = n * n; (void)k; total += r[i]; } }"),
    (BY_INDEX, MOVES.replace("i = 0", "i = 1")),
    (BY_INDEX, MOVES.replace("r++", "r += 2")),
    (BY_INDEX, MOVES.replace("if (*r", "if (r[i]")),
    (BY_INDEX, MOVES.replace("if (*r", "r++; if (*r").replace(", r++", "")),
    (BY_INDEX + " total += r[0];", MOVES + " total += r[0];"),
    (BY_INDEX, MOVES.replace("i++, r++", "i++").replace("total += *r;", "total += *r; r++;")),
    (BY_INDEX, MOVES.replace("r++", "N++")),
    (CALLED, BY_HAND.replace("i = 0;", "i = 1;")),
    (CALLED, BY_HAND.replace("N[i] * N[i]", "N[i] * r[i]")),
    (CALLED, BY_HAND.replace("*last = all", "last[1] = all")),
    (CALLED + " last++;", "last++; " + BY_HAND),
    (CALLED + " *last += 1.0F;", BY_HAND),
    ("*last = 1.0F; " + CALLED, BY_HAND.replace("float all = 0.0F;", "float all; *last = 0.0F; all = *last;")),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    before, after = ({"fc_f.c": FORM.format(body=body)} for body in (old, new))
    changes = {change.symbol: change.kind for change in compare_trees(before, after)}
    return changes["fc_f_f32"]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_numbers_are_ints_and_pointers_move_as_indices_do(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_larger_numbers_and_other_places_are_not_taken_for_them(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
