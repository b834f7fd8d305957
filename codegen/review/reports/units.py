"""The units of the scalars of an argument, of which each part may have its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def units_of(unit: str, paths: Iterable[Sequence[str]]) -> Iterator[str]:
    """The unit of each scalar of an argument, which its path names: `("h", "x")` or `("2",)`.

    A manifest states one unit for all, or one for each part in turn, separated by semicolons; those of a part
    with parts of its own stand in parentheses. Where they are not as many as the parts, all stand for all.
    """
    every = list(paths)
    parts = list(dict.fromkeys(path[0] for path in every if path))
    texts = _apart(unit)
    if len(parts) == 1 and all(len(path) > 1 for path in every):
        yield from units_of(unit, [path[1:] for path in every])
    elif len(texts) == len(parts) > 1:
        own = dict(zip(parts, texts, strict=True))
        within = {part: units_of(own[part], [p[1:] for p in every if p[0] == part]) for part in parts}
        yield from (next(within[path[0]]) for path in every)
    else:
        yield from (unit for _ in every)


def _apart(unit: str) -> list[str]:
    """The units that semicolons outside of parentheses separate."""
    text = unit.strip()
    inside = text[1:-1] if text.startswith("(") and text.endswith(")") and _depths(text[:-1]) > 0 else text
    found, depth = [""], 0
    for character in inside:
        depth += (character == "(") - (character == ")")
        if character == ";" and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return [part.strip() for part in found]


def _depths(text: str) -> int:
    """The lowest number of open parentheses behind a character of the text."""
    depth, lowest = 0, len(text)
    for character in text:
        depth += (character == "(") - (character == ")")
        lowest = min(lowest, depth)
    return lowest
