"""Finds the functions of a tree that are formulas: static ones that only return an expression of numbers."""

from __future__ import annotations

from typing import Any

from codegen.review.diff.loops.choices import RANKS
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import parsed, type_names
from codegen.review.diff.text.trees import nodes_of


def formula_called(name: str, path: str, source: Source) -> tuple[Any, Item] | None:
    """The formula that a call in a file means, with its item; None for other functions."""
    items = source.called(name, path)
    found = formula(items[0], source) if len(items) == 1 else None
    return None if found is None else (found, items[0])


def formula(item: Item, source: Source) -> Any:
    """The tree of a function that is a formula; None for others.

    It calls no function of the tree and depends on no macro of which a build may define another one.
    """
    from pycparser import c_ast

    name = item.tokens[item.tokens.index("(") - 1]
    if not item.is_static or item.others or source.adjustable(name):
        return None
    function = parsed(item, source)
    body = function.body.block_items or []
    if len(body) != 1 or not isinstance(body[0], c_ast.Return) or body[0].expr is None:
        return None
    listed = function.decl.type.args.params if function.decl.type.args else []
    is_of_numbers = all(_is_number(part) for part in (function.decl.type, *listed))
    return function if is_of_numbers and not _calls(body[0], source) else None


def _is_number(declared: Any) -> bool:
    """Whether a parameter, or what a function returns, is a plain number."""
    is_plain = type(declared.type).__name__ == "TypeDecl" and not getattr(declared, "storage", None)
    return is_plain and " ".join(type_names(declared.type)) in RANKS


def _calls(statement: Any, source: Source) -> bool:
    """Whether a statement calls a function of the tree."""
    calls = (node for node in nodes_of(statement) if type(node).__name__ == "FuncCall")
    return any(getattr(call.name, "name", "") in source.functions for call in calls)
