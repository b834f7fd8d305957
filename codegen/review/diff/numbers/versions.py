"""Two versions of one function, and where their values differ for sure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from codegen.ir.operations import LIBM
from codegen.ir.program import Arg
from codegen.review.diff.numbers.arithmetic import Points, run
from codegen.review.diff.reading import Reading
from codegen.review.diff.text.flags import Flags


class Versions(NamedTuple):
    """Two readings of one function, the constraint set of their inputs, the status flags of both trees."""

    old: Reading
    new: Reading
    inputs: Sequence[Arg]
    flags: tuple[Flags, Flags]


_LAST_PLACES = ((0,), (1,), (-1,), (1, -1), (-1, 1))
"""Ulp that are added to the libm results of a function in turn: two neighbours are shifted in every way."""


def surely(versions: Versions, points: Points, different: Any) -> Any:
    """Of the points where both differ, those where they do so for any last place of the libm results."""
    if not any(n.op in LIBM for r in (versions.old, versions.new) for n in r.program.nodes):
        return different
    old, new = ([run(r, points, shifts) for shifts in _LAST_PLACES] for r in (versions.old, versions.new))
    pairs = [(a, b) for a in old for b in new]
    above, below, one_nan = (
        np.logical_and.reduce([relation(a.results, b.results) for a, b in pairs])
        for relation in (np.greater, np.less, lambda x, y: np.isnan(x) != np.isnan(y))
    )
    status = np.logical_and.reduce([a.status != b.status for a, b in pairs])
    return different & (status | (above | below | one_nan).any(axis=0))
