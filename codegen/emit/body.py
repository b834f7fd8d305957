"""A function's body in C: its statements, what they read and write, and their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

TURN = 8
"""Elements that a turn of a loop fills: of single ones gcc makes calls of memset and slow instructions."""

_FEWEST_ZEROS = 32
"""So many zeros of an array are stored by a loop, if they are at least half of it."""


@dataclass(frozen=True)
class Statement:
    """`const type name = expression;`, or `name = expression;` where the type is empty.

    `node` is the Program's node whose value it holds, where it is one node's.
    """

    type: str
    name: str
    expression: str
    node: int | None = None

    @property
    def c(self) -> str:
        """The statement on one line."""
        head = f"const {self.type} {self.name} = " if self.type else f"{self.name} = " if self.name else ""
        return f"{head}{self.expression};"

    @property
    def lines(self) -> tuple[str, ...]:
        """The statement as it is laid out, but for lines that are too long."""
        return (self.c,)


@dataclass(frozen=True)
class Load(Statement):
    """A statement that reads an input's scalar."""


@dataclass(frozen=True)
class Store(Statement):
    """A statement that writes results, given by their numbers."""

    results: tuple[int, ...] = ()


@dataclass(frozen=True)
class Fill(Store):
    """A loop that writes one value to the first `size` elements of an array; not all of them keep it."""

    size: int = 0
    index: str = "k"

    @property
    def lines(self) -> tuple[str, ...]:
        """The loop's control, the statements of a turn, and the closing brace."""
        k = self.index
        places = [k, *(f"{k} + {i}" for i in range(1, TURN))]
        turn = [f"    {self.name}[{place}] = {self.expression};" for place in places]
        return (f"for (int {k} = 0; {k} < {self.size}; {k} += {TURN}) {{", *turn, "}")

    @property
    def c(self) -> str:
        """The loop on one line."""
        return " ".join(line.strip() for line in self.lines)


Groups: TypeAlias = tuple[tuple[Statement, ...], ...]
"""Statements that belong together, set apart from others."""


@dataclass(frozen=True)
class Body:
    """The statements in groups, and the status: flags with the conditions that must hold."""

    groups: Groups
    status: tuple[tuple[str, str], ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All statements, in their order."""
        return tuple(s for group in self.groups for s in group)

    @property
    def named(self) -> tuple[Statement, ...]:
        """The statements that give a value a name."""
        return tuple(s for s in self.statements if not isinstance(s, Store))

    @property
    def stores(self) -> tuple[Store, ...]:
        """The statements that write results."""
        return tuple(s for s in self.statements if isinstance(s, Store))


def by_kind(named: Iterable[Statement], stores: Iterable[Store], sources: Sequence[str]) -> Groups:
    """Loads in the order of the inputs, other values, stores."""
    loads = [s for s in named if isinstance(s, Load)]
    loads.sort(key=lambda load: sources.index(load.expression))
    return _groups(loads, [s for s in named if not isinstance(s, Load)], stores)


def woven(named: Sequence[Statement], stores: Sequence[Store], known: Sequence[int]) -> Groups:
    """Loads and values as they come; after the last load, each store as soon as its value is known.

    That of the k-th store is known after so many of the named statements: `known[k]`; a loop comes first.
    """
    last = max((i + 1 for i, s in enumerate(named) if isinstance(s, Load)), default=0)
    after: list[tuple[int, Statement]] = [(i + 1, s) for i, s in enumerate(named) if i >= last]
    after += [(0 if isinstance(s, Fill) else max(last, n), s) for n, s in zip(known, stores, strict=True)]
    return _groups(named[:last], [s for _, s in sorted(after, key=lambda placed: placed[0])])


def _groups(*groups: Iterable[Statement]) -> Groups:
    return tuple(tuple(group) for group in groups if group)


def filled(stores: Sequence[Store], array: str, zero: str, index: str) -> list[Store]:
    """An array's stores, its zeros by a loop where they are many and at least half of it."""
    size = len(stores) - len(stores) % TURN
    zeros = {i for i, s in enumerate(stores[:size]) if s.expression == zero}
    if len(zeros) < max(_FEWEST_ZEROS, len(stores) / 2) or stores[0].name != f"{array}[0]":
        return list(stores)
    results = tuple(k for i in sorted(zeros) for k in stores[i].results)
    loop = Fill("", array, zero, stores[min(zeros)].node, results, size, index)
    return [loop, *(s for i, s in enumerate(stores) if i not in zeros)]
