"""Lazy evaluation of a Program: only nodes that the wanted values need, and one operand of each choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codegen.ir.operations import Op
from codegen.ir.program import Program, leaf
from codegen.ir.systems import NumberSystem

UNKNOWN: Any = object()
_LAZY = frozenset({Op.SELECT, Op.AND, Op.OR})


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
        nodes, values, table = self.program.nodes, self.values, self.system.table
        stack = [node]
        while stack:
            i = stack[-1]
            if values[i] is not UNKNOWN:
                stack.pop()
                continue
            op, args, _ = nodes[i]
            if op in _LAZY:
                self._choose(i, op, args, stack)
            elif len(args) == 2:  # as most have; what is written for any number below takes twice as long
                left, right = args
                x, y = values[left], values[right]
                if y is UNKNOWN:
                    stack.append(right)
                if x is UNKNOWN:
                    stack.append(left)
                elif y is not UNKNOWN:
                    values[i] = table[op](x, y)
                    stack.pop()
            elif not args:
                values[i] = leaf(nodes[i], self.system, self.inputs)
            else:
                wanted = [a for a in reversed(args) if values[a] is UNKNOWN]
                if wanted:
                    stack += wanted
                else:
                    values[i] = table[op](*[values[a] for a in args])
        return values[node]

    def _choose(self, i: int, op: Op, args: Sequence[int], stack: list[int]) -> None:
        """Give a choice its value, or request the condition or operand that it needs first."""
        values = self.values
        if values[args[0]] is UNKNOWN:
            stack.append(args[0])
            return
        chosen = _chosen(op, args, values[args[0]])
        if values[chosen] is UNKNOWN:
            stack.append(chosen)
        else:
            values[i] = values[chosen]
            self.reached.add((i, chosen))


def _chosen(op: Op, args: Sequence[int], condition: bool) -> int:
    """The argument whose value a choice has."""
    if op is Op.SELECT:
        return args[1] if condition else args[2]
    return args[1] if bool(condition) == (op is Op.AND) else args[0]
