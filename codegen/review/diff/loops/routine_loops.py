"""Reads loops over arguments: each is one value, made of what it begins with and of what one turn does.

A variable that changes by the same number in each turn is calculated from the number of turns before, so that
`i++` beside `p += 2`, `k = 3 * i` and `left--` are the same. One whose value no turn begins with is none of
the loop's. What holds after a loop is what held before it where already its first test ends it.

A turn that leaves `done = 1` ends `while (!done)` as a break does, and `i != n` is `i < n` where the turns
lead from i to n.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from codegen.review.diff.functions.types import narrow_range
from codegen.review.diff.loops.choices import RANKS, SIGNED, TESTS, UNSIGNED, WHOLE, Choices, Value
from codegen.review.diff.loops.clearing import clearing
from codegen.review.diff.loops.endless import goes_on
from codegen.review.diff.loops.exchanged import varies
from codegen.review.diff.loops.memory_chains import without_locals
from codegen.review.diff.loops.routine_values import Place, RoutineValues, State, Variable, Walker
from codegen.review.diff.loops.whole_numbers import (
    Polynomial,
    added,
    constant_of,
    is_never_negative,
    multiplied,
)
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.sequences import STEPS
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import type_names
from codegen.review.diff.text.trees import nodes_of


@dataclass(frozen=True)
class Ways:
    """What follows a statement, on each of the ways that it may take."""

    end: Callable[[], int]
    breaks: Callable[[], int] | None
    continues: Callable[[], int] | None
    returns: Callable[[Value | None], int]


class Step(NamedTuple):
    """By how much a variable changes in each turn, and in the last one; None where that is of no interest.

    The former is a number, or made of what no turn changes: an index that inner turns count by n in each.
    """

    each: int | Polynomial
    last: int | None


class Sign(NamedTuple):
    """A variable that is `first` as long as another one is not beyond the number with which it begins.

    It is `then` where that is above it (1), below it (-1), or any other number (0).
    """

    name: str
    begun: int
    side: int
    first: int
    then: int


class Carried(NamedTuple):
    """The variables whose values one turn leaves for the next, those that are counted, and all others.

    Some of the latter are told by another one, before and behind each turn.
    """

    loop: int
    names: Sequence[str]
    steps: Mapping[str, Step]
    lost: Collection[str]
    told: Mapping[str, Sign] = MappingProxyType({})


class Turn(NamedTuple):
    """What a turn makes of what holds before it, what it may leave undefined, and whether it may return."""

    node: int
    doubts: Mapping[int, int]
    returns: bool


class RoutineLoops(RoutineValues, ABC):
    """The loops of a routine."""

    def __init__(self, item: Item, source: Source, choices: Choices, kept: Collection[str] = ()) -> None:
        super().__init__(item, source, choices, kept)
        self.live: Collection[tuple[int, str]] = ()  # the variables of loops that are used behind them
        self.objects: tuple[str, ...] = ()  # the names of those that were declared in memory
        self.depth = 0  # of loops
        self.loops = 0  # that were read
        self.within = dict[int, dict[int, int]]()  # what turns of loops may leave undefined, where they stand
        self.visited = list[int]()  # the loops that were read, by where they stand
        self.settled = dict[tuple[int, int], bool]()  # whether the first turn of a loop tells what others do
        self.unsteady = set[str]()  # the variables of the loop being read that are no counted ones
        self.kind = ""  # of what is returned

    @property
    def addressed(self) -> Collection[str]:
        """The names to whose variables pointers may point."""
        return self.item.addressed

    @abstractmethod
    def _run(self, statements: Sequence[Any], ways: Ways) -> int:
        """What is done on all ways from the first of some statements on."""

    @abstractmethod
    def _simple(self, statement: Any) -> None:
        """A statement that the next one follows."""

    @abstractmethod
    def _leave(self, block: Any, names: Any) -> None:
        """The end of a block, which declares all but these names."""

    @abstractmethod
    def _returned(self, value: Value | None) -> int:
        """A return."""

    @abstractmethod
    def _is_call(self, expr: Any) -> bool:
        """Whether an expression calls a function of the tree that may write."""

    def _loop(self, loop: Any, rest: Sequence[Any], ways: Ways) -> int:
        """A loop as one value: what it begins with, and what a turn makes of that."""
        before = self.state.names.keys()
        for part in parts_of(getattr(loop, "init", None)):
            self._simple(part)
        carried, turn, guard = self._guarded_turn(loop)
        start = self._start(carried.names)
        first = (*self._values_of(carried.names), self.state.memory)
        with self._under(guard, True):
            begun = tuple(self.choices.where(node, guard.node) for node in first)
            found = self._note("loop", self.depth + 1, begun, turn.node)
        self._keep_doubts(found, turn, start, guard)
        self._follow(carried, found, guard, self._number_of(found, turn))
        if self._writes(loop):
            after = self.choices.node("after", "memory", found)
            self.state = replace(self.state, memory=self.choices.chosen(guard.node, after, first[-1]))
        self._leave(loop, before)
        if not turn.returns:
            return self._run(rest, ways)
        is_left = any(leaf[0] == "exit" for leaf in self._leaves(turn.node))
        return self._after_return(found, guard, rest if is_left else None, ways)

    def _guarded_turn(self, loop: Any) -> tuple[Carried, Turn, Value]:
        """The variables of a loop, one turn, and whether the first one does anything."""
        carried, turn = self._whole_turn(loop)
        turn = self._in_order(carried, turn)
        is_kept = not any(step.last for step in carried.steps.values())
        if not is_kept:
            return carried, turn, self.choices.truth(True)
        return carried, turn, self._entered(turn.node, self._start(carried.names))

    def _in_order(self, _: Carried, turn: Turn) -> Turn:
        """The turn of a loop, where a reader has an order of its own for turns that may be exchanged."""
        return turn

    def _number_of(self, loop: int, _: Turn) -> int:
        """How many turns a loop makes."""
        turns = self.choices.node("turns", loop)
        self.counts.add(turns)
        return turns

    def _follow(self, carried: Carried, loop: int, guard: Value, turns: int) -> None:
        """Give the variables of a loop the values that they have after it."""
        starts = self._values_of(carried.names)
        afters = [self.choices.node("after", k, loop) for k in range(len(starts))]
        self._set(carried.names, lambda k: self.choices.chosen(guard.node, afters[k], starts[k]))
        for name, step in carried.steps.items():
            (start,) = self._values_of([name])
            end = self._stepped(start, step.each, turns)
            if step.last is not None:
                end = self._stepped(end, step.last, None)
                self._set([name], lambda _, end=end: end)  # type: ignore[misc]
        for name in (*carried.lost, *(n for n, step in carried.steps.items() if step.last is None)):
            self._set([name], lambda _, name=name: self.choices.node("lost", carried.loop, name))  # type: ignore[misc]

    def _stepped(self, start: int, step: int | Polynomial, turns: int | None) -> int:
        """What a variable is after so many turns, or after one."""
        if step == 0:
            return start  # which may be no whole number
        key = ("constant",) if turns is None else self.choices.keys[turns]
        if key[0] == "choice":
            sides = (self._stepped(start, step, side) for side in key[2:])  # type: ignore[arg-type]
            return self.choices.chosen(key[1], *sides)  # type: ignore[arg-type]
        number: Polynomial = {(): 1} if turns is None else self.choices.polynomial(turns)
        change = multiplied({(): step} if isinstance(step, int) else step, number)
        return self.choices.whole(added(self.choices.polynomial(start), change))

    def _keep_doubts(self, loop: int, turn: Turn, start: Mapping[int, int], guard: Value) -> None:
        """Note what turns of a loop may leave undefined; what is the same in each is so before the first.

        The first turn is made also where it does nothing but find that the loop has ended. The same loop may
        stand in two branches, and leave less undefined in one of them. One that surely makes no turn leaves
        undefined what its first test does.
        """
        at, never = self.choices.node("at", loop, *self.outer, self.path), self.choices.truth(False).node
        self.visited = [*self.visited, at]
        known = self.within.setdefault(at, {})
        for what, where in turn.doubts.items():
            begun = self.choices.substituted(where, start, self.depth + 1)
            if guard.node == never and self._decided(begun) == never:
                continue
            known[what] = self.choices.either(known.get(what, never), where)
            if self.choices.substituted(what, start, self.depth + 1) == what:
                first = self._decided(self.choices.substituted(where, start, self.depth + 1))
                met = self.choices.both(self.path, first)
                self.doubts[what] = self.choices.either(self.doubts.get(what, never), met)
                # a turn behind the first one is reached where that has led to it
                is_first = self.choices.implies(goes_on(self.choices, turn.node), where)
                self.settled[at, what] = self.settled.get((at, what), True) and is_first

    def _after_return(self, loop: int, guard: Value, rest: Sequence[Any] | None, ways: Ways) -> int:
        """What follows a loop with a return in it; None where nothing but its returns leads out of it."""
        test = Value(self.choices.both(guard.node, self.choices.node("returned", loop)), "truth")
        before = self.state
        value = None if self.kind == "void" else Value(self.choices.node("result", loop), self.kind)
        a = ways.returns(value)
        if rest is None:
            return a
        self.state = before
        with self._under(test, False):
            return self.choices.chosen(test.node, a, self._run(rest, ways))

    # What a loop begins with

    def _start(self, names: Sequence[str]) -> dict[int, int]:
        """What holds before the first turn, by what stands for what holds before any."""
        depth = self.depth + 1
        befores = [self._before(depth, k, name) for k, name in enumerate(names)]
        memory, turn = self.choices.node("before", depth, "memory"), self.choices.node("turn", depth)
        held = dict(zip(befores, self._values_of(names), strict=True))
        return {**held, memory: self.state.memory, turn: self.choices.whole({})}

    def _before(self, depth: int, k: int, name: str) -> int:
        """What stands for the value of a variable before any turn."""
        what = self.state.names[name]
        return self.choices.node("before", depth, k, what.type if isinstance(what, Variable) else "offset")

    def _entered(self, turn: int, start: Mapping[int, int]) -> Value:
        """Whether the first turn does anything."""
        same = [n for n in start if self.choices.keys[n][0] != "turn"]
        known = dict[int, int]()

        def does(node: int) -> int:
            key = self.choices.keys[node]
            if key[0] == "choice" and node not in known:
                known[node] = self.choices.chosen(key[1], does(key[2]), does(key[3]))  # type: ignore[arg-type]
            if key[0] == "choice":
                return known[node]
            held = zip(key[1:], same, strict=True) if key[0] == "exit" else ()
            is_quiet = key[0] == "exit" and all(part in (before, start[before]) for part, before in held)
            return self.choices.truth(not is_quiet).node

        return Value(self._decided(self.choices.substituted(does(turn), start, self.depth + 1)), "truth")

    def _decided(self, truth: int) -> int:
        """A truth value without the tests of whole numbers that can come out in one way only."""
        facts = self._facts()
        for test in self.choices.tests_in(truth):
            number = self.choices.polynomial(self.choices.keys[test][2])  # type: ignore[arg-type]
            if is_never_negative(added(number, {(): 1}, -1), facts, self.counts):
                truth = self.choices.restricted(truth, test, True)
            elif is_never_negative(added({}, number, -1), facts, self.counts):
                truth = self.choices.restricted(truth, test, False)
        return truth

    # Turns

    def _whole_turn(self, loop: Any) -> tuple[Carried, Turn]:
        """The variables of a loop, and one turn, which is read again where some of them are calculated."""
        changed = assigned(loop)
        names = [n for n, w in self.state.names.items() if n in changed and isinstance(w, Variable | Walker)]
        names.sort(key=lambda n: self._values_of([n]))  # so that the order of declarations means nothing
        self.loops += 1
        every = Carried(self.loops, names, {}, [])
        outside, around = (dict(self.within), self.objects, self.loops), self.unsteady
        turn = self._turn(loop, every)
        carried = self._sorted(turn.node, every)
        while carried != every:
            self.within, self.objects, self.loops = outside
            self.unsteady = set()
            turn, others = self._turn(loop, carried), self.unsteady
            if not others:
                break
            kept = [n for n in names if n in others or n in carried.names]
            steps = {n: step for n, step in carried.steps.items() if n not in others}
            carried = carried._replace(names=kept, steps=steps)
        grown = self._growing(carried, turn.node)
        if grown != carried:
            self.within, self.objects, self.loops = outside
            self.unsteady = set()
            turn = self._turn(loop, grown)
            if self.unsteady:
                self.within, self.objects, self.loops = outside
                turn = self._turn(loop, carried)
            else:
                carried = grown
        if self._knows_more(carried, turn):
            self.within, self.objects, self.loops = outside
            turn = self._turn(loop, carried)
        self.unsteady = around
        return carried, turn

    def _knows_more(self, _carried: Carried, _turn: Turn) -> bool:
        """Whether a reader has learnt of the variables of a loop what lets it read the turn more exactly."""
        return False

    def _sorted(self, turn: int, every: Carried) -> Carried:
        """Which of the variables of a loop one turn leaves for the next, and which are counted."""
        leaves = list(self._leaves(turn))
        kept, steps, lost = list[str](), dict[str, Step](), list[str]()
        for k, name in enumerate(every.names):
            own = self._before(self.depth + 1, k, name)
            is_live, (start,) = (every.loop, name) in self.live, self._values_of([name])
            step = self._step(own, k, leaves, start)
            if step is not None and step.last != 0 and not is_live:
                step = step._replace(last=None)
            if not self._is_begun_with(own, k, turn) and not is_live:
                lost.append(name)
            elif (
                step is not None
                and start != self.choices.node("unset")
                and not (is_live and step.last is None)
            ):
                steps[name] = step
            else:
                kept.append(name)
        return Carried(every.loop, kept, steps, lost)

    def _leaves(self, turn: int) -> Iterator[tuple[Any, ...]]:
        """How turns end."""
        open_, seen = [turn], set[int]()
        while open_:
            node = open_.pop()
            key = self.choices.keys[node]
            if node in seen:
                continue
            seen.add(node)
            if key[0] == "choice":
                open_ += key[2:]  # type: ignore[arg-type]
            else:
                yield key

    def _step(self, own: int, k: int, leaves: Sequence[tuple[Any, ...]], start: int) -> Step | None:
        """By how much a variable changes in each turn, if that is always the same number.

        One that each turn leaves as it was, or as it was before the first one, changes by 0.
        """
        found = dict[str, set[int | None]](next=set(), exit=set())
        kind = str(self.choices.keys[own][3])
        is_whole = kind in (*WHOLE, "offset") or narrow_range(kind) is not None
        before = self.choices.polynomial(own)
        for kind, *values in leaves:
            if kind not in found:
                continue
            if values[k] == own or (kind == "next" and values[k] == start):
                found[kind].add(0)
            elif is_whole:
                found[kind].add(constant_of(added(self.choices.polynomial(values[k]), before, -1)))
            else:
                found[kind].add(None)
        each, last = (found[kind] or {0} for kind in ("next", "exit"))
        if len(each) > 1 or None in each:
            return None
        return Step(each.pop() or 0, last.pop() if len(last) == 1 else None)

    def _growing(self, carried: Carried, turn: int) -> Carried:
        """The same variables; those are counted, too, that grow in each turn by what no turn changes."""
        leaves, steps = list(self._leaves(turn)), dict[str, Step]()
        for k, name in enumerate(carried.names):
            own = self._before(self.depth + 1, k, name)
            ends = {key[0]: {end[k + 1] for end in leaves if end[0] == key[0]} for key in leaves}
            is_counted = self.choices.keys[own][3] in (*SIGNED, "offset") and not self._is_unset(name)
            if not is_counted or ends.get("exit", {own}) != {own} or len(ends.get("next", ())) != 1:
                continue
            change = added(self.choices.polynomial(*ends["next"]), self.choices.polynomial(own), -1)
            nodes = {node for monomial in change for node in monomial}
            if nodes and not varies(self.choices, nodes, self.depth + 1):
                steps[name] = Step(change, 0)
        names = [name for name in carried.names if name not in steps]
        return carried._replace(names=names, steps={**carried.steps, **steps})

    def _is_unset(self, name: str) -> bool:
        return self._values_of([name]) == [self.choices.node("unset")]

    def _is_begun_with(self, own: int, k: int, turn: int) -> bool:
        """Whether a turn makes anything of what a variable holds before it, but that it may still hold it."""
        own_ends = {("next", k + 1), ("exit", k + 1)}
        ends = [(key[0], i, n) for key in self._leaves(turn) for i, n in enumerate(key[1:], 1)]
        kept = {n for kind, i, n in ends if (kind, i) in own_ends and self.choices.keys[n][0] == "choice"}
        parts = [n for kind, i, n in ends if (kind, i) not in own_ends or n not in {own, *kept}]
        parts += [n for end in kept for n in (*self.choices.tests(end), *self.choices.sides(end)) if n != own]
        return own in self.choices.all_parts([*self.choices.tests(turn), *parts], self.depth + 1)

    def _turn(self, loop: Any, carried: Carried) -> Turn:
        """What a turn makes of what holds before it; `carried` are its variables."""
        from pycparser import c_ast

        outside = self.doubts, self.path, self.state, self.outer, dict(self.ints)
        self.doubts, self.outer, self.path = {}, (*self.outer, self.path), self.choices.truth(True).node
        self._begin(loop, carried)
        names, depth, returns = carried.names, self.depth, list[int]()
        starts = dict(zip(carried.steps, self._values_of([*carried.steps]), strict=True))

        def leaf(kind: str) -> int:
            self._check_steps(kind, carried, starts)
            memory = without_locals(self.choices, self.state.memory, depth)
            return self.choices.node(kind, *self._values_of(names), memory)

        def on() -> int:
            for part in parts_of(getattr(loop, "next", None)):
                self._simple(part)
            if is_last:
                return self._tested(loop, lambda: leaf("next"), lambda: leaf("exit"))
            return self._at_end(loop, lambda: leaf("next"), lambda: leaf("exit"))

        def returned(value: Value | None) -> int:
            returns.append(self._returned(value))
            return returns[-1]

        is_last = isinstance(loop, c_ast.DoWhile)
        ways = Ways(on, lambda: leaf("exit"), on, returned)
        body = [c_ast.Compound([loop.stmt], loop.coord)]
        if is_last:
            found = self._run(body, ways)
        else:
            found = self._tested(loop, lambda: self._run(body, ways), lambda: leaf("exit"))
        self.depth -= 1
        doubts = self.doubts
        self.doubts, self.path, self.state, self.outer, self.ints = outside
        return Turn(found, doubts, bool(returns))

    def _check_steps(self, kind: str, carried: Carried, starts: Mapping[str, int]) -> None:
        """Note which variables do not change as they are said to, from their values before the turn."""
        for name, step in carried.steps.items():
            change = step.each if kind == "next" else step.last
            if change is not None and self._values_of([name]) != [self._stepped(starts[name], change, None)]:
                self.unsteady.add(name)

    def _begin(self, loop: Any, carried: Carried) -> None:
        """Give variables and memory the values that stand for those before any turn."""
        self.depth += 1
        depth, turn = self.depth, self.choices.node("turn", self.depth)
        never = self.choices.truth(False).node
        self.counts.add(turn)
        is_quiet = not self._writes(loop)
        befores = [self._before(depth, k, name) for k, name in enumerate(carried.names)]
        starts = self._values_of(carried.names)
        unset = {n for n, at in zip(befores, starts, strict=True) if self.choices.unset(at) != never}
        self.choices.begun_unset.difference_update(befores)
        self.choices.begun_unset.update(unset)
        self._set(carried.names, lambda k: befores[k])
        self.counts.update(n for n in befores if self.choices.keys[n][3] in UNSIGNED)
        ranges = {n: narrow_range(str(self.choices.keys[n][3])) for n in befores}
        self.narrow.update({n: held for n, held in ranges.items() if held is not None})
        for name, step in carried.steps.items():
            (start,) = self._values_of([name])
            self._set([name], lambda _, start=start, step=step: self._stepped(start, step.each, turn))  # type: ignore[misc]
        for name in carried.lost:
            self._set([name], lambda _, name=name: self.choices.node("lost", carried.loop, name))  # type: ignore[misc]
        if not is_quiet:
            self.state = replace(self.state, memory=self.choices.node("before", depth, "memory"))

    def _tested(self, loop: Any, going: Callable[[], int], ended: Callable[[], int]) -> int:
        """What is done where the condition of a loop holds, and where it does not."""
        from pycparser import c_ast

        condition = self.choices.truth(True) if loop.cond is None else self._truth(loop.cond)
        if not isinstance(loop, c_ast.DoWhile):
            condition = self._as_order(condition)
        before, ends = self.state, list[int]()
        for holds, way in ((True, going), (False, ended)):
            self.state = before
            with self._under(condition, holds):
                ends.append(way())
        return self.choices.chosen(condition.node, *ends)

    def _as_order(self, condition: Value) -> Value:
        """`i != n` as `i < n`, or with >, where the turns lead from i to n; all tests before it have held."""
        turn = self.choices.node("turn", self.depth)
        for test in self.choices.tests(condition.node):
            key = self.choices.keys[test]
            apart = dict(self.choices.polynomial(key[2])) if key[:2] == ("==", "int") else {}  # type: ignore[arg-type]
            step = apart.pop((turn,), 0)
            left = added({}, apart, -1 if step > 0 else 1)
            nodes = {node for monomial in apart for node in monomial}
            is_other = self.choices.implies(condition.node, self.choices.negated(Value(test, "truth")).node)
            if step == 0 or not is_other or any(n % step for n in apart.values()):
                continue
            if varies(self.choices, nodes, self.depth) or not is_never_negative(
                left, self._facts(), self.counts
            ):
                continue
            order = self.choices.positive(added(left, {(turn,): abs(step)}, -1))
            others = (self.choices.restricted(condition.node, test, holds) for holds in (False, True))
            condition = Value(self.choices.chosen(order.node, *others), "truth")
        return condition

    def _at_end(self, loop: Any, going: Callable[[], int], ended: Callable[[], int]) -> int:
        """What is done at the end of a turn: a loop ends where what a turn chose lets its test surely fail.

        So does a loop `while (!done)` where a turn leaves `done = 1`.
        """
        before, fails = self.state, self.choices.truth(False).node
        if self._quiet_truth(loop.cond, before) == fails:
            return ended()
        for test in self._chosen_by(loop.cond):
            states = [self._where(before, test, holds) for holds in (True, False)]
            if fails not in [self._quiet_truth(loop.cond, state) for state in states]:
                continue
            ends = list[int]()
            for self.state, holds in zip(states, (True, False), strict=True):
                with self._under(test, holds):
                    ends.append(self._at_end(loop, going, ended))
            return self.choices.chosen(test.node, *ends)
        return going()

    def _quiet_truth(self, condition: Any, state: State) -> int | None:
        """Whether a condition holds in a state; None where its test changes anything, or may be undefined."""
        outside = self.state, self.doubts
        self.state, self.doubts = state, {}
        truth = self.choices.truth(True).node if condition is None else self._truth(condition).node
        is_quiet = not self.doubts and self.state == state
        self.state, self.doubts = outside
        return truth if is_quiet else None

    def _chosen_by(self, condition: Any) -> list[Value]:
        """The tests that choose the values of variables in a condition, and comparisons made of them."""
        nodes = nodes_of(condition) if condition is not None else ()
        names = sorted({n.name for n in nodes if type(n).__name__ == "ID"} & self.state.names.keys())
        whats = [self.state.names[name] for name in names]
        values = [w.value for w in whats if isinstance(w, Variable | Walker) and w.value is not None]
        parts = [n for value in values for monomial in self.choices.polynomial(value) for n in monomial]
        found = [test for n in parts for test in self.choices.tests(n)]
        return self.choices.comparisons([*found, *(n for n in parts if self.choices.keys[n][0] in TESTS)])

    def _where(self, state: State, truth: Value, holds: bool) -> State:
        """A state where a test, or a comparison with a constant, has come out in one way."""
        known = (truth if holds else self.choices.negated(truth)).node
        names = {
            n: w._replace(value=self.choices.where(w.value, known))
            if isinstance(w, Variable | Walker) and w.value is not None
            else w
            for n, w in state.names.items()
        }
        return State(names, self.choices.where(state.memory, known))

    def _held(self, variable: Variable | Walker) -> int:
        return self.choices.node("unset") if variable.value is None else variable.value

    def _values_of(self, names: Sequence[str]) -> list[int]:
        whats = [self.state.names[n] for n in names]
        return [self._held(w) for w in whats if isinstance(w, Variable | Walker)]

    def _set(self, names: Sequence[str], value: Callable[[int], int]) -> None:
        """Give variables other values."""
        for k, name in enumerate(names):
            what = self.state.names[name]
            if isinstance(what, Variable | Walker):
                self.state = self.state.named(name, what._replace(value=value(k)))

    # Which loops write

    def _writes(self, statement: Any) -> bool:
        """Whether a statement may change memory: it does not if it only assigns to variables."""
        kind = type(statement).__name__
        target: Any = getattr(statement, "lvalue", None)
        if kind == "UnaryOp" and statement.op in STEPS:
            target = statement.expr
        is_named = type(target).__name__ == "ID" and target.name not in self.addressed
        if (target is not None and not is_named) or self._is_call(statement) or clearing(statement):
            return True
        if is_named and isinstance(self.state.names.get(target.name), Place):
            return True
        if kind == "Decl" and not self._is_scalar(statement):
            return True
        return any(self._writes(below) for _, below in statement.children())

    def _is_scalar(self, declared: Any) -> bool:
        """Whether a declaration is that of a pointer, or of a variable that is not in memory."""
        kind = declared.type
        if type(kind).__name__ != "TypeDecl":
            return type(kind).__name__ == "PtrDecl"
        return self._is_variable(declared, self._local_type(kind))

    def _local_type(self, kind: Any) -> str:
        """The type of a variable, or of the elements of an array."""
        return "truth" if type_names(kind) in (["_Bool"], ["bool"]) else self._scalar_type(kind)

    def _is_variable(self, declared: Any, kind: str) -> bool:
        """Whether what is declared, of this type, is not in memory."""
        is_scalar = kind in (*RANKS, "truth") or narrow_range(kind) is not None
        return is_scalar and declared.name not in self.addressed


def parts_of(statements: Any) -> list[Any]:
    """The statements before a loop, or at the end of its turns."""
    found = getattr(statements, "decls", None) or getattr(statements, "exprs", None)
    return [] if statements is None else list(found or [statements])


def assigned(statement: Any) -> set[str]:
    """The names of variables to which a statement assigns."""
    target: Any = getattr(statement, "lvalue", None)
    if type(statement).__name__ == "UnaryOp" and statement.op in STEPS:
        target = statement.expr
    own = {target.name} if type(target).__name__ == "ID" else set[str]()
    return own.union(*(assigned(below) for _, below in statement.children()))
