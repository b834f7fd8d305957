"""Leaves out attributes that change no result: __attribute__((unused)) of variables, or hot of functions."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.review.diff.lexing import Token

_OF_VARIABLES = ("unused",)
_OF_FUNCTIONS = ("always_inline", "cold", "flatten", "hot", "noinline", "unused", "warn_unused_result")
"""Requests about warnings, and how code is laid out. Others may change what callers see, or what C means."""
_BEGINNINGS = frozenset(["{", "}", ";"])
_QUALIFIERS = frozenset(["static", "const", "inline", "register", "volatile"])
_WORDS = _QUALIFIERS | {
    "float", "double", "int", "unsigned", "signed", "short", "long", "char", "void",
}  # fmt: skip
_STATEMENTS = frozenset((
    "return", "goto", "case", "default", "do", "else", "if", "while", "for", "switch", "sizeof", "break",
    "continue", "typedef", "struct", "union", "enum", "extern",
))  # fmt: skip


def without_attributes(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a declaration without attributes that change nothing, where compilers take them for its.

    Those of functions stand in their heads, before all brackets.
    """
    words = [t.text for t in tokens]
    kept, at, head = list[Token](), 0, _head(words)
    while at < len(tokens):
        named, end = _attributes(words, at)
        known = _OF_FUNCTIONS if at < head or words[end:] == [";"] else _OF_VARIABLES
        if named and {*named} <= {*known} and _is_of_declaration([t.text for t in kept], words[end:]):
            at = end
        else:
            kept.append(tokens[at])
            at += 1
    return kept


def are_requests(words: Sequence[str]) -> bool:
    """Whether words are attributes of functions that change nothing."""
    named, end = _attributes(words, 0)
    return bool(named) and end == len(words) and {*named} <= {*_OF_FUNCTIONS}


def _head(words: Sequence[str]) -> int:
    """Where the name of a function stands that the words declare, before its parameters; 0 for others."""
    for at, word in enumerate(words[1:], 1):
        if word == "(" and words[at - 1].isidentifier() and words[at - 1] != "__attribute__":
            is_function = not {"=", "{", ";", "typedef"} & {*words[:at]}
            return at - 1 if is_function else 0
    return 0


def _attributes(words: Sequence[str], at: int) -> tuple[list[str], int]:
    """The attributes that `__attribute__((a, b))` names, and its end; none for others."""
    if tuple(words[at : at + 3]) != ("__attribute__", "(", "("):
        return [], at
    end = at + 3
    while end < len(words) and (words[end].isidentifier() or words[end] == ","):
        end += 1
    inside, is_closed = words[at + 3 : end], tuple(words[end : end + 2]) == (")", ")")
    is_listed = len(inside) % 2 == 1 and {*inside[1::2]} <= {","}
    named = [word.removeprefix("__").removesuffix("__") for word in inside[::2]]
    return (named if is_closed and is_listed else []), end + 2


def _is_of_declaration(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether an attribute between these tokens belongs to a variable or function that they declare."""
    ends = bool(before) and before[-1] == ")" and after == [";"] and "{" not in before
    return ends or _precedes_type(before[-3:], after[:3]) or _follows_name(before[-3:], after[:3])


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
