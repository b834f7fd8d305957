"""Attacks on proofs: unequal formulas that look equal modulo primes, and equal ones that look unequal.

A proof fails if an unequal pair is proven. An equal pair may be left unproven, but no difference may be
reported. The shift by 10 keeps the formulas equal at all points that are evaluated in double.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from codegen.frontends.formula import lower
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.types import POSITIVE, REAL, Array, Real
from codegen.modeling.types.algebra import ArticulatedInertia, Inertia
from codegen.modeling.types.records import record
from codegen.modeling.types.scalar import (
    absolute,
    acos,
    atan2,
    cos,
    every,
    exp,
    log,
    maximum,
    minimum,
    require,
    select,
    sin,
    sqrt,
)  # fmt: skip
from codegen.proof.domains import compare_where_used
from codegen.proof.equivalence import Driven, Verdict, compare
from tests.conftest import sampled

PAIR = (Arg("a", Array((2,)), "1", "numbers"),)
MASS = (Arg("m", POSITIVE, "1", "a positive number"),)
BODY = (Arg("body", Inertia, "1; 1; 1", "an inertia"),)
JOINED = (Arg("joined", ArticulatedInertia, "1; 1; 1", "an articulated inertia"),)
RESULT = (Arg("y", REAL, "1", "the result"),)
FLAGS = (Status.ZERO_NORM,)

SUBJECTS = ("one", "two", "three", "four")
"""Each gives another seed: a proof by chance shows in one of them."""

Formula = Callable[[Any], Any]


def verdicts(inputs: tuple[Arg, ...], first: Formula, second: Formula) -> list[Verdict]:
    ways = {
        name: Driven(lower(inputs, RESULT, formula, checks=True), FLAGS)
        for name, formula in (("first", first), ("second", second))
    }
    return [compare(inputs, ways, subject) for subject in SUBJECTS]


def p(a: Any) -> Any:
    return a[0] + 10


def q(a: Any) -> Any:
    return -(a[1] + 10)


def root(x: Any) -> Any:
    """The absolute value, as a square root whose sign modulo a prime is arbitrary."""
    return sqrt(x * x)


def round_off(a: Any) -> Any:
    """Zero, which many digits make a small number of either sign."""
    square = a[0] * a[0] + a[1] * a[1]
    return sqrt(square) * sqrt(square) - square


def guarded(a: Any) -> Any:
    norm = sqrt(a[0] * a[0] + a[1] * a[1])
    require(norm > 0, Status.ZERO_NORM)
    return a[0]


UNEQUAL: dict[str, tuple[tuple[Arg, ...], Formula, Formula]] = {
    "larger of a number and its absolute value": (PAIR, lambda a: maximum(p(a), root(p(a))), p),
    "smaller of both opposites": (PAIR, lambda a: minimum(-p(a), -root(p(a))), lambda a: -p(a)),
    "zero for positive numbers": (PAIR, lambda a: abs(p(a) - root(p(a))), lambda a: 0 * a[0]),
    "sign of a product with a root": (
        PAIR,
        lambda a: select(p(a) * root(p(a)) < 0, select(q(a) < 0, 2, 1), 2),
        lambda a: 2 + 0 * a[0],
    ),
    "two roots": (
        PAIR,
        lambda a: maximum(-root(p(a)) * (root(q(a)) / q(a)), 0),
        lambda a: -root(p(a)) * (root(q(a)) / q(a)),
    ),
    "scaled tie": (PAIR, lambda a: select(a[0] < 3, 1, 2), lambda a: select(2 * a[0] <= 6, 1, 2)),
    "scaled tie of eleven halves": (
        PAIR,
        lambda a: select(a[0] < a[1], 1, 2),
        lambda a: select(Fraction(11, 2) * a[0] <= Fraction(11, 2) * a[1], 1, 2),
    ),
    "root at zero": (PAIR, lambda a: select(root(a[0]) <= 0, 5, a[0]), lambda a: a[0]),
    "square at zero": (PAIR, lambda a: select(a[0] * a[0] <= 0, 5, a[0]), lambda a: a[0]),
    "dropped guard of a norm": (PAIR, guarded, lambda a: a[0]),
    "positive below one": (MASS, lambda m: abs(m - 1), lambda m: m - 1),
    "light body": (BODY, lambda body: select(body.m < 1, 1, 2), lambda body: 2 + 0 * body.m),
    "relation of one dyad": (
        JOINED,
        lambda j: (j.M.xx - j.M.yy) * j.M.yz * j.M.xz,
        lambda j: j.M.xy * (j.M.xz * j.M.xz - j.M.yz * j.M.yz),
    ),
    "divisor zero on a half line": (
        PAIR,
        lambda a: (root(p(a)) + p(a)) / (root(p(a)) + p(a)),
        lambda a: 1 + 0 * a[0],
    ),
    "divisor zero by an exponential": (
        PAIR,
        lambda a: select(p(a) > 0, p(a), exp(0 * a[0]) - 1) / select(p(a) > 0, p(a), exp(0 * a[0]) - 1),
        lambda a: 1 + 0 * a[0],
    ),
}

UNEQUAL |= {
    "sum in another order of signs": (
        PAIR,
        lambda a: sin(a[0] + a[0] - a[1]),
        lambda a: sin(a[0] - a[0] + a[1]),
    ),
    "other multiples": (PAIR, lambda a: cos(2 * a[0] + a[1]), lambda a: cos(a[0] + 2 * a[1])),
    "a multiple for a factor": (PAIR, lambda a: sin(2 * a[0]), lambda a: 2 * sin(a[0])),
    "angle that wraps": (PAIR, lambda a: atan2(sin(10 * a[0]), cos(10 * a[0])), lambda a: 10 * a[0]),
    "angle of the opposite point": (
        PAIR,
        lambda a: sin(a[0] + atan2(Fraction(3, 5), Fraction(4, 5) + 0 * a[0])),
        lambda a: sin(a[0] + atan2(Fraction(-3, 5), Fraction(4, 5) + 0 * a[0])),
    ),
}

EQUAL: dict[str, tuple[tuple[Arg, ...], Formula, Formula]] = {
    "comparison of roots of constants": (
        PAIR,
        lambda a: select(sqrt(2 + 0 * a[0]) * sqrt(3 + 0 * a[0]) < sqrt(6 + 0 * a[0]), 1, 0),
        lambda a: 0 * a[0],
    ),
    "root of a constant": (PAIR, lambda a: sqrt(121 * a[0]), lambda a: 11 * sqrt(a[0])),
    "root of a scaled norm": (
        PAIR,
        lambda a: sqrt(169 * (a[0] * a[0] + a[1] * a[1])),
        lambda a: 13 * sqrt(a[0] * a[0] + a[1] * a[1]),
    ),
    "absolute value by a root": (PAIR, lambda a: sqrt(10201 * a[0] * a[0]), lambda a: 101 * abs(a[0])),
    "scaled comparison": (
        PAIR,
        lambda a: select(a[0] < 0, 1, 2),
        lambda a: select(1000 * a[0] < 0, 1, 2),
    ),
    "product of absolute values": (PAIR, lambda a: abs(a[0] * a[1]), lambda a: abs(a[0]) * abs(a[1])),
    "clamp": (
        PAIR,
        lambda a: minimum(maximum(a[0], -1), 1),
        lambda a: maximum(minimum(a[0], 1), -1),
    ),
    "implied condition": (
        PAIR,
        lambda a: select(a[0] < 1, select(a[0] < 2, 5, 7), 9),
        lambda a: select(a[0] < 1, 5, 9),
    ),
    "difference of constants": (PAIR, lambda a: select(a[0] + 3 > a[0] + 1, a[0], 7), lambda a: a[0]),
    "arc of one": (
        PAIR,
        lambda a: acos(sqrt(7 * p(a) * p(a)) / abs(p(a)) / sqrt(7 + 0 * p(a))),
        lambda a: 0 * a[0],
    ),
    "logarithm of rounded nothing": (
        PAIR,
        lambda a: select(a[0] < 10**9, 1, log(abs(sqrt(7 * p(a) * p(a)) / abs(p(a)) - sqrt(7 + 0 * p(a))))),
        lambda a: 1 + 0 * a[0],
    ),
    "root of a positive square": (MASS, lambda m: sqrt(4 * m * m), lambda m: 2 * m),
    "comparison decided by round-off": (
        PAIR,
        lambda a: select(round_off(a) < 0, 1, 2),
        lambda a: 2 + 0 * a[0],
    ),
    "root of round-off": (PAIR, lambda a: sqrt(abs(round_off(a))), lambda a: 0 * a[0]),
    "angle decided by round-off": (PAIR, lambda a: atan2(round_off(a), -1), lambda a: atan2(0 * a[0], -1)),
    "quotients without a value": (PAIR, lambda a: 1 / round_off(a), lambda a: 2 / round_off(a)),
}


@pytest.mark.parametrize("name", UNEQUAL)
def test_unequal_formulas_are_never_proven(name: str) -> None:
    assert not any(verdict.proven for verdict in verdicts(*UNEQUAL[name]))


ALTITUDE = (Arg("h", REAL, "m", "an altitude"),)


def layers(bound: int) -> Formula:
    """A formula of two layers, with so many other thresholds that chance does not find the bound."""
    others = range(20000, 20060)
    return lambda h: select(h <= bound, 0, h - 11000) + sum(select(h <= n, h, 2 * h) for n in others)


@pytest.mark.parametrize("bound", [10999, 11001, 11002])
def test_thresholds_that_are_close_are_told_apart(bound: int) -> None:
    assert all(verdict.difference for verdict in verdicts(ALTITUDE, layers(11000), layers(bound)))


def halves(bound: int) -> Formula:
    """Layers that begin where twice the altitude is above a bound."""
    return lambda h: select(2 * h <= bound, 0, h - 11000)


def between(bound: Fraction) -> Formula:
    """Layers that begin where a sum of two altitudes is above a bound."""
    return lambda a: select(a[0] + a[1] / 3 <= bound, a[0], 2 * a[0])


@pytest.mark.parametrize(
    ("inputs", "first", "second"),
    [
        (ALTITUDE, halves(22000), halves(22001)),
        (ALTITUDE, halves(22000), lambda h: select(h <= Fraction(21999, 2), 0, h - 11000)),
        (ALTITUDE, halves(22000), lambda h: select(-h / 2 >= -5501, 0, h - 11000)),
        (PAIR, between(Fraction(700)), between(Fraction(7001, 10))),
        (PAIR, between(Fraction(700)), lambda a: select(3 * a[0] + a[1] < 2101, a[0], 2 * a[0])),
    ],
    ids=["scaled", "divided", "opposite", "of a sum", "of a scaled sum"],
)
def test_thresholds_of_sums_are_told_apart(inputs: Any, first: Formula, second: Formula) -> None:
    assert all(verdict.difference for verdict in verdicts(inputs, first, second))


def within(bound: Fraction, value: Formula) -> Formula:
    return lambda a: select(value(a) <= bound, a[0], 2 * a[0])


@pytest.mark.parametrize(
    "value",
    [lambda a: a[0] * a[0] + a[1] * a[1], lambda a: sqrt(a[0] * a[0] + 1), lambda a: a[0] * a[1] / 7],
    ids=["square", "root", "quotient"],
)
def test_thresholds_of_other_values_are_told_apart(value: Formula) -> None:
    first, second = within(Fraction(900), value), within(Fraction(9001, 10), value)
    assert all(verdict.difference for verdict in verdicts(PAIR, first, second))


LEVEL = (Arg("h", REAL, "m", "an altitude", range=(0, 20000)),)
MOVING = (*PAIR, Arg("rho", REAL, "kg/m^3", "a density", range=(0, 2)))


def drag(bound: int) -> Callable[[Any, Any], Any]:
    return lambda a, rho: rho * select(a[0] * a[0] + a[1] * a[1] <= bound, 1, 2)


@pytest.mark.parametrize(
    ("inputs", "first", "second", "is_inside"),
    [
        (LEVEL, halves(22000), halves(22001), True),
        (LEVEL, halves(42000), halves(42001), False),
        (MOVING, drag(900), drag(901), True),
    ],
    ids=["of a sum", "beyond", "of a square"],
)
def test_thresholds_inside_of_ranges_are_told_apart(
    inputs: tuple[Arg, ...], first: Callable[..., Any], second: Callable[..., Any], is_inside: bool
) -> None:
    """What differs only outside of the ranges is tested inside."""
    forms = {"first": first, "second": second}
    ways = {name: Driven(lower(inputs, RESULT, form, checks=True), FLAGS) for name, form in forms.items()}
    found = [compare_where_used(inputs, ways, subject) for subject in SUBJECTS]
    assert [bool(verdict.difference) for verdict in found] == [is_inside] * len(SUBJECTS)
    assert not any(verdict.proven for verdict in found)


SHARE = Arg("x", REAL, "1", "a share", range=(0, 1))
TANK = record("tank", "A tank.", [Arg("m", POSITIVE, "kg", "its mass")])


@pytest.mark.parametrize(
    ("other", "bound"),
    [
        (Arg("m", POSITIVE, "kg", "a mass"), -3),
        (TANK.argument("tank", "a tank"), -3),
        (Arg("n", Real(integer=True), "1", "a whole number"), Fraction(1, 2)),
    ],
    ids=["positive", "in a record", "whole"],
)
def test_points_at_thresholds_are_values_of_their_types(other: Arg, bound: Fraction) -> None:
    """The forms differ for x < 0, which is outside of its range, and where `other` has no values."""

    def first(x: Any, y: Any) -> Any:
        number = getattr(y, "m", y)
        return absolute(x) * select(every(number >= bound, number <= bound), 2, 1)

    forms = {"first": first, "second": lambda x, y: x}
    given = (SHARE, other)
    ways = {name: Driven(lower(given, RESULT, form, checks=True), FLAGS) for name, form in forms.items()}
    assert not any(compare_where_used(given, ways, subject).difference for subject in SUBJECTS)


def at_one_point(value: int) -> Formula:
    """The sum of two numbers, but some other value where they are 3 and 4."""

    def formula(a: Any) -> Any:
        x, y = a
        return select(every(x >= 3, x <= 3, y >= 4, y <= 4), value, x + y)

    return formula


@pytest.mark.parametrize("other", [at_one_point(6), lambda a: a[0] + a[1]], ids=["value", "sum"])
def test_values_at_single_points_are_not_proven(other: Formula) -> None:
    """Two equalities hold at no random point, nor where one of them is met."""
    forms = {"first": at_one_point(5), "second": other}
    ways = {name: Driven(lower(PAIR, RESULT, form, checks=True), FLAGS) for name, form in forms.items()}
    found = [compare_where_used(PAIR, ways, subject) for subject in SUBJECTS]
    assert not any(verdict.proven for verdict in found)
    assert all("several equalities at once, which no point met" in v.shortcoming for v in found)


def test_equal_values_at_single_points_are_proven() -> None:
    forms = {"first": at_one_point(5), "second": at_one_point(5)}
    ways = {name: Driven(lower(PAIR, RESULT, form, checks=True), FLAGS) for name, form in forms.items()}
    assert compare_where_used(PAIR, ways, "one").proven


@pytest.mark.parametrize(
    ("inputs", "first", "second"),
    [
        (ALTITUDE, halves(22000), lambda h: select(h <= 11000, 0, h - 11000)),
        (PAIR, between(Fraction(700)), lambda a: select(3 * a[0] + a[1] <= 2100, a[0], 2 * a[0])),
    ],
    ids=["scaled", "of a sum"],
)
def test_equal_thresholds_of_sums_are_no_difference(inputs: Any, first: Formula, second: Formula) -> None:
    assert not any(verdict.difference for verdict in verdicts(inputs, first, second))


SUMS: dict[str, tuple[Formula, Formula]] = {
    "of two": (
        lambda a: sin(a[0] + a[1]),
        lambda a: sin(a[0]) * cos(a[1]) + cos(a[0]) * sin(a[1]),
    ),
    "of a number and itself": (lambda a: sin(2 * a[0]), lambda a: sin(a[0] + a[0])),
    "of a double angle": (lambda a: sin(2 * a[0]), lambda a: 2 * sin(a[0]) * cos(a[0])),
    "of opposites": (lambda a: cos(-2 * a[0]), lambda a: cos(a[0] + a[0])),
    "that cancel": (lambda a: sin(3 * (a[0] + a[1]) - 3 * a[1]), lambda a: sin(3 * a[0])),
    "of nothing": (lambda a: cos(a[0] - a[1] + a[1] - a[0]), lambda a: 1 + 0 * a[0]),
}


@pytest.mark.parametrize("name", SUMS)
def test_sines_of_sums_are_proven_in_either_order(name: str) -> None:
    first, second = SUMS[name]
    assert all(verdict.proven for verdict in verdicts(PAIR, first, second))
    assert all(verdict.proven for verdict in verdicts(PAIR, second, first))


@pytest.mark.parametrize("name", sampled(reversed(EQUAL), every=2))
def test_no_difference_is_reported_of_equal_formulas(name: str) -> None:
    assert not any(verdict.difference for verdict in verdicts(*EQUAL[name]))
