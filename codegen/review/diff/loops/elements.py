"""Reads a loop that changes one element as the loop that changes a variable, which is stored once behind it.

`s[i] = 0; for (...) { s[i] += x[j]; }` is `t = 0; for (...) { t += x[j]; } s[i] = t;` where the loop touches
nothing that may be s[i] by another name, and always leads to what stands behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from codegen.review.diff.loops.counted import accesses
from codegen.review.diff.loops.exchanged import Access
from codegen.review.diff.loops.found_flags import FoundFlags
from codegen.review.diff.loops.memory_chains import are_apart, held_at, without_store
from codegen.review.diff.loops.neighbours import Begun, block_of, names_of, spelled
from codegen.review.diff.loops.routine_loops import assigned
from codegen.review.diff.loops.routine_values import Place, Variable
from codegen.review.diff.text.sequences import STEPS
from codegen.review.diff.text.trees import declared_in, kinds_of, nodes_of, with_parts


class Elements(FoundFlags):
    """Reads a version in which a loop may change an element turn by turn."""

    def _in_variable(self, first: Any, rest: Sequence[Any]) -> list[Any] | None:
        """A loop that keeps an element in a variable, and the store of that behind it."""
        from pycparser import c_ast

        is_loop = isinstance(first, c_ast.For | c_ast.While | c_ast.DoWhile)
        head = getattr(first, "init", None) if is_loop else None
        is_plain = head is None or kinds_of(head) <= _HEADS
        if not is_loop or not is_plain or not _JUMPS.isdisjoint(kinds_of(first)):
            return None
        for element in _changed(first):
            if (found := self._tried(partial(self._kept_in, element, first))) is not None:
                return [found, *rest]
        return None

    def _kept_in(self, element: Any, loop: Any) -> Any | None:
        """The same for an element, as a block."""
        from pycparser import c_ast

        name, own = f"the value of {spelled(element)}", assigned(loop) | declared_in(loop)
        if names_of(element) & own or name in self.state.names or not self._is_settled(element):
            return None
        self.doubts, place = {}, self._place(element)
        if self.doubts or place.type not in _KINDS or place.is_const or place.is_array:
            return None
        _, value = held_at(self.choices, self.state.memory, place.type, place.node)
        before = without_store(self.choices, self.state.memory, place.type, place.node)
        turned = with_name(deepcopy(loop), spelled(element), name)
        if value is None or before is None or _is_measured(turned, name):
            return None
        begun = Begun(name, place.type, value, before)
        self._made(begun)
        read = self._read_alone(turned)
        touched = accesses(read.touched) if read is not None else None
        if touched is None or not all(self._is_elsewhere(access, place) for access in touched):
            return None
        store = c_ast.Assignment("=", deepcopy(element), c_ast.ID(name, loop.coord), loop.coord)
        return block_of([begun, turned, store], loop)

    def _is_settled(self, element: Any) -> bool:
        """Whether where an element is depends on variables and on the name of an array alone."""
        subscript = getattr(element, "subscript", None)
        parts = nodes_of(subscript) if subscript is not None else []
        named = [self.state.names.get(part.name) for part in parts if type(part).__name__ == "ID"]
        is_plain = all(type(part).__name__ in ("ID", "Constant", "BinaryOp") for part in parts)
        return is_plain and all(isinstance(what, Variable) for what in named)

    def _is_elsewhere(self, access: Access, place: Place) -> bool:
        return are_apart(self.choices, access.type, access.place, place.type, place.node)


_JUMPS = frozenset(["Return", "Goto", "Label"])
_KINDS = ("float", "double", "int", "unsigned")
_HEADS = frozenset(
    ["Assignment", "ID", "Constant", "BinaryOp", "ExprList", "DeclList", "Decl", "TypeDecl", "IdentifierType"]
)
"""What the head of a loop may consist of, which is read before its turns."""


def _changed(loop: Any) -> list[Any]:
    """The elements `x[i]`, `*x` and `x->y` to which a loop assigns, each once."""
    found = dict[str, Any]()
    for node in nodes_of(loop):
        target = getattr(node, "lvalue", None)
        if type(node).__name__ == "UnaryOp" and node.op in STEPS:
            target = node.expr
        if type(_base(target)).__name__ == "ID":
            found.setdefault(spelled(target), target)
    return [*found.values()]


def _base(target: Any) -> Any:
    """The x of `x[i]`, `*x` and `x->y`."""
    kind = type(target).__name__
    if kind == "UnaryOp":
        return target.expr if target.op == "*" else None
    return target.name if kind in ("ArrayRef", "StructRef") else None


def with_name(tree: Any, text: str, name: str) -> Any:
    """A tree, which is changed, with a name in place of each expression of this text."""
    from pycparser import c_ast

    if (
        isinstance(tree, c_ast.ArrayRef | c_ast.UnaryOp | c_ast.StructRef | c_ast.BinaryOp)
        and spelled(tree) == text
    ):
        return c_ast.ID(name, tree.coord)
    return with_parts(tree, lambda part: with_name(part, text, name))


def _is_measured(tree: Any, name: str) -> bool:
    """Whether the address or the size of what has a name is taken anywhere."""
    takers = (n for n in nodes_of(tree) if type(n).__name__ == "UnaryOp" and n.op in ("&", "sizeof"))
    return any(name in names_of(taker) for taker in takers)
