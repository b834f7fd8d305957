"""Partial evaluation: inputs that are known when the code is generated become exact constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from codegen.errors import FeatherError
from codegen.ir.loops import Looped, Part
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program
from codegen.ir.ranges import text
from codegen.ir.rewriting import Builder, rebuild
from codegen.ir.types import Array, Component, Real, scalars_of, size
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.records import Record, split

Values = Mapping[str, tuple[Fraction, ...]]
"""Argument name -> the exact values of its scalars, in C order."""


def bind(kernel: Kernel, values: Values) -> Kernel:
    """The kernel with constants in place of its inputs that `values` names.

    FeatherError when a value has the wrong number of scalars or is not physical.
    """
    known = {a.name: tuple(values[a.name]) for a in kernel.inputs if a.name in values}
    if not known:
        return kernel
    for argument in kernel.inputs:
        if argument.name in known:
            check_value(argument, known[argument.name])
    remaining = tuple(a for a in kernel.inputs if a.name not in known)

    def lower(checks: bool) -> Program:
        return substituted(kernel.lower(checks), remaining, known)

    def loops(form: Callable[[bool], Looped | None] | None) -> Callable[[bool], Looped | None] | None:
        return form and (lambda checks: _substituted_loops(form(checks), remaining, known))

    return replace(
        kernel,
        inputs=remaining,
        looped=loops(kernel.looped),
        naming_loops=loops(kernel.naming_loops),
        signature=kernel.all_inputs,
        bound={**kernel.bound, **known},
        lower=lower,
    )


def substituted(program: Program, remaining: tuple[Arg, ...], known: Values) -> Program:
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

    def rule(graph: Builder, node: Node, _: int) -> int:
        if node.op is not Op.INPUT:
            return graph.add(node.op, *node.args, value=node.value)
        scalar = int(node.value or 0)
        if scalar in constants:
            return graph.constant(constants[scalar])
        return graph.add(Op.INPUT, value=position[scalar])

    return rebuild(replace(program, inputs=remaining), rule)


def _substituted_loops(looped: Looped | None, remaining: tuple[Arg, ...], known: Values) -> Looped | None:
    """The form with loops with constants in place of the bound inputs, or a table where turns differ."""
    if looped is None:
        return None
    parts: list[Part] = []
    tables = dict(looped.tables)
    for part in looped.parts:
        fixed = {a.name: known[p.array] for a, p in part.taken if p.array in known and not p.moves}
        open_ = [(a, p) for a, p in part.taken if a.name not in fixed]
        tables |= {p.array: known[p.array] for _, p in open_ if p.array in known}
        program = substituted(part.program, tuple(a for a, _ in open_), fixed)
        parts.append(replace(part, program=program, takes=tuple(p for _, p in open_)))
    return replace(looped, inputs=remaining, tables=tables, parts=tuple(parts))


def check_value(argument: Arg, scalars: Sequence[Fraction]) -> None:
    """FeatherError unless the scalars are a value of the argument: in number, physical, inside its range."""
    if len(scalars) != argument.size:
        raise FeatherError(
            f"{argument.name} takes {argument.size} numbers, but {len(scalars)} are bound to it"
        )
    _check_physical(argument.name, argument.type, list(scalars))
    for name, x, ends in zip(argument.scalar_names, scalars, argument.ends, strict=False):
        if not ends[0] <= x <= ends[1]:
            low, high = map(text, ends)
            raise FeatherError(
                f"{name} = {_text(x)} is outside its declared range, {low} to {high}: "
                "bind a value inside it, or change the range in the model"
            )


def _check_physical(name: str, component: Component, scalars: list[Fraction]) -> None:
    """FeatherError unless the value is physical for its type; the parts of a value are checked first."""
    if isinstance(component, Real) and component.positive and scalars[0] <= 0:
        raise FeatherError(f"{name} must be positive, not {_text(scalars[0])}")
    if isinstance(component, Array):
        component.check(name, scalars)
    if not isinstance(component, type):
        return
    if issubclass(component, Record):
        for member, part in zip(component.members, split(component.members, scalars), strict=True):
            check_value(replace(member, name=f"{name}.{member.name}"), scalars_of(member.type, part))
        return
    first = 0
    for part_name, part in component.layout.items():
        last = first + size(part)
        _check_physical(f"{name}.{part_name}", part, scalars[first:last])
        first = last
    component.of(scalars).check(name)


def _text(number: Fraction) -> str:
    return f"{float(number):.6g}"
