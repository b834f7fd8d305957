"""The oracle: what a compiled function ought to return, and how far off rounding may take it.

Expected values come from the NumPy reference on 50 digits; for a kernel without one, from its own Program
as first lowered, on 50 digits. The tolerance of a result is a small multiple of eps times the Program
evaluated on absolute values, which grows where the inputs cancel or a function is steep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from codegen.algebra import Angles
from codegen.describe import Kernel
from codegen.domain import Case
from codegen.program import Arg, Program, evaluate
from codegen.proof import reference_of
from codegen.sizes import Sized, sizes
from codegen.systems import PI_60, NumberSystem, Precision, multiprecision


class Expected(NamedTuple):
    """Results on 50 digits, and the status."""

    results: list[Any]
    status: int


@dataclass(frozen=True)
class Oracle:
    """Expected values and tolerances of one kernel at one precision."""

    kernel: Kernel
    precision: Precision
    checks: bool

    def expected(self, case: Case) -> Expected | None:
        """What the kernel returns for the inputs; None where the mathematics has no value."""
        reference = reference_of(self.kernel)
        try:
            if reference is None:
                return self._by_program(case)
            return self._by_reference(reference, case)
        except (ZeroDivisionError, ValueError):
            return None

    @property
    def system(self) -> NumberSystem:
        """Fifty digits, with the precision's limits."""
        return multiprecision(self.precision)

    def _by_program(self, case: Case) -> Expected:
        program = self.kernel.program(self.checks)
        evaluation = evaluate(program, self.system, [self.system.constant(x) for x in case])
        failed = {flag for met, flag in evaluation.status if not met}
        return Expected(evaluation.results, sum(failed))

    def _by_reference(self, reference: Callable[..., Any], case: Case) -> Expected:
        import numpy as np

        from codegen.reference.dense import Limits

        system = self.system
        arguments = []
        for values in self._complete(case):
            numbers = [system.constant(x) for x in values]
            arguments.append(numbers[0] if len(numbers) == 1 else np.array(numbers, dtype=object))
        limits = {}
        if self.checks and self.kernel.program(True).status:
            limits = {"limits": Limits(*(system.named(n) for n in ("eps", "min", "max")))}
        outputs, status = reference(*arguments, **limits)
        return Expected([system.lift(_python(x)) for out in outputs for x in out], int(status))

    def _complete(self, case: Case) -> list[list[Fraction]]:
        """The inputs of the reference, argument by argument, bound ones included."""
        stream = iter(case)
        full = self.kernel.signature or self.kernel.inputs
        return [
            list(self.kernel.bound[a.name])
            if a.name in self.kernel.bound
            else [next(stream) for _ in range(a.size)]
            for a in full
        ]

    def tolerances(self, program: Program, case: Case) -> list[Any] | None:
        """The largest accepted error of each result; None where a value leaves the precision's range."""
        eps, largest = (self.system.named(n) for n in ("eps", "max"))
        system = sizes(self.system)
        sized = evaluate(program, system, [system.constant(x) for x in case])
        if any(isinstance(x, Sized) and x.size > largest for x in sized.values):
            return None
        return [self.kernel.tolerance * eps * result.size for result in sized.results]


def _python(x: Any) -> Any:
    """NumPy's integers and floats as Python's."""
    return x.item() if hasattr(x, "item") else x


def differences(outputs: Sequence[Arg], expected: Sequence[Any], found: Sequence[Any]) -> list[Any]:
    """The error of each result; angles may differ by whole turns."""
    kinds = [a.type for a in outputs for _ in range(a.size)]
    return [
        _turned(f - e) if kind is Angles else abs(f - e)
        for kind, e, f in zip(kinds, expected, found, strict=True)
    ]


def _turned(difference: Any) -> Any:
    turn = 2 * (+difference.context.pi if hasattr(difference, "context") else PI_60)
    return min(abs(difference), abs(difference - turn), abs(difference + turn))
