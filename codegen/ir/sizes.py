"""Condition-scaled error bounds: each value together with the formula evaluated on absolute values.

The round-off of a floating-point result is about eps times this size, as sizes are added and never
subtracted. A product or quotient that underflows has an error of eps times the smallest normal number, which
is therefore added to its size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from codegen.ir.operations import Op
from codegen.ir.systems import NumberSystem


class Sized(NamedTuple):
    """A value and its size, the condition-scaled magnitude of its operands."""

    value: Any
    size: Any


@cache
def sizes(system: NumberSystem) -> NumberSystem:
    """The sized numbers over a number system; the size of a constant or an input is its absolute value."""

    def leaf(value: Any) -> Sized:
        return Sized(value, abs(value))

    return NumberSystem(
        f"sized {system.name}",
        _table(_Rules(system)),
        lambda number: leaf(system.constant(number)),
        lambda name: leaf(system.named(name)),
    )


class _Rules:
    """The propagation of sizes, by the first-order error of each operation."""

    def __init__(self, system: NumberSystem) -> None:
        self.exact = system.table
        self.tiny, self.eps = system.named("min"), system.named("eps")

    def sum(self, op: Op) -> Callable[[Sized, Sized], Sized]:
        return lambda a, b: Sized(self.exact[op](a.value, b.value), a.size + b.size)

    def product(self, a: Sized, b: Sized) -> Sized:
        return Sized(a.value * b.value, a.size * b.size + self.tiny)

    def quotient(self, a: Sized, b: Sized) -> Sized:
        below = abs(b.value)
        return Sized(a.value / b.value, a.size / below * (b.size / below) + self.tiny)

    def root(self, a: Sized) -> Sized:
        value = self.exact[Op.SQRT](a.value)
        return Sized(value, a.size / value if value else self.exact[Op.SQRT](a.size))

    def function(self, op: Op, slope: Callable[[Any], Any]) -> Callable[[Sized], Sized]:
        """The size of a function's value: an error of its argument is multiplied by its slope."""

        def apply(a: Sized) -> Sized:
            value = self.exact[op](a.value)
            return Sized(value, abs(value) + abs(slope(a.value)) * a.size)

        return apply

    def arc_slope(self, x: Any) -> Any:
        """The slope of asin and acos; at the ends of their domain, that of a neighbour."""
        return 1 / self.exact[Op.SQRT](abs(1 - x * x) or self.eps**2)

    def angle(self, y: Sized, x: Sized) -> Sized:
        value, square = self.exact[Op.ATAN2](y.value, x.value), x.value**2 + y.value**2
        if not square:
            return Sized(value, abs(value))
        spread = (abs(x.value) * y.size + abs(y.value) * x.size) / square
        return Sized(value, abs(value) + spread)

    def compare(self, op: Op) -> Callable[[Sized, Sized], Any]:
        return lambda a, b: self.exact[op](a.value, b.value)


def _table(rules: _Rules) -> Mapping[Op, Callable[..., Any]]:
    exact = rules.exact
    return {
        **{op: exact[op] for op in (Op.AND, Op.OR, Op.NOT)},
        **{op: rules.compare(op) for op in (Op.LT, Op.LE)},
        **{op: rules.sum(op) for op in (Op.ADD, Op.SUB)},
        Op.MUL: rules.product,
        Op.DIV: rules.quotient,
        Op.NEG: lambda a: Sized(-a.value, a.size),
        Op.ABS: lambda a: Sized(abs(a.value), a.size),
        Op.SQRT: rules.root,
        Op.SIN: rules.function(Op.SIN, exact[Op.COS]),
        Op.COS: rules.function(Op.COS, exact[Op.SIN]),
        Op.TAN: rules.function(Op.TAN, lambda x: 1 + exact[Op.TAN](x) ** 2),
        Op.ASIN: rules.function(Op.ASIN, rules.arc_slope),
        Op.ACOS: rules.function(Op.ACOS, rules.arc_slope),
        Op.ATAN2: rules.angle,
        Op.EXP: rules.function(Op.EXP, exact[Op.EXP]),
        Op.LOG: rules.function(Op.LOG, lambda x: 1 / x),
        Op.MIN: lambda a, b: a if a.value < b.value else b,
        Op.MAX: lambda a, b: b if a.value < b.value else a,
        Op.SELECT: lambda condition, a, b: a if condition else b,
    }
