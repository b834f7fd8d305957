"""Reads the URDFs of a directory, by default those of example-robot-data; generates and proves each robot.

A row is printed for each: its joints, processor seconds and memory, what was proven, or why it was refused.
A robot that takes longer than the limit is stopped. Names of files, in part, choose some of them.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from codegen.emit.options import Options
from codegen.errors import FeatherError
from codegen.mechanisms import FUNCTIONS, Mechanism, robot_kernels
from codegen.proof.proof import prove
from codegen.tree.write import generate

MOST_SECONDS = 900


def main() -> None:
    """Print a row for each robot, and how many were proven, refused and neither."""
    arguments = _arguments()
    if arguments.one:
        print(json.dumps(outcome(arguments.one, arguments.functions.split(","))))
        return
    found: dict[str, int] = {}
    for path in descriptions(arguments.directory, arguments.names):
        row = _run(path, arguments.functions, arguments.seconds)
        found[row["outcome"]] = found.get(row["outcome"], 0) + 1
        print(_line(path.relative_to(arguments.directory), row), flush=True)
    print(", ".join(f"{count} {what}" for what, count in found.items()))


def outcome(path: Path, functions: list[str]) -> dict[str, Any]:
    """What became of one robot."""
    row: dict[str, Any] = {}
    try:
        mechanism = Mechanism.from_urdf(path)
        row["joints"] = mechanism.count
        kernels = robot_kernels(mechanism, functions)
        with tempfile.TemporaryDirectory() as place:
            generate(kernels, Options(precisions=("f64", "f32")), Path(place) / "c")
        row["generated"] = time.process_time()
        open_ = [f"{p.kernel}: {p.status}" for p in map(prove, kernels) if p.status != "proven"]
        row |= {"outcome": "not proven" if open_ else "proven", "said": "; ".join(open_)}
    except FeatherError as error:
        row |= {"outcome": "refused", "said": str(error).removeprefix(f"{path}: ")}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return row | {"seconds": time.process_time(), "memory": memory}


def robots() -> Path:
    """The directory of example-robot-data."""
    data = distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots")
    return Path(str(data))


def descriptions(directory: Path, names: list[str]) -> list[Path]:
    """The URDFs below a directory whose path contains one of the names, the smallest first."""
    found = (p for p in directory.rglob("*.urdf") if not names or any(n in str(p) for n in names))
    return sorted(found, key=lambda p: (p.stat().st_size, p))


def _run(path: Path, functions: str, seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.robots", "--one", str(path), "--functions", functions]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"outcome": "stopped", "said": f"after {seconds:g} s"}
    if done.returncode:
        return {"outcome": "failed", "said": done.stderr.strip().rpartition("\n")[2]}
    row: dict[str, Any] = json.loads(done.stdout)
    return row


def _line(name: Path, row: dict[str, Any]) -> str:
    counts = f"{row.get('joints', '-'):>3} joints {row.get('generated', 0):6.1f} s to C"
    return (
        f"{name!s:60} {row['outcome']:10} {counts} {row.get('seconds', 0):6.1f} s "
        f"{row.get('memory', 0):5.0f} MB {row['said']}"
    ).rstrip()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of paths [all]")
    parser.add_argument("--directory", type=Path, help="where the URDFs are [example-robot-data]")
    parser.add_argument("--functions", default=",".join(FUNCTIONS))
    parser.add_argument("--seconds", type=float, default=MOST_SECONDS, help="limit for one robot")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.directory is None and not arguments.one:
        arguments.directory = robots()
    return arguments


if __name__ == "__main__":
    main()
