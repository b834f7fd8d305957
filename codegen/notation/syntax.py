"""Syntax trees of equations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeAlias


class Kind(Enum):
    """What a node is; its value, where it has one, is in parentheses."""

    NUMBER = "number"  # (the number)
    NAME = "name"  # (the name)
    SUM = "sum"  # of one term if that has a sign and stands in parentheses, which `a + (-b)` keeps
    NEGATIVE = "negative"
    PRODUCT = "product"
    QUOTIENT = "quotient"
    CROSS = "cross product"
    DOT = "scalar product"
    HAMILTON = "product of quaternions"
    POWER = "power"  # (the exponent)
    TRANSPOSE = "transpose"
    INVERSE = "inverse"
    SKEW = "cross-product matrix"
    CONJUGATE = "conjugate"
    NORM = "norm"
    CALL = "function"  # (the function's name)
    COLUMN = "column"
    BLOCKS = "matrix"  # (the number of columns)
    ENTRY = "entry"  # (first and end of the rows and columns)
    CASES = "cases"  # value, condition, value, condition, ..., value
    RELATION = "relation"  # (the operator)
    AND = "and"
    OR = "or"
    NOT = "not"


Span: TypeAlias = tuple[int, int, bool]
"""First index, end, and whether they were written as a range."""


@dataclass(frozen=True)
class Node:
    """A part of an equation."""

    kind: Kind
    args: tuple[Node, ...] = ()
    value: str | int | Fraction | tuple[Span, ...] | None = None

    def nodes(self) -> Iterator[Node]:
        """The node and all below."""
        yield self
        for a in self.args:
            yield from a.nodes()

    @property
    def name(self) -> str:
        """The name of a name or function; empty for anything else."""
        kind = self.kind
        return str(self.value) if kind is Kind.NAME or kind is Kind.CALL else ""


@dataclass(frozen=True)
class Equation:
    """Sides that are equal: two, or more in a chain; or the only side is an inequality."""

    sides: tuple[Node, ...]


def conjuncts(condition: Node) -> Iterator[Node]:
    """The conditions that must all hold where one does."""
    if condition.kind is Kind.AND:
        for a in condition.args:
            yield from conjuncts(a)
    else:
        yield condition


def is_integral(node: Node) -> bool:
    """Whether an expression is an integral over ranges [variable, from, to]."""
    return node.kind is Kind.CALL and node.name == "integral" and all(map(_is_range, node.args[1:]))


def _is_range(node: Node) -> bool:
    return node.kind is Kind.COLUMN and len(node.args) == 3 and node.args[0].kind is Kind.NAME


def number(value: Fraction) -> str:
    """A number as equations have it: a decimal if it is one, else a quotient."""
    for digits in range(1, 18):
        short = f"{float(value):.{digits}g}"
        if "e" not in short and Fraction(short) == value:
            return short
    return f"({value.numerator} / {value.denominator})"
