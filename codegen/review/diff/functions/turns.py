"""Rewrites a loop that ends after its first turn as the choice that it is.

A `break` before the end of such a loop is a goto to what follows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from codegen.review.diff.text.integers import constant
from codegen.review.diff.text.trees import kinds_of


def without_early_breaks(node: Any, names: Iterator[int] | None = None) -> Any:
    """A statement in which loops of one turn are left by goto where a break stands before their end."""
    from pycparser import c_ast

    numbers = count() if names is None else names
    for name in ("iftrue", "iffalse", "stmt"):
        if getattr(node, name, None) is not None:
            setattr(node, name, without_early_breaks(getattr(node, name), numbers))
    for name in ("block_items", "stmts"):
        if getattr(node, name, None):
            setattr(node, name, [without_early_breaks(below, numbers) for below in getattr(node, name)])
    if not isinstance(node, c_ast.For | c_ast.While | c_ast.DoWhile):
        return node
    body = node.stmt if isinstance(node.stmt, c_ast.Compound) else None
    items = list(body.block_items or ()) if body is not None else []
    is_once = isinstance(node, c_ast.DoWhile) and _is_zero(node.cond)
    is_ended = bool(items) and isinstance(items[-1], c_ast.Break)
    goes_on = any(_goes_elsewhere(s, kinds=("Continue",)) for s in items)
    if body is None or not (is_once or is_ended) or (goes_on and not is_once):
        return node
    inside = items[:-1] if is_ended else items
    if not any(map(_goes_elsewhere, inside)) and not (is_once and any(map(_jumps, inside))):
        return node
    label = f"{_END} {next(numbers)}"
    body.block_items = [*(_left_by(s, label) for s in inside), c_ast.Break(node.coord)]
    return c_ast.Compound([node, c_ast.Label(label, c_ast.EmptyStatement(), node.coord)], node.coord)


_END = "the end of a loop"
"""The beginning of labels, which no label of C has."""


def _is_zero(condition: Any) -> bool:
    number = constant(condition)
    return number is not None and number.value == 0


def _left_by(statement: Any, label: str, in_switch: bool = False) -> Any:
    """A statement with gotos in place of the breaks, and continues, that leave the loop around it."""
    from pycparser import c_ast

    kind = type(statement).__name__
    if kind in _LOOPS:
        return statement
    if kind == "Continue" or (kind == "Break" and not in_switch):
        return c_ast.Goto(label, statement.coord)
    for name in ("iftrue", "iffalse", "stmt"):
        if getattr(statement, name, None) is not None:
            below = _left_by(getattr(statement, name), label, in_switch or kind == "Switch")
            setattr(statement, name, below)
    for name in ("block_items", "stmts"):
        if getattr(statement, name, None):
            parts = [_left_by(b, label, in_switch) for b in getattr(statement, name)]
            setattr(statement, name, parts)
    return statement


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


def with_condition(loop: Any) -> Any:
    """`for (;;) { if (c) { break; } ... }` as `for (; !c;) { ... }`; other loops as they are."""
    from pycparser import c_ast

    items = list(getattr(loop.stmt, "block_items", None) or ())
    if isinstance(loop, c_ast.DoWhile) or not items or not isinstance(items[0], c_ast.If):
        return loop
    number = None if loop.cond is None else constant(loop.cond)
    if loop.cond is not None and (number is None or number.value == 0):
        return loop
    first, where = items[0], loop.coord
    way = first.iftrue.block_items if isinstance(first.iftrue, c_ast.Compound) else [first.iftrue]
    if first.iffalse is not None or not way or len(way) != 1 or not isinstance(way[0], c_ast.Break):
        return loop
    test = c_ast.UnaryOp("!", first.cond, first.coord)
    body = c_ast.Compound(items[1:], loop.stmt.coord)
    return c_ast.For(getattr(loop, "init", None), test, getattr(loop, "next", None), body, where)


def _jumps(statement: Any) -> bool:
    """Whether a statement may leave the block around it."""
    return not kinds_of(statement).isdisjoint(("Goto", "Return"))


_LOOPS = ("For", "While", "DoWhile")
_LEAVING = ("Continue", "Break")


def _goes_elsewhere(statement: Any, in_switch: bool = False, kinds: tuple[str, ...] = _LEAVING) -> bool:
    """Whether a statement goes on with, or leaves, the loop around it."""
    name = type(statement).__name__
    if name in _LOOPS:
        return False
    if name in kinds and (name == "Continue" or not in_switch):
        return True
    below = (below for _, below in statement.children())
    return any(_goes_elsewhere(part, in_switch or name == "Switch", kinds) for part in below)
