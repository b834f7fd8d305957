"""Cuts a formula with loops into parts: what is before, in, between and after the loops.

The formula is recorded with symbols for what a turn is given and for what a loop leaves. An expression
belongs to a turn if it depends on a symbol of that turn, and else to the first straight part that needs it:
what does not change from turn to turn is computed once, before the loop. Straight part k is before loop k.
What another part needs of it, it leaves in a local array.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate, chain, count
from typing import NamedTuple

from codegen.errors import FormulaError
from codegen.ir.expression import Expr
from codegen.ir.loops import Looped, Part, Place
from codegen.ir.operations import LEAVES, Op, Sort
from codegen.ir.program import Arg, Node, Program, validate
from codegen.ir.status import Status
from codegen.ir.types import REAL, Array, Real, is_integer
from codegen.modeling.names import RESERVED
from codegen.modeling.types.loops import Held, Turns

Requirement = tuple[Expr, Status]

_COPIED = 4
"""The fewest elements of a result that a loop copies from a local array."""


class _Where(NamedTuple):
    """The part in which an expression is computed: straight part k, or the turns of loop k."""

    part: int
    in_turns: bool = False


@dataclass(frozen=True)
class _Source:
    """An argument of a part, and its place."""

    arg: Arg
    place: Place


@dataclass(frozen=True)
class _Target:
    """An output of a part, its place, and its scalars as expressions."""

    arg: Arg
    place: Place
    scalars: Sequence[Expr]


@dataclass
class _Names:
    """Names of the arrays and values of a function, each once."""

    taken: set[str]

    def fresh(self, name: str, suffix: str = "") -> tuple[str, str]:
        """A name like this one, and the same with a suffix: `x`, `x_now` or `x_2`, with `x_next`."""
        for number in count(1):
            base = name if number == 1 else f"{name}_{number}"
            for own in (base, f"{base}_now") if suffix else (base,):
                found = own, base + suffix if suffix else own
                if not self.taken.intersection(found) and RESERVED.isdisjoint(found):
                    self.taken.update(found)
                    return found
        raise AssertionError


def cut(
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    symbols: Sequence[Expr],
    results: Sequence[Expr],
    requirements: Sequence[Requirement],
    loops: Sequence[Turns],
) -> Looped:
    """The parts of a formula with loops, run on these symbols of its inputs.

    FormulaError where it uses a value of a turn outside of the loop.
    """
    formula = _Formula(inputs, outputs, symbols, loops)
    formula.take(results, requirements)
    return formula.looped()


@dataclass
class _Array:
    """A local array: its C name is that of `held`; a part that takes it calls it by the name of `arg`."""

    arg: Arg
    held: Arg

    @property
    def place(self) -> Place:
        return Place(self.held.name)


@dataclass
class _Loop:
    """A loop: what is before it in local arrays, what a turn leaves in them, and its number of turns."""

    count: int
    before: list[_Target] = field(default_factory=list)
    after: list[_Target] = field(default_factory=list)


class _Formula:
    """A formula on its way into parts."""

    def __init__(
        self, inputs: Sequence[Arg], outputs: Sequence[Arg], symbols: Sequence[Expr], loops: Sequence[Turns]
    ) -> None:
        self.inputs, self.outputs = tuple(inputs), tuple(outputs)
        self.names = _Names({"turn", "status", *(a.name for a in (*inputs, *outputs))})
        self.sources: dict[int, tuple[_Source, int]] = {}  # by identity: argument of other parts, and element
        self.where: dict[int, _Where] = {}  # by identity
        self.order: list[_Source] = []  # all sources, in the order in which parts take them
        self.locals: list[Arg] = []
        self.tables: dict[str, tuple[Fraction, ...]] = {}
        self.of_input: dict[int, tuple[str, int]] = {}
        stream = iter(symbols)
        for a in inputs:
            own = [next(stream) for _ in range(a.size)]
            self.of_input |= {id(x): (a.name, j) for j, x in enumerate(own)}
            self._given(_Source(a, Place(a.name)), own, _Where(0))
        self.arrays = {a.name for a in inputs if isinstance(a.type, Array)}
        self.loops = [self._loop(k, turns) for k, turns in enumerate(loops)]
        self.roots: dict[_Where, list[_Target]] = {}
        self.status: dict[_Where, list[Requirement]] = {}
        self.keep = symbols  # so that their identities stay theirs

    # Where symbols are

    def _given(self, source: _Source, symbols: Sequence[Expr], where: _Where) -> None:
        """Note the place of symbols, and the part that knows them first."""
        self.order.append(source)
        for j, x in enumerate(symbols):
            self.sources[id(x)] = source, j
            self.where[id(x)] = where

    def _array(self, name: str, size: int, suffix: str, doc: str) -> _Array:
        """A new local array."""
        names = self.names.fresh(name, suffix)
        found = _Array(*(Arg(n, _kind(size), "mixed", doc) for n in names))
        self.locals.append(found.held)
        return found

    def _loop(self, k: int, turns: Turns) -> _Loop:
        loop = _Loop(turns.count)
        values = zip(turns.before, turns.during, turns.after, turns.next, strict=True)
        for before, during, after, new in values:
            array = self._array(during.name, len(before), "_next", f"{during.name} of the next turn")
            loop.before.append(_Target(array.held, array.place, before))
            loop.after.append(_Target(array.held, array.place, new))
            self._given(_Source(array.arg, array.place), during.scalars, _Where(k, True))
            self._given(_Source(array.arg, array.place), after.scalars, _Where(k + 1))
        self._items(k, loop, turns)
        if turns.found:
            size = turns.count * len(turns.found)
            array = self._array(turns.collected.name, size, "", "results of all turns")
            each = Arg(f"{array.held.name}_turn", _kind(len(turns.found)), "mixed", "results of a turn")
            loop.after.append(_Target(each, Place(array.held.name, 0, each.size), turns.found))
            self._given(_Source(array.arg, array.place), turns.collected.scalars, _Where(k + 1))
            self.of_input |= {id(x): (array.held.name, j) for j, x in enumerate(turns.collected.scalars)}
            self.arrays.add(array.held.name)
        return loop

    # Items of loops

    def _items(self, k: int, loop: _Loop, turns: Turns) -> None:
        """Find the scalars of an item: in a table of constants, an array, or one that is filled before."""
        columns = {j: [row[j] for row in turns.items] for j in turns.varying}
        constant = [j for j, column in columns.items() if all(x.op is Op.CONSTANT for x in column)]
        runs = _runs({j: run for j, c in columns.items() if (run := self._run(c)) is not None})
        placed = {*constant, *(j for _, own in runs for j in own)}
        computed = [j for j in columns if j not in placed]
        if constant:
            name, _ = self.names.fresh(turns.item.name)
            self.tables[name] = tuple(Fraction(row[j].value) for row in turns.items for j in constant)
            self._item(k, turns.item, name, Place(name, 0, len(constant)), constant)
        for place, own in runs:
            name = turns.item.name if len(own) == len(columns) else f"{place.array}_turn"
            self._item(k, turns.item, self.names.fresh(name)[0], place, own)
        if computed:
            array = self._array(turns.item.name, turns.count * len(computed), "_all", "items of all turns")
            scalars = [row[j] for row in turns.items for j in computed]
            loop.before.append(_Target(array.held, array.place, scalars))
            place = Place(array.held.name, 0, len(computed))
            self._item(k, turns.item, array.arg.name, place, computed)

    def _item(self, k: int, item: Held, name: str, place: Place, own: Sequence[int]) -> None:
        """Note the place of these scalars of an item."""
        arg = Arg(name, _kind(len(own)), "mixed", "numbers of a turn")
        self._given(_Source(arg, place), [item.scalars[j] for j in own], _Where(k, True))

    def _run(self, column: Sequence[Expr]) -> Place | None:
        """The place of a scalar of the items, if it is evenly spaced elements of one array."""
        found = [self.of_input.get(id(x)) for x in column]
        if any(x is None or x[0] not in self.arrays for x in found):
            return None
        elements = [(name, j) for name, j in (x for x in found if x is not None)]
        (name, first), (_, second) = elements[:2]
        even = [(name, first + turn * (second - first)) for turn in range(len(elements))]
        return Place(name, first, second - first) if elements == even and second > first else None

    # Where expressions are computed

    def take(self, results: Sequence[Expr], requirements: Sequence[Requirement]) -> None:
        """Assign results, requirements, and what loops need to parts; then what these need of other parts."""
        last = len(self.loops)
        scalars = iter(results)
        final = [_Target(a, Place(a.name), [next(scalars) for _ in range(a.size)]) for a in self.outputs]
        self._root(_Where(last), final)
        for k, loop in enumerate(self.loops):
            self._root(_Where(k), loop.before)
            self._root(_Where(k, True), loop.after)
        for requirement in requirements:
            self._locate(requirement[0])
            self.status.setdefault(self.where[id(requirement[0])], []).append(requirement)
        self._sink()
        for where in reversed(self._parts()):
            self._share(where)

    def _root(self, where: _Where, targets: Sequence[_Target]) -> None:
        """Let a part compute these; FormulaError where they are not known there."""
        self.roots.setdefault(where, []).extend(targets)
        for target in targets:
            for x in target.scalars:
                self._locate(x)
                self._expect(where, self.where[id(x)])

    def _expect(self, where: _Where, of: _Where) -> None:
        """FormulaError unless a part knows what is computed in another."""
        if not (of == where if of.in_turns else of.part <= where.part):
            raise FormulaError(
                "a value of a turn is used outside of its loop: let the loop's function return it, "
                "as one of the values that repeat or for_each gives"
            )

    def _locate(self, root: Expr) -> None:
        """Find the part of an expression and of all below it."""
        for x in _below(root, self.where):
            found = [self.where[id(a)] for a in x.args]
            turns = next((w for w in found if w.in_turns), None)
            own = turns or _Where(max((w.part for w in found), default=0))
            for w in found:
                self._expect(own, w)
            self.where[id(x)] = own

    def _sink(self) -> None:
        """Compute what does not change from turn to turn in, or before, the first part that needs it."""
        done: set[int] = set()
        for where in self._parts():
            for root in self._roots_of(where):
                for x in _below(root, done):
                    done.add(id(x))
                    if not self.where[id(x)].in_turns and x.op is not Op.INPUT:
                        self.where[id(x)] = _Where(where.part)

    def _parts(self) -> list[_Where]:
        """All parts, in their order."""
        loops = range(len(self.loops))
        return [*chain(*((_Where(k), _Where(k, True)) for k in loops)), _Where(len(self.loops))]

    def _share(self, where: _Where) -> None:
        """Let the parts before this one leave what it needs of them."""
        needed: dict[int, list[Expr]] = {}
        for x, own in self._needs(where):
            if not own and id(x) not in self.sources and x.op not in LEAVES:
                needed.setdefault(self.where[id(x)].part, []).append(x)
        for part, values in sorted(needed.items()):
            array = self._array("shared", len(values), "", "values that other parts share")
            source = _Source(array.arg, array.place)
            self.order.append(source)
            self.sources |= {id(x): (source, j) for j, x in enumerate(values)}
            self.roots.setdefault(_Where(part), []).append(_Target(array.held, array.place, values))

    def _roots_of(self, where: _Where) -> list[Expr]:
        targets = (x for target in self.roots.get(where, []) for x in target.scalars)
        return [*targets, *(condition for condition, _ in self.status.get(where, []))]

    def _needs(self, where: _Where) -> Iterator[tuple[Expr, bool]]:
        """All expressions that a part needs, operands first, and whether it computes them.

        A condition is computed wherever it is needed, because local arrays hold real numbers.
        """
        done: set[int] = set()
        stack = [(x, False) for x in reversed(self._roots_of(where))]
        while stack:
            x, ready = stack.pop()
            own = self.where[id(x)] == where or x.op.result is not Sort.REAL
            if id(x) not in done and (ready or not own or x.op in LEAVES):
                done.add(id(x))
                yield x, x.op is not Op.INPUT and (own or x.op in LEAVES)
            elif id(x) not in done:
                stack.append((x, True))
                stack.extend((a, False) for a in reversed(x.args))

    # Parts

    def looped(self) -> Looped:
        """All parts that compute something."""
        last = len(self.loops)
        copies = [copy for target in self.roots[_Where(last)] if (copy := self._copy(target)) is not None]
        copied = {copy.gives[0].array for copy in copies}
        self.roots[_Where(last)] = [t for t in self.roots[_Where(last)] if t.place.array not in copied]
        parts = [self._part(where) for where in self._parts()]
        kept = [part for part in (*parts, *copies) if part.program.outputs or part.program.status]
        return Looped(self.inputs, self.outputs, tuple(self.locals), self.tables, tuple(kept))

    def _part(self, where: _Where) -> Part:
        """A part: the Program of what it leaves, and of its requirements."""
        needs = list(self._needs(where))
        taken = {id(self.sources[id(x)][0]) for x, own in needs if not own}
        sources = [source for source in self.order if id(source) in taken]
        starts = accumulate((source.arg.size for source in sources), initial=0)
        firsts = dict(zip(map(id, sources), starts, strict=False))
        index: dict[int, int] = {}
        nodes: list[Node] = []
        labels: dict[int, str] = {}
        for x, own in needs:
            index[id(x)] = len(nodes)
            if own:
                nodes.append(Node(x.op, tuple(index[id(a)] for a in x.args), x.value))
            else:
                source, element = self.sources[id(x)]
                nodes.append(Node(Op.INPUT, (), firsts[id(source)] + element))
            if own and x.label is not None:
                labels[index[id(x)]] = x.label
        targets = self.roots.get(where, [])
        program = Program(
            tuple(source.arg for source in sources),
            tuple(target.arg for target in targets),
            tuple(nodes),
            tuple(index[id(x)] for target in targets for x in target.scalars),
            tuple((index[id(condition)], flag) for condition, flag in self.status.get(where, [])),
            labels,
        )
        validate(program)
        turns = self.loops[where.part].count if where.in_turns else None
        return Part(program, tuple(s.place for s in sources), tuple(t.place for t in targets), turns)

    def _copy(self, target: _Target) -> Part | None:
        """The loop that copies a result from a local array; None where it is no list that a loop leaves."""
        listed = isinstance(target.arg.type, Array) and not is_integer(target.arg.type)
        if target.arg.size < _COPIED or target.arg.optional or not listed:
            return None
        run = self._run(target.scalars)
        if run is None or run.stride != 1 or run.array in {a.name for a in self.inputs}:
            return None
        one = [Arg(name, REAL, target.arg.unit, target.arg.doc) for name in ("element", "copy")]
        program = Program((one[0],), (one[1],), (Node(Op.INPUT, (), 0),), (0,))
        return Part(program, (run,), (Place(target.arg.name, 0, 1),), target.arg.size)


def _kind(count: int) -> Real | Array:
    """The type of so many scalars."""
    return REAL if count == 1 else Array((count,))


def _runs(found: Mapping[int, Place]) -> list[tuple[Place, list[int]]]:
    """The scalars of an item that follow each other in an array, from the place of the first."""
    runs: list[tuple[Place, list[int]]] = []
    for j, place in found.items():
        if runs:
            (begin, own) = runs[-1]
            if replace(begin, first=begin.first + len(own)) == place and own[-1] + 1 == j:
                own.append(j)
                continue
        runs.append((place, [j]))
    return runs


def _below(root: Expr, known: Container[int]) -> Iterator[Expr]:
    """The expressions below and with this one that are not known yet, operands first."""
    stack = [(root, False)]
    while stack:
        x, ready = stack.pop()
        if ready:
            if id(x) not in known:
                yield x
        elif id(x) not in known:
            stack.append((x, True))
            stack.extend((a, False) for a in reversed(x.args) if id(a) not in known)
