"""Loads from what is given that the old version surely makes, too, though elsewhere.

A load is defined wherever one from the same place is, whatever has been stored since: what a routine is given
stays where it is, as far as it calls nothing but functions of the tree that return. So where the old version
surely ends, it is undefined itself if it makes a load from that place on some way that it takes, before or
behind. A place that only what stores makes a number is not loaded earlier than the old version does. In the
same way, a place may be written that the old version surely writes, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from codegen.review.diff.loops.choices import Choices
from codegen.review.diff.loops.endless import all_end
from codegen.review.diff.loops.memory_chains import FORMATS, root_of
from codegen.review.diff.loops.sure_bounds import CountedLoop, counted_at, is_only_in, standing_in
from codegen.review.diff.loops.whole_numbers import Polynomial, added, constant_of, is_never_negative

Doubts = Mapping[int, Mapping[int, int]]
"""What a version may leave undefined by where that is, with the condition under which it is calculated."""

_MOST_TURNS = 4
"""Limit on the loops that tell from where is loaded, and on the turns of one that are tried one by one."""


class _Load(NamedTuple):
    """A load: the type and the place of what is loaded, and the memory in which it is; or a store."""

    type: str
    memory: int
    place: int
    is_store: bool = False


class _Made(NamedTuple):
    """Loads that are made in each turn of some loops, which are reached under some conditions."""

    loops: Sequence[CountedLoop]
    paths: Sequence[int]
    doubts: Mapping[int, int]


class SureLoads:
    """The loads of a version, which stores nothing through some of its parameters, the `constants`."""

    def __init__(
        self,
        choices: Choices,
        visited: Sequence[int],
        doubts: Doubts,
        constants: Collection[int],
        returns: Callable[[str], bool],
    ) -> None:
        self.choices, self.visited, self.doubts = choices, visited, doubts
        self.constants, self.returns = constants, returns

    def has(self, at: int, what: int, where: int) -> bool:
        """Whether this version, too, loads from the place of a load under a condition, or stores there."""
        load = self._load(what)
        root = root_of(self.choices, load.place) if load is not None else 0
        if load is None or self.choices.keys[root][0] != "parameter":
            return False
        return self._ends and (self._in_its_turn(load, at, where) or self._elsewhere(load, at, where))

    def _load(self, what: int) -> _Load | None:
        kind, *rest = self.choices.keys[what]
        if kind == "written":
            of, place = rest
            return _Load(str(of), self.choices.node("memory"), int(str(place)), True)
        return _Load(*rest) if kind == "load" else None  # type: ignore[arg-type]

    @cached_property
    def _ends(self) -> bool:
        """Whether the version surely ends, and calls nothing but what does."""
        return all_end(self.choices, self.visited, self.doubts, self.returns)

    def _in_its_turn(self, load: _Load, at: int, where: int) -> bool:
        """Whether the same turn of the same loop makes such a load."""
        if at not in self.doubts or not at:
            return False
        is_one = len(self._paths(at)) <= _INSIDE and len(standing_in(self.choices, self.visited)[at]) == 1
        return is_one and any(
            self._is_as_defined(load, other, at) and self.choices.implies(where, met)
            for other, met in self._loads(self.doubts[at], load)
            if other.place == load.place
        )

    def _elsewhere(self, load: _Load, at: int, where: int) -> bool:
        """Whether a turn of loops of the function itself makes such a load, or what is done in no loop."""
        paths = self._paths(at)
        facts = [fact for n in (*paths, where) for fact in self.choices.facts(n)]
        holds = where
        for path in paths:
            holds = self.choices.both(holds, path)
        parts = self.choices.all_parts([load.place], -1)
        turns = sorted(n for n in parts if self.choices.keys[n][0] == "turn")
        for made in self._made() if len(turns) <= _MOST_TURNS else ():
            for targets in product(*(self._turns_of(loop, turns) for loop in made.loops)):
                by = {loop.turn: n for loop, n in zip(made.loops, targets, strict=True)}
                if self._are_turns(made.loops, by, facts) and self._is_among(load, at, made, by, holds):
                    return True
        return False

    def _made(self) -> Iterator[_Made]:
        """The loads of the function itself, of its loops whose turns are counted, and of those in these."""
        yield _Made([], [], self.doubts.get(0, {}))
        standing = standing_in(self.choices, self.visited)
        for at in dict.fromkeys(self.visited):
            paths = self._paths(at)
            loop = counted_at(self.choices, at) if len(paths) == 1 else None
            if loop is None:
                continue
            yield _Made([loop], paths, self.doubts.get(at, {}))
            for inner in dict.fromkeys(self.visited):
                within = counted_at(self.choices, inner) if standing[inner] == {at} else None
                if within is not None and is_only_in(self.choices, within, inner, loop, self.visited):
                    yield _Made([loop, within], self._paths(inner), self.doubts.get(inner, {}))

    def _are_turns(
        self, loops: Sequence[CountedLoop], by: Mapping[int, int], facts: Sequence[Polynomial]
    ) -> bool:
        """Whether loops make the turns whose numbers stand for theirs."""
        numbers = [self.choices.whole(loop.number) for loop in loops]
        if not self._is_plain(numbers, by):
            return False
        last = [added(self.choices.polynomial(self._in(number, by)), {(): 1}, -1) for number in numbers]
        left = [
            added(number, self.choices.polynomial(by[loop.turn]), -1)
            for number, loop in zip(last, loops, strict=True)
        ]
        return all(is_never_negative(number, facts, [*by.values()]) for number in left)

    def _turns_of(self, loop: CountedLoop, turns: Sequence[int]) -> list[int]:
        """What may stand for the turns of a loop: some turns, and each one of a loop of a few."""
        number = constant_of(loop.number)
        few = number if number is not None and number <= _MOST_TURNS else 0
        return [*turns, *(self.choices.whole({(): k} if k else {}) for k in range(few))]

    def _is_among(self, load: _Load, at: int, made: _Made, by: Mapping[int, int], holds: int) -> bool:
        """Whether such a load is made in these turns where something holds."""
        for other, met in self._loads(made.doubts, load):
            ways = (met, *made.paths)
            if (
                (not by or self._is_plain([other.place, *ways], by))
                and self._in(other.place, by) == load.place
                and self._is_as_defined(load, other, at)
                and all(self.choices.implies(holds, self._in(way, by)) for way in ways)
            ):
                return True
        return False

    def _paths(self, at: int) -> list[int]:
        """The conditions that lead to a loop, from outside; none to what is done in no loop."""
        return [int(str(n)) for n in self.choices.keys[at][2:]] if at else []

    def _in(self, node: int, by: Mapping[int, int]) -> int:
        return self.choices.substituted(node, by, 1) if by else node

    def _is_plain(self, nodes: Sequence[int], by: Mapping[int, int]) -> bool:
        """Whether values depend on no loop but on the turns of some."""
        keys = {n: self.choices.keys[n][0] for n in self.choices.all_parts(nodes, -1)}
        return all(n in by or kind not in _OF_LOOPS for n, kind in keys.items())

    def _loads(self, doubts: Mapping[int, int], like: _Load) -> Iterator[tuple[_Load, int]]:
        """The loads, or the stores, that are of the type of one."""
        for what, where in doubts.items():
            load = self._load(what)
            if load is not None and (load.type, load.is_store) == (like.type, like.is_store):
                yield load, where

    def _is_as_defined(self, load: _Load, other: _Load, at: int) -> bool:
        """Whether what is loaded has a value where a load from the same place is made elsewhere.

        It has where nothing stores to it, or where that load is made before.
        """
        if load.is_store:
            return True
        if root_of(self.choices, load.place) in self.constants and not self._stores(load.type):
            return True
        if other.memory == self.choices.node("memory"):
            return True
        if len(self._paths(at)) > 1:
            return False
        begun = [int(str(self.choices.keys[at][1]))] if at else []
        return other.memory in self.choices.all_parts([load.memory, *begun], -1)

    def _stores(self, kind: str) -> bool:
        """Whether anything that is given may be stored to that has the format of a type."""
        for key in (self.choices.keys[what] for found in self.doubts.values() for what in found):
            if key[0] == "written":
                is_alike = key[1] not in FORMATS or FORMATS[str(key[1])] == FORMATS.get(kind)
                if is_alike and not self._roots(int(str(key[2]))) <= {"local"}:
                    return True
            nodes = [int(str(n)) for n in key[3:]] if key[0] == "called" else []
            if any("parameter" in self._roots(n) for n in nodes):
                return True
        return False

    def _roots(self, node: int) -> set[str]:
        """The kinds of the objects in which a place may be, or that of a value, without the constants."""
        root = root_of(self.choices, node)
        kind, *parts = self.choices.keys[root]
        if kind == "choice":
            return set[str]().union(*(self._roots(int(str(n))) for n in parts[1:]))
        return {str(kind)} - ({"parameter"} if root in self.constants else set[str]())


_INSIDE = 2
"""The conditions that lead to a loop in a loop of the function: that of the latter, and its own."""

_OF_LOOPS = ("turn", "before", "lost", "loop")
