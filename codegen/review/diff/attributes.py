"""Leaves out the attribute that changes no code: __attribute__((unused)) of variables and functions."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.review.diff.lexing import Token

_UNUSED = tuple(("__attribute__", "(", "(", name, ")", ")") for name in ("unused", "__unused__"))
_LENGTH = 6
_BEGINNINGS = frozenset(["{", "}", ";"])
_QUALIFIERS = frozenset(["static", "const", "inline", "register", "volatile"])
_WORDS = _QUALIFIERS | {
    "float", "double", "int", "unsigned", "signed", "short", "long", "char", "void",
}  # fmt: skip
_STATEMENTS = frozenset((
    "return", "goto", "case", "default", "do", "else", "if", "while", "for", "switch", "sizeof", "break",
    "continue", "typedef", "struct", "union", "enum", "extern",
))  # fmt: skip


def without_unused(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a declaration without the attribute, where gcc and clang take it for a variable's."""
    words = [t.text for t in tokens]
    kept, at = list[Token](), 0
    while at < len(tokens):
        is_unused = tuple(words[at : at + _LENGTH]) in _UNUSED
        if is_unused and _is_of_declaration([t.text for t in kept[-3:]], words[at + _LENGTH :][:3]):
            at += _LENGTH
        else:
            kept.append(tokens[at])
            at += 1
    return kept


def _is_of_declaration(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether an attribute between these tokens belongs to a variable or function that they declare."""
    return _precedes_type(before, after) or _follows_name(before, after)


def _precedes_type(before: Sequence[str], after: Sequence[str]) -> bool:
    """`; __attribute__((unused)) const float x`, and behind `static` or `float`."""
    is_begun = not before or before[-1] in _BEGINNINGS or before[-1] in _WORDS
    if not is_begun or len(after) < 3:
        return False
    if after[0] in _WORDS:
        return True
    names = [word for word in after[:2] if word.isidentifier() and word not in _STATEMENTS]
    is_typed = bool(before) and before[-1] in _WORDS - _QUALIFIERS
    if is_typed:  # `float __attribute__((unused)) x = 1.0F;`
        return after[0] in names and after[1] in ("=", ";", "[", "(")
    return len(names) == 2  # `; __attribute__((unused)) number x`


def _follows_name(before: Sequence[str], after: Sequence[str]) -> bool:
    """`float x __attribute__((unused)) = 1.0F;`"""
    if len(before) < 2 or not after or after[0] not in ("=", ";", ",", ")"):
        return False
    kind, name = before[-2:]
    is_type = kind in _WORDS or kind == "*" or (kind.isidentifier() and kind not in _STATEMENTS)
    return is_type and name.isidentifier() and name not in _WORDS | _STATEMENTS
