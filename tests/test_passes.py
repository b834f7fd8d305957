"""Passes: none changes a value or raises the cost, on the library's kernels and on random Programs."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import neg
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from codegen import passes
from codegen.emit.body import Load
from codegen.emit.c99 import emit
from codegen.frontends.formula import lower
from codegen.ir.cost import cost
from codegen.ir.exploration import POINTS
from codegen.ir.expression import Expr
from codegen.ir.modular import Residue
from codegen.ir.operations import LIBM, Op
from codegen.ir.program import (
    Arg,
    InvalidProgram,
    Node,
    Program,
    evaluate,
    input_scalars,
    program_of,
    validate,
)
from codegen.ir.rewriting import Builder, rebuild
from codegen.ir.status import Status
from codegen.ir.systems import F64, Irrational, NumberSystem, fractions
from codegen.ir.types import REAL, Array, flatten
from codegen.library import library
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.scalar import (
    asin,
    atan2,
    constant,
    cos,
    let,
    maximum,
    minimum,
    require,
    select,
    sin,
    sqrt,
    tan,
)
from codegen.passes import FOLD, SMALL_PASSES, optimise
from codegen.passes.factor import factor
from codegen.passes.fold import fold
from codegen.passes.negations import negations
from codegen.passes.pipeline import optimised
from codegen.passes.reciprocals import reciprocals
from codegen.passes.registers import registers
from codegen.passes.schedule import schedule
from codegen.passes.search.cancel import cancel
from codegen.passes.search.chains import chains
from codegen.passes.share import share
from codegen.proof.balls import Ball
from codegen.proof.equivalence import Driven, compare
from tests.conftest import sampled

Pass = Callable[[Program], Program]

PASSES: tuple[Pass, ...] = tuple(small.apply for small in SMALL_PASSES)
STEPS: tuple[Pass, ...] = tuple(dict.fromkeys(PASSES))
INPUTS = tuple(Arg(name, REAL, "1", "a number") for name in "abc")


# The library's kernels


def opaque(op: Op) -> Callable[[Any, Any], bool]:
    """A comparison that holds or not, whatever others do: no pass may rely on an order, which NaN lacks."""

    def holds(a: Any, b: Any) -> bool:
        if isinstance(a, Residue):
            return a.world.arbitrary(op.label, a.value, b.value)
        return random.Random(f"{op.label} {_steady(a)} {_steady(b)}").random() < 0.85

    return holds


def _steady(x: Any) -> Any:
    """A number that the last digits of one with many digits do not change."""
    return int(x.context.nint(x * 10**60)) if hasattr(x, "context") else x


class Observed(Driven):
    """A Program as a way whose last outputs are its status: a pass must keep both."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, sorted({flag for _, flag in program.status}))
        self.program = program  # as it is: where a comparison is arbitrary, no select is a minimum

    def some(self, outputs: Iterable[int], system: NumberSystem, inputs: Sequence[Any]) -> list[Any]:
        """The outputs, where comparisons are arbitrary."""
        if isinstance(next(iter(inputs), None), Ball):
            return super().some(outputs, system, inputs)
        by_chance = replace(system, table={**system.table, Op.LT: opaque(Op.LT), Op.LE: opaque(Op.LE)})
        return super().some(outputs, by_chance, inputs)


UNREACHED = "a path that no point was found to take"
"""As the answers of comparisons are arbitrary here, so3_left_jacobian_inverse and so3_right_jacobian_inverse
with checks may divide by the norm of what is zero out of range."""


EACH_KERNEL = pytest.mark.parametrize("kernel", sampled(library().values(), every=32), ids=list(library()))


def both(kernel: Kernel) -> dict[Program, bool]:
    """The Programs of a kernel, with checks and without; they are one where nothing is checked."""
    return {kernel.program(checks): checks for checks in (True, False)}


def rational(program: Program) -> bool:
    """Whether a Program has rational values at rational points."""
    return not any(n.op in (*LIBM, Op.SQRT, Op.NAMED) for n in program.nodes)


@EACH_KERNEL
def test_passes_keep_every_kernel(kernel: Kernel) -> None:
    """Each pass alone on the Program of the formula, and each in its place in the pipeline."""
    for program, checks in both(kernel).items():
        passes_keep(program, optimised(kernel, checks))


def passes_keep(program: Program, best: Program) -> None:
    """What a pass leaves as it is, or makes again, is compared once."""
    made, reached = dict[Program, str](), program
    for i, step in enumerate(PASSES):
        alone, reached = step(program), step(reached)
        validate(alone)
        validate(reached)
        made.setdefault(alone, f"{step.__name__} alone")
        made.setdefault(reached, f"the pipeline up to {step.__name__} ({i})")
    ways = {"as traced": Observed(program), "optimised": Observed(best)}
    ways |= {name: Observed(changed) for changed, name in made.items() if changed not in (program, best)}
    verdict = compare(program.inputs, ways)
    assert not verdict.difference, verdict.shortcoming
    assert verdict.proven or verdict.sampled or set(verdict.undriven) == {UNREACHED}
    assert not rational(program) or verdict.fraction_points == POINTS


@EACH_KERNEL
def test_optimising_costs_nothing_and_ends(kernel: Kernel) -> None:
    for program, checks in both(kernel).items():
        best = optimised(kernel, checks)
        before, after = cost(program), cost(best)
        assert after.total + after.neg <= before.total + before.neg
        assert after.select + after.cmp <= before.select + before.cmp
        assert all(after.libm[name] <= before.libm[name] for name in after.libm)
        assert optimise(best) == best


DIGEST = """
from codegen.passes.pipeline import optimised
from codegen.library import library
for kernel in list(library().values())[{first}::{step}]:
    for checks in (True, False):
        print(optimised(kernel, checks))
"""


@pytest.mark.parametrize("first", sampled(range(20), every=20, exhaustive=3))
def test_programs_do_not_depend_on_the_process(first: int) -> None:
    """Hash seeds differ between runs, and with them the order of sets: no order may come from one."""
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", DIGEST.format(first=first, step=20)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
        )
        for seed in ("1", "2")
    ]
    there = [run.communicate()[0].decode() for run in runs]
    chosen = list(library().values())[first::20]
    here = "".join(f"{optimised(k, c)}\n" for k in chosen for c in (True, False))
    assert [run.returncode for run in runs] == [0, 0]
    assert there == [here] * 2


# Random Programs


@st.composite
def expressions(draw: st.DrawFn, operations: int = 14) -> list[Expr]:
    """Expressions over three inputs and small constants, with much shared between them.

    Roots are of squares, so that they are rational, and denominators are positive half of the time.
    """
    pool: list[Expr] = list(input_scalars(INPUTS))
    pool += [Expr(Op.CONSTANT, (), Fraction(x)) for x in draw(st.lists(CONSTANTS, max_size=3))]

    def pick() -> Expr:
        return pool[draw(st.integers(0, len(pool) - 1))]

    for _ in range(draw(st.integers(1, operations))):
        pool.append(draw(st.sampled_from(BUILDERS))(pick))
    count = draw(st.integers(1, 3))
    return [pool[-1 - i] for i in range(count)]


CONSTANTS = st.sampled_from(["-2", "-1", "0", "1", "2", "1/3", "-5/2", "4"])

Pick = Callable[[], Expr]

BUILDERS: list[Callable[[Pick], Expr]] = [
    lambda pick: pick() + pick(),
    lambda pick: pick() - pick(),
    lambda pick: pick() * pick(),
    lambda pick: pick() / pick(),
    lambda pick: pick() / (pick() ** 2 + 1),
    lambda pick: -pick(),
    lambda pick: abs(pick()),
    lambda pick: Expr(Op.SQRT, (pick() ** 2,)),
    lambda pick: minimum(pick(), pick()),
    lambda pick: maximum(pick(), pick()),
    lambda pick: select(pick() < pick(), pick(), pick()),
    lambda pick: select((pick() <= pick()) & ~(pick() < pick()), pick(), pick()),
    lambda pick: select((pick() < pick()) | (pick() < pick()), pick(), -pick()),
]


@st.composite
def programs(draw: st.DrawFn) -> Program:
    results = draw(expressions())
    return program_of(INPUTS, [Arg("y", Array((len(results),)), "1", "results")], results)


numbers = st.fractions(min_value=-4, max_value=4, max_denominator=8)


def values(program: Program, point: Sequence[Fraction]) -> list[Fraction] | None:
    """The results; None where one divides by zero or has an irrational root."""
    try:
        return evaluate(program, fractions(), point).results
    except (ZeroDivisionError, Irrational):
        return None


@pytest.mark.parametrize(
    "step", sampled([optimise, *STEPS, chains, registers], every=2), ids=lambda s: str(s.__name__)
)
@given(programs(), st.tuples(numbers, numbers, numbers))
def test_passes_keep_random_programs(step: Pass, program: Program, point: Sequence[Fraction]) -> None:
    expected = values(program, point)
    assume(expected is not None)
    changed = step(program)
    validate(changed)
    assert values(changed, point) == expected


@given(programs())
def test_optimising_random_programs_ends_and_costs_nothing(program: Program) -> None:
    best = optimise(program)
    assert optimise(best) == best
    assert cost(best).total <= cost(program).total


# Each rule by an example


def program_from(formula: Callable[..., Any]) -> Program:
    """The Program of a formula in a, b and c that returns a number or a tuple of them."""
    size = len(flatten(formula(*input_scalars(INPUTS))))
    return lower(INPUTS, [Arg("y", Array((size,)), "1", "results")], formula, checks=True)


def c_of(program: Program) -> str:
    """The Program as C on one line; y is the first result, z the second."""
    body = emit(program, F64, [a.name for a in program.inputs], ["y", "z"][: len(program.results)])
    return "; ".join(f"{s.name} = {s.expression}" for s in body.statements if not isinstance(s, Load))


Formula = Callable[[Any, Any, Any], Any]

EXAMPLES: list[tuple[Pass, Formula, str]] = [
    # what is known without the inputs
    (fold, lambda a, b, c: constant(1) / 3 + constant(1) / 6, "y = 0.5"),
    (fold, lambda a, b, c: sqrt(constant(9) / 4), "y = 1.5"),
    (fold, lambda a, b, c: sqrt(constant(2)), "y = sqrt(2.0)"),
    (fold, lambda a, b, c: sqrt(constant(-2)), "y = sqrt(-2.0)"),
    (fold, lambda a, b, c: constant(1) / 0, "y = 1.0 / 0.0"),
    (fold, lambda a, b, c: select(constant(1) < 2, a, b), "y = a"),
    (fold, lambda a, b, c: select((constant(1) < 2) & (a < b), a, b), "y = (a < b) ? a : b"),
    (fold, lambda a, b, c: select((constant(2) < 1) & (a < b), a, b), "y = b"),
    (fold, lambda a, b, c: select((constant(2) < 1) | (a < b), a, b), "y = (a < b) ? a : b"),
    # neutral and absorbing elements
    (fold, lambda a, b, c: (a + 0, 0 + a), "y = a; z = a"),
    (fold, lambda a, b, c: (a - 0, 0 - a), "y = a; z = -a"),
    (fold, lambda a, b, c: a - a, "y = 0.0"),
    (fold, lambda a, b, c: (a * 1, 1 * a), "y = a; z = a"),
    (fold, lambda a, b, c: (a * -1, -1 * a), "y = -a; z = -a"),
    (fold, lambda a, b, c: (a * 0, 0 * a), "y = 0.0; z = 0.0"),
    (fold, lambda a, b, c: (lambda d: (d * 0.5, d))(2 * a), "y = a; z = 2.0 * a"),
    (fold, lambda a, b, c: 0.5 * (a * 2), "y = a"),
    (fold, lambda a, b, c: (lambda d: (d * 0.5, d))(3 * a), "y_1 = 3.0 * a; y = y_1 * 0.5; z = y_1"),
    (fold, lambda a, b, c: (a / 1, a / -1), "y = a; z = -a"),
    (fold, lambda a, b, c: 0 / a, "y = 0.0"),
    (fold, lambda a, b, c: (neg(-a), neg(neg(-a))), "y = a; z = -a"),
    (fold, lambda a, b, c: (abs(-a), abs(abs(a))), "y = fabs(a); z = fabs(a)"),
    (fold, lambda a, b, c: (minimum(a, a), maximum(a, a)), "y = a; z = a"),
    (fold, lambda a, b, c: select(a < b, c, c), "y = c"),
    (fold, lambda a, b, c: select(~(a < b), a, b), "y = (a < b) ? b : a"),
    (fold, lambda a, b, c: select(~~(a < b), a, b), "y = (a < b) ? a : b"),
    # equal computations are done once
    (share, lambda a, b, c: a * b + b * a, "a_b = a * b; y = a_b + a_b"),
    (share, lambda a, b, c: (a - b, (b - a) * c), "y_0 = a - b; y = y_0; z = -y_0 * c"),
    (
        share,
        lambda a, b, c: (let("first", a + b), let("second", b + a)),
        "first = a + b; y = first; z = first",
    ),
    (share, lambda a, b, c: (a / b, b / a), "y = a / b; z = b / a"),
    # divisions
    (reciprocals, lambda a, b, c: a / 4, "y = a * 0.25"),
    (reciprocals, lambda a, b, c: a / c + b, "y = a / c + b"),
    (reciprocals, lambda a, b, c: (a / c, b / c), "inv_c = 1.0 / c; y = a * inv_c; z = b * inv_c"),
    # 1/3.5e38 is no normal float: as a factor it would have few digits left
    (reciprocals, lambda a, b, c: (a / 3.5e38, b / 3.5e38), "y = a / 3.5e+38; z = b / 3.5e+38"),
    (reciprocals, lambda a, b, c: a / 1e-40, "y = a / 1.0e-40"),
    # common factors
    (factor, lambda a, b, c: a * b + a * c, "y = a * (b + c)"),
    (factor, lambda a, b, c: a * b - c * a, "y = a * (b - c)"),
    (factor, lambda a, b, c: 2 * (3 * a), "y = 6.0 * a"),
    (factor, lambda a, b, c: 2 * (3 * a - b * 5), "y = 6.0 * a - 10.0 * b"),
    (factor, lambda a, b, c: 2 * (3 * a - b), "y = 2.0 * (3.0 * a - b)"),
    (factor, lambda a, b, c: (lambda ab: (ab + a * c, ab))(a * b), "y_1 = a * b; y = y_1 + a * c; z = y_1"),
    # signs
    (negations, lambda a, b, c: (a + -b, a - -b), "y = a - b; z = a + b"),
    (negations, lambda a, b, c: (-a + b, -a - b), "y = b - a; z = -(a + b)"),
    (negations, lambda a, b, c: (a + -2, a - -2), "y = a - 2.0; z = a + 2.0"),
    (negations, lambda a, b, c: (-a * b, -a * -b), "y = -(a * b); z = a * b"),
    (negations, lambda a, b, c: (a / -b, -a / -b), "y = -(a / b); z = a / b"),
    (negations, lambda a, b, c: -2 * a, "y = -(2.0 * a)"),
    (negations, lambda a, b, c: -(a - b), "y = b - a"),
    (negations, lambda a, b, c: (sin(-a), cos(-a)), "y = -sin(a); z = cos(a)"),
    (negations, lambda a, b, c: (tan(-a), asin(-a)), "y = -tan(a); z = -asin(a)"),
    (negations, lambda a, b, c: select(a < b, -a, -b), "y = -((a < b) ? a : b)"),
    (negations, lambda a, b, c: select(a < b, -a, b), "y = (a < b) ? -a : b"),
    (negations, lambda a, b, c: c + select(a < b, -a, 0), "y = c - ((a < b) ? a : 0.0)"),
    (negations, lambda a, b, c: c + c * select(a < b, 0, -a), "y = c - c * ((a < b) ? 0.0 : a)"),
    # no sum takes the sign of the zero
    (negations, lambda a, b, c: select(a < b, -a, 0), "y = (a < b) ? -a : 0.0"),
    (negations, lambda a, b, c: c * select(a < b, -a, 0), "y = c * ((a < b) ? -a : 0.0)"),
    (negations, lambda a, b, c: c + atan2(select(a < b, -a, 0), c), "y = c + atan2((a < b) ? -a : 0.0, c)"),
    # what is added and taken away again
    (cancel, lambda a, b, c: (a - b) + b, "y = a"),
    (cancel, lambda a, b, c: b + (a - b), "y = a"),
    (cancel, lambda a, b, c: (a + b) - a, "y = b"),
    (cancel, lambda a, b, c: (b + a) - a, "y = b"),
    (cancel, lambda a, b, c: a - (a - b), "y = b"),
    (cancel, lambda a, b, c: a - (b + a), "y = -b"),
    (cancel, lambda a, b, c: (a - b) - a, "y = -b"),
    (cancel, lambda a, b, c: (a - b) - b, "y = a - b - b"),
    (cancel, lambda a, b, c: a + (a + b), "y = a + (a + b)"),
    (cancel, lambda a, b, c: a - (b - a), "y = a - (b - a)"),
    (cancel, lambda a, b, c: a * b - (a * c - b), "y = a * b - (a * c - b)"),
    # factors that are divided by again
    (cancel, lambda a, b, c: b * (a / b), "y = a"),
    (cancel, lambda a, b, c: (a / b) * b, "y = a"),
    (cancel, lambda a, b, c: a / a, "y = a / a"),
    (cancel, lambda a, b, c: a * (2 / a), "y = a * (2.0 / a)"),
    (cancel, lambda a, b, c: (2 - a) + a, "y = 2.0 - a + a"),
    (cancel, lambda a, b, c: a * (2 / a) * b, "y = b * 2.0"),
    (cancel, lambda a, b, c: (a * b) / a, "y = b"),
    (cancel, lambda a, b, c: a / (a * b), "y = 1.0 / b"),
    (cancel, lambda a, b, c: a / (b / a), "y = a / (b / a)"),
    (cancel, lambda a, b, c: (a / c) * b * (1 / a), "y = 1.0 * b / c"),
    (cancel, lambda a, b, c: (a * a / c) / a, "y = a / c"),
    (cancel, lambda a, b, c: (a + b) * (c / (b + a)), "y = (a + b) * (c / (b + a))"),
    (cancel, lambda a, b, c: a * 2 * (b / 2), "y = a * 2.0 * (b / 2.0)"),
    # chains of sums
    (chains, lambda a, b, c: a + (b * c - a * b), "y = a + b * c - a * b"),
    (chains, lambda a, b, c: a * b + b * c + a, "y = a + a * b + b * c"),
    (chains, lambda a, b, c: a * b + b * c - a, "y = a * b - a + b * c"),
    (chains, lambda a, b, c: a - (b * c - a * b), "y = a - b * c + a * b"),
    (chains, lambda a, b, c: a + (b - c), "y = a + (b - c)"),
    (
        chains,
        lambda a, b, c: (lambda t: (a + t, b - t))(b * c - a * b),
        "t1 = b * c - a * b; y = a + t1; z = b - t1",
    ),
    # all of them
    (optimise, lambda a, b, c: (a / 2 - -b / 2) * 2, "y = a + b"),
    (
        optimise,
        lambda a, b, c: (a * b + c * -a, (c - b) * c),
        "b_minus_c = b - c; y = a * b_minus_c; z = -(b_minus_c * c)",
    ),
    (optimise, lambda a, b, c: let("s", a + b) ** 2, "s = a + b; y = s * s"),
]


@pytest.mark.parametrize(
    ("step", "formula", "expected"), EXAMPLES, ids=[f"{step.__name__}: {c}" for step, _, c in EXAMPLES]
)
def test_rule(step: Pass, formula: Formula, expected: str) -> None:
    assert c_of(step(program_from(formula))) == expected


def test_requirements_that_hold_anyway_vanish() -> None:
    def formula(a: Any, b: Any, c: Any) -> Any:
        require(constant(1) < 2, Status.MASS)
        require(a < b, Status.SINGULAR)
        return c

    folded = fold(program_from(formula))
    assert [flag for _, flag in folded.status] == [Status.SINGULAR]


def test_schedule_computes_near_the_use_and_drops_the_rest() -> None:
    program = program_from(lambda a, b, c: (a * b, a + c))
    a, b, product, c, total = program.nodes
    shuffled = replace(
        program,
        nodes=(c, Node(Op.NEG, (0,)), b, a, Node(Op.ADD, (3, 0)), Node(Op.MUL, (3, 2))),
        results=(5, 4),
        labels={1: "unused", 4: "total"},
    )
    scheduled = schedule(shuffled)
    assert scheduled.nodes == (a, b, product, c, total)
    assert scheduled.results == program.results
    assert scheduled.labels == {4: "total"}


# Passes that are wrong


def replaced(op: Op, by: Callable[[Builder, tuple[int, ...]], int]) -> Pass:
    """A faulty pass, which replaces an operation by another."""

    def rule(graph: Builder, node: Node, _: int) -> int:
        return by(graph, node.args) if node.op is op else graph.add(node.op, *node.args, value=node.value)

    return lambda program: rebuild(program, rule)


BROKEN: dict[str, tuple[Formula, Pass]] = {
    "a sign": (lambda a, b, c: a - b, replaced(Op.SUB, lambda g, ab: g.add(Op.ADD, *ab))),
    "an order": (lambda a, b, c: a / b, replaced(Op.DIV, lambda g, ab: g.add(Op.DIV, *ab[::-1]))),
    "a lost sign": (lambda a, b, c: c * -(a + b), replaced(Op.NEG, lambda g, ab: ab[0])),
    "a lost absolute value": (lambda a, b, c: abs(a - b), replaced(Op.ABS, lambda g, ab: ab[0])),
    "the other extreme": (lambda a, b, c: minimum(a, b), replaced(Op.MIN, lambda g, ab: g.add(Op.MAX, *ab))),
    "the other arm": (
        lambda a, b, c: select(a < b, a, c),
        replaced(Op.SELECT, lambda g, args: g.add(Op.SELECT, args[0], args[2], args[1])),
    ),
    "the other condition": (
        lambda a, b, c: select((a < b) & (b < c), a, c),
        replaced(Op.AND, lambda g, ab: g.add(Op.OR, *ab)),
    ),
    "another constant": (
        lambda a, b, c: a * Fraction(1, 3),
        replaced(Op.CONSTANT, lambda g, _: g.constant(Fraction(1, 3) + Fraction(1, 10**30))),
    ),
    "sqrt(x^2) = x": (
        lambda a, b, c: sqrt(a * a),
        replaced(Op.SQRT, lambda g, args: g.nodes[args[0]].args[0]),
    ),
    "a root that is moved": (
        lambda a, b, c: sqrt(a) + sqrt(b),
        replaced(Op.ADD, lambda g, args: g.add(Op.SQRT, g.add(Op.ADD, *(g.nodes[i].args[0] for i in args)))),
    ),
}


@pytest.mark.parametrize(("formula", "step"), BROKEN.values(), ids=BROKEN)
def test_a_broken_pass_is_caught(formula: Formula, step: Pass) -> None:
    before = program_from(formula)
    verdict = compare(INPUTS, {"before": Driven(before), "after": Driven(step(before))})
    assert verdict.difference == "before and after differ in output scalar 0"
    assert not verdict.proven


def test_a_pass_that_breaks_the_form_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgets_arguments(program: Program) -> Program:
        return replace(program, nodes=(*program.nodes, Node(Op.ADD)))

    broken = FOLD._replace(apply=forgets_arguments)
    monkeypatch.setattr(passes, "SMALL_PASSES", (*SMALL_PASSES, broken))
    with pytest.raises(InvalidProgram, match="wrong number of arguments"):
        optimise(program_from(lambda a, b, c: a + b))
