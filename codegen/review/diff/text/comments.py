"""Separates comments from C in time that grows linearly with the text, whatever the text is."""

from __future__ import annotations

import re
from typing import NamedTuple


class Comment(NamedTuple):
    """A comment and the position at which it begins."""

    start: int
    text: str


class Separated(NamedTuple):
    """The C with blanks in place of comments, of the same length and with the same lines; the comments."""

    code: str
    comments: list[Comment]


_START = re.compile(r"/[*/]|[\"']")
_QUOTED = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?", re.DOTALL)
_NOT_A_LINE_END = re.compile(r"[^\n]")


def separate(text: str) -> Separated:
    """Separate comments from code; a comment without an end reaches to the end of the text."""
    parts, comments, done, at = list[str](), list[Comment](), 0, 0
    while found := _START.search(text, at):
        start = found.start()
        if found[0] in "\"'":
            quoted = _QUOTED.match(text, start)
            at = quoted.end() if quoted else start + 1
            continue
        close, size = ("*/", 2) if found[0] == "/*" else ("\n", 0)
        end = text.find(close, start + 2)
        at = len(text) if end < 0 else end + size
        comments.append(Comment(start, text[start:at]))
        parts += [text[done:start], _NOT_A_LINE_END.sub(" ", text[start:at])]
        done = at
    return Separated("".join([*parts, text[done:]]), comments)


_EDGES = re.compile(r"\A(?:/\*[*!]?<?|//[/!]?<?)|\*+/\Z|^[ \t]*\*(?!/)", re.MULTILINE)


def words(comment: str) -> str:
    """The text of a comment line by line, without its frame of asterisks."""
    return "\n".join(line.strip() for line in _EDGES.sub("", comment).split("\n"))
