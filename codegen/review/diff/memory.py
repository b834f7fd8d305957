"""Places in memory that C expressions name, what they hold, and the local variables of a function."""

from __future__ import annotations

from typing import Any, NamedTuple

from codegen.ir.operations import Op
from codegen.review.diff.integers import whole
from codegen.review.diff.items import Item
from codegen.review.diff.reading import Held, Overlap, ReadParameter
from codegen.review.diff.source import Source
from codegen.review.diff.syntax import Refused, kind_of
from codegen.review.diff.terms import Term, TermGraph

MOST_OVERLAPS = 100
"""Limit on the pairs of an input and an output that may be one object: each pair is compared on its own."""


class Local(NamedTuple):
    """A local variable: its type, whether it is constant, and its value, None before it has one.

    One that is unsigned holds flags.
    """

    held: Held
    unsigned: bool
    is_const: bool
    value: Term | None = None


class Memory:
    """The state of reading one function: its graph, its variables, and what its outputs hold."""

    def __init__(self, item: Item, source: Source, same: Overlap | None) -> None:
        self.item, self.source, self.same = item, source, same
        self.graph = TermGraph()
        self.parameters: dict[str, ReadParameter] = {}
        self.locals: dict[str, Local] = {}
        self.stored: dict[tuple[str, str], Term] = {}
        self.overlaps: dict[Overlap, None] = {}
        self.inputs: dict[tuple[str, str], int] = {}
        self.leaves = 0  # of the choices between integers
        self.unrolled = 0  # assignments of loops
        self.counters: dict[str, int] = {}  # of the loop that is being read
        self.spelled: set[Held] = set()  # the types of the constants

    def _place(self, expr: Any) -> tuple[str, str]:
        """The parameter and the place in it that a C expression names."""
        name, steps = self._steps(expr)
        parameter = self.parameters.get(name)
        if parameter is None or parameter.places is None:
            raise Refused(expr, f"{name} is not a pointer parameter")
        if "[" not in parameter.declared:  # a pointer to one object: its first step reaches that
            if not steps or steps[0] not in ("*", "[0]"):
                raise Refused(expr, f"pointer arithmetic on {name}")
            steps = steps[1:]
        elif steps[:1] == ["*"]:
            steps = ["[0]", *steps[1:]]
        place = "".join(steps)
        if place not in parameter.places:
            raise Refused(expr, f"{name} has no {place or 'value'}")
        return name, place

    def _steps(self, expr: Any) -> tuple[str, list[str]]:
        from pycparser import c_ast

        if isinstance(expr, c_ast.ID):
            return str(expr.name), []
        if isinstance(expr, c_ast.StructRef):
            name, steps = self._steps(expr.name)
            return name, [*steps, *(["*"] if expr.type == "->" else []), f".{expr.field.name}"]
        if isinstance(expr, c_ast.ArrayRef):
            name, steps = self._steps(expr.name)
            index = whole(expr.subscript, self.counters)
            if index is None:
                raise Refused(expr, "an index that is not a plain number")
            return name, [*steps, f"[{index}]"]
        if isinstance(expr, c_ast.UnaryOp) and expr.op == "*":
            name, steps = self._steps(expr.expr)
            return name, [*steps, "*"]
        raise Refused(expr, f"{kind_of(expr)} where a variable is required")

    def _loaded(self, name: str, place: str) -> Term:
        """The current value of a place; an input may alias an output of its type."""
        parameter = self.parameters[name]
        if (name, place) in self.stored:
            return self.stored[name, place]
        if self.same and self.same.output == name:  # not written yet, it holds what the input holds
            return self.graph.add(parameter.held, Op.INPUT, value=self.inputs[self.same.input, place])
        if not parameter.written and parameter.places is not None:
            for overlap in self._overlapping(parameter, place):
                self.overlaps[overlap] = None
                if len(self.overlaps) > MOST_OVERLAPS:
                    raise Refused(None, f"more than {MOST_OVERLAPS} pairs of objects that may be one")
                if overlap == self.same:
                    return self.stored[overlap.output, place]
        return self.graph.add(parameter.held, Op.INPUT, value=self.inputs[name, place])

    def _overlapping(self, parameter: ReadParameter, place: str) -> list[Overlap]:
        """The outputs that may alias this input and have been written at this place."""
        declared = parameter.declared.removeprefix("const ")
        return [
            Overlap(parameter.name, p.name)
            for p in self.parameters.values()
            if p.declared == declared and "restrict" not in declared and (p.name, place) in self.stored
        ]
