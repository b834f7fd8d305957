"""What a file gives to those who include it: declarations, includes, a guard, and the linkage of C++."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codegen.review.diff.changes import Change, ChangeClass, SourceTree
from codegen.review.diff.comments import separate
from codegen.review.diff.directives import Role
from codegen.review.diff.documentation import Difference, file_changes, file_differences
from codegen.review.diff.integers import integer_of
from codegen.review.diff.items import Item
from codegen.review.diff.signature import members
from codegen.review.diff.source import Source

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)[ \t]*([^\n]*)", re.MULTILINE)
_FUNCTION_LIKE = re.compile(r"(\w+)(\([^)\n]*\))?[ \t]*(.*)")
_C_LINKAGE = re.compile(r'extern\s*"C"\s*\{')

SHOWN = 3
"""Names that an explanation lists."""


@dataclass(frozen=True)
class Surface:
    """A file as those see it who include it.

    `names` are the types and macros that it declares, with their meaning; `includes` what it includes, by
    line. `linked` are the functions that it declares for C++ with the linkage of C.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    includes: Mapping[str, int] = field(default_factory=dict)
    guarded: bool = False
    linked: frozenset[str] = frozenset()


def surface(path: str, tree: SourceTree, source: Source) -> Surface:
    """The surface of a file of a tree."""
    text = text_of(tree[path])
    code = separate(text.replace("\\\n", "  ")).code
    lines = [(d[1], d[2].strip(), code.count("\n", 0, d.start()) + 1) for d in _DIRECTIVE.finditer(code)]
    names = dict(_macros(lines))
    own = ((name, i) for name, items in source.types.items() for i in items if i.path == path)
    names |= {name: _meaning(i) for name, i in own}
    includes = {given: line for kind, given, line in lines if kind == "include"}
    return Surface(names, includes, _guarded(lines), _linked(path, code, source))


def _meaning(declared: Item) -> str:
    """What a type is, in one form for all ways of writing a struct."""
    found = members(declared.tokens)
    if found is None:
        return " ".join(declared.tokens)
    return " ".join(f"{kind} {name}{f'[{extent}]' * bool(extent)};" for kind, name, extent in found)


def text_of(content: str | bytes) -> str:
    """The text of a file, of whatever bytes it consists."""
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    return text.replace("\r\n", "\n")


def _macros(lines: Sequence[tuple[str, str, int]]) -> Iterator[tuple[str, str]]:
    """The macros that stand for something, with a normal form of what."""
    for kind, given, _ in lines:
        found = _FUNCTION_LIKE.fullmatch(given) if kind == "define" else None
        if found and (found[2] or found[3]):
            number = integer_of(found[3])
            meaning = f"{number.value}{'u' * number.unsigned}" if number else found[3]
            yield found[1], (found[2] or "") + " ".join(meaning.split())


def _guarded(lines: Sequence[tuple[str, str, int]]) -> bool:
    """Whether a file may be included twice: a guard around all of it, or #pragma once."""
    kinds = [(kind, given) for kind, given, _ in lines]
    around = len(kinds) > 2 and kinds[0][0] == "ifndef" and kinds[1] == ("define", kinds[0][1])
    return ("pragma", "once") in kinds or (around and kinds[-1] == ("endif", ""))


def _linked(path: str, code: str, source: Source) -> frozenset[str]:
    """The functions declared between the braces of `extern "C"`."""
    opened = _C_LINKAGE.search(code)
    if opened is None:
        return frozenset()
    first = code.count("\n", 0, opened.end()) + 1
    closing = code.rfind("__cplusplus")
    last = code.count("\n", 0, closing) + 1 if closing > opened.end() else first
    declared = {**source.prototypes, **source.functions}
    return frozenset(
        name
        for name in declared
        for i in _declarations(name, source)
        if i.path == path and first <= i.line < last
    )


def _declarations(name: str, source: Source) -> list[Item]:
    return [*source.prototypes.get(name, ()), *source.functions.get(name, ())]


# Changes of functions


def declaration_changes(symbol: str, old: Source, new: Source) -> list[str]:
    """How another declaration of a function in the headers shows in programs that call it."""
    before, after = (_public(symbol, source) for source in (old, new))
    if before <= after:
        return []
    prototypes = new.prototypes.get(symbol, ())
    if static := sorted({i.path for i in prototypes if "static" in i.tokens} - after):
        return [f"{static[0]} declares it static"]
    lost = sorted(before - _with_includers(after, new))
    return [f"{lost[0]} no longer declares it"] if lost else []


def _public(symbol: str, source: Source) -> set[str]:
    """The headers that declare a function for other files."""
    declared = [i for i in _declarations(symbol, source) if i.path.endswith(".h")]
    return {i.path for i in declared if "{" in i.tokens or "static" not in i.tokens}


def _with_includers(paths: set[str], source: Source) -> set[str]:
    """These files, and those that include them, directly or not."""
    return paths | {path for path in source.includes if paths & set(source.reached(path))} if paths else paths


# Changes of files


def surface_changes(old: SourceTree, new: SourceTree, sources: tuple[Source, Source]) -> Iterator[Change]:
    """The changes of files that are in both trees, apart from those of their functions."""
    for path in sorted(sources[0].includes.keys() & sources[1].includes.keys()):
        if old[path] == new[path]:
            continue
        before, after = surface(path, old, sources[0]), surface(path, new, sources[1])
        said = list(_interface(path, before, after, sources))
        if said:
            yield _change(path, ChangeClass.INTERFACE, said)
        if path.endswith(".h"):
            told = file_changes(*_documented(path, old, new, sources))
            if told:
                yield _change(path, ChangeClass.CONTRACT, told)
    for path in _new_headers(*sources):
        said = [(1, text) for text in _new_macros(path, sources)]
        if said:
            yield _change(path, ChangeClass.INTERFACE, said)


def _new_headers(old: Source, new: Source) -> list[str]:
    """The headers that are not in the old tree, and that one of its headers includes now, directly or not."""
    kept = [path for path in sorted(old.includes.keys() & new.includes.keys()) if path.endswith(".h")]
    return sorted({below for path in kept for below in new.reached(path)} - old.includes.keys())


def _new_macros(path: str, sources: tuple[Source, Source]) -> Iterator[str]:
    """The macros that only the new tree defines, apart from constants with a prefix of the tree, and guards.

    Each replaces a word in the programs that include the file.
    """
    old, new = sources
    own = {
        posixpath.basename(p).removesuffix("types.h").upper() for p in new.includes if p.endswith("types.h")
    }
    starts = tuple(own - {""})
    for name in sorted(new.macros.definitions.keys() - old.macros.definitions.keys()):
        for m in new.macros.definitions[name]:
            is_own = name.startswith(starts) and not m.has_parameters
            if m.path == path and not is_own and not (m.role is Role.GUARD and name.isupper()):
                yield f"defines {name}, which replaces this word in programs that include it"
                break


def header_differences(
    path: str, old: SourceTree, new: SourceTree, sources: tuple[Source, Source]
) -> list[Difference]:
    """What the comments of a header say otherwise, except those of its functions."""
    return [said for _, said in file_differences(*_documented(path, old, new, sources))]


def _documented(
    path: str, old: SourceTree, new: SourceTree, sources: tuple[Source, Source]
) -> tuple[str, str, tuple[list[Item], list[Item]]]:
    """The texts of a header in both trees, and the functions in them."""
    own = _functions_of(path, sources[0]), _functions_of(path, sources[1])
    return text_of(old[path]), text_of(new[path]), own


def _change(path: str, kind: ChangeClass, said: Sequence[tuple[int, str]]) -> Change:
    more = f"; and {len(said) - SHOWN} more" if len(said) > SHOWN else ""
    return Change(path, kind, "; ".join(text for _, text in said[:SHOWN]) + more, path, said[0][0])


def _functions_of(path: str, source: Source) -> list[Item]:
    every = [*source.functions.values(), *source.prototypes.values()]
    return [i for items in every for i in items if i.path == path]


def _interface(
    path: str, old: Surface, new: Surface, sources: tuple[Source, Source]
) -> Iterator[tuple[int, str]]:
    if path.endswith(".h"):
        if old.guarded and not new.guarded:
            yield 1, "has no include guard: a program that includes it twice does not compile"
        lost = sorted(f for f in old.linked - new.linked if path in _public(f, sources[1]))
        if lost:
            yield 1, f'declares {listed(lost)} outside of extern "C": C++ programs do not link'
        yield from ((1, text) for text in _names(path, old, new, sources[1]))
        yield from ((1, text) for text in _new_macros(path, sources))
    reached = _all_included(path, sources[1])
    for name, line in old.includes.items():
        if name not in reached:
            yield line, f"no longer includes {name}"


def _names(path: str, old: Surface, new: Surface, source: Source) -> Iterator[str]:
    """The types and macros that are lost or have another meaning."""
    reached = source.reached(path)
    known = {n for n, items in source.types.items() if any(i.path in reached for i in items)}
    lost = sorted(n for n in old.names.keys() - new.names.keys() - known - source.macros.definitions.keys())
    if lost:
        yield f"no longer declares {listed(lost)}"
    for name in sorted(old.names.keys() & new.names.keys()):
        if old.names[name] != new.names[name]:
            yield f"{name} is {_short(new.names[name])} instead of {_short(old.names[name])}"


def _all_included(path: str, source: Source) -> set[str]:
    return {name for here in source.reached(path) for name in source.includes[here]}


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."


def listed(names: Sequence[str]) -> str:
    """`a, b, c and 5 more`."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
