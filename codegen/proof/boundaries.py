"""Inputs at the thresholds of comparisons, and between two such thresholds.

Forms with other thresholds for one value, as 2 h <= 22000 and 2 h <= 22001, differ between these only. Where
the value is a sum of inputs, one of these is solved for; else the inputs are scaled until it is in between.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise, product
from typing import TypeAlias

from codegen.ir.domain import Case, floats, members_of, sample_of, spans
from codegen.ir.operations import Op
from codegen.ir.program import Arg, Node, Program
from codegen.ir.ranges import Ends, takes_range
from codegen.ir.systems import F64, floating
from codegen.ir.types import Real
from codegen.proof.ondemand import OnDemand

_Sum: TypeAlias = Mapping[int, Fraction]
"""The factors of inputs, by their numbers, and a constant at -1; none of them is zero."""

_Direction: TypeAlias = tuple[tuple[int, Fraction], ...]
"""The factors of a sum that is compared with a constant; that of its first input is 1."""

_CONSTANT = -1
_LONGEST = 8
"""Terms of the longest sum that is followed."""

_COMPARISONS = (Op.LT, Op.LE, Op.MIN, Op.MAX)
_SPAN = 2.0
_MOST = 96
"""Points of each kind."""

_TRIES, _SCALES, _HALVINGS = 4, 24, 60
"""Points that are scaled for a gap, powers of two of the scale, and how often its interval is halved."""


def boundary_points(inputs: Sequence[Arg], programs: Sequence[Program], seed: str) -> Iterator[Case]:
    """Points of the declared ranges at thresholds and between two; first those that some programs lack."""
    source = random.Random(f"boundaries {seed}")
    for points in (_on_sums, _between_constants):
        yield from islice(points(inputs, programs, source), _MOST)


def _on_sums(inputs: Sequence[Arg], programs: Sequence[Program], source: random.Random) -> Iterator[Case]:
    """Points at the thresholds of sums of inputs, and between these.

    An input is set so that the sum has the wanted value; all others are random.
    """
    region = Region(inputs)
    for direction, wanted in _wanted(programs):
        point = region.point(source)
        for i, factor in source.sample(direction, len(direction)):
            rest = sum((f * point[k] for k, f in direction if k != i), Fraction(0))
            x = (wanted - rest) / factor
            if region.allows(i, x):
                yield [*point[:i], x, *point[i + 1 :]]
                break


def _between_constants(
    inputs: Sequence[Arg], programs: Sequence[Program], source: random.Random
) -> Iterator[Case]:
    """Points at which another value than a sum is between two constants that not all programs compare."""
    each = [_constants(program.nodes) for program in programs]
    every = set[Fraction]().union(*each)
    shared = every.intersection(*each)
    gaps = [gap for gap in pairwise(sorted(every)) if not shared.issuperset(gap)]
    region = Region(inputs)
    for program in programs:
        sums = _sums(program.nodes)
        others = [node for node in _compared(program.nodes) if sums[node] is None]
        for node, gap, _ in product(others, gaps, range(_TRIES)):
            with suppress(ArithmeticError, ValueError):  # outside of the domain
                yield from _Scaled(program, region, node, gap, region.point(source)).inside()


class Region:
    """The declared ranges of inputs, and which of their scalars may be any number of their range."""

    def __init__(self, inputs: Sequence[Arg]) -> None:
        self.inputs = [*_without_records(inputs)]
        types = [a.type for a in self.inputs for _ in range(a.size)]
        self.ends = [ends for a in self.inputs for ends in spans(a)]
        self.free = [*map(takes_range, types)]
        self.positive = [isinstance(kind, Real) and kind.positive for kind in types]

    def point(self, source: random.Random) -> Case:
        """A random point inside the ranges."""
        return [x for a in self.inputs for x in sample_of(a, floats(source, _SPAN))]

    def clipped(self, i: int, x: Fraction) -> Fraction:
        """The number of an input's range that is closest."""
        ends = self.ends[i]
        return x if ends is None else min(max(x, ends[0]), ends[1])

    def allows(self, i: int, x: Fraction) -> bool:
        """Whether an input may be this number, whatever the others are."""
        return self.free[i] and self.clipped(i, x) == x and (x > 0 or not self.positive[i])


@dataclass(frozen=True)
class _Scaled:
    """A point whose free inputs are scaled, within their ranges, until the value of a node is in a gap."""

    program: Program
    region: Region
    node: int
    gap: Ends
    point: Case

    def inside(self) -> list[Case]:
        """The point with the value in the gap; none where no scale is found."""
        scales = [Fraction(2) ** k for k in range(-_SCALES, _SCALES + 1)]
        crossed = [(a, b) for a, b in pairwise(scales) if self._side(a) != self._side(b)]
        if not crossed:
            return []
        low, high = crossed[0]
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            side = self._side(middle)
            if side == 0:
                return [self._at(middle)]
            low, high = (middle, high) if side == self._side(low) else (low, middle)
        return []

    def _at(self, scale: Fraction) -> Case:
        region = self.region
        return [region.clipped(i, x * scale) if region.free[i] else x for i, x in enumerate(self.point)]

    def _side(self, scale: Fraction) -> int:
        """-1 below the gap, 1 above, 0 in it."""
        run = OnDemand(self.program, floating(F64), [*map(float, self._at(scale))])
        value, (low, high) = float(run.value(self.node)), self.gap
        return (value >= high) - (value <= low)


def _without_records(inputs: Iterable[Arg]) -> Iterator[Arg]:
    """The inputs, with the members of records in their place."""
    for argument in inputs:
        members = members_of(argument)
        yield from _without_records(members) if members else [argument]


def _wanted(programs: Sequence[Program]) -> list[tuple[_Direction, Fraction]]:
    """The sums that the programs compare, with thresholds and the middles between two."""
    each = [set(_thresholds(program.nodes)) for program in programs]
    shared = set[tuple[_Direction, Fraction]]().union(*each).intersection(*each)
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


def _compared(nodes: Sequence[Node]) -> list[int]:
    """The nodes that are compared with constants."""
    constant = [node.op is Op.CONSTANT for node in nodes]
    pairs = [node.args for node in nodes if node.op in _COMPARISONS]
    return sorted({a for x, y in pairs for a, b in ((x, y), (y, x)) if constant[b] and not constant[a]})


def _constants(nodes: Sequence[Node]) -> set[Fraction]:
    """The constants with which something is compared."""
    values = [nodes[a].value for node in nodes if node.op in _COMPARISONS for a in node.args]
    return {value for value in values if isinstance(value, Fraction)}


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
