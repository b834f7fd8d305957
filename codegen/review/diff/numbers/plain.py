"""Makes a counterexample easy to check by hand: looks for one with small whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from codegen.review.diff.numbers.arithmetic import Points, differ, run, scalar_type, units
from codegen.review.diff.numbers.points import Sampler
from codegen.review.diff.numbers.versions import Versions, surely

_STEPS = 6
"""Limit on the replacements by plainer numbers."""


def plainest(versions: Versions, point: Points) -> Points:
    """A point of the input domain with plain numbers where both versions differ clearly, or `point` itself.

    `point` is one column where both differ. What is found differs by a quarter as many ulp, or in half the
    digits.
    """
    sampler = Sampler(versions.inputs, scalar_type(versions.old))
    wanted = min(_apart(versions, point)[0] / 4, 1 / np.sqrt(np.finfo(scalar_type(versions.old)).eps))
    if wanted == 0:
        return point
    found = _plainest_of(versions, sampler.simple(), wanted, np.inf)
    current = point if found is None else found
    for _ in range(_STEPS):
        found = _plainest_of(versions, sampler.plainer(current), wanted, _length(current)[0])
        if found is None:
            break
        current = found
    return current


def _plainest_of(versions: Versions, points: Points, wanted: float, below: float) -> Points | None:
    """The plainest of the points where both differ by as many ulp as wanted; None where there is none."""
    length = _length(points)
    points = points[:, length < below]
    if not points.shape[1]:
        return None
    clear = surely(versions, points, _apart(versions, points) >= wanted)
    rank = np.where(clear, _length(points), np.inf)
    best = int(np.argmin(rank))
    return points[:, [best]] if clear.any() else None


def _apart(versions: Versions, points: Points) -> Any:
    """How far both versions are apart, in ulp; most where the status differs, 0 where none is finite."""
    a, b = run(versions.old, points), run(versions.new, points)
    finite = np.isfinite(a.results).all(axis=0) & np.isfinite(b.results).all(axis=0)
    apart = np.where(a.status != b.status, np.inf, units(versions.old, a.results, b.results))
    return np.where(finite & differ(a, b), apart, 0.0)


def _length(points: Points) -> Any:
    """How long the numbers of a point are: none for zeros, few for small whole numbers."""
    with np.errstate(all="ignore"):
        size = np.abs(points).astype(float)
        terms = [
            size != 0, (size != 0) & (size != 1), points < 0, size > 9, size > 1e3,
            *(3 * (size * scale != np.round(size * scale)) for scale in (1, 2, 1e2, 1e4)),
        ]  # fmt: skip
        return np.sum([np.sum(t, axis=0) for t in terms], axis=0, dtype=float)
