"""What is read of an untrusted tree, and the limits on it."""

from __future__ import annotations

from dataclasses import dataclass, field

from codegen.errors import FeatherError

LARGEST = 8 * 2**20
"""Size limit of a file, in bytes; several times the largest file of the library."""

MOST = 5000
"""Limit on the number of files of a tree."""

ALL = 128 * 2**20
"""Limit on the size of all files of a tree, in bytes."""


@dataclass(frozen=True)
class Snapshot:
    """A tree: relative path -> content of each file that was read, relative path -> reason of the others."""

    files: dict[str, bytes] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)


LINK = "a symbolic link, which is not followed"


def too_large(size: int) -> str:
    """The reason why a file is not read."""
    return f"{size / 1e6:.1f} MB, which is more than any generated file"


def check_size(name: object, entries: int, size: int) -> None:
    """FeatherError when so many entries, or so many bytes in all, are more than a tree may have."""
    if entries > MOST:
        raise too_much(name)
    if size > ALL:
        raise FeatherError(f"{name} holds more than {ALL >> 20} MB: name the directory of a generated tree")


def too_much(name: object) -> FeatherError:
    """The error about a tree of too many files."""
    return FeatherError(f"{name} holds more than {MOST} files: name the directory of a generated tree")
