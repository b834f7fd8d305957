"""Which turns of loops may change places: those of which none stores where another one loads or stores.

Places are compared as addresses: arrays that are given may overlap in any way, as C lets them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from codegen.review.diff.loops.choices import Choices
from codegen.review.diff.loops.memory_chains import FORMATS, are_different_objects, root_of, way_to
from codegen.review.diff.loops.whole_numbers import Polynomial, added, constant_of


class Access(NamedTuple):
    """What a turn of a loop loads, or stores to."""

    is_store: bool
    type: str
    place: int


class Turns(NamedTuple):
    """The node that counts the turns of a loop of some depth."""

    node: int
    depth: int


def are_exchangeable(choices: Choices, accesses: Iterable[Access], turns: Turns) -> bool:
    """Whether the turns of a loop may be made in any order."""
    every = [a for a in dict.fromkeys(accesses) if not _is_own(choices, a, turns)]
    stores = [a for a in every if a.is_store]
    return all(_never_meet(choices, a, b, turns, False) for a in stores for b in every)


def may_follow(choices: Choices, first: Iterable[Access], second: Iterable[Access], turns: Turns) -> bool:
    """Whether each turn of a second loop may be made before all later turns of a first one."""
    pairs = [[a for a in dict.fromkeys(s) if not _is_own(choices, a, turns)] for s in (first, second)]
    every = [(a, b) for a in pairs[0] for b in pairs[1] if a.is_store or b.is_store]
    return all(_never_meet(choices, a, b, turns, True) for a, b in every)


def _is_own(choices: Choices, access: Access, turns: Turns) -> bool:
    """Whether an access is to an object that each turn has for itself."""
    kind, *rest = choices.keys[root_of(choices, access.place)]
    return kind == "local" and int(str(rest[-1])) >= turns.depth


def _never_meet(choices: Choices, a: Access, b: Access, turns: Turns, is_later: bool) -> bool:
    """Whether a in one turn and b in another one, an earlier one if `is_later`, are never to one place."""
    if a.type in FORMATS and b.type in FORMATS and FORMATS[a.type] != FORMATS[b.type]:
        return True
    if root_of(choices, a.place) != root_of(choices, b.place):
        return are_different_objects(choices, a.place, b.place)
    if varies(choices, [root_of(choices, a.place)], turns.depth):
        return False
    ways = ([*way_to(choices, access.place)][::-1] for access in (a, b))
    for one, other in zip(*ways, strict=False):
        if one[0] != other[0] or one[0] not in ("member", "element"):
            return False
        if one[0] == "member" and one != other:
            return True
        if one[0] == "element" and _are_other_elements(choices, one[1], other[1], turns, is_later):
            return True
        if one != other or (one[0] == "element" and not _is_the_same(choices, one[1], turns)):
            return False
    return False


def _are_other_elements(choices: Choices, one: object, other: object, turns: Turns, is_later: bool) -> bool:
    """Whether two indices, each in its turn, are never the same number."""
    a, b = (_by_turn(choices, int(str(index)), turns) for index in (one, other))
    if a is None or b is None or a[0] != b[0] or a[0] == 0:
        return False
    apart = constant_of(added(a[1], b[1], -1))
    if apart is None:
        return False
    step = abs(a[0])
    return (apart if a[0] > 0 else -apart) > -step if is_later else abs(apart) < step


def _by_turn(choices: Choices, index: int, turns: Turns) -> tuple[int, Polynomial] | None:
    """By how much an index grows in each turn, and what else it is made of, if that is the same in each."""
    number = dict(choices.polynomial(index))
    step = number.pop((turns.node,), 0)
    nodes = {node for monomial in number for node in monomial}
    return None if varies(choices, nodes, turns.depth) else (step, number)


def _is_the_same(choices: Choices, index: object, turns: Turns) -> bool:
    """Whether an index is the same number in each turn."""
    return not varies(choices, [int(str(index))], turns.depth)


def varies(choices: Choices, nodes: Iterable[int], depth: int) -> bool:
    """Whether any of some values may be another one in each turn of a loop of this depth, or in it."""
    for node in choices.all_parts(nodes, -1):
        kind, *rest = choices.keys[node]
        if kind in ("turn", "before") and int(str(rest[0])) >= depth:
            return True
    return False
