"""The state of reading one function: its graph, its names, and what memory holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple

from codegen.ir.operations import Op
from codegen.review.diff.functions.terms import Term, TermGraph
from codegen.review.diff.functions.types import Scalar
from codegen.review.diff.reading import Held, Overlap, ReadParameter, Sharing, Signature
from codegen.review.diff.text.integers import Integer, whole
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused

MOST_OVERLAPS = 100
"""Limit on the pairs of an input and an output that may be one object: each pair is compared on its own."""


class Local(NamedTuple):
    """A scalar variable: its type, whether it is constant, and its value, None before it has one.

    One that is unsigned holds flags; one of another width than int, no number above `most`. One that
    is fixed is an enumerator, which may stand where C wants a constant.
    """

    held: Held
    unsigned: bool
    is_const: bool
    value: Term | None = None
    most: int = 0
    is_size: bool = False
    is_fixed: bool = False

    @property
    def kind(self) -> Scalar:
        """Its type."""
        return Scalar(self.held, self.unsigned, self.most, self.is_size)


class Pointer(NamedTuple):
    """The address of a place in an object: of an element of the array at `stem`, or of `stem` itself.

    The place is not written where `is_const`; a pointer that `is_fixed` keeps its value.
    """

    object: str
    stem: str
    element: int | None
    is_const: bool
    is_fixed: bool = False


class Block(NamedTuple):
    """A local struct or array, by the name of its object."""

    object: str
    is_const: bool


Name = Local | Pointer | Block


class Shape(Enum):
    """What a place holds."""

    SCALAR = "a scalar"
    ARRAY = "an array"
    STRUCT = "a struct"


class Object(NamedTuple):
    """What lies in memory: the C type of its scalars, and what each place in it holds, by its path."""

    held: Held
    shapes: Mapping[str, Shape]
    parameter: ReadParameter | None = None
    type: str = ""  # the name of that of a struct


def shapes_of(scalars: Iterable[str]) -> dict[str, Shape]:
    """The shape of each place in an object with these scalars: of `.m[3]`, `.m` and the object itself."""
    shapes = dict[str, Shape]()
    for path in scalars:
        shapes[path] = Shape.SCALAR
        while path:
            cut = max(path.rfind("."), path.rfind("["))
            outer = Shape.ARRAY if path[cut] == "[" else Shape.STRUCT
            path = path[:cut]
            if path in shapes:
                break
            shapes[path] = outer
    return shapes


class Fact(NamedTuple):
    """The node of a test, and how it has come out."""

    truth: int
    holds: bool


class Span(NamedTuple):
    """The values of an integer: the largest, whether all are known not to be negative, and if cells count."""

    largest: int
    is_known: bool
    is_index: bool


class State(NamedTuple):
    """What names mean and what was stored."""

    names: dict[str, Name]
    stored: dict[tuple[str, str], Term]


class Memory:
    """The state of reading one function."""

    def __init__(self, item: Item, source: Source, same: Sharing = (), skipped: Collection[str] = ()) -> None:
        self.item, self.source, self.same = item, source, same
        shared = {o.output: o.input for o in reversed(same)}
        self.first = {**{o.input: shared[o.output] for o in same}, **shared}  # the input that stands for all
        self.skipped = skipped  # the arguments whose pointers are null
        self.touched = set[str]()  # of these, those that are read or written where that may be done
        self.optional: dict[str, None] = {}  # those whose pointers are compared with null
        self.graph = TermGraph()
        self.names: dict[str, Name] = {}
        self.objects: dict[str, Object] = {}
        self.stored: dict[tuple[str, str], Term] = {}
        self.fixed: dict[tuple[str, str], Term] = {}  # what constants of files hold
        self.constants: dict[tuple[str, str], Name] = {}  # these, by file and name
        self.overlaps: dict[Overlap, None] = {}
        self.inputs: dict[tuple[str, str], int] = {}
        self.facts: tuple[Fact, ...] = ()  # what led to the statement that is being read
        self.spans: dict[int, Span] = {}  # of the integers that were looked at
        self.leaves = 0  # of the choices between integers
        self.read: dict[int, Any] = {}  # the statements that were read, by their identity
        self.steps = 0  # statements that were read, in loops and calls each time
        self.turns = 0  # of loops
        self.result: Any = None  # the Place of the struct that the function returns which is being read
        self.active: list[str] = []  # the functions that are being read

    def _enter(self, signature: Signature) -> None:
        """Name the parameters; number the scalars of inputs first, then what the outputs hold before."""
        for p in sorted(signature.parameters, key=lambda p: p.written):
            for place in p.places or ("",):
                self.inputs[p.name, place] = len(self.inputs)
            kind = next((word for word in p.declared.split() if word in self.source.types), "")
            self.objects[p.name] = Object(p.held, shapes_of(p.places or ("",)), p, kind)
            if p.places is None:
                self.names[p.name] = Local(p.held, False, p.is_const, self._loaded(p.name, ""))
            else:
                first = 0 if "[" in p.declared else None
                self.names[p.name] = Pointer(p.name, "", first, not p.written, p.is_const)

    def _integer(self, expr: Any) -> Integer | None:
        """The number that an integer variable is known to hold; None for other expressions."""
        local = self._named(expr)
        if not isinstance(local, Local) or local.value is None or local.held is not Held.INT:
            return None
        if local.value.flags is not None:
            nodes = [self.graph.nodes[met] for met, _ in local.value.flags]
            certain = all(op is Op.TRUTH and not value for op, _, value in nodes)
            number = sum(flag for _, flag in local.value.flags)
            return Integer(number, local.unsigned or local.is_size, local.is_size) if certain else None
        value = self.graph.number(local.value)
        return None if value is None else Integer(int(value), local.is_size, local.is_size)

    def _named(self, expr: Any) -> Name | None:
        """What an expression names; None where it is no name that is known."""
        return self.names.get(expr.name) if type(expr).__name__ == "ID" else None

    def _count(self, expr: Any) -> int | None:
        """The value of a constant integer expression that is not negative."""
        return whole(expr, self._integer)

    def _loaded(self, name: str, place: str, where: Any = None) -> Term:
        """The current value of a place; an input may alias an output of its type."""
        if where is not None:
            self._touch(name)
        if (name, place) in self.fixed:
            return self.fixed[name, place]
        if (name, place) in self.stored:
            return self.stored[name, place]
        parameter = self.objects[name].parameter
        if parameter is None:
            raise Refused(where, f"{name}{place} is used before it has a value")
        if not parameter.written and parameter.places is not None:
            for overlap in self._overlapping(parameter, place):
                self.overlaps[overlap] = None
                if len(self.overlaps) > MOST_OVERLAPS:
                    raise Refused(None, f"more than {MOST_OVERLAPS} pairs of objects that may be one")
                if overlap in self.same:
                    return self.stored[overlap.output, place]
        holder = self.first.get(name, name)  # an output that is an input holds the same before it is written
        return self.graph.add(parameter.held, Op.INPUT, value=self.inputs[holder, place])

    def _touch(self, name: str) -> None:
        """Take note that a null pointer is used, unless a test that cannot come out so leads to it."""
        if name in self.skipped:
            tests = ((self.graph.nodes[fact.truth], fact.holds) for fact in self.facts)
            if all(node.op is not Op.TRUTH or node.value == holds for node, holds in tests):
                self.touched.add(name)

    def _overlapping(self, parameter: ReadParameter, place: str) -> list[Overlap]:
        """The outputs that may alias this input and have been written at this place."""
        declared = parameter.declared.removeprefix("const ")
        parameters = (o.parameter for o in self.objects.values() if o.parameter)
        return [
            Overlap(parameter.name, p.name)
            for p in parameters
            if p.declared == declared and "restrict" not in declared and (p.name, place) in self.stored
        ]

    def _held_before(self, key: tuple[str, str], stored: Mapping[tuple[str, str], Term]) -> Term | None:
        """What a place holds after some stores; None where a local variable has no value yet."""
        if key in stored:
            return stored[key]
        return None if self.objects[key[0]].parameter is None else self._loaded(*key)
