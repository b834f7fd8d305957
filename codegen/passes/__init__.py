"""The passes: small steps from Program to Program that keep its value and lower its cost."""

from collections.abc import Callable, Iterator

from codegen.passes.factor import factor
from codegen.passes.fold import fold
from codegen.passes.negations import negations
from codegen.passes.reciprocals import reciprocals
from codegen.passes.registers import registers
from codegen.passes.schedule import schedule
from codegen.passes.search import search
from codegen.passes.share import share
from codegen.program import Program, verify

PASSES: tuple[Callable[[Program], Program], ...] = (
    fold,
    share,
    reciprocals,
    factor,
    negations,
    share,
    schedule,
)
"""The small passes, in this order; the sequence repeats until nothing changes."""

_ROUNDS = 8


def simplified(program: Program) -> Program:
    """The Program after the small passes, which keep its form."""
    for _, after in _simplification(program):
        program = after
    return program


def optimise(program: Program) -> Program:
    """The Program after all passes, in the cheapest form that is found."""
    for _, after in stages(program):
        program = after
    return program


def stages(program: Program) -> Iterator[tuple[str, Program]]:
    """Each pass that changes the Program, by its name, and the Program after it, verified."""
    for name, after in _simplification(program):
        yield name, after
        program = after
    found = search(program, simplified)
    if found != program:
        verify(found)
        yield search.__name__, found
    ordered = registers(found)
    if ordered != found:
        verify(ordered)
        yield registers.__name__, ordered


def _simplification(program: Program) -> Iterator[tuple[str, Program]]:
    for _ in range(_ROUNDS):
        before = program
        for apply_pass in PASSES:
            after = apply_pass(program)
            if after != program:
                verify(after)
                yield apply_pass.__name__, after
                program = after
        if program.nodes == before.nodes:
            break
