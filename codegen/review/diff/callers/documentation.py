"""What callers are told of a function or a file besides its C: units, frames, preconditions, equations.

It stands in the comments of headers and in the manifest. Articles, capitals at the beginning of a word, the
arrangement of lines and the statement of cost, which the C itself makes, are no part of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from codegen.review.diff.callers.described import described
from codegen.review.diff.callers.formal import (
    is_about_guard,
    is_about_include,
    is_licence,
    with_licences_apart,
)
from codegen.review.diff.declared import comparable
from codegen.review.diff.text.comments import Comment, separate, words
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source

_TAG = re.compile(r"[@\\](\w+)(?:\[([\w,]*)\]| \[(in|out|in,out)\])?\s*")
_SAME_TAGS = {"returns": "return", "result": "return"}
_OPERATIONS = r"(?:copies only|\d+ \w+(?:, \d+ \w+)*)"
_COST = re.compile(rf"Cost: {_OPERATIONS}(?:, (?:with|and) \d+ turns of {_OPERATIONS})*\.")
_ARTICLE = re.compile(r"\b(?:[Tt]he|[Aa]n) ")  # but not "a ", which may be a variable or a frame
_CAPITAL = re.compile(r"\b[A-Z](?=[a-z]{2})")
_STOPPED = re.compile(r"[\w)\]]\.\Z")

LONGEST = 90
"""Limit on the characters of a quotation in an explanation."""


ORDER = "the order of the arguments"
FRAMES = "the frame in the names of arguments"

_DIRECTION = "the direction of "


def is_direction(what: str) -> bool:
    """Whether a statement says that an argument is an input or an output."""
    return what.startswith(_DIRECTION)


class Difference(NamedTuple):
    """What is said of something in the old and in the new tree; empty where nothing is."""

    what: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.what} is {_quoted(self.new, self.old)} instead of {_quoted(self.old, self.new)}"


def contract_changes(symbol: str, old: Source, new: Source) -> list[str]:
    """What the documentation of a function says otherwise in the new tree, one line for each difference."""
    return [str(difference) for difference in contract_differences(symbol, old, new)]


def contract_differences(symbol: str, old: Source, new: Source) -> list[Difference]:
    """What the documentation of a function says otherwise, by what it describes: `argument x`, `@pre`."""
    before, after = (_documented(source, symbol) for source in (old, new))
    known = _with_names(before, list(after))
    directions = {what for what in known.keys() ^ after.keys() if is_direction(what)}  # stated by one only
    told = ({w: text for w, text in side.items() if w not in directions} for side in (known, after))
    found = [*_differences(*told), *_named_otherwise(symbol, old, new)]
    return found or manifest_differences(symbol, old, new)  # the comments are written from it


def _named_otherwise(symbol: str, old: Source, new: Source) -> Iterator[Difference]:
    """The names of the arguments in a declaration, where these are in another order or have other frames.

    `q_AB` transforms coordinates from B to A, and q_BA back. Of a name without a frame, none is known.
    """
    before, after = (declared_names(symbol, source) for source in (old, new))
    if before != after and sorted(before) == sorted(after):
        yield Difference(ORDER, ", ".join(before), ", ".join(after))
    elif len(before) == len(after):
        framed = [
            (a, b)
            for a, b in zip(before, after, strict=True)
            if _frames(a) and _frames(b) not in ([], _frames(a))
        ]
        if framed:
            was, is_ = (", ".join(names) for names in zip(*framed, strict=True))
            yield Difference(FRAMES, was, is_)


def _frames(name: str) -> list[str]:
    return _FRAME.findall(name)


_FRAME = re.compile(r"_([A-Z]{1,2})(?=_|\Z)")
"""A frame, or two, in the name of an argument: that of v_B, those of q_AB."""


def declared_names(symbol: str, source: Source) -> list[str]:
    """The names of the parameters, in the order in which a header gives them to callers."""
    declared = [*source.prototypes.get(symbol, ()), *source.functions.get(symbol, ())]
    shown = [i for i in declared if i.path.endswith(".h")] or declared
    words = shown[0].tokens if shown else []
    if "(" not in words or ")" not in words:
        return []
    listed = " ".join(words[words.index("(") + 1 : words.index(")")]).split(" , ")
    return [name for part in listed for name in re.findall(r"\w+", part.partition("[")[0])[-1:]]


def manifest_differences(symbol: str, old: Source, new: Source) -> list[Difference]:
    """What the manifests say otherwise of a function; nothing where one of them does not know it.

    Those of earlier versions state no kinds and preconditions; the comments state the preconditions. An
    entry that is damaged in the new one no longer states anything.
    """
    before, after = old.told.get(symbol), new.told.get(symbol)
    if not before or after is None:
        return []
    known = _with_names(before, list(after))
    return list(_differences(known, comparable(known, after)))


def _differences(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Difference]:
    for what in dict.fromkeys((*old, *new)):
        a, b = old.get(what, ""), new.get(what, "")
        if _essence(a) != _essence(b):
            yield Difference(what, a, b)


def _essence(text: str) -> str:
    """The text without what has no meaning, as the full stop at its end."""
    plain = _ARTICLE.sub("", " ".join(text.split()))
    return _CAPITAL.sub(lambda found: found[0].lower(), plain[:-1] if _STOPPED.search(plain) else plain)


def _quoted(text: str, other: str) -> str:
    """The text in quotation marks, a long one from shortly before the first difference."""
    if not text:
        return "not stated"
    first = next((i for i, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), 0)
    start = max(0, first - LONGEST // 2) if len(text) > LONGEST else 0
    shown = text[start : start + LONGEST]
    return f'"{"..." if start else ""}{shown}{"..." if start + LONGEST < len(text) else ""}"'


# Comments of a function


def _documented(source: Source, symbol: str) -> dict[str, str]:
    """The parts of a function's documentation, by what they describe."""
    found: dict[str, list[str]] = {}
    for item in source.written(symbol):
        for comment in _of_callers(item):
            for what, text in _parts(words(comment.text)):
                found.setdefault(what, []).append(text)
    return {what: " / ".join(dict.fromkeys(texts)) for what, texts in found.items()}


def stated_cost(symbol: str, source: Source) -> str:
    """The operations that the documentation of a function states as its cost; empty where it states none."""
    comments = (c for item in source.written(symbol) for c in _of_callers(item))
    found = (_COST.search(" ".join(words(c.text).split())) for c in comments)
    return next((cost[0].removeprefix("Cost: ").removesuffix(".") for cost in found if cost), "")


def _of_callers(item: Item) -> list[Comment]:
    """The comments of a declaration in a header; those for documentation before others and definitions."""
    code, comments = separate(item.text)
    body = code.find("{") if "{" in item.code else len(code)
    is_shown = "{" not in item.code and item.path.endswith(".h")
    own = [c for c in comments if c.start < body]
    return [c for c in own if is_shown or c.text.startswith(("/**", "/*!", "///", "//!"))]


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a comment: each argument, each tag, each paragraph before the first tag."""
    what, lines = _DESCRIPTION, list[str]()
    for line in [*text.split("\n"), "@"]:
        tag = _TAG.match(line)
        if tag and tag[1] in _DESCRIBING and what == _DESCRIPTION:
            lines.append(line[tag.end() :])
            continue
        remark = next((r for r in _REMARKS if line.startswith(r)), "")
        if not (tag or remark or line.startswith("@")):
            lines.append(line)
            continue
        if said := _COST.sub("", " ".join(" ".join(lines).split())).strip():
            yield from _fixed(said) if what == _FIXED else [(what, said)]
        what, lines = _REMARKS.get(remark, _REMARK), [line.removeprefix(remark) if remark in _TOLD else line]
        if tag and tag[1] == "param":
            name, _, rest = line[tag.end() :].partition(" ")
            what, lines = f"argument {name}", [_DASH.sub("", rest)]
            if direction := tag[2] or tag[3]:
                yield f"{_DIRECTION}{name}", direction
        elif tag:
            what, lines = f"@{_SAME_TAGS.get(tag[1], tag[1])}", [line[tag.end() :]]


def _fixed(text: str) -> Iterator[tuple[str, str]]:
    """The arguments with a fixed value: `dt = 0.01, m = 2.`; a text of another kind as it is."""
    values = [part.partition(" = ") for part in text.removesuffix(".").split(", ")]
    if all(name and value for name, _, value in values):
        yield from ((f"{name}, fixed when generated,", value) for name, _, value in values)
    else:
        yield _FIXED, text


_REMARK, _FIXED = "the remark", "what is fixed when generated"
_TOLD = {
    "Vehicle: ": "the vehicle",
    "Fixed when generated (SI units): ": _FIXED,
    "Constants, as initialisers of arrays: ": "the list of constants",
    "Looks up the tables ": "the list of tables that are looked up",
}
_REMARKS = {"Cost: ": _REMARK, "Source: ": _REMARK, **_TOLD}
"""How the remarks begin that follow the arguments and the flags, and what each describes."""

_DASH = re.compile(r"\A\s*-{1,2}\s+(?=[A-Za-z][a-z]{2})")
"""A dash between the name of a parameter and its description, which begins with a word."""
_DESCRIPTION = "the description"
_DESCRIBING = ("brief", "details", "short")
"""Tags before what is the description without them, too."""
_BEGINNING = re.compile(rf"\A[@\\](?:{'|'.join(_DESCRIBING)}) ")


def _with_names(old: dict[str, str], new: Sequence[str]) -> dict[str, str]:
    """The old documentation with the new names of arguments, where all of them keep their places."""
    before, after = ([w for w in side if w.startswith("argument ")] for side in (old, new))
    if len(before) != len(after) or sorted(before) == sorted(after):
        return old
    names = {a.partition(" ")[2]: b.partition(" ")[2] for a, b in zip(before, after, strict=True)}
    known = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    return {_renamed(known, names, what): _renamed(known, names, text) for what, text in old.items()}


def _renamed(known: re.Pattern[str], names: Mapping[str, str], text: str) -> str:
    return known.sub(lambda found: names[found[0]], text)


# Comments of a file


_CAPACITY = re.compile(r"\s*#ifndef (\w+)\n#define \1 \d{1,9}\n#endif\n", re.ASCII)
_OF_CAPACITY = "the capacity "


def is_capacity(what: str) -> bool:
    """Whether a statement describes a number of elements that a program may define otherwise."""
    return what.startswith(_OF_CAPACITY)


class Said(NamedTuple):
    """A paragraph of a comment, its line in the file, what it describes, and the name of that, if any."""

    line: int
    text: str
    what: str
    name: str


def file_changes(old: str, new: str, own: tuple[Iterable[Item], Iterable[Item]]) -> list[tuple[int, str]]:
    """What the comments of a header say otherwise, except those of functions: line and explanation."""
    return [(line, _explained(difference)) for line, difference in file_differences(old, new, own)]


def _explained(said: Difference) -> str:
    if said.old and said.new:
        return f"says {_quoted(said.new, said.old)} instead of {_quoted(said.old, said.new)}"
    return (
        f"says {_quoted(said.new, '')}, which is new"
        if said.new
        else f"no longer says {_quoted(said.old, '')}"
    )


def file_differences(
    old: str, new: str, own: tuple[Iterable[Item], Iterable[Item]]
) -> list[tuple[int, Difference]]:
    """The paragraphs of a header's comments that differ, with lines, except those of functions `own`.

    A licence where none was before tells callers nothing of what they call.
    """
    known = set.intersection(*(set(_WORD.findall(separate(text).code)) for text in (old, new)))
    gone, added = _unmatched(
        *(_paragraphs(text, items, known) for text, items in zip((old, new), own, strict=True))
    )
    if not any(is_licence(said.text) for said in gone):
        added = [said for said in added if not is_licence(said.text)]
    if len(gone) == len(added):
        pairs = zip(gone, added, strict=True)
        return [(b.line, Difference(_common(a.what, b.what), a.text, b.text)) for a, b in pairs]
    return [(1, Difference(a.what, a.text, "")) for a in gone] + [
        (b.line, Difference(b.what, "", b.text)) for b in added
    ]


def _unmatched(old: Sequence[Said], new: Sequence[Said]) -> list[list[Said]]:
    """The paragraphs of each side that the other side does not say, or says of something else.

    The text of those that are only said of something else begins with the name of what they describe.
    """
    keys = [[(_essence(said.text), said.name) for said in side] for side in (old, new)]
    counts = [Counter(side) for side in keys]
    alone = counts[0] - counts[1], counts[1] - counts[0]
    moved = {text for text, _ in alone[0]} & {text for text, _ in alone[1]}
    return [
        [
            said._replace(text=f"{said.name or 'the file'}: {said.text}") if key[0] in moved else said
            for said, key in zip(side, own, strict=True)
            if key in counted
        ]
        for side, own, counted in zip((old, new), keys, alone, strict=True)
    ]


_HEADER = "the header"


def _common(one: str, other: str) -> str:
    return one if one == other else _HEADER


_WORD = re.compile(r"\w+")

_NO_STATEMENT = ("Functions: ", "Generated by featherc; do not edit")
_NAMES_FILE = re.compile(r"[@\\]file(?: [\w./-]+)?|[@\\](?:ingroup|addtogroup) \w+", re.ASCII)
"""What only tells doxygen of which file or group a comment is."""


def _paragraphs(text: str, functions: Iterable[Item], known: Collection[str]) -> list[Said]:
    """The paragraphs of a header's comments; names that are not known are left out."""
    of_functions = Counter(c.text for item in functions for c in separate(item.text).comments)
    found, line, at = list[Said](), 1, 0
    for comment, name in zip(separate(text).comments, described(text), strict=True):
        line += text.count("\n", at, comment.start)
        at = comment.start
        if of_functions[comment.text]:
            of_functions[comment.text] -= 1
            continue
        if is_about_guard(text, comment) or is_about_include(text, comment, known):
            continue
        capacity = _CAPACITY.match(text, comment.start + len(comment.text))
        what = f"{_OF_CAPACITY}{capacity[1]}" if capacity else _HEADER
        for paragraph in re.split(r"\n\n+", with_licences_apart(words(comment.text))):
            said = _BEGINNING.sub("", " ".join(paragraph.split()))
            if _WORD.search(said) and not said.startswith(_NO_STATEMENT) and not _NAMES_FILE.fullmatch(said):
                found.append(Said(line, said, what, name if name in known else ""))
    return found
