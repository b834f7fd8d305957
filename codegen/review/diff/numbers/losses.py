"""Inputs at which a version loses digits that the other one keeps.

(x - y)^2 and x^2 - 2 x y + y^2 are as good as each other at most inputs. Near x = y the second one is off by
more than its value, and its root may be no number. Such inputs are found by moving points to where the
error of the new version is larger relative to that of the old one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from codegen.review.diff.numbers.arithmetic import Points, run
from codegen.review.diff.numbers.points import Sampler
from codegen.review.diff.numbers.roundoff import own_errors
from codegen.review.diff.numbers.versions import Versions

_KEPT, _COPIES = 16, 16
"""The points from which others are moved in a round, and how many from each."""

_ROUNDS, _PATIENCE, _PROMISING = 24, 4, 8
"""Limits on the rounds, and on those that do not make a small or a large loss larger by a quarter."""

_FURTHER = 1024.0
"""Inputs that are larger than the usual ones by more than this are not tried: a sine has no digits."""

_WORK = 6000
"""Limit on the rounds times the operations of a function, so that the time stays the same for large ones."""

_LARGE = 64.0
"""A loss is large where the error of the new version is so many times that of the old one."""

_SMALLEST, _GREATEST = 1e-300, 1e300


def where_digits_are_lost(versions: Versions, sampler: Sampler, points: Points) -> Points:
    """The points with a large loss that a search meets, which starts at some on the constraint set."""
    best, losses = _worst(points, _losses(versions, points))
    largest, since, found = losses.max(initial=0.0), 0, [points[:, :0]]
    most = _FURTHER * np.abs(points).max(axis=1, initial=0.0, keepdims=True)
    rounds = min(_ROUNDS, _WORK // len(versions.new.program.nodes)) if sampler.is_loose.any() else 0
    for _ in range(rounds):
        moved = sampler.near(best, _COPIES)
        tried = np.hstack([best, moved[:, (np.abs(moved) <= most).all(axis=0)]])
        losses = _losses(versions, tried)
        found.append(tried[:, losses > _LARGE])
        best, losses = _worst(tried, losses)
        since = 0 if losses[0] / 1.25 > largest else since + 1
        largest = max(largest, losses[0])
        if since == (_PROMISING if largest > _LARGE else _PATIENCE):
            break
    return np.hstack(found)


def _worst(points: Points, losses: Any) -> tuple[Points, Any]:
    """The points with the largest losses, in order, and these."""
    chosen = np.argsort(-losses, kind="stable")[:_KEPT]
    return points[:, chosen], losses[chosen]


def _losses(versions: Versions, points: Points) -> Any:
    """The largest ratio of the errors of a result in the new and the old version, at each point."""
    a, b = run(versions.old, points), run(versions.new, points)
    largest = np.zeros(points.shape[1])
    errors = zip(
        own_errors(versions.old, a, points, 1.0),
        own_errors(versions.new, b, points, 1.0),
        a.results,
        strict=True,
    )
    with np.errstate(all="ignore"):
        for before, after, value in errors:
            known = np.isfinite(before) & np.isfinite(value)
            ratio = np.minimum(after / np.maximum(before, _SMALLEST), _GREATEST)
            largest = np.maximum(largest, np.where(known, ratio, 0.0))
    return largest
