"""The C of a tree: its functions, types and macros by name, and the constructs that are not understood.

Trees are untrusted: nothing is compiled or run, sizes are limited, and every construct that would make a
compiler see other code than is read here is reported.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, dropwhile, pairwise
from typing import Any

from codegen.review.diff.changes import SourceTree, Unreadable
from codegen.review.diff.declared import (
    Quantity,
    declared_contracts,
    declared_kinds,
    declared_quantities,
    declared_ranges,
)
from codegen.review.diff.text.attributes import STORAGE
from codegen.review.diff.text.conditions import without_dead
from codegen.review.diff.text.directives import Macro, Preprocessed, Role, preprocessed
from codegen.review.diff.text.flags import Flags, flags_of
from codegen.review.diff.text.items import Item, Kind, enumerators_of, items_of, tags_of
from codegen.review.diff.text.lexing import Broken, Token, decoded, lines_of_tokens
from codegen.review.diff.text.macros import Macros, with_files
from codegen.review.diff.text.reserved import (
    STANDARD_HEADERS,
    is_extension,
    is_harmless,
    is_inner_header,
    is_reserved,
)
from codegen.review.diff.text.shadows import shadows
from codegen.review.diff.text.variants import Lines, named_in_conditions, tests_in, variants

MANIFEST = "manifest.json"
"""What describes a generated tree."""


def is_selftest(path: str, tree: Collection[str]) -> bool:
    """Whether a file is the self-test of a generated tree, whose functions are not compared."""
    directory, name = posixpath.split(path)
    return name == "selftest.c" and (not directory or posixpath.join(directory, MANIFEST) in tree)


@dataclass
class _File:
    """What was read of a file: its items, and what its directives say, None where they were not reached.

    `conditions` are the names on which its conditions depend, `tests` the conditions themselves. In the
    items, words stand in place of the macros that `stand_for` them.
    """

    content: str | bytes
    digest: str
    stand_for: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    head: Preprocessed | None = None
    conditions: frozenset[str] = frozenset()
    tests: tuple[str, ...] = ()
    items: list[tuple[Kind, str, Item]] = field(default_factory=list)
    broken: Unreadable | None = None


@dataclass
class Source:
    """The content of a tree's C files.

    By name: functions, their prototypes, types, constants, and macros. By path: the includes of
    each file with their lines, whether it may be included twice, the lines that have the linkage of C in
    C++, its first construct that is not understood, a digest, and the reason if it could not be read to its
    end. Files that are not C have a digest, too, as C may include them. `ranges` are those that manifests
    declare for the arguments of functions, `told` is what they say of these in words, `quantities` their
    units, frames and shapes, `kinds` their types; the C confirms none of it.
    """

    functions: dict[str, list[Item]] = field(default_factory=dict)
    prototypes: dict[str, list[Item]] = field(default_factory=dict)
    types: dict[str, list[Item]] = field(default_factory=dict)
    data: dict[str, list[Item]] = field(default_factory=dict)
    assertions: list[Item] = field(default_factory=list)
    macros: Macros = field(default_factory=Macros)
    includes: dict[str, dict[str, int]] = field(default_factory=dict)
    guarded: set[str] = field(default_factory=set)
    c_linkage: dict[str, list[range]] = field(default_factory=dict)
    odd: dict[str, Unreadable] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, dict[str, Any]] = field(default_factory=dict)
    told: dict[str, dict[str, str]] = field(default_factory=dict)
    quantities: dict[str, dict[str, Quantity]] = field(default_factory=dict)
    kinds: dict[str, dict[str, str]] = field(default_factory=dict)
    broken: dict[str, Unreadable] = field(default_factory=dict)
    files: dict[str, _File] = field(default_factory=dict, repr=False)
    _environments: dict[str, dict[str, str]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def prefix(self) -> str:
        """The prefix of all names of the library, taken from the name of the header of its types."""
        names = sorted(posixpath.basename(path) for path in self.includes)
        return next((n.removesuffix("types.h") for n in names if n.endswith("types.h")), "")

    @cached_property
    def prefixes(self) -> tuple[str, ...]:
        """The prefixes of the names of all libraries in the tree; none where no header of types has one."""
        names = (posixpath.basename(path) for path in self.includes)
        return tuple({n.removesuffix("types.h") for n in names if n.endswith("types.h")} - {""})

    @cached_property
    def flags(self) -> Flags:
        """The names of the values that a status has."""
        return flags_of(self.macros, self.prefix)

    @cached_property
    def changing(self) -> set[str]:
        """The macros for which a build may define something else, and those that are undone."""
        heads = (file.head for file in self.files.values() if file.head)
        return {name for head in heads for name in (*head.defaults, *(n for n, _ in head.undone))}

    def written(self, symbol: str) -> list[Item]:
        """The definitions and prototypes of a function."""
        return [*self.functions[symbol], *self.prototypes.get(symbol, ())]

    def calls(self, symbol: str) -> set[str]:
        """The functions of the tree that a function calls, or may mean by a name."""
        known = self.functions.keys() - {symbol}
        own = [(i.path, self._named_functions(i, known)) for i in self.functions[symbol]]
        return {name for path, names in own for name in names if self.called(name, path)}

    def _named_functions(self, item: Item, known: set[str]) -> set[str]:
        """The functions that an item names, itself or by a macro."""
        macros, names = self.macros.definitions, known & item.names
        if names:
            names -= shadows(item, macros)
        return names | (self.macros.below(item.names & macros.keys()) & known)

    def called(self, name: str, path: str) -> list[Item]:
        """The definitions that a call in a file may mean: those that it sees, else that of another file.

        Several files may have static functions of one name.
        """
        items = self.functions.get(name, [])
        others = [i for i in items if not i.is_static]
        seen = self.reached(path)
        return items if len(others) > 1 else [i for i in items if i.path in seen] or others

    def own_macros(self, symbol: str) -> set[str]:
        """The macros that begin with the name of a function: they are for its callers."""
        return self.macros.beginning(re.sub(r"_f(32|64)$", "", symbol).upper() + "_")

    def environment(self, symbol: str) -> dict[str, str]:
        """The meaning of the names that a function uses, except calls: types, macros, file directives."""
        if symbol not in self._environments:
            self._environments[symbol] = self._environment(symbol)
        return self._environments[symbol]

    def _environment(self, symbol: str) -> dict[str, str]:
        seen = self._seen(symbol)
        decided = frozenset[str]().union(*(self.files[path].conditions for path in seen))
        open_ = self._names(symbol) | self.own_macros(symbol) | decided
        found = {f"defined {name}": "yes" for name in decided if name in self.macros}
        while open_:
            name = open_.pop()
            if name in found:
                continue
            if name in self.macros:
                found[name] = self.macros.meaning(name, seen)
                if self.macros.is_contradictory(name):  # the first definition that is met may count
                    found[name] += "; ".join(map(self._directives, sorted(seen)))
                    found[name] += "; ".join(self._order(name, self.functions[symbol]))
                open_ |= self.macros.words(name) | self._joined(name)
            elif items := self._declaring(name):
                is_seen = any(i.path in seen for i in items)
                found[name] = _declarations(_among(items, seen)) + _UNSEEN * (not is_seen)
                open_ = open_.union(*(i.names for i in items))
            elif name in self.prototypes and name not in self.functions:
                found[name] = _declarations(self.prototypes[name])
            elif len(self.functions.get(name, ())) > 1 and name != symbol:
                called = [j for i in self.functions[symbol] for j in self.called(name, i.path)]
                found[name] = _declarations(called)
                open_ = open_.union(*(i.names for i in called))
            elif self._is_called_unseen(name, symbol):
                found[name] = _UNSEEN
        for item in self.functions[symbol]:
            found[item.path] = "; ".join(self._surroundings(item.path))
            if item.others:
                found[f"conditions of {item.path}"] = "; ".join(self._conditions(item))
        return {name: meaning for name, meaning in found.items() if meaning}

    def _is_called_unseen(self, name: str, symbol: str) -> bool:
        """Whether a function calls one that no file declares which compilers read for it."""
        if name not in self.functions:
            return False
        places = {i.path for table in (self.functions, self.prototypes) for i in table.get(name, ())}
        callers = (i for i in self.functions[symbol] if name in i.names)
        return any(
            places.isdisjoint(self.reached(i.path)) and (name, "(") in pairwise(i.tokens) for i in callers
        )

    def _declaring(self, name: str) -> list[Item]:
        """The declarations outside of functions that say what a name means, also as a tag."""
        tables = (self.types, self.data, self.enumerators, self._tagged)
        return list({id(i): i for table in tables for i in table.get(name, ())}.values())

    def _joined(self, name: str) -> set[str]:
        """The names of the tree that a macro may make with ##."""
        if (ends := self.macros.joined_to(name)) is None:
            return set()
        tables = (self.macros.definitions, self.types, self.data, self.enumerators, self.functions)
        known = set[str]().union(*tables)
        return {n for n in known if any(n.startswith(end) or n.endswith(end) for end in ends)}

    @cached_property
    def enumerators(self) -> Mapping[str, list[Item]]:
        """The types that declare enumerators, by the names of these."""
        return _by_name((name, i) for i in self._all_types() for name in enumerators_of(i.tokens))

    @cached_property
    def _tagged(self) -> Mapping[str, list[Item]]:
        """The types that have a tag, by the tag."""
        return _by_name((name, i) for i in self._all_types() for _, name, after in tags_of(i) if after == "{")

    def _all_types(self) -> Iterator[Item]:
        return chain.from_iterable(self.types.values())

    def declared_in(self, path: str) -> Mapping[Kind, list[tuple[str, Item]]]:
        """The items of a file with their names, by kind."""
        return self._by_file.get(path, {})

    @cached_property
    def _by_file(self) -> Mapping[str, Mapping[Kind, list[tuple[str, Item]]]]:
        found = dict[str, dict[Kind, list[tuple[str, Item]]]]()
        tables = {Kind.FUNCTION: self.functions, Kind.PROTOTYPE: self.prototypes}
        for kind, table in {**tables, Kind.TYPE: self.types, Kind.DATA: self.data}.items():
            for name, items in table.items():
                for item in items:
                    found.setdefault(item.path, {}).setdefault(kind, []).append((name, item))
        return found

    def _seen(self, symbol: str) -> set[str]:
        """The files that compilers read for a function."""
        return {path for i in self.functions[symbol] for path in self.reached(i.path)}

    def _conditions(self, item: Item) -> Iterator[str]:
        """The conditions of an item's file, and where what they name is defined, as it sees it."""
        yield from self.files[item.path].tests
        yield from sorted(name for path in self.reached(item.path) for name in self.includes[path])
        for name in sorted(self.files[item.path].conditions):
            for macro in self.macros.definitions.get(name, ()):
                lines = [item.line] if macro.path == item.path else self.including(macro.path, item.path)
                above = any(macro.line < line for line in lines)
                above |= any(line < item.line for line in self.including(item.path, macro.path))
                yield f"{name} is defined above: {above}, seen: {macro.path in self.reached(item.path)}"
            yield from self._order(name, [item])

    def _order(self, name: str, items: Sequence[Item]) -> Iterator[str]:
        """In which order files meet the definitions of a macro and some items, where they meet several."""
        own = [(m.path, m.line, "definition") for m in self.macros.definitions.get(name, ())]
        heads = ((path, file.head) for path, file in self.files.items() if file.head)
        own += [(path, line, "end") for path, head in heads for undone, line in head.undone if undone == name]
        own += [(item.path, item.line, "item") for item in items]
        wanted = {path for path, _, _ in own}
        for here in sorted(set[str]().union(*(self._related(item.path) for item in items))):
            met = [(line, what) for path, line, what in own if path == here]
            for included, line in self.includes[here].items():
                below = self.included(here, included)
                if below is not None and not wanted.isdisjoint(self.reached(below)):
                    met.append((line, below))
            if len(met) > 1:
                yield f"{here}: {', '.join(what for _, what in sorted(met))}"

    def including(self, path: str, below: str) -> list[int]:
        """The lines on which a file includes another one, directly or not."""
        found = ((self.included(path, name), line) for name, line in self.includes[path].items())
        return [line for here, line in found if here is not None and below in self.reached(here)]

    def adjustable(self, symbol: str) -> set[str]:
        """The macros on which a function depends and for which a build may define another value."""
        if not any(file.head and file.head.defaults for file in self.files.values()):
            return set()
        return set[str]().union(*map(self.own_adjustable, _closure([symbol], self.calls)))

    def own_adjustable(self, symbol: str) -> set[str]:
        """Those that are not only used by functions that it calls."""
        heads = [head for path in self._seen(symbol) if (head := self.files[path].head)]
        defaults = set[str]().union(*(head.defaults for head in heads))
        fixed = {name for head in heads for name, _ in head.undone}
        fixed |= {m.name for head in heads for m in head.macros if m.name not in head.defaults}
        return (defaults - fixed) & self.environment(symbol).keys()

    def oddity(self, path: str) -> Unreadable | None:
        """The first construct that is not understood and can change the meaning of a file's functions."""
        for here in self._related(path):
            if here in self.odd or here in self.broken:
                return self.odd.get(here) or self.broken[here]
            for name in sorted(self.includes[here]):
                if not is_harmless(name, here) and self.included(here, name) is None:
                    reason = "can change what C means" if name in STANDARD_HEADERS else "is not in the tree"
                    return Unreadable(here, 1, f"it includes {name}, which {reason}")
        return None

    def note_odd(self, problem: Unreadable) -> None:
        """Take note of a construct that is not understood, if it is the first one of its file."""
        self.odd.setdefault(problem.path, problem)
        self._environments.clear()

    def _names(self, symbol: str) -> set[str]:
        return set[str]().union(*(i.names for i in self.functions[symbol]))

    def _surroundings(self, path: str) -> list[str]:
        """Digests of files that are not understood, and of includes from outside of the tree.

        What is not understood may depend on the order of directives.
        """
        related = self._related(path)
        odd = [self.digests[here] for here in related if here in self.odd or here in self.broken]
        odd += [f"{here}: {self._directives(here)}" for here in related if odd]
        foreign = [
            name + self.digests.get(_beside(here, name), "")
            for here in related
            for name in self.includes[here]
            if not is_harmless(name, here) and self.included(here, name) is None
        ]
        return sorted({*odd, *foreign})

    def _directives(self, path: str) -> str:
        """What a file includes, defines and undefines, in this order."""
        head = self.files[path].head
        if head is None:
            return self.digests[path]
        lines = [(line, f"include {name}") for name, line in head.includes.items()]
        lines += [(m.line, f"define {m.name} {' '.join(m.body)}") for m in head.macros]
        lines += [(line, f"undef {name}") for name, line in head.undone]
        return ", ".join(text for _, text in sorted(lines))

    def reached(self, path: str) -> list[str]:
        """The file and, transitively, the files of the tree that it includes."""
        return _closure([path], self._below.__getitem__)

    def _related(self, path: str) -> list[str]:
        """The file, the files that include it, and what all of these include from the tree."""
        includers = _closure([path], lambda here: self._includers.get(here, ()))
        return _closure(includers, self._below.__getitem__)

    @cached_property
    def _below(self) -> Mapping[str, list[str]]:
        """For each file, the files of the tree that it includes."""
        return {
            path: [below for name in sorted(names) if (below := self.included(path, name)) is not None]
            for path, names in self.includes.items()
        }

    @cached_property
    def _includers(self) -> Mapping[str, list[str]]:
        """For each file, the files of the tree that include it."""
        found: dict[str, list[str]] = {}
        for path, inside in self._below.items():
            for below in inside:
                found.setdefault(below, []).append(path)
        return found

    def included(self, path: str, name: str) -> str | None:
        """The file of the tree that a file includes by this name; None where it is elsewhere."""
        beside = _beside(path, name)
        found = name.startswith('"') and beside in self.includes and not _makes_detour(name)
        return beside if found else None


_UNSEEN = " in no file that is seen"


def _by_name(found: Iterable[tuple[str, Item]]) -> dict[str, list[Item]]:
    """The items of each name."""
    items = dict[str, list[Item]]()
    for name, item in found:
        items.setdefault(name, []).append(item)
    return items


def _makes_detour(name: str) -> bool:
    """Whether a path leads out of a directory again, as `sub/../fc.h`: it must exist for that."""
    steps = [step for step in name.strip('"').split("/") if step not in ("", ".")]
    return ".." in dropwhile(lambda step: step == "..", steps)


def _among(items: Sequence[Item], seen: Collection[str]) -> Sequence[Item]:
    """Those items that are in the files which are seen, or all if none is."""
    return [i for i in items if i.path in seen] or items


def _declarations(items: Sequence[Item]) -> str:
    return with_files((" / ".join(map(" ".join, i.spelled)), i.path) for i in items)


def _closure(names: Sequence[str], edges: Callable[[str], Iterable[str]]) -> list[str]:
    """The names, of files or functions, and all that is reached from them."""
    reached, open_ = dict[str, None](), list(names)
    while open_:
        here = open_.pop()
        if here not in reached:
            reached[here] = None
            open_.extend(edges(here))
    return list(reached)


def _beside(path: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name.strip('"')))


def read_source(tree: SourceTree, other: Source | None = None) -> Source:
    """Split the C files of a tree into their items; the self-test is left out.

    Files that another tree has, too, are taken from its source.
    """
    known = {} if other is None else other.files
    source = _entered(tree, known, {})
    if stand_for := _words_of_macros(source):
        source = _entered(tree, {**source.files, **known}, stand_for)
    found = (source.macros.contradictions(), _redefined(source), _hidden_headers(source), _repeated(source))
    for problem in chain.from_iterable(found):
        source.note_odd(problem)
    return source


_WordsOfMacros = Mapping[str, Mapping[str, tuple[str, ...]]]
"""By file, the words for which macros stand in it."""


def _entered(tree: SourceTree, known: Mapping[str, _File], stand_for: _WordsOfMacros) -> Source:
    """The source of a tree whose files are split, apart from those that are known."""
    source = Source()
    for path in sorted(tree):
        source.digests[path] = digest(tree[path])
        if path.endswith((".c", ".h")) and not is_selftest(path, tree):
            file, words = known.get(path), stand_for.get(path, {})
            if file is None or file.content != tree[path] or file.stand_for != words:
                file = _split(path, tree[path], words)
            _enter(source, path, file)
        if posixpath.basename(path) == MANIFEST:
            source.ranges |= declared_ranges(tree[path])
            source.kinds |= declared_kinds(tree[path])
            source.told |= declared_contracts(tree[path])
            source.quantities |= declared_quantities(tree[path])
    return source


def _words_of_macros(source: Source) -> _WordsOfMacros:
    """The macros for storage, attributes or nothing that all items of a file see which name them.

    A build may define something else in place of those with a default; those that are undone, or defined
    twice, mean something else in places.
    """
    macros = {
        name: found[0]
        for name, found in source.macros.definitions.items()
        if len(found) == 1 and name not in source.changing and _stands_for_words(found[0])
    }
    used = {
        path: {name: macros[name] for name in _names_of(file) & macros.keys()}
        for path, file in (source.files.items() if macros else ())
    }
    return {
        path: seen
        for path, own in used.items()
        if (seen := {n: m.body for n, m in own.items() if _is_above(m, path, source)})
    }


def _stands_for_words(macro: Macro) -> bool:
    """Whether a macro stands for attributes that change nothing, for words about storage, or for nothing."""
    is_plain = macro.role is Role.PLAIN and not macro.has_parameters and STORAGE.issuperset(macro.body)
    return (is_plain or macro.role is Role.HINT) and not is_reserved(macro.name)


def _names_of(file: _File) -> set[str]:
    return set[str]().union(*(item.names for _, _, item in file.items))


def _is_above(macro: Macro, path: str, source: Source) -> bool:
    """Whether a macro is defined above all items of a file that name it."""
    lines = [macro.line] if macro.path == path else source.including(path, macro.path)
    first = min((i.line for _, _, i in source.files[path].items if macro.name in i.names), default=0)
    return any(line < first for line in lines)


def _redefined(source: Source) -> Iterator[Unreadable]:
    """The macros of a file that it, or a file that it includes, defines otherwise: it does not compile."""
    for name, macros in source.macros.definitions.items():
        plain = [m for m in macros if m.role is Role.PLAIN]
        if len({m.body for m in plain}) > 1:
            for path in {m.path: None for m in plain}:
                seen = [m for m in plain if m.path in source.reached(path)]
                if len({m.body for m in seen}) > 1:
                    line = next(m.line for m in reversed(seen) if m.path == path)
                    yield Unreadable(path, line, f"{name} is defined twice, and otherwise")


def _repeated(source: Source) -> Iterator[Unreadable]:
    """The functions that a file defines twice together with those that it includes: it does not compile."""
    for name, items in source.functions.items():
        for path in source.includes if len(items) > 1 else ():
            seen = source.reached(path)
            if sum(i.path in seen for i in items) > 1:
                yield Unreadable(path, items[1].line, f"{name} is defined twice")


def digest(content: str | bytes) -> str:
    """The hash of a file's content, as a manifest has it."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def _split(path: str, content: str | bytes, stand_for: Mapping[str, tuple[str, ...]]) -> _File:
    """The content of a file, as far as it can be read, with words in place of macros that stand for them."""
    file = _File(content, digest(content), stand_for)
    try:
        text = decoded(path, content)
        lines = lines_of_tokens(path, text)
        file.digest = digest("\n".join(_layout_free(lines)))
        alive = without_dead(lines)
        file.conditions, file.tests = named_in_conditions(alive), tests_in(alive)
        seen = variants(alive)
        merged = _merged(path, text, seen, stand_for) if len(seen) > 1 else None
        found = preprocessed(path, seen[0] if merged else alive)
        file.head = replace(found, tokens=[])
        file.items.extend(merged or items_of(path, text, found, stand_for))  # those before a Broken stay
    except Broken as broken:
        file.broken = broken.args[0]
    return file


def _merged(
    path: str, text: str, seen: Sequence[Lines], stand_for: Mapping[str, tuple[str, ...]]
) -> list[tuple[Kind, str, Item]] | None:
    """The items of a file, of which functions may have variants; None where anything else differs."""
    heads = [preprocessed(path, lines) for lines in seen]
    every = [list(items_of(path, text, head, stand_for)) for head in heads]
    if len({len(items) for items in every}) > 1:
        return None
    found = list[tuple[Kind, str, Item]]()
    for (kind, name, item), *others in zip(*every, strict=True):
        different = [i for _, _, i in others if i.tokens != item.tokens]
        alike = all(
            (k, n, i.is_plain, _head(i)) == (kind, name, item.is_plain, _head(item)) for k, n, i in others
        )
        if not alike or (different and kind is not Kind.FUNCTION):
            return None
        found.append((kind, name, replace(item, others=tuple(different))))
    return found


def _head(item: Item) -> list[str]:
    return item.tokens[: item.tokens.index("{")] if "{" in item.tokens else item.tokens


def _enter(source: Source, path: str, file: _File) -> None:
    """Sort the items of a file into the source."""
    source.files[path], source.digests[path] = file, file.digest
    source.includes[path] = {}
    if file.broken is not None:
        source.broken[path] = file.broken
    if file.head is None:
        return
    source.includes[path] = file.head.includes
    source.c_linkage[path] = file.head.c_linkage
    if file.head.is_guarded:
        source.guarded.add(path)
    source.macros.add(file.head.macros)
    if file.head.odd is not None:
        source.note_odd(file.head.odd)
    tables = {
        Kind.FUNCTION: source.functions,
        Kind.PROTOTYPE: source.prototypes,
        Kind.TYPE: source.types,
        Kind.DATA: source.data,
    }
    source.assertions += [item for kind, _, item in file.items if kind is Kind.ASSERTION]
    for kind, name, item in file.items:
        if kind in tables:
            tables[kind].setdefault(name, []).append(item)
        if kind is Kind.ODD and is_extension(item.tokens[0]):
            said = f"{item.tokens[0]} is not C99, so that compilers differ in what they make of it"
            source.note_odd(Unreadable(path, item.line, said))
        elif kind is Kind.ODD or (kind in tables and is_reserved(name)) or not item.is_plain:
            source.note_odd(Unreadable(path, item.line, f"declares {' '.join(item.tokens[:8])}"))


def _layout_free(lines: Sequence[Sequence[Token]]) -> list[str]:
    """The tokens; only those of a directive are in lines, and with blanks where it has some."""
    words = list[str]()
    for line in lines:
        if line[0].text == "#":
            ends = [line[0].start, *[t.end for t in line]]
            spaced = [" " * (t.start > end) + t.text for t, end in zip(line, ends, strict=False)]
            words.append("".join(spaced))
        else:
            words += [t.text for t in line]
    return words


def _hidden_headers(source: Source) -> Iterator[Unreadable]:
    """The files that a compiler may take for headers of the C library."""
    wanted = {*STANDARD_HEADERS, *(n for names in source.includes.values() for n in names if n[0] == "<")}
    for path in source.digests:
        if f"<{posixpath.basename(path)}>" in wanted or is_inner_header(path):
            for here, names in source.includes.items():
                if any(n[0] == "<" for n in names):
                    yield Unreadable(here, 1, f"{path} may stand in place of a header of the C library")
