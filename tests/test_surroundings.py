"""Changes around functions: who can call them, what headers declare, and what they say of all functions."""

from __future__ import annotations

import re

import pytest

from codegen.emit.options import Options
from codegen.library import library
from codegen.review.diff import Change, ChangeClass, compare_trees
from codegen.review.diff.compare import both, compare_surroundings
from codegen.tree.assemble import render_tree

Tree = dict[str, str]
HEADER, SOURCE, TYPES, ALL = "fc_rotation_f32.h", "fc_rotation_f32.c", "fc_types.h", "fc.h"
PROTOTYPE = "void fc_quat_multiply_f32("


def rendered(layout: str) -> Tree:
    kernels = [library()[name] for name in ("quat_multiply", "rpy_kinematics")]
    return dict(render_tree(kernels, Options(precisions=("f32",), layout=layout)))


@pytest.fixture(scope="module")
def tree() -> Tree:
    return rendered("library")


def edited(tree: Tree, path: str, old: str, new: str) -> Tree:
    assert old in tree[path], old
    return {**tree, path: tree[path].replace(old, new, 1)}


def moved(tree: Tree, path: str) -> Tree:
    """The tree with the prototype of quat_multiply in another file."""
    found = re.search(r"/\*\*(?:(?!\*/).)*\*/\nvoid fc_quat_multiply_f32\([^;]*;\n", tree[HEADER], re.DOTALL)
    assert found
    other = tree.get(path, "")
    return {**tree, HEADER: tree[HEADER].replace(found[0], ""), path: other + found[0]}


def differing(changes: list[Change]) -> dict[str, Change]:
    return {c.symbol: c for c in changes if c.kind is not ChangeClass.IDENTICAL}


def functions(old: Tree, new: Tree) -> dict[str, Change]:
    return differing(compare_trees(old, new))


def files(old: Tree, new: Tree) -> dict[str, tuple[str, str]]:
    assert not functions(old, new)
    return {c.symbol: (c.kind.value, c.detail) for c in compare_surroundings(both(old, new))}


# Functions


@pytest.mark.parametrize(("old", "new"), [("library", "header-only"), ("header-only", "library")])
def test_a_library_without_symbols_is_another_interface(old: str, new: str) -> None:
    found = functions(rendered(old), rendered(new))
    assert {c.kind for c in found.values()} == {ChangeClass.INTERFACE}
    said = "is static in a header, so that" if new == "header-only" else "is a symbol of the library now"
    assert all(said in c.detail for c in found.values())


@pytest.mark.parametrize(
    ("words", "kind", "said"),
    [
        ("static", ChangeClass.INTERFACE, "is static now"),
        ("inline", ChangeClass.INTERFACE, "is inline, so that the library has no symbol of it"),
        ("static inline", ChangeClass.INTERFACE, "is static now"),
        ("extern inline", ChangeClass.COSMETIC, "the same operations"),
        ("extern", ChangeClass.COSMETIC, "the same operations"),
    ],
)
def test_the_linkage_of_a_definition(words: str, kind: ChangeClass, said: str, tree: Tree) -> None:
    (change,) = functions(tree, edited(tree, SOURCE, PROTOTYPE, f"{words} {PROTOTYPE}")).values()
    assert change.kind is kind
    assert said in change.detail


def test_the_linkage_of_a_definition_that_is_not_read(tree: Tree) -> None:
    unread = edited(
        edited(tree, SOURCE, PROTOTYPE, f"extern {PROTOTYPE}"), SOURCE, "{\n", "{\n#if FAST\n#endif\n"
    )
    kinds = {c.kind for c in functions(tree, unread).values()}
    assert kinds == {ChangeClass.UNREADABLE}


def test_a_prototype_that_is_static_or_gone(tree: Tree) -> None:
    (change,) = functions(tree, edited(tree, HEADER, PROTOTYPE, f"static {PROTOTYPE}")).values()
    assert (change.kind, change.detail) == (ChangeClass.INTERFACE, f"{HEADER} declares it static")
    for where in (SOURCE, "other.h"):
        (change,) = functions(tree, moved(tree, where)).values()
        assert (change.kind, change.detail) == (ChangeClass.INTERFACE, f"{HEADER} no longer declares it")
    new = moved(tree, "other.h")
    included = edited(new, HEADER, '#include "fc_types.h"', '#include "fc_types.h"\n#include "other.h"')
    assert not functions(tree, included)


def test_a_header_that_is_gone(tree: Tree) -> None:
    for change in functions(tree, {p: t for p, t in tree.items() if p != HEADER}).values():
        assert ChangeClass.INTERFACE in change.kinds
        assert f"{HEADER} no longer declares it" in change.detail


@pytest.mark.parametrize(("head", "is_foreign"), [
    ("void HardFault_Handler(void)", True), ("int main(void)", True), ("static float half(float x)", False),
    ("float fc_half(float x)", False),
])  # fmt: skip
def test_a_new_function_that_may_replace_one_of_a_program(head: str, is_foreign: bool, tree: Tree) -> None:
    """The linker prefers it to a weak one of the startup code, or finds two."""
    value = "" if head.startswith("void") else " 0"
    (change,) = functions(
        tree, {**tree, SOURCE: f"{tree[SOURCE]}\n{head}\n{{\n    return{value};\n}}\n"}
    ).values()
    assert change.kind is ChangeClass.ADDED
    assert (ChangeClass.INTERFACE in change.kinds) is is_foreign


# Files


@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        (HEADER, r"#ifndef (FC_ROTATION\w+)\n#define \1\n", "#if 1\n", "no include guard"),
        (HEADER, r"#define (FC_ROTATION\w+)\n", "", "no include guard"),
        *(
            (
                HEADER,
                r"#ifndef (FC_ROTATION\w+)\n#define \1\n",
                f"#ifndef {g}\n#define {g}\n",
                f"has the guard {g}",
            )
            for g in ("NAV_STATUS_DEFINED", "FC_OTHER_F32_H", "MY_FC_ROTATION_F32_HPP", "_ROTATION_F32_H")
        ),
        (HEADER, r'extern "C" \{', 'extern "C++" {', 'outside of extern "C"'),
        (HEADER, r'#ifdef __cplusplus\nextern "C" \{\n#endif\n', "", 'outside of extern "C"'),
        (ALL, r'#include "fc_rotation_f32.h"\n', "", 'no longer includes "fc_rotation_f32.h"'),
        (TYPES, r"#define FC_MASS 2u\n", "", "no longer declares FC_MASS"),
        (TYPES, r"FC_MASS 2u", "FC_MASS 4u", "FC_MASS is 4u instead of 2u"),
        (TYPES, r"FC_MASS 2u", "FC_MASS 2", "FC_MASS is 2 instead of 2u"),
    ],
)
def test_what_a_header_no_longer_gives(path: str, old: str, new: str, said: str, tree: Tree) -> None:
    text = re.sub(old, new, tree[path], count=1)
    assert text != tree[path]
    found = differing(compare_surroundings(both(tree, {**tree, path: text})))
    assert found[path].kind is ChangeClass.INTERFACE
    assert said in found[path].detail


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (HEADER, r"FC_ROTATION_F32_H", "MY_FC_ROTATION_F32_H_INCLUDED"),
        (HEADER, r"#ifndef (FC_ROTATION\w+)\n#define \1\n((?s:.*))#endif", r"#pragma once\n\2"),
        (TYPES, r"FC_MASS 2u", "FC_MASS  0x2U"),
        (HEADER, r'#include "fc_types.h"', '#include "fc_types.h"\n#include "fc_types.h"'),
        (ALL, r'#include "fc_types.h"\n', ""),
    ],
)
def test_what_a_header_still_gives(path: str, old: str, new: str, tree: Tree) -> None:
    text = re.sub(old, new, tree[path])
    assert text != tree[path]
    assert not compare_surroundings(both(tree, {**tree, path: text}))


GUARD = r"#ifndef (FC_QUAT_F32_\w+)\n#define \1\n(.*?)#endif\n"


def test_the_guard_of_a_type(tree: Tree) -> None:
    """Types have guards of their own, so that several trees can be part of one program."""
    bare = re.sub(GUARD, r"\2", tree[TYPES], count=1, flags=re.DOTALL)
    other = re.sub(
        GUARD, r"#ifndef FC_QUAT\n#define FC_QUAT\n\2#endif\n", tree[TYPES], count=1, flags=re.DOTALL
    )
    for text, said in (
        (bare, "has no include guard"),
        (other, "fc_quat_f32 has the guard FC_QUAT instead of"),
    ):
        (change,) = compare_surroundings(both(tree, {**tree, TYPES: text}))
        assert (change.symbol, change.kind) == (TYPES, ChangeClass.INTERFACE)
        assert said in change.detail
    every = re.sub(r"#ifndef \w+\n#define \w+\n(.*?)#endif\n", r"\1", tree[TYPES], flags=re.DOTALL)
    whole = {**tree, TYPES: f"#ifndef FC_TYPES_H\n#define FC_TYPES_H\n{every}#endif\n"}
    assert not compare_surroundings(both(whole, tree)), "each type has a guard instead of the file"


def test_an_include_that_a_source_loses(tree: Tree) -> None:
    more = edited(tree, SOURCE, "#include <math.h>\n", "#include <math.h>\n#include <string.h>\n")
    assert files(more, tree) == {SOURCE: ("interface", "no longer includes <string.h>")}


@pytest.mark.parametrize(
    ("path", "old", "new", "line"),
    [
        (TYPES, "v_A = R_AB v_B", "v_B = R_AB v_A", 2),
        (TYPES, "Hamilton, [w, x, y, z]", "JPL, [x, y, z, w]", 2),
        (TYPES, "SI units", "imperial units", 2),
        (TYPES, "A Hamilton quaternion", "A JPL quaternion", 38),
        (TYPES, "MIT-0", "GPL-3.0", 1),
        (ALL, "matrices are row-major", "matrices are column-major", 2),
        (TYPES, "#define FC_MASS 2u", "#define FC_MASS 2u /* mass below 1 g */", 22),
    ],
)
def test_conventions_are_a_contract(path: str, old: str, new: str, line: int, tree: Tree) -> None:
    change = files(tree, edited(tree, path, old, new))[path]
    assert change[0] == "contract"
    assert "instead of" in change[1] or "which is new" in change[1]
    (found,) = compare_surroundings(both(tree, edited(tree, path, old, new)))
    assert line <= found.line < line + 15


def test_comments_that_tell_nothing_else(tree: Tree) -> None:
    text = (
        tree[TYPES]
        .replace("SI units.", "SI\n * units.")
        .replace("typedef", "/* ----- */ typedef")
        .replace("Generated by", "Made by")
    )
    new = {**tree, TYPES: text.replace("Made by", "Generated by"), SOURCE: "/* Reviewed. */\n" + tree[SOURCE]}
    assert not compare_surroundings(both(tree, new))


@pytest.mark.parametrize(
    ("value", "is_same"),
    [("(256u)", True), ("(1u << 8)", True), ("~~0x100u", True), ("1u << 8", False), ("(512u) / (2u)", False),
     ("255u ^ 511u", False), ("0u | 256u", False)],
)  # fmt: skip
def test_a_flag_that_operators_beside_it_cut_up_is_another_interface(
    value: str, is_same: bool, tree: Tree
) -> None:
    """In a caller's `status & FC_OUTSIDE`, the second operator of `255u ^ 511u` is applied last."""
    new = edited(tree, TYPES, "#define FC_OUTSIDE 256u", f"#define FC_OUTSIDE {value}")
    assert (not files(tree, new)) is is_same


TYPE = r"(/\*\* [^*]*\*/)(\ntypedef struct \{.*?\n\} \w+;\n)"
"""The comment of a type, and its declaration."""


def test_comments_that_change_places(tree: Tree) -> None:
    """A comment tells something of the flag beside it, and of the type below it."""
    (first, _), (second, _) = re.findall(TYPE, tree[TYPES], re.DOTALL)
    parts = iter((second, first))
    types = re.sub(TYPE, lambda found: next(parts) + found[2], tree[TYPES], flags=re.DOTALL)
    apart = edited(tree, TYPES, first, f"{first}\n/* Four numbers. */")
    marks = [edited(tree, TYPES, f"FC_{n}u", f"FC_{n}u /* rare */") for n in ("MASS 2", "SINGULAR 4")]
    for old, new in ((tree, {**tree, TYPES: types}), marks, (tree, apart)):
        assert files(old, new)[TYPES][0] == "contract"


def test_types_that_change_places_with_their_comments(tree: Tree) -> None:
    (first, second) = [
        found[0]
        for found in re.finditer(r"#ifndef (FC_\w+_F32_\w+)\n#define \1\n.*?#endif\n", tree[TYPES], re.DOTALL)
    ]
    text = tree[TYPES].replace(second, "").replace(first, f"{second}\n{first}")
    assert not files(tree, {**tree, TYPES: text})
