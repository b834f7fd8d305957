"""Whether two functions are the same mathematics: compared as the proof compares a kernel's ways.

Results and status are compared on the inputs' constraint set along every path through the decisions of both
functions: `codegen.proof.equivalence`. The seed of points and primes is a digest of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from codegen.ir.program import Arg, value_numbers
from codegen.proof.equivalence import Driven, compare
from codegen.review.diff.arithmetic import scalars_of
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
    if not _same_unreached(*ways.values()):
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
