"""Measures the rounding error of a printed Program along sweeps of its inputs.

The Program of each precision is evaluated with every operation rounded once, libm calls correctly, and
compared with the unoptimised formula: on 31 digits for double, in double for float. An error is in ulp
of the largest component of its output, as `featherc verify` prints it; so are eps times
the condition of the result, which is the scale of the error, and the largest error that verify accepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from codegen.explain.book.arrays import doubles, dtype, finer, in_double, rounded, spread
from codegen.explain.book.functions import function_of
from codegen.explain.book.inputs import DRAWS, holds, inputs
from codegen.explain.book.sweeps import Sweep, sweeps
from codegen.ir.operations import LIBM, LOOKUPS, Op, Sort
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.sizes import Sized, column_sizes, exact_input
from codegen.ir.systems import F32, F64, Precision
from codegen.ir.types import is_angular
from codegen.modeling.kernel import Kernel
from codegen.verify.oracle import invariants_program, parts

_ROUNDING = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.SQRT, *LIBM})

Heights: TypeAlias = tuple[float | None, ...]
"""A number for each point of a sweep; None where every draw is left out."""


@dataclass(frozen=True)
class Curve:
    """The least, median and largest error in ulp at each point of a sweep.

    `scales` is the largest eps times the condition at each point, which several roundings may exceed; there
    are none for Programs with look-ups or loops. `share` is the largest error as a share of the one that
    verify accepts.
    Of all `draws`, those that raise a status flag, those without a finite value, and those where round-off
    decides a case, whose result is another one, are left out.
    """

    precision: Precision
    least: Heights
    medians: Heights
    errors: Heights
    scales: Heights
    share: float | None
    flagged: tuple[bool, ...]  # where at least one draw raises a status flag
    draws: int
    with_flag: int
    not_finite: int
    decided: int


@dataclass(frozen=True)
class Panel:
    """A sweep and a curve for each precision; verify accepts errors up to `tolerance` times its scales."""

    sweep: Sweep
    tolerance: int
    curves: tuple[Curve, ...]


def rounds(kernel: Kernel) -> bool:
    """Whether the kernel rounds at all; a kernel that only copies and changes signs is exact."""
    return any(node.op in _ROUNDING for node in kernel.program(True).nodes)


def panels(kernel: Kernel) -> list[Panel]:
    """The accuracy of a kernel over every sweep of every input on which its results depend."""
    printed = [(p, function_of(kernel, p).program) for p in (F64, F32)]
    found = []
    for sweep in (s for arg in _that_matter(kernel, printed[0][1]) for s in sweeps(arg)):
        inside, cases = inputs(kernel, printed[0][1], sweep)
        curves = tuple(_curve(kernel, program, p, cases) for p, program in printed)
        found.append(Panel(inside, kernel.tolerance, curves))
    return found


def _that_matter(kernel: Kernel, program: Program) -> list[Arg]:
    """The inputs on which results or conditions depend."""
    used, waiting = set[int](), list(program.roots)
    while waiting:
        i = waiting.pop()
        if i not in used:
            used.add(i)
            waiting += program.nodes[i].args
    scalars = {int(n.value or 0) for i, n in enumerate(program.nodes) if n.op is Op.INPUT and i in used}
    starts = np.cumsum([0, *(a.size for a in kernel.inputs)])
    return [a for a, i in zip(kernel.inputs, starts, strict=False) if scalars & set(range(i, i + a.size))]


def _curve(kernel: Kernel, program: Program, precision: Precision, cases: Any) -> Curve:
    with np.errstate(all="ignore"):
        given = cases.astype(dtype(precision))
        computed = evaluate(program, rounded(precision), list(given))
        errors, flagged = _errors(kernel, precision, given, computed.results)
        flagged |= ~holds(computed, given.shape[1])
        scales = _scales(kernel, program, precision, given)
        shares = errors / scales / kernel.tolerance
        jumps = ~flagged & (shares > 1)
        if jumps.any():
            jumps &= _is_decided(program, precision, given)
    finite = np.isfinite(errors)
    left_out = flagged | ~finite | jumps
    errors, scales, shares = (np.where(left_out, np.nan, x) for x in (errors, scales, shares))
    return Curve(
        precision,
        _at_points(errors, np.nanmin),
        _at_points(errors, np.nanmedian),
        _at_points(errors, np.nanmax),
        _at_points(scales, np.nanmax),
        float(np.nanmax(shares)) if np.isfinite(shares).any() else None,
        tuple(bool(row.any()) for row in flagged.reshape(-1, DRAWS)),
        len(errors),
        int(flagged.sum()),
        int((~finite & ~flagged).sum()),
        int(jumps.sum()),
    )


def _is_decided(program: Program, precision: Precision, inputs: Any) -> Any:
    """Whether round-off decides a comparison, for each case."""
    coarse, fine = rounded(precision), finer(precision)
    found = evaluate(program, coarse, list(inputs)).values
    exact = evaluate(program, fine.numbers, list(map(fine.lift, inputs))).values
    conditions = [i for i, node in enumerate(program.nodes) if node.op.result is Sort.BOOLEAN]
    differ = (np.asarray(found[i]) != np.asarray(exact[i]) for i in conditions)
    return np.logical_or.reduce([np.zeros(inputs.shape[1], bool), *differ])


def _at_points(numbers: Any, number: Any) -> Heights:
    """A number of the draws at each point."""
    rows = numbers.reshape(-1, DRAWS)
    return tuple(None if np.isnan(row).all() else float(number(row)) for row in rows)


def _errors(kernel: Kernel, precision: Precision, inputs: Any, computed: list[Any]) -> tuple[Any, Any]:
    """For each case the largest error in ulp, and whether the exact formula raises a status flag."""
    system, count = finer(precision), inputs.shape[1]
    lifted = list(map(system.lift, inputs))
    exact = evaluate(kernel.program(True), system.numbers, lifted)
    values = [spread(x, count) for x in exact.results]
    found = [system.lift(spread(x, count)) for x in computed]
    compares = invariants_program(kernel)
    if compares is not None:
        values, found = (
            [spread(v, count) for v in evaluate(compares, system.numbers, [*lifted, *x]).results]
            for x in (values, found)
        )
    outputs = kernel.outputs if compares is None else compares.outputs
    worst = np.zeros(count)
    for arg, e, f in zip(outputs, parts(outputs, values), parts(outputs, found), strict=True):
        gaps = [np.abs(doubles(b - a)) for a, b in zip(e, f, strict=True)]
        if is_angular(arg.type):  # which may differ by whole turns
            gaps = [np.minimum(gap, np.abs(gap - 2 * np.pi)) for gap in gaps]
        worst = np.maximum(worst, np.max(gaps, axis=0) / _ulp(precision, e))  # no number where one is none
    return worst, ~holds(exact, count)


def _ulp(precision: Precision, values: Sequence[Any]) -> Any:
    """The unit in the last place of the largest component of an output."""
    size = np.max([np.abs(doubles(v)) for v in values], axis=0)
    _, exponent = np.frexp(np.fmax(size, float(precision.min)))
    return np.ldexp(1.0, exponent - precision.digits)


def _scales(kernel: Kernel, program: Program, precision: Precision, inputs: Any) -> Any:
    """For each case eps times the condition, in ulp; no number where there is none."""
    count = inputs.shape[1]
    if kernel.loops() is not None or any(node.op in LOOKUPS for node in program.nodes):
        return np.full(count, np.nan)
    system = column_sizes(in_double(precision))
    given = [exact_input(np.asarray(row, np.float64)) for row in inputs]
    sized = evaluate(program, system, given).results
    compares = invariants_program(kernel)
    if compares is not None:
        sized = evaluate(compares, system, [*given, *(Sized(x.value, abs(x.value)) for x in sized)]).results
    outputs = kernel.outputs if compares is None else compares.outputs
    largest = np.zeros(count)
    for found in parts(outputs, sized):
        size = np.max([spread(x.size, count) for x in found], axis=0)
        ulp = _ulp(precision, [spread(x.value, count) for x in found])
        largest = np.maximum(largest, float(precision.eps) * size / ulp)
    return np.where(np.isfinite(largest), largest, np.nan)
