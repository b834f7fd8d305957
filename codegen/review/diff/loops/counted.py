"""Reads loops by the number of their turns, and turns that touch nothing of each other in one order.

Whole numbers are known more exactly here: a multiple of 4 that is at most 7 is at most 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from typing import Any, NamedTuple

from codegen.review.diff.loops.choices import SIGNED, Value
from codegen.review.diff.loops.endless import goes_on
from codegen.review.diff.loops.exchanged import Access, Turns, are_exchangeable, varies
from codegen.review.diff.loops.routine_loops import Carried, Turn
from codegen.review.diff.loops.routine_values import Place, State
from codegen.review.diff.loops.second_look import ByName
from codegen.review.diff.loops.whole_numbers import Polynomial, added, is_between, is_never_negative
from codegen.review.diff.text.integers import MOST_INT

_MOST_RESTS = 8
"""Limit on the divisors whose rests are looked at one by one."""


class Read(NamedTuple):
    """A loop as it was read: its variables, a turn, and what this loads, stores and calls."""

    loop: Any
    carried: Carried
    turn: Turn
    touched: Sequence[tuple[Any, ...]]


class Counted(ByName):
    """Reads a version whose loops make a known number of turns, as far as their tests tell."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.met = list[tuple[Any, ...]]()  # what was loaded, stored and called in what is being read
        self.read_last: Read | None = None  # the last loop that was read
        self.parts_of_numbers = dict[int, tuple[Polynomial, int]]()  # quotients: what is divided, and by what

    # Turns in another order, and their number

    def _whole_turn(self, loop: Any) -> tuple[Carried, Turn]:
        outside = self.met
        carried, turn = super()._whole_turn(loop)
        self.read_last = Read(loop, carried, turn, self.met)
        self.met = [*outside, *self.met]
        return carried, turn

    def _turn(self, loop: Any, carried: Carried) -> Turn:
        self.met = []  # it is read twice
        return super()._turn(loop, carried)

    def _note(self, *key: Any) -> int:
        if key[0] == "called":
            self.met.append(key)
        return super()._note(*key)

    def _held_at(self, place: Place) -> Value:
        """The same; also what is known to be there is loaded from there."""
        if self.choices.keys[place.node][0] != "choice":  # of which either place is looked at
            self.met.append(("load", place.type, None, place.node))
        return super()._held_at(place)

    def _store(self, where: Any, place: Place, value: Value) -> None:
        self.met.append(("store", place.type, None, place.node))
        super()._store(where, place, value)

    def _in_order(self, carried: Carried, turn: Turn) -> Turn:
        """The turn of a loop whose turns may be exchanged, which counts in the one of two directions."""
        number, depth = self._count(turn), self.depth + 1
        touched = accesses(self.read_last.touched) if self.read_last is not None else None
        if number is None or not touched or not self._only_collects(carried, turn):
            return turn
        turns = self._turns_made(number)
        keys = [self.choices.keys[n] for n in self.choices.all_parts([turn.node], depth)]
        has_loops = any(key[0] == "loop" and int(str(key[1])) > depth for key in keys)
        if has_loops or not are_exchangeable(self.choices, touched, turns):
            return turn
        goes = Value(goes_on(self.choices, turn.node), "truth")
        last = self.choices.whole(added(added(number, {(): 1}, -1), {(turns.node,): 1}, -1))
        going, ended = (self._side(turn.node, goes, holds) for holds in (True, False))
        other = self.choices.substituted(going, {turns.node: last}, depth)
        if other >= going:
            return turn
        node = self.choices.chosen(goes.node, other, ended)
        return Turn(node, self._in_turn(turn.doubts, goes, {turns.node: last}), False)

    def _turns_made(self, number: Polynomial) -> Turns:
        """The turns of a loop that makes so many."""
        depth = self.depth + 1
        return Turns(self.choices.node("turn", depth), depth, number, self._facts(), self.counts)

    def _only_collects(self, carried: Carried, turn: Turn) -> bool:
        """Whether a turn only adds bits to what it has of earlier ones: `status |= f;` in any order.

        `a | b` depends on neither the order of the operands nor on how often one is there.
        """
        leaves, depth = [*self._leaves(turn.node)], self.depth + 1
        parts = [*self.choices.tests(turn.node)]
        for key in leaves:
            *values, memory = (int(str(n)) for n in key[1:])
            owns = [self._before(depth, k, name) for k, name in enumerate(carried.names)]
            if key[0] not in ("next", "exit") or len(values) != len(owns):
                return False
            parts.append(memory)
            for own, value in zip(owns, values, strict=True):
                bits = self.choices.bits(value, str(self.choices.keys[own][3]))
                if bits.count(own) != 1:
                    return False
                parts += [n for n in bits if n != own]
        befores = {self._before(depth, k, name) for k, name in enumerate(carried.names)}
        return befores.isdisjoint(self.choices.all_parts(parts, -1))

    def _in_turn(self, doubts: Mapping[int, int], goes: Value, by: Mapping[int, int]) -> dict[int, int]:
        """What turns may leave undefined, where others are made in their place; the test does as before."""
        found, never = dict[int, int](), self.choices.truth(False).node
        for what, where in doubts.items():
            inside, ending = (self._side(where, goes, holds) for holds in (True, False))
            moved, at = (self.choices.substituted(n, by, self.depth + 1) for n in (what, inside))
            left = self.choices.both(self.choices.negated(goes).node, ending)
            for doubt, met in ((moved, self.choices.both(goes.node, at)), (what, left)):
                if met != never:
                    found[doubt] = self.choices.either(found.get(doubt, never), met)
        return found

    def _side(self, node: int, truth: Value, holds: bool) -> int:
        """A value where the test of a loop has come out in one way."""
        return self._where(State({}, node), truth, holds).memory

    def _count(self, turn: Turn) -> Polynomial | None:
        """A number that is that of the turns of a loop where it is above 0; else the loop makes none."""
        own, depth = self.choices.node("turn", self.depth + 1), self.depth + 1
        only = self.choices.only_test(goes_on(self.choices, turn.node))
        test = self.choices.keys[only[0]] if only is not None else ()
        if only is None or turn.returns or test[:2] != ("<", "int"):
            return None
        left = self.choices.polynomial(test[2])  # type: ignore[arg-type]
        number = dict(left if only[1] else added({(): 1}, left, -1))
        step = -number.pop((own,), 0)
        if step <= 0:
            return None
        number = self._in_quotients(number, step)
        nodes = {node for monomial in number for node in monomial}
        if any(n % step for monomial, n in number.items() if monomial) or varies(self.choices, nodes, depth):
            return None
        # a turn t is made where step t < number: for t below the number in steps, rounded up
        rounded_up = {monomial: -(-n // step) for monomial, n in number.items()}
        return {monomial: n for monomial, n in rounded_up.items() if n}

    def _in_quotients(self, number: Polynomial, step: int) -> dict[tuple[int, ...], int]:
        """A number in which what is known to leave a certain rest is written with its quotient.

        Where n % 2 is known to be 1, n is 2 (n / 2) + 1, of which a loop in steps of 2 can be counted.
        """
        found, parts = dict(number), self.parts_of_numbers.items()
        facts = self._facts() if step > 1 and parts else []
        for node, (whole, factor) in parts:
            ((monomial, n),) = whole.items() if len(whole) == 1 else [((), 0)]
            if n != 1 or factor > _MOST_RESTS or factor % step or found.get(monomial, 0) % step == 0:
                continue
            for rest in range(1 - factor, factor):
                apart = added(whole, {(node,): factor, (): rest}, -1)  # 0 where the division leaves this
                if all(is_never_negative(x, facts, self.counts) for x in (apart, added({}, apart, -1))):
                    found = dict(added(found, apart, -found[monomial]))
                    break
        return found

    def _number_of(self, loop: int, turn: Turn) -> int:
        number = self._count(turn)
        if number is None:
            return super()._number_of(loop, turn)
        if is_never_negative(number, self._facts(), self.counts):
            return self.choices.whole(number)
        is_number = self._decided(self.choices.positive(added(number, {(): 1})).node)
        return self.choices.chosen(is_number, self.choices.whole(number), self.choices.whole({}))

    # Whole numbers

    def _operation(self, where: Any, op: str, a: Value, b: Value) -> Value:
        """`a % 4` is what `a / 4 * 4` leaves, and a division by a number above 0 is always defined."""
        by = self.choices.number(b) if op in "/%" else None
        if by is None or by <= 1 or a.type != "int" or b.type != "int" or self.choices.number(a) is not None:
            return super()._operation(where, op, a, b)
        whole, factor = self.choices.polynomial(a.node), int(by)
        node = self.choices.node("/", "int", a.node, b.node)
        self.parts_of_numbers[node] = (whole, factor)
        if op == "/":
            return Value(node, "int")
        return Value(self.choices.whole(added(whole, {(node,): factor}, -1)), "int")

    def _facts(self) -> list[Polynomial]:
        """The same, with what is known of quotients; a multiple of 4 above 1 is at least 4."""
        known = [_tightened(fact) for fact in super()._facts()]
        for node, (whole, factor) in self.parts_of_numbers.items():
            rest, opposite = added(whole, {(node,): factor}, -1), added({}, whole, -1)
            most: Polynomial = {(): factor - 1}
            signs: list[Polynomial] = [whole, {(node,): 1, (): -1}, added(rest, {(): 1}, -1)]
            if any(is_never_negative(n, known, self.counts) for n in signs):
                known += [{(node,): 1}, rest, added(most, rest, -1), *_without(node, factor, whole, known)]
            elif is_never_negative(opposite, known, self.counts):
                known += [
                    {(node,): -1},
                    added({}, rest, -1),
                    added(most, rest),
                    added(opposite, {(node,): 1}),
                ]
            else:
                known += [added(most, rest), added(most, rest, -1)]
        return known

    def _compared(self, op: str, a: Value, b: Value) -> Value:
        """The same; what a division leaves is an end of its range where it is not on one side of it."""
        apart = added(self.choices.polynomial(a.node), self.choices.polynomial(b.node), -1)
        nodes = {node for monomial in apart for node in monomial}
        if op not in ("==", "!=") or a.type not in SIGNED or nodes.isdisjoint(self.parts_of_numbers):
            return super()._compared(op, a, b)
        facts, is_other = self._facts(), op == "!="
        for number in (apart, added({}, apart, -1)):
            if is_never_negative(number, facts, self.counts):
                above = Value(self._decided(self.choices.positive(number).node), "truth")
                return above if is_other else self.choices.negated(above)
        return super()._compared(op, a, b)

    def _hold(self, value: Value, *held: Value) -> None:
        number = self.choices.polynomial(value.node)
        factors = [n for monomial, n in number.items() if monomial]
        step = gcd(*factors)
        if value.type == "int" and step:
            # multiples of a step that are at most the largest int are at most its last multiple
            slack = step - 1 - (MOST_INT - number.get((), 0)) % step
            limits: list[Polynomial] = [{(): MOST_INT}, {(): -MOST_INT - 1}]
            known = [*(self.choices.polynomial(x.node) for x in held), *self.ints.values(), {}, *limits]
            if is_between(added(number, {(): slack}, -1), known, self._facts(), self.counts):
                return
        super()._hold(value, *held)


def _tightened(fact: Polynomial) -> Polynomial:
    """A number that is at least 0, without what the common factor of its terms leaves of its constant."""
    step = gcd(*(n for monomial, n in fact.items() if monomial))
    return added(fact, {(): fact.get((), 0) % step}, -1) if step else fact


def _without(node: int, factor: int, whole: Polynomial, facts: Sequence[Polynomial]) -> list[Polynomial]:
    """What facts tell of a number that is not negative, in place of its quotient by a factor."""
    found = list[Polynomial]()
    for fact in facts:
        number, others = fact.get((node,), 0), added(fact, {(node,): fact.get((node,), 0)}, -1)
        if number and not any(node in monomial for monomial in others):
            # the quotient times the factor is at most the number, and at least that without its largest rest
            held = whole if number > 0 else added(whole, {(): factor - 1}, -1)
            scaled = {monomial: n * factor for monomial, n in others.items()}
            found.append(_tightened(added(scaled, held, number)))
            if number > 0:
                found.append(added(others, whole, number))  # a quotient is at most the number itself
    return found


def accesses(touched: Sequence[tuple[Any, ...]]) -> list[Access] | None:
    """What a turn loads and stores; None where it calls what may do anything."""
    if any(key[0] == "called" for key in touched):
        return None
    return [Access(key[0] == "store", key[1], key[3]) for key in touched]
