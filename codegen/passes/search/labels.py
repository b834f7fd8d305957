"""labels: transfers the names of values to a rewritten Program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from codegen.ir.modular import NoRoot, as_integer, modular, residues
from codegen.ir.operations import LEAVES
from codegen.ir.program import InvalidProgram, Program, evaluate
from codegen.ir.types import sample

_SEEDS = 20


def relabelled(program: Program, original: Program) -> Program:
    """The Program with the original's name on every value that the original names.

    Values are the same where they agree at a random point of the constraint set, modulo 2^127 - 1.
    InvalidProgram where a result is not: a pass is wrong.
    """
    for seed in range(_SEEDS):
        try:
            known, found = _values(original, seed), _values(program, seed)
        except (NoRoot, ZeroDivisionError):
            continue
        if [known[r] for r in original.results] != [found[r] for r in program.results]:
            raise InvalidProgram("the search changed a value")
        names = {known[i]: label for i, label in original.labels.items()}
        return replace(program, labels=_labels(program, found, names))
    return program


def _values(program: Program, seed: int) -> list[int | None]:
    """The values modulo P; None for a truth value."""
    draw = residues(seed)
    point = [x for a in program.inputs for x in sample(a.type, draw)]
    values = evaluate(program, modular(seed), point).values
    return [None if isinstance(value, bool) else as_integer(value) for value in values]


def _labels(
    program: Program, values: Sequence[int | None], names: Mapping[int | None, str]
) -> dict[int, str]:
    """The labels that the Program has, and each name that it lacks on the first value that has it."""
    labels = dict(program.labels)
    given = set(labels.values())
    for i, (node, value) in enumerate(zip(program.nodes, values, strict=True)):
        label = None if value is None else names.get(value)
        if label is not None and label not in given and i not in labels and node.op not in LEAVES:
            labels[i] = label
            given.add(label)
    return labels
