"""Samples inputs for a comparison: in the constraint set, of all sizes, and at boundaries of comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from codegen.ir.domain import edges_of, sample_of
from codegen.ir.operations import Op
from codegen.ir.program import Arg
from codegen.review.diff.numbers.arithmetic import Points, from_ordinals, halfway, ordinals, run, value_of
from codegen.review.diff.numbers.freedom import is_free, limits_of, within
from codegen.review.diff.reading import Reading

RANDOM, ADVERSARIAL, WIDE, MANY, TWINS = 96, 64, 192, 8192, 48
SIMPLE, _TRIED = 256, 24
_SMALL = np.array([0.0, 0.0, 0.0, 1.0, 1.0, -1.0, 2.0, -2.0, 3.0])
_PAIRS, _NEIGHBOURS, _FURTHER, _ROUNDS = 24, 64, 32, 40


class Row(np.ndarray[Any, Any]):
    """One scalar at many points; multiplication by a vector is left to the vector's own operator."""

    def __mul__(self, other: Any) -> Any:
        return NotImplemented if hasattr(other, "zip_with") else super().__mul__(other)


def stacked(rows: Sequence[Any], count: int) -> Any:
    """Scalars at many points, or the same at all of them, as one array."""
    found = np.empty((len(rows), count))
    for i, row in enumerate(rows):
        found[i] = row
    return found


class Sampler:
    """Inputs of one function, the same ones in every run."""

    def __init__(self, inputs: Sequence[Arg], kind: Any) -> None:
        self.inputs, self.kind = inputs, kind
        self.random = np.random.default_rng(20080131)
        self.limits = [limits for argument in inputs for limits in limits_of(argument)]

    def typical(self) -> Points:
        """Random, adversarial and edge points of the constraint set, inside declared ranges."""
        columns = [self._sampled(RANDOM, np.ones(1)), self._sampled(ADVERSARIAL, np.array([1e-3, 1, 1, 1e3]))]
        columns.append(self._at_edges())
        return self._as_floats(np.hstack(columns))

    def _at_edges(self) -> Any:
        """Two random points for each edge of each argument, with the argument there."""
        edges = [(k, edge) for k, argument in enumerate(self.inputs) for edge in edges_of(argument)]
        points = self._sampled(2 * len(edges), np.ones(1))
        for i, (k, edge) in enumerate(edges):
            first = sum(a.size for a in self.inputs[:k])
            points[first : first + len(edge), 2 * i : 2 * i + 2] = np.array([[float(x)] for x in edge])
        return points

    def simple(self) -> Points:
        """Points of the constraint set from few small whole numbers, as far as it has any."""
        count = SIMPLE
        columns = [self._small(argument, count) for argument in self.inputs]
        points = self._as_floats(np.vstack([*columns, np.zeros((0, count))]))
        return points[:, np.isfinite(points).all(axis=0)]

    def _small(self, argument: Arg, count: int) -> Any:
        """Values of an argument: in half of the columns edges of its type, in the others random ones."""

        def draw() -> Any:
            return _SMALL[self.random.integers(0, len(_SMALL), count)].view(Row)

        with np.errstate(all="ignore"):
            rows = stacked(sample_of(argument, draw), count)
        edges = np.array([[float(x) for x in edge] for edge in edges_of(argument)]).T
        chosen = edges[:, self.random.integers(0, edges.shape[1], count)]
        return np.where(self.random.random(count) < 0.5, chosen, rows)

    def plainer(self, point: Points) -> Points:
        """Copies of a point, each with one argument or one scalar replaced by a plainer value of its type."""
        found, first = [point[:, :0]], 0
        for argument in self.inputs:
            rows = slice(first, first + argument.size)
            first += argument.size
            values = self._small(argument, _TRIED)
            copies = np.repeat(point, values.shape[1], axis=1)
            copies[rows] = self._as_floats(values)
            found.append(copies)
            if argument.ends or is_free(argument):
                found += [self._rounded(point, i, argument, rows.start) for i in range(rows.start, rows.stop)]
        points = np.hstack(found)
        return points[:, np.isfinite(points).all(axis=0)]

    def _rounded(self, point: Points, row: int, argument: Arg, start: int) -> Points:
        """Copies of a point with one scalar replaced by 0, 1 or fewer digits, inside its range."""
        x = float(point[row, 0])
        tried = np.array([0.0, 1.0, *(float(f"{x:.{digits}g}") for digits in (1, 2, 3))])
        if argument.ends:
            low, high = argument.ends[row - start]
            tried = tried[(tried >= float(low)) & (tried <= float(high))]
        copies = np.repeat(point, len(tried), axis=1)
        copies[row] = self._as_floats(tried)
        return copies

    def wide(self) -> Points:
        """Points of every size, without constraint, and with one scalar at the limits of its type."""
        info, n = np.finfo(self.kind), sum(a.size for a in self.inputs)
        span = float(info.maxexp)
        signs = self.random.choice([-1.0, 1.0], (n, 2 * WIDE))
        own = self.random.uniform(-span / 4, span / 4, (n, WIDE))
        common = self.random.uniform(-span, span, WIDE) + self.random.uniform(-2, 2, (n, WIDE))
        sized = self._as_floats(signs * np.exp2(np.clip(np.hstack([own, common]), -1070, 1020)))
        tiny = float(info.smallest_subnormal)
        most = float(info.max)
        values = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            tiny,
            float(info.tiny),
            most,
            -most,
            most**0.25,
            np.inf,
            -np.inf,
            np.nan,
        ]
        limits = self._as_floats(self._sampled(len(values) * n, np.ones(1)))
        for i in range(n):
            limits[i, i * len(values) : (i + 1) * len(values)] = values
        every = np.array(values)[None, :].repeat(n, axis=0)
        masks = np.hstack([np.eye(n), self.random.integers(0, 2, (n, WIDE))])
        sparse = masks * self._sampled(masks.shape[1], np.ones(1))
        mixed = self._mixed(sized, self._as_floats(np.array(values)))
        plain = [self._as_floats(points) for points in (every, sparse, self._vanishing(n))]
        return np.hstack([sized, limits, *plain, mixed])

    def _vanishing(self, n: int) -> Any:
        """Points with one argument zero and the others of one sign, so that zeros of both signs arise."""
        first, columns = 0, [np.zeros((n, 0))]
        for argument in self.inputs:
            points = np.tile(np.array([1.0, -1.0]), (n, 2))
            points[first : first + argument.size] = [0.0, 0.0, -0.0, -0.0]
            columns.append(points)
            first += argument.size
        return np.hstack(columns)

    def _mixed(self, points: Points, values: Points) -> Points:
        """Points in which one scalar or several have one of the values, on either side of comparisons."""
        chosen = self.random.choice(values, (2, *points.shape))
        some = self.random.random(points.shape) < self.random.uniform(0.05, 0.6, points.shape[1])
        one = np.arange(points.shape[0])[:, None] == self.random.integers(
            0, max(len(points), 1), points.shape[1]
        )
        return np.hstack([np.where(m, c, points) for m, c in zip((some, one), chosen, strict=True)])

    def many(self) -> Points:
        """Many random points of the constraint set, of several scales."""
        return self._as_floats(self._sampled(MANY, np.exp2(np.arange(-6, 4))))

    @property
    def ranged(self) -> bool:
        """Whether a range is declared for any of the inputs."""
        return any(a.ends for a in self.inputs)

    @property
    def is_loose(self) -> Any:
        """Of each scalar, whether it may have any value, or any in its range, whatever the others have."""
        return np.array([limits is not None for limits in self.limits], dtype=bool)

    def within(self, points: Points) -> Points:
        """The points moved into the declared ranges, with positive numbers where only these make sense."""
        return within(points, self.limits)

    def near_edges(self, reading: Reading, comparisons: Sequence[int], points: Points) -> Points:
        """Points on both sides of the boundary where each of these comparisons changes its truth value."""
        finite = points[:, np.isfinite(points).all(axis=0)]
        found = [self._near_edge(reading, c, finite) for c in comparisons]
        return np.hstack([*found, points[:, :0]])

    def _near_edge(self, reading: Reading, comparison: int, points: Points) -> Points:
        points = self._both_ways(reading, comparison, points)
        is_above = above(reading, comparison, points)
        truth = is_above(points)
        holds, fails = np.flatnonzero(truth), np.flatnonzero(~truth)
        if not len(holds) or not len(fails):
            return points
        chosen = (points[:, self.random.choice(side, _PAIRS)] for side in (holds, fails))
        return np.hstack([self.between(is_above, *chosen), points])

    def between(self, is_above: Callable[[Points], Any], holds: Points, fails: Points) -> Points:
        """Points around the boundary of a comparison, between those where it holds and where it fails."""
        return self.beside(self.at_edge(is_above, holds, fails))

    def at_edge(self, is_above: Callable[[Points], Any], holds: Points, fails: Points) -> Points:
        """Points at the boundary of a comparison, between those where it holds and where it fails."""
        low, high = ordinals(holds), ordinals(fails)
        for _ in range(66):  # then each scalar's neighbours are adjacent floats
            middle = halfway(low, high)
            truth = is_above(from_ordinals(middle, self.kind))
            low, high = np.where(truth, middle, low), np.where(truth, high, middle)
        return from_ordinals(np.hstack([low, high]), self.kind)

    def crowd(self, points: Points, copies: int) -> Points:
        """Copies of points, with some of the loose scalars moved by an ulp or few."""
        many = np.repeat(points, copies, axis=1)
        moved = self.within(self._moved(ordinals(points), copies, 2))
        return np.where(self.is_loose[:, None], moved, many)

    def beside(self, points: Points) -> Points:
        """The points, and copies with some scalars moved by few ulp, or by those of half their digits."""
        numbers, bits = ordinals(points), np.finfo(self.kind).nmant // 2
        near = [self._moved(numbers, count, b) for count, b in ((_NEIGHBOURS, 6), (_FURTHER, bits))]
        return np.hstack([points, *near])

    def near(self, points: Points, copies: int) -> Points:
        """Copies of points on the constraint set, with some scalars moved by steps of all sizes.

        Scalars that depend on each other, as those of a rotation, stay.
        """
        return self.moved(points, copies, self.is_loose)

    def moved(self, points: Points, copies: int, movable: Any) -> Points:
        """Copies of points with some of the movable scalars, which are loose, moved by steps of all sizes."""
        many = np.repeat(points, copies, axis=1)
        moved = self.within(self._moved(ordinals(points), copies, np.finfo(self.kind).bits - 4))
        return np.where(movable[:, None], moved, many)

    def twins(self) -> Points:
        """Points of the constraint set at which scalars are nearly equal in pairs.

        These are neighbours in the order of the arguments, those of its two halves, or any: coordinates of
        two points may be passed in each of these ways.
        """
        points = self._as_floats(self._sampled(3 * TWINS, np.ones(1)))
        rows = np.flatnonzero(self.is_loose)
        half = len(rows) // 2
        for column in range(3 * TWINS if half else 0):
            order = (rows, np.ravel([rows[:half], rows[half : 2 * half]], "F"), self.random.permutation(rows))
            first, second = (order[column % 3][k : 2 * half : 2] for k in (0, 1))
            apart = np.exp2(-self.random.uniform(2, np.finfo(self.kind).nmant)) * self.random.uniform(
                -1, 1, half
            )
            points[second, column] = points[first, column] * (1 + apart)
        return self.within(points)

    def spoilt(self, points: Points) -> Points:
        """The points, each with one scalar that is infinite or no number."""
        special = self.random.choice(np.array([np.inf, -np.inf, np.nan]), points.shape)
        one = np.arange(len(points))[:, None] == self.random.integers(0, max(len(points), 1), points.shape[1])
        return self._as_floats(np.where(one, special, points))

    def joint(self) -> Points:
        """Points at which some scalars are zero, and others infinite, no number or at the limits."""
        info, n = np.finfo(self.kind), sum(a.size for a in self.inputs)
        zeros = self.random.integers(0, 2, (n, WIDE)) * self._sampled(WIDE, np.ones(1))
        special = np.array([np.inf, -np.inf, np.nan, float(info.max), float(info.smallest_subnormal)])
        return self._mixed(self._as_floats(zeros), self._as_floats(special))

    def _both_ways(self, reading: Reading, comparison: int, points: Points) -> Points:
        """Points at which the comparison holds and others at which it fails, if a search finds them."""
        op, args, _ = reading.program.nodes[comparison]
        if op not in COMPARING:
            return points
        a, b = args
        for _ in range(_ROUNDS):
            truth = value_of(reading, comparison, points)
            if truth.any() and not truth.all():
                break
            low, high = (value_of(reading, side, points) for side in (a, b))
            with np.errstate(all="ignore"):
                gap = np.abs(low.astype(float) - high)
            best = points[:, np.argsort(np.where(np.isnan(gap), np.inf, gap))[:16]]
            points = np.hstack([best, self._moved(ordinals(best), 16, np.finfo(self.kind).bits - 4)])
        return points

    def _moved(self, numbers: Any, copies: int, bits: int) -> Points:
        """Copies of points with some scalars moved by up to 2^bits ulp."""
        many = np.repeat(numbers, copies, axis=1)
        steps = np.exp2(self.random.uniform(0, bits, many.shape)).astype(np.int64)
        chosen = self.random.random(many.shape) < self.random.uniform(0.1, 1.0, (1, many.shape[1]))
        return from_ordinals(many + steps * chosen * self.random.choice([-1, 1], many.shape), self.kind)

    def _sampled(self, count: int, scales: Any) -> Any:
        def draw() -> Any:
            drawn = self.random.uniform(-2, 2, count) * scales[self.random.integers(0, len(scales), count)]
            return drawn.view(Row)

        return stacked([s for a in self.inputs for s in sample_of(a, draw)], count)

    def _as_floats(self, points: Any) -> Points:
        with np.errstate(over="ignore"):
            return points.astype(self.kind)


def thinned(points: Points, most: int) -> Points:
    """About so many of the points at most, evenly spread over their order."""
    return points[:, :: 1 + points.shape[1] // most]


COMPARING, JUMPING = (Op.LT, Op.LE), (Op.FLOOR, Op.STEP, Op.CELL)
"""The operations that compare, and those that give a whole number for each interval of numbers."""


def above(reading: Reading, node: int, points: Points) -> Callable[[Points], Any]:
    """Whether a comparison holds; or whether a whole number is above the median of those at some points."""
    if reading.program.nodes[node].op in COMPARING:
        return lambda tried: value_of(reading, node, tried)
    values = np.asarray(value_of(reading, node, points), np.float64)
    known = values[np.isfinite(values)]
    level = float(np.median(known)) if known.size else 0.0
    return lambda tried: value_of(reading, node, tried) > level


def comparisons(reading: Reading) -> list[int]:
    """The nodes that compare."""
    return [i for i, node in enumerate(reading.program.nodes) if node.op in COMPARING]


def one_sided(reading: Reading, points: Points) -> list[int]:
    """The comparisons that come out the same at all points."""
    values = run(reading, points).values
    return [c for c in comparisons(reading) if values[c].all() or not values[c].any()]
