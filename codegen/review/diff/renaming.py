"""Finds what is only renamed between two trees, and gives the old tree the new names.

The old tree is renamed as a text, word by word, and read again; the ordinary comparison then tells what
else has changed. A renaming is given up where it could change what C means: where two names become one, where
a name becomes one of C, where a line break inside a word hides it, or where an included file is not in the
tree.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from codegen.review.diff.changes import Change, ChangeClass, SourceTree
from codegen.review.diff.classify import ONLY_LAYOUT, joined
from codegen.review.diff.similar import similar_functions
from codegen.review.diff.text.reserved import is_reserved
from codegen.review.diff.text.source import Source, is_selftest, read_source

_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SPLICE = re.compile(r"\\[ \t\f\v]*\r?\n")
_READ = (".c", ".h", ".json", ".txt", ".cmake")
"""The files that are renamed: C, the manifest, and the build file."""


@dataclass(frozen=True)
class Names:
    """What has other names: the prefix before and after, and the old names of functions and files.

    `functions` are those renamed on their own.
    """

    prefix: tuple[str, str] | None = None
    was: Mapping[str, str] = field(default_factory=dict)
    functions: frozenset[str] = frozenset()

    def old(self, name: str) -> str:
        """The name of a function or file in the old tree."""
        return self.was.get(name, name)


@dataclass(frozen=True)
class Renamed:
    """The old tree under the names of the new one."""

    files: SourceTree
    source: Source
    names: Names


def renamed(tree: SourceTree, source: Source, new: Source) -> Renamed:
    """The old tree with the new prefix, and with the new names of functions with much the same code."""
    found = Renamed(tree, source, Names())
    found = _with_prefix(found, new) or found
    return _with_functions(found, new) or found


def with_old_name(change: Change, names: Names) -> Change:
    """The change of a function with its old name, if that is another; one that was removed has only that."""
    was = names.old(change.symbol)
    if change.kind is ChangeClass.REMOVED:
        path = names.old(change.path)
        return replace(change, symbol=was, path=path, detail=change.detail.replace(change.path, path))
    if change.symbol in names.functions:
        change = joined(change, ChangeClass.INTERFACE, [f"its name was {was}"])
    elif was != change.symbol and change.detail == ONLY_LAYOUT:
        change = replace(change, kind=ChangeClass.IDENTICAL, detail="the same code under another prefix")
    return change if was == change.symbol else replace(change, old_symbol=was)


def prefix_change(names: Names, old: Source, new: Source) -> Iterator[Change]:
    """The change of a tree whose prefix is another one: an entry for its header of types."""
    if names.prefix is not None:
        header = next(path for path in sorted(new.includes) if path.endswith(f"{names.prefix[1]}types.h"))
        before, after = names.prefix
        said = f"the prefix {before} is {after} now: {len(_common(old, new))} symbols are renamed"
        yield Change(header, ChangeClass.INTERFACE, said, header, 1)


# The prefix of a tree


def _with_prefix(old: Renamed, new: Source) -> Renamed | None:
    """The old tree with the new prefix; None where both have the same, or it is not known."""
    before, after = old.source.prefix, new.prefix
    if before == after or not _WORD.fullmatch(before) or not _WORD.fullmatch(after):
        return None
    cases = {before: after, before.upper(): after.upper()}

    def word(name: str) -> str:
        start = next((case for case in cases if name.startswith(case)), "")
        return cases.get(start, "") + name.removeprefix(start)

    header, its_name = f"{before.removesuffix('_')}.h", f"{after.removesuffix('_')}.h"

    def path(name: str) -> str:
        return "/".join(its_name if part == header else word(part) for part in name.split("/"))

    named = re.compile(rf'(?<=["/]){re.escape(header)}(?=")')
    inside = re.compile(rf"(?<![A-Za-z0-9]){re.escape(before)}", re.ASCII)

    def text(name: str, content: str) -> str:
        changed = named.sub(its_name, _WORD.sub(lambda w: word(w[0]), content))
        return inside.sub(after, changed) if is_selftest(name, old.files) else changed

    found = _applied(old, word, path, text)
    if found is None or len(_common(found[1], new)) <= len(_common(old.source, new)):
        return None
    was = {path(p): p for p in old.files} | {word(f): f for f in old.source.functions}
    return Renamed(*found, Names((before, after), was))


def _common(old: Source, new: Source) -> set[str]:
    return old.functions.keys() & new.functions.keys()


# Single functions


def _with_functions(old: Renamed, new: Source) -> Renamed | None:
    """The old tree with the new names of functions that have been renamed; None where there are none."""
    same = dict(_same(old.source, new))
    similar = dict(similar_functions(old.source, new, same))
    return _with_names({**same, **similar}, old, new) or _with_names(same, old, new)


def _with_names(pairs: Mapping[str, str], old: Renamed, new: Source) -> Renamed | None:
    """The old tree with new names of functions; None where there are none, or they could mean another."""
    if not pairs:
        return None
    words = {**pairs, **dict(_constants(pairs, old.source, new))}

    def word(name: str) -> str:
        return words.get(name, name)

    found = _applied(old, word, str, lambda _, content: _WORD.sub(lambda w: word(w[0]), content))
    if found is None:
        return None
    was = {**old.names.was, **{after: old.names.old(before) for before, after in pairs.items()}}
    return Renamed(*found, Names(old.names.prefix, was, frozenset(pairs.values())))


def _same(old: Source, new: Source) -> Iterator[tuple[str, str]]:
    """The functions of each tree alone whose code is the same but for the name: old and new name."""
    gone, come = (
        _by_code(side, side.functions.keys() - other.functions.keys())
        for side, other in ((old, new), (new, old))
    )
    for code, before in gone.items():
        after = come.get(code, [])
        if len(before) == len(after) == 1:
            yield before[0], after[0]


def _by_code(source: Source, symbols: set[str]) -> Mapping[tuple[str, ...], list[str]]:
    """The functions by their code without their name."""
    found = defaultdict(list)
    for symbol in sorted(symbols):
        first, *others = source.functions[symbol]
        if not others and not first.others:
            found[tuple("" if t == symbol else t for t in first.tokens)].append(symbol)
    return found


def _constants(pairs: Mapping[str, str], old: Source, new: Source) -> Iterator[tuple[str, str]]:
    """The macros whose names begin with those of renamed functions, where the new tree has them, too."""
    for before, after in pairs.items():
        start, other = (re.sub(r"_f(32|64)$", "", name).upper() + "_" for name in (before, after))
        for macro in sorted(old.macros.beginning(start)):
            name = other + macro.removeprefix(start)
            if macro not in new.macros and name in new.macros:
                yield macro, name


# Both


def _applied(
    old: Renamed, word: Callable[[str], str], path: Callable[[str], str], text: Callable[[str, str], str]
) -> tuple[SourceTree, Source] | None:
    """The tree with other words and paths, and what it was split into; None where that could mean another."""
    if not _is_safe(old, word, path):
        return None
    files = {path(p): _rewritten(content, p, text) for p, content in old.files.items()}
    return files, read_source(files)


def _rewritten(content: str | bytes, path: str, text: Callable[[str, str], str]) -> str | bytes:
    if not path.endswith(_READ):
        return content
    changed = text(path, _decoded(content))
    return changed if isinstance(content, str) else changed.encode("utf-8", "surrogateescape")


def _decoded(content: str | bytes) -> str:
    return content if isinstance(content, str) else content.decode("utf-8", "surrogateescape")


def _is_safe(old: Renamed, word: Callable[[str], str], path: Callable[[str], str]) -> bool:
    """Whether the renaming keeps the meaning of C: it unites no names, and reaches all that are meant."""
    texts = [_decoded(content) for p, content in old.files.items() if p.endswith((".c", ".h"))]
    counts = [Counter(_WORD.findall(t)) for t in texts]
    spliced = [Counter(_WORD.findall(_SPLICE.sub("", t))) if "\\" in t else None for t in texts]
    if any(other is not None and other != count for count, other in zip(counts, spliced, strict=True)):
        return False
    words = {w: word(w) for count in counts for w in count}
    paths = {path(p) for p in old.files}
    taken = any(is_reserved(after) for before, after in words.items() if before != after)
    distinct = len(set(words.values())) == len(words) and len(paths) == len(old.files)
    return (
        distinct and not taken and all(_is_own(name, here, old.source, path) for here, name in _includes(old))
    )


def _includes(old: Renamed) -> Iterator[tuple[str, str]]:
    return ((here, name) for here, names in old.source.includes.items() for name in names)


def _is_own(name: str, here: str, source: Source, path: Callable[[str], str]) -> bool:
    """Whether an included file keeps its name, or is in the tree."""
    bare = name.strip('"<>')
    return path(bare) == bare or source.included(here, name) is not None
