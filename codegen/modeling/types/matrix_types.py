"""The types of arguments that are vectors and matrices of any size; their values are in `matrices`.

In C each is an array of scalars: a Matrix row by row, a Symmetric as its upper triangle, row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from codegen.errors import FeatherError, FormulaError
from codegen.ir.composite import Composite, kind
from codegen.ir.numpy_operands import is_array
from codegen.ir.types import Array, Draw, Scalar, flatten
from codegen.misuse import explained
from codegen.modeling.types import matrices
from codegen.modeling.types.elimination import inner
from codegen.modeling.types.matrices import Linear, MatrixValue, SymmetricValue, VectorValue, linear, upper


class _Linear(Array):
    """A vector or matrix: its values have the arithmetic of `matrices`."""

    algebraic = True

    @property
    def described(self) -> str:
        """The type in a table: `Matrix(3, 3)`."""
        return repr(self)

    def received(self, value: Any) -> Any:
        """The vector or matrix for one of the same shape in another form."""
        return self.value(self.scalars(value))

    def scalars(self, value: Any) -> list[Scalar]:
        """The scalars in C order; a list of all of them is taken as it is. FormulaError for other shapes."""
        found = _linear(self, value)
        if found.shape not in self._shapes:
            raise FormulaError(f"a {found.kind} is not a {self!r}: the shapes differ")
        return self._in_order(found)

    @property
    def _shapes(self) -> tuple[tuple[int, ...], ...]:
        """The shapes of values, and of lists of all scalars."""
        return (self.shape, (self.size,))

    def _in_order(self, value: Linear) -> list[Scalar]:
        """The scalars of a value of the right shape, or of a list of all scalars."""
        return [x for row in value.table() for x in (row if isinstance(row, tuple) else (row,))]


def _linear(wanted: Array, value: Any) -> Linear:
    try:
        return linear(value)
    except TypeError:
        raise FormulaError(f"{kind(value)} is not a {wanted!r}") from None


def _extent(type_name: str, *extents: Any) -> None:
    """FeatherError unless these are the extents of an array."""
    for n in extents:
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            shown = ", ".join(map(repr, extents))
            raise FeatherError(f"{type_name}({shown}): the extents are whole numbers from 1")


@explained
class Vector(_Linear):
    """A vector of n scalars. Its value is a VectorValue: `v[i]`, `A @ v`, `v.norm`."""

    def __init__(self, n: int) -> None:
        _extent("Vector", n)
        super().__init__((n,))

    def __repr__(self) -> str:
        return f"Vector({self.size})"

    @property
    def _shapes(self) -> tuple[tuple[int, ...], ...]:
        return (self.shape, (self.size, 1))

    def value(self, scalars: Sequence[Scalar]) -> VectorValue:
        """The vector of these scalars."""
        return VectorValue(scalars)

    def matrix(self, scalars: Sequence[Scalar]) -> list[list[Scalar]]:
        """A column."""
        return [[x] for x in scalars]

    @staticmethod
    def zeros(n: int) -> VectorValue:
        """n zeros."""
        return VectorValue([0] * n)

    @staticmethod
    def of(scalars: Any) -> VectorValue:
        """The vector of these scalars: a list, or the parts of vectors and structures one after the other."""
        return VectorValue(flatten(scalars))


@explained
class Matrix(_Linear):
    """A matrix of r rows and c columns, row by row. Its value is a MatrixValue."""

    def __init__(self, rows: int, columns: int) -> None:
        _extent("Matrix", rows, columns)
        super().__init__((rows, columns))

    def __repr__(self) -> str:
        return f"Matrix({self.shape[0]}, {self.shape[1]})"

    @property
    def order(self) -> str:
        """Extents and order."""
        return f"{self.shape[0]} x {self.shape[1]}, row by row"

    def value(self, scalars: Sequence[Scalar]) -> MatrixValue:
        """The matrix with these elements, row by row."""
        return MatrixValue(self.matrix(scalars))

    def matrix(self, scalars: Sequence[Scalar]) -> list[list[Scalar]]:
        """The rows."""
        rows, width = self.shape
        return [list(scalars[width * i : width * (i + 1)]) for i in range(rows)]

    def edges(self) -> list[list[Scalar]]:
        """Zero, and the identity of a square matrix."""
        rows, columns = self.shape
        one = [int(i == j) for i in range(rows) for j in range(columns)]
        return [[0] * self.size, *([one] if rows == columns else [])]

    @staticmethod
    def identity(n: int) -> SymmetricValue:
        """The n x n matrix with ones on the diagonal."""
        return Matrix.diag([1] * n)

    @staticmethod
    def zeros(rows: int, columns: int) -> MatrixValue:
        """Zeros."""
        return matrices.matrix([[0] * columns for _ in range(rows)])

    @staticmethod
    def diag(diagonal: Any) -> SymmetricValue:
        """The square matrix with this diagonal and zeros beside it."""
        d = flatten(diagonal)
        return SymmetricValue([[d[i] if i == j else 0 for j in range(len(d))] for i in range(len(d))])

    @staticmethod
    def from_rows(*rows: Any) -> MatrixValue:
        """The matrix with these rows, each a vector or list; also of one list of all rows."""
        return matrices.matrix([flatten(row) for row in _each(rows)])

    @staticmethod
    def from_columns(*columns: Any) -> MatrixValue:
        """The matrix with these columns, each a vector or list; also of one list of all columns."""
        return Matrix.from_rows(*columns).T

    @staticmethod
    def blocks(rows: Sequence[Sequence[Any]]) -> MatrixValue:
        """The matrix of these rows of blocks; 0 is a block of zeros.

        Each block but 0 has as many rows as the others in its row, and as many columns as the others in its
        column; a vector is a column.
        """
        return matrices.matrix(_assembled([[_block(b) for b in row] for row in rows]))


def _each(rows: Sequence[Any]) -> Sequence[Any]:
    """The rows, where the only one is a list of rows those in it."""
    only = rows[0] if len(rows) == 1 and isinstance(rows[0], Sequence) else ()
    return only if only and all(map(_is_list, only)) else rows


def _is_list(row: Any) -> bool:
    """Whether it has scalars; a scalar of CasADi has an iterator, too."""
    return isinstance(row, (Composite, Sequence)) or is_array(row)


def _block(thing: Any) -> MatrixValue | None:
    """A block, None for zeros."""
    return None if isinstance(thing, int) and thing == 0 else matrices.block_of(thing)


def _assembled(blocks: list[list[MatrixValue | None]]) -> list[list[Scalar]]:
    """The rows of a matrix of blocks; FormulaError where their shapes do not fit."""
    if len({len(row) for row in blocks}) != 1:
        raise FormulaError(
            "Matrix.blocks: each row has the same number of blocks; write 0 for a block of zeros"
        )
    heights = [_common([b.shape[0] for b in row if b], f"row {i}", "rows") for i, row in enumerate(blocks)]
    widths = [
        _common([b.shape[1] for b in column if b], f"column {j}", "columns")
        for j, column in enumerate(zip(*blocks, strict=True))
    ]
    return [
        [x for b, w in zip(row, widths, strict=True) for x in (b.rows[i] if b else [0] * w)]
        for row, height in zip(blocks, heights, strict=True)
        for i in range(height)
    ]


def _common(extents: list[int], where: str, what: str) -> int:
    found = sorted(set(extents))
    if len(found) == 1:
        return found[0]
    if not found:
        raise FormulaError(f"Matrix.blocks: {where} is zeros only: write Matrix.zeros(r, c) for one of them")
    raise FormulaError(f"Matrix.blocks: the blocks of {where} have {' and '.join(map(str, found))} {what}")


@explained
@dataclass(frozen=True, init=False, repr=False)
class Symmetric(_Linear):
    """A symmetric n x n matrix: its upper triangle, row by row, n (n + 1) / 2 scalars.

    Its value is a SymmetricValue. `positive` says that it is positive definite, as a covariance is: random
    values are, and bound ones must be.
    """

    positive: bool = False

    def __init__(self, n: int, positive: bool = False) -> None:
        _extent("Symmetric", n)
        super().__init__((n * (n + 1) // 2,))
        object.__setattr__(self, "positive", positive)

    def __repr__(self) -> str:
        return f"Symmetric({self.n}{', positive=True' if self.positive else ''})"

    @property
    def n(self) -> int:
        """Rows and columns."""
        return next(n for n in range(1, self.size + 1) if n * (n + 1) // 2 == self.size)

    @property
    def independent(self) -> bool:
        """Whether each scalar may have any value of its own."""
        return not self.positive

    @property
    def order(self) -> str:
        """Extents and order: the list of elements, or the index of each where there are many."""
        n = self.n
        elements = "".join(s.replace("_", " ", 1) for s in self.suffixes())
        where = f":{elements}" if n <= _LISTED else f": (i, j), i <= j, is [i * ({2 * n - 1} - i) / 2 + j]"
        return f"upper triangle of {n} x {n}, row by row{where}"

    @property
    def _shapes(self) -> tuple[tuple[int, ...], ...]:
        return ((self.n, self.n), self.shape)

    def _in_order(self, value: Linear) -> list[Scalar]:
        if isinstance(value, MatrixValue) and not isinstance(value, SymmetricValue):
            raise FormulaError(
                f"a {value.kind} is not symmetric by construction: A.symmetric takes its upper triangle"
            )
        return value.scalars()

    def value(self, scalars: Sequence[Scalar]) -> SymmetricValue:
        """The symmetric matrix with this upper triangle, row by row."""
        return matrices.from_upper(scalars)

    def matrix(self, scalars: Sequence[Scalar]) -> list[list[Scalar]]:
        """The rows of the whole matrix."""
        return matrices.mirrored(scalars, self.n)

    def suffixes(self) -> list[str]:
        """Row and column of each element of the upper triangle."""
        return matrices.suffixes(upper(self.n))

    def row_names(self, name: str) -> list[str]:
        """For each scalar, the row that it belongs to."""
        return [f"row {i} of {name}" if self.n > 1 else "" for i, _ in upper(self.n)]

    def sample(self, draw: Draw) -> list[Scalar]:
        """Any elements; of a positive definite matrix, those of C C^T with a random triangular C."""
        if not self.positive:
            return super().sample(draw)
        C = [[draw() for _ in range(i + 1)] for i in range(self.n)]
        return [inner(C[i], C[j][: i + 1]) for i, j in upper(self.n)]

    def edges(self) -> list[list[Scalar]]:
        """Zero, the identity, and a matrix that is not definite."""
        diagonal = [i == j for i, j in upper(self.n)]
        first = [1 if k == 0 else -int(on) for k, on in enumerate(diagonal)]
        return [[0] * self.size, list(map(int, diagonal)), first]

    def check(self, name: str, scalars: Sequence[Scalar]) -> None:
        """FeatherError unless a positive definite matrix has positive pivots."""
        if self.positive and not _is_definite(self.matrix(scalars)):
            raise FeatherError(f"{name} must be positive definite")

    @staticmethod
    def from_upper(scalars: Any) -> SymmetricValue:
        """The symmetric matrix with this upper triangle, row by row."""
        return matrices.from_upper(flatten(scalars))


_LISTED = 4
"""Rows of the largest symmetric matrix whose elements a comment lists."""


def _is_definite(rows: list[list[Scalar]]) -> bool:
    """Whether exact elimination finds positive pivots only."""
    while rows:
        (pivot, *top), *rest = rows
        if pivot <= 0:
            return False
        rows = [[x - row[0] * t / pivot for x, t in zip(row[1:], top, strict=True)] for row in rest]
    return True
