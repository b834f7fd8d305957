"""Whether two functions are the same mathematics: compared as the proof compares a kernel's ways.

Results and status are compared on the inputs' constraint set along every path through the decisions of both
functions: `codegen.proof.equivalence`. The seed of points and primes is a digest of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program, value_numbers
from codegen.proof.equivalence import Driven, compare
from codegen.review.diff.numbers.arithmetic import scalars_of
from codegen.review.diff.reading import Reading


class Equality(NamedTuple):
    """Whether two functions were found equal, and if not, what is known of their difference."""

    equal: bool
    finding: str = ""


def compare_readings(old: Reading, new: Reading, inputs: Sequence[Arg]) -> Equality:
    """Compare results and status on the inputs' constraint set."""
    flags = sorted({flag for reading in (old, new) for _, flag in reading.program.status})
    ways = {"old": Driven(old.program, flags), "new": Driven(new.program, flags)}
    verdict = compare(inputs, ways, "diff")
    if verdict.difference:
        names = scalars_of(old)[1]
        differing = names[verdict.output] if 0 <= verdict.output < len(names) else "the status"
        return Equality(False, f"{differing} may differ")
    if not verdict.proven:
        return Equality(False, f"they could not be proven equal ({verdict.shortcoming})")
    if not _same_unreached(*ways.values()) and not _equal_unreached(inputs, *ways.values()):
        return Equality(False, "a branch that no point of the constraint set reached may differ")
    return Equality(True)


def _same_unreached(old: Driven, new: Driven) -> bool:
    """Whether what no point reaches, but rounding might, is the same computation in both."""
    known: dict[object, int] = {}
    sides = []
    for way in (old, new):
        numbers = value_numbers(way.program, known)
        sides.append({(numbers[select], numbers[side]) for select, side in way.unreached})
    return sides[0] == sides[1]


def _equal_unreached(inputs: Sequence[Arg], old: Driven, new: Driven) -> bool:
    """Whether choices with a side that no point reaches are equal, in order: conditions and both sides."""
    before, after = _exposed(old), _exposed(new)
    if before.conditions != after.conditions:
        return False
    return compare(inputs, {"old": Driven(before.program), "new": Driven(after.program)}, "diff").proven


class _Exposed(NamedTuple):
    """Choices as results: the structure of their conditions, and a Program that computes the rest.

    Its results are both sides of each choice, and for each comparison the difference of what it compares.
    """

    conditions: Sequence[object]
    program: Program


def _exposed(way: Driven) -> _Exposed:
    nodes, results, conditions = list(way.program.nodes), list[int](), list[object]()

    def structure(condition: int) -> object:
        op, args, value = nodes[condition]
        if op not in (Op.LT, Op.LE):
            return op, value, *map(structure, args)
        results.append(len(nodes))
        nodes.append(Node(Op.SUB, args))
        return op

    for select in sorted({select for select, _ in way.unreached}):
        condition, *sides = nodes[select].args
        conditions.append(structure(condition))
        results.extend(sides)
    return _Exposed(conditions, replace(way.program, nodes=tuple(nodes), results=tuple(results), status=()))
