"""Reads what follows a loop in the place of each break out of it, also of a loop that its test may end.

`for (...) { if (c) { k = 1; break; } ... } return k;` is the same loop with `k = 1; return k;` in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codegen.review.diff.loops.collected import Collected
from codegen.review.diff.loops.second_look import WithinInt
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.trees import kinds_of

_MOST_STATEMENTS = 6
"""Limit on the statements that may stand in the place of a break."""


class Returned(Collected):
    """Reads a version in which a return may stand in the place of a break."""

    def _broken(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        from pycparser import c_ast

        if (found := super()._broken(first, rest)) is not None:
            return found
        is_loop = isinstance(first, c_ast.For | c_ast.While | c_ast.DoWhile)
        if not is_loop or self.depth or self.item is not self.routine or len(rest) > _MOST_STATEMENTS:
            return None
        kinds = set[str]().union(*map(kinds_of, rest))
        loop = self._with_rest(first, rest) if kinds.isdisjoint(("For", "While", "DoWhile")) else None
        return None if loop is None else [loop, *rest]


class ReturnedWithinInt(Returned, WithinInt):
    """Reads a new version in this way."""


def return_otherwise(one: Item, other: Item) -> bool:
    """Whether one of two versions has more returns than the other one."""
    return one.tokens.count("return") != other.tokens.count("return")
