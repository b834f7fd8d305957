"""Compares two trees function by function; it opens no file, and compiles and runs nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from codegen.parallel import apart
from codegen.review.diff.callers.declarations import faulty
from codegen.review.diff.callers.headers import surface_changes
from codegen.review.diff.callers.novel import misunderstood
from codegen.review.diff.callers.order import misplaced
from codegen.review.diff.callers.units import inconsistent
from codegen.review.diff.changes import Change, ChangeClass, SourceTree, Unreadable
from codegen.review.diff.classify import (
    OF_COMPUTATION,
    classify,
    identical,
    joined,
    one_sided,
    unchanged,
    worse,
)
from codegen.review.diff.functions.assertions import unproven
from codegen.review.diff.limits import Exceeded, limited
from codegen.review.diff.renaming import Names, prefix_change, renamed, with_old_name
from codegen.review.diff.text.source import Source, read_source
from codegen.review.diff.text.undone import wrongly_undone

Progress = Callable[[Sequence[str]], Iterable[str]]
"""Yields the symbols to compare one by one and shows the progress."""

_FEW = 16
"""With fewer functions than this, starting processes takes longer than the comparison."""


def compare_trees(
    old: SourceTree, new: SourceTree, progress: Progress = lambda symbols: symbols
) -> list[Change]:
    """The change of each function of two trees, in the order of the new tree's files.

    Every function of the C files is compared, except the self-test. A file that cannot be read to its end, or
    has a construct that is not understood, gives a Change with its path as symbol unless it is the same in
    both trees.
    """
    return compare_functions(both(old, new), progress)


class Both(NamedTuple):
    """Two trees, the old one under the names of the new one, and what their C was split into."""

    old: SourceTree
    new: SourceTree
    sources: tuple[Source, Source]
    names: Names = Names()


def both(old: SourceTree, new: SourceTree) -> Both:
    """The trees with their C, which is read once where they are equal."""
    source = read_source(old)
    if old == new:
        return Both(old, new, (source, source))
    other = read_source(new, source)
    found = renamed(old, source, other)
    for side, beside in ((found.source, other), (other, found.source)):
        for find in (faulty, inconsistent, misplaced, wrongly_undone, unproven):
            for problem in find(side):
                side.note_odd(problem)
        for problem in misunderstood(side, beside):
            side.note_odd(problem)
    return Both(found.files, new, (found.source, other), found.names)


def compare_functions(trees: Both, progress: Progress) -> list[Change]:
    """The changes of `compare_trees` for trees that have been read."""
    sources = trees.sources
    with _judge(sources) as judged:
        changes = {symbol: judged(symbol) for symbol in progress(_symbols(sources))}
    changes |= _read_in_callers(changes, sources)
    _follow_calls(changes, sources)
    unread = [*_broken(sources, trees.old, trees.new), *_odd(sources, changes.values())]
    named = [with_old_name(change, trees.names) for change in (*changes.values(), *unread)]
    return sorted(named, key=lambda c: (c.path, c.line, c.symbol))


def compare_surroundings(trees: Both) -> list[Change]:
    """The changes of files apart from those of their functions: what they declare, include and say.

    A new prefix counts as a change of the header of types.
    """
    prefix = prefix_change(trees.names, *trees.sources)
    return [*prefix, *surface_changes(trees.old, trees.new, trees.sources)]


def _symbols(sources: tuple[Source, Source]) -> list[str]:
    return sorted(sources[0].functions.keys() | sources[1].functions.keys())


def _change(symbol: str, sources: tuple[Source, Source]) -> Change:
    """The change of one function; unreadable where it cannot be compared within its limits, or at all."""
    try:
        with limited():
            return _compared(symbol, sources)
    except (Exceeded, Exception) as problem:
        reason = str(problem) if isinstance(problem, Exceeded) else f"{type(problem).__name__}: {problem}"
        return _not_compared(symbol, sources, reason)


def _not_compared(symbol: str, sources: tuple[Source, Source], reason: str) -> Change:
    source = next(s for s in reversed(sources) if symbol in s.functions)
    where = source.functions[symbol][0]
    unreadable = Unreadable(where.path, where.line, reason[:200])
    detail = f"cannot be compared: {unreadable.reason}"
    return Change(symbol, ChangeClass.UNREADABLE, detail, where.path, where.line, unreadable=unreadable)


def _compared(symbol: str, sources: tuple[Source, Source]) -> Change:
    old, new = sources
    if symbol not in old.functions:
        return one_sided(symbol, ChangeClass.ADDED, new, old.prefixes)
    if symbol not in new.functions:
        return _lost(one_sided(symbol, ChangeClass.REMOVED, old, old.prefixes), new)
    return classify(symbol, old, new)


def _lost(change: Change, new: Source) -> Change:
    """A function whose file can no longer be read counts as changed, not as removed."""
    problem = new.broken.get(change.path)
    if problem is None:
        return change
    detail = f"cannot be read: {problem.path}, line {problem.line}: {problem.reason}"
    return replace(change, kind=ChangeClass.UNREADABLE, detail=detail, unreadable=problem)


@contextmanager
def _judge(sources: tuple[Source, Source]) -> Iterator[Callable[[str], Change]]:
    """A function from a symbol to its Change; many are made by several processes at once."""
    old, new = sources
    both = old.functions.keys() & new.functions.keys()
    same = both if old is new else {s for s in both if identical(s, old, new)}
    open_ = [s for s in _symbols(sources) if s not in same]
    if len(open_) <= _FEW:
        yield lambda s: unchanged(s, old, new) if s in same else _change(s, sources)
        return
    with ProcessPoolExecutor(os.cpu_count(), initializer=_remember, initargs=(sources,)) as pool:
        promised = {s: pool.submit(_remembered, s) for s in open_}
        yield lambda s: unchanged(s, old, new) if s in same else _kept(s, promised[s], sources)


def _kept(symbol: str, promised: Future[Change], sources: tuple[Source, Source]) -> Change:
    """The change that the pool has found; where one of its processes has ended too early, another one."""
    try:
        return promised.result()
    except BrokenProcessPool:
        found = apart(lambda: _change(symbol, sources))
        return found or _not_compared(
            symbol, sources, "the system ended its process, as where memory runs out"
        )


_sources: list[tuple[Source, Source]] = []
"""In a process of the pool, what it compares."""


def _remember(sources: tuple[Source, Source]) -> None:
    _sources[:] = [sources]


def _remembered(symbol: str) -> Change:
    return _change(symbol, _sources[0])


_ONE_SIDED = (ChangeClass.ADDED, ChangeClass.REMOVED)


def _follow_calls(changes: dict[str, Change], sources: tuple[Source, Source]) -> None:
    """The class of a function is at least as severe as those of the functions that it calls.

    What was read in place of calls, where both versions were compared, has been compared, too. A function
    that cannot be read stays so where it calls one that only one of the trees has.
    """
    named = {s: set[str]().union(*(x.calls(s) for x in sources if s in x.functions)) for s in changes}
    calls = {s: names - changes[s].covered for s, names in named.items()}
    again = True
    while again:
        again = False
        for symbol, called in calls.items():
            if changes[symbol].kind in _ONE_SIDED:
                continue
            is_unread = ChangeClass.UNREADABLE in changes[symbol].kinds
            for name in sorted(called):
                if is_unread and changes[name].kind in _ONE_SIDED:
                    continue
                kind = _for_callers(changes[name], _is_moved(name, symbol, sources))
                if worse(kind, _computed(changes[symbol])):
                    changes[symbol] = _through(name, kind, changes[symbol])
                    again = True


def _read_in_callers(changes: Mapping[str, Change], sources: tuple[Source, Source]) -> dict[str, Change]:
    """The added functions that are not read by themselves, and that are read where another one calls them."""
    old, new = sources
    unread = {s for s, c in changes.items() if s not in old.functions and c.kind is ChangeClass.UNREADABLE}
    called = set[str]().union(*(c.covered for c in changes.values()))
    return {
        s: replace(changes[s], kind=ChangeClass.ADDED, detail=f"added in {changes[s].path}", unreadable=None)
        for s in sorted(unread & called)
        if len(new.functions[s]) == 1
    }


def _computed(change: Change) -> ChangeClass:
    """The most severe of the classes that say how a function's values change."""
    own = change.kinds & set(OF_COMPUTATION)
    return max(own, key=OF_COMPUTATION.index, default=ChangeClass.COSMETIC)


def _through(called: str, kind: ChangeClass, change: Change) -> Change:
    """The change of a function whose values change in this way through one that it calls.

    One that cannot be read stays so: its declaration may have changed, too.
    """
    found = replace(change, kind=kind, detail=f"calls {called}: {kind.value}", also=())
    kept = {*ChangeClass} - {*OF_COMPUTATION} | {ChangeClass.UNREADABLE} - {kind}
    others = [k for k in (change.kind, *change.also) if k in kept]
    for i, other in enumerate(others):
        found = joined(found, other, [] if i else [change.detail])
    return found


def _is_moved(symbol: str, callers: str, sources: tuple[Source, Source]) -> bool:
    """Whether a static function that a caller sees has the same words in both trees, apart from `inline`."""
    words, nonnull = list[list[str]](), list[frozenset[int]]()
    for source in sources:
        items = source.functions.get(symbol, [])
        places = [item.path for item in source.functions.get(callers, ())]
        if len(items) != 1 or not items[0].is_static or items[0].others or not places:
            return False
        if any(source.called(symbol, path) != items for path in places):
            return False
        words.append([word for word in items[0].tokens if word != "inline"])
        nonnull.append(items[0].nonnull)
    return words[0] == words[1] and nonnull[0] == nonnull[1]


def _for_callers(called: Change, is_moved: bool) -> ChangeClass:
    """The class of the computation of a function that calls this one, if nothing else has changed in it.

    What the documentation of a function says is no part of a computation, nor is the file from which a static
    function has moved to another one.
    """
    kinds = called.kinds - {ChangeClass.CONTRACT} - ({ChangeClass.INTERFACE} if is_moved else set())
    if kinds <= set(OF_COMPUTATION):
        return max(kinds, key=OF_COMPUTATION.index, default=ChangeClass.IDENTICAL)
    return ChangeClass.CHANGED


def _broken(sources: tuple[Source, Source], old: SourceTree, new: SourceTree) -> Iterator[Change]:
    """The files that cannot be read to their end in one of the trees."""
    found: Mapping[str, Unreadable] = {**sources[0].broken, **sources[1].broken}
    for path, problem in found.items():
        if old.get(path) != new.get(path):
            detail = f"cannot be read: line {problem.line}: {problem.reason}"
            yield Change(path, ChangeClass.UNREADABLE, detail, path, problem.line, unreadable=problem)


def _odd(sources: tuple[Source, Source], changes: Iterable[Change]) -> Iterator[Change]:
    """The files with a construct that is not understood, which differ though no function says so."""
    said = "\n".join(c.detail for c in changes)
    found: Mapping[str, Unreadable] = {**sources[0].odd, **sources[1].odd}
    for path, problem in found.items():
        before, after = (source.digests.get(path) for source in sources)
        if before != after and f"{path}, line " not in said:
            detail = f"cannot be read: line {problem.line}: {problem.reason}"
            yield Change(path, ChangeClass.UNREADABLE, detail, path, problem.line, unreadable=problem)
