"""Two versions of one function, and where their values differ for sure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from codegen.ir.operations import LIBM
from codegen.ir.program import Arg
from codegen.review.diff.functions.normal import Normal
from codegen.review.diff.numbers.arithmetic import Itself, Points, run_nearby
from codegen.review.diff.reading import Reading
from codegen.review.diff.text.flags import Flags


class Versions(NamedTuple):
    """Two readings of one function, the constraint set of their inputs, the status flags of both trees."""

    old: Reading
    new: Reading
    inputs: Sequence[Arg]
    flags: tuple[Flags, Flags]


def numbered(versions: Versions) -> list[list[int]]:
    """Numbers of the nodes of both versions, which are the same where the values must be."""
    return _numbered(Itself(versions.old), Itself(versions.new))


@lru_cache(8)  # each step of a search asks for them
def _numbered(*keys: Itself) -> list[list[int]]:
    normal = Normal()
    return [normal.numbers(key.reading.program, key.reading.held) for key in keys]


_LAST_PLACES = ((0, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))
"""Ulp that are added to the libm results of a function in turn: two neighbours are shifted in every way."""


def surely(versions: Versions, points: Points, different: Any) -> Any:
    """Of the points where both differ, those where they do so for any last place of the libm results."""
    if not different.any() or not any(n.op in LIBM for r in versions[:2] for n in r.program.nodes):
        return different
    old, new = (run_nearby(r, points[:, different], _LAST_PLACES) for r in (versions.old, versions.new))
    a, b, was, is_ = (
        x.reshape(*x.shape[:-1], len(_LAST_PLACES), -1)  # result, way, point
        for x in (old.results, new.results, old.status, new.status)
    )
    with np.errstate(invalid="ignore"):
        above, below = a.min(axis=1) > b.max(axis=1), a.max(axis=1) < b.min(axis=1)
    nan = [np.isnan(x) for x in (a, b)]
    one_nan = (nan[0].all(1) & ~nan[1].any(1)) | (nan[1].all(1) & ~nan[0].any(1))
    status = (was[:, None] != is_[None, :]).all(axis=(0, 1))
    found = np.array(different)
    found[different] = status | (above | below | one_nan).any(axis=0)
    return found
