"""Inputs at which a version loses digits that the other one keeps.

(x - y)^2 and x^2 - 2 x y + y^2 are as good as each other at most inputs. Near x = y the second one is off by
more than its value, and its root may be no number. Such inputs are found by moving points to where the
error of the new version is larger relative to that of the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from codegen.ir.operations import Op
from codegen.review.diff.numbers.arithmetic import Points, run
from codegen.review.diff.numbers.points import COMPARING, Sampler
from codegen.review.diff.numbers.roundoff import own_errors
from codegen.review.diff.numbers.versions import Versions, numbered
from codegen.review.diff.numbers.witness import own_comparisons
from codegen.review.diff.reading import computing

_KEPT, _COPIES = 16, 16
"""The points from which others are moved in a round, and how many from each."""

_ROUNDS, _PATIENCE, _PROMISING = 24, 4, 8
"""Limits on the rounds, and on those that do not make a small or a large loss larger by a quarter."""

_MIRRORED = 16
"""So many copies of each of the worst points have other signs."""

_SCALES, _EXPONENTS = 4, (-4, 11)
"""How many multiples of each point are tried, and between which powers of two."""

_FURTHER = 1024.0
"""Inputs that are larger than the usual ones by more than this are not tried: a sine has no digits."""

_WORK = 24_000
"""Limit on the rounds times the operations of a function, so that the time stays the same for large ones."""

_LARGE = 64.0
"""A loss is large where the error of the new version is so many times that of the old one."""

_SMALLEST, _GREATEST = 1e-300, 1e300


def where_digits_are_lost(versions: Versions, sampler: Sampler, points: Points, movable: Any) -> Points:
    """The points with a large loss that a search meets, which starts at some on the constraint set.

    It moves some of the scalars that are loose.
    """
    versions = _other_results(versions)
    best, losses = _worst(points, _losses(versions, points))
    largest, since, found = losses.max(initial=0.0), 0, [points[:, :0]]
    with np.errstate(over="ignore"):
        most = _FURTHER * np.abs(points).max(axis=1, initial=0.0, keepdims=True)
    for _ in range(_rounds(versions) if movable.any() else 0):
        moved = np.hstack([sampler.moved(best, _COPIES, movable), _scaled(best, sampler, movable)])
        tried = np.hstack([best, moved[:, (np.abs(moved) <= most).all(axis=0)]])
        losses = _losses(versions, tried)
        found.append(tried[:, losses > _LARGE])
        best, losses = _worst(tried, losses)
        since = 0 if losses[0] / 1.25 > largest else since + 1
        largest = max(largest, losses[0])
        if since == (_PROMISING if largest > _LARGE else _PATIENCE):
            break
    if found[-1].shape[1]:
        mirrored = _mirrored(best, sampler, movable)
        found.append(mirrored[:, _losses(versions, mirrored) > _LARGE])
    return np.hstack(found)


def is_cut_short(versions: Versions) -> bool:
    """Whether the search ends before it should, as the function is large."""
    return _rounds(_other_results(versions)) < _ROUNDS


def _rounds(versions: Versions) -> int:
    return min(_ROUNDS, _WORK // max(1, *(len(r.program.nodes) for r in versions[:2])))


def _other_results(versions: Versions) -> Versions:
    """Both versions with the results alone that they do not compute by the same operations."""
    both, numbers = (versions.old, versions.new), numbered(versions)
    results = [[own[i] for i in r.program.results] for r, own in zip(both, numbers, strict=True)]
    apart = [k for k, (a, b) in enumerate(zip(*results, strict=True)) if a != b]
    return _with_results(versions, *([r.program.results[k] for k in apart] for r in both))


def compared_numbers(versions: Versions) -> Versions | None:
    """Both versions with what their own comparisons compare as their results; None if these are no pairs."""
    readings, own = (versions.old, versions.new), own_comparisons(versions)
    operands = [[a for c in of for a in r.program.nodes[c].args] for r, of in zip(readings, own, strict=True)]
    ops = [[r.program.nodes[c].op for c in of] for r, of in zip(readings, own, strict=True)]
    if not operands[0] or ops[0] != ops[1] or not {*ops[0]} <= {*COMPARING, Op.FLOOR}:
        return None
    return _with_results(versions, *operands)


def _with_results(versions: Versions, old: Sequence[int], new: Sequence[int]) -> Versions:
    """Both versions with other results, and the operations that these need."""
    before, after = (
        computing(r, replace(r.program, results=tuple(results), status=(), labels={}))
        for r, results in zip((versions.old, versions.new), (old, new), strict=True)
    )
    return versions._replace(old=before, new=after)


def _scaled(points: Points, sampler: Sampler, movable: Any) -> Points:
    """Copies of points in which all movable scalars are as many times larger: differences stay small."""
    many = np.repeat(points, _SCALES, axis=1)
    factors = np.exp2(sampler.random.integers(*_EXPONENTS, many.shape[1])).astype(many.dtype)
    with np.errstate(over="ignore"):
        return sampler.within(np.where(movable[:, None], many * factors, many))


def _mirrored(points: Points, sampler: Sampler, movable: Any) -> Points:
    """Copies in which some movable scalars have the other sign: the points may be near one another."""
    many = np.repeat(points, _MIRRORED, axis=1)
    turned = movable[:, None] & (sampler.random.random(many.shape) < 0.5)
    return sampler.within(np.where(turned, -many, many))


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
