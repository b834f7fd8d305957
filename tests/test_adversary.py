"""No kind of change that changes behaviour passes for none, and those that mean nothing raise no alarm."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from codegen.review.diff import Change, ChangeClass, compare_trees
from codegen.review.diff.compare import both, compare_surroundings
from codegen.review.diff.numbers.excess import Search, Unsearched
from codegen.review.diff.numbers.versions import Versions
from codegen.verify.native import compilers
from tests.adversary import DRIVER, ELSEWHERE, HARMFUL, HARMLESS, TREE, H, Kind, L, M, R, T
from tests.conftest import sampled

ORDER = list(ChangeClass)
EXACT = tuple(k for k in HARMLESS if k.least is not ChangeClass.REASSOCIATED)


@cache
def found(kind: Kind) -> list[Change]:
    return compare_trees(TREE, kind.tree)


def worst(changes: list[Change]) -> ChangeClass:
    """The most severe class, apart from additions, which nobody has to look at."""
    return max((c.kind for c in changes if c.kind is not ChangeClass.ADDED), key=ORDER.index)


def named(kinds: tuple[Kind, ...], every: int) -> list[object]:
    return [pytest.param(*p.values, id=p.values[0].name, marks=p.marks) for p in sampled(kinds, every)]


@pytest.mark.parametrize("kind", named((*HARMFUL, *ELSEWHERE), every=4))
def test_a_change_of_behaviour_is_seen(kind: Kind) -> None:
    assert ORDER.index(worst(found(kind))) >= ORDER.index(kind.least), found(kind)


@pytest.mark.parametrize("kind", HARMLESS, ids=lambda kind: kind.name)
def test_what_means_nothing_is_no_change(kind: Kind) -> None:
    assert worst(found(kind)) is kind.least, [c for c in found(kind) if c.kind is not ChangeClass.IDENTICAL]


@pytest.mark.parametrize("kind", EXACT, ids=lambda kind: kind.name)
def test_what_means_nothing_is_no_other_interface(kind: Kind) -> None:
    assert not compare_surroundings(both(TREE, kind.tree))


@pytest.mark.parametrize(
    ("line", "use"),
    [
        ("#define HALF {}", "HALF"),
        ("static inline float half(void)\n{{\n    return {};\n}}", "half()"),
    ],
)
def test_another_header_that_gives_a_name_another_meaning(line: str, use: str) -> None:
    """Both headers are in both trees, and the text of the function is the same."""
    headers = {
        f"fm_{name}.h": f"#ifndef FM_{name}_H\n#define FM_{name}_H\n{line.format(number)}\n#endif\n"
        for name, number in (("a", "0.5F"), ("b", "0.25F"))
    }
    old, new = (
        {
            **TREE,
            **headers,
            M: TREE[M]
            .replace("0.5F", use)
            .replace("#include <math.h>", f'#include "{h}"\n#include <math.h>'),
        }
        for h in headers
    )
    (change,) = (c for c in compare_trees(old, new) if c.symbol == "fm_mean_f32")
    assert change.kind in (ChangeClass.CHANGED, ChangeClass.UNREADABLE)


@pytest.mark.parametrize(
    "edit",
    [
        (
            "    v->x = w * total * 0.5F;\n",
            "#ifdef FM_FAST\n    v->x = w;\n#else\n    v->x = 0.0F;\n#endif\n",
        ),
        (
            "#include <math.h>\n",
            "#include <math.h>\n#if FM_FAST\n#define HALF 1\n#else\n#define HALF 2\n#endif\n",
        ),
    ],
)
def test_a_condition_that_comes_out_otherwise(edit: tuple[str, str]) -> None:
    """The file with the condition is the same in both trees; another file defines the macro."""
    old = {**TREE, M: TREE[M].replace(*edit)}
    new = {**old, T: old[T].replace("#define FM_OK", "#define FM_FAST 1\n#define FM_OK")}
    other = {**old, T: old[T].replace("#define FM_OK", "#define FM_FAST 0\n#define FM_OK")}
    assert old[M] != TREE[M]
    for before, after in ((old, new), (new, old), (new, other)):
        (change,) = (c for c in compare_trees(before, after) if c.symbol == "fm_mean_f32")
        assert change.kind is ChangeClass.UNREADABLE
    assert worst(compare_trees(old, dict(old))) is ChangeClass.IDENTICAL


def test_conditions_that_are_nested_deeply() -> None:
    code = "    v->x = w * total * 0.5F;\n"
    for depth, kind in ((15, ChangeClass.COSMETIC), (3000, ChangeClass.UNREADABLE)):
        nested = code + "#ifdef FM_FAST\n" * depth + "    ;\n" + "#endif\n" * depth
        assert worst(compare_trees(TREE, {**TREE, M: TREE[M].replace(code, nested)})) is kind


@pytest.mark.parametrize("scale", ["* 0x1p100F * 0x1p-100F", "/ 0x1p100F * 0x1p100F", "* 1.0e30F / 1.0e30F"])
def test_a_scale_that_no_point_shows(scale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_none(versions: Versions) -> Search:
        return Search(None, np.zeros((sum(a.size for a in versions.inputs), 0)), Unsearched())

    monkeypatch.setattr("codegen.review.diff.classify.find_excess", find_none)
    new = {**TREE, M: TREE[M].replace("total * 0.5F", f"total * 0.5F {scale}")}
    assert worst(compare_trees(TREE, new)) is ChangeClass.CHANGED
    other = {**TREE, M: TREE[M].replace("w * total * 0.5F", "w * (total * 0.5F)")}
    assert worst(compare_trees(TREE, other)) is ChangeClass.REASSOCIATED


def test_a_header_that_no_function_reads() -> None:
    """It changes what C means in programs that include it."""
    trees = [
        {**TREE, "fm.h": f'#include "fm_model.h"\n{line}'} for line in ("", SWAP, SWAP.replace("erf", "y0"))
    ]
    for old, new in ((trees[0], trees[1]), (trees[1], trees[2])):
        (change,) = (c for c in compare_trees(old, new) if c.kind is not ChangeClass.IDENTICAL)
        assert (change.symbol, change.kind) == ("fm.h", ChangeClass.UNREADABLE)
        assert change.detail == "cannot be read: line 2: it defines floor, which is a reserved name"
    assert worst(compare_trees(trees[1], dict(trees[1]))) is ChangeClass.IDENTICAL


@pytest.mark.parametrize(
    "line",
    [
        "#define dt 0.5", "#define printf(...) 0", "#define fm_other 1", "#define speed",
        "typedef int speed;", "static const int speed = 1;", "enum { speed = 1 };",
    ],
)  # fmt: skip
def test_a_header_that_replaces_words_of_programs(line: str) -> None:
    inside = {**TREE, T: TREE[T].replace("\n#endif", f"\n{line}\n#endif")}
    below = {**TREE, H: TREE[H].replace(TYPES, TYPES + '#include "fm.h"\n'), "fm.h": f"{line}\n"}
    for tree, path in ((inside, T), (below, "fm.h")):
        (change,) = compare_surroundings(both(TREE, tree))
        assert (change.symbol, change.kind) == (path, ChangeClass.INTERFACE)
        word = next(w for w in ("dt", "printf", "fm_other", "speed") if w in line)
        assert change.detail == f"declares {word}, which may be a word of programs that include it"


@pytest.mark.parametrize(
    "line",
    [
        "#define FM_NEW 32u", "typedef float fm_new;", "typedef struct { int x; } fm_new;",
        "static const int FM_NEW = 3;", "static const unsigned fm_new[2] = {3, 4};", "enum { FM_NEW = 3 };",
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", [T, "fm_more.h"])
def test_a_new_flag_or_type_is_added(line: str, path: str) -> None:
    head = TREE[H].replace(TYPES, TYPES + '#include "fm_more.h"\n')
    more = {T: TREE[T].replace("\n#endif", f"\n{line}\n#endif")} if path == T else {path: line, H: head}
    (change,) = compare_surroundings(both(TREE, {**TREE, **more}))
    assert (change.symbol, change.kind) == (path, ChangeClass.ADDED)
    assert change.detail.lower() == "declares fm_new"


@pytest.mark.parametrize("name", ['"elsewhere.h"', '"sub/../fm_types.h"', "<complex.h>", "<elsewhere.h>"])
@pytest.mark.parametrize("path", ["fm.h", "fm_more.h"])
def test_a_header_that_needs_another_file(name: str, path: str) -> None:
    """No function reads fm.h, and programs that include it need the file."""
    old = {**TREE, "fm.h": '#include "fm_model.h"\n'}
    more = {"fm.h": old["fm.h"] + '#include "fm_more.h"\n', "fm_more.h": "\n"}
    new = {**old, **(more if path != "fm.h" else {})}
    new[path] += f"#include {name}\n"
    (change,) = compare_surroundings(both(old, new))
    assert (change.symbol, change.kind) == (path, ChangeClass.INTERFACE)
    assert change.detail == f"includes {name}, which is not in the tree"


def test_a_guard_in_a_source_file_hides_what_it_guards() -> None:
    text = TREE[L].replace("void fm_left", "#ifndef FM_SMALL\n#define FM_SMALL\nvoid fm_left") + "#endif\n"
    (change,) = compare_surroundings(both(TREE, {**TREE, L: text}))
    assert (change.symbol, change.kind) == (L, ChangeClass.INTERFACE)


@pytest.mark.parametrize("path", ["features.h", "bits/wordsize.h", "sub/sys/types.h", "alloca.h"])
def test_a_header_that_the_library_includes(path: str) -> None:
    """<math.h> includes <features.h>, and finds that of the tree where its directory is searched."""
    include = f'#include "fm_types.h"\n#include "{path}"\n'
    new = {**TREE, path: "#define FM_W 1\n", H: TREE[H].replace('#include "fm_types.h"\n', include)}
    assert worst(compare_trees(TREE, new)) is ChangeClass.UNREADABLE


def test_a_function_that_two_files_define_is_not_only_added() -> None:
    code = "\nvoid fm_new(double *y)\n{\n    *y = 1.0;\n}\n"
    new = {**TREE, L: TREE[L] + code, R: TREE[R] + code}
    (change,) = (c for c in compare_trees(TREE, new) if c.symbol == "fm_new")
    assert change.kind is ChangeClass.UNREADABLE


def test_a_new_header_of_types_makes_no_prefix() -> None:
    """A program has a main already."""
    code = "\nint main(void)\n{\n    return 0;\n}\n"
    new = {**TREE, "maintypes.h": "#ifndef MAINTYPES_H\n#define MAINTYPES_H\n#endif\n", L: TREE[L] + code}
    (change,) = (c for c in compare_trees(TREE, new) if c.symbol == "main")
    assert ChangeClass.INTERFACE in change.kinds


@pytest.mark.parametrize("mark", ['extern "C" {', "}"])
def test_the_linkage_of_c_has_a_beginning_and_an_end(mark: str) -> None:
    block = f"#ifdef __cplusplus\n{mark}\n#endif\n"
    assert block in TREE[H]
    for text in (TREE[H].replace(block, ""), TREE[H].replace(block, block + block)):
        assert worst(compare_trees(TREE, {**TREE, H: text})) is ChangeClass.UNREADABLE


def test_a_prototype_above_the_linkage_of_c() -> None:
    prototype = "void fm_left_f64(double x, double *y);\n"
    begin = '#ifdef __cplusplus\nextern "C" {'
    text = TREE[H].replace(begin, prototype + begin)
    assert text != TREE[H]
    (change,) = compare_surroundings(both(TREE, {**TREE, H: text}))
    assert (change.symbol, change.kind) == (H, ChangeClass.INTERFACE)


def test_a_header_without_a_guard_that_is_included_on_two_ways() -> None:
    inner = {"fm_k.h": "static const double fm_k = 0.5;\n"}
    twice = {H: TREE[H].replace(TYPES, TYPES + '#include "fm_k.h"\n'), M: f'#include "fm_k.h"\n{TREE[M]}'}
    assert worst(compare_trees(TREE, {**TREE, **inner, **twice})) is ChangeClass.UNREADABLE
    once = {M: f'#include "fm_k.h"\n{TREE[M]}'}
    assert worst(compare_trees(TREE, {**TREE, **inner, **once})) is ChangeClass.IDENTICAL


def test_a_new_guard_replaces_no_words() -> None:
    below = {
        **TREE,
        H: TREE[H].replace(TYPES, TYPES + '#include "m.h"\n'),
        "m.h": "#ifndef M_H\n#define M_H\nextern int m;\n#endif\n",
    }
    assert not compare_surroundings(both(TREE, below))


@pytest.mark.parametrize("number", ["0.0 - 0.0", "0.0 / 1.0"])
def test_arithmetic_in_a_function_that_had_none(number: str) -> None:
    old = {**TREE, L: TREE[L].replace("gain(x)", "0.0")}
    new = {**TREE, L: TREE[L].replace("gain(x)", number)}
    assert worst(compare_trees(old, new)) is ChangeClass.REASSOCIATED


def test_a_guard_that_begins_with_the_name_of_a_function() -> None:
    """It says nothing about the function, whatever else its header declares."""
    old = {p: t.replace("FM_MODEL_H", "FM_MEAN_F32_H") for p, t in TREE.items()}
    new = {**old, H: old[H].replace(TYPES, TYPES + TYPES)}
    assert worst(compare_trees(old, new)) is ChangeClass.IDENTICAL


@pytest.mark.parametrize(
    "comment",
    ["/* FM_TYPES_H */", "/* guard */", "// !FM_TYPES_H", "/* end of include guard: defined(FM_TYPES_H) */"],
)
def test_a_comment_that_names_the_guard_tells_nothing(comment: str) -> None:
    assert not compare_surroundings(both(TREE, {**TREE, T: TREE[T].rstrip() + f" {comment}\n"}))


@pytest.mark.parametrize(
    "comment", ["/* NOLINT */", "// NOLINTNEXTLINE(readability-*)", "/* clang-format off */"]
)
def test_a_request_to_a_tool_tells_nothing(comment: str) -> None:
    assert not compare_surroundings(both(TREE, {**TREE, T: TREE[T].rstrip() + f"\n{comment}\n"}))
    more = compare_surroundings(both(TREE, {**TREE, T: TREE[T].rstrip() + "\n/* NOLINT in degrees */\n"}))
    assert [change.kind for change in more] == [ChangeClass.CONTRACT]


@pytest.mark.parametrize("comment", ["/* angles in degrees */", "/* FM_DEGREES */", "/* not FM_OK in B */"])
def test_a_comment_behind_a_guard_that_says_more(comment: str) -> None:
    (change,) = compare_surroundings(both(TREE, {**TREE, T: TREE[T].rstrip() + f" {comment}\n"}))
    assert change.kind is ChangeClass.CONTRACT


@pytest.mark.parametrize(
    "lines",
    [
        "Copyright (c) 2024-2026 The Feather Authors. All rights reserved.",
        "Copyright 2026 ACME GmbH, Jane Doe <jane@doe.example>\n * SPDX-License-Identifier: MIT",
        "Licensed under the Apache License, Version 2.0.",
        "SPDX-License-Identifier: (GPL-2.0-only WITH Classpath-exception-2.0) OR MIT",
    ],
)
def test_a_licence_where_none_was_tells_nothing(lines: str) -> None:
    assert not compare_surroundings(both(TREE, {**TREE, T: f"/*\n * {lines}\n */\n{TREE[T]}"}))


@pytest.mark.parametrize(
    "text",
    [
        "#define FM_ZERO 0u",
        "#define FM_OK 7u",
        "typedef float fm_pair_f64;",
        "typedef unsigned long fm_status;",
        "float sq(float x);",
        "static void helper(void);",
        "int main(void);",
    ],
)
def test_a_new_header_contradicts_the_tree(text: str) -> None:
    guarded = f"#ifndef FM_CONFIG_H\n#define FM_CONFIG_H\n\n{text}\n\n#endif\n"
    included = TREE[H].replace('#include "fm_types.h"', '#include "fm_types.h"\n#include "fm_config.h"')
    assert included != TREE[H]
    said = compare_surroundings(both(TREE, {**TREE, H: included, "fm_config.h": guarded}))
    assert ("fm_config.h", ChangeClass.INTERFACE) in [(c.symbol, c.kind) for c in said]


def test_a_function_of_the_tree_that_is_only_declared_is_named() -> None:
    declared = TREE[H].replace('#include "fm_types.h"', '#include "fm_types.h"\nvoid fm_new(float x);')
    assert declared != TREE[H]
    (change,) = compare_surroundings(both(TREE, {**TREE, H: declared}))
    assert (change.kind, change.detail) == (
        ChangeClass.ADDED,
        "declares fm_new, which no file of the tree defines",
    )


@pytest.mark.parametrize(
    "lines",
    [
        "Copyright 2026 Jane Doe. Angles are in degrees.",
        "Copyright 2026 Jane Doe\n * Angles are in degrees.",
        "SPDX-License-Identifier: MIT, in degrees",
        "All rights reserved; frame B",
        "Licensed under the MIT License for quaternions [x, y, z, w]",
        "Copyright " + "Copyright A, " * 2000,
        "(c) Angles In Degrees",
    ],
)
def test_a_licence_that_says_more(lines: str) -> None:
    (change,) = compare_surroundings(both(TREE, {**TREE, T: f"/*\n * {lines}\n */\n{TREE[T]}"}))
    assert change.kind is ChangeClass.CONTRACT


@pytest.mark.parametrize("extent", ["3 * 3", "0x9", "011", "9u", "(9)", "1 << 3 | 1"])
def test_an_extent_that_is_calculated_is_the_same(extent: str) -> None:
    old, new = _with_extents("9", extent)
    assert worst(compare_trees(old, new)) is ChangeClass.COSMETIC
    assert not compare_surroundings(both(*_with_extents("9", extent)))


@pytest.mark.parametrize("extent", ["3 * 3 + 1", "-9 + 19", "3][3", "9 - 9", "-9", "(3, 9)", "1 / 0"])
def test_another_extent_is_another_interface(extent: str) -> None:
    said = compare_surroundings(both(*_with_extents("9", extent)))
    assert ("fm_types.h", ChangeClass.INTERFACE) in [(c.symbol, c.kind) for c in said]


@pytest.mark.parametrize(
    ("parameter", "kind"),
    [
        ("const double *q", ChangeClass.COSMETIC),
        ("const double q[]", ChangeClass.COSMETIC),
        ("const double q[3]", ChangeClass.UNREADABLE),
        ("const float *q", ChangeClass.UNREADABLE),
        ("double *q", ChangeClass.UNREADABLE),
    ],
)
def test_an_array_in_a_prototype_is_a_pointer(parameter: str, kind: ChangeClass) -> None:
    head = "void fm_sum_f64(const double q[4], double *y)"
    old = {
        **TREE,
        H: TREE[H].replace("/** Twice", f"/** Sum. */\n{head};\n\n/** Twice"),
        L: f"{TREE[L]}\n{head}\n{{\n    *y = q[0] + q[3];\n}}\n",
    }
    new = {**old, H: old[H].replace("const double q[4]", parameter)}
    (change,) = (c for c in compare_trees(old, new) if c.kind is not ChangeClass.IDENTICAL)
    assert (change.symbol, change.kind) == ("fm_sum_f64", kind)


def _with_extents(*extents: str) -> list[dict[str, str]]:
    """Trees with a function of an array of each of these sizes."""
    text = "\nvoid fm_sum_f32(const fm_mat_f32 *R, float *y)\n{\n    *y = R->m[0] + R->m[8];\n}\n"
    declared = "\ntypedef struct {{\n    float m[{}];\n}} fm_mat_f32;\n\n#endif"
    return [{**TREE, L: TREE[L] + text, T: TREE[T].replace("\n#endif", declared.format(e))} for e in extents]


def test_a_flag_of_a_wider_type_is_another_interface() -> None:
    trees = [{**TREE, T: TREE[T].replace("16u", f"16{suffix}")} for suffix in ("u", "L", "UL")]
    for new in trees[1:]:
        (change,) = compare_surroundings(both(trees[0], new))
        assert (change.symbol, change.kind) == (T, ChangeClass.INTERFACE)


def test_a_sum_of_many_terms_is_read() -> None:
    """Its tree is as deep as it has terms."""
    terms = " + ".join(["x"] * 400)
    old, new = ({**TREE, L: TREE[L].replace("2.0 * x", text)} for text in (terms, f"1.0 * ({terms})"))
    kinds = {c.symbol: c.kind for c in compare_trees(old, new)}
    assert kinds["fm_left_f64"] is ChangeClass.REASSOCIATED


TYPES = '#include "fm_types.h"\n'
SWAP = "#define floor erf\n"


@pytest.mark.parametrize("kind", named(HARMFUL, 20))
def test_compilers_agree_that_behaviour_changes(kind: Kind) -> None:
    """In one of the modes of one of them, if only by not compiling."""
    assert any(returned(*mode, kind.tree) != returned(*mode, TREE) for mode in modes())


@pytest.mark.parametrize("kind", named(EXACT, 20))
def test_compilers_agree_that_it_means_nothing(kind: Kind) -> None:
    for mode in modes():
        assert returned(*mode, kind.tree) == returned(*mode, TREE) != ""


def modes() -> Iterator[tuple[str, str]]:
    """The compilers with the standards in which they read C differently."""
    return product(compilers(), ("gnu99", "c99"))


def returned(compiler: str, standard: str, tree: dict[str, str]) -> str:
    """What the functions of a tree return, compiled; empty where they do not compile or do not end."""
    files = {**tree, "main.c": DRIVER}
    sources = [p for p in files if p.endswith(".c")]
    headers = {path: text for path, text in files.items() if path not in sources}
    objects = []
    for source in sources:
        alone = frozenset({**headers, source: files[source]}.items())
        objects.append(compiled(compiler, standard, source, alone))
        if not objects[-1]:
            return ""
    return printed(compiler, tuple(objects))


@cache  # most edits that mean nothing leave the objects as they are
def printed(compiler: str, objects: tuple[bytes, ...]) -> str:
    """What objects print, linked; empty where they do not link or do not end."""
    with TemporaryDirectory() as place:
        directory = Path(place)
        names = [f"{i}.o" for i in range(len(objects))]
        for name, made in zip(names, objects, strict=True):
            (directory / name).write_bytes(made)
        command = [compiler, *names, "-o", "run", "-lm"]
        if subprocess.run(command, cwd=directory, capture_output=True, check=False).returncode:
            return ""
        done = subprocess.run(["./run"], cwd=directory, capture_output=True, check=False, timeout=60)
        return done.stdout.decode() if done.returncode == 0 else ""


@cache  # most kinds of edits change one file
def compiled(compiler: str, standard: str, source: str, files: frozenset[tuple[str, str]]) -> bytes:
    """The object of a source with its headers; empty where it does not compile."""
    with TemporaryDirectory() as place:
        directory = Path(place)
        for path, text in files:
            (directory / path).write_text(text, encoding="utf-8")
        options = [f"-std={standard}", "-O1", "-ffp-contract=off", "-w", "-I."]
        command = [compiler, *options, "-c", source, "-o", "made"]
        done = subprocess.run(command, cwd=directory, capture_output=True, check=False)
        return b"" if done.returncode else (directory / "made").read_bytes()
