"""Cubic interpolation between the numbers of a table: value and slope are continuous.

The slope at a node is that of the parabola through the node and its two neighbours, at an end of the axis
that of the parabola through the last three nodes (Catmull and Rom's spline where distances are equal).
Quadratic functions are reproduced. In a cell of length h, at the part t of it,

    f = h0 f0 + h1 f1 + g0 h m0 + g1 h m1,  h1 = t^2 (3 - 2 t),  h0 = 1 - h1,
    g0 = t (1 - t)^2,  g1 = -t^2 (1 - t),
    h m0 = a (f0 - f-) + b (f1 - f0),  h m1 = c (f1 - f0) + d (f+ - f1).

a, b, c, d depend on the distances of the nodes only; all are 1/2 where these are equal. The arrays of
constants have one more entry at both ends of each axis, such that 1/2 gives the slope there, too.

An array that is known at run time only has the numbers at the nodes. Then f- is f0 in the first cell and f+
is f1 in the last one, and the slopes at the two ends of an axis have another term, e (f+ - f1) of h m0 in the
first cell and g (f0 - f-) of h m1 in the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple, TypeAlias

from codegen.ir.arrays import Constants
from codegen.ir.operations import Op
from codegen.ir.systems import NumberSystem
from codegen.ir.types import Scalar
from codegen.modeling.types.scalar import select

HALF = Fraction(1, 2)


class Slopes(NamedTuple):
    """The parts of the differences between the entries around a cell in the slopes at its ends."""

    a: Any
    b: Any
    c: Any
    d: Any
    e: Any = Fraction(0)
    g: Any = Fraction(0)


def shares(nodes: Sequence[Fraction]) -> list[Fraction]:
    """a, b, c and d of each cell in turn."""
    lengths = [b - a for a, b in pairwise(nodes)]
    found: list[Fraction] = []
    for i, h in enumerate(lengths):
        before = lengths[i - 1] if i > 0 else h
        after = lengths[i + 1] if i + 1 < len(lengths) else h
        found += [h * h / (before * (before + h)), before / (before + h)]
        found += [after / (h + after), h * h / (after * (h + after))]
    return found


def shares_within(nodes: Sequence[Fraction]) -> list[Fraction]:
    """a, b, c, d, e and g of each cell in turn, for an array of the numbers at the nodes."""
    lengths = [b - a for a, b in pairwise(nodes)]
    inner = shares(nodes)
    found = [Slopes(*inner[4 * i : 4 * i + 4]) for i in range(len(lengths))]
    if len(lengths) > 1:
        near, far = _at_an_end(*lengths[:2])
        found[0] = found[0]._replace(a=Fraction(0), b=near, e=far)
        near, far = _at_an_end(*lengths[:-3:-1])
        found[-1] = found[-1]._replace(d=Fraction(0), c=near, g=far)
    return [x for cell in found for x in cell]


def _at_an_end(h: Fraction, after: Fraction) -> tuple[Fraction, Fraction]:
    """The parts of the differences over the first two cells in the slope of the parabola at the end."""
    return 1 + h / (h + after), -h * h / (after * (h + after))


def extended(numbers: Sequence[Fraction], axes: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """The numbers of a table over axes with these nodes, with an entry more at both ends of each axis."""
    found, shape = list(numbers), [len(nodes) for nodes in axes]
    for i, nodes in enumerate(axes):
        inner = prod(shape[i + 1 :])
        block = shape[i] * inner
        rows: list[Fraction] = []
        for start in range(0, len(found), block):
            rows += _longer(
                [found[start + k * inner : start + (k + 1) * inner] for k in range(shape[i])], nodes
            )
        found, shape[i] = rows, shape[i] + 2
    return found


def _longer(rows: list[list[Fraction]], nodes: Sequence[Fraction]) -> list[Fraction]:
    """Rows at the nodes of an axis, with one before and one behind."""
    first = [_beyond(list(f), nodes) for f in zip(*rows, strict=True)]
    last = [_beyond(list(f)[::-1], [-x for x in nodes[::-1]]) for f in zip(*rows, strict=True)]
    return [*first, *(x for row in rows for x in row), *last]


def _beyond(f: list[Fraction], nodes: Sequence[Fraction]) -> Fraction:
    """The number before the first one, which gives the slope of the parabola there."""
    rise = f[1] - f[0]
    if len(f) > 2:
        near, far = _at_an_end(nodes[1] - nodes[0], nodes[2] - nodes[1])
        rise = near * rise + far * (f[2] - f[1])
    return f[1] - 2 * rise


Beyond: TypeAlias = tuple[Any, Any]
"""Whether a coordinate is below the first node of an axis, and whether it is above the last one."""


def weights(system: NumberSystem, t: Scalar, slopes: Slopes, beyond: Beyond | None) -> list[Scalar]:
    """The weights of the numbers before, at both ends of and behind a cell, at a part t of it.

    With `beyond`, those of a coordinate outside of the axis are of the tangent at its end.
    """
    a, b, c, d, e, g = slopes
    low = high = zero = system.constant(Fraction(0))
    if beyond is not None:
        below, above = beyond
        excess = select(above, t - 1, select(below, t, zero))
        low, high, t = select(above, zero, excess), select(above, excess, zero), t - excess
    u = 1 - t
    second = t * t * (3 - 2 * t)
    g0, g1 = t * u * u + low, high - t * t * u
    return [
        -(a * g0) - g * g1,
        1 - second + (a - b) * g0 + (g - c) * g1,
        second + (b - e) * g0 + (c - d) * g1,
        e * g0 + d * g1,
    ]


def equal_slopes(system: NumberSystem) -> Slopes:
    """The slopes where the nodes have equal distances, and the array one more entry at both ends."""
    half, zero = system.constant(HALF), system.constant(Fraction(0))
    return Slopes(half, half, half, half, zero, zero)


def stored_slopes(system: NumberSystem, array: Constants, cell: Scalar) -> Slopes:
    """The slopes in a cell from the array of those of all cells, as long as its rows."""
    place = system.table[Op.FLAT](cell, array.row, 0)
    found = [system.table[Op.ENTRY](array, place, offset) for offset in range(array.row)]
    return Slopes(*found, *[system.constant(Fraction(0))] * (6 - array.row))
