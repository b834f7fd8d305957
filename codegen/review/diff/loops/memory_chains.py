"""Memory after stores, in an order that tells nothing: stores to places that are surely apart change places.

A load of a place takes what the last store to it left, if all stores behind that are to other places. A store
of what is there already changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple

from codegen.review.diff.loops.choices import Choices, Value

_INTEGERS = ("int", "unsigned", "long", "truth")
FORMATS = {**dict.fromkeys(_INTEGERS, "integer"), "float": "float", "double": "double"}
"""Objects of different formats of these are never the same."""


class _Store(NamedTuple):
    """A store of a value to a place of a type, and the memory before it."""

    type: str
    before: int
    place: int
    value: int


def _last(choices: Choices, memory: int) -> _Store | None:
    """The store that made a memory what it is; None where something else did."""
    kind, *rest = choices.keys[memory]
    return _Store(*rest) if kind == "store" else None  # type: ignore[arg-type]


def stored(choices: Choices, memory: int, kind: str, place: int, value: int) -> int:
    """Memory after a store to a place of a type."""
    sides = choices.sides(value)
    if any(_is_there(choices, memory, kind, place, side) for side in sides):
        return _stored_choice(choices, memory, kind, place, value)
    last = _last(choices, memory)
    if last is not None:
        if (last.place, last.type) == (place, kind):
            return stored(choices, last.before, kind, place, value)
        if place < last.place and are_apart(choices, kind, place, last.type, last.place):
            inner = stored(choices, last.before, kind, place, value)
            return choices.node("store", last.type, inner, last.place, last.value)
    return choices.node("store", kind, memory, place, value)


def _stored_choice(choices: Choices, memory: int, kind: str, place: int, value: int) -> int:
    """Memory after a store of a choice, some values of which are there already."""
    key = choices.keys[value]
    if key[0] == "choice":
        test, *sides = (int(str(part)) for part in key[1:])
        return choices.chosen(test, *(stored(choices, memory, kind, place, side) for side in sides))
    return memory


def _is_there(choices: Choices, memory: int, kind: str, place: int, value: int) -> bool:
    """Whether a place holds a value already."""
    key = choices.keys[value]
    if key[0] != "load" or key[1] != kind or key[3] != place:
        return False
    return held_at(choices, memory, kind, place) == (key[2], None)


def held_at(choices: Choices, memory: int, kind: str, place: int) -> tuple[int, int | None]:
    """The memory from which a place is loaded, and what was stored there, None where that is not known."""
    while (last := _last(choices, memory)) is not None:
        if (last.place, last.type) == (place, kind):
            return memory, last.value
        if not are_apart(choices, kind, place, last.type, last.place):
            break
        memory = last.before
    return memory, None


def without_store(choices: Choices, memory: int, kind: str, place: int) -> int | None:
    """Memory without the last store to a place, if all stores behind it are to other places; else None."""
    last = _last(choices, memory)
    if last is None or (last.place, last.type) == (place, kind):
        return last and last.before
    inner = without_store(choices, last.before, kind, place)
    if inner is None or not are_apart(choices, kind, place, last.type, last.place):
        return None
    return stored(choices, inner, last.type, last.place, last.value)


def without_locals(choices: Choices, memory: int, depth: int) -> int:
    """Memory without the last stores to objects that end with a turn of loops of this depth, or deeper."""
    key, last = choices.keys[memory], _last(choices, memory)
    if key[0] == "choice":
        test, *sides = (int(str(part)) for part in key[1:])
        return choices.chosen(test, *(without_locals(choices, side, depth) for side in sides))
    if last is None:
        return memory
    inner = without_locals(choices, last.before, depth)
    kind, *rest = choices.keys[root_of(choices, last.place)]
    if kind == "local" and int(str(rest[-1])) >= depth:
        return inner
    return stored(choices, inner, last.type, last.place, last.value)


def are_apart(choices: Choices, kind: str, place: int, of: str, where: int) -> bool:
    """Whether two places of some types surely have no byte in common."""
    if kind in FORMATS and of in FORMATS and FORMATS[kind] != FORMATS[of]:
        return True
    if root_of(choices, place) != root_of(choices, where):
        return are_different_objects(choices, place, where)
    ways = ([*way_to(choices, node)][::-1] for node in (place, where))
    return _part(choices, *ways)


def are_different_objects(choices: Choices, place: int, where: int) -> bool:
    """Whether two places are surely in different objects: a local one, and another one or what is given."""
    one, other = root_of(choices, place), root_of(choices, where)
    roots = [choices.keys[node][0] for node in (one, other)]
    return one != other and "local" in roots and {*roots} <= {"local", "parameter"}


def _part(choices: Choices, a: list[tuple[str, object]], b: list[tuple[str, object]]) -> bool:
    """Whether two ways into one object lead to different members, or to elements a known number apart."""
    a, b = [*a], [*b]
    zero = ("element", choices.constant(Fraction(0), "int").node)
    for i in range(max(len(a), len(b))):
        for own, others in ((a, b), (b, a)):
            if i < len(others) and others[i][0] == "element" and (i >= len(own) or own[i][0] != "element"):
                own.insert(i, zero)  # the first element is where its array is
    for one, other in zip_longest(a, b):
        if one is None or other is None:
            return False
        if one[0] == "member" and one != other:
            return True
        if one[0] == "element" and one != other:
            apart = choices.arithmetic("-", *(Value(int(str(x[1])), "int") for x in (one, other)))
            return choices.number(apart) is not None
    return False


def is_own_member(choices: Choices, place: int) -> bool:
    """Whether a place is a local object, or a member of one, which surely may be written."""
    is_member = all(kind == "member" for kind, _ in way_to(choices, place))
    return is_member and choices.keys[root_of(choices, place)][0] == "local"


def root_of(choices: Choices, place: int) -> int:
    """The object in which a place is."""
    while (outer := _outer(choices, place)) is not None:
        place = outer
    return place


def _outer(choices: Choices, place: int) -> int | None:
    """The struct or array of which a place is a part; None for whole objects."""
    key = choices.keys[place]
    at = {"member": 2, "element": 1}.get(str(key[0]))
    return None if at is None else int(str(key[at]))


def way_to(choices: Choices, place: int) -> Iterator[tuple[str, object]]:
    """The members and elements through which a place is reached, the innermost first."""
    while (outer := _outer(choices, place)) is not None:
        key = choices.keys[place]
        yield ("member", key[1]) if key[0] == "member" else ("element", key[2])
        place = outer
