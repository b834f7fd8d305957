"""Estimates the bytes of a Program's code on a Cortex-M4F in float, without a compiler.

The figures fit what gcc 12 with -O2 makes of the dynamics of a quadruped, most of them within a tenth. Of the
largest functions, whose values spill most, the estimate is a fifth too low.
"""

from __future__ import annotations

from collections import Counter

from codegen.ir.loops import Looped
from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Program
from codegen.passes.search.search import price

_INSTRUCTION = 4.0
"""The bytes of an instruction, a number of a table, or a constant."""

_SPILLING = 3.7
"""The bytes of loads and stores of spilled values for an operation beyond those that registers serve."""

_SERVED = 100
"""The operations whose values registers hold."""

_CALL = 2
"""The instructions of a call besides the operations: one brings the argument, one takes the result."""


def flash(program: Program) -> float:
    """About how many bytes the code of a Program takes."""
    count = Counter(node.op for node in program.nodes)
    constants = {node.value for node in program.nodes if node.op is Op.CONSTANT}
    calls = sum(n for op, n in count.items() if op in LIBM)
    operations = price(program).instructions
    others = count[Op.INPUT] + len(program.results) + len(constants) + _CALL * calls
    spilling = max(0, operations - _SERVED)
    return _INSTRUCTION * (operations + others) + _SPILLING * spilling


def flash_of_loops(looped: Looped) -> float:
    """About how many bytes the code and the tables of a function with loops take."""
    numbers = sum(map(len, looped.tables.values()))
    return _INSTRUCTION * numbers + sum(flash(part.program) for part in looped.parts)
