"""Which turns of loops may change places: those of which none stores where another one loads or stores.

Places are compared as addresses: arrays that are given may overlap in any way, as C lets them. Elements of
one matrix, `n * i + j` with 0 <= j < n, are the same only where both their rows and their columns are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from codegen.review.diff.loops.choices import Choices
from codegen.review.diff.loops.memory_chains import FORMATS, are_different_objects, root_of, way_to
from codegen.review.diff.loops.whole_numbers import Polynomial, added, constant_of, is_never_negative


class Access(NamedTuple):
    """What a turn of a loop loads, or stores to."""

    is_store: bool
    type: str
    place: int


class Turns(NamedTuple):
    """The node that counts the turns of a loop of some depth, and how many it makes where that is above 0.

    Some numbers are at least 0 in each turn, and so are the nodes that count.
    """

    node: int
    depth: int
    number: Polynomial
    facts: Sequence[Polynomial]
    counts: Collection[int]


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
    indices = int(str(one)), int(str(other))
    a, b = (_by_turn(choices, index, turns) for index in indices)
    apart = None
    if a is not None and b is not None and a[0] == b[0] != 0:
        apart = constant_of(added(a[1], b[1], -1))
    if a is None or apart is None:
        return _are_in_other_rows(choices, indices, turns, is_later)
    step = abs(a[0])
    return (apart if a[0] > 0 else -apart) > -step if is_later else abs(apart) < step


def _are_in_other_rows(choices: Choices, indices: tuple[int, int], turns: Turns, is_later: bool) -> bool:
    """Whether two indices, each in its turn, are of other rows or columns of one matrix.

    The first one is that in the later turn if `is_later`.
    """
    here, there = turns.node, choices.node("other turn", turns.depth)
    one, other = (choices.polynomial(index) for index in indices)
    nodes = {node for monomial in (*one, *other) for node in monomial} - {here}
    if varies(choices, nodes, turns.depth):
        return False
    other = _renamed(other, {here: there})
    counts = {*turns.counts, here, there}
    known = [added(turns.number, {(): 1, (node,): 1}, -1) for node in (here, there)]
    orders = [(here, there)] if is_later else [(here, there), (there, here)]
    facts = [[added({(late,): 1, (): -1}, {(early,): 1}, -1), *known, *turns.facts] for late, early in orders]
    return any(
        all(_are_apart_in(width, (one, other), more, counts) for more in facts) for width in sorted(nodes)
    )


def _are_apart_in(
    width: int, indices: Sequence[Polynomial], facts: Sequence[Polynomial], counts: Collection[int]
) -> bool:
    """Whether two indices are of other rows or columns of a matrix whose rows have a number of columns."""
    parts = [_parted(index, width, facts, counts) for index in indices]
    if parts[0] is None or parts[1] is None:
        return False
    apart = [added(one, other, -1) for one, other in zip(parts[0], parts[1], strict=True)]
    apart += [added({}, number, -1) for number in apart]
    return any(is_never_negative(added(number, {(): 1}, -1), facts, counts) for number in apart)


def _parted(
    index: Polynomial, width: int, facts: Sequence[Polynomial], counts: Collection[int]
) -> tuple[Polynomial, Polynomial] | None:
    """The i and j of the index `width * i + j` with 0 <= j < width; None where that is not known of any."""
    row, column = dict[tuple[int, ...], int](), dict[tuple[int, ...], int]()
    for monomial, factor in index.items():
        others = [*monomial]
        if width in others:
            others.remove(width)
            row[tuple(others)] = factor
        else:
            column[monomial] = factor
    for more in (0, 1, -1):  # in `width * i + width - 1`, one width is no row
        place = added(column, {(width,): 1}, more)
        ends = (place, added({(width,): 1, (): -1}, place, -1))
        if all(is_never_negative(number, facts, counts) for number in ends):
            return added(row, {(): 1}, -more), place
    return None


def _renamed(number: Polynomial, by: Mapping[int, int]) -> Polynomial:
    """A number with other nodes in the place of some."""
    return {tuple(sorted(by.get(n, n) for n in monomial)): factor for monomial, factor in number.items()}


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
