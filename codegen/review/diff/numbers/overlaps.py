"""The ways in which callers may give one object for several arguments of a function."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from codegen.review.diff.reading import Overlap, Sharing

MOST_SHARINGS = 100
"""Limit on these ways: each is read and compared on its own."""


def sharings(overlaps: Iterable[Overlap]) -> list[Sharing] | None:
    """The sets of these pairs that can hold at once, small ones first; None if there are too many.

    Outputs do not overlap each other: an input is the same object as one of them at most, but several inputs
    may be the same object as one output.
    """
    outputs = dict[str, list[Overlap | None]]()
    count = 1
    for overlap in dict.fromkeys(overlaps):
        outputs.setdefault(overlap.input, [None]).append(overlap)
    for choices in outputs.values():
        count *= len(choices)
    if count > MOST_SHARINGS:
        return None
    found = (tuple(o for o in chosen if o is not None) for chosen in product(*outputs.values()))
    return sorted(filter(None, found), key=len)
