# ruff: noqa: E501
"""Tests in loops that come out the same in each turn, and loops without a test whose breaks lead to a return.

The former may stand outside of the loop, and what follows the latter in the place of each break. Their
neighbours test what a turn changes or what may be undefined, or break out of something else.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """int fc_f_f32(int n, int m, const float r[], const float x[], float s[], float t[], int *used)
{{
    float total = 0.0F;
    int count = 0;
    int i;
    {body}
}}
"""
END = " s[0] = total; return count;"
OUT = "if (m > 2) { for (i = 0; i < n; i++) { total += r[i]; } } else { for (i = 0; i < n; i++) { total += x[i]; } }"
IN = "for (i = 0; i < n; i++) { if (m > 2) { total += r[i]; } else { total += x[i]; } }"
ONLY = "if (m > 2) { for (i = 0; i < n; i++) { s[i] = r[i]; } }"
ONLY_IN = "for (i = 0; i < n; i++) { if (m > 2) { s[i] = r[i]; } }"
FLAG = "const int goes = r[0] > 0.0F; if (goes) { total = 1.0F; } else { count = 2; } for (i = 0; i < n; i++) { if (goes) { s[i] = 0.0F; } else { s[i] = r[i]; } }"
BRANCHES = "if (r[0] > 0.0F) { total = 1.0F; for (i = 0; i < n; i++) { s[i] = 0.0F; } } else { count = 2; for (i = 0; i < n; i++) { s[i] = r[i]; } }"
ROWS = "for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { if (m > 2) { total += r[j]; } } total *= x[i]; }"
ROWS_OUT = "if (m > 2) { for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { total += r[j]; } total *= x[i]; } } else { for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { } total *= x[i]; } }"
BREAK = "for (;;) { total += r[count]; if (total > x[0] || count >= n) { break; } count++; s[count] = total; } *used = count; return total > 3.0F ? 1 : 2;"
RETURN = "for (;;) { total += r[count]; if (total > x[0] || count >= n) { *used = count; return total > 3.0F ? 1 : 2; } count++; s[count] = total; }"
TWICE = "while (1) { if (count >= n) { break; } total += r[count]; if (total > x[0]) { break; } count++; } *used = count; return 1;"
TWICE_RETURNS = "for (;;) { if (count >= n) { *used = count; return 1; } total += r[count]; if (total > x[0]) { *used = count; return 1; } count++; }"
NESTED = "for (;;) { for (;;) { total += r[count]; count++; if (count >= n) { break; } } if (total > x[0]) { break; } } *used = count; return 1;"

SAME = [
    (OUT + END, IN + END),
    (OUT + END, IN.replace("m > 2", "!(m <= 2)") + END),
    (ONLY + END, ONLY_IN + END),
    (BRANCHES + END, FLAG + END),
    (ROWS_OUT + END, ROWS + END),
    (END, "for (i = 0; i < n; i++) { }" + END),
    (
        "for (i = 0; i < n; i++) { int j; for (j = 0; j < n; j++) { total += r[n * i + j]; } total *= x[i]; }" + END,
        "for (i = 0; i < n; i++) { int j; if (n % 2 == 1) { j = 0; total += r[n * i + j]; } for (j = n % 2 == 1 ? 1 : 0; j + 1 < n; j += 2) { total += r[n * i + j]; total += r[n * i + (j + 1)]; } total *= x[i]; }" + END,
    ),
    (BREAK, RETURN),
    (BREAK, RETURN.replace("for (;;)", "while (1)")),
    (BREAK, RETURN.replace("*used = count; return total > 3.0F ? 1 : 2;", "*used = count; if (total > 3.0F) { return 1; } return 2;")),
    (TWICE, TWICE_RETURNS),
]  # fmt: skip
OTHER = [
    (OUT + END, IN.replace("m > 2", "m > 3") + END),
    (OUT + END, IN.replace("m > 2", "i > 2") + END),
    (OUT + END, IN.replace("m > 2", "x[0] > 2.0F") + END),
    (OUT.replace("m > 2", "s[0] > 2.0F").replace("total +=", "s[i] =") + END, IN.replace("m > 2", "s[0] > 2.0F").replace("total +=", "s[i] =") + END),  # the first turn stores s[0]
    (OUT.replace("m > 2", "total > 2.0F") + END, IN.replace("m > 2", "total > 2.0F") + END),
    (OUT.replace("m > 2", "count > 2") + END, IN.replace("m > 2", "count++ > 2") + END),
    (OUT.replace("{ total += r", "{ count = 3; total += r").replace("m > 2", "count > 2") + END, IN.replace("{ total += r", "{ count = 3; total += r").replace("{ total += x", "{ count = 4; total += x").replace("m > 2", "count > 2") + END),
    (OUT.replace("m > 2", "*used > 2").replace("total +=", "s[i] =") + END, IN.replace("m > 2", "*used > 2").replace("total +=", "s[i] =") + END),  # used may be null where n is 0
    (IN.replace("m > 2", "m * m > 2") + END, OUT.replace("m > 2", "m * m > 2") + END),  # beyond an int also where n is 0
    ("count = m; if (count > 2) { for (i = 0; i < n; i++) { s[i] = r[i]; count = 1; } } else { for (i = 0; i < n; i++) { s[i] = x[i]; count = 1; } }" + END, "count = m; for (i = 0; i < n; i++) { if (count > 2) { s[i] = r[i]; } else { s[i] = x[i]; } count = 1; }" + END),
    ("if (count == m) { for (count = 1; count < n; count++) { s[count] = r[count]; } } else { for (count = 1; count < n; count++) { s[count] = x[count]; } }" + END, "for (count = 1; count < n; count++) { if (count == m) { s[count] = r[count]; } else { s[count] = x[count]; } }" + END),
    (ONLY + END, ONLY_IN.replace("s[i] = r[i]; }", "s[i] = r[i]; } else { s[i] = x[i]; }") + END),
    (ONLY + END, ONLY_IN.replace("s[i] = r[i];", "int m = 1; s[i] = r[m];") + END),
    (ONLY + END, ONLY_IN.replace("{ if", "{ int m = (int)r[i]; if") + END),
    (BRANCHES + END, FLAG.replace("if (goes) { s", "if (!goes) { s") + END),
    (BRANCHES + END, FLAG.replace("total = 1.0F;", "s[0] = 1.0F; total = 1.0F;").replace("r[0] > 0.0F;", "(r[0] > 0.0F) + 1;") + END),
    (BRANCHES + END, FLAG.replace("for", "goes = 0; for").replace("const int", "int") + END),
    (ROWS_OUT + END, ROWS.replace("m > 2", "m > j") + END),
    (ROWS_OUT + END, ROWS.replace("m > 2", "m > i") + END),
    (BREAK, RETURN.replace("*used = count; ", "")),
    (BREAK, RETURN.replace("? 1 : 2", "? 2 : 1")),
    (BREAK, RETURN.replace("count++; s", "s").replace("= total; }", "= total; count++; }")),
    (BREAK, RETURN.replace("*used = count; return", "*used = count + 1; return")),
    (BREAK, RETURN.replace("|| count >= n", "")),
    (BREAK, BREAK.replace("break;", "count = 0; break;")),
    (BREAK, BREAK.replace("{ break; }", "{ do { break; } while (1); }")),  # of another loop
    (BREAK, BREAK.replace("break;", "int count = 7; (void)count; break;").replace("*used = count", "*used = 7")),
    (END, "float w = 0.0F; while (r[0] > w) { w += 0.5F; }" + END),  # which may not end
    (END, "for (i = 0; i <= n; i++) { }" + END),  # where n is the largest int, i is beyond it
    (END, "for (i = 0; i < *used; i++) { }" + END),
    (NESTED, NESTED.replace("break;", "*used = count; return 1;", 1)),
    (NESTED, NESTED.replace("break;", "*used = count; return 1;")),
    (TWICE, TWICE_RETURNS.replace("*used = count; return 1;", "return 1;", 1)),
    (TWICE, TWICE_RETURNS.replace("return 1;", "return 2;", 1)),
    (TWICE, "while (1) { if (count >= n) { break; } total += r[count]; if (total > x[0]) { return 1; } count++; } *used = count; return 1;"),
]  # fmt: skip
LOOP = """static int sum_{0}(const float r[], int n, float s[])
{{
    int k = 0;
    for (;;) {{
        if (k >= n) {{
            s[1] = {0}.0F;
            break;
        }}
        s[0] += r[k];
        k++;
    }}
    return k;
}}

"""


def kind(old: str, new: str, tops: tuple[str, str] = ("", "")) -> ChangeClass:
    before, after = (
        {"fc_f.c": top + FORM.format(body=body)} for body, top in zip((old, new), tops, strict=True)
    )
    changes = {change.symbol: change.kind for change in compare_trees(before, after)}
    return changes.get("fc_f_f32", ChangeClass.IDENTICAL)


@pytest.mark.parametrize(("old", "new"), SAME)
def test_tests_and_ends_stand_inside_or_outside_of_a_loop(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_what_a_turn_changes_or_another_end_is_not_taken_for_it(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


def test_a_test_moves_out_of_a_loop_only_where_it_is_always_defined() -> None:
    """m * m is beyond an int also where the loop makes no turn, and then only outside of it."""
    inside, outside = (text.replace("m > 2", "m * m > 2") + END for text in (IN, OUT))
    assert kind(inside, outside) is ChangeClass.UNREADABLE


def test_a_function_that_is_read_where_it_is_called_keeps_its_end() -> None:
    """Its return is none of the caller's, which uses what its arrays hold then."""
    call = "float own[2]; own[0] = r[0]; own[1] = r[1]; count = sum_7(x, n, own); s[0] = own[0]; s[1] = own[1]; return count;"
    tops = (LOOP.format(7), LOOP.format(8))
    assert kind(call, call.replace("sum_7", "sum_8"), tops) is ChangeClass.UNREADABLE


def test_a_name_of_the_file_is_none_of_a_loop() -> None:
    at_end = "for (;;) { int limit = count + 5; total += r[count]; if (total > x[0]) { break; } count = limit; } return limit;"
    inside = at_end.replace("break;", "return limit;").removesuffix(" return limit;")
    top = "static const int limit = 3;\n\n"
    assert kind(at_end, inside, (top, top)) is ChangeClass.UNREADABLE
