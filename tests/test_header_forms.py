"""Other ways of writing a header: what means the same to all programs is told apart from what does not."""

from __future__ import annotations

import pytest

from codegen.review.diff import ChangeClass, compare_trees
from codegen.review.diff.compare import both, compare_surroundings

FLAGS = "#define FC_OK 0u\n#define FC_ZERO 1u\n#define FC_FAR 4u\n"
PAIR = "typedef struct {\n    float x;\n    float y[2];\n} fc_pair;\n"
STATUS = "/** The status: FC_OK, or flags or-ed. */\ntypedef unsigned int fc_status;\n"
TYPES = f"""#ifndef FC_TYPES_H
#define FC_TYPES_H

{STATUS}
{FLAGS}
/** A pair. */
{PAIR}
#endif
"""
SCALE = "fc_status fc_scale_f32(const fc_pair *u, float a, fc_pair *v);"
SUM = "void fc_sum_f32(const float x[], int n, float *y);"
HEADER = f"""#ifndef FC_MODEL_H
#define FC_MODEL_H

#include "fc_types.h"

#ifdef __cplusplus
extern "C" {{
#endif

/**
 * A pair times {{a if a > 0 otherwise}} 1.
 *
 * @param[in] u position, in B [m]
 * @param[in] a factor [1]
 * @param[out] v product, in B [m]
 * @return FC_OK, or FC_ZERO unless a > 0.
 */
{SCALE}

/** Sum. */
{SUM}

#ifdef __cplusplus
}}
#endif

#endif
"""
MODEL = f"""#include "fc_model.h"

{SCALE[:-1]}
{{
    const int ok = a > 0.0F;
    const float s = ok ? a : 1.0F;
    v->x = s * u->x;
    v->y[0] = s * u->y[0];
    v->y[1] = s * u->y[1];
    return ok ? FC_OK : FC_ZERO | FC_FAR;
}}

{SUM[:-1]}
{{
    float t = 0.0F;
    int i;
    for (i = 0; i < n; i++) {{
        t += x[i];
    }}
    *y = t;
}}
"""
TREE = {"fc_types.h": TYPES, "fc_model.h": HEADER, "fc_model.c": MODEL}
LOW = {ChangeClass.IDENTICAL, ChangeClass.COSMETIC, ChangeClass.REASSOCIATED, ChangeClass.ADDED}
Tree = dict[str, str]


def kinds(new: Tree, old: Tree = TREE) -> set[ChangeClass]:
    """The classes of all changes between two trees."""
    changes = [*compare_trees(old, new), *compare_surroundings(both(old, new))]
    return set[ChangeClass]().union(*(c.kinds for c in changes))


def types(before: str, after: str, tree: Tree = TREE) -> Tree:
    """The tree with other words in its header of types."""
    assert before in tree["fc_types.h"]
    return {**tree, "fc_types.h": tree["fc_types.h"].replace(before, after)}


def header(before: str, after: str, tree: Tree = TREE) -> Tree:
    """The tree with other words in the header of its functions."""
    assert before in tree["fc_model.h"]
    return {**tree, "fc_model.h": tree["fc_model.h"].replace(before, after)}


def marked(definition: str, before: str = "", after: str = "", name: str = "FC_MARK") -> Tree:
    """The tree with a macro around the prototypes."""
    tree = types("typedef unsigned", f"{definition}\ntypedef unsigned")
    tree = types(STATUS, f"{definition}\n\n{STATUS}")
    for prototype in (SCALE, SUM):
        left = f"{before and name} {prototype[:-1]}".strip()
        tree = header(prototype, f"{left}{' ' + name if after else ''};", tree)
    return tree


def branches(*bodies: str, test: str = "#ifdef __GNUC__") -> str:
    """A macro that is one thing to some compilers and another one to others."""
    tests = [test, *["#elif defined(_MSC_VER)"] * (len(bodies) - 2), "#else"]
    return "\n".join(f"{t}\n#define FC_MARK {b}" for t, b in zip(tests, bodies, strict=True)) + "\n#endif"


def attribute(name: str) -> str:
    return f"__attribute__(({name}))"


def body(text: str, tree: Tree = TREE) -> Tree:
    return {**tree, "fc_model.c": tree["fc_model.c"].replace("FC_ZERO | FC_FAR", text)}


SPLIT = PAIR.replace("typedef struct {", "struct fc_pair_s {").replace("} fc_pair;", "};")
BITS = (
    "#define FC_BIT(n) (1u << (n))\n#define FC_OK 0u\n#define FC_ZERO FC_BIT(0)\n#define FC_FAR FC_BIT(2)\n"
)
CHAIN = FLAGS.replace("4u", "(FC_ZERO << 2)")

SAME: dict[str, Tree] = {
    "requests": marked(f"#define FC_MARK {attribute('nothrow, leaf')}", "before"),
    "requests behind": marked(f"#define FC_MARK {attribute('__hot__')}", "", "after"),
    "a request or nothing": marked(branches(attribute("cold"), ""), "before"),
    "three compilers": marked(
        branches(attribute('visibility("default")'), "__declspec(dllexport)", ""), "before"
    ),
    "a compiler's version": marked(
        branches(attribute("flatten"), "", test="#if defined(__GNUC__) && __GNUC__ >= 4"), "before"
    ),
    "nothing": marked("#define FC_MARK", "before"),
    "extern": marked("#define FC_MARK extern", "before"),
    "before the name": header(SCALE, SCALE.replace("fc_status ", f"fc_status {attribute('nothrow')} ")),
    "aligned": header(SCALE, f"{SCALE[:-1]} {attribute('aligned(16)')};"),
    "no null pointers": header(SCALE, f"{SCALE[:-1]} {attribute('nonnull(1, 3)')};"),
    "another typedef": types("typedef unsigned int fc_status", "typedef unsigned fc_status"),
    "an alias of numbers": types(
        f"/** A pair. */\n{PAIR}",
        f"typedef float fc_real;\n/** A pair. */\n{PAIR.replace('float x', 'fc_real x')}",
    ),
    "an extent by name": types(
        f"/** A pair. */\n{PAIR}",
        f"#define FC_TWO 2\n/** A pair. */\n{PAIR.replace('[2]', '[FC_TWO]')}",
    ),
    "a struct apart": types(PAIR, f"{SPLIT}typedef struct fc_pair_s fc_pair;\n"),
    "a struct after its name": types(PAIR, f"typedef struct fc_pair_s fc_pair;\n{SPLIT}"),
    "a chain of flags": types(FLAGS, CHAIN),
    "bits": types(FLAGS, BITS),
    "assertions for C": types(
        "#endif\n", '#ifndef __cplusplus\n_Static_assert(sizeof(fc_pair) == 12, "pair");\n#endif\n#endif\n'
    ),
    "assertions for C11": types(
        "#endif\n",
        "#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n"
        '_Static_assert(sizeof(float) == 4, "float");\n#endif\n#endif\n',
    ),
    "const values": header("float a,", "const float a,"),
    "const numbers of turns": header("int n,", "const int n,"),
    "extern on a prototype": header(SUM, f"extern {SUM}"),
    "returns": header("@return", "@returns"),
    "blanks before a direction": header("@param[in]", "@param [in]"),
    "dashes": header("] u position", "] u - position"),
    "a full stop": header("Sum. */", "Sum */"),
    "an empty line behind a description": header(SCALE, f"\n{SCALE}"),
    "several": header(SUM, f"\n \t\n\n{SUM}"),
    "a description in another style": header("/** Sum. */\n", "/*! Sum. */\n\n"),
    "the name of the file": header('#include "fc', '/** @file fc_model.h */\n#include "fc'),
    "what is included for": header('fc_types.h"', 'fc_types.h" /* fc_status, fc_pair */'),
    "what a brace closes": header("\n}\n", '\n} /* extern "C" */\n'),
    "a rule": types("*/\ntypedef unsigned", "*/\n/* ---- */\n\ntypedef unsigned"),
    "a second guard": types(TYPES, f"#ifndef FC_TYPES_H_TOO\n#define FC_TYPES_H_TOO\n{TYPES}#endif\n"),
}  # fmt: skip

OTHER: dict[str, Tree] = {
    "another unit above an empty line": header("[m]", "[ft]", header(SCALE, f"\n{SCALE}")),
    "a comment that describes nothing": header("/** Sum. */\n", "/* Sum. */\n\n"),
    "a rule of asterisks": header("/** Sum. */\n", "/*** Sum. */\n\n"),
    "a description of what stands before": header("/** Sum. */\n", "/**< Sum. */\n\n"),
    "a description above another one": header(SUM, f"\n/** Mean. */\n\n{SUM}"),
    "a description above a macro": header(SUM, f"\n#define FC_X 1\n\n{SUM}"),
    "weak": marked(f"#define FC_MARK {attribute('weak')}", "before"),
    "weak in a branch": marked(branches(attribute("weak"), ""), "before"),
    "weak in the second branch": marked(branches(attribute("hot"), attribute("weak"), ""), "before"),
    "hot and weak": marked(f"#define FC_MARK {attribute('hot, weak')}", "before"),
    "hidden": marked("#define FC_MARK " + attribute('visibility("hidden")'), "before"),
    "imported": marked(branches("__declspec(dllimport)", ""), "before"),
    "pure where it writes": marked(f"#define FC_MARK {attribute('pure')}", "before"),
    "const where it writes": header(SCALE, f"{attribute('const')} {SCALE}"),
    "static": marked("#define FC_MARK static", "before"),
    "inline": marked("#define FC_MARK inline", "before"),
    "storage in one branch": marked(branches("static", ""), "before"),
    "what a build may define": marked("#ifndef FC_MARK\n#define FC_MARK\n#endif", "before"),
    "undone": marked("#define FC_MARK\n#undef FC_MARK", "before"),
    "defined twice": marked("#define FC_MARK\n#undef FC_MARK\n#define FC_MARK static", "before"),
    "with parameters": marked("#define FC_MARK()", "before"),
    "of another type": marked("#define FC_MARK double", "before"),
    "defined nowhere": marked("", "before"),
    "defined below": header("#endif\n\n#endif", "#define FC_MARK\n#endif\n\n#endif", marked("", "before")),
    "null pointers": header(SUM, f"{SUM[:-1]} {attribute('nonnull')};"),
    "no null pointer where there may be one": header(SUM, f"{SUM[:-1]} {attribute('nonnull(1)')};"),
    "short": types("typedef unsigned int fc_s", "typedef unsigned short fc_w;\ntypedef fc_w fc_s"),
    "a constant": types("typedef unsigned int fc_s", "typedef const unsigned int fc_w;\ntypedef fc_w fc_s"),
    "an array": types("typedef unsigned int fc_s", "typedef unsigned int fc_w[1];\ntypedef fc_w fc_s"),
    "a circle": types("typedef unsigned int fc_s", "typedef fc_status fc_w;\ntypedef fc_w fc_s"),
    "of double": types(PAIR, f"typedef double fc_real;\n{PAIR.replace('float x', 'fc_real x')}"),
    "three": types(PAIR, f"#define FC_TWO 3\n{PAIR.replace('[2]', '[FC_TWO]')}"),
    "open": types(PAIR, f"#define FC_TWO 1 + 1\n{PAIR.replace('[2]', '[2 * FC_TWO]')}"),
    "what a build may make of two": types(
        PAIR, f"#ifndef FC_TWO\n#define FC_TWO 2\n#endif\n{PAIR.replace('[2]', '[FC_TWO]')}"
    ),
    "what a build may make of two, by another name": types(
        PAIR,
        f"#ifndef FC_N\n#define FC_N 2\n#endif\n#define FC_TWO (FC_N)\n{PAIR.replace('[2]', '[FC_TWO]')}",
    ),
    "members in another order": types(
        PAIR, "struct s {\n    float y[2];\n    float x;\n};\ntypedef struct s fc_pair;\n"
    ),
    "another struct": types(
        PAIR, f"{SPLIT}struct fc_s {{\n    float z;\n}};\ntypedef struct fc_s fc_pair;\n"
    ),
    "two structs": types(PAIR, f"{SPLIT}{SPLIT}typedef struct fc_pair_s fc_pair;\n"),
    "a struct that is packed": types(
        PAIR, f"{SPLIT.replace('};', '} ' + attribute('packed') + ';')}typedef struct fc_pair_s fc_pair;\n"
    ),
    "a struct that is used before": types(
        PAIR, f"typedef struct fc_pair_s fc_pair;\ntypedef struct {{\n    fc_pair p;\n}} fc_two;\n{SPLIT}"
    ),
    "a pointer": types(PAIR, f"{SPLIT}typedef struct fc_pair_s *fc_pair;\n"),
    "a chain to another flag": types(FLAGS, CHAIN.replace("<< 2", "<< 3")),
    "an open chain": types(FLAGS, CHAIN.replace("1u", "1u + 0u")),
    "other bits": types(FLAGS, BITS.replace("(1u << (n))", "(2u << (n))")),
    "bits of int": types(FLAGS, BITS.replace("1u", "1")),
    "open bits": types(FLAGS, BITS.replace("BIT(2)", "BIT(1 | 2)").replace("(n))", "n)")),
    "bits of a wide number": types(FLAGS, BITS.replace("1u", "1ull")),
    "a cast": types("4u", "((fc_status)4u)"),
    "a cast of another number": types("4u", "((unsigned char)260u)"),
    "an enumeration": types(FLAGS, "enum { FC_OK = 0, FC_ZERO = 1, FC_FAR = 4 };\n"),
    "another enumeration": types(FLAGS, "enum fc_flags { FC_OK, FC_ZERO, FC_FAR };\n"),
    "an assertion that fails": types(
        "#endif\n", '#ifndef __cplusplus\n_Static_assert(sizeof(fc_pair) == 16, "pair");\n#endif\n#endif\n'
    ),
    "an assertion for C++": types("#endif\n", '_Static_assert(sizeof(float) == 4, "float");\n#endif\n'),
    "more than assertions": types(
        "#endif\n", '#ifndef __cplusplus\n_Static_assert(1, "");\nint fc_n;\n#endif\n#endif\n'
    ),
    "an array in a prototype": header("float x[],", "float x[4],"),
    "a static size": header("float x[],", "float x[static 4],"),
    "a writable input": header("const float x[],", "float x[],"),
    "another unit behind a brace": header("position, in B [m]", "position, in B [km]"),
    "minus": header("] a factor", "] a - k"),
    "another direction": header("@param[out] v", "@param [in] v"),
    "another result": header("@return FC_OK", "@returns FC_FAR"),
    "a file that says more": header('#include "fc', '/** @file fc_model.h in degrees */\n#include "fc'),
    "an include that says more": header('fc_types.h"', 'fc_types.h" /* fc_status in degrees */'),
    "a brace that says more": header("\n}\n", "\n} /* end of the degrees */\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_what_means_the_same_to_programs(name: str) -> None:
    assert kinds(SAME[name]) <= LOW


@pytest.mark.parametrize("name", OTHER)
def test_what_may_mean_something_else(name: str) -> None:
    assert not kinds(OTHER[name]) <= LOW


INLINE = {
    "fc_types.h": "#ifndef FC_TYPES_H\n#define FC_TYPES_H\n%s\n#endif\n",
    "fc_f_f64.h": "#ifndef FC_F_F64_H\n#define FC_F_F64_H\n%s\n%s\n#endif\n",
}
TWICE = "{c}FC_INLINE void fc_f_f64(double x, double *y)\n{{\n    *y = 2.0 * x;\n}}"
DOCUMENTED = TWICE.format(c="/** Twice, {{ if } x [m]. */\n")


def inline(macro: str, include: str = '#include "fc_types.h"', function: str = TWICE.format(c="")) -> Tree:
    """A header whose function is `static inline` by a macro of another header."""
    return {
        "fc_types.h": INLINE["fc_types.h"] % (f"#define FC_INLINE {macro}" if macro else ""),
        "fc_f_f64.h": INLINE["fc_f_f64.h"] % (include, function),
    }


PLAIN = inline("", function=TWICE.format(c="").replace("FC_INLINE", "static inline"))


@pytest.mark.parametrize(
    ("new", "is_same"),
    [
        (inline("static inline"), True),
        (inline("inline static"), True),
        (inline(f"static inline {attribute('always_inline')}"), True),
        (inline(f"{attribute('unused')} static"), True),
        (inline("inline"), False),
        (inline("static inline const"), False),
        (inline(f"static inline {attribute('weak')}"), False),
        (inline("static inline", ""), False),
        (inline("static inline", "", f'{TWICE.format(c="")}\n#include "fc_types.h"'), False),
    ],
)
def test_a_macro_of_another_header_for_static_inline(new: Tree, is_same: bool) -> None:
    assert (kinds(new, PLAIN) <= LOW) is is_same


def test_a_macro_that_becomes_another_one_changes_the_functions_that_name_it() -> None:
    assert not kinds(inline("inline"), inline("static inline")) <= LOW
    assert not kinds(inline("extern"), inline("static")) <= LOW
    null = [marked(f"#define FC_MARK {attribute(name)}", "before") for name in ("hot", "nonnull")]
    assert not kinds(null[1], null[0]) <= LOW


def test_the_comment_of_an_inline_function_is_read_beyond_a_brace() -> None:
    old = inline("static inline", function=DOCUMENTED)
    new = inline("static inline", function=DOCUMENTED.replace("[m]", "[km]"))
    assert ChangeClass.CONTRACT in kinds(new, old)


@pytest.mark.parametrize(
    ("name", "parameters", "is_same"),
    [
        ("pure", "float z", True),
        ("const", "const float z", True),
        ("pure", "float z, const float *more", False),
        ("const", "fc_number z", False),
    ],
)
def test_functions_that_only_calculate_are_pure(name: str, parameters: str, is_same: bool) -> None:
    more = ", &x" if "more" in parameters else ""
    top = f"typedef float fc_number;\nstatic float half({parameters})\n{{\n    return z * 0.5F;\n}}\n"
    form = f"{top}\nvoid fc_f_f32(float x, float *y)\n{{\n    *y = half(x{more});\n}}\n"
    new = form.replace("static float", f"static {attribute(name)} float")
    (found,) = (c for c in compare_trees({"a.c": form}, {"a.c": new}) if c.symbol == "fc_f_f32")
    assert (found.kind in LOW) is is_same


@pytest.mark.parametrize(
    ("definition", "text", "is_same"),
    [
        ("#define FC_BOTH (FC_ZERO | FC_FAR)", "FC_BOTH", True),
        ("#define FC_BOTH FC_ZERO | FC_FAR", "FC_BOTH", True),
        ("#define FC_BOTH ((fc_status)5u)", "FC_BOTH", True),
        ("#define FC_BOTH (ok ? FC_OK : 5u)", "FC_BOTH", True),
        ("#define FC_BOTH FC_BOTH_2\n#define FC_BOTH_2 5u", "FC_BOTH", True),
        ("#define FC_BOTH (FC_ZERO | FC_OK)", "FC_BOTH", False),
        ("#define FC_BOTH (ok ? 5u : FC_OK)", "FC_BOTH", False),
        ("#define FC_BOTH FC_ZERO | FC_FAR", "FC_BOTH & FC_ZERO", False),
        ("#define FC_BOTH ((unsigned char)261u | 256u)", "FC_BOTH", False),
        ("#define FC_BOTH FC_BOTH", "FC_BOTH", False),
        ("#define FC_BOTH FC_BOTH_2", "FC_BOTH", False),
        ("#define FC_BOTH 5u\n#undef FC_BOTH\n#define FC_BOTH 4u", "FC_BOTH", False),
        ("#define FC_BIT(n) (1u << (n))\n#define FC_BOTH FC_BIT", "FC_BOTH(0) | FC_BOTH(2)", False),
    ],
)
def test_macros_in_macros(definition: str, text: str, is_same: bool) -> None:
    new = body(text, types(FLAGS, f"{FLAGS}{definition}\n"))
    assert (kinds(new) <= LOW) is is_same


def test_a_function_that_a_macro_names_is_called() -> None:
    top = "static void fc_step(float *x, int n)\n{\n    x[n] = 1.0F;\n}\n\n#define FC_STEP fc_step\n"
    form = f"{top}\nvoid fc_f_f32(float *x, int n)\n{{\n    FC_STEP(x, n);\n}}\n"
    changes = compare_trees({"a.c": form}, {"a.c": form.replace("1.0F", "2.0F")})
    assert len([c for c in changes if c.kind not in LOW]) == 2


def test_a_macro_that_a_circle_of_includes_leaves_below_is_not_read() -> None:
    circle = types(STATUS, f'#include "fc_model.h"\n#define FC_MARK\n{STATUS}')
    assert not kinds(header(SCALE, f"FC_MARK {SCALE}", circle), circle) <= LOW
    assert kinds(header(SCALE, f"FC_MARK {SCALE}", types(STATUS, f"#define FC_MARK\n{STATUS}"))) <= LOW


def test_macros_of_macros_end() -> None:
    lines = [f"#define FC_{k} (FC_{k + 1}, FC_{k + 1})" for k in range(3000)]
    assert ChangeClass.ADDED in kinds(types(FLAGS, FLAGS + "\n".join(lines) + "\n"))


def test_many_attributes_are_not_looked_at() -> None:
    new = body(f"FC_ZERO | FC_FAR; {attribute('unused') * 20_000} ")
    assert not kinds(new) <= LOW


TABLE = "static const float fc_table[3] = { 1.0F, 2.5F, 3.0F };"
LIST = "#define FC_LIST { 1.0F, 2.0F }"
TABLES = types("/** A pair. */", f"{TABLE}\n{LIST}\n/** A pair. */")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("3.0F }", "3.0F, }"),
        ("[3]", "[]"),
        ("[3]", "[1 + 2]"),
        ("[3] = { 1.0F, 2.5F, 3.0F }", "[] = { 1.F, 25e-1F, 3.0F, }"),
        ("2.0F }", "2.0F, }"),
    ],
)
def test_how_a_table_is_written_means_nothing(before: str, after: str) -> None:
    for pair in ((TABLES, types(before, after, TABLES)), (types(before, after, TABLES), TABLES)):
        assert kinds(*pair) <= {ChangeClass.IDENTICAL, ChangeClass.COSMETIC}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("3.0F }", "3.0F, 0.0F }"),
        ("[3]", "[4]"),
        ("[3] = { 1.0F, 2.5F, 3.0F }", "[] = { 1.0F, 2.5F }"),
        ("[3] = { 1.0F, 2.5F, 3.0F }", "[] = { 1.0F, 2.5F, 3.0F, 0.0F, }"),
        ("[3] = { 1.0F, 2.5F, 3.0F }", "[] = { 1.0F, [3] = 2.5F, 3.0F }"),
        (TABLE, f"#define FC_TWO 2.5F, 3.0F\n{TABLE.replace('[3]', '[]').replace('3.0F', 'FC_TWO')}"),
        ("2.5F, 3.0F", "2.5F 3.0F"),
        ("2.0F }", "2.0F, 0.0F }"),
        ("2.0F }", "2.0F }, { 3.0F }"),
        ("static const float", "const float"),
        (LIST, "#define FC_LIST 1.0F, 2.0F, "),
    ],
)
def test_another_table_is_another_interface(before: str, after: str) -> None:
    assert ChangeClass.INTERFACE in kinds(types(before, after, TABLES), TABLES)


def test_the_values_of_structs_are_not_counted_as_elements() -> None:
    def pairs(extent: str) -> Tree:
        table = f"static const fc_pair fc_table[{extent}] = {{ 1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F }};"
        return types("#endif\n", f"{table}\n#endif\n")

    assert ChangeClass.INTERFACE in kinds(pairs(""), pairs("6"))
