"""The peers: other generators, each installed from PyPI into a separate environment."""

from __future__ import annotations

import json
import subprocess
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.calls import Convention, plain, pointers

HERE = Path(__file__).parent
ENVIRONMENTS = HERE / ".venvs"
PLOTTER = ("matplotlib==3.10.7",)


@dataclass(frozen=True)
class Peer:
    """A generator: what pip installs, and how its C functions are called."""

    name: str
    requirements: tuple[str, ...]
    convention: Convention = plain


PEERS = (
    Peer("casadi", ("casadi==3.8.2",), pointers),
    Peer("sympy", ("sympy==1.14.0",)),
    Peer("symforce", ("symforce==0.12.0",)),
    Peer("wrenfold", ("wrenfold==0.5.3",)),
)


class Unavailable(Exception):
    """A peer that cannot be installed or run; the message says why."""


def environment(name: str, requirements: Sequence[str]) -> Path:
    """The Python of the environment, which is made when it is first needed."""
    place = ENVIRONMENTS / name
    python = place / "bin" / "python"
    marker = place / "installed"
    wanted = " ".join(requirements)
    if not marker.exists() or marker.read_text() != wanted:
        try:
            venv.create(place, clear=True, with_pip=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Unavailable(f"no virtual environment can be made: {error}") from None
        _run([str(python), "-m", "pip", "install", "--quiet", *requirements], "")
        marker.write_text(wanted)
    return python


def generated(peer: Peer, problems: Sequence[Any]) -> dict[str, Any]:
    """A peer's version, and for each problem its C by precision and the seconds for one, or an error."""
    python = environment(peer.name, peer.requirements)
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
