"""Steps of Newton's method to where several functions of several numbers vanish.

`x + u == 3 && x == 0.7` holds on a line that no random step keeps to: each step towards one of the equations
is one away from the other. Steps that solve the linearised equations together reach it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from codegen.review.diff.numbers.gaps import Gap
from codegen.review.diff.numbers.points import Sampler

_STEPS = 12
"""So many steps are taken from a point that is far away."""

_LENGTHS = (1.0, 0.5, 1.5, 0.1)
"""The parts of a whole step that are tried."""

_WEIGHT = 4
"""A number may be moved by up to 2^4 times its usual part of a step, or by as much less."""

_LEAST = 2.0**-20
"""The smallest number that is moved by steps relative to its own size."""


class Newton:
    """Steps towards where no comparison is missed, given the gap at coordinates."""

    def __init__(self, gap: Callable[[Any], Gap], sampler: Sampler) -> None:
        self.gap, self.random = gap, sampler.random
        self.shift = float(np.sqrt(np.finfo(sampler.kind).eps))

    def from_each(self, numbers: Any) -> Any:
        """The coordinates after some whole steps, in which none leads to the others."""
        with np.errstate(all="ignore"):
            for _ in range(_STEPS):
                numbers = numbers - self._step(numbers)
        return numbers

    def stepped(self, numbers: Any) -> Any:
        """The coordinates after one step of different lengths."""
        step = self._step(numbers)
        with np.errstate(all="ignore"):
            return np.hstack([numbers - length * step for length in _LENGTHS])

    def _step(self, numbers: Any) -> Any:
        """The shortest of all the steps that solve the linearised equations.

        Lengths are relative to the numbers' sizes and random weights. Numbers whose comparison is not missed
        keep their difference, or may change it.
        """
        sizes = np.maximum(np.abs(numbers), _LEAST)
        here, slopes = self.gap(numbers), self._slopes(numbers, sizes * self.shift)
        is_free = ~here.is_missed & (self.random.random(here.apart.shape) < 0.5)
        values = np.where(here.is_missed, here.apart, 0.0)
        weights = sizes * np.exp2(self.random.uniform(-_WEIGHT, _WEIGHT, numbers.shape))
        with np.errstate(all="ignore"):
            step = _shortest(np.where(is_free[:, None], 0.0, slopes * weights), values) * weights
        return np.where(np.isfinite(step), step, 0.0)

    def _slopes(self, numbers: Any, shifts: Any) -> Any:
        """The slope of each difference for each number, at each point."""
        n, count = numbers.shape
        moved = np.repeat(numbers[:, None], n, axis=1)
        moved[range(n), range(n)] += shifts
        apart = self.gap(np.hstack([numbers, moved.reshape(n, -1)])).apart
        with np.errstate(all="ignore"):
            return (apart[:, count:].reshape(len(apart), n, count) - apart[:, None, :count]) / shifts


def _shortest(slopes: Any, values: Any) -> Any:
    """The shortest step that solves linear equations, made of directions at right angles to each other.

    An equation that depends on those before it is left out.
    """
    step, known = np.zeros(slopes.shape[1:]), list[Any]()
    for slope, value in zip(slopes, values, strict=True):
        rest, direction = value - (slope * step).sum(axis=0), slope
        for other in known:
            direction = direction - (direction * other).sum(axis=0) * other
        length = _length(direction)
        is_new = length > _PARALLEL * _length(slope)
        known.append(np.where(is_new, direction / length, 0.0))
        step = step + np.where(is_new, rest / length, 0.0) * known[-1]
    return step


def _length(vectors: Any) -> Any:
    return np.sqrt((vectors * vectors).sum(axis=0))


_PARALLEL = 2.0**-20
"""The part of a slope at right angles to others that counts: slopes are differences of rounded values."""
