"""halves: cuts a Program in two: what comes before some of its inputs are known, and what comes after."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program, starts
from codegen.ir.rewriting import Builder
from codegen.ir.types import Array


class Halves(NamedTuple):
    """The two halves: the last output of the first is the first input of the second."""

    first: Program
    second: Program


def halves(
    program: Program, outputs: int, late: Collection[str], again: Collection[str], kept: str
) -> Halves:
    """The first half gives so many outputs, without the inputs that are known `late`; the second the others.

    The second takes late inputs, and those that it is given `again`. All else that it needs of the first
    is in the array `kept`, which holds at least one number.
    """
    count = sum(a.size for a in program.outputs[:outputs])
    results = program.results[:count], program.results[count:]
    inputs = [a for a in program.inputs if a.name not in late]
    given = [a for a in program.inputs if a.name in late or a.name in again]
    after = _after(program, late)
    held = _held(program, results[1], after, _numbers(program.inputs, given)) or [results[0][0]]
    array = Arg(kept, Array((len(held),)), "mixed", "what the accelerations need")
    first = _part(program, inputs, [*program.outputs[:outputs], array], [*results[0], *held], {})
    known = {node: k for k, node in enumerate(held)}
    second = _part(program, [array, *given], program.outputs[outputs:], results[1], known)
    return Halves(first, second)


def _after(program: Program, late: Collection[str]) -> set[int]:
    """The nodes that depend on late inputs."""
    numbers = _numbers(program.inputs, [a for a in program.inputs if a.name in late])
    found: set[int] = set()
    for i, node in enumerate(program.nodes):
        if not found.isdisjoint(node.args) or (node.op is Op.INPUT and node.value in numbers):
            found.add(i)
    return found


def _numbers(inputs: Sequence[Arg], some: Sequence[Arg]) -> set[object]:
    """The numbers of the scalars of some inputs among those of all."""
    first = starts(inputs)
    return {first[a.name] + k for a in some for k in range(a.size)}


def _held(program: Program, results: Sequence[int], after: set[int], given: set[object]) -> list[int]:
    """The nodes of the first half whose values the second needs, in their order."""
    before = {*range(len(program.nodes))} - after
    alive = _alive(program, results, before)
    own = (i for i in sorted(alive - after) if program.nodes[i].op is not Op.CONSTANT)
    return [i for i in own if not (program.nodes[i].op is Op.INPUT and program.nodes[i].value in given)]


def _part(
    program: Program,
    inputs: Sequence[Arg],
    outputs: Sequence[Arg],
    results: Sequence[int],
    known: dict[int, int],
) -> Program:
    """The Program of some results; the values of nodes that are `known` are inputs with these numbers."""
    moved = _renumbered(program.inputs, inputs)
    new: dict[int, int] = {}
    graph = Builder()
    alive = _alive(program, results, known)
    for i in sorted(alive):
        op, args, value = program.nodes[i]
        if i in known:
            new[i] = graph.add(Op.INPUT, value=known[i])
        elif op is Op.INPUT:
            new[i] = graph.add(Op.INPUT, value=moved[int(value or 0)])
        else:
            new[i] = graph.keep(Node(op, tuple(new[a] for a in args), value))
    labels = {new[i]: label for i, label in program.labels.items() if i in alive and i not in known}
    return Program(
        tuple(inputs), tuple(outputs), tuple(graph.nodes), tuple(new[r] for r in results), (), labels
    )


def _alive(program: Program, results: Sequence[int], known: Collection[int]) -> set[int]:
    """The nodes on which results depend, up to those that are known."""
    alive: set[int] = {*results}
    for i in reversed(range(len(program.nodes))):
        if i in alive and i not in known:
            alive.update(program.nodes[i].args)
    return alive


def _renumbered(old: Sequence[Arg], new: Sequence[Arg]) -> dict[int, int]:
    """The new number of each scalar of inputs that are in both."""
    before, after = starts(old), starts(new)
    both = [a for a in new if a.name in before]
    return {before[a.name] + k: after[a.name] + k for a in both for k in range(a.size)}
