"""Whether round-off changes a status: the two sides of a comparison differ by less than their round-off.

A matrix may be singular up to rounding, for example: the status of the function then differs from that of the
exact mathematics, and neither is wrong. Where both sides are equal, or both are exact, a comparison is
decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from codegen.ir.domain import Case
from codegen.ir.operations import Op
from codegen.ir.program import Program
from codegen.ir.sizes import LEEWAY, Sized
from codegen.ir.systems import Precision
from codegen.verify.statuses import statuses


def is_changed_by_rounding(
    program: Program, case: Case, status: int, values: Sequence[Any], precision: Precision
) -> bool:
    """Whether the Program has another status in the precision's arithmetic, and may have it.

    `status` and the sized `values` of its nodes are those of the exact mathematics.
    """
    return _is_undecided(program, values, precision) and statuses(program, precision, [case]) != [status]


def _is_undecided(program: Program, values: Sequence[Any], precision: Precision) -> bool:
    """Whether a condition of the status may be met or not, where the nodes have these sized values."""
    truth: dict[int, bool | None] = {}
    for node in _conditions(program):
        op, args, _ = program.nodes[node]
        if op in (Op.LT, Op.LE):
            near = all(isinstance(values[i], Sized) for i in args) and _near(program, args, values, precision)
            truth[node] = None if near else values[node]
        elif op in (Op.AND, Op.OR):
            truth[node] = _joined([truth[i] for i in args], op is Op.OR)
        elif op is Op.NOT:
            truth[node] = None if truth[args[0]] is None else not truth[args[0]]
        else:
            truth[node] = values[node]
    return any(truth[node] is None for node, _ in program.status)


def _joined(sides: Sequence[bool | None], decisive: bool) -> bool | None:
    """And, or Or of which True is decisive; None where a side that is undecided matters."""
    if decisive in sides:
        return decisive
    return None if None in sides else not decisive


def _conditions(program: Program) -> list[int]:
    """The nodes that are conditions of the status, or parts of one, in their order."""
    found: set[int] = set()
    stack = [node for node, _ in program.status]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            op, args, _ = program.nodes[node]
            stack += args if op in (Op.AND, Op.OR, Op.NOT) else ()
    return sorted(found)


def _near(program: Program, args: Sequence[int], values: Sequence[Any], precision: Precision) -> bool:
    apart = abs(values[args[0]].value - values[args[1]].value)
    size = sum(values[i].size for i in args if not _is_exact(program, i, values[i], precision))
    return bool(apart and apart <= LEEWAY * float(precision.eps) * size)


def _is_exact(program: Program, node: int, value: Sized, precision: Precision) -> bool:
    """Whether the compiled function has exactly this value: an input, or a number that the precision has."""
    op, _, number = program.nodes[node]
    constant = op is Op.CONSTANT and isinstance(number, Fraction)
    return value.is_exact or (constant and precision.rounded(number) == number)
