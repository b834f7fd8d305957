"""The types of arguments: scalars, arrays and structured values, with what every stage needs to know of them.

A structured type says how it flattens to scalars, how a random value of it is drawn and at which values
formulas break; `codegen.modeling.algebra` has the types of rigid-body mathematics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self, TypeAlias

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
        """The suffix that tells each scalar apart in a name."""
        return [f"_{name}{below}" for name, part in cls.layout.items() for below in component_names(part)]

    @classmethod
    def sample(cls, draw: Draw) -> list[Scalar]:
        """The scalars of a random value, drawn without roots, so that exact numbers stay exact."""
        return [scalar for part in cls.layout.values() for scalar in sample(part, draw)]

    @classmethod
    def edges(cls) -> list[list[Scalar]]:
        """The scalars of values at which formulas break; the first is the plainest one."""
        return [[0] * size(cls)]

    def check(self, name: str) -> None:
        """FeatherError unless the value can be one of its type; its scalars are exact."""

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

    def __add__(self, other: Self) -> Self:
        return self.zip_with(other, lambda a, b: a + b)

    def __sub__(self, other: Self) -> Self:
        return self.zip_with(other, lambda a, b: a - b)

    def __neg__(self) -> Self:
        return self.map(lambda a: -a)

    def __mul__(self, scale: Scalar) -> Self:
        return self.map(lambda a: a * scale)

    def __rmul__(self, scale: Scalar) -> Self:
        return self.map(lambda a: scale * a)

    def __truediv__(self, divisor: Scalar) -> Self:
        return self.map(lambda a: a / divisor)


Component: TypeAlias = type[Value] | Real | Array
"""The type of an argument or of a component of a value."""


REAL = Real()
POSITIVE = Real(positive=True)
INTEGER = Real(integer=True)


def flatten(value: Any) -> list[Scalar]:
    """The scalars of a value, a tuple or list of values, or a scalar."""
    if isinstance(value, Value):
        return value.scalars()
    if isinstance(value, (tuple, list)):
        return [scalar for part in value for scalar in flatten(part)]
    return [value]


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


def assemble(component: Component, scalars: list[Scalar]) -> Any:
    """A value of the type from its scalars in C order."""
    return _take(component, iter(scalars))


def _take(component: Component, stream: Iterator[Scalar]) -> Any:
    if isinstance(component, Real):
        return next(stream)
    if isinstance(component, Array):
        return tuple(next(stream) for _ in range(component.size))
    return component(*(_take(part, stream) for part in component.layout.values()))


def component_names(component: Component) -> list[str]:
    """The suffix that tells each scalar of a type apart in a name: `_w_x`, `_R_01`; empty for a scalar."""
    if isinstance(component, Real):
        return [""]
    if isinstance(component, Array):
        digits = "" if max(component.shape) <= 10 else "_"
        return ["_" + digits.join(map(str, index)) for index in _indices(component.shape)]
    return component.component_names()


def sample(component: Component, draw: Draw) -> list[Scalar]:
    """The scalars of a random value of the type; `draw` gives scalars without constraint."""
    if isinstance(component, Real):
        x = draw()
        return [x * x + 1] if component.positive else [x]
    if isinstance(component, Array):
        return [draw() for _ in range(component.size)]
    return component.sample(draw)


def edges(component: Component) -> list[list[Scalar]]:
    """The scalars of values of the type at which formulas break."""
    if isinstance(component, Real):
        return [[0], [1], [-1]]
    if isinstance(component, Array):
        return [[0] * component.size]
    return component.edges()


def _indices(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    if not shape:
        return [()]
    return [(i, *rest) for i in range(shape[0]) for rest in _indices(shape[1:])]
