"""Trees in archives: what is found in them; a hostile one is one clear error, in little memory."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from codegen.errors import FeatherError
from codegen.tree import archive as archives
from codegen.tree import limits
from codegen.tree.limits import LARGEST, LINK, MOST
from codegen.tree.snapshot import location, read_tree

FILES = {"fc.h": b"#define FC 1\n", "src/fc_f32.c": b"int x;\n", "manifest.json": b"{}"}


def tar(path: Path, files: Mapping[str, bytes], *more: tarfile.TarInfo) -> None:
    with tarfile.open(path, "w:gz" if path.suffix != ".tar" else "w") as packed:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))
        for entry in more:
            packed.addfile(entry)


def zipped(path: Path, files: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)


PACKERS: dict[str, Callable[[Path, Mapping[str, bytes]], None]] = {
    "a.tar.gz": tar, "a.tgz": tar, "a.tar": tar, "a.zip": zipped, "A.ZIP": zipped,
}  # fmt: skip


@pytest.mark.parametrize("name", PACKERS)
@pytest.mark.parametrize(
    ("start", "path"),
    [("", ""), ("./", ""), ("fc-1.2/", ""), ("a/b/", ""), ("fc-1.2/gen/", ":gen"), ("gen/", ":gen"),
     ("gen/", ":./gen/"), ("fc-1.2/gen/", ":fc-1.2/gen"), ("fc-1.2/gen/", ":.")],
)  # fmt: skip
def test_a_tree_is_found(name: str, start: str, path: str, place: Path) -> None:
    PACKERS[name](Path(name), {start + key: content for key, content in FILES.items()})
    if path == ":gen":
        other = {"README": b"", **{start + key: content for key, content in FILES.items()}}
        beside = start.removesuffix("gen/")
        PACKERS[name](Path(name), {beside + k if k == "README" else k: c for k, c in other.items()})
    tree = read_tree(name + path)
    known = {k.removeprefix("fc-1.2/").removeprefix("gen/"): c for k, c in tree.files.items()}
    assert known == FILES
    assert tree.skipped == {}
    if path != ":.":
        assert tree.files == FILES
    assert location(name + path, "fc.h").endswith("fc.h")


def test_what_is_no_file_is_skipped_with_its_reason(place: Path) -> None:
    kinds = {tarfile.SYMTYPE: LINK, tarfile.LNKTYPE: LINK, tarfile.FIFOTYPE: "not a regular file",
             tarfile.CHRTYPE: "not a regular file", tarfile.GNUTYPE_SPARSE: "not a regular file"}  # fmt: skip
    entries = []
    for i, kind in enumerate(kinds):
        entry = tarfile.TarInfo(f"odd{i}.c")
        entry.type, entry.linkname = kind, "/etc/passwd"
        entries.append(entry)
    tar(Path("a.tar.gz"), FILES, *entries[:-1])
    tree = read_tree("a.tar.gz")
    assert tree.files == FILES
    assert tree.skipped == {f"odd{i}.c": reason for i, reason in enumerate(list(kinds.values())[:-1])}
    with zipfile.ZipFile("a.zip", "w") as packed:
        link = zipfile.ZipInfo("odd.c")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "/etc/passwd")
        packed.writestr("fc.h", b"")
        packed.writestr(zipfile.ZipInfo("slow.c"), b"x" * 99, zipfile.ZIP_LZMA)
    tree = read_tree("a.zip")
    assert tree.skipped == {"odd.c": LINK, "slow.c": "packed in a way that is not supported"}
    assert tree.files == {"fc.h": b""}


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip"])
@pytest.mark.parametrize(
    "path", ["../x.c", "a/../../x.c", "/etc/passwd", "a/..", "C:/x.c", "a\\x.c", "..", "//x.c"]
)
def test_a_path_that_leads_out_is_an_error(name: str, path: str, place: Path) -> None:
    PACKERS[name](Path(name), {**FILES, path: b""})
    with pytest.raises(FeatherError, match="which is none of a file in it"):
        read_tree(name)
    assert sorted(p.name for p in place.iterdir()) == [name]


@pytest.mark.parametrize("twin", ["fc.h", "./fc.h", "src/../fc.h", "src//fc_f32.c"])
def test_a_path_that_is_there_twice_is_an_error(twin: str, place: Path) -> None:
    tar(Path("a.tar"), FILES, tarfile.TarInfo(twin))
    with pytest.raises(FeatherError, match=r"a.tar holds .*fc.* twice"):
        read_tree("a.tar")


# What unpacks to too much


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
def test_gigabytes_of_zeros(kind: bytes, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is on what is decompressed: of a file, of a name that long, or behind the last file."""
    monkeypatch.setattr(archives, "_UNPACKED", 20 << 20)
    entry = tarfile.TarInfo("x.c")
    entry.type, entry.size = kind, 64 << 20
    with gzip.open("a.tar.gz", "wb", compresslevel=1) as file:
        file.write(entry.tobuf())
        for _ in range(64):
            file.write(bytes(1 << 20))
    read = []
    whole = gzip.GzipFile.read

    def counted(stream: gzip.GzipFile, size: int | None = -1) -> bytes:
        read.append(size or 0)
        return whole(stream, size)

    monkeypatch.setattr(gzip.GzipFile, "read", counted)
    tracemalloc.start()
    with pytest.raises(FeatherError, match=r"a.tar.gz unpacks to more than 20 MB"):
        read_tree("a.tar.gz")
    assert tracemalloc.get_traced_memory()[1] < 45 << 20
    tracemalloc.stop()
    assert min(read) > 0
    assert sum(read) <= 20 << 20


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip"])
def test_a_large_file_is_skipped_and_many_files_are_refused(
    name: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    PACKERS[name](Path(name), {**FILES, "x.c": bytes(LARGEST + 1)})
    assert "MB" in read_tree(name).skipped["x.c"]
    PACKERS[name](Path(name), {f"{i}.c": b"" for i in range(MOST + 1)})
    with pytest.raises(FeatherError, match="more than 5000 files"):
        read_tree(name)
    monkeypatch.setattr(limits, "ALL", 20)
    PACKERS[name](Path(name), {f"{i}.c": bytes(7) for i in range(3)})
    with pytest.raises(FeatherError, match="holds more than 0 MB"):
        read_tree(name)


def test_a_zip_that_lies_about_sizes(place: Path) -> None:
    zipped(Path("a.zip"), {"x.c": bytes(20 << 20)})
    content = bytearray(Path("a.zip").read_bytes())
    small = (100).to_bytes(4, "little")
    for start, at in ((content.rindex(b"PK\x01\x02"), 24), (0, 22)):
        content[start + at : start + at + 4] = small
    Path("a.zip").write_bytes(content)
    with pytest.raises(FeatherError, match=r"a.zip cannot be read"):
        read_tree("a.zip")


# What is no archive


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip", "a.tar"])
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x1f\x8b", bytes(5000), b"x" * 5000], ids=repr)
def test_what_is_no_archive_is_an_error(name: str, content: bytes, place: Path) -> None:
    Path(name).write_bytes(content)
    with pytest.raises(FeatherError, match=name):
        read_tree(name)


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip"])
def test_an_archive_that_is_cut_is_an_error(name: str, place: Path) -> None:
    PACKERS[name](Path(name), {f"{i}.c": bytes(range(256)) * 40 for i in range(9)})
    content = Path(name).read_bytes()
    for part in (len(content) // 2, len(content) - 9):
        Path(name).write_bytes(content[:part])
        with pytest.raises(FeatherError, match=name):
            read_tree(name)


def test_an_archive_that_is_no_regular_file(place: Path) -> None:
    Path("a.zip").symlink_to("/dev/zero")
    with pytest.raises(FeatherError, match=r"a.zip is not a regular file of at most 32 MB"):
        read_tree("a.zip")
    tar(Path("b.tar.gz"), FILES)
    for path in ("nowhere", "fc", "..", "/etc"):
        with pytest.raises(FeatherError, match="holds no file below"):
            read_tree(f"b.tar.gz:{path}")
    with pytest.raises(FeatherError, match=r"there is no directory c.zip"):
        read_tree("c.zip")
