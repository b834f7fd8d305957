"""Structural zeros: the elements of a Program's matrices that are zero for all inputs."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from codegen.ir.patterns import is_matrix
from codegen.ir.program import Arg, Program
from codegen.ir.rewriting import arrange, needed
from codegen.passes.fold import fold


def positions(program: Program) -> list[list[int]]:
    """For each output, the indices of its elements that are not constant zeros.

    Every element is a result of its own, which folding makes a constant where it does not depend on inputs.
    """
    folded = fold(program)
    values = iter([folded.nodes[r].value for r in folded.results])
    return [[i for i in range(output.size) if next(values) != 0] for output in program.outputs]


def stored(program: Program, matrices: Sequence[Arg]) -> list[list[int]]:
    """For each output, the elements that are stored: those of a matrix that are not constant zeros, or all.

    `matrices` are the outputs, with matrices for packed triangles of the Program.
    """
    return [
        places if is_matrix(a) else list(range(a.size))
        for a, places in zip(matrices, positions(program), strict=True)
    ]


def pick(program: Program, arrays: Sequence[Arg], kept: Sequence[Sequence[int]]) -> Program:
    """The Program with only the kept elements of each output, as these arrays."""
    starts = accumulate((a.size for a in program.outputs), initial=0)
    results = [program.results[start + i] for start, part in zip(starts, kept, strict=False) for i in part]
    picked = replace(program, outputs=tuple(arrays), results=tuple(results))
    return arrange(picked, sorted(needed(picked)))
