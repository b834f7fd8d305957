"""Inputs at which a function takes a branch that few inputs take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from codegen.ir.operations import Op
from codegen.ir.rewriting import depth_first
from codegen.review.diff.numbers.arithmetic import Points, run
from codegen.review.diff.numbers.points import Sampler, thinned
from codegen.review.diff.numbers.versions import Versions
from codegen.review.diff.reading import Reading

_MOST, _RARE = 3072, 64
"""Limits on the points beside boundaries, and on those at which a comparison has its rarer value."""

_CHOICES = 8
"""Limit on the comparisons of rare choices."""


def at_edges(
    versions: Versions, compared: Sequence[Sequence[int]], sampler: Sampler, points: Points
) -> Points:
    """Points on the constraint set beside the boundaries of some comparisons of each version.

    Where scalars depend on each other, those of many points at which such a comparison has the rarer value.
    """
    found = [points[:, :0]]
    for reading, own in zip((versions.old, versions.new), compared, strict=True):
        if sampler.is_loose.all():
            near = sampler.within(sampler.near_edges(reading, own, points))
            found.append(thinned(near, _MOST))
        elif own:
            many = sampler.many()
            truths = run(reading, many).values
            found += [many[:, _rarer(np.broadcast_to(truths[c], many.shape[1]))] for c in own]
    return np.hstack(found)


def at_rare_choices(reading: Reading, sampler: Sampler, points: Points) -> Points:
    """Points beside and around the boundaries of comparisons that decide choices with a rare side."""
    nodes, values = reading.program.nodes, run(reading, points).values
    rare = {node.args[0] for node in nodes if node.op is Op.SELECT and _is_rare(values[node.args[0]])}
    below = [i for i in depth_first(sorted(rare), lambda i: nodes[i].args) if nodes[i].op in (Op.LT, Op.LE)]
    edges = thinned(sampler.near_edges(reading, below[:_CHOICES], points), _MOST // 2)
    return np.hstack([edges, sampler.near(edges, 2)])


def _is_rare(truth: Any) -> bool:
    """Whether a condition has one of its values at few points."""
    return not 0.05 < float(np.mean(truth)) < 0.95


def _rarer(truth: Any) -> Any:
    """The columns at which a comparison has the value that it has at fewer points."""
    return np.flatnonzero(truth == (truth.mean() < 0.5))[:_RARE]
