"""Generates the part of selftest.c that calls routines: one trial each, its numbers as C initialisers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from codegen.emit.c99 import literal
from codegen.emit.layout import Parameter
from codegen.emit.routine import RoutineFunction
from codegen.ir.systems import Precision
from codegen.ir.types import Array, Component, Real
from codegen.library.forms import trials
from codegen.modeling.routine import Trial

_CHOSEN = 3
"""The trial that the self-test runs: the first with several bodies and contacts."""

_LOCAL = "arg_"
_DIGITS = 6
"""Digits of expected results: linear algebra libraries agree on them, and the tolerance is coarser."""


def routine_test(f: RoutineFunction) -> dict[str, Any]:
    """The values for the template of a routine's test."""
    trial = list(trials(f.routine.name)(f.precision))[_CHOSEN]
    given = dict(zip([a.name for a in f.routine.inputs], trial.inputs, strict=True))
    return {
        "symbol": f.symbol,
        "scalar": f.precision.ctype,
        "precision": f.precision.name,
        "returns_status": f.returns_status,
        "status": trial.status,
        "variables": [_variable(p, given, f) for p in f.parameters if p.passed == "pointer"],
        "call": ", ".join(_passed(p, given, f.precision) for p in f.parameters),
        "comparisons": list(_comparisons(f, trial)),
    }


def _passed(p: Parameter, given: dict[str, Any], precision: Precision) -> str:
    """The C argument that is passed for a parameter."""
    if p.passed == "value":
        number = given[p.arg.name]
        return str(number) if p.type == "int" else literal(Fraction(number), precision)
    return ("" if p.shape else "&") + _LOCAL + p.arg.name


def _variable(p: Parameter, given: dict[str, Any], f: RoutineFunction) -> str:
    """The declaration of the object that is passed for a parameter."""
    count = math.prod(n if isinstance(n, int) else int(given[n]) for n in p.shape)
    extent = f"[{count}]" if p.shape else ""
    if p.direction == "out":
        return f"{p.type} {_LOCAL}{p.arg.name}{extent}"
    const = "static const " if p.direction == "in" else ""
    numbers = iter(np.ravel(given[p.arg.name]).tolist())
    kind: Component = p.arg.type if f.options.interface == "struct" else Real(p.type == "int")
    items = ", ".join(_initialiser(kind, numbers, p.type, f.precision) for _ in range(count))
    return f"{const}{p.type} {_LOCAL}{p.arg.name}{extent} = {{{items}}}"


def _initialiser(kind: Component, numbers: Iterator[Any], ctype: str, precision: Precision) -> str:
    """The C initialiser of one value, from the next numbers."""
    if isinstance(kind, Real):
        x = next(numbers)
        return str(int(x)) if ctype == "int" else literal(Fraction(x), precision)
    parts: Sequence[Component] = (
        [Real()] * kind.size if isinstance(kind, Array) else list(kind.layout.values())
    )
    return "{" + ", ".join(_initialiser(part, numbers, ctype, precision) for part in parts) + "}"


def _comparisons(f: RoutineFunction, trial: Trial) -> Iterator[dict[str, Any]]:
    """For each output that is determined: its scalars in C, the expected values and the tolerance."""
    outputs = [p for p in f.parameters if p.direction != "in"]
    for p, expected, tolerance in zip(outputs, trial.expected, trial.tolerances, strict=True):
        if expected is None:
            continue
        wanted, accepted = np.ravel(expected), np.ravel(tolerance)
        coarse = max(abs(wanted).max() * 10.0 ** (1 - _DIGITS), 8 * accepted.max())
        yield {
            "name": f"expected_{p.arg.name}",
            "found": _scalars(p, f),
            "expected": [_rounded(x, f.precision) for x in wanted],
            "tolerance": _rounded(coarse, f.precision),
        }


def _rounded(x: float, precision: Precision) -> str:
    return literal(Fraction(f"{x:.{_DIGITS}g}"), precision)


def _scalars(p: Parameter, f: RoutineFunction) -> str:
    """A pointer to an output's first scalar; its type is contiguous scalars of the precision."""
    start = _LOCAL + p.arg.name if p.shape else f"(&{_LOCAL}{p.arg.name})"
    return start if p.type == f.precision.ctype else f"((const {f.precision.ctype} *){start})"
