"""Polynomials: sums of products of variables, with exact coefficients.

A variable is a number; a monomial is the sorted tuple of its variables, each as often as its power.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

Number: TypeAlias = int | Fraction
Monomial: TypeAlias = tuple[int, ...]
Polynomial: TypeAlias = dict[Monomial, Number]


def exact(number: Number) -> Number:
    """The number, as an int where it is whole: ints are faster."""
    return number.numerator if number.denominator == 1 else number


def variable(v: int) -> Polynomial:
    """The polynomial that is one variable."""
    return {(v,): 1}


def constant(number: Number) -> Polynomial:
    """The polynomial that is a number."""
    return {(): exact(number)} if number else {}


def accumulate(total: Polynomial, terms: Iterable[tuple[Monomial, Number]], scale: Number = 1) -> None:
    """Add the terms, times a scale, to the total."""
    for monomial, coefficient in terms:
        number, known = coefficient if scale == 1 else scale * coefficient, total.get(monomial)
        if known is not None:  # 0 plus a fraction takes as long as any sum
            number = known + number
        if number:
            total[monomial] = number if isinstance(number, int) else exact(number)
        else:
            total.pop(monomial, None)


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """p q, every bracket multiplied out."""
    if len(p) == 1:  # no two products are of the same variables
        ((m, c),) = p.items()
        return {merged(m, n): exact(c * d) for n, d in q.items()}
    total: Polynomial = {}
    for m, c in p.items():
        accumulate(total, ((merged(m, n), c * d) for n, d in q.items()))
    return total


def substituted(p: Polynomial, v: int, value: Polynomial) -> Polynomial:
    """p with a polynomial in place of variable v."""
    total: Polynomial = {}
    accumulate(total, _replaced(p, v, value))
    return total


def _replaced(p: Polynomial, v: int, value: Polynomial) -> Iterator[tuple[Monomial, Number]]:
    for m, c in p.items():
        if v in m:
            product: Polynomial = {tuple(x for x in m if x != v): c}
            for _ in range(m.count(v)):
                product = times(product, value)
            yield from product.items()
        else:
            yield m, c


def merged(m: Monomial, n: Monomial) -> Monomial:
    """The product of two monomials."""
    if not m or not n:
        return m or n
    return tuple(sorted(m + n))


def quotient(m: Monomial, divisor: Monomial) -> Monomial | None:
    """m / divisor, or None where it does not divide."""
    rest = list(m)
    for v in divisor:
        if v not in rest:
            return None
        rest.remove(v)
    return tuple(rest)


def parted(m: Monomial, n: Monomial) -> tuple[Monomial, Monomial, Monomial]:
    """(g, m / g, n / g) for the greatest common divisor g."""
    common, left, right = [], [], []
    i = j = 0
    while i < len(m) and j < len(n):
        if m[i] == n[j]:
            common.append(m[i])
            i += 1
            j += 1
        elif m[i] < n[j]:
            left.append(m[i])
            i += 1
        else:
            right.append(n[j])
            j += 1
    return tuple(common), (*left, *m[i:]), (*right, *n[j:])


def scales(coefficient: Number) -> bool:
    """Whether a coefficient takes a multiplication; a fraction does, as it is not whole."""
    return not isinstance(coefficient, int) or coefficient not in (1, -1)


def multiplications(m: Monomial, coefficient: Number) -> int:
    """The number of multiplications in a term."""
    return len(m) - 1 + scales(coefficient) if m else 0


def operations(p: Mapping[Monomial, Number]) -> int:
    """The number of multiplications and additions in a polynomial as it is written."""
    return sum(multiplications(m, c) for m, c in p.items()) + max(len(p) - 1, 0)
