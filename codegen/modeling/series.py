"""Power series in place of closed forms that lose digits near 0, and the text that says so."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

from codegen.ir.types import Scalar
from codegen.modeling.types.scalar import constant, holding, let, removable, select

SQUARE = "|r|^2"
"""What the series are in powers of: the square of an angle."""

BELOW = Fraction(1, 4)
"""Where this square is smaller, the series stand for the closed forms."""


@dataclass(frozen=True)
class Series:
    """A power series in |r|^2 that stands for a closed form near 0.

    `closed` is the closed form, in the notation, and `where` an equation for a name in it. The coefficients
    are given lowest first, with the first one that is left out, which tells the error. A derivation compares
    them with those of Taylor's series of `closed`, and `closed` with what the formula computes elsewhere.
    """

    closed: str
    given: tuple[Fraction, ...]
    where: str = ""

    @property
    def coefficients(self) -> tuple[Fraction, ...]:
        """Those that are used."""
        return self.given[:-1]

    def at(self, square: Scalar, near: Any, closed: Scalar) -> Scalar:
        """The series where the square is `near` 0, and elsewhere the closed form as the formula has it."""
        used = _used.get()
        if used is not None:
            used.setdefault(self, Elsewhere(square, closed))
        return select(removable(near, self.text), polynomial(self.coefficients, square), closed)

    @property
    def error(self) -> Fraction:
        """A bound of what is left out, in proportion to the value: twice the first term, over the lowest one.

        Each further term is less than a quarter of the one before, and the value differs from the lowest term
        by less than a quarter of it, which a test confirms.
        """
        return 2 * abs(self.given[-1] / self.given[0]) * BELOW ** len(self.coefficients)

    @property
    def text(self) -> str:
        """What stands for what, and where: prose, with formulas between backticks."""
        where = f", with `{self.where}`" if self.where else ""
        return (
            f"where `{SQUARE} < {BELOW}`, Taylor's polynomial of degree {len(self.coefficients) - 1} in "
            f"`{SQUARE}`, `{_terms(self.coefficients[:3])}` and so on, stands for `{self.closed}`{where}; "
            f"the terms that it leaves out are less than {_above(self.error)} of the value"
        )


def is_near_zero(square: Scalar) -> Any:
    """Whether a series in this square stands for its closed form; each series tells so itself."""
    return let("by_series", removable(square < constant(BELOW), ""))


def polynomial(coefficients: Sequence[Fraction], x: Scalar) -> Scalar:
    """The polynomial of these coefficients, lowest first, by Horner's rule."""
    return reduce(lambda total, c: total * x + c, map(constant, reversed(coefficients)))


def _terms(coefficients: Sequence[Fraction]) -> str:
    """The lowest terms of a series, each with its sign."""
    powers = ("", f" {SQUARE}", *(f" |r|^{2 * k}" for k in range(2, len(coefficients))))
    first, *others = zip(coefficients, powers, strict=True)
    signed = (f" {'-' if c < 0 else '+'} {abs(c)}{power}" for c, power in others)
    return "".join((f"{first[0]}{first[1]}", *signed))


def _above(bound: Fraction) -> str:
    """A power of ten that is not below a number."""
    exponent = 0
    while Fraction(10) ** (exponent - 1) >= bound:
        exponent -= 1
    return f"1e{exponent}"


class Elsewhere(NamedTuple):
    """What a formula has where no series is used: the square of the angle, and the closed form of it."""

    square: Scalar
    closed: Scalar


_used: ContextVar[dict[Series, Elsewhere] | None] = ContextVar("series", default=None)


def series_used() -> AbstractContextManager[dict[Series, Elsewhere]]:
    """Collect the series of the formulas run inside, each with what the formula computes elsewhere."""
    return holding(_used, {})
