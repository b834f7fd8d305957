"""Macros that are hints to some compilers and nothing to others: what is likely, or how to lay out code."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.review.diff.text.attributes import STORAGE, without_requests
from codegen.review.diff.text.reserved import EXPECT


def hint(given: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """What a macro means that stands for one of these; None where that is not the same to all compilers.

    All begin with the macro's parameters, if it has any. What some compilers are asked for is taken to be
    asked of all. `__builtin_expect(!!(x), 0)` and `(x)` are the same for a truth value, and the former is
    only read with one.
    """
    left = [without_requests(words) for words in given]
    if left[0] is not None and STORAGE.issuperset(left[0]) and all(words == left[0] for words in left):
        asked = (tuple(w for w in words if w not in STORAGE) for words in given)
        return (*left[0], *(word for words in dict.fromkeys(asked) for word in words))
    if len(given) != 2:
        return None
    return _of_truth(*given) or _of_truth(*given[::-1]) or None


def _of_truth(given: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """The hint that a truth value is likely, which the other words leave out; empty where they do not."""
    if given[:1] != ["("] or given[:3] != other[:3] or given[2:3] != [")"]:
        return ()
    expected, name = _expected(given[3:]), given[1]
    is_bracketed = other[3:4] in (["("], ["!"])
    is_same = bool(expected) and _core(other[3:]) == [name] == _core(expected[2:-3])
    return ("(", name, ")", *expected) if is_bracketed and is_same else ()


def _expected(body: Sequence[str]) -> list[str]:
    """A call of the hint with a number, without brackets around it; empty for others."""
    bare = _bare(body)
    is_call = bare[:2] == [EXPECT, "("] and bare[-3:-1][:1] == [","] and bare[-2:-1] in (["0"], ["1"])
    return bare if is_call and bare[-1] == ")" else []


def _core(words: Sequence[str]) -> list[str]:
    """What brackets and two negations are around."""
    bare = _bare(words)
    return _core(bare[2:]) if bare[:2] == ["!", "!"] else bare


def _bare(words: Sequence[str]) -> list[str]:
    found = list(words)
    while len(found) > 2 and (found[0], found[-1]) == ("(", ")"):
        found = found[1:-1]
    return found
