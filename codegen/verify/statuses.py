"""The status of a Program in the arithmetic of a precision."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.ir.domain import Case
from codegen.ir.program import Program, evaluate
from codegen.ir.systems import Precision, floating


def statuses(program: Program, precision: Precision, trials: Sequence[Case]) -> list[int]:
    """For each trial the flags, added up, of the conditions that do not hold."""
    import numpy as np

    system = floating(precision)
    points = np.array([[system.constant(x) for x in case] for case in trials]).T
    with np.errstate(all="ignore"):
        met = evaluate(program, system, list(points)).status
    failed = dict.fromkeys((flag for _, flag in met), np.zeros(len(trials), dtype=bool))
    for held, flag in met:
        failed[flag] = failed[flag] | ~np.asarray(held)
    return [sum(flag for flag in failed if failed[flag][k]) for k in range(len(trials))]
