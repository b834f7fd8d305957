"""Parallel map over many items, in forked processes where the platform can fork."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_WORTHWHILE = 16
"""With fewer items than this, starting the processes takes longer than the work."""

_WORK: list[Any] = []
"""The function and its items; a forked process inherits them, so that they need not be pickled."""


def mapped(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """[work(x) for x in items]; the results must be picklable, the function and the items need not be."""
    if len(items) < _WORTHWHILE or "fork" not in multiprocessing.get_all_start_methods():
        return [work(x) for x in items]
    _WORK[:] = [work, items]
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork")) as pool:
        return list(pool.map(_one, range(len(items)), chunksize=4))


def _one(i: int) -> Any:
    work, items = _WORK
    return work(items[i])
