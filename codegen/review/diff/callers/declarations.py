"""Finds declarations that do not compile in all programs that include them, though the tree itself might."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.reserved import is_harmless, is_of_cpp
from codegen.review.diff.text.source import Source

_WORDS = """
void char short int long float double signed unsigned _Bool struct union enum
"""
_BASIC = frozenset(_WORDS.split())
_QUALIFIERS = frozenset(
    ("const", "volatile", "restrict", "register", "static", "extern", "inline", "typedef")
)
_STANDARD = re.compile(
    r"u?int(?:_least|_fast)?(?:8|16|32|64)_t|u?int(?:max|ptr)_t|size_t|ptrdiff_t|wchar_t|bool"
)
_OF_C = frozenset(("_Bool", "restrict"))
_HEXADECIMAL = re.compile(r"0[xX][\da-fA-F.]+[pP]")


def faulty(source: Source) -> Iterator[Unreadable]:
    """Unknown types, names of two things, and what C++ refuses in headers."""
    closed = {path for path in source.includes if not _sees_others(path, source)}
    for item in _all(source):
        for said in _faults(item, source, item.path in closed):
            yield Unreadable(item.path, item.line, said)
    for item in chain.from_iterable(source.data.values()):
        if item.path.endswith(".h"):
            yield from (Unreadable(item.path, item.line, said) for said in _not_cpp(item))
    for table in (source.prototypes, source.functions, source.data):
        for name in sorted(table.keys() & source.types.keys()):
            item = table[name][0]
            yield Unreadable(item.path, item.line, f"{name} is a type, too")
    for table in (source.types, source.data, source.prototypes, source.functions):
        for name in sorted(table.keys() & source.macros.definitions.keys()):
            yield from (Unreadable(i.path, i.line, f"{name} is a macro, too") for i in table[name])


def _all(source: Source) -> Iterator[Item]:
    tables = (source.types, source.prototypes, source.functions)
    return chain.from_iterable(items for table in tables for items in table.values())


def _faults(item: Item, source: Source, is_closed: bool) -> Iterator[str]:
    """What is wrong with a declaration; `is_closed` says that all headers that its file sees are known."""
    if item.path.endswith(".h"):
        yield from _not_cpp(item)
        if any(word == "[" and after in _QUALIFIERS for word, after in pairwise(item.tokens)):
            yield "C++ has no qualifiers of the size of an array"
        if "{" in item.tokens and item.tokens[0] != "typedef" and "static" not in item.names:
            is_inline = "inline" in item.names
            yield (
                "no file defines its inline function for calls that are not inlined"
                if is_inline
                else "every file that includes it defines a function"
            )
        if "inline" in item.tokens and "static" not in item.tokens and "{" not in item.tokens:
            yield "it declares a function inline that is defined elsewhere"
    parts = [*_parts(item)]
    names = Counter(name for part in parts[1:] if (name := _split(part, source)[1]))
    yield from (f"two of {name} in one declaration" for name, n in sorted(names.items()) if n > 1)
    if hidden := _hidden([_split(part, source) for part in parts[1:]], item):
        yield f"{hidden} is a name and a type in one declaration"
    if is_closed:
        for kind in sorted({_split(part, source)[0] for part in parts} - {""}):
            if kind not in source.types and not _STANDARD.fullmatch(kind):
                yield f"the type {kind} is not declared"


def _not_cpp(item: Item) -> Iterator[str]:
    """The words of a declaration that C++ understands otherwise, or not."""
    yield from (f"{name} is a word of C++" for name in sorted(filter(is_of_cpp, item.names)))
    yield from (f"{name} is no word of C++" for name in sorted(item.names & _OF_C))
    if any(_HEXADECIMAL.match(word) for word in item.tokens):
        yield "C++ before C++17 has no hexadecimal floating-point numbers"


def _hidden(parts: Sequence[tuple[str, str]], item: Item) -> str:
    """The type of a part that is the name of another part; empty where there is none.

    The name of a parameter hides a type from the next parameters on, and that of a member does in C++.
    """
    is_type = item.tokens[0] == "typedef"
    names = {name for _, name in parts} if is_type and item.path.endswith(".h") else set[str]()
    for kind, name in parts:
        if kind and kind in names:
            return kind
        names |= set[str]() if is_type else {name}
    return ""


def _parts(item: Item) -> Iterator[list[str]]:
    """The head of a declaration, then each of its parameters or members; nothing of what is less plain."""
    words = item.tokens
    if words[0] == "typedef":
        opened = words.index("{") if "{" in words else 0
        if words.count("{") == 1 and "struct" in words[:opened]:
            yield []
            yield from _cut(words[opened + 1 : words.index("}")], ";")
        elif not opened:
            yield words[1:-1]
    elif "(" in words:
        opened, closed = words.index("("), words.index(")")
        yield words[:opened]
        if "(" not in words[opened + 1 : closed]:
            yield from _cut(words[opened + 1 : closed], ",")


def _cut(words: Sequence[str], mark: str) -> Iterator[list[str]]:
    """The words between marks."""
    part = list[str]()
    for word in (*words, mark):
        if word != mark:
            part.append(word)
        elif part:
            yield part
            part = []


def _split(part: Sequence[str], source: Source) -> tuple[str, str]:
    """The type that a declaration names, if it is none of C's own, and the name that it declares, if any."""
    plain = part[: part.index("[")] if "[" in part else part
    words = [w for w in plain if w.isidentifier() and w not in _QUALIFIERS]
    if any(w in source.macros for w in words) or "(" in part or "," in part:
        return "", ""
    if _BASIC & set(words):
        return "", words[-1] if words[-1] not in _BASIC else ""
    return (words[0], words[1] if len(words) == 2 else "") if words else ("", "")


def _sees_others(path: str, source: Source) -> bool:
    """Whether a file includes others than those of the tree and plain ones of the library."""
    return any(
        not is_harmless(name, here) and source.included(here, name) is None
        for here in source.reached(path)
        for name in source.includes[here]
    )
