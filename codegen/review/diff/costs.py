"""Compares the costs that comments state with those that the operations of functions have."""

from __future__ import annotations

from codegen.ir.cost import cost, cost_text
from codegen.review.diff.callers.documentation import stated_cost
from codegen.review.diff.functions.normal import plain
from codegen.review.diff.functions.reader import Unread, read
from codegen.review.diff.text.source import Source


def misstated_cost(symbol: str, old: Source, new: Source) -> list[str]:
    """What the new documentation of a function says of its cost, if that is wrong and was right before.

    Where the old statement is none that is counted here, such as that of a loop, nothing is known.
    """
    before, after = (stated_cost(symbol, source) for source in (old, new))
    if not before or not after or before == after or before != _counted(symbol, old):
        return []
    counted = _counted(symbol, new)
    return [f'the cost is "{after}" instead of "{counted}"'] if counted not in ("", after) else []


def _counted(symbol: str, source: Source) -> str:
    """The cost of a function's operations; empty where it is not read."""
    try:
        return cost_text(cost(plain(read(source.functions[symbol][0], source))))
    except Unread:
        return ""
