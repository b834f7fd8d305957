"""Units: their exact factors to SI, and their dimensions, which decide what can be converted."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeAlias, TypeVar

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.systems import PI_60
from codegen.ir.types import size
from codegen.modeling.types.records import Record

Dimension: TypeAlias = tuple[Fraction, ...]
"""Exponents of mass, length, time, current and temperature; halves come from square roots."""

_BASE = ("kg", "m", "s", "A", "K")
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
        exponents = zip(self.dimension, other.dimension, strict=True)
        return Unit(self.factor * other.factor, tuple(a + b for a, b in exponents))

    def __pow__(self, exponent: int) -> Unit:
        return Unit(self.factor**exponent, tuple(power * exponent for power in self.dimension))

    @property
    def root(self) -> Unit | None:
        """The unit whose square it is; None where its factor is not a square."""
        above, below = math.isqrt(self.factor.numerator), math.isqrt(self.factor.denominator)
        root = Fraction(above, below)
        return Unit(root, tuple(power / 2 for power in self.dimension)) if root**2 == self.factor else None

    def __str__(self) -> str:
        """In the base units of SI, `kg m^2/s^2`, `0.3048 m/s`, or as one other unit, `deg`; `1` for a plain
        number.
        """
        if self in _OTHERS:
            return _OTHERS[self]
        above = [_power(n, p) for n, p in zip(_BASE, self.dimension, strict=True) if p > 0]
        below = [_power(n, -p) for n, p in zip(_BASE, self.dimension, strict=True) if p < 0]
        factor = [] if self.factor == 1 else [f"{float(self.factor):.6g}"]
        return "/".join([" ".join(factor + above) or "1", *below])


def _power(name: str, exponent: Fraction) -> str:
    return name if exponent == 1 else f"{name}^{exponent}"


def _unit(factor: Fraction | int, mass: int = 0, length: int = 0, time: int = 0, current: int = 0) -> Unit:
    return Unit(Fraction(factor), tuple(map(Fraction, (mass, length, time, current, 0))))


PLAIN = _unit(1)
"""The unit of a plain number; an angle in radians is one."""

_UNITS = {
    "1": PLAIN, "rad": PLAIN, "deg": _unit(PI_60 / 180),
    "kg": _unit(1, 1), "g": _unit(Fraction(1, 1000), 1), "lb": _unit(_POUND, 1),
    "slug": _unit(_POUND_FORCE / _FOOT, 1),
    "m": _unit(1, 0, 1), "mm": _unit(Fraction(1, 1000), 0, 1), "cm": _unit(Fraction(1, 100), 0, 1),
    "km": _unit(1000, 0, 1), "ft": _unit(_FOOT, 0, 1), "in": _unit(_FOOT / 12, 0, 1),
    "nmi": _unit(1852, 0, 1),
    "s": _unit(1, 0, 0, 1), "ms": _unit(Fraction(1, 1000), 0, 0, 1), "min": _unit(60, 0, 0, 1),
    "h": _unit(3600, 0, 0, 1), "Hz": _unit(1, 0, 0, -1), "rpm": _unit(PI_60 / 30, 0, 0, -1),
    "kn": _unit(Fraction(1852, 3600), 0, 1, -1),
    "N": _unit(1, 1, 1, -2), "kN": _unit(1000, 1, 1, -2), "lbf": _unit(_POUND_FORCE, 1, 1, -2),
    "Pa": _unit(1, 1, -1, -2), "hPa": _unit(100, 1, -1, -2), "kPa": _unit(1000, 1, -1, -2),
    "psi": _unit(_POUND_FORCE / (_FOOT / 12) ** 2, 1, -1, -2),
    "J": _unit(1, 1, 2, -2), "W": _unit(1, 1, 2, -3), "kW": _unit(1000, 1, 2, -3),
    "A": _unit(1, 0, 0, 0, 1), "V": _unit(1, 1, 2, -3, -1),
    "ohm": _unit(1, 1, 2, -3, -2), "H": _unit(1, 1, 2, -2, -2),
    "Wb": _unit(1, 1, 2, -2, -1), "T": _unit(1, 1, 0, -2, -1),
    "K": Unit(Fraction(1), tuple(map(Fraction, (0, 0, 0, 0, 1)))),
}  # fmt: skip

_OTHERS = {unit: name for name, unit in _UNITS.items() if unit.factor != 1}
"""The names of units that are not those of SI."""

T = TypeVar("T")

UNCHECKED = ("", "mixed", "any")
"""Texts in place of a unit, for arguments without a unit or with several; these are not checked."""

SYSTEMS = {
    "si": (Fraction(1), Fraction(1)),
    "slug-ft": (_POUND_FORCE / _FOOT, _FOOT),
}
"""The units of mass and length of a system, in kg and m; time is in seconds in both."""

_FACTOR = re.compile(r"(/?)([A-Za-z]+|1)(?:\^(-?[1-9]))?")
_BELOW = re.compile(r"/\s*\(([^()/]+)\)")


@cache
def parse(text: str) -> Unit:
    """The unit of a text such as `kg m^2/s` or `N m/(rad s)`; FeatherError when it does not parse.

    Without parentheses, a slash is that of the next factor alone.
    """
    unit = PLAIN
    each_below = _BELOW.sub(lambda group: "".join(f"/{factor}" for factor in group[1].split()), text)
    for factor in re.sub(r"\s*/\s*", " /", each_below).split():
        match = _FACTOR.fullmatch(factor)
        if match is None or match[2] not in _UNITS:
            raise FeatherError(
                f"{text!r} is not a unit; write one like kg m^2/s or N m/(rad s), "
                f"of {', '.join(sorted(_UNITS))}"
            )
        exponent = int(match[3] or 1)
        unit = unit * _UNITS[match[2]] ** (-exponent if match[1] else exponent)
    return unit


def scalar_units(argument: Arg) -> list[Unit | None]:
    """The unit of each scalar of an argument, None where it is not checked; FeatherError when one is wrong.

    One unit is that of all scalars; several, separated by semicolons, are those of the parts of the type or,
    of an Array, of its elements. The members of a record have units of their own.
    """
    if isinstance(argument.type, type) and issubclass(argument.type, Record):
        return [unit for member in argument.type.members for unit in scalar_units(member)]
    try:
        units = [None if text in UNCHECKED else parse(text) for text in _texts(argument)]
    except FeatherError as error:
        raise FeatherError(
            f'argument {argument.name}: {error}; write "mixed" or "" if it has none or is not to be checked'
        ) from None
    return _of_scalars(argument, units)


def unit_texts(argument: Arg) -> list[str]:
    """The unit of each scalar of an argument as it is declared."""
    if isinstance(argument.type, type) and issubclass(argument.type, Record):
        return [text for member in argument.type.members for text in unit_texts(member)]
    return _of_scalars(argument, _texts(argument))


def _texts(argument: Arg) -> list[str]:
    return [text.strip() for text in argument.unit.split(";")]


def _of_scalars(argument: Arg, units: Sequence[T]) -> list[T]:
    """One unit, or those of the parts of a type, for each scalar."""
    if len(units) == 1:
        return list(units) * argument.size
    layout = list(argument.type.layout.values()) if isinstance(argument.type, type) else []
    sizes = [size(part) for part in layout] or [1] * argument.size
    if len(units) != len(sizes):
        raise FeatherError(
            f"argument {argument.name}: {argument.unit!r} must be one unit, "
            f"or one for each of its {len(sizes)} parts"
        )
    return [unit for unit, count in zip(units, sizes, strict=True) for _ in range(count)]


def to_si(system: str, dimension: Dimension) -> Fraction:
    """The factor that converts a number of this dimension from a system of units to SI."""
    mass, length = SYSTEMS[system]
    return mass ** int(dimension[0]) * length ** int(dimension[1])
