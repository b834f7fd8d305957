# ruff: noqa: E501
"""Loops in both branches of an `if`, indices that count across rows, and stores on each way to one place.

They do what the loop behind the `if`, the index of row and column, and the store of a choice do.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """void fc_f_f32(int n, int m, const float N[], const float r[], float s[], float t[], int *used)
{{
    float total = 0.0F;
    float size = 0.0F;
    int i;
    {body}
    s[0] = total;
    s[1] = size;
}}
"""
COPY = "for (i = 0; i < n; i++) { s[i] = r[i]; } "
BEHIND = "if (r[n] > 1.0F) { t[n] = 1.0F; } else { t[m] = r[m]; } " + COPY
BOTH = "if (r[n] > 1.0F) { t[n] = 1.0F; " + COPY + "} else { t[m] = r[m]; " + COPY + "}"
SUM = "for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { size += N[n * i + j]; } } "
INDEX = "{ int k = 0; for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { size += N[k]; k++; } } } "
WALK = (
    "{ const float *at = N; for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { size += *at++; } } } "
)
ROWS = "for (i = 0; i < n; i++) { total += N[m * i]; }"
ROW_INDEX = "{ int k = 0; for (i = 0; i < n; i++) { total += N[k]; k += m; } }"
TWO = "for (i = 0; i < 2; i++) { total = total * r[i] + 1.0F; if (r[i] > 0.0F) { s[i + 3] = total; } }"
AT_ONCE = "for (i = 0; i + 1 < 2; i += 2) { total = total * r[i] + 1.0F; if (r[i] > 0.0F) { s[i + 3] = total; } total = total * r[i + 1] + 1.0F; if (r[i + 1] > 0.0F) { s[i + 4] = total; } }"
CHOICE = "s[n] = r[0] > 0.0F ? r[0] : 0.0F;"
EACH = "s[n] = r[0]; if (!(s[n] > 0.0F)) { s[n] = 0.0F; }"

SAME = [
    (BEHIND, BOTH),
    (BEHIND, BOTH.replace("else {", "else { { ").replace("t[m] = r[m];", "t[m] = r[m]; }")),
    (SUM, INDEX),
    (SUM, INDEX.replace("k++", "k += 1").replace("k = 0;", "k; k = 0;")),
    (TWO, AT_ONCE),
    (CHOICE, EACH),
    ("s[n] = m > 3 ? 1.0F : 2.0F;", "if (m > 3) { s[n] = 1.0F; } else { s[n] = 2.0F; }"),
]  # fmt: skip
OTHER = [
    (BEHIND, BOTH.replace("s[i] = r[i]", "s[i] = t[i]", 1)),
    (BEHIND, BOTH.replace("i < n", "i < m", 1)),
    (BEHIND, BOTH.replace(COPY, "", 1)),
    (BEHIND, BOTH.replace("t[n] = 1.0F; " + COPY, COPY + "t[n] = 1.0F;")),  # s may be t
    (BEHIND, BOTH.replace("t[n] = 1.0F;", "int n = 2; t[n] = 1.0F;")),
    (BEHIND, BOTH.replace("t[n] = 1.0F;", "const float *r = t;")),
    (BEHIND, BOTH.replace("t[n] = 1.0F; ", "t[n] = 1.0F; enum { n = 2 }; ").replace("t[m] = r[m]; ", "t[m] = r[m]; enum { n = 2 }; ")),
    (BEHIND, BOTH.replace("t[n] = 1.0F;", "t[n] = 1.0F; return;", 1).replace("return; " + COPY, "return;")),
    (BEHIND, BOTH.replace("> 1.0F", ">= 1.0F")),
    (SUM, INDEX.replace("k = 0", "k = 1")),
    (SUM, INDEX.replace("k++;", "k += 2;")),
    (SUM, INDEX.replace("size += N[k]; k++; }", "size += N[k]; } k++;")),
    (SUM, INDEX.replace("k++; }", "k++; } k++;")),
    (SUM, INDEX.replace("int j; for", "int j; k = 0; for")),
    (SUM, INDEX.replace("int j; for", "int j; k = i; for")),
    (SUM, INDEX.replace("j < n", "j < m")),
    (SUM, INDEX.replace("i < n", "i < m")),
    (SUM, INDEX.replace("j = 0", "j = i")),
    (SUM, INDEX.replace("k++;", "if (r[i] > 0.0F) { k++; }")),
    (SUM, INDEX.replace("int k", "unsigned char k")),
    (SUM, WALK.replace("= N;", "= N + 1;")),
    (SUM, WALK.replace("size += *at++; }", "size += *at; } at++;")),
    (ROWS, ROW_INDEX.replace("k += m", "k += n")),
    (ROWS, ROW_INDEX.replace("k += m", "k += (int)r[0]")),
    (ROWS, ROW_INDEX.replace("k += m", "k += m; m++")),
    (ROWS, ROW_INDEX.replace("k += m", "k += m + i")),
    (ROWS, ROW_INDEX.replace("k += m", "k += *used; s[i] = total")),  # used may point where it stores
    (TWO, AT_ONCE.replace("i + 1 < 2", "i + 1 < 4")),
    (TWO, AT_ONCE.replace("i + 1 < 2", "i + 1 <= 2").replace("i += 2", "i += 1")),
    (TWO, AT_ONCE.replace("i += 2", "i += 1").replace("i + 1 < 2", "i < 2")),
    (TWO, AT_ONCE.replace("i + 1 < 2", "i + 2 < 2")),
    (TWO, AT_ONCE + " *used = i;"),
    (TWO.replace("i < 2", "i < 3"), AT_ONCE),
    (CHOICE, EACH.replace("!(s[n] > 0.0F)", "s[n] < 0.0F")),  # NaN, and -0
    (CHOICE, EACH.replace("!(s[n] > 0.0F)", "!(r[0] > 0.0F)")),  # which may be s[n]; it is 0 or r[0] then, too
    (CHOICE, EACH.replace("s[n] = 0.0F", "s[n + 1] = 0.0F")),
    (CHOICE, "if (r[0] > 0.0F) { s[n] = r[0]; } s[n] = 0.0F;"),
    ("s[n] = 1.0F; t[n] = 2.0F;", "t[n] = 2.0F; s[n] = 1.0F;"),
    ("if (m > 3) { s[n] = 1.0F; t[n] = 2.0F; } else { s[n] = 3.0F; t[n] = 2.0F; }", "t[n] = 2.0F; s[n] = m > 3 ? 1.0F : 3.0F;"),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    (change,) = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return change.kind


@pytest.mark.parametrize(("old", "new"), SAME)
def test_what_is_written_elsewhere_does_the_same(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_does_something_else_is_not_taken_for_it(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.UNREADABLE
    assert kind(new, old) is ChangeClass.UNREADABLE


def test_an_index_that_counts_across_rows_ends_above_the_last_one() -> None:
    """k ends at n * m, which is 2^31 where n is 65536 and m 32768: of the old version alone no int."""
    wide = (
        SUM.replace("j < n", "j < m")
        .replace("n * i + j", "m * i + j")
        .replace("int j; for", "int j; if (m > 0) for")
    )
    assert (
        kind(wide, INDEX.replace("j < n", "j < m").replace("int j; for", "int j; if (m > 0) for"))
        is ChangeClass.UNREADABLE
    )
    assert kind(SUM, WALK) is ChangeClass.COSMETIC
    assert kind(WALK, SUM) is ChangeClass.UNREADABLE  # n * i + j is an int, the pointer's offset is none
