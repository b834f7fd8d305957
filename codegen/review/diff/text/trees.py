"""Walks the trees of pycparser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def nodes_of(tree: Any) -> list[Any]:
    """All nodes of a tree, each before those below it."""
    found, open_ = list[Any](), [tree]
    while open_:
        found.append(open_.pop())
        open_ += [below for _, below in reversed(found[-1].children())]
    return found


def kinds_of(tree: Any) -> set[str]:
    """The kinds of the nodes of a tree, such as "Return"."""
    return {type(node).__name__ for node in nodes_of(tree)}


def declared_in(tree: Any) -> set[str]:
    """The names that a tree declares."""
    return {node.name for node in nodes_of(tree) if type(node).__name__ == "Decl"}


def with_parts(tree: Any, changed: Callable[[Any], Any]) -> Any:
    """A tree, which is changed, with what is made of each node directly below it."""
    from pycparser import c_ast

    for slot in tree.__slots__:
        part = getattr(tree, slot, None)
        if isinstance(part, c_ast.Node):
            setattr(tree, slot, changed(part))
        elif isinstance(part, list):
            setattr(tree, slot, [changed(p) if isinstance(p, c_ast.Node) else p for p in part])
    return tree


def breaks(statement: Any) -> bool:
    """Whether a statement has a break that is not that of a loop or switch in it."""
    name = type(statement).__name__
    inner = name in ("For", "While", "DoWhile", "Switch")
    return name == "Break" or (not inner and any(breaks(below) for _, below in statement.children()))


NAMING = frozenset(["Enum", "Typedef", "Struct", "Union"])
"""The kinds of what gives names to other things than variables."""
