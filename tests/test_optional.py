"""Optional results: a null pointer skips them and what only they need; callers, verify, diff, mistakes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import codegen
from codegen import (
    AT_RUN_TIME,
    REAL,
    Arg,
    Axis,
    State,
    Status,
    Table,
    Vec3,
    Vector,
    block,
    jacobian,
    kernel,
    require,
    select,
    sin,
)
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.ir.types import INTEGER
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.records import record
from codegen.review.diff.changes import ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.verify import verify
from tests.conftest import tool


def made(optional: bool) -> Kernel:
    """A kernel with optional results, or with the same results, all of them required."""

    @kernel(
        inputs=[Arg("v", Vec3, "m/s", "velocity"), Arg("k", REAL, "1", "a number")],
        outputs=[
            Arg("airspeed", REAL, "m/s", "airspeed"),
            Arg("H", Vector(3), "1", "derivative of the airspeed", optional=optional),
            Arg("u", Vec3, "m/s", "a multiple of the velocity", optional=optional),
            Arg("w", REAL, "1", "a wave", optional=optional),
            Arg("above", INTEGER, "1", "whether k is positive", optional=optional),
        ],
        equation="airspeed = |v|",
        source="definition",
        failures={Status.ZERO_NORM: "v is zero"},
    )
    def airspeed(v: Any, k: Any) -> Any:
        """Airspeed, and what else is wanted."""
        norm = v.norm
        turned = require(norm > 0, Status.ZERO_NORM)
        direction = v * (1 / select(turned, norm, 1))
        return norm, Vector(3).value(direction.scalars()), v * (k * k), sin(k * k), select(k > 0, 1, 0)

    return airspeed


airspeed = made(True)
OPTIONAL = ("H", "u", "w", "above")


@cache
def tree(layout: str = "library") -> dict[str, str]:
    """The tree of the kernel in float."""
    files = render_tree([airspeed], Options(precisions=("f32",), layout=layout))
    return {path: str(text) for path, text in files.items()}


def c(files: dict[str, str]) -> str:
    """The C of the tree."""
    return next(text for path, text in sorted(files.items()) if path.endswith("_f32.c"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree on disk."""
    place = tmp_path_factory.mktemp("optional")
    generate([airspeed], Options(), place)
    return place


# The C


def test_what_only_an_optional_result_needs_is_in_its_block() -> None:
    text = c(tree())
    common, _, blocks = text.partition("*airspeed = ")
    assert "sqrtf" in common
    assert "sinf" not in common
    assert "/" not in common[common.index("sqrtf") :].partition("\n")[2]
    assert [f"if ({name}) {{" in blocks for name in OPTIONAL] == [True] * 4
    assert "if (airspeed)" not in text


def test_the_header_and_the_manifest_say_so() -> None:
    header = next(text for path, text in tree().items() if path.endswith("_f32.h"))
    assert header.count("; may be NULL, which skips it") == 4
    (function,) = json.loads(tree()["manifest.json"])["functions"]
    assert [a["name"] for a in function["arguments"] if a.get("optional")] == list(OPTIONAL)


@pytest.mark.parametrize("count", [2, 18])
def test_an_entry_of_a_table_is_read_before_anything_is_stored(count: int, tmp_path: Path) -> None:
    table = Table("t", {"x": Axis([0, 1, 2], "1")}, AT_RUN_TIME, unit="1")

    @kernel(
        inputs=[Arg("x", Vector(count), "1", "numbers"), table.argument],
        outputs=[Arg("y", REAL, "1", "a sum"), Arg("z", REAL, "1", "an entry", optional=True)],
        equation="",
        source="a test",
    )
    def many(x: Any, t: Any) -> Any:
        """Many inputs."""
        return sum(x.scalars()), t(x[count - 1]) * t(x[0] * x[1])

    files = render_tree([many], Options(precisions=("f32",)))
    text = c({path: str(text) for path, text in files.items()})
    assert text.rindex("= t[") < text.index("*y = ") < text.index("if (z) {")
    assert text.rindex("= x[") < text.index("*y = ")
    generate([many], Options(), tmp_path)
    assert all(row.ok for row in verify(tmp_path, {"many": many}, 10))


@pytest.mark.parametrize(
    "options",
    [{}, {"interface": "array"}, {"layout": "header-only"}, {"no_alias": True}, {"checks": False}],
    ids=str,
)
def test_verify_passes(options: dict[str, Any], tmp_path: Path) -> None:
    generate([airspeed], Options(**options), tmp_path)
    assert all(row.ok for row in verify(tmp_path, {"airspeed": airspeed}, 10))


@pytest.mark.parametrize(
    "edit",
    ["if (!H) {\n        *airspeed = 0.0F;\n    }", "if (!w) {\n        return FC_SINGULAR;\n    }"],
    ids=["a result", "the status"],
)
def test_verify_finds_what_a_null_pointer_changes(edit: str, tmp_path: Path) -> None:
    generate([airspeed], Options(precisions=("f32",)), tmp_path)
    (path,) = tmp_path.glob("*_f32.c")
    path.write_text(path.read_text().replace("    if (H) {", f"    {edit}\n\n    if (H) {{", 1))
    (row,) = verify(tmp_path, {"airspeed": airspeed}, 5)
    changed = "airspeed" if "airspeed" in edit else "status"
    assert any(p.startswith(f"{changed} differs where ") and " is NULL, at " in p for p in row.problems)


def test_verify_finds_a_block_that_is_missing(tmp_path: Path) -> None:
    generate([airspeed], Options(precisions=("f32",)), tmp_path)
    (path,) = tmp_path.glob("*_f32.c")
    path.write_text(path.read_text().replace("if (w) {", "{"))
    (row,) = verify(tmp_path, {"airspeed": airspeed}, 5)
    assert "it crashes where w is NULL" in row.problems


def test_the_self_test_calls_it_both_ways(built: Path, tmp_path: Path) -> None:
    assert ", 0, 0, 0, 0);" in (built / "selftest.c").read_text()
    program, sources = str(tmp_path / "selftest"), sorted(map(str, built.glob("*.c")))
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-DFC_SELFTEST_MAIN"]
    subprocess.run([tool("cc"), *strict, *sources, "-o", program, "-lm"], check=True)
    assert subprocess.run([program], check=False).returncode == 0


def test_an_optional_result_may_be_an_input(built: Path, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(
        '#include "fc_test_optional_f64.h"\n'
        "int main(void)\n{\n    fc_vec3_f64 v = {1.0, 2.0, 2.0}, u;\n    double a, b, H[3], w;\n    int n;\n"
        "    fc_airspeed_f64(&v, 3.0, &a, H, &u, &w, &n);\n"
        "    fc_airspeed_f64(&v, 3.0, &b, 0, &v, 0, 0);\n"
        "    return a == b && u.x == v.x && u.y == v.y && u.z == v.z && n == 1 ? 0 : 1;\n}\n"
    )
    program = str(tmp_path / "main")
    sources = [str(tmp_path / "main.c"), *sorted(map(str, built.glob("*_f64.c")))]
    subprocess.run([tool("cc"), "-std=c99", "-O2", f"-I{built}", *sources, "-o", program, "-lm"], check=True)
    assert subprocess.run([program], check=False).returncode == 0


def test_python_skips_results_too(built: Path) -> None:
    function = codegen.load(built).f64.airspeed
    whole = function([1, 2, 2], 0.5)
    for skipped in (*((name,) for name in OPTIONAL), OPTIONAL):
        found = function.without(skipped, [1, 2, 2], k=0.5)
        for name in whole._fields:
            if name in skipped:
                assert getattr(found, name) is None
            else:
                assert np.array_equal(getattr(found, name), getattr(whole, name))
    assert "optional" in function.__doc__
    with pytest.raises(ValueError, match="fc_airspeed_f64 has no optional result airspeed"):
        function.without(["airspeed"], [1, 2, 2], 0.5)


def test_an_output_of_a_block_may_be_optional(tmp_path: Path) -> None:
    @block(
        states=[State("x", REAL, "m", "position")],
        inputs=[Arg("V", REAL, "m/s", "speed")],
        outputs=[Arg("E", REAL, "m^2/s^2", "energy over mass", optional=True)],
        sample_time="1/100",
        equation="E = V^2 / 2",
        source="a test",
    )
    def moved(x: Any, V: Any, dt: Any) -> Any:
        """A block."""
        return x + V * dt, V * V / 2

    kernels = list(moved.kernels)
    generate(kernels, Options(), tmp_path)
    assert all(row.ok for row in verify(tmp_path, {k.name: k for k in kernels}, 10))
    step = codegen.load(tmp_path).f64.moved_step
    assert step.without(["E"], [1.0], 2.0).next == pytest.approx([1.02])


def test_a_matrix_of_derivatives_may_be_optional() -> None:
    both = {"dv": ["v"], "dk": ["k"]}
    slopes = jacobian(airspeed, "slopes", ["u"], both, optional=["dk"])
    text = c({p: str(t) for p, t in render_tree([slopes], Options(precisions=("f32",))).items()})
    assert "if (dk) {" in text
    assert "if (dv) {" not in text
    with pytest.raises(FeatherError, match="kernel slopes has no result dw that could be optional"):
        jacobian(airspeed, "slopes", ["u"], both, optional=["dw"])


# Differences


LOADS = "    const float v_x = v->x;"
"""Where the function begins to use its inputs."""


def change(before: str, after: str) -> Any:
    """What an edit of the C is."""
    files = {p: t.replace(before, after) if p.endswith(".c") else t for p, t in tree().items()}
    assert files != tree(), "the edit does not apply"
    (found,) = compare_trees(tree(), files)
    return found


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("if (w) {", "{", ChangeClass.INTERFACE),
        ("if (w) {", "if (u) {", ChangeClass.UNREADABLE),
        ("if (w) {", "*airspeed = *w;\n    if (w) {", ChangeClass.UNREADABLE),
        ("if (w) {", "*w = 0.0F;\n    if (w) {", ChangeClass.UNREADABLE),
        ("if (w) {", "if (w) {\n        *airspeed = 0.0F;", ChangeClass.UNREADABLE),
        ("if (w) {", "if (v) {", ChangeClass.INTERFACE),
        ("if (w) {", "if (!w) {\n        return 0u;\n    }\n    if (w) {", ChangeClass.UNREADABLE),
        ("*airspeed =", "if (!airspeed) {\n        return 0u;\n    }\n    *airspeed =", ChangeClass.COSMETIC),
        ("*airspeed =", "if (airspeed) {\n        return 0u;\n    }\n    *airspeed =", ChangeClass.CHANGED),
        (
            LOADS,
            f"    if (v == 0 || !airspeed) {{\n        return 1u;\n    }}\n{LOADS}",
            ChangeClass.COSMETIC,
        ),
        (LOADS, f"    if (v != 0) {{\n        return 1u;\n    }}\n{LOADS}", ChangeClass.CHANGED),
        (LOADS, f"    if (v == 0 || !w) {{\n        return 1u;\n    }}\n{LOADS}", ChangeClass.UNREADABLE),
        ("*w = sinf(", "*w = cosf(", ChangeClass.CHANGED),
        ("if (w) {", "if (!w) {\n    } else {", ChangeClass.COSMETIC),
    ],
)
def test_an_edit_of_a_block_is_classified(before: str, after: str, kind: ChangeClass) -> None:
    found = change(before, after)
    assert found.kind is kind, found
    assert ("w may not be NULL any more" in found.detail) == (kind is ChangeClass.INTERFACE)


@pytest.mark.parametrize("layout", ["library", "header-only"])
def test_the_same_tree_is_identical(layout: str) -> None:
    assert {found.kind for found in compare_trees(tree(layout), tree(layout))} == {ChangeClass.IDENTICAL}


def test_a_result_that_becomes_optional_is_another_contract() -> None:
    before = render_tree([made(False)], Options(precisions=("f32",)))
    old = {path: str(text) for path, text in before.items()}
    (found,) = compare_trees(old, tree())
    assert found.kind is ChangeClass.CONTRACT, found
    (back,) = compare_trees(tree(), old)
    assert back.kind is ChangeClass.INTERFACE, back


@pytest.mark.parametrize("pointer", ["airspeed", "v"])
def test_a_pointer_that_is_not_always_used_may_be_null_before(pointer: str) -> None:
    """What a new return does at null is seen, though the pointer is no optional result."""
    old, new = (
        {
            p: t.replace(LOADS, f"    if (!{pointer}) {{\n        return {s};\n    }}\n{LOADS}")
            for p, t in tree().items()
        }
        for s in ("0u", "1u")
    )
    assert old != tree()
    found = [c.kind for c in (*compare_trees(old, new), *compare_trees(old, tree()))]
    assert found == [ChangeClass.UNREADABLE] * 2


LAZY = ("const float v_x = v->x", "const float v_y = v->y", "const float v_z = v->z")


@pytest.mark.parametrize(
    ("before", "pointer"),
    [
        ([(load, load.replace("= ", "= k < 0.0F ? 0.0F : ")) for load in LAZY], "v"),
        ([(load, load.replace("= ", "= !(k >= 0.0F && v->y > 0.0F) ? 0.0F : ")) for load in LAZY], "v"),
        ([("*airspeed = norm;", "if (k > 0.0F) {\n        *airspeed += norm;\n    }")], "airspeed"),
    ],
)
def test_a_pointer_may_be_null_where_only_some_ways_use_it(
    before: list[tuple[str, str]], pointer: str
) -> None:
    """A new return at null is no matter only where the old version used the pointer on every way."""
    old = tree()
    for plain, lazy in before:
        assert any(plain in t for t in old.values())
        old = {p: t.replace(plain, lazy) for p, t in old.items()}
    guard = f"{{\n    if (!{pointer}) {{\n        return 4u;\n    }}\n    const float v_x"
    new = {p: t.replace("{\n    const float v_x", guard) for p, t in old.items()}
    assert new != old
    (found,) = compare_trees(old, new)
    assert found.kind is ChangeClass.UNREADABLE, found


# What is shown, and mistakes


def test_inspect_and_trace_show_it(tmp_path: Path, featherc: Callable[..., Any]) -> None:
    model = tmp_path / "m.py"
    model.write_text(MODEL)
    assert "twice (optional)" in featherc("inspect", "--model", model, "f").out
    assert featherc("generate", "--model", model, "-o", tmp_path / "c").code == 0
    lines = (tmp_path / "c" / "fc_m_f32.c").read_text().splitlines()
    where = f"{tmp_path / 'c' / 'fc_m_f32.c'}:{lines.index('    if (z) {') + 1}"
    assert "the block of an optional result" in featherc("trace", "--model", model, where).out
    assert featherc("book", "--model", model, "-o", tmp_path / "book").code == 0


MODEL = """from codegen import REAL, Arg, kernel

X = Arg("x", REAL, "m", "x")
Y, Z = Arg("y", REAL, "m", "y"), Arg("z", REAL, "m", "twice", optional=True)


@kernel(inputs=[X], outputs=[Y, Z], equation="", source="")
def f(x):
    return x, 2 * x
"""


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda: replace(airspeed, inputs=(replace(airspeed.inputs[1], optional=True),)),
            "input k is optional",
        ),
        (
            lambda: Arg("x", REAL, "m", "x", optional=cast("Any", "yes")),
            "optional is 'yes', but must be True or False",
        ),
        (
            lambda: record("r", "a record", [Arg("k", REAL, "m", "k", optional=True)]),
            "r.k is optional, as only outputs can be",
        ),
    ],
    ids=["an input", "no truth value", "a parameter"],
)
def test_a_mistake_is_one_clear_line(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises(FeatherError, match=message):
        wrong()
