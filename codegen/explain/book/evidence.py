"""What supports each function, and what is not proven of it: the data of the book's page on evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from codegen.emit.function import Function
from codegen.errors import FeatherError
from codegen.modeling.equations.partly import partly_stated
from codegen.modeling.equations.textbook import equation_condition, equation_program
from codegen.modeling.equations.uncompared import why_uncompared
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.prose import listed
from codegen.proof.derivation import hand_written
from codegen.proof.proof import closed_form, independent_forms, omitted
from codegen.verify.record import Recorded, digest


class Gap(NamedTuple):
    """Something that is not proven of a function: a key of GAPS, and where in the function it is."""

    kind: str
    where: str = ""


GAPS: Mapping[str, tuple[str, str]] = {
    "failed": ("The verification failed", "The forms differ, or a trial is outside its limit."),
    "unverified": ("Not in the record", "The verification that this book cites did not try these functions."),
    "tested": ("Tested at points, but not proven", "No difference was found; the reason is stated."),
    "alone": (
        "No second form",
        "The code is proven equal to the formula, but nothing says that the formula is right.",
    ),
    "in part": (
        "Results without a second form",
        "The equation gives the other results only: nothing says that the formula of these is right.",
    ),
    "property": (
        "Only a property at single points",
        "No independent form states the results: the equation repeats the formula, or gives conditions that "
        "the results meet. Such conditions are computed with 60 digits at random and edge points.",
    ),
    "loop": (
        "Loops",
        "Control flow that is written by hand is not proven. The results are compared with problems whose "
        "answers are known; the functions that do the arithmetic have proofs of their own.",
    ),
    "series": (
        "Limits and series",
        "The proof covers the closed form. Where that is 0/0 or loses digits, the code uses a limit or a "
        "series, of an angle in its range the angle itself, which no proof covers: the error is measured at "
        "the trials of the verification.",
    ),
    "requires": (
        "Preconditions that the code does not test",
        "The proof holds where they are met; the functions state them.",
    ),
    "condition": (
        "Status flags whose conditions are stated in words",
        "Only conditions that are formulas are compared with those of the code.",
    ),
    "threshold": (
        "Status flags whose conditions are certified, not proven",
        "Numbers modulo a prime have no order that would show eigenvalues and pivots: these conditions are "
        "compared with those of the code with 60 digits, on both sides of where they change.",
    ),
    "results": (
        "Failure results that are stated only in words",
        "They are tried, but not compared with the code for all inputs.",
    ),
    "equation": (
        "Equations that are stated, not compared",
        "The proof does not use what the page shows as the equation.",
    ),
    "left out": (
        "Trials that are left out",
        "There is no result to compare with, because an intermediate value overflows, the mathematics has no "
        "value, or rounding may lose every digit. The numbers are those of both precisions.",
    ),
}
"""The title and meaning of each kind of gap, in the order of the page."""

FORMS: Mapping[str, str] = {
    "definition": "the textbook's definition",
    "derivation": "a derivation with CasADi",
    "reference": "a reference in NumPy",
    "equation": "the equation as it is shown",
    "property": "a property that its results must have",
}
"""The independent forms of a formula, in words."""

_LED = ("written", "part", "named")


@dataclass(frozen=True)
class Evidence:
    """What supports a function.

    `forms` are the independent forms that its formula is compared with, `steps` the number of the steps of
    its derivation that a person wrote. Of its `statements` in double, loads apart, `led` lead to a written
    step or a named value. `verified` are the records of its precisions; empty without a record.
    """

    name: str
    forms: tuple[str, ...] = ()
    steps: int = 0
    led: int = 0
    statements: int = 0
    verified: tuple[Recorded, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def verdict(self) -> str:
        """The verdict on its mathematics, without the points and the reason; empty without a record."""
        return verdict(self.verified[0].verdict) if self.verified else ""

    @property
    def chance(self) -> float:
        """The bound of error of its proof, as a logarithm to base 2; 0 where it is not proven."""
        return max(r.chance for r in self.verified) if self.verdict == "proven" else 0.0


def verdict(text: str) -> str:
    """The kind of a verdict: `certified numerically` of `certified numerically at 40 of 43 points`."""
    return text.partition(":")[0].partition(" at ")[0]


def of_kernel(
    kernel: Kernel, hows: Iterable[str], functions: Sequence[Function], record: Mapping[str, Recorded] | None
) -> Evidence:
    """The evidence of a kernel, whose statements in double have reasons of these kinds.

    FeatherError when the record is of another version of the kernel.
    """
    known = [(f, record[f.symbol]) for f in functions if f.symbol in record] if record else []
    for f, r in known:
        if r.program != digest(f.program):
            raise FeatherError(f"the record of {f.symbol} is of another version of it: verify it again")
    found, forms = [r for _, r in known], independent_forms(kernel)
    counted = Counter(hows)
    return Evidence(
        kernel.name,
        tuple(forms),
        len(hand_written(kernel)),
        sum(counted[how] for how in _LED),
        counted.total(),
        tuple(found),
        (*_of_form(kernel, forms), *_of_record(found, record)),
    )


def of_routine(routine: Routine, symbols: Sequence[str], record: Mapping[str, Recorded] | None) -> Evidence:
    """The evidence of a loop with these symbols."""
    found = [record[s] for s in symbols if s in record] if record else []
    gaps = (Gap("loop"), *_of_record(found, record))
    return Evidence(routine.name, verified=tuple(found), gaps=gaps)


def _of_form(kernel: Kernel, forms: Sequence[str]) -> Iterator[Gap]:
    """What no proof of the kernel, which has these independent forms, covers, whatever its verdict is."""
    if not kernel.outputs or forms == ["property"]:
        yield Gap("property")
    elif not forms:
        yield Gap("alone")
    elif alone := omitted(kernel):
        yield Gap("in part", listed(alone))
    if kernel.outputs and closed_form(kernel).nodes != kernel.program(False).nodes:
        yield Gap("series")
    if kernel.requires:
        yield Gap("requires")
    yield from _of_failures(kernel)
    stated = equation_program(kernel), equation_condition(kernel), partly_stated(kernel)
    if kernel.equation and stated == (None, None, None):
        yield Gap("equation", why_uncompared(kernel) if kernel.outputs else "its only result is the status")


def _of_failures(kernel: Kernel) -> Iterator[Gap]:
    for flag, cases in sorted(kernel.failures.items()):
        if not all(case.unless for case in cases):
            yield Gap("condition", flag.name or "")
        if any(case.certified for case in cases):
            yield Gap("threshold", flag.name or "")
        if kernel.outputs and not all(case.results for case in cases):
            yield Gap("results", flag.name or "")


def _of_record(found: Sequence[Recorded], record: Mapping[str, Recorded] | None) -> Iterator[Gap]:
    """What the verification did not find."""
    if record is None:
        return
    if not found:
        yield Gap("unverified")
    elif not all(r.ok for r in found):
        yield Gap("failed", found[0].verdict)
    elif found[0].verdict.startswith("tested"):
        yield Gap("tested", found[0].verdict)
    left_out = sum(r.left_out for r in found)
    if left_out:
        yield Gap("left out", f"{left_out} of {left_out + sum(r.trials for r in found)}")


class Group(NamedTuple):
    """The functions that have one kind of gap, and where in them it is."""

    title: str
    meaning: str
    members: tuple[tuple[str, str], ...]


def groups(evidence: Sequence[Evidence]) -> list[Group]:
    """What is not proven: for each kind of gap its functions, in the order of the kinds and of the book."""
    found = []
    for kind, (title, meaning) in GAPS.items():
        where = {e.name: ", ".join(g.where for g in e.gaps if g.kind == kind) for e in evidence}
        having = [e.name for e in evidence if any(g.kind == kind for g in e.gaps)]
        if having:
            found.append(Group(title, meaning, tuple((name, where[name]) for name in having)))
    return found


def verdicts(evidence: Sequence[Evidence]) -> list[tuple[str, int]]:
    """How many functions have each verdict, the most frequent first."""
    return Counter(e.verdict or "not in the record" for e in evidence).most_common()
