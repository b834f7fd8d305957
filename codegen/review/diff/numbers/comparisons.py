"""Comparisons of two versions that are the same mathematics: what they compare has the same difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from codegen.ir.exploration import POINTS
from codegen.ir.modular import World
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program, value_numbers
from codegen.proof.at_once import outputs_at
from codegen.review.diff.numbers.versions import Versions, numbered


def same_comparisons(inputs: Sequence[Arg], programs: Sequence[Program]) -> list[list[int]]:
    """Numbers of the comparisons of Programs, the same for the same difference; -1 for all other nodes."""
    known, found, forms = dict[object, int](), list[list[int]](), dict[object, int]()
    for program in programs:
        nodes = [*program.nodes]
        compared = [i for i, node in enumerate(nodes) if node.op in (Op.LT, Op.LE)]
        results = range(len(nodes), len(nodes) + len(compared))
        nodes += [Node(Op.SUB, nodes[i].args) for i in compared]
        differences = replace(program, nodes=tuple(nodes), results=tuple(results), status=(), labels={})
        numbers = [-1] * len(program.nodes)
        for i, values in zip(compared, _values(inputs, differences, forms), strict=True):
            numbers[i] = known.setdefault((nodes[i].op, values), len(known))
        found.append(numbers)
    return found


def _values(inputs: Sequence[Arg], program: Program, forms: dict[object, int]) -> list[object]:
    """What tells the results of a Program from others: their values at some points modulo primes.

    Where these have none, as a divisor is zero everywhere, it is their form, numbered among those of all.
    """
    worlds = [World(f"comparison {i}", opaque=True) for i in range(POINTS)]
    try:
        points = [[w.integer(x) for x in outputs_at(w, inputs, program, ())] for w in worlds]
    except ZeroDivisionError:
        numbers = value_numbers(program, forms)
        return [numbers[result] for result in program.results]
    return [*zip(*points, strict=True)]


def numbered_alike(versions: Versions) -> list[list[int]]:
    """Numbers of the nodes of both versions, the same for conditions that are the same mathematics."""
    known, both = dict[object, int](), (versions.old.program, versions.new.program)
    alike = same_comparisons(versions.inputs, both)
    found = list[list[int]]()
    for program, numbers, same in zip(both, numbered(versions), alike, strict=True):
        own = list[int]()
        for (op, args, _), number, comparison in zip(program.nodes, numbers, same, strict=True):
            key: object = None if comparison < 0 else comparison
            if op in (Op.AND, Op.OR, Op.NOT):
                key = op, tuple(sorted(own[a] for a in args))
            own.append(number if key is None else known.setdefault(key, number))
        found.append(own)
    return found
