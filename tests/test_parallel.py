"""Work that is mapped over processes gives the same results as in one process."""

from __future__ import annotations

import multiprocessing
import os

import pytest

from codegen.errors import FeatherError
from codegen.parallel import mapped


@pytest.mark.parametrize("count", [0, 3, 100])
def test_results_come_in_order(count: int) -> None:
    assert list(mapped(lambda i: i * i, range(count))) == [i * i for i in range(count)]


def test_much_work_is_done_by_others() -> None:
    assert os.getpid() not in mapped(lambda _: os.getpid(), range(100))


def test_results_come_one_by_one() -> None:
    """The work on the last item ends only after the first result has been taken."""
    ready = multiprocessing.get_context("fork").Event()

    def work(i: int) -> int:
        if i == 99:
            ready.wait()
        return i

    results = mapped(work, range(100))
    assert next(results) == 0
    ready.set()
    assert list(results) == list(range(1, 100))


def test_work_may_map_work_of_its_own() -> None:
    def work(i: int) -> int:
        return sum(mapped(lambda j: i * j, range(20)))

    assert list(mapped(work, range(20))) == [190 * i for i in range(20)]


@pytest.mark.parametrize("count", [3, 100])
def test_the_first_error_is_told(count: int) -> None:
    def odd(i: int) -> int:
        if i > 1:
            raise FeatherError(f"item {i}")
        return i

    with pytest.raises(FeatherError, match=r"^item 2$"):
        list(mapped(odd, range(count)))
