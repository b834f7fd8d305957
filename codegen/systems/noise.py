"""Noise on whose value a filter's derivatives depend, though they are taken where it is 0, its average."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, islice
from math import isclose
from typing import Any

from codegen.ir.domain import cases
from codegen.ir.program import Arg, evaluate
from codegen.ir.systems import F64, floating
from codegen.modeling.kernel import Kernel
from codegen.systems.tangent import Linearised

_TRIALS = 8


def noise_at_zero(step: Linearised) -> str:
    """The sentence of a comment that says of which noise the values matter; empty if there is none."""
    names = " and ".join(f"{a.name} = 0" for a in step.at_zero)
    return f"The derivatives are taken at {names}." if names else ""


def perhaps_measured(step: Linearised) -> tuple[str, ...]:
    """A note on each noise at 0 that is not added to another input: perhaps it is a measured value."""
    return tuple(
        f"the derivatives are taken at {a.name} = 0, as noise is 0 on average: if {a.name} is a measured "
        f"value, add an input {a.name}_noise to it in the process, and name that one in noise="
        for a in step.at_zero
        if not any(
            _is_part_of(step.of, a, b, sign) for b in step.inputs if a.size == b.size for sign in (1, -1)
        )
    )


def _is_part_of(process: Kernel, noise: Arg, other: Arg, sign: int) -> bool:
    """Whether a process depends on two inputs by their sum or their difference alone, as trials show."""
    program, system = process.program(False), floating(F64)
    starts = accumulate((a.size for a in process.inputs), initial=0)
    start = dict(zip((a.name for a in process.inputs), starts, strict=False))
    tried = False
    for case in islice(cases(process.inputs, _TRIALS, f"noise {process.name}"), _TRIALS):
        scalars = [float(x) for x in case]
        moved = list(scalars)
        for k in range(noise.size):
            moved[start[other.name] + k] += sign * scalars[start[noise.name] + k]
            moved[start[noise.name] + k] = 0.0
        try:
            pair = [evaluate(program, system, given).results for given in (scalars, moved)]
        except (ArithmeticError, ValueError):  # no value here
            continue
        if not _agree(*pair):
            return False
        tried = True
    return tried


def _agree(results: Sequence[Any], others: Sequence[Any]) -> bool:
    scale = max(map(abs, results), default=0.0)
    return all(
        isclose(a, b, rel_tol=1e-9, abs_tol=1e-9 * scale) for a, b in zip(results, others, strict=True)
    )
