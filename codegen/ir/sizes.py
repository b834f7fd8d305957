"""Condition-scaled error bounds: each value together with the formula evaluated on absolute values.

The round-off of a floating-point result is about eps times this size, as sizes are added and never
subtracted. A product or quotient that underflows has an error of eps times the smallest normal number, which
is therefore added to its size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from codegen.ir.arrays import Constants, Listed, Places, places
from codegen.ir.operations import LOOKUPS, Op
from codegen.ir.systems import NumberSystem


class Sized(NamedTuple):
    """A value and its size, the condition-scaled magnitude of its operands; an input is exact."""

    value: Any
    size: Any
    is_exact: bool = False


def exact_input(value: Any) -> Sized:
    """An input, which has no round-off."""
    return Sized(value, abs(value), True)


Pick: TypeAlias = Callable[[Iterable[int]], int]


@cache
def sizes(system: NumberSystem, pick: Pick | None = None) -> NumberSystem:
    """The sized numbers over a number system; the size of a constant or an input is its absolute value.

    Where round-off decides the cell of a look-up or a comparison, `pick` chooses it, by default exactly.
    """
    return _sized(system, _Rules(system, pick))


@cache
def running_sizes(system: NumberSystem, pick: Pick | None = None) -> NumberSystem:
    """Sized numbers for long computations: the error of each factor is multiplied by the other's value.

    `sizes` multiplies it by the other's size, which is simpler, but grows as a power of a power from turn to
    turn of a loop.
    """
    return _sized(system, _RunningRules(system, pick))


@cache
def column_sizes(system: NumberSystem) -> NumberSystem:
    """The sized numbers over columns of NumPy; they have no look-ups."""
    table = {op: f for op, f in _table(_ColumnRules(system, None)).items() if op not in LOOKUPS}
    return replace(_sized(system, _ColumnRules(system, None)), table=table)


def _sized(system: NumberSystem, rules: _Rules) -> NumberSystem:
    def leaf(value: Any) -> Sized:
        return Sized(value, abs(value))

    return NumberSystem(
        f"sized {system.name}",
        _table(rules),
        lambda number: leaf(system.constant(number)),
        lambda name: leaf(system.named(name)),
    )


class _Rules:
    """The propagation of sizes, by the first-order error of each operation."""

    def __init__(self, system: NumberSystem, pick: Pick | None) -> None:
        self.exact, self.pick = system.table, pick
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
        """The size of a function's value: any error of its argument is multiplied by its slope."""

        def apply(a: Sized) -> Sized:
            value = self.exact[op](a.value)
            moved = 0 if a.is_exact else abs(slope(a.value)) * a.size
            return Sized(value, abs(value) + moved)

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

    def choose(self, condition: Any, a: Sized, b: Sized) -> Sized:
        return a if condition else b

    def smaller(self, a: Sized, b: Sized) -> Sized:
        return self.choose(a.value < b.value, a, b)

    def larger(self, a: Sized, b: Sized) -> Sized:
        return self.choose(a.value < b.value, b, a)

    def cell(self, array: Constants, x: Sized) -> Places:
        """The cell of a number, and those within its round-off."""
        return self.between(*(self.exact[Op.CELL](array, v) for v in self.around(x)))

    def step(self, x: Sized, last: int) -> Places:
        """The whole part of a number, and those within its round-off."""
        return self.between(*(self.exact[Op.STEP](v, last) for v in self.around(x)))

    def between(self, low: int, exact: int, high: int) -> Places:
        possible = frozenset(range(low, high + 1))
        return Places(self.pick(possible) if self.pick else exact, possible)

    def around(self, x: Sized) -> tuple[Any, Any, Any]:
        """The ends of a number's round-off, and the number between."""
        slack = 0 if x.is_exact else LEEWAY * self.eps * x.size
        return x.value - slack, x.value, x.value + slack

    def floor(self, x: Sized) -> Sized:
        """The largest whole number below, and the size of those within the round-off."""
        low, exact, high = (self.exact[Op.FLOOR](v) for v in self.around(x))
        value = (low, high)[self.pick((0, 1))] if self.pick else exact
        return Sized(value, max(abs(low), abs(high)))

    def flat(self, i: Places | int, stride: int, j: Places | int) -> Places:
        rows, columns = places(i), places(j)
        possible = frozenset(a * stride + b for a in rows.possible for b in columns.possible)
        return Places(rows.place * stride + columns.place, possible)

    def entry(self, array: Constants | Listed, i: Places | int, offset: int) -> Sized:
        """An entry, with the size of the largest one that round-off may choose."""
        if isinstance(array, Listed):
            chosen, *others = (array.values[k + offset] for k in (places(i).place, *places(i).possible))
            return Sized(chosen.value, max(x.size for x in others), chosen.is_exact)
        value, *others = (
            self.exact[Op.ENTRY](array, k, offset) for k in (places(i).place, *places(i).possible)
        )
        return Sized(value, max(map(abs, others)))

    def real(self, i: Places | int) -> Sized:
        value, size = (self.exact[Op.REAL](k) for k in (places(i).place, max(places(i).possible)))
        return Sized(value, size)

    def compare(self, op: Op) -> Callable[[Sized, Sized], Any]:
        def compared(a: Sized, b: Sized) -> Any:
            if self.pick and abs(a.value - b.value) <= LEEWAY * self.eps * (a.size + b.size):
                return bool(self.pick((0, 1)))
            return self.exact[op](a.value, b.value)

        return compared


class _RunningRules(_Rules):
    """The propagation of sizes that are bounds of the error in units of eps, and at least the value.

    Each operation adds its own round-off, so that they are bounds after any number of operations.
    """

    def sum(self, op: Op) -> Callable[[Sized, Sized], Sized]:
        def added(a: Sized, b: Sized) -> Sized:
            value = self.exact[op](a.value, b.value)
            return Sized(value, a.size + b.size + abs(value) / 2)

        return added

    def product(self, a: Sized, b: Sized) -> Sized:
        first = abs(a.value) * b.size + a.size * abs(b.value)
        return Sized(a.value * b.value, first + self.eps * a.size * b.size + self.tiny)

    def quotient(self, a: Sized, b: Sized) -> Sized:
        below = abs(b.value)
        left = below - self.eps * b.size
        if left <= 0:
            return Sized(a.value / b.value, 1 / (self.tiny * self.tiny))
        size = (a.size * below + abs(a.value) * b.size) / (below * left)
        return Sized(a.value / b.value, size + self.tiny)


class _ColumnRules(_Rules):
    """The propagation of sizes in columns, where each number takes its own branch."""

    def choose(self, condition: Any, a: Sized, b: Sized) -> Sized:
        import numpy as np

        return Sized(np.where(condition, a.value, b.value), np.where(condition, a.size, b.size))

    def root(self, a: Sized) -> Sized:
        import numpy as np

        value, own = self.exact[Op.SQRT](a.value), self.exact[Op.SQRT](a.size)
        return Sized(value, np.where(value > 0, a.size / np.where(value > 0, value, 1), own))

    def arc_slope(self, x: Any) -> Any:
        import numpy as np

        return 1 / self.exact[Op.SQRT](np.fmax(abs(1 - x * x), self.eps**2))

    def angle(self, y: Sized, x: Sized) -> Sized:
        import numpy as np

        value, square = self.exact[Op.ATAN2](y.value, x.value), x.value**2 + y.value**2
        spread = (abs(x.value) * y.size + abs(y.value) * x.size) / np.where(square > 0, square, 1)
        return Sized(value, abs(value) + np.where(square > 0, spread, 0))

    def floor(self, x: Sized) -> Sized:
        import numpy as np

        low, exact, high = (self.exact[Op.FLOOR](v) for v in self.around(x))
        return Sized(exact, np.fmax(abs(low), abs(high)))


LEEWAY = 4
"""Units of eps times the size of a number, by which round-off may move it into another cell."""


def _table(rules: _Rules) -> Mapping[Op, Callable[..., Any]]:
    exact = rules.exact
    return {
        **{op: exact[op] for op in (Op.AND, Op.OR, Op.NOT)},
        **{op: rules.compare(op) for op in (Op.LT, Op.LE)},
        **{op: rules.sum(op) for op in (Op.ADD, Op.SUB)},
        Op.MUL: rules.product,
        Op.DIV: rules.quotient,
        Op.NEG: lambda a: Sized(-a.value, a.size, a.is_exact),
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
        Op.SINH: rules.function(Op.SINH, exact[Op.COSH]),
        Op.COSH: rules.function(Op.COSH, exact[Op.SINH]),
        Op.TANH: rules.function(Op.TANH, lambda x: 1 - exact[Op.TANH](x) ** 2),
        Op.LOG1P: rules.function(Op.LOG1P, lambda x: 1 / (1 + x)),
        Op.EXPM1: rules.function(Op.EXPM1, exact[Op.EXP]),
        Op.FLOOR: rules.floor,
        Op.MIN: rules.smaller,
        Op.MAX: rules.larger,
        Op.SELECT: rules.choose,
        Op.CELL: rules.cell,
        Op.STEP: rules.step,
        Op.FLAT: rules.flat,
        Op.LIST: Listed,
        Op.ENTRY: rules.entry,
        Op.REAL: rules.real,
    }
