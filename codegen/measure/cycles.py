"""Estimates the cycles of one call with llvm-mca: a trend between two versions, not a measurement."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path

from codegen.measure.targets import SCHEDULER, Target

_HEAD = re.compile(r"(\.type\s+(\w+), %function\n\2:\n)")
_TAIL = re.compile(r"(\t\.size\s+(\w+), \.-\2\n)")


def cycles(assembled: Sequence[Path], target: Target) -> dict[str, int]:
    """Each function's cycles along all of its code, without what it calls.

    A function with an instruction that the scheduling model does not know is left out.
    """
    found: dict[str, int] = {}
    for source in assembled:
        assembly = source.read_text()
        symbols = [symbol for _, symbol in _HEAD.findall(assembly)]
        estimates = _estimates(assembly, symbols, target)
        if estimates is None:  # for one of them there is none, and llvm-mca stops there
            each = (_estimates(assembly, [symbol], target) or {} for symbol in symbols)
            estimates = {symbol: count for alone in each for symbol, count in alone.items()}
        found |= estimates
    return found


def _estimates(assembly: str, symbols: Collection[str], target: Target) -> dict[str, int] | None:
    """The cycles of these functions; None when llvm-mca gives no estimate."""

    def mark(edge: str, match: re.Match[str]) -> str:
        return f"@ LLVM-MCA-{edge} {match[2]}\n" if match[2] in symbols else ""

    marked = _HEAD.sub(lambda m: m[1] + mark("BEGIN", m), assembly)
    marked = _TAIL.sub(lambda m: mark("END", m) + m[1], marked)
    command = [SCHEDULER, *target.scheduling, "-iterations=1", "-json"]
    done = subprocess.run(command, input=marked, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    regions = json.loads(done.stdout)["CodeRegions"]
    return {region["Name"]: int(region["SummaryView"]["TotalCycles"]) for region in regions}
