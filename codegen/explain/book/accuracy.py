"""Measures the rounding error of a printed Program along sweeps of its inputs.

The Program of each precision is evaluated with every operation rounded once, libm calls correctly, and
compared with the unoptimised formula: on 30 digits for double, in double for float. An error is in ulp
of the largest component of its output, as `featherc verify` prints it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.explain.book.arrays import doubles, dtype, finer, rounded
from codegen.explain.book.sweeps import Sweep, sweeps
from codegen.ir.domain import sample_of
from codegen.ir.operations import LIBM, Op
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import F32, F64, Precision
from codegen.ir.types import is_angular
from codegen.modeling.kernel import Kernel
from codegen.verify.oracle import invariants_program, parts

DRAWS = 4
"""The number of random values of the other inputs at each point of a sweep."""

_ROUNDING = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.SQRT, *LIBM})


@dataclass(frozen=True)
class Curve:
    """The largest error in ulp at each point of a sweep, None where every draw is left out.

    Of all `draws`, those that raise a status flag and those without a finite value are left out.
    """

    precision: Precision
    errors: tuple[float | None, ...]
    flagged: tuple[bool, ...]  # where at least one draw raises a status flag
    draws: int
    with_flag: int
    not_finite: int


@dataclass(frozen=True)
class Panel:
    """A sweep and its curves, one for each precision."""

    sweep: Sweep
    curves: tuple[Curve, ...]


def rounds(kernel: Kernel) -> bool:
    """Whether the kernel rounds at all; a kernel that only copies and changes signs is exact."""
    return any(node.op in _ROUNDING for node in kernel.program(True).nodes)


def panels(kernel: Kernel) -> list[Panel]:
    """The accuracy of a kernel over every sweep of every input."""
    printed = [(p, function(kernel, p, Options()).program) for p in (F64, F32)]
    found = []
    for sweep in (s for arg in kernel.inputs for s in sweeps(arg)):
        cases = _cases(kernel, sweep)
        found.append(Panel(sweep, tuple(_curve(kernel, program, p, cases) for p, program in printed)))
    return found


def _cases(kernel: Kernel, sweep: Sweep) -> Any:
    """A row for each input scalar, a column for each draw at each point."""
    source = random.Random(f"{kernel.name} {sweep.arg.name} {sweep.what}")

    def draw() -> float:
        return source.uniform(-2, 2)

    cases = [
        [s for a in kernel.inputs for s in (sweep.at(x, draw) if a is sweep.arg else sample_of(a, draw))]
        for x in sweep.points
        for _ in range(DRAWS)
    ]
    return np.array(cases, np.float64).T


def _curve(kernel: Kernel, program: Program, precision: Precision, cases: Any) -> Curve:
    with np.errstate(all="ignore"):
        inputs = cases.astype(dtype(precision))
        computed = evaluate(program, rounded(precision), list(inputs)).results
        errors, flagged = _errors(kernel, precision, inputs, computed)
    finite = np.isfinite(errors)
    errors = np.where(flagged | ~finite, np.nan, errors)
    return Curve(
        precision,
        tuple(None if np.isnan(row).all() else float(np.nanmax(row)) for row in errors.reshape(-1, DRAWS)),
        tuple(bool(row.any()) for row in flagged.reshape(-1, DRAWS)),
        len(errors),
        int(flagged.sum()),
        int((~finite & ~flagged).sum()),
    )


def _errors(kernel: Kernel, precision: Precision, inputs: Any, computed: list[Any]) -> tuple[Any, Any]:
    """For each case the largest error in ulp, and whether the exact formula raises a status flag."""
    system = finer(precision)
    lifted = list(system.lift(inputs))
    exact = evaluate(kernel.program(True), system.numbers, lifted)
    values = [_whole(x, inputs) for x in exact.results]
    found = [system.lift(_whole(x, inputs)) for x in computed]
    compares = invariants_program(kernel)
    if compares is not None:
        values, found = (
            [_whole(v, inputs) for v in evaluate(compares, system.numbers, [*lifted, *x]).results]
            for x in (values, found)
        )
    outputs = kernel.outputs if compares is None else compares.outputs
    worst = np.zeros(inputs.shape[1])
    for arg, e, f in zip(outputs, parts(outputs, values), parts(outputs, found), strict=True):
        worst = np.maximum(worst, _in_ulp(arg, precision, e, f))  # no number where one of them is none
    met = [_whole(holds, inputs).astype(bool) for holds, _ in exact.status]
    return worst, ~np.logical_and.reduce(met) if met else np.zeros(inputs.shape[1], bool)


def _whole(value: Any, inputs: Any) -> Any:
    """A result as an array with one number for each case, even where it is constant."""
    return np.broadcast_to(np.asarray(value), inputs.shape[1:])


def _in_ulp(arg: Arg, precision: Precision, exact: list[Any], found: list[Any]) -> Any:
    """The largest error of an output's components in ulp of the largest of them."""
    size = np.max([np.abs(doubles(e)) for e in exact], axis=0)
    _, exponent = np.frexp(np.fmax(size, float(precision.min)))
    ulp = np.ldexp(1.0, exponent - precision.digits)
    gaps = [np.abs(doubles(f - e)) for f, e in zip(found, exact, strict=True)]
    if is_angular(arg.type):  # which may differ by whole turns
        gaps = [np.minimum(gap, np.abs(gap - 2 * np.pi)) for gap in gaps]
    return np.max(gaps, axis=0) / ulp
