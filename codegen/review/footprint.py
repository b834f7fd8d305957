"""What each changed function costs, before and after: operations, and what a compiler makes of it.

No C of the trees is compiled, they may be a stranger's. What is measured is the Program that was read from
it, printed again here with names of our own: constants and operations are all that is left of the original.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from codegen.emit.body import Statement
from codegen.emit.c99 import emit
from codegen.errors import FeatherError
from codegen.ir.cost import Cost, cost
from codegen.ir.program import Arg, Program
from codegen.ir.systems import Precision
from codegen.ir.types import Array
from codegen.measure.static import Static, assemble, static
from codegen.measure.targets import OPTIMISED, TARGETS, compilable
from codegen.review.diff.changes import Change, Tree
from codegen.review.diff.normal import plain
from codegen.review.diff.reader import Unread, read
from codegen.review.diff.reading import Reading
from codegen.review.diff.source import Source, read_source

TARGET = TARGETS["m4f"]
COUNTED = ("cost", "mul", "add", "neg", "div", "sqrt", "abs", "cmp", "select", "libm")
"""What is known of every function that could be read."""

MEASURED = ("instructions", "flash", "stack")
"""What is known where the compiler is installed."""

_LONGEST = 20_000
"""Nodes of the longest Program that is compiled: ten times the longest one of the library."""

_PARTS = 2
"""How many files are compiled at a time."""

_FLAGS = (*OPTIMISED, "-fno-ipa-icf")
"""Two functions that are equal would become one that jumps to the other."""

Figures = Mapping[str, int]
"""Quantity -> figure of a function; what is not known is not in it."""


@dataclass(frozen=True)
class Footprint:
    """What a function costs before and after; empty for a side that is missing or could not be read."""

    before: Figures = field(default_factory=dict)
    after: Figures = field(default_factory=dict)


def counted(operations: Cost | None) -> dict[str, int]:
    """The operations; `cost` is their sum, in which a division, a root and a libm call count 10 each."""
    if operations is None:
        return {}
    libm = sum(operations.libm.values())
    figures = {name: getattr(operations, name) for name in COUNTED[1:-1]}
    light = operations.neg + operations.abs + operations.cmp + operations.select
    return {"cost": operations.total + light + 10 * libm, **figures, "libm": libm}


def can_measure() -> bool:
    """Whether the compiler for instructions, flash and stack is installed."""
    return compilable(TARGET)


def footprints(changes: Sequence[Change], old: Tree, new: Tree, wanted: Collection[str]) -> list[Footprint]:
    """The footprint of each change.

    Those symbols in `wanted` are read again from the trees, measured where there is a compiler, and counted
    also where the comparison had no reason to.
    """
    sources = {"old": read_source(old), "new": read_source(new)}
    readings = {
        f"{side}_{i}": reading
        for i, change in enumerate(changes)
        if change.symbol in wanted
        for side, source in sources.items()
        if (reading := _reading(change.symbol, source)) is not None
    }
    costs = {name: cost(plain(reading)) for name, reading in readings.items()}
    compiled = _compiled(readings) if readings and can_measure() else {}

    def figures(name: str, known: Cost | None) -> dict[str, int]:
        return counted(known or costs.get(name)) | _measured(compiled.get(name))

    return [
        Footprint(figures(f"old_{i}", change.old_cost), figures(f"new_{i}", change.new_cost))
        for i, change in enumerate(changes)
    ]


def _reading(symbol: str, source: Source) -> Reading | None:
    """The function as read; None where the tree has not just one of that name that can be read."""
    items = source.functions.get(symbol, [])
    try:
        reading = read(items[0], source) if len(items) == 1 else None
    except Unread:
        return None
    return reading if reading and len(reading.program.nodes) <= _LONGEST else None


def _measured(measured: Static | None) -> dict[str, int]:
    figures = {name: getattr(measured, name, None) for name in MEASURED}
    return {name: figure for name, figure in figures.items() if figure is not None}


def _compiled(readings: Mapping[str, Reading]) -> Mapping[str, Static]:
    """What the compiler makes of the functions; nothing when it cannot make anything of one of them."""
    with tempfile.TemporaryDirectory(prefix="featherc-") as scratch:
        sources = []
        for part in range(_PARTS):
            source = Path(scratch, f"part_{part}.c")
            printed = [_printed(n, plain(r), r.precision) for n, r in list(readings.items())[part::_PARTS]]
            source.write_text("\n".join(["#include <math.h>\n", *printed]))
            sources.append(source)
        try:
            with ThreadPoolExecutor(_PARTS) as pool:
                parts = list(pool.map(_static, sources))
        except FeatherError:
            return {}
    return {name: figures for part in parts for name, figures in part.items()}


def _static(source: Path) -> dict[str, Static]:
    place = source.with_suffix("")
    return static(assemble([source], place, TARGET, place, _FLAGS), TARGET)


def _printed(name: str, program: Program, precision: Precision) -> str:
    """A Program as a C function over two arrays, without a name from where it was read."""
    count = sum(a.size for a in program.inputs)
    anonymous = replace(
        program, inputs=_array("x", count), outputs=_array("y", len(program.results)), labels={}
    )
    sources = [f"in[{i}]" for i in range(count)]
    body = emit(anonymous, precision, sources, [f"out[{i}]" for i in range(len(program.results))])
    failed = " | ".join(f"({r.condition} ? 0 : {1 << bit})" for bit, r in enumerate(body.status))
    ending = [Statement("", "", f"return {failed}")] if failed else []
    lines = [f"    {s.c}" for s in (*body.statements, *ending)]
    real = precision.ctype
    head = f"{'int' if failed else 'void'} {name}(const {real} *in, {real} *out)"
    return "\n".join([head, "{", *lines, "}", ""])


def _array(name: str, count: int) -> tuple[Arg, ...]:
    return (Arg(name, Array((count,)), "1", name),) if count else ()
