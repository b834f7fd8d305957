"""Values of several scalars: their arithmetic, element by element, and the names of their scalars."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, Never, Self

from codegen.errors import FormulaError
from codegen.ir.expression import Expr
from codegen.ir.numpy_operands import is_array
from codegen.ir.refusals import CALLED


class Composite(ABC):
    """A value of several scalars in a fixed order, which is C's: a structure, vector or matrix."""

    instead: ClassVar[Mapping[str, str]] = {}
    """What to write instead of attributes that it does not have, by their names."""

    anew: ClassVar[str] = "make a new one of its parts, as in Vec3(1, v.y, v.z)"
    """What to write instead of a change of its scalars."""

    @abstractmethod
    def scalars(self) -> list[Any]:
        """All scalars in C order."""

    @abstractmethod
    def with_scalars(self, scalars: Sequence[Any]) -> Self:
        """A value of the same kind and size with other scalars, in C order."""

    @abstractmethod
    def suffixes(self) -> list[str]:
        """The suffix of each scalar's name: `_x`, `_01`."""

    @property
    def kind(self) -> str:
        """The name of its type in a message: Vec3, Matrix(2, 3)."""
        return type(self).__name__

    def table(self) -> Sequence[Any]:
        """The value as an operand of a product with a matrix: its scalars, or the rows of a matrix."""
        return self.scalars()

    def map(self, function: Callable[[Any], Any]) -> Self:
        """`function` applied to each scalar."""
        return self.with_scalars([function(scalar) for scalar in self.scalars()])

    def zip_with(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        """`function` applied to corresponding scalars of two values."""
        pairs = zip(self.scalars(), other.scalars(), strict=True)
        return self.with_scalars([function(a, b) for a, b in pairs])

    def named_leaves(self, name: str) -> list[tuple[str, Any]]:
        """Each scalar with its name below `name`: v_x, R_01."""
        return [(name + s, x) for s, x in zip(self.suffixes(), self.scalars(), strict=True)]

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self) and other.kind == self.kind:
            return self.scalars() == other.scalars()
        if any(isinstance(scalar, Expr) for scalar in self.scalars()):
            raise FormulaError(f"== and != cannot compare {self.kind} and {kind(other)}; compare scalars")
        return NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *self.scalars()))

    if not TYPE_CHECKING:  # what a type checker finds is better

        def __getattr__(self, name: str) -> Never:
            if name.startswith("__") or hasattr(type(self), name):
                return object.__getattribute__(self, name)  # raises again what a property raised
            raise NoAttribute(_without(type(self), name))

    def __setitem__(self, *_: Any) -> Never:
        raise FormulaError(f"a {self.kind} does not change: {self.anew}")

    def __format__(self, form: str) -> str:
        """Its text where no format of a number is asked for."""
        if form:
            raise FormulaError(f"a {self.kind} has no digits to print as {form!r}: leave the format out")
        return str(self)

    __array_ufunc__ = None  # a NumPy number on the left leaves the operation to the value

    def __call__(self, *_: Any, **__: Any) -> Never:
        """A property was taken for a method."""
        raise FormulaError(CALLED)

    def __radd__(self, other: Any) -> Any:
        raise FormulaError(f"{kind(other)} + {self.kind}: sum(values, start) needs a start of their type")

    def __neg__(self) -> Self:
        return self.map(lambda a: -a)

    def __mul__(self, scale: Any) -> Self:
        self._expect_scalar("*", scale)
        return self.map(lambda a: a * scale)

    def __rmul__(self, scale: Any) -> Self:
        self._expect_scalar("*", scale)
        return self.map(lambda a: scale * a)

    def __truediv__(self, divisor: Any) -> Self:
        self._expect_scalar("/", divisor)
        return self.map(lambda a: a / divisor)

    def _expect_scalar(self, operator: str, other: Any) -> None:
        if isinstance(other, (Composite, tuple, list)) or is_array(other):
            raise FormulaError(
                f"{self.kind} {operator} {kind(other)}: one side must be a scalar; write a.dot(b) or "
                "a.cross(b) for vectors, a @ b for matrices and quaternions"
            )

    def _unlike(self, operator: str, other: Any) -> Never:
        raise FormulaError(f"{self.kind} {operator} {kind(other)}: both sides must be of one type")


class NoAttribute(FormulaError, AttributeError):
    """A value has no attribute of this name; the message says what to write."""


_ANYWHERE = {
    "select": "select(condition, a, b)",
    "clip": "clip(x, low, high) of each scalar, as in v.map(lambda x: clip(x, low, high))",
    "min": "minimum(a, b) of scalars",
    "max": "maximum(a, b) of scalars",
    "sum": "sum(v.scalars())",
    "copy": "the value itself, as it does not change",
}


@cache
def _without(of: type[Composite], name: str) -> str:
    """That values of a type do not have an attribute, and what to write, or which they have."""
    what = f"a {of.__name__.removesuffix('Value')} has no .{name}"
    tables = (kind.__dict__.get("instead", {}) for kind in of.__mro__)
    instead = next((table[name] for table in (*tables, _ANYWHERE) if name in table), None)
    if instead:
        return f"{what}: write {instead}"
    return f"{what}; it has {', '.join(dict.fromkeys(_members(of)))}"


def _members(of: type[Composite]) -> Iterator[str]:
    """The parts, properties and methods of values of a type that are for formulas."""
    if is_dataclass(of):
        yield from (field.name for field in fields(of))
    for kind in of.__mro__:
        if kind.__module__.startswith("codegen.modeling."):
            public = (n for n, x in kind.__dict__.items() if isinstance(x, (property, FunctionType)))
            yield from (n for n in public if not n.startswith("_") and n not in _INNER)


_INNER = {*Composite.__dict__, "shape", "check"}
"""What is not for formulas."""


def kind(thing: Any) -> str:
    """The name of an operand in a message."""
    if isinstance(thing, Composite):
        return thing.kind
    return "a scalar" if isinstance(thing, (Expr, int, float, Fraction)) else type(thing).__name__
