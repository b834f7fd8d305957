"""Calling conventions of the candidates: declarations, and the C before, in and after the timed loop.

The driver has the inputs in arrays x0, x1, ... of every call's scalars, and the outputs in y0, y1, ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from codegen.ir.types import REAL
from codegen.modeling.kernel import Kernel


@dataclass(frozen=True)
class Call:
    """Declarations over arrays of `real`; statements before all calls, of the i-th, to see its results."""

    declarations: tuple[str, ...]
    call: str
    before: str = ""
    after: str = ""


Convention: TypeAlias = Callable[[Kernel, str], Call]
"""(kernel, symbol) -> the C around it."""


def plain(kernel: Kernel, symbol: str) -> Call:
    """Arrays by pointer, scalars by value, then the outputs."""
    inputs = ["real" if a.type is REAL else "const real *" for a in kernel.inputs]
    given = [f"x{k}[i]" if a.type is REAL else f"x{k} + {a.size} * i" for k, a in enumerate(kernel.inputs)]
    declaration = f"void {symbol}({', '.join([*inputs, *('real *' for _ in kernel.outputs)])});"
    return Call((declaration,), f"{symbol}({', '.join([*given, *_outputs(kernel)])});")


def pointers(kernel: Kernel, symbol: str) -> Call:
    """CasADi's: an array of pointers to the inputs, one to the outputs, and work arrays."""
    given = [f"x{k} + {a.size} * i" for k, a in enumerate(kernel.inputs)]
    arrays = f"const real *arg[] = {{{', '.join(given)}}}; real *res[] = {{{', '.join(_outputs(kernel))}}};"
    declaration = f"int {symbol}(const real **, real **, long long int *, real *, int);"
    return Call((declaration,), f"{{ {arrays} {symbol}(arg, res, 0, 0, 0); }}")


def objects(kernel: Kernel, symbol: str) -> Call:
    """A library's own objects, which are made of the inputs beforehand, and of which the results are read."""
    inputs, outputs = [f"x{k}" for k in range(len(kernel.inputs))], _outputs(kernel)
    return Call(
        (
            f"void {symbol}_given({', '.join('const real *' for _ in inputs)}, int);",
            f"void {symbol}(int);",
            f"void {symbol}_found({', '.join('real *' for _ in outputs)});",
        ),
        f"{symbol}(i);",
        f"{symbol}_given({', '.join(inputs)}, CALLS);",
        f"{symbol}_found({', '.join(outputs)});",
    )


def _outputs(kernel: Kernel) -> list[str]:
    return [f"y{k}" for k in range(len(kernel.outputs))]
