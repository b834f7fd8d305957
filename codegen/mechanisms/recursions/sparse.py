"""Linear equations with the mass matrix of a tree, whose elements vanish between its branches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from codegen.ir.types import Scalar
from codegen.modeling.types.elimination import inner, is_zero, times
from codegen.modeling.types.scalar import let

Elements = Mapping[tuple[int, int], Scalar]
"""The elements (i, j), i <= j, of a symmetric matrix; those that are not given are zero."""


@dataclass(frozen=True)
class Factored:
    """M = L^T D L of a matrix whose elements are zero unless i is an ancestor of j: L has the same zeros.

    `factors` are the elements (i, k) of L^T, `inverse` those of D^-1, and `parents` has for each row the last
    one before it that its elimination changes, or -1. Featherstone, Rigid Body Dynamics Algorithms (2008),
    section 6.5.
    """

    parents: Sequence[int]
    factors: Elements
    inverse: Sequence[Scalar]

    def down(self, right: Sequence[Scalar]) -> list[Scalar]:
        """L^-T right."""
        x = list(right)
        for k in reversed(range(len(x))):
            for i in _before(self.parents, k):
                x[i] = _less(x[i], times(self.factors[i, k], x[k]))
        return x

    def up(self, right: Sequence[Scalar]) -> list[Scalar]:
        """L^-1 right."""
        x = list(right)
        for k in range(len(x)):
            for i in _before(self.parents, k):
                x[k] = _less(x[k], times(self.factors[i, k], x[i]))
        return x

    def scaled(self, right: Sequence[Scalar]) -> list[Scalar]:
        """D^-1 right."""
        return [times(x, d) for x, d in zip(right, self.inverse, strict=True)]

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """M^-1 right."""
        return self.up(self.scaled(self.down(right)))


_PIVOT = "the reciprocal of a pivot D of the factors L^T D L, from the last row to the first"
_FACTOR = "an element of L of the factors L^T D L, which has ones on its diagonal"


def factored(rows: Elements, parents: Sequence[int]) -> Factored:
    """The factors of a symmetric positive definite matrix with these zeros."""
    H, factors = dict(rows), dict[tuple[int, int], Scalar]()
    inverse: list[Scalar] = [0] * len(parents)
    for k in reversed(range(len(parents))):
        inverse[k] = let(f"inverse_{k}", 1 / H[k, k], _PIVOT)
        for i in _before(parents, k):
            factor = factors[i, k] = let(f"L_{k}_{i}", H.get((i, k), 0) * inverse[k], _FACTOR)
            for j in (i, *_before(parents, i)):
                H[j, i] = H.get((j, i), 0) - factor * H.get((j, k), 0)
    return Factored(parents, factors, inverse)


def solve_sparse(rows: Elements, parents: Sequence[int], right: Sequence[Scalar]) -> list[Scalar]:
    """x of M x = right, see `Factored`."""
    return factored(rows, parents).solve(right)


def square(elements: Elements, n: int) -> list[list[Scalar]]:
    """The rows of a symmetric matrix."""
    return [[elements.get((min(i, j), max(i, j)), 0) for j in range(n)] for i in range(n)]


def product(M: Sequence[Sequence[Scalar]], x: Sequence[Scalar]) -> list[Scalar]:
    """M x."""
    return [inner(row, x) for row in M]


def _before(parents: Sequence[int], k: int) -> Iterator[int]:
    """The rows that the elimination of row k changes, from the last on."""
    while (k := parents[k]) >= 0:
        yield k


def _less(a: Scalar, b: Scalar) -> Scalar:
    """a - b, without a plain 0."""
    if is_zero(b):
        return a
    return -b if is_zero(a) else a - b
