"""Bounds of what is given that hold wherever the old version of a routine is defined.

A routine that begins with `for (i = 0; i < n; i++) { for (j = 0; j < n; j++) { s += x[n * i + j]; } }`
calculates n * (n - 1) + n - 1, whatever else is given: where n is above 46340, that is beyond an int and the
routine is undefined. So nothing is asked of the new version there, and its indices of that size are in range.

This holds for what is calculated on every way: in a loop of the function itself, or a loop in that, which
makes a known number of turns. All loops before it end, and all functions that are called before it return.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from codegen.review.diff.loops.choices import Choices
from codegen.review.diff.loops.exchanged import varies
from codegen.review.diff.loops.routine_values import PURE
from codegen.review.diff.loops.whole_numbers import Polynomial, added, multiplied
from codegen.review.diff.text.integers import MOST_INT
from codegen.review.diff.text.source import Source

Doubts = Mapping[int, Mapping[int, int]]
"""What a version may leave undefined by where that is, with the condition under which it is calculated."""


class CountedLoop(NamedTuple):
    """A loop: its node, its depth, its turn, and the number of turns, which it makes if that is above 0."""

    node: int
    depth: int
    turn: int
    number: Polynomial


def bounds_of(
    choices: Choices, visited: Sequence[int], doubts: Doubts, returns: Callable[[str], bool]
) -> dict[int, int]:
    """The largest value of nodes with which a version is defined that has visited loops in this order.

    `returns` tells of functions whether they surely return.
    """
    found, standing = dict[int, int](), standing_in(choices, visited)
    for at, outer in _sure_loops(choices, visited, returns):
        own = {at: [outer]}
        for inner in visited:
            is_inside = standing[inner] == {at} and _may_bound(choices, doubts.get(inner, {}))
            loop = counted_at(choices, inner) if is_inside else None
            if loop is not None and is_only_in(choices, loop, inner, outer, visited):
                own[inner] = [outer, loop]
        for place, loops in own.items():
            for what, where in doubts.get(place, {}).items():
                path = [int(str(n)) for n in choices.keys[place][2:]]
                bound = _bound(choices, what, [where, *path], loops)
                if bound is not None:
                    found[bound[0]] = min(bound[1], found.get(bound[0], MOST_INT))
    return found


def _may_bound(choices: Choices, doubts: Mapping[int, int]) -> bool:
    """Whether anything is calculated that may be beyond an int."""
    return any(choices.keys[what][0] == "beyond int" for what in doubts)


def standing_in(choices: Choices, visited: Sequence[int]) -> Mapping[int, set[int]]:
    """The loops of a function itself in which each loop stands, all by where they stand.

    One that stands in two of them may leave undefined in one what it does not in the other one.
    """
    found, outer = dict[int, set[int]](), 0
    for at in reversed(visited):  # a loop is visited behind those in it
        _, _, *paths = choices.keys[at]
        outer = at if len(paths) == 1 else outer
        found.setdefault(at, set()).add(outer)
    return found


_MOST_LOOPS = 80
"""Limit on the loops of a function in which bounds are looked for: the time is quadratic in their number."""


def _sure_loops(
    choices: Choices, visited: Sequence[int], returns: Callable[[str], bool]
) -> Iterator[tuple[int, CountedLoop]]:
    """The loops of a function itself that are surely reached, with where they stand."""
    if len(visited) > _MOST_LOOPS:
        return
    known = [counted_at(choices, at) for at in visited]
    for at, loop in zip(visited, known, strict=True):
        last = len(visited) - [*reversed(visited)].index(at)
        is_own = choices.keys[at][2:] == (choices.truth(True).node,)
        if loop is None or not is_own or None in known[:last]:
            continue
        parts = choices.all_parts([loop.node], -1)
        calls = {str(choices.keys[n][1]) for n in parts if choices.keys[n][0] == "called"}
        if all(map(returns, calls)):
            yield at, loop


def counted_at(choices: Choices, at: int) -> CountedLoop | None:
    """A loop that makes a known number of turns; None for others."""
    node = int(str(choices.keys[at][1]))
    _, depth, _, turn = choices.keys[node]
    return _counted(choices, node, int(str(depth)), int(str(turn)))


def _counted(choices: Choices, node: int, depth: int, turn: int) -> CountedLoop | None:
    """A loop of which each turn leads to the next one as long as `number - turn` is above 0."""
    key, own = choices.keys[turn], choices.node("turn", depth)
    if key[0] != "choice":
        return None
    left, sides = choices.keys[int(str(key[1]))], [int(str(n)) for n in key[2:]]
    kinds = [{choices.keys[n][0] for n in (choices.sides(side))} for side in sides]
    if left[:2] != ("<", "int") or {*map(frozenset, kinds)} != {frozenset(["next"]), frozenset(["exit"])}:
        return None
    number = choices.polynomial(int(str(left[2])))
    if kinds[0] != {"next"}:
        number = added({(): 1}, number, -1)
    number = added(number, {(own,): 1})
    is_single = (own,) not in number
    nodes = {n for monomial in number for n in monomial}
    return CountedLoop(node, depth, own, number) if is_single and not varies(choices, nodes, depth) else None


def is_only_in(
    choices: Choices, loop: CountedLoop, at: int, outer: CountedLoop, visited: Collection[int]
) -> bool:
    """Whether a loop stands in another one of the function itself, and in no other loop."""
    _, _, *paths = choices.keys[at]
    around = {int(str(choices.keys[other][1])) for other in visited} - {loop.node}
    turns = {n: int(str(choices.keys[n][3])) for n in around}
    # what a turn loads from earlier memory holds the loops of the function that made it what it is
    holding = {n for n, turn in turns.items() if loop.node in choices.all_parts([turn], outer.depth)}
    return len(paths) == _ONE_INSIDE and holding == {outer.node}


_ONE_INSIDE = 2
"""The conditions that lead to a loop in a loop of the function: that of the latter, and its own."""


def _bound(
    choices: Choices, what: int, where: Sequence[int], loops: Sequence[CountedLoop]
) -> tuple[int, int] | None:
    """The node that what is calculated in the last turns of loops bounds, and its bound."""
    kind, *values = choices.keys[what]
    if kind != "beyond int":
        return None
    value, paths, needed = int(str(values[0])), [*where], list[Polynomial]()
    for loop in reversed(loops):
        last = choices.whole(added(loop.number, {(): 1}, -1))
        needed = [_in_turn(choices, n, loop, last) for n in (*needed, added(loop.number, {(): 1}, -1))]
        by = {loop.turn: last}
        value, *paths = (choices.substituted(n, by, loop.depth) for n in (value, *paths))
    number, holds = choices.polynomial(value), choices.truth(True).node
    named = {n for monomial in number for n in monomial}
    kinds = {choices.keys[n][0] for n in choices.all_parts(named, -1)}
    if len(named) != 1 or any(path != holds for path in paths) or kinds & {"turn", "before", "lost"}:
        return None
    (node,) = named
    is_rising = all(n > 0 for monomial, n in number.items() if monomial)
    if not is_rising or not all(_holds_from_1(n, node) for n in needed):
        return None
    return node, _largest(number, node)


def _in_turn(choices: Choices, number: Polynomial, loop: CountedLoop, last: int) -> Polynomial:
    """A number in the last turn of a loop."""
    return choices.polynomial(choices.substituted(choices.whole(number), {loop.turn: last}, loop.depth))


def _holds_from_1(number: Polynomial, node: int) -> bool:
    """Whether a number is at least 0 where a node, on which alone it depends, is at least 1."""
    total: Polynomial = {}
    for monomial, factor in number.items():
        product: Polynomial = {(): factor}
        for n in monomial:
            product = multiplied(product, {(n,): 1, (): 1})  # the node less 1 in its place
        total = added(total, product)
    return all(factor >= 0 for factor in total.values()) and {n for m in number for n in m} <= {node}


def _largest(number: Polynomial, node: int) -> int:
    """The largest value of a node with which a number that rises with it is an int, or 0."""
    low, high = 0, MOST_INT
    while low < high:
        middle = (low + high + 1) // 2
        value = sum(factor * middle ** len(monomial) for monomial, factor in number.items())
        low, high = (middle, high) if value <= MOST_INT else (low, middle - 1)
    return low


def returns(source: Source, path: str, name: str, callers: frozenset[str] = frozenset()) -> bool:
    """Whether a function that a file calls surely returns: it has no loops, and calls what does."""
    items = source.called(name, path) if name in source.functions else []
    if len(items) != 1 or items[0].others or name in callers:
        return name in PURE or name in _WORDS
    item, expansions = items[0], source.macros.expansions
    words = [word for token in item.tokens for word in (token, *expansions.get(token, ()))]
    if not _LOOPING.isdisjoint(words):
        return False
    called = [word for word, after in pairwise(words) if after == "(" and word.isidentifier()]
    called.remove(name)  # where it is defined
    return all(returns(source, item.path, other, callers | {name}) for other in called)


_LOOPING = frozenset(["for", "while", "do", "goto", "asm", "__asm__", "__asm", "#"])
_WORDS = frozenset(["if", "switch", "return", "sizeof"])
