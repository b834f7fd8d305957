"""Binding: inputs that are known when the code is generated become exact constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from codegen.algebra import (
    Component,
    Inertia,
    InertiaTensor,
    Mat3,
    Real,
    Rotation,
    SymMat3,
    UnitQuaternion,
    Value,
    size,
)
from codegen.describe import Kernel
from codegen.errors import FeatherError
from codegen.operations import Op
from codegen.passes.rewriting import Graph, rebuild
from codegen.program import Arg, Node, Program
from codegen.ranges import text

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
    _check_physical(argument.name, argument.type, list(scalars))
    for name, x, ends in zip(argument.scalar_names, scalars, argument.ends, strict=False):
        if not ends[0] <= x <= ends[1]:
            low, high = map(text, ends)
            raise FeatherError(
                f"{name} = {_text(x)} is outside of its declared range, {low} to {high}: "
                "bind a value inside it, or change the range in the model"
            )


def _check_physical(name: str, component: Component, scalars: list[Fraction]) -> None:
    """FeatherError unless the value can be that of its type; its parts are looked at first."""
    if isinstance(component, Real) and component.positive and scalars[0] <= 0:
        raise FeatherError(f"{name} must be positive, not {_text(scalars[0])}")
    if not isinstance(component, type):
        return
    first = 0
    for part_name, part in component.layout.items():
        last = first + size(part)
        _check_physical(f"{name}.{part_name}", part, scalars[first:last])
        first = last
    for kind, check in _RULES.items():
        if issubclass(component, kind):
            check(name, component.of(scalars))


def _check_tensor(name: str, tensor: Any) -> None:
    """Definite, or it has no inverse; and that of a body."""
    if any(minor <= 0 for minor in _principal_minors(*tensor.scalars())):
        raise FeatherError(f"{name} is not positive definite; {_SIGN}")
    _check_triangle(name, tensor)


def _check_triangle(name: str, tensor: Any) -> None:
    """The integrals of x x dm and so on form a matrix that is at least semidefinite."""
    moments = SymMat3.isotropic(tensor.trace / 2) - tensor
    if any(minor < 0 for minor in _principal_minors(*moments.scalars())):
        raise FeatherError(
            f"{name} is not that of a body: one principal moment exceeds the sum of the others; {_SIGN}"
        )


def _check_body(name: str, body: Any) -> None:
    """About its centre of mass, too, the body has the inertia of a body; it may be a point."""
    to_com = Mat3.skew(body.h / body.m)
    shift = to_com @ to_com.transpose
    xx, xy, xz, _, yy, yz, _, _, zz = (body.m * x for x in shift.m)
    _check_triangle(f"{name}.J", body.J - SymMat3(xx, xy, xz, yy, yz, zz))


def _check_unit(name: str, q: Any) -> None:
    if not _is_one(q.norm_squared):
        raise FeatherError(f"{name} is not a unit quaternion: its norm is not 1")


def _check_rotation(name: str, R: Any) -> None:
    x, y, z = R.rows
    if not all(map(_is_one, (x.dot(x), y.dot(y), z.dot(z), x.cross(y).dot(z)))):
        raise FeatherError(f"{name} is not a rotation: its rows are not orthonormal and right-handed")


def _is_one(number: Fraction) -> bool:
    """As nearly as a data sheet's decimals say."""
    return abs(number - 1) < Fraction(1, 10**6)


_SIGN = "products of inertia are matrix elements here"

_RULES: Mapping[type[Value], Callable[[str, Any], None]] = {
    InertiaTensor: _check_tensor,
    Inertia: _check_body,
    UnitQuaternion: _check_unit,
    Rotation: _check_rotation,
}


def _principal_minors(
    xx: Fraction, xy: Fraction, xz: Fraction, yy: Fraction, yz: Fraction, zz: Fraction
) -> list[Fraction]:
    determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    return [xx, yy, zz, xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz, determinant]


def _text(number: Fraction) -> str:
    return f"{float(number):.6g}"
