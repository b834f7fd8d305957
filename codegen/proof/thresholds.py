"""Whether conditions that no proof modulo primes follows change where the tests of the formula do.

Conditions of eigenvalues, or of the largest of several pivots, are equal to what a formula tests, but have
another form: numbers modulo a prime have no order that would show it. Both are evaluated on 60 digits with
the limits of each precision: at random points, at edges, and along lines on both sides of where the tests
change.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, islice, product
from typing import Any, NamedTuple

from codegen.ir.domain import Case, cases
from codegen.ir.systems import F32, F64, NumberSystem, Precision, multiprecision
from codegen.modeling.kernel import Kernel
from codegen.passes.specialise import specialise
from codegen.proof.boundaries import boundary_points
from codegen.proof.equivalence import Driven
from codegen.proof.guards import Tested, proven_flags, stated_flags, tests_of, unnumbered, with_formula

DIGITS = 60
_SPARSE, _DRAWN = 48, 16
"""Points of which each number is -1, 0 or 1, or a multiple of these, and random ones."""

_LINES, _RAYS = 20, 10
"""Lines from a point where a test holds to one where it fails, and points whose multiples are tried."""

_LEAST = 8
"""Lines on which conditions must have a value, or nothing is certified."""

_HALVINGS = 84


class Thresholds(NamedTuple):
    """How often both conditions were compared, on how many lines, and where they differ; empty if nowhere."""

    points: int
    lines: int
    difference: str = ""


def compare_thresholds(kernel: Kernel) -> Thresholds | None:
    """Compare the certified conditions with the tests of the formula; None where there are none."""
    kernel = with_formula(kernel)
    flags = [flag for flag in stated_flags(kernel) if flag not in proven_flags(kernel)]
    if kernel.bound or not flags:
        return None
    tests, points, lines = tests_of(kernel, flags), 0, 0
    for precision, i in product((F64, F32), range(len(tests.flags))):
        found = _Search(kernel, tests, i, precision).compared()
        points, lines = points + found.points, lines + found.lines
        if found.difference:
            name = unnumbered(tests.flags[i]).name
            return Thresholds(points, lines, f"see {name}: {found.difference}")
    return Thresholds(points, lines)


Outcomes = tuple[bool | None, bool | None]
"""Whether a formula's test holds at a point, and what is stated of it; None without a value."""


class _Search:
    """The search for a point at which a test and what is stated of it differ, in one precision."""

    def __init__(self, kernel: Kernel, tests: Tested, number: int, precision: Precision) -> None:
        self._system = multiprecision(precision, DIGITS)
        self._finer = multiprecision(precision, 4 * DIGITS)
        self._programs = [specialise(p, precision) for p in (tests.formula, tests.stated)]
        self._formula, self._stated = (Driven(p, [tests.flags[number]]) for p in self._programs)
        self._inputs = kernel.inputs
        self._seed = f"thresholds {kernel.name} {number}"
        self._source = random.Random(self._seed)
        self._smallest, self._eps = precision.named("min"), precision.named("eps")

    def compared(self) -> Thresholds:
        """The comparison at points and along lines."""
        judged = [(point, self._both(point)) for point in self._points()]
        passing = [point for point, (holds, _) in judged if holds]
        failing = [point for point, (holds, _) in judged if holds is False]
        points, count, different = len(judged), 0, any(self._differ(*row) for row in judged)
        lines = chain(islice(self._lines(passing, failing), _LINES), self._rays(passing))
        while not different and (ends := next(lines, None)):
            near = [(point, self._both(point)) for point in self._ends_at_change(*ends)]
            if near and all(stated is not None for _, (_, stated) in near):
                count, points = count + 1, points + len(near)
                different = any(self._differ(*row) for row in near)
        if different:
            return Thresholds(points, count, "the documentation states another condition")
        if count < _LEAST:
            return Thresholds(points, count, f"the test was seen to change on {count} lines only")
        return Thresholds(points, count)

    def _points(self) -> Iterator[Case]:
        size = sum(a.size for a in self._inputs)
        sparse = [[Fraction(self._source.choice((0, 0, 1, -1))) for _ in range(size)] for _ in range(_SPARSE)]
        sparse += [[Fraction(k == i) for k in range(size)] for i in range(size)] + [[Fraction(1)] * size]
        for scale in (Fraction(1), Fraction(1, 8), Fraction(2) ** -100, self._smallest, -self._smallest):
            yield from ([scale * x for x in point] for point in sparse)
        usual = [*cases(self._inputs, _DRAWN, self._seed)]
        yield from usual
        for i, x, _ in product(range(size), (self._smallest, 2 * self._smallest, self._eps), range(3)):
            point = self._source.choice(usual[:_DRAWN])
            yield [*point[:i], x, *point[i + 1 :]]
        yield from boundary_points(self._inputs, self._programs, self._seed)

    def _lines(self, passing: Sequence[Case], failing: Sequence[Case]) -> Iterator[tuple[Case, Case]]:
        """Random pairs of a point where the test holds and one where it fails."""
        while passing and failing:
            yield self._source.choice(passing), self._source.choice(failing)

    def _rays(self, passing: Sequence[Case]) -> Iterator[tuple[Case, Case]]:
        """Points where the test holds, each with a multiple of it where it does not."""
        scales = [self._smallest**k * Fraction(2) ** (-16 * k) for k in (1, -1)]
        for point, scale in product(passing[:_RAYS], scales):
            scaled = [x * scale for x in point]
            if self._holds(self._formula, scaled) is False:
                yield self._scaled_near(point, scale)

    def _scaled_near(self, point: Case, scale: Fraction) -> tuple[Case, Case]:
        """Two multiples of a point, one twice the other, between which the test changes."""
        step = Fraction(2) if scale > 1 else Fraction(1, 2)
        low, high = 0, 1
        while self._holds(self._formula, [x * step**high for x in point]):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            holds = self._holds(self._formula, [x * step**middle for x in point])
            low, high = (middle, high) if holds else (low, middle)
        return [x * step**low for x in point], [x * step**high for x in point]

    def _ends_at_change(self, holding: Case, failing: Case) -> list[Case]:
        """Two points close to each other, between which the test changes; none where it has no value."""
        low, high = Fraction(0), Fraction(1)

        def at(t: Fraction) -> Case:
            return [a + t * (b - a) for a, b in zip(holding, failing, strict=True)]

        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            holds = self._holds(self._formula, at(middle))
            if holds is None:
                return []
            low, high = (middle, high) if holds else (low, middle)
        return [at(low), at(high)]

    def _holds(self, way: Driven, point: Case, system: NumberSystem | None = None) -> bool | None:
        """Whether a condition holds at a point; None where it has no value."""
        system = system or self._system
        values: list[Any] = [system.constant(x) for x in point]
        try:
            return bool(way(system, values)[0])
        except (ArithmeticError, ValueError):
            return None

    def _both(self, point: Case, system: NumberSystem | None = None) -> Outcomes:
        """Whether the test of the formula holds at a point, and whether what is stated of it does."""
        formula, stated = (self._holds(way, point, system) for way in (self._formula, self._stated))
        return formula, stated

    def _differ(self, point: Case, found: Outcomes) -> bool:
        """Whether the conditions differ at a point on more digits, too, so that it is not due to rounding."""
        return {*found} == {True, False} and {*self._both(point, self._finer)} == {True, False}
