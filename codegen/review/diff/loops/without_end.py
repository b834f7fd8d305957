"""Reads what follows a loop without a test in the place of each break that leads to it.

`for (;;) { ... if (c) { break; } ... } a; return b;` is `for (;;) { ... if (c) { a; return b; } ... }`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from codegen.review.diff.loops.neighbours import block_of, names_in
from codegen.review.diff.loops.switched import Switched
from codegen.review.diff.text.integers import constant
from codegen.review.diff.text.trees import breaks, declared_in, kinds_of, with_parts


class WithoutEnd(Switched):
    """Reads a version with a loop that its breaks and returns alone may end."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.routine = self.item  # and none that is read where it is called

    def _broken(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """Such a loop with what follows it, up to a return, in the place of its breaks."""
        if not _is_endless(first) or self.depth or self.item is not self.routine:
            return None
        found = self._with_rest(first, rest)
        return None if found is None else [found]

    def _with_rest(self, first: Any, rest: Sequence[Any]) -> Any | None:
        """A loop with what follows it, up to a return, in the place of its breaks, if it has any."""
        from pycparser import c_ast

        is_last = bool(rest) and isinstance(rest[-1], c_ast.Return)
        own = declared_in(first)
        jumps = set[str]().union(*map(kinds_of, rest))
        if not is_last or not _JUMPS.isdisjoint(jumps) or own & names_in(rest):
            return None
        if not breaks(first.stmt):
            return None
        loop = deepcopy(first)
        loop.stmt = _with_ends(loop.stmt, rest)
        return loop


def _is_endless(statement: Any) -> bool:
    """Whether a statement is a loop whose test, if it has one, always holds."""
    from pycparser import c_ast

    if not isinstance(statement, c_ast.For | c_ast.While):
        return False
    number = None if statement.cond is None else constant(statement.cond)
    return statement.cond is None or (number is not None and number.value != 0)


def _with_ends(tree: Any, ends: Sequence[Any]) -> Any:
    """A tree, which is changed, with some statements in the place of each break out of it."""
    from pycparser import c_ast

    if isinstance(tree, c_ast.Break):
        return block_of(deepcopy([*ends]), tree)
    if isinstance(tree, c_ast.For | c_ast.While | c_ast.DoWhile | c_ast.Switch):
        return tree  # whose breaks are its own
    return with_parts(tree, lambda part: _with_ends(part, ends))


_JUMPS = frozenset(["Break", "Continue", "Goto", "Label"])
