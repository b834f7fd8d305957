"""Plain-text notation -> markup: `equation` texts as words, which wrap, and MathML.

`v_A = v_B + w t + u x t`: names with frames below, x and . for the two vector products, h~ for the matrix of
h x, q* for the conjugate, [[a, b], [c, d]] for a matrix. What cannot be parsed as mathematics stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from codegen.explain.book.formula import Token, formula
from codegen.notation.elements import math
from codegen.notation.layout import GREEK

_TOKEN = re.compile(
    r"""(?P<gap>\s*)(?:
      (?P<word>[A-Za-z]{3,}(?:'s|-[a-z]{2,})(?![A-Za-z]))
    | (?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)
    | (?P<name>[A-Za-z][A-Za-z0-9]*(?:\*?_[A-Za-z0-9]+)*)
    | (?P<symbol>\(x\)|\+-|->|<=|>=|!=|\.{2,}|\S)
    )""",
    re.VERBOSE,
)
_FUNCTIONS = frozenset(
    ("sin", "cos", "tan", "cot", "asin", "acos", "atan2", "exp", "log", "sqrt", "det", "diag", "abs", "min",
     "max", "crm", "crf", "skew")
)  # fmt: skip
_PROSE = frozenset(
    ("all", "and", "any", "are", "as", "at", "be", "both", "by", "else", "for", "from", "has", "in", "into",
     "is", "it", "its", "no", "not", "of", "on", "one", "or", "so", "that", "the", "then", "this", "to",
     "two", "with")
)  # fmt: skip
_OPERATORS = frozenset(("=", "+", "-", "+-", "/", "*", "^", "~", "<", ">", "<=", ">=", "!=", "(x)"))
_PUNCTUATION = frozenset(',;:&"')
_OPENING, _CLOSING = "([{", ")]}"
_BREAKS = frozenset(("=", "+", "-", "+-", "->", "<", ">", "<=", ">=", "!="))
"""Tokens before which a line may break."""

_DEEPEST = 30
"""Limit on the nesting of brackets in a formula."""


def notation(text: str) -> Markup:
    """The markup of a text in plain-text notation, a line for each of its lines."""
    return Markup("<br>").join(_line(line) for line in text.splitlines())


def paragraphs(text: str) -> Markup:
    """The markup of a docstring, whose lines are wrapped: a line for each paragraph."""
    return notation("\n".join(" ".join(part.split()) for part in text.split("\n\n")))


class _Piece(NamedTuple):
    """Groups of tokens: words, or a formula."""

    is_math: bool
    tokens: tuple[Token, ...]


def _line(text: str) -> Markup:
    found = Markup("")
    for piece in _pieces(_tokens(text)):
        gap = " " if found and piece.tokens[0].gap else ""
        shown = Markup(math(formula(piece.tokens))) if piece.is_math else escape(_words(piece.tokens))
        found += Markup("{}{}").format(gap, shown)
    return found


def _tokens(text: str) -> list[Token]:
    return [
        Token(str(match.lastgroup), match[str(match.lastgroup)], bool(match["gap"]))
        for match in _TOKEN.finditer(text)
    ]


def _words(tokens: Sequence[Token]) -> str:
    return "".join((" " if t.gap and k else "") + t.text for k, t in enumerate(tokens))


def _pieces(tokens: Sequence[Token]) -> Iterator[_Piece]:
    """Words and punctuation, and formulas split where a line may break."""
    start = i = 0
    while i < len(tokens):
        end = _group_end(tokens, i)
        if end is None or _is_text(tokens, i):
            yield from _formula(tokens[start:i])
            yield _Piece(False, (tokens[i],))
            start = i = i + 1
        elif i > start and tokens[i].text in _BREAKS and _is_operand(tokens[i - 1]):
            yield from _formula(tokens[start:i])
            start, i = i, i + 1
        else:
            i = end
    yield from _formula(tokens[start:])


def _formula(tokens: Sequence[Token]) -> Iterator[_Piece]:
    if tokens:
        yield _Piece(True, tuple(tokens))


def _is_operand(token: Token) -> bool:
    return token.kind != "symbol" or token.text in ")]}|~'*"


def _group_end(tokens: Sequence[Token], i: int) -> int | None:
    """The position after a token or bracketed group; None if unmatched, too deep or with words in it."""
    if tokens[i].text not in _OPENING:
        return None if tokens[i].text in _CLOSING else i + 1
    depth = 0
    for j in range(i, len(tokens)):
        depth += (tokens[j].text in _OPENING) - (tokens[j].text in _CLOSING)
        if depth == 0:
            return j + 1
        if depth > _DEEPEST or _is_word(tokens, j):
            return None
    return None


def _is_text(tokens: Sequence[Token], i: int) -> bool:
    """Whether a token at the top level is a word or punctuation."""
    token = tokens[i]
    ends = i + 1 == len(tokens) or tokens[i + 1].gap
    stops = token.text == "." and ends and not token.gap
    return stops or token.text in _PUNCTUATION or token.text.startswith("..") or _is_word(tokens, i)


def _is_word(tokens: Sequence[Token], i: int) -> bool:
    """Whether a token is a word: English, or long, or among words; never beside an operator."""
    token = tokens[i]
    if token.kind == "word" or token.text.lower() in _PROSE:
        return token.kind in ("word", "name")
    if token.kind != "name":
        return False
    if token.text in ("a", "A", "an"):
        return any(t.kind == "word" or _is_long(t) for t in tokens[i + 1 : i + 2])
    beside = [*tokens[max(i - 1, 0) : i], *tokens[i + 1 : i + 2]]
    if _OPERATORS.intersection(t.text for t in beside) or _in_product(tokens, i):
        return False
    lower = token.text.islower() or (i == 0 and token.text.istitle())
    short = len(token.text) == 3 and lower and token.text.isalpha() and not _is_name(token)
    return _is_long(token) or (short and any(_is_long(t) or t.text in _PROSE for t in beside))


def _in_product(tokens: Sequence[Token], i: int) -> bool:
    """Whether a dot joins a token to another one: axis.axis."""
    tied = [tokens[k : k + 3] for k in (i - 2, i) if k >= 0]
    return any(len(t) == 3 and t[1].text == "." and not t[1].gap and not t[2].gap for t in tied)


def _is_long(token: Token) -> bool:
    """Whether a token is too long to be a symbol: a word, or the name of a status flag."""
    if "_" in token.text:
        return token.text.isupper() and len(token.text) > 6
    return len(token.text) > 3 and token.text.isalpha() and not _is_name(token)


def _is_name(token: Token) -> bool:
    """Whether a token is mathematics: a function, a letter, a rate."""
    letter = token.text.removeprefix("d")
    return token.text in _FUNCTIONS or letter in GREEK or letter == "rpy"
