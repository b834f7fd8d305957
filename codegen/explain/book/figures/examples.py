"""The example that the figure of a kernel shows: of several ones, that whose vectors are told apart best."""

from __future__ import annotations

import math

import numpy as np

from codegen.explain.book.figures.example import Example
from codegen.explain.book.figures.placing import place_inputs, place_results
from codegen.explain.book.figures.points import beginning
from codegen.explain.book.figures.statements import Sort
from codegen.explain.book.figures.values import compute, give
from codegen.explain.book.figures.view import Array, apart
from codegen.modeling.kernel import Kernel

_VARIANTS = 8

_SAME = 0.9995
"""The cosine of the angle between vectors that are the same."""


def example(kernel: Kernel) -> Example:
    """The example of a kernel."""
    first = _example(kernel, 0)
    if all(v.given for v in first.vectors):
        return first
    return max((first, *(_example(kernel, k) for k in range(1, _VARIANTS))), key=_clarity)


def _example(kernel: Kernel, variant: int) -> Example:
    made = Example(kernel, variant)
    place_inputs(made)
    give(made)
    compute(made)
    place_results(made)
    return made


def _clarity(made: Example) -> float:
    """How well vectors are told apart from each other and from the axes; results may coincide with inputs."""
    at: dict[tuple[float, ...], list[Array]] = {}
    found = []
    for vector in made.vectors:
        place, value = made.places[vector.frame], made.value(vector)
        length = float(np.linalg.norm(value))
        if vector.sort in (Sort.STRAIGHT, Sort.TURNING) and 0 < length < math.inf:
            start = beginning(made, vector)
            present = at.setdefault(tuple(start), made.axes_at(start))
            direction = place.R @ value / length
            others = present if vector.given else [d for d in present if d @ direction < _SAME]
            found.append(float(apart(direction[None], others)[0]))
            present.append(direction)
    return min(found, default=0.0)
