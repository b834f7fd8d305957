"""Loops of formulas: the C is the unrolled formula, wrong loops are refused, and changes are seen."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import codegen
from codegen import (
    REAL,
    Arg,
    Array,
    Matrix,
    Status,
    Vec3,
    Vector,
    collect,
    for_each,
    repeat,
    require,
    select,
    sqrt,
)
from codegen.emit.body import Line
from codegen.emit.function import Function, function
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.explain.book.listing import listing
from codegen.frontends.define import jacobian, kernel
from codegen.ir.loops import Looped
from codegen.ir.modular import World, modular, residues
from codegen.ir.operations import Op
from codegen.ir.program import Program, evaluate
from codegen.ir.systems import F32, F64, Precision
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.proof.proof import prove
from codegen.provenance.trace import trace
from codegen.review.diff.changes import ChangeClass
from codegen.review.diff.compare import compare_trees
from codegen.review.diff.functions.reader import read
from codegen.review.diff.text.source import read_source
from codegen.tree.assemble import render_tree
from codegen.tree.write import generate
from codegen.verify.native import STRICT
from codegen.verify.verify import check
from tests.conftest import tool

INPUTS = [
    Arg("a", REAL, "", "number"),
    Arg("v", Vec3, "", "vector"),
    Arg("w", Array((4,)), "", "list"),
    Arg("A", Matrix(3, 3), "", "matrix"),
]


class Pair(NamedTuple):
    """Two numbers."""

    x: Any
    y: Any


@dataclass(frozen=True)
class Wheel:
    """A wheel."""

    radius: Any
    side: Any


def made(formula: Callable[..., Any], size: int = 1, **fields: Any) -> Kernel:
    """The kernel of a formula of a number, a vector, a list and a matrix."""

    def outer(a: Any, v: Any, w: Any, A: Any) -> Any:
        return formula(a, v, w, A)

    kind = REAL if size == 1 else Array((size,))
    output = [Arg("y", kind, "", "result")]
    return kernel(name="sample", inputs=INPUTS, outputs=output, equation="", source="", **fields)(outer)


def form(of: Kernel) -> Looped:
    """The form with loops of a kernel."""
    looped = of.loops()
    assert looped is not None
    return looped


def turns(of: Kernel) -> list[int | None]:
    """The turns of each loop of a kernel."""
    return [part.turns for part in form(of).loops]


def guarded(a: Any, *_: Any) -> Any:
    """Newton's method for the square root, whose divisor is checked in each turn."""

    def step(x: Any) -> Any:
        divides = require(x * x > 1, Status.SINGULAR)
        return (x + a / select(divides, x, 1)) / 2

    return repeat(3, step, a)


SAMPLES: dict[str, tuple[Callable[..., Any], int]] = {
    "exchange": (lambda a, v, w, A: list(repeat(3, lambda x, y: (y, x * a), a, v.x)), 2),
    "vector": (lambda a, v, w, A: repeat(4, lambda u: u.cross(v) + u * a, v).scalars(), 3),
    "large exchange": (lambda a, v, w, A: sum(repeat(3, lambda X, Y: (Y, X * a), A, A.T)[0].scalars()), 1),
    "one, another": (lambda a, v, w, A: repeat(2, lambda x: x * x + a, repeat(3, lambda x: x * a, a)), 1),
    "in each other": (lambda a, v, w, A: repeat(3, lambda x: repeat(2, lambda y: y * y + x, x), a), 1),
    "after it": (lambda a, v, w, A: (lambda x: [x * w[3], x + v.z])(repeat(3, lambda x: x * x + w[0], a)), 2),
    "elements": (lambda a, v, w, A: for_each(w[1:], lambda s, x: x * a + s, a), 1),
    "rows": (lambda a, v, w, A: for_each(A, lambda row, x: x + row @ row * a, a), 1),
    "list": (lambda a, v, w, A: collect(w, lambda s: s * s + a), 4),
    "of a list": (lambda a, v, w, A: for_each(collect(w, lambda s: s * s), lambda s, x: x * s + a, 0), 1),
    "numbers": (lambda a, v, w, A: for_each([0.5, 2, -3], lambda k, x: k * x * x + a, a), 1),
    "mixed": (lambda a, v, w, A: for_each([(1, a, w[2], 2), (3, a, v.x * a, 2)], _of_mixed, a), 1),
    "structures": (
        lambda a, v, w, A: for_each(
            [Wheel(2, w[0]), Wheel(5, w[1])],
            lambda wheel, p: Pair(p.y * wheel.radius, p.x + wheel.side),
            Pair(a, 1),
        ),
        2,
    ),
    "backwards": (lambda a, v, w, A: for_each(w[::-1], lambda s, x: x * s + a, a), 1),
    "status": (guarded, 1),
}  # fmt: skip


def _of_mixed(item: Any, x: Any) -> Any:
    number, same, other, two = item
    return x * number + same * other * two


def reading(of: Kernel, options: Options) -> tuple[Function, Any]:
    """A function, and its C read back."""
    (precision,) = options.formats
    source = read_source(dict(render_tree([of], options)))
    f = function(of, precision, options)
    return f, read(source.functions[f.symbol][0], source)


def as_printed(program: Program, precision: Precision) -> Program:
    """A Program with the constants that its C holds."""
    nodes = (
        n._replace(value=precision.rounded(n.value)) if n.op is Op.CONSTANT else n for n in program.nodes
    )
    return replace(program, nodes=tuple(nodes))


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("apart", [False, True])
def test_the_c_is_the_unrolled_formula(name: str, apart: bool) -> None:
    formula, size = SAMPLES[name]
    sample = made(formula, size, failures={Status.SINGULAR: "no divisor"} if name == "status" else None)
    assert form(sample).loops
    assert prove(sample).status == "own formula only"  # the formula, turn by turn, is that of the C
    options = Options(precisions=("f64",), interface="array", no_alias=apart)
    f, found = reading(sample, options)
    assert not found.overlaps
    world = World(name)
    draw = residues(world)
    given = [draw() for _ in range(sum(a.size for a in found.program.inputs))]
    expected = evaluate(as_printed(f.program, F64), modular(world), given)
    assert evaluate(found.program, modular(world), given).results[:size] == expected.results


def test_a_value_keeps_its_structure() -> None:
    def formula(a: Any, v: Any, w: Any, A: Any) -> Any:
        x, y, z, pair, both = repeat(2, _structured, v, w, [a, A], Pair(a, a), {"a": a})
        return x.x + y[1] + z[1][2, 2] + pair.y + both["a"]

    assert prove(made(formula)).status == "own formula only"


def _structured(x: Any, y: Any, z: Any, pair: Any, both: Any) -> Any:
    swapped = [both["a"], z[1] @ z[1]]
    return x * 2, [s * s for s in y], swapped, Pair(pair.y, pair.x), {"a": z[0] * 2}


# What is in a loop


def test_what_does_not_change_is_computed_before_the_loop() -> None:
    sample = made(lambda a, v, w, A: repeat(5, lambda x: x * (a * a + v.x * v.y), a))
    (loop,) = form(sample).loops
    assert [n.op for n in loop.program.nodes if n.op is not Op.INPUT] == [Op.MUL]


def test_a_constant_that_binding_leaves_is_in_the_loop() -> None:
    sample = bind(made(lambda a, v, w, A: repeat(5, lambda x: x * (a / 4) + v.x, v.y)), {"a": (Fraction(2),)})
    text = "\n".join(s.c for s in function(sample, F64, Options()).body.statements)
    assert "x_next = x * 0.5 + v_x;" in text
    assert "shared" not in text


def test_elements_of_a_bound_list_are_a_table() -> None:
    numbers = tuple(map(Fraction, (1, 2, 3, 5)))
    sample = bind(made(lambda a, v, w, A: for_each(w, lambda s, x: x * s + a, a)), {"w": numbers})
    text = "\n".join(s.c for s in function(sample, F32, Options()).body.statements)
    assert "static const float w[4] = {1.0F, 2.0F, 3.0F, 5.0F};" in text
    assert prove(sample).status == "own formula only"


def test_a_loop_that_nothing_needs_is_left_out() -> None:
    sample = made(lambda a, v, w, A: (repeat(5, lambda x: x * x, a), a)[1])
    assert [s.c for s in function(sample, F64, Options()).body.statements if "for" in s.c] == []


def test_the_derivative_of_a_loop_is_written_out() -> None:
    slope = jacobian(made(lambda a, v, w, A: repeat(3, lambda x: x * a, v.x)), "slope", ["y"], {"J": ["a"]})
    assert slope.loops() is None
    assert "turn" not in "\n".join(s.c for s in function(slope, F64, Options()).body.statements)


def test_a_kernel_with_a_loop_is_called_in_another() -> None:
    inner = made(lambda a, v, w, A: repeat(3, lambda x: x * a, v.x))
    assert turns(made(lambda a, v, w, A: inner(a, v, w, A) + 1)) == [3]
    assert turns(made(lambda a, v, w, A: repeat(2, lambda x: inner(x, v, w, A) + 1, a))) == [2]


# Functions


def rows(A: Any, x: Any) -> Any:
    """A matrix times a vector, row by row."""
    return collect(A, lambda row: row @ x)


def by_rows(size: int, **changed: Any) -> Kernel:
    """The kernel of a matrix times a vector."""
    described = {"equation": "y = A x", "source": "definition", **changed}
    inputs = [Arg("A", Matrix(size, size), "", "matrix"), Arg("x", Vector(size), "", "vector")]
    return kernel(inputs=inputs, outputs=[Arg("y", Vector(size), "", "product")], **described)(rows)


def test_a_loop_is_proven_of_its_equation_and_verified(tmp_path: Path) -> None:
    product = by_rows(6)
    generate([product], Options(precisions=("f32",)), tmp_path / "c")
    compiled = codegen.load(tmp_path / "c")["fc_rows_f32"]
    row = check(function(product, F32, Options()), compiled, checks=True, count=12)
    assert (row.problems, row.proof) == ([], "proven")
    assert prove(by_rows(3, equation="y = A^T x")).status.startswith("failed")


def test_a_list_may_be_the_object_that_it_is_made_of(tmp_path: Path) -> None:
    squares = made(lambda a, v, w, A: [x + w[0] for x in collect(w, lambda s: s * s)], 4)
    _, found = reading(squares, Options(precisions=("f64",), interface="array"))
    assert not found.overlaps
    shown = function(made(lambda a, v, w, A: collect(w, lambda s: s * w[0]), 4), F64, Options()).body
    stored = [s.c for s in shown.statements if s.name == "y[turn]"]
    assert stored == ["y[turn] = element;"]  # after the last turn has read w[0]


def test_the_header_states_the_operations_of_a_turn(tmp_path: Path) -> None:
    generate([made(SAMPLES["numbers"][0])], Options(), tmp_path / "c")
    header = next((tmp_path / "c").glob("*_f64.h")).read_text()
    assert " * Cost: 6 mul, 3 add, with 3 turns of 2 mul, 1 add." in header


def test_statements_of_a_loop_have_an_origin() -> None:
    sample = made(guarded, failures={Status.SINGULAR: "no divisor"})
    f = function(sample, F64, Options())
    found = {s.c: s for s in trace(f, Options()).statements}
    raised = found["if (!divides) { status |= FC_SINGULAR; }"]
    assert (raised.kind, raised.flags, raised.inputs) == ("status", ("SINGULAR",), ("a",))
    assert found["return status;"].kind == "status"
    assert found["for (turn = 0; turn < 3; turn++) {"].kind == "loop"
    assert "for (turn = 0; turn < 3; turn++) {" in [s.c.strip() for s in listing(sample).codes[0].lines]


def test_a_flag_is_returned_if_it_is_raised_in_any_turn(tmp_path: Path) -> None:
    sample = made(guarded, failures={Status.SINGULAR: "no divisor"})
    generate([sample], Options(), tmp_path / "c")
    called = codegen.load(tmp_path / "c").f64.sample
    rest = ([0, 0, 0], [0] * 4, [0] * 9)
    assert called(4, *rest).y == pytest.approx(2, rel=1e-2)
    assert called(4, *rest).status == 0
    assert called(0.5, *rest).status == Status.SINGULAR  # in all turns
    assert called(-4, *rest).status == Status.SINGULAR  # in the last turn: -4, -1.5, 0.58


# Mistakes

WRONG: dict[str, tuple[Callable[..., Any], str]] = {
    "zero": (lambda a, v, w, A: repeat(0, lambda x: x, a), "the number of turns is 0, but must be a whole"),
    "negative": (lambda a, v, w, A: repeat(-1, lambda x: x, a), "the number of turns is -1"),
    "fraction": (lambda a, v, w, A: repeat(2.0, lambda x: x, a), "the number of turns is 2.0"),  # type: ignore[arg-type]
    "truth": (lambda a, v, w, A: repeat(True, lambda x: x, a), "the number of turns is True"),
    "computed": (lambda a, v, w, A: repeat(a, lambda x: x, a), "must be known when the code is generated"),
    "huge": (lambda a, v, w, A: repeat(10**9, lambda x: x, a), "1000000000 turns are more than 1000"),
    "long": (lambda a, v, w, A: repeat(999, lambda x: (x**9 + x**7) * x**11 - x**13, a), "at most 20000"),
    "shape": (lambda a, v, w, A: repeat(3, lambda x: v, a), "value 1 is a scalar before a turn, but a Vec3"),
    "count": (lambda a, v, w, A: repeat(3, lambda x, y: x, a, a)[0], "returns 1 values in place of 2"),
    "parameters": (lambda a, v, w, A: repeat(3, lambda x, y: x, a), "has the parameters (x, y), but is"),
    "nothing": (lambda a, v, w, A: repeat(3, lambda x: None, a), "its function returns nothing"),
    "no values": (lambda a, v, w, A: repeat(3, lambda: 1), "repeat has no values: write repeat"),
    "no function": (lambda a, v, w, A: repeat(3, a, a), "is no function of the values of a turn"),
    "condition": (lambda a, v, w, A: repeat(3, lambda x: x > 1, a), "write select(condition, 1, 0)"),
    "no items": (lambda a, v, w, A: for_each([], lambda i, x: x, a), "for_each has no items"),
    "no list": (lambda a, v, w, A: for_each(a, lambda i, x: x, a), "but must be a list, as range(4)"),
    "unlike": (lambda a, v, w, A: for_each([1, (1, 2)], lambda i, x: x, a), "item 2 has 2 scalars"),
    "words": (lambda a, v, w, A: for_each(["a", "b"], lambda i, x: x, a), "'a' (str) cannot stand"),
    "of a turn": (lambda a, v, w, A: _leaking(a), "a value of a turn is used outside of its loop"),
}  # fmt: skip


def _leaking(a: Any) -> Any:
    kept: list[Any] = []
    repeat(3, lambda x: kept.append(x) or x * x, a)  # type: ignore[func-returns-value]
    return kept[-1] * 2


@pytest.mark.parametrize("name", WRONG)
def test_wrong_loops_are_refused(name: str) -> None:
    formula, message = WRONG[name]
    with pytest.raises(FeatherError) as raised:
        function(made(formula), F64, Options())
    assert message in str(raised.value)
    assert ": fc_sample_f64: kernel sample: " in str(raised.value)


def test_a_function_that_counts_its_calls_fails_its_proof() -> None:
    calls = iter(range(10**6))
    assert prove(made(lambda a, v, w, A: repeat(3, lambda x: x * next(calls), a))).status.startswith("failed")


def test_no_variable_has_the_name_of_a_local_array() -> None:
    """The variable that is stored in shared[2] is not called like the array shared_2."""

    def formula(a: Any, v: Any, w: Any, A: Any) -> Any:
        x = repeat(2, lambda x: x * (a * v.x) + a * v.y, a)
        s = x * v.z
        return repeat(2, lambda y: y * (x * a) + y * y * (x * v.x) + y * y * y * s + sqrt(s * s + 1), x)

    statements = function(made(formula), F64, Options()).body.statements
    text = " ".join(s.c for s in statements if isinstance(s, Line))
    declared = set(re.findall(r"double (\w+)", text))
    assert {"shared", "shared_2"} <= declared
    assert declared.isdisjoint(s.name for s in statements if s.type)


def test_a_list_from_a_loop_may_be_optional(tmp_path: Path) -> None:
    @kernel(
        inputs=[Arg("w", Array((4,)), "", "")],
        outputs=[Arg("s", REAL, "", ""), Arg("z", Array((4,)), "", "", optional=True)],
        equation="",
        source="",
    )
    def squares(w: Any) -> Any:
        z = collect(w, lambda x: x * x)
        return for_each(z, lambda x, s: s + x, 0), z

    generate([squares], Options(), tmp_path / "c")
    called = codegen.load(tmp_path / "c").f64.squares
    assert list(called([1, 2, 3, 4]).z) == [1, 4, 9, 16]
    assert called.without(["z"], [1, 2, 3, 4])[:2] == (30, None)


# Rounding


@pytest.mark.parametrize(
    "formula",
    [
        lambda a, x: repeat(12, lambda x: a * x * (1 - x), x),  # errors that are multiplied, turn by turn
        lambda a, x: repeat(300, lambda x: x + a / 8, x),  # errors that add up
        lambda a, x: repeat(40, lambda x: x * (1 + a / 64), x),
    ],
)
def test_the_tolerance_follows_the_errors_of_all_turns(formula: Callable[..., Any], tmp_path: Path) -> None:
    def turned(a: Any, x: Any) -> Any:
        return formula(a, x)

    inputs = [Arg("a", REAL, "", "", range=(2, 3)), Arg("x", REAL, "", "", range=(0.1, 0.9))]
    many = kernel(inputs=inputs, outputs=[Arg("y", REAL, "", "")], equation="", source="")(turned)
    generate([many], Options(precisions=("f32",)), tmp_path / "c")
    compiled = codegen.load(tmp_path / "c")["fc_turned_f32"]
    row = check(function(many, F32, Options()), compiled, checks=True, count=40)
    assert (row.problems, row.left_out) == ([], [])
    assert row.worst_scaled < 3


# The compiled test and the diff


def spiral(a: Any, v: Any, w: Any, A: Any) -> Any:
    """Two values that each turn computes from each other."""
    return for_each(w, lambda s, x, y: (x + s * y, y - a * x), v.x, v.y)


@pytest.fixture(scope="module")
def spiralling() -> dict[str, str]:
    """The tree of a function that carries two values."""
    return dict(render_tree([made(spiral, 2)], Options(precisions=("f32",))))


def edited(tree: dict[str, str], old: str, new: str) -> dict[str, str]:
    """A tree with one piece of the C of its function replaced."""
    (path,) = (name for name in tree if name.endswith("_f32.c"))
    assert tree[path].count(old) == 1
    return {**tree, path: tree[path].replace(old, new)}


@pytest.mark.parametrize(
    ("old", "new", "code"), [("turn = 0;", "turn = 0;", 0), ("turn = 0; turn < 4", "turn = 1; turn < 4", 1)]
)
def test_the_self_test_runs_loops(
    old: str, new: str, code: int, spiralling: dict[str, str], tmp_path: Path
) -> None:
    for name, text in edited(spiralling, old, new).items():
        (tmp_path / name).write_text(text)
    sources = sorted(map(str, tmp_path.glob("*.c")))
    program = str(tmp_path / "selftest")
    subprocess.run([tool("cc"), *STRICT, "-DFC_SELFTEST_MAIN", *sources, "-o", program, "-lm"], check=True)
    assert subprocess.run([program], check=False).returncode == code


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "x = x_next;\n        const float y_now = y_next;",
            "x = y_next;\n        const float y_now = x_next;",
        ),
        ("x_next = v_x;\n        y_next = v_y;", "x_next = v_y;\n        y_next = v_x;"),
        ("y[0] = x_next;\n    y[1] = y_next;", "y[0] = y_next;\n    y[1] = x_next;"),
        ("turn < 4", "turn < 3"),
        ("w[turn]", "w[3 - turn]"),
    ],
)
def test_values_in_each_others_place_are_a_change(old: str, new: str, spiralling: dict[str, str]) -> None:
    (change,) = compare_trees(spiralling, edited(spiralling, old, new))
    assert change.kind is ChangeClass.CHANGED


def test_the_tolerance_knows_that_turns_forget_errors(tmp_path: Path) -> None:
    """Of 40 turns of a filter, 20 are not enough."""
    inputs = [Arg("a", REAL, "", "", range=(-2, 2)), Arg("x", REAL, "", "", range=(-2, 2))]
    settle = kernel(inputs=inputs, outputs=[Arg("y", REAL, "", "")], equation="", source="", name="settle")(
        lambda a, x: repeat(40, lambda x: x + (a - x) / 4, x)
    )
    generate([settle], Options(precisions=("f32",)), tmp_path / "c")
    (path,) = (tmp_path / "c").glob("*_f32.c")
    found = []
    for turns in ("turn < 40", "turn < 20"):
        path.write_text(path.read_text().replace("turn < 40", turns))
        compiled = codegen.load(tmp_path / "c")["fc_settle_f32"]
        found.append(check(function(settle, F32, Options()), compiled, checks=True, count=10))
    assert not found[0].problems
    assert 0.05 < found[0].worst_scaled < 4
    assert found[1].problems
