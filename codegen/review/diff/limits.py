"""Limits on time and memory for what is done with one function of an untrusted tree."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SECONDS = 25.0
"""Limit on the time of a function, in seconds of the processor; the longest in examples/ takes one."""

MEGABYTES = 600
"""Limit on the memory of a function beyond that of the program."""


class Exceeded(BaseException):
    """A limit that was exceeded; no Exception, so that the work inside cannot take it for its own error."""


@contextmanager
def limited() -> Iterator[None]:
    """Raises Exceeded when the work inside takes more time or memory than a function may.

    The limit on time holds in the main thread of a process on POSIX, that on memory on Linux.
    """
    with _in_time():
        before = _limit_memory()
        try:
            yield
        except MemoryError:
            raise Exceeded(f"it takes more than {MEGABYTES} MB") from None
        finally:
            _restore_memory(before)


@contextmanager
def _in_time() -> Iterator[None]:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_: int, __: FrameType | None) -> None:
        raise Exceeded(f"it takes more than {SECONDS:g} s of the processor")

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def _limit_memory() -> tuple[int, int] | None:
    """Limit the data of this process; returns the limits before."""
    if not sys.platform.startswith("linux"):
        return None
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    most = pages * resource.getpagesize() + (MEGABYTES << 20)
    hard = before[1]
    resource.setrlimit(
        resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
    )
    return before


def _restore_memory(before: tuple[int, int] | None) -> None:
    if before is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, before)
