"""The graph that C expressions are read into: each operation once, with the type that holds its result.

Arithmetic in double on values that are floats gives, converted to float, what the same operation gives in
float: a double has more than twice the digits of a float and two more, so that rounding twice is rounding
once (S. A. Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30 (3), 1995). So they are
read: `2.0 * x` as `2.0F * x`, `(float)sqrt(x)` as `sqrtf(x)`, and `(float)fabs(x)` as `fabsf(x)`. The values
are the same, the cost need not be: compilers compute sums, products and quotients of this kind in float where
they optimise, but gcc calls sqrt in double for processors without such an instruction. `wide` holds these
operations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from codegen.ir.expression import LeafValue
from codegen.ir.operations import Op
from codegen.ir.program import Node
from codegen.review.diff.reading import INFINITE, Held, rounded


class Term(NamedTuple):
    """The value of a C expression: a node, or the flags of a status with the requirement of each."""

    node: int
    held: Held
    flags: tuple[tuple[int, int], ...] | None = None


@dataclass
class TermGraph:
    """The nodes read so far, each once."""

    nodes: list[Node] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    known: dict[tuple[Node, Held], int] = field(default_factory=dict)
    conversions: set[int] = field(default_factory=set)
    floats: dict[int, Term | None] = field(default_factory=dict)  # what `narrow` found of each double
    short: dict[int, Term | None] = field(default_factory=dict)  # what `_shortened` found of each
    wide: set[int] = field(default_factory=set)  # the operations in float that C writes in double

    def add(self, held: Held, op: Op, *args: int, value: LeafValue = None) -> Term:
        """The value of an operation, held in this type."""
        node = Node(op, args, value)
        if (node, held) not in self.known:
            self.known[node, held] = len(self.nodes)
            self.nodes.append(node)
            self.held.append(held)
        return Term(self.known[node, held], held)

    def constant(self, number: Fraction, held: Held) -> Term:
        """A number, held in this type."""
        return self.add(held, Op.CONSTANT, value=number)

    def number(self, term: Term) -> Fraction | None:
        """The value of a constant; None for other values and for flags."""
        if term.flags is not None:
            return None
        node = self.nodes[term.node]
        return Fraction(node.value or 0) if node.op is Op.CONSTANT else None

    def converted(self, term: Term, held: Held) -> Term:
        """The value, held in another type: the same operation with its result converted."""
        if term.held is held:
            return term
        number = self.number(term)
        if number is not None and held is not Held.INT:
            return self.constant(rounded(rounded(number, term.held), held), held)
        short = self._shortened(term) if (term.held, held) == (Held.DOUBLE, Held.FLOAT) else None
        if short is not None:
            return short
        if term.node in self.conversions:  # to be converted again, it needs an operation that changes nothing
            return self.add(held, Op.MUL, term.node, self.constant(Fraction(1), term.held).node)
        op, args, value = self.nodes[term.node]
        found = self.add(held, op, *args, value=value)
        self.conversions.add(found.node)
        if (term.held, held) == (Held.FLOAT, Held.DOUBLE):
            self.floats[found.node] = term
        return found

    def narrow(self, term: Term) -> Term | None:
        """The float that has the value of a term; None where it may have none."""
        if term.held is Held.FLOAT or term.flags is not None:
            return term if term.flags is None else None
        number = self.number(term)
        if number is not None:
            is_exact = abs(number) == INFINITE or rounded(number, Held.FLOAT) == number
            return self.constant(number, Held.FLOAT) if is_exact else None
        if term.node not in self.floats:
            self.floats[term.node] = self._of_reals(term, self.narrow, _SIGNS)
        return self.floats[term.node]

    def _shortened(self, double: Term) -> Term | None:
        """A double converted to float, computed in float; None where that may be another value."""
        if double.node not in self.short:
            self.short[double.node] = (
                self.narrow(double)
                or self._rounded_once(double)
                or self._of_reals(double, lambda term: self.converted(term, Held.FLOAT), _SIGNS)
            )
        return self.short[double.node]

    def _rounded_once(self, double: Term) -> Term | None:
        """An operation on floats that is done in double, done in float."""
        found = self._of_reals(double, self.narrow, _ROUNDED_ONCE) or self._once_more(double)
        if found is not None:
            self.wide.add(found.node)
        return found

    def _once_more(self, double: Term) -> Term | None:
        """A product of floats in double, which is exact, times 1, as `pow(x, 2)` is read; None for others."""
        op, args, _ = self.nodes[double.node]
        terms = [Term(a, self.held[a]) for a in args]
        if op is not Op.MUL or self.number(terms[1]) != 1 or self.nodes[args[0]].op is not Op.MUL:
            return None
        product = self._of_reals(terms[0], self.narrow, (Op.MUL,))
        one = self.constant(Fraction(1), Held.FLOAT)
        return self.add(Held.FLOAT, Op.MUL, product.node, one.node) if product else None

    def _of_reals(
        self, double: Term, short: Callable[[Term], Term | None], operations: Collection[Op]
    ) -> Term | None:
        """The operation on real arguments that are made floats, if it is one of these and all can be made."""
        op, args, _ = self.nodes[double.node]
        if op not in operations or double.held is not Held.DOUBLE:
            return None
        truths, reals = args[: op is Op.SELECT], args[op is Op.SELECT :]
        found = [short(Term(a, self.held[a])) for a in reals]
        return self.add(Held.FLOAT, op, *truths, *(t.node for t in found if t)) if all(found) else None


_SIGNS = (Op.NEG, Op.ABS, Op.SELECT)
"""Operations before or after which a conversion is the same."""

_ROUNDED_ONCE = (Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.SQRT)
"""Operations on floats whose result is the same whether it is rounded to float at once or to double first."""
