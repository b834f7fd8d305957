"""The kernels of a block: its formula over structures of states and parameters, and its independent forms."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any

from codegen.errors import FeatherError, naming
from codegen.frontends.define import formula_kernel
from codegen.frontends.formula import output_scalars, typed_values
from codegen.frontends.references import Outcome, limits_for, outcome_of, reference_input
from codegen.ir.expression import as_expr
from codegen.ir.program import Arg, Program, program_of
from codegen.ir.types import Array, Scalar, flatten, scalars_of
from codegen.modeling.bind import bind
from codegen.modeling.equations.textbook import block
from codegen.modeling.kernel import BlockPart, Kernel, OfScalars, Rates
from codegen.modeling.quantities.called_frames import check_result
from codegen.modeling.steps import Form
from codegen.modeling.types.records import Record, as_result, members_of, split
from codegen.notation.blocks import Rows
from codegen.notation.functions import Table
from codegen.notation.syntax import number
from codegen.systems.declaration import DT, NEXT, STATE, Declared, exact, names_of, parameters_of
from codegen.systems.integrators import METHODS, rate_of


def direct(formula: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """The states after a step and the outputs, from a formula that gives them, for values by name."""

    def advance(given: Mapping[str, Any]) -> Any:
        return formula(*(given[n] for n in names))

    return advance


def integrated(
    declared: Declared, formula: Callable[..., Any], names: Sequence[str], integrator: str
) -> Callable[..., Any]:
    """The states after a step and the outputs at its beginning, from a formula of rates and outputs."""

    def advance(given: Mapping[str, Any]) -> Any:
        count = len(declared.states)

        def at(states: Sequence[Any]) -> list[Any]:
            there = {**given, **dict(zip(names_of(declared.states), states, strict=True))}
            found = formula(*(there[n] for n in names))
            parts = found if isinstance(found, (tuple, list)) else (found,)
            if len(parts) != count + len(declared.outputs):
                wanted = [f"the rate of {s.name}" for s in declared.states] + names_of(declared.outputs)
                raise FeatherError(f"the formula returns {len(parts)} results, not {', '.join(wanted)}")
            for rate, part in zip(map(rate_of, declared.states), parts, strict=False):
                check_result(rate, part)
            return list(parts)

        states = [given[s.name] for s in declared.states]
        outputs = at(states)[count:]
        advanced = METHODS[integrator](declared.states, states, lambda x: at(x)[:count], given[DT])
        return (*advanced, *outputs)

    return advance


def _expanded(arguments: Sequence[Arg], values: Sequence[Any]) -> dict[str, Any]:
    """The values by name, those of structures by the names of their members."""
    found: dict[str, Any] = {}
    for a, value in zip(arguments, values, strict=True):
        if isinstance(value, Record):
            found |= dict(zip(names_of(value.members), members_of(value), strict=True))
        else:
            found[a.name] = value
    return found


def documented(function: Callable[..., Any], otherwise: str) -> tuple[str, str]:
    """The title and the details of a formula's docstring."""
    title, _, details = inspect.cleandoc(function.__doc__ or otherwise).partition("\n")
    return title, details.strip()


def stated_rates(declared: Declared, names: Sequence[str], integrator: str) -> Rates:
    """The rates that the equation of a step states, and how they become its results."""
    inputs = declared.of_formula(names)
    outputs = [*map(rate_of, declared.states), *declared.outputs]
    after = [*declared.states, *declared.outputs]

    def advanced(rates: OfScalars, scalars: Sequence[Scalar]) -> list[Scalar]:
        def formula(*values: Any) -> list[Any]:
            given = [x for a, value in zip(inputs, values, strict=True) for x in scalars_of(a.type, value)]
            return typed_values(outputs, rates(given))

        advance = integrated(declared, formula, names_of(inputs), integrator)
        values = dict(zip(names_of(inputs), typed_values(inputs, scalars), strict=True))
        return output_scalars(after, advance(values))

    return Rates(tuple(inputs), tuple(outputs), advanced)


def step_kernel(
    declared: Declared,
    advance: Callable[..., Any],
    names: Sequence[str],
    fields: Mapping[str, Any],
    rates: Rates | None,
) -> Kernel:
    """The kernel of a step: the states after it, and the outputs."""
    arguments = declared.structured([*names, *names_of(declared.states)])
    results = [*declared.states, *declared.outputs]

    @wraps(advance)
    def formula(*values: Any) -> Any:
        found = output_scalars(results, advance(_expanded(arguments, values)))
        state, *outputs = split([declared.state(NEXT, ""), *declared.outputs], found)
        return (state, *outputs) if outputs else state

    title, _ = documented(advance, f"A step of {declared.name}.")
    return formula_kernel(
        formula,
        name=f"{declared.name}_step",
        title=title,
        inputs=tuple(arguments),
        outputs=(declared.state(NEXT, "state after the step"), *declared.outputs),
        block=BlockPart(declared.name, "step", declared.state_type.initial, rates),
        **fields,
    )


def init_kernel(declared: Declared, described: Mapping[str, Any]) -> Kernel:
    """The kernel of the initial state."""
    state = as_result(declared.state(STATE, "initial state"))

    def lower(checks: bool) -> Program:
        return program_of((), (state,), [as_expr(x) for x in declared.state_type.initial])

    return Kernel(
        name=f"{declared.name}_init",
        title=f"Initial state of {declared.name}.",
        inputs=(),
        outputs=(state,),
        lower=lower,
        block=BlockPart(declared.name, "init"),
        **{**described, "equation": _initial_equation(declared)},
    )


def _initial_equation(declared: Declared) -> str:
    """The initial values: y = 0; q = [1, 0, 0, 0]; P = diag(4, 4, 9)."""
    return "; ".join(f"{s.name} = {_written(block(s.type, s.start, _NUMBERS).rows)}" for s in declared.states)


_NUMBERS: Table = {"number": lambda value: value}
"""The functions of the notation that a value of a type takes, on numbers."""


def _written(rows: Rows) -> str:
    """A value as the notation has it: a number, a column, a diagonal matrix, or one by its rows."""
    texts = [[number(Fraction(x)) for x in row] for row in rows]
    if len(texts[0]) == 1:
        return _bracketed(text for (text,) in texts) if len(texts) > 1 else texts[0][0]
    is_diagonal = all(not x for i, row in enumerate(rows) for j, x in enumerate(row) if i != j)
    if is_diagonal and len(rows) == len(rows[0]):
        return f"diag({', '.join(texts[i][i] for i in range(len(rows)))})"
    return _bracketed(_bracketed(row) for row in texts)


def _bracketed(texts: Iterable[str]) -> str:
    return f"[{', '.join(texts)}]"


def reset_kernel(
    declared: Declared, reset: Callable[..., Any], described: Mapping[str, Any], equation: str
) -> Kernel:
    """The kernel of the states that fit given values, which the equation states."""
    known = {*names_of([*declared.flat, *declared.outputs]), DT}
    names = parameters_of(reset, declared, known)
    arguments = declared.structured(names)

    @wraps(reset)
    def formula(*values: Any) -> Any:
        given = _expanded(arguments, values)
        found = output_scalars(declared.states, reset(*(given[n] for n in names)))
        return declared.state_type.of(found)

    title, details = documented(reset, f"A state of {declared.name} that fits.")
    return formula_kernel(
        formula,
        name=f"{declared.name}_reset",
        title=title,
        details=details,
        inputs=tuple(arguments),
        outputs=(declared.state(NEXT, "state"),),
        block=BlockPart(declared.name, "reset"),
        **{**described, "equation": equation},
    )


def rates_kernel(
    declared: Declared, formula: Callable[..., Any], names: Sequence[str], described: Mapping[str, Any]
) -> Kernel:
    """The kernel of the rates, which are differentiated to linearise the block; its C is not generated."""
    arguments = declared.of_formula(names)

    @wraps(formula)
    def rates(*values: Any) -> Any:
        found = formula(*values)
        return [flatten(part) for part in found] if isinstance(found, (tuple, list)) else flatten(found)

    outputs = map(rate_of, declared.states)
    return formula_kernel(
        rates,
        name=f"{declared.name}_rates",
        title=f"Rates of the states of {declared.name}.",
        inputs=tuple(arguments),
        outputs=(*outputs, *declared.outputs),
        **described,
    )


def timed(kernel: Kernel, sample_time: Any, needed: bool) -> Kernel:
    """The kernel with its time step bound, if the block states it."""
    if sample_time is None or isinstance(sample_time, (tuple, list)):
        return kernel
    if needed and DT not in names_of(kernel.inputs):
        raise FeatherError("it has a sample time, but its formula does not use dt: use it, or omit the time")
    with naming("its sample time"):
        value = exact(sample_time)
    return bind(kernel, {DT: (value,)})


def definition_form(declared: Declared, names: Sequence[str], form: Form | None) -> Form | None:
    """The form of the step's kernel: equations as they are, or in SymPy over the formula's arguments."""
    if form is None or isinstance(form, str):
        return form
    flat, results = declared.of_formula(names), [*declared.states, *declared.outputs]

    @wraps(form)
    def definition(*values: Any) -> list[Any]:
        from codegen.frontends.from_sympy import applied

        return applied(form, flat, results, _scalars(declared.structured(names), values))

    return definition


def reference_form(
    declared: Declared, names: Sequence[str], form: Callable[..., Any] | None
) -> Callable[..., Any] | None:
    """The NumPy form of the step's kernel, from one over the arguments of the formula."""
    if form is None:
        return None
    flat, results = declared.of_formula(names), [*declared.states, *declared.outputs]

    @wraps(form)
    def reference(*values: Any, **limits: Any) -> Any:
        stream = iter(_scalars(declared.structured(names), values))
        given = (reference_input(a, [next(stream) for _ in range(a.size)]) for a in flat)
        found = form(*given, **limits_for(form, limits))
        outputs, status = outcome_of(found, len(results))
        scalars = output_scalars(results, outputs[0] if len(results) == 1 else outputs)
        states = sum(s.size for s in declared.states)
        return Outcome((scalars[:states], *map(list, _by_output(declared, scalars[states:]))), status)

    return reference


def _scalars(arguments: Sequence[Arg], values: Sequence[Any]) -> list[Any]:
    """The scalars in C order of the values that SymPy and NumPy forms get: matrices, lists, numbers."""
    found: list[Any] = []
    for a, value in zip(arguments, values, strict=True):
        same = a.type.elements(value) if isinstance(a.type, Array) else None
        found += flatten(value) if same is None else [s[0] for s in same]
    return found


def _by_output(declared: Declared, scalars: Sequence[Any]) -> Iterator[Sequence[Any]]:
    first = 0
    for a in declared.outputs:
        yield scalars[first : first + a.size]
        first += a.size
