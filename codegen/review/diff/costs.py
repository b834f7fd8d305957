"""The costs of functions that were read, compared with those that their comments state."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from codegen.ir.cost import Cost, cost, cost_text
from codegen.review.diff.callers.documentation import stated_cost
from codegen.review.diff.functions.normal import plain
from codegen.review.diff.functions.pairs import PAIRED
from codegen.review.diff.functions.reader import Unread, read
from codegen.review.diff.reading import Reading
from codegen.review.diff.text.source import Source


def cost_of(reading: Reading) -> Cost:
    """The operations of a function; what the generated function for sines and cosines returns is a pair."""
    program = plain(reading)
    found, paired = cost(program), [n for n in program.nodes if n.value == PAIRED]
    single = Counter(found.libm) - Counter(n.op.label for n in paired)
    return replace(found, libm=dict(single), sincos=len({n.args for n in paired}))


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
        return cost_text(cost_of(read(source.functions[symbol][0], source)))
    except Unread:
        return ""
