"""Whether two functions are the same mathematics: compared as the proof compares a kernel's ways.

Results and status are compared on the inputs' constraint set along every path through the decisions of both
functions: `codegen.proof.equivalence`. The seed of points and primes is a digest of both. Where a condition
comes out in one way at all of their points, both are compared as if it came out in the other one, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import NamedTuple

from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program
from codegen.proof.equivalence import Driven, Verdict, compare
from codegen.review.diff.numbers.arithmetic import scalars_of
from codegen.review.diff.numbers.assumed import Wanted, assuming
from codegen.review.diff.numbers.comparisons import same_comparisons
from codegen.review.diff.numbers.protected import holding, possible
from codegen.review.diff.reading import Reading


class Equality(NamedTuple):
    """Whether two functions were found equal, and if not, what is known of their difference."""

    equal: bool
    finding: str = ""


def compare_readings(old: Reading, new: Reading, inputs: Sequence[Arg]) -> Equality:
    """Compare results and status on the inputs' constraint set."""
    flags = sorted({flag for reading in (old, new) for _, flag in reading.program.status})
    both = Driven(old.program, flags), Driven(new.program, flags)
    verdict = _compared(inputs, *both)
    if verdict.difference:
        names = scalars_of(old)[1]
        differing = names[verdict.output] if 0 <= verdict.output < len(names) else "the status"
        return Equality(False, f"{differing} may differ")
    if not verdict.proven:
        return Equality(False, f"they could not be proven equal ({verdict.shortcoming})")
    if not _Otherwise(inputs).agree(both):
        return Equality(False, "a branch that no point of the constraint set reached may differ")
    return Equality(True)


def _compared(inputs: Sequence[Arg], old: Driven, new: Driven) -> Verdict:
    return compare(inputs, {"old": old, "new": new}, "diff")


_MOST = 64
"""Limit on the sets of conditions that are taken to come out otherwise."""


class _Otherwise:
    """Compares two functions as if conditions came out as they did at no point, which rounding may do."""

    def __init__(self, inputs: Sequence[Arg]) -> None:
        self.inputs, self.count = inputs, 0

    def agree(self, both: Sequence[Driven]) -> bool:
        """Whether they are equal then, whichever condition it is."""
        if not any(way.has_unmet for way in both):
            return True
        numbers = same_comparisons(self.inputs, [way.program for way in both])
        return all(
            any(self._agree_where(both, numbers, way.program, own, parts) for parts in ways)
            for way, own in zip(both, numbers, strict=True)
            for ways in _unmet(way)
        )

    def _agree_where(
        self,
        both: Sequence[Driven],
        numbers: Sequence[Sequence[int]],
        program: Program,
        own: Sequence[int],
        parts: Sequence[Wanted],
    ) -> bool:
        """Whether they are equal where some comparisons of one of them come out in some way."""
        truths = {own[node]: bool(wanted) for node, wanted in parts}
        if any(truths[own[node]] is not bool(wanted) for node, wanted in parts):
            return True  # which cannot be
        self.count += 1
        equal = _equal_inputs(program, parts)
        old, new = (
            Driven(_with_inputs(assuming(w.program, n, truths), equal), w.flags)
            for w, n in zip(both, numbers, strict=True)
        )
        return self.count <= _MOST and _compared(self.inputs, old, new).proven and self.agree((old, new))


def _unmet(way: Driven) -> Iterator[Sequence[Sequence[Wanted]]]:
    """For each way in which a condition holds that no point met, but rounding may meet, its comparisons.

    Besides, these and those that come out in one way wherever it matters: all of them for a side of a choice
    that no point took, and for an operand of && or || that decided at none.
    """
    program, nodes = way.program, way.program.nodes
    if not way.has_unmet:
        return
    held, is_possible = holding(program), possible(program)
    ends = [(condition, [(condition, holds)]) for condition, holds in way.unmet]
    ends += [(i, [(nodes[i].args[0], side == nodes[i].args[1])]) for i, side in sorted(way.unreached)]
    ends += [(i, [*operands]) for i, operands in way.undecided]
    for k, (node, wanted) in enumerate(ends):
        context = [part for part in sorted(held[node] or ()) if nodes[part[0]].op in (Op.LT, Op.LE)]
        ways = [_ways_of(program, end, {}) for end in wanted]
        for chosen in islice(product(*ways), _WAYS):
            parts = [part for each in chosen for part in each]
            around = [*context, *parts]
            if is_possible(around):
                yield [parts, around] if context and k < len(way.unmet) else [around]


_WAYS = 16
"""Limit on the ways in which a condition may hold that are looked into."""


def _ways_of(program: Program, end: Wanted, known: dict[Wanted, list[list[Wanted]]]) -> list[list[Wanted]]:
    """The comparisons with which a condition comes out in some way: of `a or b`, those of a, then of b.

    Some of them, if there are many.
    """
    if end in known:
        return known[end]
    node, wanted = end
    op, args, _ = program.nodes[node]
    found = list[list[Wanted]]()
    if op is Op.NOT:
        found = _ways_of(program, (args[0], not wanted), known)
    elif op in (Op.AND, Op.OR):
        both = [_ways_of(program, (a, wanted), known) for a in args]
        if (op is Op.AND) == wanted:
            found = [[*one, *other] for one, other in islice(product(*both), _WAYS)]
        else:
            found = [*both[0], *both[1]][:_WAYS]
    elif op in (Op.LT, Op.LE):
        found = [[end]]
    return known.setdefault(end, found)


def _equal_inputs(program: Program, parts: Sequence[Wanted]) -> dict[Node, Node]:
    """What stands for inputs that equalities give: constants, or other inputs, of which the first stays."""
    nodes, found = program.nodes, dict[Node, Node]()
    pairs = [tuple(nodes[a] for a in nodes[n].args) for n, holds in parts if holds and nodes[n].op is Op.LE]
    equal = [(a, b) for a, b in pairs if a.op is Op.INPUT and (b, a) in pairs]
    for a, b in equal:
        if b.op is Op.CONSTANT:
            found.setdefault(a, b)
    for a, b in equal:
        if b.op is Op.INPUT and int(str(b.value)) < int(str(a.value)):
            found.setdefault(a, b)
    return found


def _with_inputs(program: Program, equal: Mapping[Node, Node]) -> Program:
    """A Program with other leaves in place of inputs."""

    def last(node: Node) -> Node:
        while node in equal:  # a constant, or an input that comes before
            node = equal[node]
        return node

    return replace(program, nodes=tuple(last(node) for node in program.nodes))
