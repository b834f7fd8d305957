"""Linear equations of a few unknowns, unrolled: factors of positive definite matrices, and cofactors.

Matrices are lists of rows of scalars of any kind. Where a matrix is singular, the requirement of the status
SINGULAR fails, and every value here is finite: what was computed with it is selected away by the caller.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.status import Status
from codegen.ir.types import Scalar
from codegen.modeling.types.scalar import EPS, MIN, absolute, every, let, require, requiring_for, select

Rows = Sequence[Sequence[Scalar]]


@dataclass(frozen=True, eq=False)
class Solved:
    """A matrix that equations are solved with, as the ends of its rows that are read; `fault` is why not."""

    rows: Rows
    fault: str

    def reciprocal(self, x: Scalar) -> Scalar:
        """1 / x for a pivot or determinant; NeverSolved where it is the plain number 0."""
        if is_zero(x):
            size = f"{len(self.rows)}x{len(self.rows)}"
            raise NeverSolved(
                f"a {size} matrix is {self.fault} whatever the inputs are; correct its elements"
            )
        return 1 / x


class NeverSolved(FeatherError, ZeroDivisionError):
    """Equations are solved with a matrix that is singular, whatever the inputs are."""


def is_zero(x: Scalar) -> bool:
    """Whether it is the plain number 0, which contributes nothing to a sum of products."""
    return isinstance(x, (int, float)) and x == 0


def inner(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """The sum of the products of corresponding scalars, without those with a plain 0."""
    products = [p for x, y in zip(a, b, strict=True) if not is_zero(p := times(x, y))]
    return reduce(operator.add, products) if products else 0


def times(a: Scalar, b: Scalar) -> Scalar:
    """a b; a plain 0 or 1 costs no product."""
    for x, other in ((a, b), (b, a)):
        if isinstance(x, (int, float)) and x in (0, 1):
            return other if x == 1 else 0
    return a * b


def factors(S: Rows) -> tuple[list[list[Scalar]], list[Scalar], list[Scalar], Any]:
    """L D L^T = S for a symmetric positive definite n x n matrix, of which the lower triangle is not read.

    Returns the rows of L below its unit diagonal, the pivots D, their reciprocals, and the condition that S
    is positive definite: no pivot is within n eps of its diagonal element, which a pivot is at most, or below
    the smallest normal number. A pivot for which this fails counts as 1.
    """
    n = len(S)
    L: list[list[Scalar]] = [[] for _ in S]
    pivots: list[Scalar] = []
    reciprocals: list[Scalar] = []
    sound: list[Any] = []
    of = Solved([row[i:] for i, row in enumerate(S)], "not positive definite")
    for j in range(n):
        scaled = [L[j][k] * pivots[k] for k in range(j)]  # row j of L D
        pivot = let(f"pivot_{j}", _less(S[j][j], inner(L[j], scaled)))
        with requiring_for(of):
            sound.append(require(pivot > n * EPS * S[j][j] + MIN, Status.SINGULAR))
        pivots.append(select(sound[-1], pivot, 1))
        reciprocals.append(let(f"inv_pivot_{j}", of.reciprocal(pivots[j])))
        for i in range(j + 1, n):
            L[i].append(_less(S[j][i], inner(L[i], scaled)) * reciprocals[j])
    return L, pivots, reciprocals, every(*sound)


def _less(a: Scalar, b: Scalar) -> Scalar:
    """a - b, without a plain 0."""
    return a if is_zero(b) else a - b


def forward(L: Rows, b: Sequence[Scalar]) -> list[Scalar]:
    """The solution of L y = b; L has a unit diagonal, which its rows leave out."""
    y: list[Scalar] = []
    for row, right in zip(L, b, strict=True):
        y.append(_less(right, inner(row, y)))
    return y


def backward(L: Rows, y: Sequence[Scalar]) -> list[Scalar]:
    """The solution of L^T x = y; L has a unit diagonal, which its rows leave out."""
    n = len(L)
    x: list[Scalar] = [0] * n
    for i in reversed(range(n)):
        column = [L[k][i] for k in range(i + 1, n)]
        x[i] = _less(y[i], inner(column, x[i + 1 :]))
    return x


def inverse_of_factors(L: Rows, reciprocals: Sequence[Scalar]) -> list[Scalar]:
    """The upper triangle of L^-T D^-1 L^-1, row by row; L has a unit diagonal, which its rows leave out."""
    n = len(L)
    columns = [forward(L, [int(i == j) for i in range(n)]) for j in range(n)]
    scaled = [list(map(times, column, reciprocals)) for column in columns]
    return [inner(columns[i], scaled[j]) for i in range(n) for j in range(i, n)]


Combine = Callable[[Scalar, Scalar], Scalar]


class Minors:
    """The minors of a square matrix, by expansion along rows; each is computed once.

    The terms of odd permutations are combined by `odd`: subtraction gives determinants, addition of absolute
    values the size of their terms.
    """

    def __init__(self, A: Rows, odd: Combine) -> None:
        self.A = A
        self.odd = odd
        self.known: dict[tuple[tuple[int, ...], tuple[int, ...]], Scalar] = {}

    def minor(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> Scalar:
        """The determinant of these rows and columns."""
        if not rows:
            return 1
        if (rows, columns) not in self.known:
            self.known[rows, columns] = self._expanded(rows, columns)
        return self.known[rows, columns]

    def _expanded(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> Scalar:
        total: Scalar = 0
        for k, j in enumerate(columns):
            term = times(self.A[rows[0]][j], self.minor(rows[1:], columns[:k] + columns[k + 1 :]))
            if not is_zero(term):
                total = self.odd(total, term) if k % 2 else _sum(total, term)
        return total

    @property
    def whole(self) -> Scalar:
        """The determinant."""
        every_index = tuple(range(len(self.A)))
        return self.minor(every_index, every_index)


def _sum(a: Scalar, b: Scalar) -> Scalar:
    return b if is_zero(a) else a + b


def determinant(A: Rows) -> Scalar:
    """The determinant of a square matrix, by its cofactors."""
    return Minors(A, operator.sub).whole


def inverse(A: Rows) -> tuple[list[list[Scalar]], Scalar, Any]:
    """The transposed cofactors of a square matrix, the reciprocal determinant, and whether it is regular.

    It is regular where the determinant is not within n eps of the sum of its terms' absolute values, so that
    some of its digits are right; scaling rows or columns does not change this.
    """
    n = len(A)
    minors = Minors(A, operator.sub)
    size = Minors([[_size(x) for x in row] for row in A], operator.add).whole
    of = Solved(A, "singular")
    with requiring_for(of):
        regular = require(absolute(minors.whole) > n * EPS * size + MIN, Status.SINGULAR)
    reciprocal = let("inv_det", of.reciprocal(select(regular, let("det", minors.whole), 1)))
    return _adjugate(minors), reciprocal, regular


def adjugate(A: Rows) -> list[list[Scalar]]:
    """The transposed cofactors of a square matrix."""
    return _adjugate(Minors(A, operator.sub))


def _adjugate(minors: Minors) -> list[list[Scalar]]:
    indices = tuple(range(len(minors.A)))
    left_out = {rest[0]: kept for kept, rest in _one_less(indices)}
    return [[_signed(minors.minor(left_out[j], left_out[i]), (i + j) % 2) for j in indices] for i in indices]


def _size(x: Scalar) -> Scalar:
    return abs(x) if isinstance(x, (int, float)) else absolute(x)


def _one_less(indices: tuple[int, ...]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The indices without one of them, and that one."""
    kept = combinations(indices, len(indices) - 1)
    return [(some, tuple(i for i in indices if i not in some)) for some in kept]


def _signed(x: Scalar, odd: int) -> Scalar:
    return -x if odd and not is_zero(x) else x
