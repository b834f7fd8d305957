"""Which scalars of inputs may have any value in a range, whatever the others have: none of a rotation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from codegen.ir.domain import members_of
from codegen.ir.program import Arg
from codegen.ir.types import Real, sample
from codegen.review.diff.numbers.arithmetic import Points

Limits: TypeAlias = tuple[float, float]
"""The least and the greatest value of a scalar; a positive number is greater than 0."""


def limits_of(argument: Arg) -> list[Limits | None]:
    """Of each scalar, its limits; None where it depends on others."""
    if members := members_of(argument):
        return [limits for member in members for limits in limits_of(member)]
    if argument.ends:
        return [(float(low), float(high)) for low, high in argument.ends]
    if isinstance(argument.type, Real) and argument.type.positive:
        return [(0.0, np.inf)]
    is_any = isinstance(argument.type, Real) or argument.type.independent or is_free(argument)
    return [(-np.inf, np.inf) if is_any else None] * argument.size


def is_free(argument: Arg) -> bool:
    """Whether any scalars are a value of the type."""
    drawn = list[Any]()

    def draw() -> Any:
        drawn.append(np.float64(len(drawn)))
        return drawn[-1]

    return all(a is b for a, b in zip(sample(argument.type, draw), drawn, strict=False))


def within(points: Points, limits: Sequence[Limits | None]) -> Points:
    """The points moved into the limits of their scalars; a number that must be positive without its sign."""
    moved = points.copy()
    for row, each in enumerate(limits):
        if each == (0.0, np.inf):
            moved[row] = np.maximum(np.abs(points[row]), np.finfo(points.dtype).tiny)
        elif each is not None:
            moved[row] = np.clip(points[row], *each)
    return moved


def are_inside(inputs: Sequence[Arg], points: Points, known: Points) -> Any:
    """Which points are on the input domain, as far as that can be told.

    Scalars that depend on each other are where they are as in one of the points known to be on it.
    """
    inside, first = np.isfinite(points).all(axis=0), 0
    for argument in inputs:
        limits, rows = limits_of(argument), slice(first, first + argument.size)
        first += argument.size
        for value, each in zip(points[rows], limits, strict=True):
            if each is not None:
                inside &= (value >= each[0]) & (value <= each[1]) & ((value > 0) | (each != (0.0, np.inf)))
        bound = [rows.start + k for k, each in enumerate(limits) if each is None]
        if bound:
            values = {column.tobytes() for column in np.ascontiguousarray(known[bound].T)}
            columns = np.ascontiguousarray(points[bound].T)
            inside &= np.array([column.tobytes() in values for column in columns], dtype=bool)
    return inside
