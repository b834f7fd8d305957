"""Text that stays, or means little by itself, while C reads something else: none of it may count as harmless.

Each pair of trees behaves differently under gcc and clang: another macro of the library is in force, a guard
hides code, a name is a type in one file and a constant in another, a pointer is read before it has a value,
an integer operation is not defined, or directives changed places.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from codegen.review.diff import ChangeClass, compare_trees

Tree = Mapping[str, str]
HARMLESS = {ChangeClass.IDENTICAL, ChangeClass.COSMETIC, ChangeClass.REASSOCIATED}
HELPER = """static int rand(void)
{
    return 2;
}
"""


def source(value: str, top: str = "", before: str = "") -> str:
    """A file with a function of x and y."""
    return (
        f"#include <math.h>\n{top}\nvoid fc_f_f64(double x, double y, double *z)\n{{\n"
        f"    {before}*z = {value};\n}}\n"
    )


PLAIN = {"a.c": source("2.0 * x + y")}
DEFAULTS = {
    f"{name}.h": f"#ifndef FC_{name.upper()}_H\n#define FC_{name.upper()}_H\n#ifndef FC_K\n"
    f"#define FC_K {value}\n#endif\n#endif\n"
    for name, value in (("one", "2.0"), ("two", "3.0"))
}
MODE = {"mode.h": "#ifndef FC_M_H\n#define FC_M_H\n#if FC_MODE == 1\n#define FC_K 2.0\n#else\n"
        "#define FC_K 3.0\n#endif\n#endif\n"}  # fmt: skip
TYPE = {"b.c": "#include <math.h>\n\ntypedef double real;\n"}
OFF = "x + OFF{}(y) - y"

PAIRS: dict[str, tuple[Tree, Tree]] = {
    "a default for a macro of the library": (
        PLAIN,
        {"a.c": source("EXIT_FAILURE * x + y",
                       "#include <stdlib.h>\n#ifndef EXIT_FAILURE\n#define EXIT_FAILURE 2.0\n#endif\n")},
    ),
    "a macro that a header defines again": (
        PLAIN, {"a.c": source("RAND_MAX * x + y", "#define RAND_MAX 2.0\n#include <stdlib.h>\n")}
    ),
    "a helper of the library's name in a guard": (
        PLAIN,
        {"a.c": source("rand() * x + y", "#include <stdlib.h>\n#ifndef EXIT_SUCCESS\n"
                       f"#define EXIT_SUCCESS\n{HELPER}#endif\n")},
    ),
    "a constant that is a type elsewhere": (
        {"a.c": source("x - y"), **TYPE},
        {"a.c": source("(real) + x - y", "static const double real = 2.0;\n"), **TYPE},
    ),
    "another value of a constant that is a type elsewhere": (
        {"a.c": source("real * x", "static const double real = 2.0;\n"), **TYPE},
        {"a.c": source("real * x", "static const double real = 3.0;\n"), **TYPE},
    ),
    "a pointer that begins as itself": (
        {"a.c": source("t[0] * x + y", "static const double t[1] = {2.0};\n")},
        {"a.c": source("t[0] * x + y", "static const double t[1] = {2.0};\n", "const double *t = t;\n    ")},
    ),
    "a division that only one case defines": (
        {"a.c": source("(x > 0.0 ? 2 : 2) * y")},
        {"a.c": source("(x > 0.0 ? n : 2) * y", "",
                       "const int m = x > 0.0;\n    const int n = 2 / m;\n    ")},
    ),
    "the order of headers with defaults": (
        {"a.c": source("FC_K * x", '#include "one.h"\n#include "two.h"\n'), **DEFAULTS},
        {"a.c": source("FC_K * x", '#include "two.h"\n#include "one.h"\n'), **DEFAULTS},
    ),
    "a definition after the header that asks for it": (
        {"a.c": source("FC_K * x", '#define FC_MODE 1\n#include "mode.h"\n'), **MODE},
        {"a.c": source("FC_K * x", '#include "mode.h"\n#define FC_MODE 1\n'), **MODE},
    ),
    "parameters of a macro that become its body": (
        {"a.c": source("x + OFF(y) - y", "#define OFF(double)\n")},
        {"a.c": source("x + OFF(y) - y", "#define OFF (double)\n")},
    ),
    "a number and a sum that are one number": (
        {"a.c": source("x * 15 + y")}, {"a.c": source("x * (0xe+1) + y")}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_another_meaning_is_not_harmless(name: str) -> None:
    kinds = {c.symbol: c.kind for c in compare_trees(*PAIRS[name])}
    assert kinds["fc_f_f64"] not in HARMLESS


@pytest.mark.parametrize("name", PAIRS)
def test_a_tree_is_identical_to_itself(name: str) -> None:
    for tree in PAIRS[name]:
        assert {c.kind for c in compare_trees(tree, dict(tree))} <= {ChangeClass.IDENTICAL}
