"""Reads the last turn of a loop that tests for it behind the loop, as a colleague writes it to save the test.

`for (j = 0; j <= i; j++) { if (j == i) { a; } else { b; } }` is `for (j = 0; j < i; j++) { b; }` and, where j
is not above i then, one more turn with a in the place of the test: in the former j is below i, then it is i.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from codegen.review.diff.loops.choices import SIGNED
from codegen.review.diff.loops.collected import Collected
from codegen.review.diff.loops.neighbours import block_of, in_scope, names_of, single_step, spelled
from codegen.review.diff.loops.routine_loops import Ways, assigned, parts_of
from codegen.review.diff.loops.routine_values import Variable
from codegen.review.diff.loops.second_look import WithinInt
from codegen.review.diff.loops.switched import with_branch
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.trees import declared_in, kinds_of, nodes_of


class LastTurns(Collected):
    """Reads a version in which a loop may test for its last turn."""

    def _otherwise(self, first: Any, rest: Sequence[Any], ways: Ways) -> int | None:
        if (statements := self._known(self._last_apart, first, rest)) is not None:
            return self._run(statements, ways)
        return super()._otherwise(first, rest, ways)

    def _last_apart(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """A loop without its last turn, and that turn."""
        from pycparser import c_ast

        name = _counted_up_to(first)
        if name is None or not self._is_settled_end(first, name):
            return None
        last, own = spelled(first.cond.right), c_ast.ID(name, first.coord)
        bodies = [deepcopy(first.stmt), deepcopy(first.stmt)]
        for holds, k in ((False, 0), (True, 1)):
            for a, b in ((name, last), (last, name)):
                bodies[k] = with_branch(bodies[k], f"{a} == {b}", holds)
                bodies[k] = with_branch(bodies[k], f"{a} != {b}", not holds)
        if spelled(bodies[0]) == spelled(first.stmt):
            return None
        where, test = first.coord, first.cond
        shorter = c_ast.BinaryOp("<", own, deepcopy(test.right), where)
        loop = c_ast.For(None, shorter, deepcopy(first.next), bodies[0], where)
        turn = c_ast.If(deepcopy(test), block_of([bodies[1], deepcopy(first.next)], first), None, where)
        return [*in_scope([*parts_of(first.init), loop, turn], first), *rest]

    def _is_settled_end(self, loop: Any, name: str) -> bool:
        """Whether a loop leaves its end as it is, and its counter but for its steps."""
        end = loop.cond.right
        names, own = names_of(end), assigned(loop.stmt) | declared_in(loop.stmt)
        begun = {part.name: part for part in parts_of(loop.init) if type(part).__name__ == "Decl"}
        whats = [self.state.names.get(other) for other in names]
        is_plain = kinds_of(end) <= _PLAIN and not any(
            getattr(n, "op", "") in ("/", "%") or getattr(n, "type", "int") != "int" for n in nodes_of(end)
        )
        is_variable = all(isinstance(what, Variable) and what.type in SIGNED for what in whats)
        counter = self.state.names.get(name)
        is_counter = name in begun or (isinstance(counter, Variable) and counter.type in SIGNED)
        if name in begun:
            is_counter = spelled(begun[name]).split()[0] == "int" and name not in self.addressed
        return is_plain and is_variable and is_counter and not ({name} | names) & own and name not in names


_PLAIN = frozenset(["ID", "Constant", "BinaryOp"])
"""What the end of a loop may consist of."""


def _counted_up_to(loop: Any) -> str | None:
    """The variable that a loop counts up to its last value, if only returns end turns before their ends."""
    from pycparser import c_ast

    test = loop.cond if isinstance(loop, c_ast.For) else None
    if not isinstance(test, c_ast.BinaryOp) or test.op != "<=" or not isinstance(test.left, c_ast.ID):
        return None
    steps = parts_of(loop.next)
    step = single_step(steps[0]) if len(steps) == 1 else None
    is_one = step is not None and step.op == "+=" and spelled(step) == f"{test.left.name} += 1"
    is_plain = is_one and getattr(steps[0], "rvalue", None) is None  # and not `i += 4`
    return test.left.name if is_plain and not _ends_turns(loop.stmt) else None


def _ends_turns(statement: Any) -> bool:
    """Whether a statement breaks out of the turn in which it stands, or goes on with the next one."""
    kind = type(statement).__name__
    if kind in ("Break", "Continue", "Goto", "Label", "Switch"):
        return True
    if kind in ("For", "While", "DoWhile"):
        return not {"Goto", "Label"}.isdisjoint(kinds_of(statement))
    return any(_ends_turns(below) for _, below in statement.children())


class LastTurnsWithinInt(LastTurns, WithinInt):
    """Reads a new version in this way."""


def equal_otherwise(one: Item, other: Item) -> bool:
    """Whether one of two versions has more tests for equality than the other one."""
    numbers = [sum(token in ("==", "!=") for token in item.tokens) for item in (one, other)]
    return numbers[0] != numbers[1]
