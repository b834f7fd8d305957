"""Integers modulo random primes of 127 bits: numbers on which equal formulas agree and unequal ones do not.

Each point of a comparison lies in a `World` of its own: a prime, arbitrary functions in place of asin, exp
and the like, and an order. The prime is 7 modulo 8, so that of x and -x exactly one is a square. A square
root is the one of both that is a square itself: sqrt(a) sqrt(b) = sqrt(a b). Angles have sines and cosines
with sin^2 + cos^2 = 1. Which numbers are positive is decided when a formula asks for it, by a script, so
that every path through the decisions of a formula can be followed; -x is positive where x is not.
"""

from __future__ import annotations

import hashlib
import math
import operator
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import count
from typing import Any

from codegen.ir.arrays import Constants, Listed, cell, clipped
from codegen.ir.operations import LIBM, Op
from codegen.ir.systems import ARITHMETIC, ORDER, NumberSystem

SMALLEST = 2**126
"""Every prime is larger."""

_DENOMINATORS = (1, 2, 3, 4, 6)
_SQUARES = {
    Fraction(0): 4, Fraction(1, 6): 3, Fraction(1, 4): 2, Fraction(1, 3): 1, Fraction(1, 2): 0
}  # fmt: skip
"""The squares of twice the cosines of these half turns; of other ones, they are not whole numbers."""

_DIVISIBLE = 720720
_SMALL_RATIO = 2**22
"""Numbers have one sign if their ratio is a fraction over this denominator with a numerator below that."""

CHANCE_OF_RATIO = 2 * _SMALL_RATIO / SMALLEST
"""The chance that this is so of two other numbers."""

MOST_TERMS = 64
"""An angle that is the sum of more numbers is a number like others."""

_LARGEST_EXACT = 2**512
"""Constants of more digits are numbers like others."""

CHOICE = 100
"""There are more than 2^100 primes to draw from."""


class NoRoot(ArithmeticError):
    """A square root that the field does not have: take another point."""


class Unsuited(ArithmeticError):
    """A root whose sign is not the one that the script asks for: take another point."""


class Infeasible(ArithmeticError):
    """A decision that takes for negative what is positive everywhere, such as a square."""


# Primes


def digest(*parts: object) -> int:
    """An arbitrary number below 2^256 for the parts, the same one everywhere."""
    text = ":".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=32).digest())


@cache
def prime(seed: str) -> int:
    """A random prime between 2^126 and 2^127 of which 2, 3, 5 and 7 are squares; -1 is none.

    It is 2 k q + 1 for a prime q above its root, and so proven prime (Pocklington 1914).
    """
    source = random.Random(f"prime {seed}")
    q = _large_factor(source)
    least = 2**126 // (2 * q * 420) + 1
    residues = _residues(q % 420)
    while True:
        p = 2 * (420 * source.randrange(least, 2 * least - 2) + source.choice(residues)) * q + 1
        if all(p % small for small in _SMALL) and _is_prime_by(p, q):
            return p


@cache
def _residues(q: int) -> list[int]:
    """The numbers r below 420 for which 2 r q + 1 is wanted, where only q modulo 420 counts."""
    return [r for r in range(420) if _is_wanted(2 * r * q + 1)]


def _is_wanted(p: int) -> bool:
    """Whether 2, 3, 5 and 7 are squares modulo a prime that is this modulo 840, and -1 is none."""
    return p % 8 == 7 and p % 3 == 2 and p % 5 in (1, 4) and p % 7 in (3, 5, 6)


def _is_prime_by(p: int, q: int) -> bool:
    """Whether 2 or 11 proves, by the prime factor q of p - 1 above the root of p, that p is prime."""
    return pow(2, p - 1, p) == 1 and any(math.gcd(pow(a, (p - 1) // q, p) - 1, p) == 1 for a in (2, 11))


def _large_factor(source: random.Random) -> int:
    """A random prime of 64 bits."""
    while True:
        q = source.randrange(3 * 2**62 + 1, 2**64, 2)
        if all(q % small for small in _SMALL) and all(_is_witnessed(q, base) for base in _BASES):
            return q


_SMALL = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97)
_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Below 2^64, what is a strong probable prime to all of these is prime (Sorenson and Webster 2015)."""


def _is_witnessed(n: int, base: int) -> bool:
    """Whether the odd n is a strong probable prime to the base."""
    twos = (n - 1 & 1 - n).bit_length() - 1
    x = pow(base, n - 1 >> twos, n)
    return x == 1 or any(pow(x, 2**i, n) == n - 1 for i in range(twos))


# Worlds


class World:
    """A prime, arbitrary functions and an order, all from a seed.

    The order's decisions follow the script, in the order in which they are first asked for: 1 where the
    number is positive, -1 where it is negative, 0 where it is to be taken for zero. `trail` holds them.
    Without a script they are arbitrary. The roots with the numbers in `flipped`, in the order in which they
    are taken, are not squares but their negatives. Where the world is `opaque`, roots, absolute values
    and extremes are arbitrary functions, too, and take no decision.
    """

    def __init__(
        self,
        seed: object,
        script: Sequence[int] | None = None,
        flipped: Collection[int] = (),
        opaque: bool = False,
        zeros: Collection[int] = (),
    ) -> None:
        self.seed = str(seed)
        self.prime = prime(self.seed)
        self.flipped = flipped
        self.opaque = opaque
        self.script = script
        self._zeros = zeros  # places of the trail where a root is zero, as it cannot be negative
        self.trail: list[int] = []
        self.signs: dict[int, int] = {1: 1}  # of the smaller of x and -x
        self.ties: dict[int, set[bool]] = {}  # on which sides zero has been counted
        self.asked: list[int] = []  # the numbers of the decisions on the trail
        self.zeros: set[int] = set()  # where on the trail zero was asked for
        self.equals = 0  # comparisons of equal numbers other than zero
        self.answers: list[bool] = []  # what comparisons were answered
        self.truths: dict[tuple[object, ...], bool] = {}
        self.roots: dict[int, int] = {}
        self._undecided: set[int] = set()  # roots, positive by convention
        self._numbers: dict[int, int] = {}  # of these roots, in the order in which they are taken
        self.unsuited = -1  # the number of a root whose sign is not the one asked for
        self._inverses: dict[int, int] = {1: 1}
        self._multiples: dict[int, tuple[int, int]] = {}  # of a number whose sign is known, with their own
        self.divisors: set[int] = set()
        self._exact: dict[int, Fraction] = {0: Fraction(0)}  # constants
        self.bounded: dict[int, bool] = {}  # numbers that nowhere are negative: whether they are positive
        self.forced: set[int] = set()  # where on the trail such a number is zero, as it cannot be negative
        self._terms: dict[int, tuple[int, ...]] = {}  # of an angle: the numbers that it is the sum of
        self._phases: dict[int, tuple[int, int]] = {}  # constant angles: cosine and sine
        self._half_turns: dict[int, Fraction] = {}  # multiples of pi

    @property
    def progress(self) -> int:
        """How many roots and decisions have been found to suit."""
        return len(self.roots) + len(self.trail)

    def number(self, value: int) -> Residue:
        """A number of this world."""
        return Residue(value % self.prime, self)

    def draw(self, name: str, *values: int) -> int:
        """An arbitrary function of the values."""
        return digest(name, self.seed, *values) % self.prime

    def unknown(self, value: int) -> Residue:
        """A number that is drawn at random; sines and cosines of sums of such follow the addition theorem."""
        self._terms[value % self.prime] = (value % self.prime,)
        return self.number(value)

    def phase(self, y: int, x: int) -> int:
        """The angle of the point (x, y); one whose sine and cosine are known where both are constants."""
        p = self.prime
        angle = self.draw("atan2", y, x)
        if x in self._exact and y in self._exact and (x * x + y * y - 1) % p == 0:
            self._phases[angle] = x, y
            self._terms[angle] = (angle,)
        return angle

    def point(self, value: int) -> tuple[int, int]:
        """Cosine and sine of an angle, of a sum by the addition theorem."""
        c, s = 1, 0
        for term in self._terms.get(value, (value,)):
            u, v = self._phases.get(term) or self._turned(term) or self._point(term)
            c, s = (c * u - s * v) % self.prime, (s * u + c * v) % self.prime
        return c, s

    def _point(self, value: int) -> tuple[int, int]:
        """A point of the circle with a rational half-tangent, mirrored for -x."""
        magnitude = min(value, self.prime - value)
        opposite = self._phases.get(self.prime - value)
        if opposite:
            return opposite[0], -opposite[1]
        half = 0 if value == 0 else self.draw("angle", magnitude)
        scale = self.inverse(1 + half * half)
        sine = 2 * half * scale
        return (1 - half * half) * scale, sine if value == magnitude else -sine

    def _turned(self, value: int) -> tuple[int, int] | None:
        """Cosine and sine of a multiple of pi that has them in square roots; None for other numbers."""
        for sign in (1, -1):
            k = self._half_turns.get(sign * value % self.prime)
            if k is not None and k.denominator in _DENOMINATORS:
                return self._cosine(k), sign * self._cosine(k - Fraction(1, 2))
        return None

    def _cosine(self, half_turns: Fraction) -> int:
        k = abs((half_turns + 1) % 2 - 1)
        if k > Fraction(1, 2):
            return -self._cosine(1 - k)
        square = _SQUARES[k]
        whole = math.isqrt(square)
        return (whole if whole * whole == square else self.root(square)) * self.inverse(2)

    def _note_half_turns(self, value: int, operation: Callable[[Any, Any], Any], a: int, b: int) -> None:
        """Note that a number is a multiple of pi: another one times a constant, over it, or less than 0."""
        turns, exact = self._half_turns, self._exact
        if operation in (operator.mul, operator.truediv) and a in turns and b in exact:
            turns[value] = operation(turns[a], exact[b])
        elif operation is operator.mul and b in turns and a in exact:
            turns[value] = exact[a] * turns[b]
        elif operation is operator.sub and b in turns and a == 0:
            turns[value] = -turns[b]
        else:
            return
        if turns[value].denominator in _DENOMINATORS:
            self._terms.setdefault(value, (value,))

    def _note_sum(self, value: int, a: tuple[int, ...], b: tuple[int, ...]) -> None:
        """Note that an angle is a sum; opposite terms cancel."""
        terms = [*a]
        for term in b:
            if self.prime - term in terms:
                terms.remove(self.prime - term)
            else:
                terms.append(term)
        if len(terms) <= MOST_TERMS:
            self._terms[value] = tuple(terms)

    def _note_multiple(self, value: int, times: int, angle: int) -> None:
        """Note that a whole multiple of an angle is the sum of so many of them."""
        whole, terms = self._exact.get(times), self._terms.get(angle)
        if whole is None or not terms or whole.denominator != 1:
            return
        if abs(whole) * len(terms) <= MOST_TERMS:
            self._terms[value] = abs(int(whole)) * tuple(t if whole > 0 else -t % self.prime for t in terms)

    def integer(self, number: Any) -> int:
        """The integer that a residue, int, Fraction or NumPy integer stands for."""
        if isinstance(number, Residue):
            return number.value
        exact = number if isinstance(number, Fraction) else Fraction(operator.index(number))
        whole = exact.denominator == 1
        value = exact.numerator * (1 if whole else self.inverse(exact.denominator)) % self.prime
        self._note_exact(value, exact)
        return value

    def exact(self, number: Any) -> Fraction | None:
        """The constant that a number is known to be."""
        return self._exact.get(self.integer(number))

    def _note_exact(self, value: int, exact: Fraction) -> None:
        self._exact[value] = exact
        if exact > 0:
            self.bounded[value] = True

    def tells(self, a: int, b: int) -> bool:
        """Whether something is known of their sum or product.

        It is if both are constants or nowhere negative, or angles, one of which may be a constant.
        """
        return (
            (a in self.bounded and b in self.bounded)
            or (a in self._exact and b in self._exact)
            or (b in self._terms and (a in self._terms or a in self._exact))
            or (a in self._terms and b in self._exact)
        )

    def noted(self, value: int, operation: Callable[[Any, Any], Any], a: int, b: int) -> int:
        """The value of an operation on a and b, noted if it is a constant or nowhere negative."""
        value %= self.prime
        if operation is operator.add or operation is operator.sub:
            left, right = self._terms.get(a), self._terms.get(b)
            if right is not None and (left is not None or a == 0):
                sign = 1 if operation is operator.add else -1
                self._note_sum(value, left or (), tuple(sign * t % self.prime for t in right))
        elif operation is operator.mul:
            self._note_multiple(value, a, b)
            self._note_multiple(value, b, a)
        if self._half_turns:
            self._note_half_turns(value, operation, a, b)
        if a in self._exact and b in self._exact:
            exact = operation(self._exact[a], self._exact[b])
            if max(abs(exact.numerator), exact.denominator) < _LARGEST_EXACT:
                self._note_exact(value, exact)
        elif operation is not operator.sub and value:
            is_square = a == b and operation is operator.mul
            positive = self.bounded.get(a, False if is_square else None), self.bounded.get(b, is_square)
            if positive[0] is not None and (b in self.bounded or is_square):
                either = operation is operator.add
                self.bounded[value] = any(positive) if either else all(positive)
        return value

    def named(self, name: str) -> int:
        """A named constant, which is positive."""
        value = self.draw("named " + name)
        key = min(value, self.prime - value)
        if key not in self.signs:
            self._settle(key, 1 if value == key else -1)
        self.bounded[value] = True
        if name == "pi":
            self._half_turns[value] = Fraction(1)
            self._terms[value] = (value,)
        return value

    def inverse(self, value: int) -> int:
        """The inverse; ZeroDivisionError for zero."""
        if value % self.prime == 0:
            raise ZeroDivisionError("division by zero modulo a prime")
        return pow(value, -1, self.prime)

    def is_above(self, a: int, b: int) -> bool:
        """Whether a is above b, in a comparison that counts equal ones as not above."""
        value = (a - b) % self.prime
        if value == 0:
            self.zeros.add(len(self.trail))
            self.equals += a % self.prime != 0
        self.answers.append(self.order(a, b) > 0)
        if value and not (a in self._exact and b in self._exact):
            key, side = self._known(value)
            self.ties.setdefault(key, set()).add(side > 0)
        return self.answers[-1]

    def order(self, a: int, b: int) -> int:
        """1 where a is above b, -1 where it is below, 0 where they are equal or taken for equal."""
        if a in self._exact and b in self._exact:
            return (self._exact[a] > self._exact[b]) - (self._exact[a] < self._exact[b])
        return self.sign(a - b)

    def sign(self, value: int) -> int:
        """1 or -1; 0 for zero, and for what the script takes for zero."""
        value %= self.prime
        if value == 0:
            return 0
        key, side = self._known(value)
        if key not in self.signs:
            self._settle(key, self._implied(key) or side * self._decided(value))
        elif key in self._undecided and self.script is not None:
            self._undecided.discard(key)
            decided = self._decided(value)
            if decided == -self.signs[key] * side:
                self.unsuited = self._numbers[key]
                raise Unsuited
            self.signs[key] = decided * side
        return self.signs[key] * side

    def _settle(self, key: int, sign: int) -> None:
        self.signs[key] = sign
        self._inverses[key] = pow(key, -1, self.prime)

    def _known(self, value: int) -> tuple[int, int]:
        """The number whose sign tells this one's, and whether they have the same: -x and x/2 go with x."""
        p = self.prime
        key = min(value, p - value)
        if key not in self.signs and key not in self._multiples:
            for known, inverse in self._inverses.items():
                ratio = key * inverse * _DIVISIBLE % p
                if min(ratio, p - ratio) < _SMALL_RATIO:
                    self._multiples[key] = known, 1 if ratio < _SMALL_RATIO else -1
                    break
        known, side = self._multiples.get(key, (key, 1))
        return known, side if value == key else -side

    def _implied(self, value: int) -> int:
        """The sign of a sum of two numbers of the same sign; 0 if it is not known to be one."""
        for known, sign in self.signs.items():
            for total, found in ((value, 1), (-value, -1)):
                rest = (total - sign * known) % self.prime
                if self.signs.get(rest, 0) == 1 or self.signs.get(self.prime - rest, 0) == -1:
                    return found
        return 0

    def arbitrary(self, name: str, *values: int) -> bool:
        """An arbitrary truth for the values, decided as the order is."""
        key = name, *values
        if key not in self.truths:
            self.truths[key] = self._decided(self.draw(name, *values)) > 0
        return self.truths[key]

    def _decided(self, value: int) -> int:
        """The next decision, asked for this number."""
        if self.script is None:
            key = min(value, self.prime - value)
            if value in self.bounded or self.prime - value in self.bounded:
                return 1 if value in self.bounded else -1
            return 1 if (self.draw("sign", key) & 1 == 0) == (value == key) else -1
        place = len(self.trail)
        known = (value in self.bounded) - (self.prime - value in self.bounded)
        self.trail.append(self.script[place] if place < len(self.script) else known or 1)
        self.asked.append(value)
        if place in self._zeros:
            self.trail[-1] = 0
            self.forced.add(place)
        elif self.trail[-1] * known < 0 or (known and not self.trail[-1]):
            if self.bounded[value if known > 0 else self.prime - value]:
                raise Infeasible
            self.trail[-1] = 0
            self.forced.add(place)
        return self.trail[-1]

    def root(self, value: int) -> int:
        """The positive square root; NoRoot where there is none."""
        value %= self.prime
        if self.opaque:
            return self._with_its_half(self.draw("root", value))
        if value not in self.roots:
            root = pow(value, (self.prime + 1) // 4, self.prime)
            if root * root % self.prime != value:
                raise NoRoot
            known = root in self.bounded or self.prime - root in self.bounded
            if self.prime - root in self.bounded or (len(self.roots) in self.flipped and not known):
                root = -root % self.prime
            key = min(root, self.prime - root)
            if root and key not in self.signs:
                self._numbers[key] = len(self.roots)
                self._settle(key, 1 if root == key else -1)
                self._undecided.add(key)
            self.roots[value] = root if not root or self.signs[key] == (1 if root == key else -1) else -root
            self._with_its_half(self.roots[value])
        return self.roots[value]

    def _with_its_half(self, root: int) -> int:
        """A root, such as the length of a rotation vector; as an angle it is the sum of two halves."""
        if root and root not in self._exact:
            half = root * self.inverse(2) % self.prime
            self._terms.setdefault(half, (half,))
            self._terms.setdefault(root % self.prime, (half, half))
        return root


class Residue:
    """A number modulo the prime of a world."""

    __slots__ = ("value", "world")
    may_be_positive = True

    def __init__(self, value: int, world: World) -> None:
        self.value = value
        self.world = world

    def number_system(self) -> NumberSystem:
        """The system that formulas on residues run in."""
        return modular(self.world)

    @property
    def is_positive(self) -> bool:
        """Whether the number is known to be positive everywhere, but where it is zero."""
        return self.value in self.world.bounded

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Residue, int, Fraction)):
            return (self.value - self.world.integer(other)) % self.world.prime == 0
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"{self.value} modulo {self.world.prime}"

    def _of(self, value: int) -> Residue:
        return Residue(value % self.world.prime, self.world)

    def _integer(self, other: Any) -> int:
        return other.value if type(other) is Residue else self.world.integer(other)

    def _noted(self, value: int, operation: Callable[[Any, Any], Any], a: int, b: int) -> Residue:
        return Residue(self.world.noted(value, operation, a, b), self.world)

    def __add__(self, other: Any) -> Residue:
        world, a = self.world, self.value
        b = other.value if type(other) is Residue else world.integer(other)
        if world.tells(a, b):
            return self._noted(a + b, operator.add, a, b)
        return Residue((a + b) % world.prime, world)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Residue:
        world, a = self.world, self.value
        b = other.value if type(other) is Residue else world.integer(other)
        if world.tells(a, b):
            return self._noted(a - b, operator.sub, a, b)
        return Residue((a - b) % world.prime, world)

    def __rsub__(self, other: Any) -> Residue:
        return self._of(self._integer(other)) - self

    def __mul__(self, other: Any) -> Any:
        world, a = self.world, self.value
        if type(other) is Residue:
            b = other.value
        elif hasattr(other, "__rmul__") and not isinstance(other, (Fraction, int)):
            return NotImplemented  # a vector scales itself
        else:
            b = world.integer(other)
        if a == b or world.tells(a, b):
            return self._noted(a * b, operator.mul, a, b)
        return Residue(a * b % world.prime, world)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Residue:
        a, b = self.value, self._integer(other)
        value = a * self.world.inverse(b)
        self.world.divisors.add(min(b, self.world.prime - b))
        return self._noted(value, operator.truediv, a, b)

    def __rtruediv__(self, other: Any) -> Residue:
        return self._of(self._integer(other)) / self

    def __pow__(self, exponent: int) -> Residue:
        raised: Residue = reduce(operator.mul, [self] * abs(exponent), self._of(self.world.integer(1)))
        return raised if exponent >= 0 else 1 / raised

    def __neg__(self) -> Residue:
        return self._noted(-self.value, operator.sub, 0, self.value)

    def __abs__(self) -> Residue:
        if self.world.opaque:
            return self._of(self.world.draw("abs", min(self.value, self.world.prime - self.value)))
        return self if self.world.order(self.value, 0) >= 0 else -self

    def __lt__(self, other: Any) -> bool:
        return self.world.is_above(self._integer(other), self.value)

    def __le__(self, other: Any) -> bool:
        return not self.world.is_above(self.value, self._integer(other))

    def __gt__(self, other: Any) -> bool:
        return self.world.is_above(self.value, self._integer(other))

    def __ge__(self, other: Any) -> bool:
        return not self.world.is_above(self._integer(other), self.value)

    def minimum(self, other: Any) -> Residue:
        """The smaller of two; which of equal ones does not matter."""
        if self.world.opaque:
            return self._of(
                self.world.draw("min", *sorted((self.value, self._integer(other) % self.world.prime)))
            )
        b = self._integer(other)
        return self if self.world.order(b, self.value) >= 0 else self._of(b)

    def maximum(self, other: Any) -> Residue:
        """The larger of two."""
        lower: Residue = (-self).minimum(-other)
        return -lower

    def sqrt(self) -> Residue:
        """The positive root; NoRoot where there is none."""
        return self._of(self.world.root(self.value))

    def cos(self) -> Residue:
        """Cosine of an angle."""
        return self._of(self.world.point(self.value)[0])

    def sin(self) -> Residue:
        """Sine of an angle."""
        return self._of(self.world.point(self.value)[1])

    def tan(self) -> Residue:
        """Tangent of an angle."""
        cos, sin = self.world.point(self.value)
        return self._of(sin * self.world.inverse(cos))

    def _positive(self, value: int) -> Residue:
        self.world.bounded[value % self.world.prime] = True
        return self._of(value)

    def asin(self) -> Residue:
        """Arbitrary, as all below."""
        return self._of(0 if self.value == 0 else self.world.draw("asin", self.value))

    def acos(self) -> Residue:
        """Arbitrary."""
        return self._of(0 if self.value == 1 else self.world.draw("acos", self.value))

    def exp(self) -> Residue:
        """Arbitrary and positive; one for zero."""
        if self.value == 0:
            return self._of(1)
        return self._positive(self.world.draw("exp", self.value))

    def log(self) -> Residue:
        """Arbitrary."""
        return self._of(0 if self.value == 1 else self.world.draw("log", self.value))

    def log1p(self) -> Residue:
        """The logarithm of 1 + x."""
        return (self + 1).log()

    def expm1(self) -> Residue:
        """The exponential minus 1."""
        return self.exp() - 1

    def sinh(self) -> Residue:
        """Half of e - 1/e, for an arbitrary e that belongs to x, and 1/e to -x."""
        e, inverse = self._hyperbolic()
        return self._of((e - inverse) * self.world.inverse(2))

    def cosh(self) -> Residue:
        """Half of e + 1/e."""
        e, inverse = self._hyperbolic()
        return self._positive((e + inverse) * self.world.inverse(2))

    def tanh(self) -> Residue:
        """The quotient of both."""
        e, inverse = self._hyperbolic()
        return self._of((e - inverse) * self.world.inverse(e + inverse))

    def _hyperbolic(self) -> tuple[int, int]:
        smaller = min(self.value, self.world.prime - self.value)
        e = self.world.draw("hyperbolic", smaller) if self.value else 1
        inverse = self.world.inverse(e)
        return (e, inverse) if smaller == self.value else (inverse, e)

    def floor(self) -> Residue:
        """Arbitrary, but for constants."""
        exact = self.world.exact(self)
        if exact is not None:
            return self._of(self.world.integer(math.floor(exact)))
        return self._of(self.world.draw("floor", self.value))

    def atan2(self, x: Any) -> Residue:
        """Arbitrary function of y and x."""
        return self._of(self.world.phase(self.value, self._integer(x) % self.world.prime))


_TABLE: Mapping[Op, Callable[..., Any]] = {
    **ARITHMETIC,
    **ORDER,
    **{op: getattr(Residue, op.label) for op in (*LIBM, Op.SQRT)},
    Op.MIN: Residue.minimum,
    Op.MAX: Residue.maximum,
}


def _lookups(world: World) -> Mapping[Op, Callable[..., Any]]:
    """Look-ups: the cell of a number and the entry at an index are arbitrary, unless they are known."""

    def cell_of(array: Constants, x: Any) -> int:
        exact = world.exact(x)
        if exact is not None:
            return cell(array.values, exact)
        return world.draw(f"cell {array.digest}", world.integer(x))

    def step(x: Any, last: int) -> int:
        exact = world.exact(x)
        return world.draw(f"step {last}", world.integer(x)) if exact is None else clipped(int(exact), last)

    @cache
    def digest(array: Constants | Listed) -> str:
        """What tells arrays apart: of one that is known at run time only, its numbers."""
        if isinstance(array, Constants):
            return array.digest
        exact = [world.exact(x) for x in array.values]
        if None not in exact:
            return Listed(array.about, *exact).constants().digest
        return ",".join(str(world.integer(x) % world.prime) for x in array.values)

    def entry(array: Constants | Listed, index: int, offset: int) -> Residue:
        place = (index + offset) % world.prime
        if place < len(array.values):  # an index that is known, as that of a first node
            found = array.values[place]
            return found if isinstance(found, Residue) else world.number(world.integer(found))
        return world.number(world.draw(f"entry {digest(array)}", place))

    return {
        Op.CELL: cell_of,
        Op.STEP: step,
        Op.FLAT: lambda i, stride, j: (i * stride + j) % world.prime,
        Op.LIST: Listed,
        Op.ENTRY: entry,
        Op.REAL: world.number,
    }


def modular(world: World) -> NumberSystem:
    """The number system of a world."""

    def constant(exact: Fraction) -> Residue:
        return world.number(world.integer(exact))

    def named(name: str) -> Residue:
        return Residue(world.named(name), world)

    table = {**_TABLE, **_lookups(world)}
    return NumberSystem(f"modulo {world.prime}", table, constant, named)


def residues(world: World) -> Callable[[], Residue]:
    """Random numbers of a world, one after the other, the same ones every time."""
    counter = count()
    return lambda: world.unknown(world.draw("input", next(counter)))
