"""Gives variables that hide others of a function names of their own, so that each name means one variable.

`for (int i = 0; ...)` in the scope of another `i` declares another variable, as a block within a block may.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any


def without_hiding(function: Any, addressed: Collection[str]) -> None:
    """Rename variables that hide others of a function, but for the `addressed`, to which pointers may point.

    The new names have a space in them, so that no other name of C is the same.
    """
    listed = function.decl.type.args.params if function.decl.type.args else []
    parameters = {p.name: p.name for p in listed if getattr(p, "name", None)}
    if _hides(function.body, frozenset(), {*parameters}):
        _Scope(frozenset(addressed), count(2), parameters, {*parameters}).block(function.body)


def _hides(statement: Any, outer: frozenset[str], own: set[str]) -> bool:
    """Whether a statement declares a name that a scope around it has; `own` are those of its own scope."""
    kind = type(statement).__name__
    if kind == "Decl":
        own.add(statement.name)
        return statement.name in outer
    if kind not in _BLOCKS:
        return False
    if kind in ("Compound", "For"):
        outer, own = outer | own, set()
    listed = statement.block_items if kind == "Compound" else getattr(statement, "decls", None)
    parts = [getattr(statement, name, None) for name in ("init", "iftrue", "iffalse", "stmt")]
    return any(_hides(part, outer, own) for part in (*(listed or ()), *parts, *_cases(statement)))


def _cases(statement: Any) -> list[Any]:
    """The statements behind a case of a switch."""
    return getattr(statement, "stmts", None) or []


_BLOCKS = frozenset(
    ["Compound", "For", "While", "DoWhile", "If", "Switch", "Case", "Default", "Label", "DeclList"]
)
"""The statements with others in them."""


_OF_THEIR_OWN = ("Struct", "Union", "FuncDecl")
"""What has names in it that are none of the block's."""


@dataclass
class _Scope:
    """What the names mean that are known in a block, and which of them the block declares itself."""

    kept: frozenset[str]
    numbers: Iterator[int]
    names: dict[str, str]
    own: set[str]

    def block(self, block: Any) -> None:
        """Rename what the statements of a block declare and use."""
        for statement in block.block_items or ():
            self._visit(statement)

    def _visit(self, node: Any) -> None:
        kind = type(node).__name__
        if kind in _OF_THEIR_OWN:
            return
        if kind in ("Compound", "For"):
            _Scope(self.kept, self.numbers, dict(self.names), set())._inside(node)
        elif kind == "ID":
            node.name = self.names.get(node.name, node.name)
        elif kind == "StructRef":
            self._visit(node.name)
        elif kind == "NamedInitializer":
            self._visit(node.expr)
        else:
            if kind == "Decl" and node.name and type(node.type).__name__ not in _OF_THEIR_OWN:
                self._declare(node)
            if kind == "Enumerator":
                self.names[node.name] = node.name
            for _, below in node.children():
                self._visit(below)

    def _inside(self, node: Any) -> None:
        """A block, or a loop: C++ lets its body declare nothing of the names that its head declares."""
        if type(node).__name__ == "Compound":
            self.block(node)
            return
        for part in (node.init, node.cond, node.next):
            if part is not None:
                self._visit(part)
        if type(node.stmt).__name__ == "Compound":
            self.block(node.stmt)
        else:
            self._visit(node.stmt)

    def _declare(self, declared: Any) -> None:
        """Take a name for a variable: another one where it hides a variable."""
        name = declared.name
        if name in self.own:
            return  # a second declaration in one block, which readers refuse
        is_hiding = name not in self.kept and name in self.names
        self.own.add(name)
        self.names[name] = f"{name} {next(self.numbers)}" if is_hiding else name
        inner = declared.type
        while type(inner).__name__ in ("ArrayDecl", "PtrDecl"):
            inner = inner.type
        declared.name = self.names[name]
        if type(inner).__name__ == "TypeDecl":
            inner.declname = declared.name
