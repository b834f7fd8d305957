"""A Program as a part of a formula: kernels of SymPy, CasADi and derivatives have no formula to call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.expression import as_expr
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import TRACED, system_of
from codegen.ir.types import Array, scalars_of, value_of
from codegen.modeling.types.matrix_types import Matrix
from codegen.modeling.types.scalar import is_checked, let, require


def computed(program: Callable[[bool], Program], values: Sequence[Any], derivatives: bool) -> Any:
    """The results of a Program, made with or without checks, on values of the project's types.

    Its requirements are those of the formula around it. Matrices of `derivatives` are matrices, and the check
    of units exempts them, because their units are not declared.
    """
    made = program(is_checked())
    pairs = zip(made.inputs, values, strict=True)
    given = [x for a, value in pairs for x in _scalars(a, value)]
    if derivatives:
        given = [x.without_unit() if hasattr(x, "without_unit") else x for x in given]
    system = system_of(tuple(given))
    lift = as_expr if system is TRACED else system.lift
    found = evaluate(made, system, [lift(x) for x in given])
    for condition, flag in found.status:
        require(condition, flag)
    for i, label in made.labels.items():
        let(label, found.values[i])
    scalars = iter(found.results)
    parts = [_value(a, [next(scalars) for _ in range(a.size)], derivatives) for a in made.outputs]
    return parts[0] if len(parts) == 1 else tuple(parts)


def _scalars(argument: Arg, value: Any) -> list[Any]:
    """The scalars of a value; FeatherError unless they are as many as those of the argument."""
    found = scalars_of(argument.type, value)
    if len(found) != argument.size:
        raise FeatherError(f"{argument.name} has {argument.size} scalars, but is called with {len(found)}")
    return found


def _value(argument: Arg, scalars: list[Any], derivatives: bool) -> Any:
    """The value of a result."""
    kind = argument.type
    if derivatives and isinstance(kind, Array) and len(kind.shape) == 2:
        rows, columns = kind.shape
        return Matrix(rows, columns).value(scalars)
    return value_of(kind, scalars)
