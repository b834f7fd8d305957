"""Rewrites a loop that ends after its first turn as the choice that it is."""

from __future__ import annotations

from typing import Any


def as_choice(loop: Any) -> Any | None:
    """`while (c) { ...; break; }` as `if (c) { ... }`; None for loops that may have more turns.

    What is never done, as the step of a `for`, stays as a statement under a condition that does not hold.
    """
    from pycparser import c_ast

    items = loop.stmt.block_items if isinstance(loop.stmt, c_ast.Compound) else None
    if not items or not isinstance(items[-1], c_ast.Break) or any(map(_goes_elsewhere, items[:-1])):
        return None
    body, where = c_ast.Compound(items[:-1], loop.coord), loop.coord
    if isinstance(loop, c_ast.DoWhile):
        return c_ast.Compound([body, c_ast.If(loop.cond, c_ast.EmptyStatement(), None, where)], where)
    if isinstance(loop, c_ast.While):
        return c_ast.If(loop.cond, body, None, where)
    init = loop.init.decls if isinstance(loop.init, c_ast.DeclList) else [loop.init] if loop.init else []
    if any(getattr(part, "storage", None) == ["static"] for part in init):
        return None
    choice = body if loop.cond is None else c_ast.If(loop.cond, body, None, where)
    never = c_ast.If(c_ast.Constant("int", "0"), loop.next or c_ast.EmptyStatement(), None, where)
    return c_ast.Compound([*init, choice, never], where)


def _goes_elsewhere(statement: Any, in_switch: bool = False) -> bool:
    """Whether a statement goes on with, or leaves, the loop around it."""
    name = type(statement).__name__
    if name in ("For", "While", "DoWhile"):
        return False
    if name == "Continue" or (name == "Break" and not in_switch):
        return True
    below = (below for _, below in statement.children())
    return any(_goes_elsewhere(part, in_switch or name == "Switch") for part in below)
