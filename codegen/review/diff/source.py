"""Splits the C of a tree into functions, types and macros, and reports constructs that it does not support.

Trees are untrusted: nothing is compiled or run, sizes are limited, and every construct that would make a
compiler see other code than is read here is reported (trigraphs, spliced lines, pragmas, conditional code).
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from codegen.review.diff.changes import SourceTree, Unreadable
from codegen.review.diff.declared import declared_contracts, declared_ranges

LARGEST = 4_000_000
"""Limit on the characters of a file."""

DEEPEST = 100
"""Limit on the nesting of brackets."""

MANIFEST = "manifest.json"
"""What describes a generated tree."""


def is_selftest(path: str, tree: Collection[str]) -> bool:
    """Whether a file is the self-test of a generated tree, whose functions are not compared."""
    directory, name = posixpath.split(path)
    return name == "selftest.c" and (not directory or posixpath.join(directory, MANIFEST) in tree)


@dataclass(frozen=True)
class Item:
    """A definition or declaration: its text with the comment before it, and its code without comments."""

    path: str
    line: int
    text: str
    code: str

    @cached_property
    def tokens(self) -> list[str]:
        """The code's tokens: the same for code that differs in layout only."""
        return _TOKEN.findall(self.code)

    @cached_property
    def names(self) -> frozenset[str]:
        """The identifiers in the code."""
        return frozenset(t for t in self.tokens if t[0].isalpha() or t[0] == "_")


_TOKEN = re.compile(r"\.?\d(?:[eEpP][+-]|[\w.])*|\w+|\"[^\"\n]*\"|[-+*/%&|^=<>!]+|\S")
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Source:
    """The content of a tree's C files.

    By name: functions, their prototypes, types, and the bodies of macros. By path: the includes of each file,
    its first unsupported construct, a digest, and the reason if it could not be read to its end. Files that
    are not C have a digest, too, as C may include them. `ranges` are those that manifests declare for the
    arguments of functions, `told` is what they say of these in words; the C confirms neither. `restricting`
    are macros that stand for restrict, but in C++.
    """

    functions: dict[str, list[Item]] = field(default_factory=dict)
    prototypes: dict[str, list[Item]] = field(default_factory=dict)
    types: dict[str, list[Item]] = field(default_factory=dict)
    macros: dict[str, set[str]] = field(default_factory=dict)
    includes: dict[str, set[str]] = field(default_factory=dict)
    odd: dict[str, Unreadable] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, dict[str, Any]] = field(default_factory=dict)
    told: dict[str, dict[str, str]] = field(default_factory=dict)
    restricting: set[str] = field(default_factory=set)
    broken: dict[str, Unreadable] = field(default_factory=dict)

    @property
    def prefix(self) -> str:
        """The prefix of all names of the library, taken from the name of the header of its types."""
        names = sorted(posixpath.basename(path) for path in self.includes)
        return next((n.removesuffix("types.h") for n in names if n.endswith("types.h")), "")

    def written(self, symbol: str) -> list[Item]:
        """The definitions and prototypes of a function."""
        return [*self.functions[symbol], *self.prototypes.get(symbol, ())]

    def calls(self, symbol: str) -> set[str]:
        """The functions of the tree that a function calls."""
        return {name for name in self._names(symbol) if name in self.functions and name != symbol}

    def environment(self, symbol: str) -> dict[str, str]:
        """The meaning of the names that a function uses, except calls: types, macros, file directives."""
        beginning = re.sub(r"_f(32|64)$", "", symbol).upper() + "_"
        open_ = {*self._names(symbol), *(name for name in self.macros if name.startswith(beginning))}
        found: dict[str, str] = {}
        while open_:
            name = open_.pop()
            if name in self.macros and name not in found:
                found[name] = " / ".join(sorted(self.macros[name]))
                open_.update(_WORD.findall(found[name]))
            elif name in self.types and name not in found:
                found[name] = " / ".join(sorted(" ".join(i.tokens) for i in self.types[name]))
                open_.update(*(i.names for i in self.types[name]))
        for item in self.functions[symbol]:
            found[item.path] = "; ".join(self._surroundings(item.path))
        return {name: meaning for name, meaning in found.items() if meaning}

    def oddity(self, path: str) -> Unreadable | None:
        """The first unsupported construct that can change the meaning of a file's functions."""
        for here in self.reached(path):
            if here in self.odd:
                return self.odd[here]
            for name in sorted(self.includes[here]):
                if name != "<math.h>" and self._included(here, name) is None:
                    return Unreadable(here, 1, f"it includes {name}, which is not in the tree")
        return None

    def _names(self, symbol: str) -> frozenset[str]:
        return frozenset[str]().union(*(i.names for i in self.functions[symbol]))

    def _surroundings(self, path: str) -> list[str]:
        """Digests of files with unsupported constructs, and of includes from outside of the tree."""
        reached = self.reached(path)
        odd = [self.digests[here] for here in reached if here in self.odd]
        foreign = [
            name + self.digests.get(_beside(here, name), "")
            for here in reached
            for name in self.includes[here]
            if self._included(here, name) is None
        ]
        return sorted({*odd, *foreign} - {"<math.h>"})

    def reached(self, path: str) -> list[str]:
        """The file and, transitively, the files of the tree that it includes."""
        reached, open_ = list[str](), [path]
        while open_:
            here = open_.pop()
            if here not in reached:
                reached.append(here)
                below = (self._included(here, name) for name in sorted(self.includes[here]))
                open_.extend(b for b in below if b is not None)
        return reached

    def _included(self, path: str, name: str) -> str | None:
        beside = _beside(path, name)
        return beside if beside in self.includes else None


def _beside(path: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name.strip('"')))


def read_source(tree: SourceTree) -> Source:
    """Split the C files of a tree into their items; the self-test is left out."""
    source = Source()
    for path in sorted(tree):
        if path.endswith((".c", ".h")) and not is_selftest(path, tree):
            source.includes[path] = set()
            try:
                _File(source, path, _text(path, tree[path])).read()
            except _Broken as problem:
                source.broken[path] = problem.args[0]
        else:
            source.digests[path] = _digest(tree[path])
        if posixpath.basename(path) == MANIFEST:
            source.ranges |= declared_ranges(tree[path])
            source.told |= declared_contracts(tree[path])
    return source


def _digest(content: str | bytes) -> str:
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


class _Broken(Exception):
    """A file that cannot be read any further; its argument is an Unreadable."""


def _text(path: str, content: str | bytes) -> str:
    if len(content) > LARGEST:
        raise _Broken(Unreadable(path, 1, f"the file is larger than {LARGEST // 1_000_000} MB"))
    try:
        text = content if isinstance(content, str) else content.decode()
    except UnicodeDecodeError:
        raise _Broken(Unreadable(path, 1, "the file is not UTF-8 text")) from None
    return text.replace("\r\n", "\n")


_FORBIDDEN = (
    (re.compile(r"[\x00-\x08\x0b-\x1f\x7f]"), "the file holds control characters"),
    (re.compile(r"\?\?[=/'()!<>-]"), "a trigraph"),
    (re.compile(r"\*\\\n/|/\\\n[*/]"), "a comment delimiter split over two lines"),
)
_COMMENT = re.compile(
    r"(?P<comment>/\*.*?\*/|//[^\n]*)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL
)
_DIRECTIVE = re.compile(r"^[ \t\x01]*#((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_MARK = re.compile(r"[(){};]|<[:%]|[:%]>|%:|\\|\b_Pragma\b")
_BEFORE_A_FUNCTION = r"(?=[\s\x01]+(?:static[\s\x01]+)?(?:void|int|\w*status)[\s\x01]+\w+[\s\x01]*\()"
_BRACKETS = {")": "(", "}": "{"}
_IN_A_COMMENT = "\x01"
"""Stands for the end of a line in a comment, which does not end a directive."""


def _blanked(code: str, spans: Iterable[tuple[int, int]]) -> str:
    """The code with blanks in place of some spans, which may overlap; line breaks stay."""
    parts, done = list[str](), 0
    for start, end in sorted(spans):
        parts.append(code[done:start])
        parts.append(re.sub(rf"[^\n{_IN_A_COMMENT}]", " ", code[max(start, done) : end]))
        done = max(done, end)
    return "".join([*parts, code[done:]])


class _File:
    """One file on its way into a Source."""

    def __init__(self, source: Source, path: str, text: str) -> None:
        self.source, self.path, self.text = source, path, text

    def read(self) -> None:
        """Sort the items of the file into the source."""
        for pattern, reason in _FORBIDDEN:
            if found := pattern.search(self.text):
                raise self._broken(found.start(), reason)
        code = self._without_comments()
        self.source.digests[self.path] = _digest(" ".join(code.split()))
        code = _blanked(code, self._directives(code))
        self._items(code.replace(_IN_A_COMMENT, "\n"))

    def _line(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1

    def _broken(self, position: int, reason: str) -> _Broken:
        return _Broken(Unreadable(self.path, self._line(position), reason))

    def _odd(self, position: int, reason: str) -> None:
        if self.path not in self.source.odd:
            self.source.odd[self.path] = Unreadable(self.path, self._line(position), reason)

    def _without_comments(self) -> str:
        """The text with blanks in place of comments, of the same length."""

        def blank(found: re.Match[str]) -> str:
            if not found["comment"]:
                return found[0]
            if found[0].startswith("//") and found[0].endswith("\\"):
                raise self._broken(found.start(), "a comment that ends in a backslash")
            return re.sub(r"[^\n]", " ", found[0]).replace("\n", _IN_A_COMMENT)

        code = _COMMENT.sub(blank, self.text)
        if (unfinished := code.find("/*")) >= 0:
            raise self._broken(unfinished, "an unterminated comment")
        return code

    def _directives(self, code: str) -> list[tuple[int, int]]:
        """Sort the preprocessor's lines into the source; returns the spans that are not C."""
        found = list(_DIRECTIVE.finditer(code))
        lines = [re.sub(rf"\\\n|{_IN_A_COMMENT}", " ", d[1]).split(None, 2) or [""] for d in found]
        spans, opened = [d.span() for d in found], list[int]()
        asked = self._asked(lines, spans, code) | self._restricting(lines, spans, code)
        for i, (kind, *rest) in enumerate(lines):
            if i in asked:
                continue
            if kind == "include" and rest and rest[0][0] in '"<':
                self.source.includes[self.path].add(" ".join(rest))
            elif kind == "define" and rest:
                self._define(rest)
            elif kind in ("if", "ifdef", "ifndef"):
                opened.append(i)
            elif kind == "endif" and opened:
                first = opened.pop()
                between = code[found[first].end() : found[i].start()]
                if lines[first:i] == [["ifdef", "__cplusplus"]]:
                    spans.append((found[first].start(), found[i].end()))
                elif not _harmless(lines, first, i, between):
                    self._odd(found[first].start(), "#" + " ".join(lines[first]))
            else:
                self._odd(found[i].start(), "#" + " ".join(lines[i]))
        for i in opened:
            self._odd(found[i].start(), "#" + " ".join(lines[i]))
        return spans

    def _asked(self, lines: list[list[str]], spans: list[tuple[int, int]], code: str) -> set[int]:
        """The lines that define the macro of `_asked_of_gcc`; its uses before functions are blanked, too."""
        named = Counter(words[1] for words in lines if len(words) > 1)
        for i in range(len(lines) - 4):
            name = "".join(lines[i + 1][1:2])
            block = tuple(line.strip() for line in code[spans[i][0] : spans[i + 4][1]].split("\n"))
            if named[name] == 2 and block in (
                _asked_of_gcc(name, ""),
                _asked_of_gcc(name, " && defined(__AVX__)"),
            ):
                asking = re.compile(rf"\b{re.escape(name)}\b{_BEFORE_A_FUNCTION}")
                spans += [found.span() for found in asking.finditer(code)]
                return set(range(i, i + 5))
        return set()

    def _restricting(self, lines: list[list[str]], spans: list[tuple[int, int]], code: str) -> set[int]:
        """The lines that define what stands for restrict."""
        for i in range(len(lines) - 4):
            name = "".join(lines[i + 1][1:2])
            block = tuple(line.strip() for line in code[spans[i][0] : spans[i + 4][1]].split("\n"))
            if block == (
                "#ifdef __cplusplus", f"#define {name}", "#else", f"#define {name} restrict", "#endif",
            ):  # fmt: skip
                self.source.restricting.add(name)
                return set(range(i, i + 5))
        return set()

    def _define(self, words: list[str]) -> None:
        text = " ".join(words)
        name = re.match(r"\w*", text)
        assert name is not None
        self.source.macros.setdefault(name[0], set()).add(" ".join(_TOKEN.findall(text[name.end() :])))

    def _items(self, code: str) -> None:
        """Sort the declarations and definitions into the source."""
        start, line, opened, last = 0, 1, list[str](), ""
        for found in _MARK.finditer(code):
            mark, end = found[0], found.end()
            if mark in "({":
                if mark == "{" and not opened:
                    last = code[max(start, found.start() - 80) : found.start()].rstrip()[-1:]
                opened.append(mark)
                if len(opened) > DEEPEST:
                    raise self._broken(end, f"brackets nested deeper than {DEEPEST}")
            elif mark in ")}":
                if not opened or opened.pop() != _BRACKETS[mark]:
                    raise self._broken(end, f"an unmatched {mark}")
            elif mark != ";":
                raise self._broken(end, f"{mark} in code")
            if not opened and (mark == ";" or (mark == "}" and last == ")")):
                first = start + len(code[start:end]) - len(code[start:end].lstrip())
                line += code.count("\n", start, first)
                text = self.text[self._comment_before(start, first) : end]
                self._sort(Item(self.path, line, text, code[first:end]))
                line += code.count("\n", first, end)
                start = end
        if opened or code[start:].strip():
            raise self._broken(start, "the file ends within a declaration")

    def _comment_before(self, previous: int, start: int) -> int:
        """Where the comment begins that stands directly before `start`, or `start`."""
        end = self.text.rfind("*/", previous, start)
        if end < 0 or self.text[end + 2 : start].strip(" \t") not in ("", "\n"):
            return start
        return max(self.text.rfind("/*", previous, end), previous)

    def _sort(self, item: Item) -> None:
        tokens, source = item.tokens, self.source
        has_body = "{" in tokens
        head = tokens[: tokens.index("{")] if has_body else tokens[:-1]
        if tokens[0] == "typedef" and len(tokens) > 2:
            source.types.setdefault(tokens[-2], []).append(item)
        elif "(" in head[1:] and head[-1] == ")" and "=" not in head:
            name = head[head.index("(", 1) - 1]
            (source.functions if has_body else source.prototypes).setdefault(name, []).append(item)
        else:
            shown = " ".join(tokens[:8])
            source.odd.setdefault(self.path, Unreadable(self.path, item.line, f"declares {shown}"))


def _asked_of_gcc(name: str, wide: str) -> tuple[str, ...]:
    """The macro by which trees of earlier versions turn off vectorisation in gcc before some functions."""
    return (
        f"#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__){wide}",
        f'#define {name} __attribute__((optimize("no-tree-slp-vectorize")))',
        "#else",
        f"#define {name}",
        "#endif",
    )


def _harmless(lines: list[list[str]], first: int, last: int, between: str) -> bool:
    """Whether conditional lines guard a file or types against being seen twice, or are a default."""
    guards = lines[first][0] == "ifndef" and lines[first + 1][:2] == ["define", *lines[first][1:]]
    whole = first == 0 and last == len(lines) - 1 and len(lines[1]) == 2
    rest = _DIRECTIVE.sub("", between).replace(_IN_A_COMMENT, " ")
    default = last == first + 2 and not rest.strip()
    once = lines[first + 1][2:] == [] and all(line[0] == "define" for line in lines[first + 1 : last])
    return guards and (whole or default or (once and _TYPES.fullmatch(rest) is not None))


_TYPES = re.compile(r"(?:\s*typedef\s[^;{}()]*(?:\{[^{}()]*\}[^;{}()]*)?;)+\s*")
"""Declarations of types alone."""
