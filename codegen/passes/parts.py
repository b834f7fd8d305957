"""Rewrites the parts of a function with loops, and tells each part the constants that others leave."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from codegen.ir.loops import Looped, Part, Place
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program
from codegen.ir.rewriting import Builder, rebuild
from codegen.ir.types import Array

Known = Mapping[tuple[str, int], Fraction]
"""Elements of local arrays that are constants."""


def in_parts(looped: Looped, rewrite: Callable[[Program], Program]) -> Looped:
    """The same function with each of its Programs rewritten.

    An element of a local array that no turn changes may turn out to be a constant. The parts that take it
    then have the constant. What no result and no status needs is left out.
    """
    turned = {place.array for part in looped.loops for place in part.gives}
    fixed = {a.name for a in looped.locals} - turned
    known: dict[tuple[str, int], Fraction] = {}
    parts: list[Part] = []
    for part in looped.parts:
        new = replace(part, program=rewrite(_with_constants(part, known)))
        nodes, results = new.program.nodes, iter(new.program.results)
        for a, place in new.given:
            left = [nodes[next(results)] for _ in range(a.size)]
            known |= {
                (place.array, place.first + j): Fraction(node.value)
                for j, node in enumerate(left)
                if place.array in fixed and node.op is Op.CONSTANT
            }
        parts.append(new)
    return _narrowed(_needed(looped.with_parts(parts)))


def _with_constants(part: Part, known: Known) -> Program:
    """The Program of a part with the elements that are known as constants."""
    elements = [(p.array, p.first + j) for a, p in part.taken for j in range(a.size) if not p.moves]
    if known.keys().isdisjoint(elements):
        return part.program
    numbers = [
        None if place.moves else known.get((place.array, place.first + j))
        for a, place in part.taken
        for j in range(a.size)
    ]

    def rule(graph: Builder, node: Node, _: int) -> int:
        number = numbers[int(node.value or 0)] if node.op is Op.INPUT else None
        return graph.keep(node) if number is None else graph.constant(number)

    return rebuild(part.program, rule)


def _needed(looped: Looped) -> Looped:
    """The same without what no result and no status needs."""
    live = {a.name for a in looped.outputs}
    parts: list[Part] = []
    for nest in reversed(looped.nests):
        kept = _leaving(nest, live)
        while not live.issuperset(read := _read(kept)) and nest[0].turns is not None:
            live |= read
            kept = _leaving(nest, live)
        live |= read
        parts += reversed(kept)
    held = tuple(a for a in looped.locals if a.name in live)
    tables = {name: numbers for name, numbers in looped.tables.items() if name in live}
    return replace(looped, locals=held, tables=tables, parts=tuple(reversed(parts)))


def _read(nest: Sequence[Part]) -> set[str]:
    """The arrays of which these parts read an element."""
    return {place.array for part in nest for a, place in part.taken if a in part.program.read}


def _leaving(nest: Sequence[Part], live: set[str]) -> list[Part]:
    """The parts that leave numbers in these arrays only, without those that leave none.

    A loop stays where one in its turns does.
    """
    found = [_left_in(part, live) for part in nest]
    used = [bool(part.program.outputs or part.program.status) for part in found]
    used[0] = any(used)
    return [part for part, is_used in zip(found, used, strict=True) if is_used]


def _left_in(part: Part, live: set[str]) -> Part:
    """The part that leaves numbers in these arrays only."""
    kept: list[tuple[Arg, Place]] = []
    results: list[int] = []
    stream = iter(part.program.results)
    for a, place in part.given:
        own = [next(stream) for _ in range(a.size)]
        if place.array in live:
            kept.append((a, place))
            results += own
    if len(kept) == len(part.gives):
        return part
    program = replace(part.program, outputs=tuple(a for a, _ in kept), results=tuple(results))
    alive = rebuild(program, lambda graph, node, _: graph.keep(node))
    return replace(part, program=alive, gives=tuple(place for _, place in kept))


class _Left(NamedTuple):
    """The columns that are left of an array whose rows had so many numbers; a local array has one row."""

    columns: Sequence[int]
    width: int


def _narrowed(looped: Looped) -> Looped:
    """The same without the elements of local arrays, and the columns of tables, that no part reads.

    Local arrays that loops step through keep all theirs.
    """
    read = {element for part in looped.parts for element in _elements_read(part)}
    left = {**_left_of_locals(looped, read), **_left_of_tables(looped, read)}
    left = {name: own for name, own in left.items() if 0 < len(own.columns) < own.width}
    if not left:
        return looped
    held = tuple(
        replace(a, type=Array((len(left[a.name].columns),))) if a.name in left else a for a in looped.locals
    )
    tables = {
        name: _in_columns(numbers, left[name]) if name in left else numbers
        for name, numbers in looped.tables.items()
    }
    parts = tuple(_with_elements(part, left) for part in looped.parts)
    return replace(looped, locals=held, tables=tables, parts=parts)


def _left_of_locals(looped: Looped, read: Collection[tuple[str, int]]) -> dict[str, _Left]:
    """What is left of the local arrays through which no loop steps."""
    stepped = {p.array for part in looped.parts for p in (*part.takes, *part.gives) if p.moves}
    fixed = [a for a in looped.locals if isinstance(a.type, Array) and a.name not in stepped]
    return {a.name: _Left([j for j in range(a.size) if (a.name, j) in read], a.size) for a in fixed}


def _left_of_tables(looped: Looped, read: Collection[tuple[str, int]]) -> dict[str, _Left]:
    """What is left of the tables through which all that read them step by a row in each turn."""
    found = dict[str, _Left]()
    for name in looped.tables:
        taken = [(a, p) for part in looped.parts for a, p in part.taken if p.array == name]
        width = max((abs(p.stride) for _, p in taken), default=0)
        if all(_steps_by_rows(a, p, width) for a, p in taken):
            found[name] = _Left(sorted({j % width for array, j in read if array == name}), width)
    return found


def _steps_by_rows(a: Arg, place: Place, width: int) -> bool:
    """Whether each turn takes numbers of one row, and the next turn those of the row beside it."""
    stays = not place.step and not place.growth
    return stays and abs(place.stride) == width > 0 and place.first % width + a.size <= width


def _in_columns(numbers: Sequence[Fraction], left: _Left) -> tuple[Fraction, ...]:
    """The numbers of a table in the columns that are left."""
    return tuple(x for j, x in enumerate(numbers) if j % left.width in left.columns)


def _elements_read(part: Part) -> Iterator[tuple[str, int]]:
    """The elements that a part reads of arrays, in its first turn."""
    taken = [(p.array, p.first + j) for a, p in part.taken for j in range(a.size)]
    yield from (taken[int(n.value or 0)] for n in part.program.nodes if n.op is Op.INPUT)


def _with_elements(part: Part, left: Mapping[str, _Left]) -> Part:
    """The part where of these arrays only the elements that are left exist."""
    taken, numbers = _placed(part.taken, left)
    given, results = _placed(part.given, left)
    moved = {old: new for new, old in enumerate(numbers)}

    def rule(graph: Builder, node: Node, _: int) -> int:
        return (
            graph.add(Op.INPUT, value=moved[int(node.value or 0)])
            if node.op is Op.INPUT
            else graph.keep(node)
        )

    narrow = replace(
        part.program,
        outputs=tuple(a for a, _ in given),
        results=tuple(part.program.results[k] for k in results),
    )
    program = rebuild(rebuild(narrow, lambda graph, node, _: graph.keep(node)), rule)
    program = replace(program, inputs=tuple(a for a, _ in taken))
    return replace(part, program=program, takes=tuple(p for _, p in taken), gives=tuple(p for _, p in given))


def _placed(
    arguments: Sequence[tuple[Arg, Place]], left: Mapping[str, _Left]
) -> tuple[list[tuple[Arg, Place]], list[int]]:
    """Arguments with their places among the elements that are left, and the numbers of their old scalars."""
    found: list[tuple[Arg, Place]] = []
    numbers: list[int] = []
    at = 0
    for a, place in arguments:
        known = left.get(place.array)
        row, column = divmod(place.first, known.width if known else 1)
        own = [j for j in range(a.size) if known is None or column + j in known.columns]
        numbers += [at + j for j in own]
        at += a.size
        if known is None:
            found.append((a, place))
        elif own:
            width = len(known.columns)
            first = row * width + known.columns.index(column + own[0])
            stride = place.stride // known.width * width
            found.append((replace(a, type=Array((len(own),))), Place(place.array, first, stride)))
    return found, numbers
