"""guard: whether a rewritten Program is as accurate as the one it came from, and as far from overflow.

Both run on a few points of the constraint set, each value with a bound on its rounding error (running error
analysis: Wilkinson, The Algebraic Eigenvalue Problem, section 1.4). At some points inputs are nearly alike,
at some one scalar is large beside the others, as in the quaternion of a small angle: there a difference that
was exact and is not any more shows. Both also run on powers: how
values grow when all inputs do, so that nothing is squared that was scaled first.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from codegen.algebra import (
    ArticulatedInertia,
    CentralInertia,
    Component,
    Inertia,
    InertiaTensor,
    UnitInertia,
)
from codegen.domain import Draw, floats, sample
from codegen.operations import Op
from codegen.program import Program, evaluate
from codegen.systems import F64, NumberSystem

_LEEWAY = 8
"""An error bound may grow so much: bounds of two good forms differ, those of a bad one by far more."""


def trustworthy(candidate: Program, original: Program) -> bool:
    """Whether the candidate is no less accurate than the original, and needs no larger or smaller numbers."""
    return _within_range(candidate, original) and _accurate(candidate, original)


# Accuracy


class Bounded(NamedTuple):
    """A value and a bound on its rounding error, in units of the last place of 1."""

    value: float
    error: float


def _accurate(candidate: Program, original: Program) -> bool:
    for point in _points(original):
        try:
            known = evaluate(original, _bounded(), point).results
            found = evaluate(candidate, _bounded(), point).results
        except (ArithmeticError, ValueError):  # the mathematics has no value here
            continue
        for a, b in zip(known, found, strict=True):
            if b.error > _LEEWAY * a.error + abs(a.value) and math.isfinite(a.error):
                return False
    return True


def _points(program: Program) -> list[list[Bounded]]:
    source = random.Random("guard")
    wide: Draw = floats(source)

    def alike() -> Draw:
        return lambda: 1 + wide() / 4096

    def one_large() -> Draw:
        large = iter([Fraction(1)])
        return lambda: next(large, wide() / 4096)

    def point(draw: Callable[[], Draw]) -> list[Bounded]:
        drawn = [sample(a.type, wide if _is_body(a.type) else draw()) for a in program.inputs]
        return [Bounded(float(x), 0.0) for scalars in drawn for x in scalars]

    return [point(draw) for draw in (lambda: wide, alike, lambda: wide, one_large)]


_BODIES = (InertiaTensor, Inertia, CentralInertia, UnitInertia, ArticulatedInertia)


def _is_body(component: Component) -> bool:
    """Whether the type is that of a body's inertia, which means nothing when its scalars are alike."""
    return isinstance(component, type) and issubclass(component, _BODIES)


@cache
def _bounded() -> NumberSystem:
    table: dict[Op, Callable[..., Any]] = {
        Op.ADD: lambda a, b: _rounded(a.value + b.value, a.error + b.error),
        Op.SUB: lambda a, b: _rounded(a.value - b.value, a.error + b.error),
        Op.MUL: lambda a, b: _rounded(a.value * b.value, abs(a.value) * b.error + abs(b.value) * a.error),
        Op.DIV: lambda a, b: _rounded(
            a.value / b.value, (a.error + abs(a.value / b.value) * b.error) / abs(b.value)
        ),
        Op.NEG: lambda a: Bounded(-a.value, a.error),
        Op.ABS: lambda a: Bounded(abs(a.value), a.error),
        Op.SQRT: lambda a: _rounded(math.sqrt(a.value), a.error / (2 * math.sqrt(a.value))),
        Op.MIN: lambda a, b: a if a.value < b.value else b,
        Op.MAX: lambda a, b: b if a.value < b.value else a,
        Op.SELECT: lambda condition, a, b: a if condition else b,
        Op.LT: lambda a, b: a.value < b.value,
        Op.LE: lambda a, b: a.value <= b.value,
        Op.AND: lambda a, b: a and b,
        Op.OR: lambda a, b: a or b,
        Op.NOT: lambda a: not a,
        **{op: _function(op) for op in _SLOPES},
        Op.ATAN2: _angle,
    }
    return NumberSystem("bounded", table, lambda x: Bounded(float(x), 0.0), _named)


def _rounded(value: float, error: float) -> Bounded:
    return Bounded(value, error + abs(value))


def _named(name: str) -> Bounded:
    return Bounded(float(F64.named(name)), 0.0)


_SLOPES: Mapping[Op, Callable[[float], float]] = {
    Op.SIN: math.cos,
    Op.COS: math.sin,
    Op.TAN: lambda x: 1 + math.tan(x) ** 2,
    Op.ASIN: lambda x: 1 / math.sqrt(1 - x * x),
    Op.ACOS: lambda x: 1 / math.sqrt(1 - x * x),
    Op.EXP: math.exp,
    Op.LOG: lambda x: 1 / x,
}


def _function(op: Op) -> Callable[[Bounded], Bounded]:
    value, slope = getattr(math, op.label), _SLOPES[op]
    return lambda a: _rounded(value(a.value), abs(slope(a.value)) * a.error)


def _angle(y: Bounded, x: Bounded) -> Bounded:
    square = x.value**2 + y.value**2
    spread = (abs(x.value) * y.error + abs(y.value) * x.error) / square
    return _rounded(math.atan2(y.value, x.value), spread)


# Range


class Growth(NamedTuple):
    """The power by which a value grows with the inputs when they are large, and when they are small."""

    large: float
    small: float


def _within_range(candidate: Program, original: Program) -> bool:
    """Whether no result takes higher or lower powers on its way than it took before."""
    before, after = _steepest(original), _steepest(candidate)
    return all(found <= known for found, known in zip(after, before, strict=True))


def _steepest(program: Program) -> list[float]:
    """For each root the largest power, up or down, among the values that it is computed from."""
    scalars = sum(a.size for a in program.inputs)
    values = evaluate(program, _growth(), [Growth(1, 1)] * scalars).values
    steepest: list[float] = []
    for node, growth in zip(program.nodes, values, strict=True):
        own = max(map(abs, growth)) if isinstance(growth, Growth) else 0
        steepest.append(max([own, *(steepest[a] for a in node.args)]))
    return [steepest[root] for root in program.roots]


@cache
def _growth() -> NumberSystem:
    def sum_(*args: Growth) -> Growth:
        return Growth(max(a.large for a in args), min(a.small for a in args))

    def bounded(*args: Growth) -> Growth:
        return Growth(0, max(0.0, *(a.small for a in args)))

    def same(a: Growth) -> Growth:
        return a

    table: dict[Op, Callable[..., Any]] = {
        **dict.fromkeys((Op.ADD, Op.SUB, Op.MIN, Op.MAX), sum_),
        Op.MUL: lambda a, b: Growth(a.large + b.large, a.small + b.small),
        Op.DIV: lambda a, b: Growth(a.large - b.large, a.small - b.small),
        Op.SQRT: lambda a: Growth(a.large / 2, a.small / 2),
        **dict.fromkeys((Op.NEG, Op.ABS), same),
        **dict.fromkeys((*_SLOPES, Op.ATAN2), bounded),
        Op.SELECT: lambda _, a, b: sum_(a, b),
        **{op: lambda *_: True for op in (Op.LT, Op.LE, Op.AND, Op.OR, Op.NOT)},
    }
    return NumberSystem("growth", table, lambda _: Growth(0, 0), lambda _: Growth(0, 0))


__all__: Sequence[str] = ["trustworthy"]
