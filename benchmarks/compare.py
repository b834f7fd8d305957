"""`make bench`: measures every candidate in one run and writes results.md, results.json and plot.svg.

    python -m benchmarks.compare [ROUNDS]

ROUNDS is how often each candidate is timed; the least time counts.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks import pinocchio
from benchmarks.candidates import Find, by_hand, of_peer, ours
from benchmarks.executing import execute
from benchmarks.measure import compile_for_targets, counted
from benchmarks.peers import HERE, PEERS, Unavailable, plot
from benchmarks.problems import problems
from benchmarks.report import as_json, as_markdown
from benchmarks.timing import run

ROUNDS = 2000
OTHERS: dict[str, Find] = {**{p.name: partial(of_peer, p) for p in PEERS}, "pin": pinocchio.found}


def main(rounds: int) -> None:
    """Measure and write; exit code 1 when a candidate computes something else."""
    stated = problems()
    absent: dict[str, str] = {}
    versions: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        candidates = [*ours(stated, place), *by_hand(stated, place)]
        for name, find in OTHERS.items():
            try:
                found = find(stated, place)
            except Unavailable as error:
                absent[name] = str(error)
                continue
            versions[name] = found.version
            candidates += found.candidates
            absent |= found.failures
        measured = counted(candidates)
        compile_for_targets(measured, place)
        execute(measured, place)
        wrong = run(stated, measured, place, rounds)
    (HERE / "results.json").write_text(as_json(measured, versions, absent))
    (HERE / "results.md").write_text(as_markdown(stated, measured, versions, absent))
    try:
        plot(HERE / "results.json", HERE / "plot.svg")
    except Unavailable as error:
        print(f"plot.svg is not drawn: {error}", file=sys.stderr)
    print((HERE / "results.md").read_text())
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
