"""Definitions of functions, with the types that they name for themselves replaced by what these mean."""

from __future__ import annotations

from typing import Any

from codegen.review.diff.functions.turns import without_early_breaks
from codegen.review.diff.functions.types import scalar_type
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.reserved import STANDARD_TYPES, is_reserved
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused, parsed, type_names
from codegen.review.diff.text.trees import nodes_of


def definition(item: Item, source: Source) -> Any:
    """The tree of a definition, in whose body no type has a name of its own."""
    from pycparser import c_ast

    tree = parsed(item, source)
    _check_labels(nodes_of(tree))
    without_typedefs(tree, source)
    if isinstance(tree, c_ast.FuncDef):
        without_early_breaks(tree.body)
    return tree


def without_typedefs(tree: Any, source: Source) -> None:
    """Put what they mean in place of the types that a function names for itself."""
    from pycparser import c_ast

    nodes = nodes_of(tree)
    for typedef in [node for node in nodes if isinstance(node, c_ast.Typedef)]:
        _check_typedef(typedef, nodes, source)
        for node in nodes:
            if isinstance(node, c_ast.IdentifierType) and node.names == [typedef.name]:
                node.names = type_names(typedef.type)
    for node in nodes:
        if isinstance(node, c_ast.Compound) and node.block_items:
            node.block_items = [s for s in node.block_items if not isinstance(s, c_ast.Typedef)]


def _check_typedef(typedef: Any, nodes: list[Any], source: Source) -> None:
    """Refuse a typedef whose name means something else anywhere, or that is not that of a plain type."""
    from pycparser import c_ast

    name, kind = typedef.name, typedef.type
    named = [node for node in nodes if getattr(node, "name", None) == name and node is not typedef]
    is_known = name in source.types or name in STANDARD_TYPES or is_reserved(name)
    is_plain = isinstance(kind, c_ast.TypeDecl) and not typedef.quals and not kind.align
    blocks = [node.block_items for node in nodes if isinstance(node, c_ast.Compound)]
    stands_in_block = any(typedef is statement for items in blocks for statement in items or [])
    if named or is_known or not is_plain or not stands_in_block:
        raise Refused(typedef, f"the type {name}")
    if scalar_type(kind, source) is None and " ".join(type_names(kind)) not in source.types:
        raise Refused(typedef, f"the type {name}")


def _check_labels(nodes: list[Any]) -> None:
    """Refuse two labels of one name, and those before which C99 wants no declaration and no brace."""
    from pycparser import c_ast

    labels = [node for node in nodes if isinstance(node, c_ast.Label | c_ast.Case | c_ast.Default)]
    for label in labels:
        for first in label.stmts or [] if not isinstance(label, c_ast.Label) else [label.stmt]:
            if isinstance(first, c_ast.EmptyStatement) and str(first.coord) == str(label.coord):
                raise Refused(label, "a label without a statement")
    names = [label.name for label in labels if isinstance(label, c_ast.Label)]
    if len(set(names)) < len(names):
        raise Refused(None, "two labels of one name")
