"""Reads constants outside of functions: numbers, arrays, structs and enumerators."""

from __future__ import annotations

from abc import ABC
from typing import Any

from codegen.review.diff.functions.arrays import is_number
from codegen.review.diff.functions.memory import Name
from codegen.review.diff.functions.statements import Statements, is_fixed
from codegen.review.diff.text.integers import Integer
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.syntax import Refused, parsed


class FileScope(Statements, ABC):
    """The constants of files, which functions see as if they had declared them first."""

    def _named(self, expr: Any) -> Name | None:
        """What an expression names, in the function or in its file; None where it is no known name."""
        found = super()._named(expr)
        if found is None and type(expr).__name__ == "ID" and expr.name in self.source.data:
            return self._of_file(expr)
        return found

    def _integer(self, expr: Any) -> Integer | None:
        name = getattr(expr, "name", None)
        if type(expr).__name__ == "ID" and name not in self.names:
            items = self.source.data.get(expr.name, [])
            if not all(is_number(i) or i.tokens[0] == "enum" for i in items):
                return None  # whatever an array holds
        return super()._integer(expr)

    def _of_file(self, expr: Any) -> Name:
        """The constant of this name that the file of the function, or one that it includes, declares."""
        items = [i for i in self.source.data[expr.name] if i.path in self.source.reached(self.item.path)]
        if len(items) != 1:
            raise Refused(expr, f"the name {expr.name}")
        key = items[0].path, expr.name
        if key not in self.constants:
            self.constants |= {(key[0], name): what for name, what in self._declared(expr, items[0]).items()}
        return self.constants[key]

    def _declared(self, where: Any, item: Item) -> dict[str, Name]:
        """The names that an item declares, whose values nothing writes."""
        declared = parsed(item, self.source)
        if declared.name is not None and not is_fixed(declared.init):
            raise Refused(where, f"{declared.name}, whose value is not constant")
        outside = self.names, self.item, self.stored
        self.names, self.item, self.stored = {}, item, {}
        try:
            self._declare(declared)
            self.fixed |= self.stored
            return self.names
        finally:
            self.names, self.item, self.stored = outside
