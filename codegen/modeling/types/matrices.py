"""Values that are vectors and matrices of any size, over scalars of any kind.

They are immutable. A matrix that is symmetric by construction, as A A^T and H P H^T are, is a SymmetricValue:
only its upper triangle is computed. Shapes are (rows, columns); indices start at 0. A plain 0 in a matrix
costs nothing: its products are left out.
"""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Never, Self, TypeAlias

from codegen.errors import FormulaError
from codegen.ir.composite import Composite, kind
from codegen.ir.numpy_operands import is_array, python_number
from codegen.ir.types import Scalar, check_index, flatten
from codegen.modeling.types import elimination
from codegen.modeling.types.elimination import inner, times
from codegen.modeling.types.scalar import select, sqrt

Combine: TypeAlias = Callable[[Scalar, Scalar], Scalar]

MOST_COFACTORS = 4
"""Rows of the largest matrix that is inverted by its cofactors, whose number grows as the factorial."""

MOST_PIVOTS = 12
"""Rows of the largest matrix that is factored: the unrolled code grows as their cube."""


class Linear(Composite):
    """A vector or matrix of any size: sums and multiples of it, and products with it."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """(n,) of a vector, (rows, columns) of a matrix."""

    def zip_with(self, other: Any, function: Combine) -> Any:
        """`function` applied to corresponding scalars of two vectors or matrices of one shape."""
        return self._combined("selected with", other, function)

    @abstractmethod
    def _merged(self, other: Linear, function: Combine) -> Any:
        """`function` applied to corresponding scalars of two values of one shape."""

    def _combined(self, operator: str, other: Any, function: Combine) -> Any:
        right = self._operand(operator, other)
        if right.shape != self.shape:
            raise FormulaError(f"{self.kind} {operator} {kind(other)}: both sides must have one shape")
        return self._merged(right, function)

    def _operand(self, operator: str, other: Any) -> Linear:
        if not _is_table(other):
            self._unlike(operator, other)
        return linear(other)

    def _unlike(self, operator: str, other: Any) -> Never:
        raise FormulaError(f"{self.kind} {operator} {kind(other)}: both sides must be vectors or matrices")

    def __add__(self, other: Any) -> Any:
        return self._combined("+", other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Any:
        if not _is_table(other):
            return super().__radd__(other)
        return linear(other) + self

    def __sub__(self, other: Any) -> Any:
        return self._combined("-", other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._operand("-", other) - self

    def __matmul__(self, other: Any) -> Any:
        right = self._operand("@", other)
        if self.shape[-1] != right.shape[0]:
            raise FormulaError(
                f"{self.kind} @ {kind(other)}: the left side has {self.shape[-1]} columns, "
                f"but the right side has {right.shape[0]} rows"
            )
        return self._product(right)

    def __rmatmul__(self, other: Any) -> Any:
        return self._operand("@", other) @ self

    @abstractmethod
    def _product(self, right: Any) -> Any:
        """The product with a vector or matrix of fitting size on the right."""


class VectorValue(Linear):
    """A vector of n scalars: `v[i]`, slices, `a.dot(b)`, `v.norm`; a column to the right of a matrix, a row
    to the left of one.
    """

    anew = "list its elements, as in x = [*v], and change the list, which is a vector, too"

    def __init__(self, scalars: Sequence[Scalar]) -> None:
        self._scalars = tuple(map(python_number, scalars))

    @property
    def shape(self) -> tuple[int]:
        """(n,)"""
        return (len(self._scalars),)

    @property
    def kind(self) -> str:
        """Vector(n)"""
        return f"Vector({len(self._scalars)})"

    def scalars(self) -> list[Scalar]:
        """The scalars in their order."""
        return list(self._scalars)

    def with_scalars(self, scalars: Sequence[Scalar]) -> Self:
        """The vector of these scalars."""
        return type(self)(scalars)

    def suffixes(self) -> list[str]:
        """The index of each."""
        return [f"_{i}" for i in range(len(self._scalars))]

    def __repr__(self) -> str:
        return f"{self.kind}{list(self._scalars)}"

    def __len__(self) -> int:
        return len(self._scalars)

    def __iter__(self) -> Iterator[Scalar]:
        return iter(self._scalars)

    def __getitem__(self, index: Any) -> Any:
        """Element i (n >= 1 of them, negative ones from the end), or the vector of a slice."""
        if isinstance(index, tuple):
            raise FormulaError(f"a {self.kind} has one index, v[i]")
        found = _chosen(index, len(self), self.kind)
        picked = [self._scalars[i] for i in found]
        return VectorValue(picked) if isinstance(index, slice) else picked[0]

    @property
    def T(self) -> Self:
        """The vector itself: it is a row or a column as a product needs it."""
        return self

    def dot(self, other: Any) -> Scalar:
        """Inner product with a vector of the same size."""
        return self @ linear(other)

    def outer(self, other: Any) -> MatrixValue:
        """a b^T, of shape (n, m)."""
        return matrix([[times(a, b) for b in flatten(other)] for a in self._scalars])

    @property
    def norm_squared(self) -> Scalar:
        """v.v"""
        return inner(self._scalars, self._scalars)

    @property
    def norm(self) -> Scalar:
        """The length of v; its derivative does not exist where v is zero."""
        return sqrt(self.norm_squared)

    def _merged(self, other: Linear, function: Combine) -> Any:
        pairs = zip(self._scalars, other.scalars(), strict=True)
        return VectorValue([function(a, b) for a, b in pairs])

    def _product(self, right: Linear) -> Any:
        if isinstance(right, MatrixValue):
            return VectorValue([inner(self._scalars, column) for column in right.columns])
        return inner(self._scalars, right.scalars())


class MatrixValue(Linear):
    """A matrix of shape (rows, columns): `A @ B`, `A[i, j]`, `A[i]` and `A[:, j]` (vectors), `A[0:3, 3:6]`
    (blocks), `A.T`.
    """

    anew = "write A = A.with_block(i, j, [[x]]), which is a new matrix with x at (i, j)"

    def __init__(self, rows: Sequence[Sequence[Scalar]]) -> None:
        self.rows = tuple(tuple(map(python_number, row)) for row in rows)
        self._factors: tuple[MatrixValue, MatrixValue] | None = None  # those that it is the product of

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)"""
        return len(self.rows), len(self.rows[0])

    @property
    def kind(self) -> str:
        """Matrix(r, c)"""
        return f"Matrix({self.shape[0]}, {self.shape[1]})"

    @property
    def columns(self) -> tuple[tuple[Scalar, ...], ...]:
        """The scalars of each column."""
        return tuple(zip(*self.rows, strict=True))

    def table(self) -> Sequence[Any]:
        """The rows."""
        return self.rows

    def scalars(self) -> list[Scalar]:
        """The elements, row by row."""
        return [x for row in self.rows for x in row]

    def with_scalars(self, scalars: Sequence[Scalar]) -> Self:
        """The matrix of the same shape with these elements, row by row."""
        width = self.shape[1]
        rows = [scalars[i : i + width] for i in range(0, len(scalars), width)]
        return type(self)(rows)

    def suffixes(self) -> list[str]:
        """Row and column: `_01`."""
        return suffixes((i, j) for i in range(self.shape[0]) for j in range(self.shape[1]))

    def __repr__(self) -> str:
        return f"{self.kind}{[list(row) for row in self.rows]}"

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[VectorValue]:
        """The rows, as vectors."""
        return (VectorValue(row) for row in self.rows)

    def __getitem__(self, index: Any) -> Any:
        """An element `A[i, j]`, a row `A[i]` or column `A[:, j]` as a vector, or a block `A[a:b, c:d]`."""
        at = index if isinstance(index, tuple) else (index, slice(None))
        if len(at) != 2:
            raise FormulaError(f"a {self.kind} has two indices, row and column, not {len(at)}")
        rows, columns = (_chosen(i, n, self.kind) for i, n in zip(at, self.shape, strict=True))
        block = [[self.rows[i][j] for j in columns] for i in rows]
        match [isinstance(i, slice) for i in at]:
            case [False, False]:
                return block[0][0]
            case [True, True]:
                return matrix(block)
        return VectorValue([x for row in block for x in row])

    @cached_property
    def T(self) -> MatrixValue:
        """The transpose."""
        return matrix(self.columns)

    def with_block(self, row: int, column: int, block: Any) -> MatrixValue:
        """The matrix with this block in place of its elements from (row, column) on; a vector is a column."""
        inserted = block_of(block)
        (rows, columns), (height, width) = self.shape, inserted.shape
        if not (0 <= row <= rows - height and 0 <= column <= columns - width):
            raise FormulaError(f"a {inserted.kind} at ({row}, {column}) does not fit into a {self.kind}")
        whole = [list(r) for r in self.rows]
        for i, part in enumerate(inserted.rows):
            whole[row + i][column : column + width] = part
        return matrix(whole)

    @property
    def diagonal(self) -> VectorValue:
        """The elements (i, i)."""
        return VectorValue([self.rows[i][i] for i in range(min(self.shape))])

    @property
    def trace(self) -> Scalar:
        """The sum of the diagonal of a square matrix."""
        self._expect_square("trace")
        return sum(self.diagonal)

    @property
    def symmetric(self) -> SymmetricValue:
        """The symmetric matrix with this upper triangle, of a square matrix that mathematics makes symmetric.

        The elements below the diagonal are not computed.
        """
        self._expect_square("symmetric")
        return from_upper([self.rows[i][j] for i, j in upper(len(self.rows))])

    @property
    def determinant(self) -> Scalar:
        """The determinant of a square matrix of at most 4 rows."""
        self._expect_square("determinant", MOST_COFACTORS)
        return elimination.determinant(self.rows)

    @property
    def adjugate(self) -> MatrixValue:
        """The adjugate of a square matrix of at most 4 rows: `A @ A.adjugate` is `A.determinant` times 1."""
        self._expect_square("adjugate", MOST_COFACTORS)
        return matrix(elimination.adjugate(self.rows))

    def inverse(self) -> MatrixValue:
        """The inverse of a square matrix of at most 4 rows, by cofactors.

        Where the determinant is within the rounding of its terms the status SINGULAR is returned, and the
        inverse is zero. For positive definite matrices `A.ldlt().inverse()` is more accurate.
        """
        self._expect_square("inverse", MOST_COFACTORS)
        adjugate, reciprocal, regular = elimination.inverse(self.rows)
        return matrix([[select(regular, times(x, reciprocal), 0) for x in row] for row in adjugate])

    def solve(self, right: Any) -> Any:
        """x of A x = b for a square matrix of at most 4 rows, by cofactors; b is a vector or a matrix.

        Where the determinant is within the rounding of its terms the status SINGULAR is returned, and x is
        zero. For positive definite matrices `A.ldlt().solve(b)` is more accurate and takes more rows.
        """
        self._expect_square("solve", MOST_COFACTORS)
        b = _right_side(self, right)
        adjugate, reciprocal, regular = elimination.inverse(self.rows)
        return (matrix(adjugate) @ b).map(lambda x: select(regular, times(x, reciprocal), 0))

    def _expect_square(self, what: str, most: int | None = None) -> None:
        rows, columns = self.shape
        if rows != columns:
            raise FormulaError(f"{what} needs a square matrix, but this is a {self.kind}")
        if most is not None and rows > most:
            raise FormulaError(
                f"{what} takes at most {most} rows, but this is a {self.kind}; for a positive definite "
                "matrix write A.symmetric.ldlt()"
            )

    def _merged(self, other: Linear, function: Combine) -> Any:
        pairs = zip(self.rows, other.table(), strict=True)
        return matrix([[function(a, b) for a, b in zip(*rows, strict=True)] for rows in pairs])

    def _product(self, right: Linear) -> Any:
        if not isinstance(right, MatrixValue):
            b = right.scalars()
            return VectorValue([inner(row, b) for row in self.rows])
        n, columns = len(self.rows), right.columns
        if _is_congruence(self, right):
            return from_upper([inner(self.rows[i], columns[j]) for i, j in upper(n)])
        product = matrix([[inner(row, column) for column in columns] for row in self.rows])
        product._factors = self, right
        return product


class SymmetricValue(MatrixValue):
    """A symmetric n x n matrix; its scalars are the upper triangle, row by row."""

    @property
    def kind(self) -> str:
        """Symmetric(n)"""
        return f"Symmetric({len(self.rows)})"

    def scalars(self) -> list[Scalar]:
        """The upper triangle, row by row."""
        return [self.rows[i][j] for i, j in upper(len(self.rows))]

    def with_scalars(self, scalars: Sequence[Scalar]) -> Self:
        """The symmetric matrix with this upper triangle, row by row."""
        return type(self)(mirrored(scalars, len(self.rows)))

    def suffixes(self) -> list[str]:
        """Row and column of each element of the upper triangle: `_01`."""
        return suffixes(upper(len(self.rows)))

    def __repr__(self) -> str:
        return f"{self.kind}{[list(row) for row in self.rows]}"

    def _merged(self, other: Linear, function: Combine) -> Any:
        if not isinstance(other, SymmetricValue):
            return super()._merged(other, function)
        pairs = zip(self.scalars(), other.scalars(), strict=True)
        return from_upper([function(a, b) for a, b in pairs])

    @property
    def adjugate(self) -> SymmetricValue:
        """The adjugate, which is symmetric, too."""
        return super().adjugate.symmetric

    def ldlt(self) -> Factors:
        """L D L^T, for a positive definite matrix of at most 12 rows; `S.ldlt().solve(b)` solves S x = b.

        Where a pivot is not positive, or within n eps of its diagonal element, the status SINGULAR is
        returned, and what the factors give is zero.
        """
        if len(self.rows) > MOST_PIVOTS:
            raise FormulaError(f"ldlt and cholesky take at most {MOST_PIVOTS} rows, not a {self.kind}")
        return Factors(self)

    def cholesky(self) -> MatrixValue:
        """The lower triangular C of C C^T = S, for a positive definite matrix of at most 12 rows.

        Where S is not positive definite (see `ldlt`) the status SINGULAR is returned, and C is zero.
        """
        factors = self.ldlt()
        roots = [sqrt(d) for d in factors.pivots]
        lower = [[times(x, root) for x, root in zip(row, roots, strict=True)] for row in factors.lower]
        return matrix([[factors.kept(x) for x in row] for row in lower])


class Factors:
    """L D L^T of a positive definite n x n matrix: L is lower triangular with a unit diagonal."""

    def __init__(self, S: SymmetricValue) -> None:
        self._of = S
        self._L, self.pivots, self._reciprocals, self._definite = elimination.factors(S.rows)

    def kept(self, x: Scalar) -> Scalar:
        """The scalar, or 0 where the matrix is not positive definite."""
        return x if _is_number(x) and x == 0 else select(self._definite, x, 0)

    @property
    def lower(self) -> list[list[Scalar]]:
        """The rows of L, as if the matrix were positive definite."""
        n = len(self._L)
        return [[*row, 1, *[0] * (n - 1 - i)] for i, row in enumerate(self._L)]

    @property
    def L(self) -> MatrixValue:
        """L, of shape (n, n); zero where the matrix is not positive definite."""
        return matrix([[self.kept(x) for x in row] for row in self.lower])

    @property
    def D(self) -> VectorValue:
        """The pivots; zero where the matrix is not positive definite."""
        return VectorValue([self.kept(d) for d in self.pivots])

    def solve(self, right: Any) -> Any:
        """x of S x = b; b is a vector or a matrix. It is zero where S is not positive definite."""
        b = _right_side(self._of, right)
        if isinstance(b, MatrixValue):
            return matrix([self._solved(column) for column in b.columns]).T
        return VectorValue(self._solved(b.scalars()))

    def _solved(self, b: Sequence[Scalar]) -> list[Scalar]:
        y = elimination.forward(self._L, b)
        scaled = [times(a, r) for a, r in zip(y, self._reciprocals, strict=True)]
        return [self.kept(x) for x in elimination.backward(self._L, scaled)]

    def inverse(self) -> SymmetricValue:
        """The inverse L^-T D^-1 L^-1; zero where the matrix is not positive definite."""
        return from_upper([self.kept(x) for x in elimination.inverse_of_factors(self._L, self._reciprocals)])


def matrix(rows: Sequence[Sequence[Scalar]]) -> MatrixValue:
    """The matrix with these rows; a SymmetricValue where mirror images are one and the same scalar."""
    if not rows or not len(rows[0]):
        raise FormulaError("a matrix has at least one row and one column")
    whole = MatrixValue(rows)
    if any(len(row) != whole.shape[1] for row in whole.rows):
        raise FormulaError(f"the rows of a matrix have {_counts(whole.rows)} elements: give them one length")
    n, columns = len(whole.rows), whole.shape[1]
    if n == columns and all(_same(whole.rows[i][j], whole.rows[j][i]) for i, j in upper(n)):
        return SymmetricValue(whole.rows)
    return whole


def _counts(rows: Sequence[Sequence[Scalar]]) -> str:
    return ", ".join(map(str, dict.fromkeys(map(len, rows))))


def from_upper(scalars: Sequence[Scalar]) -> SymmetricValue:
    """The symmetric matrix with this upper triangle, row by row: n (n + 1) / 2 scalars."""
    n = next((n for n in range(1, len(scalars) + 1) if n * (n + 1) // 2 >= len(scalars)), 0)
    if not n or n * (n + 1) // 2 != len(scalars):
        raise FormulaError(f"{len(scalars)} scalars are not the upper triangle of a symmetric matrix")
    return SymmetricValue(mirrored(scalars, n))


def upper(n: int) -> list[tuple[int, int]]:
    """The indices of the upper triangle of an n x n matrix, row by row."""
    return [(i, j) for i in range(n) for j in range(i, n)]


def mirrored(scalars: Sequence[Scalar], n: int) -> list[list[Scalar]]:
    """The rows of the n x n matrix with this upper triangle."""
    at = dict(zip(upper(n), scalars, strict=True))
    return [[at[min(i, j), max(i, j)] for j in range(n)] for i in range(n)]


def suffixes(indices: Any) -> list[str]:
    """The names of elements by row and column: `_01`, or `_0_11` where an index has two digits."""
    found = list(indices)
    between = "" if max(max(pair) for pair in found) < 10 else "_"
    return [f"_{i}{between}{j}" for i, j in found]


def linear(thing: Any) -> Linear:
    """A vector or matrix, structure of scalars, NumPy array, list or list of lists as a vector or matrix."""
    if isinstance(thing, Linear):
        return thing
    if isinstance(thing, Composite):
        table = thing.table()
    elif is_array(thing) or hasattr(thing, "tolist"):
        table = thing.tolist()
    else:
        table = list(thing)
    if any(isinstance(row, (list, tuple, VectorValue)) for row in table):
        return matrix([list(row) for row in table])
    return VectorValue(table)


def product(left: Any, right: Any) -> Any:
    """left @ right, of which one is a NumPy array or a list and the other a structure of scalars."""
    return linear(left) @ linear(right) if _is_table(left) and _is_table(right) else NotImplemented


def block_of(thing: Any) -> MatrixValue:
    """A matrix, or the column of a vector."""
    found = linear(thing)
    return found if isinstance(found, MatrixValue) else matrix([[x] for x in found.scalars()])


def _is_table(thing: Any) -> bool:
    """Whether it stands for a vector or matrix."""
    return isinstance(thing, (Composite, list, tuple)) or is_array(thing)


def _right_side(A: MatrixValue, right: Any) -> Linear:
    b = linear(right)
    if b.shape[0] != len(A.rows):
        raise FormulaError(f"{A.kind} cannot be solved for a {b.kind}: it needs {len(A.rows)} rows")
    return b


def _chosen(index: Any, extent: int, what: str) -> Sequence[int]:
    """The positions that an index or slice selects."""
    if isinstance(index, slice):
        found = range(*index.indices(extent))
        if not found:
            raise FormulaError(f"the slice {_shown(index)} of a {what} is empty")
        return found
    at = operator.index(index)
    check_index(at, extent, f"a {what}")
    return [at % extent]


def _shown(s: slice) -> str:
    parts = [s.start, s.stop] if s.step is None else [s.start, s.stop, s.step]
    return ":".join("" if p is None else str(p) for p in parts)


def _is_congruence(left: MatrixValue, right: MatrixValue) -> bool:
    """Whether left @ right is A A^T, (A S) A^T or A (S A^T) with a symmetric S."""
    if _are_transposes(left, right):
        return True
    if left._factors is not None and isinstance(left._factors[1], SymmetricValue):
        return _are_transposes(left._factors[0], right)
    if right._factors is not None and isinstance(right._factors[0], SymmetricValue):
        return _are_transposes(left, right._factors[1])
    return False


def _are_transposes(a: MatrixValue, b: MatrixValue) -> bool:
    if a.shape != b.shape[::-1]:
        return False
    pairs = zip(a.rows, b.columns, strict=True)
    return all(_same(x, y) for row, column in pairs for x, y in zip(row, column, strict=True))


def _same(a: Scalar, b: Scalar) -> bool:
    """Whether two scalars are one object, or equal plain numbers."""
    return a is b or (_is_number(a) and _is_number(b) and bool(a == b))


def _is_number(x: Scalar) -> bool:
    return isinstance(x, (int, float, Fraction))
