"""Comparison where a kernel is used: inside the declared ranges, and where its forms have values.

A proof holds for all values of the types, so forms such as x and |x| differ even if x is declared to be
positive. Such a difference is looked for inside the ranges again: if there is none, the forms are called
tested there, never proven. A form without a value at any point that was tried, such as y = x/0, agrees with
anything, and counts as a difference.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from codegen.ir.domain import Case, cases, spans
from codegen.ir.exploration import Way
from codegen.ir.program import Arg
from codegen.ir.systems import F64, NumberSystem, multiprecision
from codegen.proof.balls import balls
from codegen.proof.boundaries import boundary_points
from codegen.proof.confirmation import agree, constants, programs_of, without_noise
from codegen.proof.equivalence import Driven, Verdict, compare

_POINTS = 192
"""Points inside the ranges at which a difference is looked for; as many again at constants of the forms."""

_TRIED = 24
_DIGITS = 60


def compare_where_used(inputs: Sequence[Arg], ways: Mapping[str, Way], subject: str) -> Verdict:
    """Compare all ways; what differs only outside of the declared ranges counts as tested inside."""
    verdict = compare(inputs, ways, subject)
    if any(isinstance(way, Driven) and way.has_points_apart for way in ways.values()):
        verdict.undriven = [*verdict.undriven, "several equalities at once, which no point met"]
    if not verdict.difference and (verdict.undriven or not verdict.modular_points):
        verdict.difference = _without_values(inputs, ways, verdict)
    elif verdict.difference and any(span for a in inputs for span in spans(a)):
        verdict.inside = _agreeing_inside(inputs, ways, verdict.seed)
        if verdict.inside:
            verdict.undriven = [*verdict.undriven, f"elsewhere, {verdict.difference}"]
            verdict.difference = ""
    return verdict


# Forms without values


def _without_values(inputs: Sequence[Arg], ways: Mapping[str, Way], verdict: Verdict) -> str:
    """Which way has no value at most points at which the first one has some; empty if there is none.

    The first one may have no value anywhere: then nothing has been compared.
    """
    system = multiprecision(F64, _DIGITS)
    name, first = next(iter(ways.items()))
    points = [[*map(system.constant, case)] for case in cases(inputs, _TRIED, f"values {verdict.seed}")]
    points = [point for point in points if _has_value(first, system, point)]
    if not points and not verdict.points:
        why = "".join(f": {reason}" for reason, _ in verdict.left_out.most_common(1))
        return f"{name} has no value at any point that was tried{why}"
    if len(points) < _TRIED // 2:
        return ""
    for other, way in ways.items():
        missing = sum(not _has_value(way, system, point) for point in points)
        if missing > len(points) // 2:
            return f"{other} has no value at {missing} of {len(points)} points at which {name} has one"
    return ""


def _has_value(way: Way, system: NumberSystem, point: Sequence[Any]) -> bool:
    try:
        way(system, point)
    except (ArithmeticError, ValueError):
        return False
    except (AttributeError, TypeError):
        return True  # NumPy has no functions of such numbers
    return True


# Differences inside the ranges


def _agreeing_inside(inputs: Sequence[Arg], ways: Mapping[str, Way], seed: str) -> int:
    """The number of points inside the ranges at which all ways agree; 0 if they differ at one of them.

    It is also 0 if there are too few at which all ways have values.
    """
    count = 0
    for case in _inside(inputs, ways, seed):
        same = _same(ways, case)
        if same is False:
            return 0
        count += same is True
    return count if count >= _TRIED else 0


class Counterexample(NamedTuple):
    """Inputs inside the declared ranges, and an output scalar of which two ways have these values there.

    The second value is larger than the first one by `more`.
    """

    case: Case
    output: int
    values: Mapping[str, float]
    more: float


def counterexamples(inputs: Sequence[Arg], ways: Mapping[str, Way], seed: str) -> Iterator[Counterexample]:
    """Points inside the declared ranges at which two ways differ."""
    for case in _inside(inputs, ways, seed):
        try:
            values = _values(without_noise(), ways, case)
        except (AttributeError, TypeError):  # NumPy has no functions of numbers with many digits
            continue
        found = _difference(case, values) if values else None
        if found is not None:
            yield found


def _difference(case: Case, values: Mapping[str, Sequence[Any]]) -> Counterexample | None:
    """The first output scalar of which two ways have different values."""
    (first, expected), *others = values.items()
    for other, found in others:
        for i, (a, b) in enumerate(zip(expected, found, strict=False)):
            if not agree([a], [b]):
                return Counterexample(case, i, {first: float(a), other: float(b)}, float(b - a))
    return None


def _same(ways: Mapping[str, Way], case: Case) -> bool | None:
    """Whether all ways agree, to 200 digits or within the rounding of double; None where one has no value."""
    try:
        return _agree_in(without_noise(), ways, case)
    except (AttributeError, TypeError):  # NumPy has no functions of numbers with many digits
        return _agree_in(balls(), ways, case)


def _values(system: NumberSystem, ways: Mapping[str, Way], case: Case) -> dict[str, Sequence[Any]]:
    """What each way gives at a point; nothing where one has no value."""
    point = [system.constant(Fraction(x)) for x in case]
    try:
        return {name: way(system, point) for name, way in ways.items()}
    except (ArithmeticError, ValueError):
        return {}


def _agree_in(system: NumberSystem, ways: Mapping[str, Way], case: Case) -> bool | None:
    values = _values(system, ways, case)
    if not values:
        return None
    first, *others = values.values()
    equal = agree if system is without_noise() else _within_rounding
    return all(equal(first, other) for other in others)


def _within_rounding(first: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(first) == len(other) and all(a == b for a, b in zip(first, other, strict=True))


def _inside(inputs: Sequence[Arg], ways: Mapping[str, Way], seed: str) -> Iterator[Case]:
    """Points inside the ranges: random ones, ends, corners, at thresholds, and near constants of the ways."""
    yield from cases(inputs, _POINTS, f"inside {seed}")
    yield from boundary_points(inputs, programs_of(ways), f"inside {seed}")
    source = random.Random(f"constants {seed}")
    near = [c + step for c in constants(ways) for step in (0, Fraction(1, 1024), Fraction(-1, 1024))]
    ends = [span for a in inputs for span in spans(a)]
    known = [[c for c in near if span[0] <= c <= span[1]] if span else [] for span in ends]
    for case in cases(inputs, _POINTS, f"near {seed}"):
        yield [
            source.choice(among) if among and source.random() < 0.5 else x
            for x, among in zip(case, known, strict=True)
        ]
