"""The functions of the notation: of scalars, by name, and of matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from codegen.errors import FeatherError, Misfit
from codegen.notation import blocks
from codegen.notation.blocks import Block

OF_SCALARS = (
    "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "sinh", "cosh", "tanh",
    "asinh", "acosh", "atanh", "abs", "min", "max", "floor", "sign",
)  # fmt: skip
"""Functions that each number system brings."""

CONSTANTS = ("pi", "eps", "min", "max")
"""Half the turn, and those of the precision: eps, the smallest normal number, and the largest number."""

Table = Mapping[str, Callable[..., Any]]
"""The functions of a number system: those above, `select(condition, a, b)` of cases, and `number(fraction)`.

That of a symbolic system also has `variable(name)` and `integral(f, variable, from, to)`, and that of a
symbolic or traced one `derivatives(list, x)`, by an argument x. `constant(name)` is the value of one of
CONSTANTS.
"""


def _trace(A: Block) -> Block:
    if A.unit:
        raise Misfit("a multiple of the unit matrix has a trace only where its size is known")
    if A.shape[0] != A.shape[1]:
        raise Misfit(f"the trace is of a square matrix, not of {A.described}")
    return blocks.scalar(sum(A.rows[i][i] for i in range(1, A.shape[0])) + A.rows[0][0])


def _diagonal(*entries: Block) -> Block:
    """diag(a, b, c), or diag(v) of a vector."""
    values = blocks.stacked(entries).column
    return Block(tuple(tuple(x if i == j else 0 for j in range(len(values))) for i, x in enumerate(values)))


def _total(*summed: Block) -> Block:
    """The sum of all numbers: it is finite only where each of them is."""
    first, *others = (x for b in summed for x in b.numbers)
    return blocks.scalar(sum(others, first))


def _columns(*entries: Block) -> Block:
    return _rows(*entries).transposed


def _rows(*entries: Block) -> Block:
    columns = [e.column for e in entries]
    if len(set(map(len, columns))) != 1:
        those = " and ".join(dict.fromkeys(e.described for e in entries))
        raise Misfit(f"a matrix is made of vectors of one length, not of {those}")
    return Block(tuple(map(tuple, columns)))


def _upper_triangle(A: Block) -> Block:
    """The elements of a square matrix on and above its diagonal, row by row."""
    if A.shape[0] != A.shape[1]:
        raise Misfit(f"a triangle is of a square matrix, not of {A.described}")
    return blocks.column([x for i, row in enumerate(A.rows) for x in row[i:]])


def _count(extent: Block) -> int:
    """A number of rows or columns."""
    count = int(extent.scalar)
    if count < 1 or count != extent.scalar:
        raise Misfit("numbers of rows and columns are whole numbers from 1 on")
    return count


def _zeros(*extents: Block) -> Block:
    """The matrix of zeros with these numbers of rows and columns."""
    rows, columns = map(_count, extents)
    return Block(tuple((0,) * columns for _ in range(rows)))


def _identity(extent: Block) -> Block:
    """The unit matrix with this number of rows and columns."""
    size = range(_count(extent))
    return Block(tuple(tuple(int(i == j) for j in size) for i in size))


def _symmetric(a: Block) -> Block:
    """The symmetric matrix with these elements on and above its diagonal, row by row."""
    numbers, n = iter(a.column), 0
    while n * (n + 1) < 2 * len(a.column):
        n += 1
    if n * (n + 1) != 2 * len(a.column):
        raise Misfit(f"{a.described} is no triangle of a matrix")
    upper = {(i, j): next(numbers) for i in range(n) for j in range(i, n)}
    return Block(tuple(tuple(upper[min(i, j), max(i, j)] for j in range(n)) for i in range(n)))


def _principal_minors(A: Block) -> Block:
    """The determinants of the matrices of the same rows and columns, the smallest ones first."""
    if A.shape[0] != A.shape[1]:
        raise Misfit(f"principal minors are of a square matrix, not of {A.described}")
    every, minor = range(A.shape[0]), blocks.minors(A)
    return blocks.column([minor(kept, kept) for n in every for kept in combinations(every, n + 1)])


OF_MATRICES: Mapping[str, Callable[..., Block]] = {
    "det": lambda A: blocks.scalar(blocks.determinant(A)),
    "adj": blocks.adjugate,
    "tr": _trace,
    "diag": _diagonal,
    "vee": blocks.vee,
    "minors": _principal_minors,
    "cols": _columns,
    "rows": _rows,
    "sum": _total,
    "triu": _upper_triangle,
    "sym": _symmetric,
    "zeros": _zeros,
    "identity": _identity,
}
"""Determinant, adjugate, trace, diagonal matrix, the vector v of v~, all principal minors, matrices by
columns and by rows, the sum of the numbers of vectors and matrices, the column of the elements on and above
the diagonal, row by row, the symmetric matrix of such a column, a matrix of zeros, and the unit matrix.
"""


def rotation(axis: str, angle: Block, table: Table) -> Block:
    """The active elementary rotation about an axis, Rx, Ry or Rz."""
    c, s = table["cos"](angle.scalar), table["sin"](angle.scalar)
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    entries = {(i, i): 1, (j, j): c, (k, k): c, (j, k): -s, (k, j): s}
    return Block(tuple(tuple(entries.get((a, b), 0) for b in range(3)) for a in range(3)))


ROTATIONS = {"Rx": "x", "Ry": "y", "Rz": "z"}

DEFINED = {
    "crm": "crm(V) = [[w~, 0], [v~, w~]], V = [w, v]",
    "crf": "crf(V) = [[w~, v~], [0, w~]], V = [w, v]",
    "clip": "clip(x, a, b) = {a if x < a, b if b < x, x otherwise}",
    "wrap": "wrap(x) = x - 2 pi floor(x / (2 pi) + 1/2)",
    "ceil": "ceil(x) = -floor(-x)",
    "modulo": "modulo(x, y) = x - y floor(x / y)",
    "hypot": "hypot(x, y) = sqrt(x^2 + y^2)",
    "expm1": "expm1(x) = exp(x) - 1",
    "log1p": "log1p(x) = log(1 + x)",
}
"""Functions that are defined in the notation itself: Featherstone's cross products of spatial vectors, x
between limits (min(max(x, a), b) is another function where b is below a), an angle less whole turns, and
those that formulas have besides.
"""


def apply(name: str, arguments: Sequence[Block], table: Table) -> Block:
    """A function of blocks; FeatherError where there is none of this name, or of this many arguments."""
    if name not in KNOWN:
        raise FeatherError(
            f"{name} is no function of the notation, nor a table of this name that the formula looks up"
        )
    if name == "finite":
        raise FeatherError("finite is a condition, not a value: write {a if finite(x), b otherwise}")
    wanted = 2 if name in ("atan2", "zeros") else 1
    if name not in _OF_SEVERAL and len(arguments) != wanted:
        raise FeatherError(f"{name} has {wanted} arguments, but is given {len(arguments)}")
    if name in ROTATIONS:
        return rotation(ROTATIONS[name], arguments[0], table)
    if name in OF_MATRICES:
        return OF_MATRICES[name](*arguments)
    if name in ("min", "max"):
        return blocks.scalar(table[name](*(x for a in arguments for x in a.column)))
    return blocks.scalar(table[name](*(a.scalar for a in arguments)))


_OF_SEVERAL = frozenset(("min", "max", "diag", "cols", "rows", "sum"))
"""Functions of any number of arguments."""

GIVEN = frozenset((*OF_SCALARS, *OF_MATRICES, *ROTATIONS, "integral", "jacobian", "finite"))
"""Functions that no equation can define otherwise."""

KNOWN = GIVEN | DEFINED.keys()
"""All functions."""
