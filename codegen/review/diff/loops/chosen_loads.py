"""Reads a load behind a choice as the choice among what it loads on each way.

Behind `if (c) { x[i] = 0.0F; }`, x[i] is 0 where c holds, and else what it was.
"""

from __future__ import annotations

from codegen.review.diff.loops.choices import Value
from codegen.review.diff.loops.few_turns import FewTurns
from codegen.review.diff.loops.memory_chains import held_at
from codegen.review.diff.loops.routine_values import Place

_MOST_CHOICES = 4
"""Limit on the choices through which is looked, one behind the other."""


class ChosenLoads(FewTurns):
    """Reads a version in which choices may store to what is loaded."""

    def _held_at(self, place: Place) -> Value:
        if not self._is_told(self.state.memory, place, _MOST_CHOICES):
            return super()._held_at(place)
        outside, sides = self.state, list[int]()
        memory, _ = held_at(self.choices, outside.memory, place.type, place.node)
        test, *befores = (int(str(n)) for n in self.choices.keys[memory][1:])
        for holds, before in zip((True, False), befores, strict=True):
            self.state = type(outside)(outside.names, before)
            with self._under(Value(test, "truth"), holds):
                sides.append(self._held_at(place).node)
        self.state = outside
        return Value(self.choices.chosen(test, *sides), place.type)

    def _is_told(self, memory: int, place: Place, most: int) -> bool:
        """Whether what is at a place is known on one of the ways that led to a memory, but not in general."""
        if self.choices.keys[place.node][0] == "choice":
            return False
        before, held = held_at(self.choices, memory, place.type, place.node)
        key = self.choices.keys[before]
        if held is not None or key[0] != "choice" or most == 0:
            return False
        for side in key[2:]:
            _, value = held_at(self.choices, int(str(side)), place.type, place.node)
            if value is not None or self._is_told(int(str(side)), place, most - 1):
                return True
        return False
