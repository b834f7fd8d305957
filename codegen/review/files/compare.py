"""The files of a tree that are no C of the library: those that a build, a test or git takes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from codegen.review.diff.changes import Change, ChangeClass, SourceTree
from codegen.review.diff.headers import text_of
from codegen.review.diff.reserved import STANDARD_HEADERS
from codegen.review.diff.source import MANIFEST, is_selftest
from codegen.review.files import cmake, manifest, selftest

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


def build_changes(trees: Trees) -> Iterator[Change]:
    """A change for each file whose difference changes what is built, tested or described."""
    for path in sorted(trees.old.keys() | trees.new.keys()):
        if trees.old.get(path) != trees.new.get(path):
            said = list(_effects(path, trees))
            if said:
                more = f"; and {len(said) - _MOST} more effects" if len(said) > _MOST else ""
                detail = "; ".join(said[:_MOST]) + more
                yield Change(path, ChangeClass.BUILD, detail, path, 1)


_MOST = 5


def _effects(path: str, trees: Trees) -> Iterator[str]:
    name = posixpath.basename(path)
    texts = tuple(text_of(side.get(path, "")) for side in (trees.old, trees.new))
    if name == cmake.FILE:
        yield from _of_cmake(path, (texts[0], texts[1]), trees)
    elif path not in trees.new:
        yield from _of_removed(path, trees)
    elif name == MANIFEST:
        here = dict(_relative(path, trees.new))
        content = trees.old.get(path, ""), trees.new[path]
        yield from manifest.effects(content, trees.same(), trees.defined(), here)
    elif is_selftest(path, trees.new):
        prefix = manifest.prefix(trees.new.get(posixpath.join(posixpath.dirname(path), MANIFEST), ""))
        if path in trees.old:
            yield from selftest.effects((texts[0], texts[1]), prefix, trees.same(), trees.defined())
    elif name == ".gitattributes":
        if texts[1].split("\n")[1:] != ["* linguist-generated text eol=lf", ""]:
            yield _TAKEN[name]
    elif path not in trees.old and f"<{name}>" in STANDARD_HEADERS:
        yield f"is included in place of the compiler's <{name}>"
    elif meaning := taken(path):
        if not _compared(path, trees.new):
            yield f"{'differs' if path in trees.old else 'is new'}: {meaning}"
        elif path not in trees.old and not _explained(path, trees):
            yield f"is new: {meaning}"


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
    if texts[1] == manifest.build_file(trees.new.get(posixpath.join(here, MANIFEST), "")):
        left = cmake.sources(texts[0]) - cmake.sources(texts[1])
        dropped = sorted(p for p in left if posixpath.join(here, p) in trees.new)
        yield from (f"no longer compiles {p}" for p in dropped)
        return
    moved = {posixpath.relpath(p, here or ".") for p in trees.new.keys() ^ trees.old.keys()}
    yield from cmake.effects(*texts, moved)


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


def _compared(path: str, tree: SourceTree) -> bool:
    """Whether the file is C whose functions are compared."""
    return path.endswith((".c", ".h")) and not is_selftest(path, tree)


def _explained(path: str, trees: Trees) -> bool:
    """Whether a new file of C belongs to the library: it has functions of it, or its files include it."""
    if any(c.path == path for c in trees.functions):
        return True
    included = f'"{posixpath.basename(path)}"'
    return path.endswith(".h") and any(
        included in text_of(t) for p, t in trees.new.items() if p != path and p.endswith((".c", ".h"))
    )


def taken(path: str) -> str:
    """What takes a file of this name; empty where nothing does."""
    name, suffix = posixpath.basename(path), PurePosixPath(path).suffix
    return _TAKEN.get(name) or _TAKEN.get(suffix.lower()) or ""


_COMPILES = "a build that compiles every source of the directory takes it"
_READS = "a build reads it"
_LINKS = "a build that links every object of the directory takes it"
_GIT = "git treats the files of the tree otherwise"
_TAKEN = {
    **dict.fromkeys(
        (".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".inc", ".inl"), _COMPILES
    ),
    **dict.fromkeys(
        (".s", ".asm", ".sx", ".def", ".ipp", ".tpp", ".m", ".mm", ".cu", ".i", ".ii"), _COMPILES
    ),
    **dict.fromkeys(
        (".o", ".obj", ".a", ".lib", ".so", ".dll", ".dylib", ".bc", ".ll", ".ld", ".lds"), _LINKS
    ),
    **dict.fromkeys(
        (".cmake", ".mk", ".mak", ".ninja", ".bazel", ".bzl", ".pro", ".vcxproj", ".am", ".ac"), _READS
    ),
    **dict.fromkeys(("Makefile", "makefile", "GNUmakefile", "meson.build", "meson_options.txt"), _READS),
    **dict.fromkeys(("BUILD", "WORKSPACE", "SConstruct", "SConscript", "configure", "Kconfig"), _READS),
    **dict.fromkeys(
        ("CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json", "platformio.ini", "library.json"),
        _READS,
    ),
    **dict.fromkeys(("library.properties", "conanfile.py", "conanfile.txt", "build.zig", "build.rs"), _READS),
    **dict.fromkeys((".gitattributes", ".gitmodules", ".gitconfig"), _GIT),
}
"""Names and suffixes in small letters: what takes such a file."""
