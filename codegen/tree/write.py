"""Writes a generated tree: completely or not at all, and never over unmanaged files."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from codegen.emit.options import Options
from codegen.emit.render import Tree
from codegen.errors import FeatherError
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.tree.assemble import render_tree

MANIFEST = "manifest.json"
STAGING = ".featherc-"
BEGUN = "manifest.begun"


def generate(kernels: Sequence[Kernel | Routine], options: Options, directory: Path) -> Tree:
    """Generate the kernels' C into a directory and return what was written.

    FeatherError, with the directory as it was before, when something is wrong with the kernels, the options
    or the directory.
    """
    if not kernels:
        raise FeatherError("there is nothing to generate: name a kernel (featherc list shows them)")
    tree = render_tree(kernels, options)
    write_tree(tree, directory)
    return tree


def write_tree(tree: Tree, directory: Path) -> None:
    """Replace the files that an earlier run wrote to the directory; unmanaged files stay.

    Everything is first written to a staging directory inside it, so that a full disk or an interrupt changes
    none of its files. While files are moved from there, the manifest says that the tree is incomplete.
    """
    directory = Path(os.path.abspath(directory))
    previous = _previous_files(directory, _kind(json.loads(tree[MANIFEST])))
    foreign = sorted(name for name in tree if name not in previous and os.path.lexists(directory / name))
    if foreign:
        raise FeatherError(
            f"{directory / foreign[0]} is an unmanaged file: move it away or choose another directory"
        )
    owned = sorted({*previous, *tree} - {MANIFEST})
    made = not directory.exists()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        _remove_staging(directory)
        staging = Path(tempfile.mkdtemp(prefix=STAGING, dir=directory))
        for name, text in {**tree, BEGUN: _begun(owned)}.items():
            (staging / name).write_bytes(text.encode())
        os.replace(staging / BEGUN, directory / MANIFEST)
        _move_in(staging, directory, owned)
    except OSError as error:
        raise FeatherError(f"cannot write {directory}: {error.strerror}") from None
    finally:
        _remove_staging(directory)
        if made and directory.is_dir() and not any(directory.iterdir()):
            directory.rmdir()


def _begun(owned: Sequence[str]) -> str:
    """The manifest while files are moved; from it the next run knows which files featherc manages."""
    files = [{"path": name} for name in owned]
    return json.dumps({"schema": 1, "incomplete": True, "files": files}, indent=1) + "\n"


def _move_in(staging: Path, directory: Path, owned: Sequence[str]) -> None:
    """Move the staged files in, remove the managed files that are not staged; move the manifest last."""
    try:
        for name in owned:
            if (staging / name).exists():
                os.replace(staging / name, directory / name)
            else:
                (directory / name).unlink(missing_ok=True)
        os.replace(staging / MANIFEST, directory / MANIFEST)
    except OSError as error:
        raise FeatherError(f"{directory} is incomplete now ({error}): generate again") from None


def _remove_staging(directory: Path) -> None:
    for leftover in directory.glob(f"{STAGING}*"):
        shutil.rmtree(leftover, ignore_errors=True)


def _kind(manifest: dict[str, Any]) -> str | None:
    """The kind of tree that a manifest describes; None where it does not say."""
    return next((kind for key, kind in _KINDS.items() if key in manifest), None)


_KINDS = {"incomplete": "an incomplete tree", "prefix": "a library", "book": "a book"}
"""Keys that occur only in the manifest of this kind of tree."""


def _previous_files(directory: Path, kind: str | None) -> list[str]:
    """The files that the manifest of an earlier run lists; FeatherError for another kind of tree."""
    path = directory / MANIFEST
    if os.path.lexists(directory) and not directory.is_dir():
        raise FeatherError(f"{directory} is a file: name a directory to generate into")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        found = _kind(manifest) if manifest["schema"] == 1 else None
        names = [entry["path"] for entry in manifest["files"]] + [MANIFEST]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        found = None
    if found is None:
        raise FeatherError(f"{path} is damaged or not from featherc: empty the directory or choose another")
    if found not in (kind, _KINDS["incomplete"]):
        raise FeatherError(f"{directory} holds {found}, not {kind}: choose another directory")
    return [n for n in names if isinstance(n, str) and os.path.basename(n) == n]
