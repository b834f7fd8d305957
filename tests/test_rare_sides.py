"""Round-off, zeros of divisors and lost digits behind conditions that few inputs meet, or that none does."""

from __future__ import annotations

import math
import re
from typing import TypeAlias

import pytest

from codegen.review.diff import Change, ChangeClass, compare_trees
from tests.conftest import sampled

FORM = """#include <math.h>
void fc_f_f64(double x, double y, double z, double u, double v, double *r)
{{
    double t = y;
    if ({condition}) {{
        t = {value};
    }}
    *r = t;
}}
"""

MET = [
    "fabs(x - 0.37) < 1e-5",
    "x == 0.37",
    "x + u == v",
    "x * u == v",
    "fabs(x * u / v - 0.37) < 1e-11",
    "fabs(x * u - 0.37) < 1e-9",
    "fabs(sin(x) - 0.9) < 1e-12",
    "fabs(sqrt(x) - 1.3) < 1e-9",
    "fabs(x + u + v - 1.0) < 1e-9",
    "x == 123456789.0 && u == 987654321.0",
    "x * x * x == 2.0 && u * u * v == 3.0 && v * x == 5.0",
    "fabs(exp(x) - 5.0) < 1e-13 && fabs(log(u) - x) < 1e-13",
    "fabs(x*x*x - 2.0*x*u - 5.0) < 1e-13 && fabs(u*u - x - v) < 1e-13 && fabs(v - 0.3) < 1e-13",
]
"""Conditions at which few points come, and points are found; y and z are free there."""

UNMET = [
    "x * x == 2.0 && u * u == 3.0",
    "x > 1e200 && u > 1e200 && fabs(x / u - 3.0) < 1e-12",
    "fabs(sin(1e9 * x) - 0.3) < 1e-12 && fabs(cos(1e9 * u) - x) < 1e-12 && fabs(sin(1e9 * v) - u) < 1e-12",
    "sin(x) * u > 5.0 && fabs(u) < 4.0",
]
"""Conditions for which no point is found."""

APART = [
    ("sqrt((y - z) * (y - z))", "sqrt(y * y - 2.0 * y * z + z * z)"),
    ("(y - z) * (y - z) < 0.0 ? 1.0 : 2.0", "y * y - 2.0 * y * z + z * z < 0.0 ? 1.0 : 2.0"),
    ("y + z", "(y * y - z * z) / (y - z)"),
    ("sqrt(y)", "y / sqrt(y)"),
    ("y / (z * z + 1.0)", "(y / z) / (z + 1.0 / z)"),
    ("y + z", "(y + 1e17) + (z - 1e17)"),
    ("y / (z * z + 1e-30)", "y / ((z * z + 1.0) + (1e-30 - 1.0))"),
    ("1.0 / (y - z)", "(y + z) / (y * y - z * z)"),
]
"""The same mathematics, of which the second form loses digits, or divides by zero."""

ALIKE = [("y + z + u", "y + (z + u)"), ("y * (z + u)", "y * z + y * u"), ("y * z * u", "u * z * y")]
"""The same mathematics, of which neither form is better than the other one."""


Case: TypeAlias = tuple[str, tuple[str, str]]
"""A condition, and a form behind it before and after."""


def compared(old: str, new: str) -> Change:
    (change,) = compare_trees({"fc_f.c": old}, {"fc_f.c": new})
    return change


def under(condition: str, forms: tuple[str, str]) -> Change:
    return compared(*(FORM.format(condition=condition, value=form) for form in forms))


@pytest.mark.parametrize("case", sampled([(c, f) for c in MET for f in APART], every=4, exhaustive=2))
def test_a_form_that_is_worse_on_a_rare_side_is_a_change(case: Case) -> None:
    found = under(*case)
    assert found.kind is ChangeClass.CHANGED
    assert found.witness is not None


@pytest.mark.parametrize("case", sampled([(c, f) for c in UNMET for f in APART], every=4, exhaustive=2))
def test_a_form_that_is_worse_where_no_point_comes_is_a_change(case: Case) -> None:
    """No counterexample is shown, as none was found that meets the condition."""
    found = under(*case)
    assert found.kind is ChangeClass.CHANGED
    assert found.detail.startswith("in a branch that no point was found to take, *r is ")
    assert found.witness is None


PROTECTED = [
    ("y > 0.5", ("sqrt(y)", "y / sqrt(y)")),
    ("fabs(y) > 1e-3", ("x", "x * y / y")),
    ("fabs(y - z) > 0.1", ("y + z", "(y * y - z * z) / (y - z)")),
    ("y > 0.0", ("atan2(x * (z + u), y)", "atan2(x * z + x * u, y)")),
]
"""Conditions under which the second form is as good as the first one."""


@pytest.mark.parametrize("unmet", sampled([*UNMET[:2], *UNMET[3:], "v > 2.0 && v < 1.0"], every=2))
@pytest.mark.parametrize(("guard", "forms"), PROTECTED)
def test_conditions_that_points_meet_protect_a_branch_that_none_takes(
    guard: str, forms: tuple[str, str], unmet: str
) -> None:
    for condition in (f"({unmet}) && {guard}", f"{guard} && ({unmet})"):
        assert under(condition, forms).kind is ChangeClass.REASSOCIATED


@pytest.mark.parametrize("case", sampled([(c, f) for c in MET for f in ALIKE], every=3))
def test_another_order_on_a_rare_side_stays_the_same_mathematics(case: Case) -> None:
    found = under(*case)
    assert found.kind is ChangeClass.REASSOCIATED
    assert "no point was found" not in found.detail


@pytest.mark.parametrize("case", sampled([(c, f) for c in UNMET for f in ALIKE], every=3))
def test_a_branch_that_no_point_takes_is_counted(case: Case) -> None:
    found = under(*case)
    assert found.kind is ChangeClass.REASSOCIATED
    assert found.detail.endswith("; no point was found that takes 1 branch")


@pytest.mark.parametrize("condition", MET)
def test_a_counterexample_on_a_rare_side_meets_its_condition(condition: str) -> None:
    found = under(condition, ("y + z", "(y + 1e17) + (z - 1e17)"))
    assert found.witness is not None
    names = {"fabs": abs, "sin": math.sin, "sqrt": math.sqrt, "exp": math.exp, "log": math.log}
    assert eval(condition.replace("&&", "and"), names, dict(found.witness.inputs))


CHOSEN = """#include <math.h>
void fc_f_f64(double x, double y, double z, double u, double v, double *r)
{{
    *r = {value};
}}
"""

DECIDED = [
    (f"{rare} && {{}} ? {sides}", ("x >= 1.0", "x + 1e9 >= 1000000001.0"))
    for rare in ("y == 0.25", "fabs(y - 0.25) < 1e-9", "fabs(y * z - 0.25) < 1e-9")
    for sides in ("u : v", "u * v : u + v", "2.0 * u : u", "1.0 : 2.0")
]
"""A comparison that matters where few inputs come, though both sides are the same in both versions."""

DECIDED += [
    (f"{rare} && {{}} ? u : v", ("fabs(x - 0.375) < 1e-9", "fabs((x + 1e7) - 10000000.375) < 1e-9"))
    for rare in ("y == 0.25", "fabs(y - 0.25) < 1e-9", "fabs(y * z - 0.25) < 1e-9", "y > 100.0", "y > 0.0")
]

JUMPS = [
    (f"{rare} ? floor({{}}) * u : v", forms)
    for rare in ("y == 0.25", "fabs(y - 0.25) < 1e-9", "y < 10.0")
    for forms in (("x", "(x + 1e9) - 1e9"), ("x", "(x - 0.3) / 49.0 * 49.0 + 0.3"))
]
"""The largest whole number below another one."""


@pytest.mark.parametrize("case", sampled([*DECIDED, *JUMPS], every=3))
def test_a_decision_that_matters_on_a_rare_side_is_searched(case: Case) -> None:
    form, (old, new) = case
    assert compared(*(CHOSEN.format(value=form.format(x)) for x in (old, new))).kind is ChangeClass.CHANGED


FLAGGED = """#include <math.h>
int fc_f_f64(double x, double y, double u)
{{
    int status = 0;
    if ({condition}) {{
        status |= 1;
    }}
    return status;
}}
"""


@pytest.mark.parametrize(
    ("rare", "forms"),
    [
        ("y == 0.25 && {}", ("x >= 1.0", "x + 1e9 >= 1000000001.0")),
        ("!(y == 0.25) || {}", ("x >= 1.0", "x + 1e9 >= 1000000001.0")),
        ("u == 0.25 && {}", ("(x - y) * (x - y) < 0.0", "x * x - 2.0 * x * y + y * y < 0.0")),
    ],
)
def test_a_flag_that_is_raised_on_a_rare_side_is_searched(rare: str, forms: tuple[str, str]) -> None:
    old, new = (FLAGGED.format(condition=rare.format(form)) for form in forms)
    assert compared(old, new).kind is ChangeClass.CHANGED


@pytest.mark.parametrize(
    ("rare", "forms"),
    [
        ("y == 0.25 ? x : 0.0", ("w >= 1.0 ? u : v", "w + 1e9 >= 1000000001.0 ? u : v")),
        ("y == 0.25 ? x : 1e9", ("sqrt((w - z) * (w - z))", "sqrt(w * w - 2.0 * w * z + z * z)")),
        ("y == 0.25 ? x : 0.0", ("floor(w) * u", "floor((w + 1e9) - 1e9) * u")),
    ],
)
def test_what_is_calculated_with_a_rare_choice_is_searched(rare: str, forms: tuple[str, str]) -> None:
    texts = [
        CHOSEN.format(value=form).replace("    *r", f"    const double w = {rare};\n    *r") for form in forms
    ]
    assert compared(*texts).kind is ChangeClass.CHANGED


@pytest.mark.parametrize("form", ["x >= 1.0 && {} ? u : v", "y == 0.25 && {} ? u : v", "floor({} ? x : y)"])
def test_another_order_in_a_decision_stays_the_same_mathematics(form: str) -> None:
    old, new = (CHOSEN.format(value=form.format(x)) for x in ("z + u + v > 1.0", "z + (u + v) > 1.0"))
    assert compared(old, new).kind is ChangeClass.REASSOCIATED


BEHIND = [
    "double t = x + u; if (u > 100.0) {{ t = {} < 0.0 ? 1.0 : 2.0; }} *r = u > 100.0 ? t : t + 1.0;",
    "const double e = 1.0 / ({} + 1e-8); *r = e > 3.0 ? 3.0 : e;",
    "const double e = 1.0 / ({} + 1e-8); *r = e > 3.0 ? 3.0 : e < -3.0 ? -3.0 : e;",
    "*r = sqrt({}) > v ? v : 2.0 * v;",
    "*r = u == 0.25 && sqrt({}) > v ? v : 2.0 * v;",
]
"""Lost digits that only a comparison shows, behind a saturation, or on one of two ways to a choice."""


BEHIND += [
    "*r = fabs(y) < 1e6 && fabs(z) < 1e6 && {} > 1.0 ? u : v;",
    "*r = {} > 1.0 ? u : v;",
    "*r = {} > 1.0 ? 1.0 : 2.0;",
]


@pytest.mark.parametrize("body", BEHIND)
def test_lost_digits_of_compared_numbers_are_found(body: str) -> None:
    texts = [
        CHOSEN.replace("*r = {value};", body).format(form)
        for form in ("(y - z) * (y - z)", "y * y - 2.0 * y * z + z * z")
    ]
    assert compared(*texts).kind is ChangeClass.CHANGED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x", "x * ((y * z - 0.123456) / (y * z - 0.123456))"),
        ("x", "x * ((y + z) / (y + z))"),
    ],
)
@pytest.mark.parametrize("way", ["u > 1.0 && v > 1.0 && fabs(y) < 50.0 && fabs(z) < 50.0", "u > 100.0"])
def test_a_divisor_that_vanishes_in_a_branch_is_found(old: str, new: str, way: str) -> None:
    texts = [CHOSEN.format(value=f"{way} ? {form} : v") for form in (old, new)]
    assert compared(*texts).kind is ChangeClass.CHANGED


def test_a_side_that_one_of_two_conditions_leads_to_is_searched() -> None:
    either = "z * z - 2.0 == 0.0 || u == 0.5 ? {} : v"
    texts = [CHOSEN.format(value=either.format(f)) for f in ("1.0 / (x - y)", "(x + y) / (x * x - y * y)")]
    assert compared(*texts).kind is ChangeClass.CHANGED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("floor(x * x + x * z) * u", "floor(x * (x + z)) * u"),
        ("floor(x + (y + (z + (u + v)))) * x", "floor(x + y + z + u + v) * x"),
        ("1.0 / (z + x + u > v ? y : x)", "1.0 / (z + (x + u) > v ? y : x)"),
        ("x / 3.0 * y / z", "x / z * (y / 3.0)"),
    ],
)
def test_jumps_that_round_off_decides_in_any_order_are_no_change(old: str, new: str) -> None:
    for real in ("double", "float"):
        texts = [CHOSEN.format(value=form) for form in (old, new)]
        if real == "float":
            texts = [
                t.replace("double", "float").replace(".0", ".0F").replace("floor", "floorf") for t in texts
            ]
            texts = [t.replace("f64", "f32") for t in texts]
        kinds = {compared(*texts).kind, compared(*texts[::-1]).kind}
        assert kinds == {ChangeClass.REASSOCIATED}


@pytest.mark.parametrize("least", ["1e-6", "1e-8", "1e-12"])
def test_digits_that_are_lost_only_where_nearly_equal_numbers_are_large(least: str) -> None:
    forms = "(y - z) * (y - z)", "y * y - 2.0 * y * z + z * z"
    texts = [CHOSEN.format(value=f"x / ({form} + {least})") for form in forms]
    assert compared(*texts).kind is ChangeClass.CHANGED


LARGE = """#include <math.h>
void fc_f_f64(double x, double y, double u, double v, double r[2])
{{
    double p = x;
{steps}    r[0] = {value};
    r[1] = p;
}}
"""
EXPANDED = ("sqrt((y * y - 2.5) * (y * y - 2.5))", "sqrt(y * y * y * y - 5.0 * y * y + 6.25)")


def large(steps: int, value: str) -> str:
    step = "    p = p * 0.9 + {}.25 * {};\n"
    return LARGE.format(steps="".join(step.format(k, "uv"[k % 2]) for k in range(steps)), value=value)


def test_lost_digits_of_a_short_formula_in_a_long_function_are_found() -> None:
    old, new = (large(700, value) for value in EXPANDED)
    assert compared(old, new).kind is ChangeClass.CHANGED


@pytest.mark.exhaustive
def test_a_search_for_lost_digits_that_is_cut_short_is_reported() -> None:
    old, new = (large(1300, f"{value} + p * 1e-30") for value in EXPANDED)
    found = compared(old, new)
    is_told = "the search for lost digits was cut short, as the function is large" in found.detail
    assert found.kind is ChangeClass.CHANGED or is_told


DIVISORS = """#include <math.h>
void fc_f_f64(double y, double z, double u, double *r)
{{
    double p = {start};
{steps}    *r = {end};
}}
"""


def divided(count: int) -> Change:
    """A sum whose new form has divisors that are never zero, and behind them one that is."""
    ok = "fabs(u) < 1e300 && fabs(z) < 1e100"
    one = "    p += {0} ? (z * z + {1}.0) / (z * z + {1}.0) * z : z;\n"
    old = DIVISORS.format(start="y", steps="    p += z;\n" * count, end="p")
    steps = "".join(one.format("ok", k) for k in range(1, count + 1))
    end = "p + (ok ? y * ((u - 0.123456) / (u - 0.123456)) : y)"
    new = DIVISORS.format(start="0.0", steps=steps, end=end)
    return compared(old, new.replace("    double p", f"    const int ok = {ok};\n    double p"))


@pytest.mark.parametrize("count", [3, 20])
def test_the_zero_of_one_of_many_divisors_is_found(count: int) -> None:
    assert divided(count).kind is ChangeClass.CHANGED


@pytest.mark.exhaustive
def test_divisors_whose_zeros_are_not_searched_are_counted() -> None:
    assert divided(70).detail.endswith("; zeros of 7 divisors were not searched, as there are so many")


@pytest.mark.parametrize("zero", ["0.123456", "0.000123", "0.9"])
def test_the_zero_of_a_divisor_that_jumps_is_found(zero: str) -> None:
    divisor = f"((u > 0.0 && u < 1.0 ? u : 1.5) - {zero})"
    old = DIVISORS.format(start="y", steps="", end="p")
    assert compared(old, old.replace("= y", f"= y * ({divisor} / {divisor})")).kind is ChangeClass.CHANGED


def test_a_pole_is_certain_only_beyond_the_round_off_of_any_order() -> None:
    """At x = -1, y = -4.6e-8, z = -3.6e-8 one order gives -1 - 2^-23, which has no arc cosine."""
    old = FORM.format(condition="x + (y + z) <= 1.0", value="acos(x + (y + z))")
    new = old.replace("x + (y + z)", "x + y + z")
    old, new = (
        re.sub(r"double", "float", t).replace("acos", "acosf").replace("1.0", "1.0F") for t in (old, new)
    )
    assert compared(old.replace("f64", "f32"), new.replace("f64", "f32")).kind is ChangeClass.REASSOCIATED


TIED = """#include <math.h>
void fc_f_f64(double x, double y, double z, double u, double v, double w, double *r)
{{
    *r = {value};
}}
"""
ZERO = "((x - 0.7) / (x - 0.7))"
EXPANDED_ROOT = "sqrt(x * x * y * y - 2.0 * x * y * z * w + z * z * w * w)"

JOINT = [
    ("fabs(x * u - 0.37) < 1e-9 ? floor({}) * v : w", "x", "(x + 1e9) - 1e9"),
    ("x + u == 3.0 ? floor({}) * v : w", "x", "(x + 1e9) - 1e9"),
    ("fabs(x * u - 0.37) < 1e-9 ? ({} ? v : w) : z", "x > 1.0", "x + 1e5 > 100001.0"),
    ("fabs(x * u - 0.37) < 1e-9 ? {} / ((x - 0.7) * (x - 0.7) + 1.0) : z", "y", f"y * {ZERO}"),
    ("fabs(x * u - 0.37) < 1e-9 && fabs(u) < 4.0 ? {} : z", "y", f"y * {ZERO}"),
    ("x + u == 3.0 ? {} : z", "y", f"y * {ZERO}"),
    ("fabs(x * x - u * v) < 1e-9 && x / u == 1.3 ? {} : z", "y", "y * ((v - 2.0) / (v - 2.0))"),
    ("u / v == 3.0 && {} > w ? w : 2.0 * w", "sqrt((x * y - z * w) * (x * y - z * w))", EXPANDED_ROOT),
]
"""What happens on a rare side only at some values of the inputs by which the side is rare."""

ROUNDED = [
    ("fabs(x + u - v) <= 0.0 ? {} : w", "y", "y * ((z - 0.123456) / (z - 0.123456))"),
    ("x * u == v ? ({} > 0.0 ? 1.0 : 2.0) : w", "y", "y * ((z - 0.123456) / (z - 0.123456))"),
    ("u / v == 3.0 && {} > x * w + 1.0 ? w : 2.0 * w", "y", "y * (z - 0.123456) / (z - 0.123456)"),
]
"""Zeros of divisors behind an equality that round-off decides."""

SINGLE = [
    "fabs(y) + fabs(z - 2.0)",
    "(y - 1.5) * (y - 1.5) + (z - 2.0) * (z - 2.0)",
    "y * y + (z - 2.0) * (z - 2.0) + fabs(u - 0.3)",
    "sqrt((x - 0.3) * (x - 0.3) + v * v)",
    "sin(y) - 1.0",
    "y * y + y * z + z * z",
]
"""Divisors that are zero at single points, and have the same sign around them."""


@pytest.mark.parametrize(("form", "old", "new"), [*JOINT, *ROUNDED])
def test_rare_inputs_of_a_rare_side_are_searched(form: str, old: str, new: str) -> None:
    before, after = (TIED.format(value=form.format(value)) for value in (old, new))
    assert compared(before, after).kind is ChangeClass.CHANGED


@pytest.mark.parametrize("divisor", SINGLE)
@pytest.mark.parametrize("form", ["{}", "fabs(y) < 50.0 && fabs(z) < 50.0 && fabs(u) < 50.0 ? {} : 1.0"])
def test_a_divisor_that_is_zero_at_single_points_is_searched(divisor: str, form: str) -> None:
    before, after = (
        TIED.format(value=form.format(value)) for value in ("w", f"w * (({divisor}) / ({divisor}))")
    )
    change = compared(before, after)
    assert change.kind is ChangeClass.CHANGED
