"""The identity by which a rewritten value equals what is written."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from codegen.ir.operations import Op
from codegen.ir.program import Program
from codegen.ir.systems import Precision
from codegen.ir.types import Component, Value, size
from codegen.modeling.kernel import Kernel
from codegen.modeling.types.algebra import Quaternion, Rotation
from codegen.provenance.matching import Match, of_signature
from codegen.provenance.points import Rows, at_points, points, valid_points
from codegen.provenance.written import writing

REGROUPED = "the terms are the same, common factors are taken out and sums shared"
EQUAL = "both are equal for any inputs: sums, products and quotients are regrouped"
QUOTIENT = "a / b = a (1 / b): a quotient is the product with the reciprocal"


class Constraint(NamedTuple):
    """What a type requires of its numbers, in words, and their places among the scalars of the inputs."""

    text: str
    scalars: range


Held: TypeAlias = Callable[[tuple[Constraint, ...]], bool]
"""Whether two values are equal at the kernel's points without these constraints."""


def identity_of(kernel: Kernel, match: Match, node: int, program: Program, precision: Precision) -> str:
    """The identity by which a node of a kernel's Program equals what is written at a match.

    It is one of polynomials or quotients where both are equal for any numbers, also for matrices that are no
    rotations. Only constraints without which it does not hold are named.
    """

    def holds(lifted: tuple[Constraint, ...]) -> bool:
        before = at_points(program, lifted_points(kernel, lifted), precision)[node]
        return equal(before, float(match.times) * _written(kernel, lifted)[match.number])

    if match.is_part:
        return REGROUPED
    return identity(kernel, holds, EQUAL if _divides(program, node) else REGROUPED)


def identity(kernel: Kernel, holds: Held, regrouped: str = REGROUPED) -> str:
    """`regrouped`, or the constraints without which two values are not equal, in words."""
    known = constraints(kernel)
    if not known or holds(known):
        return regrouped
    used = [c for c in known if not holds((c,))]
    return " and ".join(c.text for c in used or known)


def _divides(program: Program, node: int) -> bool:
    """Whether a value is computed with a quotient of values."""
    seen, waiting = {node}, [node]
    for i in waiting:
        op, args, _ = program.nodes[i]
        if op is Op.DIV:
            return True
        waiting += [a for a in args if a not in seen]
        seen.update(args)
    return False


def computed_first(kernel: Kernel, found: Sequence[Match]) -> list[Match]:
    """The matches of a value that is computed, those that are inputs last.

    It only equals an input by a property of a type, as a cofactor of a rotation matrix is an element of it.
    """
    inputs = _inputs(kernel)
    return sorted(found, key=lambda m: abs(m.times) == 1 and (m.place.is_input or m.number in inputs))


@cache
def _inputs(kernel: Kernel) -> frozenset[int]:
    """The numbers of the places that are an input, or its opposite, whatever numbers the inputs are."""
    known = constraints(kernel)
    values = np.abs(_written(kernel, known))
    found = set[int]()
    for row in of_signature(kernel, lifted_points(kernel, known)):
        same = np.isclose(values, np.abs(row), rtol=1e-9, atol=0).all(axis=1)
        found.update(map(int, np.flatnonzero(same)))
    return frozenset(found)


def equal(before: Rows, after: Rows) -> bool:
    """Whether two values are equal at all points."""
    return bool(np.allclose(before, after, rtol=1e-7, atol=1e-9, equal_nan=True))


@cache
def constraints(kernel: Kernel) -> tuple[Constraint, ...]:
    """What the types of the inputs require of their numbers; none if nothing that an identity uses."""
    found: list[Constraint] = []
    first = 0
    for a in kernel.inputs:
        found += _constraints(a.name, a.type, first)
        first += a.size
    return tuple(found)


def _constraints(name: str, component: Component, first: int) -> Iterator[Constraint]:
    if not isinstance(component, type) or not issubclass(component, Value):
        return
    scalars = range(first, first + size(component))
    if issubclass(component, Rotation):
        yield Constraint(f"{name} is orthonormal, of determinant 1", scalars)
    elif issubclass(component, Quaternion):
        if component.constrained:
            yield Constraint(f"{name} has unit norm", scalars)
    else:
        for part, kind in component.layout.items():
            yield from _constraints(f"{part}, a part of {name},", kind, first)
            first += size(kind)


@cache
def lifted_points(kernel: Kernel, lifted: tuple[Constraint, ...]) -> Rows:
    """The kernel's points with other numbers for scalars, which meet these constraints no longer.

    They are points at which no requirement fails, if there are such: a guard would replace values there.
    """
    source = random.Random(f"free {kernel.name}")
    free = points(kernel).copy()
    for i in dict.fromkeys(i for c in lifted for i in c.scalars):
        free[i] += [source.choice((-1, 1)) * source.uniform(0.05, 0.3) for _ in range(free.shape[1])]
    valid = free[:, valid_points(kernel.program(True), free)]
    return valid if valid.shape[1] >= _FEWEST else free


_FEWEST = 4
"""So many points are enough to tell values apart."""


@cache
def _written(kernel: Kernel, lifted: tuple[Constraint, ...]) -> Rows:
    """What is written about a kernel, at its points without these constraints."""
    given = lifted_points(kernel, lifted)
    program = kernel.program(False)
    results = at_points(program, given)[list(program.results)]
    return writing(kernel, of_signature(kernel, given), results).values
