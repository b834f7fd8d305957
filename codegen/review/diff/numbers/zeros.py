"""Inputs at which a version divides by zero where the other one does not divide.

`x * y / y` is x, but no number where y is 0. Such inputs are single points, which no sample meets: one of
them is moved from where the divisor is positive to where it is not, until both are neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from codegen.ir.operations import Op
from codegen.ir.rewriting import depth_first
from codegen.review.diff.numbers.arithmetic import (
    Points,
    from_ordinals,
    halfway,
    inputs_below,
    ordinals,
    run,
    scalar_type,
    value_of,
)
from codegen.review.diff.numbers.assumed import Wanted
from codegen.review.diff.numbers.conditions import met, share_of, taken_by, ways_to
from codegen.review.diff.numbers.points import Sampler, thinned
from codegen.review.diff.numbers.protected import guards
from codegen.review.diff.numbers.versions import Versions, numbered
from codegen.review.diff.numbers.witness import own_comparisons
from codegen.review.diff.reading import Reading

_DIVISORS, _INPUTS, _BASES, _RARE = 64, 6, 8, 64
"""Limits on the divisors, on the inputs of each that are moved, and on the usual points and all from which
they are."""

_VALUES, _HALVINGS = 32, 66
"""The values of an input that are tried, and how often the interval between two is halved."""

_CLOSE = 256
"""The divisors of both versions are taken for the same where they differ by fewer ulp at all points."""

_OFTEN = 0.25
"""A branch that more than this share of the points take is not searched for."""

_SIZES = (1e6, 1e3, *2.0 ** np.arange(-9, 0), 2.0**-12, 2.0**-16, 2.0**-20, 2.0**-30, 2.0**-60)
_TRIED = (0.0, *(sign * size for size in _SIZES for sign in (-1.0, 1.0)))
"""Further values that are tried: a divisor may jump from one sign to the other where it is not zero."""


class Zeros(NamedTuple):
    """Points at which divisors vanish, on the constraint set for sure, or anywhere.

    `left_out` divisors were not searched, as there are so many.
    """

    on_domain: Points
    anywhere: Points
    left_out: int


def where_divisors_vanish(versions: Versions, sampler: Sampler, points: Points, rare: Points) -> Zeros:
    """Points at which a divisor vanishes that only the new version has, or that it guards less.

    They are copies of points, also of those that take the way to the division, or are on rare sides of
    choices, in which one scalar is another one. Where there is none, scalars depend on each other, or the
    division is in a branch, such points are searched on the constraint set.
    """
    a, b = (run(version, points).values for version in (versions.old, versions.new))
    close = _CLOSE * np.finfo(points.dtype).eps
    old, new = (_divisors(r, n) for r, n in zip(versions[:2], numbered(versions), strict=True))
    known = [(a[d], guarded) for d, guarded in old.items()]
    own = [
        d
        for d, guarded in new.items()
        if not any(before <= guarded and np.allclose(b[d], k, close, 0) for k, before in known)
    ]
    ways, none = ways_to(versions.new) if own else {}, points[:, :0]
    met_at, moved, every = [none], [none], [points[:, :_BASES], rare]
    for d in own[:_DIVISORS]:
        there = [points[:, taken_by(way, b, points.shape[1])][:, :_BASES] for way in ways.get(d, ()) if way]
        moved.append(_zeros(versions.new, d, points, thinned(_finite(np.hstack([*every, *there])), _RARE)))
        is_moved = sampler.is_loose[inputs_below(versions.new, d)].all() and moved[-1].shape[1] > 0
        searched = [way for way in ways.get(d, ()) if not is_moved or share_of(way, b) < _OFTEN]
        met_at += [met(versions.new, [*way, (d, None)], sampler, points) for way in searched]
    met_at += _where_compared_are_none(versions, sampler, points)
    return Zeros(np.hstack(met_at), np.hstack(moved), max(0, len(own) - _DIVISORS))


def _where_compared_are_none(versions: Versions, sampler: Sampler, points: Points) -> Iterator[Points]:
    """Points at which the new version compares 0/0 or 1/0 - 1/0 otherwise than the old one."""
    new, (_, own) = versions.new, own_comparisons(versions)
    nodes = new.program.nodes
    quotients = [i for i in depth_first(own, lambda i: nodes[i].args) if nodes[i].op is Op.DIV]
    ways = ways_to(new) if quotients else {}
    together = [(i, nodes[i].args) for i in quotients[:_QUOTIENTS]]
    pairs = combinations(quotients[:_QUOTIENTS], 2)
    together += [(a, (nodes[a].args[1], nodes[b].args[1])) for a, b in pairs]
    for quotient, zeros in together:
        for way in ways.get(quotient, ()):
            yield met(new, [*way, *((zero, None) for zero in zeros)], sampler, points)


_QUOTIENTS = 3
"""Limit on the compared quotients that are searched in this way."""


def _divisors(reading: Reading, numbers: Sequence[int]) -> dict[int, frozenset[Wanted]]:
    """The nodes by which others are divided, in place of a product its factors; apart from constants.

    With the numbers of the conditions that guard all quotients by each.
    """
    nodes, guarded = reading.program.nodes, guards(reading, numbers)
    found = dict[int, frozenset[Wanted]]()
    open_ = [(n.args[1], guarded[i]) for i, n in reversed([*enumerate(nodes)]) if n.op is Op.DIV]
    seen = set[tuple[int, frozenset[Wanted] | None]]()
    while open_:
        here, conditions = open_.pop()
        if (here, conditions) in seen:
            continue
        seen.add((here, conditions))
        op, args, _ = nodes[here]
        if op in _FACTORS:
            open_ += [(a, conditions) for a in args]
        elif op is not Op.CONSTANT and conditions is not None:
            found[here] = found.get(here, conditions) & conditions
    return found


_FACTORS = (Op.MUL, Op.NEG, Op.ABS, Op.SQRT)
"""The operations that are zero where an operand is; these may have no other sign on any side of that."""


def _finite(points: Points) -> Points:
    return points[:, np.isfinite(points).all(axis=0)]


def _zeros(reading: Reading, divisor: int, points: Points, bases: Points) -> Points:
    """Copies of the bases in which one scalar is where a divisor is zero, between values that points have."""
    kind, pairs = scalar_type(reading), [points[:, :0]] * 2
    finite = _finite(points)
    for row in inputs_below(reading, divisor)[:_INPUTS]:
        tried = np.sort(np.array([*finite[row, -_VALUES:], *_TRIED], dtype=kind))
        copies = np.repeat(bases, len(tried), axis=1)
        copies[row] = np.resize(tried, copies.shape[1])
        values = value_of(reading, divisor, copies)
        is_next = np.arange(1, copies.shape[1]) % len(tried) != 0
        for low, high in ((0, 1), (1, 0)):
            a, b = (values[k : k + len(is_next)] for k in (low, high))
            changes = np.flatnonzero(is_next & (a > 0) & (b <= 0))
            pairs = [np.hstack([p, copies[:, changes + k]]) for p, k in zip(pairs, (low, high), strict=True)]
    low, high = map(ordinals, pairs)
    for _ in range(_HALVINGS):
        middle = halfway(low, high)
        above = value_of(reading, divisor, from_ordinals(middle, kind)) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    found = np.hstack([from_ordinals(low, kind), from_ordinals(high, kind)])
    return found[:, value_of(reading, divisor, found) == 0]
