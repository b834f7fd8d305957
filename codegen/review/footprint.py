"""The cost of each changed function before and after: operations, instructions, flash and stack.

The C of the trees is untrusted and never compiled. The compiler gets a new C function that is printed from
the Program that was read: it has names of its own and takes over only the constants and operations.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from codegen.emit.body import Statement
from codegen.emit.c99 import emit
from codegen.emit.sines import pair_name, pair_type
from codegen.errors import FeatherError
from codegen.ir.cost import Cost
from codegen.ir.program import Arg, Program
from codegen.ir.systems import F32, F64, Precision
from codegen.ir.types import Array
from codegen.measure.static import Static, assembly, static
from codegen.measure.targets import OPTIMISED, TARGETS, compilable
from codegen.review.diff.changes import Change
from codegen.review.diff.costs import cost_of
from codegen.review.diff.functions.normal import plain
from codegen.review.diff.functions.pairs import PAIRED
from codegen.review.diff.functions.reader import Unread, read
from codegen.review.diff.limits import Exceeded, limited
from codegen.review.diff.reading import Reading
from codegen.review.diff.text.source import Source

TARGET = TARGETS["m4f"]
COUNTED = ("cost", "mul", "add", "neg", "div", "sqrt", "abs", "cmp", "select", "libm")
"""The quantities that are counted in every function that could be read."""

MEASURED = ("instructions", "flash", "stack")
"""The quantities, in bytes or instructions, that need the compiler."""

_LONGEST = 6_000
"""Limit on the nodes of a Program that is compiled: three times the longest Program of the library."""

_LONG = 1_000
"""Nodes beyond which a function is compiled alone, so that its limit on time concerns no other."""

_SECONDS, _MORE = 10, 0.1
"""Limit on the compiler's time for a file, in s of the processor: for one function, and for each more."""

_PARTS = 2
"""The number of files that are compiled at a time."""

_FLAGS = (*OPTIMISED, "-fno-ipa-icf")
"""Without this option gcc replaces one of two equal functions by a jump to the other."""

_DECLARED = "\n".join(
    f"typedef struct {{ {f.ctype} sin, cos; }} {kind};\n{kind} {pair_name(f, '')}({f.ctype} x);"
    for f in (F32, F64)
    for kind in [pair_type(f, "")]
)
"""What computes a sine and a cosine together: its call is measured, as one of libm is, but not its body."""

Figures = Mapping[str, int]
"""Quantity -> value for a function; unknown quantities have no entry."""


@dataclass(frozen=True)
class Footprint:
    """The cost of a function before and after; empty for a side that is missing or could not be read."""

    before: Figures = field(default_factory=dict)
    after: Figures = field(default_factory=dict)


def counted(operations: Cost | None) -> dict[str, int]:
    """The operations; `cost` is their sum, in which a division, a root and a libm call count 10 each.

    A generated pair of sine and cosine counts as two calls.
    """
    if operations is None:
        return {}
    libm = sum(operations.libm.values()) + 2 * operations.sincos
    figures = {name: getattr(operations, name) for name in COUNTED[1:-1]}
    light = operations.neg + operations.abs + operations.cmp + operations.select
    return {"cost": operations.total + light + 10 * libm, **figures, "libm": libm}


def can_measure() -> bool:
    """Whether the compiler for instructions, flash and stack is installed."""
    return compilable(TARGET)


def footprints(
    changes: Sequence[Change], both: tuple[Source, Source], wanted: Collection[str]
) -> list[Footprint]:
    """The footprint of each change.

    Functions in `wanted` that the comparison did not read are read from both trees. All of them are counted,
    and measured where the compiler is installed.
    """
    readings = {
        f"{side}_{i}": reading
        for i, change in enumerate(changes)
        if change.symbol in wanted
        for side, source, known in zip(("old", "new"), both, change.readings, strict=True)
        if (reading := known or _reading(change.symbol, source)) is not None
    }
    costs = {name: cost_of(reading) for name, reading in readings.items()}
    compiled = _compiled(readings) if readings and can_measure() else {}

    def figures(name: str, known: Cost | None) -> dict[str, int]:
        return counted(known or costs.get(name)) | _measured(compiled.get(name))

    return [
        Footprint(figures(f"old_{i}", change.old_cost), figures(f"new_{i}", change.new_cost))
        for i, change in enumerate(changes)
    ]


def _reading(symbol: str, source: Source) -> Reading | None:
    """The function as read; None unless the tree defines it exactly once and it can be read."""
    items = source.functions.get(symbol, [])
    try:
        with limited():
            reading = read(items[0], source) if len(items) == 1 else None
    except (Unread, Exceeded):
        return None
    return reading if reading and len(reading.program.nodes) <= _LONGEST else None


def _measured(measured: Static | None) -> dict[str, int]:
    figures = {name: getattr(measured, name, None) for name in MEASURED}
    return {name: figure for name, figure in figures.items() if figure is not None}


def _compiled(readings: Mapping[str, Reading]) -> Mapping[str, Static]:
    """The sizes of the compiled functions; those that cannot be compiled within their limits have none."""
    plains = {name: plain(reading) for name, reading in readings.items()}
    short = [n for n, program in plains.items() if len(program.nodes) <= _LONG]
    parts = [*(short[i::_PARTS] for i in range(_PARTS)), *([n] for n in plains.keys() - set(short))]
    with tempfile.TemporaryDirectory(prefix="featherc-") as scratch, ThreadPoolExecutor(_PARTS) as pool:
        sources = []
        for i, names in enumerate(parts):
            source = Path(scratch, f"part_{i}.c")
            texts = [_text(name, plains[name], readings[name].precision) for name in names]
            source.write_text("\n".join(["#include <math.h>", _DECLARED, "", *texts]))
            sources.append((source, round(_SECONDS + _MORE * len(names))))
        measured = list(pool.map(_static, sources))
    return {name: figures for part in measured for name, figures in part.items()}


def _text(name: str, program: Program, precision: Precision) -> str:
    """The function to compile; empty where its precision has no C for it, as for infinite constants."""
    try:
        return _printed(name, program, precision)
    except FeatherError:
        return ""


def _static(part: tuple[Path, int]) -> dict[str, Static]:
    """The sizes of the functions of a file, which the compiler has so many seconds for."""
    source, seconds = part
    place = source.with_suffix("")
    try:
        return static(assembly([source], place, TARGET, place, _FLAGS, seconds), TARGET)
    except FeatherError:
        return {}


def _printed(name: str, program: Program, precision: Precision) -> str:
    """A Program as a C function over two arrays, without any name of the C from which it was read."""
    count = sum(a.size for a in program.inputs)
    anonymous = replace(
        program, inputs=_array("x", count), outputs=_array("y", len(program.results)), labels={}
    )
    sources = [f"in[{i}]" for i in range(count)]
    targets = [f"out[{i}]" for i in range(len(program.results))]
    paired = any(node.value == PAIRED for node in program.nodes)
    body = emit(anonymous, precision, sources, targets, paired=paired)
    failed = " | ".join(f"({r.condition} ? 0 : {1 << bit})" for bit, r in enumerate(body.status))
    ending = [Statement("", "", f"return {failed}")] if failed else []
    lines = [f"    {s.c}" for s in (*body.statements, *ending)]
    real = precision.ctype
    head = f"{'int' if failed else 'void'} {name}(const {real} *in, {real} *out)"
    return "\n".join([head, "{", *lines, "}", ""])


def _array(name: str, count: int) -> tuple[Arg, ...]:
    return (Arg(name, Array((count,)), "1", name),) if count else ()
