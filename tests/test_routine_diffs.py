# ruff: noqa: E501
"""Edits of routines with loops over arguments: what does the same is cosmetic, everything else is not read."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from codegen.review.diff.changes import Change, ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.verify.native import PLAIN, compilers
from tests.conftest import sampled_rows

ROUTINE = """\
#include <math.h>

typedef struct {
    float x;
    float y;
} pair;

static void turned(const pair *u, float c, pair *v)
{
    const float x = u->x;
    v->x = c + x - u->y;
    v->y = u->y - x * 0.5F;
}

static unsigned int checked(float x, float *y)
{
    *y = x < 2.0F ? x : 2.0F;
    return x <= 1.0F ? 0u : 4u;
}

int f(int n, int m, const int at[], const pair u[], pair v[], float *sum)
{
    unsigned int status = 0u;
    float total = 0.0F;
    int i;
    for (i = 0; i < n; i++) {
        const int k = at[i];
        float square;
        int j;
        if (k < 0 || k >= m) {
            continue;
        }
        turned(&u[k], total, &v[i]);
        status |= checked(v[i].x, &square);
        total += square;
        for (j = i; j < n; j++) {
            if (v[j].y > 2.0F && k > 0) {
                total = total * 0.5F;
                break;
            }
        }
    }
    for (;;) {
        if (!(total > 1.0F)) {
            break;
        }
        total *= 0.25F;
        if (m > 6) {
            *sum = -total;
            return 9;
        }
    }
    *sum = total;
    return (int)status;
}
"""

WHOLE = "    for (;;) {\n        if (!(total > 1.0F)) {\n            break;\n        }\n"
START = ROUTINE[ROUTINE.index("int f(int n") : ROUTINE.index("float total = 0.0F;")] + "float total = "
UP_TO_LOOP = ROUTINE[: ROUTINE.index("    for (i = 0")]
HARMLESS = [
    (UP_TO_LOOP, "#include <stdint.h>\n" + UP_TO_LOOP.replace("    int i;", "    int32_t i;")),
    (f"{START}0.0F;", f"static const float zero = 0.0F;\n\n{START}zero;"),
    (f"{START}0.0F;", f"#define ZERO 0.0F\n#define NOTHING (ZERO)\n\n{START}NOTHING;"),
    ("    unsigned int status = 0u;\n    float total = 0.0F;\n", "    float total = 0.0F;\n    unsigned int status = 0u;\n"),
    ("total", "sum_of_all"),
    ("i < n", "n > i"),
    ("i < n", "!(i >= n)"),
    ("i < n", "(i < n) ? 1 : 0"),
    ("i++", "i += 1"),
    ("i++", "++i"),
    ("for (i = 0; i < n; i++) {", "i = 0;\n    for (; i < n; i++) {"),
    ("k < 0 || k >= m", "k >= m || !(k >= 0)"),
    ("k < 0 || k >= m", "!(k > -1 && k < m)"),
    ("k < 0 || k >= m", "((k < 0) | (k >= m)) != 0"),
    ("if (k < 0 || k >= m) {\n            continue;", "if (k >= 0 && k < m) {\n        } else {\n            continue;"),
    ("if (k < 0 || k >= m)", "const int out = k < 0 || k >= m ? 1 : 0;\n        if (out)"),
    ("&u[k]", "u + k"),
    ("const int k = at[i];", "int k;\n        k = at[i];"),
    ("const int k = at[i];", "const int k = *(at + i);"),
    ("status |= checked(", "status = status | checked("),
    ("total += square", "total = square + total"),
    ("total += square", "total += (square - 0.0F) * 1.0F"),
    ("&u[k]", "&u[k * 1 - 0]"),
    ("for (i = 0; i < n; i++) {", "for (i = 0, (void)m; (void)n, i < n; i++) {"),
    ("const int k = at[i];", "const int k = (status |= 0u, at[i]);"),
    ("const int k = at[i];", "int l = i;\n        const int k = at[l++];"),
    ("total * 0.5F", "0.5e0F * total"),
    ("if (v[j].y > 2.0F && k > 0) {", "if (v[j].y > 2.0F) if (k >= 1) {"),
    (WHOLE, "    while (total > 1.0F) {\n"),
    ("    *sum = total;\n    return (int)status;", "    {\n        const int all = (int)status;\n        *sum = total;\n        return all;\n    }"),
    ("0u : 4u", "0u : 1u << 2"),
    ("total += square;", "while (1) {\n            total += square;\n            break;\n        }"),
    ("total += square;", "do {\n            total += square;\n        } while (0);"),
]  # fmt: skip

HARMFUL = [
    (f"{START}0.0F;", f"#define ZERO 1.0F\n\n{START}ZERO;"),
    (f"{START}0.0F;", f"#define ZERO 0.0F - m\n\n{START}ZERO;"),
    (f"{START}0.0F;", f"static const float zero = 0.25F;\n\n{START}zero;"),
    (f"{START}0.0F;", f"static const int one = (int)1.5;\n\n{START}one;"),
    (f"{START}0.0F;", f"static float zero = 0.0F;\n\n{START}zero++;"),
    ("i = 0", "i = 1"),
    ("i < n", "i <= n"),
    ("i < n", "i != n"),
    ("i < n", "i < m"),
    ("i++", "i += 2"),
    ("j = i", "j = 0"),
    ("k >= m", "k > m"),
    ("k < 0 || k >= m", "k >= m"),
    ("k < 0 || k >= m", "k < 0 && k >= m"),
    ("const int k = at[i];\n", "const int k = at[i];\n        const int l = at[k];\n"),  # beyond the array
    ("if (k < 0 || k >= m)", "const float x = u[k].x;\n        if (k < 0 || k >= m)"),  # before the test
    ("i < n", "(at[i] > 0 || 1) && i < n"),  # one element further
    ("float total = 0.0F;", "float total = 0.0F;\n    const float first = v[0].x;"),  # where n is 0
    ("const pair u[]", "pair u[]"),
    ("continue", "break"),
    ("break", "continue"),
    ("&u[k]", "&u[i]"),
    ("&v[i]", "&v[k]"),
    ("turned(&u[k], total, &v[i]);\n        status |= checked(v[i].x, &square);", "status |= checked(v[i].x, &square);\n        turned(&u[k], total, &v[i]);"),
    ("status |= checked", "status = checked"),
    ("status |= checked(v[i].x, &square);\n        total += square;", "total += square;\n        status |= checked(v[i].x, &square);"),
    ("total += square", "total -= square"),
    ("total += square", "total += 0.0F - square"),
    ("total += square", "total += square / 1.5F"),
    ("&u[k]", "&u[k - 0 + 1]"),
    ("i < n;", "i < n, i < m;"),
    ("const int k = at[i];", "const int k = (status |= 2u, at[i]);"),
    ("const int k = at[i];", "const int k = at[(at[i], 0)];"),
    ("const int k = at[i];", "const int k = at[i++];"),
    ("total += square", "total += (double)square * 1.1"),
    ("total += square", "total += (float)(int)square"),
    ("total += square;", "while (k) {\n            total += square;\n            break;\n        }"),
    ("total += square;", "do {\n            total += square;\n        } while (total < 0.5F && m++ < 3);"),
    ("total * 0.5F", "total / 0.5F"),
    ("v[j].y > 2.0F", "v[j].y >= 2.0F"),
    ("v[j].y > 2.0F", "!(v[j].y <= 2.0F)"),  # NaN
    ("v[j].y > 2.0F", "v[i].y > 2.0F"),
    ("v[j].y > 2.0F && k > 0", "v[j].y > 2.0F && k >= 0"),
    (WHOLE, "    for (;;) {\n        if (!(total > 2.0F)) {\n            break;\n        }\n"),
    (WHOLE, "    while (!(total <= 1.0F)) {\n"),  # NaN
    ("for (;;) {\n        if (!(total", "do {\n        if (!(total"),
    ("return 9", "return 8"),
    ("*sum = -total", "*sum = total"),
    ("    *sum = total;\n", ""),
    ("const int at[]", "const unsigned int at[]"),
    ("int n, int m", "int m, int n"),
    ("int n, int m", "int n, unsigned int m"),
    ("float total = 0.0F", "double total = 0.0"),
    ("float x;\n    float y;", "float y;\n    float x;"),
    ("return (int)status", "return (signed char)(status << 5)"),
    ("0u : 4u", "0u : 2u"),
]  # fmt: skip
"""Neighbours of the former: another bound, order, place, type or comparison; some only leave more undefined."""

NOT_SHOWN = (
    "at[i] > 0 ||",
    "v[0].x",
    "pair u[]",
    "at[k]",
    "at[i++]",
    "u[k].x;",
    "i != n",
    "const unsigned",
    "int m, int n",
    "int n, unsigned",
    "while (!(total",
    "double total",
)
"""What shows in no values of the points that are tried here, or only in the interface."""


def change(before: str, after: str) -> Change:
    assert before in ROUTINE, "the edit does not apply"
    new = edited(before, after)
    return next(c for c in compare_trees({"f.c": ROUTINE}, {"f.c": new}) if c.symbol == "f")


def test_other_names_of_parameters_are_those_of_an_interface() -> None:
    swapped = re.sub(r"\b[nm]\b", lambda found: {"n": "m", "m": "n"}[found[0]], ROUTINE)
    changes = compare_trees({"f.c": ROUTINE}, {"f.c": swapped})
    assert next(c for c in changes if c.symbol == "f").kind is ChangeClass.UNREADABLE


def test_members_in_another_order_are_no_cosmetic_change() -> None:
    text = (
        "typedef struct {\n    float x;\n    float y;\n} pair;\n\n"
        "void f(int n, const pair u[], float s[])\n{\n    int i;\n"
        "    for (i = 0; i < n; i++) {\n        s[i] = u[i].x;\n    }\n}\n"
    )
    (one,) = compare_trees({"f.c": text}, {"f.c": text.replace("x;\n    float y", "y;\n    float x", 1)})
    assert one.kind is ChangeClass.UNREADABLE


def test_members_in_one_line_are_the_same_type() -> None:
    found = change("    float x;\n    float y;\n} pair;", "    float x, y;\n} pair;")
    assert found.kind is ChangeClass.COSMETIC


def edited(before: str, after: str) -> str:
    return ROUTINE.replace(before, after, -1 if before == "total" else 1)


@pytest.mark.parametrize(("before", "after"), HARMLESS)
def test_the_same_steps_are_cosmetic(before: str, after: str) -> None:
    assert change(before, after).kind is ChangeClass.COSMETIC


@pytest.mark.parametrize(("before", "after"), sampled_rows(HARMFUL, every=4, exhaustive=2))
def test_other_steps_are_not(before: str, after: str) -> None:
    assert change(before, after).kind in (ChangeClass.UNREADABLE, ChangeClass.CHANGED, ChangeClass.INTERFACE)


def test_a_variable_in_memory_that_is_declared_in_a_loop_is_another_one_in_each_turn() -> None:
    inside = ROUTINE.replace(
        "float square;", "float square;\n        if (i < 1) {\n            square = 1.0F;\n        }"
    ).replace("    *y = x < 2.0F ? x : 2.0F;\n", "    if (x < 2.0F) {\n        *y = x;\n    }\n")
    outside = inside.replace("        float square;\n", "").replace(
        "    int i;\n", "    int i;\n    float square;\n", 1
    )
    (change,) = (c for c in compare_trees({"f.c": outside}, {"f.c": inside}) if c.symbol == "f")
    assert change.kind is ChangeClass.UNREADABLE


@pytest.mark.exhaustive
@pytest.mark.parametrize("compiler", compilers())
def test_compilers_agree_on_the_steps_of_routines(compiler: str, tmp_path: Path) -> None:
    original = values(compiler, ROUTINE, tmp_path, "original")
    for k, (before, after) in enumerate(HARMLESS):
        assert values(compiler, edited(before, after), tmp_path, f"same{k}") == original, after
    for k, (before, after) in enumerate(HARMFUL):
        if not any(word in after for word in NOT_SHOWN):
            assert values(compiler, edited(before, after), tmp_path, f"other{k}") != original, after


def values(compiler: str, text: str, directory: Path, name: str) -> bytes:
    """What the routine returns and leaves at random points; empty where it does not compile."""
    (directory / f"{name}.c").write_text(text, encoding="utf-8")
    command = [compiler, *PLAIN, "-w", "-shared", "-fPIC", f"{name}.c", "-o", f"{name}.so", "-lm"]
    if subprocess.run(command, cwd=directory, capture_output=True, check=False).returncode:
        return b""
    function, random = ctypes.CDLL(str(directory / f"{name}.so")).f, np.random.default_rng(1)
    found = b""
    for _ in range(400):
        n, m = (int(x) for x in random.integers(0, 8, 2))
        at = random.integers(-2, 9, 16).astype(np.intc)
        u, v = (random.choice([-3.0, -1.5, 0.5, 1.0, 2.0, 2.5, np.nan], (9, 2)).astype("f4") for _ in "uv")
        total = np.zeros(1, np.float32)
        arrays = [ctypes.c_void_p(a.ctypes.data) for a in (at, u, v, total)]
        status = function(ctypes.c_int(n), ctypes.c_int(m), *arrays)
        found += bytes(f"{status} ", "ascii")
        found += b"".join(np.where(np.isnan(a), np.float32(np.nan), a).tobytes() for a in (v, total))
    return found


SUMS = """\
static float half(float x)
{
    return x * 0.5F;
}

void sums(int n, const float N[], const float r[], float s[])
{
    int i;
    for (i = 0; i < n; i++) {
        float total = N[n * i];
        int j;
        for (j = 0; j < n; j++) {
            total += N[n * i + j] * r[j];
        }
        for (j = 0; j < 4; j++) {
            total *= i > 2 ? N[i] : r[i];
        }
        s[i] = total + r[i] * 0.5F;
    }
}
"""

_ROW = "float total = N[n * i];", "{}\n        float total = row[0];"
_FIRST = "        for (j = 0; j < n; j++) {\n"
_LAST = "s[i] = total + r[i]"
_HEAD = "void sums"

SAME_SUMS = [
    [(_ROW[0], _ROW[1].format("const float *row = &N[n * i];")), ("N[n * i + j]", "row[j]")],
    [(_ROW[0], _ROW[1].format("const float *const row = N + n * i;")), ("N[n * i + j]", "*(row + j)")],
    [(_FIRST, f"        const float own = r[i];\n{_FIRST}"), (_LAST, "s[i] = total + own")],
    [("j < 4", "j < TURNS"), (_HEAD, f"enum {{ OTHER = 1, TURNS = 4 }};\n\n{_HEAD}")],
    [("j < 4", "j < TURNS"), ("    int i;", "    enum { TURNS = 4 };\n    int i;")],
    [("r[i] * 0.5F", "half(r[i])")],
    [("s[i] = total + r[i] * 0.5F", "total += half(r[i]);\n        s[i] = total")],
    [("i > 2 ? N[i] : r[i]", "(i > 2 ? N : r)[i]")],
    [("i > 2 ? N[i] : r[i]", "*(i > 2 ? &N[i] : r + i)")],
]
OTHER_SUMS = [
    [(_ROW[0], _ROW[1].format("const float *row = &N[n + i];")), ("N[n * i + j]", "row[j]")],
    [(_ROW[0], _ROW[1].format("const float *row = &N[n * i];")), ("N[n * i + j]", "row[j + 1]")],
    [(_ROW[0], _ROW[1].format("const float *row = &N[n * i];")), ("N[n * i + j]", "row[i]")],
    [("    int i;", "    int i;\n    const float first = r[0];"), (_LAST, "s[i] = total + (i == 0 ? first : r[i])")],
    [("j < 4", "j < TURNS"), (_HEAD, f"enum {{ TURNS = 5 }};\n\n{_HEAD}")],
    [("j < 4", "j < TURNS"), ("    int i;", "    enum { TURNS = 5 };\n    int i;")],
    [("j < 4", "j < TURNS"), (_HEAD, f"enum {{ OTHER = 4, TURNS }};\n\n{_HEAD}")],
    [("r[i] * 0.5F;\n    }", "half(r[j]);\n    }")],
    [("r[i] * 0.5F;\n    }", "half(r[i]);\n    }"), ("return x * 0.5F", "return x * 0.25F")],
    [("r[i] * 0.5F;\n    }", "half(r[i]);\n    }"), ("half(float x)", "half(int x)")],
    [("r[i] * 0.5F;\n    }", "half(r[i]);\n    }"), ("static float half", "static int half")],
    [("r[i] * 0.5F;\n    }", "half(r[i]);\n    }"), ("x * 0.5F", "x * OF"), ("static", "#ifndef OF\n#define OF 0.5F\n#endif\nstatic")],
    [("i > 2 ? N[i] : r[i]", "(i > 2 ? r : N)[i]")],
    [("i > 2 ? N[i] : r[i]", "(i > 2 ? N : r)[j]")],
]  # fmt: skip


def sums(edits: list[tuple[str, str]], old: str = SUMS) -> ChangeClass:
    """The class of the change of `sums` by replacements."""
    new = old
    for before, after in edits:
        assert before in new, before
        new = new.replace(before, after, 1)
    return next(c for c in compare_trees({"f.c": old}, {"f.c": new}) if c.symbol == "sums").kind


@pytest.mark.parametrize("edits", SAME_SUMS)
def test_rows_hoisted_loads_enumerators_and_formulas_are_cosmetic(edits: list[tuple[str, str]]) -> None:
    assert sums(edits) is ChangeClass.COSMETIC


@pytest.mark.parametrize("edits", OTHER_SUMS)
def test_other_rows_loads_enumerators_and_formulas_are_not(edits: list[tuple[str, str]]) -> None:
    assert sums(edits) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


@pytest.mark.parametrize(
    "store",
    [
        "s[j] = total;",
        "*s = total;",
        "s[j]++;",
        "set(s);",
        "total += set(s);",
        "const float t = set(&s[j]);\n            total += t;",
        "pair p;\n            p.x = total;\n            s[j] = p.x;",
    ],
)
def test_a_load_is_not_hoisted_over_a_loop_that_stores(store: str) -> None:
    head = "typedef struct {\n    float x;\n} pair;\n\nfloat set(float s[])\n{\n    s[0] = 1.0F;\n    return s[0];\n}\n\n"
    old = head + SUMS.replace("total += N[n * i + j] * r[j];", store)
    edits = [(_FIRST, f"        const float own = r[i];\n{_FIRST}"), (_LAST, "s[i] = total + own")]
    assert sums(edits, old) is ChangeClass.UNREADABLE
    assert sums([("total + r[i] * 0.5F", "r[i] * 0.5F + total")], old) is ChangeClass.COSMETIC  # it is read


@pytest.mark.parametrize("edits", [[], [("total", "all")]])
def test_a_formula_that_changes_is_a_change_where_it_is_called(edits: list[tuple[str, str]]) -> None:
    old = SUMS.replace("r[i] * 0.5F", "half(r[i])")
    found = sums([("x * 0.5F", "x * 0.25F"), *edits], old)
    assert found is ChangeClass.UNREADABLE if edits else ChangeClass.CHANGED
