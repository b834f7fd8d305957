"""Frames of vectors, matrices and rotations: a formula is evaluated on values that know theirs.

A vector in frame B cannot be added to one in N, nor turned by a rotation from A. A value keeps its frame in
sums, multiples and products; a rotation changes it, and so does a kernel that declares frames
(`called_frames`). What a formula makes of scalars has no frame, so that nothing is said of it, until
`in_frame` states one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, NamedTuple, TypeVar

from codegen.errors import FeatherError
from codegen.ir.expression import Expr
from codegen.ir.operations import Op
from codegen.ir.types import Value, flatten
from codegen.modeling.types.algebra import Angles, Mat3, Quaternion, SymMat3, Transform, Vec3
from codegen.modeling.types.scalar import holding

T = TypeVar("T")

REMEDY = "rotate one of them, or state by in_frame(value, frame) in which frame it is to be seen"


class Frame(NamedTuple):
    """The frame into which a value turns vectors of another one; of a vector or tensor, both are its own."""

    into: str
    of: str

    @property
    def turns(self) -> bool:
        """Whether it is that of a rotation."""
        return self.into != self.of

    @property
    def reversed(self) -> Frame:
        """That of the inverse rotation."""
        return Frame(self.of, self.into)

    def __str__(self) -> str:
        return f"from {self.of} to {self.into}" if self.turns else f"in {self.into}"


def _own(name: str) -> Frame:
    """The frame of a vector or tensor in a frame of this name."""
    return Frame(name, name)


_WRITTEN = re.compile(r"(\w+)(?: to (\w+))?")


def frame_of(text: str, kind: Any) -> Frame | None:
    """The frame that a declaration states for a type; None where it states none that is followed."""
    found = _WRITTEN.fullmatch(text)
    if found is None or not (isinstance(kind, type) and issubclass(kind, Value)):
        return None
    if found[2]:
        return Frame(found[2], found[1]) if issubclass(kind, (Mat3, Quaternion, Transform)) else None
    return None if issubclass(kind, (Angles, Quaternion, Transform)) else _own(found[1])


@dataclass(frozen=True)
class Followed:
    """The symbols of vectors, matrices and rotations, and which expressions depend on them, by their id."""

    symbols: frozenset[int]
    found: dict[int, tuple[Expr, bool]] = field(default_factory=dict)  # an id is that of a living object

    def depends(self, x: Any) -> bool:
        """Whether a scalar is computed from a component of a vector, matrix or rotation."""
        if not isinstance(x, Expr):
            return False
        waiting = [x]
        while waiting:
            e = waiting[-1]
            below = [a for a in e.args if id(a) not in self.found]
            waiting += below
            if not below:
                own = e.op is Op.INPUT and e.value in self.symbols
                self.found[id(waiting.pop())] = e, own or any(self.found[id(a)][1] for a in e.args)
        return self.found[id(x)][1]


_followed: ContextVar[Followed | None] = ContextVar("followed", default=None)


def following(symbols: Iterable[int]) -> AbstractContextManager[Followed]:
    """Follow the frames of the values of formulas run inside; `symbols` as in `Followed`."""
    return holding(_followed, Followed(frozenset(symbols)))


def is_followed() -> bool:
    """Whether the frames of values are followed."""
    return _followed.get() is not None


def in_frame(value: T, frame: str) -> T:
    """The value as one in a frame, "N", or a rotation as one between two, "B to N"; "" for none.

    Nothing is turned: the numbers remain, and the check of frames takes them as those in this frame.
    """
    if not isinstance(value, Value):
        raise FeatherError(f"in_frame takes a vector, matrix or quaternion, not a {type(value).__name__}")
    stated = frame_of(frame, type(value)) if isinstance(frame, str) else None
    if frame and stated is None:
        raise FeatherError(
            f"in_frame of a {value.kind} has the frame {frame!r}: a vector or tensor takes the name of one "
            'frame, as "N", and a rotation those of two, as "B to N"'
        )
    return framed(value, stated) if is_followed() else value


class _InFrame(Value):
    """A value that knows its frame; None where it was made of scalars. `name` is that of an argument."""

    plain: ClassVar[type[Value]]
    frame: Frame | None = None
    name: str = ""

    def with_scalars(self, scalars: Sequence[Any]) -> Any:
        return framed(self.plain.of(list(scalars)), self.frame)

    def zip_with(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        frame = _common(self, other)
        return framed(super().zip_with(other, function), frame)

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, Value):
            return super().__radd__(other)
        self._expect_like("+", other)
        return self.zip_with(other, lambda a, b: b + a)

    def __rsub__(self, other: Any) -> Any:
        self._expect_like("-", other)
        return self.zip_with(other, lambda a, b: b - a)


class _Vector(_InFrame, Vec3):
    """A vector in a frame."""

    def cross(self, other: Vec3) -> Any:
        frame = _common(self, other)
        return framed(super().cross(other), frame)

    def dot(self, other: Vec3) -> Any:
        _common(self, other)
        return super().dot(other)


class _Tensor(_InFrame):
    """A matrix that turns vectors, or maps those of its frame."""

    def __matmul__(self, other: Any) -> Any:
        frame = _applied(self, other)
        product = super().__matmul__(other)  # type: ignore[misc]
        return framed(product, frame) if isinstance(product, Value) else product

    def solve(self, v: Vec3) -> Any:
        frame = _applied(framed(self, self.frame and self.frame.reversed), v)
        return framed(super().solve(v), frame)  # type: ignore[misc]

    def rotated(self, R: Mat3) -> Any:
        turned = _applied(R, self) if known(R) else None
        return framed(super().rotated(R), turned and _own(turned.into))  # type: ignore[misc]


class _Symmetric(_Tensor, SymMat3):
    """A symmetric matrix in a frame."""


class _Matrix(_Tensor, Mat3):
    """A matrix in a frame, or a rotation between two."""

    @property
    def transpose(self) -> Any:
        return framed(super().transpose, self.frame and self.frame.reversed)

    def row(self, i: int) -> Any:
        return framed(super().row(i), self.frame and _own(self.frame.of))

    def column(self, j: int) -> Any:
        return framed(super().column(j), self.frame and _own(self.frame.into))


class _Attitude(_InFrame, Quaternion):
    """A quaternion that turns vectors of one frame into another."""

    @property
    def conjugate(self) -> Any:
        return framed(super().conjugate, self.frame and self.frame.reversed)

    def __matmul__(self, other: Quaternion) -> Any:
        frame = _applied(self, other)
        return framed(super().__matmul__(other), frame)


@cache
def _knowing(kind: type[Value]) -> type[_InFrame]:
    """The type of a type's values in a frame."""
    families = {Vec3: _Vector, Mat3: _Matrix, SymMat3: _Symmetric, Quaternion: _Attitude}
    family = next((own for base, own in families.items() if issubclass(kind, base)), _InFrame)
    return type(kind.__name__, (family, kind), {"plain": kind})


def known(value: Any) -> Frame | None:
    """The frame that a value knows."""
    return value.frame if isinstance(value, _InFrame) else None


def framed(value: Any, frame: Frame | None, name: str = "") -> Any:
    """The value, and so its parts, in a frame, or in none."""
    kind: Any = value.plain if isinstance(value, _InFrame) else type(value)
    inside = [framed(x, own) if isinstance(x, Value) else x for x, own in parts_of(value, frame)]
    if frame is None:
        return kind(*inside)
    made = _knowing(kind)(*inside)
    object.__setattr__(made, "frame", frame)
    object.__setattr__(made, "name", name)
    return made


def parts_of(value: Any, frame: Frame | None) -> list[tuple[Any, Frame | None]]:
    """The parts of a value in a frame, each with its own: the position of a pose is no rotation."""
    parts = [getattr(value, f.name) for f in fields(value)]
    return [(x, frame and _own(frame.into) if isinstance(x, Vec3) else frame) for x in parts]


def _common(a: Any, b: Any) -> Frame | None:
    """The frame of two values that are added, compared or multiplied; FeatherError where they differ.

    A vector of numbers and free scalars, such as [0, 0, g], may be in any. Rotations may differ: their sums
    are those of matrices.
    """
    one, other = known(a), known(b)
    if one is None or other is None:
        return (one or other) if _is_free(a if one is None else b) else None
    if one == other or one.turns or other.turns:
        return one if one == other else None
    raise FeatherError(f"{described(a)} is combined with {described(b)}: {REMEDY}")


def _is_free(value: Any) -> bool:
    """Whether no scalar of a value is computed from one in a frame."""
    followed = _followed.get()
    return followed is not None and not any(map(followed.depends, flatten(value)))


def _applied(turning: Any, value: Any) -> Frame | None:
    """The frame of a product with a matrix or quaternion; FeatherError where it turns other vectors."""
    by, of = known(turning), known(value)
    if by is None:
        return None
    is_vector = isinstance(value, Vec3)
    if of is not None and by.of != of.into:
        inverse = inverted(turning) if by.into == of.into else ""
        remedy = f"write {inverse}, or {REMEDY}" if inverse else REMEDY
        raise FeatherError(f"{described(turning)} is multiplied by {described(value)}: {remedy}")
    if is_vector:
        return _own(by.into)
    return Frame(by.into, of.of) if of else None


def inverted(value: Any) -> str:
    """How the inverse of a rotation with a name is written, and its frame; empty for other values."""
    if not isinstance(value, (_Attitude, _Matrix)) or value.frame is None:
        return ""
    inverse = "conjugate" if isinstance(value, Quaternion) else "transpose"
    is_told = value.name and value.frame.turns
    return f"{value.name}.{inverse}, which is {value.frame.reversed}" if is_told else ""


def described(value: Any) -> str:
    """A value and its frame, in a message."""
    return f"{value.name or f'a {value.kind}'} {value.frame}"
