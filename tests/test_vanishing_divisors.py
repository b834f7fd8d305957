"""Divisions by what the other version does not divide by: equal formulas, but no number at single points."""

from __future__ import annotations

import pytest

from codegen.review.diff import Change, ChangeClass, compare_trees

FORM = """#include <math.h>

void fc_f_f32(float x, float y, float *z)
{{
    *z = {};
}}
"""
OLD = "x + y + 0.3F"
DIVISORS = [
    "(x + 10.0F)",
    "(y - 25.0F)",
    "(y + 1000.0F)",
    "(0.2F * (x + 10.0F))",
    "(7.0F - y)",
    "(x - y - 3.0F)",
    "(3.0F * y + 2.0F * x - 7.0F)",
    "((x - 3.0F) * (x - 3.0F))",
    "((x - 3.0F) * (y + 2.0F))",
    "fabsf(x - 3.0F)",
    "(-(x - 3.0F))",
    "(x > 0.0F ? x - 5.0F : 1.0F)",
    "(x * x - 2.25F)",
    "(y * (x - 4.0F) + 2.0F * y)",
]
SAME = [
    ("x / (y + 10.0F)", "x * (1.0F / (y + 10.0F))"),
    ("(x + 1.0F) / (y + 3.0F)", "x / (y + 3.0F) + 1.0F / (y + 3.0F)"),
    ("x / (2.0F * y + 6.0F)", "0.5F * x / (y + 3.0F)"),
    ("x / (y * y + 1.0F)", "x * (1.0F / (1.0F + y * y))"),
    ("x / fabsf(y - 3.0F)", "x * (1.0F / fabsf(3.0F - y))"),
]


def compared(old: str, new: str, kind: str) -> Change:
    trees = [{"fc_a.c": FORM.format(expression)} for expression in (old, new)]
    if kind == "double":
        trees = [{"fc_a.c": t["fc_a.c"].replace("float", "double").replace("F", "")} for t in trees]
        trees = [{"fc_a.c": t["fc_a.c"].replace("fabsf", "fabs").replace("f32", "f64")} for t in trees]
    (change,) = compare_trees(trees[0], trees[1])
    return change


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize("divisor", DIVISORS)
def test_a_division_by_what_may_be_zero_is_a_change(divisor: str, kind: str) -> None:
    for new in (f"x + y + 0.3F * {divisor} / {divisor}", f"x + y + 0.3F * ({divisor} / {divisor})"):
        assert compared(OLD, new, kind).kind is ChangeClass.CHANGED


@pytest.mark.parametrize("kind", ["float", "double"])
def test_divisors_that_are_close_to_each_other_may_vanish_apart(kind: str) -> None:
    near = "(x - 3.0F + 0.0001F * y)"
    old, new = "0.3F / (x - 3.0F)", f"0.3F * {near} / ((x - 3.0F) * {near})"
    assert compared(old, new, kind).kind is ChangeClass.CHANGED


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize(("old", "new"), SAME)
def test_a_division_by_zero_in_both_versions_is_none(old: str, new: str, kind: str) -> None:
    assert compared(old, new, kind).kind is ChangeClass.REASSOCIATED
