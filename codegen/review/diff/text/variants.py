"""Finds what compilers see of a file for each outcome of the conditions within its functions.

A condition on a macro that nothing known defines, such as `#ifdef FC_TRACE`, may hold in one program and not
in another. A function is read where all of these variants mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from codegen.review.diff.text.directives import OF_DEFINITIONS, plain_words
from codegen.review.diff.text.lexing import Token

MOST = 3
"""Limit on the conditions of a file that are followed both ways."""

LONGEST = 200_000
"""Limit on the tokens of a file that is read in several variants."""

DEEPEST = 20
"""Limit on the conditions around a line."""

Lines = Sequence[Sequence[Token]]
_Condition = tuple[str, ...]


class _Branch(NamedTuple):
    """A branch: the line of its directive, its condition, and whether that must hold or must not."""

    at: int
    condition: _Condition
    holds: bool


class _Group(NamedTuple):
    """A condition with its branches, and the line of its #endif."""

    branches: tuple[_Branch, ...]
    end: int


def variants(lines: Lines) -> list[Lines]:
    """The lines for each outcome of the conditions within bodies, first where none of the macros is defined.

    Conditions elsewhere, and those that are not plain, stay as they are.
    """
    groups = _within_bodies(lines)
    conditions = list(dict.fromkeys(b.condition for g in groups.values() for b in g.branches if b.condition))
    if not conditions or len(conditions) > MOST or sum(map(len, lines)) > LONGEST:
        return [lines]
    outcomes = product((False, True), repeat=len(conditions))
    return [[*_taken(lines, groups, dict(zip(conditions, outcome, strict=True)))] for outcome in outcomes]


def named_in_conditions(lines: Lines) -> frozenset[str]:
    """The names on which conditions depend, apart from those that are defined where they are not yet."""
    found = set[str]()
    for line, following in zip(lines, [*lines[1:], []], strict=False):
        words = [t.text for t in line]
        if words[:2] in (["#", "if"], ["#", "ifdef"], ["#", "ifndef"], ["#", "elif"]):
            defined = [t.text for t in following[1:3]]
            found |= {w for w in words[2:] if w.isidentifier() and defined != ["define", w]}
    return frozenset(found - {"defined"})


def tests_in(lines: Lines) -> tuple[str, ...]:
    """The conditions of a file in their order."""
    words = ([t.text for t in line] for line in lines)
    return tuple(" ".join(w) for w in words if w[0] == "#" and w[1:] and w[1][:2] in ("if", "el"))


def _taken(
    lines: Lines, groups: Mapping[int, _Group], holds: Mapping[_Condition, bool]
) -> Iterator[Sequence[Token]]:
    """The lines that are left where each condition holds or does not."""
    skipped = set[int]()
    for start, group in groups.items():
        ends = [*(b.at for b in group.branches[1:]), group.end]
        taken = next((i for i, b in enumerate(group.branches) if _is_met(b, holds)), None)
        skipped |= {start, *ends}
        for i, (branch, end) in enumerate(zip(group.branches, ends, strict=True)):
            skipped |= set(range(branch.at, end)) if i != taken else set()
    return (line for at, line in enumerate(lines) if at not in skipped)


def _is_met(branch: _Branch, holds: Mapping[_Condition, bool]) -> bool:
    return not branch.condition or holds[branch.condition] is branch.holds


def _within_bodies(lines: Lines) -> dict[int, _Group]:
    """The groups within braces, each of whose branches is closed in itself, by their first lines."""
    groups = _groups(lines)
    plain = {start: g for start, g in groups.items() if _is_closed(lines, start, g, groups)}
    depth, found = list[str](), dict[int, _Group]()
    for at, line in enumerate(lines) if plain else ():
        if at in plain and depth and {*depth} == {"{"}:
            found[at] = plain[at]
        elif line[0].text != "#":
            for token in line:
                _follow(depth, token.text)
    return found


def _follow(depth: list[str], mark: str) -> bool:
    """Follow a bracket; False where it closes none that is open."""
    if mark in ("(", "[", "{"):
        depth.append(mark)
    elif mark in (")", "]", "}"):
        return bool(depth) and depth.pop() == {")": "(", "]": "[", "}": "{"}[mark]
    return True


def _is_closed(lines: Lines, start: int, group: _Group, groups: Mapping[int, _Group]) -> bool:
    """Whether each branch has no directive but conditions of this kind, and closes the brackets it opens."""
    for begin, end in pairwise((*(b.at for b in group.branches), group.end)):
        depth, at = list[str](), begin + 1
        while at < end:
            inner = groups.get(at)
            if lines[at][0].text == "#":
                if inner is None or not _is_closed(lines, at, inner, groups):
                    return False
                at = inner.end
            elif not all(_follow(depth, token.text) for token in lines[at]):
                return False
            at += 1
        if depth:
            return False
    return True


def _groups(lines: Lines) -> dict[int, _Group]:
    """The groups of plain conditions by their first lines."""
    found, opened = dict[int, _Group](), list[list[_Branch | None]]()
    for at, line in enumerate(lines):
        words = tuple(t.text for t in line[1:]) if line[0].text == "#" else ()
        kind = (*words, "")[0]
        if kind in ("if", "ifdef", "ifndef"):
            opened.append([_branch(at, words)])
            if len(opened) > DEEPEST:
                return {}
        elif kind in ("elif", "else") and opened:
            opened[-1].append(_branch(at, words))
        elif kind == "endif" and opened:
            branches = opened.pop()
            known = tuple(b for b in branches if b is not None)
            is_last = all(b.condition for b in known[:-1])
            if len(known) == len(branches) and len(words) == 1 and is_last:
                found[known[0].at] = _Group(known, at)
    return found


def _branch(at: int, words: tuple[str, ...]) -> _Branch | None:
    """A branch whose condition is plain; None for any other."""
    match plain_words(words if words[0] != "elif" else ("if", *words[1:])):
        case ("ifdef" | "ifndef" as kind, name):
            return _Branch(at, ("defined", name), kind == "ifdef")
        case ("else",):
            return _Branch(at, (), True)
        case ("if", *rest) if OF_DEFINITIONS.fullmatch(" ".join(rest)):
            return _Branch(at, tuple(rest), True)
    return None
