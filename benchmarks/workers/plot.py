"""Draws what each engine needs in place of the best: operations, instructions and time, a panel each.

python -m benchmarks.workers.plot results.json plot.svg
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "featherc"
import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first)

PANELS: dict[str, Callable[[Any], float | None]] = {
    "operations": lambda c: c["total"],
    "Cortex-M4F instructions, float": lambda c: c["compiled"].get("m4f", {}).get("instructions"),
    "x86-64 ns, double, -O2": lambda c: c["ns"].get("f64 O2"),
}


def main(source: str, target: str) -> None:
    """Draw the results of `source` into `target`."""
    with open(source, encoding="utf-8") as file:
        candidates = json.load(file)["candidates"]
    kernels = list(dict.fromkeys(c["kernel"] for c in candidates))
    engines = list(dict.fromkeys(c["engine"] for c in candidates))
    figure, axes = plt.subplots(1, len(PANELS), figsize=(14, 6), sharey=True)
    for panel, (title, value) in zip(axes, PANELS.items(), strict=True):
        for k, engine in enumerate(engines):
            rows, ratios = [], []
            for row, kernel in enumerate(kernels):
                known = _known(candidates, kernel, value)
                if known.get(engine):
                    rows.append(row)
                    ratios.append(known[engine] / min(known.values()))
            panel.scatter(ratios, rows, label=engine, marker="oxs^vDP"[k % 7], zorder=20 - k)
        panel.set_title(title)
        panel.set_xlabel("times the best")
        panel.grid(axis="both", alpha=0.3)
    axes[0].set_yticks(range(len(kernels)), kernels)
    axes[0].invert_yaxis()
    axes[-1].legend()
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})


def _known(candidates: Any, kernel: str, value: Callable[[Any], float | None]) -> dict[str, float]:
    """The least figure of each engine over the forms of a kernel."""
    known: dict[str, float] = {}
    for c in candidates:
        figure = value(c) if c["kernel"] == kernel else None
        if figure:
            known[c["engine"]] = min(figure, known.get(c["engine"], figure))
    return known


main(*sys.argv[1:])
