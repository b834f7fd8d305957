"""Origin: finds the derivation step from which each operation of the printed Program comes.

The Programs of all steps run on one random point of the constraint set modulo a random prime near 2^127,
both drawn from a digest of the printed Program. Operations are identified by their values: an operation comes
from the first step that does it on the same values. Signs are ignored, because passes move them freely.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from codegen.ir.arrays import Constants
from codegen.ir.exploration import Explorer, Way
from codegen.ir.modular import Residue, Unsuited, digest
from codegen.ir.operations import COMMUTATIVE, LEAVES, Op
from codegen.ir.program import Program, evaluate
from codegen.ir.systems import NumberSystem, Precision
from codegen.modeling.kernel import Kernel
from codegen.passes.specialise import specialise
from codegen.proof.derivation import as_published, derivation, machine_made
from codegen.proof.proof import form_program


def origins(kernel: Kernel, program: Program, precision: Precision) -> list[int | None]:
    """For each node of the printed Program, the index of the step that it comes from; None for leaves.

    An operation that no step contains, such as one on a precision's constants, comes from the last one. All
    are None where no point was found at which all values exist.
    """
    stages = [(i, specialise(stage, precision)) for i, stage in _programs(kernel)]
    found = _operations_at_a_point(kernel, program, [stage for _, stage in stages])
    if found is None:
        return [None] * len(program.nodes)
    first: dict[Any, int] = {}
    for (i, _), operations in zip(stages, found[1:], strict=True):
        for operation in operations:
            first.setdefault(operation, i)
    last = stages[-1][0]
    return [None if operation is None else first.get(operation, last) for operation in found[0]]


def _operations_at_a_point(kernel: Kernel, program: Program, stages: Sequence[Program]) -> list[Any] | None:
    """The operations of each Program at a point, if possible one at which no requirement fails."""
    seed = f"origin {kernel.name} {digest(program.nodes)}"
    for valid in (True, False):
        ways = {str(i): _operations(kernel, p, valid and i == 0) for i, p in enumerate([program, *stages])}
        point = Explorer(kernel.inputs, ways, seed).any_point()
        if point is not None:
            return list(point.values())
    return None


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
            found.append(
                (i, form_program(published.signature or published.inputs, published.outputs, step.form))
            )
    return found


def _operations(kernel: Kernel, program: Program, valid: bool) -> Way:
    """For each node, its operation and the values of its operands, up to signs; None for a leaf.

    Bound inputs have their values. If the point is to be `valid`, no requirement fails there.
    """

    def way(system: NumberSystem, scalars: Sequence[Any]) -> list[Any]:
        remaining = iter(scalars)
        point = {a.name: [next(remaining) for _ in range(a.size)] for a in kernel.inputs}
        point |= {name: [system.constant(x) for x in values] for name, values in kernel.bound.items()}
        found = evaluate(program, system, [x for a in program.inputs for x in point[a.name]])
        if valid and not all(met for met, _ in found.status):
            raise Unsuited
        return _done(program, found.values)

    return way


def _done(program: Program, values: Sequence[Any]) -> list[Any]:
    magnitudes: list[Any] = []
    operations: list[Any] = []
    for (op, args, _), value in zip(program.nodes, values, strict=True):
        operands = [magnitudes[a] for a in args]
        if op in COMMUTATIVE or op is Op.SUB:
            operands.sort(key=str)
        operation = (_FAMILY.get(op, op.label), *operands)
        boolean = isinstance(value, bool)
        magnitudes.append(operation if boolean and op not in LEAVES else _magnitude(value))
        operations.append(None if op in LEAVES else operation)
    return operations


_FAMILY = {Op.SUB: "add"}


def _magnitude(value: Residue | Constants | int) -> Constants | int:
    return min(value.value, (-value).value) if isinstance(value, Residue) else value
