"""Tables of a JSBSim aircraft file: each <table> with its nodes and numbers, not the functions around it.

A table is named after its own name or that of the function that it stands in, the last part of the path, as
are its coordinates after their properties: `aero/alpha-rad` is alpha_rad. As in JSBSim, the value at the end
holds beyond the nodes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from codegen.errors import FeatherError, naming
from codegen.misuse import explained
from codegen.modeling.files import exact_decimal
from codegen.modeling.tables.table import Axis, Table
from codegen.modeling.xml import Element, read_xml

_UNITS = {
    "rad": "rad", "deg": "deg", "norm": "1", "mach": "1", "ft": "ft", "m": "m", "fps": "ft/s", "kts": "kn",
    "psf": "lbf/ft^2", "rad_sec": "rad/s", "lbs": "lbf", "factor": "1", "sqft": "ft^2", "ft2": "ft^2",
    "slugs_ft3": "slug/ft^3", "lbsft": "lbf ft",
}  # fmt: skip
"""The unit that the last word of a property's name states."""

_LOOKUPS = ("table", "row", "column")
"""The order of the coordinates of a table: the outermost first."""


@explained
def tables_from_jsbsim(path: str | Path, units: Mapping[str, str] | None = None) -> dict[str, Table]:
    """The tables of a JSBSim file by name; several of one function are numbered, as in CL, CL_2.

    `units` are those of coordinates and tables by name, where the name does not tell: `{"flaps": "1"}`. A
    table without a unit is one of plain numbers. FeatherError names the file, the line and what is wrong.
    """
    found: dict[str, Table] = {}
    for element, function in _tables(read_xml(Path(path)), ""):
        base = identifier(element.attributes.get("name") or function or "table")
        name, number = base, 1
        while name in found:
            number += 1
            name = f"{base}_{number}"
        with naming(f"{path}:{element.line}"):
            found[name] = read_table(name, element, function, units or {})
    if not found:
        raise FeatherError(f"{path} holds no <table> with an <independentVar>")
    return found


def _tables(element: Element, function: str) -> Iterator[tuple[Element, str]]:
    """The tables below an element that hold their numbers, each with the function that it stands in."""
    for child in element.children:
        if child.tag == "table" and child.all("independentVar"):
            yield child, function
        yield from _tables(child, child.attributes.get("name", "") if child.tag == "function" else function)


def identifier(name: str) -> str:
    """The last part of a property's path as a name in C."""
    words = re.findall(r"[A-Za-z0-9]+", name.rpartition("/")[2].partition("[")[0])
    return "_".join(words)


def read_table(name: str, element: Element, function: str, units: Mapping[str, str]) -> Table:
    """The table of a <table> element; the meaning of each axis is the property that it stands for."""
    variables = {v.attributes.get("lookup", "row"): v.text.strip() for v in element.below("independentVar")}
    given = [kind for kind in _LOOKUPS if kind in variables]
    if set(variables) - set(_LOOKUPS) or given != list(
        _LOOKUPS[3 - len(given) :] if len(given) > 1 else ("row",)
    ):
        raise FeatherError(
            f"table {name} has the coordinates {', '.join(variables)}; one to three can be read"
        )
    parts = list(element.below("tableData"))
    nodes, numbers = _grid(name, parts, len(given))
    names = [identifier(variables[kind]) for kind in given]
    axes = {
        axis: Axis(n, _unit(axis, units), variables[kind])
        for axis, n, kind in zip(names, nodes, given, strict=True)
    }
    return Table(name, axes, numbers, unit=units.get(name, "1"), doc=function or name)


def unit_of(name: str, units: Mapping[str, str]) -> str:
    """The unit of a property: the given one, or that of the end of its name; "" where neither tells."""
    ends = ("_".join(name.split("_")[-n:]) for n in (2, 1))
    return units.get(name) or next((_UNITS[end] for end in ends if end in _UNITS), "")


def _unit(axis: str, units: Mapping[str, str]) -> str:
    unit = unit_of(axis, units)
    if not unit:
        raise FeatherError(f"the unit of {axis} is unknown: give it, as in units={{'{axis}': 'rad'}}")
    return unit


def _grid(name: str, parts: Sequence[Element], count: int) -> tuple[list[list[Fraction]], list[Fraction]]:
    """The nodes of each axis, and the numbers in their order."""
    lines = [[_numbers(line) for line in part.text.splitlines() if line.strip()] for part in parts]
    if not lines or not all(lines) or (len(lines) > 1 and count < 3):
        raise FeatherError(
            f"table {name} needs one <tableData> with numbers, three coordinates one for each node"
        )
    if count == 1:
        if any(len(line) != 2 for line in lines[0]):
            raise FeatherError(f"table {name}: a line of <tableData> is a node and a number")
        return [[line[0] for line in lines[0]]], [line[1] for line in lines[0]]
    blocks = [_block(name, block) for block in lines]
    rows = sorted({node for block in blocks for node in block.rows})
    columns = sorted({node for block in blocks for node in block.columns})
    numbers = [block.at(row, column) for block in blocks for row in rows for column in columns]
    if count == 2:
        return [rows, columns], numbers
    outer = [_numbers(part.attributes.get("breakPoint", "")) for part in parts]
    if any(len(node) != 1 for node in outer):
        raise FeatherError(f"table {name}: each <tableData> needs a breakPoint")
    return [[node[0] for node in outer], rows, columns], numbers


class _Block(NamedTuple):
    """The numbers of one <tableData> by rows and columns, with its own nodes.

    A table of three coordinates may have others in each: on the nodes of all, it has the same values, as it
    is linear between its own and holds beyond them.
    """

    rows: Sequence[Fraction]
    columns: Sequence[Fraction]
    numbers: Sequence[Sequence[Fraction]]

    def at(self, row: Fraction, column: Fraction) -> Fraction:
        """The value at a point."""
        return _between(self.rows, [_between(self.columns, line, column) for line in self.numbers], row)


def _block(name: str, lines: Sequence[Sequence[Fraction]]) -> _Block:
    """A <tableData> of rows and columns: a line of the columns' nodes, then a node and its numbers a line."""
    columns, rows = lines[0], [line[0] for line in lines[1:]]
    if not rows or any(len(line) != len(columns) + 1 for line in lines[1:]):
        raise FeatherError(f"table {name}: a line of <tableData> is a node and {len(columns)} numbers")
    for nodes in (rows, columns):
        if any(b <= a for a, b in pairwise(nodes)):
            raise FeatherError(f"table {name}: the nodes of <tableData> do not increase")
    return _Block(rows, columns, [line[1:] for line in lines[1:]])


def _between(nodes: Sequence[Fraction], numbers: Sequence[Fraction], x: Fraction) -> Fraction:
    """The value at x between two numbers, or that at the end."""
    i = bisect_right(nodes, x)
    if i in (0, len(nodes)):
        return numbers[max(i - 1, 0)]
    share = (x - nodes[i - 1]) / (nodes[i] - nodes[i - 1])
    return numbers[i - 1] + share * (numbers[i] - numbers[i - 1])


def _numbers(text: str) -> list[Fraction]:
    try:
        return [exact_decimal(word) for word in text.split()]
    except FeatherError:
        raise FeatherError(f"{text.strip()[:60]!r} is no line of numbers") from None
