"""Extents: how large the polynomials are that a formula stands for, for the bound of a proof's error.

A value is a fraction of polynomials in the numbers that are drawn at random: the inputs' parameters, the
values of sine, exp and the like, and the square roots. Its extent bounds the degree of both, and the sum
of the absolute coefficients. Denominators are kept as factors, so that sums over one denominator stay small.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import count
from typing import Any, NamedTuple

from codegen.ir.arrays import Constants, Listed
from codegen.ir.modular import MOST_TERMS
from codegen.ir.operations import LIBM, Op
from codegen.ir.systems import ARITHMETIC, ORDER, NumberSystem


class Size(NamedTuple):
    """Degree, and the logarithm to base 2 of the sum of absolute coefficients."""

    degree: int
    bits: float

    def times(self, other: Size, power: int = 1) -> Size:
        """The size of a product with a power of another polynomial."""
        return Size(self.degree + power * other.degree, self.bits + power * other.bits)

    def plus(self, other: Size) -> Size:
        """The size of a sum."""
        return Size(max(self.degree, other.degree), max(self.bits, other.bits) + 1)


ONE = Size(0, 0.0)


class Factor(NamedTuple):
    """A factor of a denominator: a number of its own, and its size."""

    name: int
    size: Size


class Denominator:
    """A product of powers of factors, and its size."""

    __slots__ = ("powers", "size")

    def __init__(self, powers: dict[Factor, int], size: Size) -> None:
        self.powers = powers
        self.size = size

    def times(self, other: Denominator) -> Denominator:
        """The product of both."""
        if not self.powers or not other.powers:
            return self if self.powers else other
        powers = dict(self.powers)
        for factor, power in other.powers.items():
            powers[factor] = powers.get(factor, 0) + power
        return Denominator(powers, self.size.times(other.size))

    def common(self, other: Denominator) -> Denominator:
        """The least common multiple of both."""
        if other is self or not other.powers:
            return self
        own, size = self.powers, self.size
        more = {f: power for f, power in other.powers.items() if power > own.get(f, 0)}
        for factor, power in more.items():
            size = size.times(factor.size, power - own.get(factor, 0))
        return Denominator(own | more, size) if more else self


NONE = Denominator({}, ONE)


def _power(factor: Factor, power: int = 1) -> Denominator:
    """A denominator of one factor."""
    return Denominator({factor: power}, ONE.times(factor.size, power))


@dataclass
class Account:
    """What has been met in comparisons: the largest polynomials, roots, functions and comparisons.

    `measured` are the ways that were, and what comparisons gave on them.
    """

    largest: Size = ONE
    roots: int = 0
    functions: int = 0
    comparisons: int = 0
    answers: list[bool] = field(default_factory=list)  # what comparisons give, where a way asks for it
    names: Any = field(default_factory=count)
    measured: set[tuple[str, tuple[bool, ...]]] = field(default_factory=set)

    def note(self, size: Size) -> None:
        """Take note of a polynomial that has to be told from zero."""
        self.largest = Size(max(self.largest.degree, size.degree), max(self.largest.bits, size.bits))

    def note_all(self, results: Iterable[Any]) -> None:
        """Take note of the results of a way; numbers among them are small."""
        for x in results:
            if isinstance(x, Extent):
                self.note(x.product)

    def unknown(self) -> Extent:
        """An unknown of its own."""
        return Extent(Size(1, 0.0), NONE, self)


class Extent:
    """The extent of a value: its numerator's, and the factors of its denominator.

    `terms` is at least the number of unknowns that the value is the sum of, and at least 1: as an angle it
    has the sine of a sum of so many. A whole multiple of an angle is such a sum.
    """

    __slots__ = ("account", "below", "name", "terms", "top")

    def __init__(self, top: Size, below: Denominator, account: Account, terms: int = 1) -> None:
        self.terms = terms
        self.top = top
        self.below = below
        self.account = account
        self.name = next(account.names)

    def number_system(self) -> NumberSystem:
        """The system that formulas on extents run in."""
        return extents(self.account)

    @property
    def product(self) -> Size:
        """The size of the product of numerator and denominator."""
        return self.top.times(self.below.size)

    def _over(self, common: Denominator) -> Size:
        """The numerator over a common denominator."""
        return self.top.times(common.size).times(self.below.size, -1)

    def _joined(self, other: Any) -> Extent:
        """A sum."""
        b = _extent(other, self.account)
        common = self.below.common(b.below)
        return Extent(self._over(common).plus(b._over(common)), common, self.account, self.terms + b.terms)

    __add__ = __radd__ = __sub__ = __rsub__ = _joined

    def __mul__(self, other: Any) -> Any:
        if hasattr(other, "__rmul__") and not isinstance(other, (Extent, Fraction, int)):
            return NotImplemented  # a vector scales itself
        b = _extent(other, self.account)
        terms = min(self.terms * b.terms, MOST_TERMS)
        return Extent(self.top.times(b.top), self.below.times(b.below), self.account, terms)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Extent:
        b = _extent(other, self.account)
        self.account.note(b.top)
        if not isinstance(other, Extent):
            scaled: Extent = self * (1 / Fraction(other))
            return scaled
        inverted = Extent(b.below.size, _power(Factor(b.name, b.top)), self.account)
        result: Extent = self * inverted
        return result

    def __rtruediv__(self, other: Any) -> Extent:
        return _extent(other, self.account) / self

    def __pow__(self, exponent: int) -> Extent:
        factors = [self] * abs(exponent)
        raised: Extent = reduce(operator.mul, factors, _extent(1, self.account))
        return raised if exponent >= 0 else 1 / raised

    def __neg__(self) -> Extent:
        return self

    def __abs__(self) -> Extent:
        self.account.comparisons += 1
        self.account.note(self.top)
        return self

    def _is_above(self, other: Any) -> bool:
        """Take note of the difference; the next answer, True if there is none."""
        self.account.comparisons += 1
        self.account.note(self._joined(other).top)
        return self.account.answers.pop(0) if self.account.answers else True

    __lt__ = __gt__ = _is_above

    def __le__(self, other: Any) -> bool:
        return not self._is_above(other)

    __ge__ = __le__

    def minimum(self, other: Any) -> Extent:
        """The larger extent of two, one of which is chosen."""
        self._is_above(other)
        return self._joined(other)

    def sqrt(self) -> Extent:
        """sqrt(a/b) is sqrt(a b)/b, with a new unknown for the root; as an angle it is twice its half."""
        self.account.roots += 1
        inside = self.product
        self.account.note(inside)
        root = Size(max(1, -(-inside.degree // 2)), inside.bits / 2)
        return Extent(root, self.below, self.account, 2)

    def function(self, *others: Any) -> Extent:
        """An unknown, the same one for the same arguments."""
        self.account.functions += 1
        self.account.note(self.product)
        for other in others:
            self.account.note(_extent(other, self.account).product)
        return self.account.unknown()

    asin = acos = exp = log = atan2 = log1p = floor = function

    def expm1(self) -> Extent:
        """An unknown minus one."""
        return self.exp() - 1

    def sinh(self) -> Extent:
        """Half of e - 1/e, for an unknown e that belongs to the number."""
        e = self.function()
        return (e - 1 / e) / 2

    cosh = sinh

    def tanh(self) -> Extent:
        """The quotient of both."""
        return self.sinh() / self.cosh()

    def sin(self) -> Extent:
        """2 t / (1 + t^2) or (1 - t^2) / (1 + t^2), for an unknown t that belongs to the angle.

        Those of a sum are sums of products of these, by the addition theorem.
        """
        self.function()
        n = min(self.terms, MOST_TERMS)
        below = _power(Factor(-1 - self.name, Size(2, 1.0)), n)
        return Extent(Size(2 * n, 2.0 * n), below, self.account)

    cos = sin

    def tan(self) -> Extent:
        """The quotient of both."""
        return self.sin() / self.sin()


def _extent(number: Any, account: Account) -> Extent:
    if isinstance(number, Extent):
        return number
    exact = Fraction(number) if isinstance(number, Fraction) else Fraction(operator.index(number))
    top = Size(0, math.log2(max(abs(exact.numerator), 1)))
    terms = max(1, min(abs(exact.numerator), MOST_TERMS))
    return Extent(top, _divisor(exact.denominator), account, terms)


@lru_cache(4096)
def _divisor(number: int) -> Denominator:
    """A whole number: its powers of 2 and 5, which decimals have in common, and the rest."""
    found = NONE
    for prime in (2, 5):
        power = 0
        while number % prime == 0:
            number, power = number // prime, power + 1
        if power:
            found = found.times(_power(_number(prime), power))
    return found.times(_power(_number(number))) if number > 1 else found


def _number(number: int) -> Factor:
    return Factor(-number, Size(0, math.log2(number)))


def _entry(account: Account, array: Constants | Listed, index: Any, offset: int) -> Extent:
    """The extent of an entry: an unknown, or the constant at a known index."""
    if isinstance(index, int):
        return _extent(array.values[index + offset], account)
    return _extent(index, account).function()


class Extents(NumberSystem):
    """A number system of extents."""


def extents(account: Account) -> Extents:
    """The number system of a comparison's extents: a choice has the extent of both its sides."""

    def either(condition: Any, a: Any, b: Any) -> Extent:
        return _extent(a, account)._joined(b)

    table = {
        **ARITHMETIC,
        **ORDER,
        **{op: getattr(Extent, op.label) for op in (*LIBM, Op.SQRT)},
        Op.MIN: Extent.minimum, Op.MAX: Extent.minimum,
        Op.CELL: lambda _, x: x.function(), Op.STEP: lambda x, _: x.function(),
        Op.FLAT: lambda i, stride, j: _extent(i, account)._joined(j),
        Op.LIST: Listed,
        Op.ENTRY: lambda array, i, offset: _entry(account, array, i, offset),
        Op.REAL: lambda i: _extent(i, account),
        Op.AND: lambda a, b: True, Op.OR: lambda a, b: True, Op.NOT: lambda a: True, Op.SELECT: either,
    }  # fmt: skip
    return Extents(
        "extents",
        table,
        lambda exact: _extent(exact, account),
        lambda name: account.unknown(),
    )
