"""Sides of choices that few inputs take, and inputs that do.

What two versions do there differs at no usual point. Points are searched that take such a side; the scalars
that its conditions leave free have usual values then, or such as are nearly equal, or at boundaries of
comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from codegen.ir.operations import Op
from codegen.ir.rewriting import depth_first
from codegen.review.diff.numbers.arithmetic import Points, inputs_below, run, values_below
from codegen.review.diff.numbers.assumed import Wanted, as_if, parts_of, under
from codegen.review.diff.numbers.comparisons import numbered_alike
from codegen.review.diff.numbers.conditions import free_of, may_follow, met, share_of, taking, ways_to
from codegen.review.diff.numbers.points import COMPARING, Sampler, above, thinned
from codegen.review.diff.numbers.protected import possible
from codegen.review.diff.numbers.versions import Versions
from codegen.review.diff.reading import Reading

_RARE = 0.03
"""A side of a choice is rare where fewer than this share of the usual points take it."""

_BASES, _ENDS = 4, 12
"""The points on a side from which the boundaries of comparisons are searched, and in how many intervals."""


class Side(NamedTuple):
    """A side of a choice that few points take, and points that do.

    `twins` are points with scalars that are nearly equal in pairs, `edges` those where comparisons come out
    one way or the other. `free` are the scalars that the conditions leave free, as a mask: those of a `way`
    in a `reading`. `assumed` are both versions as if all points took this side; None where only one of them
    tests the conditions.
    """

    points: Points
    twins: Points
    edges: Points
    free: Any
    reading: Reading
    way: Sequence[Wanted]
    assumed: Versions | None

    def taken_by(self, points: Points) -> Points:
        """Those of the points that take this side."""
        return _taking(self.reading, self.way, points)


class Rare(NamedTuple):
    """Sides of choices that few points take, those that no point was found to take, and the others' number.

    Of the `unmet` sides, both versions are given as if all points met what none does; other conditions, which
    may protect a side, stay.
    """

    sides: Sequence[Side]
    unmet: Sequence[Versions | None]
    left_out: int


def at_rare_sides(
    versions: Versions, compared: Sequence[Sequence[int]], sampler: Sampler, points: Points, most: int
) -> Rare:
    """Points of the constraint set on the rare sides of choices on which the versions may differ.

    `compared` are comparisons of each version that the other one does not make. At `most` so many sides of
    each are searched.
    """
    sides, unmet, left_out = list[Side](), list[Versions | None](), 0
    taken = dict[frozenset[Wanted], Points]()  # by the numbers of conditions, which both versions may test
    usual, numbers = np.hstack([points, sampler.twins()]), numbered_alike(versions)
    choices = _choices(versions, numbers)
    for k, (reading, of, own) in enumerate(zip(versions[:2], choices, compared, strict=True)):
        known, values = ways_to(reading), run(reading, points).values
        search = _Search(reading, numbers[k], own, known, sampler, usual, points.shape[1], taken)
        found = [*_rare_ways(reading, of, known, values), *_rare_ways_to(own, known, values)]
        ways = [*{_meaning(reading, numbers[k], way): way for way in reversed(found)}.values()][::-1]
        is_possible = possible(reading.program)
        ways = [way for way in ways if is_possible(parts_of(reading.program, way))]
        left_out += max(0, len(ways) - most)
        for way in ways[:most]:
            there = search.taking(way)
            if there.shape[1]:
                sides.append(search.side(way, there, under(versions, numbers, k, way)))
                continue
            assumed = as_if(versions, numbers, k, search.unmet(way, values))
            if assumed is None or assumed not in unmet:
                unmet.append(assumed)
    return Rare(sides, unmet, left_out)


def _meaning(reading: Reading, numbers: Sequence[int], way: Sequence[Wanted]) -> frozenset[Wanted]:
    """The numbers of the comparisons of a way, and how they come out, in no order."""
    return frozenset((numbers[node], wanted) for node, wanted in parts_of(reading.program, way))


@dataclass(frozen=True)
class _Search:
    """The search for points on sides of the choices of one version.

    `own` are comparisons of this version alone, `ways` lead to each node. `usual` are so many usual points,
    and behind them those with scalars that are nearly equal in pairs. `taken` are points that were found for
    the `numbers` of conditions.
    """

    reading: Reading
    numbers: Sequence[int]
    own: Sequence[int]
    ways: _Ways
    sampler: Sampler
    usual: Points
    count: int
    taken: dict[frozenset[Wanted], Points]

    def taking(self, way: Sequence[Wanted]) -> Points:
        """Points at which conditions come out as they should."""
        meaning = _meaning(self.reading, self.numbers, way)
        if meaning not in self.taken:
            self.taken[meaning] = taking(self.reading, way, self.sampler, self.usual[:, : self.count])
        return self.taken[meaning]

    def side(self, way: Sequence[Wanted], there: Points, assumed: Versions | None) -> Side:
        """The side to which some conditions lead, from points that take it."""
        free = free_of(self.reading, way, self.sampler)
        points = _with(there, free, self.usual)
        edges = [self._beside(c, free, points) for c in self.own]
        for comparison in (c for c in self.own if self._leads_to(way, c)):
            edges += [self._between(comparison, way, points), self._at(comparison, way, free, points)]
        ends = _taking(self.reading, way, np.hstack([points[:, :0], *edges]))
        known = self.reading, way
        return Side(points[:, : self.count], points[:, self.count :], ends, free, *known, assumed)

    def unmet(self, way: Sequence[Wanted], values: Sequence[Any]) -> list[Wanted]:
        """The conditions of a way that no point meets together with the others, which may protect it."""
        kept, unmet = list[Wanted](), list[Wanted]()
        for part in parts_of(self.reading.program, way):
            tried = [*kept, part]
            is_met = share_of(tried, values) > 0 or self.taking(tried).shape[1] > 0
            (kept if is_met else unmet).append(part)
        return unmet

    def _leads_to(self, way: Sequence[Wanted], comparison: int) -> bool:
        return way in self.ways.get(comparison, ())

    def _beside(self, comparison: int, free: Any, points: Points) -> Points:
        """Points on a rare side at a boundary of a comparison of scalars that are free there.

        Between two points with the same values of the other scalars, all are on that side.
        """
        found = [points[:, :0]]
        for base in range(_BASES if free[inputs_below(self.reading, comparison)].any() else 0):
            tried = _with(points[:, [base]], free, points)
            is_above = above(self.reading, comparison, tried)
            truth = is_above(tried)
            if truth.any() and not truth.all():
                random = self.sampler.random
                ends = (tried[:, random.choice(np.flatnonzero(t), _ENDS)] for t in (truth, ~truth))
                found.append(self.sampler.between(is_above, *ends))
        return np.hstack(found)

    def _between(self, comparison: int, way: Sequence[Wanted], points: Points) -> Points:
        """Points at a boundary of a comparison that comes out the same at all points found on a rare side."""
        is_above = above(self.reading, comparison, points)
        truth = np.broadcast_to(is_above(points), points.shape[1])
        is_same = truth.all() or not truth.any()
        if not is_same or self.reading.program.nodes[comparison].op not in COMPARING:
            return points[:, :0]
        found = taking(self.reading, [*way, (comparison, not truth[0])], self.sampler, points)
        if not found.shape[1]:
            return found
        random = self.sampler.random
        ends = [side[:, random.integers(0, side.shape[1], _ENDS)] for side in (points, found)]
        return np.hstack([found, self.sampler.between(is_above, *(ends if truth[0] else ends[::-1]))])

    def _at(self, comparison: int, way: Sequence[Wanted], free: Any, points: Points) -> Points:
        """Points on a rare side at a boundary of a comparison of scalars that are not free there."""
        if free[inputs_below(self.reading, comparison)].all():
            return points[:, :0]
        found = met(self.reading, [*way, (comparison, None)], self.sampler, points)
        return self.sampler.beside(thinned(found, _ENDS))


def _with(there: Points, free: Any, points: Points) -> Points:
    """The points, in which all scalars that are not free have the values of those that take a side."""
    copies = there[:, np.arange(points.shape[1]) % there.shape[1]]
    copies[free] = points[free]
    return copies


def _taking(reading: Reading, conditions: Sequence[Wanted], points: Points) -> Points:
    """Those of the points at which conditions come out as they should."""
    values = values_below(reading, [node for node, _ in conditions], points)
    taken = np.ones(points.shape[1], dtype=bool)
    for node, wanted in conditions:
        taken &= np.asarray(values[node], bool) == wanted
    return points[:, taken]


def _choices(versions: Versions, numbers: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each version, the choices on whose sides they may differ.

    These are the ones that the other version does not make between the same two values, and those with
    which one calculates what the other one does not.
    """
    readings = versions.old, versions.new
    made = [_sides(r, own) for r, own in zip(readings, numbers, strict=True)]
    found = list[list[int]]()
    for k, reading in enumerate(readings):
        others, sides = {*numbers[1 - k]}, {*made[1 - k].values()}
        used = _operands(reading, [i for i, n in enumerate(numbers[k]) if n not in others])
        found.append([i for i, chosen in made[k].items() if chosen not in sides or i in used])
    return found


def _sides(reading: Reading, numbers: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The choices, and the numbers of the values between which each of them chooses."""
    nodes = enumerate(reading.program.nodes)
    return {i: (numbers[n.args[1]], numbers[n.args[2]]) for i, n in nodes if n.op is Op.SELECT}


def _operands(reading: Reading, of: Sequence[int]) -> set[int]:
    """The nodes with which some others calculate, apart from those that only choose."""
    nodes = reading.program.nodes
    operands = (a for i in of if nodes[i].op is not Op.SELECT for a in nodes[i].args)
    return {*depth_first(operands, lambda i: nodes[i].args)}


_Ways: TypeAlias = Mapping[int, Sequence[Sequence[Wanted]]]
"""The ways that lead to each node."""


def _rare_ways(
    reading: Reading, choices: Sequence[int], ways: _Ways, values: Sequence[Any]
) -> Iterator[tuple[Wanted, ...]]:
    """The conditions of the rare sides of choices, except those with which nothing is computed."""
    nodes = reading.program.nodes
    used = _operands(reading, range(len(nodes)))
    for choice in choices:
        condition, *sides = nodes[choice].args
        for side, holds in zip(sides, (True, False), strict=True):
            if nodes[side].op in (Op.CONSTANT, Op.INPUT) and choice not in used:
                continue
            for way in ways.get(choice, ()):
                ends = _alternatives(reading, (condition, holds))
                found = [(*way, end) for end in ends if may_follow(way, end)]
                yield from (conditions for conditions in found if share_of(conditions, values) < _RARE)


def _alternatives(reading: Reading, end: Wanted) -> list[Wanted]:
    """A condition, and each part of it that decides it: of `a or b`, which holds where a does, or b."""
    node, wanted = end
    op, args, _ = reading.program.nodes[node]
    return [end, *((a, wanted) for a in args)] if op is (Op.OR if wanted else Op.AND) else [end]


def _rare_ways_to(
    comparisons: Sequence[int], ways: _Ways, values: Sequence[Any]
) -> Iterator[tuple[Wanted, ...]]:
    """The conditions under which comparisons matter, where these are rare, or where one comes out rarely."""
    for comparison in comparisons:
        for way in ways.get(comparison, ()):
            ends = [way, *((*way, (comparison, holds)) for holds in (True, False))]
            if way and min(share_of(end, values) for end in ends) < _RARE:
                yield tuple(way)
