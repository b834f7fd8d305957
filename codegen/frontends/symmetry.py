"""Whether matrices that other engines return for symmetric results are symmetric."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from codegen.errors import FeatherError
from codegen.ir.domain import cases
from codegen.ir.program import Program, evaluate
from codegen.ir.systems import F64, floating

_POINTS = 8
_ROUNDING = 1e-6
"""A difference below this, relative to the largest element, is taken for rounding."""


def check_symmetric(program: Program, names: Sequence[str]) -> None:
    """FeatherError unless the results, which are pairs of an element and its mirror image, are equal.

    They are evaluated in double at a few random points. `names` are those of the elements.
    """
    system = floating(F64)
    for case in list(cases(program.inputs, _POINTS, "symmetric"))[:_POINTS]:
        with np.errstate(all="ignore"):
            found = np.array(evaluate(program, system, [system.constant(x) for x in case]).results, float)
        above, below = found[::2], found[1::2]
        if not np.all(np.isfinite(found)):
            continue
        differing = np.flatnonzero(abs(above - below) > _ROUNDING * np.max(abs(found)))
        if len(differing):
            raise FeatherError(
                f"{names[differing[0]]} differs from its mirror image: the matrix is not symmetric"
            )
