"""Parallel map over many items, in forked processes where the platform can fork."""

from __future__ import annotations

import faulthandler
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_WORTHWHILE = 16
"""With fewer items than this, starting the processes takes longer than the work."""

_WORK: list[Any] = []
"""In a process of the pool: the function and its items, which are inherited rather than pickled."""


def mapped(work: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """map(work, items), each result as soon as it and those before are known.

    The results must be picklable, the function and the items need not be.
    """
    yield from map(work, items) if len(items) < _WORTHWHILE else in_processes(work, items)


def in_processes(work: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """The same for work that takes long, however few the items are."""
    if "fork" not in multiprocessing.get_all_start_methods():
        yield from map(work, items)
        return
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(mp_context=fork, initializer=_take, initargs=(work, items)) as pool:
        yield from pool.map(_one, range(len(items)))


def apart(work: Callable[[], R]) -> R | None:
    """The result of work in a process of its own, None where that crashes; where none can fork, in this one.

    The result must be picklable.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        return work()
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)

    def send() -> None:
        faulthandler.disable()  # the caller says in its own words what crashed
        sender.send(work())

    process = fork.Process(target=send)
    process.start()
    sender.close()
    try:
        found: R = receiver.recv()
    except EOFError:
        return None
    finally:
        process.join()
        receiver.close()
    return found


def _take(work: Any, items: Any) -> None:
    _WORK[:] = [work, items]


def _one(i: int) -> Any:
    work, items = _WORK
    return work(items[i])
