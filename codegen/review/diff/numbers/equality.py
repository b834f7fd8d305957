"""Whether two functions are the same mathematics: compared as the proof compares a kernel's ways.

Results and status are compared on the inputs' constraint set along every path through the decisions of both
functions: `codegen.proof.equivalence`. The seed of points and primes is a digest of both. Where a condition
comes out in one way at all of their points, both are compared as if it came out in the other one, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program
from codegen.proof.equivalence import Driven, Verdict, compare
from codegen.review.diff.numbers.arithmetic import scalars_of
from codegen.review.diff.numbers.assumed import assuming, parts_of
from codegen.review.diff.numbers.comparisons import same_comparisons
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
    if not _equal_unmet(inputs, both, set()):
        return Equality(False, "a branch that no point of the constraint set reached may differ")
    return Equality(True)


def _compared(inputs: Sequence[Arg], old: Driven, new: Driven) -> Verdict:
    return compare(inputs, {"old": old, "new": new}, "diff")


_Truths: TypeAlias = frozenset[tuple[int, bool]]
"""Numbers of comparisons, and how they come out."""

_MOST = 64
"""Limit on the sets of conditions that are taken to come out otherwise."""


def _equal_unmet(inputs: Sequence[Arg], both: tuple[Driven, Driven], tried: set[_Truths]) -> bool:
    """Whether both are equal as if any condition came out as it did at no point, which rounding may do."""
    if not any(way.unmet for way in both):
        return True
    numbers = same_comparisons(inputs, [way.program for way in both])
    for way, own in zip(both, numbers, strict=True):
        for condition in way.unmet:
            truths = _truths(way.program, own, condition)
            if not truths or truths in tried:
                continue
            tried.add(truths)
            old, new = (
                Driven(assuming(w.program, n, dict(truths)), w.flags)
                for w, n in zip(both, numbers, strict=True)
            )
            if len(tried) > _MOST or not _compared(inputs, old, new).proven:
                return False
            if not _equal_unmet(inputs, (old, new), tried):
                return False
    return True


def _truths(program: Program, numbers: Sequence[int], condition: tuple[int, bool]) -> _Truths:
    """The comparisons of a condition, and how they come out where it does so; none where that cannot be.

    Of `a or b`, which holds where a does, both are conditions of their own.
    """
    found = dict[int, bool]()
    for node, wanted in parts_of(program, [condition]):
        is_comparison = program.nodes[node].op in (Op.LT, Op.LE)
        if not is_comparison or found.setdefault(numbers[node], bool(wanted)) is not bool(wanted):
            return frozenset()
    return frozenset(found.items())
