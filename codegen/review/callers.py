"""Finds where sources outside of a generated tree name its functions; they are only read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codegen.errors import FeatherError
from codegen.review.diff.text.comments import separate
from codegen.tree.snapshot import location, read_directory

_SUFFIXES = (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ino")
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True)
class Calls:
    """For each word of some sources, the places where it stands, as `path:line`."""

    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, symbol: str) -> tuple[str, ...]:
        """The places that name a function."""
        return self.places.get(symbol, ())


NO_CALLS = Calls()


def read_calls(directories: Iterable[Path], symbols: Iterable[str]) -> Calls:
    """Where the C and C++ files below directories name these functions, comments aside.

    FeatherError when a directory cannot be read.
    """
    wanted, found = set(symbols), dict[str, dict[str, None]]()
    for directory in directories:
        if not directory.is_dir():
            raise FeatherError(
                f"{directory} is not a directory: name one with the sources that call the tree"
            )
        for path, content in sorted(read_directory(directory).files.items()):
            if path.lower().endswith(_SUFFIXES):
                text = separate(content.decode("utf-8", "replace")).code
                for number, line in enumerate(text.split("\n"), 1):
                    for word in wanted.intersection(_WORD.findall(line)):
                        place = f"{location(str(directory), path)}:{number}"
                        found.setdefault(word, {})[place] = None
    return Calls({word: tuple(places) for word, places in found.items()})
