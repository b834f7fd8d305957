"""Leaves out attributes that change no result: __attribute__((unused)) of variables, or hot of functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from codegen.review.diff.text.lexing import Token
from codegen.review.diff.text.reserved import is_extension

_OF_VARIABLES = frozenset(["aligned", "unused"])
_OF_FUNCTIONS = frozenset((
    "aligned", "always_inline", "cold", "flatten", "hot", "leaf", "noinline", "nonnull", "nothrow", "unused",
    "visibility", "warn_unused_result",
))  # fmt: skip
"""Requests about warnings, and how code is laid out. Others may change what callers see, or what C means."""
_WITHOUT_EFFECTS = frozenset(["const", "pure"])
"""What is true of functions that only calculate with numbers which they are given."""
_ARGUMENTS = {
    "aligned": re.compile(r"\( (?:[1248]|16|32|64)[uU]? \)"),
    "nonnull": re.compile(r"\( [1-9]\d?(?: , [1-9]\d?)* \)"),
    "visibility": re.compile(r'\( "default" \)'),
}
"""What stands behind the name of an attribute; `nonnull` may stand alone."""
MOST = 100
"""Limit on the attributes of a declaration."""
_EXPORT = ("__declspec", "(", "dllexport", ")")
_BEGINNINGS = frozenset(["{", "}", ";"])
_QUALIFIERS = frozenset(["static", "const", "inline", "register", "volatile"])
_WORDS = _QUALIFIERS | {
    "float", "double", "int", "unsigned", "signed", "short", "long", "char", "void",
}  # fmt: skip
_NUMBERS = frozenset(["float", "double", "int", "unsigned"])
_STATEMENTS = frozenset((
    "return", "goto", "case", "default", "do", "else", "if", "while", "for", "switch", "sizeof", "break",
    "continue", "typedef", "struct", "union", "enum", "extern",
))  # fmt: skip


def without_attributes(tokens: Sequence[Token]) -> tuple[list[Token], frozenset[int]]:
    """The tokens of a declaration without attributes that change nothing, where compilers take them for its.

    Those of functions stand in their heads, before all brackets, or at the end of prototypes. The numbers are
    those of the parameters that are said to be no null pointers, 0 for all of them.
    """
    words = [t.text for t in tokens]
    if not 0 < sum(map(words.count, ("__attribute__", "__declspec"))) <= MOST:
        return list(tokens), frozenset()
    kept, at, head, nonnull = list[Token](), 0, _head(words), set[int]()
    of_functions = _OF_FUNCTIONS | (_WITHOUT_EFFECTS if _only_calculates(words, head) else frozenset())
    of_functions |= frozenset() if "static" in words[:head] else {"dllexport"}
    while at < len(tokens):
        named, end = _attributes(words, at)
        is_of_function = at < head or (bool(named) and head > 0 and _closes_prototype(words, end))
        known = of_functions if is_of_function else _of_variables(words, at) if named else frozenset()
        if named and {name for name, _ in named} <= known and _is_of_declaration(kept, words[end:], named):
            nonnull |= {n for name, given in named if name == "nonnull" for n in _numbers(given)}
            at = end
        else:
            kept.append(tokens[at])
            at += 1
    return kept, frozenset(nonnull)


def _numbers(given: str) -> list[int]:
    return [int(word) for word in given.split() if word.isdecimal()] or [0]


def without_requests(words: Sequence[str]) -> list[str] | None:
    """The words without attributes of functions that change nothing, at least of some functions.

    None where others are among them.
    """
    words, at, left = list(words), 0, list[str]()
    while at < len(words):
        named, end = _attributes(words, at)
        if not {name for name, _ in named} <= _OF_FUNCTIONS | _WITHOUT_EFFECTS | {"dllexport"}:
            return None
        left += [] if named else [words[at]]
        at = end if named else at + 1
    return None if any(map(is_extension, left)) else left


STORAGE = frozenset(["extern", "inline", "static"])
"""The words for which a macro before functions may stand besides attributes."""


def are_requests(words: Sequence[str]) -> bool:
    """Whether words are such attributes, and words about storage, and some of the former."""
    left = without_requests(words)
    return left is not None and len(left) < len(words) and STORAGE.issuperset(left)


def _closes_prototype(words: Sequence[str], at: int) -> bool:
    """Whether nothing but further attributes stands before the end of a prototype."""
    while at < len(words) and (found := _attributes(words, at))[0]:
        at = found[1]
    return words[at:] == [";"]


def _of_variables(words: Sequence[str], at: int) -> frozenset[str]:
    """The attributes of variables at a place; alignment is none of members and of types."""
    own = {"struct", "union", "enum", "typedef"} & {*words}
    is_inside = not own and ("{" in words[:at] or words[0] == "static")
    return _OF_VARIABLES if is_inside else _OF_VARIABLES - {"aligned"}


def _only_calculates(words: Sequence[str], head: int) -> bool:
    """Whether a function is given numbers alone, and returns one."""
    end = words.index(")", head) if head and ")" in words[head:] else 0
    parameters = {*words[head + 2 : end]}
    is_given_numbers = bool(parameters & _NUMBERS) and not {"(", "*", "["} & parameters
    listed = " ".join(words[head + 2 : end]).split(" , ")
    is_number = bool(_NUMBERS & {*words[:head]}) and "*" not in words[:head]
    return is_number and is_given_numbers and all(_NUMBERS & {*part.split()} for part in listed)


def _head(words: Sequence[str]) -> int:
    """Where the name of a function stands that the words declare, before its parameters; 0 for others."""
    for at, word in enumerate(words[1:], 1):
        if word == "(" and words[at - 1].isidentifier() and words[at - 1] not in ("__attribute__", *_EXPORT):
            is_function = not {"=", "{", ";", "typedef"} & {*words[:at]} and _depth(words[: at - 1]) == 0
            if is_function:
                return at - 1
    return 0


def _depth(words: Sequence[str]) -> int:
    return words.count("(") - words.count(")")


def _attributes(words: Sequence[str], at: int) -> tuple[list[tuple[str, str]], int]:
    """The attributes with arguments that `__attribute__((a, b(1)))` names, and its end; none for others."""
    if tuple(words[at : at + 4]) == _EXPORT:
        return [("dllexport", "")], at + 4
    if tuple(words[at : at + 3]) != ("__attribute__", "(", "("):
        return [], at
    depth, end = 2, at + 3
    while end < len(words) and depth > 1:
        depth += (words[end] == "(") - (words[end] == ")")
        end += 1
    named = list(_listed(words[at + 3 : end - 1]))
    return (named if words[end : end + 1] == [")"] and ("", "") not in named else []), end + 1


def _listed(inside: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The attributes between the brackets with their arguments; without a name where they are not plain."""
    depth, part = 0, list[str]()
    for word in (*inside, ","):
        depth += (word == "(") - (word == ")")
        if word != "," or depth:
            part.append(word)
            continue
        name = part[0].removeprefix("__").removesuffix("__") if part and part[0].isidentifier() else ""
        given, wanted = " ".join(part[1:]), _ARGUMENTS.get(name)
        is_plain = wanted.fullmatch(given) is not None if wanted and given else not given
        is_whole = name != "visibility" or bool(given)
        yield (name, given) if is_plain and is_whole else ("", "")
        part = []


def _is_of_declaration(kept: Sequence[Token], after: Sequence[str], named: Sequence[tuple[str, str]]) -> bool:
    """Whether an attribute between these tokens belongs to a variable or function that they declare."""
    before = [t.text for t in kept]
    if named[0][0] == "dllexport":
        return not before
    rest = after
    while (found := _attributes(rest, 0))[0]:
        rest = rest[found[1] :]
    ends = bool(before) and before[-1] == ")" and rest == [";"] and "{" not in before
    returned = [word for word in before if word not in STORAGE]
    if rest[1:2] == ["("] and len(returned) == 1:  # `number __attribute__((cold)) f(float x)`
        return returned[0].isidentifier() and rest[0].isidentifier() and returned[0] not in _STATEMENTS
    return ends or _precedes_type(before[-3:], rest[:3]) or _follows_name(before[-3:], rest[:3])


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
