"""Finds the lines that no compiler sees, as they stand between `#if 0` and `#endif`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codegen.review.diff.lexing import Token


def without_dead(lines: Sequence[Sequence[Token]]) -> list[Sequence[Token]]:
    """The lines without those of `#if 0` and of `#else` after `#if 1`, and without these directives.

    A condition with #elif stays as it is.
    """
    found, at = list[Sequence[Token]](), 0
    while at < len(lines):
        wanted = _DECIDED.get(_words(lines[at]))
        marks = None if wanted is None else _marks(lines, at)
        if marks is None:
            found.append(lines[at])
            at += 1
            continue
        middle, end = marks
        live = lines[at + 1 : middle] if wanted else lines[middle + 1 : end]
        found += without_dead(live)
        at = end + 1
    return found


_DECIDED: Mapping[tuple[str, ...], bool] = {("if", "0"): False, ("if", "1"): True}


def _words(line: Sequence[Token]) -> tuple[str, ...]:
    """The words of a directive; none for other lines."""
    return tuple(t.text for t in line[1:]) if line[0].text == "#" else ()


def _marks(lines: Sequence[Sequence[Token]], start: int) -> tuple[int, int] | None:
    """The lines of the #else, or else of the #endif, and of the #endif of a condition."""
    depth, middle = 0, 0
    for at in range(start, len(lines)):
        kind = (*_words(lines[at]), "")[0]
        if kind in ("if", "ifdef", "ifndef"):
            depth += 1
        elif kind == "endif":
            depth -= 1
            if depth == 0:
                return middle or at, at
        elif depth == 1 and kind in ("else", "elif"):
            if kind == "elif" or middle:
                return None
            middle = at
    return None
