"""Finds where #undef may change what follows: macros are read as if none were undone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.text.directives import Role
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.reserved import is_reserved
from codegen.review.diff.text.source import Source

MOST = 100
"""Limit on the lines with #undef that are followed."""


def wrongly_undone(source: Source) -> Iterator[Unreadable]:
    """The lines that undo a macro of another file, or of which not every use is known to see it."""
    lines = [
        (path, name, line)
        for path, file in source.files.items()
        for name, line in (file.head.undone if file.head and path in source.includes else ())
    ]
    above = _above(source) if 0 < len(lines) <= MOST else {}
    for path, name, line in lines:
        if len(lines) > MOST or not _is_harmless(path, name, source, _reached(name, above)):
            yield Unreadable(path, line, f"#undef {name}")


def _above(source: Source) -> Mapping[str, set[str]]:
    """The macros in whose bodies each name stands."""
    direct = dict[str, set[str]]()
    for macro in source.macros.definitions:
        for word in source.macros.words(macro):
            direct.setdefault(word, set()).add(macro)
    return direct


def _reached(name: str, above: Mapping[str, set[str]]) -> set[str]:
    """The name, and the macros in whose bodies it stands, directly or not."""
    open_, reached = [name], set[str]()
    while open_:
        if (here := open_.pop()) not in reached:
            reached.add(here)
            open_ += above.get(here, ())
    return reached


def _is_harmless(path: str, name: str, source: Source, named: set[str]) -> bool:
    """Whether a source file that nothing includes is alone in naming a macro, and only where it is defined.

    It is named where one of `named` is, in whose bodies it stands.
    """
    definitions = source.macros.definitions.get(name, [])
    is_own = all(m.path == path and m.role is Role.PLAIN for m in definitions)
    is_included = any(path in source.reached(other) for other in source.includes if other != path)
    if not path.endswith(".c") or is_reserved(name) or not is_own or is_included:
        return False
    if any(name in file.conditions for file in source.files.values()):
        return False
    head = source.files[path].head
    undone = [(line, False) for n, line in (head.undone if head else ()) if n == name]
    events = sorted([*((m.line, True) for m in definitions), *undone])
    return all(
        item.path == path and _is_defined(item.line, events)
        for item in _items(source)
        if not named.isdisjoint(item.names)
    )


def _is_defined(line: int, events: list[tuple[int, bool]]) -> bool:
    before = [defined for at, defined in events if at < line]
    return bool(before) and before[-1]


def _items(source: Source) -> Iterator[Item]:
    for table in (source.functions, source.prototypes, source.types, source.data):
        for items in table.values():
            yield from items
