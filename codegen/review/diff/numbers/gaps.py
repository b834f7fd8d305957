"""How far points are from where conditions come out as they should."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from codegen.ir.arrays import Constants
from codegen.ir.operations import Op
from codegen.review.diff.numbers.arithmetic import Points, scalar_type, values_below
from codegen.review.diff.numbers.assumed import Wanted
from codegen.review.diff.numbers.points import COMPARING, JUMPING
from codegen.review.diff.numbers.summands import zero_with
from codegen.review.diff.reading import Reading

_LEAST_GAP = 1e-300
"""The gap of numbers that are too close for a smaller one, but on the wrong side of each other."""

_FEW = 4
"""Numbers are at a boundary where they differ by so few ulp."""


class Gap(NamedTuple):
    """What comparisons compare: a row for each, a column for each point.

    These are the differences of the numbers, relative to their usual size; infinite where none is known. Some
    comparisons do not come out as they should.
    """

    apart: Any
    is_missed: Any

    @property
    def sizes(self) -> Any:
        """How far each comparison is from coming out as it should; 0 where it does."""
        return np.where(self.is_missed, np.maximum(np.abs(self.apart), _LEAST_GAP), 0.0)


class Gaps:
    """What the comparisons compare that conditions are made of."""

    def __init__(self, reading: Reading, conditions: Sequence[Wanted]) -> None:
        self.reading, self.conditions = reading, conditions
        self.scales = dict[int, float]()
        self.zero_with = {
            n: zero_with(reading, n) for n, wanted in conditions if not isinstance(wanted, bool)
        }

    def at(self, points: Points) -> Gap:
        """The gap at each point."""
        values = values_below(self.reading, [node for node, _ in self.conditions], points)
        with np.errstate(all="ignore"):
            rows = [row for end in self.conditions for row in self._of(end, values)]
        apart = np.empty((len(rows), points.shape[1]))
        is_missed = np.empty(apart.shape, dtype=bool)
        for i, row in enumerate(rows):
            apart[i], is_missed[i] = row
        return Gap(np.where(np.isnan(apart), np.inf, apart), is_missed | np.isnan(apart))

    def _of(self, end: Wanted, values: Mapping[int, Any]) -> list[Gap]:
        node, wanted = end
        op, args, _ = self.reading.program.nodes[node]
        if wanted is None and op in (*COMPARING, *JUMPING):
            return [self._to_jump(node, values)]
        if isinstance(wanted, float):
            parts = [node] if wanted else self.zero_with[node]
            return [self._to_level(part, wanted, values) for part in parts]
        if wanted is None:
            return [self._to_zero(part, values) for part in self.zero_with[node]]
        if op is Op.NOT:
            return self._of((args[0], not wanted), values)
        if op in (Op.AND, Op.OR):
            sides = [self._of((a, wanted), values) for a in args]
            return [*sides[0], *sides[1]] if (op is Op.AND) == wanted else _closer(*sides)
        is_missed = np.asarray(values[node], bool) != wanted
        if op not in COMPARING:
            return [Gap(np.where(is_missed, np.inf, 0.0), is_missed)]
        return [Gap(self._scaled(node, values[args[0]], values[args[1]]), is_missed)]

    def _to_zero(self, node: int, values: Mapping[int, Any]) -> Gap:
        """The gap of a number that should be zero, which a constant never is."""
        value = np.asarray(values[node], np.float64)
        if self.reading.program.nodes[node].op is Op.CONSTANT:
            value = np.where(value == 0, value, np.inf)
        return Gap(self._scaled(node, value, np.zeros(1)), value != 0)

    def _to_level(self, node: int, level: float, values: Mapping[int, Any]) -> Gap:
        """The gap of a number that should be about another one, up to the round-off of usual numbers."""
        apart = self._scaled(node, values[node], np.array([level]))
        return Gap(apart, ~(np.abs(apart) <= _FEW * np.finfo(scalar_type(self.reading)).eps))

    def _to_jump(self, node: int, values: Mapping[int, Any]) -> Gap:
        """The gap of a comparison, or a whole number, that should be about to change."""
        op, args, _ = self.reading.program.nodes[node]
        if op in COMPARING:
            return self._about(node, values[args[0]], values[args[1]])
        if op is Op.CELL:
            x = np.atleast_1d(np.asarray(values[args[1]], np.float64))
            return self._about(node, x, _nearest(values[args[0]], x))
        return self._about(node, values[args[0]], np.round(values[args[0]]))

    def _about(self, node: int, a: Any, b: Any) -> Gap:
        """The gap of numbers that should be equal up to their round-off."""
        few = _FEW * np.finfo(scalar_type(self.reading)).eps
        return Gap(self._scaled(node, a, b), ~(np.abs(a - b) <= few * np.abs(b)))

    def _scaled(self, node: int, a: Any, b: Any) -> Any:
        """The difference of two numbers relative to their usual size."""
        a, b = (np.asarray(x, np.float64) for x in (a, b))
        if node not in self.scales:
            sizes = np.ravel(np.abs(a) + np.abs(b))
            known = sizes[np.isfinite(sizes)]
            scale = float(np.median(known)) if known.size else 0.0
            self.scales[node] = scale if scale > 0 else 1.0
        return (a - b) / self.scales[node]


def _closer(first: Sequence[Gap], second: Sequence[Gap]) -> list[Gap]:
    """The gaps of one of two conditions, at each point of the one that is closer."""
    is_first = np.less_equal(*(sum(gap.sizes for gap in side) for side in (first, second)))
    return [
        *(Gap(np.where(is_first, gap.apart, 0.0), gap.is_missed & is_first) for gap in first),
        *(Gap(np.where(is_first, 0.0, gap.apart), gap.is_missed & ~is_first) for gap in second),
    ]


def _nearest(array: Constants, x: Any) -> Any:
    """The inner node of a table that is closest to each number."""
    nodes = np.array([float(node) for node in array.values[1:-1]])
    return nodes[np.abs(x[:, None] - nodes).argmin(axis=1)] if len(nodes) else np.full(len(x), np.inf)
