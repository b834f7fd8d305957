"""Places in memory that C expressions name: members, elements, and what pointers point to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from codegen.review.diff.functions.memory import Block, Local, Memory, Pointer, Shape
from codegen.review.diff.text.integers import COMPARISONS, Integer, calculated
from codegen.review.diff.text.syntax import Refused, kind_of


class Place(NamedTuple):
    """A part of an object, and whether it may not be written."""

    object: str
    path: str
    is_const: bool


class Places(Memory):
    """The places that the expressions of a function name."""

    def _scalar(self, expr: Any) -> Place:
        """The place of a scalar that an expression names."""
        place = self._place(expr)
        if self._shape(place) is not Shape.SCALAR:
            raise Refused(expr, f"{place.object} has no {place.path or 'value'}")
        return place

    def _place(self, expr: Any) -> Place:
        """The place that an expression names, of a scalar, a struct or an array."""
        from pycparser import c_ast

        if isinstance(expr, c_ast.ID):
            name = self._named(expr)
            if isinstance(name, Block):
                return Place(name.object, "", name.is_const)
            raise Refused(expr, f"{expr.name} is not a pointer parameter")
        if isinstance(expr, c_ast.StructRef):
            inner = (
                self._place(expr.name) if expr.type == "." else self._target(expr, self._pointer(expr.name))
            )
            return inner._replace(path=f"{inner.path}.{expr.field.name}")
        if isinstance(expr, c_ast.ArrayRef):
            return self._element(expr)
        if isinstance(expr, c_ast.UnaryOp) and expr.op == "*":
            return self._target(expr, self._pointer(expr.expr))
        raise Refused(expr, f"{kind_of(expr)} where a variable is required")

    def _element(self, expr: Any) -> Place:
        """`a[2]`, which is `*(a + 2)` and `2[a]`."""
        for array, subscript in ((expr.name, expr.subscript), (expr.subscript, expr.name)):
            index = self._count(subscript)
            if index is not None:
                return self._target(expr, self._moved(expr, self._pointer(array), index))
        raise Refused(expr, "an index that is not a plain number")

    def _pointer(self, expr: Any) -> Pointer:
        """The value of a pointer, or the address of the first element of an array."""
        from pycparser import c_ast

        if isinstance(name := self._named(expr), Local | Pointer):
            if isinstance(name, Pointer):
                return name
            raise Refused(expr, f"{expr.name} is not a pointer parameter")
        if isinstance(expr, c_ast.UnaryOp) and expr.op == "&":
            return _address(self._place(expr.expr))
        if isinstance(expr, c_ast.BinaryOp) and expr.op in ("+", "-"):
            return self._offset(expr)
        place = self._place(expr)
        if self._shape(place) is not Shape.ARRAY:
            raise Refused(expr, f"{kind_of(expr)} where a pointer is required")
        return Pointer(place.object, place.path, 0, place.is_const)

    def _offset(self, expr: Any) -> Pointer:
        """`a + 2`, `2 + a`, `p - 1`."""
        sides = ((expr.left, expr.right), (expr.right, expr.left))
        for pointer, number in sides if expr.op == "+" else sides[:1]:
            by = self._count(number)
            if by is not None:
                return self._moved(expr, self._pointer(pointer), by if expr.op == "+" else -by)
        raise Refused(expr, "an index that is not a plain number")

    def _moved(self, where: Any, pointer: Pointer, by: int) -> Pointer:
        """The pointer, so many elements further on."""
        if by == 0:
            return pointer
        element = -1 if pointer.element is None else pointer.element + by
        if element > 0 and f"{pointer.stem}[{element - 1}]" not in self._shapes(pointer):
            raise Refused(where, f"{pointer.object} has no {pointer.stem}[{element}]")
        is_plain = pointer.stem == "" and isinstance(self.names.get(pointer.object), Pointer)
        if is_plain and by > 0 and self._shape(Place(pointer.object, "", False)) is Shape.SCALAR:
            said = f"element {by} of {pointer.object}, which is a pointer that states no number of elements"
            raise Refused(where, said)
        if element < 0:
            raise Refused(where, f"pointer arithmetic on {pointer.object}")
        return pointer._replace(element=element)

    def _compared_pointers(self, expr: Any) -> bool | None:
        """Whether a comparison of two pointers into one array holds; None for anything else."""
        from pycparser import c_ast

        if not isinstance(expr, c_ast.BinaryOp) or not all(map(self._walks, (expr.left, expr.right))):
            return None
        a, b = self._pointer(expr.left), self._pointer(expr.right)
        if a.element is None or b.element is None or (a.object, a.stem) != (b.object, b.stem):
            return None
        found = calculated(expr.op, Integer(a.element, False), Integer(b.element, False))
        return None if found is None or expr.op not in COMPARISONS else bool(found.value)

    def _walks(self, expr: Any) -> bool:
        """Whether an expression is a pointer or array by its name, or so many elements further on."""
        from pycparser import c_ast

        if isinstance(expr, c_ast.BinaryOp):
            return expr.op in ("+", "-") and self._walks(expr.left) and self._count(expr.right) is not None
        name = self._named(expr)
        is_array = isinstance(name, Block) and self.objects[name.object].shapes[""] is Shape.ARRAY
        return isinstance(name, Pointer) or is_array

    def _target(self, where: Any, pointer: Pointer) -> Place:
        """What a pointer points to."""
        last = "" if pointer.element is None else f"[{pointer.element}]"
        place = Place(pointer.object, pointer.stem + last, pointer.is_const)
        if self._shape(place) is None:
            raise Refused(where, f"{place.object} has no {place.path or 'value'}")
        return place

    def _target_or_last(self, where: Any, pointer: Pointer) -> Place:
        """What a pointer points to, or the last element of the array behind which it points."""
        is_behind = pointer.element and f"{pointer.stem}[{pointer.element}]" not in self._shapes(pointer)
        last = pointer._replace(element=pointer.element - 1) if pointer.element and is_behind else pointer
        return self._target(where, last)

    def _shapes(self, of: Place | Pointer) -> Mapping[str, Shape]:
        """What each place holds in the object of a place."""
        return self.objects[of.object].shapes

    def _shape(self, place: Place) -> Shape | None:
        """What a place holds; None where there is none."""
        return self._shapes(place).get(place.path)

    def _parts(self, place: Place) -> frozenset[str]:
        """The scalars of a struct, by what follows its name; none of a scalar and of an array."""
        if self._shape(place) is not Shape.STRUCT:
            return frozenset()
        shapes, start = self.objects[place.object].shapes, f"{place.path}."
        scalars = (p for p, shape in shapes.items() if shape is Shape.SCALAR and p.startswith(start))
        return frozenset(p.removeprefix(place.path) for p in scalars)


def _address(place: Place) -> Pointer:
    """The address of a place, which may be an element of an array."""
    stem, bracket, index = place.path.rpartition("[")
    if bracket and place.path.endswith("]"):
        return Pointer(place.object, stem, int(index[:-1]), place.is_const)
    return Pointer(place.object, place.path, None, place.is_const)
