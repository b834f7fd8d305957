# ruff: noqa: E501
"""Functions of a tree written by hand where they were called, also public ones, and with addresses of locals.

What does the same is cosmetic. What leaves out a statement of theirs, takes another argument or reads one
later than the call did is not.
"""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

HEADER = """typedef struct {
    float x;
    float y;
} pair;

void fc_half_f32(float x, float *y);
unsigned int fc_checked_f32(float x, float *y);
"""
HALF = """#include "fc_h.h"

void fc_half_f32(float x, float *y)
{
    const float t = x * 0.5F;

    *y = t > 1.0F ? 1.0F : t;
}

unsigned int fc_checked_f32(float x, float *y)
{
    if (x < 0.0F) {
        *y = 0.0F;
        return 4u;
    }
    *y = x;
    return 0u;
}
"""
FORM = """#include "fc_h.h"

{top}unsigned int fc_f_f32(int n, int m, const float r[], float s[], const pair u[], int *used)
{{
    unsigned int status = 0u;
    float total = 0.0F;
    int count = 0;
    int i;
    {body}
    s[0] = total;
    *used = count;
    return status;
}}
"""
CALL = "for (i = 0; i < n; i++) { if (r[i] > 2.0F) { fc_half_f32(s[i] - r[i], &s[i]); } }"
HAND = "for (i = 0; i < n; i++) { if (r[i] > 2.0F) { const float t = (s[i] - r[i]) * 0.5F; s[i] = t > 1.0F ? 1.0F : t; } }"
LOCAL = "for (i = 0; i < n; i++) { float half; fc_half_f32(r[i], &half); total += half; }"
LOCAL_HAND = "for (i = 0; i < n; i++) { const float t = r[i] * 0.5F; total += t > 1.0F ? 1.0F : t; }"
SELF = "for (i = 0; i < n; i++) { fc_half_f32(total + r[i], &total); }"
SELF_HAND = "for (i = 0; i < n; i++) { const float t = (total + r[i]) * 0.5F; total = t > 1.0F ? 1.0F : t; }"
FLAG = "for (i = 0; i < n; i++) { float v; status |= fc_checked_f32(r[i], &v); total += v; }"
FLAG_HAND = (
    "for (i = 0; i < n; i++) { float v = r[i]; if (r[i] < 0.0F) { v = 0.0F; status |= 4u; } total += v; }"
)
SUM = "for (i = 0; i < n; i++) { total += r[i]; count++; }"
ADD = "static void add(float *sum, float x, int *k)\n{\n    *sum += x;\n    (*k)++;\n}\n\n"
ADD_ALL = "static void add(float *sum, const float x[], int n, int *k)\n{\n    int i;\n    for (i = 0; i < n; i++) {\n        *sum += x[i];\n        (*k)++;\n    }\n}\n\n"
NEXT = "static float next(float x)\n{\n    if (x < 0.0F) {\n        return -x;\n    }\n    if (x > 4.0F) {\n        return 4.0F;\n    }\n    return x * x;\n}\n\n"
STEPS = "for (i = 0; i < n; i++) { float q; if (r[i] < 0.0F) { q = -r[i]; } else if (r[i] > 4.0F) { q = 4.0F; } else { q = r[i] * r[i]; } s[i] = q; }"
DEEP = "static void one(float *x)\n{\n    fc_half_f32(*x, x);\n}\n\nstatic void two(float *x)\n{\n    one(x);\n    one(x);\n}\n\n"
TWICE = "for (i = 0; i < n; i++) { float a = total + r[i]; two(&a); total = a; }"
TWICE_HAND = "for (i = 0; i < n; i++) { float a = (total + r[i]) * 0.5F; if (a > 1.0F) { a = 1.0F; } a = a * 0.5F; if (a > 1.0F) { a = 1.0F; } total = a; }"

SAME = [
    (CALL, "", HAND, ""),
    (LOCAL, "", LOCAL_HAND, ""),
    (SELF, "", SELF_HAND, ""),
    (FLAG, "", FLAG_HAND, ""),
    (SUM, "", "for (i = 0; i < n; i++) { add(&total, r[i], &count); }", ADD),
    (SUM, "", "add(&total, r, n, &count);", ADD_ALL),
    (SUM, "", "add(&total, &r[0], n, &count);", ADD_ALL.replace("static", "static inline")),
    ("for (i = 0; i < n; i++) { s[i] = next(r[i]); }", NEXT, STEPS, ""),
    (TWICE, DEEP, TWICE_HAND, ""),
    (HAND, "", HAND.replace("const float t = (s[i] - r[i]) * 0.5F; s[i] = t > 1.0F ? 1.0F : t;", "float t; fc_half_f32(s[i] - r[i], &t); s[i] = t;"), ""),
]  # fmt: skip
OTHER = [
    (CALL, "", HAND.replace("t > 1.0F", "t >= 1.0F"), ""),  # a NaN apart, 1 is 1: but it is not the same test
    (CALL, "", HAND.replace("0.5F", "0.25F"), ""),
    (CALL, "", HAND.replace("? 1.0F : t", "? t : 1.0F"), ""),
    (CALL, "", HAND.replace("s[i] = t > 1.0F ? 1.0F : t;", "if (t > 1.0F) { s[i] = 1.0F; }"), ""),
    (CALL, "", HAND.replace("t > 1.0F ? 1.0F : t", "!(t <= 1.0F) ? 1.0F : t"), ""),  # a NaN
    (CALL, "", HAND.replace("i < n", "i + 1 < n"), ""),
    (CALL, "", HAND.replace("const float t = (s[i] - r[i]) * 0.5F; s[i] =", "float t; s[i] = 0.0F; t = (s[i] - r[i]) * 0.5F; s[i] ="), ""),
    (LOCAL, "", LOCAL_HAND.replace("const float t", "const double t"), ""),
    (SELF, "", SELF_HAND.replace("total + r[i]", "r[i]"), ""),
    (FLAG, "", FLAG_HAND.replace("status |= 4u", "status = 8u"), ""),
    (FLAG, "", FLAG_HAND.replace("status |= 4u", "status |= 4u; break"), ""),
    (FLAG, "", FLAG_HAND.replace("v = 0.0F; ", ""), ""),
    (SUM, "", "add(&total, r, n - 1, &count);", ADD_ALL),
    (SUM, "", "add(&total, r, n, &count);", ADD_ALL.replace("(*k)++", "k++")),
    (SUM, "", "add(&total, r, n, &count);", ADD_ALL.replace("*sum +=", "*sum =")),
    (SUM, "", "add(&size, r, n, &count);", ADD_ALL),
    (SUM, "", "float size = total; add(&size, r, n, &count);", ADD_ALL),
    (SUM, "", "add(&s[1], r, n, &count); total = s[1];", ADD_ALL),  # r may be there, too
    (SUM, "", "add(&total, r, n, &i); count = i;", ADD_ALL.replace("int i;\n    for (i = 0", "for (int i = 0")),
    ("for (i = 0; i < n; i++) { s[i] = next(r[i]); }", NEXT, STEPS.replace("else if", "if"), ""),
    ("for (i = 0; i < n; i++) { s[i] = next(r[i]); }", NEXT, STEPS.replace("> 4.0F", "< 4.0F"), ""),
    ("for (i = 0; i < n; i++) { s[i] = next(r[i]); }", NEXT, STEPS.replace("q = 4.0F;", "break;"), ""),
    (TWICE, DEEP, TWICE_HAND.replace("a = a * 0.5F; ", ""), ""),
    (TWICE, DEEP, TWICE_HAND.replace("total = a;", ""), ""),
    ("for (i = 0; i < n; i++) { add(&total, r[i], &count); }", ADD, "for (i = 0; i < n; i++) { add(&total, r[i], &count); }", ADD.replace("+= x", "-= x")),
]  # fmt: skip


def kind(old: tuple[str, str], new: tuple[str, str], half: str = HALF) -> ChangeClass:
    """The class of the change of the caller; the functions of the other file are those of `half` in the new tree."""
    trees = [
        {"fc_h.h": HEADER, "fc_h.c": other, "fc_f.c": FORM.format(body=body, top=top)}
        for (body, top), other in ((old, HALF), (new, half))
    ]
    changes = compare_trees(trees[0], trees[1])
    return next(change.kind for change in changes if change.symbol == "fc_f_f32")


@pytest.mark.parametrize(("old", "top", "new", "new_top"), SAME)
def test_a_function_is_written_where_it_is_called(old: str, top: str, new: str, new_top: str) -> None:
    assert kind((old, top), (new, new_top)) is ChangeClass.COSMETIC
    assert kind((new, new_top), (old, top)) is ChangeClass.COSMETIC


@pytest.mark.parametrize(("old", "top", "new", "new_top"), OTHER)
def test_another_function_in_its_place_is_not_the_same(old: str, top: str, new: str, new_top: str) -> None:
    for pair in (((old, top), (new, new_top)), ((new, new_top), (old, top))):
        assert kind(*pair) in (ChangeClass.UNREADABLE, ChangeClass.CHANGED)


def test_what_was_written_in_line_is_the_function_of_its_own_tree() -> None:
    """The old function's statements, and not those which it has in the new tree, are compared."""
    changed = HALF.replace("0.5F", "0.25F")
    assert kind((CALL, ""), (HAND, ""), changed) in (ChangeClass.CHANGED, ChangeClass.UNREADABLE)
    assert kind((HAND, ""), (CALL, ""), changed) in (ChangeClass.CHANGED, ChangeClass.UNREADABLE)


def test_names_of_another_file_mean_what_they_mean_there() -> None:
    """A constant of the file of a function is not one of its caller's file."""
    half = HALF.replace("0.5F", "part").replace(
        "void fc_half", "static const float part = 0.5F;\n\nvoid fc_half", 1
    )
    top = "static const float part = 0.25F;\n\n"
    for body in (HAND, HAND.replace("0.5F", "part")):
        trees = [
            {"fc_h.h": HEADER, "fc_h.c": half, "fc_f.c": FORM.format(body=b, top=top)} for b in (CALL, body)
        ]
        changes = compare_trees(trees[0], trees[1])
        assert next(c.kind for c in changes if c.symbol == "fc_f_f32") is ChangeClass.UNREADABLE
