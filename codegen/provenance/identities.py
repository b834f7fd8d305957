"""The identity by which a rewritten value equals what is written."""

from __future__ import annotations

import random
from functools import cache

import numpy as np

from codegen.ir.program import Program
from codegen.ir.systems import Precision
from codegen.ir.types import Component, Value
from codegen.modeling.algebra import Quaternion, Rotation
from codegen.modeling.kernel import Kernel
from codegen.provenance.matching import Match, of_signature
from codegen.provenance.points import POINTS, Rows, at_points
from codegen.provenance.written import writing

REGROUPED = "the terms are the same, common factors are taken out and sums shared"


def identity_of(kernel: Kernel, match: Match, node: int, program: Program, precision: Precision) -> str:
    """The identity by which a node of a kernel's Program equals what is written at a match.

    It is one of polynomials where both are equal for any numbers, also for matrices that are no rotations.
    """
    if not constraints(kernel) or match.is_part:
        return REGROUPED
    value = at_points(program, free_points(kernel), precision)[node]
    return named(kernel, value, float(match.times) * _written_at_free_points(kernel)[match.number])


def constraints(kernel: Kernel) -> str:
    """What the types of the inputs require of their numbers, in words; empty if nothing an identity uses."""
    return " and ".join(text for a in kernel.inputs if (text := _constraint(a.name, a.type)))


def named(kernel: Kernel, before: Rows, after: Rows) -> str:
    """The identity by which two values are equal, given their values at the free points."""
    same = np.allclose(before, after, rtol=1e-7, atol=1e-9, equal_nan=True)
    return REGROUPED if same or not constraints(kernel) else constraints(kernel)


@cache
def free_points(kernel: Kernel) -> Rows:
    """Random numbers for all scalars, whatever the types of the inputs require."""
    source = random.Random(f"free {kernel.name}")
    scalars = sum(a.size for a in kernel.inputs)
    drawn = [[source.uniform(0.5, 2) for _ in range(POINTS)] for _ in range(scalars)]
    return np.array(drawn).reshape(scalars, POINTS)  # of a kernel without inputs: no rows


@cache
def _written_at_free_points(kernel: Kernel) -> Rows:
    free = free_points(kernel)
    program = kernel.program(False)
    results = at_points(program, free)[list(program.results)]
    return writing(kernel, of_signature(kernel, free), results).values


def _constraint(name: str, component: Component) -> str:
    """What a type requires of its numbers; empty if nothing that an identity uses."""
    if not isinstance(component, type) or not issubclass(component, Value):
        return ""
    if issubclass(component, Rotation):
        return f"{name} is orthonormal, of determinant 1"
    if issubclass(component, Quaternion):
        return f"{name} has unit norm"
    inside = (_constraint(f"{part}, a part of {name},", kind) for part, kind in component.layout.items())
    return " and ".join(text for text in inside if text)
