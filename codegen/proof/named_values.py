"""The named values of a formula as equations: a derivation that a model has from its structure.

The equations are written from the formula's Program, read back, and compared with it before they are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from codegen.errors import FeatherError
from codegen.ir.expression import as_expr
from codegen.ir.program import Arg, Program, program_of
from codegen.ir.types import Component, Scalar, scalars_of
from codegen.modeling.equations.textbook import equation_program, is_notation
from codegen.modeling.equations.written import Writer, is_named
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Mat3, Quaternion, SymMat3, Vec3
from codegen.modeling.types.matrices import Linear, MatrixValue, SymmetricValue
from codegen.modeling.types.matrix_types import Matrix, Symmetric, Vector
from codegen.modeling.types.scalar import named_by_let
from codegen.notation.reader import LONGEST
from codegen.passes.fold import fold
from codegen.proof.equivalence import Driven, compare


class Block(NamedTuple):
    """A vector or matrix that a formula names."""

    of: Arg
    scalars: Sequence[Scalar]


def named_values(kernel: Kernel) -> str:
    """The equations of the values that a formula names, and of its results by them.

    Vectors and matrices are written as such, unless there are too many elements. Empty where a formula names
    nothing and the model states its equation, and where the equations are no notation: results of some
    structures, look-ups, and more than one text may hold.
    """
    if kernel.loops() is not None:
        return ""
    program, blocks = _with_blocks(kernel)
    return _written(kernel, program, blocks) or _written(kernel, kernel.program(False), ())


def _written(kernel: Kernel, program: Program, blocks: Sequence[Arg]) -> str:
    """The equations of a Program whose results are those of a kernel, and then these blocks."""
    program = fold(program)
    if is_notation(kernel.equation) and not blocks and not any(is_named(program, i) for i in program.labels):
        return ""
    with suppress(FeatherError, TypeError, KeyError):
        text = ";\n".join(Writer(kernel, program, blocks).equations())
        whole = replace(kernel, outputs=(*kernel.outputs, *blocks))
        if len(text) <= LONGEST and is_formula(whole, program, text):
            return text
    return ""


def is_formula(kernel: Kernel, program: Program, text: str) -> bool:
    """Whether equations give the values of a Program."""
    read_back = equation_program(replace(kernel, equation=text))
    if read_back is None:
        return False
    ways = {"formula": Driven(program), "named values": Driven(read_back)}
    return compare(kernel.inputs, ways, kernel.name).agreed


def _with_blocks(kernel: Kernel) -> tuple[Program, tuple[Arg, ...]]:
    """The Program of a formula whose results are followed by the vectors and matrices that it names."""
    from codegen.frontends.formula import record

    plain = kernel.program(False)
    if kernel.formula is None or kernel.bound:
        return plain, ()
    with named_by_let() as named, suppress(FeatherError):
        found = record(kernel.inputs, kernel.outputs, kernel.formula, checks=False)
        if program_of(kernel.inputs, kernel.outputs, found.results).nodes != plain.nodes:
            return plain, ()  # the Program is not that of the formula alone, as in a block with an integrator
        taken = {a.name for a in (*kernel.inputs, *kernel.outputs)}
        blocks = [b for b in _blocks(named) if b.of.name not in taken]
        results = [*found.results, *(as_expr(x) for b in blocks for x in b.scalars)]
        outputs = (*kernel.outputs, *(b.of for b in blocks))
        return program_of(kernel.inputs, outputs, results), outputs[len(kernel.outputs) :]
    return plain, ()


def _blocks(named: Sequence[tuple[str, Any]]) -> Iterator[Block]:
    """The vectors and matrices among named values, the first of each name."""
    seen = set[str]()
    for name, value in named:
        kind = _kind(value)
        if kind is not None and name not in seen:
            seen.add(name)
            yield Block(Arg(name, kind, "mixed", ""), scalars_of(kind, value))


def _kind(value: Any) -> Component | None:
    """The type of a vector or matrix; None of anything else."""
    if isinstance(value, (Vec3, Mat3, SymMat3, Quaternion)):
        return type(value)
    if not isinstance(value, Linear):
        return None
    if isinstance(value, SymmetricValue):
        return Symmetric(value.shape[0])
    return Matrix(*value.shape) if isinstance(value, MatrixValue) else Vector(*value.shape)
