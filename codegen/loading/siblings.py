"""Modules beside a model file: importable while it is loaded, compiled from their text, then forgotten."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType


class Fresh(SourceFileLoader):
    """Compiles the text as it is: Python's cache would miss an edit of the same length in the same second."""

    def get_code(self, fullname: str) -> CodeType:
        """The file's code."""
        return self.source_to_code(self.get_data(self.path), self.path)


class Siblings(MetaPathFinder):
    """Finds the modules and packages of one directory, and remembers which it found."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.names: list[str] = []
        self.files: list[Path] = []

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of this name beside the model, or inside a package found there before."""
        if path is not None and fullname.partition(".")[0] not in self.names:
            return None
        for place in [str(self.directory)] if path is None else path:
            spec = FileFinder(place, (Fresh, SOURCE_SUFFIXES)).find_spec(fullname)
            if spec is not None and (spec.loader is not None or PathFinder.find_spec(fullname, path) is None):
                self.names.append(fullname)
                self.files += [Path(spec.origin)] if spec.origin else []
                return spec
        return None


@contextmanager
def importable(directory: Path) -> Iterator[Siblings]:
    """Let imports find the modules of a directory, before installed ones as beside a script.

    Afterwards they are no longer among Python's modules, so the next model may have others of the same names.
    """
    siblings = Siblings(directory.resolve())
    sys.meta_path.insert(sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else 0, siblings)
    try:
        yield siblings
    finally:
        sys.meta_path.remove(siblings)
        for name in siblings.names:
            sys.modules.pop(name, None)
