"""Finds the lines that no compiler sees, as they stand between `#if 0` and `#endif`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codegen.review.diff.text.lexing import Token


def without_dead(lines: Sequence[Sequence[Token]]) -> list[Sequence[Token]]:
    """The lines without those of `#if 0` and of `#else` after `#if 1`, and without these directives.

    A condition with #elif stays as it is.
    """
    jumps: dict[int, int] = {}
    for start, (middle, end) in _marks(lines).items():
        wanted = _DECIDED.get(_words(lines[start]))
        if wanted is not None:
            jumps[start] = start + 1 if wanted else middle
            jumps[middle] = end if wanted else middle + 1
            jumps[end] = end + 1
    found, at = list[Sequence[Token]](), 0
    while at < len(lines):
        if at not in jumps:
            found.append(lines[at])
        at = jumps.get(at, at + 1)
    return found


_DECIDED: Mapping[tuple[str, ...], bool] = {("if", "0"): False, ("if", "1"): True}


def _words(line: Sequence[Token]) -> tuple[str, ...]:
    """The words of a directive; none for other lines."""
    return tuple(t.text for t in line[1:]) if line[0].text == "#" else ()


def _marks(lines: Sequence[Sequence[Token]]) -> dict[int, tuple[int, int]]:
    """For each line with a condition: the lines of its #else, or else of its #endif, and of its #endif.

    Conditions with #elif, and those that do not end, are left out. Compilers take #elifdef and #elifndef for
    conditions, too, in modes in which C has none.
    """
    found: dict[int, tuple[int, int]] = {}
    opened: list[tuple[int, list[int]]] = []  # the line of each open condition, and those of its #else
    for at, line in enumerate(lines):
        kind = (*_words(line), "")[0]
        if kind in ("if", "ifdef", "ifndef"):
            opened.append((at, []))
        elif kind == "endif" and opened:
            start, middles = opened.pop()
            if len(middles) < 2:
                found[start] = (*middles, at)[0], at
        elif kind in ("else", "elif", "elifdef", "elifndef") and opened:
            opened[-1][1].extend([at] if kind == "else" else [at, at])
    return found
