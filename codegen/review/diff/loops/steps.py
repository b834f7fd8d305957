"""Compares routines with loops over arguments: whether two versions do the same, step by step.

They do if both return the same and leave the same in memory, written as operations on what was given, and the
new one leaves nothing undefined that the old one defines. Formulas in another order are not compared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from codegen.review.diff.changes import Unreadable
from codegen.review.diff.functions.signature import called_as, type_meaning
from codegen.review.diff.loops.callees import called_otherwise, short_ones
from codegen.review.diff.loops.choices import Choices
from codegen.review.diff.loops.collected import Collected, CollectedWithinInt
from codegen.review.diff.loops.endless import all_end, surely_ends
from codegen.review.diff.loops.formulas import formula_called
from codegen.review.diff.loops.in_line import Written, WrittenWithinInt
from codegen.review.diff.loops.known_ranges import is_in_range
from codegen.review.diff.loops.last_turns import LastTurns, LastTurnsWithinInt, equal_otherwise
from codegen.review.diff.loops.returned import Returned, ReturnedWithinInt, return_otherwise
from codegen.review.diff.loops.routines import Reader, Routine, RoutineReader, read_routine
from codegen.review.diff.loops.second_look import ByName, WithinInt
from codegen.review.diff.loops.sure_bounds import bounds_of, returns
from codegen.review.diff.loops.sure_loads import SureLoads
from codegen.review.diff.text.integers import operand_of
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source
from codegen.review.diff.text.syntax import Refused, parsed

_MOST_LOOPS = 40
"""Limit on the loops of a routine that are read as parts of each other, each with those behind it."""


def other_routine(symbol: str, old: Source, new: Source) -> Unreadable | None:
    """Why two versions of a routine are not known to do the same; None if they are, if those they call are.

    Macros for which a build may define another number stand for any whole number.
    """
    items = [source.functions[symbol] for source in (old, new)]
    (before, *more), (after, *others) = items
    kept = old.adjustable(symbol) & new.adjustable(symbol)
    if more or others or before.others or after.others or old.adjustable(symbol) != new.adjustable(symbol):
        return Unreadable(after.path, after.line, "it has several forms, and loops or integers")
    declared = [_declared(symbol, source) for source in (old, new)]
    if declared[0] != declared[1] or _types(symbol, old) != _types(symbol, new):
        return Unreadable(after.path, after.line, "its declaration, or a type or macro that it uses, differs")
    pair = (before, old), (after, new)
    problem = _other(pair, kept, (RoutineReader, RoutineReader))
    if problem is None or _other(pair, kept, (ByName, WithinInt)) is None:
        return None
    if any(_loops(item) > _MOST_LOOPS for item, _ in pair):
        return problem
    last = _other(pair, kept, (Collected, CollectedWithinInt))
    for is_apart, readers in (
        (return_otherwise, (Returned, ReturnedWithinInt)),
        (equal_otherwise, (LastTurns, LastTurnsWithinInt)),
    ):
        if last is not None and is_apart(before, after):
            found = _other(pair, kept, readers)
            last = found if found is None or found.reason == _DOUBTFUL else last
    otherwise = called_otherwise(pair)
    for names in dict.fromkeys((otherwise, otherwise | short_ones(pair))):
        if last is not None and names:
            written = _other(pair, kept, (partial(Written, names), partial(WrittenWithinInt, names)))
            last = written if written is None or written.reason == _DOUBTFUL else last
    return last if last is None or last.reason == _DOUBTFUL else problem


def _ends(source: Source, path: str, name: str, callers: frozenset[str] = frozenset()) -> bool:
    """Whether a function that a file calls surely returns, also one with loops, if these surely end."""
    if returns(source, path, name):
        return True
    items = source.called(name, path) if name in source.functions else []
    if len(items) != 1 or items[0].others or name in callers:
        return False
    choices = Choices()
    try:
        found = read_routine(items[0], source, choices)
    except (Refused, RecursionError):
        return False
    below = partial(_ends, source, items[0].path, callers=callers | {name})
    return all_end(choices, found.visited, found.doubts, below)


def _loops(item: Item) -> int:
    """About how many loops a routine has."""
    return sum(token in ("for", "while") for token in item.tokens)


def _other(
    pair: Sequence[tuple[Item, Source]], kept: Collection[str], readers: Sequence[Reader]
) -> Unreadable | None:
    """Why two versions of a routine, each read in its way, are not known to do the same."""
    choices, routines, most = Choices(), list[Routine](), dict[int, int]()
    for (item, source), reader in zip(pair, readers, strict=True):
        try:
            found = read_routine(item, source, choices, kept, reader, most)
            routines.append(found)
            most = bounds_of(choices, found.visited, found.doubts, partial(returns, source, item.path))
        except Refused as refusal:
            return Unreadable(item.path, item.line + max(refusal.line - 1, 0), refusal.reason)
        except RecursionError:
            return Unreadable(item.path, item.line, "it is nested too deeply")
    (before, _), (after, _) = pair
    reason = _difference(routines[0], routines[1], choices, _loads_of(routines[0], choices, *pair[0]))
    return Unreadable(after.path, _first_other_line(before, after), reason) if reason else None


class _Declared(NamedTuple):
    """How callers see a function: its types and storage, what its parameters promise, and their extents."""

    types: object
    storage: list[str]
    promised: list[list[str]]
    extents: list[str]


def _declared(symbol: str, source: Source) -> list[object]:
    """The prototypes of a function that tell anything else of it than its definition does."""
    items = source.prototypes.get(symbol, ())
    try:
        defined = _as_called(source.functions[symbol][0], source)
        seen = [_as_called(i, source) for i in items]
    except (Refused, RecursionError):
        return [i.tokens for i in items]
    return [other for other in seen if not _is_said(other, defined)]


def _is_said(declared: _Declared, defined: _Declared) -> bool:
    """Whether a declaration tells nothing else than the definition; it may leave out extents."""
    extents = zip(declared.extents, defined.extents, strict=False)
    return declared[:3] == defined[:3] and all(a in ("", b) for a, b in extents)


def _as_called(item: Item, source: Source) -> _Declared:
    tree = parsed(item, source)
    head = item.tokens[: item.tokens.index("(")]
    listed = item.tokens[len(head) : item.tokens.index(")")]
    if listed.count("(") > 1:
        raise Refused(None, "a parameter in brackets")
    words = [word for token in listed for word in source.macros.expansions.get(token, (token,))]
    parts = [part.split() for part in " ".join(words).split(" , ")]
    promised = [sorted(_PROMISES & {*part}) for part in parts]
    extents = [" ".join(w for w in part[1:] if w.isdecimal()) for part in parts]
    storage = [w for w in head if w in ("static", "inline", "volatile")]
    return _Declared(called_as(tree.decl if "{" in item.tokens else tree), storage, promised, extents)


_PROMISES = frozenset(["restrict", "static", "volatile"])


def _loads_of(routine: Routine, choices: Choices, item: Item, source: Source) -> SureLoads:
    """The loads that a version surely makes."""
    _, *types = routine.types
    constants = {
        choices.node("parameter", k) for k, of in enumerate(types) if "*" not in of or of.startswith("const ")
    }
    surely_returns = partial(_ends, source, item.path)
    return SureLoads(choices, routine.visited, routine.doubts, constants, surely_returns)


def _difference(a: Routine, b: Routine, choices: Choices, loads: SureLoads) -> str:
    """What is different in the second routine; empty where nothing is."""
    if a.types != b.types or (a.names != b.names and sorted(a.names) == sorted(b.names)):
        return "its parameters, or what it returns, are others"
    if a.done != b.done:
        return "its steps differ here, and steps with loops or integers are not compared as formulas"
    added = _added_loops(a, b, choices)
    if not all(surely_ends(choices, loop) for loop in added):
        return _DOUBTFUL
    ints = [choices.node("parameter", k) for k, of in enumerate(a.types[1:]) if of == "int"]
    for at, doubts in b.doubts.items():
        known = _known_at(at, a, choices, added)
        paths = [int(str(n)) for n in choices.keys[at][2:]] if at else []
        for what, where in doubts.items():
            is_known = (at, what) in b.settled or _is_doubtful_in(known, what, where, choices)
            if is_known or what in added or loads.has(at, what, where):
                continue
            if not all(is_in_range(choices, what, where, paths, found, ints) for found in known):
                return _DOUBTFUL
    if any(not surely_ends(choices, loop) for loop in _lacking("loop", a, b, choices)):
        return _ENDLESS
    return _CONVERTED if any(_lacking("made an int", a, b, choices)) else ""


def _added_loops(a: Routine, b: Routine, choices: Choices) -> set[int]:
    """The loops that the second routine makes where the first one does not, with those in them."""
    found = set[int]()
    while True:
        more = {
            what
            for at, doubts in b.doubts.items()
            for what, where in doubts.items()
            if choices.keys[what][0] == "loop"
            and what not in found
            and (at, what) not in b.settled
            and not _is_doubtful_in(_known_at(at, a, choices, found), what, where, choices)
        }
        if not more:
            return found
        found |= more


def _lacking(kind: str, a: Routine, b: Routine, choices: Choices) -> Iterator[int]:
    """What the first routine may leave undefined, of a kind, and the second one does not, or less often."""
    for at, doubts in a.doubts.items():
        own = {what: where for what, where in doubts.items() if choices.keys[what][0] == kind}
        known = _known_at(at, b, choices) if own else []
        for what, where in own.items():
            if (at, what) not in a.settled and not _is_doubtful_in(known, what, where, choices):
                yield what


def _known_at(at: int, a: Routine, choices: Choices, added: Collection[int] = ()) -> list[Mapping[int, int]]:
    """What a routine leaves undefined in a loop: where it stands there, else wherever it stands.

    Loops that are added are none that stand elsewhere.
    """
    loop = choices.keys[at][1] if at else 0
    if at in a.doubts or loop in added:
        return [a.doubts.get(at, {})]
    found = [doubts for place, doubts in a.doubts.items() if place and choices.keys[place][1] == loop]
    return found or [{}]


def _is_doubtful_in(known: Sequence[Mapping[int, int]], what: int, where: int, choices: Choices) -> bool:
    """Whether something may be undefined, where it may be here, in all that is known of another version."""
    key, never = choices.keys[what], choices.truth(False).node
    narrow = choices.node("beyond int", key[1]) if key[0] in ("beyond long", "made an int") else what
    before = (choices.either(found.get(what, never), found.get(narrow, never)) for found in known)
    return all(choices.implies(where, at) for at in before)


_DOUBTFUL = "it reads, or calculates with integers, where it did not before: whether C allows it is not known"

_ENDLESS = "a loop that may never end is no longer there, or is made under other conditions"

_CONVERTED = "a long that may be beyond an int is no longer made one, by which most compilers change it"


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
    defaults = {n: _default(found[n]) for n in source.own_adjustable(symbol) & found.keys()}
    types = {
        n: type_meaning(source.types[n][0].tokens, source) for n in found if len(source.types.get(n, ())) == 1
    }
    return found | defaults | types


def _default(text: str) -> str:
    """What a macro stands for unless a build defines another number: `(0x40)` is 64."""
    number = operand_of(text)
    return text if number is None else str(number)
