"""A function's body in C: its statements, what they read and write, and their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias


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


@dataclass(frozen=True)
class Load(Statement):
    """A statement that reads an input's scalar."""


@dataclass(frozen=True)
class Store(Statement):
    """A statement that writes a result, given by its number."""

    result: int = 0


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

    That of the k-th store is known after so many of the named statements: `known[k]`.
    """
    last = max((i + 1 for i, s in enumerate(named) if isinstance(s, Load)), default=0)
    after: list[tuple[int, Statement]] = [(i + 1, s) for i, s in enumerate(named) if i >= last]
    after += [(max(last, n), s) for n, s in zip(known, stores, strict=True)]
    return _groups(named[:last], [s for _, s in sorted(after, key=lambda placed: placed[0])])


def _groups(*groups: Iterable[Statement]) -> Groups:
    return tuple(tuple(group) for group in groups if group)
