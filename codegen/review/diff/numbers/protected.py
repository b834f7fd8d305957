"""What guards and clamps keep operands within, whatever the round-off.

The root in `d > 0 ? sqrt(d) : 0` is a number in any order of the sum d: the same d is tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from codegen.ir.operations import Op
from codegen.review.diff.numbers.arithmetic import Itself, nearest
from codegen.review.diff.numbers.assumed import Wanted, parts_of
from codegen.review.diff.reading import Reading


class Range(NamedTuple):
    """The least and the greatest value of a number that is one, and its least size."""

    low: float = -np.inf
    high: float = np.inf
    least: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether no number is in the range."""
        return self.low > self.high

    def within(self, other: Range) -> Range:
        """What is in both ranges."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Range(low, high, max(self.least, other.least, low, -high))

    def or_(self, other: Range) -> Range:
        """What is in one of the ranges."""
        return Range(min(self.low, other.low), max(self.high, other.high), min(self.least, other.least))

    def holds(self, values: Any) -> Any:
        """Which of some values are in the range."""
        values = np.asarray(values, np.float64)  # a float has no such small limits
        return (values >= self.low) & (values <= self.high) & (np.abs(values) >= self.least)

    def moved(self, values: Any) -> Any:
        """The values, in place of those outside others that are inside, and no tiny ones."""
        inside = np.clip(values, self.low, self.high)
        if self.least > 0:
            size = max(self.least, _USUAL)
            inside = np.where(np.abs(inside) < size, size if self.high >= size else -size, inside)
        return np.where(self.holds(values), values, inside)


_USUAL = 2.0**-20
"""A size where any number that is not zero is asked for."""

_DOMAINS: Mapping[Op, Range] = {
    Op.SQRT: Range(low=0.0),
    Op.LOG: Range(low=5e-324),
    Op.LOG1P: Range(low=float(np.nextafter(-1.0, 0.0))),
    Op.ACOS: Range(-1.0, 1.0),
    Op.ASIN: Range(-1.0, 1.0),
    Op.DIV: Range(least=5e-324),
}
"""The operands of which operations have a value, of a quotient the divisors."""


@lru_cache(8)
def protected(key: Itself) -> Mapping[int, Range]:
    """The operations whose last operand is on their domain wherever a result depends on it, and its range."""
    reading = key.reading
    nodes, ranges, found = reading.program.nodes, _ranges(reading), dict[int, Range]()
    for i, held in enumerate(_holding(reading)):
        domain = _DOMAINS.get(nodes[i].op)
        if domain is not None and held is not None:
            operand = nodes[i].args[-1]
            known = _under(reading, operand, [*held], ranges)
            if known.low >= domain.low and known.high <= domain.high and known.least >= domain.least:
                found[i] = known
    return found


def guards(reading: Reading, numbers: Sequence[int]) -> list[frozenset[Wanted] | None]:
    """For each node, the numbers of comparisons that come out in one way wherever a result depends on it."""
    return [
        None if held is None else frozenset((numbers[node], wanted) for node, wanted in held)
        for held in _holding(reading)
    ]


def _holding(reading: Reading) -> list[frozenset[Wanted] | None]:
    """For each node, the comparisons that come out in one way wherever a result depends on it."""
    nodes = reading.program.nodes
    held: list[frozenset[Wanted] | None] = [None] * len(nodes)
    for root in (*reading.program.results, *(node for node, _ in reading.program.status)):
        held[root] = frozenset()
    for i in reversed(range(len(nodes))):
        known = held[i]
        for k, operand in enumerate(nodes[i].args if known is not None else ()):
            here = (known or frozenset()).union(_before(reading, i, k))
            other = held[operand]
            held[operand] = here if other is None else other & here
    return held


def _before(reading: Reading, node: int, k: int) -> Iterable[Wanted]:
    """The comparisons on which it depends that an operand of a node matters."""
    op, args, _ = reading.program.nodes[node]
    if op is Op.SELECT and k > 0:
        return parts_of(reading.program, [(args[0], k == 1)])
    if op in (Op.AND, Op.OR) and k == 1:  # as the first one decides otherwise
        return parts_of(reading.program, [(args[0], op is Op.AND)])
    return ()


def _ranges(reading: Reading) -> list[Range]:
    """What each value is within for its operations and choices alone."""
    found = list[Range]()
    for op, args, value in reading.program.nodes:
        given = [found[a] for a in args]
        if op is Op.CONSTANT:
            number = nearest(Fraction(value or 0))
            found.append(Range(number, number, abs(number)))
        elif op in (Op.ABS, Op.SQRT, Op.EXP) or (op is Op.MUL and args[0] == args[1]):
            found.append(Range(low=0.0))
        elif op in (Op.ADD, Op.MUL) and all(r.low >= 0 for r in given):
            found.append(Range(low=max(r.low for r in given) if op is Op.ADD else 0.0))
        elif op is Op.SELECT:
            found.append(_of_choice(reading, args, [], found))
        else:
            found.append(Range())
    return found


def _under(
    reading: Reading, node: int, parts: Sequence[Wanted], ranges: Sequence[Range], depth: int = 0
) -> Range:
    """The range of a value where comparisons have come out in some way."""
    op, args, _ = reading.program.nodes[node]
    known = ranges[node]
    if op is Op.SELECT and depth < _DEPTH:
        known = _of_choice(reading, args, parts, ranges, depth)
    for comparison, holds in parts:
        known = known.within(_told(reading, node, comparison, bool(holds), ranges))
    return known


_DEPTH = 6
"""Choices are followed into so many others."""


def _of_choice(
    reading: Reading, args: Sequence[int], parts: Sequence[Wanted], ranges: Sequence[Range], depth: int = 0
) -> Range:
    """What a choice is within where comparisons have come out in some way."""
    condition, *sides = args
    ways = [[*parts, *parts_of(reading.program, [(condition, holds)])] for holds in (True, False)]
    one, other = (
        _under(reading, side, way, ranges, depth + 1) for side, way in zip(sides, ways, strict=True)
    )
    if one.is_empty or other.is_empty:
        return other if one.is_empty else one
    return one.or_(other)


def _told(reading: Reading, node: int, comparison: int, holds: bool, ranges: Sequence[Range]) -> Range:
    """What a comparison tells of a value, if it is one of its size or of itself."""
    nodes = reading.program.nodes
    op, args, _ = nodes[comparison]
    if op is Op.AND and not holds and _is_unequal(reading, node, args, ranges):
        return Range(least=5e-324)
    if op not in (Op.LT, Op.LE):
        return Range()
    (a, b), is_strict = (args if holds else args[::-1]), (op is Op.LT) == holds
    if a == node:
        return Range(high=_beyond(ranges[b].high, -np.inf, is_strict))
    if b == node:
        return Range(low=_beyond(ranges[a].low, np.inf, is_strict))
    if nodes[a] == (Op.ABS, (node,), None):
        high = _beyond(ranges[b].high, -np.inf, is_strict)
        return Range(-high, high)
    if nodes[b] == (Op.ABS, (node,), None):
        return Range(least=_beyond(ranges[a].low, np.inf, is_strict))
    return Range()


def _is_unequal(reading: Reading, node: int, both: Sequence[int], ranges: Sequence[Range]) -> bool:
    """Whether not all of `a <= b && b <= a` hold, where one is the value and the other one is zero."""
    nodes = reading.program.nodes
    if not all(nodes[n].op is Op.LE for n in both):
        return False
    first, second = (nodes[n].args for n in both)
    others = [a for a in first if a != node]
    return first == second[::-1] and node in first and [ranges[a] for a in others] == [Range(0.0, 0.0)]


def _beyond(limit: float, towards: float, is_strict: bool) -> float:
    """A limit, or the next number if it is not reached itself."""
    return float(np.nextafter(limit, towards)) if is_strict and np.isfinite(limit) else limit
