# ruff: noqa: E501
"""Changes of C by someone who wants a change of behaviour to pass for none, one line for each kind.

A kind is a name, the least class that it must be given, and replacements in the files of TREE; a file that
is not there is new. Those in HARMLESS mean nothing to a compiler.
"""

from __future__ import annotations

from typing import NamedTuple

from codegen.review.diff import ChangeClass

TYPES = """\
#ifndef FM_TYPES_H
#define FM_TYPES_H

typedef unsigned int fm_status;

#define FM_OK 0u
#define FM_RANGE 1u
#define FM_ZERO 16u

typedef struct {
    double x;
    double y;
} fm_pair_f64;

typedef struct {
    float x;
    float y;
} fm_pair_f32;

#endif
"""

HEADER = """\
#ifndef FM_MODEL_H
#define FM_MODEL_H

#include "fm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A pair, turned by an angle. */
fm_status fm_turn_f64(const fm_pair_f64 *u, double a, fm_pair_f64 *v);

/** A weighted mean. */
void fm_mean_f32(const fm_pair_f32 *u, float w, fm_pair_f32 *v);

/** Twice a number. */
void fm_left_f64(double x, double *y);

/** Three times a number. */
void fm_right_f64(double x, double *y);

#ifdef __cplusplus
}
#endif

#endif
"""

MODEL = """\
#include "fm_model.h"

#include <math.h>

/* v = R(a) u */
fm_status fm_turn_f64(const fm_pair_f64 *u, double a, fm_pair_f64 *v)
{
    const double u_x = u->x;
    const double u_y = u->y;

    const int bounded = fabs(a) <= 1000.0;
    const int known = u_x <= 1.0e200;
    const int ok = bounded && known;
    const double c = ok ? cos(a) : 1.0;
    const double s = ok ? sin(a) : 0.0;

    v->x = c * u_x - s * u_y;
    v->y = ok ? atan2(-u_y, u_x) : 0.0;

    fm_status status = FM_OK;
    if (!bounded) {
        status |= FM_RANGE;
    }
    if (!known) {
        status |= FM_ZERO;
    }

    return status;
}

/* v = (u_x + u_y) w */
void fm_mean_f32(const fm_pair_f32 *u, float w, fm_pair_f32 *v)
{
    const float u_x = u->x;
    const float u_y = u->y;

    const float total = u_x + u_y;
    const float size = sqrtf(fabsf(total));

    v->x = w * total * 0.5F;
    v->y = (w < 2.0F) ? size : w;
}
"""

LEFT = """\
#include "fm_model.h"

static double gain(double x)
{
    return 2.0 * x;
}

void fm_left_f64(double x, double *y)
{
    *y = gain(x);
}
"""

RIGHT = LEFT.replace("left", "right").replace("2.0", "3.0")

M, H, T, L, R = "fm_model.c", "fm_model.h", "fm_types.h", "fm_left.c", "fm_right.c"
TREE = {M: MODEL, H: HEADER, T: TYPES, L: LEFT, R: RIGHT}

GUARDS, UNREADABLE, CHANGED = ChangeClass.GUARDS, ChangeClass.UNREADABLE, ChangeClass.CHANGED


class Kind(NamedTuple):
    """A kind of change: its name, its least class, and the replacements (file, what, by what)."""

    name: str
    least: ChangeClass
    edits: tuple[tuple[str, str, str], ...]

    @property
    def tree(self) -> dict[str, str]:
        """The tree with the change."""
        tree = dict(TREE)
        for path, old, new in self.edits:
            assert old in tree.get(path, ""), (self.name, old)
            tree[path] = tree.get(path, "").replace(old, new, 1)
        return tree


def _kind(name: str, least: ChangeClass, *edit: str) -> Kind:
    return Kind(name, least, tuple(zip(edit[::3], edit[1::3], edit[2::3], strict=True)))


_X = "    v->x = c * u_x - s * u_y;\n"
_MEAN = "    v->x = w * total * 0.5F;\n"
_LOADS = "    const float u_x = u->x;\n    const float u_y = u->y;\n"
_FROM_COPY = "    const float u_x = c.x;\n    const float u_y = c.y;\n"
_CHOICE = "    v->y = (w < 2.0F) ? size : w;\n"
_OK = "const int ok = bounded && known;"
_KNOWN = "const int known = u_x <= 1.0e200;"
_RAISE = "    if (!known) {\n        status |= FM_ZERO;\n    }\n"
_TOP = "#include <math.h>\n"
_STRING = "#include <string.h>\n"
_STDINT = "#include <stdint.h>\n"
_BELOW = "    const integer below = w < 2.0F;\n    v->y = (below - 1 < 0) ? w : size;\n"
_STATUS = "    fm_status status = FM_OK;\n"
_AFTER = '#include "fm_model.h"\n'
_TYPES = '#include "fm_types.h"\n'
_GAIN = "static double gain(double x)\n{\n    return 2.0 * x;\n}\n"
_ROUND = "int fesetround(int);\n"
_BEGIN = f"{_ROUND}__attribute__((constructor)) "
_HALF = "static float half(float x)\n{\n    return x * 0.5F;\n}\n"
_HEAD = "void fm_mean_f32(const fm_pair_f32 *u, float w, fm_pair_f32 *v)\n{"

_WITHIN = "    float s = w;\n    v->x = w * (s = total) * 0.5F;\n"

_ONCE = """\
    do {
        v->y = size;
        if (w < 2.0F) {
            break;
        }
        v->y = w;
    } while (0);
"""

_UNUSED = "__attribute__((unused)) "
_SUM = "    const float total ="

_SAME_MEAN = "    v->x = 0.5F * (total * w);\n"


def _if(condition: str, code: str, other: str = "") -> str:
    """Code behind a condition of the preprocessor."""
    return f"#{condition}\n{code}" + f"#else\n{other}" * bool(other) + "#endif\n"


_PAIR = """\
    struct {
        float a, b;
    } pair = {w, total};
    v->x = pair.a * pair.b * 0.5F;
"""

_IMPL = "static void put(const fm_pair_f32 *restrict p, float k, fm_pair_f32 *restrict q)\n{\n    q->x = k * (p->x + p->y) * 0.5F;\n}\n"

_STDDEF = "#include <stddef.h>\n"
_TABLE = "static const float FM_TABLE[2] = {0.5F, 0.25F};\n"
_PRODUCT = """\
    const float a[3] = {w, total, 0.5F};
    float p = a[0];
    for (unsigned i = 1; i < sizeof a / sizeof a[0]; i++) {
        p *= a[i];
    }
    v->x = p;
"""

_WALK = """\
    const float a[] = {w, total, 0.5F};
    const float *from = a;
    v->x = *from++;
    v->x *= *from++;
    v->x *= *from++;
"""
_END = """\
    const float a[3] = {w, total, 0.5F};
    const float *const end = a + 3;
    float p = a[0];
    for (const float *at = a + 1; at != end; at++) {
        p *= *at;
    }
    v->x = p;
"""

_GET = "static fm_pair_f32 get(const fm_pair_f32 *p)\n{\n    return *p;\n}\n"
_OF_GET = "    const fm_pair_f32 c = get(u);\n" + _FROM_COPY
_FIRST = "static float first(fm_pair_f32 p)\n{\n    p.y = 0.0F;\n    return p.x;\n}\n"
_OF_FIRST = "    const float u_x = first(*u);\n    const float u_y = u->y;\n"
_SAME = "static double half(double x)\n{\n    return x;\n}\n"
_WARNINGS = '#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wfloat-equal"\n'

HARMFUL = (
    # What the compiler sees
    _kind("splice that hides a store", CHANGED, M, _MEAN, "    // as before \\\n" + _MEAN),
    _kind("splice with a blank", UNREADABLE, M, _MEAN, "    // as before \\ \n" + _MEAN),
    _kind("splice with a form feed", UNREADABLE, M, _MEAN, "    // as before \\\f\n" + _MEAN),
    _kind("code that is no comment", CHANGED, M, _MEAN, _MEAN + "    /* *\\\n/ v->x = w; /* */\n"),
    _kind("trigraph that hides a store", UNREADABLE, M, _MEAN, "    // why??/\n" + _MEAN),
    _kind("macro of a local", UNREADABLE, M, _TOP, _TOP + "#define u_x 1.0\n"),
    _kind("macro of a parameter", UNREADABLE, M, _AFTER, _AFTER + "#define w 2\n"),
    _kind("macro of a member", UNREADABLE, M, _AFTER, _AFTER + "#define x y\n"),
    _kind("integer macro of a local", UNREADABLE, M, "    const float size", "#define total 2\n    const float size"),
    _kind("empty macro of a function", UNREADABLE, M, _TOP, _TOP + "#define fabsf\n"),
    _kind("default that is empty", UNREADABLE, M, _TOP, _TOP + "#ifndef fabsf\n#define fabsf\n#endif\n"),
    _kind("guard of a function's name", UNREADABLE, M, _TOP, _TOP + "#ifndef fabs\n#define fabs\nint n;\n#endif\n"),
    _kind("macro of another function", UNREADABLE, M, _TOP, _TOP + "#define cos sin\n"),
    _kind("macro with parameters", UNREADABLE, M, _TOP, _TOP + "#define fabs(x) (x)\n"),
    _kind("macro of a keyword", UNREADABLE, M, _TOP, _TOP + "#define float double\n"),
    _kind("macro of if", UNREADABLE, M, _TOP, _TOP + "#define if while (0) if\n"),
    _kind("macro in a header", UNREADABLE, H, '#include "fm_types.h"\n', '#include "fm_types.h"\n#define sqrtf\n'),
    _kind("macro redefined after the types", UNREADABLE, T, "typedef struct {\n    float", "#undef FM_RANGE\n#define FM_RANGE 2u\ntypedef struct {\n    float"),
    _kind("flag of another value", CHANGED, T, "FM_RANGE 1u", "FM_RANGE 2u"),
    _kind("flag shifted otherwise", CHANGED, T, "FM_ZERO 16u", "FM_ZERO (1u << 3)"),
    _kind("numeric macro of two values", CHANGED, M, "0.5F", "HALF", M, _TOP, _TOP + "#define HALF 0.25F + 0.25F\n"),
    _kind("numeric macro without brackets", CHANGED, M, "* 0.5F", "* HALF", M, _TOP, _TOP + "#define HALF 0.25F + 0.25F\n"),
    _kind("restrict block of a keyword", UNREADABLE, T, "typedef unsigned", "#ifdef __cplusplus\n#define const\n#else\n#define const restrict\n#endif\ntypedef unsigned"),
    _kind("C++ in a body", UNREADABLE, M, _MEAN, "#ifdef __cplusplus\n    w = 1.0F;\n#endif\n" + _MEAN.replace("0.5F", "0.25F")),
    _kind("C alone in a body", UNREADABLE, M, _MEAN, "#ifndef __cplusplus\n    w = 1.0F;\n#endif\n" + _MEAN),
    _kind("condition on the compiler", UNREADABLE, M, "#include <math.h>\n", "#ifdef __GNUC__\n#define fabsf(x) (x)\n#endif\n#include <math.h>\n"),
    _kind("guard that is defined", UNREADABLE, M, _HEAD, "#ifndef __STDC__\n#define __STDC__\n" + _HEAD, M, "? size : w;\n}", "? size : w;\n}\n#endif\nvoid fm_mean_f32(const fm_pair_f32 *u, float w, fm_pair_f32 *v)\n{\n    v->x = u->x;\n    v->y = w;\n}"),
    _kind("guard that another file defines", UNREADABLE, M, _AFTER, "#define FM_MODEL_H\n#include \"fm_types.h\"\n#define fm_pair_f64 fm_pair_f64\n" + _AFTER, M, _MEAN, "    v->x = w;\n"),
    _kind("condition 0", CHANGED, M, _MEAN, "#if 0\n" + _MEAN + "#else\n    v->x = w;\n#endif\n"),
    _kind("definition undone", UNREADABLE, M, _AFTER, _AFTER + "#undef FM_OK\n#define FM_OK 4u\n"),
    _kind("pragma", UNREADABLE, M, _TOP, _TOP + "#pragma GCC optimize (\"fast-math\")\n"),
    _kind("pragma that asks for more", UNREADABLE, M, _TOP, _TOP + "#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)\n#pragma GCC optimize(\"no-tree-slp-vectorize\", \"fast-math\")\n#endif\n"),
    _kind("pragma as an operator", UNREADABLE, M, _TOP, _TOP + "_Pragma(\"GCC optimize (\\\"fast-math\\\")\")\n"),
    _kind("a library header in the tree", UNREADABLE, M, "<math.h>", '<tgmath.h>', M, "fabsf(total)", "fabsf(-total * 2.0F)"),
    _kind("math.h in the tree", UNREADABLE, "math.h", "", "#include_next <math.h>\n#define sqrtf(x) (x)\n"),
    _kind("asm label of a library function", UNREADABLE, M, _TOP, _TOP + 'float sqrtf(float) __asm__("fabsf");\n'),
    _kind("attribute", UNREADABLE, M, _HEAD, "__attribute__((optimize(\"fast-math\")))\n" + _HEAD),
    _kind("attribute that calls a function", UNREADABLE, M, _SUM, _SUM.replace("const", "__attribute__((cleanup(f))) const"), M, _TOP, _TOP + "void f(const float *x);\n"),
    _kind("two attributes", UNREADABLE, M, _SUM, _SUM.replace("const", "__attribute__((unused, cleanup(f))) const"), M, _TOP, _TOP + "void f(const float *x);\n"),
    _kind("macro in an attribute", UNREADABLE, M, _SUM, f"    {_UNUSED}const float total =", M, _TOP, _TOP + "#define unused cleanup(f)\nvoid f(const float *x);\n"),
    _kind("attribute of a statement", UNREADABLE, M, _MEAN, "    " + _UNUSED + _MEAN.strip() + "\n"),
    _kind("macro of a wider type", CHANGED, M, _SUM, "    REAL half = 0.1;\n" + _SUM, M, "* 0.5F", "* half", M, _TOP, _TOP + "#define REAL const double\n"),
    _kind("macro of the type of integers", UNREADABLE, M, _SUM, "    REAL total =", M, _TOP, _TOP + "#define REAL const int\n"),
    _kind("macro of a storage class", UNREADABLE, M, _SUM, "    REAL total =", M, _TOP, _TOP + "#define REAL static float\n"),
    _kind("macro of two types", UNREADABLE, M, _SUM, "    REAL total =", M, _TOP, _TOP + "#define REAL const float\n", M, _HEAD, "#define REAL const int\n" + _HEAD),
    _kind("macro of a type below its use", UNREADABLE, M, _SUM, "    REAL total =", M, _CHOICE + "}\n", _CHOICE + "}\n#define REAL const float\n"),
    _kind("condition whose branches differ", UNREADABLE, M, _MEAN, _if("ifndef FM_FAST", "    v->x = w;\n", _MEAN)),
    _kind("condition around a store", UNREADABLE, M, _MEAN, _if("ifdef FM_FAST", _MEAN)),
    _kind("condition whose third way differs", UNREADABLE, M, _MEAN, "#define FM_SMALL\n" + _if("ifdef FM_FAST", _MEAN + "#elif defined(FM_SMALL)\n    v->x = w;\n", _MEAN)),
    _kind("conditions that do not go together", UNREADABLE, M, _TOP, _TOP + "#define FM_FAST\n", M, _MEAN, _if("ifdef FM_FAST", "    float t = w * total;\n", "    float t = w * total * 0.5F;\n") + _if("ifdef FM_SMALL", "    v->x = t * 0.5F;\n", "    v->x = t;\n")),
    _kind("condition with a definition inside", UNREADABLE, M, _MEAN, _if("ifndef FM_FAST", "#define w 1.0F\n" + _MEAN, _MEAN)),
    _kind("condition that opens a block", UNREADABLE, M, _CHOICE, _if("ifndef FM_FAST", "    if (w <= 2.0F) {\n", "    if (w < 2.0F) {\n") + "        v->y = size;\n    } else {\n        v->y = w;\n    }\n"),
    _kind("condition around a helper", UNREADABLE, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _if("ifndef FM_FAST", _HALF.replace("0.5F", "0.25F"), _HALF)),
    _kind("condition in a helper", UNREADABLE, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _HALF.replace("    return", _if("ifndef FM_FAST", "    x = 0.5F * x;\n") + "    return")),
    _kind("condition in which another element is read after a store", UNREADABLE, M, "    v->y = ok ?", _if("ifndef FM_FAST", "    const double late = u->x;\n", "    const double late = u_x;\n") + "    v->y = ok ?", M, "atan2(-u_y, u_x)", "atan2(-u_y, late)"),
    _kind("macro that is undone before its use", UNREADABLE, M, "0.5F", "HALF", M, _TOP, _TOP + "#define HALF 0.5F\n#undef HALF\nstatic const float HALF = 0.25F;\n"),
    _kind("macro that is undone before the use of one that names it", UNREADABLE, M, _MEAN, "    const float h = 0.25F;\n    v->x = w * total * HALF;\n", M, _TOP, _TOP + "#define h 0.5F\n#define HALF h\n#undef h\n"),
    _kind("macro that is undone and defined otherwise", UNREADABLE, M, "0.5F", "HALF", M, _TOP, _TOP + "#define HALF 0.5F\n#undef HALF\n#define HALF 0.25F\n"),
    _kind("macro that is undone before a condition", UNREADABLE, M, _MEAN, _if("ifdef FM_FAST", _MEAN, "    v->x = w;\n"), M, _TOP, _TOP + "#define FM_FAST\n#undef FM_FAST\n"),
    _kind("macro of the tree that is undone", UNREADABLE, M, _AFTER, _AFTER + "#undef FM_OK\n#define FM_OK 1u\n"),
    _kind("guard that is undone", UNREADABLE, M, _AFTER, _AFTER + "#undef FM_MODEL_H\n#undef FM_TYPES_H\n" + _AFTER),
    _kind("function of the library that is undone", UNREADABLE, M, _TOP, "#define sqrtf(x) (x)\n#undef sqrtf\n" + _TOP + "#define sqrtf(x) (x)\n"),
    _kind("another number of the library", UNREADABLE, M, "w * total * 0.5F", "w * total * (float)(M_PI / 6.28)", M, _TOP, _TOP + "#ifndef M_PI\n#define M_PI 3.14\n#endif\n"),
    _kind("number of the library as a float", UNREADABLE, M, "w * total * 0.5F", "w * total * (0.5F + 1e-6F * M_PI)", M, _TOP, _TOP + "#ifndef M_PI\n#define M_PI 3.14159265358979323846F\n#endif\n"),
    _kind("number of the library beyond a double", UNREADABLE, M, "w * total * 0.5F", "w * total * (float)M_PI", M, _TOP, _TOP + "#ifndef M_PI\n#define M_PI 1e999\n#endif\n"),
    _kind("guard as a number", UNREADABLE, T, "#define FM_TYPES_H\n", "#define FM_TYPES_H 1\n", M, "* 0.5F", "* 0.5F * (FM_TYPES_H + 1)"),
    _kind("attribute behind the head", UNREADABLE, H, "fm_pair_f32 *v);", "fm_pair_f32 *v) __attribute__((const));"),
    _kind("attribute before the words of a head", UNREADABLE, M, _TOP, _TOP + _BEGIN + "static void begin(void)\n{\n    fesetround(0x800);\n}\n"),
    _kind("attribute between the words of a head", UNREADABLE, M, _TOP, _TOP + _ROUND + "static void __attribute__((constructor)) begin(void)\n{\n    fesetround(0x800);\n}\n"),
    _kind("attribute in a header", UNREADABLE, T, "typedef struct {\n    float", _BEGIN + "static void begin(void)\n{\n    fesetround(0x800);\n}\ntypedef struct {\n    float"),
    _kind("attribute in a new file", UNREADABLE, "fm_more.c", "", _BEGIN + "static void begin(void)\n{\n    fesetround(0x800);\n}\n"),
    _kind("attribute behind a macro", UNREADABLE, M, _TOP, _TOP + "#define BEGIN __attribute__((constructor))\n" + _ROUND + "BEGIN static void begin(void)\n{\n    fesetround(0x800);\n}\n"),
    _kind("attribute of a prototype", UNREADABLE, M, _TOP, _TOP + _BEGIN + "static void begin(void);\nstatic void begin(void)\n{\n    fesetround(0x800);\n}\n"),
    _kind("asm in a body", UNREADABLE, M, _TOP, _TOP + "static void never(void)\n{\n    __asm__(\".globl fm_left_f64\\nfm_left_f64:\");\n}\nvoid fm_more(void)\n{\n    never();\n}\n"),
    _kind("a storage class that functions do not have", UNREADABLE, M, _HEAD, "register " + _HEAD),
    _kind("a storage class that parameters do not have", UNREADABLE, M, "float w, fm_pair_f32 *v)\n", "static float w, fm_pair_f32 *v)\n"),
    _kind("two storage classes", UNREADABLE, M, _HEAD, "static extern " + _HEAD),
    _kind("an inline local", UNREADABLE, M, "const float total", "inline const float total"),
    _kind("an inline parameter", UNREADABLE, M, "float w, fm_pair_f32 *v)\n", "inline float w, fm_pair_f32 *v)\n"),
    _kind("a function defined in a header", UNREADABLE, H, "/** Twice", "void fm_other(void)\n{\n}\n\n/** Twice"),
    _kind("_Noreturn", UNREADABLE, M, _HEAD, "_Noreturn " + _HEAD),
    _kind("static prototype", ChangeClass.INTERFACE, H, "void fm_mean", "static void fm_mean"),
    _kind("blanks before the body", CHANGED, M, "*v)\n{\n    const float", "*v)" + " " * 300 + "\n{\n    const float", M, "0.5F", "0.25F"),
    _kind("a function hidden by its form", UNREADABLE, M, "void fm_mean_f32(", "void (fm_mean_f32)(", M, "0.5F", "0.25F"),
    _kind("two functions in one", UNREADABLE, M, "\n    const float total", "\n    void f(void) { } const float total"),
    _kind("statics swapped between files", UNREADABLE, L, "2.0", "3.0", R, "3.0", "2.0"),
    _kind("static of another file", UNREADABLE, L, "2.0", "4.0"),
    _kind("a function of the library defined", UNREADABLE, M, _TOP, _TOP + "static double own(double x) { return -x; }\n#define sin own\n"),
    _kind("status of minus one", UNREADABLE, M, "    return status;", "    return -1;"),
    _kind("constant of minus one", UNREADABLE, M, "status |= FM_RANGE", "status |= -1"),
    _kind("an include by way of a directory that is not there", UNREADABLE, M, _AFTER, '#include "sub/../fm_model.h"\n'),
    _kind("include below its use", UNREADABLE, M, _AFTER, "", M, "/* v = (u_x", _AFTER + "/* v = (u_x"),
    _kind("include below its use in a header", UNREADABLE, H, _TYPES, "", H, "/** Three", _TYPES + "/** Three"),
    _kind("helper below its use", UNREADABLE, L, _GAIN, "", L, "    *y = gain(x);\n}\n", "    *y = gain(x);\n}\n" + _GAIN),
    _kind("macro below its use", UNREADABLE, T, "#define FM_RANGE 1u\n", "", M, "/* v = (u_x", "#define FM_RANGE 1u\n/* v = (u_x"),
    _kind("two structs of a tag", UNREADABLE, T, "struct {\n    double", "struct tag {\n    double", T, "struct {\n    float", "struct tag {\n    float"),
    _kind("prototype of an unknown type", UNREADABLE, T, "\n#endif", "\nvoid fm_other(nonexistent_t x);\n\n#endif"),
    _kind("prototype that returns an unknown type", UNREADABLE, T, "\n#endif", "\nnonexistent_t fm_other(double x);\n\n#endif"),
    _kind("type of an unknown type", UNREADABLE, T, "\n#endif", "\ntypedef nonexistent_t fm_other;\n\n#endif"),
    _kind("member of an unknown type", UNREADABLE, T, "\n#endif", "\ntypedef struct {\n    nonexistent_t x;\n} fm_other;\n\n#endif"),
    _kind("prototype of a type's name", UNREADABLE, H, "/** Twice", "double fm_pair_f32(double x);\n\n/** Twice"),
    _kind("two parameters of a name", UNREADABLE, H, "/** Twice", "void fm_other(double x, double x);\n\n/** Twice"),
    _kind("two parameters of a name in a known prototype", UNREADABLE, H, "(const fm_pair_f32 *u, float w, fm_pair_f32 *v)", "(const fm_pair_f32 *u, float u, fm_pair_f32 *v)"),
    # Arithmetic
    _kind("large number added and taken away", CHANGED, M, "w * total * 0.5F", "w * total * 0.5F + 1e10F - 1e10F"),
    _kind("double number added and taken away", CHANGED, M, "c * u_x -", "c * u_x + 1e30 - 1e30 -"),
    _kind("scaled up and down", CHANGED, M, "w * total * 0.5F", "w * total * 1e30F * 0.5e-30F"),
    _kind("zero minus", CHANGED, M, "atan2(-u_y", "atan2(0.0 - u_y"),
    _kind("minus one times the opposite", CHANGED, M, "atan2(-u_y, u_x)", "atan2(-(u_y + 0.0), u_x)"),
    _kind("cancelled factor", CHANGED, M, "w * total * 0.5F", "w * w * total * 0.5F / w"),
    _kind("static that is computed", UNREADABLE, M, "const float total", "static const float total"),
    _kind("static that is chosen", UNREADABLE, M, "const double c = ok", "static const double c = ok"),
    _kind("local of a function's name", UNREADABLE, M, "const double s = ok", "const double sin = ok", M, "- s *", "- sin *"),
    _kind("integer local", UNREADABLE, M, "const float total = u_x + u_y;", "const int total = u_x + u_y;"),
    _kind("cast to an integer", UNREADABLE, M, "w * total", "(int)w * total"),
    _kind("cast of a constant to an integer", CHANGED, M, "w * total * 0.5F", "(int)2.7F * w * total * 0.18518519F"),
    _kind("integer quotient", CHANGED, M, "total * 0.5F", "total * (1 / 2)"),
    _kind("octal number", CHANGED, M, "1000.0", "01000"),
    _kind("double in float", CHANGED, M, "total * 0.5F", "total * 0.1", M, "0.1", "0.1"),
    _kind("absolute value dropped", CHANGED, M, "sqrtf(fabsf(total))", "sqrtf(total)"),
    _kind("root of a double", CHANGED, M, "sqrtf(fabsf(total))", "(float)sqrt(fabs((double)u_x + u_y))"),
    _kind("root that is compared in double", CHANGED, M, "w < 2.0F", "sqrt(fabsf(w)) < 1.41421356"),
    _kind("cosine for a root", CHANGED, M, "sqrtf(fabsf(total))", "(float)cos(fabsf(total))"),
    _kind("float function of a double", CHANGED, M, "cos(a)", "cosf(a)"),
    _kind("sign lost", CHANGED, M, "c * u_x - s", "c * u_x + s"),
    _kind("arguments swapped", CHANGED, M, "atan2(-u_y, u_x)", "atan2(u_x, -u_y)"),
    _kind("power of two times the modulus", CHANGED, M, "c * u_x", "c * 170141183460469231731687303715884105728.0 * u_x"),
    _kind("helper of another factor", CHANGED, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _HALF.replace("0.5F", "0.25F")),
    _kind("helper of a sum", CHANGED, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _HALF.replace("x *", "x +")),
    _kind("helper that cuts", UNREADABLE, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _HALF.replace("float x", "int x")),
    _kind("helper that writes what the expression reads", UNREADABLE, M, _MEAN, "    v->x = w * total * half(v) + v->y;\n", M, _TOP, _TOP + "static float half(fm_pair_f32 *v)\n{\n    v->y = 3.0F;\n    return 0.5F;\n}\n"),
    _kind("helper that calls itself", UNREADABLE, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + "static float half(float x)\n{\n    return x > 1.0F ? half(x) : x * 0.5F;\n}\n"),
    _kind("helper of another library", UNREADABLE, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + "float half(float x);\n"),
    _kind("helper below its use", UNREADABLE, M, "w * total * 0.5F", "half(w * total)", R, "void fm_right", "float half(float x);\nfloat half(float x)\n{\n    return x * 0.5F;\n}\n\nvoid fm_right"),
    _kind("macro of a part of its argument", CHANGED, M, "w * total * 0.5F", "HALF(w * u_x + w * u_y)", M, _TOP, _TOP + "#define HALF(x) (0.5F * x)\n"),
    _kind("macro that joins names", UNREADABLE, M, "w * total * 0.5F", "w * JOIN(si, ze) * 0.5F", M, _TOP, _TOP + "#define JOIN(a, b) a##b\n"),
    _kind("constant of the file of another value", CHANGED, M, "0.5F", "half", M, _TOP, _TOP + "static const float half = 0.25F;\n"),
    _kind("constant of the file below its use", UNREADABLE, M, "0.5F", "half", M, "void fm_mean", "void fm_mean", M, "? size : w;\n}", "? size : w;\n}\nstatic const float half = 0.5F;\n"),
    _kind("number of the file that may be written", UNREADABLE, M, "0.5F", "half", M, _TOP, _TOP + "static float half = 0.25F;\n"),
    _kind("limit of a header that is not included", UNREADABLE, M, "u_x <= 1.0e200", "u_x <= DBL_MAX"),
    _kind("limit of a header", CHANGED, M, "u_x <= 1.0e200", "u_x <= DBL_MAX", M, _TOP, _TOP + "#include <float.h>\n"),
    _kind("loop of one turn more", CHANGED, M, _MEAN, "    v->x = w * total;\n    for (int k = 0; k < 2; k++) {\n        v->x *= 0.5F;\n    }\n"),
    _kind("loop over an argument", UNREADABLE, M, _MEAN, _MEAN + "    while (v->x > 1.0F && v->x < 1.0e30F) {\n        v->x *= 0.5F;\n    }\n"),
    _kind("live code of a condition", CHANGED, M, _MEAN, "#if 0\n" + _MEAN + "#else\n    v->x = w;\n#endif\n"),
    _kind("condition with a third way", UNREADABLE, M, _MEAN, "#if 0\n#elif 1\n    v->x = w;\n#else\n" + _MEAN + "#endif\n"),
    _kind("pointer to the other member", CHANGED, M, _MEAN, "    float *const to = &v->y;\n    *to = w * total * 0.5F;\n"),
    _kind("pointer beyond a member", UNREADABLE, M, _MEAN, "    float *const to = &v->x;\n    to[1] = w * total * 0.5F;\n"),
    _kind("copy taken after a store", CHANGED, M, "atan2(-u_y, u_x)", "atan2(-u_y, late.x)", M, "    v->y = ok", "    const fm_pair_f64 late = *u;\n    v->y = ok"),
    _kind("result not copied", CHANGED, M, _MEAN, "    fm_pair_f32 found = *v;\n    found.x = w * total * 0.5F;\n"),
    _kind("bool of a real number", UNREADABLE, M, "v->y = (w < 2.0F)", "const _Bool any = 0.5F;\n    v->y = (any)"),
    # Guards and status
    _kind("comparison turned round", GUARDS, M, "fabs(a) <= 1000.0", "!(fabs(a) > 1000.0)"),
    _kind("operand dropped", GUARDS, M, "bounded && known", "bounded"),
    _kind("or for and", GUARDS, M, "bounded && known", "bounded || known"),
    _kind("test for NaN dropped", GUARDS, M, "if (!known)", "if (u_x > 1.0e200)"),
    _kind("comparison of a flag with the other number", CHANGED, M, "v->y = ok ?", "v->y = ok != 1 ?"),
    _kind("comparison of a flag with a larger number", UNREADABLE, M, "v->y = ok ?", "v->y = ok != 2 ?"),
    _kind("comparison of two flags", CHANGED, M, "= bounded && known;", "= bounded == known;"),
    _kind("select turned round", GUARDS, M, "(w < 2.0F) ? size : w", "(w >= 2.0F) ? w : size"),
    _kind("nothing times an input", GUARDS, M, "? size : w;", "? size : w + 0.0F * u_x;"),
    _kind("a choice of a larger integer", CHANGED, M, "= bounded && known;", "= bounded ? known : 2;"),
    _kind("less or equal", CHANGED, M, "w < 2.0F", "w <= 2.0F"),
    _kind("another threshold", CHANGED, M, "1000.0", "1000.0000000000001"),
    _kind("another safe value", CHANGED, M, "sin(a) : 0.0", "sin(a) : 1.0"),
    _kind("flag not raised", CHANGED, M, "        status |= FM_ZERO;\n", "        status |= FM_OK;\n"),
    _kind("flag of another condition", CHANGED, M, "if (!known)", "if (!bounded)"),
    _kind("status overwritten", CHANGED, M, "status |= FM_ZERO", "status = FM_ZERO"),
    _kind("directive in a body", UNREADABLE, M, "    fm_status status = FM_OK;", "#define status FM_OK\n    fm_status status = FM_OK;"),
    _kind("macro over two lines", CHANGED, M, "* 0.5F", "* HALF", M, _AFTER, "#define HALF 0.5F \\\n + 1.0F\n" + _AFTER),
    _kind("macro with a comment", CHANGED, M, "* 0.5F", "* HALF", M, _AFTER, "#define HALF 0.5F /* \n */ + 1.0F\n" + _AFTER),
    # Memory
    _kind("read after the store", CHANGED, M, "atan2(-u_y, u_x)", "atan2(-u_y, u->x)"),
    _kind("store dropped", CHANGED, M, _MEAN, ""),
    _kind("store behind a choice", CHANGED, M, _MEAN, "    if (w < 2.0F) {\n    " + _MEAN + "    }\n"),
    _kind("other member stored", CHANGED, M, "v->x = w * total", "v->y = w * total"),
    _kind("early return", CHANGED, M, _MEAN, "    if (w > 5.0F) {\n        return;\n    }\n" + _MEAN),
    _kind("block that shadows", UNREADABLE, M, _MEAN, "    {\n        const float total = w;\n    " + _MEAN + "    }\n"),
    _kind("infinite float widened", CHANGED, M, "const int known = u_x <= 1.0e200;", "const int known = u_x <= (double)1.0e200F;"),
    _kind("infinity let through", GUARDS, M, "fabs(a) <= 1000.0", "fabs(a) <= INFINITY"),
    _kind("infinity for NaN", GUARDS, M, "u_x <= 1.0e200", "u_x != INFINITY"),
    _kind("isinf for isfinite", GUARDS, M, "u_x <= 1.0e200", "!isinf(u_x)"),
    _kind("NaN let through", GUARDS, M, "u_x <= 1.0e200", "isnan(u_x) || u_x <= 1.0e200"),
    _kind("negated test with another number's NaN", GUARDS, M, "u_x <= 1.0e200", "!isnan(u_y) && !(u_x > 1.0e200)"),
    _kind("memcpy of less", CHANGED, M, _LOADS, "    fm_pair_f32 c = {0};\n    memcpy(&c, u, sizeof(float));\n" + _FROM_COPY, M, _TOP, _TOP + _STRING),
    _kind("memcpy of the next member", CHANGED, M, _LOADS, "    fm_pair_f32 c = *u;\n    memcpy(&c.x, &u->y, sizeof(float));\n" + _FROM_COPY, M, _TOP, _TOP + _STRING),
    _kind("memcpy of a pointer's size", UNREADABLE, M, _LOADS, "    fm_pair_f32 c = {0};\n    memcpy(&c.x, u, sizeof u / 2);\n" + _FROM_COPY, M, _TOP, _TOP + _STRING),
    _kind("memset after the stores", CHANGED, M, "? size : w;\n", "? size : w;\n    memset(&v->y, 0, sizeof v->y);\n", M, _TOP, _TOP + _STRING),
    _kind("memset of bytes", UNREADABLE, M, "? size : w;\n", "? size : w;\n    memset(&v->y, 1, sizeof v->y);\n", M, _TOP, _TOP + _STRING),
    _kind("row and column swapped", CHANGED, M, _MEAN, "    const float a[2][2] = {w, total, 0.5F};\n    v->x = a[0][0] * a[0][1] * a[1][1];\n"),
    _kind("variable changed through a pointer", CHANGED, M, _MEAN, "    float mean = w * total;\n    float *to = &mean;\n    *to = total * 0.5F;\n    v->x = mean;\n"),
    _kind("arguments of a helper that stores", CHANGED, M, _MEAN, "    float a = w, b = total;\n    move(&b, &a);\n    v->x = a * b * 0.5F;\n", M, _TOP, _TOP + "static void move(float *to, const float *from)\n{\n    *to = *from;\n}\n"),
    _kind("name of another type", CHANGED, M, "const float total = u_x", "const number total = u_x", M, _TOP, _TOP + "typedef double number;\n"),
    _kind("comparison of constants", CHANGED, M, _MEAN, "    v->x = 1.0F < 1.0F ? w * total * 0.5F : total;\n"),
    _kind("long integer less an unsigned constant", UNREADABLE, M, _MEAN, "    const long k = 3;\n    v->x = (k - 4u < 0) ? total : w * total * 0.5F;\n"),
    _kind("long constant less an unsigned one", UNREADABLE, M, _MEAN, "    v->x = (3L - 4u < 0) ? total : w * total * 0.5F;\n"),
    _kind("long constant that an int does not hold", UNREADABLE, M, _MEAN, "    v->x = (0x100000000L > 2) ? total : w * total * 0.5F;\n"),
    _kind("flag in a long integer and another one", CHANGED, M, _OK, "const long ok = bounded || known;"),
    _kind("negative flag in a long integer", UNREADABLE, M, _OK, "const long ok = bounded && known;", M, "v->y = ok ?", "v->y = -ok < 1u ?"),
    _kind("long integer of a real number", UNREADABLE, M, _OK, "const long ok = u_x;"),
    _kind("assignment within an expression, and another use", UNREADABLE, M, _MEAN, _WITHIN.replace("0.5F", "0.5F + 0.0F * s")),
    _kind("assignment on one way of an expression", UNREADABLE, M, _MEAN, _WITHIN.replace("(s = total)", "(w < 2.0F ? (s = total) : total)") + "    v->x += 0.0F * s;\n"),
    _kind("assignment behind an and", UNREADABLE, M, _CHOICE, "    float s = 1.0F;\n    if (w > 0.5F && (s = 2.0F) > w) {\n        w = size;\n    }\n    v->y = w * s;\n"),
    _kind("assignment within an expression that rounds", CHANGED, M, _MEAN, _WITHIN.replace("float s = w", "int s").replace("(s = total)", "total * (s = 1.5F)").replace("0.5F;", "(1.0F / 3.0F);")),
    _kind("assignment within sizeof", UNREADABLE, M, _MEAN, _WITHIN.replace("(s = total)", "total * sizeof(s = 2.0F)").replace("0.5F", "0.125F") + "    v->x *= s / w;\n"),
    _kind("assignment within an expression to what a pointer names", UNREADABLE, M, _MEAN, _WITHIN.replace("    v->x", "    float *p = &s;\n    v->x").replace("0.5F", "0.5F + 0.0F * *p")),
    _kind("assignment within a product of its own target", UNREADABLE, M, _MEAN, "    float s = total;\n    s = (s = w) * s;\n    v->x = s * 0.5F;\n"),
    _kind("value that is assigned within an expression", CHANGED, M, _MEAN, _WITHIN + "    v->x = s;\n"),
    _kind("break that skips a store", CHANGED, M, _MEAN + _CHOICE, _ONCE.replace("    } while", _MEAN + "    } while")),
    _kind("break of an inner block once", CHANGED, M, _CHOICE, "    do {\n" + _ONCE + "        v->y = w;\n    } while (0);\n"),
    _kind("break of a switch that does not leave", CHANGED, M, _CHOICE, _ONCE.replace("if (w < 2.0F) {", "switch (w < 2.0F) {\n        default:")),
    _kind("turn that is continued", UNREADABLE, M, _CHOICE, _ONCE.replace("do", "while (w > 0.0F)").replace("} while (0);", "    break;\n    }").replace("            break;", "            w = w - 1.0F;\n            continue;")),
    _kind("turn whose condition is met again", UNREADABLE, M, _CHOICE, _ONCE.replace("while (0)", "while (w < 5.0F)").replace("v->y = w;", "w = w * 2.0F;\n        v->y = w;")),
    _kind("break of a loop with more turns", UNREADABLE, M, _CHOICE, "    for (int k = 0; k < 2; k++) {\n" + _ONCE + "        w = w * 2.0F;\n    }\n"),
    _kind("other member of a struct without a name", CHANGED, M, _MEAN, _PAIR.replace("pair.b", "pair.a")),
    _kind("struct without a name of a wider type", CHANGED, M, _MEAN, _PAIR.replace("float a", "double a").replace("w, total", "w + 1e-9, total")),
    _kind("struct without a name of integers", UNREADABLE, M, _MEAN, _PAIR.replace("float a", "int a")),
    _kind("struct without a name with bits", UNREADABLE, M, _MEAN, _PAIR.replace("float a, b;", "int a : 1, b : 1;").replace("w, total", "1, 1").replace("pair.b", "w * total")),
    _kind("struct with the name of a type", UNREADABLE, M, _MEAN, _PAIR.replace("struct {", "struct fm_pair_f32 {").replace("pair.b", "pair.a")),
    _kind("union without a name", UNREADABLE, M, _MEAN, _PAIR.replace("struct", "union").replace("{w, total}", "{w}")),
    _kind("member of a struct without a name that has no value", UNREADABLE, M, _MEAN, _PAIR.replace(" = {w, total};", ";\n    pair.a = w;")),
    _kind("member of a struct without a name through a pointer", CHANGED, M, _MEAN, _PAIR.replace("    v->x", "    float *p = &pair.b;\n    *p = 2.0F;\n    v->x")),
    _kind("another comparison by a macro of the library", CHANGED, M, "(w < 2.0F)", "islessequal(w, 2.0F)"),
    _kind("comparison of a macro of the library in double", CHANGED, M, "(w < 2.0F)", "isless(w, 2.1)"),
    _kind("unsigned constant in an int", CHANGED, M, _MEAN, "    const int k = 3u;\n    v->x = (k - 4 < 0) ? total : w * total * 0.5F;\n"),
    _kind("int that an unsigned constant is added to", CHANGED, M, _MEAN, "    int k = 1;\n    k |= 2u;\n    v->x = (k > -1) ? total : w * total * 0.5F;\n"),
    _kind("int of an unsigned variable", CHANGED, M, _MEAN, "    const unsigned n = 3;\n    const int k = n;\n    v->x = (-k < 0) ? total : w * total * 0.5F;\n"),
    _kind("sum of conditions", CHANGED, M, _CHOICE, "    v->y = ((w < 2.0F) + (w < 3.0F) > 0) ? size : w;\n"),
    _kind("case of another number", CHANGED, M, _CHOICE, "    switch (w < 2.0F) {\n    case 0:\n        v->y = size;\n        break;\n    default:\n        v->y = w;\n        break;\n    }\n"),
    _kind("case that falls through", UNREADABLE, M, _CHOICE, "    switch (w < 2.0F) {\n    case 1:\n        v->y = size;\n    default:\n        v->y = w;\n        break;\n    }\n"),
    _kind("two cases of one number", UNREADABLE, M, _CHOICE, "    switch (w < 2.0F) {\n    case 1:\n        v->y = size;\n        break;\n    case 0x1:\n        break;\n    default:\n        v->y = w;\n        break;\n    }\n"),
    _kind("case that the switch leaves out", UNREADABLE, M, _CHOICE, "    switch (w < 2.0F) {\n    case 1:\n        v->y = size;\n        break;\n    case 2:\n        v->y = w;\n        break;\n    }\n"),
    _kind("static counter of a loop", UNREADABLE, M, _MEAN, "    for (static const int k = 1; k < 1;) {\n    }\n" + _MEAN),
    _kind("pointer to a register", UNREADABLE, M, _MEAN, "    register float mean = w * total * 0.5F;\n    const float *const from = &mean;\n    v->x = *from;\n"),
    _kind("restrict in a compound literal", UNREADABLE, M, _LOADS, "    const fm_pair_f32 c = (fm_pair_f32 restrict){u->x, u->y};\n" + _FROM_COPY),
    _kind("one end of the range of a type", GUARDS, M, "u_x <= 1.0e200", "u_x >= -1.7976931348623157e+308 && u_y <= 1.7976931348623157e+308"),
    _kind("one end of a range left out", CHANGED, M, "fabs(a) <= 1000.0", "a <= 1000.0 && a >= -0.0"),
    _kind("ends of a range of two numbers", CHANGED, M, "fabs(a) <= 1000.0", "a <= 1000.0 && u_x >= -1000.0"),
    _kind("ends of a range with or", CHANGED, M, "fabs(a) <= 1000.0", "(a <= 1000.0 || a >= -1000.0)"),
    _kind("range without its NOT", GUARDS, M, "fabs(a) <= 1000.0", "!(a > 1000.0 || a < -1000.0)"),
    _kind("break before the end of a case", UNREADABLE, M, _CHOICE, "    switch (w < 2.0F) {\n    case 1:\n        v->y = w;\n        if (w > 0.0F) {\n            break;\n        }\n        v->y = size;\n        break;\n    default:\n        v->y = w;\n        break;\n    }\n"),
    _kind("case beside a default", CHANGED, M, _CHOICE, "    switch (w < 2.0F) {\n    case 1:\n    default:\n        v->y = w;\n        break;\n    }\n"),
    _kind("mask of the other bit", CHANGED, M, _RAISE, "    status |= -(unsigned)known & FM_ZERO;\n"),
    _kind("mask without a limit", UNREADABLE, M, _RAISE, "    status |= -(unsigned)!known;\n"),
    _kind("mask of two bits", CHANGED, M, _RAISE, "    status |= -(unsigned)!known & (FM_ZERO | 2u);\n"),
    _kind("equal to one flag, not any", CHANGED, M, "    return status;\n", "    return status == FM_RANGE ? FM_RANGE : FM_OK;\n"),
    _kind("helper that returns one member twice", CHANGED, M, _LOADS, _OF_GET, M, _TOP, _TOP + _GET.replace("*p;", "(fm_pair_f32){p->x, p->x};")),
    _kind("helper that returns a struct before it is complete", CHANGED, M, _LOADS, _OF_GET, M, _TOP, _TOP + _GET.replace("    return *p;", "    fm_pair_f32 r = *p;\n    if (r.x > 1.0F) {\n        return r;\n    }\n    r.y = 0.0F;\n    return r;")),
    _kind("helper that returns a struct on one way", UNREADABLE, M, _LOADS, _OF_GET, M, _TOP, _TOP + _GET.replace("    return", "    if (p->x > 1.0F) return")),
    _kind("helper that returns a struct and writes", UNREADABLE, M, _LOADS, _OF_GET.replace("get(u)", "get(v)"), M, _TOP, _TOP + _GET.replace("const fm", "fm").replace("    return", "    p->y = 0.0F;\n    return")),
    _kind("helper that returns a struct of another type", UNREADABLE, M, _LOADS, _OF_GET, M, _TOP, _TOP + _GET.replace("static fm_pair_f32", "static fm_pair_f64")),
    _kind("helper that reads what it has written of its copy", CHANGED, M, _LOADS, _OF_FIRST, M, _TOP, _TOP + _FIRST.replace("return p.x", "return p.y")),
    _kind("helper that takes a struct of another type", UNREADABLE, M, _LOADS, _OF_FIRST, M, _TOP, _TOP + _FIRST.replace("fm_pair_f32", "fm_pair_f64")),
    _kind("helpers of one name of which one is wrong", CHANGED, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _HALF, R, "gain(x);", "half(gain(x));", R, "void fm_right", _SAME.replace("return x", "return x + x") + "\nvoid fm_right"),
    _kind("helper that another file defines", UNREADABLE, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _HALF, R, "gain(x);", "half(gain(x));", R, "void fm_right", "static double half(double x);\n\nvoid fm_right"),
    _kind("array without a size, and its second element", UNREADABLE, R, "double *y)", "double y[])", R, "*y =", "y[1] ="),
    _kind("loop over one element more than sizeof counts", UNREADABLE, M, _MEAN, _PRODUCT.replace("i < sizeof", "i <= sizeof")),
    _kind("loop over fewer elements by a larger type", CHANGED, M, _MEAN, _PRODUCT.replace("sizeof a[0]", "sizeof(double)")),
    _kind("size that is less than nothing", UNREADABLE, M, _MEAN, "    const float a[2] = {w, total};\n    v->x = (sizeof a / sizeof a[0] - 3 < 0) ? w * total * 0.5F : total;\n"),
    _kind("size beyond 32 bits", UNREADABLE, M, _MEAN, "    const float a[4] = {w, total};\n    v->x = (sizeof a * 0x40000000u == 0u) ? w * total * 0.5F : total;\n"),
    _kind("size that is compared with a negative number", UNREADABLE, M, _MEAN, "    const size_t n = 3;\n    v->x = (n > -1) ? w * total * 0.5F : total;\n", M, _TOP, _TOP + _STDDEF),
    _kind("truth in a long without sign, less one", UNREADABLE, M, _CHOICE, _BELOW.replace("integer", "unsigned long")),
    _kind("truth in the widest integer without sign, less one", UNREADABLE, M, _CHOICE, _BELOW.replace("integer", "uintmax_t"), M, _TOP, _TOP + _STDINT),
    _kind("truth in a fast integer without sign, less one", UNREADABLE, M, _CHOICE, _BELOW.replace("integer", "uint_fast16_t"), M, _TOP, _TOP + _STDINT),
    _kind("truth in a long without sign, beside a negative number", UNREADABLE, M, _CHOICE, _BELOW.replace("integer", "unsigned long long").replace("below - 1 < 0", "below > -1 && w >= 2.0F")),
    _kind("status of a byte that does not hold it", UNREADABLE, M, "if (!known) {\n        status |= FM_ZERO;", "if (!known) {\n        status |= 256u;", M, "    fm_status status = FM_OK;", "    unsigned char status = FM_OK;"),
    _kind("flag that is raised twice by exclusive or", UNREADABLE, M, "        status |= FM_ZERO;", "        status ^= FM_ZERO;\n        status ^= FM_ZERO;"),
    _kind("size_t without its header", UNREADABLE, L, "    *y = gain(x);\n", "    const size_t n = 0;\n    *y = gain(x);\n"),
    _kind("small integer that wraps", UNREADABLE, M, _MEAN, "    const unsigned char k = 300;\n    v->x = (k > 50) ? w * total * 0.5F : total;\n"),
    _kind("assignment cast to void", UNREADABLE, M, _MEAN, "    (void)(w = 1.0F);\n" + _MEAN),
    _kind("other entry of a table", CHANGED, M, "* 0.5F", "* FM_TABLE[1]", M, _TOP, _TOP + _TABLE),
    _kind("entry beyond a table", UNREADABLE, M, "* 0.5F", "* FM_TABLE[2]", M, _TOP, _TOP + _TABLE),
    _kind("table that is shadowed", CHANGED, M, _MEAN, "    const float FM_TABLE[1] = {0.25F};\n    v->x = w * total * FM_TABLE[0];\n", M, _TOP, _TOP + _TABLE),
    _kind("table below its use", UNREADABLE, M, "* 0.5F", "* FM_TABLE[0]", M, "? size : w;\n}", "? size : w;\n}\n" + _TABLE),
    _kind("table that may be written", UNREADABLE, M, "* 0.5F", "* FM_TABLE[0]", M, _TOP, _TOP + _TABLE.replace("const ", ""), M, _HEAD, _HEAD + "\n    FM_TABLE[0] = 0.25F;"),
    _kind("table of integers", CHANGED, M, "* 0.5F", "* (FM_TABLE[0] / FM_TABLE[1])", M, _TOP, _TOP + "static const int FM_TABLE[] = {1, 2};\n"),
    _kind("table with row and column swapped", CHANGED, M, "* 0.5F", "* FM_TABLE[1][0]", M, _TOP, _TOP + "static const float FM_TABLE[2][2] = {{1.0F, 0.5F}, {2.0F, 4.0F}};\n"),
    _kind("other member of a constant", CHANGED, M, "* 0.5F", "* FM_HALF.y", M, _TOP, _TOP + "static const fm_pair_f32 FM_HALF = {0.5F, 0.25F};\n"),
    _kind("enumerator of another value", CHANGED, M, _MEAN, _PRODUCT.replace("sizeof a / sizeof a[0]", "COUNT"), M, _TOP, _TOP + "enum { COUNT = 2 };\n"),
    _kind("enumerator that counts on", UNREADABLE, M, _MEAN, _PRODUCT.replace("sizeof a / sizeof a[0]", "COUNT"), M, _TOP, _TOP + "enum { FIRST = 1, COUNT };\n"),
    _kind("variable for a constant size", UNREADABLE, M, _MEAN, "    const float a[COUNT] = {w, total};\n    v->x = a[0] * a[1] * 0.5F;\n", M, _TOP, _TOP + "static const int COUNT = 2;\n"),
    _kind("call without a value that stores", CHANGED, M, "? size : w;\n", "? size : w;\n    (void)put(v);\n", M, _TOP, _TOP + "static int put(fm_pair_f32 *to)\n{\n    to->y = 0.0F;\n    return 0;\n}\n"),
    _kind("truth value halved", UNREADABLE, M, _OK, "const int ok = 0.5 * (bounded && known);"),
    _kind("flag shifted away", UNREADABLE, M, _KNOWN, "const int known = (u_x <= 1.0e200) >> 1;"),
    _kind("flag of another bit", CHANGED, M, _KNOWN, "const int known = (u_x <= 1.0e200) & 2;"),
    _kind("chain of comparisons", CHANGED, M, "(w < 2.0F) ?", "(0.0F < w < 2.0F) ?"),
    _kind("difference of flags", CHANGED, M, "= bounded && known;", "= bounded - known;"),
    _kind("opposite of a flag and one", UNREADABLE, M, "v->y = ok ?", "v->y = -ok + 1 ?"),
    _kind("remainder of a flag", CHANGED, M, "v->y = ok ?", "v->y = ok % 1 ?"),
    _kind("quotient of a flag", CHANGED, M, "v->y = ok ?", "v->y = ok / 2 ?"),
    _kind("complement of a flag", UNREADABLE, M, "v->y = ok ?", "v->y = ~ok ?"),
    _kind("last operand of a comma", CHANGED, M, "v->y = ok ?", "v->y = (ok, 0) ?"),
    _kind("unsigned opposite of a flag", UNREADABLE, M, "v->y = ok ?", "v->y = -(unsigned)ok < 1u ?"),
    _kind("enumerators in another order", UNREADABLE, M, _OK, "enum { YES, NO };\n    const int ok = bounded && known ? YES : NO;"),
    _kind("element that has no value of its own", CHANGED, M, _MEAN, "    const float a[3] = {total, 0.5F};\n    v->x = w * a[0] * a[2];\n"),
    _kind("element with two values", UNREADABLE, M, _MEAN, "    const float a[2] = {[1] = 0.5F, [0] = total, 0.25F};\n    v->x = w * a[0] * a[1];\n"),
    _kind("members by place in another order", CHANGED, M, _MEAN + _CHOICE, "    const fm_pair_f32 whole = {(w < 2.0F) ? size : w, w * total * 0.5F};\n    *v = whole;\n"),
    _kind("member without a value", CHANGED, M, _MEAN + _CHOICE, "    const fm_pair_f32 whole = {.x = w * total * 0.5F};\n    *v = whole;\n"),
    _kind("literal without a member", CHANGED, M, _MEAN + _CHOICE, "    *v = (fm_pair_f32){.x = w * total * 0.5F};\n"),
    _kind("variable of another file", UNREADABLE, M, "const float total = u_x + u_y;", "extern float total;", M, _TOP, _TOP + "float total = 1.0F;\n"),
    _kind("function declared again without parameters", UNREADABLE, M, "const float total", "float sqrtf();\n    const float total"),
    _kind("counter of type float", UNREADABLE, M, _MEAN, "    v->x = w * total;\n    for (float k = 0.0F; k < 1.0F; k += 0.4F) {\n        v->x *= 0.5F;\n    }\n"),
    _kind("loop with two counters", CHANGED, M, _MEAN, "    v->x = w * total;\n    for (int k = 0, j = 3; k < j; k++, j--) {\n        v->x *= 0.5F;\n    }\n"),
    _kind("loop that leaves late", UNREADABLE, M, _MEAN, "    v->x = w * total;\n    for (int k = 0; k < 4; k++) {\n        if (k > 1) {\n            break;\n        }\n        v->x *= 0.5F;\n    }\n"),
    _kind("index halved in a loop", CHANGED, M, _MEAN, "    const float a[2] = {total, 0.5F};\n    v->x = w;\n    for (int k = 0; k < 2; k++) {\n        v->x *= a[k / 2];\n    }\n"),
    _kind("result read for the argument", CHANGED, M, "atan2(-u_y, u_x)", "atan2(-u_y, v->x)"),
    _kind("load of the result", CHANGED, M, "const double u_x = u->x;", "const double u_x = v->x;"),
    _kind("argument written through a cast", UNREADABLE, M, "    const double u_x = u->x;", "    ((fm_pair_f64 *)u)->x = 2.0;\n    const double u_x = u->x;"),
    _kind("pointer moved on", UNREADABLE, M, "    const double u_x = u->x;", "    u++;\n    const double u_x = u->x;"),
    _kind("angle of the opposite of both", CHANGED, M, "atan2(-u_y, u_x)", "-atan2(u_y, -u_x)"),
    _kind("angle of the size", CHANGED, M, "atan2(-u_y, u_x)", "-atan2(fabs(u_y), u_x)"),
    _kind("flag and one as a condition", CHANGED, M, "v->y = ok ?", "v->y = ok + 1.0 ?"),
    _kind("number as a condition", CHANGED, M, "(w < 2.0F)", "(w < 2.0F ? w : 0.0F)"),
    _kind("assignment as a condition", CHANGED, M, "const int ok = bounded", "int ok = bounded", M, "if (!known)", "if (ok = 0)"),
    _kind("assignment that rounds", CHANGED, M, "const double s = ok ?", "float f;\n    const double s = f = ok ?"),
    _kind("assignment of a constant as a condition", UNREADABLE, M, _CHOICE, "    const int less = 0;\n    if (less = w < 2.0F) {\n        v->y = size;\n    } else {\n        v->y = w;\n    }\n"),
    _kind("opposite of the opposite of a flag and one", CHANGED, M, "if (!known)", "if (-(-known) + 1)"),
    _kind("value before a comma", CHANGED, M, "w * total * 0.5F", "(total, w) * 0.5F"),
    _kind("assignment before a comma", CHANGED, M, "const float total = u_x + u_y;", "float sum = u_x;\n    const float total = (sum = u_y, sum + u_y);"),
    _kind("assignment before a comma and the index", UNREADABLE, M, _MEAN, "    int k = 0;\n    float a[2] = {0.0F};\n    a[k] = (k = 1, w * total * 0.5F);\n    v->x = a[0];\n"),
    _kind("sum with what is assigned before a comma", UNREADABLE, M, _MEAN, "    float p = w;\n    p *= (p = total, 0.5F);\n    v->x = p;\n"),
    _kind("commas of a loop", CHANGED, M, _MEAN, "    int k, j;\n    v->x = w * total;\n    for (k = 0, j = 3; k < 9, k < j; k++, j--) {\n        v->x *= 0.5F;\n    }\n"),
    _kind("pointer that walks on first", CHANGED, M, _MEAN, _WALK.replace("*from++", "*++from").replace("0.5F}", "0.5F, 2.0F}")),
    _kind("pointer that walks back", CHANGED, M, _MEAN, "".join(_WALK.replace("= a;", "= a + 2;").replace("++", "--").rsplit("--", 1)).replace("{w,", "{w + total,")),
    _kind("pointer that walks before its array", UNREADABLE, M, _MEAN, _WALK.replace("= a;", "= a + 2;").replace("++", "--").replace("{w,", "{w + total,")),
    _kind("pointer that walks twice", UNREADABLE, M, _MEAN, _WALK.replace("v->x *= *from++", "v->x *= *from++ + 0.0F * *from++", 1)),
    _kind("pointer that walks on one way", UNREADABLE, M, _MEAN, _WALK.replace("v->x = *from++", "v->x = w < 2.0F ? *from++ : w")),
    _kind("pointer that walks behind an and", UNREADABLE, M, _MEAN, _WALK.replace("v->x = *from++", "v->x = w * (w < 2.0F && *from++ < 1.0F)")),
    _kind("pointer that walks nowhere", UNREADABLE, M, _MEAN, _WALK.replace("    v->x *=", "    (void)sizeof(*from++);\n    v->x *=", 1).replace("w,", "w, 2.0F,")),
    _kind("constant pointer that walks", UNREADABLE, M, _MEAN, _WALK.replace("*from =", "*const from =")),
    _kind("constant parameter that walks", UNREADABLE, R, "double *y)", "double y[const 1])", R, "*y =", "*y++ ="),
    _kind("step that is assigned to", UNREADABLE, M, _MEAN, _WALK.replace("    v->x *=", "    from++ = a;\n    v->x *=", 1)),
    _kind("pointer moved too far", CHANGED, M, _MEAN, _WALK.replace("    v->x *=", "    from += 1;\n    v->x *=", 1).replace("0.5F}", "0.5F, 2.0F}")),
    _kind("pointer moved on one way", UNREADABLE, M, _MEAN, _WALK.replace("    v->x *=", "    if (w < 2.0F) {\n        from++;\n    }\n    v->x *=", 1).replace("0.5F}", "0.5F, 2.0F}")),
    _kind("pointer that ends early", CHANGED, M, _MEAN, _END.replace("a + 3", "a + 2")),
    _kind("argument changed before its use", CHANGED, M, "const float total", "w = -w;\n    const float total"),
    _kind("assignment inside of an expression", UNREADABLE, M, "    const float total = u_x + u_y;", "    float total = u_x + u_y;", M, "sqrtf(fabsf(total))", "sqrtf(fabsf(total = 2.0F))"),
    _kind("choice without its condition", CHANGED, M, "ok ? atan2(-u_y, u_x) : 0.0", "atan2(-u_y, u_x)"),
    _kind("one bit of the status", CHANGED, M, "return status;", "return status & 1u;"),
    _kind("status as a truth value", CHANGED, M, "return status;", "return !!status;"),
    _kind("status cleared behind the flag", UNREADABLE, M, "        status |= FM_ZERO;\n    }", "        status |= FM_ZERO;\n    }\n    status &= ~FM_ZERO;"),
    _kind("status that is shadowed", UNREADABLE, M, "        status |= FM_ZERO;\n", "        fm_status status = FM_OK;\n        status |= FM_ZERO;\n"),
    _kind("else of the inner if", CHANGED, M, "    if (!bounded) {\n        status |= FM_RANGE;\n    }\n" + _RAISE, "    if (!bounded)\n        if (!known)\n            status |= FM_ZERO;\n    else\n        status |= FM_RANGE;\n"),
    _kind("if of an empty statement", CHANGED, M, "    if (!known) {", "    if (!known);\n    {"),
    _kind("character for a number", CHANGED, M, "total * 0.5F", "total * '0'"),
    _kind("size for a number", UNREADABLE, M, "total * 0.5F", "total * sizeof(int)"),
    _kind("compound literal in double", CHANGED, M, "w * total * 0.5F", "(double){w} * total * 0.1F"),
    _kind("compound literal that truncates", CHANGED, M, "0.5F", "(int){1.5F}"),
    _kind("compound literal of a long integer", UNREADABLE, M, "0.5F", "(long){0.5F}"),
    _kind("conversion to a character", UNREADABLE, M, "total * 0.5F", "total * (char)300"),
    _kind("unsigned minus one", UNREADABLE, M, "w * total", "w * -1U * total"),
    _kind("quotient of constants that is negative", CHANGED, M, "w * total", "w * (-7 / 2) * total"),
    _kind("shift before a sum", CHANGED, M, "w * total", "w * (1 << 1 + 1) * total"),
    _kind("argument halved after its last use but one", CHANGED, M, _CHOICE, "    w = 0.5F * w;\n" + _CHOICE),
    _kind("constant argument changed", UNREADABLE, M, _HEAD, _HEAD.replace("float w", "const float w") + "\n    w = 1.0F * w;"),
    _kind("argument changed on one way", CHANGED, M, "    const float total", "    if (u_x < 0.0F) {\n        w = 1.0F;\n    }\n    const float total"),
    _kind("volatile variable written through a pointer", UNREADABLE, M, _MEAN, "    volatile float half = 0.5F;\n    float *p = (float *)&half;\n    *p = 0.25F;\n    v->x = w * total * half;\n"),
    _kind("volatile variable of another value", CHANGED, M, _MEAN, "    volatile float half = 0.5F;\n    half += half * 1e-7F;\n    v->x = w * total * half;\n"),
    _kind("volatile variable in double", CHANGED, M, _MEAN, "    volatile double half = 0.1;\n    v->x = w * total * half;\n"),
    _kind("volatile constant that is written", UNREADABLE, M, _MEAN, "    const volatile float half = 0.5F;\n    half = 0.25F;\n    v->x = w * total * half;\n"),
    _kind("volatile variable without a value", UNREADABLE, M, _MEAN, "    volatile float half;\n    v->x = w * total * half;\n"),
    _kind("index of a character", CHANGED, M, _MEAN, "    const float a[2] = {total, 0.5F};\n    v->x = w * a['2' - '1'] * a['2' - '1'];\n"),
    _kind("character of another number", CHANGED, M, "w * total", "w * ('\\61' - '\\x2F') * total"),
    _kind("character whose sign compilers choose", UNREADABLE, M, "w * total", "w * '\\xff' * total"),
    _kind("characters together", UNREADABLE, M, "w * total", "w * ('ab' - 'a') * total"),
    _kind("choice in a choice by its opposite", CHANGED, M, _CHOICE, "    v->y = (w < 2.0F) ? (!(w < 2.0F) ? size : w) : w;\n"),
    _kind("choice in a choice by another condition", CHANGED, M, _CHOICE, "    v->y = (w < 2.0F) ? ((w <= 0.5F) ? size : w) : w;\n"),
    _kind("choice in the other side", CHANGED, M, _CHOICE, "    v->y = (w < 2.0F) ? size : ((w < 2.0F) ? w : total);\n"),
    _kind("product of sizes of two numbers", CHANGED, M, "w * total * 0.5F", "fabsf(w) * fabsf(total) * 0.5F"),
    _kind("size times the number", CHANGED, M, "v->y = (w < 2.0F) ? size : w;", "v->y = (w < 2.0F) ? size : fabsf(w) * w / w;"),
    _kind("digraphs for another index", CHANGED, M, _MEAN, "    const float a<:2:> = <%total, 0.5F%>;\n    v->x = w * a<:0:> * a<:0:>;\n"),
    _kind("line that is used", UNREADABLE, M, _MEAN, "    v->x = w * total * (__LINE__ < 20 ? 0.5F : 0.25F);\n", M, _TOP, "#line 100\n" + _TOP),
    _kind("infinite for finite", CHANGED, M, _KNOWN, "const int known = isfinite(u_x) && u_x <= 1.0e200;"),
    _kind("finite as a number", UNREADABLE, M, _KNOWN, "const int known = isinf(u_x) * (u_x < 0.0) + (u_x <= 1.0e200);"),
    _kind("infinite as one", UNREADABLE, M, _KNOWN, "const int known = u_x <= 1.0e200 && isinf(u_x) != -1;"),
    _kind("difference of a number and another one", CHANGED, M, _KNOWN, "const int known = u_x - u_y == 0.0;"),
    _kind("goto past a store", UNREADABLE, M, _MEAN, "    v->x = u->y;\n    goto end;\n" + _MEAN + "end:\n"),
    _kind("goto past a store on one way", CHANGED, M, _MEAN + _CHOICE, _CHOICE + "    v->x = total;\n    if (w < 2.0F) {\n        goto end;\n    }\n" + _MEAN + "end:;\n"),
    _kind("goto inside of a way to a label", CHANGED, M, _MEAN + _CHOICE, "    if (w < 0.0F) {\n        goto end;\n    }\n    if (u_x < 0.0F) {\n        if (w < 1.0F) {\n            goto inner;\n        }\ninner:;\n    }\n    w = 1.0F * w + (w < 1.5F);\nend:\n" + _MEAN + _CHOICE),
    _kind("return before the label", CHANGED, M, _CHOICE, "    v->y = w;\n    if (w < 0.0F) {\n        goto end;\n    }\n    if (w < 1.0F) {\n        return;\n    }\nend:\n" + _CHOICE),
    _kind("goto backward", UNREADABLE, M, _MEAN + _CHOICE, "    int n = 0;\nagain:\n" + _MEAN + _CHOICE + "    n++;\n    w = w * 2.0F;\n    if (n < 2) {\n        goto again;\n    }\n"),
    _kind("goto into a block", UNREADABLE, M, _MEAN, "    if (w < 2.0F) {\n        goto inside;\n    }\n    if (w < 0.5F) {\ninside:\n    " + _MEAN + "    }\n"),
    _kind("goto past the value of a variable", UNREADABLE, M, _MEAN, "    if (w < 2.0F) {\n        goto end;\n    }\n    const float t = w * total * 0.5F;\nend:\n    v->x = t;\n"),
    _kind("goto past the value of a variable that hides another", UNREADABLE, M, _TOP, _TOP + "static const float half = 0.5F;\n", M, _MEAN, "    if (w < 2.0F) {\n        goto end;\n    }\n    const float half = 0.25F;\nend:\n    v->x = w * total * half;\n"),
    _kind("goto the label of another way", CHANGED, M, _MEAN, "    if (w < 2.0F) {\n        goto less;\n    }\n    v->x = w * total * 0.5F;\n    goto end;\nless:\n    v->x = w * total * 0.25F;\nend:;\n"),
    _kind("turn that does not end with a break", UNREADABLE, M, _CHOICE, "    v->y = w;\n    while (w < 2.0F) {\n        v->y = total;\n        w = 2.0F;\n    }\n"),
    _kind("break that is not always reached", UNREADABLE, M, _CHOICE, "    v->y = w;\n    while (w < 2.0F) {\n        if (w < 1.0F) {\n            break;\n        }\n        v->y = size;\n        break;\n    }\n"),
    _kind("break of a switch in a loop", UNREADABLE, M, _CHOICE, "    v->y = w;\n    while (w < 2.0F) {\n        switch (w < 1.0F) {\n        default:\n            break;\n        }\n        v->y = total;\n        w = 2.0F;\n    }\n"),
    _kind("turn of another condition", CHANGED, M, _CHOICE, "    v->y = w;\n    while (w <= 2.0F) {\n        v->y = size;\n        break;\n    }\n"),
    _kind("turn before its condition", CHANGED, M, _CHOICE, "    v->y = w;\n    do {\n        v->y = size;\n        break;\n    } while (w < 2.0F);\n"),
    _kind("type of another name that is wider", CHANGED, M, _MEAN, "    typedef double real;\n    const real half = 0.1;\n    v->x = w * total * half;\n"),
    _kind("type of a number that is whole", UNREADABLE, M, "    const float total = u_x + u_y;", "    typedef int real;\n    const real total = u_x + u_y;"),
    _kind("type of one name in two blocks", UNREADABLE, M, _MEAN, "    {\n        typedef float real;\n        const real t = w;\n        v->x = t;\n    }\n    {\n        typedef double real;\n        const real half = 0.1;\n        v->x = v->x * total * half;\n    }\n"),
    _kind("macro of another file with the name of a constant", UNREADABLE, M, "0.5F", "HALF", M, _TOP, _TOP + "static const float HALF = 0.25F;\n", L, _AFTER, _AFTER + "#define HALF 0.5F\n"),
    _kind("macro below a constant of its name", UNREADABLE, M, "0.5F", "HALF", M, _TOP, _TOP + "static const float HALF = 0.25F;\n", M, _CHOICE + "}\n", _CHOICE + "}\n#define HALF 0.5F\n"),
    _kind("macro below a function of its name", UNREADABLE, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _HALF.replace("0.5F", "0.25F"), M, _CHOICE + "}\n", _CHOICE + "}\n#define half(x) ((x) * 0.5F)\n"),
    _kind("declaration of a function that returns another type", UNREADABLE, M, "w * total * 0.5F", "fm_half(w * total)", M, _TOP, _TOP + "double fm_half(float x);\n", L, _AFTER, _AFTER + _HALF.replace("static float half", "float fm_half")),
    _kind("quotient by another power of two", CHANGED, M, "total * 0.5F", "total / 4.0F"),
    _kind("quotient by a negative power of two", CHANGED, M, "total * 0.5F", "total / -2.0F"),
    _kind("comparison before a mask", CHANGED, M, "w * total", "w * (6 & 3 == 3) * total"),
)  # fmt: skip
"""What changes behaviour."""

ELSEWHERE = (
    _kind("constant of the file in double", CHANGED, M, "0.5F", "half", M, _TOP, _TOP + "static const double half = 0.1;\n"),
    _kind("helper in double", CHANGED, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _HALF.replace("0.5F", "0.1")),
    _kind("macro of a file that is not included", UNREADABLE, M, "0.5F", "HALF", L, _AFTER, _AFTER + "#define HALF 0.5F\n"),
    _kind("pointer to a struct of other members", UNREADABLE, M, "const float u_x = u->x;", "const float u_x = first(u);", M, _TOP, _TOP + "typedef struct {\n    float y;\n    float x;\n} other;\nstatic float first(const other *p)\n{\n    return p->x;\n}\n"),
    _kind("struct of another type of the same members", UNREADABLE, M, "    const float u_x = u->x;", "    const other c = *u;\n    const float u_x = c.x;", M, _TOP, _TOP + "typedef struct {\n    float x;\n    float y;\n} other;\n"),
    _kind("assertion of a number", UNREADABLE, M, _MEAN, "    assert(w > 0.0F);\n" + _MEAN, M, _TOP, "#include <assert.h>\n" + _TOP),
    _kind("assertion without its header", UNREADABLE, M, _MEAN, "    assert(v);\n" + _MEAN),
    _kind("asm label of a function", UNREADABLE, H, "void fm_mean_f32(const fm_pair_f32 *u, float w, fm_pair_f32 *v);", 'void fm_mean_f32(const fm_pair_f32 *u, float w, fm_pair_f32 *v) __asm__("fm_other");'),
    _kind("inline", ChangeClass.INTERFACE, M, _HEAD, "inline " + _HEAD),
    _kind("macro that a header undoes", UNREADABLE, H, _TYPES, _TYPES + "#undef speed\n"),
    _kind("helper of pointers that may be one, and must not", UNREADABLE, M, _MEAN, "    put(u, w, v);\n", M, _TOP, _TOP + _IMPL),
    _kind("helper of pointers to one variable that must be apart", UNREADABLE, M, _MEAN, "    fm_pair_f32 a = {u_x, u_y};\n    put(&a, w, &a);\n    v->x = a.x;\n", M, _TOP, _TOP + _IMPL),
    _kind("macro of the type of a member", UNREADABLE, T, "typedef struct {\n    float", "#define REAL double\ntypedef struct {\n    REAL"),
    _kind("two assignments within an expression", UNREADABLE, M, _MEAN, _WITHIN.replace("0.5F", "(s = 0.5F)")),
    _kind("assignment and a step within an expression", UNREADABLE, M, _MEAN, "    int k = 0, s;\n    const float a[2] = {w, total};\n    v->x = a[k++] * (s = k) * total * 0.5F;\n"),
    _kind("assignment within an expression to memory", UNREADABLE, M, _MEAN, _WITHIN.replace("(s =", "(v->x =") + "    (void)s;\n"),
    _kind("other members", UNREADABLE, T, "    float x;\n    float y;", "    float y;\n    float x;"),
    _kind("parameter of C++", UNREADABLE, H, "const fm_pair_f32 *u, float w", "const fm_pair_f32 *this, float w"),
    _kind("parameter of a name of C++ that is no word of C", UNREADABLE, H, "(double x, double *y);", "(double x, double *class);"),
    _kind("member of C++", UNREADABLE, T, "typedef struct {\n    float", "typedef struct {\n    double new;\n} fm_more;\ntypedef struct {\n    float"),
    _kind("hexadecimal float in a header", UNREADABLE, H, "/** Twice", "static inline double fm_half(void)\n{\n    return 0x1p-1;\n}\n\n/** Twice"),
    _kind("_Bool in a header", UNREADABLE, H, "/** Twice", "_Bool fm_other(void);\n\n/** Twice"),
    _kind("restrict in a header", UNREADABLE, H, "fm_pair_f32 *v);", "fm_pair_f32 *restrict v);"),
    _kind("static in brackets in a header", UNREADABLE, H, "(double x, double *y);", "(double x, double y[static 1]);"),
    _kind("warning that is an error", UNREADABLE, M, _TOP, _TOP + _WARNINGS.replace("ignored", "error")),
    _kind("assertion in a header", UNREADABLE, H, '#include "fm_types.h"\n', '#include "fm_types.h"\n#include <assert.h>\n'),
    _kind("volatile constant of the file", UNREADABLE, M, "0.5F", "half", M, _TOP, _TOP + "static const volatile float half = 0.5F;\n"),
    _kind("static volatile constant", UNREADABLE, M, _MEAN, "    static const volatile float half = 0.5F;\n    v->x = w * total * half;\n"),
    _kind("static variable", UNREADABLE, M, "    const float total = u_x + u_y;", "    static float total;\n    total = u_x + u_y;"),
    _kind("flags of a line for the preprocessor", UNREADABLE, M, _TOP, '# 1 "other.c" 3\n' + _TOP),
    _kind("two labels of one name", UNREADABLE, M, _MEAN, "    goto end;\nend:\n" + _MEAN + "end:;\n"),
    _kind("label before a brace", UNREADABLE, M, _CHOICE + "}", _CHOICE + "    goto end;\nend:\n}"),
    _kind("label that is not there", UNREADABLE, M, _MEAN, "    if (w < 2.0F) {\n        goto end;\n    }\n" + _MEAN),
    _kind("statement that no way reaches", UNREADABLE, M, _MEAN, "    goto end;\n    v->x = *u;\nend:\n" + _MEAN),
    _kind("goto past a value in a header", UNREADABLE, H, "/** Twice", "static inline double fm_half(double x)\n{\n    if (x < 1.0) {\n        goto end;\n    }\n    const double y = 0.5;\n    x = y;\nend:\n    return x;\n}\n\n/** Twice", L, "gain(x);", "fm_half(gain(x)) + gain(x) - fm_half(gain(x));"),
    _kind("step that is never done and does not compile", UNREADABLE, M, _MEAN, "    for (int k = 0; k < 1; k += u) {\n    " + _MEAN + "        break;\n    }\n"),
    _kind("type that is not there", UNREADABLE, M, _MEAN, "    typedef unknown real;\n" + _MEAN),
    _kind("type of two words that are none", UNREADABLE, M, _MEAN, "    typedef float long real;\n" + _MEAN),
    _kind("inline prototype", UNREADABLE, H, "void fm_mean_f32", "inline void fm_mean_f32"),
    _kind("packed members", UNREADABLE, T, "typedef struct {\n    float", "typedef struct __attribute__((aligned(64))) {\n    float"),
    _kind("prototype without names of another type", UNREADABLE, H, "(const fm_pair_f32 *u, float w, fm_pair_f32 *v)", "(const fm_pair_f32 *, double, fm_pair_f32 *)"),
    _kind("definition with a parameter without a name", UNREADABLE, L, "fm_left_f64(double x, double *y)", "fm_left_f64(double x, double *y, double)"),
    _kind("status of a long", UNREADABLE, T, "typedef unsigned int", "typedef unsigned long"),
    _kind("status that is signed", UNREADABLE, T, "typedef unsigned int", "typedef int"),
    _kind("status of a byte", UNREADABLE, T, "typedef unsigned int", "typedef unsigned char"),
    _kind("flag redefined at the end", UNREADABLE, R, "    *y = gain(x);\n}\n", "    *y = gain(x);\n}\n#define FM_RANGE 7u\n"),
    _kind("no include of math.h", UNREADABLE, M, _TOP, ""),
    _kind("a header that calls math.h without including it", UNREADABLE, "fm.h", "", '#include "fm_model.h"\nstatic inline double fm_wave(double x)\n{\n    return cos(x);\n}\n'),
    _kind("case of a variable", UNREADABLE, M, _CHOICE, "    const int small = 1;\n    switch (w < 2.0F) {\n    case small:\n        v->y = size;\n        break;\n    default:\n        v->y = w;\n        break;\n    }\n"),
    _kind("enumerator of a variable", UNREADABLE, M, _MEAN, "    const int one = 1;\n    enum { ONE = one };\n    v->x = ONE * (w * total * 0.5F);\n"),
    _kind("include of math.h below its use", UNREADABLE, M, _TOP, "", M, "/* v = (u_x", _TOP + "/* v = (u_x"),
)  # fmt: skip
"""What these functions do the same with, and others would not.

It changes a symbol or the layout of memory, so that programs that were compiled before are wrong with it, or
does not compile with every compiler.
"""

HARMLESS = (
    _kind("hexadecimal float", ChangeClass.COSMETIC, M, "0.5F", "0x1p-1F"),
    _kind("number with an exponent", ChangeClass.COSMETIC, M, "0.5F", "5.0e-1F"),
    _kind("product with a double that is a float", ChangeClass.COSMETIC, M, "w * total * 0.5F", "w * total * 0.5"),
    _kind("sum in double, rounded at once", ChangeClass.COSMETIC, M, "= u_x + u_y;", "= (float)((double)u_x + (double)u_y);"),
    _kind("root in double, rounded at once", ChangeClass.COSMETIC, M, "sqrtf(fabsf(total))", "(float)sqrt(fabs(total))"),
    _kind("status type in one word", ChangeClass.COSMETIC, T, "typedef unsigned int", "typedef unsigned"),
    _kind("status type in another order", ChangeClass.COSMETIC, T, "typedef unsigned int", "typedef int unsigned"),
    _kind("prototype without names", ChangeClass.COSMETIC, H, "(const fm_pair_f32 *u, float w, fm_pair_f32 *v)", "(const fm_pair_f32 *, float, fm_pair_f32 *)"),
    _kind("flag in a long integer", ChangeClass.COSMETIC, M, _OK, "const long ok = bounded && known;"),
    _kind("flag in a long integer that is set", ChangeClass.COSMETIC, M, _OK, "unsigned long long ok = 0L;\n    if (bounded && known) {\n        ok = 1LU;\n    }"),
    _kind("flag in a character", ChangeClass.COSMETIC, M, _OK, "const char ok = bounded && known;"),
    _kind("flag in an integer of three words", ChangeClass.COSMETIC, M, _OK, "const long unsigned int ok = bounded && known;"),
    _kind("number as a compound literal", ChangeClass.COSMETIC, M, "0.5F", "(float){0.5F}"),
    _kind("sum as a compound literal", ChangeClass.COSMETIC, M, "= u_x + u_y;", "= (float){u_x + u_y};"),
    _kind("loop with a long counter", ChangeClass.COSMETIC, M, _MEAN, "    for (long k = 0; k < 1; ++k) {\n    " + _MEAN + "    }\n"),
    _kind("assignment within an expression", ChangeClass.COSMETIC, M, _MEAN, _WITHIN),
    _kind("assignments within each other", ChangeClass.COSMETIC, M, _MEAN, _WITHIN.replace("s = total)", "s = (t = total))").replace("float s", "float t, s")),
    _kind("assignment within an argument", ChangeClass.COSMETIC, M, "    const float size = sqrtf(fabsf(total))", "    float s;\n    const float size = sqrtf(fabsf(s = total))"),
    _kind("assignment within a condition", ChangeClass.COSMETIC, M, _CHOICE, "    float s;\n    if ((s = w) < 2.0F) {\n        v->y = size;\n    } else {\n        v->y = s;\n    }\n"),
    _kind("do once that is left early", ChangeClass.COSMETIC, M, _CHOICE, _ONCE),
    _kind("do once that is continued", ChangeClass.COSMETIC, M, _CHOICE, _ONCE.replace("break", "continue")),
    _kind("do once that is left past a variable", ChangeClass.COSMETIC, M, _CHOICE, _ONCE.replace("v->y = w;", "const float t = w;\n        v->y = t;")),
    _kind("do once within another", ChangeClass.COSMETIC, M, _CHOICE, "    do {\n" + _ONCE + "        v->y += 0.0F;\n    } while (0);\n", M, "v->y += 0.0F;", "(void)v->y;"),
    _kind("turn that is left early", ChangeClass.COSMETIC, M, _CHOICE, _ONCE.replace("do", "while (1)").replace("} while (0);", "    break;\n    }")),
    _kind("do once with a switch that is left", ChangeClass.COSMETIC, M, _CHOICE, _ONCE.replace("if (w < 2.0F) {", "switch (w < 2.0F) {\n        case 1:\n            continue;\n        default:")),
    _kind("unused attribute", ChangeClass.COSMETIC, M, _SUM, f"    {_UNUSED}const float total ="),
    _kind("unused attribute within a declaration", ChangeClass.COSMETIC, M, _SUM, f"    const float {_UNUSED}total ="),
    _kind("unused attribute behind a name", ChangeClass.COSMETIC, M, _SUM, f"    const float total {_UNUSED}="),
    _kind("assertion as a type", ChangeClass.IDENTICAL, M, _TOP, f"{_TOP}typedef char fm_check[sizeof(float) == 4 ? 1 : -1];\n"),
    _kind("array as a type", ChangeClass.IDENTICAL, M, _TOP, f"{_TOP}typedef float fm_matrix[3 * 3];\n"),
    _kind("type of an unknown struct", ChangeClass.IDENTICAL, M, _TOP, f"{_TOP}typedef struct fm_node fm_node;\n"),
    _kind("tag of an enumeration", ChangeClass.IDENTICAL, M, _TOP, f"{_TOP}typedef enum fm_mode {{ FM_A, FM_B }} fm_mode;\n"),
    _kind("enumeration that counts on", ChangeClass.IDENTICAL, M, _TOP, f"{_TOP}typedef enum {{ FM_A = 1, FM_B = FM_A + 1, FM_C }} fm_kind;\n"),
    _kind("macro with any arguments", ChangeClass.IDENTICAL, M, _TOP, f"{_TOP}#define FM_LOG(...) __VA_ARGS__\n"),
    _kind("unused attribute of a pointer", ChangeClass.COSMETIC, M, "float w, fm_pair_f32 *v)\n", f"float w, fm_pair_f32 *v {_UNUSED})\n"),
    _kind("unused attribute of a parameter", ChangeClass.COSMETIC, M, "float w, fm_pair_f32 *v)\n", f"float w {_UNUSED}, fm_pair_f32 *v)\n"),
    _kind("unused attribute of a helper", ChangeClass.COSMETIC, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _UNUSED.replace("unused", "__unused__") + _HALF),
    _kind("macro of a type", ChangeClass.COSMETIC, M, _SUM, "    REAL total =", M, _TOP, _TOP + "#define REAL const float\n"),
    _kind("macro of a qualifier", ChangeClass.COSMETIC, M, _SUM, "    K float total =", M, _TOP, _TOP + "#define K const\n"),
    _kind("macro of the type of a parameter", ChangeClass.COSMETIC, M, "float w, fm_pair_f32 *v)\n", "REAL w, fm_pair_f32 *v)\n", M, _TOP, _TOP + "#define REAL float\n"),
    _kind("condition whose branches mean the same", ChangeClass.COSMETIC, M, _MEAN, _if("ifdef FM_FAST", _SAME_MEAN, _MEAN)),
    _kind("condition of C++ whose branches mean the same", ChangeClass.COSMETIC, M, _MEAN, _if("if !defined(__cplusplus)", _MEAN, _SAME_MEAN)),
    _kind("condition around what means nothing", ChangeClass.COSMETIC, M, _MEAN, _if("if defined(FM_FAST) && !defined NDEBUG", "    (void)w;\n") + _MEAN),
    _kind("conditions within each other", ChangeClass.COSMETIC, M, _MEAN, _if("ifdef FM_FAST", _if("ifndef FM_SMALL", _MEAN, _SAME_MEAN), _MEAN)),
    _kind("condition with a third way that means the same", ChangeClass.COSMETIC, M, _MEAN, _if("ifdef FM_FAST", _MEAN + "#elif defined(FM_SMALL)\n" + _SAME_MEAN, _MEAN)),
    _kind("conditions that go together", ChangeClass.COSMETIC, M, _MEAN, _if("ifdef FM_FAST", "    float t = w * total;\n", "    float t = w * total * 0.5F;\n") + _if("ifndef FM_FAST", "    v->x = t;\n", "    v->x = t * 0.5F;\n")),
    _kind("macro that is undone behind its use", ChangeClass.COSMETIC, M, "w * total * 0.5F", "HALF(w * total)", M, _HEAD, "#define HALF(x) ((x) * 0.5F)\n" + _HEAD, M, _CHOICE + "}\n", _CHOICE + "}\n#undef HALF\n"),
    _kind("macro that is undone before it is defined", ChangeClass.COSMETIC, M, "0.5F", "HALF", M, _TOP, _TOP + "#undef HALF\n#define HALF 0.5F\n"),
    _kind("name that is undone and never used", ChangeClass.IDENTICAL, M, _TOP, _TOP + "#undef FM_FAST\n"),
    _kind("number of the library where it has none", ChangeClass.IDENTICAL, M, _TOP, _TOP + "#ifndef M_PI\n#define M_PI 3.14159265358979323846\n#endif\n"),
    _kind("warnings off between a comment and its function", ChangeClass.COSMETIC, H, "/** Twice a number. */\n", "/** Twice a number. */\n" + _WARNINGS),
    _kind("struct without a name", ChangeClass.COSMETIC, M, _MEAN, _PAIR),
    _kind("struct without a name whose members are assigned", ChangeClass.COSMETIC, M, _MEAN, _PAIR.replace(" = {w, total};", ";\n    pair.a = w;\n    pair.b = total;")),
    _kind("struct without a name that is copied", ChangeClass.COSMETIC, M, _MEAN, _PAIR.replace("};\n", "}, other;\n    other = pair;\n").replace("= pair.a", "= other.a")),
    _kind("struct without a name with an array", ChangeClass.COSMETIC, M, _MEAN, _PAIR.replace("a, b;", "m[2];").replace("{w, total}", "{{w, total}}").replace("pair.a * pair.b", "pair.m[0] * pair.m[1]")),
    _kind("comparison by a macro of the library", ChangeClass.COSMETIC, M, "(w < 2.0F)", "isgreater(2.0F, w)"),
    _kind("helper of pointers that are kept apart", ChangeClass.COSMETIC, M, _MEAN, "    fm_pair_f32 a = {u_x, u_y}, b;\n    put(&a, w, &b);\n    v->x = b.x;\n", M, _TOP, _TOP + _IMPL),
    _kind("guard with a value", ChangeClass.IDENTICAL, T, "#define FM_TYPES_H\n", "#define FM_TYPES_H 1\n"),
    _kind("assertion that pointers are given", ChangeClass.COSMETIC, M, "    const float total", "    assert(u != NULL);\n    assert(v);\n    const float total", M, _TOP, "#include <assert.h>\n#include <stddef.h>\n" + _TOP),
    _kind("return where a pointer is null", ChangeClass.COSMETIC, M, "    const double u_x = u->x;", "    if (v == NULL) {\n        return FM_ZERO;\n    }\n    const double u_x = u->x;", M, _TOP, _STDDEF + _TOP),
    _kind("comparison with a null pointer", ChangeClass.COSMETIC, M, _MEAN + _CHOICE, "    if (NULL != v) {\n" + _MEAN + _CHOICE + "    }\n", M, _TOP, _STDDEF + _TOP),
    _kind("negative macro behind a minus", ChangeClass.COSMETIC, M, "0.5F", "(-HALF)", M, _TOP, _TOP + "#define HALF -0.5F\n"),
    _kind("quotient by a power of two", ChangeClass.COSMETIC, M, "total * 0.5F", "total / 2.0F"),
    _kind("constant pointers", ChangeClass.COSMETIC, M, "const fm_pair_f32 *u, float w, fm_pair_f32 *v)", "const fm_pair_f32 *const u, const float w, fm_pair_f32 *const v)"),
    _kind("static constant", ChangeClass.COSMETIC, M, "    const float total", "    static const float half = 0.5F;\n    const float total", M, "* 0.5F", "* half"),
    _kind("register", ChangeClass.COSMETIC, M, "const float total", "register const float total"),
    _kind("a block", ChangeClass.COSMETIC, M, _MEAN, "    {\n    " + _MEAN + "    }\n"),
    _kind("a local in a block", ChangeClass.COSMETIC, M, _MEAN, "    {\n        const float half = 0.5F;\n        v->x = w * total * half;\n    }\n"),
    _kind("added to", ChangeClass.COSMETIC, M, "const float total = u_x + u_y;", "float total = u_x;\n    total += u_y;"),
    _kind("multiplied by", ChangeClass.COSMETIC, M, _MEAN, "    v->x = w * total;\n    v->x *= 0.5F;\n"),
    _kind("if for a flag", ChangeClass.COSMETIC, M, "const int ok = bounded && known;", "int ok = bounded;\n    if (!known) {\n        ok = 0;\n    }"),
    _kind("comparison of a flag with 0", ChangeClass.COSMETIC, M, "const double c = ok ?", "const double c = ok != 0 ?"),
    _kind("comparison of a flag with 1", ChangeClass.COSMETIC, M, "const double c = ok ?", "const double c = 1 == ok ?"),
    _kind("negated comparison of a flag", ChangeClass.COSMETIC, M, "const double s = ok ? sin(a) : 0.0", "const double s = ok == 0 ? 0.0 : sin(a)"),
    _kind("plus before a flag", ChangeClass.COSMETIC, M, "const double c = ok ?", "const double c = +ok ?"),
    _kind("if and else for a value", ChangeClass.COSMETIC, M, "    v->y = (w < 2.0F) ? size : w;\n", "    if (w < 2.0F) {\n        v->y = size;\n    } else {\n        v->y = w;\n    }\n"),
    _kind("choice of a status", ChangeClass.COSMETIC, M, "    if (!known) {\n        status |= FM_ZERO;\n    }\n", "    status |= known ? FM_OK : FM_ZERO;\n"),
    _kind("numeric macro", ChangeClass.COSMETIC, M, "0.5F", "HALF", M, _TOP, _TOP + "#define HALF 0.5F\n"),
    _kind("numeric macro in brackets", ChangeClass.COSMETIC, M, "0.5F", "HALF", M, _TOP, _TOP + "#define HALF (0.5F)\n"),
    _kind("pragma once", ChangeClass.IDENTICAL, T, "#ifndef FM_TYPES_H\n#define FM_TYPES_H\n", "#pragma once\n", T, "} fm_pair_f32;\n\n#endif\n", "} fm_pair_f32;\n"),
    _kind("hexadecimal flag", ChangeClass.COSMETIC, T, "FM_ZERO 16u", "FM_ZERO 0x10u"),
    _kind("flag in brackets", ChangeClass.COSMETIC, T, "FM_ZERO 16u", "FM_ZERO (16u)"),
    _kind("shifted flag", ChangeClass.COSMETIC, T, "FM_ZERO 16u", "FM_ZERO (1u << 4)"),
    _kind("struct tag", ChangeClass.COSMETIC, T, "typedef struct {\n    float", "typedef struct fm_pair_f32 {\n    float"),
    _kind("members in one line", ChangeClass.COSMETIC, T, "    float x;\n    float y;\n", "    float x, y;\n"),
    _kind("no vectors of scalars on a host", ChangeClass.IDENTICAL, M, _TOP, _TOP + "#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__AVX__)\n#pragma GCC optimize(\"no-tree-slp-vectorize\")\n#endif\n"),
    _kind("another header of the library", ChangeClass.IDENTICAL, M, _TOP, _TOP + "#include <string.h>\n"),
    _kind("byte order mark", ChangeClass.IDENTICAL, M, '#include "fm_model.h"', '\ufeff#include "fm_model.h"'),
    _kind("form feed", ChangeClass.IDENTICAL, M, "/* v = (u_x", "\f\n/* v = (u_x"),
    _kind("long comment", ChangeClass.COSMETIC, M, _MEAN, f"    /* {'why ' * 2000}*/\n{_MEAN}"),
    _kind("splice in an expression", ChangeClass.COSMETIC, M, "w * total * 0.5F", "w * total \\\n        * 0.5F"),
    _kind("trigraph in a comment", ChangeClass.COSMETIC, M, _MEAN, "    /* why (??) */\n" + _MEAN),
    _kind("splice in a comment", ChangeClass.COSMETIC, M, _MEAN, "    /* a \\ \n b */\n" + _MEAN),
    _kind("semicolon behind a function", ChangeClass.IDENTICAL, M, "? size : w;\n}", "? size : w;\n};"),
    _kind("renamed local", ChangeClass.COSMETIC, M, "const float total = u_x", "const float sum = u_x", M, "(total)", "(sum)", M, "* total", "* sum"),
    _kind("a store before another", ChangeClass.COSMETIC, M, "    const float size", "    v->y = 0.0F;\n    const float size"),
    _kind("an include from the same directory", ChangeClass.IDENTICAL, M, _AFTER, '#include "./fm_model.h"\n'),
    _kind("an include twice", ChangeClass.IDENTICAL, M, _AFTER, '#include "fm_types.h"\n' + _AFTER),
    _kind("operands swapped", ChangeClass.COSMETIC, M, "w * total * 0.5F", "0.5F * (total * w)"),
    _kind("re-associated", ChangeClass.REASSOCIATED, M, "w * total * 0.5F", "w * (total * 0.5F)"),
    _kind("distributed", ChangeClass.REASSOCIATED, M, "w * total * 0.5F", "(w * u_x + w * u_y) * 0.5F"),
    _kind("helper", ChangeClass.COSMETIC, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _HALF),
    _kind("helper of a pointer", ChangeClass.COSMETIC, M, "const float total = u_x + u_y;", "const float total = sum(u);", M, _TOP, _TOP + "static float sum(const fm_pair_f32 *u)\n{\n    return u->x + u->y;\n}\n"),
    _kind("helper that stores", ChangeClass.COSMETIC, M, _MEAN, "    put(v, w * total * 0.5F);\n", M, _TOP, _TOP + "static void put(fm_pair_f32 *to, const float x)\n{\n    to->x = x;\n}\n"),
    _kind("macro with parameters of its own", ChangeClass.COSMETIC, M, "w * total * 0.5F", "HALF(w * total)", M, _TOP, _TOP + "#define HALF(x) ((x) * 0.5F)\n"),
    _kind("constant of the file", ChangeClass.COSMETIC, M, "0.5F", "half", M, _TOP, _TOP + "static const float half = 0.5F;\n"),
    _kind("dead code of a condition", ChangeClass.COSMETIC, M, _MEAN, "#if 0\n    v->x = w;\n#else\n" + _MEAN + "#endif\n"),
    _kind("code of a condition that holds", ChangeClass.COSMETIC, M, _MEAN, "#if 1\n" + _MEAN + "#endif\n"),
    _kind("guard in other words", ChangeClass.IDENTICAL, T, "#ifndef FM_TYPES_H", "#if !defined(FM_TYPES_H)"),
    _kind("loop of one turn", ChangeClass.COSMETIC, M, _MEAN, "    for (int k = 0; k < 1; ++k) {\n    " + _MEAN + "    }\n"),
    _kind("do once", ChangeClass.COSMETIC, M, _MEAN, "    do {\n    " + _MEAN + "    } while (0);\n"),
    _kind("return in both branches", ChangeClass.REASSOCIATED, M, "    return status;\n", "    if (status == 0u) {\n        return FM_OK;\n    }\n    return status;\n"),
    _kind("copy of the input", ChangeClass.COSMETIC, M, _LOADS, "    const fm_pair_f32 c = *u;\n" + _FROM_COPY),
    _kind("pointer to a member", ChangeClass.COSMETIC, M, _MEAN, "    float *const to = &v->x;\n    *to = w * total * 0.5F;\n"),
    _kind("declared apart", ChangeClass.COSMETIC, M, "const float total = u_x + u_y;", "float total;\n    total = u_x + u_y;"),
    _kind("unsigned status", ChangeClass.COSMETIC, M, "    fm_status status = FM_OK;", "    unsigned int status = 0;"),
    _kind("memcpy of the input", ChangeClass.COSMETIC, M, _LOADS, "    fm_pair_f32 c;\n    memcpy(&c, u, sizeof c);\n" + _FROM_COPY, M, _TOP, _TOP + _STRING),
    _kind("memcpy to the result", ChangeClass.COSMETIC, M, "    v->y = (w < 2.0F) ? size : w;\n", "    const float y = (w < 2.0F) ? size : w;\n    (void)memcpy(&v->y, &y_[0], 1 * sizeof(float));\n", M, "(void)memcpy", "const float y_[1] = {y};\n    (void)memcpy", M, _TOP, _TOP + _STRING),
    _kind("two-dimensional array", ChangeClass.COSMETIC, M, _MEAN, "    const float a[2][2] = {{w, total}, {0.5F}};\n    v->x = a[0][0] * a[0][1] * a[1][0];\n"),
    _kind("helper that stores into a variable", ChangeClass.COSMETIC, M, _MEAN, "    float mean;\n    halve(&mean, w * total);\n    v->x = mean;\n", M, _TOP, _TOP + "static void halve(float *to, float x)\n{\n    *to = x * 0.5F;\n}\n"),
    _kind("name of the type", ChangeClass.COSMETIC, M, "const float total = u_x", "const number total = u_x", M, _TOP, _TOP + "typedef float number;\n"),
    _kind("comparison of constants that holds", ChangeClass.COSMETIC, M, _MEAN, "    v->x = 0.5F < 1.0F ? w * total * 0.5F : total;\n"),
    _kind("count of a condition", ChangeClass.COSMETIC, M, _CHOICE, "    int n = 0;\n    if (w < 2.0F) {\n        n += 2;\n    }\n    v->y = (n > 1) ? size : w;\n"),
    _kind("memset before the stores", ChangeClass.COSMETIC, M, "    const float size", "    fm_pair_f32 c;\n    memset(&c, 0, sizeof(fm_pair_f32));\n    const float size", M, _TOP, _TOP + _STRING),
    _kind("switch over a flag", ChangeClass.COSMETIC, M, _CHOICE, "    switch (w < 2.0F) {\n    case 0:\n        v->y = w;\n        break;\n    default:\n        v->y = size;\n        break;\n    }\n"),
    _kind("switch with blocks", ChangeClass.COSMETIC, M, _CHOICE, "    switch (w < 2.0F) {\n    case 1: {\n        v->y = size;\n        break;\n    }\n    case 0:\n    default:\n        v->y = w;\n    }\n"),
    _kind("both ends of a range", ChangeClass.COSMETIC, M, "fabs(a) <= 1000.0", "-1000.0 <= a && a <= 1000.0"),
    _kind("neither end of a range", ChangeClass.COSMETIC, M, "fabs(a) <= 1000.0", "!(!(a <= 1000.0) || !(a >= -1000.0))"),
    _kind("switch with both cases", ChangeClass.COSMETIC, M, _CHOICE, "    switch (w < 2.0F) {\n    case 0:\n        v->y = w;\n        break;\n    case 1:\n        v->y = size;\n        break;\n    }\n"),
    _kind("flag as a mask", ChangeClass.COSMETIC, M, _RAISE, "    status |= -(unsigned)!known & FM_ZERO;\n"),
    _kind("flag as a mask of an int", ChangeClass.COSMETIC, M, _RAISE, "    status |= FM_ZERO & -!known;\n"),
    _kind("test for NaN before a comparison", ChangeClass.COSMETIC, M, "u_x <= 1.0e200", "!isnan(u_x) && u_x <= 1.0e200"),
    _kind("test for NaN by itself", ChangeClass.COSMETIC, M, "u_x <= 1.0e200", "u_x == u_x && u_x <= 1.0e200"),
    _kind("test for NaN in the negated form", ChangeClass.COSMETIC, M, "u_x <= 1.0e200", "!(isnan(u_x) || u_x > 1.0e200)"),
    _kind("helper that returns a struct", ChangeClass.COSMETIC, M, _LOADS, _OF_GET, M, _TOP, _TOP + _GET),
    _kind("helper that returns a struct on two ways", ChangeClass.COSMETIC, M, _LOADS, _OF_GET, M, _TOP, _TOP + _GET.replace("    return", "    if (p->x > 1.0F) {\n        const fm_pair_f32 r = {p->x, p->y};\n        return r;\n    }\n    return")),
    _kind("member of a struct that a helper returns", ChangeClass.COSMETIC, M, _LOADS, _LOADS.replace("u->", "get(u)."), M, _TOP, _TOP + _GET),
    _kind("helper that takes a struct", ChangeClass.COSMETIC, M, _LOADS, _OF_FIRST, M, _TOP, _TOP + _FIRST),
    _kind("helper that takes the struct of another", ChangeClass.COSMETIC, M, _LOADS, _OF_FIRST.replace("*u", "get(u)"), M, _TOP, _TOP + _GET + _FIRST),
    _kind("helpers of one name in two files", ChangeClass.COSMETIC, M, "w * total * 0.5F", "half(w * total)", M, _TOP, _TOP + _HALF, R, "gain(x);", "half(gain(x));", R, "void fm_right", _SAME + "\nvoid fm_right"),
    _kind("macro of a statement", ChangeClass.COSMETIC, M, _MEAN, "    STORE(v->x, w * total * 0.5F);\n", M, _TOP, _TOP + "#define STORE(to, x) do { (to) = (x); } while (0)\n"),
    _kind("regions of an editor", ChangeClass.IDENTICAL, M, _TOP, _TOP + "#pragma region means\n", R, "gain(x);\n}\n", "gain(x);\n}\n#pragma endregion\n"),
    _kind("warnings off", ChangeClass.IDENTICAL, M, _TOP, _TOP + _WARNINGS, R, "gain(x);\n}\n", "gain(x);\n}\n#pragma GCC diagnostic pop\n"),
    _kind("array without a size", ChangeClass.COSMETIC, R, "double *y)", "double y[])", R, "*y =", "y[0] ="),
    _kind("loop over as many as sizeof counts", ChangeClass.COSMETIC, M, _MEAN, _PRODUCT),
    _kind("loop with a macro that counts", ChangeClass.COSMETIC, M, _MEAN, _PRODUCT.replace("sizeof a / sizeof a[0]", "COUNT(a)"), M, _TOP, _TOP + "#define COUNT(x) (sizeof(x) / sizeof((x)[0]))\n"),
    _kind("status of 16 bits", ChangeClass.COSMETIC, M, _STATUS, "    short status = FM_OK;\n"),
    _kind("status of a byte that holds it", ChangeClass.COSMETIC, M, _STATUS, "    uint8_t status = FM_OK;\n", M, _TOP, _TOP + _STDINT),
    _kind("status of a fast integer", ChangeClass.COSMETIC, M, _STATUS, "    uint_fast16_t status = FM_OK;\n", M, _TOP, _TOP + _STDINT),
    _kind("status of a long without sign", ChangeClass.COSMETIC, M, _STATUS, "    unsigned long status = FM_OK;\n"),
    _kind("status of a long", ChangeClass.COSMETIC, M, _STATUS, "    long status = FM_OK;\n"),
    _kind("truth in a small fast integer", ChangeClass.COSMETIC, M, _OK, "const int_fast8_t ok = bounded && known;", M, _TOP, _TOP + _STDINT),
    _kind("truth in a small integer", ChangeClass.COSMETIC, M, _OK, "const int_least16_t ok = bounded && known;", M, _TOP, _TOP + _STDINT),
    _kind("flag by exclusive or", ChangeClass.COSMETIC, M, "status |= FM_ZERO", "status ^= FM_ZERO"),
    _kind("helper of the name of another function's variable", ChangeClass.COSMETIC, M, "w * total * 0.5F", "bounded(w * total)", M, _TOP, _TOP + _HALF.replace("half", "bounded")),
    _kind("helper of the name of another function's parameter", ChangeClass.COSMETIC, M, "w * total * 0.5F", "a(w * total)", M, _TOP, _TOP + _HALF.replace("half", "a")),
    _kind("loop with a size", ChangeClass.COSMETIC, M, _MEAN, _PRODUCT.replace("unsigned", "size_t"), M, _TOP, _TOP + _STDDEF),
    _kind("loop with a size of another header", ChangeClass.COSMETIC, M, _MEAN, _PRODUCT.replace("unsigned", "size_t"), M, _TOP, _TOP + _STRING),
    _kind("loop with a byte", ChangeClass.COSMETIC, M, _MEAN, _PRODUCT.replace("unsigned", "uint8_t"), M, _TOP, _TOP + "#include <stdint.h>\n"),
    _kind("values cast to void", ChangeClass.COSMETIC, M, _MEAN, "    (void)0;\n    (void)(w + 1.0);\n    (void)u->x;\n" + _MEAN),
    _kind("table of the file", ChangeClass.COSMETIC, M, "* 0.5F", "* FM_TABLE[0]", M, _TOP, _TOP + _TABLE),
    _kind("table that counts its entries", ChangeClass.COSMETIC, M, "* 0.5F", "* FM_TABLE[0]", M, _TOP, _TOP + _TABLE.replace("[2]", "[]")),
    _kind("table over which a loop goes", ChangeClass.COSMETIC, M, _MEAN, "    float p = w * total;\n    for (int i = 1; i < 2; i++) {\n        p *= FM_TABLE[i];\n    }\n    v->x = p;\n", M, _TOP, _TOP + "static const float FM_TABLE[2] = {1.0F, 0.5F};\n"),
    _kind("table with rows", ChangeClass.COSMETIC, M, "* 0.5F", "* FM_TABLE[0][1]", M, _TOP, _TOP + "static const float FM_TABLE[2][2] = {{1.0F, 0.5F}, {2.0F, 4.0F}};\n"),
    _kind("constant with members", ChangeClass.COSMETIC, M, "* 0.5F", "* FM_HALF.x", M, _TOP, _TOP + "static const fm_pair_f32 FM_HALF = {.x = 0.5F, .y = 0.25F};\n"),
    _kind("enumerator of the file", ChangeClass.COSMETIC, M, _MEAN, _PRODUCT.replace("[3]", "[COUNT]").replace("sizeof a / sizeof a[0]", "COUNT"), M, _TOP, _TOP + "enum { COUNT = 3 };\n"),
    _kind("integer of the file", ChangeClass.COSMETIC, M, _MEAN, _PRODUCT.replace("unsigned", "int").replace("sizeof a / sizeof a[0]", "COUNT"), M, _TOP, _TOP + "static const int COUNT = 3;\n"),
    _kind("product of flags", ChangeClass.COSMETIC, M, "= bounded && known;", "= bounded * known;"),
    _kind("bits of flags", ChangeClass.COSMETIC, M, "= bounded && known;", "= bounded & known;"),
    _kind("sum of flags that is compared", ChangeClass.COSMETIC, M, "= bounded && known;", "= bounded + known == 2;"),
    _kind("negation of both", ChangeClass.REASSOCIATED, M, "= bounded && known;", "= !(!bounded || !known);"),
    _kind("flag in another integer", ChangeClass.COSMETIC, M, _OK, "const unsigned char ok = bounded && known;"),
    _kind("flag that is shifted and tested", ChangeClass.COSMETIC, M, "v->y = ok ?", "v->y = ok << 3 ?"),
    _kind("opposite of a flag", ChangeClass.REASSOCIATED, M, "v->y = ok ?", "v->y = -ok ?"),
    _kind("flag in an expression of integers", ChangeClass.COSMETIC, M, "v->y = ok ?", "v->y = ok % 2 ?"),
    _kind("element of an array", ChangeClass.COSMETIC, M, _MEAN, "    const float a[2] = {total, 0.5F};\n    v->x = w * a[0] * a[1];\n"),
    _kind("elements by designators", ChangeClass.COSMETIC, M, _MEAN, "    const float a[2] = {[1] = 0.5F, [0] = total};\n    v->x = w * a[0] * a[1];\n"),
    _kind("members by designators", ChangeClass.COSMETIC, M, _MEAN + _CHOICE, "    const fm_pair_f32 whole = {.y = (w < 2.0F) ? size : w, .x = w * total * 0.5F};\n    *v = whole;\n"),
    _kind("literal of the result", ChangeClass.COSMETIC, M, _MEAN + _CHOICE, "    *v = (fm_pair_f32){.y = (w < 2.0F) ? size : w, .x = w * total * 0.5F};\n"),
    _kind("loop that counts down", ChangeClass.COSMETIC, M, _MEAN, "    for (int k = 1; k >= 0; --k) {\n    " + _MEAN + "    }\n"),
    _kind("loop with a condition on its turn", ChangeClass.COSMETIC, M, _MEAN, "    for (int k = 0; k < 3; k++) {\n        if (k == 1) {\n        " + _MEAN + "        }\n    }\n"),
    _kind("choice of a constant", ChangeClass.COSMETIC, M, "w * total * 0.5F", "(1 ? w : 2.0F) * total * 0.5F"),
    _kind("empty statements", ChangeClass.COSMETIC, M, _MEAN, "    ;;\n    {}\n" + _MEAN),
    _kind("return at the end", ChangeClass.COSMETIC, M, _CHOICE, _CHOICE + "    return;\n"),
    _kind("argument assigned", ChangeClass.COSMETIC, M, _HEAD, _HEAD + "\n    w = (w);"),
    _kind("argument that takes an intermediate result", ChangeClass.COSMETIC, M, _MEAN + _CHOICE, _CHOICE + "    w *= total;\n    v->x = w * 0.5F;\n"),
    _kind("volatile variable", ChangeClass.COSMETIC, M, "const float total", "volatile const float total"),
    _kind("volatile flag", ChangeClass.COSMETIC, M, _OK, "volatile int ok;\n    ok = bounded && known;"),
    _kind("character as an index", ChangeClass.COSMETIC, M, _MEAN, "    const float a['3' - '0'] = {total, 0.5F};\n    v->x = w * a['\\0'] * a['\\x1'];\n"),
    _kind("character as a number", ChangeClass.COSMETIC, M, "(w < 2.0F)", "(w < 'c' - '\\141')"),
    _kind("choice in a choice", ChangeClass.COSMETIC, M, _CHOICE, "    v->y = (w < 2.0F) ? ((w < 2.0F) ? size : w) : w;\n"),
    _kind("choice in a choice of the other side", ChangeClass.COSMETIC, M, _CHOICE, "    v->y = !(w < 2.0F) ? w : ((w < 2.0F) ? size : total);\n"),
    _kind("square of a size", ChangeClass.COSMETIC, M, _MEAN, "    v->x = w * total * 0.5F;\n    (void)(fabsf(w) * fabsf(w));\n"),
    _kind("digraphs", ChangeClass.COSMETIC, M, _MEAN, "    const float a<:2:> = <%total, 0.5F%>;\n    v->x = w * a<:0:> * a<:1:>;\n", M, _TOP, "%:include <math.h>\n"),
    _kind("digraphs of an array without a size", ChangeClass.COSMETIC, M, _MEAN, "    const float a<::> = <%total, 0.5F%>;\n    v->x = w * a<:0:> * a<:1:>;\n"),
    _kind("place in another file", ChangeClass.IDENTICAL, M, _TOP, '#line 1 "other.c"\n' + _TOP + "#line 7\n"),
    _kind("assertions that are none", ChangeClass.IDENTICAL, M, _TOP, _TOP + "#include <assert.h>\n"),
    _kind("finite in a variable", ChangeClass.COSMETIC, M, _KNOWN, "const int finite = isnan(u_x);\n    const int known = finite == 0 && u_x <= 1.0e200;"),
    _kind("goto the next statement", ChangeClass.COSMETIC, M, _MEAN, "    goto here;\nhere:\n" + _MEAN),
    _kind("goto out of two blocks", ChangeClass.COSMETIC, M, _CHOICE, "    {\n        if (w < 2.0F) {\n            v->y = size;\n            goto end;\n        }\n    }\n    v->y = w;\nend:;\n"),
    _kind("goto on both ways", ChangeClass.COSMETIC, M, _CHOICE + "}", "    float y;\n    if (w < 2.0F) {\n        goto less;\n    }\n    y = w;\n    goto end;\nless:\n    y = size;\nend:\n    v->y = y;\n}"),
    _kind("goto past a variable", ChangeClass.COSMETIC, M, _CHOICE, "    v->y = size;\n    if (w < 2.0F)\n        goto end;\n    const float t = w;\n    v->y = t;\nend:;\n"),
    _kind("goto the return", ChangeClass.COSMETIC, M, _RAISE, "    if (known)\n        goto end;\n    status |= FM_ZERO;\n", M, "    return status;\n", "end:\n    return status;\n"),
    _kind("loop that ends after one turn", ChangeClass.COSMETIC, M, _RAISE, _RAISE.replace("if (", "while (").replace("ZERO;\n", "ZERO;\n        break;\n")),
    _kind("for that ends after one turn", ChangeClass.COSMETIC, M, _CHOICE, "    v->y = w;\n    for (int k = 0; w < 2.0F; k++) {\n        switch (k) {\n        default:\n            v->y = size;\n            break;\n        }\n        break;\n    }\n"),
    _kind("loop without a condition that ends after one turn", ChangeClass.COSMETIC, M, _MEAN, "    for (;;) {\n    " + _MEAN + "        break;\n    }\n"),
    _kind("return from a loop that has one turn", ChangeClass.COSMETIC, M, _CHOICE, "    v->y = size;\n    do {\n        if (w < 2.0F) {\n            return;\n        }\n        v->y = w;\n        break;\n    } while (w < 0.0F);\n"),
    _kind("name of a type in a function", ChangeClass.COSMETIC, M, "    const float total", "    typedef float real;\n    typedef real number;\n    const number total"),
    _kind("name of a struct in a function", ChangeClass.COSMETIC, M, _LOADS, "    typedef fm_pair_f32 pair;\n    const pair c = *u;\n" + _FROM_COPY),
    _kind("opposite of an angle", ChangeClass.COSMETIC, M, "atan2(-u_y, u_x)", "-atan2(u_y, u_x)"),
    _kind("flag and zero as a condition", ChangeClass.COSMETIC, M, "v->y = ok ?", "v->y = ok + 0.0 ?"),
    _kind("flag that becomes real as a condition", ChangeClass.COSMETIC, M, "v->y = ok ?", "const double sure = !!ok;\n    v->y = sure ?"),
    _kind("assignment as a condition", ChangeClass.COSMETIC, M, _CHOICE, "    int less;\n    if ((less = w < 2.0F)) {\n        v->y = size;\n    } else {\n        v->y = w;\n    }\n"),
    _kind("assignment as a value", ChangeClass.COSMETIC, M, "const float total =", "float sum;\n    const float total = sum =", M, "(total)", "(sum)", M, "return status;", "return status |= FM_OK;"),
    _kind("opposite of the opposite of a flag", ChangeClass.COSMETIC, M, "if (!known)", "if (!-(-known))"),
    _kind("commas", ChangeClass.COSMETIC, M, "const float total = u_x + u_y;", "const float total = ((void)0, w, u_x + u_y);", M, _CHOICE, "    v->y = (w, w < 2.0F) ? (total, size) : (2.0F, w);\n"),
    _kind("commas in conditions", ChangeClass.COSMETIC, M, "if (!known)", "if ((void)u->x, !known)", M, "return status;", "return 0, status;"),
    _kind("assignments before a comma", ChangeClass.COSMETIC, M, "    const float total = u_x + u_y;", "    float s;\n    const float total = (s = u_x, s += u_y, s);"),
    _kind("assignments before the comma of a condition", ChangeClass.COSMETIC, M, _CHOICE, "    float y;\n    if (y = w, y < 2.0F) {\n        y = size;\n    } else if (v->y = y, 0) {\n        y = 0.0F;\n    }\n    v->y = y;\n"),
    _kind("commas in a loop", ChangeClass.COSMETIC, M, _MEAN, "    int k, j;\n    v->x = w * total;\n    for (k = 0, j = 1; (void)k, k < j; k++, j--) {\n        v->x *= 0.5F;\n    }\n"),
    _kind("walking pointer", ChangeClass.COSMETIC, M, _MEAN, _WALK),
    _kind("walking pointer that is moved", ChangeClass.COSMETIC, M, _MEAN, _WALK.replace("*from++;", "*from;\n    from += 1;").replace("= a;", "= a + 2;\n    from = from - 2;")),
    _kind("walking pointer to the result", ChangeClass.COSMETIC, R, "double *y)", "double y[])", R, "    *y =", "    double r[2], *to = r;\n    *to++ = 0.0;\n    *to = gain(x);\n    *y = r[1];\n    double *from = to--;\n    *to += *from++;\n    *y = r[1];\n    (void)"),
    _kind("walking index", ChangeClass.COSMETIC, M, _MEAN, _WALK.replace("const float *from = a", "int k = 0").replace("*from++", "a[k++]")),
    _kind("walking index that comes first", ChangeClass.COSMETIC, M, _MEAN, _WALK.replace("const float *from = a", "int k = 3").replace("*from++", "a[--k]").replace("w, total, 0.5F", "0.5F, total, w")),
    _kind("loop up to a pointer", ChangeClass.COSMETIC, M, _MEAN, _END),
    _kind("loop that walks", ChangeClass.COSMETIC, M, _MEAN, _END.replace("at++", "p *= *at++").replace("        p *= *at;\n", "")),
    _kind("place within a function", ChangeClass.COSMETIC, M, _MEAN, '#line 7 "other.c"\n' + _MEAN + "#pragma GCC diagnostic push\n"),
    _kind("pointer as an array", ChangeClass.COSMETIC, M, "const double u_x = u->x;", "const double u_x = u[0].x;"),
)  # fmt: skip
"""What means the same to a compiler."""

DRIVER = """\
#include <stdio.h>
#include <string.h>

#include "fm_model.h"

static const double NUMBERS[] = {
    0.0, -0.0, 1.0, -1.0, 0.3, 2.0, 2.7, -5.5, 1000.0, 1000.0000000000001, 512.0, 1e-310, -1e-40, 3e20, 1e37,
    1e250, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0,
};
#define COUNT ((int)(sizeof NUMBERS / sizeof *NUMBERS))

static void show(double number)
{
    unsigned long long bits = 0;
    if (number == number && number != 0.0) {
        memcpy(&bits, &number, sizeof bits);
    }
    printf("%llx ", number == number ? bits : 1ull);
}

int main(void)
{
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++) {
            for (int k = 0; k < COUNT; k++) {
                fm_pair_f64 p = {NUMBERS[i], NUMBERS[j]}, q = {7.0, 7.0};
                fm_pair_f32 r = {(float)NUMBERS[i], (float)NUMBERS[j]}, s = {7.0F, 7.0F};
                unsigned status = (unsigned)fm_turn_f64(&p, NUMBERS[k], &q);
                fm_mean_f32(&r, (float)NUMBERS[k], &s);
                unsigned again = (unsigned)fm_turn_f64(&p, NUMBERS[k], &p);
                fm_mean_f32(&r, (float)NUMBERS[k], &r);
                show(q.x), show(q.y), show(s.x), show(s.y);
                show(p.x), show(p.y), show(r.x), show(r.y);
                printf("%x %x\\n", status, again);
            }
        }
        double left = 7.0, right = 7.0;
        fm_left_f64(NUMBERS[i], &left);
        fm_right_f64(NUMBERS[i], &right);
        show(left), show(right);
    }
    return 0;
}
"""
"""Prints what all functions return at edges and elsewhere, also in place."""
