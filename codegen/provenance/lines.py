"""Parses a generated file into functions and statements with their line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_HEAD = re.compile(r"(?:static )?(?:inline )?(?:void|int|\w*status|\w+_angle_f(?:32|64)) (\w+)\(")
_COMMENT = re.compile(r"/\*.*?\*/")


class Span(NamedTuple):
    """A range of lines, counted from 1, with the symbol of its function or the text of its statement."""

    first: int
    last: int
    text: str

    def __contains__(self, line: object) -> bool:
        return isinstance(line, int) and self.first <= line <= self.last


def functions(lines: Sequence[str]) -> Iterator[Span]:
    """The functions that a file defines, from the first line of the head to the closing brace, by symbol."""
    head, opened, symbol = 0, False, ""
    for number, line in enumerate(lines, 1):
        if match := _HEAD.match(line):
            head, opened, symbol = number, False, match[1]
        opened = opened or line.startswith("{")
        if not opened and line.rstrip().endswith(";"):  # a prototype
            head = 0
        if head and line.startswith("}"):
            yield Span(head, number, symbol)
            head = 0


def statements(lines: Sequence[str], function: Span) -> Iterator[Span]:
    """The statements of a function's body, without line breaks and comments; braces end a statement, too."""
    opening = next(n for n in range(function.first, function.last + 1) if lines[n - 1].startswith("{"))
    first, text = 0, ""
    for number in range(opening + 1, function.last):
        line = _COMMENT.sub("", lines[number - 1]).strip()
        first = first if text else number
        text = f"{text} {line}".strip()
        if text.endswith((";", "{", "}")):
            yield Span(first, number, text)
            text = ""


def blocks(spans: Iterable[Span]) -> Iterator[Span]:
    """Each block with its head and all that is in its braces as one statement, inner ones first."""
    open_: list[list[Span]] = []
    for span in spans:
        for block in open_:
            block.append(span)
        if span.text.endswith("{"):
            open_.append([span])
        elif span.text == "}" and open_:
            block = open_.pop()
            yield Span(block[0].first, span.last, " ".join(s.text for s in block))
