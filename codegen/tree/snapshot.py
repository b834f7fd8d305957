"""Reads an untrusted tree for a comparison: a directory, an archive, or a path at a git revision.

Only regular files of limited size are read; links are never followed. Every file that is not read is
recorded with the reason, so that the comparison can report it.
"""

from __future__ import annotations

import itertools
import os
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from codegen.errors import FeatherError
from codegen.tree.archive import SUFFIXES, archive_and_path, read_archive
from codegen.tree.limits import ALL, LARGEST, LINK, MOST, Snapshot, check_size, too_large, too_much

_LONGEST_ENTRY = 4096
"""Bytes of the longest path of a tree, with what git prints of it."""

_SECONDS = 60
"""Time limit of a git command, s."""


def read_tree(name: str) -> Snapshot:
    """The tree that is named: a directory, `ARCHIVE[:PATH]`, or `REVISION:PATH` in the current repository.

    FeatherError when it does not exist, or exceeds the limits on number and size of files.
    """
    _check_unambiguous(name)
    if os.path.isdir(name):
        return read_directory(Path(name))
    packed = archive_and_path(name)
    if packed:
        return read_archive(*packed)
    if os.path.lexists(name):
        raise FeatherError(
            f"{name} is not a directory: name one, or an archive ({', '.join(SUFFIXES)}), or REVISION:PATH"
        )
    if ":" not in name:
        raise FeatherError(
            f"there is no directory {name}; a git revision is written REVISION:PATH, such as HEAD~1:generated"
        )
    return _read_revision(name)


def _check_unambiguous(name: str) -> None:
    """FeatherError when there is a file with the name of a revision: one could stand in for the other."""
    relative = not os.path.isabs(name) and not name.startswith((f".{os.sep}", f"..{os.sep}"))
    if ":" in name and relative and os.path.lexists(name):
        raise FeatherError(
            f"there is a file {name}, and REVISION:PATH is written like that: write ./{name} for the file"
        )


def location(name: str, path: str) -> str:
    """The path of a file of a tree: below the directory, or below the path in the repository."""
    directory = name if os.path.isdir(name) else name.partition(":")[2]
    return os.path.normpath(os.path.join(directory, path))


def read_directory(directory: Path) -> Snapshot:
    """The files below a directory; FeatherError when it cannot be listed or exceeds the limits."""
    tree = Snapshot()
    total = 0
    for path in _walk(directory):
        name = path.relative_to(directory).as_posix()
        check_size(directory, len(tree.files) + len(tree.skipped), total)
        content = _content(path)
        if isinstance(content, str):
            tree.skipped[name] = content
        else:
            tree.files[name] = content
            total += len(content)
    return tree


def _walk(directory: Path) -> Iterator[Path]:
    """Every entry below a directory that is not a directory, in order, without following links."""
    open_, seen = [directory], 0
    while open_:
        here = open_.pop()
        try:
            with os.scandir(here) as entries:
                listed = [
                    (entry.name, entry.is_dir(follow_symlinks=False))
                    for entry in itertools.islice(entries, 2 * MOST + 1)
                ]
        except OSError as error:
            raise FeatherError(f"cannot list {here}: {error.strerror}") from None
        seen += len(listed)
        if seen > 2 * MOST:
            raise too_much(directory)
        open_ += [here / name for name, below in sorted(listed, reverse=True) if below]
        yield from (here / name for name, below in sorted(listed) if not below)


def _content(path: Path) -> bytes | str:
    """The bytes of a regular file, or the reason why it is not read."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        return LINK if path.is_symlink() else f"cannot be read: {error.strerror}"
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return "not a regular file"
        if status.st_size > LARGEST:
            return too_large(status.st_size)
        return file.read(LARGEST)


def _read_revision(name: str) -> Snapshot:
    """The files below a path at a revision, from git's object store: no filter, hook or checkout runs."""
    tree = Snapshot()
    wanted: list[tuple[str, str]] = []
    total = 0
    listing = _git(name, ["ls-tree", "-r", "-z", "-l", "--full-tree", name], MOST * _LONGEST_ENTRY)
    for entry in listing.split(b"\0")[:-1]:
        mode, kind, identity, size = entry.partition(b"\t")[0].decode("ascii").split()
        path = os.fsdecode(entry.partition(b"\t")[2])
        if kind != "blob" or mode == "120000":
            tree.skipped[path] = "a submodule" if kind == "commit" else LINK
        elif not size.isdigit():
            raise _missing(name, identity)
        elif int(size) > LARGEST:
            tree.skipped[path] = too_large(int(size))
        else:
            wanted.append((path, identity))
            total += int(size)
        check_size(name, len(wanted) + len(tree.skipped), total)
    contents = _blobs(name, [identity for _, identity in wanted])
    tree.files.update(zip((path for path, _ in wanted), contents, strict=True))
    return tree


def _blobs(name: str, identities: Sequence[str]) -> Iterator[bytes]:
    """The content of each object, as `git cat-file --batch` prints them: a line with the size, the bytes."""
    asked = "".join(f"{i}\n" for i in identities).encode()
    printed = _git(name, ["cat-file", "--batch"], ALL + MOST * _LONGEST_ENTRY, asked)
    at = 0
    for identity in identities:
        end = printed.find(b"\n", at)
        head = printed[at:end].split()
        if len(head) != 3 or head[1] != b"blob":
            raise _missing(name, identity)
        at = end + 1 + int(head[2]) + 1
        yield printed[end + 1 : at - 1]


def _missing(name: str, identity: str) -> FeatherError:
    return FeatherError(f"{name}: git does not have the object {identity}; fetch the whole revision")


_HARMLESS = (
    "--no-pager", "--no-replace-objects", "--no-optional-locks", "--literal-pathspecs",
    "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "protocol.allow=never",
)  # fmt: skip
"""Options that override what the configuration of a repository could make git run when it reads a tree."""

_QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # versions before 2.45 do not know the variable above
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}


def _git(name: str, arguments: Sequence[str], most: int, given: bytes = b"") -> bytes:
    """The output of a git command, at most so many bytes; FeatherError when it fails or prints more.

    It neither prompts nor fetches, and runs no program that the repository names.
    """
    if name.startswith("-"):
        raise FeatherError(f"{name}: a revision cannot begin with -")
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as asked:
        asked.write(given)
        asked.seek(0)
        command = ["git", *_HARMLESS, *arguments]
        try:
            process = subprocess.Popen(
                command, stdin=asked, stdout=subprocess.PIPE, stderr=said, env={**os.environ, **_QUIET}
            )
        except FileNotFoundError:
            raise FeatherError(f"{name} names a revision, but git is not installed") from None
        except ValueError:  # a character that no argument of a program can have
            raise FeatherError(f"{name} is neither a directory nor a tree in git") from None
        with process:
            printed = _output(process, name, most)
        said.seek(0)
        complaint = said.read(10_000).decode(errors="replace")
    if process.returncode:
        raise FeatherError(
            f"{name} is neither a directory nor a tree in git ({_fatal(complaint)}): mend or fetch it"
        )
    return printed


def _output(process: subprocess.Popen[bytes], name: str, most: int) -> bytes:
    """The output of a process, which is ended when its time or the size of its output exceeds the limit."""
    slow = threading.Event()

    def give_up() -> None:
        slow.set()
        process.kill()

    timer = threading.Timer(_SECONDS, give_up)
    timer.start()
    try:
        assert process.stdout is not None
        printed = process.stdout.read(most + 1)
        if len(printed) > most:
            process.kill()
            raise too_much(name)
        process.wait()
    finally:
        timer.cancel()
    if slow.is_set():
        raise FeatherError(f"{name}: git did not answer in {_SECONDS} s")
    return printed


def _fatal(complaint: str) -> str:
    """The line of git's messages that says why it failed."""
    lines = complaint.strip().splitlines() or ["no reason given"]
    return next((line for line in lines if line.startswith("fatal: ")), lines[0]).removeprefix("fatal: ")
