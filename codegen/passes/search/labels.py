"""labels: transfers the names of values to a rewritten Program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from codegen.ir.exploration import Explorer, Way
from codegen.ir.modular import Residue
from codegen.ir.operations import LEAVES
from codegen.ir.program import InvalidProgram, Program, evaluate
from codegen.ir.systems import NumberSystem

POINTS = 2
"""The number of points at which two values must agree, each modulo a prime of its own."""

Print: TypeAlias = tuple[int, ...]
"""A value at all points; empty for a truth value."""


def relabelled(program: Program, original: Program) -> Program:
    """The Program with the original's name on every value that the original names.

    The original itself where no point of the constraint set was found: a rewritten Program that was not
    compared is not used. InvalidProgram where a result differs: a pass is wrong.
    """
    explorer = Explorer(program.inputs, {"known": _values(original), "found": _values(program)}, "labels")
    points = [point for _ in range(POINTS) if (point := explorer.any_point()) is not None]
    if len(points) < POINTS:
        return original
    known, found = (
        [_print(values) for values in zip(*(p[way] for p in points), strict=True)]
        for way in ("known", "found")
    )
    if [known[r] for r in original.results] != [found[r] for r in program.results]:
        raise InvalidProgram("the search changed a value")
    often = Counter(known)  # values that are equal at these points only, such as zeros, cannot be told apart
    names = {known[i]: label for i, label in original.labels.items() if often[known[i]] == 1}
    return replace(program, labels=_labels(program, found, names))


def _values(program: Program) -> Way:
    def way(system: NumberSystem, inputs: Sequence[Any]) -> list[Any]:
        return evaluate(program, system, inputs).values

    return way


def _print(values: Sequence[Residue | bool]) -> Print:
    return tuple(x.value for x in values if isinstance(x, Residue))


def _labels(program: Program, values: Sequence[Print], names: Mapping[Print, str]) -> dict[int, str]:
    """The labels that the Program has, and each name that it lacks on the first value that has it."""
    labels = dict(program.labels)
    given = set(labels.values())
    for i, (node, value) in enumerate(zip(program.nodes, values, strict=True)):
        label = names.get(value) if value else None
        if label is not None and label not in given and i not in labels and node.op not in LEAVES:
            labels[i] = label
            given.add(label)
    return labels
