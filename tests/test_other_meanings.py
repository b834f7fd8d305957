"""Text that stays, or means little by itself, while C reads something else: none of it may count as harmless.

Each pair of trees behaves differently under gcc and clang: another macro of the library is in force, a guard
hides code, a name is a type in one file and a constant in another, a pointer is read before it has a value,
an integer operation is not defined, directives changed places, a symbol is no longer one of the library, or
nothing compiles.
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


def in_header(before: str) -> str:
    """The function in a header, behind a type."""
    text = source("x", "typedef struct { double a; double b; } t;", before)
    return text.replace("\nvoid", "\nstatic inline void")


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

DEFAULT = "#ifndef FC_K\n#define FC_K 2.0\n#endif\n"
G = "static double g(double x)\n{\n    return FC_K * x;\n}\n"
STEEP = "static inline double g(double x)\n{\n    return 2.0 * x;\n}\n"
PROTOTYPE = "void fc_f_f64(double x, double y, double *z);"
HEADED = {"a.h": f"{PROTOTYPE}\n", "a.c": f'#include "a.h"\n{PLAIN["a.c"]}'}
NULL = "#include <stddef.h>\n"
GUARDED = {"a.c": source("2.0 * x + y", NULL, "if (z == NULL) {\n        return;\n    }\n    ")}
READ_FIRST = GUARDED["a.c"].replace("    if", "    const double w = *z;\n    (void)w;\n    if")
TYPED = "typedef unsigned int fc_status;\n"
TURNED = """void fc_f_f64(const double *x, int n, double y[4])
{
    for (int i = 0; i < n; i++) {
        y[i] = 2.0 * x[i];
    }
}
"""
BRANCHES = source("2.0 * x + y", "", "*z = x;\n#ifdef FC_FAST\n    *z = y;\n    return;\n#endif\n    ")


def two(text: str, old: str, new: str) -> tuple[str, str]:
    """What stands above a function before and after a change."""
    return text % old, text % new


MODES = {"h.h": "#ifndef FC_H_H\n#define FC_H_H\n#define FC_K 3.0\n#endif\n",
         "i.h": '#ifndef FC_I_H\n#define FC_I_H\n#include "h.h"\n#endif\n'}  # fmt: skip
SCALED = {"g.h": "#ifndef FC_G_H\n#define FC_G_H\n%s\nstatic inline double g(double x)\n{\n%s\n}\n#endif\n"}
OF_DEFAULT = MODES | {"g.h": SCALED["g.h"] % (DEFAULT, "    return FC_K * x;")}
OF_CONDITION = MODES | {
    "g.h": SCALED["g.h"] % ("", "#ifdef FC_K\n    return 3.0 * x;\n#else\n    return 2.0 * x;\n#endif")
}


def including(*names: str) -> str:
    """A file that includes these, and calls the function of one of them."""
    return source("g(x) + y", "".join(f'#include "{name}"\n' for name in names))


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
    **{
        f"headers in another order above a function of one: {name}, {first}": (
            {**files, "a.c": including("g.h", first)}, {**files, "a.c": including(first, "g.h")}
        )
        for name, files in (("a default", OF_DEFAULT), ("a condition", OF_CONDITION))
        for first in ("h.h", "i.h")
    },
    "headers in another order in a header": (
        {**OF_DEFAULT, "j.h": '#include "g.h"\n#include "h.h"\n', "a.c": including("j.h")},
        {**OF_DEFAULT, "j.h": '#include "h.h"\n#include "g.h"\n', "a.c": including("j.h")},
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
    "a branch behind #elifndef, which compilers take": (
        PLAIN,
        {"a.c": source("2.0 * x + y", "", "\n#if 0\n    ;\n#elifndef FC_NEVER\n    return;\n#endif\n    ")},
    ),
    "a static prototype above the one of the header": (
        HEADED, {**HEADED, "a.c": f"static {PROTOTYPE}\n" + HEADED["a.c"]}
    ),
    "a static prototype below the one of the header": (
        HEADED, {**HEADED, "a.c": HEADED["a.c"].replace("\n\n", f"\n\nstatic {PROTOTYPE}\n", 1)}
    ),
    "a static prototype in another header": (
        HEADED,
        {**HEADED, "b.h": f"static {PROTOTYPE}\n", "a.c": f'#include "b.h"\n{HEADED["a.c"]}'},
    ),
    "a value that is read before the pointer is compared with null": (GUARDED, {"a.c": READ_FIRST}),
    "a store before the pointer is compared with null": (
        GUARDED, {"a.c": READ_FIRST.replace("const double w = *z;\n    (void)w;", "*z = *z;")}
    ),
    "another condition around a branch": (
        {"a.c": BRANCHES}, {"a.c": BRANCHES.replace("#ifdef FC_FAST", "#ifdef __GNUC__")}
    ),
    "a definition below the condition that asks for it": (
        {"a.c": f"#define FC_FAST\n{BRANCHES}"}, {"a.c": f"{BRANCHES}#define FC_FAST\n"}
    ),
    "a value that a build can no longer change": (
        {"a.c": source("FC_K * x + y", DEFAULT)},
        {"a.c": source("FC_K * x + y", "#define FC_K 2.0\n")},
    ),
    "a value that a build could change, written out": (
        {"a.c": source("FC_K * x + y", DEFAULT)},
        {"a.c": source("2.0 * x + y", DEFAULT)},
    ),
    "a value that a build can change, used otherwise": (
        {"a.c": source("FC_K * x + y", DEFAULT)}, {"a.c": source("x * FC_K * FC_K * 0.5 + y", DEFAULT)},
    ),
    "a value that a build can no longer change in one of two files": (
        {"a.c": source("FC_K * x + y", DEFAULT), "b.c": source("FC_K * x", DEFAULT).replace("fc_f", "fc_g")},
        {"a.c": source("FC_K * x + y", "#define FC_K 2.0\n"),
         "b.c": source("FC_K * x", DEFAULT).replace("fc_f", "fc_g")},
    ),
    "a value that a build can change, in a function that is called": (
        {"a.c": source("g(x) + y", f"{DEFAULT}{G}")}, {"a.c": source("2.0 * x + y", f"{DEFAULT}{G}")},
    ),
    "a plain definition beside a value that a build can change": (
        {"b.h": "", "a.c": source("FC_K * x", f'#include "b.h"\n{DEFAULT}')},
        {"b.h": "#define FC_K 2.0\n", "a.c": source("FC_K * x", f'#include "b.h"\n{DEFAULT}')},
    ),
    "a value of a build that is undone": (
        {"a.c": source("FC_K * x + y", DEFAULT)}, {"a.c": source("FC_K * x + y", f"#undef FC_K\n{DEFAULT}")},
    ),
    "a header that defines what a condition names": (
        {"a.c": BRANCHES.replace("FC_FAST", "INT_MAX")},
        {"a.c": BRANCHES.replace("FC_FAST", "INT_MAX").replace("<math.h>", "<math.h>\n#include <limits.h>")},
    ),
    "an inline function that no file defines for calls": (
        {"a.c": source("g(x)", "static double g(double x)\n{\n    return x;\n}\n")},
        {"a.c": source("g(x)", "inline double g(double x)\n{\n    return x;\n}\n")},
    ),
    **{
        f"no C where it is never done: {line}": (PLAIN, {"a.c": source("2.0 * x + y", "", f"{line}\n    ")})
        for line in (
            "(void)sqrt(1.0, 2.0);", "if (0) {\n        (void)atan2(1.0);\n    }",
            "switch (1) {\n    default: default: ;\n    }", "(void)(0 && sqrtf());",
        )
    },
    "the size of no member": (
        {"a.h": in_header("t u;\n    (void)u;\n    ")},
        {"a.h": in_header("t u;\n    (void)sizeof(u.q);\n    ")},
    ),
    "a header with a definition, included below the condition that asks for it": (
        {"b.h": "#define FC_FAST\n", "a.c": f'#include "b.h"\n{BRANCHES}'},
        {"b.h": "#define FC_FAST\n", "a.c": f'{BRANCHES}#include "b.h"\n'},
    ),
    "the name of a header with a blank": (PLAIN, {"a.c": PLAIN["a.c"].replace("<math.h>", "< math.h>")}),
    "a comma between braces in an argument": (
        {"a.c": source("ID(x) + y", "#define ID(a) ((a))\n")},
        {"a.c": source("ID((double){x,}) + y", "#define ID(a) ((a))\n")},
    ),
    "a step of a loop that has no turns": (
        PLAIN, {"a.c": source("2.0 * x + y", "", "for (int i = 0; i < 0; j++) {\n    }\n    ")}
    ),
    "a splice between a macro and its parenthesis": (
        {"a.c": source("K * x", "#define K (2.0)\n")}, {"a.c": source("K * x", "#define K\\\n(2.0)\n")}
    ),
    "a type that its file does not see": (
        {"a.c": source("x"), "b.h": "typedef double real;\n"},
        {"a.c": source("(real)x"), "b.h": "typedef double real;\n"},
    ),
    **{
        f"a variable that is a macro: {name}": (
            PLAIN, {"a.c": source("2.0 * x + y", "", f"const double {name} = 3.0;\n    (void){name};\n    ")}
        )
        for name in ("M_PI", "linux", "INFINITY", "errno", "EDOM", "SEEK_SET", "FE_INVALID", "PRIu32")
    },
    **{
        f"no C: {line}": (PLAIN, {"a.c": source("2.0 * x + y", f"{line}\n")})
        for line in (
            "static const double K = ONE / 2.0;", "static const double K = sqrt(2.0);",
            "static const fc_no K = {0};", "static const double K[2] = {[5] = 1.0};",
            "static const int K = 1 / 0;", "static const double K = 1 +;", "static const int K = 08;",
            'static const double K = "a";', "static const double K[-1] = {1.0};", "enum { A = 1.0 };",
            "enum { A = 1 / 0 };", "typedef struct { double a[N]; } t;", "typedef struct { void a; } t;",
            "typedef struct { float double a; } t;", "typedef struct { double a : 3; } t;",
            "typedef struct { double a, a; } t;", "typedef struct { t a; } t;", "typedef long float t;",
            "typedef enum { A = 1.5 } t;", "typedef struct { double M_PI; } t;", "typedef t *t;",
            "typedef char check[sizeof(float) == 8 ? 1 : -1];", "typedef enum { A = B, B } t;",
            "typedef enum { A, A } t;", "typedef struct { restrict double a; } t;",
            "typedef static double t;", "typedef enum { sqrt } t;", "typedef enum { fc_f_f64 } t;",
            "void g(restrict double a);", "void g(static double a);", "void g(inline double a);",
            "register double g(double a);", "double g(void a);", "double g(void); float g(void);",
            "void g(double [-1]);", "int g(...);", "void g(fc_no x);",
            "typedef double t; typedef float t;", "static const double fc_f_f64 = 1.0;",
            "static const double index = 1.0;", '#include "a.c"',
            "#define K(x", "#define K(a, a) a", "#define K(a b) a", "#define K(a,) a", "#define K(3) 3",
            "#define K(a) #b", "#define K ## L", "#define K(a) a ##",
        )
    },
    **{
        f"no C in a header: {line}": (HEADED, {**HEADED, "a.h": f"{TYPED}{line}\n{HEADED['a.h']}"})
        for line in (
            "typedef struct int { double a; } t;", "typedef struct { double while; } t;",
            "typedef struct { double const; } t;", "typedef struct { } t;", "typedef union { } t;",
            "typedef union { double a; float a; } t;", "typedef union { t a; } t;",
            "typedef struct { unsigned a : 33; } t;", "typedef struct { unsigned a : 0; } t;",
            "typedef struct { unsigned a : 3; double a; } t;", "typedef struct { double *a; int *a; } t;",
            "typedef enum { A = 2147483648 } t;", "typedef enum { A } t; typedef enum { A } u;",
            "typedef struct { enum { A } a; } t; typedef enum { A } u;",
            "typedef struct { struct tag { double a; } b; } t; typedef struct tag { double a; } u;",
            "typedef enum tag { A } t; typedef struct tag { double a; } u;",
            "typedef struct tag { double a; } t; void g(enum tag *x);",
            "typedef double t[3]; t g(void);", "typedef double t[3]; typedef t u; u g(void);",
            "void g(fc_status fc_status, fc_status b);", "#define K-1.0",
        )
    },
    **{
        f"no C++ of a header: {line}": (HEADED, {**HEADED, "a.h": f"{TYPED}{line}\n{HEADED['a.h']}"})
        for line in (
            "typedef struct wchar_t { double a; } t;", "typedef struct { double wchar_t; } t;",
            "typedef struct fc_status { double a; } t;", "typedef struct { fc_status fc_status; } t;",
            "typedef struct { double fc_status; fc_status a; } t;", "void g(double NZERO);",
            "void g(double SNANF);", "typedef struct { double LONG_BIT; } t;",
        )
    },
    **{
        f"what a name means that stays, {name}": (
            {"a.c": source(value, before), "b.h": before}, {"a.c": source(value, after), "b.h": after}
        )
        for name, value, before, after in (
            ("an enumerator's number", "N * x", *two("typedef enum { N = %s } t;\n", "2", "3")),
            ("an enumerator's place", "N * x", *two("typedef enum { %s } t;\n", "N, M", "M, N")),
            ("the number of a constant", "K * x",
             *two("typedef enum { N = %s } t;\nstatic const double K = N;\n", "2", "3")),
            ("what a macro takes", "G(x)",
             *two("typedef enum { N = %s } t;\n#define G(a) (N * (a))\n", "2", "3")),
            ("a macro that is joined", "G(B) * x", *two("#define AB %s\n#define G(b) A##b\n", "2.0", "3.0")),
            ("a constant that is joined", "G(b) * x",
             *two("static const double a_b = %s;\n#define G(b) a_##b\n", "2.0", "3.0")),
            ("a name of two parameters", "G(a, b) * x",
             *two("static const double ab = %s;\n#define G(c, d) c##d\n", "2.0", "3.0")),
            ("the member of a tag", "sizeof(struct tag) * x",
             *two("typedef struct tag { %s a; } t;\n", "double", "float")),
        )
    },
    **{
        f"what only another file declares now: {line}": (
            {"a.c": source(value, line)}, {"a.c": source(value), "b.c": f"{line}\n"}
        )
        for value, line in (
            ("g(x)", "static double g(double x)\n{\n    return 2.0 * x;\n}\n"),
            ("g(x)", "static inline double g(double x)\n{\n    return 2.0 * x;\n}\n"),
            ("g(x)", "double g(double x)\n{\n    return 2.0 * x;\n}\n"),
            ("K * x", "static const double K = 2.0;"), ("K[0] * x", "static const double K[1] = {2.0};"),
            ("K * x", "enum { K = 2 };"), ("K * x", "typedef enum { K = 2 } t;"), ("K * x", "#define K 2.0"),
            ("K(x)", "#define K(a) (2.0 * (a))"), ("(t)x", "typedef double t;"),
        )
    },
    "a helper of a file that another file no longer includes": (
        {"a.c": source("g(x)", '#include "b.h"'), "b.h": f"#ifndef FC_B_H\n#define FC_B_H\n{STEEP}#endif\n"},
        {"a.c": source("g(x)"), "b.h": f"#ifndef FC_B_H\n#define FC_B_H\n{STEEP}#endif\n"},
    ),
    **{
        f"what is declared below its use: {line}": (
            {"a.c": source("K * x", line)}, {"a.c": source("K * x") + f"{line}\n"}
        )
        for line in ("enum { K = 2 };", "typedef enum { K = 2 } t;", "typedef enum { J, K } t;")
    },
    "a function of a header that C++ declares twice, with two linkages": (
        HEADED, {**HEADED, "a.h": f'#ifdef __cplusplus\nextern "C" {{\n#endif\n{PROTOTYPE}\n'
                 "#ifdef __cplusplus\n}\n#endif\n", "b.h": f"{PROTOTYPE}\n",
                 "a.c": f'#include "b.h"\n{HEADED["a.c"]}'},
    ),
    "an array of a size that is no number, in a function with a loop": (
        {"a.c": TURNED}, {"a.c": TURNED.replace("y[4]", "y[four]")}
    ),
    "an array of a size below zero, in a function with a loop": (
        {"a.c": TURNED}, {"a.c": TURNED.replace("y[4]", "y[-4]")}
    ),
    "braces with nothing between them": (
        {"a.c": source("x + t[0]", "", "double t[2] = {0};\n    ")},
        {"a.c": source("x + t[0]", "", "double t[2] = {};\n    ")},
    ),
    **{
        f"no C++ in a header: {line}": (
            {"a.h": in_header("")}, {"a.h": in_header(f"{line}\n    ")}
        )
        for line in (
            "const double c;", "const t c;", "const t c = {.b = x, .a = x};", "auto double c = x;",
            "register double c = x;", "const t c = {x > 0.0, 1};", "const float c[1] = {x};",
            "const int c[2] = {1, 2.9};", "const float c = {x};", "const int c = {2.5};",
            "const double wchar_t = 3.0;", "const t c = (t){x, y};", "const double c = (double){x};",
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_another_meaning_is_not_harmless(name: str) -> None:
    kinds = {c.symbol: c.kind for c in compare_trees(*PAIRS[name])}
    assert kinds["fc_f_f64"] not in HARMLESS


ADDED = {
    f"{where}: {line}": (path, f"{head} fc_g({given})\n{{\n    {line}\n}}\n")
    for where, path, head, given, lines in (
        ("in a file", "a.c", "double", "double a", ("return b;", "a = ;", "return &a;", "return a % 2;")),
        ("in a header", "a.h", "static inline double", "double a", ("return b;", "return *a;",
         "goto end; const double b = a; end: return a;", "void *p = &a; double *q = p; return *q;",
         "switch (1) { case 0:; const double b = a; default: return a; }")),
        ("in a loop", "a.c", "void", "int a, double *b", ("while (a > 0) { b[a] = c; a--; }",)),
    )
    for line in lines
}  # fmt: skip


@pytest.mark.parametrize("name", ADDED)
def test_an_added_function_has_to_compile(name: str) -> None:
    path, code = ADDED[name]
    kinds = {c.symbol: c.kind for c in compare_trees(HEADED, {**HEADED, path: HEADED[path] + code})}
    assert kinds["fc_g"] is ChangeClass.UNREADABLE


@pytest.mark.parametrize(
    "code",
    [
        "static double fc_g(double a)\n{\n    return 2.0 * a;\n}\n",
        "void fc_g(int a, double *b)\n{\n    while (a > 0) {\n        a--;\n        b[a] = 1.0;\n    }\n}\n",
        "static const double t[2] = {1.0, 2.0};\nstatic double fc_g(double a)\n{\n    return t[1] * a;\n}\n"
        "void fc_h(double a, double *b)\n{\n    *b = fc_g(a);\n}\n",
    ],
)
def test_an_added_function_that_compiles_is_added(code: str) -> None:
    kinds = {c.symbol: c.kind for c in compare_trees(HEADED, {**HEADED, "a.c": HEADED["a.c"] + code})}
    assert kinds["fc_g"] is ChangeClass.ADDED


@pytest.mark.parametrize(
    "line",
    ["typedef struct { unsigned a : 3; int b : 5; } t;", "typedef union { double a; float b[2]; } t;"],
)
def test_a_type_that_compiles_is_no_alarm(line: str) -> None:
    kinds = {c.kind for c in compare_trees(HEADED, {**HEADED, "a.h": f"{line}\n{HEADED['a.h']}"})}
    assert kinds <= {ChangeClass.IDENTICAL}


def test_a_variable_of_the_name_of_what_another_file_has_is_no_other_meaning() -> None:
    local = {"a.c": source("g * x", "", "const double g = 2.0;\n    const double K = g;\n    (void)K;\n    ")}
    new = {**local, "b.c": f"static const double K = 3.0;\n{G.replace('FC_K', 'K')}"}
    assert {c.symbol: c.kind for c in compare_trees(local, new)}["fc_f_f64"] in HARMLESS


@pytest.mark.parametrize("name", PAIRS)
def test_a_tree_is_identical_to_itself(name: str) -> None:
    for tree in PAIRS[name]:
        assert {c.kind for c in compare_trees(tree, dict(tree))} <= {ChangeClass.IDENTICAL}


@pytest.mark.parametrize(
    ("number", "calculated", "is_same"),
    [
        ("0.33333333333333331", "(1.0 / 3.0)", True),
        ("0.33333333333333337", "(1.0 / 3.0)", False),
        ("0.017453292519943295", "(3.141592653589793 / 180.0)", True),
        ("0.6000000000000001", "(0.1 + 0.2 + 0.3)", True),
        ("0.6", "(0.1 + 0.2 + 0.3)", False),
        ("0.66666666666666663", "(2.0 * (1.0 / 3.0))", True),
        ("0.3333333432674408", "(1.0F / 3.0F)", True),
        ("0.3333333432674408", "(float)(1.0 / 3.0)", True),
        ("1.7976931348623157e308", "(1.0e200 * 1.0e200)", False),
        ("4.9406564584124654e-324", "(1.0e-200 * 1.0e-200)", False),
    ],
)
def test_a_constant_may_be_calculated(number: str, calculated: str, is_same: bool) -> None:
    (change,) = compare_trees({"a.c": source(f"{number} * x")}, {"a.c": source(f"{calculated} * x")})
    assert (change.kind is ChangeClass.COSMETIC) is is_same
    assert is_same or change.kind not in HARMLESS
