"""What a header gives to programs: none of it is lost, or means something else, unnoticed."""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees
from codegen.review.diff.compare import both, compare_surroundings

TREE = {
    "fc_types.h": "#ifndef FC_TYPES_H\n#define FC_TYPES_H\n%s\n#endif\n",
    "fc_f_f64.h": '#ifndef FC_F_F64_H\n#define FC_F_F64_H\n#include "fc_types.h"\n%s\n'
    "void fc_f_f64(double x, double *y);\n#endif\n",
    "fc_f_f64.c": '#include "fc_f_f64.h"\n\nvoid fc_f_f64(double x, double *y)\n{\n    *y = 2.0 * x;\n}\n',
}
G = "static const double FC_G = 9.8;"
PAIR = "static const double FC_G[2] = {9.8, 1.0};"
ROWS = "static const int FC_ROWS = 3;"
NAMED = "enum { FC_ROWS = 3 };"
DEFAULT = "#ifndef FC_G\n#define FC_G 9.8\n#endif"
LONG = f"static const double FC_G[41] = {{{'0.0, ' * 40}%s}};"
LATER = "void fc_later(double x, double y);"
POINT = "typedef struct fc_pair { double a; double b; } fc_point;"


def tree(line: str, other: str = "") -> dict[str, str]:
    """A tree with these lines in the header of types, and in that of a function."""
    lines = {"fc_types.h": line, "fc_f_f64.h": other}
    return {path: text % lines[path] if path in lines else text for path, text in TREE.items()}


def said(old: dict[str, str], new: dict[str, str]) -> list[tuple[str, ChangeClass]]:
    """What is reported of headers apart from their functions."""
    return [(c.detail, c.kind) for c in compare_surroundings(both(old, new))]


@pytest.mark.parametrize(
    ("before", "after", "detail"),
    [
        (G, "", "no longer declares FC_G"),
        (G, G.replace("9.8", "9.9"), "FC_G is static const double FC_G = 9.9 ; instead of "),
        (G, G.replace("double", "float"), "FC_G is static const float FC_G = 9.8 ; instead of "),
        (G, "#define FC_G 9.8", "FC_G is 9.8 instead of static const double FC_G = 9.8 ;"),
        (PAIR, PAIR.replace("9.8, 1.0", "1.0, 9.8"), "FC_G is static const double FC_G [ 2 ] = { 1.0 , "),
        (PAIR, PAIR.replace("2]", "3]"), "FC_G is static const double FC_G [ 3 ]"),
        (LONG % "1.0", LONG % "2.0", "FC_G has other values"),
        (ROWS, "", "no longer declares FC_ROWS"),
        (ROWS, ROWS.replace("3", "4"), "FC_ROWS is static const int FC_ROWS = 4 ; instead of "),
        (ROWS, ROWS.replace("int", "unsigned"), "FC_ROWS is static const unsigned FC_ROWS = 3 ; instead of "),
        (NAMED, NAMED.replace("3", "4"), "FC_ROWS is enum { FC_ROWS = 4 } ; instead of "),
        (NAMED, "", "no longer declares FC_ROWS"),
        ("#define FC_G 9.8", "#define FC_G", "FC_G is nothing instead of 9.8"),
        ("#define FC_G", "#define FC_G 1", "FC_G is 1 instead of nothing"),
        ("#define FC_G", "", "no longer declares FC_G"),
        (DEFAULT, "#define FC_G 9.8", "FC_G is 9.8 instead of 9.8 unless a build defines it"),
        ("#define FC_G 9.8", DEFAULT, "FC_G is 9.8 unless a build defines it instead of 9.8"),
        (POINT, POINT.replace(" fc_pair", ""), "no longer declares struct fc_pair"),
        (POINT, POINT.replace("fc_pair", "fc_couple"), "no longer declares struct fc_pair"),
        (LATER, "", "no longer declares fc_later"),
        (LATER, LATER.replace("double x", "float x"), "fc_later is declared otherwise: void"),
        (LATER, "void fc_later(double y, double x);", "fc_later is declared otherwise"),
    ],
)  # fmt: skip
def test_what_programs_get_from_a_header(before: str, after: str, detail: str) -> None:
    found = said(tree(before), tree(after))
    assert [kind for text, kind in found if text.startswith(detail)] == [ChangeClass.INTERFACE], found


@pytest.mark.parametrize(
    "line", ["#define FC_G 9.8", "#define FC_G", "#define FC_G(x) (x)", "typedef int FC_G;"]
)
def test_another_header_that_declares_the_same_is_not_included(line: str) -> None:
    old = {**tree(line), "fc_g.h": f"#ifndef FC_G_H\n#define FC_G_H\n{line}\n#endif\n"}
    new = {**old, "fc_types.h": tree("")["fc_types.h"]}
    assert ("no longer declares FC_G", ChangeClass.INTERFACE) in said(old, new)


@pytest.mark.parametrize("line", [G, ROWS, NAMED, "#define FC_G 9.8", "#define FC_G", POINT, LATER])
def test_what_moves_into_a_header_that_is_included_stays(line: str) -> None:
    old, new = tree("", line), tree(line)
    assert ChangeClass.INTERFACE not in {kind for _, kind in said(old, new)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (G, G.replace("9.8", "9.80")),
        (PAIR, PAIR.replace("9.8", "98e-1")),
        (POINT.replace(" fc_pair", ""), POINT),
        (POINT, POINT.replace("double a; double b;", "double a, b;")),
        (f"extern {LATER}", LATER),
    ],
)
def test_the_same_in_other_words(before: str, after: str) -> None:
    assert not said(tree(before), tree(after))


CPP = [
    "static const double fc_g = 0x1.8p0;",
    "static const double class = 1.0;",
    "static const int class = 1;",
    "enum { class = 1 };",
    "static const int fc_r = (int){1};",
    "static const int fc_r[2] = {[0] = 1};",
    "static const int fc_r[2] = {1.5, 2};",
    "static const unsigned fc_r[1] = {-1};",
]
"""Constants that C has and C++ has not."""


@pytest.mark.parametrize("line", CPP)
def test_a_constant_of_a_header_is_for_cpp_too(line: str) -> None:
    kinds = {c.symbol: c.kind for c in compare_trees(tree(""), tree(line))}
    assert kinds["fc_f_f64"] is ChangeClass.UNREADABLE


@pytest.mark.parametrize("line", ["#define 3", "#define 3 4", "#define +", "#undef 3", '#undef "x"'])
def test_only_a_name_is_defined(line: str) -> None:
    old, path = tree(""), "fc_f_f64.c"
    kinds = {c.symbol: c.kind for c in compare_trees(old, {**old, path: old[path] + line + "\n"})}
    assert kinds["fc_f_f64"] is ChangeClass.UNREADABLE
