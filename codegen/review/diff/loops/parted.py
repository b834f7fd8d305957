"""Reads a first turn under a test, and a loop in steps behind it, as one loop where the test tells its steps.

`if (n % 2 == 1) { a(0); } for (i = n % 2 == 1 ? 1 : 0; i + 1 < n; i += 2) { a(i); a(i + 1); }` is the loop
that begins at 0: where n is odd, n - 1 turns are left behind the first one, and where it is even, n. What
follows an `if` without an `else` may stand in both of its branches, whatever it is; in each of them, the loop
in steps is one of single turns, of which the turn before it is the first. The other way round, a loop at the
end of both branches of an `if` may stand behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from codegen.review.diff.loops.choices import Value
from codegen.review.diff.loops.neighbours import (
    Behind,
    behind,
    block_of,
    declared_by,
    is_plain_loop,
    names_in,
    spelled,
)
from codegen.review.diff.loops.rolled import Rolled
from codegen.review.diff.loops.routines import departs
from codegen.review.diff.text.trees import NAMING, kinds_of


class Parted(Rolled):
    """Reads a version in which a test may tell where a loop in steps begins."""

    def _select(self, expr: Any) -> Value:
        """The same, where the tests that led to it may decide between its values."""
        found = super()._select(expr)
        return Value(self._decided(found.node), found.type)

    def _ended_alike(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """`if (c) { a; f; } else { b; f; }` as `if (c) { a; } else { b; } f;`, where f is a loop.

        What f names is declared in neither of the branches, so that it means the same behind them.
        """
        from pycparser import c_ast

        if not isinstance(first, c_ast.If) or departs(first) or not NAMING.isdisjoint(kinds_of(first)):
            return None
        branches = [
            part.block_items for part in (first.iftrue, first.iffalse) if isinstance(part, c_ast.Compound)
        ]
        if len(branches) < len(("if", "else")) or not all(branches):
            return None
        (*one, last), (*other, end) = branches
        is_loop = isinstance(last, c_ast.For | c_ast.While | c_ast.DoWhile)
        if not is_loop or spelled(last) != spelled(end) or declared_by([*one, *other]) & names_in([last]):
            return None
        both = (block_of(branch, first) for branch in (one, other))
        return [c_ast.If(first.cond, *both, first.coord), last, *rest]

    def _parted(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """A turn under a test and a loop in steps behind it, with one loop in each branch of the test."""
        from pycparser import c_ast

        if not isinstance(first, c_ast.If) or first.iffalse is not None or departs(first):
            return None
        what = behind(first, rest)
        if what is None or not isinstance(what.statement, c_ast.For) or not is_plain_loop(what.statement):
            return None
        branches = [self._tried(partial(self._in_branch, first, what, holds)) for holds in (True, False)]
        if branches[0] is None or branches[1] is None:
            return None
        both = (block_of(branch, first) for branch in branches if branch is not None)
        return [*what.declared, c_ast.If(first.cond, *both, first.coord), *what.after]

    def _in_branch(self, choice: Any, what: Behind, holds: bool) -> list[Any] | None:
        """What is done up to the end of the loop where the test has come out in one way."""
        self._steps(what.declared)
        condition = self._condition(choice)
        self.state = self._where(self.state, condition, holds)
        with self._under(condition, holds):
            begun = self.state
            self._steps([*([choice.iftrue] if holds else []), *what.between])
            loops = self._rolled(what.statement, [])
            self.state = begun
            if loops is None or not holds:
                return None if loops is None else [*what.between, *loops]
            at = next((k for k, part in enumerate(loops) if is_plain_loop(part)), None)
            if at is None:
                return None
            single = Behind([], [*what.between, *loops[:at]], loops[at], loops[at + 1 :])
            return self._begun_by([choice.iftrue], None, single)
