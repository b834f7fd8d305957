"""Compiled trees that are kept for the next process.

They are in `$XDG_CACHE_HOME/featherc`, else in `~/.cache/featherc`, which only its owner may write to. The
name of a file is a digest of the tree's files, the compiler and its flags. The oldest go when there are many.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from codegen import __version__
from codegen.errors import FeatherError
from codegen.verify.native import PLAIN, compilers

T = TypeVar("T")

_MOST = 64
"""Files that are kept."""

_SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def kept(tree: Path, make: Callable[[Path], object], use: Callable[[Path], T]) -> T:
    """`use` of the file that `make` writes for a tree, which is made only if it has not been kept.

    A kept file that cannot be loaded is made again. Where nothing can be kept, it is made in a temporary
    directory.
    """
    place = _place()
    if place is None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
            binary = Path(scratch) / f"library{_SUFFIX}"
            make(binary)
            return use(binary)
    binary = place / f"{_digest(tree)}{_SUFFIX}"
    if binary.is_file():
        try:
            os.utime(binary)
            return use(binary)
        except (FeatherError, OSError):
            binary.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=place) as scratch:
        made = Path(scratch) / binary.name
        make(made)
        os.replace(made, binary)
    _forget_oldest(place)
    return use(binary)


def _place() -> Path | None:
    """The directory of the kept files, made if need be; None where it is not the user's own or read-only."""
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        place = (Path(base) if base else Path.home() / ".cache") / "featherc"
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = place.stat()
    except (OSError, RuntimeError):
        return None
    own = not hasattr(os, "getuid") or (state.st_uid == os.getuid() and not state.st_mode & 0o022)
    return place if own and os.access(place, os.W_OK) else None


def _digest(tree: Path) -> str:
    """What a compiled tree depends on: the compiler, its flags, the machine, and the tree's files."""
    compiler = compilers()[0]
    program = Path(shlex.split(compiler)[0]).stat()
    made = hashlib.sha256()
    for part in (__version__, compiler, program.st_size, program.st_mtime_ns, *PLAIN, platform.machine()):
        made.update(f"{part}\0".encode())
    for path in sorted(p for p in tree.rglob("*") if p.suffix in (".c", ".h", ".json") and p.is_file()):
        made.update(f"{path.relative_to(tree)}\0".encode())
        made.update(hashlib.sha256(path.read_bytes()).digest())
    return made.hexdigest()


def _forget_oldest(place: Path) -> None:
    """Delete the files that were not used for the longest time."""
    found = sorted(place.glob(f"*{_SUFFIX}"), key=lambda p: p.stat().st_mtime, reverse=True)
    for path in found[_MOST:]:
        path.unlink(missing_ok=True)
