"""Sums that functions and comparisons take, as parts of other sums.

SymPy keeps no parentheses in a sum: of h = a - b and h + e sign(h) it makes a - b and a - b + e sign(a - b).
Where a and b are nearly equal their difference is exact, but a + e sign(a - b) is rounded before b leaves
little of it. So a sum that is also the operand of a function or comparison is computed first, and once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple


class Part(NamedTuple):
    """A sum, its terms or those of its negative, and whether they are those of the negative."""

    whole: Any
    terms: frozenset[Any]
    negated: bool


class Parts:
    """The operands of functions and comparisons that are sums."""

    def __init__(self, expressions: Iterable[Any], order: Callable[[Any], Any]) -> None:
        self._order = order  # the key that sorts expressions
        self._of: dict[Any, list[Part]] = {}  # by the first of their terms
        for whole in _operands(expressions):
            first = min(whole.args, key=order)
            self._of.setdefault(first, []).append(Part(whole, frozenset(whole.args), False))
            self._of.setdefault(-first, []).append(Part(whole, frozenset(-t for t in whole.args), True))

    def largest(self, e: Any) -> Part | None:
        """The part with the most terms that a sum contains beside others."""
        terms = frozenset(e.args)
        found = [part for t in e.args for part in self._of.get(t, ()) if part.terms < terms]
        return max(found, key=lambda part: (len(part.terms), self._order(part.whole)), default=None)


def _operands(expressions: Iterable[Any]) -> Iterable[Any]:
    """The sums that are operands of anything but sums, products and powers, each once."""
    found: dict[Any, None] = {}
    waiting, seen = list(expressions), set[Any]()
    while waiting:
        e = waiting.pop()
        if e in seen:
            continue
        seen.add(e)
        waiting.extend(e.args)
        if not (e.is_Add or e.is_Mul or e.is_Pow):
            found.update(dict.fromkeys(a for a in e.args if a.is_Add))
    return found
