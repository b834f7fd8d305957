"""Statements of C as mathematics: a value or a store as an equation in MathML, whatever the C is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

from codegen.emit.mathml import (
    ATOM,
    RELATION,
    RULES,
    SUM,
    Piece,
    Rule,
    call,
    coded,
    identifier,
    infix,
    number,
)
from codegen.ir.operations import Op
from codegen.notation.elements import element, operator, row

LONGEST = 1_500
"""Limit on the characters of a statement that is shown as a formula."""

_DEEPEST = 40
"""Limit on the brackets around a part of a formula."""

_VALUE = re.compile(
    r"(?:(?:static|register|const) )*(?:(?:double|float|int|unsigned|unsigned int|\w*status) )?"
    r"(\*?\w[\w.>\[\]-]*) ([-+*/|]?)= (.*);",
    re.ASCII,
)
_NUMBER = re.compile(r"(\d*\.?\d*(?:[eE][-+]?\d+)?)[fFlLuU]*", re.ASCII)


class _Unshown(Exception):
    """C that has no formula."""


def formula(statement: str) -> str:
    """The markup of the equation that a statement is; empty where it is none, or is too long."""
    found = _VALUE.fullmatch(statement) if len(statement) <= LONGEST else None
    if found is None or statement.count("(") > _DEEPEST:
        return ""
    name, combined, value = found.groups()
    try:
        right = _piece(_parsed(value))
        left = _piece(_parsed(name)).shown
    except (_Unshown, RecursionError):
        return ""
    sign = operator(f"{_SIGNS.get(combined, combined)}=" if combined else "=")
    return coded(row(left, sign, right.shown))


_SIGNS = {"-": "\u2212", "*": "\u22c5"}


def _parsed(expression: str) -> Any:
    from pycparser import c_parser

    try:
        return c_parser.CParser().parse(f"int x = ({expression});").ext[0].init
    except (c_parser.ParseError, AssertionError, AttributeError):
        raise _Unshown from None


_BINARY: Mapping[str, Rule] = {
    "+": RULES[Op.ADD], "-": RULES[Op.SUB], "*": RULES[Op.MUL], "/": RULES[Op.DIV],
    "<": RULES[Op.LT], "<=": RULES[Op.LE], "&&": RULES[Op.AND], "||": RULES[Op.OR],
    ">": infix(">", RELATION, SUM), ">=": infix("\u2265", RELATION, SUM),
    "==": infix("=", RELATION, SUM), "!=": infix("\u2260", RELATION, SUM),
}  # fmt: skip
_UNARY: Mapping[str, Rule] = {"-": RULES[Op.NEG], "!": RULES[Op.NOT]}
_FUNCTIONS: Mapping[str, Rule] = {"sqrt": RULES[Op.SQRT], "fabs": RULES[Op.ABS]}


def _piece(node: Any) -> Piece:
    """A part of a C expression."""
    match type(node).__name__:
        case "ID":
            return Piece(identifier(node.name), ATOM)
        case "Constant":
            return Piece(_constant(node.value), ATOM)
        case "BinaryOp" if node.op in _BINARY:
            return _BINARY[node.op]([_piece(node.left), _piece(node.right)])
        case "UnaryOp" if node.op in _UNARY:
            return _UNARY[node.op]([_piece(node.expr)])
        case "UnaryOp" if node.op in ("*", "+"):
            return _piece(node.expr)
        case "TernaryOp":
            return RULES[Op.SELECT]([_piece(n) for n in (node.cond, node.iftrue, node.iffalse)])
        case "StructRef" | "ArrayRef":
            return Piece(_place(node), ATOM)
        case "FuncCall" if type(node.name).__name__ == "ID" and node.args:
            name = node.name.name.removesuffix("f")
            return _FUNCTIONS.get(name, call(name))([_piece(n) for n in node.args.exprs])
    raise _Unshown


def _place(node: Any) -> Element:
    """A member or element with its name as a subscript: v_x, M_7."""
    path = list[str]()
    while type(node).__name__ in ("StructRef", "ArrayRef"):
        is_member = type(node).__name__ == "StructRef"
        below = node.field.name if is_member else getattr(node.subscript, "value", "")
        if not re.fullmatch(r"\w+", below, re.ASCII):
            raise _Unshown
        path.append(below)
        node = node.name
    if type(node).__name__ != "ID":
        raise _Unshown
    return identifier("_".join([node.name, *reversed(path)]))


def _constant(text: str) -> Element:
    found = _NUMBER.fullmatch(text)
    return number(found[1].lower()) if found and found[1] else element("mtext", text)
