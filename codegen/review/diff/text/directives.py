"""Follows the preprocessor's directives of one file, of which only those are understood that cannot surprise.

These are includes, plain definitions, guards against being read twice, defaults of macros, `extern "C"` for
C++, and the blocks by which generated trees ask compilers for something. All else is odd.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.text.attributes import are_requests
from codegen.review.diff.text.hints import hint
from codegen.review.diff.text.lexing import Token
from codegen.review.diff.text.literals import is_mathematical
from codegen.review.diff.text.replacement import fault_of
from codegen.review.diff.text.reserved import is_extension, is_reserved

DEEPEST = 20
"""Limit on the guards around a line: each keeps all that it guards."""


class Role(Enum):
    """What a macro is for."""

    PLAIN = "a definition"
    GUARD = "a guard"
    RESTRICT = "restrict in C, nothing in C++"
    REQUEST = "a request to gcc"
    HINT = "an attribute, or nothing"


class Macro(NamedTuple):
    """The definition of a macro; the body of a guard is what it guards."""

    name: str
    path: str
    line: int
    body: tuple[str, ...]
    has_parameters: bool = False
    role: Role = Role.PLAIN


@dataclass
class Preprocessed:
    """A file behind its directives: its tokens, and at which of them directives stood."""

    tokens: list[Token] = field(default_factory=list)
    directives: list[int] = field(default_factory=list)
    macros: list[Macro] = field(default_factory=list)
    defaults: set[str] = field(default_factory=set)  # macros for which a build may define something else
    undone: list[tuple[str, int]] = field(default_factory=list)  # macros, with the lines of #undef
    includes: dict[str, int] = field(default_factory=dict)  # each with its first line
    is_guarded: bool = False  # so that it may be included twice
    c_linkage: list[range] = field(default_factory=list)  # the lines inside of `extern "C"`
    only_c: list[range] = field(default_factory=list)  # the tokens that C++ does not see
    odd: Unreadable | None = None


def preprocessed(path: str, lines: Sequence[Sequence[Token]]) -> Preprocessed:
    """Follow the directives of a file, given as lines of tokens."""
    return _Directives(path, lines).follow()


_EXTERN_C = (["extern", '"C"', "{"], ["}"])
_RESTRICTED = [f"#define NAME {word}" for word in ("restrict", "__restrict", "__restrict__")]
_RESTRICT = (
    *(("#ifdef __cplusplus", "#define NAME", "#else", given, "#endif") for given in _RESTRICTED),
    *(("#ifndef __cplusplus", given, "#else", "#define NAME", "#endif") for given in _RESTRICTED),
)
_HOSTS = tuple(
    f"#if defined ( __GNUC__ ) && ! defined ( __clang__ ) && defined ( __x86_64__ ){wide}"
    for wide in ("", " && defined ( __AVX__ )")
)
_REQUESTS = tuple(
    (
        host,
        '#define NAME __attribute__ ( ( optimize ( "no-tree-slp-vectorize" ) ) )',
        "#else",
        "#define NAME",
        "#endif",
    )
    for host in _HOSTS
)
"""How trees of earlier versions turn off vectorisation in gcc before some functions."""
_FOR_ALL = tuple((host, '#pragma GCC optimize ( "no-tree-slp-vectorize" )', "#endif") for host in _HOSTS)
"""How they turned it off for a file."""


_TEST = r"(?:! )?defined (?:\( [A-Za-z_]\w* \)|[A-Za-z_]\w*)"
OF_DEFINITIONS = re.compile(rf"{_TEST}(?: (?:&&|\|\|) {_TEST})*", re.ASCII)
"""Conditions on whether macros are defined."""
_COMPARED = rf"(?:{_TEST}|[A-Za-z_]\w* (?:[<>]=?|[=!]=) \d+[lLuU]*)"
_OF_COMPILERS = re.compile(rf"{_COMPARED}(?: (?:&&|\|\|) {_COMPARED})*", re.ASCII)
"""Conditions on macros of compilers, also on their values: `defined(__GNUC__) && __GNUC__ >= 4`."""
_WITHOUT_CPP = re.compile(
    rf"! defined (?:\( __cplusplus \)|__cplusplus)(?: && {_COMPARED})*"
    r"|(?:defined (?:\( __STDC_VERSION__ \)|__STDC_VERSION__) && )?__STDC_VERSION__ >= 201112L"
)
"""Conditions that do not hold for C++."""


def plain_words(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a directive; `#if !defined(A)` is `#ifndef A`."""
    match tuple(words):
        case ("if", "!", "defined", "(", name, ")") | ("if", "!", "defined", name):
            return "ifndef", name
        case ("if", "defined", "(", name, ")") | ("if", "defined", name):
            return "ifdef", name
    return tuple(words)


def _is_for_readers(words: Sequence[str]) -> bool:
    """Whether a pragma only turns warnings off, and on again, or names a part of the file for an editor."""
    match words:
        case ["region" | "endregion", *_]:
            return True
        case ["GCC" | "clang", "diagnostic", "push" | "pop"]:
            return True
        case ["GCC" | "clang", "diagnostic", "ignored", name]:
            return name.startswith('"-W')
    return False


def _means_nothing(words: Sequence[str]) -> bool:
    """Whether a directive changes nothing, wherever it stands."""
    match words:
        case []:
            return True
        case ["pragma", *rest]:
            return _is_for_readers(rest)
        case ["line", *rest]:
            return _is_place(rest)
    return False


def _is_place(words: Sequence[str]) -> bool:
    """Whether words are a line's number and a file, which only __LINE__ and __FILE__ tell: these are odd."""
    number, *file = words or [""]
    is_line = _LINE.fullmatch(number) is not None and 0 < int(number) < 2**31
    return is_line and [f[:1] for f in file] in ([], ['"'])


_LINE = re.compile(r"\d{1,10}", re.ASCII)


ASSERT = "_Static_assert"
"""A word of C11, which compilers know in C99, too, though not in C++."""


def are_assertions(words: Sequence[str]) -> bool:
    """Whether words are static assertions and nothing else."""
    ends = [i + 1 for i, word in enumerate(words) if word == ";"]
    parts = [words[a:b] for a, b in pairwise((0, *ends))]
    is_whole = bool(ends) and ends[-1] == len(words) and not {"{", "}"} & {*words}
    return is_whole and all(tuple(part[:2]) == (ASSERT, "(") and part[-2] == ")" for part in parts)


class _Directives:
    """The state of following the directives of one file."""

    def __init__(self, path: str, lines: Sequence[Sequence[Token]]) -> None:
        self.path, self.lines = path, lines
        self.words = [
            plain_words([t.text for t in line[1:]]) if line[0].text == "#" else None for line in lines
        ]
        self.found = Preprocessed()
        self.open: list[tuple[str, int]] = []  # the guards around, each with the line that begins it
        self.bare = False  # whether anything stands outside of guards
        self.c_at = 0  # the line of directives that opens `extern "C"`
        self.c_from = 0  # the line at which `extern "C"` begins, while it is open

    def follow(self) -> Preprocessed:
        """Follow all lines."""
        at = 0
        while at < len(self.lines):
            words = self.words[at]
            if words is not None:
                if not _means_nothing(words):
                    self.found.directives.append(len(self.found.tokens))
                at = self._block(at) or self._single(at)
            else:
                self.found.tokens += self.lines[at]
                self.bare |= not any(name for name, _ in self.open)
                at += 1
        if self.open:
            self._odd(self.open[-1][1])
        if self.c_from:
            self._odd(self.c_at, 'extern "C" without an end')
        self.found.is_guarded |= not self.bare
        return self.found

    def _odd(self, at: int, reason: str = "") -> None:
        """Take note of a line that is not understood, if it is the first one."""
        if self.found.odd is None:
            line = self.lines[at]
            said = reason or f"#{' '.join(self.words[at] or ())[:80]}"
            self.found.odd = Unreadable(self.path, line[0].line, said)

    def _block(self, at: int) -> int | None:
        """The line after a known block of directives that begins here."""
        five = [words for words in self.words[at : at + 5] if words is not None]
        if len(five) == 5 and five[0][:1] in (("if",), ("ifdef",), ("ifndef",)) and len(five[1]) > 1:
            name = five[1][1]
            block = tuple("#" + " ".join("NAME" if w == name else w for w in words) for words in five)
            if block in _RESTRICT:
                return self._defined(at + 1, name, ("restrict",), Role.RESTRICT, at + 5)
            if block in _REQUESTS:
                return self._defined(at + 1, name, ("__attribute__",), Role.REQUEST, at + 5)
        for follow in (self._for_all, self._for_cpp, self._for_c, self._default, self._hint):
            if (after := follow(at)) is not None:
                return after
        return None

    def _for_all(self, at: int) -> int | None:
        """A request to gcc for the whole file, which changes no result."""
        block = tuple("#" + " ".join(words) for words in self.words[at : at + 3] if words is not None)
        return at + 3 if block in _FOR_ALL else None

    def _for_cpp(self, at: int) -> int | None:
        """What only C++ sees; only `extern "C" {` and its end are expected there."""
        if self.words[at] != ("ifdef", "__cplusplus"):
            return None
        end = at + 1
        while end < len(self.lines) and self.words[end] is None:
            end += 1
        if end == len(self.lines) or self.words[end] != ("endif",):
            return None
        inside = [t.text for line in self.lines[at + 1 : end] for t in line]
        if inside not in _EXTERN_C or (inside == ["}"]) is (self.c_from == 0):
            self._odd(at)
        elif inside != ["}"]:
            self.c_from, self.c_at = self.lines[end][0].line, at
        elif self.c_from:
            self.found.c_linkage.append(range(self.c_from, self.lines[at][0].line))
            self.c_from = 0
        return end + 1

    def _for_c(self, at: int) -> int | None:
        """Static assertions that only C sees, as C++ has them by another name."""
        words, end = self.words[at] or (), at + 1
        is_of_c = words == ("ifndef", "__cplusplus")
        if not is_of_c and (words[:1] != ("if",) or not _WITHOUT_CPP.fullmatch(" ".join(words[1:]))):
            return None
        while end < len(self.lines) and self.words[end] is None:
            end += 1
        inside = [token for line in self.lines[at + 1 : end] for token in line]
        if self.words[end : end + 1] != [("endif",)] or not are_assertions([t.text for t in inside]):
            return None
        first = len(self.found.tokens)
        self.found.directives += [first, first + len(inside)]
        self.found.tokens += inside
        self.found.only_c.append(range(first, first + len(inside)))
        self.bare |= not any(name for name, _ in self.open)
        return end + 1

    def _default(self, at: int) -> int | None:
        """A definition for where there is none yet."""
        match self.words[at : at + 3]:
            case [("ifndef", name), ("define", defined, *body), ("endif",)] if name == defined:
                is_known = is_mathematical(name, body)
                self._define(at + 1, is_known)
                if not is_known:
                    self.found.defaults.add(name)
                return at + 3
        return None

    def _hint(self, at: int) -> int | None:
        """A macro that is a hint to some compilers and nothing, or another hint, to others."""
        given, end = list[int](), at
        while (self.words[end : end + 1] or [None])[0] != ("endif",):
            test, defined = [*self.words[end : end + 2], None, None][:2]
            if not test or not defined or not self._is_branch(test, end == at) or defined[:1] != ("define",):
                return None
            given, end = [*given, end + 1], end + 2
        names = {(self.words[i] or ())[1:2] for i in given}
        if len(names) != 1 or self.words[end - 2] != ("else",) or () in names:
            return None
        found = hint([list((self.words[i] or ())[2:]) for i in given])
        spaced = {self._has_parameters(i) for i in given if len(self.lines[i]) > 3} or {False}
        if found is None or spaced != {found[:1] == ("(",)}:
            return None
        role = Role.PLAIN if spaced == {True} else Role.HINT
        return self._defined(at + 1, names.pop()[0], found, role, end + 1, spaced == {True})

    @staticmethod
    def _is_branch(words: Sequence[str], is_first: bool) -> bool:
        """Whether a directive begins a branch of a condition on compilers, the first one or a later one."""
        kind, *rest = words
        if kind in ("ifdef", "ifndef") or (kind == "else" and not rest):
            return is_first is (kind != "else")
        is_plain = _OF_COMPILERS.fullmatch(" ".join(rest)) is not None
        return is_plain and kind == ("if" if is_first else "elif")

    def _has_parameters(self, at: int) -> bool:
        """Whether a definition has a parenthesis directly behind the name."""
        _, _, name, body, *_ = self.lines[at]
        return body.text == "(" and body.start == name.end

    def _single(self, at: int) -> int:
        """Follow one line; returns the next."""
        kind, *rest = self.words[at] or ("",)
        if kind == "include":
            self._include(at)
        elif kind == "define" and rest:
            self._define(at)
        elif kind == "undef" and len(rest) == 1 and rest[0].isidentifier() and not is_reserved(rest[0]):
            self.found.undone.append((rest[0], self.lines[at][0].line))
        elif kind == "ifndef" and len(rest) == 1 and self._guards(at, rest[0]):
            self.open.append((rest[0], at))
            return at + 2
        elif kind == "endif" and not rest and self.open:
            self._close(at)
        elif (kind, *rest) == ("pragma", "once"):
            self.found.is_guarded = True
        elif not _means_nothing(self.words[at] or ()):
            self._odd(at)
            if kind.startswith("if"):
                self.open.append(("", at))
        return at + 1

    def _guards(self, at: int, name: str) -> bool:
        """Whether the next line defines the name as nothing, or as 1; guards do not stand in many others."""
        following = self.words[at + 1] if at + 1 < len(self.words) else None
        return len(self.open) < DEEPEST and following in (("define", name), ("define", name, "1"))

    def _close(self, at: int) -> None:
        name, start = self.open.pop()
        if name:
            body = tuple(t.text for line in self.lines[start + 2 : at] for t in line)
            self._defined(start + 1, name, body, Role.GUARD, at)

    def _include(self, at: int) -> None:
        """An include; between < and > each character counts, also of blanks and comments."""
        tokens = self.lines[at][2:]
        name = "".join(t.text for t in tokens)
        is_whole = all(a.end == b.start for a, b in pairwise(tokens))
        if name.endswith('.c"'):
            self._odd(at, f"it includes the source file {name}")
        if name[:1] in ('"', "<") and is_whole:
            self.found.includes.setdefault(name, self.lines[at][0].line)
        else:
            self._odd(at)

    def _define(self, at: int, is_known: bool = False) -> None:
        """Take note of a definition; one that is known is just that of the library."""
        _, _, name, *body = self.lines[at]
        has_parameters = bool(body) and body[0].text == "(" and body[0].start == name.end
        words = tuple([t.text for t in body])
        if words[:1] == ("(",) and body[0].line != name.line:
            self._odd(at, f"{name.text}, and a parenthesis on the next line")
        if body and not has_parameters and body[0].start == name.end:
            self._odd(at, f"{name.text}, and no blank before what it stands for")
        is_request = not has_parameters and are_requests(words)
        if not is_request and (extension := next(filter(is_extension, words), None)):
            self._odd(at, f"{name.text} stands for {extension}")
        if fault := fault_of(words, has_parameters):
            self._odd(at, f"{name.text}: {fault}")
        if not name.text.isidentifier():
            self._odd(at)
        if not is_known and is_reserved(name.text):
            self._odd(at, f"it defines {name.text}, which is a reserved name")
        self._macro(at, name.text, words, Role.HINT if is_request else Role.PLAIN, has_parameters)

    def _defined(
        self,
        at: int,
        name: str,
        body: tuple[str, ...],
        role: Role,
        after: int,
        has_parameters: bool = False,
    ) -> int:
        """Take note of a macro of a known block; a reserved name is odd."""
        if is_reserved(name):
            self._odd(at, f"it defines {name}, which is a reserved name")
        self._macro(at, name, body, role, has_parameters)
        return after

    def _macro(
        self, at: int, name: str, body: tuple[str, ...], role: Role, has_parameters: bool = False
    ) -> None:
        line = self.lines[at][0].line
        self.found.macros.append(Macro(name, self.path, line, body, has_parameters, role))
