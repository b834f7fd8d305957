"""Sequences of steps of a block: the states that a compiled step reaches, as inputs to verify it at.

Each sequence starts at the initial state, with parameters that stay and inputs that change in every step. The
state of a step is what the compiled step before it returned.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction

from codegen.emit.function import Function
from codegen.ir.domain import Case, floats, sample_of
from codegen.modeling.types.records import PARAMETERS

SEQUENCES = 2
"""Sequences of steps, each with other parameters."""


def sequences(f: Function, advanced: Callable[[Case], list[float]], count: int) -> Iterator[Case]:
    """The inputs of `count` steps of each sequence; `advanced` gives the scalars of the compiled results.

    A sequence ends where a state is not finite. A kernel that is no step of a block has none.
    """
    part = f.kernel.block
    if part is None or not part.start or not f.kernel.inputs:
        return
    state, *others = f.kernel.inputs
    source = random.Random(f"sequence {f.kernel.name}")
    for _ in range(SEQUENCES):
        reached = list(part.start)
        held = {a.name: sample_of(a, floats(source)) for a in others if a.name in (PARAMETERS, "dt")}
        for _ in range(count):
            given = (held[a.name] if a.name in held else sample_of(a, floats(source)) for a in others)
            case = [*reached, *(x for scalars in given for x in scalars)]
            yield case
            found = advanced(case)[: state.size]
            if not all(map(math.isfinite, found)):
                break
            reached = list(map(Fraction, found))
