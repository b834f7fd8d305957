"""Sums and products of integers in one form, and what is known of their ranges from tests that have held.

`i * n + j`, `j + n * i` and `n * (i + 1) - n + j` are one polynomial, and `i <= n - 1` is `i < n`. They are
numbers of mathematics: whether the types of C hold them is looked at apart from that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations_with_replacement

Polynomial = Mapping[tuple[int, ...], int]
"""The coefficient of each product of nodes; that of no node is the constant."""

MOST_TERMS = 32
"""Limit on the terms of a polynomial."""

_MOST_FACTORS = 6
"""Limit on the nodes of a product."""

_MOST_FACTS = 24
"""Limit on the tests from which ranges are concluded."""


def added(a: Polynomial, b: Polynomial, factor: int = 1) -> Polynomial:
    """a + factor b."""
    found = dict(a)
    for monomial, number in b.items():
        found[monomial] = found.get(monomial, 0) + factor * number
    return {monomial: number for monomial, number in found.items() if number}


def multiplied(a: Polynomial, b: Polynomial) -> Polynomial:
    """The product."""
    found = dict[tuple[int, ...], int]()
    for one, x in a.items():
        for other, y in b.items():
            monomial = tuple(sorted((*one, *other)))
            found[monomial] = found.get(monomial, 0) + x * y
    return {monomial: number for monomial, number in found.items() if number}


def is_small(polynomial: Polynomial) -> bool:
    """Whether a polynomial is one that is calculated with."""
    return len(polynomial) <= MOST_TERMS and all(len(m) <= _MOST_FACTORS for m in polynomial)


def constant_of(polynomial: Polynomial) -> int | None:
    """The number that a polynomial is; None where it depends on anything."""
    return polynomial.get((), 0) if not set(polynomial) - {()} else None


def is_never_negative(number: Polynomial, facts: Sequence[Polynomial], counts: Collection[int]) -> bool:
    """Whether a number is at least 0, as some are that are known, and the nodes that count turns of loops."""
    return _is_above(number, _least([number], facts, counts))


def is_made_of_naturals(number: Polynomial, facts: Sequence[Polynomial], counts: Collection[int]) -> bool:
    """Whether a number is a sum of products of numbers that are at least 0."""
    nodes = {node for monomial in number for node in monomial}
    is_positive = all(factor > 0 for factor in number.values())
    return is_positive and all(is_never_negative({(node,): 1}, facts, counts) for node in nodes)


def is_between(
    number: Polynomial, held: Iterable[Polynomial], facts: Sequence[Polynomial], counts: Collection[int]
) -> bool:
    """Whether a number is surely neither below nor above all of some that a type holds."""
    every = [*held]
    least = _least([number, *every], facts, counts)
    low = any(_is_above(added(number, x, -1), least) for x in every)
    return low and any(_is_above(added(x, number, -1), least) for x in every)


_Terms = frozenset[tuple[tuple[int, ...], int]]
"""The terms of a polynomial without its constant."""


def _least(
    numbers: Iterable[Polynomial], facts: Sequence[Polynomial], counts: Collection[int]
) -> Mapping[_Terms, int]:
    """The least constants of sums of two numbers that are at least 0, by the other terms of the sums."""
    every = [*numbers, *facts[:_MOST_FACTS]]
    named = {node for p in every for monomial in p for node in monomial}
    counted: list[Polynomial] = [{(node,): 1} for node in sorted(named & {*counts})]
    known: list[Polynomial] = [{}, *counted, *facts[:_MOST_FACTS]]
    found = dict[_Terms, int]()
    for a, b in combinations_with_replacement(known, 2):
        total = added(a, b)
        terms, number = _terms(total), total.get((), 0)
        found[terms] = min(found.get(terms, number), number)
    return found


def _terms(polynomial: Polynomial) -> _Terms:
    return frozenset((monomial, n) for monomial, n in polynomial.items() if monomial)


def _is_above(number: Polynomial, least: Mapping[_Terms, int]) -> bool:
    """Whether a number is at least as large as one that is at least 0."""
    bound = least.get(_terms(number))
    return bound is not None and number.get((), 0) >= bound


def leading(polynomial: Polynomial) -> int:
    """The coefficient by which a polynomial is told from its negative."""
    return polynomial[max(set(polynomial) - {()})]
