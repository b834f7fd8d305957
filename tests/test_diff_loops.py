"""Loops of known numbers of turns in other forms, variables that hide others, and harmful neighbours."""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees

FORM = """#include <stddef.h>

void fc_f_f64(const double x[6], double y[6])
{{
    int i;
    double t = x[1];
    {body}
    y[0] += t;
}}
"""
SUM = "for (i = 0; i < 6; i++) {{ {} }}".format("y[i] = x[i] * 2.0;")
SAME = [
    "for (int i = 0; i < 6; i++) { y[i] = x[i] * 2.0; }",
    "for (i = 0; i < 6; i++) { const double t = x[i]; y[i] = t * 2.0; }",
    "for (i = 0; i < 6; i++) { double t = x[i]; { double t = 3.0; (void)t; } y[i] = t * 2.0; }",
    "{ int i; for (i = 0; i < 6; i++) { y[i] = x[i] * 2.0; } }",
    "i = 6; while (i-- > 0) { y[i] = x[i] * 2.0; }",
    "i = 6; while (--i >= 0) { y[i] = x[i] * 2.0; }",
    "for (int k = 6; k-- > 0;) { y[k] = x[k] * 2.0; }",
    "for (int k = 6; --k >= 0;) { y[k] = x[k] * 2.0; }",
    "for (unsigned int k = 6u; k-- > 0u;) { y[k] = x[k] * 2.0; }",
    "for (size_t k = 6; k-- > 0;) { y[k] = x[k] * 2.0; }",
    "for (size_t k = 6; k--;) { y[k] = x[k] * 2.0; }",
    "for (i = 0;; i++) { if (i >= 6) { break; } y[i] = x[i] * 2.0; }",
    "i = 0; while (1) { if (!(i < 6)) break; y[i] = x[i] * 2.0; i++; }",
]
CHANGED = [
    "for (int i = 1; i < 6; i++) { y[i] = x[i] * 2.0; }",
    "for (i = 0; i < 6; i++) { const double t = x[1]; y[i] = t * 2.0; }",
    "for (i = 0; i < 6; i++) { t = x[i]; y[i] = t * 2.0; }",
    "for (i = 0; i < 6; i++) { { int i = 2; y[i] = x[i] * 2.0; } }",
    "i = 6; while (--i > 0) { y[i] = x[i] * 2.0; }",
    "i = 5; while (i-- > 0) { y[i] = x[i] * 2.0; }",
    "i = 6; while (i-- > 0) { y[i] = x[i] * 2.0; } t += (double)i;",
    "for (int k = 6; k-- > 1;) { y[k] = x[k] * 2.0; }",
    "for (i = 0;; i++) { if (i >= 5) { break; } y[i] = x[i] * 2.0; }",
    "for (i = 0;; i++) { if (i < 6) { break; } y[i] = x[i] * 2.0; }",
]
UNREADABLE = [
    "for (int i = 0; i < 6; i++) { int i = 2; y[i] = x[i] * 2.0; }",  # no C++
    "int i; for (i = 0; i < 6; i++) { y[i] = x[i] * 2.0; }",
    "i = 6; while (i-- >= 0) { y[i] = x[i] * 2.0; }",
    "for (unsigned int k = 5u; k >= 0u; k--) { y[k] = x[k] * 2.0; }",
    "for (size_t k = 5; k >= 0; k--) { y[k] = x[k] * 2.0; }",
    "i = 6; while (i-- > 0) { if (i == 2) { break; } y[i] = x[i] * 2.0; }",
]


def kind(body: str) -> ChangeClass:
    old, new = ({"a.c": FORM.format(body=text)} for text in (SUM, body))
    (found,) = compare_trees(old, new)
    return found.kind


@pytest.mark.parametrize("body", SAME)
def test_the_same_turns(body: str) -> None:
    assert kind(body) is ChangeClass.COSMETIC


@pytest.mark.parametrize("body", CHANGED)
def test_other_turns(body: str) -> None:
    assert kind(body) is ChangeClass.CHANGED


@pytest.mark.parametrize("body", UNREADABLE)
def test_turns_that_c_does_not_define_or_that_are_not_known(body: str) -> None:
    assert kind(body) is ChangeClass.UNREADABLE


def test_a_member_is_no_variable() -> None:
    struct = "struct {{ double t; double i; }} p; p.t = t; p.i = 2.0; y[1] = {}; "
    old, new = (struct.format(value).replace("{{", "{").replace("}}", "}") for value in ("p.t", "p.i"))
    before, after = ({"a.c": FORM.format(body=f"{{ {body} }}")} for body in (old, new))
    (found,) = compare_trees(before, after)
    assert found.kind is ChangeClass.CHANGED
