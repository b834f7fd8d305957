"""A function as read from C: its Program, the C types of its values, and its interface."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from codegen.ir.program import Program
from codegen.ir.rewriting import arrange, needed
from codegen.ir.systems import F32, F64, Precision


class Held(Enum):
    """The C type in which a value is held, narrowest first."""

    TRUTH = "truth"
    INT = "int"
    FLOAT = "float"
    DOUBLE = "double"

    @property
    def precision(self) -> Precision:
        """The format of a floating-point type."""
        return F32 if self is Held.FLOAT else F64


WIDTH = {held: i for i, held in enumerate(Held)}
"""How wide each type is."""


@dataclass(frozen=True)
class ReadParameter:
    """A parameter: its declaration without its name, and the C that follows the name for each scalar.

    `places` is None for an argument that is passed by value. The function may assign the parameter itself
    unless it is const.
    """

    name: str
    declared: str
    held: Held
    places: tuple[str, ...] | None
    written: bool
    is_const: bool = False

    @property
    def scalars(self) -> list[str]:
        """The C of each scalar."""
        return [self.name] if self.places is None else [_spelled(self.name, p) for p in self.places]


def _spelled(name: str, place: str) -> str:
    if place.startswith("."):
        return f"{name}->{place[1:]}"
    return name + place if place else f"*{name}"


class Linkage(Enum):
    """Who can call a function."""

    EXTERNAL = "a symbol of the library"
    IN_HEADER = "static in a header, so that the library has no symbol of it"
    INLINE = "inline, so that the library has no symbol of it"
    STATIC = "static"


@dataclass(frozen=True)
class Signature:
    """The interface: the return type, the parameters, and who can call the function."""

    returns: str
    parameters: tuple[ReadParameter, ...]
    linkage: Linkage


class Overlap(NamedTuple):
    """An input that may alias an output: it is read after an output of its type has been written."""

    input: str
    output: str


Sharing: TypeAlias = tuple[Overlap, ...]
"""Overlaps that hold at once."""


@dataclass(frozen=True)
class Reading:
    """A function as read.

    Its Program takes the scalars of the inputs, then what the outputs hold before the call. An operation is
    done in the widest type of its arguments; its result is held in the type in `held`.
    """

    signature: Signature
    program: Program
    held: tuple[Held, ...]
    types: frozenset[Held]  # the floating-point types of its values, apart from constants
    overlaps: tuple[Overlap, ...] = ()
    optional: tuple[str, ...] = ()  # the arguments whose pointers are compared with null
    guarded: tuple[str, ...] = ()  # of these, those that a null pointer does not only skip
    wide: int = 0  # operations that are read in float, and that C writes in double with a conversion

    @property
    def precision(self) -> Precision:
        """The format that most of its arguments have."""
        kinds = [p.held for p in self.signature.parameters if p.held is not Held.INT]
        return F64 if Held.DOUBLE in kinds or not kinds else F32


def computing(reading: Reading, program: Program) -> Reading:
    """A reading of what another Program of the same nodes computes, without those that it does not need."""
    alive = sorted(needed(program))
    return replace(reading, program=arrange(program, alive), held=tuple(reading.held[i] for i in alive))


SCALARS = {"float": Held.FLOAT, "double": Held.DOUBLE, "int": Held.INT}
"""The C types of scalars."""


INFINITE = Fraction(2) ** 2000
"""The constant that stands for infinity: it is beyond the range of every type."""


def rounded(number: Fraction, held: Held) -> Fraction:
    """A constant as its type holds it: INFINITE, or its negative, where it is beyond the type's range."""
    if held is Held.INT:
        return number
    try:
        return held.precision.rounded(number)
    except OverflowError:
        return INFINITE if number > 0 else -INFINITE
