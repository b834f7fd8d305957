"""The body of a C function: its statements, the scalars that they load and store, and their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias


@dataclass(frozen=True)
class Statement:
    """`const type name = expression;`, or `name = expression;` where the type is empty.

    `node` is the node of the Program whose value the variable holds, if there is one; in a loop it is that
    of the first turn, and `again` are those of the others. `depth` counts the blocks around the statement.
    """

    type: str
    name: str
    expression: str
    node: int | None = None
    again: tuple[int, ...] = field(default=(), kw_only=True)
    depth: int = field(default=0, kw_only=True)

    @property
    def c(self) -> str:
        """The statement on one line."""
        head = f"const {self.type} {self.name} = " if self.type else f"{self.name} = " if self.name else ""
        return f"{head}{self.expression};"

    @property
    def lines(self) -> tuple[str, ...]:
        """The statement's lines before long ones are broken."""
        return (self.c,)


@dataclass(frozen=True)
class Load(Statement):
    """A statement that reads an input's scalar."""


@dataclass(frozen=True)
class Read(Statement):
    """A statement that reads an element of an input's array at an index that it computed."""


@dataclass(frozen=True)
class Pair(Statement):
    """A statement that computes the sine and the cosine of an angle together.

    Its variable, which is not const, may be that of an earlier pair: the type is empty then. `both` are the
    nodes of the sine and the cosine in the Program that was printed.
    """

    both: tuple[int, ...] = ()

    @property
    def c(self) -> str:
        """The statement on one line."""
        return f"{self.type} {self.name} = {self.expression};".lstrip()


@dataclass(frozen=True)
class Store(Statement):
    """A statement that writes a result, given by its number; `row` says which row of a matrix begins.

    `later` are the results that it writes in later turns of a loop.
    """

    result: int = 0
    row: str = ""
    later: tuple[int, ...] = field(default=(), kw_only=True)

    @property
    def lines(self) -> tuple[str, ...]:
        """The statement, after a comment where a row begins."""
        return (f"/* {self.row} */", self.c) if self.row else (self.c,)


@dataclass(frozen=True)
class Kept(Statement):
    """A statement that writes a local array."""


@dataclass(frozen=True)
class Line(Statement):
    """A declaration, or the begin or end of a block: the expression is the whole line.

    The name is that of what a loop is over, and not part of the line.
    """

    @property
    def c(self) -> str:
        """The line."""
        return self.expression


@dataclass(frozen=True)
class Requirement:
    """A status flag, the C condition that must hold, and the nodes whose conjunction the condition is."""

    flag: str
    condition: str
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class Ending(Statement):
    """A statement that serves the status: it raises or returns the flags of these requirements."""

    requirements: tuple[Requirement, ...] = ()


@dataclass(frozen=True)
class Raise(Ending):
    """`if (!condition) { status |= FLAG; }`; the expression is that of the assignment."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The condition, the assignment and the closing brace."""
        (requirement,) = self.requirements
        return (f"if (!{requirement.condition}) {{", f"    {self.name} |= {self.expression};", "}")

    @property
    def c(self) -> str:
        """The statement on one line."""
        return " ".join(line.strip() for line in self.lines)


Groups: TypeAlias = tuple[tuple[Statement, ...], ...]
"""Statements that form a paragraph, between blank lines."""


@dataclass(frozen=True)
class Body:
    """The statements in groups, and the status: each flag once, with the condition that must hold."""

    groups: Groups
    status: tuple[Requirement, ...]

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


def ending(status: Sequence[Requirement], prefix: str) -> tuple[tuple[Ending, ...], ...]:
    """The end of a function that returns a status: one expression for a single flag, else a step for each."""
    macro, flags = prefix.upper(), tuple(status)
    if not flags:
        return ()
    if len(flags) == 1:
        text = f"return {flags[0].condition} ? {macro}OK : {macro}{flags[0].flag}"
        return ((Ending("", "", text, None, flags),),)
    start = Ending("", f"{prefix}status status", f"{macro}OK", None, flags)
    steps = (Raise("", "status", macro + r.flag, None, (r,)) for r in flags)
    return (start, *steps), (Ending("", "", "return status", None, flags),)


def by_kind(
    named: Sequence[Statement], stores: Iterable[Store], sources: Sequence[str], calls: int = 0
) -> Groups:
    """Loads in the order of the inputs, other values, stores; what is after the first `calls` stays there."""
    if not any(isinstance(s, Load) for s in named[calls:]):
        calls = 0
    parts = [named[:calls], named[calls:]]
    sorts = [
        kind
        for part in parts
        for kind in (_loads(part, sources), [s for s in part if not isinstance(s, Load)])
    ]
    return _groups(*sorts, row_by_row(stores))


def _loads(named: Iterable[Statement], sources: Sequence[str]) -> list[Statement]:
    loads = [s for s in named if isinstance(s, Load)]
    return sorted(loads, key=lambda load: sources.index(load.expression))


def woven(named: Sequence[Statement], stores: Sequence[Store], known: Sequence[int]) -> Groups:
    """Loads and values in the given order; after the last read, each store as soon as its value is known.

    The value of the k-th store is known after `known[k]` of the named statements; those of constants are to
    be the last, as compilers would compute the addresses of all of them while inputs occupy the registers.
    """
    last = max((i + 1 for i, s in enumerate(named) if isinstance(s, (Load, Read))), default=0)
    return _groups(named[:last], row_by_row(_merged(named, stores, known, last)))


def spun(named: Sequence[Statement], stores: Sequence[Store], known: Sequence[int]) -> Groups:
    """Loads and values in the given order; each store as soon as its value is known, also before a load."""
    return _groups(row_by_row(_merged(named, stores, known, 0)))


def _merged(
    named: Sequence[Statement], stores: Sequence[Store], known: Sequence[int], first: int
) -> list[Statement]:
    """The named statements from the first on, with the stores whose values are known."""
    placed: list[tuple[int, Statement]] = [(i + 1, s) for i, s in enumerate(named) if i >= first]
    placed += [(max(first, n), s) for n, s in zip(known, stores, strict=True)]
    return [s for _, s in sorted(placed, key=lambda p: p[0])]


def row_by_row(statements: Iterable[Statement]) -> Iterator[Statement]:
    """The statements, with a row's name only on the first store of that row."""
    row = ""
    for s in statements:
        if isinstance(s, Store):
            yield replace(s, row="" if s.row == row else s.row)
            row = s.row
        else:
            yield s


def _groups(*groups: Iterable[Statement]) -> Groups:
    return tuple(group for group in map(tuple, groups) if group)
