"""Integers modulo the prime 2^127 - 1: numbers on which equal formulas agree and unequal ones do not.

Roots are real roots of the field; angles have sines and cosines with sin^2 + cos^2 = 1; every other
function, and every comparison, is an arbitrary function of its arguments, drawn anew for each seed. Two
formulas that differ agree at a random point with probability below 2^-100.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count
from typing import Any

from codegen.ir.operations import LIBM, Op
from codegen.ir.systems import ARITHMETIC, ORDER, NumberSystem

P = 2**127 - 1


class NoRoot(ArithmeticError):
    """A square root that the field does not have: take another point."""


@dataclass(frozen=True)
class Residue:
    """A number modulo P, in the world of one seed (which fixes its opaque functions and its order)."""

    value: int
    seed: int

    def number_system(self) -> NumberSystem:
        """The system that formulas on residues run in."""
        return modular(self.seed)

    def _of(self, value: int) -> Residue:
        return Residue(value % P, self.seed)

    def __add__(self, other: Any) -> Residue:
        return self._of(self.value + as_integer(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Residue:
        return self._of(self.value - as_integer(other))

    def __rsub__(self, other: Any) -> Residue:
        return self._of(as_integer(other) - self.value)

    def __mul__(self, other: Any) -> Any:
        if hasattr(other, "__rmul__") and not isinstance(other, (Residue, Fraction, int)):
            return NotImplemented  # a vector scales itself
        return self._of(self.value * as_integer(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Residue:
        return self._of(self.value * inverse(as_integer(other)))

    def __rtruediv__(self, other: Any) -> Residue:
        return self._of(as_integer(other) * inverse(self.value))

    def __pow__(self, exponent: int) -> Residue:
        return self._of(pow(self.value, exponent, P))

    def __neg__(self) -> Residue:
        return self._of(-self.value)

    def __abs__(self) -> Residue:
        return -self if self < 0 else self

    def __lt__(self, other: Any) -> bool:
        return self._rank(self.value) < self._rank(as_integer(other))

    def __le__(self, other: Any) -> bool:
        return self._rank(self.value) <= self._rank(as_integer(other))

    def __gt__(self, other: Any) -> bool:
        return self._rank(self.value) > self._rank(as_integer(other))

    def __ge__(self, other: Any) -> bool:
        return self._rank(self.value) >= self._rank(as_integer(other))

    def _rank(self, value: int) -> int:
        """A random total order; -x is as far below 0 as x is above."""
        value %= P
        return self._sign(value) * self._draw("rank", min(value, P - value))

    def _sign(self, value: int) -> int:
        """A random sign: odd, and that of 2 x is that of x.

        Doubling modulo P rotates the 127 bits of a number, negation inverts them: the least of these
        decides.
        """
        if value == 0:
            return 0
        turned = [(value << k | value >> 127 - k) & P for k in range(127)]
        least, opposite = min(turned), P - max(turned)
        positive = self._draw("sign", min(least, opposite)) & 1 == 0
        return 1 if positive == (least < opposite) else -1

    def _draw(self, name: str, *values: int) -> int:
        """An arbitrary function of the values."""
        text = ":".join([name, str(self.seed), *(str(v % P) for v in values)])
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest()) % P

    def sqrt(self) -> Residue:
        """The positive root; NoRoot where there is none."""
        root = pow(self.value, (P + 1) // 4, P)
        if root * root % P != self.value:
            raise NoRoot
        return self._of(root * self._sign(root))

    def _point(self) -> tuple[int, int]:
        """Cosine and sine: a point of the circle with a rational half-tangent, mirrored for -x."""
        magnitude = min(self.value, P - self.value)
        half = 0 if self.value == 0 else self._draw("angle", magnitude)
        scale = inverse(1 + half * half)
        sine = 2 * half * scale
        return (1 - half * half) * scale, sine if self.value == magnitude else -sine

    def cos(self) -> Residue:
        """Cosine of an angle."""
        return self._of(self._point()[0])

    def sin(self) -> Residue:
        """Sine of an angle."""
        return self._of(self._point()[1])

    def tan(self) -> Residue:
        """Tangent of an angle."""
        return self.sin() / self.cos()

    def asin(self) -> Residue:
        """Arbitrary, as all below."""
        return self._of(self._draw("asin", self.value))

    def acos(self) -> Residue:
        """Arbitrary."""
        return self._of(self._draw("acos", self.value))

    def exp(self) -> Residue:
        """Arbitrary."""
        return self._of(self._draw("exp", self.value))

    def log(self) -> Residue:
        """Arbitrary."""
        return self._of(self._draw("log", self.value))

    def atan2(self, x: Any) -> Residue:
        """Arbitrary function of y and x."""
        return self._of(self._draw("atan2", self.value, as_integer(x)))


def as_integer(number: Any) -> int:
    """The integer modulo P that a residue, int, Fraction or NumPy integer stands for."""
    if isinstance(number, Residue):
        return number.value
    if isinstance(number, Fraction):
        return number.numerator * inverse(number.denominator) % P
    return int(operator.index(number))


def inverse(value: int) -> int:
    """The inverse modulo P."""
    if value % P == 0:
        raise ZeroDivisionError("division by zero modulo P")
    return pow(value, -1, P)


@cache
def modular(seed: int) -> NumberSystem:
    """The number system of one seed."""
    world = Residue(1, seed)

    def constant(exact: Fraction) -> Residue:
        return Residue(as_integer(exact), seed)

    def named(name: str) -> Residue:
        return Residue(world._draw("named " + name), seed)

    functions = {op: getattr(Residue, op.label) for op in (*LIBM, Op.SQRT)}
    return NumberSystem(f"mod P, {seed}", {**ARITHMETIC, **ORDER, **functions}, constant, named)


def residues(seed: int) -> Callable[[], Residue]:
    """Random numbers, one after the other, the same ones for the same seed."""
    counter = count()
    return lambda: random_residue(seed, next(counter))


def random_residue(seed: int, *key: object) -> Residue:
    """A random number for a key, the same one every time."""
    text = ":".join(map(str, key))
    return Residue(Residue(0, seed)._draw("input " + text), seed)
