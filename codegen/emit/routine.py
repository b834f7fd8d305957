"""A routine at one precision: its C parameters, and the values for its template."""

from __future__ import annotations

from dataclasses import dataclass, replace

from codegen.emit.layout import Parameter, accessors, parameter, struct_name
from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.ir.status import Status
from codegen.ir.systems import Precision
from codegen.ir.types import Value, size
from codegen.library import library
from codegen.modeling.routine import Items, Routine


@dataclass(frozen=True)
class RoutineFunction:
    """A routine at one precision, ready for its template and for the manifest."""

    routine: Routine
    precision: Precision
    options: Options

    @property
    def subject(self) -> Routine:
        """The routine that it is generated from."""
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
        """Whether it returns a status rather than void."""
        return self.options.checks and bool(self.routine.failures)

    def symbol_of(self, name: str) -> str:
        """The C name of a kernel or routine that it calls."""
        return f"{self.options.prefix}{name}_{self.precision.name}"

    def reported(self, name: str) -> str:
        """The C name of a kernel whose status is or-ed to the routine's; the routine documents its flags."""
        for _, flag in library()[name].program().status:
            self.flag(flag.name or "")
        return ("status |= " if self.returns_status else "") + self.symbol_of(name)

    def flag(self, name: str) -> str:
        """The macro of a flag that the routine returns; FeatherError when its documentation lacks it."""
        if Status[name] not in self.routine.failures:
            raise FeatherError(f"routine {self.routine.name} returns {name}: say in its failures when")
        return self.options.prefix.upper() + name

    def local(self, name: str, component: type[Value]) -> str:
        """The declaration of a local variable of a structured type."""
        if self.options.interface == "array":
            return f"{self.precision.ctype} {name}[{size(component)}]"
        return f"{struct_name(component, self.options.prefix, self.precision)} {name}"

    def address(self, name: str) -> str:
        """The C argument for a local variable of a structured type."""
        return name if self.options.interface == "array" else f"&{name}"

    def item(self, name: str, index: str) -> str:
        """The C argument for one item of an array of structures."""
        if self.options.interface == "array":
            (arg,) = (a.arg for a in self.routine.arguments if a.arg.name == name)
            return f"&{name}[{arg.size} * {index}]"
        return f"&{name}[{index}]"

    def scalars(self, name: str, index: str) -> list[str]:
        """The C of each scalar of one item of an array of structures."""
        (arg,) = (a.arg for a in self.routine.arguments if a.arg.name == name)
        if self.options.interface == "array":
            return [f"{name}[{arg.size} * {index} + {k}]" for k in range(arg.size)]
        return [f"{name}[{index}]{member}" for member in accessors(arg.type)]


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
