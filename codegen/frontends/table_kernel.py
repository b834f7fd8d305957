"""A table as a kernel: the function of its coordinates, with a definition and a reference of its own.

The definition is the textbook form, the sum over the corners of a cell, each weighted by its distances from
the others. The reference does the same on numbers, and finds the cell by counting the nodes below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import prod
from typing import Any

import numpy as np

from codegen.frontends.formula import lower
from codegen.frontends.references import Outcome
from codegen.ir.operations import Op
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.systems import F32, F64, TRACED, NumberSystem, system_of
from codegen.ir.types import REAL, Draw, Real, Scalar, flatten
from codegen.modeling.failures import Failures, failures_of
from codegen.modeling.kernel import Kernel, OnNumbers
from codegen.modeling.tables.table import Table
from codegen.modeling.types.scalar import select
from codegen.notation.blocks import Block, scalar
from codegen.notation.families import Setting
from codegen.notation.syntax import number


@dataclass(frozen=True)
class Coordinate(Real):
    """The type of a table's coordinate: tried at every node, between nodes, and beyond both ends."""

    nodes: tuple[Fraction, ...] = ()

    def sample(self, draw: Draw) -> list[Scalar]:
        """A number around the nodes; of numbers between -2 and 2, a third gives one beyond them."""
        first, last = self.nodes[0], self.nodes[-1]
        drawn = (first + last) / 2 + draw() * ((last - first) * Fraction(3, 8))
        return [min(max(drawn, -self._largest), self._largest) if isinstance(drawn, Fraction) else drawn]

    def edges(self) -> list[list[Scalar]]:
        """The nodes, and a number beyond either end."""
        first, last = self.nodes[0], self.nodes[-1]
        below, above = max(2 * first - last, -self._largest), min(2 * last - first, self._largest)
        return [[x] for x in (*self.nodes, below, above)]

    @property
    def _largest(self) -> Fraction:
        """The largest number of the narrowest format that holds the nodes."""
        return F32.max if max(-self.nodes[0], self.nodes[-1]) <= F32.max else F64.max


@cache
def table_kernel(table: Table) -> Kernel:
    """The kernel of a table; its result has the name of the table."""
    inputs = tuple(
        Arg(axis.name, Coordinate(nodes=axis.nodes.values), axis.unit, _coordinate_text(axis))
        for axis in table.axes
    )
    if table.is_given:
        inputs += (table.argument_called("data"),)
    outputs = (Arg(table.name, REAL, table.unit, table.doc),)
    return Kernel(
        name=table.name,
        module="model",
        inputs=inputs,
        outputs=outputs,
        title=f"{table.doc[:1].upper()}{table.doc[1:].rstrip('.')}: a table over {_names(table)}.",
        details=_details(table),
        equation=_equation(table),
        setting=_setting(table),
        source=table.source,
        failures=_failures(table),
        formula=_formula(table),
        naming=cache(lambda: lower(inputs, outputs, _formula(table), True)),
        lower=partial(lower, inputs, outputs, _formula(table)),
        definition=_definition(table),
        reference=_reference(table),
    )


_OUTSIDE = {
    "hold": "Beyond the nodes of an axis, the value at its end.",
    "extrapolate": "Beyond the nodes of an axis, the line through its last two nodes.",
    "flag": "",
}


def _details(table: Table) -> str:
    if table.method == "linear":
        return f"{_OUTSIDE[table.outside]}\n\n{_letters(table)}".strip()
    cubic = (
        "A cubic in each cell, with continuous slopes: at a node, that of the parabola through the node and "
        "its neighbours."
    )
    tangent = "Beyond the nodes of an axis, the tangent at its end; an infinite coordinate gives NaN."
    beyond = {"extrapolate": tangent}
    return f"{cubic} {beyond.get(table.outside, _OUTSIDE[table.outside])}".strip()


def _letters(table: Table) -> str:
    """What the letters of the equation stand for."""
    corners = ", ".join(f"`{_corner(c)}`" for c in product((0, 1), repeat=len(table.axes)))
    even = " and ".join(f"`i_{axis.name}`" for axis in table.axes if axis.is_uniform and axis.size > 2)
    other = " and ".join(f"`{a.name}_0`, `{a.name}_1`" for a in table.axes if not a.is_uniform)
    said = f"In the equation, {corners} are the numbers at the corners of the cell"
    said += f", {other} its nodes" if other else ""
    return f"{said}{f', {even} its number, from 0,' if even else ''} and `t` the part of a side below."


def _names(table: Table) -> str:
    return " and ".join(axis.name for axis in table.axes)


def _coordinate_text(axis: Any) -> str:
    first, last = float(axis.nodes.values[0]), float(axis.nodes.values[-1])
    spacing = "equally spaced " if axis.is_uniform else ""
    return f"{axis.doc}: {axis.size} {spacing}nodes from {first:g} to {last:g}"


def _equation(table: Table) -> str:
    """The sum over the corners of the cell, or in words that of a cubic."""
    if table.method == "cubic":
        return f"{table.name} is cubic in {_names(table)} in each cell, with continuous slopes"
    terms = []
    for corner in product((0, 1), repeat=len(table.axes)):
        sides = zip(table.axes, corner, strict=True)
        weights = (f"t_{axis.name}" if i else f"(1 - t_{axis.name})" for axis, i in sides)
        terms.append(f"{' '.join(weights)} {_corner(corner)}")
    parts = (_part(axis, table.outside == "hold") for axis in table.axes)
    return f"{table.name} = {' + '.join(terms)}; {'; '.join(parts)}"


def _corner(corner: Sequence[int]) -> str:
    """The name of an entry at a corner of the cell: y_01 at the lower node of the first of two axes."""
    return f"y_{''.join(map(str, corner))}"


def _part(axis: Any, hold: bool) -> str:
    """The equation of the part of a cell's side that lies below the coordinate."""
    x, first, last = axis.name, *(number(node) for node in (axis.nodes.values[0], axis.nodes.values[-1]))
    if axis.is_uniform:
        cell = f" - i_{x}" if axis.size > 2 else ""
        if not hold:
            return f"t_{x} = {_steps(axis)}{cell}"
        ends = f"{{0 if r_{x} < 0, {axis.size - 1} if {axis.size - 1} < r_{x}, r_{x} otherwise}}"
        return f"t_{x} = {ends}{cell}; r_{x} = {_steps(axis)}"
    if not hold:
        return f"t_{x} = ({x} - {x}_0) / ({x}_1 - {x}_0)"
    ends = f"{{{first} if {x} < {first}, {last} if {last} < {x}, {x} otherwise}}"
    return f"t_{x} = (s_{x} - {x}_0) / ({x}_1 - {x}_0); s_{x} = {ends}"


def _steps(axis: Any) -> str:
    """The distance of a coordinate from the first node, in distances between nodes."""
    first, second = axis.nodes.values[:2]
    above = f"{axis.name} {'-' if first > 0 else '+'} {number(abs(first))}" if first else axis.name
    return above if second - first == 1 else f"({above}) / {number(second - first)}"


def _setting(table: Table) -> Setting | None:
    """What the equation is about: the entries at the corners of the cell, and its nodes or its number."""

    def values(given: Mapping[str, Block]) -> dict[str, Block]:
        coordinates = [given[axis.name].scalar for axis in table.axes]
        numbers = given["data"].scalars if table.is_given else ()
        data = TRACED.table[Op.LIST](table.data, *numbers) if table.is_given else table.data
        cells = [cell for cell, _ in table.places(TRACED, coordinates)]
        corners = table.corners(TRACED, data, cells)
        found = {_corner(c): y for c, y in zip(product((0, 1), repeat=len(cells)), corners, strict=True)}
        for axis, cell in zip(table.axes, cells, strict=True):
            if axis.is_uniform and axis.size > 2:
                found[f"i_{axis.name}"] = TRACED.table[Op.REAL](cell)
            elif not axis.is_uniform:
                for i in (0, 1):
                    found[f"{axis.name}_{i}"] = TRACED.table[Op.ENTRY](axis.nodes, cell, i)
        return {name: scalar(value) for name, value in found.items()}

    return Setting(values) if table.method == "linear" else None


def _failures(table: Table) -> Failures:
    if table.outside != "flag":
        return {}
    beyond = " or ".join(f"{axis.name} is beyond its nodes" for axis in table.axes)
    return failures_of({Status.OUTSIDE: f"{beyond}: the value at their end, at the last one for NaN"})


def _formula(table: Table) -> Callable[..., Any]:
    def formula(*inputs: Any) -> Any:
        return inputs[-1](*inputs[:-1]) if table.is_given else table(*inputs)

    shown = Table.interpolated if table.method == "linear" else Table.summed
    formula.__wrapped__ = shown  # type: ignore[attr-defined]  # the source that is shown
    return formula


def weighted(table: Table, system: NumberSystem, coordinates: Sequence[Any], data: Any) -> Any:
    """The sum over the corners of a cell, each weighted by its distances from the others."""
    places = table.places(system, coordinates)
    corners = table.corners(system, data, [cell for cell, _ in places])
    if table.method == "cubic":
        given = zip(table.axes, coordinates, places, strict=True)
        sides = [_powers(table, system, axis, x, place) for axis, x, place in given]
    else:
        sides = [[1 - t, t] for _, t in places]
    return sum(prod(weights) * f for weights, f in zip(product(*sides), corners, strict=True))


def _powers(table: Table, system: NumberSystem, axis: Any, x: Any, place: tuple[Any, Any]) -> list[Any]:
    """The weights of the four entries around a cell in powers of t; beyond it, those of the tangent."""
    cell, t = place
    if axis.is_linear:
        return [1 - t, t]
    beyond = table.beyond(system, axis, x)
    a, b, c, d, e, g = axis.slopes(system, cell)
    inside = [
        [0, -a, 2 * a + g, -a - g],
        [1, a - b, 2 * b - 2 * a + c - g - 3, a - b - c + g + 2],
        [0, b - e, 3 - 2 * b + 2 * e - c + d, b - e + c - d - 2],
        [0, e, -2 * e - d, e + d],
    ]
    found = []
    for k0, k1, k2, k3 in inside:
        value = k0 + t * k1 + t * t * k2 + t * t * t * k3
        if beyond is not None:
            behind = k0 + k1 + k2 + k3 + (t - 1) * (k1 + 2 * k2 + 3 * k3)
            value = select(beyond[1], behind, select(beyond[0], k0 + t * k1, value))
        found.append(value)
    return found


def _definition(table: Table) -> Callable[..., Any]:
    def definition(*inputs: Any) -> list[Any]:
        count = len(table.axes)
        numbers = [x for data in inputs[count:] for x in flatten(list(data))]
        system = system_of((*inputs[:count], *numbers))
        data = system.table[Op.LIST](table.data, *numbers) if table.is_given else table.data
        return [weighted(table, system, inputs[:count], data)]

    return definition


def _reference(table: Table) -> OnNumbers:
    def reference(*inputs: Any, limits: Any = None) -> Outcome:
        count = len(table.axes)
        constant = system_of(inputs[:count]).constant
        numbers = inputs[count] if table.is_given else [constant(x) for x in table.numbers]
        total, status = _interpolated(table, inputs[:count], numbers)
        return Outcome((np.array([total], dtype=object),), status)

    return OnNumbers(reference)


def _interpolated(table: Table, coordinates: Sequence[Any], numbers: Any) -> tuple[Any, int]:
    """The interpolated number, and the status, by counting nodes."""
    constant = system_of(tuple(coordinates)).constant
    data: Any = np.array(numbers, dtype=object).reshape([axis.size for axis in table.axes])
    status = 0
    for axis, x in zip(table.axes, coordinates, strict=True):
        nodes = [constant(node) for node in axis.nodes.values]
        inside = nodes[0] <= x <= nodes[-1]
        status |= 0 if inside or table.outside != "flag" else int(Status.OUTSIDE)
        if not inside and table.outside != "extrapolate":
            x = nodes[0] if x < nodes[0] else nodes[-1]
        i = min(max(sum(bool(node <= x) for node in nodes) - 1, 0), len(nodes) - 2)
        if table.method == "cubic":
            data = _hermite(data, nodes, i, x)
            continue
        t = (x - nodes[i]) / (nodes[i + 1] - nodes[i])
        data = data[i] * (1 - t) + data[i + 1] * t
    return data, status


def _hermite(data: Any, nodes: Sequence[Any], i: int, x: Any) -> Any:
    """The cubic of a cell at x, by the values and slopes at its ends; beyond it, the tangent there."""
    h = nodes[i + 1] - nodes[i]
    at, slopes = (data[i], data[i + 1]), (_slope(data, nodes, i), _slope(data, nodes, i + 1))
    if x < nodes[i]:
        return at[0] + (x - nodes[i]) * slopes[0]
    if x > nodes[i + 1]:
        return at[1] + (x - nodes[i + 1]) * slopes[1]
    t = (x - nodes[i]) / h
    ends = at[0] * (1 + 2 * t) * (1 - t) ** 2 + at[1] * t**2 * (3 - 2 * t)
    return ends + h * (slopes[0] * t * (1 - t) ** 2 - slopes[1] * t**2 * (1 - t))


def _slope(data: Any, nodes: Sequence[Any], i: int) -> Any:
    """The slope at a node of the parabola through it and its neighbours, of the line for two nodes."""
    if len(nodes) == 2:
        return (data[1] - data[0]) / (nodes[1] - nodes[0])
    first = min(max(i - 1, 0), len(nodes) - 3)
    total = 0
    for k in range(first, first + 3):
        a, b = (n for n in range(first, first + 3) if n != k)
        distances = (nodes[k] - nodes[a]) * (nodes[k] - nodes[b])
        total = total + data[k] * (2 * nodes[i] - nodes[a] - nodes[b]) / distances
    return total
