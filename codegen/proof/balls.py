"""Balls: doubles with a bound on their rounding error, for formulas that are evaluated scalar by scalar.

Running error analysis: Wilkinson, The Algebraic Eigenvalue Problem (1965).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from codegen.ir.arrays import lookups
from codegen.ir.operations import LIBM, Op
from codegen.ir.systems import ARITHMETIC, F64, ORDER, NumberSystem

_UNIT = 2.0**-52
"""The error of an operation in double is half of this, that of a function of <math.h> below twice this."""


class Undecided(ArithmeticError):
    """Raised where rounding may decide a comparison or the existence of a value: use another point."""


class Ball:
    """A double, and a bound on its distance from the exact value."""

    __slots__ = ("error", "value")

    def __init__(self, value: float, error: float) -> None:
        if not error < math.inf or not abs(value) < math.inf:
            raise OverflowError("beyond the range of double")
        self.value = value
        self.error = error

    def number_system(self) -> NumberSystem:
        """The number system of balls."""
        return balls()

    def __repr__(self) -> str:
        return f"{self.value:.17g} +- {self.error:.2g}"

    def __hash__(self) -> int:
        raise TypeError("a ball is no key")

    def __eq__(self, other: object) -> bool:
        return not ball(self - other)._is_apart()

    def __add__(self, other: Any) -> Ball:
        b = ball(other)
        return _rounded(self.value + b.value, self.error + b.error)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Ball:
        b = ball(other)
        return _rounded(self.value - b.value, self.error + b.error)

    def __rsub__(self, other: Any) -> Ball:
        return ball(other) - self

    def __mul__(self, other: Any) -> Any:
        if hasattr(other, "__rmul__") and not isinstance(other, (Ball, Fraction, int)):
            return NotImplemented  # a vector scales itself
        b = ball(other)
        spread = abs(self.value) * b.error + (abs(b.value) + b.error) * self.error
        return _rounded(self.value * b.value, spread)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Ball:
        b = ball(other)
        least = abs(b.value) - b.error
        if b.value == 0 == b.error:
            raise ZeroDivisionError("division by zero")
        if not least > 0:
            raise Undecided("a divisor that may be zero")
        quotient = self.value / b.value
        return _rounded(quotient, (self.error + abs(quotient) * b.error) / least)

    def __rtruediv__(self, other: Any) -> Ball:
        return ball(other) / self

    def __pow__(self, exponent: int) -> Ball:
        result = ball(1)
        for _ in range(abs(exponent)):
            result = result * self
        return result if exponent >= 0 else 1 / result

    def __neg__(self) -> Ball:
        return Ball(-self.value, self.error)

    def __abs__(self) -> Ball:
        return Ball(abs(self.value), self.error)

    def _is_apart(self) -> bool:
        """Whether the exact value is not zero; raises Undecided where it may be."""
        if self.error == 0 or abs(self.value) > self.error:
            return self.value != 0
        raise Undecided("a comparison that rounding may decide")

    def __lt__(self, other: Any) -> bool:
        difference: Ball = self - other
        return difference._is_apart() and difference.value < 0

    def __le__(self, other: Any) -> bool:
        difference: Ball = self - other
        return not difference._is_apart() or difference.value < 0

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def minimum(self, other: Any) -> Ball:
        """The smaller of two."""
        b = ball(other)
        return Ball(min(self.value, b.value), max(self.error, b.error))

    def maximum(self, other: Any) -> Ball:
        """The larger of two."""
        b = ball(other)
        return Ball(max(self.value, b.value), max(self.error, b.error))

    def sqrt(self) -> Ball:
        """The square root."""
        if self.value < -self.error:
            raise ValueError("the square root of a negative number")
        if self.value == 0 == self.error:
            return self
        return self._function(math.sqrt, lambda x: 1 / (2 * math.sqrt(x)), least=0)

    def floor(self) -> int:
        """The largest whole number that is not larger; Undecided where rounding may decide it."""
        below = math.floor(self.value - self.error)
        if below != math.floor(self.value + self.error):
            raise Undecided("a whole part that rounding may decide")
        return below

    def sin(self) -> Ball:
        """Sine of an angle."""
        return _rounded(math.sin(self.value), self.error)

    def cos(self) -> Ball:
        """Cosine of an angle."""
        return _rounded(math.cos(self.value), self.error)

    def tan(self) -> Ball:
        """Tangent of an angle."""
        return self.sin() / self.cos()

    def asin(self) -> Ball:
        """Arc sine."""
        return self._arc(math.asin)

    def acos(self) -> Ball:
        """Arc cosine."""
        return self._arc(math.acos)

    def _arc(self, function: Callable[[float], float]) -> Ball:
        furthest = abs(self.value) + self.error
        if furthest >= 1:
            raise Undecided("the arc sine or arc cosine of a number that may be beyond 1")
        return _rounded(function(self.value), self.error / math.sqrt(1 - furthest * furthest))

    def exp(self) -> Ball:
        """Exponential."""
        value = math.exp(self.value)
        return _rounded(value, value * math.expm1(self.error))

    def log(self) -> Ball:
        """Natural logarithm."""
        if self.value < -self.error:
            raise ValueError("the logarithm of a negative number")
        return self._function(math.log, lambda x: 1 / x, least=0)

    def sinh(self) -> Ball:
        """Hyperbolic sine."""
        return _rounded(math.sinh(self.value), self.error * math.cosh(abs(self.value) + self.error))

    def cosh(self) -> Ball:
        """Hyperbolic cosine."""
        return _rounded(math.cosh(self.value), self.error * math.sinh(abs(self.value) + self.error))

    def tanh(self) -> Ball:
        """Hyperbolic tangent."""
        return _rounded(math.tanh(self.value), self.error)

    def log1p(self) -> Ball:
        """Natural logarithm of 1 + x."""
        if self.value + 1 < -self.error:
            raise ValueError("the logarithm of a negative number")
        return self._function(math.log1p, lambda x: 1 / (1 + x), least=-1)

    def expm1(self) -> Ball:
        """Exponential minus 1."""
        value = math.expm1(self.value)
        return _rounded(value, (value + 1) * math.expm1(self.error))

    def _function(
        self, function: Callable[[float], float], slope: Callable[[float], float], least: float
    ) -> Ball:
        """The value of a function that is steepest at the lower end of the ball."""
        if self.value - self.error <= least:
            raise Undecided("a value that may not exist")
        return _rounded(function(self.value), self.error * slope(self.value - self.error))

    def atan2(self, other: Any) -> Ball:
        """Angle of the point (other, self)."""
        x = ball(other)
        nearest = math.hypot(self.value, x.value) - self.error - x.error
        if nearest <= 0 or (x.value - x.error <= 0 and abs(self.value) <= self.error and self.error > 0):
            raise Undecided("an angle that may be near the branch cut")
        return _rounded(math.atan2(self.value, x.value), (self.error + x.error) / nearest)


def _rounded(value: float, error: float) -> Ball:
    """Add the rounding of this operation, of `error` itself, and underflow."""
    return Ball(value, (error + abs(value) * _UNIT) * (1 + 8 * _UNIT) + 1e-300 if error or value else 0.0)


def ball(number: Any) -> Ball:
    """A ball, int, Fraction or NumPy integer as a ball."""
    if isinstance(number, Ball):
        return number
    exact = Fraction(number) if isinstance(number, Fraction) else Fraction(operator.index(number))
    value = float(exact)
    return Ball(value, 0.0 if Fraction(value) == exact else abs(value) * _UNIT + 1e-300)


@cache
def balls() -> NumberSystem:
    """Double arithmetic with its error bounds; eps, min and max are those of double."""
    functions = {op: getattr(Ball, op.label) for op in (*LIBM, Op.SQRT)}
    table: Mapping[Op, Callable[..., Any]] = {
        **ARITHMETIC, **ORDER, **functions, **lookups(ball, Ball.floor), Op.FLOOR: lambda x: ball(x.floor()),
        Op.MIN: Ball.minimum, Op.MAX: Ball.maximum,
    }  # fmt: skip
    return NumberSystem("balls", table, ball, lambda name: ball(F64.named(name)))
