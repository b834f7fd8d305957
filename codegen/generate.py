"""Writing a generated tree: complete or not at all, and never over files that are not ours."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from codegen.describe import Kernel
from codegen.errors import FeatherError
from codegen.options import Options
from codegen.render import Tree, render_tree

MANIFEST = "manifest.json"


def generate(kernels: Sequence[Kernel], options: Options, directory: Path) -> Tree:
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
    """Put the tree in place of what an earlier run left in the directory; other files stay.

    Everything is written beside the directory first, so that a full disk or an interrupt leaves it alone.
    """
    directory = Path(os.path.abspath(directory))
    previous = _previous_files(directory)
    foreign = sorted(name for name in tree if name not in previous and os.path.lexists(directory / name))
    if foreign:
        raise FeatherError(
            f"{directory / foreign[0]} is not from an earlier run: move it away or choose another directory"
        )
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
    except OSError as error:
        raise FeatherError(f"cannot write {directory}: {error.strerror}") from None
    try:
        for name, text in tree.items():
            (staging / name).write_bytes(text.encode())
        _move_in(staging, directory, tree, previous)
    except OSError as error:
        raise FeatherError(f"cannot write {directory}: {error.strerror}") from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _move_in(staging: Path, directory: Path, tree: Tree, previous: Sequence[str]) -> None:
    """Swap the files; the manifest goes last, so that a tree with a manifest is whole."""
    directory.mkdir(exist_ok=True)
    for name in sorted(tree, key=lambda n: n == MANIFEST):
        os.replace(staging / name, directory / name)
    for name in previous:
        if name not in tree:
            (directory / name).unlink(missing_ok=True)


def _previous_files(directory: Path) -> list[str]:
    """The files that an earlier run left, by its manifest."""
    if os.path.lexists(directory) and not directory.is_dir():
        raise FeatherError(f"{directory} is a file: name a directory to generate into")
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        names = [entry["path"] for entry in manifest["files"]] + [MANIFEST]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError):
        raise FeatherError(
            f"{directory / MANIFEST} is damaged: remove the directory and generate again"
        ) from None
    return [n for n in names if isinstance(n, str) and os.path.basename(n) == n]
