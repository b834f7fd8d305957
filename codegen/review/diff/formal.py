"""Comments that tell callers nothing: whose text it is, and which directive another one belongs to."""

from __future__ import annotations

import re

from codegen.review.diff.comments import Comment, words

_END = re.compile(r"[ \t]*#[ \t]*(?:endif|else)[ \t]*", re.ASCII)
_CONDITION = re.compile(r"#[ \t]*(?:if|ifdef|ifndef|define)\b([^\n]*)", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SIGNS = re.compile(r"[\s!()&|:.-]+", re.ASCII)
_OF_GUARDS = frozenset("end of the header include guard if ifdef ifndef defined not extern C".split())


def is_about_guard(text: str, comment: Comment) -> bool:
    """Whether a comment behind #endif or #else only names the condition: `#endif /* FC_TYPES_H */`."""
    line = text.rfind("\n", 0, comment.start) + 1
    if not _END.fullmatch(text, line, comment.start):
        return False
    named = {name for found in _CONDITION.finditer(text) for name in _NAME.findall(found[1])}
    said = _SIGNS.sub(" ", words(comment.text).replace('"C"', "C")).split()
    return all(word in _OF_GUARDS or word in named for word in said)


_HOLDER = r"(?:[A-Z][\w.&'-]*|of|the|and|for|&|<?\w[\w.+-]*@\w[\w.-]*>?)"
_YEARS = r"(?:\d{4}(?: ?- ?\d{4})?,? )*"
_RIGHTS = r"All rights reserved\.?"
_LICENCE = r"[A-Z0-9][\w.+-]*"
_LEGAL = re.compile(
    rf"SPDX-License-Identifier: \(?{_LICENCE}(?: (?:AND|OR|WITH) \(?{_LICENCE}\)?){{0,4}}"
    rf"|(?:Copyright(?: \([cC]\)| \u00a9)?|\u00a9|\([cC]\)) {_YEARS}(?:by )?"
    rf"{_HOLDER}(?:,? {_HOLDER}){{0,7}}\.?(?: {_RIGHTS})?"
    rf"|{_RIGHTS}"
    rf"|(?:Licensed|Released|Distributed) under the {_LICENCE}(?: {_LICENCE}){{0,3}}"
    r"(?: [Ll]icen[cs]e)?(?:, [vV]ersion \d[\d.]*)?\.?"
)
_LONGEST = 200
"""Limit on the characters of a line that is looked at."""


def without_legal(text: str) -> str:
    """The lines of a comment without those that only say whose the file is, or under which licence."""
    return "\n".join(line for line in text.split("\n") if not _is_legal(line.strip()))


def _is_legal(line: str) -> bool:
    return len(line) <= _LONGEST and _LEGAL.fullmatch(line) is not None
