"""A C function: a kernel at one precision, with the values for its template and for the manifest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from codegen.emit.body import Body
from codegen.emit.c99 import emit
from codegen.emit.cases import cases_of
from codegen.emit.hints import hints, hints_of_parts
from codegen.emit.layout import Parameter, parameter, structs
from codegen.emit.loops import Setting, emit_loops
from codegen.emit.options import AUTO, PAIRS, Options
from codegen.emit.sines import angles, pairs_in
from codegen.errors import FeatherError, naming
from codegen.ir.arrays import Constants
from codegen.ir.constants import check_axes, check_constants, check_literals
from codegen.ir.cost import Cost, cost, in_pairs
from codegen.ir.domain import taken_apart
from codegen.ir.loops import Looped, unrolled
from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Program
from codegen.ir.ranges import check_held
from codegen.ir.rewriting import arrange, needed
from codegen.ir.status import Status
from codegen.ir.systems import Precision
from codegen.ir.types import Array
from codegen.modeling.failures import Failure
from codegen.modeling.kernel import Kernel
from codegen.passes import simplified
from codegen.passes.pipeline import optimised, optimised_loops, prepared
from codegen.passes.registers import registers, streamed
from codegen.passes.specialise import specialise


@dataclass(frozen=True)
class Function:
    """A generated function: its kernel, precision, Program, parameters and body."""

    kernel: Kernel
    precision: Precision
    symbol: str
    program: Program  # as printed: optimised, with the precision's constants
    parameters: tuple[Parameter, ...]
    unused: tuple[str, ...]
    body: Body
    cost: Cost
    turns: tuple[tuple[int, Cost], ...] = ()  # of each loop, with the operations of one

    @property
    def subject(self) -> Kernel:
        """The kernel that it is generated from."""
        return self.kernel

    @property
    def returns_status(self) -> bool:
        """Whether it returns a status rather than void."""
        return bool(self.program.status)

    @property
    def includes_math(self) -> bool:
        """Whether it calls anything from <math.h>."""
        return calls_math(self.program)

    @property
    def arrays(self) -> list[Constants]:
        """The arrays of constants that it reads, each once."""
        found = (n.value for n in self.program.nodes if isinstance(n.value, Constants))
        return list(dict.fromkeys(array for array in found if array.values))

    @property
    def tables(self) -> list[str]:
        """The names of the tables that it looks up, those whose numbers are arguments included."""
        nodes = self.program.nodes
        axes = {nodes[n.args[0]].value for n in nodes if n.op is Op.CELL}
        arrays = dict.fromkeys(n.value for n in nodes if isinstance(n.value, Constants))
        return [array.name for array in arrays if array not in axes]

    @property
    def searches(self) -> bool:
        """Whether it searches the cell of an axis."""
        return any(n.op is Op.CELL for n in self.program.nodes)

    @property
    def flags(self) -> list[tuple[Status, tuple[Failure, ...]]]:
        """Each status flag that it can return, with its cases."""
        flags = sorted({flag for _, flag in self.program.status})
        cases = cases_of(self.kernel)
        return [(f, cases[f]) for f in flags]


def calls_math(program: Program) -> bool:
    """Whether the C of a Program calls anything from <math.h>."""
    return any(n.op in LIBM or n.op in (Op.SQRT, Op.ABS) for n in program.nodes)


def functions(kernels: Sequence[Kernel], options: Options) -> list[Function]:
    """The C functions of all kernels, precision by precision; their Programs are optimised in parallel."""
    done = list(prepared(kernels, options.checks))
    return [function(k, p, options) for p in options.formats for k in done]


def function(kernel: Kernel, precision: Precision, options: Options) -> Function:
    """The C function of a kernel; FeatherError when the precision does not hold a constant or a range."""
    symbol = f"{options.prefix}{kernel.name}_{precision.name}"
    _check_ranges(kernel, precision)
    inputs, outputs = (
        [parameter(a, way, options.interface, options.prefix, precision, options.restrict) for a in arguments]
        for way, arguments in (("in", kernel.inputs), ("out", kernel.outputs))
    )
    apart = options.no_alias or not _may_alias(inputs, outputs)
    with _named(kernel, symbol):
        parameters = _Parameters(inputs, outputs, apart)
        looped = optimised_loops(kernel, options.checks)
        make = _straight if looped is None else partial(_looped, looped)
        program, body, turns = make(kernel, precision, options, parameters)
        _check_failures(kernel)
        _check_succeeds(program, kernel)
    live = arrange(program, sorted(needed(program)))  # that of a function with loops holds all that they know
    read = {a.name for a in live.read}
    return Function(
        kernel,
        precision,
        symbol,
        program,
        (*inputs, *outputs),
        tuple(p.arg.name for p in inputs if p.arg.name not in read),
        body,
        in_pairs(cost(program), pairs_in(body)),
        turns,
    )


@contextmanager
def _named(kernel: Kernel, symbol: str) -> Iterator[None]:
    """An error inside is that of a function; of a model's, it tells line and kernel."""
    if not kernel.place:
        with naming(symbol):
            yield
    else:
        with naming(f"{kernel.place}: {symbol}"), naming(f"kernel {kernel.name}"):
            yield


def _check_failures(kernel: Kernel) -> None:
    """FeatherError where a model states a failure that no requirement brings about, whatever the values."""
    if kernel.bound or kernel.of is not None:
        return
    unset = kernel.failures.keys() - {flag for _, flag in kernel.program(True).status}
    for flag in sorted(unset)[:1]:
        raise FeatherError(
            f"failures= states {flag.name}, which the formula never returns: remove it, or add "
            f"require(condition, Status.{flag.name}) to the formula"
        )


def _check_succeeds(program: Program, kernel: Kernel) -> None:
    """FeatherError where a requirement fails for all inputs, as that of a value that is bound may do."""
    failing = [flag for node, flag in program.status if program.nodes[node].value is False]
    for flag in failing[:1]:
        cases = "; ".join(case.unless or case.words for case in kernel.failures.get(flag, ()))
        remedy = f"bind other values to {', '.join(kernel.bound)}" if kernel.bound else "correct it"
        raise FeatherError(
            f"each call would return {flag.name}{f' ({cases})' if cases else ''}, as the requirement fails "
            f"for all inputs: {remedy}"
        )


def _may_alias(inputs: Sequence[Parameter], outputs: Sequence[Parameter]) -> bool:
    """Whether the types allow that an output is an input or a part of it, or an input a part of an output."""
    types = [(_types(i), _types(o)) for i in inputs if i.passed == "pointer" for o in outputs]
    return any(given[0] in made or made[0] in given for given, made in types)


def _types(parameter: Parameter) -> list[str]:
    """The C types in the object of a parameter, its own first; `[]` is any array, empty a single scalar."""
    if parameter.shape:
        return ["[]", ""]
    own = structs([parameter.arg])
    arrays = ["[]" for s in own for part in s.layout.values() if isinstance(part, Array)]
    return [*(s.c_name for s in reversed(own)), *arrays, ""]


class _Printed(NamedTuple):
    """The Program of a function, its statements, and the turns of its loops."""

    program: Program
    body: Body
    turns: tuple[tuple[int, Cost], ...] = ()


class _Parameters(NamedTuple):
    """The parameters of a function; where they are `apart`, no output is the same object as an input."""

    inputs: Sequence[Parameter]
    outputs: Sequence[Parameter]
    apart: bool


def _straight(kernel: Kernel, precision: Precision, options: Options, of: _Parameters) -> _Printed:
    """The Program of a function without loops, and its statements."""
    program = _printed(optimised(kernel, options.checks), precision, of.apart)
    names = hints(kernel, program, precision)
    scope = f"{options.prefix}{kernel.module}_"
    sources, targets = _scalars(of.inputs), _scalars(of.outputs)
    paired = _is_paired(kernel, options)
    body = emit(program, precision, sources, targets, names, of.apart, scope, paired=paired)
    return _Printed(program, body)


def _looped(
    best: Looped, kernel: Kernel, precision: Precision, options: Options, of: _Parameters
) -> _Printed:
    """The Program of a function with loops, every turn of them, and its statements."""
    looped = best.rewritten(lambda part: _printed(part, precision, of.apart))
    whole = unrolled(looped)
    check_literals(whole.program, precision)
    scope = f"{options.prefix}{kernel.module}_"
    paired = _is_paired(kernel, options)
    setting = Setting(precision, options.prefix, scope, of.apart, paired)
    names = hints_of_parts(kernel, looped, precision, options.checks)
    body = emit_loops(looped, whole, names, setting, _scalars(of.inputs), _scalars(of.outputs))
    loops = [(len(part.all_turns), part.program) for part in looped.loops if not part.copies]
    turns = [(n, in_pairs(cost(one), paired * len(angles(one)))) for n, one in loops]
    return _Printed(whole.program, body, tuple(turns))


def _is_paired(kernel: Kernel, options: Options) -> bool:
    """Whether sines and cosines of one angle are computed together."""
    return options.sincos == PAIRS or (options.sincos == AUTO and kernel.robot is not None)


def _printed(best: Program, precision: Precision, apart: bool) -> Program:
    """An optimised Program with the precision's constants, in the order in which it is printed."""
    program = _specialised(best, precision)
    return streamed(program) if apart else program


def _check_ranges(kernel: Kernel, precision: Precision) -> None:
    with naming(f"kernel {kernel.name}"):
        for name, a in taken_apart(kernel.inputs):
            check_held(name, a.ends, precision)


def _specialised(best: Program, precision: Precision) -> Program:
    """The Program with the precision's constants, which are checked to exist in it."""
    program = specialise(best, precision)
    if program != best:  # the constants of the precision allow further folding
        program = registers(simplified(program))
    check_constants(program)
    check_literals(program, precision)
    check_axes(program, precision)
    return program


def _scalars(parameters: Sequence[Parameter]) -> list[str]:
    return [scalar for p in parameters for scalar in p.scalars]
