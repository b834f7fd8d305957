"""Programs with loops: straight parts and loops one after the other, which pass numbers on in arrays.

Each part is a Program. It takes elements of arrays and leaves its results in elements of arrays: inputs and
results of the function, tables of constants, and local arrays, which hold what the parts share and what the
turns of a loop pass on. A loop may stand in the turns of another one, as those over the elements of the rows
of a triangle. Unrolled, the parts are one Program, which is what proofs and tests are about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from codegen.errors import FeatherError
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program, validate
from codegen.ir.rewriting import Builder
from codegen.ir.status import Status

MOST_OPERATIONS = 20_000
"""Limit on the operations of a function with loops in all turns, which proofs follow one by one."""


class Turn(NamedTuple):
    """A turn of a loop, and that of the loop in its turns, if there is one."""

    turn: int = 0
    step: int = 0


@dataclass(frozen=True)
class Place:
    """Elements of an array, from `first` on; in turn k of a loop, from `first + k * stride` on.

    In turn j of a loop in its turns they are `j * step` further. Those of rows that get longer by one element
    in each turn are also `(1 + ... + k) * growth` further.
    """

    array: str
    first: int = 0
    stride: int = 0
    step: int = 0
    growth: int = 0

    @property
    def moves(self) -> bool:
        """Whether turns take other elements."""
        return bool(self.stride or self.step or self.growth)

    def elements(self, turn: Turn, count: int) -> range:
        """The numbers of so many elements in a turn."""
        k, j = turn
        first = self.first + k * self.stride + j * self.step + k * (k + 1) // 2 * self.growth
        return range(first, first + count)


@dataclass(frozen=True)
class Part:
    """A Program, and the places of its inputs and outputs; it is computed in so many turns, or once.

    With `steps` it is a loop in the turns of the loop before it, which has as many turns: in the first of
    them it is computed so many times, and once more in each later one.
    """

    program: Program
    takes: tuple[Place, ...]
    gives: tuple[Place, ...]
    turns: int | None = None
    steps: int | None = None

    def turns_in(self, turn: int) -> list[Turn]:
        """Its turns in a turn of the loop that it is or stands in."""
        return [Turn(turn, j) for j in range(1 if self.steps is None else turn + self.steps)]

    @property
    def all_turns(self) -> list[Turn]:
        """All turns in their order; one where it is no loop."""
        return [own for k in range(self.turns or 1) for own in self.turns_in(k)]

    @property
    def given(self) -> list[tuple[Arg, Place]]:
        """Each output with its place."""
        return list(zip(self.program.outputs, self.gives, strict=True))

    @property
    def taken(self) -> list[tuple[Arg, Place]]:
        """Each input with its place."""
        return list(zip(self.program.inputs, self.takes, strict=True))

    @property
    def copies(self) -> bool:
        """Whether it computes nothing."""
        return not self.program.status and all(n.op is Op.INPUT for n in self.program.nodes)


@dataclass(frozen=True)
class Looped:
    """A function as parts, in their order, with its local arrays and its tables of constants."""

    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    locals: tuple[Arg, ...]
    tables: Mapping[str, tuple[Fraction, ...]]
    parts: tuple[Part, ...]

    @property
    def loops(self) -> list[Part]:
        """The parts that are loops."""
        return [part for part in self.parts if part.turns is not None]

    @property
    def nests(self) -> list[list[Part]]:
        """The parts, each loop together with those in its turns."""
        found: list[list[Part]] = []
        for part in self.parts:
            if part.steps is None:
                found.append([])
            found[-1].append(part)
        return found

    @property
    def count(self) -> int:
        """The operations in all turns."""
        return sum(len(part.program.nodes) * len(part.all_turns) for part in self.parts)

    def rewritten(self, rewrite: Callable[[Program], Program]) -> Looped:
        """The same with each of its Programs rewritten."""
        return self.with_parts(replace(part, program=rewrite(part.program)) for part in self.parts)

    def with_parts(self, parts: Iterable[Part]) -> Looped:
        """The same with other parts."""
        return replace(self, parts=tuple(parts))


class Unrolled(NamedTuple):
    """A function with loops as one Program; `places` are its nodes for each part, turn and node of it."""

    program: Program
    places: list[list[list[int]]]


def unrolled(looped: Looped) -> Unrolled:
    """The Program of a function with loops; FeatherError where it has too many operations."""
    if looped.count > MOST_OPERATIONS:
        raise FeatherError(
            f"its loops have {looped.count} operations in all turns, but at most {MOST_OPERATIONS} can be "
            "proven: take fewer turns, or let the caller repeat a shorter function"
        )
    graph = Builder()
    held = _first_values(graph, looped)
    status: list[tuple[int, Status]] = []
    labels: dict[int, str] = {}
    places: list[list[list[int]]] = [[] for _ in looped.parts]
    for k, turn in _in_order(looped):
        part = looped.parts[k]
        own = _inlined(graph, part, turn, held)
        places[k].append(own)
        status += ((own[n], flag) for n, flag in part.program.status)
        results = iter([own[r] for r in part.program.results])
        for a, place in part.given:
            held |= {(place.array, j): next(results) for j in place.elements(turn, a.size)}
    for part, (first, *_) in zip(looped.parts, places, strict=True):
        labels |= {first[i]: label for i, label in part.program.labels.items()}
    found = tuple(held[a.name, j] for a in looped.outputs for j in range(a.size))
    program = Program(looped.inputs, looped.outputs, tuple(graph.nodes), found, tuple(status), labels)
    validate(program)
    return Unrolled(program, places)


def _in_order(looped: Looped) -> Iterator[tuple[int, Turn]]:
    """The numbers of parts with their turns, in the order in which they are computed."""
    at = 0
    for nest in looped.nests:
        for turn in range(nest[0].turns or 1):
            for k, part in enumerate(nest, at):
                yield from ((k, own) for own in part.turns_in(turn))
        at += len(nest)


def _first_values(graph: Builder, looped: Looped) -> dict[tuple[str, int], int]:
    """The nodes of all elements that are known before the first part."""
    elements = ((a.name, j) for a in looped.inputs for j in range(a.size))
    held = {element: graph.add(Op.INPUT, value=i) for i, element in enumerate(elements)}
    for name, numbers in looped.tables.items():
        held |= {(name, j): graph.constant(x) for j, x in enumerate(numbers)}
    return held


def _inlined(graph: Builder, part: Part, turn: Turn, held: Mapping[tuple[str, int], int]) -> list[int]:
    """Add the nodes of a turn; where each of them is."""
    elements = chain.from_iterable(
        ((place.array, j) for j in place.elements(turn, a.size)) for a, place in part.taken
    )
    inputs = [held.get(element) for element in elements]
    places: list[int] = []
    for op, args, value in part.program.nodes:
        if op is Op.INPUT:
            known = inputs[int(value or 0)]
            assert known is not None
            places.append(known)
        else:
            places.append(graph.keep(Node(op, tuple(places[a] for a in args), value)))
    return places


def scalar_numbers(arguments: Sequence[Arg]) -> dict[tuple[str, int], int]:
    """The number of each element of arguments among the scalars of all of them."""
    return {element: i for i, element in enumerate((a.name, j) for a in arguments for j in range(a.size))}
