"""Results that meet the conditions of a definition, found by Gauss-Newton steps from many others.

A definition that has lost a condition still holds of the formula's results, but of others, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from codegen.ir.domain import cases
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import F64, floating
from codegen.ir.types import is_integer
from codegen.modeling.kernel import Kernel
from codegen.modeling.steps import Form
from codegen.modeling.types.algebra import Angles, Rotation
from codegen.proof.proof import residual_program

Numbers = np.ndarray[Any, np.dtype[np.float64]]

CASES, STARTS, STEPS = 6, 600, 60
"""The numbers of random inputs, of other results from which solutions are sought, and of steps to them."""

SPREADS = np.resize([0.3, 1, 3, 10], STARTS)
"""How far the other results are from those of the formula, of which some have the other sign."""

ANGLES = {("air_data_from_velocity", "alpha"), ("air_data_from_velocity", "beta")}
"""Results besides those of type Angles that a definition gives up to whole turns."""

AXES = {("inertia_principal", "R_BP")}
"""Matrices whose columns a definition gives up to their signs."""


class Solutions(NamedTuple):
    """Inputs, the formula's results, and columns of results that meet the conditions."""

    inputs: Numbers
    own: Numbers
    found: Numbers


def leaves_open(kernel: Kernel, conditions: Form) -> bool:
    """Whether results meet conditions that differ from the formula's by more than turns and signs of axes."""
    for _, own, found in solutions(kernel, conditions):
        determined = _determined(kernel, own)
        different = np.abs(_determined(kernel, found) - determined) > 1e-5 * (1 + np.abs(determined))
        if different.any():
            return True
    return False


def _determined(kernel: Kernel, results: Numbers) -> Numbers:
    """What a definition determines: sines and cosines of angles, dyads of axes without a direction."""
    at = np.cumsum([0, *(a.size for a in kernel.outputs)])
    of = [_of(kernel, a, results[i:j]) for a, i, j in zip(kernel.outputs, at, at[1:], strict=False)]
    return np.concatenate(of)


def _of(kernel: Kernel, output: Arg, scalars: Numbers) -> Numbers:
    if (kernel.name, output.name) in AXES:
        assert output.type is Rotation
        rows = scalars.reshape(3, 3, -1)
        return (rows[:, None] * rows[None]).reshape(27, -1)
    if output.type is Angles or (kernel.name, output.name) in ANGLES:
        return np.concatenate([np.cos(scalars), np.sin(scalars)])
    return scalars


def solutions(kernel: Kernel, conditions: Form) -> Iterator[Solutions]:
    """What meets conditions at some random inputs; results that are whole numbers stay as they are."""
    if (program := residual_program(kernel, conditions)) is None:
        return
    source = np.random.default_rng(len(kernel.name))
    whole = np.array([is_integer(a.type) for a in kernel.outputs for _ in range(a.size)])[:, None]
    for case in islice(cases(kernel.inputs, CASES, kernel.name), CASES):
        inputs = np.array([[float(x)] for x in case])
        own = values(formula(kernel), inputs)
        if not np.isnan(own).any():
            zeros = partial(given, program, inputs)
            shape = (len(own), STARTS)
            other = own * source.choice([-1, 1], shape) + source.normal(0, SPREADS, shape)
            found = solved(zeros, np.where(whole, own, other), ~whole)
            rounding = 1e-9 * max(1, np.abs(inputs).max()) + 100 * np.abs(zeros(own))
            yield Solutions(inputs, own, found[:, (np.abs(zeros(found)) < rounding).all(axis=0)])


def given(program: Program, inputs: Numbers, results: Numbers) -> Numbers:
    """The values of a Program of given inputs and columns of results."""
    return values(program, np.concatenate([np.repeat(inputs, results.shape[1], axis=1), results]))


@cache
def formula(kernel: Kernel) -> Program:
    """The formula with its requirements."""
    return kernel.program(True)


def values(program: Program, points: Numbers) -> Numbers:
    """The results of a Program, a column for each point; NaN where a requirement fails."""
    with np.errstate(all="ignore"):
        found = evaluate(program, floating(F64), list(points))
    held = np.ones(points.shape[1:], dtype=bool)
    for condition, _ in found.status:
        held = held & condition
    rows = [np.broadcast_to(np.asarray(row, dtype=np.float64), points.shape[1:]) for row in found.results]
    return np.where(held, np.array(rows), np.nan)


def solved(zeros: Callable[[Numbers], Numbers], start: Numbers, free: Any) -> Numbers:
    """Columns that make `zeros` zero, or nearly so, by damped Gauss-Newton steps of what is free."""
    y, damping, unit = start, np.full(start.shape[1], 1e-3), np.eye(len(start))
    at = zeros(y)
    for _ in range(STEPS):
        change = 1e-7 * np.maximum(1, np.abs(y))
        slopes = np.stack([(zeros(y + change * e[:, None]) - at) / (e @ change) for e in unit])
        slopes, error = np.nan_to_num(slopes) * free[:, :, None], np.nan_to_num(at)
        square = np.einsum("ims,jms->sij", slopes, slopes)
        damped = (damping * np.trace(square, axis1=1, axis2=2) + 1e-12)[:, None, None] * unit
        downhill = np.einsum("ims,ms->si", slopes, error)
        step = np.linalg.solve(square + damped, downhill[:, :, None])[:, :, 0].T
        beside = zeros(y - step)
        with np.errstate(over="ignore"):
            better = np.square(beside).sum(axis=0) < np.square(at).sum(axis=0)
        y, at = np.where(better, y - step, y), np.where(better, beside, at)
        damping = np.clip(np.where(better, damping / 5, damping * 4), 1e-14, 1e6)
    return y
