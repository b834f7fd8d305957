"""growth: the powers by which a Program's values grow when all its inputs grow.

A value that is squared before it is scaled may overflow or underflow where one that is scaled first does not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from codegen.ir.operations import LIBM, LOOKUPS, Op
from codegen.ir.program import Program, evaluate
from codegen.ir.systems import NumberSystem


class Growth(NamedTuple):
    """The power by which a value grows with the inputs when they are large, and when they are small."""

    large: float
    small: float


def within_range(candidate: Program, original: Program) -> bool:
    """Whether no intermediate value of a result has a higher or lower power than before."""
    before, after = _steepest(original), _steepest(candidate)
    return all(found <= known for found, known in zip(after, before, strict=True))


def _steepest(program: Program) -> list[float]:
    """For each root, the largest power, up or down, among the values that it is computed from."""
    steepest: list[float] = []
    for node, growth in zip(program.nodes, growths(program), strict=True):
        own = steepness(growth) if isinstance(growth, Growth) else 0
        steepest.append(max([own, *(steepest[a] for a in node.args)]))
    return [steepest[root] for root in program.roots]


def growths(program: Program) -> list[Any]:
    """The Growth of each node that is a real."""
    scalars = sum(a.size for a in program.inputs)
    return evaluate(program, _growth(), [Growth(1, 1)] * scalars).values


def steepness(growth: Growth) -> float:
    """The larger of the powers, up or down."""
    return max(map(abs, growth))


def product(a: Growth, b: Growth) -> Growth:
    """The powers of a product."""
    return Growth(a.large + b.large, a.small + b.small)


@cache
def _growth() -> NumberSystem:
    def total(*args: Growth) -> Growth:
        return Growth(max(a.large for a in args), min(a.small for a in args))

    def bounded(*args: Growth) -> Growth:
        return Growth(0, max(0.0, *(a.small for a in args)))

    def of_size_one(_: Growth) -> Growth:
        return Growth(0, 0)

    def same(a: Growth) -> Growth:
        return a

    table: dict[Op, Callable[..., Any]] = {
        **dict.fromkeys((Op.ADD, Op.SUB, Op.MIN, Op.MAX), total),
        Op.MUL: product,
        Op.DIV: lambda a, b: Growth(a.large - b.large, a.small - b.small),
        Op.SQRT: lambda a: Growth(a.large / 2, a.small / 2),
        **dict.fromkeys((Op.NEG, Op.ABS), same),
        **dict.fromkeys(LIBM, bounded),
        **dict.fromkeys((Op.SIN, Op.COS), of_size_one),
        Op.FLOOR: same,
        Op.SELECT: lambda _, a, b: total(a, b),
        **{op: lambda *_: Growth(0, 0) for op in LOOKUPS},
        **{op: lambda *_: True for op in (Op.LT, Op.LE, Op.AND, Op.OR, Op.NOT)},
    }
    return NumberSystem("growth", table, lambda _: Growth(0, 0), lambda _: Growth(0, 0))
