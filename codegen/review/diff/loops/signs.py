"""Reads sums of sizes in one form: `x < 0 ? -x : x` is fabs(x) where it is added to what is never -0.

They differ in the sign of 0 alone, and in that of a NaN, which no sum tells. A sum is -0 only where both its
operands are, as rounding to the nearest has it, so that one which begins with 0 never is.
"""

from __future__ import annotations

from typing import Any

from codegen.review.diff.loops.choices import REALS, Value
from codegen.review.diff.loops.counted import Counted
from codegen.review.diff.loops.routine_loops import Carried, Turn
from codegen.review.diff.loops.routine_values import Name, Variable


class Signs(Counted):
    """Reads a version in which some numbers are known not to be -0."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.signed = dict[int, frozenset[int]]()  # by depth, what a loop has before a turn that is never -0
        self.signed_of: Carried | None = None  # the variables of the loop of which that was found last

    def _operation(self, where: Any, op: str, a: Value, b: Value) -> Value:
        found = super()._operation(where, op, a, b)
        return self._in_sizes(found) if op in ("+", "-") else found

    def _select(self, expr: Any) -> Value:
        return self._in_sizes(super()._select(expr))

    def _merged(self, condition: Value, a: Name, b: Name) -> Name:
        found = super()._merged(condition, a, b)
        if not isinstance(found, Variable) or found.value is None or found.type not in REALS:
            return found
        return found._replace(value=self._in_sizes(Value(found.value, found.type)).node)

    def _in_sizes(self, value: Value) -> Value:
        """A sum of numbers one of which is never -0, with the size of the other one where that is one."""
        op, *given = self.choices.keys[value.node]
        if op != "+" or given[0] not in REALS:
            return value
        kind, operands = str(given[0]), [int(str(n)) for n in given[1:]]
        for one, other in (operands, operands[::-1]):
            if self._is_sure(one):
                size = self.choices.sized(Value(other, kind)).node
                return Value(self.choices.node("+", kind, *sorted((one, size))), kind)
        return value

    def _is_sure(self, node: int) -> bool:
        """Whether a number is surely never -0."""
        op, *given = self.choices.keys[node]
        if op == "choice":
            return all(self._is_sure(side) for side in self.choices.sides(node))
        if op == "+":
            return any(self._is_sure(int(str(n))) for n in given[1:])
        is_known = any(node in known for known in self.signed.values())
        return op == "constant" or (op == "call" and given[0] in _SIZES) or is_known

    # What a loop leaves

    def _knows_more(self, carried: Carried, turn: Turn) -> bool:
        """Whether what begins with a number that is never -0 stays so, turn by turn, and sizes are added."""
        depth, leaves = self.depth + 1, [key[1:] for key in self._leaves(turn.node) if key[0] == "next"]
        befores = {k: self._before(depth, k, name) for k, name in enumerate(carried.names)}
        starts = self._values_of(carried.names)
        sure = {
            k for k, own in befores.items() if self.choices.keys[own][3] in REALS and self._is_sure(starts[k])
        }
        while sure:
            self.signed[depth] = frozenset(befores[k] for k in sure)
            lost = {k for k in sure if not all(self._is_sure(values[k]) for values in leaves)}
            if not lost:
                break
            sure -= lost
        parts = self.choices.all_parts([turn.node], -1) if sure else set()
        if not any(self.choices.keys[n][0] == "-x" or self.choices.keys[n][1:2] in _CALLS for n in parts):
            self.signed.pop(depth, None)
            return False
        self.signed_of = carried
        return True

    def _begin(self, loop: Any, carried: Carried) -> None:
        """The same; what another loop of this depth, or deeper, has before a turn means nothing here."""
        own = self.signed.get(self.depth + 1) if self.signed_of is carried else None
        super()._begin(loop, carried)
        self.signed = {depth: known for depth, known in self.signed.items() if depth < self.depth}
        if own is not None:
            self.signed[self.depth] = own


_SIZES = ("fabs", "fabsf")
_CALLS = [(name,) for name in _SIZES]
