"""Limits of the numbers in an array, such as the positions of a robot's joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from codegen.errors import FeatherError
from codegen.ir.systems import Precision, brief


@dataclass(frozen=True)
class Limits:
    """The least values that the numbers of an array may have, or the largest ones where `above`.

    `values` has None where there is no limit. `meaning` says what they limit, and `unit` its units.
    """

    meaning: str
    unit: str
    values: Sequence[Fraction | None]
    above: bool = True

    def rounded(self, precision: Precision) -> list[Fraction]:
        """The limits in a precision, rounded to the side that is allowed.

        The largest finite number, or its negative, stands where there is no limit. FeatherError for a limit
        that allows no finite number.
        """
        return [self._rounded(x, precision) for x in self.values]

    def _rounded(self, x: Fraction | None, precision: Precision) -> Fraction:
        if x is None:
            return precision.max if self.above else -precision.max
        try:
            return precision.floor(x) if self.above else precision.ceiling(x)
        except OverflowError:
            raise FeatherError(f"the limit {brief(x)} is not finite in {precision.ctype}") from None
