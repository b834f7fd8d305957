"""Binding: inputs that are known when the code is generated become exact constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from codegen.algebra import InertiaTensor, Real
from codegen.describe import Kernel
from codegen.errors import FeatherError
from codegen.operations import Op
from codegen.passes.rewriting import Graph, rebuild
from codegen.program import Arg, Node, Program

Values = Mapping[str, tuple[Fraction, ...]]
"""Argument name -> the exact values of its scalars, in C order."""


def bind(kernel: Kernel, values: Values) -> Kernel:
    """The kernel with those of its inputs that are named in `values` fixed.

    FeatherError when a value has the wrong number of scalars or is not physical.
    """
    known = {a.name: tuple(values[a.name]) for a in kernel.inputs if a.name in values}
    if not known:
        return kernel
    for argument in kernel.inputs:
        if argument.name in known:
            _check(argument, known[argument.name])
    remaining = tuple(a for a in kernel.inputs if a.name not in known)

    def lower(checks: bool) -> Program:
        return _substituted(kernel.program(checks), remaining, known)

    return replace(
        kernel,
        inputs=remaining,
        signature=kernel.signature or kernel.inputs,
        bound={**kernel.bound, **known},
        lower=lower,
    )


def _substituted(program: Program, remaining: tuple[Arg, ...], known: Values) -> Program:
    """The Program with constants in place of the bound inputs."""
    constants: dict[int, Fraction] = {}
    position: dict[int, int] = {}
    old = 0
    for argument in program.inputs:
        for scalar in range(argument.size):
            if argument.name in known:
                constants[old] = known[argument.name][scalar]
            else:
                position[old] = len(position)
            old += 1

    def rule(graph: Graph, node: Node, _: int) -> int:
        if node.op is not Op.INPUT:
            return graph.add(node.op, *node.args, value=node.value)
        scalar = int(node.value or 0)
        if scalar in constants:
            return graph.constant(constants[scalar])
        return graph.add(Op.INPUT, value=position[scalar])

    return rebuild(replace(program, inputs=remaining), rule)


def _check(argument: Arg, scalars: Sequence[Fraction]) -> None:
    if len(scalars) != argument.size:
        raise FeatherError(
            f"{argument.name} takes {argument.size} numbers, but {len(scalars)} are bound to it"
        )
    if isinstance(argument.type, Real) and argument.type.positive and scalars[0] <= 0:
        raise FeatherError(f"{argument.name} must be positive, not {_text(scalars[0])}")
    if isinstance(argument.type, type) and issubclass(argument.type, InertiaTensor):
        check_inertia(argument.name, scalars)


def check_inertia(name: str, scalars: Sequence[Fraction]) -> None:
    """FeatherError unless the tensor is that of a body: definite, and no axis exceeds the other two."""
    xx, xy, xz, yy, yz, zz = scalars
    half = (xx + yy + zz) / 2
    for matrix, problem in (
        ((xx, xy, xz, yy, yz, zz), "is not positive definite"),
        (
            (half - xx, -xy, -xz, half - yy, -yz, half - zz),
            "is not the inertia of a body: one principal moment exceeds the sum of the others",
        ),
    ):
        strict = problem == "is not positive definite"
        if any(minor < 0 or (strict and minor == 0) for minor in _principal_minors(*matrix)):
            raise FeatherError(f"{name} {problem}; products of inertia are matrix elements here")


def _principal_minors(
    xx: Fraction, xy: Fraction, xz: Fraction, yy: Fraction, yz: Fraction, zz: Fraction
) -> list[Fraction]:
    determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    return [xx, yy, zz, xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz, determinant]


def _text(number: Fraction) -> str:
    return f"{float(number):.6g}"
