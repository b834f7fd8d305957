"""The layout of types in C: struct members, accessors and array extents, for C, manifest and loader."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from codegen.errors import FeatherError
from codegen.ir.domain import members_of, spans
from codegen.ir.program import Arg
from codegen.ir.ranges import each_in_words
from codegen.ir.systems import Precision
from codegen.ir.types import Array, Component, Real, Value, component_names, is_integer, size
from codegen.modeling.types.records import Record


def accessors(component: Component) -> list[str]:
    """The C that follows an object's name to reach each scalar: `.R.m[4]`; empty for a scalar."""
    if isinstance(component, Real):
        return [""]
    if isinstance(component, Array):
        return [f"[{i}]" for i in range(component.size)]
    return [f".{name}{below}" for name, part in component.layout.items() for below in accessors(part)]


def struct_name(component: type[Value], prefix: str, precision: Precision) -> str:
    """The C name of a struct type."""
    return f"{prefix}{component.c_name}_{precision.name}"


@dataclass(frozen=True)
class Member:
    """A member of a struct: `type name[extent];` at an offset counted in scalars."""

    name: str
    type: str
    extent: int  # 0 when it is no array
    offset: int
    remark: str = ""  # the comment of a record's member: its meaning, frame, unit and range

    @property
    def declaration(self) -> str:
        """The member as C declares it."""
        return f"{self.type} {self.name}" + (f"[{self.extent}]" if self.extent else "")

    @property
    def manifest_type(self) -> str:
        """Its type in the manifest: `double[9]`."""
        return self.type + (f"[{self.extent}]" if self.extent else "")


@dataclass(frozen=True)
class Struct:
    """A C struct: contiguous scalars of one precision, without padding."""

    name: str
    meaning: str
    scalar: str
    scalars: int
    members: tuple[Member, ...]

    @property
    def guard(self) -> str:
        """The include guard of the struct; it depends on the members."""
        return guard(self.name, [m.declaration for m in self.members])


def guard(name: str, content: Iterable[str]) -> str:
    """An include guard for a declaration that several generated trees in one program share."""
    digest = hashlib.sha256("\n".join(content).encode()).hexdigest()[:6]
    return f"{''.join(c if c.isalnum() else '_' for c in name)}_{digest}".upper()


def struct_of(component: type[Value], prefix: str, precision: Precision) -> Struct:
    """The C struct of a type."""
    members, offset = [], 0
    remarks = {m.name: meaning(m) for m in component.members} if issubclass(component, Record) else {}
    for name, part in component.layout.items():
        if isinstance(part, Real):
            kind, extent = precision.ctype, 0
        elif isinstance(part, Array):
            kind, extent = precision.ctype, part.size
        else:
            kind, extent = struct_name(part, prefix, precision), 0
        members.append(Member(name, kind, extent, offset, remarks.get(name, "")))
        offset += size(part)
    title = (_named_ancestor(component).__doc__ or "").partition("\n")[0]
    name = struct_name(component, prefix, precision)
    return Struct(name, title, precision.ctype, offset, tuple(members))


def meaning(arg: Arg, shape: Sequence[int | str] = ()) -> str:
    """The meaning of an argument for a comment: meaning, extents, frame, unit, range."""
    frame = f", {'in ' if len(arg.frame) == 1 else ''}{arg.frame}" if arg.frame else ""
    order = " x ".join(map(str, shape)) or (arg.type.order if isinstance(arg.type, Array) else "")
    extent = f" ({order})" if order else ""
    values = f", {arg.range_in_words}" if arg.ends else ""
    return f"{arg.doc}{extent}{frame} [{arg.unit}]{values}"


def ranges_of_members(arg: Arg) -> str:
    """The ranges that some members of a record have, for a comment; empty where none or all have one."""
    names = component_names(arg.type)
    bounded = [(span, n.removeprefix("_")) for span, n in zip(spans(arg), names, strict=True) if span]
    if arg.ends or not bounded or not members_of(arg):
        return ""
    return f", {each_in_words([span for span, _ in bounded], [name for _, name in bounded])}"


def _named_ancestor(component: type[Value]) -> type[Value]:
    """The class that gives a C type its name: SymMat3 for an InertiaTensor."""
    return next(c for c in reversed(component.__mro__) if "c_name" in vars(c) and issubclass(c, Value))


def structs(arguments: Iterable[Arg]) -> list[type[Value]]:
    """The struct types that the arguments need, each after those of its members."""
    found: dict[str, type[Value]] = {}

    def visit(component: Component) -> None:
        if isinstance(component, type):
            for part in component.layout.values():
                visit(part)
            known = found.setdefault(component.c_name, component)
            if known.layout != component.layout:
                raise FeatherError(f"two structures are called {component.c_name}: rename one of the blocks")

    for argument in arguments:
        visit(argument.type)
    return list(found.values())


@dataclass(frozen=True)
class Parameter:
    """An argument as a C parameter: its declaration, and the C of each of its scalars."""

    arg: Arg
    direction: str  # in, out
    declaration: str
    type: str
    passed: str  # value, pointer
    shape: tuple[int | str, ...]  # the extents of a routine's arrays are the names of int arguments
    scalars: tuple[str, ...]


def parameter(
    arg: Arg, direction: str, interface: str, prefix: str, precision: Precision, restrict: str = ""
) -> Parameter:
    """The C parameter of an argument: a struct or, in the array interface, plain scalars.

    `restrict` is the C qualifier for arguments that do not alias; it is empty where they may.
    """
    pointer = f"*{restrict} " if restrict else "*"
    const = "const " if direction == "in" else ""
    scalar = "int" if is_integer(arg.type) else precision.ctype
    if isinstance(arg.type, Real):
        if direction == "in":
            return Parameter(arg, direction, f"{scalar} {arg.name}", scalar, "value", (), (arg.name,))
        return Parameter(
            arg, direction, f"{scalar} {pointer}{arg.name}", scalar, "pointer", (), (f"*{arg.name}",)
        )
    if isinstance(arg.type, Array) or interface == "array":
        extent = arg.type.shape if isinstance(arg.type, Array) else (arg.size,)
        declaration = f"{const}{scalar} {arg.name}[{f'{restrict} {arg.size}'.strip()}]"
        items = tuple(f"{arg.name}[{i}]" for i in range(arg.size))
        return Parameter(arg, direction, declaration, scalar, "pointer", extent, items)
    kind = struct_name(arg.type, prefix, precision)
    members = tuple(f"{arg.name}->{a[1:]}" for a in accessors(arg.type))
    return Parameter(arg, direction, f"{const}{kind} {pointer}{arg.name}", kind, "pointer", (), members)
