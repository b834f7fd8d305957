"""Reads two trees and compares them: functions, files that were not read, and what surrounds functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from codegen.errors import FeatherError
from codegen.review.diff.changes import Change, ChangeClass, Unreadable
from codegen.review.diff.compare import Both, Progress, both, compare_functions, compare_surroundings
from codegen.review.files.compare import Trees, build_changes
from codegen.review.files.taken import taken
from codegen.review.robots import robot_changes
from codegen.show import printable
from codegen.tree.limits import Snapshot
from codegen.tree.snapshot import location, read_tree
from codegen.tree.write import MANIFEST


@dataclass(frozen=True)
class Comparison:
    """Two trees that were compared: their names, what was read of them, and the changes between them.

    `warning` is what a reader of the verdict must know; empty where there is nothing. `causes` are the values
    that have changed in the descriptions of robots.
    """

    old: str
    new: str
    before: Snapshot
    after: Snapshot
    trees: Both
    changes: Sequence[Change]
    warning: str = ""
    causes: Sequence[str] = ()

    @property
    def unread(self) -> frozenset[str]:
        """The files of either tree that were not read."""
        return frozenset(self.before.skipped.keys() | self.after.skipped.keys())

    @property
    def symbols(self) -> set[str]:
        """The functions of both trees, under their old and new names."""
        return {name for c in self.changes for name in (c.symbol, c.old_symbol) if name}

    def place(self, change: Change) -> str:
        """The path of the file of a change: in the old tree where it was removed, else in the new one."""
        return location(self.old if change.kind is ChangeClass.REMOVED else self.new, change.path)


def compare(old: str, new: str, progress: Progress) -> Comparison:
    """Compare two trees, named as directories, archives or REVISION:PATH.

    FeatherError when a tree cannot be read.
    """
    before, after = read_tree(old), read_tree(new)
    if not _holds_c(after):
        raise FeatherError(f"{new} holds no C: name the directory of a generated tree")
    trees = both(before.files, after.files)
    changes = [*compare_functions(trees, progress), *unread(before, after), *compare_surroundings(trees)]
    known = before.skipped.keys() | after.skipped.keys()
    left = ({p: text for p, text in files.items() if p not in known} for files in (trees.old, trees.new))
    changes += build_changes(Trees(next(left), next(left), changes))
    warning = "" if _holds_c(before) else f"{printable(old)} holds no C, so that every function is new"
    return Comparison(old, new, before, after, trees, changes, warning, robot_changes(before, after))


def _holds_c(tree: Snapshot) -> bool:
    return any(path.endswith((".c", ".h")) for path in (*tree.files, *tree.skipped))


def unread(before: Snapshot, after: Snapshot) -> list[Change]:
    """A change for each file that a build takes and that was not read: its content is unknown."""
    reasons = before.skipped | after.skipped
    return [
        Change(
            path,
            ChangeClass.UNREADABLE,
            f"cannot be read: {reason}",
            path,
            1,
            unreadable=Unreadable(path, 1, reason),
        )
        for path, reason in sorted(reasons.items())
        if path == MANIFEST or taken(path) or _may_be_directory(path)
    ]


def _may_be_directory(path: str) -> bool:
    """Whether a link of this name may lead to a directory of sources; LICENSE and the like do not."""
    name = PurePosixPath(path)
    return not name.suffix and not name.name.isupper()
