"""Tables from files of data: TOML with everything about a table, and CSV with its numbers.

A TOML file holds one or more tables:

    [C_m]
    unit = "1"
    doc = "pitching-moment coefficient"
    outside = "hold"
    data = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
    axes.alpha = { nodes = [-10, 0, 10], unit = "deg", doc = "angle of attack" }
    axes.de = { nodes = [-24, 24], unit = "deg" }

A CSV file has a line for each combination of nodes, under a line of names (`alpha, de, C_m`), in any order.
That of a table over two axes may instead have the nodes of the second one in its first line, after any word,
and begin every other line with a node of the first. Numbers are exact decimals.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from codegen.errors import FeatherError, naming
from codegen.misuse import explained
from codegen.modeling.files import exact_decimal, read_text, read_toml
from codegen.modeling.tables.table import Axis, Table

_KEYS = {"axes", "data", "doc", "method", "outside", "source", "unit"}
_AXIS_KEYS = {"doc", "nodes", "unit"}


@explained
def tables_from_toml(path: str | Path) -> dict[str, Table]:
    """The tables of a TOML file, by name; FeatherError names the file and what is wrong in it."""
    content = read_toml(Path(path))
    with naming(str(path)):
        found = {name: _from_toml(name, given) for name, given in content.items()}
        if not found:
            raise FeatherError("it holds no table: write [C_m] with unit, data and axes")
    return found


def _from_toml(name: str, given: Any) -> Table:
    with naming(f"table {name}"):
        known = _checked(given, _KEYS, {"axes", "data", "unit"})
        axes = known.pop("axes")
        if not isinstance(axes, dict):
            raise FeatherError("its axes are no table: write axes.alpha = { nodes = [...], unit = 'deg' }")
        made = {}
        for axis, about in axes.items():
            with naming(f"axis {axis}"):
                made[axis] = Axis(**_checked(about, _AXIS_KEYS, {"nodes", "unit"}))
    return Table(name, made, known.pop("data"), **known)


def _checked(given: Any, known: set[str], needed: set[str]) -> dict[str, Any]:
    """A table of TOML with keys that are known and all that are needed."""
    if not isinstance(given, dict):
        raise FeatherError(f"it is {given!r}, but must have {', '.join(sorted(needed))}")
    for key in given.keys() - known:
        raise FeatherError(f"it has no {key}: its keys are {', '.join(sorted(known))}")
    for key in sorted(needed - given.keys()):
        raise FeatherError(f"its {key} is missing")
    return dict(given)


@explained
def table_from_csv(
    path: str | Path,
    name: str,
    axes: Mapping[str, str],
    *,
    unit: str,
    outside: str = "hold",
    method: str = "linear",
    doc: str = "",
    source: str = "",
) -> Table:
    """The table of a CSV file; `axes` are their units by name, in the order of the table.

    FeatherError names the file and line where a number is wrong, and a combination of nodes that is missing.
    """
    rows = enumerate(csv.reader(read_text(Path(path)).splitlines()), 1)
    lines = {i: row for i, row in rows if any(cell.strip() for cell in row)}
    with naming(str(path)):
        if len(lines) < 2:
            raise FeatherError("it has no line of numbers below its first one")
        first = min(lines)
        head = [cell.strip() for cell in lines.pop(first)]
        if head == [*axes, name]:
            points = _listed(lines, len(head))
        elif len(axes) == 2 and not any(cell in (*axes, name) for cell in head[1:]):
            points = _crossed(lines, [_number(cell, first) for cell in head[1:]])
        else:
            raise FeatherError(f"its first line is {', '.join(head)}, but must be {', '.join((*axes, name))}")
        nodes = [sorted({point[i] for point in points}) for i in range(len(axes))]
        for place in product(*nodes):
            if place not in points:
                where = ", ".join(f"{a} = {float(x):g}" for a, x in zip(axes, place, strict=True))
                raise FeatherError(f"it has no number at {where}: every combination of nodes needs one")
    made = {axis: Axis(n, u) for (axis, u), n in zip(axes.items(), nodes, strict=True)}
    data = [points[place] for place in product(*nodes)]
    return Table(name, made, data, unit=unit, outside=outside, method=method, doc=doc, source=source)


_Points = dict[tuple[Fraction, ...], Fraction]


def _listed(lines: Mapping[int, Sequence[str]], columns: int) -> _Points:
    """The number at each combination of nodes, one in a line."""
    found: _Points = {}
    for i, line in lines.items():
        _check_columns(i, line, columns)
        *place, number = (_number(cell, i) for cell in line)
        if tuple(place) in found:
            raise FeatherError(f"line {i} has the nodes of a line before")
        found[tuple(place)] = number
    return found


def _crossed(lines: Mapping[int, Sequence[str]], top: Sequence[Fraction]) -> _Points:
    """The number at each combination of a node at the left and a node at the top."""
    found: _Points = {}
    for i, line in lines.items():
        _check_columns(i, line, 1 + len(top))
        left, *numbers = (_number(cell, i) for cell in line)
        found |= {(left, x): number for x, number in zip(top, numbers, strict=True)}
    return found


def _check_columns(i: int, line: Sequence[str], columns: int) -> None:
    if len(line) != columns:
        raise FeatherError(f"line {i} has {len(line)} columns, but the first one has {columns}")


def _number(text: str, line: int) -> Fraction:
    try:
        return exact_decimal(text.strip())
    except FeatherError:
        raise FeatherError(f"line {line}: {text.strip()!r} is not a number") from None
