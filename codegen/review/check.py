"""Checks, byte by byte, that a generated tree is up to date with its definitions. Nothing is written.

The tree is generated again in memory, from the options and kernels that its manifest records. The hashes in
the manifest tell files whose definitions have changed from files that were edited by hand.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

from codegen.emit.manifest import recorded_options
from codegen.emit.render import Tree
from codegen.errors import FeatherError
from codegen.modeling.bind import bind
from codegen.modeling.kernel import Kernel
from codegen.modeling.routine import Routine
from codegen.modeling.vehicle import Binding, bind_all, of_vehicle
from codegen.review.files.taken import enters_programs, taken
from codegen.tree.assemble import render_tree
from codegen.tree.limits import Snapshot
from codegen.tree.write import MANIFEST
from codegen.verify.manifest import base_name, parse_manifest, undefined

Subject = Kernel | Routine


class State(Enum):
    """The state of a file relative to the definitions."""

    CURRENT = "up to date"
    STALE = "stale"
    EDITED = "hand-edited"
    MISSING = "missing"
    LEFT_OVER = "left over"
    UNMANAGED = "unmanaged"


@dataclass(frozen=True)
class Finding:
    """The state of one file that is in the tree or expected there; `detail` gives reason and remedy."""

    path: str
    state: State
    detail: str = ""

    @property
    def ok(self) -> bool:
        """Whether the file passes: an unmanaged one does unless programs are built of such files."""
        if self.state is State.UNMANAGED:
            return not enters_programs(self.path)
        return self.state is State.CURRENT

    @property
    def notable(self) -> bool:
        """Whether the report lists the file."""
        return self.state is not State.CURRENT


def manifest_of(there: Snapshot, directory: Path) -> dict[str, Any]:
    """The manifest of a tree that was read; FeatherError when there is none or it is damaged."""
    if MANIFEST in there.skipped:
        raise FeatherError(f"{directory / MANIFEST} is {there.skipped[MANIFEST]}")
    if MANIFEST not in there.files:
        raise FeatherError(f"{directory} holds no {MANIFEST}: generate into it first (featherc generate -o)")
    return parse_manifest(there.files[MANIFEST], directory / MANIFEST)


def recorded_kernels(manifest: Mapping[str, Any], known: Mapping[str, Subject]) -> list[Subject]:
    """The kernels that a tree was generated from, as they are defined now, without bound values.

    FeatherError when one of them no longer exists.
    """
    names = {base_name(f): f for f in manifest["functions"]}
    for name, described in names.items():
        if name not in known:
            raise undefined(described, manifest["prefix"])
    return [known[name] for name in names]


def recorded_subjects(manifest: Mapping[str, Any], known: Mapping[str, Subject]) -> list[Subject]:
    """The kernels that a tree was generated from, with the values bound that the manifest records.

    FeatherError when one no longer exists, or the values are damaged.
    """
    recorded_kernels(manifest, known)
    described = {f["kernel"]: f for f in manifest["functions"]}
    return [recorded_subject(f, known) for f in described.values()]


def recorded_subject(described: Mapping[str, Any], known: Mapping[str, Subject]) -> Subject:
    """The kernel or routine of a function of a manifest, with the recorded values of its vehicle."""
    subject = known[base_name(described)]
    if not isinstance(subject, Kernel):
        return subject
    bound = _bound(subject, described.get("bound"))
    return of_vehicle(bound, described["vehicle"]) if "vehicle" in described else bound


def unrecorded(manifest: Mapping[str, Any], kernels: Iterable[str]) -> list[str]:
    """The names among `kernels` that a tree does not contain."""
    return sorted(set(kernels) - {base_name(f) for f in manifest["functions"]})


def expected_tree(
    manifest: Mapping[str, Any], known: Mapping[str, Subject], bindings: Sequence[Binding]
) -> Tree:
    """The tree that the current definitions produce for the kernels and options that a manifest records.

    Values are bound from the files in `bindings`, if there are any, else from the manifest. FeatherError
    when a kernel no longer exists or the manifest is damaged.
    """
    if not bindings:
        return render_tree(recorded_subjects(manifest, known), recorded_options(manifest))
    kernels = recorded_kernels(manifest, known)
    bound = bind_all([k for k in kernels if isinstance(k, Kernel)], bindings)
    return render_tree([*bound, *(k for k in kernels if isinstance(k, Routine))], recorded_options(manifest))


def _bound(kernel: Kernel, recorded: Any) -> Kernel:
    if not recorded:
        return kernel
    try:
        values = {name: tuple(map(_exact, numbers)) for name, numbers in recorded.items()}
    except (AttributeError, TypeError, ValueError, ZeroDivisionError):
        raise FeatherError(f"{MANIFEST}: the bound values of {kernel.name} are damaged") from None
    return bind(kernel, values)


_EXACT = re.compile(r"-?\d{1,4000}(?:/\d{1,4000})?", re.ASCII)


def _exact(written: Any) -> Fraction:
    """A bound value as the manifest writes it; ValueError for another form."""
    if not isinstance(written, str) or not _EXACT.fullmatch(written):
        raise ValueError
    return Fraction(written)


def compare_files(there: Snapshot, expected: Tree, manifest: Mapping[str, Any]) -> list[Finding]:
    """A finding for every file that is in the tree or expected there, in order of its path."""
    recorded = {f["path"]: f["sha256"] for f in manifest["files"]}
    paths = sorted({*there.files, *there.skipped, *expected})
    return [_finding(path, there, expected.get(path), recorded.get(path)) for path in paths]


def _finding(path: str, there: Snapshot, expected: str | None, recorded: str | None) -> Finding:
    content = there.files.get(path)
    if path in there.skipped:
        known = expected is not None or recorded is not None
        return Finding(path, State.EDITED if known else State.UNMANAGED, there.skipped[path])
    if expected is None:
        return _unexpected(path, content or b"", recorded)
    if content is None:
        return Finding(path, State.MISSING, "it was deleted" if recorded else "the definitions now add it")
    if content == expected.encode():
        return Finding(path, State.CURRENT)
    if recorded is None and path != MANIFEST:
        return Finding(path, State.UNMANAGED, "it has the name of a generated file: move it away")
    if recorded in (None, _hash(content)):
        return Finding(path, State.STALE, "the definitions, the options or featherc have changed")
    return Finding(path, State.EDITED, _edit(content, expected, recorded))


def _unexpected(path: str, content: bytes, recorded: str | None) -> Finding:
    if recorded is None:
        return Finding(path, State.UNMANAGED, _foreign(path))
    edited = "; it was edited by hand" if recorded != _hash(content) else ""
    return Finding(path, State.LEFT_OVER, f"the definitions no longer produce it{edited}")


def _foreign(path: str) -> str:
    """Why an unmanaged file is no part of the tree, and what to do where it could get into programs."""
    remedy = f"; {taken(path)}: move it away" if enters_programs(path) else ""
    return f"featherc did not write it{remedy}"


def _edit(content: bytes, expected: str, recorded: str | None) -> str:
    """How a file was edited, as far as the hashes tell."""
    if _hash(content.replace(b"\r\n", b"\n")) == recorded:
        return "only its line endings differ: git converted them (generate with --gitattributes)"
    stale = recorded != _hash(expected.encode())
    return "its definitions have changed as well" if stale else "generating the tree again undoes the edit"


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def remedy(manifest: Mapping[str, Any]) -> str:
    """The command that brings a tree up to date."""
    if not manifest.get("robots"):
        return "run featherc generate to update it"
    return "run featherc robot with the robot's description and its options to update it"


def summary(findings: Sequence[Finding]) -> str:
    """The number of files in each state: `2 stale, 1 missing`."""
    count = Counter(f.state for f in findings)
    return ", ".join(f"{count[state]} {state.value}" for state in State if count[state])


def unified(findings: Sequence[Finding], there: Snapshot, expected: Tree) -> Iterator[str]:
    """The lines of a unified diff from the files of the tree to the expected ones."""
    for finding in findings:
        if finding.state in (State.CURRENT, State.UNMANAGED) or finding.path in there.skipped:
            continue
        committed = there.files.get(finding.path, b"").decode("utf-8", "backslashreplace")
        yield from difflib.unified_diff(
            committed.splitlines(),
            expected.get(finding.path, "").splitlines(),
            finding.path if finding.path in there.files else "/dev/null",
            finding.path if finding.path in expected else "/dev/null",
            lineterm="",
        )
