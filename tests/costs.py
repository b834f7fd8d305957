"""The record of the cost of every kernel without checks: `make costs` writes it, test_cost.py compares it.

Operations, and for float on a Cortex-M4F the instructions executed and those of the function's own code.
Where the tools for that are not installed, the recorded instructions stay.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.ir.systems import F64
from codegen.library import library
from codegen.measure.measure import measure
from codegen.measure.targets import TARGETS, emulated

RECORD = Path(__file__).parent / "data" / "costs.json"
COUNTED = ("mul", "add", "div", "sqrt", "total")
M4F = TARGETS["m4f"]

Costs = Mapping[str, Mapping[str, int]]
"""Kernel -> operation -> how many."""


def current() -> Costs:
    """The present cost of the kernels, in operations."""
    options = Options(checks=False)
    costs = {k.name: function(k, F64, options).cost for k in library().values()}
    return {name: {kind: getattr(cost, kind) for kind in COUNTED} for name, cost in sorted(costs.items())}


def compiler() -> str:
    """The compiler for the Cortex-M4F and its version; empty where it cannot be measured here."""
    if not emulated(M4F):
        return ""
    printed = subprocess.run([M4F.compiler, "--version"], capture_output=True, text=True, check=True).stdout
    return printed.splitlines()[0]


def executed() -> Costs:
    """The instructions of each kernel in float on a Cortex-M4F: executed, and static."""
    options = Options(checks=False, precisions=("f32",))
    rows = measure(list(library().values()), options, [M4F], run=True)
    found = {row.kernel: row.measured[M4F.name] for row in rows}
    return {
        name: {"executed": m.executed or 0, "static": m.compiled.instructions}
        for name, m in sorted(found.items())
    }


def recorded() -> dict[str, Any]:
    """The record: the compiler, and by kernel its operations and instructions."""
    return json.loads(RECORD.read_text())  # type: ignore[no-any-return]


def changes(before: Costs, after: Costs) -> Iterator[str]:
    """A line for each kernel whose cost differs."""
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old is None or new is None:
            yield f"{name} is {'new' if old is None else 'gone'}"
        elif old != new:
            parts = [f"{old[kind]} -> {new[kind]} {kind}" for kind in new if old[kind] != new[kind]]
            rises = any(new[kind] > old[kind] for kind in ("total", "div", "sqrt", "executed") if kind in new)
            yield f"{name} {'rises' if rises else 'changes'}: {', '.join(parts)}"


def _text(record: Mapping[str, Any]) -> str:
    """The record as JSON, a line for each kernel of a table."""
    parts = []
    for key, value in record.items():
        shown = json.dumps(value)
        if isinstance(value, dict):
            lines = [f"{json.dumps(name)}: {json.dumps(counts)}" for name, counts in value.items()]
            shown = "{\n" + ",\n".join(lines) + "\n}"
        parts.append(f"{json.dumps(key)}: {shown}")
    return "{" + ",\n".join(parts) + "}\n"


def main() -> None:
    """Write the record, a line for each kernel, and print the changes."""
    before = recorded()
    after = {"operations": current(), "compiler": before["compiler"], "m4f": before["m4f"]}
    if compiler():
        after |= {"compiler": compiler(), "m4f": executed()}
    RECORD.write_text(_text(after))
    changed = [line for table in ("operations", "m4f") for line in changes(before[table], after[table])]
    print("\n".join(changed) or "nothing changed")


if __name__ == "__main__":
    main()
