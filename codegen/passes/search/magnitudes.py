"""magnitudes: checks that a rewritten Program stays in the range of floats at all sizes of its arguments.

mu (R/r)^4 / r^2 and (mu R^4) / r^6 grow alike with r, but with mu = 4e14 and R = 6.4e6 the constant of the
second form is 7e41. Powers do not tell that: both forms are evaluated with arguments of many sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from codegen.ir.operations import Op
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import F64, floating
from codegen.modeling.types.algebra import Rotation, UnitQuaternion

Floats: TypeAlias = NDArray[Any]

_COMMON = np.arange(-40.0, 61.0, 4.0)
"""Powers of two by which all arguments are multiplied."""

_OWN, _LEAST, _GREATEST = 96, -40.0, 60.0
"""How often each argument is multiplied by a power of its own, and the limits on these."""

_NEAR, _ENDS = 2.0**62, 2.0**126
"""No value is larger than the first number, nor smaller than its reciprocal, where two may be multiplied; the
second number is the end of the range of floats.
"""

_COMPUTED = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.SQRT})


def keeps_magnitudes(candidate: Program, original: Program, point: Floats) -> bool:
    """Whether the candidate stays in the range of floats where the original is far from its ends.

    `point` has usual numbers for the scalars of all arguments.
    """
    if not _constants(candidate) <= _constants(original):
        return False
    points = point[:, None] * np.exp2(_exponents(original.inputs))
    with np.errstate(all="ignore"):
        usual = np.all([_is_inside(v, _NEAR) for v in _computed(original, points)], axis=0)
        return all(np.all(_is_inside(v, _ENDS) | ~usual) for v in _computed(candidate, points))


def _constants(program: Program) -> set[Fraction]:
    """The magnitudes of constants that are beyond the range of floats, or close to its ends."""
    found = {abs(node.value) for node in program.nodes if isinstance(node.value, Fraction) and node.value}
    return {c for c in found if not 1 / _ENDS <= c <= _ENDS}


def _exponents(inputs: Sequence[Arg]) -> Floats:
    """The exponents of two by which each input is scaled; those of rotations and unit quaternions are 0."""
    source = np.random.default_rng(1729)
    rows = []
    for argument in inputs:
        own = np.concatenate([_COMMON, source.uniform(_LEAST, _GREATEST, _OWN)])
        is_unit = isinstance(argument.type, type) and issubclass(argument.type, (Rotation, UnitQuaternion))
        rows += [0 * own if is_unit else np.round(own)] * argument.size
    return np.array(rows).reshape(len(rows), len(_COMMON) + _OWN)


def _computed(program: Program, points: Floats) -> list[Any]:
    """The values of the Program's arithmetic, in double."""
    values = evaluate(program, floating(F64), list(points)).values
    count = points.shape[1]
    found = [v for v, node in zip(values, program.nodes, strict=True) if node.op in _COMPUTED]
    return [np.zeros(count), *(np.broadcast_to(v, count) for v in found)]


def _is_inside(value: Floats, end: float) -> Floats:
    """Where a value is zero, or between an end of the range and its reciprocal."""
    size = np.abs(value)
    inside: Floats = (size == 0) | ((size <= end) & (size >= 1 / end))
    return inside
