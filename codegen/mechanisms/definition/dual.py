"""Dual numbers, which carry a derivative: value and slope, over numbers of any kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from codegen.library.shared import elementary


@dataclass(frozen=True, eq=False)
class Dual:
    """value + slope e with e e = 0. The slope None is zero, and takes no operation."""

    value: Any
    slope: Any = None

    def __add__(self, other: Any) -> Dual:
        b = _dual(other)
        return Dual(self.value + b.value, _sum(self.slope, b.slope))

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, None if self.slope is None else -self.slope)

    def __sub__(self, other: Any) -> Dual:
        return self + -_dual(other)

    def __rsub__(self, other: Any) -> Dual:
        return _dual(other) + -self

    def __mul__(self, other: Any) -> Dual:
        b = _dual(other)
        return Dual(self.value * b.value, _sum(_times(self.slope, b.value), _times(b.slope, self.value)))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        return Dual(self.value / other, None if self.slope is None else self.slope / other)

    def __lt__(self, other: Any) -> Any:
        return self.value < _dual(other).value

    def __gt__(self, other: Any) -> Any:
        return self.value > _dual(other).value

    def tanh(self) -> Dual:
        """The hyperbolic tangent."""
        t = elementary.tanh(self.value)
        return Dual(t, _times(self.slope, 1 - t * t))

    def sin(self) -> Dual:
        """The sine."""
        return Dual(elementary.sin(self.value), _times(self.slope, elementary.cos(self.value)))

    def cos(self) -> Dual:
        """The cosine."""
        return Dual(elementary.cos(self.value), _times(self.slope, -elementary.sin(self.value)))


def _dual(x: Any) -> Dual:
    return x if isinstance(x, Dual) else Dual(x)


def _sum(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


def _times(slope: Any, value: Any) -> Any:
    return None if slope is None else slope * value
