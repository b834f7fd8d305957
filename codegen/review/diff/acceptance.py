"""Finds what compilers refuse in C that can be parsed: names of macros, and what C++ refuses in headers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codegen.review.diff.items import Item
from codegen.review.diff.reserved import is_macro


def refused(tree: Any, item: Item) -> Iterator[tuple[Any, str]]:
    """The parts of an item, given its tree, that are refused, each with the reason."""
    is_in_header, has_macros = item.path.endswith(".h"), any(map(is_macro, item.names))
    open_ = [tree] if is_in_header or has_macros else []
    while open_:
        node = open_.pop()
        open_ += [below for _, below in node.children()]
        yield from _macros(node)
        if is_in_header:
            yield from _of_c_alone(node)


def _macros(node: Any) -> Iterator[tuple[Any, str]]:
    """A declaration of what is a macro where a header of the library is included."""
    from pycparser import c_ast

    if isinstance(node, c_ast.Decl | c_ast.Enumerator | c_ast.Label) and is_macro(node.name or ""):
        yield node, f"it declares {node.name}, which is a macro of the library or of compilers"


def _of_c_alone(node: Any) -> Iterator[tuple[Any, str]]:
    """What compilers of C++ do not accept in a function."""
    from pycparser import c_ast

    if isinstance(node, c_ast.NamedInitializer):
        yield node, "a designator, which C++ before C++20 does not have"
    for declared in node.block_items or [] if isinstance(node, c_ast.Compound) else []:
        if isinstance(declared, c_ast.Decl):
            is_object = isinstance(declared.type, c_ast.TypeDecl | c_ast.ArrayDecl)
            if is_object and "const" in declared.quals and declared.init is None:
                yield declared, f"{declared.name} is constant without a value, which C++ refuses"
            if {*declared.storage} & {"auto", "register"}:
                yield declared, f"{declared.storage[0]}, which is another word in C++"
