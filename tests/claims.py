"""Formulas in the documentation of a kernel, as claims about its arguments and results."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np

from codegen.errors import FeatherError
from codegen.ir.domain import cases
from codegen.ir.program import evaluate
from codegen.ir.systems import F64, floating
from codegen.modeling.equations.textbook import arguments, is_notation
from codegen.modeling.kernel import Kernel
from codegen.notation.meaning import Meaning
from codegen.notation.prose import pieces
from codegen.notation.reader import read, read_formulas
from codegen.notation.syntax import Equation
from tests import test_notation

POINTS = 8
TABLE = {**test_notation.TABLE, "asin": math.asin}


def claims(kernel: Kernel) -> Iterator[str]:
    """The formulas in the title and the details that are more than a name."""
    for piece in (*pieces(kernel.title), *pieces(kernel.details)):
        if piece.is_formula and not piece.text.removesuffix("'").isidentifier():
            yield " ".join(piece.text.split())


def holds(kernel: Kernel, claim: str) -> bool | None:
    """Whether an equation or inequality holds at random points; None where it has no value, or is neither."""
    try:
        found = [_holds(meaning, e) for meaning in _meanings(kernel) for e in read_formulas(claim)]
    except FeatherError:
        return None
    return None if None in found else all(found)


def _meanings(kernel: Kernel) -> Iterator[Meaning]:
    program = kernel.program(False)
    equations = read(kernel.equation) if is_notation(kernel.equation) else ()
    for case in islice(cases(kernel.inputs, POINTS, "claims"), POINTS):
        inputs = [float(x) for x in case]
        results = evaluate(program, floating(F64), inputs).results
        known = arguments([*kernel.inputs, *kernel.outputs], [*inputs, *results], TABLE)
        yield Meaning(equations, known, TABLE, [a.name for a in kernel.outputs])


def _holds(meaning: Meaning, claim: Equation) -> bool | None:
    first, *others = claim.sides
    if not others:
        return bool(meaning.holds(first)) if first.kind.name in ("RELATION", "AND") else None
    left, *right = (np.array(meaning.evaluate(side).rows, float) for side in claim.sides)
    return all(np.allclose(left, r, rtol=1e-9, atol=1e-12) for r in right)
