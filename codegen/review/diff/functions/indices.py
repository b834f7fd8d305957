"""Integers as indices: whole parts of real numbers, their sums and multiples, and choices between them.

An index is never negative, and an int holds it, so that signed and unsigned arithmetic agree. The whole part
of a number is read where C defines it: behind tests after which the number is not NaN, not negative and
below a limit.
"""

from __future__ import annotations

from abc import ABC
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from codegen.ir.operations import Op
from codegen.review.diff.functions.facts import Facts, Limit
from codegen.review.diff.functions.terms import Term
from codegen.review.diff.reading import Held
from codegen.review.diff.text.syntax import Refused

_MOST = 2**31
"""Every index is below."""

_ONE = -1
"""Stands for the number 1 among the cells of which an index is a sum."""


class Indices(Facts, ABC):
    """The values of indices."""

    # Sums and multiples

    def _of_indices(self, where: Any, op: str, a: Term, b: Term) -> Term:
        """`12 * i + j`, `i + 1` ...: a sum of multiples, with the constant part last."""
        left, right = self._parts_of(a.node), self._parts_of(b.node)
        if op == "<<" and not right.keys() - {_ONE} and 0 <= right[_ONE] < 31:
            op, right = "*", Counter({_ONE: 1 << right[_ONE]})
        if op == "*":
            known, other = (left, right) if not left.keys() - {_ONE} else (right, left)
            total = {part: known[_ONE] * times for part, times in other.items()}
            is_read = not known.keys() - {_ONE}
        else:
            sign = {"+": 1, "-": -1}.get(op, 0)
            total = {part: left[part] + sign * right[part] for part in (*left, *right)}
            is_read = sign != 0
        if not is_read or any(times < 0 for times in total.values()):
            raise Refused(where, "integer arithmetic")
        found = self._sum_of(total)
        if self._largest(found.node) >= _MOST:
            raise Refused(where, "integer arithmetic")
        return found

    def _parts_of(self, index: int) -> Counter[int]:
        """How often an index contains each cell; under _ONE, its constant part."""
        op, args, value = self.graph.nodes[index]
        if op is Op.FLAT:
            i, stride, j = map(self._parts_of, args)
            scaled = Counter({part: times * stride[_ONE] for part, times in i.items()})
            return Counter({part: scaled[part] + j[part] for part in (*scaled, *j)})
        return Counter({_ONE: int(value)} if op in (Op.WHOLE, Op.CONSTANT) else {index: 1})

    def _sum_of(self, total: Mapping[int, int]) -> Term:
        """The sum of so many times each cell: the largest multiples first."""
        found = self._number(total.get(_ONE, 0))
        cells = sorted((p for p in total if p != _ONE and total[p]), key=lambda p: (total[p], -p))
        if not cells:
            return self.graph.constant(Fraction(total.get(_ONE, 0)), Held.INT)
        for cell in cells:
            is_first = self.graph.nodes[found.node] == self.graph.nodes[self._number(0).node]
            if is_first and total[cell] == 1:
                found = Term(cell, Held.INT)
            else:
                stride = self._number(total[cell])
                found = self.graph.add(Held.INT, Op.FLAT, cell, stride.node, found.node)
        return found

    def _apart(self, index: int) -> tuple[int, Term]:
        parts = self._parts_of(index)
        offset = parts.pop(_ONE, 0)
        return (offset, self._sum_of(parts)) if parts else (0, self._number(offset))

    # Choices

    def _chosen_index(self, where: Any, condition: Term, a: Term, b: Term) -> Term:
        """`condition ? i : j`."""
        self._count_choice(where)
        decided = self._decided(condition)
        if decided is not None:
            return a if decided else b
        op, args, _ = self.graph.nodes[condition.node]
        if not self._span(a.node).is_known or not self._span(b.node).is_known:
            raise Refused(where, "a choice of an index")
        if op is Op.NOT:
            return self._chosen_index(where, Term(args[0], Held.TRUTH), b, a)
        return self._step(condition, a, b) or self.graph.add(
            Held.INT, Op.SELECT, condition.node, a.node, b.node
        )

    def _step(self, condition: Term, a: Term, b: Term) -> Term | None:
        """`x < 3 ? (int)x : 3` and what is the same for every x; None for anything else."""
        for whole, last, holds in ((a, b, True), (b, a, False)):
            op, args, _ = self.graph.nodes[whole.node]
            end = self.graph.number(last)
            if op is not Op.STEP or end is None or end < 0:
                continue
            limit = self._only_limit(condition, args[0], holds)
            known = (*self.facts, *self._facts_of(condition.node, holds))
            if (
                limit is None
                or not self._is_number(args[0], known)
                or self._largest(whole.node) < limit.whole
            ):
                continue
            if end in (limit.whole, limit.excluded):
                return self.graph.add(Held.INT, Op.STEP, args[0], self._number(int(end)).node)
        return None

    def _only_limit(self, condition: Term, x: int, holds: bool) -> Limit | None:
        """The limit that a condition sets to a number, if nothing else decides it."""
        facts = [*self._facts_of(condition.node, holds)]
        limits = [limit for fact in facts if (limit := self._limit(x, fact)) is not None]
        others = [fact for fact in facts if self._limit(x, fact) is None]
        is_only = not others or (
            self._is_positive(x, self.facts) and all(self._is_at_least_zero(x, fact) for fact in others)
        )
        return limits[0] if is_only and len(limits) == 1 else None

    # Conversions

    def _truncated(self, where: Any, real: Term) -> Term:
        """`(int)x` of a real number."""
        number = self.graph.number(real)
        if number is not None and abs(number) < _MOST:
            return self.graph.constant(Fraction(int(number)), Held.INT)
        x = (self.graph.narrow(real) or real).node
        if not self._is_number(x, self.facts) or not self._is_positive(x, self.facts):
            raise Refused(where, "a real number made an integer, which may be negative or NaN")
        last = self._whole_below(x, self.facts)
        if last is None or last >= _MOST:
            raise Refused(where, "a real number made an integer, which may be too large for one")
        return self.graph.add(Held.INT, Op.STEP, x, self._number(max(last, 0)).node)

    def _real(self, where: Any, index: Term, held: Held) -> Term:
        """An index as a real number."""
        op, args, _ = self.graph.nodes[index.node]
        if op is not Op.SELECT:
            number = self.graph.number(index)
            return (
                self.graph.add(held, Op.REAL, index.node)
                if number is None
                else self.graph.converted(index, held)
            )
        self._count_choice(where)
        a, b = (self._real(where, Term(side, Held.INT), held) for side in args[1:])
        return self.graph.add(held, Op.SELECT, args[0], a.node, b.node)
