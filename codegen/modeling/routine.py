"""Routine: a C function with loops, which calls kernels for its arithmetic.

Its control flow is a template, written once for both precisions, both interfaces, with and without checks.
The kernels that it calls are straight-line code and are proven like all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from codegen.ir.program import Arg
from codegen.ir.types import Array
from codegen.modeling.failures import Failures
from codegen.modeling.names import check_name


@dataclass(frozen=True)
class Items:
    """An argument of a routine; `extent` names the int arguments whose product is its number of items."""

    arg: Arg
    direction: str = "in"  # in, out, inout
    extent: tuple[str, ...] = ()


class Trial(NamedTuple):
    """One call to verify: its inputs, the expected outputs with their tolerances, and the status.

    An output that is not determined, such as the number of iterations, is None.
    """

    inputs: list[Any]
    expected: list[Any]
    tolerances: list[Any]
    status: int = 0


@dataclass(frozen=True, eq=False)
class Routine:
    """A routine: its arguments in the order of C, its documentation, the functions that it calls."""

    name: str
    module: str
    arguments: tuple[Items, ...]
    title: str
    equation: str
    source: str
    calls: tuple[str, ...]
    details: str = ""
    requires: str = ""
    cost: str = ""
    failures: Failures = field(default_factory=dict)
    capacities: Mapping[str, int] = field(default_factory=dict)  # macros that a user may define otherwise
    symbols: tuple[Arg, ...] = ()  # what the equation has besides the arguments

    def __post_init__(self) -> None:
        check_name(self.name, "routine")

    def whole(self, arg: Arg) -> Arg:
        """An argument as the equation has it: a vector or matrix of all items, of which it has two each."""
        extent = next((a.extent for a in self.arguments if a.arg is arg), ())
        shape = (2 * arg.size,) if len(extent) == 1 else tuple(2 for _ in extent)
        return replace(arg, type=Array(shape)) if extent else arg

    @property
    def inputs(self) -> tuple[Arg, ...]:
        """The arguments that the function reads."""
        return tuple(a.arg for a in self.arguments if a.direction != "out")

    @property
    def outputs(self) -> tuple[Arg, ...]:
        """The arguments that the function writes."""
        return tuple(a.arg for a in self.arguments if a.direction != "in")
