"""Finds functions that were renamed and edited: their code is much the same, and no other is as similar."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from codegen.review.diff.text.source import Source

_ENOUGH = 0.75
"""The least share of what two functions have in common."""

_SHORTEST = 30
"""The fewest tokens of a function: shorter ones are alike by chance."""

_MOST = 10_000
"""Limit on the comparisons; where more functions came and went, no names are guessed."""

Steps = Counter[tuple[str, str]]
"""How often each token follows another."""


def similar_functions(old: Source, new: Source, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Functions of each tree alone, apart from those `known`, that are each other's most similar ones.

    Yields the old and the new name. Both have the same precision in their names.
    """
    gone = _steps(old, old.functions.keys() - new.functions.keys() - known.keys())
    come = _steps(new, new.functions.keys() - old.functions.keys() - set(known.values()))
    if len(gone) * len(come) > _MOST:
        return
    shares = {(a, b): _share(gone[a], come[b]) for a in gone for b in come if _precision(a) == _precision(b)}
    best = defaultdict[str, list[float]](list)
    for (a, b), share in shares.items():
        if share >= _ENOUGH:
            best[a].append(share)
            best[b].append(share)
    for (a, b), share in shares.items():
        if share >= _ENOUGH and all(share == max(best[n]) and best[n].count(share) == 1 for n in (a, b)):
            yield a, b


def _steps(source: Source, symbols: Collection[str]) -> dict[str, Steps]:
    """The steps of the functions that are long enough and defined once; a function's own name is none."""
    found = dict[str, Steps]()
    for symbol in sorted(symbols):
        first, *others = source.functions[symbol]
        if not others and len(first.tokens) >= _SHORTEST:
            found[symbol] = Counter(pairwise("" if t == symbol else t for t in first.tokens))
    return found


def _share(a: Steps, b: Steps) -> float:
    return (a & b).total() / (a | b).total()


def _precision(symbol: str) -> str:
    found = re.search(r"_f(?:32|64)$", symbol)
    return found[0] if found else ""
