"""Inputs at which a function takes a way on which several comparisons have to come out together.

`3 < a && a < 4 && 3 < b && b < 4` holds at few points. Points are moved to where the comparisons that do not
come out as they should are closer to doing so, until all of them do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from codegen.ir.operations import Op
from codegen.review.diff.numbers.arithmetic import Points, inputs_below, values_below
from codegen.review.diff.numbers.assumed import Wanted
from codegen.review.diff.numbers.coordinates import Coordinates
from codegen.review.diff.numbers.points import Sampler
from codegen.review.diff.reading import Reading

_KEPT, _COPIES, _CROSSED, _ENOUGH = 16, 12, 4, 8
"""The points from which others are made in a round, how many are near each, how many have usual values in
place of some of its own, and how many points are enough."""

_ROUNDS, _PATIENCE = 60, 8
"""Limit on the rounds, and on those in a row, of usual weights, in which the gap does not become
smaller by a fifth."""

_LEAST_GAP = 1e-300
"""The gap of numbers that are too close for a smaller one, but on the wrong side of each other."""


def share_of(conditions: Sequence[Wanted], values: Sequence[Any]) -> float:
    """The share of some points at which conditions come out as they should, given the values of all nodes."""
    return float(_taken(conditions, values).mean())


def taken_by(conditions: Sequence[Wanted], values: Sequence[Any], count: int) -> Any:
    """At which of so many points conditions come out as they should, given the values of all nodes."""
    return np.broadcast_to(_taken(conditions, values), count)


def _taken(conditions: Sequence[Wanted], values: Sequence[Any]) -> Any:
    taken: Any = np.ones(1, dtype=bool)
    for node, wanted in conditions:
        taken = taken & (np.asarray(values[node], bool) == wanted)
    return taken


_WAYS = 3
"""Limit on the ways that lead from the results to a node."""


def ways_to(reading: Reading) -> Mapping[int, Sequence[Sequence[Wanted]]]:
    """For each node, some ways on which a result depends on it: the conditions of the choices around it.

    None of them asks of a condition that it holds and does not.
    """
    nodes = reading.program.nodes
    roots = [*reading.program.results, *(node for node, _ in reading.program.status)]
    found = dict[int, list[Sequence[Wanted]]]()
    open_: list[tuple[int, tuple[Wanted, ...]]] = [(root, ()) for root in reversed(roots)]
    while open_:
        here, way = open_.pop()
        known = found.setdefault(here, [])
        if way in known or len(known) == _WAYS:
            continue
        known.append(way)
        op, args, _ = nodes[here]
        if op is Op.SELECT:
            condition, *sides = args
            further = [(side, (condition, h)) for side, h in zip(sides, (True, False), strict=True)]
            open_ += [(side, (*way, end)) for side, end in further if may_follow(way, end)]
            open_.append((condition, way))
        elif op in (Op.AND, Op.OR):  # of which one operand matters where the other one does not decide
            operands = [(a, (b, op is Op.AND)) for a, b in (args, args[::-1])]
            open_ += [(a, (*way, end)) for a, end in operands if may_follow(way, end)]
        else:
            open_ += [(a, way) for a in args]
    return found


def may_follow(way: Sequence[Wanted], end: Wanted) -> bool:
    """Whether a condition may come out as it should behind a way, which does not ask the opposite of it."""
    node, wanted = end
    return (node, not wanted) not in way


def met(reading: Reading, conditions: Sequence[Wanted], sampler: Sampler, points: Points) -> Points:
    """Points of the constraint set at which conditions come out as they should, if a search finds them.

    The scalars on which the conditions do not depend have usual values.
    """
    found = taking(reading, conditions, sampler, points)
    others = np.flatnonzero(free_of(reading, conditions, sampler))
    usual = sampler.random.integers(0, points.shape[1], found.shape[1])
    found[others] = points[np.ix_(others, usual)]
    return found


def taking(reading: Reading, conditions: Sequence[Wanted], sampler: Sampler, points: Points) -> Points:
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


def free_of(reading: Reading, conditions: Sequence[Wanted], sampler: Sampler) -> Any:
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
