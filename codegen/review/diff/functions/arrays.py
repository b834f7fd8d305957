"""Reads look-ups in arrays of constants, and in those of inputs, in the forms that featherc generates."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import cache, cached_property
from itertools import count, pairwise, takewhile
from typing import Any

from codegen.emit.render import environment
from codegen.ir.arrays import Constants
from codegen.ir.operations import Op
from codegen.review.diff.functions.memory import Span
from codegen.review.diff.functions.sizes import Sizes
from codegen.review.diff.functions.terms import Term
from codegen.review.diff.reading import SCALARS, Held, rounded
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.lexing import lines_of_tokens
from codegen.review.diff.text.literals import exact_literal
from codegen.review.diff.text.syntax import Refused

_HEAD = re.compile(r"static (?:inline )?int (\w+) \( const (float|double) nodes", re.ASCII)


def constants_of(item: Item) -> Constants:
    """The numbers of an array as its type holds them; Refused unless they are plain literals."""
    kind, name, extent = item.tokens[2], item.tokens[3], item.tokens[5]
    entries = " ".join(item.tokens[item.tokens.index("{") + 1 : -2]).removesuffix(" ,").split(" , ")
    numbers = []
    for text in entries:
        exact, is_float = exact_literal(text.removeprefix("- "))
        if exact is None or is_float != (kind == "float"):
            raise Refused(None, f"an entry of {name} that is no literal of type {kind}")
        number = rounded(-exact if text.startswith("- ") else exact, SCALARS[kind])
        if number == 0 and text.startswith("- "):
            raise Refused(None, f"an entry of {name} that is -0.0, of which the sign counts")
        numbers.append(number)
    if extent not in ("]", f"{len(numbers)}"):  # 060 is octal
        raise Refused(None, f"{name} has {len(numbers)} entries for {extent} places")
    return Constants(name, numbers)


_TABLE = re.compile(r"static const (?:float|double) \w+ \[ (?:\d+ )?\] = \{ [^{}]*\} ;", re.ASCII)


def is_table(item: Item) -> bool:
    """Whether an item declares an array of real numbers as generated look-ups have it."""
    return _TABLE.fullmatch(" ".join(item.tokens)) is not None


def is_number(item: Item) -> bool:
    """Whether an item declares a single number and not an array."""
    return item.tokens[4] == "=" and item.tokens[5] != "{"


@cache
def _search(name: str, real: str, inline: bool) -> list[str]:
    """The tokens of the generated search for the cell of an axis."""
    template = environment().from_string("{% import 'function.c.j2' as c with context %}{{ c.data() }}")
    text = template.render(arrays=[], search=name, pair=None, real=real, inline=inline)
    return [token.text for line in lines_of_tokens("", text) for token in line]


def is_search(item: Item) -> bool:
    """Whether a function is the search as it is generated."""
    found = None if item.others else _HEAD.match(" ".join(item.tokens[:8]))
    return found is not None and item.tokens == _search(found[1], found[2], "inline" in item.tokens[:3])


_GIVEN = Constants("array", ())
"""Describes every array whose numbers are those of an argument."""


class Lookups(Sizes, ABC):
    """The values of look-ups in arrays, and their indices."""

    @abstractmethod
    def _expression(self, expr: Any) -> Term:
        """The value of an expression."""

    @abstractmethod
    def _constant_flags(self, where: Any, term: Term) -> int | None:
        """The value of a constant integer."""

    @abstractmethod
    def _count_choice(self, where: Any) -> None:
        """Refuse what has too many choices to follow them all."""

    @abstractmethod
    def _apart(self, index: int) -> tuple[int, Term]:
        """The constant part of an index, and the rest."""

    def _is_array(self, expr: Any) -> bool:
        """Whether an expression names an array of the file."""
        name = getattr(expr, "name", None)
        items = self.source.data.get(name, []) if isinstance(name, str) and name not in self.names else []
        return any(map(is_table, items))

    def _array(self, expr: Any) -> tuple[Constants, Term]:
        """An array by its name, and its node."""
        items = [i for i in self.source.data[expr.name] if i.path in self.source.reached(self.item.path)]
        if len(items) != 1:
            raise Refused(expr, f"{expr.name} is defined {len(items)} times")
        array = constants_of(items[0])
        return array, self.graph.add(SCALARS[items[0].tokens[2]], Op.ARRAY, value=array)

    def _is_entry(self, expr: Any) -> bool:
        """Whether an expression names an entry of an array of the file, or one at a computed index."""
        if self._is_array(expr.name):
            return self._looks_up or self._count(expr.subscript) is None
        return self._count(expr.subscript) is None and self._count(expr.name) is None

    @cached_property
    def _looks_up(self) -> bool:
        """Whether the function calls the generated search, so that its arrays are looked up as a whole."""
        called = (i for name in self.item.names for i in self.source.functions.get(name, ()))
        return any(map(is_search, called))

    def _numbers(self, expr: Any) -> tuple[Term, int]:
        """The array that an expression names, of the file or of an argument, and how many numbers it has."""
        if self._is_array(expr):
            array, term = self._array(expr)
            return term, len(array.values)
        pointer = self._pointer(expr)
        held = self.objects[pointer.object].held
        if pointer.element is None or held not in (Held.FLOAT, Held.DOUBLE):
            raise Refused(expr, "an index that is not a plain number")
        places = (f"{pointer.stem}[{k}]" for k in count(pointer.element))
        shapes = self.objects[pointer.object].shapes
        numbers = [self._loaded(pointer.object, p, expr) for p in takewhile(shapes.__contains__, places)]
        about = self.graph.add(held, Op.ARRAY, value=_GIVEN)
        return self.graph.add(held, Op.LIST, about.node, *(n.node for n in numbers)), len(numbers)

    def _number(self, value: int) -> Term:
        return self.graph.add(Held.INT, Op.WHOLE, value=value)

    def _is_index(self, term: Term) -> bool:
        """Whether a value is an index that is not constant, or a choice of which one is."""
        return term.flags is None and term.held is Held.INT and self._span(term.node).is_index

    def _largest(self, node: int) -> int:
        """The largest value of an index, or of a choice; no index is negative."""
        return self._span(node).largest

    def _span(self, node: int) -> Span:
        """What values an integer may have; none are below zero."""
        if node not in self.spans:
            self.spans[node] = self._spanned(node)
        return self.spans[node]

    def _spanned(self, node: int) -> Span:
        op, args, value = self.graph.nodes[node]
        if op in (Op.WHOLE, Op.CONSTANT) and value is not None:
            return Span(int(value), value >= 0, False)
        if op is Op.CELL:
            return Span(len(self.graph.nodes[args[0]].value.values) - 2, True, True)
        if op is Op.STEP:
            return Span(self._largest(args[1]), True, True)
        if op is Op.FLAT:
            i, stride, j = map(self._largest, args)
            return Span(i * stride + j, True, True)
        if op is not Op.SELECT:
            return Span(0, False, False)
        sides = [self._span(side) for side in args[1:]]
        is_known = all(s.is_known for s in sides)
        return Span(max(s.largest for s in sides), is_known, is_known and any(s.is_index for s in sides))

    def _entry(self, expr: Any) -> Term:
        """`array[index + 2]`; Refused where an index may be beyond the array."""
        array, extent = self._numbers(expr.name)
        index = self._expression(expr.subscript)
        known = self._constant_flags(expr, index)
        if known is not None:
            index = self._number(known)
        elif index.flags is not None or index.held is not Held.INT or not self._span(index.node).is_known:
            raise Refused(expr, "an index that is not the cell of an axis")
        if self._largest(index.node) >= extent:
            raise Refused(expr, "an index that may be beyond its array")
        return self._entry_at(expr, array, index)

    def _entry_at(self, where: Any, array: Term, index: Term) -> Term:
        """The entry at an index, or the choice between those at two."""
        op, args, value = self.graph.nodes[index.node]
        if op is Op.SELECT:
            self._count_choice(where)
            a, b = (self._entry_at(where, array, Term(side, Held.INT)) for side in args[1:])
            return self.graph.add(array.held, Op.SELECT, args[0], a.node, b.node)
        given = self.graph.nodes[array.node]
        if op in (Op.CONSTANT, Op.WHOLE) and given.op is Op.LIST:
            return Term(given.args[1 + int(value)], array.held)
        offset, place = self._apart(index.node)
        return self.graph.add(array.held, Op.ENTRY, array.node, place.node, self._number(offset).node)

    def _cell(self, expr: Any, given: list[Any]) -> Term | None:
        """A call of the generated search with an increasing array; None for any other call."""
        items = self.source.functions.get(expr.name.name, [])
        if len(items) != 1 or not is_search(items[0]) or len(given) != 3 or not self._is_array(given[0]):
            return None
        array, nodes = self._array(given[0])
        x = self._expression(given[2])
        increasing = all(a < b for a, b in pairwise(array.values))
        if self._count(given[1]) != len(array.values) - 1 or not increasing or x.held is not nodes.held:
            raise Refused(expr, f"a search in {array}, which has other nodes or another type")
        return self.graph.add(Held.INT, Op.CELL, nodes.node, x.node)
