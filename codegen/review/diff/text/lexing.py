"""Splits C into tokens as gcc and clang do: spliced lines, comments, literals (C99 5.1.1.2, phases 1 to 3).

What compilers do not agree on is refused: trigraphs, which depend on -std, and a backslash before blanks at
the end of a line, which only some compilers take for a splice.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from codegen.review.diff.changes import Unreadable

LARGEST = 4_000_000
"""Limit on the characters of a file."""


class Broken(Exception):
    """A file that cannot be read any further; its argument is an Unreadable."""


class Token(NamedTuple):
    """A token: its text, that of a digraph as it is usually written, and where it stands in the file."""

    text: str
    line: int
    start: int
    end: int


def decoded(path: str, content: str | bytes) -> str:
    """The text of a file, without a byte order mark and with plain line breaks; raises Broken."""
    if len(content) > LARGEST:
        raise Broken(Unreadable(path, 1, f"the file is larger than {LARGEST // 1_000_000} MB"))
    try:
        text = content if isinstance(content, str) else content.decode()
    except UnicodeDecodeError:
        raise Broken(Unreadable(path, 1, "the file is not UTF-8 text")) from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def lines_of_tokens(path: str, text: str) -> list[list[Token]]:
    """The tokens of each line that has some, in order; a splice ends no line. Raises Broken."""
    return _Lexer(path, text).lines()


_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\r]")
_SPLICE = re.compile(r"\\([ \t\f\v]*)\n")
_TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")
# The body of a possessive group must not fail after its first character: before Python 3.11.5, that is lost.
_TOKEN = re.compile(
    r"[ \t\f\v]*+(?:(?P<end>\n)|(?P<comment>/\*.*?\*/)|(?P<line>//[^\n]*+)"
    r"|(?P<open>/\*)"
    r"|(?P<name>[A-Za-z_]\w*+)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*+)"
    r'|(?P<literal>"(?:\\.|[^"\\\n])*+"|\'(?:\\.|[^\'\\\n])*+\')'
    r"|(?P<digraph>%:%:|<[:%]|[:%]>|%:)"
    r"|(?P<sign>>>=|<<=|\.\.\.|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^=<>!]=|##|[-+*/%&|^=<>!~?:;,.(){}\[\]#])"
    r"|(?P<rest>))",
    re.ASCII | re.DOTALL,
)
_NO_NUMBER = re.compile(r"0[xX][^pP]*[+-].*|(?!0[xX])[.\d][^eE]*[pP][+-].*")
"""What compilers read as one number, and then refuse: 0xe+1."""

_REASONS = {
    "open": "an unterminated comment",
    "literal": "a literal with a prefix",
    "number": "a number that is none",
}
_DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#", "%:%:": "##"}


class _Lexer:
    """One file."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.breaks = [m.start() for m in re.finditer("\n", text)]
        self.cuts: list[int] = []  # where the spliced text continues after each splice
        self.removed = [0]  # how much was removed before
        self.doubtful: list[int] = []  # in the spliced text, splices that are none for all compilers
        parts, done = list[str](), 0
        for splice in _SPLICE.finditer(text):
            parts.append(text[done : splice.start()])
            done = splice.end()
            self.removed.append(self.removed[-1] + len(splice[0]))
            self.cuts.append(done - self.removed[-1])
            if splice[1]:
                self.doubtful.append(self.cuts[-1])
        self.spliced = "".join([*parts, text[done:]])

    def lines(self) -> list[list[Token]]:
        """The tokens in lines; raises Broken where compilers may see others."""
        if control := _CONTROL.search(self.text):
            raise self._broken(control.start(), "the file holds control characters")
        lines: list[list[Token]] = [[]]
        comments, line, named = list[tuple[int, int]](), 1, -1  # `named` is where the last name ends
        for found in _TOKEN.finditer(self.spliced):
            kind = found.lastgroup or ""
            start, end = found.span(kind)
            if kind in ("name", "number", "sign", "literal", "digraph"):
                if kind == "name":
                    named = end
                elif (kind == "literal" and named == start) or _NO_NUMBER.fullmatch(found[kind]):
                    raise self._refused(start, kind)
                if self.cuts:
                    start, end = self._place(start), self._place(end - 1) + 1
                    line = self._line(start)
                text = _DIGRAPHS[found[kind]] if kind == "digraph" else found[kind]
                lines[-1].append(Token(text, line, start, end))
            elif kind == "end":
                line += 1
                if lines[-1]:
                    lines.append([])
            elif kind == "comment":
                comments.append((start, end))
                line += self.spliced.count("\n", start, end)
            elif kind != "line" and start < len(self.spliced):
                raise self._refused(start, kind)
        self._check_agreement(comments)
        return lines if lines[-1] else lines[:-1]

    def _refused(self, at: int, kind: str) -> Broken:
        reason = _REASONS.get(kind, f"the character {self.spliced[at]!r} in code")
        return self._broken(self._place(at), reason)

    def _check_agreement(self, comments: list[tuple[int, int]]) -> None:
        """Refuse what compilers disagree on, but in comments in which it does not matter."""
        starts = [start for start, _ in comments]

        def matters(at: int) -> bool:
            i = bisect_right(starts, at) - 1
            return i < 0 or not starts[i] < at < comments[i][1]

        for at in filter(matters, self.doubtful):
            raise self._broken(self._place(at) - 1, "a backslash and blanks at the end of a line")
        for found in _TRIGRAPH.finditer(self.spliced):
            if found[0] == "??/" or matters(found.start()):
                raise self._broken(self._place(found.start()), "a trigraph")

    def _place(self, at: int) -> int:
        """The place in the file of a place in the spliced text."""
        return at + self.removed[bisect_right(self.cuts, at)]

    def _line(self, place: int) -> int:
        return bisect_left(self.breaks, place) + 1

    def _broken(self, place: int, reason: str) -> Broken:
        return Broken(Unreadable(self.path, self._line(place), reason))
