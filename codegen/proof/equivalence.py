"""Equivalence: whether several ways of computing a kernel are the same mathematics.

Each way is run on the same random points of the constraint set, modulo 2^127 - 1 and, where its values
are rational, in Fractions. Agreement modulo P is a proof up to a probability of error below 2^-100 of
what is added and multiplied, as long as every select has been driven to both sides; a comparison that is
not the same falls out alike at one point in two, so that Programs with selects are compared at more.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from codegen.ir.domain import floats
from codegen.ir.modular import NoRoot, Residue, modular, residues
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import Irrational, NumberSystem, fractions
from codegen.ir.types import sample

Way = Callable[[NumberSystem, Sequence[Any]], list[Any]]
"""(number system, flattened inputs) -> flattened outputs."""

POINTS = 3
DECIDING_POINTS = 100
"""Where there are selects: a wrong comparison goes unnoticed once in 2^100; fewer where roots are rare."""

_MOST = 1000


@dataclass
class Verdict:
    """What the comparison found: points agreed on, and the first disagreement."""

    modular_points: int = 0
    fraction_points: int = 0
    difference: str = ""
    undriven: list[str] = field(default_factory=list)

    @property
    def proven(self) -> bool:
        """Whether all ways are equal."""
        return not self.difference and not self.undriven and self.modular_points >= POINTS


class Driven:
    """A Program as a way, remembering to which sides its selects have gone."""

    def __init__(self, program: Program) -> None:
        self.program = program
        conditions = [n.args[0] for n in program.nodes if n.op is Op.SELECT]
        self.seen: dict[int, set[bool]] = {c: set() for c in conditions}

    def __call__(self, system: NumberSystem, inputs: Sequence[Any]) -> list[Any]:
        """The results for these inputs."""
        evaluation = evaluate(self.program, system, inputs)
        for condition, sides in self.seen.items():
            sides.add(bool(evaluation.values[condition]))
        return evaluation.results

    @property
    def undriven(self) -> list[int]:
        """Conditions of selects that have only gone one way."""
        return [c for c, sides in self.seen.items() if len(sides) < 2]


def compare(inputs: Sequence[Arg], ways: Mapping[str, Way]) -> Verdict:
    """Compare all ways at points of the inputs' constraint set."""
    verdict = Verdict()
    enough = DECIDING_POINTS if any(getattr(way, "seen", None) for way in ways.values()) else POINTS
    for point in _modular_points(inputs):
        try:
            values = {name: way(*point) for name, way in ways.items()}
        except (NoRoot, ZeroDivisionError):  # as where comparisons fall out by chance
            continue
        verdict.modular_points += 1
        verdict.difference = verdict.difference or _difference(values)
        verdict.undriven = [
            f"{name}: select on node {c}" for name, way in ways.items() for c in getattr(way, "undriven", [])
        ]
        if verdict.difference or (verdict.modular_points >= enough and not verdict.undriven):
            break
    if not verdict.difference:
        _compare_fractions(inputs, ways, verdict)
    return verdict


def _modular_points(inputs: Sequence[Arg]) -> Iterator[tuple[NumberSystem, list[Residue]]]:
    for seed in range(_MOST):
        draw = residues(seed)
        yield modular(seed), [s for a in inputs for s in sample(a.type, draw)]


def _compare_fractions(inputs: Sequence[Arg], ways: Mapping[str, Way], verdict: Verdict) -> None:
    source = random.Random("fractions")
    for _ in range(POINTS):
        point = [Fraction(s) for a in inputs for s in sample(a.type, floats(source))]
        values = {}
        for name, way in ways.items():
            try:
                values[name] = way(fractions(), point)
            except (Irrational, AttributeError):  # a Fraction has no sqrt for NumPy code to call
                continue
        if len(values) > 1:
            verdict.fraction_points += 1
            verdict.difference = verdict.difference or _difference(values)


def _difference(values: Mapping[str, list[Any]]) -> str:
    """The first pair of ways that disagree, in words."""
    (first, expected), *others = values.items()
    for name, found in others:
        if len(found) != len(expected):
            return f"{first} gives {len(expected)} scalars, {name} {len(found)}"
        for i, (a, b) in enumerate(zip(expected, found, strict=True)):
            if a != b:
                return f"{first} and {name} differ in output scalar {i}"
    return ""
