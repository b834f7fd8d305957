"""The types of arguments: scalars, arrays and structured values.

A structured type defines its scalars in C order, its random values, and its edge cases, at which formulas
are singular; `codegen.modeling.types.algebra` has the types of rigid-body mathematics.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Never, Self, TypeAlias

from codegen.errors import CallError, FeatherError, FormulaError
from codegen.ir.composite import Composite
from codegen.ir.numpy_operands import is_array
from codegen.misuse import explained, misuse

Scalar: TypeAlias = Any
"""A number of any kind: float, Fraction, SymPy expression, CasADi SX, traced expression."""

Draw: TypeAlias = Callable[[], Any]
"""Gives a random scalar without constraint, in some number system."""


@dataclass(frozen=True)
class Real:
    """The type of a scalar argument: `positive` where only x > 0 makes sense, `integer` for an int."""

    positive: bool = False
    integer: bool = False

    def sample(self, draw: Draw) -> list[Scalar]:
        """The scalar of a random value."""
        x = draw()
        return [_positive(x) if self.positive else x]

    def edges(self) -> list[list[Scalar]]:
        """The scalars of edge cases."""
        return [[0], [1], [-1]]


@explained
@dataclass(frozen=True)
class Array:
    """The type of a plain array of scalars, row-major; `integer` says that they are ints."""

    shape: tuple[int, ...]
    integer: bool = False

    algebraic: ClassVar[bool] = (
        False  # whether its values are vectors or matrices, for which structures stand
    )

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

    @property
    def independent(self) -> bool:
        """Whether each scalar may have any value of its own."""
        return not self.integer

    @property
    def described(self) -> str:
        """The type in a table: `3 x 3 array`."""
        return " x ".join(map(str, self.shape)) + (" int" if self.integer else " array")

    @property
    def order(self) -> str:
        """The extents of a matrix and the order of its elements, for the comment in C; empty for a list."""
        return ""

    def value(self, scalars: Sequence[Scalar]) -> Any:
        """The value of an argument of this type, from its scalars in C order."""
        return Elements(scalars)

    def scalars(self, value: Any) -> list[Scalar]:
        """The scalars of a value of this type, or of one that stands for it, in C order."""
        return flatten(value)

    def received(self, value: Any) -> Any:
        """The value that a kernel's formula works on, for one that the kernel is called with."""
        return value

    def matrix(self, scalars: Sequence[Scalar]) -> list[list[Scalar]] | None:
        """The rows of the matrix of these scalars, None where the type is a list without such a meaning."""
        return None

    def elements(self, table: Any) -> list[list[Scalar]] | None:
        """For each scalar, the elements of a whole matrix that stand for it: two beside a symmetric diagonal.

        None where the type is no matrix, or where the SymPy, NumPy or CasADi matrix has another shape.
        """
        places = self.matrix(range(self.size))
        if places is None or getattr(table, "shape", None) != (len(places), len(places[0])):
            return None
        found: list[list[Scalar]] = [[] for _ in range(self.size)]
        for i, row in enumerate(places):
            for j, place in enumerate(row):
                found[place].append(table[i, j])
        return found

    def suffixes(self) -> list[str]:
        """The suffix of each scalar's name: the indices, as in `_01`."""
        digits = "" if max(self.shape) <= 10 else "_"
        return ["_" + digits.join(map(str, index)) for index in _indices(self.shape)]

    def row_names(self, name: str) -> list[str]:
        """For each scalar, the matrix and row that it belongs to; empty outside of matrices."""
        many = len(self.shape) == 2 and self.shape[0] > 1
        width = self.shape[-1]
        return [f"row {i // width} of {name}" if many else "" for i in range(self.size)]

    def sample(self, draw: Draw) -> list[Scalar]:
        """The scalars of a random value."""
        return [draw() for _ in range(self.size)]

    def edges(self) -> list[list[Scalar]]:
        """The scalars of edge cases, at which formulas are singular; the simplest value comes first."""
        return [[0] * self.size]

    def check(self, name: str, scalars: Sequence[Scalar]) -> None:
        """FeatherError unless exact scalars are a valid value of the type."""


class ValueType(ABCMeta):
    """The class of the types of structured values, which says where a type is meant and a value is made."""

    def __call__(cls, *parts: Any, **named: Any) -> Any:
        """A value of the type; FeatherError where it is given no part, or others than it has."""
        layout = getattr(cls, "layout", {})
        if layout and not (parts or named):
            raise FeatherError(
                f"{cls.__name__}() lacks {', '.join(layout)}: as the type of an argument, write "
                f"{cls.__name__} without brackets"
            )
        try:
            return super().__call__(*parts, **named)
        except TypeError:
            wrong = misuse(cls, parts, named)
            if wrong is None:
                raise
        raise CallError(wrong)


class Value(Composite, metaclass=ValueType):
    """A structured value: named components that flatten to scalars in a fixed order, which is C's."""

    c_name: ClassVar[str]
    layout: ClassVar[dict[str, Component]]
    independent: ClassVar[bool] = False  # whether each scalar may have any value of its own
    constrained: ClassVar[bool] = False  # whether its scalars depend on each other, as a rotation's do
    angular: ClassVar[bool] = False  # whether its scalars are angles, which may differ by whole turns
    textbook: ClassVar[str] = ""  # the matrix that it stands for in equations, of its parts
    from_textbook: ClassVar[str] = ""  # its parts, of that matrix, `whole`
    meanings: ClassVar[
        dict[str, str]
    ] = {}  # what its parts are, by their names in equations; {0} to {1} are its frames
    members: ClassVar[tuple[Any, ...]] = ()  # the arguments that the parts of a record are declared as

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

    def with_scalars(self, scalars: Sequence[Scalar]) -> Self:
        """A value of the same type with other scalars."""
        return type(self).of(list(scalars))

    def suffixes(self) -> list[str]:
        """The suffix of each scalar's name."""
        return self.component_names()

    def __add__(self, other: Any) -> Self:
        if _is_matrix(other):
            return NotImplemented
        self._expect_like("+", other)
        added: Self = self.zip_with(other, lambda a, b: a + b)
        return added

    def __sub__(self, other: Any) -> Self:
        if _is_matrix(other):
            return NotImplemented
        self._expect_like("-", other)
        less: Self = self.zip_with(other, lambda a, b: a - b)
        return less

    def _expect_like(self, operator: str, other: Any) -> None:
        if getattr(other, "c_name", None) != self.c_name:
            self._unlike(operator, other)


def _is_matrix(thing: Any) -> bool:
    """Whether it is a vector or matrix of any size, which itself operates on structured values."""
    return isinstance(thing, Composite) and not isinstance(thing, Value)


class Elements(tuple[Scalar, ...]):
    """The value of an Array argument: a flat tuple, row by row, that is not joined or repeated by + and *."""

    __slots__ = ()

    def _not_a_vector(self, _: Any) -> Never:
        raise FormulaError(
            "an Array has no +, * or ==; write them for its elements, as in [2 * a for a in x], "
            "or declare a Vector or Vec3; (*a, *b) joins two"
        )

    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __truediv__ = _not_a_vector
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _not_a_vector
    __hash__ = tuple.__hash__
    __array_ufunc__ = None  # a NumPy number on the left leaves the operation to the value

    def __setitem__(self, *_: Any) -> Never:
        raise FormulaError("an Array does not change: list its elements, as in x = [*a], and change the list")

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, tuple):
            raise FormulaError(
                "an Array is flat: element (i, j) of Array((m, n)) is a[n * i + j]; "
                "a Matrix(m, n) has a[i, j]"
            )
        check_index(index, len(self), f"an Array of {len(self)}")
        found = super().__getitem__(index)
        return Elements(found) if isinstance(index, slice) else found


def check_index(index: Any, extent: int, what: str) -> None:
    """FormulaError where a whole number is no index of so many elements."""
    if isinstance(index, int) and not -extent <= index < extent:
        raise FormulaError(f"index {index} is outside of {what}; the last one is {extent - 1}")


Component: TypeAlias = type[Value] | Real | Array
"""The type of an argument or of a component of a value."""


REAL = Real()
POSITIVE = Real(positive=True)
INTEGER = Real(integer=True)


def flatten(value: Any) -> list[Scalar]:
    """The scalars of a value, a tuple or list of values, a NumPy array, or a scalar."""
    if isinstance(value, Composite):
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


def positives(component: Component) -> list[bool]:
    """For each scalar of a type, in C order, whether it must be positive."""
    if isinstance(component, type):
        return [positive for part in component.layout.values() for positive in positives(part)]
    return [isinstance(component, Real) and component.positive] * size(component)


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


def scalars_of(component: Component, value: Any) -> list[Scalar]:
    """The scalars in C order of a value that is to be of this type."""
    return component.scalars(value) if isinstance(component, Array) else flatten(value)


def value_of(component: Component, scalars: list[Scalar]) -> Any:
    """A value of the type from its scalars in C order."""
    return _take(component, iter(scalars))


def _take(component: Component, stream: Iterator[Scalar]) -> Any:
    if isinstance(component, Real):
        return next(stream)
    if isinstance(component, Array):
        return component.value([next(stream) for _ in range(component.size)])
    return component(*(_take(part, stream) for part in component.layout.values()))


def component_names(component: Component) -> list[str]:
    """The suffix of the name of each scalar of a type: `_w_x`, `_R_01`; empty for a scalar."""
    if isinstance(component, Real):
        return [""]
    if isinstance(component, Array):
        return component.suffixes()
    return component.component_names()


def row_names(component: Component, name: str) -> list[str]:
    """For each scalar of an object, the matrix and row that it belongs to; empty outside of matrices."""
    if isinstance(component, Real):
        return [""]
    return component.row_names(name)


def sample(component: Component, draw: Draw) -> list[Scalar]:
    """The scalars of a random value of the type; `draw` gives scalars without constraint."""
    return component.sample(draw)


def _positive(x: Any) -> Any:
    """A positive number for a number without constraint; a number of a finite field may stand for one."""
    return x if getattr(x, "may_be_positive", False) else x * x + 1


def edges(component: Component) -> list[list[Scalar]]:
    """The scalars of edge cases of the type, at which formulas are singular."""
    return component.edges()


def _indices(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    if not shape:
        return [()]
    return [(i, *rest) for i in range(shape[0]) for rest in _indices(shape[1:])]
