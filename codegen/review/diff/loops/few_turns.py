"""Reads a loop of a few turns, one after the other, where each of its tests is known to come out in one way.

`k = 0; do { ... k++; } while (k < 2);` is its body twice, and so is `while (k != 2)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from codegen.review.diff.loops.neighbours import Tested, block_of, turn_of
from codegen.review.diff.loops.routine_loops import parts_of
from codegen.review.diff.loops.routines import departs
from codegen.review.diff.loops.trials import Trials

_MOST = 4
"""Limit on the turns of a loop that is read turn by turn."""


class FewTurns(Trials):
    """Reads a version in which a loop may make a few turns."""

    def _turned(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """The turns of a loop, with its tests."""
        from pycparser import c_ast

        is_loop = isinstance(first, c_ast.For | c_ast.While | c_ast.DoWhile)
        if not is_loop or first.cond is None or departs(first.stmt):
            return None
        number = self._tried(partial(self._few, first))
        if number is None:
            return None
        test, begins, turn = Tested(first.cond), parts_of(getattr(first, "init", None)), turn_of(first)
        tests: list[Any] = [] if isinstance(first, c_ast.DoWhile) else [test]
        found = [*begins, *tests, *([*turn, test] * number)]
        return [block_of(found, first), *rest]

    def _few(self, loop: Any) -> int | None:
        """How many turns a loop makes, if these are a few, wherever it is reached.

        What is never done would not be read, though compilers check it.
        """
        from pycparser import c_ast

        self._steps(parts_of(getattr(loop, "init", None)))
        for number in range(_MOST + 1):
            is_tested = number > 0 or not isinstance(loop, c_ast.DoWhile)
            if is_tested and self._is(loop.cond, False, self._test_of(loop.cond)[1]):
                return number or None
            if is_tested and not self._is(loop.cond, True, self._test_of(loop.cond)[1]):
                return None
            if number < _MOST:
                self._steps(turn_of(loop))
        return None
