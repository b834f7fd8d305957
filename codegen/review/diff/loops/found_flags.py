"""Reads a flag that tells whether a loop has changed another variable: `found` beside an index from -1 on.

`best = -1; found = 0; for (...) { if (...) { best = i; found = 1; } }`: before and behind each turn, found is
1 where best is not below 0, and there alone, if this holds before the loop and each turn leaves it so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from codegen.review.diff.loops.choices import SIGNED, Value
from codegen.review.diff.loops.chosen_loads import ChosenLoads
from codegen.review.diff.loops.routine_loops import Carried, Sign, Turn

_FLAGS = ("int", "unsigned", "truth")
"""The types of variables that may be flags."""


class FoundFlags(ChosenLoads):
    """Reads a version in which a variable may tell what another one does."""

    def _whole_turn(self, loop: Any) -> tuple[Carried, Turn]:
        outside = (dict(self.within), self.objects, self.loops)
        carried, turn = super()._whole_turn(loop)
        for name in carried.names:
            sign = self._sign(carried, turn, name)
            if sign is not None:
                self.within, self.objects, self.loops = outside
                names = [other for other in carried.names if other != name]
                carried = carried._replace(names=names, told={**carried.told, name: sign})
                self.loops = carried.loop
                touched = self.met
                turn = self._turn(loop, carried)  # which begins with nothing met
                self.met = [*touched, *self.met]
        if self.read_last is not None and self.read_last.loop is loop:
            self.read_last = self.read_last._replace(carried=carried, turn=turn)
        return carried, turn

    def _begin(self, loop: Any, carried: Carried) -> None:
        super()._begin(loop, carried)
        self._tell(carried)

    def _follow(self, carried: Carried, loop: int, guard: Value, turns: int) -> None:
        super()._follow(carried, loop, guard, turns)
        self._tell(carried)

    def _tell(self, carried: Carried) -> None:
        """Give flags the values that other variables tell."""
        for name, sign in reversed([*carried.told.items()]):  # one that tells another one may be told, too
            (held,) = self._values_of([sign.name])
            value = self._told_by(sign, held)
            self._set([name], lambda _, value=value: value)  # type: ignore[misc]

    # Which variables are told

    def _sign(self, carried: Carried, turn: Turn, name: str) -> Sign | None:
        """What tells a variable of a loop before and behind each turn; None where nothing does."""
        k, ends = [*carried.names].index(name), self._ends_of(turn)
        own, (start,) = self._before(self.depth + 1, k, name), self._values_of([name])
        values = {n for end in ends for n in self.choices.sides(end[k])} - {own, start}
        is_flag = self.choices.keys[own][3] in _FLAGS and self._is_constant(start)
        if not is_flag or len(values) != 1 or not all(map(self._is_constant, values)):
            return None
        (then,) = values
        for i, other in enumerate(carried.names):
            (begun,) = self._values_of([other])
            kind = self.choices.keys[self._before(self.depth + 1, i, other)][3]
            if i == k or kind not in SIGNED or not self._is_constant(begun):
                continue
            for side in (1, -1, 0):
                sign = Sign(other, begun, side, start, then)
                if self._stays_told(carried, ends, (k, i), sign):
                    return sign
        return None

    def _ends_of(self, turn: Turn) -> list[list[int]]:
        """What variables are behind a turn, on each of its ways but by a return."""
        found = [key[1:] for key in self._leaves(turn.node) if key[0] in ("next", "exit")]
        return [[int(str(n)) for n in end] for end in found]

    def _is_constant(self, node: int) -> bool:
        return self.choices.keys[node][0] in ("constant", "truth")

    def _stays_told(
        self, carried: Carried, ends: Sequence[Sequence[int]], places: tuple[int, int], sign: Sign
    ) -> bool:
        """Whether a sign that tells a variable before a turn tells it behind the turn, too."""
        depth, (k, i) = self.depth + 1, places
        own, other = (self._before(depth, place, carried.names[place]) for place in places)
        by = {own: self._told_by(sign, other)}
        return all(
            self.choices.substituted(end[k], by, depth)
            == self._each_of(self.choices.substituted(end[i], by, depth), partial(self._told_by, sign))
            for end in ends
        )

    def _told_by(self, sign: Sign, held: int) -> int:
        """What a flag is where the other variable holds a value, as C tells it."""
        begun, number = Value(sign.begun, "int"), Value(held, "int")
        one = self.choices.constant(Fraction(1), "int")
        if sign.side == 0:
            test = self.choices.equal(number, begun)
        elif sign.side > 0:
            test = self.choices.less(number, self.choices.arithmetic("+", begun, one))
        else:
            test = self.choices.less(self.choices.arithmetic("-", begun, one), number)
        return self.choices.chosen(self._decided(test.node), sign.first, sign.then)

    def _each_of(self, node: int, by: Callable[[int], int]) -> int:
        """A choice with others in place of the values among which it is made."""
        key = self.choices.keys[node]
        if key[0] != "choice":
            return by(node)
        test, *sides = (int(str(n)) for n in key[1:])
        return self.choices.chosen(test, *(self._each_of(side, by) for side in sides))
