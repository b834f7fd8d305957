"""Branches that several comparisons lead to, and inputs that depend on each other, as unit quaternions do."""

from __future__ import annotations

import json

import pytest

from codegen.review.diff import Change, ChangeClass, compare_trees
from tests.test_rare_branches import compared

COARSE = "((x * y + 1e6F) - 1e6F)"
JOINT = [
    "x > 0.3F && x < 0.301F && y > 0.7F && y < 0.701F",
    "fabsf(x - 0.3F) < 1e-4F && fabsf(y - 0.7F) < 1e-4F",
    "!(x <= 0.3F || x >= 0.301F || y <= 0.7F || y >= 0.701F)",
    "x + y > 1.0F && x + y < 1.001F && x - y > 0.25F && x - y < 0.251F",
    "x > 300.0F && x < 301.0F && y > 0.05F && y < 0.0501F && z < -40.0F",
]
OF_NAN = [
    ("0.0F", "0.0F * w"),
    ("y", "y + 0.0F * w"),
]
MANY = " ".join(f"(x > {k}.5F && x < {k}.5001F) ? {k}.0F * x * y / {k}.0F :" for k in range(1, 18))

FORM = """#include <math.h>

typedef struct {{
    float w;
    float x;
    float y;
    float z;
}} fc_quat_f32;

void fc_f_f32(const fc_quat_f32 *q, float m, float s, float *r)
{{
    *r = {};
}}
"""
ARGUMENTS = [{"name": "q", "kind": "UnitQuaternion"}, {"name": "m", "positive": ["m"]}, {"name": "s"}]
MANIFEST = json.dumps({"functions": [{"symbol": "fc_f_f32", "arguments": ARGUMENTS}]})
NARROW = [
    "m > 0.3F && m < 0.301F",
    "q->w > 0.3F && q->w < 0.301F",
    "q->w > 0.3F && q->w < 0.301F && q->x > 0.5F && q->x < 0.501F",
    "q->w > 0.3F && q->w < 0.301F && m > 0.4F && m < 0.401F",
]
DIVIDED = [
    "s + m * (m - 0.305F) / (m - 0.305F)",
    "s + m * (q->w - 0.305F) / (q->w - 0.305F)",
    "s + m * (s - 7.0F) / (s - 7.0F)",
    "(m > 0.3F && m < 0.31F) ? s + m * ((m - 0.305F) / (m - 0.305F)) : s + m",
    "(q->w > 0.3F && q->w < 0.31F) ? s + m * (m - 0.305F) / (m - 0.305F) : s + m",
    "(q->w > 0.3F && q->w < 0.31F) ? s + m * (q->w - 0.305F) / (q->w - 0.305F) : s + m",
    "(q->w > 0.3F && q->w < 0.31F) ? s + m * (s - 5.0F) / (s - 5.0F) : s + m",
]
NORM = "q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z"
REGROUPED = "q->w * q->w + (q->x * q->x + q->y * q->y) + q->z * q->z"
HARMLESS = [
    ("s * (m + 1.0F)", "s * m + s"),
    (f"({NORM} > 1e-6F) ? s * (m + 1.0F) : 0.0F", f"({REGROUPED} > 1e-6F) ? s * m + s : 0.0F"),
    (f"s / ({NORM})", f"s / ({REGROUPED})"),
    (f"(m > 0.1F) ? s / m + ({NORM}) : s", f"(m > 0.1F) ? ({REGROUPED}) + s / m : s"),
]


def constrained(old: str, new: str) -> Change:
    trees = [{"fc_a.c": FORM.format(result), "manifest.json": MANIFEST} for result in (old, new)]
    (change,) = (c for c in compare_trees(trees[0], trees[1]) if c.symbol == "fc_f_f32")
    return change


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize("condition", JOINT)
def test_a_loss_of_digits_in_a_branch_of_several_comparisons(condition: str, kind: str) -> None:
    old, new = "*r = x * y;", f"*r = ({condition}) ? {COARSE} : x * y;"
    assert compared(old, new, kind).kind is ChangeClass.CHANGED


@pytest.mark.parametrize(("old", "new"), OF_NAN)
@pytest.mark.parametrize("condition", JOINT[:4])
def test_a_special_value_in_a_branch_of_several_comparisons(condition: str, old: str, new: str) -> None:
    forms = [f"*r = ({condition}) ? {side} : z;" for side in (old, new)]
    assert compared(forms[0], forms[1], "float").kind is ChangeClass.GUARDS


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize(
    "condition", [*JOINT[:4], "x * y > 0.21F && x * y < 0.2101F && w > 1.0F && w < 1.001F"]
)
def test_a_decision_in_a_branch_of_several_comparisons(condition: str, kind: str) -> None:
    """It is made by numbers on which the branch does not depend, so close that the offset rounds it away."""
    inner = ["(y > z) ? 1.0F : 2.0F", "(y + 1e3F > z + 1e3F) ? 1.0F : 2.0F", "(y - z > 0.0F) ? 1.0F : 2.0F"]
    old, new, same = (f"*r = ({condition}) ? ({side}) : 0.0F;" for side in inner)
    assert compared(old, new, kind).kind is ChangeClass.CHANGED
    assert compared(old, same, kind).kind in (ChangeClass.REASSOCIATED, ChangeClass.COSMETIC)


def test_the_largest_difference_is_that_on_narrow_sides_too() -> None:
    """Behind a branch that no usual point takes."""
    forms = [
        f"*r = ({JOINT[0]}) ? {side} : z;" for side in ("(z - w) * (z - w)", "z * z - 2.0F * z * w + w * w")
    ]
    found = compared(forms[0], forms[1], "float")
    assert found.kind is ChangeClass.REASSOCIATED
    assert found.witness is not None
    assert found.witness.ulp > 1


def test_one_of_many_narrow_branches() -> None:
    new = f"*r = {MANY} (x > 33.3F && x < 33.3001F) ? {COARSE} : x * y;"
    assert compared("*r = x * y;", new, "float").kind is ChangeClass.CHANGED
    same = f"*r = {MANY} (x > 33.3F && x < 33.3001F) ? 18.0F * x * y / 18.0F : x * y;"
    assert compared("*r = x * y;", same, "float").kind is ChangeClass.REASSOCIATED


@pytest.mark.parametrize("condition", NARROW)
def test_a_loss_of_digits_in_a_branch_of_inputs_with_constraints(condition: str) -> None:
    found = constrained("s * m", f"({condition}) ? ((s * m + 1e6F) - 1e6F) : s * m")
    assert found.kind is ChangeClass.CHANGED


@pytest.mark.parametrize("new", DIVIDED)
def test_a_divisor_that_vanishes_beside_inputs_with_constraints(new: str) -> None:
    """The class is *changed*: the point is on the input domain."""
    assert constrained("s + m", new).kind is ChangeClass.CHANGED


@pytest.mark.parametrize(("old", "new"), HARMLESS)
def test_other_orders_with_inputs_with_constraints(old: str, new: str) -> None:
    assert constrained(old, new).kind is ChangeClass.REASSOCIATED
    assert constrained(new, old).kind is ChangeClass.REASSOCIATED


def test_a_quaternion_that_is_none_and_a_mass_that_is_not_positive_are_off_the_domain() -> None:
    for divisor in ("(q->w - 3.0F)", "(m + 0.5F)"):
        new = f"s + m * {divisor} / {divisor}"
        assert constrained("s + m", new).kind is ChangeClass.GUARDS


def test_conditions_that_are_left_out_are_counted() -> None:
    few, many = ([f"(({{}} > 0.{k}F) ? x : w)" for k in range(10, 10 + count)] for count in (16, 20))
    for conditions, remark in ((few, ""), (many, "beside 8 conditions no points were compared")):
        old, new = (f"*r = {' + '.join(conditions)};".replace("{}", d) for d in ("x + y + z", "x + (y + z)"))
        found = compared(old, new, "float")
        assert found.kind is ChangeClass.REASSOCIATED
        assert remark in found.detail
        assert remark or "compared" not in found.detail
