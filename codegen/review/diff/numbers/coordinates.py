"""Numbers without constraint that stand for points of the constraint set, so that these can be moved in it.

A scalar that may have any value is such a number itself. A unit quaternion is made of four random numbers:
others in their place give another one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from codegen.ir.domain import sample_of
from codegen.review.diff.numbers.arithmetic import Points, from_ordinals, ordinals
from codegen.review.diff.numbers.points import Row, Sampler, stacked

_BINADES = 5
"""Numbers are moved by up to 2^5 powers of two."""


class Coordinates:
    """The coordinates of the inputs of a function: doubles, one column for each point."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler, self.count = sampler, 0
        self.bound = [not sampler.is_loose[rows].all() for rows in _rows(sampler)]
        self._made(lambda: np.zeros(1))  # counts the random numbers

    def of(self, points: Points) -> Any:
        """Coordinates of new points of the constraint set, with the loose scalars of those."""
        drawn = self.sampler.random.uniform(-2, 2, (self.count, points.shape[1]))
        return np.vstack([drawn, points.astype(np.float64)])

    def at(self, numbers: Any) -> Points:
        """The points of these coordinates."""
        drawn = iter(numbers[: self.count])
        points = numbers[self.count :].copy()
        made = self._made(lambda: next(drawn))
        for rows, values in zip(_rows(self.sampler), made, strict=True):
            if values:
                points[rows] = stacked(values, numbers.shape[1])
        with np.errstate(over="ignore"):
            made_of = points.astype(self.sampler.kind)
            most = np.finfo(self.sampler.kind).max
            own = np.clip(numbers[self.count :], -most, most).astype(self.sampler.kind)
        return self.sampler.within(np.where(self.sampler.is_loose[:, None], own, made_of))

    def sparse(self, numbers: Any) -> Any:
        """Copies of coordinates in which some loose scalars are zero, as u^2 + u v + v^2 is there alone."""
        is_zero = self.sampler.random.random(numbers.shape) < 0.5
        is_zero[: self.count] = False
        return np.where(is_zero, 0.0, numbers)

    def moved(self, numbers: Any, copies: int) -> Any:
        """Copies of coordinates, with some moved by steps of all sizes that the function's type can tell."""
        random, many = self.sampler.random, np.repeat(ordinals(numbers), copies, axis=1)
        bits = np.finfo(np.float64).nmant
        least = bits - np.finfo(self.sampler.kind).nmant
        steps = np.exp2(random.uniform(least, bits + _BINADES, many.shape)).astype(np.int64)
        chosen = random.random(many.shape) < random.uniform(0.1, 1.0, (1, many.shape[1]))
        return from_ordinals(many + steps * chosen * random.choice([-1, 1], many.shape), np.float64)

    def crossed(self, numbers: Any, others: Any, copies: int) -> Any:
        """Copies of coordinates, with some in place of which are those of other points."""
        random, many = self.sampler.random, np.repeat(numbers, copies, axis=1)
        taken = others[np.arange(len(many))[:, None], random.integers(0, others.shape[1], many.shape)]
        one = np.arange(len(many))[:, None] == random.integers(0, len(many), many.shape[1])
        return np.where(one | (random.random(many.shape) < 0.1), taken, many)

    def _made(self, draw: Any) -> list[list[Any]]:
        """The scalars of the arguments some of which depend on others, made of random numbers."""
        drawn = 0

        def counted() -> Any:
            nonlocal drawn
            drawn += 1
            return draw().view(Row)

        inputs = zip(self.sampler.inputs, self.bound, strict=True)
        with np.errstate(all="ignore"):
            found = [sample_of(a, counted) if is_bound else [] for a, is_bound in inputs]
        self.count = drawn
        return found


def _rows(sampler: Sampler) -> list[slice]:
    """The rows of each argument."""
    ends = np.cumsum([0, *(a.size for a in sampler.inputs)])
    return [slice(int(a), int(b)) for a, b in pairwise(ends)]
