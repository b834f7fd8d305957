"""Truth values: comparisons with infinity and with themselves, and what is joined by && and ||.

Whoever tests for NaN, or for infinity, before another comparison may write what that comparison tells
already: `!isnan(x) && x > 1` is `x > 1`, and `x < INFINITY` is `x <= FLT_MAX`. Whether a number is small
has two forms, too: `-c < x && x < c` and `|x| < c`. Each is read in one form.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from codegen.ir.operations import Op
from codegen.review.diff.functions.arrays import Lookups
from codegen.review.diff.functions.terms import Term
from codegen.review.diff.reading import INFINITE, Held

_MOST = 64
"""Limit on the operands of && or || among which tests for NaN are looked for."""


_ORDERS = (Op.LT, Op.LE)


class _Test(NamedTuple):
    """A comparison of a number with a limit."""

    op: Op
    x: int
    limit: Fraction


class Comparisons(Lookups, ABC):
    """Operations whose result is a truth value."""

    def _not(self, truth: Term) -> Term:
        op, args, value = self.graph.nodes[truth.node]
        if op is Op.NOT:
            return Term(args[0], Held.TRUTH)
        if op is Op.TRUTH:
            return self.graph.add(Held.TRUTH, Op.TRUTH, value=not value)
        return self.graph.add(Held.TRUTH, Op.NOT, truth.node)

    def _known(self, truth: Term) -> bool | None:
        """The value of a truth that does not depend on anything."""
        op, _, value = self.graph.nodes[truth.node]
        return bool(value) if op is Op.TRUTH else None

    def _connected(self, op: Op, a: Term, b: Term) -> Term:
        """a && b or a || b, shorter where one of them is known."""
        for known, other in ((self._known(a), b), (self._known(b), a)):
            if known is not None:
                return other if known == (op is Op.AND) else self.graph.add(Held.TRUTH, Op.TRUTH, value=known)
        return self.graph.add(Held.TRUTH, op, a.node, b.node)

    # Comparisons

    def _less(self, a: Term, b: Term) -> Term:
        """`a < b`; for infinity, what is the same without it."""
        a, b = self._narrowed(a, b)
        low, high = self.graph.number(a), self.graph.number(b)
        if low == INFINITE or high == -INFINITE:
            return self.graph.add(Held.TRUTH, Op.TRUTH, value=False)
        if high == INFINITE:
            return self._at_most(a, self._largest_of(b.held, 1))
        if low == -INFINITE:
            return self._at_most(self._largest_of(a.held, -1), b)
        if low is not None and high is not None:
            return self.graph.add(Held.TRUTH, Op.TRUTH, value=low < high)
        return self.graph.add(Held.TRUTH, Op.LT, a.node, b.node)

    def _at_most(self, a: Term, b: Term) -> Term:
        """`a <= b`; for infinity, what is the same without it."""
        a, b = self._narrowed(a, b)
        low, high = self.graph.number(a), self.graph.number(b)
        if high == INFINITE or low == -INFINITE:
            x = a if high == INFINITE else b  # which is not NaN
            return self.graph.add(Held.TRUTH, Op.LE, x.node, x.node)
        if low == INFINITE:
            return self._less(self._largest_of(a.held, 1), b)
        if high == -INFINITE:
            return self._less(a, self._largest_of(b.held, -1))
        if low is not None and high is not None:
            return self.graph.add(Held.TRUTH, Op.TRUTH, value=low <= high)
        return self.graph.add(Held.TRUTH, Op.LE, a.node, b.node)

    def _narrowed(self, a: Term, b: Term) -> tuple[Term, Term]:
        """Two numbers as floats, which compare alike, if both are."""
        if a.held is not Held.DOUBLE:
            return a, b
        x, y = self.graph.narrow(a), self.graph.narrow(b)
        return (x, y) if x and y else (a, b)

    def _is_finite(self, x: Term) -> Term:
        size = self.graph.add(x.held, Op.ABS, x.node)
        return self._at_most(size, self._largest_of(x.held, 1))

    def _largest_of(self, held: Held, sign: int) -> Term:
        return self.graph.constant(sign * held.precision.max, held)

    # && and ||

    def _joined(self, is_and: bool, a: Term, b: Term) -> Term:
        """a && b or a || b, without tests for NaN that other operands contain."""
        op = Op.AND if is_and else Op.OR
        if self._known(a) is not None or self._known(b) is not None:
            return self._connected(op, a, b)
        parts = [*self._operands(op, a), *self._operands(op, b)]
        kept = self._simpler(is_and, parts) if len(parts) <= _MOST else parts
        if kept == parts:
            return self.graph.add(Held.TRUTH, op, a.node, b.node)
        first, *others = kept
        for other in others:
            first = self.graph.add(Held.TRUTH, op, first.node, other.node)
        return first

    def _operands(self, op: Op, truth: Term) -> Iterator[Term]:
        """The operands of a chain of && or of ||, at most one more than are looked at."""
        open_, found = [truth.node], 0
        while open_ and found <= _MOST:
            node = open_.pop()
            kind, args, _ = self.graph.nodes[node]
            if kind is op:
                open_ += reversed(args)
            else:
                found += 1
                yield Term(node, Held.TRUTH)

    def _without_nan_tests(self, parts: list[Term], is_and: bool) -> list[Term]:
        """The operands without tests for NaN of a number that another operand compares.

        As `isnan(x) || y` is `!(!isnan(x) && !y)`, those of || are looked at with a NOT before each.
        """
        plain = parts if is_and else [self._not(part) for part in parts]
        for i, test in enumerate(plain):
            x = self._not_nan(test)
            others = [part for j, part in enumerate(plain) if j != i]
            sharper = [self._sharpened(part, x) for part in others] if x is not None else others
            if x is not None and any(self._compares(part, x) for part in sharper):
                left = sharper if is_and else [self._not(part) for part in sharper]
                return self._without_nan_tests(left, is_and)
        return parts

    def _simpler(self, is_and: bool, parts: list[Term]) -> list[Term]:
        return self._as_sizes(is_and, self._without_nan_tests(parts, is_and))

    def _as_sizes(self, is_and: bool, parts: list[Term]) -> list[Term]:
        """The operands, with tests against a constant and its negative as one of the size.

        `-c < x && x < c` is `|x| < c`, and `x <= -c || c <= x` is `c <= |x|`, for every x. With a NOT before
        each, && and || change places.
        """
        ends = dict[tuple[_Test, bool], dict[int, Term]]()
        for part in parts:
            is_negated = self.graph.nodes[part.node].op is Op.NOT
            for test, side in self._ends(self._not(part) if is_negated else part, is_and != is_negated):
                ends.setdefault((test, is_negated), {})[side] = part
        for (test, is_negated), sides in ends.items():
            if len(sides) == 2 and all(part in parts for part in sides.values()):
                both = self._of_size(test, is_and != is_negated)
                both = self._not(both) if is_negated else both
                parts = [both if part == sides[1] else part for part in parts if part != sides[-1]]
        return parts

    def _ends(self, truth: Term, within: bool) -> Iterator[tuple[_Test, int]]:
        """The comparisons with a constant that a truth is, and on which side of zero x is limited: 1 or -1.

        `within` asks for `x < c` and `-c < x`, else for `c < x` and `x < -c`.
        """
        op, args, _ = self.graph.nodes[truth.node]
        for x, end, side in zip(args, reversed(args), (1, -1), strict=True) if op in _ORDERS else ():
            side = side if within else -side
            number = self.graph.number(Term(end, self.graph.held[end]))
            if number:  # x == 0 stays what it is
                yield _Test(op, x, side * number), side

    def _of_size(self, test: _Test, within: bool) -> Term:
        held = self.graph.held[test.x]
        sides = self.graph.add(held, Op.ABS, test.x), self.graph.constant(test.limit, held)
        a, b = sides if within else sides[::-1]
        return self._less(a, b) if test.op is Op.LT else self._at_most(a, b)

    def _not_nan(self, truth: Term) -> int | None:
        """The number of which a truth value says that it is not NaN, as `x <= x`."""
        op, args, _ = self.graph.nodes[truth.node]
        return args[0] if op is Op.LE and args[0] == args[1] else None

    def _compares(self, truth: Term, x: int) -> bool:
        """Whether a truth value is false where x is NaN."""
        op, args, _ = self.graph.nodes[truth.node]
        return op in (Op.LT, Op.LE) and any(self._of(side, x) for side in args)

    def _of(self, node: int, x: int) -> bool:
        """Whether a number is x, -x or |x|."""
        op, args, _ = self.graph.nodes[node]
        return node == x or (op in (Op.ABS, Op.NEG) and args[0] == x)

    def _sharpened(self, truth: Term, x: int) -> Term:
        """`!(x < c)` as `c <= x` and `!(x <= c)` as `c < x`, which are the same where x is not NaN."""
        op, args, _ = self.graph.nodes[truth.node]
        if op is not Op.NOT or self.graph.nodes[args[0]].op not in (Op.LT, Op.LE):
            return truth
        inner, (a, b), _ = self.graph.nodes[args[0]]
        constants = [self.graph.nodes[side].op is Op.CONSTANT for side in (a, b)]
        if not any(constants) or not (self._of(a, x) or self._of(b, x)):
            return truth
        return self.graph.add(Held.TRUTH, Op.LT if inner is Op.LE else Op.LE, b, a)
