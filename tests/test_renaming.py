"""Another prefix and another name of a function are a renaming, under which no other change can hide."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from codegen.emit.options import Options
from codegen.library import library
from codegen.review.diff import Change, ChangeClass
from codegen.review.diff.changes import SourceTree
from codegen.review.diff.compare import both, compare_functions, compare_surroundings
from codegen.review.files.compare import Trees, build_changes
from codegen.tree.assemble import render_tree
from tests.adversary import ELSEWHERE, HARMFUL, HARMLESS, TREE, UNREADABLE, Kind, M
from tests.conftest import sampled

ORDER = list(ChangeClass)
Tree = Mapping[str, str]


def generated(prefix: str) -> dict[str, str]:
    kernels = [library()[name] for name in ("quat_multiply", "rpy_kinematics")]
    return dict(render_tree(kernels, Options(prefix=prefix)))


@pytest.fixture(scope="module")
def trees() -> tuple[dict[str, str], dict[str, str]]:
    """A tree with the prefix fc_, and the same with veh_."""
    return generated("fc_"), generated("veh_")


def compared(old: SourceTree, new: SourceTree) -> list[Change]:
    found = both(old, new)
    functions = compare_functions(found, lambda symbols: symbols)
    changes = [*functions, *compare_surroundings(found)]
    return [*changes, *build_changes(Trees(found.old, found.new, changes))]


def differing(old: SourceTree, new: SourceTree) -> dict[str, ChangeClass]:
    return {c.symbol: c.kind for c in compared(old, new) if c.kind is not ChangeClass.IDENTICAL}


def moved(tree: Tree, old: str = "fm_", new: str = "quadcopter_") -> dict[str, str]:
    """A tree with another prefix, as someone makes it with sed."""

    def named(text: str) -> str:
        return text.replace(old, new).replace(old.upper(), new.upper())

    return {named(path): named(text) for path, text in tree.items()}


def edited(tree: Tree, path: str, *edits: tuple[str, str]) -> dict[str, str]:
    text = tree[path]
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    return {**tree, path: text}


# A prefix


def test_a_tree_with_another_prefix_is_one_change_of_interface(
    trees: tuple[dict[str, str], dict[str, str]],
) -> None:
    changes = compared(*trees)
    (entry,) = (c for c in changes if c.kind is not ChangeClass.IDENTICAL)
    assert (entry.symbol, entry.kind) == ("veh_types.h", ChangeClass.INTERFACE)
    assert entry.detail == "the prefix fc_ is veh_ now: 4 symbols are renamed"
    names = {c.symbol: c.old_symbol for c in changes if c is not entry}
    assert names["veh_quat_multiply_f32"] == "fc_quat_multiply_f32"
    assert len(names) == 4


def test_what_changes_besides_the_prefix_is_seen(trees: tuple[dict[str, str], dict[str, str]]) -> None:
    old, new = trees
    sign = ("p_w * q_x + p_x * q_w", "p_w * q_x - p_x * q_w")
    assert differing(old, edited(new, "veh_rotation_f32.c", sign)) == {
        "veh_types.h": ChangeClass.INTERFACE,
        "veh_quat_multiply_f32": ChangeClass.CHANGED,
        "manifest.json": ChangeClass.BUILD,  # it has the hash of the file before the edit
    }
    table = (r"(table_veh_quat_multiply_f32\[\] = \{\n\s*)[^,]+", r"\g<1>17")
    selftest = re.sub(*table, new["selftest.c"])
    assert selftest != new["selftest.c"]
    assert differing(old, {**new, "selftest.c": selftest}) == {
        "veh_types.h": ChangeClass.INTERFACE,
        "selftest.c": ChangeClass.BUILD,
        "manifest.json": ChangeClass.BUILD,
    }


def test_a_removed_function_keeps_its_old_name(trees: tuple[dict[str, str], dict[str, str]]) -> None:
    old, _ = trees
    new = dict(render_tree([library()["quat_multiply"]], Options(prefix="veh_")))
    removed = [c for c in compared(old, new) if c.kind is ChangeClass.REMOVED]
    assert {(c.symbol, c.path) for c in removed} == {
        (f"fc_rpy_kinematics_{p}", f"fc_rotation_{p}.c") for p in ("f32", "f64")
    }
    assert all(c.detail == f"removed in {c.path}" for c in removed)


@pytest.mark.parametrize("kind", sampled([*HARMFUL, *ELSEWHERE], 7))
def test_no_change_of_behaviour_hides_under_a_prefix(kind: Kind) -> None:
    new = moved(kind.tree)
    worst = max((c.kind for c in compared(TREE, new) if not c.path.endswith("types.h")), key=ORDER.index)
    assert ORDER.index(worst) >= ORDER.index(kind.least)


@pytest.mark.parametrize("kind", sampled(HARMLESS, 7))
def test_what_means_nothing_means_nothing_under_a_prefix(kind: Kind) -> None:
    found = [c for c in compared(TREE, moved(kind.tree)) if not c.detail.startswith("the prefix")]
    kinds = {c.kind for c in found} - {ChangeClass.ADDED}  # a helper
    assert max(kinds, key=ORDER.index) in (kind.least, ChangeClass.IDENTICAL)


def all_differ(changes: list[Change]) -> bool:
    """Whether no function passes for the same under another prefix."""
    functions = [c for c in changes if c.symbol.endswith(("f32", "f64"))]
    return bool(functions) and all(ORDER.index(c.kind) >= ORDER.index(UNREADABLE) for c in functions)


@pytest.mark.parametrize(
    "edits",
    [
        [("total", "quadcopter_w"), ("size", "fm_w")],
        [('#include "fm_model.h"', '#include "fm_model.h"\n#include "fm_elsewhere.h"')],
        [("fm_mean_f32", "fm_\\\nmean_f32")],
    ],
    ids=["two names become one", "a file from elsewhere", "a name over two lines"],
)
def test_a_prefix_is_not_followed_where_meaning_could_change(edits: list[tuple[str, str]]) -> None:
    old = edited(TREE, M, *edits)
    assert all_differ(compared(old, moved(old)))


def test_a_prefix_does_not_make_a_name_of_the_library() -> None:
    """FM_NAN becomes FP_NAN, which is a macro of <math.h>."""
    old = edited(TREE, "fm_types.h", ("FM_ZERO", "FM_NAN"))
    old = edited(old, M, ("FM_ZERO", "FM_NAN"))
    assert all_differ(compared(old, moved(old, new="fp_")))


# A function


def with_name(tree: Tree, old: str, new: str) -> dict[str, str]:
    return {path: re.sub(rf"\b{old}\b", new, text) for path, text in tree.items()}


def test_a_renamed_function_is_a_change_of_interface() -> None:
    new = with_name(TREE, "fm_mean_f32", "fm_middle_f32")
    assert differing(TREE, new) == {"fm_middle_f32": ChangeClass.INTERFACE}
    (change,) = (c for c in compared(TREE, new) if c.symbol == "fm_middle_f32")
    assert (change.old_symbol, change.detail) == ("fm_mean_f32", "its name was fm_mean_f32")


def test_callers_of_a_renamed_function_have_not_changed() -> None:
    new = with_name(TREE, "fm_left_f64", "fm_double_f64")
    call = ("*y = gain(x);", "*y = gain(x);\n}\n\nvoid fm_call_f64(double x, double *y)\n{\n    NAME(x, y);")
    old, new = (
        edited(t, "fm_left.c", (call[0], call[1].replace("NAME", name)))
        for t, name in ((TREE, "fm_left_f64"), (new, "fm_double_f64"))
    )
    assert differing(old, new) == {"fm_double_f64": ChangeClass.INTERFACE}


@pytest.mark.parametrize(
    ("edit", "kinds"),
    [
        (("w * total", "w / total"), {ChangeClass.CHANGED, ChangeClass.INTERFACE}),
        (("w * total * 0.5F", "w * (total * 0.5F)"), {ChangeClass.REASSOCIATED, ChangeClass.INTERFACE}),
        (("float total =", "float sum =   u_y + 0.0F;\n    const float total ="), {ChangeClass.INTERFACE}),
        (("float w,", "double w,"), {ChangeClass.INTERFACE}),
    ],
)
def test_a_renamed_and_edited_function_is_one_entry(edit: tuple[str, str], kinds: set[ChangeClass]) -> None:
    new = edited(with_name(TREE, "fm_mean_f32", "fm_middle_f32"), M, edit)
    if "double" in edit[1]:
        new = edited(new, "fm_model.h", edit)
    (change,) = (c for c in compared(TREE, new) if c.kind is not ChangeClass.IDENTICAL)
    assert (change.symbol, change.old_symbol, set(change.kinds)) == ("fm_middle_f32", "fm_mean_f32", kinds)
    assert "its name was fm_mean_f32" in change.detail


MEAN = TREE[M][TREE[M].index("/* v = (u_x") :]


def test_a_function_as_similar_to_another_one_was_not_renamed() -> None:
    names = ("fm_middle_f32", "fm_centre_f32")
    copies = [MEAN.replace("fm_mean_f32", n).replace("w * total", "w / total") for n in names]
    new = {**TREE, M: TREE[M].replace(MEAN, "\n".join(copies))}
    kinds = {c.symbol: c.kind for c in compared(TREE, new) if c.kind is not ChangeClass.IDENTICAL}
    assert kinds["fm_mean_f32"] is ChangeClass.REMOVED
    assert [kinds[n] for n in names] == [ChangeClass.ADDED] * 2


def test_a_function_that_computes_something_else_was_not_renamed() -> None:
    other = "void fm_middle_f32(const fm_pair_f32 *u, float w, fm_pair_f32 *v)\n{\n    v->x = w;\n"
    other += "    v->y = w * w;\n    v->x = u->y / w;\n    v->y = u->x / w;\n}\n"
    new = {**TREE, M: TREE[M].replace(MEAN, other)}
    assert differing(TREE, new)["fm_mean_f32"] is ChangeClass.REMOVED


@pytest.mark.parametrize("kind", sampled([k for k in (*HARMFUL, *ELSEWHERE) if k.edits[0][0] == M], 7))
def test_no_change_of_behaviour_hides_under_another_name(kind: Kind) -> None:
    new = with_name(kind.tree, "fm_mean_f32", "fm_middle_f32")
    worst = max((c.kind for c in compared(TREE, new) if c.kind is not ChangeClass.ADDED), key=ORDER.index)
    assert ORDER.index(worst) >= ORDER.index(kind.least)


def test_a_renamed_function_with_other_types_has_changed() -> None:
    """The code is the same word by word, but a struct has its members in another order."""
    new = with_name(TREE, "fm_mean_f32", "fm_middle_f32")
    new = edited(new, "fm_types.h", ("float x;\n    float y;", "float y;\n    float x;"))
    assert differing(TREE, new)["fm_middle_f32"] is ChangeClass.INTERFACE
    (change,) = (c for c in compared(TREE, new) if c.symbol == "fm_middle_f32")
    assert "other members of const fm_pair_f32 *" in change.detail
