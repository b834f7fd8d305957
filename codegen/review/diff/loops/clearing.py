"""Reads `memset(x, 0, (size_t)n * sizeof(x[0]))` as the loop that gives n elements the value 0.

`memcpy(x, y, (size_t)n * sizeof(x[0]))`, or memmove, is the loop that copies n elements,
where x and y are apart.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from codegen.review.diff.text.integers import constant
from codegen.review.diff.text.syntax import type_names
from codegen.review.diff.text.trees import nodes_of

_ZEROS = {"float": ("float", "0.0f"), "double": ("double", "0.0"), "int": ("int", "0")}
"""By type of the elements, a constant of it whose bytes are all 0."""


class Clearing(NamedTuple):
    """A call of memset, memcpy or memmove: an array, and how many of its elements become 0 or are copied.

    `source` is the array from which they are copied, None where they become 0. `size` is what is measured
    for the size of an element.
    """

    name: str
    array: Any
    count: Any
    size: Any
    source: Any


def clearing(statement: Any) -> Clearing | None:
    """The array that a statement clears, or copies into; None for other statements."""
    from pycparser import c_ast

    call = statement.expr if isinstance(statement, c_ast.Cast) and _is_void(statement) else statement
    given = call.args.exprs if isinstance(call, c_ast.FuncCall) and call.args else []
    name = getattr(call.name, "name", "") if given else ""
    if len(given) != 3 or name not in ("memset", "memcpy", "memmove"):
        return None
    array, value, extent = given
    source = value if name != "memset" and _is_settled(value) else None
    number, product = constant(value), extent if isinstance(extent, c_ast.BinaryOp) else None
    is_zero = name == "memset" and number is not None and number.value == 0
    if not (is_zero or source) or product is None or product.op != "*":
        return None
    sizes = [s for s in (product.left, product.right) if isinstance(s, c_ast.UnaryOp) and s.op == "sizeof"]
    counts = [_plain(s) for s in (product.left, product.right) if s not in sizes]
    if len(sizes) != 1 or not _is_settled(counts[0]) or not _is_settled(array):
        return None
    return Clearing(name, array, counts[0], sizes[0].expr, source)


def measures(size: Any, array: Any, kind: str) -> bool:
    """Whether what is measured is an element of an array of this type: `x[0]`, `*x`, or the type itself."""
    from pycparser import c_ast

    if isinstance(size, c_ast.Typename):
        return type_names(size.type) == [kind] and not isinstance(size.type, c_ast.PtrDecl)
    is_first = isinstance(size, c_ast.ArrayRef) and isinstance(size.subscript, c_ast.Constant)
    is_pointed = isinstance(size, c_ast.UnaryOp) and size.op == "*"
    measured = size.name if is_first else size.expr if is_pointed else None
    return isinstance(measured, c_ast.ID) and measured.name in names_in_order(array)[:1]


def as_loop(found: Clearing, kind: str, where: Any) -> Any | None:
    """The loop over the elements, whose index has a name that no C has; None for elements of other types."""
    from pycparser import c_ast

    if found.source is None and kind not in _ZEROS:
        return None
    name, at = "the index of memset", where.coord
    declared = c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(["int"], at), at)
    index = c_ast.Decl(name, [], [], [], [], declared, c_ast.Constant("int", "0", at), None, at)
    stored = c_ast.ArrayRef(found.array, c_ast.ID(name, at), at)
    copied = c_ast.ArrayRef(found.source, c_ast.ID(name, at), at)
    value = copied if found.source is not None else c_ast.Constant(*_ZEROS[kind], at)
    body = c_ast.Assignment("=", stored, value, at)
    test = c_ast.BinaryOp("<", c_ast.ID(name, at), found.count, at)
    step = c_ast.UnaryOp("p++", c_ast.ID(name, at), at)
    return c_ast.For(c_ast.DeclList([index], at), test, step, c_ast.Compound([body], at), at)


def _plain(expr: Any) -> Any:
    """An expression without a cast to size_t."""
    from pycparser import c_ast

    is_cast = isinstance(expr, c_ast.Cast) and type_names(expr.to_type.type) == ["size_t"]
    return expr.expr if is_cast else expr


def _is_settled(expr: Any) -> bool:
    """Whether an expression is made of names and numbers alone, or is the address of an element."""
    from pycparser import c_ast

    if isinstance(expr, c_ast.UnaryOp) and expr.op == "&" and isinstance(expr.expr, c_ast.ArrayRef):
        return _is_settled(expr.expr.name) and _is_settled(expr.expr.subscript)
    if isinstance(expr, c_ast.BinaryOp) and expr.op in ("+", "-", "*"):
        return _is_settled(expr.left) and _is_settled(expr.right)
    return isinstance(expr, c_ast.ID | c_ast.Constant)


def names_in_order(expr: Any) -> list[str]:
    """The names in an expression, as they stand there."""
    return [node.name for node in nodes_of(expr) if type(node).__name__ == "ID"]


def _is_void(cast: Any) -> bool:
    return type_names(cast.to_type.type) == ["void"]
