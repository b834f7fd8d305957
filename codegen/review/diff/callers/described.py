"""The names that the comments of a header describe: fields, types and macros."""

from __future__ import annotations

import re

from codegen.review.diff.text.comments import separate

_DEFINED = re.compile(r"#[ \t]*define[ \t]+(\w+)")
_RECORD = re.compile(r"(?:typedef\s+)?(?:struct|union|enum)\b\s*(\w*)[^;{]{0,200}\{")
_CLOSED = re.compile(r"\s*(\w+)")
_DECLARED = re.compile(r"[^#;{},=\[(]*?(\w+)\s*[;{,=\[(]")

_WORD = re.compile(r"\w")
_BLANK = re.compile(r"\s*?\n[ \t]*\n")

_STATEMENT, _BODY = 300, 20_000
"""Limits on the characters of a declaration, and of the members of a type."""


def described(text: str) -> list[str]:
    """The name that each comment of a file describes; empty where it describes none.

    It is declared on the line of the comment, before it, or else next after it, with no blank line between
    them; other comments may stand there, too.
    """
    code, comments = separate(text)
    names, follower, name = list[str](), len(text), ""
    for comment in reversed(comments):
        line, end = code.rfind("\n", 0, comment.start) + 1, comment.start + len(comment.text)
        if not _WORD.search(comment.text):  # a rule across the page stands between nothing
            names.append("")
            continue
        if code[line : comment.start].strip():
            name = _declared(code, line)
        elif _BLANK.match(text, end, follower):
            name = ""
        elif code[end:follower].strip() or follower == len(text):
            name = _declared(code, end)
        names.append(name)
        follower = comment.start
    return names[::-1]


def _declared(code: str, begin: int) -> str:
    """The name that the next declaration or macro gives a meaning."""
    statement = code[begin : begin + _BODY].lstrip()
    if record := _RECORD.match(statement[:_STATEMENT]):
        close = statement.find("}", record.end())
        named = _CLOSED.match(statement, close + 1) if close >= 0 else None
        if named is None and record[1]:
            named = re.search(rf"\btypedef\s+struct\s+{record[1]}\s+(\w+)\s*;", code)
    else:
        named = _DEFINED.match(statement) or _DECLARED.match(statement[:_STATEMENT])
    return named[1] if named else ""
