"""Prose with formulas, which stand between backticks: `the rotation `R_AB` is that of `q_AB``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Piece(NamedTuple):
    """A part of prose: words, or a formula in the notation."""

    text: str
    is_formula: bool


def pieces(text: str) -> Iterator[Piece]:
    """Words and formulas in turn; a backtick without a partner belongs to the words."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        parts[-2:] = ["`".join(parts[-2:])]
    for k, part in enumerate(parts):
        if part:
            yield Piece(part, k % 2 == 1)


def plain(text: str) -> str:
    """The text with its formulas as they are written."""
    return "".join(piece.text for piece in pieces(text))


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in a sentence: a, b and c."""
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
