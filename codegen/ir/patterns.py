"""Patterns of sparse matrices: where the elements are that are stored, in compressed sparse rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Array


def row_pattern(matrix: Arg, filled: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Row starts and column indices of compressed sparse rows, for the filled positions of a matrix."""
    if not isinstance(matrix.type, Array) or len(matrix.type.shape) != 2:
        raise FeatherError(f"{matrix.name} is not a matrix: only matrices have structural non-zeros")
    if not filled:
        raise FeatherError(f"every element of {matrix.name} is zero")
    rows, width = matrix.type.shape
    in_row = [sum(position // width == row for position in filled) for row in range(rows)]
    return tuple(accumulate(in_row, initial=0)), tuple(position % width for position in filled)
