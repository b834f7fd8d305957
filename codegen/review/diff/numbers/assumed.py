"""Two versions of a function under conditions that are assumed.

Where no input is found at which conditions hold, a choice between two values may still be compared on the
side that they lead to: both versions are evaluated as if the conditions came out as they should.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.review.diff.numbers.versions import Versions
from codegen.review.diff.reading import Reading, computing

Wanted: TypeAlias = tuple[int, bool | float | None]
"""A condition and how it should come out, or a number and what it should be about.

With None, it is a number that should be zero, or what should be about to jump: a comparison of numbers that
are equal, or a whole number that is about to be another one.
"""


def under(
    versions: Versions, numbers: Sequence[Sequence[int]], own: int, conditions: Sequence[Wanted]
) -> Versions | None:
    """Both versions where these conditions of one of them come out as they should, whatever the inputs are.

    Its number is `own`; `numbers` are those of the nodes. None if one of the versions does not test them all.
    """
    known = _truths((versions.old, versions.new)[own], numbers[own], conditions)
    is_shared = known is not None and all(known.keys() <= {*each} for each in numbers)
    return as_if(versions, numbers, own, conditions) if is_shared else None


def as_if(
    versions: Versions, numbers: Sequence[Sequence[int]], own: int, conditions: Sequence[Wanted]
) -> Versions | None:
    """The same, where a version may test none of them; None if they contradict each other."""
    known = _truths((versions.old, versions.new)[own], numbers[own], conditions)
    if known is None:
        return None
    both = versions.old, versions.new
    old, new = (_assuming(r, n, known) for r, n in zip(both, numbers, strict=True))
    return versions._replace(old=old, new=new)


def parts_of(program: Program, conditions: Sequence[Wanted]) -> list[Wanted]:
    """The comparisons that follow from conditions, and how they come out; of `a or b`, neither follows."""
    nodes, found, open_ = program.nodes, list[Wanted](), [*reversed(conditions)]
    while open_:
        here, wanted = open_.pop()
        op, args, _ = nodes[here]
        if op is Op.NOT:
            open_.append((args[0], not wanted))
        elif op is (Op.AND if wanted else Op.OR):
            open_ += [(a, wanted) for a in reversed(args)]
        else:
            found.append((here, wanted))
    return found


def _truths(reading: Reading, numbers: Sequence[int], conditions: Sequence[Wanted]) -> dict[int, bool] | None:
    """How numbered comparisons come out; None where one would have to come out in both ways."""
    found = dict[int, bool]()
    for node, wanted in parts_of(reading.program, conditions):
        if found.setdefault(numbers[node], bool(wanted)) is not bool(wanted):
            return None
    return found


def _assuming(reading: Reading, numbers: Sequence[int], known: Mapping[int, bool]) -> Reading:
    """A version in which these conditions come out as they are known to."""
    return computing(reading, assuming(reading.program, numbers, known))


def assuming(program: Program, numbers: Sequence[int], known: Mapping[int, bool]) -> Program:
    """A Program of the same nodes in which conditions with these numbers come out as they are known to."""
    nodes, moved = list[Node](), list[int]()
    for i, (op, args, value) in enumerate(program.nodes):
        args = tuple(moved[a] for a in args)
        truth = known.get(numbers[i], _truth(op, [nodes[a] for a in args]))
        chosen = nodes[args[0]] if op is Op.SELECT else None
        nodes.append(Node(op, args, value) if truth is None else Node(Op.TRUTH, (), truth))
        moved.append(args[1 if chosen.value else 2] if chosen and chosen.op is Op.TRUTH else i)
    results = tuple(moved[r] for r in program.results)
    return replace(program, nodes=tuple(nodes), results=results, labels={})


def _truth(op: Op, operands: Sequence[Node]) -> bool | None:
    """How a condition comes out, if its parts tell."""
    truths = [bool(n.value) if n.op is Op.TRUTH else None for n in operands]
    if op is Op.NOT:
        return None if truths[0] is None else not truths[0]
    if op not in (Op.AND, Op.OR):
        return None
    decisive = op is Op.OR
    if decisive in truths:
        return decisive
    return None if None in truths else not decisive
