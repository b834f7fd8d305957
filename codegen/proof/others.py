"""Whether conditions that are to define the results hold of others, too: of some nearby, or of opposite ones.

A property that lacks one of its equations still holds of the formula's results. Those that are opposite are
all results, those of one name, or one scalar, with the other sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from codegen.errors import FeatherError
from codegen.ir.domain import cases
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import F64, NumberSystem, multiprecision
from codegen.modeling.kernel import Kernel
from codegen.modeling.steps import Form
from codegen.passes.pipeline import optimised
from codegen.proof.proof import NEARLY_ZERO, residual, residual_program
from codegen.proof.thresholds import DIGITS

_CASES = 8
"""Random cases; where opposite results meet conditions by their nature, they do so at each."""


def other_results(kernel: Kernel, form: Form) -> str:
    """Which other results meet conditions that those of the formula meet; empty if none are found."""
    try:
        conditions, found = residual_program(kernel, form), residual(kernel, form)
    except FeatherError:  # they have no value, which is said elsewhere
        return ""
    if conditions is None or not found.holds:
        return ""
    if not found.sufficient:
        return "others nearby"
    opposite = _opposite(kernel, conditions)
    return f"those with the other sign of {opposite}" if opposite else ""


def _opposite(kernel: Kernel, conditions: Program) -> str:
    """The results whose sign the conditions leave open at all cases; empty if there are none."""
    program, system = optimised(kernel, checks=True), multiprecision(F64, DIGITS)
    left = dict(_signs(kernel.outputs))
    is_judged = False
    for case in islice(cases(kernel.inputs, _CASES, f"opposite results of {kernel.name}"), _CASES):
        inputs = [system.constant(x) for x in case]
        try:
            run = evaluate(program, system, inputs)
        except (ArithmeticError, ValueError):  # no value here
            continue
        if all(met for met, _ in run.status):
            is_judged = True
            left = {n: k for n, k in left.items() if _meets(conditions, system, inputs, run.results, k)}
    return next(iter(left), "") if is_judged else ""


def _signs(outputs: Sequence[Arg]) -> Iterator[tuple[str, frozenset[int]]]:
    """The results whose sign is changed together, by their name, and the places of their scalars."""
    names = [(a.name, scalar) for a in outputs for scalar in a.scalar_names]
    places = range(len(names))
    yield "all results", frozenset(places)
    for a in outputs:
        yield a.name, frozenset(k for k in places if names[k][0] == a.name)
    for k in places:
        yield names[k][1], frozenset([k])


def _meets(
    conditions: Program,
    system: NumberSystem,
    inputs: Sequence[Any],
    results: Sequence[Any],
    changed: frozenset[int],
) -> bool:
    """Whether results of which some have the other sign meet the conditions, and differ."""
    opposite = [-x if k in changed else x for k, x in enumerate(results)]
    if all(abs(results[k]) < NEARLY_ZERO for k in changed):
        return False
    try:
        zeros = evaluate(conditions, system, [*inputs, *opposite]).results
    except (ArithmeticError, ValueError):  # no value there
        return False
    return all(abs(x) < NEARLY_ZERO for x in zeros)
