"""Generated trees, compiled and loaded."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from codegen.errors import FeatherError
from codegen.misuse import explained
from codegen.verify.compiled import Compiled
from codegen.verify.kept import kept
from codegen.verify.loops import loops
from codegen.verify.manifest import read_manifest
from codegen.verify.native import build
from codegen.verify.structures import structures


class Functions(SimpleNamespace):
    """The functions of one precision, by the names of their kernels."""

    def __getattr__(self, name: str) -> Compiled:
        near = get_close_matches(name, vars(self), 1)
        known = f"is it {near[0]}?" if near else f"it has {', '.join(vars(self)) or 'none'}"
        raise AttributeError(f"the tree has no function {name} in this precision: {known}")


class Library:
    """A compiled tree: `lib.f64.quat_multiply(p, q).pq`, or `lib["fc_quat_multiply_f64"](p, q)`."""

    def __init__(self, directory: Path, manifest: Mapping[str, Any], binary: Path) -> None:
        self.manifest = manifest
        loaded = _opened(binary, directory)
        types = structures(self.manifest["types"])
        described = {d["symbol"]: d for d in self.manifest["functions"]}
        missing = [symbol for symbol in described if not hasattr(loaded, symbol)]
        if missing:
            raise FeatherError(f"{directory} has no function {missing[0]}: generate the tree again")
        self.functions = {symbol: Compiled(loaded, d, types) for symbol, d in described.items()}
        self.f64 = self._precision("f64")
        self.f32 = self._precision("f32")

    def _precision(self, name: str) -> Functions:
        members = [f for f in self.functions.values() if f.description["precision"] == name]
        return Functions(**{f.description["kernel"]: f for f in members})

    def __getitem__(self, symbol: str) -> Compiled:
        return self.functions[symbol]


def _opened(binary: Path, directory: Path) -> Any:
    """The shared library. FeatherError where it lacks a function, or is damaged."""
    try:
        return ctypes.CDLL(str(binary))
    except OSError as error:
        problem = str(error).removeprefix(f"{binary}: ")
        raise FeatherError(f"{directory} cannot be loaded ({problem}): generate the tree again") from None


@explained
def load(directory: str | Path) -> Library:
    """Compile a generated tree and return its functions as callables over NumPy arrays.

    The compiled tree is kept for the next call (kept.py says where), as long as its files and the compiler
    stay the same. FeatherError when the directory holds no generated tree or there is no C compiler.
    """
    tree = Path(directory)
    manifest = read_manifest(tree)
    return kept(
        tree,
        lambda binary: build(tree, manifest, binary, more=loops(manifest)),
        lambda binary: Library(tree, manifest, binary),
    )
