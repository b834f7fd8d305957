"""Other forms of the same steps in routines with loops, harmful neighbours, and what reports say of them."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

from codegen.review.diff import Change, ChangeClass, compare_trees
from codegen.verify.native import PLAIN, compilers

DEFAULT = "#ifndef FC_N\n#define FC_N 8\n#endif\n"
FORM = """#include <math.h>
{top}
void fc_f_f32(int n, const float x[], float y[], unsigned int *s)
{{
    unsigned int status = 0u;
    float t = 0.0F;
    int i;
    for (i = 0; i < n; i++) {{
        {turn}
    }}
    *s = status;
    y[0] = t;
}}
"""
SIZE = "t += x[i] < 0.0F ? -x[i] : x[i];"
FLAG = "if (x[i] > 0.0F) { status |= 4u; }"
FINITE = "if (!(x[i] >= -3.4028235e+38F && x[i] <= 3.4028235e+38F)) { status |= 1u; }"
ALIAS = "y[i] = 1.0F; t += x[i];"
BOTH = "if (x[0] > 1.0F && i < 9) { t = 1.0F; }"
BELOW = "if (i < FC_N) { t += x[i]; }"
LOCAL = "float z[FC_N]; if (i < FC_N) { z[i] = x[i]; t += z[i]; }"

SAME = [
    (SIZE, "if (x[i] < 0.0F) { t -= x[i]; } else { t += x[i]; }"),
    (SIZE, "if (x[i] < 0.0F) { t = -x[i] + t; } else { t = x[i] + t; }"),
    (FLAG, "status |= x[i] > 0.0F ? 4u : 0u;"),
    (FLAG, "const _Bool p = x[i] > 0.0F; if (p) { status |= 4u; }"),
    (FLAG, "_Bool p = 0; if (x[i] > 0.0F) { p = 1; } status |= p ? 4u : 0u;"),
    (FINITE, "if (!(fabsf(x[i]) <= 3.4028235e+38F)) { status |= 1u; }"),
    (FINITE, "if (!isfinite(x[i])) { status |= 1u; }"),
    ("t = 2.0F * t;", "t += t;"),
    ("t += x[i] - 0.5F;", "t += x[i] + -0.5F;"),
    ("t -= x[i];", "t = -x[i] + t;"),
    ("t += x[i];", "const float *const p = x; t += p[i];"),
    ("t += x[i];", "const float *p = &x[i]; t += *p;"),
    ("y[i] = t;", "float *const p = y + i; *p = t;"),
    (ALIAS, "const float *p = &x[i]; y[i] = 1.0F; t += *p;"),
    ("y[i] = x[i]; t += y[i];", "const float z = x[i]; y[i] = z; t += z;"),
    (BOTH, "if (i < 9 && x[0] > 1.0F) { t = 1.0F; }"),
    ("if (i < 9 && x[0] > 1.0F) { t = 1.0F; }", BOTH),  # both read it in the first turn
    (BELOW, "if (FC_N > i) { t += x[i]; }"),
    (BELOW, "if (i >= FC_N) { continue; } t = x[i] + t;"),
    (LOCAL, "float z[FC_N]; if (FC_N > i) { z[i] = x[i]; t = z[i] + t; }"),
]
OTHER = [
    (SIZE, "if (x[i] < 0.0F) { t += x[i]; } else { t += x[i]; }"),
    (SIZE, "if (x[i] < 0.0F) { t = -x[i] - t; } else { t = x[i] + t; }"),
    (FLAG, "status |= x[i] > 0.0F ? 4u : 2u;"),
    (FLAG, "status = x[i] > 0.0F ? 4u : 0u;"),
    (FLAG, "status &= x[i] > 0.0F ? 4u : 0u;"),
    ("t += x[i];", "const _Bool p = x[i]; t += p;"),
    ("status |= 2u;", "const _Bool p = 2; status |= p;"),
    (FINITE, "if (!(x[i] <= 3.4028235e+38F)) { status |= 1u; }"),
    (FINITE, "if (fabsf(x[i]) > 3.4028235e+38F) { status |= 1u; }"),
    (FINITE, "if (!isnan(x[i])) { status |= 1u; }"),
    ("t = 2.0F * t;", "t *= t;"),
    ("t -= x[i];", "t = x[i] - t;"),
    ("t += x[i];", "const float *p = &x[i + 1]; t += *p;"),
    ("t += x[i];", "const float *p = x; p = y; t += p[i];"),
    ("t += x[i];", "const double *p = &x[i]; t += *p;"),
    ("t += x[i];", "float *p = &x[i]; t += *p;"),
    ("t += x[i];", "static const float *p = x; t += p[i];"),
    ("t += x[i];", "const float *volatile p = x; t += p[i];"),
    (ALIAS, "const float z = x[i]; y[i] = 1.0F; t += z;"),
    ("y[i] = x[i]; t += y[0];", "const float z = x[i]; y[i] = z; t += z;"),
    (
        "if (i > 9 && x[0] > 1.0F) { t = 1.0F; }",
        "if (x[0] > 1.0F && i > 9) { t = 1.0F; }",
    ),  # it reads where it did not
    (BELOW, "if (i < 8) { t += x[i]; }"),
    (BELOW, "if (i <= FC_N) { t += x[i]; }"),
    (BELOW, "if (i < FC_N * 2 / 2) { t += x[i]; }"),
    (BELOW, "if (i < (FC_N == 9 ? 3 : FC_N)) { t += x[i]; }"),
    (BELOW, "const int FC_N = 9; if (i < FC_N) { t += x[i]; }"),
    (LOCAL, LOCAL.replace("[FC_N]", "[8]")),
    (LOCAL, LOCAL.replace("[FC_N]", "[FC_N + 1]")),
]


def change(before: str, after: str, top: str = "", new_top: str | None = None) -> Change:
    tops = (top, top if new_top is None else new_top)
    old, new = ({"a.c": FORM.format(top=t, turn=u)} for t, u in zip(tops, (before, after), strict=True))
    (found,) = (c for c in compare_trees(old, new) if c.symbol == "fc_f_f32")
    return found


@pytest.mark.parametrize(("before", "after"), SAME)
def test_the_same_steps(before: str, after: str) -> None:
    assert change(before, after, DEFAULT).kind is ChangeClass.COSMETIC


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_other_steps(before: str, after: str) -> None:
    assert change(before, after, DEFAULT).kind in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


@pytest.mark.parametrize("more", ["static const int LIMIT = FC_N;", "#define LIMIT 8"])
def test_another_name_for_what_a_build_may_define(more: str) -> None:
    found = change(BELOW, BELOW.replace("FC_N", "LIMIT"), DEFAULT, f"{DEFAULT}{more}\n")
    assert found.kind in (ChangeClass.UNREADABLE, ChangeClass.INTERFACE)


@pytest.mark.parametrize(
    ("more", "is_same"),
    [
        ("#define LIMIT FC_N", True),
        ("#define LIMIT (FC_N)", True),
        ("#define LIMIT (2 * FC_N)", False),
        ("#define LIMIT FC_N + 1", False),
        ("#define LIMIT FC_N\n#undef FC_N\n#define FC_N 9", False),
        ("#ifndef LIMIT\n#define LIMIT FC_N\n#endif", False),
    ],
)
def test_a_macro_that_stands_for_another_one(more: str, is_same: bool) -> None:
    found = change(BELOW, BELOW.replace("FC_N", "LIMIT"), DEFAULT, f"{DEFAULT}{more}\n")
    assert (found.kind is ChangeClass.COSMETIC) is is_same
    assert is_same or found.kind in (ChangeClass.UNREADABLE, ChangeClass.INTERFACE, ChangeClass.CHANGED)


@pytest.mark.parametrize("default", ["#define FC_N 8\n", DEFAULT.replace("8", "9")])
def test_a_default_that_differs(default: str) -> None:
    found = change(BELOW, BELOW.replace("i < FC_N", "FC_N > i"), DEFAULT, default)
    assert found.kind in (ChangeClass.UNREADABLE, ChangeClass.INTERFACE, ChangeClass.CHANGED)


def test_a_macro_with_parameters_is_what_it_stands_for() -> None:
    top = "#define TWICE(a) (2.0F * (a))\n"
    assert change("t += 2.0F * x[i];", "t += TWICE(x[i]);", "", top).kind is ChangeClass.COSMETIC
    assert change("t += 2.0F * x[i];", "t += TWICE(x[0]);", "", top).kind is ChangeClass.UNREADABLE


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("t += x[i];", "t += x[i] * x[i];", "line 9: its steps differ here, and steps with loops"),
        (
            "t += x[i];",
            "t += 1.0F;\n        t += x[i];",
            "line 9: its steps differ here, and steps with loops",
        ),
        (
            "t += x[i];",
            "(void)x[i + 1];\n        t += x[i];",
            "line 9: it reads, or calculates with integers",
        ),
        ("t += x[i];", "t += lgammaf(x[i]);", "line 9: a call of lgammaf within an expression"),
        ("t += x[i];", "float *p;\n        t += x[i];", "line 9: the declaration of p"),
        ("t += x[i];", "goto end;\n        end: t += x[i];", "line 9: a goto"),
        (BELOW, BELOW.replace("t +=", "t -="), "line 12: its steps differ here"),
    ],
)
def test_the_reason_says_what_is_not_understood(before: str, after: str, reason: str) -> None:
    top = DEFAULT if "FC_N" in before else ""
    found = change(before, after, top)
    assert found.kind is ChangeClass.UNREADABLE
    assert found.detail.startswith(f"cannot be read: a.c, {reason}"), found.detail


@pytest.mark.parametrize("labels", ["case 1:", "default:", "case 2: case 1:"])
def test_a_label_before_a_brace_is_no_statement(labels: str) -> None:
    for turn in (
        f"switch (1) {{ {labels} }} t += x[i];",
        f"t += x[i]; if (0) {{ switch (n) {{ {labels} }} }}",
    ):
        assert change("t += x[i];", turn).kind is ChangeClass.UNREADABLE
    assert change("t += x[i];", f"switch (1) {{ {labels} ; }} t += x[i];").kind is ChangeClass.COSMETIC


def test_a_variable_of_the_name_of_a_function_of_another_file_calls_nothing() -> None:
    files = {"a.c": FORM.format(top="", turn="const float square = x[i]; t += square;")}
    helper = "static float square(float x)\n{\n    return x * x;\n}\nvoid fc_g_f32(float x, float *y)\n{\n"
    old, new = ({**files, "b.c": f"{helper}    *y = square({x});\n}}\n"} for x in ("x", "2.0F * x"))
    new["b.c"] = new["b.c"].replace("x * x", "x + x")
    assert {c.symbol: c.kind for c in compare_trees(old, new)}["fc_f_f32"] is ChangeClass.IDENTICAL


@pytest.mark.parametrize("word", ["bool", "boolean", "_Boolean"])
def test_a_truth_value_has_a_type_that_is_declared(word: str) -> None:
    found = change(FLAG, f"const {word} p = x[i] > 0.0F; if (p) {{ status |= 4u; }}")
    assert found.kind is ChangeClass.UNREADABLE


@pytest.mark.exhaustive
@pytest.mark.parametrize("compiler", compilers())
def test_compilers_agree_on_the_same_steps(compiler: str, tmp_path: Path) -> None:
    for k, pair in enumerate(SAME):
        found = [values(compiler, turn, tmp_path, f"form{k}_{side}") for side, turn in enumerate(pair)]
        assert found[0] == found[1] != b"", pair


def values(compiler: str, turn: str, directory: Path, name: str) -> bytes:
    """What the function leaves at random points, at which both arrays may be one."""
    (directory / f"{name}.c").write_text(FORM.format(top=DEFAULT, turn=turn), encoding="utf-8")
    command = [compiler, *PLAIN, "-w", "-shared", "-fPIC", f"{name}.c", "-o", f"{name}.so", "-lm"]
    subprocess.run(command, cwd=directory, check=True)
    function, random, found = (
        ctypes.CDLL(str(directory / f"{name}.so")).fc_f_f32,
        np.random.default_rng(1),
        b"",
    )
    for k in range(200):
        x, y = (
            random.choice([-3.0, -0.5, 0.0, 1.0, 2.5, 3e38, np.inf, np.nan], 12).astype("f4") for _ in "xy"
        )
        status = np.zeros(1, np.uint32)
        arrays = [ctypes.c_void_p(a.ctypes.data) for a in (x, x if k % 2 else y, status)]
        function(ctypes.c_int(k % 12), *arrays)
        found += b"".join(np.where(np.isnan(a), np.float32(np.nan), a).tobytes() for a in (x, y))
        found += status.tobytes()
    return found
