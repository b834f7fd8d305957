"""Inputs at which a function takes a way on which several comparisons have to come out together.

`3 < a && a < 4 && 3 < b && b < 4` holds at few points. Points are moved to where the comparisons that do not
come out as they should are closer to doing so, until all of them do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from codegen.ir.operations import Op
from codegen.ir.rewriting import depth_first
from codegen.review.diff.numbers.arithmetic import Points, inputs_below, run, values_below
from codegen.review.diff.numbers.assumed import Wanted, under
from codegen.review.diff.numbers.coordinates import Coordinates
from codegen.review.diff.numbers.points import COMPARING, Sampler, above
from codegen.review.diff.numbers.versions import Versions, numbered
from codegen.review.diff.reading import Reading

_KEPT, _COPIES, _CROSSED, _ENOUGH = 16, 12, 4, 8
"""The points from which others are made in a round, how many are near each, how many have usual values in
place of some of its own, and how many points are enough."""

_BASES = 4
"""The points on a side from which the boundaries of comparisons are searched."""

_ROUNDS, _PATIENCE = 60, 8
"""Limit on the rounds, and on those in a row, of usual weights, in which the gap does not become
smaller by a fifth."""

_RARE = 0.03
"""A side of a choice is rare where fewer than this share of the usual points take it."""

_WORK = 20_000
"""Limit on the ways that are searched times the operations of a function."""


class Side(NamedTuple):
    """A side of a choice that few points take, and points that do.

    `twins` are points with scalars that are nearly equal in pairs, `edges` those where comparisons come out
    one way or the other. `free` are the scalars that the conditions leave free, as a mask. `assumed` are both
    versions as if all points took this side; None where only one of them tests the conditions.
    """

    points: Points
    twins: Points
    edges: Points
    free: Any
    assumed: Versions | None


class Rare(NamedTuple):
    """Sides of choices that few points take, those that no point was found to take, and the others' number.

    Of the `unmet` sides, both versions are given as if all points took them, as those of a side.
    """

    sides: Sequence[Side]
    unmet: Sequence[Versions | None]
    left_out: int


def at_rare_sides(
    versions: Versions, compared: Sequence[Sequence[int]], sampler: Sampler, points: Points
) -> Rare:
    """Points of the constraint set on the rare sides of choices that only one version makes.

    `compared` are comparisons of each version that the other one does not make.
    """
    sides, unmet, left_out = list[Side](), list[Versions | None](), 0
    twins, numbers = sampler.twins(), numbered(versions)
    choices = _choices(versions, numbers)
    for k, (reading, of, own) in enumerate(zip(versions[:2], choices, compared, strict=True)):
        paths, values = paths_of(reading), run(reading, points).values
        ways = [*_rare_ways(reading, of, paths, values), *_rare_ways_to(own, paths, values)]
        most = max(_LEAST, _WORK // len(reading.program.nodes))
        left_out += max(0, len(ways) - most)
        for way in ways[:most]:
            there, assumed = _met(reading, way, sampler, points), under(versions, numbers, k, way)
            if there.shape[1]:
                free = _free(reading, way, sampler)
                usual = _with(there, free, np.hstack([points, twins]))
                edges = [_beside(reading, c, free, sampler, usual) for c in own]
                led_to = [c for c in own if tuple(paths.get(c, ())) == tuple(way)]
                edges += [_between(reading, c, way, sampler, usual) for c in led_to]
                ends = _taking(reading, way, np.hstack([points[:, :0], *edges]))
                count = points.shape[1]
                sides.append(Side(usual[:, :count], usual[:, count:], ends, free, assumed))
            elif assumed is None or assumed not in unmet:
                unmet.append(assumed)
    return Rare(sides, unmet, left_out)


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


def _beside(reading: Reading, comparison: int, free: Any, sampler: Sampler, points: Points) -> Points:
    """Points on a rare side at a boundary of a comparison of scalars that are free there.

    Between two points with the same values of the other scalars, all are on that side.
    """
    found = [points[:, :0]]
    for base in range(_BASES if free[inputs_below(reading, comparison)].any() else 0):
        tried = _with(points[:, [base]], free, points)
        is_above = above(reading, comparison, tried)
        truth = is_above(tried)
        if truth.any() and not truth.all():
            ends = (tried[:, sampler.random.choice(np.flatnonzero(t), _COPIES)] for t in (truth, ~truth))
            found.append(sampler.between(is_above, *ends))
    return np.hstack(found)


def _between(
    reading: Reading, comparison: int, way: Sequence[Wanted], sampler: Sampler, points: Points
) -> Points:
    """Points at a boundary of a comparison that comes out the same at all points found on a rare side."""
    is_above = above(reading, comparison, points)
    truth = np.broadcast_to(is_above(points), points.shape[1])
    is_same = truth.all() or not truth.any()
    if not is_same or reading.program.nodes[comparison].op not in COMPARING:
        return points[:, :0]
    found = _met(reading, [*way, (comparison, not truth[0])], sampler, points)
    if not found.shape[1]:
        return found
    ends = [side[:, sampler.random.integers(0, side.shape[1], _COPIES)] for side in (points, found)]
    return np.hstack([found, sampler.between(is_above, *(ends if truth[0] else ends[::-1]))])


_LEAST_GAP = 1e-300
"""The gap of numbers that are too close for a smaller one, but on the wrong side of each other."""

_LEAST = 4
"""So many ways are searched in any function."""


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


def _rare_ways(
    reading: Reading, choices: Sequence[int], paths: Mapping[int, Sequence[Wanted]], values: Sequence[Any]
) -> Iterator[Sequence[Wanted]]:
    """The conditions of the rare sides of choices, except those with which nothing is computed."""
    nodes = reading.program.nodes
    used = _operands(reading, range(len(nodes)))
    for choice in choices:
        condition, *sides = nodes[choice].args
        for side, holds in zip(sides, (True, False), strict=True):
            is_plain = nodes[side].op in (Op.CONSTANT, Op.INPUT) and choice not in used
            if is_plain or choice not in paths:
                continue
            conditions = [*paths[choice], (condition, holds)]
            if share_of(conditions, values) < _RARE:
                yield conditions


def _rare_ways_to(
    comparisons: Sequence[int], paths: Mapping[int, Sequence[Wanted]], values: Sequence[Any]
) -> Iterator[Sequence[Wanted]]:
    """The conditions under which comparisons matter, where these are rare, or where one comes out rarely."""
    found = dict[Sequence[Wanted], None]()
    for comparison in comparisons:
        conditions = tuple(paths.get(comparison, ()))
        ends = [conditions, *((*conditions, (comparison, holds)) for holds in (True, False))]
        if conditions and min(share_of(end, values) for end in ends) < _RARE:
            found[conditions] = None
    yield from found


def share_of(conditions: Sequence[Wanted], values: Sequence[Any]) -> float:
    """The share of some points at which conditions come out as they should, given the values of all nodes."""
    taken: Any = np.ones(1, dtype=bool)
    for node, wanted in conditions:
        taken = taken & (np.asarray(values[node], bool) == wanted)
    return float(taken.mean())


def paths_of(reading: Reading) -> Mapping[int, Sequence[Wanted]]:
    """For each node, conditions under which a result depends on it: those of the choices around it."""
    nodes = reading.program.nodes
    roots = [*reading.program.results, *(node for node, _ in reading.program.status)]
    found = dict[int, Sequence[Wanted]]()
    open_: list[tuple[int, tuple[Wanted, ...]]] = [(root, ()) for root in reversed(roots)]
    while open_:
        here, path = open_.pop()
        if here in found:
            continue
        found[here] = path
        op, args, _ = nodes[here]
        if op is Op.SELECT:
            condition, *sides = args
            open_ += [(side, (*path, (condition, h))) for side, h in zip(sides, (True, False), strict=True)]
            open_.append((condition, path))
        elif op in (Op.AND, Op.OR):  # of which one operand matters where the other one does not decide
            open_ += [(a, (*path, (b, op is Op.AND))) for a, b in (args, args[::-1])]
        else:
            open_ += [(a, path) for a in args]
    return found


def met(reading: Reading, conditions: Sequence[Wanted], sampler: Sampler, points: Points) -> Points:
    """Points of the constraint set at which conditions come out as they should, if a search finds them.

    The scalars on which the conditions do not depend have usual values.
    """
    found = _met(reading, conditions, sampler, points)
    others = np.flatnonzero(_free(reading, conditions, sampler))
    usual = sampler.random.integers(0, points.shape[1], found.shape[1])
    found[others] = points[np.ix_(others, usual)]
    return found


def _met(reading: Reading, conditions: Sequence[Wanted], sampler: Sampler, points: Points) -> Points:
    """Such points, at which only the scalars matter on which the conditions depend."""
    coordinates = Coordinates(sampler)
    numbers = usual = coordinates.of(points)
    distance, least, since = _Distance(reading, conditions), np.inf, 0
    for turn in range(_ROUNDS):
        here = coordinates.at(numbers)
        distance.weights = dict[int, float]() if turn % 2 else None
        gaps = distance.of(here, sampler.random)
        order = np.argsort(gaps, kind="stable")[:_KEPT]
        if turn % 2 == 0:  # where all comparisons have their usual weights
            since = 0 if gaps[order[0]] < 0.8 * least else since + 1
            least = min(least, gaps[order[0]])
        if gaps[order[0]] == np.inf or since == _PATIENCE or (gaps == 0).sum() >= _ENOUGH:
            break
        best = numbers[:, order]
        others = coordinates.crossed(best, usual, _CROSSED)
        numbers = np.hstack([best, coordinates.moved(best, _COPIES), others])
    return np.array(here[:, gaps == 0])


def _free(reading: Reading, conditions: Sequence[Wanted], sampler: Sampler) -> Any:
    """Which scalars do not matter for conditions, and may have any value."""
    free = sampler.is_loose
    free[[row for node, _ in conditions for row in inputs_below(reading, node)]] = False
    return free


class _Distance:
    """How far points are from where conditions come out as they should.

    Each comparison counts with its gap, relative to a usual one, and by turns with a random weight: where two
    comparisons depend on the same numbers, none may come closer without the other one.
    """

    def __init__(self, reading: Reading, conditions: Sequence[Wanted]) -> None:
        self.reading, self.conditions = reading, conditions
        self.scales = dict[int, float]()
        self.weights: dict[int, float] | None = None

    def of(self, points: Points, random: np.random.Generator) -> Any:
        """The sum of the gaps at each point; 0 where there is none."""
        values = values_below(self.reading, [node for node, _ in self.conditions], points)
        total = np.zeros(points.shape[1])
        with np.errstate(all="ignore"):
            for node, wanted in self.conditions:
                total = total + self._gap(node, wanted, values, random)
        return np.where(np.isnan(total), np.inf, total)

    def _gap(
        self, node: int, wanted: bool | None, values: Mapping[int, Any], random: np.random.Generator
    ) -> Any:
        op, args, _ = self.reading.program.nodes[node]
        if wanted is None:
            return self._scaled(node, values[node], np.zeros(1), random)
        if op is Op.NOT:
            return self._gap(args[0], not wanted, values, random)
        if op in (Op.AND, Op.OR):
            sides = [self._gap(a, wanted, values, random) for a in args]
            return np.add(*sides) if (op is Op.AND) == wanted else np.minimum(*sides)
        missed = np.asarray(values[node], bool) != wanted
        if op not in (Op.LT, Op.LE):
            return np.where(missed, np.inf, 0.0)
        gap = self._scaled(node, values[args[0]], values[args[1]], random)
        return np.where(missed, np.maximum(gap, _LEAST_GAP), 0.0)

    def _scaled(self, node: int, a: Any, b: Any, random: np.random.Generator) -> Any:
        """The distance of two numbers relative to their usual size, with the weight of the turn."""
        a, b = (np.asarray(x, np.float64) for x in (a, b))
        if node not in self.scales:
            sizes = np.ravel(np.abs(a) + np.abs(b))
            known = sizes[np.isfinite(sizes)]
            scale = float(np.median(known)) if known.size else 0.0
            self.scales[node] = scale if scale > 0 else 1.0
        weight = 1.0
        if self.weights is not None:
            weight = self.weights.setdefault(node, 10.0 ** random.uniform(-_WEIGHT, _WEIGHT))
        return np.abs(a - b) / self.scales[node] * weight


_WEIGHT = 2.0
"""A comparison has up to 10^2 times its usual weight."""
