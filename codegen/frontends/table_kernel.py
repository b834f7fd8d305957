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
from codegen.ir.program import Arg
from codegen.ir.status import Status
from codegen.ir.systems import F32, F64, NumberSystem, system_of
from codegen.ir.types import REAL, Draw, Real, Scalar
from codegen.modeling.kernel import Kernel, OnNumbers
from codegen.modeling.tables import Table


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
    outputs = (Arg(table.name, REAL, table.unit, table.doc),)
    return Kernel(
        name=table.name,
        module="model",
        inputs=inputs,
        outputs=outputs,
        title=f"{table.doc[:1].upper()}{table.doc[1:].rstrip('.')}: a table over {_names(table)}.",
        details=_OUTSIDE[table.outside],
        equation=_equation(table),
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


def _names(table: Table) -> str:
    return " and ".join(axis.name for axis in table.axes)


def _coordinate_text(axis: Any) -> str:
    first, last = float(axis.nodes.values[0]), float(axis.nodes.values[-1])
    spacing = "equally spaced " if axis.is_uniform else ""
    return f"{axis.doc}: {axis.size} {spacing}nodes from {first:g} to {last:g}"


def _equation(table: Table) -> str:
    parts = ", ".join(f"t_{axis.name}" for axis in table.axes)
    one = table.axes[0].name
    return (
        f"{table.name} = linear in {parts} between the corners of the cell; "
        f"t_{one} = ({one} - {one}_i) / ({one}_(i+1) - {one}_i), {one}_i <= {one} < {one}_(i+1)"
    )


def _failures(table: Table) -> Mapping[Status, str]:
    if table.outside != "flag":
        return {}
    beyond = " or ".join(f"{axis.name} is beyond its nodes" for axis in table.axes)
    return {Status.OUTSIDE: f"{beyond}: the value at their end, at the last one for NaN"}


def _formula(table: Table) -> Callable[..., Any]:
    def formula(*coordinates: Any) -> Any:
        return table(*coordinates)

    formula.__wrapped__ = Table.interpolated  # type: ignore[attr-defined]  # the source that is shown
    return formula


def weighted(table: Table, system: NumberSystem, coordinates: Sequence[Any]) -> Any:
    """The sum over the corners of a cell, each weighted by its distances from the others."""
    places = table.places(system, coordinates)
    corners = table.corners(system, [cell for cell, _ in places])
    sides = product((False, True), repeat=len(places))
    weights = (prod(t if up else 1 - t for up, (_, t) in zip(side, places, strict=True)) for side in sides)
    return sum(w * f for w, f in zip(weights, corners, strict=True))


def _definition(table: Table) -> Callable[..., Any]:
    def definition(*coordinates: Any) -> list[Any]:
        return [weighted(table, system_of(coordinates), coordinates)]

    return definition


def _reference(table: Table) -> OnNumbers:
    def reference(*coordinates: Any, limits: Any = None) -> Outcome:
        total, status = _interpolated(table, coordinates)
        return Outcome((np.array([total], dtype=object),), status)

    return OnNumbers(reference)


def _interpolated(table: Table, coordinates: Sequence[Any]) -> tuple[Any, int]:
    """The interpolated number, and the status, by counting nodes."""
    constant = system_of(tuple(coordinates)).constant
    numbers = np.array([constant(x) for x in table.data.values], dtype=object)
    data: Any = numbers.reshape([axis.size for axis in table.axes])
    status = 0
    for axis, x in zip(table.axes, coordinates, strict=True):
        nodes = [constant(node) for node in axis.nodes.values]
        inside = nodes[0] <= x <= nodes[-1]
        status |= 0 if inside or table.outside != "flag" else int(Status.OUTSIDE)
        if not inside and table.outside != "extrapolate":
            x = nodes[0] if x < nodes[0] else nodes[-1]
        i = min(max(sum(bool(node <= x) for node in nodes) - 1, 0), len(nodes) - 2)
        t = (x - nodes[i]) / (nodes[i + 1] - nodes[i])
        data = data[i] * (1 - t) + data[i + 1] * t
    return data, status
