"""The errors of two functions in float, each against itself in a wider type, at random inputs of a flight.

The error of rounding is what a function in float loses of its own formula: SymForce 0.12 and the version of
PX4's code state the epsilon of an arctangent differently, so that ours and theirs differ by parts of it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.px4.theirs import Argument, Function
from codegen.verify.native import run_compiler

DRAWS = 20000
"""With 4000, the ratio of 90th percentiles scatters by 0.04, so that the largest of many is too high."""

RANGES = {
    "state": (0, *[20] * 3, *[300] * 3, *[0.1] * 3, *[0.3] * 3, *[0.5] * 3, *[0.1] * 3, *[8] * 2, 20),
    "accel": (15.0,), "gyro": (2.0,), "d_vel": (0.1,), "d_ang": (0.02,), "v_local": (20.0,),
    "beacon_pos": (300.0,), "meas": (0.5,), "heading": (3.0,), "wind_direction": (3.0,),
    "antenna_yaw_offset": (3.0,),
}  # fmt: skip
"""The largest magnitudes of inputs of either sign, of the state behind its attitude. Others are 0.05 to 1."""

SAME = 1e-6
"""Relative difference of the functions in wider types that the epsilons may make."""

Inputs = list[np.ndarray[Any, Any]]
Call = Callable[[Inputs], Any]
"""A C function: arrays of inputs -> arrays of results."""


@dataclass(frozen=True)
class Errors:
    """Ours over theirs: of the functions' median and 95th percentile, and of one result's 90th percentile.

    The error of a draw is the largest over the results, each divided by that result's median magnitude.
    `worst` is the number of the result with the largest ratio, `more` counts those above 1.3.
    """

    median: float
    high: float
    single: float
    worst: int
    more: int


def draw(function: Function, seed: int) -> Inputs:
    """Random inputs in float: a unit quaternion, covariances of random deviations and correlations."""
    random = np.random.default_rng(seed)
    return [_drawn(a, random).astype(np.float32) for a in function.inputs]


def _drawn(a: Argument, random: np.random.Generator) -> np.ndarray[Any, Any]:
    if a.name == "epsilon":
        return np.array([np.finfo(np.float32).eps])
    if a.name == "P":
        root = random.normal(size=(a.rows, a.rows)) * 10 ** random.uniform(-2, 0, size=(a.rows, 1))
        return np.ravel(root @ root.T)
    if a.name == "state" and a.rows == 25:
        attitude = random.normal(size=4)
        rest = random.uniform(-1, 1, size=a.rows - 4) * RANGES["state"][1:]
        return np.concatenate([attitude / np.linalg.norm(attitude), rest])
    size = a.rows * a.columns
    if a.name in RANGES and a.name != "state":
        return random.uniform(-1, 1, size=size) * RANGES[a.name][0]
    return random.uniform(0.05, 1.0, size=size)


def packed(matrix: np.ndarray[Any, Any], n: int) -> np.ndarray[Any, Any]:
    """The upper triangle of a symmetric matrix, row by row."""
    return matrix.reshape(n, n)[np.triu_indices(n)]


def fitted(values: Sequence[np.ndarray[Any, Any]], sizes: Sequence[int]) -> Inputs:
    """The values as arguments of these sizes take them: a symmetric matrix whole, or its upper triangle."""
    return [
        v if v.size == size else packed(v, round(v.size**0.5)) for v, size in zip(values, sizes, strict=True)
    ]


def library(source: Path, flags: Sequence[str] = ()) -> ctypes.CDLL:
    """The source compiled for this machine, without contraction."""
    target = source.with_suffix(".so")
    run_compiler(
        ["gcc", "-O2", "-shared", "-fPIC", "-ffp-contract=off", *flags, str(source), "-o", str(target), "-lm"]
    )
    return ctypes.CDLL(str(target))


def caller(function: Any, by_value: Sequence[bool], outputs: Sequence[int], real: Any) -> Call:
    """The C function of arrays as one of NumPy's; `real` is the type of its scalars in ctypes."""
    kind = np.dtype(
        {"c_float": np.float32, "c_double": np.float64, "c_longdouble": np.longdouble}[real.__name__]
    )
    function.restype = None
    function.argtypes = [
        *(real if v else ctypes.c_void_p for v in by_value),
        *[ctypes.c_void_p] * len(outputs),
    ]

    def call(inputs: Inputs) -> Any:
        given = [np.ascontiguousarray(x, dtype=kind) for x in inputs]
        found = [np.zeros(size, dtype=kind) for size in outputs]
        passed = [real(x[0]) if v else x.ctypes.data for x, v in zip(given, by_value, strict=True)]
        function(*passed, *(y.ctypes.data for y in found))
        return found

    return call


def compared(
    ours: tuple[Call, Call],
    theirs: tuple[Call, Call],
    function: Function,
    sizes: tuple[Sequence[int], Sequence[int]],
) -> Errors:
    """The errors of our function, whose inputs and results have these sizes, and of theirs.

    Each is given in float and in a wider type; AssertionError where these two compute something else.
    """
    draws = [draw(function, seed) for seed in range(DRAWS)]
    own_float, own_truth = (_table(f(fitted(x, sizes[0])) for x in draws) for f in ours)
    other_float, truth = (_table(fitted(f(x), sizes[1]) for x in draws) for f in theirs)
    own, other = abs(own_float - own_truth), abs(other_float - truth)
    size = np.median(abs(truth), axis=0)
    size[size == 0] = 1
    off = np.quantile(abs(own_truth - truth) / size, 0.95)
    assert off < SAME, f"{function.name} is off by {off}"
    whole = [np.max(e / size, axis=1) for e in (own, other)]
    singles = _ratio(*(np.quantile(e, 0.9, axis=0) for e in (own, other)))
    median, high = (float(_ratio(*(np.quantile(e, q) for e in whole))) for q in (0.5, 0.95))
    return Errors(median, high, float(singles.max()), int(singles.argmax()), int((singles > 1.3).sum()))


def _table(rows: Iterator[Inputs]) -> np.ndarray[Any, Any]:
    return np.array([np.concatenate(row).astype(np.longdouble) for row in rows])


def _ratio(own: Any, other: Any) -> Any:
    """Ours over theirs, 1 where both are exact."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((own == 0) & (other == 0), 1.0, own / other)
