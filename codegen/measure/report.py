"""Formats the cost of functions as a table, as Markdown and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from codegen.measure.measure import Measured, Measurement
from codegen.measure.targets import Lack

_KINDS = ("mul", "add", "neg", "div", "sqrt", "abs", "cmp", "select")
_MEASURES = ("executed", "static", "flash", "stack", "cycles")
"""Instructions executed, libm included; static instructions of the function's own code; bytes."""


class Table(NamedTuple):
    """Names of columns, and a row of cells for each function."""

    columns: list[str]
    rows: list[list[str]]


def table(rows: Sequence[Measurement]) -> Table:
    """The columns that are not empty; flash and stack are in bytes."""
    targets = list(dict.fromkeys(name for row in rows for name in row.measured))
    heads = [*_KINDS, "total", "libm", *(f"{t} {m}" for t in targets for m in _MEASURES)]
    cells = [
        [*_operations(row), *(c for t in targets for c in _numbers(row.measured.get(t)))] for row in rows
    ]
    filled = [k for k in range(len(heads)) if any(row[k] not in ("", "0") for row in cells)]
    body = [[row.symbol, *(line[k] for k in filled)] for row, line in zip(rows, cells, strict=True)]
    return Table(["function", *(heads[k] for k in filled)], body)


def _operations(row: Measurement) -> list[str]:
    if row.cost is None:
        return [""] * (len(_KINDS) + 2)
    counts = [str(getattr(row.cost, kind)) for kind in _KINDS]
    pairs = {"sincos": row.cost.sincos} if row.cost.sincos else {}
    calls = ", ".join(f"{n} {name}" for name, n in {**row.cost.libm, **pairs}.items())
    return [*counts, str(row.cost.total), calls]


def _numbers(measured: Measured | None) -> list[str]:
    if measured is None:
        return [""] * len(_MEASURES)
    compiled = measured.compiled
    numbers = (measured.executed, compiled.instructions, compiled.flash, compiled.stack, measured.cycles)
    return ["" if number is None else str(number) for number in numbers]


def markdown(shown: Table) -> str:
    """The table as Markdown."""
    ruler = ["---"] + ["---:"] * (len(shown.columns) - 1)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (shown.columns, ruler, *shown.rows))


def as_json(rows: Iterable[Measurement], checks: bool, missing: Sequence[Lack]) -> str:
    """All measurements as JSON, and the missing ones with the reason."""
    content = {
        "checks": checks,
        "missing": [asdict(lack) for lack in missing],
        "functions": [_object(row) for row in rows],
    }
    return json.dumps(content, indent=1)


def _object(row: Measurement) -> dict[str, Any]:
    cost = {**asdict(row.cost), "total": row.cost.total} if row.cost else {}
    targets = {
        name: {"executed": m.executed, **asdict(m.compiled), "cycles": m.cycles}
        for name, m in row.measured.items()
    }
    return {
        "symbol": row.symbol,
        "kernel": row.kernel,
        "precision": row.precision,
        "cost": cost,
        "targets": targets,
    }


def missing_text(missing: Sequence[Lack]) -> str:
    """One line that says what was not measured and why; empty when nothing is missing."""
    where: dict[tuple[str, str], list[str]] = {}
    for lack in missing:
        where.setdefault((lack.columns, lack.why), []).append(lack.target)
    parts = [f"no {columns} for {', '.join(names)}: {why}" for (columns, why), names in where.items()]
    return "; ".join(parts)
