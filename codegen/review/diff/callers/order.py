"""Finds names that are used above their declaration: compilers read a file and its includes from the top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.text.directives import Role
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.reserved import header_of
from codegen.review.diff.text.source import Source

MOST = 2_000_000
"""Limit on the declarations that are followed, counted anew for each file that includes them."""


_WITH_SIZES = ("<stdlib.h>", "<string.h>")
"""The headers that declare size_t besides <stddef.h>."""


class _Event(NamedTuple):
    """What stands on a line: an include, or a declaration of a name that uses others."""

    line: int
    name: str
    uses: frozenset[str] = frozenset()
    included: str | None = None


def misplaced(source: Source) -> Iterator[Unreadable]:
    """The first use of each name above its declaration, in every file with what it includes.

    A name that is not declared at all is no concern of this, as another header may declare it, apart from
    the functions of math.h.
    """
    events = _events(source)
    yield from _unseen(source)
    left = MOST
    for root in sorted(source.includes):
        unit = list(islice(_unit(root, events), left + 1))
        left -= len(unit)
        if left < 0:
            yield Unreadable(root, 1, f"the files include each other's declarations more than {MOST} times")
            return
        yield from _misplaced_in(unit)


def _unseen(source: Source) -> Iterator[Unreadable]:
    """The functions and constants with a macro that neither their file defines nor one that it includes."""
    for name, item in _with_macros(source):
        seen = set(source.reached(item.path))
        for macro in sorted(item.names & source.macros.definitions.keys()):
            if seen.isdisjoint(m.path for m in source.macros.definitions[macro]):
                said = f"{name} needs {macro}, which it does not see"
                yield Unreadable(item.path, item.line, said)


def _with_macros(source: Source) -> Iterator[tuple[str, Item]]:
    macros = source.macros.definitions.keys()
    for table in (source.data, source.functions):
        for name, items in table.items():
            yield from ((name, i) for i in items if not macros.isdisjoint(i.names | i.replaced))


def _misplaced_in(unit: Sequence[tuple[str, _Event]]) -> Iterator[Unreadable]:
    declared, used = dict[str, int](), dict[str, tuple[int, Unreadable]]()
    for i, (path, event) in enumerate(unit):
        declared.setdefault(event.name, i)
        for name in event.uses - used.keys():
            where = "does not come above it" if name[0] == "<" else "comes below it"
            said = f"{event.name} needs {name}, which {where}"
            used[name] = i, Unreadable(path, event.line, said)
    for name, (i, problem) in sorted(used.items()):
        never = len(unit) if name[0] == "<" else i
        if declared.get(name, never) > i:
            yield problem


def _unit(root: str, events: Mapping[str, list[_Event]]) -> Iterator[tuple[str, _Event]]:
    """What a compiler sees of a file and of all it includes, in order; guards keep it from reading twice."""
    seen, open_ = {root}, [(root, iter(events[root]))]
    while open_:
        path, rest = open_[-1]
        event = next(rest, None)
        if event is None:
            open_.pop()
        elif event.included is None:
            yield path, event
        elif event.included not in seen:
            seen.add(event.included)
            open_.append((event.included, iter(events[event.included])))


def _events(source: Source) -> Mapping[str, list[_Event]]:
    """The events of each file in order."""
    found: dict[str, list[_Event]] = {path: [] for path in source.includes}
    for path, included in source.includes.items():
        for name, line in included.items():
            found[path].append(_Event(line, name, included=source.included(path, name)))
            if name in _WITH_SIZES:
                found[path].append(_Event(line, "<stddef.h>"))
    for macros in source.macros.definitions.values():
        for m in macros:
            if m.role in (Role.PLAIN, Role.RESTRICT):
                found[m.path].append(_Event(m.line, m.name))
    for name, items in source.enumerators.items():
        for item in items:
            found[item.path].append(_Event(item.line, name))
    callable_ = source.functions.keys() | source.prototypes.keys()
    checked = {"a static assertion": source.assertions}
    for table in (source.types, source.data, source.prototypes, source.functions, checked):
        for name, items in table.items():
            for item in (way for i in items for way in (i, *i.others)):
                found[item.path].append(_Event(item.line, name, _uses(name, item, source, callable_)))
    return {path: sorted(events, key=lambda e: e.line) for path, events in found.items()}


def _uses(name: str, item: Item, source: Source, callable_: set[str]) -> frozenset[str]:
    """The types, constants, macros and functions that an item needs, and the headers of the library."""
    called = {a for a, b in zip(item.tokens, item.tokens[1:], strict=False) if b == "("} - {name}
    tables = (source.macros.definitions, source.types, source.data, source.enumerators)
    known = {n for n in item.names if any(n in table for table in tables)}
    inside = source.macros.below(known & source.macros.definitions.keys())
    known |= item.replaced | (inside & source.macros.definitions.keys())
    headers = {header_of(n, n in called or n in inside) for n in item.names | inside} - {""}
    beside = {n for n in known for table in (source.data, source.enumerators) if _is_in(item, table.get(n))}
    return frozenset((known | (called & callable_) | headers) - beside - {name})


def _is_in(item: Item, declaring: Sequence[Item] | None) -> bool:
    """Whether an item is one of those that declare a name: an enumerator that is used beside it."""
    return any(other is item for other in declaring or ())
