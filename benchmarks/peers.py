"""The peers: other generators, each installed from PyPI into an environment of its own."""

from __future__ import annotations

import json
import subprocess
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ENVIRONMENTS = HERE / ".venvs"
PLOTTER = "matplotlib==3.10.7"


@dataclass(frozen=True)
class Peer:
    """A generator: what pip installs, and how its C functions are called."""

    name: str
    requirement: str
    convention: str = "plain"


PEERS = (
    Peer("casadi", "casadi==3.8.2", "casadi"),
    Peer("sympy", "sympy==1.14.0"),
    Peer("symforce", "symforce==0.12.0"),
    Peer("wrenfold", "wrenfold==0.5.3"),
)

ABSENT = {
    "pin": "a C++ library, not a generator: its templates give no C to count or to compile for a Cortex-M"
}
"""Peers that are named but not measured, and why."""


class Unavailable(Exception):
    """A peer that cannot be installed or run; the message says why."""


def environment(name: str, requirement: str) -> Path:
    """The Python of the environment, which is made when it is first needed."""
    place = ENVIRONMENTS / name
    python = place / "bin" / "python"
    marker = place / "installed"
    if not marker.exists() or marker.read_text() != requirement:
        venv.create(place, clear=True, with_pip=True)
        _run([str(python), "-m", "pip", "install", "--quiet", requirement], "")
        marker.write_text(requirement)
    return python


def generated(peer: Peer, problems: Sequence[Any]) -> dict[str, Any]:
    """A peer's version, and for each problem its C by precision and the seconds it took for one."""
    python = environment(peer.name, peer.requirement)
    answer = _run([str(python), "-m", f"benchmarks.workers.with_{peer.name}"], json.dumps(problems))
    found: dict[str, Any] = json.loads(answer)
    return found


def plot(results: Path, target: Path) -> None:
    """Draw the plot of results.json."""
    python = environment("plot", PLOTTER)
    _run([str(python), "-m", "benchmarks.workers.plot", str(results), str(target)], "")


def _run(command: Sequence[str], given: str) -> str:
    done = subprocess.run(command, input=given, cwd=HERE.parent, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise Unavailable(said[-1] if said else f"exit code {done.returncode}")
    return done.stdout
