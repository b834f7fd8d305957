"""Origin: finds the derivation step from which each operation of the printed Program comes.

The Programs of all steps run on one random point of the constraint set modulo 2^127 - 1, where values tell
which operations are the same: an operation comes from the first step that does it on the same values. Signs
do not count, because they move freely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from codegen.ir.modular import Residue, as_integer, modular, residues
from codegen.ir.operations import COMMUTATIVE, LEAVES, Op
from codegen.ir.program import Program, evaluate
from codegen.ir.systems import Precision
from codegen.ir.types import sample
from codegen.modeling.kernel import Kernel
from codegen.passes.specialise import specialise
from codegen.proof.derivation import as_published, derivation, machine_made
from codegen.proof.proof import form_program

Point: TypeAlias = Mapping[str, Sequence[Any]]
"""The scalars of each input, by the input's name."""

_SEEDS = 400


def origins(kernel: Kernel, program: Program, precision: Precision) -> list[int | None]:
    """For each node of the printed Program the place of the step that it comes from; None for leaves.

    An operation that no step contains, such as one on a precision's constants, comes from the last one.
    """
    stages = [(i, specialise(stage, precision)) for i, stage in _programs(kernel)]
    last = stages[-1][0]
    for seed in range(_SEEDS):
        try:
            wanted = _operations(program, _point(kernel, seed), seed, valid=seed < _SEEDS // 2)
            first: dict[Any, int] = {}
            for i, stage in stages:
                for operation in _operations(stage, _point(kernel, seed), seed):
                    first.setdefault(operation, i)
        except ArithmeticError:  # a root that the field does not have, or a point where a guard is needed
            continue
        return [None if operation is None else first.get(operation, last) for operation in wanted]
    return [None if node.op in LEAVES else last for node in program.nodes]


@cache
def _programs(kernel: Kernel) -> list[tuple[int, Program]]:
    """The Programs of the explicit steps, with their places among all steps of the derivation."""
    published = as_published(kernel)
    made = (program for _, program in machine_made(kernel))
    found = []
    for i, step in enumerate(derivation(kernel)):
        if step.kind in ("formula", "passes"):
            found.append((i, next(made)))
        elif step.form is not None and not step.implicit and kernel.outputs:
            found.append((i, form_program(published.inputs, published.outputs, step.form)))
    return found


def _point(kernel: Kernel, seed: int) -> Point:
    """A point of the constraint set; bound inputs have their values."""
    draw = residues(seed)
    drawn = {a.name: sample(a.type, draw) for a in kernel.inputs}
    constant = modular(seed).constant
    return {**drawn, **{name: [constant(x) for x in values] for name, values in kernel.bound.items()}}


def _operations(program: Program, point: Point, seed: int, valid: bool = False) -> list[Any]:
    """For each node its operation and the values of its operands, up to signs; None for a leaf.

    ArithmeticError where a value does not exist or, if the point is to be `valid`, where a requirement fails.
    """
    found = evaluate(program, modular(seed), [x for a in program.inputs for x in point[a.name]])
    if valid and not all(met for met, _ in found.status):
        raise ArithmeticError
    magnitudes: list[Any] = []
    operations: list[Any] = []
    for (op, args, _), value in zip(program.nodes, found.values, strict=True):
        operands = [magnitudes[a] for a in args]
        if op in COMMUTATIVE or op is Op.SUB:
            operands.sort(key=str)
        operation = (_FAMILY.get(op, op.label), *operands)
        boolean = isinstance(value, bool)
        magnitudes.append(operation if boolean and op not in LEAVES else _magnitude(value))
        operations.append(None if op in LEAVES else operation)
    return operations


_FAMILY = {Op.SUB: "add"}


def _magnitude(value: Any) -> int | bool:
    if isinstance(value, bool):
        return value
    number = as_integer(value)
    return min(number, as_integer(-Residue(number, 0)))
