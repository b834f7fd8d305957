"""Reads routines a third time, where a loop may be split: unrolled, or with a turn of it before or behind.

Each law is proven for any number of turns. If every turn of a loop makes some turns of the loop behind it,
from whatever its variables and memory hold before, both are the second loop; so is a first turn that stands
before a loop. A loop and a last turn behind it are the loop that stops one turn later.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from codegen.review.diff.functions.types import narrow_range
from codegen.review.diff.loops.choices import SIGNED, Value
from codegen.review.diff.loops.fused import Fused
from codegen.review.diff.loops.neighbours import (
    AsLoop,
    Behind,
    Made,
    Placed,
    Tested,
    as_loops,
    behind,
    block_of,
    declared_by,
    in_scope,
    is_plain_loop,
    may_be_in_a_turn,
    names_and_declared,
    names_in,
    names_of,
    turn_of,
    without_head,
)
from codegen.review.diff.loops.routine_loops import Carried, Step, Ways, assigned, parts_of
from codegen.review.diff.loops.routine_values import State, Variable, Walker
from codegen.review.diff.loops.routines import departs
from codegen.review.diff.loops.second_look import WithinInt
from codegen.review.diff.loops.whole_numbers import added
from codegen.review.diff.text.trees import NAMING, declared_in, kinds_of

_MOST_STATEMENTS = 6
"""Limit on the statements that are read as one turn of the loop beside them."""

_LATER = {"<": "<=", ">": ">="}
"""The test of a loop that stops one turn later, by its test."""


class Joined(Fused):
    """Reads a version in which several loops may be one."""

    def _otherwise(self, first: Any, rest: Sequence[Any], ways: Ways) -> int | None:
        if isinstance(first, Made):
            self._made(first)
            return self._run(rest, ways)
        if (found := super()._otherwise(first, rest, ways)) is not None:
            return found
        for law in (
            self._turned,
            self._as_while,
            self._fused,
            self._absorbed,
            self._begun,
            self._ended_later,
            self._in_variable,
            self._opened,
        ):
            if (statements := self._known(law, first, rest)) is not None:
                return self._run(statements, ways)
        return None

    # A block with a loop in it

    def _opened(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """The statements of a block, where what it declares has a name of its own, beside what follows."""
        from pycparser import c_ast

        items = first.block_items if isinstance(first, c_ast.Compound) else None
        if not items or not rest or departs(first) or any(isinstance(item, Made) for item in items):
            return None
        kinds = kinds_of(first)
        if kinds.isdisjoint(("For", "While", "DoWhile")) or not kinds.isdisjoint(NAMING):
            return None
        own = declared_in(first)
        others = set[str]().union(*map(names_and_declared, rest))
        is_alone = own.isdisjoint(others) and own.isdisjoint(self.source.data)
        return [block_of([*items, *rest], first)] if is_alone else None

    # A loop that begins with a test that holds

    def _as_while(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """`do { ... } while (c);` where c holds before as `while (c) { ... }`."""
        from pycparser import c_ast

        if not isinstance(first, c_ast.DoWhile) or not self._tried(lambda: self._is(first.cond, True)):
            return None
        return [c_ast.While(first.cond, first.stmt, first.coord), *rest]

    # A loop of whose turns each makes some turns of the loop behind it

    def _absorbed(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """Two loops, or a loop and a last turn, that are the second loop alone."""
        what = behind(first, rest) if is_plain_loop(first) else None
        for later in as_loops(what.statement, first) if what is not None else ():
            if what is not None and self._is_alike([first.stmt], later.loop):
                found = self._tried(partial(self._absorbed_by, first, what, later))
                if found is not None:
                    return found
        return None

    def _absorbed_by(self, first: Any, what: Behind, later: AsLoop) -> list[Any] | None:
        """The same for what is behind as a loop."""
        from pycparser import c_ast

        before, part, whole = parts_of(getattr(first, "init", None)), without_head(first), later.loop
        between, whole = [*what.between, *parts_of(getattr(whole, "init", None))], without_head(whole)
        if declared_by(before) & names_in([*between, whole]):
            return None
        self._steps([*what.declared, *before])
        start, changing = self.state, self._tried(partial(self._changing, part, between))
        between = between if changing is None else changing
        if not self._is_quiet(between):
            return None
        kept = names_of(whole) - {*self._whole_turn(whole)[0].lost}
        self.state = start
        steps = {n: step for n, step in self._whole_turn(part)[0].steps.items() if step.last == 0}
        both = c_ast.Compound([part, whole], first.coord)
        self.outer, self.path = (*self.outer, self.path), self.choices.truth(True).node
        self._begin(both, self._open(both, steps))
        differing = self._turns_of(part, whole, between, kept)
        if differing is None or (later.is_turn and not self._is_once(part, whole, between)):
            return None
        forgets = self._lost_after(first, differing | later.stepped)
        if forgets is None:
            return None
        inside = [*before, Tested(first.cond), *between, whole, *forgets]
        return [*what.declared, *in_scope(inside, first), *what.after]

    def _changing(self, loop: Any, behind_it: Sequence[Any]) -> list[Any]:
        """The statements behind a loop that change anything: `i = n` does not where the loop leads i to n."""
        self._steps([loop])
        found = list[Any]()
        for statement in behind_it:
            before = self.state
            if self._steps([statement]) or self.state != before:
                found.append(statement)
        return found

    def _open(self, statement: Any, steps: Mapping[str, Step]) -> Carried:
        """The variables to which a statement assigns, with any values but for those that are counted."""
        known = self.state.names
        named = [n for n in assigned(statement) if isinstance(known.get(n), Variable | Walker)]
        return Carried(self.loops, sorted({*named} - {*steps}), steps, [])

    def _turns_of(self, part: Any, whole: Any, between: Sequence[Any], kept: set[str]) -> set[str] | None:
        """The variables that differ after a turn, and after the turns of the whole loop that it makes."""
        begun, objects = self.state, self.objects
        with self._under(self._truth(part.cond), True):
            doubts = self._steps(turn_of(part))
            # its first test is made in any case, and each other one behind such a turn
            if self._asked_of(self._test_of(part.cond)[1]) or not self._is_quiet(between):
                return None
            made, self.state, self.objects = self.state, begun, objects
            differing = self._as_many(whole, made, doubts, kept) if self._is_quiet(between) else None
        self.state = begun
        return differing

    def _is_once(self, part: Any, whole: Any, between: Sequence[Any]) -> bool:
        """Whether a loop makes one turn at most where another one, from any turn of it, has ended."""
        with self._under(self._truth(part.cond), False):
            if not self._is_quiet(between):
                return False
            with self._under(self._truth(whole.cond), True):
                self._steps([block_of([whole.stmt], whole)])
                return self._is_quiet(parts_of(whole.next)) and self._is(whole.cond, False)

    # A first turn before its loop

    def _begun(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """The first turn of a loop, under its test or where that holds, and the loop behind it."""
        from pycparser import c_ast

        if isinstance(first, c_ast.If) and first.iffalse is None and not departs(first):
            what = behind(first, rest)
            if _are_turns(rest):
                what = self._tried(partial(self._behind_turns, first, rest))
            if what is not None and is_plain_loop(what.statement):
                found = self._tried(partial(self._begun_by, [first.iftrue], first.cond, what))
                if found is not None:
                    return found
        every = [first, *rest[:_MOST_STATEMENTS]]
        for k, statement in enumerate(every):
            if is_plain_loop(statement):
                what = Behind([], [], statement, rest[k:])
                return self._tried(partial(self._begun_by, every[:k], None, what)) if k else None
            if not may_be_in_a_turn(statement):
                return None
        return None

    def _behind_turns(self, first: Any, rest: Sequence[Any]) -> Behind | None:
        """What is behind a turn where further ones stand before their loop: with these, it is that loop."""
        self._steps([first])
        found = self._begun(rest[0], rest[1:])
        return None if found is None else behind(first, found)

    def _begun_by(self, turn: Sequence[Any], test: Any, what: Behind) -> list[Any] | None:
        """The same for the statements of the turn and their test, if they have one."""
        loop, where = without_head(what.statement), what.statement
        between = [*what.between, *parts_of(getattr(where, "init", None))]
        if not self._is_alike(turn, loop) or declared_by(turn) & names_in([*between, loop, *what.after]):
            return None
        self._steps(what.declared)
        goes = self.choices.truth(True) if test is None else self._truth(test)
        start, objects = self.state, self.objects
        self._enter()
        with self._under(goes, True):
            doubts = self._steps([block_of(turn, where)])
            if not self._is_quiet(between):
                return None
            made = self.state
            carried = self._whole_turn(loop)[0]
            begins = self._one_turn_before(carried)
            self.state, self.objects = start, objects
            if begins is None or not self._is_quiet(between) or not {*begins} <= self.state.names.keys():
                return None
            plain, placed = self.state, Placed(begins)
            self._made(placed)
            begun = self.state
            differing = self._as_many(loop, made, doubts, names_of(loop) - {*carried.lost})
        if differing is None or (test is not None and not self._does_nothing(loop, goes, (plain, begun))):
            return None
        changed = {n for n in begins if plain.names[n] != begun.names[n]} if test is not None else set[str]()
        forgets = self._lost_after(where, differing | changed)
        if forgets is None:
            return None
        tested = [] if test is None else [Tested(test)]
        inside = [*tested, *between, placed, loop, *forgets]
        return [*what.declared, *in_scope(inside, where), *what.after]

    def _one_turn_before(self, carried: Carried) -> dict[str, int] | None:
        """The values of counted variables one turn before; None where these may be out of their type."""
        found = dict[str, int]()
        for name, step in carried.steps.items():
            (now,), what = self._values_of([name]), self.state.names[name]
            back = -step.each if isinstance(step.each, int) else added({}, step.each, -1)
            found[name] = self._stepped(now, back, None)
            is_signed = isinstance(what, Variable) and what.type in SIGNED
            is_narrow = isinstance(what, Variable) and narrow_range(what.type) is not None
            if (
                step.last != 0
                or is_narrow
                or not (is_signed or self._is_never_negative(self.choices.polynomial(found[name])))
            ):
                return None
        return found

    def _does_nothing(self, loop: Any, goes: Value, states: Sequence[State]) -> bool:
        """Whether a loop makes no turn from some states where something does not hold."""
        found = list[bool]()
        with self._under(goes, False):
            for self.state in states:
                found.append(self._is(loop.cond, False))
        return all(found)

    # A last turn behind its loop

    def _ended_later(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """A loop, and behind it the turn that it makes where it stops one turn later."""
        from pycparser import c_ast

        if not is_plain_loop(first) or getattr(first.cond, "op", "") not in _LATER:
            return None
        for k, statement in enumerate(rest[:_MOST_STATEMENTS], 1):
            if not may_be_in_a_turn(statement):
                return None
            ways: list[tuple[Any, Sequence[Any]]] = [(None, rest[:k])]
            if k == 1 and isinstance(statement, c_ast.If) and statement.iffalse is None:
                ways.insert(0, (statement.cond, [statement.iftrue]))
            for test, turn in ways:
                if not self._is_alike(turn, first) or declared_by(turn) & names_in(rest[k:]):
                    continue
                found = self._tried(partial(self._ended_by, first, test, turn, rest[k:]))
                if found is not None:
                    return found
        return None

    def _ended_by(self, first: Any, test: Any, turn: Sequence[Any], after: Sequence[Any]) -> list[Any] | None:
        """The same for the statements of the turn and their test, if they have one."""
        from pycparser import c_ast

        before, longer, old = parts_of(getattr(first, "init", None)), without_head(first), first.cond
        if declared_by(before) & names_in([*turn, *([] if test is None else [test])]):
            return None
        longer.cond = c_ast.BinaryOp(_LATER[old.op], old.left, old.right, old.coord)
        self._steps(before)
        read = self._read_alone(without_head(first))
        number = None if read is None else self._count(read.turn)
        if number is None:
            return None
        is_number = self._decided(self.choices.positive(added(number, {(): 1})).node)
        ended, is_known = self.state, Value(is_number, "truth")
        self._enter()
        differing = set[str]()
        for holds in (True, False):
            if is_known == self.choices.truth(not holds):
                continue
            with self._under(is_known, holds):
                self.state = self._where(ended, is_known, holds)
                found = self._last_turn(longer, test, turn)
            if found is None:
                return None
            differing |= found
        forgets = self._lost_after(first, differing)
        return None if forgets is None else [*in_scope([*before, longer, *forgets], first), *after]

    def _last_turn(self, longer: Any, test: Any, turn: Sequence[Any]) -> set[str] | None:
        """The variables that differ after a turn behind a loop and after the last one of the longer loop.

        What its test leaves undefined where the loop has ended, the test of that loop does there, too.
        """
        reached, objects, known = self.state, self.objects, self._test_of(longer.cond)[1]
        goes, doubts = self.choices.truth(True), set[int]()
        if test is not None:
            truth, doubts = self._test_of(test)
            goes = Value(truth, "truth")
        if doubts or not self._does_last(longer.cond, goes, known):
            return None
        if goes == self.choices.truth(False):
            return set()
        with self._under(goes, True):
            left = self._steps([block_of(turn, longer)])
            made, self.state, self.objects = self.state, reached, objects
            is_same = self._steps(turn_of(longer)) == left and self._is(longer.cond, False, known)
            return self._differing(made, self.state) if is_same else None

    def _does_last(self, condition: Any, goes: Value, known: Collection[int]) -> bool:
        """Whether a condition holds where a truth value does, and there alone."""
        found = list[bool]()
        for holds in (True, False):
            if goes != self.choices.truth(not holds):
                with self._under(goes, holds):
                    found.append(self._is(condition, holds, known))
        return all(found)


def _are_turns(statements: Sequence[Any]) -> bool:
    """Whether a few statements, each under a test, stand before a loop."""
    names = [type(statement).__name__ for statement in statements[: _MOST_STATEMENTS + 1]]
    behind_them = next((k for k, name in enumerate(names) if name != "If"), 0)
    what = behind(statements[behind_them - 1], statements[behind_them:]) if behind_them else None
    return what is not None and is_plain_loop(what.statement)


class JoinedWithinInt(Joined, WithinInt):
    """Reads a new version in this way."""
