"""The types of arguments: scalars, arrays and structured values.

A structured type defines its scalars in C order, its random values, and its edge cases, at which formulas
are singular; `codegen.modeling.algebra` has the types of rigid-body mathematics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Never, Self, TypeAlias

from codegen.errors import FeatherError, FormulaError
from codegen.ir.expression import Expr
from codegen.ir.numpy_operands import is_array

Scalar: TypeAlias = Any
"""A number of any kind: float, Fraction, SymPy expression, CasADi SX, traced expression."""

Draw: TypeAlias = Callable[[], Any]
"""Gives a random scalar without constraint, in some number system."""


@dataclass(frozen=True)
class Real:
    """The type of a scalar argument: `positive` where only x > 0 makes sense, `integer` for an int."""

    positive: bool = False
    integer: bool = False


@dataclass(frozen=True)
class Array:
    """The type of a plain array of scalars, row-major; `integer` says that they are ints."""

    shape: tuple[int, ...]
    integer: bool = False

    def __post_init__(self) -> None:
        extents = self.shape if isinstance(self.shape, tuple) else ()
        whole = all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in extents)
        if not extents or not whole:
            raise FeatherError(
                f"Array({self.shape!r}): the shape is a tuple of whole numbers from 1, as in Array((3,))"
            )

    @property
    def size(self) -> int:
        """Number of scalars."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count


class Value:
    """A structured value: named components that flatten to scalars in a fixed order, which is C's."""

    c_name: ClassVar[str]
    layout: ClassVar[dict[str, Component]]
    independent: ClassVar[bool] = False  # whether each scalar may have any value of its own
    constrained: ClassVar[bool] = False  # whether its scalars depend on each other, as a rotation's do
    angular: ClassVar[bool] = False  # whether its scalars are angles, which may differ by whole turns

    def scalars(self) -> list[Scalar]:
        """All scalars in C order."""
        return [scalar for f in fields(self) for scalar in flatten(getattr(self, f.name))]  # type: ignore[arg-type]

    @classmethod
    def of(cls, scalars: list[Scalar]) -> Self:
        """The value made of these scalars in C order."""
        stream = iter(scalars)
        value = cls(*(_take(component, stream) for component in cls.layout.values()))
        if next(stream, None) is not None:
            raise ValueError(f"too many scalars for {cls.__name__}")
        return value

    @classmethod
    def component_names(cls) -> list[str]:
        """The suffix of each scalar's name."""
        return [f"_{name}{below}" for name, part in cls.layout.items() for below in component_names(part)]

    @classmethod
    def row_names(cls, name: str) -> list[str]:
        """For each scalar of a value with this name, the matrix and row that it belongs to."""
        return [row for member, part in cls.layout.items() for row in row_names(part, f"{name}.{member}")]

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """The scalars of a random value, computed without roots, so that exact numbers stay exact."""
        return [scalar for part in cls.layout.values() for scalar in sample(part, draw)]

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """The scalars of edge cases, at which formulas are singular; the simplest value comes first."""
        return [[0] * size(cls)]

    def check(self, name: str) -> None:
        """FeatherError unless the value, with exact scalars, is valid for its type."""

    def map(self, function: Callable[[Scalar], Scalar]) -> Self:
        """`function` applied to each scalar."""
        return type(self).of([function(scalar) for scalar in self.scalars()])

    def zip_with(self, other: Value, function: Callable[[Scalar, Scalar], Scalar]) -> Self:
        """`function` applied to corresponding scalars."""
        pairs = zip(self.scalars(), other.scalars(), strict=True)
        return type(self).of([function(a, b) for a, b in pairs])

    def named_leaves(self, name: str) -> list[tuple[str, Scalar]]:
        """Each scalar with its name below `name`: v_x, R_01."""
        suffixes = component_names(type(self))
        return [(name + s, x) for s, x in zip(suffixes, self.scalars(), strict=True)]

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self):
            return self.scalars() == other.scalars()
        if any(isinstance(scalar, Expr) for scalar in self.scalars()):
            raise FormulaError(f"== and != cannot compare {_kind(self)} and {_kind(other)}; compare scalars")
        return NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *self.scalars()))

    __array_ufunc__ = None  # a NumPy number on the left leaves the operation to the value

    def __add__(self, other: Self) -> Self:
        self._expect_like("+", other)
        return self.zip_with(other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Never:
        raise FormulaError(f"{_kind(other)} + {_kind(self)}: sum(values, start) needs a start of their type")

    def __sub__(self, other: Self) -> Self:
        self._expect_like("-", other)
        return self.zip_with(other, lambda a, b: a - b)

    def __neg__(self) -> Self:
        return self.map(lambda a: -a)

    def __mul__(self, scale: Scalar) -> Self:
        self._expect_scalar("*", scale)
        return self.map(lambda a: a * scale)

    def __rmul__(self, scale: Scalar) -> Self:
        self._expect_scalar("*", scale)
        return self.map(lambda a: scale * a)

    def __truediv__(self, divisor: Scalar) -> Self:
        self._expect_scalar("/", divisor)
        return self.map(lambda a: a / divisor)

    def _expect_like(self, operator: str, other: Any) -> None:
        if getattr(other, "c_name", None) != self.c_name:
            raise FormulaError(f"{_kind(self)} {operator} {_kind(other)}: both sides must be of one type")

    def _expect_scalar(self, operator: str, other: Any) -> None:
        if isinstance(other, (Value, tuple, list)) or is_array(other):
            raise FormulaError(
                f"{_kind(self)} {operator} {_kind(other)}: one side must be a scalar; write a.dot(b) or "
                "a.cross(b) for vectors, a @ b for matrices and quaternions"
            )


def _kind(thing: Any) -> str:
    """The name of an operand in a message."""
    return "a scalar" if isinstance(thing, (Expr, int, float, Fraction)) else type(thing).__name__


class Elements(tuple[Scalar, ...]):
    """The value of an Array argument: a flat tuple, row by row, that is not joined or repeated by + and *."""

    __slots__ = ()

    def _not_a_vector(self, _: Any) -> Never:
        raise FormulaError(
            "an Array has no +, * or ==; write them for its elements, as in [2 * a for a in x], "
            "or declare a Vec3; (*a, *b) joins two"
        )

    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __truediv__ = _not_a_vector
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _not_a_vector
    __hash__ = tuple.__hash__
    __array_ufunc__ = None  # a NumPy number on the left leaves the operation to the value

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, tuple):
            raise FormulaError("an Array is flat: element (i, j) of Array((m, n)) is a[n * i + j]")
        found = super().__getitem__(index)
        return Elements(found) if isinstance(index, slice) else found


Component: TypeAlias = type[Value] | Real | Array
"""The type of an argument or of a component of a value."""


REAL = Real()
POSITIVE = Real(positive=True)
INTEGER = Real(integer=True)


def flatten(value: Any) -> list[Scalar]:
    """The scalars of a value, a tuple or list of values, a NumPy array, or a scalar."""
    if isinstance(value, Value):
        return value.scalars()
    if is_array(value):
        return list(value.flat)
    if isinstance(value, (tuple, list)):
        return [scalar for part in value for scalar in flatten(part)]
    return [value]


def check_component(component: Any) -> Component:
    """`component` itself; FeatherError when it is not the type of an argument."""
    if isinstance(component, (Real, Array)):
        return component
    if isinstance(component, type) and issubclass(component, Value):
        if hasattr(component, "c_name") and hasattr(component, "layout"):
            return component
        raise FeatherError(f"{component.__name__} is not complete: a Value has a c_name and a layout")
    shown = component.__name__ if isinstance(component, type) else repr(component)
    raise FeatherError(
        f"{shown} is not the type of an argument: write REAL for a number, Array((n,)) for a list, "
        "or a type such as Vec3"
    )


def is_integer(component: Component) -> bool:
    """Whether the scalars of a type are ints in C."""
    return isinstance(component, (Real, Array)) and component.integer


def is_angular(component: Component) -> bool:
    """Whether the scalars of a type are angles, which may differ by whole turns."""
    return isinstance(component, type) and component.angular


def size(component: Component) -> int:
    """Number of scalars of a type."""
    if isinstance(component, Real):
        return 1
    if isinstance(component, Array):
        return component.size
    return sum(size(part) for part in component.layout.values())


def value_of(component: Component, scalars: list[Scalar]) -> Any:
    """A value of the type from its scalars in C order."""
    return _take(component, iter(scalars))


def _take(component: Component, stream: Iterator[Scalar]) -> Any:
    if isinstance(component, Real):
        return next(stream)
    if isinstance(component, Array):
        return Elements(next(stream) for _ in range(component.size))
    return component(*(_take(part, stream) for part in component.layout.values()))


def component_names(component: Component) -> list[str]:
    """The suffix of the name of each scalar of a type: `_w_x`, `_R_01`; empty for a scalar."""
    if isinstance(component, Real):
        return [""]
    if isinstance(component, Array):
        digits = "" if max(component.shape) <= 10 else "_"
        return ["_" + digits.join(map(str, index)) for index in _indices(component.shape)]
    return component.component_names()


def row_names(component: Component, name: str) -> list[str]:
    """For each scalar of an object, the matrix and row that it belongs to; empty outside of matrices."""
    if isinstance(component, Real):
        return [""]
    if isinstance(component, Array):
        many = len(component.shape) == 2 and component.shape[0] > 1
        width = component.shape[-1]
        return [f"row {i // width} of {name}" if many else "" for i in range(component.size)]
    return component.row_names(name)


def sample(component: Component, draw: Draw) -> list[Scalar]:
    """The scalars of a random value of the type; `draw` gives scalars without constraint."""
    if isinstance(component, Real):
        x = draw()
        return [_positive(x) if component.positive else x]
    if isinstance(component, Array):
        return [draw() for _ in range(component.size)]
    return component.sample(draw)


def _positive(x: Any) -> Any:
    """A positive number for a number without constraint; a number of a finite field may stand for one."""
    return x if getattr(x, "may_be_positive", False) else x * x + 1


def edges(component: Component) -> list[list[Scalar]]:
    """The scalars of edge cases of the type, at which formulas are singular."""
    if isinstance(component, Real):
        return [[0], [1], [-1]]
    if isinstance(component, Array):
        return [[0] * component.size]
    return component.edges()


def _indices(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    if not shape:
        return [()]
    return [(i, *rest) for i in range(shape[0]) for rest in _indices(shape[1:])]
