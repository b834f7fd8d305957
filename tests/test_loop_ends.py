# ruff: noqa: E501
"""Loops that end in another way, with counters of other types, and calls that copy or compare.

A flag for a break, `!=` for `<`, a counter that is narrower than int, memmove: what does the same for all
inputs and any number of turns is cosmetic. Neighbours that differ at the limit of a type, for NaN, where arrays
overlap, behind the loop, or where there is no turn, are not.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees
from tests.test_joined_loops import FORM as ROUTINE
from tests.test_joined_loops import kind

FORM = f"#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n{ROUTINE}"
BREAK = "for (i = 0; i < n; i++) { if (r[i] > total) { break; } total += r[i]; }"
FLAG = "int done = 0; for (i = 0; i < n && !done; i++) { if (r[i] > total) { done = 1; } else { total += r[i]; } }"
FOREVER = "for (;;) { total += r[0]; if (total <= 3.0F || i >= m) { break; } i++; size *= 2.0F; }"
UNTIL = "int done = 0; while (!done) { total += r[0]; if (total <= 3.0F || i >= m) { done = 1; } else { i++; size *= 2.0F; } }"
TO_60 = "for (i = 0; i < 60; i++) { if (r[i] > total) { break; } total += r[i]; }"
FILL = "float z[16]; for (i = 0; i < 16; i++) { z[i] = r[i]; } "
FROM_Z = f"{FILL} for (i = 0; i < n; i++) {{ s[i] = z[i]; }} total = z[m];"
COPY = "if (n > 0) { memmove(s, z, (size_t)n * sizeof(s[0])); }"
TRIANGLE = "for (i = 0; i < n; i++) { int j; for (j = 0; j < n - i; j++) { s[j] = 0.0F; } total += s[i]; }"
CLEARED = "for (i = 0; i < n; i++) { memset(&s[0], 0, (size_t)(n - i) * sizeof s[0]); total += s[i]; }"

CLEAR_TWICE = "if (m > 0) { for (i = 0; i < n; i++) { memset(s, 0, (size_t)m * sizeof(s[0])); } }"

WITHIN = "for (i = 0; i < n && r[i] > 0.0F; i++) { total += r[i]; }"
BEHIND = "for (i = 0; r[i] > 0.0F && i < n; i++) { total += r[i]; }"  # also reads r[n]
IN_BRANCHES = f"if (m > 0) {{ {WITHIN} size = 1.0F; }} else {{ {BEHIND} }}"


def counted(declared: str, head: str, index: str = "k") -> str:
    """A sum over elements of an array, with a counter of another type."""
    return f"{declared}; for ({head}) {{ total += r[{index}]; }}"


def turns(last: int) -> str:
    """The same sum with an int."""
    return f"for (i = 0; i < {last}; i++) {{ total += r[i]; }}"


SAME = [
    (BREAK, FLAG),
    (BREAK, FLAG.replace("int done", "_Bool done")),
    (BREAK, FLAG.replace("int done", "unsigned char done")),
    (BREAK, FLAG.replace("!done", "done == 0").replace("done = 1", "done = 7")),
    (BREAK, FLAG.replace("!done", "go").replace("done = 0", "go = 1").replace("done = 1", "go = 0")),
    (BREAK, "_Bool is_less = 1; for (i = 0; i < n && is_less; i++) { is_less = !(r[i] > total); if (is_less) { total += r[i]; } }"),
    (f"i = 0; {FOREVER}", f"i = 0; {UNTIL}"),
    (f"i = 0; {FOREVER} *used = i;", f"i = 0; {UNTIL} *used = i;"),
    (TO_60, TO_60.replace("i < 60", "i != 60")),
    ("if (n > 0) { " + BREAK.replace("i < n; i++", "i < 2 * n; i += 2") + " }", "if (n > 0) { " + BREAK.replace("i < n; i++", "i != 2 * n; i += 2") + " }"),
    *((turns(most), counted(f"{of} k", f"k = 0; k < {most}; k++")) for of, most in [("short", 32767), ("unsigned char", 255), ("signed char", 127), ("unsigned short", 65535), ("uint8_t", 255), ("int16_t", 32767)]),
    (turns(128), counted("signed char k", "k = -128; k < 0; k++", "k + 128")),
    ("for (i = 9; i >= 0; i--) { total += r[i]; }", counted("signed char k", "k = 9; k >= 0; k--")),
    ("if (n >= 0 && n < 100) { " + turns(0).replace("i < 0", "i < n") + " }", "if (n >= 0 && n < 100) { " + counted("short k", "k = 0; k < n; k++") + " }"),
    (FROM_Z, FROM_Z.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", COPY)),
    (FROM_Z, FROM_Z.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", COPY.replace("memmove(s, z", "memcpy(&s[0], z + 0"))),
    ("if (m > 0) { " + FROM_Z + " }", "if (m > 0) { " + FROM_Z.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", COPY) + " }"),
    ("if (n > m) { for (i = 0; i < n - m; i++) { s[m + i] = 0.0F; } }", "if (n > m) { memset(&s[m], 0, (size_t)(n - m) * sizeof(float)); }"),
    (TRIANGLE, CLEARED),
    ("if (r[0] > total) { status |= 1u; } if (r[1] != r[1]) { status |= 2u; }", "if (isgreater(r[0], total)) { status |= 1u; } if (isnan(r[1])) { status |= 2u; }"),
    ("if (!(r[0] <= total)) { status |= 1u; }", "if (!islessequal(r[0], total)) { status |= 1u; }"),
    (f"if (m > 0) {{ {WITHIN} size = 1.0F; }} else {{ {WITHIN} }}", f"{WITHIN} if (m > 0) {{ size = 1.0F; }}"),
    ("for (i = 0; i < n && m > 0; i++) { int j; for (j = 0; j < m; j++) { total += N[n * i + j]; } }", "for (i = 0; i < n && m > 0; i++) { const int row = n * i; int j; for (j = 0; j < m; j++) { total += N[row + j]; } }"),
]  # fmt: skip
OTHER = [
    (BREAK, FLAG.replace("done = 1", "done = 0")),
    (BREAK, FLAG.replace("} else {", "}").replace("total += r[i]; } }", "total += r[i]; }")),
    (BREAK, FLAG.replace("r[i] > total", "!(r[i] <= total)")),  # NaN
    (BREAK, FLAG.replace("int done = 0", "int done = m")),
    (BREAK, FLAG.replace("int done", "unsigned char done").replace("done = 1", "done = 256")),  # which is 0
    (BREAK, FLAG.replace("!done", "done < 1").replace("done = 1", "done = -1")),
    (BREAK, FLAG.replace("&& !done", "|| !done")),
    (f"{BREAK} *used = i;", f"{FLAG} *used = i;"),  # one further
    (BREAK, f"{FLAG} *used = done;"),
    (FLAG + " *used = done;", FLAG.replace("done = 1", "done = 2") + " *used = done;"),
    ("*used = 0; " + FLAG.replace("int done = 0; ", "").replace("done", "(*used)"), "*used = 0; " + BREAK),  # a flag in memory
    ("*used = 0; for (i = 0; i < n && !*used; i++) { used[m] = 1; total += r[i]; }", "*used = 0; for (i = 0; i < n; i++) { used[m] = 1; total += r[i]; }"),
    (f"i = 0; {FOREVER}", "i = 0; " + UNTIL.replace("{ done = 1; } else", "{ done = 1; size = 0.0F; } else")),
    (f"i = 0; {FOREVER}", "i = 0; " + UNTIL.replace("while (!done)", "while (!done && size < 9.0F)")),
    (f"i = 0; {FOREVER}", "i = 0; " + UNTIL.replace("int done = 0", "int done = m > 3")),
    (TO_60, TO_60.replace("i < 60; i++", "i != 60; i += 7")),
    (TO_60, TO_60.replace("i < 60", "i != -1")),
    (BREAK, BREAK.replace("i < n", "i != n")),  # n may be negative
    (f"if (n >= 0) {{ {BREAK} }}", f"if (n >= 0) {{ {BREAK.replace('i = 0; i < n', 'i = 1; i != n').replace('[i]', '[i - 1]')} }}"),
    ("*used = n; if (n > 0) { for (i = 0; i < *used; i++) { used[m] = 0; total += r[i]; } }", "*used = n; if (n > 0) { for (i = 0; i != *used; i++) { used[m] = 0; total += r[i]; } }"),
    ("if (n > 0) { i = 0; do { total += r[i]; i++; } while (i < n - 1); }", "if (n > 0) { i = 0; do { total += r[i]; i++; } while (i != n - 1); }"),  # where n is 1
    (TO_60, "int k; for (k = 60; k-- > 0;) { if (r[59 - k] > total) { break; } total += r[59 - k]; } *used = k;"),
    *((turns(most + 1), counted(f"{of} k", f"k = 0; k < {most + 1}; k++")) for of, most in [("short", 32767), ("unsigned char", 255), ("signed char", 127), ("unsigned short", 65535), ("uint8_t", 255), ("int16_t", 32767)]),
    (turns(0).replace("i < 0", "i < n"), counted("short k", "k = 0; k < n; k++")),
    (turns(10), counted("char k", "k = -1; k < 9; k++", "k + 1")),  # a char may have no sign
    ("for (i = 9; i >= 0; i--) { total += r[i]; }", counted("unsigned char k", "k = 9; k >= 0; k--")),
    ("int k = 250; for (i = 0; i < 10; i++) { total += r[k]; k++; }", "unsigned char k = 250; for (i = 0; i < 10; i++) { total += r[k]; k++; }"),
    ("int k = m; total = r[k];", "short k = (short)m; total = r[k];"),
    ("int k = 255; k++; *used = k;", "unsigned char k = 255; k++; *used = k;"),
    ("int k = 0; for (i = 0; i < n; i++) { k += 100; } *used = k;", "unsigned char k = 0; for (i = 0; i < n; i++) { k += 100; } *used = k;"),
    ("*used = 200;", "*used = (signed char)200;"),
    (FROM_Z, FROM_Z.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", COPY.replace("(s, z", "(s, z + 1"))),
    (FROM_Z, FROM_Z.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", COPY.replace("if (n > 0)", ""))),
    (FROM_Z, FROM_Z.replace("for (i = 0; i < n; i++) { s[i] = z[i]; }", COPY.replace("(size_t)n", "(size_t)(n - 1)"))),
    ("if (n > 0) { for (i = 0; i < n; i++) { s[i] = r[i]; } }", "if (n > 0) { memmove(s, r, (size_t)n * sizeof(s[0])); }"),  # they may overlap
    (TRIANGLE, CLEARED.replace("n - i", "n")),
    (CLEAR_TWICE, ""),  # the turns of a loop write, too, where they only call memset
    (CLEAR_TWICE + " total = s[0];", "total = s[0]; " + CLEAR_TWICE),
    (TRIANGLE, CLEARED.replace("&s[0]", "&s[i]")),
    (TRIANGLE, CLEARED.replace("sizeof s[0]", "sizeof(double)")),
    (TRIANGLE, CLEARED.replace("sizeof s[0]", "sizeof s")),
    ("if (n > 0) { for (i = 0; i < *used; i++) { used[i] = 0; } }", "if (n > 0 && *used > 0) { memset(used, 0, (size_t)*used * sizeof(int)); }"),
    ("if (r[0] > total) { status |= 1u; }", "if (isgreaterequal(r[0], total)) { status |= 1u; }"),
    ("if (r[0] > total) { status |= 1u; }", "if (!islessequal(r[0], total)) { status |= 1u; }"),  # NaN
    ("if (r[0] != r[0]) { status |= 1u; }", "if (isnan(r[1])) { status |= 1u; }"),
    ("if (r[0] != r[0]) { status |= 1u; }", "if (!isfinite(r[0])) { status |= 1u; }"),
    ("int j; for (j = 0; j < m; j++) { total += N[j]; }", "const int row = n * n; int j; for (j = 0; j < m; j++) { total += N[row - row + j]; }"),  # beyond int, where there is no turn
    # what a test of the loop looks at first, also where there is no turn
    ("for (i = 0; i < n && N[m] > 0.0F; i++) { total += r[i]; }", "for (i = 0; N[m] > 0.0F && i < n; i++) { total += r[i]; }"),
    ("for (i = 0; i < n && m + 1 > *used; i++) { total += r[i]; }", "for (i = 0; m + 1 > *used && i < n; i++) { total += r[i]; }"),
    ("i = 0; while (i < n && i < m + m) { total += r[i]; i++; }", "i = 0; while (i < m + m && i < n) { total += r[i]; i++; }"),
    # what one of two branches reads, which end in the same loop
    (IN_BRANCHES, IN_BRANCHES.replace(WITHIN, BEHIND, 1)),
    (IN_BRANCHES.replace("} else { ", "return status; } else { "), IN_BRANCHES.replace("} else { ", "return status; } else { ").replace(WITHIN, BEHIND, 1)),
    (IN_BRANCHES.replace("size = 1.0F;", ""), BEHIND),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), SAME)
def test_other_ends_of_one_loop(old: str, new: str) -> None:
    assert kind(old, new, FORM) is ChangeClass.COSMETIC
    assert kind(new, old, FORM) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_loops_that_end_elsewhere(old: str, new: str) -> None:
    found = {kind(old, new, FORM), kind(new, old, FORM)}
    assert found & {ChangeClass.UNREADABLE, ChangeClass.CHANGED, ChangeClass.INTERFACE}
    assert kind(old, new, FORM) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


@pytest.mark.parametrize(
    ("default", "is_same"),
    [("(8)", True), ("0x8", True), ("((010))", True), ("9", False), ("8u", False), ("(4) + (4)", False)],
)
def test_other_ways_of_writing_a_default(default: str, is_same: bool) -> None:
    form = f"#ifndef FC_N\n#define FC_N DEFAULT\n#endif\n\n{ROUTINE}"
    body = "for (i = 0; i < n && i < FC_N; i++) { total += r[i]; }"
    old, new = (form.format(body=body).replace("DEFAULT", d) for d in ("8", default))
    (found,) = (c for c in compare_trees({"a.c": old}, {"a.c": new}) if c.symbol == "fc_f_f32")
    assert (found.kind is ChangeClass.COSMETIC) is is_same


@pytest.mark.parametrize(
    ("default", "is_same"),
    [("8", True), ("(2 + 3)", True), ("8u", False), ("8L", False), ("sizeof(int)", False), ("2 + 3", False)]
    + [(other, False) for other in ("0.5F", "(0.5)", "n", "r[0]", "-1", "(2) - (3)")],
)
def test_a_macro_that_a_build_may_define_is_read_as_an_int_only_where_its_default_is_one(
    default: str, is_same: bool
) -> None:
    form = f"#ifndef FC_N\n#define FC_N {default}\n#endif\n\n{ROUTINE}"
    old = "for (i = 0; i < n; i++) { if (i - FC_N < 0 && n < FC_N + 1) { total += r[i]; } }"
    new = "for (i = 0; i < n; i++) { if (i < FC_N && n <= FC_N) { total += r[i]; } }"
    assert (kind(old, new, form) is ChangeClass.COSMETIC) is is_same


ENDLESS = [
    "while (r[0] > 2.0F) { }",
    "float q = r[0]; while (q > 1.0F) { q *= 0.5F; }",  # for an infinity
    "int k = n; while (k != m) { k++; }",
    "int k = n; while (k > 0) { k -= m; }",
    "unsigned k; for (k = (unsigned)n; k + 1u > 0u; k++) { }",
    "float q; for (q = 0.0F; q < 1e9F; q += 1.0F) { }",
    "for (;;) { if (r[0] > 2.0F) { break; } }",
    "do { } while (r[0] > 2.0F);",
]
ENDING = [
    "int k; for (k = 0; k < n; k++) { }",
    "int k; for (k = n; k > 0; k--) { }",
    "int k = n; while (k >= m) { k -= 2; }",
    "float q = r[0]; int k; for (k = 0; k < n && q > 1.0F; k++) { q *= 0.5F; }",
    "float q = r[0]; int k; for (k = 0; k < 60; k++) { if (q < 1.0F) { break; } q *= 0.5F; }",
]
AROUND = [
    "{}",
    "for (i = 0; i < n; i++) {{ {} s[i] = r[i]; }}",
    "if (n > 2) {{ {} total = r[1]; }}",
    "for (i = 0; i < n; i++) {{ int j; for (j = 0; j < m; j++) {{ {} s[j] = r[i]; }} }}",
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("loop", ENDLESS)
def test_a_loop_that_may_never_end_is_not_removed_without_notice(loop: str, around: str) -> None:
    old, new = around.format(f"{{ {loop} }}"), around.format("")
    assert kind(old, new, FORM) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
    assert kind(new, old, FORM) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("loop", ENDING)
def test_a_loop_that_ends_and_computes_nothing_may_be_removed(loop: str, around: str) -> None:
    assert kind(around.format(f"{{ {loop} }}"), around.format(""), FORM) is ChangeClass.COSMETIC


def test_a_loop_that_may_never_end_is_not_made_under_another_condition() -> None:
    loop = "{ float q = r[0]; while (q > 1.0F) { q *= 0.5F; } total = q; }"
    old, new = (f"{loop} if (n <= 0) {{ total = 0.0F; }}", f"if (n > 0) {loop}")
    assert kind(old, new, FORM) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)
