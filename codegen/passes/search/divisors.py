"""divisors: greedy extraction of common divisors from polynomials.

Two terms of a polynomial with a common factor g are g (a + r b): their divisor is a + r b. Terms that divide
alike, in one polynomial or several, can share a variable for it. Two factors of a monomial are a divisor,
too. Each step takes out the divisor that saves the most operations, with all further terms that all its
places have in common; so sums of many terms are found from their pairs. (The method is known in the
synthesis of logic as fast extraction: Rajski and Vasudevamurthy, IEEE TCAD 11(6), 1992.)
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from math import gcd
from typing import NamedTuple, TypeAlias

from codegen.passes.search.polynomials import (
    Monomial,
    Number,
    Polynomial,
    accumulate,
    exact,
    merged,
    multiplications,
    operations,
    parted,
    quotient,
    scales,
)

Pair: TypeAlias = tuple[int, int]
"""Two terms; for a product one term and how often it has the factors."""

Ratio: TypeAlias = tuple[int, int]
"""Numerator and denominator in lowest terms: the hash of a Fraction takes a modular inverse."""

_WINDOW = 128
"""The number of preceding terms with which a term is paired, so that the time stays linear."""

_ONE: Ratio = (1, 1)

_CONTENDERS = 24
"""The number of divisors, best by their pairs of terms, whose complete savings are compared."""


class Sum(NamedTuple):
    """The divisor first + ratio * second."""

    first: Monomial
    second: Monomial
    ratio: Ratio

    @property
    def price(self) -> int:
        """Operations to compute it."""
        return 1 + multiplications(self.first, 1) + multiplications(self.second, _number(self.ratio))


class Product(NamedTuple):
    """The divisor x y; or scale * x, where y is None."""

    x: int
    y: int | None
    scale: Ratio

    @property
    def price(self) -> int:
        """Operations to compute it."""
        return 1


Divisor: TypeAlias = Sum | Product


class Summand(NamedTuple):
    """A term of a polynomial."""

    owner: int
    monomial: Monomial
    coefficient: Number


class Occurrence(NamedTuple):
    """Terms of one polynomial that are together factor * coefficient * divisor."""

    terms: list[int]
    factor: Monomial
    coefficient: Number


class Extract(NamedTuple):
    """A sum to be taken out: its polynomial, and where it stands."""

    polynomial: Polynomial
    places: list[Occurrence]


def extracted(polynomials: Mapping[int, Polynomial], fresh: int, split: bool) -> dict[int, Polynomial]:
    """The polynomials with all worthwhile divisors taken out; new variables are counted from `fresh`.

    Where `split`, 2 x y counts as x y + x y first, each of which may go with other terms.
    """
    return _Extraction(polynomials, fresh, split).run()


class _Candidate:
    """A divisor, where it stands with what it saves there, and what it saves altogether."""

    __slots__ = ("age", "divisor", "known", "pairs", "saving")

    def __init__(self, divisor: Divisor) -> None:
        self.divisor = divisor
        self.pairs: dict[Pair, int] = {}
        self.saving = -divisor.price
        self.age = -1  # its number among those that have been enqueued
        self.known: tuple[list[tuple[int, int]], Extract, int] | None = None  # versions, extract, saving


class _Extraction:
    """The terms, the divisors between them, and a queue of divisors by what they save."""

    def __init__(self, polynomials: Mapping[int, Polynomial], fresh: int, split: bool) -> None:
        self.fresh = fresh
        self.terms: list[Summand] = []
        self.work: list[int] = []  # multiplications of each term
        self.links: list[list[tuple[_Candidate, Pair]]] = []  # each term's divisors
        self.members: dict[int, dict[int, None]] = {}  # the terms of each polynomial
        self.version: dict[int, int] = {}  # how often each polynomial has changed
        self.candidates: dict[Divisor, _Candidate] = {}
        self.changed: dict[_Candidate, None] = {}  # candidates to enqueue again
        self.aged: list[_Candidate] = []  # those that have been enqueued
        self.queue: list[tuple[int, int]] = []  # (-saving, age), some of them out of date
        for owner, polynomial in polynomials.items():
            self.members[owner] = {}
            for monomial, coefficient in sorted(polynomial.items()):
                if split and coefficient in (2, -2) and len(monomial) > 1:
                    self._add(owner, monomial, coefficient // 2)
                    self._add(owner, monomial, coefficient // 2)
                else:
                    self._add(owner, monomial, coefficient)

    def run(self) -> dict[int, Polynomial]:
        while True:
            for candidate in self.changed:
                self._enqueue(candidate)
            self.changed.clear()
            best = self._best()
            if best is None:
                return {owner: self._polynomial(owner) for owner in self.members}
            if isinstance(best, Extract):
                self._take_out_sum(best)
            else:
                self._take_out_product(best)

    def _polynomial(self, owner: int) -> Polynomial:
        total: Polynomial = {}
        for t in self.members[owner]:
            accumulate(total, [self.terms[t][1:]])
        return total

    # The terms and the divisors between them

    def _add(self, owner: int, monomial: Monomial, coefficient: Number) -> None:
        new = len(self.terms)
        self._touch(owner)
        term = Summand(owner, monomial, coefficient)
        self.terms.append(term)
        self.links.append([])
        self.work.append(multiplications(monomial, coefficient))
        for old in islice(reversed(self.members[owner]), _WINDOW):
            if self.terms[old].monomial != monomial:
                self._pair(old, new)
        self.members[owner][new] = None
        for divisor, times in _products(monomial, coefficient).items():
            self.links[new].append((self._link(divisor, (new, times), times), (new, times)))

    def _pair(self, i: int, j: int) -> None:
        """Note the divisor of two terms of one polynomial."""
        left, right = self.terms[i], self.terms[j]
        g, a, b = parted(left.monomial, right.monomial)
        if (len(a), a) > (len(b), b):
            i, j, left, right, a, b = j, i, right, left, b, a
        c, d = left.coefficient, right.coefficient
        saved = 1 + self.work[i] + self.work[j]
        link = self._link(Sum(a, b, _ratio(c, d)), (i, j), saved - len(g) - scales(c)), (i, j)
        self.links[i].append(link)
        self.links[j].append(link)

    def _link(self, divisor: Divisor, pair: Pair, saved: int) -> _Candidate:
        candidate = self.candidates.get(divisor)
        if candidate is None:
            candidate = self.candidates[divisor] = _Candidate(divisor)
        candidate.pairs[pair] = saved
        candidate.saving += saved
        self.changed[candidate] = None
        return candidate

    def _remove(self, t: int) -> None:
        for candidate, pair in self.links[t]:
            saved = candidate.pairs.pop(pair, None)
            if saved is not None:
                candidate.saving -= saved
                self.changed[candidate] = None
        owner = self.terms[t].owner
        del self.members[owner][t]
        self._touch(owner)

    def _touch(self, owner: int) -> None:
        self.version[owner] = self.version.get(owner, 0) + 1

    # The choice

    def _enqueue(self, candidate: _Candidate) -> None:
        if candidate.saving > 0:
            if candidate.age < 0:
                candidate.age = len(self.aged)
                self.aged.append(candidate)
            heapq.heappush(self.queue, (-candidate.saving, candidate.age))

    def _best(self) -> Extract | Product | None:
        """The divisor that saves most, among those that are best by their pairs of terms."""
        best: Extract | Product | None = None
        most, tried = 0, dict[int, bool]()  # by age: whether it may yet save something
        while self.queue and len(tried) < _CONTENDERS:
            negative, age = heapq.heappop(self.queue)
            candidate = self.aged[age]
            if age in tried or -negative != candidate.saving:
                continue
            contender, saving = self._contender(candidate)
            tried[age] = saving > 0
            if saving > most:
                best, most = contender, saving
        for age, saves in tried.items():
            if saves:
                heapq.heappush(self.queue, (-self.aged[age].saving, age))
        return best

    def _contender(self, candidate: _Candidate) -> tuple[Extract | Product, int]:
        """What the divisor extracts, and the savings; computed again where its places changed."""
        if isinstance(candidate.divisor, Product):
            return candidate.divisor, candidate.saving
        known = candidate.known
        if known is None or any(self.version[owner] != version for owner, version in known[0]):
            extract = self._extract(candidate.divisor, candidate.pairs)
            owners = {self.terms[place.terms[0]].owner for place in extract.places}
            known = [(o, self.version[o]) for o in owners], extract, self._saved(extract)
            candidate.known = known
        return known[1:]

    def _saved(self, extract: Extract) -> int:
        saving = -operations(extract.polynomial)
        for place in extract.places:
            saving += sum(self.work[t] for t in place.terms) + len(place.terms) - 1
            saving -= len(place.factor) + scales(place.coefficient)
        return saving

    def _extract(self, divisor: Sum, pairs: Iterable[Pair]) -> Extract:
        """The divisor's places, and with it all terms that the places have in common."""
        places = list(self._places(divisor, pairs))
        polynomial: Polynomial = {divisor.first: 1, divisor.second: _number(divisor.ratio)}
        taken = {t for place in places for t in place.terms}
        columns = self._columns(places)
        for column in columns[0]:
            found = [others[column] for others in columns if column in others]
            whole = len(set(found)) == len(places) and column[0] not in polynomial
            if whole and taken.isdisjoint(found):
                polynomial[column[0]] = _number(column[1])
                taken.update(found)
                for place, t in zip(places, found, strict=True):
                    place.terms.append(t)
        return Extract(polynomial, places)

    def _places(self, divisor: Sum, pairs: Iterable[Pair]) -> Iterator[Occurrence]:
        """The places of the divisor, with no term twice."""
        taken: set[int] = set()
        for i, j in pairs:
            if i not in taken and j not in taken:
                taken.update((i, j))
                left = self.terms[i]
                factor = quotient(left.monomial, divisor.first) or ()
                yield Occurrence([i, j], factor, left.coefficient)

    def _columns(self, places: list[Occurrence]) -> list[dict[tuple[Monomial, Ratio], int]]:
        """For each place, the terms of its polynomial that its factor divides, by their quotients."""
        columns: list[dict[tuple[Monomial, Ratio], int]] = []
        for place in places:
            found: dict[tuple[Monomial, Ratio], int] = {}
            for t in self.members[self.terms[place.terms[0]].owner]:
                _, monomial, coefficient = self.terms[t]
                rest = quotient(monomial, place.factor)
                if rest is not None:
                    found.setdefault((rest, _ratio(place.coefficient, coefficient)), t)
            columns.append(found)
        return columns

    # Taking a divisor out

    def _take_out_sum(self, extract: Extract) -> None:
        new = self._new()
        for place in extract.places:
            owner = self.terms[place.terms[0]].owner
            for t in place.terms:
                self._remove(t)
            self._add(owner, merged(place.factor, (new,)), place.coefficient)
        for monomial, coefficient in extract.polynomial.items():
            self._add(new, monomial, coefficient)

    def _take_out_product(self, divisor: Product) -> None:
        new, scale = self._new(), _number(divisor.scale)
        for t, times in list(self.candidates[divisor].pairs):
            owner, monomial, coefficient = self.terms[t]
            self._remove(t)
            rest = list(monomial)
            for _ in range(times):
                rest.remove(divisor.x)
                if divisor.y is not None:
                    rest.remove(divisor.y)
            scaled = coefficient if scale == 1 else exact(Fraction(coefficient) / scale)
            self._add(owner, tuple(sorted((*rest, *[new] * times))), scaled)
        definition = (divisor.x,) if divisor.y is None else (divisor.x, divisor.y)
        self.members[new][len(self.terms)] = None
        self.terms.append(Summand(new, definition, scale))
        self.work.append(1)
        self.links.append([])

    def _new(self) -> int:
        self.fresh += 1
        self.members[self.fresh - 1] = {}
        return self.fresh - 1


def _ratio(c: Number, d: Number) -> Ratio:
    """d / c"""
    if c == 1:
        return d.numerator, d.denominator
    over, under = d.numerator * c.denominator, d.denominator * c.numerator
    common = gcd(over, under) if under > 0 else -gcd(over, under)
    return over // common, under // common


def _number(ratio: Ratio) -> Number:
    return ratio[0] if ratio[1] == 1 else Fraction(*ratio)


def _products(monomial: Monomial, coefficient: Number) -> dict[Product, int]:
    """The products of two factors in a term, each with how often it is there."""
    found: dict[Product, int] = {}
    for i, x in enumerate(monomial):
        for y in monomial[i + 1 :]:
            if x == y:
                found[Product(x, y, _ONE)] = monomial.count(x) // 2
            else:
                found[Product(x, y, _ONE)] = min(monomial.count(x), monomial.count(y))
        if scales(coefficient):
            found[Product(x, None, _ratio(1, coefficient if coefficient > 0 else -coefficient))] = 1
    return found
