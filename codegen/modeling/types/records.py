"""Records: structures that a model defines, such as the states of a block, each member with unit and meaning.

A record is a type of values like Vec3: an argument of kernels, a C struct, a member of other records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import make_dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.types import Scalar, Value, value_of
from codegen.misuse import explained
from codegen.modeling.names import check_name

PARAMETERS = "parameters"
"""The argument of a block that holds its parameters; a vehicle file names its members alone."""


class Record(Value):
    """A structure of named members, each an argument with type, unit, frame, meaning and range."""

    members: ClassVar[tuple[Arg, ...]] = ()
    initial: ClassVar[tuple[Fraction, ...]] = ()  # the initial state, of the states of a block

    @classmethod
    def argument(cls, name: str, doc: str) -> Arg:
        """An argument of this type, with the units, meanings and ranges of the members."""
        units = (f"({m.unit})" if ";" in m.unit else m.unit for m in cls.members)
        ranges = [ends for m in cls.members for ends in m.ends]
        meanings = ", ".join(f"{m.name} {m.doc}{_frame(m)}" for m in cls.members)
        every = all(m.ends for m in cls.members) and cls.independent
        return Arg(name, cls, "; ".join(units), f"{doc}: {meanings}", range=ranges if every else None)


def as_result(argument: Arg) -> Arg:
    """The argument as a result: the ranges of a record's members are those that it has as an input."""
    is_record = (
        isinstance(argument, Arg) and isinstance(argument.type, type) and issubclass(argument.type, Record)
    )
    return replace(argument, range=None) if is_record else argument


@explained
def record(c_name: str, title: str, members: Sequence[Arg]) -> type[Record]:
    """The type of structures with these members; `c_name` names the C struct, `title` describes it there.

    It is called with the values of all members; `.argument(name, doc)` of the type is an argument of kernels.
    FeatherError names a member whose name is not possible, or that is optional.
    """
    check_name(c_name, "structure")
    names = [member.name for member in members]
    for name in names:
        check_name(name, f"member of {c_name}")
        if names.count(name) > 1:
            raise FeatherError(f"{c_name} has two members called {name}: rename one")
        if hasattr(Record, name):
            raise FeatherError(f"{name!r} cannot name a member of {c_name}: every structure has one")
    for member in members:
        if member.optional:
            raise FeatherError(f"{c_name}.{member.name} is optional, as only outputs can be: remove it")
    kinds = [member.type for member in members]
    made: type[Record] = make_dataclass(
        "".join(word.capitalize() for word in c_name.split("_")),
        names,
        bases=(Record,),
        frozen=True,
        eq=False,
        namespace={
            "__doc__": title,
            "c_name": c_name,
            "layout": dict(zip(names, kinds, strict=True)),
            "members": tuple(members),
            "independent": all(_is_independent(kind) for kind in kinds),
            "constrained": any(isinstance(kind, type) and kind.constrained for kind in kinds),
        },
    )
    return made


def _is_independent(kind: Any) -> bool:
    return bool(getattr(kind, "independent", not getattr(kind, "integer", False)))


def _frame(member: Arg) -> str:
    """The frame of a member, as the comment of an argument states it."""
    return f", {'in ' if len(member.frame) == 1 else ''}{member.frame}" if member.frame else ""


def members_of(value: Record) -> list[Any]:
    """The values of a record's members."""
    return [getattr(value, member.name) for member in value.members]


def split(members: Sequence[Arg], scalars: Sequence[Scalar]) -> list[Any]:
    """The values of these members, from all of their scalars in C order."""
    found, first = [], 0
    for member in members:
        found.append(value_of(member.type, list(scalars[first : first + member.size])))
        first += member.size
    return found
