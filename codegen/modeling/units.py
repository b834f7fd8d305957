"""Units: their exact factors to SI, and the dimensions that tell what may be converted into what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from codegen.errors import FeatherError

Dimension: TypeAlias = tuple[int, int, int]
"""Exponents of mass, length and time."""

_POUND = Fraction("0.45359237")
_FOOT = Fraction("0.3048")
_GRAVITY = Fraction("9.80665")
_POUND_FORCE = _POUND * _GRAVITY


@dataclass(frozen=True)
class Unit:
    """A factor to SI and a dimension."""

    factor: Fraction
    dimension: Dimension

    def __mul__(self, other: Unit) -> Unit:
        a, b = self.dimension, other.dimension
        return Unit(self.factor * other.factor, (a[0] + b[0], a[1] + b[1], a[2] + b[2]))

    def __pow__(self, exponent: int) -> Unit:
        mass, length, time = (power * exponent for power in self.dimension)
        return Unit(self.factor**exponent, (mass, length, time))


_ONE = Unit(Fraction(1), (0, 0, 0))
_UNITS = {
    "1": _ONE,
    "rad": _ONE,
    "kg": Unit(Fraction(1), (1, 0, 0)),
    "g": Unit(Fraction(1, 1000), (1, 0, 0)),
    "lb": Unit(_POUND, (1, 0, 0)),
    "slug": Unit(_POUND_FORCE / _FOOT, (1, 0, 0)),
    "m": Unit(Fraction(1), (0, 1, 0)),
    "mm": Unit(Fraction(1, 1000), (0, 1, 0)),
    "cm": Unit(Fraction(1, 100), (0, 1, 0)),
    "ft": Unit(_FOOT, (0, 1, 0)),
    "in": Unit(_FOOT / 12, (0, 1, 0)),
    "s": Unit(Fraction(1), (0, 0, 1)),
    "N": Unit(Fraction(1), (1, 1, -2)),
    "lbf": Unit(_POUND_FORCE, (1, 1, -2)),
    "W": Unit(Fraction(1), (1, 2, -3)),
    "J": Unit(Fraction(1), (1, 2, -2)),
}

SYSTEMS = {
    "si": (Fraction(1), Fraction(1)),
    "slug-ft": (_POUND_FORCE / _FOOT, _FOOT),
}
"""The units of mass and length of a system, in kg and m; time is in seconds in both."""

_FACTOR = re.compile(r"(/?)([A-Za-z]+|1)(?:\^(-?[1-9]))?")


def parse(text: str) -> Unit:
    """The unit that a text like `kg m^2/s` stands for; FeatherError when it is not one."""
    unit = _ONE
    for factor in re.sub(r"\s*/\s*", " /", text).split():
        match = _FACTOR.fullmatch(factor)
        if match is None or match[2] not in _UNITS:
            raise FeatherError(f"{text!r} is not a unit: known are {', '.join(sorted(_UNITS))}")
        exponent = int(match[3] or 1)
        unit = unit * _UNITS[match[2]] ** (-exponent if match[1] else exponent)
    return unit


def to_si(system: str, dimension: Dimension) -> Fraction:
    """What a number of this dimension is multiplied by to come from a system of units to SI."""
    mass, length = SYSTEMS[system]
    return mass ** dimension[0] * length ** dimension[1]
