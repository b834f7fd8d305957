"""Records a formula as a Program, or as parts with loops, by running it on expressions, as it is written."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from codegen.errors import FeatherError, naming
from codegen.frontends.loops import cut
from codegen.ir.expression import Expr, as_boolean, as_expr
from codegen.ir.loops import Looped, unrolled
from codegen.ir.program import Arg, Program, input_scalars, program_of
from codegen.ir.status import Status
from codegen.ir.types import Value, scalars_of, value_of
from codegen.modeling.quantities.called_frames import check_result
from codegen.modeling.types.loops import Recorder, Turns, recording
from codegen.modeling.types.scalar import checking


def typed_values(arguments: Sequence[Arg], scalars: Sequence[Any]) -> list[Any]:
    """The flattened scalars as values of the arguments' types."""
    values, start = [], 0
    for argument in arguments:
        stop = start + argument.size
        values.append(value_of(argument.type, list(scalars[start:stop])))
        start = stop
    return values


def output_scalars(outputs: Sequence[Arg], results: Any) -> list[Any]:
    """A formula's results as scalars in C order; FeatherError when they do not fit the outputs."""
    if results is None and not outputs:
        return []
    parts = results if len(outputs) != 1 and isinstance(results, (tuple, list)) else (results,)
    if results is None:
        raise FeatherError("the formula returns nothing; end it with return and the outputs in their order")
    if len(parts) != len(outputs):
        raise FeatherError(
            f"the formula returns {len(parts)} results, but {len(outputs)} outputs are declared "
            f"({', '.join(a.name for a in outputs)})"
        )
    return [x for part, output in zip(parts, outputs, strict=True) for x in _result(part, output)]


def _result(part: Any, output: Arg) -> list[Any]:
    """The scalars of one result; FeatherError when it does not fit the output."""
    kind = output.type
    if isinstance(kind, type) and isinstance(part, Value) and part.c_name != kind.c_name:
        raise FeatherError(f"output {output.name} is a {kind.__name__}, but the result {type(part).__name__}")
    check_result(output, part)
    with naming(f"output {output.name}"):
        scalars = scalars_of(kind, part)
    if len(scalars) != output.size:
        raise FeatherError(
            f"output {output.name} has {output.size} scalars, but the result has {len(scalars)}"
        )
    return scalars


class Recorded(NamedTuple):
    """What a formula computes: expressions of symbols, with its requirements and its loops."""

    symbols: list[Expr]
    results: list[Expr]
    requirements: list[tuple[Expr, Status]]
    loops: list[Turns]


def lower(
    inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any], checks: bool
) -> Program:
    """The Program of a formula over the project's types, with or without its requirements.

    Its loops are unrolled.
    """
    found = record(inputs, outputs, formula, checks)
    if found.loops:
        return unrolled(cut(inputs, outputs, *found)).program
    return program_of(inputs, outputs, found.results, found.requirements)


def lower_loops(
    inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any], checks: bool
) -> Looped | None:
    """The parts of a formula with loops; None where it has none."""
    found = record(inputs, outputs, formula, checks)
    return cut(inputs, outputs, *found) if found.loops else None


def record(
    inputs: Sequence[Arg], outputs: Sequence[Arg], formula: Callable[..., Any], checks: bool
) -> Recorded:
    """Run a formula on symbols of its inputs."""
    symbols = input_scalars(inputs)
    recorder = Recorder(len(symbols))
    with checking(checks) as recorded, recording(recorder):
        results = formula(*typed_values(inputs, symbols))
    names = [name for a in outputs for name in a.scalar_names]
    scalars = []
    for name, scalar in zip(names, output_scalars(outputs, results), strict=True):
        with naming(f"output {name}"):
            scalars.append(as_expr(scalar))
    requirements = [(as_boolean(condition), flag) for condition, flag in recorded.requirements]
    return Recorded(symbols, scalars, requirements, recorder.loops)
