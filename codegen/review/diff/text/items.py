"""Splits the tokens of a file into declarations and definitions, one function to an item."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import accumulate, pairwise

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.text.attributes import without_attributes
from codegen.review.diff.text.directives import ASSERT, Preprocessed, Role
from codegen.review.diff.text.lexing import Broken, Token
from codegen.review.diff.text.reserved import is_extension

DEEPEST = 100
"""Limit on the nesting of brackets."""


class Kind(Enum):
    """What an item declares."""

    FUNCTION = "a function with its body"
    PROTOTYPE = "a function"
    TYPE = "a type"
    DATA = "constants"
    ASSERTION = "what compilers check"
    ODD = "something else"


@dataclass(frozen=True)
class Item:
    """A definition or declaration: its text with the comment before it, and its code without comments.

    `is_plain` says that nothing stands in a function's head but words, and parameters in parentheses. The
    `others` are what compilers see where conditions within a function come out otherwise. An attribute says
    of the parameters whose numbers are `nonnull` that they are no null pointers; 0 stands for all. The macros
    that were `replaced` by the words for which they stand are none of its names.
    """

    path: str
    line: int
    text: str
    code: str
    tokens: list[str]
    is_plain: bool = True
    others: tuple[Item, ...] = ()
    nonnull: frozenset[int] = frozenset()
    replaced: frozenset[str] = frozenset()

    @property
    def spelled(self) -> tuple[list[str], ...]:
        """The tokens, also where conditions come out otherwise."""
        return self.tokens, *(other.tokens for other in self.others)

    @property
    def is_static(self) -> bool:
        """Whether the head of a function says that it is static."""
        return "static" in self.tokens[: self.tokens.index("(")]

    @cached_property
    def names(self) -> frozenset[str]:
        """The identifiers in the code."""
        return frozenset(filter(str.isidentifier, set[str]().union(*self.spelled)))

    @cached_property
    def addressed(self) -> frozenset[str]:
        """The names before which a & stands: among them are all variables whose address is taken."""
        return frozenset(_ADDRESSED.findall(" ".join(self.tokens)))


_ADDRESSED = re.compile(r"(?<!&)& [( ]*([A-Za-z_]\w*)", re.ASCII)


Sorted = tuple[Kind, str, Item]
"""An item with its kind and its name."""


def items_of(
    path: str, text: str, found: Preprocessed, stand_for: Mapping[str, Sequence[str]]
) -> Iterator[Sorted]:
    """The items of a file with their kinds and names; Broken where brackets do not match.

    Some macros stand for words of declarations. A struct whose type has its name in a declaration of its own
    is that type, where both are known.
    """
    items, broken = list[Sorted](), None
    try:
        items.extend(_each(path, text, found, stand_for))
    except Broken as problem:
        broken = problem
    yield from _completed(items)
    if broken is not None:
        raise broken


def _completed(items: Sequence[Sorted]) -> Iterator[Sorted]:
    """The items, with one in place of `typedef struct a b;` and `struct a {...};`, where the later one is."""
    halves = dict[str, list[int]]()
    for i, (_, _, item) in enumerate(items):
        if tag := _half_of(item):
            halves.setdefault(tag, []).append(i)
    whole, parts = dict[int, Sorted](), set[int]()
    for pair in (at for at in halves.values() if len(at) == 2):
        (body, named) = sorted((items[i][2] for i in pair), key=lambda item: item.tokens[0] == "typedef")
        if "{" in body.tokens and "{" not in named.tokens:
            name, line = named.tokens[3], max(body.line, named.line)
            words, code = ["typedef", *body.tokens[:-1], name, ";"], f"typedef {body.code[:-1]} {name};"
            whole[pair[1]] = Kind.TYPE, name, replace(body, line=line, code=code, tokens=words)
            parts |= {*pair}
    for i, found in enumerate(items):
        if i not in parts or i in whole:
            yield whole.get(i, found)


def _half_of(item: Item) -> str:
    """The tag of `typedef struct a b;`, or of `struct a {...};`; empty for others."""
    words = item.tokens
    is_body = words[:1] == ["struct"] and words[2:3] == ["{"] and words[-2:] == ["}", ";"]
    if is_body and words.count("{") == 1:
        return words[1]
    is_name = words[:2] == ["typedef", "struct"] and len(words) == 5 and words[-1] == ";"
    return words[2] if is_name and words[3].isidentifier() else ""


def _each(
    path: str, text: str, found: Preprocessed, stand_for: Mapping[str, Sequence[str]]
) -> Iterator[Sorted]:
    requests = {m.name for m in found.macros if m.role is Role.REQUEST}
    start, previous = 0, 0
    for end in _ends(path, found.tokens):
        tokens = found.tokens[start:end]
        first = tokens[0].start
        shown = text[_comment_before(text, previous, first) : tokens[-1].end]
        previous = tokens[-1].end
        inside = bisect_right(found.directives, start)
        if inside < len(found.directives) and found.directives[inside] < end:
            line = found.tokens[found.directives[inside]].line
            yield Kind.ODD, "", Item(path, line, shown, "", ["with", "a", "directive", "inside"])
        is_for_c = path.endswith(".c") or any(start in part for part in found.only_c)
        start = end
        replaced = frozenset(stand_for.keys() & {t.text for t in tokens})
        tokens, nonnull = without_attributes(_with_words(tokens, stand_for))
        tokens = _in_words_of_c(tokens, path, found.includes)
        words = [t.text for t in tokens] or [";"]
        if words[0] in requests and "{" in words:
            tokens, words = tokens[1:], words[1:]
        extensions = set(filter(is_extension, {*words})) - ({ASSERT} if is_for_c else set[str]())
        for token in tokens if extensions else ():
            if token.text in extensions:
                yield Kind.ODD, "", Item(path, token.line, shown, "", [token.text])
        if words[0] == ASSERT:
            yield Kind.ASSERTION, "", Item(path, tokens[0].line, shown, _code(tokens), words)
        elif names := _constants(words):
            item = Item(path, tokens[0].line, shown, _code(tokens), words, replaced=replaced)
            yield from ((Kind.DATA, name, item) for name in names)
        elif words != [";"]:
            kind, name, is_plain = _sorted(words)
            yield (
                kind,
                name,
                Item(path, tokens[0].line, shown, _code(tokens), words, is_plain, (), nonnull, replaced),
            )


def _in_words_of_c(tokens: Sequence[Token], path: str, includes: Collection[str]) -> list[Token]:
    """Tokens in which the macro of <assert.h> for static assertions is what it stands for."""
    is_macro = path.endswith(".c") and "<assert.h>" in includes
    return [t._replace(text=ASSERT) if is_macro and t.text == "static_assert" else t for t in tokens]


def _with_words(tokens: Sequence[Token], stand_for: Mapping[str, Sequence[str]]) -> list[Token]:
    """Tokens with what macros stand for."""
    return [t._replace(text=word) for t in tokens for word in stand_for.get(t.text, (t.text,))]


_BRACKETS = {")": "(", "}": "{", "]": "["}


def _ends(path: str, tokens: Sequence[Token]) -> Iterator[int]:
    """After which tokens an item ends."""
    opened, has_parameters, is_body, end = list[str](), False, False, 0
    for i, token in enumerate(tokens):
        mark = token.text
        if mark in ("(", "{", "["):
            if not opened:
                is_body = mark == "{" and has_parameters
                has_parameters |= mark == "("
            opened.append(mark)
            if len(opened) > DEEPEST:
                reason = f"brackets nested deeper than {DEEPEST}"
                raise Broken(Unreadable(path, token.line, reason))
        elif mark in _BRACKETS and (not opened or opened.pop() != _BRACKETS[mark]):
            raise Broken(Unreadable(path, token.line, f"an unmatched {mark}"))
        if not opened and (mark == ";" or (mark == "}" and is_body)):
            end, has_parameters = i + 1, False
            yield end
    if end < len(tokens):
        raise Broken(Unreadable(path, tokens[end].line, "the file ends within a declaration"))


def _comment_before(text: str, previous: int, start: int) -> int:
    """Where the comment begins that stands before `start` and describes what follows, or `start`."""
    end = text.rfind("*/", previous, start)
    if end < 0 or not _BETWEEN.fullmatch(text, end + 2, start):
        return start
    begin = max(text.rfind("/*", previous, end), previous)
    return begin if _DOCUMENTS.match(text, begin) or not _BLANK.search(text, end + 2, start) else start


_BETWEEN = re.compile(
    r"(?:[ \t]*\n)*(?:[ \t]*#[ \t]*pragma[ \t]+(?:GCC|clang)[ \t]+diagnostic\b[^\n]*\n(?:[ \t]*\n)*)*[ \t]*"
)
"""What may stand between a comment and what it describes: empty lines, and requests about warnings."""

_DOCUMENTS = re.compile(r"/\*[*!](?![*/<])")
"""The start of a comment that describes what follows, also behind empty lines, as Doxygen reads it."""

_BLANK = re.compile(r"\n[ \t]*\n")


def _code(tokens: Sequence[Token]) -> str:
    """The tokens as text, each on its line."""
    parts, line, end = list[str](), tokens[0].line, tokens[0].start
    for text, at, start, to in tokens:
        if at != line:
            parts.append("\n" * (at - line))
        elif start != end:  # also before the second word of those for which a macro stands
            parts.append(" ")
        parts.append(text)
        line, end = at, to
    return "".join(parts)


def _sorted(words: Sequence[str]) -> tuple[Kind, str, bool]:
    """The kind of an item, the name that it declares, and whether it is a plain function."""
    head = words[: words.index("{")] if "{" in words else words[:-1]
    if words[0] == "typedef":
        outside = _outside_brackets(words)
        name, *end = [w for w in outside if w != "]"][-2:]
        is_type = end == [";"] and name.isidentifier() and "(" not in outside and "," not in words[-3:]
        return (Kind.TYPE, name, True) if is_type else (Kind.ODD, "", True)
    if _is_data(words) or _is_number(words):
        return Kind.DATA, words[3], True
    name, after = _declared(head)
    if not name or "=" in head:
        return Kind.ODD, "", True
    is_plain = after == len(head) and all(map(str.isidentifier, head[: head.index("(")]))
    return Kind.FUNCTION if words[-1] == "}" else Kind.PROTOTYPE, name, is_plain


def _outside_brackets(words: Sequence[str]) -> list[str]:
    """The words that are not between [ and ], where an extent is calculated."""
    depths = accumulate((word == "[") - (word == "]") for word in words)
    return [word for word, depth in zip(words, depths, strict=True) if depth == 0]


def _is_data(words: Sequence[str]) -> bool:
    """Whether an item is `static const float name[2] = {...};`, whatever the braces hold."""
    kind, marks = list(words[:3]), [*words[4:5], *words[6:9], *words[-2:]]
    is_array = marks == ["[", "]", "=", "{", "}", ";"] and words[3].isidentifier() and words[5].isdecimal()
    return kind in (["static", "const", "float"], ["static", "const", "double"]) and is_array


def _is_constant(words: Sequence[str]) -> bool:
    """Whether an item is `static const type name = ...;` or `static const type name[2] = ...;`."""
    if [*words[:2], words[-1]] != ["static", "const", ";"] or "=" not in words[4:]:
        return False
    kind, name, *sizes = words[2 : words.index("=", 4)]
    init = words[words.index("=", 4) + 1 : -1]
    is_list, is_expression = init[:1] == ["{"] and init[-1] == "}", not {"{", ",", "="} & {*init}
    has_sizes = not sizes or (sizes[0], sizes[-1]) == ("[", "]")
    is_plain = kind.isidentifier() and name.isidentifier() and has_sizes
    return bool(init) and is_plain and (is_list or is_expression)


def _constants(words: Sequence[str]) -> list[str]:
    """The names of the constants that an item declares."""
    return [words[3]] if _is_constant(words) else _enumerators(words)


def _enumerators(words: Sequence[str]) -> list[str]:
    """The names that `enum { A = 1, B = 2 };` declares, which may have a tag; none for other items."""
    plain = (
        [words[0], *words[2:]]
        if words[1:2] != ["{"] and len(words) > 3 and words[1].isidentifier()
        else words
    )
    return enumerators_of(words) if [*plain[:2], *words[-2:]] == ["enum", "{", "}", ";"] else []


_TAGGED = ("struct", "union", "enum")


def tags_of(item: Item) -> Iterator[tuple[str, str, str]]:
    """The tags in a declaration, each between its word, such as struct, and what follows it."""
    words = item.tokens if not item.names.isdisjoint(_TAGGED) else []
    for kind, name, after in zip(words, words[1:], [*words[2:], ""], strict=False):
        if kind in _TAGGED and name.isidentifier():
            yield kind, name, after


def enumerators_of(words: Sequence[str]) -> list[str]:
    """The names that the enumerations in a declaration declare."""
    found, depth, is_inside = list[str](), 0, False
    for i, (before, word) in enumerate(pairwise(words), 1):
        if before == "{":
            is_inside = "enum" in words[max(i - 3, 0) : i]
            depth = 0
        depth += (before == "(") - (before == ")")
        if is_inside and depth == 0 and before in ("{", ",") and word.isidentifier():
            found.append(word)
        is_inside &= word != "}"
    return found


def _is_number(words: Sequence[str]) -> bool:
    """Whether an item is `static const float name = ...;` with one number, or with const after its type."""
    kind = {*words[1:3]} - {"const"}
    is_one = words[4:5] == ["="] and words[-1] == ";" and not {"{", ",", "="} & {*words[5:]}
    return words[0] == "static" and len(kind) == 1 and kind <= {"float", "double"} and is_one


def _declared(head: Sequence[str]) -> tuple[str, int]:
    """The name before the parameters, unless it is reserved, and the place after these."""
    depth, name = 0, ""
    for i, word in enumerate(head):
        if word == "(":
            if depth == 0 and i > 0 and head[i - 1].isidentifier() and not head[i - 1].startswith("_"):
                name = head[i - 1]
            depth += 1
        elif word == ")":
            depth -= 1
            if depth == 0 and name:
                return name, i + 1
    return "", 0
