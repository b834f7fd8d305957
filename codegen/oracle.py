"""The oracle: what a compiled function ought to return, and how far off rounding may take it.

Expected values come from the NumPy reference on 50 digits; for a kernel without one, from its own Program
as first lowered, on 50 digits. The tolerance of a result is a small multiple of eps times the Program
evaluated on absolute values, which grows where the inputs cancel or a function is steep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from codegen.algebra import Angles
from codegen.describe import Kernel
from codegen.domain import Case
from codegen.operations import Op
from codegen.program import Arg, Program, evaluate
from codegen.proof import reference_of
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
        sized = evaluate(program, _sized(self.system), [_leaf(self.system.constant(x)) for x in case])
        if any(isinstance(x, Sized) and x.size > largest for x in sized.values):
            return None
        return [self.kernel.tolerance * eps * result.size for result in sized.results]


def _python(x: Any) -> Any:
    """NumPy's integers and floats as Python's."""
    return x.item() if hasattr(x, "item") else x


class Sized(NamedTuple):
    """A value and the size of what it was computed from."""

    value: Any
    size: Any


def _leaf(value: Any) -> Sized:
    return Sized(value, abs(value))


@cache
def _sized(system: NumberSystem) -> NumberSystem:
    """Pairs of a value and its size: the Program on absolute values, sums of sizes, never differences.

    An error of about eps times the size is to be expected. A product or quotient that underflows is off by
    eps times the smallest normal number, which is therefore part of its size.
    """
    exact, tiny = system.table, system.named("min")

    def add(op: Op) -> Callable[..., Sized]:
        return lambda a, b: Sized(exact[op](a.value, b.value), a.size + b.size)

    def divide(a: Sized, b: Sized) -> Sized:
        below = abs(b.value)
        return Sized(a.value / b.value, a.size / below * (b.size / below) + tiny)

    def root(a: Sized) -> Sized:
        value = exact[Op.SQRT](a.value)
        return Sized(value, a.size / value if value else exact[Op.SQRT](a.size))

    def steep(op: Op, slope: Callable[[Any], Any]) -> Callable[..., Sized]:
        def apply(a: Sized) -> Sized:
            value = exact[op](a.value)
            return Sized(value, abs(value) + abs(slope(a.value)) * a.size)

        return apply

    def arc_cosine_slope(x: Any) -> Any:
        return 1 / exact[Op.SQRT](abs(1 - x * x)) if x * x != 1 else 1 / system.named("eps")

    def angle(y: Sized, x: Sized) -> Sized:
        value, square = exact[Op.ATAN2](y.value, x.value), x.value**2 + y.value**2
        if not square:
            return Sized(value, abs(value))
        spread = (abs(x.value) * y.size + abs(y.value) * x.size) / square
        return Sized(value, abs(value) + spread)

    def compare(op: Op) -> Callable[..., Any]:
        return lambda a, b: exact[op](a.value, b.value)

    table: Mapping[Op, Callable[..., Any]] = {
        **{op: exact[op] for op in (Op.AND, Op.OR, Op.NOT)},
        **{op: compare(op) for op in (Op.LT, Op.LE)},
        **{op: add(op) for op in (Op.ADD, Op.SUB)},
        Op.MUL: lambda a, b: Sized(a.value * b.value, a.size * b.size + tiny),
        Op.DIV: divide,
        Op.NEG: lambda a: Sized(-a.value, a.size),
        Op.ABS: lambda a: Sized(abs(a.value), a.size),
        Op.SQRT: root,
        Op.SIN: steep(Op.SIN, exact[Op.COS]),
        Op.COS: steep(Op.COS, exact[Op.SIN]),
        Op.TAN: steep(Op.TAN, lambda x: 1 + exact[Op.TAN](x) ** 2),
        Op.ASIN: steep(Op.ASIN, arc_cosine_slope),
        Op.ACOS: steep(Op.ACOS, arc_cosine_slope),
        Op.ATAN2: angle,
        Op.EXP: steep(Op.EXP, exact[Op.EXP]),
        Op.LOG: steep(Op.LOG, lambda x: 1 / x),
        Op.MIN: lambda a, b: a if a.value < b.value else b,
        Op.MAX: lambda a, b: b if a.value < b.value else a,
        Op.SELECT: lambda condition, a, b: a if condition else b,
    }
    return NumberSystem(
        f"sized {system.name}",
        table,
        lambda exact_value: _leaf(system.constant(exact_value)),
        lambda name: _leaf(system.named(name)),
    )


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
