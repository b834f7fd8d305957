"""Tells loops that surely end from those that may never do: `while (x > 2.0F)` does not where x is 3.

A compiler for C99 keeps a loop that never ends, also where nothing uses what it computes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from codegen.review.diff.loops.choices import Choices
from codegen.review.diff.loops.exchanged import varies


def goes_on(choices: Choices, turn: int) -> int:
    """Whether a turn leads to the next one."""
    key, never = choices.keys[turn], choices.truth(False).node
    if key[0] == "choice":
        sides = (goes_on(choices, side) for side in key[2:])  # type: ignore[arg-type]
        return choices.chosen(key[1], *sides)  # type: ignore[arg-type]
    return choices.truth(True).node if key[0] == "next" else never


def all_end(
    choices: Choices,
    visited: Collection[int],
    doubts: Mapping[int, Mapping[int, int]],
    returns: Callable[[str], bool],
) -> bool:
    """Whether all loops of a version surely end, and all functions that it calls surely return."""
    loops = {int(str(choices.keys[at][1])) for at in visited}
    keys = [choices.keys[what] for found in doubts.values() for what in found]
    called = {str(key[1]) for key in keys if key[0] == "called"}
    return all(surely_ends(choices, loop) for loop in loops) and all(map(returns, called))


def surely_ends(choices: Choices, loop: int) -> bool:
    """Whether a loop goes on only while a whole number is not negative that each turn makes smaller."""
    depth, turn = (int(str(choices.keys[loop][k])) for k in (1, 3))
    own, goes = choices.node("turn", depth), goes_on(choices, turn)
    if goes == choices.truth(False).node:
        return True
    for fact in choices.facts(goes):
        left = dict(fact)
        step = left.pop((own,), 0)
        nodes = {node for monomial in left for node in monomial}
        if step < 0 and not varies(choices, nodes, depth):
            return True
    return False
