"""Prints functions with loops: what is before them, and the statements of one turn of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from codegen.emit.body import Body, Groups, Kept, Line, Statement, Store
from codegen.emit.c99 import emit, literal
from codegen.ir.loops import Loop, Looped, Unrolled
from codegen.ir.program import Arg, Program
from codegen.ir.systems import Precision

_TURN = "turn"
"""The variable that counts the turns of a loop."""


def emit_loops(
    looped: Looped,
    whole: Unrolled,
    precision: Precision,
    sources: Sequence[str],
    targets: Sequence[str],
    apart: bool,
) -> Body:
    """The C of a function with loops whose Programs are specialised; `sources` and `targets` as in `emit`.

    `whole` is the function unrolled. The values that the loops share and the total are local arrays. All that
    a turn takes of an array is read before it writes to that part of a result, so an output may be the same
    object as an input.
    """
    return Body(_Emission(looped, whole, precision, apart).groups(sources, targets), ())


class _Emission:
    """The parts of a function with loops in C."""

    def __init__(self, looped: Looped, whole: Unrolled, precision: Precision, apart: bool) -> None:
        self.looped, self.whole, self.precision, self.apart = looped, whole, precision, apart
        self.locals = looped.before.outputs[:2]

    def groups(self, sources: Sequence[str], targets: Sequence[str]) -> Groups:
        """All statements."""
        loops = zip(self.looped.loops, self.whole.turns, strict=True)
        within = (group for loop, turns in loops for group in self._loop(loop, turns))
        return (tuple(self._declarations()), *self._before(sources, targets), *within, self._end(targets))

    def _declarations(self) -> Iterator[Statement]:
        real = self.precision.ctype
        for loop in self.looped.loops:
            numbers = [literal(x, self.precision) for row in loop.rows for x in row]
            name = f"{loop.program.inputs[2].name}[{len(numbers)}]"
            yield Line("", "", f"static const {real} {name} = {{{', '.join(numbers)}}};")
        for a in self.locals:
            yield Line("", "", f"{real} {_declared(a)};")
        yield Line("", "", f"int {_TURN};")

    def _before(self, sources: Sequence[str], targets: Sequence[str]) -> Groups:
        """What is before the loops, in a block of its own."""
        kept = [_scalar(a, str(k)) for a in self.locals for k in range(a.size)]
        own = [targets[k] for k in self.looped.own]
        body = self._emitted(self.looped.before, sources, [*kept, *own])
        numbers = dict(enumerate(self.looped.own, len(kept)))
        return _block("", "{", [[_placed(s, [self.whole.before], numbers) for s in g] for g in body.groups])

    def _loop(self, loop: Loop, turns: Sequence[Sequence[int]]) -> Groups:
        shared, total, row, *_ = loop.program.inputs
        sources = [_scalar(a, str(k)) for a in (shared, total) for k in range(a.size)]
        sources += [_scalar(row, _place(row.size, k)) for k in range(row.size)]
        sources += [_element(loop, a, k) for a in loop.taken for k in range(a.size)]
        targets = [_scalar(total, str(k)) for k in range(total.size)]
        targets += [_element(loop, a, k) for a in loop.given for k in range(a.size)]
        body = self._emitted(loop.program, sources, targets)
        groups = [[self._turned(s, loop, turns) for s in group] for group in body.groups]
        return _block(row.name, f"for ({_TURN} = 0; {_TURN} < {len(loop.rows)}; {_TURN}++) {{", groups)

    def _turned(self, s: Statement, loop: Loop, turns: Sequence[Sequence[int]]) -> Statement:
        """A statement of a loop, with the nodes and results of all turns."""
        numbers: dict[int, list[int]] = {}
        at = loop.program.outputs[0].size
        for a in loop.given:
            places = [loop.places(k, a.size) for k in range(len(turns))]
            for j in range(a.size):
                numbers[at + j] = [self.looped.number(a, own[j]) for own in places]
            at += a.size
        placed = _placed(s, turns, {k: own[0] for k, own in numbers.items()})
        if isinstance(placed, Store) and isinstance(s, Store):
            return replace(placed, later=tuple(numbers[s.result][1:]))
        return placed

    def _end(self, targets: Sequence[str]) -> tuple[Statement, ...]:
        """The total after the loops, as results."""
        total, first = self.locals[1], self.looped.ends
        nodes = self.whole.program.results
        return tuple(
            Store("", targets[first + k], _scalar(total, str(k)), nodes[first + k], first + k)
            for k in range(total.size)
        )

    def _emitted(self, program: Program, sources: Sequence[str], targets: Sequence[str]) -> Body:
        return emit(program, self.precision, sources, targets, apart=self.apart)


def _placed(s: Statement, turns: Sequence[Sequence[int]], results: dict[int, int]) -> Statement:
    """A statement of a part with its nodes in the whole Program; one that writes no result keeps a value."""
    nodes = [] if s.node is None else [places[s.node] for places in turns]
    if isinstance(s, Store) and s.result not in results:
        s = Kept(s.type, s.name, s.expression, s.node)
    elif isinstance(s, Store):
        s = replace(s, result=results[s.result], row="")
    return replace(s, node=nodes[0] if nodes else None, again=tuple(nodes[1:]), depth=s.depth + 1)


def _block(name: str, head: str, groups: Sequence[Sequence[Statement]]) -> Groups:
    """Groups of statements in braces; lines are known by the name of the block."""
    first, *rest = [*map(tuple, groups)]
    *rest, last = [(Line("", name, head), *first), *rest]
    return (*rest, (*last, Line("", name, "}")))


def _declared(a: Arg) -> str:
    return f"{a.name}[{a.size}]"


def _scalar(a: Arg, index: str) -> str:
    return f"{a.name}[{index}]"


def _element(loop: Loop, a: Arg, k: int) -> str:
    """The C of an element that a turn takes or computes."""
    return _scalar(a, _place(loop.stride, loop.first + k))


def _place(stride: int, offset: int) -> str:
    return f"{stride} * {_TURN} + {offset}" if offset else f"{stride} * {_TURN}"
