"""Differences of trees with tables: changed numbers, nodes, indices and searches, and edits that are none."""

from __future__ import annotations

import ctypes
import re
import subprocess
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from codegen import REAL, Arg, Axis, Table, jacobian, kernel
from codegen.emit.options import Options
from codegen.frontends.table_kernel import table_kernel
from codegen.modeling.bind import bind
from codegen.review.diff.changes import Change, ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.tree.assemble import render_tree
from codegen.verify.native import PLAIN, compilers
from tests.conftest import sampled

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


@pytest.mark.parametrize("zero", ["-0.0F", "-1e-60F"])
def test_a_zero_of_a_table_keeps_its_sign(zero: str) -> None:
    """The sign shows where the angle of a result is taken, so that the change is not cosmetic."""
    old = tree(str([[0.0, *DATA[0][1:]], *DATA[1:]]))
    path = source(old)
    changed = {**old, path: old[path].replace("{\n    0.0F,", "{\n    " + zero + ",", 1)}
    assert changed != old
    found = classes(old, changed)
    assert any(c.kind is ChangeClass.UNREADABLE and "-0.0" in c.detail for c in found.values()), found


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


CELL = "(a_held < 1) ? (int)a_held : 1"
DECLARED = f"const int a_cell = {CELL};"
PLACE = "4 * a_cell + b_cell"
CHANGED, COSMETIC, UNREADABLE = ChangeClass.CHANGED, ChangeClass.COSMETIC, ChangeClass.UNREADABLE

EDITS = [
    ("[t_at + 1]", "[t_at + 2]", CHANGED),
    ("[t_at + 4]", "[t_at + 7]", UNREADABLE),
    ("x >= nodes[middle]", "x > nodes[middle]", UNREADABLE),
    ("b_f32, 3, ", "b_f32, 2, ", UNREADABLE),
    # Whole parts
    (CELL, "(1 > a_held) ? (int)a_held : 1", COSMETIC),
    (CELL, "!(a_held < 1) ? 1 : (int)a_held", COSMETIC),
    (CELL, "((a_held < 1) == 1) ? (int)a_held : 1", COSMETIC),
    (CELL, "(a_held < 1 && 1) ? (int)a_held : '1' - '0'", COSMETIC),
    (CELL, "(a_held < 1) ? ((a_held < 1) ? (int)a_held : 1) : 1", COSMETIC),
    (CELL, "(-(-a_held) < 1) ? (int)a_held : 1", COSMETIC),
    (CELL, "(a_held >= 0.0F && a_held < 1) ? (int)a_held : 1", COSMETIC),
    (CELL, "(a_held < 0.0F || !(a_held < 1)) ? 1 : (int)a_held", COSMETIC),
    (CELL, "(a_held <= 1) ? (int)a_held : 1", COSMETIC),
    (CELL, "(a_held < 2) ? (int)a_held : 1", COSMETIC),
    (DECLARED, "int a_cell = 1;\nif (a_held < 1) {\na_cell = (int)a_held;\n}", COSMETIC),
    (DECLARED, "int a_cell;\nif (a_held < 1) {\na_cell = a_held;\n} else {\na_cell = 1;\n}", COSMETIC),
    (DECLARED, f"const unsigned a_cell = {CELL};", COSMETIC),
    (DECLARED, f"const unsigned char a_cell = (unsigned char)({CELL});", COSMETIC),
    (CELL, "(a_held < 2) ? (int)a_held : 2", UNREADABLE),
    (CELL, "(a_held < 1) ? (int)a_held : 0", CHANGED),
    (CELL, "(a_held < 1) ? (int)a_held : 2", UNREADABLE),
    (CELL, "(a_held < 0.5F) ? (int)a_held : 1", CHANGED),
    (CELL, "(a_held > 0.0F && a_held < 1) ? (int)a_held : 1", CHANGED),
    (CELL, "(a_held >= 0.5F && a_held < 1) ? (int)a_held : 1", CHANGED),
    (CELL, "(a_held < 0.5F || !(a_held < 1)) ? 1 : (int)a_held", CHANGED),
    (CELL, "(a_held < 1) ? (int)1.9F : 1", CHANGED),
    (CELL, "(a_held >= 1) ? 1 : (int)a_held", UNREADABLE),  # NaN
    (CELL, "(a_held < 1) ? 1 : (int)a_held", UNREADABLE),
    (CELL, "(a_held < 1) ? (int)(a_held + 0.5F) : 1", UNREADABLE),
    (CELL, "(a_held < 1) ? (int)(a_held - 1.0F) : 1", UNREADABLE),
    (CELL, "(int)a_held", UNREADABLE),
    (DECLARED, "int a_cell = (int)a_held;\nif (!(a_held < 1)) {\na_cell = 1;\n}", UNREADABLE),
    ("(int)a_held", "(signed char)a_held", UNREADABLE),
    ("(int)a_held", "(unsigned)a_held", UNREADABLE),
    ("(int)a_held", "(_Bool)a_held", CHANGED),
    ("(int)a_held", "(int *)a_held", UNREADABLE),
    (CELL, "(a_steps < 1) ? (int)a_steps : 1", UNREADABLE),
    ("float *t)\n{", "float *t)\n{ *t = 1 + (int)a;", UNREADABLE),
    # Sums and choices
    (PLACE, "b_cell + a_cell * 4", COSMETIC),
    (PLACE, "(int)(4u * (unsigned)a_cell + (unsigned)b_cell)", COSMETIC),
    (PLACE, "4 * (a_cell + 1) + b_cell - 4", COSMETIC),
    (PLACE, "(a_cell << 2) + b_cell", COSMETIC),
    (PLACE, f"b > 0.0F ? {PLACE} : b_cell + 4 * a_cell", COSMETIC),
    ("[t_at + 5]", "[5 + t_at]", COSMETIC),
    ("[t_at + 5]", "[t_at + 1 + 4]", COSMETIC),
    ("[t_at + 5]", "[t_at + (int)5]", COSMETIC),
    ("[t_at + 5]", "[t_at + 5u]", COSMETIC),
    ("[t_at + 5]", "[t_at + '5' - '0']", COSMETIC),
    ("[t_at + 5]", "[(signed char)(t_at + 5)]", COSMETIC),
    (PLACE, "5 * a_cell + b_cell", UNREADABLE),
    (PLACE, "3 * a_cell + b_cell", CHANGED),
    (PLACE, "(a_cell << 1) + b_cell", CHANGED),
    (PLACE, "a_cell << 2 + b_cell", UNREADABLE),
    (PLACE, "4 * a_cell - b_cell", UNREADABLE),
    (PLACE, "b > 0.0F ? a_cell : b_cell", CHANGED),
    (PLACE, "b > 0.0F ? a_cell : 2", CHANGED),
    (PLACE, "b > 0.0F ? a_cell : -1", UNREADABLE),
    (PLACE, "-a_cell", UNREADABLE),
    ("[t_at + 5]", "[t_at + (b > 0.0F ? 5 : 4)]", CHANGED),
    ("[t_at + 5]", "[t_at + '5']", UNREADABLE),
    ("[t_at + 5]", "[(char)(t_at + 5)]", COSMETIC),
    ("[t_at + 5]", "[t_at + 5 - 6]", UNREADABLE),
    # Real numbers of them
    ("(float)a_cell", "((a_held < 1) ? (float)a_held : 1)", CHANGED),
    ("(float)a_cell", "a_cell", COSMETIC),
    ("(float)a_cell", "(b > 0.0F ? 0 : a_cell)", CHANGED),
    ("(float)a_cell", "(double)a_cell", CHANGED),
    ("(float)a_cell", "b_cell", CHANGED),
    # Sizes
    ("float fc_model_t_f32[12]", "float fc_model_t_f32[13]", UNREADABLE),
    ("float fc_model_t_f32[12]", "float fc_model_t_f32[012]", UNREADABLE),  # ten places
]  # fmt: skip
"""Edits of a function that looks up a number, each with its class."""


@pytest.mark.parametrize(("before", "after", "kind"), EDITS)
def test_edits_by_hand(before: str, after: str, kind: ChangeClass) -> None:
    assert edited(before, after)["fc_t_f32"].kind is kind


@pytest.mark.parametrize("compiler", sampled(compilers(), every=2))
def test_compilers_agree_on_edits_by_hand(compiler: str, tmp_path: Path) -> None:
    """What is cosmetic gives the same bits everywhere, also at NaN, and what is changed others somewhere."""
    points = np.array([*np.linspace(-0.5, 1.5, 33), 0.7, 3e9, -3e9, np.inf, -np.inf, np.nan], np.float32)
    found = {}
    for i, (before, after, kind) in enumerate([("", "", COSMETIC), *EDITS]):
        if kind is not UNREADABLE:
            files = {p: str(t).replace(before, after, 1) if before else t for p, t in tree().items()}
            found[before, after] = kind, values(compiler, files, points, tmp_path / f"{i}")
    _, original = found.pop(("", ""))
    for edit, (kind, own) in found.items():
        shows = "double" not in edit[1]  # arithmetic in double is a change whether or not it shows
        assert (own == original) is (kind is COSMETIC) or not shows, edit


def values(compiler: str, files: dict[str, Any], points: Any, directory: Path) -> bytes:
    """The look-ups at all pairs of points, from compiled C."""
    directory.mkdir()
    for path, text in files.items():
        (directory / path).write_text(str(text), encoding="utf-8")
    command = [compiler, *PLAIN, "-w", "-shared", "-fPIC", source(files), "-o", "t.so", "-lm"]
    subprocess.run(command, cwd=directory, check=True)
    function = ctypes.CDLL(str(directory / "t.so")).fc_t_f32
    found = np.zeros((len(points), len(points)), np.float32)
    for i, a in enumerate(points):
        for j, b in enumerate(points):
            place = ctypes.c_void_p(found[i, j:].ctypes.data)
            function(ctypes.c_float(a), ctypes.c_float(b), place)
    return bytes(np.where(np.isnan(found), np.float32(np.nan), found).tobytes())


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
