"""Whether ways that differ modulo primes differ at a real point.

The order of numbers modulo a prime is arbitrary: |x y| and |x| |y| may differ there. Real points, computed
with many digits, therefore have to confirm a difference: random points, points of small integers and of the
constants of the Programs, at which comparisons have equal sides, and points inside of declared ranges. A
difference at a real point at which round-off decides nothing needs no other evidence.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import count, cycle, pairwise
from typing import Any, NamedTuple, TypeAlias

from codegen.ir.arrays import Constants
from codegen.ir.domain import cases, drawn, edge_cases, floats
from codegen.ir.exploration import Way
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program
from codegen.ir.systems import F64, NumberSystem, multiprecision
from codegen.ir.types import Draw
from codegen.proof.boundaries import boundary_points
from codegen.proof.ties import tie_points

POINTS = 192
_SPANS = (2.0, 1000.0)
_RANDOM = 4
"""Random points of each span, at which a certain difference is looked for."""

_EDGES = 48
"""Points at which all inputs are edge cases."""

_DIGITS = 300
_AGREEMENT = 200
"""Digits to which two values agree that are the same mathematics."""


def differ_at_a_real_point(inputs: Sequence[Arg], ways: Mapping[str, Way], seed: str) -> bool:
    """Whether the ways differ at one of the points; also where no point can decide it."""
    system = without_noise()
    decided = False
    for numbers in _points(inputs, ways, f"confirmation {seed}"):
        try:
            point = [system.constant(Fraction(s)) for s in numbers()]
            (first, *others) = (way(system, point) for way in ways.values())
        except (ValueError, ArithmeticError):
            continue  # no value of the type, or outside of the domain of one of the ways
        except (AttributeError, TypeError):
            return True  # NumPy has no roots of such numbers
        decided = True
        if any(not agree(first, other) for other in others):
            return True
    return not decided


def difference_at_a_tie(inputs: Sequence[Arg], ways: Mapping[str, Way], seed: str) -> Difference | None:
    """A difference at a real point at which both sides of a comparison are equal, None if none is found.

    Such are also edge cases, as half turns, of types whose scalars cannot be solved for one by one. Points at
    which the sides of any comparison are almost equal, due to round-off, are left out.
    """
    system = _tied()
    for case in (*tie_points(inputs, programs_of(ways), system, seed), *edge_cases(inputs, _EDGES, seed)):
        point = [system.constant(x) for x in case]
        try:
            values = {name: way(system, point) for name, way in ways.items()}
        except (ValueError, ArithmeticError, AttributeError, TypeError):
            continue  # no value, or NumPy has no function of such numbers
        found = _first_difference(values)
        if found is not None:
            return found
    return None


class Difference(NamedTuple):
    """Two ways that differ, and in which output scalar."""

    first: str
    other: str
    output: int


def certain_difference(inputs: Sequence[Arg], ways: Mapping[str, Way], seed: str) -> Difference | None:
    """A difference at one of a few random points, if there is one at which round-off decides nothing."""
    system, source = _decisive(), random.Random(f"certain {seed}")
    for draw in (floats(source, span) for span in _SPANS for _ in range(_RANDOM)):
        try:
            point = [system.constant(Fraction(s)) for s in drawn(inputs, draw)]
            values = {name: way(system, point) for name, way in ways.items()}
        except (ValueError, ArithmeticError):
            continue
        found = _first_difference(values)
        if found is not None:
            return found
    return None


def _first_difference(values: Mapping[str, Sequence[Any]]) -> Difference | None:
    (first, expected), *others = values.items()
    for name, found in others:
        for i, pair in enumerate(zip(expected, found, strict=True)):
            if not _are_close(*pair):
                return Difference(first, name, i)
    return None


_Special: TypeAlias = Mapping[Op, Callable[..., tuple[Any, Any]]]
"""For an operation, a pair of numbers that round-off decides about where they are close."""

_STEEP: _Special = {
    **{op: lambda a: (abs(a), 1) for op in (Op.ASIN, Op.ACOS)},
    Op.LOG: lambda a: (a, 0),
    Op.LOG1P: lambda a: (a, -1),
}
_CUT: _Special = {
    **{op: lambda a, b: (a, b) for op in (Op.LT, Op.LE)},
    Op.DIV: lambda a, b: (b, 0),
    Op.SQRT: lambda a: (a, 0),
    Op.ATAN2: lambda y, x: (y, 0),
    Op.FLOOR: lambda a: (a, a.context.nint(a)),
}


@cache
def without_noise() -> NumberSystem:
    """The numbers with many digits, with an error where round-off would show in the first digits.

    That is the arc of a number that is almost, but not quite, 1 or -1, and the logarithm of almost zero.
    """
    return _refusing(_STEEP, lambda a, b: a != b and _are_close(a, b))


@cache
def _tied() -> NumberSystem:
    """The numbers with many digits, with an error where two numbers are almost, but not quite, equal.

    So round-off decides nothing in a comparison of equal sides, or in the whole part of a whole number.
    """
    return _refusing({**_STEEP, **_CUT}, lambda a, b: a != b and _are_close(a, b))


@cache
def _decisive() -> NumberSystem:
    """The numbers with many digits, with an error in place of what round-off could decide.

    That is a comparison of close numbers, a quotient, root or logarithm of a number close to zero, the arc of
    one close to 1 or -1, and the angle of a vector close to the cut.
    """
    return _refusing({**_STEEP, **_CUT}, _are_close)


def _refusing(special: _Special, refused: Callable[[Any, Any], bool]) -> NumberSystem:
    """The numbers with many digits; ArithmeticError where an operation's pair of numbers is refused."""
    plain = multiprecision(F64, _DIGITS)

    def guarded(op: Op) -> Callable[..., Any]:
        def value(*args: Any) -> Any:
            if refused(*special[op](*args)):
                raise ArithmeticError("round-off could decide")
            return plain.table[op](*args)

        return value

    return replace(plain, table={**plain.table, **{op: guarded(op) for op in special}})


def constants(ways: Mapping[str, Way]) -> list[Fraction]:
    """Small integers, and the constants of the Programs with their neighbours and opposites."""
    nodes = [node for program in programs_of(ways) for node in program.nodes]
    found = {
        Fraction(node.value) for node in nodes if node.op is Op.CONSTANT and isinstance(node.value, Fraction)
    }
    arrays = [node.value for node in nodes if isinstance(node.value, Constants)]
    found |= {value for array in arrays if _is_axis(array) for value in array.values}
    near = {sign * c + step for c in found for sign in (1, -1) for step in (0, 1, -1)}
    return sorted(near | {Fraction(n) for n in range(-3, 4)})


def programs_of(ways: Mapping[str, Way]) -> list[Program]:
    """The Programs among the ways."""
    return [way.program for way in ways.values() if hasattr(way, "program")]


def _is_axis(array: Constants) -> bool:
    """Whether the numbers may be the nodes of a table's axis."""
    return all(a < b for a, b in pairwise(array.values))


_Numbers: TypeAlias = Callable[[], Sequence[Any]]
"""The scalars of all inputs at a point; ArithmeticError where their type has no such value."""


def _points(inputs: Sequence[Arg], ways: Mapping[str, Way], seed: str) -> Iterator[_Numbers]:
    """Points of all sizes and at thresholds, then those inside of the ranges that the inputs declare."""
    for draw in _draws(random.Random(seed), constants(ways)):
        yield partial(drawn, inputs, draw)
    yield from (partial(tuple, point) for point in boundary_points(inputs, programs_of(ways), seed))
    if any(a.ends for a in inputs):
        for case in cases(inputs, POINTS // 6, seed):
            yield partial(tuple, case)


def _draws(source: random.Random, constants: Sequence[Fraction]) -> list[Draw]:
    """For each point what its numbers are drawn from: floats, constants, one constant, one and another."""
    few = POINTS // 6
    wide: list[Draw] = [floats(source, span) for span in _SPANS for _ in range(few)]
    mixed: list[Draw] = [lambda: source.choice(constants) for _ in range(few)]
    turn = cycle(source.sample(constants, len(constants)))
    same = [_stream(next(turn)) for _ in range(few)]
    odd = [_stream(source.choice(constants), i % 32, next(turn)) for i in range(2 * few)]
    return [*wide, *mixed, *same, *odd]


def _stream(number: Fraction, place: int = -1, other: Fraction = Fraction(0)) -> Draw:
    """The same number again and again, another one in one place."""
    numbers = (other if i == place else number for i in count())
    return lambda: next(numbers)


def agree(first: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether results with many digits are equal to 200 digits."""
    if len(first) != len(other):
        return False
    return all(_are_close(a, b) for a, b in zip(first, other, strict=True))


def _are_close(a: Any, b: Any) -> bool:
    apart = a - b
    return not apart or bool(abs(apart) * 10**_AGREEMENT <= abs(a) + abs(b) + 1)
