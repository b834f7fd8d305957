"""Whole numbers that are surely an int wherever the old version is defined, as larger ones of it tell.

Where the old version calculates `at + cols` after each turn, `cols * i + j` of the same turn is an int, too.
A number that it calculates under some tests need not be looked at where these hold.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from codegen.review.diff.loops.choices import Choices, Value
from codegen.review.diff.loops.whole_numbers import Polynomial, is_between, is_never_negative
from codegen.review.diff.text.integers import MOST_INT


def is_in_range(
    choices: Choices,
    what: int,
    where: int,
    paths: Sequence[int],
    known: Mapping[int, int],
    given: Collection[int],
) -> bool:
    """Whether what may be beyond an int lies between what is given as ints, and what is known of a version.

    It is calculated where something holds, behind the conditions that lead to it.
    """
    kind, *values = choices.keys[what]
    if kind != "beyond int":
        return False
    before = Value(known.get(what, choices.truth(False).node), "truth")
    left = choices.both(where, choices.negated(before).node)
    facts = [fact for path in (*paths, left) for fact in choices.facts(path)]
    held: list[Polynomial] = [{}, {(): MOST_INT}]
    held += [{(node,): 1} for node in given]
    held += [
        choices.polynomial(int(str(choices.keys[other][1])))
        for other, met in known.items()
        if choices.keys[other][0] == "beyond int" and other != what and choices.implies(left, met)
    ]
    number = choices.polynomial(int(str(values[0])))
    named = {node for n in (number, *facts, *held) for monomial in n for node in monomial}
    turns = [node for node in named if choices.keys[node][0] == "turn"]
    naturals = {n for n in named if is_never_negative({(n,): 1}, facts, turns)}
    facts += [{(node,): 1} for node in sorted(naturals)]
    facts += [{monomial: 1} for monomial in number if len(monomial) > 1 and naturals.issuperset(monomial)]
    return is_between(number, held, facts, turns)
