"""Prints functions with loops: the statements of each part, and of one turn of each loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from codegen.emit.body import Body, Ending, Groups, Kept, Line, Raise, Requirement, Statement, Store
from codegen.emit.c99 import emit, literal
from codegen.ir.loops import Looped, Part, Place, Unrolled, scalar_numbers
from codegen.ir.systems import Precision
from codegen.ir.types import Real

TURN = "turn"
"""The variable that counts the turns of a loop."""

STEP = "step"
"""The variable that counts those of a loop in a turn."""

STATUS = "status"
"""The variable that holds the flags that are raised."""


class Setting(NamedTuple):
    """How a function with loops is printed.

    `prefix` begins the names of the library, `scope` those of what the functions of a file share. Where its
    objects are `apart`, no output is the same object as an input. Sines and cosines of one angle are computed
    together where they are `paired`.
    """

    precision: Precision
    prefix: str
    scope: str
    apart: bool
    paired: bool


def emit_loops(
    looped: Looped,
    whole: Unrolled,
    names: Sequence[Mapping[int, str]],
    setting: Setting,
    sources: Sequence[str],
    targets: Sequence[str],
) -> Body:
    """The C of a function with loops whose Programs are specialised; `sources` and `targets` as in `emit`.

    `whole` is the function unrolled; `names` are hints for each part. What the parts share and what the turns
    pass on are local arrays. All that a part takes is read before it writes to a result, and where a loop
    writes to a result, no later part takes an input, so an output may be the same object as an input.
    """
    return Body(_Emission(looped, whole, setting, sources, targets).groups(names), ())


class _Emission:
    """The parts of a function with loops in C."""

    def __init__(
        self,
        looped: Looped,
        whole: Unrolled,
        setting: Setting,
        sources: Sequence[str],
        targets: Sequence[str],
    ) -> None:
        self.looped, self.whole, self.setting = looped, whole, setting
        self.numbers = scalar_numbers(looped.outputs)
        self.sources = dict(zip(scalar_numbers(looped.inputs), sources, strict=True))
        self.targets = dict(zip(self.numbers, targets, strict=True))
        arguments = (*looped.inputs, *looped.outputs, *looped.locals)
        self.taken = {TURN, STEP, STATUS, *looped.tables, *(a.name for a in arguments)}
        self.locals = {a.name: a for a in looped.locals}

    def groups(self, names: Sequence[Mapping[int, str]]) -> Groups:
        """All statements."""
        parts = zip(self.whole.places, names, strict=True)
        within = [group for nest in self.looped.nests for group in self._nest(nest, parts)]
        return (tuple(self._declarations()), *within, *self._end())

    def _nest(
        self, nest: Sequence[Part], of_parts: Iterator[tuple[Sequence[Sequence[int]], Mapping[int, str]]]
    ) -> Groups:
        """The statements of a part with those of the loops in its turns, which have names of their own."""
        found, taken = list[tuple[Statement, ...]](), self.taken
        for part in nest:
            own = self._part(part, *next(of_parts), taken)
            found = _into_last(found, own) if found else list(own)
            taken = taken | {s.name for group in own for s in group}
        return tuple(found)

    @property
    def _flags(self) -> tuple[Requirement, ...]:
        """Each flag that is raised, without its conditions."""
        status = (flag for part in self.looped.parts for _, flag in part.program.status)
        return tuple(Requirement(flag.name or "", "", ()) for flag in dict.fromkeys(status))

    def _declarations(self) -> Iterator[Statement]:
        real = self.setting.precision.ctype
        for name, numbers in self.looped.tables.items():
            values = ", ".join(literal(x, self.setting.precision) for x in numbers)
            yield Line("", "", f"static const {real} {name}[{len(numbers)}] = {{{values}}};")
        for a in self.looped.locals:
            extent = "" if isinstance(a.type, Real) else f"[{a.size}]"
            yield Line("", "", f"{real} {a.name}{extent};")
        if self._flags:
            macro = self.setting.prefix.upper()
            yield Line("", "", f"{self.setting.prefix}status {STATUS} = {macro}OK;")
        counters = [TURN, *([STEP] if any(part.steps is not None for part in self.looped.parts) else [])]
        yield Line("", "", f"int {', '.join(counters)};")

    def _end(self) -> Groups:
        return ((Ending("", "", f"return {STATUS}", None, self._flags),),) if self._flags else ()

    def _part(
        self, part: Part, turns: Sequence[Sequence[int]], names: Mapping[int, str], taken: set[str]
    ) -> Groups:
        if self._only_copies(part):
            return (tuple(self._copies(part, turns)),)
        sources = self._sources(part)
        targets = [self._element(p, k, self.targets) for a, p in part.given for k in range(a.size)]
        apart = self.setting.apart and {p.array for p in part.takes}.isdisjoint(p.array for p in part.gives)
        body = emit(
            part.program,
            self.setting.precision,
            sources,
            targets,
            names,
            apart,
            self.setting.scope,
            taken,
            self.setting.paired,
        )
        groups = [[self._placed(s, part, turns) for s in group] for group in body.groups]
        groups += [[self._raised(r, turns) for r in body.status]] if body.status else []
        if part.turns is None and not any(s.type for group in groups for s in group):
            return tuple(tuple(replace(s, depth=s.depth - 1) for s in group) for group in groups)
        if part.turns is None:
            return _block(self._over(part), "{", groups)
        count, end = TURN, str(part.turns)
        if part.steps is not None:
            count, end = STEP, f"{TURN} + {part.steps}" if part.steps else TURN
        return _block(self._over(part), f"for ({count} = 0; {count} < {end}; {count}++) {{", groups)

    def _over(self, part: Part) -> str:
        """What a block is about; of several about the same, later ones also have a number."""
        name, before = self._table(part), takewhile(lambda own: own is not part, self.looped.parts)
        earlier = sum(self._table(own) == name for own in before)
        return f"{name}_{earlier + 1}" if earlier else name

    def _table(self, part: Part) -> str:
        """The table of a loop, the turn if it has none, nothing for another part."""
        if part.turns is None:
            return ""
        return next((p.array for p in part.takes if p.array in self.looped.tables), TURN)

    def _only_copies(self, part: Part) -> bool:
        """Whether a part copies local arrays to what is there in any case."""
        local = all(place.array in self.locals for place in part.takes)
        optional = any(a.optional for a in part.program.outputs)
        return part.copies and part.turns is None and local and not optional

    def _copies(self, part: Part, turns: Sequence[Sequence[int]]) -> Iterator[Statement]:
        """The statements of a part that copies local arrays."""
        sources = self._sources(part)
        results = iter(part.program.results)
        for a, place in part.given:
            for j in range(a.size):
                node = next(results)
                source = sources[int(part.program.nodes[node].value or 0)]
                target = self._element(place, j, self.targets)
                number = self.numbers.get((place.array, place.first + j))
                if number is None:
                    yield Kept("", target, source, turns[0][node])
                else:
                    yield Store("", target, source, turns[0][node], number)

    def _sources(self, part: Part) -> list[str]:
        """The C of each scalar that a part takes."""
        return [self._element(p, k, self.sources) for a, p in part.taken for k in range(a.size)]

    def _element(self, place: Place, k: int, of_function: Mapping[tuple[str, int], str]) -> str:
        """The C of an element that a turn takes or computes."""
        if not place.moves and (place.array, place.first + k) in of_function:
            return of_function[place.array, place.first + k]
        own = self.locals.get(place.array)
        if own is not None and isinstance(own.type, Real):
            return own.name
        return f"{place.array}[{_index(place, k)}]"

    def _placed(self, s: Statement, part: Part, turns: Sequence[Sequence[int]]) -> Statement:
        """A statement of a part, with the nodes and the results of all turns."""
        nodes = [] if s.node is None else [places[s.node] for places in turns]
        if isinstance(s, Store):
            found = self._results(part, s.result)
            if found:
                s = replace(s, result=found[0], later=tuple(found[1:]), row="")
            else:
                s = Kept(s.type, s.name, s.expression, s.node)
        return replace(s, node=next(iter(nodes), None), again=tuple(nodes[1:]), depth=s.depth + 1)

    def _results(self, part: Part, scalar: int) -> list[int]:
        """The results of the function that a scalar of a part is in its turns; none for a local array."""
        for a, place in part.given:
            if scalar < a.size:
                elements = [place.elements(turn, a.size)[scalar] for turn in part.all_turns]
                return [self.numbers[place.array, j] for j in elements if (place.array, j) in self.numbers]
            scalar -= a.size
        raise AssertionError

    def _raised(self, r: Requirement, turns: Sequence[Sequence[int]]) -> Raise:
        """The statement that raises a flag in each turn in which its condition does not hold."""
        first, *later = ([places[n] for n in r.nodes] for places in turns)
        found = replace(r, nodes=tuple(first))
        again = tuple(n for nodes in later for n in nodes)
        macro = self.setting.prefix.upper() + r.flag
        return Raise("", STATUS, macro, None, (found,), again=again, depth=1)


def _block(name: str, head: str, groups: Sequence[Sequence[Statement]]) -> Groups:
    """Groups of statements in braces; lines are known by the name of the block."""
    first, *rest = [*map(tuple, groups)]
    *rest, last = [(Line("", name, head), *first), *rest]
    return (*rest, (*last, Line("", name, "}")))


def _into_last(groups: Sequence[tuple[Statement, ...]], inner: Groups) -> list[tuple[Statement, ...]]:
    """Groups of which the last ends a block, with others before that end."""
    *before, last = groups
    *others, ended = [tuple(replace(s, depth=s.depth + 1) for s in group) for group in inner]
    return [*before, last[:-1], *others, (*ended, last[-1])]


def _index(place: Place, k: int) -> str:
    """The C of the index of an element that a turn takes or computes."""
    terms = [(place.stride, TURN), (place.growth, f"{TURN} * ({TURN} + 1) / 2"), (place.step, STEP)]
    added = [_times(by, what) for by, what in terms if by > 0]
    offset = place.first + k
    if offset or not added:
        added.append(str(offset))
    return " - ".join([" + ".join(added), *(_times(-by, what) for by, what in terms if by < 0)])


def _times(count: int, what: str) -> str:
    return what if count == 1 else f"{count} * {what}"
