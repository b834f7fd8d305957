"""Inputs at which comparisons of sums of inputs have equal sides, and inputs between two such thresholds.

Forms with other thresholds for one sum, as 2 h <= 22000 and 2 h <= 22001, differ between these only.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from codegen.ir.domain import drawn, floats
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node
from codegen.ir.types import Real

_Sum: TypeAlias = Mapping[int, Fraction]
"""The factors of inputs, by their numbers, and a constant at -1; none of them is zero."""

_Direction: TypeAlias = tuple[tuple[int, Fraction], ...]
"""The factors of a sum that is compared with a constant; that of its first input is 1."""

_CONSTANT = -1
_LONGEST = 8
"""Terms of the longest sum that is followed."""

_COMPARISONS = (Op.LT, Op.LE, Op.MIN, Op.MAX)
_SPAN = 2.0


def boundary_points(
    inputs: Sequence[Arg], programs: Sequence[Sequence[Node]], source: random.Random
) -> Iterator[list[Fraction]]:
    """Points at the thresholds of sums of inputs, and between these; first those that some programs lack.

    An input is set so that the sum has the wanted value; all others are random.
    """
    can_be_set = [free for a in inputs for free in [_can_be_set(a)] * a.size]
    for direction, wanted in _wanted(programs):
        places = [(i, factor) for i, factor in direction if can_be_set[i]]
        if places:
            point = drawn(inputs, floats(source, _SPAN))
            i, factor = source.choice(places)
            rest = sum((f * point[k] for k, f in direction if k != i), Fraction(0))
            yield [*point[:i], (wanted - rest) / factor, *point[i + 1 :]]


def _can_be_set(argument: Arg) -> bool:
    """Whether each of its scalars may be any number, whatever the others are."""
    return isinstance(argument.type, Real) or argument.type.independent


def _wanted(programs: Sequence[Sequence[Node]]) -> list[tuple[_Direction, Fraction]]:
    """The sums that the programs compare, with thresholds and the middles between two."""
    each = [set(_thresholds(nodes)) for nodes in programs]
    shared = set.intersection(*each)
    found: list[tuple[bool, _Direction, Fraction]] = []
    for direction in sorted({direction for every in each for direction, _ in every}):
        known = sorted({t for every in each for d, t in every if d == direction})
        for low, high in [*zip(known, known, strict=True), *pairwise(known)]:
            is_shared = {(direction, low), (direction, high)} <= shared
            found.append((is_shared, direction, (low + high) / 2))
    return [(direction, wanted) for _, direction, wanted in sorted(found)]


def _thresholds(nodes: Sequence[Node]) -> Iterator[tuple[_Direction, Fraction]]:
    """The sums of inputs that a program compares with constants, and these."""
    sums = _sums(nodes)
    for op, args, _ in nodes:
        a, b = (sums[i] for i in args) if op in _COMPARISONS else (None, None)
        total = None if a is None or b is None else _added(a, b, Fraction(-1))
        places = sorted(i for i in total or () if i != _CONSTANT)
        if total and places:
            first = total[places[0]]
            direction = tuple((i, total[i] / first) for i in places)
            yield direction, -total.get(_CONSTANT, Fraction(0)) / first


def _sums(nodes: Sequence[Node]) -> list[_Sum | None]:
    """Each node as a sum of multiples of inputs and a constant; None for any other."""
    found: list[_Sum | None] = []
    for node in nodes:
        total = _sum(node, [found[a] for a in node.args])
        found.append(total if total is not None and len(total) <= _LONGEST else None)
    return found


def _sum(node: Node, args: Sequence[_Sum | None]) -> _Sum | None:
    match node.op, node.value, args:
        case Op.CONSTANT, Fraction() as number, _:
            return {_CONSTANT: number} if number else {}
        case Op.INPUT, number, _:
            return {int(str(number)): Fraction(1)}
        case Op.ADD | Op.SUB, _, [dict(a), dict(b)]:
            return _added(a, b, Fraction(1 if node.op is Op.ADD else -1))
        case Op.NEG, _, [dict(a)]:
            return _added({}, a, Fraction(-1))
        case Op.MUL, _, [dict(a), dict(b)]:
            factor, other = (a, b) if a.keys() <= {_CONSTANT} else (b, a)
            is_constant = factor.keys() <= {_CONSTANT}
            return _added({}, other, factor.get(_CONSTANT, Fraction(0))) if is_constant else None
        case Op.DIV, _, [dict(a), dict(b)] if b.keys() == {_CONSTANT}:
            return _added({}, a, 1 / b[_CONSTANT])
    return None


def _added(a: _Sum, b: _Sum, times: Fraction) -> _Sum:
    """a + times b."""
    total = {i: a.get(i, Fraction(0)) + times * b.get(i, Fraction(0)) for i in {**a, **b}}
    return {i: x for i, x in total.items() if x}
