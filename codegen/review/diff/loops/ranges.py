"""Ranges of whole numbers, from numbers that are known to be at least 0 and the largest of some nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod

from codegen.review.diff.loops.whole_numbers import Polynomial

_MOST_STEPS = 3
"""Limit on the facts that are taken one after the other."""

_FAR = 2**100
"""A size beyond which nothing is known of a number."""


class Ranges:
    """The ranges of numbers, where some are at least 0 and some nodes at most so large."""

    def __init__(self, facts: Sequence[Polynomial], most: Mapping[int, int], counts: Collection[int]) -> None:
        self.facts = [fact for fact in facts if all(len(monomial) <= 1 for monomial in fact)]
        self.most, self.counts = most, counts
        self.known = dict[tuple[int, int], tuple[int, int]]()

    def of(self, number: Polynomial, steps: int = _MOST_STEPS) -> tuple[int, int]:
        """The least and the largest value that a number may have, far away where none is known."""
        low = high = 0
        for monomial, factor in number.items():
            ends = [self._of_node(node, steps) for node in monomial]
            if len(ends) > 1 and any(least < 0 for least, _ in ends):
                return -_FAR, _FAR
            parts = sorted(factor * prod(end[k] for end in ends) for k in (0, 1))
            low = -_FAR if parts[0] <= -_FAR or low == -_FAR else low + parts[0]
            high = _FAR if parts[1] >= _FAR or high == _FAR else high + parts[1]
        return low, high

    def _of_node(self, node: int, steps: int) -> tuple[int, int]:
        """The same of a node."""
        if (node, steps) not in self.known:
            low, high = (0 if node in self.counts else -_FAR), self.most.get(node, _FAR)
            for factor, rest in self._facts_of(node) if steps else ():
                largest = self.of(rest, steps - 1)[1]  # factor node + rest is at least 0
                if largest < _FAR and factor > 0:
                    low = max(low, -(largest // factor))
                elif largest < _FAR:
                    high = min(high, largest // -factor)
            self.known[node, steps] = low, high
        return self.known[node, steps]

    def _facts_of(self, node: int) -> Iterator[tuple[int, Polynomial]]:
        """The factor of a node in each of what is known, and what else that is made of."""
        for fact in self.facts:
            if factor := fact.get((node,), 0):
                yield factor, {monomial: n for monomial, n in fact.items() if monomial != (node,)}
