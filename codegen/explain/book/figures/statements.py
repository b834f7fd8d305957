"""What the arguments of a kernel state: frames, the transforms between them, vectors, and angles.

All of it follows from types, units, frames and names. The order of Euler angles is that of the product of
elementary rotations which the argument of angles states.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Real, Value, size
from codegen.modeling.types.algebra import (
    Angles,
    ContactTwist,
    ContactWrench,
    Force,
    Motion,
    Quaternion,
    Rodrigues,
    Rotation,
    Transform,
    Vec3,
)
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
    "kg m": (Sort.FIRST_MOMENT, "first moment"),
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

_PARTS: Mapping[type, Mapping[str, tuple[Sort, str]]] = {
    Motion: {
        "w": (Sort.TURNING, "angular part of the twist"),
        "v": (Sort.STRAIGHT, "linear part of the twist"),
    },
    ContactWrench: {
        "f_N": (Sort.STRAIGHT, "linear part of the column"),
        "n_B": (Sort.TURNING, "angular part of the column"),
    },
}
"""What the parts of a spatial vector are where their units do not say it, as those per unit of a joint."""

_OF_PARTS = frozenset(("1", "m", "1/m"))
"""Units of such parts."""

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
    what: tuple[Sort, str]

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
        return self.what[0]

    @property
    def quantity(self) -> str:
        """What it is, in words."""
        return self.what[1]

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
    frames = {frame for join in joins(inputs, outputs) for frame in (join.to, join.of)}
    return [
        vector
        for arguments, given in ((inputs, True), (outputs, False))
        for arg in arguments
        for vector in (*_vectors(arg, arg, "", 0, given), *_of_contact(arg, given, frames))
    ]


def _vectors(whole: Arg, part: Arg, name: str, first: int, given: bool) -> Iterator[Vector]:
    """The vectors in a part of an argument, whose scalars begin at `first`."""
    between = _between(part)
    if between and part.type is Transform:
        at = first + size(Rotation)
        yield Vector(whole, f"{name}.p".lstrip("."), between[1], "m", at, given, _QUANTITIES["m"])
    if not (isinstance(part.type, type) and issubclass(part.type, Value)) or between:
        return
    if issubclass(part.type, Vec3):
        what = _what(whole, part)
        if len(part.frame) == 1 and what:
            yield Vector(whole, name, part.frame, part.unit, first, given, what)
        return
    for member in _members(part):
        yield from _vectors(whole, member, f"{name}.{member.name}".lstrip("."), first, given)
        first += size(member.type)


def _of_contact(arg: Arg, given: bool, frames: Collection[str]) -> Iterator[Vector]:
    """The parts of a contact's column or of a mixed velocity, where rotations say what the frames are.

    The linear part is in world axes, the angular part in those of the body that the argument is named after.
    """
    if not (isinstance(arg.type, type) and issubclass(arg.type, (ContactTwist, ContactWrench))):
        return
    first = 0
    for member in _members(arg):
        frame = member.name.rpartition("_")[2]
        frame = arg.name.rpartition("_")[2] if frame == "B" else frame
        what = _what(arg, member)
        if frame in frames and what:
            yield Vector(arg, member.name, frame, member.unit, first, given, what)
        first += size(member.type)


def _what(whole: Arg, part: Arg) -> tuple[Sort, str] | None:
    """How a vector is drawn and what it is, in words; None for what no figure shows."""
    own = _PARTS.get(whole.type, {}).get(part.name) if isinstance(whole.type, type) else None
    if own and part.unit in _OF_PARTS:
        return own
    if part.unit == "m" and part.doc.startswith("velocity"):  # as the logarithm of a pose
        return Sort.STRAIGHT, "velocity times duration"
    return _QUANTITIES.get(part.unit)


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
