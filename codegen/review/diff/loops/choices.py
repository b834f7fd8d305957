"""The values of routines with loops over arguments: each once, and choices in one form.

A node is what it is made of: equal nodes have equal values. A truth value is a tree of choices by tests; the
same tree stands for `a && b`, `b` in a branch of `a`, and `!(!a || !b)`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from codegen.review.diff.loops.whole_numbers import (
    Polynomial,
    added,
    constant_of,
    is_small,
    leading,
    multiplied,
)
from codegen.review.diff.reading import INFINITE, Held, rounded
from codegen.review.diff.text.integers import Integer, calculated
from codegen.review.diff.text.syntax import Refused

REALS = {"float": Held.FLOAT, "double": Held.DOUBLE}
RANKS = ("int", "unsigned", "long", "size", "float", "double")
"""The types of arithmetic, narrowest first; a long is a signed type that holds all that an int does.

A size is a size_t, which holds all that an unsigned int does.
"""

SIGNED = ("int", "long")
"""The types of whole numbers for which results beyond their range are undefined."""

UNSIGNED = ("unsigned", "size")
"""The types of whole numbers that are never negative; results beyond their range begin again at 0."""

WHOLE = (*SIGNED, *UNSIGNED)
"""The types of whole numbers. A node is a number of mathematics, the same in each type that holds it."""

LEAVES = ("next", "exit", "return")
"""What a way through a loop or a function ends with, and all that holds then."""


TESTS = ("<", "<=", "==", "returned")
"""The operations whose result is a truth value."""

_MOST = 20_000
"""Limit on the nodes of both versions of a routine."""

_FEW = 2
"""The tests of a comparison with a constant: that the other side is a number, and on which side of it."""


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
    restricted_before: dict[tuple[int, int, bool], int] = field(default_factory=dict)
    facts_before: dict[int, list[Polynomial]] = field(default_factory=dict)
    begun_unset: set[int] = field(default_factory=set)  # values before a turn that the first one may not have

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
        of = "int" if kind in WHOLE else kind
        return Value(self.node("constant", of, number), kind)

    # Parts

    def parts(self, node: int, depth: int) -> Sequence[int]:
        """The nodes of which a node is made, apart from those in turns of a loop of this depth."""
        key = self.keys[node]
        if key[0] == "sum":
            return [n for monomial, _ in key[1] for n in monomial]  # type: ignore[attr-defined]
        if key[0] == "loop":
            return [*key[2], *([key[3]] if key[1] != depth else [])]  # type: ignore[misc, list-item]
        return key[_FIRST_PART.get(str(key[0]), len(key)) :]  # type: ignore[return-value]

    def all_parts(self, nodes: Iterable[int], depth: int) -> set[int]:
        """Nodes and all of which they are made, apart from turns of loops of this depth."""
        open_, seen = [*nodes], set[int]()
        while open_:
            if (node := open_.pop()) not in seen:
                seen.add(node)
                open_ += self.parts(node, depth)
        return seen

    def lost_in(self, nodes: Iterable[int]) -> set[tuple[int, str]]:
        """The variables after loops that other nodes use, although no loop tells their values."""
        keys = (self.keys[node] for node in self.all_parts(nodes, 0))
        return {key[1:3] for key in keys if key[0] == "lost"}  # type: ignore[misc]

    def substituted(self, node: int, by: Mapping[int, int], depth: int) -> int:
        """A node with others in place of some of its parts, which belong to a loop of this depth."""
        known = dict(by)

        def found(n: int) -> int:
            if n not in known:
                parts = self.parts(n, depth)
                known[n] = n  # it stands for itself where nothing in it is replaced
                new = [found(part) for part in parts]
                known[n] = (
                    n if new == [*parts] else self._made_of(n, dict(zip(parts, new, strict=True)), depth)
                )
            return known[n]

        return found(node)

    def _made_of(self, node: int, by: Mapping[int, int], depth: int) -> int:
        """A node with others in place of its parts."""
        key = self.keys[node]
        if key[0] == "sum":
            return self._sum_of(dict(key[1]), by)  # type: ignore[call-overload]
        if key[0] == "loop":
            first = tuple(by[n] for n in key[2])  # type: ignore[attr-defined]
            return self.node(key[0], key[1], first, by.get(key[3], key[3]) if key[1] != depth else key[3])  # type: ignore[call-overload]
        start = _FIRST_PART[str(key[0])]
        parts: list[int] = [by[n] for n in key[start:]]  # type: ignore[index]
        if key[0] == "choice":
            return self.chosen(*parts)
        if key[:2] == ("<", "int"):
            return self.positive(self.polynomial(parts[0])).node
        if key[:2] == ("==", "int"):
            return self.equal(Value(parts[0], "int"), self.constant(Fraction(0), "int")).node
        if key[0] == "element" and self.number(Value(parts[1], "int")) == 0:
            return parts[0]
        if key[0] == "|":
            return self.joined(str(key[1]), parts)
        if key[0] == "is unset":
            return self.unset(parts[0])
        if key[0] in _SYMMETRIC or key[0] == "==":
            parts.sort()
        return self.node(*key[:start], *parts)

    def _sum_of(self, terms: Polynomial, by: Mapping[int, int]) -> int:
        total: Polynomial = {}
        for monomial, factor in terms.items():
            product: Polynomial = {(): factor}
            for n in monomial:
                product = multiplied(product, self.polynomial(by[n]))
            total = added(total, product)
        if not is_small(total):
            raise Refused(None, "an index that is too long")
        return self.whole(total)

    def unset(self, value: int) -> int:
        """Where a variable that holds this has no value yet, so that its use is undefined."""
        kind, *parts = self.keys[value]
        if kind == "choice":
            test, *sides = (int(str(n)) for n in parts)
            return self.chosen(test, *map(self.unset, sides))
        begun = self.keys[int(str(parts[1]))][2] if kind == "after" and parts[0] != "memory" else ()
        if value in self.begun_unset or (begun and not self._is_set(begun[int(str(parts[0]))])):  # type: ignore[index]
            return self.node("is unset", value)
        return self.truth(kind == "unset").node

    def _is_set(self, value: int) -> bool:
        return self.unset(value) == self.truth(False).node

    def restricted(self, node: int, test: int, holds: bool) -> int:
        """A choice where a test has come out in one way."""
        known = node, test, holds
        if known not in self.restricted_before:
            self.restricted_before[known] = self._restricted(*known)
        return self.restricted_before[known]

    def _restricted(self, node: int, test: int, holds: bool) -> int:
        key = self.keys[node]
        if node == test or key[:2] == ("choice", test) or key[0] in LEAVES:
            return self._where(test, holds, node)
        if key[0] == "sum":
            by = {n: self.restricted(n, test, holds) for n in self.parts(node, 0)}
            return (
                node
                if all(n == other for n, other in by.items())
                else self._sum_of(self.polynomial(node), by)
            )
        if key[0] != "choice":
            return node
        return self.chosen(key[1], *(self.restricted(n, test, holds) for n in key[2:]))  # type: ignore[arg-type]

    def where(self, node: int, truth: int) -> int:
        """A choice where something holds that is made of one test, or of those of one comparison."""
        tests = {*self.tests(truth), *self.sides(truth)} - {self.truth(h).node for h in (True, False)}
        return self._where_known(node, truth) if 0 < len(tests) <= _FEW else node

    def _where_known(self, node: int, truth: int) -> int:
        """A choice where something holds: what is the same on all ways to that."""
        if (test := self._test(truth)) is None:
            return node
        sides = ((holds, self._where(test, holds, truth)) for holds in (True, False))
        never = self.truth(False).node
        found = {
            self._where_known(self.restricted(node, test, h), side) for h, side in sides if side != never
        }
        return found.pop() if len(found) == 1 else node

    # Whole numbers

    def polynomial(self, node: int) -> Polynomial:
        """A whole number as a sum of products."""
        key = self.keys[node]
        if key[0] == "constant":
            return {(): int(key[2])} if key[2] else {}  # type: ignore[call-overload]
        return dict(key[1]) if key[0] == "sum" else {(node,): 1}  # type: ignore[call-overload]

    def whole(self, polynomial: Polynomial) -> int:
        """The node of a sum of products."""
        number = constant_of(polynomial)
        if number is not None:
            return self.constant(Fraction(number), "int").node
        (monomial, factor), *others = polynomial.items()
        if not others and factor == 1 and len(monomial) == 1:
            return monomial[0]
        return self.node("sum", tuple(sorted(polynomial.items())))

    def _known_whole(self, polynomial: Polynomial) -> int | None:
        """The node of a sum of products that depends on anything; None where there is none."""
        key = tuple(sorted(polynomial.items()))
        is_plain = len(key) == 1 and key[0][1] == 1 and len(key[0][0]) == 1
        return key[0][0][0] if is_plain else self.known.get(("sum", key))

    def of_whole_numbers(self, op: str, a: Value, b: Value) -> Value | None:
        """The result of + - * on whole numbers; None where it has too many terms."""
        left, right = self.polynomial(a.node), self.polynomial(b.node)
        found = multiplied(left, right) if op == "*" else added(left, right, 1 if op == "+" else -1)
        return Value(self.whole(found), a.type) if is_small(found) else None

    def positive(self, polynomial: Polynomial) -> Value:
        """Whether a whole number is above 0, as a test of it or of its opposite."""
        number = constant_of(polynomial)
        if number is not None:
            return self.truth(number > 0)
        if leading(polynomial) > 0:
            return Value(self.node("<", "int", self.whole(polynomial)), "truth")
        return self.negated(self.positive(added({(): 1}, polynomial, -1)))

    def facts(self, path: int) -> list[Polynomial]:
        """The whole numbers that are not negative where a truth value holds, as tests in it tell."""
        if path not in self.facts_before:
            found = list[Polynomial]()
            for test in self.tests_in(path):
                for holds in (True, False):
                    if self.implies(path, test if holds else self.negated(Value(test, "truth")).node):
                        number = self.polynomial(self.keys[test][2])  # type: ignore[arg-type]
                        found.append(added(number, {(): 1}, -1) if holds else added({}, number, -1))
            self.facts_before[path] = found
        return self.facts_before[path]

    def tests_in(self, node: int) -> list[int]:
        """The tests of whole numbers among those that a choice makes."""
        found, open_ = dict[int, None](), [node]
        while open_:
            here = open_.pop()
            key = self.keys[here]
            if here not in found and key[0] in ("choice", "<"):
                found[here] = None
                open_ += key[1:] if key[0] == "choice" else ()  # type: ignore[arg-type]
        return [n for n in found if self.keys[n][:2] == ("<", "int")]

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
        of = "int" if value.type in SIGNED or (value.type in WHOLE and kind in REALS) else value.type
        if of == "int" and kind in SIGNED:
            return Value(value.node, kind)
        if number is not None and kind == "unsigned" and of == "int":
            return self.constant(number % 2**32, kind)
        return Value(self.node("to", kind, of, value.node), kind)

    # Choices

    def chosen(self, condition: int, a: int, b: int) -> int:
        """The node of `condition ? a : b`: tests are made in the order of their nodes, each once."""
        key = self.keys[condition]
        if key[0] == "truth":
            return a if key[1] else b
        if a == b:
            return a
        if (condition, a, b) not in self.chosen_before:
            self.chosen_before[condition, a, b] = self._in_order(condition, a, b)
        return self.chosen_before[condition, a, b]

    def _in_order(self, condition: int, a: int, b: int) -> int:
        """The node of a choice that has not been made before."""
        left, right = self.keys[a], self.keys[b]
        shared = self._common_bits(condition, left, right) if "|" in (left[0], right[0]) else None
        if shared is not None:  # before a test of these comes first
            return shared
        test = min(filter(None, map(self._test, (condition, a, b))), default=condition)
        sides = [[self._where(test, holds, n) for n in (condition, a, b)] for holds in (True, False)]
        x, y = (self.chosen(*side) for side in sides)
        return self._choice(test, x, y)

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
        a, b = self._where_ordered(test, a, b)
        if a == b:
            return a
        left, right = self.keys[a], self.keys[b]
        if left[0] == right[0] and left[0] in LEAVES:
            parts = zip(left[1:], right[1:], strict=True)
            return self.node(left[0], *(self.chosen(test, x, y) for x, y in parts))  # type: ignore[arg-type]
        if (left, right) == (("truth", True), ("truth", False)):
            return test
        if left[0] == right[0] == "store" and left[1:-1] == right[1:-1]:
            # one place gets a value on each way
            return self.node(*left[:-1], self.chosen(test, left[-1], right[-1]))  # type: ignore[arg-type]
        common = self._common(test, left, right)
        if common is None and "sum" in (left[0], right[0]):
            common = self._common_terms(test, self.polynomial(a), self.polynomial(b))
        if common is not None:
            return common
        if len(self.keys) > _MOST:
            raise Refused(None, "too many choices")
        return self.node("choice", test, a, b)

    def _where_ordered(self, test: int, a: int, b: int) -> tuple[int, int]:
        """The sides of a choice without the tests that its own one answers, twice one of them if it is both.

        What was found to be below something is a number, and no comparison with a NaN holds.
        """
        op, kind, *operands = self.keys[test]
        if op in ("<", "==") and kind == "int":
            return self._where_whole(test, a, b)
        if op not in _ORDERS or kind not in REALS:
            return a, b
        inner = {self._inner(n) for n in operands}  # type: ignore[arg-type]
        if self.known.get(("==", kind, *inner, *inner)) == test:
            b = self._of_a_nan(b, inner)
            return (a, a) if self._of_a_nan(a, inner) == b else (a, b)
        a, same = (self._of_numbers(n, kind, inner) for n in (a, b))
        return (b, b) if same == a else (a, b)

    def _where_whole(self, test: int, a: int, b: int) -> tuple[int, int]:
        """The same for a test of a whole number: where `i == n` holds, `i < n` does not."""
        told = [self._told(test, holds) for holds in (True, False)]
        if not any(told):
            return a, b
        (own, others), (under, over) = ([self._where_told(n, known) for n in (a, b)] for known in told)
        if others == own:
            return b, b  # which is a where the test holds, too
        return (a, a) if under == over else (own, over)

    def _where_told(self, node: int, told: Iterable[tuple[int, bool]]) -> int:
        """A choice where some tests have come out in one way."""
        for test, holds in told:
            node = self.restricted(node, test, holds)
        return node

    def _told(self, test: int, holds: bool) -> list[tuple[int, bool]]:
        """Tests that are decided where one of a whole number is, whose numbers are about the same.

        `x > 0` tells of `x + 1 == 0`, and `x == 0` of `x + 1 > 0`.
        """
        op, _, node = self.keys[test]
        number, found = self.polynomial(int(str(node))), list[tuple[int, bool]]()
        if op == "==" and not holds:
            return []
        for sign, more in product((1, -1), range(-1, 3)):
            near = self._known_whole(added({(): more}, number, sign))
            other = self.known.get(("==" if op == "<" else "<", "int", near))
            if other is None:
                continue
            if op == "==":
                found.append((other, more > 0))
            elif (-sign * more > 0) != holds:  # what the number is where `near` is 0
                found.append((other, False))
        return found

    def _of_numbers(self, node: int, kind: Hashable, numbers: Collection[int]) -> int:
        """A choice where some numbers of a type are no NaN."""
        for n in numbers:
            if (test := self.known.get(("==", kind, n, n))) is not None:
                node = self.restricted(node, test, True)
        return node

    def _of_a_nan(self, node: int, numbers: Collection[int]) -> int:
        """A choice where one of some numbers is a NaN: no comparison with it holds."""
        for test in (*self.tests(node), *self.sides(node)):
            key = self.keys[test]
            if key[0] in _ORDERS and key[1] in REALS and any(self._inner(n) in numbers for n in key[2:]):  # type: ignore[arg-type]
                node = self.restricted(node, test, False)
        return node

    def _common(self, test: int, a: tuple[Hashable, ...], b: tuple[Hashable, ...]) -> int | None:
        """`x + (test ? y : z)` for `test ? x + y : x + z`, also with the other operators of arithmetic."""
        if "|" in (a[0], b[0]):
            return self._common_bits(test, a, b)
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

    def _common_bits(self, test: int, a: tuple[Hashable, ...], b: tuple[Hashable, ...]) -> int | None:
        """`x | (test ? y : 0)` for `test ? x | y : x`, of any number of operands."""
        kind = str(a[1] if a[0] == "|" else b[1])
        one, other = (self.bits(self.known[key], kind) for key in (a, b))
        shared = [n for n in one if n in other]
        if not shared:
            return None
        sides = (self.joined(kind, [n for n in side if n not in shared]) for side in (one, other))
        return self.joined(kind, [*shared, self.chosen(test, *sides)])

    def joined(self, kind: str, nodes: Iterable[int]) -> int:
        """The node of `a | b | c`: the order of the operands, and how often one is there, means nothing."""
        zero = self.constant(Fraction(0), kind).node
        every = sorted({n for node in nodes for n in self.bits(node, kind)} - {zero})
        found = every[0] if every else zero
        for node in every[1:]:
            found = self.node("|", kind, found, node)
        return found

    def bits(self, node: int, kind: str) -> list[int]:
        """The operands of `a | b | c`."""
        key = self.keys[node]
        if key[:2] != ("|", kind):
            return [node]
        return [n for part in key[2:] for n in self.bits(part, kind)]  # type: ignore[arg-type]

    def _common_terms(self, test: int, a: Polynomial, b: Polynomial) -> int | None:
        """`i + (test ? 1 : 0)` for `test ? i + 1 : i` of whole numbers; None where they share no term."""
        shared = {monomial: n for monomial, n in a.items() if monomial and b.get(monomial) == n}
        if not shared:
            return None
        inner = self.chosen(test, *(self.whole(added(x, shared, -1)) for x in (a, b)))
        return self.whole(added(shared, self.polynomial(inner)))

    def only_test(self, truth: int) -> tuple[int, bool] | None:
        """The test that a truth value is, or whose opposite it is, and which of both; None for others."""
        key, ends = self.keys[truth], tuple(self.truth(holds).node for holds in (False, True))
        if key[0] == "choice" and key[2:] == ends:
            return key[1], False  # type: ignore[return-value]
        return (truth, True) if key[0] in TESTS else None

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

    def sides(self, choice: int) -> list[int]:
        """The values among which a choice is made, on all of its ways."""
        found, open_ = dict[int, None](), [choice]
        while open_:
            key = self.keys[here := open_.pop()]
            if here not in found and key[0] == "choice":
                open_ += key[2:]  # type: ignore[arg-type]
            found[here] = None
        return [n for n in found if self.keys[n][0] != "choice"]

    def tests(self, choice: int) -> Iterator[int]:
        """The tests on the ways through a choice."""
        open_, seen = [choice], set[int]()
        while open_:
            node = open_.pop()
            key = self.keys[node]
            if key[0] == "choice" and node not in seen:
                seen.add(node)
                open_ += key[2:]  # type: ignore[arg-type]
                yield key[1]  # type: ignore[misc]

    # Operations

    def arithmetic(self, op: str, a: Value, b: Value) -> Value:
        """The result of + - * / % | & on values of one type."""
        if a.type in (*SIGNED, "unsigned") and self._are_choices(a, b):
            return self._each(lambda x, y: self._defined(op, x, y), a, b)
        if op == "-" and a.type in REALS and self.number(b) != 0:
            return self.arithmetic("+", a, self.minus(b))
        found = self._folded(op, a, b) if a.type in ("int", "unsigned") else None
        if a.type in SIGNED and op in "+-*":
            found = found or self.of_whole_numbers(op, a, b)
        if found is not None:
            return found
        for value, other, ops in ((a, b, _NEUTRAL), (b, a, _SYMMETRIC)):
            is_sum = op == "+" and a.type in REALS  # -0.0 + 0.0 is 0.0
            if op in ops and not is_sum and self.number(other) == _NEUTRAL.get(op, -1):
                return value
        if op == "+" and a == b and a.type in REALS:  # the same bits, also where it overflows
            op, a = "*", self.constant(Fraction(2), a.type)
        if op == "|":
            return Value(self.joined("int" if a.type in SIGNED else a.type, (a.node, b.node)), a.type)
        nodes = sorted((a.node, b.node)) if op in _SYMMETRIC else [a.node, b.node]
        return Value(self.node(op, "int" if a.type in SIGNED else a.type, *nodes), a.type)

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
        """`a < b` of values of one type."""
        if self._are_choices(a, b):
            return self._each(self.less, a, b)
        low, high = self.number(a), self.number(b)
        if low is not None and high is not None:
            return self.truth(low < high)
        if a.type in WHOLE:
            return self.positive(added(self.polynomial(b.node), self.polynomial(a.node), -1))
        a, b = self.sized(a), self.sized(b)
        if high is not None and (inner := self._size(a)) is not None:
            return Value(
                self.both(self.less(self._opposite(b), inner).node, self.less(inner, b).node), "truth"
            )
        if low is not None and (inner := self._size(b)) is not None:
            return Value(
                self.either(self.less(inner, self._opposite(a)).node, self.less(a, inner).node), "truth"
            )
        return Value(self.node("<", a.type, a.node, b.node), "truth")

    def at_most(self, a: Value, b: Value) -> Value:
        """`a <= b` of values of one type; beside a constant, a is a number that is not above it."""
        if a.type in WHOLE:
            return self.negated(self.less(b, a))
        low, high = self.number(a), self.number(b)
        if low is not None and high is not None:
            return self.truth(low <= high)
        a, b = self.sized(a), self.sized(b)
        if low is None and high is None:
            return Value(self.node("<=", a.type, a.node, b.node), "truth")
        is_number = self._is_number(a if low is None else b)
        return Value(self.both(is_number.node, self.negated(self.less(b, a)).node), "truth")

    def comparisons(self, tests: Sequence[int]) -> list[Value]:
        """Tests, and what is `a <= b` beside a constant among them."""
        pairs = [(n, test) for test in tests for n in tests if self._is_number_in(n, test)]
        joined = [self.both(n, self.negated(Value(test, "truth")).node) for n, test in pairs]
        return [Value(truth, "truth") for truth in (*tests, *joined)]

    def _is_number_in(self, test: int, other: int) -> bool:
        """Whether a test tells that what another one looks at is a number."""
        (op, kind, *given), (order, of, *operands) = self.keys[test], self.keys[other]
        inner = [self._inner(n) for n in operands]  # type: ignore[arg-type]
        return (op, order) == ("==", "<") and kind == of and kind in REALS and given[0] in inner

    def within(self, value: Value, bound: Value) -> Value:
        """`-bound <= value && value <= bound`, where the bound is a constant."""
        low, high = self.at_most(self._opposite(bound), value), self.at_most(value, bound)
        return Value(self.both(low.node, high.node), "truth")

    def _opposite(self, constant: Value) -> Value:
        """The opposite of a constant, as comparisons see it: that of 0 is 0."""
        return self.constant(-(self.number(constant) or Fraction(0)), constant.type)

    def _size(self, value: Value) -> Value | None:
        """The x of `fabs(x)`, calculated in its own type; None for other values."""
        key = self.keys[value.node]
        return Value(key[2], value.type) if key[:2] == ("call", _SIZES.get(value.type)) else None  # type: ignore[arg-type]

    def sized(self, value: Value) -> Value:
        """A value where -0 is 0: `x < 0 ? -x : x` is fabs(x) then, as no comparison tells them apart.

        Nor does a sum with what is never -0.
        """
        zero, sides = self.constant(Fraction(0), value.type), self.sides(value.node)
        if value == self.minus(zero):
            return zero
        inner = next((n for n in sides if self.keys[n][0] != "-x"), value.node)
        x, opposite = Value(inner, value.type), self.minus(Value(inner, value.type))
        if sorted(sides) != sorted((x.node, opposite.node)):
            return value
        below, above, is_number = (
            t.node for t in (self.less(x, zero), self.less(zero, x), self._is_number(x))
        )
        for test, other, end in ((below, above, opposite), (above, below, x)):
            found = self.restricted(value.node, test, True)
            found = self.restricted(self.restricted(found, other, False), is_number, True)
            if found != end.node:
                return value
        return Value(self.node("call", _SIZES[value.type], x.node), value.type)

    def _is_number(self, value: Value) -> Value:
        """Whether a value is no NaN; the opposite and the size of one is one, and of others none."""
        node = self._inner(value.node)
        return Value(self.node("==", value.type, node, node), "truth")

    def _inner(self, node: int) -> int:
        """The x of `-x` and of fabs(x)."""
        key = self.keys[node]
        is_size = key[0] == "call" and key[1] in _SIZES.values()
        return self._inner(key[2]) if key[0] == "-x" or is_size else node  # type: ignore[arg-type]

    def equal(self, a: Value, b: Value) -> Value:
        """`a == b` of values of one type."""
        if self._are_choices(a, b):
            return self._each(self.equal, a, b)
        low, high = self.number(a), self.number(b)
        if low is not None and high is not None:
            return self.truth(low == high)
        if a.type in WHOLE:
            apart = added(self.polynomial(a.node), self.polynomial(b.node), -1)
            if constant_of(apart) is None:
                apart = apart if leading(apart) > 0 else added({}, apart, -1)
                return Value(self.node("==", "int", self.whole(apart)), "truth")
            return self.truth(constant_of(apart) == 0)
        a, b = self.sized(a), self.sized(b)
        if a == b:
            return self._is_number(a)
        return Value(self.node("==", a.type, *sorted((a.node, b.node))), "truth")

    def holds(self, value: Value) -> Value:
        """Whether a value is not zero."""
        if value.type == "truth":
            return value
        return self.negated(self.equal(value, self.constant(Fraction(0), value.type)))


_FIRST_PART = {
    **dict.fromkeys(("choice", "next", "exit", "return", "turns", "returned", "result", "element"), 1),
    **dict.fromkeys(("after", "call", "called", "load", "store", "written", "<", "<=", "==", "-x"), 2),
    **dict.fromkeys(("+", "-", "*", "/", "%", "|", "&"), 2),
    **dict.fromkeys(("beyond int", "beyond long", "made an int", "is unset"), 1),
    "member": 2,
    "to": 3,
}
"""From where on the key of a node has those of which it is made."""

_SIZES = {"float": "fabsf", "double": "fabs"}
"""The function of <math.h> for the size of a number, by its type."""

_ORDERS = ("<", "<=", "==")
"""The comparisons of two numbers."""

_ARITHMETIC = ("+", "-", "*", "/", "%", "|", "&")
_SYMMETRIC = ("+", "*", "|", "&")
_NEUTRAL = {"+": 0, "|": 0, "-": 0, "*": 1, "/": 1}
"""The operand on the right with which operations change nothing."""
