"""Patterns of sparse matrices: where the elements are that are stored, in compressed sparse rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from codegen.ir.program import Arg
from codegen.ir.types import Array


def is_matrix(argument: Arg) -> bool:
    """Whether an argument has rows and columns."""
    return isinstance(argument.type, Array) and len(argument.type.shape) == 2


def row_pattern(matrix: Arg, filled: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Row starts and column indices of compressed sparse rows, for the filled positions of a matrix."""
    assert isinstance(matrix.type, Array)
    rows, width = matrix.type.shape
    in_row = [sum(position // width == row for position in filled) for row in range(rows)]
    return tuple(accumulate(in_row, initial=0)), tuple(position % width for position in filled)
