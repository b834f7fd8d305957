"""The units of a Program's values, as the arguments declare them where a value is one of theirs."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.frontends.dimensions import rule_of, units_of
from codegen.ir.operations import Op, Sort
from codegen.ir.program import Program
from codegen.modeling.kernel import Kernel
from codegen.modeling.quantities.units import PLAIN, UNCHECKED, Unit, parse, unit_texts

_SAME = (Op.ADD, Op.SUB, Op.NEG, Op.ABS, Op.MIN, Op.MAX, Op.SELECT)
"""Operations whose operands have the unit of the result."""


def declared_units(kernel: Kernel, program: Program) -> list[str]:
    """The unit of each node's value in a kernel's printed Program as text, empty where it is not known.

    An input, and a value that becomes a result, has the unit that is declared for it: rad/s, not 1/s.
    """
    inputs = [text for a in program.inputs for text in unit_texts(a)]
    outputs = [text for a in program.outputs for text in unit_texts(a)]
    declared = {i: inputs[int(n.value or 0)] for i, n in enumerate(program.nodes) if n.op is Op.INPUT}
    waiting = list(zip(program.results, outputs, strict=True))
    for i, text in waiting:
        if i not in declared:
            declared[i] = text
            waiting += [(a, text) for a in _same_quantity(program, i)]
    found = units_of(program, rule_of(kernel))
    known = _from_results(program, found, dict(zip(program.results, outputs, strict=True)))
    angles = _angles(program)
    return [_as_declared(u, declared.get(i, "rad" if i in angles else "")) for i, u in enumerate(known)]


def _angles(program: Program) -> set[int]:
    """The values that are angles: results of inverse trigonometric functions, and arguments of others."""
    found: set[int] = set()
    for i, (op, args, _) in enumerate(program.nodes):
        if op in (Op.ATAN2, Op.ACOS, Op.ASIN) or (op is Op.SELECT and found.intersection(args[1:])):
            found.add(i)
        if op in (Op.SIN, Op.COS):
            found.add(args[0])
    return found


def unit_of_result(program: Program, number: int, unit: str) -> str:
    """The unit that is declared for a scalar of the results; `unit`, that of its value, where none is."""
    declared = [text for a in program.outputs for text in unit_texts(a)][number]
    return unit if declared in UNCHECKED else declared


def _from_results(program: Program, known: list[Unit | None], outputs: dict[int, str]) -> list[Unit | None]:
    """The unit of each value: of what it is computed from or, failing that, of what is computed from it.

    That tells the unit of m / 12 where a result is the product of this and a square.
    """
    for i in reversed(range(len(known))):
        if known[i] is None and outputs.get(i, "") not in UNCHECKED:
            known[i] = parse(outputs[i])
        if known[i] is not None:
            for a, unit in _of_operands(program, i, known):
                known[a] = known[a] or unit
    return known


def _of_operands(program: Program, i: int, known: list[Unit | None]) -> Iterator[tuple[int, Unit]]:
    """The units that the operands of a value must have, given its own; constants serve several values."""
    op, args, _ = program.nodes[i]
    unit = known[i]
    if unit is None:
        return
    if op in _SAME:
        yield from ((a, unit) for a in args if program.nodes[a].args and _is_real(program, a))
    elif op in (Op.MUL, Op.DIV):
        a, b = args
        left, right = known[a], known[b]
        if left is None and right is not None and program.nodes[a].args:
            yield a, unit * right ** (1 if op is Op.DIV else -1)
        if right is None and left is not None and program.nodes[b].args:
            yield b, (left * unit**-1 if op is Op.DIV else unit * left**-1)


def _is_real(program: Program, i: int) -> bool:
    return program.nodes[i].op.result is Sort.REAL


def _same_quantity(program: Program, i: int) -> tuple[int, ...]:
    """The values of which a guard or a sign makes a value."""
    op, args, _ = program.nodes[i]
    return args[1:] if op is Op.SELECT else args if op is Op.NEG else ()


def _as_declared(unit: Unit | None, text: str) -> str:
    """The declared text, if it is the same unit; 1 for plain numbers and radians."""
    if unit is None:
        return ""
    if unit == PLAIN and text == "rad":
        return text
    if text not in UNCHECKED and parse(text) == unit:
        return text
    return "1" if unit == PLAIN else str(unit)
