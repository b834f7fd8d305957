"""The macros of a tree: what each means, where it may stand in code, and which definitions contradict."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.text.directives import Macro, Role

_LONGEST = 1000
"""Limit on the tokens of a macro with those of the macros that it names in place of these."""

_DEEPEST = 20
"""Limit on macros that name macros."""

_IN_NUMBERS = frozenset(["(", ")", "+", "-", "*", "/", "<<", "|"])

_OF_TYPES = frozenset(["const", "volatile", "float", "double", "int", "unsigned"])


class Macros:
    """All definitions of macros in a tree, by name."""

    def __init__(self) -> None:
        self.definitions: dict[str, list[Macro]] = {}
        self.texts = dict[str, str]()  # what macros without parameters stand for, as it was looked for

    def __contains__(self, name: str) -> bool:
        return name in self.definitions

    def add(self, macros: Iterable[Macro]) -> None:
        """Take note of definitions."""
        for macro in macros:
            self.definitions.setdefault(macro.name, []).append(macro)

    def without(self, names: Collection[str]) -> Macros:
        """The macros but these, which are plain names then; one that stands for them is not understood."""
        if not names:
            return self
        found = Macros()
        found.definitions = {n: given for n, given in self.definitions.items() if n not in names}
        return found

    def guards(self) -> Iterator[Macro]:
        """The definitions of guards, in all files."""
        yield from (m for macros in self.definitions.values() for m in macros if m.role is Role.GUARD)

    def beginning(self, start: str) -> set[str]:
        """The names that begin so, apart from guards, which say nothing about what they guard."""
        return {
            name
            for name, macros in self.definitions.items()
            if name.startswith(start) and any(m.role is not Role.GUARD for m in macros)
        }

    def meaning(self, name: str, seen: Collection[str]) -> str:
        """The bodies of a macro in the files that are seen, or all if none is.

        Where they are not alike, it matters in which file each stands.
        """
        macros = self.definitions[name]
        found = [m for m in macros if m.path in seen] or macros
        return with_files(("() " * m.has_parameters + " ".join(m.body), m.path) for m in found)

    def words(self, name: str) -> set[str]:
        """The tokens in the bodies of a macro."""
        return {word for m in self.definitions[name] for word in m.body}

    def below(self, names: Iterable[str]) -> set[str]:
        """All words in the bodies of macros, and of those that they name, directly or not."""
        open_, found = [*names], set[str]()
        while open_:
            words = self.words(open_.pop()) - found
            found |= words
            open_ += words & self.definitions.keys()
        return found

    def joined_to(self, name: str) -> set[str] | None:
        """What stands beside ## in the bodies of a macro, empty for parameters; None where it has no ##."""
        found = set[str]()
        for m in self.definitions[name]:
            parameters = m.body[: m.body.index(")")] if m.has_parameters and ")" in m.body else ()
            for a, mark, b in zip(m.body, m.body[1:], m.body[2:], strict=False):
                if mark == "##":
                    found |= {a, b} - {*parameters} or {""}
        return found or None

    @cached_property
    def expansions(self) -> Mapping[str, tuple[str, ...]]:
        """What the preprocessor puts in place of each macro that is a number, or restrict."""
        found: dict[str, tuple[str, ...]] = {}
        for name in self.definitions:
            self._expand(name, found, 0)
        return {name: tokens for name, tokens in found.items() if tokens}

    @cached_property
    def types(self) -> Mapping[str, tuple[str, ...]]:
        """What the preprocessor puts in place of each macro that is a type of scalars: `const float`.

        It says nothing of storage, so that what a declaration declares is told by its own words.
        """
        found = dict[str, tuple[str, ...]]()
        for name, (first, *_) in self.definitions.items():
            is_plain = first.role is Role.PLAIN and not first.has_parameters and bool(first.body)
            if is_plain and {*first.body} <= _OF_TYPES and not self.is_contradictory(name):
                found[name] = first.body
        return found

    def _expand(self, name: str, found: dict[str, tuple[str, ...]], depth: int) -> tuple[str, ...]:
        if name in found:
            return found[name]
        found[name] = ()  # also while it is being expanded: what names itself is no number
        first = self.definitions[name][0]
        if self.is_contradictory(name) or first.has_parameters or depth > _DEEPEST:
            return ()
        if first.role is Role.RESTRICT:
            found[name] = first.body
        elif first.role is Role.PLAIN:
            parts = [self._expanded(token, found, depth) for token in first.body]
            if all(parts) and sum(map(len, parts)) <= _LONGEST:
                found[name] = tuple(token for part in parts for token in part)
        return found[name]

    def _expanded(self, token: str, found: dict[str, tuple[str, ...]], depth: int) -> tuple[str, ...]:
        if token in self.definitions:
            return self._expand(token, found, depth + 1)
        return (token,) if token in _IN_NUMBERS or token.lstrip(".")[:1].isdigit() else ()

    def is_contradictory(self, name: str) -> bool:
        """Whether a macro has several definitions that are not alike."""
        return len({m[3:] for m in self.definitions[name]}) > 1  # all but where it stands

    def contradictions(self) -> Iterator[Unreadable]:
        """The guards, requests and hints of which there are others of the same name."""
        for name, macros in self.definitions.items():
            if self.is_contradictory(name) and {m.role for m in macros} & {
                Role.GUARD,
                Role.REQUEST,
                Role.HINT,
            }:
                for m in macros:
                    yield Unreadable(m.path, m.line, f"{name} is defined elsewhere, too, and otherwise")


def with_files(meanings: Iterable[tuple[str, str]]) -> str:
    """Definitions of one name with their files, which matter where not all are alike."""
    found = list(meanings)
    if len({text for text, _ in found}) == 1:
        return found[0][0]
    return " / ".join(sorted(f"{text} in {path}" for text, path in found))
