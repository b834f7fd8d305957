"""Conditions that no sampled point meets: they decide values, flags and other conditions all the same."""

from __future__ import annotations

import pytest

from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program
from codegen.ir.types import REAL
from codegen.review.diff import Change, ChangeClass, compare_trees
from codegen.review.diff.numbers.comparisons import same_comparisons

FORM = """#include <math.h>
int fc_f_f64(double x, double y, double z, double w, double *a, double *b)
{{
    *b = y;
    {body}
}}
"""

AT = "x == 100.0 && y == 200.0"
SINGLE = f"*a = x * y; return {AT} ? 4 : 0;"
TWO = f"const double t = {AT} ? z : x; const double u = {AT} ? y : x;"

APART = "if (x == 3.0) {{ *a = y == 4.0 ? {0} : {1}; }} else {{ *a = y == 4.0 ? x + w : w; }} return 0;"
EITHER = (
    "if (x == 3.0) {{ *a = y == 4.0 || z == 5.0 ? {} : w; }}"
    " else {{ *a = y == 4.0 ? x : (z == 5.0 ? x + w : y); }} return 0;"
)

DECIDED = [
    (SINGLE, SINGLE.replace("? 4", "? 2")),
    (SINGLE, SINGLE.replace("200.0", "201.0")),
    ("*a = x; return x + y == 7.0 && x - y == 1.0 ? 4 : 0;", "*a = x; return 0;"),
    ("*a = x; return 0;", "*a = x; return x == 1e-6 && y == 1e-6 ? 4 : 0;"),
    (
        f"*a = w > 3.0 && !({AT}) ? 2.0 * w : x + y + z; return 0;",
        "*a = w > 3.0 ? 2.0 * w : x + y + z; return 0;",
    ),
    (f"*a = w > 3.0 || ({AT}) ? 2.0 * w : x + y; return 0;", "*a = w > 3.0 ? 2.0 * w : x + y; return 0;"),
    (f"*a = {AT} ? z : x; *b = {AT} ? y : x; return 0;", f"*a = {AT} ? y : x; *b = {AT} ? z : x; return 0;"),
    (f"{TWO} *a = z > 0.0 ? t : u; return 0;", f"{TWO} *a = z > 10.0 ? t : u; return 0;"),
    (APART.format("1.0", "z"), APART.format("2.0", "z")),
    (APART.format("w", "z"), APART.format("x", "z")),
    (EITHER.format("1.0"), EITHER.format("2.0")),
    *(
        (
            f"*b = y == 4.0 ? 1.0 : z; *a = x == 3.0 && ({both}) ? 5.0 : w; return 0;",
            "*b = y == 4.0 ? 1.0 : z; *a = x == 3.0 && w > 0.0 ? 5.0 : w; return 0;",
        )
        for both in ("y == 4.0 || w > 0.0", "w > 0.0 || y == 4.0")
    ),
    (
        f"*a = {AT} && !(sqrt(z) >= 0.0) ? w : x; return 0;",
        f"*a = {AT} && !(sqrt(z) >= 0.0) ? y : x; return 0;",
    ),
    (f"*a = {AT} ? (z == 7.0 ? w : x) : y; return 0;", f"*a = {AT} ? (z == 7.0 ? x : x) : y; return 0;"),
]
"""Another value, flag or decision where such a condition holds."""

SUMMED = """void fc_f_f32(float x, float y, float z, float w, float *a)
{
    *a = x == 1.0F && y == 1e-9F && x + y <= 1.0F ? z : w;
}
"""


def test_a_sum_of_floats_may_be_less_than_its_exact_value() -> None:
    (change,) = compare_trees({"fc_f.c": SUMMED}, {"fc_f.c": SUMMED.replace("? z : w", "? x : w")})
    assert change.kind is ChangeClass.CHANGED


def test_comparisons_beside_a_zero_divisor_are_told_apart() -> None:
    """Where nothing has a value, as x - x divides, the comparisons' forms tell."""
    given = (Arg("x", REAL, "", ""), Arg("y", REAL, "", ""))

    def program(*sides: int) -> Program:
        zero, quotient = Node(Op.SUB, (0, 0)), Node(Op.DIV, (0, 2))
        chosen = Node(Op.LT, sides), Node(Op.SELECT, (4, 0, 3))
        leaves = Node(Op.INPUT, (), 0), Node(Op.INPUT, (), 1)
        return Program(given, given[:1], (*leaves, zero, quotient, *chosen), (5,))

    first, second, third = same_comparisons(given, [program(0, 1), program(1, 0), program(0, 1)])
    assert first[4] == third[4] != second[4]


FAR = "((z + 1.0e30) - (x + 1.0e30)) * w"
IN_ONE = [
    f"x > y && y > z && z > w && w > 5.0 && x < 9.0 ? {FAR} : (z - x) * w",
    "x == y && y == z && z > 2.0 ? (z * (w - 6.0) - x * (w - 6.0)) / (w - 6.0) * w : (z - x) * w",
    f"x * x + y * y < 25.0 && x * y > 12.49 ? {FAR} : (z - x) * w",
    f"x > 2.0 * y && y > 2.0 * z && z > 2.0 * w && w > 1000.0 ? {FAR} : (z - x) * w",
    f"fabs(x * x - 2.0) < 1e-300 ? {FAR} : (z - x) * w",
]
"""A branch that only one version has, in which it loses all digits or divides by zero."""


def branches(count: int, last: str) -> str:
    """Branches at single points, of which all forms but the last are as good as the others."""
    forms = [f"z * {k + 2}.0 - x * {k + 2}.0" for k in range(count - 1)] if last == FAR else []
    forms = [*forms, *(f"(z - x) * {k + 2}.0" for k in range(len(forms), count - 1)), last]
    tests = (f"if (x == {k}0.0 && y == {k}1.0) {{ r = {form}; }}" for k, form in enumerate(forms, 1))
    return f"double r = x; {' '.join(tests)} *a = r; return 0;"


SAME = [
    (
        "*a = x * y + x * z; return x == 3.0 && y == 4.0 ? 4 : 0;",
        "*a = x * (y + z); return y == 4.0 && x == 3.0 ? 4 : 0;",
    ),
    (
        "*a = w > 3.0 && !(x == 3.0 && y == 4.0) ? 2.0 * w : x + y + z; return 0;",
        "*a = w > 3.0 && (x != 3.0 || y != 4.0) ? 2.0 * w : x + (y + z); return 0;",
    ),
    (
        "*a = x + y + z == 3.0 && x == 1.0 ? w : x + y + z; return 0;",
        "*a = x + (y + z) == 3.0 && x == 1.0 ? w : x + (y + z); return 0;",
    ),
    (branches(6, "(z - x) * w"), branches(6, "z * w - x * w")),
    (
        "if (x > 1.0) { *a = x > 0.0 ? y : z; } else { *a = w; } return 0;",
        "if (x > 1.0) { *a = y; } else { *a = w; } return 0;",
    ),
    ("*a = x > 1.0 && x < 0.0 ? y : z; return 0;", "*a = z; return 0;"),
    (
        "*a = x == y && x == 3.0 ? y * z : w; return 0;",
        "*a = x == y && x == 3.0 ? z * 3.0 : w; return 0;",
    ),
    (
        "*a = x == 3.0 && y == 4.0 ? x * z : w; return 0;",
        "*a = x == 3.0 && y == 4.0 ? 3.0 * z : w; return 0;",
    ),
    (
        "*a = sqrt(x * x + y * y); return 0;",
        "*a = x == 0.0 && y == 0.0 ? 0.0 : sqrt(x * x + y * y); return 0;",
    ),
]  # fmt: skip
"""The same conditions and values in other words."""


def compared(old: str, new: str) -> Change:
    (change,) = compare_trees({"fc_f.c": FORM.format(body=old)}, {"fc_f.c": FORM.format(body=new)})
    return change


@pytest.mark.parametrize(("old", "new"), DECIDED)
def test_what_an_unmet_condition_decides_has_to_agree(old: str, new: str) -> None:
    assert compared(old, new).kind is ChangeClass.CHANGED
    assert compared(new, old).kind is ChangeClass.CHANGED


@pytest.mark.parametrize("new", IN_ONE)
def test_an_unmet_branch_of_one_version_is_compared(new: str) -> None:
    change = compared("*a = (z - x) * w; return 0;", f"*a = {new}; return 0;")
    assert change.kind is ChangeClass.CHANGED


@pytest.mark.parametrize("count", [2, 5, 8])
def test_each_of_several_unmet_branches_is_compared(count: int) -> None:
    assert compared(branches(count, "(z - x) * w"), branches(count, FAR)).kind is ChangeClass.CHANGED


@pytest.mark.parametrize(("old", "new"), SAME)
def test_unmet_conditions_may_be_written_in_other_words(old: str, new: str) -> None:
    assert compared(old, new).kind is ChangeClass.REASSOCIATED
    assert compared(new, old).kind is ChangeClass.REASSOCIATED
