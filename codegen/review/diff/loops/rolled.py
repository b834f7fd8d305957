"""Reads a loop of several turns at once, and a turn that is left behind it, as the loop of single turns.

`for (i = 0; i < n - n % 2; i += 2) { a(i); a(i + 1); } if (n % 2 == 1) { a(n - 1); }` is one loop up to n:
behind its first part, i < n holds where the last turn is made, and there alone. A loop that counts k up to
n / 2 and names 2 * k alone is the one that counts in steps of 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import partial
from typing import Any, NamedTuple

from codegen.review.diff.loops.choices import Value
from codegen.review.diff.loops.elements import with_name
from codegen.review.diff.loops.joined import Joined
from codegen.review.diff.loops.neighbours import (
    block_of,
    declared_by,
    in_scope,
    is_plain_loop,
    names_and_declared,
    names_in,
    names_of,
    spelled,
    turn_of,
    without_head,
)
from codegen.review.diff.loops.routine_loops import assigned, parts_of
from codegen.review.diff.loops.routine_values import State, Variable
from codegen.review.diff.loops.routines import departs
from codegen.review.diff.loops.whole_numbers import added, is_never_negative
from codegen.review.diff.text.integers import as_int, constant
from codegen.review.diff.text.sequences import STEPS
from codegen.review.diff.text.syntax import type_names
from codegen.review.diff.text.trees import kinds_of, nodes_of

_MOST_AT_ONCE = 8
"""Limit on the turns that a loop makes at once."""


class _Several(NamedTuple):
    """A loop that makes several turns at once: itself, its counter, one turn, and the names it loses."""

    loop: Any
    counter: str
    turn: Any
    lost: frozenset[str]


class Rolled(Joined):
    """Reads a version in which a loop may make several turns at once."""

    def _rolled(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """The loop of single turns in place of one of several, and of the turn behind it."""
        if self.is_rolling or type(first).__name__ != "For" or not is_plain_loop(first):
            return None
        self.is_rolling = True
        try:
            return self._rolled_at_once(first, rest)
        finally:
            self.is_rolling = False

    def _rolled_at_once(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        for several in self._several(first):
            for bound in self._tried(partial(self._bounds, several)) or ():
                for count in (1, 0):
                    law = partial(self._rolled_to, several, bound, rest, count)
                    if (found := self._tried(law)) is not None:
                        return found
        return None

    def _several(self, loop: Any) -> Iterator[_Several]:
        """A loop as one of several turns, where it may be one."""
        name, step = _step_of(loop.next)
        if 1 < step <= _MOST_AT_ONCE and (turn := _first_of(loop.stmt, step)) is not None:
            yield _Several(loop, name, turn, frozenset([name]))
        what = self.state.names.get(name)
        is_int = isinstance(what, Variable) and what.type == "int"
        scaled = _scaled(loop, name, is_int) if step == 1 else None
        if scaled is None or not self._tried(partial(self._is_within_int, loop, scaled.cond.right)):
            return
        counter, step = _step_of(scaled.next)
        if (turn := _first_of(scaled.stmt, step)) is not None:
            yield _Several(scaled, counter, turn, frozenset([name]))

    def _is_within_int(self, loop: Any, bound: Any) -> bool:
        """Whether the bound of a loop surely is an int, and the same in each turn."""
        is_plain = kinds_of(bound) <= {"ID", "Constant", "BinaryOp"} and not names_of(bound) & assigned(loop)
        self.doubts = {}
        return is_plain and self._value(bound).type == "int" and not self.doubts

    def _bounds(self, several: _Several) -> list[str]:
        """The variables of whose quotient the end of a loop is made."""
        begins = parts_of(several.loop.init)
        self._steps([*begins, without_head(several.loop)])
        wholes = [whole for whole, _ in self.parts_of_numbers.values()]
        ints = {
            n: w.value for n, w in self.state.names.items() if isinstance(w, Variable) and w.type == "int"
        }
        found = {
            n for n, value in ints.items() if value is not None and self.choices.polynomial(value) in wholes
        }
        return sorted(found - assigned(several.loop) - declared_by(begins))

    def _rolled_to(self, several: _Several, bound: str, rest: Sequence[Any], count: int) -> list[Any] | None:
        """The same up to a bound, for as many statements behind as may be its last turn."""
        from pycparser import c_ast

        loop, begins, last = several.loop, parts_of(several.loop.init), rest[0] if count and rest else None
        is_turn = isinstance(last, c_ast.If) and last.iffalse is None and not departs(last)
        lost = several.lost - {several.counter}  # which the loop that counts in steps leaves as it was
        if (count and not is_turn) or (declared_by(begins) | lost) & names_in(rest[:count]):
            return None
        single, begun = _single(several, bound), self.state
        self._steps(begins)
        started, part = self.state, without_head(loop)
        self._steps([part])
        if not (self._is(single.cond, False) if last is None else self._is_last(several, bound, last)):
            return None
        self.state = started
        merged, self.state = self._absorbed(part, [single]), begun
        forgets = self._lost_after(loop, several.lost)
        if merged is None or forgets is None:
            return None
        return [*in_scope([*begins, *merged, *forgets], loop), *rest[count:]]

    def _is_last(self, several: _Several, bound: str, last: Any) -> bool:
        """Whether a choice behind a loop makes the one turn that is left up to a bound, where one is left."""
        single = _single(several, bound)
        (goes, doubts), (left, more) = self._test_of(last.cond), self._test_of(single.cond)
        if doubts or more or goes != left:
            return False
        self._enter()
        if goes == self.choices.truth(False).node:
            return True
        truth = Value(goes, "truth")
        with self._under(truth, True):
            begun, objects = self._where(self.state, truth, True), self.objects
            self.state = begun
            known = self._steps([block_of([last.iftrue], last)])
            made = self.state
            for value in self._counted_up_to(several.counter, bound, begun):
                self.state, self.objects = begun, objects
                self._set([several.counter], lambda _, value=value: value)  # type: ignore[misc]
                is_same = self._steps(turn_of(single)) == known and self._is(single.cond, False)
                differing = self._differing(made, self.state)
                if is_same and differing is not None and differing <= {several.counter}:
                    return True
        return False

    def _counted_up_to(self, counter: str, bound: str, begun: State) -> Iterator[int]:
        """The value of a counter, also in terms of the bound where that is one above it."""
        self.state = begun
        (value, end), facts = self._values_of([counter, bound]), self._facts()
        yield value
        before_end = added(self.choices.polynomial(end), {(): 1}, -1)
        apart = added(before_end, self.choices.polynomial(value), -1)
        if all(is_never_negative(n, facts, self.counts) for n in (apart, added({}, apart, -1))):
            yield self.choices.whole(before_end)


def _single(several: _Several, bound: str) -> Any:
    """The loop of single turns up to a bound."""
    from pycparser import c_ast

    where, counter = several.loop.coord, c_ast.ID(several.counter, several.loop.coord)
    test = c_ast.BinaryOp("<", counter, c_ast.ID(bound, where), where)
    step = c_ast.Assignment("+=", counter, c_ast.Constant("int", "1", where), where)
    return c_ast.For(None, test, step, several.turn, where)


def _step_of(step: Any) -> tuple[str, int]:
    """The variable that a step counts, and by how much; 0 for other steps."""
    from pycparser import c_ast

    if isinstance(step, c_ast.UnaryOp) and isinstance(step.expr, c_ast.ID) and STEPS.get(step.op) == "+":
        return step.expr.name, 1
    is_sum = isinstance(step, c_ast.Assignment) and step.op == "+=" and isinstance(step.lvalue, c_ast.ID)
    number = as_int(constant(step.rvalue)) if is_sum else None
    return (step.lvalue.name, number.value) if number is not None else ("", 0)


def _first_of(body: Any, count: int) -> Any | None:
    """The first of so many turns of which a body consists, by the number of its statements; else None."""
    from pycparser import c_ast

    items = body.block_items if isinstance(body, c_ast.Compound) else None
    while items and len(items) == 1 and isinstance(items[0], c_ast.Compound):
        items = items[0].block_items
    if not items or len(items) % count:
        return None
    return block_of(items[: len(items) // count], body)


def _scaled(loop: Any, name: str, is_int: bool) -> Any | None:
    """A loop that counts in steps, for one whose counter only stands in multiples; None for others."""
    from pycparser import c_ast

    init, test = parts_of(loop.init), loop.cond
    begin = init[0] if len(init) == 1 else None
    if isinstance(begin, c_ast.Decl):
        is_int = isinstance(begin.type, c_ast.TypeDecl) and type_names(begin.type) == ["int"]
    value = getattr(begin, "init" if isinstance(begin, c_ast.Decl) else "rvalue", None)
    target = (
        begin.name if isinstance(begin, c_ast.Decl) else getattr(getattr(begin, "lvalue", None), "name", "")
    )
    first = as_int(constant(value)) if value is not None and getattr(begin, "op", "=") == "=" else None
    is_test = isinstance(test, c_ast.BinaryOp) and test.op == "<" and getattr(test.left, "name", "") == name
    if not is_int or target != name or first is None or first.value != 0 or not is_test:
        return None
    multiples = {spelled(n): n for n in nodes_of(loop.stmt) if _factor(n, name) > 1}
    factors = {_factor(n, name) for n in multiples.values()}
    if len(factors) != 1:
        return None
    (factor,), body, counter = factors, deepcopy(loop.stmt), f"{name} in steps"
    for text in multiples:
        body = with_name(body, text, counter)
    if name in names_and_declared(body):
        return None
    where, number = loop.coord, c_ast.Constant("int", str(factor), loop.coord)
    kind = c_ast.TypeDecl(counter, [], None, c_ast.IdentifierType(["int"], where), where)
    zero = c_ast.Constant("int", "0", where)
    declared = c_ast.Decl(counter, [], [], [], [], kind, zero, None, where)
    ends = c_ast.BinaryOp(
        "<", c_ast.ID(counter, where), c_ast.BinaryOp("*", number, test.right, where), where
    )
    step = c_ast.Assignment("+=", c_ast.ID(counter, where), number, where)
    return c_ast.For(c_ast.DeclList([declared], where), ends, step, body, where)


def _factor(node: Any, name: str) -> int:
    """The 2 of `2 * name` and `name * 2`; 0 for others."""
    if type(node).__name__ != "BinaryOp" or node.op != "*":
        return 0
    for one, other in ((node.left, node.right), (node.right, node.left)):
        number = as_int(constant(one)) if type(one).__name__ == "Constant" else None
        if number is not None and getattr(other, "name", "") == name and type(other).__name__ == "ID":
            return number.value
    return 0
