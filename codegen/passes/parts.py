"""Rewrites the parts of a function with loops, and tells each part the constants that others leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from codegen.ir.loops import Looped, Part
from codegen.ir.operations import Op
from codegen.ir.program import Node, Program
from codegen.ir.rewriting import Builder, rebuild

Known = Mapping[tuple[str, int], Fraction]
"""Elements of local arrays that are constants."""


def in_parts(looped: Looped, rewrite: Callable[[Program], Program]) -> Looped:
    """The same function with each of its Programs rewritten.

    An element that a part before the loops leaves, and no turn changes, may turn out to be a constant. The
    parts after it then have that constant, and local arrays that no part needs are left out.
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
    return _needed(looped.with_parts(parts))


def _with_constants(part: Part, known: Known) -> Program:
    """The Program of a part with the elements that are known as constants."""
    elements = [(p.array, p.first + j) for a, p in part.taken for j in range(a.size) if not p.stride]
    if known.keys().isdisjoint(elements):
        return part.program
    numbers = [
        None if place.stride else known.get((place.array, place.first + j))
        for a, place in part.taken
        for j in range(a.size)
    ]

    def rule(graph: Builder, node: Node, _: int) -> int:
        number = numbers[int(node.value or 0)] if node.op is Op.INPUT else None
        return graph.keep(node) if number is None else graph.constant(number)

    return rebuild(part.program, rule)


def _needed(looped: Looped) -> Looped:
    """The same without the local arrays of which no part reads an element."""
    read = {p.array for part in looped.parts for a, p in part.taken if a in part.program.read}
    dead = {a.name for a in looped.locals} - read
    if not dead:
        return looped
    left = replace(looped, locals=tuple(a for a in looped.locals if a.name not in dead))
    return left.with_parts(kept for part in looped.parts if (kept := _without(part, dead)) is not None)


def _without(part: Part, dead: set[str]) -> Part | None:
    """A part that leaves nothing in these arrays; None where it would leave nothing at all."""
    outputs, gives, kept = [], [], []
    results = iter(part.program.results)
    for a, place in part.given:
        own = [next(results) for _ in range(a.size)]
        if place.array not in dead:
            outputs.append(a)
            gives.append(place)
            kept += own
    if not outputs and not part.program.status:
        return None
    program = replace(part.program, outputs=tuple(outputs), results=tuple(kept))
    return replace(part, program=rebuild(program, lambda graph, node, _: graph.keep(node)), gives=tuple(gives))
