"""Finds the names that mean a function's own variables throughout it, whatever else the file calls so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, pairwise

from codegen.review.diff.text.items import Item

_NO_TYPES = frozenset(("return", "goto", "else", "do", "case", "sizeof"))
"""Words behind which another word is no variable that is declared there."""


def shadows(item: Item, macros: Collection[str]) -> set[str]:
    """The names of a function's parameters, and of variables that its outermost block declares at first.

    None of a function in which conditions decide what compilers see. A macro may stand for anything, so that
    what follows one is no declaration.
    """
    if item.others:
        return set()
    return _parameters(item.tokens) | _variables(item.tokens, macros)


def _parameters(words: Sequence[str]) -> set[str]:
    """The words in front of what ends a parameter."""
    head = words[words.index("(") : words.index("{")]
    return {a for a, b in pairwise(head) if a.isidentifier() and b in (",", ")", "[")}


def _variables(words: Sequence[str], macros: Collection[str]) -> set[str]:
    """The variables, each with its declaration where its name stands first."""
    return {words[i] for i in _declared(words, macros) if words.index(words[i]) == i}


def _declared(words: Sequence[str], macros: Collection[str]) -> Iterator[int]:
    """The places of names in `type name = ...;` of the outermost block."""
    depths = accumulate((word in "({[") - (word in ")}]") for word in words)
    for i, depth in enumerate(depths):
        is_named = depth == 1 and words[i].isidentifier() and words[i + 1] in ("=", ";", ",", "[")
        if is_named and words[i - 1].isidentifier() and words[i - 1] not in _NO_TYPES | {*macros}:
            yield i
