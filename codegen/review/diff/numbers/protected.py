"""What guards and clamps keep operands within, whatever the round-off.

The root in `d > 0 ? sqrt(d) : 0` is a number in any order of the sum d: the same d is tested.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from codegen.ir.operations import Op
from codegen.ir.program import Program
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
        """The values, in place of those outside others that are inside, and none that happen to be tiny."""
        inside = np.clip(values, self.low, self.high)
        if self.least > 0:
            size = self.least if self.least > _TINY else _USUAL
            inside = np.where(np.abs(inside) < size, size if self.high >= size else -size, inside)
        return np.where(self.holds(values), values, inside)


_TINY, _USUAL = 1e-150, 2.0**-20
"""A size that no threshold has, and one that is taken where any number but zero may be."""

_LEAST = 5e-324
"""The least size of a number that is not zero."""

_DOMAINS: Mapping[Op, Range] = {
    Op.SQRT: Range(low=0.0),
    Op.LOG: Range(low=_LEAST),
    Op.LOG1P: Range(low=float(np.nextafter(-1.0, 0.0))),
    Op.ACOS: Range(-1.0, 1.0),
    Op.ASIN: Range(-1.0, 1.0),
    Op.DIV: Range(least=_LEAST),
}
"""The operands of which operations have a value, of a quotient the divisors."""


class Protected(NamedTuple):
    """The range in which an operand stays where some inputs are not zero, which are factors of a divisor."""

    range: Range
    inputs: tuple[int, ...] = ()

    def counts(self, values: Sequence[Any]) -> Any:
        """Where these inputs are not zero, given the values of all nodes."""
        found: Any = np.ones(1, dtype=bool)
        for i in self.inputs:
            found = found & (np.asarray(values[i]) != 0)
        return found


@lru_cache(8)
def protected(key: Itself) -> Mapping[int, Protected]:
    """The operations whose last operand is on their domain wherever a result depends on it."""
    program = key.reading.program
    nodes, ranges, found = program.nodes, _ranges(program), dict[int, Protected]()
    for i, held in enumerate(holding(program)):
        domain = _DOMAINS.get(nodes[i].op)
        if domain is None or held is None:
            continue
        operand = nodes[i].args[-1]
        known = _under(program, operand, [*held], ranges)
        if known.low >= domain.low and known.high <= domain.high and known.least >= domain.least:
            found[i] = Protected(known)
        elif nodes[i].op is Op.DIV and (inputs := _unguarded(program, operand, [*held], ranges)):
            found[i] = Protected(known.within(domain), tuple(inputs))
    return found


def _unguarded(program: Program, divisor: int, held: Sequence[Wanted], ranges: Sequence[Range]) -> list[int]:
    """The inputs among the factors of a divisor, whose other factors are not zero; none if there are none."""
    nodes, inputs, open_, seen = program.nodes, list[int](), [divisor], set[int]()
    is_guarded = False
    while open_:
        here = open_.pop()
        op, args, _ = nodes[here]
        if here in seen:
            continue
        seen.add(here)
        if op is Op.INPUT:
            inputs.append(here)
        elif _under(program, here, held, ranges).least > 0:
            is_guarded = True
        elif op in (Op.MUL, Op.NEG, Op.ABS, Op.SQRT):
            open_ += args
        else:
            return []
    return inputs if is_guarded else []


def guards(reading: Reading, numbers: Sequence[int]) -> list[frozenset[Wanted] | None]:
    """For each node, the numbers of comparisons that come out in one way wherever a result depends on it."""
    return [
        None if held is None else frozenset((numbers[node], wanted) for node, wanted in held)
        for held in holding(reading.program)
    ]


def holding(program: Program) -> list[frozenset[Wanted] | None]:
    """For each node, the comparisons that come out in one way wherever a result depends on it."""
    nodes = program.nodes
    held: list[frozenset[Wanted] | None] = [None] * len(nodes)
    for root in (*program.results, *(node for node, _ in program.status)):
        held[root] = frozenset()
    for i in reversed(range(len(nodes))):
        known = held[i]
        for k, operand in enumerate(nodes[i].args if known is not None else ()):
            here = (known or frozenset()).union(_before(program, i, k))
            other = held[operand]
            held[operand] = here if other is None else other & here
    return held


def _before(program: Program, node: int, k: int) -> Iterable[Wanted]:
    """The comparisons on which it depends that an operand of a node matters."""
    op, args, _ = program.nodes[node]
    if op is Op.SELECT and k > 0:
        return parts_of(program, [(args[0], k == 1)])
    if op in (Op.AND, Op.OR) and k == 1:  # as the first one decides otherwise
        return parts_of(program, [(args[0], op is Op.AND)])
    return ()


def possible(program: Program) -> Callable[[Sequence[Wanted]], bool]:
    """Whether comparisons may come out in some way together, as far as ranges of what they compare tell.

    Of one that does not hold, ranges tell nothing where a side may be no number.
    """
    ranges, nodes = _ranges(program), program.nodes
    are_numbers = _are_numbers(program, ranges)

    def is_possible(parts: Sequence[Wanted]) -> bool:
        known = [
            (node, holds)
            for node, holds in parts
            if nodes[node].op in (Op.LT, Op.LE) and (holds or all(are_numbers[a] for a in nodes[node].args))
        ]
        for k, (comparison, holds) in enumerate(known):
            op, args, _ = nodes[comparison]
            others = [*known[:k], *known[k + 1 :]]
            a, b = (_under(program, side, others, ranges) for side in (args if holds else args[::-1]))
            if a.low > b.high or (a.low == b.high and (op is Op.LT) == bool(holds)):
                return False
        return True

    return is_possible


def _are_numbers(program: Program, ranges: Sequence[Range]) -> list[bool]:
    """Which values are numbers wherever the inputs are, and nothing overflows."""
    found = list[bool]()
    for op, args, _ in program.nodes:
        is_computed = op in _TOTAL or (op is Op.SQRT and ranges[args[0]].low >= 0)
        found.append(is_computed and all(found[a] for a in args))
    return found


_TOTAL = frozenset(
    {Op.INPUT, Op.CONSTANT, Op.TRUTH, Op.ADD, Op.SUB, Op.MUL, Op.NEG, Op.ABS, Op.SELECT}
    | {Op.LT, Op.LE, Op.AND, Op.OR, Op.NOT}
)
"""The operations that make numbers of numbers."""


def _ranges(program: Program) -> list[Range]:
    """What each value is within for its operations and choices alone."""
    found = list[Range]()
    for op, args, value in program.nodes:
        if op is Op.CONSTANT:
            number = nearest(Fraction(value or 0))
            found.append(Range(number, number, abs(number)))
        elif op is Op.SELECT:
            found.append(_of_choice(program, args, [], found))
        else:
            found.append(_computed(op, args, [found[a] for a in args]))
    return found


def _computed(op: Op, args: Sequence[int], given: Sequence[Range]) -> Range:
    """The range of what is computed from numbers in some ranges, of which none underflows."""
    if op is Op.NEG:
        return Range(-given[0].high, -given[0].low, given[0].least)
    if op in (Op.ABS, Op.SQRT):
        least = given[0].least if op is Op.ABS else _rounded(math.sqrt(given[0].least), -np.inf)
        return Range(least, np.inf, least)
    if op is Op.EXP:
        return Range(low=0.0)
    if op in (Op.ADD, Op.SUB):
        a, b = given if op is Op.ADD else (given[0], _computed(Op.NEG, args[1:], given[1:]))
        return Range(_rounded(a.low + b.low, -np.inf), _rounded(a.high + b.high, np.inf)).within(Range())
    if op is Op.MUL:
        return _product(given[0], given[1], args[0] == args[1])
    is_quotient = op is Op.DIV and given[0].low >= 0 and given[1].low >= 0  # of integers, too
    return Range(low=0.0) if is_quotient else Range()


def _product(a: Range, b: Range, is_square: bool) -> Range:
    least = max(_rounded(a.least * b.least, -np.inf), _LEAST) if a.least > 0 and b.least > 0 else 0.0
    with np.errstate(all="ignore"):
        ends = [float(np.multiply(x, y)) for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high = (_rounded(end, away) for end, away in ((min(ends), -np.inf), (max(ends), np.inf)))
    if np.isnan(ends).any():
        low, high = -np.inf, np.inf
    if is_square or (a.low >= 0 and b.low >= 0):
        low = max(least, low, 0.0)
    return Range(low, high, least)


def _rounded(limit: float, away: float) -> float:
    """A limit as a sum of floats may reach it, which has fewer digits; none if it is no number."""
    with np.errstate(all="ignore"):
        short = float(np.float32(limit))
    furthest = min if away < 0 else max
    return away if math.isnan(limit) else limit if abs(limit) < _TINY_FLOAT else furthest(limit, short)


_TINY_FLOAT = 2.0**-126
"""Smaller numbers are no usual floats."""

_FOLLOWED = frozenset({Op.NEG, Op.ABS, Op.SQRT, Op.ADD, Op.SUB, Op.MUL, Op.DIV})


def _under(
    program: Program, node: int, parts: Sequence[Wanted], ranges: Sequence[Range], depth: int = 0
) -> Range:
    """The range of a value where comparisons have come out in some way."""
    op, args, _ = program.nodes[node]
    known = ranges[node]
    if op is Op.SELECT and depth < _DEPTH:
        known = _of_choice(program, args, parts, ranges, depth)
    elif op in _FOLLOWED and parts and depth < _DEPTH:
        given = [_under(program, a, parts, ranges, depth + 1) for a in args]
        known = known.within(_computed(op, args, given))
    for comparison, holds in parts:
        known = known.within(_told(program, node, comparison, bool(holds), ranges))
    return known


_DEPTH = 4
"""Choices and operations are followed into so many others."""


def _of_choice(
    program: Program, args: Sequence[int], parts: Sequence[Wanted], ranges: Sequence[Range], depth: int = 0
) -> Range:
    """What a choice is within where comparisons have come out in some way."""
    condition, *sides = args
    ways = [[*parts, *parts_of(program, [(condition, holds)])] for holds in (True, False)]
    one, other = (
        _under(program, side, way, ranges, depth + 1) for side, way in zip(sides, ways, strict=True)
    )
    if one.is_empty or other.is_empty:
        return other if one.is_empty else one
    return one.or_(other)


def _told(program: Program, node: int, comparison: int, holds: bool, ranges: Sequence[Range]) -> Range:
    """What a comparison tells of a value, if it compares that, or what is computed from it or with it."""
    nodes = program.nodes
    op, args, _ = nodes[comparison]
    if op is Op.AND and not holds and _is_unequal(program, node, args, ranges):
        return Range(least=_LEAST)
    if op not in (Op.LT, Op.LE):
        return Range()
    (a, b), is_strict = (args if holds else args[::-1]), (op is Op.LT) == holds
    below = Range(high=_beyond(ranges[b].high, -np.inf, is_strict))
    above = Range(low=_beyond(ranges[a].low, np.inf, is_strict))
    if nodes[node].op is Op.SUB and _are_same(program, nodes[node].args, (b, a)):
        return Range(low=_LEAST if is_strict else 0.0).within(Range())
    if nodes[node].op is Op.SUB and _are_same(program, nodes[node].args, (a, b)):
        return Range(high=-_LEAST if is_strict else 0.0).within(Range())
    return _of_operand(program, node, a, below).within(_of_operand(program, node, b, above))


def _are_same(program: Program, some: Sequence[int], others: Sequence[int]) -> bool:
    """Whether nodes are the same ones, or equal constants."""
    nodes = program.nodes
    return all(
        a == b or (nodes[a].op is Op.CONSTANT and nodes[a] == nodes[b])
        for a, b in zip(some, others, strict=True)
    )


def _of_operand(program: Program, node: int, here: int, known: Range, depth: int = 0) -> Range:
    """What is known of a number, given what is known of one that is computed from it."""
    if here == node:
        return known.within(Range())
    op, args, _ = program.nodes[here]
    known = known.within(Range())
    if depth == _DEPTH or op not in (Op.ABS, Op.SQRT, Op.NEG, Op.MUL):
        return Range()
    if op is Op.ABS and args[0] == node and known.high < np.inf:
        return Range(-known.high, known.high, known.least)
    if op is Op.NEG:
        return _of_operand(program, node, args[0], Range(-known.high, -known.low, known.least), depth + 1)
    factor = _positive_factor(program, args) if op is Op.MUL else None
    if factor is not None:
        scaled = Range(np.sign(known.low) * _LEAST if known.low >= 0 else -np.inf, np.inf, 0.0)
        return _of_operand(program, node, factor, scaled, depth + 1)
    rest = Range(least=_LEAST) if known.least > 0 else Range()
    found = [_of_operand(program, node, a, rest, depth + 1) for a in dict.fromkeys(args)]
    return found[0] if len(found) == 1 else found[0].within(found[1])


def _positive_factor(program: Program, args: Sequence[int]) -> int | None:
    """The other factor of a product by a positive constant."""
    for constant, other in (args, args[::-1]):
        op, _, value = program.nodes[constant]
        if op is Op.CONSTANT and isinstance(value, Fraction | int) and value > 0:
            return other
    return None


def _is_unequal(program: Program, node: int, both: Sequence[int], ranges: Sequence[Range]) -> bool:
    """Whether not all of `a <= b && b <= a` hold, where one is the value and the other one is zero."""
    nodes = program.nodes
    if not all(nodes[n].op is Op.LE for n in both):
        return False
    first, second = (nodes[n].args for n in both)
    others = [a for a in first if a != node]
    is_pair = _are_same(program, first, second[::-1])
    return is_pair and node in first and [ranges[a] for a in others] == [Range(0.0, 0.0)]


def _beyond(limit: float, towards: float, is_strict: bool) -> float:
    """A limit, or the next number if it is not reached itself."""
    return math.nextafter(limit, towards) if is_strict and np.isfinite(limit) else limit
