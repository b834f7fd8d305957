"""Which functions of a tree are written where two versions of a routine call them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from codegen.review.diff.loops.sure_bounds import returns
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source

_MOST_WORDS = 100
"""Limit on the words of a function that is written in line though both versions call it as often."""

Pair = Sequence[tuple[Item, Source]]
"""The two versions of a routine, each with its tree."""


def called_otherwise(pair: Pair) -> frozenset[str]:
    """The functions of the tree that one of two versions calls more often than the other, and those below."""
    found = [Counter(_called(item, source)) for item, source in pair]
    names = {name for name in found[0] | found[1] if found[0][name] != found[1][name]}
    open_ = [*names]
    while open_:
        name = open_.pop()
        below = set[str]().union(*(s.calls(name) for _, s in pair if name in s.functions)) - names
        names |= below
        open_ += below
    return frozenset(names)


def short_ones(pair: Pair) -> frozenset[str]:
    """The short functions without loops that both versions call.

    A call may write anything, as far as its caller is read alone; the statements tell what they write.
    """
    found = [{n for n in _called(item, source) if _is_short(n, item, source)} for item, source in pair]
    return frozenset(found[0] & found[1])


def _called(item: Item, source: Source) -> list[str]:
    """The functions of the tree that a version calls, as often as it does, by its words."""
    return [name for name, after in pairwise(item.tokens) if after == "(" and name in source.functions]


def _is_short(name: str, item: Item, source: Source) -> bool:
    items = source.called(name, item.path)
    return len(items) == 1 and len(items[0].tokens) <= _MOST_WORDS and returns(source, item.path, name)
