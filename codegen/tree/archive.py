"""Reads a tree from an archive, .tar.gz or .zip, that may be hostile: nothing is extracted to a file.

What is decompressed is limited, not what the archive says of itself. Links and devices are never followed;
a path that leads out of the archive, or occurs twice, is an error.
"""

from __future__ import annotations

import gzip
import os
import posixpath
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from typing import IO, NamedTuple

from codegen.errors import FeatherError
from codegen.tree.limits import ALL, LARGEST, LINK, Snapshot, check_size, too_large

SUFFIXES = (".tar.gz", ".tgz", ".tar", ".zip")

_ARCHIVE = 32 * 2**20
"""Limit on the size of an archive, in bytes."""

_UNPACKED = ALL + _ARCHIVE
"""Limit on what is decompressed of an archive, with its headers and the files that are skipped, in bytes."""


_PIECE = 2**16
"""Bytes that are read at a time."""


class Member(NamedTuple):
    """A file of an archive: its path in it, and its content or the reason why it is not read."""

    path: str
    content: bytes | str


def archive_and_path(name: str) -> tuple[str, str] | None:
    """The archive and the path in it that `ARCHIVE` or `ARCHIVE:PATH` names; None if it names no archive."""
    for archive, path in ((name, ""), name.rpartition(":")[::2]):
        if archive.lower().endswith(SUFFIXES) and os.path.lexists(archive) and not os.path.isdir(archive):
            return archive, path
    return None


def read_archive(archive: str, path: str) -> Snapshot:
    """The files below a path of an archive, or of the directory that holds all of its files.

    FeatherError when the archive is damaged or hostile, exceeds the limits, or has no such path.
    """
    members: dict[str, bytes | str] = {}
    total = 0
    for member in _members(archive):
        if member.path in members:
            raise FeatherError(f"{archive} holds {member.path} twice: nobody knows which of them is meant")
        members[member.path] = member.content
        total += len(member.content) if isinstance(member.content, bytes) else 0
        check_size(archive, len(members), total)
    tree = Snapshot()
    start = _start(archive, list(members), path)
    for place, content in members.items():
        if place.startswith(start):
            side = tree.files if isinstance(content, bytes) else tree.skipped
            side[place[len(start) :]] = content  # type: ignore[assignment]
    return tree


def _start(archive: str, paths: list[str], wanted: str) -> str:
    """What the paths of the tree begin with: the directory of all files, or `wanted` in it or above."""
    common = posixpath.commonpath([posixpath.dirname(p) for p in paths]) if paths else ""
    above = [part for part in common.split("/") if part]
    starts = ["/".join(above[:i]) for i in range(len(above) + 1)]
    for start in starts if wanted else starts[-1:]:
        place = posixpath.normpath(posixpath.join(start, wanted))
        beginning = "" if place == "." else f"{place}/"
        if any(p.startswith(beginning) for p in paths):
            return beginning
    raise FeatherError(
        f"{archive} holds no file{f' below {wanted}' if wanted else ''}: name another path in it"
    )


def _members(archive: str) -> Iterator[Member]:
    """The files of an archive; FeatherError names what is wrong with it."""
    try:
        handle = os.open(archive, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode) or status.st_size > _ARCHIVE:
                raise FeatherError(f"{archive} is not a regular file of at most {_ARCHIVE >> 20} MB")
            yield from _of_zip(file, archive) if archive.lower().endswith(".zip") else _of_tar(file, archive)
    except FeatherError:
        raise
    except Exception as error:  # the readers of the standard library raise many kinds
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise FeatherError(f"{archive} cannot be read: {reason}") from None


def _of_tar(file: IO[bytes], archive: str) -> Iterator[Member]:
    """The members as they come: a stream cannot be made to read a place twice."""
    packed = not archive.lower().endswith(".tar")
    stream = _Limited(gzip.GzipFile(fileobj=file) if packed else file, archive)
    with tarfile.open(fileobj=stream, mode="r|") as tar:  # type: ignore[call-overload]
        seen = 0
        for entry in tar:
            seen += 1
            check_size(archive, seen // 2, 0)  # directories count half
            if entry.isdir():
                continue
            yield Member(_checked(entry.name, archive), _of_entry(tar, entry))
    while stream.read(_PIECE):
        pass  # to the checksum at the end


def _of_entry(tar: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes | str:
    if entry.issym() or entry.islnk():
        return LINK
    if not entry.isreg() or entry.issparse():
        return "not a regular file"
    if entry.size > LARGEST:
        return too_large(entry.size)
    content = tar.extractfile(entry)
    return content.read() if content else "not a regular file"


class _Limited:
    """A stream that ends with an error when more than the limit is read."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, archive: str) -> None:
        self._stream, self._archive, self._left = stream, archive, _UNPACKED

    def read(self, size: int) -> bytes:
        """So many bytes, or those that are left."""
        self._left -= size
        if self._left < 0:
            raise FeatherError(f"{self._archive} unpacks to more than {_UNPACKED >> 20} MB")
        return self._stream.read(size)


def _of_zip(file: IO[bytes], archive: str) -> Iterator[Member]:
    with zipfile.ZipFile(file) as packed:
        entries = packed.infolist()
        check_size(archive, len(entries) // 2, 0)
        for entry in entries:
            if entry.filename.endswith("/"):
                continue
            yield Member(_checked(entry.filename, archive), _of_zipped(packed, entry))


def _of_zipped(packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | str:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return LINK
    if kind not in (0, stat.S_IFREG):
        return "not a regular file"
    if entry.file_size > LARGEST:
        return too_large(entry.file_size)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "packed in a way that is not supported"  # others take memory as the archive says
    with packed.open(entry) as content:
        return content.read(LARGEST)


def _checked(path: str, archive: str) -> str:
    """The path in its normal form; FeatherError when it is absolute or leads out of the archive."""
    normal = posixpath.normpath(path)
    parts = normal.split("/")
    drive = len(parts[0]) == 2 and parts[0][1] == ":"
    if (
        not path
        or normal.startswith("/")
        or ".." in parts
        or normal == "."
        or "\\" in path
        or "\0" in path
        or drive
    ):
        raise FeatherError(f"{archive} holds the path {path!r}, which is none of a file in it")
    return normal
