"""Arrays of constants, and the cells of their axes: what a look-up in a table is made of.

An increasing array of n nodes has n - 1 cells, numbered from 0. A number below the first node belongs to the
first cell, one above the last node to the last cell. NaN is in the first cell by a search, else in the last.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple

from codegen.ir.operations import Op

MOST_ENTRIES = 32767
"""Limit on the numbers of an array: the largest index that every int of C holds."""


class Constants:
    """Exact numbers, the constants of one array in C, with the name, unit and meaning that C states.

    Two arrays are the same if their numbers and units are. `row` is the number of entries in a line of C.
    Without numbers, it describes an array whose numbers are known at run time only.
    """

    def __init__(
        self, name: str, values: Sequence[Fraction], unit: str = "", doc: str = "", row: int = 8
    ) -> None:
        self.name, self.values, self.unit, self.doc, self.row = name, tuple(values), unit, doc, row

    @cached_property
    def digest(self) -> str:
        """A short digest of the numbers and the unit."""
        text = f"{self.unit}:{','.join(map(str, self.values)) or self.name}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constants) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


class Listed:
    """The numbers of an array that are known at run time only, in some number system, and what they are."""

    def __init__(self, about: Constants, *values: Any) -> None:
        self.about, self.values = about, values

    @cached_property
    def columns(self) -> Any:
        """The numbers as an array of NumPy, a row for each."""
        import numpy as np

        return np.array(np.broadcast_arrays(*self.values))

    def constants(self) -> Constants:
        """The array of constants, where the numbers are exact."""
        return Constants(self.about.name, self.values, self.about.unit, self.about.doc, self.about.row)

    def of(self, part: Callable[[Any], Any]) -> Listed:
        """The array of a part of each number."""
        return Listed(self.about, *map(part, self.values))


def cell(nodes: Sequence[Any], x: Any) -> int:
    """The cell of increasing nodes that holds x, by bisection; NaN is in cell 0."""
    low, high = 0, len(nodes) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if nodes[middle] <= x:
            low = middle
        else:
            high = middle
    return low


def clipped(number: int, last: int) -> int:
    """A whole number, or the end of 0 ... last that is nearer."""
    return min(max(number, 0), last)


def lookups(
    constant: Callable[[Fraction], Any],
    floor: Callable[[Any], int],
    node: Callable[[Fraction], Any] | None = None,
) -> Mapping[Op, Callable[..., Any]]:
    """The operations of look-ups on numbers that can be compared; indices are ints.

    `node` gives the nodes with which a number is compared, where these are rounded.
    """

    @cache
    def nodes(array: Constants) -> list[Any]:
        return [(node or constant)(value) for value in array.values]

    def entry(array: Constants | Listed, i: int, offset: int) -> Any:
        found = array.values[i + offset]
        return found if isinstance(array, Listed) else constant(found)

    return {
        Op.CELL: lambda array, x: cell(nodes(array), x),
        Op.STEP: lambda x, last: clipped(floor(x), last),
        Op.FLAT: lambda i, stride, j: i * stride + j,
        Op.LIST: Listed,
        Op.ENTRY: entry,
        Op.REAL: lambda i: constant(Fraction(i)),
    }


def columns(kind: Any, rounded: Callable[[Fraction], Any]) -> Mapping[Op, Callable[..., Any]]:
    """The operations of look-ups on NumPy numbers or arrays of a floating-point type."""
    import numpy as np

    @cache
    def entries(array: Constants) -> Any:
        return np.array([float(rounded(value)) for value in array.values], dtype=kind)

    def located(array: Constants, x: Any) -> Any:
        nodes = entries(array)
        found = np.searchsorted(nodes, x, side="right") - 1
        return np.where(np.isnan(x), 0, np.clip(found, 0, len(nodes) - 2))

    def entry(array: Constants | Listed, i: Any, offset: int) -> Any:
        place = np.asarray(i + offset)
        if isinstance(array, Constants):
            return entries(array)[place]
        if place.ndim == 0:
            return array.values[int(place)]
        rows, place = np.broadcast_arrays(array.columns, place)
        return np.take_along_axis(rows, place[:1], 0)[0]

    def stepped(x: Any, last: int) -> Any:
        return np.where(x < last, np.fmax(x, 0), last).astype(np.int64)

    return {
        Op.CELL: located,
        Op.STEP: stepped,
        Op.FLAT: lambda i, stride, j: i * stride + j,
        Op.LIST: Listed,
        Op.ENTRY: entry,
        Op.REAL: lambda i: np.asarray(i).astype(kind)[()],
    }


class Places(NamedTuple):
    """An index, and all that it may be where round-off decides the cell."""

    place: int
    possible: frozenset[int]


def places(index: Places | int) -> Places:
    """An index with all that it may be."""
    return index if isinstance(index, Places) else Places(index, frozenset((index,)))
