"""Round-off, infinities and NaN where few inputs come: narrow or distant branches, poles, lost digits."""

from __future__ import annotations

import pytest

from codegen.review.diff import Change, ChangeClass, compare_trees

FORM = """#include <math.h>

void fc_f_f32(float x, float y, float z, float w, float *r)
{{
    {}
}}
"""
COARSE = "((x * y + 1e6F) - 1e6F)"
GUARDED = [
    "*r = (d > 0.0F) ? 1.0F / d : 0.0F;",
    "*r = (d > 0.0F) ? sqrtf(d) : 0.0F;",
    "*r = (d > 0.0F) ? z : w;",
    "*r = (d > 0.0F) ? sqrtf(d) * w : w / (1.0F - d);",
]
"""Guards whose two sides are far apart where d is small."""

OF_VALUES = [
    ("*r = x * y;", f"*r = (fabsf(x - 0.3F) < 1e-4F) ? {COARSE} : x * y;"),
    ("*r = x * y;", f"*r = (x > 2.5F && x < 3.5F) ? {COARSE} : x * y;"),
    ("*r = x * y;", "*r = (x > 100.0F && x < 400.0F) ? ((x * y + 1e12F) - 1e12F) : x * y;"),
    (f"*r = x * y < 7.0F && x * y > 6.9F ? x * y : {COARSE};", f"*r = {COARSE};"),
    ("*r = x * y;", "const float e = x - 0.3F; const float q = 1e-6F / (e * e + 1e-12F);"
     " *r = x * y * (1.0F + q) - x * y * q;"),
    ("*r = sqrtf((x - y) * (x - y));", "*r = sqrtf(x * x - 2.0F * x * y + y * y);"),
    ("*r = logf((x - y) * (x - y));", "*r = logf(x * x - 2.0F * x * y + y * y);"),
    ("*r = sqrtf((x - y) * (x - y) + (z - w) * (z - w));",
     "*r = sqrtf(x * x + y * y + z * z + w * w - 2.0F * (x * y + z * w));"),
    ("*r = sqrtf((x - z) * (x - z) + (y - w) * (y - w));",
     "*r = sqrtf(x * x + z * z - 2.0F * x * z + (y * y + w * w - 2.0F * y * w));"),
    ("const float d = x - 0.75F; *r = sqrtf(d * d);", "*r = sqrtf(x * x - 1.5F * x + 0.5625F);"),
    *((f"const float d = (x - y) * (x - y); {guard}",
       f"const float d = x * x - 2.0F * x * y + y * y; {guard}") for guard in GUARDED),
]  # fmt: skip
"""A form that is as good as the other one at nearly all inputs, and far off, or no number, at some."""

OF_SPECIAL_VALUES = [
    ("*r = (x == 0.0F) ? 0.0F : y / x;", "*r = (x == 0.0F) ? x * z : y / x;"),
    ("*r = (x == 0.0F && y == 0.0F) ? 0.0F : x;", "*r = (x == 0.0F && y == 0.0F) ? z - z : x;"),
    ("*r = (x > 0.3F && x < 0.31F) ? 0.0F : z;", "*r = (x > 0.3F && x < 0.31F) ? 0.0F * w : z;"),
    ("*r = (x > 0.3F && x < 0.4F) ? y : z;", "*r = (x > 0.3F && x < 0.4F) ? y + (w - w) : z;"),
    ("*r = (x > 100.0F && x < 200.0F) ? y : z;", "*r = (x > 100.0F && x < 200.0F) ? y + (w - w) : z;"),
    ("*r = (fabsf(x * x + y * y + z * z - 1.0F) < 1e-3F) ? y : z;",
     "*r = (fabsf(x * x + y * y + z * z - 1.0F) < 1e-3F) ? y + (w - w) : z;"),
    ("*r = (x + 1.5F) * 1e36F * 1e-36F + 0.0F * y;", "*r = (x + 1.5F) * 1e36F * 1e-36F;"),
    ("*r = (x + 1.5F) * 1e36F * 1e-36F + (x + 1.5F) * 1e-36F + 0.0F * y;",
     "*r = (x + 1.5F) * 1e36F * 1e-36F + (x + 1.5F) * 1e-36F;"),
]  # fmt: skip
"""A NaN or infinity of an input that spoils the result in one of the forms only."""

HARMLESS = [
    ("*r = (x + y) + z;", "*r = x + (y + z);"),
    ("*r = sqrtf(x * x + y * y + z * z);", "*r = sqrtf(x * x + (y * y + z * z));"),
    ("*r = (x + y + z > 1.0F) ? x * (y + z) : w;", "*r = (x + (y + z) > 1.0F) ? x * y + x * z : w;"),
    ("*r = (fabsf(x) < 1e-4F) ? y * (z + w) : x / (y + z);",
     "*r = (fabsf(x) < 1e-4F) ? y * z + y * w : x / (z + y);"),
    ("*r = (x * x + y * y + z * z > 1e-6F) ? w / sqrtf(x * x + y * y + z * z) : 0.0F;",
     "*r = (x * x + (y * y + z * z) > 1e-6F) ? w / sqrtf(x * x + (y * y + z * z)) : 0.0F;"),
    ("*r = w / (x + y + z);", "*r = w / (x + (y + z));"),
    ("*r = logf(x + y + z);", "*r = logf(x + (y + z));"),
    ("*r = sqrtf(x + y + z + w);", "*r = sqrtf(x + (y + (z + w)));"),
    ("*r = (fabsf(x + y + z) < 1e-4F) ? 0.0F : w;", "*r = (fabsf(x + (y + z)) < 1e-4F) ? 0.0F : w;"),
    ("*r = (x * y + x * z) / (w * w + 1.0F);", "*r = x * (y + z) * (1.0F / (1.0F + w * w));"),
]  # fmt: skip


SUMS = [
    ("x + y + z", "x + (y + z)"),
    ("x + y + z + w", "(x + z) + (y + w)"),
    ("x - y - z", "x - (y + z)"),
    ("x - y + z - w", "(x + z) - (y + w)"),
    ("x * y + z * w + x * w", "x * y + (z * w + x * w)"),
    ("x * x + y * y - z * z", "x * x + (y * y - z * z)"),
    ("1.0F - x * x - y * y", "1.0F - (x * x + y * y)"),
    ("0.5F * (x + y) - z", "0.5F * x + (0.5F * y - z)"),
    ("x * 0.3F + 0.1F + y", "x * 0.3F + (0.1F + y)"),
]
"""Sums in two orders, of which none is the better one."""


def compared(old: str, new: str, kind: str) -> Change:
    trees = [{"fc_a.c": FORM.format(body)} for body in (old, new)]
    if kind == "double":
        trees = [{"fc_a.c": t["fc_a.c"].replace("float", "double").replace("F", "")} for t in trees]
        for name in ("fabs", "sqrt", "log", "sin", "cos", "acos"):
            trees = [{"fc_a.c": t["fc_a.c"].replace(name + "f(", name + "(")} for t in trees]
        trees = [{"fc_a.c": t["fc_a.c"].replace("_f32", "_f64")} for t in trees]
        trees = [{"fc_a.c": t["fc_a.c"].replace("1e6", "1e15").replace("1e12", "1e21")} for t in trees]
    (change,) = compare_trees(trees[0], trees[1])
    return change


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize(("old", "new"), OF_VALUES)
def test_a_loss_of_digits_where_few_inputs_come_is_a_change(old: str, new: str, kind: str) -> None:
    assert compared(old, new, kind).kind is ChangeClass.CHANGED


@pytest.mark.parametrize(("old", "new"), OF_SPECIAL_VALUES)
def test_a_special_value_that_spoils_one_form_changes_a_guard(old: str, new: str) -> None:
    assert compared(old, new, "float").kind is ChangeClass.GUARDS


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize(("old", "new"), HARMLESS)
def test_other_orders_stay_the_same_mathematics(old: str, new: str, kind: str) -> None:
    assert compared(old, new, kind).kind is ChangeClass.REASSOCIATED


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize(
    "guarded", [*GUARDED, "*r = (d > 1e-3F) ? y : w;", "*r = (d > 1.0F) ? y : acosf(d);"]
)
@pytest.mark.parametrize(("old", "new"), SUMS)
def test_another_order_of_a_guarded_sum_stays_the_same_mathematics(
    old: str, new: str, guarded: str, kind: str
) -> None:
    forms = [f"const float d = {sum_}; {guarded}" for sum_ in (old, new)]
    assert compared(forms[0], forms[1], kind).kind is ChangeClass.REASSOCIATED
    assert compared(forms[1], forms[0], kind).kind is ChangeClass.REASSOCIATED


FLAGGED = """#include <math.h>
#define FC_OK 0u
#define FC_SAME 2u
typedef unsigned int fc_status;

fc_status fc_f_f32(float x, float y, float z, float *r)
{{
    const float d = {};
    *r = {};
    return d > 0.0F ? FC_OK : FC_SAME;
}}
"""


def test_a_status_that_only_lost_digits_change_is_a_change() -> None:
    """The flag is raised where the points are apart in the old form, and not in the new one."""
    old = {"fc_a.c": FLAGGED.format("(x - y) * (x - y)", "x * (y + z)")}
    new = {"fc_a.c": FLAGGED.format("x * x - 2.0F * x * y + y * y", "x * y + x * z")}
    (change,) = compare_trees(old, new)
    assert change.kind is ChangeClass.CHANGED
    assert "status is" in change.detail
    old, new = ({"fc_a.c": FLAGGED.format(d, "z")} for d in ("x + y - z", "x + (y - z)"))
    (change,) = compare_trees(old, new)
    assert change.kind is ChangeClass.REASSOCIATED
