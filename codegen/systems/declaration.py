"""What a block declares: its states with their initial values, inputs, outputs, parameters and time step."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from codegen.errors import FeatherError, naming
from codegen.ir.expression import decimal_of
from codegen.ir.program import Arg
from codegen.ir.types import POSITIVE, Scalar, flatten, scalars_of
from codegen.misuse import explained
from codegen.modeling.bind import check_value
from codegen.modeling.files import exact_decimal
from codegen.modeling.types.records import PARAMETERS, Record, record

STATE, NEXT, DT = "state", "next", "dt"
"""Names of the arguments of a block's functions; its own arguments have others."""


@explained
@dataclass(frozen=True)
class State(Arg):
    """A state of a block: name, type, unit, meaning, frame, range, and its initial value.

    Without a value, it begins at zero, an attitude at no rotation, the state of another block at that
    block's initial state.
    """

    initial: Any = None

    @property
    def _written(self) -> str:
        return "State(name, type, unit, doc, frame, initial=...)"

    @property
    def start(self) -> tuple[Fraction, ...]:
        """The exact scalars of the initial value; FeatherError when they are not a value of the type."""
        with naming(f"the initial value of state {self.name}"):
            scalars = tuple(map(exact, self._scalars()))
            check_value(self, scalars)
        return scalars

    def _scalars(self) -> list[Scalar]:
        if self.initial is not None:
            return scalars_of(self.type, self.initial)
        kind = self.type
        if isinstance(kind, type) and issubclass(kind, Record) and kind.initial:
            return list(kind.initial)
        if isinstance(kind, type) and kind.constrained and hasattr(kind, "identity"):
            return flatten(kind.identity())
        return [0] * self.size


def exact(number: Any) -> Fraction:
    """The exact number that a constant of a model stands for: a float is the decimal that it was typed as."""
    if isinstance(number, bool) or not isinstance(number, (int, float, str, Fraction)):
        raise FeatherError(f"{number!r} is not a number")
    if isinstance(number, str) and "/" not in number:
        return exact_decimal(number)
    try:
        return decimal_of(number) if isinstance(number, float) else Fraction(number)
    except (ValueError, ZeroDivisionError):
        raise FeatherError(f"{number!r} is not a number") from None


@dataclass(frozen=True)
class Declared:
    """What a block declares: its arguments, and the structures of its states and parameters."""

    name: str
    states: tuple[State, ...]
    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    parameters: tuple[Arg, ...]
    state_type: type[Record]
    parameter_type: type[Record] | None
    step: Arg

    @property
    def flat(self) -> list[Arg]:
        """All arguments of the formula but the time step."""
        return [*self.states, *self.inputs, *self.parameters]

    def of_formula(self, names: Sequence[str]) -> list[Arg]:
        """The arguments of these names, in the order of the formula."""
        return [a for a in (*self.flat, self.step) if a.name in names]

    def structured(self, names: Sequence[str]) -> list[Arg]:
        """The arguments of a function that needs these values: structures of states and of parameters."""
        found = [self.state(STATE, "state")] if _any(self.states, names) else []
        found += [a for a in (*self.inputs, *self.outputs) if a.name in names]
        if self.parameter_type and _any(self.parameters, names):
            found.append(self.parameter_type.argument(PARAMETERS, "parameters"))
        return found + ([self.step] if DT in names else [])

    def state(self, name: str, doc: str) -> Arg:
        """An argument of the type of the states."""
        return self.state_type.argument(name, doc)


def time_step(sample_time: Any) -> Arg:
    """The argument dt, with its range if the sample time is a pair."""
    ends = sample_time if isinstance(sample_time, (tuple, list)) else None
    return Arg(DT, POSITIVE, "s", "time step", range=ends)


def _any(arguments: Sequence[Arg], names: Sequence[str]) -> bool:
    return any(a.name in names for a in arguments)


def names_of(arguments: Sequence[Arg]) -> list[str]:
    """The names of arguments."""
    return [a.name for a in arguments]


def declare(
    name: str,
    states: Sequence[State],
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    parameters: Sequence[Arg],
    step: Arg,
) -> Declared:
    """The declarations, checked; FeatherError names the argument that is wrong."""
    for s in states:
        if not isinstance(s, State):
            raise FeatherError(f"{s!r} is not a State(name, type, unit, doc)")
    if not states:
        raise FeatherError("it has no states: a function without states is a @kernel")
    for a in (*inputs, *outputs, *parameters):
        if not isinstance(a, Arg):
            raise FeatherError(f"{a!r} is not an Arg(name, type, unit, doc)")
        if a.name in (STATE, NEXT, PARAMETERS, DT):
            raise FeatherError(f"{a.name} is an argument of every block: choose another name")
    names = names_of([*states, *inputs, *parameters])
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice:
        raise FeatherError(f"two of its states, inputs and parameters are called {twice}: rename one")
    kind = record(f"{name}_state", f"State of {name}.", states)
    kind.initial = tuple(x for s in states for x in s.start)
    constants = record(f"{name}_parameters", f"Parameters of {name}.", parameters) if parameters else None
    given = tuple(states), tuple(inputs), tuple(outputs), tuple(parameters)
    return Declared(name, *given, kind, constants, step)


def parameters_of(formula: Callable[..., Any], declared: Declared, known: set[str]) -> list[str]:
    """The names of the values that a formula takes; FeatherError for one that the block does not declare."""
    names = list(inspect.signature(formula).parameters)
    unknown = next((n for n in names if n not in known), None)
    if unknown:
        raise FeatherError(
            f"{formula.__name__} takes {unknown}, which is no state, input or parameter of it: declare it"
        )
    return names
