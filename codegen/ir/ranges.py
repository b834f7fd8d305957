"""Declared ranges of arguments, which restrict the input domain; the ends belong to the range.

A range is a pair (low, high) for every scalar of the argument, or one such pair for each of them. Ends are
decimals that a double holds, as floats are: 3.2 means 3.2 exactly. In a precision of C, an end is the
number that the precision holds in its place, as C reads the literal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Real as RealNumber
from typing import Any, TypeAlias

from codegen.errors import FeatherError
from codegen.ir.systems import Precision
from codegen.ir.types import Component, Real, is_integer, size

Number: TypeAlias = int | float | Decimal | Fraction
Range: TypeAlias = Sequence[Number] | Sequence[Sequence[Number]]
"""A range in a model: (low, high), or one such pair for each scalar."""

Ends: TypeAlias = tuple[Fraction, Fraction]
"""The lowest and the highest value of one scalar, exact."""


def frozen(declared: Any) -> Any:
    """The declared range, with lists and arrays as tuples."""
    if isinstance(declared, str) or not isinstance(declared, Iterable):
        return declared
    return tuple(map(frozen, declared))


def ends_of(name: str, component: Component, declared: Range | None) -> tuple[Ends, ...]:
    """The ends for each scalar of the argument `name`, none where no range is declared.

    FeatherError, with the remedy, where the type takes no range or the numbers are not those of one.
    """
    if declared is None:
        return ()
    if not takes_range(component):
        kind = "whole numbers" if is_integer(component) else "scalars that depend on each other"
        raise FeatherError(f"{name} has {kind} and takes no range: remove it")
    found = [_pair(name, pair) for pair in _pairs(name, declared)]
    if len(found) not in (1, size(component)):
        raise FeatherError(
            f"the range of {name} has {len(found)} pairs for {size(component)} scalars: "
            "give one pair for all, or one for each"
        )
    if isinstance(component, Real) and component.positive and found[0][0] <= 0:
        raise FeatherError(
            f"the range of {name} starts at {text(found[0][0])}, but {name} is positive: start it above 0"
        )
    return tuple(found * size(component) if len(found) == 1 else found)


def takes_range(component: Component) -> bool:
    """Whether the scalars of the type are real and may have any values."""
    return not component.integer if isinstance(component, Real) else component.independent


def _pairs(name: str, declared: Any) -> list[Any]:
    """The pairs as they are written, whether one or one for each scalar."""
    items = list(declared) if isinstance(declared, Iterable) else []
    nested = [item for item in items if isinstance(item, Iterable) and not isinstance(item, str)]
    if not items or (nested and len(nested) < len(items)):
        raise FeatherError(f"the range of {name} is {declared!r}: give a pair (low, high)")
    return items if nested else [items]


def _pair(name: str, written: Any) -> Ends:
    numbers = list(written)
    if len(numbers) != 2:
        raise FeatherError(f"the range of {name} has {len(numbers)} numbers in a pair: give (low, high)")
    low, high = (_exact(name, number) for number in numbers)
    if not low < high:
        raise FeatherError(
            f"the range of {name}, {text(low)} to {text(high)}, is empty: give the lower end first"
        )
    return low, high


def _exact(name: str, number: Any) -> Fraction:
    """The exact number, if a double can represent it."""
    if isinstance(number, bool) or not isinstance(number, (Decimal, RealNumber)):
        raise FeatherError(f"the range of {name} has an end {number!r}, which is not a number")
    try:
        held = Fraction(repr(float(number)))
    except (OverflowError, ValueError):
        raise FeatherError(f"the range of {name} has an end that is not finite: give numbers") from None
    exact = number if isinstance(number, (int, Decimal, Fraction)) else held
    if exact != held:
        raise FeatherError(f"the range of {name} has an end {number}, which no double holds: round it")
    return held


def text(end: Fraction) -> str:
    """An end of a range as a decimal: `-3.2`, `40`."""
    return repr(_number(end))


def _number(end: Fraction) -> int | float:
    return int(end) if end.denominator == 1 and abs(end) < 10**15 else float(end)


def pairs(ends: Sequence[Ends]) -> list[Any]:
    """The range as a manifest holds it: [low, high] for all scalars, or one for each where they differ."""
    each = [[_number(low), _number(high)] for low, high in ends]
    return each[0] if all(pair == each[0] for pair in each) else each


def in_words(ends: Sequence[Ends], names: Sequence[str]) -> str:
    """The range as text: `-3.2 to 3.2`, `-pi/2 to pi/2`, with the names of the scalars where they differ."""
    if len(set(ends)) == 1:
        return ("each " if len(names) > 1 else "") + _span(ends[0])
    return each_in_words(ends, names)


def each_in_words(ends: Sequence[Ends], names: Sequence[str]) -> str:
    """The ranges of scalars with their names: `x and y 0 to 1, z -3.2 to 3.2`."""
    scalars: dict[str, list[str]] = {}
    for name, pair in zip(names, ends, strict=True):
        scalars.setdefault(_span(pair), []).append(name)
    return ", ".join(f"{' and '.join(named)} {span}" for span, named in scalars.items())


def _span(pair: Ends) -> str:
    return " to ".join(map(_named, pair))


def _named(end: Fraction) -> str:
    """An end as a multiple of pi if it is the double that is nearest to one, else as a decimal."""
    for below in (1, 2, 3, 4, 6):
        times = round(float(end) * below / math.pi)
        if times and float(end) == times * math.pi / below:
            factor = {1: "", -1: "-"}.get(times, f"{times} ")
            return f"{factor}pi" + (f"/{below}" if below > 1 else "")
    return text(end)


def inside(ends: Ends, draw: Any) -> Any:
    """A scalar of the range for a number of any size, which numbers in -2..2 reach evenly.

    Small numbers give values near zero, or near the end that is nearest to it.
    """
    exact = isinstance(draw, (int, Fraction))
    low, high = ends if exact else map(float, ends)
    folded = abs((draw - 2) % 8 - 4) / (Fraction(2) if exact else 2) - 1
    far = abs(folded)
    if low >= 0:
        return low * (1 - far) + high * far
    if high <= 0:
        return high * (1 - far) + low * far
    return high * ((far + folded) / 2) + low * ((far - folded) / 2)


def check_held(name: str, ends: Sequence[Ends], precision: Precision) -> None:
    """FeatherError where the precision cannot represent the range of the argument `name`."""
    for low, high in ends:
        try:
            held = precision.rounded(low), precision.rounded(high)
        except OverflowError:
            held = Fraction(0), Fraction(0)
        if not held[0] < held[1] or (low > 0 and not held[0]):
            raise FeatherError(
                f"{precision.ctype} does not hold the range of {name}, {text(low)} to {text(high)}: "
                "change it, or generate the other precision alone"
            )
