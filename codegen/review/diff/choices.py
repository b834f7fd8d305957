"""The values of routines with loops over arguments: each once, and choices in one form.

A node is what it is made of: equal nodes have equal values. A truth value is a tree of choices by tests; the
same tree stands for `a && b`, `b` in a branch of `a`, and `!(!a || !b)`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from codegen.review.diff.integers import Integer, calculated
from codegen.review.diff.reading import INFINITE, Held, rounded
from codegen.review.diff.syntax import Refused

REALS = {"float": Held.FLOAT, "double": Held.DOUBLE}
RANKS = ("int", "unsigned", "float", "double")
"""The types of arithmetic, narrowest first."""

LEAVES = ("next", "exit", "return")
"""What a way through a loop or a function ends with, and all that holds then."""


TESTS = ("<", "<=", "==", "returned")
"""The operations whose result is a truth value."""

_MOST = 20_000
"""Limit on the nodes of both versions of a routine."""


class Value(NamedTuple):
    """A node and the type of the value: one of RANKS, truth, or the name of a struct."""

    node: int
    type: str


@dataclass
class Choices:
    """The nodes of both versions of a routine."""

    keys: list[tuple[Hashable, ...]] = field(default_factory=list)
    known: dict[tuple[Hashable, ...], int] = field(default_factory=dict)
    chosen_before: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Node 0 is none of a test."""
        self.node("nothing")

    def node(self, *key: Hashable) -> int:
        """The node of an operation."""
        if key not in self.known:
            self.known[key] = len(self.keys)
            self.keys.append(key)
        return self.known[key]

    def truth(self, holds: bool) -> Value:
        """True or false."""
        return Value(self.node("truth", holds), "truth")

    def constant(self, number: Fraction, kind: str) -> Value:
        """A number of a type."""
        return Value(self.node("constant", kind, number), kind)

    def number(self, value: Value) -> Fraction | None:
        """The number that a value always is; None for others."""
        key = self.keys[value.node]
        return key[2] if key[0] == "constant" else None  # type: ignore[return-value]

    def converted(self, value: Value, kind: str) -> Value:
        """A value in another type."""
        if value.type == kind:
            return value
        if value.type == "truth":
            one, zero = (self.constant(Fraction(n), kind).node for n in (1, 0))
            return Value(self.chosen(value.node, one, zero), kind)
        if self._is_of_constants(value.node) and self.number(value) is None:
            return self._each(lambda a, _: self.converted(a, kind), value, value)
        number = self.number(value)
        if number is not None and kind in REALS and abs(number) != INFINITE:
            return self.constant(rounded(number, REALS[kind]), kind)
        if number is not None and kind == "unsigned" and value.type == "int":
            return self.constant(number % 2**32, kind)
        return Value(self.node("to", kind, value.type, value.node), kind)

    # Choices

    def chosen(self, condition: int, a: int, b: int) -> int:
        """The node of `condition ? a : b`: tests are made in the order of their nodes, each once."""
        key = self.keys[condition]
        if key[0] == "truth":
            return a if key[1] else b
        if a == b:
            return a
        if (condition, a, b) not in self.chosen_before:
            test = min(filter(None, map(self._test, (condition, a, b))), default=condition)
            sides = [[self._where(test, holds, n) for n in (condition, a, b)] for holds in (True, False)]
            x, y = (self.chosen(*side) for side in sides)
            self.chosen_before[condition, a, b] = self._choice(test, x, y)
        return self.chosen_before[condition, a, b]

    def _test(self, node: int) -> int | None:
        """The first test of a choice."""
        key = self.keys[node]
        if key[0] == "choice":
            return key[1]  # type: ignore[return-value]
        return node if key[0] in TESTS else None

    def _where(self, test: int, holds: bool, node: int) -> int:
        """A node where a test has come out in one way."""
        key = self.keys[node]
        if node == test:
            return self.truth(holds).node
        if key[0] in LEAVES:
            return self.node(key[0], *(self._where(test, holds, part) for part in key[1:]))  # type: ignore[arg-type]
        return key[2 if holds else 3] if key[:2] == ("choice", test) else node  # type: ignore[return-value]

    def _choice(self, test: int, a: int, b: int) -> int:
        if a == b:
            return a
        left, right = self.keys[a], self.keys[b]
        if left[0] == right[0] and left[0] in LEAVES:
            parts = zip(left[1:], right[1:], strict=True)
            return self.node(left[0], *(self.chosen(test, x, y) for x, y in parts))  # type: ignore[arg-type]
        if (left, right) == (("truth", True), ("truth", False)):
            return test
        if (common := self._common(test, left, right)) is not None:
            return common
        if len(self.keys) > _MOST:
            raise Refused(None, "too many choices")
        return self.node("choice", test, a, b)

    def _common(self, test: int, a: tuple[Hashable, ...], b: tuple[Hashable, ...]) -> int | None:
        """`x + (test ? y : z)` for `test ? x + y : x + z`, also with the other operators of arithmetic.

        `test ? x | y : x` is `x | (test ? y : 0)`.
        """
        if a[0] == "|" != b[0] and self.known[b] in a[2:]:
            b = ("|", a[1], self.known[b], self.constant(Fraction(0), str(a[1])).node)
        elif b[0] == "|" != a[0] and self.known[a] in b[2:]:
            a = ("|", b[1], self.known[a], self.constant(Fraction(0), str(b[1])).node)
        if a[:2] != b[:2] or a[0] not in _ARITHMETIC or len(a) != 4:
            return None
        op, kind, *operands = a
        for i, shared in enumerate(operands):
            for j, other in enumerate(b[2:]):
                if shared == other and (i == j or op in _SYMMETRIC):
                    inner = self.chosen(test, operands[1 - i], b[3 - j])  # type: ignore[arg-type]
                    pair = [shared, inner] if i == 0 else [inner, shared]
                    return self.node(op, kind, *(sorted(pair) if op in _SYMMETRIC else pair))  # type: ignore[type-var]
        return None

    def negated(self, truth: Value) -> Value:
        """Whether something does not hold."""
        return Value(self.chosen(truth.node, *(self.truth(h).node for h in (False, True))), "truth")

    def both(self, a: int, b: int) -> int:
        """`a && b` of truth values."""
        return self.chosen(a, b, self.truth(False).node)

    def either(self, a: int, b: int) -> int:
        """`a || b` of truth values."""
        return self.chosen(a, self.truth(True).node, b)

    def implies(self, a: int, b: int) -> bool:
        """Whether b holds wherever a does, whatever the tests are."""
        return self.chosen(a, b, self.truth(True).node) == self.truth(True).node

    def _is_of_constants(self, node: int) -> bool:
        """Whether a value is a constant, or a choice among constants."""
        key = self.keys[node]
        if key[0] == "choice":
            return all(self._is_of_constants(side) for side in key[2:])  # type: ignore[arg-type]
        return key[0] == "constant"

    def _each(self, function: Callable[[Value, Value], Value], a: Value, b: Value) -> Value:
        """What a function gives for choices among constants: the choice among its results."""
        tests = [test for x in (a, b) if (test := self._test(x.node)) is not None]
        if not tests:
            return function(a, b)
        sides = [[Value(self._where(min(tests), h, x.node), x.type) for x in (a, b)] for h in (True, False)]
        x, y = (self._each(function, *side) for side in sides)
        return Value(self.chosen(min(tests), x.node, y.node), x.type)

    def _are_choices(self, a: Value, b: Value) -> bool:
        """Whether both are choices among constants, at least one of them of several."""
        return all(self._is_of_constants(x.node) for x in (a, b)) and None in map(self.number, (a, b))

    # Operations

    def arithmetic(self, op: str, a: Value, b: Value) -> Value:
        """The result of + - * / % | & on values of one type."""
        if a.type in ("int", "unsigned") and self._are_choices(a, b):
            return self._each(lambda x, y: self._defined(op, x, y), a, b)
        if op == "-" and a.type in REALS and self.number(b) != 0:
            return self.arithmetic("+", a, self.minus(b))
        found = self._folded(op, a, b) if a.type in ("int", "unsigned") else None
        if found is not None:
            return found
        for value, other, ops in ((a, b, _NEUTRAL), (b, a, _SYMMETRIC)):
            is_sum = op == "+" and a.type in REALS  # -0.0 + 0.0 is 0.0
            if op in ops and not is_sum and self.number(other) == _NEUTRAL.get(op, -1):
                return value
        if op == "+" and a == b and a.type in REALS:  # the same bits, also where it overflows
            op, a = "*", self.constant(Fraction(2), a.type)
        nodes = sorted((a.node, b.node)) if op in _SYMMETRIC else [a.node, b.node]
        return Value(self.node(op, a.type, *nodes), a.type)

    def minus(self, value: Value) -> Value:
        """`-x` of a floating-point number."""
        number, key = self.number(value), self.keys[value.node]
        if number:
            return self.constant(-number, value.type)
        if key[:2] == ("-x", value.type):
            return Value(key[2], value.type)  # type: ignore[arg-type]
        return Value(self.node("-x", value.type, value.node), value.type)

    def _defined(self, op: str, a: Value, b: Value) -> Value:
        """The result for constants between which something chooses; it must be defined for each of them."""
        found = self._folded(op, a, b)
        if found is None:
            raise Refused(None, f"a result of {op} that C does not define")
        return found

    def _folded(self, op: str, a: Value, b: Value) -> Value | None:
        """The result for constants."""
        numbers = [self.number(x) for x in (a, b)]
        if None in numbers:
            return None
        found = calculated(op, *(Integer(int(n or 0), a.type == "unsigned") for n in numbers))
        return None if found is None else self.constant(Fraction(found.value), a.type)

    def less(self, a: Value, b: Value) -> Value:
        """`a < b` of values of one type; of integers, always with a constant on the right."""
        if self._are_choices(a, b):
            return self._each(self.less, a, b)
        low, high = self.number(a), self.number(b)
        if low is not None and high is not None:
            return self.truth(low < high)
        if low is not None and a.type == "int" and low < 2**31 - 1:
            return self.negated(self.less(b, self.constant(low + 1, "int")))
        return Value(self.node("<", a.type, a.node, b.node), "truth")

    def at_most(self, a: Value, b: Value) -> Value:
        """`a <= b` of values of one type."""
        if a.type in ("int", "unsigned"):
            return self.negated(self.less(b, a))
        low, high = self.number(a), self.number(b)
        if low is not None and high is not None:
            return self.truth(low <= high)
        if high is not None and (inner := self._size(a)) is not None:
            return self.within(inner, b)
        return Value(self.node("<=", a.type, a.node, b.node), "truth")

    def within(self, value: Value, bound: Value) -> Value:
        """`-bound <= value && value <= bound`."""
        low, high = self.at_most(self.minus(bound), value), self.at_most(value, bound)
        return Value(self.both(low.node, high.node), "truth")

    def _size(self, value: Value) -> Value | None:
        """The x of `fabs(x)`, calculated in its own type; None for other values."""
        key = self.keys[value.node]
        name = {"float": "fabsf", "double": "fabs"}.get(value.type)
        return Value(key[2], value.type) if key[:2] == ("call", name) else None  # type: ignore[arg-type]

    def equal(self, a: Value, b: Value) -> Value:
        """`a == b` of values of one type."""
        if self._are_choices(a, b):
            return self._each(self.equal, a, b)
        low, high = self.number(a), self.number(b)
        if low is not None and high is not None:
            return self.truth(low == high)
        return Value(self.node("==", a.type, *sorted((a.node, b.node))), "truth")

    def holds(self, value: Value) -> Value:
        """Whether a value is not zero."""
        if value.type == "truth":
            return value
        return self.negated(self.equal(value, self.constant(Fraction(0), value.type)))


_ARITHMETIC = ("+", "-", "*", "/", "%", "|", "&")
_SYMMETRIC = ("+", "*", "|", "&")
_NEUTRAL = {"+": 0, "|": 0, "-": 0, "*": 1, "/": 1}
"""The operand on the right with which operations change nothing."""
