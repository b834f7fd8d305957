"""Reads loops beside each other that make the same number of turns as the one loop whose turns make both.

They are one if no turn of the second loop touches what a later turn of the first one does. Statements between
them that give variables values stand before both where the first loop tells nothing of them, or behind both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from codegen.review.diff.loops.choices import RANKS
from codegen.review.diff.loops.counted import Read, accesses
from codegen.review.diff.loops.elements import Elements
from codegen.review.diff.loops.exchanged import may_follow
from codegen.review.diff.loops.neighbours import (
    Behind,
    behind,
    block_of,
    declared_by,
    in_scope,
    is_plain_loop,
    names_and_declared,
    names_in,
    names_of,
    spelled,
    without_head,
)
from codegen.review.diff.loops.routine_loops import assigned, parts_of
from codegen.review.diff.loops.routine_values import Place, Walker
from codegen.review.diff.text.sequences import STEPS
from codegen.review.diff.text.syntax import type_names
from codegen.review.diff.text.trees import declared_in, kinds_of, nodes_of

_MOST_BETWEEN = 12
"""Limit on the statements between two loops that may stand before or behind both."""

_ON_VARIABLES = frozenset(
    ["Decl", "TypeDecl", "IdentifierType", "Assignment", "ID", "Constant", "BinaryOp", "TernaryOp"]
)
"""What a statement that only uses variables may consist of."""


class Fused(Elements):
    """Reads a version in which a loop may be two."""

    def _fused(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """Two loops that are one, whose turns do what one turn of each does."""
        from pycparser import c_ast

        if not isinstance(first, c_ast.For) or not is_plain_loop(first):
            return None
        for before, what in self._beside(first, rest):
            found = self._tried(partial(self._fused_behind, before, first, what))
            if found is not None:
                return [*before, *found]
        return None

    def _beside(self, first: Any, rest: Sequence[Any]) -> Iterator[tuple[Sequence[Any], Behind]]:
        """The loop behind another one that may be one with it, and what may stand before both."""
        what = behind(first, rest)
        if what is not None and not what.between:
            yield [], what
            return
        number = next((k for k, statement in enumerate(rest) if not self._is_number(statement)), 0)
        if not 0 < number <= _MOST_BETWEEN:
            return
        second, before, after = rest[number], list[Any](), list[Any]()
        for statement in rest[:number]:
            if self._may_pass(statement, [first, *after]):
                before.append(statement)
            elif self._may_pass(statement, [second]):
                after.append(statement)
            else:
                return
        yield before, Behind([], [], second, [*after, *rest[number + 1 :]])

    def _is_number(self, statement: Any) -> bool:
        """Whether a statement gives a variable a value, or declares one or a pointer."""
        from pycparser import c_ast

        if isinstance(statement, c_ast.Decl) and isinstance(statement.type, c_ast.PtrDecl):
            return (
                not statement.storage and _is_address(statement.init) and statement.name not in self.addressed
            )
        if isinstance(statement, c_ast.Decl):
            is_plain = isinstance(statement.type, c_ast.TypeDecl) and not statement.storage
            is_variable = is_plain and " ".join(type_names(statement.type)) in RANKS
            return is_variable and statement.name not in self.addressed
        if not isinstance(statement, c_ast.Assignment) or not isinstance(statement.lvalue, c_ast.ID):
            return False
        name = statement.lvalue.name
        return name not in self.addressed and not isinstance(self.state.names.get(name), Place | Walker)

    def _may_pass(self, statement: Any, others: Sequence[Any]) -> bool:
        """Whether a statement that gives a variable a value does the same before others and behind them."""
        own = statement.name if type(statement).__name__ == "Decl" else statement.lvalue.name
        uses, kinds = names_of(statement) | {own}, kinds_of(statement)
        changed = set[str]().union(*(assigned(other) | declared_in(other) for other in others))
        if uses & changed or any(own in names_of(other) for other in others):
            return False
        whats = [self.state.names.get(name) for name in uses]
        is_plain = kinds <= _ON_VARIABLES or _is_address(getattr(statement, "init", None))
        loads = not is_plain or any(isinstance(what, Place) and not what.is_array for what in whats)
        calls = any(map(self._is_call, nodes_of(statement)))
        return not calls and not (loads and any(map(self._writes, others)))

    def _fused_behind(self, before: Sequence[Any], first: Any, what: Behind) -> list[Any] | None:
        """The same for loops behind some statements."""
        from pycparser import c_ast

        if not isinstance(what.statement, c_ast.For) or not is_plain_loop(what.statement):
            return None
        if not self._may_be_apart(first, what.statement):
            return None
        self._steps(before)
        return self._fused_with(first, what)

    def _may_be_apart(self, first: Any, second: Any) -> bool:
        """Whether two loops call nothing, and do not assign to what the other one uses but to count."""
        nodes = [*nodes_of(first), *nodes_of(second)]
        heads = [part for node in nodes if type(node).__name__ == "For" for part in (node.init, node.next)]
        counted = set[str]().union(*(assigned(part) for part in heads if part is not None))
        mixed = (assigned(first) & names_of(second)) | (assigned(second) & names_of(first))
        return not mixed & {*self.state.names} - counted and not any(map(self._is_call, nodes))

    def _fused_with(self, first: Any, what: Behind) -> list[Any] | None:
        """The same for what is behind the first loop."""
        from pycparser import c_ast

        loop = what.statement
        heads = [(spelled(part.init), [*map(_spelled_step, parts_of(part.next))]) for part in (first, loop)]
        is_alike = heads[0] == heads[1] and first.init is not None
        is_shared = is_alike and not _names_read(parts_of(first.init)) & assigned(first)
        begins, steps = ([], []) if is_shared else (parts_of(loop.init), parts_of(loop.next))
        if (declared_by(begins) & names_and_declared(first)) | (names_in(begins) & assigned(first)):
            return None
        if not is_shared and declared_by(parts_of(first.init)) & names_of(loop):
            return None
        self._steps(what.declared)
        one, two = self._read(first), self._read(loop)
        if one is None or two is None or not self._are_apart((first, one), (loop, two), is_shared):
            return None
        forgets = self._lost_after(loop, {*one.carried.lost} & {*two.carried.lost})
        if forgets is None or not self._is_quiet(parts_of(loop.init)):
            return None
        body = block_of([first.stmt, loop.stmt, *steps], first)
        both = c_ast.For(first.init, first.cond, first.next, body, first.coord)
        return [*what.declared, *in_scope([*begins, both, *forgets], first), *what.after]

    def _read(self, loop: Any) -> Read | None:
        """A loop of a known number of turns that its steps alone count, and whose test is always defined."""
        found = self._read_alone(loop)
        if found is None or self._count(found.turn) is None or not _counts(loop, found):
            return None
        outside = self.state, self.doubts, self.path, self.outer, self.depth
        self._steps(parts_of(loop.init))
        self.outer, self.path = (*self.outer, self.path), self.choices.truth(True).node
        self._begin(without_head(loop), found.carried)
        is_defined = not self._test_of(loop.cond)[1]
        self.state, self.doubts, self.path, self.outer, self.depth = outside
        return found if is_defined else None

    def _are_apart(self, first: tuple[Any, Read], second: tuple[Any, Read], is_shared: bool) -> bool:
        """Whether each turn of a second loop may be made right after that of the first one."""
        reads = first[1], second[1]
        steps = [{*read.carried.steps} for read in reads]
        begun = parts_of(first[0].init) if is_shared else []
        shared = steps[0] & steps[1] & set[str]().union(declared_by(begun), *map(assigned, begun))
        if any(shared & assigned(loop.stmt) for loop, _ in (first, second)):
            return False
        for (loop, read), (other, others) in ((first, second), (second, first)):
            lost, named = {*read.carried.lost}, names_of(other)
            if (assigned(loop) - lost - shared) & named & {*self.state.names}:
                return False
            if not lost & named <= {*others.carried.lost} | shared:
                return False
        numbers = [self._count(read.turn) for read in reads]
        one, two = (accesses(read.touched) for read in reads)
        if one is None or two is None or numbers[0] is None or numbers[0] != numbers[1]:
            return False
        return may_follow(self.choices, one, two, self._turns_made(numbers[0]))


def _is_address(expr: Any) -> bool:
    """Whether an expression is the name of an array or pointer, or `&x[i]`, which loads nothing."""
    from pycparser import c_ast

    place = expr.expr if isinstance(expr, c_ast.UnaryOp) and expr.op == "&" else None
    if isinstance(place, c_ast.ArrayRef):
        return isinstance(place.name, c_ast.ID) and kinds_of(place.subscript) <= _ON_VARIABLES
    return isinstance(expr, c_ast.ID)


def _counts(loop: Any, read: Read) -> bool:
    """Whether the steps of a loop do nothing but count."""
    steps = parts_of(loop.next)
    return all(len(assigned(step)) == 1 and assigned(step) <= {*read.carried.steps} for step in steps)


def _names_read(begins: Sequence[Any]) -> set[str]:
    """The names of variables from which a head begins: the second loop's may then begin elsewhere."""
    found = set[str]()
    for part in begins:
        kind, left = type(part).__name__, getattr(part, "lvalue", None)
        is_plain = kind == "Assignment" and part.op == "=" and type(left).__name__ == "ID"
        value = part.init if kind == "Decl" else part.rvalue if is_plain else part
        found |= names_of(value) if value is not None else set()
    return found


def _spelled_step(step: Any) -> str:
    """A step, the same for `i++`, `++i` and `i += 1`."""
    op = STEPS.get(step.op) if type(step).__name__ == "UnaryOp" else None
    return spelled(step) if op is None else f"{spelled(step.expr)} {op}= 1"
