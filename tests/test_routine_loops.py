# ruff: noqa: E501
"""Loops in other forms: counted otherwise, without sign, walked by pointers, behind a guard, stores exchanged.

What does the same is cosmetic. Its neighbours, which stop or begin one element off, walk another array, leave
a member out or exchange what is not apart, are not.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """#include <stddef.h>
#include <stdint.h>

typedef struct {{
    float x;
    float y;
}} pair;

void fc_f_f32(int n, int m, const float N[], const float r[], const pair u[], pair v[], float s[], int *used)
{{
    float total = 0.0F;
    int i;
    {body}
    s[0] = total;
    *used = n;
}}
"""
SUM = "for (i = 0; i < n; i++) {{ {} }}".format("total += r[i];")
ROWS = "for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { total += N[n * i + j] * r[j]; } }"
SKIPPING = (
    "int j; for (i = 0; i < n; i++) { if (r[i] > 1.0F) { continue; } "
    "for (j = i; j < n; j++) { total += N[j]; } }"
)
TWICE = "int j; for (j = 0; j < n; j++) { total += r[j]; } total *= 2.0F; for (j = 0; j < m; j++) { total += N[j]; }"
UNSIGNED_ROWS = (
    "if (n > 0) { const size_t c = (size_t)n; for (size_t k = 0; k < c; k++) { "
    "for (size_t j = 0; j < c; j++) { total += N[c * k + j] * r[j]; } } }"
)
COPY = "for (i = 0; i < n; i++) { v[i] = u[i]; }"
MOVE = "for (i = 0; i < n; i++) { const pair p = u[i]; v[i].x = p.x + p.y; v[i].y = p.y; }"
OWN = "for (i = 0; i < n; i++) { if (r[i] > 3.0F) { float z[2]; z[n] = r[i]; total += z[0]; } }"
PAIR = "v[0].x = total; v[0].y = 2.0F; s[1] = 3.0F;"

SAME = [
    (SUM, "i = 0; while (i < n) { total += r[i]; i++; }"),
    (SUM, "i = 0; if (i < n) { do { total += r[i]; i++; } while (i < n); }"),
    (SUM, "if (n > 0) { for (i = 0; i < n; i++) { total += r[i]; } }"),
    (SUM, "for (int k = 0; k < n; ++k) { total += r[k]; }"),
    (SUM, "for (register int k = 0; k < n; ++k) { total += r[k]; }"),
    (SUM, "long k; for (k = 0; k < n; k++) { total += r[k]; }"),
    (SUM, "ptrdiff_t k; for (k = 0; k < (ptrdiff_t)n; k++) { total += r[k]; }"),
    (SUM, "int left; for (left = n, i = 0; left > 0; left--, i++) { total += r[i]; }"),
    (SUM, "const float *p; for (p = r; p < r + n; p++) { total += *p; }"),
    (SUM, "const float *p = r; const float *const end = r + n; while (p < end) { total += *p++; }"),
    (SUM, "const float *p = r; for (i = 0; i < n; i++) { total += p[0]; p += 1; }"),
    (SUM, "for (i = 0; i < n; i++) { total += i[r]; }"),
    (SUM, "typedef float real; for (i = 0; i < n; i++) { const real x = r[i]; total += x; }"),
    (ROWS, ROWS.replace("int j; for", "const int row = n * i; int j; for").replace("n * i +", "row +")),
    (ROWS, ROWS.replace("n * i + j", "j + i * n")),
    (ROWS, ROWS.replace("n * i + j", "(n + 1) * i + j - i")),  # n * n + n - 2, where n * n - 1 is an int
    (
        ROWS,
        ROWS.replace("int j; for", "const float *p = N + n * i; int j; for").replace("N[n * i + j]", "*p++"),
    ),
    (ROWS, "int j; " + ROWS.replace("int j; ", "")),
    (TWICE, TWICE.replace("int j; ", "").replace("(j", "(int j")),
    (COPY, "for (i = 0; i < n; i++) { const pair p = u[i]; v[i] = p; }"),
    (COPY, "for (i = 0; i < n; i++) { const pair p = u[i]; v[i].y = p.y; v[i].x = p.x; }"),
    (
        MOVE,
        "for (i = 0; i < n; i++) { const float x = u[i].x; const float y = u[i].y; v[i].y = y; v[i].x = x + y; }",
    ),
    (MOVE, "for (i = 0; i < n; i++) { const pair p = u[i]; const pair q = {p.x + p.y, p.y}; v[i] = q; }"),
    (OWN, OWN.replace("r[i] > 3.0F) {", "!(r[i] > 3.0F)) { } else {")),
    (OWN, OWN.replace("r[i] > 3.0F) {", "!(r[i] > 3.0F)) { continue; }").replace("z[0]; } }", "z[0]; }")),
    (PAIR, "v[0].y = 2.0F; v[0].x = total; s[1] = 3.0F;"),
    (PAIR, "v[0].x = 7.0F; v[0].y = 2.0F; v[0].x = total; s[1] = 3.0F;"),
    (PAIR, "const pair p = {total, 2.0F}; v[0] = p; s[1] = 3.0F;"),
    ("s[1] = 1.0F; s[2] = total;", "s[2] = total; s[1] = 1.0F;"),
    ("s[1] = total; *used = 1;", "*used = 1; s[1] = total;"),
    ("s[1] = total; total = s[1] + r[0];", "s[1] = total; total += r[0];"),
    (SUM, "if (n > 0) { unsigned int k; for (k = 0u; k < (unsigned int)n; k++) { total += r[k]; } }"),
    (SUM, "if (n > 0) { for (uint32_t k = 0; k < (uint32_t)n; ++k) { total += r[k]; } }"),
    (SUM, "if (n > 0) { for (size_t k = 0; k < (size_t)n; k += 1) { total += r[k]; } }"),
    (SUM, "if (n > 0) { unsigned k; for (k = n, i = 0; k > 0u; k--, i++) { total += r[i]; } }"),
    (ROWS, ROWS.replace("int j; for (j = 0; j < n", "size_t j; for (j = 0; j < (size_t)n")),
    (ROWS, ROWS.replace("{ int j; ", "{ if (n > 0) { int j; ") + " }"),
    (ROWS, UNSIGNED_ROWS),
    ("s[1] = total; " + SUM, "s[1] = total; for (int i = 0; i < n; i++) { total += r[i]; }"),
    (SUM, "for (int i = 0; i < n; i++) { { const float i = 2.0F; (void)i; } total += r[i]; }"),
    (SKIPPING, SKIPPING.replace("for (j = i", "for (int k = i").replace("j", "k").replace("int k; ", "")),
]
OTHER = [
    (SUM, "if (n > 0) { for (unsigned k = 0; k <= (unsigned)n; k++) { total += r[k]; } }"),
    (SUM, "if (n > 0) { for (unsigned k = 0; k < (unsigned)n - 1u; k++) { total += r[k]; } }"),
    (SUM, "if (n > -2) { for (unsigned k = 0; k < (unsigned)n; k++) { total += r[k]; } }"),
    (SUM, "if (m > 0) { for (unsigned k = 0; k < (unsigned)n; k++) { total += r[k]; } }"),
    (SUM, "if (n > 0) { for (uint8_t k = 0; k < n; k++) { total += r[k]; } }"),
    (SUM, "if (n > 0) { for (size_t k = (size_t)n - 1; k >= 0; k--) { total += r[k]; } }"),
    (SUM, "if (n > 0) { for (size_t k = (size_t)n; k-- > 0;) { total += r[k]; } }"),  # in another order
    (SUM, "int left = n; i = 0; while (left-- > 0) { total += r[i]; i++; }"),  # where n - 1 is beyond int
    (SUM, "int left = n; i = 0; while (--left > 0) { total += r[i]; i++; }"),
    (SUM, "int left = n; i = 0; while (left-- >= 0) { total += r[i]; i++; }"),
    (SUM, "for (int i = 1; i < n; i++) { total += r[i]; }"),
    (SUM, "for (int i = 0; i < n; i++) { total += r[i]; } total += (float)i;"),
    (SUM, "for (int i = 0; i < n; i++) { { const int i = 2; total += r[i]; } }"),
    (ROWS, UNSIGNED_ROWS.replace("c * k + j", "c * j + k")),
    (SKIPPING, SKIPPING.replace("for (j = i", "for (j = 0")),
    (SKIPPING, SKIPPING.replace("int j; ", "int j = 0; ").replace("for (j = i; ", "for (; ")),
    ("int j = 0; " + SKIPPING[7:] + " s[1] = (float)j;", "int j = 0; " + SKIPPING[7:] + " s[1] = 0.0F;"),
    (ROWS, UNSIGNED_ROWS.replace("(size_t)n;", "(size_t)m;")),
    ("if (n > 0) { total = N[n * n]; }", "if (n > 0) { total = N[(unsigned)n * (unsigned)n - 5u + 5u]; }"),
    ("if (n > 0) { total = N[(unsigned)n * (unsigned)n]; }", "if (n > 0) { total = N[n * n]; }"),
    (SUM, "i = 0; while (i <= n) { total += r[i]; i++; }"),
    (SUM, "i = 0; do { total += r[i]; i++; } while (i < n);"),
    (SUM, "i = 0; if (i <= n) { do { total += r[i]; i++; } while (i < n); }"),
    (SUM, "if (n > 1) { for (i = 0; i < n; i++) { total += r[i]; } }"),
    (SUM, "for (i = n - 1; i > 0; i--) { total += r[i]; }"),
    (SUM, "for (i = n - 1; i >= 0; i--) { total += r[i]; }"),
    (SUM, "for (i = 0; i < n; i += 2) { total += r[i]; }"),
    (SUM, "for (i = 0; i < n; i++) { total += r[n - 1 - i]; }"),
    (SUM, "size_t k; for (k = 0; k < (size_t)n; k++) { total += r[k]; }"),  # where n is negative
    (SUM, "unsigned int k; for (k = 0; k < (unsigned int)n; k++) { total += r[k]; }"),
    (SUM, "short k; for (k = 0; k < n; k++) { total += r[k]; }"),
    (SUM, "int left; for (left = n, i = 0; left >= 0; left--, i++) { total += r[i]; }"),
    (SUM, "int left; for (left = n, i = 1; left > 0; left--, i++) { total += r[i]; }"),
    (SUM, "int left; for (left = n - 1, i = 0; left > 0; left--, i++) { total += r[i]; }"),
    (SUM, "int left; for (left = m, i = 0; left > 0; left--, i++) { total += r[i]; }"),
    (SUM, "const float *p; for (p = r; p <= r + n; p++) { total += *p; }"),
    (SUM, "const float *p; for (p = N; p < N + n; p++) { total += *p; }"),
    (SUM, "const float *p = r; for (i = 0; i < n; i++) { total += p[i]; p += 1; }"),
    (SUM, "const float *p = r; const float *const end = r + n; while (p < end) { total += *++p; }"),
    (SUM, "const float *p = r; for (i = 0; i < n; i++) { total += *p; if (total > 3.0F) { p++; } }"),
    (SUM, "const float *p = r; for (i = 0; i < n; i++) { total += *p; p = total > 3.0F ? N : r; }"),
    (SUM, "for (i = 0; i < n; i++) { total += r[i]; } total += (float)i;"),
    (SUM, "typedef double real; for (i = 0; i < n; i++) { const real x = r[i]; total = (float)(total * x); }"),
    (ROWS, ROWS.replace("int j; for", "const int row = m * i; int j; for").replace("n * i +", "row +")),
    (ROWS, ROWS.replace("int j; for", "const float *p = N + m * i; int j; for").replace("N[n * i + j]", "*p++")),
    (ROWS, ROWS.replace("n * i + j", "n * j + i")),
    (ROWS, ROWS.replace("n * i + j", "(n + 2) * i + j - 2 * i")),  # which is beyond int where n is 46340
    (ROWS, "int j; for (i = 0; i < n; i++) { for (; j < n; j++) { total += N[n * i + j] * r[j]; } }"),
    (ROWS, "int j = 0; for (i = 0; i < n; i++) { for (; j < n; j++) { total += N[n * i + j] * r[j]; } }"),
    (TWICE, TWICE.replace("(j = 0; j < m", "(; j < m")),
    (TWICE, TWICE.replace("(j = 0; j < m; j++)", "(i = j; i < m; i++)")),
    (COPY, "for (i = 0; i < n; i++) { v[i].x = u[i].x; }"),
    (COPY, "for (i = 0; i < n; i++) { const pair p = u[i]; v[i].y = p.x; v[i].x = p.y; }"),
    (COPY, "const pair p = u[0]; for (i = 0; i < n; i++) { v[i] = p; }"),
    (COPY, "for (i = n; i > 0; i--) { v[i - 1] = u[i - 1]; }"),  # where they overlap
    (MOVE, "for (i = 0; i < n; i++) { v[i].x = u[i].x + u[i].y; v[i].y = u[i].y; }"),
    (MOVE, "for (i = 0; i < n; i++) { const pair p = u[i]; const pair q = {p.y, p.x + p.y}; v[i] = q; }"),
    (PAIR, "v[0].y = total; v[0].x = 2.0F; s[1] = 3.0F;"),
    (PAIR, "v[0].x = total; v[0].y = 2.0F; v[0].x = 7.0F; s[1] = 3.0F;"),
    (PAIR, "s[1] = 3.0F; v[0].x = total; v[0].y = 2.0F;"),  # where these are one object
    (PAIR, "v[1].x = total; v[0].y = 2.0F; s[1] = 3.0F;"),
    ("s[1] = 1.0F; s[n] = total;", "s[n] = total; s[1] = 1.0F;"),
    ("s[1] = 1.0F; s[2] = total;", "s[2] = 1.0F; s[1] = total;"),
    ("s[1] = total; total = r[1];", "total = r[1]; s[1] = total;"),
    ("total = r[1]; s[1] = total;", "s[1] = total; total = r[1];"),
    ("s[1] = 3.0F; total = r[0];", "total = r[0]; s[1] = 3.0F;"),  # where r is s + 1
    ("s[1] = 3.0F; total = v[0].x;", "total = v[0].x; s[1] = 3.0F;"),
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    (found,) = compare_trees({"a.c": FORM.format(body=old)}, {"a.c": FORM.format(body=new)})
    return found.kind


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_turns(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_other_turns(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        ("long k = n; k = k * k; total = (float)k;", "int k = n; k = k * k; total = (float)k;"),
        ("long k = n; k = k + 1; total = r[k];", "int k = n; k = k + 1; total = r[k];"),
    ],
)
def test_a_wider_type_may_take_the_place_of_int_and_not_the_other_way(wide: str, narrow: str) -> None:
    assert kind(narrow, wide) is ChangeClass.COSMETIC
    assert kind(wide, narrow) is ChangeClass.UNREADABLE


@pytest.mark.parametrize(
    ("value", "is_same"), [("left", True), ("left - 1", False), ("i", True), ("n", True)]
)
def test_what_a_counter_is_after_a_loop(value: str, is_same: bool) -> None:
    old = "int left = 0; for (i = 0; i < 9; i++) { total += r[i]; left++; } s[1] = (float)left;"
    new = old.replace("left++; ", "").replace("(float)left", "(float)i")
    changed = old.replace("(float)left", f"(float)({value})")
    assert (kind(new, changed) is ChangeClass.COSMETIC) is (value in ("left", "i"))
    assert is_same or kind(old, changed) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


def test_a_store_in_a_turn_is_not_that_of_the_next_one() -> None:
    old = "for (i = 0; i < n; i++) { pair p; p.x = r[i]; total += p.x; s[i] = p.x; }"
    assert (
        kind(old, "for (i = 0; i < n; i++) { const float x = r[i]; total += x; s[i] = x; }")
        is ChangeClass.COSMETIC
    )
    new = "pair p; for (i = 0; i < n; i++) { if (i > 0) { total += p.x; } p.x = r[i]; s[i] = p.x; }"
    assert kind(old, new) is ChangeClass.UNREADABLE


CLEARED = """#include <stddef.h>
#include <string.h>

void fc_f_f64(double *x, int n, int m, double *y)
{
    int i;
    TURN
    *y = 1.0;
}
"""


@pytest.mark.parametrize(
    ("after", "is_same"),
    [
        ("if (n > 0) { memset(x, 0, (size_t)n * sizeof(x[0])); }", True),
        ("if (n >= 1) { (void)memset(x, 0, sizeof *x * (size_t)n); }", True),
        ("if (0 < n) { memset(x, 0, n * sizeof(double)); }", True),
        ("memset(x, 0, (size_t)n * sizeof(x[0]));", False),
        ("if (n >= 0) { memset(x, 0, (size_t)n * sizeof(x[0])); }", False),
        ("if (m > 0) { memset(x, 0, (size_t)n * sizeof(x[0])); }", False),
        ("if (n > 1) { memset(x, 0, (size_t)n * sizeof(x[0])); }", False),
        ("if (n > 0) { memset(x, 1, (size_t)n * sizeof(x[0])); }", False),
        ("if (n > 0) { memset(x, 0, (size_t)n * sizeof(float)); }", False),
        ("if (n > 0) { memset(x, 0, (size_t)n * sizeof(x)); }", False),
        ("if (n > 0) { memset(x, 0, (size_t)n * sizeof(double *)); }", False),
        ("if (n > 0) { memset(x, 0, (size_t)n); }", False),
        ("if (n > 0) { memset(y, 0, (size_t)n * sizeof(x[0])); }", False),
        ("if (n > 0) { memset(x + 1, 0, (size_t)n * sizeof(x[0])); }", False),
        ("if (n > 0) { memset(&x, 0, (size_t)n * sizeof(x[0])); }", False),
        ("if (n > 0) { memset(x, 0, (size_t)(n + 1) * sizeof(x[0])); }", False),
        ("if (n > 0 && m > 0) { memset(x, 0, (size_t)m * sizeof(x[0])); }", False),
    ],
)
def test_memset_of_a_number_of_elements_is_a_loop(after: str, is_same: bool) -> None:
    turns = "for (i = 0; i < n; i++) { x[i] = 0.0; }", after
    old, new = (CLEARED.replace("TURN", turn) for turn in turns)
    (found,) = compare_trees({"a.c": old}, {"a.c": new})
    assert (found.kind is ChangeClass.COSMETIC) is is_same
    assert is_same or found.kind is ChangeClass.UNREADABLE
