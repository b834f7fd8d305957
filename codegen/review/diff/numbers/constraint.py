"""The input domain of a function known only as C.

It is that of the library's kernel with the same signature, or has the types that both manifests state.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from codegen.emit.layout import accessors
from codegen.errors import FeatherError
from codegen.ir.program import Arg
from codegen.ir.ranges import check_held
from codegen.ir.systems import Precision
from codegen.ir.types import POSITIVE, REAL, Component, Value, is_integer, size
from codegen.library import library
from codegen.modeling.types import algebra
from codegen.review.diff.declared import POSITIVE_NUMBER
from codegen.review.diff.reading import Reading, ReadParameter
from codegen.review.diff.text.source import Source


def constraint_set(symbol: str, sources: Sequence[Source], reading: Reading) -> tuple[list[Arg], str]:
    """The inputs of a reading's Program with the types of a kernel, and its name.

    Where the library has no kernel with this symbol and these inputs, the types are those that the manifests
    of both trees state, else as C declares them, and the name is empty if C tells them all. Their ranges
    contain those that the manifests of both trees declare.
    """
    named = re.fullmatch(re.escape(sources[-1].prefix) + r"(\w+)_f(?:32|64)", symbol)
    name = named[1] if named else ""
    typed = _of_library(name, reading) or _of_manifests([s.kinds.get(symbol, {}) for s in sources], reading)
    plain = typed or list(reading.program.inputs)
    declared = [source.ranges.get(symbol, {}) for source in sources]
    inputs = [ranged(a, [ranges.get(a.name) for ranges in declared], reading.precision) for a in plain]
    return inputs, name if typed else ""


def _of_library(name: str, reading: Reading) -> list[Arg]:
    """The inputs with the types of the library's kernel of this name; none where it has other inputs."""
    kernel = library().get(name)
    types = {a.name: a.type for a in kernel.inputs} if kernel else {}
    given = [p for p in reading.signature.parameters if not p.written]
    if kernel is None or not all(p.name in types and _suits(p, types[p.name]) for p in given):
        return []
    return _with_types(reading, types)


_KINDS: Mapping[str, Component] = {
    **{n: kind for n, kind in vars(algebra).items() if isinstance(kind, type) and issubclass(kind, Value)},
    POSITIVE_NUMBER: POSITIVE,
}
"""The structured types by name, and positive numbers."""


def _of_manifests(stated: Sequence[Mapping[str, str]], reading: Reading) -> list[Arg]:
    """The inputs with the types that all manifests state, where C does not contradict; none where none is."""
    alike = {path: kind for path, kind in stated[0].items() if all(s.get(path) == kind for s in stated)}
    types = dict[str, Component]()
    for p in reading.signature.parameters:
        kind = _KINDS.get(alike.get(p.name, "")) or _of_members(p, alike)
        if kind is not None and not p.written and _suits(p, kind):
            types[p.name] = kind
    return _with_types(reading, types) if types else []


def _of_members(parameter: ReadParameter, kinds: Mapping[str, str]) -> Component | None:
    """The type of a structure of which the kinds of members are stated; None for another parameter.

    A member without a kind is a number, or each of its elements is one.
    """
    first = f"{parameter.name}."
    stated = {
        path.removeprefix(first): _KINDS.get(kind) for path, kind in kinds.items() if path.startswith(first)
    }
    if not stated or parameter.places is None:
        return None
    members = list[tuple[str, Component]]()
    for place in parameter.places:
        whole = place.removeprefix(".")
        path = next((p for m in re.finditer(r"[.[]", whole) if (p := whole[: m.start()]) in stated), whole)
        if not members or members[-1][0] != path:
            members.append((path, stated.get(path) or REAL))
    return _structure(members)


def _structure(members: Sequence[tuple[str, Component]]) -> type[Value]:
    """A type with these members, which are reached by their paths: `inner.q_NB`."""
    return type(
        "Structure",
        (Value,),
        {
            "c_name": "structure",
            "layout": dict(members),
            "members": tuple(Arg(path, kind, "", "") for path, kind in members),
            "constrained": any(isinstance(kind, type) and kind.constrained for _, kind in members),
        },
    )


def _with_types(reading: Reading, types: Mapping[str, Component]) -> list[Arg]:
    """The inputs of a reading's Program: those that are only read, with these types where they have one."""
    given = {p.name for p in reading.signature.parameters if not p.written}
    return [
        Arg(a.name, types[a.name], "", "") if a.name in given & types.keys() else a
        for a in reading.program.inputs
    ]


def ranged(argument: Arg, declared: Sequence[Any], precision: Precision) -> Arg:
    """The argument with a range that contains those declared; without one where one is missing or damaged."""
    try:
        each = [replace(argument, range=pairs).ends for pairs in declared if pairs is not None]
        hull = [(min(low for low, _ in e), max(high for _, high in e)) for e in zip(*each, strict=True)]
        check_held(argument.name, hull, precision)
    except FeatherError:
        return argument
    return replace(argument, range=hull) if each and len(each) == len(declared) else argument


def _suits(parameter: ReadParameter, component: Component) -> bool:
    """Whether a C parameter has the scalars of a type, as a struct or as an array."""
    if is_integer(component):
        return False
    reached = (None,) if parameter.places is None else parameter.places
    as_array = tuple(f"[{i}]" for i in range(size(component)))
    expected = tuple(accessors(component))
    return reached in (expected, as_array) or (expected == ("",) and reached == (None,))
