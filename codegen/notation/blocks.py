"""Matrices over scalars of any kind: what an expression of the notation stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from codegen.errors import Misfit

Scalar: TypeAlias = Any
Rows: TypeAlias = tuple[tuple[Scalar, ...], ...]


def _described(rows: int, columns: int) -> str:
    """A shape in words."""
    if (rows, columns) == (1, 1):
        return "a scalar"
    return f"a vector of {rows}" if columns == 1 else f"a {rows}x{columns} matrix"


@dataclass(frozen=True, eq=False)
class Block:
    """A matrix, a column or a scalar by its rows, and its parts by name, such as a vector's x.

    `unit` marks a number, or a scalar times 1, that also stands for that multiple of the unit matrix.
    `scalars` are the numbers of an argument, each once, where they are not the elements row by row.
    """

    rows: Rows
    unit: bool = False
    parts: Mapping[str, Block] = field(default_factory=dict)
    scalars: tuple[Scalar, ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self.rows), len(self.rows[0])

    @property
    def described(self) -> str:
        """The shape in words."""
        return _described(*self.shape)

    @property
    def scalar(self) -> Scalar:
        """The value of a scalar."""
        if self.shape != (1, 1):
            raise Misfit(f"a scalar is expected, not {self.described}")
        return self.rows[0][0]

    @property
    def column(self) -> list[Scalar]:
        """The elements of a vector."""
        if self.shape[1] != 1:
            raise Misfit(f"a vector is expected, not {self.described}")
        return [row[0] for row in self.rows]

    def of_length(self, length: int, what: str) -> list[Scalar]:
        """The elements of a vector of a length."""
        if self.shape != (length, 1):
            raise Misfit(f"{what} is of vectors of {length}, not of {self.described}")
        return self.column

    def cut(self, first: int, end: int, left: int = 0, right: int | None = None) -> Block:
        """The rows and columns of a range."""
        rows = tuple(row[left:right] for row in self.rows[first:end])
        if not rows or not rows[0] or end > self.shape[0] or (right or 0) > self.shape[1]:
            raise Misfit(f"an index is outside of {self.described}")
        return Block(rows)

    def fitted(self, rows: int, columns: int) -> Block:
        """The block itself, or the multiple of the unit matrix with this shape that it stands for."""
        if self.shape == (rows, columns):
            return self
        if not self.unit or (rows != columns and self.scalar != 0):
            raise Misfit(f"{self.described} stands where {_described(rows, columns)} is needed")
        return Block(tuple(tuple(self.scalar if i == j else 0 for j in range(columns)) for i in range(rows)))

    def each(self, function: Callable[[Scalar], Scalar]) -> Block:
        """The block with a function of each element."""
        return Block(tuple(tuple(map(function, row)) for row in self.rows), self.unit)

    @property
    def transposed(self) -> Block:
        """The transpose."""
        return Block(tuple(zip(*self.rows, strict=True)))

    def flat(self) -> list[Scalar]:
        """All elements, row by row."""
        return [x for row in self.rows for x in row]

    @property
    def numbers(self) -> Sequence[Scalar]:
        """The numbers of an argument, each once; all elements of any other block."""
        return self.scalars or self.flat()


def scalar(value: Scalar, unit: bool = False) -> Block:
    """The block of a scalar."""
    return Block(((value,),), unit)


def column(values: Sequence[Scalar]) -> Block:
    """The block of a vector."""
    return Block(tuple((v,) for v in values))


def added(blocks: Sequence[Block]) -> Block:
    """The sum of blocks of the same shape."""
    shapes = {b.shape for b in blocks if not b.unit} or {(1, 1)}
    if len(shapes) > 1:
        raise Misfit(f"{' and '.join(dict.fromkeys(b.described for b in blocks))} are added")
    shape = shapes.pop()
    fitted = [b.fitted(*shape) for b in blocks]
    total = fitted[0].rows
    for b in fitted[1:]:
        total = tuple(
            tuple(x + y for x, y in zip(r, s, strict=True)) for r, s in zip(total, b.rows, strict=True)
        )
    return Block(total, all(b.unit for b in blocks))


def multiplied(a: Block, b: Block) -> Block:
    """The product: of matrices, or by a scalar."""
    if a.shape == (1, 1):
        return Block(b.each(lambda x: _times(a.scalar, x)).rows)
    if b.shape == (1, 1):
        return Block(a.each(lambda x: _times(x, b.scalar)).rows)
    if a.shape[1] != b.shape[0]:
        is_twice = a.shape == b.shape and 1 in a.shape
        remedy = ": write a.b, a x b, or (a.b) c with parentheses" * is_twice
        raise Misfit(f"{a.described} is multiplied by {b.described}{remedy}")
    columns = list(zip(*b.rows, strict=True))
    return Block(tuple(tuple(inner(row, c) for c in columns) for row in a.rows))


def _times(x: Scalar, y: Scalar) -> Scalar:
    """The product; a zero of the notation stays one, a structural zero."""
    return 0 if _is_zero(x) or _is_zero(y) else x * y


def inner(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """The sum of the products of two lists; products with a zero of the notation are left out."""
    total: Scalar = 0
    for x, y in zip(a, b, strict=True):
        if _is_zero(x) or _is_zero(y):
            continue
        total = x * y if _is_zero(total) else total + x * y
    return total


def _is_zero(x: Scalar) -> bool:
    return isinstance(x, int) and x == 0


def crossed(a: Block, b: Block) -> Block:
    """The cross product of two vectors of three."""
    (ax, ay, az), (bx, by, bz) = (v.of_length(3, "a cross product") for v in (a, b))
    return column([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def dotted(a: Block, b: Block) -> Block:
    """The scalar product of two vectors."""
    if a.shape != b.shape or a.shape[1] != 1:
        raise Misfit(f"a scalar product is of two vectors, not of {a.described} and {b.described}")
    return scalar(inner(a.column, b.column))


def skew(v: Block) -> Block:
    """The matrix v~ of u -> v x u."""
    x, y, z = v.of_length(3, "the tilde")
    return Block(((0, -z, y), (z, 0, -x), (-y, x, 0)))


def vee(S: Block) -> Block:
    """The vector v of an antisymmetric matrix v~."""
    if S.shape != (3, 3):
        raise Misfit(f"vee is of a 3x3 matrix, not of {S.described}")
    return column([S.rows[2][1], S.rows[0][2], S.rows[1][0]])


def hamilton(p: Block, q: Block) -> Block:
    """The product of two quaternions [w, x, y, z], ij = k."""
    (a, b, c, d), (w, x, y, z) = (v.of_length(4, "(x)") for v in (p, q))
    return column(
        [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ]
    )


def divided(a: Scalar, b: Scalar) -> Scalar:
    """The quotient, exact of whole numbers; a zero of the notation stays one over a value."""
    if isinstance(a, int) and isinstance(b, int):
        return Fraction(a, b)
    return 0 if _is_zero(a) else a / b


def stacked(blocks: Sequence[Block]) -> Block:
    """The column of scalars and vectors."""
    if any(b.shape[1] != 1 for b in blocks):
        wide = next(b for b in blocks if b.shape[1] != 1)
        raise Misfit(f"a column holds scalars and vectors, not {wide.described}: write [[A], [B]]")
    return Block(tuple(row for b in blocks for row in b.rows))


def assembled(blocks: Sequence[Block], columns: int) -> Block:
    """The matrix of blocks, row by row, in which 0 and 1 stand for blocks of the size that is left."""
    grid = [blocks[k : k + columns] for k in range(0, len(blocks), columns)]
    turned = list(zip(*grid, strict=True))
    heights = [_extent([b.shape[0] for b in row if not b.unit]) for row in grid]
    widths = [_extent([b.shape[1] for b in column if not b.unit]) for column in turned]
    heights = [h or _of_unit(row, widths) for row, h in zip(grid, heights, strict=True)]
    widths = [w or _of_unit(column, heights) for column, w in zip(turned, widths, strict=True)]
    rows: list[tuple[Scalar, ...]] = []
    for row, h in zip(grid, heights, strict=True):
        parts = [b.fitted(h, w) for b, w in zip(row, widths, strict=True)]
        rows += [tuple(x for b in parts for x in b.rows[i]) for i in range(h)]
    return Block(tuple(rows))


def _extent(extents: Sequence[int]) -> int:
    """The extent that blocks side by side have in common; 0 where there is none."""
    if len(set(extents)) > 1:
        both = " and ".join(map(str, sorted(set(extents))))
        raise Misfit(f"blocks of {both} rows or columns stand side by side")
    return extents[0] if extents else 0


def _of_unit(blocks: Sequence[Block], others: Sequence[int]) -> int:
    """The extent of a row or column of 0 and 1 only: 1 is square."""
    square = [other for b, other in zip(blocks, others, strict=True) if not _is_zero(b.scalar) and other]
    return _extent(square) or 1


def determinant(A: Block) -> Scalar:
    """The determinant by Laplace's expansion along the first row."""
    n, m = A.shape
    if n != m:
        raise Misfit(f"the determinant is of a square matrix, not of {A.described}")
    return minors(A)(tuple(range(n)), tuple(range(n)))


def minors(A: Block) -> Callable[[tuple[int, ...], tuple[int, ...]], Scalar]:
    """The minors of a matrix by the rows and columns that they keep, each computed once."""

    @cache
    def minor(rows: tuple[int, ...], columns: tuple[int, ...]) -> Scalar:
        first, *below = rows
        if not below:
            return A.rows[first][columns[0]]
        kept = [minor(tuple(below), (*columns[:k], *columns[k + 1 :])) for k in range(len(columns))]
        return inner([A.rows[first][j] for j in columns], [-m if k % 2 else m for k, m in enumerate(kept)])

    return minor


def adjugate(A: Block) -> Block:
    """The adjugate, adj(A) A = det(A) 1."""
    n, m = A.shape
    if n != m:
        raise Misfit(f"the adjugate is of a square matrix, not of {A.described}")
    if n == 1:
        return scalar(1)
    minor, others = minors(A), [tuple(k for k in range(n) if k != i) for i in range(n)]

    def cofactor(i: int, j: int) -> Scalar:
        found = minor(others[i], others[j])
        return -found if (i + j) % 2 else found

    return Block(tuple(tuple(cofactor(j, i) for j in range(n)) for i in range(n)))


def inverse(A: Block) -> Block:
    """The inverse, adj(A) / det(A)."""
    det = determinant(A)
    return adjugate(A).each(lambda x: divided(x, det))
