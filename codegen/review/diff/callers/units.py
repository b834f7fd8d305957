"""Finds names that a file sees twice together with what it includes, or does not see: it does not compile."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from codegen.review.diff.callers.tags import clashing_tags
from codegen.review.diff.changes import Unreadable
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source


def inconsistent(source: Source) -> Iterator[Unreadable]:
    """The names that do not go together in a file with all that it includes."""
    units = {path: frozenset(source.reached(path)) for path in source.includes}
    yield from _repeated(source, units.values())
    yield from clashing_tags(source, units.values())
    yield from _of_two_linkages(source, units.values())
    yield from _of_two_kinds(source, units.values())
    yield from _unseen_types(source, units)
    yield from _included_twice(source, units)


_Units = Collection[frozenset[str]]


def _repeated(source: Source, units: _Units) -> Iterator[Unreadable]:
    """The types and constants that are declared twice, other than within a guard of one name."""
    for table in (source.types, source.data, _enumerators(source)):
        for name, items in table.items():
            guards = _guards(name, source) if len(items) > 1 else {}
            if any(_meet(items, guards, unit) for unit in units if len(items) > 1):
                yield Unreadable(items[-1].path, items[-1].line, f"{name} is defined twice")


def _enumerators(source: Source) -> Mapping[str, Sequence[Item]]:
    """By name of an enumerator of a type: the types that have it, and whatever else has its name."""
    others = (source.types, source.data, source.functions)
    return {
        name: [*items, *(i for table in others for i in table.get(name, ()))]
        for name, items in source.enumerators.items()
    }


def _guards(name: str, source: Source) -> Mapping[str, set[str]]:
    """For each file, the guards within which it has a name."""
    found = dict[str, set[str]]()
    for guard in (m for m in source.macros.guards() if name in m.body):
        found.setdefault(guard.path, set()).add(guard.name)
    return found


def _meet(items: Sequence[Item], guards: Mapping[str, set[str]], unit: Collection[str]) -> bool:
    """Whether a compiler sees a second declaration of a name in the files of a unit."""
    paths = [i.path for i in items if i.path in unit]
    shared = set[str].intersection(*(guards.get(path, set()) for path in paths)) if paths else set()
    return len(paths) > 1 and (not shared or len(set(paths)) < len(paths))


def _of_two_kinds(source: Source, units: _Units) -> Iterator[Unreadable]:
    """The constants with the name of a function that is seen beside them."""
    for name in sorted(source.data.keys() & (source.functions.keys() | source.prototypes.keys())):
        functions = [*source.functions.get(name, ()), *source.prototypes.get(name, ())]
        for item in source.data[name]:
            if any(item.path in unit and any(f.path in unit for f in functions) for unit in units):
                yield Unreadable(item.path, item.line, f"{name} is a function, too")


def _of_two_linkages(source: Source, units: _Units) -> Iterator[Unreadable]:
    """The functions that headers declare inside and outside of extern "C", which C++ refuses."""
    for name, items in source.prototypes.items():
        declared = [i for i in items if i.path.endswith(".h")] if len(items) > 1 else []
        inside = [i for i in declared if any(i.line in part for part in source.c_linkage.get(i.path, ()))]
        for item in [i for i in declared if i not in inside] if inside else []:
            if any(item.path in unit and any(i.path in unit for i in inside) for unit in units):
                said = f'{name} is declared inside and outside of extern "C"'
                yield Unreadable(item.path, item.line, said)


def _unseen_types(source: Source, units: Mapping[str, frozenset[str]]) -> Iterator[Unreadable]:
    """The declarations with a type that only files declare which are not seen there."""
    homes = {name: {i.path for i in items} for name, items in source.types.items()}
    roots = [path for path in units if path.endswith(".c")]
    for table in (source.types, source.data, source.prototypes, source.functions):
        for name, items in table.items():
            for item in items:
                needed = [n for n in item.names & homes.keys() if n != name and item.path not in homes[n]]
                seen = [units[path] for path in roots if item.path in units[path]] if needed else []
                for kind in sorted(needed):
                    if any(homes[kind].isdisjoint(unit) for unit in seen):
                        yield Unreadable(item.path, item.line, f"{name} needs {kind}, which it does not see")


def _included_twice(source: Source, units: Mapping[str, frozenset[str]]) -> Iterator[Unreadable]:
    """The headers without a guard that declare something and that a file includes on two ways."""
    for header in sorted(units.keys() - source.guarded):
        if header.endswith(".h") and _declares(header, source):
            for path, unit in units.items():
                ways = [p for p in unit for n in source.includes[p] if source.included(p, n) == header]
                if len(ways) > 1:
                    said = f"includes {header}, which has no guard, on several ways"
                    yield Unreadable(path, 1, said)
                    break


def _declares(path: str, source: Source) -> bool:
    """Whether a file has declarations that may not be repeated."""
    tables = (source.types, source.data, source.functions)
    return any(i.path == path for table in tables for items in table.values() for i in items)
