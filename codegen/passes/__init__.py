"""The passes: small steps from Program to Program that keep its value and lower its cost."""

from collections.abc import Callable

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


def optimise(program: Program) -> Program:
    """The Program after all passes, verified after each."""
    for _ in range(_ROUNDS):
        before = program.nodes
        for step in PASSES:
            program = step(program)
            verify(program)
        if program.nodes == before:
            break
    return program
