"""What C's operators and conversions do with values: numbers, truths, and the flags of a status."""

from __future__ import annotations

import operator
from abc import ABC
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from codegen.ir.operations import Op
from codegen.review.diff.functions.indices import Indices
from codegen.review.diff.functions.terms import Term
from codegen.review.diff.reading import INFINITE, WIDTH, Held, rounded
from codegen.review.diff.text.integers import Integer, calculated
from codegen.review.diff.text.syntax import Refused

_ARITHMETIC = {"+": Op.ADD, "-": Op.SUB, "*": Op.MUL, "/": Op.DIV}
_EXACT = {"+": operator.add, "-": operator.sub}
"""The operations whose result is never -0.0 for numbers of which none is."""

MOST_FLAGS = 1_000
"""Limit on the requirements of a function's status, and on the choices between integers."""

Flags = tuple[tuple[int, int], ...]
"""The flags of a status, each with the node that must hold for it not to be raised."""


class Values(Indices, ABC):
    """Operations on the values of expressions."""

    # Operators

    def _operation(self, where: Any, op: str, a: Term, b: Term) -> Term:
        """The value of `a op b`."""
        if op in ("&&", "||"):
            return self._joined(op == "&&", self._truth(where, a), self._truth(where, b))
        a, b = self._beside_index(where, a, b), self._beside_index(where, b, a)
        if op in _OF_TRUTHS and self._is_truth(a) and self._is_truth(b):
            return self._of_truths(op, self._truth(where, a), self._truth(where, b))
        if op in _OF_FLAGS and (op == "|" or a.flags is not None or b.flags is not None):
            return _OF_FLAGS[op](self, where, a, b)
        if op in ("==", "!="):
            for term, number in ((a, self.graph.number(b)), (b, self.graph.number(a))):
                if number is not None and {a.held, b.held} <= {Held.INT, Held.TRUTH}:
                    same = self._is_constant(where, term, number)
                    return same if op == "==" else self._not(same)
        truth = next((x for x in (a, b) if x.held is Held.TRUTH), None)
        a, b = self._common(where, a, b)
        if a.held is Held.INT:
            return self._of_integers(where, op, a, b)
        if op in _ARITHMETIC:
            chosen = None if truth is None else self._of_one_and_zero(op, truth, a, b)
            return chosen or self.graph.add(a.held, _ARITHMETIC[op], a.node, b.node)
        if op in _COMPARISONS:
            return _COMPARISONS[op](self, a, b)
        raise Refused(where, f"the operator {op}")

    def _of_one_and_zero(self, op: str, truth: Term, a: Term, b: Term) -> Term | None:
        """The choice that a sum of a truth value and a constant is, or a difference; None for others."""
        numbers = [self.graph.number(x) for x in (a, b)]
        if op not in _EXACT or numbers.count(None) != 1 or INFINITE in map(abs, filter(None, numbers)):
            return None
        one, zero = (_EXACT[op](*(Fraction(n) if x is None else x for x in numbers)) for n in (1, 0))
        sides = [self.graph.constant(rounded(n, a.held), a.held).node for n in (one, zero)]
        return self.graph.add(a.held, Op.SELECT, truth.node, *sides)

    def _beside_index(self, where: Any, term: Term, other: Term) -> Term:
        """An unsigned constant beside an index: a plain one, as no index is negative."""
        known = (
            self._constant_flags(where, term) if term.flags is not None and self._is_index(other) else None
        )
        return term if known is None else self.graph.constant(Fraction(known), Held.INT)

    def _of_truths(self, op: str, a: Term, b: Term) -> Term:
        """The result of an operator on two of the integers 0 and 1, which is one of them again."""
        if op in ("&", "*"):
            return self._connected(Op.AND, a, b)
        if op == "|":
            return self._connected(Op.OR, a, b)
        same = self._chosen_truth(a, b, self._not(b))
        return same if op == "==" else self._not(same)

    def _of_integers(self, where: Any, op: str, a: Term, b: Term) -> Term:
        """The result of an operator on integers that are chosen among constants: one chosen alike."""
        self._count_choice(where)
        for term, other in ((a, b), (b, a)):
            kind, args, _ = self.graph.nodes[term.node]
            if kind is Op.SELECT:
                sides = [Term(side, self.graph.held[side]) for side in args[1:]]
                pairs = ((side, b) if term is a else (other, side) for side in sides)
                return self._chosen(
                    where, Term(args[0], Held.TRUTH), *(self._of_integers(where, op, *p) for p in pairs)
                )
        if self._is_index(a) or self._is_index(b):
            return self._of_indices(where, op, a, b)
        numbers = [number for x in (a, b) if (number := self.graph.number(x)) is not None]
        found = calculated(op, *(Integer(int(n), False) for n in numbers)) if len(numbers) == 2 else None
        if found is None:
            raise Refused(where, "integer arithmetic")
        return self.graph.constant(Fraction(found.value), Held.INT)

    def _is_constant(self, where: Any, term: Term, number: Fraction) -> Term:
        """Whether an integer that is chosen among constants is this one."""
        if number == 0 and self._is_any(term):
            return self._not(self._truth(where, term))
        op, args, value = self.graph.nodes[term.node]
        if op is Op.CONSTANT:
            return self.graph.add(Held.TRUTH, Op.TRUTH, value=Fraction(value or 0) == number)
        if term.held is Held.TRUTH or op is not Op.SELECT:
            raise Refused(where, "integer arithmetic")
        self._count_choice(where)
        a, b = (self._is_constant(where, Term(side, self.graph.held[side]), number) for side in args[1:])
        return self._chosen_truth(Term(args[0], Held.TRUTH), a, b)

    # Operators on flags

    def _united(self, where: Any, a: Term, b: Term) -> Term:
        return self._all_flags(where, (*self._as_flags(where, a), *self._as_flags(where, b)))

    def _added(self, where: Any, a: Term, b: Term) -> Term:
        """`flags + 4u` and `flags ^ 4u`: no flag is in both: nothing is carried or undone."""
        left, right = self._as_flags(where, a), self._as_flags(where, b)
        if {flag for _, flag in left} & {flag for _, flag in right}:
            raise Refused(where, "flags used as a number")
        return self._united(where, a, b)

    def _masked(self, where: Any, a: Term, b: Term) -> Term:
        """`flags & 3`: those that the constant has, too."""
        for flags, mask in ((a, b), (b, a)):
            known = self._constant_flags(where, mask)
            if known is not None:
                kept = (f for f in self._as_flags(where, flags) if f[1] & known)
                return self._all_flags(where, kept)
        raise Refused(where, "flags and others that are not constant")

    def _scaled(self, where: Any, a: Term, b: Term) -> Term:
        """`bit * 4u`: the constant where the bit is set."""
        for bit, factor in ((a, b), (b, a)):
            raised, known = self._bit(bit), self._constant_flags(where, factor)
            if raised is not None and known is not None:
                return self._all_flags(where, self._under(raised, self._always(where, known)))
        raise Refused(where, "integer arithmetic")

    def _shifted(self, where: Any, a: Term, b: Term) -> Term:
        """`flags << 2`."""
        by = None if b.flags is not None else self.graph.number(b)
        if by is None or not 0 <= by < 31:
            raise Refused(where, "a shift by a number that is not constant")
        return self._all_flags(where, ((met, flag << int(by)) for met, flag in self._as_flags(where, a)))

    def _spread(self, where: Any, bit: Term) -> Term:
        """`-bit`: all flags where the bit is set."""
        if self._known(bit) is not None:
            raise Refused(where, "integer arithmetic")
        averts = self._not(bit).node
        return Term(-1, Held.INT, tuple((averts, 1 << i) for i in range(32)))

    def _same_flags(self, where: Any, a: Term, b: Term) -> Term:
        """`flags == 4u`: those of the constant are raised, and no other is."""
        for term, other in ((a, b), (b, a)):
            known = self._constant_flags(where, other)
            if known is not None:
                return self._exactly(where, self._as_flags(where, term), known)
        raise Refused(where, "flags used as a number")

    def _exactly(self, where: Any, flags: Flags, known: int) -> Term:
        """Whether the flags that are raised are those of a number."""
        each = dict.fromkeys(flag for _, flag in flags)
        same = self.graph.add(Held.TRUTH, Op.TRUTH, value=not known & ~sum(each))
        for flag in each:
            is_raised = self._truth(where, Term(-1, Held.INT, tuple(f for f in flags if f[1] == flag)))
            same = self._connected(Op.AND, same, is_raised if known & flag else self._not(is_raised))
        return same

    def _constant_flags(self, where: Any, term: Term) -> int | None:
        """The value of a constant integer."""
        number = self.graph.number(term) if term.flags is None else None
        if number is not None and term.held is Held.INT and 0 <= number < 2**31:
            return int(number)
        if term.flags is None or any(
            self._known(Term(met, Held.TRUTH)) is not False for met, _ in term.flags
        ):
            return None
        return sum({flag for _, flag in term.flags})

    def _bit(self, term: Term) -> Term | None:
        """The truth value that an integer is, if it is one of 0 and 1."""
        if term.flags is None:
            return self._truth(None, term) if self._is_truth(term) else None
        return self._truth(None, term) if all(flag == 1 for _, flag in term.flags) else None

    def _equal(self, a: Term, b: Term) -> Term:
        for difference, zero in ((a, b), (b, a)):  # x - x == 0 where x is finite
            op, args, _ = self.graph.nodes[difference.node]
            is_of_one = op is Op.SUB and args[0] == args[1] and self.graph.held[args[0]] is difference.held
            if is_of_one and self.graph.number(zero) == 0:
                return self._is_finite(Term(args[0], difference.held))
        below, above = self._at_most(a, b), self._at_most(b, a)
        return below if below == above else self._joined(True, below, above)

    # Choices

    def _nonzero(self, truth: Term) -> Term:
        """An int that is 0 where something does not hold, and where it holds any other number."""
        zero = self.graph.constant(Fraction(0), Held.INT)
        return self.graph.add(Held.INT, Op.SELECT, truth.node, self._any_but_0().node, zero.node)

    def _any_but_0(self) -> Term:
        return self.graph.add(Held.INT, Op.WHOLE)

    def _is_any(self, term: Term) -> bool:
        """Whether nothing is known of a number but where it is 0."""
        if term.held is not Held.INT or term.flags is not None:
            return False
        return self._any_but_0().node in (term.node, *self.graph.nodes[term.node].args)

    def _chosen(self, where: Any, condition: Term, a: Term, b: Term) -> Term:
        """`condition ? a : b`."""
        if a == b:
            return a
        if a.flags is not None or b.flags is not None:
            return self._chosen_flags(where, condition, self._as_flags(where, a), self._as_flags(where, b))
        if Held.TRUTH in (a.held, b.held) and self._is_truth(a) and self._is_truth(b):
            return self._chosen_truth(condition, self._truth(where, a), self._truth(where, b))
        a, b = self._common(where, a, b)
        if self._is_index(a) or self._is_index(b):
            return self._chosen_index(where, condition, a, b)
        known = self._known(condition)
        if known is not None:
            return a if known else b
        a, b = self._taken(condition, a, True), self._taken(condition, b, False)
        if a == b:
            return a
        return self.graph.add(a.held, Op.SELECT, condition.node, a.node, b.node)

    def _taken(self, condition: Term, term: Term, holds: bool) -> Term:
        """What a choice is where a condition holds, or does not, if it is a choice by the same condition."""
        op, args, _ = self.graph.nodes[term.node]
        sides = {condition.node: holds, self._not(condition).node: not holds}
        if op is not Op.SELECT or args[0] not in sides:
            return term
        side = args[1] if sides[args[0]] else args[2]
        is_alike = self.graph.held[side] is term.held
        return self._taken(condition, Term(side, term.held), holds) if is_alike else term

    def _is_truth(self, term: Term) -> bool:
        """Whether a value is a truth or one of the integers 0 and 1."""
        if term.flags is not None:
            return False
        return term.held is Held.TRUTH or (term.held is Held.INT and self.graph.number(term) in (0, 1))

    def _chosen_flags(self, where: Any, condition: Term, a: Flags, b: Flags) -> Term:
        """What both raise anyway, then what either does."""
        common = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        ways = (condition, a[common:]), (self._not(condition), b[common:])
        under = [f for way, flags in ways for f in self._under(way, flags)]
        return self._all_flags(where, (*a[:common], *under))

    def _chosen_truth(self, condition: Term, a: Term, b: Term) -> Term:
        """c ? a : b of truth values is (c && a) || (!c && b)."""
        left = self._connected(Op.AND, condition, a)
        right = self._connected(Op.AND, self._not(condition), b)
        a_known, b_known = (self._known(x) for x in (a, b))
        if a_known:
            return self._connected(Op.OR, condition, b)
        if b_known:
            return self._connected(Op.OR, self._not(condition), a)
        return self._connected(Op.OR, left, right)

    # Conversions

    def _as(self, where: Any, term: Term, held: Held) -> Term:
        """The value, converted to a C type."""
        if term.flags is not None:
            raise Refused(where, "flags used as a number")
        if self._is_any(term):
            raise Refused(where, "a number of which only is known where it is 0")
        if term.held is Held.TRUTH:
            one, zero = (self.graph.constant(Fraction(n), held) for n in (1, 0))
            return self.graph.add(held, Op.SELECT, term.node, one.node, zero.node)
        if self._is_index(term) and held is not Held.INT:
            return self._real(where, term, held)
        if held is Held.INT and term.held is not Held.INT:
            return self._truncated(where, term)
        return self.graph.converted(term, held)

    def _common(self, where: Any, a: Term, b: Term) -> tuple[Term, Term]:
        """Both values in the wider of their types."""
        held = max(a.held, b.held, Held.INT, key=lambda h: WIDTH[h])
        return self._as(where, a, held), self._as(where, b, held)

    def _truth(self, where: Any, term: Term) -> Term:
        """The value as a condition; flags are true where any is raised."""
        if term.flags is not None:
            none = self.graph.add(Held.TRUTH, Op.TRUTH, value=True)
            for met, _ in term.flags:
                none = self._connected(Op.AND, none, Term(met, Held.TRUTH))
            return self._not(none)
        number = self.graph.number(term)
        if number is not None:
            return self.graph.add(Held.TRUTH, Op.TRUTH, value=bool(number))
        if term == self._any_but_0():
            return self.graph.add(Held.TRUTH, Op.TRUTH, value=True)
        op, args, _ = self.graph.nodes[term.node]
        if op is Op.SELECT and (term.held is Held.INT or self._is_of_constants(term)):
            self._count_choice(where)
            condition, *sides = args
            a, b = (self._truth(where, Term(side, self.graph.held[side])) for side in sides)
            return self._chosen_truth(Term(condition, Held.TRUTH), a, b)
        if term.held is Held.INT:
            raise Refused(where, "a number used as a condition")
        if term.held is not Held.TRUTH:
            return self._not(self._equal(term, self.graph.constant(Fraction(0), term.held)))
        return term

    def _is_of_constants(self, term: Term) -> bool:
        """Whether a number is a choice between two constants."""
        sides = (Term(side, term.held) for side in self.graph.nodes[term.node].args[1:])
        return None not in map(self.graph.number, sides)

    # Status

    def _as_flags(self, where: Any, term: Term) -> Flags:
        """A status as flags, each with the node that must hold for it not to be raised."""
        if term.flags is not None:
            return term.flags
        if term.held is Held.TRUTH:
            return ((self._not(term).node, 1),)
        if term.held is not Held.INT:
            raise Refused(where, "a status that is not a combination of flags")
        return tuple(self._leaves(where, term, None))

    def _always(self, where: Any, flags: int) -> Flags:
        """A constant as flags: what is raised whatever holds."""
        never = self.graph.add(Held.TRUTH, Op.TRUTH, value=False).node
        return tuple((never, flag) for flag in _bits(where, flags))

    def _under(self, condition: Term, flags: Iterable[tuple[int, int]]) -> Flags:
        """The flags, raised only where the condition holds."""
        averts = self._not(condition).node
        return tuple((self._either(averts, met), flag) for met, flag in flags)

    def _either(self, averts: int, met: int) -> int:
        op, _, value = self.graph.nodes[met]
        if op is Op.TRUTH:
            return met if value else averts
        return self.graph.add(Held.TRUTH, Op.OR, averts, met).node

    def _all_flags(self, where: Any, flags: Iterable[tuple[int, int]]) -> Term:
        """A status with these flags, each once."""
        once = tuple(dict.fromkeys(flags))
        if any(flag >= 2**31 for _, flag in once):
            raise Refused(where, "a flag that no status holds")
        if len(once) > MOST_FLAGS:
            raise Refused(where, f"a status of more than {MOST_FLAGS} flags")
        return Term(-1, Held.INT, once)

    def _count_choice(self, where: Any) -> None:
        """Refuse what has too many choices to follow them all."""
        self.leaves += 1
        if self.leaves > MOST_FLAGS:
            raise Refused(where, f"a status of more than {MOST_FLAGS} choices")

    def _leaves(self, where: Any, term: Term, reached: Term | None) -> Iterable[tuple[int, int]]:
        """The flags in a tree of selects; `reached` is the condition under which this part of it counts."""
        self._count_choice(where)
        op, args, value = self.graph.nodes[term.node]
        if op is Op.CONSTANT:
            never = self.graph.add(Held.TRUTH, Op.TRUTH, value=False)
            for flag in _bits(where, int(Fraction(value or 0))):
                yield (never if reached is None else self._not(reached)).node, flag
        elif op is Op.SELECT:
            condition = Term(args[0], Held.TRUTH)
            for way, below in ((condition, args[1]), (self._not(condition), args[2])):
                both = way if reached is None else self.graph.add(Held.TRUTH, Op.AND, reached.node, way.node)
                yield from self._leaves(where, Term(below, Held.INT), both)
        else:
            raise Refused(where, "a status that is not a combination of flags")


def _bits(where: Any, flags: int) -> list[int]:
    """The single flags of a constant."""
    if not 0 <= flags < 2**31:
        raise Refused(where, f"the status {flags}")
    return [1 << i for i in range(flags.bit_length()) if flags >> i & 1]


_COMPARISONS: Mapping[str, Callable[[Values, Term, Term], Term]] = {
    "<": Values._less,
    "<=": Values._at_most,
    ">": lambda reader, a, b: reader._less(b, a),
    ">=": lambda reader, a, b: reader._at_most(b, a),
    "==": Values._equal,
    "!=": lambda reader, a, b: reader._not(reader._equal(a, b)),
}

_OF_TRUTHS = ("==", "!=", "&", "|", "^", "*")

_OF_FLAGS: Mapping[str, Callable[[Values, Any, Term, Term], Term]] = {
    "|": Values._united,
    "+": Values._added,
    "^": Values._added,
    "&": Values._masked,
    "*": Values._scaled,
    "<<": Values._shifted,
    "==": Values._same_flags,
    "!=": lambda reader, where, a, b: reader._not(reader._same_flags(where, a, b)),
}
