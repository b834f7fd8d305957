"""Hints to compilers, static assertions, squares by pow, and conditions of which one holds at most."""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

typedef struct {{
    float x;
    float y;
}} pair;

{top}
{head}void fc_f_f32(float x, const pair *u, float *y)
{{
    {first}
    *y = {value};
}}
"""
VALUE = "x > 3.0F ? u->x : x < -3.0F ? u->y : 4.0F"


def form(top: str = "", head: str = "", first: str = "", value: str = VALUE) -> str:
    return FORM.format(top=top, head=head, first=first, value=value)


def kind(new: str, old: str = "") -> ChangeClass:
    (found,) = (c for c in compare_trees({"a.c": old or form()}, {"a.c": new}) if c.symbol == "fc_f_f32")
    return found.kind


def macro(given: str, other: str, test: str = "#ifdef __GNUC__") -> str:
    return f"{test}\n#define RARE{given}\n#else\n#define RARE{other}\n#endif\n"


BOTH = "#if defined(__GNUC__) || defined(__clang__)"
HELPER = "float half(float z)\n{\n    return z * 0.5F;\n}\n"
HALF = VALUE.replace("u->x", "half(u->x)")
RARE = VALUE.replace("x > 3.0F", "RARE(x > 3.0F)")
TWO_IFS = "float z = 4.0F;\n    if (x < -3.0F) {\n        z = u->y;\n    }\n"

SAME = [
    form(top='_Static_assert(sizeof(float) == 4, "float");'),
    form(top='static_assert(sizeof(double) == 8, "double");'),
    form(top='_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24, "IEEE 754");'),
    form(top='_Static_assert(sizeof(pair) == 2 * sizeof(float), "padding");'),
    form(first='_Static_assert(sizeof(pair) == 8, "padding");'),
    form(first='static_assert(sizeof(int) >= 4, "int");'),
    form(value=VALUE.replace("x > 3.0F", "__builtin_expect(x > 3.0F, 1)")),
    form(value=VALUE.replace("x > 3.0F", "__builtin_expect(!!(x > 3.0F), 0)")),
    form("#define RARE(c) __builtin_expect(!!(c), 0)", value=RARE),
    form(
        macro("(c) __builtin_expect(!!(c), 0)", "(c) (c)", BOTH),
        value=RARE,
    ),
    form(head="__attribute__((hot)) "),
    form(head="__attribute__((__cold__, noinline)) "),
    form(macro(" __attribute__((hot))", ""), head="RARE "),
    form(macro("", " __attribute__((cold))", "#ifndef __GNUC__"), head="RARE "),
    form(top="void fc_f_f32(float x, const pair *u, float *y) __attribute__((hot));"),
    form(value=VALUE.replace("x > 3.0F ? u->x : x < -3.0F ? u->y", "x < -3.0F ? u->y : x > 3.0F ? u->x")),
    form(first=f"{TWO_IFS}    if (x > 3.0F) {{\n        z = u->x;\n    }}", value="z"),
    form(first=f"{TWO_IFS}    else if (x > 3.0F) {{\n        z = u->x;\n    }}", value="z"),
]
OTHER = [
    form(top='_Static_assert(sizeof(float) == 8, "float");'),
    form(top='_Static_assert(sizeof(void *) == 8, "pointer");'),
    form(top='_Static_assert(FLT_EVAL_METHOD == 0, "evaluation");'),
    form(top='_Static_assert(sizeof(pair) > 8, "padding");'),
    form(top='_Static_assert(sizeof(float) == 4 && sizeof(pair) == 4, "padding");'),
    form(first='_Static_assert(sizeof(pair) == 9, "padding");'),
    form(first='static_assert(sizeof(float) > sizeof(double), "float");'),
    form(value=VALUE.replace("x > 3.0F", "__builtin_expect(x > 2.0F, 1)")),
    form(value=VALUE.replace("x > 3.0F", "__builtin_expect(x - 3.0F, 1)"), first=""),  # is made a long
    form(value=VALUE.replace("x > 3.0F", "__builtin_expect(1, x > 3.0F)")),
    form("#define RARE(c) __builtin_expect(!(c), 0)", value=RARE),
    form(
        macro("(c) __builtin_expect(!!(c), 0)", "(c) (!(c))"), value=RARE
    ),
    form(macro("(c) __builtin_expect(c, 0)", "(c) c"), value=RARE),
    form(macro("(c) __builtin_expect(!!(c), 0)", "(c) (1)"), value=RARE),
    form(
        macro("(c) __builtin_expect(!!(c), 0)", "(c) (c)"), value=VALUE.replace("x > 3.0F", "RARE(x - 3.0F)")
    ),
    form(head="__attribute__((weak)) "),
    form(head='__attribute__((optimize("fast-math"))) '),
    form(head="__attribute__((hot, constructor)) "),
    form(head='__attribute__((section(".fast"))) '),
    form(macro(" __attribute__((weak))", ""), head="RARE "),
    form(macro(" __attribute__((hot))", " static"), head="RARE "),
    form(top="void fc_f_f32(float x, const pair *u, float *y) __attribute__((alias(\"g\")));"),
    form(value="x < 3.0F ? u->y : x > -3.0F ? u->x : 4.0F"),
    form(value="x < -3.0F ? u->x : x > 3.0F ? u->y : 4.0F"),
    form(value="x > 3.0F ? u->x : !(x < -3.0F) ? u->y : 4.0F"),
    form(first=f"{TWO_IFS}    if (x > -4.0F) {{\n        z = u->x;\n    }}", value="z"),
]  # fmt: skip
SAFE = (ChangeClass.COSMETIC, ChangeClass.IDENTICAL)
LEAST = (ChangeClass.CHANGED, ChangeClass.UNREADABLE, ChangeClass.INTERFACE)


@pytest.mark.parametrize("new", SAME)
def test_what_only_hints_or_surely_holds_is_cosmetic(new: str) -> None:
    assert kind(new) in SAFE


@pytest.mark.parametrize("new", OTHER)
def test_what_may_change_what_is_done_is_not(new: str) -> None:
    assert kind(new) in LEAST


OVERLAPPING = [("x > 3.0F", "x < 4.0F"), ("x >= 3.0F", "x <= 3.0F"), ("x > 3.0F", "u->x < 3.0F")]


@pytest.mark.parametrize(("one", "other"), OVERLAPPING)
def test_conditions_that_overlap_are_not_exchanged(one: str, other: str) -> None:
    old, new = f"{one} ? 1.0F : {other} ? 2.0F : 4.0F", f"{other} ? 2.0F : {one} ? 1.0F : 4.0F"
    assert kind(form(value=new), form(value=old)) is ChangeClass.CHANGED


@pytest.mark.parametrize(
    ("attribute", "is_harmless"),
    [("noinline", True), ("unused", True), ("always_inline", True), ("pure", True), ("malloc", False)],
)
def test_attributes_of_functions_that_are_called(attribute: str, is_harmless: bool) -> None:
    top = f"static inline __attribute__(({attribute})) {HELPER}"
    found = kind(form(top=top, value=HALF), form(top=f"static {HELPER}", value=HALF))
    assert (found in SAFE) is is_harmless


def test_an_attribute_of_variables_is_none_of_functions() -> None:
    old = form(first="const float z = x;", value="z")
    assert (
        kind(form(first="const float z __attribute__((unused)) = x;", value="z"), old) is ChangeClass.COSMETIC
    )
    assert kind(form(first="const float z __attribute__((hot)) = x;", value="z"), old) in LEAST


def test_a_static_assertion_in_a_header_is_none_for_cpp() -> None:
    old = {"a.h": "#ifndef A_H\n#define A_H\n\nvoid fc_f_f32(float x, float *y);\n\n#endif\n"}
    old["a.c"] = '#include "a.h"\n\nvoid fc_f_f32(float x, float *y)\n{\n    *y = x;\n}\n'
    new = old["a.h"].replace("void", '_Static_assert(sizeof(float) == 4, "float");\n\nvoid', 1)
    (found,) = (c for c in compare_trees(old, {**old, "a.h": new}) if c.symbol == "fc_f_f32")
    assert found.kind is not ChangeClass.COSMETIC


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("x * x", "powf(x, 2.0F)", ChangeClass.REASSOCIATED),
        ("x * x", "powf(x, 2)", ChangeClass.REASSOCIATED),
        ("x * x * u->x", "powf(x, 2.0F) * u->x", ChangeClass.REASSOCIATED),
        ("x * x", "(float)pow(x, 2)", ChangeClass.REASSOCIATED),
        ("x * x", "pow((double)x, 2.0)", ChangeClass.REASSOCIATED),
        ("x * x * u->x", "(float)pow(x, 2) * u->x", ChangeClass.REASSOCIATED),
        ("x * x * u->x", "(float)(pow(x, 2) * u->x)", ChangeClass.CHANGED),
        ("x * x + 1.0F", "(float)(pow(x, 2) + 1.0)", ChangeClass.CHANGED),
        ("x * x", "(float)pow(x + 1.0, 2)", ChangeClass.CHANGED),
        ("x * x", "(float)-pow(x, 2)", ChangeClass.CHANGED),
        ("x * x", "(float)pow(x, 2.5)", ChangeClass.UNREADABLE),
        ("x * x", "powf(u->x, 2.0F)", ChangeClass.CHANGED),
        ("x * x", "-powf(x, 2.0F)", ChangeClass.CHANGED),
        ("x * x", "powf(x, 3.0F)", ChangeClass.UNREADABLE),
        ("x * x", "powf(2.0F, x)", ChangeClass.UNREADABLE),
        ("x * x", "powf(x, 2.0F + u->x)", ChangeClass.UNREADABLE),
    ],
)
def test_the_second_power_is_a_square(old: str, new: str, wanted: ChangeClass) -> None:
    assert kind(form(value=new), form(value=old)) is wanted


@pytest.mark.parametrize(
    ("enumerated", "is_same"), [("= 4u", True), ("= 2u", False), ("= 2147483652u", False), ("", False)]
)
def test_an_enumerator_of_an_unsigned_number_is_an_int(enumerated: str, is_same: bool) -> None:
    old = "unsigned int f(float x)\n{\n    return x > 1.0F ? 4u : 0u;\n}\n"
    new = f"enum {{ RAISED {enumerated} }};\n\n" + old.replace("4u", "RAISED")
    (found,) = compare_trees({"a.c": old}, {"a.c": new})
    assert (found.kind is ChangeClass.COSMETIC) is is_same
    assert is_same or found.kind in LEAST
