"""Status flags: when each is returned, and the results then, as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TypeAlias

from codegen.characters import visible
from codegen.errors import FeatherError
from codegen.ir.status import Status
from codegen.misuse import explained
from codegen.notation.reader import read
from codegen.notation.syntax import Node


@explained
@dataclass(frozen=True)
class Failure:
    """A case in which a status flag is returned.

    `unless` states conditions in the notation of `codegen.notation`, of inputs, results and what the kernel's
    equation defines; all of them hold where the flag is not returned. So the flag is returned where they
    compare a NaN, too. `results` are the results in this case, as equations. Both are proven of the formula;
    several cases of one flag are in the order of its requirements. `words` say in plain words what
    the condition means, or state it where it has no formula; `note` is about the results, and `beside` says
    what becomes of the condition where another flag is returned. Formulas in these stand between backticks.
    A condition that no proof modulo primes follows, as of eigenvalues, is `certified`: it is compared on 60
    digits, on both sides of where it changes.
    """

    unless: str = ""
    results: str = ""
    words: str = ""
    note: str = ""
    beside: str = ""
    certified: bool = False

    def __post_init__(self) -> None:
        for part in fields(self):
            if isinstance(text := getattr(self, part.name), str):
                object.__setattr__(self, part.name, visible(text))

    @property
    def conditions(self) -> list[Node]:
        """What holds where the flag is not returned."""
        return [e.sides[0] for e in read(self.unless) if len(e.sides) == 1] if self.unless else []

    @property
    def condition(self) -> str:
        """The case in words, with formulas between backticks."""
        if not self.unless:
            return self.words + f" ({self.beside})" * bool(self.beside)
        meant = "; ".join(filter(None, (self.words, self.beside)))
        return f"unless `{self.unless}`" + f" ({meant})" * bool(meant)

    @property
    def outcome(self) -> str:
        """The results in words, with formulas between backticks."""
        return "; ".join(part for part in (f"`{self.results}`" * bool(self.results), self.note) if part)

    def __str__(self) -> str:
        """Case and results, with formulas between backticks."""
        return self.condition + f": {self.outcome}" * bool(self.outcome)


Failures: TypeAlias = Mapping[Status, tuple[Failure, ...]]
"""The cases of each flag."""

Stated: TypeAlias = Mapping[Status, str | Failure | Sequence[Failure]]
"""As a model states them: a case as a text `condition: results`, or as data, or several cases."""


def failures_of(stated: Stated | None) -> Failures:
    """The cases of each flag; FeatherError where something else is stated, or a condition is no notation."""
    return {flag: tuple(_cases(flag, cases)) for flag, cases in (stated or {}).items()}


def _in_words(text: str) -> Failure:
    """The case that a text `condition: results` states."""
    condition, _, then = text.partition(": ")
    return Failure(words=condition, note=then)


def _cases(flag: object, cases: str | Failure | Sequence[Failure]) -> Iterator[Failure]:
    if isinstance(cases, (str, Failure)):
        cases = [_in_words(cases) if isinstance(cases, str) else cases]
    is_listed = isinstance(flag, Status) and isinstance(cases, (list, tuple))
    for case in cases if is_listed else [None]:
        if not isinstance(case, Failure):
            raise FeatherError(
                "its failures are texts or conditions by flag, as in {Status.MASS: 'm is not positive'} or "
                "{Status.MASS: Failure('m > min', 'a = 0')}"
            )
        if case.unless and not case.conditions:
            raise FeatherError(f"its failure {flag.name} has no condition in {case.unless!r}")  # type: ignore[attr-defined]
        yield case
