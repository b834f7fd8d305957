"""What is different for those who include a file: its declarations, includes, guard, linkage and comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codegen.review.diff.callers.documentation import Difference, file_changes, file_differences
from codegen.review.diff.callers.formal import other_licence
from codegen.review.diff.callers.surface import Surface, has_word, is_named_like_file, surface
from codegen.review.diff.changes import Change, ChangeClass, SourceTree
from codegen.review.diff.text.directives import Macro, Role
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.reserved import HARMLESS_HEADERS
from codegen.review.diff.text.source import Source

SHOWN = 3
"""Names that an explanation lists."""


def text_of(content: str | bytes) -> str:
    """The text of a file, of whatever bytes it consists, without a byte order mark."""
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _declarations(name: str, source: Source) -> list[Item]:
    return [*source.prototypes.get(name, ()), *source.functions.get(name, ())]


# Changes of functions


def declaration_changes(symbol: str, old: Source, new: Source) -> list[str]:
    """How another declaration of a function in the headers shows in programs that call it."""
    before, after = (_public(symbol, source) for source in (old, new))
    if static := sorted(_declared_static(symbol, new) - _declared_static(symbol, old)):
        return [f"{static[0]} declares it static"]
    if before <= after:
        return []
    lost = sorted(before - _with_includers(after, new))
    return [f"{lost[0]} no longer declares it"] if lost else []


def _declared_static(symbol: str, source: Source) -> set[str]:
    """The files that declare a function static which is not defined so: the library has no symbol then."""
    defined = any(i.is_static for i in source.functions.get(symbol, ()))
    prototypes = () if defined else source.prototypes.get(symbol, ())
    return {i.path for i in prototypes if i.is_static}


def _public(symbol: str, source: Source) -> set[str]:
    """The headers that declare a function for other files."""
    declared = [i for i in _declarations(symbol, source) if i.path.endswith(".h")]
    return {i.path for i in declared if "{" in i.tokens or "static" not in i.tokens}


def _with_includers(paths: set[str], source: Source) -> set[str]:
    """These files, and those that include them, directly or not."""
    return paths | {path for path in source.includes if paths & set(source.reached(path))} if paths else paths


# Changes of files


def surface_changes(old: SourceTree, new: SourceTree, sources: tuple[Source, Source]) -> Iterator[Change]:
    """The changes of files apart from those of their functions.

    Files that cannot be read to their end are left out: what they declare and include is not known.
    """
    broken = sources[0].broken.keys() | sources[1].broken.keys()
    for path in sorted((sources[0].includes.keys() & sources[1].includes.keys()) - broken):
        if old[path] == new[path]:
            continue
        said = list(_interface(path, sources))
        if said:
            yield _change(path, ChangeClass.INTERFACE, said)
        if path.endswith(".h"):
            told = file_changes(*_documented(path, old, new, sources))
            if told:
                yield _change(path, ChangeClass.CONTRACT, told)
        elif other := other_licence(text_of(old[path]), text_of(new[path])):
            yield _change(path, ChangeClass.CONTRACT, [(1, other)])
    yield from _new_names(*sources)


def _new_names(old: Source, new: Source) -> Iterator[Change]:
    """The types and macros that only the new tree has, by header.

    One that begins with a prefix of the tree is added; any other may be a word of the programs that include
    the header, which then mean something else. Headers that nothing included before are left out.
    """
    known = old.types.keys() | old.macros.definitions.keys() | old.data.keys()
    for path in _public_headers(old, new):
        if path in old.files and old.files[path].content == new.files[path].content:
            continue
        names = [n for n in surface(path, new).names if n not in known]
        if path not in old.includes and (said := list(_foreign(path, old, new))):
            yield _change(path, ChangeClass.INTERFACE, said)
        if again := _contradicted(path, old, new):
            text = f"declares {listed(again)} otherwise than another header of the tree"
            yield _change(path, ChangeClass.INTERFACE, [(1, text)])
        yield from _undefined_functions(path, old, new)
        foreign = [n for n in _words_replaced(path, new) if n not in known]
        if foreign:
            text = f"declares {listed(foreign)}, which may be a word of programs that include it"
            yield _change(path, ChangeClass.INTERFACE, [(1, text)])
        if own := sorted(n for n in names if n not in foreign):
            yield _change(path, ChangeClass.ADDED, [(1, f"declares {listed(own)}")])


def _contradicted(path: str, old: Source, new: Source) -> list[str]:
    """The types and macros that a header newly declares otherwise than another header does."""
    own = surface(path, new).names
    before = surface(path, old).names if path in old.includes else {}
    if not (fresh := own.keys() - before.keys()):
        return []
    others = [surface(other, new).names for other in new.includes if other.endswith(".h") and other != path]
    return sorted(n for n in fresh if any(names.get(n, own[n]) != own[n] for names in others))


def _undefined_functions(path: str, old: Source, new: Source) -> Iterator[Change]:
    """The functions that a header newly declares and no file defines: programs may have one of that name."""
    known = old.prototypes.keys() | old.functions.keys() | new.functions.keys()
    declared = {
        n: i for n, items in new.prototypes.items() for i in items if i.path == path and n not in known
    }
    for name, item in sorted(declared.items()):
        kind = ChangeClass.ADDED if name.startswith(new.prefixes) else ChangeClass.INTERFACE
        yield _change(path, kind, [(item.line, f"declares {name}, which no file of the tree defines")])


def _foreign(path: str, old: Source, new: Source) -> Iterator[tuple[int, str]]:
    """What only the new tree has and what depends on others: includes that lead out of it, and guards.

    Includes of plain headers of the library are left out. A guard that another file may have, too, hides what
    it guards where that file is included first.
    """
    for name, line in new.includes[path].items():
        known = HARMLESS_HEADERS | old.includes.get(path, {}).keys()
        if name not in known and new.included(path, name) is None:
            yield line, f"includes {name}, which is not in the tree"
    for guard in _new_guards(path, old, new):
        if not _belongs(guard, new):
            yield guard.line, f"has the guard {guard.name}, which may be that of another file"


def _guards(path: str, source: Source) -> list[Macro]:
    """The guards in a file against being read twice."""
    return [m for m in source.macros.guards() if m.path == path]


def _new_guards(path: str, old: Source, new: Source) -> list[Macro]:
    """The guards of a file whose names it did not have as guards."""
    before = {guard.name for guard in _guards(path, old)}
    return [guard for guard in _guards(path, new) if guard.name not in before]


def _belongs(guard: Macro, source: Source) -> bool:
    """Whether a guard is named like its file, or like a type inside."""
    types = (n for n, items in source.types.items() if any(i.path == guard.path for i in items))
    own = (name for name in types if name in guard.body)
    return is_named_like_file(guard) or any(has_word(guard, name) for name in own)


def _public_headers(old: Source, new: Source) -> list[str]:
    """The headers of both trees, and the new ones that one of them includes, directly or not."""
    kept = [path for path in old.includes.keys() & new.includes.keys() if path.endswith(".h")]
    return sorted({below for path in kept for below in new.reached(path)})


def _words_replaced(path: str, source: Source) -> list[str]:
    """The types, constants and macros of a header without the tree's prefix.

    A macro with parameters has it in capitals, as functions of programs may begin with it, too.
    """
    own = source.prefixes
    types = [n for n, items in source.types.items() if any(i.path == path for i in items)]
    macros = [m for each in source.macros.definitions.values() for m in each if m.path == path]
    foreign = {n for n in types if not n.startswith(own)}
    foreign |= {
        m.name for m in macros if (m.has_parameters and not m.name.isupper()) or not _is_harmless(m, own)
    }
    constants = (n for n, items in source.data.items() if any(i.path == path for i in items))
    foreign |= {n for n in constants if not n.lower().startswith(own)}
    return sorted(foreign)


def _is_harmless(macro: Macro, own: tuple[str, ...]) -> bool:
    """Whether no program uses the name of a macro: it has a prefix of the tree in capitals, or is a guard."""
    is_guard = macro.role is Role.GUARD and macro.name.isupper()
    is_seen = macro.has_parameters and not macro.name.isupper()
    return is_guard or (macro.name.startswith(tuple(p.upper() for p in own)) and not is_seen)


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


def _interface(path: str, sources: tuple[Source, Source]) -> Iterator[tuple[int, str]]:
    old, new = (surface(path, source) for source in sources)
    if path.endswith(".h"):
        if old.guarded and not new.guarded:
            yield 1, "has no include guard: a program that includes it twice does not compile"
        lost = sorted(f for f in old.linked - new.linked if path in _public(f, sources[1]))
        if lost:
            yield 1, f'declares {listed(lost)} outside of extern "C": C++ programs do not link'
        yield from ((1, text) for text in _names(path, old, new, sources[1]))
        yield from _foreign(path, *sources)
    else:
        for guard in _new_guards(path, *sources):
            said = f"has the guard {guard.name}: builds that define it leave out what it guards"
            yield guard.line, said
    reached = _all_included(path, sources[1])
    files = sources[1].reached(path)
    for name, line in sources[0].includes[path].items():
        if name not in reached and sources[0].included(path, name) not in files:
            yield line, f"no longer includes {name}"


def _names(path: str, old: Surface, new: Surface, source: Source) -> Iterator[str]:
    """The types, constants, macros, tags and functions that are lost or have another meaning."""
    missing = (old.names.keys() - new.names.keys()) | (old.tags - new.tags)
    below = [surface(other, source) for other in source.reached(path) if other != path] if missing else []
    lost = sorted(missing.difference(*(s.names.keys() | s.tags for s in below)))
    if lost:
        yield f"no longer declares {listed(lost)}"
    for name in sorted(old.promised.keys() - source.functions.keys()):
        if not any(i.path in source.reached(path) for i in source.prototypes.get(name, ())):
            yield f"no longer declares {name}"
        elif new.promised.get(name, old.promised[name]) != old.promised[name]:
            yield f"{name} is declared otherwise: {_short(new.promised[name])}"
    for name in sorted(old.names.keys() & new.names.keys()):
        if old.names[name] != new.names[name]:
            yield _otherwise(name, old.names[name], new.names[name])
        elif name in old.guards.keys() & new.guards.keys() and old.guards[name] != new.guards[name]:
            yield (
                f"{name} has the guard {new.guards[name]} instead of {old.guards[name]}: programs with "
                "another tree that declares it do not compile"
            )


def _otherwise(name: str, old: str, new: str) -> str:
    """That a name means something else; of lists of as many numbers, the first ones that differ."""
    before, after = map(_listed_numbers, (old, new))
    if before and len(before) == len(after):
        differing = [k for k in range(len(before)) if before[k] != after[k]]
        told = ", ".join(f"[{k}] is {after[k]} instead of {before[k]}" for k in differing[:SHOWN])
        more = f" and {len(differing) - SHOWN} more differ" if len(differing) > SHOWN else ""
        return f"in {name}, {told}{more}"
    shown = _short(new), _short(old)
    return "{} is {} instead of {}".format(name, *shown) if len({*shown}) > 1 else f"{name} has other values"


def _listed_numbers(meaning: str) -> list[str]:
    """The parts of a macro that is a plain list in braces; none of another one."""
    inner = meaning.removeprefix("{ ").removesuffix(" }")
    is_plain = len(meaning) - len(inner) == len("{  }") and not {"{", "}", "(", ")"} & {*inner}
    return [part.replace("- ", "-") for part in inner.split(" , ")] if is_plain else []


def _all_included(path: str, source: Source) -> set[str]:
    return {name for here in source.reached(path) for name in source.includes[here]}


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."


def listed(names: Sequence[str]) -> str:
    """`a, b, c and 5 more`."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
