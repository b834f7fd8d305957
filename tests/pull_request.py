"""The README's pull request: its text, and what featherc diff says of it. `python -m tests.pull_request`."""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACE = ROOT / "tests" / "data" / "pull_request"
SOURCE = "fc_airframe_f32.c"
COMMAND = ["diff", "main", "branch", "--fail-on", "changed,interface,cost>5%"]


def block(language: str) -> str:
    """The README's only fenced block of a language."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    return str(found)


def changed_lines() -> str:
    """The lines of C that the pull request takes out and puts in."""
    old, new = ((PLACE / branch / SOURCE).read_text().splitlines() for branch in ("main", "branch"))
    lines = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    return "".join(f"{line}\n" for line in lines if not line.startswith("@@"))


def output() -> str:
    """What the command prints, and its exit code."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "codegen", *COMMAND]
    done = subprocess.run(command, cwd=PLACE, env=environment, capture_output=True, text=True, check=False)
    plain = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    typed = " ".join(f"'{word}'" if ">" in word else word for word in COMMAND)
    return f"$ featherc {typed}\n{plain}\n{done.stderr}$ echo $?\n{done.returncode}\n"


if __name__ == "__main__":
    print(f"{changed_lines()}\n{output()}", end="")
