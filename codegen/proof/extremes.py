"""Selects that are extremes: what selects the smaller or larger of two, or of x and -x, as such an operation.

Where both are equal it does not matter which is selected, whether the comparison is < or <=.
"""

from __future__ import annotations

from typing import TypeAlias

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program, value_numbers
from codegen.ir.rewriting import Builder, rebuild

_Extreme: TypeAlias = tuple[Op, tuple[int, ...]]


def with_extremes(program: Program) -> Program:
    """The Program with MIN, MAX and ABS in place of such selects."""
    numbers = value_numbers(program, {})
    found = {i: e for i, node in enumerate(program.nodes) if (e := _extreme(program, numbers, node))}
    made: dict[int, int] = {}

    def rule(graph: Builder, node: Node, old: int) -> int:
        if old in found:
            op, operands = found[old]
            made[old] = graph.add(op, *(made[i] for i in operands))
        else:
            made[old] = graph.add(node.op, *node.args, value=node.value)
        return made[old]

    return rebuild(program, rule)


def _extreme(program: Program, numbers: list[int], node: Node) -> _Extreme | None:
    """What a select computes, with its operands, if it is such an operation."""
    if node.op is not Op.SELECT or program.nodes[node.args[0]].op not in (Op.LT, Op.LE):
        return None
    condition, then, otherwise = node.args
    low, high = program.nodes[condition].args
    if (numbers[then], numbers[otherwise]) == (numbers[low], numbers[high]):
        return Op.MIN, (low, high)
    if (numbers[then], numbers[otherwise]) == (numbers[high], numbers[low]):
        return Op.MAX, (low, high)
    for x, zero, positive, negative in ((low, high, otherwise, then), (high, low, then, otherwise)):
        opposite = program.nodes[negative]
        if (
            program.nodes[zero] == Node(Op.CONSTANT, (), 0)
            and numbers[positive] == numbers[x]
            and opposite.op is Op.NEG
            and numbers[opposite.args[0]] == numbers[x]
        ):
            return Op.ABS, (x,)
    return None
