"""The names that the comments of a header describe: fields, types and macros."""

from __future__ import annotations

import re

from codegen.review.diff.comments import Comment

_DEFINED = re.compile(r"#[ \t]*define[ \t]+(\w+)")
_RECORD = re.compile(r"(?:typedef\s+)?(?:struct|union|enum)\b[^;{]{0,200}\{")
_CLOSED = re.compile(r"\s*(\w+)")
_DECLARED = re.compile(r"[^#;{},=\[(]*?(\w+)\s*[;{,=\[(]")

_STATEMENT, _BODY = 300, 20_000
"""Limits on the characters of a declaration, and of the members of a type."""


def described(code: str, comment: Comment, following: Comment | None) -> str:
    """The name that a comment describes; empty where it describes none.

    It is declared on the line of the comment, before it, or else next after it, with no other comment between
    them. `code` is the file with blanks in place of comments.
    """
    line, end = code.rfind("\n", 0, comment.start) + 1, comment.start + len(comment.text)
    begin = line if code[line : comment.start].strip() else end
    if begin == end and following and not code[end : following.start].strip():
        return ""
    statement = code[begin : begin + _BODY].lstrip()[:_BODY]
    if record := _RECORD.match(statement[:_STATEMENT]):
        close = statement.find("}", record.end())
        named = _CLOSED.match(statement, close + 1) if close >= 0 else None
    else:
        named = _DEFINED.match(statement) or _DECLARED.match(statement[:_STATEMENT])
    return named[1] if named else ""
