"""The oracle: the expected results of a compiled function, and the accepted rounding errors.

Expected values come from the NumPy reference on 50 digits; for a kernel without one, from its own Program
as first lowered, on 50 digits. The tolerance of a result is a small multiple of eps times the Program
evaluated on absolute values, which grows where the inputs cancel or a function is steep; with loops, a bound
of the errors that all turns add up to (`running_sizes`). Where results are not unique, the kernel's
invariants are compared instead, which are the same for every right answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from codegen.frontends.formula import typed_values
from codegen.frontends.references import reference_input
from codegen.ir.adjoints import adjoint_sizes
from codegen.ir.domain import Case
from codegen.ir.expression import as_expr
from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Arg, Evaluation, Program, evaluate, input_scalars, program_of
from codegen.ir.sizes import Pick, Sized, exact_input, running_sizes, sizes
from codegen.ir.systems import PI_60, NumberSystem, Precision, multiprecision
from codegen.ir.types import Array, flatten, is_angular
from codegen.modeling.kernel import Kernel
from codegen.proof.proof import reference_of, referred
from codegen.verify.hazards import UNDEFINED, first_undefined, followed, partial
from codegen.verify.undecided import is_changed_by_rounding

_DIGITS = 45
"""Significant digits that are correct in a reference on 50 digits."""


class Expected(NamedTuple):
    """The expected values on 50 digits, the largest accepted errors, and the status."""

    values: list[Any]
    tolerances: list[Any]
    status: int


class Reason(Enum):
    """Why a function has no expected result at some inputs."""

    PRECONDITION = "precondition"  # the function has no checks and must not be called there
    NO_VALUE = "no value"  # the mathematics has no value
    OVERFLOW = "overflow"  # an intermediate value leaves the range of the precision
    UNDERFLOW = "underflow"  # an intermediate value is too close to zero for the precision
    ROUNDING = "rounding"  # the rounding error has no bound
    CELL = "cell"  # rounding decides a cell, a whole part or a comparison, and the results differ
    STATUS = "status"  # rounding changes the status


class Unknown(NamedTuple):
    """There is no expected result; `node` is the node of the Program that is the cause, if it is a node."""

    reason: Reason
    node: int | None = None


@dataclass(frozen=True)
class Oracle:
    """Expected values and tolerances of one kernel at one precision."""

    kernel: Kernel
    precision: Precision
    checks: bool

    @property
    def system(self) -> NumberSystem:
        """Fifty digits, with the precision's limits."""
        return multiprecision(self.precision)

    @property
    def compared(self) -> tuple[Arg, ...]:
        """The arguments that are compared: the outputs, or the invariants."""
        program = invariants_program(self.kernel)
        return self.kernel.outputs if program is None else program.outputs

    def _sized(self, pick: Pick | None = None) -> NumberSystem:
        """The numbers with sizes in which the tolerance is computed."""
        return (sizes if self.kernel.loops() is None else running_sizes)(self.system, pick)

    def values(self, case: Case, results: Sequence[Any]) -> list[Any]:
        """The scalars that are compared, of some results for the inputs."""
        program = invariants_program(self.kernel)
        if program is None:
            return list(results)
        return evaluate(program, self.system, [*map(self.system.constant, case), *results]).results

    def expected(self, program: Program, exact: Case) -> Expected | Unknown:
        """The expected results of the kernel, printed as `program`, for inputs rounded to the precision.

        A rounded rotation is orthonormal only up to rounding; the effect of that on the results of the
        reference is accepted, too.
        """
        case = self.rounded(exact)
        numbers = self._sized()
        inputs = [exact_input(self.system.constant(x)) for x in case]
        sized = evaluate(program, partial(numbers), inputs)
        try:
            results, status = self._results(case)
            if status and not self.checks:
                return Unknown(Reason.PRECONDITION)
            values = self.values(case, results)
            spread = self._spread(exact, values, status)
        except (ZeroDivisionError, ValueError):
            return Unknown(Reason.NO_VALUE, first_undefined(program, sized.values))
        overflow = self._overflow(program, sized.values, status)
        if overflow is not None:
            return Unknown(Reason.OVERFLOW, overflow)
        if is_changed_by_rounding(program, case, status, sized.values, self.precision):
            return Unknown(Reason.STATUS)
        found = self._sizes(sized, case, results)
        if self.kernel.loops() is not None:
            found = self._forgetting(program, sized, found)
        if any(x is UNDEFINED for x in found):  # a guard is missing; the results are compared nevertheless
            found = [abs(x) for x in values]
        if self._too_large(found) and self.kernel.invariants is None:
            found = self._running(program, inputs, found)
        if self._too_large(found):
            return Unknown(Reason.ROUNDING)
        ends = self._either_way(program, case)
        found = [max([size, *(e.results[i].size for e in ends)]) for i, size in enumerate(found)]
        accepted = self._accepted(found, case)
        if ends and _jumps(ends[0], ends[1], accepted):
            return Unknown(Reason.CELL, _undecided(ends[0], ends[1]))
        return Expected(
            values, [a + self.kernel.tolerance * s for a, s in zip(accepted, spread, strict=True)], status
        )

    def _either_way(self, program: Program, case: Case) -> list[Evaluation]:
        """The Program where round-off decides the cells of look-ups in one way, and in the other."""
        if self.kernel.invariants is not None or not any(node.op in _LOCATING for node in program.nodes):
            return []
        inputs = [exact_input(self.system.constant(x)) for x in case]
        found = [evaluate(program, partial(self._sized(pick)), inputs) for pick in (min, max)]
        return [] if any(x is UNDEFINED for end in found for x in end.results) else found

    def rounded(self, exact: Case) -> Case:
        """The inputs rounded to the precision."""
        return [self.precision.rounded(x) for x in exact]

    def _spread(self, exact: Case, values: Sequence[Any], status: int) -> list[Any]:
        """The change of the results when rounding violates the constraint of an input."""
        none = [self.system.constant(Fraction(0))] * len(values)
        if not any(_constrained(a) for a in self.kernel.inputs):
            return none
        results, before = self._results(exact)
        return differences(self.compared, self.values(exact, results), values) if before == status else none

    def _results(self, case: Case) -> tuple[list[Any], int]:
        """The kernel's results and its status, whether the function checks it or not.

        ZeroDivisionError or ValueError where there are none.
        """
        if reference_of(self.kernel) is not None:
            return self._by_reference(case)
        evaluation, status = self._by_formula(case)
        if any(x is UNDEFINED for x in evaluation.results):
            raise ValueError("the formula has no value")
        return evaluation.results, status

    def _by_formula(self, case: Case) -> tuple[Evaluation, int]:
        """The formula's values, and its status. ValueError where that depends on what has no value."""
        inputs = [self.system.constant(x) for x in case]
        evaluation = evaluate(self.kernel.program(True), partial(self.system), inputs)
        if any(met is UNDEFINED for met, _ in evaluation.status):
            raise ValueError("the formula has no value")
        return evaluation, sum({flag for met, flag in evaluation.status if not met})

    def _by_reference(self, case: Case) -> tuple[list[Any], int]:
        """The results of the reference and its status.

        One that gives no status states the results where no flag is returned, as an equation does.
        """
        from codegen.library.shared.dense import Limits

        system = self.system
        full = self.kernel.all_inputs
        arguments = [
            reference_input(a, [system.constant(x) for x in values])
            for a, values in zip(full, self._complete(case), strict=True)
        ]
        limits = {}
        if self.kernel.program(True).status:
            limits = {"limits": Limits(*(system.named(n) for n in ("eps", "min", "max")))}
        scalars, status = referred(self.kernel, arguments, **limits)
        if status is None:
            evaluation, status = self._by_formula(case)
            if status and not any(x is UNDEFINED for x in evaluation.results):
                return evaluation.results, status
        return [system.lift(_python(x)) for x in scalars], status

    def _complete(self, case: Case) -> list[list[Fraction]]:
        """The inputs of the reference, argument by argument, bound ones included."""
        stream = iter(case)
        full = self.kernel.all_inputs
        return [
            list(self.kernel.bound[a.name])
            if a.name in self.kernel.bound
            else [next(stream) for _ in range(a.size)]
            for a in full
        ]

    def _overflow(self, program: Program, values: Sequence[Any], status: int) -> int | None:
        """The first intermediate node whose value is too large for the precision.

        Where a status is expected, its conditions are left out, because they may detect just such a value.
        """
        largest = self.system.named("max")
        conditions = {node for node, _ in program.status}
        roots, stops = (program.results, conditions) if status else (program.roots, frozenset[int]())
        for i in followed(program, values, roots, stops):
            if isinstance(values[i], Sized) and abs(values[i].value) > largest:
                return i
        return None

    def underflow(self, program: Program, case: Case) -> int | None:
        """The first intermediate node whose value is too close to zero for the precision to have all digits.

        Its operands are not, so that it is no remainder of the fifty digits.
        """
        inputs = [exact_input(self.system.constant(x)) for x in case]
        values = evaluate(program, partial(sizes(self.system)), inputs).values
        least = self.system.named("min")

        def is_normal(i: int) -> bool:
            return isinstance(values[i], Sized) and abs(values[i].value) >= least

        def underflows(i: int) -> bool:
            op, args, _ = program.nodes[i]
            is_small = isinstance(values[i], Sized) and 0 < abs(values[i].value) < least
            return is_small and op in _UNDERFLOWING and all(map(is_normal, args))

        return next(filter(underflows, followed(program, values, program.results)), None)

    def _sizes(self, sized: Evaluation, case: Case, results: Sequence[Any]) -> list[Any]:
        """The size of each scalar that is compared; `UNDEFINED` where its Program has no value."""
        compares, numbers = invariants_program(self.kernel), sizes(self.system)
        if compares is not None:
            inputs = [*map(numbers.constant, case), *(Sized(x, abs(x)) for x in results)]
            sized = evaluate(compares, partial(numbers), inputs)
        found = [x if x is UNDEFINED else x.size for x in sized.results]
        if compares is None or any(x is UNDEFINED for x in found):
            return found
        # one size for all components of an invariant, as these depend on the choice
        return [max(part) for part in parts(self.compared, found) for _ in part]

    def _too_large(self, found: Sequence[Any]) -> bool:
        """Whether a size leaves the range of the precision."""
        return any(size > self.system.named("max") for size in found)

    def _running(self, program: Program, inputs: Sequence[Any], found: list[Any]) -> list[Any]:
        """The sizes, or smaller ones of the running error, where products of sizes grow in a long formula."""
        results = evaluate(program, partial(running_sizes(self.system)), inputs).results
        return [size if x is UNDEFINED else min(size, x.size) for size, x in zip(found, results, strict=True)]

    def _forgetting(self, program: Program, sized: Evaluation, found: list[Any]) -> list[Any]:
        """The sizes, or smaller ones where the turns of a loop forget errors; those must be small to hold."""
        values = [x.value if isinstance(x, Sized) else x for x in sized.values]
        if self.kernel.invariants is not None or any(x is UNDEFINED for x in values):
            return found
        smaller = adjoint_sizes(program, self.system, values)
        if smaller is None:
            return found
        bounds = [self.system.constant(Fraction(x)) for x in smaller]
        largest = max((abs(values[r]) for r in program.results), default=0)
        if max(bounds, default=0) * self.system.named("eps") > largest / _SMALL:
            return found
        own = [abs(values[r]) + bound for r, bound in zip(program.results, bounds, strict=True)]
        return [min(pair) for pair in zip(found, own, strict=True)]

    def _accepted(self, found: Sequence[Any], case: Case) -> list[Any]:
        """The largest accepted error of each scalar that is compared, from its size."""
        inputs = [abs(self.system.constant(x)) for x in case]
        exact = max([*found, *inputs], default=0) / 10**_DIGITS
        return [self.kernel.tolerance * self.system.named("eps") * size + exact for size in found]


_SMALL = 1000
"""An error of the first order stands for the whole one if it is so many times smaller than the results."""

_UNDERFLOWING = (Op.MUL, Op.DIV, *LIBM)
"""The operations whose results may be much closer to zero than their operands."""

_LOCATING = (Op.CELL, Op.STEP, Op.FLOOR)


def _undecided(one: Evaluation, other: Evaluation) -> int | None:
    """The first node that round-off decides: a cell, a whole part or a comparison."""
    return next((i for i, (a, b) in enumerate(zip(one.values, other.values, strict=True)) if a != b), None)


def _jumps(one: Evaluation, other: Evaluation, accepted: Sequence[Any]) -> bool:
    """Whether two evaluations differ by more than the accepted errors, or in their status."""
    apart = (abs(a.value - b.value) for a, b in zip(one.results, other.results, strict=True))
    held = [[met for met, _ in end.status] for end in (one, other)]
    return held[0] != held[1] or any(x > e for x, e in zip(apart, accepted, strict=True))


def _constrained(argument: Arg) -> bool:
    """Whether an argument's numbers depend on each other, as those of a rotation do."""
    return isinstance(argument.type, type) and argument.type.constrained


@cache
def invariants_program(kernel: Kernel) -> Program | None:
    """A kernel's invariants as a Program of its inputs and results; None where results are compared."""
    if kernel.invariants is None:
        return None
    arguments = (*kernel.inputs, *kernel.outputs)
    stream = iter(input_scalars(arguments))
    known = {name: [as_expr(x) for x in values] for name, values in kernel.bound.items()}
    complete = (*kernel.all_inputs, *kernel.outputs)
    scalars = [s for a in complete for s in known.get(a.name) or [next(stream) for _ in range(a.size)]]
    values = [flatten(value) for value in kernel.invariants(*typed_values(complete, scalars))]
    compared = [
        Arg(f"invariant_{i}", Array((len(value),)), "mixed", "the same for every right answer")
        for i, value in enumerate(values)
    ]
    return program_of(arguments, compared, [as_expr(x) for value in values for x in value])


def parts(arguments: Sequence[Arg], scalars: Sequence[Any]) -> Iterator[list[Any]]:
    """The scalars, argument by argument."""
    stream = iter(scalars)
    for argument in arguments:
        yield [next(stream) for _ in range(argument.size)]


def _python(x: Any) -> Any:
    """NumPy's integers and floats as Python's."""
    return x.item() if hasattr(x, "item") else x


def differences(outputs: Sequence[Arg], expected: Sequence[Any], found: Sequence[Any]) -> list[Any]:
    """The error of each result; angles may differ by whole turns."""
    kinds = [a.type for a in outputs for _ in range(a.size)]
    return [
        _turned(f - e) if is_angular(kind) else abs(f - e)
        for kind, e, f in zip(kinds, expected, found, strict=True)
    ]


def _turned(difference: Any) -> Any:
    turn = 2 * (+difference.context.pi if hasattr(difference, "context") else PI_60)
    return min(abs(difference), abs(difference - turn), abs(difference + turn))
