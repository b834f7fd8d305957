"""Programs with loops, whose turns differ in constants and in the elements of arrays that they take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program, starts, validate
from codegen.ir.rewriting import Builder


@dataclass(frozen=True)
class Loop:
    """A Program that is computed once for each row of a table of constants.

    Its inputs are the values that all turns share, a total, the row, and elements of arrays among the
    function's inputs, by their names. Its outputs are the next total and elements of results. Turn k has the
    elements `first + k * stride`, `first + k * stride + 1` and so on.
    """

    program: Program
    rows: tuple[tuple[Fraction, ...], ...]
    first: int
    stride: int

    @property
    def taken(self) -> tuple[Arg, ...]:
        """The elements of the function's inputs that a turn takes."""
        return self.program.inputs[3:]

    @property
    def given(self) -> tuple[Arg, ...]:
        """The elements of the function's results that a turn computes."""
        return self.program.outputs[1:]

    def places(self, turn: int, count: int) -> list[int]:
        """The elements of an array of which a turn has so many."""
        first = self.first + turn * self.stride
        return [*range(first, first + count)]


@dataclass(frozen=True)
class Looped:
    """A function as a Program with loops after it.

    `before` takes the function's inputs. Its outputs are the values that the loops share, the total before
    them, and, if there are any, the results that no loop computes: the scalars of the function's outputs
    whose numbers are `own`. The total after the loops is the scalars from number `ends` on.
    """

    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    before: Program
    loops: tuple[Loop, ...]
    own: tuple[int, ...]
    ends: int

    def rewritten(self, rewrite: Callable[[Program], Program]) -> Looped:
        """The same with each of its Programs rewritten."""
        loops = (replace(loop, program=rewrite(loop.program)) for loop in self.loops)
        return replace(self, before=rewrite(self.before), loops=tuple(loops))

    def number(self, output: Arg, element: int) -> int:
        """The number of an element of a result among the scalars of all results."""
        return starts(self.outputs)[output.name] + element


class Unrolled(NamedTuple):
    """A function with loops as one Program; `before` and, for each loop, `turns` are where its nodes are."""

    program: Program
    before: list[int]
    turns: list[list[list[int]]]


def unrolled(looped: Looped) -> Unrolled:
    """The Program of a function with loops: every turn with the constants of its row."""
    graph = Builder()
    inputs = starts(looped.inputs)
    given = [graph.add(Op.INPUT, value=i) for i in range(sum(a.size for a in looped.inputs))]
    before = _inlined(graph, looped.before, given)
    found = _results(looped.before, before)
    shared, total = found.pop(0), found.pop(0)
    results = dict(zip(looped.own, [x for scalars in found for x in scalars], strict=True))
    turns: list[list[list[int]]] = []
    for loop in looped.loops:
        turns.append([])
        for k, row in enumerate(loop.rows):
            own = [given[inputs[a.name] + j] for a in loop.taken for j in loop.places(k, a.size)]
            taken = [*shared, *total, *map(graph.constant, row), *own]
            turns[-1].append(_inlined(graph, loop.program, taken))
            total, *parts = _results(loop.program, turns[-1][-1])
            for a, part in zip(loop.given, parts, strict=True):
                own = [looped.number(a, j) for j in loop.places(k, a.size)]
                results |= zip(own, part, strict=True)
    results |= {looped.ends + k: x for k, x in enumerate(total)}
    labels = _labels(looped, before, turns)
    ordered = tuple(results[k] for k in sorted(results))
    program = Program(looped.inputs, looped.outputs, tuple(graph.nodes), ordered, (), labels)
    validate(program)
    return Unrolled(program, before, turns)


def _inlined(graph: Builder, program: Program, inputs: Sequence[int]) -> list[int]:
    """Add a Program's nodes for these inputs; where each of them is."""
    places: list[int] = []
    for op, args, value in program.nodes:
        if op is Op.INPUT:
            places.append(inputs[int(value or 0)])
        else:
            places.append(graph.keep(Node(op, tuple(places[a] for a in args), value)))
    return places


def _results(program: Program, places: Sequence[int]) -> list[list[int]]:
    """Where the scalars of each output are."""
    scalars = iter(program.results)
    return [[places[next(scalars)] for _ in range(a.size)] for a in program.outputs]


def _labels(
    looped: Looped, before: Sequence[int], turns: Sequence[Sequence[Sequence[int]]]
) -> dict[int, str]:
    """The names of values before the loops and in the first turn of each."""
    parts = [(looped.before, before), *((p.program, t[0]) for p, t in zip(looped.loops, turns, strict=True))]
    return {places[i]: label for program, places in parts for i, label in program.labels.items()}
