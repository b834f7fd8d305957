"""The values of constant integer expressions, in C's types int and unsigned int of 32 bits."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pycparser import c_ast, c_parser

Lookup = Callable[[Any], "Integer | None"]
"""The number that a variable is known to hold, or that sizeof gives; None for other names and operands."""

_LITERAL = re.compile(
    r"(0[xX][0-9a-fA-F]{1,8}|0[0-7]{0,11}|[1-9]\d{0,9})([uU]?)(l{0,2}|L{0,2})([uU]?)", re.ASCII
)
_CHARACTER = re.compile(
    r"'(?:([ -&(-\[\]-~])|\\(?:([abfnrtv\\'\"?])|([0-7]{1,3})|x([\da-fA-F]{1,8})))'", re.ASCII
)
_ESCAPES = dict(zip("abfnrtv\\'\"?", "\a\b\f\n\r\t\v\\'\"?", strict=True))
_PLAIN = re.compile(r"(?:[\dxXa-fA-FuU()+*/<|&^~ -]|\bunsigned\b|\bint\b)+", re.ASCII)
_LONGEST = 100
"""Limit on the characters of an expression that is given as text."""

MOST_INT, _TURN = 2**31 - 1, 2**32

_BITS: Mapping[str, int] = {
    "int": 32, "signed": 32, "int signed": 32, "unsigned": 32, "int unsigned": 32,
    "short": 16, "int short": 16, "short signed": 16, "int short signed": 16,
    "short unsigned": 16, "int short unsigned": 16, "char signed": 8, "char unsigned": 8,
}  # fmt: skip
"""The width of the integer types that are never wider than unsigned int, by their words in order."""


class Integer(NamedTuple):
    """A constant integer and its type.

    A size, and a long integer, are unsigned here and of a width that depends on the compiler: they are known
    as long as they are numbers that every type holds.
    """

    value: int
    unsigned: bool
    is_size: bool = False


def _unknown(_: Any) -> Integer | None:
    return None


def constant(expr: Any, known: Lookup = _unknown) -> Integer | None:
    """The value of a constant integer expression, in which variables of known values may stand.

    None for other expressions and for those on which C leaves compilers a choice.
    """
    if isinstance(expr, c_ast.BinaryOp):
        left, right = constant(expr.left, known), constant(expr.right, known)
        return None if left is None or right is None else calculated(expr.op, left, right)
    if isinstance(expr, c_ast.TernaryOp):
        test, *sides = (constant(part, known) for part in (expr.cond, expr.iftrue, expr.iffalse))
        return None if test is None else _chosen(test, *sides)
    if isinstance(expr, c_ast.UnaryOp) and expr.op == "!":
        inner = constant(expr.expr, known)
        return None if inner is None else Integer(int(inner.value == 0), False)
    if isinstance(expr, c_ast.UnaryOp) and expr.op in _SIGNS:
        inner = constant(expr.expr, known)
        return None if inner is None else _held(_SIGNS[expr.op](inner.value), inner.unsigned, inner.is_size)
    if isinstance(expr, c_ast.ID) or (isinstance(expr, c_ast.UnaryOp) and expr.op == "sizeof"):
        return known(expr)
    if isinstance(expr, c_ast.Cast):
        inner = constant(expr.expr, known)
        return None if inner is None else _converted(expr.to_type, inner)
    if isinstance(expr, c_ast.Constant) and "int" in expr.type:
        return _literal(expr.value)
    if isinstance(expr, c_ast.Constant) and expr.type == "char":
        return _character(expr.value)
    return None


def _chosen(test: Integer, a: Integer | None, b: Integer | None) -> Integer | None:
    """The result of a choice between two numbers of one type."""
    return None if a is None or b is None or a[1:] != b[1:] else a if test.value else b


def _converted(to_type: Any, number: Integer) -> Integer | None:
    """The number in a type of C's own, then promoted; None in others and where they do not hold it."""
    words = getattr(getattr(to_type.type, "type", None), "names", None) or []
    bits = _BITS.get(" ".join(sorted(words)))
    if bits is None:
        return None
    unsigned = "unsigned" in words
    value = number.value % 2**bits if unsigned else number.value
    is_held = unsigned or -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)
    return Integer(value, unsigned and bits == 32) if is_held else None


def calculated(op: str, a: Integer, b: Integer) -> Integer | None:
    """The result of an operator; None for others and where C leaves compilers a choice."""
    if op in _TESTS:
        return _tested(op, a, b)
    return _binary(op, a, b) if op in _OPERATIONS else None


def integer_of(text: str) -> Integer | None:
    """The value of a constant integer expression, given as text; None for other text."""
    if _LITERAL.fullmatch(text):
        return _literal(text)
    if len(text) > _LONGEST or not _PLAIN.fullmatch(text):
        return None
    try:
        return constant(c_parser.CParser().parse(f"int x = {text};").ext[0].init)
    except (c_parser.ParseError, AssertionError):
        return None


def operand_of(text: str) -> Integer | None:
    """The value of a constant integer expression that is one operand wherever it stands: `8`, `(2 + 3)`."""
    words = text.split()
    is_one = len(words) == 1
    while words[:1] == ["("] and words[-1] == ")":
        words, is_one = words[1:-1], True
    return integer_of(" ".join(words)) if is_one else None


def as_int(number: Integer | None) -> Integer | None:
    """The number as an int, which an enumerator always is; None where an int does not hold it."""
    return Integer(number.value, False) if number is not None and number.value <= MOST_INT else None


def whole(expr: Any, known: Lookup = _unknown) -> int | None:
    """The value of a constant integer expression that is not negative."""
    found = constant(expr, known)
    return found.value if found is not None and found.value >= 0 else None


def _literal(text: str) -> Integer | None:
    found = _LITERAL.fullmatch(text)
    if found is None:
        return None
    digits, *suffixes = found.groups()
    is_unsigned = "".join(suffixes[::2])
    if len(is_unsigned) > 1:
        return None
    is_decimal = digits[0] != "0"
    value = int(digits, 10 if is_decimal else 16 if digits[1:2] in ("x", "X") else 8)
    is_long = bool(suffixes[1])
    return _held(value, bool(is_unsigned) or is_long or (not is_decimal and value > MOST_INT), is_long)


def _character(text: str) -> Integer | None:
    """The number of a character in ASCII; None for others, which compilers number differently."""
    found = _CHARACTER.fullmatch(text)
    if found is None:
        return None
    plain, escape, octal, hexadecimal = found.groups()
    if plain or escape:
        return Integer(ord(plain or _ESCAPES[escape]), False)
    value = int(octal, 8) if octal else int(hexadecimal, 16)
    return Integer(value, False) if value < 128 else None


def _held(value: int, unsigned: bool, is_size: bool = False) -> Integer | None:
    """The value in its type; None where an int does not hold it, which no size may be beyond either."""
    if is_size:
        return Integer(value, True, True) if 0 <= value <= MOST_INT else None
    if unsigned:
        return Integer(value % _TURN, True)
    return Integer(value, False) if -MOST_INT - 1 <= value <= MOST_INT else None


def _quotient(a: int, b: int) -> int | None:
    if b == 0:
        return None
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size


def _rest(a: int, b: int) -> int | None:
    quotient = _quotient(a, b)
    return None if quotient is None else a - b * quotient


def _shifted(a: int, b: int) -> int | None:
    return a << b if a >= 0 and 0 <= b < 32 else None


_SIGNS: Mapping[str, Callable[[int], int]] = {"+": operator.pos, "-": operator.neg, "~": operator.invert}
_OPERATIONS: Mapping[str, Callable[[int, int], int | None]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _quotient, "<<": _shifted,
    "|": operator.or_, "&": operator.and_, "^": operator.xor,
    "%": _rest,
}  # fmt: skip
_TESTS: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne,
}  # fmt: skip
COMPARISONS = frozenset(_TESTS)
"""The operators that compare."""


def _is_doubtful(a: Integer, b: Integer) -> bool:
    """Whether a size meets a number that becomes another one with the width of sizes."""
    return (a.is_size or b.is_size) and not all(0 <= x.value <= MOST_INT for x in (a, b))


def _tested(op: str, a: Integer, b: Integer) -> Integer | None:
    """The result of a comparison; both sides are unsigned if one of them is."""
    if _is_doubtful(a, b):
        return None
    turn = _TURN if a.unsigned or b.unsigned else 0
    left, right = (x.value % turn if turn else x.value for x in (a, b))
    return Integer(int(_TESTS[op](left, right)), False)


def _binary(op: str, a: Integer, b: Integer) -> Integer | None:
    """The result of an operation; a shift has the type of what is shifted."""
    if _is_doubtful(a, b):
        return None
    unsigned, is_size = (x or (y and op != "<<") for x, y in zip(a[1:], b[1:], strict=True))
    left, right = (x.value % _TURN if unsigned and op != "<<" else x.value for x in (a, b))
    value = _OPERATIONS[op](left, right)
    return None if value is None else _held(value, unsigned, is_size)
