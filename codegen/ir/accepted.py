"""Calls at which a Program returns no flag, where random numbers of an ordinary size rarely are such.

A requirement such as `pressure > 10` fails at nearly all numbers between -2 and 2, so that nothing would be
known of the results that it guards.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from codegen.ir.domain import Case, floats, sample_of
from codegen.ir.program import Arg, Program, evaluate
from codegen.ir.systems import F64, floating

_SPANS = tuple(2.0**k for k in (1, 4, 7, 10, 14, 17, 20))
"""The sizes of numbers that are tried."""

_TRIES = 24
"""Cases of each size."""


def returns_no_flag(program: Program, cases: Sequence[Case]) -> list[bool]:
    """Of each case whether all requirements of the Program hold in double."""
    import numpy as np

    if not cases:
        return []
    points = [np.array([float(x) for x in scalars]) for scalars in zip(*cases, strict=True)]
    with np.errstate(all="ignore"):
        status = evaluate(program, floating(F64), points).status
    held: Any = np.ones(len(cases), dtype=bool)
    for condition, _ in status:
        held = held & condition
    return [bool(x) for x in held]


def accepted(inputs: Sequence[Arg], program: Program, count: int, seed: str) -> list[Case]:
    """At most `count` cases inside declared ranges at which no flag is returned, of all sizes that have some.

    The same for the same seed; none where no such case is found.
    """
    source = random.Random(f"accepted {seed}")
    sizes: list[list[Case]] = []
    for span in _SPANS:
        tried = [[s for a in inputs for s in sample_of(a, floats(source, span))] for _ in range(_TRIES)]
        held = returns_no_flag(program, tried)
        sizes.append([case for case, is_held in zip(tried, held, strict=True) if is_held])
    in_turn = [cases[k] for k in range(_TRIES) for cases in sizes if k < len(cases)]
    return in_turn[:count]


def further(
    inputs: Sequence[Arg], program: Program, tried: Sequence[Case], least: int, count: int, seed: str
) -> list[Case]:
    """Accepted cases, at most `count`, where fewer than `least` of those that were tried return no flag."""
    if not program.status or sum(returns_no_flag(program, tried)) >= least:
        return []
    return accepted(inputs, program, count, seed)
