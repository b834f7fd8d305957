"""Reads loops beside each other apart where a number is above 0 and where it is not.

`for (i = 0; i < n / 2; i++)` and the loop behind it from n / 2 on are one loop only where n is not negative;
where it is, neither makes a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from codegen.review.diff.loops.choices import Value
from codegen.review.diff.loops.neighbours import behind, is_plain_loop
from codegen.review.diff.loops.routine_loops import Carried, Turn, Ways, parts_of
from codegen.review.diff.loops.routine_values import State
from codegen.review.diff.loops.routines import departs
from codegen.review.diff.loops.whole_numbers import constant_of
from codegen.review.diff.loops.without_end import WithoutEnd


class InCases(WithoutEnd):
    """Reads a version in which the quotient of a number tells where loops end."""

    def _otherwise(self, first: Any, rest: Sequence[Any], ways: Ways) -> int | None:
        if (found := super()._otherwise(first, rest, ways)) is not None:
            return found
        for law in (self._ended_alike, self._rolled, self._parted, self._switched, self._broken):
            if (statements := self._known(law, first, rest)) is not None:
                return self._run(statements, ways)
        what = behind(first, rest) if is_plain_loop(first) or _is_choice(first) else None
        if what is None or departs(what.statement):
            return None
        number = len(rest) - len(what.after)
        for case in self._tried(partial(self._cases, first)) or ():
            if self._tried(partial(self._is_one_in, case, first, rest)):
                self._in_both(case, [first, *rest[:number]])
                return self._run(what.after, ways)
        return None

    def _guarded_turn(self, loop: Any) -> tuple[Carried, Turn, Value]:
        """The same, where what is used in a turn is what it is where there is one."""
        kept, before = (dict(self.within), self.objects, self.loops), self.state
        carried, turn, guard = super()._guarded_turn(loop)
        under = self._where(before, guard, True)
        if under != before:
            self.within, self.objects, self.loops = kept
            self.state = under
            carried, turn, _ = super()._guarded_turn(loop)
            self.state = before
        return carried, turn, guard

    def _cases(self, first: Any) -> list[Value]:
        """Whether numbers are above 0 whose quotients tell where a loop ends, where that is not known."""
        self._steps(parts_of(getattr(first, "init", None)))
        self._truth(first.cond)
        numbers = [whole for whole, _ in self.parts_of_numbers.values() if constant_of(whole) is None]
        found = [self.choices.positive(number) for number in numbers]
        ends = [self.choices.truth(holds).node for holds in (True, False)]
        return [case for case in dict.fromkeys(found) if self._decided(case.node) not in ends]

    def _is_one_in(self, case: Value, first: Any, rest: Sequence[Any]) -> bool:
        """Whether loops are one in the first of two cases."""
        self.state = self._where(self.state, case, True)
        with self._under(case, True):
            laws = (self._absorbed, self._ended_later, self._rolled, self._parted)
            return any(self._known(law, first, rest) is not None for law in laws)

    def _in_both(self, case: Value, statements: Sequence[Any]) -> None:
        """Read statements in either case."""
        before, after = self.state, list[State]()
        for holds in (True, False):
            self.state = self._where(before, case, holds)
            with self._under(case, holds):
                self._run(statements, Ways(lambda: 0, None, None, self._returned))
            after.append(self.state)
        a, b = after
        names = {n: self._merged(case, a.names[n], b.names[n]) for n in a.names if n in b.names}
        self.state = State(names, self.choices.chosen(case.node, a.memory, b.memory))


def _is_choice(statement: Any) -> bool:
    """Whether a statement is an `if` without an `else`, which the next statement follows."""
    return type(statement).__name__ == "If" and statement.iffalse is None and not departs(statement)
