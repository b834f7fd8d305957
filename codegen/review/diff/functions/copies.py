"""Reads memcpy and memset, which copy or clear scalars in the order in which they lie in memory."""

from __future__ import annotations

from abc import ABC
from typing import Any

from codegen.review.diff.functions.places import Place
from codegen.review.diff.functions.records import Records
from codegen.review.diff.functions.sizes import BYTES
from codegen.review.diff.text.syntax import Refused


class Copies(Records, ABC):
    """Copies of whole objects, byte by byte; each object consists of scalars of one type without padding."""

    def _is_copy(self, name: str) -> bool:
        return name in ("memcpy", "memset") and name not in self.names and name not in self.source.functions

    def _copied(self, call: Any) -> None:
        """`memcpy(&v, u, sizeof v);` and `memset(&v, 0, sizeof v);`"""
        from pycparser import c_ast

        name, given = call.name.name, list(call.args.exprs) if call.args else []
        if len(given) != 3:
            raise Refused(call, f"a call of {name}")
        place = self._target(call, self._pointer(given[0]))
        if place.is_const:
            raise Refused(call, f"{place.object} is an input")
        size = self._size(call, given[2])
        to = self._run_of_scalars(call, place, size)
        held = self.objects[place.object].held
        if name == "memcpy":
            source = self._target(call, self._pointer(given[1]))
            if source.object == place.object or self.objects[source.object].held is not held:
                raise Refused(call, "a memcpy within one object or to another type")
            values = [self._loaded(source.object, p, call) for p in self._run_of_scalars(call, source, size)]
        elif self._count(given[1]) == 0:
            values = [self._as(call, self._expression(c_ast.Constant("int", "0")), held)] * len(to)
        else:
            raise Refused(call, "a memset of another value than 0")
        self._put(call, Place(place.object, "", False), dict(zip(to, values, strict=True)))

    def _run_of_scalars(self, where: Any, place: Place, size: int) -> list[str]:
        """The paths of the scalars in so many bytes of an object from a place on."""
        held, scalars = self.objects[place.object].held, self._inside(Place(place.object, "", True))
        first = scalars.index(self._inside(place)[0])
        found = scalars[first : first + size // BYTES[held]]
        if not found or len(found) * BYTES[held] != size:
            raise Refused(where, f"{size} bytes of {place.object}")
        return found

    def _size(self, where: Any, expr: Any) -> int:
        """The value of a number of bytes: `sizeof v`, `9 * sizeof(float)`."""
        number = self._count(expr)
        if number is None:
            raise Refused(where, "a number of bytes that is not known")
        return number
