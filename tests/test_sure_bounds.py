# ruff: noqa: E501
"""What a routine calculates on every way bounds what is given: beyond that, nothing is asked of a new version.

`x[n * i + j]` for all i and j below n is undefined where n is above 46340. What calculates as much elsewhere is
the same then; without that, or where only some ways lead to it, it is not.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """#include <math.h>

{top}void fc_f_f32(int n, int m, const float N[], const float r[], float s[], int *used)
{{
    float total = 0.0F;
    float size = 0.0F;
    int i;
    {body}
    s[0] = total;
    s[1] = size;
}}
"""
SUM = "for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { total += N[n * i + j]; } } "
ROW = "for (i = 0; i < n; i++) { int j; const float *row = &N[n * i]; for (j = 0; j < n; j++) { size += row[j] * r[j]; } } "
INDEX = "for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { size += N[n * i + j] * r[j]; } } "
DIAGONAL = "for (i = 0; i < n; i++) { total += N[n * i + i]; } "
UPPER = "for (i = 0; i < n; i++) { int j; for (j = i; j < n; j++) { total += N[n * i + j]; } } "
PLUS = "for (i = 0; i < n; i++) { total += r[i] * r[i + m]; } "
EACH = "for (i = 0; i < n; i++) { int j; float t = 0.0F; for (j = 0; j < n; j++) { t += r[j]; } s[i] = t; } "
FIRST = "for (i = 0; i < n; i++) { int j; float t = 0.0F; for (j = 0; j < n; j++) { const int k = n * i + n; (void)k; t += r[j]; } s[i] = 0.0F; if (r[i] > 1.0F) { break; } } "
ENDLESS = "while (r[0] > size) { size += 0.0F; } "
ONCE = "static float once(float x)\n{\n    float y = x * 0.5F;\n    return y > 1.0F ? 1.0F : y;\n}\n\n"
LONG = "static void wait(const float r[], float s[])\n{\n    while (r[0] > s[0]) {\n        s[0] += r[1];\n    }\n}\n\n"
CALLS = "static void wait(const float r[], float s[])\n{\n    if (r[0] > s[0]) {\n        wait(r, s);\n    }\n}\n\n"

SAME = [
    (SUM + ROW, SUM + INDEX),
    (ROW + SUM, INDEX + SUM),
    (DIAGONAL + ROW, DIAGONAL + INDEX),
    (ROW + UPPER, INDEX + UPPER),
    (SUM + "if (total > 1.0F) { *used = 1; return; } " + ROW, SUM + "if (total > 1.0F) { *used = 1; return; } " + INDEX),
    (SUM + "if (m > 3) { " + ROW + "}", SUM + "if (m > 3) { " + INDEX + "}"),
    (f"total = once(r[0]); {SUM}{ROW}", f"total = once(r[0]); {SUM}{INDEX}"),
]  # fmt: skip
OTHER = [
    (ROW, INDEX),
    ("if (m > 0) { " + SUM + "} " + ROW, "if (m > 0) { " + SUM + "} " + INDEX),
    ("if (m > 0) { return; } " + SUM + ROW, "if (m > 0) { return; } " + SUM + INDEX),
    (SUM.replace("total +=", "if (r[i] > 0.0F) total +=") + ROW, SUM.replace("total +=", "if (r[i] > 0.0F) total +=") + INDEX),
    (SUM.replace("i < n;", "i < m;") + ROW, SUM.replace("i < n;", "i < m;") + INDEX),
    (SUM.replace("j < n;", "j < m;") + ROW, SUM.replace("j < n;", "j < m;") + INDEX),
    (SUM.replace("total +=", "if (total > 9.0F) { break; } total +=") + ROW, SUM.replace("total +=", "if (total > 9.0F) { break; } total +=") + INDEX),
    (DIAGONAL.replace("total", "if (total > 9.0F) { break; } total", 1) + ROW, DIAGONAL.replace("total", "if (total > 9.0F) { break; } total", 1) + INDEX),
    (DIAGONAL.replace("total", "if (total > 9.0F) { return; } total", 1) + ROW, DIAGONAL.replace("total", "if (total > 9.0F) { return; } total", 1) + INDEX),
    (DIAGONAL.replace("n * i + i", "n * i") + ROW, DIAGONAL.replace("n * i + i", "n * i") + INDEX),
    (DIAGONAL.replace("n * i + i", "2 * i") + ROW, DIAGONAL.replace("n * i + i", "2 * i") + INDEX),
    (DIAGONAL.replace("i++", "i += 2") + ROW, DIAGONAL.replace("i++", "i += 2") + INDEX),
    (DIAGONAL.replace("i = 0", "i = m") + ROW, DIAGONAL.replace("i = 0", "i = m") + INDEX),
    ("for (i = 0; i < n; i++) { const int k = (int)((long)n * i + n); total += N[k - n]; } " + ROW, "for (i = 0; i < n; i++) { const int k = (int)((long)n * i + n); total += N[k - n]; } " + INDEX),
    (EACH + FIRST + ROW, EACH + FIRST + INDEX),  # the same inner loop, which leaves more undefined in one of them
    (ENDLESS + SUM + ROW, ENDLESS + SUM + INDEX),
    (ROW + ENDLESS + SUM, INDEX + ENDLESS + SUM),
    (ROW + "wait(r, s); " + SUM, INDEX + "wait(r, s); " + SUM),
    (f"for (i = 0; i < 3; i++) {{ wait(r, s); }} {ROW}{SUM}", f"for (i = 0; i < 3; i++) {{ wait(r, s); }} {INDEX}{SUM}"),
]  # fmt: skip


def kind(old: str, new: str, top: str = ONCE) -> ChangeClass:
    before, after = ({"fc_f.c": FORM.format(body=body, top=top)} for body in (old, new))
    changes = {change.symbol: change.kind for change in compare_trees(before, after)}
    return changes["fc_f_f32"]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_an_index_of_a_size_that_is_calculated_anyway_is_in_range(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
@pytest.mark.parametrize("top", [LONG, CALLS], ids=["loops", "calls itself"])
def test_an_index_that_only_some_ways_lead_to_bounds_nothing(old: str, new: str, top: str) -> None:
    assert kind(old, new, top) is ChangeClass.UNREADABLE


def test_a_larger_index_than_what_is_calculated_anyway_may_be_out_of_range() -> None:
    """n * n - 1 is an int where n is 46340; n * n + n is none."""
    old = SUM + ROW.replace("&N[n * i]", "N + n + n * i")
    assert kind(old, SUM + INDEX.replace("n * i", "n * (i + 1)")) is ChangeClass.COSMETIC
    far = SUM + ROW.replace("&N[n * i]", "N + n * i + n + n")
    assert kind(far, SUM + INDEX.replace("n * i", "n * (i + 2)")) is ChangeClass.UNREADABLE


def test_a_routine_of_many_loops_has_bounds() -> None:
    others = "".join(f"for (i = 0; i < n; i++) {{ s[i] = r[i + {k}]; }} " for k in range(45))
    assert kind(SUM + others + ROW, SUM + others + INDEX) is ChangeClass.COSMETIC
    assert kind(others + ROW, others + INDEX) is ChangeClass.UNREADABLE
