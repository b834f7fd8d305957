"""Which inputs a function with a status does not test: with FC_OK, its results may be infinite or NaN."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from codegen.ir.accepted import further, returns_no_flag
from codegen.ir.domain import Case, cases
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import F64, floating
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.notation.prose import listed

_TRIALS = 6
"""So many calls are tried with each scalar of an input infinite or NaN."""

_AT_ONCE = 16
"""So many scalars are tried in one evaluation, as that of a long formula needs memory for each."""


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


@cache
def _is_always_flagged(kernel: Kernel) -> bool:
    """Whether every call that was tried returns a flag, so that nothing is known of what is not tested."""
    program = kernel.program(True)
    return bool(program.status) and not any(returns_no_flag(program, _sound(kernel)))


def not_tested(subject: Kernel | Routine, ok: str) -> str:
    """What the status `ok` does not say: results that are not finite where inputs are not; or nothing."""
    if isinstance(subject, Routine):
        return ""
    if _is_always_flagged(subject):
        return f"No input was found at which it returns {ok}: which inputs it does not test is not known."
    found = untested(subject)
    if not found.inputs:
        return ""
    inputs, outputs = listed(found.inputs, "or"), listed(found.outputs)
    overflowing = "they overflow" if len(found.outputs) > 1 else "it overflows"
    return f"With {ok}, {outputs} may be infinite or NaN: where {inputs} is, or where {overflowing}."


def _unflagged(kernel: Kernel, program: Program, argument: Arg) -> set[str]:
    """The results that are not finite, without a flag, where a scalar of this input is not."""
    import numpy as np

    points = np.array([[float(x) for x in case] for case in _sound(kernel)]).T
    succeeded = np.all(_finite(program, points), axis=0)
    names = [a.name for a in kernel.outputs for _ in range(a.size)]
    first = sum(a.size for a in kernel.inputs[: kernel.inputs.index(argument)])
    found: set[str] = set()
    for start in range(first, first + argument.size, _AT_ONCE):
        places = range(start, min(start + _AT_ONCE, first + argument.size))
        wrong = [_with(points, place, x) for place in places for x in (np.nan, np.inf, -np.inf)]
        *results, held = _finite(program, np.concatenate(wrong, axis=1))
        unflagged = np.tile(succeeded, len(wrong)) & held
        found |= {n for n, is_finite in zip(names, results, strict=True) if (unflagged & ~is_finite).any()}
    return found


@cache
def _sound(kernel: Kernel) -> Sequence[Case]:
    """Calls with numbers that are all finite; some return no flag, if there are such."""
    seed = f"untested {kernel.name}"
    found = list(islice(cases(kernel.inputs, _TRIALS, seed), _TRIALS))
    return further(kernel.inputs, kernel.program(True), found, 1, _TRIALS, seed) or found


def _with(points: Any, place: int, value: float) -> Any:
    """The points, one scalar of which has another value."""
    changed = points.copy()
    changed[place] = value
    return changed


def _finite(program: Program, points: Any) -> Any:
    """Of each result whether it is finite, then whether no flag is returned, at each point."""
    import numpy as np

    with np.errstate(all="ignore"):
        found = evaluate(program, floating(F64), list(points))
    count = points.shape[1]
    results = [np.broadcast_to(np.isfinite(x), count) for x in found.results]
    held = [np.broadcast_to(np.asarray(x, dtype=bool), count) for x, _ in found.status]
    return np.array([*results, np.all(held, axis=0)])
