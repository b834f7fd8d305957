"""Ranges of protected operands hold in the arithmetic of C, and conditions that hold count as possible."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from codegen.ir.operations import Op
from codegen.review.diff.functions.reader import read
from codegen.review.diff.numbers.arithmetic import Itself, run, scalar_type
from codegen.review.diff.numbers.protected import holding, possible, protected
from codegen.review.diff.reading import Reading
from codegen.review.diff.text.source import read_source
from tests.conftest import sampled
from tests.floats import in_float

NAMES = ("x", "y", "z", "u")
NUMBERS = ("0.0", "1.0", "0.5", "2.0", "-1.0", "1e-3", "3.0")
COUNT, POINTS = 240, 400


def expression(source: random.Random, depth: int, known: list[str]) -> str:
    """A random formula with choices."""
    if depth == 0 or source.random() < 0.15:
        return source.choice([*known, *known, source.choice(NUMBERS)])
    a, b = (expression(source, depth - 1, known) for _ in range(2))
    forms = ["({a} + {b})", "({a} - {b})", "({a} * {b})", "({a} / {b})"]
    form = source.choice([*forms, "({a} * {a})", "(-({a}))", "fabs({a})", "sqrt(fabs({a}))"])
    if source.random() < 0.25:
        form = f"({condition(source, depth - 1, known)} ? {{a}} : {{b}})"
    return form.format(a=a, b=b)


def condition(source: random.Random, depth: int, known: list[str]) -> str:
    """A random comparison, or several."""
    a, b = (expression(source, max(depth - 1, 0), known) for _ in range(2))
    test = f"{a} {source.choice(['<', '<=', '>', '>=', '==', '!='])} {b}"
    if source.random() < 0.3:
        test = f"({test}) {source.choice(['&&', '||'])} ({condition(source, depth, known)})"
    return source.choice(["!({})", "({})", "({})"]).format(test)


def reading(number: int) -> Reading:
    """A function of random formulas, each of which may use those before and operations with a domain."""
    source, known, lines = random.Random(number), [*NAMES], list[str]()
    for k in range(3):
        value = expression(source, 3, known)
        lines.append(f"const double t{k} = {value};")
        known += [f"t{k}", f"t{k}"]
    guard = condition(source, 1, known)
    used = source.choice(["sqrt({})", "log({})", "x / {}", "acos({})", "asin({})"])
    lines.append(f"*r = {guard} ? {used.format(expression(source, 1, known[-3:]))} : {known[-1]};")
    args = ", ".join(f"double {name}" for name in NAMES)
    body = "\n    ".join(lines)
    text = f"#include <math.h>\nvoid fc_f_f64({args}, double *r)\n{{\n    {body}\n}}\n"
    if number % 2:
        text = in_float(text)
    source_tree = read_source({"fc_f.c": text})
    (items,) = source_tree.functions.values()
    return read(items[0], source_tree)


def points_of(found: Reading, number: int) -> Any:
    """Random points, many of them with few digits or equal scalars."""
    source = np.random.default_rng(number)
    wide = source.normal(size=(len(NAMES), POINTS)) * 2.0 ** source.integers(-12, 12, POINTS)
    plain = source.choice([0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 1e-3], (len(NAMES), POINTS))
    return np.hstack([wide, np.where(source.random(wide.shape) < 0.5, plain, wide), plain]).astype(
        scalar_type(found)
    )


def truths_at(found: Reading, values: Sequence[Any], column: int) -> list[tuple[int, bool]]:
    """How each comparison comes out at a point."""
    compared = [i for i, n in enumerate(found.program.nodes) if n.op in (Op.LT, Op.LE)]
    return [(i, bool(np.broadcast_to(values[i], 3 * POINTS)[column])) for i in compared]


@pytest.mark.parametrize("first", sampled(range(0, COUNT, 20), every=12, exhaustive=2))
def test_ranges_and_conditions_hold_in_the_arithmetic_of_c(first: int) -> None:
    checked = 0
    for number in range(first, first + 20):
        found = reading(number)
        points = points_of(found, number)
        values = run(found, points).values
        full = [np.broadcast_to(np.asarray(v, np.float64), points.shape[1]) for v in values]
        finite = np.all([np.isfinite(v) for v in full], axis=0)
        held, is_possible = holding(found.program), possible(found.program)
        for node, limit in protected(Itself(found)).items():
            here = np.array(finite)
            for condition, wanted in held[node] or ():
                here &= (full[condition] != 0) == wanted
            operand = full[found.program.nodes[node].args[-1]]
            here &= limit.counts(full)
            assert limit.range.holds(operand[here]).all(), (number, node, limit)
            checked += int(here.sum())
        for column in np.flatnonzero(finite)[:40]:
            truths = truths_at(found, values, int(column))
            assert is_possible(truths), (number, column)
            assert is_possible(truths[-5:]), (number, column)
    assert checked > 1000
