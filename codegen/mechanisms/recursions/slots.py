"""Tables of numbers for the turns of loops: which numbers differ from turn to turn, and where they are."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from codegen.mechanisms.trees.tree import Link


class Slot(NamedTuple):
    """A column of the table, and the sign with which it is the number."""

    column: int
    sign: int


def slot_of(columns: list[tuple[Fraction, ...]], values: tuple[Fraction, ...]) -> Slot | None:
    """Where a number of the turns is in the table, to which a column is added where none has it.

    None for a number that all turns share.
    """
    if len({*values}) == 1:
        return None
    for sign in (1, -1):
        if (own := tuple(sign * x for x in values)) in columns:
            return Slot(columns.index(own), sign)
    columns.append(values)
    return Slot(len(columns) - 1, 1)


def numbers_of_body(link: Link) -> Sequence[Fraction]:
    """The mass and the moments of a link."""
    own = link.moments
    return [own.m, *own.h.scalars(), *own.S.scalars()]
