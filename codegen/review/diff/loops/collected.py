"""Reads variables to which loops only add bits apart from what these hold before the loop.

`for (...) { status |= f(i); }` is `found = 0; for (...) { found |= f(i); } status |= found;` where the loop
uses the variable for nothing else. One that begins with 0 and becomes 4 in some turns adds the bit 4 to
itself in these: it is 0 or 4 before each turn, and both have the bits of 4 then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from codegen.review.diff.loops.cases import InCases
from codegen.review.diff.loops.choices import LEAVES, Value
from codegen.review.diff.loops.routine_loops import Carried, Turn
from codegen.review.diff.loops.second_look import WithinInt

_KINDS = ("int", "unsigned")
"""The types of variables that collect bits."""


class Collected(InCases):
    """Reads a version in which a loop may collect bits."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.held_before = dict[str, int]()  # what those held that the loop being read collects from 0 on

    def _whole_turn(self, loop: Any) -> tuple[Carried, Turn]:
        """The same; what becomes one number in some turns adds the bits of that."""
        carried, turn = super()._whole_turn(loop)
        for k in range(len(carried.names)):
            turn = turn._replace(node=self._as_bits(carried, turn, k))
        if self.read_last is not None and self.read_last.loop is loop:
            self.read_last = self.read_last._replace(turn=turn)
        return carried, turn

    def _guarded_turn(self, loop: Any) -> tuple[Carried, Turn, Value]:
        """The same, where variables that only collect bits begin with none."""
        outside, before = (dict(self.within), self.objects, self.loops), self.state
        found = super()._guarded_turn(loop)
        zero = self.choices.whole({})
        names = [name for name in self._collecting(found[0], found[1]) if self._values_of([name]) != [zero]]
        starts = dict(zip(names, self._values_of(names), strict=True))
        if starts:
            read = (dict(self.within), self.objects, self.loops)
            self.within, self.objects, self.loops = outside
            self._set(names, lambda _: zero)
            again = super()._guarded_turn(loop)  # the order of its variables is another one
            if {*names} <= {*self._collecting(again[0], again[1])}:
                found = again
            else:
                self.state, starts = before, {}
                self.within, self.objects, self.loops = read
        self.held_before = starts
        return found

    def _follow(self, carried: Carried, loop: int, guard: Value, turns: int) -> None:
        starts, self.held_before = self.held_before, {}
        super()._follow(carried, loop, guard, turns)
        for name, start in starts.items():
            kind, (after,) = self._kind(carried, name), self._values_of([name])
            joined = self.choices.joined(kind, (start, after))
            self._set([name], lambda _, joined=joined: joined)  # type: ignore[misc]

    def _kind(self, carried: Carried, name: str) -> str:
        """The type of the numbers that a variable of a loop holds."""
        own = self._before(self.depth + 1, [*carried.names].index(name), name)
        return str(self.choices.keys[own][3])

    # What collects

    def _collecting(self, carried: Carried, turn: Turn) -> Iterator[str]:
        """The variables to which each turn adds bits, and which it uses for nothing else."""
        for k, name in enumerate(carried.names):
            own = self._before(self.depth + 1, k, name)
            kind, (start,) = str(self.choices.keys[own][3]), self._values_of([name])
            if kind in _KINDS and self.choices.unset(start) == self.choices.truth(False).node:
                parts = self._parts_but(own, k, kind, turn)
                doubts = [n for doubt in turn.doubts.items() for n in doubt]
                if parts is not None and own not in self.choices.all_parts([*parts, *doubts], self.depth + 1):
                    yield name

    def _parts_but(self, own: int, k: int, kind: str, turn: Turn) -> list[int] | None:
        """What a turn is made of but a variable to which it adds bits; None where it does anything else."""
        parts = [*self.choices.tests(turn.node)]
        for key in self._leaves(turn.node):
            ends = [int(str(n)) for n in key[1:]]
            if key[0] in ("next", "exit"):
                bits = self.choices.bits(ends.pop(k), kind)
                if bits.count(own) != 1:
                    return None
                parts += [n for n in bits if n != own]
            parts += ends
        return parts

    def _as_bits(self, carried: Carried, turn: Turn, k: int) -> int:
        """A turn that adds the bits of a number to a variable where it gives it that number, if it may."""
        own, zero = self._before(self.depth + 1, k, carried.names[k]), self.choices.whole({})
        kind, (start,) = str(self.choices.keys[own][3]), self._values_of([carried.names[k]])
        leaves = [key for key in self._leaves(turn.node) if key[0] in ("next", "exit")]
        values = {n for key in leaves for n in self.choices.sides(int(str(key[k + 1])))}
        numbers = {n for n in values if self.choices.keys[n][0] == "constant"}
        if kind not in _KINDS or start != zero or len(numbers) != 1:
            return turn.node
        (number,) = numbers
        joined = self.choices.joined(kind, (own, number))
        if not values <= {own, number, joined}:
            return turn.node
        return self._mapped(turn.node, k, lambda n: joined if n == number else n)

    def _mapped(self, node: int, k: int, by: Callable[[int], int]) -> int:
        """A turn with others in place of what a variable may be behind it."""
        key = self.choices.keys[node]
        if key[0] == "choice":
            test, *sides = (int(str(n)) for n in key[1:])
            return self.choices.chosen(test, *(self._mapped(side, k, by) for side in sides))
        if key[0] not in LEAVES or key[0] == "return":
            return node
        ends = [int(str(n)) for n in key[1:]]
        ends[k] = self._each_of(ends[k], by)
        return self.choices.node(key[0], *ends)


class CollectedWithinInt(Collected, WithinInt):
    """Reads a new version in this way."""
