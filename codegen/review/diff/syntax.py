"""Parses C with pycparser, for code without macros in a file whose directives do not change its meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from codegen.review.diff.source import Item, Source

LONGEST = 400_000
"""Characters of the longest function that is read."""


class Refused(Exception):
    """C that the reader does not accept; the line is counted from that of the function."""

    def __init__(self, where: Any, reason: str) -> None:
        self.line = getattr(getattr(where, "coord", None), "line", 0)
        self.reason = reason


def parsed(item: Item, source: Source) -> Any:
    """The tree of a definition or prototype; the types that it names are declared on its first line."""
    from pycparser import c_parser

    if len(item.code) > LONGEST:
        raise Refused(None, f"it is longer than {LONGEST} characters")
    if not item.code.isascii():
        raise Refused(None, "a character that is not ASCII")
    for name in sorted(_meanings(item, source)):
        if name in source.macros and integer(source.macros[name]) is None:
            raise Refused(None, f"the macro {name}")
    if problem := source.oddity(item.path):
        raise Refused(None, f"{problem.path}, line {problem.line}: {problem.reason}")
    stubs = "".join(f"typedef int {n}; " for n in sorted(item.names & source.types.keys()))
    try:
        tree = c_parser.CParser().parse(stubs + _with_restrict(item.code, source))
    except c_parser.ParseError as error:
        place, _, reason = str(error).lstrip(":").partition(": ")
        line = place.partition(":")[0]
        refusal = Refused(None, f"invalid C: {reason or place}")
        refusal.line = int(line) if line.isdigit() else 0
        raise refusal from None
    except AssertionError:  # what pycparser does not expect either
        raise Refused(None, "C that cannot be parsed") from None
    return tree.ext[-1]


def _with_restrict(code: str, source: Source) -> str:
    """The code with the word for the macros that stand for it."""
    for name in sorted(source.restricting - source.macros.keys()):
        code = re.sub(rf"\b{name}\b", "restrict", code, flags=re.ASCII)
    return code


def _meanings(item: Item, source: Source) -> set[str]:
    """Every name in the function and, transitively, in its types."""
    found, open_ = set[str](), set(item.names)
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            open_.update(*(i.names for i in source.types.get(name, ())))
    return found


_KINDS = {
    "For": "a loop",
    "While": "a loop",
    "DoWhile": "a loop",
    "If": "an if",
    "Switch": "a switch",
    "Goto": "a goto",
    "Compound": "a nested block",
    "FuncCall": "a call whose result is not used",
    "Assignment": "an unsupported form of assignment",
    "ExprList": "a comma operator",
    "ArrayDecl": "an array",
}


def kind_of(node: Any) -> str:
    """The description of a C construct in messages."""
    name = type(node).__name__
    if name == "UnaryOp":
        return f"the operator {node.op.removeprefix('p')}"
    return _KINDS.get(name, f"the C construct {name}")


def type_names(kind: Any) -> list[str]:
    """The words of a type's name; empty where it is not a plain type."""
    names = getattr(getattr(kind, "type", None), "names", None)
    return list(names) if isinstance(names, list) else []


def integer(bodies: Iterable[str]) -> int | None:
    """The value of a macro that is one decimal integer, with or without its suffix for unsigned ones."""
    text = list(bodies)
    found = re.fullmatch(r"(0|[1-9]\d{0,8})[uU]?", text[0], re.ASCII) if len(text) == 1 else None
    return int(found[1]) if found else None


def unsigned(bodies: Iterable[str]) -> bool:
    """Whether a macro is one decimal integer with the suffix for unsigned ones."""
    return integer(bodies) is not None and "".join(bodies)[-1] in "uU"


def whole(expr: Any, counters: Mapping[str, int] = MappingProxyType({})) -> int | None:
    """The value of a plain decimal integer, of a loop's counter, or of a sum of these."""
    from pycparser import c_ast

    if isinstance(expr, c_ast.BinaryOp) and expr.op == "+":
        left, right = whole(expr.left, counters), whole(expr.right, counters)
        return None if left is None or right is None else left + right
    if isinstance(expr, c_ast.ID):
        return counters.get(expr.name)
    text = getattr(expr, "value", "") if getattr(expr, "type", "") == "int" else ""
    return int(text) if re.fullmatch(r"0|[1-9]\d{0,8}", text, re.ASCII) else None


def counted(loop: Any) -> tuple[str, range]:
    """The counter and its values of `for (int k = 0; k < 24; k += 8)`."""
    from pycparser import c_generator

    generator = c_generator.CGenerator()
    control = "; ".join(generator.visit(part) for part in (loop.init, loop.cond, loop.next) if part)
    match = _COUNTED.fullmatch(control)
    if match is None:
        raise Refused(loop, "a loop whose form is not `for (int k = 0; k < 24; k += 8)`")
    return match["k"], range(0, int(match["end"]), int(match["step"]))


_COUNTED = re.compile(
    r"int (?P<k>\w+) = 0; (?P=k) < (?P<end>[1-9]\d{0,8}); (?P=k) \+= (?P<step>[1-9]\d{0,8})", re.ASCII
)
"""The control of a loop, as pycparser prints it."""
