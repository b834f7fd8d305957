"""Formula -> Program, by running the formula on expressions: the structure stays as written."""

from collections.abc import Callable, Sequence
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.expression import as_boolean, as_expr
from codegen.ir.program import Arg, Program, input_scalars, program_of
from codegen.ir.types import assemble, flatten, size
from codegen.modeling.scalar import checking


def typed_values(arguments: Sequence[Arg], scalars: Sequence[Any]) -> list[Any]:
    """The flattened scalars as values of the arguments' types."""
    values, start = [], 0
    for argument in arguments:
        stop = start + argument.size
        values.append(assemble(argument.type, list(scalars[start:stop])))
        start = stop
    return values


def output_scalars(name: str, outputs: Sequence[Arg], results: Any) -> list[Any]:
    """A formula's results as scalars in C order; FeatherError when they do not fit the outputs."""
    parts = results if len(outputs) != 1 and isinstance(results, (tuple, list)) else (results,)
    if len(parts) != len(outputs):
        raise FeatherError(f"kernel {name} returns {len(parts)} results, but declares {len(outputs)}")
    for part, output in zip(parts, outputs, strict=True):
        if len(flatten(part)) != size(output.type):
            raise FeatherError(
                f"kernel {name}: result {output.name} has {len(flatten(part))} scalars, "
                f"but its type has {size(output.type)}"
            )
    return flatten(parts)


def trace(
    name: str,
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    formula: Callable[..., Any],
    checks: bool,
) -> Program:
    """The Program of a formula over the project's types, with or without its requirements."""
    with checking(checks) as recorded:
        results = formula(*typed_values(inputs, input_scalars(inputs)))
    scalars = [as_expr(s) for s in output_scalars(name, outputs, results)]
    requirements = [(as_boolean(condition), flag) for condition, flag in recorded.requirements]
    return program_of(inputs, outputs, scalars, requirements)
