"""Names, numbers and the expressions of a Program as Presentation MathML; all text is escaped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple
from xml.etree.ElementTree import Element

from codegen.emit.c99 import literal
from codegen.ir.arrays import Constants
from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Program
from codegen.ir.systems import Precision
from codegen.notation.elements import brackets, element, inline, math, operator, row, space


def identifier(name: str) -> Element:
    """A name in code, as it is in the code: `n2` is no square, and `sin2_lat` no sine with an index."""
    return element("mi", name)


def word(name: str) -> Element:
    """The name of a function, or of a number of the precision, among names in code."""
    return element("mi", name, **{"class": WORD})


def coded(content: Element) -> str:
    """The markup of a whole formula of names in code, which are set as the code is, but for words."""
    return math(content, **{"class": CODED})


WORD, CODED = "w", "id"
"""The classes of words and of formulas of names in code, which a page has by the hundred."""


def number(text: str) -> Element:
    """A decimal number, with its power of ten if it has one."""
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return element("mn", mantissa.removesuffix(".0"))
    power = element("mn", str(int(exponent)).replace("-", "\u2212"))
    return row(element("mn", mantissa), operator("\u00d7"), element("msup", element("mn", "10"), power))


ATOM, UNARY, PRODUCT, SUM, RELATION, CONJUNCTION, DISJUNCTION, CHOICE = range(8, 0, -1)


class Piece(NamedTuple):
    """A part of a formula, and the precedence of its outermost operator."""

    shown: Element
    binds: int

    def at_least(self, level: int) -> Element:
        """The part, in parentheses unless its precedence is at least this."""
        return self.shown if self.binds >= level else brackets("(", self.shown, ")")


Rule = Callable[[Sequence[Piece]], Piece]


def infix(symbol: str, level: int, right: int) -> Rule:
    """The rule of an operator between two parts, of which the right one binds at least as given."""

    def shown(args: Sequence[Piece]) -> Piece:
        a, b = args
        parts = (*inline(a.at_least(level)), operator(symbol), *inline(b.at_least(right)))
        return Piece(row(*parts), level)

    return shown


def _fraction(args: Sequence[Piece]) -> Piece:
    return Piece(element("mfrac", args[0].shown, args[1].shown), UNARY)


def _prefix(symbol: str) -> Rule:
    return lambda args: Piece(row(operator(symbol, form="prefix"), args[0].at_least(UNARY)), UNARY)


def call(name: str) -> Rule:
    """The rule of a function."""

    def shown(args: Sequence[Piece]) -> Piece:
        parts = [part for a in args for part in (operator(",", separator="true"), a.shown)][1:]
        return Piece(row(word(name), brackets("(", row(*parts), ")")), ATOM)

    return shown


def _cases(args: Sequence[Piece]) -> Piece:
    """A choice: a line of words where its parts need no brackets, else a line for each case."""
    condition, a, b = args
    if min(part.binds for part in args) >= UNARY:
        where, otherwise = (element("mtext", f"{text}\u00a0") for text in ("\u00a0where", ", otherwise"))
        parts = (*inline(a.shown), where, *inline(condition.shown), otherwise, *inline(b.shown))
        return Piece(row(*parts), CHOICE)
    table = element(
        "mtable",
        _line(a.shown, element("mtext", "where\u00a0"), *inline(condition.shown)),
        _line(b.shown, element("mtext", "otherwise")),
        **{"class": "cases"},
    )
    return Piece(row(operator("{"), table), CHOICE)


def _line(value: Element, *when: Element) -> Element:
    return element("mtr", element("mtd", *inline(value)), element("mtd", *when))


def _entry(args: Sequence[Piece]) -> Piece:
    """An element of an array, with its index below."""
    array, index, offset = args
    parts = [] if offset.shown.text == "0" else [operator("+"), offset.shown]
    return Piece(element("msub", array.shown, row(index.shown, *parts)), ATOM)


RULES: Mapping[Op, Rule] = {
    Op.ADD: infix("+", SUM, SUM),
    Op.SUB: infix("\u2212", SUM, PRODUCT),
    Op.MUL: infix("\u22c5", PRODUCT, UNARY),
    Op.DIV: _fraction,
    Op.NEG: _prefix("\u2212"),
    Op.SQRT: lambda args: Piece(element("msqrt", args[0].shown), ATOM),
    Op.ABS: lambda args: Piece(brackets("|", args[0].shown, "|"), ATOM),
    Op.MIN: call("min"),
    Op.MAX: call("max"),
    Op.LT: infix("<", RELATION, SUM),
    Op.LE: infix("\u2264", RELATION, SUM),
    Op.AND: infix("\u2227", CONJUNCTION, RELATION),
    Op.OR: infix("\u2228", DISJUNCTION, CONJUNCTION),
    Op.NOT: _prefix("\u00ac"),
    Op.SELECT: _cases,
    **{op: call(op.label) for op in LIBM},
    Op.CELL: call("cell"),
    Op.STEP: call("step"),
    Op.FLAT: lambda args: Piece(
        row(args[1].shown, space(), args[0].at_least(PRODUCT), operator("+"), args[2].shown), SUM
    ),
    Op.LIST: lambda args: args[0],
    Op.ENTRY: _entry,
    Op.REAL: lambda args: args[0],
}
"""The markup of each operation."""


def expression(
    program: Program,
    node: int,
    names: Mapping[int, str],
    precision: Precision,
    limits: Mapping[Fraction, Piece] = MappingProxyType({}),
) -> Piece:
    """A node as a formula of named nodes; constants that have a meaning are shown as `limits` shows them."""
    op, args, value = program.nodes[node]
    if op in RULES:
        parts = [
            Piece(identifier(names[a]), ATOM)
            if a in names
            else expression(program, a, names, precision, limits)
            for a in args
        ]
        return RULES[op](parts)
    if op is Op.INPUT:
        inputs = [name for a in program.inputs for name in a.scalar_names]
        return Piece(identifier(inputs[int(value or 0)]), ATOM)
    if isinstance(value, Constants):
        return Piece(identifier(value.name), ATOM)
    if op is Op.WHOLE:
        return Piece(element("mn", str(value)), ATOM)
    if op is Op.NAMED:
        return Piece(word(_NAMED[str(value)]), ATOM)
    if op is Op.TRUTH:
        return Piece(element("mtext", str(value).lower()), ATOM)
    constant = Fraction(value or 0)
    return limits[constant] if constant in limits else _constant(constant, precision)


_NAMED = {"pi": "\u03c0", "eps": "\u03b5", "min": "min", "max": "max"}
"""The numbers of a precision, as they are written."""


def _named(size: Fraction, precision: Precision) -> Element | None:
    """Pi, eps, min or max, or twice pi."""
    for name, written in _NAMED.items():
        if size == precision.named(name):
            return word(written)
    twice = size == 2 * precision.named("pi")
    return row(element("mn", "2"), space(), word(_NAMED["pi"])) if twice else None


def _constant(value: Fraction, precision: Precision) -> Piece:
    """A number of the precision by its name, a short fraction as a fraction, others as C prints them."""
    size = abs(value)
    named = _named(size, precision)
    if named is not None:
        shown = named
    elif size.denominator > 1 and size.numerator < 100 and size.denominator < 100:
        top, bottom = (element("mn", str(part)) for part in (size.numerator, size.denominator))
        shown = element("mfrac", top, bottom)
    else:
        shown = number(literal(size, precision).rstrip("F"))
    return Piece(shown, ATOM) if value >= 0 else _prefix("\u2212")([Piece(shown, ATOM)])
