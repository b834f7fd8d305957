"""Loops of formulas: `repeat`, `for_each` and `collect`, which become loops in C.

A loop's function is a formula like any other. While a formula is recorded for C, it is run once, on symbols
of the values that a turn is given; on numbers, and wherever else a formula is evaluated, it is run in every
turn. So what is proven of the loop is proven of the formula turn by turn. A loop in a loop is written out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from codegen.errors import FormulaError
from codegen.ir.composite import Composite, kind
from codegen.ir.expression import Expr, as_expr
from codegen.ir.numpy_operands import is_array, python_number
from codegen.ir.operations import Op
from codegen.ir.types import Elements, flatten
from codegen.modeling.names import fits

MOST_TURNS = 10_000
"""Limit on the turns of a loop."""


@dataclass(frozen=True)
class Held:
    """The symbols of numbers that an array holds; `name` is what the formula calls them."""

    name: str
    scalars: tuple[Expr, ...]


@dataclass(frozen=True)
class Turns:
    """A loop that was recorded: the scalars of each of its values before it, in a turn, and after a turn.

    `after` holds them after the loop. `items` has a row of scalars for each turn, and `item` stands for one,
    of which the scalars number `varying` differ from turn to turn. `found` is what a turn adds to a list,
    which is `collected` after the loop.
    """

    count: int
    before: list[list[Expr]]
    during: list[Held]
    next: list[list[Expr]]
    after: list[Held]
    items: list[list[Expr]]
    item: Held
    varying: list[int]
    found: list[Expr]
    collected: Held


@dataclass
class Recorder:
    """The loops of a formula that is recorded, in their order; `first` is the number of the next symbol."""

    first: int
    loops: list[Turns] = field(default_factory=list)

    def held(self, name: str, count: int) -> Held:
        """New symbols."""
        symbols = tuple(Expr(Op.INPUT, (), self.first + k) for k in range(count))
        self.first += count
        return Held(name, symbols)

    def item(self, name: str, rows: Sequence[Sequence[Expr]]) -> tuple[Held, list[int]]:
        """Symbols of an item, for the scalars that are not the same in all rows, and the numbers of these."""
        columns = [*zip(*rows, strict=True)]
        varying = [j for j, column in enumerate(columns) if not all(_same(column[0], x) for x in column)]
        symbols = dict(zip(varying, self.held(name, len(varying)).scalars, strict=True))
        return Held(name, tuple(symbols.get(j, column[0]) for j, column in enumerate(columns))), varying


def _same(a: Expr, b: Expr) -> bool:
    """Whether two expressions are one, or the same constant."""
    return a is b or (a.op is b.op is Op.CONSTANT and a.value == b.value)


_recorder: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


@contextmanager
def recording(recorder: Recorder | None) -> Iterator[None]:
    """Record the loops of formulas run inside; with None, they are written out."""
    token = _recorder.set(recorder)
    try:
        yield
    finally:
        _recorder.reset(token)


def repeat(n: int, step: Callable[..., Any], *values: Any) -> Any:
    """The values after n turns of `step`, which gives the next values: a loop in C.

    `step` takes as many values as are given here, and returns as many, of the same types; with one value, the
    value itself. The number of turns is known when the code is generated.
    """
    count = _turns("repeat", n)
    if not values:
        raise FormulaError("repeat has no values: write repeat(n, step, x, ...) with those at the start")
    return _folded("repeat", [()] * count, step, values)


def for_each(items: Sequence[Any], step: Callable[..., Any], *values: Any) -> Any:
    """The values after a turn of `step` for each item, which takes the item and the values: a loop in C.

    The items are alike: numbers, which C has in a table, rows of a matrix, elements of an Array, or tuples of
    these. `step` returns the next values, of the same types; with one value, the value itself.
    """
    if not values:
        raise FormulaError(
            "for_each has no values: write for_each(items, step, x, ...) with those at the start, "
            "or collect(items, formula) for a list of results"
        )
    return _folded("for_each", [(x,) for x in _listed("for_each", items)], step, values)


def collect(items: Sequence[Any], formula: Callable[[Any], Any]) -> list[Any]:
    """The list of `formula(item)` for each item: a loop in C. The items are alike, as those of `for_each`."""
    rows = _listed("collect", items)
    recorder = _recorder.get()
    scalars = [flatten(x) for x in rows]
    if recorder is None or len(rows) < 2 or not all(map(_recordable, scalars)):
        return [formula(x) for x in rows]
    exact = [list(map(as_expr, row)) for row in scalars]
    item, varying = recorder.item(_names("collect", formula, 1)[0], exact)
    with recording(None):
        result = formula(_like(rows[0], item.scalars))
    found = [as_expr(x) for x in flatten(result)]
    collected = recorder.held("collected", len(found) * len(rows))
    recorder.loops.append(Turns(len(rows), [], [], [], [], exact, item, varying, found, collected))
    size = len(found)
    return [_like(result, collected.scalars[k * size : (k + 1) * size]) for k in range(len(rows))]


def _folded(what: str, rows: Sequence[tuple[Any, ...]], step: Callable[..., Any], values: Any) -> Any:
    """The values after a turn for each row, which has an item or none."""
    names = _names(what, step, len(rows[0]) + len(values))
    recorder = _recorder.get()
    start = [flatten(x) for x in values]
    items = [[x for part in row for x in flatten(part)] for row in rows]
    if recorder is None or len(rows) < 2 or not all(map(_recordable, [*start, *items])):
        for row in rows:
            values = _next(what, step, row, values)
    else:
        values = _recorded(recorder, what, step, names, rows, values)
    return values[0] if len(values) == 1 else tuple(values)


def _recorded(
    recorder: Recorder,
    what: str,
    step: Callable[..., Any],
    names: Sequence[str],
    rows: Sequence[tuple[Any, ...]],
    values: Sequence[Any],
) -> list[Any]:
    """The values after a loop, which is recorded."""
    items = [[as_expr(x) for part in row for x in flatten(part)] for row in rows]
    item, varying = recorder.item(names[0], items)
    before = [[as_expr(x) for x in flatten(value)] for value in values]
    own = names[len(rows[0]) :]
    during = [recorder.held(name, len(scalars)) for name, scalars in zip(own, before, strict=True)]
    given = [_like(x, held.scalars) for x, held in zip(values, during, strict=True)]
    row = [_like(x, item.scalars) for x in rows[0]]
    with recording(None):
        found = _next(what, step, row, given)
    after = [recorder.held(held.name, len(held.scalars)) for held in during]
    turned = [[as_expr(x) for x in flatten(value)] for value in found]
    turns = Turns(len(rows), before, during, turned, after, items, item, varying, [], Held("", ()))
    recorder.loops.append(turns)
    return [_like(x, held.scalars) for x, held in zip(values, after, strict=True)]


def _next(what: str, step: Callable[..., Any], row: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """The values after one turn; FormulaError unless they are as many, and of the types, of those before."""
    found = step(*row, *values)
    parts = found if len(values) != 1 and isinstance(found, (tuple, list)) else (found,)
    if len(parts) != len(values):
        raise FormulaError(
            f"{what}: its function returns {len(parts)} values, but is given {len(values)}: "
            "return the next value of each, in their order"
        )
    return [_checked(what, k, *pair) for k, pair in enumerate(zip(values, parts, strict=True))]


def _checked(what: str, k: int, before: Any, after: Any) -> Any:
    """A value after a turn, as one of the type before it."""
    scalars = flatten(after)
    same = not (isinstance(before, Composite) and isinstance(after, Composite)) or before.kind == after.kind
    if len(scalars) != len(flatten(before)) or not same:
        raise FormulaError(
            f"{what}: value {k + 1} is {_described(before)} before a turn, but {_described(after)} after it: "
            "return a value of the same type and size"
        )
    return _like(before, scalars)


def _described(value: Any) -> str:
    """What a value is, in a message."""
    if isinstance(value, (tuple, list)) or is_array(value):
        return f"a list of {len(flatten(value))} scalars"
    return f"a {kind(value)}" if isinstance(value, Composite) else "a scalar"


def _turns(what: str, n: Any) -> int:
    """The number of turns; FormulaError unless it is a whole number from 1."""
    number = python_number(n)
    if isinstance(number, Expr):
        raise FormulaError(
            f"{what}: the number of turns is a computed value, but must be known when the code is generated"
        )
    if type(number) is not int or number < 1:
        raise FormulaError(f"{what}: the number of turns is {n!r}, but must be a whole number from 1")
    if number > MOST_TURNS:
        raise FormulaError(f"{what}: {number} turns are more than {MOST_TURNS}")
    return number


def _listed(what: str, items: Any) -> list[Any]:
    """The items; FormulaError unless there is one, and they are alike."""
    try:
        rows = list(items)
    except TypeError:
        raise FormulaError(f"{what}: its items are {items!r}, but must be a list, as range(4)") from None
    if not rows:
        raise FormulaError(f"{what} has no items: give at least one")
    _turns(what, len(rows))
    sizes = [len(flatten(row)) for row in rows]
    for k, count in enumerate(sizes):
        if count != sizes[0]:
            raise FormulaError(
                f"{what}: item {k + 1} has {count} scalars, but item 1 has {sizes[0]}: make them alike"
            )
    return rows


def _names(what: str, function: Any, count: int) -> list[str]:
    """The names of a function's parameters, if C can use them; FormulaError unless it takes so many."""
    if not callable(function):
        raise FormulaError(f"{what}: {function!r} is no function of the values of a turn")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a function of C
        return ["value"] * count
    try:
        bound = signature.bind(*range(count))
    except TypeError:
        raise FormulaError(
            f"{what}: its function takes ({', '.join(signature.parameters)}), but is given {count} values"
        ) from None
    names = [n for n, x in bound.arguments.items() for _ in (x if isinstance(x, tuple) else (x,))]
    return [name if fits(name) else "value" for name in names]


def _recordable(scalars: Sequence[Any]) -> bool:
    """Whether scalars are expressions, or numbers that can be constants among them."""
    plain = [python_number(x) for x in scalars]
    return all(isinstance(x, (Expr, int, float, Fraction)) and not isinstance(x, bool) for x in plain)


def _like(value: Any, scalars: Sequence[Any]) -> Any:
    """A value of the same structure with other scalars."""
    stream = iter(scalars)
    return _taken(value, stream)


def _taken(value: Any, stream: Iterator[Any]) -> Any:
    if isinstance(value, Composite):
        return value.with_scalars([next(stream) for _ in value.scalars()])
    if isinstance(value, Elements):
        return Elements([next(stream) for _ in value])
    if isinstance(value, (tuple, list)):
        return type(value)([_taken(part, stream) for part in value])
    if is_array(value):
        import numpy as np

        return np.array([next(stream) for _ in value.flat], dtype=object).reshape(value.shape)
    return next(stream)
