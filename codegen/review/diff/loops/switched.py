"""Reads a loop in which a test comes out the same in each turn as a loop in each branch of the test.

`for (...) { if (c) { a; } else { b; } }` is `if (c) { for (...) { a; } } else { for (...) { b; } }` where c
depends on variables alone, which the loop leaves as they are, and is always defined: it is then calculated
also where the loop makes no turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from codegen.review.diff.loops.neighbours import is_plain_loop, names_of, spelled
from codegen.review.diff.loops.parted import Parted
from codegen.review.diff.loops.routine_loops import assigned
from codegen.review.diff.loops.routine_values import Variable
from codegen.review.diff.text.trees import declared_in, kinds_of, nodes_of, with_parts

_MOST_TESTS = 3
"""Limit on the tests of a loop of which each makes two loops of one."""


class Switched(Parted):
    """Reads a version in which a loop may test what stays the same."""

    def _switched(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """A loop in each branch of the first test in a loop that no turn changes."""
        from pycparser import c_ast

        if not is_plain_loop(first):
            return None
        inside = [node for node in nodes_of(first.stmt) if isinstance(node, c_ast.If)]
        own = assigned(first) | declared_in(first)
        tests = {spelled(node.cond): node.cond for node in inside if self._is_steady(node.cond, own)}
        if not 0 < len(tests) <= _MOST_TESTS:
            return None
        text, condition = next(iter(tests.items()))
        both = (with_branch(deepcopy(first), text, holds) for holds in (True, False))
        return [c_ast.If(deepcopy(condition), *both, first.coord), *rest]

    def _is_steady(self, condition: Any, own: set[str]) -> bool:
        """Whether a test is always defined, and the same wherever nothing but some names changes."""
        names = names_of(condition)
        if any(getattr(node, "op", "") in ("/", "%") for node in nodes_of(condition)):
            return False  # which tells how a loop in this one is parted
        whats = [self.state.names.get(name) for name in names]
        if not kinds_of(condition) <= _PLAIN or names & own or not whats:
            return False
        if not all(isinstance(what, Variable) for what in whats):
            return False
        truth = self._tried(lambda: self._quiet_truth(condition, self.state))
        return truth is not None and truth not in [self.choices.truth(holds).node for holds in (True, False)]


_PLAIN = frozenset(["ID", "Constant", "BinaryOp", "UnaryOp"])
"""What a test that depends on variables alone may consist of."""


def with_branch(tree: Any, text: str, holds: bool) -> Any:
    """A tree, which is changed, with one branch of each choice with a condition of this text."""
    from pycparser import c_ast

    if isinstance(tree, c_ast.If) and spelled(tree.cond) == text:
        branch = tree.iftrue if holds else tree.iffalse
        return c_ast.EmptyStatement(tree.coord) if branch is None else with_branch(branch, text, holds)
    return with_parts(tree, lambda part: with_branch(part, text, holds))
