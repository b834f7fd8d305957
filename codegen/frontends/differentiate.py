"""Derivatives of Programs, by CasADi's algorithmic differentiation."""

from collections.abc import Sequence
from typing import Any

import casadi

from codegen.frontends import from_casadi
from codegen.frontends.formula import typed_values
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import casadi_system
from codegen.ir.types import flatten


def jacobian_program(
    program: Program, matrices: Sequence[Arg], of: Sequence[str], by: Sequence[Sequence[str]]
) -> Program:
    """The Program of the Jacobians of the outputs `of`, one matrix for each list of inputs in `by`."""
    names = [name for a in program.inputs for name in a.scalar_names]
    symbols = [casadi.SX.sym(name) for name in names]
    values = evaluate(program, casadi_system(), symbols)
    rows = casadi.vertcat(*_scalars_of(program.outputs, values.results, of))
    jacobians = [
        casadi.densify(casadi.jacobian(rows, casadi.vertcat(*_scalars_of(program.inputs, symbols, n))))
        for n in by
    ]
    conditions = [casadi.SX(condition) for condition, _ in values.status]
    function = from_casadi.function_of("jacobian", symbols, [*jacobians, *conditions])
    flags = [flag for _, flag in values.status]
    return from_casadi.lower(program.inputs, matrices, function, flags)


def _scalars_of(arguments: Sequence[Arg], scalars: Sequence[Any], names: Sequence[str]) -> list[Any]:
    values = dict(zip((a.name for a in arguments), typed_values(arguments, scalars), strict=True))
    return [scalar for name in names for scalar in flatten(values[name])]
