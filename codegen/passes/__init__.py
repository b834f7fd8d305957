"""The passes: small steps from Program to Program that keep its value and lower its cost."""

from collections.abc import Callable, Iterator

from codegen.passes.factor import factor
from codegen.passes.fold import fold
from codegen.passes.negations import negations
from codegen.passes.reciprocals import reciprocals
from codegen.passes.schedule import schedule
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
"""In this order; the sequence repeats until nothing changes."""

_ROUNDS = 8


def stages(program: Program) -> Iterator[tuple[str, Program]]:
    """Each pass that changes the Program, by its name, and the Program after it, verified."""
    for _ in range(_ROUNDS):
        before = program
        for apply_pass in PASSES:
            after = apply_pass(program)
            verify(after)
            if after != program:
                yield apply_pass.__name__, after
            program = after
        if program.nodes == before.nodes:
            break


def optimise(program: Program) -> Program:
    """The Program after all passes."""
    for _, after in stages(program):
        program = after
    return program
