"""Macros for places in arrays and for limits: what a header and the manifest say of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from codegen.emit.c99 import held_literal
from codegen.emit.function import Function
from codegen.emit.options import Options
from codegen.emit.routine import RoutineFunction
from codegen.errors import naming
from codegen.ir.systems import Precision
from codegen.modeling.kernel import Kernel
from codegen.modeling.limits import Limits


def index_macros(functions: Iterable[Function | RoutineFunction], options: Options) -> dict[str, int]:
    """The macros for places in arrays of some functions, each once."""
    return {
        _index(f.kernel, name, options): place
        for f in functions
        if isinstance(f, Function)
        for name, place in f.kernel.indices.items()
    }


def _index(kernel: Kernel, name: str, options: Options) -> str:
    """The C name of a place in an array, after the kernel whose derivatives it is in, or after the module."""
    origin: Kernel | None = kernel
    while origin is not None and not name.startswith(f"{origin.base_name}_"):
        origin = origin.of
    return f"{options.prefix}{f'{kernel.module}_' if origin is None else ''}{name}".upper()


@dataclass(frozen=True)
class LimitArray:
    """A macro for the limits of an array in one precision: its name and header, and its numbers there."""

    macro: str
    header: str
    limits: Limits
    precision: Precision
    numbers: list[Fraction]

    @property
    def comment(self) -> str:
        """What the limits are of, and their units."""
        meaning = self.limits.meaning
        return f"{meaning[:1].upper()}{meaning[1:]} [{self.limits.unit}]."

    @property
    def literals(self) -> list[str]:
        """The numbers as C writes them."""
        return [held_literal(x, self.precision) for x in self.numbers]

    @property
    def values(self) -> list[float | None]:
        """The numbers, None where there is no limit."""
        stated = zip(self.limits.values, self.numbers, strict=True)
        return [None if limit is None else float(x) for limit, x in stated]


def limit_arrays(functions: Iterable[Function | RoutineFunction], options: Options) -> list[LimitArray]:
    """The macros for the limits of the modules of some functions, each once."""
    found: dict[str, LimitArray] = {}
    for f in (f for f in functions if isinstance(f, Function)):
        for name, limits in f.kernel.limits.items():
            stem, precision = f"{options.prefix}{f.kernel.module}", f.precision
            macro = f"{stem}_{name}_{precision.name}".upper()
            if macro not in found:
                with naming(macro):
                    numbers = limits.rounded(precision)
                found[macro] = LimitArray(macro, f"{stem}_{precision.name}.h", limits, precision, numbers)
    return list(found.values())


def limits_comment(precision: Precision) -> str:
    """What the comment before the limits says of them all."""
    most = held_literal(precision.max, precision)
    return (
        f"Limits, as initialisers of arrays, rounded so that none is exceeded. {most}, the largest finite "
        f"{precision.ctype}, or its negative stands where there is none."
    )
