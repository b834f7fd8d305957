"""Kernel: a named, typed and documented mathematical function that becomes a C function.

`codegen.frontends.define` makes kernels from formulas, SymPy and CasADi.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from codegen.characters import visible
from codegen.displayed import Displayed
from codegen.errors import FeatherError, FormulaError, naming
from codegen.ir.composite import Composite
from codegen.ir.constants import check_constants
from codegen.ir.expression import Expr
from codegen.ir.loops import Looped
from codegen.ir.program import Arg, Program
from codegen.ir.types import Array, Scalar, Value, flatten, is_integer, value_of
from codegen.misuse import explained
from codegen.modeling.calls import computed
from codegen.modeling.failures import Failures
from codegen.modeling.limits import Limits
from codegen.modeling.names import check_length, check_name, check_spelling
from codegen.modeling.quantities.called_frames import called_frames, without_frames
from codegen.modeling.quantities.called_units import called_units
from codegen.modeling.quantities.units import scalar_units
from codegen.modeling.steps import Form, Step
from codegen.modeling.types.scalar import holding, requiring_for
from codegen.notation.families import Setting


@dataclass(frozen=True)
class OnNumbers:
    """A reference that compares and counts its arguments, as only numbers allow.

    The oracle calls it; a proof, whose numbers have no order, does not.
    """

    reference: Callable[..., Any]

    def __call__(self, *arguments: Any, **limits: Any) -> Any:
        """The outputs and the status."""
        return self.reference(*arguments, **limits)


@dataclass(frozen=True, eq=False)
class Call:
    """A call of a kernel by the formula of another one."""

    kernel: Kernel


OfScalars: TypeAlias = Callable[[Sequence[Scalar]], Sequence[Scalar]]
"""The scalars of results from those of arguments."""


@dataclass(frozen=True)
class Rates:
    """What the equation of a step with an integrator states: the rates of its states, and its outputs.

    `advanced` gives the results of the step from those of `outputs`, and from the arguments of the step.
    """

    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    advanced: Callable[[OfScalars, Sequence[Scalar]], list[Scalar]]


@dataclass(frozen=True)
class BlockPart:
    """What a kernel is to a block: its init, step or reset.

    A step has the scalars of the initial state, and the rates that an integrator advances.
    """

    name: str
    role: str
    start: tuple[Fraction, ...] = ()
    rates: Rates | None = None


@explained
@dataclass(frozen=True, eq=False)
class Kernel(Displayed):
    """A kernel: its arguments, equation, source, preconditions and status flags.

    `lower` returns its Program, with or without checks. `failures` states for each status flag when it is
    returned and what the results then are. `tolerance` is the accepted error in units of eps times the
    condition-scaled bound. `definition` and `reference` are the independent textbook forms, if any, over
    flattened arguments; those of a library kernel are found by its name. `invariants` is for results that are
    not unique, such as the sign of an axis: a function of the inputs and then the results, over the project's
    types, whose values are the same for every right answer. They are compared in place of the results, each
    relative to its largest component. `constants` are lists of integers, by name, for the header.
    `naming` returns the Program of the formula, or of the one that was differentiated, in which each value
    has the name of its local variable. `indices` are named places in arrays, such as a joint's in the
    positions of a robot, which the header of the module defines once; those of derivatives begin with the
    name of their kernel. `limits` are the least and largest allowed numbers of arrays, such as the positions
    of a robot, by name, which the header of the module defines once, too. `robot` describes the robot whose
    kernel it is, as JSON for the manifest. `block` says which function of a block with states it is.
    `looped` returns the form with loops in which its C is to be, with or without checks, if it has any: the
    Program of its C is that form unrolled. `naming_loops` returns the same with the names of local variables.
    `setting` is what its equation is about besides the arguments, such as the bodies of a robot. `steps` are
    those of its derivation that a model has from its structure, shown if they give the results.
    """

    name: str
    module: str
    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    title: str
    equation: str
    source: str
    lower: Callable[[bool], Program] = field(repr=False)
    details: str = ""
    requires: str = ""
    failures: Failures = field(default_factory=dict)
    tolerance: int = 4
    formula: Callable[..., Any] | None = None
    naming: Callable[[], Program] | None = field(default=None, repr=False)
    definition: Form | None = None
    reference: Callable[..., Any] | None = None
    invariants: Callable[..., Any] | None = None
    bound: Mapping[str, tuple[Fraction, ...]] = field(default_factory=dict)
    signature: tuple[Arg, ...] = ()  # all inputs, where some are bound
    constants: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    indices: Mapping[str, int] = field(default_factory=dict)
    limits: Mapping[str, Limits] = field(default_factory=dict)
    robot: Mapping[str, Any] | None = field(default=None, repr=False)
    block: BlockPart | None = None
    looped: Callable[[bool], Looped | None] | None = field(default=None, repr=False)
    naming_loops: Callable[[bool], Looped | None] | None = field(default=None, repr=False)
    setting: Setting | None = field(default=None, repr=False)
    steps: tuple[Step, ...] = ()
    as_written: bool = False  # its sums keep their form, because the method depends on how they round
    vehicle: str = ""  # the vehicle whose values are bound; the name ends with it
    notes: tuple[str, ...] = ()  # what its author is told when its C is generated
    of: Kernel | None = None  # the kernel whose derivatives or non-zeros it returns

    def __post_init__(self) -> None:
        check_spelling(self.name, "kernel")
        with naming(f"kernel {self.name}"):
            self._check_texts()
            for a in (*self.inputs, *self.outputs):
                if not isinstance(a, Arg):
                    raise FeatherError(f"{a!r} is not an Arg(name, type, unit, doc)")
                scalar_units(a)
            for a in self.inputs:
                if a.optional:
                    raise FeatherError(f"input {a.name} is optional, as only outputs can be: remove it")
                if is_integer(a.type):
                    raise FeatherError(f"input {a.name} is an int, as only outputs can be: make it real")
        names = [a.name for a in (*self.inputs, *self.outputs)]
        for name in names:
            check_name(name, f"argument of kernel {self.name}")
            if names.count(name) > 1:
                raise FeatherError(f"kernel {self.name} has two arguments called {name}")
        if not self.outputs and not self.failures:
            raise FeatherError(f"kernel {self.name} has no outputs and returns no status")
        self._check_ranges()

    def _check_ranges(self) -> None:
        for a in self.outputs:
            if a.range is not None:
                raise FeatherError(f"kernel {self.name}: {a.name} is a result and takes no range: remove it")
        for a in self.inputs:
            try:
                _ = a.ends
            except FeatherError as error:
                raise FeatherError(f"kernel {self.name}: {error}") from None

    def _check_texts(self) -> None:
        """Make all of the kernel's documentation visible.

        FeatherError unless it is text, and its tolerance a whole number.
        """
        for what in ("title", "details", "equation", "source", "requires"):
            text = getattr(self, what)
            if not isinstance(text, str):
                raise FeatherError(f"its {what} is {text!r}, but must be a string")
            object.__setattr__(self, what, visible(text))
        if type(self.tolerance) is not int or self.tolerance < 1:
            raise FeatherError(f"its tolerance is {self.tolerance!r}, but must be a whole number from 1")

    def __call__(self, *values: Any) -> Any:
        """Evaluate the kernel on values of the project's types, as a part of another formula.

        A kernel with bound values takes those of its open inputs, or, if it has a formula, of all inputs of
        its signature. The matrices of a kernel of derivatives are matrices.
        """
        arguments = self.inputs if self.formula is None else self.all_inputs
        if self.formula is not None and self.bound and len(values) == len(self.inputs):
            values = self._completed(values)
        if len(values) != len(arguments):
            names = ", ".join(a.name for a in arguments)
            raise FeatherError(f"kernel {self.name} is called with {len(values)} values, but takes {names}")
        received = [self._received(a, value) for a, value in zip(arguments, values, strict=True)]
        units = called_units(self.name, arguments, received)
        frames = called_frames(self.name, arguments, received, self._is_of_library)
        bare = without_frames(arguments, received)
        with calling(self), requiring_for(Call(self)), units.explaining():
            if self.formula is not None:
                found = units.of_results(self.outputs, self.formula(*bare))
            else:
                with naming(f"kernel {self.name}"):
                    found = computed(self.program, bare, self.of is not None)
        return frames.of_results(self.outputs, found)

    @property
    def _is_of_library(self) -> bool:
        return getattr(self.formula, "__module__", "").startswith("codegen.library.")

    def _received(self, argument: Arg, value: Any) -> Any:
        """A value that the kernel is called with, as its formula takes it; FeatherError where it does not."""
        if not _fits(argument, value):
            kind = argument.type.__name__ if isinstance(argument.type, type) else "number or array"
            own = value.kind if isinstance(value, Composite) else type(value).__name__
            what = "number" if isinstance(value, Expr) else own
            raise FeatherError(
                f"kernel {self.name} is called with a {what} for {argument.name}, which is a {kind}"
            )
        with naming(argument.name):
            return argument.type.received(value) if isinstance(argument.type, Array) else value

    def _completed(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """The values of all inputs, those of the open ones given; bound ones may have any unit."""
        given = iter(values)
        unit = next((x for value in values for x in flatten(value) if hasattr(x, "without_unit")), None)

        def known(x: Fraction) -> Any:
            return x if unit is None else unit.number_system().constant(x).without_unit()

        return tuple(
            value_of(a.type, [known(x) for x in self.bound[a.name]]) if a.name in self.bound else next(given)
            for a in self.signature
        )

    @property
    def place(self) -> str:
        """The file and line of the formula of a model, `mine.py:12`; empty for any other kernel."""
        code = None if self._is_of_library else getattr(self.formula, "__code__", None)
        return f"{code.co_filename}:{code.co_firstlineno}" if code else ""

    @property
    def all_inputs(self) -> tuple[Arg, ...]:
        """All inputs of the signature, those that are bound included."""
        return self.signature or self.inputs

    @property
    def base_name(self) -> str:
        """The name without that of the vehicle."""
        return self.name.removesuffix(f"_{self.vehicle}") if self.vehicle else self.name

    def program(self, checks: bool = True) -> Program:
        """The Program of the formula or engine, before any pass; FeatherError names the kernel.

        A name that is too long is an error of this kernel only here, where it is needed.
        """
        with naming(f"kernel {self.name}"):
            check_length(self.name, "kernel")
            return _lowered(self.lower, checks)

    def loops(self, checks: bool = True) -> Looped | None:
        """The form with loops of the C of this kernel, before any pass; None where it has no loop."""
        with naming(f"kernel {self.name}"):
            return None if self.looped is None else _form_with_loops(self.looped, checks)


_called: ContextVar[tuple[Kernel, ...]] = ContextVar("called", default=())


def check_kernel(given: object, what: str) -> None:
    """FeatherError where a function without @kernel stands for a kernel."""
    if callable(given) and not isinstance(given, Kernel):
        name = getattr(given, "__name__", None) or f"this {type(given).__name__}"
        remedy = "write @kernel(inputs=..., outputs=...) before it"
        raise FeatherError(f"{what} is of a kernel, but {name} is none: {remedy}")


@contextmanager
def calling(kernel: Kernel) -> Iterator[None]:
    """FeatherError where a kernel calls itself, or one that calls it, inside."""
    if any(k is kernel for k in _called.get()):
        raise FormulaError(
            f"kernel {kernel.name} calls itself, without end: a formula has no recursion; write the "
            "repetition as a loop of Python, for k in range(3)"
        )
    with holding(_called, (*_called.get(), kernel)):
        yield


def _fits(argument: Arg, value: Any) -> bool:
    """Whether a value has the structure of an argument's type."""
    if isinstance(argument.type, type):
        return isinstance(value, Value) and value.c_name == argument.type.c_name
    return not isinstance(value, Value) or (isinstance(argument.type, Array) and argument.type.algebraic)


@cache
def _form_with_loops(looped: Callable[[bool], Looped | None], checks: bool) -> Looped | None:
    return looped(checks)


@cache
def _lowered(lower: Callable[[bool], Program], checks: bool) -> Program:
    program = lower(checks)
    check_constants(program)
    return program
