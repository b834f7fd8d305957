"""Routine: a C function with loops, whose arithmetic is done by kernels that it calls.

Control flow is a template's text, written once for both precisions, both interfaces, with and without
checks; what it computes it leaves to straight-line kernels, which are proven like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from codegen.algebra import Value, size
from codegen.describe import Kernel
from codegen.errors import FeatherError
from codegen.kernels import library
from codegen.layout import Parameter, parameter, struct_name
from codegen.names import check_name
from codegen.options import Options
from codegen.program import Arg
from codegen.scalar import Status
from codegen.systems import Precision


@dataclass(frozen=True)
class Items:
    """An argument of a routine; `extent` names the int arguments whose product is its number of items."""

    arg: Arg
    direction: str = "in"  # in, out, inout
    extent: tuple[str, ...] = ()


class Trial(NamedTuple):
    """One call to verify: its inputs, what each output is to be, within what, and the status.

    An output that is not determined, as the number of iterations, is None.
    """

    inputs: list[Any]
    expected: list[Any]
    tolerances: list[Any]
    status: int = 0


@dataclass(frozen=True, eq=False)
class Routine:
    """A routine: its arguments in C's order, its documentation, the functions it calls, its trials."""

    name: str
    module: str
    arguments: tuple[Items, ...]
    title: str
    equation: str
    source: str
    calls: tuple[str, ...]
    trials: Callable[[Precision], Iterable[Trial]]
    details: str = ""
    requires: str = ""
    cost: str = ""
    failures: Mapping[Status, str] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)  # macros that a user may define otherwise

    def __post_init__(self) -> None:
        check_name(self.name, "routine")

    @property
    def inputs(self) -> tuple[Arg, ...]:
        """What goes in."""
        return tuple(a.arg for a in self.arguments if a.direction != "out")

    @property
    def outputs(self) -> tuple[Arg, ...]:
        """What comes out."""
        return tuple(a.arg for a in self.arguments if a.direction != "in")


@dataclass(frozen=True)
class RoutineFunction:
    """A routine at one precision, ready for its template and for the manifest."""

    routine: Routine
    precision: Precision
    options: Options

    @property
    def subject(self) -> Routine:
        """What it is made from."""
        return self.routine

    @property
    def includes_math(self) -> bool:
        """Whether it calls anything from <math.h> itself."""
        return False

    @property
    def called_modules(self) -> list[str]:
        """The modules of the kernels that it calls."""
        return [library()[name].module for name in self.routine.calls if name in library()]

    @property
    def symbol(self) -> str:
        """Its C name."""
        return self.symbol_of(self.routine.name)

    @property
    def parameters(self) -> list[Parameter]:
        """Its C parameters."""
        return [_parameter(a, self.precision, self.options) for a in self.routine.arguments]

    @property
    def returns_status(self) -> bool:
        """Whether it returns a status, or nothing."""
        return self.options.checks and bool(self.routine.failures)

    def symbol_of(self, name: str) -> str:
        """The C name of a kernel or routine that it calls."""
        return f"{self.options.prefix}{name}_{self.precision.name}"

    def local(self, name: str, component: type[Value]) -> str:
        """The declaration of a local variable of a structured type."""
        if self.options.interface == "array":
            return f"{self.precision.ctype} {name}[{size(component)}]"
        return f"{struct_name(component, self.options.prefix, self.precision)} {name}"

    def address(self, name: str) -> str:
        """What is passed of a local variable of a structured type."""
        return name if self.options.interface == "array" else f"&{name}"

    def item(self, name: str, index: str) -> str:
        """What is passed of one item of an array of structures."""
        if self.options.interface == "array":
            (arg,) = (a.arg for a in self.routine.arguments if a.arg.name == name)
            return f"&{name}[{arg.size} * {index}]"
        return f"&{name}[{index}]"


def with_calls(chosen: Sequence[Kernel | Routine]) -> tuple[list[Kernel], list[Routine]]:
    """The chosen kernels and routines, and those that the routines call, in the library's order.

    FeatherError when a routine would call a kernel some of whose inputs are bound.
    """
    from codegen.routines import routines

    kernels = [k for k in chosen if isinstance(k, Kernel)]
    wanted = [r for r in chosen if isinstance(r, Routine)]
    for routine in wanted:  # which grows meanwhile
        for k in kernels:
            if k.name in routine.calls and k.bound:
                raise FeatherError(f"{routine.name} calls {k.name}, which is bound: name what to generate")
        called = [routines()[name] for name in routine.calls if name in routines()]
        wanted += [r for r in called if r not in wanted]
        there = {k.name for k in kernels}
        kernels += [library()[n] for n in routine.calls if n in library() and n not in there]
    return kernels, [r for r in routines().values() if r in wanted]


def _parameter(items: Items, precision: Precision, options: Options) -> Parameter:
    """The C parameter: that of a kernel's argument, or a pointer to the first of several items."""
    arg, direction = items.arg, items.direction
    one = parameter(arg, "in" if direction == "in" else "out", options.interface, options.prefix, precision)
    if not items.extent:
        return replace(one, direction=direction)
    const = "const " if direction == "in" else ""
    flattened = isinstance(arg.type, type) and options.interface == "array"
    shape: tuple[int | str, ...] = (*items.extent, arg.size) if flattened else items.extent
    return Parameter(arg, direction, f"{const}{one.type} {arg.name}[]", one.type, "pointer", shape, ())
