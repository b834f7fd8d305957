"""The files of a tree that are no C of the library: those that a build, a test or git takes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from codegen.review.diff.callers.headers import text_of
from codegen.review.diff.changes import Change, ChangeClass, SourceTree
from codegen.review.diff.text.reserved import STANDARD_HEADERS
from codegen.review.diff.text.source import MANIFEST, is_selftest
from codegen.review.files import cmake, manifest, selftest
from codegen.review.files.taken import is_precompiled, taken

_SAME = frozenset({ChangeClass.IDENTICAL, ChangeClass.COSMETIC, ChangeClass.CONTRACT})


@dataclass(frozen=True)
class Trees:
    """Both trees, and the changes of their functions."""

    old: SourceTree
    new: SourceTree
    functions: Sequence[Change]

    def same(self) -> set[str]:
        """The functions that compute the same in the same way."""
        return {c.symbol for c in self.functions if c.kinds <= _SAME}

    def defined(self) -> set[str]:
        """The functions of the new tree."""
        return {c.symbol for c in self.functions if c.kind is not ChangeClass.REMOVED}

    def places(self, directory: str) -> dict[str, str]:
        """The file of each function of the new tree, by its path from a directory."""
        kept = (c for c in self.functions if c.kind is not ChangeClass.REMOVED)
        return {c.symbol: posixpath.relpath(c.path, directory or ".") for c in kept}


def build_changes(trees: Trees) -> Iterator[Change]:
    """A change for each file whose difference changes what is built, tested or described."""
    for path in sorted(trees.old.keys() | trees.new.keys()):
        differs = trees.old.get(path) != trees.new.get(path)
        said = list(_effects(path, trees)) if differs else []
        if posixpath.basename(path) == cmake.FILE and not said:
            said = sorted(_left_out(path, trees.new) - _left_out(path, trees.old))
        if said:
            more = f"; and {len(said) - _MOST} more effects" if len(said) > _MOST else ""
            detail = "; ".join(said[:_MOST]) + more
            yield Change(path, ChangeClass.BUILD, detail, path, 1)


_MOST = 5


def _effects(path: str, trees: Trees) -> Iterator[str]:
    name = posixpath.basename(path)
    texts = tuple(text_of(side.get(path, "")) for side in (trees.old, trees.new))
    if is_precompiled(path):
        yield f"{_came(path, trees)}: {taken(path)}"
    elif name == cmake.FILE:
        yield from _of_cmake(path, (texts[0], texts[1]), trees)
    elif path not in trees.new:
        yield from _of_removed(path, trees)
    elif name == MANIFEST:
        here = dict(_relative(path, trees.new))
        content = trees.old.get(path, ""), trees.new[path]
        costs = {c.symbol: c.new_cost for c in trees.functions if c.new_cost is not None}
        yield from manifest.effects(content, trees.same(), trees.defined(), here, costs)
    elif is_selftest(path, trees.new):
        prefix = manifest.prefix(trees.new.get(posixpath.join(posixpath.dirname(path), MANIFEST), ""))
        if path in trees.old:
            yield from selftest.effects((texts[0], texts[1]), prefix, trees.same(), trees.defined())
        elif not selftest.only_for_tests(("", texts[1]), prefix):
            yield f"is new: {taken(path)}"
    elif name == ".gitattributes":
        if not _ATTRIBUTES.fullmatch(texts[1]):
            yield taken(path)
    elif path not in trees.old and f"<{name}>" in STANDARD_HEADERS:
        yield f"is included in place of the compiler's <{name}>"
    elif meaning := taken(path):
        if not _compared(path, trees.new):
            yield f"{_came(path, trees)}: {meaning}"
        elif path not in trees.old and not _explained(path, trees):
            yield f"is new: {meaning}"


def _came(path: str, trees: Trees) -> str:
    if path not in trees.new:
        return "was removed"
    return "differs" if path in trees.old else "is new"


_ATTRIBUTES = re.compile(
    r"(?:# SPDX-License-Identifier: [\w.+:() -]+\n)?\* linguist-generated text eol=lf\n", re.ASCII
)
"""What featherc generates into .gitattributes."""


def _relative(path: str, tree: SourceTree) -> Iterator[tuple[str, str | bytes]]:
    """The files beside and below a file, by their paths from its directory."""
    start = posixpath.dirname(path) + "/" if posixpath.dirname(path) else ""
    return ((p.removeprefix(start), text) for p, text in tree.items() if p.startswith(start))


def _of_cmake(path: str, texts: tuple[str, str], trees: Trees) -> Iterator[str]:
    """The effects of a build file, without those of files that came or went with it."""
    if path not in trees.new:
        yield "was removed: builds that add this directory fail"
        return
    if path not in trees.old:
        yield from ("is new: a build reads it", *cmake.effects("", texts[1]))
        return
    here = posixpath.dirname(path)
    own = trees.new.get(posixpath.join(here, MANIFEST), "")
    if texts[1] == manifest.build_file(own, trees.places(here)):
        left = cmake.sources(texts[0]) - cmake.sources(texts[1])
        dropped = sorted(p for p in left if posixpath.join(here, p) in trees.new)
        yield from (f"no longer compiles {p}" for p in dropped)
        return
    moved = {posixpath.relpath(p, here or ".") for p in trees.new.keys() ^ trees.old.keys() if _is_c(p)}
    yield from cmake.effects(*texts, moved)


def _left_out(path: str, tree: SourceTree) -> set[str]:
    """Where the sources beside a build file are not those that it names: what that means.

    A build file that names none, as that of a tree of headers, leaves none out.
    """
    here = posixpath.dirname(path)
    named = {p for p in cmake.sources(text_of(tree.get(path, ""))) if p.endswith(".c")}
    beside = {posixpath.relpath(p, here or ".") for p in tree if posixpath.dirname(p) == here}
    found = {p for p in beside if p.endswith(".c") and not is_selftest(posixpath.join(here, p), tree)}
    if not named:
        return set()
    plain = {p for p in named if "/" not in p and "$" not in p}
    return {f"compiles {p}, which is missing" for p in plain - found} | {
        f"does not compile {p}" for p in found - named
    }


def _of_removed(path: str, trees: Trees) -> Iterator[str]:
    name = posixpath.basename(path)
    if name == MANIFEST:
        yield "was removed: programs that bind to the library by it fail"
    elif is_selftest(path, trees.old):
        yield "was removed: nothing tests the library on its target"
    elif name == ".gitattributes":
        yield "was removed: git may convert line endings"
    elif path.endswith(".h") and not any(c.path == path for c in trees.functions):
        users = sorted(c.symbol for c in trees.functions if c.kind is ChangeClass.REMOVED)
        if not users or not _declared_only(path, trees, users):
            yield "was removed: programs that include it do not compile"


def _declared_only(path: str, trees: Trees, removed: Collection[str]) -> bool:
    """Whether functions that were removed, too, are all that a header declared."""
    names = _words(text_of(trees.old[path]))
    return bool(names & set(removed)) and not names & trees.defined()


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def _is_c(path: str) -> bool:
    return path.endswith((".c", ".h"))


def _compared(path: str, tree: SourceTree) -> bool:
    """Whether the file is C whose functions are compared."""
    return _is_c(path) and not is_selftest(path, tree)


def _explained(path: str, trees: Trees) -> bool:
    """Whether a new file of C belongs to the library: it has functions of it, or its files include it."""
    if any(c.path == path for c in trees.functions):
        return True
    included = f'"{posixpath.basename(path)}"'
    return path.endswith(".h") and any(
        included in text_of(t) for p, t in trees.new.items() if p != path and _is_c(p)
    )
