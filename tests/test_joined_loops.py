# ruff: noqa: E501
"""Loops that are parts of one: unrolled, split at a turn, with a turn apart, fused, or in another order.

What does the same for any number of turns is cosmetic. Its neighbours, which lack a turn or make one twice,
which differ where arrays overlap, where there is no turn, or in what is used behind the loops, are not.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """typedef struct {{
    float x;
    float y;
}} pair;

unsigned int fc_f_f32(int n, int m, const float N[], const float r[], const pair u[], pair v[], float s[], int *used)
{{
    float total = 0.0F;
    float size = 0.0F;
    unsigned int status = 0u;
    int i;
    {body}
    v[0].x = total;
    v[0].y = size;
    return status;
}}
"""
LOCAL = "float z[16]; float w[16]; for (i = 0; i < 16; i++) { z[i] = 0.0F; w[i] = r[i]; } "
SUM = "for (i = 0; i < n; i++) { total = total * r[i] + 1.0F; }"
ONE = "total = total * r[i] + 1.0F; "
TWO = ONE.replace("[i]", "[i + 1]")
FOUR = ONE + TWO + TWO.replace("1]", "2]") + TWO.replace("1]", "3]")
IN_TWOS = f"for (i = 0; i + 1 < n; i += 2) {{ {ONE}{TWO}}} "
IN_FOURS = f"for (i = 0; i + 3 < n; i += 4) {{ {FOUR}}} "
REST = f"for (; i < n; i++) {{ {ONE}}}"
FLAGS = "for (i = 0; i < n; i++) { if (!(r[i] <= 3.0F)) { status |= 4u; } }"
SCALE = "for (i = 0; i < n; i++) { s[i] = s[i] * 2.0F; }"
COPY = "for (i = 0; i < n; i++) { s[i] = r[i]; }"
ROWS = "for (i = 0; i < n; i++) { int j; float row = 0.0F; for (j = 0; j < m; j++) { row += N[m * i + j]; } s[i] = row; }"
ROW = "{ int j; float row = 0.0F; for (j = 0; j < m; j++) { row += N[m * i + j]; } s[i] = row; } "
BOTH = "for (i = 0; i < n; i++) { total += r[i]; size += r[i] * N[i]; }"
APART = "for (i = 0; i < n; i++) { total += r[i]; } for (i = 0; i < n; i++) { size += r[i] * N[i]; }"
ARRAYS = LOCAL + "for (i = 0; i < n; i++) { z[i] = r[i]; total += N[i]; w[i] = z[i] * 2.0F; } size = w[m];"
SPLIT = (
    LOCAL
    + "for (i = 0; i < n; i++) { z[i] = r[i]; total += N[i]; } for (i = 0; i < n; i++) { w[i] = z[i] * 2.0F; } size = w[m];"
)
BEHIND = LOCAL + "for (i = 0; i < n; i++) { z[i + 1] = r[i]; total += z[i]; }"
DOWN = "if (n > 0) { for (i = n - 1; i >= 0; i--) { s[i] = s[i] * 2.0F; } }"
FIRST = f"if (n > 0) {{ {ONE.replace('[i]', '[0]')}}} "
OTHERS = f"for (i = 1; i < n; i++) {{ {ONE}}}"
SECOND = f"if (n > 1) {{ {ONE.replace('[i]', '[1]')}}} "
THIRD = SECOND.replace("n > 1", "n > 2").replace("[1]", "[2]")
FROM_2 = OTHERS.replace("i = 1", "i = 2")
FROM_3 = OTHERS.replace("i = 1", "i = 3")
SCALE_2 = "if (n > 0) { s[0] = s[0] * 2.0F; } if (n > 1) { s[1] = s[1] * 2.0F; } for (i = 2; i < n; i++) { s[i] = s[i] * 2.0F; }"
LAST = f"if (n > 0) {{ for (i = 0; i < n - 1; i++) {{ {ONE}}} {ONE.replace('[i]', '[n - 1]')}}}"
WHILE_POSITIVE = "for (i = 0; i < n && r[i] > 0.0F; i++) { total += r[i]; } *used = i;"
SCALED = "total = total + (float)scale * r[i]; "
"""Where a file declares the number `scale`, and a function another one."""

SAME = [
    (SUM, IN_TWOS + REST),
    (SUM, IN_TWOS + f"if (i < n) {{ {ONE}}}"),
    (SUM, IN_TWOS + f"while (i < n) {{ {ONE} i++; }}"),
    (SUM, IN_FOURS + REST),
    (SUM, IN_FOURS + IN_TWOS.replace("i = 0", "") + REST),
    (SUM, f"if (n > 0) {{ const int even = n - n % 2; {IN_TWOS.replace('i + 1 < n', 'i < even')} {REST} }}"),
    (SUM, f"for (i = 0; i < n && i < m; i++) {{ {ONE}}} {REST}"),
    (f"if (n > m && m > 0) {{ {SUM} }}", f"if (n > m && m > 0) {{ {SUM.replace('i < n', 'i < m')} {REST.replace('(;', '(i = m;')} }}"),
    (SUM, FIRST + OTHERS),
    (SUM, FIRST.replace("} ", OTHERS + " }")),
    (SUM, FIRST + SECOND + FROM_2),
    (SUM, FIRST + SECOND + THIRD + FROM_3),
    (SUM, FIRST + SECOND.replace("n > 1", "n >= 2") + f"i = 2; while (i < n) {{ {ONE} i++; }}"),
    (SCALE, SCALE_2),
    (SUM, f"i = 0; if (n > 0) {{ {ONE} i++; }} {REST}"),
    (SUM, LAST),
    (SUM, LAST.replace("[n - 1]", "[i]")),
    (SUM, f"for (i = 0; i + 1 < n; i++) {{ {ONE}}} if (i < n) {{ {ONE}}}"),
    (SUM, f"if (n > 0) {{ i = 0; do {{ {ONE} i++; }} while (i < n); }}"),
    (SUM, f"if (n > 0) {{ {SUM.replace('i < n', 'i != n')} }}"),
    (SUM, f"if (n > 0) {{ for (i = n; i != 0; i--) {{ {ONE.replace('[i]', '[n - i]')}}} }}"),
    (FLAGS, FLAGS.replace("i = 0; i < n", "i = 0; i < n && i < 5") + FLAGS.replace("i = 0", "")),
    (SCALE, DOWN),
    (SCALE, DOWN.replace("i = n - 1; i >= 0; i--", "i = n; i > 0; i--").replace("[i]", "[i - 1]")),
    (ROWS, f"for (i = 0; i + 1 < n; i += 2) {{ {ROW}{ROW.replace('m * i', 'm * (i + 1)').replace('s[i]', 's[i + 1]')}}} if (i < n) {{ {ROW}}}"),
    (BOTH, APART),
    (APART, BOTH),
    (BOTH, APART.replace("; i < n; i++) { size", "; i < n; ++i) { size")),
    (BOTH, APART.replace("(i = 0; i < n; i++) { size", "(int k = 0; k < n; k++) { size").replace("r[i] * N[i]", "r[k] * N[k]")),
    (ARRAYS, SPLIT),
    (SUM, f"i = 0; for (int k = 3; i + 1 < n; i++) {{ {ONE}}} {REST}"),
    (BEHIND, BEHIND.replace("total += z[i]; ", "") + "for (i = 0; i < n; i++) { total += z[i]; }"),
]  # fmt: skip
OTHER = [
    (SUM, IN_TWOS.replace("i + 1 < n", "i + 2 < n") + REST),  # the test at the end overflows at the largest n
    (f"if (n > m) {{ {SUM} }}", f"if (n > m) {{ {SUM.replace('i < n', 'i < m')} {REST.replace('(;', '(i = m;')} }}"),  # m may be negative
    (f"if (n > m && m > 0) {{ {SUM} }}", f"if (n > m && m > 0) {{ {SUM.replace('i < n', 'i < m')} {REST.replace('(;', '(i = m + 1;')} }}"),
    (SUM, IN_TWOS),
    (SUM, IN_TWOS.replace("i + 1 < n", "i + 1 <= n") + REST),
    (SUM, IN_TWOS.replace("i + 1 < n", "i < n") + REST),
    (SUM, IN_TWOS.replace("i += 2", "i += 3") + REST),
    (SUM, IN_TWOS.replace("i = 0", "i = 1") + REST),
    (SUM, IN_TWOS + REST.replace("(;", "(i = 0;")),
    (SUM, IN_TWOS + REST.replace("i < n", "i <= n")),
    (SUM, IN_TWOS.replace("{ total", "{ size = r[i]; total") + REST),
    (SUM, IN_TWOS + f"if (i <= n) {{ {ONE}}}"),
    (SUM, IN_FOURS + f"if (i < n) {{ {ONE}}}"),
    (SUM, IN_FOURS + IN_TWOS + REST),
    (SUM, f"for (i = 0; i + 1 < n; i += 2) {{ {TWO}{ONE}}} {REST}"),
    (SUM, "float t = 0.0F; " + f"for (i = 0; i + 1 < n; i += 2) {{ {ONE}{TWO.replace('total', 't')}}} {REST} total += t;"),
    (SUM, f"const int even = n - n % 2; {IN_TWOS.replace('i + 1 < n', 'i < even + 2')} {REST}"),
    (SUM, f"const int even = n - n % 4; {IN_TWOS.replace('i + 1 < n', 'i < even - 1')} {REST.replace('i < n', 'i < even')}"),
    (SUM, f"for (i = 0; i < n || i < m; i++) {{ {ONE}}} {REST}"),
    (SUM, OTHERS),
    (SUM, FIRST.replace("n > 0", "n >= 0") + OTHERS),
    (SUM, FIRST.replace("n > 0", "n > 1") + OTHERS),
    (SUM, FIRST.replace("if (n > 0) ", "") + OTHERS),
    (SUM, FIRST.replace("[0]", "[1]") + OTHERS),
    (SUM, FIRST + OTHERS.replace("i = 1", "i = 2")),
    (SUM, FIRST + FROM_2),
    (SUM, SECOND + FROM_2),
    (SUM, FIRST + SECOND + OTHERS),
    (SUM, FIRST + SECOND + FROM_3),
    (SUM, SECOND + FIRST + FROM_2),
    (SUM, FIRST + SECOND.replace("n > 1", "n > 0") + FROM_2),
    (SUM, FIRST + SECOND.replace("n > 1", "n > 2") + FROM_2),
    (SUM, FIRST + SECOND.replace("n > 1", "m > 1") + FROM_2),
    (SUM, FIRST + SECOND.replace("n > 1", "n > 1 && total > 1.0F") + FROM_2),
    (SUM, FIRST + SECOND.replace("n > 1", "n == 2") + FROM_2),
    (SUM, FIRST.replace("n > 0", "n != 0") + SECOND + FROM_2),
    (SUM, FIRST + SECOND.replace("[1]", "[0]") + FROM_2),
    (SUM, FIRST + SECOND + FROM_2.replace("i < n", "i < n - 1")),
    (SUM, FIRST + SECOND + FROM_2.replace("i++", "i += 2")),
    (SUM, FIRST + SECOND.replace("total =", "size =") + FROM_2),
    (SUM, FIRST + "else { total = 1.0F; } " + SECOND + FROM_2),
    (SUM, FIRST + SECOND + "else { total = 1.0F; } " + FROM_2),
    (SUM, FIRST + "n--; " + SECOND + FROM_2),
    (SUM, FIRST.replace("{ ", "{ n--; ") + SECOND + FROM_2),
    (SUM, FIRST + "size = total; " + SECOND + FROM_2),
    (SUM, FIRST + SECOND.replace("{ ", "{ size = total; ") + FROM_2),
    (SUM + " *used = i;", FIRST + SECOND + FROM_2 + " *used = i;"),  # 2 where there are fewer turns
    (SCALE, SCALE_2.replace("s[1] =", "s[0] =")),
    (SCALE, SCALE_2.replace("s[1] * 2", "s[0] * 2")),
    (SUM + " size = (float)i;", FIRST + OTHERS + " size = (float)i;"),  # 1 where there is no turn
    (SUM + " size = (float)i;", IN_TWOS + f"if (i < n) {{ {ONE}}} size = (float)i;"),
    (SUM, LAST.replace("if (n > 0) ", "")),
    (SUM, LAST.replace("n > 0", "n > -1")),
    (SUM, LAST.replace("[n - 1]", "[n]")),
    (SUM, LAST.replace("i < n - 1", "i < n - 2")),
    (SUM, LAST.replace("i < n - 1", "i < n")),
    (SUM, f"for (i = 0; i < n - 1; i++) {{ {ONE}}} if (n > 0) {{ {ONE.replace('[i]', '[n - 1]')}}}"),  # n - 1 may be beyond int
    (SUM, f"for (i = m; i + 1 < n; i += 2) {{ {ONE}{TWO}}} {REST}"),
    ("for (i = m; i < n; i++) { total += r[i]; }", "for (i = m; i + 1 < n; i += 2) { total += r[i]; total += r[i + 1]; } if (i < n) { total += r[i]; }"),  # i + 1 may be beyond int
    (SUM, f"i = 0; do {{ {ONE} i++; }} while (i < n);"),
    (FLAGS, FLAGS.replace("i = 0; i < n", "i = 0; i < n && i < 5") + FLAGS.replace("i = 0", "").replace("|=", "=")),
    (SUM, SUM.replace("i < n", "i != n")),
    (SUM, f"if (n > 0) {{ {SUM.replace('i < n', 'i != m')} }}"),
    (SUM, f"if (n >= 0) {{ {SUM.replace('i < n; i++', 'i != n; i += 2')} }}"),
    (SUM, f"if (n >= 0) {{ {SUM.replace('i < n', 'i != n + 1')} }}"),
    (FLAGS, FLAGS.replace("status |= 4u;", "status |= 4u; break;") + FLAGS.replace("i = 0", "")),
    (COPY, COPY.replace("i = 0; i < n; i++", "i = n; i > 0; i--").replace("[i]", "[i - 1]")),  # they may overlap
    (SCALE, DOWN.replace("i >= 0", "i > 0")),
    (SCALE, DOWN.replace("n - 1", "n")),
    (SCALE, DOWN.replace("if (n > 0) ", "")),
    ("for (i = 0; i < n; i++) { s[i + 1] = s[i]; }", "if (n > 0) { for (i = n - 1; i >= 0; i--) { s[i + 1] = s[i]; } }"),
    ("for (i = 0; i < n; i++) { s[2 * i] = 1.0F; s[i] = 2.0F; }", "if (n > 0) { for (i = n - 1; i >= 0; i--) { s[2 * i] = 1.0F; s[i] = 2.0F; } }"),
    ("for (i = 0; i < n; i++) { s[0] = r[0]; s[m] = r[i]; }", "if (n > 0) { for (i = n - 1; i >= 0; i--) { s[0] = r[0]; s[m] = r[i]; } }"),
    ("float z[2]; for (i = 0; i < n; i++) { z[i - i] = r[i]; } total = z[0];", "float z[2]; if (n > 0) { for (i = n - 1; i >= 0; i--) { z[i - i] = r[i]; } } total = z[0];"),
    (BOTH, APART.replace("i < n; i++) { size", "i < m; i++) { size")),
    (BOTH, APART.replace("i = 0; i < n; i++) { size", "i = 1; i < n; i++) { size")),
    (BOTH, APART.replace("size += r", "size += total * r")),
    ("for (i = 0; i < n; i++) { total += r[i]; size += r[i] * total; }", "for (i = 0; i < n; i++) { total += r[i]; } for (i = 0; i < n; i++) { size += r[i] * total; }"),
    ("for (i = 0; i < n; i++) { s[i] = r[i]; total += N[i]; }", "for (i = 0; i < n; i++) { s[i] = r[i]; } for (i = 0; i < n; i++) { total += N[i]; }"),  # N may be s + 1
    ("for (i = 0; i < n; i++) { v[i].x = 1.0F; total += u[i].x; }", "for (i = 0; i < n; i++) { v[i].x = 1.0F; } for (i = 0; i < n; i++) { total += u[i].x; }"),
    (LOCAL + "for (i = 0; i < n; i++) { z[i] = r[i]; total += z[i + 1]; }", LOCAL + "for (i = 0; i < n; i++) { z[i] = r[i]; } for (i = 0; i < n; i++) { total += z[i + 1]; }"),
    ("for (i = *used; i < *used + 4; i++) { *used = 2; total += r[i]; }", "for (i = *used; i < *used + 4; i++) { *used = 2; } for (i = *used; i < *used + 4; i++) { total += r[i]; }"),
    # tests that end a loop before the number of its turns is reached
    (WHILE_POSITIVE, WHILE_POSITIVE.replace("= i;", "= n >= 0 ? n : 0;")),
    (WHILE_POSITIVE.replace("r[i] > 0.0F;", "i < m;"), WHILE_POSITIVE.replace("r[i] > 0.0F;", "i < m;").replace("= i;", "= n >= 0 ? n : 0;")),
    ("for (i = 0; i < n; i++) { if (r[i] > 0.0F) { break; } total += r[i]; } *used = i;", "for (i = 0; i < n; i++) { if (r[i] > 0.0F) { break; } total += r[i]; } *used = n >= 0 ? n : 0;"),
    # what was stored before the loops, which v[i] or used[i] may be
    ("s[0] = 5.0F; for (i = 0; i < n; i++) { total += s[0]; } for (i = 0; i < n; i++) { v[i].x = 1.0F; }", "s[0] = 5.0F; for (i = 0; i < n; i++) { total += s[0]; v[i].x = 1.0F; }"),
    ("used[0] = m; for (i = 0; i < used[0]; i++) { total += r[i]; } for (i = 0; i < m; i++) { used[i] = 2; }", "used[0] = m; for (i = 0; i < used[0]; i++) { total += r[i]; used[i] = 2; }"),
    # a counter that only the first loop begins with its first number
    ("int k = 0; for (i = 0; i < n; i++, k++) { total += r[k]; } for (i = 0; i < n; i++, k++) { size += N[k]; }", "int k = 0; for (i = 0; i < n; i++, k++) { total += r[k]; size += N[k]; }"),
    # the difference of what a counter is after two loops
    (f"int j; for (j = 0; j < 2; j++) {{ {SUM} n = m; }} *used = 0;", f"int j; int at = 0; int k = 0; for (j = 0; j < 2; j++) {{ {FIRST}{OTHERS} k = i - at; at = i; n = m; }} *used = k;"),
    ("int last = 0; for (i = 0; i < n; i++) { last = i; if (r[i] > 0.0F) { last = 9; } } s[1] = (float)last;", "int last = 0; for (i = 0; i < n; i++) { last = i; } for (i = 0; i < n; i++) { if (r[i] > 0.0F) { last = 9; } } s[1] = (float)last;"),
    # heads of two loops that say the same begin elsewhere, as the first loop changes what they begin from
    *(
        (f"{before} for ({head}) {{ total += r[k]; }} for ({head}) {{ size += N[k]; }}",
         f"{before} for ({head}) {{ total += r[k]; size += N[k]; }}")
        for before, head in [
            ("int k = 0;", "i = 0, k++; i < n; i++"),
            ("int k; i = 0;", "k = i, i = 0; i < n; i++, k++"),
            ("int k = 0;", "i = 0, k = k + 1; i < n; i++, k++"),
            ("int k = 0;", "i = 0, k += 2; i < n; i++, k--"),
        ]
    ),
    (
        "int j = 0; int k; for (i = 0, k = j; i < n; i++, k++) { for (j = 0; j < 2; j++) { total += r[j]; } } "
        "for (i = 0, k = j; i < n; i++, k++) { for (j = 0; j < 2; j++) { size += N[k]; } }",
        "int j = 0; int k; for (i = 0, k = j; i < n; i++, k++) { for (j = 0; j < 2; j++) { total += r[j]; } "
        "for (j = 0; j < 2; j++) { size += N[k]; } }",
    ),
    (
        "const float *p = r; const float *q = r; p = p + 2; for (i = 0, q = p, p = r; i < n; i++, p++, q++) "
        "{ total += *q * *p; } for (i = 0, q = p, p = r; i < n; i++, p++, q++) { size += *q; }",
        "const float *p = r; const float *q = r; p = p + 2; for (i = 0, q = p, p = r; i < n; i++, p++, q++) "
        "{ total += *q * *p; size += *q; }",
    ),
]  # fmt: skip


TWICE, THRICE = (f"for (i = 0; i < n; i++) {{ {SCALED.replace('scale', factor)}}}" for factor in "23")
SIZED = "for (i = 0; i < n; i++) { size += (float)scale; }"
HIDING = [
    (TWICE, f"i = 0; {SCALED}i++; int scale = 3; for (; i < n; i++) {{ {SCALED}}}"),
    (TWICE, f"int scale = 2; {SCALED.replace('[i]', '[0]')}scale = 3; for (i = 1; i < n; i++) {{ {SCALED}}}"),
    (TWICE, f"i = 0; {SCALED}i++; enum {{ scale = 3 }}; for (; i < n; i++) {{ {SCALED}}}"),
    (THRICE, f"for (i = 0; i < n - 1; i++) {{ {SCALED}}} enum {{ scale = 3 }}; for (; i < n; i++) {{ {SCALED}}}"),
    (THRICE, f"i = 0; for (int scale = 3; i + 1 < n; i++) {{ {SCALED}}} for (; i < n; i++) {{ {SCALED}}}"),
    (THRICE, f"i = 0; for (int scale = 3; i < n - 1; i++) {{ {SCALED}}} {SCALED}"),
    (THRICE.replace("; }", "; size += (float)3; }"), f"for (i = 0; i < n; i++) {{ {SCALED}}} enum {{ scale = 3 }}; {SIZED}"),
    ("for (i = 0; i < n; i++) { total += r[i]; size += (float)i; }", f"for (int scale = 0; scale < n; scale++) {{ total += r[scale]; }} {SIZED}"),
]  # fmt: skip


def kind(old: str, new: str, form: str = FORM) -> ChangeClass:
    before, after = ({"a.c": form.format(body=body)} for body in (old, new))
    return max((c.kind for c in compare_trees(before, after)), key=[*ChangeClass].index)


@pytest.mark.parametrize(("old", "new"), SAME)
def test_parts_of_one_loop(old: str, new: str) -> None:
    assert kind(old, new) is ChangeClass.COSMETIC
    assert kind(new, old) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_loops_with_other_turns(old: str, new: str) -> None:
    assert kind(old, new) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


def test_arrays_of_which_each_turn_chooses_one() -> None:
    """The first members of one array may be the second ones of another one."""
    form = FORM.replace("pair v[],", "pair v[], pair w[],")
    chosen = "pair *p = i > m ? v : w; "
    apart = f"for (i = 0; i < n; i++) {{ {chosen}p->x = 1.0F; }} for (i = 0; i < n; i++) {{ {chosen}total += p->y; }}"
    one = f"for (i = 0; i < n; i++) {{ {chosen}p->x = 1.0F; total += p->y; }}"
    assert kind(apart, one, form) is kind(one, apart, form) is ChangeClass.UNREADABLE
    same = [body.replace(chosen, "pair *p = v; ") for body in (apart, one)]
    assert kind(same[0], same[1], form) is ChangeClass.COSMETIC


@pytest.mark.parametrize("number", ["static const int scale = 2;", "enum {{ scale = 2 }};"])
@pytest.mark.parametrize(("one", "hiding"), HIDING)
def test_declarations_that_hide_a_number_of_the_file(one: str, hiding: str, number: str) -> None:
    """What is before a declaration has the number of the file, and what is behind it another one."""
    form, bodies = f"{number}\n\n{FORM}", [f"if (n > 0) {{ {body} }}" for body in (one, hiding)]
    for old, new in (bodies, bodies[::-1]):
        assert kind(old, new, form) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


def test_loops_of_fixed_sizes_rely_on_what_headers_say_of_overlaps() -> None:
    """Outputs are inputs or overlap none, so that storing an element changes no later one of another array."""
    form = "void fc_f_f32(const float w[6], float y[6])\n{{\n    float z[6];\n    int i;\n    {}\n}}\n"
    apart = "for (i = 0; i < 6; i++) { z[i] = 2.0F * w[i]; } for (i = 0; i < 6; i++) { y[i] = z[i]; }"
    one = "for (i = 0; i < 6; i++) { z[i] = 2.0F * w[i]; y[i] = z[i]; }"
    later = one.replace("w[i]", "w[5 - i]")  # which is another one where w is y
    trees = [{"a.c": form.format(body)} for body in (apart, one, apart.replace("w[i]", "w[5 - i]"), later)]
    (same,), (other,) = compare_trees(trees[0], trees[1]), compare_trees(trees[2], trees[3])
    assert same.kind is ChangeClass.COSMETIC
    assert other.kind is ChangeClass.CHANGED
