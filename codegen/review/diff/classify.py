"""Classifies a function's change: the first that holds of identical, cosmetic, re-associated, changed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from typing import TypeVar

from codegen.ir.cost import Cost
from codegen.ir.operations import Op
from codegen.ir.systems import F64
from codegen.review.diff.callers.documentation import contract_changes
from codegen.review.diff.callers.headers import declaration_changes
from codegen.review.diff.changes import LONGEST, Change, ChangeClass, Unreadable, Witness
from codegen.review.diff.costs import cost_of, misstated_cost
from codegen.review.diff.declared import comparable
from codegen.review.diff.functions.normal import same_computation
from codegen.review.diff.functions.pairs import PAIRED
from codegen.review.diff.functions.reader import (
    Unread,
    has_plain_parameters,
    read,
    read_signature,
    surely_read,
    surely_written,
)
from codegen.review.diff.loops.steps import formulas_called, is_routine, other_routine
from codegen.review.diff.numbers.constraint import constraint_set
from codegen.review.diff.numbers.equality import compare_readings
from codegen.review.diff.numbers.excess import Unsearched, find_excess
from codegen.review.diff.numbers.overlaps import MOST_SHARINGS, sharings
from codegen.review.diff.numbers.versions import Versions
from codegen.review.diff.numbers.witness import find_witness, largest_difference
from codegen.review.diff.reading import INFINITE, Held, Reading, ReadParameter, Signature
from codegen.review.diff.text.flags import named
from codegen.review.diff.text.items import Item
from codegen.review.diff.text.source import Source


@dataclass(frozen=True)
class Classification:
    """The class of a change, its explanation, and the counterexample or the C that could not be read."""

    kind: ChangeClass
    detail: str
    witness: Witness | None = None
    unreadable: Unreadable | None = None
    also: tuple[ChangeClass, ...] = ()


def classify(symbol: str, old: Source, new: Source) -> Change:
    """The change of a function that both trees define."""
    before, after = old.functions[symbol], new.functions[symbol]
    same = _same_tokens(symbol, old, new)
    readings = [] if same else _read_both(symbol, old, new)
    interface = _interface_changes(symbol, old, new)
    verdict = _UNREAD if same else _verdict(symbol, old, new, readings)
    if problem := _null_pointers(symbol, old, new, readings):
        verdict = _not_compared(verdict, problem)
    is_read = not same and all(isinstance(r, Reading) for r in readings)
    is_compared = is_read and verdict.kind in OF_COMPUTATION and verdict.kind is not ChangeClass.UNREADABLE
    covered = _covered(symbol, verdict, is_compared, (old, new))
    verdict = _with_interface(verdict, interface)
    told = [*contract_changes(symbol, old, new), *misstated_cost(symbol, old, new)]
    verdict = _with_contract(verdict, told)
    costs = [cost_of(r) if isinstance(r, Reading) else None for r in readings] or [None, None]
    change = _change(symbol, verdict, after[0], costs, before, after)
    kept = (_kept(readings[0]), _kept(readings[1])) if readings else (None, None)
    return replace(change, readings=kept, covered=covered)


def _covered(
    symbol: str, verdict: Classification, is_compared: bool, sources: tuple[Source, Source]
) -> frozenset[str]:
    """The functions that were read in place of their calls: all, or what routines call that was.

    These are formulas, and functions of one tree alone, of which the other one has no call.
    """
    if is_compared:
        return frozenset().union(*(source.calls(symbol) for source in sources))
    if verdict.kind is not ChangeClass.COSMETIC or verdict.detail != SAME_OPERATIONS:
        return frozenset()
    calls = frozenset[str]().union(*(source.calls(symbol) for source in sources))
    in_line = {name for name in calls if not all(name in source.functions for source in sources)}
    return frozenset(in_line).union(*(formulas_called(symbol, s) for s in sources))


def _kept(reading: Reading | Unreadable) -> Reading | None:
    return reading if isinstance(reading, Reading) and len(reading.program.nodes) <= LONGEST else None


ONLY_LAYOUT = "only comments or layout differ"
SAME_OPERATIONS = "the same operations; only names, order, comments or layout differ"
_UNREAD = Classification(ChangeClass.COSMETIC, ONLY_LAYOUT)


def _same_tokens(symbol: str, old: Source, new: Source) -> bool:
    """Whether a function's code, types and macros are the same; it need not be parsed then."""
    tokens = [[(i.spelled, i.nonnull) for i in source.written(symbol)] for source in (old, new)]
    return tokens[0] == tokens[1] and old.environment(symbol) == new.environment(symbol)


def one_sided(symbol: str, kind: ChangeClass, source: Source, prefixes: tuple[str, ...]) -> Change:
    """A function that only one tree defines, added or removed; `prefixes` are those of the old tree."""
    items = source.functions[symbol]
    reading = _read(symbol, source)
    unreadable = reading if isinstance(reading, Unreadable) else None
    verdict = Classification(kind, f"{kind.value} in {items[0].path}", None, unreadable)
    known = cost_of(reading) if isinstance(reading, Reading) else None
    if kind is ChangeClass.ADDED:
        readings = [reading] if len(items) == 1 else [_read_one(i, source) for i in items]
        if unread := _first_unread(items, readings, source):
            where = f"{unread.path}, line {unread.line}: {unread.reason}"
            detail = f"{verdict.detail}; cannot be read: {where}"
            verdict = replace(verdict, kind=ChangeClass.UNREADABLE, detail=detail)
        shared = [i for i in items if not i.is_static]
        if len(shared) > 1:
            where = " and ".join(i.path for i in shared)
            verdict = replace(
                verdict, kind=ChangeClass.UNREADABLE, detail=f"added in {where}: it is defined twice"
            )
        if _may_replace(symbol, items, prefixes):
            detail = f"{verdict.detail}; it may replace a function {symbol} of programs, or not link with it"
            verdict = replace(verdict, detail=detail, also=(ChangeClass.INTERFACE,))
        change = _change(symbol, verdict, items[0], [None, known], [], items)
        return replace(
            change, covered=frozenset(source.calls(symbol) if isinstance(reading, Reading) else ())
        )
    return _change(symbol, verdict, items[0], [known, None], items, [])


def _first_unread(
    items: Sequence[Item], readings: Sequence[Reading | Unreadable], source: Source
) -> Unreadable | None:
    """Why the first of some functions cannot be read that is neither a formula nor a routine."""
    for item, reading in zip(items, readings, strict=True):
        if isinstance(reading, Unreadable) and not is_routine(item, source):
            return reading
    return None


def _read_one(item: Item, source: Source) -> Reading | Unreadable:
    """One of the functions of a name as read, or the reason why it cannot be read."""
    try:
        return read(item, source)
    except Unread as problem:
        return problem.args[0]  # type: ignore[no-any-return]


def _may_replace(symbol: str, items: Sequence[Item], prefixes: tuple[str, ...]) -> bool:
    """Whether programs may have a function of this name: no prefix of the tree keeps it apart from others.

    A static function of a source file has its name for itself. Of a tree without a prefix nothing is known.
    """
    is_private = all(i.path.endswith(".c") and "static" in i.tokens[: i.tokens.index(symbol)] for i in items)
    return bool(prefixes) and not symbol.startswith(prefixes) and not is_private


def identical(symbol: str, old: Source, new: Source) -> bool:
    """Whether a function's text, types and macros are the same in both trees; calls are not followed."""
    texts = [_texts(symbol, source) for source in (old, new)]
    same = texts[0] == texts[1] and old.environment(symbol) == new.environment(symbol)
    before, after = (source.told.get(symbol) for source in (old, new))
    unsaid = not before or after is None or before == comparable(before, after)
    interface = _interface_changes(symbol, old, new)
    return same and unsaid and not interface


def _interface_changes(symbol: str, old: Source, new: Source) -> list[str]:
    """What is different for programs that use a function: declarations, ranges, what builds adjust."""
    ranges, adjusted = _other_ranges(symbol, old, new), _other_adjustments(symbol, old, new)
    return [*declaration_changes(symbol, old, new), *ranges, *adjusted]


def _other_adjustments(symbol: str, old: Source, new: Source) -> Iterator[str]:
    """The macros with a default on which only one version depends: builds may define another value."""
    before, after = old.adjustable(symbol), new.adjustable(symbol)
    for name in sorted(before ^ after):
        verb = "no longer depends" if name in before else "depends now"
        yield f"it {verb} on {name}, for which a build may define another value"


def _texts(symbol: str, source: Source) -> list[tuple[str, str, str]]:
    """What is written of a function, and what it is to compilers, with the words for which macros stand.

    Where there are several of the name, it matters in which file.
    """
    several = len(source.functions[symbol]) > 1
    return sorted(
        (i.text, i.path if several else "", f"{i.spelled} {sorted(i.nonnull)}")
        for i in source.written(symbol)
    )


def unchanged(symbol: str, old: Source, new: Source) -> Change:
    """The change of a function that is identical in both trees; its C is not parsed."""
    before, after = old.functions[symbol], new.functions[symbol]
    return _change(
        symbol, Classification(ChangeClass.IDENTICAL, "the same text"), after[0], [None, None], before, after
    )


def _change(
    symbol: str,
    verdict: Classification,
    where: Item,
    costs: Sequence[Cost | None],
    before: Sequence[Item],
    after: Sequence[Item],
) -> Change:
    old_cost, new_cost = costs
    return Change(
        symbol,
        verdict.kind,
        verdict.detail,
        where.path,
        where.line,
        old_cost,
        new_cost,
        verdict.witness,
        verdict.unreadable,
        "\n".join(i.text for i in before),
        "\n".join(i.text for i in after),
        verdict.also,
    )


def _read(symbol: str, source: Source) -> Reading | Unreadable:
    """The function as read, or the reason why it cannot be read."""
    first, *others = source.functions[symbol]
    if others:
        return Unreadable(others[0].path, others[0].line, "it is defined a second time")
    try:
        reading = read(first, source)
        for item in source.prototypes.get(symbol, ()):
            if item.tokens[:-1] != first.tokens[: len(item.tokens) - 1] and list(
                _differences(read_signature(item, source), reading.signature, ordered=False)
            ):
                return Unreadable(item.path, item.line, "its declaration does not match its definition")
    except Unread as problem:
        return problem.args[0]  # type: ignore[no-any-return]
    return reading


def _read_both(symbol: str, old: Source, new: Source) -> list[Reading | Unreadable]:
    """Both versions as read; what null does is no matter where the old one used the pointer anyway.

    Where a build may define another value of a macro, nothing is known of the function with that value.
    """
    before, after = (_read(symbol, source) for source in (old, new))
    if adjusted := sorted(old.adjustable(symbol) & new.adjustable(symbol)):
        where = new.functions[symbol][0]
        reason = f"it depends on {adjusted[0]}, for which a build may define another value"
        after = Unreadable(where.path, where.line, reason)
    if not isinstance(before, Reading) or not isinstance(after, Reading):
        return [before, after]
    parameters = zip(before.signature.parameters, after.signature.parameters, strict=False)
    names = {b.name: a.name for a, b in parameters}
    used = (
        (surely_written(before) | surely_read(before)) - {*before.optional} if after.guarded else set[str]()
    )
    for name in (*before.guarded, *(n for n in after.guarded if names.get(n) not in used)):
        where = new.functions[symbol][0]
        after = Unreadable(where.path, where.line, f"a null {name} is not only skipped")
    return [before, after]


def _verdict(
    symbol: str, old: Source, new: Source, readings: Sequence[Reading | Unreadable]
) -> Classification:
    before, after = readings
    if isinstance(before, Reading) and isinstance(after, Reading):
        differences = list(_differences(before.signature, after.signature, ordered=True))
        differences += _required_now(before, after)
        if differences:
            return Classification(ChangeClass.INTERFACE, "; ".join(differences))
        constants = _constants(symbol, old, new)
        return constants or _compared(symbol, (old, new), (before, after))
    problem = after if isinstance(after, Unreadable) else before
    assert isinstance(problem, Unreadable)
    where = f"{problem.path}, line {problem.line}: {problem.reason}"
    heads = [_head(i.tokens, symbol) for i in (old.functions[symbol][0], new.functions[symbol][0])]
    if heads[0] != heads[1] and all(_is_plain(*known) for known in zip(heads, (old, new), strict=True)):
        detail = f"returns {heads[1]} instead of {heads[0]}; cannot be read: {where}"
        return Classification(ChangeClass.INTERFACE, detail, None, problem)
    difference = other_routine(symbol, old, new)
    if difference is None:
        return Classification(ChangeClass.COSMETIC, SAME_OPERATIONS)
    first = old.functions[symbol][0]
    if not has_plain_parameters(first, old) and is_routine(first, old, old.own_adjustable(symbol)):
        problem, where = difference, f"{difference.path}, line {difference.line}: {difference.reason}"
    return Classification(ChangeClass.UNREADABLE, f"cannot be read: {where}", None, problem)


def _head(tokens: Sequence[str], symbol: str) -> str:
    """The words before a function's name that say what it returns and who sees it."""
    words = [word for word in tokens[: tokens.index(symbol)] if word != "extern"]
    return " ".join(word for word in words if word != "inline" or "static" not in words)


def _is_plain(head: str, source: Source) -> bool:
    """Whether the words before a function's name are what they seem: no macros, and nothing in brackets."""
    return "(" not in head and not any(word in source.macros for word in head.split())


def _constants(symbol: str, old: Source, new: Source) -> Classification | None:
    """A changed verdict where a macro for a constant array differs, which is not part of the Program."""
    before, after = old.environment(symbol), new.environment(symbol)
    macros = [m for side in (old, new) for each in side.macros.definitions.values() for m in each]
    known = {m.name for m in macros if not m.has_parameters} - old.data.keys() - new.data.keys()
    for name in sorted({*before, *after} & known):
        is_array = "{" in before.get(name, "") + after.get(name, "")
        if before.get(name) != after.get(name) and is_array and name.isupper():
            return Classification(ChangeClass.CHANGED, f"the constant {name} differs")
    return None


# The interface


def _differences(old: Signature, new: Signature, ordered: bool) -> Iterator[str]:
    """The differences of two signatures; a renamed argument is none, but a changed order of names is."""
    if old.returns != new.returns:
        yield f"returns {new.returns} instead of {old.returns}"
    if ordered and old.linkage is not new.linkage:
        yield f"is {new.linkage.value} now"
    names = [p.name for p in old.parameters], [p.name for p in new.parameters]
    if ordered and names[0] != names[1] and sorted(names[0]) == sorted(names[1]):
        yield f"arguments in the order {', '.join(names[1])} instead of {', '.join(names[0])}"
        return
    for i, (a, b) in enumerate(zip_longest(old.parameters, new.parameters), 1):
        if a is None or b is None:
            p, what = (b, "was added") if a is None else (a, "was removed")
            yield f"argument {i}, {p.name}, {what}"
        elif not ordered and _is_array_as_pointer(a, b):
            continue
        elif a.declared != b.declared:
            yield f"argument {i}, {b.name}: {b.declared} instead of {a.declared}"
        elif (a.places, a.held) != (b.places, b.held):
            yield f"argument {i}, {b.name}: other members of {b.declared}"


def _is_array_as_pointer(a: ReadParameter, b: ReadParameter) -> bool:
    """Whether a declaration has `float *q` where the other one has `float q[4]`, which is the same to C."""
    kinds = [_ARRAY.sub(" *", p.declared) for p in (a, b)]
    return kinds[0] == kinds[1] in (a.declared, b.declared) and a.held is b.held


_ARRAY = re.compile(r" \[\d+\]$")


def _required_now(old: Reading, new: Reading) -> Iterator[str]:
    """The results that a null pointer skipped, and does not any more; their names may be others."""
    for a, b in zip(old.signature.parameters, new.signature.parameters, strict=False):
        if a.name in old.optional and b.name not in new.optional:
            yield f"{b.name} may not be NULL any more"


def _other_ranges(symbol: str, old: Source, new: Source) -> Iterator[str]:
    """The arguments for which the manifests of both trees declare different ranges."""
    before, after = (source.ranges.get(symbol) for source in (old, new))
    if before is not None and after is not None:
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                texts = (f"{ranges[name]}" if name in ranges else "none" for ranges in (after, before))
                yield f"the declared range of {name} is {' instead of '.join(texts)}"


def _with_interface(verdict: Classification, differences: Sequence[str]) -> Classification:
    """The verdict on a function that is declared otherwise, also in the ranges of its arguments."""
    return joined(verdict, ChangeClass.INTERFACE, differences) if differences else verdict


def _with_contract(verdict: Classification, differences: Sequence[str]) -> Classification:
    """The verdict on a function whose documentation says something else."""
    return joined(verdict, ChangeClass.CONTRACT, differences) if differences else verdict


_DECIDED = (ChangeClass.GUARDS, ChangeClass.UNREADABLE, ChangeClass.CHANGED, ChangeClass.INTERFACE)


_Verdict = TypeVar("_Verdict", Classification, Change)


def joined(verdict: _Verdict, kind: ChangeClass, differences: Sequence[str]) -> _Verdict:
    """The verdict with a further class, which comes first unless the function is changed anyway."""
    if verdict.kind in _DECIDED:
        also = tuple(dict.fromkeys((*verdict.also, kind)))
        return replace(verdict, detail="; ".join((verdict.detail, *differences)), also=also)
    if verdict.kind in (ChangeClass.IDENTICAL, ChangeClass.COSMETIC):
        return replace(verdict, kind=kind, detail="; ".join(differences), also=())
    detail = "; ".join((*differences, verdict.detail))
    return replace(verdict, kind=kind, detail=detail, also=(*verdict.also, verdict.kind))


def _null_pointers(
    symbol: str, old: Source, new: Source, readings: Sequence[Reading | Unreadable]
) -> Unreadable | None:
    """Why an attribute may be wrong that newly says of parameters that they are no null pointers.

    It is true of those to which the function reads or writes on every way.
    """
    before, after = (
        frozenset[int]().union(*(i.nonnull for i in source.written(symbol))) for source in (old, new)
    )
    if after <= before or 0 in before:
        return None
    reading = readings[0] if readings else None
    if isinstance(reading, Reading):
        pointers = {k: p.name for k, p in enumerate(reading.signature.parameters, 1) if p.places is not None}
        used = (surely_written(reading) | surely_read(reading)) - {*reading.optional}
        if all(name in used for k, name in pointers.items() if k in after or 0 in after):
            return None
    where = new.functions[symbol][0]
    reason = "an attribute says that its arguments are no null pointers, which is not known"
    return Unreadable(where.path, where.line, reason)


# The computation


OF_COMPUTATION = tuple(ChangeClass)[: tuple(ChangeClass).index(ChangeClass.CHANGED) + 1]
"""The classes that say how a function's values change, in order of severity."""


def worse(a: ChangeClass, b: ChangeClass) -> bool:
    """Whether `a` is a more severe class than `b`."""
    return OF_COMPUTATION.index(a) > OF_COMPUTATION.index(b)


def _compared(symbol: str, sources: Sequence[Source], readings: Sequence[Reading]) -> Classification:
    """Cosmetic, re-associated or changed, for two readings with the same interface."""
    inputs, kernel = constraint_set(symbol, sources, readings[1])
    old, new = readings
    flags = (sources[0].flags, sources[1].flags)
    verdict = _computation(Versions(old, new, inputs, flags), kernel)
    ways = sharings((*old.overlaps, *new.overlaps))
    if ways is None:
        where = sources[1].functions[symbol][0]
        reason = f"its arguments may be the same objects in more than {MOST_SHARINGS} ways"
        return _not_compared(verdict, Unreadable(where.path, where.line, reason))
    for same in ways:
        try:
            old, new = (read(s.functions[symbol][0], s, same) for s in sources)
        except Unread as problem:
            return _not_compared(verdict, problem.args[0])
        found = _computation(Versions(old, new, inputs, flags), kernel)
        if worse(found.kind, verdict.kind):
            pairs = " and ".join(f"{o.input} and {o.output}" for o in same)
            verdict = replace(found, detail=f"where {pairs} are the same object, {found.detail}")
    return verdict


def _not_compared(verdict: Classification, problem: Unreadable) -> Classification:
    """The verdict on a function of which a part could not be compared."""
    unread = Classification(ChangeClass.UNREADABLE, f"cannot be compared: {problem.reason}", None, problem)
    return unread if worse(ChangeClass.UNREADABLE, verdict.kind) else verdict


def _computation(versions: Versions, kernel: str) -> Classification:
    types = [_types(reading) for reading in (versions.old, versions.new)]
    if types[0] != types[1]:  # whether or not it shows
        found = find_witness(versions)
        what = f"it computes in {_words(types[1])} instead of {_words(types[0])}"
        return Classification(
            ChangeClass.CHANGED, f"{what}: {_shown(versions, found)}{_where(versions, found)}", found
        )
    if same_computation(versions.old, versions.new):
        return Classification(ChangeClass.COSMETIC, SAME_OPERATIONS + _written_wide(versions))
    equality = compare_readings(versions.old, versions.new, versions.inputs)
    if not equality.equal:
        found = find_witness(versions)
        return Classification(
            ChangeClass.CHANGED,
            _shown(versions, found) + _where(versions, found)
            if found
            else f"{equality.finding}: {_shown(versions, found)}",
            found,
        )
    return _numerically(versions, f" on the constraint set of {kernel}" if kernel else "")


def _other_sines(versions: Versions) -> str:
    """What is said of last bits where one version only has sines and cosines of the generated function."""
    paired = [any(n.value == PAIRED for n in r.program.nodes) for r in (versions.old, versions.new)]
    return "" if paired[0] == paired[1] else ", and sin and cos come from another function: last bits differ"


def _numerically(versions: Versions, where: str) -> Classification:
    """Re-associated, unless the values of two equal formulas differ by more than round-off somewhere."""
    excess, rare, unsearched = find_excess(versions)
    if excess is None and (scale := _new_scale(versions)) is not None:
        detail = f"equal{where}, but it scales by {float(scale):.3g}: results may overflow or vanish"
        return Classification(ChangeClass.CHANGED, detail)
    if excess is None:
        found, count = largest_difference(versions, rare)
        told = "".join(_remarks(unsearched)) + _other_sines(versions) + _written_wide(versions)
        detail = f"equal{where}, at most {found.ulp:.3g} ulp apart at {count} points{told}"
        return Classification(ChangeClass.REASSOCIATED, detail, found)
    shown = _shown(versions, excess.witness)
    apart = f"{shown}: equal as mathematics, but more than round-off apart"
    if not excess.is_found:
        return Classification(ChangeClass.CHANGED, f"in a branch that no point was found to take, {apart}")
    if excess.is_on_domain:
        return Classification(ChangeClass.CHANGED, apart, excess.witness)
    return Classification(ChangeClass.GUARDS, f"equal{where}; elsewhere {shown}", excess.witness)


def _remarks(left_out: Unsearched) -> Iterator[str]:
    """What is said of where no points were compared."""
    if left_out.branches:
        yield f"; no point was found that takes {_counted(left_out.branches, 'branch', 'branches')}"
    if left_out.conditions:
        conditions = _counted(left_out.conditions, "condition", "conditions")
        yield f"; beside {conditions} no points were compared, as there are so many"
    if left_out.divisors:
        divisors = _counted(left_out.divisors, "divisor", "divisors")
        yield f"; zeros of {divisors} were not searched, as there are so many"
    if left_out.has_few_losses:
        yield "; the search for lost digits was cut short, as the function is large"


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _written_wide(versions: Versions) -> str:
    """A remark on the cost where the new version writes more operations in double, with the same values."""
    more = versions.new.wide - versions.old.wide
    if more <= 0:
        return ""
    operations = "1 more operation" if more == 1 else f"{more} more operations"
    return (
        f"; {operations} on floats written in double and rounded to float: the same values, but at the cost "
        "of double arithmetic where the compiler does not shorten it"
    )


def _new_scale(versions: Versions) -> Fraction | None:
    """A factor beyond half of the exponents of its format that only the new version has."""
    known = {abs(Fraction(n.value or 0)) for n in versions.old.program.nodes if n.op is Op.CONSTANT}
    program = versions.new.program
    for op, args, _ in program.nodes:
        for i in args if op in (Op.MUL, Op.DIV) else ():
            node, held = program.nodes[i], versions.new.held[i]
            size = abs(Fraction(node.value or 0)) if node.op is Op.CONSTANT else Fraction(0)
            limit = 2 ** (512 if held is Held.DOUBLE else 64)
            if size and size != INFINITE and not 1 <= size * limit <= limit**2 and size not in known:
                return size
    return None


def _types(reading: Reading) -> frozenset[Held]:
    """The types of a function's arithmetic; where it has none, that of its arguments."""
    return reading.types or frozenset({Held.DOUBLE if reading.precision is F64 else Held.FLOAT})


def _words(types: frozenset[Held]) -> str:
    return " and ".join(held.value for held in Held if held in types)


def _shown(versions: Versions, witness: Witness | None) -> str:
    """The result that differs most, with both values; a different status takes precedence."""
    if witness is None:
        return "no counterexample was found"
    apart = {n: abs(a - b) for n, a in witness.old.items() if a != (b := witness.new[n])}
    differing = {n: size for n, size in apart.items() if size != 0 and not _both_nan(witness, n)}
    if "status" in differing:
        before, after = versions.flags
        is_, was = named(int(witness.new["status"]), after), named(int(witness.old["status"]), before)
        return f"status is {is_} instead of {was}"
    name = max(differing, key=lambda n: _rank(differing[n]))
    old, new = witness.old[name], witness.new[name]
    digits = 9 if f"{new:.9g}" != f"{old:.9g}" else 17
    return f"{name} is {new:.{digits}g} instead of {old:.{digits}g}"


def _where(versions: Versions, witness: Witness | None) -> str:
    """A remark where a counterexample lies outside the declared ranges."""
    if witness is None:
        return ""
    rounded = versions.old.precision.rounded
    ends = [e for a in versions.inputs for e in a.ends or [None] * a.size]
    inside = (
        e is None or rounded(e[0]) <= x <= rounded(e[1])
        for x, e in zip(witness.inputs.values(), ends, strict=False)  # then come the outputs' contents
    )
    return "" if all(inside) else ", outside the declared range"


def _both_nan(witness: Witness, name: str) -> bool:
    return math.isnan(witness.old[name]) and math.isnan(witness.new[name])


def _rank(size: float) -> float:
    return math.inf if math.isnan(size) else size
