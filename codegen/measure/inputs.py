"""The inputs at which instructions are counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from codegen.ir.domain import Case, cases, spans
from codegen.ir.program import Arg
from codegen.modeling.quantities.units import unit_texts

_FAR = 100
"""Angles beyond it, in rad, lose whole turns."""


def usual(inputs: Sequence[Arg], seed: str) -> Case:
    """A case of the input domain without angles of many turns, where their ranges have others.

    A range may admit these, but few calls have them, and libm reduces an angle beyond 200 rad in a way of its
    own, which takes a thousand instructions.
    """
    units = [unit for a in inputs for unit in unit_texts(a)]
    ends = [span for a in inputs for span in spans(a)]
    return [
        _within_a_turn(x, span) if unit == "rad" else x
        for x, unit, span in zip(next(cases(inputs, 1, seed)), units, ends, strict=True)
    ]


def _within_a_turn(angle: Fraction, span: tuple[Fraction, Fraction] | None) -> Fraction:
    near = Fraction(math.remainder(float(angle), math.tau))
    is_inside = span is None or span[0] <= near <= span[1]
    return near if abs(angle) > _FAR and is_inside else angle
