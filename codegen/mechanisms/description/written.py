"""Names and numbers as a person writes them: each number stands for its decimal, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TypeAlias

from codegen.errors import FeatherError, naming
from codegen.ir.expression import decimal_of

Number: TypeAlias = int | float | str | Fraction
"""A number as it is written: a float or a string stands for its decimal, exactly."""

_DECADES = 100
"""Numbers outside 1e-100 to 1e100 are refused."""

_DIGITS = 200
"""The most digits of a number: exact arithmetic with thousands would take hours."""

_LONGEST = 1000
"""Characters of a name."""


def exact(number: Number) -> Fraction:
    """The fraction that a written number stands for; FeatherError when it is none, or not finite."""
    if isinstance(number, (bool, str)) or not isinstance(number, (int, float, Fraction)):
        decimal = _decimal(str(number).strip())
        if not decimal.is_finite() or (decimal and abs(decimal.adjusted()) > _DECADES):
            raise FeatherError(f"{str(number)[:40]!r} is not a finite number that C can hold")
        if len(decimal.as_tuple().digits) > _DIGITS:
            raise FeatherError(f"{str(number)[:40]!r}... has more than {_DIGITS} digits: round it")
        return Fraction(decimal)
    return decimal_of(number) if isinstance(number, float) else Fraction(number)


def _decimal(text: str) -> Decimal:
    """The number that a text states in ASCII digits, as C reads it: Python's Decimal admits others."""
    if text.isascii() and "_" not in text:
        with suppress(InvalidOperation):
            return Decimal(text)
    raise FeatherError(f"{text[:40]!r} is not a number")


def exact_all(what: str, values: Sequence[Number], count: int) -> tuple[Fraction, ...]:
    """The fractions of so many written numbers; FeatherError names what they are."""
    if isinstance(values, str) or not hasattr(values, "__len__") or len(values) != count:
        raise FeatherError(f"{what} takes {count} numbers")
    with naming(what):
        return tuple(map(exact, values))


def check_listed(what: str, names: Iterable[str]) -> None:
    """FeatherError for one name in place of several: its letters would be taken for names."""
    if isinstance(names, str):
        raise FeatherError(f"{what} takes a list of names, such as [{names[:40]!r}]")


def check_legible(what: str, name: str) -> None:
    """FeatherError unless a name can be read where comments of the C and messages show it."""
    if not isinstance(name, str):
        raise FeatherError(f"the name of a {what} is a text, not of type {type(name).__name__}")
    if not name.strip():
        raise FeatherError(f"the name of a {what} is empty: give it one")
    if len(name) > _LONGEST:
        raise FeatherError(f"the name of a {what} has {len(name)} characters, {name[:20]}...: shorten it")
    if not name.isprintable():
        raise FeatherError(f"{what} {name}: its name has a character that cannot be seen: rename it")
