"""The part of selftest.c that tries routines: one trial each, its numbers as C initialisers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from codegen.emit.c99 import literal
from codegen.emit.layout import Parameter, accessors
from codegen.emit.routine import RoutineFunction
from codegen.ir.systems import Precision
from codegen.ir.types import Array, Component, Real
from codegen.library.forms import trials
from codegen.modeling.routine import Trial

_CHOSEN = 3
"""The trial that is tried: the first with several bodies and contacts."""

_LOCAL = "arg_"
_DIGITS = 6
"""Digits of expected results: fewer than linear algebra libraries agree on, more than the tolerance tells."""


def routine_test(f: RoutineFunction) -> dict[str, Any]:
    """What the template needs of a routine."""
    trial = list(trials(f.routine.name)(f.precision))[_CHOSEN]
    given = dict(zip([a.name for a in f.routine.inputs], trial.inputs, strict=True))
    return {
        "symbol": f.symbol,
        "scalar": f.precision.ctype,
        "returns_status": f.returns_status,
        "status": trial.status,
        "variables": [_variable(p, given, f) for p in f.parameters if p.passed == "pointer"],
        "call": ", ".join(_passed(p, given, f.precision) for p in f.parameters),
        "comparisons": list(_comparisons(f, trial, given)),
    }


def _passed(p: Parameter, given: dict[str, Any], precision: Precision) -> str:
    """The C of what is passed for a parameter."""
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
    """The C initialiser of one value, of the next numbers."""
    if isinstance(kind, Real):
        x = next(numbers)
        return str(int(x)) if ctype == "int" else literal(Fraction(x), precision)
    parts: Sequence[Component] = (
        [Real()] * kind.size if isinstance(kind, Array) else list(kind.layout.values())
    )
    return "{" + ", ".join(_initialiser(part, numbers, ctype, precision) for part in parts) + "}"


def _comparisons(f: RoutineFunction, trial: Trial, given: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(C of a result, what it is to be, within what) for each scalar that is determined."""
    outputs = [p for p in f.parameters if p.direction != "in"]
    for p, expected, tolerance in zip(outputs, trial.expected, trial.tolerances, strict=True):
        if expected is None:
            continue
        wanted, accepted = np.ravel(expected), np.ravel(tolerance)
        coarse = max(abs(wanted).max() * 10.0 ** (1 - _DIGITS), 8 * accepted.max())
        for place, x in zip(_places(p, wanted.size, f), wanted, strict=True):
            rounded, within = (literal(Fraction(f"{v:.{_DIGITS}g}"), f.precision) for v in (x, coarse))
            yield place, rounded, within


def _places(p: Parameter, count: int, f: RoutineFunction) -> list[str]:
    """The C of each scalar of an output."""
    name = _LOCAL + p.arg.name
    if not p.shape:
        return [name]
    below = accessors(p.arg.type) if f.options.interface == "struct" else [""]
    return [f"{name}[{i}]{b}" for i in range(count // len(below)) for b in below]
