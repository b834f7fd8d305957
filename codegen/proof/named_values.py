"""The named values of a formula as equations: a derivation that a model has from its structure.

The equations are written from the formula's Program, read back, and compared with it before they are shown.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from codegen.errors import FeatherError
from codegen.ir.program import Program
from codegen.modeling.kernel import Kernel
from codegen.modeling.textbook import equation_program
from codegen.modeling.written import Writer, is_named
from codegen.notation.reader import LONGEST
from codegen.passes.fold import fold
from codegen.proof.equivalence import Driven, compare


def named_values(kernel: Kernel) -> str:
    """The equations of the values that a formula names, and of its results by them.

    Empty where it names none, and where they are no notation: results of some structures, look-ups, and more
    than one text may hold.
    """
    program = fold(kernel.program(False))
    if kernel.loops() is not None or not any(is_named(program, i) for i in program.labels):
        return ""
    with suppress(FeatherError, TypeError, KeyError):
        text = ";\n".join(Writer(kernel, program).equations())
        if len(text) <= LONGEST and is_formula(kernel, program, text):
            return text
    return ""


def is_formula(kernel: Kernel, program: Program, text: str) -> bool:
    """Whether the equations give the values of the formula."""
    read_back = equation_program(replace(kernel, equation=text))
    if read_back is None:
        return False
    ways = {"formula": Driven(program), "named values": Driven(read_back)}
    return compare(kernel.inputs, ways, kernel.name).agreed
