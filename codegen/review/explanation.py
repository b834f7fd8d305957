"""What helps a reviewer to judge a change: the statements and equations it touches, units, callers."""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import NamedTuple

from codegen.provenance.trace import SIDECAR, equations_of
from codegen.review.callers import Calls
from codegen.review.diff.changes import Change, ChangeClass, SourceTree
from codegen.review.diff.compare import Both
from codegen.review.diff.declared import Quantity
from codegen.review.diff.text.flags import Flags
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source


class Edit(NamedTuple):
    """Statements of a function that were replaced: their text and first lines, and the equations they serve.

    A side without statements has an empty text.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    old_line: int
    new_line: int
    equations: tuple[str, ...]

    @property
    def in_any_precision(self) -> tuple[list[str], list[str]]:
        """Both sides as they are the same in float and in double.

        Types and suffixes do not count, nor do numbers where all stay, such as the epsilon of each precision.
        """
        old, new = ([_SUFFIX.sub("", text) for text in side] for side in (self.old, self.new))
        number = _mark if _numbers(old) == _numbers(new) else _rounded
        return [_NUMBER.sub(number, text) for text in old], [_NUMBER.sub(number, text) for text in new]


_NUMBER = re.compile(r"(?<![\w.])[0-9][0-9.]*(?:[eE][+-]?[0-9]+)?")
_SUFFIX = re.compile(
    r"(?<=[0-9.])F\b|(?<=[a-z0-9])f(?=\()|_f(?:32|64)\b|\b(?:float|double)\b|\b(?:FLT|DBL)(?=_)"
)
"""What a statement in float and the same one in double differ by, besides the digits of numbers."""


def _numbers(side: Sequence[str]) -> list[str]:
    return [number for text in side for number in _NUMBER.findall(text)]


def _mark(_: re.Match[str]) -> str:
    return "#"


def _rounded(number: re.Match[str]) -> str:
    """A number as a float has it."""
    try:
        return struct.pack("f", float(number[0])).hex()
    except (ValueError, OverflowError):  # 1.2.3, which no compiler reads, and numbers that only double has
        return number[0]


@dataclass(frozen=True)
class Explanation:
    """The statements of a function that differ, its arguments as the manifest has them, and its callers.

    `callers` are functions of the tree, and places in other sources as `path:line`; `flags` the names of
    status values in the old and in the new tree.
    """

    edits: tuple[Edit, ...] = ()
    arguments: Mapping[str, Quantity] = field(default_factory=dict)
    callers: tuple[str, ...] = ()
    flags: tuple[Flags, Flags] = ({}, {})


LONGEST = 2_000
"""Limit on the statements of a function that is compared statement by statement."""


def explanations(changes: Sequence[Change], trees: Both, elsewhere: Calls) -> list[Explanation]:
    """The explanation of each change; one of an unchanged function, or of a file, says nothing."""
    known = [_equations(files) for files in (trees.old, trees.new)]
    callers = _callers(trees.sources[1])
    return [_explanation(change, trees.sources, known, callers, elsewhere) for change in changes]


_SILENT = (ChangeClass.IDENTICAL, ChangeClass.COSMETIC)


def _explanation(
    change: Change,
    sources: tuple[Source, Source],
    known: Sequence[Mapping[str, Mapping[str, tuple[str, ...]]]],
    callers: Mapping[str, set[str]],
    elsewhere: Calls,
) -> Explanation:
    symbol = change.symbol
    if change.kind in _SILENT or symbol == change.path:
        return Explanation()
    within = sorted(callers.get(symbol, ()))
    places = elsewhere.of(change.old_symbol or symbol) + (elsewhere.of(symbol) if change.old_symbol else ())
    items = [source.functions.get(symbol, []) for source in sources]
    quantities = sources[1].quantities.get(symbol) or sources[0].quantities.get(symbol, {})
    flags = (sources[0].flags, sources[1].flags)
    if len(items[0]) != 1 or len(items[1]) != 1:
        return Explanation((), quantities, (*within, *places), flags)
    serves = [
        _Served(side.get(symbol, {}), source.told.get(symbol, {}).get("the equation", ""))
        for side, source in zip(known, sources, strict=True)
    ]
    return Explanation(tuple(_edits(items[0][0], items[1][0], serves)), quantities, (*within, *places), flags)


def _callers(source: Source) -> dict[str, set[str]]:
    """The functions of a tree that call each one, directly or not."""
    direct = dict[str, set[str]]()
    for symbol in source.functions:
        for called in source.calls(symbol):
            direct.setdefault(called, set()).add(symbol)
    return {symbol: _above(symbol, direct) for symbol in direct}


def _above(symbol: str, direct: Mapping[str, set[str]]) -> set[str]:
    found, open_ = set[str](), [symbol]
    while open_:
        for caller in direct.get(open_.pop(), ()):
            if caller not in found:
                found.add(caller)
                open_.append(caller)
    return found


# Statements


class _Statement(NamedTuple):
    line: int
    text: str


def _edits(old: Item, new: Item, serves: Sequence[_Served]) -> Iterator[Edit]:
    """The statements that differ, where both bodies have few enough of them."""
    before, after = ([] if old.code == new.code else list(_statements(item)) for item in (old, new))
    if max(len(before), len(after)) > LONGEST:
        return
    matcher = SequenceMatcher(None, [s.text for s in before], [s.text for s in after], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            gone, come = before[a:b], after[c:d]
            texts = [(s.text, side) for side, part in zip(serves, (gone, come), strict=True) for s in part]
            equations = dict.fromkeys(e for text, side in texts for e in side.of(text))
            yield Edit(
                tuple(s.text for s in gone),
                tuple(s.text for s in come),
                gone[0].line if gone else 0,
                come[0].line if come else 0,
                tuple(equations),
            )


def _statements(item: Item) -> Iterator[_Statement]:
    """The statements of a function's body, each on one line; a brace ends a statement, too."""
    code = item.code[item.code.find("{") + 1 : item.code.rfind("}")]
    line = item.line + item.code[: item.code.find("{") + 1].count("\n")
    depth, start = 0, 0
    for found in _MARK.finditer(code):
        mark = found[0]
        depth += (mark == "(") - (mark == ")")
        if mark in "{}" or (mark == ";" and depth <= 0):
            text = code[start : found.end()]
            blank = len(text) - len(text.lstrip())
            yield _Statement(line + text.count("\n", 0, blank), " ".join(text.split()))
            line += text.count("\n")
            start = found.end()


_MARK = re.compile(r"[(){};]")
"""Where a statement may end, or a parenthesis begins or ends."""


# Equations


@dataclass(frozen=True)
class _Served:
    """The equations of a function: those of each statement if there is a trace, else all of them."""

    traced: Mapping[str, tuple[str, ...]]
    equation: str

    def of(self, statement: str) -> tuple[str, ...]:
        """The equations that a statement serves; without a trace, the one for the value that it names.

        That is the value of the same name, or the vector or matrix of which it is an element.
        """
        if self.traced:
            return self.traced.get(statement, ())
        name = statement.partition(" =")[0].rpartition(" ")[2].lstrip("*")
        parts = [part.strip() for part in self.equation.split(";")]
        for whole in (name, _MEMBER.sub("", name), _ELEMENT.sub("", name)):
            if found := tuple(p for p in parts if p.partition("=")[0].strip() == whole):
                return found
        return ()


_MEMBER = re.compile(r"(?:->|\.|\[).*")
_ELEMENT = re.compile(r"_(?:[wxyz]{1,2}|[0-9]{1,2})\Z")
"""What stands behind the name of a struct or array, and of a vector or matrix in a name of its element."""


def _equations(files: SourceTree) -> dict[str, dict[str, tuple[str, ...]]]:
    """For each function and statement, the equations it serves, as the trees' traces say."""
    found = dict[str, dict[str, tuple[str, ...]]]()
    for path, content in files.items():
        if posixpath.basename(path) == SIDECAR:
            found |= equations_of(content)
    return found
