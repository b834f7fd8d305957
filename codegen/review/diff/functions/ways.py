"""Follows the ways through a function: where it returns, and where goto leads forward out of its blocks."""

from __future__ import annotations

from abc import ABC
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from codegen.review.diff.functions.filescope import FileScope
from codegen.review.diff.functions.memory import Local, Name, State
from codegen.review.diff.functions.terms import Term
from codegen.review.diff.functions.turns import as_choice
from codegen.review.diff.text.syntax import Refused


class _End:
    """The end of a block: what it declared ends with it."""

    def __init__(self, block: Any, names: Mapping[str, Name]) -> None:
        self.block, self.names = block, set(names)


_Way = tuple[State, Term | None]
"""How a way ends: what holds then, and what is returned."""


class Ways(FileScope, ABC):
    """What a function returns, and the effects of its statements on each way to there."""

    def _run(self, statements: Sequence[Any]) -> Term | None:
        """Read all statements of a function's body; what they return, None for nothing."""
        returned = self._follow([*reversed(statements)])
        for statement in _leaves(statements) if _of(statements, "Label") else ():
            if id(statement) not in self.read:
                raise Refused(statement, "a statement that is never reached")
        return returned

    def _follow(self, left: list[Any]) -> Term | None:
        """Read statements, the next one last; both ways where only one of them returns."""
        from pycparser import c_ast

        while left:
            statement = left.pop()
            self.read[id(statement)] = statement
            if isinstance(statement, _End):
                self._leave(statement.block, statement.names)
            elif isinstance(statement, c_ast.Return):
                if left and not isinstance(left[-1], _End | c_ast.Label):
                    raise Refused(statement, "statements after a return")
                return None if statement.expr is None else self._result(statement.expr)
            elif isinstance(statement, c_ast.Goto):
                self._jump(statement, left)
            elif isinstance(statement, c_ast.Label):
                left.append(statement.stmt)
            elif not _of([statement], *_JUMPS):
                self._statement(statement)
            elif isinstance(statement, c_ast.Compound):
                left.append(_End(statement, self.names))
                left += reversed(statement.block_items or [])
            elif isinstance(statement, c_ast.Switch):
                left.append(self._choices(statement))
            elif not isinstance(statement, c_ast.If):
                left.append(self._only_turn(statement))
            elif not self._meet(statement, left):
                return self._fork(statement, left)
        return None

    def _only_turn(self, loop: Any) -> Any:
        choice = as_choice(loop)
        if choice is None:
            raise Refused(loop, "a return or a goto in a loop")
        return choice

    def _result(self, expr: Any) -> Term | None:
        """What a function returns; None for a struct, which is put in its place."""
        if self.result is None:
            return self._expression(expr)
        held = self.objects[self.result.object].held
        self._put(
            expr, self.result, self._record(expr, self._parts(self.result), held, self._kind(self.result))
        )
        return None

    def _fork(self, choice: Any, left: Sequence[Any]) -> Term | None:
        """What is returned after an `if` that returns in one of its branches at least."""
        condition, (one, a), (other, b) = self._both(choice, left)
        self.stored = self._merged_stores(choice, condition, one, other)
        if a is None or b is None:
            if a is not b:
                raise Refused(choice, "it does not return a value on every way")
            return None
        return self._either_way(choice, condition, a, b)

    def _both(self, choice: Any, left: Sequence[Any]) -> tuple[Term, _Way, _Way]:
        """The condition of an `if`, and how each of its ways ends: the state, and what it returns."""
        self._take_step(choice)
        condition = self._condition(choice.cond)
        before, ends = State(self.names, self.stored), list[_Way]()
        for branch in (choice.iftrue, choice.iffalse):
            self.names, self.stored = dict(before.names), dict(before.stored)
            body = [] if branch is None else [branch]
            with self._where(condition, branch is choice.iftrue):
                returned = self._follow([*left, _End(choice, self.names), *body])
            ends.append((State(self.names, self.stored), returned))
        self.names, self.stored = before
        return condition, ends[0], ends[1]

    # goto

    def _jump(self, goto: Any, left: list[Any]) -> None:
        """Leave out what stands before the label; what is declared there has no value."""
        from pycparser import c_ast

        while left:
            statement = left.pop()
            if isinstance(statement, c_ast.Label) and statement.name == goto.name:
                left.append(statement)
                return
            if isinstance(statement, _End):
                self._leave(statement.block, statement.names)
            elif isinstance(statement, c_ast.Decl):
                self._declare_unset(goto, statement)
        raise Refused(goto, "a goto that does not lead forward, out of the blocks around it")

    def _declare_unset(self, goto: Any, declared: Any) -> None:
        """The declaration of a variable whose initialiser is left out, unless it takes effect before."""
        from pycparser import c_ast

        if declared.init is None or declared.storage == ["static"]:
            self._declare(declared)
            return
        if self.item.path.endswith(".h"):
            raise Refused(goto, f"a goto past the value of {declared.name}, which C++ does not allow")
        parts = {name: getattr(declared, name) for name in declared.__slots__ if name != "__weakref__"}
        self._declare(c_ast.Decl(**{**parts, "init": None}))

    def _meet(self, choice: Any, left: list[Any]) -> bool:
        """Read an `if` and what follows up to where its ways meet; False where one of them may return.

        They meet behind it, or at the last label to which they jump.
        """
        from pycparser import c_ast

        start = _label_after([choice], left)
        skipped = left[start + 1 :]
        if _of([choice, *skipped], "Return"):
            return False
        meeting = [c_ast.Label(label.name, c_ast.EmptyStatement(), label.coord) for label in left[start:][:1]]
        condition, (one, _), (other, _) = self._both(choice, [*meeting, *skipped])
        stored = self._merged_stores(choice, condition, one, other)
        for name in {**one.names, **other.names}:
            what = one.names.get(name)
            if type(what) is not type(other.names.get(name)) or (
                not isinstance(what, Local) and what != other.names[name]
            ):
                raise Refused(choice, f"a goto past the declaration of {name}")
        self.names = one.names
        self.names = self._merged_names(choice, condition, one, other)
        self.stored = stored
        del left[start + 1 :]
        return True


_JUMPS = ("Return", "Goto", "Label")


def _label_after(statements: Collection[Any], left: Sequence[Any]) -> int:
    """The place among those to follow of the last label to which statements, or those before it, jump.

    The place before all others where they jump to none of these.
    """
    from pycparser import c_ast

    start, wanted = len(left), {goto.name for goto in _of(statements, "Goto")}
    for i in range(len(left) - 1, -1, -1):
        if isinstance(left[i], c_ast.Label) and left[i].name in wanted:
            start = i
            wanted |= {goto.name for goto in _of(left[i:], "Goto")}
    return start


def _of(statements: Collection[Any], *kinds: str) -> list[Any]:
    """All nodes of these kinds in statements."""
    found, open_ = list[Any](), [s for s in statements if not isinstance(s, _End)]
    while open_:
        node = open_.pop()
        found += [node] if type(node).__name__ in kinds else []
        open_ += [below for _, below in node.children()]
    return found


def _leaves(statements: Collection[Any]) -> Iterator[Any]:
    """The statements that contain no others, wherever they stand."""
    for statement in statements:
        parts = [getattr(statement, name, None) for name in ("iftrue", "iffalse", "stmt")]
        inner = [*(getattr(statement, "block_items", None) or ()), *(getattr(statement, "stmts", None) or ())]
        below = [*inner, *(part for part in parts if part is not None)]
        if below:
            yield from _leaves(below)
        elif type(statement).__name__ not in ("Break", "Case", "Compound", "Default", "EmptyStatement"):
            yield statement
