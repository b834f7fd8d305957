"""Bounds of the round-off of long computations that forget errors, by the slopes of the results.

To first order, the error of a result is the sum of the errors of all operations, each multiplied by the slope
of the result by that operation's value. Unlike sizes, which are propagated forwards, this sum knows that the
turns of a filter, or of Newton's method, make earlier errors smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.systems import NumberSystem

_EXACT = (Op.INPUT, Op.NEG, Op.ABS, Op.SELECT, Op.MIN, Op.MAX)
"""The operations without round-off."""

_PLAIN: Mapping[Op, Callable[..., Sequence[Any]]] = {
    Op.ADD: lambda a, b: (1, 1),
    Op.SUB: lambda a, b: (1, -1),
    Op.NEG: lambda a: (-1,),
    Op.MUL: lambda a, b: (b, a),
}
"""The slopes of the operations that are most frequent by far."""

_STEP = Fraction(1, 10**20)
"""The step of the slope of another operation, relative to its argument; the values have 50 digits."""


def adjoint_sizes(program: Program, system: NumberSystem, values: Sequence[Any]) -> list[float] | None:
    """The error of each result in units of eps, to first order; None where it has no slopes.

    `values` are those of all nodes. A Program with tables has none, as rounding may decide their cells.
    """
    if any(node.op in (Op.CELL, Op.STEP, Op.FLOOR, Op.ENTRY) for node in program.nodes):
        return None
    slope = np.zeros((len(program.nodes), len(program.results)))
    for k, result in enumerate(program.results):
        slope[result, k] = 1
    found = np.zeros(len(program.results))
    try:
        for i in range(len(program.nodes) - 1, -1, -1):
            node = program.nodes[i]
            if not slope[i].any():
                continue
            if node.op not in _EXACT:
                found += abs(slope[i]) * float(abs(values[i]))
            for a, by in _slopes(node, system, values, values[i]):
                slope[a] += slope[i] * by
    except (ZeroDivisionError, ValueError, OverflowError):
        return None
    return [float(x) for x in found] if np.isfinite(found).all() else None


def _slopes(
    node: Node, system: NumberSystem, values: Sequence[Any], value: Any
) -> Iterator[tuple[int, float]]:
    """The numbers that a node is computed from, and its slope by each."""
    given = [values[a] for a in node.args]
    if node.op in _PLAIN:
        yield from zip(node.args, map(float, _PLAIN[node.op](*given)), strict=True)
        return
    for k, a in enumerate(node.args):
        if isinstance(given[k], bool):
            continue
        step = system.constant(_STEP) * (abs(given[k]) or 1)
        moved = system.table[node.op](*given[:k], given[k] + step, *given[k + 1 :])
        yield a, float((moved - value) / step)
