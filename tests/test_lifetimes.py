# ruff: noqa: E501
"""No pointer outlives the variable to which it points, and no variable is used before it is declared."""

from __future__ import annotations

import pytest

from codegen.review.diff import Change, ChangeClass, compare_trees

FORMULA = "void fc_f_f32(float x, float y, float *z)\n{{\n    {body}\n}}\n"
ROUTINE = "void fc_f_f32(int n, const float a[], float x, float y, float *z)\n{{\n    {body}\n}}\n"

SUM = "*z = x + y;"
ENDED = [
    "const float *p; const float *q; { const float t = x; p = &t; } { const float u = y; q = &u; } *z = *p + *q;",
    "const float *p; do { const float t = x; p = &t; } while (0); *z = *p + y;",
    "const float *p; for (int i = 0; i < 1; i++) { const float t = x; p = &t; } *z = *p + y;",
    "float *p; { float t = x; p = &t; } *p = *p + y; *z = *p;",
    "const float *p; { const float *q; { float t = x; q = &t; p = q; } } *z = *p + y;",
    "const float *p; { float t[2]; t[0] = x; p = t; } *z = *p + y;",
]
"""C leaves all of these undefined, and gcc gives other sums from -O1 on."""

ALIVE = [
    "{ const float t = x; const float *p = &t; *z = *p + y; }",
    "const float t = x; const float *p; { p = &t; } *z = *p + y;",
]

LOOP = "float s = 0.0F; for (int i = 0; i < n; i++) { s += a[i]; } *z = s + x;"
ENDED_IN_LOOPS = [
    "float s = 0.0F; const float *p; for (int i = 0; i < n; i++) { s += a[i]; } { const float t = s; p = &t; } *z = *p + x;",
    "float s = 0.0F; float *p; { float t = 0.0F; p = &t; } for (int i = 0; i < n; i++) { *p += a[i]; } *z = *p + x;",
    "float s = 0.0F; for (int i = 0; i < n; i++) { const float *p; { const float t = a[i]; p = &t; } s += *p; } *z = s + x;",
    "float s = 0.0F; for (int i = 0; i < n; i++) { const float *p; { float t[2]; t[0] = a[i]; p = t; } s += p[0]; } *z = s + x;",
]


def compared(form: str, old: str, new: str) -> Change:
    (change,) = compare_trees({"fc_f.c": form.format(body=old)}, {"fc_f.c": form.format(body=new)})
    return change


@pytest.mark.parametrize("new", ENDED)
def test_a_pointer_to_a_variable_whose_block_has_ended(new: str) -> None:
    assert compared(FORMULA, SUM, new).kind is ChangeClass.UNREADABLE


@pytest.mark.parametrize("new", ENDED_IN_LOOPS)
def test_such_a_pointer_beside_a_loop(new: str) -> None:
    change = compared(ROUTINE, LOOP, new)
    assert change.kind is ChangeClass.UNREADABLE
    assert "points to a variable whose block has ended" in change.detail


@pytest.mark.parametrize("elements", [16, 100_000_000])
def test_a_local_array_that_fits_on_no_stack(elements: int) -> None:
    change = compared(FORMULA, "*z = x;", f"float t[{elements}]; t[0] = x; *z = t[0];")
    assert change.kind is (ChangeClass.COSMETIC if elements == 16 else ChangeClass.UNREADABLE)


@pytest.mark.parametrize("new", ALIVE)
def test_a_pointer_to_a_variable_that_is_alive(new: str) -> None:
    assert compared(FORMULA, SUM, new).kind is ChangeClass.COSMETIC


SPLIT = "for (i = 0; i < n; i++) { x[i] = 1.0; w[i] = 2; } return 0;"
KEPT = "double t; for (i = 0; i < n; i++) { t = a[i]; x[i] = t; } "
REST = "for (i = 0; i < n; i++) { w[i] = k[i]; } return 0;"
FORM = """
int fc_f_f64(int n, const double a[], double x[], const int k[], int w[])
{{
    {body}
}}
"""

EARLY = [
    ("int i; " + SPLIT, "for (i = 0; i < n; i++) { x[i] = 1.0; } int i; for (i = 0; i < n; i++) { w[i] = 2; } return 0;"),
    ("int i; " + KEPT + REST, "int i; " + KEPT.removeprefix("double t; ") + "double t; " + REST),
    ("int i; " + KEPT + "return 0;",
     "int i; for (i = 0; i + 1 < n; i += 2) { t = a[i]; x[i] = t; t = a[i + 1]; x[i + 1] = t; } double t; for (; i < n; i++) { t = a[i]; x[i] = t; } return 0;"),
    ("int i; " + KEPT + "return 0;",
     "int i; if (n > 0) { t = a[0]; x[0] = t; } double t; for (i = 1; i < n; i++) { t = a[i]; x[i] = t; } return 0;"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), EARLY)
def test_a_variable_that_is_declared_behind_its_use(old: str, new: str) -> None:
    for form in (FORM, "static double t;\nstatic int i;\n" + FORM):
        change = compared(form, old, new)
        assert change.kind in (ChangeClass.CHANGED, ChangeClass.UNREADABLE)
        back = compared(form, new, old)
        assert back.kind in (ChangeClass.CHANGED, ChangeClass.UNREADABLE)
