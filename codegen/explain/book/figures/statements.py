"""What the arguments of a kernel state: frames, the transforms between them, vectors, and angles.

All of it follows from types, units, frames and names. The order of Euler angles is that of the product of
elementary rotations which the argument of angles states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Real, Value, size
from codegen.modeling.algebra import Angles, Force, Motion, Quaternion, Rodrigues, Rotation, Transform, Vec3
from codegen.notation.prose import pieces
from codegen.notation.reader import read_formulas
from codegen.notation.syntax import Kind, Node


class Sort(Enum):
    """How a vector is drawn."""

    POSITION = "position"
    STRAIGHT = "straight"
    TURNING = "turning"
    FIRST_MOMENT = "first moment"


_QUANTITIES = {
    "m": (Sort.POSITION, "position"),
    "kg m": (Sort.FIRST_MOMENT, "centre of mass"),
    "m/s": (Sort.STRAIGHT, "velocity"),
    "m/s^2": (Sort.STRAIGHT, "acceleration"),
    "N": (Sort.STRAIGHT, "force"),
    "N/s": (Sort.STRAIGHT, "rate of a force"),
    "N s": (Sort.STRAIGHT, "impulse"),
    "kg m/s": (Sort.STRAIGHT, "momentum"),
    "1": (Sort.STRAIGHT, "direction"),
    "any": (Sort.STRAIGHT, "vector"),
    "rad": (Sort.TURNING, "rotation"),
    "rad/s": (Sort.TURNING, "angular velocity"),
    "rad/s^2": (Sort.TURNING, "angular acceleration"),
    "N m": (Sort.TURNING, "moment"),
    "N m/s": (Sort.TURNING, "rate of a moment"),
    "kg m^2/s": (Sort.TURNING, "angular momentum"),
}
"""What a vector of a unit is; one of another unit is not drawn."""

_UNITS_OF_PARTS = {Motion: ("rad/s", "m/s"), Force: ("N m", "N")}
"""Units that stand for those of a spatial vector that declares none for each part."""


@dataclass(frozen=True)
class Join:
    """A rotation or pose that takes coordinates from the frame `of` to the frame `to`."""

    of: str
    to: str
    arg: Arg
    given: bool

    @property
    def is_pose(self) -> bool:
        """Whether it has a position."""
        return self.arg.type is Transform

    @property
    def is_sequence(self) -> bool:
        """Whether it is given by angles."""
        return self.arg.type is Angles


@dataclass(frozen=True)
class Vector:
    """A vector of an argument, or of a part of it, whose scalars begin at `first`."""

    arg: Arg
    part: str
    frame: str
    unit: str
    first: int
    given: bool

    @property
    def of_pose(self) -> bool:
        """Whether it is the position in a pose."""
        return self.arg.type is Transform

    @property
    def is_gravity(self) -> bool:
        """Whether it is the acceleration of gravity."""
        return self.unit == "m/s^2" and self.name.split("_")[0] == "g"

    @property
    def position_of(self) -> str:
        """The frame whose origin is at the tip, if any: of B for `p_B` in N, for `p_AB_A` and in `T_AB`."""
        if self.sort is not Sort.POSITION:
            return ""
        pose = _between(self.arg) if self.of_pose else None
        named = _POSITION.fullmatch(self.name)
        of = pose[0] if pose else (named["of"] or named["of_pair"]) if named else ""
        return "" if of == self.frame else of

    @property
    def sort(self) -> Sort:
        """How it is drawn."""
        return _QUANTITIES[self.unit][0]

    @property
    def quantity(self) -> str:
        """What it is, in words."""
        return _QUANTITIES[self.unit][1]

    @property
    def name(self) -> str:
        """Its name in code."""
        return f"{self.arg.name}.{self.part}" if self.part else self.arg.name


@dataclass(frozen=True)
class Turn:
    """One factor of a product of elementary rotations: its axis, 0 to 2, and its angle's name."""

    axis: int
    angle: str

    @property
    def component(self) -> int:
        """The component of the angles that it turns by: `a_0`, or roll, pitch and yaw."""
        return _RPY.index(self.angle) if self.angle in _RPY else int(self.angle[-1])


_RPY = ("phi", "theta", "psi")

_POSITION = re.compile(r"p_(?P<of>[A-Z])|p_(?P<to>[A-Z])(?P<of_pair>[A-Z])_(?P=to)")


def joins(inputs: Sequence[Arg], outputs: Sequence[Arg]) -> list[Join]:
    """The transforms between frames, those of the inputs first."""
    return [
        Join(*between, arg, given)
        for arguments, given in ((inputs, True), (outputs, False))
        for arg in arguments
        if (between := _between(arg))
    ]


def _between(arg: Arg) -> tuple[str, str] | None:
    """The frames (B, A) that a rotation, attitude or pose takes coordinates from and to."""
    types = (Quaternion, Rotation, Rodrigues, Transform, Angles)
    if not (isinstance(arg.type, type) and issubclass(arg.type, types)):
        return None
    stated = re.fullmatch(r"(\w) to (\w)", arg.frame)
    named = re.search(r"_([A-Z])([A-Z])$", arg.name)
    if stated:
        return stated[1], stated[2]
    return (named[2], named[1]) if named else None


def vectors(inputs: Sequence[Arg], outputs: Sequence[Arg]) -> list[Vector]:
    """The vectors that are expressed in one frame."""
    return [
        vector
        for arguments, given in ((inputs, True), (outputs, False))
        for arg in arguments
        for vector in _vectors(arg, arg, "", 0, given)
    ]


def _vectors(whole: Arg, part: Arg, name: str, first: int, given: bool) -> Iterator[Vector]:
    """The vectors in a part of an argument, whose scalars begin at `first`."""
    between = _between(part)
    if between and part.type is Transform:
        yield Vector(whole, f"{name}.p".lstrip("."), between[1], "m", first + size(Rotation), given)
    if not (isinstance(part.type, type) and issubclass(part.type, Value)) or between:
        return
    if issubclass(part.type, Vec3):
        if len(part.frame) == 1 and part.unit in _QUANTITIES:
            yield Vector(whole, name, part.frame, part.unit, first, given)
        return
    for member in _members(part):
        yield from _vectors(whole, member, f"{name}.{member.name}".lstrip("."), first, given)
        first += size(member.type)


def _members(arg: Arg) -> list[Arg]:
    """The parts of a structure as arguments of their own."""
    assert isinstance(arg.type, type)
    layout = arg.type.layout
    units: Sequence[str] = arg.unit.split("; ")
    if len(units) != len(layout):
        units = _UNITS_OF_PARTS.get(arg.type, [""] * len(layout))
    own = {m.name: m for m in arg.type.members}
    return [
        own.get(name, Arg(name, kind, unit, "", arg.frame))
        for (name, kind), unit in zip(layout.items(), units, strict=True)
    ]


def turns(angles: Arg) -> tuple[Turn, ...]:
    """The elementary rotations, from left to right, whose product the argument states; none where it states
    none.
    """
    for piece in pieces(angles.doc):
        if piece.is_formula:
            try:
                formulas = read_formulas(piece.text)
            except FeatherError:
                continue
            found = [_turns(side) for formula in formulas for side in formula.sides]
            if any(found):
                return max(found, key=len)
    return ()


def _turns(product: Node) -> tuple[Turn, ...]:
    factors = product.args if product.kind is Kind.PRODUCT else (product,)
    if not all(f.kind is Kind.CALL and f.name in _ELEMENTARY for f in factors):
        return ()
    found = tuple(Turn(_ELEMENTARY.index(f.name), f.args[0].name) for f in factors)
    return found if all(t.angle in _RPY or t.angle[-2:] in ("_0", "_1", "_2") for t in found) else ()


_ELEMENTARY = ("Rx", "Ry", "Rz")


def scalar(arguments: Sequence[Arg], unit: str, *names: str) -> Arg | None:
    """The scalar argument that has one of these names."""
    found = (a for a in arguments if a.name in names and a.unit == unit and isinstance(a.type, Real))
    return next(found, None)
