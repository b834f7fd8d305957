"""Equations that give some results of a kernel: these are compared with the formula, and the others named."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from codegen.errors import FeatherError
from codegen.ir.expression import Expr, as_expr
from codegen.ir.program import Program, evaluate, input_scalars, program_of
from codegen.ir.systems import TRACED
from codegen.modeling.equations.textbook import (
    each_result,
    equation_condition,
    equation_program,
    has_conditions,
    is_notation,
    traced_residuals,
)
from codegen.modeling.kernel import Kernel


class Partly(NamedTuple):
    """What an equation gives of a kernel's results: their scalars in C order, None of those that it omits.

    `reasons` say why, by the names of these. `has_conditions` is whether it states more than values.
    """

    scalars: tuple[Expr | None, ...]
    reasons: Mapping[str, str]
    has_conditions: bool

    def completed(self, own: Program) -> Program:
        """The Program of these results, the others being those of a Program of the kernel."""
        rest = evaluate(own, TRACED, input_scalars(own.inputs)).results
        every = [y if x is None else x for x, y in zip(self.scalars, rest, strict=True)]
        return program_of(own.inputs, own.outputs, every)


@cache
def partly_stated(kernel: Kernel) -> Partly | None:
    """What the equation of a kernel gives of its results; None where it gives all of them, or none.

    The rates of a block with an integrator are stated together.
    """
    is_whole = equation_program(kernel) is not None or equation_condition(kernel) is not None
    has_rates = kernel.block is not None and kernel.block.rates is not None
    if is_whole or has_rates or kernel.of is not None or not is_notation(kernel.equation):
        return None
    try:
        parts = each_result(kernel)
    except FeatherError:
        return None
    scalars = [x for p in parts for x in (map(as_expr, p.scalars) if p.scalars else [None] * p.size)]
    reasons = {p.name: p.reason for p in parts if not p.scalars}
    return Partly(tuple(scalars), reasons, _has_conditions(kernel)) if len(reasons) < len(parts) else None


def _has_conditions(kernel: Kernel) -> bool:
    """Whether the equation states more of the results than their values, and it can be evaluated."""
    try:
        traced_residuals(kernel, kernel.equation, input_scalars([*kernel.inputs, *kernel.outputs]))
    except FeatherError:
        return False
    return has_conditions(kernel.equation, kernel.all_inputs, kernel.outputs)
