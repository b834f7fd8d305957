"""The record of what every kernel costs without checks: `make costs` writes it, test_cost.py compares it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from codegen.emit.function import function
from codegen.emit.options import Options
from codegen.ir.systems import F64
from codegen.library import library

RECORD = Path(__file__).parent / "data" / "costs.json"
COUNTED = ("mul", "add", "div", "sqrt", "total")

Costs = Mapping[str, Mapping[str, int]]
"""Kernel -> operation -> how many."""


def current() -> Costs:
    """What the kernels cost now."""
    options = Options(checks=False)
    costs = {k.name: function(k, F64, options).cost for k in library().values()}
    return {name: {kind: getattr(cost, kind) for kind in COUNTED} for name, cost in sorted(costs.items())}


def recorded() -> Costs:
    """What they cost by the record."""
    return json.loads(RECORD.read_text())  # type: ignore[no-any-return]


def changes(before: Costs, after: Costs) -> Iterator[str]:
    """A line for each kernel whose cost differs."""
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old is None or new is None:
            yield f"{name} is {'new' if old is None else 'gone'}"
        elif old != new:
            parts = [f"{old[kind]} -> {new[kind]} {kind}" for kind in COUNTED if old[kind] != new[kind]]
            rises = any(new[kind] > old[kind] for kind in ("total", "div", "sqrt"))
            yield f"{name} {'rises' if rises else 'changes'}: {', '.join(parts)}"


def main() -> None:
    """Write the record, a line for each kernel, and print what changed."""
    before, after = recorded() if RECORD.exists() else {}, current()
    lines = [f"{json.dumps(name)}: {json.dumps(cost)}" for name, cost in after.items()]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print("\n".join(changes(before, after)) or "nothing changed")


if __name__ == "__main__":
    main()
