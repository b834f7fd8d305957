"""What sizeof gives: the bytes of types and of objects that are named as a whole."""

from __future__ import annotations

from typing import Any

from codegen.review.diff.functions.memory import Block, Shape
from codegen.review.diff.functions.places import Place, Places
from codegen.review.diff.functions.signature import layout
from codegen.review.diff.reading import SCALARS, Held
from codegen.review.diff.text.integers import Integer
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused, type_names

BYTES = {Held.INT: 4, Held.FLOAT: 4, Held.DOUBLE: 8}
"""The size of each type of scalar, of which objects consist without padding."""


def bytes_of(operand: Any, source: Source) -> int:
    """The bytes of a type; Refused for other operands, and for types of which they are not known."""
    from pycparser import c_ast

    name = " ".join(type_names(getattr(operand, "type", None)))
    if isinstance(operand, c_ast.Typename) and name in SCALARS:
        return BYTES[SCALARS[name]]
    is_type = isinstance(operand, c_ast.Typename) and isinstance(operand.type, c_ast.TypeDecl)
    if not is_type or name not in source.types:
        raise Refused(operand, "the size of a type that is not known")
    held, order = layout(operand, name, source)
    return len(order) * BYTES[held]


class Sizes(Places):
    """The sizes of types and objects."""

    def _integer(self, expr: Any) -> Integer | None:
        """The number that an integer variable is known to hold, or that sizeof gives."""
        if type(expr).__name__ != "UnaryOp":
            return super()._integer(expr)
        try:
            return Integer(self._size_of(expr.expr), True, True)
        except Refused:
            return None

    def _size_of(self, operand: Any) -> int:
        """The bytes of a type, or of an object that is named as a whole."""
        from pycparser import c_ast

        if isinstance(operand, c_ast.Typename):
            return bytes_of(operand, self.source)
        if isinstance(operand, c_ast.ID) and not isinstance(self._named(operand), Block):
            raise Refused(operand, f"the size of {operand.name}")  # of a pointer, as array parameters are
        place = self._place(operand)
        if self._shape(place) is None:
            raise Refused(operand, f"{place.object} has no {place.path}")
        return len(self._inside(place)) * BYTES[self.objects[place.object].held]

    def _inside(self, place: Place) -> list[str]:
        """The paths of the scalars of a place, in their order in memory."""
        shapes, below = self.objects[place.object].shapes, tuple(place.path + mark for mark in ".[")
        scalars = (path for path, shape in shapes.items() if shape is Shape.SCALAR)
        return [path for path in scalars if path == place.path or path.startswith(below)]
