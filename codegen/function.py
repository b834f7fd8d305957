"""A C function: a kernel at one precision, ready for a template and for the manifest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from codegen.body import Body
from codegen.c99 import Cost, cost, emit, specialise
from codegen.describe import Kernel
from codegen.errors import FeatherError
from codegen.layout import Parameter, parameter
from codegen.operations import LIBM, Op
from codegen.options import Options
from codegen.parallel import mapped
from codegen.passes import simplified, stages
from codegen.passes.registers import registers
from codegen.program import Program
from codegen.ranges import check_held
from codegen.scalar import Status
from codegen.systems import Precision


@dataclass(frozen=True)
class Function:
    """Everything about one emitted function."""

    kernel: Kernel
    precision: Precision
    symbol: str
    program: Program  # as printed: optimised, with the precision's constants
    parameters: tuple[Parameter, ...]
    unused: tuple[str, ...]
    body: Body
    cost: Cost

    @property
    def subject(self) -> Kernel:
        """What it is made from."""
        return self.kernel

    @property
    def returns_status(self) -> bool:
        """Whether it returns a status, or nothing."""
        return bool(self.program.status)

    @property
    def includes_math(self) -> bool:
        """Whether it calls anything from <math.h>."""
        return any(n.op in LIBM or n.op in (Op.SQRT, Op.ABS) for n in self.program.nodes)

    @property
    def flags(self) -> list[tuple[Status, str]]:
        """Each status flag that it can return, with the reason and what the results then hold."""
        flags = sorted({flag for _, flag in self.program.status})
        return [(f, self.kernel.failures.get(f, f"{_GENERAL[f]}")) for f in flags]


_GENERAL = {
    Status.NOT_FINITE: "a value is not finite",
    Status.MASS: "a mass is not positive",
    Status.SINGULAR: "a matrix has no inverse",
    Status.NOT_PHYSICAL: "no body has this inertia",
    Status.GIMBAL_LOCK: "the attitude is at gimbal lock",
    Status.ZERO_NORM: "a quaternion or vector has no direction",
    Status.DEGENERATE: "the geometry leaves a direction open",
    Status.NOT_CONVERGED: "the iteration did not converge",
}


@cache
def passed(kernel: Kernel, checks: bool) -> tuple[tuple[str, Program], ...]:
    """Each pass that changes the kernel's Program, by its name, and the Program after it."""
    return tuple(stages(kernel.program(checks)))


def optimised(kernel: Kernel, checks: bool = True) -> Program:
    """The kernel's Program after all passes; one and the same where there is nothing to check."""
    key = _key(kernel, checks)
    if key not in _OPTIMISED:
        changed = passed(*key)
        _OPTIMISED[key] = changed[-1][1] if changed else kernel.program(key[1])
    return _OPTIMISED[key]


def _key(kernel: Kernel, checks: bool) -> tuple[Kernel, bool]:
    """The kernel, and whether it has something to check."""
    return kernel, checks and bool(kernel.program(True).status)


_OPTIMISED: dict[tuple[Kernel, bool], Program] = {}
"""What this process, or one that worked for it, has optimised."""


def functions(kernels: Sequence[Kernel], options: Options) -> list[Function]:
    """The C functions of all kernels, format by format; their Programs are optimised side by side."""
    new = [key for k in kernels if (key := _key(k, options.checks)) not in _OPTIMISED]
    for key, parts in zip(new, mapped(lambda key: _portable(optimised(*key)), new), strict=True):
        _OPTIMISED[key] = replace(key[0].program(False), **parts)
    return [function(k, p, options) for p in options.formats for k in kernels]


def _portable(program: Program) -> dict[str, Any]:
    """A Program without its arguments, whose types a model may have defined where pickle finds nothing."""
    return {name: getattr(program, name) for name in ("nodes", "results", "status", "labels")}


def function(kernel: Kernel, precision: Precision, options: Options) -> Function:
    """The C function of a kernel; FeatherError when the precision does not hold a constant or a range."""
    best = optimised(kernel, options.checks)
    program = specialise(best, precision)
    if program != best:  # constants of the precision may give more to fold
        program = registers(simplified(program))
    _check_ranges(kernel, precision)
    inputs = [parameter(a, "in", options.interface, options.prefix, precision) for a in kernel.inputs]
    outputs = [parameter(a, "out", options.interface, options.prefix, precision) for a in kernel.outputs]
    symbol = f"{options.prefix}{kernel.name}_{precision.name}"
    try:
        body = emit(program, precision, _scalars(inputs), _scalars(outputs))
    except FeatherError as error:
        raise FeatherError(f"{symbol}: {error}") from None
    return Function(
        kernel,
        precision,
        symbol,
        program,
        (*inputs, *outputs),
        tuple(_unused(program, inputs)),
        body,
        cost(program),
    )


def _check_ranges(kernel: Kernel, precision: Precision) -> None:
    for a in kernel.inputs:
        try:
            check_held(a.name, a.ends, precision)
        except FeatherError as error:
            raise FeatherError(f"kernel {kernel.name}: {error}") from None


def _scalars(parameters: Sequence[Parameter]) -> list[str]:
    return [scalar for p in parameters for scalar in p.scalars]


def _unused(program: Program, inputs: Sequence[Parameter]) -> list[str]:
    """The inputs that the outputs do not depend on."""
    used = {node.value for node in program.nodes if node.op is Op.INPUT}
    names, first = [], 0
    for p in inputs:
        if not used.intersection(range(first, first + p.arg.size)):
            names.append(p.arg.name)
        first += p.arg.size
    return names
