"""Whether the inequalities of an equation say as much as they can.

An inequality that is weakened still holds of the results: `|theta| <= pi` where `|theta| <= pi / 2` does, and
`a <= c, b <= c` where a <= b <= c does. The sides of each inequality must therefore come together somewhere
in the input domain, and no other results may meet all equations and inequalities with other sides.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from codegen.errors import FeatherError
from codegen.ir.domain import cases, sample_of
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, evaluate, input_scalars, program_of
from codegen.ir.systems import F64, floating
from codegen.ir.types import Array
from codegen.modeling.equations.textbook import is_notation, traced_inequalities
from codegen.modeling.kernel import Kernel
from codegen.proof.proof import residual_program

Numbers = np.ndarray[Any, np.dtype[np.float64]]

NEAR = 2e-3
"""The largest difference of sides that come together, in proportion to their usual size."""

ROUNDS, MOVES = 25, 20
"""Rounds in which inputs are moved so that sides come together, and the numbers of inputs in each."""

SPANS = (1, 2, 4, 8)
"""The sizes of random numbers, of which inputs are made."""

STARTS, STEPS = 450, 60
SPREADS = np.resize([0.3, 1, 3], STARTS)
"""The numbers of other results from which a solution is sought, and of steps towards it."""


class Drawn(NamedTuple):
    """Inputs of a kernel, and the random numbers between -2 and 2 of which they are made."""

    inputs: list[Fraction]
    made_of: list[float]


def weak_inequalities(kernel: Kernel, text: str) -> str:
    """What is wrong with the inequalities of an equation; empty if they say as much as they can."""
    sides = sides_of(kernel, text)
    if sides is None:
        return ""
    apart = [k for k in range(len(sides.results) // 2) if not meets(kernel, sides, k)]
    if apart:
        return f"the sides of inequalities {apart} do not come together"
    return "other results meet them" if others_meet(kernel, text, sides) else ""


def sides_of(kernel: Kernel, text: str) -> Program | None:
    """The Program of the smaller and larger side of each inequality; None where there is none."""
    known = [*kernel.inputs, *kernel.outputs]
    try:
        truths = traced_inequalities(kernel, text, input_scalars(known)) if is_notation(text) else []
    except FeatherError:  # the equations have no value, which is said elsewhere
        return None
    if not truths:
        return None
    assert all(truth.op in (Op.LT, Op.LE) for truth in truths)
    sides = [side for truth in truths for side in truth.args]
    return program_of(known, [Arg("sides", Array((len(sides),)), "1", "of inequalities")], sides)


def meets(kernel: Kernel, sides: Program, number: int) -> bool:
    """Whether the sides of an inequality come together at some inputs, which are moved towards them."""
    source = random.Random(f"{kernel.name} {number}")
    tried = [Drawn(case, []) for case in cases(kernel.inputs, 8, kernel.name)]
    for span in SPANS:
        any_number = partial(source.uniform, -span, span)
        tried += [drawn(kernel, any_number) for _ in range(3 * MOVES)]
    usual = float(np.nanmedian(np.abs(_both(kernel, sides, number, tried)).max(axis=0)))
    for _ in range(ROUNDS):
        gap = np.abs(np.subtract(*_both(kernel, sides, number, tried))) / usual
        if np.nanmin(gap) <= NEAR:
            return True
        nearest = [(tried[i], float(gap[i])) for i in np.argsort(gap)[:MOVES]]  # NaN comes last
        tried = [d for d, _ in nearest] + [moved(kernel, d, source, far) for d, far in nearest if d.made_of]
    return False


def _both(kernel: Kernel, sides: Program, number: int, tried: Sequence[Drawn]) -> Numbers:
    inputs = np.array([[float(x) for x in d.inputs] for d in tried]).T
    found = values(sides, np.concatenate([inputs, values(formula(kernel), inputs)]))
    return found[2 * number : 2 * number + 2]


def drawn(kernel: Kernel, number: Callable[[], float]) -> Drawn:
    """Inputs that are made of numbers without constraint."""
    made_of: list[float] = []

    def draw() -> Fraction:
        made_of.append(number())
        return Fraction(round(made_of[-1] * 2**20) or 1, 2**20)

    return Drawn([Fraction(s) for a in kernel.inputs for s in sample_of(a, draw)], made_of)


def moved(kernel: Kernel, near: Drawn, source: random.Random, far: float) -> Drawn:
    """Inputs that are made of numbers nearby."""
    numbers: Iterator[float] = (x + source.gauss(0, far) for x in near.made_of)
    return drawn(kernel, lambda: next(numbers, 0.5))


@cache
def formula(kernel: Kernel) -> Program:
    return kernel.program(True)


def values(program: Program, points: Numbers) -> Numbers:
    """The results of a Program, a column for each point; NaN where a requirement fails."""
    with np.errstate(all="ignore"):
        found = evaluate(program, floating(F64), list(points))
    held = np.ones(points.shape[1:], dtype=bool)
    for condition, _ in found.status:
        held = held & condition
    rows = [np.broadcast_to(np.asarray(row, dtype=np.float64), points.shape[1:]) for row in found.results]
    return np.where(held, np.array(rows), np.nan)


def others_meet(kernel: Kernel, text: str, sides: Program) -> bool:
    """Whether other results meet equations and inequalities, with other sides, at some random inputs."""
    conditions, source = residual_program(kernel, text), np.random.default_rng(len(kernel.name))
    assert conditions is not None
    for case in list(cases(kernel.inputs, 4, kernel.name))[:4]:
        inputs = np.array([[float(x)] for x in case])
        own = values(formula(kernel), inputs)
        if not np.isnan(own).any():
            zeros, compared = (partial(_given, p, inputs) for p in (conditions, sides))
            shape = (len(own), STARTS)
            start = own * source.choice([-1, 1], shape) + source.normal(0, SPREADS, shape)
            other = solved(zeros, start)
            solves = np.abs(zeros(other)).max(axis=0) < 1e-9 + 100 * np.abs(zeros(own)).max()
            if (np.abs(compared(other) - compared(own)).max(axis=0)[solves] > 1e-6).any():
                return True
    return False


def _given(program: Program, inputs: Numbers, results: Numbers) -> Numbers:
    """The values of a Program of given inputs and columns of results."""
    return values(program, np.concatenate([np.repeat(inputs, results.shape[1], axis=1), results]))


def solved(zeros: Callable[[Numbers], Numbers], start: Numbers) -> Numbers:
    """Columns that make `zeros` zero, or nearly so, by damped Gauss-Newton steps from each start."""
    y, damping = start, np.full(start.shape[1], 1e-3)
    at = zeros(y)
    for _ in range(STEPS):
        change = 1e-7 * np.maximum(1, np.abs(y))
        slopes = np.stack([(zeros(y + change * e[:, None]) - at) / (e @ change) for e in np.eye(len(y))])
        slopes, error = np.nan_to_num(slopes), np.nan_to_num(at)
        square = np.einsum("ims,jms->sij", slopes, slopes)
        damped = (damping * np.trace(square, axis1=1, axis2=2) + 1e-12)[:, None, None] * np.eye(len(y))
        downhill = np.einsum("ims,ms->si", slopes, error)
        step = np.linalg.solve(square + damped, downhill[:, :, None])[:, :, 0].T
        beside = zeros(y - step)
        better = np.square(beside).sum(axis=0) < np.square(at).sum(axis=0)
        y, at = np.where(better, y - step, y), np.where(better, beside, at)
        damping = np.clip(np.where(better, damping / 5, damping * 4), 1e-14, 1e6)
    return y
