"""What is known of numbers where tests have come out in a certain way: behind an if, or in a choice."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import ceil, floor
from typing import NamedTuple

from codegen.ir.operations import Op
from codegen.review.diff.functions.comparisons import Comparisons
from codegen.review.diff.functions.memory import Fact
from codegen.review.diff.functions.terms import Term

_DEEPEST = 16
"""Limit on the operations below a number that are looked into."""


class Limit(NamedTuple):
    """The largest whole part of a number below a limit, and the limit itself if it is whole and excluded."""

    whole: int
    excluded: int | None


class Facts(Comparisons, ABC):
    """Conclusions from the tests that lead to what is being read."""

    @contextmanager
    def _where(self, condition: Term, holds: bool) -> Iterator[None]:
        """Reads what is done only where a condition holds, or does not."""
        outside = self.facts
        self.facts = (*outside, *self._facts_of(condition.node, holds))
        try:
            yield
        finally:
            self.facts = outside

    def _facts_of(self, truth: int, holds: bool) -> Iterator[Fact]:
        """The tests that come out in a certain way where a condition does."""
        open_ = [Fact(truth, holds)]
        while open_:
            fact = open_.pop()
            op, args, _ = self.graph.nodes[fact.truth]
            if op is Op.NOT:
                open_.append(Fact(args[0], not fact.holds))
            elif op is (Op.AND if fact.holds else Op.OR):
                open_ += [Fact(arg, fact.holds) for arg in args]
            else:
                yield fact

    def _decided(self, condition: Term) -> bool | None:
        """Whether a condition holds here, if that is known."""
        known = self._known(condition)
        facts = [*self._facts_of(condition.node, True)]
        if known is not None or len(facts) > 1:
            return known
        ((truth, holds),) = facts
        return next((holds is fact.holds for fact in self.facts if fact.truth == truth), None)

    # Numbers

    def _is_positive(self, x: int, facts: Sequence[Fact], depth: int = 0) -> bool:
        """Whether a number is nowhere below zero, or NaN."""
        op, args, value = self.graph.nodes[x]
        if op is Op.CONSTANT:
            return value is not None and value >= 0
        if op is Op.ABS or any(self._is_above_zero(x, fact) for fact in facts):
            return True
        if depth > _DEEPEST:
            return False
        if op is Op.SELECT:
            return all(self._is_positive(side, known, depth + 1) for side, known in self._sides(x, facts))
        if op in (Op.ADD, Op.MUL, Op.DIV):
            return all(self._is_positive(arg, facts, depth + 1) for arg in args)
        inner = self.graph.nodes[args[0]] if op is Op.NEG else None
        if inner is not None:
            return inner.op is Op.NEG and self._is_positive(inner.args[0], facts, depth + 1)
        return op is Op.SUB and self._is_zero(args[1]) and self._is_positive(args[0], facts, depth + 1)

    def _is_above_zero(self, x: int, fact: Fact) -> bool:
        """Whether a test says that a number is not below zero: `0 < x`, or `x < 0` that fails."""
        op, args, _ = self.graph.nodes[fact.truth]
        if op not in (Op.LT, Op.LE):
            return False
        end, tested = args if fact.holds else args[::-1]
        value = self.graph.number(Term(end, self.graph.held[end]))
        if value is None or value < 0:
            return False
        return tested == x or (op is Op.LT and fact.holds and self._is_multiple(tested, x))

    def _is_at_least_zero(self, x: int, fact: Fact) -> bool:
        """Whether a test says no more of a number than that it is not below zero: `0 <= x`."""
        op, args, _ = self.graph.nodes[fact.truth]
        is_plain = (op is Op.LE) == fact.holds and any(map(self._is_zero, args))
        return is_plain and self._is_above_zero(x, fact)

    def _is_multiple(self, node: int, x: int) -> bool:
        """Whether a number is x with an even number of signs, times positive constants."""
        sign = 1
        for _ in range(_DEEPEST):
            op, args, _ = self.graph.nodes[node]
            if op is Op.NEG:
                node, sign = args[0], -sign
            elif op is Op.MUL and any(self._is_constant_above_zero(arg) for arg in args):
                node = args[1] if self._is_constant_above_zero(args[0]) else args[0]
            else:
                break
            if node == x and sign > 0:
                return True
        return False

    def _is_constant_above_zero(self, node: int) -> bool:
        op, _, value = self.graph.nodes[node]
        return op is Op.CONSTANT and value is not None and value > 0

    def _is_zero(self, node: int) -> bool:
        op, _, value = self.graph.nodes[node]
        return op is Op.CONSTANT and value == 0

    def _sides(self, select: int, facts: Sequence[Fact]) -> Iterator[tuple[int, Sequence[Fact]]]:
        """The sides of a choice, each with what is known where it is taken."""
        condition, *sides = self.graph.nodes[select].args
        for side, holds in zip(sides, (True, False), strict=True):
            yield side, (*facts, *self._facts_of(condition, holds))

    def _is_number(self, x: int, facts: Sequence[Fact], depth: int = 0) -> bool:
        """Whether a number is surely not NaN."""
        op, _, _ = self.graph.nodes[x]
        if op is Op.CONSTANT:
            return True
        for fact in facts:
            test, args, _ = self.graph.nodes[fact.truth]
            if fact.holds and test in (Op.LT, Op.LE) and x in args:
                return True
        if op is not Op.SELECT or depth > _DEEPEST:
            return False
        return all(self._is_number(side, known, depth + 1) for side, known in self._sides(x, facts))

    def _whole_below(self, x: int, facts: Sequence[Fact], depth: int = 0) -> int | None:
        """The largest whole part that a number may have which is not NaN; None where it has no limit."""
        op, _, value = self.graph.nodes[x]
        if op is Op.CONSTANT:
            return floor(value or 0)
        found = [limit.whole for fact in facts if (limit := self._limit(x, fact)) is not None]
        if not found and op is Op.SELECT and depth <= _DEEPEST:
            sides = [self._whole_below(s, known, depth + 1) for s, known in self._sides(x, facts)]
            return max(s for s in sides if s is not None) if None not in sides else None
        return min(found, default=None)

    def _limit(self, x: int, fact: Fact) -> Limit | None:
        """The upper limit that a test sets to a number which is not NaN."""
        op, args, _ = self.graph.nodes[fact.truth]
        if op not in (Op.LT, Op.LE):
            return None
        tested, end = args if fact.holds else args[::-1]
        value = self.graph.number(Term(end, self.graph.held[end]))
        if tested != x or value is None:
            return None
        if (op is Op.LT) == fact.holds:
            return Limit(ceil(value) - 1, int(value) if value == int(value) else None)
        return Limit(floor(value), None)
