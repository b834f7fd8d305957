"""Finds what compilers refuse in C that can be parsed: names of macros, and what C++ refuses in headers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from codegen.review.diff.text.items import Item
from codegen.review.diff.text.reserved import ARGUMENTS, is_macro
from codegen.review.diff.text.trees import nodes_of


def refused(tree: Any, item: Item) -> Iterator[tuple[Any, str]]:
    """The parts of an item, given its tree, that are refused, each with the reason."""
    if (":", "}") in pairwise(item.tokens):  # the tree has an empty statement there
        labels = (n for n in nodes_of(tree) if type(n).__name__ in ("Case", "Default", "Label"))
        yield next(labels, None), "a label without a statement before a brace"
    is_in_header = item.path.endswith(".h")
    is_doubtful = is_in_header or any(map(is_macro, item.names)) or not _SELDOM.isdisjoint(item.names)
    for node in nodes_of(tree) if is_doubtful else ():
        if rule := _EVERYWHERE.get(type(node).__name__):
            yield from rule(node)
        if is_in_header:
            yield from _of_c_alone(node)


def _macros(node: Any) -> Iterator[tuple[Any, str]]:
    """A declaration of what is a macro where a header of the library is included."""
    if is_macro(node.name or ""):
        yield node, f"it declares {node.name}, which is a macro of the library or of compilers"


_SELDOM = frozenset(["switch", *(name + end for name in ARGUMENTS for end in ("", "f"))])


def _arguments(call: Any) -> Iterator[tuple[Any, str]]:
    """Another number of arguments than a function takes, which compilers refuse also in dead code."""
    name = getattr(call.name, "name", "")
    wanted = ARGUMENTS.get(name.removesuffix("f"), ARGUMENTS.get(name))
    given = len(call.args.exprs) if call.args else 0
    if wanted not in (None, given):
        yield call, f"a call of {name} with {given} arguments"


def _cases(switch: Any) -> Iterator[tuple[Any, str]]:
    """Two defaults, which compilers refuse also in dead code."""
    if len([*_defaults(switch.stmt)]) > 1:
        yield switch, "a switch with two defaults"


_EVERYWHERE: Mapping[str, Callable[[Any], Iterator[tuple[Any, str]]]] = {
    "Decl": _macros,
    "Enumerator": _macros,
    "Label": _macros,
    "FuncCall": _arguments,
    "Switch": _cases,
}
"""By the kind of a node, what is refused wherever it stands."""


def _defaults(node: Any) -> Iterator[Any]:
    """The defaults of a switch, and not of those inside of it."""
    from pycparser import c_ast

    if isinstance(node, c_ast.Default):
        yield node
    for _, below in node.children():
        if not isinstance(below, c_ast.Switch):
            yield from _defaults(below)


def _of_c_alone(node: Any) -> Iterator[tuple[Any, str]]:
    """What compilers of C++ do not accept in a function."""
    from pycparser import c_ast

    if isinstance(node, c_ast.NamedInitializer):
        yield node, "a designator, which C++ before C++20 does not have"
    if isinstance(node, c_ast.CompoundLiteral):
        yield node, "a compound literal, which C++ does not have"
    for declared in node.block_items or [] if isinstance(node, c_ast.Compound) else []:
        if isinstance(declared, c_ast.Decl):
            is_object = isinstance(declared.type, c_ast.TypeDecl | c_ast.ArrayDecl)
            if is_object and "const" in declared.quals and declared.init is None:
                yield declared, f"{declared.name} is constant without a value, which C++ refuses"
            if isinstance(declared.init, c_ast.InitList) and _is_scalar(declared.type):
                yield declared, f"{declared.name} is a number in braces, which C++ may refuse to convert"
            if {*declared.storage} & {"auto", "register"}:
                yield declared, f"{declared.storage[0]}, which is another word in C++"


_SCALARS = frozenset(
    ["float", "double", "int", "unsigned", "signed", "short", "long", "char", "_Bool", "bool"]
)


def _is_scalar(kind: Any) -> bool:
    """Whether a declared type is one of C's own numbers."""
    names = getattr(getattr(kind, "type", None), "names", None) or ()
    return bool(names) and _SCALARS.issuperset(names)
