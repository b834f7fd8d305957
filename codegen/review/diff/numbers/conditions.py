"""Inputs at which a function takes a way on which several comparisons have to come out together.

`3 < a && a < 4 && 3 < b && b < 4` holds at few points. Points are moved to where the comparisons that do not
come out as they should are closer to doing so, until all of them do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from codegen.ir.operations import Op
from codegen.review.diff.numbers.arithmetic import Points, inputs_below
from codegen.review.diff.numbers.assumed import Wanted
from codegen.review.diff.numbers.coordinates import Coordinates
from codegen.review.diff.numbers.gaps import Gaps
from codegen.review.diff.numbers.newton import Newton
from codegen.review.diff.numbers.points import Sampler
from codegen.review.diff.reading import Reading

_KEPT, _COPIES, _CROSSED, _ENOUGH = 16, 12, 4, 8
"""The points from which others are made in a round, how many are near each, how many have usual values in
place of some of its own, and how many points are enough."""

_STARTS, _TURNS, _STEPPED = 12, 3, 4
"""So many points take several steps of Newton's method at first, and copies with zeros; after each so many
rounds, so many of the best points take one."""

_ROUNDS, _PATIENCE = 60, 8
"""Limit on the rounds, and on those in a row, of usual weights, in which the gap does not become
smaller by a fifth."""

_WEIGHT = 2.0
"""A comparison has up to 10^2 times its usual weight."""


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


def around(reading: Reading, conditions: Sequence[Wanted], sampler: Sampler, points: Points) -> Points:
    """Such points, and others at all distances from them on the constraint set."""
    coordinates = Coordinates(sampler)
    found = _searched(reading, conditions, coordinates, points)
    return coordinates.at(np.hstack([found, coordinates.moved(found, _AROUND)]))


_AROUND = 24
"""So many points are near each that is found."""


def taking(reading: Reading, conditions: Sequence[Wanted], sampler: Sampler, points: Points) -> Points:
    """Such points, at which only the scalars matter on which the conditions depend."""
    coordinates = Coordinates(sampler)
    return np.array(coordinates.at(_searched(reading, conditions, coordinates, points)))


def _searched(
    reading: Reading, conditions: Sequence[Wanted], coordinates: Coordinates, points: Points
) -> Any:
    """The coordinates of such points.

    By turns, the gap of each comparison has a random weight: where two depend on the same numbers, none may
    come closer without the other one.
    """
    gaps, least, since = Gaps(reading, conditions), np.inf, 0
    random = coordinates.sampler.random
    newton = Newton(lambda tried: gaps.at(coordinates.at(tried)), coordinates.sampler)
    usual = coordinates.of(points)
    starts = usual[:, -_STARTS:]
    starts = np.hstack([starts, coordinates.sparse(starts)])
    numbers = np.hstack([usual, starts, newton.from_each(starts)])
    for turn in range(_ROUNDS):
        tried = numbers
        sizes = gaps.at(coordinates.at(tried)).sizes
        weights = 10.0 ** random.uniform(-_WEIGHT, _WEIGHT, (len(sizes), 1)) if turn % 2 else 1.0
        with np.errstate(all="ignore"):
            distances = (sizes * weights).sum(axis=0)
        order = np.argsort(distances, kind="stable")[:_KEPT]
        if turn % 2 == 0:  # where all comparisons have their usual weights
            since = 0 if distances[order[0]] < 0.8 * least else since + 1
            least = min(least, distances[order[0]])
        if distances[order[0]] == np.inf or since == _PATIENCE or (distances == 0).sum() >= _ENOUGH:
            break
        best = tried[:, order]
        others = coordinates.crossed(best, usual, _CROSSED)
        numbers = np.hstack([best, coordinates.moved(best, _COPIES), others])
        if turn % _TURNS == 0:
            numbers = np.hstack([numbers, newton.stepped(best[:, :_STEPPED])])
    return tried[:, distances == 0]


def free_of(reading: Reading, conditions: Sequence[Wanted], sampler: Sampler) -> Any:
    """Which scalars do not matter for conditions, and may have any value."""
    free = sampler.is_loose
    free[[row for node, _ in conditions for row in inputs_below(reading, node)]] = False
    return free
