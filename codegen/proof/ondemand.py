"""Lazy evaluation of a Program: only nodes that the wanted values need, and one operand of each choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codegen.ir.operations import Op
from codegen.ir.program import Program, leaf
from codegen.ir.systems import NumberSystem

UNKNOWN: Any = object()
_LAZY = (Op.SELECT, Op.AND, Op.OR)


class OnDemand:
    """A Program at one point; the `values` of nodes that were not needed so far are UNKNOWN."""

    def __init__(self, program: Program, system: NumberSystem, inputs: Sequence[Any]) -> None:
        self.program = program
        self.system = system
        self.inputs = inputs
        self.values: list[Any] = [UNKNOWN] * len(program.nodes)
        self.reached: set[tuple[int, int]] = set()  # choices, and the operands that they have taken

    def value(self, node: int) -> Any:
        """The value of a node."""
        nodes, values, system = self.program.nodes, self.values, self.system
        stack = [node]
        while stack:
            i = stack[-1]
            op, args, _ = nodes[i]
            wanted = self._wanted(op, args) if values[i] is UNKNOWN else []
            if wanted:
                stack += wanted
                continue
            stack.pop()
            if values[i] is UNKNOWN:
                if op in _LAZY:
                    chosen = _chosen(op, args, values[args[0]])
                    values[i] = values[chosen]
                    self.reached.add((i, chosen))
                else:
                    values[i] = (
                        system.table[op](*(values[a] for a in args))
                        if args
                        else leaf(nodes[i], system, self.inputs)
                    )
        return values[node]

    def _wanted(self, op: Op, args: Sequence[int]) -> list[int]:
        """The arguments that must be evaluated first, the last one first."""
        if op in _LAZY:
            condition = self.values[args[0]]
            args = args[:1] if condition is UNKNOWN else (_chosen(op, args, condition),)
        return [a for a in reversed(args) if self.values[a] is UNKNOWN]


def _chosen(op: Op, args: Sequence[int], condition: bool) -> int:
    """The argument whose value a choice has."""
    if op is Op.SELECT:
        return args[1] if condition else args[2]
    return args[1] if bool(condition) == (op is Op.AND) else args[0]
