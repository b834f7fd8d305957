"""Values of Programs at points of the input domain at which no requirement fails, all points at once."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from codegen.ir.domain import floats, sample_of
from codegen.ir.operations import Sort
from codegen.ir.program import Program, evaluate
from codegen.ir.systems import F32, F64, Precision, floating
from codegen.modeling.kernel import Kernel

Rows: TypeAlias = NDArray[np.float64]
"""A row for each value, a column for each point."""

POINTS = 32

_FAR = 50.0
"""How far out scalars are drawn: whole turns away, if they are angles."""

_DRAWN = 256
"""Points that are drawn, of which the first at which no requirement fails are taken."""


@cache
def far_points(kernel: Kernel) -> Rows:
    """The scalars of the kernel's inputs at points far out, at which no requirement fails; perhaps none.

    There an angle is wrapped, and a value is limited: what equals an input at the other points need not here.
    """
    source = random.Random(f"far {kernel.name}")
    draw = floats(source, _FAR)
    drawn = [[float(x) for a in kernel.inputs for x in sample_of(a, draw)] for _ in range(POINTS)]
    rows = np.array(drawn).T.reshape(-1, POINTS)
    return rows[:, valid_points(kernel.program(True), rows)]


@cache
def points(kernel: Kernel) -> Rows:
    """The scalars of the kernel's inputs at random points, if possible such at which no requirement fails."""
    source = random.Random(f"provenance {kernel.name}")
    draw = floats(source)
    found: list[list[float]] = []
    refused: list[list[float]] = []
    program = kernel.program(True)
    while len(found) < POINTS and len(found) + len(refused) < _DRAWN:
        drawn = [[float(x) for a in kernel.inputs for x in sample_of(a, draw)] for _ in range(POINTS)]
        valid = valid_points(program, np.array(drawn).T.reshape(-1, POINTS))
        found += [point for point, is_valid in zip(drawn, valid, strict=True) if is_valid]
        refused += [point for point, is_valid in zip(drawn, valid, strict=True) if not is_valid]
    chosen = found if len(found) >= POINTS // 4 else found + refused
    return np.array(chosen[:POINTS]).T.reshape(-1, POINTS)


def valid_points(program: Program, inputs: Rows) -> list[bool]:
    """At which points no requirement fails, in float and in double, and all results are finite."""
    valid = np.ones(inputs.shape[1], bool)
    for precision in (F32, F64):
        values = at_points(program, inputs, precision)
        valid &= np.isfinite(values[list(program.results)]).all(axis=0)
        valid &= (values[[node for node, _ in program.status]] > 0).all(axis=0)
    return list(map(bool, valid))


def at_points(program: Program, inputs: Rows, precision: Precision = F64) -> Rows:
    """A row for each node: real values, truth values as 0 and 1, and 0 for anything else.

    They are computed in double, with the precision's eps, min and max.
    """
    system = replace(floating(F64), named=lambda name: float(precision.named(name)))
    with np.errstate(all="ignore"):
        values = evaluate(program, system, list(inputs)).values
    rows = np.zeros((len(values), inputs.shape[1]))
    for row, value, node in zip(rows, values, program.nodes, strict=True):
        if node.op.result in (Sort.REAL, Sort.BOOLEAN):
            row[:] = value
    return rows


def directions(rows: Rows) -> Rows:
    """The rows scaled to unit length, zero where a value does not vary or does not exist."""
    finite = np.isfinite(rows)
    plain = np.where(finite, rows, 0.0)
    varies = np.ptp(plain, axis=1) > 1e-9 * np.abs(plain).max(axis=1, initial=0)
    kept = np.where((finite.all(axis=1) & varies)[:, None], rows, 0.0)
    lengths = np.sqrt((kept * kept).sum(axis=1, keepdims=True))
    scaled: Rows = np.divide(kept, lengths, out=np.zeros_like(kept), where=lengths > 0)
    return scaled


def ratio(a: Rows, b: Rows) -> float | None:
    """The number by which b is multiplied to be a, the same at all points; None if there is none."""
    k = float(a @ b / (b @ b))
    allowed = 1e-7 * np.abs(a) + 1e-9 * float(np.abs(a).max())
    return k if (np.abs(a - k * b) <= allowed).all() else None
