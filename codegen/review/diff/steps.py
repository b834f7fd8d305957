"""Compares routines with loops over arguments: whether two versions do the same, step by step.

They do if both return the same and leave the same in memory, written as operations on what was given, and the
new one leaves nothing undefined that the old one defines. Formulas in another order are not compared.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.choices import Choices
from codegen.review.diff.formulas import formula_called
from codegen.review.diff.items import Item
from codegen.review.diff.routines import Routine, read_routine
from codegen.review.diff.signature import type_meaning
from codegen.review.diff.source import Source
from codegen.review.diff.syntax import Refused


def other_routine(symbol: str, old: Source, new: Source) -> Unreadable | None:
    """Why two versions of a routine are not known to do the same; None if they are, if those they call are.

    Macros for which a build may define another number stand for any whole number.
    """
    items = [source.functions[symbol] for source in (old, new)]
    (before, *more), (after, *others) = items
    kept = old.own_adjustable(symbol) & new.own_adjustable(symbol)
    if more or others or before.others or after.others or old.adjustable(symbol) != new.adjustable(symbol):
        return Unreadable(after.path, after.line, "it has several forms, and loops or integers")
    declared = [[i.tokens for i in source.prototypes.get(symbol, ())] for source in (old, new)]
    if declared[0] != declared[1] or _types(symbol, old) != _types(symbol, new):
        return Unreadable(after.path, after.line, "its declaration, or a type or macro that it uses, differs")
    choices, routines = Choices(), list[Routine]()
    for item, source in ((before, old), (after, new)):
        try:
            routines.append(read_routine(item, source, choices, kept))
        except Refused as refusal:
            return Unreadable(item.path, item.line + max(refusal.line - 1, 0), refusal.reason)
        except RecursionError:
            return Unreadable(item.path, item.line, "it is nested too deeply")
    reason = _difference(routines[0], routines[1], choices)
    return Unreadable(after.path, _first_other_line(before, after), reason) if reason else None


def _difference(a: Routine, b: Routine, choices: Choices) -> str:
    """What is different in the second routine; empty where nothing is."""
    if a.types != b.types or (a.names != b.names and sorted(a.names) == sorted(b.names)):
        return "its parameters, or what it returns, are others"
    if a.done != b.done:
        return "its steps differ here, and steps with loops or integers are not compared as formulas"
    never = choices.truth(False).node
    for loop, doubts in b.doubts.items():
        known = a.doubts.get(loop, {})
        for what, where in doubts.items():
            key = choices.keys[what]
            narrow = choices.node("beyond int", key[1]) if key[0] == "beyond long" else what
            before = choices.either(known.get(what, never), known.get(narrow, never))
            if not choices.implies(where, before):
                return _DOUBTFUL
    return ""


_DOUBTFUL = "it reads, or calculates with integers, where it did not before: whether C allows it is not known"


def _first_other_line(old: Item, new: Item) -> int:
    """The line of the first word of a function that differs from that of its other version."""
    words = [(w, k) for k, line in enumerate(new.code.split("\n")) for w in _WORD.findall(line)]
    before = _WORD.findall(old.code)
    at = next((k for (w, k), other in zip(words, before, strict=False) if w != other), 0)
    return new.line + at


_WORD = re.compile(r"\w+|[^\w\s]", re.ASCII)


def is_routine(item: Item, source: Source, kept: Collection[str] = ()) -> bool:
    """Whether a function is read as a routine, in which some macros may stand for any whole number."""
    try:
        read_routine(item, source, Choices(), kept)
    except (Refused, RecursionError):
        return False
    return not item.others


def formulas_called(symbol: str, source: Source) -> frozenset[str]:
    """The formulas that a routine calls, which are read in place."""
    path = source.functions[symbol][0].path
    return frozenset(name for name in source.calls(symbol) if _is_formula(name, path, source))


def _is_formula(name: str, path: str, source: Source) -> bool:
    try:
        return formula_called(name, path, source) is not None
    except Refused:
        return False


def _types(symbol: str, source: Source) -> dict[str, str]:
    """The meaning of the names that a routine uses, apart from functions that it calls and what it reads.

    It reads what macros stand for; those that begin with its name are its callers', too, and those for which
    a build may define something else have a default.
    """
    numbers = source.macros.definitions.keys() - source.own_macros(symbol) - source.own_adjustable(symbol)
    found = {
        n: meaning
        for n, meaning in source.environment(symbol).items()
        if n not in source.data and n not in numbers
    }
    return found | {
        n: type_meaning(source.types[n][0].tokens) for n in found if len(source.types.get(n, ())) == 1
    }
