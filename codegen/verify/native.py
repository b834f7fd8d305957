"""Compilers of C, and a generated tree compiled into a shared library."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from codegen.errors import FeatherError

STRICT = [
    "-std=c99",
    "-pedantic-errors",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wconversion",
    "-Wdouble-promotion",
    "-Wfloat-conversion",
    "-Wfloat-equal",
    "-Wmissing-prototypes",
    "-Wshadow",
    "-Wundef",
    "-Wcast-qual",
    "-Wstrict-prototypes",
]
"""Flags that generated C passes without a warning."""

PLAIN = ["-std=c99", "-O2", "-ffp-contract=off"]
"""Flags under which results are bit-identical on every IEEE 754 machine, except for libm calls."""


def compilers() -> list[str]:
    """The available C compilers: $CC if it is set, else those of gcc and clang that are installed."""
    chosen = os.environ.get("CC")
    found = [_located(c) for c in ([chosen] if chosen else ["gcc", "clang", "cc"])]
    present = [c for c in found if c]
    if not present:
        wanted = f"the compiler {chosen!r} of $CC" if chosen else "no C compiler"
        raise FeatherError(
            f"{wanted + ' is not' if chosen else wanted} found: install gcc or clang, or set CC"
        )
    named_cc = [c for c in present if os.path.basename(c) == "cc"]
    return [c for c in present if c not in named_cc] or named_cc


def _located(command: str) -> str | None:
    """The command with the path of its program; $CC may contain a launcher and options, too."""
    try:
        program, *rest = shlex.split(command)
    except ValueError:
        return None
    path = shutil.which(program)
    return shlex.join([path, *rest]) if path else None


def run_compiler(command: Sequence[str], seconds: int | None = None) -> None:
    """Run a compiler; FeatherError with its first complaint when it fails.

    It also fails where it takes more than so many seconds of the processor, on POSIX.
    """
    limited = ["sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh"] if seconds and os.name == "posix" else []
    try:
        done = subprocess.run(
            [*limited, *command], capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise FeatherError(f"cannot run {command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        complaints = [line for line in done.stderr.splitlines() if "error" in line]
        first = (complaints or done.stderr.splitlines() or [f"exit code {done.returncode}"])[0]
        raise FeatherError(f"{os.path.basename(command[0])} rejects the generated C: {first}")


def build(
    directory: Path,
    manifest: Mapping[str, Any],
    target: Path,
    compiler: str | None = None,
    flags: Sequence[str] = PLAIN,
    more: str = "",
) -> Path:
    """Compile the tree that a manifest describes, and more C text that calls it, to a library at `target`."""
    sources = sorted({str(directory / f["source"]) for f in manifest["functions"]})
    command = [*shlex.split(compiler or compilers()[0]), *flags, "-shared", "-fPIC", f"-I{directory}"]
    if sources and not sources[0].endswith(".c"):
        command.append("-Wno-missing-prototypes")
        headers = sorted({f["header"] for f in manifest["functions"]})
        includes = "".join(f'#include "{h}"\n' for h in headers)
        # without these words the functions of headers are visible from outside
        more = f"#include <math.h>\n#define static\n#define inline\n{includes}{more}"
        sources = []
    if more:
        unit = target.with_suffix(".c")
        unit.write_text(more)
        sources.append(str(unit))
    run_compiler([*command, *sources, "-o", str(target), "-lm"])
    return target
