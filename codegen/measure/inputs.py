"""The inputs at which instructions are counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from codegen.ir.domain import Case, cases, spans
from codegen.ir.program import Arg
from codegen.ir.ranges import Ends
from codegen.modeling.quantities.units import unit_texts

_FAR = 100
"""The largest angle, in rad, that a case keeps where its range has smaller ones."""


def usual(inputs: Sequence[Arg], seed: str) -> Case:
    """A case of the input domain without angles of many turns, where their ranges have others.

    A range may admit these, but few calls have them, and libm reduces an angle beyond 200 rad in a way of its
    own, which takes a thousand instructions.
    """
    units = [unit for a in inputs for unit in unit_texts(a)]
    ends = [span for a in inputs for span in spans(a)]
    return [
        _near(x, span) if unit == "rad" else x
        for x, unit, span in zip(next(cases(inputs, 1, seed)), units, ends, strict=True)
    ]


def _near(angle: Fraction, span: Ends | None) -> Fraction:
    """The angle; a far one without whole turns, moved into its range, where that has angles that are near."""
    low, high = span or (-_FAR, _FAR)
    if abs(angle) <= _FAR or low > _FAR or high < -_FAR:
        return angle
    return Fraction(min(max(math.remainder(angle, math.tau), low), high))
