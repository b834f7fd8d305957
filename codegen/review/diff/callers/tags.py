"""Finds tags that mean two things to a file with all that it includes: it does not compile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.text.items import Item, tags_of
from codegen.review.diff.text.source import Source


class _Tag(NamedTuple):
    """A tag where it stands: what kind of type it names, whether it is defined there, and in which item."""

    name: str
    kind: str
    is_defined: bool
    type: str
    item: Item


def clashing_tags(source: Source, units: Collection[Collection[str]]) -> Iterator[Unreadable]:
    """The tags that are defined twice, are of two kinds, or to C++ are the name of another type."""
    tags = list(_tags(source))
    for name in sorted({tag.name for tag in tags}):
        own = [tag for tag in tags if tag.name == name]
        for unit in units:
            seen = [tag for tag in own if tag.item.path in unit]
            if seen and (said := _clash(name, seen, unit, source)):
                yield Unreadable(seen[-1].item.path, seen[-1].item.line, said)
                break


def _tags(source: Source) -> Iterator[_Tag]:
    tables = (source.types, source.data, source.prototypes, source.functions)
    declared = ((of, item) for table in tables for of, items in table.items() for item in items)
    for of, item in {id(item): (of, item) for of, item in declared}.values():  # enumerators share theirs
        for kind, name, after in tags_of(item):
            yield _Tag(name, kind, after == "{", of, item)


def _clash(name: str, seen: Sequence[_Tag], unit: Collection[str], source: Source) -> str:
    """What is wrong with the tags of a name that a file sees; empty where they go together."""
    defined = [tag for tag in seen if tag.is_defined]
    types = sorted({tag.type for tag in defined})
    if len(types) > 1:
        return f"the tag {name} is that of {' and '.join(types)}"
    if len({tag.kind for tag in seen}) > 1:
        return f"the tag {name} is that of two kinds of types"
    if max(Counter(id(tag.item) for tag in defined).values(), default=0) > 1:
        return f"the tag {name} is defined twice"
    others = [i for i in source.types.get(name, ()) if i.path in unit]
    if others and any(tag.type != name and tag.item.path.endswith(".h") for tag in seen):
        return f"{name} is a tag and the name of another type, which C++ does not allow"
    return ""
