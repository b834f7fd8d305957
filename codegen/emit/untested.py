"""Which inputs a function with a status does not test: with FC_OK, its results may be infinite or NaN."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from codegen.ir.domain import cases
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import F64, floating
from codegen.modeling.kernel import Kernel

_TRIALS = 6
"""So many calls are tried with each scalar of an input infinite or NaN."""


class Untested(NamedTuple):
    """Inputs that need not be finite where no flag is returned, and the results that are not finite then."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@cache
def untested(kernel: Kernel) -> Untested:
    """What a kernel's requirements do not test, as far as trials show; nothing if it returns no status."""
    program = kernel.program(True)
    found = {a.name: _unflagged(kernel, program, a) for a in kernel.inputs} if program.status else {}
    reached = set().union(*found.values())
    return Untested(
        tuple(name for name, outputs in found.items() if outputs),
        tuple(a.name for a in kernel.outputs if a.name in reached),
    )


def _unflagged(kernel: Kernel, program: Program, argument: Arg) -> set[str]:
    """The results that are not finite, without a flag, where a scalar of this input is not."""
    import numpy as np

    sound = islice(cases(kernel.inputs, _TRIALS, f"untested {kernel.name}"), _TRIALS)
    points = np.array([[float(x) for x in case] for case in sound]).T
    first = sum(a.size for a in kernel.inputs[: kernel.inputs.index(argument)])
    wrong = []
    for place in range(first, first + argument.size):
        for value in (np.nan, np.inf, -np.inf):
            wrong.append(points.copy())
            wrong[-1][place] = value
    before, after = (_finite(program, p) for p in (points, np.concatenate(wrong, axis=1)))
    succeeded = np.tile(np.all(before, axis=0), len(wrong))
    unflagged = succeeded & after[-1]
    names = [a.name for a in kernel.outputs for _ in range(a.size)]
    pairs = zip(names, after[:-1], strict=True)
    return {name for name, is_finite in pairs if (unflagged & ~is_finite).any()}


def _finite(program: Program, points: Any) -> Any:
    """Of each result whether it is finite, then whether no flag is returned, at each point."""
    import numpy as np

    with np.errstate(all="ignore"):
        found = evaluate(program, floating(F64), list(points))
    count = points.shape[1]
    results = [np.broadcast_to(np.isfinite(x), count) for x in found.results]
    held = [np.broadcast_to(np.asarray(x, dtype=bool), count) for x, _ in found.status]
    return np.array([*results, np.all(held, axis=0)])
