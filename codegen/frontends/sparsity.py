"""Structural zeros: the elements of a Program's matrices that are zero for all inputs."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from codegen.errors import FeatherError
from codegen.ir.program import Arg, Program
from codegen.ir.rewriting import arrange, needed
from codegen.ir.types import Array
from codegen.passes.fold import fold


def positions(program: Program) -> list[list[int]]:
    """For each output, the indices of its elements that are not constant zeros.

    Every element is a result of its own, which folding makes a constant where it does not depend on inputs.
    """
    folded = fold(program)
    values = iter([folded.nodes[r].value for r in folded.results])
    return [[i for i in range(output.size) if next(values) != 0] for output in program.outputs]


def row_pattern(matrix: Arg, filled: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Row starts and column indices of compressed sparse rows, for the filled positions of a matrix."""
    if not isinstance(matrix.type, Array) or len(matrix.type.shape) != 2:
        raise FeatherError(f"{matrix.name} is not a matrix: only matrices have structural non-zeros")
    if not filled:
        raise FeatherError(f"every element of {matrix.name} is zero")
    rows, width = matrix.type.shape
    in_row = [sum(position // width == row for position in filled) for row in range(rows)]
    return tuple(accumulate(in_row, initial=0)), tuple(position % width for position in filled)


def pick(program: Program, arrays: Sequence[Arg], kept: Sequence[Sequence[int]]) -> Program:
    """The Program with only the kept elements of each output, as these arrays."""
    starts = accumulate((a.size for a in program.outputs), initial=0)
    results = [program.results[start + i] for start, part in zip(starts, kept, strict=False) for i in part]
    picked = replace(program, outputs=tuple(arrays), results=tuple(results))
    return arrange(picked, sorted(needed(picked)))
