"""Real points at which both sides of a comparison are equal.

Where one form has < and another <=, they differ at such points only. An input in which the difference of the
sides is linear is solved for, so that `|u| > limit` is tried at `limit = |u|`. All other inputs are short
fractions; so is the solution in most cases, and the sides are then equal to the last digit.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from codegen.ir.domain import Case
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program
from codegen.ir.systems import NumberSystem
from codegen.proof.boundaries import Region
from codegen.proof.ondemand import OnDemand

_COMPARISONS = 64
"""Comparisons that are approached, each from a point of its own; of a few, each is from several."""

_TRIES = 4
"""Points from which a comparison is approached at most."""

_INPUTS = 6
"""Inputs that are tried for a comparison."""

_BITS = 200
"""The last bit of a solution is 2^-200."""


def tie_points(
    inputs: Sequence[Arg], programs: Sequence[Program], system: NumberSystem, seed: str
) -> Iterator[Case]:
    """Points of the declared ranges with equal sides of a comparison; `system` computes with many digits."""
    source, region = random.Random(f"ties {seed}"), Region(inputs)
    compared = [(p, args) for p in programs for op, args, _ in p.nodes if op in (Op.LT, Op.LE)]
    for program, sides in source.sample(compared * _TRIES, min(len(compared) * _TRIES, _COMPARISONS)):
        free = [i for i in _inputs_below(program, sides) if region.free[i]]
        unknowns = source.sample(free, min(len(free), _INPUTS))
        point = _solved(_gap(program, sides, system), region, region.point(source), unknowns)
        if point is not None:
            yield point


def _inputs_below(program: Program, roots: Sequence[int]) -> list[int]:
    """The scalars of inputs on which values depend, by their numbers."""
    seen, stack = set[int](), [*roots]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack += program.nodes[node].args
    below = (program.nodes[node] for node in seen)
    return sorted({int(str(node.value)) for node in below if node.op is Op.INPUT})


def _gap(program: Program, sides: Sequence[int], system: NumberSystem) -> Callable[[Case], Any]:
    """The difference of the sides of a comparison at a point."""

    def gap(point: Case) -> Any:
        run = OnDemand(program, system, [system.constant(x) for x in point])
        left, right = map(run.value, sides)
        return left - right

    return gap


def _solved(gap: Callable[[Case], Any], region: Region, point: Case, unknowns: Sequence[int]) -> Case | None:
    """The point with one of some inputs such that the gap is zero; None where none is found."""
    for i in unknowns:
        with suppress(ArithmeticError, ValueError):  # no value there, as of the root of a negative number
            at = [gap(_with(point, i, Fraction(k))) for k in range(3)]
            slope, bend = at[1] - at[0], at[2] - 2 * at[1] + at[0]
            if slope == 0 or abs(bend) * 2**_BITS > abs(slope):
                continue
            x = Fraction(round(-at[0] / slope * 2**_BITS), 2**_BITS)
            tied = _with(point, i, x)
            if region.allows(i, x) and gap(tied) == 0:
                return tied
    return None


def _with(point: Case, i: int, x: Fraction) -> Case:
    return [*point[:i], x, *point[i + 1 :]]
