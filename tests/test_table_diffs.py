"""Differences of trees with tables: changed numbers, nodes, indices and searches, and edits that are none."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from codegen import REAL, Arg, Axis, Table, jacobian, kernel
from codegen.emit.options import Options
from codegen.frontends.table_kernel import table_kernel
from codegen.modeling.bind import bind
from codegen.review.diff.changes import Change, ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.tree.assemble import render_tree

DATA = [[0.1, 0.2, 0.4, 0.3], [0.5, -0.7, 0.6, 0.2], [0.9, 1.1, 1.3, 1.2]]
NODES = [-0.2, 0.1, 0.3, 0.7]


@cache
def tree(
    data: str = str(DATA), nodes: str = str(NODES), step: float = 0.5, layout: str = "library"
) -> dict[str, Any]:
    """A tree with a table over an axis of equal and one of unequal distances, a model of it, a derivative."""
    from ast import literal_eval

    axes = {"a": Axis([0, step, 2 * step], "rad"), "b": Axis(literal_eval(nodes), "1")}
    t = Table("t", axes, literal_eval(data), unit="1")
    one = Table("one", {"a": axes["a"]}, [1, 3, 2], unit="1", outside="extrapolate")

    @kernel(
        inputs=[Arg("a", REAL, "rad", ""), Arg("b", REAL, "1", ""), Arg("k", REAL, "1", "")],
        outputs=[Arg("y", REAL, "1", "")],
        equation="y = k t",
        source="a test",
    )
    def scaled(a: Any, b: Any, k: Any) -> Any:
        return k * t(a, b)

    kernels = [
        table_kernel(t),
        table_kernel(one),
        scaled,
        jacobian(scaled, "slope", ["y"], {"dy": ["a", "b"]}),
    ]
    return dict(render_tree(kernels, Options(precisions=("f32",), layout=layout)))


def source(files: dict[str, Any]) -> str:
    """The path of the tree's C."""
    return next(path for path in sorted(files) if path.endswith(("model_f32.c", "test_table_diffs_f32.c")))


def classes(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Change]:
    """The change of each function."""
    return {c.symbol: c for c in compare_trees(old, new)}


def edited(before: str, after: str) -> dict[str, Change]:
    """The changes that an edit of the C by hand makes."""
    files = dict(tree())
    touched = [p for p in files if p.endswith(".c") and before in files[p]]
    assert touched, "the edit does not apply"
    for path in touched:
        files[path] = files[path].replace(before, after)
    return classes(tree(), files)


SYMBOLS = ("fc_t_f32", "fc_one_f32", "fc_scaled_f32", "fc_slope_f32")


@pytest.mark.parametrize("layout", ["library", "header-only"])
def test_the_same_tables_are_identical(layout: str) -> None:
    found = classes(tree(layout=layout), tree(layout=layout))
    assert {c.kind for c in found.values()} == {ChangeClass.IDENTICAL}


@pytest.mark.parametrize("layout", ["library", "header-only"])
@pytest.mark.parametrize(
    "other",
    [
        {"data": str(DATA).replace("-0.7", "-0.701")},
        {"nodes": str(NODES).replace("0.3", "0.31")},
        {"step": 0.51},
    ],
    ids=["an entry", "a node", "a distance"],
)
def test_a_changed_number_of_a_table_is_changed(other: dict[str, Any], layout: str) -> None:
    found = classes(tree(layout=layout), tree(layout=layout, **other))
    for symbol in ("fc_t_f32", "fc_scaled_f32", "fc_slope_f32"):
        assert found[symbol].kind is ChangeClass.CHANGED, found[symbol]
        assert found[symbol].witness is not None, symbol
    alone = ChangeClass.CHANGED if "step" in other else ChangeClass.IDENTICAL
    assert found["fc_one_f32"].kind is alone


def test_names_order_and_layout_of_arrays_are_cosmetic() -> None:
    renamed = {path: str(text).replace("_t_f32[", "_other_f32[") for path, text in tree().items()}
    renamed = {p: t.replace("_t_b_f32", "_nodes_f32") for p, t in renamed.items()}
    counted = {
        p: re.sub(r"\[\d+\] = (\{[^{}]*[^{},\s])(\s*\})", r"[] = \1,\2", t) for p, t in renamed.items()
    }
    assert counted != renamed
    found = classes(tree(), counted)
    assert {found[s].kind for s in SYMBOLS} <= {ChangeClass.IDENTICAL, ChangeClass.COSMETIC}


def test_another_order_of_operations_is_re_associated() -> None:
    multiplied = edited("const float a_steps = a * 2.0F;", "const float a_steps = a / 0.5F;")
    assert multiplied["fc_t_f32"].kind in (ChangeClass.REASSOCIATED, ChangeClass.COSMETIC)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("[t_at + 1]", "[t_at + 2]", ChangeClass.CHANGED),
        ("[t_at + 4]", "[t_at + 7]", ChangeClass.UNREADABLE),
        ("4 * a_cell + b_cell", "5 * a_cell + b_cell", ChangeClass.UNREADABLE),
        ("4 * a_cell + b_cell", "3 * a_cell + b_cell", ChangeClass.CHANGED),
        ("x >= nodes[middle]", "x > nodes[middle]", ChangeClass.UNREADABLE),
        ("b_f32, 3, ", "b_f32, 2, ", ChangeClass.UNREADABLE),
        ("(a_held < 1) ? (int)a_held : 1", "(a_held < 2) ? (int)a_held : 2", ChangeClass.UNREADABLE),
        ("(a_held < 1) ? (int)a_held : 1", "(int)a_held", ChangeClass.UNREADABLE),
        ("(int)a_held", "(signed char)a_held", ChangeClass.UNREADABLE),
        ("(int)a_held", "(unsigned)a_held", ChangeClass.UNREADABLE),
        ("(int)a_held", "(_Bool)a_held", ChangeClass.UNREADABLE),
        ("(int)a_held", "(int *)a_held", ChangeClass.UNREADABLE),
        ("(float)a_cell", "((a_held < 1) ? (float)a_held : 1)", ChangeClass.CHANGED),
        ("4 * a_cell + b_cell", "b > 0.0F ? a_cell : b_cell", ChangeClass.UNREADABLE),
        ("4 * a_cell + b_cell", "b > 0.0F ? a_cell : 2", ChangeClass.UNREADABLE),
        ("4 * a_cell + b_cell", "-a_cell", ChangeClass.UNREADABLE),
        ("(float)a_cell", "a_cell", ChangeClass.COSMETIC),
        ("(float)a_cell", "(double)a_cell", ChangeClass.CHANGED),
        ("(float)a_cell", "b_cell", ChangeClass.CHANGED),
        (
            "float fc_model_t_f32[12]",
            "float fc_model_t_f32[13]",
            ChangeClass.UNREADABLE,
        ),
        (
            "float fc_model_t_f32[12]",
            "float fc_model_t_f32[012]",  # ten places
            ChangeClass.UNREADABLE,
        ),
        (
            "fc_t_f32(float a, float b, float *t)\n{",
            "fc_t_f32(float a, float b, float *t)\n{ *t = 1 + (int)a;",
            ChangeClass.UNREADABLE,
        ),
        ("(a_held < 1) ? (int)a_held : 1", "(a_steps < 1) ? (int)a_steps : 1", ChangeClass.UNREADABLE),
    ],
)
def test_edits_by_hand_are_changed_or_cannot_be_read(before: str, after: str, kind: ChangeClass) -> None:
    assert edited(before, after)["fc_t_f32"].kind is kind


def test_a_table_with_a_bound_coordinate_is_read() -> None:
    trees = []
    for number in (0.2, 0.3):
        axes = {"a": Axis([0, 1, 2], "rad"), "b": Axis(NODES, "1"), "c": Axis([0, 1, 3], "1")}
        t = Table("t", axes, [i * number % 1 for i in range(36)], unit="1")
        one = bind(table_kernel(t), {"a": (Fraction(3, 2),)})
        other = bind(table_kernel(t), {"c": (Fraction(1, 2),), "b": (Fraction(1, 2),)})
        options = Options(precisions=("f32",))
        trees.append([dict(render_tree([bound], options)) for bound in (one, other)])
    for old, new in zip(*trees, strict=True):
        assert classes(old, new)["fc_t_f32"].kind is ChangeClass.CHANGED


def test_a_first_table_adds_its_search() -> None:
    without = {p: str(t) for p, t in tree().items()}
    found = classes({p: t for p, t in without.items() if not p.endswith((".c", ".json"))}, without)
    assert {found[s].kind for s in SYMBOLS} == {ChangeClass.ADDED}


def test_an_array_that_is_defined_twice_is_not_read() -> None:
    """C does not compile then."""
    found = edited("/* one: 3 a", "static const float other[1] = {1.0F};\n\n" * 2 + "/* one: 3 a")
    assert found["fc_one_f32"].kind is ChangeClass.UNREADABLE
    assert "other is defined twice" in found["fc_one_f32"].detail
