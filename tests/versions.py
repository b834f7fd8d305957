"""The same bytes with the oldest and the newest versions of all dependencies that pyproject.toml admits.

Run by `make test-versions`: makes an environment for each, generates the library and examples in both with
different hash seeds, and compares them with each other and with the committed tree.
"""

from __future__ import annotations

import filecmp
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent

JOBS = {
    "library": [],
    "quadrotor": ["--model", "examples/quadrotor.py"],
    "bound": ["--model", "examples/quadrotor.py", "--bind", "examples/quadrotor.toml", "--no-checks"],
    "f16": ["rigid_body_dynamics_quat", "--bind", "examples/f16.toml"],
}


def requirements(lowest: bool) -> list[str]:
    """The project's dependencies, each at its lower bound or open."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [r.replace(">=", "==") if lowest else re.sub(r"[<>=].*", "", r) for r in project["dependencies"]]


def install(python: Path, lowest: bool) -> None:
    """Install those versions and the checkout in the environment of a Python."""
    quiet = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*quiet, *requirements(lowest)], check=True)
    subprocess.run([*quiet, "--no-deps", "--editable", str(ROOT)], check=True)


def versions(python: Path) -> str:
    """The versions that the environment has installed."""
    script = "import sympy, casadi, numpy; print(*(m.__version__ for m in (sympy, casadi, numpy)))"
    shown = subprocess.run([str(python), "-c", script], check=True, capture_output=True, text=True)
    return shown.stdout.strip()


def generate(python: Path, directory: Path, seed: str) -> None:
    """All jobs, each into its own directory."""
    for name, arguments in JOBS.items():
        subprocess.run(
            [str(python), "-m", "codegen", "generate", *arguments, "-o", str(directory / name)],
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.DEVNULL,
        )


def made(scratch: Path, name: str, lowest: bool, seed: str) -> str:
    """Make all trees in the environment of this name; says which versions it has."""
    python = scratch / f"venv-{name}" / "bin" / "python"
    install(python, lowest)
    generate(python, scratch / name, seed)
    return f"{name}: sympy, casadi, numpy {versions(python)}"


def differences(left: Path, right: Path) -> list[str]:
    """Files that are not the same in both directories."""
    names = sorted({p.name for side in (left, right) for p in side.iterdir()})
    _, different, missing = filecmp.cmpfiles(left, right, names, shallow=False)
    return [f"{left.name}/{name}" for name in (*different, *missing)]


def main() -> int:
    """0 when all trees are the same to the byte."""
    found: list[str] = []
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor() as pool:
        jobs = ("lowest", "newest"), (True, False), ("1", "2")
        for name in jobs[0]:  # one after the other: a program that is being copied cannot be started
            venv.create(Path(scratch) / f"venv-{name}", with_pip=True)
        for said in pool.map(partial(made, Path(scratch)), *jobs):  # one installs while the other generates
            print(said)
        found += differences(Path(scratch) / "newest" / "library", ROOT / "generated")
        for job in JOBS:
            found += differences(Path(scratch) / "lowest" / job, Path(scratch) / "newest" / job)
    print("\n".join(f"differs: {path}" for path in found) or f"{len(JOBS)} trees, the same bytes")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
