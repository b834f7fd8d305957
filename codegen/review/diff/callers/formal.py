"""Comments that tell callers nothing: of a licence, of the directive before them, and requests to tools."""

from __future__ import annotations

import re
from collections.abc import Collection

from codegen.review.diff.text.comments import Comment, words

_END = re.compile(r"[ \t]*(?:#[ \t]*(?:endif|else)|\})[ \t]*", re.ASCII)
_INCLUDE = re.compile(r"[ \t]*#[ \t]*include[ \t]*(?:\"[^\"\n]*\"|<[^>\n]*>)[ \t]*")
_CONDITION = re.compile(r"#[ \t]*(?:if|ifdef|ifndef|define)\b([^\n]*)", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SIGNS = re.compile(r"[\s!()&|:.-]+", re.ASCII)
_OF_GUARDS = frozenset(
    (
        "end",
        "of",
        "the",
        "header",
        "include",
        "guard",
        "if",
        "ifdef",
        "ifndef",
        "defined",
        "not",
        "extern",
        "C",
    )
)


def is_about_guard(text: str, comment: Comment) -> bool:
    """Whether a comment behind #endif, #else or } only names the condition: `#endif /* FC_TYPES_H */`."""
    line = text.rfind("\n", 0, comment.start) + 1
    if not _END.fullmatch(text, line, comment.start):
        return False
    named = {name for found in _CONDITION.finditer(text) for name in _NAME.findall(found[1])}
    said = _SIGNS.sub(" ", words(comment.text).replace('"C"', "C")).split()
    return all(word in _OF_GUARDS or word in named for word in said)


def is_about_include(text: str, comment: Comment, known: Collection[str]) -> bool:
    """Whether a comment behind an #include only lists `known` names, for which a file is included."""
    line = text.rfind("\n", 0, comment.start) + 1
    named = _SIGNS.sub(" ", words(comment.text).replace(",", " ")).split()
    return _INCLUDE.fullmatch(text, line, comment.start) is not None and {*named} <= {*known, "for"}


_HOLDER = r"(?:[A-Z][\w.&'-]*|of|the|and|for|&|<?\w[\w.+-]*@\w[\w.-]*>?)"
_YEARS = r"(?:\d{4}(?: ?- ?\d{4})?,? )*"
_RIGHTS = r"All rights reserved\.?"
_LICENCE = r"[A-Z0-9][\w.+-]*"
_OF_TOOLS = re.compile(
    r"NOLINT(?:NEXTLINE|BEGIN|END)?(?:\([\w.*, -]+\))?|clang-format (?:on|off)"
    r"|cppcheck-suppress \[?\w+(?:, ?\w+)*\]?|LCOV_EXCL_(?:LINE|START|STOP)"
    r"|PRQA S [\d, ]+(?:\+\+|--)?|lint (?:[+-]e\(?\d+\)? ?)+|IWYU pragma: [\w ]+|coverity\[\w+(?: : \w+)?\]"
)
_COPYRIGHT = re.compile(
    rf"(?:Copyright(?: \([cC]\)| \u00a9)?|(?:\u00a9|\([cC]\))(?= \d{{4}})) {_YEARS}(?:by )?"
    rf"{_HOLDER}(?:,? {_HOLDER}){{0,7}}\.?(?: {_RIGHTS})?|{_RIGHTS}"
)
_LICENSED = re.compile(
    rf"SPDX-License-Identifier: \(?{_LICENCE}(?: (?:AND|OR|WITH) \(?{_LICENCE}\)?){{0,4}}"
    rf"|(?:Licensed|Released|Distributed) under the {_LICENCE}(?: {_LICENCE}){{0,3}}"
    r"(?: [Ll]icen[cs]e)?(?:, [vV]ersion \d[\d.]*)?\.?"
)
_LONGEST = 200
"""Limit on the characters of a line that is looked at."""


def other_licence(old: str, new: str) -> str:
    """How the identifier of a source file's licence differs; empty where it does not, or where none was."""
    before, after = (sorted(set(_IDENTIFIER.findall(text))) for text in (old, new))
    if not before or before == after:
        return ""
    named = f"the licence {', '.join(after)}" if after else "no licence"
    return f"states {named} instead of {', '.join(before)}"


_IDENTIFIER = re.compile(r"SPDX-License-Identifier:[ \t]*([^\n*]*[^\n*\s])")


def with_licences_apart(text: str) -> str:
    """The lines of a comment without those that say whose it is, or that ask tools for something.

    A licence is a paragraph of its own.
    """
    lines = list[str]()
    for line in text.split("\n"):
        if is_licence(line):
            lines += ["", line, ""]
        elif len(line) > _LONGEST or not (
            _COPYRIGHT.fullmatch(line.strip()) or _OF_TOOLS.fullmatch(line.strip())
        ):
            lines.append(line)
    return "\n".join(lines)


def is_licence(paragraph: str) -> bool:
    """Whether a paragraph only says under which licence a file stands."""
    return len(paragraph) <= _LONGEST and _LICENSED.fullmatch(paragraph.strip()) is not None
