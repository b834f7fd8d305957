"""Work that is mapped over processes gives what it gives in one."""

from __future__ import annotations

import os

import pytest

from codegen.errors import FeatherError
from codegen.parallel import mapped


@pytest.mark.parametrize("count", [0, 3, 100])
def test_results_come_in_order(count: int) -> None:
    assert mapped(lambda i: i * i, range(count)) == [i * i for i in range(count)]


def test_much_work_is_done_by_others() -> None:
    assert os.getpid() not in mapped(lambda _: os.getpid(), range(100))


@pytest.mark.parametrize("count", [3, 100])
def test_the_first_error_is_told(count: int) -> None:
    def odd(i: int) -> int:
        if i > 1:
            raise FeatherError(f"item {i}")
        return i

    with pytest.raises(FeatherError, match=r"^item 2$"):
        mapped(odd, range(count))
