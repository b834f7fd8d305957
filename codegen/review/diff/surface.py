"""What a file gives to those who include it: types, macros, a guard, and the linkage of C++."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, dropwhile

from codegen.review.diff.directives import Macro, Role
from codegen.review.diff.integers import integer_of
from codegen.review.diff.items import Item
from codegen.review.diff.signature import type_meaning
from codegen.review.diff.source import Source


@dataclass(frozen=True)
class Surface:
    """A file as those see it who include it.

    `names` are the types and macros that it declares, with their meaning. `guards` are the guards of types
    that have one of their own: what two trees declare under the same guard takes effect once. `linked` are
    the functions that it declares for C++ with the linkage of C.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    guards: Mapping[str, str] = field(default_factory=dict)
    guarded: bool = False
    linked: frozenset[str] = frozenset()


def surface(path: str, source: Source) -> Surface:
    """The surface of a file of a tree."""
    own = [(name, i) for name, items in source.types.items() for i in items if i.path == path]
    names = {**dict(_macros(path, source)), **{name: type_meaning(i.tokens) for name, i in own}}
    guards = dict(_guards(path, own, source))
    return Surface(names, guards, path in source.guarded, frozenset(_linked(path, source)))


def _guards(path: str, types: Sequence[tuple[str, Item]], source: Source) -> Iterator[tuple[str, str]]:
    """The guard of each type, where a file has several."""
    guards = [m for m in source.macros.guards() if m.path == path]
    for guard in guards if len(guards) > 1 else []:
        inside = " ".join(guard.body)
        yield from ((name, guard.name) for name, item in types if " ".join(item.tokens) in inside)


def _macros(path: str, source: Source) -> Iterator[tuple[str, str]]:
    """The macros that stand for something, with a normal form of what."""
    for name, definitions in source.macros.definitions.items():
        for macro in definitions:
            if macro.path == path and macro.role is not Role.GUARD and macro.body:
                yield name, _value(macro)


def _value(macro: Macro) -> str:
    text = " ".join(macro.body)
    if macro.has_parameters:
        return f"a macro with parameters: {text}"
    number = integer_of(text) if _is_closed(macro.body) else None
    return f"{number.value}{'u' * number.unsigned}{'l' * number.is_size}" if number else text


def _is_closed(body: Sequence[str]) -> bool:
    """Whether a macro is one operand wherever it stands: `1u << 3` is not, which is cut up by `~`."""
    inner = list(dropwhile(_SIGNS.__contains__, body))
    if len(inner) < 2:
        return bool(inner)
    depths = list(accumulate((word == "(") - (word == ")") for word in inner))
    return depths[-1] == 0 and all(depths[:-1])


_SIGNS = frozenset("+-~!")


def _linked(path: str, source: Source) -> Iterator[str]:
    """The functions declared between the braces of `extern "C"`."""
    lines = source.c_linkage.get(path, ())
    for table in (source.prototypes, source.functions) if lines else ():
        for name, items in table.items():
            own = [i for i in items if i.path == path]
            if own and all(any(i.line in part for part in lines) for i in own):
                yield name
