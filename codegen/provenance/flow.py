"""Data flow of a Program: the inputs of each value, and the outputs and parts of the equation that use it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from codegen.ir.operations import COMMUTATIVE, Op
from codegen.ir.program import Arg, Program
from codegen.ir.systems import number_text
from codegen.provenance.parts import part_of_label, parts_by_name, parts_of_output


@dataclass(frozen=True)
class Flow:
    """The flow of each node: a digest of its expression, the input scalars that it depends on, and the output
    scalars, status flags and parts of the equation that depend on it. `given`: parts of each output scalar.
    """

    digests: Sequence[str]
    inputs: Sequence[set[int]]
    outputs: Sequence[set[int]]
    flags: Sequence[set[int]]
    parts: Sequence[set[int]]
    given: Sequence[set[int]]


def flow(
    program: Program, equation: Sequence[str], words: Mapping[Fraction, str], stated: Mapping[str, str]
) -> Flow:
    """The data flow of a Program; scalars, flags and parts of the equation are given by their indices.

    `words` are those for the constants of the precision, such as 16 eps: digests hold them, not the numbers;
    `stated` are the names of the results' parts in the equation (`stated_names`).
    A named value that a part of the equation defines serves only that part, and so do the values in it.
    """
    named = parts_by_name(equation)
    labels = ((i, part_of_label(label, named)) for i, label in program.labels.items())
    own = {i: {part} for i, part in labels if part is not None}
    everything = set(range(len(equation)))
    found = [parts_of_output(a, name, equation, stated) for a in program.outputs for name in a.scalar_names]
    given = [
        own.get(root, everything) if parts is None else parts
        for root, parts in zip(program.results, found, strict=True)
    ]
    served = _above(program, list(zip(program.results, given, strict=True)), own)
    return Flow(
        digests(program, words),
        _below(program),
        _above(program, [(r, {i}) for i, r in enumerate(program.results)]),
        _above(program, [(n, {i}) for i, (n, _) in enumerate(program.status)]),
        [parts or everything for parts in served],
        given,
    )


def digests(program: Program, words: Mapping[Fraction, str]) -> list[str]:
    """A digest of each node's expression down to the inputs, independent of the rest of the Program."""
    inputs = scalar_names(program.inputs)
    found: list[str] = []
    for op, args, value in program.nodes:
        below = [found[a] for a in args]
        if op in COMMUTATIVE:
            below.sort()
        leaf = inputs[int(value or 0)] if op is Op.INPUT else _constant(value, words)
        found.append(digest(op.label, leaf, *below))
    return found


def _constant(value: object, words: Mapping[Fraction, str]) -> str:
    """A constant, with words for a number of the precision."""
    known = words.get(value) if isinstance(value, Fraction) else None
    return known or number_text(value)


def digest(*parts: str) -> str:
    """A short digest of texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def scalar_names(arguments: Iterable[Arg]) -> list[str]:
    """The scalars of all arguments, in C order."""
    return [name for a in arguments for name in a.scalar_names]


def _below(program: Program) -> list[set[int]]:
    found: list[set[int]] = []
    for op, args, value in program.nodes:
        found.append({int(value or 0)} if op is Op.INPUT else set().union(*(found[a] for a in args)))
    return found


def _above(
    program: Program, roots: Iterable[tuple[int, set[int]]], own: Mapping[int, set[int]] | None = None
) -> list[set[int]]:
    """Propagate labels from the roots to each node; a node with a label of its own propagates only that."""
    found: list[set[int]] = [set() for _ in program.nodes]
    for root, marks in roots:
        found[root] |= marks
    for i in reversed(range(len(program.nodes))):
        found[i] = (own or {}).get(i, found[i])
        for arg in program.nodes[i].args:
            found[arg] |= found[i]
    return found
