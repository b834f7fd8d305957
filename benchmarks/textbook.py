"""Kernels in textbook form, which is not optimised for cost, as input for the optimisers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.newton_euler import inverse_dynamics
from codegen.errors import FormulaError
from codegen.ir.expression import Expr, as_expr
from codegen.ir.program import Program, input_scalars, program_of
from codegen.library.forms import reference
from codegen.modeling.kernel import Kernel
from codegen.proof.proof import definition_program

OWN: dict[str, Callable[..., Any]] = {"ur5_inverse_dynamics": inverse_dynamics}
"""Models that have a textbook form here."""


def textbook(kernel: Kernel) -> Kernel:
    """The kernel stated by dense matrices, as here or in its independent reference; where there are none, or
    they need NumPy's own functions, by its SymPy definition.
    """

    def lower(_: bool) -> Program:
        stated = OWN.get(kernel.name) or reference(kernel.name)
        dense = None if stated is None else _lowered(kernel, stated)
        program = dense or definition_program(kernel)
        assert program is not None, f"{kernel.name} has no textbook form"
        return program

    return replace(kernel, lower=lower, formula=None)


def _lowered(kernel: Kernel, stated: Callable[..., Any]) -> Program | None:
    """A reference run on expressions; None where it asks for more than they can."""
    parts = _split(kernel)
    arrays = [np.array(p, dtype=object) if isinstance(p, list) else p for p in parts]
    try:
        outputs = stated(*arrays).outputs
    except (AttributeError, FormulaError):
        return None
    return program_of(kernel.inputs, kernel.outputs, [_scalar(x) for out in outputs for x in out])


def _scalar(x: Any) -> Expr:
    return as_expr(int(x) if isinstance(x, np.integer) else x)


def _split(kernel: Kernel) -> list[Any]:
    """The inputs, each a list of its scalars, or the scalar itself."""
    stream = iter(input_scalars(kernel.inputs))
    parts = ([next(stream) for _ in range(a.size)] for a in kernel.inputs)
    return [part[0] if len(part) == 1 else part for part in parts]
