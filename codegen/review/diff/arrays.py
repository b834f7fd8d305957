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
from codegen.review.diff.items import Item
from codegen.review.diff.lexing import lines_of_tokens
from codegen.review.diff.literals import exact_literal
from codegen.review.diff.reading import SCALARS, Held, rounded
from codegen.review.diff.sizes import Sizes
from codegen.review.diff.syntax import Refused, type_names
from codegen.review.diff.terms import Term

_INDICES = (Op.CELL, Op.STEP, Op.FLAT)
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
        numbers.append(rounded(-exact if text.startswith("- ") else exact, SCALARS[kind]))
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
    text = template.render(arrays=[], search=name, real=real, inline=inline)
    return [token.text for line in lines_of_tokens("", text) for token in line]


def is_search(item: Item) -> bool:
    """Whether a function is the search as it is generated."""
    found = _HEAD.match(" ".join(item.tokens[:8]))
    return found is not None and item.tokens == _search(found[1], found[2], "inline" in item.tokens[:3])


_GIVEN = Constants("array", ())
"""Describes every array whose numbers are those of an argument."""


class Lookups(Sizes, ABC):
    """The values of look-ups in arrays, and their indices."""

    @abstractmethod
    def _expression(self, expr: Any) -> Term:
        """The value of an expression."""

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
        return term.flags is None and self.graph.nodes[term.node].op in _INDICES

    def _largest(self, node: int) -> int:
        """The largest value of an index; no index is negative."""
        op, args, value = self.graph.nodes[node]
        if op is Op.CELL:
            return len(self.graph.nodes[args[0]].value.values) - 2
        if op is Op.FLAT:
            i, stride, j = map(self._largest, args)
            return i * stride + j
        return int(value) if op is Op.WHOLE else self._largest(args[1])

    def _entry(self, expr: Any) -> Term:
        """`array[index + 2]`; Refused where an index may be beyond the array."""
        from pycparser import c_ast

        term, extent = self._numbers(expr.name)
        index, offset = expr.subscript, self._count(expr.subscript)
        if offset is not None:
            place = self._number(offset)
            offset = 0
        else:
            if isinstance(index, c_ast.BinaryOp) and index.op == "+" and self._count(index.right) is not None:
                offset, index = self._count(index.right), index.left
            place = self._expression(index)
            if not self._is_index(place):
                raise Refused(expr, "an index that is not the cell of an axis")
        if self._largest(place.node) + (offset or 0) >= extent:
            raise Refused(expr, "an index that may be beyond its array")
        return self.graph.add(term.held, Op.ENTRY, term.node, place.node, self._number(offset or 0).node)

    def _flat(self, expr: Any) -> Term | None:
        """`5 * i + j` of indices or numbers; None for anything else."""
        from pycparser import c_ast

        if expr.op != "+":
            return None
        product, first = expr.left, self._count(expr.left)
        stride: int | None
        i: Term | None
        if first is not None:
            stride, i = first, self._number(1)
        elif isinstance(product, c_ast.BinaryOp) and product.op == "*":
            stride, i = self._count(product.left), self._index(product.right)
        else:
            return None
        j = self._index(expr.right)
        if stride is None or i is None or j is None:
            return None
        found = self.graph.add(Held.INT, Op.FLAT, i.node, self._number(stride).node, j.node)
        if self._largest(found.node) >= 2**31:
            raise Refused(expr, "integer arithmetic")
        return found

    def _index(self, expr: Any) -> Term | None:
        """An index or a number in its place; None for anything else."""
        number = self._count(expr)
        if number is not None:
            return self._number(number)
        term = self._expression(expr)
        return term if self._is_index(term) else None

    def _step(self, expr: Any) -> Term | None:
        """`x < 3 ? (int)x : 3` of an x that is not negative; None for anything else."""
        from pycparser import c_ast

        test, taken, other = expr.cond, expr.iftrue, expr.iffalse
        if not isinstance(test, c_ast.BinaryOp) or not isinstance(taken, c_ast.Cast) or test.op != "<":
            return None
        if type_names(taken.to_type.type) != ["int"]:
            return None
        last, named = self._count(other), isinstance(test.left, c_ast.ID) and isinstance(taken.expr, c_ast.ID)
        if last is None or self._count(test.right) != last or not named or test.left.name != taken.expr.name:
            return None
        x = self._expression(test.left)
        if x.held not in (Held.FLOAT, Held.DOUBLE) or not self._is_positive(x.node):
            raise Refused(expr, "a real number made an integer, which may be negative")
        return self.graph.add(Held.INT, Op.STEP, x.node, self._number(last).node)

    def _is_positive(self, node: int) -> bool:
        """Whether a number is a select that is nowhere below zero, or NaN."""
        nodes = self.graph.nodes
        op, args, value = nodes[node]
        if op is Op.CONSTANT:
            return value is not None and value >= 0
        if op is not Op.SELECT:
            return False
        condition, a, b = args
        test, below = nodes[condition].op, nodes[condition].args
        if test is Op.NOT:
            condition, a, b = below[0], b, a
            test, below = nodes[condition].op, nodes[condition].args
        if test is Op.LT and self._is_zero(below[1]) and self._is_positive(a):  # x < 0 ? 0 : ... x
            return b == below[0] or self._is_min(b, below[0])
        return test is Op.LT and self._is_zero(below[0]) and a == below[1] and self._is_positive(b)

    def _is_min(self, node: int, x: int) -> bool:
        """Whether a node is `last < x ? last : x` with a last that is not negative."""
        op, args, _ = self.graph.nodes[node]
        return op is Op.SELECT and args[2] == x and self._is_positive(args[1])

    def _is_zero(self, node: int) -> bool:
        op, _, value = self.graph.nodes[node]
        return op is Op.CONSTANT and value == 0

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
