"""Definitions on FLINT's numbers, which take a tenth of the time of mpmath's and bound their round-off.

F. Johansson, Arb: efficient arbitrary-precision midpoint-radius interval arithmetic (2017).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import flint
import numpy as np

from codegen.library.shared.dense import Limits, Result

_SPARE = 32
"""Bits beyond those of the numbers that are given."""

_MOST_BITS = 4096
"""More bits than this are not tried where round-off leaves too few."""


def on_balls(define: Callable[..., Result], given: Sequence[Any], limits: Mapping[str, Limits]) -> Result:
    """The results of a definition for mpmath's numbers, as such; for other numbers as it is.

    Their error is below an eps of mpmath's times the largest number that is given or found. ValueError where
    no number of bits yields that, as where a divisor is zero.
    """
    context = getattr(np.ravel(given[0])[0], "context", None)
    if context is None:
        return define(*given, **limits)
    bits = context.prec + _SPARE
    while bits <= _MOST_BITS:
        with flint.ctx.workprec(bits):
            balls = [_each(flint.arb, x) for x in given]
            found = define(*balls, **{name: Limits(*map(flint.arb, x)) for name, x in limits.items()})
            if _suffices([*balls, *found.outputs], context.prec):
                return Result(tuple(_each(partial(_number, context), x) for x in found.outputs), found.status)
        bits *= 2
    raise ValueError(f"a result is not known on {_MOST_BITS} bits")


def _suffices(values: Sequence[Any], bits: int) -> bool:
    """Whether so many bits of the largest number are known of each."""
    numbers = [x for value in values for x in np.ravel(value)]
    if not all(x.is_finite() for x in numbers):
        return False
    largest = max(x.abs_upper() for x in numbers)
    return all(x.rad() <= largest * flint.arb(2) ** -bits for x in numbers)


def _each(change: Callable[[Any], Any], value: Any) -> Any:
    """The numbers of an array changed, or a number."""
    changed = np.empty(np.shape(value), dtype=object)
    for place in np.ndindex(changed.shape):
        changed[place] = change(value[place] if place else value)
    return changed if changed.shape else changed[()]


def _number(context: Any, ball: Any) -> Any:
    mantissa, exponent = ball.mid().man_exp()
    return context.ldexp(int(mantissa), int(exponent))
