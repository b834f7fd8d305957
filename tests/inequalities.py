"""Whether the inequalities of an equation say as much as they can.

An inequality that is weakened still holds of the results: `|theta| <= pi` where `|theta| <= pi / 2` does, and
`a <= c, b <= c` where a <= b <= c does. The sides of each inequality must therefore come together somewhere
in the input domain, and no other results may meet all equations and inequalities with other sides.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from codegen.errors import FeatherError
from codegen.ir.domain import cases, sample_of
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, input_scalars, program_of
from codegen.ir.types import Array
from codegen.modeling.equations.textbook import is_notation, traced_inequalities
from codegen.modeling.kernel import Kernel
from tests.solutions import Numbers, formula, given, solutions, values

NEAR = 2e-3
"""The largest difference of sides that come together, in proportion to their usual size."""

ROUNDS, MOVES = 25, 20
"""Rounds in which inputs are moved so that sides come together, and the numbers of inputs in each."""

SPANS = (1, 2, 4, 8)
"""The sizes of random numbers, of which inputs are made."""


class Drawn(NamedTuple):
    """Inputs of a kernel, and the random numbers that they are made of; edge cases are made of none."""

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


def others_meet(kernel: Kernel, text: str, sides: Program) -> bool:
    """Whether other results meet equations and inequalities, with other sides, at some random inputs."""
    for inputs, own, found in solutions(kernel, text):
        different = np.abs(given(sides, inputs, found) - given(sides, inputs, own))
        if (different > 1e-6).any():
            return True
    return False
