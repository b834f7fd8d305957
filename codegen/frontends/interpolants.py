"""Tables from CasADi's interpolants, whose grid and values are read from their serialised form."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np

from codegen.errors import FeatherError, naming
from codegen.modeling.tables.table import Axis, Table

LINEAR = "LinearInterpolant"
"""CasADi's class of the interpolants that become tables."""


def tables_of(function: Any) -> list[Table]:
    """A Table for each result of a linear interpolant, extrapolated as CasADi does; its axes have any unit.

    FeatherError where its grid or values are arguments, and where it looks up several points in one call.
    """
    with naming(f"interpolant {function.name()}"):
        if function.n_in() > 1:
            raise FeatherError("its grid and values must be numbers, not arguments of the function")
        tables = _tables(function.name(), function.serialize({"debug": True}))
        if function.numel_in(0) != len(tables[0].axes):
            raise FeatherError("it looks up several points in one call: call it for each of them")
        _check(function, tables)
        return list(tables)


@cache
def _tables(name: str, serialized: str) -> tuple[Table, ...]:
    """The tables of an interpolant from its serialised form, in which two letters stand for a byte."""
    letters = serialized.encode()
    data = bytes(low - 97 | high - 97 << 4 for low, high in zip(letters[::2], letters[1::2], strict=False))
    bounds = [int(x) for x in _numbers(data, "offset", "J", "q")]
    grid, values = (_numbers(data, label, "d", "d") for label in ("grid", "values"))
    nodes = [grid[a:b] for a, b in pairwise(bounds)]
    names = ["x"] if len(nodes) == 1 else [f"x{k}" for k in range(1, len(nodes) + 1)]
    axes = {name: Axis(axis, "any") for name, axis in zip(names, nodes, strict=True)}
    # the results at a node are stored together, then those at the next node of the first axis
    entries = np.array(values).reshape(*(len(axis) for axis in reversed(nodes)), -1).T
    several = len(entries) > 1
    return tuple(
        Table(f"{name}_{k}" if several else name, axes, rows, unit="any", outside="extrapolate")
        for k, rows in enumerate(entries)
    )


def _numbers(data: bytes, label: str, tag: str, kind: str) -> list[float]:
    """The numbers of a vector of an interpolant: a count, and each number after its tag."""
    found = re.search(rb"\bInterpolant::" + label.encode() + rb"VJ(.{8})", data, re.DOTALL)
    (count,) = struct.unpack("<q", found[1]) if found else (0,)
    items = data[found.end() : found.end() + 9 * count] if found else b""
    if not count or len(items) < 9 * count or set(items[::9]) != set(tag.encode()):
        raise FeatherError(
            "this version of CasADi stores it in another form: use a codegen.Table in its place"
        )
    return [x for (x,) in struct.iter_unpack(f"<x{kind}", items)]


def _check(function: Any, tables: Sequence[Table]) -> None:
    """FeatherError unless the interpolant has the tables' numbers at their nodes."""
    nodes = [[float(x) for x in axis.nodes.values] for axis in tables[0].axes]
    found = np.array(function(np.array(list(product(*nodes))).T))
    if not np.array_equal(found, [[float(x) for x in table.numbers] for table in tables]):
        raise FeatherError("its values could not be read: use a codegen.Table in its place")
