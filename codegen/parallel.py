"""parallel: work on many things side by side, in processes that are forked where the platform forks."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_WORTHWHILE = 16
"""Fewer items than this are done before a process has begun."""

_WORK: list[Any] = []
"""The work and its items, which a forked process finds where it was forked."""


def mapped(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """[work(x) for x in items]; neither work nor items are pickled, the results are."""
    if len(items) < _WORTHWHILE or "fork" not in multiprocessing.get_all_start_methods():
        return [work(x) for x in items]
    _WORK[:] = [work, items]
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork")) as pool:
        return list(pool.map(_one, range(len(items)), chunksize=4))


def _one(i: int) -> Any:
    work, items = _WORK
    return work(items[i])
