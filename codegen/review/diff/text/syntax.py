"""Parses C with pycparser, for code without macros in a file whose directives do not change its meaning."""

from __future__ import annotations

import pickle
import re
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from typing import Any

from codegen.review.diff.text.acceptance import refused
from codegen.review.diff.text.expansion import NotExpanded, expanded
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.macros import Macros
from codegen.review.diff.text.reserved import STANDARD_TYPES
from codegen.review.diff.text.scopes import without_hiding
from codegen.review.diff.text.sequences import in_sequence
from codegen.review.diff.text.source import Source

LONGEST = 400_000
"""Characters of the longest function that is read."""


_NOT_READ = frozenset(["float_t", "double_t", "intptr_t", "uintptr_t", "wchar_t"])
"""Types of the library that depend on the compiler."""


class Refused(Exception):
    """C that the reader does not accept; the line is counted from that of the function."""

    def __init__(self, where: Any, reason: str) -> None:
        self.line = getattr(getattr(where, "coord", None), "line", 0)
        self.reason = _NUMBER_OF_OBJECT.sub("", reason)


_NUMBER_OF_OBJECT = re.compile(r"(?<=\w)#\d+", re.ASCII)
"""What tells local objects of one name apart."""


def parsed(item: Item, source: Source, kept: Collection[str] = ()) -> Any:
    """The tree of a definition or prototype in a file that has nothing which is not understood.

    The macros that are `kept` stand in it as names.
    """
    if problem := source.oddity(item.path):
        raise Refused(None, f"{problem.path}, line {problem.line}: {problem.reason}")
    return tree_of(item, source, kept)


def tree_of(item: Item, source: Source, kept: Collection[str] = ()) -> Any:
    """The tree of a definition or prototype; the types that it names are declared on its first line."""
    from pycparser import c_ast

    if len(item.code) > LONGEST:
        raise Refused(None, f"it is longer than {LONGEST} characters")
    if not item.is_plain:
        raise Refused(None, "more than words and parameters in the head of a function")
    code = _plain(item, source, source.macros.without(kept))
    types = set(_NAME.findall(code)) & (source.types.keys() | STANDARD_TYPES | _NOT_READ)
    stubs = "".join(f"typedef int {n}; " for n in sorted(types))
    tree = _parsed(stubs + code).tree()
    if len(tree.ext) != stubs.count(";") + 1:
        raise Refused(None, "more than one declaration in one")
    found = tree.ext[-1]
    for where, reason in refused(found, item):
        raise Refused(where, reason)
    if isinstance(found, c_ast.FuncDef):
        without_hiding(found, item.addressed)
        in_sequence(found, item.addressed)
    return found


class _Parsed:
    """C whose tree is asked for once in most cases, and again and again in others; readers change theirs.

    The first one is the parser's own, those after the second are copies.
    """

    def __init__(self, code: str) -> None:
        self.code, self.count, self.copy = code, 0, b""

    def tree(self) -> Any:
        """A tree for one reader."""
        self.count += 1
        if self.copy:
            return pickle.loads(self.copy)
        found = _tree(self.code)
        if self.count == 2:
            with suppress(RecursionError):  # where the tree is too deep
                self.copy = pickle.dumps(found)
        return found


@lru_cache(256)  # a function is parsed for its signature, its formulas, its steps, and where others call it
def _parsed(code: str) -> _Parsed:
    return _Parsed(code)


def _tree(code: str) -> Any:
    from pycparser import c_parser

    try:
        return c_parser.CParser().parse(code)
    except c_parser.ParseError as error:
        place, _, reason = str(error).lstrip(":").partition(": ")
        line = place.partition(":")[0]
        refusal = Refused(None, f"invalid C: {reason or place}")
        refusal.line = int(line) if line.isdigit() else 0
        raise refusal from None
    except AssertionError:  # what pycparser does not expect either
        raise Refused(None, "C that cannot be parsed") from None


def _plain(item: Item, source: Source, macros: Macros) -> str:
    """The code with what the preprocessor puts in place of macros; no macro may stand in its types."""
    try:
        code = item.code if item.names.isdisjoint(macros.definitions) else expanded(item.code, macros)
    except NotExpanded as problem:
        raise Refused(None, f"the macro {problem}") from None
    names = _meanings(set(_NAME.findall(code)), source)
    for name in sorted(n for n in names if n in macros and n not in macros.expansions):
        raise Refused(None, f"the macro {name}")
    return code


_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*", re.ASCII)


def _meanings(names: set[str], source: Source) -> set[str]:
    """Names and, transitively, those in the types that they name."""
    found, open_ = set[str](), set(names)
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
    "Break": "a break",
    "Continue": "a continue",
    "Return": "a return before the end",
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


def is_constant(expr: Any) -> bool:
    """Whether an expression consists of numbers and operators alone."""
    allowed = (
        "Constant",
        "UnaryOp",
        "BinaryOp",
        "TernaryOp",
        "Cast",
        "Typename",
        "TypeDecl",
        "IdentifierType",
    )
    return type(expr).__name__ in allowed and all(is_constant(below) for _, below in expr.children())
