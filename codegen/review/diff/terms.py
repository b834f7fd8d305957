"""The graph that C expressions are read into: each operation once, with the type that holds its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from codegen.ir.expression import LeafValue
from codegen.ir.operations import Op
from codegen.ir.program import Node
from codegen.review.diff.reading import Held, rounded


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
        if term.node in self.conversions:  # to be converted again, it needs an operation that changes nothing
            return self.add(held, Op.MUL, term.node, self.constant(Fraction(1), term.held).node)
        op, args, value = self.nodes[term.node]
        found = self.add(held, op, *args, value=value)
        self.conversions.add(found.node)
        return found
