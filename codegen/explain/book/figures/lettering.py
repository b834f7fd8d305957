"""Sets the symbols of the notation as text in SVG."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TypeAlias

from codegen.notation.layout import Symbol

Text: TypeAlias = tuple[Symbol | str, ...]
"""Symbols and words side by side."""

FONT, _SMALL = 12, 9
"""The sizes of letters, and of what stands above and below."""

_TALL = frozenset("bdfhklt\u03b2\u03b8\u03bb")
"""Small letters with ascenders."""


def width(text: Text) -> float:
    """About how wide a text is."""
    return sum(
        0.56 * FONT * len(part) if isinstance(part, str)
        else 0.7 * FONT * len(part.letter) + 0.68 * _SMALL * len("".join(part.below) + part.above)
        for part in text
    )  # fmt: skip


def spans(text: Text) -> Iterator[str]:
    """Symbols with what stands above and below, and words."""
    shift = 0  # of the line on which the last text stands
    for part in text:
        for piece, level, look in [(part, 0, "")] if isinstance(part, str) else _pieces(part):
            move = f' dy="{level - shift}"' if level != shift else ""
            shift = level
            yield f"<tspan{look}{move}>{escape(piece)}</tspan>" if look or move else escape(piece)


def _pieces(part: Symbol) -> Iterator[tuple[str, int, str]]:
    """The letter of a symbol, what stands above it and what stands below: text, depth and attributes."""
    look = ' font-weight="bold"' * part.bold + ' font-style="italic"' * (not part.upright)
    yield part.letter + "\u2032" * part.primes, 0, look
    if part.rate:  # as a sign of its own, as fonts do not place a combining dot above tall letters
        tall = part.letter in _TALL or part.letter.isupper()
        yield "\u02d9", -3 if tall else -1, ' font-weight="bold" dx="-.56em"'
    small = f' font-size="{_SMALL}"'
    if part.above:
        yield part.above, -4, small
    if part.below:
        yield "\u2009".join(part.below), 3, small
