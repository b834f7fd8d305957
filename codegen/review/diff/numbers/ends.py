"""Inputs at which only the new version leaves the domain of a root, a quotient, a logarithm or an arc.

In `d > 0 ? sqrt(e) : 0`, where e is the same sum as d in another order, e may be negative where d is not.
That happens within a few ulp of the end of the domain alone, and not everywhere there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from codegen.ir.operations import Op
from codegen.review.diff.numbers.arithmetic import Points, run, value_of
from codegen.review.diff.numbers.assumed import Wanted
from codegen.review.diff.numbers.conditions import met, taken_by, ways_to
from codegen.review.diff.numbers.points import Sampler
from codegen.review.diff.numbers.protected import guards
from codegen.review.diff.numbers.versions import Versions, numbered
from codegen.review.diff.reading import Reading

_PAIRS, _CROWD, _FOUND = 4096, 16, 256
"""So many pairs of points have an end between them, so many copies are tried around each point at one, and so
many are kept on either side."""

_WORK = 400_000
"""Limit on the pairs times the operations of a function."""


End: TypeAlias = tuple[int, float]
"""An operand, and the end of the domain of what is computed with it."""


def own_ends(versions: Versions) -> list[list[End]]:
    """For each version, the ends of domains of its operations that it may miss and the other one does not.

    That has not got the operand, or guards it more. Of an operand that is a choice, each side is one.
    """
    numbers = numbered(versions)
    both = [_operands(r, own) for r, own in zip(versions[:2], numbers, strict=True)]
    known = [
        {(own[operand], end): conditions for (operand, end), conditions in of.items()}
        for of, own in zip(both, numbers, strict=True)
    ]
    return [
        [
            (operand, end)
            for (operand, end), conditions in of.items()
            if not other.get((own[operand], end), _NEVER) <= conditions
        ]
        for of, own, other in zip(both, numbers, known[::-1], strict=True)
    ]


_NEVER = frozenset({(-1, True)})
"""A condition that guards nothing."""


def _operands(reading: Reading, numbers: Sequence[int]) -> dict[End, frozenset[Wanted]]:
    """The operands with an end of their domain, and the numbers of the conditions that guard all of them."""
    nodes, found = reading.program.nodes, dict[End, frozenset[Wanted]]()
    for (op, args, _), conditions in zip(nodes, guards(reading, numbers), strict=True):
        if op in _ENDS and conditions is not None:
            for operand, end in product(chosen_from(reading, args[-1]), _ENDS[op]):
                found[operand, end] = found.get((operand, end), conditions) & conditions
    return found


def chosen_from(reading: Reading, node: int) -> list[int]:
    """The values that a choice among others may be, apart from constants; any other value is one itself."""
    nodes, found, open_ = reading.program.nodes, dict[int, None](), [node]
    while open_:
        here = open_.pop()
        if here in found:
            continue
        found[here] = None
        if nodes[here].op is Op.SELECT:
            open_ += nodes[here].args[:0:-1]
    return [i for i in found if nodes[i].op not in (Op.SELECT, Op.CONSTANT)]


_ROOT, _ARC = (0.0,), (-1.0, 1.0)
_ENDS: Mapping[Op, Sequence[float]] = {
    Op.SQRT: _ROOT, Op.LOG: _ROOT, Op.DIV: _ROOT, Op.LOG1P: (-1.0,), Op.ASIN: _ARC, Op.ACOS: _ARC,
}  # fmt: skip


def beyond_ends(versions: Versions, ends: Sequence[End], sampler: Sampler, points: Points) -> Points:
    """Points on both sides of ends of domains, at which the new version computes with the operands.

    They are between some points, or are searched where scalars depend on each other, or a branch is rare.
    """
    new, found = versions.new, [points[:, :0]]
    ways = ways_to(new) if ends else {}
    pairs = min(_PAIRS, _WORK // len(new.program.nodes))
    for end in ends:
        is_above = _is_above(new, end)
        between = _between(is_above, pairs, sampler, points) if sampler.is_loose.all() else points[:, :0]
        for way in ways.get(end[0], ()):
            edge = np.hstack([between, met(new, [*way, end], sampler, points)])
            crowd = np.hstack([edge, sampler.crowd(edge, _CROWD)])
            taken = taken_by(way, run(new, crowd).values, crowd.shape[1])
            found += [crowd[:, taken & side][:, :_FOUND] for side in (is_above(crowd), ~is_above(crowd))]
    return np.hstack(found)


def _is_above(reading: Reading, end: End) -> Callable[[Points], Any]:
    operand, level = end
    return lambda tried: value_of(reading, operand, tried) > level


def _between(is_above: Callable[[Points], Any], pairs: int, sampler: Sampler, points: Points) -> Points:
    """Points at an end between so many pairs of some, of which no scalar changes its sign."""
    high = points[:, sampler.random.integers(0, points.shape[1], pairs)]
    low = np.copysign(points[:, sampler.random.integers(0, points.shape[1], pairs)], high)
    sides = is_above(high), is_above(low)
    return np.hstack(
        [
            sampler.at_edge(is_above, a[:, chosen], b[:, chosen])
            for a, b, chosen in ((high, low, sides[0] & ~sides[1]), (low, high, sides[1] & ~sides[0]))
        ]
    )
