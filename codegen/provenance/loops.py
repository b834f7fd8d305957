"""Data flow of a routine: which arguments and status flags depend on each statement of its C.

Variables are followed by their names, whatever the order of statements in a loop: what a statement writes
depends on what it reads, and on the conditions of the blocks around it. What is skipped by a jump depends on
the conditions around that. What is written in a block that returns is not read outside of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codegen.emit.routine import RoutineFunction
from codegen.library import library
from codegen.library.routines import routines

_NAME = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"\b([a-z]\w*)\(")
_WRITTEN = re.compile(r"\*?([A-Za-z_]\w*)(?:\[[^=]*?\])?(?:\.\w+)*\s*(?:[-+*/|]?=(?!=)|\+\+|--)")


@dataclass
class _Part:
    """A statement: what it reads and writes, the blocks around it, and the statements in its own."""

    reads: set[str]
    writes: set[str]
    around: list[int]
    text: str
    inside: list[int] = field(default_factory=list)


def affected(f: RoutineFunction, texts: Sequence[str]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The arguments and the flags that depend on each statement, given the texts of all of them in order."""
    parts = _parts(f, texts)
    depends = _dependents(parts)
    found = []
    for part in parts:
        written = {*part.writes, *(w for k in part.inside for w in parts[k].writes)}
        if part.text.startswith("return"):
            written = set(_writes(f, part.text))
        reached = written if _is_final(parts, part) else _reached(written, depends)
        if _STATUS.search(part.text):
            reached |= {f.flag(flag.name or "") for flag in f.routine.failures}
        outputs = tuple(a.name for a in f.routine.outputs if a.name in reached)
        flags = tuple(flag.name or "" for flag in f.routine.failures if f.flag(flag.name or "") in reached)
        found.append((outputs, flags))
    return found


_STATUS = re.compile(r"status = \w+;|return status;")
"""The statements that begin and end a status, which may hold any flag."""


def _is_final(parts: Sequence[_Part], part: _Part) -> bool:
    """Whether a statement is in a block that ends with a return, or is a return: nothing reads it later."""
    last = (parts[head].inside[-2:] for head in part.around)
    return part.text.startswith("return") or any(
        parts[k].text.startswith("return")
        for ends in last
        for k in ends
        if parts[k].around == part.around[: len(parts[k].around)]
    )


def _parts(f: RoutineFunction, texts: Sequence[str]) -> list[_Part]:
    """The statements, with the jumps over others as writes of these."""
    parts: list[_Part] = []
    open_: list[int] = []
    for k, text in enumerate(texts):
        if text.startswith("}"):
            head = open_.pop()
        around = [*open_, head] if text.startswith("} else") else list(open_)
        parts.append(_Part(set(_NAME.findall(text)), set(_writes(f, text)), around, text))
        if text.endswith("{"):
            open_.append(k)
    for k, part in enumerate(parts):
        for head in part.around:
            parts[head].inside.append(k)
    for k, part in enumerate(parts):
        part.writes |= {w for j in _skipped(parts, k) for w in parts[j].writes}
    return parts


def _skipped(parts: Sequence[_Part], k: int) -> Iterable[int]:
    """The statements that a jump may skip: of its loop, or all that follow."""
    text, around = parts[k].text, parts[k].around
    if text in ("break;", "continue;"):
        loop = next(j for j in reversed(around) if parts[j].text.startswith(("for", "while")))
        return parts[loop].inside
    return range(k + 1, len(parts)) if text.startswith("return") and around else ()


def _writes(f: RoutineFunction, text: str) -> Iterator[str]:
    """The names of what a statement writes, with those of the flags that it raises."""
    yield from (m[1] for m in _WRITTEN.finditer(text) if m[1] != "status")
    for flag in f.routine.failures:
        if f.flag(flag.name or "") in text and text.startswith(("return", "status")):
            yield f.flag(flag.name or "")
    for name, arguments in _calls(text):
        called = next((c for c in f.routine.calls if f.symbol_of(c) == name), "")
        if called in routines():
            items = routines()[called].arguments
            written = [a for a, item in zip(arguments, items, strict=True) if item.direction != "in"]
        elif called:
            written = arguments[len(library()[called].inputs) :]
            if text.startswith("status"):
                yield from (f.flag(flag.name or "") for _, flag in library()[called].program().status)
        else:
            continue
        yield from (_NAME.findall(a)[0] for a in written)


def _calls(text: str) -> Iterator[tuple[str, list[str]]]:
    """The names of the functions that are called, with their arguments."""
    for call in _CALL.finditer(text):
        depth, arguments = 0, [""]
        for letter in text[call.end() :]:
            depth += (letter in "([") - (letter in ")]")
            if depth < 0:
                break
            if letter == "," and depth == 0:
                arguments.append("")
            else:
                arguments[-1] += letter
        yield call[1], arguments


def _dependents(parts: Sequence[_Part]) -> Mapping[str, set[str]]:
    """For each name, those of what is computed from it, or where it is a condition."""
    found: dict[str, set[str]] = defaultdict(set)
    for part in parts:
        for name in part.reads.union(*(parts[head].reads for head in part.around)):
            found[name] |= part.writes
    return found


def _reached(names: set[str], depends: Mapping[str, set[str]]) -> set[str]:
    found, waiting = set(names), list(names)
    for name in waiting:
        more = depends.get(name, set()) - found
        found |= more
        waiting += sorted(more)
    return found
