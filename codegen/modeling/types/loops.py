"""Loops of formulas: `repeat`, `for_each` and `collect`, which become loops in C.

A loop's function is a formula like any other. While a formula is recorded for C, it is run once, on symbols
of the values that a turn is given; on numbers, and wherever else a formula is evaluated, it is run in every
turn. So what is proven of the loop is proven of the formula turn by turn. A loop in a loop is written out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from codegen.errors import FormulaError
from codegen.ir.composite import Composite, kind
from codegen.ir.expression import Expr, as_expr
from codegen.ir.numpy_operands import is_array, python_number
from codegen.ir.operations import Op
from codegen.ir.types import flatten
from codegen.modeling.names import fits
from codegen.modeling.types.scalar import holding

MOST_TURNS = 1_000
"""Limit on the turns of a loop; `featherc diff` follows 2000 turns of a function."""


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


def recording(recorder: Recorder | None) -> AbstractContextManager[Recorder | None]:
    """Record the loops of formulas run inside; with None, they are written out."""
    return holding(_recorder, recorder)


def repeat(n: int, step: Callable[..., Any], *values: Any) -> Any:
    """The values after n turns of `step`, which gives the next values: a loop in C.

    `step` takes as many values as are given here, and returns as many, of the same types; with one value, the
    value itself. The number of turns is known when the code is generated.
    """
    count = _turns("repeat", n)
    if not values:
        raise FormulaError("repeat has no values: write repeat(n, step, x, ...) with those at the start")
    return _folded("repeat", [()] * count, step, values)


def for_each(items: Iterable[Any], step: Callable[..., Any], *values: Any) -> Any:
    """The values after a turn of `step` for each item, which takes the item and the values: a loop in C.

    The items are alike: numbers, of which C has a table, elements of an Array, rows of a matrix, or tuples,
    dictionaries and dataclasses of these. `step` returns the next values, of the same types; with one value,
    the value itself.
    """
    if not values:
        raise FormulaError(
            "for_each has no values: write for_each(items, step, x, ...) with those at the start, "
            "or collect(items, formula) for a list of results"
        )
    return _folded("for_each", [(x,) for x in _listed("for_each", items)], step, values)


def collect(items: Iterable[Any], formula: Callable[[Any], Any]) -> list[Any]:
    """The list of `formula(item)` for each item: a loop in C. The items are alike, as those of `for_each`."""
    rows = _listed("collect", items)
    (name,) = _names("collect", formula, 1)
    recorder = _recorder.get()
    if recorder is None or len(rows) < 2:
        return [formula(x) for x in rows]
    exact = [_exact(x) for x in rows]
    item, varying = recorder.item(name, exact)
    with recording(None):
        result = formula(_like(rows[0], item.scalars))
    found = _exact(result)
    size = len(found)
    collected = recorder.held("collected", size * len(rows))
    recorder.loops.append(Turns(len(rows), [], [], [], [], exact, item, varying, found, collected))
    return [_like(result, collected.scalars[k * size : (k + 1) * size]) for k in range(len(rows))]


def _folded(
    what: str, rows: Sequence[tuple[Any, ...]], step: Callable[..., Any], values: Sequence[Any]
) -> Any:
    """The values after a turn for each row, which has an item or none."""
    names = _names(what, step, len(rows[0]) + len(values))
    recorder = _recorder.get()
    if recorder is None or len(rows) < 2:
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
    items = [_exact(row) for row in rows]
    item, varying = recorder.item(names[0], items)
    before = [_exact(value) for value in values]
    own = names[len(rows[0]) :]
    during = [recorder.held(name, len(scalars)) for name, scalars in zip(own, before, strict=True)]
    given = [_like(x, held.scalars) for x, held in zip(values, during, strict=True)]
    with recording(None):
        found = _next(what, step, _like(rows[0], item.scalars), given)
    after = [recorder.held(held.name, len(held.scalars)) for held in during]
    turned = [_exact(value) for value in found]
    turns = Turns(len(rows), before, during, turned, after, items, item, varying, [], Held("", ()))
    recorder.loops.append(turns)
    return [_like(x, held.scalars) for x, held in zip(values, after, strict=True)]


def _next(what: str, step: Callable[..., Any], row: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """The values after one turn; FormulaError unless they are as many, and of the types, of those before."""
    found = step(*row, *values)
    parts = found if len(values) != 1 and isinstance(found, (tuple, list)) else (found,)
    if found is None:
        raise FormulaError(f"{what}: its function returns nothing; end it with return and the next values")
    if len(parts) != len(values):
        raise FormulaError(
            f"{what}: its function returns {len(parts)} values in place of {len(values)}: "
            "return the next value of each, in their order"
        )
    return [_checked(what, k, *pair) for k, pair in enumerate(zip(values, parts, strict=True))]


def _checked(what: str, k: int, before: Any, after: Any) -> Any:
    """A value after a turn, as one of the type before it."""
    scalars = _scalars(after)
    same = not (isinstance(before, Composite) and isinstance(after, Composite)) or before.kind == after.kind
    if len(scalars) != len(_scalars(before)) or not same:
        raise FormulaError(
            f"{what}: value {k + 1} is {_described(before)} before a turn, but {_described(after)} after it: "
            "return a value of the same type and size"
        )
    return _like(before, scalars)


def _described(value: Any) -> str:
    """What a value is, in a message."""
    if _parts(value) is not None or is_array(value):
        return f"a list of {len(_scalars(value))} scalars"
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
    sizes = [len(_scalars(row)) for row in rows]
    for k, count in enumerate(sizes):
        if count != sizes[0]:
            raise FormulaError(
                f"{what}: item {k + 1} has {count} scalars, but item 1 has {sizes[0]}: make them alike"
            )
    return rows


def _names(what: str, function: Any, count: int) -> list[str]:
    """The names of a function's parameters, if C can use them; FormulaError unless it takes so many."""
    if not callable(function) or isinstance(function, (Expr, Composite)):
        raise FormulaError(f"{what}: {function!r} is no function of the values of a turn")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a function of C
        return ["value"] * count
    try:
        bound = signature.bind(*range(count))
    except TypeError:
        raise FormulaError(
            f"{what}: its function has the parameters ({', '.join(signature.parameters)}), but is called "
            f"with {count}: {'the item, then ' if what == 'for_each' else ''}the values in their order"
        ) from None
    names = [n for n, x in bound.arguments.items() for _ in (x if isinstance(x, tuple) else (x,))]
    return [name if fits(name) else "value" for name in names]


def _exact(value: Any) -> list[Expr]:
    """The scalars of a value as expressions; FormulaError where one is no number."""
    return [as_expr(x) for x in _scalars(value)]


def _scalars(value: Any) -> list[Any]:
    """The scalars of a value, also of a dictionary or dataclass, in their order."""
    parts = _parts(value)
    return flatten(value) if parts is None else [x for part in parts.values() for x in _scalars(part)]


def _parts(value: Any) -> dict[Any, Any] | None:
    """The parts of a list, dictionary or dataclass; None for another value."""
    if isinstance(value, Composite | type):
        return None
    if is_dataclass(value) and not hasattr(value, "__add__"):  # else it is a number
        return {f.name: getattr(value, f.name) for f in fields(value)}
    if isinstance(value, (tuple, list)):
        return dict(enumerate(value))
    return dict(value) if isinstance(value, Mapping) else None


def _like(value: Any, scalars: Sequence[Any]) -> Any:
    """A value of the same structure with other scalars."""
    return _taken(value, iter(scalars))


def _taken(value: Any, stream: Iterator[Any]) -> Any:
    parts = _parts(value)
    if parts is not None:
        return _made(value, {key: _taken(part, stream) for key, part in parts.items()})
    if isinstance(value, Composite):
        return value.with_scalars([next(stream) for _ in value.scalars()])
    if is_array(value):
        import numpy as np

        return np.array([next(stream) for _ in value.flat], dtype=object).reshape(value.shape)
    return next(stream)


def _made(value: Any, parts: Mapping[Any, Any]) -> Any:
    """A list, dictionary or dataclass like a value, of other parts."""
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **parts)
    if isinstance(value, Mapping):
        return dict(parts)
    if hasattr(value, "_make"):  # a named tuple
        return value._make(parts.values())
    return type(value)(parts.values())
