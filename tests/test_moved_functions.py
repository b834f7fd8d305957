"""Static functions that move to another file, as where a library becomes header-only, and their callers."""

from __future__ import annotations

import pytest

from codegen.emit.options import Options
from codegen.review.diff import ChangeClass, compare_trees
from codegen.tree.assemble import render_tree
from tests.test_sines import both

HEADER = """#ifndef FC_F_H
#define FC_F_H

static inline float fc_turned_f32(float x)
{
    float y = x;
    while (y > 3.0F) {
        y -= 6.0F;
    }
    return y;
}

void fc_f_f32(float x, float *y);

#endif
"""
SOURCE = """#include "fc_f.h"

void fc_f_f32(float x, float *y)
{
    *y = fc_turned_f32(x) * 2.0F;
}
"""
TURNED = HEADER[HEADER.index("static inline") : HEADER.index("void fc_f_f32")]
OLD = {"fc_f.h": HEADER, "fc_f.c": SOURCE}
PLAIN = HEADER.replace(TURNED, "")
OWN = TURNED.replace("static inline", "static")
SEVERE = (ChangeClass.CHANGED, ChangeClass.UNREADABLE)


def moved(function: str) -> dict[str, str]:
    """The same tree with a function in the file that calls it."""
    return {"fc_f.h": PLAIN, "fc_f.c": SOURCE.replace("\nvoid", f"\n{function}void")}


def kinds(old: dict[str, str], new: dict[str, str]) -> set[ChangeClass]:
    (change,) = (c for c in compare_trees(old, new) if c.symbol == "fc_f_f32")
    return {change.kind, *change.also}


@pytest.mark.parametrize("layouts", [("library", "header-only"), ("header-only", "library")])
@pytest.mark.parametrize("sincos", ["libm", "pairs"])
def test_another_layout_is_another_interface_and_no_other_value(
    sincos: str, layouts: tuple[str, str]
) -> None:
    before, after = (render_tree([both()], Options(sincos=sincos, layout=layout)) for layout in layouts)
    for change in compare_trees(before, after):
        assert not {change.kind, *change.also} & {*SEVERE}, change


def test_a_function_that_moves_to_its_caller_does_the_same() -> None:
    assert kinds(OLD, moved(OWN)).isdisjoint(SEVERE)
    assert kinds(moved(OWN), OLD).isdisjoint(SEVERE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("6.0F", "6.5F"),
        ("float x)", "double x)"),
        ("static float", "static double"),
        ("y > 3.0F", "y >= 3.0F"),
        ("return y", "return x"),
    ],
)
def test_a_function_that_changes_on_its_way_changes_its_caller(before: str, after: str) -> None:
    assert before in OWN
    assert not kinds(OLD, moved(OWN.replace(before, after))).isdisjoint(SEVERE)


def test_a_function_that_its_caller_no_longer_sees_changes_it() -> None:
    elsewhere = {"fc_f.h": PLAIN, "fc_f.c": SOURCE, "fc_g.c": '#include "fc_f.h"\n\n' + OWN.rstrip() + "\n"}
    assert not kinds(OLD, elsewhere).isdisjoint(SEVERE)


def test_a_function_that_is_the_same_text_with_another_macro_changes_its_caller() -> None:
    new = moved(OWN)
    new["fc_f.c"] = new["fc_f.c"].replace("static", "#define y x\n\nstatic", 1)
    assert not kinds(OLD, new).isdisjoint(SEVERE)
