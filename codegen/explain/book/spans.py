"""Numbers of statements and phrases as a page has them, which its script reads."""

from __future__ import annotations

from collections.abc import Iterable


def ranges(numbers: Iterable[str | int]) -> str:
    """Numbers in their order, those that follow each other as ranges: 3-9 12 14-15."""
    found: list[list[int]] = []
    for number in map(int, numbers):
        if found and number == found[-1][-1] + 1:
            found[-1] = [found[-1][0], number]
        else:
            found.append([number])
    return " ".join("-".join(map(str, ends)) for ends in found)
