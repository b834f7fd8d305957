"""Whether conditions determine the results that they are about, or leave some of them open."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from codegen.ir.program import Program, evaluate, evaluate_beside
from codegen.ir.systems import NumberSystem

_STEP = Fraction(1, 10**20)
"""By how much each result is changed; numbers have 60 digits."""

_NOTHING = Fraction(1, 10**10)
"""A change of a condition, in proportion to that of the result, that counts as none."""


def determines(
    program: Program,
    system: NumberSystem,
    inputs: Sequence[Any],
    results: Sequence[Any],
    zeros: Sequence[Any],
    places: Sequence[int],
) -> bool:
    """Whether a small change of some results, whichever it is, changes what is zero where conditions hold.

    `program` computes these `zeros` from inputs and results, in a system of many digits. The derivatives by
    the results at these `places`, as differences, must be linearly independent. ArithmeticError or ValueError
    where a condition has no value at the results or beside them.
    """
    step = system.constant(_STEP)
    here = evaluate(program, system, [*inputs, *results])
    slopes = []
    for k in places:
        beside = evaluate_beside(program, system, here, len(inputs) + k, results[k] + step).results
        slopes.append([(b - a) / step for a, b in zip(zeros, beside, strict=True)])
    return _are_independent(slopes, system.constant(_NOTHING))


def _are_independent(rows: list[list[Any]], least: Any) -> bool:
    """Whether no row is a combination of the others, by elimination with the largest pivots."""
    left = list(rows)
    while left:
        row = left.pop()
        k, pivot = max(enumerate(row), key=lambda entry: abs(entry[1]), default=(0, 0))
        if abs(pivot) <= least:
            return False
        left = [_eliminated(other, row, k) if other[k] else other for other in left]
    return True


def _eliminated(row: list[Any], pivoted: list[Any], k: int) -> list[Any]:
    """A row less the multiple of another one that leaves 0 at place k."""
    scale = row[k] / pivoted[k]
    return [x - scale * y if y else x for x, y in zip(row, pivoted, strict=True)]
