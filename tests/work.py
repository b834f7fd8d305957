"""A limit on work that does not use a clock, so that it holds on any machine at any load."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class TooMuchWork(BaseException):
    """More functions were called than a test allows; `except Exception` does not catch it."""


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Allow the work inside so many calls of Python functions in this process; TooMuchWork at the next."""
    made = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal made
        made += event == "call"
        if made > calls:
            raise TooMuchWork(f"more than {calls} functions are called")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
