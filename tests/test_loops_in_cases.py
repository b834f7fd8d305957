# ruff: noqa: E501
"""Loops split at a quotient of their number of turns: in halves, in pairs with a last turn, by another counter.

They make the same turns for any number of them, also for one below 0. Their neighbours lack a turn, make one
twice or in another order, or make one where the number is below 0.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees
from tests.conftest import sampled, sampled_rows

FORM = """typedef struct {{
    float x;
    float y;
}} pair;

void fc_f_f32(int n, int m, const float r[], const pair u[], pair v[], float s[], int *used)
{{
    float total = 0.0F;
    float size = 0.0F;
    int i;
    {body}
    s[0] = total;
    s[1] = size;
}}
"""
ONE = "total = total * r[i] + 1.0F; "
TWO = ONE.replace("[i]", "[i + 1]")
SUM = f"for (i = 0; i < n; i++) {{ {ONE}}}"
HALVES = f"for (i = 0; i < n / 2; i++) {{ {ONE}}} for (i = n / 2; i < n; i++) {{ {ONE}}}"
HALF = f"const int half = n / 2; for (i = 0; i < half; i++) {{ {ONE}}} for (; i < n; i++) {{ {ONE}}}"
PAIRS = f"for (i = 0; i < n - n % 2; i += 2) {{ {{ {ONE}}} {{ {TWO}}} }} if (n > 0 && n % 2 != 0) {{ i = n - 1; {ONE}}}"
COUNTED = (
    "{ int k; for (k = 0; k < n / 2; k++) { "
    + ONE.replace("[i]", "[2 * k]")
    + ONE.replace("[i]", "[2 * k + 1]")
    + "} if (n > 0 && n % 2 == 1) { "
    + ONE.replace("[i]", "[n - 1]")
    + "} }"
)
COPY = "for (i = 0; i < n; i++) { v[i] = u[i]; }"
COPY_HALVES = "for (i = 0; i < n / 2; i++) { v[i] = u[i]; } for (i = n / 2; i < n; i++) { v[i] = u[i]; }"
COPY_PAIRS = "for (i = 0; i < n - n % 2; i += 2) { v[i] = u[i]; v[i + 1] = u[i + 1]; } if (n % 2 == 1) { v[n - 1] = u[n - 1]; }"
READ = "for (i = 0; i < n; i++) { total += u[i].x; }"
READ_HALVES = (
    "for (i = 0; i < n / 2; i++) { total += u[i].x; } for (i = n / 2; i < n; i++) { total += u[i].x; }"
)
ROWS = "for (i = 0; i < n; i++) { int j; float row = 0.0F; for (j = 0; j < m; j++) { row += r[m * i + j]; } s[i] = row; }"
ROW_HALVES = "for (i = 0; i < n; i++) { int j; float row = 0.0F; for (j = 0; j < m / 2; j++) { row += r[m * i + j]; } for (j = m / 2; j < m; j++) { row += r[m * i + j]; } s[i] = row; }"

SAME = [
    (SUM, HALVES),
    (SUM, HALVES.replace("n / 2", "n / 3")),
    (SUM, HALF),
    (SUM, HALF.replace("n / 2", "n / 4")),
    (SUM, PAIRS),
    (SUM, PAIRS.replace("n % 2 != 0", "n % 2 == 1").replace("n > 0 && ", "")),
    (SUM, PAIRS.replace("i = n - 1; ", "")),
    (SUM, COUNTED),
    (SUM, COUNTED.replace("n > 0 && ", "")),
    (SUM, COUNTED.replace("2 * k", "k * 2")),
    (SUM, COUNTED.replace("int k; for (k = 0", "for (int k = 0")),
    (COPY, COPY_HALVES),
    (COPY, COPY_PAIRS),
    (ROWS, ROW_HALVES),
    (f"{COPY} {READ}", f"{COPY} {READ_HALVES}"),
]  # fmt: skip
OTHER = [
    (SUM, HALVES.replace("(i = n / 2", "(i = n / 2 + 1")),
    (SUM, HALVES.replace("(i = n / 2", "(i = n / 3")),
    (SUM, HALVES.replace("i < n;", "i < n - 1;")),
    (SUM, HALVES.replace("i < n / 2", "i <= n / 2")),
    (SUM, HALVES.replace("i < n / 2", "i < (n + 1) / 2")),
    (SUM, HALVES.replace("i < n / 2", "i < m / 2")),
    (SUM, HALVES.replace("i = 0", "i = 1")),
    (SUM, HALF.replace("i < half", "i <= half").replace("(;", "(i = half;")),
    (SUM, HALF.replace("n / 2", "n - m")),
    (SUM, HALVES + " *used = i;"),
    (SUM, HALVES.replace("total = total", "total += 1.0F; total = total", 1)),
    (SUM, PAIRS.replace("n - n % 2", "n")),
    (SUM, PAIRS.replace("i += 2", "i += 3")),
    (SUM, PAIRS.replace("n % 2 != 0", "n % 2 == 0")),
    (SUM, PAIRS.replace("n % 2 != 0", "n % 3 != 0")),
    (SUM, PAIRS.replace("n > 0 && n % 2 != 0", "n > 0")),
    (SUM, PAIRS.replace("n > 0 && ", "")),  # where n is -1, too
    (SUM, PAIRS.replace("i = n - 1", "i = n - 2")),
    (SUM, PAIRS.replace("i = n - 1", "i = 0")),
    (SUM, PAIRS.replace("i = n - 1;", "size = 1.0F; i = n - 1;")),
    (SUM, PAIRS[: PAIRS.index("if (")]),
    (SUM, PAIRS.replace(f"{{ {ONE}}} {{ {TWO}}}", f"{{ {TWO}}} {{ {ONE}}}")),
    (SUM, PAIRS.replace(TWO, TWO.replace("1.0F", "2.0F"))),
    (SUM, PAIRS + " *used = i;"),
    (SUM, COUNTED.replace("[2 * k + 1]", "[2 * k + 2]")),
    (SUM, COUNTED.replace("[2 * k + 1]", "[3 * k + 1]")),
    (SUM, COUNTED.replace("[2 * k + 1]", "[k + 1]")),
    (SUM, COUNTED.replace("k < n / 2", "k <= n / 2")),
    (SUM, COUNTED.replace("k < n / 2", "k < n / 3")),
    (SUM, COUNTED.replace("k < n / 2", "k < (n + 1) / 2")),
    (SUM, COUNTED.replace("k < n / 2", "k < n")),
    (SUM, COUNTED.replace("k = 0", "k = 1")),
    (SUM, COUNTED.replace("[n - 1]", "[0]")),
    (SUM, COUNTED.replace("n % 2 == 1", "n % 2 == 0")),
    (SUM, COUNTED.replace("int k", "unsigned k")),
    (SUM, COUNTED.replace("2 * k", "6 * k")),
    (SUM, COUNTED.replace("int k;", "int k = m;").replace("[n - 1]", "[2 * k - 2 * m + n - 1]")),
    (COPY, COPY_PAIRS.replace("v[i] = u[i]; v[i + 1] = u[i + 1];", "v[i + 1] = u[i + 1]; v[i] = u[i];")),  # u may be v, shifted
    (COPY, COPY_PAIRS.replace("v[n - 1] = u[n - 1]", "v[n - 1] = u[0]")),
    (ROWS, ROW_HALVES.replace("row += r[m * i + j]; } for", "row += r[m * i + j]; } row += 0.5F; for")),
    (ROWS, ROW_HALVES.replace("(j = m / 2", "(j = n / 2")),
    (f"{COPY} {READ}", f"{READ_HALVES} {COPY}"),
]  # fmt: skip

ODD = f"if (n % 2 == 1) {{ i = 0; {ONE}}} for (i = n % 2 == 1 ? 1 : 0; i + 1 < n; i += 2) {{ {{ {ONE}}} {{ {TWO}}} }}"
SQUARE = "for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { size += r[n * i + j]; } } s[2] = size; "
IN_RANGE = [
    (SUM, ODD),  # where n is the largest int, i + 1 is beyond it
    (SUM, ODD.replace("if (n % 2", "if (n > 0 && n % 2")),
    (SUM, ODD.replace("i = 0; ", "").replace("[i]", "[0]", 1)),
    (SUM, ODD.replace("i + 1 < n", "i < n - 1")),  # and where it is the least one, n - 1
    (SUM, PAIRS.replace("i < n - n % 2", "i < n - n % 2 - 1")),
    (SUM.replace("i = 0", "i = 1"), f"for (i = 1; i + 1 < n; i += 2) {{ {ONE}{TWO}}} for (; i < n; i++) {{ {ONE}}}"),
    (SUM.replace("i = 0", "i = m"), f"for (i = m; i + 1 < n; i += 2) {{ {ONE}{TWO}}} for (; i < n; i++) {{ {ONE}}}"),
]  # fmt: skip
OTHER_ODD = [
    ODD.replace("== 1)", "== 0)"),
    ODD.replace("== 1)", "!= 1)"),
    ODD.replace("== 1)", "!= 0)"),  # where n is -1, too
    ODD.replace("== 1)", "== -1)"),
    ODD.replace("== 1)", "== 1 && m > 0)"),
    ODD.replace("== 1 ?", "== 1 && m > 0 ?"),
    ODD.replace("? 1 : 0", "? 0 : 1"),
    ODD.replace("? 1 : 0", "? 2 : 0"),
    ODD.replace("? 1 : 0", "? 1 : 1"),
    ODD.replace("i + 1 < n", "i + 2 < n"),
    ODD.replace("i + 1 < n", "i + 1 <= n"),
    ODD.replace("i + 1 < n", "i + 1 < m"),
    ODD.replace("i += 2", "i += 3"),
    ODD.replace("i = 0", "i = 1"),
    ODD.replace("n % 2", "n % 3"),
    ODD.replace("(n % 2", "(n % 4"),
    ODD.replace("(n % 2", "(m % 2"),
    ODD.replace(f"{{ {ONE}}} {{ {TWO}}}", f"{{ {TWO}}} {{ {ONE}}}"),
    ODD.replace(f"{{ {TWO}}}", f"{{ {ONE}}}"),
    ODD.replace("i = 0;", "i = 0; size += 1.0F;"),
    ODD.replace("[i]", "[i] * r[m]", 1),
    ODD + " *used = i;",
]


def kind(old: str, new: str) -> ChangeClass:
    (change,) = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return change.kind


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_parts_of_a_loop_make_its_turns(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), sampled_rows(OTHER, every=6, exhaustive=2))
def test_parts_that_make_other_turns_are_not_the_loop(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.UNREADABLE
    assert kind(new, old) is ChangeClass.UNREADABLE


@pytest.mark.parametrize(("old", "new"), IN_RANGE)
def test_a_loop_in_steps_that_counts_beyond_an_int_is_the_loop_of_an_old_version_alone(
    old: str, new: str
) -> None:
    """Where the old version counts beyond an int, nothing is asked of the new one; the new one must not."""
    assert kind(old, new) is ChangeClass.UNREADABLE
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), sampled_rows(IN_RANGE[:3], every=3))
def test_it_is_that_of_a_new_version_where_its_numbers_are_small(old: str, new: str) -> None:
    assert kind(SQUARE + old, SQUARE + new) is ChangeClass.COSMETIC
    assert kind(SQUARE + new, SQUARE + old) is ChangeClass.COSMETIC


@pytest.mark.parametrize("new", sampled(OTHER_ODD, every=6, exhaustive=4))
def test_a_first_turn_of_another_kind_is_not_that_of_the_loop(new: str) -> None:
    for first in ("", SQUARE):
        assert kind(first + SUM, first + new) is ChangeClass.UNREADABLE
        assert kind(first + new, first + SUM) is ChangeClass.UNREADABLE


def test_a_loop_that_makes_no_turn_leaves_undefined_what_its_first_test_does() -> None:
    """The element that a first test reads is read also where there is no turn."""
    old = "if (n > 3) { for (i = 5; i < 5; i++) { total += r[i]; } }"
    new = "if (n > 3) { for (i = 5; r[i] > 2.0F && i < 5; i++) { total += r[i]; } }"
    assert kind(old, new) is ChangeClass.UNREADABLE
    assert kind(old, "") is ChangeClass.COSMETIC
