"""Matches the values of a printed Program with what is written about its kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from codegen.ir.operations import Op
from codegen.modeling.kernel import Kernel
from codegen.provenance.points import Rows, at_points, directions, points, ratio
from codegen.provenance.written import Place, Writing, writing

_PARALLEL = 1 - 1e-12
"""The cosine between two values over the points, from which on they are compared point by point."""


_LARGEST = 1000
"""The numerator times the denominator of a factor; one with more digits may be near by chance."""


@dataclass(frozen=True, eq=False)
class Match:
    """A value is `times` what is written at a place, that of this number, or the sum of some of its terms."""

    place: Place
    times: Fraction
    is_part: bool
    number: int = -1

    @property
    def name(self) -> str:
        """The value as a textbook calls it."""
        if self.is_part:
            return f"a part of {self.place.name}"
        name, times = self.place.name, self.times
        if name.startswith("-"):
            name, times = name[1:], -times
        if times == 1:
            return name
        simple = " " not in name or name.startswith("(")
        inside = name if simple else f"({name})"
        return f"-{inside}" if times == -1 else f"{times} {inside}"


@cache
def written_values(kernel: Kernel) -> tuple[Writing, Rows]:
    """What is written about a kernel, with its values at the kernel's points, and their directions."""
    given = points(kernel)
    program = kernel.program(True)
    results = at_points(program, given)[list(program.results)]
    known = writing(kernel, of_signature(kernel, given), results)
    return known, directions(known.values)


def of_signature(kernel: Kernel, given: Rows) -> Rows:
    """The scalars of all inputs, bound ones included."""
    rows, first = [], 0
    for a in kernel.all_inputs:
        if a.name in kernel.bound:
            rows += [np.full(given.shape[1], float(x)) for x in kernel.bound[a.name]]
        else:
            rows += list(given[first : first + a.size])
            first += a.size
    return np.array(rows).reshape(-1, given.shape[1])


def matches(kernel: Kernel, value: Rows, terms: Sequence[Rows] = (), function: str = "") -> list[Match]:
    """The matches of a value at the kernel's points, the best first.

    `terms` are those of a sum, `function` is the name of the function of which it is a call.
    """
    found = _matches(kernel, value.tobytes(), tuple(t.tobytes() for t in terms), function)
    return list(found)


@cache
def _matches(kernel: Kernel, given: bytes, terms: tuple[bytes, ...], function: str) -> tuple[Match, ...]:
    """The matches of a value; those of float are known from double, as most values are the same."""
    known, known_directions = written_values(kernel)
    if not known.places:
        return ()
    value = np.frombuffer(given)
    cosines = np.abs(known_directions @ directions(value[None])[0])
    found = []
    for k in np.flatnonzero(cosines > _PARALLEL):
        times = ratio(value, known.values[k])
        exact = None if times is None else Fraction(times).limit_denominator(_LARGEST)
        simple = exact and abs(exact.numerator) * exact.denominator <= _LARGEST
        if times is not None and exact and simple and abs(float(exact) - times) < 1e-7 * abs(times):
            found.append(Match(known.places[k], exact, not known.places[k].whole, int(k)))
    if len(found) < 2:
        return tuple(found)
    own = [np.frombuffer(t) for t in terms]
    fits = {m: _common(own, [*known.sums.get(m.place, ())]) for m in found}
    return tuple(sorted(found, key=lambda m: _preference(m, fits[m], function)))


def _common(terms: Sequence[Rows], others: Sequence[Rows]) -> int:
    """How many of these terms are among the others, with either sign."""
    if not len(terms) or not len(others):
        return 0
    own, known = (np.abs(np.array(rows)) for rows in (terms, others))
    with np.errstate(invalid="ignore"):
        close = np.abs(own[:, None] - known) <= 1e-8 + 1e-5 * known
    return int(close.all(axis=2).any(axis=1).sum())


def own_match(kernel: Kernel, number: int, value: Rows) -> Match | None:
    """The match of a scalar of the results at its own name and indices, in the last step that has them."""
    known, _ = written_values(kernel)
    places = [(p, k) for p, k in known.own.get(number, ()) if not p.is_only_named and known.values[k].any()]
    for place, k in sorted(places, key=lambda p: _solved(p[0])):
        times = ratio(value, known.values[k])
        if times is not None and abs(times - 1) < 1e-9:
            return Match(place, Fraction(1), False, k)
    return None


def _solved(place: Place) -> tuple[object, ...]:
    """The order of places of a result: where the last step defines it, or the first one has it."""
    step, again = place.text.step, place.is_repeated
    return place.implicit, place.text.rank, again, not place.is_defined, -step if place.is_defined else step


def phase(kernel: Kernel, value: Rows) -> tuple[Match, str] | None:
    """The named angle that a value is up to turns, or is the opposite of, and which turns these are."""
    places, angles = _angles(kernel)
    if not places or not np.ptp(value) > _WIDE:
        return None
    for period, turns in ((2 * np.pi, "whole turns"), (np.pi, "half turns")):
        apart = np.array([value - angles, value + angles]) / period
        same = np.all(np.abs(apart - np.round(apart)) < 1e-9, axis=2)
        for k, (place, number) in enumerate(places):
            if same[:, k].any():
                return Match(place, Fraction(1 if same[0, k] else -1), False, number), turns
    return None


@cache
def _angles(kernel: Kernel) -> tuple[list[tuple[Place, int]], Rows]:
    """The named values that vary as angles do, with their numbers, those of earlier steps first."""
    known, _ = written_values(kernel)
    named = [(p, k) for k, p in enumerate(known.places) if p.is_named and not p.is_input]
    wide = [(p, k) for p, k in named if np.ptp(known.values[k]) > _WIDE]
    places = sorted(wide, key=lambda found: (found[0].text.rank, found[0].text.step))
    return places, known.values[[k for _, k in places]]


_WIDE = 0.5
"""Radians by which an angle varies over the points if its turns are to be told."""


def _preference(match: Match, fit: int, function: str) -> tuple[object, ...]:
    """The order of matches: whole ones, of equal value, in a written step, where the value is introduced.

    A call of a function is first the same call, or what is defined as that; an arctangent, an angle in polar
    form.

    Of several in the same equations, that which is computed from the most of the same terms is the first.
    """
    place, times = match.place, match.times
    scaled = abs(times) != 1
    given = (scaled, not place.is_input if scaled else place.is_input and times < 0, not place.is_input)
    named = not place.is_named, not place.is_literal, place.is_named and not place.is_defined
    introduced = place.is_repeated, -place.text.step
    is_polar = function == Op.ATAN2.label and place.is_named and place.polar is not None
    is_call = is_polar or (bool(function) and place.is_call_of(function))
    return (
        not place.whole, *given, not is_call, place.text.rank, *named, *introduced, -fit,
        times < 0, match.number,
    )  # fmt: skip


def part_of_sum(kernel: Kernel, value: Rows) -> Match | None:
    """The written sum of which a value is the sum of some terms, times a number."""
    sums, projections = _sums(kernel)
    if not sums or not np.isfinite(value).all():
        return None
    near = np.abs(projections @ value - value).max(axis=1) <= _SPANNED * np.abs(value).max()
    found = [
        (s.place.text.rank, -s.place.text.step, k)
        for k, s in enumerate(sums)
        if near[k] and s.contains(value)
    ]
    return Match(sums[min(found)[-1]].place, Fraction(1), True) if found else None


_SPANNED = 1e-9
"""How far from a combination of a sum's terms a value may be, as a share of its largest number."""


@dataclass(frozen=True, eq=False)
class _Sum:
    """A written sum, and the matrix that finds the factors of its terms in a value."""

    place: Place
    solver: Rows

    def contains(self, value: Rows) -> bool:
        """Whether it is the sum of some terms, times a positive number."""
        factors = self.solver @ value
        used = factors[np.abs(factors) > 1e-6]
        return used.size > 0 and bool(used.min() > 0 and np.ptp(used) <= 1e-6 * used.max())


@cache
def _sums(kernel: Kernel) -> tuple[list[_Sum], Rows]:
    """The written sums, and for each the matrix that takes a value to what its terms span."""
    known, _ = written_values(kernel)
    finite = [(place, terms) for place, terms in known.sums.items() if np.isfinite(terms).all()]
    solvers = [np.asarray(np.linalg.pinv(terms.T), np.float64) for _, terms in finite]
    projections = [terms.T @ solver for (_, terms), solver in zip(finite, solvers, strict=True)]
    return [_Sum(place, s) for (place, _), s in zip(finite, solvers, strict=True)], np.array(projections)
