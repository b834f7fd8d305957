"""The units of a Program's values, as the arguments declare them where a value is one of theirs."""

from __future__ import annotations

from codegen.frontends.dimensions import units_of
from codegen.ir.operations import Op
from codegen.ir.program import Program
from codegen.modeling.units import PLAIN, UNCHECKED, parse, unit_texts


def declared_units(program: Program) -> list[str]:
    """The unit of each node's value as text, empty where it is not known.

    An input, and a value that becomes a result, has the unit that is declared for it: rad/s, not 1/s.
    """
    units = units_of(program)
    inputs = [text for a in program.inputs for text in unit_texts(a)]
    outputs = [text for a in program.outputs for text in unit_texts(a)]
    declared = {i: inputs[int(n.value or 0)] for i, n in enumerate(program.nodes) if n.op is Op.INPUT}
    waiting = list(zip(program.results, outputs, strict=True))
    for i, text in waiting:
        if i not in declared:
            declared[i] = text
            waiting += [(a, text) for a in _same_quantity(program, i)]
    return [_as_declared(unit, declared.get(i, "")) for i, unit in enumerate(units)]


def _same_quantity(program: Program, i: int) -> tuple[int, ...]:
    """The values of which a guard or a sign makes a value."""
    op, args, _ = program.nodes[i]
    return args[1:] if op is Op.SELECT else args if op is Op.NEG else ()


def _as_declared(unit: str, text: str) -> str:
    """The declared text, if it is the same unit."""
    if not unit or text in UNCHECKED:
        return unit
    declared = parse(text)
    return text if unit == ("1" if declared == PLAIN else str(declared)) else unit
