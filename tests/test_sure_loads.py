# ruff: noqa: E501
"""Loads that were made under a test only, from places that the old version surely loads elsewhere.

They are defined where the old version is, if that surely comes to its own loads. Without these, with fewer of
them, or behind what may never end, a load that is made under no test any more may be undefined.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """{top}void fc_f_f32(int n, int m, const float N[], const float r[], const int at[], float s[], int *used)
{{
    float total = 0.0F;
    float size = 0.0F;
    int i;
    {body}
    s[0] = total;
    s[1] = size;
}}
"""
FILL = """static void fill(float x[], int k)
{
    int i;
    for (i = 0; i < k; i++) {
        x[i] = 2.0F;
    }
}

static void wait(const float x[], float y[])
{
    while (x[0] > y[0]) {
        y[0] += x[1];
    }
}

"""
SUM = "for (i = 0; i < n; i++) { total += r[i]; } "
CHOSEN = "for (i = 0; i < n; i++) { if (N[i] > 0.0F) { size += r[i]; } } "
LOADED = "for (i = 0; i < n; i++) { const float x = r[i]; if (N[i] > 0.0F) { size += x; } } "
STORED = "for (i = 0; i < n; i++) { if (N[i] > 0.0F) { s[i] = 0.0F; } else { s[i] = r[i]; } } "
REPLACED = (
    "for (i = 0; i < n; i++) { const float x = r[i]; if (N[i] > 0.0F) { s[i] = 0.0F; } else { s[i] = x; } } "
)
ROWS = "for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { total += N[n * i + j]; } } "
ROW = "for (i = 0; i < n; i++) { if (N[n * i + i] > 1.0F) { float t = 0.0F; int j; for (j = 0; j < n; j++) { t += N[n * i + j]; } size += t; } } "
ALL_ROWS = "for (i = 0; i < n; i++) { float t = 0.0F; int j; for (j = 0; j < n; j++) { t += N[n * i + j]; } if (N[n * i + i] > 1.0F) { size += t; } } "
FIRST = "if (*used > m) { total = 1.0F; } "
LATER = "for (i = 0; i < n; i++) { if (r[i] > 0.0F && *used > m) { size += 1.0F; } } "
SOONER = "for (i = 0; i < n; i++) { if (*used > m && r[i] > 0.0F) { size += 1.0F; } } "
SIDES = "for (i = 0; i < n; i++) { int k; for (k = 0; k < 2; k++) { const int b = k == 0 ? at[i] : at[i + n]; if (b < 0) { continue; } size += r[b]; } } "
BOTH = "for (i = 0; i < n; i++) { int k; for (k = 0; k < 2; k++) { int b = at[i + n]; if (k == 0) { b = at[i]; } if (b < 0) { continue; } size += r[b]; } } "

SAME = [
    (SUM + CHOSEN, SUM + LOADED),
    (CHOSEN + SUM, LOADED + SUM),
    (SUM + STORED, SUM + REPLACED),
    (SUM + "fill(s, n); " + STORED, SUM + "fill(s, n); " + REPLACED),
    (ROWS + ROW, ROWS + ALL_ROWS),
    (FIRST + LATER, FIRST + SOONER),
    (SIDES, BOTH),
    ("if (m > 3) { " + SUM + CHOSEN + "} ", "if (m > 3) { " + SUM + LOADED + "} "),
]  # fmt: skip
OTHER = [
    (CHOSEN, LOADED),
    (STORED, REPLACED),
    (STORED + SUM, REPLACED + SUM),  # r may be s, of which the store gives the first value
    (ROW, ALL_ROWS),
    (LATER, SOONER),
    *((f"{wrong} {CHOSEN}", f"{wrong} {LOADED}") for wrong in (
        SUM.replace("i < n", "i < m"),
        SUM.replace("i = 0", "i = 1"),
        SUM.replace("i++", "i += 2"),
        SUM.replace("i < n", "i < n - 1"),
        SUM.replace("r[i]", "N[i]"),
        SUM.replace("r[i]", "r[i + 1]"),
        SUM.replace("r[i]", "(float)at[i]"),
        SUM.replace("total +=", "if (N[i] > 1.0F) { break; } total +="),
        SUM.replace("total +=", "if (N[i] > 1.0F) { continue; } total +="),
        SUM.replace("total +=", "if (N[i] > 1.0F) { return; } total +="),
        f"if (m > 3) {{ {SUM}}}",
        "total += r[0];",
        "for (i = 0; i < n; i++) { s[i] = 1.0F; }",
    )),
    (SUM + CHOSEN, SUM + LOADED.replace("r[i]", "r[i + 1]").replace("size += x", "size += r[i]")),
    (SUM + CHOSEN, SUM + LOADED.replace("i = 0", "i = -1").replace("size += x", "if (i >= 0) { size += x; }").replace("N[i] >", "i >= 0 && N[i] >")),
    (CHOSEN + f"wait(r, s); {SUM}", LOADED + f"wait(r, s); {SUM}"),
    (CHOSEN + f"while (N[0] > size) {{ size += 0.0F; }} {SUM}", LOADED + f"while (N[0] > size) {{ size += 0.0F; }} {SUM}"),
    (FIRST.replace("{", "{ wait(r, s); ") + LATER, LATER + FIRST.replace("{", "{ wait(r, s); ")),
    ("i = 0; do { total += r[i]; i++; } while (i < n); " + CHOSEN.replace("i < n", "i < m"), "i = 0; do { total += r[i]; i++; } while (i < n); " + LOADED.replace("i < n", "i < m")),
    (ROWS.replace("j < n", "j < i") + ROW, ROWS.replace("j < n", "j < i") + ALL_ROWS),
    (ROWS.replace("j = 0", "j = 1") + ROW, ROWS.replace("j = 0", "j = 1") + ALL_ROWS),
    (ROWS.replace("n * i + j", "i + j") + ROW, ROWS.replace("n * i + j", "i + j") + ALL_ROWS),
    (f"if (m > 3) {{ {FIRST} }} " + LATER, f"if (m > 3) {{ {FIRST} }} " + SOONER),
    ("fill(s, n); total += s[n]; ", "const float x = s[n]; (void)x; fill(s, n); total += s[n]; "),  # of which fill may be the first to store there
    (SIDES.replace("k < 2", "k < 1"), BOTH.replace("k < 2", "k < 1")),
    (SIDES.replace("k == 0", "k != 2"), BOTH.replace("k == 0", "k != 2")),
    (SIDES.replace("continue", "break"), BOTH.replace("continue", "break")),
    (SIDES.replace("size += r[b]", "wait(r, s)"), BOTH.replace("size += r[b]", "wait(r, s)")),
    (SIDES.replace("size += r[b]", "*used = b"), BOTH.replace("size += r[b]", "*used = b")),  # which may be at[i + n]
]  # fmt: skip


def kind(old: str, new: str) -> ChangeClass:
    before, after = ({"fc_f.c": FORM.format(body=body, top=FILL)} for body in (old, new))
    changes = {change.symbol: change.kind for change in compare_trees(before, after)}
    return changes["fc_f_f32"]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_a_load_that_is_made_anyway_may_be_made_elsewhere(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_a_load_that_only_some_ways_lead_to_may_be_undefined_elsewhere(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.UNREADABLE
