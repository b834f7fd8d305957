"""The inputs of accuracy plots: points of a sweep, and random values of all other inputs at each of them.

Errors are measured where a kernel raises no status flag. A sweep that leaves the kernel's domain for more
than half of its points is narrowed to those inside and the next ones; of more random values than are drawn,
those without a flag are taken first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from zlib import crc32

import numpy as np

from codegen.explain.book.arrays import rounded, spread
from codegen.explain.book.sweeps import EITHER_SIGN, SIZE, Sweep
from codegen.ir.domain import sample_of
from codegen.ir.program import Evaluation, Program, evaluate
from codegen.ir.systems import F64
from codegen.ir.types import Draw
from codegen.modeling.kernel import Kernel

DRAWS = 100
"""The number of random values of the other inputs; they are the same at all points where none has a flag."""

_BATCHES = 8
"""How many times as many values are tried where some raise a status flag."""

_OFTEN = 0.5
"""The share of values with a flag at a point which lies outside the kernel's domain."""


def inputs(kernel: Kernel, program: Program, sweep: Sweep) -> tuple[Sweep, Any]:
    """A sweep inside the domain of a kernel, and its inputs: a row for each scalar, a column for each draw at
    each point.
    """
    found, flagged = _chosen(kernel, program, sweep)
    inside = narrowed(sweep, flagged.mean(axis=1) < _OFTEN)
    if inside is not sweep:
        found, _ = _chosen(kernel, program, inside)
    return _named(kernel, inside, found), found


def _chosen(kernel: Kernel, program: Program, sweep: Sweep) -> tuple[Any, Any]:
    """Inputs with as few flags as possible at each point, and whether they have one, a row for each point."""
    batches: list[Any] = []
    flags = np.empty((len(sweep.points), 0), bool)
    while len(batches) < _BATCHES and ((~flags).sum(axis=1) < DRAWS).any():
        cases = _batch(kernel, sweep, len(batches))
        batches.append(cases.reshape(len(cases), -1, DRAWS))
        flags = np.append(flags, _flagged(program, cases), axis=1)
    chosen = np.sort(np.argsort(flags, axis=1, kind="stable")[:, :DRAWS], axis=1)
    found = np.take_along_axis(np.concatenate(batches, axis=2), chosen[None], axis=2)
    return found.reshape(len(found), -1), np.take_along_axis(flags, chosen, axis=1)


def narrowed(sweep: Sweep, usable: Any) -> Sweep:
    """The sweep from the point before the usable ones to the one after them, where those are few."""
    places = np.flatnonzero(usable)
    if not 2 <= len(places) < len(usable) / 2 or len(places) != places[-1] - places[0] + 1:
        return sweep
    first, last = max(places[0] - 1, 0), min(places[-1] + 1, len(usable) - 1)
    return sweep.between(sweep.points[first], sweep.points[last])


def _named(kernel: Kernel, sweep: Sweep, cases: Any) -> Sweep:
    """The sweep of a scalar of either sign, by another name where only one sign has no flag."""
    row = sum(a.size for a in kernel.inputs[: kernel.inputs.index(sweep.arg)])
    return replace(sweep, what=SIZE) if sweep.what == EITHER_SIGN and (cases[row] >= 0).all() else sweep


def _batch(kernel: Kernel, sweep: Sweep, number: int) -> Any:
    """Random inputs at all points."""
    seed = f"{kernel.name} {sweep.arg.name} {sweep.what}{f' {number}' if number else ''}"
    source = np.random.RandomState(crc32(seed.encode()))
    points = len(sweep.points)
    rows = []
    for a in kernel.inputs:
        if a is sweep.arg:
            scalars = sweep.at(np.repeat(sweep.points, DRAWS), _columns(source, points * DRAWS))
            rows += [spread(x, points * DRAWS) for x in scalars]
        else:
            rows += [np.tile(spread(x, DRAWS), points) for x in sample_of(a, _columns(source, DRAWS))]
    return np.array(rows, np.float64)


def _columns(source: np.random.RandomState, count: int) -> Draw:
    """Draws columns of numbers; NumPy has promised that this source gives the same ones in each version."""
    return lambda: source.uniform(-2, 2, count)


def _flagged(program: Program, cases: Any) -> Any:
    """Whether inputs raise a status flag, a row for each point."""
    if not program.status:
        return np.zeros((cases.shape[1] // DRAWS, DRAWS), bool)
    with np.errstate(all="ignore"):
        found = evaluate(program, rounded(F64), list(cases))
    return ~holds(found, cases.shape[1]).reshape(-1, DRAWS)


def holds(evaluation: Evaluation, count: int) -> Any:
    """Whether all conditions of the status hold, for each case."""
    return np.logical_and.reduce(
        [np.ones(count, bool), *(spread(met, count) for met, _ in evaluation.status)]
    )
